/* cardo modes: normal modes of a model in its own coordinates. */
#include "analysis/mode_motion.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/units.h"
#include "cli/json.h"
#include "cli/mode_set.h"
#include "cli/run_folder.h"
#include "cli/study.h"
#include "io/nmd.h"
#include "io/trajectory.h"
#include "multibody/operators.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

typedef struct mode_run {
    cardo_setup setup;
    cardo_mode_options options;
    cardo_mode_set set;
    char *folder;
    int nanimated;
} mode_run;

/* Opens FOLDER/NAME for writing. */
static cardo_status open_file(const mode_run *r, const char *name, cardo_output *output,
                              cardo_error *error)
{
    char *path;
    cardo_status status = cardo_run_folder_path(r->folder, name, &path, error);
    if (status == CARDO_OK)
        status = cardo_output_open(output, path, error);
    cardo_free(path);
    return status;
}

static cardo_status write_modes(const mode_run *r, cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = open_file(r, "modes.csv", &output, error);
    if (status != CARDO_OK)
        return status;
    FILE *f = output.stream;
    fprintf(f,
            "mode,eigenvalue (ps^-2),frequency (1/ps),wavenumber (1/cm),thermal amplitude "
            "(A),collectivity%s\n",
            r->set.compared ? ",overlap,cumulative overlap" : "");
    for (int m = 0; m < r->set.nmode; ++m) {
        const cardo_mode_line *line = &r->set.line[m];
        fprintf(f, "%d,%.10g,%.10g,%.10g,%.8g,%.6f", line->number, line->eigenvalue,
                cardo_mode_frequency(line->eigenvalue), cardo_mode_wavenumber(line->eigenvalue),
                angstroms * line->amplitude, line->collectivity);
        if (r->set.compared)
            fprintf(f, ",%.6f,%.6f", line->overlap, line->cumulative);
        fprintf(f, "\n");
    }
    return cardo_output_commit(&output, error);
}

/* Speeds of every mode, one column a mode. */
static cardo_status write_speeds(const mode_run *r, cardo_error *error)
{
    char name[96];
    cardo_output output = {0};
    cardo_status status = open_file(r, "speeds.csv", &output, error);
    if (status != CARDO_OK)
        return status;
    fprintf(output.stream, "speed");
    for (int m = 0; m < r->set.nmode; ++m)
        fprintf(output.stream, ",mode %d", r->set.line[m].number);
    fprintf(output.stream, "\n");
    for (int k = 0; k < r->set.modes->nu; ++k) {
        fprintf(output.stream, "%s", cardo_setup_mobility_name(r->setup.system, k, name));
        for (int m = 0; m < r->set.nmode; ++m)
            fprintf(output.stream, ",%.10g",
                    r->set.modes->speed[(size_t)(r->set.nrigid + m) * (size_t)r->set.modes->nu +
                                        (size_t)k]);
        fprintf(output.stream, "\n");
    }
    return cardo_output_commit(&output, error);
}

static cardo_status write_residues(const mode_run *r, cardo_error *error)
{
    const cardo_structure *s = r->setup.model->structure[0].structure;
    char label[40];
    cardo_output output = {0};
    cardo_status status = open_file(r, "residues.csv", &output, error);
    if (status != CARDO_OK)
        return status;
    fprintf(output.stream, "residue,B factor of the file (A^2),B factor of the modes (A^2)\n");
    for (int i = 0; i < r->set.nca; ++i) {
        double b = 8 * CARDO_PI * CARDO_PI / 3 * r->set.fluctuation[i] * angstroms * angstroms;
        fprintf(output.stream, "%s,%.2f,%.6g\n",
                cardo_residue_label(s, s->atom_residue[r->set.ca[i]], label),
                (double)s->b_factor[r->set.ca[i]], b);
    }
    return cardo_output_commit(&output, error);
}

