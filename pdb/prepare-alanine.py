#!/usr/bin/env python3
"""Makes pdb/alanine.pdb, alanine dipeptide (ACE-ALA-NME) with hydrogens, ready to simulate.

usage: pdb/prepare-alanine.py CARDO [OUT]     CARDO is the program, OUT the file (alanine.pdb beside this script)

Source: the heavy atoms of alanine in topologies/components.xml, which has them from Debian's python3-pdbfixer. They stay where they
are; `cardo prepare` builds the caps and all hydrogens and relaxes what it built with ff14SB in vacuum.
"""
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
HEADER = """\
REMARK   Alanine dipeptide, ACE-ALA-NME: heavy atoms of ALA from topologies/components.xml
REMARK   (templates of Debian's package python3-pdbfixer), caps and hydrogens built and relaxed
REMARK   with ff14SB in vacuum by cardo prepare --cap all (prepare-alanine.py)
"""


def write_residue(path):
    components = ElementTree.parse(os.path.join(HERE, "..", "topologies", "components.xml")).getroot()
    alanine = next(c for c in components.iter("Component") if c.get("name") == "ALA")
    with open(path, "w") as out:
        for serial, atom in enumerate(alanine.iter("Atom"), 1):
            x, y, z = (10 * float(atom.get(axis)) for axis in "xyz")
            out.write("ATOM  %5d  %-3s ALA A   2    %8.3f%8.3f%8.3f  1.00  0.00          %2s\n"
                      % (serial, atom.get("name"), x, y, z, atom.get("element")))
        out.write("END\n")


def main():
    out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "alanine.pdb")
    with tempfile.TemporaryDirectory() as work:
        residue, prepared = (os.path.join(work, name) for name in ("residue.pdb", "prepared.pdb"))
        write_residue(residue)
        subprocess.run([sys.argv[1], "prepare", residue, "-o", prepared, "--cap", "all", "--quiet"], check=True)
        with open(prepared) as body, open(out, "w") as file:
            file.write(HEADER + body.read())


main()
