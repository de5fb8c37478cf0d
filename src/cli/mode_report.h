/* What cardo modes prints. */
#ifndef CARDO_CLI_MODE_REPORT_H
#define CARDO_CLI_MODE_REPORT_H

#include "cli/mode_files.h"
#include "cli/run_folder.h"

typedef struct cardo_mode_run {
    const cardo_command *command;
    cardo_session *session;
    cardo_mode_options options;
    cardo_mode_set set;
    cardo_mode_comparison comparison;
    cardo_mode_files files;
    cardo_result *result; /* what is printed and written */
    cardo_run_folder home;
    const char *folder;  /* its path */
    const char *members; /* who made K */
    char members_text[64];
} cardo_mode_run;

/* Prints what the command wants: a summary, JSON, or nothing. */
cardo_status cardo_mode_report(const cardo_mode_run *r, cardo_error *error);

#endif
