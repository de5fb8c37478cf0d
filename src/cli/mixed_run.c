#include "cli/mixed_run.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "cli/interrupt.h"
#include "cli/manifest.h"
#include "cli/mixed_hinges.h"
#include "cli/mixed_profile.h"
#include "cli/progress.h"
#include "cli/sample_run.h"
#include "cli/start.h"
#include "io/checkpoint/snapshot_file.h"
#include "io/tables/plumed_table.h"
#include "io/trajectory/trajectory.h"
#include "multibody/tree/operators.h"
#include "structure/pdb/pdb.h"
#include "study/session/forces.h"
#include "study/session/strain.h"
#include "study/session/study_options.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define OPTION(member) offsetof(cardo_mixed_study, member)
const cardo_field cardo_mixed_study_fields[] = {
    {"cycles", CARDO_FIELD_LONG, OPTION(cycles), "", "10000", 1, 9e15, NULL,
     "cycles of hinge moves and atom moves, behind burn-in", CARDO_MAY_CHANGE},
    {"interval", CARDO_FIELD_LONG, OPTION(interval), "", "1", 1, 9e15, NULL,
     "cycles between rows of COLVAR"},
    {"trajectory-interval", CARDO_FIELD_LONG, OPTION(trajectory_interval), "", "100", 1, 9e15, NULL,
     "cycles between frames of the trajectory"},
    {"checkpoint-interval", CARDO_FIELD_LONG, OPTION(checkpoint_interval), "", "1000", 1, 9e15,
     NULL, "cycles between checkpoints", CARDO_MAY_CHANGE},
    {"bins", CARDO_FIELD_INT, OPTION(bins), "", "36", 2, 100000, NULL, "bins of the free energy",
     CARDO_MAY_CHANGE},
    {"target", CARDO_FIELD_DOUBLE, OPTION(target), "kT", "0.2", 0, 1e6, NULL,
     "standard error that is hoped for: the verdict compares with it", CARDO_MAY_CHANGE},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};
#undef OPTION

enum { MOST_SKIPPED = 256 };

/* Counters that a checkpoint has in front of the sampler's numbers. */
enum { COLVAR_LENGTH, FRAMES, COUNTERS };

typedef struct mixed_run {
    cardo_session *session; /* the caller's */
    cardo_mixed_study study;
    cardo_variable *variable;
    cardo_mixed_hinges hinges;
    cardo_force_provider *provider;
    cardo_mixed *mixed;
    cardo_run_folder *home; /* the caller's */
    const char *folder;     /* its path */
    char *text;             /* what run this is, for checkpoints */
    char *colvar_path, *checkpoint_path, *trajectory_path;
    cardo_table *colvar;
    cardo_trajectory *trajectory;
    long long first; /* cycles done before this part */
    bool interrupted;
    double seconds;
} mixed_run;

static int list_fields(const cardo_field *fields, const char **names, int n)
{
    for (; fields && fields->name && n < MOST_SKIPPED - 1; ++fields)
        names[n++] = fields->name;
    return n;
}

/* Options of other methods may stay in the model file. */
static void list_other_options(const char **names)
{
    int n = 0;
    names[n++] = "method";
    names[n++] = "integrator";
    n = list_fields(cardo_sample_fields, names, n);
    n = list_fields(cardo_sampling_fields, names, n);
    n = list_fields(cardo_simulation_fields, names, n);
    for (const cardo_integrator *const *i = cardo_integrators; *i; ++i)
        n = list_fields((*i)->fields, names, n);
    for (const cardo_sampling_method *const *m = cardo_sampling_methods; *m; ++m)
        n = list_fields(cardo_sampling_method_fields(*m), names, n);
    names[n] = NULL;
}

static cardo_status read_options(mixed_run *r, const char *verb, cardo_error *error)
{
    const char *skip[MOST_SKIPPED];
    const cardo_option_target targets[] = {{cardo_mixed_study_fields, &r->study},
                                           {cardo_mixed_fields, &r->study.mixed},
                                           {cardo_variable_fields, &r->study.variable}};
    list_other_options(skip);
    return cardo_study_options(r->session->model, verb, 3, targets, skip, error);
}

