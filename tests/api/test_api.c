/* The library as its users have it: public headers alone, and the shared library where there is one. */
#include "support/support.h"

#include <cardo/cardo.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void structures_are_read_asked_and_written(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_structure *read, *again;
    char path[512], label[40];
    bool chosen[64] = {0};
    assert_ok(cardo_structure_read(support_source("pdb/alanine.pdb"), 0, &read, &error), &error);
    const int natom = cardo_structure_natom(read);
    assert_true(natom <= 64);
    assert_int_equal(natom, 22);
    assert_int_equal(cardo_structure_nresidue(read), 3);
    assert_int_equal(cardo_structure_nchain(read), 1);
    assert_string_equal(cardo_structure_chain_id(read, 0), "A");
    const int alpha = cardo_structure_find_atom(read, 1, "CA");
    assert_true(alpha >= cardo_structure_first_atom(read, 1) &&
                alpha < cardo_structure_first_atom(read, 2));
    assert_string_equal(cardo_structure_atom_name(read, alpha), "CA");
    assert_int_equal(cardo_structure_element(read, alpha), 6);
    assert_int_equal(cardo_structure_atom_residue(read, alpha), 1);
    assert_string_equal(cardo_structure_residue_name(read, 1), "ALA");
    assert_string_equal(cardo_residue_label(read, 1, label), "A:ALA2");
    assert_int_equal(cardo_structure_find_residue(read, "A", 2, '\0'), 1);
    assert_ok(cardo_select_atoms(read, "A:2@CA", true, chosen, &error), &error);
    for (int a = 0; a < natom; ++a)
        assert_int_equal(chosen[a], a == alpha);

    snprintf(path, sizeof path, "%s/again.pdb", support_scratch());
    assert_ok(cardo_structure_write(path, read, NULL, &error), &error);
    assert_ok(cardo_structure_read(path, 0, &again, &error), &error);
    cardo_transform X;
    double rmsd;
    assert_ok(cardo_superpose(natom, cardo_structure_positions(read),
                              cardo_structure_positions(again), NULL, &X, &rmsd, &error),
              &error);
    assert_close(rmsd, 0, 1e-9);
    cardo_structure_destroy(again);
    cardo_structure_destroy(read);
    assert_fails(cardo_structure_read("nowhere.pdb", 0, &read, &error), &error, CARDO_ERROR_FILE,
                 "nowhere.pdb");
}

/* Studies of files need no model. */
static void a_structure_is_checked_against_a_force_field(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_session *session;
    cardo_result *result;
    const char *const input = support_source("pdb/2mcg_1.pdb"), *const none[] = {"forcefield="};
    cardo_run_options how = {.size = sizeof how, .ninput = 1, .input = &input};
    assert_ok(cardo_session_create(NULL, &session, &error), &error);
    assert_ok(cardo_session_run(session, "check", &how, &result, &error), &error);
    assert_close(cardo_result_number_at(result, "residues"), 215, 0);
    assert_close(cardo_result_number_at(result, "problems"), 0, 0);
    cardo_result_destroy(result);
    how.option = (const char *const[]){"numbering=mine"};
    how.noption = 1;
    assert_fails(cardo_session_run(session, "check", &how, &result, &error), &error,
                 CARDO_ERROR_USAGE, "none of author, label");
    how.option = none;
    assert_fails(cardo_session_run(session, "check", &how, &result, &error), &error,
                 CARDO_ERROR_USAGE, "forcefield");
    how.ninput = 0;
    assert_fails(cardo_session_run(session, "check", &how, &result, &error), &error,
                 CARDO_ERROR_ARGUMENT, "one file");
    cardo_session_close(session);
}

