#!/usr/bin/python3
"""Makes the force-field and residue files of this source tree from the data of Debian's python3-simtk.

usage: forcefields/convert.py [--data FOLDER] [--version TEXT]

FOLDER is OpenMM's app/data (found in the dist-packages of python3 by default), TEXT the version to
name in the files (asked from dpkg-query by default). Writes, beside this script,

  ff14SB.xml, ff99SB.xml, ff99SB_obc.xml   parameters as OpenMM has them, with a heading
  tip3p-ions.xml                           likewise, without the water that these are beside
  implicit/hct.xml obc1 obc2 gbn gbn2      a heading only: the models are built into the reader
  implicit/neck.xml                        the neck tables of gbn and gbn2
  ../topologies/residues.xml               bonds and other names of standard residues, merged

The numbers are copied as they stand, character by character.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent

LICENCE = """Licence: the AMBER force fields are in the public domain, as their authors say at https://ambermd.org;
OpenMM's files are under the Expat (MIT) licence, copyright Stanford University and the Authors."""

OBC = """  A. Onufriev, D. Bashford, D. A. Case: Exploring protein native states and large-scale conformational
  changes with a modified generalized Born model. Proteins 55, 383-394 (2004). doi:10.1002/prot.20033"""

HCT = """  G. D. Hawkins, C. J. Cramer, D. G. Truhlar: Parametrized models of aqueous free energies of solvation based
  on pairwise descreening of solute atomic charges from a dielectric medium. J. Phys. Chem. 100, 19824-19839
  (1996). doi:10.1021/jp961710n"""

GBN = """  J. Mongan, C. Simmerling, J. A. McCammon, D. A. Case, A. Onufriev: Generalized Born model with a simple,
  robust molecular volume correction. J. Chem. Theory Comput. 3, 156-169 (2007). doi:10.1021/ct600085e"""

GBN2 = """  H. Nguyen, D. R. Roe, C. Simmerling: Improved generalized Born solvent model parameters for protein
  simulations. J. Chem. Theory Comput. 9, 2020-2034 (2013). doi:10.1021/ct3010485
  H. Nguyen, A. Perez, S. Bermeo, C. Simmerling: Refinement of generalized Born implicit solvation parameters
  for nucleic acids and their complexes with proteins. J. Chem. Theory Comput. 11, 3714-3728 (2015).
  doi:10.1021/acs.jctc.5b00271"""

CUSTOM = """OpenMM's file of this name is a Python script; Cardo knows the model by the file's name and builds the same
CustomGBForce, so there is nothing to read here."""

SOLVENTS = {
    'hct': ('HCT implicit solvent with mbondi radii', CUSTOM, HCT),
    'obc1': ('OBC1 implicit solvent with mbondi2 radii', CUSTOM, OBC),
    'obc2': ('OBC2 implicit solvent with mbondi2 radii', CUSTOM.replace('the same\nCustomGBForce', """OpenMM's
GBSAOBCForce"""), OBC),
    'gbn': ('GBn implicit solvent with bondi radii', CUSTOM, GBN),
    'gbn2': ('GBn2 implicit solvent with mbondi3 radii', CUSTOM, GBN + '\n' + GBN2),
}

FORCE_FIELDS = {
    'ff14SB.xml': ('amber14/protein.ff14SB.xml', 'AMBER ff14SB, proteins', """\
  J. A. Maier, C. Martinez, K. Kasavajhala, L. Wickstrom, K. E. Hauser, C. Simmerling: ff14SB: Improving
  the accuracy of protein side chain and backbone parameters from ff99SB. J. Chem. Theory Comput. 11,
  3696-3713 (2015). doi:10.1021/acs.jctc.5b00255"""),
    'ff99SB.xml': ('amber99sb.xml', 'AMBER ff99SB: proteins, nucleic acids (ff99) and ions', """\
  V. Hornak, R. Abel, A. Okur, B. Strockbine, A. Roitberg, C. Simmerling: Comparison of multiple AMBER
  force fields and development of improved protein backbone parameters. Proteins 65, 712-725 (2006).
  doi:10.1002/prot.21123
  J. Wang, P. Cieplak, P. A. Kollman: How well does a restrained electrostatic potential (RESP) model
  perform in calculating conformational energies of organic and biological molecules? J. Comput. Chem.
  21, 1049-1074 (2000)."""),
    'tip3p-ions.xml': ('amber14/tip3p.xml', 'Ions for use beside ff14SB.xml, as fitted in TIP3P water', """\
  I. S. Joung, T. E. Cheatham: Determination of alkali and halide monovalent ion parameters for use in
  explicitly solvated biomolecular simulations. J. Phys. Chem. B 112, 9020-9041 (2008). doi:10.1021/jp8001614
  P. Li, B. P. Roberts, D. K. Chakravorty, K. M. Merz: Rational design of particle mesh Ewald compatible
  Lennard-Jones parameters for +2 metal cations in explicit solvent. J. Chem. Theory Comput. 9, 2733-2748
  (2013). doi:10.1021/ct400146w"""),
    'ff99SB_obc.xml': ('amber99_obc.xml', 'OBC2 implicit solvent for AMBER ff99SB', OBC),
}

