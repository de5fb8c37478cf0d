/* Pictures of study "saxs". */
#ifndef CARDO_IO_PLOTS_PLOT_SAXS_H
#define CARDO_IO_PLOTS_PLOT_SAXS_H

#include "base/result.h"

/* plot.gp in a folder with fit.csv: the curve with the best fit and residuals; chi^2 along the hinge where there is hinge.csv. */
cardo_status cardo_plot_write_saxs(const char *folder, const cardo_result *result,
                                   cardo_error *error);

#endif