bool cardo_mixed_is_wanted(const cardo_model *model, const char *verb)
{
    const char *method = cardo_study_value(model, verb, "method");
    return method && strcmp(method, CARDO_MIXED_METHOD) == 0;
}

/* Everything of the sampler, at the session's start. */
static cardo_status make_sampler(mixed_run *r, const char *verb, cardo_error *error)
{
    cardo_status status;
    double *positions = NULL, value;
    const size_t n = 3 * (size_t)cardo_system_nstation(r->session->system);
    if (cardo_variable_kinds[r->study.variable.kind] == &cardo_variable_coordinate)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: <%s> method=\"mixed\" moves all atoms, so a joint has no coordinate "
                          "of its own: choose variable=\"distance\", \"angle\", \"dihedral\" or "
                          "\"rmsd\" of atoms",
                          r->session->model->path, verb);
    CARDO_TRY(cardo_variable_from_options(r->session, &r->study.variable, &r->variable, error));
    CARDO_TRY(cardo_mixed_hinges_make(r->session, &r->hinges, error));
    CARDO_TRY(cardo_session_whole_provider(r->session, &r->provider, error));
    CARDO_TRY(CARDO_ALLOCATE(&positions, n, error));
    CARDO_TRY(cardo_station_positions(r->session->system, r->session->state, positions, error));
    CARDO_TRY(cardo_variable_value_at(r->variable, positions, &value, error));
    status = cardo_mixed_create(&r->hinges.hinges, r->provider, &r->study.mixed, positions,
                                &r->mixed, error);
done:
    cardo_free(positions);
    return status;
}

/* The lines that a checkpoint must agree with. */
static cardo_status describe(mixed_run *r, cardo_error *error)
{
    static const cardo_field *const tables[] = {cardo_mixed_study_fields, cardo_mixed_fields,
                                                cardo_variable_fields};
    const void *objects[] = {&r->study, &r->study.mixed, &r->study.variable};
    char *forces = NULL, value[CARDO_FIELD_STRING_SIZE];
    const size_t size = 16384;
    cardo_status status;
    CARDO_TRY(cardo_describe_forces(r->session, &forces, error));
    CARDO_TRY(cardo_allocate((void **)&r->text, size, 1, error));
    size_t used = (size_t)snprintf(r->text, size, "study mixed\natoms %d\nbodies %d\n%s",
                                   r->hinges.hinges.nstation, r->hinges.hinges.nbody, forces);
    for (int t = 0; t < 3; ++t)
        for (const cardo_field *field = tables[t]; field->name && used < size; ++field) {
            if (field->may_change)
                continue;
            cardo_field_print(field, objects[t], value, sizeof value);
            used += (size_t)snprintf(r->text + used, size - used, "%s %s\n", field->name, value);
        }
done:
    cardo_free(forces);
    return status;
}

static cardo_status write_topology(mixed_run *r, cardo_error *error)
{
    const cardo_structure *structure = r->session->model->structure[0].structure;
    const double *positions = cardo_mixed_positions(r->mixed);
    char name[16], *path = NULL;
    cardo_status status;
    snprintf(name, sizeof name, "topology.%s", cardo_structure_extension(structure, positions));
    CARDO_TRY(cardo_run_folder_path(r->folder, name, &path, error));
    status = cardo_structure_write(path, structure, positions, error);
done:
    cardo_free(path);
    return status;
}

