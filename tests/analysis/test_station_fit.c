/* Fits recover the coordinates that positions were made from, and the two-body residual of real
 * pairs. */
#include "analysis/fit/station_fit.h"

#include "base/memory.h"
#include "base/units.h"
#include "model/model.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

typedef struct scene {
    cardo_model *model;
    cardo_system *system;
    cardo_state *state;
    int nq, nstation;
    double *q, *x;
    int *station;
} scene;

static scene open_scene(const char *text)
{
    scene s = {0};
    cardo_error error = {0};
    const char *path = support_write("fit.xml", text);
    assert_ok(cardo_model_read(path, 0, NULL, &s.model, &error), &error);
    assert_ok(cardo_model_compile(s.model, NULL, &s.system, &error), &error);
    assert_ok(cardo_state_create(s.system, &s.state, &error), &error);
    s.nq = cardo_system_nq(s.system);
    s.nstation = cardo_system_nstation(s.system);
    assert_ok(CARDO_ALLOCATE(&s.q, s.nq, &error), &error);
    assert_ok(CARDO_ALLOCATE(&s.x, 3 * s.nstation, &error), &error);
    assert_ok(CARDO_ALLOCATE(&s.station, s.nstation, &error), &error);
    cardo_model_initial_q(s.model, s.system, s.q);
    return s;
}

static void close_scene(scene *s)
{
    cardo_free(s->q);
    cardo_free(s->x);
    cardo_free(s->station);
    cardo_state_destroy(s->state);
    cardo_system_destroy(s->system);
    cardo_model_destroy(s->model);
}

/* Coordinates far from the start: torsions anywhere, the base turned and moved, paths within their
 * length. */
