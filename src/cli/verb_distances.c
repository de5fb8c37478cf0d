/* cardo distances: between labelled residues, as FRET and DEER see them. */
#include "cli/frame/home.h"
#include "cli/frame/study_verb.h"
#include <cardo/result_text.h>

static const cardo_option options[] = {
    CARDO_HOME_OPTIONS(".distances"),
    {"at", 'a', "BODY[.K]", "the coordinate of the model to go along", "coordinate"},
    {"places", 'n', "N", "how many values of it (default 11)", "places"},
    {"signal", 0, "FILE",
     "a measured DEER signal, t (us) and V: its distribution of distances, with errors", "signal"},
    {"set", 's', "NAME=VALUE", "another option, such as distances.spacing=0.06", "="},
    {"json", 0, NULL, "print JSON"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

static const cardo_study_file files[] = {
    {"distances.csv", "each pair in each conformation"},
    {"distributions.csv", "distributions of distances, of all conformations together"},
    {"signals.csv", "DEER's signals of these"},
    {"inverse.csv", "the distribution that the measured signal asks for"},
    {0},
};

static void say(const cardo_command *command, const cardo_result *result)
{
    (void)command;
    cardo_result_print_table(stdout, cardo_result_find(result, "labels"), "  ", 50);
    cardo_result_print_table(stdout, cardo_result_find(result, "distances"), "  ", 60);
    cardo_result_say(stdout, result, "all {conformations} together:\n");
    cardo_result_say_rows(stdout, cardo_result_find(result, "pairs"),
                          "  {pair:-12s} {kind} [<R> {mean_A:.2f} A][, <E> {efficiency:.3f}, <R>_E "
                          "{apparent_A:.2f} A][; measured {measured}][ ({measured_apparent_A:.2f} "
                          "A)][, off by {deviation_sigma} sigma]\n",
                          200);
    cardo_result_say(stdout, cardo_result_find(result, "from_signal"),
                     "{file}: mean distance {mean_A} +- {mean_sigma_A} A, width {width_A} +- "
                     "{width_sigma_A} A; depth {depth}, background {background_per_us} 1/us, noise "
                     "{noise}[; overlap with {pair} {overlap}]\n  {verdict:96,2w}\n");
}

static const cardo_study_verb of_study = {
    .study = "distances",
    .wants = "needs a table of labels, and structures or a model",
    .suffix = ".distances",
    .say = say,
    .files = files,
};

const cardo_verb cardo_verb_distances = {
    .name = "distances",
    .synopsis = "MODEL.xml|STRUCTURE[#CHAIN]... [TRAJECTORY...] LABELS [options]",
    .summary = "distances between labelled residues, as FRET and DEER see them",
    .description =
        "Finds where labels on flexible linkers may be (accessible volumes: a ball of up to three "
        "radii at the "
        "end of a tube), and what experiments see of two of them: the distance of mean places, the "
        "mean "
        "distance, transfer efficiencies with labels that stand still or move while a donor is "
        "excited, "
        "the distance that such an efficiency means, distributions of distances, and DEER's "
        "signals; a measured signal is turned back into distances (Tikhonov, not negative). In a "
        "model each body carries the clouds of its labels, which give way to other bodies: along a "
        "coordinate, or in the frames of a trajectory or a run's folder, whose atoms the model, "
        "the first structure "
        "(which is none of the conformations then) or the run's topology.pdb names. LABELS has "
        "lines 'label NAME RESIDUE ATOM "
        "LENGTH WIDTH "
        "RADIUS [RADIUS RADIUS]' and 'pair NAME LABEL LABEL fret R0 [E SIGMA]' or 'pair NAME LABEL "
        "LABEL "
        "deer [DISTANCE SIGMA]', lengths in angstrom; or it is a JSON file of FPS. 'label NAME "
        "RESIDUE rotamers "
        "FILE ATOM' takes a library of rotamers of yours (a PDB of models with N, CA and C); none "
        "is shipped.",
    .options = options,
    .tables = "distances",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
