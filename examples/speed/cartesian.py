#!/usr/bin/python3
"""All-atom dynamics of a prepared protein by OpenMM, for comparison:
    cartesian.py PROTEIN.pdb [STEPS]
prints ns/day. ff14SB with OBC2 and all pairs, as Cardo computes them: OpenMM's compiled GBSAOBCForce with the mbondi2
radii, and the nonbonded force with a cutoff far beyond the molecule and a reaction field of dielectric 1, which is all pairs at a
fraction of the cost. 4 fs steps, hydrogens of 4 daltons, their bonds constrained; CPU platform, all cores."""
import os
import sys
import time

from openmm import GBSAOBCForce, LangevinMiddleIntegrator, NonbondedForce, Platform, unit
from openmm.app import PDBFile, CutoffNonPeriodic, ForceField, HBonds, Simulation
from openmm.app.internal.customgbforces import GBSAOBC2Force

pdb = PDBFile(sys.argv[1])
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
system = ForceField("amber14/protein.ff14SB.xml").createSystem(
    pdb.topology, nonbondedMethod=CutoffNonPeriodic, nonbondedCutoff=50 * unit.nanometer,
    constraints=HBonds, hydrogenMass=4 * unit.dalton)
nonbonded = next(f for f in system.getForces() if isinstance(f, NonbondedForce))
nonbonded.setReactionFieldDielectric(1)
solvent = GBSAOBCForce()
for k, (radius, scale) in enumerate(GBSAOBC2Force.getStandardParameters(pdb.topology)):
    solvent.addParticle(nonbonded.getParticleParameters(k)[0], radius, scale)
system.addForce(solvent)
threads = str(len(os.sched_getaffinity(0)))
simulation = Simulation(
    pdb.topology, system,
    LangevinMiddleIntegrator(300 * unit.kelvin, 1 / unit.picosecond, 4 * unit.femtosecond),
    Platform.getPlatformByName("CPU"), {"Threads": threads})
simulation.context.setPositions(pdb.positions)
simulation.minimizeEnergy(maxIterations=5)
simulation.context.setVelocitiesToTemperature(300 * unit.kelvin, 1)
simulation.step(5)
start = time.time()
simulation.step(steps)
seconds = time.time() - start
print(f"{steps} steps of 4 fs, {1e3 * seconds / steps:.1f} ms a step, {4e-6 * steps * 86400 / seconds:.3g} ns/day")
