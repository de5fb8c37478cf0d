#include "io/tables/force_table_file.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_AXES = CARDO_TABLE_MOST_AXES, MOST_COLUMNS = MOST_AXES + (1 << MOST_AXES) };

static const char magic[] = "# cardo-force-table 2";

static void split_node(const cardo_force_table *table, int node, int *index)
{
    for (int k = table->naxis - 1; k >= 0; --k) {
        index[k] = node % table->count[k];
        node /= table->count[k];
    }
}

static void write_header(FILE *f, const cardo_force_table *table, unsigned long long identity,
                         const char *const *names)
{
    fprintf(f, "%s\n# identity %016llx\n# coordinates %d\n# nodes", magic, identity, table->naxis);
    for (int k = 0; k < table->naxis; ++k)
        fprintf(f, " %d", table->count[k]);
    cardo_print(f, "\n# error %.17g %.17g\n# made %d %d\n", table->absolute, table->relative,
                table->nevaluation, table->ncheck);
    cardo_print(f, "# worst %.17g %.17g", table->worst, table->largest);
    for (int k = 0; k < table->naxis; ++k)
        cardo_print(f, " %.17g", table->place[k]);
    fprintf(f, "\n");
    fprintf(f, "# columns:");
    for (int k = 0; k < table->naxis; ++k)
        fprintf(f, " (%s)", names[k]);
    fprintf(f, " energy (kJ/mol), then derivatives");
    for (int entry = 1; entry < 1 << table->naxis; ++entry) {
        fprintf(f, " d%d(", __builtin_popcount((unsigned)entry));
        for (int k = 0; k < table->naxis; ++k)
            if (entry >> k & 1)
                fprintf(f, "%d", k + 1);
        fprintf(f, ")");
    }
    fprintf(f, "\n");
}

static void write_rows(FILE *f, const cardo_force_table *table)
{
    const int n = cardo_force_table_nnode(table), entries = 1 << table->naxis;
    for (int node = 0; node < n; ++node) {
        int index[MOST_AXES];
        split_node(table, node, index);
        for (int k = 0; k < table->naxis; ++k)
            cardo_print(f, "%.17g ", table->line[k][index[k]]);
        for (int e = 0; e < entries; ++e)
            cardo_print(f, "%.17g%c", table->node[(size_t)node * entries + e],
                        e + 1 < entries ? ' ' : '\n');
    }
}

cardo_status cardo_force_table_write(const cardo_force_table *table, unsigned long long identity,
                                     const char *const *names, const char *path, cardo_error *error)
{
    char *text = NULL;
    cardo_text_stream out;
    cardo_status status = cardo_text_stream_open(&out, error);
    if (status != CARDO_OK)
        return status;
    write_header(out.stream, table, identity, names);
    write_rows(out.stream, table);
    fflush(out.stream);
    fprintf(out.stream, "# checksum %016llx\n", cardo_hash(out.bytes, out.length, 0));
    status = cardo_text_stream_close(&out, CARDO_OK, &text, error);
    if (status == CARDO_OK)
        status = cardo_write_file(path, text, strlen(text), error);
    cardo_free(text);
    return status;
}

/* What is being read. */
typedef struct table_reader {
    const char *path, *text, *next, *end;
    cardo_line line;
    int naxis, count[MOST_AXES];
    double error[2], made[2], worst[2 + MOST_AXES];
    unsigned long long identity;
} table_reader;

static cardo_status wrong(const table_reader *r, const char *what, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s:%d: %s; remove the file and its table is made anew", r->path,
                      r->line.number, what);
}

/* Numbers of a line after key; exactly n of them, separated by blanks. */
static bool read_numbers(const cardo_line *line, const char *key, int n, double *value)
{
    const char *at = line->text, *end = line->text + line->length;
    size_t length = strlen(key);
    if ((size_t)line->length < length || memcmp(at, key, length) != 0)
        return false;
    at += length;
    for (int k = 0; k < n; ++k) {
        while (at < end && *at == ' ')
            ++at;
        const char *word = at;
        while (at < end && *at != ' ')
            ++at;
        if (!cardo_parse_double(word, (int)(at - word), &value[k]))
            return false;
    }
    return at == end;
}

static bool next_numbers(table_reader *r, const char *key, int n, double *value)
{
    return cardo_next_line(&r->next, r->end, &r->line) && read_numbers(&r->line, key, n, value);
}

static bool next_hash(table_reader *r, const char *key, unsigned long long *hash)
{
    char word[17] = "", *stop;
    size_t length = strlen(key);
    if (!cardo_next_line(&r->next, r->end, &r->line) || (size_t)r->line.length != length + 16 ||
        memcmp(r->line.text, key, length) != 0)
        return false;
    memcpy(word, r->line.text + length, 16);
    *hash = strtoull(word, &stop, 16);
    return *stop == '\0';
}

