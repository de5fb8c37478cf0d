/* Labels: clouds against volumes that are known, averages against sums that are, tables as people write them, and DEER's kernel against numerical
 * quadrature. */
#include "base/memory.h"
#include "base/random.h"
#include "base/units.h"
#include "experiment/labels/dipolar.h"
#include "experiment/labels/dipolar_inverse.h"
#include "experiment/labels/label_distance.h"
#include "experiment/labels/label_table.h"
#include "experiment/labels/rotamers.h"
#include "support/support.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static cardo_error error;

/* --- Clouds ----------------------------------------------------------------------------------- */

/* Free in all directions it is a ball; ways along a grid are a little longer than straight ones. */
static void a_free_label_fills_a_ball(void **state)
{
    const cardo_label_shape shape = {.length = 2, .width = 0.3, .nradius = 1, .radius = {0.3}};
    const cardo_obstacles nothing = {0};
    cardo_label_cloud cloud = {0};
    double mean[3] = {0}, most = 0;
    (void)state;
    assert_ok(cardo_label_cloud_make(&shape, v3(1, 2, 3), &nothing, 0.1, &cloud, &error), &error);
    const double ball = 4.0 / 3 * CARDO_PI * 8;
    for (int i = 0; i < cloud.n; ++i) {
        const cardo_vec3 d = v3_sub(v3_load(cloud.position + 3 * (size_t)i), v3(1, 2, 3));
        most = fmax(most, v3_norm(d));
        mean[0] += d.x / cloud.n;
        mean[1] += d.y / cloud.n;
        mean[2] += d.z / cloud.n;
    }
    printf("  volume %.3f of the ball's, farthest %.3f nm\n", cloud.volume / ball, most);
    assert_true(cloud.volume < 1.001 * ball && cloud.volume > 0.92 * ball);
    assert_true(most <= 2 && most > 1.98);
    for (int k = 0; k < 3; ++k)
        assert_close(mean[k], 0, 1e-10);
    cardo_label_cloud_clear(&cloud);
}

/* A wall of atoms, which the tube goes not through and the ball stays away from. */
static void a_wall_keeps_it_on_its_side(void **state)
{
    enum { SIDE = 41, N = SIDE * SIDE };
    const cardo_label_shape shape = {
        .length = 1.5, .width = 0.2, .nradius = 3, .radius = {0.5, 0.3, 0.1}};
    static double position[3 * N], radius[N];
    cardo_label_cloud cloud = {0};
    int with_room[3] = {0};
    (void)state;
    for (int i = 0; i < N; ++i) {
        position[3 * i] = 0.15 * (i / SIDE - SIDE / 2);
        position[3 * i + 1] = 0.15 * (i % SIDE - SIDE / 2);
        position[3 * i + 2] = 0;
        radius[i] = 0.17;
    }
    const cardo_obstacles wall = {N, position, radius};
    assert_ok(cardo_label_cloud_make(&shape, v3(0, 0, 0.15), &wall, 0.1, &cloud, &error), &error);
    assert_true(cloud.n > 100);
    for (int i = 0; i < cloud.n; ++i) {
        const double z = cloud.position[3 * i + 2];
        assert_true(z > 0.15);
        for (int k = 0; k < 3; ++k)
            if (cloud.room[i] >> k & 1) {
                ++with_room[k];
                assert_true(z > 0.1 + shape.radius[k]);
            }
    }
    assert_true(with_room[0] < with_room[1] && with_room[1] < with_room[2]);
    /* Another wall that comes later takes what is beyond it, and leaves the rest. */
    double place[3 * 4000], weight[4000];
    const cardo_transform up = {m33_identity(), v3(0, 0, -1)};
    const int all = cardo_label_cloud_place(&cloud, &shape, xform_identity(), &(cardo_obstacles){0},
                                            4000, place, weight);
    const int left = cardo_label_cloud_place(&cloud, &shape, up, &wall, 4000, place, weight);
    assert_true(all == (cloud.n < 4000 ? cloud.n : 4000));
    assert_true(left > 0 && left < all);
    for (int i = 0; i < left; ++i)
        assert_true(fabs(place[3 * i + 2]) > 0.25 && weight[i] >= 1 && weight[i] <= 3);
    cardo_label_cloud_clear(&cloud);
}

