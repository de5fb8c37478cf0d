#!/usr/bin/python3
"""Measures what cardo prepare made of a structure: usage prepare_quality.py [--quick | --hydrogens] CARDO FILE
[options of cardo prepare...]. --quick leaves out the comparison with OpenMM and PDBFixer, --hydrogens that of energies,
which takes most of the time.

The oracles are the force field's equilibrium values (OpenMM), van der Waals radii (Bondi 1964), and PDBFixer with OpenMM's
hydrogens on the same heavy atoms and in the same protonation states. Prints one line a measure and exits with 1 when one
is out of bounds:

  templates   cardo check and cardo energy take the result
  moved       heavy atoms of the file that are elsewhere, gone without a word in the report, or told as dropped and there
  geometry    bonds and angles with a built atom against the force field's equilibrium values; chirality; peptide planes
  clash       contacts below 0.8 of the van der Waals distance with an atom that was built, hydrogen bonds apart; those
              of hydrogens that no torsion can turn away, or whose heavy atoms are nearer than 0.95 of their own distance
              in the crystal, are the crystal's and only counted
  hydrogens   RMS distance from OpenMM's on the same heavy atoms, without those of OH, SH, NH3 and water: as it places
              them, which is 50 steps of minimization from random places and differs by more between two of its runs (told
              only); from where its force field has them at least energy (openmm_hydrogens.py; judged without those that
              this itself puts out of the bounds of clash and geometry); and the same once ours have settled under that
              force field, which tells whether they lie in the same places of least energy
  energy      after 200 steps of minimization: OpenMM's hydrogens on the same heavy atoms, and PDBFixer's structure where
              heavy atoms were built (which is to be no better: it builds some into others)
  again       a second run changes nothing
"""
import gzip
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy
import openmm
from openmm import app, unit
from pdbfixer import PDBFixer

from openmm_hydrogens import (Reference, bonded_to, distances, groups_of, is_nucleic, label, make_context, make_system,
                              turns_polar, wrong_sides)

RADIUS = {'H': 1.20, 'C': 1.70, 'N': 1.55, 'O': 1.52, 'S': 1.80, 'P': 1.80, 'Se': 1.90}
# AMBER's equilibrium angles inside five-membered rings are 120 degrees, which is not their geometry.
RINGS = {'HIS': 'CG ND1 CE1 NE2 CD2', 'TRP': 'CG CD1 NE1 CE2 CD2', 'PURINE': 'N9 C8 N7 C5 C4'}
MOST_BOND, MOST_ANGLE, MOST_RMS, MOST_ENERGY, CONTACT, WEDGED, CROWDED = 0.06, 12.0, 0.1, 0.02, 0.8, 0.9, 0.95
BENT = 8.0  # degrees
SEEDS = 1, 2, 3  # of OpenMM's tries


def cif_rows(text):
    """Rows of _atom_site as dictionaries (values of one line each)."""
    tags, values = [], []
    for line in text.splitlines():
        if line.lower().startswith('_atom_site.'):
            tags.append(line.split()[0][11:].lower())
        elif tags and line.startswith(('_', 'loop_', 'data_')):
            break
        elif tags and not line.startswith('#'):
            values += re.findall(r"\"[^\"]*\"|'(?:[^']|'(?!\s))*'|\S+", line)
    values = [v[1:-1] if v[0] in '\'"' else v for v in values]
    return [dict(zip(tags, values[k:k + len(tags)])) for k in range(0, len(values), len(tags) or 1)]


