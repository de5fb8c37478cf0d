"""Marginals of phi and psi of ACE-ALA(n)-NME: Cartesian dynamics under stiff springs against rigid chains (README.md).

    chain.py pdb PDB RESIDUES                              the chain, made of alanine dipeptide (PDB), to standard output
    chain.py terms CHAIN SCALE TERMS                       what springs.c reads; springs SCALE times as strong, 0: the force field's atoms
    chain.py check SPRINGS TERMS CHAIN SCALE               energy and forces of the program SPRINGS against OpenMM's
    chain.py reweigh CHAIN TRAJECTORY                      what sqrt(det M) does to shares, by rows of the corrected ensemble with a free base
    chain.py compare CHAIN ONE OTHER                       marginals and energies of two sets of trajectory.csv, each joined by commas
    chain.py judge CHAIN CORRECTED RIGID WEAK STRONG [ATOMS]  marginals; each of the last a list of files joined by commas

WEAK and STRONG: rows of springs.c under springs of which the latter are four times as strong. CORRECTED and RIGID: trajectory.csv of cardo simulate.
Needs Debian's python3-openmm and python3-scipy.
"""
import math
import subprocess
import sys

import numpy as np

sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/../../cli")
from torsion_relaxation import dihedral, turn  # noqa: E402
from torsion_springs import angle_of, chain, chain_system  # noqa: E402

# Of a spring of scale 1, about what a force field has.
BOND, ANGLE, TORSION = 3e4, 400, 100  # kJ/mol/nm^2, kJ/mol/rad^2
MASS = 12                             # Da: of every atom
TEMPERATURE = 700                     # K: of all runs


def parts(path, scale):
    """Lists of bonds, angles and torsions that are stiff, and of torsions that are not; nonbonded parameters."""
    mm, system, x, torsions, bonds, _ = chain_system(open(path).read())
    turning = {frozenset(q[1:3]) for q in torsions}
    stretch, bend, held, free = [], [], [], []
    near = {k: [sum(pair) - k for pair in bonds if k in pair] for pair in bonds for k in pair}
    for b, c in bonds:
        if scale and frozenset((b, c)) not in turning:
            quadruples = [(a, b, c, d) for a in near[b] for d in near[c] if a != c and d != b]
            held += [[*q, 1, dihedral(x, q) + math.pi, TORSION * scale] for q in quadruples]
    for force in system.getForces():
        if isinstance(force, mm.HarmonicBondForce):
            for k in range(force.getNumBonds()):
                a, b, r, strength = force.getBondParameters(k)
                at, strength = (np.linalg.norm(x[a] - x[b]), BOND * scale) if scale else (r._value, strength._value)
                stretch.append([a, b, at, strength])
        elif isinstance(force, mm.HarmonicAngleForce):
            for k in range(force.getNumAngles()):
                a, b, c, theta, strength = force.getAngleParameters(k)
                at, strength = (angle_of(x, a, b, c), ANGLE * scale) if scale else (theta._value, strength._value)
                bend.append([a, b, c, at, strength])
        elif isinstance(force, mm.PeriodicTorsionForce):
            for k in range(force.getNumTorsions()):
                *atoms, n, phase, strength = force.getTorsionParameters(k)
                if frozenset(atoms[1:3]) in turning or not scale:
                    free.append([*atoms, n, phase._value, strength._value])
        elif isinstance(force, mm.NonbondedForce):
            nonbonded = force
    if scale:
        stiff, soft = held, free
    else:
        stiff, soft = free, []
    return mm, system, x, torsions, bonds, stretch, bend, stiff, soft, nonbonded


def pair_parameters(nonbonded):
    n = nonbonded.getNumParticles()
    one = [[p._value for p in nonbonded.getParticleParameters(k)] for k in range(n)]
    pair = {(i, j): [138.93545764438198 * one[i][0] * one[j][0], 0.5 * (one[i][1] + one[j][1]), math.sqrt(one[i][2] * one[j][2])]
            for i in range(n) for j in range(i + 1, n)}
    for k in range(nonbonded.getNumExceptions()):
        i, j, charge, sigma, epsilon = nonbonded.getExceptionParameters(k)
        pair[min(i, j), max(i, j)] = [138.93545764438198 * charge._value, sigma._value, epsilon._value]
    return pair


