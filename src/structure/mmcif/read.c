/* Walks over the tokens of a file and hands the rows of each category that is read to its reader. */
#include "base/letters.h"
#include "structure/records/format.h"

#include "base/memory.h"
#include "structure/mmcif/mmcif.h"
#include "structure/mmcif/reader.h"

#include <stdlib.h>

static const cardo_mmcif_category *const categories[] = {
    &cardo_mmcif_atoms, &cardo_mmcif_bonds,   &cardo_mmcif_scheme,    &cardo_mmcif_entities,
    &cardo_mmcif_cell,  &cardo_mmcif_recipes, &cardo_mmcif_operators,
};

enum { CATEGORY_COUNT = sizeof categories / sizeof categories[0] };

static int find_category(const cardo_cif_token *tag)
{
    for (int c = 0; c < CATEGORY_COUNT; ++c) {
        size_t length = strlen(categories[c]->name);
        if (tag->length > length && cardo_same_start(tag->text, categories[c]->name, length))
            return c;
    }
    return -1;
}

static int find_item(int category, const cardo_cif_token *tag)
{
    if (category < 0 || find_category(tag) != category)
        return -1;
    size_t skip = strlen(categories[category]->name);
    for (int i = 0; categories[category]->items[i]; ++i) {
        const char *name = categories[category]->items[i];
        if (strlen(name) == tag->length - skip &&
            cardo_same_start(tag->text + skip, name, tag->length - skip))
            return i;
    }
    return -1;
}

static void advance(cardo_mmcif_reader *reader)
{
    reader->token = cardo_cif_next(&reader->lexer);
}

/* Hands the items that stood outside of loops to their category. */
static cardo_status flush(cardo_mmcif_reader *reader)
{
    cardo_status status = CARDO_OK;
    if (reader->pending_category >= 0)
        status = categories[reader->pending_category]->read(reader, &reader->pending);
    reader->pending_category = -1;
    memset(&reader->pending, 0, sizeof reader->pending);
    return status;
}

static cardo_status read_pair(cardo_mmcif_reader *reader)
{
    cardo_cif_token tag = reader->token;
    int category = find_category(&tag), item = find_item(category, &tag);
    cardo_status status = CARDO_OK;
    if (category != reader->pending_category)
        status = flush(reader);
    advance(reader);
    if (status != CARDO_OK || reader->token.kind == CARDO_CIF_BROKEN)
        return status;
    if (reader->token.kind != CARDO_CIF_VALUE)
        return cardo_mmcif_fail(reader, tag.line, "this item has no value", &tag);
    reader->pending_category = category;
    if (item >= 0 && reader->pending.item[item].kind == CARDO_CIF_VALUE)
        return cardo_mmcif_fail(reader, tag.line, "this item is there twice", &tag);
    if (item >= 0) {
        reader->pending.item[item] = reader->token;
        reader->pending.line = tag.line;
    }
    advance(reader);
    return CARDO_OK;
}

/* Categories that are read have no more than some thirty items. */
enum { MOST_COMPARED = 128 };

/* The tags of a loop: which column holds which item (-1: none that is read). */
typedef struct loop_header {
    int *item;
    int count, capacity;
    int category;
    int line;
    cardo_cif_token tag[MOST_COMPARED]; /* of the first columns */
} loop_header;

/* A column that stands there twice leaves open which is meant. */
static cardo_status check_repeat(const cardo_mmcif_reader *reader, const loop_header *header)
{
    const cardo_cif_token *tag = &reader->token;
    if (header->category < 0)
        return CARDO_OK;
    for (int k = 0; k < header->count && k < MOST_COMPARED; ++k)
        if (header->tag[k].length == tag->length &&
            cardo_same_start(header->tag[k].text, tag->text, tag->length))
            return cardo_mmcif_fail(reader, tag->line,
                                    "this loop has a column twice, and which is meant the file "
                                    "does not say",
                                    tag);
    return CARDO_OK;
}

static cardo_status read_header(cardo_mmcif_reader *reader, loop_header *header)
{
    header->category = -1;
    header->line = reader->token.line;
    advance(reader);
    while (reader->token.kind == CARDO_CIF_TAG) {
        cardo_status status =
            CARDO_RESERVE(&header->item, &header->capacity, header->count + 1, reader->error);
        if (status != CARDO_OK)
            return status;
        if (header->count == 0)
            header->category = find_category(&reader->token);
        status = check_repeat(reader, header);
        if (status != CARDO_OK)
            return status;
        if (header->count < MOST_COMPARED)
            header->tag[header->count] = reader->token;
        header->item[header->count++] = find_item(header->category, &reader->token);
        advance(reader);
    }
    if (header->count == 0 && reader->token.kind != CARDO_CIF_BROKEN)
        return cardo_mmcif_fail(reader, header->line, "this loop_ has no tags", NULL);
    return CARDO_OK;
}

