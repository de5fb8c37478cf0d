#!/usr/bin/env bash
# Normal modes of the committed elbow: tables, animations and pictures. See README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
cardo=${CARDO:-$top/build/release/cardo}
export CARDO_PDB_DIR=$top/pdb:${CARDO_PDB_DIR:-$top/../shared/pdb}
mkdir -p "$top/runs/modes"
$cardo modes "$here/elbow.xml" --out "$top/runs/modes/elbow" --force "$@"