static cardo_status write_nmd(const mode_run *r, cardo_error *error)
{
    char *path = NULL;
    int *numbers = NULL;
    double *scale = NULL;
    cardo_status status = CARDO_ALLOCATE(&numbers, r->set.nmode, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&scale, r->set.nmode, error);
    for (int m = 0; m < r->set.nmode && status == CARDO_OK; ++m) {
        numbers[m] = r->set.line[m].number;
        scale[m] = angstroms * r->set.line[m].amplitude * sqrt(r->set.nca);
    }
    if (status == CARDO_OK)
        status = cardo_run_folder_path(r->folder, "modes.nmd", &path, error);
    if (status == CARDO_OK)
        status = cardo_nmd_write(path, r->setup.model->name, r->setup.model->structure[0].structure,
                                 r->set.nca, r->set.ca, r->set.nmode, numbers, scale,
                                 r->set.displacement, error);
    cardo_free(path);
    cardo_free(numbers);
    cardo_free(scale);
    return status;
}

/* Frames of one swing there and back along a mode: bodies stay rigid and bonds as they are. */
static cardo_status animate(const mode_run *r, int m, cardo_trajectory *trajectory, const double *q,
                            double *positions, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_mode_set *set = &r->set;
    const double *speeds = set->modes->speed + (size_t)(set->nrigid + m) * (size_t)set->modes->nu;
    const double *own = set->displacement + 3 * (size_t)set->nca * (size_t)m;
    double square = 0;
    for (int k = 0; k < 3 * set->nca; ++k)
        square += own[k] * own[k] / set->nca;
    const double reach = square > 0 ? r->options.amplitude / sqrt(square) : 0;
    for (int n = 0; n < r->options.frames; ++n) {
        cardo_state_set_q(r->setup.state, q);
        CARDO_TRY(cardo_move_along(r->setup.system, r->setup.state, speeds,
                                   reach * sin(2 * CARDO_PI * n / r->options.frames), error));
        CARDO_TRY(cardo_station_positions(r->setup.system, r->setup.state, positions, error));
        CARDO_TRY(cardo_trajectory_write(trajectory, n, positions, NULL, error));
    }
done:
    cardo_state_set_q(r->setup.state, q);
    return status;
}

static cardo_status write_animation(const mode_run *r, int m, cardo_error *error)
{
    char *path = NULL, name[64], title[128];
    double *q = NULL, *positions = NULL;
    cardo_trajectory *trajectory = NULL;
    const int nq = cardo_system_nq(r->setup.system);
    cardo_status status = CARDO_ALLOCATE(&q, nq, error);
    if (status == CARDO_OK)
        status =
            CARDO_ALLOCATE(&positions, 3 * (size_t)cardo_system_nstation(r->setup.system), error);
    if (status != CARDO_OK)
        goto done;
    memcpy(q, cardo_state_q(r->setup.state), (size_t)nq * sizeof *q);
    snprintf(name, sizeof name, "mode_%d.pdb", r->set.line[m].number);
    snprintf(title, sizeof title, "mode %d of %.80s", r->set.line[m].number, r->setup.model->name);
    CARDO_TRY(cardo_run_folder_path(r->folder, name, &path, error));
    const cardo_trajectory_info info = {.natom = cardo_system_nstation(r->setup.system),
                                        .structure = r->setup.model->structure[0].structure,
                                        .title = title,
                                        .timestep = 1,
                                        .interval = 1};
    CARDO_TRY(cardo_trajectory_create(&cardo_trajectory_pdb, path, &info, &trajectory, error));
    status = animate(r, m, trajectory, q, positions, error);
done:
    if (trajectory) {
        cardo_status closed = cardo_trajectory_close(trajectory, status == CARDO_OK ? error : NULL);
        status = status == CARDO_OK ? closed : status;
    }
    cardo_free(path);
    cardo_free(q);
    cardo_free(positions);
    return status;
}

