"""Reads what `cardo handoff` wrote for AMBER with OpenMM's readers: the topology in the solvent that dynamics.mdin asks for has, at the
restarts' coordinates, the energies of system.xml term by term, and those of result.json together. handoff_amber.py FOLDER...
"""
import json
import re
import sys
import warnings

import openmm
from openmm import app, unit

warnings.simplefilter("ignore")  # radii of hydrogens on sulfur are not those that OpenMM expects
SOLVENTS = {"6": None, "1": app.HCT, "2": app.OBC1, "5": app.OBC2, "7": app.GBn, "8": app.GBn2}
KINDS = {"HarmonicBondForce": "bonds", "HarmonicAngleForce": "angles", "PeriodicTorsionForce": "torsions", "NonbondedForce": "nonbonded",
         "GBSAOBCForce": "solvent", "CustomGBForce": "solvent"}
GROUPS = sorted(set(KINDS.values()))


def topology_system(folder):
    run = dict(re.findall(r"(\w+)=([-+.\w]+)", open(f"{folder}/dynamics.mdin").read()))
    # sander's inverse Debye length of salt, 1/A, with what ions exclude
    kappa = 0.73 * (0.10806 * float(run.get("saltcon", 0))) ** 0.5
    return app.AmberPrmtopFile(f"{folder}/topology.prmtop").createSystem(
        implicitSolvent=SOLVENTS[run["igb"]], implicitSolventKappa=kappa / unit.angstrom, removeCMMotion=False,
        solventDielectric=float(run.get("extdiel", 78.5)), soluteDielectric=float(run.get("intdiel", 1)))


def context_of(system):
    for force in system.getForces():
        force.setForceGroup(GROUPS.index(KINDS[type(force).__name__]))
    return openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName("Reference"))


def energies(context, positions):
    context.setPositions(positions)
    return [context.getState(getEnergy=True, groups={g}).getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)
            for g in range(len(GROUPS))]


def differences(folder):
    ours = openmm.XmlSerializer.deserialize(open(f"{folder}/system.xml").read())
    theirs = topology_system(folder)
    masses = [[system.getParticleMass(i).value_in_unit(unit.dalton) for i in range(system.getNumParticles())] for system in (ours, theirs)]
    if len(masses[0]) != len(masses[1]) or max(abs(x - y) for x, y in zip(*masses)) > 1e-6:
        yield "masses differ"
        return
    a, b = context_of(ours), context_of(theirs)
    for frame in json.load(open(f"{folder}/result.json"))["frames"]:
        positions = app.AmberInpcrdFile(f"{folder}/{frame['frame']}.rst7").positions
        one, other = energies(a, positions), energies(b, positions)
        for name, x, y in zip(GROUPS, one, other):
            print(f"{folder} {frame['frame']}: {name} {x:.6f}, of the topology {y:.6f} kJ/mol")
            if not abs(x - y) <= 1e-6 * max(abs(x), 1) or not any(other):
                yield f"{frame['frame']}: {name} {x} and {y}"
        if frame["strained"]:  # overlapping atoms: the last digit of a coordinate counts
            continue
        print(f"{folder} {frame['frame']}: all {sum(other):.6f}, ours {frame['energy_kJ_per_mol']:.6f} kJ/mol")
        if not abs(sum(other) - frame["energy_kJ_per_mol"]) <= 1e-5 * sum(map(abs, other)):
            yield f"{frame['frame']}: {sum(other)} and {frame['energy_kJ_per_mol']}"


wrong = [f"{folder}: {text}" for folder in sys.argv[1:] for text in differences(folder)]
print("\n".join(wrong) or "the same")
sys.exit(1 if wrong else 0)
