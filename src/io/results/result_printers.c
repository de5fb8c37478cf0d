#include "base/memory.h"
#include "base/output.h"
#include "io/results/result_printer.h"

#include "cardo/files.h"

#include <string.h>

const cardo_result_printer *const cardo_result_printers[] = {
    &cardo_printer_text, &cardo_printer_described, &cardo_printer_json,
    &cardo_printer_csv,  &cardo_printer_npy,       NULL};

cardo_status cardo_result_write(const cardo_result *part, const cardo_result_printer *printer,
                                const char *path, cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status == CARDO_OK)
        status = printer->print(part, output.stream, error);
    if (status == CARDO_OK)
        return cardo_output_commit(&output, error);
    cardo_output_abandon(&output);
    return status;
}

/* Whether a path is, or ends in a dot or slash and then, this ending. */
static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcmp(path + n - m, ending) == 0 &&
           (n == m || path[n - m - 1] == '/' || path[n - m - 1] == '.');
}

/* The printer whose files end as this name does, or NULL: the first, so that longer endings stand before. */
static const cardo_result_printer *printer_of(const char *name)
{
    for (const cardo_result_printer *const *p = cardo_result_printers; *p; ++p)
        if (ends_in(name, (*p)->extension))
            return *p;
    return NULL;
}

cardo_status cardo_result_print(const cardo_result *part, const char *form, FILE *stream,
                                cardo_error *error)
{
    for (const cardo_result_printer *const *p = cardo_result_printers; *p; ++p)
        if (strcmp((*p)->name, form) == 0)
            return (*p)->print(part, stream, error);
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s: no results are printed as that", form);
}

cardo_status cardo_result_store(const cardo_result *part, const char *path, cardo_error *error)
{
    const cardo_result_printer *printer = printer_of(path);
    return printer ? cardo_result_write(part, printer, path, error)
                   : CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%s: no results are printed as that",
                                path);
}

static cardo_status write_file(const cardo_result *part, const char *folder, const char *name,
                               cardo_error *error)
{
    char *path;
    const size_t size = strlen(folder) + strlen(name) + 2;
    cardo_status status = CARDO_ALLOCATE(&path, size, error);
    if (status != CARDO_OK)
        return status;
    snprintf(path, size, "%s/%s", folder, name);
    status = cardo_result_store(part, path, error);
    cardo_free(path);
    return status;
}

cardo_status cardo_result_write_files(const cardo_result *part, const char *folder,
                                      cardo_error *error)
{
    const char *name = cardo_result_file_of(part, NULL);
    cardo_status status = name ? write_file(part, folder, name, error) : CARDO_OK;
    for (int k = 0; k < cardo_result_count(part) && status == CARDO_OK; ++k)
        status = cardo_result_write_files(cardo_result_part(part, k), folder, error);
    return status;
}
