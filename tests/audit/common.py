"""What the audit's scripts share: running the program, reading what it writes, and statistics. Plain Python 3 and numpy; nothing of
Cardo's is imported, and every figure that a script compares with is computed here or beside it from first principles."""

import argparse
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("SKIPPED: numpy is missing")
    sys.exit(77)

GAS_CONSTANT = 8.31446261815324e-3  # kJ/mol/K
MASSES = {"H": 1.007947, "C": 12.01078, "N": 14.00672, "O": 15.99943, "S": 32.0655}  # Da


class Audit:
    """Counts checks, prints one line for each and ends the script with 1 where one failed."""

    def __init__(self, description, options=()):
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("--cardo", default="build/release/cardo", help="the program")
        parser.add_argument("--quick", action="store_true", help="the part that ctest runs")
        for name, settings in options:
            parser.add_argument(name, **settings)
        self.options = parser.parse_args()
        self.cardo = os.path.abspath(self.options.cardo)
        self.source = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
        self.shared = os.environ.get("CARDO_SHARED", os.path.join(self.source, "..", "shared"))
        self.folder = tempfile.TemporaryDirectory()
        self.work = self.folder.name
        self.failures = 0

    def run(self, *words, timeout=900, environment=None):
        """The program in the audit's scratch folder: exit status, standard output, standard error."""
        try:
            done = subprocess.run([self.cardo, *map(str, words)], cwd=self.work, capture_output=True, text=True, timeout=timeout,
                                  env={**os.environ, **(environment or {})})
        except subprocess.TimeoutExpired:
            return 124, "", "no end after %g s" % timeout
        return done.returncode, done.stdout, done.stderr

    def must(self, *words, **settings):
        """The same, of a command without which nothing can be checked."""
        status, out, err = self.run(*words, **settings)
        if status != 0:
            print("FAILED: cardo %s: exit status %d\n%s" % (" ".join(map(str, words)), status, err[-2000:]))
            sys.exit(1)
        return out

    def path(self, name):
        return os.path.join(self.work, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def check(self, right, line):
        print(("ok      " if right else "FAILED  ") + line, flush=True)
        self.failures += not right

    def end(self):
        print("%d checks failed" % self.failures if self.failures else "all checks passed")
        sys.exit(1 if self.failures else 0)


def read_table(path):
    """A CSV file with a line of names: {name: column}."""
    with open(path, encoding="utf-8") as file:
        names = file.readline().strip().split(",")
        rows = np.loadtxt(file, delimiter=",", ndmin=2)
    return {name: rows[:, i] for i, name in enumerate(names)}


def read_dcd(path):
    """Frames of a DCD file, (frames, atoms, 3) in nm."""
    with open(path, "rb") as file:
        data = file.read()
    records, at = [], 0
    while at < len(data):
        (size,) = struct.unpack_from("<i", data, at)
        records.append(data[at + 4:at + 4 + size])
        at += size + 8
    has_cell = struct.unpack_from("<i", records[0], 44)[0]
    per_frame = 3 + (1 if has_cell else 0)
    axes = [np.frombuffer(r, "<f4").astype(float) for i, r in enumerate(records[3:]) if i % per_frame >= per_frame - 3]
    return np.array(axes).reshape(-1, 3, len(axes[0])).transpose(0, 2, 1) / 10


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def incomplete_beta(a, b, x):
    """The regularized incomplete beta function, by Lentz's continued fraction (Numerical Recipes, 6.4)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, 500):
        for top in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + top * d)
            c = 1 + top / c
            result *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * result


def hotelling(blocks, truth):
    """Probability that means of independent blocks (blocks, figures) lie so far from the truth by chance: Hotelling's T squared,
    which knows of whatever correlation there is inside blocks and between figures."""
    n, p = blocks.shape
    away = blocks.mean(0) - truth
    t_squared = n * away @ np.linalg.solve(np.cov(blocks.T).reshape(p, p), away)
    f = (n - p) / (p * (n - 1)) * t_squared
    return incomplete_beta((n - p) / 2, p / 2, (n - p) / (n - p + p * f))


def block_means(series, blocks):
    """Means of equal consecutive parts of a series (samples, figures)."""
    length = len(series) // blocks
    return series[:length * blocks].reshape(blocks, length, -1).mean(1)


def rotation(axis, angle):
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross
