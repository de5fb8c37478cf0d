/* Profiles against plain sums and closed forms, curves as they come, and lysozyme's measured curve. */
#include "support/support.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiment/saxs/curve_fit.h"
#include "experiment/saxs/debye.h"
#include "experiment/saxs/directions.h"
#include "experiment/saxs/exposure.h"
#include "experiment/saxs/form_factors.h"
#include "experiment/saxs/groups.h"
#include "experiment/saxs/guinier.h"
#include "experiment/saxs/hydrogens.h"
#include "experiment/saxs/interface.h"
#include "experiment/saxs/profile.h"
#include "experiment/saxs/rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cardo_error error;

static void free_atoms_scatter_as_many_electrons_as_they_have(void **state)
{
    (void)state;
    for (int Z = 1; Z <= 30; ++Z) {
        assert_close(cardo_form_factor(Z, 0), Z, 0);
        assert_close(cardo_form_factor(Z, 0.01), Z, 1e-3 * Z);
    }
    /* International Tables for Crystallography C, Table 6.1.1.1: sin(theta)/lambda = 0.2 and 0.5 1/A. */
    const double q2 = 4 * CARDO_PI * 2, q5 = 4 * CARDO_PI * 5;
    assert_close(cardo_form_factor(6, q2), 3.581, 0.02);
    assert_close(cardo_form_factor(8, q2), 5.634, 0.02);
    assert_close(cardo_form_factor(6, q5), 1.685, 0.02);
    assert_true(isnan(cardo_form_factor(0, 1)));
    assert_false(cardo_form_factor_known(0));
    /* At q = 0 a group has all its electrons, and far out its hydrogens cancel. */
    assert_close(cardo_group_form_factor(6, 3, 0), 9, 1e-12);
    assert_int_equal(cardo_hydrogens_of("LYS", "NZ"), 3);
    assert_int_equal(cardo_hydrogens_of("PRO", "N"), 0);
    assert_int_equal(cardo_hydrogens_of("GLY", "CA"), 2);
    assert_int_equal(cardo_hydrogens_of("DT", "C2'"), 2);
    assert_int_equal(cardo_hydrogens_of("XYZ", "CA"), -1);
}

static void sinc_is_that_of_the_library(void **state)
{
    (void)state;
    enum { N = 4096 };
    static double x[N], out[N];
    for (int k = 0; k < N; ++k)
        x[k] = k < 10 ? k * 1e-10 : pow(1.004, k) * 1e-5;
    cardo_sinc(N, x, out);
    for (int k = 0; k < N; ++k)
        assert_close(out[k], x[k] > 0 ? sin(x[k]) / x[k] : 1, 1e-15);
}

enum { ATOMS = 101 };

/* Atoms of all sorts in a box. */
static void scatter(cardo_scatterers *s, uint64_t seed, double size)
{
    static const int elements[] = {6, 7, 8, 16, 1};
    *s = (cardo_scatterers){.n = ATOMS, .nkind = 5};
    assert_ok(CARDO_ALLOCATE(&s->position, 3 * ATOMS, &error), &error);
    assert_ok(CARDO_ALLOCATE(&s->kind, ATOMS, &error), &error);
    assert_ok(CARDO_ALLOCATE(&s->atom, ATOMS, &error), &error);
    assert_ok(CARDO_ALLOCATE(&s->exposure, ATOMS, &error), &error);
    for (int k = 0; k < 5; ++k)
        s->kinds[k] = (cardo_scatterer_kind){elements[k], k == 0 ? 2 : 0, 0.005 + 0.004 * k};
    for (int i = 0; i < ATOMS; ++i) {
        s->kind[i] = i % 5;
        s->exposure[i] = 0.01 * (i % 60);
        for (int d = 0; d < 3; ++d)
            s->position[3 * i + d] = size * support_random(&seed);
    }
}

