/* cardo saxs: structures, and a model along its hinge, against a measured scattering curve. */
#include "cli/frame/home.h"
#include "cli/frame/study_verb.h"
#include <cardo/result_text.h>

static const cardo_option options[] = {
    CARDO_HOME_OPTIONS(".saxs"),
    {"at", 'a', "BODY[.K]", "the coordinate of the model to go along", "coordinate"},
    {"places", 'n', "N", "how many values of it (default 41)", "places"},
    {"prior", 'p', "RUN|FILE",
     "free energy along the coordinate (a run of cardo sample, or its values and kJ/mol), to "
     "which the distribution is to be near",
     "prior"},
    {"distances", 'd', "LABELS",
     "labels and distances that were measured between them (FRET, DEER; as for cardo distances), "
     "of the same ensemble as the curve",
     "distances"},
    {"background", 'b', NULL, "fit a constant background too", "background=yes"},
    {"predict", 0, NULL, "the curve and the distances of one structure, without data",
     "predict=yes"},
    {"unit", 'u', "UNIT", "of the file's q, 1/A or 1/nm (default: found out, and told)", "unit"},
    {"qmax", 0, "Q", "leave out points above, 1/A", "q-high"},
    {"qmin", 0, "Q", "leave out points below, 1/A", "q-low"},
    {"set", 's', "NAME=VALUE", "another option of the study, such as saxs.c1-low=1", "="},
    {"json", 0, NULL, "print JSON"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

static const cardo_study_file files[] = {
    {"predicted.csv", "the curve of the structure"},
    {"distances.csv", "its distribution of distances, p(r)"},
    {"fit.csv", "the curve and the best fit, with residuals"},
    {"structures.csv", "each structure"},
    {"hinge.csv", "chi^2 along {coordinate}"},
    {"groups.csv", "groups of frames, or of many structures, that the curve cannot tell apart"},
    {"shares.csv", "which shares of the conformations the curve asks for"},
    {"confidences.csv", "what each confidence in the prior makes of them"},
    {"fit.png", "pictures: hinge.png of a model (also .svg; drawn by plot.gp)"},
    {"plot.gp", "makes the pictures where gnuplot is installed"},
    {0},
};

static void say(const cardo_command *command, const cardo_result *result)
{
    (void)command;
    if (cardo_result_find(result, "predicted")) {
        cardo_result_say(
            stdout, result,
            "{structure}: {scatterers} scatterers, Rg {gyration_A} A, largest "
            "distance {largest_distance_A} A, I(0) {forward} e^2 (c1 {c1}, c2 {c2})\n");
        return;
    }
    cardo_result_say(stdout, result,
                     "{curve/file}: {curve/points} points, q {curve/q_low_per_A} to "
                     "{curve/q_high_per_A} 1/A; the file has them in {curve/unit_of_file}, "
                     "{curve/unit_said?as is said|by their range}[, {curve/negative_intensities} "
                     "intensities not above "
                     "zero]\n[Guinier: Rg {curve/guinier_gyration_A} +- "
                     "{curve/guinier_gyration_sigma_A} A, I(0) {curve/guinier_forward} +- "
                     "{curve/guinier_forward_sigma}, {curve/guinier_points} points up to q = "
                     "{curve/guinier_q_high_per_A} 1/A\n]");
    if (cardo_result_find(result, "structures"))
        cardo_result_print_table(stdout, cardo_result_find(result, "structures"), "  ", 50);
    cardo_result_say(stdout, result, "[{model} along {coordinate}:\n  {verdict:96,2w}\n]");
    cardo_result_say(stdout, result,
                     "[ensemble of {ensemble/conformations}:\n  {ensemble/verdict:96,2w}\n]");
    cardo_result_say(stdout, result, "best: {best}, which\n  {best_verdict:96,2w}\n");
    cardo_result_say(stdout, result,
                     "  c1 {best_fit/c1}, c2 {best_fit/c2}{best_fit/at_bound? (at an end of its "
                     "range: not determined)|}, scale "
                     "{best_fit/scale}, background {best_fit/background}\n");
}

static const cardo_study_verb of_study = {
    .study = "saxs",
    .wants = "needs a curve, and structures, frames or a model",
    .suffix = ".saxs",
    .say = say,
    .files = files,
};

const cardo_verb cardo_verb_saxs = {
    .name = "saxs",
    .synopsis = "[MODEL.xml] [RUN|TRAJECTORY|STRUCTURE[#CHAIN]...] DATA.dat [options]",
    .summary = "what a scattering curve in solution says of structures and hinges",
    .description = "Computes small-angle X-ray scattering (Debye's sum over all atoms, with "
                   "displaced solvent and a hydration layer in FoXS's "
                   "parametrization) and fits it to a measured curve: displaced volume c1, layer "
                   "c2, scale and, if wanted, background. "
                   "Prints chi^2 of each structure; of a model, chi^2 along a coordinate, the best "
                   "value with its "
                   "uncertainty, and whether the curve can tell at all; and which shares of the "
                   "conformations the curve asks for, within which bounds; of more than eight "
                   "structures, and of "
                   "the frames of a trajectory or a run's folder (with the model whose bodies are "
                   "rigid in them: a millisecond a frame), by groups. The file has three "
                   "columns, q (1/A or 1/nm), I and sigma; headers "
                   "are passed over; sasCIF is read too. Without data the curve of one structure "
                   "is predicted (--predict). Writes tables and pictures with "
                   "residuals. The forward model was compared with "
                   "measured curves of known structures, and with no other program's.",
    .options = options,
    .tables = "saxs",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
