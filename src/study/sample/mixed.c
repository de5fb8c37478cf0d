#include "study/sample/mixed.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/units.h"
#include "forces/openmm/openmm.h"
#include "multibody/tree/operators.h"
#include "sampling/variables/response.h"
#include "study/sample/checkpoint.h"
#include "study/sample/mixed_profile.h"
#include "study/session/facts.h"
#include "study/session/forces.h"
#include "study/session/strain.h"

#include <stdio.h>
#include <string.h>

/* What a checkpoint has in front of the sampler's numbers; after them come the samples. */
enum { COLVAR_LENGTH, FRAMES, SAMPLER_NUMBERS, COUNTERS };

/* Everything of the sampler, at the session's start. */
static cardo_status make_sampler(mixed_run *r, cardo_error *error)
{
    cardo_status status;
    double *positions = NULL, value;
    const cardo_session *session = r->run->session;
    const cardo_sample_options *o = r->run->options;
    const size_t n = 3 * (size_t)cardo_system_nstation(session->system);
    if (cardo_is_constrained(session->system))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: <sample> method=\"mixed\" turns hinges one by one and moves atoms "
                          "freely, which breaks constraints: sample by umbrella, metadynamics or "
                          "adaptive-force",
                          session->model->path);
    if (cardo_variable_kinds[o->variable.kind] == &cardo_variable_coordinate)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: <sample> method=\"mixed\" moves all atoms, so a joint has no coordinate of its "
            "own: choose sample.variable=distance, angle, \"dihedral\" or \"rmsd\" of atoms",
            session->model->path);
    CARDO_TRY(cardo_variable_from_options(session, &o->variable, &r->run->variable, error));
    CARDO_TRY(cardo_mixed_hinges_make(session, &r->hinges, error));
    CARDO_TRY(cardo_session_whole_provider(session, &r->provider, error));
    CARDO_TRY(CARDO_ALLOCATE(&positions, n, error));
    CARDO_TRY(cardo_station_positions(session->system, session->state, positions, error));
    CARDO_TRY(cardo_variable_value_at(r->run->variable, positions, &value, error));
    status = cardo_mixed_create(&r->hinges.hinges, r->provider, &o->mixed.moves, positions,
                                &r->mixed, error);
done:
    cardo_free(positions);
    return status;
}

/* The lines that a checkpoint must agree with. */
static cardo_status identify(mixed_run *r, cardo_error *error)
{
    cardo_text_stream out;
    cardo_option_target target[CARDO_SAMPLE_TABLES];
    const int n = cardo_sample_tables(r->run->options, target);
    cardo_status status = cardo_describe_forces(r->run->session, &r->run->forces, error);
    if (status == CARDO_OK)
        status = cardo_text_stream_open(&out, error);
    if (status != CARDO_OK)
        return status;
    fprintf(out.stream, "study mixed\natoms %d\nbodies %d\n%s", r->hinges.hinges.nstation,
            r->hinges.hinges.nbody, r->run->forces);
    for (int t = 0; t < n; ++t)
        cardo_fields_identity(out.stream, "", target[t].fields, target[t].object);
    return cardo_text_stream_close(&out, CARDO_OK, &r->run->identity, error);
}

/* Opens the files anew, or where the checkpoint left them (counters, NULL: anew). */
static cardo_status open_files(mixed_run *r, const double *counters, cardo_error *error)
{
    cardo_status status;
    char low[96], high[96];
    const cardo_writer *writer = r->run->writer;
    const cardo_model *model = r->run->session->model;
    const char *const sets[] = {low, high}, *const name = cardo_variable_name(r->run->variable);
    const double period = cardo_variable_period(r->run->variable);
    const cardo_column columns[] = {cardo_column_of("cycle", NULL, 0),
                                    cardo_column_of(name, NULL, 0),
                                    cardo_column_of("energy", NULL, 0)};
    const cardo_table_head head = {
        .ncolumn = 3, .columns = columns, .plumed = true, .nset = period > 0 ? 2 : 0, .sets = sets};
    const cardo_trajectory_head frames = {
        .natom = r->hinges.hinges.nstation,
        .structure = model->structure[0].structure,
        .title = model->name,
        .timestep = 1,
        .interval = r->run->options->mixed.trajectory_interval,
    };
    cardo_format(low, sizeof low, "min_%s %.10g", name, -0.5 * period);
    cardo_format(high, sizeof high, "max_%s %.10g", name, 0.5 * period);
    if (!counters)
        CARDO_TRY(cardo_writer_structure(writer, "topology", model->structure[0].structure,
                                         cardo_mixed_positions(r->mixed), error));
    CARDO_TRY(cardo_writer_table(writer, "COLVAR", &head,
                                 counters ? (long long)counters[COLVAR_LENGTH] : -1, &r->colvar,
                                 error));
    status =
        cardo_writer_trajectory(writer, "trajectory", &frames,
                                counters ? (long long)counters[FRAMES] : -1, &r->trajectory, error);
done:
    return status;
}

