#!/usr/bin/env python3
"""The example's table from its runs: least distances with rigid and with driven side chains, and energies.

usage: table.py FOLDER

Writes FOLDER/closing.csv and prints it, with the mean potentials at 300 K before and after the way.
"""
import csv
import json
import statistics
import sys

folder = sys.argv[1]
POTENTIAL = "potential (kJ/mol)"


def rows(run):
    with open(f"{folder}/{run}/trajectory.csv") as lines:
        return list(csv.DictReader(lines))


with open(folder + "/clashes.json") as text:
    rigid = {c["side_chains"]: c["least_distance_A"] for c in json.load(text)["clashes"]}
with open(folder + "/near.txt") as lines:
    near = [line.split()[1] for line in lines]
energy = [float(rows(f"cooled{k}")[-1][POTENTIAL]) for k in range(11)]
with open(folder + "/closing.csv", "w") as out:
    for stream in (out, sys.stdout):
        print("q,open (A),best (A),driven (A),energy (kJ/mol)", file=stream)
        for k in range(11):
            print(k / 10, round(rigid["open"][k], 3), round(rigid["best"][k], 3), near[k], round(energy[k] - energy[0], 1), sep=",", file=stream)

driven = [(float(row["time (ps)"]), float(row["q mobile"]), float(row[POTENTIAL])) for row in rows("driven")]
end = driven[-1][0]
for name, first, last in (("open", 5, 10), ("closed", end - 5, end)):
    held = [u for time, q, u in driven if first < time <= last + 1e-6]
    reach = [q for time, q, u in driven if first < time <= last + 1e-6]
    print(f"300 K, {name}, q = {min(reach):.3f} to {max(reach):.3f}:", end=" ")
    print(f"potential {statistics.mean(held):.0f} kJ/mol, standard deviation {statistics.stdev(held):.0f}")
