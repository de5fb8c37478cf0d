/* Hosts with a decimal comma. One has several threads: what each thread reads, prepares, opens, simulates and writes through the library
 * is, to the bit, what one thread alone writes in the locale "C". One is of C++, whose
 * locale OpenMM would misread its expressions by: it is told so. */
#include "support/locale.h"

#include "base/json/json.h"
#include "io/run/folder_writer.h"
#include "structure/prepare/prepare.h"
#include "study/cpp_locale.h"
#include "study/dynamics/simulate.h"
#include "study/session/energies.h"
#include "study/session/session.h"
#include "study/session/study.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NTHREAD = 4, PATH = 1024 };

static char elbow_model[PATH], peptide_model[PATH], light_chain[PATH], components_file[PATH];

typedef struct task {
    char folder[PATH];
    int kind; /* even: coarse-grained, odd: OpenMM */
    cardo_status status;
    cardo_error error;
} task;

static cardo_status prepare(const task *work, cardo_error *error)
{
    cardo_status status;
    char path[PATH + 32];
    cardo_structure *structure = NULL;
    cardo_components components = {0};
    cardo_preparation *preparation = NULL;
    const cardo_prepare_options options = cardo_prepare_options_default();
    CARDO_TRY(cardo_components_read(&components, components_file, error));
    CARDO_TRY(cardo_structure_read(light_chain, 0, &structure, error));
    CARDO_TRY(cardo_prepare(structure, &components, &options, &preparation, error));
    for (int k = 0; k < 2; ++k) {
        snprintf(path, sizeof path, "%s/prepared.%s", work->folder, k ? "cif" : "pdb");
        CARDO_TRY(cardo_structure_write(path, preparation->structure, NULL, error));
    }
done:
    cardo_preparation_destroy(preparation);
    cardo_structure_destroy(structure);
    cardo_components_clear(&components);
    return status;
}

static cardo_status write_energies(const task *work, cardo_session *session, cardo_error *error)
{
    cardo_status status;
    cardo_energies energies = {0};
    FILE *stream = NULL;
    char path[PATH + 32];
    CARDO_TRY(cardo_session_energies(session, &energies, error));
    snprintf(path, sizeof path, "%s/energies.json", work->folder);
    stream = fopen(path, "w");
    if (!stream) {
        status = CARDO_FAIL(error, CARDO_ERROR_FILE, "%s", path);
        goto done;
    }
    cardo_json *json = cardo_json_object();
    cardo_json_number(json, "potential", energies.potential);
    for (int k = 0; k < energies.nterm; ++k)
        cardo_json_number(json, energies.term[k], energies.energy[k]);
    cardo_json_print(json, stream);
done:
    if (stream)
        fclose(stream);
    cardo_energies_clear(&energies);
    return status;
}

static cardo_status simulate(const task *work, cardo_session *session, cardo_error *error)
{
    cardo_status status;
    char place[PATH];
    cardo_folder folder = {place};
    cardo_result *result = NULL;
    cardo_simulate_options options = {0};
    const char *const said[] = {"timestep=0.0015",
                                "steps=60",
                                "seed=7",
                                "report-interval=5",
                                "trajectory-interval=5",
                                work->kind / 2 ? "trajectory=pdb" : "trajectory=netcdf"};
    snprintf(place, sizeof place, "%s", work->folder);
    const cardo_writer writer = cardo_folder_writer(&folder);
    CARDO_TRY(cardo_study_read_options(&cardo_study_simulate, session, 6, said, &options, error));
    options.dynamics.writer = &writer;
    CARDO_TRY(cardo_result_create(&result, error));
    status = cardo_study_run(&cardo_study_simulate, session, &options, result, error);
done:
    cardo_result_destroy(result);
    return status;
}

