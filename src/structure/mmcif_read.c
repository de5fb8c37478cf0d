#include "structure/format.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "structure/cif.h"
#include "structure/guess.h"
#include "structure/mmcif.h"
#include "structure/name.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* The items that are read, by category. Each list ends with NULL; the enums name its entries. */
enum {
    GROUP,
    ID,
    SYMBOL,
    LABEL_ATOM,
    AUTH_ATOM,
    ALT,
    LABEL_COMP,
    AUTH_COMP,
    LABEL_ASYM,
    LABEL_ENTITY,
    AUTH_ASYM,
    LABEL_SEQ,
    AUTH_SEQ,
    INSERTION,
    X,
    Y,
    Z,
    OCCUPANCY,
    B_FACTOR,
    MODEL,
    ATOM_ITEMS
};
static const char *const atom_items[] = {"group_PDB",
                                         "id",
                                         "type_symbol",
                                         "label_atom_id",
                                         "auth_atom_id",
                                         "label_alt_id",
                                         "label_comp_id",
                                         "auth_comp_id",
                                         "label_asym_id",
                                         "label_entity_id",
                                         "auth_asym_id",
                                         "label_seq_id",
                                         "auth_seq_id",
                                         "pdbx_PDB_ins_code",
                                         "Cartn_x",
                                         "Cartn_y",
                                         "Cartn_z",
                                         "occupancy",
                                         "B_iso_or_equiv",
                                         "pdbx_PDB_model_num",
                                         NULL};

enum {
    BOND_TYPE,
    /* Two partners, the same items in the same order. */
    AUTH_CHAIN,
    LABEL_CHAIN,
    AUTH_NUMBER,
    LABEL_NUMBER,
    CODE,
    SYMMETRY,
    ATOM,
    AUTH_NAME,
    LABEL_NAME,
    PARTNER_ITEMS = 9,
    BOND_ITEMS = 1 + 2 * PARTNER_ITEMS
};
static const char *const bond_items[] = {"conn_type_id",
                                         "ptnr1_auth_asym_id",
                                         "ptnr1_label_asym_id",
                                         "ptnr1_auth_seq_id",
                                         "ptnr1_label_seq_id",
                                         "pdbx_ptnr1_PDB_ins_code",
                                         "ptnr1_symmetry",
                                         "ptnr1_label_atom_id",
                                         "ptnr1_auth_comp_id",
                                         "ptnr1_label_comp_id",
                                         "ptnr2_auth_asym_id",
                                         "ptnr2_label_asym_id",
                                         "ptnr2_auth_seq_id",
                                         "ptnr2_label_seq_id",
                                         "pdbx_ptnr2_PDB_ins_code",
                                         "ptnr2_symmetry",
                                         "ptnr2_label_atom_id",
                                         "ptnr2_auth_comp_id",
                                         "ptnr2_label_comp_id",
                                         NULL};

/* The sequence of every polymer of the structure. */
enum { SCHEME_ASYM, SCHEME_PLACE, SCHEME_NAME, SCHEME_NUMBER, SCHEME_CODE, SCHEME_CHAIN };
static const char *const scheme_items[] = {"asym_id",      "seq_id",        "mon_id", "pdb_seq_num",
                                           "pdb_ins_code", "pdb_strand_id", NULL};

/* The sequence of every kind of polymer. */
enum { ENTITY_ID, ENTITY_PLACE, ENTITY_NAME };
static const char *const entity_items[] = {"entity_id", "num", "mon_id", NULL};

static const char *const cell_items[] = {"length_a",   "length_b",    "length_c", "angle_alpha",
                                         "angle_beta", "angle_gamma", NULL};

enum { MOST_ITEMS = ATOM_ITEMS };
_Static_assert((int)BOND_ITEMS <= (int)MOST_ITEMS, "a row has room for a bond");

/* One row of a category: the token of every item that is read; kind CARDO_CIF_END where there is
 * none. */
typedef struct cif_row {
    cardo_cif_token item[MOST_ITEMS];
    const char *start;
    int line;
} cif_row;

