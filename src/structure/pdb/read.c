#include "base/letters.h"
#include "base/number.h"
#include "structure/pdb/pdb.h"
#include "structure/records/format.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "structure/atoms/guess.h"
#include "structure/atoms/name_text.h"
#include "structure/pdb/assemblies.h"
#include "structure/pdb/hybrid36.h"
#include "structure/pdb/numbers.h"

#include <limits.h>
#include <math.h>

enum { STANDARD_LINE = 81 };

/* Where a reader stands in a file: which model, and whether its atoms are wanted. */
typedef struct pdb_reader {
    cardo_records *records;
    cardo_error *error;
    const char *name;
    int wanted; /* serial of the model to read, 0: the first with atoms */
    int serial; /* of the current or last model                         */
    int natom;  /* records of the current model so far                  */
    int segment;
    int last_serial;          /* of the last atom                                     */
    cardo_pdb_number *number; /* of every run of the records                  */
    int nnumber, number_capacity;
    int likely_atoms; /* for which memory is taken at once            */
    bool open;        /* between MODEL, or a first atom, and ENDMDL           */
    bool take;        /* the current model is the wanted one                  */
    bool taken;       /* the wanted model has been read                       */
    cardo_pdb_assemblies assemblies;
} pdb_reader;

/* Columns first..last of a line, counted from 1 as in the format's description; short lines give
 * less. */
static int columns(const cardo_line *line, int first, int last, const char **text)
{
    *text = line->text + first - 1;
    if (line->length < first)
        return 0;
    return (line->length < last ? line->length : last) - first + 1;
}

static bool is_blank(const char *text, int length)
{
    for (int i = 0; i < length; ++i)
        if (text[i] != ' ')
            return false;
    return true;
}

static cardo_status bad_field(const pdb_reader *reader, const cardo_line *line, int first, int last,
                              const char *what)
{
    const char *text;
    int length = columns(line, first, last, &text);
    char shown[32];
    int n = 0;
    for (int i = 0; i < length && n < (int)sizeof shown - 1; ++i)
        shown[n++] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    shown[n] = '\0';
    return CARDO_FAIL(reader->error, CARDO_ERROR_INPUT, "%s:%d: %s in columns %d-%d, found '%s'",
                      reader->name, line->number, what, first, last, shown);
}

static cardo_status read_position(const pdb_reader *reader, const cardo_line *line,
                                  double position[3])
{
    static const char *const names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; ++k) {
        int first = 31 + 8 * k;
        double angstrom;
        if (!cardo_parse_double(line->text + first - 1, 8, &angstrom) ||
            fabs(angstrom) > CARDO_LARGEST_COORDINATE) {
            char what[64];
            snprintf(what, sizeof what, "the coordinate %s must be a number", names[k]);
            return bad_field(reader, line, first, first + 7, what);
        }
        position[k] = angstrom * CARDO_ANGSTROM;
    }
    return CARDO_OK;
}

static bool read_weight(const char *text, int length, double *value)
{
    return cardo_parse_double(text, length, value) && fabs(*value) <= CARDO_LARGEST_WEIGHT;
}

/* Blank occupancies mean 1 and blank B factors 0; B factors above 999.99 overflow into stars and
 * are no loss. */
static cardo_status read_weights(const pdb_reader *reader, const cardo_line *line,
                                 cardo_record *record)
{
    const char *text;
    double value = 1;
    int length = columns(line, 55, 60, &text);
    if (!is_blank(text, length) && !read_weight(text, length, &value))
        return bad_field(reader, line, 55, 60, "the occupancy must be a number");
    record->occupancy = (float)value;
    value = 0;
    length = columns(line, 61, 66, &text);
    if (!is_blank(text, length) && text[0] != '*' && !read_weight(text, length, &value))
        return bad_field(reader, line, 61, 66, "the B factor must be a number");
    record->b_factor = (float)value;
    return CARDO_OK;
}

/* Columns 77-78 hold the element, in old files the end of the entry's ident and a line number
 * instead. */
