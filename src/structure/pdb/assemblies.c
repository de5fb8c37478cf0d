#include "structure/pdb/assemblies.h"

#include "base/letters.h"
#include "base/number.h"
#include "base/units.h"
#include "base/vec.h"
#include "cardo/text.h"
#include "structure/atoms/name_text.h"

#include <string.h>

/* The text after a heading such as "BIOMOLECULE:"; NULL: this line has another one. */
static const char *after(const char *heading, const char *text, int length)
{
    const int n = (int)strlen(heading);
    while (length > 0 && *text == ' ') {
        ++text;
        --length;
    }
    return length >= n && cardo_same_start(text, heading, (size_t)n) ? text + n : NULL;
}

/* The next of some names with commas between; NULL: there is none. */
static const char *next_name(const char **text, const char *end, int *length)
{
    const char *word = *text;
    if (word >= end)
        return NULL;
    const char *comma = memchr(word, ',', (size_t)(end - word));
    *length = (int)((comma ? comma : end) - word);
    *text = comma ? comma + 1 : end;
    return word;
}

static cardo_status add_chains(cardo_pdb_assemblies *a, const char *text, const char *end,
                               cardo_records *records, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *word;
    int length;
    while (status == CARDO_OK && (word = next_name(&text, end, &length))) {
        cardo_name chain;
        if (!name_set(&chain, word, length) || (!chain.text[0] && a->nchain > 0))
            continue;
        if (strcmp(chain.text, "NULL") == 0)
            chain = (cardo_name){""};
        status = cardo_records_add_copied_chain(records, &chain, error);
        ++a->nchain;
    }
    return status;
}

/* "1   2  0.500000  0.866025  0.000000       10.00000" after BIOMT: the row, the operator's number, three
 * and one numbers. */
static bool read_row(const char *text, const char *end, int *row, double value[4])
{
    const int digit = text < end ? *text - '0' : 0;
    int n = 0;
    if (digit < 1 || digit > 3)
        return false;
    *row = digit - 1;
    for (++text; n < 5; ++n) {
        double number;
        while (text < end && *text == ' ')
            ++text;
        const char *word = text;
        while (text < end && *text != ' ')
            ++text;
        if (word == text || !cardo_parse_double(word, (int)(text - word), &number))
            return false;
        if (n > 0)
            value[n - 1] = number;
    }
    return true;
}

/* The operator that its third row ends, of every assembly that these lines are about. */
static cardo_status add_copies(const cardo_pdb_assemblies *a, cardo_records *records,
                               cardo_error *error)
{
    cardo_copy_record copy = {.first_chain = a->first_chain, .nchain = a->nchain};
    cardo_status status = CARDO_OK;
    const char *names = a->names, *end = names + strlen(names), *word;
    int length;
    copy.rotation = a->rotation;
    copy.shift = v3_load(a->shift);
    while (status == CARDO_OK && (word = next_name(&names, end, &length)))
        if (name_set(&copy.assembly, word, length) && copy.assembly.text[0])
            status = cardo_records_add_copy(records, &copy, error);
    return status;
}

cardo_status cardo_pdb_assemblies_read(cardo_pdb_assemblies *a, const char *text, int length,
                                       cardo_records *records, cardo_error *error)
{
    const char *end = text + length, *rest;
    double value[4];
    int row;
    if ((rest = after("BIOMOLECULE:", text, length))) {
        *a = (cardo_pdb_assemblies){.first_chain = records->ncopied_chain};
        const size_t n = (size_t)(end - rest);
        if (n < sizeof a->names)
            memcpy(a->names, rest, n);
    } else if ((rest = after("APPLY THE FOLLOWING TO CHAINS:", text, length))) {
        a->first_chain = records->ncopied_chain;
        a->nchain = a->nrow = 0;
        return add_chains(a, rest, end, records, error);
    } else if ((rest = after("AND CHAINS:", text, length))) {
        return add_chains(a, rest, end, records, error);
    } else if ((rest = after("BIOMT", text, length)) && read_row(rest, end, &row, value)) {
        a->nrow = row == a->nrow ? row + 1 : row == 0;
        for (int j = 0; j < 3; ++j)
            a->rotation.m[row][j] = value[j];
        a->shift[row] = value[3] * CARDO_ANGSTROM;
        if (a->nrow == 3)
            return add_copies(a, records, error);
    }
    return CARDO_OK;
}