/* A polymer as the atoms have it. */
typedef struct polymer_instance {
    cardo_name asym, entity, chain;
} polymer_instance;

typedef struct mmcif_reader {
    cardo_records *records;
    cardo_error *error;
    const char *name;
    cardo_cif_lexer lexer;
    cardo_cif_token token;     /* the current one                                        */
    int wanted;                /* serial of the model to read, 0: the first              */
    bool label_numbering;      /* label items before auth items                          */
    bool any_atom;             /* an atom_site row has been read in this data block      */
    bool last_in_polymer;      /* the last atom taken had a place in a sequence          */
    cardo_cif_token last_asym; /* its label_asym_id                                   */
    int segment;
    cardo_records entities; /* polymers and monomers of _entity_poly_seq; asym is the entity  */
    polymer_instance *instance;
    int ninstance, instance_capacity;
    cif_row pending;      /* items of a category that is not in a loop              */
    int pending_category; /* or -1                                                  */
} mmcif_reader;

static cardo_status fail_row(const mmcif_reader *reader, int line, const char *what,
                             const cardo_cif_token *value)
{
    char shown[32];
    size_t n = 0;
    for (; value && n < value->length && n < sizeof shown - 1; ++n)
        shown[n] = value->text[n] >= ' ' && value->text[n] <= '~' ? value->text[n] : '?';
    shown[n] = '\0';
    if (!value)
        return CARDO_FAIL(reader->error, CARDO_ERROR_INPUT, "%s:%d: %s", reader->name, line, what);
    return CARDO_FAIL(reader->error, CARDO_ERROR_INPUT, "%s:%d: %s, found '%s'", reader->name,
                      value->line, what, shown);
}

static bool has(const cif_row *row, int item)
{
    return row->item[item].kind == CARDO_CIF_VALUE && !cardo_cif_is_null(&row->item[item]);
}

/* A code of one character; '\0' where there is no value. */
static bool read_code(const cif_row *row, int item, char *code)
{
    *code = '\0';
    if (!has(row, item))
        return true;
    *code = row->item[item].text[0];
    return row->item[item].length == 1 && *code > ' ' && *code <= '~';
}

/* The author's item where it has a value, the label otherwise; with label numbering the other way
 * round. */
static const cardo_cif_token *either(const mmcif_reader *reader, const cif_row *row, int author,
                                     int label)
{
    int first = reader->label_numbering ? label : author;
    return has(row, first) ? &row->item[first]
                           : &row->item[reader->label_numbering ? author : label];
}

/* The code of one character behind the author's number, when that is the one in use; '\0' where
 * there is none. */
static bool read_insertion(const cif_row *row, int item, const cardo_cif_token *number, int author,
                           char *code)
{
    *code = '\0';
    return number != &row->item[author] || read_code(row, item, code);
}

/* A number, perhaps with its uncertainty in the last digits: 12.345(12). */
static bool read_number(const cardo_cif_token *token, double *value)
{
    const char *bracket = memchr(token->text, '(', token->length);
    size_t length = bracket ? (size_t)(bracket - token->text) : token->length;
    if (bracket && token->text[token->length - 1] != ')')
        return false;
    return length < INT_MAX && cardo_parse_double(token->text, (int)length, value);
}

static bool read_weight(const cardo_cif_token *token, double *value)
{
    return read_number(token, value) && fabs(*value) <= CARDO_LARGEST_WEIGHT;
}

static bool read_integer(const cardo_cif_token *token, int *value)
{
    return token->length < INT_MAX && cardo_parse_int(token->text, (int)token->length, value);
}

static bool read_name(const cardo_cif_token *token, cardo_name *name)
{
    if (token->kind != CARDO_CIF_VALUE || cardo_cif_is_null(token)) {
        memset(name, 0, sizeof *name);
        return true;
    }
    return token->length < INT_MAX && name_set(name, token->text, (int)token->length);
}

