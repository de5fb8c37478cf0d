#include "io/tables/plumed_table.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

enum { DIGITS = 10 };

static void append(char *text, const char *word, bool name)
{
    char *end = text + strlen(text);
    for (; *word; ++word)
        *end++ = name && (unsigned char)*word <= ' ' ? '_' : *word;
    *end = '\0';
}

static cardo_status print_header(const cardo_plumed_header *header, char **text, cardo_error *error)
{
    size_t size = 32;
    for (int k = 0; k < header->nfield; ++k)
        size += strlen(header->fields[k]) + 1;
    for (int k = 0; k < header->nset; ++k)
        size += strlen(header->sets[k]) + 16;
    cardo_status status = CARDO_ALLOCATE(text, size, error);
    if (status != CARDO_OK)
        return status;
    append(*text, "#! FIELDS", false);
    for (int k = 0; k < header->nfield; ++k) {
        append(*text, " ", false);
        append(*text, header->fields[k], true);
    }
    append(*text, "\n", false);
    for (int k = 0; k < header->nset; ++k) {
        append(*text, "#! SET ", false);
        append(*text, header->sets[k], false);
        append(*text, "\n", false);
    }
    return CARDO_OK;
}

/* length below 0: a new file. */
static cardo_status open_table(const char *path, const cardo_plumed_header *header,
                               long long length, cardo_table **out, cardo_error *error)
{
    cardo_status status;
    char *text = NULL;
    int *digits = NULL;
    *out = NULL;
    CARDO_TRY(print_header(header, &text, error));
    CARDO_TRY(CARDO_ALLOCATE(&digits, header->nfield, error));
    for (int k = 0; k < header->nfield; ++k)
        digits[k] = DIGITS;
    const cardo_table_layout layout = {text, " ", " ", header->nfield, digits};
    status = length < 0 ? cardo_table_create_as(path, &layout, out, error)
                        : cardo_table_continue_as(path, &layout, length, out, error);
done:
    cardo_free(text);
    cardo_free(digits);
    return status;
}

cardo_status cardo_plumed_table_create(const char *path, const cardo_plumed_header *header,
                                       cardo_table **out, cardo_error *error)
{
    return open_table(path, header, -1, out, error);
}

cardo_status cardo_plumed_table_continue(const char *path, const cardo_plumed_header *header,
                                         long long length, cardo_table **out, cardo_error *error)
{
    return open_table(path, header, length > 0 ? length : 0, out, error);
}
