/* Pictures from the scripts that io/plot writes beside its tables. */
#ifndef CARDO_CLI_PROCESSES_GNUPLOT_H
#define CARDO_CLI_PROCESSES_GNUPLOT_H

#include <cardo/status.h>

#include <stdbool.h>

/* Runs gnuplot over FOLDER/plot.gp in that folder, without a shell; *drawn is false when there is
 * no gnuplot on PATH (no error). A gnuplot that fails is CARDO_ERROR_FILE with its first words. */
cardo_status cardo_gnuplot_run(const char *folder, bool *drawn, cardo_error *error);

#endif