static cardo_status read_position(const mmcif_reader *reader, const cif_row *row,
                                  double position[3])
{
    for (int k = 0; k < 3; ++k) {
        double angstrom;
        if (row->item[X + k].kind != CARDO_CIF_VALUE)
            return CARDO_FAIL(reader->error, CARDO_ERROR_INPUT,
                              "%s:%d: the category _atom_site has no item %s", reader->name,
                              row->line, atom_items[X + k]);
        if (!read_number(&row->item[X + k], &angstrom) || fabs(angstrom) > CARDO_LARGEST_COORDINATE)
            return fail_row(reader, row->line, "a coordinate must be a number", &row->item[X + k]);
        position[k] = angstrom * CARDO_ANGSTROM;
    }
    return CARDO_OK;
}

static cardo_status read_weights(const mmcif_reader *reader, const cif_row *row,
                                 cardo_record *record)
{
    double occupancy = 1, b_factor = 0;
    if (has(row, OCCUPANCY) && !read_weight(&row->item[OCCUPANCY], &occupancy))
        return fail_row(reader, row->line, "the occupancy must be a number", &row->item[OCCUPANCY]);
    if (has(row, B_FACTOR) && !read_weight(&row->item[B_FACTOR], &b_factor))
        return fail_row(reader, row->line, "the B factor must be a number", &row->item[B_FACTOR]);
    record->occupancy = (float)occupancy;
    record->b_factor = (float)b_factor;
    return CARDO_OK;
}

static bool is_hetero(const cif_row *row, const cardo_name *residue)
{
    const cardo_cif_token *group = &row->item[GROUP];
    if (has(row, GROUP))
        return group->length >= 4 && strncasecmp(group->text, "HETA", 4) == 0;
    return !cardo_residue_is_amino(residue->text) && !cardo_residue_is_nucleic(residue->text);
}

static cardo_status read_identity(const mmcif_reader *reader, const cif_row *row,
                                  cardo_residue_identity *id)
{
    const cardo_cif_token *number = either(reader, row, AUTH_SEQ, LABEL_SEQ);
    *id = (cardo_residue_identity){.segment = reader->segment};
    if (!read_name(either(reader, row, AUTH_COMP, LABEL_COMP), &id->name))
        return fail_row(reader, row->line, "a residue name has at most 15 printable characters",
                        either(reader, row, AUTH_COMP, LABEL_COMP));
    if (!read_name(either(reader, row, AUTH_ASYM, LABEL_ASYM), &id->chain))
        return fail_row(reader, row->line, "a chain name has at most 15 printable characters",
                        either(reader, row, AUTH_ASYM, LABEL_ASYM));
    if (number->kind != CARDO_CIF_VALUE || cardo_cif_is_null(number))
        return fail_row(reader, row->line,
                        "this atom has neither an auth_seq_id nor a label_seq_id", NULL);
    if (!read_integer(number, &id->number))
        return fail_row(reader, row->line, "the residue number must be an integer", number);
    if (!read_insertion(row, INSERTION, number, AUTH_SEQ, &id->insertion))
        return fail_row(reader, row->line, "the insertion code must be one character",
                        &row->item[INSERTION]);
    id->hetero = is_hetero(row, &id->name);
    if (has(row, LABEL_SEQ) && read_integer(&row->item[LABEL_SEQ], &id->place) &&
        !read_name(&row->item[LABEL_ASYM], &id->asym))
        id->place = 0;
    return CARDO_OK;
}

/* Notes the polymer whose first residue this is. */
static cardo_status add_instance(mmcif_reader *reader, const cif_row *row,
                                 const cardo_residue_identity *id)
{
    const polymer_instance *last =
        reader->ninstance ? &reader->instance[reader->ninstance - 1] : NULL;
    polymer_instance instance = {.asym = id->asym, .chain = id->chain};
    if (id->place == 0 || (last && name_equal(&last->asym, &id->asym)) ||
        !read_name(&row->item[LABEL_ENTITY], &instance.entity))
        return CARDO_OK;
    cardo_status status = CARDO_RESERVE(&reader->instance, &reader->instance_capacity,
                                        reader->ninstance + 1, reader->error);
    if (status == CARDO_OK)
        reader->instance[reader->ninstance++] = instance;
    return status;
}

