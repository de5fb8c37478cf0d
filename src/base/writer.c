#include "base/writer.h"

bool cardo_writer_goes_on(const cardo_writer *writer)
{
    return writer && writer->goes_on;
}

cardo_status cardo_writer_check(const cardo_writer *writer, const cardo_record *record,
                                cardo_error *error)
{
    return writer && writer->check ? writer->check(writer->user, record, error) : CARDO_OK;
}

cardo_status cardo_writer_claim(const cardo_writer *writer, cardo_error *error)
{
    return writer && writer->claim ? writer->claim(writer->user, error) : CARDO_OK;
}

cardo_status cardo_writer_begin(const cardo_writer *writer, const cardo_record *record,
                                cardo_error *error)
{
    return writer && writer->begin ? writer->begin(writer->user, record, error) : CARDO_OK;
}

void cardo_writer_keep(const cardo_writer *writer, bool worth)
{
    if (writer && writer->keep)
        writer->keep(writer->user, worth);
}

cardo_status cardo_writer_table(const cardo_writer *writer, const char *name,
                                const cardo_table_head *head, long long extent, cardo_series **out,
                                cardo_error *error)
{
    *out = NULL;
    return writer && writer->open_table
               ? writer->open_table(writer->user, name, head, extent, out, error)
               : CARDO_OK;
}

cardo_status cardo_writer_trajectory(const cardo_writer *writer, const char *stem,
                                     const cardo_trajectory_head *head, long long extent,
                                     cardo_series **out, cardo_error *error)
{
    *out = NULL;
    return writer && writer->open_trajectory
               ? writer->open_trajectory(writer->user, stem, head, extent, out, error)
               : CARDO_OK;
}

cardo_status cardo_writer_add(const cardo_writer *writer, cardo_series *table, const double *values,
                              cardo_error *error)
{
    return table ? writer->add(table, 0, values, NULL, error) : CARDO_OK;
}

cardo_status cardo_writer_add_frame(const cardo_writer *writer, cardo_series *trajectory,
                                    double time, const double *positions, const double *velocities,
                                    cardo_error *error)
{
    return trajectory ? writer->add(trajectory, time, positions, velocities, error) : CARDO_OK;
}

cardo_status cardo_writer_flush(const cardo_writer *writer, cardo_series *series,
                                cardo_error *error)
{
    return series ? writer->flush(series, error) : CARDO_OK;
}

long long cardo_writer_extent(const cardo_writer *writer, const cardo_series *series)
{
    return series ? writer->extent(series) : 0;
}

cardo_status cardo_writer_close(const cardo_writer *writer, cardo_series **series,
                                cardo_error *error)
{
    cardo_series *closing = *series;
    *series = NULL;
    return closing ? writer->close(closing, error) : CARDO_OK;
}

cardo_status cardo_writer_print(const cardo_writer *writer, const char *name,
                                cardo_print_file print, const void *self, cardo_error *error)
{
    return writer && writer->print ? writer->print(writer->user, name, print, self, error)
                                   : CARDO_OK;
}

cardo_status cardo_writer_structure(const cardo_writer *writer, const char *stem,
                                    const struct cardo_structure *structure,
                                    const double *positions, cardo_error *error)
{
    return writer && writer->structure
               ? writer->structure(writer->user, stem, structure, positions, error)
               : CARDO_OK;
}

cardo_status cardo_writer_result(const cardo_writer *writer, const cardo_result *part,
                                 const char *name, cardo_error *error)
{
    return writer && writer->result ? writer->result(writer->user, part, NULL, name, error)
                                    : CARDO_OK;
}

cardo_status cardo_writer_nested(const cardo_writer *writer, const cardo_result *table,
                                 const char *nested, const char *name, cardo_error *error)
{
    return writer && writer->result ? writer->result(writer->user, table, nested, name, error)
                                    : CARDO_OK;
}

cardo_status cardo_writer_picture(const cardo_writer *writer, const char *kind,
                                  const cardo_result *result, cardo_error *error)
{
    return writer && writer->picture ? writer->picture(writer->user, kind, result, error)
                                     : CARDO_OK;
}

cardo_status cardo_writer_save(const cardo_writer *writer, const char *name, const char *text,
                               size_t length, const double *values, size_t nvalue,
                               cardo_error *error)
{
    return writer && writer->save
               ? writer->save(writer->user, name, text, length, values, nvalue, error)
               : CARDO_OK;
}

cardo_status cardo_writer_recall(const cardo_writer *writer, const char *name, char **text,
                                 double **values, size_t *nvalue, cardo_error *error)
{
    *text = NULL;
    *values = NULL;
    *nvalue = 0;
    return writer && writer->recall
               ? writer->recall(writer->user, name, text, values, nvalue, error)
               : CARDO_OK;
}

cardo_status cardo_writer_open_part(const cardo_writer *writer, const cardo_part *part,
                                    const cardo_writer **out, cardo_error *error)
{
    *out = NULL;
    return writer && writer->open_part ? writer->open_part(writer->user, part, out, error)
                                       : CARDO_OK;
}

void cardo_writer_close_part(const cardo_writer *writer, const cardo_writer *part)
{
    if (part)
        writer->close_part(part);
}