def write_terms(path, scale, out):
    _, system, x, torsions, _, stretch, bend, stiff, soft, nonbonded = parts(path, scale)  # nonbonded is a part of system
    with open(out, "w") as file:
        line = lambda values: print(*("%.15g" % value for value in values), file=file)
        line([len(x)])
        for row in x:
            line(row)
        line([MASS] * len(x))
        for rows in (stretch, bend, stiff, soft):
            line([len(rows)])
            for row in rows:
                line(row)
        for values in pair_parameters(nonbonded).values():
            line(values)
        line([len(torsions)])
        for row in torsions:
            line(row)


def reference_system(path, terms, scale):
    """OpenMM with the springs in the place of bonds, angles and torsions."""
    mm, system, x, torsions, bonds, stretch, bend, stiff, soft, nonbonded = parts(path, scale)
    keep = [k for k, force in enumerate(system.getForces()) if isinstance(force, mm.NonbondedForce)][0]
    for k in reversed(range(system.getNumForces())):
        if k != keep:
            system.removeForce(k)
    bond, angle, torsion = mm.HarmonicBondForce(), mm.HarmonicAngleForce(), mm.PeriodicTorsionForce()
    for row in stretch:
        bond.addBond(*row)
    for row in bend:
        angle.addAngle(*row)
    for row in stiff + soft:
        torsion.addTorsion(*row)
    for force in (bond, angle, torsion):
        system.addForce(force)
    return mm, system, x, torsions, bonds


def check(program, terms, path, scale):
    mm, system, x, torsions, bonds = reference_system(path, terms, float(scale))
    context = mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName("Reference"))
    random, worst = np.random.default_rng(1), [0, 0]
    for _ in range(20):
        y = x
        for q in torsions:
            y = turn(y, q, bonds, dihedral(y, q) + random.uniform(-0.3, 0.3))
        y = y + 0.002 * random.standard_normal(y.shape)
        context.setPositions(y)
        state = context.getState(getEnergy=True, getForces=True)
        f = state.getForces(asNumpy=True)._value
        text = subprocess.run([program, terms, "forces"], input="\n".join("%.15g %.15g %.15g" % tuple(r) for r in y), text=True,
                              capture_output=True, check=True).stdout.split()
        found = np.array(text, dtype=float)
        assert np.all(np.isfinite(found))
        worst[0] = max(worst[0], abs(found[0] / state.getPotentialEnergy()._value - 1))
        worst[1] = max(worst[1], np.max(np.abs(found[1:].reshape(f.shape) - f)) / np.max(np.abs(f)))
    print("energy off by %.1g, forces by %.1g of the largest" % tuple(worst))


# --- marginals

BINS = 6
BLOCKS = 60  # of a set of runs
ALPHA = (math.radians(-127.5), math.radians(37.5))  # of psi, where phi is negative


