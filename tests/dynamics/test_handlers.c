/* Handlers of events: called at the right time, in order, and the motion goes on from what they leave, under every method. */
#include "cardo/constraints.h"
#include "cardo/elements.h"
#include "cardo/operators.h"
#include "models.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

/* What handlers were called for. */
typedef struct call_log {
    int n;
    int number[MOST];
    bool rising[MOST];
    double time[MOST], q[MOST], u[MOST];
} call_log;

static void note(call_log *log, const cardo_event_occasion *occasion, const cardo_state *state)
{
    assert_true(log->n < MOST);
    log->number[log->n] = occasion->number;
    log->rising[log->n] = occasion->rising;
    log->time[log->n] = occasion->time;
    log->q[log->n] = cardo_state_q(state)[0];
    log->u[log->n++] = cardo_state_u(state)[0];
}

/* Bodies of 2 Da, 3 Da nm^2, all on ground. */
typedef struct toy {
    cardo_system *system;
    cardo_state *state;
    cardo_simulation *simulation;
    call_log log;
    double restitution;  /* of bounces                */
    double stiffness;    /* of a stop while it is met */
    double acceleration; /* of the first body from outside */
    double ramp;         /* by which that grows            */
    double floor;        /* height of a floor              */
    cardo_force_provider *provider;
} toy;

static void add_body(toy *t, const char *mobilizer)
{
    cardo_error error;
    const cardo_body_definition body = {.mobilizer = cardo_mobilizer_find(mobilizer),
                                        .X_PF = cardo_transform_identity(),
                                        .X_BM = cardo_transform_identity(),
                                        .mass = {2, {0, 0, 0}, {3, 3, 3, 0, 0, 0}}};
    assert_ok(cardo_system_add_body(t->system, &body, NULL, &error), &error);
}

static void begin(toy *t)
{
    cardo_error error;
    *t = (toy){0};
    assert_ok(cardo_system_create(&t->system, &error), &error);
}

static cardo_status push(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)error;
    const toy *t = user;
    const double q = evaluation->q[0];
    evaluation->energy = 0.5 * t->stiffness * q * q - 2 * t->acceleration * q;
    evaluation->mobility_forces[0] +=
        2 * (t->acceleration + t->ramp * evaluation->time) - t->stiffness * q;
    return CARDO_OK;
}

static void finish(toy *t, const char *integrator, const char *timestep, const char *accuracy)
{
    cardo_error error;
    char step[64], own[64];
    const char *options[] = {step, "velocities=keep", "max-energy-jump=1e9", own};
    snprintf(step, sizeof step, "timestep=%s", timestep);
    snprintf(own, sizeof own, "accuracy=%s", accuracy ? accuracy : "");
    if (!t->state) {
        assert_ok(cardo_system_finalize(t->system, &error), &error);
        assert_ok(cardo_state_create(t->system, &t->state, &error), &error);
        assert_ok(cardo_callback_provider_create(push, t, CARDO_FORCE_DETERMINISTIC, &t->provider,
                                                 &error),
                  &error);
    }
    assert_ok(cardo_simulation_open(t->system, t->state, t->provider, integrator, accuracy ? 4 : 3,
                                    options, &t->simulation, &error),
              &error);
}

static void clear(toy *t)
{
    cardo_simulation_destroy(t->simulation);
    cardo_force_provider_destroy(t->provider);
    cardo_state_destroy(t->state);
    cardo_system_destroy(t->system);
}

static void add_handler(cardo_simulation *simulation, const cardo_event_handler *handler)
{
    cardo_error error;
    assert_ok(cardo_simulation_add_handler(simulation, handler, &error), &error);
}

static void start(cardo_simulation *simulation)
{
    cardo_error error;
    assert_ok(cardo_simulation_start(simulation, &error), &error);
}

static cardo_end run_to(cardo_simulation *simulation, long long steps)
{
    cardo_error error = {0};
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, steps, NULL, &end, &error), &error);
    return end;
}

static void set_state(cardo_state *state, double q, double u)
{
    double all_q[2] = {q, 0}, all_u[2] = {u, 0};
    cardo_state_set_q(state, all_q);
    cardo_state_set_u(state, all_u);
}

