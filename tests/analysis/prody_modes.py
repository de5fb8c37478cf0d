#!/usr/bin/env python3
"""Figures of ProDy (Debian's python3-prody) that tests/analysis/test_modes.c compares with.

  prody_modes.py FOLDER... > tests/analysis/prody_modes.txt

Per structure that one of the folders has (pdb and the reference folder's pdb): C-alpha atoms (these files have one chain), anisotropic network (cutoff 15 A, gamma 1), and rotations and
translations of two and of four blocks; the lowest eigenvalues beside the six of rigid motion.
"""
import os
import sys
import numpy
import prody

prody.confProDy(verbosity='none')
MODES = 20
# name, file, residues of each block (by number); the rest of the chain goes with the first
CASES = [
    ('2mcg_1', '2mcg_1.pdb', [[(1, 110)], [(111, 216)]]),
    ('2mcg_1', '2mcg_1.pdb', [[(1, 50)], [(51, 110)], [(111, 160)], [(161, 216)]]),
    ('2lao', '2lao.pdb', [[(1, 89), (194, 238)], [(90, 193)]]),
    ('2lao', '2lao.pdb', [[(1, 60)], [(61, 120)], [(121, 180)], [(181, 238)]]),
    ('4ake', '4ake_A_fixedH.pdb', [[(1, 117), (161, 214)], [(118, 160)]]),
    ('4ake', '4ake_A_fixedH.pdb', [[(1, 29), (68, 117)], [(30, 67)], [(118, 160)], [(161, 214)]]),
]


def block_of(number, blocks):
    for k, ranges in enumerate(blocks):
        if any(low <= number <= high for low, high in ranges):
            return k
    raise ValueError(number)


def show(kind, name, blocks, values):
    print(kind, name, ';'.join(','.join('%d-%d' % r for r in b) for b in blocks) or '-', len(values),
          *('%.10e' % v for v in values))


done = set()
for name, file, blocks in CASES:
    path = next((f for f in (os.path.join(folder, file) for folder in sys.argv[1:]) if os.path.exists(f)), None)
    if not path:
        continue
    atoms = prody.parsePDB(path, subset='ca')
    if name not in done:
        anm = prody.ANM(name)
        anm.buildHessian(atoms, cutoff=15.0, gamma=1.0)
        anm.calcModes(MODES)
        show('anm', name, [], anm.getEigvals())
        done.add(name)
    rtb = prody.RTB(name)
    index = numpy.array([block_of(n, blocks) for n in atoms.getResnums()])
    rtb.buildHessian(atoms.getCoords(), index, cutoff=15.0, gamma=1.0)
    values = numpy.linalg.eigvalsh(rtb.getHessian())
    show('rtb', name, blocks, values[6:])