/* Opens the files anew, or where the checkpoint left them. */
static cardo_status open_files(mixed_run *r, bool go_on, const double *counters, cardo_error *error)
{
    cardo_status status;
    char low[96], high[96];
    const char *fields[] = {"cycle", cardo_variable_name(r->variable), "energy"};
    const char *sets[] = {low, high};
    const double period = cardo_variable_period(r->variable);
    const cardo_plumed_header header = {3, fields, period > 0 ? 2 : 0, sets};
    const cardo_trajectory_info info = {
        .natom = r->hinges.hinges.nstation,
        .structure = r->session->model->structure[0].structure,
        .title = r->session->model->name,
        .timestep = 1,
        .interval = r->study.trajectory_interval,
    };
    cardo_format(low, sizeof low, "min_%s %.10g", fields[1], -0.5 * period);
    cardo_format(high, sizeof high, "max_%s %.10g", fields[1], 0.5 * period);
    CARDO_TRY(cardo_run_folder_path(r->folder, "COLVAR", &r->colvar_path, error));
    CARDO_TRY(cardo_run_folder_path(r->folder, "trajectory.nc", &r->trajectory_path, error));
    if (go_on) {
        CARDO_TRY(cardo_plumed_table_continue(
            r->colvar_path, &header, (long long)counters[COLVAR_LENGTH], &r->colvar, error));
        CARDO_TRY(cardo_trajectory_continue(&cardo_trajectory_netcdf, r->trajectory_path, &info,
                                            (long long)counters[FRAMES], &r->trajectory, error));
        goto done;
    }
    CARDO_TRY(write_topology(r, error));
    CARDO_TRY(cardo_plumed_table_create(r->colvar_path, &header, &r->colvar, error));
    CARDO_TRY(cardo_trajectory_create(&cardo_trajectory_netcdf, r->trajectory_path, &info,
                                      &r->trajectory, error));
done:
    return status;
}

/* Leaves out what a checkpoint of an older version says of options that may change. */
static void drop_changeable(char *text)
{
    char *to = text;
    for (char *from = text; *from;) {
        const size_t length = strcspn(from, "\n"), whole = length + (from[length] == '\n');
        const size_t name = strcspn(from, " \n");
        bool drop = false;
        for (const cardo_field *field = cardo_mixed_study_fields; field->name; ++field)
            drop = drop || (field->may_change && strlen(field->name) == name &&
                            strncmp(field->name, from, name) == 0);
        if (!drop) {
            memmove(to, from, whole);
            to += whole;
        }
        from += whole;
    }
    *to = '\0';
}

