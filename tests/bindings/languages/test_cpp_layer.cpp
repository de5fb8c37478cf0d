/* The layer for C++: who frees what, views, arguments of all forms, and what failures become. */
#include <cardo/cardo.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

static int failures;

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    std::printf("not so: %s\n", what);
    ++failures;
}

static cardo::System pendulum(const std::string &name)
{
    cardo::System system;
    cardo::BodyDefinition body{};
    body.name = name.c_str();
    body.mobilizer = cardo::mobilizer_find(std::string("pin"));
    body.X_PF = body.X_BM = cardo::transform_identity();
    body.mass = {2, {0, -1, 0}, {2, 0, 2, 0, 0, 0}};
    int number = 0;
    system.add_body(body, number);
    expect(number == 1, "a number is given to a variable");
    system.set_gravity({0, -9.81, 0});
    system.finalize();
    return system;
}

static void ownership()
{
    static_assert(!std::is_copy_constructible_v<cardo::State>, "what is owned is not copied");
    static_assert(std::is_nothrow_move_constructible_v<cardo::State>, "it moves");
    cardo::System system = pendulum("arm");
    cardo::State one(system), other(std::move(one));
    expect(!one && other, "a handle that was moved is empty");
    one = cardo::State(system);
    expect(bool(one), "and may be assigned to");
    cardo_state *given_up = other.release();
    expect(given_up && !other, "a released handle is somebody else's");
    const cardo::State back = cardo::State::adopt(given_up);
    expect(back.system() == system.get(), "a state knows its system");
}

static void views_and_arguments()
{
    const cardo::System system = pendulum("arm");
    cardo::State state(system);
    expect(state.udot().empty() && !state.udot().data(), "what is not realized has no view");
    const std::vector<double> q = {0.5};
    state.set_q(q);
    expect(state.q().size() == 1 && state.q()[0] == 0.5, "from a vector");
    const double raw[1] = {0.25};
    state.set_q(raw);
    expect(state.q()[0] == 0.25, "from an array");
    state.set_q({0.5});
    cardo::realize(system, state, CARDO_STAGE_ACCELERATION);
    expect(std::fabs(state.udot()[0] + 9.81 * std::sin(0.5)) < 1e-14, "a pendulum falls");
    expect(state.udot().data() == cardo_state_udot(state), "views are no copies");
    expect(state.X_GB().size() == 2, "one pose a body, ground too");
    std::vector<double> M(1);
    cardo::mass_matrix(system, state, M);
    expect(M[0] == 2, "into a vector");
    expect(cardo::mobility_name(system, 0) == "arm", "texts are strings");
}

static void failing()
{
    cardo::System system = pendulum("arm");
    cardo::State state(system);
    double M_inverse;
    try {
        cardo::mass_matrix_inverse(system, state, M_inverse);
        expect(false, "asking above the stage throws");
    } catch (const cardo::Error &error) {
        expect(error.code() == CARDO_ERROR_STAGE, "the code is there");
        expect(std::strlen(error.what()) > 10, "the message is there");
    }
    try {
        auto simulation =
            cardo::Simulation::open(system, state, nullptr, "verlet", {"timestop=1 fs"});
        expect(false, "an unknown option throws");
    } catch (const cardo::Error &error) {
        expect(std::strstr(error.what(), "timestep"), "the nearest name is in the message");
    }
    try {
        auto session = cardo::Session::open("no such file.xml", nullptr, nullptr);
        expect(false, "a file that is not there throws");
    } catch (const std::runtime_error &error) {
        expect(std::strstr(error.what(), "no such file.xml"), "the file is named");
    }
}

int main()
{
    ownership();
    views_and_arguments();
    failing();
    if (!failures)
        std::printf("all is so\n");
    return failures ? 1 : 0;
}
