#!/usr/bin/python3
"""Are energies and generalized forces OpenMM's? The elbow of examples/mcg (and LAO, where the reference folder is) along its screw, by
OpenMM's own reader, topology, force field files and Reference platform. Cardo says where the bodies go (the trajectory of a drive under springs,
which knows no force field); atoms are put there as rigid bodies in double precision, and the force along the path is the slope of
OpenMM's energy between two such places. OpenMM's force field files are its own, amber14/protein.ff14SB.xml and implicit/obc2.xml.

  forces.py [--cardo PROGRAM] [--quick] [--solvent none obc2]
"""

import json
import os
import re
import sys
import warnings

from common import Audit, np, read_dcd, read_table

try:
    warnings.simplefilter("ignore")
    import openmm
    from openmm import app, unit
except ImportError:
    print("SKIPPED: OpenMM's Python layer is missing")
    sys.exit(77)

TERMS = {"HarmonicBondForce": "bond", "HarmonicAngleForce": "angle", "PeriodicTorsionForce": "torsion", "NonbondedForce": "nonbonded",
         "CustomGBForce": "gb"}


class Judge:
    """OpenMM's energy of a structure file, by term, in kJ/mol."""

    def __init__(self, file, solvent):
        self.pdb = app.PDBFile(file)
        files = ["amber14/protein.ff14SB.xml"] + ["implicit/obc2.xml"] * (solvent == "obc2")
        system = app.ForceField(*files).createSystem(self.pdb.topology, nonbondedMethod=app.NoCutoff, constraints=None, rigidWater=False)
        self.forces = [force.getName() for force in system.getForces()]
        for i, force in enumerate(system.getForces()):
            force.setForceGroup(i)
        self.context = openmm.Context(system, openmm.VerletIntegrator(0.001), openmm.Platform.getPlatformByName("Reference"))
        self.x = np.array(self.pdb.positions.value_in_unit(unit.nanometer))

    def energies(self, x, terms=True):
        self.context.setPositions(x)
        value = lambda **which: self.context.getState(getEnergy=True, **which).getPotentialEnergy().value_in_unit(unit.kilojoule_per_mole)
        if not terms:
            return value()
        return {TERMS[name]: value(groups={i}) for i, name in enumerate(self.forces) if name in TERMS}


MODEL = """<cardo version="1">
  <model name="audit">
    <structure id="first" file="%s"/>
    <structure id="second" file="%s"/>
    <annotation file="%s" %s/>
    <body name="%s" domains="%s" base="free"/>
    <body name="%s" domains="%s" parent="%s"><path structures="first second" interpolation="screw"/></body>
    <forcefield %s/>
  </model>
  <drive mode="quasi-static" motion="ramp" from="%.17g" to="%.17g" duration="2 ps" timestep="0.1 ps" steps="20" report-interval="1"
         trajectory-interval="1" trajectory="dcd"/>
</cardo>
"""


def superposition(a, b):
    """R, t that take points a nearest to points b (Kabsch 1976)."""
    u, _, v = np.linalg.svd((a - a.mean(0)).T @ (b - b.mean(0)))
    R = v.T @ np.diag([1, 1, np.linalg.det(v.T @ u.T)]) @ u.T
    return R, b.mean(0) - R @ a.mean(0)


class Places:
    """Where atoms are about one place of the path, by the moving body's transform as a function of q."""

    def __init__(self, audit, model, moving_body, x, moving):
        audit.must("drive", model, "--set", "model.base=welded", "--out", "places", "--force", "--quiet")
        table, frames = read_table(audit.path("places/trajectory.csv")), read_dcd(audit.path("places/trajectory.dcd"))
        self.x, self.moving = x, moving
        rows = []
        for frame in frames:
            # The body that stands is where it was: each frame is moved onto it.
            R, t = superposition(frame[~moving], x[~moving])
            rows.append(np.concatenate([m.ravel() for m in superposition(x[moving], frame[moving] @ R.T + t)]))
        q = table["q " + moving_body][:len(rows)]
        self.curves = [np.polynomial.chebyshev.Chebyshev.fit(q, column, 5) for column in np.array(rows).T]

    def atoms(self, q):
        values = np.array([curve(q) for curve in self.curves])
        u, _, v = np.linalg.svd(values[:9].reshape(3, 3))
        x = self.x.copy()
        x[self.moving] = x[self.moving] @ (u @ v).T + values[9:]
        return x


