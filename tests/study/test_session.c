/* A session opened from C, without the program: what it holds is what the program computes, settings mean what they
 * say, the listener hears, and a failure leaves nothing.
 *
 *   test_session CARDO   the program to compare with */
#include "support/support.h"

#include "io/tables/force_table_file.h"
#include "multibody/tree/coordinate_names.h"
#include "study/info.h"
#include "study/minimize_options.h"
#include "study/session/bounds.h"
#include "study/session/energies.h"
#include "study/session/forces.h"
#include "study/session/judge.h"
#include "study/session/session.h"
#include "study/session/strain.h"
#include "study/session/study.h"
#include "study/session/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program;

static const char *const quick[] = {"forcefield.solvent=none", "forcefield.check-forces=no"};
static const cardo_session_options quickly = {
    .size = sizeof quickly, .nsetting = 2, .setting = quick};

/* What was heard, one line each: severity, about, text. */
typedef struct notebook {
    char text[8192];
    size_t used;
} notebook;

static void write_down(void *user, cardo_severity severity, const char *about, const char *text)
{
    notebook *notes = user;
    int n = snprintf(notes->text + notes->used, sizeof notes->text - notes->used, "%d %s: %s\n",
                     (int)severity, about, text);
    notes->used += (size_t)n;
    assert_true(notes->used < sizeof notes->text);
}

static cardo_listener listener_of(notebook *notes)
{
    *notes = (notebook){0};
    return (cardo_listener){.size = sizeof(cardo_listener), .user = notes, .say = write_down};
}

/* The number of "key": NUMBER in a text. */
static double number_of(const char *text, const char *key)
{
    char quoted[128];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(text, quoted);
    assert_non_null(at);
    return strtod(at + strlen(quoted), NULL);
}

static void forces_are_those_of_the_program(void **unused)
{
    (void)unused;
    static char said[65536];
    const char *path = support_source("examples/mcg/mcg.xml");
    char command[2048];
    cardo_error error = {0};
    cardo_energies energies = {0};
    cardo_session *session;
    snprintf(command, sizeof command, "'%s' energy '%s' --set %s --set %s --json", program, path,
             quick[0], quick[1]);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t length = fread(said, 1, sizeof said - 1, pipe);
    said[length] = '\0';
    assert_int_equal(pclose(pipe), 0);

    assert_ok(cardo_session_open(path, &quickly, NULL, &session, &error), &error);
    assert_ok(cardo_session_energies(session, &energies, &error), &error);
    assert_int_equal(energies.nterm, 4); /* bond, angle, torsion, nonbonded */
    for (int k = 0; k < energies.nterm; ++k)
        assert_close(energies.energy[k], number_of(said, energies.term[k]), 0);
    assert_close(energies.potential, number_of(said, "potential_kJ_per_mol"), 0);
    assert_int_equal(energies.nu, 7);
    for (int k = 0; k < energies.nu; ++k) {
        char name[CARDO_COORDINATE_NAME];
        assert_close(energies.force[k],
                     number_of(said, cardo_mobility_name(session->system, k, name)), 0);
    }
    cardo_energies_clear(&energies);
    cardo_session_close(session);
}

static void settings_stand_in_for_the_model_file(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session;
    const char *sets[] = {"forcefield.provider=rigid", "forcefield.solvent=none",
                          "forcefield.provider=openmm", "forcefield.platform=Reference",
                          "model.base=welded"};
    const cardo_session_options options = {.size = sizeof options, .nsetting = 5, .setting = sets};
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &options, NULL, &session,
                                 &error),
              &error);
    assert_string_equal(cardo_session_platform(session), "Reference");
    assert_int_equal(cardo_system_nu(session->system), 1);
    assert_close(cardo_state_q(session->state)[0], 0.04, 0);
    assert_ok(cardo_session_place(session, "constant=0.01", &error), &error);
    assert_close(cardo_state_q(session->state)[0], 0.01, 0);
    assert_fails(cardo_session_place(session, "constant", &error), &error, CARDO_ERROR_USAGE,
                 "constant is not BODY=VALUE");
    assert_fails(cardo_session_place(session, "constnt=1", &error), &error, CARDO_ERROR_INPUT,
                 "did you mean 'constant'");
    cardo_session_close(session);
}

