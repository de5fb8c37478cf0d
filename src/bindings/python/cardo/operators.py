"""The operators of cardo/operators.h on a state: each realizes what it needs and returns an array of its own. Spatial vectors have six numbers,
angular first, in ground about body origins; bodies count ground as the first."""
import numpy

from cardo._library import call, ffi, lib


def doubles(values, n):
    """So many numbers as the library reads them, and what it is handed."""
    values = numpy.ascontiguousarray(values, "f8")
    if values.size != n:
        raise ValueError(f"{n} numbers are needed, not {values.size}")
    return values, ffi.from_buffer("double[]", values)


def vector(p):
    return ffi.new("cardo_vec3 *", tuple(map(float, p)))[0]


def numbers(struct, *shape):
    """A struct of doubles, or an array of such, as numbers."""
    return numpy.frombuffer(ffi.buffer(struct), "f8").reshape(shape).copy()


class Operators:
    """Of a state that has `_at` (system and state) and `realize`."""

    def _number(self, stage, function):
        self.realize(stage)
        out = ffi.new("double *")
        call(function, *self._at, out)
        return out[0]

    def _filled(self, stage, function, *shape, spatial=False):
        self.realize(stage)
        out = numpy.empty(shape)
        call(function, *self._at, ffi.from_buffer("cardo_spatial[]" if spatial else "double[]", out))
        return out

    def _product(self, stage, function, values, n, nout, spatial_in=False, spatial_out=False):
        self.realize(stage)
        _, given = doubles(values, n)
        out = numpy.empty(nout)
        call(function, *self._at, ffi.cast("cardo_spatial *", given) if spatial_in else given,
             ffi.from_buffer("cardo_spatial[]" if spatial_out else "double[]", out))
        return out

    def _forces(self, bodies, mobilities):
        """Applied forces as operators take them (NULL: none), and what keeps them."""
        kept = [None if values is None else doubles(values, n) for values, n in ((bodies, 6 * self.system.nbody), (mobilities, self.system.nu))]
        return [ffi.NULL if kept[0] is None else ffi.cast("cardo_spatial *", kept[0][1]), ffi.NULL if kept[1] is None else kept[1][1]], kept

    kinetic_energy = property(lambda self: self._number("velocity", lib.cardo_kinetic_energy))
    gravity_energy = property(lambda self: self._number("position", lib.cardo_gravity_energy))
    log_det_M = property(lambda self: self._number("dynamics", lib.cardo_log_det_m))
    log_det_M_gradient = property(lambda self: self._filled("dynamics", lib.cardo_log_det_m_gradient, self.system.nu),
                                  doc="d/dt ln det M = gradient . u; Fixman's generalized force is -kT/2 times it.")

    @property
    def M(self):
        """The mass matrix, explicit (nu x nu)."""
        return self._filled("position", lib.cardo_mass_matrix, self.system.nu, self.system.nu)

    M_inverse = property(lambda self: self._filled("dynamics", lib.cardo_mass_matrix_inverse, self.system.nu, self.system.nu))
    J = property(lambda self: self._filled("position", lib.cardo_jacobian, 6 * self.system.nbody, self.system.nu),
                 doc="The system's Jacobian, explicit: six rows a body.")
    bias = property(lambda self: self._filled("velocity", lib.cardo_bias, self.system.nu), doc="M udot + bias = forces.")
    momentum_rate = property(lambda self: self._filled("velocity", lib.cardo_momentum_rate, self.system.nu),
                             doc="d/dt (M u) of the system left to itself.")
    stations = property(lambda self: self._filled("position", lib.cardo_station_positions, self.system.nstation, 3))
    station_velocities = property(lambda self: self._filled("velocity", lib.cardo_station_velocities, self.system.nstation, 3))
    reactions = property(lambda self: self._filled("acceleration", lib.cardo_reactions, self.system.nbody, 6, spatial=True),
                         doc="What each mobilizer exerts on its body, at M, in ground.")
    reactions_at_parent = property(lambda self: self._filled("acceleration", lib.cardo_reactions_at_parent, self.system.nbody, 6, spatial=True),
                                   doc="What each mobilizer exerts on the parent of its body, at F, in ground.")
    coriolis_accelerations = property(lambda self: self._filled("velocity", lib.cardo_coriolis_accelerations, self.system.nbody, 6, spatial=True))
    gyroscopic_forces = property(lambda self: self._filled("velocity", lib.cardo_gyroscopic_forces, self.system.nbody, 6, spatial=True))

    def multiply_M(self, v):
        return self._product("position", lib.cardo_multiply_m, v, self.system.nu, self.system.nu)

    def multiply_M_inverse(self, v):
        return self._product("dynamics", lib.cardo_multiply_minv, v, self.system.nu, self.system.nu)

    def multiply_sqrt_M_inverse(self, xi):
        """W xi with W W^T = M^-1: a Maxwell-Boltzmann draw of u, but for sqrt(kT), from standard normal xi."""
        return self._product("dynamics", lib.cardo_multiply_sqrt_minv, xi, self.system.nu, self.system.nu)

    def multiply_sqrt_M_inverse_transposed(self, v):
        """W^T v."""
        return self._product("dynamics", lib.cardo_multiply_sqrt_minv_transposed, v, self.system.nu, self.system.nu)

    def multiply_sqrt_M(self, v):
        """W^-1 v."""
        return self._product("dynamics", lib.cardo_multiply_sqrt_m, v, self.system.nu, self.system.nu)

    def multiply_sqrt_M_transposed(self, v):
        """W^-T v."""
        return self._product("dynamics", lib.cardo_multiply_sqrt_m_transposed, v, self.system.nu, self.system.nu)

    def multiply_J(self, v):
        return self._product("position", lib.cardo_multiply_j, v, self.system.nu, (self.system.nbody, 6), spatial_out=True)

    def multiply_J_transposed(self, forces):
        return self._product("position", lib.cardo_multiply_jt, forces, 6 * self.system.nbody, self.system.nu, spatial_in=True)

    def multiply_N(self, v):
        return self._product("position", lib.cardo_multiply_n, v, self.system.nu, self.system.nq)

    def multiply_N_inverse(self, qdot):
        return self._product("position", lib.cardo_multiply_n_inverse, qdot, self.system.nq, self.system.nu)

    def multiply_station_J(self, v):
        return self._product("position", lib.cardo_multiply_station_j, v, self.system.nu, (self.system.nstation, 3))

    def multiply_station_J_transposed(self, forces):
        return self._product("position", lib.cardo_multiply_station_jt, forces, 3 * self.system.nstation, self.system.nu)

    def station_forces_to_bodies(self, forces):
        """Forces on stations (nstation x 3) as spatial forces on bodies (nbody x 6)."""
        self.realize("position")
        _, given = doubles(forces, 3 * self.system.nstation)
        out = numpy.zeros((self.system.nbody, 6))
        call(lib.cardo_station_forces_to_bodies, *self._at, given, ffi.from_buffer("cardo_spatial[]", out))
        return out

    def point_J(self, body, point):
        """The Jacobian of a point at a place in a body's frame, explicit (3 x nu)."""
        self.realize("position")
        out = numpy.empty((3, self.system.nu))
        call(lib.cardo_point_jacobian, *self._at, body, vector(point), ffi.from_buffer("double[]", out))
        return out

    def multiply_point_J(self, body, point, v):
        """Velocity in ground of a point of a body, for speeds v."""
        self.realize("position")
        out = ffi.new("cardo_vec3 *")
        _, given = doubles(v, self.system.nu)
        call(lib.cardo_multiply_point_j, *self._at, body, vector(point), given, out)
        return numbers(out, 3)

    def multiply_point_J_transposed(self, body, point, force):
        """Generalized forces of a force in ground at a point of a body."""
        self.realize("position")
        out = numpy.empty(self.system.nu)
        call(lib.cardo_multiply_point_jt, *self._at, body, vector(point), vector(force), ffi.from_buffer("double[]", out))
        return out

    noverall = property(lambda self: lib.cardo_system_noverall(self._at[0]), doc="Degrees of freedom of overall motion: those of the joints on ground.")

    def overall_speeds(self, momenta):
        """Speeds of overall motion that have the given momenta in the rows of the joints on ground."""
        return self._product("position", lib.cardo_overall_speeds, momenta, self.system.nu, self.system.nu)

    def inverse_dynamics(self, udot, bodies=None, mobilities=None):
        """What generalized force is missing for udot, beside gravity and the forces given."""
        self.realize("velocity")
        applied, _kept = self._forces(bodies, mobilities)
        _, given = doubles(udot, self.system.nu)
        out = numpy.empty(self.system.nu)
        call(lib.cardo_inverse_dynamics, *self._at, given, *applied, ffi.from_buffer("double[]", out))
        return out

    def power(self, bodies=None, mobilities=None):
        """Power of applied forces and of gravity: the rate of the kinetic energy."""
        self.realize("velocity")
        applied, _kept = self._forces(bodies, mobilities)
        out = ffi.new("double *")
        call(lib.cardo_power, *self._at, *applied, out)
        return out[0]

    def momentum(self):
        """Mass, centre of mass (3) and momentum about the ground's origin (6) of everything that moves."""
        self.realize("velocity")
        mass, com, momentum = ffi.new("double *"), ffi.new("cardo_vec3 *"), ffi.new("cardo_spatial *")
        call(lib.cardo_system_momentum, *self._at, mass, com, momentum)
        return mass[0], numbers(com, 3), numbers(momentum, 6)

    @property
    def com_acceleration(self):
        """Acceleration of the centre of mass of everything that moves (3)."""
        self.realize("acceleration")
        out = ffi.new("cardo_vec3 *")
        call(lib.cardo_com_acceleration, *self._at, out)
        return numbers(out, 3)

    def articulated_inertia(self, body):
        """A body's articulated inertia about its origin (6 x 6), before its own hinge is eliminated."""
        self.realize("dynamics")
        out = numpy.empty((6, 6))
        call(lib.cardo_articulated_inertia, *self._at, body, ffi.from_buffer("double[]", out))
        return out

    @property
    def composite_inertias(self):
        """Of each body with all that it carries: mass, centre of mass (3), inertia about its origin (6: xx yy zz xy xz yz), nbody x 10."""
        self.realize("position")
        out = ffi.new("cardo_mass_properties[]", self.system.nbody)
        call(lib.cardo_composite_inertias, *self._at, out)
        return numbers(out, self.system.nbody, 10)

    def mobilizer_motion(self, body):
        """A body's mobilizer in motion, by the names of cardo_mobilizer_motion: X_FM (12), V_FM, Hdot_FM_u (6), H_FM, hinge_map (6 x 6: a row
        for each of its speeds)."""
        self.realize("velocity")
        out = ffi.new("cardo_mobilizer_motion *")
        call(lib.cardo_body_mobilizer_motion, *self._at, body, out)
        shapes = {"X_FM": (12,), "V_FM": (6,), "Hdot_FM_u": (6,), "H_FM": (6, 6), "hinge_map": (6, 6)}
        return {name: numbers(ffi.addressof(out, name), *shape) for name, shape in shapes.items()}