def read_atoms(path):
    """(chain, number with insertion code, residue, atom, element, position, alternate) of the first model."""
    opener = gzip.open if path.endswith('.gz') else open
    with opener(path, 'rt', errors='replace') as file:
        text = file.read()
    atoms = []
    if '_atom_site.' in text:
        rows = cif_rows(text)
        for r in rows:
            if r.get('pdbx_pdb_model_num') != rows[0].get('pdbx_pdb_model_num'):
                break
            insertion = r.get('pdbx_pdb_ins_code', '?')
            chain, number = r.get('auth_asym_id', r['label_asym_id']), r.get('auth_seq_id', r['label_seq_id'])
            atoms.append((chain.strip('.?'), number + insertion.strip('?.'),
                          r['label_comp_id'], r.get('auth_atom_id', r['label_atom_id']), r['type_symbol'].capitalize(),
                          tuple(float(r[k]) for k in ('cartn_x', 'cartn_y', 'cartn_z')), r['label_alt_id'].strip('.?')))
        return atoms
    for line in text.splitlines():
        if line.startswith('ENDMDL') and atoms:
            break
        if line.startswith(('ATOM', 'HETATM')):
            name = line[12:16]
            symbol = line[76:78].strip() if line[76:78].strip().isalpha() else ''
            symbol = symbol or ('H' if name.strip().lstrip('0123456789').startswith(('H', 'D')) else name.strip()[0])
            atoms.append((line[21].strip(), line[22:27].strip(), line[17:20].strip(), name.strip(), symbol.capitalize(),
                          tuple(float(line[k:k + 8]) for k in (30, 38, 46)), line[16].strip()))
    return atoms


class Measures:
    def __init__(self):
        self.failures = 0

    def say(self, name, fine, words):
        self.failures += not fine
        print(f'  {"ok    " if fine else "FAILED"} {name:10s} {words}', flush=True)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def minimized(topology, positions):
    """Energies before and after 200 steps, kJ/mol."""
    context = make_context(make_system(topology))
    context.setPositions(positions)
    energy = [context.getState(getEnergy=True).getPotentialEnergy()]
    openmm.LocalEnergyMinimizer.minimize(context, 1e-3, 200)
    energy.append(context.getState(getEnergy=True).getPotentialEnergy())
    return [e.value_in_unit(unit.kilojoule_per_mole) for e in energy]


def angles_off(force, x):
    """Atoms of every angle and how far it is from its equilibrium value, degrees."""
    for k in range(force.getNumAngles()):
        i, j, l, angle, _ = force.getAngleParameters(k)
        u, v = x[i] - x[j], x[l] - x[j]
        yield (i, j, l), math.degrees(math.atan2(numpy.linalg.norm(numpy.cross(u, v)), u @ v) -
                                      angle.value_in_unit(unit.radian))


def bonds_off(force, x):
    for k in range(force.getNumBonds()):
        i, j, length, _ = force.getBondParameters(k)
        yield (i, j), numpy.linalg.norm(x[i] - x[j]) - length.value_in_unit(unit.angstrom)


def in_ring(atoms, indices):
    names = {atoms[k].name for k in indices}
    return any(names <= set(r.split()) for r in RINGS.values())


def geometry(measures, system, atoms, x, built, wedged):
    """Those of hydrogens that the crystal wedges, or on atoms that it bends itself, are only counted."""
    forces = {type(f): f for f in system.getForces()}
    bonds = list(bonds_off(forces[openmm.HarmonicBondForce], x))
    angles = [(at, off) for at, off in angles_off(forces[openmm.HarmonicAngleForce], x) if not in_ring(atoms, at)]
    bent = {at[1] for at, off in angles if abs(off) > BENT and not any(built[k] for k in at)}
    words, found = [], {True: [], False: []}
    for what, terms, most, form in (('bond', bonds, MOST_BOND, '.3f'), ('angle', angles, MOST_ANGLE, '.1f')):
        worst = (0, '')
        for at, off in terms:
            if any(built[k] for k in at):
                name = f'{label(atoms[at[0]])} ' + ' '.join(atoms[k].name for k in at[1:])
                worst = max(worst, (abs(off), name))
                if abs(off) > most:
                    found[bool(set(at) & wedged or at[1] in bent)].append(f'{name} {off:+{form}}')
        words.append(f'worst {what} off by {worst[0]:{form}} ({worst[1]})')
    for excused, why in ((False, 'outliers'), (True, 'at hydrogens that the crystal wedges or atoms that it bends')):
        if found[excused]:
            words.append(f'{len(found[excused])} {why}: ' + ', '.join(found[excused][:8]))
    measures.say('geometry', not found[False], '; '.join(words))


