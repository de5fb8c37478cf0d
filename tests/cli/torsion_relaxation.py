"""What rigid bonds and angles change of alanine dipeptide (src/dynamics/README.md, Ensembles), by OpenMM's energies alone.

    torsion_relaxation.py PDB none|obc2 [TEMPERATURE]

prints populations of basins of phi and psi and barriers between them, kJ/mol, at 300 K: of exp(-U/kT) with all else rigid, which is the
corrected ensemble, on lines of phi and psi 5 and 15 degrees apart, whose difference is the error of such lines; and with all else relaxed
at each crossing, vibrations as those of springs (15 degrees). Some minutes. Needs Debian's python3-openmm.
"""
import heapq
import math
import sys

import numpy as np

FINE, COARSE = 72, 24  # lines of phi and of psi
RESTRAINT = 1e4        # kJ/mol/rad^2: holds phi and psi while all else relaxes
STEP = 2e-5            # nm: of differences of forces


def system_of(pdb, solvent):
    import openmm as mm
    from openmm import app, unit

    file = app.PDBFile(pdb)
    names = ["amber14/protein.ff14SB.xml"] + ([] if solvent == "none" else ["implicit/%s.xml" % solvent])
    system = app.ForceField(*names).createSystem(file.topology, nonbondedMethod=app.NoCutoff, constraints=None, removeCMMotion=False)
    for k, force in reversed(list(enumerate(system.getForces()))):
        if isinstance(force, mm.CustomGBForce):
            system.addForce(as_builtin(mm, force))
            system.removeForce(k)
    atom = {(a.residue.index, a.name): a.index for a in file.topology.atoms()}
    torsions = [[atom[key] for key in keys] for keys in (
        [(0, "C"), (1, "N"), (1, "CA"), (1, "C")], [(1, "N"), (1, "CA"), (1, "C"), (2, "N")])]
    bonds = [(b[0].index, b[1].index) for b in file.topology.bonds()]
    return mm, system, np.array(file.positions.value_in_unit(unit.nanometer)), torsions, bonds


def as_builtin(mm, custom):
    """The same OBC2, by the force that is built in and a hundred times as quick."""
    force = mm.GBSAOBCForce()
    force.setNonbondedMethod(mm.GBSAOBCForce.NoCutoff)
    for k in range(custom.getNumParticles()):
        charge, less, scaled = custom.getParticleParameters(k)
        force.addParticle(charge, less + 0.009, scaled / less)
    return force


def dihedral(x, quadruple):
    a, b, c, d = (x[k] for k in quadruple)
    axis = (c - b) / np.linalg.norm(c - b)
    n, m = np.cross(b - a, axis), np.cross(axis, d - c)
    return math.atan2(np.dot(np.cross(n, m), axis), np.dot(n, m))


def beyond(bonds, near, far):
    """Atoms that a turn about the bond moves."""
    found, todo = {far}, [far]
    while todo:
        k = todo.pop()
        for pair in bonds:
            if k in pair and not (near in pair and far in pair):
                other = pair[0] + pair[1] - k
                if other not in found:
                    found.add(other)
                    todo.append(other)
    return sorted(found)


def turn(x, quadruple, bonds, value):
    """The torsion set to the value."""
    b, c = quadruple[1], quadruple[2]
    moved = beyond(bonds, b, c)
    axis = (x[c] - x[b]) / np.linalg.norm(x[c] - x[b])
    angle = value - dihedral(x, quadruple)
    r = x[moved] - x[b]
    out = x.copy()
    out[moved] = x[b] + r * math.cos(angle) + np.cross(axis, r) * math.sin(angle) + np.outer(r @ axis, axis) * (1 - math.cos(angle))
    assert abs(math.remainder(dihedral(out, quadruple) - value, 2 * math.pi)) < 1e-9
    return out


def places(x, torsions, bonds, n):
    """The rigid molecule at every crossing of n lines of phi and psi."""
    for i in range(n):
        at_phi = turn(x, torsions[0], bonds, -math.pi + 2 * math.pi * i / n)
        for j in range(n):
            yield i, j, turn(at_phi, torsions[1], bonds, -math.pi + 2 * math.pi * j / n)


def context_of(mm, system):
    return mm.Context(system, mm.VerletIntegrator(0.001), mm.Platform.getPlatformByName("Reference"))


def rigid(mm, system, x, torsions, bonds):
    context = context_of(mm, system)
    energy = np.empty((FINE, FINE))
    for i, j, y in places(x, torsions, bonds, FINE):
        context.setPositions(y)
        energy[i, j] = context.getState(getEnergy=True).getPotentialEnergy()._value
    return energy


