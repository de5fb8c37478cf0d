/* cardo fit: the coordinates of a model that best reproduce given atom positions. */
#include "cli/frame/reading.h"
#include "cli/frame/study_verb.h"
#include <cardo/result_text.h>

#include <limits.h>

static const cardo_option options[] = {
    {"atoms", 'a', "SELECTION",
     "fit these atoms of the model, such as A:1-238@CA (default: all when the structure has just "
     "the model's atoms; heavy atoms when the model has torsions; else C-alpha of the domains)",
     "atoms"},
    {"chains", 'c', "IDS", "use these chains of the structures alone, with commas between",
     "chains"},
    {"model", 'm', "N",
     "fit this model or frame of a file with several (default: all, one after the other)", "model"},
    CARDO_IDENTITY_OPTION,
    {"output", 'o', "FILE", "write the model where it was fitted, one model a frame: .pdb or .cif"},
    {"table", 0, "FILE.csv", "write every coordinate of every frame"},
    {"set", 's', "NAME=VALUE", "override the model file, as with cardo info"},
    {"json", 0, NULL, "print JSON"},
    {0},
};

/* Frames are printed as they come, so that one sees how far a long trajectory has come; for JSON they are kept. */
static void say_frame(const cardo_result *one)
{
    cardo_result_say(stdout, one,
                     "{file}, model {model}: {atoms} {fitted}, RMSD {rmsd_A} A"
                     "{converged?| (not settled)}\n");
    if (!cardo_result_as_truths(cardo_result_find(one, "own_atoms"))[0])
        cardo_result_say(stdout, one, "  {verdict}\n");
    cardo_result_say_places(stdout, cardo_result_find(one, "q"), "  {label:-24s} q = {value}\n");
    cardo_result_say_rows(stdout, cardo_result_find(one, "domains"),
                          "  {name} RMSD {rmsd_A} A of {atoms} atoms; superposed by itself "
                          "{rmsd_alone_A} A\n",
                          LLONG_MAX);
}

static cardo_status adopt(const cardo_command *command, cardo_setting_list *texts,
                          cardo_error *error)
{
    (void)error;
    texts->text[texts->count++] = cardo_command_has(command, "json") ? "keep=yes" : "keep=no";
    return CARDO_OK;
}

static const cardo_study_verb of_study = {
    .study = "fit",
    .wants = "needs a model file and the structures to fit it to",
    .named = {.table = "table", .structures = "output", .replaces = true},
    .adopt = adopt,
    .say_part = say_frame,
};

const cardo_verb cardo_verb_fit = {
    .name = "fit",
    .synopsis = "MODEL.xml STRUCTURE[#CHAIN]... [options]",
    .summary = "find the coordinates that best reproduce given atom positions",
    .description =
        "Finds the coordinates at which the model's atoms lie nearest to those of a structure, by "
        "least squares over all mobilizers: where a crystal structure, an NMR model or a frame "
        "of a trajectory (AMBER NetCDF, DCD, or a PDB file of several models) stands on the "
        "model's "
        "coordinates. Prints the RMSD and, for every "
        "domain, what is left of it and what superposing that domain alone would leave. The base "
        "is placed freely. Atoms of Phe, Tyr, Asp, Glu and Arg that differ by name alone are "
        "exchanged where that fits better.",
    .options = options,
    .study = &of_study,
    .run = cardo_study_verb_run,
};