def chirality(measures, topology, x, built):
    centres = {'CA': ('N', 'C', 'CB', 1), 'THR': ('CA', 'OG1', 'CG2', 1), 'ILE': ('CA', 'CG1', 'CG2', 1)}
    wrong, cis, twisted, n = [], [], [], 0
    for r in topology.residues():
        at = {a.name: x[a.index] for a in r.atoms()}
        new = {a.name for a in r.atoms() if built[a.index]}
        for centre, (a, b, c, sign) in (('CA', centres['CA']), ('CB', centres.get(r.name, (None,) * 4))):
            if a in at and c in at and b in at and centre in at:
                volume = numpy.dot(at[a] - at[centre], numpy.cross(at[b] - at[centre], at[c] - at[centre]))
                n += 1
                if sign * volume < 1 and {centre, a, b, c} & new:
                    wrong.append(f'{r.chain.id}:{r.name}{r.id}.{centre} {volume:+.1f}')
    measures.say('chirality', not wrong, f'{n} centres' + (': wrong ' + ', '.join(wrong[:8]) if wrong else ''))


def turning(atom, neighbours, atoms):
    """'polar', 'methyl' or None: can a torsion turn this hydrogen?"""
    parent = next(iter(neighbours[atom.index]))
    heavy = [k for k in neighbours[parent] if atoms[k].element.symbol != 'H']
    hydrogens = len(neighbours[parent]) - len(heavy)
    if len(heavy) > 1:
        return None
    symbol = atoms[parent].element.symbol
    if symbol == 'C':
        return 'methyl' if hydrogens == 3 else None
    if symbol == 'N':
        return 'polar' if hydrogens == 3 or (hydrogens == 2 and atoms[parent].name in ('NZ', 'N')) else None
    return 'polar'


def near_pairs(x, reach):
    """Pairs nearer than reach, by cells."""
    cells = {}
    for i, key in enumerate(map(tuple, numpy.floor(x / reach).astype(int))):
        cells.setdefault(key, []).append(i)
    for (a, b, c), here in cells.items():
        around = [j for da in (-1, 0, 1) for db in (-1, 0, 1) for dc in (-1, 0, 1)
                  for j in cells.get((a + da, b + db, c + dc), ())]
        distances = numpy.linalg.norm(x[here][:, None] - x[around][None], axis=2)
        for k, m in zip(*numpy.nonzero(distances < reach)):
            if here[k] < around[m]:
                yield here[k], around[m], distances[k, m]


def within_three_bonds(neighbours, i, j):
    reached = {i}
    for _ in range(3):
        reached |= {k for r in reached for k in neighbours[r]}
    return j in reached


def turned(x, rotor, axis, angle):
    """Positions of a rotor's hydrogens after a turn about the axis (two points)."""
    origin, u = axis[0], (axis[1] - axis[0]) / numpy.linalg.norm(axis[1] - axis[0])
    v = x[rotor] - origin
    return origin + v * math.cos(angle) + numpy.cross(u, v) * math.sin(angle) + numpy.outer(v @ u, u) * (
        1 - math.cos(angle))


def no_torsion_helps(k, atoms, x, built, neighbours, polar, symbol):
    """Does a hydrogen's rotor clash at every torsion with what is held in place by the crystal?"""
    parent = next(iter(neighbours[k]))
    heavy = [n for n in neighbours[parent] if symbol[n] != 'H']
    rotor = [n for n in neighbours[parent] if symbol[n] == 'H']
    near = [n for n in numpy.nonzero(numpy.linalg.norm(x - x[parent], axis=1) < 4.5)[0] if n not in rotor and
            (symbol[n] != 'H' or not turning(atoms[n], neighbours, atoms)) and not within_three_bonds(neighbours, k, n)]
    limits = numpy.array([CONTACT * (RADIUS['H'] + RADIUS[symbol[n]]) for n in near])
    bonds = numpy.array([polar[k] and polar[n] and symbol[n] != 'H' for n in near], bool)
    for degrees in range(360):
        places = turned(x, rotor, (x[heavy[0]], x[parent]), math.radians(degrees))
        distances = numpy.linalg.norm(places[:, None] - x[near][None], axis=2)
        if not (~bonds & (distances < limits)).any() and not (bonds & (distances < 1.5)).any():
            return False
    return True


