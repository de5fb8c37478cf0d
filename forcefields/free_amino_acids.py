#!/usr/bin/python3
"""Makes free-amino-acids.xml of ff14SB.xml: templates of single amino acids with both ends charged.

usage: forcefields/free_amino_acids.py

ff14SB has residues with one charged end, of which NLYS and CLYS are an example, and none with two. Each template here has the amino
group of the first, the carboxylate of the second, and the side chain of the residue in the middle of a chain, types and charges
unchanged; the alpha carbon takes what is left of the whole charge. Bonded terms and radii are those of ff14SB's types.
"""
import pathlib
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
AMINE = ('N', 'H1', 'H2', 'H3')
CARBOXYLATE = ('C', 'O', 'OXT')

HEADING = """<!-- Free amino acids with both ends charged, for use beside ff14SB.xml. Made by free_amino_acids.py.

Amino group and alpha hydrogen of ff14SB's first residues (NLYS), carboxylate of its last ones (CLYS), side chain of those between; the
alpha carbon takes what is left of the whole charge. The charges were not fitted to the free molecule.

  J. A. Maier, C. Martinez, K. Kasavajhala, L. Wickstrom, K. E. Hauser, C. Simmerling: ff14SB: Improving
  the accuracy of protein side chain and backbone parameters from ff99SB. J. Chem. Theory Comput. 11,
  3696-3713 (2015). doi:10.1021/acs.jctc.5b00255

Licence: the AMBER force fields are in the public domain, as their authors say at https://ambermd.org. -->
"""


def atoms(residue):
    return {a.get('name'): (float(a.get('charge')), a.get('type')) for a in residue.iter('Atom')}


def template(middle, first, last):
    one, two, side = atoms(first), atoms(last), atoms(middle)
    whole = round(sum(charge for charge, _ in side.values()))
    chosen = {name: one[name] for name in one}
    chosen.update({name: side[name] for name in side if name not in ('N', 'H', 'CA', 'HA', 'HA2', 'HA3', 'C', 'O')})
    chosen.update({name: two[name] for name in CARBOXYLATE})
    rest = whole - sum(charge for name, (charge, _) in chosen.items() if name != 'CA')
    chosen['CA'] = (rest, chosen['CA'][1])
    lines = [f'    <Residue name="FREE-{middle.get("name")}">']
    lines += [f'      <Atom charge="{round(q, 6)}" name="{n}" type="{t}"/>' for n, (q, t) in chosen.items()]
    bonds = [(b.get('atomName1'), b.get('atomName2')) for b in first.iter('Bond')] + [('C', 'OXT')]
    lines += [f'      <Bond atomName1="{a}" atomName2="{b}"/>' for a, b in bonds]
    return lines + ['    </Residue>']


def main():
    residues = {r.get('name'): r for r in ElementTree.parse(HERE / 'ff14SB.xml').iter('Residue')}
    lines = []
    for name in sorted(residues):
        if name != 'CYX' and 'N' + name in residues and 'C' + name in residues and len(name) == 3:
            lines += template(residues[name], residues['N' + name], residues['C' + name])
    text = HEADING + '<ForceField>\n  <Residues>\n' + '\n'.join(lines) + '\n  </Residues>\n</ForceField>\n'
    (HERE / 'free-amino-acids.xml').write_text(text)


main()