/* ------------ a ball ------------ */

static cardo_status height(void *user, const cardo_system *system, const cardo_state *state,
                           double *value, cardo_error *error)
{
    (void)system;
    (void)error;
    *value = cardo_state_q(state)[0] - ((toy *)user)->floor;
    return CARDO_OK;
}

static cardo_status bounce(void *user, const cardo_system *system, cardo_state *state,
                           const cardo_event_occasion *occasion, cardo_event_response *response,
                           cardo_error *error)
{
    (void)system;
    (void)error;
    toy *t = user;
    double u[2] = {-t->restitution * cardo_state_u(state)[0], 0};
    note(&t->log, occasion, state);
    cardo_state_set_u(state, u);
    assert_int_equal(response->changed, CARDO_STAGE_ACCELERATION);
    return CARDO_OK;
}

static const double gravity = 10, drop = 0.8;

static void drop_ball(toy *t, const char *integrator, const char *timestep, const char *accuracy,
                      double restitution)
{
    begin(t);
    add_body(t, "slider");
    cardo_system_set_gravity(t->system, (cardo_vec3){-gravity, 0, 0});
    finish(t, integrator, timestep, accuracy);
    t->restitution = restitution;
    set_state(t->state, drop, 0);
    const cardo_event_handler floor = {.name = "floor",
                                       .user = t,
                                       .witness = height,
                                       .direction = CARDO_EVENT_FALLING,
                                       .stage = CARDO_STAGE_POSITION,
                                       .handle = bounce};
    add_handler(t->simulation, &floor);
}

/* When it falls on the floor for the k-th time, from 0. */
static double time_of_bounce(int k, double restitution)
{
    const double fall = sqrt(2 * drop / gravity);
    double time = fall;
    for (int i = 1; i <= k; ++i)
        time += 2 * fall * pow(restitution, i);
    return time;
}

static void a_ball_bounces_as_it_should(void **test)
{
    (void)test;
    static const char *const methods[] = {
        "rk-merson", "adams", "bdf",  "verlet", "rk4", "gear", "adams-bashforth-moulton",
        "leapfrog",  "heun",  "respa"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        toy t;
        const double restitution = 0.8;
        drop_ball(&t, methods[i], "0.05", i < 3 ? "1e-11" : NULL, restitution);
        start(t.simulation);
        cardo_frame frame;
        double energy = 2 * gravity * drop, worst = 0, worst_energy = 0;
        for (int step = 1, seen = 0; step <= 70; ++step) {
            run_to(t.simulation, step);
            for (; seen < t.log.n; ++seen)
                energy *= restitution * restitution;
            cardo_simulation_frame(t.simulation, &frame);
            assert_close(frame.time, 0.05 * step, 1e-9);
            worst_energy = fmax(worst_energy, fabs(frame.total - energy));
            assert_close(frame.conserved, 2 * gravity * drop, 1e-7);
            assert_close(frame.handled, energy - 2 * gravity * drop, 1e-7);
        }
        assert_true(t.log.n >= 12);
        for (int k = 0; k < t.log.n; ++k) {
            worst = fmax(worst, fabs(t.log.time[k] - time_of_bounce(k, restitution)));
            assert_false(t.log.rising[k]);
            assert_close(t.log.q[k], 0, 1e-12);
        }
        print_message("%s: %d bounces, times to %.1e, energies to %.1e\n", methods[i], t.log.n,
                      worst, worst_energy);
        assert_true(worst < 1e-8);
        assert_true(worst_energy < 1e-7);
        clear(&t);
    }
}

/* Bounces come ever faster, without end: the run says so, and keeps its last step. */
static void what_never_rests_is_an_error(void **test)
{
    (void)test;
    static const char *const methods[] = {"rk-merson", "verlet"};
    static const double restitutions[] = {0.9, 0.5, 0.1, 0.01};
    for (int i = 0; i < 16; ++i) {
        toy t;
        cardo_error error;
        cardo_end end;
        const double e = restitutions[i / 2 % 4];
        drop_ball(&t, methods[i % 2], "0.05", i % 2 == 0 ? "1e-10" : NULL, e);
        /* a floor whose height is rounded, too */
        t.floor = i < 8 ? 0 : 1;
        set_state(t.state, t.floor + drop, 0);
        start(t.simulation);
        assert_fails(cardo_simulation_run(t.simulation, 1000, NULL, &end, &error), &error,
                     CARDO_ERROR_NUMERICAL, "handler 'floor', t = ");
        assert_close(cardo_state_time(t.state), 0.4 + 0.8 * e / (1 - e), 0.0501);
        clear(&t);
    }
}

