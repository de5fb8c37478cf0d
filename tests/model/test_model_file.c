/* Model files: what they make, and what is said about every mistake in one. */
#include "model/model.h"

#include "base/memory.h"
#include "base/units.h"
#include "model/constraints/kinds.h"
#include "model/file/schema.h"
#include "multibody/mobilizers/path.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The parts of a good model of 2MCG, to be replaced one by one. */
#define HEAD       "<?xml version=\"1.0\"?>\n<cardo version=\"1\">\n"
#define OPEN       "<structure id=\"open\" file=\"OPEN\"/>\n"
#define CLOSED     "<structure id=\"closed\" file=\"CLOSED\"/>\n"
#define STRUCTURES OPEN CLOSED
#define DOMAINS                                                                                    \
    "<domain name=\"V\" residues=\"2-108\"/>\n<domain name=\"C\" residues=\"114-216\"/>\n"
#define HINGE  "<hinge residues=\"109-113\"/>\n"
#define ROOT   "<body name=\"V\" domains=\"V\"/>\n"
#define MOBILE "<body name=\"C\" domains=\"C\" parent=\"V\"><path/></body>\n"
#define MODEL(structures, domains, hinge, bodies)                                                  \
    HEAD "<model name=\"mcg\">\n" structures domains hinge bodies "</model>\n</cardo>\n"
#define GOOD MODEL(STRUCTURES, DOMAINS, HINGE, ROOT MOBILE)

/* Text with OPEN and CLOSED replaced by the committed structures. */
static char *filled(const char *text)
{
    const char *names[] = {"OPEN", "CLOSED"}, *files[] = {"pdb/2mcg_1.pdb", "pdb/2mcg_2.pdb"};
    size_t size = strlen(text) + 8192;
    char *out = calloc(size, 1), *to = out;
    while (*text) {
        int k = 0;
        while (k < 2 && strncmp(text, names[k], strlen(names[k])) != 0)
            ++k;
        if (k < 2) {
            to += sprintf(to, "%s", support_source(files[k]));
            text += strlen(names[k]);
        } else
            *to++ = *text++;
    }
    return out;
}

static cardo_status read_text_with(const char *text, int noverride, const char *const *overrides,
                                   cardo_model **model, cardo_error *error)
{
    char *full = filled(text);
    const char *path = support_write("model.xml", full);
    free(full);
    *error = (cardo_error){0};
    return cardo_model_read(path, noverride, overrides, model, error);
}

static cardo_model *read_good(const char *text)
{
    cardo_error error;
    cardo_model *model;
    assert_ok(read_text_with(text, 0, NULL, &model, &error), &error);
    return model;
}

/* The text must be refused with words that hold both fragments. */
static void refuse(const char *text, const char *where, const char *words)
{
    cardo_error error;
    cardo_model *model = NULL;
    cardo_status status = read_text_with(text, 0, NULL, &model, &error);
    assert_null(model);
    assert_fails(status, &error, status == CARDO_ERROR_FILE ? CARDO_ERROR_FILE : CARDO_ERROR_INPUT,
                 words);
    if (!strstr(error.message, where))
        fail_msg("'%s' does not say '%s'", error.message, where);
}

static void a_model_has_bodies_paths_and_cuts(void **state)
{
    (void)state;
    cardo_model *model = read_good(GOOD);
    assert_string_equal(model->name, "mcg");
    assert_int_equal(model->nbody, 2);
    assert_int_equal(model->body[0].parent, -1);
    assert_int_equal(model->body[1].parent, 0);
    assert_ptr_equal(model->body[0].mobilizer, &cardo_mobilizer_free);
    assert_ptr_equal(model->body[1].mobilizer, &cardo_mobilizer_path);
    assert_int_equal(((const cardo_path *)model->body[1].parameters)->kind, CARDO_PATH_SCREW);
    assert_close(model->body[1].fit->angle / CARDO_DEGREE, 135.54, 0.2);
    assert_int_equal(model->ncut, 1);
    assert_false(model->has_forcefield);
    assert_int_equal(model->nstudy, 0);
    cardo_model_destroy(model);
}

/* A model begins at the coordinates of a file, in any order, but for a path that is told where; model.start is stronger. */
static void it_begins_where_a_file_says(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "<model name=\"mcg\" start=\"begin.csv\">\n" STRUCTURES DOMAINS HINGE ROOT
             "<body name=\"C\" domains=\"C\" parent=\"V\"><path extra=\"twist bend\"/></body>\n"
             "</model>\n</cardo>\n";
    static const char *const none[] = {"model.start=none"}, *const placed[] = {"path.start=0.5"};
    const char *const *const overrides[] = {NULL, none, placed};
    const double expected[][3] = {{0.25, 0.125, -0.5}, {0, 0, 0}, {0.5, 0.125, -0.5}};
    (void)support_write("begin.csv", "step,q C bend (rad),q C q,q C twist (rad)\n"
                                     "0,1,1,1\n1,-0.5,0.25,0.125\n");
    for (int k = 0; k < 3; ++k) {
        cardo_error error;
        cardo_model *model;
        cardo_system *system;
        cardo_body_info info;
        double q[16];
        assert_ok(read_text_with(text, k > 0, overrides[k], &model, &error), &error);
        assert_ok(cardo_model_compile(model, NULL, &system, &error), &error);
        cardo_system_body(system, 2, &info);
        cardo_model_initial_q(model, system, q);
        for (int j = 0; j < 3; ++j)
            assert_true(q[info.q_first + j] == expected[k][j]);
        /* The base is not in the file: it stays, and is told to be missing. */
        assert_true(q[0] == 1 && q[4] == 0);
        assert_int_equal(cardo_named_numbers_put(&model->start, system, q), 0);
        cardo_system_destroy(system);
        cardo_model_destroy(model);
    }
    (void)support_write("begin.csv", "coordinate,value\nC q\n");
    refuse(text, "model.xml:3: ", "begin.csv:2: 'C q' is not NAME,VALUE");
}

/* A light body stands where it did, with its centre of mass and axes of inertia. */
static void bodies_may_be_lighter_than_their_atoms(void **state)
{
    (void)state;
    const double factor = 0.0625;
    cardo_model *model[2];
    cardo_body_info info[2][2];
    cardo_system *system[2];
    model[0] = read_good(GOOD);
    model[1] = read_good(MODEL(STRUCTURES, DOMAINS, HINGE,
                               ROOT "<body name=\"C\" domains=\"C\" parent=\"V\" "
                                    "mass-factor=\"0.0625\"><path/></body>\n"));
    for (int k = 0; k < 2; ++k) {
        cardo_error error;
        assert_ok(cardo_model_compile(model[k], NULL, &system[k], &error), &error);
        for (int b = 0; b < 2; ++b)
            cardo_system_body(system[k], b + 1, &info[k][b]);
    }
    for (int b = 0; b < 2; ++b) {
        const double part = b == 0 ? 1 : factor;
        assert_true(info[1][b].mass.mass == part * info[0][b].mass.mass);
        for (int k = 0; k < 6; ++k)
            assert_true(info[1][b].mass.inertia[k] == part * info[0][b].mass.inertia[k]);
        assert_memory_equal(&info[1][b].X_PF, &info[0][b].X_PF, sizeof info[0][b].X_PF);
        assert_memory_equal(&info[1][b].X_BM, &info[0][b].X_BM, sizeof info[0][b].X_BM);
        assert_true(model[1]->body[b].mass == model[0]->body[b].mass);
    }
    for (int k = 0; k < 2; ++k) {
        cardo_system_destroy(system[k]);
        cardo_model_destroy(model[k]);
    }
}

