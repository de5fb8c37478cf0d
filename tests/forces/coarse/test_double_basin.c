/* The double-basin Go energy against plain double loops over the paper's equations, its wells and
 * its barrier along LAO's and adenylate kinase's paths, and its forces against its slopes. */
#include "forces/coarse/rows.h"
#include "forces/coarse/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One of the structures, as the test sees it: C-alpha and heavy atoms by residue number. */
static bool in_contact(const cardo_structure *s, int r, int t)
{
    for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
        for (int j = s->residue_first[t]; j < s->residue_first[t + 1]; ++j) {
            double d = v3_norm(v3_sub(v3_load(s->position + 3 * i), v3_load(s->position + 3 * j)));
            if (s->element[i] != 1 && s->element[j] != 1 && d <= 0.45)
                return true;
        }
    return false;
}

/* The C-alpha positions of the model's residues at q, and the body of each. */
static void read_places(scene *s, const double *q, double *x, int *body)
{
    cardo_error error;
    const cardo_structure *reference = s->model->structure[0].structure;
    double *all = calloc(3 * (size_t)reference->natom, sizeof *all);
    scene_place(s, q);
    assert_ok(cardo_station_positions(s->system, s->state, all, &error), &error);
    for (int r = 0; r < reference->nresidue; ++r) {
        int atom = cardo_structure_find_atom(reference, r, "CA");
        memcpy(x + 3 * r, all + 3 * atom, 3 * sizeof *x);
        body[r] = s->model->atom_body[atom];
    }
    free(all);
}

static double distance(const double *x, int r, int t)
{
    return v3_norm(v3_sub(v3_load(x + 3 * r), v3_load(x + 3 * t)));
}

/* Best et al. 2005, eq. 2, over Clementi et al. 2000, eq. 1: every pair, one after the other. The
 * native distances are those at q = 0 and q = 1, read from the path. */
static double plain_energy(scene *s, const double *q, double contact, double mixing)
{
    const cardo_structure *A = s->model->structure[0].structure;
    const cardo_structure *B = s->model->structure[1].structure;
    const int *match = s->model->structure[1].match;
    const int n = A->nresidue;
    double q0[64], *x = calloc(9 * (size_t)n, sizeof *x), *xa = x + 3 * n, *xb = x + 6 * n;
    double V[2] = {s->energy->basin[0].offset, s->energy->basin[1].offset}, core = 0;
    int *body = calloc((size_t)n, sizeof *body);
    read_places(s, q, x, body);
    scene_path(s, 0, q0);
    read_places(s, q0, xa, body);
    scene_path(s, 1, q0);
    read_places(s, q0, xb, body);
    for (int r = 0; r < n; ++r)
        for (int t = r + 4; t < n; ++t) {
            if (body[r] == body[t])
                continue;
            bool common = match[r] >= 0 && match[t] >= 0;
            bool in[2] = {common && in_contact(A, r, t),
                          common && in_contact(B, match[r], match[t])};
            double d = distance(x, r, t), repulsion = contact * pow(0.4 / d, 12);
            if (!in[0] && !in[1]) {
                core += repulsion;
                continue;
            }
            for (int k = 0; k < 2; ++k) {
                double native = distance(k ? xb : xa, r, t);
                V[k] += in[k] ? contact * (5 * pow(native / d, 12) - 6 * pow(native / d, 10))
                              : repulsion;
            }
        }
    free(x);
    free(body);
    return core - mixing * log(exp(-V[0] / mixing) + exp(-V[1] / mixing));
}

static void check_plain(scene *s)
{
    uint64_t seed = 11;
    double q[64];
    for (int k = 0; k < 8; ++k) {
        scene_path(s, 0.5 + 0.6 * support_random(&seed), q);
        double plain = plain_energy(s, q, 1.7, 6);
        assert_close(scene_evaluate(s, q, NULL), plain, 1e-9 * (1 + fabs(plain)));
    }
}

static void test_plain_loops(void **state)
{
    (void)state;
    scene s;
    scene_lao(&s);
    scene_energy(&s, "double-basin.xml", "contact-energy=1.7, mixing=6, difference=4");
    check_plain(&s);
    scene_clear(&s);
    scene_adenylate_kinase(&s);
    scene_energy(&s, "double-basin.xml", "contact-energy=1.7, mixing=6");
    check_plain(&s);
    scene_clear(&s);
}

/* Where no joint holds the domains, the chain's springs do: at rest in each structure, where the
 * energy stays what the contacts make it. */
static void test_chain(void **state)
{
    (void)state;
    scene s;
    scene_lao_free(&s);
    scene_energy(&s, "double-basin.xml", "contact-energy=2, difference=6");
    for (int k = 0; k < 2; ++k) {
        int springs = 0, contacts = 0;
        const cardo_coarse_list *pairs = &s.energy->basin[k].pairs;
        for (int i = 0; i < pairs->npair; ++i) {
            const cardo_coarse_pair *pair = &pairs->pair[i];
            int apart = abs(s.energy->sites.residue[pair->site[0]] -
                            s.energy->sites.residue[pair->site[1]]);
            contacts += pair->shape == CARDO_PAIR_CONTACT;
            if (pair->shape != CARDO_PAIR_SPRING)
                continue;
            ++springs;
            assert_close(pair->energy, 2.0 * (apart == 1 ? 20000 : apart == 2 ? 700 : 140), 1e-9);
        }
        assert_int_equal(springs, 12); /* 1 + 2 + 3 for each strand */
        assert_true(contacts > 20);
    }
    scene_check_forces(&s, 10, 1e-6);
    scene_check_invariance(&s);
    scene_clear(&s);
}

