#!/usr/bin/env python3
"""Moments of a driven run, as files that cardo --from takes.

usage: moments.py TRAJECTORY.csv FOLDER

Writes FOLDER/moment0.csv to moment10.csv: the row in which q = 0 for the last time, those nearest to q = 0.1 to 0.9, and
the last one.
"""
import csv
import sys

with open(sys.argv[1]) as lines:
    header, *rows = list(csv.reader(lines))
q = [float(row[header.index("q mobile")]) for row in rows]
before = max(k for k in range(len(q)) if abs(q[k]) < 1e-9)
for number in range(11):
    on_the_way = range(before + 1, len(q))
    row = {0: before, 10: len(q) - 1}.get(number, min(on_the_way, key=lambda k: abs(q[k] - number / 10)))
    with open(f"{sys.argv[2]}/moment{number}.csv", "w") as out:
        csv.writer(out, lineterminator="\n").writerows([header, rows[row]])
