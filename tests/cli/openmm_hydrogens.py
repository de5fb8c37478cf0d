"""Where OpenMM puts hydrogens, as a reference: several of its tries, each settled, and of each site the place of least energy.

Modeller.addHydrogens begins at random places and minimizes for 50 steps: two runs differ by 0.1 A among themselves, and a
hydrogen that begins among its atom's other neighbours stays there, tens of kJ/mol above where it belongs. So the reference
here is what OpenMM's own energy says, with heavy atoms held:

  1. tries with different seeds; carbons whose hydrogens are on a side where no such carbon has them are put right;
  2. each is minimized until no hydrogen moves any more;
  3. from the try of least energy on: where another try has hydrogens more than APART away, these are taken over, one group of
     neighbouring atoms at a time, if that lowers the energy; then all is minimized again.
"""
import math
import random

import numpy
import openmm
from openmm import app, unit

MOVED = 0.01  # A: the most that a hydrogen may still move in STEPS more steps
STEPS, ROUNDS = 100, 12
APART = 0.3  # A
TOGETHER = 4.0  # A: parents of hydrogens that are taken over together
GAIN = 0.5  # kJ/mol


def is_nucleic(topology):
    return any(r.name in 'DA DC DG DT A C G U'.split() for r in topology.residues())


def forcefield(topology, solvent=True):
    files = ['amber14/protein.ff14SB.xml']
    if is_nucleic(topology):
        files += ['amber14/DNA.OL15.xml', 'amber14/RNA.OL3.xml']
    return app.ForceField(*files, *(['implicit/obc2.xml'] if solvent else []))


def make_system(topology, solvent=True):
    return forcefield(topology, solvent).createSystem(topology, nonbondedMethod=app.CutoffNonPeriodic,
                                             nonbondedCutoff=1.0 * unit.nanometer, constraints=None)


def make_context(system):
    # One thread: tests run beside each other, and small systems lose more by waiting for a second than it does.
    return openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName('CPU'), {'Threads': '1'})


def bonded_to(topology):
    neighbours = [set() for _ in topology.atoms()]
    for a, b in topology.bonds():
        neighbours[a.index].add(b.index)
        neighbours[b.index].add(a.index)
    return neighbours


def label(atom):
    r = atom.residue
    return f'{r.chain.id}:{r.name}{r.id}{r.insertionCode.strip()}.{atom.name}'


def groups_of(topology):
    """Heavy atoms with hydrogens: {(residue index, name): (parent, hydrogens, other heavy neighbours)}."""
    neighbours, atoms, out = bonded_to(topology), list(topology.atoms()), {}
    for a in atoms:
        hydrogens = sorted(k for k in neighbours[a.index] if atoms[k].element.symbol == 'H')
        if hydrogens and a.element.symbol != 'H':
            out[a.residue.index, a.name] = (a.index, hydrogens, sorted(neighbours[a.index] - set(hydrogens)))
    return out


def distances(x, mine, y, theirs):
    """Between hydrogens of one parent in two placements, in the order that suits best."""
    from itertools import permutations
    best = min(permutations(theirs), key=lambda order: sum(((x[i] - y[j]) ** 2).sum() for i, j in zip(mine, order)))
    return [float(numpy.linalg.norm(x[i] - y[j])) for i, j in zip(mine, best)]


def tetrahedral(x, parent, heavy):
    """Where the hydrogens belong: opposite to three neighbours, or to either side of two."""
    u = [(x[k] - x[parent]) / numpy.linalg.norm(x[k] - x[parent]) for k in heavy]
    back = -sum(u) / numpy.linalg.norm(sum(u))
    if len(heavy) == 3:
        return [x[parent] + 1.09 * back]
    across = numpy.cross(u[0], u[1])
    across /= numpy.linalg.norm(across)
    return [x[parent] + 1.09 * (math.cos(math.radians(54)) * back + side * math.sin(math.radians(54)) * across)
            for side in (1, -1)]


def wrong_sides(topology, x):
    """Carbons with hydrogens that no tetrahedral carbon can have: both on one side of their neighbours' plane, or one
    among the three neighbours instead of opposite to them."""
    atoms = list(topology.atoms())
    for parent, hydrogens, heavy in groups_of(topology).values():
        if atoms[parent].element.symbol != 'C' or (len(heavy), len(hydrogens)) not in ((2, 2), (3, 1)):
            continue
        if len(heavy) == 3:
            back = tetrahedral(x, parent, heavy)[0] - x[parent]
            wrong = (x[hydrogens[0]] - x[parent]) @ back <= 0
        else:
            across = numpy.cross(x[heavy[0]] - x[parent], x[heavy[1]] - x[parent])
            one, other = ((x[k] - x[parent]) @ across for k in hydrogens)
            wrong = one * other >= 0
        if wrong:
            yield parent, heavy, hydrogens


def angle_of(x, a, b, c):
    u, v = x[a] - x[b], x[c] - x[b]
    return math.degrees(math.atan2(numpy.linalg.norm(numpy.cross(u, v)), u @ v))


def put_right(topology, x):
    """Puts hydrogens that are on the wrong side of their carbon to the right one; tells which, with the angles that show
    it."""
    words, atoms = [], list(topology.atoms())
    for parent, heavy, hydrogens in list(wrong_sides(topology, x)):
        angles = [angle_of(x, h, parent, k) for h in hydrogens for k in heavy] + (
            [angle_of(x, hydrogens[0], parent, hydrogens[1])] if len(hydrogens) > 1 else [])
        words.append(f'{label(atoms[parent])} (angles {" ".join(f"{a:.0f}" for a in sorted(angles))})')
        places = tetrahedral(x, parent, heavy)
        if len(places) > 1:
            straight, crossed = (sum(numpy.linalg.norm(x[h] - q) for h, q in zip(hydrogens, order))
                                 for order in (places, places[::-1]))
            places = places if straight <= crossed else places[::-1]
        for h, place in zip(hydrogens, places):
            x[h] = place
    return words