/* --- Averages --------------------------------------------------------------------------------- */

static void averages_are_those_of_all_pairs(void **state)
{
    const double one[] = {0, 0, 0, 0, 0, 1}, other[] = {5, 0, 0, 7, 0, 0};
    const double equal[] = {1, 1}, unequal[] = {3, 1};
    const cardo_label_places a = {2, one, equal}, b = {2, other, unequal};
    const double R0 = 6, r[4] = {5, 7, sqrt(26), sqrt(50)}, w[4] = {0.375, 0.125, 0.375, 0.125};
    double mean = 0, E = 0, rate = 0, histogram[100], sum = 0;
    cardo_label_distance d;
    (void)state;
    for (int k = 0; k < 4; ++k) {
        mean += w[k] * r[k];
        E += w[k] / (1 + pow(r[k] / R0, 6));
        rate += w[k] * pow(R0 / r[k], 6);
    }
    cardo_label_distance_find(&a, &b, R0, 0.1, 100, histogram, &d);
    assert_close(d.mean, mean, 1e-14);
    assert_close(d.efficiency, E, 1e-14);
    assert_close(d.efficiency_fast, rate / (1 + rate), 1e-14);
    assert_close(d.apparent, R0 * pow(1 / E - 1, 1.0 / 6), 1e-13);
    assert_close(d.between_means, sqrt(5.5 * 5.5 + 0.25), 1e-14);
    for (int k = 0; k < 100; ++k)
        sum += histogram[k];
    assert_close(sum, 1, 1e-14);
    assert_close(histogram[70], 0.25, 1e-14); /* 7 and the root of 50 */
}

/* --- DEER ------------------------------------------------------------------------------------- */

/* The average over directions by Gauss's rule of five points on many pieces. */
static double kernel_by_quadrature(double time, double distance)
{
    static const double x[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                0.9061798459386640},
                        w[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                0.4786286704993665, 0.2369268850561891};
    const double omega = 2 * CARDO_PI * CARDO_DIPOLAR_CONSTANT / pow(distance, 3);
    enum { PIECES = 1200 };
    double sum = 0;
    for (int k = 0; k < PIECES; ++k)
        for (int j = 0; j < 5; ++j) {
            const double at = (k + 0.5 + 0.5 * x[j]) / PIECES;
            sum += 0.5 * w[j] / PIECES * cos(omega * time * (1 - 3 * at * at));
        }
    return sum;
}

static void the_kernel_is_that_of_quadrature(void **state)
{
    double worst = 0, C, S;
    (void)state;
    for (double r = 1.75; r < 8; r += 0.25)
        for (double t = 0; t < 5; t += 0.11)
            worst = fmax(worst, fabs(cardo_dipolar_kernel(t, r) - kernel_by_quadrature(t, r)));
    printf("  kernel against quadrature: %.2g\n", worst);
    assert_true(worst < 1e-10);
    assert_close(cardo_dipolar_kernel(0, 3), 1, 0);
    assert_close(cardo_dipolar_kernel(-1.3, 3), cardo_dipolar_kernel(1.3, 3), 0);
    /* Abramowitz & Stegun, table 7.7. */
    cardo_fresnel(1, &C, &S);
    assert_close(C, 0.7798934, 6e-8);
    assert_close(S, 0.4382591, 6e-8);
    cardo_fresnel(-3, &C, &S);
    assert_close(C, -0.6057208, 6e-8);
    assert_close(S, -0.4963130, 6e-8);
}

/* V(t) of a Gaussian distribution, with depth and background, against quadrature over directions and distances. */
static void a_signal_is_that_of_quadrature(void **state)
{
    enum { N = 400 };
    double r[N], P[N], sum = 0, worst = 0;
    (void)state;
    for (int k = 0; k < N; ++k) {
        r[k] = 2.5 + 2.5 * (k + 0.5) / N;
        P[k] = exp(-0.5 * pow((r[k] - 3.7) / 0.25, 2));
        sum += P[k];
    }
    for (int k = 0; k < N; ++k)
        P[k] /= sum;
    for (double t = 0; t <= 3; t += 0.3) {
        double form = 0;
        for (int k = 0; k < N; ++k)
            form += P[k] * kernel_by_quadrature(t, r[k]);
        const double plain = (1 - 0.3 + 0.3 * form) * exp(-pow(0.2 * t, 2.6 / 3));
        worst = fmax(worst, fabs(plain - cardo_dipolar_signal(t, N, r, P, 0.3, 0.2, 2.6)));
    }
    printf("  signal against quadrature: %.2g\n", worst);
    assert_true(worst < 1e-6);
}

