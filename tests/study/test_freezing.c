/* What it costs to hold torsions of a strand, against the energy where that leads: on the committed light chain, whose constant domain turns by three
 * degrees with its strand closed rigidly. */
#include "support/support.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/domains/freezing.h"
#include "study/session/course.h"
#include "topology/rotatable_bonds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 109, LAST = 113, PLACES = 2 };

static cardo_session *session;
static cardo_course course;

/* The committed structure with its second domain turned about an axis along z through an atom of the hinge, which its strand tears by less than
 * an angstrom. */
static const char *write_turned(const char *name)
{
    enum { MOST = 1 << 20 };
    char *text = calloc(MOST, 1), line[128];
    FILE *in = fopen(support_source("pdb/2mcg_1.pdb"), "r");
    const double angle = -3 * CARDO_DEGREE, about[2] = {58.310, -15.603};
    size_t used = 0;
    assert_non_null(text);
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, "ATOM", 4) == 0 && atoi(line + 22) > 111) {
            char rest[64];
            const double x = atof(line + 30) - about[0], y = atof(line + 38) - about[1];
            snprintf(rest, sizeof rest, "%s", line + 46);
            snprintf(line + 30, sizeof line - 30, "%8.3f%8.3f%s",
                     about[0] + cos(angle) * x - sin(angle) * y,
                     about[1] + sin(angle) * x + cos(angle) * y, rest);
        }
        used += (size_t)snprintf(text + used, MOST - used, "%s", line);
    }
    fclose(in);
    name = support_write(name, text);
    free(text);
    return name;
}

/* Minima at both ends of the way. */
static int open_model(void **unused)
{
    (void)unused;
    static char text[2048];
    static const char *const quick[] = {"forcefield.provider=rigid", "forcefield.precision=double",
                                        "forcefield.check-forces=no"};
    const cardo_session_options options = {.size = sizeof options, .nsetting = 3, .setting = quick};
    const cardo_course_options cooling = {.iterations = 1000, .tolerance = 1e-3, .cycles = 1};
    cardo_error error = {0};
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\">"
             "<structure id=\"first\" file=\"%s\"/><structure id=\"second\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-108\"/><domain name=\"constant\" "
             "residues=\"1:114-216\"/><hinge residues=\"1:109-113\"/>"
             "<body name=\"variable\" domains=\"variable\"/>"
             "<body name=\"constant\" domains=\"constant\" parent=\"variable\"><path/></body>"
             "<flexible residues=\"1:%d-%d\" torsions=\"phi psi chi\" closure=\"rigid\"/>"
             "<flexible residues=\"1:19\" torsions=\"chi\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"none\"/></model></cardo>",
             support_source("pdb/2mcg_1.pdb"), write_turned("turned.pdb"), FIRST, LAST);
    assert_ok(
        cardo_session_open(support_write("elbow.xml", text), &options, NULL, &session, &error),
        &error);
    assert_ok(cardo_session_cool_course(session, PLACES, &cooling, &course, &error), &error);
    assert_int_equal(course.reached, PLACES);
    assert_true(course.force < 1e-2);
    assert_int_equal(course.unrested, 0);
    return 0;
}

static int close_model(void **unused)
{
    (void)unused;
    cardo_course_clear(&course);
    cardo_session_close(session);
    return 0;
}

typedef struct masks {
    bool *giving, *turning;
    int nresidue;
} masks;

static bool is_numbered(int residue, int first, int last)
{
    const cardo_structure *s = session->model->structure[0].structure;
    const int number = s->residue_number[residue];
    return s->residue_chain[residue] == 0 && number >= first && number <= last;
}

static masks make_masks(void)
{
    masks m = {.nresidue = session->model->structure[0].structure->nresidue};
    cardo_error error = {0};
    assert_ok(CARDO_ALLOCATE(&m.giving, m.nresidue, &error), &error);
    assert_ok(CARDO_ALLOCATE(&m.turning, m.nresidue, &error), &error);
    for (int r = 0; r < m.nresidue; ++r) {
        m.giving[r] = is_numbered(r, FIRST, LAST);
        m.turning[r] = is_numbered(r, 19, 19);
    }
    return m;
}

static void free_masks(masks *m)
{
    cardo_free(m->giving);
    cardo_free(m->turning);
}

static cardo_freezing *find_freezing(void)
{
    cardo_freezing *freezing;
    cardo_error error = {0};
    assert_ok(cardo_freezing_create(session, PLACES, course.coordinates, &freezing, &error),
              &error);
    return freezing;
}