static void annotations_come_from_files(void **state)
{
    (void)state;
    cardo_model *model =
        read_good(MODEL(STRUCTURES, "<annotation file=\"mcg.domains.xml\" chain=\"1\"/>\n", "",
                        "<body name=\"V\" domains=\"variable\" base=\"welded\"/>\n"
                        "<body name=\"C\" domains=\"constant\" parent=\"V\">"
                        "<path interpolation=\"euler\" start=\"0.125\"/></body>\n"));
    assert_ptr_equal(model->body[0].mobilizer, &cardo_mobilizer_weld);
    assert_string_equal(model->body[1].selection, "1:114-216");
    assert_close(model->body[1].start, 0.125, 0);

    cardo_error error = {0};
    cardo_system *system;
    double q = -1;
    assert_ok(cardo_model_compile(model, NULL, &system, &error), &error);
    assert_int_equal(cardo_system_nq(system), 1);
    cardo_model_initial_q(model, system, &q);
    assert_close(q, 0.125, 0);
    cardo_system_destroy(system);
    cardo_model_destroy(model);
}

static void lao_annotation_gives_the_published_hinge(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_model *model;
    char text[8192];
    snprintf(text, sizeof text,
             HEAD "<model><structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\" "
                  "chains=\"A\"/><annotation file=\"lao.domains.xml\"/>"
                  "<body name=\"s\" domains=\"stationary\"/>"
                  "<body name=\"m\" domains=\"mobile\" parent=\"s\"><path/></body></model></cardo>",
             support_shared("pdb/2lao.pdb"), support_shared("pdb/1lst.pdb"));
    assert_ok(read_text_with(text, 0, NULL, &model, &error), &error);
    assert_close(model->body[1].fit->angle / CARDO_DEGREE, 51.671, 0.001);
    assert_close(model->body[1].fit->translation, 0.0486, 0.0001);
    assert_int_equal(model->ncut, 2);
    cardo_model_destroy(model);
}

static void hinge_residues_ride_with_a_named_body(void **state)
{
    (void)state;
    cardo_model *model = read_good(
        MODEL(STRUCTURES, DOMAINS, "<hinge residues=\"109-113\" with=\"C\"/>\n", ROOT MOBILE));
    assert_int_equal(model->structure[0].structure->residue_number[model->cut[0].residue[1]], 109);
    cardo_model_destroy(model);
    model = read_good(
        MODEL(STRUCTURES, DOMAINS, "<hinge residues=\"109-113\" with=\"V\"/>\n", ROOT MOBILE));
    assert_int_equal(model->structure[0].structure->residue_number[model->cut[0].residue[0]], 113);
    cardo_model_destroy(model);
}

static void bodies_may_be_written_in_any_order(void **state)
{
    (void)state;
    cardo_model *model = read_good(MODEL(STRUCTURES, DOMAINS, HINGE, MOBILE ROOT));
    assert_string_equal(model->body[0].name, "V");
    assert_string_equal(model->body[1].name, "C");
    assert_int_equal(model->body[1].parent, 0);
    cardo_model_destroy(model);
}

/* Every atom of body b stands where the reference has it when all coordinates are at their start.
 */
static double misplacement(const cardo_model *model)
{
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    double q[64], *positions, worst = 0;
    const cardo_structure *r = model->structure[0].structure;
    assert_ok(cardo_model_compile(model, NULL, &system, &error), &error);
    assert_true(cardo_system_nq(system) <= 64);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    assert_ok(CARDO_ALLOCATE(&positions, 3 * r->natom, &error), &error);
    cardo_model_initial_q(model, system, q);
    cardo_state_set_q(state, q);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(system, state, positions, &error), &error);
    for (int i = 0; i < 3 * r->natom; ++i)
        worst = fmax(worst, fabs(positions[i] - r->position[i]));
    cardo_free(positions);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return worst;
}

