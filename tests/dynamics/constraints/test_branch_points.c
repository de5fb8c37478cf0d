/* Branch points: seen where a motion goes through one, and nowhere else. */
#include "cardo/manifold.h"
#include "cardo/operators.h"
#include "dynamics/simulation.h"
#include "loop_models.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A crank and a rocker on ground, a coupler between them, closed by a ball, of whose rows one is redundant in the plane. */
typedef struct linkage {
    cardo_system *system;
    cardo_state *state;
    cardo_branch_watch *watch;
    int count;
    double crank, coupler, rocker, ground;
} linkage;

enum { MOST = 60 };

static void add_link(cardo_system *system, int parent, double at, double length)
{
    cardo_error error;
    const double square = length * length;
    cardo_body_definition body = {.parent = parent,
                                  .mobilizer = cardo_mobilizer_find("pin"),
                                  .X_PF = cardo_transform_identity(),
                                  .X_BM = cardo_transform_identity(),
                                  .mass = {1, {length / 2, 0, 0}, {0.01, square, square, 0, 0, 0}}};
    body.X_PF.p.x = at;
    assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
}

/* One linkage, or several of them on the same ground; then a chain of pins that nothing holds. */
static linkage make_many(int count, int chain, double crank, double coupler, double rocker,
                         double ground)
{
    linkage l = {
        .count = count, .crank = crank, .coupler = coupler, .rocker = rocker, .ground = ground};
    cardo_error error;
    assert_ok(cardo_system_create(&l.system, &error), &error);
    for (int first = 1; first < 3 * count; first += 3) {
        add_link(l.system, 0, 0, crank);
        add_link(l.system, first, crank, coupler);
        add_link(l.system, 0, ground, rocker);
        const cardo_coincident_points closure = {
            first + 1, first + 2, {coupler, 0, 0}, {rocker, 0, 0}};
        assert_ok(cardo_system_add_constraint(l.system, cardo_constraint_find("ball"), "closure",
                                              &closure, NULL, &error),
                  &error);
    }
    for (int k = 0; k < chain; ++k)
        add_link(l.system, k == 0 ? 0 : 3 * count + k, k == 0 ? 0 : 1, 1);
    assert_ok(cardo_system_finalize(l.system, &error), &error);
    assert_ok(cardo_state_create(l.system, &l.state, &error), &error);
    assert_ok(cardo_branch_watch_create(l.system, &l.watch, &error), &error);
    return l;
}

static linkage make(double crank, double coupler, double rocker, double ground)
{
    return make_many(1, 0, crank, coupler, rocker, ground);
}

static void destroy(linkage *l)
{
    cardo_branch_watch_destroy(l->watch);
    cardo_state_destroy(l->state);
    cardo_system_destroy(l->system);
}

/* The coupler above or below the diagonal from the crank's end to the rocker's pivot: sign 1 or -1. */
static void place(linkage *l, double angle, double sign)
{
    const double x = l->ground - l->crank * cos(angle), y = -l->crank * sin(angle);
    const double d = hypot(x, y),
                 cosine = (d * d + l->coupler * l->coupler - l->rocker * l->rocker) /
                          (2 * d * l->coupler);
    const double to = atan2(y, x) + sign * acos(fmin(fmax(cosine, -1), 1));
    const double end[2] = {l->crank * cos(angle) + l->coupler * cos(to) - l->ground,
                           l->crank * sin(angle) + l->coupler * sin(to)};
    const double own[3] = {angle, to - angle, atan2(end[1], end[0])};
    double q[MOST];
    memcpy(q, cardo_state_q(l->state), sizeof *q * (size_t)cardo_system_nq(l->system));
    for (int i = 0; i < 3 * l->count; ++i)
        q[i] = own[i % 3];
    cardo_state_set_q(l->state, q);
}

static bool goes_through(linkage *l)
{
    cardo_error error;
    bool passed;
    assert_ok(cardo_branch_watch_step(l->watch, l->state, &passed, &error), &error);
    return passed;
}

static void begin(linkage *l)
{
    cardo_error error;
    assert_ok(cardo_branch_watch_begin(l->watch, l->state, &error), &error);
}

/* A parallelogram stays one through its flat configuration, or folds over there; a step may be too long to be near it at either end. */
static void a_parallelogram_through_its_flat_place(void **test)
{
    (void)test;
    linkage l = make(1, 3, 1, 3);
    for (int fold = 0; fold < 2; ++fold) {
        int passed = 0, at = -1;
        const double step = 0.037;
        for (int k = 0; k < 40; ++k) {
            const double angle = 0.75 - step * k;
            /* above the diagonal while the crank is, below when it is below: a parallelogram */
            place(&l, angle, angle > 0 || fold ? 1 : -1);
            if (k == 0)
                begin(&l);
            else if (goes_through(&l)) {
                ++passed;
                at = k;
            }
        }
        assert_int_equal(passed, 1);
        assert_int_equal(at, (int)(0.75 / step) + 1);
    }
    destroy(&l);
}