static cardo_status keep_still(void *user, const cardo_system *system, cardo_state *state,
                               const cardo_event_occasion *occasion, cardo_event_response *response,
                               cardo_error *error)
{
    (void)system;
    (void)response;
    (void)error;
    note(&((toy *)user)->log, occasion, state);
    return CARDO_OK;
}

/* A handler that leaves things as they are is called once, and changes no bit where steps are the method's own; so does one that looks either
 * way, which sees each passage once. */
static void a_handler_that_changes_nothing_is_called_once(void **test)
{
    (void)test;
    static const char *const methods[] = {"rk-merson", "adams",    "bdf",
                                          "verlet",    "langevin", "nose-hoover"};
    for (int i = 0; i < 6; ++i) {
        toy t, alone;
        drop_ball(&t, methods[i], "0.05", i < 3 ? "1e-6" : NULL, 1);
        drop_ball(&alone, methods[i], "0.05", i < 3 ? "1e-6" : NULL, 1);
        cardo_simulation_destroy(t.simulation);
        cardo_simulation_destroy(alone.simulation);
        finish(&t, methods[i], "0.05", i < 3 ? "1e-6" : NULL);
        finish(&alone, methods[i], "0.05", i < 3 ? "1e-6" : NULL);
        for (int direction = 0; direction < 3; ++direction) {
            const cardo_event_handler floor = {.name = "floor",
                                               .user = &t,
                                               .witness = height,
                                               .direction = direction,
                                               .tolerance = direction == 0 ? 1e-4 : 0,
                                               .handle = keep_still};
            add_handler(t.simulation, &floor);
        }
        /* up, and down through zero */
        set_state(t.state, -0.3, 4);
        set_state(alone.state, -0.3, 4);
        start(t.simulation);
        start(alone.simulation);
        run_to(t.simulation, 20);
        run_to(alone.simulation, 20);
        assert_int_equal(t.log.n, 4);
        assert_true(t.log.rising[0] && t.log.rising[1] && !t.log.rising[2] && !t.log.rising[3]);
        assert_int_equal(t.log.number[0] + t.log.number[1], 1);
        assert_int_equal(t.log.number[2] + t.log.number[3], 2);
        if (i < 3)
            assert_memory_equal(cardo_state_q(t.state), cardo_state_q(alone.state), sizeof(double));
        clear(&t);
        clear(&alone);
    }
}

/* ------------ order ------------ */

static cardo_status at_wall(void *user, const cardo_system *system, const cardo_state *state,
                            double *value, cardo_error *error)
{
    (void)user;
    (void)system;
    (void)error;
    *value = cardo_state_q(state)[0] + 0.1;
    return CARDO_OK;
}

static cardo_status reflect(void *user, const cardo_system *system, cardo_state *state,
                            const cardo_event_occasion *occasion, cardo_event_response *response,
                            cardo_error *error)
{
    (void)system;
    (void)response;
    (void)error;
    const double u = -0.9 * cardo_state_u(state)[0];
    note(user, occasion, state);
    cardo_state_set_u(state, &u);
    return CARDO_OK;
}

