/* From a command line to a session: the options of every verb with a model, what they set, and the program's ear for
 * what the library says. */
#ifndef CARDO_CLI_OPENING_H
#define CARDO_CLI_OPENING_H

#include "cli/reading.h"
#include "cli/verb.h"
#include "study/session/session.h"

/* The options that every verb with a model has: --set, --platform, --threads, --json, --quiet. */
#define CARDO_MODEL_OPTIONS                                                                        \
    {"set", 's', "NAME=VALUE",                                                                     \
     "override the model file: simulate.steps=1000, forcefield.solvent=none, model.base=welded; "  \
     "may be repeated"},                                                                           \
        {"platform", 'p', "NAME",                                                                  \
         "OpenMM platform: auto, Reference, CPU, OpenCL, CUDA, HIP (cardo list platforms)"},       \
        {"provider", 0, "NAME",                                                                    \
         "who computes forces: rigid (skips what lies inside bodies), openmm, auto (default: "     \
         "rigid "                                                                                  \
         "where it knows the whole force field and no platform is named)"},                        \
        CARDO_NUMBERING_OPTION,                                                                    \
    {                                                                                              \
        "threads", 't', "N",                                                                       \
            "threads: of rigid all cores unless said otherwise, always with the same results; of " \
            "OpenMM's CPU platform 1, as with more the last bits vary"                             \
    }

/* The setting that an option is short for ("forcefield.platform" of "platform"), or NULL. */
const char *cardo_setting_of_option(const char *option);

/* Remarks and warnings go to standard error, what is said of force tables to standard output, unless quiet; signals
 * that were asked for (cli/interrupt.h) stop what takes long. */
cardo_listener cardo_program_listener(bool quiet);

/* Opens the command's model file, or pair of structures with --stationary and --mobile.
 * need_forces: a force field that is missing or cannot be applied is an error. The caller closes *session,
 * which is NULL where nothing is open. */
cardo_status cardo_command_open(const cardo_command *command, bool need_forces,
                                cardo_session **session, cardo_error *error);

/* The same with the model alone: cardo_session_build goes on. quiet: of the listener. */
cardo_status cardo_command_begin(const cardo_command *command, bool need_forces, bool quiet,
                                 cardo_session **session, cardo_error *error);

#endif