/* Turns the pin and looks how far two atoms near its axis went. */
static void pins_turn_about_the_line_that_was_asked_for(void **state)
{
    (void)state;
    cardo_model *model = read_good(MODEL(OPEN, DOMAINS, HINGE,
                                         ROOT "<body name=\"C\" domains=\"C\" parent=\"V\">"
                                              "<pin point=\"108@C\" toward=\"114@N\"/></body>\n"));
    assert_ptr_equal(model->body[1].mobilizer, &cardo_mobilizer_pin);
    assert_close(misplacement(model), 0, 1e-12);
    const cardo_structure *r = model->structure[0].structure;
    int on_axis =
        cardo_structure_find_atom(r, cardo_structure_find_residue(r, "1", 114, '\0'), "N");
    int off_axis =
        cardo_structure_find_atom(r, cardo_structure_find_residue(r, "1", 150, '\0'), "CA");

    cardo_error error = {0};
    cardo_system *system;
    cardo_state *realized;
    double q[8] = {0}, *positions;
    assert_ok(cardo_model_compile(model, NULL, &system, &error), &error);
    assert_ok(cardo_state_create(system, &realized, &error), &error);
    assert_ok(CARDO_ALLOCATE(&positions, 3 * r->natom, &error), &error);
    cardo_model_initial_q(model, system, q);
    q[7] = 1.0;
    cardo_state_set_q(realized, q);
    assert_ok(cardo_realize(system, realized, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(system, realized, positions, &error), &error);
    cardo_vec3 a = v3_load(positions + 3 * on_axis), b = v3_load(r->position + 3 * on_axis);
    assert_close(v3_norm(v3_sub(a, b)), 0, 1e-12);
    a = v3_load(positions + 3 * off_axis), b = v3_load(r->position + 3 * off_axis);
    assert_true(v3_norm(v3_sub(a, b)) > 0.1);
    cardo_free(positions);
    cardo_state_destroy(realized);
    cardo_system_destroy(system);
    cardo_model_destroy(model);
}

static void other_joints_stand_at_the_reference(void **state)
{
    (void)state;
    const char *joints[] = {"<weld/>", "<free/>", "<slider axis=\"1 2 2\" point=\"0 0 0\"/>",
                            "<pin axis=\"0 0 1\" point=\"1:109@CA,1:113@CA\"/>"};
    const cardo_mobilizer *kinds[] = {&cardo_mobilizer_weld, &cardo_mobilizer_free,
                                      &cardo_mobilizer_slider, &cardo_mobilizer_pin};
    for (int k = 0; k < 4; ++k) {
        char text[2048];
        snprintf(text, sizeof text,
                 MODEL(OPEN, DOMAINS, HINGE,
                       ROOT "<body name=\"C\" domains=\"C\" parent=\"V\">%s</body>\n"),
                 joints[k]);
        cardo_model *model = read_good(text);
        assert_ptr_equal(model->body[1].mobilizer, kinds[k]);
        assert_close(misplacement(model), 0, 1e-12);
        cardo_model_destroy(model);
    }
}

static void overrides_replace_attributes(void **state)
{
    (void)state;
    cardo_error error;
    cardo_model *model;
    const char *text = HEAD "<model>" STRUCTURES DOMAINS HINGE ROOT MOBILE
                            "<forcefield system=\"System.xml\" platform=\"CPU\"/></model>"
                            "<simulate steps=\"10\" seed=\"3\"/></cardo>";
    char system[64] = "forcefield.system=";
    strncat(system, support_write("System.xml", "<System/>"), sizeof system - strlen(system) - 1);
    const char *set[] = {"model.base=welded",
                         "path.interpolation=euler",
                         "path.start=0.5",
                         "simulate.steps=20",
                         "forcefield.platform=Reference",
                         "forcefield.cutoff=12 A",
                         "minimize.tolerance=1",
                         system};
    assert_ok(read_text_with(text, 8, set, &model, &error), &error);
    assert_ptr_equal(model->body[0].mobilizer, &cardo_mobilizer_weld);
    assert_int_equal(((const cardo_path *)model->body[1].parameters)->kind, CARDO_PATH_EULER);
    assert_close(model->body[1].start, 0.5, 0);
    assert_string_equal(model->forcefield.platform, "Reference");
    assert_string_equal(model->forcefield.method, "all-pairs");
    assert_close(model->forcefield.cutoff, 1.2, 1e-15);
    assert_int_equal(model->nstudy, 2);
    assert_string_equal(model->study[0].verb, "simulate");
    assert_string_equal(model->study[0].option[0], "steps");
    assert_string_equal(model->study[0].value[0], "20");
    assert_string_equal(model->study[0].value[1], "3");
    assert_string_equal(model->study[1].verb, "minimize");
    assert_string_equal(model->study[1].value[0], "1");
    cardo_model_destroy(model);

    const char *wrong[] = {
        "steps=20", "simulat.steps=20", "forcefield.platfrm=CPU", "=", ".=", "a.=3"};
    const char *words[] = {"element.attribute=value", "did you mean 'simulate'",
                           "did you mean 'platform'", "element.attribute=value",
                           "element.attribute=value", "element.attribute=value"};
    for (int k = 0; k < 6; ++k)
        assert_fails(read_text_with(text, 1, &wrong[k], &model, &error), &error, CARDO_ERROR_USAGE,
                     words[k]);
}

/* CORE, LID and NMP of adenylate kinase: two paths on one parent, without hinge residues. */
static void trees_of_three_bodies(void **state)
{
    (void)state;
    cardo_error error;
    cardo_model *model;
    char text[8192];
    snprintf(
        text, sizeof text,
        HEAD
        "<model><structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\"/>"
        "<domain name=\"core\" residues=\"1-29,60-121,160-214\"/>"
        "<domain name=\"lid\" residues=\"122-159\"/><domain name=\"nmp\" residues=\"30-59\"/>"
        "<body name=\"core\" domains=\"core\"/>"
        "<body name=\"lid\" domains=\"lid\" parent=\"core\"><path/></body>"
        "<body name=\"nmp\" domains=\"nmp\" parent=\"core\"><path interpolation=\"euler\"/></body>"
        "</model></cardo>",
        support_shared("pdb/4ake_A_fixedH.pdb"), support_shared("pdb/1ake_A.pdb"));
    assert_ok(read_text_with(text, 0, NULL, &model, &error), &error);
    assert_int_equal(model->nbody, 3);
    assert_int_equal(model->ncut, 4);
    assert_close(model->body[1].fit->angle / CARDO_DEGREE, 52.161, 0.001);
    assert_close(model->body[2].fit->angle / CARDO_DEGREE, 44.821, 0.001);
    assert_close(misplacement(model), 0, 1e-12);
    double fractions[2] = {0, 1}, lengths[8];
    assert_ok(cardo_model_cut_lengths(model, 2, fractions, lengths, &error), &error);
    for (int c = 0; c < 4; ++c)
        assert_close(lengths[2 * c], 0.133, 0.01);
    cardo_model_destroy(model);
}

/* Three structures: the spline passes through each fit at q = 0, 1, 2. */
static void splines_pass_through_all_structures(void **state)
{
    (void)state;
    cardo_error error;
    cardo_model *model;
    char text[8192];
    const char *file = support_shared("pdb/adk_xray_ensemble_ca.pdb");
    snprintf(
        text, sizeof text,
        HEAD
        "<model><structure id=\"a\" file=\"%s\" model=\"13\"/><structure id=\"b\" file=\"%s\" "
        "model=\"14\"/><structure id=\"c\" file=\"%s\" model=\"1\"/>"
        "<domain name=\"core\" residues=\"1-29,60-121,160-214\"/>"
        "<domain name=\"lid\" residues=\"122-159\"/><domain name=\"nmp\" residues=\"30-59\"/>"
        "<body name=\"core\" domains=\"core nmp\" base=\"welded\"/>"
        "<body name=\"lid\" domains=\"lid\" parent=\"core\"><path structures=\"a b c\"/></body>"
        "</model></cardo>",
        file, file, file);
    assert_ok(read_text_with(text, 0, NULL, &model, &error), &error);
    const cardo_path *path = model->body[1].parameters;
    assert_int_equal(path->kind, CARDO_PATH_SPLINE);
    assert_int_equal(path->count, 3);
    cardo_system *system;
    cardo_state *realized;
    assert_ok(cardo_model_compile(model, NULL, &system, &error), &error);
    assert_ok(cardo_state_create(system, &realized, &error), &error);
    const cardo_structure *r = model->structure[0].structure;
    double *positions;
    assert_ok(CARDO_ALLOCATE(&positions, 3 * r->natom, &error), &error);
    for (int k = 0; k < 3; ++k) {
        double q = k;
        cardo_state_set_q(realized, &q);
        assert_ok(cardo_realize(system, realized, CARDO_STAGE_POSITION, &error), &error);
        assert_ok(cardo_station_positions(system, realized, positions, &error), &error);
        for (int i = 0; i < r->natom; ++i) {
            cardo_vec3 p = v3_load(r->position + 3 * i);
            cardo_vec3 wanted =
                model->atom_body[i] == 1 ? xform_point(model->body[1].fit->motion[k], p) : p;
            assert_close(v3_norm(v3_sub(v3_load(positions + 3 * i), wanted)), 0, 1e-10);
        }
    }
    cardo_free(positions);
    cardo_state_destroy(realized);
    cardo_system_destroy(system);
    cardo_model_destroy(model);
}

/* A model of the second structure whose path begins in the first: turned and shifted by as much as from the first to the third, and not as from
 * the second. It begins where its atoms are, which are at other coordinates than zero. */
static void a_path_may_begin_in_another_structure(void **state)
{
    (void)state;
    static const char *const begins[] = {
        "<path structures=\"a c\"/>", "<path structures=\"b c\"/>",
        "<path structures=\"b c\" from=\"a\" extra=\"twist slide\" at=\"0.1 -0.2 0.05\"/>"};
    const char *file = support_shared("pdb/adk_xray_ensemble_ca.pdb");
    double angle[3], translation[3];
    for (int k = 0; k < 3; ++k) {
        cardo_error error;
        cardo_model *model;
        char text[8192];
        snprintf(text, sizeof text,
                 HEAD
                 "<model><structure id=\"%s\" file=\"%s\" model=\"%d\"/><structure id=\"%s\" "
                 "file=\"%s\" model=\"%d\"/><structure id=\"c\" file=\"%s\" model=\"1\"/>"
                 "<domain name=\"core\" residues=\"1-29,60-121,160-214\"/>"
                 "<domain name=\"lid\" residues=\"122-159\"/>"
                 "<domain name=\"nmp\" residues=\"30-59\"/>"
                 "<body name=\"core\" domains=\"core nmp\" base=\"welded\"/>"
                 "<body name=\"lid\" domains=\"lid\" parent=\"core\">%s</body></model></cardo>",
                 k ? "b" : "a", file, k ? 7 : 13, k ? "a" : "b", file, k ? 13 : 7, file, begins[k]);
        assert_ok(read_text_with(text, 0, NULL, &model, &error), &error);
        angle[k] = model->body[1].fit->angle;
        translation[k] = model->body[1].fit->translation;
        assert_string_equal(model->structure[model->body[1].on_path[0]].id, k == 1 ? "b" : "a");
        assert_string_equal(model->structure[model->body[1].on_path[1]].id, "c");
        assert_close(misplacement(model), 0, 1e-12);
        cardo_model_destroy(model);
    }
    assert_close(angle[2], angle[0], 1e-9);
    assert_close(translation[2], translation[0], 1e-9);
    assert_true(fabs(angle[1] - angle[0]) > 0.01);
}

/* Two chains, each a tree of its own with a free root. */
static void several_chains_make_several_trees(void **state)
{
    (void)state;
    cardo_error error;
    cardo_model *model;
    char text[8192];
    snprintf(text, sizeof text,
             HEAD
             "<model><structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\"/>"
             "<domain name=\"coreA\" residues=\"1-121,160-214\" chain=\"A\"/>"
             "<domain name=\"lidA\" residues=\"A:122-159\"/>"
             "<domain name=\"coreB\" residues=\"B:1-121,B:160-214\"/>"
             "<domain name=\"lidB\" residues=\"122-159\" chain=\"B\"/>"
             "<body name=\"coreA\" domains=\"coreA\"/>"
             "<body name=\"lidA\" domains=\"lidA\" parent=\"coreA\"><path/></body>"
             "<body name=\"coreB\" domains=\"coreB\"/>"
             "<body name=\"lidB\" domains=\"lidB\" parent=\"coreB\"><path/></body>"
             "</model></cardo>",
             support_shared("pdb/4ake_scipion.cif"), support_shared("pdb/1ake_chimerax.cif"));
    assert_ok(read_text_with(text, 0, NULL, &model, &error), &error);
    assert_int_equal(model->ncut, 4);
    assert_true(model->body[1].fit->angle > 0.7 && model->body[3].fit->angle > 0.7);
    assert_close(misplacement(model), 0, 1e-12);
    cardo_system *system;
    assert_ok(cardo_model_compile(model, NULL, &system, &error), &error);
    assert_int_equal(cardo_system_nu(system), 14);
    cardo_system_destroy(system);
    cardo_model_destroy(model);
}

/* A hinge inside one domain's flanks counts for the path that it is said to be of. */
static void hinges_are_counted_for_the_path_they_are_of(void **state)
{
    (void)state;
    cardo_error error;
    cardo_model *model;
    for (int of = 0; of < 2; ++of) {
        char text[8192];
        snprintf(text, sizeof text,
                 HEAD
                 "<model><structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\"/>"
                 "<domain name=\"palm\" residues=\"86-170,179-252\"/>"
                 "<domain name=\"lyase\" residues=\"1-76\"/>"
                 "<domain name=\"fingers\" residues=\"255-324\"/>"
                 "<hinge residues=\"77-85\"/><hinge residues=\"171-178,253-254\" %s/>"
                 "<body name=\"palm\" domains=\"palm\"/>"
                 "<body name=\"lyase\" domains=\"lyase\" parent=\"palm\"><path/></body>"
                 "<body name=\"fingers\" domains=\"fingers\" parent=\"palm\"><path/></body>"
                 "</model></cardo>",
                 support_shared("pdb/1bpd_A_bb.pdb"), support_shared("pdb/2bpg_E_bb.pdb"),
                 of ? "of=\"fingers\"" : "");
        assert_ok(read_text_with(text, 0, NULL, &model, &error), &error);
        assert_int_equal(model->body[1].fit->nhinge, 9);
        assert_int_equal(model->body[2].fit->nhinge, of ? 10 : 2);
        assert_close(misplacement(model), 0, 1e-12);
        cardo_model_destroy(model);
    }
}

/* A path on a body that moves on a path: cut lengths are those of the compiled system. */
static void cut_lengths_are_those_of_the_system(void **state)
{
    (void)state;
    cardo_error error;
    cardo_model *model;
    char text[8192];
    snprintf(
        text, sizeof text,
        HEAD
        "<model><structure id=\"open\" file=\"%s\"/><structure id=\"closed\" file=\"%s\"/>"
        "<domain name=\"core\" residues=\"1-29,60-121,160-214\"/>"
        "<domain name=\"lid\" residues=\"122-159\"/><domain name=\"nmp\" residues=\"30-59\"/>"
        "<body name=\"core\" domains=\"core\" base=\"welded\"/>"
        "<body name=\"nmp\" domains=\"nmp\" parent=\"core\"><path/></body>"
        "<body name=\"lid\" domains=\"lid\" parent=\"nmp\"><path interpolation=\"euler\"/></body>"
        "</model></cardo>",
        support_shared("pdb/4ake_A_fixedH.pdb"), support_shared("pdb/1ake_A.pdb"));
    assert_ok(read_text_with(text, 0, NULL, &model, &error), &error);
    cardo_system *system;
    cardo_state *realized;
    double fractions[2] = {0.4, 1.0}, lengths[8], *positions;
    assert_int_equal(model->ncut, 4);
    assert_ok(cardo_model_cut_lengths(model, 2, fractions, lengths, &error), &error);
    assert_ok(cardo_model_compile(model, NULL, &system, &error), &error);
    assert_ok(cardo_state_create(system, &realized, &error), &error);
    assert_ok(CARDO_ALLOCATE(&positions, 3 * cardo_system_nstation(system), &error), &error);
    for (int f = 0; f < 2; ++f) {
        double q[2] = {fractions[f], fractions[f]};
        cardo_state_set_q(realized, q);
        assert_ok(cardo_realize(system, realized, CARDO_STAGE_POSITION, &error), &error);
        assert_ok(cardo_station_positions(system, realized, positions, &error), &error);
        for (int c = 0; c < 4; ++c) {
            const int *atom = model->cut[c].atom;
            double length =
                v3_norm(v3_sub(v3_load(positions + 3 * atom[0]), v3_load(positions + 3 * atom[1])));
            assert_close(lengths[2 * c + f], length, 1e-10);
        }
    }
    cardo_free(positions);
    cardo_state_destroy(realized);
    cardo_system_destroy(system);
    cardo_model_destroy(model);
}

static void mistakes_in_names_are_found(void **state)
{
    (void)state;
    refuse(MODEL("<structure id=\"open\" flie=\"OPEN\"/>", DOMAINS, HINGE, ROOT MOBILE),
           "model.xml:4:", "no attribute 'flie'; did you mean 'file'");
    refuse(MODEL("<structure file=\"OPEN\"/>", DOMAINS, HINGE, ROOT MOBILE),
           "model.xml:4:", "needs an attribute 'id'");
    refuse(MODEL("<struktur id=\"open\"/>", DOMAINS, HINGE, ROOT MOBILE),
           "model.xml:4:", "<struktur> cannot stand in <model>");
    refuse(MODEL(STRUCTURES, DOMAINS, HINGE,
                 ROOT "<body name=\"C\" domains=\"C\" parent=\"V\"><paht/></body>"),
           "model.xml:10:", "did you mean 'path'");
    refuse(HEAD "<model/><simulte/></cardo>", "model.xml:3:", "did you mean 'simulate'");
    refuse("<kardo version=\"1\"/>", "model.xml:1:", "root element is <kardo>");
    refuse("<cardo version=\"2\"/>", "model.xml:1:", "version=\"2\" of <cardo> must be one of 1");
    refuse(HEAD "<model/><model/></cardo>", "model.xml:2:", "several");
    refuse(HEAD "<model></cardo>", "model.xml:3:", "");
    refuse(HEAD, "model.xml:", "");
    refuse("", "model.xml", "");
    refuse(MODEL("stray words" STRUCTURES, DOMAINS, HINGE, ROOT MOBILE), "model.xml:", "text");
}

static void mistakes_in_structures_are_found(void **state)
{
    (void)state;
    refuse(MODEL("", DOMAINS, HINGE, ROOT MOBILE), "model.xml:3:", "no <structure>");
    refuse(MODEL("<structure id=\"open\" file=\"nowhere.pdb\"/>", DOMAINS, HINGE, ROOT),
           "model.xml:4:", "nowhere.pdb");
    refuse(MODEL(OPEN OPEN, DOMAINS, HINGE, ROOT MOBILE),
           "model.xml:5:", "'open' is there already");
    refuse(MODEL("<structure id=\"open\" file=\"OPEN\" chains=\"Q R\"/>", DOMAINS, HINGE, ROOT),
           "model.xml:4:", "the file has chains '1'");
    refuse(MODEL("<structure id=\"open\" file=\"OPEN\" model=\"7\"/>", DOMAINS, HINGE, ROOT),
           "model.xml:4:", "model 7");
    refuse(MODEL("<structure id=\"open\" file=\"OPEN\" model=\"two\"/>", DOMAINS, HINGE, ROOT),
           "model.xml:4:", "must be a whole number");
    refuse(MODEL("<structure id=\"open\" file=\"OPEN\" hetero=\"some\"/>", DOMAINS, HINGE, ROOT),
           "model.xml:4:", "must be one of drop|ligands|keep");
    refuse(MODEL("<structure id=\"o p\" file=\"OPEN\"/>", DOMAINS, HINGE, ROOT),
           "model.xml:4:", "name without blanks");
    const char *helix = support_write(
        "other.pdb",
        "ATOM      1  CA  TRP A   1       0.000   0.000   0.000  1.00  0.00           C\n"
        "ATOM      2  CA  TRP A   2       3.800   0.000   0.000  1.00  0.00           C\n"
        "ATOM      3  CA  TRP A   3       3.800   3.800   0.000  1.00  0.00           C\n"
        "ATOM      4  CA  TRP A   4       3.800   3.800   3.800  1.00  0.00           C\n");
    char text[4096];
    snprintf(text, sizeof text,
             MODEL(OPEN "<structure id=\"closed\" file=\"%s\"/>", DOMAINS, HINGE, ROOT MOBILE),
             helix);
    refuse(text, "model.xml:5:", "does not fit 'open'");
}

static void a_path_must_lead_somewhere(void **state)
{
    (void)state;
    refuse(MODEL(OPEN "<structure id=\"closed\" file=\"OPEN\"/>", DOMAINS, HINGE, ROOT MOBILE),
           "model.xml:9:", "leads nowhere");
}

/* Joints at the hinge: on the axis that the structures tell, about the hinge residues, along the
 * screw and off it. */
static void joints_are_placed_at_the_hinge(void **state)
{
    (void)state;
    cardo_model *path = read_good(GOOD);
    const cardo_path_fit *fit = path->body[1].fit;
    cardo_model *pin =
        read_good(MODEL(STRUCTURES, DOMAINS, HINGE,
                        ROOT "<body name=\"C\" domains=\"C\" parent=\"V\"><pin/></body>"));
    const cardo_model_body *body = &pin->body[1];
    assert_ptr_equal(body->mobilizer, &cardo_mobilizer_pin);
    assert_close(v3_dot(m33_column(body->X_GF.R, 2), fit->axis), 1, 1e-12);
    cardo_vec3 off = v3_sub(body->X_GF.p, fit->point);
    assert_close(v3_norm(v3_cross(off, fit->axis)), 0, 1e-9);
    cardo_model_destroy(pin);

    cardo_model *ball = read_good(MODEL(
        OPEN, DOMAINS, HINGE, ROOT "<body name=\"C\" domains=\"C\" parent=\"V\"><ball/></body>"));
    assert_close(v3_norm(v3_sub(ball->body[1].X_GF.p, fit->hinge)), 0, 1e-12);
    cardo_model_destroy(ball);
    cardo_model_destroy(path);
}

#define PATH_OF(attributes)                                                                        \
    MODEL(STRUCTURES, DOMAINS, HINGE,                                                              \
          ROOT "<body name=\"C\" domains=\"C\" parent=\"V\"><path " attributes "/></body>")

/* With extra angles at zero the atoms are where the plain path has them; an extra angle turns the
 * domain about one point, across the axis. */
static void check_extra_angles(const char *plain, const char *more)
{
    cardo_error error = {0};
    cardo_model *models[2] = {read_good(plain), read_good(more)};
    int natom = models[0]->structure[0].structure->natom;
    double *x[2], q[32];
    cardo_system *system[2];
    cardo_state *states[2];
    for (int k = 0; k < 2; ++k) {
        cardo_body_info info;
        assert_ok(CARDO_ALLOCATE(&x[k], 3 * natom, &error), &error);
        assert_ok(cardo_model_compile(models[k], NULL, &system[k], &error), &error);
        assert_ok(cardo_state_create(system[k], &states[k], &error), &error);
        cardo_system_body(system[k], 2, &info);
        assert_int_equal(info.nq, k ? 3 : 1);
        cardo_model_initial_q(models[k], system[k], q);
        q[info.q_first] = 0.37;
        cardo_state_set_q(states[k], q);
        assert_ok(cardo_realize(system[k], states[k], CARDO_STAGE_POSITION, &error), &error);
        assert_ok(cardo_station_positions(system[k], states[k], x[k], &error), &error);
    }
    for (int i = 0; i < 3 * natom; ++i)
        assert_close(x[1][i], x[0][i], 1e-11);
    cardo_transform before = cardo_state_X_FM(states[1])[2];
    q[cardo_system_nq(system[1]) - 1] = 0.2;
    cardo_state_set_q(states[1], q);
    assert_ok(cardo_realize(system[1], states[1], CARDO_STAGE_POSITION, &error), &error);
    cardo_transform after = cardo_state_X_FM(states[1])[2];
    assert_close(v3_norm(v3_sub(after.p, before.p)), 0, 1e-12);
    cardo_mat33 turned = m33_mul(m33_transpose(before.R), after.R);
    assert_close(turned.m[0][0] + turned.m[1][1] + turned.m[2][2], 1 + 2 * cos(0.2), 1e-12);
    assert_close(v3_norm(v3_sub(m33_mul_v3(turned, models[1]->body[1].fit->axis),
                                models[1]->body[1].fit->axis)),
                 2 * sin(0.1), 1e-12);
    for (int k = 0; k < 2; ++k) {
        cardo_free(x[k]);
        cardo_state_destroy(states[k]);
        cardo_system_destroy(system[k]);
        cardo_model_destroy(models[k]);
    }
}

static void extra_angles_go_beside_a_path(void **state)
{
    (void)state;
    check_extra_angles(PATH_OF("interpolation=\"screw\""),
                       PATH_OF("interpolation=\"screw\" extra=\"twist bend\""));
    check_extra_angles(PATH_OF("interpolation=\"euler\""),
                       PATH_OF("interpolation=\"euler\" extra=\"twist bend\""));
    check_extra_angles(PATH_OF("interpolation=\"spline\""),
                       PATH_OF("interpolation=\"spline\" extra=\"bend, twist\""));
    refuse(PATH_OF("extra=\"swing\""), "extra=", "\"twist\", \"bend\"");
    refuse(PATH_OF("extra=\"bend bend\""), "extra=", "\"twist\", \"bend\"");
    refuse(
        MODEL(OPEN, DOMAINS, "", ROOT "<body name=\"C\" domains=\"C\" parent=\"V\"><ball/></body>"),
        "point=", "ball");
    refuse(MODEL(OPEN, DOMAINS, HINGE,
                 ROOT "<body name=\"C\" domains=\"C\" parent=\"V\"><pin/></body>"),
           "two structures", "path");
}

/* The ligand, lysine 240, and the waters go with one of the bodies near them. dropped: atoms that are
 * left out. */
static void ligands_ride(const cardo_model *model, int dropped)
{
    const cardo_structure *s = model->structure[0].structure;
    int ligand = cardo_structure_find_residue(s, "*", 240, '\0'), riding = 0;
    assert_true(ligand >= 0);
    for (int b = 0; b < model->nbody; ++b)
        riding += model->body[b].residue[ligand];
    assert_int_equal(riding, 1);
    assert_int_equal(model->structure[0].ndropped_hetero, dropped);
    assert_int_equal(model->body[0].natom + model->body[1].natom, s->natom);
}

static void hetero_residues_are_dropped_unless_kept(void **state)
{
    (void)state;
    cardo_error error;
    cardo_model *model;
    char text[4096];
    static const char *const choices[] = {"drop", "ligands", "keep"};
    for (int keep = 0; keep < 3; ++keep) {
        snprintf(text, sizeof text,
                 HEAD "<model><structure id=\"open\" file=\"%s\" hetero=\"%s\"/>"
                      "<domain name=\"V\" residues=\"A:1-100\"/>"
                      "<domain name=\"C\" residues=\"A:101-238\"/>" ROOT
                      "<body name=\"C\" domains=\"C\" parent=\"V\"><weld/></body></model></cardo>",
                 support_shared("pdb/1lst.pdb"), choices[keep]);
        assert_ok(read_text_with(text, 0, NULL, &model, &error), &error);
        if (keep) {
            /* lysine has 10 heavy atoms, the other 199 are of waters */
            ligands_ride(model, keep == 1 ? 199 : 0);
            cardo_model_destroy(model);
            continue;
        }
        assert_int_equal(model->structure[0].structure->nresidue, 238);
        assert_int_equal(model->structure[0].ndropped_hetero, 209);
        cardo_model_destroy(model);
    }
}

static void structures_are_found_in_the_pdb_folder(void **state)
{
    (void)state;
    setenv("CARDO_PDB_DIR", support_shared("pdb"), 1);
    cardo_model *model = read_good(
        MODEL("<structure id=\"open\" file=\"2mcg.pdb\" chains=\"1\"/><structure id=\"closed\" "
              "file=\"2mcg.pdb\" chains=\"2\"/>",
              "<domain name=\"V\" residues=\"1-108\"/><domain name=\"C\" residues=\"114-216\"/>",
              HINGE, ROOT MOBILE));
    assert_close(model->body[1].fit->angle / CARDO_DEGREE, 135.542, 0.001);
    cardo_model_destroy(model);
    unsetenv("CARDO_PDB_DIR");
    refuse(MODEL("<structure id=\"open\" file=\"2mcg.pdb\"/>", DOMAINS, HINGE, ROOT),
           "model.xml:4:", "set CARDO_PDB_DIR");
}

static void coordinates_must_be_numbers(void **state)
{
    (void)state;
    support_write(
        "nan.pdb",
        "ATOM      1  CA  ALA A   1       0.000   0.000     nan  1.00  0.00           C\n");
    refuse(MODEL("<structure id=\"open\" file=\"nan.pdb\"/>", DOMAINS, HINGE, ROOT),
           "model.xml:4:", "nan.pdb:1:");
}

static void mistakes_in_domains_are_found(void **state)
{
    (void)state;
#define DOMAIN(name, residues) "<domain name=\"" name "\" residues=\"" residues "\"/>\n"
    refuse(MODEL(STRUCTURES, DOMAIN("V", "2-110") DOMAIN("C", "108-216"), "", ROOT MOBILE),
           "model.xml:7:", "domain C overlaps domain V");
    refuse(MODEL(STRUCTURES, DOMAIN("V", "2-110") DOMAIN("C", "108-216"), "", ROOT MOBILE),
           "model.xml:6", "108-110");
    refuse(MODEL(STRUCTURES, DOMAIN("V", "") DOMAIN("C", "108-216"), "", ROOT MOBILE),
           "model.xml:6:", "domain V");
    refuse(MODEL(STRUCTURES, DOMAIN("V", "2-110") DOMAIN("C", "111-999"), "", ROOT MOBILE),
           "model.xml:7:", "999");
    refuse(MODEL(STRUCTURES, DOMAIN("V", "2-110") DOMAIN("V", "111-216"), "", ROOT MOBILE),
           "model.xml:7:", "'V' is there already");
    refuse(MODEL(STRUCTURES, DOMAIN("V", "2-110") DOMAIN("C", "Z:111-216"), "", ROOT MOBILE),
           "model.xml:7:", "");
    refuse(MODEL(STRUCTURES, DOMAINS, "", ROOT MOBILE), "model.xml:3:", "109-113");
    refuse(MODEL(STRUCTURES, DOMAINS, "<hinge residues=\"109-113,300\"/>", ROOT MOBILE),
           "model.xml:8:", "300");
    refuse(MODEL(STRUCTURES, DOMAINS, "<hinge residues=\"107-113\"/>", ROOT MOBILE),
           "model.xml:8:", "overlaps domain V");
    refuse(MODEL(STRUCTURES, DOMAINS, HINGE "<hinge residues=\"113\"/>", ROOT MOBILE),
           "model.xml:9:", "another hinge");
    refuse(MODEL(STRUCTURES, DOMAINS, "<hinge residues=\"109-113\" with=\"W\"/>", ROOT MOBILE),
           "model.xml:8:", "with=\"W\"");
    refuse(MODEL(STRUCTURES, DOMAINS, "<hinge residues=\"109-113\" of=\"W\"/>", ROOT MOBILE),
           "model.xml:8:", "of=\"W\"");
    refuse(MODEL(STRUCTURES, DOMAINS DOMAIN("X", "109-113"), "", ROOT MOBILE),
           "model.xml:3:", "belong to no body");
    refuse(MODEL(STRUCTURES, "<annotation file=\"gone.xml\"/>", HINGE, ROOT MOBILE),
           "model.xml:6:", "gone.xml");
    support_write("bad.domains.xml", "<annotation><domain name=\"V\"/></annotation>");
    refuse(MODEL(STRUCTURES, "<annotation file=\"bad.domains.xml\"/>", HINGE, ROOT MOBILE),
           "bad.domains.xml:1:", "needs an attribute 'residues'");
    refuse(MODEL(STRUCTURES, "<annotation file=\"model.xml\"/>", HINGE, ROOT MOBILE),
           "model.xml:2:", "root element is <cardo>");
}

static void mistakes_in_bodies_are_found(void **state)
{
    (void)state;
#define BODY(name, rest, inside)                                                                   \
    "<body name=\"" name "\" domains=\"" name "\" " rest ">" inside "</body>\n"
#define TRY(bodies) MODEL(STRUCTURES, DOMAINS, HINGE, bodies)
    refuse(TRY(""), "model.xml:3:", "no <body>");
    refuse(TRY(ROOT BODY("C", "parent=\"U\"", "<path/>")), "model.xml:10:", "'U' is no body");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "")), "model.xml:10:", "needs the joint");
    refuse(TRY(ROOT BODY("C", "", "<path/>")), "model.xml:10:", "no parent");
    refuse(TRY(ROOT BODY("C", "parent=\"V\" base=\"free\"", "<path/>")),
           "model.xml:10:", "leave it out");
    refuse(TRY(BODY("V", "base=\"glued\"", "") MOBILE),
           "model.xml:9:", "must be one of free|welded");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path/><weld/>")),
           "model.xml:10:", "a joint already");
    refuse(TRY(BODY("V", "mass-factor=\"0\"", "") MOBILE), "model.xml:9:", "a number above 0");
    refuse(TRY(BODY("V", "mass-factor=\"light\"", "") MOBILE), "model.xml:9:", "a number");
    refuse(TRY(ROOT ROOT MOBILE), "model.xml:10:", "'V' is there already");
    refuse(TRY(BODY("V", "parent=\"C\"", "<weld/>") MOBILE), "model.xml:9:", "its own ancestor");
    refuse(TRY(ROOT "<body name=\"C\" domains=\"D\" parent=\"V\"><path/></body>"),
           "model.xml:10:", "'D' is no domain");
    refuse(TRY(ROOT "<body name=\"C\" domains=\"V\" parent=\"V\"><path/></body>"),
           "model.xml:10:", "belongs to one body");
    refuse(TRY(ROOT "<body name=\"C\" domains=\" \" parent=\"V\"><path/></body>"),
           "model.xml:10:", "has no domain");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path structures=\"open shut\"/>")),
           "model.xml:10:", "'shut'");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path structures=\"open open\"/>")),
           "model.xml:10:", "twice");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path structures=\"open\"/>")),
           "model.xml:10:", "two structures");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path structures=\"closed open\"/>")),
           "model.xml:10:", "put that one first");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path at=\"0 1\"/>")), "model.xml:10:", "1 in all");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path extra=\"twist\" at=\"0 far\"/>")),
           "model.xml:10:", "2 in all");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path from=\"shut\"/>")),
           "model.xml:10:", "from=\"shut\" is no <structure>");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path interpolation=\"linear\"/>")),
           "model.xml:10:", "must be one of screw|euler|spline");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<path start=\"half\"/>")),
           "model.xml:10:", "must be a number");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<pin axis=\"0 0 1\"/>")),
           "model.xml:10:", "needs point");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<pin point=\"0 0 0\"/>")),
           "model.xml:10:", "needs either axis");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<pin axis=\"0 0 0\" point=\"0 0 0\"/>")),
           "model.xml:10:", "no length");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<pin axis=\"0 1\" point=\"0 0 0\"/>")),
           "model.xml:10:", "three numbers");
    refuse(TRY(ROOT BODY("C", "parent=\"V\"", "<pin axis=\"0 0 1\" point=\"900@CA\"/>")),
           "model.xml:10:", "900");
}

