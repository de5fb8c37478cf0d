#!/usr/bin/env bash
# LAO-binding protein in two wells: its energy along the path, and a run that goes to and fro.
#   examples/double-basin/run.sh [cardo simulate options]
# Structures come from $CARDO_PDB_DIR, or from the shared folder beside the source tree. See README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
shared=${CARDO_SHARED:-$top/../shared}
cardo=${CARDO:-$top/build/release/cardo}
runs=$top/runs/double-basin
mkdir -p "$runs"
export CARDO_PDB_DIR=${CARDO_PDB_DIR:-$shared/pdb}

$cardo info "$here/lao.xml"
$cardo energy "$here/lao.xml" --scan mobile=-0.4:1.1:301 --out "$runs/scan" --force
$cardo simulate "$here/lao.xml" --out "$runs/simulation" --force "$@"
! command -v gnuplot >/dev/null ||
    gnuplot -e "scan='$runs/scan/scan.csv'; run='$runs/simulation/trajectory.csv'; picture='$runs/wells.png'" "$here/wells.gp"
