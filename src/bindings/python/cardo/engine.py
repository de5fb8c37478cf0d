"""The multibody engine alone: bodies, mobilizers, states and operators, without a molecule.

    >>> import cardo
    >>> system = cardo.System()
    >>> arm = system.add_body("pin", mass=1, com=(0, -1, 0), inertia=(1, 0, 1, 0, 0, 0))
    >>> system.gravity = 0, -9.81, 0
    >>> state = system.state(q=[0.5])
    >>> state.udot.round(6)
    array([-4.703165])
    >>> state.M
    array([[1.]])

Units are those that masses, lengths and times are given in. Conventions: body frames, quaternions with the scalar first, spatial vectors
angular first; the library's header cardo/system.h."""
import itertools

import numpy

from cardo._library import Owner, call, ffi, fail, lib, text
from cardo.operators import Operators, doubles, vector
from cardo.results import array

STAGES = {"time": lib.CARDO_STAGE_TIME, "position": lib.CARDO_STAGE_POSITION, "velocity": lib.CARDO_STAGE_VELOCITY,
          "dynamics": lib.CARDO_STAGE_DYNAMICS, "acceleration": lib.CARDO_STAGE_ACCELERATION}
PARAMETERS = {"screw": "cardo_screw_thread", "ellipsoid": "cardo_ellipsoid", "spherical-coordinates": "cardo_spherical"}

CONSTRAINTS = {"rod": "cardo_rod", "ball": "cardo_coincident_points", "weld": "cardo_welded_frames", "constant-orientation": "cardo_constant_orientation",
               "constant-angle": "cardo_constant_angle", "point-on-plane": "cardo_point_on_plane", "point-on-line": "cardo_point_on_line",
               "constant-speed": "cardo_constant_speed", "constant-acceleration": "cardo_constant_acceleration", "no-slip": "cardo_no_slip",
               "stiction": "cardo_stiction"}


def constraints():
    """Names of all kinds of constraints with one line each."""
    table = lib.cardo_constraint_list()
    kinds = itertools.takewhile(lambda kind: kind != ffi.NULL, (table[k] for k in itertools.count()))
    return {text(lib.cardo_constraint_name(kind)): text(lib.cardo_constraint_doc(kind)) for kind in kinds}


def member(value):
    """A parameter as cffi fills a struct with it: numbers as they are, vectors (3), rotations (3 x 3), poses (R, p)."""
    if isinstance(value, tuple) and len(value) == 2 and numpy.shape(value[0]) == (3, 3):
        return transform(value)
    value = numpy.asarray(value).tolist()
    return {"m": value} if numpy.shape(value) == (3, 3) else value


def mobilizers():
    """Names of all kinds of mobilizers with one line each."""
    table = lib.cardo_mobilizer_list()
    kinds = itertools.takewhile(lambda kind: kind != ffi.NULL, (table[k] for k in itertools.count()))
    return {text(lib.cardo_mobilizer_name(kind)): text(lib.cardo_mobilizer_doc(kind)) for kind in kinds}


def transform(pose):
    """(R, p), p alone, or None for the identity, as the library has it."""
    if pose is None:
        return lib.cardo_transform_identity()
    R, p = (numpy.eye(3), pose) if numpy.shape(pose) == (3,) else pose
    return ffi.new("cardo_transform *", {"R": {"m": numpy.asarray(R, "f8").tolist()}, "p": tuple(map(float, p))})[0]


stage_of, realize = lib.cardo_state_stage, lib.cardo_realize


