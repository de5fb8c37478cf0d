"""Models and runs as other packages have molecules: MDAnalysis, MDTraj, ProDy. Each is imported when it is asked for. Positions are in
each package's own unit: nm in MDTraj, angstrom in the others."""
import numpy

from cardo._library import lib, text

SYMBOLS = ("X H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te "
           "I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es "
           "Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og").split()


class Atoms:
    """What a structure says of its atoms, residues and chains, in lists."""

    def __init__(self, structure):
        atoms, residues, chains = (range(count(structure)) for count in (lib.cardo_structure_natom, lib.cardo_structure_nresidue, lib.cardo_structure_nchain))
        self.names = [text(lib.cardo_structure_atom_name(structure, k)) for k in atoms]
        self.numbers = [lib.cardo_structure_element(structure, k) for k in atoms]
        self.elements = [SYMBOLS[number] for number in self.numbers]
        self.residue = [lib.cardo_structure_atom_residue(structure, k) for k in atoms]
        self.resnames = [text(lib.cardo_structure_residue_name(structure, k)) for k in residues]
        self.resids = [lib.cardo_structure_residue_number(structure, k) for k in residues]
        self.icodes = [lib.cardo_structure_insertion(structure, k).decode().strip("\0") for k in residues]
        self.chain = [lib.cardo_structure_residue_chain(structure, k) for k in residues]
        self.chain_ids = [text(lib.cardo_structure_chain_id(structure, k)) for k in chains]

    def of_residues(self, values):
        """Values by residue as values by atom."""
        return [values[k] for k in self.residue]


def mdanalysis(atoms, positions):
    import MDAnalysis
    from MDAnalysis.topology.guessers import guess_masses

    universe = MDAnalysis.Universe.empty(len(atoms.names), len(atoms.resnames), len(atoms.chain_ids), atom_resindex=atoms.residue,
                                         residue_segindex=atoms.chain, trajectory=True)
    chains = [atoms.chain_ids[k] for k in atoms.chain]
    for name, values in (("names", atoms.names), ("elements", atoms.elements), ("types", atoms.elements), ("masses", guess_masses(atoms.elements)),
                         ("resnames", atoms.resnames), ("resids", atoms.resids), ("resnums", atoms.resids), ("icodes", atoms.icodes),
                         ("segids", atoms.chain_ids), ("chainIDs", atoms.of_residues(chains))):
        universe.add_TopologyAttr(name, values)
    universe.atoms.positions = 10 * positions
    return universe


def mdtraj(atoms, positions):
    import mdtraj

    topology = mdtraj.Topology()
    chains = [topology.add_chain() for _ in atoms.chain_ids]
    residues = [topology.add_residue(name, chains[chain], number, atoms.chain_ids[chain])
                for name, chain, number in zip(atoms.resnames, atoms.chain, atoms.resids)]
    for name, number, residue in zip(atoms.names, atoms.numbers, atoms.residue):
        element = mdtraj.element.Element.getByAtomicNumber(number) if number else mdtraj.element.virtual
        topology.add_atom(name, element, residues[residue])
    topology.create_standard_bonds()
    return mdtraj.Trajectory(positions[None], topology)


def prody(atoms, positions, title):
    import prody

    group = prody.AtomGroup(title)
    group.setCoords(10 * positions)
    group.setNames(atoms.names)
    group.setElements(atoms.elements)
    for put, values in ((group.setResnames, atoms.resnames), (group.setResnums, atoms.resids), (group.setIcodes, atoms.icodes)):
        put(atoms.of_residues(values))
    group.setChids(atoms.of_residues([atoms.chain_ids[k] for k in atoms.chain]))
    return group


class Molecule:
    """Of what has atoms (`_structure`) that stand somewhere (`positions`, nm)."""

    def to_mdanalysis(self):
        """An MDAnalysis.Universe of the atoms where they stand."""
        return mdanalysis(Atoms(self._structure), self.positions)

    def to_mdtraj(self):
        """An mdtraj.Trajectory of one frame: the atoms where they stand."""
        return mdtraj(Atoms(self._structure), self.positions)

    def to_prody(self):
        """A prody.AtomGroup of the atoms where they stand."""
        return prody(Atoms(self._structure), self.positions, self.name)


def file_of(folder, stem):
    found = sorted(folder.glob(stem + ".*"))
    found = [path for path in found if path.suffix in (".pdb", ".cif", ".nc", ".dcd")]
    if not found:
        raise FileNotFoundError(f"{folder} has no {stem}: the run wrote no motion (trajectory_interval)")
    return str(found[0])


class Motion:
    """Of a run that has written its motion into a folder (`_folder`)."""

    def to_mdanalysis(self):
        """An MDAnalysis.Universe of the run's topology and trajectory, which it reads frame by frame."""
        import MDAnalysis

        return MDAnalysis.Universe(file_of(self._folder, "topology"), file_of(self._folder, "trajectory"))

    def to_mdtraj(self):
        """An mdtraj.Trajectory of all frames."""
        import mdtraj

        return mdtraj.load(file_of(self._folder, "trajectory"), top=file_of(self._folder, "topology"))

    def to_prody(self):
        """A prody.AtomGroup whose coordinate sets are the frames. ProDy reads DCD alone: trajectory="dcd"."""
        import prody

        path = file_of(self._folder, "trajectory")
        if not path.endswith(".dcd"):
            raise ValueError(f'ProDy reads no {path}: run with trajectory="dcd"')
        group = prody.parsePDB(file_of(self._folder, "topology"))
        group.setCoords(prody.parseDCD(path).getCoordsets())
        return group
