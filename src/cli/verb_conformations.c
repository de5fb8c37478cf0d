/* cardo conformations: shapes of a model on linkers, without clashes. */
#include "cli/frame/home.h"
#include "cli/frame/study_verb.h"

static const cardo_option options[] = {
    CARDO_HOME_OPTIONS(".conformations"),
    {"count", 'n', "N", "how many (default 2000)", "count"},
    {"moves", 'm', "N", "moves between two of them (default: 20 for each residue that turns)",
     "moves"},
    {"seed", 0, "N", "another makes another ensemble", "seed"},
    {"set", 's', "NAME=VALUE", "another option, such as conformations.scale=0.95", "="},
    {"json", 0, NULL, "print JSON"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

static const cardo_study_file files[] = {
    {"trajectory.*", "the conformations; their atoms are those of topology.*"},
    {"topology.*", "the atoms"},
    {"conformations.csv", "radius of gyration of each, and how far its domains are apart"},
    {0},
};

static const cardo_study_verb of_study = {
    .study = "conformations",
    .suffix = ".conformations",
    .sentence =
        "{residues} residues turn, {torsions} torsions; {acceptance} % of moves were taken, "
        "{moves} moves between two conformations[, {clashes_at_start} clashes at the "
        "start]\nRg {gyration_mean_A} +- {gyration_mean_sigma_A} A, standard deviation "
        "{gyration_spread_A} A, from {gyration_least_A} to {gyration_most_A} "
        "A\n{verdict:96,2w}\n",
    .files = files,
};

const cardo_verb cardo_verb_conformations = {
    .name = "conformations",
    .synopsis = "MODEL.xml [options]",
    .summary = "shapes of domains on linkers that turn, without clashes",
    .description =
        "Draws conformations of a model whose domains hang on linkers and tails of phi and psi "
        "(cardo "
        "domains --pae writes such models; <strand/> and <flexible> in any other), even over all "
        "in "
        "which no heavy atoms of different bodies come nearer than contact, by pivot moves. "
        "Bonds, angles, side chains and domains stay as they are; there is no other energy. Writes "
        "a "
        "trajectory. Domains that more than one strand ties are loops, of which none can be drawn "
        "so.",
    .options = options,
    .tables = "conformations",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
