#!/usr/bin/env python3
"""The example's table from its runs: least distances with rigid and with driven side chains, and energies.

usage: table.py FOLDER

Writes FOLDER/closing.csv and prints it, with the mean potentials at 300 K before and after the way.
"""
import csv
import json
import math
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
            print(k / 10, rigid["open"][k], rigid["best"][k], near[k], round(energy[k] - energy[0], 1), sep=",", file=stream)

driven = rows("driven")
for name, q in (("open", 0), ("closed", 1)):
    held = [float(row[POTENTIAL]) for row in driven if abs(float(row["q mobile"]) - q) < 1e-9]
    held = held[len(held) // 2:]
    print(f"300 K, {name}: potential {statistics.mean(held):.0f} kJ/mol, standard deviation {statistics.stdev(held):.0f}")