def inefficiency(values):
    """Rows that are worth one independent sample: Geyer's initial positive sequence."""
    n, off = len(values), values - np.mean(values)
    spectrum = np.fft.rfft(off, 2 * n)
    lag = np.fft.irfft(spectrum * np.conj(spectrum))[:n] / np.arange(n, 0, -1)
    if lag[0] <= 0:
        return 1
    pairs = (lag[1:-1:2] + lag[2::2])[: n // 4] / lag[0]
    return max(1, 1 + 2 * np.sum(pairs[: np.argmax(pairs < 0)]))


def read_angles(name, zero):
    """phi and psi, residue by residue; of a trajectory.csv its coordinates and where these are zero."""
    if not name.endswith(".csv"):
        return np.loadtxt(name)[:, :-1]
    with open(name) as file:
        head = file.readline().strip().split(",")
    columns = [head.index("q A:ALA%d.%s (rad)" % (k, t)) for k in range(2, 2 + len(zero) // 2) for t in ("phi", "psi")]
    return np.loadtxt(name, delimiter=",", skiprows=1, usecols=columns) + zero


def read_runs(names, zero):
    """Runs without their first twentieth and without rows that have a residue at positive phi; the share of these."""
    runs, left = [], []
    for name in names.split(","):
        rows = (read_angles(name, zero) + math.pi) % (2 * math.pi) - math.pi
        rows = rows[len(rows) // 20:]
        beyond = np.any((rows[:, 0::2] > math.radians(7.5)) & (rows[:, 0::2] < math.radians(142.5)), axis=1)
        left.append(np.mean(beyond))
        runs.append(rows[~beyond])
    return runs, np.mean(left)


def shares(runs, which):
    """Means of indicators (rows x kinds) over runs; what their covariance is the sum of, each with its degrees of freedom; the number of
    independent samples, by the indicator that remembers longest. The covariance is that of the means of blocks of equal length."""
    indicators = [which(r) for r in runs]
    every = np.concatenate(indicators)
    length = max(1, len(every) // BLOCKS)
    blocks = np.array([np.mean(i[k * length:(k + 1) * length], axis=0) for i in indicators for k in range(len(i) // length)])
    samples = sum(len(i) / max(inefficiency(i[:, b]) for b in range(i.shape[1])) for i in indicators)
    return np.mean(every, axis=0), [(np.atleast_2d(np.cov(blocks, rowvar=False)) / len(blocks), len(blocks) - 1)], samples


def times(factor, found):
    return factor * found[0], [(factor ** 2 * c, n) for c, n in found[1]], found[2] / factor ** 2


def plus(a, b):
    return a[0] + b[0], a[1] + b[1], 1 / (1 / a[2] + 1 / b[2])


def continued(weak, strong):
    """To springs without end, where what is left falls as one over their strength."""
    return plus(times(4 / 3, strong), times(-1 / 3, weak))


def error_of(found):
    return np.sqrt(np.diag(sum(c for c, _ in found[1])))


def p_of(a, b):
    """Hotelling's T^2 of a difference whose covariance is a sum of others (Nel & van der Merwe 1986)."""
    from scipy.stats import f

    off, parts, _ = plus(a, times(-1, b))
    off, parts = off[:-1], [(c[:-1, :-1], n) for c, n in parts]
    both = sum(c for c, _ in parts)
    squares = lambda c: np.trace(c @ c) + np.trace(c) ** 2
    freedom, p = squares(both) / sum(squares(c) / n for c, n in parts), len(off)
    rest = freedom - p + 1
    return f.sf(off @ np.linalg.solve(both, off) * rest / (freedom * p), p, rest)


def share_equal(reference, k):
    """Which of so many shares, equal in the reference, coordinate k of rows is in."""
    edges = np.quantile(np.concatenate([r[:, k] for r in reference]), np.arange(1, BINS) / BINS)
    return lambda r: (np.searchsorted(edges, r[:, k])[:, None] == np.arange(BINS)).astype(float)


def energy(names):
    """Mean of the potential energy without what corrects the ensemble, its error and the independent samples it is of."""
    samples, every = 0, []
    for name in names.split(","):
        with open(name) as file:
            head = file.readline().split(",")
        both = [head.index(name + " (kJ/mol)") for name in ("potential", "fixman")]
        rows = np.subtract(*np.loadtxt(name, delimiter=",", skiprows=1, usecols=both, unpack=True))
        every.append(rows[len(rows) // 20:])
        samples += len(every[-1]) / inefficiency(every[-1])
    every = np.concatenate(every)
    return np.mean(every), np.std(every) / math.sqrt(samples), samples


def compare(path, one, other):
    _, _, x, torsions, _, _ = chain_system(open(path).read())
    zero = np.array([dihedral(x, q) for q in torsions])
    first, second = (read_runs(names, zero)[0] for names in (one, other))
    print("independent samples of both; p; largest difference of %d shares and its error" % BINS)
    for k in range(len(zero)):
        which = share_equal(first, k)
        a, b = shares(first, which), shares(second, which)
        both = plus(b, times(-1, a))
        off, error = both[0], error_of(both)
        worst = np.argmax(np.abs(off / error))
        print("%s %d  %5.0f %5.0f  p %.2g  %+.4f +- %.4f" % (("phi", "psi")[k % 2], k // 2 + 1, a[2], b[2], p_of(a, b), off[worst], error[worst]))
    a, b = energy(one), energy(other)
    print("energy %.2f +- %.2f and %.2f +- %.2f kJ/mol, of %.0f and %.0f samples" % (*a[:2], *b[:2], a[2], b[2]))


def judge(path, *names):
    _, _, x, torsions, _, _ = chain_system(open(path).read())
    zero = np.array([dihedral(x, q) for q in torsions])
    titles = ["corrected", "rigid", "springs", "springs x 4", "atoms"][: len(names)]
    sets = []
    for title, given in zip(titles, names):
        runs, left = read_runs(given, zero)
        sets.append(runs)
        print("%-12s %d rows; %.4f of all, with a residue at positive phi, left out" % (title, sum(map(len, runs)), left))
    print("independent samples: corrected, rigid, springs, springs x 4, continued; p: continued to springs without end against corrected;")
    print("springs x 4 against corrected; rigid against corrected; continued against rigid; largest difference of shares and its error")
    for k in range(len(zero)):
        which = share_equal(sets[0], k)
        found = [shares(runs, which) for runs in sets]
        end = continued(found[2], found[3])
        off = plus(end, times(-1, found[0]))
        worst = np.argmax(np.abs(off[0]))
        print("%s %d  %s   p %.2g   %.2g   %.2g   %.2g   %+.3f +- %.3f" % (
            ("phi", "psi")[k % 2], k // 2 + 1, " ".join("%5.0f" % f[2] for f in found[:4] + [end]), p_of(end, found[0]),
            p_of(found[3], found[0]), p_of(found[1], found[0]), p_of(end, found[1]), off[0][worst], error_of(off)[worst]))
    print("share of alpha, residue by residue: %s" % ", ".join(["continued"] + titles))
    for k in range(len(zero) // 2):
        alpha = lambda r: ((r[:, 2 * k + 1] > ALPHA[0]) & (r[:, 2 * k + 1] < ALPHA[1]))[:, None].astype(float)
        found = [shares(runs, alpha) for runs in sets]
        end = continued(found[2], found[3])
        print("%d  %s" % (k + 1, "   ".join("%.3f +- %.3f" % (f[0][0], error_of(f)[0]) for f in [end] + found)))


def reweigh(path, name):
    """The same rows with and without sqrt(det M), so that what sampling has missed is in both; errors from 20 blocks."""
    _, _, x, torsions, _, _ = chain_system(open(path).read())
    angles = (read_angles(name, np.array([dihedral(x, q) for q in torsions])) + math.pi) % (2 * math.pi) - math.pi
    with open(name) as file:
        column = file.readline().split(",").index("fixman (kJ/mol)")
    exponent = np.loadtxt(name, delimiter=",", skiprows=1, usecols=column) / (8.31446261815324e-3 * TEMPERATURE)
    start = len(angles) // 20
    angles, exponent = angles[start:], exponent[start:]
    here = ~np.any((angles[:, 0::2] > math.radians(7.5)) & (angles[:, 0::2] < math.radians(142.5)), axis=1)
    angles, exponent = angles[here], exponent[here]
    weight = np.exp(exponent - np.mean(exponent))
    print("half ln det M varies by %.3f; share of alpha, residue by residue: corrected, change by sqrt(det M)" % np.std(exponent))
    for k in range(angles.shape[1] // 2):
        alpha = (angles[:, 2 * k + 1] > ALPHA[0]) & (angles[:, 2 * k + 1] < ALPHA[1])
        change = lambda a, w: w @ a / np.sum(w) - np.mean(a)
        blocks = [change(a, w) for a, w in zip(np.array_split(alpha, 20), np.array_split(weight, 20))]
        print("%d  %.3f  %+.4f +- %.4f" % (k + 1, np.mean(alpha), change(alpha, weight), np.std(blocks, ddof=1) / math.sqrt(20)))


def main(verb, *rest):
    if verb == "pdb":
        sys.stdout.write(chain(rest[0], int(rest[1])))
    elif verb == "terms":
        write_terms(rest[0], float(rest[1]), rest[2])
    elif verb == "check":
        check(*rest)
    elif verb == "compare":
        compare(*rest)
    elif verb == "reweigh":
        reweigh(*rest)
    else:
        judge(*rest)


main(*sys.argv[1:])