/* A distribution of two Gaussians, in a signal with noise and background, found again: how far off. */
typedef struct comeback {
    double mean_off, within,
        area; /* in errors; share of P within two errors and 0.02; of what P is off */
    cardo_dipolar_inverse found;
} comeback;

static comeback come_back(uint64_t seed, int replicates, double noise)
{
    enum { N = 200, M = 300 };
    static double time[N], value[N], r[M], P[M];
    cardo_random random = cardo_random_start(seed, 1);
    const cardo_dipolar_trace trace = {N, time, value};
    comeback back = {0};
    double sum = 0, mean = 0;
    for (int k = 0; k < M; ++k) {
        r[k] = 2 + 3.5 * (k + 0.5) / M;
        P[k] = 0.7 * exp(-0.5 * pow((r[k] - 3.2) / 0.25, 2)) +
               0.3 * exp(-0.5 * pow((r[k] - 4.2) / 0.25, 2));
        sum += P[k];
    }
    for (int k = 0; k < M; ++k) {
        P[k] /= sum;
        mean += P[k] * r[k];
    }
    for (int i = 0; i < N; ++i) {
        double z[2];
        cardo_random_normal(&random, 2, z);
        time[i] = 3.5 * i / (N - 1);
        value[i] = 5 * (cardo_dipolar_signal(time[i], M, r, P, 0.3, 0.1, 3) + noise * z[0]);
    }
    assert_ok(cardo_dipolar_invert(&trace, 3, replicates, &back.found, &error), &error);
    const cardo_dipolar_inverse *f = &back.found;
    for (int j = 0; j < f->n; ++j) {
        const double step = 3.5 / M;
        const bool in = f->distance[j] > 2 && f->distance[j] < 5.5;
        const double truth = in ? P[(int)((f->distance[j] - 2) / step)] / step : 0;
        const double off = fabs(f->density[j] - truth);
        back.within += (off <= 2 * f->sigma[j] + 0.02) / (double)f->n;
        back.area += 0.5 * off * f->step;
    }
    back.mean_off = (f->mean - mean) / f->mean_sigma;
    printf(
        "  depth %.3f, k %.3f, noise %.4f, alpha %.3g; mean %.3f +- %.3f (%.3f) nm, width %.3f +- "
        "%.3f; %.0f %% of P within two errors, area apart %.3f\n",
        f->depth, f->rate, f->noise, f->alpha, f->mean, f->mean_sigma, mean, f->width,
        f->width_sigma, 100 * back.within, back.area);
    return back;
}

static void distances_come_back_from_a_signal(void **state)
{
    comeback back = come_back(support_seed(9), SUPPORT_SANITIZED ? 2 : 30, 0.004);
    (void)state;
    if (!SUPPORT_SANITIZED) {
        assert_true(fabs(back.mean_off) < 3.5);
        assert_true(back.found.mean_sigma < 0.1 && back.within > 0.85 && back.area < 0.12);
    }
    assert_close(back.found.depth, 0.3, 0.02);
    assert_close(back.found.scale, 5, 0.05);
    assert_close(back.found.noise, 0.004, 0.001);
    cardo_dipolar_inverse_clear(&back.found);
}

/* Over so many signals: how often the mean is within one and two errors, and P. */
static void survey(int count, double noise)
{
    int one = 0, two = 0;
    double within = 0, area = 0;
    for (int k = 0; k < count; ++k) {
        comeback back = come_back((uint64_t)k + 100, 30, noise);
        one += fabs(back.mean_off) < 1;
        two += fabs(back.mean_off) < 2;
        within += back.within / count;
        area += back.area / count;
        cardo_dipolar_inverse_clear(&back.found);
    }
    printf(
        "noise %g: mean within one error %d, two %d of %d; P within two errors %.0f %%; area apart "
        "%.3f\n",
        noise, one, two, count, 100 * within, area);
}

