#!/usr/bin/python3
"""Does every bath sample the density it says? The slider (slider.py), whose sqrt(det M) varies many times over, under every bath, with
a free and a welded base, in both ensembles: shares of its coordinate in bins that are equally likely by quadrature, and the mean kinetic
energies of its translation, its rotation and its inner motion, which must be 3/2, 3/2 and 1/2 kT. Blocks of the runs, of all
seeds and of each, are judged by Hotelling's T squared: p-values, exact but for what blocks remember of each other.

  ensembles.py [--cardo PROGRAM] [--quick] [--seeds 1 2 3 4] [--steps 100000] [--baths csvr nose-hoover]
"""

import sys
import time

from common import GAS_CONSTANT, Audit, block_means, hotelling, np, read_table
from slider import Slider, write_model

BATHS = {
    "andersen": 'integrator="andersen" collision-rate="0.5"',
    "langevin": 'integrator="langevin" friction="0.5"',
    "baoab": 'integrator="baoab" friction="0.5"',
    "csvr": 'integrator="csvr"',
    "nose-hoover": 'integrator="nose-hoover"',
    "hmc": 'integrator="hmc" flights="10"',
    "ghmc": 'integrator="ghmc" friction="0.5"',
}
TEMPERATURE = 300.0
BINS = 8


def rotate(w, i, j, k, v):
    """Rows v turned into the frames of rows of quaternions."""
    u = np.stack([i, j, k], 1)
    return v + 2 * np.cross(u, np.cross(u, v) + w[:, None] * v)


def kinetic_parts(slider, table, free):
    """Kinetic energies (samples, parts): translation and rotation of the whole and what is left, in kJ/mol; the inner motion alone
    where the base is welded. Speeds of the base are angular and linear velocity in ground."""
    q = table["q B"]
    at = np.clip(np.searchsorted(slider.q, q), 1, len(slider.q) - 1)
    part = ((q - slider.q[at - 1]) / (slider.q[at] - slider.q[at - 1]))
    between = lambda y: y[at - 1] * (1 - part)[(...,) + (None,) * (y.ndim - 1)] + y[at] * part[(...,) + (None,) * (y.ndim - 1)]
    speed = table["u B (1/ps)"]
    if not free:
        return (0.5 * between(slider.inertia) * speed ** 2)[:, None]
    # In the frame of the first body: momentum, angular momentum about the centre of mass, inertia; all polynomials of x and dx/dq.
    turn = (table["q A w"], -table["q A i"], -table["q A j"], -table["q A k"])
    omega = rotate(*turn, np.stack([table["u A omega_%s (rad/ps)" % c] for c in "xyz"], 1))
    velocity = rotate(*turn, np.stack([table["u A v_%s (nm/ps)" % c] for c in "xyz"], 1))
    matrix = between(slider.matrices)
    u = np.concatenate([velocity, omega, speed[:, None]], 1)
    total = 0.5 * np.einsum("ni,nij,nj->n", u, matrix, u)
    momentum = np.einsum("nij,nj->ni", matrix, u)
    mass, centre = slider.mass.sum(), between(slider.centre)
    spin = momentum[:, 3:6] - np.cross(centre, momentum[:, :3])
    inertia = matrix[:, 3:6, 3:6] - mass * ((centre ** 2).sum(1)[:, None, None] * np.eye(3) - centre[:, :, None] * centre[:, None, :])
    translation = (momentum[:, :3] ** 2).sum(1) / (2 * mass)
    turning = 0.5 * np.einsum("ni,ni->n", spin, np.linalg.solve(inertia, spin[..., None])[..., 0])
    return np.stack([translation, turning, total - translation - turning], 1)


def shares(q, edges):
    """Samples as rows of zeros and a one: which bin each is in; the last bin is what the others leave."""
    return (np.searchsorted(edges, q)[:, None] == np.arange(BINS - 1)).astype(float)


