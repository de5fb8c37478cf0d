/* Constraints of model files: what every kind makes, where its points are, and what is said about mistakes. */
#include "cardo/manifold.h"
#include "model/constraints/kinds.h"
#include "model/model.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The elbow with a strand that turns; what stands in for %s begins at line 10. */
#define ELBOW                                                                                      \
    "<cardo version=\"1\">\n<model name=\"elbow\">\n<structure id=\"a\" file=\"%s\"/>\n"           \
    "<structure id=\"b\" file=\"%s\"/>\n<domain name=\"V\" residues=\"2-108\"/>\n"                 \
    "<domain name=\"C\" residues=\"114-216\"/><hinge residues=\"109-113\"/>\n"                     \
    "<body name=\"V\" domains=\"V\" base=\"welded\"/>\n"                                           \
    "<body name=\"C\" domains=\"C\" parent=\"V\"><path/></body>\n<!-- "                            \
    "-->\n%s\n</model>\n</cardo>\n"
#define LOOSE "<flexible residues=\"109-113\" torsions=\"phi psi\"/>"
#define RIGID "<flexible residues=\"109-113\" torsions=\"phi psi\" closure=\"rigid\"/>"
#define TURNING                                                                                    \
    "<flexible residues=\"109-113\" torsions=\"phi psi\" closure=\"rigid\" omega=\"free\"/>"
#define WITH(inner) LOOSE "<constraints>" inner "</constraints>"

typedef struct scene {
    cardo_model *model;
    cardo_system *system;
    cardo_state *state;
} scene;

static const char *elbow(const char *rest)
{
    static char text[8192];
    snprintf(text, sizeof text, ELBOW, support_source("pdb/2mcg_1.pdb"),
             support_source("pdb/2mcg_2.pdb"), rest);
    return support_write("constraints.xml", text);
}

static scene open_scene(const char *rest)
{
    cardo_error error = {0};
    scene s;
    assert_ok(cardo_model_read(elbow(rest), 0, NULL, &s.model, &error), &error);
    assert_ok(cardo_model_compile(s.model, NULL, &s.system, &error), &error);
    assert_ok(cardo_state_create(s.system, &s.state, &error), &error);
    assert_ok(cardo_realize(s.system, s.state, CARDO_STAGE_VELOCITY, &error), &error);
    return s;
}

static void close_scene(scene *s)
{
    cardo_state_destroy(s->state);
    cardo_system_destroy(s->system);
    cardo_model_destroy(s->model);
}

static void errors_of(const scene *s, double *errors)
{
    cardo_error error = {0};
    assert_ok(cardo_constraint_position_errors(s->system, s->state, errors, &error), &error);
}

/* Puts all torsions and the hinge somewhere else. */
static void go_elsewhere(scene *s)
{
    cardo_error error = {0};
    const int nq = cardo_system_nq(s->system);
    double q[64];
    assert_true(nq <= 64);
    for (int k = 0; k < nq; ++k)
        q[k] = 0.3 * sin(1.7 * k + 0.4);
    cardo_state_set_q(s->state, q);
    assert_ok(cardo_realize(s->system, s->state, CARDO_STAGE_VELOCITY, &error), &error);
}

/* Where atom number `name` of residue `number` is now. */
static cardo_vec3 atom_at(const scene *s, int number, const char *name)
{
    const cardo_structure *structure = s->model->structure[0].structure;
    cardo_error error = {0};
    cardo_vec3 there = {0, 0, 0};
    double *positions = calloc(3 * (size_t)structure->natom, sizeof *positions);
    assert_ok(cardo_station_positions(s->system, s->state, positions, &error), &error);
    for (int r = 0; r < structure->nresidue; ++r) {
        const int atom = structure->residue_number[r] == number
                             ? cardo_structure_find_atom(structure, r, name)
                             : -1;
        if (atom >= 0)
            there = v3_load(positions + 3 * atom);
    }
    free(positions);
    assert_true(v3_norm(there) > 0);
    return there;
}

static double distance(const scene *s, int a, const char *name_a, int b, const char *name_b)
{
    return v3_norm(v3_sub(atom_at(s, b, name_b), atom_at(s, a, name_a)));
}