def relaxed(mm, system, x, torsions, bonds):
    """Energy, and half ln det of the second derivatives without rotations, at the minimum of U and a spring on both torsions. The minimum of
    all lies a force over RESTRAINT beside the place, which costs U as much again as is in the spring. No minimum: infinite energy."""
    spring = mm.CustomTorsionForce("0.5*%g*d^2; d = min(e, 2*%.15f - e); e = abs(theta - at)" % (RESTRAINT, math.pi))
    spring.addPerTorsionParameter("at")
    for quadruple in torsions:
        spring.addTorsion(*quadruple, [0])
    system.addForce(spring)
    context = context_of(mm, system)

    def forces(y):
        context.setPositions(y)
        return context.getState(getForces=True).getForces(asNumpy=True)._value.ravel()

    energy, half_log_det = np.full((COARSE, COARSE), np.inf), np.zeros((COARSE, COARSE))
    for i, j, start in places(x, torsions, bonds, COARSE):
        for k, quadruple in enumerate(torsions):
            spring.setTorsionParameters(k, *quadruple, [dihedral(start, quadruple)])
        spring.updateParametersInContext(context)
        context.setPositions(start)
        mm.LocalEnergyMinimizer.minimize(context, 0.05, 2000)
        state = context.getState(getPositions=True, getEnergy=True)
        y = state.getPositions(asNumpy=True)._value
        hessian = np.empty((y.size, y.size))
        for c in range(y.size):
            off = np.zeros(y.size)
            off[c] = STEP
            hessian[c] = (forces(y - off.reshape(y.shape)) - forces(y + off.reshape(y.shape))) / (2 * STEP)
        values = np.sort(np.linalg.eigvalsh(0.5 * (hessian + hessian.T)))
        values = values[np.argsort(np.abs(values))[6:]]
        if np.min(values) > 0:
            r = y - np.mean(y, axis=0)
            inertia = np.sum(r * r) * np.eye(3) - r.T @ r
            off = [math.remainder(dihedral(y, q) - dihedral(start, q), 2 * math.pi) for q in torsions]
            energy[i, j] = state.getPotentialEnergy()._value + 0.5 * RESTRAINT * (off[0] ** 2 + off[1] ** 2)
            half_log_det[i, j] = 0.5 * (np.sum(np.log(values)) - np.log(np.linalg.det(inertia)))
    return energy, half_log_det


def highest_of_the_lowest_way(free, start, end):
    best = np.full(free.shape, np.inf)
    heap = [(free[start], start)]
    while heap:
        height, at = heapq.heappop(heap)
        if at == end:
            return height
        for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            to = ((at[0] + step[0]) % len(free), (at[1] + step[1]) % len(free))
            if max(height, free[to]) < best[to]:
                best[to] = max(height, free[to])
                heapq.heappush(heap, (best[to], to))


def report(title, free, kT):
    free = np.where(np.isfinite(free), free, 1e4)
    line = -180 + 360 / len(free) * np.arange(len(free))
    phi, psi = np.meshgrid(line, line, indexing="ij")
    weight = np.exp((np.min(free) - free) / kT)
    left = (phi > 7.5) & (phi < 142.5)
    alpha = ~left & (psi > -127.5) & (psi < 37.5)
    basins = {"beta": ~left & ~alpha, "alpha": alpha, "left": left}
    lowest = {k: np.unravel_index(np.argmin(np.where(m, free, np.inf)), free.shape) for k, m in basins.items()}
    print(title)
    for k, m in basins.items():
        share = np.sum(weight[m]) / np.sum(weight)
        print("  %-5s share %.3g, %.1f above beta, lowest at %.0f, %.0f, the way from beta rises by %.1f" %
              (k, share, -kT * math.log(np.sum(weight[m]) / np.sum(weight[basins["beta"]])), line[lowest[k][0]], line[lowest[k][1]],
               highest_of_the_lowest_way(free, lowest["beta"], lowest[k]) - free[lowest["beta"]]))


def main(pdb, solvent, temperature="300"):
    kT = 8.31446261815324e-3 * float(temperature)
    parts = system_of(pdb, solvent)
    energy = rigid(*parts)
    report("rigid, 5 degrees", energy, kT)
    report("rigid, 15 degrees", energy[:: FINE // COARSE, :: FINE // COARSE], kT)
    energy, half_log_det = relaxed(*parts)
    print("%d of %d crossings without a minimum" % (np.sum(~np.isfinite(energy)), energy.size))
    report("relaxed, 15 degrees", energy + kT * half_log_det, kT)
    free = energy + 8.31446261815324e-3 * 700 * half_log_det
    report("relaxed, 15 degrees, 700 K", free, 8.31446261815324e-3 * 700)


if __name__ == "__main__":
    main(*sys.argv[1:])