static void a_structure_is_prepared_into_a_named_file(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_session *session;
    cardo_result *result;
    cardo_structure *written;
    cardo_named_files *files;
    char path[512];
    snprintf(path, sizeof path, "%s/prepared.pdb", support_scratch());
    const char *const input = support_source("pdb/2mcg_1.pdb"), *const keep[] = {"keep=sand"};
    const cardo_file_names names = {.size = sizeof names, .structures = path, .holder = "test"};
    cardo_run_options how = {.size = sizeof how, .ninput = 1, .input = &input};
    assert_ok(cardo_named_files_open(&names, &files, &error), &error);
    how.writer = cardo_named_files_writer(files);
    assert_ok(cardo_session_create(NULL, &session, &error), &error);
    assert_ok(cardo_session_run(session, "prepare", &how, &result, &error), &error);
    assert_ok(cardo_named_files_keep(files, &error), &error);
    cardo_named_files_close(files);
    assert_ok(cardo_structure_read(path, 0, &written, &error), &error);
    assert_close(cardo_result_number_at(result, "atoms"), cardo_structure_natom(written), 0);
    assert_close(cardo_result_number_at(result, "heavy_atoms_built"), 0, 0);
    cardo_structure_destroy(written);
    cardo_result_destroy(result);
    assert_fails(cardo_named_files_open(&names, &files, &error), &error, CARDO_ERROR_INPUT,
                 "there already");
    how.option = keep;
    how.noption = 1;
    assert_fails(cardo_session_run(session, "prepare", &how, &result, &error), &error,
                 CARDO_ERROR_USAGE, "sand is none of water");
    cardo_session_close(session);
}

static void count_part(void *user, const cardo_result *part)
{
    *(int *)user += cardo_result_number_at(part, "rmsd_A") < 1e-2;
}

static void a_model_is_fitted_to_structures_one_by_one(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_session *session;
    cardo_result *result;
    int met = 0;
    const char *const itself = support_source("pdb/alanine.pdb"), *const input[] = {itself, itself},
                      *const alone[] = {"keep=no"};
    const cardo_listener listener = {.size = sizeof listener, .user = &met, .part = count_part};
    const cardo_session_options options = {.size = sizeof options, .model_alone = true};
    cardo_run_options how = {.size = sizeof how, .ninput = 2, .input = input};
    assert_ok(cardo_session_open(support_source("examples/mixed/alanine.xml"), &options, &listener,
                                 &session, &error),
              &error);
    assert_ok(cardo_session_run(session, "fit", &how, &result, &error), &error);
    assert_int_equal(met, 2);
    assert_int_equal(cardo_result_count(cardo_result_find(result, "frames")), 2);
    cardo_result_destroy(result);
    how.option = alone;
    how.noption = 1;
    assert_ok(cardo_session_run(session, "fit", &how, &result, &error), &error);
    assert_int_equal(met, 4);
    assert_int_equal(cardo_result_count(cardo_result_find(result, "frames")), 0);
    cardo_result_destroy(result);
    cardo_session_close(session);
}

static cardo_session *open_alanine(void)
{
    cardo_error error;
    cardo_session *session;
    const cardo_session_options options = {.size = sizeof options};
    assert_ok(cardo_session_open(support_source("examples/mixed/alanine.xml"), &options, NULL,
                                 &session, &error),
              &error);
    return session;
}

static void studies_run_by_name(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_session *session = open_alanine();
    cardo_result *energy, *minimum;
    assert_string_equal(cardo_model_name(cardo_session_model(session)), "Alanine dipeptide");
    assert_int_equal(cardo_system_nu(cardo_session_system(session)), 8);
    assert_null(cardo_session_no_forces(session));
    assert_non_null(cardo_session_forces(session));
    assert_ok(cardo_session_run(session, "energy", NULL, &energy, &error), &error);
    const char *const few[] = {"tolerance=0.01", "iterations=1", "iterations=200"};
    assert_ok(cardo_session_run(session, "minimize",
                                &(cardo_run_options){
                                    .size = sizeof(cardo_run_options), .noption = 3, .option = few},
                                &minimum, &error),
              &error);
    assert_close(cardo_result_number_at(minimum, "first_potential_kJ_per_mol"),
                 cardo_result_number_at(energy, "potential_kJ_per_mol"), 1e-9);
    assert_true(cardo_result_number_at(minimum, "potential_kJ_per_mol") <
                cardo_result_number_at(energy, "potential_kJ_per_mol") - 1);
    assert_true(cardo_result_number_at(minimum, "rms_force") < 0.01);
    long long n;
    assert_string_equal(cardo_result_text_at(minimum, "model"), "Alanine dipeptide");
    assert_true(cardo_result_number_at(minimum, "iterations") > 1);
    assert_non_null(cardo_result_doubles_at(minimum, "coordinates", &n));
    assert_int_equal(n, 2);
    assert_true(isnan(cardo_result_number_at(minimum, "coordinates")));
    assert_true(isnan(cardo_result_number_at(minimum, "model")));
    assert_null(cardo_result_text_at(minimum, "nothing"));
    assert_null(cardo_result_doubles_at(minimum, "model", &n));
    assert_int_equal(n, 0);
    cardo_result_destroy(energy);
    cardo_result_destroy(minimum);

    const char *const wrong[] = {"tolerence=1"};
    energy = minimum;
    assert_fails(cardo_session_run(session, "minimise", NULL, &energy, &error), &error,
                 CARDO_ERROR_USAGE, "did you mean 'minimize'");
    assert_null(energy);
    assert_fails(
        cardo_session_run(
            session, "minimize",
            &(cardo_run_options){.size = sizeof(cardo_run_options), .noption = 1, .option = wrong},
            &energy, &error),
        &error, CARDO_ERROR_USAGE, "did you mean 'tolerance'");
    assert_fails(
        cardo_session_run(session, "minimize", &(cardo_run_options){.noption = 1}, &energy, &error),
        &error, CARDO_ERROR_ARGUMENT, "cardo_run_options.size");
    cardo_session_close(session);
}