static unsigned char read_element(const cif_row *row, const cardo_record *record,
                                  const cardo_name *residue)
{
    cardo_name symbol;
    if (has(row, SYMBOL) && read_name(&row->item[SYMBOL], &symbol) &&
        cardo_element_number(symbol.text) > 0)
        return (unsigned char)cardo_element_number(symbol.text);
    return (unsigned char)cardo_element_guess(record->name.text, false, residue->text);
}

/* A polymer ends where the label_asym_id changes behind a residue that has a place in a sequence:
 * there a PDB file has its TER. Ligands and waters, one label_asym_id each, go on in one chain as
 * they do there. */
static void follow_segments(mmcif_reader *reader, const cif_row *row)
{
    const cardo_cif_token *asym = &row->item[LABEL_ASYM];
    bool same =
        asym->length == reader->last_asym.length &&
        (asym->length == 0 || memcmp(asym->text, reader->last_asym.text, asym->length) == 0);
    if (reader->last_in_polymer && !same)
        reader->segment++;
    reader->last_asym = *asym;
    reader->last_in_polymer = has(row, LABEL_SEQ) && asym->kind == CARDO_CIF_VALUE;
}

static cardo_status add_atom(mmcif_reader *reader, const cif_row *row)
{
    cardo_record record = {.line = row->line};
    cardo_residue_identity id;
    const cardo_cif_token *name = either(reader, row, AUTH_ATOM, LABEL_ATOM);
    follow_segments(reader, row);
    cardo_status status = read_position(reader, row, record.position);
    if (status == CARDO_OK)
        status = read_weights(reader, row, &record);
    if (status == CARDO_OK)
        status = read_identity(reader, row, &id);
    if (status == CARDO_OK)
        status = add_instance(reader, row, &id);
    if (status != CARDO_OK)
        return status;
    if (!has(row, LABEL_ATOM) && !has(row, AUTH_ATOM))
        return fail_row(reader, row->line, "this atom has no name", NULL);
    if (!read_name(name, &record.name))
        return fail_row(reader, row->line, "an atom name has at most 15 printable characters",
                        name);
    if (!read_code(row, ALT, &record.altloc))
        return fail_row(reader, row->line, "the alternate label must be one character",
                        &row->item[ALT]);
    if (!has(row, ID) || !read_integer(&row->item[ID], &record.serial))
        record.serial = reader->records->nrecord + 1;
    record.element = read_element(row, &record, &id.name);
    return cardo_records_add(reader->records, &record, &id, reader->error);
}

/* Memory for as many atoms as fit behind the first one, rows being about equally long. */
static cardo_status reserve_atoms(mmcif_reader *reader, const cif_row *row)
{
    cardo_records *records = reader->records;
    if (records->nrecord > 0 || !row->start)
        return CARDO_OK;
    ptrdiff_t rows = (reader->lexer.end - row->start) / (reader->lexer.next - row->start + 1);
    return CARDO_RESERVE(&records->record, &records->record_capacity, (int)rows + 1, reader->error);
}

static cardo_status on_atom(mmcif_reader *reader, const cif_row *row)
{
    cardo_records *records = reader->records;
    cardo_status status = CARDO_OK;
    int serial = 1;
    if (has(row, MODEL) && !read_integer(&row->item[MODEL], &serial))
        return fail_row(reader, row->line, "the model number must be an integer",
                        &row->item[MODEL]);
    if (records->nmodel == 0 || records->model[records->nmodel - 1].serial != serial)
        status = cardo_records_add_model(records, serial, 0, reader->error);
    if (status != CARDO_OK)
        return status;
    records->model[records->nmodel - 1].natom++;
    reader->any_atom = true;
    if (reader->wanted == 0 ? records->nmodel > 1 : serial != reader->wanted)
        return CARDO_OK;
    records->model_read = serial;
    status = reserve_atoms(reader, row);
    return status == CARDO_OK ? add_atom(reader, row) : status;
}