/* A kite: the crank on ground, where coupler and rocker turn together. */
static void a_kite_folds(void **test)
{
    (void)test;
    linkage l = make(2, 1.5, 1.5, 2);
    int passed = 0;
    for (int k = 0; k < 40; ++k) {
        const double angle = 0.75 - 0.037 * k;
        place(&l, angle, angle > 0 ? 1 : -1);
        if (k == 0)
            begin(&l);
        else
            passed += goes_through(&l);
    }
    assert_int_equal(passed, 1);
    destroy(&l);
}

/* Linkages that are nearly so turn sharply, and are regular all round. */
static void what_is_nearly_flat_is_regular(void **test)
{
    (void)test;
    static const double off[] = {0.3, 1e-2, 1e-4, 1e-6};
    for (int i = 0; i < 4; ++i) {
        /* the crank goes all round, the coupler stays on its side */
        linkage l = make(1, 3, 1 + off[i], 3);
        for (int k = 0; k <= 400; ++k) {
            const double angle = 0.75 - 0.037 * k;
            place(&l, angle, 1);
            if (k == 0)
                begin(&l);
            else if (goes_through(&l)) {
                print_message("off %g angle %g\n", off[i], angle);
                fail();
            }
        }
        destroy(&l);
    }
}

/* ------------ runs ------------ */

static cardo_simulation *open_so(const linkage *l, const char *integrator, const char *timestep,
                                 const char *branches)
{
    cardo_error error;
    cardo_simulation *simulation;
    const char *const options[] = {timestep, "velocities=keep", "max-energy-jump=1e6", branches};
    assert_ok(cardo_simulation_open(l->system, l->state, NULL, integrator, 4, options, &simulation,
                                    &error),
              &error);
    return simulation;
}

static cardo_simulation *open_run(const linkage *l, const char *integrator, const char *timestep)
{
    return open_so(l, integrator, timestep, "branch-points=stop");
}

/* A run stops at its last step before, and none begins there; where a length is another it goes on. */
static void runs_stop_at_branch_points(void **test)
{
    (void)test;
    static const char *const methods[] = {"verlet", "rk-merson", "rk4"};
    for (int i = 0; i < 6; ++i) {
        cardo_error error;
        cardo_end end;
        const bool regular = i >= 3;
        linkage l = make(1, 3, regular ? 1.02 : 1, 3);
        place(&l, 0.75, 1);
        const double u[3] = {-2, 0, 0};
        cardo_state_set_u(l.state, u);
        cardo_simulation *simulation = open_run(&l, methods[i % 3], "timestep=0.01");
        assert_ok(cardo_simulation_start(simulation, &error), &error);
        if (regular) {
            assert_ok(cardo_simulation_run(simulation, 300, NULL, &end, &error), &error);
            assert_true(fabs(cardo_state_q(l.state)[0] - 0.75) > 1.5);
        } else {
            assert_fails(cardo_simulation_run(simulation, 300, NULL, &end, &error), &error,
                         CARDO_ERROR_NUMERICAL, "branch point");
            const double angle = cardo_state_q(l.state)[0];
            print_message("%s: stopped at %.4f after %lld steps\n", methods[i % 3], angle,
                          cardo_simulation_step(simulation));
            assert_true(angle > 0 && angle < 0.1);
        }
        cardo_simulation_destroy(simulation);
        destroy(&l);
    }
}

/* A run that is told to goes on and counts, and one that was stored goes on counting. */
static void runs_pass_branch_points(void **test)
{
    (void)test;
    static const char *const methods[] = {"rk-merson", "adams", "rk4", "heun"};
    for (int i = 0; i < 4; ++i) {
        cardo_error error;
        cardo_end end;
        cardo_frame frame;
        linkage l = make(1, 3, 1, 3);
        place(&l, 0.75, 1);
        const double u[3] = {-2, 0, 0};
        cardo_state_set_u(l.state, u);
        cardo_simulation *run = open_so(&l, methods[i], "timestep=0.01", "branch-points=pass");
        assert_ok(cardo_simulation_start(run, &error), &error);
        cardo_simulation_frame(run, &frame);
        assert_int_equal(frame.branch_points, 0);
        assert_ok(cardo_simulation_run(run, 60, NULL, &end, &error), &error);
        cardo_simulation_frame(run, &frame);
        const double angle = cardo_state_q(l.state)[0];
        assert_true(angle < -0.2 && angle > -2);
        assert_int_equal(frame.branch_points, 1);
        cardo_snapshot kept = {.nvalue = cardo_simulation_snapshot_size(run)};
        kept.values = calloc((size_t)kept.nvalue, sizeof *kept.values);
        cardo_simulation_save(run, &kept);
        cardo_simulation_destroy(run);
        run = open_so(&l, methods[i], "timestep=0.01", "branch-points=pass");
        assert_ok(cardo_simulation_restore(run, &kept, &error), &error);
        cardo_simulation_frame(run, &frame);
        assert_int_equal(frame.branch_points, 1);
        assert_ok(cardo_simulation_run(run, 220, NULL, &end, &error), &error);
        cardo_simulation_frame(run, &frame);
        print_message("%s: at %.4f after %lld branch points\n", methods[i],
                      cardo_state_q(l.state)[0], frame.branch_points);
        assert_true(cardo_state_q(l.state)[0] < -3.2);
        assert_int_equal(frame.branch_points, 2);
        free(kept.values);
        cardo_simulation_destroy(run);
        destroy(&l);
    }
}

