/* Errors against the accuracy asked for, after Sherman, Seth and Delp 2011, Fig. 3: a chain of ten
 * links that hangs on a ball, with springs in its hinges, let go from a bend, over 3 ps.
 *
 * Prints one line a method and accuracy: alpha, the greatest error of the links' places (nm, root
 * mean square over links, at 30 reports) and the evaluations of forces. Ends with status 1 where an
 * error does not follow its alpha. */
#include <cardo/dynamics.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINKS = 10, REPORTS = 30 };

static const double length = 0.5, gravity = 10.0, stiffness = 40.0;

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "accuracy: %s\n", error->message);
    exit(1);
}

/* Springs in the hinges; the ball is the first mobilizer. */
static cardo_status springs(void *calls, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)error;
    ++*(long *)calls;
    evaluation->energy = 0;
    for (int k = 3; k < evaluation->nu; ++k) {
        double angle = evaluation->q[k + 1];
        evaluation->energy += 0.5 * stiffness * angle * angle;
        evaluation->mobility_forces[k] -= stiffness * angle;
    }
    return CARDO_OK;
}

static cardo_system *make_chain(void)
{
    cardo_error error;
    cardo_system *system;
    must(cardo_system_create(&system, &error), &error);
    for (int k = 0; k < LINKS; ++k) {
        const double m = 5.0, across = 0.02, along = m * length * length / 3 + across;
        const cardo_body_definition link = {
            .name = "link",
            .parent = k,
            .mobilizer = cardo_mobilizer_find(k == 0 ? "ball" : "pin"),
            .X_PF = cardo_transform_turn((cardo_vec3){0, 1, 0}, k == 0 ? 0 : 1.0,
                                         (cardo_vec3){0, k == 0 ? 0 : -length, 0}),
            .X_BM = cardo_transform_identity(),
            .mass = {m, {0, -0.5 * length, 0}, {along, across, along, 0, 0, 0}},
        };
        must(cardo_system_add_body(system, &link, NULL, &error), &error);
    }
    cardo_system_set_gravity(system, (cardo_vec3){0, -gravity, 0});
    must(cardo_system_finalize(system, &error), &error);
    return system;
}

/* Where the links are at every report. Returns the evaluations. */
static long follow(const char *integrator, double accuracy, cardo_vec3 *places)
{
    cardo_error error;
    cardo_system *system = make_chain();
    cardo_state *state;
    cardo_force_provider *provider;
    cardo_simulation *simulation;
    char accurately[64];
    const char *const options[] = {"timestep=0.1 ps", "velocities=zero", "max-energy-jump=1e9",
                                   accurately};
    cardo_end end;
    long calls = 0;
    double q[LINKS + 3] = {cos(0.4), sin(0.4), 0, 0};
    for (int k = 1; k < LINKS; ++k)
        q[k + 3] = 0.3;
    snprintf(accurately, sizeof accurately, "accuracy=%.17g", accuracy);
    must(cardo_state_create(system, &state, &error), &error);
    cardo_state_set_q(state, q);
    must(cardo_callback_provider_create(springs, &calls, CARDO_FORCE_DETERMINISTIC, &provider,
                                        &error),
         &error);
    must(
        cardo_simulation_open(system, state, provider, integrator, 4, options, &simulation, &error),
        &error);
    must(cardo_simulation_start(simulation, &error), &error);
    for (int n = 0; n < REPORTS; ++n) {
        must(cardo_simulation_run(simulation, n + 1, NULL, &end, &error), &error);
        for (int k = 0; k < LINKS; ++k)
            places[n * LINKS + k] = cardo_state_X_GB(state)[k + 1].p;
    }
    cardo_simulation_destroy(simulation);
    cardo_force_provider_destroy(provider);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return calls;
}

static double worst_error(const cardo_vec3 *places, const cardo_vec3 *reference)
{
    double worst = 0;
    for (int n = 0; n < REPORTS; ++n) {
        double sum = 0;
        for (int k = n * LINKS; k < (n + 1) * LINKS; ++k) {
            const cardo_vec3 a = places[k], b = reference[k];
            sum +=
                (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
        }
        worst = fmax(worst, sqrt(sum / LINKS));
    }
    return worst;
}

int main(void)
{
    static const char *const methods[] = {"rk-merson", "adams", "bdf"};
    static cardo_vec3 reference[REPORTS * LINKS], places[REPORTS * LINKS];
    int bad = 0;
    follow("adams", 1e-14, reference);
    for (int m = 0; m < 3; ++m) {
        double first = 0, last = 0;
        printf("%s# %s: alpha, error (nm), evaluations\n", m ? "\n\n" : "", methods[m]);
        for (int digits = 1; digits <= 9; ++digits) {
            double alpha = pow(10, -digits);
            long calls = follow(methods[m], alpha, places);
            last = worst_error(places, reference);
            first = digits == 1 ? last : first;
            printf("%g %.3g %ld\n", alpha, last, calls);
        }
        /* Eight orders of alpha: the error falls by six at least, and is never far from it. */
        bad += !(last < 1e-6 * first) || !(last < 1e-6);
    }
    return bad > 0;
}