class System:
    """A tree of rigid bodies joined by mobilizers. Bodies are added first; with the first state it is final."""

    def __init__(self):
        made = ffi.new("cardo_system **")
        call(lib.cardo_system_create, made)
        self._owner = Owner(made[0], lib.cardo_system_destroy)
        self._pointer = self._owner.pointer()
        self._final = False

    def add_body(self, mobilizer, parent=0, *, mass, com=(0, 0, 0), inertia=(0, 0, 0, 0, 0, 0), X_PF=None, X_BM=None, reversed=False, euler=False,
                 name=None, **parameters):
        """Adds a body and returns its number. inertia about the body's origin: xx yy zz xy xz yz. Frames: (R, p), or p alone. Parameters of
        the mobilizer by their names (pitch, radii)."""
        kind = lib.cardo_mobilizer_find(mobilizer.encode())
        if kind == ffi.NULL:
            raise ValueError(f"there is no mobilizer {mobilizer!r}; there are {', '.join(mobilizers())}")
        given = ffi.NULL
        if parameters:
            if mobilizer not in PARAMETERS:
                raise ValueError(f"mobilizer {mobilizer} takes no {', '.join(parameters)} from Python")
            given = ffi.new(PARAMETERS[mobilizer] + " *", parameters)
        title = ffi.NULL if name is None else ffi.new("char[]", name.encode())
        definition = ffi.new("cardo_body_definition *", {
            "name": title, "parent": parent, "mobilizer": kind, "parameters": given, "reversed": reversed, "euler": euler, "X_PF": transform(X_PF),
            "X_BM": transform(X_BM), "mass": {"mass": mass, "com": tuple(map(float, com)), "inertia": list(map(float, inertia))}})
        body = ffi.new("int *")
        call(lib.cardo_system_add_body, self._pointer, definition, body)
        return body[0]

    def add_constraint(self, kind, name=None, **parameters):
        """Adds a constraint between bodies that are there, and returns its number. Parameters by the names of the kind's struct in
        cardo/constraints.h: body1, body2, point1 (3, in the body's frame), frame1 (R, p), R1 (3 x 3), mobility (body, number)."""
        found = lib.cardo_constraint_find(kind.encode())
        if found == ffi.NULL:
            raise ValueError(f"there is no constraint {kind!r}; there are {', '.join(constraints())}")
        if kind not in CONSTRAINTS:
            raise ValueError(f"constraint {kind} cannot be made from Python's numbers; those that can: {', '.join(CONSTRAINTS)}")
        known = dict(ffi.typeof(CONSTRAINTS[kind]).fields)
        if set(parameters) != set(known):
            raise TypeError(f"constraint {kind} takes {', '.join(known)}")
        given = ffi.new(CONSTRAINTS[kind] + " *", {key: member(value) for key, value in parameters.items()})
        title = ffi.NULL if name is None else ffi.new("char[]", name.encode())
        index = ffi.new("int *")
        call(lib.cardo_system_add_constraint, self._pointer, found, title, given, index)
        return index[0]

    def add_stations(self, body, positions):
        """Adds points that are fixed on a body, n x 3 in its frame; returns the number of the first."""
        positions = numpy.ascontiguousarray(positions, "f8").reshape(-1, 3)
        first = lib.cardo_system_nstation(self._pointer)
        call(lib.cardo_system_add_stations, self._pointer, body, first, len(positions), ffi.from_buffer("double[]", positions))
        return first

    def set_gravity(self, gravity):
        lib.cardo_system_set_gravity(self._pointer, vector(gravity))

    gravity = property(None, set_gravity, doc="Acceleration in ground; may be set before the first state is made.")

    def finalize(self):
        if not self._final:
            call(lib.cardo_system_finalize, self._pointer)
            self._final = True

    nbody = property(lambda self: lib.cardo_system_nbody(self._pointer), doc="Bodies, ground included.")
    nq = property(lambda self: lib.cardo_system_nq(self._pointer))
    nu = property(lambda self: lib.cardo_system_nu(self._pointer))
    nstation = property(lambda self: lib.cardo_system_nstation(self._pointer))

    def constraint_counts(self):
        """How many constraints there are, and how many rows of positions, velocities, accelerations and in all."""
        counts = ffi.new("cardo_constraint_counts *")
        lib.cardo_system_constraint_counts(self._pointer, counts)
        return {name: getattr(counts, name) for name, _ in ffi.typeof("cardo_constraint_counts").fields}

    def state(self, q=None, u=None, t=0.0):
        """A state of this system, which is final from then on."""
        self.finalize()
        state = State(self)
        state.t = t
        if q is not None:
            state.q = q
        if u is not None:
            state.u = u
        return state