def crowded(i, j, x, built, neighbours, symbol):
    """Do the crystal's heavy atoms below two hydrogens, or a hydrogen and a heavy atom, come too near themselves?"""
    a, b = (next(iter(neighbours[k])) if symbol[k] == 'H' else k for k in (i, j))
    return not built[a] and not built[b] and numpy.linalg.norm(x[a] - x[b]) < CROWDED * (
        RADIUS[symbol[a]] + RADIUS[symbol[b]])


def clashes(measures, atoms, x, built, neighbours):
    symbol = [a.element.symbol for a in atoms]
    polar = [s in 'NOS' or (s == 'H' and symbol[next(iter(neighbours[k]))] in 'NOS') for k, s in enumerate(symbol)]
    found, wedged = {'crystal': [], 'forced': [], 'turned': [], 'heavy': []}, set()
    for i, j, d in near_pairs(x, 3.0):
        limit = RADIUS[symbol[i]] + RADIUS[symbol[j]]
        if d > WEDGED * limit or within_three_bonds(neighbours, i, j):
            continue
        if polar[i] and polar[j] and (symbol[i] == 'H') != (symbol[j] == 'H'):
            continue
        kind = 'crystal'
        for k in (i, j):
            if built[k]:
                parent = next(iter(neighbours[k])) if symbol[k] == 'H' else k
                this = 'heavy' if built[parent] else 'turned' if turning(atoms[k], neighbours, atoms) else 'forced'
                if this == 'turned' and no_torsion_helps(k, atoms, x, built, neighbours, polar, symbol):
                    this = 'forced'
                kind = max(kind, this, key=list(found).index)
        if kind == 'turned' and crowded(i, j, x, built, neighbours, symbol):
            kind = 'forced'
        wedged |= {k for k in (i, j) if kind == 'forced' and symbol[k] == 'H'}
        if d > CONTACT * limit:
            continue
        found[kind].append((d / limit, f'{label(atoms[i])} {label(atoms[j])} {d:.2f} A ({d / limit:.2f})'))
    for kind, words in (('heavy', 'with heavy atoms that were built'), ('turned', 'that a torsion would avoid'),
                        ('forced', 'of hydrogens that the crystal\'s atoms leave no better place'), ('crystal', 'in the crystal')):
        worst = ', '.join(w for _, w in sorted(found[kind])[:8])
        measures.say('clash', kind in ('crystal', 'forced') or not found[kind], f'{len(found[kind])} {words}' +
                     (f': {worst}' if worst else ''))
    return wedged


def oracle_input(topology, x, built, path):
    """The heavy atoms of the file under standard names, with TER where chains end or break."""
    neighbours, residue_of = bonded_to(topology), [a.residue for a in topology.atoms()]
    lines, serial = [], 0
    residues = list(topology.residues())
    for n, r in enumerate(residues):
        for a in r.atoms():
            if not built[a.index] and a.element.symbol != 'H':
                serial += 1
                p = x[a.index]
                lines.append(f'ATOM  {serial % 100000:5d} {a.name if len(a.name) > 3 else " " + a.name:4s} {r.name:>3s} '
                             f'{r.chain.id[:1] or " "}{r.id:>4s}{r.insertionCode or " "}   {p[0]:8.3f}{p[1]:8.3f}{p[2]:8.3f}'
                             f'  1.00  0.00          {a.element.symbol:>2s}')
        following = residues[n + 1] if n + 1 < len(residues) else None
        if not following or not any(residue_of[k] is following for a in r.atoms() for k in neighbours[a.index]):
            lines.append('TER')
    with open(path, 'w') as file:
        file.write('\n'.join(lines) + '\nEND\n')


