"""hinge.py FIRST.pdb SECOND.pdb: the hinge between two crystal structures, and the free energy along it."""
import sys

import cardo

model = cardo.domains(*sys.argv[1:3], forcefield="kim-hummer.xml")
hinge = model.hinges[0]
print(f"{hinge.child} turns by {hinge.angle_deg:.1f} degrees against {hinge.parent}")
free = model.sample(method="umbrella", to=0.03, windows=4, steps=1000, bins=15)
profile = free.profile
for q, F, error in zip(profile.xi, profile.F_kJ_per_mol, profile.sigma_kJ_per_mol):
    print(f"q = {q:.4f}  F = {F:6.2f} +- {error:.2f} kJ/mol")
