/* Integrators on the manifold of constraints: a trajectory of Simbody's, order, volume, reversibility, energy, restarts, what is
 * refused. The ensembles are in test_loop_ensembles. */
#include "base/units.h"
#include "cardo/manifold.h"
#include "loop_models.h"
#include "multibody/reference_json.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_settings {
    const char *integrator;
    double timestep;
    const char *velocities;
    const char *ensemble;
    const char *own
        [5]; /* name, value, ..., NULL of the integrator; those that it has not are passed over */
    long long seed;
} run_settings;

static cardo_status open_run(loop_model *m, const run_settings *s, cardo_simulation **out,
                             cardo_error *error)
{
    cardo_simulation_options options;
    double own[128];
    const cardo_integrator *integrator = cardo_integrator_find(s->integrator);
    assert_non_null(integrator);
    cardo_fields_default(cardo_simulation_fields, &options);
    if (integrator->fields)
        cardo_fields_default(integrator->fields, own);
    options.timestep = s->timestep;
    options.temperature = m->kT / CARDO_BOLTZMANN;
    options.max_energy_jump = 1e6;
    options.seed = s->seed;
    if (s->velocities)
        assert_ok(
            cardo_fields_set(cardo_simulation_fields, &options, "velocities", s->velocities, error),
            error);
    if (s->ensemble)
        assert_ok(
            cardo_fields_set(cardo_simulation_fields, &options, "ensemble", s->ensemble, error),
            error);
    for (const char *const *text = s->own; *text; text += 2)
        if (integrator->fields && cardo_fields_find(integrator->fields, text[0]))
            assert_ok(cardo_fields_set(integrator->fields, own, text[0], text[1], error), error);
    return cardo_simulation_create(m->system, m->state, m->provider, integrator, &options,
                                   integrator->fields ? own : NULL, out, error);
}

static cardo_simulation *start_run(loop_model *m, const run_settings *s)
{
    cardo_error error = {0};
    cardo_simulation *simulation;
    assert_ok(open_run(m, s, &simulation, &error), &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

static void run_to(cardo_simulation *simulation, long long steps)
{
    cardo_error error = {0};
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, steps, NULL, &end, &error), &error);
}

/* Largest error of q and u at the samples of the rod loop, which are 0.1 apart. */
static double rod_loop_error(const run_settings *s, double *violation)
{
    loop_model m;
    double worst = 0;
    loop_model_create_trajectory(&m, "traj_rod_loop.json");
    cardo_simulation *simulation = start_run(&m, s);
    const json_t *samples = json_object_get(m.file, "samples");
    const int each = (int)lround(0.1 / s->timestep), nq = cardo_system_nq(m.system),
              nu = cardo_system_nu(m.system);
    *violation = 0;
    for (size_t k = 1; k < json_array_size(samples); ++k) {
        double q[LOOP_MOST_Q], u[LOOP_MOST_Q];
        const json_t *sample = json_array_get(samples, k);
        reference_flatten(json_object_get(sample, "q"), q, LOOP_MOST_Q);
        reference_flatten(json_object_get(sample, "u"), u, LOOP_MOST_Q);
        run_to(simulation, (long long)k * each);
        for (int i = 0; i < nq; ++i)
            worst = fmax(worst, fabs(cardo_state_q(m.state)[i] - q[i]));
        for (int i = 0; i < nu; ++i)
            worst = fmax(worst, fabs(cardo_state_u(m.state)[i] - u[i]));
        *violation = fmax(*violation, loop_model_violation(&m));
    }
    cardo_simulation_destroy(simulation);
    loop_model_destroy(&m);
    return worst;
}

static void the_rod_loop_moves_as_in_the_reference(void **test)
{
    (void)test;
    static const struct {
        const char *method, *accuracy;
        double timestep, bound;
    } runs[] = {{"rk-merson", "1e-12", 0.1, 1e-8},
                {"adams", "1e-13", 0.1, 1e-8},
                {"bdf", "3e-14", 0.1, 1e-8},
                {"verlet", "", 0.01, 1e-8}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
        double violation;
        const run_settings s = {.integrator = runs[i].method,
                                .timestep = runs[i].timestep,
                                .velocities = "keep",
                                .own = {"accuracy", runs[i].accuracy, NULL}};
        const double error = rod_loop_error(&s, &violation);
        print_message("%s: error %.3g, violation %.3g\n", runs[i].method, error, violation);
        assert_true(error <= runs[i].bound);
        assert_true(violation <= 1e-12);
    }
}