/* A pendulum between walls: q and u at 3 ps. */
static void between_walls(const cardo_integrator *integrator, const void *own, double timestep,
                          call_log *log, double y[2])
{
    cardo_error error;
    test_model model;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.velocities = CARDO_VELOCITIES_ZERO;
    model_pendulum(&model);
    const double q0 = 2;
    cardo_state_set_q(model.state, &q0);
    assert_ok(cardo_simulation_create(model.system, model.state, model.provider, integrator,
                                      &options, own, &simulation, &error),
              &error);
    const cardo_event_handler wall = {
        .name = "wall", .user = log, .witness = at_wall, .handle = reflect};
    add_handler(simulation, &wall);
    log->n = 0;
    start(simulation);
    run_to(simulation, llround(3 / timestep));
    y[0] = cardo_state_q(model.state)[0];
    y[1] = cardo_state_u(model.state)[0];
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void methods_keep_their_order(void **test)
{
    (void)test;
    static const struct {
        const char *name;
        double timestep;
        double order;
    } cases[] = {{"verlet", 0.01, 2}, {"leapfrog", 0.01, 2},
                 {"respa", 0.01, 2},  {"euler", 0.001, 1},
                 {"heun", 0.01, 2},   {"rk4", 0.01, 4},
                 {"gear", 0.005, 4},  {"adams-bashforth-moulton", 0.005, 4}};
    const cardo_adaptive_options own = {1e-13, 1000};
    call_log log;
    double exact[2], y[2], errors[2];
    between_walls(&cardo_integrator_merson, &own, 0.1, &log, exact);
    const int walls = log.n;
    assert_true(walls >= 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        for (int half = 0; half < 2; ++half) {
            between_walls(cardo_integrator_find(cases[i].name), NULL,
                          cases[i].timestep / (1 << half), &log, y);
            errors[half] = hypot(y[0] - exact[0], y[1] - exact[1]);
            assert_int_equal(log.n, walls);
        }
        const double slope = log2(errors[0] / errors[1]);
        print_message("%s: errors %.2e, %.2e, slope %.2f\n", cases[i].name, errors[0], errors[1],
                      slope);
        assert_true(slope > cases[i].order - 0.35);
    }
    for (int k = 0; k < 3; ++k) {
        static const cardo_integrator *const ones[] = {
            &cardo_integrator_merson, &cardo_integrator_adams, &cardo_integrator_bdf};
        const cardo_adaptive_options eight = {1e-8, 1000};
        between_walls(ones[k], &eight, 0.1, &log, y);
        const double far = hypot(y[0] - exact[0], y[1] - exact[1]);
        print_message("%s: error %.2e\n", ones[k]->name, far);
        assert_int_equal(log.n, walls);
        assert_true(far < 1e-5);
    }
}

/* ------------ every method of the table ------------ */

static cardo_status kick(void *user, const cardo_system *system, cardo_state *state,
                         const cardo_event_occasion *occasion, cardo_event_response *response,
                         cardo_error *error)
{
    (void)system;
    (void)response;
    (void)error;
    const double u = cardo_state_u(state)[0] + 0.3;
    note(user, occasion, state);
    cardo_state_set_u(state, &u);
    return CARDO_OK;
}

static cardo_simulation *open_pendulum(test_model *model, const cardo_integrator *integrator,
                                       call_log *log, cardo_status *status, cardo_error *error)
{
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = 0.01;
    options.temperature = 3000;
    options.max_energy_jump = 1e6;
    model_pendulum(model);
    const double q0 = 2;
    cardo_state_set_q(model->state, &q0);
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider, integrator,
                                      &options, NULL, &simulation, error),
              error);
    const cardo_event_handler wall = {
        .name = "wall", .user = log, .witness = at_wall, .handle = reflect};
    const cardo_event_handler metronome = {
        .name = "metronome", .user = log, .period = 0.0731, .first = 0.02, .handle = kick};
    *status = cardo_simulation_add_handler(simulation, &wall, error);
    if (*status == CARDO_OK)
        add_handler(simulation, &metronome);
    log->n = 0;
    return simulation;
}

