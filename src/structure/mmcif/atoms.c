/* The categories of atoms, and of the cell of the crystal that they are in. */
#include "base/letters.h"
#include "structure/mmcif/reader.h"

#include "base/memory.h"
#include "base/units.h"
#include "structure/atoms/guess.h"

#include <math.h>
#include <stddef.h>

/* The items that are read, and the enum that names them in a row. */
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
_Static_assert((int)ATOM_ITEMS <= (int)CARDO_MMCIF_MOST_ITEMS, "a row has room for an atom");

static bool read_weight(const cardo_cif_token *token, double *value)
{
    return read_number(token, value) && fabs(*value) <= CARDO_LARGEST_WEIGHT;
}

static cardo_status read_position(const cardo_mmcif_reader *reader, const cardo_mmcif_row *row,
                                  double position[3])
{
    for (int k = 0; k < 3; ++k) {
        double angstrom;
        if (row->item[X + k].kind != CARDO_CIF_VALUE)
            return CARDO_FAIL(reader->error, CARDO_ERROR_INPUT,
                              "%s:%d: the category _atom_site has no item %s", reader->name,
                              row->line, atom_items[X + k]);
        if (!read_number(&row->item[X + k], &angstrom) || fabs(angstrom) > CARDO_LARGEST_COORDINATE)
            return cardo_mmcif_fail(reader, row->line, "a coordinate must be a number",
                                    &row->item[X + k]);
        position[k] = angstrom * CARDO_ANGSTROM;
    }
    return CARDO_OK;
}

static cardo_status read_weights(const cardo_mmcif_reader *reader, const cardo_mmcif_row *row,
                                 cardo_record *record)
{
    double occupancy = 1, b_factor = 0;
    if (has(row, OCCUPANCY) && !read_weight(&row->item[OCCUPANCY], &occupancy))
        return cardo_mmcif_fail(reader, row->line, "the occupancy must be a number",
                                &row->item[OCCUPANCY]);
    if (has(row, B_FACTOR) && !read_weight(&row->item[B_FACTOR], &b_factor))
        return cardo_mmcif_fail(reader, row->line, "the B factor must be a number",
                                &row->item[B_FACTOR]);
    record->occupancy = (float)occupancy;
    record->b_factor = (float)b_factor;
    return CARDO_OK;
}

static bool is_hetero(const cardo_mmcif_row *row, const cardo_name *residue)
{
    const cardo_cif_token *group = &row->item[GROUP];
    if (has(row, GROUP))
        return group->length >= 4 && cardo_same_start(group->text, "HETA", 4);
    return !cardo_residue_is_amino(residue->text) && !cardo_residue_is_nucleic(residue->text);
}

static cardo_status read_identity(const cardo_mmcif_reader *reader, const cardo_mmcif_row *row,
                                  cardo_residue_identity *id)
{
    const cardo_cif_token *number = either(reader, row, AUTH_SEQ, LABEL_SEQ);
    *id = (cardo_residue_identity){.segment = reader->segment};
    if (!read_name(either(reader, row, AUTH_COMP, LABEL_COMP), &id->name))
        return cardo_mmcif_fail(reader, row->line,
                                "a residue name has at most 15 printable characters",
                                either(reader, row, AUTH_COMP, LABEL_COMP));
    if (!read_name(either(reader, row, AUTH_ASYM, LABEL_ASYM), &id->chain))
        return cardo_mmcif_fail(reader, row->line,
                                "a chain name has at most 15 printable characters",
                                either(reader, row, AUTH_ASYM, LABEL_ASYM));
    if (number->kind != CARDO_CIF_VALUE || cardo_cif_is_null(number))
        return cardo_mmcif_fail(reader, row->line,
                                "this atom has neither an auth_seq_id nor a label_seq_id", NULL);
    if (!read_integer(number, &id->number))
        return cardo_mmcif_fail(reader, row->line, "the residue number must be an integer", number);
    if (!read_insertion(row, INSERTION, number, AUTH_SEQ, &id->insertion))
        return cardo_mmcif_fail(reader, row->line, "the insertion code must be one character",
                                &row->item[INSERTION]);
    id->hetero = is_hetero(row, &id->name);
    if (!has(row, LABEL_ASYM) || !read_name(&row->item[LABEL_ASYM], &id->instance))
        id->instance = id->chain;
    if (has(row, LABEL_SEQ) && read_integer(&row->item[LABEL_SEQ], &id->place) &&
        !read_name(&row->item[LABEL_ASYM], &id->asym))
        id->place = 0;
    return CARDO_OK;
}

static unsigned char read_element(const cardo_mmcif_row *row, const cardo_record *record,
                                  const cardo_name *residue)
{
    cardo_name symbol;
    if (has(row, SYMBOL) && read_name(&row->item[SYMBOL], &symbol) &&
        cardo_element_number(symbol.text) > 0)
        return (unsigned char)cardo_element_number(symbol.text);
    return (unsigned char)cardo_element_guess(record->name.text, false, residue->text);
}

/* A polymer ends where the label_asym_id changes after a residue that has a place in a sequence:
 * there a PDB file has its TER. Ligands and waters, one label_asym_id each, go on in one chain as
 * they do there. */
static void follow_segments(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
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

static cardo_status add_atom(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
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
        status = cardo_mmcif_add_polymer(reader, &id, &row->item[LABEL_ENTITY]);
    if (status != CARDO_OK)
        return status;
    if (!has(row, LABEL_ATOM) && !has(row, AUTH_ATOM))
        return cardo_mmcif_fail(reader, row->line, "this atom has no name", NULL);
    if (!read_name(name, &record.name))
        return cardo_mmcif_fail(reader, row->line,
                                "an atom name has at most 15 printable characters", name);
    if (!read_code(row, ALT, &record.altloc))
        return cardo_mmcif_fail(reader, row->line, "the alternate label must be one character",
                                &row->item[ALT]);
    if (!has(row, ID) || !read_integer(&row->item[ID], &record.serial))
        record.serial = reader->records->nrecord + 1;
    record.element = read_element(row, &record, &id.name);
    return cardo_records_add(reader->records, &record, &id, reader->error);
}

/* Memory for as many atoms as fit after the first one, rows being about equally long. */
static cardo_status reserve_atoms(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
{
    cardo_records *records = reader->records;
    if (records->nrecord > 0 || !row->start)
        return CARDO_OK;
    ptrdiff_t rows = (reader->lexer.end - row->start) / (reader->lexer.next - row->start + 1);
    return CARDO_RESERVE(&records->record, &records->record_capacity, (int)rows + 1, reader->error);
}

static cardo_status on_atom(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
{
    cardo_records *records = reader->records;
    cardo_status status = CARDO_OK;
    int serial = 1;
    if (has(row, MODEL) && !read_integer(&row->item[MODEL], &serial))
        return cardo_mmcif_fail(reader, row->line, "the model number must be an integer",
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

const cardo_mmcif_category cardo_mmcif_atoms = {"_atom_site.", atom_items, on_atom};

static const char *const cell_items[] = {"length_a",   "length_b",    "length_c", "angle_alpha",
                                         "angle_beta", "angle_gamma", NULL};

static cardo_status on_cell(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
{
    double cell[6];
    for (int k = 0; k < 6; ++k)
        if (!has(row, k) || !read_number(&row->item[k], &cell[k]))
            return CARDO_OK;
    cardo_records_set_cell(reader->records, cell);
    return CARDO_OK;
}

const cardo_mmcif_category cardo_mmcif_cell = {"_cell.", cell_items, on_cell};
