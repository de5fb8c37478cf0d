/* The page of runs: one file of HTML that opens from disk without a network, made from what runs leave in their folders. */
#ifndef CARDO_REPORT_H
#define CARDO_REPORT_H

#include <cardo/result.h>
#include <cardo/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Zero-initialise and set size. Texts are borrowed; NULL: not said. */
typedef struct cardo_report_options {
    size_t size;       /* sizeof(cardo_report_options): it may grow                              */
    const char *title; /* of the page; NULL: the first model's name, or the first folder's       */
    const char *program, *version; /* who makes it                                               */
} cardo_report_options;

/* Writes the page of the runs in these folders (nrun of them, in their order), whole or not at all: what was asked and found (result.json),
 * how the model moves (motion.json), tables (*.csv), versions and options (run.json). A folder needs one of result.json
 * and run.json: CARDO_ERROR_INPUT else. A file that ends in .csv is a table of structures on the coordinates of a run (study fit), and
 * becomes ticks on that one's curves. 3Dmol.js and uPlot are taken from Cardo's data folder "report"; without them the page has no
 * molecule, and curves as plain pictures, and says so. into (may be NULL): a group that gets "file", "bytes", "runs", and
 * "missing" (names of files that the page goes without). options may be NULL. */
CARDO_API cardo_status cardo_report_write(int nrun, const char *const *folders,
                                          const cardo_report_options *options, const char *path,
                                          cardo_result *into, cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