def variant(residue):
    names = {a.name for a in residue.atoms()}
    if residue.name == 'HIS':
        return 'HIP' if {'HD1', 'HE2'} <= names else 'HID' if 'HD1' in names else 'HIE'
    if residue.name == 'CYS':
        return 'CYS' if 'HG' in names else 'CYX'
    if residue.name == 'ASP':
        return 'ASH' if 'HD2' in names else 'ASP'
    if residue.name == 'GLU':
        return 'GLH' if 'HE2' in names else 'GLU'
    if residue.name == 'LYS':
        return 'LYS' if 'HZ1' in names and 'HZ3' in names else 'LYN'
    return None


def by_pdbfixer(topology, path):
    """PDBFixer completes the heavy atoms of the file: topology and positions."""
    fixer = PDBFixer(filename=path)
    fixer.missingResidues = {}
    fixer.findMissingAtoms()
    fixer.addMissingAtoms(seed=1)
    ours, theirs = ([r.name for r in t.residues()] for t in (topology, fixer.topology))
    assert ours == theirs, 'PDBFixer has other residues'
    return fixer.topology, fixer.positions


def out_of_bounds(topology, x):
    """Hydrogens of a placement that has them nearer to something, or at other angles, than this measurement allows."""
    atoms, neighbours, found = list(topology.atoms()), bonded_to(topology), set()
    symbol = [a.element.symbol for a in atoms]
    polar = [s in 'NOS' or (s == 'H' and symbol[next(iter(neighbours[k]))] in 'NOS') for k, s in enumerate(symbol)]
    for i, j, d in near_pairs(x, 3.0):
        shared = polar[i] and polar[j] and (symbol[i] == 'H') != (symbol[j] == 'H')
        if d <= CONTACT * (RADIUS[symbol[i]] + RADIUS[symbol[j]]) and not shared and not within_three_bonds(neighbours, i, j):
            found |= {i, j}
    system = make_system(topology, False)  # owns the forces
    forces = {type(f): f for f in system.getForces()}
    for at, off in angles_off(forces[openmm.HarmonicAngleForce], x):
        if abs(off) > MOST_ANGLE and not in_ring(atoms, at):
            found |= {at[0], at[2]}
    return {k for k in found if symbol[k] == 'H'}


def in_frame(reference, topology, x):
    """Our hydrogens under the reference's numbers."""
    own, y = groups_of(topology), reference.x.copy()
    assert own.keys() == reference.groups.keys(), 'hydrogens on other atoms'
    for key, (_, hydrogens, _) in reference.groups.items():
        assert len(own[key][1]) == len(hydrogens), f'{key} has another number of hydrogens'
        y[hydrogens] = x[own[key][1]]
    return y


def hydrogens(measures, reference, y, theirs, words, judged=True, without=frozenset()):
    """RMS distance between two placements, told for all; judged without some, where there are such."""
    atoms, sums, free, worst = list(reference.topology.atoms()), {False: [], True: []}, [], []
    for parent, mine, heavy in reference.groups.values():
        if turns_polar(atoms, parent, heavy, mine):
            continue
        apart = distances(y, mine, theirs, mine)
        sums[len(mine) == 3] += apart
        free += apart if not without & set(mine) else []
        worst.append((max(apart), label(atoms[parent])))
    rms = [math.sqrt(numpy.mean(numpy.square(s))) if s else 0 for s in (sums[False] + sums[True], sums[False], sums[True], free)]
    measures.say('hydrogens', not judged or rms[3] < MOST_RMS, f'RMS {rms[0]:.3f} A {words}: {len(sums[False])} fixed {rms[1]:.3f} A, '
                 f'{len(sums[True])} of methyls {rms[2]:.3f} A; farthest ' +
                 ', '.join(f'{d:.2f} A ({name})' for d, name in sorted(worst, reverse=True)[:4]) +
                 (f'; {rms[3]:.3f} A without {len(sums[False] + sums[True]) - len(free)} that OpenMM itself has below {CONTACT} of '
                  f'the contact or with angles more than {MOST_ANGLE:.0f} degrees off, and those beside them' if without else ''))


