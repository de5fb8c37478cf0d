/* cardo modes: normal modes of a model in its own coordinates. */
#include "cli/frame/home.h"
#include "cli/frame/opening.h"
#include "cli/frame/start.h"
#include "cli/frame/study_verb.h"

static const cardo_study_file files[] = {
    {"modes.csv", "frequencies, amplitudes, overlaps"},
    {"speeds.csv", "the modes in the model's own speeds"},
    {"residues.csv", "B factors"},
    {"hinges.csv", "where modes bend the chain"},
    {"correlations.csv", "of all pairs of residues"},
    {"comparison.csv", "overlaps of other methods"},
    {"modes.nmd", "for NMWiz in VMD"},
    {"spectrum.png", "pictures: b-factors.png, correlations.png (also .svg; drawn by plot.gp)"},
    {"plot.gp", "makes the pictures where gnuplot is installed"},
    {0},
};

static const cardo_study_verb of_study = {
    .study = "modes", .suffix = ".modes", .processes = 1, .files = files};

static const cardo_option options[] = {
    {"out", 'o', "FOLDER",
     "folder for tables and animations (default: the model file's name with .modes)"},
    {"force", 'f', NULL, "replace what the folder holds"},
    {"processes", 'j', "N",
     "share differences of forces out over N processes (default 1; 0: one a core); under mpirun or "
     "srun its ranks do it. The bits of the result do not depend on it"},
    {"temperature", 0, "KELVIN", "of thermal amplitudes, such as 310 or 310K", ".temperature"},
    CARDO_START_OPTIONS,
    CARDO_MODEL_OPTIONS,
    {"json", 0, NULL, "the table as JSON on standard output"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

const cardo_verb cardo_verb_modes = {
    .name = "modes",
    .synopsis = "MODEL.xml [options]",
    .summary = "normal modes in the model's coordinates",
    .description =
        "Solves K v = lambda M v in the speeds of the model's joints, with K from an elastic "
        "network at rest where the model stands, or from the force field by differences of "
        "generalized forces, at the nearest minimum. Prints frequencies, thermal amplitudes, "
        "collectivities, hinge residues and, where the model has a second structure, overlaps with "
        "the displacement to it, beside those of other methods (modes.against=anm,rtb); writes "
        "tables, pictures, an .nmd file and animations along the joints.",
    .options = options,
    .tables = "modes",
    .study = &of_study,
    .run = cardo_study_verb_run,
};
