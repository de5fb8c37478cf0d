#!/usr/bin/env python3
"""Least distance between heavy atoms in every model of a PDB file.

usage: distances.py TRAJECTORY.pdb

Prints a line a model: its number, the distance in angstrom, and the two atoms. Atoms of one residue, of neighbours along
the chain, and the two sulfurs of a disulfide do not count. Nothing beyond 4 angstrom is looked for.
"""
import itertools
import math
import sys

REACH = 4.0


def models(path):
    """Heavy atoms of each model: (residue, name, x, y, z)."""
    atoms = []
    with open(path) as lines:
        for line in lines:
            if line.startswith(("ATOM", "HETATM")) and line[76:78].strip() != "H":
                where = (float(line[30:38]), float(line[38:46]), float(line[46:54]))
                atoms.append((line[21], int(line[22:26]), line[12:16].strip(), where))
            elif line.startswith(("ENDMDL", "END")) and atoms:
                yield atoms
                atoms = []


def nearest(atoms):
    cells = {}
    for atom in atoms:
        cells.setdefault(tuple(math.floor(c / REACH) for c in atom[3]), []).append(atom)
    best = (REACH, "", "")
    for cell, here in cells.items():
        for step in itertools.product((-1, 0, 1), repeat=3):
            for a, b in itertools.product(here, cells.get(tuple(c + s for c, s in zip(cell, step)), ())):
                beside = a[0] == b[0] and abs(a[1] - b[1]) < 2
                bridged = a[2] == "SG" and b[2] == "SG"
                if not beside and not bridged and a < b:
                    best = min(best, (math.dist(a[3], b[3]), f"{a[1]} {a[2]}", f"{b[1]} {b[2]}"))
    return best


for number, atoms in enumerate(models(sys.argv[1])):
    distance, first, second = nearest(atoms)
    print(f"{number} {distance:.3f} {first} - {second}", flush=True)