/* Drawn speeds are the same for all methods of one seed. Leaves q, then u, of a loop after a time. */
static double end_of(const run_settings *s, const char *loop, double time, double *y)
{
    loop_model m;
    double violation = 0;
    loop_model_create(&m, loop);
    cardo_simulation *simulation = start_run(&m, s);
    const int nq = cardo_system_nq(m.system), nu = cardo_system_nu(m.system);
    for (long long step = 1; step <= llround(time / s->timestep); ++step) {
        run_to(simulation, step);
        violation = fmax(violation, loop_model_violation(&m));
    }
    memcpy(y, cardo_state_q(m.state), sizeof *y * (size_t)nq);
    memcpy(y + nq, cardo_state_u(m.state), sizeof *y * (size_t)nu);
    cardo_simulation_destroy(simulation);
    loop_model_destroy(&m);
    return violation;
}

static double distance(const double *a, const double *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void steps_have_their_order(void **test)
{
    (void)test;
    static const struct {
        const char *integrator;
        double timestep, ratio, spread;
    } methods[] = {{"verlet", 0.02, 4, 0.2},
                   {"respa", 0.02, 4, 0.2},
                   {"leapfrog", 0.02, 4, 0.2},
                   {"heun", 0.01, 4, 0.5},
                   {"euler", 0.0025, 2, 0.3},
                   {"rk4", 0.02, 16, 4},
                   {"adams-bashforth-moulton", 0.02, 16, 6}};
    static const char *const loops[] = {"loop_k4_ball", "loop_k12_weld"};
    for (int l = 0; l < 2; ++l) {
        double exact[2 * LOOP_MOST_Q], y[2 * LOOP_MOST_Q]; /* q, then u */
        const int n = l == 0 ? 10 : 26;
        const run_settings best = {.integrator = "rk-merson",
                                   .timestep = 1,
                                   .seed = 2,
                                   .own = {"accuracy", "1e-13", NULL}};
        end_of(&best, loops[l], 1, exact);
        for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
            double violation = 0, error[2];
            for (int half = 0; half < 2; ++half) {
                const run_settings s = {.integrator = methods[i].integrator,
                                        .timestep = methods[i].timestep / (1 + half),
                                        .seed = 2};
                violation = fmax(violation, end_of(&s, loops[l], 1, y));
                error[half] = distance(y, exact, n);
            }
            print_message("%s, %s: errors %.3g, %.3g, ratio %.3f, violation %.3g\n", loops[l],
                          methods[i].integrator, error[0], error[1], error[0] / error[1],
                          violation);
            assert_close(error[0] / error[1], methods[i].ratio, methods[i].spread);
            assert_true(violation <= 1e-12);
        }
    }
}

/* Of a loop with one freedom: a coordinate, and the momentum along it, u^T M u over the coordinate's rate. */
static void read_phase(const loop_model *m, int coordinate, double *phase)
{
    cardo_error error = {0};
    double momentum[LOOP_MOST_Q], twice = 0;
    const double *u = cardo_state_u(m->state);
    assert_ok(cardo_multiply_m(m->system, m->state, u, momentum, &error), &error);
    for (int k = 0; k < cardo_system_nu(m->system); ++k)
        twice += u[k] * momentum[k];
    phase[0] = cardo_state_q(m->state)[coordinate];
    phase[1] = twice / u[coordinate];
}