static cardo_status add_sample(mixed_run *r, double xi, cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&r->xi, &r->room, r->nsample + 1, error);
    if (status == CARDO_OK)
        r->xi[r->nsample++] = xi;
    return status;
}

/* The model is the run's own: what is kept otherwise, another version has kept. */
static cardo_status check_layout(const mixed_run *r, const double *values, size_t n,
                                 cardo_error *error)
{
    const int count = cardo_mixed_value_count(r->mixed);
    if (n >= COUNTERS + (size_t)count && values[SAMPLER_NUMBERS] == count)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s is of a mixed run of another version of Cardo, which kept other numbers "
                      "of it: go on with that version, or begin another run in another folder",
                      CARDO_SAMPLE_CHECKPOINT);
}

/* The sampler as the checkpoint has it, the samples so far, and the files. */
static cardo_status restore(mixed_run *r, cardo_error *error)
{
    cardo_status status;
    char *text = NULL;
    double *values = NULL;
    size_t n;
    const size_t front = COUNTERS + (size_t)cardo_mixed_value_count(r->mixed);
    CARDO_TRY(
        cardo_writer_recall(r->run->writer, CARDO_SAMPLE_CHECKPOINT, &text, &values, &n, error));
    CARDO_TRY(cardo_compare_identities(CARDO_SAMPLE_CHECKPOINT, text, r->run->identity, error));
    CARDO_TRY(check_layout(r, values, n, error));
    CARDO_TRY(cardo_mixed_restore(r->mixed, values + COUNTERS, error));
    for (size_t k = front; k < n; ++k)
        CARDO_TRY(add_sample(r, values[k], error));
    status = open_files(r, values, error);
done:
    cardo_free(text);
    cardo_free(values);
    return status;
}

static cardo_status save(mixed_run *r, cardo_error *error)
{
    cardo_status status;
    double *values = NULL;
    const cardo_writer *writer = r->run->writer;
    const size_t front = COUNTERS + (size_t)cardo_mixed_value_count(r->mixed);
    const size_t n = front + (size_t)r->nsample;
    if (!writer)
        return CARDO_OK;
    CARDO_TRY(cardo_writer_flush(writer, r->colvar, error));
    CARDO_TRY(cardo_writer_flush(writer, r->trajectory, error));
    CARDO_TRY(CARDO_ALLOCATE(&values, n, error));
    values[COLVAR_LENGTH] = (double)cardo_writer_extent(writer, r->colvar);
    values[FRAMES] = (double)cardo_writer_extent(writer, r->trajectory);
    values[SAMPLER_NUMBERS] = cardo_mixed_value_count(r->mixed);
    cardo_mixed_save(r->mixed, values + COUNTERS);
    if (r->nsample > 0)
        memcpy(values + front, r->xi, (size_t)r->nsample * sizeof *values);
    status = cardo_writer_save(writer, CARDO_SAMPLE_CHECKPOINT, r->run->identity,
                               strlen(r->run->identity), values, n, error);
done:
    cardo_free(values);
    return status;
}

/* What a cycle leaves; cycle: after burn-in, from 1. */
static cardo_status record(mixed_run *r, long long cycle, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_mixed_study *study = &r->run->options->mixed;
    const double *positions = cardo_mixed_positions(r->mixed);
    if (cycle % study->interval == 0) {
        double row[3] = {(double)cycle, 0, cardo_mixed_energy(r->mixed)};
        CARDO_TRY(cardo_variable_value_at(r->run->variable, positions, &row[1], error));
        CARDO_TRY(cardo_writer_add(r->run->writer, r->colvar, row, error));
        CARDO_TRY(add_sample(r, row[1], error));
    }
    if (cycle % study->trajectory_interval == 0)
        CARDO_TRY(cardo_writer_add_frame(r->run->writer, r->trajectory, (double)cycle, positions,
                                         NULL, error));
    if (cycle % study->checkpoint_interval == 0)
        status = save(r, error);
done:
    return status;
}

static cardo_status run_cycles(mixed_run *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_listener *listener = &r->run->session->listener;
    const cardo_mixed_study *study = &r->run->options->mixed;
    const long long burn_in = study->moves.burn_in, all = burn_in + study->cycles;
    if (listener->progress)
        listener->progress(listener->user, "cycle", cardo_mixed_cycles(r->mixed), all);
    while (cardo_mixed_cycles(r->mixed) < all && status == CARDO_OK &&
           !(listener->stop && *listener->stop)) {
        status = cardo_mixed_cycle(r->mixed, error);
        if (status == CARDO_OK && cardo_mixed_cycles(r->mixed) > burn_in)
            status = record(r, cardo_mixed_cycles(r->mixed) - burn_in, error);
        if (status == CARDO_OK && listener->progress)
            listener->progress(listener->user, "cycle", cardo_mixed_cycles(r->mixed), all);
    }
    r->interrupted = status == CARDO_OK && cardo_mixed_cycles(r->mixed) < all;
    if (status == CARDO_OK)
        status = save(r, error);
    cardo_writer_keep(r->run->writer, status == CARDO_OK || cardo_mixed_cycles(r->mixed) > 0);
    return status;
}