static bool is_kind(const cardo_cif_token *type, const char *kind)
{
    size_t length = strlen(kind);
    return type->length >= length && strncasecmp(type->text, kind, length) == 0;
}

/* What cannot be read is left out. */
static cardo_status on_bond(mmcif_reader *reader, const cif_row *row)
{
    cardo_link_record link = {.atom = {{""}}};
    const cardo_cif_token *type = &row->item[BOND_TYPE];
    const cardo_cif_token *one = &row->item[SYMMETRY];
    const cardo_cif_token *other = &row->item[SYMMETRY + PARTNER_ITEMS];
    bool bridge = has(row, BOND_TYPE) && is_kind(type, "disulf");
    if (!bridge && !(has(row, BOND_TYPE) && (is_kind(type, "covale") || is_kind(type, "metalc"))))
        return CARDO_OK;
    /* One to a symmetry copy is no bond of this structure. */
    if (has(row, SYMMETRY) && has(row, SYMMETRY + PARTNER_ITEMS) &&
        (one->length != other->length || memcmp(one->text, other->text, one->length) != 0))
        return CARDO_OK;
    for (int k = 0; k < 2; ++k) {
        int first = k * PARTNER_ITEMS;
        cardo_residue_key *key = &link.end[k];
        const cardo_cif_token *number =
            either(reader, row, AUTH_NUMBER + first, LABEL_NUMBER + first);
        if (!read_name(either(reader, row, AUTH_CHAIN + first, LABEL_CHAIN + first), &key->chain) ||
            number->kind != CARDO_CIF_VALUE || !read_integer(number, &key->number) ||
            !read_insertion(row, CODE + first, number, AUTH_NUMBER + first, &key->insertion) ||
            !read_name(&row->item[ATOM + first], &link.atom[k]))
            return CARDO_OK;
        const cardo_cif_token *name = either(reader, row, AUTH_NAME + first, LABEL_NAME + first);
        if (!read_name(name, &key->name))
            key->name = (cardo_name){""};
    }
    if (!bridge)
        return cardo_records_add_link(reader->records, &link, reader->error);
    return cardo_records_add_bridge(
        reader->records, &(cardo_bridge_record){{link.end[0], link.end[1]}}, reader->error);
}

/* Adds a monomer to the polymer of this asym, which is a new one when the last has another. A place
 * that comes again is another name of the residue there: the first is kept. */
static cardo_status add_monomer(cardo_records *to, const cardo_name *chain, const cardo_name *asym,
                                const cardo_monomer_record *monomer, cardo_error *error)
{
    const cardo_polymer_record *last = to->npolymer ? &to->polymer[to->npolymer - 1] : NULL;
    if (!last || !name_equal(&last->asym, asym)) {
        cardo_status status = cardo_records_add_polymer(to, chain, asym, error);
        if (status != CARDO_OK)
            return status;
    } else if (to->nmonomer > last->first &&
               to->monomer[to->nmonomer - 1].place >= monomer->place) {
        return CARDO_OK;
    }
    return cardo_records_add_monomer(to, monomer, error);
}

/* What cannot be read of sequences is left out. */
static cardo_status on_scheme(mmcif_reader *reader, const cif_row *row)
{
    cardo_monomer_record monomer = {.place = 0};
    cardo_name asym, chain;
    if (!has(row, SCHEME_ASYM) || !read_name(&row->item[SCHEME_ASYM], &asym) ||
        !has(row, SCHEME_NAME) || !read_name(&row->item[SCHEME_NAME], &monomer.name) ||
        !has(row, SCHEME_PLACE) || !read_integer(&row->item[SCHEME_PLACE], &monomer.place) ||
        !read_name(either(reader, row, SCHEME_CHAIN, SCHEME_ASYM), &chain) || monomer.place < 1)
        return CARDO_OK;
    if (reader->label_numbering) {
        monomer.number = monomer.place;
        monomer.numbered = true;
        return add_monomer(reader->records, &asym, &asym, &monomer, reader->error);
    }
    monomer.numbered = has(row, SCHEME_NUMBER) &&
                       read_integer(&row->item[SCHEME_NUMBER], &monomer.number) &&
                       read_code(row, SCHEME_CODE, &monomer.insertion);
    if (!monomer.numbered)
        monomer.insertion = '\0';
    return add_monomer(reader->records, &chain, &asym, &monomer, reader->error);
}