/* Starts at q and u a little off along the manifold, and makes one step. */
static void step_from(const run_settings *s, const char *loop, int coordinate, double shift,
                      double push, double *before, double *after)
{
    loop_model m;
    cardo_error error = {0};
    double q[LOOP_MOST_Q], u[LOOP_MOST_Q], norm;
    loop_model_create(&m, loop);
    const int nq = cardo_system_nq(m.system);
    for (int pass = 0; pass < 2; ++pass) {
        /* along the manifold: the projection of a change of the coordinate */
        memset(u, 0, sizeof u);
        u[coordinate] = 1;
        assert_ok(cardo_realize(m.system, m.state, CARDO_STAGE_DYNAMICS, &error), &error);
        assert_ok(cardo_project_free_speeds(m.system, m.state, u, &error), &error);
        norm = u[coordinate];
        if (pass == 0) {
            for (int k = 0; k < nq; ++k)
                q[k] = cardo_state_q(m.state)[k] + shift * u[k] / norm;
            cardo_state_set_q(m.state, q);
            assert_ok(cardo_project_q(m.system, m.state, 1e-15, &error), &error);
        }
    }
    for (int k = 0; k < nq; ++k)
        u[k] *= (0.6 + push) / norm;
    cardo_state_set_u(m.state, u);
    cardo_simulation *simulation = start_run(&m, s);
    read_phase(&m, coordinate, before);
    run_to(simulation, 1);
    read_phase(&m, coordinate, after);
    cardo_simulation_destroy(simulation);
    loop_model_destroy(&m);
}

/* Determinant of d(after)/d(before) by differences in two directions of the start. */
static double volume_change(const run_settings *s, const char *loop, int coordinate)
{
    const double h = 1e-4;
    double d[2][4];
    for (int i = 0; i < 2; ++i) {
        double a[2], b[2], A[2], B[2];
        step_from(s, loop, coordinate, i == 0 ? h : 0, i == 0 ? 0 : h, a, A);
        step_from(s, loop, coordinate, i == 0 ? -h : 0, i == 0 ? 0 : -h, b, B);
        d[i][0] = a[0] - b[0];
        d[i][1] = a[1] - b[1];
        d[i][2] = A[0] - B[0];
        d[i][3] = A[1] - B[1];
    }
    return (d[0][2] * d[1][3] - d[0][3] * d[1][2]) / (d[0][0] * d[1][1] - d[0][1] * d[1][0]);
}

static void symplectic_steps_keep_the_volume_of_phase_space(void **test)
{
    (void)test;
    static const char *const methods[] = {"verlet", "leapfrog", "rk4", "heun"};
    double off[4];
    for (int i = 0; i < 4; ++i) {
        const run_settings s = {
            .integrator = methods[i], .timestep = i < 2 ? 0.3 : 0.3, .velocities = "keep"};
        off[i] = volume_change(&s, "loop_k3_ball", 2) - 1;
        print_message("%s: volume after one step, less 1: %.3g\n", methods[i], off[i]);
    }
    assert_true(fabs(off[0]) < 1e-6 && fabs(off[1]) < 1e-6);
    assert_true(fabs(off[3]) > 1e-4);
}

static void steps_lead_back(void **test)
{
    (void)test;
    static const char *const methods[] = {"verlet", "leapfrog", "respa"};
    static const char *const loops[] = {"loop_k4_ball", "loop_k12_weld", "loop_k6_weld_redundant"};
    for (int i = 0; i < 3; ++i)
        for (int l = 0; l < 3; ++l) {
            loop_model m;
            double start[LOOP_MOST_Q], u[LOOP_MOST_Q];
            loop_model_create(&m, loops[l]);
            const int nq = cardo_system_nq(m.system), nu = cardo_system_nu(m.system);
            const run_settings s = {
                .integrator = methods[i], .timestep = i == 1 ? 0.02 : 0.05, .seed = 4};
            cardo_simulation *simulation = start_run(&m, &s);
            memcpy(start, cardo_state_q(m.state), sizeof *start * (size_t)nq);
            run_to(simulation, 100);
            const double far = distance(cardo_state_q(m.state), start, nq);
            for (int k = 0; k < nu; ++k)
                u[k] = -cardo_state_u(m.state)[k];
            cardo_error error = {0};
            assert_ok(cardo_simulation_renew(simulation, NULL, u, &error), &error);
            run_to(simulation, 200);
            const double off = distance(cardo_state_q(m.state), start, nq);
            print_message("%s, %s: %.3g rad away, back within %.3g\n", loops[l], methods[i], far,
                          off);
            assert_true(far > 5e-3);
            assert_true(off < 1e-9);
            cardo_simulation_destroy(simulation);
            loop_model_destroy(&m);
        }
}

