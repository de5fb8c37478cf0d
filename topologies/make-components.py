#!/usr/bin/python3
"""Makes topologies/components.xml: ideal geometry, bonds and hydrogens of standard residues, and parents of modified ones.

usage: topologies/make-components.py

Reads, from Debian's packages python3-pdbfixer and python3-simtk (found in python3's dist-packages),

  pdbfixer/templates/*.pdb          heavy atoms of each residue in one conformation
  openmm/app/data/hydrogens.xml     which hydrogens there are, on which atom, in which protonation state, up to which pH

and topologies/residues.xml beside it (bonds by name). Coordinates are written in nm. Every template is checked: each
heavy bond between 1.1 and 2.0 angstrom, L amino acids, one connected piece.
"""
import math
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent

AMINO = 'ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL'.split()
CAPS = ['ACE', 'NME']
NUCLEIC = 'A C G U DA DC DG DT'.split()

# Modified residues and the standard one that each is made from, as the PDB's dictionary of components
# names it, with the atoms that stand for one of another name. Other atoms that the parent has not are left out.
MODIFIED = {
    'MSE': ('MET', {'SE': 'SD'}), 'PCA': ('GLN', {'OE': 'OE1'}), 'SEP': ('SER', {}), 'TPO': ('THR', {}),
    'PTR': ('TYR', {}), 'TYS': ('TYR', {}), 'CSO': ('CYS', {}), 'CSD': ('CYS', {}), 'CME': ('CYS', {}),
    'OCS': ('CYS', {}), 'CSX': ('CYS', {}), 'CSS': ('CYS', {}), 'CAS': ('CYS', {}), 'SMC': ('CYS', {}),
    'YCM': ('CYS', {}), 'SEC': ('CYS', {'SE': 'SG'}), 'HYP': ('PRO', {}), 'MLY': ('LYS', {}), 'M3L': ('LYS', {}),
    'MLZ': ('LYS', {}), 'ALY': ('LYS', {}), 'KCX': ('LYS', {}), 'LLP': ('LYS', {}), 'PYL': ('LYS', {}),
    'CGU': ('GLU', {}), 'FME': ('MET', {}), 'MHO': ('MET', {}), 'SME': ('MET', {}), 'NEP': ('HIS', {}),
    'HIC': ('HIS', {}), 'MEN': ('ASN', {}), 'AGM': ('ARG', {}), 'SAC': ('SER', {}), 'AYA': ('ALA', {}),
    '5MC': ('C', {}), 'OMC': ('C', {}), '5MU': ('U', {}), 'PSU': ('U', None), 'OMG': ('G', {}), '2MG': ('G', {}),
    '7MG': ('G', {}), '1MA': ('A', {}), 'H2U': ('U', {}), '5CM': ('DC', {}), 'BRU': ('DT', {'BR': 'C7'}),
}
# Why some of them lose more than decoration: those atoms are built anew.
RING = {'PCA': 'CD OE'}


def find(*parts):
    for folder in sys.path + ['/usr/lib/python3/dist-packages']:
        path = pathlib.Path(folder).joinpath(*parts)
        if path.exists():
            return path
    sys.exit('not found: ' + '/'.join(parts) + ' (install python3-simtk and python3-pdbfixer)')


def version(package):
    return subprocess.run(['dpkg-query', '-W', '-f', '${Version}', package], capture_output=True, text=True,
                          check=True).stdout


def read_template(name):
    atoms = {}
    for line in find('pdbfixer', 'templates', name + '.pdb').read_text().splitlines():
        if line.startswith('ATOM'):
            atoms[line[12:16].strip()] = tuple(float(line[k:k + 8]) / 10 for k in (30, 38, 46))
    return atoms


def read_bonds(name, atoms):
    for residue in ElementTree.parse(HERE / 'residues.xml').getroot().iter('Residue'):
        if residue.get('name') == name:
            pairs = [(b.get('from'), b.get('to')) for b in residue.iter('Bond')]
            return sorted({tuple(sorted(p)) for p in pairs if p[0] in atoms and p[1] in atoms})
    sys.exit(name + ' is not in residues.xml')


