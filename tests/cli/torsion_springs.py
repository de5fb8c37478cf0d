"""Torsions of a chain ACE-ALA(n)-NME all of whose other coordinates are stiff springs, as Cartesian space has it, against the corrected
ensemble of the same chain with these coordinates rigid (src/dynamics/README.md, Ensembles).

    torsion_springs.py PDB RESIDUES PLACES SEED

PDB: alanine dipeptide, of whose geometry the chain is made. Bonds, angles, peptide planes and methyl groups are held by springs of the force
field's strength (400 kJ/mol/rad^2 where it has none) times 32, 128 and 512, with their minima at the rigid geometry. At places drawn at
random in phi and psi the free energy over all springs is that of their minimum and second derivatives, which errs by 1/strength;
so each is continued to springs without end, where it must be U at the rigid place, and a constant. The slope on half ln det M would be -1
were the uncorrected density right. ff14SB in vacuum, 300 K. Needs Debian's python3-openmm.
"""
import io
import math
import sys

import numpy as np

from torsion_relaxation import STEP, dihedral, turn

KT = 8.31446261815324e-3 * 300
SCALES = (32, 128, 512)
TORSION_SPRING = 400  # kJ/mol/rad^2
HOLD = 1e5            # kJ/mol/rad^2: on phi and psi


def chain(path, n):
    """A PDB file's text, n copies of the residue one behind the other, each by the peptide group before it."""
    atoms = [[line[12:16].strip(), int(line[22:26]), np.array([float(line[k:k + 8]) for k in (30, 38, 46)])]
             for line in open(path) if line.startswith("ATOM")]
    first = {(r, name): x for name, r, x in atoms}
    here, there = (np.array([first[k] for k in keys]) for keys in (
        [(1, "CH3"), (1, "C"), (1, "O"), (2, "N"), (2, "H"), (2, "CA")], [(2, "CA"), (2, "C"), (2, "O"), (3, "N"), (3, "H"), (3, "C")]))
    u, _, v = np.linalg.svd((here - here.mean(0)).T @ (there - there.mean(0)))
    rotation = u @ np.diag([1, 1, np.sign(np.linalg.det(u @ v))]) @ v
    onward = lambda x: (x - here.mean(0)) @ rotation + there.mean(0)
    lines = []
    for residue in range(1, n + 3):
        source = 1 if residue == 1 else 3 if residue == n + 2 else 2
        for name, r, x in atoms:
            if r == source:
                for _ in range(max(0, min(residue, n + 1) - 2)):
                    x = onward(x)
                lines.append("ATOM  %5d %-4s %s A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %s" % (
                    len(lines) + 1, (" " + name)[:4], ("ACE", "ALA", "NME")[source - 1], residue, *x, name[0]))
    return "\n".join(lines) + "\nEND\n"


def chain_system(text):
    import openmm as mm
    from openmm import app, unit

    file = app.PDBFile(io.StringIO(text))
    system = app.ForceField("amber14/protein.ff14SB.xml").createSystem(
        file.topology, nonbondedMethod=app.NoCutoff, constraints=None, removeCMMotion=False)
    atom = {(a.residue.index, a.name): a.index for a in file.topology.atoms()}
    n = file.topology.getNumResidues() - 2
    torsions = []
    for k in range(1, n + 1):
        torsions.append([atom[key] for key in ((k - 1, "C"), (k, "N"), (k, "CA"), (k, "C"))])
        torsions.append([atom[key] for key in ((k, "N"), (k, "CA"), (k, "C"), (k + 1, "N"))])
    bonds = [(b[0].index, b[1].index) for b in file.topology.bonds()]
    masses = np.array([system.getParticleMass(k).value_in_unit(unit.dalton) for k in range(system.getNumParticles())])
    return mm, system, np.array(file.positions.value_in_unit(unit.nanometer)), torsions, bonds, masses


def angle_of(x, a, b, c):
    u, v = x[a] - x[b], x[c] - x[b]
    return math.acos(u @ v / np.linalg.norm(u) / np.linalg.norm(v))


def stiffen(mm, system, x, torsions):
    """Springs in the place of all but phi and psi; gives what sets their strength."""
    turning = {frozenset(q[1:3]) for q in torsions}
    forces = list(system.getForces())
    wrapped = "min(e, 2*%.15f - e)^2; e = abs(theta - at)" % math.pi
    bond, angle = mm.CustomBondForce("0.5*scale*k*(r - at)^2"), mm.CustomAngleForce("0.5*scale*k*(theta - at)^2")
    held, hold = mm.CustomTorsionForce("0.5*scale*k*" + wrapped), mm.CustomTorsionForce("0.5*k*" + wrapped)
    for force, per in ((bond, "Bond"), (angle, "Angle"), (held, "Torsion"), (hold, "Torsion")):
        for name in ("k", "at"):
            getattr(force, "addPer%sParameter" % per)(name)
        if force is not hold:
            force.addGlobalParameter("scale", 1)
    quadruples = set()
    for force in forces:
        if isinstance(force, mm.HarmonicBondForce):
            for k in range(force.getNumBonds()):
                a, b, _, strength = force.getBondParameters(k)
                bond.addBond(a, b, [strength, np.linalg.norm(x[a] - x[b])])
                force.setBondParameters(k, a, b, 0.1, 0)
        elif isinstance(force, mm.HarmonicAngleForce):
            for k in range(force.getNumAngles()):
                a, b, c, _, strength = force.getAngleParameters(k)
                angle.addAngle(a, b, c, [strength, angle_of(x, a, b, c)])
                force.setAngleParameters(k, a, b, c, 1, 0)
        elif isinstance(force, mm.PeriodicTorsionForce):
            for k in range(force.getNumTorsions()):
                p = force.getTorsionParameters(k)
                if frozenset(p[1:3]) not in turning:
                    quadruples.add(tuple(p[:4]))
                    force.setTorsionParameters(k, *p[:6], 0)
    for quadruple in sorted(quadruples):
        held.addTorsion(*quadruple, [TORSION_SPRING, dihedral(x, quadruple)])
    for quadruple in torsions:
        hold.addTorsion(*quadruple, [HOLD, 0])
    for force in (bond, angle, held, hold):
        system.addForce(force)
    return hold


