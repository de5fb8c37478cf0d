/* What a result becomes for its readers: a printer is a const descriptor in a file of its own, listed in
 * cardo_result_printers. None knows a study: all that a printer writes stands in the result. */
#ifndef CARDO_IO_RESULTS_RESULT_PRINTER_H
#define CARDO_IO_RESULTS_RESULT_PRINTER_H

#include "base/json/json.h"
#include "base/result.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cardo_result_printer {
    const char *name;      /* "csv"                                                               */
    const char *extension; /* of its files                                                        */
    const char *doc;       /* one line                                                            */
    bool (*takes)(
        const cardo_result *part); /* whether a part has a form that it can write           */
    /* CARDO_ERROR_UNSUPPORTED for a part that it does not take; what the stream says to being written is for who
     * closes it. */
    cardo_status (*print)(const cardo_result *part, FILE *stream, cardo_error *error);
} cardo_result_printer;

/* json: anything; numbers that are none become null, all others read back to the same bits. A table is an array
 * with an object a row, an array with one labelled axis an object.
 * described: the same of a group, with what its values mean under "quantities": result.json of a run.
 * csv: tables, and arrays of numbers, with units in the header; a cell that is absent is empty.
 * npy: arrays of numbers and columns of tables, for numpy.load.
 * text: anything, plainly; verbs lay it out with cardo/result_text.h. */
extern const cardo_result_printer cardo_printer_json, cardo_printer_csv, cardo_printer_npy,
    cardo_printer_text, cardo_printer_described;

/* All of them, NULL-terminated. */
extern const cardo_result_printer *const cardo_result_printers[];

/* Writes a part as a whole file, which appears when it is complete. */
cardo_status cardo_result_write(const cardo_result *part, const cardo_result_printer *printer,
                                const char *path, cardo_error *error);

/* Writes every part that has a file (cardo_result_file) into a folder, which is there, by the printer of the name's
 * ending; CARDO_ERROR_ARGUMENT where no printer has it. */
cardo_status cardo_result_write_files(const cardo_result *part, const char *folder,
                                      cardo_error *error);

/* The column of a table that holds a quantity in its CSV file, from 1 as gnuplot counts; 0: none. */
int cardo_result_csv_column(const cardo_result *table, const char *name);

/* Writes, as CSV, the table that each row of a table holds under a name, all rows below each other and each
 * with the row's first cell in front: the hinges of every mode. Without any there is the header, where one of them
 * has columns. */
cardo_status cardo_result_write_nested(const cardo_result *table, const char *name,
                                       const char *path, cardo_error *error);

/* The same as a JSON value, to be put beside others; the caller owns it. */
cardo_json *cardo_result_to_json(const cardo_result *part);

#endif
