#!/usr/bin/env bash
# LAO-binding protein: the fit of its closing motion to the crystal structures, its energy along the hinge, and dynamics.
#   examples/lao/run.sh [cardo simulate options]
# Structures come from $CARDO_PDB_DIR, or from the shared folder beside the source tree. See README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
shared=${CARDO_SHARED:-$top/../shared}
export CARDO_PDB_DIR=${CARDO_PDB_DIR:-$shared/pdb:$shared/reference/openmm/2lao_min}
cardo=${CARDO:-$top/build/release/cardo}
runs=$top/runs/lao

find_structure() {
    local folder
    for folder in ${CARDO_PDB_DIR//:/ }; do
        [ -e "$folder/$1" ] && return
    done
    echo "$1 is not in CARDO_PDB_DIR=$CARDO_PDB_DIR; $2" >&2
    return 1
}
find_structure 2lao.pdb "get it with: cardo fetch --format pdb 2lao 1lst" || exit 1
find_structure 1lst.pdb "get it with: cardo fetch --format pdb 2lao 1lst" || exit 1

$cardo info "$here/lao-crystal.xml"
find_structure 2lao_min.pdb "make it from 2LAO with hydrogens and complete side chains (cardo prepare is not there yet)" || exit 1
$cardo energy "$here/lao.xml" --scan mobile=-0.1:0.4:26 --out "$runs/scan" --force
$cardo simulate "$here/lao.xml" --out "$runs/simulation" --force "$@"
