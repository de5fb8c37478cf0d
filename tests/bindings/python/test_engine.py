"""The engine from Python: figures against closed forms and identities, views without copies, forces by a Python function."""
import gc
import itertools
import resource

import cardo
import numpy
import pytest


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