/* What every kind is when nothing is said but what must be: it holds where the reference stands. */
static void every_kind_holds_where_the_reference_stands(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int position, velocity, acceleration;
    } kinds[] = {
        {"<rod point1=\"20@CA\" point2=\"150@CA\"/>", 1, 0, 0},
        {"<ball body1=\"V\" point2=\"114@CA\"/>", 3, 0, 0},
        {"<weld body1=\"V\" body2=\"C\"/>", 6, 0, 0},
        {"<point-on-plane body1=\"V\" normal1=\"0 0 1\" point2=\"150@CA\"/>", 1, 0, 0},
        {"<point-on-line body1=\"ground\" direction1=\"20@CA to 30@CA\" point2=\"150@CA\"/>", 2, 0,
         0},
        {"<constant-angle axis1=\"20@CA to 30@CA\" axis2=\"150@CA to 160@CA\"/>", 1, 0, 0},
        {"<constant-orientation body1=\"V\" body2=\"C\"/>", 3, 0, 0},
        {"<internal-coordinates atoms=\"20@CA 150@CA; 20@CA 150@CA 150@C; 20@N 20@CA 150@CA "
         "150@C\"/>",
         3, 0, 0},
        {"<joint mobilizer=\"pin\" body1=\"V\" body2=\"C\" axis1=\"1 0 0\"/>", 5, 0, 0},
        {"<joint mobilizer=\"slider\" body1=\"V\" body2=\"C\" axis1=\"1 0 0\"/>", 5, 0, 0},
        {"<joint mobilizer=\"screw\" body1=\"V\" body2=\"C\" axis2=\"1 0 0\" pitch=\"0.1\"/>", 5, 0,
         0},
        {"<joint mobilizer=\"universal\" body1=\"V\" body2=\"150@CA\"/>", 4, 0, 0},
        {"<coordinate-coupler coordinates=\"C\" coefficients=\"0.5\" equals=\"1:VAL109.phi\"/>", 1,
         0, 0},
        {"<coordinate-coupler coordinates=\"C,1:VAL109.phi\" function=\"terms\" coefficients=\"1 "
         "2\" "
         "exponents=\"1 0 0 2\"/>",
         1, 0, 0},
        {"<coordinate-coupler coordinates=\"C\" function=\"spline\" knots=\"-1 0 1\" "
         "values=\"-2 0 1\" equals=\"1:VAL109.phi\"/>",
         1, 0, 0},
        {"<prescribed-motion coordinate=\"C\" function=\"sinusoid\" coefficients=\"0.1 2 0\"/>", 1,
         0, 0},
        {"<speed-coupler speeds=\"C 1:VAL109.phi\" coefficients=\"1 -2\"/>", 0, 1, 0},
        {"<constant-speed speed=\"C\" value=\"0\"/>", 0, 1, 0},
        {"<constant-acceleration speed=\"C.1\" value=\"0.5\"/>", 0, 0, 1},
        {"<no-slip body0=\"V\" point0=\"109@CA\" direction0=\"1 0 0\" body1=\"V\" body2=\"C\"/>", 0,
         1, 0},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
        char text[1024];
        double errors[8] = {0}, largest = 0;
        cardo_constraint_info info;
        cardo_error error = {0};
        snprintf(text, sizeof text, LOOSE "<constraints>%s</constraints>", kinds[k].text);
        scene s = open_scene(text);
        assert_ok(cardo_system_constraint(s.system, 0, &info, &error), &error);
        assert_int_equal(info.nposition, kinds[k].position);
        assert_int_equal(info.nvelocity, kinds[k].velocity);
        assert_int_equal(info.nacceleration, kinds[k].acceleration);
        errors_of(&s, errors);
        for (int i = 0; i < info.nposition; ++i)
            largest = fmax(largest, fabs(errors[i]));
        if (largest > 1e-13)
            fail_msg("%s: off by %g where the reference stands", kinds[k].text, largest);
        close_scene(&s);
    }
}

