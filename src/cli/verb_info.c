/* cardo info: what a model is made of, and how well its hinges fit the structures. */
#include "cli/frame/opening.h"
#include "cli/frame/study_verb.h"

static const cardo_option options[] = {
    {"stationary", 0, "RESIDUES",
     "with two structures: the stationary domain, such as A:1-89,A:194-238"},
    {"mobile", 0, "RESIDUES", "with two structures: the mobile domain"},
    {"hinge", 0, "RESIDUES", "with two structures: residues between the domains"},
    {"interpolation", 0, "KIND", "with two structures: screw (default) or euler"},
    CARDO_MODEL_OPTIONS,
    {"clashes", 0, NULL,
     "how near heavy atoms of different bodies come along the paths, with the side chains of each "
     "structure and with the best of them",
     "clashes"},
    {"all-atom", 0, NULL,
     "how much the model is strained along the paths beyond what all atoms ask when only the "
     "domains' poses are held; takes minutes",
     "all-atom"},
    {"places", 0, "N", "with --all-atom: places along the paths (11)", "places"},
    {"iterations", 0, "N", "with --all-atom: the most at a place, each way (400)", "iterations"},
    {"sweeps", 0, "N",
     "with --all-atom: the most sweeps there and back, until both agree to 60 kJ/mol (1)",
     "sweeps"},
    {"json", 0, NULL, "print JSON"},
    {0},
};

static const cardo_study_verb of_study = {.study = "info"};

const cardo_verb cardo_verb_info = {
    .name = "info",
    .synopsis = "MODEL.xml | OPEN CLOSED --stationary RESIDUES --mobile RESIDUES [options]",
    .summary = "show a model's bodies, hinges, fit and energies",
    .description =
        "Prints the structures of a model, its rigid bodies and mobilizers, how well each path "
        "fits the structures (C-alpha atoms: rotation, screw axis, translation, residuals), the "
        "chain bonds that the hinges cut, and the energy where the model starts. Instead of a "
        "model file, two structure files and the residues of their domains may be given; "
        "FILE#CHAIN and FILE#MODEL:CHAIN choose a chain and a model.",
    .options = options,
    .study = &of_study,
    .run = cardo_study_verb_run,
};
