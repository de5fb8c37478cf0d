#!/usr/bin/env python3
"""Assemblies of any size from two forms of a chain: copies of it on a lattice, or in a ring, by operators in the file.

  copies.py OPEN.pdb CLOSED.pdb --lattice 84 -o FOLDER
  copies.py OPEN.pdb CLOSED.pdb --ring 7 -o FOLDER
  copies.py OPEN.cif CLOSED.cif --model 1-89,194-238 92-191 -o MODEL.xml

OPEN and CLOSED are PDB files of one protein (FILE or FILE:CHAIN). The closed form is superposed on the open one by the
residues that stand still, so that the same operators make both assemblies, and copies are as near to each other as they may be
with no heavy atoms of either form closer than --gap. FOLDER/open.cif and closed.cif have the chain once, and the assembly
as the Protein Data Bank tells one: cardo prepare --assembly 1 builds it. With --model OPEN and CLOSED are what that has built, and a
model is written in which every chain has two bodies, the stationary residues and the mobile ones: the former are welded to each
other, the latter go by one coordinate.
"""
import argparse
import itertools
import os

import numpy as np

ELEMENTS = {"C", "N", "O", "S"}


def read(source):
    path, _, chain = source.partition(":")
    atoms = []
    for line in open(path):
        if line.startswith("ENDMDL"):
            break
        if not line.startswith("ATOM") or line[16] not in " A":
            continue
        if chain and line[21] != chain:
            continue
        chain = line[21]
        element = line[12:16].strip(" 0123456789")[:1]  # of amino acids' heavy atoms; columns 77 and 78 may have anything
        if element not in ELEMENTS:
            continue
        place = [float(line[k : k + 8]) for k in (30, 38, 46)]
        atoms.append((line[12:16].strip(), line[17:20].strip(), int(line[22:26]), element, place))
    if not atoms:
        raise SystemExit(f"{source}: no atoms of such a chain")
    return atoms


def places(atoms):
    return np.array([atom[4] for atom in atoms])


def fit(moving, fixed):
    """Rotation and translation that bring moving onto fixed."""
    a, b = moving.mean(0), fixed.mean(0)
    u, _, v = np.linalg.svd((moving - a).T @ (fixed - b))
    flip = np.diag([1, 1, np.sign(np.linalg.det(u @ v))])
    rotation = (u @ flip @ v).T
    return rotation, b - rotation @ a


def stand_still(open_form, closed_form, near=1.0, window=50):
    """The transform of the closed form by the largest part that both have alike, in residues within near."""
    alphas = [{atom[2]: atom[4] for atom in form if atom[0] == "CA"} for form in (open_form, closed_form)]
    both = sorted(set(alphas[0]) & set(alphas[1]))
    fixed, moving = (np.array([alpha[r] for r in both]) for alpha in alphas)
    best = None
    for first in range(0, max(1, len(both) - window), 10):
        chosen = np.zeros(len(both), bool)
        chosen[first : first + window] = True
        for _ in range(20):
            rotation, shift = fit(moving[chosen], fixed[chosen])
            chosen = np.linalg.norm(moving @ rotation.T + shift - fixed, axis=1) < near
            if chosen.sum() < 3:
                break
        if best is None or chosen.sum() > best[0]:
            best = (chosen.sum(), rotation, shift)
    return best[1], best[2]


def nearest(a, b, cutoff):
    """Least distance of two sets of places that are near each other, and infinity where they are not."""
    low, high = b.min(0) - cutoff, b.max(0) + cutoff
    a = a[((a > low) & (a < high)).all(1)]
    if len(a) == 0:
        return np.inf
    b = b[((b > a.min(0) - cutoff) & (b < a.max(0) + cutoff)).all(1)]
    if len(b) == 0:
        return np.inf
    return min(np.sqrt(((row - b) ** 2).sum(1).min()) for row in a)


def apart(forms, operators, pairs, gap):
    for i, j in pairs:
        moved = [[x @ r.T + t for x in forms] for r, t in (operators[i], operators[j])]
        for x, y in itertools.product(*moved):
            if nearest(x, y, gap) < gap:
                return False
    return True


def smallest(makes, forms, pairs, gap, low, high):
    """Operators of the least size at which no copies are closer than gap."""
    while high - low > 1e-3 * high:
        middle = 0.5 * (low + high)
        if apart(forms, makes(middle), pairs, gap):
            high = middle
        else:
            low = middle
    return makes(high)