# Residue names that OpenMM's tables lack: protonation states of AMBER, CHARMM and GROMACS, and waters.
MORE_ALIASES = {
    'ASP': ['ASH', 'ASPH', 'ASPP'],
    'GLU': ['GLH', 'GLUH', 'GLUP'],
    'LYS': ['LYN', 'LYSH', 'LSN'],
    'CYS': ['CYM', 'CYSH', 'CYS2'],
    'HIS': ['HSE', 'HISA', 'HISB', 'HISD', 'HISE', 'HISH', 'HISP'],
    'HOH': ['H2O', 'TIP', 'T3P', 'SPC', 'DOD'],
    'DT': ['T'],  # files of before 2007
}


def find_data():
    for folder in sys.path + ['/usr/lib/python3/dist-packages']:
        data = pathlib.Path(folder) / 'openmm' / 'app' / 'data'
        if (data / 'residues.xml').is_file():
            return data
    sys.exit('convert.py: no openmm/app/data found: install python3-simtk or use --data')


def find_version():
    try:
        shown = subprocess.run(['dpkg-query', '-W', '-f', '${Version}', 'python3-simtk'],
                               capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        sys.exit('convert.py: dpkg-query does not know python3-simtk: use --version')
    return shown.stdout


def heading(title, version, sources, citations):
    files = ', '.join('openmm/app/data/' + source for source in sources)
    text = f"""{title}.

Made by forcefields/convert.py from Debian's package python3-simtk {version}: {files}.
{LICENCE}
Cite:
{citations}"""
    assert '--' not in text
    return f'<!--\n{text}\n-->\n'


def without_water(text):
    text = re.sub(r' *<Residue name="HOH">.*?</Residue>\n', '', text, flags=re.DOTALL)
    text = re.sub(r' *<Harmonic(Bond|Angle)Force>.*?</Harmonic\1Force>\n', '', text, flags=re.DOTALL)
    return re.sub(r'.*"tip3p-[OH]".*\n', '', text)


def write_force_field(name, data, version):
    source, title, citations = FORCE_FIELDS[name]
    text = (data / source).read_text(encoding='utf-8')
    text = re.sub(r'^<\?xml.*?\?>\s*', '', text)
    if name == 'tip3p-ions.xml':
        text = without_water(text)
    (HERE / name).write_text(heading(title, version, [source], citations) + text.rstrip() + '\n',
                             encoding='utf-8')


def write_solvent(name):
    title, explanation, citations = SOLVENTS[name]
    text = f"""<!--
{title}, ACE surface term, solvent dielectric 78.5.

{explanation}
Cite:
{citations}
-->
<ForceField/>
"""
    (HERE / 'implicit').mkdir(exist_ok=True)
    (HERE / 'implicit' / f'{name}.xml').write_text(text, encoding='utf-8')


def table_of(source, name):
    """The numbers of a list in a Python file, as they are written there, 21 a line."""
    body = re.search(rf'^{name} *= *\[([^\]]*)\]', source, re.MULTILINE).group(1)
    numbers = [word.strip() for word in body.split(',') if word.strip()]
    if len(numbers) != 21 * 21:
        sys.exit(f'convert.py: {name} has {len(numbers)} numbers, not 441')
    return '\n'.join(' '.join(numbers[row:row + 21]) for row in range(0, 21 * 21, 21))


def write_necks(data, version):
    source = (data.parent / 'internal' / 'customgbforces.py').read_text(encoding='utf-8')
    text = f"""<!--
Neck tables of the generalized Born models GBn and GBn2: the distance of two atoms at which the integral over
the neck between them is largest (angstrom), and its value there (1/angstrom), for radii of 1.00, 1.05, ... 2.00
angstrom; one line a radius of the first atom.

Made by forcefields/convert.py from Debian's package python3-simtk {version}: openmm/app/internal/customgbforces.py.
Licence: Expat (MIT), copyright University of Virginia and the Authors.
Cite:
{GBN}
{GBN2}
-->
<Neck>
<Distance>
{table_of(source, 'd0')}
</Distance>
<Strength>
{table_of(source, 'm0')}
</Strength>
</Neck>
"""
    (HERE / 'implicit' / 'neck.xml').write_text(text, encoding='utf-8')


def aliases_of(element, skip=('name', 'type')):
    return [value for key, value in element.attrib.items() if key not in skip]


def alias_attribute(words, name):
    words = [word for word in dict.fromkeys(words) if word != name]
    return f' aliases="{" ".join(words)}"' if words else ''


def quoted(text):
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;')


def atom_lines(residue):
    return [f'  <Atom name="{quoted(atom.get("name"))}"'
            f'{quoted_aliases(atom)}/>' for atom in residue.findall('Atom')]


def quoted_aliases(atom):
    words = [quoted(word) for word in aliases_of(atom)]
    return alias_attribute(words, quoted(atom.get('name')))


def residue_lines(name, names, bonds):
    kind = names.get('type') if names is not None else None
    words = (aliases_of(names) if names is not None else []) + MORE_ALIASES.get(name, [])
    kind = f' type="{kind}"' if kind else ''
    lines = [f' <Residue name="{name}"{kind}{alias_attribute(words, name)}>']
    if names is not None:
        lines += atom_lines(names)
    if bonds is not None:
        lines += [f'  <Bond from="{quoted(bond.get("from"))}" to="{quoted(bond.get("to"))}"/>'
                  for bond in bonds.findall('Bond')]
    return lines + [' </Residue>']


def write_residues(data, version):
    groups, names, bonds = {}, {}, {}
    for residue in ElementTree.parse(data / 'pdbNames.xml').getroot():
        target = groups if residue.get('name') in ('All', 'Protein', 'Nucleic') else names
        target[residue.get('name')] = residue
    for residue in ElementTree.parse(data / 'residues.xml').getroot():
        bonds[residue.get('name')] = residue
    if groups['All'].findall('Atom'):
        sys.exit('convert.py: pdbNames.xml names atoms for all residues, which is not provided for')
    lines = ['<Residues>']
    for kind in ('Protein', 'Nucleic'):
        lines += [f' <Atoms type="{kind}">'] + atom_lines(groups[kind]) + [' </Atoms>']
    for name in sorted(set(names) | set(bonds)):
        lines += residue_lines(name, names.get(name), bonds.get(name))
    lines += ['</Residues>', '']
    top = f"""<!--
Bonds of standard residues by atom name ("-C": in the previous residue of the chain), and the other names that
atoms and residues go by. Names in <Atoms> hold for all residues of that type that do not list them themselves.

Made by forcefields/convert.py from Debian's package python3-simtk {version}:
openmm/app/data/residues.xml, openmm/app/data/pdbNames.xml; residue names of protonation states added.
Licence: Expat (MIT), copyright Stanford University and the Authors.
-->
"""
    (HERE.parent / 'topologies' / 'residues.xml').write_text(top + '\n'.join(lines),
                                                              encoding='utf-8')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--data', type=pathlib.Path)
    parser.add_argument('--version')
    arguments = parser.parse_args()
    data = arguments.data or find_data()
    version = arguments.version or find_version()
    for name in FORCE_FIELDS:
        write_force_field(name, data, version)
    for name in SOLVENTS:
        write_solvent(name)
    write_necks(data, version)
    write_residues(data, version)


if __name__ == '__main__':
    main()