/* Each partial by a plain double loop, as Debye's formula stands in a book. */
static void plain(const cardo_scatterers *s, double q, double out[CARDO_PARTIALS])
{
    static double f[3][ATOMS];
    static const int of[CARDO_PARTIALS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    cardo_scattering_amplitudes(s, q, f[0], f[1], f[2]);
    for (int p = 0; p < CARDO_PARTIALS; ++p) {
        out[p] = 0;
        for (int i = 0; i < s->n; ++i)
            for (int j = 0; j < s->n; ++j) {
                double square = 0;
                for (int d = 0; d < 3; ++d)
                    square += pow(s->position[3 * i + d] - s->position[3 * j + d], 2);
                const double x = q * sqrt(square);
                out[p] += f[of[p][0]][i] * f[of[p][1]][j] * (x > 0 ? sin(x) / x : 1);
            }
    }
}

static void debye_is_the_plain_sum_on_any_number_of_threads(void **state)
{
    (void)state;
    enum { NQ = 7 };
    cardo_scatterers s;
    cardo_pool *pool;
    const double q[NQ] = {0, 0.05, 0.7, 2, 4, 6, 12};
    double one[NQ * CARDO_PARTIALS], two[NQ * CARDO_PARTIALS], by_hand[CARDO_PARTIALS];
    scatter(&s, 3, 4);
    assert_ok(cardo_pool_create(2, &pool, &error), &error);
    assert_ok(cardo_debye(&s, NQ, q, NULL, one, &error), &error);
    assert_ok(cardo_debye(&s, NQ, q, pool, two, &error), &error);
    assert_memory_equal(one, two, sizeof one);
    for (int k = 0; k < NQ; ++k) {
        plain(&s, q[k], by_hand);
        for (int p = 0; p < CARDO_PARTIALS; ++p)
            assert_close(one[k * CARDO_PARTIALS + p], by_hand[p], 1e-12 * fabs(one[p]));
    }
    cardo_pool_destroy(pool);
    cardo_scatterers_clear(&s);
}

/* The average over directions errs by no more than is asked for, whatever the size. */
static void directions_average_as_the_sum_over_pairs(void **state)
{
    (void)state;
    enum { NQ = 6 };
    const double q[NQ] = {0, 0.05, 0.7, 2, 3.7, 5}, sizes[] = {1, 3, 8},
                 asked[] = {1e-3, 1e-6, 1e-9};
    for (int m = 0; m < 3; ++m) {
        cardo_scatterers s;
        double pairs[NQ * CARDO_PARTIALS], out[NQ * CARDO_PARTIALS];
        scatter(&s, 13 + (uint64_t)m, sizes[m]);
        assert_ok(cardo_debye(&s, NQ, q, NULL, pairs, &error), &error);
        for (int t = 0; t < 3; ++t) {
            double worst = 0;
            assert_ok(cardo_average_directions(&s, NQ, q, asked[t], NULL, out, &error), &error);
            for (int k = 0; k < NQ; ++k) {
                double w[CARDO_PARTIALS], exact = 0, found = 0;
                cardo_partial_weights(q[k], 0.013, 1, 1, w, NULL, NULL);
                for (int p = 0; p < CARDO_PARTIALS; ++p) {
                    exact += w[p] * pairs[k * CARDO_PARTIALS + p];
                    found += w[p] * out[k * CARDO_PARTIALS + p];
                }
                worst = fmax(worst, fabs(found / exact - 1));
            }
            print_message("box of %g nm, %g asked for: off by %.1e\n", sizes[m], asked[t], worst);
            assert_true(worst < asked[t]);
        }
        cardo_scatterers_clear(&s);
    }
}

/* A pose of a random turn about the origin and a random shift. */
static void any_pose(uint64_t *seed, double shift, double pose[12])
{
    double q[4], square = 0;
    for (int k = 0; k < 4; ++k) {
        q[k] = support_random(seed) - 0.4;
        square += q[k] * q[k];
    }
    for (int k = 0; k < 4; ++k)
        q[k] /= sqrt(square);
    const double R[9] = {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                         2 * (q[1] * q[3] + q[0] * q[2]),     2 * (q[1] * q[2] + q[0] * q[3]),
                         1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1]),
                         2 * (q[1] * q[3] - q[0] * q[2]),     2 * (q[2] * q[3] + q[0] * q[1]),
                         1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    memcpy(pose, R, sizeof R);
    for (int d = 0; d < 3; ++d)
        pose[9 + d] = shift * support_random(seed);
}

enum { BODIES = 3 };

static void carry(const cardo_scatterers *s, const int *body, const double *pose, double *out)
{
    for (int i = 0; i < s->n; ++i)
        for (int d = 0; d < 3; ++d) {
            const double *p = pose + 12 * body[i], *x = s->position + 3 * i;
            out[3 * i + d] = p[9 + d] + p[3 * d] * x[0] + p[3 * d + 1] * x[1] + p[3 * d + 2] * x[2];
        }
}

