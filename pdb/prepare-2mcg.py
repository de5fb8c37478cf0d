#!/usr/bin/env python3
"""Makes pdb/2mcg_1.pdb and pdb/2mcg_2.pdb, the two copies of the light chain MCG (entry 2MCG), ready to simulate.

Source: data/pdb2mcg.ent of Debian's source package rasmol (fetched here with apt-get source, or given as the argument).
Needs Debian's python3-pdbfixer and python3-simtk. What is done to each chain, and nothing else:
  - waters go; residue 1 (pyroglutamate, PCA) goes, because ff14SB has no such residue: the chain starts at Ser 2;
  - hydrogens are added for pH 7 (PDBFixer/Modeller); the heavy atoms stay where the crystal has them;
  - the hydrogens alone are relaxed with ff14SB and OBC2.
The chains are prepared one by one, so Cys 215, bridged to its twin in the crystal, carries a hydrogen here.
"""
import glob
import os
import subprocess
import sys
import tempfile

from openmm import LangevinIntegrator, LocalEnergyMinimizer, Platform, Context, unit
from openmm.app import ForceField, Modeller, NoCutoff, PDBFile
from pdbfixer import PDBFixer


def source_entry():
    if len(sys.argv) > 1:
        return sys.argv[1]
    work = tempfile.mkdtemp()
    subprocess.run(["apt-get", "source", "--download-only", "rasmol"], cwd=work, check=True)
    subprocess.run(["dpkg-source", "-x", "--no-check", *glob.glob(work + "/*.dsc"), work + "/rasmol"], check=True)
    return work + "/rasmol/data/pdb2mcg.ent"


def prepare(entry, chain_id, out):
    fixer = PDBFixer(filename=entry)
    fixer.removeChains([c.index for c in fixer.topology.chains()
                        if c.id != chain_id or any(r.name == "HOH" for r in c.residues())])
    modeller = Modeller(fixer.topology, fixer.positions)
    modeller.delete([r for r in modeller.topology.residues() if r.name in ("PCA", "HOH")])
    fixer.topology, fixer.positions = modeller.topology, modeller.positions
    fixer.findMissingResidues()
    fixer.missingResidues = {}
    fixer.findMissingAtoms()
    missing = [r for r in fixer.missingAtoms] + [r for r in fixer.missingTerminals]
    print(f"chain {chain_id}: residues lacking heavy atoms: {[str(r) for r in missing] or 'none'}")
    fixer.addMissingAtoms()
    fixer.addMissingHydrogens(7.0)

    field = ForceField("amber14/protein.ff14SB.xml", "implicit/obc2.xml")
    system = field.createSystem(fixer.topology, nonbondedMethod=NoCutoff)
    for atom in fixer.topology.atoms():
        if atom.element.symbol != "H":
            system.setParticleMass(atom.index, 0)
    context = Context(system, LangevinIntegrator(300, 1, 0.001), Platform.getPlatformByName("CPU"))
    context.setPositions(fixer.positions)
    LocalEnergyMinimizer.minimize(context, 1.0, 200)
    state = context.getState(getPositions=True, getEnergy=True)
    print(f"chain {chain_id}: {system.getNumParticles()} atoms, {state.getPotentialEnergy()}")

    with open(out, "w") as f:
        f.write("REMARK   Light chain MCG, entry 2MCG (Ely et al. 1989, J. Mol. Biol. 210, 601), chain %s\n" % chain_id)
        f.write("REMARK   from Debian's source package rasmol, data/pdb2mcg.ent, by prepare-2mcg.py:\n")
        f.write("REMARK   residue 1 (pyroglutamate) and waters left out, hydrogens added for pH 7 and relaxed,\n")
        f.write("REMARK   heavy atoms as in the crystal\n")
        body = tempfile.TemporaryFile("w+")
        PDBFile.writeFile(fixer.topology, state.getPositions(), body, keepIds=True)
        body.seek(0)
        f.writelines(line for line in body if not line.startswith(("REMARK", "CRYST1", "CONECT")))


entry = source_entry()
here = os.path.dirname(os.path.abspath(__file__))
for chain in "12":
    prepare(entry, chain, os.path.join(here, f"2mcg_{chain}.pdb"))