def heavy_atoms(measures, before, after, report):
    """Every heavy atom of the file that is there again is where it was, and the others are told of."""
    told = {(c['residue'], c.get('atom', '')) for c in report['changes'] if c['what'] in ('dropped', 'renamed', 'moved')}
    ours = {(a[0], a[1], a[3]): a for a in after}
    by_place = {a[5]: a for a in after if a[4] != 'H'}
    at_place, replaced = {}, set()
    for a in before:
        at_place.setdefault((a[0], a[1]), set()).add(a[2])
    for place, residues in at_place.items():
        chosen = [c['why'] for c in report['changes'] if c['what'] == 'chosen' and
                  c['residue'] in {f'{place[0]}:{r}{place[1]}' for r in residues}]
        replaced |= {(*place, r) for r in residues if any(f', {r})' in why for why in chosen)}
    moved, silent, kept = [], [], set()
    groups = {}
    for a in before:
        if a[4] not in ('H', 'D'):
            groups.setdefault((a[0], a[1], a[3]), []).append(a)
    for key, alternates in groups.items():
        if any(a[5] in by_place for a in alternates):
            kept.add(next(a[5] for a in alternates if a[5] in by_place))
            continue
        # Heavy water is told as water; a residue that lost its place to another one, with the alternates of that.
        names = [(f'{a[0]}:{residue}{a[1]}', name) for a in alternates for name in (a[3], '')
                 for residue in ((a[2], 'HOH') if a[2] == 'DOD' else (a[2],))]
        if any((a[0], a[1], a[2]) in replaced for a in alternates):
            continue
        (moved if key in ours else silent).append(f'{key[0]}:{alternates[0][2]}{key[1]}.{key[2]}')
        if any(n in told for n in names):
            (moved if key in ours else silent).pop()
    measures.say('moved', not moved and not silent, f'{len(kept)} heavy atoms where they were, {len(moved)} elsewhere, '
                 f'{len(silent)} gone without a word' + (': ' + ', '.join((moved + silent)[:8]) if moved + silent else ''))
    return kept


def model_file(path, structure, topology):
    spans = []
    for chain in topology.chains():
        residues = list(chain.residues())
        spans.append(f'{chain.id}:{residues[0].id}{residues[0].insertionCode.strip()}-'
                     f'{residues[-1].id}{residues[-1].insertionCode.strip()}')
    files = 'ff99SB.xml' if is_nucleic(topology) else 'ff14SB.xml'
    with open(path, 'w') as file:
        file.write(f'<cardo version="1"><model name="prepared"><structure id="only" file="{structure}"/>'
                   f'<domain name="all" residues="{",".join(dict.fromkeys(spans))}"/><body name="all" domains="all"/>'
                   f'<forcefield files="{files}" platform="CPU"/></model></cardo>')
    return files


def compare_hydrogens(measures, topology, positions, x):
    """With OpenMM's on the same heavy atoms, which are returned."""
    variants = [variant(r) for r in topology.residues()]
    modeller = app.Modeller(topology, positions)
    modeller.delete([a for a in topology.atoms() if a.element.symbol == 'H'])
    reference = Reference(modeller.topology, modeller.positions, variants, SEEDS)
    print('         ' + '\n         '.join(reference.words))
    y = in_frame(reference, topology, x)
    hydrogens(measures, reference, y, reference.placed, 'to OpenMM\'s as placed', False)
    hydrogens(measures, reference, y, reference.x, 'to OpenMM\'s', without=out_of_bounds(reference.topology, reference.x))
    _, ours_settled, _ = reference.settler.settle(y)
    hydrogens(measures, reference, ours_settled, reference.x, 'to OpenMM\'s once these are settled, too')
    return reference