def of_runs(runs, truth):
    """Probability of blocks by run: of all together, or of the run that is furthest off, whichever is less; twice, as two are tried."""
    return min(1, 2 * min(hotelling(np.concatenate(runs), truth), len(runs) * min(hotelling(run, truth) for run in runs)))


def main():
    audit = Audit(__doc__, [("--seeds", dict(nargs="+", type=int, default=[1, 2, 3, 4])),
                            ("--steps", dict(type=int, default=100000)),
                            ("--level", dict(type=float, default=1e-4, help="probability below which a figure is called wrong")),
                            ("--baths", dict(nargs="+", default=list(BATHS)))])
    options = audit.options
    cases = [(bath, base, ensemble) for bath in options.baths for base in ("free", "welded") for ensemble in ("rigid", "fixman")]
    level = options.level
    if options.quick:
        cases = [("csvr", "free", "rigid"), ("nose-hoover", "free", "fixman"), ("baoab", "welded", "rigid")]
        options.seeds, options.steps, level = [1, 2], 30000, 1e-9
    slider = Slider(audit)
    slider.matrices = slider.mass_matrix(slider.x, slider.slope, True)
    slider.inertia = slider.matrices[:, 6, 6]
    slider.centre = (slider.mass[:, None] * slider.x).sum(1) / slider.mass.sum()
    audit.check(slider.misfit < 1e-6, "atoms along the path, against the trajectory they are taken from: %.1e nm" % slider.misfit)
    half = GAS_CONSTANT * TEMPERATURE / 2
    for bath, base, ensemble in cases:
        free, begun = base == "free", time.process_time()
        density = slider.density(free, ensemble == "fixman", TEMPERATURE)
        below = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(slider.q))])
        edges = np.interp(np.arange(1, BINS) / BINS, below / below[-1], slider.q)
        places, energies, worst, samples = [], [], 0.0, 0
        scale = 10 if bath == "hmc" else 1  # a move is ten steps
        for seed in options.seeds:
            model = write_model(audit, "run.xml", base,
                                '<simulate %s timestep="50 fs" temperature="%g" steps="%d" report-interval="%d" seed="%d" ensemble="%s" '
                                'trajectory="none"/>' % (BATHS[bath], TEMPERATURE, options.steps // scale, max(1, 5 // scale), seed, ensemble))
            status, _, err = audit.run("simulate", model, "--quiet", "--out", "run", "--force")
            if status != 0:
                audit.check(False, "%s, %s, %s: exit status %d: %s" % (bath, base, ensemble, status, err.strip()[:300]))
                break
            table = {name: column[len(column) // 50:] for name, column in read_table(audit.path("run/trajectory.csv")).items()}
            parts = kinetic_parts(slider, table, free)
            worst = max(worst, np.abs(parts.sum(1) - table["kinetic (kJ/mol)"]).max())
            places.append(block_means(shares(table["q B"], edges), 60 // len(options.seeds) + 1))
            energies.append(block_means(parts, 60 // len(options.seeds) + 1))
            samples += len(parts)
        else:
            truth = half * np.array([3, 3, 1] if free else [1])
            of_places = of_runs(places, np.full(BINS - 1, 1 / BINS))
            of_energies = of_runs(energies, truth)
            places, energies = np.concatenate(places), np.concatenate(energies)
            independent = (1 / BINS) * (1 - 1 / BINS) / (places.var(0, ddof=1) / len(places)).mean()
            mean = energies.mean(0) / truth
            audit.check(of_places > level and of_energies > level and worst < 2e-3 * half,
                        "%-11s %-6s %-6s  q: p = %-7.2g (%d of %d samples independent)   energies: p = %-7.2g  %s   K - u'Mu/2 %.0e kJ/mol" %
                        (bath, base, ensemble, of_places, min(independent, samples), samples, of_energies,
                         " : ".join("%.3f" % m for m in mean), worst))
    audit.end()


if __name__ == "__main__":
    main()