static cardo_status work_through(const task *work, cardo_error *error)
{
    cardo_session *session = NULL;
    static const char *const settings[] = {"forcefield.check-forces=no"};
    const cardo_session_options options = {
        .size = sizeof options, .nsetting = 1, .setting = settings};
    cardo_status status = prepare(work, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(cardo_session_open(work->kind % 2 ? peptide_model : elbow_model, &options, NULL,
                                 &session, error));
    CARDO_TRY(write_energies(work, session, error));
    CARDO_TRY(simulate(work, session, error));
done:
    cardo_session_close(session);
    return status;
}

static void *run_task(void *argument)
{
    task *work = argument;
    work->status = work_through(work, &work->error);
    return NULL;
}

static void write_models(void)
{
    char text[2048];
    snprintf(light_chain, sizeof light_chain, "%s", support_source("pdb/2mcg_1.pdb"));
    snprintf(components_file, sizeof components_file, "%s",
             support_source("topologies/components.xml"));
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\"><structure id=\"first\" file=\"%s\"/>"
             "<structure id=\"second\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-108\"/>"
             "<domain name=\"constant\" residues=\"1:114-216\"/><hinge residues=\"1:109-113\"/>"
             "<body name=\"variable\" domains=\"variable\"/>"
             "<body name=\"constant\" domains=\"constant\" parent=\"variable\"><path "
             "start=\"0.03\"/></body>"
             "<forcefield files=\"kim-hummer.xml\"/></model></cardo>",
             light_chain, support_source("pdb/2mcg_2.pdb"));
    snprintf(elbow_model, sizeof elbow_model, "%s", support_write("elbow.xml", text));
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"peptide\"><structure id=\"a\" file=\"%s\"/>"
             "<domain name=\"all\" residues=\"A:1-3\"/>"
             "<body name=\"peptide\" domains=\"all\" base=\"free\"/>"
             "<flexible residues=\"A:1-3\" torsions=\"phi psi\"/>"
             "<forcefield files=\"ff14SB.xml\" solvent=\"gbn2\" platform=\"Reference\"/></model>"
             "</cardo>",
             support_source("pdb/alanine.pdb"));
    snprintf(peptide_model, sizeof peptide_model, "%s", support_write("peptide.xml", text));
}

static void make_folder(task *work, const char *name, int kind)
{
    *work = (task){.kind = kind};
    snprintf(work->folder, sizeof work->folder, "%s/%s", support_scratch(), name);
    mkdir(work->folder, 0777);
    size_t n = strlen(work->folder);
    snprintf(work->folder + n, sizeof work->folder - n, "/%d", kind);
    assert_int_equal(mkdir(work->folder, 0777), 0);
}

static void threads_of_a_host_with_a_decimal_comma(void **unused)
{
    (void)unused;
    static task work[NTHREAD];
    pthread_t thread[NTHREAD];
    char command[3 * PATH];
    write_models();
    /* First all at once: what is made when it is first needed is made then. */
    support_enter_comma_locale();
    for (int k = 0; k < NTHREAD; ++k)
        make_folder(&work[k], "comma", k);
    for (int k = 0; k < NTHREAD; ++k)
        assert_int_equal(pthread_create(&thread[k], NULL, run_task, &work[k]), 0);
    for (int k = 0; k < NTHREAD; ++k)
        pthread_join(thread[k], NULL);
    support_leave_comma_locale();
    for (int k = 0; k < NTHREAD; ++k)
        assert_ok(work[k].status, &work[k].error);

    for (int k = 0; k < NTHREAD; ++k) {
        make_folder(&work[k], "plain", k);
        run_task(&work[k]);
        assert_ok(work[k].status, &work[k].error);
        snprintf(command, sizeof command,
                 "cd %s && for f in prepared.pdb prepared.cif energies.json trajectory.csv "
                 "checkpoint.cardo; do test -s plain/%d/$f || exit 1; done && "
                 "diff -r plain/%d comma/%d",
                 support_scratch(), k, k, k);
        assert_int_equal(system(command), 0);
    }
}

static double potential(cardo_status *status, cardo_error *error)
{
    static const char *const settings[] = {"forcefield.check-forces=no"};
    const cardo_session_options options = {
        .size = sizeof options, .nsetting = 1, .setting = settings};
    cardo_session *session = NULL;
    cardo_energies energies = {0};
    *status = cardo_session_open(peptide_model, &options, NULL, &session, error);
    if (*status == CARDO_OK)
        *status = cardo_session_energies(session, &energies, error);
    const double found = energies.potential;
    cardo_energies_clear(&energies);
    cardo_session_close(session);
    return found;
}

static void a_host_of_cpp_keeps_numbers_plain(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_status status;
    write_models();
    const double expected = potential(&status, &error);
    assert_ok(status, &error);

    take_cpp_locale(support_comma_locale());
    potential(&status, &error);
    take_cpp_locale("C");
    assert_fails(status, &error, CARDO_ERROR_UNSUPPORTED, "std::locale::global");

    take_cpp_locale_but_numbers(support_comma_locale());
    const double found = potential(&status, &error);
    take_cpp_locale("C");
    assert_ok(status, &error);
    assert_close(found, expected, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test_with(threads_of_a_host_with_a_decimal_comma, support_localedef),
        test_with(a_host_of_cpp_keeps_numbers_plain, support_localedef),
    };
    return support_run(tests, NULL, NULL);
}
