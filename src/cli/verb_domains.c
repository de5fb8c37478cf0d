/* cardo domains: from structures to domains, hinges and a model that runs. */
#include "cli/frame/reading.h"
#include "cli/frame/study_verb.h"

static const cardo_option options[] = {
    {"out", 'o', "MODEL.xml",
     "write a model that runs, its annotation, and scripts for PyMOL and ChimeraX; the first "
     "structure is prepared where the force field does not cover it",
     "name"},
    {"force", 'f', NULL, "overwrite them"},
    {"no-prepare", 0, NULL, "write the model for the first structure as it is", "prepare=no"},
    {"allow-guesses", 0, NULL,
     "write an all-atom model although more than a quarter of its heavy atoms is guessed, as of a "
     "backbone",
     "allow-guesses"},
    {"forcefield", 0, "FILE",
     "force field of the model (default: ff14SB.xml; with nucleic acids ff99SB.xml), or a "
     "coarse-grained energy, "
     "which needs no preparation and C-alpha atoms alone: double-basin.xml, elastic-network.xml, "
     "kim-hummer.xml; may be repeated, as for a ligand's file",
     "forcefield+"},
    {"keep", 'k', "WHAT",
     "molecules that the model has as bodies on the domain that they touch most: ligands, ions, or "
     "names of residues such as AP5, commas between; those of the second structure, where the "
     "first has none of that name, are placed by the superposition of that domain",
     "keep+"},
    {"ligand-joint", 0, "KIND", "weld (default), or free: they move near their sites",
     "ligand-joint"},
    CARDO_IDENTITY_OPTION,
    {"joint", 0, "KIND",
     "how domains hang on each other in the model: path (default), hinge (a path that may twist "
     "and "
     "bend too), pin about the found axis, ball, free",
     "joint"},
    {"flexible", 0, NULL,
     "strands between the domains, residues that turn, and side chains that come near another "
     "domain give way; atoms of the domains are moved to where they are at rest at both ends of "
     "the "
     "motion (MODEL_settled.pdb), which is tried there and back; a model that does not make it "
     "ends "
     "with exit status 3 and the range in which it is good",
     "motion=flexible"},
    {"rigid", 0, NULL, "domains rigid throughout (default); how far they can go is told",
     "motion=rigid"},
    {"symmetric", 0, NULL,
     "hinges that are copies of each other, as in a ring of equal chains, go by one coordinate",
     "symmetric=yes"},
    {"base", 0, "HOW", "the root in the model: free (default) or welded to ground", "base"},
    {"pae", 0, "FILE.json",
     "predicted errors of the one structure (AlphaFold's database, ColabFold, AlphaFold 3): its "
     "domains are what was placed surely together, linkers turn",
     "pae"},
    {"set", 's', "NAME=VALUE", "an option of the search, such as domains.smallest=30", "="},
    {"stride", 0, "N",
     "of a trajectory, take every N-th frame (default: so that 100 at most are looked at)",
     "stride"},
    {"cutoff", 0, "NM", "of the elastic network, when there is one structure (default 1.5)",
     "cutoff"},
    {"json", 0, NULL, "print JSON"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

static cardo_status judge(const cardo_result *result, cardo_error *error)
{
    const char *reason = cardo_result_text_at(result, "not_written");
    if (reason)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s", reason);
    const cardo_result *interrupted = cardo_result_find(result, "interrupted");
    if (interrupted && cardo_result_as_truths(interrupted)[0])
        return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                          "interrupted; the model is the best one that was found until then");
    const cardo_result *trial = cardo_result_find(result, "trial");
    const cardo_result *flexible = cardo_result_find(trial, "flexible"),
                       *whole = cardo_result_find(trial, "whole");
    const cardo_result *untried = cardo_result_find(result, "untried_flexible");
    if (untried && cardo_result_as_truths(untried)[0])
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the model was written, but its motion was not tried: %s",
                          cardo_result_text_at(result, "not_tried"));
    if (flexible && whole && cardo_result_as_truths(flexible)[0] &&
        !cardo_result_as_truths(whole)[0])
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the model was written, but it does not make its motion: %s",
                          cardo_result_text_at(trial, "verdict"));
    return CARDO_OK;
}

static const cardo_study_verb of_study = {
    .study = "domains",
    .wants = "two structure files are needed, or more, or one to predict from",
    .named = {.model = "out"},
    .ends_well = true,
    .next = "[\nTry it: cardo info {model_file:s}, cardo simulate {model_file:s}\n]"
            "[Its motion again, from the last row of {places_file:s}: cardo drive {model_file:s}\n]"
            "[Its free energy, which means something where the motion is good, in hours: cardo "
            "sample {sampled_model:s} --set model.base=welded --set model.closure=bonded --set "
            "model.constraints=none\n]",
    .judge = judge,
};

const cardo_verb cardo_verb_domains = {
    .name = "domains",
    .synopsis = "FIRST SECOND ... | ENSEMBLE | TOPOLOGY TRAJECTORY | STRUCTURE [-o MODEL.xml] "
                "[options]",
    .summary = "find rigid domains and hinges between structures, and write a model that runs",
    .description =
        "Aligns the chains of two structures of one protein, finds the parts that move as rigid "
        "bodies, and describes how they do: screw axes, bending residues, the strands that cross, "
        "and what rigid domains leave unexplained, with a verdict in words. Two methods look: "
        "clustering of the rotations of short windows of backbone (Hayward & Berendsen 1998), and "
        "recursive rigid fitting; a hinge is what both see. FILE#CHAIN and FILE#MODEL:CHAIN choose "
        "a chain and a model. Of more than two structures, or the models of one file, the two that "
        "differ most are compared and all are placed between them. A trajectory (AMBER NetCDF, "
        "DCD) "
        "stands for its frames, with the atoms of the structure before it; FILE#N: chooses one. "
        "From one structure domains are "
        "predicted by the softest modes of its elastic network; or, with --pae, by the predicted "
        "errors that came with it: communities of residues that were placed surely to each other "
        "are rigid, and linkers of phi and psi join them.",
    .options = options,
    .tables = "domains",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
