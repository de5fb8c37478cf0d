"""The engine from Python: figures against closed forms and identities, views without copies, forces by a Python function."""
import doctest
import functools
import gc
import itertools
import os
import pathlib
import re
import resource

import cardo
import numpy
import pytest

SOURCES = pathlib.Path(os.environ["CARDO_SOURCES"])


def pendulum(length=1.0):
    system = cardo.System()
    system.add_body("pin", mass=2, com=(0, -length, 0), inertia=(2 * length**2, 0, 2 * length**2, 0, 0, 0))
    system.gravity = (0, -9.81, 0)
    return system


def tree():
    generator = numpy.random.default_rng(5)
    system, parents = cardo.System(), [0, 1, 1, 2, 4, 3]
    for parent, kind in zip(parents, ["free", "pin", "ball", "universal", "slider", "screw"]):
        com = generator.uniform(-0.3, 0.3, 3)
        central = numpy.diag(generator.uniform(1, 2, 3))
        about_origin = central + 1.5 * (com @ com * numpy.eye(3) - numpy.outer(com, com))
        inertia = [about_origin[k] for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        parameters = {"pitch": 0.2} if kind == "screw" else {}
        system.add_body(kind, parent, mass=1.5, com=com, inertia=inertia, X_PF=generator.uniform(-1, 1, 3), **parameters)
    system.add_stations(5, [[0, 0, 0.1], [0.2, 0, 0]])
    state = system.state()
    return system, system.state(q=state.q + generator.uniform(-0.2, 0.2, system.nq), u=generator.uniform(-1, 1, system.nu)), generator


def test_a_pendulum_falls_as_it_should():
    state = pendulum().state(q=[0.5])
    assert state.udot[0] == pytest.approx(-9.81 * numpy.sin(0.5), rel=1e-14)
    assert state.M == pytest.approx(numpy.array([[2.0]]))
    assert state.X_GB[1, :2] == pytest.approx([numpy.cos(0.5), -numpy.sin(0.5)])


def test_operators_agree_with_each_other():
    system, state, generator = tree()
    v, udot = generator.normal(size=system.nu), numpy.array(state.udot)
    M = state.M
    assert M == pytest.approx(M.T, abs=1e-12)
    assert state.multiply_M(v) == pytest.approx(M @ v, abs=1e-11)
    assert state.multiply_M_inverse(M @ v) == pytest.approx(v, abs=1e-11)
    assert state.inverse_dynamics(udot) == pytest.approx(numpy.zeros(system.nu), abs=1e-10)
    assert M @ udot + state.bias == pytest.approx(numpy.zeros(system.nu), abs=1e-10)
    assert state.kinetic_energy == pytest.approx(0.5 * state.u @ M @ state.u, rel=1e-12)
    assert state.log_det_M == pytest.approx(numpy.linalg.slogdet(M)[1], abs=1e-10)
    W = numpy.column_stack([state.multiply_sqrt_M_inverse(e) for e in numpy.eye(system.nu)])
    assert W @ W.T == pytest.approx(numpy.linalg.inv(M), abs=1e-10)
    J = numpy.column_stack([state.multiply_J(e).ravel() for e in numpy.eye(system.nu)])
    F = generator.normal(size=(system.nbody, 6))
    F[0] = 0
    assert state.multiply_J_transposed(F) == pytest.approx(J.T @ F.ravel(), abs=1e-11)
    assert state.multiply_station_J(state.u) == pytest.approx(state.station_velocities, abs=1e-11)
    assert state.multiply_N_inverse(state.multiply_N(v)) == pytest.approx(v, abs=1e-11)


def test_applied_forces_accelerate():
    system, state, generator = tree()
    tau = generator.normal(size=system.nu)
    before = numpy.array(state.udot)
    state.set_forces(mobilities=tau)
    assert state.M @ (state.udot - before) == pytest.approx(tau, abs=1e-9)


def test_arrays_are_views_that_outlive_their_owner():
    state = pendulum().state(q=[0.25])
    q = state.q
    assert numpy.shares_memory(q, state.q)
    with pytest.raises(ValueError):
        q[0] = 1
    del state
    gc.collect()
    assert q[0] == 0.25


def test_energy_is_kept_and_python_functions_are_forces():
    def spring(positions, q, u):
        return 2.0 * q[0] ** 2, None, -4.0 * q

    system = cardo.System()
    system.add_body("pin", mass=1, com=(0, -1, 0), inertia=(1, 0, 1, 0, 0, 0))
    simulation = cardo.Simulation(system.state(q=[0.3]), "verlet", cardo.Forces(spring), timestep="1 fs", velocities="zero")
    first = simulation.run(0)
    last = simulation.run(1000)
    assert first["total"] == pytest.approx(0.18)
    assert last["total"] == pytest.approx(0.18, rel=1e-5)
    assert simulation.state.q[0] == pytest.approx(0.3 * numpy.cos(2.0 * last["time"]), abs=1e-5)


def linkage():
    """A four-bar linkage: crank, coupler, rocker."""
    system = cardo.System()
    system.gravity = (0, -9.81, 0)
    for parent, at, length in ((0, 0, 1), (1, 1, 2.5), (0, 3, 2)):
        along = length**3 / 3
        system.add_body("pin", parent, X_PF=(at, 0, 0), mass=length, com=(length / 2, 0, 0), inertia=(0.001, along, along, 0, 0, 0))
    system.add_constraint("ball", "closure", body1=2, body2=3, point1=numpy.array([2.5, 0, 0]), point2=(2, 0, 0))
    return system


def test_a_linkage_is_assembled_and_keeps_its_loop():
    system = linkage()
    state = system.state(q=[1, -0.5, 1.5])
    assert numpy.abs(state.constraint_errors).max() > 0.01
    assert state.assemble()["violation"] < 1e-12
    phi, psi = state.q[0], state.q[2]
    # Freudenstein's equation of crank 1, coupler 2.5, rocker 2, ground 3
    assert 3 * numpy.cos(psi) - 1.5 * numpy.cos(phi) + (1 - 6.25 + 4 + 9) / 4 == pytest.approx(numpy.cos(phi - psi), abs=1e-12)
    assert state.G.shape == (3, 3) and numpy.linalg.matrix_rank(state.G, tol=1e-9) == 2
    assert state.M @ state.udot + state.G.T @ state.multipliers == pytest.approx(-_gravity_gradient(state), abs=1e-9)
    with pytest.raises(TypeError, match="point2"):
        system.add_constraint("ball", body1=2, body2=3)
    with pytest.raises(ValueError, match="weld"):
        system.add_constraint("welt")


def _gravity_gradient(state, step=1e-5):
    """Of a copy's gravity energy by central differences."""
    other, gradient = state.copy(), []
    for k in range(state.system.nu):
        energies = []
        for sign in (1, -1):
            other.q = state.q + sign * step * numpy.eye(state.system.nu)[k]
            energies.append(other.gravity_energy)
        gradient.append((energies[0] - energies[1]) / (2 * step))
    return numpy.array(gradient)


def test_what_a_function_raises_comes_back():
    simulation = cardo.Simulation(pendulum().state(q=[0.1]), forces=cardo.Forces(lambda x, q, u: 1 / 0))
    with pytest.raises(ZeroDivisionError):
        simulation.run(1)


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match="no mobilizer 'pinn'"):
        cardo.System().add_body("pinn", mass=1)
    system = cardo.System()
    system.add_body("pin", mass=1)
    with pytest.raises(cardo.CardoError, match="no inertia"):
        system.state()
    with pytest.raises(ValueError, match="1 numbers"):
        pendulum().state(q=[1, 2])


