/* What the gnuplot scripts of all pictures have in common. */
#ifndef CARDO_IO_PLOTS_PLOT_SCRIPT_H
#define CARDO_IO_PLOTS_PLOT_SCRIPT_H

#include "base/result.h"
#include "base/status.h"

#include <stdio.h>

/* Text between single quotes, as gnuplot reads it. */
void cardo_script_quoted(FILE *stream, const char *text);
/* The head of a script about a table: colours, tics, and n, every how manieth row of a long table is
 * drawn. */
void cardo_script_settings(FILE *stream, const char *table);
/* Output to NAME.png or NAME.svg (kind), 1200 wide. */
void cardo_script_terminal(FILE *stream, const char *name, const char *kind, int height);
/* Margins of a panel (0: uppermost) of npanel that stand above each other and share left and right. */
void cardo_script_panel(FILE *stream, int panel, int npanel);
/* FOLDER/NAME; the caller owns *path. */
cardo_status cardo_script_path(const char *folder, const char *name, char **path,
                               cardo_error *error);

/* A variable for each column of a table's CSV file, TABLE_COLUMN = its number: what a script is given, so that it needs
 * no number of its own. What a name of gnuplot cannot have becomes "_". */
void cardo_script_columns(FILE *stream, const cardo_result *table);

#endif