/* One element, a row for each coordinate but the first, whose names have numbers. */
static void symmetric_ones_are_equal(void **unused)
{
    (void)unused;
    scene s =
        open_scene(WITH("<symmetric name=\"alike\" coordinates=\"C 1:VAL109.phi 1:VAL109.psi\"/>"));
    double errors[8] = {0};
    assert_int_equal(s.model->nconstraint, 2);
    assert_string_equal(s.model->constraint[0].name, "alike-1");
    assert_string_equal(s.model->constraint[1].name, "alike-2");
    go_elsewhere(&s);
    errors_of(&s, errors);
    const double *q = cardo_state_q(s.state);
    for (int k = 0; k < 2; ++k) {
        double value[2];
        for (int i = 0; i < 2; ++i) {
            cardo_body_info info;
            const cardo_coordinate_of c =
                s.model->constraint[k].parameters.coordinate_coupler.coordinates[i];
            cardo_system_body(s.system, c.body, &info);
            value[i] = q[info.q_first + c.coordinate];
        }
        assert_true(fabs(value[0] - value[1]) > 1e-3);
        assert_close(errors[k], value[0] - value[1], 1e-15);
    }
    close_scene(&s);
}

/* Rows are what they say, of the atoms that they name, away from the reference. */
static void rows_are_of_the_atoms_that_are_named(void **unused)
{
    (void)unused;
    scene s = open_scene(WITH(
        "<rod point1=\"20@CA\" point2=\"150@CA\" length=\"30 A\"/>"
        "<ball point1=\"114@N\" point2=\"20@CA\"/>"
        "<point-on-plane point1=\"20@CA\" normal1=\"0 0 2\" height=\"5 A\" point2=\"150@CA\"/>"
        "<constant-angle axis1=\"20@CA to 30@CA\" axis2=\"150@CA to 160@CA\" angle=\"60 deg\"/>"
        "<coordinate-coupler coordinates=\"C\" function=\"polynomial\" coefficients=\"2 1 0\" "
        "equals=\"1:VAL109.phi\"/>"
        "<internal-coordinates values=\"1 2\" atoms=\"150@CA 20@CA; 20@CA 150@CA 150@C\"/>"));
    double errors[9];
    go_elsewhere(&s);
    errors_of(&s, errors);
    assert_close(errors[0], distance(&s, 20, "CA", 150, "CA") - 3.0, 1e-12);
    const double gap = sqrt(errors[1] * errors[1] + errors[2] * errors[2] + errors[3] * errors[3]);
    assert_close(gap, distance(&s, 114, "N", 20, "CA"), 1e-12);
    assert_close(errors[4], atom_at(&s, 150, "CA").z - atom_at(&s, 20, "CA").z - 0.5, 1e-12);
    const cardo_vec3 a = v3_unit(v3_sub(atom_at(&s, 30, "CA"), atom_at(&s, 20, "CA")));
    const cardo_vec3 b = v3_unit(v3_sub(atom_at(&s, 160, "CA"), atom_at(&s, 150, "CA")));
    assert_close(errors[5], v3_dot(a, b) - 0.5, 1e-12);
    int hinge, torsion;
    cardo_error error = {0};
    assert_ok(cardo_find_coordinate(s.system, "C", 1, &hinge, &error), &error);
    assert_ok(cardo_find_coordinate(s.system, "1:VAL109.phi", 12, &torsion, &error), &error);
    const double *q = cardo_state_q(s.state);
    assert_close(errors[6], 2 * q[hinge] * q[hinge] + q[hinge] - q[torsion], 1e-14);
    assert_close(errors[7], distance(&s, 20, "CA", 150, "CA") - 1, 1e-12);
    const cardo_vec3 arm = v3_unit(v3_sub(atom_at(&s, 20, "CA"), atom_at(&s, 150, "CA")));
    const cardo_vec3 other = v3_unit(v3_sub(atom_at(&s, 150, "C"), atom_at(&s, 150, "CA")));
    assert_close(errors[8], acos(v3_dot(arm, other)) - 2, 1e-12);
    close_scene(&s);
}

static void some_are_off_at_the_start(void **unused)
{
    (void)unused;
    scene s = open_scene(WITH("<rod name=\"tie\" on=\"no\" point1=\"20@CA\" point2=\"150@CA\"/>"
                              "<ball body1=\"V\" point2=\"150@CA\"/>"));
    double errors[4];
    go_elsewhere(&s);
    assert_int_equal(cardo_system_find_constraint(s.system, "tie"), 0);
    assert_false(cardo_state_has_constraint(s.state, 0));
    assert_true(cardo_state_has_constraint(s.state, 1));
    errors_of(&s, errors);
    assert_true(errors[0] == 0 && errors[1] != 0);
    close_scene(&s);
}