def watch(owner, name, freed):
    """Notes when an owner frees what it has."""
    destroy = owner._destroy
    owner._destroy = lambda pointer: (freed.append(name), destroy(pointer))


def test_a_cycle_is_freed_in_any_order():
    for order in itertools.permutations(range(4)):
        system = pendulum()
        state = system.state()
        forces = cardo.Forces(lambda positions, q, u: (0.0, None))
        made = [system, state, forces, cardo.Simulation(state, "verlet", forces=forces, timestep="1 fs")]
        made[3].run(1)
        freed = []
        for name, one in zip(("system", "state", "forces", "simulation"), made):
            one.others = [made[k] for k in order]
            watch(one._owner, name, freed)
        del system, state, forces, made, one
        gc.collect()
        assert sorted(freed) == ["forces", "simulation", "state", "system"]
        assert freed.index("simulation") < min(freed.index("state"), freed.index("forces"))
        assert freed.index("state") < freed.index("system")


def test_what_is_dropped_is_freed():
    for _ in range(500):
        pendulum().state(q=[0.1]).udot
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(5000):
        pendulum().state(q=[0.1]).udot
    gc.collect()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000


def test_every_operator_of_the_header_is_here():
    """Each function of operators.h is called by a method, so each method is tried and held against the explicit M and J."""
    header = (SOURCES / "src/include/cardo/operators.h").read_text()
    source = (SOURCES / "src/bindings/python/cardo/operators.py").read_text()
    functions = re.findall(r"CARDO_API [^;(]*?(cardo_\w+)\(", header)
    assert len(functions) > 35
    assert not [name for name in functions if f"lib.{name}" not in source]

    system, state, generator = tree()
    v, w, f = generator.normal(size=system.nu), generator.normal(size=system.nu), generator.normal(size=3)
    F, station_forces = generator.normal(size=(system.nbody, 6)), generator.normal(size=(system.nstation, 3))
    M, J, close = state.M, state.J, functools.partial(pytest.approx, abs=1e-10)
    F[0] = 0
    assert state.M_inverse == close(numpy.linalg.inv(M))
    assert J @ v == close(state.multiply_J(v).ravel())
    W = numpy.column_stack([state.multiply_sqrt_M_inverse(e) for e in numpy.eye(system.nu)])
    assert state.multiply_sqrt_M_inverse_transposed(v) == close(W.T @ v)
    assert state.multiply_sqrt_M(v) == close(numpy.linalg.solve(W, v))
    assert state.multiply_sqrt_M_transposed(v) == close(numpy.linalg.solve(W.T, v))
    point, body = numpy.array([0.1, 0.2, -0.3]), 5
    R, V = state.X_GB[body, :9].reshape(3, 3), state.multiply_J(v)[body]
    assert state.multiply_point_J(body, point, v) == close(V[3:] + numpy.cross(V[:3], R @ point))
    assert state.point_J(body, point) @ v == close(state.multiply_point_J(body, point, v))
    assert state.multiply_point_J_transposed(body, point, f) == close(state.point_J(body, point).T @ f)
    assert J.T @ state.station_forces_to_bodies(station_forces).ravel() == close(state.multiply_station_J_transposed(station_forces))
    assert state.power(F, w) == close(state.u @ (J.T @ F.ravel() + w))
    assert state.inverse_dynamics(v, F, w) == close(M @ v + state.bias - J.T @ F.ravel() - w)
    # the base is free: overall motion has its six speeds, and moves all of it as one
    assert state.noverall == 6 and numpy.count_nonzero(state.overall_speeds(M @ v)) == 6
    assert (M @ state.overall_speeds(M @ v))[:6] == close((M @ v)[:6])
    mass, com, momentum = state.momentum()
    assert mass == close(9)
    composites = state.composite_inertias
    assert composites[0, 0] == close(9) and composites[0, 1:4] == close(com)
    assert composites[1, 0] * (state.X_GB[1, 9:] + composites[1, 1:4]) == close(mass * com)
    P = state.articulated_inertia(1)
    assert P == close(P.T)
    motion = state.mobilizer_motion(2)
    assert motion["X_FM"] == close(state.X_FM[2]) and motion["H_FM"][0] == close([0, 0, 1, 0, 0, 0])
    assert motion["V_FM"] == close(motion["H_FM"][0] * state.u[6])
    # by differences along a short inertial flight
    step, ahead = 1e-6, []
    for sign in (1, -1):
        other = state.copy()
        other.q = state.q + sign * step * numpy.array(state.qdot)
        ahead.append((other.log_det_M, other.multiply_J(state.u), other.M, other.momentum()[1]))
    assert state.log_det_M_gradient @ state.u == pytest.approx((ahead[0][0] - ahead[1][0]) / (2 * step), abs=1e-6)
    assert state.coriolis_accelerations == pytest.approx((ahead[0][1] - ahead[1][1]) / (2 * step), abs=1e-6)
    assert state.momentum_rate == pytest.approx((ahead[0][2] - ahead[1][2]) @ state.u / (2 * step) - state.bias, abs=1e-6)
    assert momentum[3:] == pytest.approx(mass * (ahead[0][3] - ahead[1][3]) / (2 * step), abs=1e-6)
    # nothing holds it, so what is applied accelerates its centre of mass
    state.set_forces(bodies=F)
    assert mass * state.com_acceleration == close(F[:, 3:].sum(axis=0))
    assert state.reactions_at_parent[1:, 3:] == close(-state.reactions[1:, 3:])
    spin, com = state.V_GB[6, :3], composites[6, 1:4]
    assert state.gyroscopic_forces[6, 3:] == close(1.5 * numpy.cross(spin, numpy.cross(spin, com)))


def test_examples_of_the_documentation():
    for module in (cardo.engine, cardo.operators):
        failed, tried = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
        assert failed == 0
        assert tried or module is not cardo.engine