static cardo_status read_rows(cardo_mmcif_reader *reader, const loop_header *header)
{
    cardo_mmcif_row row;
    memset(&row, 0, sizeof row);
    int column = 0;
    for (; reader->token.kind == CARDO_CIF_VALUE; advance(reader)) {
        if (column == 0) {
            row.line = reader->token.line;
            row.start = reader->token.text;
        }
        if (header->item[column] >= 0)
            row.item[header->item[column]] = reader->token;
        if (++column < header->count)
            continue;
        column = 0;
        cardo_status status =
            header->category < 0 ? CARDO_OK : categories[header->category]->read(reader, &row);
        if (status != CARDO_OK)
            return status;
    }
    if (column > 0 && reader->token.kind != CARDO_CIF_BROKEN)
        return CARDO_FAIL(
            reader->error, CARDO_ERROR_INPUT,
            "%s:%d: the last row of the loop that begins in line %d has %d of %d values",
            reader->name, row.line, header->line, column, header->count);
    return CARDO_OK;
}

static cardo_status read_loop(cardo_mmcif_reader *reader)
{
    loop_header header;
    cardo_status status = CARDO_OK;
    memset(&header, 0, sizeof header);
    CARDO_TRY(flush(reader));
    CARDO_TRY(read_header(reader, &header));
    status = read_rows(reader, &header);
done:
    cardo_free(header.item);
    return status;
}

/* A new data block: what belonged to an earlier one without atoms is forgotten. */
static void begin_block(cardo_mmcif_reader *reader)
{
    reader->records->nbridge = reader->records->nlink = 0;
    reader->records->npolymer = reader->records->nmonomer = 0;
    reader->entities.npolymer = reader->entities.nmonomer = 0;
    reader->nrecipe = reader->noperation = 0;
    reader->records->has_cell = false;
    advance(reader);
}

static cardo_status read_block_parts(cardo_mmcif_reader *reader)
{
    cardo_status status = CARDO_OK;
    advance(reader);
    for (;;) {
        switch (reader->token.kind) {
        case CARDO_CIF_END:
            return flush(reader);
        case CARDO_CIF_BROKEN:
            return cardo_mmcif_fail(reader, reader->token.line, reader->token.text, NULL);
        case CARDO_CIF_DATA:
            status = flush(reader);
            if (reader->any_atom)
                return status;
            begin_block(reader);
            break;
        case CARDO_CIF_LOOP:
            status = read_loop(reader);
            break;
        case CARDO_CIF_TAG:
            status = read_pair(reader);
            break;
        case CARDO_CIF_FRAME:
            advance(reader);
            break;
        case CARDO_CIF_VALUE:
            status = cardo_mmcif_fail(reader, reader->token.line, "this value belongs to no item",
                                      &reader->token);
            break;
        }
        if (status != CARDO_OK)
            return status;
    }
}

static int compare_serials(const void *a, const void *b)
{
    int one = *(const int *)a, other = *(const int *)b;
    return one < other ? -1 : one > other;
}

/* A model whose rows stand in several places would be read in part. */
static cardo_status check_models(const cardo_mmcif_reader *reader)
{
    const cardo_records *records = reader->records;
    int *serials;
    cardo_status status = CARDO_ALLOCATE(&serials, records->nmodel, reader->error);
    if (status != CARDO_OK || records->nmodel == 0)
        return status;
    for (int i = 0; i < records->nmodel; ++i)
        serials[i] = records->model[i].serial;
    qsort(serials, (size_t)records->nmodel, sizeof *serials, compare_serials);
    for (int i = 1; i < records->nmodel && status == CARDO_OK; ++i)
        if (serials[i] == serials[i - 1])
            status = CARDO_FAIL(reader->error, CARDO_ERROR_INPUT,
                                "%s: the rows of model %d do not stand together", reader->name,
                                serials[i]);
    cardo_free(serials);
    return status;
}

static cardo_status mmcif_read(const char *text, size_t length, const char *name,
                               const cardo_read_options *options, cardo_records *records,
                               cardo_error *error)
{
    cardo_mmcif_reader reader = {.records = records,
                                 .error = error,
                                 .name = name,
                                 .lexer = cardo_cif_begin(text, length),
                                 .wanted = options->model,
                                 .label_numbering = options->label_numbering,
                                 .pending_category = -1};
    cardo_status status = read_block_parts(&reader);
    if (status == CARDO_OK)
        status = check_models(&reader);
    if (status == CARDO_OK)
        status = cardo_mmcif_use_entities(&reader);
    if (status == CARDO_OK)
        status = cardo_mmcif_add_copies(&reader);
    if (status == CARDO_OK)
        status = cardo_records_check(records, name, options->model, error);
    cardo_records_destroy(&reader.entities);
    cardo_free(reader.instance);
    cardo_free(reader.recipe);
    cardo_free(reader.operation);
    return status;
}

/* The first word of a CIF, after comments, opens a data block. */
static bool mmcif_detect(const char *text, size_t length)
{
    cardo_cif_lexer lexer = cardo_cif_begin(text, length);
    cardo_cif_token first = cardo_cif_next(&lexer);
    return first.kind == CARDO_CIF_DATA || first.kind == CARDO_CIF_LOOP;
}

const cardo_structure_format cardo_format_mmcif = {
    .name = "mmcif",
    .help = "PDBx/mmCIF",
    .extensions = ".cif .mmcif",
    .detect = mmcif_detect,
    .read = mmcif_read,
    .write = cardo_mmcif_write,
};