class State(Operators):
    """Time, coordinates q and speeds u, and what follows from them. Quantities are realized as they are asked for, and hold (as views
    without copies) until the state changes."""

    def __init__(self, system):
        made = ffi.new("cardo_state **")
        call(lib.cardo_state_create, system._pointer, made)
        self._owner = Owner(made[0], lib.cardo_state_destroy, system._owner)
        self._pointer = self._owner.pointer()
        self._at = system._pointer, self._pointer
        self._nq, self._nu = system.nq, system.nu
        self._views = {}
        self._given = {}
        self.system = system

    def copy(self):
        other = State(self.system)
        lib.cardo_state_copy(other._pointer, self._pointer)
        return other

    t = property(lambda self: lib.cardo_state_time(self._pointer), lambda self, t: lib.cardo_state_set_time(self._pointer, t))

    def _put(self, put, values, n):
        """Numbers into the library, by memory that is there already."""
        try:
            into, pointer, shape = self._given[put]
        except KeyError:
            into = numpy.empty(n)
            pointer, shape = ffi.from_buffer("double[]", into), (n,)
            self._given[put] = into, pointer, shape
        if type(values) is not numpy.ndarray or values.shape != shape:
            values = doubles(values, n)[0].ravel()
        into[...] = values  # half the time of [:]
        put(self._pointer, pointer)

    q = property(lambda self: self._view("time", lib.cardo_state_q, self._nq),
                 lambda self, values: self._put(lib.cardo_state_set_q, values, self._nq))
    u = property(lambda self: self._view("time", lib.cardo_state_u, self._nu),
                 lambda self, values: self._put(lib.cardo_state_set_u, values, self._nu))

    def set_forces(self, bodies=None, mobilities=None):
        """Applied forces: on bodies (nbody x 6: torque about the body's origin, force; ground first and of no effect), on mobilities (nu)."""
        held = [None if values is None else doubles(values, n)[1] for values, n in ((bodies, 6 * self.system.nbody), (mobilities, self.system.nu))]
        lib.cardo_state_set_forces(self._pointer, ffi.NULL if held[0] is None else ffi.cast("cardo_spatial *", held[0]),
                                   ffi.NULL if held[1] is None else held[1])

    def realize(self, stage="acceleration"):
        wanted = STAGES[stage]
        if lib.cardo_state_stage(self._pointer) < wanted:
            call(lib.cardo_realize, *self._at, wanted)
        return self

    def assemble(self):
        """Brings q onto the constraints by the least change of coordinates that there is; returns what came of it by the names of
        cardo_assembly (steps, violation, rank ...)."""
        made = ffi.new("cardo_assembly *")
        call(lib.cardo_assemble_q, *self._at, ffi.NULL, made)
        return {name: getattr(made, name) for name, _ in ffi.typeof("cardo_assembly").fields}

    @property
    def constraint_errors(self):
        """Errors of the position rows, 0 where a constraint holds."""
        return self._filled("position", lib.cardo_constraint_position_errors, self.system.constraint_counts()["nposition"])

    @property
    def multipliers(self):
        return self._view("acceleration", lib.cardo_state_multipliers, self.system.constraint_counts()["nrow"])

    @property
    def G(self):
        """The rows of all constraints, explicit: G udot + b = 0 (nrow x nu)."""
        return self._filled("position", lib.cardo_constraint_matrix, self.system.constraint_counts()["nrow"], self.system.nu)

    def _view(self, stage, function, *shape):
        """A view of what a function lends: the one that was made before, as long as it lends the same memory."""
        wanted = STAGES[stage]
        if stage_of(self._pointer) < wanted:
            call(realize, *self._at, wanted)
        lent = function(self._pointer)
        kept = self._views.get(function)
        if kept is None or kept[0] != lent:
            kept = self._views[function] = lent, array(lent, shape, self._pointer)
        return kept[1]

    qdot = property(lambda self: self._view("velocity", lib.cardo_state_qdot, self.system.nq))
    udot = property(lambda self: self._view("acceleration", lib.cardo_state_udot, self._nu))
    qdotdot = property(lambda self: self._view("acceleration", lib.cardo_state_qdotdot, self.system.nq))
    X_GB = property(lambda self: self._view("position", lib.cardo_state_X_GB, self.system.nbody, 12), doc="Poses: R row by row, p (nbody x 12).")
    X_FM = property(lambda self: self._view("position", lib.cardo_state_X_FM, self.system.nbody, 12))
    V_GB = property(lambda self: self._view("velocity", lib.cardo_state_V_GB, self.system.nbody, 6))
    A_GB = property(lambda self: self._view("acceleration", lib.cardo_state_A_GB, self.system.nbody, 6))


