// The four-bar linkage of four_bar.c in C++17.
#include <cardo/cardo.hpp>

#include <cstdio>

static void print(const char *what, cardo::Span<const double> x)
{
    std::printf("%s", what);
    for (double number : x)
        std::printf("%24.16E", number);
    std::printf("\n");
}

static void add_rod(cardo::System &system, const char *name, int parent, double at, double length)
{
    const double along = length * length * length / 3;
    cardo::BodyDefinition body{};
    body.name = name;
    body.parent = parent;
    body.mobilizer = cardo::mobilizer_find("pin");
    body.X_PF = body.X_BM = cardo::transform_identity();
    body.X_PF.p.x = at;
    body.mass = {length, {length / 2, 0, 0}, {0.001, along, along, 0, 0, 0}};
    system.add_body(body, nullptr);
}

int main()
try {
    cardo::System system;
    system.set_gravity({0, -9.81, 0});
    add_rod(system, "crank", 0, 0, 1);
    add_rod(system, "coupler", 1, 1, 2.5);
    add_rod(system, "rocker", 0, 3, 2);
    const cardo::CoincidentPoints closure = {2, 3, {2.5, 0, 0}, {2, 0, 0}};
    system.add_constraint(cardo::constraint_find("ball"), "closure", &closure, nullptr);
    system.finalize();

    cardo::State state(system);
    state.set_q({1, -0.5, 1.5});
    cardo::assemble_q(system, state, nullptr, nullptr);
    cardo::realize(system, state, CARDO_STAGE_ACCELERATION);
    print("assembled    ", state.q());
    print("accelerations", state.udot());

    auto simulation = cardo::Simulation::open(system, state, nullptr, "verlet",
                                              {"timestep=0.005 ps", "temperature=0 K"});
    simulation.start();
    for (int steps = 20; steps <= 100; steps += 20) {
        cardo_end end;
        double kinetic;
        simulation.run(steps, nullptr, end);
        cardo::kinetic_energy(system, state, kinetic);
        print("q            ", state.q());
        print("kinetic      ", {kinetic});
    }
    return 0;
} catch (const cardo::Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
