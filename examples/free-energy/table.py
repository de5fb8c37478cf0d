#!/usr/bin/env python3
"""What the methods found, beside each other: against the scan where it is the truth, else against the first of them.

usage: table.py FOLDER

Prints a table of the runs in FOLDER (scan, umbrella, metadynamics, adaptive-force, those that are there).
Profiles are compared with the scan where F is within 20 kT of its lowest, with one another over the whole range.
"""
import csv
import math
import os
import sys

METHODS = ("scan", "umbrella", "metadynamics", "adaptive-force")


def read(folder, name):
    with open(f"{folder}/{name}.csv") as lines:
        return [[float(x) if x else math.nan for x in row] for row in list(csv.reader(lines))[1:]]


def profile(folder):
    """(F, sigma) of each bin in kT, F normalized over the range, which is what sigma is of."""
    rows = [(row[3], row[4]) for row in read(folder, "pmf")]
    constant = math.log(sum(math.exp(-F) for F, _ in rows if not math.isnan(F)))
    return [(F + constant, sigma) for F, sigma in rows]


def lowest(found):
    return min(F for F, _ in found if not math.isnan(F))


def against(other, found, height):
    """Largest deviation in kT and in standard errors of both, where the other's F is less than height above its lowest."""
    limit = lowest(other) + height
    pairs = [(abs(F - G), math.hypot(s, t)) for (F, s), (G, t) in zip(found, other)
             if not math.isnan(F - G) and G < limit and math.hypot(s, t) > 0]
    return max(d for d, _ in pairs), max(d / sigma for d, sigma in pairs)


def cost(folder):
    """Seconds of processor time, as text; empty where nobody took them."""
    if not os.path.exists(folder + ".seconds"):
        return ""
    with open(folder + ".seconds") as text:
        return f"{float(text.read().split()[-1]):.0f}"


folder = sys.argv[1]
runs = {m: f"{folder}/{m}" for m in METHODS if os.path.exists(f"{folder}/{m}/pmf.csv")}
with open(folder + "/exact") as text:
    exact = "scan" in runs and text.read().strip() == "yes"
first = "scan" if exact else next(method for method in runs if method != "scan")
height = 20 if exact else math.inf
other = [(F, 0) for F, _ in profile(runs[first])] if exact else profile(runs[first])
print("method,dF (kJ/mol),sigma (kJ/mol),largest sigma (kT),largest deviation (kT),(sigma),processor (s)")
for method, run in runs.items():
    found = profile(run)
    states = read(run, "states")
    limit = lowest(found) + height
    worst = max((s for F, s in found if F < limit and not math.isnan(s)), default=0)
    row = [method, f"{states[1][2]:.3f}", f"{states[1][3]:.3f}", f"{worst:.3f}"]
    row += [f"{x:.2f}" for x in against(other, found, height)] if method != first else ["", ""]
    print(",".join(row + [cost(run)]))
