/* Plugging the parts together: a model file becomes a system, its force provider and a state at its
 * start. */
#ifndef CARDO_CLI_SETUP_H
#define CARDO_CLI_SETUP_H

#include "cli/reading.h"
#include "cli/verb.h"
#include "dynamics/evaluation/evaluate.h"
#include "forces/coarse/energy.h"
#include "forces/openmm/openmm.h"
#include "forces/terms/terms.h"
#include "model/model.h"
#include "multibody/tree/state.h"

typedef struct cardo_setup {
    cardo_model *model;
    cardo_terms *
        terms; /* NULL with a serialized System or a coarse-grained energy                             */
    double *masses; /* of the atoms as the force field has them, or NULL: standard ones */
    cardo_system *system;
    cardo_force_provider *provider; /* NULL: no force field, or not wanted                        */
    cardo_force_provider *table; /* forces looked up instead (cli/tabulate.h), or NULL           */
    cardo_evaluator *evaluator;
    cardo_openmm_parts *parts;   /* of provider rigid, until there is a system; else NULL     */
    cardo_coarse_energy *coarse; /* the energy that provider computes, when it is coarse-grained */
    char engine[64];             /* of provider rigid: "rigid, mixed precision"               */
    char not_rigid[128];         /* why provider auto took OpenMM; empty: it did not          */
    cardo_state *state;          /* at the model's initial q                                  */
    struct cardo_judgement *judgement; /* of provider rigid (cli/judge.h), or NULL               */
    cardo_error no_forces; /* why there is no provider, where that is allowed            */
} cardo_setup;

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

/* The NAME of --set that an option is short for ("forcefield.platform" of "platform"), or NULL. */
const char *cardo_setup_override_name(const char *option);

/* Reads the command's model alone, so that something may be said to it before the rest is built. */
cardo_status cardo_setup_read(const cardo_command *command, cardo_setup *setup, cardo_error *error);

/* Reads the command's model where that is not done yet (or pair of structures with --stationary and --mobile) and builds
 * everything. need_forces: a model whose force field is missing or cannot be applied is an error;
 * otherwise setup->no_forces says why there are none. Zero-initialise *setup; cardo_setup_clear
 * frees what is there, also after a failure. */
cardo_status cardo_setup_build(const cardo_command *command, bool need_forces, cardo_setup *setup,
                               cardo_error *error);
void cardo_setup_clear(cardo_setup *setup);

/* A provider of the bonded terms of setup->terms alone, on the same platform. The caller owns *out.
 */
cardo_status cardo_setup_bonded_provider(const cardo_setup *setup, cardo_force_provider **out,
                                         cardo_error *error);

/* A provider of all terms of setup->terms, what lies inside bodies too, on the same platform: for atoms
 * that all move. CARDO_ERROR_UNSUPPORTED with a serialized System, which may have constraints in place
 * of bonds. The caller owns *out. */
cardo_status cardo_setup_whole_provider(const cardo_setup *setup, cardo_force_provider **out,
                                        cardo_error *error);

/* OpenMM for the whole of the force field or System as the model has it, inside bodies too, on this
 * platform: to judge provider rigid at positions (natom x 3, nm) by. The caller owns *out. */
cardo_status cardo_setup_judge_provider(const cardo_setup *setup, const char *platform,
                                        const double *positions, cardo_force_provider **out,
                                        cardo_error *error);

/* Makes every joint of the model free, so that bodies move as blocks of their own, and builds system,
 * state and evaluator anew. */
cardo_status cardo_setup_free_joints(cardo_setup *setup, cardo_error *error);

/* What computes forces, for logs: "OpenMM, CPU platform", "rigid, mixed precision"; and as one name for
 * run files, which a run that is continued must find again: the platform, or the same as before.
 * engine returns text. Needs a provider. */
const char *cardo_setup_engine(const cardo_setup *setup, char text[64]);
const char *cardo_setup_platform(const cardo_setup *setup);
/* Prints the model's name and how many atoms, bodies and degrees of freedom it has, and its notes. */
void cardo_setup_print_size(const cardo_setup *setup);
/* Prints which provider auto took and why; nothing where the user named one. */
void cardo_setup_print_choice(const cardo_setup *setup);

/* Puts one coordinate of the state at a value and realizes POSITION. */
cardo_status cardo_setup_set_coordinate(cardo_setup *setup, int coordinate, double value,
                                        cardo_error *error);

/* The name of mobility k for tables: "mobile" for a body's only one, "stationary wx" otherwise.
 * Returns text. */
char *cardo_setup_mobility_name(const cardo_system *system, int mobility, char text[96]);
/* The same for coordinate k. */
char *cardo_setup_coordinate_name(const cardo_system *system, int coordinate, char text[96]);

#endif