/* Largest difference of I(q) at c1 = c2 = 1, and of each partial against the largest of all. */
static double difference(int nq, const double *q, const double *exact, const double *found)
{
    double worst = 0;
    for (int k = 0; k < nq; ++k) {
        double w[CARDO_PARTIALS], one = 0, two = 0;
        cardo_partial_weights(q[k], 0.013, 1, 1, w, NULL, NULL);
        for (int p = 0; p < CARDO_PARTIALS; ++p) {
            one += w[p] * exact[k * CARDO_PARTIALS + p];
            two += w[p] * found[k * CARDO_PARTIALS + p];
            worst =
                fmax(worst, fabs(found[k * CARDO_PARTIALS + p] - exact[k * CARDO_PARTIALS + p]) /
                                fabs(exact[k * CARDO_PARTIALS + CARDO_PARTIAL_VV]));
        }
        worst = fmax(worst, fabs(two / one - 1));
    }
    return worst;
}

/* Three bodies, one of a single atom, in any poses: as Debye's sum over all pairs, to what is asked for; twice the same bits, without taking memory; and
 * with another layer as if the tables had been made with it. */
static void rigid_bodies_scatter_as_the_sum_over_pairs(void **state)
{
    (void)state;
    enum { NQ = 11 };
    const double sizes[] = {1, 4}, asked[] = {1e-3, 1e-6, 1e-11};
    uint64_t seed = 77;
    double q[NQ];
    for (int k = 0; k < NQ; ++k)
        q[k] = 0.5 * (NQ - 1 - k);
    for (int m = 0; m < 2; ++m) {
        cardo_scatterers s, there;
        int body[ATOMS];
        double moved[3 * ATOMS], other[ATOMS], pose[12 * BODIES], out[2][NQ * CARDO_PARTIALS],
            pairs[NQ * CARDO_PARTIALS];
        scatter(&s, 23, sizes[m]);
        for (int i = 0; i < ATOMS; ++i) {
            body[i] = i == 0 ? 1 : i % 2 ? 0 : 2;
            other[i] = i % 7 ? s.exposure[i] : 0.5;
        }
        there = s;
        there.position = moved;
        for (int t = 0; t < 3; ++t) {
            cardo_rigid_bodies *bodies;
            cardo_rigid_work *work;
            double worst = 0, anew = 0;
            assert_ok(
                cardo_rigid_bodies_make(&s, BODIES, body, NQ, q, 30, asked[t], &bodies, &error),
                &error);
            assert_ok(cardo_rigid_work_make(bodies, &work, &error), &error);
            for (int trial = 0; trial < 4; ++trial) {
                for (int b = 0; b < BODIES; ++b)
                    any_pose(&seed, 3 * sizes[m], pose + 12 * b);
                if (trial == 3) /* without turns, and one atop the other */
                    for (int b = 0; b < BODIES; ++b)
                        for (int k = 0; k < 12; ++k)
                            pose[12 * b + k] = k < 9 && k % 4 == 0;
                carry(&s, body, pose, moved);
                assert_ok(cardo_debye(&there, NQ, q, NULL, pairs, &error), &error);
                const unsigned long before = cardo_allocation_count();
                assert_ok(cardo_rigid_find(work, pose, out[0], &error), &error);
                assert_ok(cardo_rigid_find(work, pose, out[1], &error), &error);
                assert_int_equal(cardo_allocation_count(), before);
                assert_memory_equal(out[0], out[1], sizeof out[0]);
                worst = fmax(worst, difference(NQ, q, pairs, out[0]));
            }
            /* The last pose again with another layer, and with the first once more. */
            there.exposure = other;
            assert_ok(cardo_debye(&there, NQ, q, NULL, pairs, &error), &error);
            cardo_rigid_renew(work, other);
            assert_ok(cardo_rigid_find(work, pose, out[1], &error), &error);
            anew = difference(NQ, q, pairs, out[1]);
            there.exposure = s.exposure;
            cardo_rigid_renew(work, s.exposure);
            assert_ok(cardo_rigid_find(work, pose, out[1], &error), &error);
            assert_memory_equal(out[0], out[1], sizeof out[0]);
            print_message("bodies in a box of %g nm, %g asked for: off by %.1e, %.1e with another "
                          "layer\n",
                          sizes[m], asked[t], worst, anew);
            assert_true(worst < asked[t] && anew < asked[t]);
            pose[12 + 9] += 100;
            assert_fails(cardo_rigid_find(work, pose, out[0], &error), &error, CARDO_ERROR_ARGUMENT,
                         "further than");
            cardo_rigid_work_destroy(work);
            cardo_rigid_bodies_destroy(bodies);
        }
        cardo_scatterers_clear(&s);
    }
}

