#!/usr/bin/env bash
# Chains that are copies of each other are relaxed once, and again where they meet.
. "$(dirname "$0")/support.sh"

# copies MOVED SHIFT...: heavy atoms of the alanine dipeptide, a chain for each shift (x,y,z,degrees: then turned about an
# axis of no symmetry), of which the last one's CB is moved by so many angstroms, so that it is no copy
copies() {
    python3 - "$source_tree/pdb/alanine.pdb" "$@" <<'PYTHON'
import math
import sys

moved = float(sys.argv[2])
atoms = [line for line in open(sys.argv[1]) if line.startswith("ATOM") and line[76:78].strip() != "H"]
axis = [1 / 3, 2 / 3, 2 / 3]


def turn(p, angle):
    c, s = math.cos(angle), math.sin(angle)
    dot = sum(a * x for a, x in zip(axis, p))
    cross = [axis[k - 2] * p[k - 1] - axis[k - 1] * p[k - 2] for k in range(3)]
    return [c * x + s * y + (1 - c) * dot * a for x, y, a in zip(p, cross, axis)]


for chain, shift in zip("ABC", sys.argv[3:]):
    *by, angle = map(float, shift.split(","))
    for line in atoms:
        p = [float(line[k : k + 8]) for k in (30, 38, 46)]
        p = [x + y for x, y in zip(turn(p, math.radians(angle)), by)]
        p[0] += moved * (shift == sys.argv[-1] and line[12:16].strip() == "CB")
        print(line[:21] + chain + line[22:30] + "".join(f"{x:8.3f}" for x in p) + line[54:].rstrip())
    print("TER")
PYTHON
}

# apart FILE CHAIN OTHER_FILE CHAIN: how much distances of atoms to N, CA, C and CB differ at most, in angstroms: no superposition is needed
apart() {
    python3 - "$@" <<'PYTHON'
import math
import sys


def chain_of(path, chain):
    atoms = {}
    for line in open(path):
        if line.startswith("ATOM") and line[21] == chain:
            atoms[line[12:16].strip(), line[22:26].strip()] = [float(line[k : k + 8]) for k in (30, 38, 46)]
    return atoms


one, other = chain_of(*sys.argv[1:3]), chain_of(*sys.argv[3:5])
assert one.keys() == other.keys() and len(one) == 22, (len(one), len(other))
fixed = [("N", "2"), ("CA", "2"), ("C", "2"), ("CB", "2")]
print(max(abs(math.dist(one[k], one[f]) - math.dist(other[k], other[f])) for k in one for f in fixed))
PYTHON
}

# below LEFT RIGHT
below() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a < b) }'
}

copies 0 0,0,0,0 >alone.pdb
run 0 prepare alone.pdb -o alone_h.pdb
copies 0 0,0,0,0 30,5,-4,77 >far.pdb
run 0 prepare far.pdb -o far_h.pdb
says out 'the 24 atoms that were built moved'
check below "$(apart far_h.pdb A far_h.pdb B)" 0.003
check below "$(apart far_h.pdb A alone_h.pdb A)" 0.003
run 0 prepare far_h.pdb -o again.pdb --quiet
check cmp far_h.pdb again.pdb

# Side by side the second's hydrogens find their place among the first's, as they do where no chain is a copy.
copies 0 0,0,0,0 1,-4,2,40 >meeting.pdb
run 0 prepare meeting.pdb -o meeting_h.pdb
copies 0.03 0,0,0,0 1,-4,2,40 >unlike.pdb
run 0 prepare unlike.pdb -o unlike_h.pdb
for chain in A B; do
    check below "$(apart meeting_h.pdb $chain unlike_h.pdb $chain)" 0.08
    check below 0.3 "$(apart meeting_h.pdb $chain alone_h.pdb A)"
done

# A third, far from both, has nothing of that.
copies 0 0,0,0,0 1,-4,2,40 30,5,-4,77 >three.pdb
run 0 prepare three.pdb -o three_h.pdb
check below "$(apart three_h.pdb C alone_h.pdb A)" 0.02
for chain in A B; do
    check below "$(apart three_h.pdb $chain unlike_h.pdb $chain)" 0.08
done
finish
