#!/usr/bin/env bash
# Two commands print the same, letter for letter; skipped where the second one is not there.
#   same-digits.sh WHAT_IT_NEEDS FIRST [SECOND...]
set -u
needed=$1 first=$2
shift 2
if [ $# -eq 0 ]; then
    echo "SKIPPED: it was not built ($needed is needed)"
    exit 77
fi
wanted=$("$first") || exit 1
found=$("$@") || exit 1
if [ -z "$wanted" ]; then
    echo "$first printed nothing"
    exit 1
fi
diff <(echo "$wanted") <(echo "$found") || exit 1
echo "the same $(echo "$wanted" | wc -l) lines"
