/* Pictures of normal modes. */
#ifndef CARDO_IO_PLOTS_PLOT_MODES_H
#define CARDO_IO_PLOTS_PLOT_MODES_H

#include "base/result.h"

/* Writes FOLDER/plot.gp from what cardo modes found (study/modes/result.h), whose tables lie in that folder: spectrum,
 * b-factors and correlations, each .png and .svg. The result says which tables and columns there are. */
cardo_status cardo_plot_write_modes(const char *folder, const cardo_result *result,
                                    cardo_error *error);

#endif
