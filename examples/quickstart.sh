#!/usr/bin/env bash
# Installs what is missing, builds Cardo, and lets the two domains of an antibody light chain swing about their elbow.
#   examples/quickstart.sh [cardo simulate options]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./cmake/install-dependencies.sh
echo "== building"
if ! { cmake --preset release -DCARDO_OPENMM_WRAPPER_DIR="$PWD/build/openmm-c-wrapper" &&
    cmake --build --preset release --target cardo_program -j "$(nproc)"; } >build.log 2>&1; then
    tail -n 30 build.log >&2
    echo "The build failed; build.log has all of it." >&2
    exit 1
fi
mv build.log build/quickstart-build.log
cardo=build/release/cardo
runs=runs/quickstart

echo "== the model: examples/mcg/mcg.xml"
$cardo info examples/mcg/mcg.xml

echo
echo "== energy along the hinge"
$cardo energy examples/mcg/mcg.xml --scan constant=-0.05:0.15:21 --out "$runs/scan" --force

echo
echo "== simulating"
$cardo simulate examples/mcg/mcg.xml --out "$runs/simulation" --force "$@"
