#!/usr/bin/env bash
# The extension module built with the address and undefined-behaviour sanitizers, and the tests of Python run with it. By name, as it takes minutes:
#   tests/bindings/python/asan.sh BUILD_FOLDER
# Leaks are looked for too; those of the interpreter and of other modules, which have no frame of _cardo or libcardo, are left out.
set -euo pipefail
[ $# = 1 ] || { sed -n '2,4p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$(cd "$here/../../.." && pwd)
python=$(sed -n 's/^CARDO_PYTHON:[A-Z]*=//p' "$build/CMakeCache.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CFLAGS="-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined -g" LDFLAGS="-fsanitize=address,undefined" \
    "$python" -B "$source/src/bindings/python/build_extension.py" "$work" "$source/src/include" "$build/src" sanitized "$build/src" >"$work/log"
nm -D "$work"/cardo/_cardo*.so | grep __asan_report >/dev/null || { echo "the module is not sanitized" >&2; exit 1; }
export PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc CARDO_SOURCES=$source CARDO_PROGRAM=$build/cardo
libraries="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
status=0
# Programs that are started from there are not sanitized and are left in peace. What is freed stays in quarantine, so memory that grows tells nothing.
started='import os, sys, pytest; del os.environ["LD_PRELOAD"]; sys.exit(pytest.main(sys.argv[1:]))'
for test in engine studies conversions; do
    ASAN_OPTIONS=detect_leaks=1:log_path=$work/report:exitcode=0 LSAN_OPTIONS=fast_unwind_on_malloc=1 LD_PRELOAD=$libraries \
        timeout 600 "$python" -c "$started" -q -p no:cacheprovider -k "not test_what_is_dropped_is_freed" "$here/test_$test.py" || status=1
done
if grep -lE 'ERROR: AddressSanitizer|runtime error' "$work"/report.* 2>/dev/null; then
    cat "$work"/report.*
    status=1
fi
# A leak counts where something of ours asked for the memory.
python3 - "$work" <<'PYTHON' || status=1
import pathlib
import re
import sys

ours = []
for report in pathlib.Path(sys.argv[1]).glob("report.*"):
    for leak in re.split(r"\n\n", report.read_text(errors="replace")):
        if re.search("Direct leak", leak) and re.search(r"libcardo|_cardo\.", leak):
            ours.append(leak)
print("\n\n".join(ours) or "no leak has a frame of Cardo's")
sys.exit(bool(ours))
PYTHON
[ $status = 0 ] && echo "clean"
exit $status