static void make_model(loop_model *m, const char *name)
{
    if (strncmp(name, "traj", 4) == 0)
        loop_model_create_trajectory(m, name);
    else
        loop_model_create(m, name);
}

/* Slope of the energy with time by least squares, its standard error from blocks, and the largest violation. */
static void measure_drift(const run_settings *s, const char *loop, long long steps, double *slope,
                          double *uncertainty, double *spread, double *violation)
{
    enum { BLOCKS = 20 };
    loop_model m;
    cardo_frame frame;
    double mean[BLOCKS] = {0}, x = 0, y = 0, xx = 0, xy = 0, rest = 0;
    make_model(&m, loop);
    cardo_simulation *simulation = start_run(&m, s);
    cardo_simulation_frame(simulation, &frame);
    const double first = frame.total;
    *spread = *violation = 0;
    for (int b = 0; b < BLOCKS; ++b)
        for (long long k = 1; k <= steps / BLOCKS; ++k) {
            run_to(simulation, b * (steps / BLOCKS) + k);
            cardo_simulation_frame(simulation, &frame);
            mean[b] += (frame.total - first) / (double)(steps / BLOCKS);
            *spread = fmax(*spread, fabs(frame.total - first));
            *violation = fmax(*violation, loop_model_violation(&m));
        }
    const double width = (double)(steps / BLOCKS) * s->timestep;
    for (int b = 0; b < BLOCKS; ++b) {
        x += b * width / BLOCKS;
        y += mean[b] / BLOCKS;
    }
    for (int b = 0; b < BLOCKS; ++b) {
        xx += (b * width - x) * (b * width - x);
        xy += (b * width - x) * (mean[b] - y);
    }
    *slope = xy / xx;
    for (int b = 0; b < BLOCKS; ++b)
        rest += pow(mean[b] - y - *slope * (b * width - x), 2);
    *uncertainty = sqrt(rest / (BLOCKS - 2) / xx);
    cardo_simulation_destroy(simulation);
    loop_model_destroy(&m);
}

static void check_drift(const char *method, const char *loop, long long steps, double timestep,
                        double bound)
{
    double slope, uncertainty, spread, violation;
    const bool moves = strncmp(loop, "traj", 4) == 0;
    const run_settings s = {.integrator = method,
                            .timestep = timestep,
                            .seed = 8,
                            .velocities = moves ? "keep" : "draw"};
    measure_drift(&s, loop, steps, &slope, &uncertainty, &spread, &violation);
    print_message("%s, %s: %lld steps of %g ps: drift %.2g +- %.2g kJ/mol/ps, energy within %.3g "
                  "kJ/mol, violation %.3g\n",
                  loop, method, steps, timestep, slope, uncertainty, spread, violation);
    assert_true(fabs(slope) < 4 * uncertainty + bound);
    assert_true(violation <= 1e-12);
}

static void energy_does_not_drift(void **test)
{
    (void)test;
    const int steps = SUPPORT_SANITIZED ? 400 : 4000;
    check_drift("verlet", "loop_k4_ball", steps, 0.02, 1e-8);
    check_drift("leapfrog", "traj_rod_loop.json", steps, 0.01, 1e-8);
}

/* The potential of a corrected ensemble, as steep as a nearly stretched loop makes it, costs no energy at steps that the forces stand: it
 * moves with the flights. As kicks at the ends of steps it would cost several kJ/mol here. */
static void corrected_ensembles_keep_the_energy(void **test)
{
    (void)test;
    static const char *const ensembles[] = {"rigid", "closure", "full"};
    double spread[3];
    for (int e = 0; e < 3; ++e) {
        loop_model m;
        cardo_frame frame;
        const run_settings s = {.integrator = "verlet",
                                .timestep = 0.03,
                                .ensemble = ensembles[e],
                                .seed = 11,
                                .own = {"flight-tolerance", "1e-7", NULL}};
        loop_model_create(&m, "loop_k3_ball");
        cardo_simulation *simulation = start_run(&m, &s);
        cardo_simulation_frame(simulation, &frame);
        const double first = frame.total;
        spread[e] = 0;
        for (int step = 1; step <= (SUPPORT_SANITIZED ? 40 : 400); ++step) {
            run_to(simulation, step);
            cardo_simulation_frame(simulation, &frame);
            spread[e] = fmax(spread[e], fabs(frame.total - first));
        }
        print_message("%s: energy within %.3g kJ/mol\n", ensembles[e], spread[e]);
        assert_true(spread[e] < 0.2);
        cardo_simulation_destroy(simulation);
        loop_model_destroy(&m);
    }
}