static void mistakes_in_force_fields_are_found(void **state)
{
    (void)state;
#define FIELD(attributes)                                                                          \
    HEAD "<model>" STRUCTURES DOMAINS HINGE ROOT MOBILE "<forcefield " attributes                  \
         "/></model></cardo>"
    refuse(FIELD(""), "model.xml:", "files");
    refuse(FIELD("files=\"a.xml\" system=\"b.xml\""), "model.xml:", "");
    refuse(FIELD("files=\"no-such-file.xml\""), "model.xml:10:", "no-such-file.xml");
    refuse(FIELD("system=\"model.xml\" solvent=\"honey\""), "model.xml:10:", "honey");
    refuse(FIELD("system=\"model.xml\" method=\"magic\""), "model.xml:10:", "magic");
    refuse(FIELD("system=\"model.xml\" cutoff=\"-1\""), "model.xml:10:", "cutoff");
    refuse(FIELD("system=\"model.xml\" threads=\"x\""), "model.xml:10:", "threads");
    refuse(FIELD("system=\"model.xml\" gpu=\"1\""), "model.xml:10:", "no attribute 'gpu'");
}

/* Bodies that have no inertia about some line are refused when they are compiled. */
static void bodies_without_inertia_are_refused(void **state)
{
    (void)state;
    char text[4096];
    cardo_error error = {0};
    cardo_model *model;
    cardo_system *system = NULL;
    support_write(
        "line.pdb",
        "ATOM      1  CA  ALA A   1       0.000   0.000   0.000  1.00  0.00           C\n"
        "ATOM      2  CA  ALA A   2       3.800   0.000   0.000  1.00  0.00           C\n"
        "ATOM      3  CA  ALA A   3       3.800   3.800   0.000  1.00  0.00           C\n"
        "ATOM      4  CA  ALA A   4       3.800   3.800   3.800  1.00  0.00           C\n"
        "ATOM      5  CA  ALA A   5       3.800   3.800   7.600  1.00  0.00           C\n");
    snprintf(text, sizeof text,
             MODEL("<structure id=\"open\" file=\"line.pdb\"/>",
                   DOMAIN("V", "1-3") DOMAIN("C", "4-5"), "",
                   ROOT BODY("C", "parent=\"V\"", "<pin axis=\"0 0 1\" point=\"3\"/>")));
    model = read_good(text);
    assert_fails(cardo_model_compile(model, NULL, &system, &error), &error, CARDO_ERROR_INPUT,
                 "A:ALA4");
    assert_non_null(strstr(error.message, "model.xml:7:"));
    assert_null(system);
    double masses[5] = {12, 12, 12, -1, 12};
    assert_fails(cardo_model_compile(model, masses, &system, &error), &error, CARDO_ERROR_INPUT,
                 "mass -1");
    cardo_model_destroy(model);
}

