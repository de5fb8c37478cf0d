/* Filling a result (cardo/result.h): described once, for every reader. Studies do; a host may, to print and store what is its
 * own in the same forms (cardo/files.h). Strings are copied.
 *
 * Filling never needs a check between two lines: what fails (no memory, a name that is there already) is kept
 * by the root, what is added afterwards does nothing, and cardo_result_status tells it at the end. Adding to
 * NULL does nothing either. */
#ifndef CARDO_RESULT_FILL_H
#define CARDO_RESULT_FILL_H

#include <cardo/field.h>
#include <cardo/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A root, which is a group. The caller owns *out. */
CARDO_API cardo_status cardo_result_create(cardo_result **out, cardo_error *error);

/* Whether everything that was added below the root of this part is there; CARDO_ERROR_MEMORY, or
 * CARDO_ERROR_ARGUMENT for a name twice, with the name. NULL is CARDO_ERROR_MEMORY. */
CARDO_API cardo_status cardo_result_status(const cardo_result *part, cardo_error *error);

/* Parts of a group, of a list (which takes no notice of the name) or of the row of a table that was begun last.
 * They belong to the root; NULL where they could not be made. rows: what a row of the table is ("mode"). */
CARDO_API cardo_result *cardo_result_group(cardo_result *parent, const char *name);
CARDO_API cardo_result *cardo_result_list(cardo_result *parent, const char *name);
CARDO_API cardo_result *cardo_result_table(cardo_result *parent, const char *name,
                                           const char *rows);
/* Begins the next row of a table: values that are added are its cells, and a column is made by the first value
 * of its name. A cell without a value is absent, which is not the same as a number that is none. */
CARDO_API void cardo_result_row(cardo_result *table);
/* Makes a column (of numbers, truths or texts, one a cell) before there is a row, so that a table that stays empty has
 * its headings too. */
CARDO_API void cardo_result_column(cardo_result *table, const cardo_quantity *what,
                                   cardo_result_type type);

/* One value, in a group, a list or a row. A text that is NULL is there, and is nothing. */
CARDO_API void cardo_result_number(cardo_result *parent, const cardo_quantity *what, double value);
CARDO_API void cardo_result_integer(cardo_result *parent, const cardo_quantity *what,
                                    long long value);
CARDO_API void cardo_result_truth(cardo_result *parent, const cardo_quantity *what, bool value);
CARDO_API void cardo_result_text(cardo_result *parent, const cardo_quantity *what,
                                 const char *value);
/* A few numbers that belong together, as one value: a vector, or several axes of them (C order). */
CARDO_API void cardo_result_vector(cardo_result *parent, const cardo_quantity *what, int n,
                                   const double *values);
CARDO_API void cardo_result_values(cardo_result *parent, const cardo_quantity *what, int naxis,
                                   const cardo_axis *axes, const double *values);
/* What is to be told: a verdict, a warning, with its place ("2lao.pdb:12", "A:TYR14"; NULL: none). */
CARDO_API void cardo_result_remark(cardo_result *parent, const char *name,
                                   cardo_result_severity severity, const char *text,
                                   const char *place);

/* Arrays of naxis axes (C order), zero at first; to be filled through the pointer, which is NULL where there is
 * no memory for it. *part (may be NULL): the array, to label its axes. */
CARDO_API double *cardo_result_doubles(cardo_result *parent, const cardo_quantity *what, int naxis,
                                       const cardo_axis *axes, cardo_result **part);
CARDO_API long long *cardo_result_integers(cardo_result *parent, const cardo_quantity *what,
                                           int naxis, const cardo_axis *axes, cardo_result **part);
/* An array of texts along one axis, copied; thousands of them take a tenth of what a list of single ones takes. */
CARDO_API void cardo_result_texts(cardo_result *parent, const cardo_quantity *what,
                                  const cardo_axis *axis, const char *const *texts);
/* The name of place k on an axis (not of a column): residues, windows. An array of one labelled axis is an object in
 * JSON. */
CARDO_API void cardo_result_label(cardo_result *array, int axis, long long k, const char *label);
/* Place k of an array's first axis is for programs: people have enough without it. */
CARDO_API void cardo_result_hide(cardo_result *array, long long k);
/* A part is for people: programs find what it says elsewhere in the result, and JSON has it once. */
CARDO_API void cardo_result_for_people(cardo_result *part);
/* Names the file of a run's folder that holds a part, by the ending of one of the printers ("modes.csv"). aside: it
 * is there alone, and where the rest is printed the file is named instead: large arrays. */
CARDO_API void cardo_result_file(cardo_result *part, const char *name, bool aside);

/* A list of what a table of fields says of each of its rows (NULL: none), for programs: "name", "type" in words, "unit", "default",
 * "minimum" and "maximum" where there are limits, "choices", "may_change", "doc". */
CARDO_API void cardo_result_fields(cardo_result *parent, const char *name,
                                   const cardo_field *fields);

#ifdef __cplusplus
}
#endif

#endif
