#include "study/modes/find.h"

#include "analysis/modes/fluctuations.h"
#include "analysis/modes/mode_motion.h"
#include "base/memory.h"
#include "base/units.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/quantities/gather_stations.h"
#include "multibody/tree/operators.h"
#include "structure/atoms/superpose.h"
#include "study/modes/stiffness.h"

#include <math.h>
#include <string.h>

static cardo_status find_amplitudes(const cardo_session *session, double temperature,
                                    cardo_mode_set *set, cardo_error *error)
{
    const cardo_structure *s = session->model->structure[0].structure;
    const double kT = CARDO_BOLTZMANN * temperature;
    double *file = NULL, *variance = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&set->fluctuation, set->nca, error));
    CARDO_TRY(CARDO_ALLOCATE(&file, set->nca, error));
    CARDO_TRY(CARDO_ALLOCATE(&variance, set->nmode, error));
    for (int m = 0; m < set->nmode; ++m) {
        const double *own = set->displacement + 3 * (size_t)set->nca * (size_t)m;
        cardo_mode_line *line = &set->line[m];
        double square = 0;
        for (int k = 0; k < 3 * set->nca; ++k)
            square += own[k] * own[k] / set->nca;
        line->variance = variance[m] = line->eigenvalue > 0 ? kT / line->eigenvalue : 0;
        line->amplitude = sqrt(line->variance * square);
        line->collectivity = cardo_mode_collectivity(set->nca, own);
    }
    cardo_mode_fluctuations(set->nca, set->nmode, set->displacement, variance, set->fluctuation);
    for (int i = 0; i < set->nca; ++i) {
        file[i] = (double)s->b_factor[set->ca[i]];
        set->b_known = set->b_known || file[i] != file[0];
    }
    set->b_correlation = cardo_correlation(set->nca, set->fluctuation, file);
done:
    cardo_free(file);
    cardo_free(variance);
    return status;
}

/* Where each mode's rotation changes; residues turn with the bodies of their C-alpha atoms. */
static cardo_status find_hinges(const cardo_session *session, cardo_mode_set *set,
                                cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = session->model->structure[0].structure;
    cardo_spatial *velocity = NULL;
    double *rotation = NULL;
    int *chain = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&velocity, cardo_system_nbody(session->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&rotation, 3 * (size_t)set->nca, error));
    CARDO_TRY(CARDO_ALLOCATE(&chain, set->nca, error));
    for (int i = 0; i < set->nca; ++i)
        chain[i] = s->residue_chain[s->atom_residue[set->ca[i]]];
    for (int m = 0; m < set->nmode; ++m) {
        cardo_mode_line *line = &set->line[m];
        CARDO_TRY(
            cardo_multiply_j(session->system, session->state,
                             set->modes->speed + (size_t)(set->nrigid + m) * (size_t)set->modes->nu,
                             velocity, error));
        for (int i = 0; i < set->nca; ++i)
            v3_store(rotation + 3 * i,
                     velocity[cardo_system_station_body(session->system, set->ca[i])].angular);
        CARDO_TRY(cardo_mode_hinges(set->nca, rotation, chain, &line->hinge, &line->nhinge, error));
    }
done:
    cardo_free(velocity);
    cardo_free(rotation);
    cardo_free(chain);
    return status;
}

/* The structure to compare with, or -1: none. */
static cardo_status find_compared(const cardo_model *model, const char *id, int *which,
                                  cardo_error *error)
{
    *which = model->nstructure > 1 ? model->nstructure - 1 : -1;
    if (!id[0])
        return CARDO_OK;
    for (int k = 1; k < model->nstructure; ++k)
        if (strcmp(model->structure[k].id, id) == 0) {
            *which = k;
            return CARDO_OK;
        }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: compare=\"%s\" is none of the model's structures beside its first",
                      model->path, id);
}

static int alpha_carbon_of(const cardo_structure *s, int residue)
{
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i)
        if (cardo_is_alpha_carbon(s, i))
            return i;
    return -1;
}

static cardo_status observe(const cardo_session *session, int which, cardo_mode_set *set,
                            cardo_error *error)
{
    cardo_status status;
    const cardo_structure *a = session->model->structure[0].structure;
    const cardo_model_structure *other = &session->model->structure[which];
    cardo_mode_observation *o = &set->observed;
    cardo_transform X;
    double *positions = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&o->index, set->nca, error));
    CARDO_TRY(CARDO_ALLOCATE(&o->here, 3 * (size_t)set->nca, error));
    CARDO_TRY(CARDO_ALLOCATE(&o->moved, 3 * (size_t)set->nca, error));
    CARDO_TRY(CARDO_ALLOCATE(&positions, 3 * (size_t)set->nca, error));
    CARDO_TRY(cardo_gather_stations(session->system, session->state, set->nca, set->ca, positions,
                                    error));
    for (int i = 0; i < set->nca; ++i) {
        int partner = other->match[a->atom_residue[set->ca[i]]];
        int atom = partner < 0 ? -1 : alpha_carbon_of(other->structure, partner);
        if (atom < 0)
            continue;
        memcpy(o->here + 3 * o->n, positions + 3 * i, 3 * sizeof *positions);
        memcpy(o->moved + 3 * o->n, other->structure->position + 3 * (size_t)atom,
               3 * sizeof *positions);
        o->index[o->n++] = i;
    }
    CARDO_TRY(cardo_superpose(o->n, o->moved, o->here, NULL, &X, &o->rmsd, error));
    for (int k = 0; k < o->n; ++k)
        v3_store(o->moved + 3 * k,
                 v3_sub(xform_point(X, v3_load(o->moved + 3 * k)), v3_load(o->here + 3 * k)));
    set->compared = true;