static cardo_status on_entity(mmcif_reader *reader, const cif_row *row)
{
    cardo_monomer_record monomer = {.place = 0};
    cardo_name entity;
    if (!has(row, ENTITY_ID) || !read_name(&row->item[ENTITY_ID], &entity) ||
        !has(row, ENTITY_NAME) || !read_name(&row->item[ENTITY_NAME], &monomer.name) ||
        !has(row, ENTITY_PLACE) || !read_integer(&row->item[ENTITY_PLACE], &monomer.place) ||
        monomer.place < 1)
        return CARDO_OK;
    return add_monomer(&reader->entities, &entity, &entity, &monomer, reader->error);
}

static cardo_status on_cell(mmcif_reader *reader, const cif_row *row)
{
    double cell[6];
    for (int k = 0; k < 6; ++k)
        if (!has(row, k) || !read_number(&row->item[k], &cell[k]))
            return CARDO_OK;
    cardo_records_set_cell(reader->records, cell);
    return CARDO_OK;
}

static const struct {
    const char *name;
    const char *const *items;
    cardo_status (*read)(mmcif_reader *reader, const cif_row *row);
} categories[] = {
    {"_atom_site.", atom_items, on_atom},
    {"_struct_conn.", bond_items, on_bond},
    {"_pdbx_poly_seq_scheme.", scheme_items, on_scheme},
    {"_entity_poly_seq.", entity_items, on_entity},
    {"_cell.", cell_items, on_cell},
};

enum { CATEGORY_COUNT = sizeof categories / sizeof categories[0] };

static int find_category(const cardo_cif_token *tag)
{
    for (int c = 0; c < CATEGORY_COUNT; ++c) {
        size_t length = strlen(categories[c].name);
        if (tag->length > length && strncasecmp(tag->text, categories[c].name, length) == 0)
            return c;
    }
    return -1;
}

static int find_item(int category, const cardo_cif_token *tag)
{
    if (category < 0 || find_category(tag) != category)
        return -1;
    size_t skip = strlen(categories[category].name);
    for (int i = 0; categories[category].items[i]; ++i) {
        const char *name = categories[category].items[i];
        if (strlen(name) == tag->length - skip &&
            strncasecmp(tag->text + skip, name, tag->length - skip) == 0)
            return i;
    }
    return -1;
}

static void advance(mmcif_reader *reader)
{
    reader->token = cardo_cif_next(&reader->lexer);
}

/* Hands the items that stood outside of loops to their category. */
static cardo_status flush(mmcif_reader *reader)
{
    cardo_status status = CARDO_OK;
    if (reader->pending_category >= 0)
        status = categories[reader->pending_category].read(reader, &reader->pending);
    reader->pending_category = -1;
    memset(&reader->pending, 0, sizeof reader->pending);
    return status;
}

static cardo_status read_pair(mmcif_reader *reader)
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
        return fail_row(reader, tag.line, "this item has no value", &tag);
    reader->pending_category = category;
    if (item >= 0) {
        reader->pending.item[item] = reader->token;
        reader->pending.line = tag.line;
    }
    advance(reader);
    return CARDO_OK;
}

/* The tags of a loop: which column holds which item (-1: none that is read). */
typedef struct loop_header {
    int *item;
    int count, capacity;
    int category;
    int line;
} loop_header;

