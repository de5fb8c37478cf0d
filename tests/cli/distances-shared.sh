#!/usr/bin/env bash
# cardo distances: maltose-binding protein with Alexa 546 and 647, against the same volumes by FPS's algorithm in Python (src/study/distances/README.md).
. "$(dirname "$0")/support.sh"
need_shared
{
    for residue in 29 87 134 352 186; do
        echo "label ${residue}d A:$residue CB 21 4.5 8.1 3.2 1.5"
        echo "label ${residue}a A:$residue CB 21 4.5 11 4.7 1.5"
    done
    for pair in "29 352" "87 186" "134 186"; do
        read -r one other <<<"$pair"
        echo "pair $one-$other ${one}d ${other}a fret 65"
        echo "pair $other-$one ${other}d ${one}a fret 65"
    done
} >labels
run 0 distances "$shared/pdb/1omp.pdb" "$shared/pdb/1anf.pdb" labels -o mbp --json
check python3 -c "
import json
E = [row['efficiency'] for row in json.load(open('out'))['distances']]
theirs = [0.358, 0.355, 0.825, 0.826, 0.948, 0.949, 0.585, 0.582, 0.687, 0.689, 0.941, 0.942]
assert len(E) == 12 and max(abs(a - b) for a, b in zip(E, theirs)) < 0.015, E"
finish