def half_log_det_m(x, torsions, bonds, masses):
    """Of the rigid chain, free in space: the metric of masses of its torsions and overall motion."""
    columns = []
    for q in torsions:
        step = 1e-5
        value = dihedral(x, q)
        columns.append((turn(x, q, bonds, value + step) - turn(x, q, bonds, value - step)).ravel() / (2 * step))
    r = x - masses @ x / masses.sum()
    for e in np.eye(3):
        columns += [np.tile(e, len(x)), np.cross(e, r).ravel()]
    j = np.array(columns) * np.sqrt(np.repeat(masses, 3))
    return 0.5 * np.linalg.slogdet(j @ j.T)[1]


def spring_free_energy(context, torsions, start):
    """Newton's method from the rigid place, then energy and second derivatives, in kJ/mol up to a constant."""
    def forces(y):
        context.setPositions(y)
        return context.getState(getForces=True).getForces(asNumpy=True)._value.ravel()

    y = start.copy()
    for _ in range(12):
        hessian = np.empty((y.size, y.size))
        for c in range(y.size):
            off = np.zeros(y.size)
            off[c] = STEP
            hessian[c] = (forces(y - off.reshape(y.shape)) - forces(y + off.reshape(y.shape))) / (2 * STEP)
        values, vectors = np.linalg.eigh(0.5 * (hessian + hessian.T))
        order = np.argsort(np.abs(values))[6:]
        values, vectors = values[order], vectors[:, order]
        move = vectors @ ((vectors.T @ forces(y)) / values)
        if np.max(np.abs(move)) < 1e-7:
            break
        y = y + move.reshape(y.shape)
    if np.min(values) <= 0 or np.max(np.abs(move)) >= 1e-7:
        return math.nan
    context.setPositions(y)
    energy = context.getState(getEnergy=True).getPotentialEnergy()._value
    energy += sum(0.5 * HOLD * math.remainder(dihedral(y, q) - dihedral(start, q), 2 * math.pi) ** 2 for q in torsions)
    r = y - y.mean(0)
    inertia = np.sum(r * r) * np.eye(3) - r.T @ r
    return energy + 0.5 * KT * (np.sum(np.log(values)) - np.linalg.slogdet(inertia)[1])


def main(pdb, residues, places, seed):
    mm, system, x, torsions, bonds, masses = chain_system(chain(pdb, int(residues)))
    hold = stiffen(mm, system, x, torsions)
    context = mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName("Reference"))
    random = np.random.default_rng(int(seed))
    found = []
    for _ in range(40 * int(places)):
        y = x
        for k, q in enumerate(torsions):
            y = turn(y, q, bonds, math.radians(random.uniform(-170, -50) if k % 2 == 0 else random.uniform(-180, 180)))
        for k, q in enumerate(torsions):
            hold.setTorsionParameters(k, *q, [HOLD, dihedral(y, q)])
        hold.updateParametersInContext(context)
        context.setPositions(y)
        found.append((context.getState(getEnergy=True).getPotentialEnergy()._value, len(found), y))
    found = sorted(found)[:int(places)]
    energy = np.array([f[0] for f in found])
    measure = np.array([half_log_det_m(f[2], torsions, bonds, masses) for f in found])
    off = np.empty((len(SCALES), len(found)))
    for at, (_, _, y) in enumerate(found):
        for k, q in enumerate(torsions):
            hold.setTorsionParameters(k, *q, [HOLD, dihedral(y, q)])
        hold.updateParametersInContext(context)
        for k, scale in enumerate(SCALES):
            context.setParameter("scale", scale)
            off[k, at] = (spring_free_energy(context, torsions, y) - energy[at]) / KT
    good = np.all(np.isfinite(off), axis=0)
    off, measure = off[:, good], measure[good]
    print("%d places of %d with minima, U from %.0f to %.0f kJ/mol; half ln det M varies by %.3f (rms), %.3f from end to end" %
          (np.sum(good), len(good), energy[0], energy[-1], np.std(measure), np.ptp(measure)))
    rows = [("springs times %d" % s, o) for s, o in zip(SCALES, off)]
    first, second = (4 * off[1] - off[0]) / 3, (4 * off[2] - off[1]) / 3
    rows.append(("continued", (16 * second - first) / 15))
    for title, o in rows:
        o, m = o - o.mean(), measure - measure.mean()
        slope = o @ m / (m @ m)
        error = math.sqrt(np.sum((o - slope * m) ** 2) / (len(o) - 2) / (m @ m))
        print("%-22s off by %.4f kT (rms), %.4f at most; slope on half ln det M %+.3f +- %.3f" %
              (title, np.std(o), np.max(np.abs(o)), slope, error))


if __name__ == "__main__":
    main(*sys.argv[1:])