static unsigned char read_element(const cardo_line *line, const cardo_record *record,
                                  const cardo_name *residue)
{
    const char *text;
    int length = columns(line, 77, 78, &text);
    cardo_name symbol;
    if (length > 0 && name_set(&symbol, text, length) && cardo_element_number(symbol.text) > 0)
        return (unsigned char)cardo_element_number(symbol.text);
    return (unsigned char)cardo_element_guess(record->name.text, line->text[12] != ' ',
                                              residue->text);
}

static cardo_status read_identity(pdb_reader *reader, const cardo_line *line, bool hetero,
                                  cardo_residue_identity *id)
{
    const char *text = line->text;
    *id = (cardo_residue_identity){.segment = reader->segment, .hetero = hetero};
    if (!name_set(&id->name, text + 17, 4))
        return bad_field(reader, line, 18, 21, "the residue name must be printable ASCII");
    if (!name_set(&id->chain, text + 21, 1))
        return bad_field(reader, line, 22, 22, "the chain id must be printable ASCII");
    if (!cardo_pdb_number_decode(text + 22, 4, &id->number))
        return bad_field(reader, line, 23, 26,
                         "the residue number must be decimal, hybrid-36 or hexadecimal");
    if (text[26] < ' ' || text[26] > '~')
        return bad_field(reader, line, 27, 27, "the insertion code must be printable ASCII");
    id->insertion = text[26] == ' ' ? '\0' : text[26];
    return CARDO_OK;
}

/* Serials are never needed: what cannot be read is counted. Some writers let six digits run into
 * column 12, others go on in hexadecimal after 99999 (186a0), a TER between two atoms counted too. */
static int read_serial(pdb_reader *reader, const cardo_line *line, int count)
{
    const char *field = line->text + 6;
    int serial = count, hexadecimal;
    bool hex = cardo_hexadecimal_decode(field, 5, &hexadecimal);
    int step = hex ? hexadecimal - reader->last_serial : 0;
    if (step == 1 || step == 2)
        serial = hexadecimal;
    else if (!cardo_parse_int(field, 6, &serial) && !cardo_pdb_number_decode(field, 5, &serial))
        serial = count;
    reader->last_serial = serial;
    return serial;
}

/* Keeps the columns of the number of a run that has just begun. */
static cardo_status keep_number(pdb_reader *reader, const cardo_line *line)
{
    const cardo_records *records = reader->records;
    int n = reader->nnumber;
    if (records->nrun == n)
        return CARDO_OK;
    cardo_status status =
        CARDO_RESERVE(&reader->number, &reader->number_capacity, n + 1, reader->error);
    if (status != CARDO_OK)
        return status;
    cardo_pdb_number *number = &reader->number[reader->nnumber++];
    memcpy(number->field, line->text + 22, sizeof number->field);
    number->fresh =
        n > 0 &&
        (records->run[n].identity.segment != records->run[n - 1].identity.segment ||
         !name_equal(&records->run[n].identity.chain, &records->run[n - 1].identity.chain));
    return CARDO_OK;
}

static cardo_status resolve_numbers(pdb_reader *reader)
{
    cardo_status status = cardo_pdb_numbers_resolve(reader->nnumber, reader->number, reader->error);
    for (int i = 0; status == CARDO_OK && i < reader->nnumber; ++i)
        reader->records->run[i].identity.number = reader->number[i].value;
    return status;
}

static cardo_status read_atom(pdb_reader *reader, const cardo_line *line, bool hetero)
{
    cardo_record record = {.line = line->number};
    cardo_residue_identity id;
    if (line->length < 54)
        return CARDO_FAIL(
            reader->error, CARDO_ERROR_INPUT,
            "%s:%d: the line ends in column %d, before the coordinates end (column 54)",
            reader->name, line->number, line->length);
    cardo_status status = read_position(reader, line, record.position);
    if (status == CARDO_OK)
        status = read_weights(reader, line, &record);
    if (status == CARDO_OK)
        status = read_identity(reader, line, hetero, &id);
    if (status != CARDO_OK)
        return status;
    if (!name_set(&record.name, line->text + 12, 4))
        return bad_field(reader, line, 13, 16, "the atom name must be printable ASCII");
    char altloc = line->text[16];
    if (altloc < ' ' || altloc > '~')
        return bad_field(reader, line, 17, 17, "the alternate label must be printable ASCII");
    record.altloc = altloc == ' ' ? '\0' : altloc;
    record.serial = read_serial(reader, line, reader->records->nrecord + 1);
    record.element = read_element(line, &record, &id.name);
    status = cardo_records_add(reader->records, &record, &id, reader->error);
    return status == CARDO_OK ? keep_number(reader, line) : status;
}

