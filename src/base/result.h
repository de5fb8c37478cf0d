/* Results described once: a tree of named values, arrays, tables and texts, from which every reader takes what
 * it shows: text for people, JSON, CSV, NPY, pictures, a host program.
 *
 * A part is a group (named parts), a list (parts that are alike, without names), a table (columns that share
 * their rows) or an array (numbers, truths or texts along axes; without an axis: one value). What a value means
 * stands beside it, in a cardo_quantity. The root owns all that hangs below it; strings are copied.
 *
 * Filling never needs a check between two lines: what fails (no memory, a name that is there already) is kept
 * by the root, what is added afterwards does nothing, and cardo_result_status tells it at the end. Adding to
 * NULL does nothing either. */
#ifndef CARDO_BASE_RESULT_H
#define CARDO_BASE_RESULT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cardo_result cardo_result;

typedef enum cardo_result_kind {
    CARDO_RESULT_GROUP,
    CARDO_RESULT_LIST,
    CARDO_RESULT_TABLE,
    CARDO_RESULT_ARRAY
} cardo_result_kind;

/* What the elements of an array are. */
typedef enum cardo_result_type {
    CARDO_RESULT_DOUBLE,
    CARDO_RESULT_INTEGER,
    CARDO_RESULT_TRUTH,
    CARDO_RESULT_TEXT,
    CARDO_RESULT_PART /* columns of tables: a part of its own in each row, or NULL */
} cardo_result_type;

typedef enum cardo_result_severity {
    CARDO_RESULT_PLAIN,
    CARDO_RESULT_NOTE,
    CARDO_RESULT_WARNING,
    CARDO_RESULT_VERDICT
} cardo_result_severity;

/* What a value or an array is; members that are NULL are as if they were not there.
 *
 * A style says how a number is written: flags, width and digits as printf has them and one of f, e, g, d, s, or
 * p for a share in percent ("9.4f", "-24s", ".1p"). "9.4f;  imaginary" names, after a semicolon, what a truth
 * is written as where it holds ("" where not). */
typedef struct cardo_quantity {
    const char *name;  /* key in JSON and in a host: "wavenumber_per_cm"                         */
    const char *label; /* heading in CSV and on the axes of pictures: "wavenumber"; NULL: name   */
    const char *unit;  /* "1/cm"                                                                 */
    const char *style; /* for people; NULL: "g"                                                  */
    const char
        *heading; /* above its column in a text; NULL: not in texts                         */
    const char
        *stored; /* style in CSV; NULL: so that it reads back to the same bits, "": not there */
    const char
        *meaning; /* one line                                                               */
} cardo_quantity;

enum { CARDO_RESULT_MOST_AXES = 4, CARDO_RESULT_MOST_CELLS = 1 << 30 };

/* An axis of an array, and its length. */
typedef struct cardo_axis {
    const char *name;
    long long n;
} cardo_axis;

/* A root, which is a group. The caller owns *out: cardo_result_destroy (NULL is fine). */
cardo_status cardo_result_create(cardo_result **out, cardo_error *error);
void cardo_result_destroy(cardo_result *root);

/* Whether everything that was added below the root of this part is there; CARDO_ERROR_MEMORY, or
 * CARDO_ERROR_ARGUMENT for a name twice, with the name. NULL is CARDO_ERROR_MEMORY. */
cardo_status cardo_result_status(const cardo_result *part, cardo_error *error);

/* Parts of a group, of a list (which takes no notice of the name) or of the row of a table that was begun last.
 * They belong to the root; NULL where they could not be made. rows: what a row of the table is ("mode"). */
cardo_result *cardo_result_group(cardo_result *parent, const char *name);
cardo_result *cardo_result_list(cardo_result *parent, const char *name);
cardo_result *cardo_result_table(cardo_result *parent, const char *name, const char *rows);
/* Begins the next row of a table: values that are added are its cells, and a column is made by the first value
 * of its name. A cell without a value is absent, which is not the same as a number that is none. */
void cardo_result_row(cardo_result *table);
/* Makes a column (of numbers, truths or texts, one a cell) before there is a row, so that a table that stays empty has
 * its headings too. */
void cardo_result_column(cardo_result *table, const cardo_quantity *what, cardo_result_type type);

