#include "cli/mode_files.h"

#include "analysis/modes/fluctuations.h"
#include "analysis/modes/mode_motion.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/units.h"
#include "cli/gnuplot.h"
#include "cli/mode_result.h"
#include "cli/run_folder.h"
#include "io/plots/plot_modes.h"
#include "io/results/result_printer.h"
#include "io/tables/nmd.h"
#include "io/trajectory/trajectory.h"
#include "multibody/quantities/gather_stations.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "structure/pdb/pdb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Larger tables of correlations are written when they are asked for. */
enum { MOST_CORRELATED = 3000 };

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

/* The tables, all that is printed too. */
static cardo_status write_tables(const cardo_mode_files *r, cardo_error *error)
{
    const cardo_mode_findings findings = {.session = r->session,
                                          .options = r->options,
                                          .set = r->set,
                                          .comparison = r->comparison,
                                          .label = (const char(*)[40])r->label,
                                          .members = r->members,
                                          .correlations = r->correlations};
    char *path = NULL;
    cardo_status status = cardo_modes_fill(&findings, r->result, error);
    CARDO_TRY(status);
    CARDO_TRY(cardo_result_write_files(r->result, r->folder, error));
    CARDO_TRY(cardo_run_folder_path(r->folder, "hinges.csv", &path, error));
    CARDO_TRY(
        cardo_result_write_nested(cardo_result_find(r->result, "modes"), "hinges", path, error));
done:
    cardo_free(path);
    return status;
}

static cardo_status write_nmd(const cardo_mode_files *r, cardo_error *error)
{
    char *path = NULL;
    int *numbers = NULL;
    double *scale = NULL, *position = NULL;
    cardo_status status = CARDO_ALLOCATE(&numbers, r->set->nmode, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&position, 3 * (size_t)r->set->nca, error);
    if (status == CARDO_OK)
        status = cardo_gather_stations(r->session->system, r->session->state, r->set->nca,
                                       r->set->ca, position, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&scale, r->set->nmode, error);
    for (int m = 0; m < r->set->nmode && status == CARDO_OK; ++m) {
        numbers[m] = r->set->line[m].number;
        scale[m] = angstroms * r->set->line[m].amplitude * sqrt(r->set->nca);
    }
    if (status == CARDO_OK)
        status = cardo_run_folder_path(r->folder, "modes.nmd", &path, error);
    if (status == CARDO_OK)
        status = cardo_nmd_write(
            path, r->session->model->name, r->session->model->structure[0].structure, r->set->nca,
            r->set->ca, position, r->set->nmode, numbers, scale, r->set->displacement, error);
    cardo_free(path);
    cardo_free(numbers);
    cardo_free(position);
    cardo_free(scale);
    return status;
}

/* Joints may stretch bonds that are cut between bodies; nothing else can. The first frame is the
 * model as it stands. */
static void watch_cuts(cardo_mode_files *r, int frame, const double *positions)
{
    const cardo_model *model = r->session->model;
    for (int c = 0; c < model->ncut; ++c) {
        const cardo_model_cut *cut = &model->cut[c];
        double length = v3_norm(v3_sub(v3_load(positions + 3 * (size_t)cut->atom[0]),
                                       v3_load(positions + 3 * (size_t)cut->atom[1])));
        if (frame == 0)
            r->cut_length[c] = length;
        if (!cut->broken)
            r->stretch = fmax(r->stretch, fabs(length - r->cut_length[c]));
    }
}

/* Frames of one swing there and back along a mode: bodies stay rigid and bonds as they are. */
static cardo_status animate(cardo_mode_files *r, int m, cardo_trajectory *trajectory,
                            const double *q, double *positions, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_mode_set *set = r->set;
    const double *speeds = set->modes->speed + (size_t)(set->nrigid + m) * (size_t)set->modes->nu;
    const double *own = set->displacement + 3 * (size_t)set->nca * (size_t)m;
    double square = 0;
    for (int k = 0; k < 3 * set->nca; ++k)
        square += own[k] * own[k] / set->nca;
    const double reach = square > 0 ? r->options->amplitude / sqrt(square) : 0;
    for (int n = 0; n < r->options->frames; ++n) {
        cardo_state_set_q(r->session->state, q);
        CARDO_TRY(cardo_move_along(r->session->system, r->session->state, speeds,
                                   reach * sin(2 * CARDO_PI * n / r->options->frames), error));
        CARDO_TRY(cardo_station_positions(r->session->system, r->session->state, positions, error));
        CARDO_TRY(cardo_trajectory_write(trajectory, n, positions, NULL, error));
        watch_cuts(r, n, positions);
    }
done:
    cardo_state_set_q(r->session->state, q);
    return status;
}

