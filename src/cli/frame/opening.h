/* From a command line to a session: the options of every verb with a model, what they set, and the program's ear for
 * what the library says. */
#ifndef CARDO_CLI_FRAME_OPENING_H
#define CARDO_CLI_FRAME_OPENING_H

#include "cli/frame/progress.h"
#include "cli/frame/reading.h"
#include "cli/frame/verb.h"
#include <cardo/session.h>
#include <cardo/simulation.h>

/* The options that every verb with a model has: --set, --platform, --threads, --json, --quiet. */
#define CARDO_MODEL_OPTIONS                                                                        \
    {"set", 's', "NAME=VALUE",                                                                     \
     "override the model file: simulate.steps=1000, forcefield.solvent=none, model.base=welded; "  \
     "may be repeated"},                                                                           \
        {"platform", 'p', "NAME",                                                                  \
         "OpenMM platform: auto, Reference, CPU, OpenCL, CUDA, HIP (cardo list platforms)",        \
         "forcefield.platform"},                                                                   \
        {"provider", 0, "NAME",                                                                    \
         "what computes forces: rigid (skips what lies inside bodies), openmm, auto (default: "    \
         "rigid "                                                                                  \
         "where it knows the whole force field and no platform is named)",                         \
         "forcefield.provider"},                                                                   \
        CARDO_NUMBERING_OPTION,                                                                    \
    {                                                                                              \
        "threads", 't', "N",                                                                       \
            "threads: of rigid all cores unless set, always with the same results; of "            \
            "OpenMM's CPU platform 1, as with more the last bits vary",                            \
            "forcefield.threads"                                                                   \
    }

/* Options that are short for settings of studies in which walkers move. */
#define CARDO_MOTION_OPTIONS                                                                       \
    {"steps", 0, "N", "how many steps; short for --set VERB.steps=N", ".steps"},                   \
        {"timestep", 0, "TIME", "length of a step with its unit, such as 2fs", ".timestep"},       \
        {"temperature", 0, "KELVIN", "of the bath, such as 310 or 310K", ".temperature"},          \
    {                                                                                              \
        "seed", 0, "N", "seed of all random numbers", ".seed"                                      \
    }

/* The program's ear: what it does with what the library says while a command runs. */
typedef struct cardo_ear {
    bool quiet;
    const char *study;   /* notes about it are printed as they come; NULL: none */
    const char *opening; /* what begins in words, from its head; NULL: who computes forces */
    double timestep;     /* ps, of what begins; 0: it has none */
    void (*say_part)(
        const cardo_result *part); /* parts of results as they come, unless quiet; NULL: nothing */
    cardo_progress progress;
    char about[64]; /* what the progress is of; "": nothing goes on */
} cardo_ear;

/* Remarks and warnings go to standard error; what is said of force tables and of the ear's study to standard output,
 * unless quiet; progress to standard error, with the time left. Signals that were asked for (cli/processes/interrupt.h) stop
 * what takes long. ear is borrowed. */
cardo_listener cardo_program_listener(cardo_ear *ear);

/* Ends the line of a progress that goes on. */
void cardo_progress_end(cardo_ear *ear);

/* Opens the command's model file, or pair of structures with --stationary and --mobile.
 * need_forces: a force field that is missing or cannot be applied is an error. The caller closes *session,
 * which is NULL where nothing is open. */
cardo_status cardo_command_open(const cardo_command *command, bool need_forces,
                                cardo_session **session, cardo_error *error);

/* The same with options of the session; settings are put to them. quiet: of the listener. */
cardo_status cardo_command_session(const cardo_command *command, cardo_session_options *options,
                                   bool quiet, cardo_session **session, cardo_error *error);

/* The same with the model alone: cardo_session_build goes on. quiet: of the listener. */
cardo_status cardo_command_begin(const cardo_command *command, bool need_forces, bool quiet,
                                 cardo_session **session, cardo_error *error);

#endif