/* What is going to be done, in lines. */
static void announce(const mixed_run *r)
{
    const sample_run *run = r->run;
    const cardo_session *session = run->session;
    const cardo_mixed_options *m = &run->options->mixed.moves;
    const char *unit = cardo_variable_unit(run->variable);
    const char *named = session->model->forcefield.solvent;
    const char *solvent = strcmp(named, "none") == 0 ? "in vacuum" : named;
    char turns[64] = "";
    if (cardo_mixed_turns(r->mixed) > 0)
        snprintf(turns, sizeof turns, "; turns by any angle, %d", cardo_mixed_turns(r->mixed));
    cardo_tell(&session->listener, CARDO_SAID_NOTE, "sample",
               "%s: %d atoms, hinges of %d bodies (%d degrees of freedom) and all atoms by turns",
               session->model->name, r->hinges.hinges.nstation, r->hinges.hinges.nbody,
               cardo_system_nu(session->system));
    cardo_tell(&session->listener, CARDO_SAID_NOTE, "sample",
               "along %s%s%s%s, without a bias; OpenMM, %s platform%s%s; %g K, seed %lld",
               cardo_variable_name(run->variable), *unit ? " (" : "", unit, *unit ? ")" : "",
               cardo_openmm_provider_platform(r->provider), *solvent ? ", " : "", solvent,
               m->temperature, m->seed);
    cardo_tell(&session->listener, CARDO_SAID_NOTE, "sample",
               "a cycle: all atoms, %d x %d steps; hinges, %d x %d steps%s\n%d cycles of burn-in, "
               "then %lld",
               m->atom_moves, m->atom_flights, m->hinge_moves, m->hinge_flights, turns, m->burn_in,
               run->options->mixed.cycles);
    if (run->writer)
        cardo_tell(&session->listener, CARDO_SAID_NOTE, "sample", "results go to %s/",
                   run->writer->place);
}

static cardo_status begin(mixed_run *r, cardo_error *error)
{
    cardo_status status;
    sample_run *run = r->run;
    CARDO_TRY(cardo_sample_record(run, cardo_writer_check, error));
    if (!run->goes_on)
        CARDO_TRY(cardo_strain_tell(run->session, "the start", false, error));
    CARDO_TRY(make_sampler(r, error));
    CARDO_TRY(cardo_writer_claim(run->writer, error));
    CARDO_TRY(identify(r, error));
    if (run->goes_on)
        CARDO_TRY(restore(r, error));
    CARDO_TRY(cardo_sample_record(run, cardo_writer_begin, error));
    if (!run->goes_on)
        CARDO_TRY(open_files(r, NULL, error));
    announce(r);
done:
    return status;
}

static cardo_status close_files(mixed_run *r, cardo_error *error)
{
    const cardo_writer *writer = r->run->writer;
    cardo_status first = cardo_writer_close(writer, &r->colvar, error);
    cardo_status second =
        cardo_writer_close(writer, &r->trajectory, first == CARDO_OK ? error : NULL);
    return first == CARDO_OK ? second : first;
}

static cardo_status conclude(mixed_run *r, cardo_result *into, cardo_error *error)
{
    char report[512];
    cardo_status status = CARDO_OK;
    cardo_mixed_report(r->mixed, report, sizeof report);
    cardo_result_text(into, &(cardo_quantity){"model"}, r->run->session->model->name);
    cardo_result_text(into, &(cardo_quantity){"method"}, CARDO_MIXED_METHOD);
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, r->interrupted);
    cardo_result_integer(into, &(cardo_quantity){"cycles_done"}, cardo_mixed_cycles(r->mixed));
    cardo_result_integer(into, &(cardo_quantity){"evaluations"}, cardo_mixed_evaluations(r->mixed));
    cardo_result_number(into, &(cardo_quantity){"elapsed_s", "elapsed time", "s", ".1f"},
                        r->run->elapsed);
    cardo_result_text(into, &(cardo_quantity){"report"}, report);
    if (r->interrupted)
        return cardo_result_status(into, error);
    CARDO_TRY(cardo_mixed_profile_fill(r, into, error));
    CARDO_TRY(cardo_writer_result(r->run->writer, into, NULL, error));
    status = cardo_writer_picture(r->run->writer, "free energy", into, error);
done:
    return status;
}

static cardo_status perform(mixed_run *r, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(begin(r, error));
    const double started = cardo_clock();
    CARDO_TRY(run_cycles(r, error));
    r->run->elapsed = cardo_clock() - started;
    CARDO_TRY(close_files(r, error));
    status = conclude(r, into, error);
done:
    return status;
}

cardo_status cardo_sample_mixed(sample_run *run, cardo_result *into, cardo_error *error)
{
    mixed_run r = {.run = run};
    cardo_status status = perform(&r, into, error);
    close_files(&r, NULL);
    cardo_mixed_destroy(r.mixed);
    cardo_force_provider_destroy(r.provider);
    cardo_mixed_hinges_clear(&r.hinges);
    cardo_free(r.xi);
    return status;
}