def moving_atoms(audit, model, body, topology):
    """Atoms of the residues that cardo info says belong to the body."""
    words = re.search(r"^  %s +\d+ atoms.*residues (.*)$" % body, audit.must("info", model), re.M).group(1)
    numbers = set()
    for part in words.split(","):
        first, _, last = part.split(":")[-1].partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return np.array([int(atom.residue.id) in numbers for atom in topology.atoms()])


def compare(audit, title, case, q, solvent):
    structures, annotation, chain, fixed, body = case
    parts = (*structures, annotation, chain, fixed, fixed, body, body, fixed)
    width = 0.02
    model = audit.write("model.xml", MODEL % (*parts, 'files="ff14SB.xml" solvent="%s" method="all-pairs"' % solvent, q - width, q + width))
    drive = audit.write("drive.xml", MODEL % (*parts, 'files="elastic-network.xml"', q - width, q + width))
    judge = Judge(structures[0], solvent)
    moving = moving_atoms(audit, drive, body, judge.pdb.topology)
    places = Places(audit, drive, body, judge.x, moving)
    at = ["--at", "%s=%.17g" % (body, q), "--json"]
    theirs = judge.energies(places.atoms(q))
    h = 2e-4
    slope = [(judge.energies(places.atoms(q + k * h), False) - judge.energies(places.atoms(q - k * h), False)) / (2 * k * h) for k in (1, 2)]
    force = -(4 * slope[0] - slope[1]) / 3
    for provider, bound in ((["--provider", "rigid", "--set", "forcefield.precision=double"], 1e-6), (["--provider", "rigid"], 1e-5),
                            (["--platform", "Reference"], 1e-6)):
        found = json.loads(audit.must("energy", model, *at, *provider))
        ours = found["energies_kJ_per_mol"]
        away = {term: abs(ours[term] - energy) / max(1, abs(energy)) for term, energy in theirs.items()}
        error = abs(found["generalized_forces"][body] - force)
        audit.check(max(away.values()) < bound and error < 1e-5 * abs(force) + 0.02,
                    "%s, %s, q = %g, %s: %s; force %.4f kJ/mol, OpenMM's slope %.4f" %
                    (title, solvent, q, found["platform"], ", ".join("%s %.0e" % item for item in away.items()),
                     found["generalized_forces"][body], force))


def main():
    audit = Audit(__doc__, [("--solvent", dict(nargs="+", default=["none", "obc2"]))])
    options = audit.options
    elbow = ([os.path.join(audit.source, "pdb/2mcg_%d.pdb" % k) for k in (1, 2)],
             os.path.join(audit.source, "topologies/mcg.domains.xml"), 'chain="1"', "variable", "constant")
    if options.quick:
        compare(audit, "elbow", elbow, 0.04, "none")
        audit.end()
    for solvent in options.solvent:
        # OpenMM's Reference platform takes minutes for Born radii: one place is enough there.
        for q in (0.04,) if solvent == "obc2" else (0.0, 0.04, 0.1):
            compare(audit, "elbow", elbow, q, solvent)
        if solvent == "obc2":
            continue
        lao = ["2lao.pdb", "1lst.pdb"]
        if not all(os.path.exists(os.path.join(audit.shared, "pdb", file)) for file in lao):
            print("not looked at: LAO, without the reference folder")
            continue
        audit.must("prepare", os.path.join(audit.shared, "pdb", lao[0]), "--out", "prepared.pdb", "--force")
        case = ([audit.path("prepared.pdb"), os.path.join(audit.shared, "pdb", lao[1])],
                os.path.join(audit.source, "topologies/lao.domains.xml"), "", "stationary", "mobile")
        compare(audit, "LAO", case, 0.1, solvent)
    audit.end()


if __name__ == "__main__":
    main()
