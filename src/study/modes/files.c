#include "study/modes/files.h"

#include "analysis/modes/mode_motion.h"
#include "base/memory.h"
#include "base/units.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/quantities/gather_stations.h"
#include "multibody/tree/operators.h"
#include "study/modes/nmd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

static cardo_status write_tables(const cardo_writer *writer, const cardo_result *result,
                                 cardo_error *error)
{
    cardo_status status = cardo_writer_result(writer, result, NULL, error);
    return status == CARDO_OK ? cardo_writer_nested(writer, cardo_result_find(result, "modes"),
                                                    "hinges", "hinges.csv", error)
                              : status;
}

static cardo_status write_nmd(const cardo_mode_findings *f, const cardo_writer *writer,
                              cardo_error *error)
{
    const cardo_mode_set *set = f->set;
    cardo_status status;
    int *number = NULL;
    double *scale = NULL, *position = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&number, set->nmode, error));
    CARDO_TRY(CARDO_ALLOCATE(&scale, set->nmode, error));
    CARDO_TRY(CARDO_ALLOCATE(&position, 3 * (size_t)set->nca, error));
    CARDO_TRY(cardo_gather_stations(f->session->system, f->session->state, set->nca, set->ca,
                                    position, error));
    for (int m = 0; m < set->nmode; ++m) {
        number[m] = set->line[m].number;
        scale[m] = angstroms * set->line[m].amplitude * sqrt(set->nca);
    }
    const cardo_nmd nmd = {.title = f->session->model->name,
                           .structure = f->session->model->structure[0].structure,
                           .natom = set->nca,
                           .atom = set->ca,
                           .position = position,
                           .nmode = set->nmode,
                           .number = number,
                           .scale = scale,
                           .displacement = set->displacement};
    status = cardo_writer_print(writer, "modes.nmd", cardo_nmd_print, &nmd, error);
done:
    cardo_free(number);
    cardo_free(scale);
    cardo_free(position);
    return status;
}

/* Swings there and back along modes. */
typedef struct animation {
    const cardo_mode_findings *findings;
    const cardo_writer *writer;
    double *q;          /* where the state stood (nq)                                  */
    double *positions;  /* (natom x 3)                                                 */
    double *cut_length; /* nm, of the model's cut bonds before a swing (model->ncut)   */
    double stretch;     /* most that one of them changes in a swing, nm                */
    double share;       /* least that was left of an amplitude where constraints end a swing */
} animation;

/* Joints may stretch bonds that are cut between bodies; nothing else can. The first frame is the
 * model as it stands. */
static void watch_cuts(animation *a, int frame)
{
    const cardo_model *model = a->findings->session->model;
    for (int c = 0; c < model->ncut; ++c) {
        const cardo_model_cut *cut = &model->cut[c];
        double length = v3_norm(v3_sub(v3_load(a->positions + 3 * (size_t)cut->atom[0]),
                                       v3_load(a->positions + 3 * (size_t)cut->atom[1])));
        if (frame == 0)
            a->cut_length[c] = length;
        if (!cut->broken)
            a->stretch = fmax(a->stretch, fabs(length - a->cut_length[c]));
    }
}

/* As far as constraints let both sides of a swing go. */
static cardo_status find_reach(animation *a, const double *speeds, double *reach,
                               cardo_error *error)
{
    const cardo_session *session = a->findings->session;
    const double wanted = *reach;
    for (int side = -1; side <= 1 && wanted > 0; side += 2) {
        double reached;
        cardo_state_set_q(session->state, a->q);
        cardo_status status = cardo_move_on_constraints(session->system, session->state, speeds,
                                                        side * wanted, &reached, error);
        if (status != CARDO_OK)
            return status;
        *reach = fmin(*reach, fabs(reached));
        a->share = fmin(a->share, fabs(reached) / wanted);
    }
    return CARDO_OK;
}

/* A mode of a ligand or a side chain alone moves hardly a C-alpha: no atom shall swing farther than so many amplitudes of those. */
enum { MOST_AMPLITUDES = 10 };

static cardo_status limit_reach(animation *a, const double *speeds, double *reach,
                                cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = a->findings->session;
    const int natom = cardo_system_nstation(session->system);
    const double small = 1e-4 * *reach;
    double *before = NULL, most = 0;
    CARDO_TRY(CARDO_ALLOCATE(&before, 3 * (size_t)natom, error));
    cardo_state_set_q(session->state, a->q);
    CARDO_TRY(cardo_move_on_constraints(session->system, session->state, speeds, 0, NULL, error));
    CARDO_TRY(cardo_station_positions(session->system, session->state, before, error));
    CARDO_TRY(
        cardo_move_on_constraints(session->system, session->state, speeds, small, NULL, error));
    CARDO_TRY(cardo_station_positions(session->system, session->state, a->positions, error));
    for (int i = 0; i < natom; ++i)
        most = fmax(most, v3_norm(v3_sub(v3_load(a->positions + 3 * (size_t)i),
                                         v3_load(before + 3 * (size_t)i))));
    if (most > 0)
        *reach = fmin(*reach, MOST_AMPLITUDES * a->findings->options->amplitude * small / most);
done:
    cardo_free(before);
    return status;
}

