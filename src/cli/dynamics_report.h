/* What simulate and drive say of a run of dynamics, before and after. */
#ifndef CARDO_CLI_DYNAMICS_REPORT_H
#define CARDO_CLI_DYNAMICS_REPORT_H

#include "cli/frame/home.h"
#include <cardo/result.h>

/* The command-line options of these verbs; suffix: what their run folders' names end in. */
#define CARDO_DYNAMICS_OPTIONS(suffix)                                                             \
    CARDO_RUN_OPTIONS(suffix), CARDO_MOTION_OPTIONS, CARDO_START_OPTIONS, CARDO_MODEL_OPTIONS,     \
        {"json", 0, NULL, "print JSON"},                                                           \
    {                                                                                              \
        "quiet", 'q', NULL, "no progress and no summary"                                           \
    }

/* Of what begins. */
#define CARDO_DYNAMICS_OPENING                                                                     \
    "forces: {engine}[, {solvent}][ with salt, kappa {kappa_per_nm}/nm], {method}; {integrator}, " \
    "step {timestep_ps} ps, {steps} steps "                                                        \
    "= {length_ns} ns[ ({time_is})][, {bath_K} K, seed {seed}]\n"                                  \
    "{deterministic?|note: with several threads, a cutoff or a GPU the last bits of OpenMM's "     \
    "forces vary, so a continued run will not be bitwise the same\n}"                              \
    "results go to {folder}/\n"

/* Files that both leave, among them a picture. */
#define CARDO_DYNAMICS_FILES(verb, picture)                                                        \
    {"trajectory.csv", "every coordinate, energy and force against time"},                         \
        {"events.csv", "passages of the watched coordinates, at their times"},                     \
        {"trajectory.*", "the motion; open it with {topology} in VMD, PyMOL or ChimeraX"},         \
        {"checkpoint.cardo",                                                                       \
         "to go on: cardo " verb " MODEL --out {folder} --continue --steps N"},                    \
        {"run.json", "versions and options of this run"},                                          \
        {picture, "pictures (also .svg; drawn by plot.gp)"},                                       \
    {                                                                                              \
        "plot.gp", "makes the pictures where gnuplot is installed"                                 \
    }

/* How a run ended, and what its steps showed. */
void cardo_dynamics_say(const cardo_command *command, const cardo_result *result);

/* CARDO_ERROR_INTERRUPTED, with how to go on, where a signal ended the run. */
cardo_status cardo_dynamics_judge(const cardo_result *result, cardo_error *error);

#endif