static void randomize(scene *s, uint64_t *seed, double torsions)
{
    cardo_error error = {0};
    cardo_model_initial_q(s->model, s->system, s->q);
    for (int b = 0; b < s->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(s->system, b + 1, &info);
        double size = s->model->body[b].torsion ? torsions : 1.0;
        for (int k = 0; k < info.nq; ++k)
            s->q[info.q_first + k] += size * support_random(seed);
    }
    cardo_state_set_q(s->state, s->q);
    memcpy(s->q, cardo_state_q(s->state), (size_t)s->nq * sizeof *s->q);
    assert_ok(cardo_realize(s->system, s->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(s->system, s->state, s->x, &error), &error);
}

/* Largest difference of coordinates; torsions count modulo a turn, quaternions without their sign. */
static double deviation(const scene *s)
{
    const double *q = cardo_state_q(s->state);
    double worst = 0;
    for (int b = 0; b < s->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(s->system, b + 1, &info);
        const double *a = q + info.q_first, *e = s->q + info.q_first;
        bool quaternion = info.mobilizer == &cardo_mobilizer_free;
        double sign = 1;
        if (quaternion && a[0] * e[0] + a[1] * e[1] + a[2] * e[2] + a[3] * e[3] < 0)
            sign = -1;
        for (int k = 0; k < info.nq; ++k) {
            double d = a[k] - (quaternion && k < 4 ? sign : 1) * e[k];
            if (s->model->body[b].torsion)
                d = remainder(d, 2 * CARDO_PI);
            worst = fmax(worst, fabs(d));
        }
    }
    return worst;
}

static void recovers(scene *s, double torsions, const char *what)
{
    cardo_error error = {0};
    uint64_t seed = 606;
    double worst = 0;
    int iterations = 0;
    for (int trial = 0; trial < 3; ++trial) {
        cardo_station_fit fit;
        randomize(s, &seed, torsions);
        int n = 0;
        for (int i = 0; i < s->nstation; ++i)
            s->station[n++] = i;
        cardo_station_targets targets = {n, s->station, s->x, NULL};
        double *start;
        assert_ok(CARDO_ALLOCATE(&start, s->nq, &error), &error);
        cardo_model_initial_q(s->model, s->system, start);
        cardo_state_set_q(s->state, start);
        cardo_free(start);
        assert_ok(cardo_station_fit_run(s->system, s->state, &targets, &fit, &error), &error);
        worst = fmax(worst, deviation(s));
        iterations += fit.iterations;
        assert_close(fit.rmsd, 0, 1e-11);
        assert_true(fit.converged);
    }
    print_message("%s: %d coordinates within %.1e, %d steps\n", what, s->nq, worst, iterations);
    assert_true(iterations < 3 * 150); /* a wrong J^T J would still get there, late */
    assert_close(worst, 0, 1e-10);
}

#define PAIR(first, second, bodies)                                                                \
    "<cardo version=\"1\"><model name=\"f\"><structure id=\"a\" file=\"" first "\"/>"              \
    "<structure id=\"b\" file=\"" second "\"/>" bodies "</model></cardo>"

static void random_coordinates_of_the_elbow(void **unused)
{
    (void)unused;
    static char text[2048];
    const char *joints[] = {"<path/>", "<free/>", "<strand/>", "<path interpolation=\"euler\"/>"};
    for (int k = 0; k < 4; ++k) {
        snprintf(text, sizeof text,
                 PAIR("%s", "%s",
                      "<domain name=\"V\" residues=\"2-108\"/><domain name=\"C\" "
                      "residues=\"114-216\"/><hinge residues=\"109-113\"/>"
                      "<body name=\"V\" domains=\"V\"/>"
                      "<body name=\"C\" domains=\"C\" parent=\"V\">%s</body>"
                      "<flexible residues=\"60-113\" torsions=\"chi\"/>"
                      "<flexible residues=\"109-113\" torsions=\"phi psi\"/>"),
                 support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"), joints[k]);
        scene s = open_scene(text);
        recovers(&s, 3.0, joints[k]);
        close_scene(&s);
    }
}

static void random_coordinates_of_a_chain(void **unused)
{
    (void)unused;
    static char text[2048];
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"f\"><structure id=\"a\" file=\"%s\"/>"
             "<domain name=\"d\" residues=\"A:1-76\"/><body name=\"all\" domains=\"d\"/>"
             "<flexible residues=\"A:1-76\" torsions=\"all\" rotors=\"yes\"/></model></cardo>",
             support_shared("reference/openmm/1ubi/1ubi.pdb"));
    scene s = open_scene(text);
    recovers(&s, 3.0, "1UBI, all torsions");
    close_scene(&s);
}

static void closed_lao(void **unused)
{
    (void)unused;
    static char text[2048];
    cardo_error error = {0};
    snprintf(text, sizeof text,
             PAIR("%s", "%s",
                  "<domain name=\"s\" residues=\"1-89,194-238\"/><domain name=\"m\" "
                  "residues=\"92-191\"/><hinge residues=\"90-91,192-193\"/>"
                  "<body name=\"s\" domains=\"s\"/>"
                  "<body name=\"m\" domains=\"m\" parent=\"s\"><path/></body>"),
             support_shared("pdb/2lao.pdb"), support_shared("pdb/1lst.pdb"));
    scene s = open_scene(text);
    const cardo_structure *a = s.model->structure[0].structure,
                          *b = s.model->structure[1].structure;
    int n = 0;
    for (int r = 0; r < a->nresidue; ++r) {
        bool in_domain = s.model->body[0].domain[r] || s.model->body[1].domain[r];
        int i = cardo_structure_find_atom(a, r, "CA");
        int j = cardo_structure_find_atom(b, s.model->structure[1].match[r], "CA");
        if (!in_domain)
            continue;
        s.station[n] = i;
        memcpy(s.x + 3 * n++, b->position + 3 * j, 3 * sizeof *s.x);
    }
    cardo_station_targets targets = {n, s.station, s.x, NULL};
    cardo_station_fit fit;
    cardo_state_set_q(s.state, s.q);
    assert_ok(cardo_station_fit_run(s.system, s.state, &targets, &fit, &error), &error);
    cardo_body_info info;
    cardo_system_body(s.system, 2, &info);
    print_message("1LST: q %.4f, residual %.4f A of %d C-alpha\n",
                  cardo_state_q(s.state)[info.q_first], 10 * fit.rmsd, n);
    assert_close(fit.rmsd, s.model->body[1].fit->rmsd_moved, 1e-6);
    assert_close(10 * fit.rmsd, 0.473, 0.005);
    assert_close(cardo_state_q(s.state)[info.q_first], 1, 1e-4);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_coordinates_of_the_elbow),
        shared_test(random_coordinates_of_a_chain),
        shared_test(closed_lao),
    };
    return support_run(tests, NULL, NULL);
}