static cardo_frozen hold(const cardo_freezing *freezing, const double level[PLACES], double bound,
                         int most, masks *m)
{
    cardo_frozen frozen;
    cardo_error error = {0};
    const cardo_frozen_level bounded = {level, bound};
    assert_ok(
        cardo_freezing_choose(freezing, 1, &bounded, most, m->giving, m->turning, &frozen, &error),
        &error);
    return frozen;
}

static double energy_at(const double *q)
{
    double energy;
    cardo_error error = {0};
    cardo_state_set_q(session->state, q);
    assert_ok(cardo_evaluate(session->evaluator, session->state, &error), &error);
    assert_ok(cardo_evaluator_potential(session->evaluator, session->state, &energy, &error),
              &error);
    return energy;
}

/* Torsions of residues that are held stand at the same values at both places; returns how many. */
static int count_alike(const masks *m, const double *coordinates)
{
    const cardo_model *model = session->model;
    int n = 0;
    for (int b = 0; b < model->nbody; ++b) {
        cardo_body_info info;
        if (!model->body[b].torsion)
            continue;
        const int r = model->structure[0].structure->atom_residue[model->body[b].bond[1]];
        if (m->giving[r] || m->turning[r])
            continue;
        cardo_system_body(session->system, b + 1, &info);
        assert_close(remainder(coordinates[info.q_first] - coordinates[course.nq + info.q_first],
                               2 * CARDO_PI),
                     0, 1e-6);
        ++n;
    }
    return n;
}

/* The minima lie in one well each, so that nothing is lost on the way there and back. */
static void the_cycle_is_closed(void **unused)
{
    (void)unused;
    for (int way = 0; way < CARDO_COURSE_WAYS; ++way)
        assert_true(isfinite(course.half_energy[way][0]));
    assert_close(course.hysteresis, 0, 1e-4);
    assert_close(course.work, 0, 1e-2);
    assert_true(course.regained < 1e-4);
}

typedef struct looking {
    int seen, cycle;
} looking;

static cardo_status give_up_in_the_cycle(void *context, const cardo_course_stop *stop,
                                         cardo_error *error)
{
    looking *l = context;
    ++l->seen;
    l->cycle = stop->cycle;
    return stop->cycle == 1 && stop->place == 1
               ? CARDO_FAIL(error, CARDO_RECOVERABLE, "enough was seen")
               : CARDO_OK;
}

/* There and back come first; then the first cycle ends at its second place, and no other begins. */
static void who_looks_on_may_give_up(void **unused)
{
    (void)unused;
    looking l = {0};
    cardo_course given_up = {0};
    cardo_error error = {0};
    const cardo_course_options options = {.iterations = 1000,
                                          .tolerance = 1,
                                          .cycles = 3,
                                          .observe = give_up_in_the_cycle,
                                          .context = &l};
    assert_ok(cardo_session_cool_course(session, PLACES, &options, &given_up, &error), &error);
    assert_int_equal(l.seen, 3 * PLACES);
    assert_int_equal(l.cycle, 1);
    assert_string_equal(given_up.ended, "before q = 1: enough was seen");
    assert_false(given_up.interrupted);
    assert_true(isnan(given_up.work));
    cardo_course_clear(&given_up);
}

/* Heat goes on for more than the picosecond by which paths would leave their ends; cycles that follow begin at the first of these. */
static void cycles_begin_at_the_end_after_heat(void **unused)
{
    (void)unused;
    enum { STEPS_OF_8_FS = 150 };
    cardo_course heated = {0};
    cardo_error error = {0};
    const cardo_course_options options = {
        .iterations = 100, .tolerance = 1, .cycles = 1, .heat = STEPS_OF_8_FS};
    assert_ok(cardo_session_cool_course(session, PLACES, &options, &heated, &error), &error);
    assert_int_equal(heated.reached, PLACES);
    assert_true(isfinite(heated.work));
    for (int k = 0; k < PLACES; ++k)
        assert_true(isfinite(heated.begun_energy[k]));
    cardo_course_clear(&heated);
}