static cardo_status read_header(mmcif_reader *reader, loop_header *header)
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
        header->item[header->count++] = find_item(header->category, &reader->token);
        advance(reader);
    }
    if (header->count == 0 && reader->token.kind != CARDO_CIF_BROKEN)
        return fail_row(reader, header->line, "this loop_ has no tags", NULL);
    return CARDO_OK;
}

static cardo_status read_rows(mmcif_reader *reader, const loop_header *header)
{
    cif_row row;
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
            header->category < 0 ? CARDO_OK : categories[header->category].read(reader, &row);
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

static cardo_status read_loop(mmcif_reader *reader)
{
    loop_header header = {0};
    cardo_status status = CARDO_OK;
    CARDO_TRY(flush(reader));
    CARDO_TRY(read_header(reader, &header));
    status = read_rows(reader, &header);
done:
    cardo_free(header.item);
    return status;
}

/* A new data block: what belonged to an earlier one without atoms is forgotten. */
static void begin_block(mmcif_reader *reader)
{
    reader->records->nbridge = reader->records->nlink = 0;
    reader->records->npolymer = reader->records->nmonomer = 0;
    reader->entities.npolymer = reader->entities.nmonomer = 0;
    reader->records->has_cell = false;
    advance(reader);
}

static cardo_status read_block_parts(mmcif_reader *reader)
{
    cardo_status status = CARDO_OK;
    advance(reader);
    for (;;) {
        switch (reader->token.kind) {
        case CARDO_CIF_END:
            return flush(reader);
        case CARDO_CIF_BROKEN:
            return fail_row(reader, reader->token.line, reader->token.text, NULL);
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
            status = fail_row(reader, reader->token.line, "this value belongs to no item",
                              &reader->token);
            break;
        }
        if (status != CARDO_OK)
            return status;
    }
}

static const cardo_polymer_record *find_entity(const cardo_records *entities,
                                               const cardo_name *name)
{
    for (int p = 0; p < entities->npolymer; ++p)
        if (name_equal(&entities->polymer[p].asym, name))
            return &entities->polymer[p];
    return NULL;
}

/* Where only the sequences of kinds of polymers are told: every polymer that has atoms gets that of
 * its kind. */
static cardo_status use_entities(mmcif_reader *reader)
{
    /* A file with few atoms could claim the longest of sequences for each of them; no file has
     * many kinds of polymers. */
    enum { MOST_MONOMERS_AN_ATOM = 4, SMALL = 10000, MOST_ENTITIES = 1000 };
    cardo_records *records = reader->records, *entities = &reader->entities;
    long long left = (long long)records->nrecord * MOST_MONOMERS_AN_ATOM + SMALL;
    cardo_status status = CARDO_OK;
    if (records->npolymer > 0 || entities->npolymer > MOST_ENTITIES)
        return CARDO_OK;
    for (int k = 0; k < reader->ninstance && status == CARDO_OK; ++k) {
        const polymer_instance *instance = &reader->instance[k];
        const cardo_polymer_record *entity = find_entity(entities, &instance->entity);
        if (!entity)
            continue;
        int end = entity + 1 < entities->polymer + entities->npolymer ? entity[1].first
                                                                      : entities->nmonomer;
        left -= end - entity->first;
        if (left < 0)
            break;
        status =
            cardo_records_add_polymer(records, &instance->chain, &instance->asym, reader->error);
        for (int m = entity->first; m < end && status == CARDO_OK; ++m)
            status = cardo_records_add_monomer(records, &entities->monomer[m], reader->error);
    }
    return status;
}

static int compare_serials(const void *a, const void *b)
{
    int one = *(const int *)a, other = *(const int *)b;
    return one < other ? -1 : one > other;
}

/* A model whose rows stand in several places would be read in part. */
static cardo_status check_models(const mmcif_reader *reader)
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
    mmcif_reader reader = {.records = records,
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
        status = use_entities(&reader);
    if (status == CARDO_OK)
        status = cardo_records_check(records, name, options->model, error);
    cardo_records_destroy(&reader.entities);
    cardo_free(reader.instance);
    return status;
}

/* The first word of a CIF, behind comments, opens a data block. */
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