/* Loops that have nothing in common are looked at for themselves: two that go through at once, whose signs cancel, and one beside a
 * long chain. */
static void each_loop_for_itself(void **test)
{
    (void)test;
    for (int count = 1; count <= 2; ++count) {
        int passed = 0;
        linkage l = make_many(count, 50, 1, 3, 1, 3);
        for (int k = 0; k < 40; ++k) {
            const double angle = 0.75 - 0.037 * k;
            place(&l, angle, angle > 0 ? 1 : -1);
            if (k == 0)
                begin(&l);
            else
                passed += goes_through(&l);
        }
        assert_int_equal(passed, 1);
        destroy(&l);
    }
}

/* What lies between two reports is seen by methods that choose their own steps: the crank goes through both flat configurations. */
static void seen_between_reports(void **test)
{
    (void)test;
    static const char *const methods[] = {"rk-merson", "adams", "bdf"};
    for (int i = 0; i < 6; ++i) {
        const bool regular = i >= 3;
        cardo_error error;
        cardo_end end;
        linkage l = make_many(1, 40, 1, 3, regular ? 1.05 : 1, 3);
        double u[MOST] = {-2};
        place(&l, 0.75, 1);
        cardo_state_set_u(l.state, u);
        cardo_simulation *simulation = open_run(&l, methods[i % 3], "timestep=2.8");
        assert_ok(cardo_simulation_start(simulation, &error), &error);
        const cardo_status status = cardo_simulation_run(simulation, 1, NULL, &end, &error);
        if (regular) {
            assert_ok(status, &error);
            assert_true(cardo_state_q(l.state)[0] < -3.2);
        } else {
            assert_fails(status, &error, CARDO_ERROR_NUMERICAL, "branch point");
        }
        cardo_simulation_destroy(simulation);
        destroy(&l);
    }
}

static void none_begins_at_one(void **test)
{
    (void)test;
    static const double lengths[2][4] = {{1, 3, 1, 3}, {2, 1.5, 1.5, 2}};
    for (int i = 0; i < 2; ++i) {
        cardo_error error;
        cardo_assembly made;
        linkage l = make(lengths[i][0], lengths[i][1], lengths[i][2], lengths[i][3]);
        const double flat[3] = {0};
        place(&l, 0.4, 1);
        assert_ok(cardo_assemble_q(l.system, l.state, NULL, &made, &error), &error);
        assert_false(made.branch);
        assert_int_equal(made.rank, 2);
        cardo_state_set_q(l.state, flat);
        assert_ok(cardo_assemble_q(l.system, l.state, NULL, &made, &error), &error);
        if (i == 0) {
            assert_true(made.branch);
            assert_int_equal(made.rank, 1);
            assert_memory_equal(cardo_state_q(l.state), flat, sizeof flat);
            cardo_simulation *simulation = open_run(&l, "verlet", "timestep=0.01");
            assert_fails(cardo_simulation_start(simulation, &error), &error, CARDO_ERROR_NUMERICAL,
                         "branch point");
            cardo_simulation_destroy(simulation);
        }
        destroy(&l);
    }
}

/* The reference's loops at their temperature: all regular. */
static void loops_are_not_alarmed(void **test)
{
    (void)test;
    static const char *const loops[] = {
        "loop_k12_weld",      "loop_k3_ball", "loop_k4_ball",           "loop_k4_ball_angle",
        "loop_k5_ball_angle", "loop_k6_weld", "loop_k6_weld_redundant", "loop_k7_weld",
        "loop_k9_weld",       "loop_kic6"};
    static const char *const methods[] = {"verlet", "langevin", "rk-merson"};
    for (int i = 0; i < 10; ++i)
        for (int k = 0; k < 3; ++k) {
            loop_model m;
            cardo_error error;
            cardo_end end;
            cardo_simulation *simulation;
            const char *const options[] = {"timestep=0.01", "temperature=300",
                                           "max-energy-jump=1e9"};
            loop_model_create(&m, loops[i]);
            assert_ok(cardo_simulation_open(m.system, m.state, m.provider, methods[k], 3, options,
                                            &simulation, &error),
                      &error);
            assert_ok(cardo_simulation_start(simulation, &error), &error);
            assert_ok(
                cardo_simulation_run(simulation, SUPPORT_SANITIZED ? 20 : 150, NULL, &end, &error),
                &error);
            cardo_simulation_destroy(simulation);
            loop_model_destroy(&m);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parallelogram_through_its_flat_place),
        cmocka_unit_test(a_kite_folds),
        cmocka_unit_test(what_is_nearly_flat_is_regular),
        cmocka_unit_test(runs_stop_at_branch_points),
        cmocka_unit_test(runs_pass_branch_points),
        cmocka_unit_test(each_loop_for_itself),
        cmocka_unit_test(seen_between_reports),
        cmocka_unit_test(none_begins_at_one),
        cmocka_unit_test(loops_are_not_alarmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