static void studies_tell_their_options(void **unused)
{
    (void)unused;
    cardo_error error;
    const cardo_field *table[CARDO_STUDY_MOST_TABLES];
    int nstudy = 0, ntable;
    for (const cardo_study *const *study = cardo_study_list(); *study; ++study, ++nstudy) {
        assert_ptr_equal(cardo_study_find(cardo_study_name(*study)), *study);
        assert_true(strlen(cardo_study_doc(*study)) > 0);
        assert_ok(cardo_study_option_tables(*study, 0, NULL, &ntable, table, &error), &error);
        for (int t = 0; t < ntable; ++t)
            for (const cardo_field *field = table[t]; field->name; ++field)
                assert_true(field->doc && *field->doc);
    }
    assert_true(nstudy >= 3);
    assert_true(cardo_study_needs_forces(cardo_study_find("minimize")));
    assert_false(cardo_study_takes_files(cardo_study_find("minimize")));
    /* A word that chooses a kind brings the kind's options. */
    const cardo_study *simulate = cardo_study_find("simulate");
    const char *const choice[] = {"integrator=langevin"};
    bool friction = false;
    assert_ok(cardo_study_option_tables(simulate, 1, choice, &ntable, table, &error), &error);
    for (int t = 0; t < ntable; ++t)
        friction |= cardo_fields_find(table[t], "friction") != NULL;
    assert_true(friction);
}

static void files_go_into_a_folder_of_their_own(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_session *session = open_alanine();
    cardo_files *files;
    cardo_result *result;
    char folder[512], path[600];
    const char *const few[] = {"steps=20", "timestep=1 fs", "report-interval=5"};
    snprintf(folder, sizeof folder, "%s/run", support_scratch());
    assert_ok(cardo_files_open(folder, "simulate", false, &files, &error), &error);
    const cardo_run_options options = {
        .size = sizeof options, .noption = 3, .option = few, .writer = cardo_files_writer(files)};
    assert_ok(cardo_session_run(session, "simulate", &options, &result, &error), &error);
    cardo_files_close(files);
    snprintf(path, sizeof path, "%s/trajectory.csv", folder);
    FILE *written = fopen(path, "r");
    assert_non_null(written);
    fclose(written);
    assert_fails(cardo_files_open(folder, "simulate", false, &files, &error), &error,
                 CARDO_ERROR_INPUT, "holds a run already");
    assert_null(files);

    char text[4096] = "";
    snprintf(path, sizeof path, "%s/result.json", support_scratch());
    assert_ok(cardo_result_store(result, path, &error), &error);
    FILE *stream = fmemopen(text, sizeof text - 1, "w");
    assert_ok(cardo_result_print(result, "json", stream, &error), &error);
    fclose(stream);
    assert_non_null(strstr(text, "\"model\": \"Alanine dipeptide\""));
    assert_fails(cardo_result_store(result, "result.odt", &error), &error, CARDO_ERROR_ARGUMENT,
                 "result.odt");
    assert_fails(cardo_result_print(result, "odt", stdout, &error), &error, CARDO_ERROR_ARGUMENT,
                 "odt");
    cardo_result_destroy(result);
    cardo_session_close(session);
}

static cardo_status place(void *user, cardo_session *session, cardo_error *error)
{
    const double *q = user;
    return cardo_session_set_coordinate(session, 7, *q, error);
}

