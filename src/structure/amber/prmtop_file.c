#include "structure/amber/prmtop_file.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <string.h>

/* Width of the values of "%FORMAT(5E16.8)": the number after the letter; 0: none. */
static int format_width(const cardo_line *line)
{
    const char *open = memchr(line->text, '(', (size_t)line->length);
    const char *end = line->text + line->length;
    int width = 0;
    if (!open)
        return 0;
    for (++open; open < end && *open >= '0' && *open <= '9'; ++open)
        continue;
    if (open == end || !strchr("aAiIeEfF", *open))
        return 0;
    for (++open; open < end && *open >= '0' && *open <= '9' && width < 1000; ++open)
        width = 10 * width + (*open - '0');
    return width;
}

static bool starts_with(const cardo_line *line, const char *word)
{
    size_t length = strlen(word);
    return (size_t)line->length >= length && memcmp(line->text, word, length) == 0;
}

static cardo_status add_section(cardo_prmtop_file *file, const cardo_line *line, cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&file->section, &file->capacity, file->nsection + 1, error);
    if (status != CARDO_OK)
        return status;
    cardo_prmtop_section *s = &file->section[file->nsection++];
    const char *end = line->text + line->length;
    *s = (cardo_prmtop_section){.name = line->text + 5, .line = line->number};
    while (s->name < end && *s->name == ' ')
        ++s->name;
    while (s->name + s->name_length < end && s->name[s->name_length] != ' ')
        ++s->name_length;
    s->start = s->end = end;
    return CARDO_OK;
}

cardo_status cardo_prmtop_file_read(const char *path, cardo_prmtop_file *file, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    size_t length = 0;
    cardo_line line = {.number = 0};
    file->path = path;
    CARDO_TRY(cardo_read_file(path, 0, &file->text, &length, error));
    const char *next = file->text, *end = file->text + length;
    while (cardo_next_line(&next, end, &line)) {
        cardo_prmtop_section *last = file->nsection ? &file->section[file->nsection - 1] : NULL;
        if (starts_with(&line, "%FLAG")) {
            CARDO_TRY(add_section(file, &line, error));
        } else if (last && starts_with(&line, "%FORMAT")) {
            last->width = format_width(&line);
            last->start = last->end = next;
        } else if (last && line.length > 0 && line.text[0] != '%') {
            last->end = line.text + line.length;
        }
    }
    if (file->nsection == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: there is no %%FLAG: it is not an AMBER topology (prmtop) of "
                            "AMBER 7 or later",
                            path);
done:
    return status;
}

void cardo_prmtop_file_clear(cardo_prmtop_file *file)
{
    cardo_free(file->text);
    cardo_free(file->section);
    *file = (cardo_prmtop_file){0};
}

const cardo_prmtop_section *cardo_prmtop_section_find(const cardo_prmtop_file *file,
                                                      const char *name)
{
    for (int k = 0; k < file->nsection; ++k)
        if ((size_t)file->section[k].name_length == strlen(name) &&
            memcmp(file->section[k].name, name, strlen(name)) == 0)
            return &file->section[k];
    return NULL;
}

/* Stores the value in a column of text; false when it is none of its kind. */
typedef bool (*store_value)(void *out, int index, const char *text, int length);

static bool store_integer(void *out, int index, const char *text, int length)
{
    return cardo_parse_int(text, length, (int *)out + index);
}

static bool store_number(void *out, int index, const char *text, int length)
{
    return cardo_parse_double(text, length, (double *)out + index);
}

static bool store_name(void *out, int index, const char *text, int length)
{
    cardo_name *name = (cardo_name *)out + index;
    while (length > 0 && text[0] == ' ')
        ++text, --length;
    while (length > 0 && text[length - 1] == ' ')
        --length;
    if (length >= CARDO_NAME_SIZE)
        return false;
    memset(name, 0, sizeof *name);
    memcpy(name->text, text, (size_t)length);
    return true;
}

/* Finds the section and checks that its text can hold that many values, before memory is asked for. */
static cardo_status find_section(const cardo_prmtop_file *file, const char *name, int count,
                                 const cardo_prmtop_section **out, cardo_error *error)
{
    const cardo_prmtop_section *s = *out = cardo_prmtop_section_find(file, name);
    if (!s)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: there is no %%FLAG %s", file->path, name);
    if (s->width < 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: %%FLAG %s has no %%FORMAT such as (10I8)", file->path, s->line,
                          name);
    if (count < 0 || count > s->end - s->start)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %%FLAG %s is too short for %d values",
                          file->path, s->line, name, count);
    return CARDO_OK;
}

static cardo_status read_values(const cardo_prmtop_file *file, const cardo_prmtop_section *s,
                                int count, store_value store, void *out, cardo_error *error)
{
    const char *next = s->start;
    cardo_line line = {.number = s->line + 1};
    int n = 0;
    while (n < count && cardo_next_line(&next, s->end, &line))
        for (int column = 0; column < line.length && n < count && line.text[0] != '%';
             column += s->width, ++n) {
            int left = line.length - column, width = left < s->width ? left : s->width;
            if (!store(out, n, line.text + column, width))
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "%s:%d: \"%.*s\" in %%FLAG %.*s is no value of its kind",
                                  file->path, line.number, width, line.text + column,
                                  s->name_length, s->name);
        }
    if (n < count)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %%FLAG %.*s has %d values, not %d",
                          file->path, s->line, s->name_length, s->name, n, count);
    return CARDO_OK;
}

cardo_status cardo_prmtop_integers(const cardo_prmtop_file *file, const char *name, int count,
                                   int **out, cardo_error *error)
{
    const cardo_prmtop_section *s;
    cardo_status status = find_section(file, name, count, &s, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(out, count, error);
    return status == CARDO_OK ? read_values(file, s, count, store_integer, *out, error) : status;
}

cardo_status cardo_prmtop_numbers(const cardo_prmtop_file *file, const char *name, int count,
                                  double **out, cardo_error *error)
{
    const cardo_prmtop_section *s;
    cardo_status status = find_section(file, name, count, &s, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(out, count, error);
    return status == CARDO_OK ? read_values(file, s, count, store_number, *out, error) : status;
}

cardo_status cardo_prmtop_names(const cardo_prmtop_file *file, const char *name, int count,
                                cardo_name **out, cardo_error *error)
{
    const cardo_prmtop_section *s;
    cardo_status status = find_section(file, name, count, &s, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(out, count, error);
    return status == CARDO_OK ? read_values(file, s, count, store_name, *out, error) : status;
}