/* The sampler as the checkpoint has it, and the counters in front. */
static cardo_status restore(mixed_run *r, double counters[COUNTERS], cardo_error *error)
{
    cardo_status status;
    char *text = NULL;
    double *values = NULL;
    size_t n;
    CARDO_TRY(cardo_snapshot_read(r->checkpoint_path, &text, &values, &n, error));
    drop_changeable(text);
    CARDO_TRY(cardo_compare_identities(r->checkpoint_path, text, r->text, error));
    if (n != COUNTERS + (size_t)cardo_mixed_value_count(r->mixed))
        CARDO_TRY(
            CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s is of another model", r->checkpoint_path));
    memcpy(counters, values, COUNTERS * sizeof *counters);
    status = cardo_mixed_restore(r->mixed, values + COUNTERS, error);
done:
    cardo_free(text);
    cardo_free(values);
    return status;
}

static cardo_status start(mixed_run *r, bool go_on, cardo_error *error)
{
    cardo_status status;
    double counters[COUNTERS] = {0};
    CARDO_TRY(
        cardo_run_folder_path(r->folder, CARDO_SAMPLE_CHECKPOINT, &r->checkpoint_path, error));
    if (go_on)
        CARDO_TRY(restore(r, counters, error));
    r->first = cardo_mixed_cycles(r->mixed);
    status = open_files(r, go_on, counters, error);
done:
    return status;
}

static cardo_status save(mixed_run *r, cardo_error *error)
{
    cardo_status status;
    double *values = NULL;
    const size_t n = COUNTERS + (size_t)cardo_mixed_value_count(r->mixed);
    CARDO_TRY(cardo_table_flush(r->colvar, error));
    CARDO_TRY(cardo_trajectory_flush(r->trajectory, error));
    CARDO_TRY(CARDO_ALLOCATE(&values, n, error));
    values[COLVAR_LENGTH] = (double)cardo_table_length(r->colvar);
    values[FRAMES] = (double)cardo_trajectory_frames(r->trajectory);
    cardo_mixed_save(r->mixed, values + COUNTERS);
    status = cardo_snapshot_write(r->checkpoint_path, r->text, strlen(r->text), values, n, error);
done:
    cardo_free(values);
    return status;
}

/* What a cycle leaves in the files; cycle: behind burn-in, from 1. */
static cardo_status record(mixed_run *r, long long cycle, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const double *positions = cardo_mixed_positions(r->mixed);
    if (cycle % r->study.interval == 0) {
        double row[3] = {(double)cycle, 0, cardo_mixed_energy(r->mixed)};
        CARDO_TRY(cardo_variable_value_at(r->variable, positions, &row[1], error));
        CARDO_TRY(cardo_table_write(r->colvar, row, error));
    }
    if (cycle % r->study.trajectory_interval == 0)
        CARDO_TRY(cardo_trajectory_write(r->trajectory, (double)cycle, positions, NULL, error));
    if (cycle % r->study.checkpoint_interval == 0)
        status = save(r, error);
done:
    return status;
}

/* A line for each decade of percent. */
static void tell_progress(const mixed_run *r, long long all, int *decade)
{
    const long long done = cardo_mixed_cycles(r->mixed);
    const int reached = (int)(10 * done / all);
    if (reached == *decade)
        return;
    *decade = reached;
    const double rate = (double)(done - r->first) / (cardo_clock() - r->seconds);
    cardo_print(stderr, "%3d %%  cycle %lld of %lld  %.3g cycles/s  %.0f s left\n", 10 * reached,
                done, all, rate, (double)(all - done) / rate);
}

static cardo_status cycle(mixed_run *r, bool quiet, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const long long burn_in = r->study.mixed.burn_in, all = burn_in + r->study.cycles;
    int decade = (int)(10 * r->first / all);
    r->seconds = cardo_clock();
    while (cardo_mixed_cycles(r->mixed) < all && status == CARDO_OK && !cardo_interrupted) {
        status = cardo_mixed_cycle(r->mixed, error);
        if (status == CARDO_OK && cardo_mixed_cycles(r->mixed) > burn_in)
            status = record(r, cardo_mixed_cycles(r->mixed) - burn_in, error);
        if (status == CARDO_OK && !quiet)
            tell_progress(r, all, &decade);
    }
    r->interrupted = status == CARDO_OK && cardo_mixed_cycles(r->mixed) < all;
    if (status == CARDO_OK)
        status = save(r, error);
    r->seconds = cardo_clock() - r->seconds;
    return status;
}

static void announce(const mixed_run *r)
{
    const cardo_mixed_options *m = &r->study.mixed;
    const char *unit = cardo_variable_unit(r->variable);
    const char *named = r->session->model->forcefield.solvent;
    const char *solvent = strcmp(named, "none") == 0 ? "in vacuum" : named;
    char turns[64] = "";
    if (cardo_mixed_turns(r->mixed) > 0)
        snprintf(turns, sizeof turns, "; turns by any angle, %d", cardo_mixed_turns(r->mixed));
    printf("%s: %d atoms, hinges of %d bodies (%d degrees of freedom) and all atoms by turns\n",
           r->session->model->name, r->hinges.hinges.nstation, r->hinges.hinges.nbody,
           cardo_system_nu(r->session->system));
    cardo_print(stdout,
                "along %s%s%s%s, without a bias; OpenMM, %s platform%s%s; %g K, seed %lld\n",
                cardo_variable_name(r->variable), *unit ? " (" : "", unit, *unit ? ")" : "",
                cardo_openmm_provider_platform(r->provider), *solvent ? ", " : "", solvent,
                m->temperature, m->seed);
    printf("a cycle: all atoms, %d x %d steps; hinges, %d x %d steps%s\n%d cycles of burn-in, then "
           "%lld\nresults go to %s/\n",
           m->atom_moves, m->atom_flights, m->hinge_moves, m->hinge_flights, turns, m->burn_in,
           r->study.cycles, r->folder);
    fflush(stdout);
}

static cardo_status write_manifest(const mixed_run *r, cardo_error *error)
{
    cardo_json *json = cardo_manifest_begin(r->home, r->session), *options = cardo_json_object();
    cardo_json_string(json, "method", CARDO_MIXED_METHOD);
    cardo_json_integer(json, "seed", r->study.mixed.seed);
    cardo_manifest_options(options, cardo_mixed_study_fields, &r->study);
    cardo_manifest_options(options, cardo_mixed_fields, &r->study.mixed);
    cardo_manifest_options(options, cardo_variable_fields, &r->study.variable);
    cardo_json_put(json, "options", options);
    cardo_manifest_start(json, r->home, r->session);
    return cardo_manifest_write(r->home, json, error);
}

/* Of a run that goes on: whether its options are those of before, but for what may change. */
static cardo_status check_continued(mixed_run *r, cardo_error *error)
{
    const cardo_option_target targets[] = {{cardo_mixed_study_fields, &r->study},
                                           {cardo_mixed_fields, &r->study.mixed},
                                           {cardo_variable_fields, &r->study.variable}};
    const cardo_continuation *before = &r->home->continuation;
    if (!r->home->go_on)
        return CARDO_OK;
    cardo_status status =
        cardo_continuation_check_word(before, "method", CARDO_MIXED_METHOD, error);
    return status == CARDO_OK ? cardo_continuation_check(before, r->session, 3, targets, error)
                              : status;
}

static cardo_status close_files(mixed_run *r, cardo_error *error)
{
    cardo_status first = cardo_table_close(r->colvar, error);
    cardo_status second = cardo_trajectory_close(r->trajectory, first == CARDO_OK ? error : NULL);
    r->colvar = NULL;
    r->trajectory = NULL;
    return first == CARDO_OK ? second : first;
}

static cardo_status conclude(mixed_run *r, bool quiet, bool json, cardo_error *error)
{
    char report[512];
    const cardo_profile_plan plan = {.folder = r->folder,
                                     .colvar = r->colvar_path,
                                     .title = r->session->model->name,
                                     .variable = r->variable,
                                     .kT = CARDO_BOLTZMANN * r->study.mixed.temperature,
                                     .target = r->study.target,
                                     .bins = r->study.bins,
                                     .quiet = quiet,
                                     .json = json};
    if (!quiet) {
        cardo_mixed_report(r->mixed, report, sizeof report);
        cardo_print(stdout, "%s after %lld cycles and %lld evaluations of the forces: %.1f s\n%s",
                    r->interrupted ? "interrupted" : "done", cardo_mixed_cycles(r->mixed),
                    cardo_mixed_evaluations(r->mixed), r->seconds, report);
    }
    if (r->interrupted)
        return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                          "interrupted at cycle %lld; a checkpoint is written, --continue goes on",
                          cardo_mixed_cycles(r->mixed));
    return cardo_profile_from_colvar(&plan, error);
}

