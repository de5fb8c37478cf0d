#!/usr/bin/env python3
"""Overlaps of normal modes with the displacements between pairs of crystal structures, as a table.

  pairs.py CARDO PDB_FOLDER [NAME...]

For every pair of PAIRS whose files are in the folder (or those named): the model that `cardo domains` writes, the same
with every body free, the chain of the open structure with all its phi and psi, and plain anisotropic networks by cardo and,
where it is installed, by ProDy (1.5 nm, twenty lowest modes). Nothing is fitted here; only the first column knows the
second structure's hinge.
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

PAIRS = [
    ('LAO', '2lao.pdb', '1lst.pdb'),
    ('AdK', '4ake_A_fixedH.pdb', '1ake_A.pdb'),
    ('GlnBP, chain B', '1ggg_B.pdb', '1wdn.pdb'),
    ('GlnBP, chain A', '1ggg_A_bb.pdb', '1wdn.pdb'),
    ('RBP', '1urp_A_bb.pdb', '2dri.pdb'),
    ('DppA', '1dpe_A_bb.pdb', '1dpp_A_bb.pdb'),
    ('hexokinase', '3o80_A_bb.pdb', '3o8m_A_bb.pdb'),
    ('DNA polymerase beta', '1bpd_A_bb.pdb', '2bpg_E_bb.pdb'),
    ('calmodulin', '1cll_A_bb.pdb', '5ggm_A_bb.pdb'),
    ('MCG', '2mcg.pdb#1', '2mcg.pdb#2'),
    ('SdrG', '1r19_dssp.pdb#A', '1r19_dssp.pdb#B'),
]
MODES = 20


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(' '.join(words) + ': ' + done.stderr.strip())
    return done.stdout


def modes(cardo, model, out, *options):
    words = [cardo, 'modes', model, '--force', '--json', '--out', out, '--set', 'modes.animate=0', '--set',
             'modes.correlations=no', '--set', f'modes.count={MODES}']
    for option in options:
        words += ['--set', option]
    return json.loads(run(*words))


def torsions(annotation, structures, path):
    """A model with one body for the whole chain, and all its phi and psi."""
    ranges = re.findall(r'residues="([^"]*)"', open(annotation).read())
    residues = ','.join(ranges)
    with open(path, 'w') as file:
        file.write(f'<cardo version="1"><model name="torsions">{structures}<domain name="all" residues="{residues}"/>'
                   f'<body name="all" domains="all"/><flexible residues="{residues}" torsions="phi psi"/>'
                   '</model></cardo>\n')


def structures_of(model):
    return ''.join(re.findall(r'<structure [^>]*/>', open(model).read()))


def prody_best(first, second):
    """Best overlap of ProDy's anisotropic network, or None."""
    try:
        import numpy
        import prody
    except ImportError:
        return None
    prody.confProDy(verbosity='none')
    sides = []
    for name in (first, second):
        file, _, chain = name.partition('#')
        atoms = prody.parsePDB(file, subset='ca', chain=chain or None)
        sides.append(atoms)
    if sides[0].numAtoms() == sides[1].numAtoms():
        a, b = sides
    else:
        matches = prody.matchChains(sides[0], sides[1], seqid=30, overlap=50)
        a, b = matches[0][0], matches[0][1]
    anm = prody.ANM('network')
    anm.buildHessian(sides[0].getCoords(), cutoff=15.0, gamma=1.0)
    anm.calcModes(MODES)
    shift = prody.calcTransformation(b.getCoords(), a.getCoords()).apply(b.getCoords()) - a.getCoords()
    place = {tuple(x): k for k, x in enumerate(sides[0].getCoords())}
    rows = [place[tuple(x)] for x in a.getCoords()]
    best = 0
    for mode in anm:
        vector = mode.getEigvec().reshape(-1, 3)[rows]
        best = max(best, abs(float((vector * shift).sum()) / numpy.linalg.norm(vector) / numpy.linalg.norm(shift)))
    return best


def compare(cardo, folder, first, second, work):
    model = os.path.join(work, 'hinge.xml')
    first, second = (os.path.join(folder, name) for name in (first, second))
    run(cardo, 'domains', first, second, '-o', model, '--force', '--no-prepare')
    hinge = modes(cardo, model, os.path.join(work, 'hinge'), 'modes.against=anm,rtb')
    bending = os.path.join(work, 'torsions.xml')
    torsions(os.path.join(work, 'hinge.domains.xml'), structures_of(model), bending)
    chain = modes(cardo, bending, os.path.join(work, 'chain'))
    network, blocks = hinge['comparison']
    return {
        'domains': sum('body' in line and '<body' in line for line in open(model)),
        'rmsd': hinge['observed_rmsd_A'],
        'hinge': hinge['modes'][0]['overlap'],
        'blocks': blocks['best_overlap'],
        'softest': chain['modes'][0]['overlap'],
        'torsions': max(mode['overlap'] for mode in chain['modes']),
        'network': network['best_overlap'],
        'prody': prody_best(first, second),
    }


def line(name, cells):
    print('| ' + ' | '.join([name] + ['' if c is None else c if isinstance(c, str) else f'{c:.3f}' for c in cells]) + ' |',
          flush=True)


def main():
    cardo, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    wanted = sys.argv[3:]
    rows = []
    print('| pair | apart, Å | bodies | hinge model, softest | domains free, best | φ and ψ, softest | φ and ψ, best '
          '| C-alpha network, best | ProDy, best |')
    print('|---|---|---|---|---|---|---|---|---|')
    for name, first, second in PAIRS:
        there = all(os.path.exists(os.path.join(folder, file.partition('#')[0])) for file in (first, second))
        if not there or (wanted and name not in wanted):
            continue
        with tempfile.TemporaryDirectory() as work:
            try:
                found = compare(cardo, folder, first, second, work)
            except RuntimeError as error:
                print(f'{name}: {error}', file=sys.stderr)
                continue
        rows.append(found)
        line(name, [f"{found['rmsd']:.2f}", str(found['domains'])] +
             [found[key] for key in ('hinge', 'blocks', 'softest', 'torsions', 'network', 'prody')])
    medians = []
    for key in ('hinge', 'blocks', 'softest', 'torsions', 'network', 'prody'):
        known = [row[key] for row in rows if row[key] is not None]
        medians.append(statistics.median(known) if known else None)
    line('median', ['', ''] + medians)


if __name__ == '__main__':
    main()
