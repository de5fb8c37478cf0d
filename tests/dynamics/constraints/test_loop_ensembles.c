/* Baths on closed loops: kinetic energy by rank-many freedoms, and the three densities against exact marginals.
 *
 * The manifold of a loop with one freedom is a closed curve, which the test follows point by point, so that it can draw configurations
 * of any of the densities exactly. Walkers start from such draws, independent of one another, each moves for a while, and where they end
 * is compared with the marginals of the reference: a bath of the right density leaves it as it was, another changes it. So samples are
 * independent without a doubt, and barriers that are crossed once in nanoseconds do not matter.
 *
 * The short runs miss the bounds by chance once in 1e6; what they know of wrong densities is said. `test_loop_ensembles long [BATH [LOOP]]` takes
 * 1e5 walkers for each bath, loop and density: the least p of chi squared over all coordinates, times their number, must be above
 * 1e-3, which a right bath misses once in a thousand combinations, and walkers under another density, where it lies more than 0.05
 * away, must be rejected by more than ten standard deviations of chi squared. */
#include "base/units.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/velocities.h"
#include "loop_models.h"
#include "multibody/tree/operators.h"
#include "sampling.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_POINTS = 30000,
    MOST_ROWS = 16,
    ENSEMBLES = 3,
    LONG_WALKERS = 100000,
    LEAST_WALKERS = 1000,
    FARTHER = 32
};

static const char *const file_names[ENSEMBLES] = {"rigid", "closure_corrected", "fully_corrected"};
static const char *const words[ENSEMBLES] = {"rigid", "closure", "full"};

/* ---- the curve ---- */

typedef struct curve {
    int n, nq;
    double q[MOST_POINTS][LOOP_MOST_Q];
    double length[MOST_POINTS];             /* up to a point */
    double density[ENSEMBLES][MOST_POINTS]; /* by length */
    double cumulative[ENSEMBLES][MOST_POINTS];
} curve;

static curve along;

/* ln of the product of the eigenvalues of G G^T that are not zero, by Jacobi's rotations. */
static double log_det_ggt(const double *G, int nrow, int n)
{
    double A[MOST_ROWS][MOST_ROWS], sum = 0, most = 0;
    for (int i = 0; i < nrow; ++i)
        for (int j = 0; j < nrow; ++j) {
            A[i][j] = 0;
            for (int k = 0; k < n; ++k)
                A[i][j] += G[i * n + k] * G[j * n + k];
        }
    for (int sweep = 0; sweep < 12; ++sweep)
        for (int p = 0; p < nrow; ++p)
            for (int r = p + 1; r < nrow; ++r) {
                if (A[p][r] == 0)
                    continue;
                const double angle = 0.5 * atan2(2 * A[p][r], A[r][r] - A[p][p]);
                const double c = cos(angle), s = sin(angle);
                for (int k = 0; k < nrow; ++k) {
                    const double a = A[k][p], b = A[k][r];
                    A[k][p] = c * a - s * b;
                    A[k][r] = s * a + c * b;
                }
                for (int k = 0; k < nrow; ++k) {
                    const double a = A[p][k], b = A[r][k];
                    A[p][k] = c * a - s * b;
                    A[r][k] = s * a + c * b;
                }
            }
    for (int i = 0; i < nrow; ++i)
        most = fmax(most, A[i][i]);
    for (int i = 0; i < nrow; ++i)
        sum += A[i][i] > 1e-12 * most ? log(A[i][i]) : 0;
    return sum;
}

/* The unit tangent that goes on in the direction of the last one. */
static void find_tangent(const double *G, int nrow, int n, double *tangent)
{
    double rows[MOST_ROWS][LOOP_MOST_Q], norm = 0;
    int count = 0;
    for (int i = 0; i < nrow; ++i) {
        double *row = rows[count], size = 0, left = 0;
        memcpy(row, G + i * n, sizeof *row * (size_t)n);
        for (int k = 0; k < n; ++k)
            size += row[k] * row[k];
        for (int pass = 0; pass < 2; ++pass)
            for (int j = 0; j < count; ++j) {
                double dot = 0;
                for (int k = 0; k < n; ++k)
                    dot += rows[j][k] * row[k];
                for (int k = 0; k < n; ++k)
                    row[k] -= dot * rows[j][k];
            }
        for (int k = 0; k < n; ++k)
            left += row[k] * row[k];
        if (left < 1e-16 * size)
            continue;
        for (int k = 0; k < n; ++k)
            row[k] /= sqrt(left);
        ++count;
    }
    for (int pass = 0; pass < 2; ++pass)
        for (int j = 0; j < count; ++j) {
            double dot = 0;
            for (int k = 0; k < n; ++k)
                dot += rows[j][k] * tangent[k];
            for (int k = 0; k < n; ++k)
                tangent[k] -= dot * rows[j][k];
        }
    for (int k = 0; k < n; ++k)
        norm += tangent[k] * tangent[k];
    for (int k = 0; k < n; ++k)
        tangent[k] /= sqrt(norm);
}

