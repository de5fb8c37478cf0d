#!/usr/bin/env bash
# What the library's interface has lost, gained or changed since a tag or any other revision, by abidiff (abigail-tools).
#   packaging/abidiff.sh BUILD_FOLDER [REVISION]
# REVISION is the last tag, or, as long as there is none, the commit that set the project's version. Its library is built beside, with debugging information and without tests. Exit status: 0 the same or only added to, 1 something
# that programs compiled with that revision's headers may stumble over, 77 nothing to compare with.
set -euo pipefail
[ $# = 1 ] || [ $# = 2 ] || { sed -n '2,5p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "$1" && pwd)
command -v abidiff >/dev/null || { echo "SKIPPED: there is no abidiff (abigail-tools)"; exit 77; }
tag=${2:-$(git -C "$root" describe --tags --abbrev=0 2>/dev/null || git -C "$root" log -1 --format=%h -G'^project\(cardo VERSION' -- CMakeLists.txt)}
[ -n "$tag" ] || { echo "SKIPPED: there is neither a tag nor a history to compare with"; exit 77; }

work=$build/abi-$tag
wrapper=$(sed -n 's/^CARDO_OPENMM_WRAPPER_DIR:[A-Z]*=//p' "$build/CMakeCache.txt")
# Both with debugging information, from which types are read; only what the public headers say counts.
built() {
    cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O0 -g" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O0 -g" \
        -DCARDO_TESTS=OFF -DCARDO_BENCHMARKS=OFF ${wrapper:+-DCARDO_OPENMM_WRAPPER_DIR="$wrapper"} >"$2.log" 2>&1 &&
        nice -n 19 cmake --build "$2" --target cardo_lib -j 1 >>"$2.log" 2>&1 || {
        tail -n 20 "$2.log" >&2
        exit 2
    }
}
mkdir -p "$work/source"
git -C "$root" archive "$tag" | tar -x -C "$work/source"
echo "building $tag and the tree, for their types alone"
built "$work/source" "$work/then"
built "$root" "$work/now"

status=0
abidiff --headers-dir1 "$work/source/src/include/cardo" --headers-dir2 "$root/src/include/cardo" --drop-private-types --no-added-syms \
    "$(readlink -f "$work"/then/src/libcardo.so)" "$(readlink -f "$work"/now/src/libcardo.so)" || status=$?
# Bits: 1 an error, 2 a usage error, 4 a change, 8 a change that breaks for sure.
[ $((status & 3)) = 0 ] || exit 2
[ $status = 0 ] || { echo "the interface has changed since $tag: until 1.0 that wants another minor version"; exit 1; }
echo "the interface of $tag is still there"