/* A small turn by angle about a body's middle, then a small shift, both along an axis. */
static void nudge(const cardo_rigid_bodies *bodies, int b, int axis, double angle, double shift,
                  const double *from, double *to)
{
    const double c = cos(angle), s = sin(angle);
    double R[9] = {0}, middle[3];
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    R[4 * axis] = 1;
    R[4 * u] = R[4 * v] = c;
    R[3 * u + v] = -s;
    R[3 * v + u] = s;
    memcpy(to, from, 12 * BODIES * sizeof *to);
    cardo_rigid_middle(bodies, b, from, middle);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            to[12 * b + 3 * i + j] = 0;
            for (int k = 0; k < 3; ++k)
                to[12 * b + 3 * i + j] += R[3 * i + k] * from[12 * b + 3 * k + j];
        }
        to[12 * b + 9 + i] = middle[i] + (i == axis) * shift;
        for (int k = 0; k < 3; ++k)
            to[12 * b + 9 + i] += R[3 * i + k] * (from[12 * b + 9 + k] - middle[k]);
    }
}

static void gradients_are_what_differences_are(void **state)
{
    (void)state;
    enum { NQ = 11, ALL = NQ * CARDO_PARTIALS };
    cardo_scatterers s;
    cardo_rigid_bodies *bodies;
    cardo_rigid_work *work;
    int body[ATOMS];
    double q[NQ], weight[ALL], pose[12 * BODIES], moved[12 * BODIES], out[ALL],
        gradient[6 * BODIES], largest = 0, worst = 0;
    uint64_t seed = 99;
    scatter(&s, 41, 2);
    for (int i = 0; i < ATOMS; ++i)
        body[i] = i == 0 ? 1 : i % 2 ? 0 : 2;
    for (int k = 0; k < NQ; ++k)
        q[k] = 0.5 * (NQ - 1 - k);
    for (int k = 0; k < ALL; ++k)
        weight[k] = support_random(&seed);
    for (int b = 0; b < BODIES; ++b)
        any_pose(&seed, 3, pose + 12 * b);
    assert_ok(cardo_rigid_bodies_make(&s, BODIES, body, NQ, q, 30, 1e-9, &bodies, &error), &error);
    assert_ok(cardo_rigid_work_make(bodies, &work, &error), &error);
    assert_ok(cardo_rigid_gradient(work, pose, weight, gradient, &error), &error);
    for (int k = 0; k < 6 * BODIES; ++k)
        largest = fmax(largest, fabs(gradient[k]));
    for (int k = 0; k < 6 * BODIES; ++k) {
        /* Differences of fourth order. */
        static const double factor[4] = {1 / 12.0, -2 / 3.0, 2 / 3.0, -1 / 12.0};
        const double h = 1e-3;
        double slope = 0;
        for (int side = 0; side < 4; ++side) {
            const double step = h * (side < 2 ? side - 2 : side - 1);
            nudge(bodies, k / 6, k % 3, k % 6 < 3 ? step : 0, k % 6 < 3 ? 0 : step, pose, moved);
            assert_ok(cardo_rigid_find(work, moved, out, &error), &error);
            for (int j = 0; j < ALL; ++j)
                slope += factor[side] * weight[j] * out[j] / h;
        }
        worst = fmax(worst, fabs(slope - gradient[k]) / largest);
    }
    print_message("gradients differ from differences by %.1e of the largest\n", worst);
    assert_true(worst < 1e-8);
    cardo_rigid_work_destroy(work);
    cardo_rigid_bodies_destroy(bodies);
    cardo_scatterers_clear(&s);
}