static cardo_status write_files(mode_run *r, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(write_modes(r, error));
    CARDO_TRY(write_speeds(r, error));
    CARDO_TRY(write_residues(r, error));
    CARDO_TRY(write_nmd(r, error));
    r->nanimated = r->options.animate < r->set.nmode ? r->options.animate : r->set.nmode;
    for (int m = 0; m < r->nanimated; ++m)
        CARDO_TRY(write_animation(r, m, error));
done:
    return status;
}

static cardo_status write_manifest(const cardo_command *command, const mode_run *r,
                                   cardo_error *error)
{
    cardo_json *manifest = cardo_manifest_begin(command, &r->setup), *chosen = cardo_json_object();
    cardo_manifest_options(chosen, cardo_mode_fields, &r->options);
    cardo_json_put(manifest, "options", chosen);
    return cardo_manifest_write(r->folder, manifest, error);
}

static void print_source(const mode_run *r)
{
    static const char *const nodes[] = {"C-alpha atoms", "heavy atoms", "all atoms"};
    const cardo_mode_options *o = &r->options;
    printf("%s: %d atoms in %d bodies, %d degrees of freedom%s\n", r->setup.model->name,
           cardo_system_nstation(r->setup.system), r->setup.model->nbody, r->set.modes->nu,
           o->joints ? ", every body free" : "");
    if (o->stiffness == CARDO_MODES_NETWORK)
        printf("elastic network of %s: springs up to %.3g A, %.4g kJ/mol/nm^2%s\n", nodes[o->nodes],
               angstroms * o->cutoff, o->spring, o->power ? ", weaker with length" : "");
    else
        printf("second derivatives of the force field by %lld evaluations: asymmetry %.1e of the "
               "largest; the largest generalized force is %.3g kJ/mol%s\n",
               r->set.evaluations, r->set.asymmetry, r->set.residual,
               r->set.residual > 1 ? " (no minimum: cardo minimize first)" : "");
    if (r->set.modes->nheld > 0)
        printf("%d speeds move no node of the network and are held\n", r->set.modes->nheld);
    printf("%d motions without stiffness%s\n", r->set.nrigid,
           r->set.nrigid == 6   ? ": those of the whole"
           : r->set.nrigid == 0 ? ", since the base is fixed"
                                : "");
}

static void print_modes(const mode_run *r)
{
    const cardo_mode_set *set = &r->set;
    printf("\n mode      1/ps      1/cm  amplitude (A)  collectivity%s\n",
           set->compared ? "  overlap  cumulative" : "");
    for (int m = 0; m < set->nmode; ++m) {
        const cardo_mode_line *line = &set->line[m];
        printf("%5d %9.4f %9.3f %14.3f %13.3f", line->number,
               cardo_mode_frequency(line->eigenvalue), cardo_mode_wavenumber(line->eigenvalue),
               angstroms * line->amplitude, line->collectivity);
        if (set->compared)
            printf(" %8.3f %11.3f", line->overlap, line->cumulative);
        printf("%s\n", line->eigenvalue < 0 ? "  imaginary" : "");
    }
    if (set->compared)
        printf(
            "overlaps are with the %.2f A that %d C-alpha atoms are apart in the two structures\n",
            angstroms * set->observed_rmsd, set->nobserved);
    if (set->b_correlation != 0)
        printf("B factors of the modes and of the file correlate by %.2f\n", set->b_correlation);
}

static void print_files(const mode_run *r)
{
    printf("\n%s/\n  modes.csv     frequencies, amplitudes, overlaps\n"
           "  speeds.csv    the modes in the model's own speeds\n"
           "  residues.csv  B factors\n"
           "  modes.nmd     for NMWiz in VMD\n",
           r->folder);
    if (r->nanimated > 0)
        printf("  mode_%d.pdb%s  swings of %.3g A, bodies rigid and joints kept\n",
               r->set.line[0].number, r->nanimated > 1 ? " ..." : "",
               angstroms * r->options.amplitude);
}