/* Nothing is left, and the setting is named as it was given: how it came here only the host knows. */
static void what_means_nothing_is_refused_by_name(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session = (cardo_session *)&error;
    const char *path = support_source("examples/mcg/mcg.xml"), *set;
    cardo_session_options options = {.size = sizeof options, .nsetting = 1, .setting = &set};
    set = "forcefield.platfrom=CPU";
    assert_fails(cardo_session_open(path, &options, NULL, &session, &error), &error,
                 CARDO_ERROR_USAGE, "forcefield.platfrom=CPU: 'platfrom'");
    assert_null(session);
    assert_non_null(strstr(error.message, "did you mean 'platform'"));
    assert_null(strstr(error.message, "--"));
    set = "forcefield.platform=Nonsense";
    assert_fails(cardo_session_open(path, &options, NULL, &session, &error), &error,
                 CARDO_ERROR_PROVIDER, "Nonsense");
    assert_null(session);
    options.forces_optional = true;
    assert_ok(cardo_session_open(path, &options, NULL, &session, &error), &error);
    assert_null(cardo_session_forces(session));
    assert_non_null(strstr(session->no_forces.message, "Nonsense"));
    cardo_session_close(session);

    options = (cardo_session_options){.size = sizeof options + 8};
    assert_fails(cardo_session_open(path, &options, NULL, &session, &error), &error,
                 CARDO_ERROR_ARGUMENT, "cardo_session_options.size");
    assert_fails(cardo_session_open("nowhere.xml", NULL, NULL, &session, &error), &error,
                 CARDO_ERROR_FILE, "nowhere.xml");
    cardo_session_close(NULL);
}

static void a_pair_and_a_model_in_memory_open_too(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session;
    cardo_model *model;
    const cardo_session_pair pair = {.open = support_source("pdb/2mcg_1.pdb"),
                                     .closed = support_source("pdb/2mcg_2.pdb"),
                                     .stationary = "1:2-108",
                                     .mobile = "1:114-216",
                                     .hinge = "1:109-113"};
    const char *set = "forcefield.platform=CPU";
    cardo_session_options options = {.size = sizeof options, .forces_optional = true};
    assert_fails(cardo_session_open_pair(&pair, NULL, NULL, &session, &error), &error,
                 CARDO_ERROR_INPUT, "no <forcefield>");
    assert_ok(cardo_session_open_pair(&pair, &options, NULL, &session, &error), &error);
    assert_int_equal(cardo_system_nu(session->system), 7);
    cardo_session_close(session);
    options.nsetting = 1;
    options.setting = &set;
    assert_fails(cardo_session_open_pair(&pair, &options, NULL, &session, &error), &error,
                 CARDO_ERROR_USAGE, "forcefield.platform=CPU");

    const char *path = support_source("examples/mcg/mcg.xml");
    assert_ok(cardo_model_read(path, 2, quick, &model, &error), &error);
    assert_ok(cardo_session_open_model(model, NULL, NULL, &session, &error), &error);
    assert_non_null(session->evaluator);
    cardo_session_close(session);
    assert_ok(cardo_model_read(path, 2, quick, &model, &error), &error);
    assert_fails(cardo_session_open_model(model, &quickly, NULL, &session, &error), &error,
                 CARDO_ERROR_USAGE, "a model in memory has no settings");
}

/* As deposited nothing is outside its bounds; along the path the strand that is cut is torn as far as the model says,
 * and the session tells it by its residues. */