/* A run in two parts ends where it ends in one; how it began is known from its folder. */
static void runs_go_on(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_files *files;
    cardo_result *part, *whole;
    char folder[512];
    double begin = 0.1, q[64] = {0};
    cardo_session *session = open_alanine();
    const int nq = cardo_system_nq(cardo_session_system(session));
    const char *const half[] = {"timestep=1 fs", "steps=20"}, *const all[] = {"timestep=1 fs",
                                                                              "steps=40"};
    cardo_files_options how = {.size = sizeof how,
                               .checkpoint = cardo_study_checkpoint(cardo_study_find("simulate"))};
    cardo_run_options options = {
        .size = sizeof options, .noption = 2, .option = all, .place = place, .user = &begin};
    assert_ok(cardo_session_run(session, "simulate", &options, &whole, &error), &error);
    cardo_session_close(session);
    session = open_alanine();
    snprintf(folder, sizeof folder, "%s/parts", support_scratch());
    assert_ok(cardo_files_open_as(folder, "simulate", &how, &files, &error), &error);
    assert_string_equal(cardo_files_path(files), folder);
    assert_null(cardo_files_said(files, "command"));
    assert_false(cardo_files_start(files, nq, q));
    cardo_files_repeat(files, "test_api", "1", "runs_go_on", "here");
    options.option = half;
    options.writer = cardo_files_writer(files);
    assert_ok(cardo_session_run(session, "simulate", &options, &part, &error), &error);
    assert_true(cardo_files_kept(files));
    cardo_files_close(files);
    cardo_result_destroy(part);

    how.go_on = true;
    assert_ok(cardo_files_open_as(folder, "simulate", &how, &files, &error), &error);
    assert_string_equal(cardo_files_said(files, "command"), "runs_go_on");
    assert_true(cardo_files_start(files, nq, q));
    assert_close(q[7], begin, 0);
    options.option = all;
    options.writer = cardo_files_writer(files);
    assert_ok(cardo_session_run(session, "simulate", &options, &part, &error), &error);
    assert_close(cardo_result_number_at(part, "steps_now"), 20, 0);
    static const char *const found[] = {"torsions/high", "potential_kJ_per_mol/low",
                                        "conserved_change_kJ_per_mol"};
    for (int k = 0; k < 3; ++k) {
        assert_true(isfinite(cardo_result_number_at(whole, found[k])));
        assert_close(cardo_result_number_at(part, found[k]),
                     cardo_result_number_at(whole, found[k]), 0);
    }
    cardo_files_close(files);
    cardo_result_destroy(part);
    cardo_result_destroy(whole);
    cardo_session_close(session);
}

