/* AMBER coordinates: a title, the number of atoms, then columns of twelve characters in angstrom; or
 * NetCDF. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "structure/amber/amber.h"
#include "structure/amber/netcdf.h"

#include <limits.h>
#include <string.h>

enum { COLUMN = 12 };

/* The number at the start of the second line. */
static bool read_count(const cardo_line *line, int *count)
{
    int start = 0, length = 0;
    while (start < line->length && line->text[start] == ' ')
        ++start;
    while (start + length < line->length && line->text[start + length] != ' ')
        ++length;
    return cardo_parse_int(line->text + start, length, count);
}

static cardo_status read_columns(const char *path, const char *next, const char *end,
                                 cardo_line *line, int count, double *position, cardo_error *error)
{
    int n = 0;
    while (n < count && cardo_next_line(&next, end, line))
        for (int column = 0; column + 1 < line->length && n < count; column += COLUMN, ++n) {
            int left = line->length - column, width = left < COLUMN ? left : COLUMN;
            if (!cardo_parse_double(line->text + column, width, &position[n]))
                return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: \"%.*s\" is no coordinate",
                                  path, line->number, width, line->text + column);
            position[n] *= CARDO_ANGSTROM;
        }
    if (n < count)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: it has %d of %d coordinates", path, n,
                          count);
    return CARDO_OK;
}

static cardo_status read_text(const char *path, const char *text, size_t length, int natom,
                              double *position, cardo_error *error)
{
    const char *next = text, *end = text + length;
    cardo_line line = {.number = 0};
    int count = 0;
    if (!cardo_next_line(&next, end, &line) || !cardo_next_line(&next, end, &line) ||
        !read_count(&line, &count) || count != natom)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:2: expected the number of atoms, which is %d in the topology", path,
                          natom);
    return read_columns(path, next, end, &line, 3 * natom, position, error);
}

cardo_status cardo_amber_coordinates_read(const char *path, int natom, double *position,
                                          cardo_error *error)
{
    char *text = NULL;
    size_t length = 0;
    long long outer = cardo_file_limit_begin(path);
    cardo_status status = cardo_read_file(path, INT_MAX, &text, &length, error);
    if (status == CARDO_OK)
        status = cardo_is_netcdf(text, length)
                     ? cardo_amber_netcdf_read(path, text, length, natom, position, error)
                     : read_text(path, text, length, natom, position, error);
    cardo_free(text);
    return cardo_file_limit_end(outer, path, status, error);
}