class Settler:
    """Minimizes the hydrogens of one topology under OpenMM's force field; heavy atoms are held. Positions in A."""

    def __init__(self, topology, solvent):
        system = make_system(topology, solvent)
        self.hydrogens = [a.index for a in topology.atoms() if a.element.symbol == 'H']
        for atom in topology.atoms():
            if atom.element.symbol != 'H':
                system.setParticleMass(atom.index, 0)
        self.context = make_context(system)

    def energy(self, x):
        self.context.setPositions(x / 10)
        return self.context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)

    def settle(self, x):
        """Energy (kJ/mol), positions, and the farthest that a hydrogen moved in the last steps (A)."""
        self.context.setPositions(x / 10)
        for _ in range(ROUNDS):
            openmm.LocalEnergyMinimizer.minimize(self.context, 1, STEPS)
            state = self.context.getState(getPositions=True, getEnergy=True)
            before, x = x, state.getPositions(asNumpy=True).value_in_unit(unit.angstrom).copy()
            moved = float(numpy.linalg.norm(x - before, axis=1).max())
            if moved < MOVED:
                break
        return state.getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole), x, moved


def components(keys, groups, x):
    """Groups of hydrogens' parents that are near each other."""
    left, out = set(keys), []
    while left:
        part, front = set(), [min(left)]
        while front:
            key = front.pop()
            if key not in left:
                continue
            left.discard(key)
            part.add(key)
            here = x[groups[key][0]]
            front += [k for k in left if numpy.linalg.norm(x[groups[k][0]] - here) < TOGETHER]
        out.append(sorted(part))
    return out


def take_over(settler, groups, energy, x, other, allowed=lambda key: True):
    """Takes over from another placement (positions by group) what lowers the energy. Returns energy, positions and
    (keys, gain in kJ/mol) of each."""
    differ = [key for key, (_, mine, _) in groups.items()
              if key in other and max(distances(x, mine, other[key], range(len(mine)))) > APART]
    taken = []
    for part in components(differ, groups, x):
        if not all(allowed(key) for key in part):
            continue
        trial = x.copy()
        for key in part:
            trial[groups[key][1]] = other[key]
        after = settler.energy(trial)
        if after < energy - GAIN:
            taken.append((part, energy - after))
            energy, x = after, trial
    return energy, x, taken


class Reference:
    """OpenMM's hydrogens on a topology without: positions (A) and topology, and words about how they came about."""

    def __init__(self, topology, positions, variants, seeds):
        self.words, tries = [], []
        for seed in seeds:
            random.seed(seed)
            modeller = app.Modeller(topology, positions)
            modeller.addHydrogens(forcefield(topology, False), variants=variants,
                                  platform=openmm.Platform.getPlatformByName('CPU'))
            self.topology = modeller.topology
            placed = numpy.array(modeller.positions.value_in_unit(unit.angstrom))
            settler = self.settler = getattr(self, 'settler', None) or Settler(self.topology, False)
            wrong, x, before = [], placed.copy(), settler.energy(placed)
            for _ in range(4):
                more = put_right(self.topology, x)
                wrong += more
                if wrong and not more:
                    break
                energy, x, moved = settler.settle(x)
            tries.append((energy, x, placed, wrong, moved, before))
        tries.sort(key=lambda t: t[0])
        self.groups = groups_of(self.topology)
        self.energy, self.x, self.placed = tries[0][:3]
        self.between = [[self.rms(a[k], b[k]) for i, a in enumerate(tries) for b in tries[:i]] for k in (2, 1)]
        for energy, x, _, wrong, moved, before in tries:
            self.words.append(f'a try of OpenMM: {before:.0f} kJ/mol as placed, {energy:.0f} settled (still moving {moved:.3f} A), '
                              f'{len(wrong)} carbons put right' + (': ' + ', '.join(wrong[:4]) if wrong else ''))
        for energy, x, *_ in tries[1:]:
            other = {key: x[g[1]] for key, g in self.groups.items()}
            self.energy, self.x, taken = take_over(self.settler, self.groups, self.energy, self.x, other)
            if taken:
                self.energy, self.x, _ = self.settler.settle(self.x)
        self.words.append(f'of least energy at each site: {self.energy:.0f} kJ/mol; its tries differ by ' + ' and '.join(
            f'{min(b):.3f} to {max(b):.3f} A {when}' for b, when in zip(self.between, ('as placed', 'settled')) if b))

    def rms(self, x, y):
        atoms = list(self.topology.atoms())
        d = [d for parent, h, heavy in self.groups.values() if not turns_polar(atoms, parent, heavy, h)
             for d in distances(x, h, y, h)]
        return math.sqrt(numpy.mean(numpy.square(d)))


def turns_polar(atoms, parent, heavy, hydrogens):
    """Hydrogens of OH, SH, NH3 and water: a torsion turns them, and what is around decides."""
    symbol = atoms[parent].element.symbol
    if len(heavy) > 1 or symbol == 'C':
        return False
    return symbol != 'N' or len(hydrogens) == 3 or (len(hydrogens) == 2 and atoms[parent].name in ('NZ', 'N'))
