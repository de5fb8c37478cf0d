"""hinge.py FIRST.pdb SECOND.pdb [FOLDER]: the hinge between two crystal structures, the free energy along it, and a page of both."""
import pathlib
import sys

import cardo

folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else "hinge")
folder.mkdir(exist_ok=True)
model = cardo.domains(*sys.argv[1:3], out=folder / "hinge.xml", forcefield="kim-hummer.xml", force=True)
hinge = model.hinges[0]
print(f"{hinge.child} turns by {hinge.angle_deg:.1f} degrees against {hinge.parent}")
# The path's beginning, in seconds; without "to", "windows", "steps" and "bins" all of it, in minutes.
free = model.sample(method="umbrella", to=0.03, windows=4, steps=1000, bins=15, out=folder / "sample", force=True)
profile = free.profile
for q, F, error in zip(profile.xi, profile.F_kJ_per_mol, profile.sigma_kJ_per_mol):
    print(f"q = {q:.4f}  F = {F:6.2f} +- {error:.2f} kJ/mol")
print(free.page(folder / "page.html"))