/* The parabola's rise against the energy itself, with all else where the parabola has its least. */
static void a_cost_is_what_the_energy_rises_by(void **unused)
{
    (void)unused;
    const double level[PLACES] = {0, 0};
    cardo_freezing *freezing = find_freezing();
    for (int most = 1; most <= 2; ++most) {
        masks m = make_masks();
        const cardo_frozen frozen = hold(freezing, level, 1e3, most, &m);
        assert_int_equal(frozen.n, most);
        assert_true(count_alike(&m, frozen.coordinates) > 0);
        for (int k = 0; k < PLACES; ++k) {
            const double rise = energy_at(frozen.coordinates + k * course.nq) - course.lower[k];
            print_message("%d held, place %d: %.5f of %.5f kJ/mol\n", most, k, frozen.cost[k],
                          rise);
            assert_close(frozen.cost[k], rise, 0.1 * rise + 1e-4);
        }
        cardo_free(frozen.coordinates);
        free_masks(&m);
    }
    cardo_freezing_destroy(freezing);
}

/* A closed strand needs six torsions to follow: they cannot be held, whatever it may cost. */
static void a_closed_strand_keeps_its_torsions(void **unused)
{
    (void)unused;
    const double level[PLACES] = {0, 0};
    cardo_freezing *freezing = find_freezing();
    const cardo_model *model = session->model;
    masks m = make_masks();
    const cardo_frozen frozen = hold(freezing, level, 1e3, m.nresidue, &m);
    int left = 0, first = -1, last = -1, giving = 0;
    for (int b = 0; b < model->nbody; ++b)
        if (model->body[b].torsion && model->body[b].torsion != CARDO_TURN_CHI)
            left += m.giving[model->structure[0].structure->atom_residue[model->body[b].bond[1]]];
    print_message("%d residues held, %d torsions of the backbone left\n", frozen.n, left);
    assert_true(left >= 6);
    /* From the ends of the strand on. */
    for (int r = 0; r < m.nresidue; ++r) {
        assert_false(m.turning[r]);
        first = first < 0 && m.giving[r] ? r : first;
        last = m.giving[r] ? r : last;
        giving += m.giving[r];
    }
    assert_int_equal(last - first + 1, giving);
    cardo_free(frozen.coordinates);
    free_masks(&m);
    cardo_freezing_destroy(freezing);
}

/* A level that is at its bound leaves nothing for what costs something at the place that is highest. */
static void no_more_than_the_bound(void **unused)
{
    (void)unused;
    const double level[PLACES] = {0, 50};
    cardo_freezing *freezing = find_freezing();
    for (double bound = 49; bound <= 51; bound += 1) {
        masks m = make_masks();
        const cardo_frozen frozen = hold(freezing, level, bound, m.nresidue, &m);
        assert_true(frozen.n == 0 || fabs(50 + frozen.cost[1] - frozen.cost[0]) <= bound);
        if (bound < 50)
            assert_int_equal(frozen.n, 0);
        cardo_free(frozen.coordinates);
        free_masks(&m);
    }
    cardo_freezing_destroy(freezing);
}

/* One torsion held where the first place has it: of stiffnesses K0 and K1, d apart, 1/2 K1 d^2, which by what the best value costs at both places is
 * (C0 + C1) (1 + C0/C1). */
static void where_the_first_place_has_it(void **unused)
{
    (void)unused;
    const double level[PLACES] = {0, 0};
    const cardo_frozen_level bounded = {level, 20};
    cardo_freezing *freezing = find_freezing();
    cardo_error error = {0};
    masks m = make_masks();
    double *share = calloc((size_t)m.nresidue, sizeof *share);
    memset(m.giving, 0, (size_t)m.nresidue * sizeof *m.giving);
    assert_ok(cardo_freezing_weigh(freezing, 1, &bounded, m.giving, m.turning, share, &error),
              &error);
    const cardo_frozen frozen = hold(freezing, level, 1e3, m.nresidue, &m);
    assert_int_equal(frozen.n, 1);
    for (int r = 0; r < m.nresidue; ++r) {
        const double best = frozen.cost[0] + frozen.cost[1];
        if (is_numbered(r, 19, 19))
            assert_close(20 * share[r], best * (1 + frozen.cost[0] / frozen.cost[1]), 1e-6 * best);
        else
            assert_true(isinf(share[r]));
    }
    cardo_free(frozen.coordinates);
    free(share);
    free_masks(&m);
    cardo_freezing_destroy(freezing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cycle_is_closed),
        cmocka_unit_test(who_looks_on_may_give_up),
        cmocka_unit_test(cycles_begin_at_the_end_after_heat),
        cmocka_unit_test(a_cost_is_what_the_energy_rises_by),
        cmocka_unit_test(a_closed_strand_keeps_its_torsions),
        cmocka_unit_test(no_more_than_the_bound),
        cmocka_unit_test(where_the_first_place_has_it),
    };
    return cmocka_run_group_tests(tests, open_model, close_model);
}
