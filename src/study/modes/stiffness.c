#include "study/modes/stiffness.h"

#include "analysis/modes/network_stiffness.h"
#include "analysis/modes/spring_network.h"
#include "base/memory.h"
#include "base/units.h"
#include "multibody/quantities/gather_stations.h"

#include <string.h>

bool cardo_is_alpha_carbon(const cardo_structure *structure, int atom)
{
    return structure->element[atom] == 6 && strcmp(structure->atom_name[atom].text, "CA") == 0;
}

static bool is_node(const cardo_structure *s, int atom, int nodes)
{
    switch (nodes) {
    case CARDO_NODES_CA:
        return cardo_is_alpha_carbon(s, atom);
    case CARDO_NODES_HEAVY:
        return s->element[atom] > 1;
    default:
        return true;
    }
}

cardo_status cardo_choose_mode_atoms(const cardo_structure *structure, int nodes, int *count,
                                     int **atoms, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(atoms, structure->natom, error);
    *count = 0;
    for (int i = 0; i < structure->natom && status == CARDO_OK; ++i)
        if (is_node(structure, i, nodes))
            (*atoms)[(*count)++] = i;
    return status;
}

/* Bodies in which fewer C-alpha atoms move. */
enum { FEWEST_A_BODY = 3 };
static const double OTHER_CUTOFF = 1.0; /* nm */

cardo_status cardo_choose_network_options(const cardo_session *session, cardo_mode_options *options,
                                          cardo_error *error)
{
    const cardo_structure *s = session->model->structure[0].structure;
    int *count;
    cardo_status status = CARDO_ALLOCATE(&count, cardo_system_nbody(session->system), error);
    if (status != CARDO_OK)
        return status;
    bool enough = true;
    for (int i = 0; i < s->natom; ++i)
        count[cardo_system_station_body(session->system, i)] += cardo_is_alpha_carbon(s, i);
    for (int b = 1; b < cardo_system_nbody(session->system); ++b)
        enough = enough && count[b] >= FEWEST_A_BODY;
    cardo_free(count);
    if (options->nodes == CARDO_NODES_AUTO)
        options->nodes = enough ? CARDO_NODES_CA : CARDO_NODES_HEAVY;
    if (!(options->cutoff > 0))
        options->cutoff =
            options->nodes == CARDO_NODES_CA ? cardo_spring_options_default().cutoff : OTHER_CUTOFF;
    return CARDO_OK;
}

/* The network's atoms, and springs between them. */
typedef struct chosen_network {
    int n, *node;
    double *positions;
    cardo_spring_network *springs;
} chosen_network;

static void chosen_network_clear(chosen_network *c)
{
    cardo_spring_network_destroy(c->springs);
    cardo_free(c->positions);
    cardo_free(c->node);
}

static cardo_status choose_network(const cardo_session *session, const cardo_system *system,
                                   const cardo_state *state, const cardo_mode_options *options,
                                   chosen_network *c, cardo_error *error)
{
    cardo_status status;
    const cardo_spring_options springs = {options->cutoff, options->spring, options->power,
                                          CARDO_ANGSTROM};
    CARDO_TRY(cardo_choose_mode_atoms(session->model->structure[0].structure, options->nodes, &c->n,
                                      &c->node, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->positions, 3 * (size_t)c->n, error));
    CARDO_TRY(cardo_gather_stations(system, state, c->n, c->node, c->positions, error));
    status = cardo_spring_network_create(c->n, c->positions, &springs, &c->springs, error);
done:
    return status;
}

static cardo_status dense_modes(const cardo_system *system, const cardo_state *state,
                                const chosen_network *c, int count, cardo_modes **modes,
                                cardo_error *error)
{
    cardo_status status;
    const size_t nu = (size_t)cardo_system_nu(system);
    double *K;
    CARDO_TRY(CARDO_ALLOCATE(&K, nu * nu, error));
    CARDO_TRY(cardo_network_stiffness(system, state, c->springs, c->node, K, error));
    status = cardo_modes_create(system, state, K, true, count, modes, error);
done:
    cardo_free(K);
    return status;
}

/* From FEW speeds on the lowest modes are found sooner than all; up to MANY all can be found where
 * that does not do: some bodies are not held by the network, or several are free. */
cardo_status cardo_network_modes(const cardo_session *session, const cardo_system *system,
                                 const cardo_state *state, const cardo_mode_options *options,
                                 int count, cardo_modes **modes, cardo_error *error)
{
    enum { FEW = 1000, MANY = 5000 };
    cardo_status status;
    const int nu = cardo_system_nu(system);
    chosen_network c = {0};
    CARDO_TRY(choose_network(session, system, state, options, &c, error));
    status = CARDO_ERROR_SINGULAR;
    if (nu > FEW)
        status = cardo_modes_create_large(system, state, c.springs, c.node, count, modes, error);
    if ((status == CARDO_ERROR_SINGULAR || status == CARDO_ERROR_ARGUMENT) && nu <= MANY)
        status = dense_modes(system, state, &c, count, modes, error);
done:
    chosen_network_clear(&c);
    return status;
}

/* All members go on where the first one is. */
static cardo_status meet(cardo_session *session, cardo_communicator *communicator,
                         cardo_error *error)
{
    double *q;
    const size_t nq = (size_t)cardo_system_nq(session->system);
    cardo_status status = CARDO_ALLOCATE(&q, nq, error);
    if (status != CARDO_OK || cardo_communicator_size(communicator) == 1)
        goto done;
    memcpy(q, cardo_state_q(session->state), nq * sizeof *q);
    CARDO_TRY(cardo_communicator_share(communicator, q, nq * sizeof *q, 1, error));
    cardo_state_set_q(session->state, q);
    status = cardo_realize(session->system, session->state, CARDO_STAGE_DYNAMICS, error);
done:
    cardo_free(q);
    return status;
}

static cardo_status find_minimum(cardo_session *session, const cardo_mode_options *options,
                                 cardo_communicator *communicator, cardo_mode_set *set,
                                 cardo_error *error)
{
    const cardo_minimization_options minimization = {options->iterations, options->tolerance,
                                                     CARDO_FORCE_NORM_MAX};
    const cardo_minimization_observer observer = {NULL, NULL, session->listener.stop};
    cardo_status status =
        cardo_minimization_run(session->system, session->state, session->evaluator, &minimization,
                               &observer, &set->minimization, error);
    if (status == CARDO_OK && set->minimization.interrupted)
        return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                          "interrupted on the way to the minimum; nothing was written");
    set->minimized = true;
    return status == CARDO_OK ? meet(session, communicator, error) : status;
}

cardo_status cardo_force_modes(cardo_session *session, const cardo_mode_options *options, int count,
                               cardo_communicator *communicator, cardo_mode_set *set,
                               cardo_error *error)
{
    cardo_status status;
    const size_t nu = (size_t)cardo_system_nu(session->system);
    const bool invariant = (session->provider->traits & CARDO_FORCE_INVARIANT) != 0;
    double *K = NULL;
    if (options->minimize)
        CARDO_TRY(find_minimum(session, options, communicator, set, error));
    CARDO_TRY(CARDO_ALLOCATE(&K, nu * nu, error));
    CARDO_TRY(cardo_force_stiffness(session->system, session->state, session->evaluator,
                                    options->step, invariant, communicator, K, &set->quality,
                                    error));
    status = cardo_modes_create(session->system, session->state, K, invariant, count, &set->modes,
                                error);
done:
    cardo_free(K);
    return status;
}
