#include "base/letters.h"
#include "structure/records/format.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "structure/amber/amber.h"
#include "structure/pdb/pdb.h"
#include "structure/records/copies.h"

#include <limits.h>
#include <string.h>

const cardo_structure_format *const cardo_structure_formats[] = {
    &cardo_format_mmcif,
    &cardo_format_pdb,
    NULL,
};

static const cardo_structure_format *format_of_text(const char *text, size_t length)
{
    const cardo_structure_format *const *format = cardo_structure_formats;
    while (format[1] && !(*format)->detect(text, length))
        ++format;
    return *format;
}

/* Model 1 is also the only model of a file that gives it another number: many writers count from 0.
 */
static cardo_status read_text(const char *text, size_t length, const char *name,
                              const cardo_read_options *options, cardo_records *records,
                              cardo_error *error)
{
    const cardo_structure_format *format = format_of_text(text, length);
    cardo_read_options any = *options;
    cardo_status status = format->read(text, length, name, options, records, error);
    if (status == CARDO_OK || options->model != 1 || records->nrecord > 0 || records->nmodel != 1)
        return status;
    cardo_records_destroy(records);
    any.model = 0;
    return format->read(text, length, name, &any, records, error);
}

cardo_status cardo_records_read(const char *path, const cardo_read_options *options,
                                cardo_records *records, cardo_error *error)
{
    char *text = NULL;
    size_t length;
    cardo_status status = cardo_read_file(path, INT_MAX, &text, &length, error);
    if (status == CARDO_OK)
        status = read_text(text, length, path, options, records, error);
    cardo_free(text);
    return status;
}

cardo_status cardo_records_read_built(const char *path, const cardo_read_options *options,
                                      long long *outer, cardo_records *records, cardo_error *error)
{
    cardo_status status = cardo_records_read(path, options, records, error);
    if (!options->assembly)
        return status;
    /* many copies of few atoms: what a file may take ends here */
    status = cardo_file_limit_end(*outer, path, status, error);
    *outer = cardo_memory_limit_begin(LLONG_MAX);
    return status == CARDO_OK
               ? cardo_records_build_assembly(records, path, options->assembly, error)
               : status;
}

cardo_status cardo_structure_read_as(const char *path, const cardo_read_options *options,
                                     cardo_structure **out, cardo_error *error)
{
    cardo_records records = {0};
    *out = NULL;
    long long outer = cardo_file_limit_begin(path);
    cardo_status status = CARDO_OK;
    if (cardo_is_prmtop(path)) {
        status = cardo_amber_structure_read(path, options->coordinates, out, error);
    } else {
        status = cardo_records_read_built(path, options, &outer, &records, error);
        if (status == CARDO_OK)
            status = cardo_structure_assemble(&records, path, out, error);
        cardo_records_destroy(&records);
    }
    return cardo_file_limit_end(outer, path, status, error);
}

cardo_status cardo_structure_read(const char *path, int model, cardo_structure **out,
                                  cardo_error *error)
{
    return cardo_structure_read_as(path, &(cardo_read_options){.model = model}, out, error);
}

static const cardo_structure_format *format_of_path(const char *path)
{
    const char *extension = strrchr(path, '.');
    if (!extension || strchr(extension, '/'))
        return &cardo_format_pdb;
    size_t length = strlen(extension);
    for (int i = 0; cardo_structure_formats[i]; ++i)
        for (const char *p = cardo_structure_formats[i]->extensions; *p; p += strcspn(p, " ")) {
            p += strspn(p, " ");
            if (strcspn(p, " ") == length && cardo_same_start(p, extension, length))
                return cardo_structure_formats[i];
        }
    return &cardo_format_pdb;
}

bool cardo_path_is_mmcif(const char *path)
{
    return format_of_path(path) == &cardo_format_mmcif;
}

cardo_status cardo_structure_write(const char *path, const cardo_structure *structure,
                                   const double *positions, cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = CARDO_OK;
    CARDO_TRY(cardo_output_open(&output, path, error));
    CARDO_TRY(format_of_path(path)->write(output.stream, structure, positions, error));
    status = cardo_output_commit(&output, error);
done:
    cardo_output_abandon(&output);
    return status;
}
