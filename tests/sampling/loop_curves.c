#include "loop_curves.h"

#include "base/units.h"
#include "cardo/manifold.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void loop_study_make(loop_study *s, const char *loop, int ensemble, int coordinate,
                     const char *method, double from, double to)
{
    cardo_error error = {0};
    landscape *l = &s->study;
    loop_model_create(&s->loop, loop);
    landscape_make(l, model_path, LANDSCAPE_HARMONIC, false, &cardo_integrator_hmc, method);
    model_destroy(&l->model);
    l->model = (test_model){
        .system = s->loop.system, .state = s->loop.state, .provider = s->loop.provider};
    l->coordinate = coordinate;
    cardo_variable_destroy(l->variable);
    const cardo_variable_definition definition = {.name = "hinge", .coordinate = coordinate};
    assert_ok(cardo_variable_create(&cardo_variable_coordinate, s->loop.system, &definition,
                                    &l->variable, &error),
              &error);
    l->simulation.ensemble = ensemble;
    l->options.from = from;
    l->options.to = to;
    landscape_set(l, "timestep", "0.2");
    landscape_set(l, "flights", "8");
    landscape_set(l, "jitter", "0.5");
    landscape_set(l, "flight-tolerance", "1e-7");
    landscape_set(l, "pull", "0");
}

void loop_study_clear(loop_study *s)
{
    cardo_variable_destroy(s->study.variable);
    loop_model_destroy(&s->loop);
}

/* The density by length of q, from the basis of one column, orthonormal in M; and the unit tangent that goes on as the last one. */
static double look(loop_study *s, double *tangent, double *q)
{
    cardo_error error = {0};
    cardo_system *system = s->loop.system;
    cardo_state *state = s->loop.state;
    const int n = cardo_system_nq(system), ensemble = s->study.simulation.ensemble;
    double T[LOOP_MOST_Q * LOOP_MOST_Q], length = 0, along = 0, log_m = 0, log_y = 0;
    int freedoms;
    cardo_force_evaluation at = {.q = q, .nq = n, .nu = n};
    double forces[LOOP_MOST_Q] = {0};
    at.mobility_forces = forces;
    memcpy(q, cardo_state_q(state), sizeof *q * (size_t)n);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_free_basis(system, state, T, &freedoms, &error), &error);
    assert_int_equal(freedoms, 1);
    assert_ok(s->loop.provider->compute(s->loop.provider, &at, &error), &error);
    if (ensemble == CARDO_ENSEMBLE_FIXMAN || ensemble == CARDO_ENSEMBLE_FULL)
        assert_ok(cardo_log_det_m(system, state, &log_m, &error), &error);
    if (ensemble == CARDO_ENSEMBLE_CLOSURE || ensemble == CARDO_ENSEMBLE_FULL)
        assert_ok(cardo_log_det_y(system, state, &log_y, &error), &error);
    for (int k = 0; k < n; ++k) {
        length += T[k] * T[k];
        along += T[k] * tangent[k];
    }
    for (int k = 0; k < n; ++k)
        tangent[k] = (along < 0 ? -1 : 1) * T[k] / sqrt(length);
    return exp(-at.energy / s->loop.kT - 0.5 * (log_m + log_y)) / sqrt(length);
}

static void advance(loop_study *s, const double *q, const double *tangent, double step)
{
    const cardo_assembly_options any = {.size = sizeof any, .any = true};
    cardo_error error = {0};
    double next[LOOP_MOST_Q];
    for (int k = 0; k < cardo_system_nq(s->loop.system); ++k)
        next[k] = q[k] + step * tangent[k];
    cardo_state_set_q(s->loop.state, next);
    assert_ok(cardo_assemble_q(s->loop.system, s->loop.state, &any, NULL, &error), &error);
}

static double apart(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

/* A step along the curve: the coordinate at its ends, and its slopes. */
typedef struct piece {
    double a, b, slope_a, slope_b, length;
} piece;

/* At which part of the step the coordinate has a value between its ends: on the cubic through both. */
static double part_at(const piece *p, double value)
{
    double low = 0, high = 1;
    const double da = p->length * p->slope_a, db = p->length * p->slope_b, up = p->b - p->a;
    for (int k = 0; k < 50; ++k) {
        const double x = 0.5 * (low + high);
        const double at = p->a + x * (da + x * (3 * up - 2 * da - db + x * (da + db - 2 * up)));
        *((at - value) * up < 0 ? &low : &high) = x;
    }
    return 0.5 * (low + high);
}

/* What of each bin a step has, the density being straight in between. */
static void add_piece(const piece *p, const double density[2], const landscape *l, int nbin,
                      double *sum)
{
    double done = 0;
    const double from = l->options.from, width = (l->options.to - from) / nbin;
    const int first = (int)floor((fmin(p->a, p->b) - from) / width),
              last = (int)floor((fmax(p->a, p->b) - from) / width);
    for (int i = 0; i <= last - first; ++i) {
        const bool up = p->b > p->a;
        const int bin = up ? first + i : last - i;
        const double x = i == last - first ? 1 : part_at(p, from + width * (bin + up));
        if (bin >= 0 && bin < nbin)
            sum[bin] += p->length * (x - done) *
                        (density[0] + 0.5 * (x + done) * (density[1] - density[0]));
        done = x;
    }
}

/* From the start one way, out of the range or round the curve. */
static void add_way(loop_study *s, double side, bool round, int nbin, double *sum)
{
    const double step = 1e-3, from = s->study.options.from, to = s->study.options.to;
    const int c = s->study.coordinate, n = cardo_system_nq(s->loop.system);
    double q[LOOP_MOST_Q], start[LOOP_MOST_Q], before[LOOP_MOST_Q], tangent[LOOP_MOST_Q] = {0},
                                                                    density[2];
    tangent[c] = side;
    density[1] = look(s, tangent, q);
    memcpy(start, q, sizeof q);
    bool goes_on = true;
    for (int k = 0; goes_on; ++k) {
        const double slope = tangent[c];
        memcpy(before, q, sizeof q);
        density[0] = density[1];
        advance(s, q, tangent, step);
        density[1] = look(s, tangent, q);
        if (round) {
            goes_on = k < 10 || apart(q, start, n) > step;
        } else {
            goes_on = q[c] > from && q[c] < to;
            /* the curve turns back outside of the range, or the test is wrong */
            assert_true(tangent[c] * side > 0 || !goes_on);
        }
        const piece p = {before[c], q[c], slope, tangent[c], apart(q, before, n)};
        add_piece(&p, density, &s->study, nbin, sum);
    }
}

void loop_curve_profile(loop_study *s, bool round, int nbin, double *F)
{
    double start[LOOP_MOST_Q], all = 0,
                               width = (s->study.options.to - s->study.options.from) / nbin;
    memcpy(start, cardo_state_q(s->loop.state),
           sizeof *start * (size_t)cardo_system_nq(s->loop.system));
    memset(F, 0, (size_t)nbin * sizeof *F);
    for (int side = -1; side <= (round ? -1 : 1); side += 2) {
        add_way(s, side, round, nbin, F);
        cardo_state_set_q(s->loop.state, start);
    }
    for (int b = 0; b < nbin; ++b)
        all += F[b];
    for (int b = 0; b < nbin; ++b)
        F[b] = -log(F[b] / all / width);
}