/* Model files damaged at random are read or refused with words, and nothing else happens. */
static void damaged_files_do_no_harm(void **state)
{
    (void)state;
    const char *bits[] = {"\"", "<",     "/>",   "&", "-",    "\xff", "",
                          "0",  "<body", "&#0;", ":", "name", "]]>"};
    uint64_t seed = 5;
    char *good = filled(GOOD);
    size_t length = strlen(good);
    for (int trial = 0; trial < 150; ++trial) {
        char *text = calloc(length + 128, 1);
        memcpy(text, good, length + 1);
        for (int hit = 0; hit <= trial % 3; ++hit) {
            size_t n = strlen(text);
            size_t at = (size_t)(fabs(support_random(&seed)) * (double)n);
            size_t cut = (size_t)(fabs(support_random(&seed)) * 12.0);
            const char *bit = bits[(size_t)(fabs(support_random(&seed)) * 13.0) % 13];
            if (at + cut > n)
                cut = n - at;
            memmove(text + at + strlen(bit), text + at + cut, n - at - cut + 1);
            memcpy(text + at, bit, strlen(bit));
        }
        cardo_error error = {0};
        cardo_model *model = NULL;
        cardo_status status =
            cardo_model_read(support_write("model.xml", text), 0, NULL, &model, &error);
        assert_true((status == CARDO_OK) == (model != NULL));
        assert_true(status == CARDO_OK || error.message[0] != '\0');
        cardo_model_destroy(model);
        free(text);
    }
    free(good);
}