/* What is allowed beside four standard errors is 2e-4 kJ/mol in all, a twentieth of what the energy goes to and fro by. */
static void energy_does_not_drift_in_a_million_steps(void **test)
{
    (void)test;
    check_drift("verlet", "loop_k4_ball", 1000000, 0.02, 1e-8);
    check_drift("leapfrog", "traj_rod_loop.json", 1000000, 0.01, 1e-8);
    check_drift("verlet", "loop_k12_weld", 1000000, 0.005, 1e-8);
}

/* Noise leads nowhere off the manifold either, and its heat is booked: what is conserved goes to and fro like the energy without it. */
static void a_bath_stays_on_the_manifold_for_a_million_steps(void **test)
{
    (void)test;
    static const char *const methods[] = {"langevin", "baoab"};
    for (int i = 0; i < 2; ++i) {
        loop_model m;
        cardo_frame frame;
        double violation = 0, off = 0;
        const run_settings s = {
            .integrator = methods[i], .timestep = 0.02, .seed = 9, .velocities = "draw"};
        loop_model_create(&m, "loop_k4_ball");
        cardo_simulation *simulation = start_run(&m, &s);
        cardo_simulation_frame(simulation, &frame);
        const double first = frame.conserved;
        for (long long step = 1; step <= 1000000; ++step) {
            run_to(simulation, step);
            cardo_simulation_frame(simulation, &frame);
            violation = fmax(violation, loop_model_violation(&m));
            off = frame.conserved - first;
        }
        print_message("%s: 1000000 steps of %g ps: violation %.3g, conserved energy off by %.3g "
                      "kJ/mol\n",
                      methods[i], s.timestep, violation, off);
        assert_true(violation <= 1e-12);
        cardo_simulation_destroy(simulation);
        loop_model_destroy(&m);
    }
}

static void a_restored_run_has_the_same_bits(void **test)
{
    (void)test;
    for (int i = 0; cardo_integrators[i]; ++i)
        for (int l = 0; l < 2; ++l) {
            loop_model whole, other;
            cardo_error error = {0};
            cardo_snapshot snapshot = {0};
            const char *loop = l == 0 ? "loop_k4_ball_angle" : "loop_k6_weld_redundant";
            const run_settings s = {.integrator = cardo_integrators[i]->name,
                                    .timestep = 0.05,
                                    .ensemble = l == 0 ? "closure" : "full",
                                    .seed = 7};
            if (cardo_integrators[i]->traits & CARDO_INTEGRATOR_UNCONSTRAINED)
                continue;
            loop_model_create(&whole, loop);
            loop_model_create(&other, loop);
            const int nq = cardo_system_nq(whole.system), nu = cardo_system_nu(whole.system);
            cardo_simulation *through = start_run(&whole, &s), *after;
            assert_ok(open_run(&other, &s, &after, &error), &error);
            run_to(through, 7);
            snapshot.values =
                malloc((size_t)cardo_simulation_snapshot_size(through) * sizeof(double));
            cardo_simulation_save(through, &snapshot);
            assert_ok(cardo_simulation_restore(after, &snapshot, &error), &error);
            free(snapshot.values);
            run_to(through, 20);
            run_to(after, 20);
            assert_memory_equal(cardo_state_q(other.state), cardo_state_q(whole.state),
                                sizeof(double) * (size_t)nq);
            assert_memory_equal(cardo_state_u(other.state), cardo_state_u(whole.state),
                                sizeof(double) * (size_t)nu);
            assert_int_equal(cardo_simulation_degrees(after), whole.freedoms);
            assert_true(loop_model_violation(&whole) <= 1e-12);
            cardo_simulation_destroy(through);
            cardo_simulation_destroy(after);
            loop_model_destroy(&whole);
            loop_model_destroy(&other);
        }
}