static cardo_status read_header(table_reader *r, cardo_error *error)
{
    double naxis, count[MOST_AXES];
    const size_t most_nodes = (size_t)(r->end - r->text) / 4;
    size_t nodes = 1;
    if (!next_numbers(r, magic, 0, NULL) || !next_hash(r, "# identity ", &r->identity))
        return wrong(r, "not a force table of this version", error);
    if (!next_numbers(r, "# coordinates ", 1, &naxis) || !(naxis >= 1 && naxis <= MOST_AXES))
        return wrong(r, "the number of coordinates is damaged", error);
    r->naxis = (int)naxis;
    if (!next_numbers(r, "# nodes ", r->naxis, count))
        return wrong(r, "the numbers of nodes are damaged", error);
    for (int k = 0; k < r->naxis; ++k) {
        if (!(count[k] >= 2 && count[k] <= (double)(most_nodes / nodes)))
            return wrong(r, "the file is too short for its nodes", error);
        r->count[k] = (int)count[k];
        nodes *= (size_t)r->count[k];
    }
    if (!next_numbers(r, "# error ", 2, r->error) || !next_numbers(r, "# made ", 2, r->made) ||
        !next_numbers(r, "# worst ", 2 + r->naxis, r->worst) ||
        !cardo_next_line(&r->next, r->end, &r->line))
        return wrong(r, "the header is damaged", error);
    return CARDO_OK;
}

static cardo_status read_rows(table_reader *r, cardo_force_table *table, cardo_error *error)
{
    const int n = cardo_force_table_nnode(table), entries = 1 << table->naxis;
    double row[MOST_COLUMNS];
    for (int node = 0; node < n; ++node) {
        int index[MOST_AXES];
        if (!next_numbers(r, "", table->naxis + entries, row))
            return wrong(r, "a row is damaged or missing", error);
        split_node(table, node, index);
        for (int k = 0; k < table->naxis; ++k)
            table->line[k][index[k]] = row[k];
        memcpy(table->node + (size_t)node * entries, row + table->naxis,
               (size_t)entries * sizeof *row);
    }
    for (int k = 0; k < table->naxis; ++k)
        for (int i = 0; i + 1 < table->count[k]; ++i)
            if (!(table->line[k][i] < table->line[k][i + 1]))
                return wrong(r, "coordinates do not rise", error);
    return CARDO_OK;
}

static cardo_status read_text(table_reader *r, cardo_force_table **out, cardo_error *error)
{
    unsigned long long checksum;
    cardo_status status = read_header(r, error);
    if (status == CARDO_OK)
        status = cardo_force_table_allocate(r->naxis, r->count, out, error);
    if (status == CARDO_OK)
        status = read_rows(r, *out, error);
    if (status != CARDO_OK)
        return status;
    size_t length = (size_t)(r->next - r->text);
    if (!next_hash(r, "# checksum ", &checksum) || checksum != cardo_hash(r->text, length, 0))
        return wrong(r, "the checksum does not fit: the file is damaged", error);
    (*out)->absolute = r->error[0];
    (*out)->relative = r->error[1];
    (*out)->nevaluation = (int)r->made[0];
    (*out)->ncheck = (int)r->made[1];
    (*out)->worst = r->worst[0];
    (*out)->largest = r->worst[1];
    memcpy((*out)->place, r->worst + 2, sizeof(*out)->place);
    return CARDO_OK;
}

cardo_status cardo_force_table_read(const char *path, unsigned long long *identity,
                                    cardo_force_table **out, cardo_error *error)
{
    char *text;
    size_t length;
    *out = NULL;
    cardo_status status = cardo_read_file(path, 0, &text, &length, error);
    if (status != CARDO_OK)
        return status;
    table_reader reader = {.path = path, .text = text, .next = text, .end = text + length};
    status = read_text(&reader, out, error);
    if (status != CARDO_OK) {
        cardo_force_table_destroy(*out);
        *out = NULL;
    }
    *identity = reader.identity;
    cardo_free(text);
    return status;
}

static cardo_status read_stored(void *user, const char *identity, bool *same,
                                cardo_force_table **out, cardo_error *error)
{
    const char *path = user;
    unsigned long long stored = 0;
    *out = NULL;
    *same = false;
    if (!cardo_file_exists(path))
        return CARDO_OK;
    cardo_status status = cardo_force_table_read(path, &stored, out, error);
    *same = status == CARDO_OK && stored == cardo_hash(identity, strlen(identity), 0);
    return status;
}

static cardo_status write_stored(void *user, const char *identity, const cardo_force_table *table,
                                 const char *const *names, cardo_error *error)
{
    return cardo_force_table_write(table, cardo_hash(identity, strlen(identity), 0), names, user,
                                   error);
}

cardo_table_store cardo_force_table_store(char *path)
{
    const char *slash = strrchr(path, '/');
    return (cardo_table_store){.user = path,
                               .place = path,
                               .name = slash ? slash + 1 : path,
                               .read = read_stored,
                               .write = write_stored};
}