/* Distances of all pairs of a peptide group's atoms, CA and C and O before the bond, N, the hydrogen and CA behind. */
enum { GROUP = 6 };
static void distances_of_group(const scene *s, double lengths[GROUP][GROUP])
{
    static const char *const names[GROUP] = {"CA", "C", "O", "N", "H", "CA"};
    const cardo_structure *structure = s->model->structure[0].structure;
    const int before = structure->residue_number[structure->atom_residue[s->model->cut[0].group.c]];
    for (int i = 0; i < GROUP; ++i)
        for (int j = 0; j < GROUP; ++j)
            lengths[i][j] = distance(s, before + (i > 2), names[i], before + (j > 2), names[j]);
}

static void assemble_at(scene *s, double hinge)
{
    cardo_error error = {0};
    double q[64];
    memcpy(q, cardo_state_q(s->state), (size_t)cardo_system_nq(s->system) * sizeof *q);
    q[0] = hinge;
    cardo_state_set_q(s->state, q);
    assert_ok(cardo_assemble_q(s->system, s->state, NULL, NULL, &error), &error);
    assert_ok(cardo_realize(s->system, s->state, CARDO_STAGE_DYNAMICS, &error), &error);
}

/* A strand that is closed rigidly is cut at a peptide bond, whose group keeps all its distances, or with omega free all that the
 * turning leaves. */
static void rigid_strands_stay_closed(void **unused)
{
    (void)unused;
    for (int turns = 0; turns < 2; ++turns) {
        scene s = open_scene(turns ? TURNING : RIGID);
        cardo_error error = {0};
        cardo_constraint_info info;
        double before[GROUP][GROUP], after[GROUP][GROUP];
        int rank, freedoms;
        assert_int_equal(s.model->nconstraint, 1);
        assert_int_equal(s.model->ncut, 1);
        assert_ok(cardo_system_constraint(s.system, 0, &info, &error), &error);
        assert_int_equal(info.nposition, 6 - turns);
        assert_int_equal(s.model->cut[0].line, 10);
        assert_true(s.model->cut[0].is_peptide);
        distances_of_group(&s, before);
        assemble_at(&s, 0.1);
        distances_of_group(&s, after);
        for (int i = 0; i < GROUP; ++i)
            for (int j = 0; j < i; ++j) {
                /* CA, O | H, CA */
                const bool is_across = (i == 4 || i == 5) && (j == 0 || j == 2);
                if (turns && is_across)
                    assert_true(fabs(after[i][j] - before[i][j]) > 1e-6);
                else
                    assert_close(after[i][j], before[i][j], 1e-11);
            }
        assert_ok(cardo_constraint_rank(s.system, s.state, &rank, NULL, &error), &error);
        assert_ok(cardo_degrees_of_freedom(s.system, s.state, &freedoms, &error), &error);
        assert_int_equal(rank, 6 - turns);
        assert_int_equal(freedoms, cardo_system_nu(s.system) - rank);
        close_scene(&s);
    }
}

/* The same strand closed by a weld of N's body to C's. */
static void weld_instead(cardo_model *model)
{
    cardo_model_constraint *c = &model->constraint[0];
    const cardo_internal_coordinates *group = &c->parameters.internal;
    const int body1 = group->body1, body2 = group->body2;
    const cardo_transform X = {m33_identity(), group->row[0].point[1]};
    c->kind = cardo_constraint_find("weld");
    c->parameters.weld = (cardo_welded_frames){body1, body2, X, X};
}

static void move_weld(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_welded_frames *p = &parameters->weld;
    p->frame1.p = v3_sub(p->frame1.p, origins[p->body1]);
    p->frame2.p = v3_sub(p->frame2.p, origins[p->body2]);
}

/* Six rows hold the whole pose, however they are written: what the group's rows allow a weld allows, and ln det of what constraints
 * add to the density differs by a constant, while with omega free it is another one. */
