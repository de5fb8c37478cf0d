#!/usr/bin/env bash
# ProDy, where it is installed, says today what prody_modes.txt holds, and with it what test_modes compares with.
#   prody_live.sh SOURCE_TREE
set -u
shared=${CARDO_SHARED:-$1/../shared}
for python in python3 /usr/bin/python3 none; do
    "$python" -c 'import prody' 2>/dev/null && break
done
if [ "$python" = none ]; then
    echo "SKIPPED: no ProDy (python3-prody)"
    exit 77
fi
# Without the reference folder ProDy is asked for the committed structure alone.
expected=3
[ -d "$shared/pdb" ] && expected=9
"$python" "$1/tests/analysis/prody_modes.py" "$1/pdb" "$shared/pdb" 2>/dev/null | python3 -c '
import sys
kept = [line.split() for line in open(sys.argv[1])]
now = [line.split() for line in sys.stdin]
worst = 0
for a, b in zip(kept, now):
    assert a[:4] == b[:4] and len(a) == len(b), (a[:4], b[:4])
    worst = max([worst] + [abs(float(y) / float(x) - 1) for x, y in zip(a[4:], b[4:])])
print(len(now), "cases, eigenvalues to", worst)
sys.exit(len(kept) != 9 or len(now) != int(sys.argv[2]) or worst > 1e-8)
' "$1/tests/analysis/prody_modes.txt" $expected
