/* Pictures of free energies. */
#ifndef CARDO_IO_PLOTS_FREE_ENERGY_PLOT_H
#define CARDO_IO_PLOTS_FREE_ENERGY_PLOT_H

#include "base/result.h"

/* Writes FOLDER/plot.gp from what study "sample" found, whose tables lie in that folder: pmf.png/.svg from "profile" and, of
 * the others that are there, windows, overlap and convergence likewise. "curve" (else "method") says what the profile is,
 * "low" and "high" the range that is shown, where that is not all of it. */
cardo_status cardo_plot_write_free_energy(const char *folder, const cardo_result *result,
                                          cardo_error *error);

#endif