/* Where the bodies were found points are those of the rule for all atoms, to the last; elsewhere they have turned with their bodies. */
static void interfaces_cover_what_all_atoms_cover(void **state)
{
    (void)state;
    cardo_scatterers s, there;
    cardo_interface *interface;
    int body[ATOMS];
    double found[ATOMS], moved[3 * ATOMS], pose[12 * BODIES], sums[2] = {0}, squares = 0;
    uint64_t seed = 5;
    scatter(&s, 31, 1.5);
    for (int i = 0; i < ATOMS; ++i)
        body[i] = i % BODIES;
    assert_ok(cardo_exposure_find(&s, &error), &error);
    assert_ok(cardo_interface_make(&s, BODIES, body, &interface, &error), &error);
    for (int k = 0; k < 12 * BODIES; ++k)
        pose[k] = k % 12 < 9 && k % 12 % 4 == 0;
    cardo_interface_find(interface, pose, found);
    assert_memory_equal(found, s.exposure, sizeof found);
    there = s;
    there.position = moved;
    for (int trial = 0; trial < 20; ++trial) {
        for (int b = 0; b < BODIES; ++b)
            any_pose(&seed, 1, pose + 12 * b);
        carry(&s, body, pose, moved);
        assert_ok(cardo_exposure_find(&there, &error), &error);
        cardo_interface_find(interface, pose, found);
        for (int i = 0; i < ATOMS; ++i) {
            sums[0] += there.exposure[i];
            sums[1] += found[i];
            squares += pow(there.exposure[i] - found[i], 2);
        }
    }
    /* 162 points: an atom's share differs by a hundredth or two. */
    assert_close(sums[1] / sums[0], 1, 0.01);
    assert_true(sqrt(squares / (20 * ATOMS)) < 0.02);
    cardo_interface_destroy(interface);
    cardo_scatterers_clear(&s);
}

static void a_shell_and_a_dumbbell_have_their_closed_forms(void **state)
{
    (void)state;
    enum { SHELL = 4000 };
    const double q[] = {0.5, 1, 2, 3}, radius = 2, golden = CARDO_PI * (3 - sqrt(5.0));
    double out[4 * CARDO_PARTIALS];
    cardo_scatterers s = {.n = SHELL, .nkind = 1, .kinds = {{6, 0, 0.016}}};
    assert_ok(CARDO_ALLOCATE(&s.position, 3 * SHELL, &error), &error);
    assert_ok(CARDO_ALLOCATE(&s.kind, SHELL, &error), &error);
    assert_ok(CARDO_ALLOCATE(&s.exposure, SHELL, &error), &error);
    for (int k = 0; k < SHELL; ++k) {
        const double z = 1 - (2 * k + 1.0) / SHELL, rho = sqrt(1 - z * z);
        s.position[3 * k] = radius * rho * cos(golden * k);
        s.position[3 * k + 1] = radius * rho * sin(golden * k);
        s.position[3 * k + 2] = radius * z;
    }
    assert_ok(cardo_debye(&s, 4, q, NULL, out, &error), &error);
    for (int k = 0; k < 4; ++k) {
        const double f = cardo_form_factor(6, q[k]), x = q[k] * radius;
        assert_close(out[k * CARDO_PARTIALS] / pow(SHELL * f, 2), pow(sin(x) / x, 2), 1e-4);
    }
    s.n = 2;
    s.position[0] = s.position[1] = s.position[2] = s.position[4] = s.position[5] = 0;
    s.position[3] = 3;
    assert_ok(cardo_debye(&s, 4, q, NULL, out, &error), &error);
    for (int k = 0; k < 4; ++k) {
        const double f = cardo_form_factor(6, q[k]);
        assert_close(out[k * CARDO_PARTIALS], 2 * f * f * (1 + sin(3 * q[k]) / (3 * q[k])), 1e-11);
    }
    cardo_scatterers_clear(&s);
}

static void few_values_of_q_carry_a_profile(void **state)
{
    (void)state;
    enum { NQ = 90 };
    cardo_scatterers s;
    cardo_profile_plan plan = {0};
    double q[NQ], all[NQ * CARDO_PARTIALS], few[NQ * CARDO_PARTIALS];
    scatter(&s, 5, 2);
    for (int k = 0; k < NQ; ++k)
        q[k] = 0.07 * (k + 1);
    assert_ok(cardo_debye(&s, NQ, q, NULL, all, &error), &error);
    assert_ok(cardo_profile_plan_make(NQ, q, cardo_scatterers_diameter(&s), 0, 1, &plan, &error),
              &error);
    assert_true(plan.nodes.n < NQ);
    assert_ok(cardo_profile_find(&plan, &s, few, &error), &error);
    /* Displaced solvent is Gaussian; form factors are a spline's, whose pieces meet at kinks of some 1e-5. */
    for (int k = 0; k < NQ; ++k) {
        double w[CARDO_PARTIALS], exact = 0, carried = 0;
        const int EE = k * CARDO_PARTIALS + CARDO_PARTIAL_EE;
        assert_close(few[EE], all[EE], 1e-7 * fabs(all[EE]));
        cardo_partial_weights(q[k], 0.013, 1, 1, w, NULL, NULL);
        for (int p = 0; p < CARDO_PARTIALS; ++p) {
            exact += w[p] * all[k * CARDO_PARTIALS + p];
            carried += w[p] * few[k * CARDO_PARTIALS + p];
        }
        assert_close(carried, exact, 1e-4 * exact);
    }
    cardo_profile_plan_clear(&plan);
    cardo_scatterers_clear(&s);
}