/* A snapshot in the middle, between the calls, and from there to the same bits, calls included. */
static void every_method_goes_on_bitwise_or_refuses(void **test)
{
    (void)test;
    int refused = 0;
    for (int i = 0; cardo_integrators[i]; ++i) {
        test_model model, other;
        call_log log, rest;
        cardo_error error;
        cardo_status status;
        const cardo_integrator *integrator = cardo_integrators[i];
        cardo_simulation *simulation = open_pendulum(&model, integrator, &log, &status, &error);
        if (integrator == &cardo_integrator_hmc || integrator == &cardo_integrator_ghmc) {
            assert_fails(status, &error, CARDO_ERROR_UNSUPPORTED, integrator->name);
            ++refused;
        } else {
            assert_ok(status, &error);
            start(simulation);
            run_to(simulation, 123);
            cardo_snapshot snapshot = {.nvalue = cardo_simulation_snapshot_size(simulation)};
            snapshot.values = calloc((size_t)snapshot.nvalue, sizeof *snapshot.values);
            cardo_simulation_save(simulation, &snapshot);
            const int before = log.n;
            run_to(simulation, 300);
            cardo_simulation *again = open_pendulum(&other, integrator, &rest, &status, &error);
            assert_ok(cardo_simulation_restore(again, &snapshot, &error), &error);
            run_to(again, 300);
            assert_memory_equal(cardo_state_q(model.state), cardo_state_q(other.state),
                                sizeof(double));
            assert_memory_equal(cardo_state_u(model.state), cardo_state_u(other.state),
                                sizeof(double));
            assert_true(before >= 17 && rest.n >= 24);
            assert_int_equal(log.n, before + rest.n);
            assert_memory_equal(log.time + before, rest.time, (size_t)rest.n * sizeof *rest.time);
            int beats = 0;
            for (int k = 0; k < log.n; ++k)
                if (log.number[k] == 1)
                    assert_close(log.time[k], 0.02 + 0.0731 * beats++, 1e-13);
            assert_int_equal(beats, (int)((3 - 0.02) / 0.0731) + 1);
            assert_true(log.n > beats);
            free(snapshot.values);
            cardo_simulation_destroy(again);
            model_destroy(&other);
        }
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
    assert_int_equal(refused, 2);
}

/* ------------ schedules ------------ */

static cardo_status squares(void *user, double time, bool or_at, double *next, cardo_error *error)
{
    (void)user;
    (void)error;
    int n = 0;
    while (n < 5 && (or_at ? 0.01 * n * n < time : 0.01 * n * n <= time + 1e-9))
        ++n;
    *next = n < 5 ? 0.01 * n * n : HUGE_VAL;
    return CARDO_OK;
}

/* Kicks add up; times that two handlers have are handled in the order in which these came; times on the steps' ends as others. */
static void schedules_are_kept(void **test)
{
    (void)test;
    static const char *const methods[] = {"rk-merson", "verlet", "gear"};
    for (int i = 0; i < 3; ++i) {
        toy t;
        begin(&t);
        add_body(&t, "slider");
        finish(&t, methods[i], "0.01", i == 0 ? "1e-9" : NULL);
        const cardo_event_handler table = {
            .name = "table", .user = &t.log, .next = squares, .handle = kick};
        const cardo_event_handler beat = {
            .name = "beat", .user = &t.log, .period = 0.03, .first = -0.3, .handle = kick};
        add_handler(t.simulation, &table);
        add_handler(t.simulation, &beat);
        start(t.simulation);
        double q = 0, time = 0;
        assert_int_equal(run_to(t.simulation, 33), CARDO_END_DONE);
        /* 0, 0.01, 0.04, 0.09, 0.16 and 0, 0.03 ... 0.33 */
        assert_int_equal(t.log.n, 5 + 12);
        for (int k = 0; k < t.log.n; ++k) {
            assert_close(t.log.u[k], 0.3 * k, 1e-12);
            q += 0.3 * k * (t.log.time[k] - time);
            assert_close(t.log.q[k], q, 1e-12);
            time = t.log.time[k];
        }
        assert_int_equal(t.log.number[0], 0);
        assert_int_equal(t.log.number[1], 1);
        for (int k = 1; k < t.log.n; ++k)
            assert_true(t.log.time[k] >= t.log.time[k - 1]);
        clear(&t);
    }
}

/* ------------ a stop ------------ */

static cardo_status switch_stop(void *user, const cardo_system *system, cardo_state *state,
                                const cardo_event_occasion *occasion,
                                cardo_event_response *response, cardo_error *error)
{
    (void)system;
    (void)error;
    toy *t = user;
    note(&t->log, occasion, state);
    t->stiffness = occasion->rising ? 2e6 : 0;
    response->changed = CARDO_STAGE_DYNAMICS;
    return CARDO_OK;
}

/* A stiff spring that is there on one side: half a period of it, and back as fast as it came. */
static void a_stiff_stop_throws_back(void **test)
{
    (void)test;
    static const char *const methods[] = {"rk-merson", "adams", "bdf", "rk4"};
    for (int i = 0; i < 4; ++i) {
        toy t;
        begin(&t);
        add_body(&t, "slider");
        finish(&t, methods[i], i < 3 ? "0.1" : "1e-4", i < 3 ? "1e-9" : NULL);
        const cardo_event_handler stop = {
            .name = "stop", .user = &t, .witness = height, .handle = switch_stop};
        add_handler(t.simulation, &stop);
        set_state(t.state, -0.333, 3);
        start(t.simulation);
        run_to(t.simulation, i < 3 ? 3 : 3000);
        assert_int_equal(t.log.n, 2);
        assert_close(t.log.time[0], 0.111, 1e-9);
        assert_close(t.log.time[1], 0.111 + acos(-1) * sqrt(2 / 2e6), 1e-7);
        assert_close(t.log.u[1], -3, 1e-4);
        clear(&t);
    }
}

/* ------------ a clutch ------------ */

static cardo_status slip(void *user, const cardo_system *system, const cardo_state *state,
                         double *value, cardo_error *error)
{
    (void)user;
    (void)system;
    (void)error;
    *value = cardo_state_u(state)[0] - cardo_state_u(state)[1];
    return CARDO_OK;
}

static cardo_status engage(void *user, const cardo_system *system, cardo_state *state,
                           const cardo_event_occasion *occasion, cardo_event_response *response,
                           cardo_error *error)
{
    (void)system;
    note(&((toy *)user)->log, occasion, state);
    response->retire = true;
    return cardo_state_set_constraint(state, 0, true, error);
}

static cardo_simulation *open_clutch(toy *t, const char *method)
{
    cardo_error error;
    const cardo_speed_coupler coupler = {
        .nmobility = 2, .mobilities = {{1, 0}, {2, 0}}, .coefficients = {1, -1}};
    begin(t);
    add_body(t, "pin");
    add_body(t, "pin");
    assert_ok(cardo_system_add_constraint(t->system, cardo_constraint_find("speed-coupler"),
                                          "clutch", &coupler, NULL, &error),
              &error);
    t->acceleration = 2;
    finish(t, method, "0.05",
           strcmp(method, "rk4") == 0 || strcmp(method, "verlet") == 0 ? NULL : "1e-9");
    const double u[2] = {0, 5};
    cardo_state_set_u(t->state, u);
    assert_ok(cardo_state_set_constraint(t->state, 0, false, &error), &error);
    const cardo_event_handler clutch = {
        .name = "clutch", .user = t, .witness = slip, .handle = engage};
    add_handler(t->simulation, &clutch);
    return t->simulation;
}

/* A torque of 4 on the first wheel brings it up to the other's speed, and then turns both. */
static void a_clutch_engages_and_stays(void **test)
{
    (void)test;
    static const char *const methods[] = {"rk-merson", "adams", "bdf", "verlet", "rk4"};
    for (int i = 0; i < 5; ++i) {
        toy t, other;
        cardo_error error;
        start(open_clutch(&t, methods[i]));
        assert_int_equal(cardo_simulation_degrees(t.simulation), 2);
        const double meet = 5 / (4.0 / 3);
        double worst = 0;
        for (int step = 1; step <= 120; ++step) {
            double g;
            run_to(t.simulation, step);
            assert_ok(cardo_constraint_velocity_errors(t.system, t.state, &g, &error), &error);
            const double *u = cardo_state_u(t.state);
            if (0.05 * step > meet)
                worst = fmax(worst, fabs(u[0] - u[1]));
            if (step == 90) {
                cardo_snapshot snapshot = {.nvalue = cardo_simulation_snapshot_size(t.simulation)};
                snapshot.values = calloc((size_t)snapshot.nvalue, sizeof *snapshot.values);
                cardo_simulation_save(t.simulation, &snapshot);
                open_clutch(&other, methods[i]);
                assert_ok(cardo_simulation_restore(other.simulation, &snapshot, &error), &error);
                assert_true(cardo_state_has_constraint(other.state, 0));
                free(snapshot.values);
            }
        }
        run_to(other.simulation, 120);
        assert_memory_equal(cardo_state_u(t.state), cardo_state_u(other.state), 2 * sizeof(double));
        assert_int_equal(other.log.n, 0);
        assert_int_equal(t.log.n, 1);
        assert_close(t.log.time[0], meet, 1e-7);
        assert_int_equal(cardo_simulation_degrees(t.simulation), 1);
        print_message("%s: slip after the clutch %.1e\n", methods[i], worst);
        assert_true(worst <= 1e-12);
        assert_close(cardo_state_u(t.state)[0], 5 + (6 - meet) * 4 / 6, 1e-6);
        clear(&t);
        clear(&other);
    }
}

/* ------------ rest, and breaking away ------------ */

static cardo_status land(void *user, const cardo_system *system, cardo_state *state,
                         const cardo_event_occasion *occasion, cardo_event_response *response,
                         cardo_error *error)
{
    toy *t = user;
    if (fabs(cardo_state_u(state)[0]) > 0.1)
        return bounce(user, system, state, occasion, response, error);
    note(&t->log, occasion, state);
    return cardo_state_set_constraint(state, 0, true, error);
}

static cardo_status strain(void *user, const cardo_system *system, const cardo_state *state,
                           double *value, cardo_error *error)
{
    (void)user;
    (void)system;
    (void)error;
    *value = cardo_state_multipliers(state)[0] - 12;
    return CARDO_OK;
}

static cardo_status let_go(void *user, const cardo_system *system, cardo_state *state,
                           const cardo_event_occasion *occasion, cardo_event_response *response,
                           cardo_error *error)
{
    (void)system;
    (void)response;
    note(&((toy *)user)->log, occasion, state);
    return cardo_state_set_constraint(state, 0, false, error);
}

/* A ball that bounces until it is slow, is held by the floor then, and torn off it by a force that grows: by gravity of 20, and twelve more, at 16 a
 * picosecond. The floor's witness rests at zero while it is held. */
static void a_ball_comes_to_rest_and_is_torn_off(void **test)
{
    (void)test;
    static const char *const methods[] = {"rk-merson", "bdf", "verlet", "rk4"};
    for (int i = 0; i < 4; ++i) {
        toy t;
        cardo_error error;
        const double level = 0;
        const cardo_prescribed_coordinate held = {.coordinate = {1, 0},
                                                  .function = {.kind = CARDO_FUNCTION_CONSTANT,
                                                               .ncoefficient = 1,
                                                               .coefficients = &level}};
        begin(&t);
        add_body(&t, "slider");
        cardo_system_set_gravity(t.system, (cardo_vec3){-gravity, 0, 0});
        assert_ok(cardo_system_add_constraint(t.system, cardo_constraint_find("prescribed-motion"),
                                              "floor", &held, NULL, &error),
                  &error);
        finish(&t, methods[i], "0.05", i < 2 ? "1e-10" : NULL);
        t.restitution = 0.5;
        t.ramp = 8;
        set_state(t.state, 0.1, 0);
        assert_ok(cardo_state_set_constraint(t.state, 0, false, &error), &error);
        const cardo_event_handler floor = {
            .name = "floor", .user = &t, .witness = height, .handle = land};
        const cardo_event_handler limit = {.name = "limit",
                                           .user = &t,
                                           .witness = strain,
                                           .stage = CARDO_STAGE_ACCELERATION,
                                           .direction = CARDO_EVENT_RISING,
                                           .handle = let_go};
        add_handler(t.simulation, &floor);
        add_handler(t.simulation, &limit);
        start(t.simulation);
        run_to(t.simulation, 30);
        const int landed = t.log.n;
        assert_true(landed >= 3);
        assert_true(cardo_state_has_constraint(t.state, 0));
        assert_close(cardo_state_q(t.state)[0], 0, 1e-12);
        assert_close(cardo_state_u(t.state)[0], 0, 1e-12);
        run_to(t.simulation, 50);
        assert_int_equal(t.log.n, landed + 1);
        assert_int_equal(t.log.number[landed], 1);
        assert_close(t.log.time[landed], 2, 1e-12);
        /* udot = 6 + 8 (t - 2) */
        assert_close(cardo_state_u(t.state)[0], 6 * 0.5 + 4 * 0.25, 1e-2);
        clear(&t);
    }
}

/* ------------ what a handler may do, and not ------------ */

static cardo_status end_run(void *user, const cardo_system *system, cardo_state *state,
                            const cardo_event_occasion *occasion, cardo_event_response *response,
                            cardo_error *error)
{
    (void)system;
    (void)error;
    note(&((toy *)user)->log, occasion, state);
    response->stop = true;
    return CARDO_OK;
}

static cardo_status turn_clock(void *user, const cardo_system *system, cardo_state *state,
                               const cardo_event_occasion *occasion, cardo_event_response *response,
                               cardo_error *error)
{
    (void)user;
    (void)system;
    (void)response;
    (void)error;
    cardo_state_set_time(state, occasion->time + 1);
    return CARDO_OK;
}

static void a_run_ends_at_the_moment_and_may_go_on(void **test)
{
    (void)test;
    static const char *const methods[] = {"rk-merson", "verlet"};
    for (int i = 0; i < 2; ++i) {
        toy t;
        drop_ball(&t, methods[i], "0.05", i == 0 ? "1e-10" : NULL, 1);
        const cardo_event_handler end = {
            .name = "end", .user = &t, .period = 0.217, .first = 0.217, .handle = end_run};
        add_handler(t.simulation, &end);
        start(t.simulation);
        assert_int_equal(run_to(t.simulation, 100), CARDO_END_EVENT);
        assert_close(cardo_state_time(t.state), 0.217, 1e-15);
        assert_int_equal(cardo_simulation_step(t.simulation), 5);
        assert_int_equal(run_to(t.simulation, 100), CARDO_END_EVENT);
        assert_close(cardo_state_time(t.state), 0.434, 1e-15);
        /* off: the ball alone; on again: the beat that it had */
        cardo_error error;
        assert_ok(cardo_simulation_switch_handler(t.simulation, 1, false, &error), &error);
        assert_int_equal(run_to(t.simulation, 20), CARDO_END_DONE);
        assert_ok(cardo_simulation_switch_handler(t.simulation, 1, true, &error), &error);
        assert_int_equal(run_to(t.simulation, 100), CARDO_END_EVENT);
        assert_close(cardo_state_time(t.state), 0.217 * 5, 1e-14);
        assert_fails(cardo_simulation_switch_handler(t.simulation, 2, true, &error), &error,
                     CARDO_ERROR_ARGUMENT, "no handler 2");
        clear(&t);
    }
}

static void mistakes_are_told(void **test)
{
    (void)test;
    toy t;
    cardo_error error;
    cardo_end end;
    drop_ball(&t, "verlet", "0.05", NULL, 1);
    cardo_event_handler handler = {.name = "clock", .handle = turn_clock};
    assert_fails(cardo_simulation_add_handler(t.simulation, &handler, &error), &error,
                 CARDO_ERROR_ARGUMENT, "one of witness, period and next");
    handler.period = 0.11;
    handler.first = 0.11;
    add_handler(t.simulation, &handler);
    start(t.simulation);
    assert_fails(cardo_simulation_add_handler(t.simulation, &handler, &error), &error,
                 CARDO_ERROR_ARGUMENT, "before");
    assert_fails(cardo_simulation_run(t.simulation, 100, NULL, &end, &error), &error,
                 CARDO_ERROR_ARGUMENT, "handler 'clock'");
    assert_int_equal(cardo_simulation_step(t.simulation), 2);
    assert_close(cardo_state_time(t.state), 0.1, 1e-15);
    clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_as_it_should),
        cmocka_unit_test(what_never_rests_is_an_error),
        cmocka_unit_test(a_handler_that_changes_nothing_is_called_once),
        cmocka_unit_test(methods_keep_their_order),
        cmocka_unit_test(every_method_goes_on_bitwise_or_refuses),
        cmocka_unit_test(schedules_are_kept),
        cmocka_unit_test(a_stiff_stop_throws_back),
        cmocka_unit_test(a_clutch_engages_and_stays),
        cmocka_unit_test(a_ball_comes_to_rest_and_is_torn_off),
        cmocka_unit_test(a_run_ends_at_the_moment_and_may_go_on),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