static double potential_of(const loop_model *m, const double *q)
{
    double sum = 0.5 * m->hinge_k * pow(q[0] - m->hinge_q0, 2);
    for (int i = 0; i < m->ntorsion; ++i)
        sum += m->k[i] * (1 + cos(m->n[i] * q[1 + i] - m->delta[i]));
    return sum;
}

static double gap(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

/* Point number i of the curve from the state, and the tangent there. */
static void note_point(loop_model *m, int i, double *tangent)
{
    cardo_error error = {0};
    double G[MOST_ROWS * LOOP_MOST_Q], log_m, log_y;
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(m->system, &counts);
    assert_ok(cardo_realize(m->system, m->state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_constraint_matrix(m->system, m->state, G, &error), &error);
    assert_ok(cardo_log_det_m(m->system, m->state, &log_m, &error), &error);
    assert_ok(cardo_log_det_y(m->system, m->state, &log_y, &error), &error);
    memcpy(along.q[i], cardo_state_q(m->state), sizeof *along.q[i] * (size_t)along.nq);
    const double base =
        -potential_of(m, along.q[i]) / m->kT - 0.5 * log_det_ggt(G, counts.nrow, along.nq);
    along.density[0][i] = base + 0.5 * (log_m + log_y);
    along.density[1][i] = base + 0.5 * log_m;
    along.density[2][i] = base;
    along.length[i] = i > 0 ? along.length[i - 1] + gap(along.q[i], along.q[i - 1], along.nq) : 0;
    find_tangent(G, counts.nrow, along.nq, tangent);
}

static void follow_curve(loop_model *m, double step)
{
    const cardo_assembly_options any = {.size = sizeof any, .any = true};
    cardo_error error = {0};
    double tangent[LOOP_MOST_Q];
    along.nq = cardo_system_nq(m->system);
    for (int k = 0; k < along.nq; ++k)
        tangent[k] = 1;
    along.n = 0;
    for (bool round = false; !round; ++along.n) {
        assert_true(along.n < MOST_POINTS - 1);
        note_point(m, along.n, tangent);
        round = along.n > 10 && gap(along.q[along.n], along.q[0], along.nq) < step;
        double q[LOOP_MOST_Q];
        for (int k = 0; k < along.nq; ++k)
            q[k] = along.q[along.n][k] + step * tangent[k];
        cardo_state_set_q(m->state, q);
        assert_ok(cardo_assemble_q(m->system, m->state, &any, NULL, &error), &error);
    }
    cardo_state_set_q(m->state, along.q[0]);
    note_point(m, along.n++, tangent);
    for (int e = 0; e < ENSEMBLES; ++e) {
        double most = -HUGE_VAL;
        for (int i = 0; i < along.n; ++i)
            most = fmax(most, along.density[e][i]);
        for (int i = 0; i < along.n; ++i)
            along.density[e][i] = exp(along.density[e][i] - most);
        for (int i = 1; i < along.n; ++i)
            along.cumulative[e][i] =
                along.cumulative[e][i - 1] + 0.5 * (along.length[i] - along.length[i - 1]) *
                                                 (along.density[e][i] + along.density[e][i - 1]);
    }
}

/* A place on the curve by the probability up to it. */
static void draw_place(int e, double share, double *q)
{
    const double *sum = along.cumulative[e], wanted = share * sum[along.n - 1];
    int low = 0, high = along.n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (sum[middle] <= wanted)
            low = middle;
        else
            high = middle;
    }
    /* the density is linear in between */
    const double a = along.density[e][low], b = along.density[e][high];
    const double part = (wanted - sum[low]) / (sum[high] - sum[low]) * 0.5 * (a + b);
    const double x = 2 * part / (a + sqrt(a * a + 2 * (b - a) * part));
    for (int k = 0; k < along.nq; ++k)
        q[k] = along.q[low][k] + x * (along.q[high][k] - along.q[low][k]);
}

/* The curve that the test has followed is that of the reference, with its densities. */
static void compare_curve(const loop_model *m)
{
    enum { DRAWS = 200000 };
    for (int e = 0; e < ENSEMBLES; ++e) {
        double edges[LOOP_MOST_Q][LOOP_MOST_BINS + 1], p[LOOP_MOST_Q][LOOP_MOST_BINS];
        double mine[LOOP_MOST_Q][LOOP_MOST_BINS] = {{0}};
        int n[LOOP_MOST_Q];
        for (int c = 0; c < along.nq; ++c)
            n[c] = loop_model_bins(m, file_names[e], c, edges[c], p[c]);
        for (int i = 0; i < DRAWS; ++i) {
            double q[LOOP_MOST_Q];
            draw_place(e, (i + 0.5) / DRAWS, q);
            for (int c = 0; c < along.nq; ++c) {
                const int b = loop_model_bin(c, edges[c], n[c], q[c]);
                assert_true(b >= 0);
                mine[c][b] += 1.0 / DRAWS;
            }
        }
        for (int c = 0; c < along.nq; ++c)
            assert_close(loop_model_variation(p[c], mine[c], n[c]), 0, 1e-4);
    }
}

/* ---- walkers ---- */

typedef struct bath_plan {
    const char *integrator;
    const char *options[3];
    double timestep; /* ps */
    int steps;       /* of a walker */
} bath_plan;

static const bath_plan baths[] = {
    {"langevin", {"friction=0.5", "flight-tolerance=1e-4"}, 0.04, 5},
    {"hmc", {"flights=2", "jitter=0.5", "flight-tolerance=1e-4"}, 0.2, 1},
    {"hmc", {"flights=4", "jitter=0.5", "propagator=leapfrog"}, 0.1, 1},
    {"baoab", {"friction=0.5", "flight-tolerance=1e-4"}, 0.04, 5},
    {"andersen", {"collision-rate=1", "flight-tolerance=1e-4"}, 0.04, 5},
    {"ghmc", {"flights=2", "friction=0.5", "flight-tolerance=1e-4"}, 0.2, 1},
    {"csvr", {"relaxation=1", "flight-tolerance=1e-4"}, 0.04, 5},
    {"nose-hoover", {"relaxation=1", "flight-tolerance=1e-4"}, 0.04, 5},
};
enum { BATHS = sizeof baths / sizeof *baths };

/* Far walks of Monte Carlo are few long moves: refreshed often, a walker goes to and fro. */
static const bath_plan far_hmc = {
    "hmc", {"flights=10", "jitter=0.5", "flight-tolerance=1e-4"}, 0.25, 4};

static const char *label_of(const bath_plan *bath)
{
    return bath->options[2] && strstr(bath->options[2], "propagator") ? "hmc-leapfrog"
                                                                      : bath->integrator;
}

static cardo_simulation *begin(loop_model *m, const bath_plan *bath, const char *ensemble,
                               long long seed)
{
    char text[4][48];
    const char *options[7];
    int n = 0;
    cardo_error error = {0};
    cardo_simulation *simulation;
    snprintf(text[0], sizeof *text, "timestep=%g", bath->timestep);
    snprintf(text[1], sizeof *text, "temperature=%.17g", m->kT / CARDO_BOLTZMANN);
    snprintf(text[2], sizeof *text, "seed=%lld", (long long)support_seed((uint64_t)seed));
    snprintf(text[3], sizeof *text, "ensemble=%s", ensemble);
    for (; n < 4; ++n)
        options[n] = text[n];
    for (int i = 0; i < 3 && bath->options[i]; ++i)
        options[n++] = bath->options[i];
    assert_ok(cardo_simulation_open(m->system, m->state, m->provider, bath->integrator, n, options,
                                    &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

typedef struct counts {
    double bins[LOOP_MOST_Q][LOOP_MOST_BINS];
    double kinetic, kinetic_square;
    int walkers;
    char report[256];
} counts;

/* Walks are so many times as long as the bath's. */
static int longer = FARTHER / 4;

/* Walkers drawn from one density move under another; counts where they end in the bins of the first. */
static void walk(loop_model *m, const bath_plan *bath, int from, int under, int walkers,
                 long long seed, counts *out)
{
    cardo_error error = {0};
    cardo_end end;
    cardo_random random = cardo_random_start(support_seed((uint64_t)seed), 99);
    double edges[LOOP_MOST_Q][LOOP_MOST_BINS + 1], p[LOOP_MOST_BINS];
    int n[LOOP_MOST_Q];
    *out = (counts){.walkers = walkers};
    for (int c = 0; c < along.nq; ++c)
        n[c] = loop_model_bins(m, file_names[from], c, edges[c], p);
    cardo_simulation *simulation = begin(m, bath, words[under], seed);
    for (int w = 0; w < walkers; ++w) {
        double share, q[LOOP_MOST_Q], energy;
        cardo_random_uniform(&random, 1, &share);
        draw_place(from, share, q);
        cardo_state_set_q(m->state, q);
        assert_ok(cardo_draw_velocities(m->system, m->state, m->kT, &random, &error), &error);
        assert_ok(cardo_simulation_renew(simulation, NULL, NULL, &error), &error);
        assert_ok(cardo_simulation_run(simulation,
                                       cardo_simulation_step(simulation) + longer * bath->steps,
                                       NULL, &end, &error),
                  &error);
        for (int c = 0; c < along.nq; ++c) {
            const int b = loop_model_bin(c, edges[c], n[c], cardo_state_q(m->state)[c]);
            assert_true(b >= 0);
            out->bins[c][b]++;
        }
        assert_ok(cardo_kinetic_energy(m->system, m->state, &energy, &error), &error);
        out->kinetic += energy / walkers;
        out->kinetic_square += energy * energy / walkers;
    }
    if (!cardo_simulation_report(simulation, out->report, sizeof out->report))
        out->report[0] = '\0';
    assert_int_equal(cardo_simulation_degrees(simulation), m->freedoms);
    cardo_simulation_destroy(simulation);
}

/* A coordinate's bins, neighbours put together until twenty walkers are expected. */
typedef struct merged {
    int n;
    double p[LOOP_MOST_BINS], found[LOOP_MOST_BINS];
} merged;

static void merge_bins(const loop_model *m, const counts *got, int ensemble, int coordinate,
                       merged *out)
{
    double edges[LOOP_MOST_BINS + 1], p[LOOP_MOST_BINS], rest = 1;
    const int bins = loop_model_bins(m, file_names[ensemble], coordinate, edges, p);
    *out = (merged){0};
    for (int b = 0; b < bins; ++b) {
        out->p[out->n] += p[b];
        out->found[out->n] += got->bins[coordinate][b];
        rest -= p[b];
        const bool last = b == bins - 1;
        if (last || (out->p[out->n] * got->walkers >= 20 && rest * got->walkers >= 20))
            ++out->n;
    }
}

/* Chi squared of a coordinate's bins; *n: how many there are, less one. */
static double chi_squared(const loop_model *m, const counts *got, int ensemble, int coordinate,
                          int *n)
{
    merged bins;
    double sum = 0;
    merge_bins(m, got, ensemble, coordinate, &bins);
    for (int b = 0; b < bins.n; ++b) {
        const double expected = bins.p[b] * got->walkers;
        sum += (bins.found[b] - expected) * (bins.found[b] - expected) / expected;
    }
    *n = bins.n - 1;
    return sum;
}

/* How many standard deviations chi squared is off, in the coordinate where it is most. */
static double most_deviations(const loop_model *m, const counts *got, int ensemble)
{
    double most = 0;
    for (int c = 0; c < along.nq; ++c) {
        int n;
        const double value = chi_squared(m, got, ensemble, c, &n);
        if (n >= 1)
            most = fmax(most, (value - n) / sqrt(2.0 * n));
    }
    return most;
}

/* Upper tail of chi squared (Wilson & Hilferty). */
static double tail(double value, int n)
{
    const double spread = 2.0 / (9.0 * n);
    return 0.5 * erfc((cbrt(value / n) - (1 - spread)) / sqrt(2 * spread));
}

/* The least p of all coordinates, times their number. */
static double judge(const loop_model *m, const counts *got, int ensemble)
{
    double least = 1;
    for (int c = 0; c < along.nq; ++c) {
        int n;
        const double value = chi_squared(m, got, ensemble, c, &n);
        if (n >= 1)
            least = fmin(least, tail(value, n));
    }
    return fmin(1, least * along.nq);
}

/* By how many standard errors the kinetic energy is off. */
static double kinetic_deviation(const loop_model *m, const counts *got)
{
    const double expected = 0.5 * m->freedoms * m->kT;
    const double variance = got->kinetic_square - got->kinetic * got->kinetic;
    return (got->kinetic - expected) / sqrt(variance / got->walkers);
}

static double variation_between(const loop_model *m, int a, int b)
{
    double most = 0;
    for (int c = 0; c < along.nq; ++c) {
        double edges[LOOP_MOST_BINS + 1], p[LOOP_MOST_BINS], q[LOOP_MOST_BINS];
        const int n = loop_model_bins(m, file_names[a], c, edges, p);
        loop_model_bins(m, file_names[b], c, edges, q);
        most = fmax(most, loop_model_variation(p, q, n));
    }
    return most;
}

/* ---- short ---- */

static void curves_are_those_of_the_reference(void **test)
{
    (void)test;
    static const char *const loops[] = {"loop_k3_ball", "loop_k4_ball_angle", "loop_k6_weld",
                                        "loop_k6_weld_redundant"};
    for (int l = 0; l < (SUPPORT_SANITIZED ? 1 : 4); ++l) {
        loop_model m;
        loop_model_create(&m, loops[l]);
        follow_curve(&m, 2e-3);
        compare_curve(&m);
        loop_model_destroy(&m);
    }
}

static void every_bath_keeps_its_density(void **test)
{
    (void)test;
    const int walkers = SUPPORT_SANITIZED ? 25 : 100;
    loop_model m;
    loop_model_create(&m, "loop_k3_ball");
    follow_curve(&m, 2e-3);
    for (int i = 0; i < BATHS; ++i)
        for (int e = 0; e < ENSEMBLES; e += 2) {
            counts got;
            walk(&m, &baths[i], e, e, walkers, 21, &got);
            const double p = judge(&m, &got, e), off = kinetic_deviation(&m, &got);
            print_message("%s, %s: p %.3g, kinetic energy %.2f standard errors off; %s\n",
                          baths[i].integrator, words[e], p, off, got.report);
            assert_true(p > 1e-5);
            assert_true(fabs(off) < 5);
        }
    loop_model_destroy(&m);
}

static void a_wrong_density_is_rejected(void **test)
{
    (void)test;
    loop_model m;
    loop_model_create(&m, "loop_k3_ball");
    follow_curve(&m, 2e-3);
    for (int from = 0; from < ENSEMBLES; from += 2) {
        counts got;
        longer = 1;
        walk(&m, &far_hmc, from, 2 - from, 400, 22, &got);
        longer = FARTHER / 4;
        const double off = most_deviations(&m, &got, from);
        print_message("%s under %s: chi squared %.1f standard deviations off\n", words[from],
                      words[2 - from], off);
        assert_true(off > 6);
    }
    loop_model_destroy(&m);
}

/* A bath that is new in the table is tested here as well. */
static void no_bath_is_left_out(void **test)
{
    (void)test;
    for (int i = 0; cardo_integrators[i]; ++i) {
        bool found = !(cardo_integrators[i]->traits & CARDO_INTEGRATOR_THERMOSTAT);
        for (int k = 0; k < BATHS; ++k)
            found = found || strcmp(baths[k].integrator, cardo_integrators[i]->name) == 0;
        assert_true(found);
    }
}

/* ---- long ---- */

static const char *which_bath = "", *which_loop = "", *which_from = "",
                  *which_under = ""; /* "": all */
static int long_walkers = LONG_WALKERS;

static bool is_wanted(const char *name, const char *which)
{
    return !*which || strcmp(name, which) == 0;
}

/* Of 1e5 walkers that have come to rest in another density, by how many standard deviations chi squared is off. */
static double deviations_at_rest(const loop_model *m, int from, int under)
{
    double most = 0;
    for (int c = 0; c < along.nq; ++c) {
        double edges[LOOP_MOST_BINS + 1], p[LOOP_MOST_BINS], other[LOOP_MOST_BINS], sum = 0;
        int n = 0;
        const int bins = loop_model_bins(m, file_names[from], c, edges, p);
        loop_model_bins(m, file_names[under], c, edges, other);
        for (int b = 0; b < bins; ++b)
            if (p[b] * LONG_WALKERS >= 20) {
                sum += LONG_WALKERS * (other[b] - p[b]) * (other[b] - p[b]) / p[b];
                ++n;
            }
        most = fmax(most, sum / sqrt(2.0 * n));
    }
    return most;
}

static int judged;

static bool judge_walkers(loop_model *m, const char *loop, const bath_plan *bath, int from,
                          int under, int walkers)
{
    counts got;
    walk(m, bath, from, under, walkers, 1000 + 10 * from + under, &got);
    const double p = judge(m, &got, from), off = kinetic_deviation(m, &got);
    const double sigmas = most_deviations(m, &got, from);
    ++judged;
    const bool right = from == under ? p > 1e-3 && fabs(off) < 4 : sigmas > 10;
    print_message(
        "%s %s %s under %s: %d walkers, %d steps of %g ps, %.3f apart, p %.3g, %.1f sigma, "
        "K %.2f sigma%s; %s\n",
        loop, label_of(bath), words[from], words[under], walkers, longer * bath->steps,
        bath->timestep, variation_between(m, from, under), p, sigmas, off,
        right ? "" : "  <-- wrong", got.report);
    fflush(stdout);
    return right;
}

/* Wrong densities are seen by fewer walkers that go farther, as many as leave 300 standard deviations at rest (of WALKERS other
 * than 1e5 the same share); some of the right one go as far. */
static bool survey(loop_model *m, const char *loop, const bath_plan *bath)
{
    bool good = true;
    for (int from = 0; from < ENSEMBLES; ++from)
        for (int under = 0; under < ENSEMBLES; ++under) {
            int walkers = LEAST_WALKERS;
            if (!is_wanted(words[from], which_from) || !is_wanted(words[under], which_under) ||
                (from != under && variation_between(m, from, under) < 0.05))
                continue;
            longer = 1;
            if (from == under)
                good = judge_walkers(m, loop, bath, from, under, long_walkers) && good;
            else
                walkers = (int)fmax(LEAST_WALKERS,
                                    300.0 * long_walkers / deviations_at_rest(m, from, under));
            const bool hmc = strcmp(label_of(bath), "hmc") == 0;
            longer = hmc ? 1 : FARTHER;
            good = judge_walkers(m, loop, hmc ? &far_hmc : bath, from, under, walkers) && good;
        }
    return good;
}

/* ---- two freedoms ---- */

/* Moves the state for so many steps of its simulation, and counts where its hinge is. */
static double step_and_count(const loop_model *m, cardo_simulation *simulation, int steps,
                             int ensemble, bool counted, counts *got)
{
    cardo_error error = {0};
    cardo_end end;
    double edges[LOOP_MOST_BINS + 1], p[LOOP_MOST_BINS];
    const int bins = loop_model_bins(m, file_names[ensemble], 0, edges, p);
    assert_ok(cardo_simulation_run(simulation, cardo_simulation_step(simulation) + steps, NULL,
                                   &end, &error),
              &error);
    const double q = cardo_state_q(m->state)[0];
    const int b = loop_model_bin(0, edges, bins, q);
    if (counted && b >= 0)
        got->bins[0][b]++;
    return q;
}

/* A walker of Langevin dynamics from where the chain is. */
static void follow_chain(const loop_model *chain, const loop_model *m, cardo_simulation *simulation,
                         cardo_random *random, int ensemble, counts *got)
{
    cardo_error error = {0};
    cardo_state_set_q(m->state, cardo_state_q(chain->state));
    assert_ok(cardo_draw_velocities(m->system, m->state, m->kT, random, &error), &error);
    assert_ok(cardo_simulation_renew(simulation, NULL, NULL, &error), &error);
    step_and_count(m, simulation, baths[0].steps, ensemble, true, got);
}

static double correlation_of_neighbours(const double *values, int n)
{
    double mean = 0, square = 0, next = 0;
    for (int k = 0; k < n; ++k)
        mean += values[k] / n;
    for (int k = 0; k + 1 < n; ++k) {
        square += (values[k] - mean) * (values[k] - mean);
        next += (values[k] - mean) * (values[k + 1] - mean);
    }
    return next / square;
}

static bool tell_chain(const loop_model *m, const char *loop, const char *what, int ensemble,
                       const counts *got, double correlation)
{
    int n;
    const double value = chi_squared(m, got, ensemble, 0, &n), p = tail(value, n);
    const bool right = p > 1e-3 && fabs(correlation) < 0.05;
    print_message("%s %s %s: %d samples, p %.3g, correlation of neighbours %.3f%s\n", loop, what,
                  words[ensemble], got->walkers, p, correlation, right ? "" : "  <-- wrong");
    fflush(stdout);
    ++judged;
    return right;
}

/* Of two freedoms only the hinge's marginal is known: a long chain of Monte Carlo, whose samples are nearly independent, each of a
 * quarter of the hinge's period, and from each of them a walker of Langevin dynamics; the densities are 0.03 apart, less than what is to
 * be told. */
static bool judge_chain(const char *loop)
{
    static double values[LONG_WALKERS];
    static const bath_plan plan = {
        "hmc", {"flights=9", "jitter=0.5", "flight-tolerance=1e-4"}, 0.275, 1};
    bool good = true;
    for (int e = 0; e < ENSEMBLES; ++e) {
        loop_model m, walker;
        counts got = {.walkers = long_walkers}, walked = {.walkers = long_walkers};
        cardo_random random = cardo_random_start(support_seed(78), 99);
        if (!is_wanted(words[e], which_from))
            continue;
        loop_model_create(&m, loop);
        loop_model_create(&walker, loop);
        cardo_simulation *chain = begin(&m, &plan, words[e], 77 + e);
        cardo_simulation *langevin = begin(&walker, &baths[0], words[e], 87 + e);
        for (int k = -100; k < long_walkers; ++k) {
            const double q = step_and_count(&m, chain, plan.steps, e, k >= 0, &got);
            if (k < 0)
                continue;
            values[k] = q;
            follow_chain(&m, &walker, langevin, &random, e, &walked);
        }
        const double correlation = correlation_of_neighbours(values, long_walkers);
        good = tell_chain(&m, loop, "hmc chain", e, &got, correlation) && good;
        good = tell_chain(&m, loop, "langevin", e, &walked, correlation) && good;
        cardo_simulation_destroy(chain);
        cardo_simulation_destroy(langevin);
        loop_model_destroy(&m);
        loop_model_destroy(&walker);
    }
    return good;
}

static void every_marginal_by_many_walkers(void **test)
{
    (void)test;
    static const char *const loops[] = {"loop_k3_ball", "loop_k4_ball_angle", "loop_k6_weld",
                                        "loop_k6_weld_redundant"};
    bool good = true;
    if (is_wanted("loop_k4_ball", which_loop))
        good = judge_chain("loop_k4_ball");
    for (int l = 0; l < 4; ++l) {
        loop_model m;
        if (!is_wanted(loops[l], which_loop))
            continue;
        loop_model_create(&m, loops[l]);
        follow_curve(&m, 1e-3);
        for (int i = 0; i < BATHS; ++i)
            if (is_wanted(label_of(&baths[i]), which_bath))
                good = survey(&m, loops[l], &baths[i]) && good;
        loop_model_destroy(&m);
    }
    assert_true(good && judged > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_are_those_of_the_reference),
        cmocka_unit_test(no_bath_is_left_out),
        statistical_test(every_bath_keeps_its_density),
        statistical_test(a_wrong_density_is_rejected),
    };
    const struct CMUnitTest whole[] = {cmocka_unit_test(every_marginal_by_many_walkers)};
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        which_bath = argc > 2 ? argv[2] : "";
        which_loop = argc > 3 ? argv[3] : "";
        long_walkers = argc > 4 ? atoi(argv[4]) : LONG_WALKERS;
        which_from = argc > 5 ? argv[5] : "";
        which_under = argc > 6 ? argv[6] : "";
        return cmocka_run_group_tests(whole, NULL, NULL);
    }
    return support_run(tests, NULL, NULL);
}
