"""phi of alanine dipeptide by OpenMM's own Langevin dynamics, for test_alanine.

    alanine_reference.py run PDB TEMPERATURE NANOSECONDS SEED OUT    appends phi, psi and both omegas every 0.1 ps to OUT
    alanine_reference.py shares OUT... >alanine_reference.txt        shares of 12 bins of phi, with standard errors

A peptide bond turns to cis a few times in such a run, and stays for a nanosecond: far too seldom for any average. Shares are of the time
when both are trans.
"""
import math
import sys

import numpy as np

BINS = 12
BLOCKS = 64


def dihedral(x, atoms):
    a, b, c, d = (x[i] for i in atoms)
    first, axis, last = b - a, c - b, d - c
    n, m = np.cross(first, axis), np.cross(axis, last)
    return math.atan2(np.dot(np.cross(n, m), axis) / np.linalg.norm(axis), np.dot(n, m))


def run(pdb, temperature, nanoseconds, seed, out):
    import openmm as mm
    from openmm import app, unit

    file = app.PDBFile(pdb)
    field = app.ForceField("amber14/protein.ff14SB.xml")
    system = field.createSystem(file.topology, nonbondedMethod=app.NoCutoff, constraints=None, removeCMMotion=False)
    timestep, stride = 0.0005, 200
    langevin = mm.LangevinMiddleIntegrator(temperature * unit.kelvin, 5 / unit.picosecond, timestep * unit.picosecond)
    langevin.setRandomNumberSeed(seed)
    simulation = app.Simulation(file.topology, system, langevin, mm.Platform.getPlatformByName("Reference"))
    simulation.context.setPositions(file.positions)
    simulation.context.setVelocitiesToTemperature(temperature, seed)
    atom = {(a.residue.index, a.name): a.index for a in file.topology.atoms()}
    phi = [atom[0, "C"], atom[1, "N"], atom[1, "CA"], atom[1, "C"]]
    psi = [atom[1, "N"], atom[1, "CA"], atom[1, "C"], atom[2, "N"]]
    omegas = [[atom[k, a], atom[k, "C"], atom[k + 1, "N"], atom[k + 1, b]] for k, a, b in ((0, "CH3", "CA"), (1, "CA", "C"))]
    langevin.step(20000)
    with open(out, "w") as stream:
        for _ in range(int(nanoseconds * 1000 / timestep / stride)):
            langevin.step(stride)
            x = simulation.context.getState(getPositions=True).getPositions(asNumpy=True)._value
            stream.write("%.4f %.4f %.4f %.4f\n" % tuple(dihedral(x, t) for t in [phi, psi] + omegas))
            stream.flush()


def shares(files):
    series = [np.loadtxt(name) for name in files]
    series = [s[np.all(np.abs(s[:, 2:]) > math.pi / 2, axis=1), 0] for s in series]
    n = sum(len(s) for s in series)
    print("# phi of alanine dipeptide, ff14SB in vacuum, 700 K: OpenMM's LangevinMiddleIntegrator, 0.5 fs, 5/ps,")
    print("# Reference platform, %.1f ns with trans peptide bonds (alanine_reference.py). Centre (degrees), share, standard error of %d blocks."
          % (n * 1e-4, BLOCKS * len(series)))
    blocks = [b for s in series for b in np.array_split(s, BLOCKS)]
    for k in range(BINS):
        low = -math.pi + 2 * math.pi / BINS * k
        inside = [np.mean((b >= low) & (b < low + 2 * math.pi / BINS)) for b in blocks]
        print("%5d %.6f %.6f" % (-180 + 360 // BINS * k + 180 // BINS, np.mean(inside),
                                 np.std(inside, ddof=1) / math.sqrt(len(inside))))


if sys.argv[1] == "run":
    run(sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
else:
    shares(sys.argv[2:])