static void open_model(pdb_reader *reader, int serial)
{
    reader->open = true;
    reader->serial = serial;
    reader->natom = 0;
    reader->take = false;
}

static cardo_status close_model(pdb_reader *reader)
{
    cardo_status status = CARDO_OK;
    if (reader->open && reader->natom > 0)
        status =
            cardo_records_add_model(reader->records, reader->serial, reader->natom, reader->error);
    reader->taken = reader->taken || reader->take;
    reader->take = false;
    reader->open = false;
    reader->natom = 0;
    return status;
}

static cardo_status on_atom(pdb_reader *reader, const cardo_line *line, bool hetero)
{
    if (!reader->open)
        open_model(reader, reader->serial + 1);
    if (reader->natom == 0 && !reader->taken &&
        (reader->wanted == 0 || reader->wanted == reader->serial)) {
        reader->take = true;
        reader->records->model_read = reader->serial;
        cardo_status status =
            CARDO_RESERVE(&reader->records->record, &reader->records->record_capacity,
                          reader->likely_atoms, reader->error);
        if (status != CARDO_OK)
            return status;
    }
    if (reader->natom == INT_MAX)
        return CARDO_FAIL(reader->error, CARDO_ERROR_INPUT, "%s:%d: too many atoms", reader->name,
                          line->number);
    ++reader->natom;
    return reader->take ? read_atom(reader, line, hetero) : CARDO_OK;
}

static cardo_status on_hetero_atom(pdb_reader *reader, const cardo_line *line)
{
    return on_atom(reader, line, true);
}

static cardo_status on_polymer_atom(pdb_reader *reader, const cardo_line *line)
{
    return on_atom(reader, line, false);
}

static cardo_status on_model(pdb_reader *reader, const cardo_line *line)
{
    cardo_status status = close_model(reader);
    const char *text;
    int serial, length = columns(line, 7, 80, &text);
    /* Some writers put more words after the number. */
    while (length > 0 && *text == ' ') {
        ++text;
        --length;
    }
    int digits = 0;
    while (digits < length && text[digits] != ' ')
        ++digits;
    open_model(reader, cardo_parse_int(text, digits, &serial) ? serial
                       : reader->serial < INT_MAX             ? reader->serial + 1
                                                              : 1);
    return status;
}

static cardo_status on_end_of_model(pdb_reader *reader, const cardo_line *line)
{
    (void)line;
    return close_model(reader);
}

static cardo_status on_chain_end(pdb_reader *reader, const cardo_line *line)
{
    (void)line;
    reader->segment += reader->take;
    return CARDO_OK;
}

/* Residue name before the chain id, that in one column, number and insertion code from another on. */
static bool read_key(const cardo_line *line, int chain_column, int number_column,
                     cardo_residue_key *key)
{
    const char *number = line->text + number_column - 1;
    if (line->length < number_column + 3)
        return false;
    key->insertion = '\0';
    if (line->length > number_column + 3 && number[4] != ' ')
        key->insertion = number[4];
    return name_set(&key->name, line->text + chain_column - 5, 4) &&
           name_set(&key->chain, line->text + chain_column - 1, 1) &&
           cardo_pdb_number_decode(number, 4, &key->number);
}

/* A bond to a symmetry copy (its operators in columns 60-65 and 67-72 differ) is none of this
 * structure. */
static bool is_to_symmetry_copy(const cardo_line *line)
{
    const char *one, *other;
    return columns(line, 60, 65, &one) == 6 && columns(line, 67, 72, &other) == 6 &&
           memcmp(one, other, 6) != 0 && !is_blank(one, 6) && !is_blank(other, 6);
}