static cardo_status perform(const char *verb, mixed_run *r, cardo_error *error)
{
    cardo_status status;
    const cardo_command *command = r->home->command;
    const bool json = cardo_command_has(command, "json");
    const bool quiet = json || cardo_command_has(command, "quiet");
    CARDO_TRY(cardo_session_build(r->session, error));
    CARDO_TRY(read_options(r, verb, error));
    CARDO_TRY(check_continued(r, error));
    CARDO_TRY(cardo_run_folder_place(r->home, r->session, error));
    if (!r->home->go_on)
        CARDO_TRY(cardo_strain_tell(r->session, "the start", false, error));
    CARDO_TRY(make_sampler(r, verb, error));
    CARDO_TRY(cardo_run_folder_begin(r->home, false, error));
    CARDO_TRY(describe(r, error));
    cardo_interrupt_catch();
    if (!r->home->go_on)
        CARDO_TRY(write_manifest(r, error));
    CARDO_TRY(start(r, r->home->go_on, error));
    if (r->home->go_on)
        CARDO_TRY(write_manifest(r, error));
    if (!quiet)
        announce(r);
    status = cycle(r, quiet, error);
    r->home->begun = status == CARDO_OK || cardo_mixed_cycles(r->mixed) > 0;
    if (status != CARDO_OK)
        goto done;
    CARDO_TRY(close_files(r, error));
    status = conclude(r, quiet, json, error);
done:
    return status;
}

cardo_status cardo_mixed_run(cardo_run_folder *home, cardo_session *session, const char *verb,
                             cardo_error *error)
{
    mixed_run r = {.session = session, .home = home, .folder = home->path};
    cardo_status status = perform(verb, &r, error);
    cardo_table_close(r.colvar, NULL);
    cardo_trajectory_close(r.trajectory, NULL);
    cardo_mixed_destroy(r.mixed);
    cardo_force_provider_destroy(r.provider);
    cardo_mixed_hinges_clear(&r.hinges);
    cardo_variable_destroy(r.variable);
    cardo_free(r.text);
    cardo_free(r.colvar_path);
    cardo_free(r.checkpoint_path);
    cardo_free(r.trajectory_path);
    return status;
}
