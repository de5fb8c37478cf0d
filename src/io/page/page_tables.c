#include "io/page/page_tables.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/text.h"
#include "io/run/folder_writer.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_FILES = 40,
    MOST_COLUMNS = 4096,
    LONG = 300000,
    MOST = 2600000,
    MOST_ROWS = 2500,
    LARGEST = 1 << 30
};

/* What is told of a table's size before it is copied. */
typedef struct extent {
    long long rows;
    bool is_long;
    long long step;
} extent;

/* Whether a heading, "u elbow (1/ps)" without its unit, is one of the speeds.
 */
static bool is_speed(const char *heading, size_t length, const cardo_json *speeds)
{
    for (int k = 0; k < cardo_json_length(speeds); ++k) {
        const char *name = cardo_json_text_at(speeds, k);
        const size_t n = name ? strlen(name) : 0;
        if (n > 0 && n <= length && strncmp(heading, name, n) == 0 &&
            (n == length || strncmp(heading + n, " (", 2) == 0))
            return true;
    }
    return false;
}

/* The cell at text ends at a comma outside of quotes, or at the end of the
 * line. */
static size_t cell_length(const char *text)
{
    size_t n = 0;
    bool quoted = false;
    while (text[n] && (quoted || (text[n] != ',' && text[n] != '\n'))) {
        quoted ^= text[n] == '"';
        ++n;
    }
    return n;
}

static void put_cell(FILE *stream, const char *cell, size_t length, bool shorten)
{
    double value;
    char text[32];
    if (shorten && length > 8 && cardo_parse_double(cell, (int)length, &value)) {
        cardo_format(text, sizeof text, "%.7g", value);
        fputs(text, stream);
    } else {
        fwrite(cell, 1, length, stream);
    }
}

/* One line without the columns that are left out; returns where the next
 * begins. */
static const char *put_line(FILE *stream, const char *line, const bool *left_out, bool shorten)
{
    bool first = true;
    for (int column = 0;; ++column) {
        const size_t n = cell_length(line);
        const bool end = line[n] != ',';
        if (column >= MOST_COLUMNS || !left_out[column]) {
            if (!first)
                fputc(',', stream);
            put_cell(stream, line, n, shorten);
            first = false;
        }
        line += n + (line[n] != '\0');
        if (end)
            break;
    }
    fputc('\n', stream);
    return line;
}

static extent measure(const char *text, size_t size)
{
    extent e = {.rows = -1, .is_long = size > LONG, .step = 1};
    for (const char *at = text; *at; ++at)
        e.rows += *at == '\n';
    e.step = e.rows / MOST_ROWS + 1;
    return e;
}

static cardo_status put_table(const char *text, const cardo_json *speeds, const extent *e,
                              FILE *stream, cardo_error *error)
{
    bool *left_out;
    cardo_status status = CARDO_ALLOCATE(&left_out, MOST_COLUMNS, error);
    if (status != CARDO_OK)
        return status;
    const char *at = text;
    for (int column = 0; e->is_long && column < MOST_COLUMNS && *at && *at != '\n'; ++column) {
        const size_t n = cell_length(at);
        left_out[column] = is_speed(at, n, speeds);
        at += n + (at[n] == ',');
    }
    const char *line = put_line(stream, text, left_out, false);
    for (long long row = 0; *line; ++row) {
        if (row % e->step == 0) {
            line = put_line(stream, line, left_out, e->is_long);
            continue;
        }
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "";
    }
    cardo_free(left_out);
    return CARDO_OK;
}

/* The table as a text of its own; the caller owns *out. */
static cardo_status carry(const char *text, const cardo_json *speeds, const extent *e, char **out,
                          cardo_error *error)
{
    cardo_text_stream stream = {0};
    cardo_status status = cardo_text_stream_open(&stream, error);
    if (status != CARDO_OK)
        return status;
    status = put_table(text, speeds, e, stream.stream, error);
    return cardo_text_stream_close(&stream, status, out, error);
}

static cardo_status add_table(const char *folder, const char *name, const cardo_json *speeds,
                              cardo_json *into, cardo_error *error)
{
    cardo_status status;
    char *path = NULL, *text = NULL, *carried = NULL;
    size_t size;
    CARDO_TRY(cardo_folder_path(folder, name, NULL, &path, error));
    CARDO_TRY(cardo_read_file(path, LARGEST, &text, &size, error));
    if (size == 0)
        goto done;
    extent e = measure(text, size);
    CARDO_TRY(carry(text, speeds, &e, &carried, error));
    const long long length = (long long)strlen(carried);
    if (length > MOST) {
        e.step *= (length + MOST - 1) / MOST;
        cardo_free(carried);
        carried = NULL;
        CARDO_TRY(carry(text, speeds, &e, &carried, error));
    }
    cardo_json *one = cardo_json_object();
    cardo_json_string(one, "file", name);
    cardo_json_integer(one, "rows", e.rows);
    cardo_json_integer(one, "step", e.step);
    cardo_json_string(one, "text", carried);
    cardo_json_put(into, NULL, one);
done:
    cardo_free(path);
    cardo_free(text);
    cardo_free(carried);
    return status;
}

/* By their bytes, whatever the locale. */
static int by_name(const struct dirent **one, const struct dirent **other)
{
    return strcmp((*one)->d_name, (*other)->d_name);
}

static int is_table(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".csv") == 0;
}

cardo_status cardo_page_tables(const char *folder, const cardo_json *motion, cardo_json **out,
                               cardo_error *error)
{
    struct dirent **entries;
    const cardo_json *speeds = motion ? cardo_json_member(motion, "speeds") : NULL;
    const int n = scandir(folder, &entries, is_table, by_name);
    cardo_status status = CARDO_OK;
    if (n < 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: is no folder that can be read", folder);
    *out = cardo_json_array();
    for (int k = 0; k < n; ++k) {
        if (status == CARDO_OK && k < MOST_FILES)
            status = add_table(folder, entries[k]->d_name, speeds, *out, error);
        free(entries[k]);
    }
    free(entries);
    return status;
}

cardo_status cardo_page_table(const char *path, cardo_json **out, cardo_error *error)
{
    char *folder = NULL;
    const char *slash = strrchr(path, '/');
    cardo_status status = cardo_copy_string(&folder, slash ? path : ".", error);
    if (status != CARDO_OK)
        return status;
    if (slash)
        folder[slash - path] = '\0';
    *out = cardo_json_array();
    status = add_table(folder[0] ? folder : "/", slash ? slash + 1 : path, NULL, *out, error);
    cardo_free(folder);
    return status;
}
