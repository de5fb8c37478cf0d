"""Reads what `cardo handoff` wrote with OpenMM's Python layer: q of each frame and its energy must be those of frames.csv, and steps
must run. handoff_openmm.py FOLDER
"""
import csv
import json
import sys

folder = sys.argv[1]
sys.path.insert(0, folder)
sys.dont_write_bytecode = True
import openmm  # noqa: E402
import run_openmm  # noqa: E402
from openmm import app, unit  # noqa: E402

system = openmm.XmlSerializer.deserialize(open(f"{folder}/system.xml").read())
hinges = json.load(open(f"{folder}/hinges.json"))["hinges"]
variables = run_openmm.held(hinges, 1000.0)
for force in variables:
    system.addForce(force)
rows = list(csv.DictReader(open(f"{folder}/frames.csv")))
first = app.PDBFile(f"{folder}/{rows[0]['frame']}.pdb")
run_openmm.all_pairs_by_cutoff(system, first.positions)
integrator = openmm.LangevinMiddleIntegrator(300, 1, 0.001)
context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("CPU"), {"Threads": "1"})
wrong, before, compared = [], None, 0
for row in rows:
    pdb = app.PDBFile(f"{folder}/{row['frame']}.pdb")
    context.setPositions(pdb.positions)
    for n, (hinge, force) in enumerate(zip(hinges, variables)):
        q = force.getCollectiveVariableValues(context)[0]
        print(f"{row['frame']}: q of {hinge['name']} {q:.7f}, ours {float(row['q_' + hinge['name']]):.7f}")
        if abs(q - float(row[f"q_{hinge['name']}"])) > 1e-4:
            wrong.append(f"{row['frame']}: q {q}")
        context.setParameter(f"q0_{n}", q)
    energy = context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)
    constant = energy - float(row["energy (kJ/mol)"])  # of the cutoff that stands for all pairs; places of a PDB file have three digits
    print(f"  energy {energy:.2f}, ours {float(row['energy (kJ/mol)']):.2f} kJ/mol")
    if row["clashes and torn bonds"] != "0":  # those three digits move by thousands of kJ/mol
        continue
    compared += 1
    if before is not None and abs(constant - before) > 5:
        wrong.append(f"{row['frame']}: the energy is off by {constant}, before by {before}")
    before = constant
context.setPositions(first.positions)
context.setVelocitiesToTemperature(300, 1)
integrator.step(5)
q = variables[0].getCollectiveVariableValues(context)[0]
if compared < 2:
    wrong.append(f"{compared} frames without strain: their energies were not compared")
if not abs(q) < 0.1:
    wrong.append(f"after five steps q is {q}")
print("\n".join(wrong) or "the same")
sys.exit(1 if wrong else 0)
