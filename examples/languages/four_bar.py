"""The four-bar linkage of four_bar.c in Python."""
import cardo


def print_numbers(what, x):
    print(what + "".join(f"{number:24.16E}" for number in x))


def add_rod(system, name, parent, at, length):
    along = length * length * length / 3
    system.add_body("pin", parent, name=name, X_PF=(at, 0, 0), mass=length, com=(length / 2, 0, 0), inertia=(0.001, along, along, 0, 0, 0))


system = cardo.System()
system.gravity = 0, -9.81, 0
add_rod(system, "crank", 0, 0, 1)
add_rod(system, "coupler", 1, 1, 2.5)
add_rod(system, "rocker", 0, 3, 2)
system.add_constraint("ball", "closure", body1=2, body2=3, point1=(2.5, 0, 0), point2=(2, 0, 0))

state = system.state(q=[1, -0.5, 1.5])
state.assemble()
print_numbers("assembled    ", state.q)
print_numbers("accelerations", state.udot)

simulation = cardo.Simulation(state, "verlet", timestep="0.005 ps", temperature="0 K")
for _ in range(5):
    simulation.run(20)
    print_numbers("q            ", state.q)
    print_numbers("kinetic      ", [state.kinetic_energy])