static cardo_status write_animation(cardo_mode_files *r, int m, cardo_error *error)
{
    char *path = NULL, name[64], title[128];
    double *q = NULL, *positions = NULL;
    cardo_trajectory *trajectory = NULL;
    const int nq = cardo_system_nq(r->session->system);
    const cardo_structure *structure = r->session->model->structure[0].structure;
    cardo_status status = CARDO_ALLOCATE(&q, nq, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&positions, 3 * (size_t)cardo_system_nstation(r->session->system),
                                error);
    if (status != CARDO_OK)
        goto done;
    memcpy(q, cardo_state_q(r->session->state), (size_t)nq * sizeof *q);
    const cardo_trajectory_format *format =
        cardo_pdb_holds(structure, NULL) ? &cardo_trajectory_pdb : &cardo_trajectory_cif;
    snprintf(name, sizeof name, "mode_%d.%s", r->set->line[m].number, format->extension);
    snprintf(title, sizeof title, "mode %d of %.80s", r->set->line[m].number,
             r->session->model->name);
    CARDO_TRY(cardo_run_folder_path(r->folder, name, &path, error));
    const cardo_trajectory_info info = {.natom = cardo_system_nstation(r->session->system),
                                        .structure = structure,
                                        .title = title,
                                        .timestep = 1,
                                        .interval = 1};
    CARDO_TRY(cardo_trajectory_create(format, path, &info, &trajectory, error));
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

static cardo_status name_residues(cardo_mode_files *r, cardo_error *error)
{
    const cardo_structure *s = r->session->model->structure[0].structure;
    cardo_status status = CARDO_ALLOCATE(&r->label, r->set->nca, error);
    for (int i = 0; i < r->set->nca && status == CARDO_OK; ++i)
        cardo_residue_label(s, s->atom_residue[r->set->ca[i]], r->label[i]);
    return status;
}

static cardo_status draw(cardo_mode_files *r, cardo_error *error)
{
    cardo_status status = cardo_plot_write_modes(r->folder, r->result, error);
    return status == CARDO_OK ? cardo_gnuplot_run(r->folder, &r->drawn, error) : status;
}

cardo_status cardo_mode_files_write(cardo_mode_files *r, cardo_error *error)
{
    static const cardo_quantity stretch = {"animated_cut_bonds_change_A",
                                           "bonds cut between bodies change", "A", ".2f"};
    cardo_status status;
    r->correlations =
        r->options->correlations == CARDO_CORRELATIONS_YES ||
        (r->options->correlations == CARDO_CORRELATIONS_AUTO && r->set->nca <= MOST_CORRELATED);
    CARDO_TRY(name_residues(r, error));
    CARDO_TRY(write_tables(r, error));
    CARDO_TRY(write_nmd(r, error));
    r->nanimated = r->options->animate < r->set->nmode ? r->options->animate : r->set->nmode;
    CARDO_TRY(CARDO_ALLOCATE(&r->cut_length, r->session->model->ncut + 1, error));
    for (int m = 0; m < r->nanimated; ++m)
        CARDO_TRY(write_animation(r, m, error));
    if (r->nanimated > 0)
        cardo_result_number(r->result, &stretch, angstroms * r->stretch);
    cardo_result_text(r->result, &(cardo_quantity){"folder"}, r->folder);
    CARDO_TRY(cardo_result_status(r->result, error));
    CARDO_TRY(draw(r, error));
done:
    return status;
}

void cardo_mode_files_clear(cardo_mode_files *r)
{
    cardo_free(r->label);
    cardo_free(r->cut_length);
    r->label = NULL;
    r->cut_length = NULL;
}