/* What the rules for names allow, the schema must know as well, and the other way round. */
static void rules_and_schema_know_the_same_names(void **state)
{
    (void)state;
    FILE *f = fopen(support_source("topologies/cardo.rng"), "r");
    char schema[16384] = "";
    assert_non_null(f);
    size_t n = fread(schema, 1, sizeof schema - 1, f);
    fclose(f);
    assert_true(n > 0 && n < sizeof schema - 1);
    for (const cardo_element_rule *rule = cardo_model_rules; rule->name; ++rule) {
        char wanted[128];
        snprintf(wanted, sizeof wanted, "<element name=\"%s\">", rule->name);
        if (!strstr(schema, wanted))
            fail_msg("the schema lacks %s", wanted);
    }
    for (int k = 0; cardo_model_studies[k]; ++k) {
        char wanted[128];
        snprintf(wanted, sizeof wanted, "<name>%s</name>", cardo_model_studies[k]);
        if (!strstr(schema, wanted))
            fail_msg("the schema lacks %s", wanted);
    }
    for (int k = 0; cardo_written_constraints[k]; ++k) {
        char wanted[128];
        snprintf(wanted, sizeof wanted, "<name>%s</name>",
                 cardo_written_constraint_name(cardo_written_constraints[k]));
        if (!strstr(schema, wanted))
            fail_msg("the schema lacks %s", wanted);
    }
}