/* One value, in a group, a list or a row. A text that is NULL is there, and is nothing. */
void cardo_result_number(cardo_result *parent, const cardo_quantity *what, double value);
void cardo_result_integer(cardo_result *parent, const cardo_quantity *what, long long value);
void cardo_result_truth(cardo_result *parent, const cardo_quantity *what, bool value);
void cardo_result_text(cardo_result *parent, const cardo_quantity *what, const char *value);
/* A few numbers that belong together, as one value: a vector, or several axes of them (C order). */
void cardo_result_vector(cardo_result *parent, const cardo_quantity *what, int n,
                         const double *values);
void cardo_result_values(cardo_result *parent, const cardo_quantity *what, int naxis,
                         const cardo_axis *axes, const double *values);
/* What is to be told: a verdict, a warning, with its place ("2lao.pdb:12", "A:TYR14"; NULL: none). */
void cardo_result_remark(cardo_result *parent, const char *name, cardo_result_severity severity,
                         const char *text, const char *place);

/* Arrays of naxis axes (C order), zero at first; to be filled through the pointer, which is NULL where there is
 * no memory for it. *part (may be NULL): the array, to label its axes. */
double *cardo_result_doubles(cardo_result *parent, const cardo_quantity *what, int naxis,
                             const cardo_axis *axes, cardo_result **part);
long long *cardo_result_integers(cardo_result *parent, const cardo_quantity *what, int naxis,
                                 const cardo_axis *axes, cardo_result **part);
/* The name of place k on an axis (not of a column): residues, windows. An array of one labelled axis is an object in
 * JSON. */
void cardo_result_label(cardo_result *array, int axis, long long k, const char *label);
/* Place k of an array's first axis is for programs: people have enough without it. */
void cardo_result_hide(cardo_result *array, long long k);
/* Names the file of a run's folder that holds a part, by the ending of one of the printers ("modes.csv"). aside: it
 * is there alone, and where the rest is printed the file is named instead: large arrays. */
void cardo_result_file(cardo_result *part, const char *name, bool aside);

/* Views of what is there, borrowed and without copies; they hold until something is added. */
cardo_result_kind cardo_result_kind_of(const cardo_result *part);
const cardo_quantity *cardo_result_quantity(const cardo_result *part); /* only its name: no array */
/* Parts of a group or list, columns of a table; of an array 0. */
int cardo_result_count(const cardo_result *part);
const cardo_result *cardo_result_part(const cardo_result *part, int k);
/* Below part, by names and, in lists, numbers from 0: "methods/agreement", "clashes/0/pairs". NULL: not there. */
const cardo_result *cardo_result_find(const cardo_result *part, const char *path);
/* Rows of a table, or elements along an array's first axis (one value: 1). */
long long cardo_result_rows(const cardo_result *part);
const char *cardo_result_rows_name(const cardo_result *part);
/* The file that it was given, or NULL; aside may be NULL. */
const char *cardo_result_file_of(const cardo_result *part, bool *aside);

cardo_result_type cardo_result_type_of(const cardo_result *array);
int cardo_result_naxis(const cardo_result *array);
cardo_axis cardo_result_axis(const cardo_result *array, int axis);
/* NULL where it has none. */
const char *cardo_result_label_of(const cardo_result *array, int axis, long long k);
bool cardo_result_is_hidden(const cardo_result *array, long long k);
/* Of a column: the row has no value. */
bool cardo_result_is_absent(const cardo_result *array, long long row);
/* The elements; NULL where the array has another type. */
const double *cardo_result_as_doubles(const cardo_result *array);
const long long *cardo_result_as_integers(const cardo_result *array);
const bool *cardo_result_as_truths(const cardo_result *array);
const char *const *cardo_result_as_texts(const cardo_result *array);
const cardo_result *const *cardo_result_as_parts(const cardo_result *array);
cardo_result_severity cardo_result_severity_of(const cardo_result *array, const char **place);

/* Element k of an array as text in a style (NULL: the quantity's own), at most size - 1 bytes of it, whatever the
 * locale; returns text. A style that does not fit the type writes the element plainly. */
char *cardo_result_cell(const cardo_result *array, long long k, const char *style, char *text,
                        size_t size);

#endif
