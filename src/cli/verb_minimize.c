/* cardo minimize: the nearest minimum of a model's energy in its coordinates. */
#include "cli/frame/home.h"
#include "cli/frame/opening.h"
#include "cli/frame/start.h"
#include "cli/frame/study_verb.h"
#include <cardo/result_text.h>

#include <stdio.h>

static void say(const cardo_command *command, const cardo_result *result)
{
    (void)command;
    cardo_result_say_places(stdout, cardo_result_find(result, "coordinates"),
                            "  {label:-20s} {value}\n");
}

static const cardo_option options[] = {
    CARDO_HOME_OPTIONS(".minimized"),
    CARDO_START_OPTIONS,
    CARDO_MODEL_OPTIONS,
    {"json", 0, NULL, "print JSON"},
    {"quiet", 'q', NULL, "no progress and no summary"},
    {0},
};

static const cardo_study_file files[] = {
    {"minimized.*", "the structure there"},
    {"coordinates.csv",
     "its coordinates; cardo simulate ... --from {folder}/coordinates.csv begins there"},
    {"minimization.csv", "energy, forces and coordinates of every iteration"},
    {"minimization.png", "its picture (also .svg; drawn by plot.gp)"},
    {"plot.gp", "makes the picture where gnuplot is installed"},
    {NULL, NULL},
};

static const cardo_study_verb of_study = {
    .study = "minimize",
    .suffix = ".minimized",
    .sentence =
        "[  energy               {first_potential_kJ_per_mol} to {potential_kJ_per_mol} kJ/mol in "
        "{iterations} iterations, {evaluations} evaluations\n"
        "  largest force        {largest_force} on {largest_force_on}, rms {rms_force} kJ/mol per "
        "unit of the coordinates: {ending}\n][  constraints          met to {largest_violation}, "
        "{degrees_of_freedom} degrees of freedom are left\n][  worst contact        "
        "{worst_contact}\n]",
    .say = say,
    .files = files,
};

const cardo_verb cardo_verb_minimize = {
    .name = "minimize",
    .synopsis = "MODEL.xml [options]",
    .summary = "go to the nearest minimum of the energy, out of overlaps first",
    .description =
        "Minimizes the model's energy in its generalized coordinates by L-BFGS, with exact "
        "gradients and mass-weighted steps; orientations are turned in their tangent space. A "
        "start in which atoms overlap is made soft first: Lennard-Jones energies between bodies "
        "stay finite at contact, and are hardened in stages before the true energy takes over. "
        "Nothing inside a rigid body moves, so what overlaps there stays so.",
    .options = options,
    .tables = "minimize",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
