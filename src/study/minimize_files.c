#include "study/minimize_files.h"

#include "base/memory.h"
#include "base/number.h"
#include "multibody/quantities/columns.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "study/session/facts.h"

#include <string.h>

enum { BEFORE_COORDINATES = 5 };

static cardo_status record(const cardo_session *session, const cardo_minimize_options *options,
                           cardo_error *error)
{
    const cardo_record_options tables[] = {{cardo_minimization_fields, &options->minimization},
                                           {cardo_overlap_fields, &options->overlaps}};
    cardo_result *facts;
    cardo_status status = cardo_result_create(&facts, error);
    if (status != CARDO_OK)
        return status;
    cardo_session_facts(session, facts);
    status = cardo_writer_begin(
        options->writer,
        &(cardo_record){.study = "minimize", .facts = facts, .noption = 2, .options = tables},
        error);
    cardo_result_destroy(facts);
    return status;
}

static cardo_status open_table(const cardo_session *session, cardo_minimize_table *table,
                               cardo_error *error)
{
    const cardo_column first[BEFORE_COORDINATES] = {
        cardo_column_of("iteration", "", 0), cardo_column_of("stage", "", 0),
        cardo_column_of("potential", "kJ/mol", 12), cardo_column_of("largest force", "", 8),
        cardo_column_of("rms force", "", 8)};
    cardo_status status;
    cardo_column *columns = NULL;
    table->nq = cardo_system_nq(session->system);
    const int n = BEFORE_COORDINATES + table->nq;
    CARDO_TRY(CARDO_ALLOCATE(&columns, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&table->row, n, error));
    memcpy(columns, first, sizeof first);
    cardo_coordinate_columns(session->system, columns + BEFORE_COORDINATES);
    status = cardo_writer_table(table->writer, "minimization.csv",
                                &(cardo_table_head){.ncolumn = n, .columns = columns}, -1,
                                &table->series, error);
done:
    cardo_free(columns);
    return status;
}

cardo_status cardo_minimize_begin(const cardo_session *session,
                                  const cardo_minimize_options *options,
                                  cardo_minimize_table *table, cardo_error *error)
{
    *table = (cardo_minimize_table){.writer = options->writer};
    if (!options->writer)
        return CARDO_OK;
    cardo_status status = record(session, options, error);
    return status == CARDO_OK ? open_table(session, table, error) : status;
}

cardo_status cardo_minimize_row(cardo_minimize_table *table, int stage,
                                const cardo_minimization_frame *frame, cardo_error *error)
{
    if (!table->series)
        return CARDO_OK;
    table->row[0] = (double)table->rows++;
    table->row[1] = stage;
    table->row[2] = frame->potential;
    table->row[3] = frame->largest_force;
    table->row[4] = frame->rms_force;
    memcpy(table->row + BEFORE_COORDINATES, cardo_state_q(frame->state),
           (size_t)table->nq * sizeof *table->row);
    return cardo_writer_add(table->writer, table->series, table->row, error);
}

cardo_status cardo_minimize_table_close(cardo_minimize_table *table, cardo_error *error)
{
    cardo_free(table->row);
    table->row = NULL;
    return cardo_writer_close(table->writer, &table->series, error);
}

static cardo_status write_structure(const cardo_session *session, const cardo_writer *writer,
                                    cardo_error *error)
{
    cardo_status status;
    double *positions = NULL;
    const cardo_system *system = session->system;
    CARDO_TRY(CARDO_ALLOCATE(&positions, 3 * (size_t)cardo_system_nstation(system), error));
    CARDO_TRY(cardo_station_positions(system, session->state, positions, error));
    status = cardo_writer_structure(writer, "minimized", session->model->structure[0].structure,
                                    positions, error);
done:
    cardo_free(positions);
    return status;
}

static cardo_status print_coordinates(const void *self, FILE *stream, cardo_error *error)
{
    (void)error;
    const cardo_session *session = self;
    const double *q = cardo_state_q(session->state);
    char name[CARDO_COORDINATE_NAME];
    fputs("coordinate,value\n", stream);
    for (int k = 0; k < cardo_system_nq(session->system); ++k)
        cardo_print(stream, "%s,%.17g\n", cardo_coordinate_name(session->system, k, name), q[k]);
    return CARDO_OK;
}

cardo_status cardo_minimize_write(const cardo_session *session, const cardo_writer *writer,
                                  const cardo_result *result, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!writer)
        return CARDO_OK;
    CARDO_TRY(write_structure(session, writer, error));
    CARDO_TRY(cardo_writer_print(writer, "coordinates.csv", print_coordinates, session, error));
    if (cardo_result_as_integers(cardo_result_find(result, "iterations"))[0] > 0)
        status = cardo_writer_picture(writer, "minimization", result, error);
    cardo_writer_keep(writer, status == CARDO_OK);
done:
    return status;
}