def compare_energies(measures, topology, positions, x, built, bare, reference):
    """After minimization: with OpenMM's hydrogens on the same heavy atoms, and with PDBFixer's heavy atoms."""
    variants = [variant(r) for r in topology.residues()]
    ours = minimized(topology, positions)
    theirs = [(minimized(reference.topology, reference.x / 10), 'OpenMM\'s hydrogens')]
    if any(b and a.element.symbol != 'H' for a, b in zip(topology.atoms(), built)):
        oracle_input(topology, x, built, bare)
        fixed = Reference(*by_pdbfixer(topology, bare), variants, SEEDS[:1])
        theirs.append((minimized(fixed.topology, fixed.x / 10), f'PDBFixer\'s heavy atoms ({nearest_heavy(fixed)})'))
    for energies, whose in theirs:
        off = (ours[1] - energies[1]) / abs(energies[1])
        measures.say('energy', off < MOST_ENERGY and (off > -MOST_ENERGY or 'PDBFixer' in whose), f'{ours[0]:.0f} -> {ours[1]:.0f} kJ/mol, with {whose} '
                     f'{energies[0]:.0f} -> {energies[1]:.0f} kJ/mol: {100 * off:+.2f} %')


def nearest_heavy(reference):
    """The nearest approach of heavy atoms that are no neighbours, in words."""
    atoms, neighbours = list(reference.topology.atoms()), bonded_to(reference.topology)
    heavy = [a.index for a in atoms if a.element.symbol != 'H']
    pairs = sorted((d, heavy[i], heavy[j]) for i, j, d in near_pairs(reference.x[heavy], 3.0))
    d, i, j = next(p for p in pairs if not within_three_bonds(neighbours, p[1], p[2]))
    return f'nearest approach {label(atoms[i])} {label(atoms[j])} {d:.2f} A'


def main():
    less = sys.argv[1] if sys.argv[1].startswith('--') else ''
    cardo, path, *options = sys.argv[2 if less else 1:]
    measures = Measures()
    with tempfile.TemporaryDirectory() as scratch:
        out, again, bare, model = (os.path.join(scratch, f) for f in ('out.pdb', 'again.pdb', 'bare.pdb', 'model.xml'))
        print(os.path.basename(path), *options)
        start = time.time()
        prepared = run(cardo, 'prepare', path, '-o', out, '--json', *options)
        if prepared.returncode:
            measures.say('prepare', False, prepared.stderr.strip())
            sys.exit(1)
        report = json.loads(prepared.stdout)
        measures.say('prepare', True, f'{time.time() - start:.1f} s, {report["atoms"]} atoms, '
                     f'{report["heavy_atoms_built"]} heavy ones built')
        pdb = app.PDBFile(out)
        topology, atoms = pdb.topology, list(pdb.topology.atoms())
        x = numpy.array(pdb.positions.value_in_unit(unit.angstrom))
        files = model_file(model, out, topology)
        check = run(cardo, 'check', out, '--forcefield', files)
        energy = run(cardo, 'energy', model, '--json')
        measures.say('templates', check.returncode == 0 and energy.returncode == 0,
                     (check.stderr + energy.stderr).strip() or
                     f'potential {json.loads(energy.stdout)["potential_kJ_per_mol"]:.0f} kJ/mol')
        before, after = read_atoms(path), read_atoms(out)
        kept = heavy_atoms(measures, before, after, report)
        kept |= {a[5] for a in before if a[4] in ('H', 'D')}
        built = [tuple(round(v, 3) for v in x[a.index]) not in kept for a in atoms]
        neighbours = bonded_to(topology)
        wedged = clashes(measures, atoms, x, built, neighbours)
        geometry(measures, make_system(topology), atoms, x, built, wedged)
        chirality(measures, topology, x, built)
        inverted = [f'{label(atoms[p])}' for p, _, h in wrong_sides(topology, x) if any(built[k] for k in h)]
        measures.say('sides', not inverted, f'{len(inverted)} carbons with hydrogens on the wrong side' +
                     (': ' + ', '.join(inverted[:8]) if inverted else ''))
        if less != '--quick':
            reference = compare_hydrogens(measures, topology, pdb.positions, x)
            if less != '--hydrogens':
                compare_energies(measures, topology, pdb.positions, x, built, bare, reference)
        second = run(cardo, 'prepare', out, '-o', again)
        with open(out) as a, open(again) as b:
            same = a.read() == b.read()
        measures.say('again', second.returncode == 0 and same, 'a second run changes nothing' if same else 'differs')
    sys.exit(measures.failures > 0)


if __name__ == '__main__':
    main()
