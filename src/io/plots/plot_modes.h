/* Pictures of normal modes. */
#ifndef CARDO_IO_PLOTS_PLOT_MODES_H
#define CARDO_IO_PLOTS_PLOT_MODES_H

#include "base/status.h"

#include <stdbool.h>

/* What the tables of a folder hold. */
typedef struct cardo_plot_modes {
    const char *title;
    bool overlaps;           /* modes.csv has columns for them                              */
    int nmethod;             /* methods beside the model's in comparison.csv; 0: no such table */
    bool b_factors;          /* residues.csv has B factors of the file that differ          */
    bool correlations;       /* there is correlations.csv                                   */
    int nresidue;            /* lines of residues.csv                                       */
    const char (*label)[40]; /* what residues are called                         (nresidue) */
} cardo_plot_modes;

enum { CARDO_PLOT_MOST_METHODS = 4 };

/* Writes FOLDER/plot.gp for modes.csv, residues.csv, comparison.csv (mode, then overlap and cumulative
 * overlap of the model and of every other method) and correlations.csv (a line and a column for
 * names): spectrum, b-factors and correlations, each .png and .svg. method: names of the methods
 * (nmethod). */
cardo_status cardo_plot_write_modes(const char *folder, const cardo_plot_modes *what,
                                    const char *const *method, cardo_error *error);

#endif
