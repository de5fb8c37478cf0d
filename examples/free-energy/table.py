#!/usr/bin/env python3
"""What the methods found, beside each other and, where the scan is the truth, against it.

usage: table.py FOLDER

Prints a table of the runs in FOLDER (scan, umbrella, metadynamics, adaptive-force, those that are there).
Profiles are compared where F is within 20 kT of its lowest.
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


def against(truth, found):
    """Largest deviation in kT and in standard errors."""
    low = min(F for F, _ in truth)
    pairs = [(abs(F - G), sigma) for (F, sigma), (G, _) in zip(found, truth) if G < low + 20 and sigma > 0]
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
truth = profile(runs["scan"]) if exact else None
print("method,dF (kJ/mol),sigma (kJ/mol),largest sigma (kT),largest deviation (kT),(sigma),processor (s)")
for method, run in runs.items():
    found = profile(run)
    states = read(run, "states")
    low = min(F for F, _ in found if not math.isnan(F))
    worst = max((s for F, s in found if F < low + 20 and not math.isnan(s)), default=0)
    row = [method, f"{states[1][2]:.3f}", f"{states[1][3]:.3f}", f"{worst:.3f}"]
    row += [f"{x:.2f}" for x in against(truth, found)] if truth and method != "scan" else ["", ""]
    print(",".join(row + [cost(run)]))