/* --- Tables ----------------------------------------------------------------------------------- */

static void reads_tables(void **state)
{
    cardo_label_table table = {0};
    (void)state;
    assert_ok(cardo_label_table_read(
                  support_write("a.labels", "# a comment\nlabel d A:29 CB 20.5 4.5 5 4.5 1.5\n"
                                            "label a\t:352 CA 7.5, 2, 3 # one radius\n\n"
                                            "pair x d a fret 65 0.5 0.05\npair y d a deer\n"),
                  &table, &error),
              &error);
    assert_int_equal(table.nlabel, 2);
    assert_int_equal(table.npair, 2);
    assert_close(table.label[0].shape.length, 2.05, 1e-12);
    assert_int_equal(table.label[0].shape.nradius, 3);
    assert_int_equal(table.label[1].shape.nradius, 1);
    assert_string_equal(table.label[1].residue, ":352");
    assert_close(table.pair[0].R0, 6.5, 1e-12);
    assert_true(table.pair[0].measured && !table.pair[1].measured);
    assert_int_equal(table.pair[1].kind, CARDO_PAIR_DEER);
    cardo_label_table_clear(&table);
    assert_ok(
        cardo_label_table_read(
            support_write(
                "fps.json",
                "{\"Distances\": {\"x\": {\"position1_name\": \"d\", \"position2_name\": \"a\", "
                "\"distance\": 65, \"error_neg\": 3, \"error_pos\": 3, \"distance_type\": "
                "\"RDAMeanE\", \"Forster_radius\": 65}}, \"Positions\": {\"d\": "
                "{\"chain_identifier\": \"A\", \"residue_seq_number\": 29, "
                "\"attachment_atom_name\": "
                "\"CB\", \"simulation_type\": \"AV3\", \"linker_length\": 20.5, \"linker_width\": "
                "4.5, \"radius1\": 5, \"radius2\": 4.5, \"radius3\": 1.5}, \"a\": "
                "{\"chain_identifier\": \"\", \"residue_seq_number\": 352, \"simulation_type\": "
                "\"AV1\", \"linker_length\": 21, \"linker_width\": 4.5, \"radius1\": 11}}}"),
            &table, &error),
        &error);
    assert_int_equal(table.nlabel, 2);
    assert_string_equal(table.label[0].residue, "A:29");
    assert_int_equal(table.label[1].shape.nradius, 1);
    assert_close(table.pair[0].value, 0.5, 1e-12);
    assert_close(table.pair[0].sigma, 6 * 0.25 * 3 / 65, 1e-12);
    cardo_label_table_clear(&table);
}

static void refuses_wrong_tables(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"label d A:29 CB 20.5 4.5\n", ":1: a label is"},
        {"label d A:29 CB 20.5 4.5 x\n", ":1: x is no number"},
        {"label d A:29 CB 2000 4.5 5\n", ":1: the linker's length is 2000"},
        {"label d A:29 CB 20 4 5\nlabel d A:30 CB 20 4 5\n", ":2: there are two"},
        {"label d A:29 CB 20 4 5\npair x d a fret 65\n", ":2: pair x names label a"},
        {"label d A:29 CB 20 4 5\npair x d d fret\n", ":2: a pair is"},
        {"label d A:29 CB 20 4 5\npair x d d fret 65 7 0.1\n", ":2: the efficiency"},
        {"label d A:29 CB 20 4 5\npair x d d fret 65 0.7 0\n", ":2: the error"},
        {"q I sigma\n", ":1: a line begins"},
        {"label d A:29 CB 20 4 5\n", "no pair"},
        {"", "no pair"},
        {"{\"Positions\": {\"d\": {\"simulation_type\": \"ACV\"}}}", "simulation_type ACV"},
        {"{\"Positions\": {\"d\": {\"linker_length\": 20}}}", "no residue_seq_number"},
        {"{\"Positions\": ", "w.labels:1"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        cardo_label_table table = {0};
        assert_fails(
            cardo_label_table_read(support_write("w.labels", wrong[k].text), &table, &error),
            &error, CARDO_ERROR_INPUT, wrong[k].says);
        cardo_label_table_clear(&table);
    }
}

