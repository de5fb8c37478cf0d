"""Do equalized masses leave averages of positions as they are (src/dynamics/README.md)? Flights by own masses begin at frames of a run by
equalized ones: if these have the right distribution, flights do not change it.

    own_mass_flights.py CARDO MODEL.xml EQUALIZED [FLIGHTS [STEPS]]

EQUALIZED: the folder of `cardo simulate MODEL.xml --set simulate.masses=equalized --set simulate.ensemble=fixman ...`. From FLIGHTS (60)
frames, evenly over all but its first twentieth, STEPS (3000) steps of 2 fs are run, and what the second half of each has less what its first
frame had is printed in standard errors of the mean over flights, by cosine and sine of each torsion. Some 20 s a flight of flexible LAO. An
exit status of 1 says that one is beyond 4.5: of 60 flights and 100 such numbers that is bad luck once in 300 times.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

OPTIONS = """--set model.base=welded --set model.closure=bonded --set model.constraints=none --set forcefield.tolerance=1e-3
    --set forcefield.check-forces=no --set simulate.ensemble=fixman --set simulate.trajectory=none --set simulate.integrator=baoab
    --timestep 2fs --set simulate.friction=0.5 --set simulate.report-interval=20 --quiet""".split()
MOST = 4.5


def read(path):
    """Names of columns, and the lines that are whole."""
    with open(path) as file:
        names = file.readline().rstrip("\n").split(",")
        lines = [line.rstrip("\n") for line in file]
    return names, [line for line in lines if line.count(",") == len(names) - 1]


def numbers(lines):
    return np.array([[float(x) if x else np.nan for x in line.split(",")] for line in lines])


def fly(cardo, model, names, line, steps, seed):
    """The first frame and the second half of a flight from a line."""
    with tempfile.TemporaryDirectory() as folder:
        start = os.path.join(folder, "start.csv")
        with open(start, "w") as file:
            file.write(",".join(names) + "\n" + line + "\n")
        out = os.path.join(folder, "out")
        subprocess.run([cardo, "simulate", model, *OPTIONS, "--from", start, "--seed", str(seed), "--steps", str(steps), "--out", out],
                       check=True)
        columns, lines = read(os.path.join(out, "trajectory.csv"))
        return columns, numbers([line])[0], numbers(lines)[len(lines) // 2:]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    cardo, model, run = sys.argv[1:4]
    flights = int(sys.argv[4]) if len(sys.argv) > 4 else 60
    steps = int(sys.argv[5]) if len(sys.argv) > 5 else 3000
    names, lines = read(os.path.join(run, "trajectory.csv"))
    lines = lines[len(lines) // 20:]
    changes = {}
    for k in range(flights):
        columns, first, half = fly(cardo, model, names, lines[int((k + 0.5) * len(lines) / flights)], steps, 1000 + k)
        of = {name: (first[names.index(name)], half[:, columns.index(name)]) for name in names if name in columns}
        for name, (before, after) in of.items():
            if not name.startswith("q "):
                continue
            functions = {"cos": np.cos, "sin": np.sin} if ":" in name else {"mean": lambda x: x}
            for word, f in functions.items():
                changes.setdefault((name, word), []).append(np.mean(f(after)) - f(before))
        energy = [value[0] - value[1] for value in zip(of["potential (kJ/mol)"], of["fixman (kJ/mol)"])]
        changes.setdefault(("energy without Fixman's potential", "mean"), []).append(np.mean(energy[1]) - energy[0])
    z = {key: np.mean(d) / (np.std(d, ddof=1) / len(d) ** 0.5) for key, d in changes.items() if np.std(d) > 0}
    for key in sorted(z, key=lambda key: -abs(z[key]))[:10]:
        print("%-40s %-4s %6.2f" % (*key, z[key]))
    values = np.array(list(z.values()))
    print("%d flights, %d numbers: rms %.2f, beyond 2: %d, beyond 3: %d" %
          (flights, len(values), np.sqrt(np.mean(values ** 2)), np.sum(np.abs(values) > 2), np.sum(np.abs(values) > 3)))
    sys.exit(int(np.any(np.abs(values) > MOST)))


if __name__ == "__main__":
    main()
