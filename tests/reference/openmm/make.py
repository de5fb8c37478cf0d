#!/usr/bin/env python3
"""Energies and forces of committed structures by OpenMM's Python layer, on its Reference platform in double precision.

  make.py PDB_FILE FOLDER [salt]

salt: cases of the generalized Born models with salt too. Writes FOLDER/reference.json and one .npy of forces a case, in the layout that tests/forces/reference_case.c reads: energies
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
    # label, files, cutoff (nm), ionic strength (mol/L)
    ('ff14SB', ['amber14/protein.ff14SB.xml'], None, 0),
    ('ff14SB_obc2', ['amber14/protein.ff14SB.xml', 'implicit/obc2.xml'], None, 0),
    ('amber99sb_obc', ['amber99sb.xml', 'amber99_obc.xml'], None, 0),
    ('amber99sb_obc', ['amber99sb.xml', 'amber99_obc.xml'], 1.0, 0),
]
SALTS = [(f'ff14SB_{model}_{salt}M', ['amber14/protein.ff14SB.xml', f'implicit/{model}.xml'], cutoff, salt)
         for model in ('hct', 'obc1', 'obc2', 'gbn', 'gbn2') for cutoff, salt in ((None, 0.05), (None, 0.15), (None, 0.5), (0.6, 0.15))]


def kappa_of(ionic_strength):
    """As OpenMM's reader of AMBER topologies has it at 300 K, 1/nm."""
    return 50.33355 * numpy.sqrt(ionic_strength / 78.5 / 300) * 7.3


def case(pdb, name, files, cutoff, salt, folder):
    field = app.ForceField(*files)
    options = dict(nonbondedMethod=app.CutoffNonPeriodic, nonbondedCutoff=cutoff * unit.nanometer) if cutoff else \
        dict(nonbondedMethod=app.NoCutoff)
    if salt:
        options['implicitSolventKappa'] = kappa_of(salt)
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
    salty = dict(ionic_strength=salt, kappa_per_nm=kappa_of(salt)) if salt else {}
    return dict(forcefield=name, files=files, method=method, cutoff_nm=cutoff, energies=energies, forces_file=file,
                energy_total=state.getPotentialEnergy().value_in_unit(KJ), reaction_field_dielectric=dielectric,
                counts=counts, **salty)


def main():
    file, folder = sys.argv[1:3]
    chosen = CASES + (SALTS if 'salt' in sys.argv[3:] else [])
    os.makedirs(folder, exist_ok=True)
    pdb = app.PDBFile(file)
    cases = [case(pdb, *c, folder) for c in chosen]
    json.dump(dict(pdb=os.path.relpath(file, folder), openmm=openmm.version.version, platform='Reference (double)', cases=cases),
              open(os.path.join(folder, 'reference.json'), 'w'), indent=1)


main()
