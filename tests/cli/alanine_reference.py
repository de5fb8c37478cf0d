"""phi of alanine dipeptide by OpenMM's own Langevin dynamics, for test_alanine.

    alanine_reference.py run PDB TEMPERATURE NANOSECONDS SEED OUT    writes phi, psi, both omegas and the energy every 0.2 ps to OUT
    alanine_reference.py shares OUT... >alanine_reference.txt        shares of 12 bins of phi, with standard errors
    alanine_reference.py compare OUT... -- MIXED...                  against runs of test_alanine long

Hydrogens weigh 4 Da: the density of positions does not depend on masses, and a step of 2 fs is as short for them as 1 fs for
hydrogens of 1 Da. Shares are of the time when both peptide bonds are trans (src/sampling/mixed/README.md says why).
Needs Debian's python3-simtk and python3-scipy.
"""
import math
import sys

import numpy as np

TEMPERATURE = 700
TIMESTEP, STRIDE = 0.002, 100
BINS = 12
BLOCKS = 64
# Bins, by number, that are compared as one: those on a barrier, and those beyond the barriers.
GROUPS = [[0], [1], [2], [3], [4], [5, 6], [7, 8, 9, 10], [11]]
PHI, ENERGY = 0, 4


def dihedrals(x, quadruples):
    a, b, c, d = (x[:, [q[k] for q in quadruples]] for k in range(4))
    axis = (c - b) / np.linalg.norm(c - b, axis=2, keepdims=True)
    n, m = np.cross(b - a, axis), np.cross(axis, d - c)
    return np.arctan2(np.sum(np.cross(n, m) * axis, axis=2), np.sum(n * m, axis=2))


def run(pdb, temperature, nanoseconds, seed, out):
    import openmm as mm
    from openmm import app

    file = app.PDBFile(pdb)
    field = app.ForceField("amber14/protein.ff14SB.xml")
    system = field.createSystem(file.topology, nonbondedMethod=app.NoCutoff, constraints=None, removeCMMotion=False)
    for a in file.topology.atoms():
        if a.element.symbol == "H":
            system.setParticleMass(a.index, 4)
    langevin = mm.LangevinMiddleIntegrator(temperature, 5, TIMESTEP)
    langevin.setRandomNumberSeed(seed)
    context = mm.Context(system, langevin, mm.Platform.getPlatformByName("Reference"))
    context.setPositions(file.positions)
    context.setVelocitiesToTemperature(temperature, seed)
    atom = {(a.residue.index, a.name): a.index for a in file.topology.atoms()}
    angles = [[atom[key] for key in keys] for keys in (
        [(0, "C"), (1, "N"), (1, "CA"), (1, "C")], [(1, "N"), (1, "CA"), (1, "C"), (2, "N")],
        [(0, "CH3"), (0, "C"), (1, "N"), (1, "CA")], [(1, "CA"), (1, "C"), (2, "N"), (2, "C")])]
    langevin.step(100000)
    x, energy = np.empty((500, len(atom), 3)), np.empty(500)
    with open(out, "w") as stream:
        for _ in range(math.ceil(nanoseconds * 1000 / TIMESTEP / STRIDE / len(x))):
            for k in range(len(x)):
                langevin.step(STRIDE)
                state = context.getState(getPositions=True, getEnergy=True)
                x[k] = state.getPositions(asNumpy=True)._value
                energy[k] = state.getPotentialEnergy()._value
            np.savetxt(stream, np.column_stack([dihedrals(x, angles), energy]), "%.4f %.4f %.4f %.4f %.3f")
            stream.flush()


def read(files):
    """Rows of every file; a last line that a run under way has not finished is left out."""
    rows = []
    for name in files:
        with open(name) as stream:
            rows.append(np.array([line.split() for line in stream if line.endswith("\n")], dtype=float))
    return rows


def trans(rows):
    return [r[np.all(np.abs(r[:, 2:4]) > math.pi / 2, axis=1)] for r in rows]


