/* cardo handoff: what all-atom simulations elsewhere start from. */
#include "cli/frame/home.h"
#include "cli/frame/opening.h"
#include "cli/frame/start.h"
#include "cli/frame/study_verb.h"
#include <cardo/result_text.h>

#include <limits.h>
#include <stdio.h>

static void say(const cardo_command *command, const cardo_result *result)
{
    (void)command;
    const cardo_result *left = cardo_result_find(result, "hinges_left_out");
    cardo_result_say_rows(stdout, cardo_result_find(result, "hinges"),
                          "  hinge of {hinge}: {angle_deg} degrees from q = 0 to 1\n", LLONG_MAX);
    for (int k = 0; k < cardo_result_count(left); ++k)
        printf("  %s\n", cardo_result_as_texts(cardo_result_part(left, k))[0]);
    cardo_result_say_rows(stdout, cardo_result_find(result, "frames"),
                          "  {frame}  q {q}  {energy_kJ_per_mol} kJ/mol, moved {moved_A} A in "
                          "{iterations} iterations; clashes and torn bonds: {worst}\n",
                          LLONG_MAX);
    cardo_result_say(stdout, result, "{verdict}\n");
    cardo_result_say_rows(stdout, cardo_result_find(result, "programs"),
                          "  {program:-9s}{note}[:\n           {command}]\n", LLONG_MAX);
}

static const cardo_option options[] = {
    {"out", 'o', "FOLDER", "results folder (default: the model file's name with .handoff)"},
    {"force", 'f', NULL, "replace what the folder holds"},
    CARDO_START_OPTIONS,
    CARDO_MODEL_OPTIONS,
    {"json", 0, NULL, "print JSON"},
    {"quiet", 'q', NULL, "no progress and no summary"},
    {0},
};

static const cardo_study_file files[] = {
    {"frame-01.*", "and its like: relaxed frames along q, with hydrogens"},
    {"frames.csv", "their q, energies, and what is strained"},
    {"system.xml", "OpenMM's System of all terms"},
    {"hinges.json", "what q is"},
    {"run_openmm.py", "runs a frame, and holds q where asked"},
    {"plumed.dat", "q for PLUMED"},
    {"topol.top", "GROMACS topology, with conf.gro and minimize.mdp"},
    {"topology.prmtop",
     "AMBER topology, with a restart of each frame (frame-01.rst7) and dynamics.mdin"},
    {NULL, NULL},
};

static const cardo_study_verb of_study = {
    .study = "handoff", .suffix = ".handoff", .say = say, .files = files};

const cardo_verb cardo_verb_handoff = {
    .name = "handoff",
    .synopsis = "MODEL.xml [-o FOLDER]",
    .summary =
        "relaxed frames along q, and inputs of OpenMM, GROMACS, AMBER and PLUMED with the same q",
    .description =
        "Moves the hinges of a model of all atoms along q, relaxes each frame with the C-alpha "
        "atoms "
        "of its domains held, and writes the frames and what other programs need to go on from "
        "them: "
        "a System and a script for OpenMM, which holds q where asked, q for PLUMED, topologies for "
        "GROMACS and AMBER. q is the angle about the hinge's axis, as the torsion of four weighted "
        "centroids "
        "of C-alpha atoms. What comes back, a trajectory or an ensemble, cardo fit puts on q.",
    .options = options,
    .tables = "handoff",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
