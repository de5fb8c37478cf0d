#include "io/run/run_files.h"

#include "base/output.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* A file that studies make. */
typedef struct run_file {
    const char *name; /* '#' stands for digits */
    unsigned studies; /* which make it */
    bool tells;       /* where it is, there was a run */
} run_file;

enum {
    SIMULATE = 1,
    DRIVE = 2,
    SAMPLE = 4,
    MINIMIZE = 8,
    MODES = 16,
    ENERGY = 32,
    TRANSITION = 64,
    DOMAINS = 128, /* these two: as parts of a transition */
    INFO = 256,
    HANDOFF = 512,
    DYNAMICS = SIMULATE | DRIVE,
    ALL = DYNAMICS | SAMPLE | MINIMIZE | MODES | ENERGY | TRANSITION | DOMAINS | INFO | HANDOFF
};

static const struct {
    const char *name;
    unsigned study;
} studies[] = {{"simulate", SIMULATE},     {"drive", DRIVE},     {"sample", SAMPLE},
               {"minimize", MINIMIZE},     {"modes", MODES},     {"energy", ENERGY},
               {"transition", TRANSITION}, {"domains", DOMAINS}, {"info", INFO},
               {"handoff", HANDOFF}};

enum { NSTUDIES = sizeof studies / sizeof *studies };

static const char digits[] = "0123456789";

#define FORCE_TABLE "forces.table"

/* A study that writes another file lists it here; tests/cli/folders.sh finds those that are missing. */
static const run_file files[] = {
    {CARDO_RUN_RECORD, ALL, true},
    {"result.json", ALL, false},
    {"motion.json", ALL, false},
    {"checkpoint.cardo", DYNAMICS | SAMPLE, true},
    {FORCE_TABLE, DYNAMICS | SAMPLE, false},
    {"plot.gp", ALL, false},
    {"trajectory.csv", DYNAMICS, true},
    {"events.csv", DYNAMICS, false},
    {"trajectory.nc", DYNAMICS | SAMPLE, false},
    {"trajectory.dcd", DYNAMICS, false},
    {"trajectory.pdb", DYNAMICS, false},
    {"topology.pdb", DYNAMICS | SAMPLE, false},
    {"topology.cif", DYNAMICS | SAMPLE, false},
    {"trajectory.png", SIMULATE, false},
    {"trajectory.svg", SIMULATE, false},
    {"energy.png", SIMULATE, false},
    {"energy.svg", SIMULATE, false},
    {"drive.png", DRIVE, false},
    {"drive.svg", DRIVE, false},
    {"force.png", DRIVE, false},
    {"force.svg", DRIVE, false},
    {"COLVAR", SAMPLE, true},
    {"HILLS", SAMPLE, false},
    {"pmf.csv", SAMPLE, true},
    {"states.csv", SAMPLE, false},
    {"windows.csv", SAMPLE, false},
    {"overlap.csv", SAMPLE, false},
    {"convergence.csv", SAMPLE, false},
    {"COLVAR.#", SAMPLE, false},
    {"HILLS.#", SAMPLE, false},
    {"replicas.csv", SAMPLE, false},
    {"pmf.#.csv", SAMPLE, false},
    {"states.#.csv", SAMPLE, false},
    {"windows.#.csv", SAMPLE, false},
    {"overlap.#.csv", SAMPLE, false},
    {"convergence.#.csv", SAMPLE, false},
    {"u_kn.#.npy", SAMPLE, false},
    {"N_k.#.npy", SAMPLE, false},
    {"scan-down.csv", SAMPLE, false},
    {"u_kn.npy", SAMPLE, false},
    {"N_k.npy", SAMPLE, false},
    {"pmf.png", SAMPLE, false},
    {"pmf.svg", SAMPLE, false},
    {"windows.png", SAMPLE, false},
    {"windows.svg", SAMPLE, false},
    {"overlap.png", SAMPLE, false},
    {"overlap.svg", SAMPLE, false},
    {"convergence.png", SAMPLE, false},
    {"convergence.svg", SAMPLE, false},
    {"scan.csv", SAMPLE | ENERGY, true},
    {"scan.png", ENERGY, false},
    {"scan.svg", ENERGY, false},
    {"minimization.csv", MINIMIZE, true},
    {"minimized.pdb", MINIMIZE, false},
    {"minimized.cif", MINIMIZE, false},
    {"coordinates.csv", MINIMIZE, false},
    {"minimization.png", MINIMIZE, false},
    {"minimization.svg", MINIMIZE, false},
    {"modes.csv", MODES, true},
    {"speeds.csv", MODES, false},
    {"residues.csv", MODES, false},
    {"correlations.csv", MODES, false},
    {"hinges.csv", MODES, false},
    {"comparison.csv", MODES, false},
    {"modes.nmd", MODES, false},
    {"mode_#.pdb", MODES, false},
    {"mode_#.cif", MODES, false},
    {"spectrum.png", MODES, false},
    {"spectrum.svg", MODES, false},
    {"b-factors.png", MODES, false},
    {"b-factors.svg", MODES, false},
    {"correlations.png", MODES, false},
    {"correlations.svg", MODES, false},
    {"frames.csv", HANDOFF, true},
    {"frame-#.pdb", HANDOFF, false},
    {"frame-#.cif", HANDOFF, false},
    {"system.xml", HANDOFF, false},
    {"hinges.json", HANDOFF, false},
    {"run_openmm.py", HANDOFF, false},
    {"plumed.dat", HANDOFF, false},
    {"topol.top", HANDOFF, false},
    {"conf.gro", HANDOFF, false},
    {"minimize.mdp", HANDOFF, false},
    {"frame-#.rst7", HANDOFF, false},
    {"topology.prmtop", HANDOFF, false},
    {"dynamics.mdin", HANDOFF, false},
    {"plan.cardo", TRANSITION, true},
    {"page.html", TRANSITION, false},
    {"answer.txt", TRANSITION, false},
    {"commands.sh", TRANSITION, false},
    {"model.xml", DOMAINS, false},
    {"model.domains.xml", DOMAINS, false},
    {"model.pml", DOMAINS, false},
    {"model.cxc", DOMAINS, false},
    {"model.places.csv", DOMAINS, false},
    {"model.places.gp", DOMAINS, false},
    {"model_start.pdb", DOMAINS, false},
    {"model_start.cif", DOMAINS, false},
    {"model_frame#.pdb", DOMAINS, false},
    {"model_frame#.cif", DOMAINS, false},
};

