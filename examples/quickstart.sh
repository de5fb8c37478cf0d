#!/usr/bin/env bash
# Installs what is missing, builds Cardo, and asks how two proteins move between two of their crystal structures: adenylate kinase,
# which opens and closes, and an antibody light chain, which bends at its elbow.
#   examples/quickstart.sh [cardo study options]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./cmake/install-dependencies.sh
echo "== building"
if ! { cmake --preset release -DCARDO_OPENMM_WRAPPER_DIR="$PWD/build/openmm-c-wrapper" -DCARDO_TESTS=OFF &&
    cmake --build --preset release --target cardo_program -j "$(env -u OMP_NUM_THREADS nproc)"; } >build.log 2>&1; then
    tail -n 30 build.log >&2
    echo "The build failed; build.log has all of it." >&2
    exit 1
fi
mv build.log build/quickstart-build.log
cardo=build/release/cardo
runs=runs/quickstart

# Each study goes by one core: the second is made beside the first, and told after it.
adk=pdb/adk_xray_ensemble_ca.pdb
$cardo study "$adk#13:A" "$adk#1:A" --out "$runs/kinase" --time 1 --force "$@" >build/quickstart-kinase.log 2>&1 &
kinase=$!
trap 'kill "$kinase" 2>/dev/null || true' EXIT

echo "== an antibody light chain bends at its elbow"
# Frames for all-atom runs elsewhere would take ten seconds more: --time 1 makes them.
$cardo study pdb/2mcg_1.pdb pdb/2mcg_2.pdb --out "$runs/elbow" --time 0.2 --force "$@"

echo
echo "== adenylate kinase closes, as its C-alpha atoms tell"
code=0
wait "$kinase" || code=$?
trap - EXIT
cat build/quickstart-kinase.log
exit $code