/* Three rotamers on a backbone that stands elsewhere: turned with it, by their occupancies, and without the one that clashes. */
static void rotamers_are_laid_upon_the_backbone(void **state)
{
    static const double spin[3][3] = {{0, 0, 5}, {0, 5, 3}, {4, 4, 4}},
                        occupancy[3] = {0.5, 0.25, 0};
    static const double back[3][3] = {{-1.2, 0.8, 0}, {0, 0, 0}, {1.5, 0.2, 0}};
    char text[4000];
    int n = 0;
    double backbone[9];
    cardo_label_cloud cloud = {0};
    (void)state;
    for (int m = 0; m < 3; ++m) {
        static const char *const names[3] = {"N", "CA", "C"};
        n += snprintf(text + n, sizeof text - (size_t)n, "MODEL     %4d\n", m + 1);
        for (int k = 0; k < 4; ++k) {
            const double *x = k < 3 ? back[k] : spin[m];
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "ATOM  %5d  %-3s R1A A   1    %8.3f%8.3f%8.3f%6.2f  0.00           %c\n",
                          k + 1, k < 3 ? names[k] : "N1", x[0], x[1], x[2],
                          k < 3 ? 1 : occupancy[m], k == 1 || k == 2 ? 'C' : 'N');
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "ENDMDL\n");
    }
    const char *path = support_write("rotamers.pdb", text);
    /* x, y, z become y, z, x, and all is moved by 1, 2, 3 nm */
    for (int k = 0; k < 3; ++k) {
        backbone[3 * k] = 1 + CARDO_ANGSTROM * back[k][1];
        backbone[3 * k + 1] = 2 + CARDO_ANGSTROM * back[k][2];
        backbone[3 * k + 2] = 3 + CARDO_ANGSTROM * back[k][0];
    }
    const cardo_obstacles nothing = {0};
    assert_ok(cardo_rotamers_place(path, "N1", backbone, &nothing, &cloud, &error), &error);
    assert_int_equal(cloud.n, 3);
    for (int m = 0; m < 3; ++m) {
        const double *at = cloud.position + 3 * (size_t)m;
        assert_close(at[0], 1 + CARDO_ANGSTROM * spin[m][1], 1e-9);
        assert_close(at[1], 2 + CARDO_ANGSTROM * spin[m][2], 1e-9);
        assert_close(at[2], 3 + CARDO_ANGSTROM * spin[m][0], 1e-9);
        assert_close(cloud.share[m], m < 2 ? occupancy[m] : 1, 1e-6);
    }
    cardo_label_cloud_clear(&cloud);
    const double wall[3] = {1, 2.6, 3}, radius = 0.17;
    const cardo_obstacles one = {1, wall, &radius};
    assert_ok(cardo_rotamers_place(path, "N1", backbone, &one, &cloud, &error), &error);
    assert_int_equal(cloud.n, 2);
    assert_close(cloud.share[0], 0.25, 1e-6);
    cardo_label_cloud_clear(&cloud);
    assert_fails(cardo_rotamers_place(path, "O1", backbone, &one, &cloud, &error), &error,
                 CARDO_ERROR_INPUT, "rotamer 1 has no atom O1");
    cardo_label_cloud_clear(&cloud);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_label_fills_a_ball),
        cmocka_unit_test(a_wall_keeps_it_on_its_side),
        cmocka_unit_test(rotamers_are_laid_upon_the_backbone),
        cmocka_unit_test(averages_are_those_of_all_pairs),
        cmocka_unit_test(the_kernel_is_that_of_quadrature),
        cmocka_unit_test(a_signal_is_that_of_quadrature),
        statistical_test(distances_come_back_from_a_signal),
        cmocka_unit_test(reads_tables),
        cmocka_unit_test(refuses_wrong_tables),
    };
    if (count > 1 && strcmp(words[1], "long") == 0) {
        survey(40, 0.004);
        survey(40, 0.02);
        return 0;
    }
    return support_run(tests, NULL, NULL);
}