static void weights_have_their_derivatives(void **state)
{
    (void)state;
    const double h = 1e-6;
    double w[CARDO_PARTIALS], d1[CARDO_PARTIALS], d2[CARDO_PARTIALS], up[CARDO_PARTIALS],
        down[CARDO_PARTIALS];
    cardo_partial_weights(2.5, 0.017, 1.02, 1.7, w, d1, d2);
    cardo_partial_weights(2.5, 0.017, 1.02 + h, 1.7, up, NULL, NULL);
    cardo_partial_weights(2.5, 0.017, 1.02 - h, 1.7, down, NULL, NULL);
    for (int p = 0; p < CARDO_PARTIALS; ++p)
        assert_close(d1[p], (up[p] - down[p]) / (2 * h), 1e-7);
    cardo_partial_weights(2.5, 0.017, 1.02, 1.7 + h, up, NULL, NULL);
    cardo_partial_weights(2.5, 0.017, 1.02, 1.7 - h, down, NULL, NULL);
    for (int p = 0; p < CARDO_PARTIALS; ++p)
        assert_close(d2[p], (up[p] - down[p]) / (2 * h), 1e-7);
}

/* A curve made of a profile comes back with what it was made with. */
static void a_fit_finds_what_a_curve_was_made_with(void **state)
{
    (void)state;
    enum { NQ = 80 };
    cardo_scatterers s;
    double q[NQ], I[NQ], sigma[NQ], partials[NQ * CARDO_PARTIALS], fitted[NQ];
    scatter(&s, 9, 3);
    s.mean_volume = 0.013;
    for (int k = 0; k < NQ; ++k)
        q[k] = 0.1 + 0.06 * k;
    assert_ok(cardo_debye(&s, NQ, q, NULL, partials, &error), &error);
    for (int k = 0; k < NQ; ++k) {
        double w[CARDO_PARTIALS];
        cardo_partial_weights(q[k], s.mean_volume, 1.013, 1.4, w, NULL, NULL);
        I[k] = 5;
        for (int p = 0; p < CARDO_PARTIALS; ++p)
            I[k] += 0.02 * w[p] * partials[k * CARDO_PARTIALS + p];
        sigma[k] = 1;
    }
    const cardo_curve curve = {.n = NQ, .q = q, .intensity = I, .sigma = sigma};
    const cardo_curve_fit_options options = {{0.95, 1.05}, {-2, 4}, true};
    cardo_curve_fit fit;
    assert_ok(cardo_curve_fit_find(&curve, partials, s.mean_volume, &options, &fit, fitted, &error),
              &error);
    assert_close(fit.c1, 1.013, 1e-3);
    assert_close(fit.c2, 1.4, 0.02);
    assert_close(fit.scale, 0.02, 1e-4);
    assert_close(fit.background, 5, 0.05);
    assert_true(fit.chi_square < 1e-3);
    cardo_scatterers_clear(&s);
}