static void simulations_open_by_options(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_system *system;
    cardo_state *state;
    cardo_simulation *simulation;
    cardo_frame first, last;
    cardo_end end;
    const double q = 1;
    const cardo_body_definition bob = {.name = "bob",
                                       .mobilizer = cardo_mobilizer_find("pin"),
                                       .X_PF = cardo_transform_identity(),
                                       .X_BM = cardo_transform_identity(),
                                       .mass = {1, {0, -1, 0}, {1.1, 0.1, 1.1, 0, 0, 0}}};
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    assert_ok(cardo_system_add_body(system, &bob, NULL, &error), &error);
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    cardo_state_set_q(state, &q);
    const char *const options[] = {"timestep=1 fs", "velocities=zero", "steps=100",
                                   "timestep=2 fs"};
    assert_ok(cardo_simulation_open(system, state, NULL, NULL, 4, options, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    cardo_simulation_frame(simulation, &first);
    assert_ok(cardo_simulation_run(simulation, -1, NULL, &end, &error), &error);
    cardo_simulation_frame(simulation, &last);
    assert_int_equal(end, CARDO_END_DONE);
    assert_int_equal(last.step, 100);
    assert_close(last.time, 0.2, 1e-12);
    assert_close(last.total, first.total, 1e-6);
    assert_true(last.kinetic > 0);
    cardo_simulation_destroy(simulation);

    const char *const wrong[] = {"timestop=1 fs"}, *const nothing[] = {"timestep"};
    assert_fails(
        cardo_simulation_open(system, state, NULL, "verlett", 0, NULL, &simulation, &error), &error,
        CARDO_ERROR_INPUT, "did you mean 'verlet'");
    assert_fails(
        cardo_simulation_open(system, state, NULL, "verlet", 1, wrong, &simulation, &error), &error,
        CARDO_ERROR_INPUT, "timestep");
    assert_fails(
        cardo_simulation_open(system, state, NULL, "verlet", 1, nothing, &simulation, &error),
        &error, CARDO_ERROR_INPUT, "NAME=VALUE");
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void transforms_do_what_they_say(void **unused)
{
    (void)unused;
    const double quarter_turn = 0.5 * CARDO_PI;
    const cardo_transform X =
        cardo_transform_turn((cardo_vec3){0, 0, 2}, quarter_turn, (cardo_vec3){1, 2, 3});
    const cardo_vec3 p = cardo_transform_point(X, (cardo_vec3){1, 0, 0});
    assert_close(p.x, 1, 1e-15);
    assert_close(p.y, 3, 1e-15);
    assert_close(p.z, 3, 1e-15);
    const cardo_transform one = cardo_transform_multiply(X, cardo_transform_inverse(X));
    assert_close(one.R.m[0][0], 1, 1e-15);
    assert_close(one.p.y, 0, 1e-15);
}

static void what_a_host_made_is_printed_too(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_result *result;
    char text[400] = "", number[32];
    static const char *const names[] = {"open", "closed", NULL};
    assert_ok(cardo_result_create(&result, &error), &error);
    cardo_result_text(result, &(cardo_quantity){"name"}, "hinge");
    cardo_result_number(result, &(cardo_quantity){"angle", .style = ".1f"}, 51.25);
    assert_ok(cardo_result_status(result, &error), &error);
    FILE *stream = fmemopen(text, sizeof text - 1, "w");
    cardo_result_say(stream, result, "{name}: {angle} degrees[, {nothing}]\n");
    assert_false(cardo_result_report(stream, result, "nothing"));
    assert_ok(cardo_result_print(result, "json", stream, &error), &error);
    fclose(stream);
    assert_non_null(strstr(text, "hinge: 51.2 degrees\n"));
    assert_non_null(strstr(text, "\"angle\": 51.25"));
    cardo_result_destroy(result);
    assert_string_equal(cardo_nearest_name("closde", names), "closed");
    assert_null(cardo_nearest_name("ajar", names));
    assert_int_equal(cardo_format(number, sizeof number, "%.2f", 0.5), 4);
    assert_true(cardo_unit_is_missing("2") && !cardo_unit_is_missing("2 fs"));
}

static void kinds_are_listed(void **unused)
{
    (void)unused;
    int n = 0;
    for (const cardo_mobilizer *const *m = cardo_mobilizer_list(); *m; ++m, ++n)
        assert_ptr_equal(cardo_mobilizer_find(cardo_mobilizer_name(*m)), *m);
    assert_true(n > 15);
    for (const cardo_force_element *const *e = cardo_force_element_list(); *e; ++e)
        assert_ptr_equal(cardo_force_element_find(cardo_force_element_name(*e)), *e);
    for (const cardo_integrator *const *i = cardo_integrator_list(); *i; ++i)
        assert_ptr_equal(cardo_integrator_find(cardo_integrator_name(*i)), *i);
    assert_non_null(
        cardo_fields_find(cardo_integrator_options(cardo_integrator_find("langevin")), "friction"));
    assert_non_null(cardo_fields_find(cardo_simulation_option_list(), "timestep"));
    assert_non_null(cardo_fields_find(cardo_forcefield_option_list(), "solvent"));
    const cardo_mobilizer *pin = cardo_mobilizer_find("pin");
    int nq, nu;
    assert_null(cardo_mobilizer_sizes(pin, &nq, &nu));
    assert_true(nq == 1 && nu == 1);
    for (const cardo_coarse_kind *const *k = cardo_coarse_kind_list(); *k; ++k)
        assert_non_null(strstr(cardo_coarse_kind_file(*k), ".xml"));
    assert_string_equal(cardo_trajectory_format_name(cardo_trajectory_format_list()[0]), "netcdf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structures_are_read_asked_and_written),
        cmocka_unit_test(a_structure_is_checked_against_a_force_field),
        cmocka_unit_test(a_structure_is_prepared_into_a_named_file),
        cmocka_unit_test(a_model_is_fitted_to_structures_one_by_one),
        cmocka_unit_test(studies_run_by_name),
        cmocka_unit_test(studies_tell_their_options),
        cmocka_unit_test(files_go_into_a_folder_of_their_own),
        cmocka_unit_test(runs_go_on),
        cmocka_unit_test(what_a_host_made_is_printed_too),
        cmocka_unit_test(simulations_open_by_options),
        cmocka_unit_test(transforms_do_what_they_say),
        cmocka_unit_test(kinds_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
