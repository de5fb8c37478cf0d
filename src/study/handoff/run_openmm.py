#!/usr/bin/env python3
"""All-atom dynamics with OpenMM (7.7 or newer) from a frame of this folder, with q of its hinges computed on the way, and held if asked.

    run_openmm.py frame-06.pdb                     1,000 steps, q is read and nothing is added
    run_openmm.py frame-06.pdb --hold 5000         q of every hinge held at what it is there, 5000 kJ/mol (an umbrella window)
    run_openmm.py frame-06.pdb --steps 0           q of the frame alone

system.xml has the force field's terms and the implicit solvent, without a cutoff; hinges.json says what q is: 1/2 and the torsion
of four weighted centroids, over the hinge's angle.
"""
import argparse
import json
import os

import openmm
from openmm import app, unit

here = os.path.dirname(os.path.abspath(__file__))


def hinge_force(hinge):
    """q of a hinge as an energy, for a CustomCVForce."""
    force = openmm.CustomCentroidBondForce(4, f"0.5 + dihedral(g1, g2, g3, g4)/({hinge['angle']!r})")
    for group in hinge["groups"]:
        force.addGroup(group["atoms"], group["weights"])
    force.addBond([0, 1, 2, 3], [])
    return force


def held(hinges, k):
    """k/2 (q - q0)^2 of each; with k = 0 it only tells what q is."""
    forces = []
    for n, hinge in enumerate(hinges):
        force = openmm.CustomCVForce(f"0.5*k{n}*(q - q0_{n})^2")
        force.addCollectiveVariable("q", hinge_force(hinge))
        force.addGlobalParameter(f"k{n}", k)
        force.addGlobalParameter(f"q0_{n}", 0)
        forces.append(force)
    return forces


def all_pairs_by_cutoff(system, positions):
    """The CPU platform does all pairs much faster as a cutoff beyond the molecule; forces are the same, the energy has another constant."""
    places = [[x.value_in_unit(unit.nanometer) for x in p] for p in positions]
    cutoff = 4*max(max(p[k] for p in places) - min(p[k] for p in places) for k in range(3))
    for force in system.getForces():
        if isinstance(force, (openmm.NonbondedForce, openmm.GBSAOBCForce)) and force.getNonbondedMethod() == force.NoCutoff:
            force.setNonbondedMethod(force.CutoffNonPeriodic)
            force.setCutoffDistance(cutoff)
        if isinstance(force, openmm.NonbondedForce):
            force.setReactionFieldDielectric(1)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("frame")
    words.add_argument("--steps", type=int, default=1000)
    words.add_argument("--hold", type=float, default=0, metavar="K", help="kJ/mol: energy K/2 (q - q0)^2, q0 from the frame")
    words.add_argument("--timestep", type=float, default=0.001, help="ps; no bond is a constraint")
    words.add_argument("--temperature", type=float, default=300)
    words.add_argument("--every", type=int, default=100, help="steps between lines and frames")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--platform")
    words.add_argument("--out", metavar="DCD", help="trajectory")
    asked = words.parse_args()

    pdb = app.PDBFile(asked.frame)
    system = openmm.XmlSerializer.deserialize(open(os.path.join(here, "system.xml")).read())
    hinges = json.load(open(os.path.join(here, "hinges.json")))["hinges"]
    variables = held(hinges, asked.hold)
    for force in variables:
        system.addForce(force)
    named = [openmm.Platform.getPlatform(k).getName() for k in range(openmm.Platform.getNumPlatforms())]
    fast = [name for name in ("CUDA", "HIP", "OpenCL", "CPU", "Reference") if name in named]
    platform = openmm.Platform.getPlatformByName(asked.platform or fast[0])
    if platform.getName() == "CPU":
        all_pairs_by_cutoff(system, pdb.positions)
    integrator = openmm.LangevinMiddleIntegrator(asked.temperature*unit.kelvin, 1/unit.picosecond, asked.timestep*unit.picosecond)
    integrator.setRandomNumberSeed(asked.seed)
    simulation = app.Simulation(pdb.topology, system, integrator, platform)
    simulation.context.setPositions(pdb.positions)
    for n, force in enumerate(variables):
        simulation.context.setParameter(f"q0_{n}", force.getCollectiveVariableValues(simulation.context)[0])
    if asked.steps > 0:
        simulation.context.setVelocitiesToTemperature(asked.temperature*unit.kelvin, asked.seed)
    if asked.out:
        simulation.reporters.append(app.DCDReporter(asked.out, asked.every))
    print(",".join(["step"] + [f"q {hinge['name']}" for hinge in hinges] + ["potential energy (kJ/mol)"]))
    done = 0
    while True:
        energy = simulation.context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)
        values = [force.getCollectiveVariableValues(simulation.context)[0] for force in variables]
        print(",".join([str(done)] + [f"{q:.7f}" for q in values] + [f"{energy:.3f}"]), flush=True)
        if done >= asked.steps:
            break
        simulation.step(min(asked.every, asked.steps - done))
        done = min(done + asked.every, asked.steps)


if __name__ == "__main__":
    main()
