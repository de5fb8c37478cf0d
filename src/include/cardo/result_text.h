/* Results as text for people: sentences and tables, laid out by who prints them and filled from the result
 * alone.
 *
 * A sentence is plain text with
 *   {path}        the value of that path (cardo_result_find) in its own style; elements of a vector with ", " between
 *   {path:style}  in another style (cardo_quantity)
 *   {path:98,4w}  a text's words, in lines: one that would begin beyond column 98 begins the next, at column 4
 *   {path#s}      "s", but nothing where the value is 1: "{n} residue{n#s}"
 *   {path?yes|no} one of two texts, as a truth is; "|no" may be left out
 *   [ ... ]       what is left out where a value in it is not there.
 * A value that is nowhere leaves out the brackets around it, or the whole sentence. */
#ifndef CARDO_RESULT_TEXT_H
#define CARDO_RESULT_TEXT_H

#include <cardo/result.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Prints a sentence about a part (NULL: nothing). */
CARDO_API void cardo_result_say(FILE *stream, const cardo_result *part, const char *sentence);
/* About each of the first most rows of a table or parts of a list; paths begin at the row. */
CARDO_API void cardo_result_say_rows(FILE *stream, const cardo_result *part, const char *sentence,
                                     long long most);
/* About one row of a table. */
CARDO_API void cardo_result_say_row(FILE *stream, const cardo_result *table, long long row,
                                    const char *sentence);
/* Likewise for the places of a labelled array that are not hidden: {label} and {value}. */
CARDO_API void cardo_result_say_places(FILE *stream, const cardo_result *array,
                                       const char *sentence);

/* A table: columns that have a heading, in their styles with a blank between, and the first most rows. */
CARDO_API void cardo_result_print_table(FILE *stream, const cardo_result *table, const char *indent,
                                        long long most);

/* The result of a study as a page of text: its tables with what there is to say about them. False where the study has none, of
 * whose results a few sentences say all. */
CARDO_API bool cardo_result_report(FILE *stream, const cardo_result *result, const char *study);

#ifdef __cplusplus
}
#endif

#endif
