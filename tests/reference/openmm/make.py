#!/usr/bin/env python3
"""Energies and forces of committed structures by OpenMM's Python layer, on its Reference platform in double precision.

  make.py PDB_FILE FOLDER

Writes FOLDER/reference.json and one .npy of forces a case, in the layout that tests/forces/reference_case.c reads: energies
by kind of force (kJ/mol), forces (natom x 3, kJ/mol/nm, little-endian doubles after a header of 128 bytes).
"""
import json
import os
import sys

import numpy
import openmm
from openmm import app, unit

KJ = unit.kilojoule_per_mole
CASES = [
    # label, files, cutoff (nm)
    ('ff14SB', ['amber14/protein.ff14SB.xml'], None),
    ('ff14SB_obc2', ['amber14/protein.ff14SB.xml', 'implicit/obc2.xml'], None),
    ('amber99sb_obc', ['amber99sb.xml', 'amber99_obc.xml'], None),
    ('amber99sb_obc', ['amber99sb.xml', 'amber99_obc.xml'], 1.0),
]


def case(pdb, name, files, cutoff, folder):
    field = app.ForceField(*files)
    options = dict(nonbondedMethod=app.CutoffNonPeriodic, nonbondedCutoff=cutoff * unit.nanometer) if cutoff else \
        dict(nonbondedMethod=app.NoCutoff)
    system = field.createSystem(pdb.topology, constraints=None, rigidWater=False, removeCMMotion=False, **options)
    kinds = []
    for group, force in enumerate(system.getForces()):
        force.setForceGroup(group)
        kinds.append(type(force).__name__)
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName('Reference'))
    context.setPositions(pdb.positions)
    energies = {kind: context.getState(getEnergy=True, groups={k}).getPotentialEnergy().value_in_unit(KJ)
                for k, kind in enumerate(kinds)}
    state = context.getState(getEnergy=True, getForces=True)
    forces = state.getForces(asNumpy=True).value_in_unit(KJ / unit.nanometer).astype('<f8')
    method = f'Cutoff{cutoff}' if cutoff else 'NoCutoff'
    file = f'{name}.{method}.forces.npy'
    numpy.save(os.path.join(folder, file), forces)
    dielectric = next((f.getReactionFieldDielectric() for f in system.getForces() if isinstance(f, openmm.NonbondedForce)))
    counts = {'particles': system.getNumParticles()}
    for force in system.getForces():
        kind = type(force).__name__
        for what in ('Bonds', 'Angles', 'Torsions', 'Exceptions'):
            if hasattr(force, 'getNum' + what):
                counts[f'{kind}.{what.lower()}'] = getattr(force, 'getNum' + what)()
    return dict(forcefield=name, files=files, method=method, cutoff_nm=cutoff, energies=energies, forces_file=file,
                energy_total=state.getPotentialEnergy().value_in_unit(KJ), reaction_field_dielectric=dielectric,
                counts=counts)


def main():
    file, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    pdb = app.PDBFile(file)
    cases = [case(pdb, *c, folder) for c in CASES]
    json.dump(dict(pdb=os.path.relpath(file, folder), openmm=openmm.version.version, platform='Reference (double)', cases=cases),
              open(os.path.join(folder, 'reference.json'), 'w'), indent=1)


main()
