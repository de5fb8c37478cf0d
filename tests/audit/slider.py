"""The slider: two bodies of four glycines each, the second on a path of Euler angles and a displacement through two places, held
by springs. Plain numpy: where the atoms are along the path is read off a trajectory, the rest is masses, positions and slopes."""

import numpy as np

from common import GAS_CONSTANT, MASSES, read_dcd, read_table, rotation

FIRST = np.array([[0, 0, 0], [3, 0, 2], [-1, 3, 2.5], [1, -2, 4.0]])
SECOND = np.array([[0, 0, 0], [3, 1, 1], [-2, 2, 2], [0, -3, 1.5]])
RESIDUE = [("N", (-1.2, 0.7, 0.3)), ("CA", (0, 0, 0)), ("C", (1.2, 0.8, -0.3)), ("O", (1.3, 2.0, -0.5))]
PLACES = {"a": ((0, 0, 1), 0.0, (2, 3, 14)), "b": ((1, 2, 0.5), 1.2, (9, 6, 11))}
STIFFNESS = 24.0  # kJ/mol/nm^2, of all sixteen springs
RANGE = (-1.1, 2.3)  # of q, beyond which the springs leave nothing
DEGREE = 24  # of the polynomials that atoms follow

MODEL = """<cardo version="1">
  <model name="slider">
    <structure id="a" file="a.pdb"/><structure id="b" file="b.pdb"/>
    <domain name="A" residues="A:1-4"/><domain name="B" residues="A:5-8"/>
    <body name="A" domains="A" base="%s"/>
    <body name="B" domains="B" parent="A"><path structures="a b" interpolation="euler" start="1"/></body>
    <forcefield files="elastic-network.xml" parameters="structure=b, cutoff=30, stiffness=%g"/>
  </model>
  %s
</cardo>
"""


def write_structures(audit):
    for name, (axis, angle, place) in PLACES.items():
        lines, serial = [], 0
        for residue in range(8):
            centre = FIRST[residue] if residue < 4 else SECOND[residue - 4]
            for atom, offset in RESIDUE:
                serial += 1
                x = centre + offset
                if residue >= 4:
                    x = rotation(axis, angle) @ x + place
                lines.append("ATOM  %5d  %-3s GLY A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %s" %
                             (serial, atom, residue + 1, *x, atom[0]))
        audit.write(name + ".pdb", "\n".join(lines + ["END", ""]))


def write_model(audit, name, base, study, stiffness=STIFFNESS):
    return audit.write(name, MODEL % (base, stiffness, study))


class Slider:
    """Energies and mass matrices along the path, of positions that the program wrote."""

    def __init__(self, audit, stiffness=STIFFNESS):
        write_structures(audit)
        steps = 400
        model = write_model(audit, "places.xml", "welded",
                            '<drive mode="quasi-static" motion="ramp" from="%g" to="%g" duration="40 ps" timestep="0.1 ps" '
                            'steps="%d" report-interval="1" trajectory-interval="1" trajectory="dcd"/>' % (*RANGE, steps), stiffness)
        audit.must("drive", model, "--quiet", "--out", "places", "--force", "--at", "B=%g" % RANGE[0])
        q = read_table(audit.path("places/trajectory.csv"))["q B"]
        x = read_dcd(audit.path("places/trajectory.dcd"))
        self.q = np.linspace(*RANGE, 4801)
        self.mass = np.tile([MASSES[a[0]] for a, _ in RESIDUE], 8)
        count = min(len(q), len(x))
        basis = polynomials(q[:count])
        flat = x[:count].reshape(count, -1)
        weights, *_ = np.linalg.lstsq(basis, flat, rcond=None)
        self.misfit = np.abs(basis @ weights - flat).max()
        x = (polynomials(self.q) @ weights).reshape(len(self.q), -1, 3)
        # About the first body's centre of mass, whose velocity the base's speeds are.
        self.x = x - (self.mass[:16, None] * x[0, :16]).sum(0) / self.mass[:16].sum()
        self.slope = (polynomials(self.q, 1) @ weights).reshape(self.x.shape)
        sites = self.x[:, 1::4]
        apart = lambda s: np.linalg.norm(s[..., :4, None, :] - s[..., None, 4:, :], axis=-1)
        # At rest where the rigid bodies stand in b: the file's own places differ by its rounding, 2e-4 kT in F.
        rest = apart((polynomials(np.array([1.0])) @ weights).reshape(-1, 3)[1::4])
        self.energy = (0.5 * stiffness * (apart(sites) - rest) ** 2).sum((-1, -2))

    def mass_matrix(self, x, slope, free):
        """J^T m J, of translations and rotations of the whole and the path."""
        columns = [slope]
        if free:
            unit = np.eye(3)
            columns = [np.broadcast_to(e, x.shape) for e in unit] + [np.cross(e, x) for e in unit] + columns
        j = np.stack(columns)
        return np.einsum("caik,daik,i->acd", j, j, self.mass)

    def density(self, free, fixman, temperature=300.0):
        """Of q, normalized on the grid."""
        logarithm = -self.energy / (GAS_CONSTANT * temperature)
        if not fixman:
            logarithm = logarithm + 0.5 * np.linalg.slogdet(self.mass_matrix(self.x, self.slope, free))[1]
        density = np.exp(logarithm - logarithm.max())
        return density / trapezoid(density, self.q)


def polynomials(q, derivative=0):
    """Chebyshev's polynomials over the range, or their slopes, as columns."""
    t = (2 * q - sum(RANGE)) / (RANGE[1] - RANGE[0])
    each = [np.polynomial.chebyshev.Chebyshev.basis(k) for k in range(DEGREE + 1)]
    return np.stack([f.deriv()(t) * 2 / (RANGE[1] - RANGE[0]) if derivative else f(t) for f in each], 1)


def trapezoid(y, x):
    return float(((y[1:] + y[:-1]) / 2 * np.diff(x)).sum())