enum { NFILES = sizeof files / sizeof *files };
_Static_assert(sizeof files / sizeof *files <= (size_t)CARDO_MOST_RUN_FILES,
               "files of studies that a folder can note");

/* Whether the first length characters of text are the pattern. */
static bool matches(const char *pattern, const char *text, size_t length)
{
    const char *end = text + length;
    for (; *pattern; ++pattern) {
        if (*pattern != '#') {
            if (text == end || *text++ != *pattern)
                return false;
            continue;
        }
        const char *from = text;
        while (text < end && strchr(digits, *text))
            ++text;
        if (text == from)
            return false;
    }
    return text == end;
}

static const run_file *find(const char *name, size_t length)
{
    for (int k = 0; k < NFILES; ++k)
        if (matches(files[k].name, name, length))
            return &files[k];
    return NULL;
}

/* How much of the name of a temporary file, "NAME.1234-0.part", is the name of the file that it was to become;
 * 0: it is none. */
static size_t final_length(const char *name)
{
    const size_t n = strlen(name), ending = strlen(CARDO_TEMPORARY_ENDING);
    if (n <= ending || strcmp(name + n - ending, CARDO_TEMPORARY_ENDING) != 0)
        return 0;
    size_t dot = n - ending;
    while (dot > 0 && name[dot - 1] != '.')
        --dot;
    const char *number = name + dot;
    const size_t process = strspn(number, digits);
    if (dot < 2 || process == 0 || number[process] != '-')
        return 0;
    const size_t count = strspn(number + process + 1, digits);
    return count > 0 && number + process + 1 + count == name + n - ending ? dot - 1 : 0;
}

static void remove_plain(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    /* Links and folders were made by others. */
    if (lstat(path, &info) == 0 && S_ISREG(info.st_mode))
        unlink(path);
}

bool cardo_run_files_found(const char *folder)
{
    char path[PATH_SIZE];
    for (int k = 0; k < NFILES; ++k) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k].name);
        if (files[k].tells && cardo_file_exists(path))
            return true;
    }
    return false;
}

void cardo_run_files_note(const char *folder, cardo_run_files_noted *noted)
{
    DIR *directory = opendir(folder);
    *noted = (cardo_run_files_noted){0};
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const run_file *file = find(entry->d_name, strlen(entry->d_name));
        if (file)
            noted->there[file - files] = true;
    }
    closedir(directory);
}

static unsigned study_of(const char *name)
{
    for (int k = 0; name && k < NSTUDIES; ++k)
        if (strcmp(studies[k].name, name) == 0)
            return studies[k].study;
    return 0;
}

void cardo_run_files_remove(const char *folder, const char *study, const char *other,
                            bool keeps_table, const cardo_run_files_noted *noted)
{
    const unsigned wanted = study_of(study) | study_of(other);
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const run_file *file = find(entry->d_name, strlen(entry->d_name));
        if (!file || (keeps_table && strcmp(file->name, FORCE_TABLE) == 0))
            continue;
        if ((file->studies & wanted) && !(noted && noted->there[file - files]))
            remove_plain(folder, entry->d_name);
    }
    closedir(directory);
}

void cardo_run_files_tidy(const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const size_t length = final_length(entry->d_name);
        if (length > 0 && find(entry->d_name, length))
            remove_plain(folder, entry->d_name);
    }
    closedir(directory);
}