static void curves_are_read_as_they_come(void **state)
{
    (void)state;
    static const char ten[] = "0.01 100 1\n0.02 99 1\n0.03 98 1\n0.04 97 1\n0.05 96 1\n0.06 95 1\n"
                              "0.07 94 1\n0.08 93 1\n0.09 92 1\n0.10 91 1\n";
    char text[1024];
    cardo_curve curve = {0};
    snprintf(text, sizeof text, "# a header\nSample: one\n%s0.11 -3 1\n0.12 5 0\n", ten);
    assert_ok(cardo_curve_read(support_write("a.dat", text), 0, &curve, &error), &error);
    assert_int_equal(curve.n, 11);
    assert_int_equal(curve.headers, 2);
    assert_int_equal(curve.negative, 1);
    assert_int_equal(curve.without_error, 1);
    assert_false(curve.nanometres);
    assert_close(curve.q[0], 0.1, 1e-15);
    cardo_curve_clear(&curve);
    snprintf(text, sizeof text, "# q in nm^-1\n%s", ten);
    assert_ok(cardo_curve_read(support_write("b.dat", text), 0, &curve, &error), &error);
    assert_true(curve.nanometres && curve.unit_said);
    assert_close(curve.q[0], 0.01, 1e-15);
    cardo_curve_clear(&curve);
    snprintf(text, sizeof text, "%s2.5,80,1\n", ten);
    assert_ok(cardo_curve_read(support_write("c.csv", text), 0, &curve, &error), &error);
    assert_true(curve.nanometres && !curve.unit_said);
    cardo_curve_clear(&curve);
    snprintf(text, sizeof text, "%s0.11 nan 1\n", ten);
    assert_fails(cardo_curve_read(support_write("d.dat", text), 0, &curve, &error), &error,
                 CARDO_ERROR_INPUT, "d.dat:11");
    cardo_curve_clear(&curve);
    snprintf(text, sizeof text, "%s0.11 90 inf\n", ten);
    assert_fails(cardo_curve_read(support_write("d.dat", text), 0, &curve, &error), &error,
                 CARDO_ERROR_INPUT, "d.dat:11");
    cardo_curve_clear(&curve);
    assert_fails(
        cardo_curve_read(support_write("g.dat", "head\n0,01 100 1,5\n"), 0, &curve, &error), &error,
        CARDO_ERROR_INPUT, "g.dat:2: numbers have decimal commas");
    cardo_curve_clear(&curve);
    snprintf(text, sizeof text, "%s0.03 98 1\n", ten);
    assert_fails(cardo_curve_read(support_write("e.dat", text), 0, &curve, &error), &error,
                 CARDO_ERROR_INPUT, "the same q");
    cardo_curve_clear(&curve);
    assert_fails(cardo_curve_read(support_write("f.dat", "1\n2\n3\n"), 0, &curve, &error), &error,
                 CARDO_ERROR_INPUT, "three columns");
    cardo_curve_clear(&curve);
}

/* Whatever is joined, members and the mean profile of all are kept, and no group is wider than told. */
static void groups_keep_the_mean_of_all(void **state)
{
    (void)state;
    enum { NQ = 12, MANY = 500, MOST = 20, SIZE = NQ * CARDO_PARTIALS };
    double q[NQ], I[NQ], sigma[NQ], one[SIZE], mean[SIZE] = {0}, sum[SIZE] = {0}, volume = 0,
                                               members = 0, average = 0, total = 0;
    uint64_t seed = 3;
    cardo_profile_groups g = {0};
    for (int k = 0; k < NQ; ++k) {
        q[k] = 0.3 * (k + 1);
        I[k] = 100 * exp(-q[k] * q[k]);
        sigma[k] = 0.01 * I[k] + 0.01;
    }
    const cardo_curve curve = {.n = NQ, .q = q, .intensity = I, .sigma = sigma};
    assert_ok(cardo_profile_groups_make(&curve, 1, MOST, &g, &error), &error);
    for (int c = 0; c < MANY; ++c) {
        const double size = 1 + 0.3 * support_random(&seed);
        for (int k = 0; k < SIZE; ++k) {
            one[k] = (k % CARDO_PARTIALS < 3 ? 3 : 1) *
                     exp(-size * q[k / CARDO_PARTIALS] * q[k / CARDO_PARTIALS]);
            mean[k] += one[k] / MANY;
        }
        const double property = 10 * (c % 2) + size;
        average += property / MANY;
        cardo_profile_groups_add(&g, c, one, 0.01 + 1e-3 * (c % 2), size, &property);
    }
    assert_true(g.n > 2 && g.n <= MOST);
    cardo_profile_groups_close(&g);
    for (int j = 0; j < g.n; ++j) {
        members += (double)g.count[j];
        volume += (double)g.count[j] * g.volume[j] / MANY;
        total += (double)g.count[j] * g.property[j] / MANY;
        for (int k = 0; k < SIZE; ++k)
            sum[k] += (double)g.count[j] * g.partials[j * SIZE + k] / MANY;
        assert_true(j == 0 || g.gyration[j] >= g.gyration[j - 1]);
    }
    assert_true(members == MANY);
    assert_close(volume, 0.0105, 1e-12);
    assert_close(total, average, 1e-12);
    for (int k = 0; k < SIZE; ++k)
        assert_close(sum[k], mean[k], 1e-12);
    cardo_profile_groups_clear(&g);
    /* what profiles know nothing of tells conformations apart, too */
    assert_ok(cardo_profile_groups_make(&curve, 1, MOST, &g, &error), &error);
    for (int c = 0; c < MANY; ++c) {
        const double property = c % 5 == 0 ? 2 : -3;
        cardo_profile_groups_add(&g, c, one, 0.01, c % 5 == 0 ? 2 : 1, &property);
    }
    cardo_profile_groups_close(&g);
    assert_int_equal(g.n, 2);
    assert_true(g.count[1] == MANY / 5 && g.example[1] == 0 && g.example[0] == 1);
    assert_close(g.property[1], 2, 1e-14);
    assert_close(g.property[0], -3, 1e-14);
    cardo_profile_groups_clear(&g);
}