def bin_means(rows, temperature=TEMPERATURE):
    """Shares of the bins, one row a block, and the mean energy as a last column; at another temperature by the rows' weights."""
    out = []
    beta = (1 / temperature - 1 / TEMPERATURE) / 8.31446261815324e-3
    for b in (b for r in rows for b in np.array_split(r, BLOCKS)):
        energy = b[:, ENERGY]
        weight = np.exp(-beta * (energy - 100))
        which = np.minimum(((b[:, PHI] + math.pi) / (2 * math.pi) * BINS).astype(int), BINS - 1)
        out.append(np.append(np.bincount(which, weight, BINS), weight @ energy) / np.sum(weight))
    return np.array(out)


def mean_and_error(blocks):
    return np.mean(blocks, axis=0), np.std(blocks, axis=0, ddof=1) / math.sqrt(len(blocks))


def shares(files):
    rows = read(files)
    kept = trans(rows)
    total, time = sum(map(len, rows)), sum(map(len, kept)) * TIMESTEP * STRIDE / 1000
    print("# phi of alanine dipeptide, ff14SB in vacuum, %d K: OpenMM's LangevinMiddleIntegrator, 2 fs with hydrogens of 4 Da, 5/ps,"
          % TEMPERATURE)
    print("# Reference platform, %.1f ns with trans peptide bonds; %.2f ns with one that is cis are left out (alanine_reference.py)."
          % (time, total * TIMESTEP * STRIDE / 1000 - time))
    print("# Centre (degrees), share, standard error of %d blocks." % (BLOCKS * len(kept)))
    for k, (share, error) in enumerate(list(zip(*mean_and_error(bin_means(kept))))[:BINS]):
        print("%5d %.6f %.6f" % (-180 + 360 // BINS * k + 180 // BINS, share, error))


def hotelling(first, second):
    """T^2 of the difference of two means, its degrees of freedom, and p; covariances may differ (Nel & van der Merwe 1986)."""
    from scipy.stats import f

    d = np.mean(first, axis=0) - np.mean(second, axis=0)
    parts = [np.cov(s, rowvar=False) / len(s) for s in (first, second)]
    both = sum(parts)
    t2 = d @ np.linalg.solve(both, d)
    squares = lambda a: np.trace(a @ a) + np.trace(a) ** 2
    freedom = squares(both) / sum(squares(a) / (len(s) - 1) for a, s in zip(parts, (first, second)))
    p, rest = len(d), freedom - len(d) + 1
    return t2, p, f.sf(t2 * rest / (freedom * p), p, rest)


def in_groups(blocks):
    """All groups but one: shares add up to 1."""
    return np.column_stack([np.sum(blocks[:, g], axis=1) for g in GROUPS if g != [3]])


def compare(openmm, mixed):
    series = [read(files) for files in (openmm, mixed)]
    for title, choose in (("both peptide bonds trans", trans), ("all", lambda rows: rows)):
        kept = [choose(rows) for rows in series]
        first, second = map(bin_means, kept)
        (a, a_error), (b, b_error) = mean_and_error(first), mean_and_error(second)
        print("%s: %d and %d rows" % (title, *(sum(map(len, rows)) for rows in kept)))
        print("  phi   OpenMM              mixed               difference, standard errors")
        for k in range(BINS):
            print("%5d   %.4f +- %.4f   %.4f +- %.4f   %+.1f" % (-165 + 30 * k, a[k], a_error[k], b[k], b_error[k],
                                                                 (b[k] - a[k]) / math.hypot(a_error[k], b_error[k])))
        beyond = [mean_and_error(np.sum(s[:, 6:11], axis=1)) for s in (first, second)]
        print("beyond  %.4f +- %.4f   %.4f +- %.4f" % (*beyond[0], *beyond[1]))
        print("energy  %.2f +- %.2f   %.2f +- %.2f kJ/mol" % (a[BINS], a_error[BINS], b[BINS], b_error[BINS]))
        print("Hotelling's T2 %.1f of %d, p = %.3g" % hotelling(in_groups(first), in_groups(second)))
        for other in (670, 650):
            print("  were mixed at %d K: T2 %.1f of %d, p = %.3g"
                  % (other, *hotelling(in_groups(first), in_groups(bin_means(kept[1], other)))))


if sys.argv[1] == "run":
    run(sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
elif sys.argv[1] == "shares":
    shares(sys.argv[2:])
else:
    border = sys.argv.index("--")
    compare(sys.argv[2:border], sys.argv[border + 1:])