@ffi.def_extern()
def cardo_python_forces(user, evaluation, error):
    provider = ffi.from_handle(user)
    try:
        e = evaluation
        provider.evaluation(e)
        return lib.CARDO_OK
    except BaseException as exception:
        return fail(error, exception)


class Forces:
    """A Python function as who computes the forces: function(positions, q, u) of stations (n x 3) and state returns energy and forces on
    the stations (n x 3), or energy, forces on stations or None, and generalized forces (nu)."""

    def __init__(self, function):
        self._function = function
        self._handle = ffi.new_handle(self)
        made = ffi.new("cardo_force_provider **")
        call(lib.cardo_callback_provider_create, lib.cardo_python_forces, self._handle, 0, made)
        self._owner = Owner(made[0], lib.cardo_force_provider_destroy)
        self._pointer = self._owner.pointer()

    def evaluation(self, e):
        positions = array(e.station_positions, (e.nstation, 3), self)
        energy, stations, *rest = self._function(positions, array(e.q, (e.nq,), self), array(e.u, (e.nu,), self))
        e.energy = float(energy)
        if stations is not None:
            self._stations, e.station_forces = doubles(stations, 3 * e.nstation)
        if rest:
            added = numpy.frombuffer(ffi.buffer(e.mobility_forces, 8 * e.nu), "f8")
            added += numpy.asarray(rest[0], "f8")


class Simulation:
    """Time stepping of a state. forces: a Forces, or None for those of the system alone. Options as `cardo help simulate` has them.

    >>> import cardo
    >>> system = cardo.System()
    >>> arm = system.add_body("pin", mass=1, com=(0, -1, 0), inertia=(1, 0, 1, 0, 0, 0))
    >>> swing = cardo.Simulation(system.state(q=[0.1]), "verlet", cardo.Forces(lambda x, q, u: (0.5 * q[0]**2, None, -q)),
    ...                          timestep="1 fs", velocities="zero")
    >>> last = swing.run(1000)
    >>> round(last["time"], 6), round(last["total"], 6), round(float(swing.state.q[0]), 4)  # 0.1 cos(1)
    (1.0, 0.005, 0.054)
    """

    def __init__(self, state, integrator="verlet", forces=None, **options):
        from cardo.studies import option_texts, strings

        texts, kept = strings(option_texts(options))
        made = ffi.new("cardo_simulation **")
        state.system.finalize()
        call(lib.cardo_simulation_open, state.system._pointer, state._pointer, forces._pointer if forces else ffi.NULL, integrator.encode(), len(kept),
             texts, made)
        self._owner = Owner(made[0], lib.cardo_simulation_destroy, state._owner, *([forces._owner] if forces else []))
        self._pointer = self._owner.pointer()
        self._held = state, forces
        self.state = state
        self._started = False

    def run(self, steps):
        """Goes on by so many steps; returns time, potential, kinetic and conserved energy and temperature of the last one."""
        from cardo.studies import interruptible

        stop = ffi.new("sig_atomic_t *")

        def work():
            if not self._started:
                call(lib.cardo_simulation_start, self._pointer)
                self._started = True
            call(lib.cardo_simulation_run, self._pointer, lib.cardo_simulation_step(self._pointer) + steps, stop, ffi.new("cardo_end *"))

        interruptible(work, stop)
        frame = ffi.new("cardo_frame *")
        lib.cardo_simulation_frame(self._pointer, frame)
        return {name: getattr(frame, name) for name in ("step", "time", "potential", "kinetic", "total", "conserved", "temperature")}
