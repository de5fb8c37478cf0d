/* What the readers of the categories of a mmCIF file share: the reader itself, the rows that it hands
 * them, and the values in a row. */
#ifndef CARDO_STRUCTURE_MMCIF_READER_H
#define CARDO_STRUCTURE_MMCIF_READER_H

#include "base/number.h"
#include "base/text.h"
#include "structure/atoms/name_text.h"
#include "structure/mmcif/cif.h"
#include "structure/records/records.h"

#include <limits.h>
#include <string.h>

enum { CARDO_MMCIF_MOST_ITEMS = 20 };

/* One row of a category: the token of every item that is read; kind CARDO_CIF_END where there is
 * none. */
typedef struct cardo_mmcif_row {
    cardo_cif_token item[CARDO_MMCIF_MOST_ITEMS];
    const char *start;
    int line;
} cardo_mmcif_row;

/* A polymer as the atoms have it. */
typedef struct cardo_mmcif_polymer {
    cardo_name asym, entity, chain;
} cardo_mmcif_polymer;

/* What an assembly is made of, as the file's own text has it, and the operators that this text names. */
typedef struct cardo_mmcif_recipe {
    cardo_name assembly;
    cardo_cif_token expression, instances;
    int line;
} cardo_mmcif_recipe;

typedef struct cardo_mmcif_operator {
    cardo_name id;
    cardo_mat33 rotation;
    cardo_vec3 shift; /* nm */
} cardo_mmcif_operator;

typedef struct cardo_mmcif_reader {
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
    cardo_mmcif_polymer *instance;
    int ninstance, instance_capacity;
    cardo_mmcif_recipe *recipe;
    int nrecipe, recipe_capacity;
    cardo_mmcif_operator *operation;
    int noperation, operation_capacity;
    cardo_mmcif_row pending; /* items of a category that is not in a loop              */
    int pending_category;    /* or -1                                                  */
} cardo_mmcif_reader;

/* A category that is read: each is one of these, listed in read.c. */
typedef struct cardo_mmcif_category {
    const char *name;         /* "_atom_site.", with the point                           */
    const char *const *items; /* what is read of it, CARDO_MMCIF_MOST_ITEMS at most; NULL after  */
    cardo_status (*read)(cardo_mmcif_reader *reader, const cardo_mmcif_row *row);
} cardo_mmcif_category;

extern const cardo_mmcif_category cardo_mmcif_atoms, cardo_mmcif_bonds, cardo_mmcif_scheme,
    cardo_mmcif_entities, cardo_mmcif_cell, cardo_mmcif_recipes, cardo_mmcif_operators;

/* CARDO_ERROR_INPUT: "file:line: what, found 'value'", with the value's own line; value NULL: there is
 * none. */
cardo_status cardo_mmcif_fail(const cardo_mmcif_reader *reader, int line, const char *what,
                              const cardo_cif_token *value);

/* sequences.c: notes the polymer, of this entity, whose first residue this is; nothing for the
 * residues after it, or those of no polymer. */
cardo_status cardo_mmcif_add_polymer(cardo_mmcif_reader *reader, const cardo_residue_identity *id,
                                     const cardo_cif_token *entity);
/* Where only the sequences of kinds of polymers are told: every polymer that has atoms gets that of
 * its kind. */
cardo_status cardo_mmcif_use_entities(cardo_mmcif_reader *reader);

/* assemblies.c: the copies that assemblies are made of, once recipes and operators are known. */
cardo_status cardo_mmcif_add_copies(cardo_mmcif_reader *reader);

/* Is there a value, and not one that says that it is unknown? */
static inline bool has(const cardo_mmcif_row *row, int item)
{
    return row->item[item].kind == CARDO_CIF_VALUE && !cardo_cif_is_null(&row->item[item]);
}

/* A code of one character; '\0' where there is no value. */
static inline bool read_code(const cardo_mmcif_row *row, int item, char *code)
{
    *code = '\0';
    if (!has(row, item))
        return true;
    *code = row->item[item].text[0];
    return row->item[item].length == 1 && *code > ' ' && *code <= '~';
}

/* The author's item where it has a value, the label otherwise; with label numbering the other way
 * round. */
static inline const cardo_cif_token *either(const cardo_mmcif_reader *reader,
                                            const cardo_mmcif_row *row, int author, int label)
{
    int first = reader->label_numbering ? label : author;
    return has(row, first) ? &row->item[first]
                           : &row->item[reader->label_numbering ? author : label];
}

/* The code of one character after the author's number, when that is the one in use; '\0' where
 * there is none. */
static inline bool read_insertion(const cardo_mmcif_row *row, int item,
                                  const cardo_cif_token *number, int author, char *code)
{
    *code = '\0';
    return number != &row->item[author] || read_code(row, item, code);
}

/* A number, perhaps with its uncertainty in the last digits: 12.345(12). */
static inline bool read_number(const cardo_cif_token *token, double *value)
{
    const char *bracket = memchr(token->text, '(', token->length);
    size_t length = bracket ? (size_t)(bracket - token->text) : token->length;
    if (bracket && token->text[token->length - 1] != ')')
        return false;
    return length < INT_MAX && cardo_parse_double(token->text, (int)length, value);
}

static inline bool read_integer(const cardo_cif_token *token, int *value)
{
    return token->length < INT_MAX && cardo_parse_int(token->text, (int)token->length, value);
}

/* An empty name where there is no value. */
static inline bool read_name(const cardo_cif_token *token, cardo_name *name)
{
    if (token->kind != CARDO_CIF_VALUE || cardo_cif_is_null(token)) {
        memset(name, 0, sizeof *name);
        return true;
    }
    return token->length < INT_MAX && name_set(name, token->text, (int)token->length);
}

#endif