/* At steps that are too long for the loop's sharp turns some projections lead elsewhere, or nowhere, on the way back: such moves are
 * turned down and counted, and the loop stays closed. */
static void monte_carlo_counts_what_does_not_lead_back(void **test)
{
    (void)test;
    loop_model m;
    char report[256];
    loop_model_create(&m, "loop_k4_ball");
    const run_settings s = {.integrator = "hmc",
                            .timestep = 0.4,
                            .seed = 3,
                            .own = {"propagator", "leapfrog", "flights", "4", NULL}};
    cardo_simulation *simulation = start_run(&m, &s);
    run_to(simulation, SUPPORT_SANITIZED ? 200 : 1000);
    assert_true(cardo_simulation_report(simulation, report, sizeof report));
    print_message("%s\n", report);
    assert_non_null(strstr(report, "did not lead back"));
    assert_non_null(strstr(report, "could not be evaluated"));
    assert_true(loop_model_violation(&m) <= 1e-12);
    cardo_simulation_destroy(simulation);
    loop_model_destroy(&m);
}

/* Two sliders at right angles, 2 and 50 Da, that a rod of 1 nm holds to each other, one of them driven or both free. */
static void make_ladder(loop_model *m, const char *kind)
{
    cardo_error error = {0};
    cardo_system *system;
    int body[2];
    *m = (loop_model){.kT = 2.5};
    assert_ok(cardo_system_create(&system, &error), &error);
    for (int i = 0; i < 2; ++i) {
        cardo_body_definition definition = {.parent = 0,
                                            .mobilizer = cardo_mobilizer_find("slider"),
                                            .X_PF = xform_identity(),
                                            .X_BM = xform_identity()};
        /* a slider's axis is x: the second one's is y */
        if (i == 1)
            definition.X_PF.R = (cardo_mat33){{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}};
        definition.mass.mass = i == 0 ? 2 : 50;
        for (int k = 0; k < 3; ++k)
            definition.mass.inertia[k] = 1;
        assert_ok(cardo_system_add_body(system, &definition, &body[i], &error), &error);
    }
    const cardo_rod rod = {.body1 = body[0], .body2 = body[1], .length = 1};
    assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("rod"), "ladder", &rod,
                                          NULL, &error),
              &error);
    const bool too_far = strcmp(kind, "too far") == 0;
    const double wave[3] = {too_far ? 4 : 0.4, 2, 0.3}, steady = 0.1;
    const cardo_prescribed_coordinate driven = {
        .coordinate = {body[0], 0},
        .function = {
            .kind = CARDO_FUNCTION_SINUSOID, .narg = 1, .ncoefficient = 3, .coefficients = wave}};
    const cardo_constant_speed held = {{body[0], 0}, steady};
    if (too_far || strcmp(kind, "prescribed-motion") == 0)
        assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("prescribed-motion"),
                                              "drive", &driven, NULL, &error),
                  &error);
    if (strcmp(kind, "constant-speed") == 0)
        assert_ok(cardo_system_add_constraint(system, cardo_constraint_find(kind), "drive", &held,
                                              NULL, &error),
                  &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    m->system = system;
    assert_ok(cardo_state_create(system, &m->state, &error), &error);
    const double q[2] = {0.2, 0.9};
    cardo_state_set_q(m->state, q);
}

/* A constraint that moves with time drives the system as it says, under a bath too, which acts on what is left: nothing here. */
static void constraints_may_move_with_time(void **test)
{
    (void)test;
    static const char *const methods[] = {"verlet", "langevin",  "baoab",
                                          "csvr",   "rk-merson", "rk4"};
    for (int i = 0; i < 6; ++i) {
        loop_model m;
        cardo_frame frame;
        make_ladder(&m, "prescribed-motion");
        const run_settings s = {.integrator = methods[i],
                                .timestep = 0.01,
                                .seed = 1,
                                .velocities = "draw",
                                .own = {"accuracy", "1e-8", NULL}};
        cardo_simulation *simulation = start_run(&m, &s);
        run_to(simulation, 50);
        cardo_simulation_frame(simulation, &frame);
        const double x = 0.4 * sin(2 * 0.5 + 0.3), v = 0.8 * cos(2 * 0.5 + 0.3);
        assert_close(cardo_state_q(m.state)[0], x, 1e-11);
        assert_close(cardo_state_q(m.state)[1], sqrt(1 - x * x), 1e-11);
        assert_close(cardo_state_u(m.state)[0], v, 1e-9);
        assert_close(cardo_state_u(m.state)[1], -x * v / sqrt(1 - x * x), 1e-9);
        assert_int_equal(cardo_simulation_degrees(simulation), 0);
        cardo_simulation_destroy(simulation);
        loop_model_destroy(&m);
    }
}