def turn(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def lattice(forms, n, gap):
    extent = np.ptp(np.concatenate(forms), axis=0) + gap
    edge = np.maximum(1, np.ceil(np.cbrt(n * np.prod(extent)) / extent)).astype(int)
    cells = sorted(itertools.product(*map(range, edge)), key=sum)[:n]
    if len(cells) < n:
        raise SystemExit("the lattice has too few places")

    def makes(size):
        return [(turn(np.pi * (sum(cell) % 2)), size * extent * cell) for cell in cells]

    index = {cell: k for k, cell in enumerate(cells)}
    small = [c for c in cells if max(c) <= 2]
    pairs = [(index[a], index[b]) for a, b in itertools.combinations(small, 2) if max(abs(np.subtract(a, b))) <= 1]
    return smallest(makes, forms, pairs, gap, 0.5, 1.2)


def ring(forms, n, gap):
    radius = np.linalg.norm(np.ptp(np.concatenate(forms), axis=0)) / np.sin(np.pi / n)

    def makes(size):
        return [(turn(2 * np.pi * k / n), turn(2 * np.pi * k / n) @ [size, 0, 0]) for k in range(n)]

    return smallest(makes, forms, [(0, 1)] + ([(0, 2)] if n > 3 else []), gap, 0.05 * radius, radius)


def write(path, atoms, x, operators):
    with open(path, "w") as out:
        out.write("data_copies\n#\n")
        out.write("_pdbx_struct_assembly.id 1\n_pdbx_struct_assembly.details 'made of copies'\n")
        out.write(f"_pdbx_struct_assembly.oligomeric_count {len(operators)}\n#\n")
        out.write("_pdbx_struct_assembly_gen.assembly_id 1\n")
        out.write(f"_pdbx_struct_assembly_gen.oper_expression '(1-{len(operators)})'\n")
        out.write("_pdbx_struct_assembly_gen.asym_id_list A\n#\nloop_\n_pdbx_struct_oper_list.id\n")
        for row in range(3):
            for column in range(3):
                out.write(f"_pdbx_struct_oper_list.matrix[{row + 1}][{column + 1}]\n")
            out.write(f"_pdbx_struct_oper_list.vector[{row + 1}]\n")
        for k, (r, t) in enumerate(operators):
            numbers = [v for row in range(3) for v in (*r[row], t[row])]
            out.write(f"{k + 1} " + " ".join(f"{v:.8f}" for v in numbers) + "\n")
        out.write("#\nloop_\n")
        for name in (
            "group_PDB id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_entity_id "
            "label_seq_id pdbx_PDB_ins_code Cartn_x Cartn_y Cartn_z occupancy B_iso_or_equiv auth_seq_id auth_asym_id "
            "pdbx_PDB_model_num"
        ).split():
            out.write(f"_atom_site.{name}\n")
        for k, (atom, p) in enumerate(zip(atoms, x)):
            name, residue, number, element, _ = atom
            out.write(
                f"ATOM {k + 1} {element} {name} . {residue} A 1 {number} ? "
                f"{p[0]:.3f} {p[1]:.3f} {p[2]:.3f} 1.00 20.00 {number} A 1\n"
            )
        out.write("#\n")


def chains(path):
    """Chains of an mmCIF file, in their order."""
    columns, names = [], []
    for line in open(path):
        if line.startswith("_atom_site."):
            columns.append(line.split()[0])
        elif line.startswith(("ATOM", "HETATM")):
            name = line.split()[columns.index("_atom_site.auth_asym_id")]
            if not names or names[-1] != name:
                names.append(name)
    return names


def write_model(given):
    stationary, mobile = given.model
    names = chains(given.open_form)
    files = [os.path.relpath(f, os.path.dirname(given.folder) or ".") for f in (given.open_form, given.closed_form)]

    def of(chain, residues):
        return ",".join(f"{chain}:{part}" for part in residues.split(","))

    with open(given.folder, "w") as out:
        out.write(f'<cardo version="1">\n  <model name="{len(names)} copies">\n')
        for name, file in zip(("start", "end"), files):
            out.write(f'    <structure id="{name}" file="{file}"/>\n')
        for k, chain in enumerate(names):
            out.write(f'    <domain name="core{k}" residues="{of(chain, stationary)}"/>\n')
            out.write(f'    <domain name="lobe{k}" residues="{of(chain, mobile)}"/>\n')
        for k in range(len(names)):
            if k == 0:
                out.write('    <body name="core0" domains="core0" base="free"/>\n')
            else:
                out.write(f'    <body name="core{k}" domains="core{k}" parent="core0"><weld/></body>\n')
            out.write(
                f'    <body name="lobe{k}" domains="lobe{k}" parent="core{k}">'
                '<path structures="start end" interpolation="screw"/></body>\n'
            )
        if len(names) > 1:
            lobes = " ".join(f"lobe{k}" for k in range(len(names)))
            out.write(f'    <constraints><symmetric coordinates="{lobes}"/></constraints>\n')
        out.write('    <forcefield files="ff14SB.xml" solvent="obc2" tolerance="1e-3"/>\n  </model>\n</cardo>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("open_form")
    parser.add_argument("closed_form")
    shape = parser.add_mutually_exclusive_group(required=True)
    shape.add_argument("--lattice", type=int, metavar="N")
    shape.add_argument("--ring", type=int, metavar="N")
    shape.add_argument("--model", nargs=2, metavar="RESIDUES")
    parser.add_argument("--gap", type=float, default=5.0, help="angstroms between heavy atoms of copies")
    parser.add_argument("-o", dest="folder", required=True)
    given = parser.parse_args()
    if given.model:
        return write_model(given)
    atoms = [read(given.open_form), read(given.closed_form)]
    rotation, shift = stand_still(*atoms)
    x = [places(atoms[0]), places(atoms[1]) @ rotation.T + shift]
    together = np.concatenate(x)
    middle = together.mean(0)
    axes = np.linalg.svd(together - middle, full_matrices=False)[2]
    axes *= np.sign(np.linalg.det(axes))
    forms = [(form - middle) @ axes.T for form in x]
    centre = 0.5 * (np.concatenate(forms).min(0) + np.concatenate(forms).max(0))
    forms = [form - centre for form in forms]
    operators = lattice(forms, given.lattice, given.gap) if given.lattice else ring(forms, given.ring, given.gap)
    os.makedirs(given.folder, exist_ok=True)
    for name, form, x in zip(("open", "closed"), atoms, forms):
        write(os.path.join(given.folder, name + ".cif"), form, x, operators)
    print(f"{len(operators)} copies of {len(atoms[0])} and {len(atoms[1])} heavy atoms in {given.folder}")


if __name__ == "__main__":
    main()
