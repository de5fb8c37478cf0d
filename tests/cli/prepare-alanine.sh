#!/usr/bin/env bash
# pdb/alanine.pdb is what its script makes of the residue templates.
. "$(dirname "$0")/support.sh"

# Places within a hundredth of an angstrom: the relaxation may end in another last digit elsewhere.
same() {
    python3 - "$@" <<'PYTHON'
import math
import sys

first, second = ([(line[:30], [float(line[k:k + 8]) for k in (30, 38, 46)] if line.startswith("ATOM") else [])
                  for line in open(name)] for name in sys.argv[1:])
sys.exit(0 if [a[0] for a in first] == [b[0] for b in second]
         and all(math.dist(a[1], b[1]) < 0.01 for a, b in zip(first, second)) else 1)
PYTHON
}

check "$source_tree/pdb/prepare-alanine.py" "$cardo" made.pdb
check test "$(grep -c '^ATOM' made.pdb)" = 22
check same made.pdb "$source_tree/pdb/alanine.pdb"
awk '/ C   NME / { $0 = sprintf("%s%8.3f%s", substr($0, 1, 46), substr($0, 47, 8) + 0.02, substr($0, 55)) } 1' made.pdb >moved.pdb
check test "$(same made.pdb moved.pdb; echo $?)" = 1
finish