/* Crank, coupler and rocker of 0.1, 0.25 and 0.2 nm on pins 0.3 nm apart, in gravity, and what turns the crank. */
static void make_four_bar(loop_model *m, const char *kind)
{
    static const double length[3] = {0.1, 0.25, 0.2}, at[3] = {0, 0.1, 0.3};
    static const int parent[3] = {0, 1, 0};
    cardo_error error = {0};
    *m = (loop_model){.kT = 2.5};
    assert_ok(cardo_system_create(&m->system, &error), &error);
    cardo_system_set_gravity(m->system, (cardo_vec3){0, -50, 0});
    for (int k = 0; k < 3; ++k) {
        const double mass = 100 * length[k], own = mass * length[k] * length[k] / 3;
        cardo_body_definition body = {
            .parent = parent[k],
            .mobilizer = cardo_mobilizer_find("pin"),
            .X_PF = xform_identity(),
            .X_BM = xform_identity(),
            .mass = {mass, {0.5 * length[k], 0, 0}, {1e-3, own, own, 0, 0, 0}}};
        body.X_PF.p.x = at[k];
        assert_ok(cardo_system_add_body(m->system, &body, NULL, &error), &error);
    }
    const cardo_coincident_points closure = {2, 3, {length[1], 0, 0}, {length[2], 0, 0}};
    assert_ok(cardo_system_add_constraint(m->system, cardo_constraint_find("ball"), "closure",
                                          &closure, NULL, &error),
              &error);
    const double wave[3] = {1.1, 3, 0.4};
    const cardo_prescribed_coordinate swing = {
        .coordinate = {1, 0},
        .function = {
            .kind = CARDO_FUNCTION_SINUSOID, .narg = 1, .ncoefficient = 3, .coefficients = wave}};
    const cardo_constant_speed turn = {{1, 0}, 3};
    const bool swings = strcmp(kind, "prescribed-motion") == 0;
    assert_ok(cardo_system_add_constraint(m->system, cardo_constraint_find(kind), "motor",
                                          swings ? (const void *)&swing : &turn, NULL, &error),
              &error);
    assert_ok(cardo_system_finalize(m->system, &error), &error);
    assert_ok(cardo_state_create(m->system, &m->state, &error), &error);
    const double q[3] = {swings ? wave[0] * sin(wave[2]) : 0.5, -0.2, 1.9};
    cardo_state_set_q(m->state, q);
}

/* What the motor has brought in is what the linkage has gained: by how much not, at most, in 6 ps. */
static double balance_error(const char *integrator, const char *motor, double timestep,
                            double *gained)
{
    loop_model m;
    cardo_frame frame;
    double most = 0;
    make_four_bar(&m, motor);
    const run_settings s = {.integrator = integrator,
                            .timestep = timestep,
                            .velocities = "zero",
                            .own = {"accuracy", "1e-10", NULL}};
    cardo_simulation *simulation = start_run(&m, &s);
    cardo_simulation_frame(simulation, &frame);
    const double first = frame.total;
    *gained = 0;
    for (int step = 1; step <= lround(6 / timestep); ++step) {
        run_to(simulation, step);
        cardo_simulation_frame(simulation, &frame);
        most = fmax(most, fabs(frame.conserved - first));
        *gained = fmax(*gained, fabs(frame.total - first));
    }
    cardo_simulation_destroy(simulation);
    loop_model_destroy(&m);
    return most;
}