/* An unreadable record is left out: disulfides are found from geometry as well. */
static cardo_status on_bridge(pdb_reader *reader, const cardo_line *line)
{
    cardo_bridge_record bridge;
    if (is_to_symmetry_copy(line))
        return CARDO_OK;
    if (!read_key(line, 16, 18, &bridge.end[0]) || !read_key(line, 30, 32, &bridge.end[1]))
        return CARDO_OK;
    return cardo_records_add_bridge(reader->records, &bridge, reader->error);
}

static cardo_status on_link(pdb_reader *reader, const cardo_line *line)
{
    cardo_link_record link;
    if (line->length < 56 || is_to_symmetry_copy(line) || !read_key(line, 22, 23, &link.end[0]) ||
        !read_key(line, 52, 53, &link.end[1]) || !name_set(&link.atom[0], line->text + 12, 4) ||
        !name_set(&link.atom[1], line->text + 42, 4))
        return CARDO_OK;
    return cardo_records_add_link(reader->records, &link, reader->error);
}

/* Serial numbers in columns 7-11, 12-16, ... 27-31; what old files have after them is no bond. */
static cardo_status on_conect(pdb_reader *reader, const cardo_line *line)
{
    enum { FIRST = 7, WIDTH = 5, COUNT = 5 };
    cardo_conect_record conect;
    const char *text;
    for (int k = 0; k < COUNT; ++k) {
        int length = columns(line, FIRST + WIDTH * k, FIRST + WIDTH * (k + 1) - 1, &text);
        if (length < WIDTH || !cardo_pdb_number_decode(text, WIDTH, &conect.serial[k > 0])) {
            if (k == 0)
                return CARDO_OK;
            continue;
        }
        cardo_status status =
            k > 0 ? cardo_records_add_conect(reader->records, &conect, reader->error) : CARDO_OK;
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* The first line of another molecule that may have the same chain id. */
static bool starts_anew(const cardo_line *line)
{
    int serial;
    return cardo_parse_int(line->text + 7, 3, &serial) && serial == 1;
}

/* Residues 20-22, 24-26, ... of SEQRES; the lines of one chain follow each other. What cannot be
 * read is left out. */
static cardo_status on_sequence(pdb_reader *reader, const cardo_line *line)
{
    enum { FIRST = 20, WIDTH = 4, COUNT = 13 };
    cardo_records *records = reader->records;
    cardo_status status = CARDO_OK;
    cardo_name chain, none = {""};
    const char *text;
    if (line->length < FIRST || !name_set(&chain, line->text + 11, 1))
        return CARDO_OK;
    if (records->npolymer == 0 || starts_anew(line) ||
        !name_equal(&records->polymer[records->npolymer - 1].chain, &chain))
        status = cardo_records_add_polymer(records, &chain, &none, reader->error);
    for (int k = 0; k < COUNT && status == CARDO_OK; ++k) {
        int length = columns(line, FIRST + WIDTH * k, FIRST + WIDTH * k + 2, &text);
        int first = records->polymer[records->npolymer - 1].first;
        cardo_monomer_record monomer = {.place = records->nmonomer - first + 1};
        if (length <= 0 || !name_set(&monomer.name, text, length) || !monomer.name.text[0])
            continue;
        status = cardo_records_add_monomer(records, &monomer, reader->error);
    }
    return status;
}

/* REMARK 465: residues without coordinates; its head, and what else cannot be read, is left out. REMARK 350:
 * assemblies. */
static cardo_status on_remark(pdb_reader *reader, const cardo_line *line)
{
    cardo_missing_record missing = {.key = {.insertion = '\0'}};
    const char *text = line->text;
    if (line->length > 11 && memcmp(text + 6, " 350 ", 5) == 0)
        return cardo_pdb_assemblies_read(&reader->assemblies, text + 11, line->length - 11,
                                         reader->records, reader->error);
    if (line->length < 26 || memcmp(text + 6, " 465 ", 5) != 0 ||
        !name_set(&missing.name, text + 15, 3) || !name_set(&missing.key.chain, text + 19, 1) ||
        !cardo_parse_int(text + 21, 5, &missing.key.number))
        return CARDO_OK;
    if (line->length > 26 && text[26] > ' ' && text[26] <= '~')
        missing.key.insertion = text[26];
    return cardo_records_add_missing(reader->records, &missing, reader->error);
}

/* A cell that cannot be read is none. */
static cardo_status on_cell(pdb_reader *reader, const cardo_line *line)
{
    static const int first[] = {7, 16, 25, 34, 41, 48}, last[] = {15, 24, 33, 40, 47, 54};
    double cell[6];
    for (int k = 0; k < 6; ++k) {
        const char *text;
        int length = columns(line, first[k], last[k], &text);
        if (length <= 0 || !cardo_parse_double(text, length, &cell[k]))
            return CARDO_OK;
    }
    cardo_records_set_cell(reader->records, cell);
    return CARDO_OK;
}

/* Names of less than six letters end where no letter follows: serials may run into columns 5 and 6.
 */
static const struct {
    char name[7];
    int length;
    cardo_status (*read)(pdb_reader *reader, const cardo_line *line);
} record_types[] = {
    {"ATOM", 4, on_polymer_atom}, {"HETATM", 6, on_hetero_atom},  {"TER", 3, on_chain_end},
    {"MODEL", 5, on_model},       {"ENDMDL", 6, on_end_of_model}, {"SSBOND", 6, on_bridge},
    {"CRYST1", 6, on_cell},       {"LINK", 4, on_link},           {"SEQRES", 6, on_sequence},
    {"REMARK", 6, on_remark},     {"CONECT", 6, on_conect},
};

static int record_type(const cardo_line *line)
{
    enum { COUNT = sizeof record_types / sizeof record_types[0] };
    for (int i = 0; i < COUNT; ++i) {
        int length = record_types[i].length;
        if (line->length < length ||
            !cardo_same_start(line->text, record_types[i].name, (size_t)length))
            continue;
        if (length == 6 || line->length == length || !cardo_is_letter(line->text[length]))
            return i;
    }
    return -1;
}

static cardo_status pdb_read(const char *text, size_t length, const char *name,
                             const cardo_read_options *options, cardo_records *records,
                             cardo_error *error)
{
    pdb_reader reader = {.records = records,
                         .error = error,
                         .name = name,
                         .wanted = options->model,
                         .likely_atoms = (int)(length / STANDARD_LINE) + 1};
    const char *next = text, *end = text + length;
    cardo_line line = {0};
    cardo_status status = CARDO_OK;
    if (options->label_numbering)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: a PDB file has only the authors' numbering; label numbering is in "
                          "mmCIF files",
                          name);
    /* A byte-order mark would hide the first record. */
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        next += 3;
    while (cardo_next_line(&next, end, &line)) {
        int type = record_type(&line);
        if (type >= 0)
            CARDO_TRY(record_types[type].read(&reader, &line));
    }
    CARDO_TRY(close_model(&reader));
    CARDO_TRY(resolve_numbers(&reader));
    status = cardo_records_check(records, name, options->model, error);
done:
    cardo_free(reader.number);
    return status;
}

cardo_status cardo_pdb_parse(const char *text, size_t length, const char *name, int model,
                             cardo_structure **out, cardo_error *error)
{
    cardo_records records = {0};
    *out = NULL;
    const cardo_read_options options = {.model = model};
    cardo_status status = pdb_read(text, length, name, &options, &records, error);
    if (status == CARDO_OK)
        status = cardo_structure_assemble(&records, name, out, error);
    cardo_records_destroy(&records);
    return status;
}

/* Whatever no other format claims is taken for PDB. */
static bool pdb_detect(const char *text, size_t length)
{
    (void)text;
    (void)length;
    return true;
}

static cardo_status pdb_write_file(FILE *stream, const cardo_structure *structure,
                                   const double *positions, cardo_error *error)
{
    cardo_status status = cardo_pdb_write(stream, structure, positions, 0, error);
    if (status == CARDO_OK)
        fputs("END\n", stream);
    return status;
}

const cardo_structure_format cardo_format_pdb = {
    .name = "pdb",
    .help = "Protein Data Bank format, version 3.3 and older",
    .extensions = ".pdb .ent",
    .detect = pdb_detect,
    .read = pdb_read,
    .write = pdb_write_file,
};
