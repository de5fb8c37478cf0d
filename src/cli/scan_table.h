/* scan.csv of cardo sample by scan: energies, force, loads on hinges and the worst contact, place by
 * place. */
#ifndef CARDO_CLI_SCAN_TABLE_H
#define CARDO_CLI_SCAN_TABLE_H

#include "cli/sample_run.h"
#include "sampling/methods/scan.h"

/* What there is to say of a scan in words. */
typedef struct cardo_scan_words {
    int unreached;     /* places whose minimum was not found                                    */
    double hysteresis; /* kJ/mol, the largest difference of the ways up and down; 0: one way    */
    double at;         /* and where                                                             */
    char contact[256]; /* the worst contact of all places, and where it is; "": none looked for */
} cardo_scan_words;

/* Writes scan.csv, and of a relaxed scan scan-down.csv: the way back. The session's state is moved. */
cardo_status cardo_scan_table_write(cardo_sample_run *run, cardo_scan_words *words,
                                    cardo_error *error);
/* The words as lines on standard output. */
void cardo_scan_words_print(const cardo_scan_words *words, const char *name);

#endif
