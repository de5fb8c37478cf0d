#include "study/sample/checkpoint.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/output.h"
#include "multibody/manifold/description.h"
#include "sampling/methods/method.h"
#include "study/session/facts.h"

#include <string.h>

static void add_facts(const sample_run *run, cardo_result *facts)
{
    char members[64];
    const cardo_sample_options *o = run->options;
    cardo_session_facts(run->session, facts);
    cardo_result_text(facts, &(cardo_quantity){"method"},
                      o->method ? cardo_sampling_method_name(o->method) : CARDO_MIXED_METHOD);
    if (o->method)
        cardo_result_text(facts, &(cardo_quantity){"integrator"}, o->integrator->name);
    cardo_result_integer(facts, &(cardo_quantity){"seed"},
                         o->method ? o->simulation.seed : o->mixed.moves.seed);
    cardo_result_text(facts, &(cardo_quantity){"team"},
                      cardo_communicator_describe(run->communicator, members));
}

cardo_status cardo_sample_record(const sample_run *run, cardo_tell_record tell, cardo_error *error)
{
    cardo_result *facts;
    cardo_option_target target[CARDO_SAMPLE_TABLES];
    cardo_record_options options[CARDO_SAMPLE_TABLES];
    const int n = cardo_sample_tables(run->options, target);
    cardo_status status = run->writer ? cardo_result_create(&facts, error) : CARDO_OK;
    if (!run->writer || status != CARDO_OK)
        return status;
    add_facts(run, facts);
    for (int t = 0; t < n; ++t)
        options[t] = (cardo_record_options){target[t].fields, target[t].object};
    const cardo_record record = {
        .study = "sample", .facts = facts, .noption = n, .options = options};
    status = tell(run->writer, &record, error);
    cardo_result_destroy(facts);
    return status;
}

cardo_status cardo_sample_identify(sample_run *run, cardo_error *error)
{
    cardo_text_stream out;
    cardo_option_target target[CARDO_SAMPLE_TABLES];
    const int n = cardo_sample_tables(run->options, target);
    cardo_status status = cardo_text_stream_open(&out, error);
    if (status != CARDO_OK)
        return status;
    fputs("study sample\n", out.stream);
    status = cardo_write_model_description(out.stream, run->session->system, run->session->provider,
                                           error);
    fprintf(out.stream, "%smethod %s\nintegrator %s\n", run->forces,
            cardo_sampling_method_name(run->options->method), run->options->integrator->name);
    for (int t = 0; t < n; ++t)
        cardo_fields_identity(out.stream, "sample.", target[t].fields, target[t].object);
    return cardo_text_stream_close(&out, status, &run->identity, error);
}

/* Numbers before the study's own. */
static size_t length_count(const sample_run *run)
{
    return (size_t)cardo_replicas_count(run->replicas) * CARDO_SERIES_LENGTHS;
}

cardo_status cardo_sample_save(sample_run *run, cardo_error *error)
{
    cardo_status status;
    double *values = NULL;
    const size_t nlength = length_count(run);
    const size_t n = nlength + cardo_replicas_value_count(run->replicas);
    if (!run->writer)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&values, n, error));
    for (int r = 0; r < cardo_replicas_count(run->replicas); ++r)
        if (cardo_replicas_are_prepared(run->replicas))
            CARDO_TRY(cardo_sample_series_save(&run->series[r], values + r * CARDO_SERIES_LENGTHS,
                                               error));
    cardo_replicas_save(run->replicas, values + nlength);
    status = cardo_writer_save(run->writer, CARDO_SAMPLE_CHECKPOINT, run->identity,
                               strlen(run->identity), values, n, error);
    run->written = cardo_clock();
done:
    cardo_free(values);
    return status;
}

cardo_status cardo_sample_recall(sample_run *run, cardo_error *error)
{
    cardo_status status;
    char *text = NULL;
    double *values = NULL;
    size_t n;
    const size_t nlength = length_count(run);
    CARDO_TRY(cardo_writer_recall(run->writer, CARDO_SAMPLE_CHECKPOINT, &text, &values, &n, error));
    CARDO_TRY(cardo_compare_identities(CARDO_SAMPLE_CHECKPOINT, text, run->identity, error));
    CARDO_TRY(cardo_replicas_restore(run->replicas, values + nlength, n > nlength ? n - nlength : 0,
                                     error));
    if (run->first && cardo_replicas_are_prepared(run->replicas))
        for (int r = 0; r < cardo_replicas_count(run->replicas); ++r)
            CARDO_TRY(
                cardo_sample_series_open(&run->series[r], cardo_replicas_study(run->replicas, r), r,
                                         run->writer, values + r * CARDO_SERIES_LENGTHS, error));
done:
    cardo_free(text);
    cardo_free(values);
    return status;
}