static void print_json(const mode_run *r)
{
    cardo_json *json = cardo_json_object(), *modes = cardo_json_array();
    const cardo_mode_set *set = &r->set;
    cardo_json_string(json, "model", r->setup.model->name);
    cardo_json_integer(json, "degrees_of_freedom", set->modes->nu);
    cardo_json_integer(json, "rigid_motions", set->nrigid);
    cardo_json_number(json, "b_factor_correlation", set->b_correlation);
    if (set->compared)
        cardo_json_number(json, "observed_rmsd_A", angstroms * set->observed_rmsd);
    if (r->options.stiffness == CARDO_MODES_FORCES) {
        cardo_json_number(json, "asymmetry", set->asymmetry);
        cardo_json_number(json, "largest_generalized_force", set->residual);
    }
    for (int m = 0; m < set->nmode; ++m) {
        cardo_json *one = cardo_json_object();
        const cardo_mode_line *line = &set->line[m];
        cardo_json_integer(one, "mode", line->number);
        cardo_json_number(one, "eigenvalue_per_ps2", line->eigenvalue);
        cardo_json_number(one, "wavenumber_per_cm", cardo_mode_wavenumber(line->eigenvalue));
        cardo_json_number(one, "amplitude_A", angstroms * line->amplitude);
        cardo_json_number(one, "collectivity", line->collectivity);
        if (set->compared) {
            cardo_json_number(one, "overlap", line->overlap);
            cardo_json_number(one, "cumulative_overlap", line->cumulative);
        }
        cardo_json_put(modes, NULL, one);
    }
    cardo_json_put(json, "modes", modes);
    cardo_json_print(json, stdout);
}

static cardo_status find_modes(const cardo_command *command, mode_run *r, cardo_error *error)
{
    cardo_status status;
    const cardo_option_target target = {cardo_mode_fields, &r->options};
    bool json = cardo_command_has(command, "json");
    CARDO_TRY(cardo_setup_build(command, false, &r->setup, error));
    CARDO_TRY(cardo_study_options(r->setup.model, "modes", 1, &target, NULL, error));
    if (r->options.stiffness == CARDO_MODES_FORCES && !r->setup.provider) {
        *error = r->setup.no_forces;
        return error->code;
    }
    if (r->options.joints)
        CARDO_TRY(cardo_setup_free_joints(&r->setup, error));
    CARDO_TRY(cardo_mode_set_make(&r->setup, &r->options, &r->set, error));
    CARDO_TRY(cardo_run_folder_open(command, r->setup.model, ".modes", "modes.csv", NULL,
                                    &r->folder, error));
    CARDO_TRY(write_files(r, error));
    CARDO_TRY(write_manifest(command, r, error));
    if (json) {
        print_json(r);
    } else if (!cardo_command_has(command, "quiet")) {
        print_source(r);
        print_modes(r);
        print_files(r);
    }
done:
    return status;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    mode_run r = {0};
    cardo_status status = find_modes(command, &r, error);
    cardo_mode_set_clear(&r.set);
    cardo_setup_clear(&r.setup);
    cardo_free(r.folder);
    return status;
}

static const cardo_option options[] = {
    {"out", 'o', "FOLDER",
     "folder for tables and animations (default: the model file's name with "
     ".modes)"},
    {"force", 'f', NULL, "replace what the folder holds"},
    CARDO_MODEL_OPTIONS,
    {"json", 'j', NULL, "the table as JSON on standard output"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

static const cardo_option_group groups[] = {
    {"<modes> options", cardo_mode_fields},
    {NULL, NULL},
};

const cardo_verb cardo_verb_modes = {
    .name = "modes",
    .synopsis = "MODEL.xml [options]",
    .summary = "normal modes in the model's coordinates",
    .description =
        "Solves K v = lambda M v in the speeds of the model's joints, with K from an elastic "
        "network at rest in the first structure, or from the force field by differences of "
        "generalized forces. Prints frequencies, thermal amplitudes, collectivities and, where the "
        "model has a second structure, overlaps with the displacement to it; writes tables, an "
        ".nmd "
        "file and animations along the joints.",
    .options = options,
    .groups = groups,
    .run = run_verb,
};
