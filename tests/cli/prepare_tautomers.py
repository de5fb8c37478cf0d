#!/usr/bin/python3
"""Do the histidines of deposited structures get the tautomer that their neighbours leave no doubt about? usage:
prepare_tautomers.py CARDO FILE...

The truth is geometry, looked for here without Cardo: a ring nitrogen that points at an atom which can only take a hydrogen
(backbone O, carboxylates) has one; one that points at an atom which can only give one (backbone N-H, lysine, arginine), or
holds a metal, has none. Amides of Asn and Gln, hydroxyls, and waters may do either and tell nothing; where both nitrogens or neither are told,
there is nothing to test. Fails when a choice is another one, or when no histidine was told."""
import json
import math
import os
import subprocess
import sys
import tempfile

LONGEST, WIDEST, HELD = 3.2, 35.0, 2.6  # A, degrees, A
DOUBTFUL = 3.9  # A: an acceptor no farther before the other nitrogen leaves doubt
ALONG = 40.0  # degrees between a hydrogen bond and the direction of N-H
TAKES = {'O', 'OXT'}
TAKES_IN = {'ASP': {'OD1', 'OD2'}, 'GLU': {'OE1', 'OE2'}}
GIVES_IN = {'LYS': {'NZ'}, 'ARG': {'NE', 'NH1', 'NH2'}, 'TRP': {'NE1'}}
METALS = {'ZN', 'FE', 'CU', 'NI', 'CO', 'MN', 'MG', 'CA', 'CD', 'NA', 'K'}


def atoms_of(path):
    """(chain, number, residue, atom, element, position) of the first model, first alternates."""
    seen = set()
    with open(path) as file:
        for line in file:
            if line.startswith('ENDMDL'):
                break
            if not line.startswith(('ATOM', 'HETATM')):
                continue
            key = line[21:27], line[12:16].strip()
            name = line[12:16].strip()
            symbol = line[76:78].strip() or (line[12:14].strip() if line[12:14].strip() in METALS else name[0])
            if key not in seen:
                seen.add(key)
                yield (line[21].strip(), line[22:27].strip(), line[17:20].strip(), name, symbol,
                       tuple(float(line[k:k + 8]) for k in (30, 38, 46)))


def minus(a, b):
    return tuple(p - q for p, q in zip(a, b))


def angle(u, v):
    return math.degrees(math.acos(max(-1, min(1, sum(p * q for p, q in zip(u, v)) / math.hypot(*u) / math.hypot(*v)))))


def role(atom):
    """What an atom can do with a hydrogen: 'takes', 'gives', 'holds' (a metal) or None."""
    _, _, residue, name, symbol, _ = atom
    if symbol in METALS and residue not in TAKES_IN:
        return 'holds'
    if name in TAKES_IN.get(residue, ()) or (name in TAKES and residue != 'HOH'):
        return 'takes'
    if name in GIVES_IN.get(residue, ()) or (name == 'N' and residue != 'PRO' and symbol == 'N'):
        return 'gives'
    return None


def gives_towards(donor, at, atoms):
    """Does the hydrogen of a donor with two neighbours point at a place?"""
    beside = [a[5] for a in atoms if a[4] in ('C', 'N') and 0.1 < math.dist(a[5], donor[5]) < 1.65]
    if len(beside) != 2:
        return True
    middle = tuple(sum(b[k] for b in beside) / 2 for k in range(3))
    return angle(minus(donor[5], middle), minus(at, donor[5])) < ALONG


def told(path):
    """{(chain, number): 'HID' or 'HIE'} of the histidines whose neighbours tell."""
    atoms, rings, out = list(atoms_of(path)), {}, {}
    for a in atoms:
        if a[2] == 'HIS':
            rings.setdefault(a[:2], {})[a[3]] = a[5]
    for key, ring in rings.items():
        if not {'CG', 'ND1', 'CE1', 'NE2', 'CD2'} <= ring.keys():
            continue
        roles, doubtful = {}, set()
        for nitrogen, beside in (('ND1', ('CG', 'CE1')), ('NE2', ('CD2', 'CE1'))):
            at = ring[nitrogen]
            middle = tuple(sum(ring[b][k] for b in beside) / 2 for k in range(3))
            roles[nitrogen] = set()
            for other in atoms:
                d = math.dist(other[5], at)
                near = HELD if role(other) == 'holds' else LONGEST
                if other[:2] == key or d > DOUBTFUL or angle(minus(at, middle), minus(other[5], at)) > WIDEST:
                    continue
                if role(other) == 'takes' and d > near:
                    doubtful.add(nitrogen)
                elif d < near and role(other) and (role(other) != 'gives' or gives_towards(other, at, atoms)):
                    roles[nitrogen].add(role(other))
        wants = [n for n in roles if roles[n] == {'takes'}]
        without = [n for n in roles if roles[n] and 'takes' not in roles[n]]
        if len(wants) == 1 and not doubtful - set(wants):
            out[key] = 'HID' if wants[0] == 'ND1' else 'HIE'
        elif not wants and len(without) == 1 and not doubtful:
            out[key] = 'HIE' if without[0] == 'ND1' else 'HID'
    return out


def main():
    cardo, tested, wrong = sys.argv[1], 0, []
    for path in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as scratch:
            run = subprocess.run([cardo, 'prepare', path, '-o', os.path.join(scratch, 'out.pdb'), '--no-relax', '--json'],
                                 capture_output=True, text=True, check=True)
        chosen = {c['residue']: c['why'][:3] for c in json.loads(run.stdout)['changes']
                  if c['what'] == 'chosen' and c['why'].startswith(('HID', 'HIE', 'HIP')) and 'in the file' not in c['why']}
        for (chain, number), state in told(path).items():
            label = f'{chain}:HIS{number}'
            tested += label in chosen
            if label in chosen and chosen[label] != state:
                wrong.append(f'{os.path.basename(path)} {label} {chosen[label]}, neighbours say {state}')
    print(f'{tested} histidines told by their neighbours, {len(wrong)} otherwise' + ''.join(f'\n  {w}' for w in wrong))
    sys.exit(bool(wrong) or tested == 0)


if __name__ == '__main__':
    main()