/* The work is summed by the trapezoidal rule: a quarter is left of its error at half the step. */
static void a_driven_linkage_balances_its_energy(void **test)
{
    (void)test;
    static const char *const methods[] = {"verlet", "rk-merson", "rk4"};
    static const char *const motors[] = {"prescribed-motion", "constant-speed"};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 2; ++k) {
            double gained;
            const double coarse = balance_error(methods[i], motors[k], 0.01, &gained);
            const double fine = balance_error(methods[i], motors[k], 0.005, &gained);
            print_message("%s, %s: gains %.3g kJ/mol, balance within %.3g and %.3g\n", methods[i],
                          motors[k], gained, coarse, fine);
            assert_true(fine < 1e-3 * gained);
            assert_close(coarse / fine, 4, 0.3);
        }
}

static void what_cannot_be_done_is_refused(void **test)
{
    (void)test;
    static const struct {
        const char *integrator, *constraint, *ensemble, *says;
    } cases[] = {{"gear", "", "rigid", "gear keeps no constraints"},
                 {"hmc", "prescribed-motion", "rigid", "drive (prescribed-motion)"},
                 {"ghmc", "constant-speed", "rigid", "drive (constant-speed)"},
                 {"leapfrog", "constant-speed", "rigid", "leapfrog cannot move"},
                 {"verlet", "constant-speed", "closure", "ensemble=rigid"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        loop_model m;
        cardo_error error = {0};
        cardo_simulation *simulation = NULL;
        make_ladder(&m, cases[i].constraint);
        const run_settings s = {
            .integrator = cases[i].integrator, .timestep = 0.01, .ensemble = cases[i].ensemble};
        cardo_status status = open_run(&m, &s, &simulation, &error);
        if (status == CARDO_OK)
            status = cardo_simulation_start(simulation, &error);
        assert_fails(status, &error, CARDO_ERROR_UNSUPPORTED, cases[i].says);
        cardo_simulation_destroy(simulation);
        loop_model_destroy(&m);
    }
}

/* What begins open is closed first, and what cannot be closed says which row is in the way. */
static void a_start_is_assembled(void **test)
{
    (void)test;
    loop_model m;
    cardo_error error = {0};
    cardo_simulation *simulation;
    const double open[2] = {0.2, 0.7};
    const run_settings s = {.integrator = "verlet", .timestep = 0.01};
    make_ladder(&m, "");
    cardo_state_set_q(m.state, open);
    simulation = start_run(&m, &s);
    assert_close(hypot(cardo_state_q(m.state)[0], cardo_state_q(m.state)[1]), 1, 1e-12);
    assert_int_equal(cardo_simulation_degrees(simulation), 1);
    cardo_simulation_destroy(simulation);
    loop_model_destroy(&m);
    make_ladder(&m, "too far");
    assert_ok(open_run(&m, &s, &simulation, &error), &error);
    assert_fails(cardo_simulation_start(simulation, &error), &error, CARDO_ERROR_NUMERICAL,
                 "the largest error that is left is");
    cardo_simulation_destroy(simulation);
    loop_model_destroy(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rod_loop_moves_as_in_the_reference),
        cmocka_unit_test(steps_have_their_order),
        cmocka_unit_test(symplectic_steps_keep_the_volume_of_phase_space),
        cmocka_unit_test(steps_lead_back),
        cmocka_unit_test(energy_does_not_drift),
        cmocka_unit_test(corrected_ensembles_keep_the_energy),
        cmocka_unit_test(a_restored_run_has_the_same_bits),
        cmocka_unit_test(monte_carlo_counts_what_does_not_lead_back),
        cmocka_unit_test(constraints_may_move_with_time),
        cmocka_unit_test(a_driven_linkage_balances_its_energy),
        cmocka_unit_test(what_cannot_be_done_is_refused),
        cmocka_unit_test(a_start_is_assembled),
    };
    const struct CMUnitTest whole[] = {
        cmocka_unit_test(energy_does_not_drift_in_a_million_steps),
        cmocka_unit_test(a_bath_stays_on_the_manifold_for_a_million_steps),
    };
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        return cmocka_run_group_tests(whole, NULL, NULL);
    return support_run(tests, NULL, NULL);
}