static void bounds_of_conformations(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session;
    cardo_bounds_view view;
    double length, fraction = 0.5;
    char text[CARDO_BROKEN_BOUND_TEXT];
    bool told = false;
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &quickly, NULL, &session,
                                 &error),
              &error);
    assert_ok(cardo_bounds_view_open(session, &view, &error), &error);
    assert_int_equal(session->model->ncut, 1);
    assert_int_equal(view.nstrand, 1);
    assert_int_equal(view.strand[0].first, session->model->cut[0].residue[0]);
    assert_int_equal(view.strand[0].last, session->model->cut[0].residue[1]);
    assert_ok(
        cardo_bounds_view_look_at(&view, session->model->structure[0].structure->position, &error),
        &error);
    assert_int_equal(view.broken.looked[CARDO_BOUND_BOND], 1);
    assert_int_equal(view.broken.looked[CARDO_BOUND_OMEGA], 1);
    assert_true(view.broken.looked[CARDO_BOUND_ANGLE] >= 4);
    assert_int_equal(view.broken.nbroken, 0);

    assert_ok(cardo_session_place(session, "constant=0.5", &error), &error);
    assert_ok(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_bounds_view_look(&view, session->state, &error), &error);
    assert_ok(cardo_model_cut_lengths(session->model, 1, &fraction, &length, &error), &error);
    assert_true(length > 0.15);
    assert_int_equal(view.broken.count[CARDO_BOUND_OMEGA], 1);
    assert_int_equal(view.broken.count[CARDO_BOUND_BOND], 1);
    for (int k = 0; k < view.broken.nbroken; ++k) {
        const cardo_broken_bound *broken = &view.broken.broken[k];
        cardo_broken_bound_text(session, broken, text);
        if (broken->kind != CARDO_BOUND_BOND)
            continue;
        assert_close(broken->value, length, 1e-9);
        told = strncmp(text, "bond 1:", 7) == 0 && strstr(text, " C - ") != NULL &&
               strstr(text, " to 1.43)") != NULL;
    }
    assert_true(told);
    cardo_bounds_view_clear(&view);
    cardo_session_close(session);
}

static void how_it_is_done_here(void *user, cardo_advice advice, const char *subject, char *text,
                                size_t size)
{
    (void)user;
    (void)subject;
    if (advice == CARDO_ADVISE_OTHER_START)
        snprintf(text, size, "press the green button");
}

static void the_listener_hears(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session;
    notebook notes;
    cardo_listener listener = listener_of(&notes);
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &quickly, &listener,
                                 &session, &error),
              &error);
    assert_non_null(strstr(notes.text, "0 forcefield.provider: provider auto took rigid"));
    assert_ok(cardo_session_place(session, "constant=0.5", &error), &error);
    assert_ok(cardo_strain_tell(session, "this place", false, &error), &error);
    assert_non_null(strstr(notes.text, "2 strain: this place is impossible\n"));
    assert_non_null(strstr(notes.text, "what to do: minimize the model and begin where that ends"));
    assert_fails(cardo_strain_tell(session, "this place", true, &error), &error, CARDO_ERROR_INPUT,
                 "this place is impossible: ");
    cardo_session_close(session);

    listener.advise = how_it_is_done_here;
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &quickly, &listener,
                                 &session, &error),
              &error);
    assert_ok(cardo_session_place(session, "constant=0.5", &error), &error);
    assert_fails(cardo_strain_tell(session, "this place", true, &error), &error, CARDO_ERROR_INPUT,
                 "What to do: press the green button;");
    cardo_session_close(session);
}

/* The judge's line is a note, and the session keeps it. */
static void the_judge_is_heard(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session;
    notebook notes;
    char text[CARDO_JUDGEMENT_TEXT];
    const cardo_listener listener = listener_of(&notes);
    const char *sets[] = {"forcefield.solvent=none", "forcefield.check-forces=CPU"};
    const cardo_session_options options = {.size = sizeof options, .nsetting = 2, .setting = sets};
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &options, &listener,
                                 &session, &error),
              &error);
    assert_ok(cardo_judge(session, &error), &error);
    assert_non_null(strstr(cardo_judgement_text(session, text), "forces agree with OpenMM, CPU"));
    assert_non_null(strstr(notes.text, "0 forcefield.check-forces: "));
    assert_non_null(strstr(notes.text, text));
    cardo_session_close(session);
}

static void count(void *user, const char *about, long long done, long long of)
{
    (void)user;
    assert_string_equal(about, "force table, evaluation");
    assert_true(done > 0 && done <= of);
}