static void test_forces(void **state)
{
    (void)state;
    scene s;
    scene_lao(&s);
    scene_energy(&s, "double-basin.xml", NULL);
    scene_check_forces(&s, 20, 1e-6);
    scene_check_invariance(&s);
    scene_clear(&s);
    scene_adenylate_kinase(&s);
    scene_energy(&s, "double-basin.xml", "contact-energy=3");
    scene_check_forces(&s, 20, 1e-6);
    scene_check_invariance(&s);
    scene_clear(&s);
}

/* Walks the paths in fine steps and finds wells and ridge by looking. */
static void check_wells(scene *s, double barrier, double difference)
{
    enum { N = 1200 };
    double U[N + 1], q[64];
    int well[2] = {0, N}, ridge;
    for (int i = 0; i <= N; ++i) {
        scene_path(s, -0.1 + 1.2 * i / N, q);
        U[i] = scene_evaluate(s, q, NULL);
    }
    for (int i = 0; i <= N; ++i) {
        int half = 2 * i > N;
        if (U[i] < U[well[half]])
            well[half] = i;
    }
    ridge = well[0];
    for (int i = well[0]; i <= well[1]; ++i)
        if (U[i] > U[ridge])
            ridge = i;
    assert_close(-0.1 + 1.2 * well[0] / N, 0, 0.02);
    assert_close(-0.1 + 1.2 * well[1] / N, 1, 0.02);
    assert_close(U[ridge] - U[well[0]], barrier, 2e-3 * barrier);
    assert_close(U[well[1]] - U[well[0]], difference, 0.02);
}

static void test_wells(void **state)
{
    (void)state;
    scene s;
    scene_lao(&s);
    scene_energy(&s, "double-basin.xml", NULL);
    check_wells(&s, 20, 0);
    scene_energy(&s, "double-basin.xml", "barrier=12, difference=5");
    check_wells(&s, 12, 5);
    scene_energy(&s, "double-basin.xml", "barrier = 60, difference = -25, mixing = 5");
    check_wells(&s, 60, -25);
    scene_clear(&s);
    scene_adenylate_kinase(&s);
    scene_energy(&s, "double-basin.xml", "barrier=40,difference=-3");
    check_wells(&s, 40, -3);
    scene_clear(&s);
}

/* The widest vectors that the processor has give the bits of the plain ones. */
static void check_widths(scene *s)
{
    cardo_error error;
    cardo_coarse_work wide, plain;
    double q[64];
    const int nsite = s->energy->sites.nsite;
    assert_ok(cardo_coarse_work_create(s->energy, &wide, &error), &error);
    assert_ok(cardo_coarse_work_create(s->energy, &plain, &error), &error);
    plain.rows = &cardo_coarse_rows_plain;
    for (int place = 0; place <= 10; ++place) {
        scene_path(s, 0.1 * place, q);
        double *x = calloc(3 * (size_t)cardo_system_nstation(s->system), sizeof *x);
        scene_place(s, q);
        assert_ok(cardo_station_positions(s->system, s->state, x, &error), &error);
        for (int i = 0; i < 3 * nsite; ++i) {
            double at = x[3 * s->energy->sites.atom[i / 3] + i % 3];
            wide.position[i % 3 * wide.stride + i / 3] = at;
            plain.position[i % 3 * plain.stride + i / 3] = at;
        }
        free(x);
        assert_ok(cardo_coarse_evaluate(s->energy, &wide, &error), &error);
        assert_ok(cardo_coarse_evaluate(s->energy, &plain, &error), &error);
        assert_memory_equal(&wide.energy, &plain.energy, sizeof wide.energy);
        for (int c = 0; c < 3; ++c)
            assert_memory_equal(wide.force + c * wide.stride, plain.force + c * plain.stride,
                                (size_t)nsite * sizeof *wide.force);
    }
    cardo_coarse_work_clear(&wide);
    cardo_coarse_work_clear(&plain);
}

static void test_widths(void **state)
{
    (void)state;
    scene s;
    scene_lao(&s);
    scene_energy(&s, "double-basin.xml", NULL);
    check_widths(&s);
    scene_energy(&s, "kim-hummer.xml", NULL);
    check_widths(&s);
    scene_clear(&s);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    scene s;
    cardo_error error;
    cardo_coarse_energy *energy;
    scene_lao(&s);
    const char *file = support_source("forcefields/double-basin.xml");
    assert_fails(cardo_coarse_energy_create(s.model, file, "barier=3", &energy, &error), &error,
                 CARDO_ERROR_INPUT, "barrier");
    assert_fails(cardo_coarse_energy_create(s.model, file, "barrier", &energy, &error), &error,
                 CARDO_ERROR_INPUT, "name=value");
    assert_fails(cardo_coarse_energy_create(s.model, file, "structures=open shut", &energy, &error),
                 &error, CARDO_ERROR_INPUT, "closed");
    assert_fails(
        cardo_coarse_energy_create(s.model, file, "barrier=1, mixing=200", &energy, &error), &error,
        CARDO_ERROR_INPUT, "mixing");
    assert_fails(cardo_coarse_energy_create(s.model, file, "heavy-cutoff=0.1", &energy, &error),
                 &error, CARDO_ERROR_INPUT, "heavy-cutoff");
    file = support_write("odd.xml", "<CoarseForceField kind=\"double-basim\"/>");
    assert_fails(cardo_coarse_energy_create(s.model, file, NULL, &energy, &error), &error,
                 CARDO_ERROR_INPUT, "double-basin");
    scene_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(test_plain_loops), shared_test(test_chain),  shared_test(test_forces),
        shared_test(test_wells),       shared_test(test_widths), shared_test(test_what_is_refused),
    };
    return support_run(tests, NULL, NULL);
}