static void the_density_is_that_of_a_weld(void **unused)
{
    (void)unused;
    enum { PLACES = 6 };
    scene six = open_scene(RIGID), weld = {0};
    cardo_error error = {0};
    double difference = 0, low = HUGE_VAL, high = -HUGE_VAL;
    assert_ok(cardo_model_read(elbow(RIGID), 0, NULL, &weld.model, &error), &error);
    weld_instead(weld.model);
    weld.model->constraint[0].move = move_weld;
    assert_ok(cardo_model_compile(weld.model, NULL, &weld.system, &error), &error);
    assert_ok(cardo_state_create(weld.system, &weld.state, &error), &error);
    for (int k = 0; k < PLACES; ++k) {
        double errors[6], of_six, of_weld;
        assemble_at(&six, 0.1 * k);
        cardo_state_set_q(weld.state, cardo_state_q(six.state));
        assert_ok(cardo_realize(weld.system, weld.state, CARDO_STAGE_DYNAMICS, &error), &error);
        errors_of(&weld, errors);
        for (int i = 0; i < 6; ++i)
            assert_close(errors[i], 0, 1e-10);
        assert_ok(cardo_log_det_y(six.system, six.state, &of_six, &error), &error);
        assert_ok(cardo_log_det_y(weld.system, weld.state, &of_weld, &error), &error);
        if (k > 0)
            assert_close(of_six - of_weld, difference, 1e-8);
        difference = of_six - of_weld;
        low = fmin(low, of_six);
        high = fmax(high, of_six);
    }
    assert_true(high - low > 0.1 && fabs(difference) > 0.1);
    close_scene(&six);
    close_scene(&weld);
}

static void refuse(const char *rest, const char *message)
{
    cardo_error error = {0};
    cardo_model *model;
    cardo_system *system = NULL;
    cardo_status status = cardo_model_read(elbow(rest), 0, NULL, &model, &error);
    if (status == CARDO_OK) /* some is only seen by the engine */
        status = cardo_model_compile(model, NULL, &system, &error);
    assert_null(system);
    cardo_model_destroy(model);
    assert_fails(status, &error, status == CARDO_ERROR_UNSUPPORTED ? status : CARDO_ERROR_INPUT,
                 message);
    if (!strstr(error.message, "constraints.xml:1"))
        fail_msg("'%s' does not say where", error.message);
}

