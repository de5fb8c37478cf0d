#!/usr/bin/env bash
# Installs what is missing, builds Cardo, and runs all tests: plain, then under ASan and UBSan.
#   tests/run.sh [plain|asan]...     (default: both)
# CARDO_JOBS sets the number of parallel jobs. Tests that need the reference folder (CARDO_SHARED, or ../shared) are skipped without it,
# by name, and counted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${CARDO_JOBS:-$(env -u OMP_NUM_THREADS nproc)}
kinds=("$@")
[ ${#kinds[@]} -gt 0 ] || kinds=(plain asan)

preset_of() {
    case $1 in
    plain) echo release ;;
    asan) echo asan ;;
    *)
        echo "tests/run.sh: there is no kind of test '$1' (plain, asan)" >&2
        exit 2
        ;;
    esac
}

options=()
[ -z "${CI:-}" ] || options+=(-DCARDO_WARNINGS_AS_ERRORS=ON)
configure() {
    cmake --preset "$1" -DCARDO_OPENMM_WRAPPER_DIR="$PWD/build/openmm-c-wrapper" "${options[@]}"
}

for kind in "${kinds[@]}"; do preset_of "$kind" >/dev/null; done
# What tests alone need takes a minute or two to install, on one processor: the library is built beside it. What fails there fails again below, where it is read.
first=$(preset_of "${kinds[0]}")
./cmake/install-dependencies.sh
mkdir -p build
(configure "$first" && cmake --build --preset "$first" -j "$jobs" --target cardo_lib) >build/library.log 2>&1 &
./cmake/install-dependencies.sh --tests
wait || true
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# Third-party plugins (OpenCL loaders) leak at exit; our own leaks are still reported.
export LSAN_OPTIONS="suppressions=$PWD/tests/leaks.supp:print_suppressions=0"
export UBSAN_OPTIONS=print_stacktrace=1
# Scripts start Python some thousand times, and a shim that looks for it (pyenv's) takes longer than most of what they do with it.
python=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))')
case ":$PATH:" in
*":$python:"*) ;;
*) export PATH=$python:$PATH ;;
esac

failed=0
summary=()
for kind in "${kinds[@]}"; do
    preset=$(preset_of "$kind")
    echo "== $kind: building"
    configure "$preset"
    cmake --build --preset "$preset" -j "$jobs"
    echo "== $kind: testing"
    log=build/$preset/tests.log
    ctest --preset "$preset" -j "$jobs" | tee "$log" || failed=1
    skipped=$(grep -c '[*][*][*]Skipped' "$log" || true)
    wanting=$(grep -c '^SKIPPED:.*reference folder' "build/$preset/Testing/Temporary/LastTest.log" || true)
    summary+=("$kind: $(grep -c ' Passed ' "$log" || true) tests passed, $skipped skipped (named above), $wanting of them for want of the reference folder")
done
printf '%s\n' "${summary[@]}"
if [ $failed = 0 ]; then
    echo "All tests passed (${kinds[*]})."
else
    echo "Tests failed; see above." >&2
fi
exit $failed