static cardo_session *open_tabulated(const char *table, const cardo_listener *listener)
{
    cardo_error error = {0};
    cardo_session *session;
    const char *sets[] = {quick[0],
                          quick[1],
                          "model.base=welded",
                          table,
                          "forcefield.precision=double",
                          "forcefield.table-relative=0.01"};
    const cardo_session_options options = {.size = sizeof options, .nsetting = 6, .setting = sets};
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &options, listener,
                                 &session, &error),
              &error);
    return session;
}

/* Studies are found by name, take options as texts or as a struct, and are refused what they need and is not there. */
static void studies_run_from_their_table(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session;
    cardo_result *result;
    cardo_info_options chosen;
    const char *option = "clashes=yes", *wrong = "clashs=yes";
    assert_null(cardo_study_find("enrgy"));
    for (const cardo_study *const *study = cardo_studies; *study; ++study) {
        assert_ptr_equal(cardo_study_find((*study)->name), *study);
        assert_true((*study)->doc[0] && (*study)->run);
    }
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &quickly, NULL, &session,
                                 &error),
              &error);
    assert_ok(cardo_result_create(&result, &error), &error);
    assert_ok(cardo_study_run(&cardo_study_energy, session, NULL, result, &error), &error);
    const cardo_result *potential = cardo_result_find(result, "potential_kJ_per_mol");
    assert_non_null(potential);
    assert_close(cardo_result_as_doubles(potential)[0], cardo_evaluator_energy(session->evaluator),
                 0);
    cardo_result_destroy(result);

    assert_fails(cardo_study_read_options(&cardo_study_info, session, 1, &wrong, &chosen, &error),
                 &error, CARDO_ERROR_USAGE, "info has no option 'clashs'; did you mean 'clashes'?");
    assert_ok(cardo_study_read_options(&cardo_study_info, session, 0, NULL, &chosen, &error),
              &error);
    assert_false(chosen.clashes);
    assert_ok(cardo_study_read_options(&cardo_study_info, session, 1, &option, &chosen, &error),
              &error);
    assert_true(chosen.clashes);
    cardo_session_close(session);

    const char *none = "forcefield.platform=Nonsense";
    const cardo_session_options options = {
        .size = sizeof options, .nsetting = 1, .setting = &none, .forces_optional = true};
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &options, NULL, &session,
                                 &error),
              &error);
    assert_ok(cardo_result_create(&result, &error), &error);
    assert_fails(cardo_study_run(&cardo_study_energy, session, NULL, result, &error), &error,
                 CARDO_ERROR_PROVIDER, "energy needs forces: ");
    assert_ok(cardo_study_run(&cardo_study_info, session, NULL, result, &error), &error);
    assert_non_null(cardo_result_find(result, "no_energies"));
    assert_null(cardo_result_find(result, "clashes"));
    cardo_result_destroy(result);
    cardo_session_close(session);
}

typedef struct seen {
    int begun, started, frames;
} seen;

static void see_begin(void *user, const cardo_result *head)
{
    assert_true(cardo_result_as_integers(cardo_result_find(head, "bodies"))[0] > 1);
    ++((seen *)user)->begun;
}

static void see_start(void *user, const cardo_strain *strain)
{
    assert_true(strain->contact.natom == 2);
    ++((seen *)user)->started;
}

static cardo_status see_frame(void *user, int stage, const cardo_minimization_frame *frame,
                              cardo_error *error)
{
    (void)error;
    assert_int_equal(stage, 0);
    assert_int_equal(frame->iteration, ((seen *)user)->frames++);
    return CARDO_OK;
}