def read_hydrogens(name):
    for residue in ElementTree.parse(find('openmm', 'app', 'data', 'hydrogens.xml')).getroot():
        if residue.get('name') == name:
            return [h.attrib for h in residue.iter('H')]
    sys.exit(name + ' is not in hydrogens.xml')


def element(name):
    return name.lstrip('0123456789')[0]


def check(name, atoms, bonds):
    reached = {bonds[0][0]}
    for _ in atoms:
        reached |= {b for pair in bonds for b in pair if reached & set(pair)}
    assert reached == set(atoms), name + ' falls into pieces'
    for a, b in bonds:
        assert 0.11 < math.dist(atoms[a], atoms[b]) < 0.20, (name, a, b, math.dist(atoms[a], atoms[b]))
    if 'CB' in atoms:
        n, c, b = [[x - y for x, y in zip(atoms[k], atoms['CA'])] for k in ('N', 'C', 'CB')]
        volume = (n[0] * (c[1] * b[2] - c[2] * b[1]) + n[1] * (c[2] * b[0] - c[0] * b[2]) +
                  n[2] * (c[0] * b[1] - c[1] * b[0]))
        assert volume > 0, name + ' is no L amino acid'


def write_component(out, name, kind):
    atoms = read_template(name)
    bonds = read_bonds(name, atoms)
    check(name, atoms, bonds)
    out.append(f' <Component name="{name}" type="{kind}">')
    for atom, position in atoms.items():
        x, y, z = position
        out.append(f'  <Atom name="{atom}" element="{element(atom)}" x="{x:.4f}" y="{y:.4f}" z="{z:.4f}"/>')
    for h in read_hydrogens(name):
        if name in CAPS and 'terminal' in h:
            continue
        more = ''
        if 'terminal' in h:
            more += f' end="{"first" if h["terminal"] == "N" else "last"}"'
        if 'variant' in h:
            more += f' variant="{h["variant"].replace(",", " ")}"'
        if 'maxph' in h:
            more += f' below-pH="{h["maxph"]}"'
        out.append(f'  <Hydrogen name="{h["name"]}" parent="{h["parent"]}"{more}/>')
    for a, b in bonds:
        out.append(f'  <Bond from="{a}" to="{b}"/>')
    out.append(' </Component>')


def main():
    out = ['<!--',
           'Ideal geometry (nm) and bonds of the heavy atoms of standard residues, their hydrogens by protonation state, and',
           'the parents of modified residues. "end": only in the first or last residue of a chain; "below-pH": the state',
           'that has this hydrogen is the one below that pH.', '',
           'Made by topologies/make-components.py from Debian\'s packages',
           f'  python3-pdbfixer {version("python3-pdbfixer")}: pdbfixer/templates (geometry)',
           f'  python3-simtk {version("python3-simtk")}: openmm/app/data/hydrogens.xml (hydrogens)',
           'Licence of both: Expat (MIT), copyright Stanford University and the Authors.', '-->', '<Components>']
    for name in AMINO:
        write_component(out, name, 'protein')
    for name in CAPS:
        write_component(out, name, 'cap')
    for name in NUCLEIC:
        write_component(out, name, 'nucleic')
    out.append(' <Component name="HOH" type="water">')
    out.append('  <Atom name="O" element="O" x="0" y="0" z="0"/>')
    out += [f'  <Hydrogen name="{h["name"]}" parent="O"/>' for h in read_hydrogens('HOH')]
    out.append(' </Component>')
    for name, (parent, renamed) in MODIFIED.items():
        if renamed is None:
            continue
        attributes = f' rebuild="{RING[name]}"' if name in RING else ''
        out.append(f' <Modified name="{name}" parent="{parent}"{attributes}' + ('>' if renamed else '/>'))
        if renamed:
            out += [f'  <Rename from="{a}" to="{b}"/>' for a, b in renamed.items()]
            out.append(' </Modified>')
    out.append('</Components>')
    (HERE / 'components.xml').write_text('\n'.join(out) + '\n')


main()
