/* AMBER coordinates: a title, the number of atoms, then columns of twelve characters in angstrom. */
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "forcefield/prmtop.h"

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

cardo_status cardo_inpcrd_read(const char *path, int natom, double *position, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *text = NULL;
    size_t length = 0;
    cardo_line line = {.number = 0};
    int count = 0;
    CARDO_TRY(cardo_read_file(path, 0, &text, &length, error));
    const char *next = text, *end = text + length;
    if (length >= 3 && memcmp(text, "CDF", 3) == 0) {
        status = CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                            "%s: NetCDF restarts are not supported: write an ASCII one (cpptraj: "
                            "trajout x.rst7 restart)",
                            path);
        goto done;
    }
    if (!cardo_next_line(&next, end, &line) || !cardo_next_line(&next, end, &line) ||
        !read_count(&line, &count) || count != natom) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s:2: expected the number of atoms, which is %d in the topology", path,
                            natom);
        goto done;
    }
    CARDO_TRY(read_columns(path, next, end, &line, 3 * natom, position, error));
done:
    cardo_free(text);
    return status;
}