/* The session stands at what it came to, and who looks on has seen every iteration. */
static void minimizing_from_c(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_session *session;
    cardo_result *result;
    seen counts = {0};
    const cardo_minimize_observer observer = {
        .user = &counts, .start = see_start, .frame = see_frame};
    const cardo_listener listener = {.size = sizeof listener, .user = &counts, .begin = see_begin};
    const char *texts[] = {"iterations=3", "soft-start=no"};
    cardo_minimize_options options = {.observer = &observer};
    assert_ok(cardo_session_open(support_source("examples/mcg/mcg.xml"), &quickly, &listener,
                                 &session, &error),
              &error);
    assert_ok(cardo_study_read_options(&cardo_study_minimize, session, 2, texts, &options, &error),
              &error);
    assert_ptr_equal(options.observer, &observer);
    assert_ok(cardo_result_create(&result, &error), &error);
    assert_ok(cardo_study_run(&cardo_study_minimize, session, &options, result, &error), &error);
    assert_int_equal(counts.begun, 1);
    assert_int_equal(counts.started, 1);
    assert_int_equal(counts.frames, 4);
    assert_int_equal(cardo_result_as_integers(cardo_result_find(result, "iterations"))[0], 3);
    assert_false(cardo_result_as_truths(cardo_result_find(result, "interrupted"))[0]);
    const double reached =
        cardo_result_as_doubles(cardo_result_find(result, "potential_kJ_per_mol"))[0];
    assert_true(reached < cardo_result_as_doubles(
                              cardo_result_find(result, "first_potential_kJ_per_mol"))[0]);
    assert_ok(cardo_evaluate(session->evaluator, session->state, &error), &error);
    assert_close(cardo_evaluator_energy(session->evaluator), reached, 1e-9 * fabs(reached));
    cardo_result_destroy(result);
    cardo_session_close(session);
}

/* Where there is a store it is kept there and found again; who says stop is obeyed. */
static void a_table_is_made_kept_and_found(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    notebook notes;
    cardo_listener listener = listener_of(&notes);
    const char *range = "forcefield.table=0.038:0.042";
    const volatile sig_atomic_t stop = 1;
    char path[1024];
    snprintf(path, sizeof path, "%s/forces.table", support_scratch());
    const cardo_table_store store = cardo_force_table_store(path);
    listener.progress = count;

    listener.stop = &stop;
    cardo_session *session = open_tabulated(range, &listener);
    assert_fails(cardo_session_tabulate(session, NULL, false, &store, &error), &error,
                 CARDO_ERROR_INTERRUPTED, NULL);
    assert_ptr_equal(cardo_session_forces(session), session->provider);
    cardo_session_close(session);

    listener.stop = NULL;
    session = open_tabulated(range, &listener);
    assert_fails(cardo_session_tabulate(session, NULL, true, &store, &error), &error,
                 CARDO_ERROR_INPUT, "forces.table: the force table of the run");
    assert_ok(cardo_session_tabulate(session, NULL, false, &store, &error), &error);
    assert_non_null(strstr(notes.text, "0 forcefield.table: force table: "));
    assert_non_null(strstr(notes.text, " evaluations and kept in forces.table\n"));
    assert_ptr_equal(cardo_session_forces(session), session->table);
    cardo_session_close(session);

    session = open_tabulated(range, &listener);
    assert_ok(cardo_session_tabulate(session, NULL, true, &store, &error), &error);
    assert_non_null(strstr(notes.text, ", read from forces.table ("));
    cardo_session_close(session);
    session = open_tabulated("forcefield.table=0.038:0.041", &listener);
    assert_fails(cardo_session_tabulate(session, NULL, true, &store, &error), &error,
                 CARDO_ERROR_INPUT, "the force table is of another model");
    cardo_session_close(session);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_the_program),
        cmocka_unit_test(settings_stand_in_for_the_model_file),
        cmocka_unit_test(what_means_nothing_is_refused_by_name),
        cmocka_unit_test(a_pair_and_a_model_in_memory_open_too),
        cmocka_unit_test(bounds_of_conformations),
        cmocka_unit_test(the_listener_hears),
        cmocka_unit_test(the_judge_is_heard),
        cmocka_unit_test(studies_run_from_their_table),
        cmocka_unit_test(minimizing_from_c),
        cmocka_unit_test(a_table_is_made_kept_and_found),
    };
    if (argc != 2)
        return fprintf(stderr, "usage: test_session CARDO\n"), 2;
    program = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