/* Frames of one swing along a mode: bodies stay rigid and bonds as they are. */
static cardo_status swing(animation *a, int m, cardo_series *trajectory, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_mode_set *set = a->findings->set;
    const cardo_mode_options *options = a->findings->options;
    const cardo_session *session = a->findings->session;
    const double *speeds = set->modes->speed + (size_t)(set->nrigid + m) * (size_t)set->modes->nu;
    const double *own = set->displacement + 3 * (size_t)set->nca * (size_t)m;
    double square = 0;
    for (int k = 0; k < 3 * set->nca; ++k)
        square += own[k] * own[k] / set->nca;
    double reach = square > 0 ? options->amplitude / sqrt(square) : 0;
    if (reach > 0)
        CARDO_TRY(limit_reach(a, speeds, &reach, error));
    if (cardo_constraint_row_count(session->system) > 0)
        CARDO_TRY(find_reach(a, speeds, &reach, error));
    for (int n = 0; n < options->frames; ++n) {
        cardo_state_set_q(session->state, a->q);
        CARDO_TRY(cardo_move_on_constraints(session->system, session->state, speeds,
                                            reach * sin(2 * CARDO_PI * n / options->frames), NULL,
                                            error));
        CARDO_TRY(cardo_station_positions(session->system, session->state, a->positions, error));
        CARDO_TRY(cardo_writer_add_frame(a->writer, trajectory, n, a->positions, NULL, error));
        watch_cuts(a, n);
    }
done:
    cardo_state_set_q(session->state, a->q);
    return status;
}

static cardo_status animate(animation *a, int m, cardo_error *error)
{
    cardo_status status;
    char stem[32], title[128];
    cardo_series *trajectory = NULL;
    const cardo_model *model = a->findings->session->model;
    const int number = a->findings->set->line[m].number;
    snprintf(stem, sizeof stem, "mode_%d", number);
    snprintf(title, sizeof title, "mode %d of %.80s", number, model->name);
    const cardo_trajectory_head head = {.format = -1,
                                        .natom =
                                            cardo_system_nstation(a->findings->session->system),
                                        .structure = model->structure[0].structure,
                                        .title = title,
                                        .timestep = 1,
                                        .interval = 1};
    CARDO_TRY(cardo_writer_trajectory(a->writer, stem, &head, -1, &trajectory, error));
    status = swing(a, m, trajectory, error);
done:;
    const cardo_status closed =
        cardo_writer_close(a->writer, &trajectory, status == CARDO_OK ? error : NULL);
    return status == CARDO_OK ? closed : status;
}

static cardo_status write_animations(const cardo_mode_findings *f, const cardo_writer *writer,
                                     cardo_result *result, cardo_error *error)
{
    static const cardo_quantity amplitude = {"animated_amplitude_A", "amplitude of animations", "A",
                                             ".3g"},
                                stretch = {"animated_cut_bonds_change_A",
                                           "bonds cut between bodies change", "A", ".2f"},
                                kept = {"animated_share", .style = ".2f",
                                        .meaning = "least that constraints leave of an amplitude"};
    const cardo_session *session = f->session;
    const int nq = cardo_system_nq(session->system),
              n = f->options->animate < f->set->nmode ? f->options->animate : f->set->nmode;
    animation a = {.findings = f, .writer = writer, .share = 1};
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&a.q, nq, error));
    CARDO_TRY(
        CARDO_ALLOCATE(&a.positions, 3 * (size_t)cardo_system_nstation(session->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&a.cut_length, session->model->ncut + 1, error));
    memcpy(a.q, cardo_state_q(session->state), (size_t)nq * sizeof *a.q);
    for (int m = 0; m < n; ++m)
        CARDO_TRY(animate(&a, m, error));
    if (n > 0)
        cardo_result_number(result, &amplitude, angstroms * f->options->amplitude);
    if (n > 0)
        cardo_result_number(result, &stretch, angstroms * a.stretch);
    if (a.share < 1)
        cardo_result_number(result, &kept, a.share);
done:
    cardo_free(a.q);
    cardo_free(a.positions);
    cardo_free(a.cut_length);
    return status;
}

cardo_status cardo_mode_files_write(const cardo_mode_findings *f, const cardo_writer *writer,
                                    cardo_result *result, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!writer)
        return CARDO_OK;
    CARDO_TRY(write_tables(writer, result, error));
    CARDO_TRY(write_nmd(f, writer, error));
    CARDO_TRY(write_animations(f, writer, result, error));
    status = cardo_writer_picture(writer, "modes", result, error);
done:
    return status;
}