/* Lysozyme: a reduced chi^2 of order one, displaced volume near its usual size, no trend, and the radius of gyration of its structure. */
static void lysozyme_explains_its_curve(void **state)
{
    (void)state;
    cardo_structure *structure;
    cardo_scatterers s = {0};
    cardo_curve curve = {0};
    cardo_profile_plan plan = {0};
    cardo_curve_fit fit;
    cardo_guinier guinier;
    double *partials, *fitted;
    assert_ok(
        cardo_structure_read(support_shared("reference/saxs/2epe.pdb"), 0, &structure, &error),
        &error);
    assert_ok(cardo_curve_read(support_shared("reference/saxs/2epe.dat"), 0, &curve, &error),
              &error);
    assert_ok(cardo_scatterers_make(structure, &s, &error), &error);
    assert_ok(cardo_exposure_find(&s, &error), &error);
    assert_ok(CARDO_ALLOCATE(&partials, curve.n * CARDO_PARTIALS, &error), &error);
    assert_ok(CARDO_ALLOCATE(&fitted, curve.n, &error), &error);
    assert_ok(cardo_profile_plan_make(curve.n, curve.q, cardo_scatterers_diameter(&s), 0, 1, &plan,
                                      &error),
              &error);
    assert_ok(cardo_profile_find(&plan, &s, partials, &error), &error);
    const cardo_curve_fit_options options = {{0.95, 1.05}, {-2, 4}, false};
    assert_ok(cardo_curve_fit_find(&curve, partials, s.mean_volume, &options, &fit, fitted, &error),
              &error);
    assert_true(cardo_guinier_find(&curve, &guinier));
    print_message("lysozyme: reduced chi^2 %.3f, c1 %.4f, c2 %.3f, Durbin-Watson %.2f, runs %d "
                  "(%.1f expected, %+.1f "
                  "standard deviations); Rg %.3f of the structure, %.3f +- %.3f nm of the curve\n",
                  fit.reduced, fit.c1, fit.c2, fit.durbin_watson, fit.runs, fit.runs_expected,
                  fit.runs_z, cardo_scatterers_gyration(&s), guinier.gyration,
                  guinier.gyration_sigma);
    assert_true(fit.reduced > 0.2 && fit.reduced < 2);
    assert_true(fit.c1 > 0.99 && fit.c1 < 1.02);
    assert_true(fabs(fit.runs_z) < 3);
    assert_close(guinier.gyration, 1.45, 0.08);
    cardo_free(partials);
    cardo_free(fitted);
    cardo_profile_plan_clear(&plan);
    cardo_curve_clear(&curve);
    cardo_scatterers_clear(&s);
    cardo_structure_destroy(structure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_atoms_scatter_as_many_electrons_as_they_have),
        cmocka_unit_test(sinc_is_that_of_the_library),
        cmocka_unit_test(debye_is_the_plain_sum_on_any_number_of_threads),
        cmocka_unit_test(directions_average_as_the_sum_over_pairs),
        cmocka_unit_test(rigid_bodies_scatter_as_the_sum_over_pairs),
        cmocka_unit_test(gradients_are_what_differences_are),
        cmocka_unit_test(interfaces_cover_what_all_atoms_cover),
        cmocka_unit_test(a_shell_and_a_dumbbell_have_their_closed_forms),
        cmocka_unit_test(few_values_of_q_carry_a_profile),
        cmocka_unit_test(weights_have_their_derivatives),
        cmocka_unit_test(a_fit_finds_what_a_curve_was_made_with),
        cmocka_unit_test(groups_keep_the_mean_of_all),
        cmocka_unit_test(curves_are_read_as_they_come),
        shared_test(lysozyme_explains_its_curve),
    };
    return support_run(tests, NULL, NULL);
}
