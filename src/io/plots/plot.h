/* Pictures of a run: a gnuplot script beside the table, for whoever calls to run. */
#ifndef CARDO_IO_PLOTS_PLOT_H
#define CARDO_IO_PLOTS_PLOT_H

#include "base/result.h"
#include "base/status.h"

/* Writes FOLDER/plot.gp for FOLDER/trajectory.csv (a table of cardo_recorder): trajectory.png/.svg
 * (coordinates, energies, temperature against time) and, where there is a coordinate to plot
 * against, energy.png/.svg (U(q)). Where what stands in the table, the result has in "trajectory_columns" (cardo_recorder_fill). Title ("model") and means ("temperature_K", "coordinates") are the result's, where
 * it has them. */
cardo_status cardo_plot_write(const char *folder, const cardo_result *result, cardo_error *error);

/* Writes FOLDER/plot.gp for the table "scan" of a result, which lies in FOLDER/scan.csv (q, potential, terms,
 * generalized force): scan.png/.svg with U(q) up to 100 kJ/mol above its minimum, what lies beyond said in words, and the force
 * below it. */
cardo_status cardo_plot_write_scan(const char *folder, const cardo_result *result,
                                   cardo_error *error);

/* Writes FOLDER/plot.gp for FOLDER/minimization.csv (iteration, stage, potential, largest and rms
 * force): minimization.png/.svg with both against the iterations, energies of the last stage above
 * its minimum. */
cardo_status cardo_plot_write_minimization(const char *folder, const char *title,
                                           cardo_error *error);

/* Writes FOLDER/plot.gp for the trajectory.csv of a drive, of which the result has "trajectory_columns" and what is "driven": drive.png/.svg (coordinate, energy and
 * work, motive force, loads on the hinges against time) and force.png/.svg (motive force against
 * the coordinate). */
cardo_status cardo_plot_write_drive(const char *folder, const cardo_result *result,
                                    cardo_error *error);

#endif
