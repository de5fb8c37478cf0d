#!/usr/bin/env bash
# Free energies of two proteins' closing in two wells, by every method of cardo sample.
#   examples/free-energy/run.sh [lao] [adk] [-- cardo sample options]
# Structures come from $CARDO_PDB_DIR, or from the shared folder beside the source tree. See README.md.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
shared=${CARDO_SHARED:-$top/../shared}
cardo=${CARDO:-$top/build/release/cardo}
runs=$top/runs/free-energy
export CARDO_PDB_DIR=${CARDO_PDB_DIR:-$shared/pdb}

models=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    models+=("$1")
    shift
done
[ $# -gt 0 ] && shift
[ ${#models[@]} -gt 0 ] || models=(lao adk)

for model in "${models[@]}"; do
    mkdir -p "$runs/$model"
    for method in scan umbrella metadynamics adaptive-force; do
        # Walkers that roam make as many steps in all as the windows do.
        steps=()
        case $model-$method in
        lao-metadynamics | lao-adaptive-force) steps=(--set sample.steps=400000) ;;
        adk-metadynamics | adk-adaptive-force) steps=(--set sample.steps=80000) ;;
        esac
        "$cardo" sample "$here/$model.xml" --set sample.method=$method "${steps[@]}" \
            --out "$runs/$model/$method" --force "$@"
    done
    ! command -v gnuplot >/dev/null ||
        gnuplot -e "runs='$runs/$model'; picture='$runs/$model.png'; name='$model'" "$here/compare.gp"
done
