#!/usr/bin/env python3
"""Binding of a free ligand to a square well, from the run of a model whose ligand a box holds, against its closed form.
   square_well.py RUN VOLUME DEPTH RADIUS MOST: volume (nm^3) of the box as the program tells it, depth (kJ/mol) and radius (nm) of the
   well; MOST: the largest difference, kT, or 0: 3.5 error bars"""
import csv
import math
import sys

STANDARD, KT, BLOCK = 1.66053906717, 8.31446261815324e-3 * 300, 500


def main():
    folder, volume, depth, radius, most = sys.argv[1], *map(float, sys.argv[2:])
    with open(f"{folder}/trajectory.csv", encoding="utf-8") as table:
        rows = csv.reader(table)
        column = next(rows).index("CustomBondForce (kJ/mol)")
        bound = [float(row[column]) < -depth / 2 for row in rows][1 + BLOCK:]
    blocks = [sum(bound[k:k + BLOCK]) / BLOCK for k in range(0, len(bound) - BLOCK + 1, BLOCK)]
    share = sum(blocks) / len(blocks)
    sigma = math.sqrt(sum((b - share) ** 2 for b in blocks) / (len(blocks) - 1) / len(blocks))
    ball = 4 * math.pi / 3 * radius ** 3
    found = -math.log(share / (1 - share) * (volume - ball) / STANDARD)
    expected = -math.log(math.exp(depth / KT) * ball / STANDARD)
    bar = sigma / (share * (1 - share))
    print(f"bound {share:.4f}; binding {found:.4f} kT, expected {expected:.4f}; error bar {bar:.4f}")
    good = abs(found - expected) <= (most or 3.5 * bar) and bar < (most / 2 or 0.06)
    sys.exit(0 if good else 1)


main()
