#!/usr/bin/env bash
# LAO-binding protein: the fit of its closing motion to the crystal structures, its energy along the hinge, and dynamics.
#   examples/lao/run.sh [cardo simulate options]
# Structures come from $CARDO_PDB_DIR, or from the shared folder beside the source tree. See README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
shared=${CARDO_SHARED:-$top/../shared}
cardo=${CARDO:-$top/build/release/cardo}
runs=$top/runs/lao
mkdir -p "$runs"
export CARDO_PDB_DIR=$runs:${CARDO_PDB_DIR:-$shared/pdb}

find_structure() {
    local folder
    for folder in ${CARDO_PDB_DIR//:/ }; do
        [ -e "$folder/$1" ] && echo "$folder/$1" && return
    done
    echo "$1 is not in CARDO_PDB_DIR=$CARDO_PDB_DIR; get it with: cardo fetch --format pdb 2lao 1lst" >&2
    return 1
}
open=$(find_structure 2lao.pdb) || exit 1
find_structure 1lst.pdb >/dev/null || exit 1

$cardo info "$here/lao-crystal.xml"
$cardo prepare "$open" --out "$runs/2lao_prepared.pdb" --force
$cardo energy "$here/lao.xml" --scan mobile=-0.1:0.4:26 --out "$runs/scan" --force
$cardo simulate "$here/lao.xml" --out "$runs/simulation" --force "$@"
$cardo minimize "$here/lao.xml" --out "$runs/minimized" --force
$cardo drive "$here/lao.xml" --out "$runs/driven" --force