done:
    cardo_free(positions);
    return status;
}

static cardo_status find_overlaps(const cardo_session *session, int which, cardo_mode_set *set,
                                  cardo_error *error)
{
    cardo_status status;
    double *overlap = NULL, *cumulative = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&overlap, set->nmode, error));
    CARDO_TRY(CARDO_ALLOCATE(&cumulative, set->nmode, error));
    CARDO_TRY(observe(session, which, set, error));
    CARDO_TRY(cardo_mode_overlaps(set, set->nmode, set->displacement, overlap, cumulative, error));
    for (int m = 0; m < set->nmode; ++m) {
        set->line[m].overlap = overlap[m];
        set->line[m].cumulative = cumulative[m];
    }
done:
    cardo_free(overlap);
    cardo_free(cumulative);
    return status;
}

static cardo_status solve_for(cardo_session *session, const cardo_mode_options *options, int count,
                              cardo_communicator *communicator, cardo_mode_set *set,
                              cardo_error *error)
{
    int freedoms;
    cardo_status status = cardo_mode_freedoms(session->system, session->state, &freedoms, error);
    if (status != CARDO_OK)
        return status;
    count = count < freedoms ? count : freedoms;
    cardo_modes_destroy(set->modes);
    set->modes = NULL;
    status = options->stiffness == CARDO_MODES_FORCES
                 ? cardo_force_modes(session, options, count, communicator, set, error)
                 : cardo_network_modes(session, session->system, session->state, options, count,
                                       &set->modes, error);
    if (status != CARDO_OK)
        return status;
    set->nrigid = set->modes->nrigid;
    set->nmode = set->modes->count - set->nrigid;
    return CARDO_OK;
}

static cardo_status solve(cardo_session *session, const cardo_mode_options *options,
                          cardo_communicator *communicator, cardo_mode_set *set, cardo_error *error)
{
    enum { OF_THE_WHOLE = 6 };
    const bool tied = cardo_constraint_row_count(session->system) > 0;
    cardo_status status = cardo_begin_on_constraints(session->system, session->state, error);
    if (status == CARDO_OK)
        status = cardo_realize(session->system, session->state,
                               tied ? CARDO_STAGE_DYNAMICS : CARDO_STAGE_VELOCITY, error);
    /* Motions without stiffness come first: where there are more than were thought of, more modes are looked for. */
    for (int stiffless = OF_THE_WHOLE, before = -1; status == CARDO_OK && stiffless > before;) {
        status = solve_for(session, options, options->count + stiffless, communicator, set, error);
        before = stiffless;
        if (status == CARDO_OK && set->nmode < options->count && set->nrigid > stiffless)
            stiffless = set->nrigid;
    }
    if (status != CARDO_OK)
        return status;
    if (set->nmode > options->count)
        set->nmode = options->count;
    if (set->nmode > 0)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: nothing resists the %d softest motions of this model: the network joins "
                      "no two of its bodies, or side chains turn that none of its nodes are on "
                      "(modes.nodes=heavy)",
                      session->model->path, set->nrigid);
}

cardo_status cardo_mode_set_make(cardo_session *session, const cardo_mode_options *options,
                                 cardo_communicator *communicator, cardo_mode_set *set,
                                 cardo_error *error)
{
    cardo_status status;
    int which;
    CARDO_TRY(find_compared(session->model, options->compare, &which, error));
    CARDO_TRY(cardo_choose_mode_atoms(session->model->structure[0].structure, CARDO_NODES_CA,
                                      &set->nca, &set->ca, error));
    CARDO_TRY(solve(session, options, communicator, set, error));
    CARDO_TRY(CARDO_ALLOCATE(&set->line, set->nmode, error));
    for (int m = 0; m < set->nmode; ++m) {
        set->line[m].number = set->nrigid + m + 1;
        set->line[m].eigenvalue = set->modes->eigenvalue[set->nrigid + m];
    }
    CARDO_TRY(cardo_mode_displacements(session->system, session->state, set->modes, set->nrigid,
                                       set->nmode, set->nca, set->ca, &set->displacement, error));
    CARDO_TRY(find_amplitudes(session, options->temperature, set, error));
    CARDO_TRY(find_hinges(session, set, error));
    if (which > 0)
        CARDO_TRY(find_overlaps(session, which, set, error));
done:
    return status;
}