/* Every attribute of a rule can be written in a file: schema and rules let it through, whatever its value is worth. */
static void attributes_of_rules_can_be_written(void **state)
{
    (void)state;
    const cardo_element_rule *rule = cardo_model_rules;
    while (strcmp(rule->name, "forcefield") != 0)
        ++rule;
    int n = 0;
    for (const char *word = rule->attributes; *(word += strspn(word, " ")); ++n) {
        const int length = (int)strcspn(word, " !:=");
        char file[400];
        const char *rest = "files=\"ff14SB.xml\"";
        if (strncmp(word, "files", 5) == 0 || strncmp(word, "system", 6) == 0)
            rest = "";
        snprintf(file, sizeof file,
                 "<cardo version=\"1\"><model><structure id=\"a\" file=\"none.pdb\"/>"
                 "<domain name=\"d\" residues=\"A\"/><body name=\"b\" domains=\"d\"/>"
                 "<forcefield %s %.*s=\"1\"/></model></cardo>",
                 rest, length, word);
        cardo_error error = {0};
        cardo_model *model = NULL;
        assert_int_not_equal(
            cardo_model_read(support_write("model.xml", file), 0, NULL, &model, &error), CARDO_OK);
        if (strstr(error.message, "attribute"))
            fail_msg("%.*s: %s", length, word, error.message);
        word += strcspn(word, " ");
    }
    assert_true(n > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_has_bodies_paths_and_cuts),
        cmocka_unit_test(it_begins_where_a_file_says),
        cmocka_unit_test(bodies_may_be_lighter_than_their_atoms),
        cmocka_unit_test(annotations_come_from_files),
        shared_test(lao_annotation_gives_the_published_hinge),
        cmocka_unit_test(hinge_residues_ride_with_a_named_body),
        cmocka_unit_test(bodies_may_be_written_in_any_order),
        cmocka_unit_test(pins_turn_about_the_line_that_was_asked_for),
        cmocka_unit_test(other_joints_stand_at_the_reference),
        cmocka_unit_test(overrides_replace_attributes),
        shared_test(trees_of_three_bodies),
        shared_test(splines_pass_through_all_structures),
        shared_test(a_path_may_begin_in_another_structure),
        shared_test(several_chains_make_several_trees),
        shared_test(hinges_are_counted_for_the_path_they_are_of),
        shared_test(cut_lengths_are_those_of_the_system),
        cmocka_unit_test(mistakes_in_names_are_found),
        cmocka_unit_test(mistakes_in_structures_are_found),
        cmocka_unit_test(a_path_must_lead_somewhere),
        cmocka_unit_test(joints_are_placed_at_the_hinge),
        cmocka_unit_test(extra_angles_go_beside_a_path),
        shared_test(hetero_residues_are_dropped_unless_kept),
        shared_test(structures_are_found_in_the_pdb_folder),
        cmocka_unit_test(coordinates_must_be_numbers),
        cmocka_unit_test(mistakes_in_domains_are_found),
        cmocka_unit_test(mistakes_in_bodies_are_found),
        cmocka_unit_test(mistakes_in_force_fields_are_found),
        cmocka_unit_test(bodies_without_inertia_are_refused),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(rules_and_schema_know_the_same_names),
        cmocka_unit_test(attributes_of_rules_can_be_written),
    };
    return support_run(tests, NULL, NULL);
}
