/* Results: a tree of named values, arrays, tables and texts. A study fills one; from it a host, and whatever prints or
 * stores, takes what it shows.
 *
 * A part is a group (named parts), a list (parts that are alike, without names), a table (columns that share
 * their rows) or an array (numbers, truths or texts along axes; without an axis: one value). What a value means
 * stands beside it, in a cardo_quantity. The root owns all that hangs below it. */
#ifndef CARDO_RESULT_H
#define CARDO_RESULT_H

#include <cardo/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Frees a root and all that hangs below it; NULL is fine. */
CARDO_API void cardo_result_destroy(cardo_result *root);

/* Views of what is there, borrowed and without copies; they hold until something is added. */
CARDO_API cardo_result_kind cardo_result_kind_of(const cardo_result *part);
CARDO_API const cardo_quantity *
cardo_result_quantity(const cardo_result *part); /* only its name: no array */
/* Parts of a group or list, columns of a table; of an array 0. */
CARDO_API int cardo_result_count(const cardo_result *part);
CARDO_API const cardo_result *cardo_result_part(const cardo_result *part, int k);
/* Below part, by names and, in lists, numbers from 0: "methods/agreement", "clashes/0/pairs". NULL: not there. */
CARDO_API const cardo_result *cardo_result_find(const cardo_result *part, const char *path);
/* What is there under a path: one number (an integer too), NaN where there is none; a text, or NULL; an array of numbers
 * with how many there are in all, or NULL and 0. */
CARDO_API double cardo_result_number_at(const cardo_result *part, const char *path);
CARDO_API const char *cardo_result_text_at(const cardo_result *part, const char *path);
CARDO_API const double *cardo_result_doubles_at(const cardo_result *part, const char *path,
                                                long long *n);
/* Rows of a table, or elements along an array's first axis (one value: 1). */
CARDO_API long long cardo_result_rows(const cardo_result *part);
CARDO_API const char *cardo_result_rows_name(const cardo_result *part);
/* The file that it was given, or NULL; aside may be NULL. */
CARDO_API const char *cardo_result_file_of(const cardo_result *part, bool *aside);

/* It says in other words what stands elsewhere: for reports alone. */
CARDO_API bool cardo_result_is_for_people(const cardo_result *part);

CARDO_API cardo_result_type cardo_result_type_of(const cardo_result *array);
CARDO_API int cardo_result_naxis(const cardo_result *array);
CARDO_API cardo_axis cardo_result_axis(const cardo_result *array, int axis);
/* NULL where it has none. */
CARDO_API const char *cardo_result_label_of(const cardo_result *array, int axis, long long k);
CARDO_API bool cardo_result_is_hidden(const cardo_result *array, long long k);
/* Of a column: the row has no value. */
CARDO_API bool cardo_result_is_absent(const cardo_result *array, long long row);
/* The elements; NULL where the array has another type. */
CARDO_API const double *cardo_result_as_doubles(const cardo_result *array);
CARDO_API const long long *cardo_result_as_integers(const cardo_result *array);
CARDO_API const bool *cardo_result_as_truths(const cardo_result *array);
CARDO_API const char *const *cardo_result_as_texts(const cardo_result *array);
CARDO_API const cardo_result *const *cardo_result_as_parts(const cardo_result *array);
CARDO_API cardo_result_severity cardo_result_severity_of(const cardo_result *array,
                                                         const char **place);

/* Element k of an array as text in a style (NULL: the quantity's own), at most size - 1 bytes of it, whatever the
 * locale; returns text. A style that does not fit the type writes the element plainly. */
CARDO_API char *cardo_result_cell(const cardo_result *array, long long k, const char *style,
                                  char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