static void mistakes_are_named(void **unused)
{
    (void)unused;
    refuse(WITH("<rood/>"), "did you mean 'rod'");
    refuse(WITH("<rod lenght=\"1\"/>"), "did you mean 'length'");
    refuse(WITH("<rod/>"), "point1=\"\" or point2=\"\" is missing");
    refuse(WITH("<rod point1=\"20@CA\" point2=\"150@CA\" length=\"1 ps\"/>"), "unit");
    refuse(WITH("<rod point1=\"20@CA\" point2=\"150@CA\" length=\"-1\"/>"), "length -1");
    refuse(WITH("<rod point1=\"20@CA\" point2=\"21@CA\"/>"), "both ends are on 'V'");
    refuse(WITH("<rod point1=\"20@CA,150@CA\" point2=\"21@CA\"/>"), "body1=\"\" is missing");
    refuse(WITH("<rod point1=\"2000@CA\" point2=\"21@CA\"/>"), "no residue 2000");
    refuse(WITH("<ball body1=\"W\" point2=\"21@CA\"/>"), "did you mean 'V'");
    refuse(WITH("<ball body1=\"20@CA,150@CA\" point2=\"21@CA\"/>"), "not all in one body");
    refuse(WITH("<weld body1=\"V\" body2=\"C\" across1=\"1 0 0\"/>"), "without axis1");
    refuse(WITH("<weld body1=\"V\" body2=\"C\" axis1=\"1 0 0\" across1=\"2 0 0\"/>"), "no side");
    refuse(WITH("<weld body1=\"V\" body2=\"C\" axis1=\"0 0 0\"/>"), "no length");
    refuse(WITH("<weld body1=\"V\" body2=\"C\" axis1=\"1 0\"/>"), "no direction");
    refuse(WITH("<point-on-plane body1=\"V\" point2=\"150@CA\"/>"), "normal1");
    refuse(WITH("<internal-coordinates/>"), "atoms=\"\" is missing");
    refuse(WITH("<internal-coordinates atoms=\"20@CA\"/>"), "two to four atoms");
    refuse(WITH("<internal-coordinates atoms=\"20@CA 150@CA 21@CA 22@CA 23@CA\"/>"), "fifth");
    refuse(WITH("<internal-coordinates atoms=\"20@CA 150@CA; 110@CA 20@CA\"/>"), "neither");
    refuse(WITH("<internal-coordinates atoms=\"20@CA 150@CA\" values=\"1 2\"/>"),
           "2 numbers for 1");
    refuse(WITH("<constant-angle axis1=\"1 0 0\" axis2=\"150@CA to 160@CA\"/>"), "body1");
    refuse(WITH("<joint body1=\"V\" body2=\"C\" mobilizer=\"pen\"/>"), "no mobilizer");
    refuse(WITH("<joint body1=\"V\" body2=\"C\" mobilizer=\"path\"/>"), "in programs only");
    refuse(WITH("<joint body1=\"V\" body2=\"C\" mobilizer=\"ellipsoid\" radii=\"1 2\"/>"), "radii");
    refuse(WITH("<joint body1=\"V\" body2=\"C\" mobilizer=\"free\"/>"), "constrains nothing");
    refuse(WITH("<coordinate-coupler/>"), "names none");
    refuse(WITH("<coordinate-coupler coordinates=\"C.2\"/>"), "has 1 coordinate;");
    refuse(WITH("<coordinate-coupler coordinates=\"V\"/>"), "it has none");
    refuse(WITH("<coordinate-coupler coordinates=\"C\" coefficients=\"1 x\"/>"), "'x'");
    refuse(WITH("<coordinate-coupler coordinates=\"C\" coefficients=\"1 2 3\"/>"), "coefficients");
    refuse(WITH("<coordinate-coupler coordinates=\"C\" function=\"terms\" coefficients=\"1\"/>"),
           "exponents");
    refuse(WITH("<coordinate-coupler coordinates=\"C\" function=\"terms\" coefficients=\"1\" "
                "exponents=\"-1\"/>"),
           "whole number");
    refuse(WITH("<coordinate-coupler coordinates=\"C\" function=\"spline\" knots=\"0 1\"/>"),
           "knots");
    refuse(WITH("<symmetric coordinates=\"C\"/>"), "two or more");
    refuse(WITH("<symmetric coordinates=\"C C\"/>"), "'C' twice");
    refuse(WITH("<symmetric coordinates=\"C D\"/>"), "no body");
    refuse(WITH("<speed-coupler speeds=\"C\" coefficients=\"1 2\"/>"), "one for each");
    refuse(WITH("<constant-speed speed=\"c\"/>"), "did you mean");
    refuse(WITH("<no-slip body1=\"V\" body2=\"C\"/>"), "must be there");
    refuse(WITH("<rod name=\"x\" point1=\"20@CA\" point2=\"150@CA\"/>"
                "<rod name=\"x\" point1=\"20@CA\" point2=\"150@CA\"/>"),
           "there already");
    refuse(LOOSE "<constraints name=\"x\"/>", "no attribute");
    refuse(WITH("<rod point1=\"20@CA\" point2=\"150@CA\"><rod/></rod>"),
           "nothing can stand in <rod>");
}

/* Every kind of the engine can be written but the user's own, stiction, whose contacts a model file has not, and those of mechanisms in a plane. */
static void kinds_are_complete(void **unused)
{
    (void)unused;
    const cardo_constraint *const *all = cardo_constraint_list();
    for (int k = 0; all[k]; ++k)
        if (strcmp(cardo_constraint_name(all[k]), "callback") != 0 &&
            strcmp(cardo_constraint_name(all[k]), "stiction") != 0 &&
            strncmp(cardo_constraint_name(all[k]), "planar-", 7) != 0)
            assert_non_null(cardo_written_constraint_find(cardo_constraint_name(all[k])));
    assert_null(cardo_written_constraint_find("callback"));
    assert_null(cardo_written_constraint_find("stiction"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_holds_where_the_reference_stands),
        cmocka_unit_test(symmetric_ones_are_equal),
        cmocka_unit_test(rows_are_of_the_atoms_that_are_named),
        cmocka_unit_test(some_are_off_at_the_start),
        cmocka_unit_test(rigid_strands_stay_closed),
        cmocka_unit_test(the_density_is_that_of_a_weld),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(kinds_are_complete),
    };
    return support_run(tests, NULL, NULL);
}
