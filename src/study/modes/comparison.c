#include "study/modes/comparison.h"

#include "analysis/modes/cartesian_modes.h"
#include "analysis/modes/free_bodies.h"
#include "base/memory.h"
#include "base/units.h"
#include "multibody/quantities/gather_stations.h"
#include "study/modes/stiffness.h"

#include <string.h>

/* Dense matrices of 3 coordinates an atom. */
enum { MOST_CARTESIAN = 2500 };

/* Modes of both sides that share a span. */
enum { SHARED = 10 };

/* The modes of one method as displacements of C-alpha atoms: nmode x nca x 3, the caller's. */
typedef cardo_status (*find_modes)(const cardo_session *session, const cardo_mode_options *options,
                                   const cardo_mode_set *set, int *nmode, double **displacement,
                                   cardo_error *error);

static cardo_status find_cartesian(const cardo_session *session, const cardo_mode_options *options,
                                   const cardo_mode_set *set, int *nmode, double **displacement,
                                   cardo_error *error)
{
    enum { RIGID = 6 };
    cardo_status status;
    const size_t row = 3 * (size_t)set->nca;
    double *positions = NULL, *values = NULL, *vectors = NULL;
    cardo_spring_network *network = NULL;
    cardo_spring_options springs = cardo_spring_options_default();
    springs.power = options->power;
    if (options->nodes == CARDO_NODES_CA)
        springs.cutoff = options->cutoff;
    if (set->nca > MOST_CARTESIAN)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%d C-alpha atoms are too many for modes with every one free "
                          "(modes.against=anm): %d at most",
                          set->nca, MOST_CARTESIAN);
    CARDO_TRY(CARDO_ALLOCATE(&positions, row, error));
    CARDO_TRY(cardo_gather_stations(session->system, session->state, set->nca, set->ca, positions,
                                    error));
    CARDO_TRY(cardo_spring_network_create(set->nca, positions, &springs, &network, error));
    CARDO_TRY(cardo_cartesian_modes(network, &values, &vectors, error));
    *nmode = options->count < 3 * set->nca - RIGID ? options->count : 3 * set->nca - RIGID;
    CARDO_TRY(CARDO_ALLOCATE(displacement, row * (size_t)*nmode, error));
    memcpy(*displacement, vectors + RIGID * row, row * (size_t)*nmode * sizeof *vectors);
done:
    cardo_spring_network_destroy(network);
    cardo_free(positions);
    cardo_free(values);
    cardo_free(vectors);
    return status;
}

static cardo_status find_blocks(const cardo_session *session, const cardo_mode_options *options,
                                const cardo_mode_set *set, int *nmode, double **displacement,
                                cardo_error *error)
{
    cardo_status status;
    cardo_system *system = NULL;
    cardo_state *state = NULL;
    cardo_modes *modes = NULL;
    status = cardo_free_bodies(session->system, session->state, &system, &state, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "modes.against=rtb: ");
    const int nu = cardo_system_nu(system);
    const int count = options->count + 6 < nu ? options->count + 6 : nu;
    CARDO_TRY(cardo_network_modes(session, system, state, options, count, &modes, error));
    *nmode = modes->count - modes->nrigid;
    *nmode = *nmode < options->count ? *nmode : options->count;
    if (*nmode > 0)
        status = cardo_mode_displacements(system, state, modes, modes->nrigid, *nmode, set->nca,
                                          set->ca, displacement, error);
done:
    cardo_modes_destroy(modes);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return status;
}

static const struct method {
    const char *name, *doc;
    find_modes find;
} methods[CARDO_MODE_METHODS] = {
    {"anm", "every C-alpha atom free", find_cartesian},
    {"rtb", "every body free", find_blocks},
};

/* How much of the span of the model's first modes a method's first modes have. */
static cardo_status find_shared(const cardo_mode_set *set, int nmode, const double *displacement,
                                cardo_mode_method *method, cardo_error *error)
{
    cardo_status status;
    const size_t row = 3 * (size_t)set->nca;
    const int own = set->nmode < SHARED ? set->nmode : SHARED,
              other = nmode < SHARED ? nmode : SHARED;
    double *a = NULL, *b = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&a, row * (size_t)own, error));
    CARDO_TRY(CARDO_ALLOCATE(&b, row * (size_t)other, error));
    memcpy(a, set->displacement, row * (size_t)own * sizeof *a);
    memcpy(b, displacement, row * (size_t)other * sizeof *b);
    cardo_mode_orthonormalize(set->nca, own, a);
    cardo_mode_orthonormalize(set->nca, other, b);
    method->shared = cardo_mode_subspace_overlap(set->nca, own, a, other, b);
    method->shared_own = own;
    method->shared_other = other;
done:
    cardo_free(a);
    cardo_free(b);
    return status;
}

static cardo_status carry_out(const struct method *which, const cardo_session *session,
                              const cardo_mode_options *options, const cardo_mode_set *set,
                              cardo_mode_method *method, cardo_error *error)
{
    cardo_status status;
    double *displacement = NULL;
    method->name = which->name;
    method->doc = which->doc;
    CARDO_TRY(which->find(session, options, set, &method->nmode, &displacement, error));
    if (method->nmode == 0)
        goto done;
    CARDO_TRY(find_shared(set, method->nmode, displacement, method, error));
    if (!set->compared)
        goto done;
    CARDO_TRY(CARDO_ALLOCATE(&method->overlap, method->nmode, error));
    CARDO_TRY(CARDO_ALLOCATE(&method->cumulative, method->nmode, error));
    status = cardo_mode_overlaps(set, method->nmode, displacement, method->overlap,
                                 method->cumulative, error);
done:
    cardo_free(displacement);
    return status;
}

/* The next name of a list with commas or blanks between; false at its end. */
static bool next_name(const char **at, const char **name, size_t *length)
{
    *name = *at + strspn(*at, ", ");
    *length = strcspn(*name, ", ");
    *at = *name + *length;
    return *length > 0;
}

static cardo_status choose_methods(const cardo_mode_options *options,
                                   bool wanted[CARDO_MODE_METHODS], cardo_error *error)
{
    const char *at = options->against, *name;
    for (size_t length; next_name(&at, &name, &length);) {
        int k = 0;
        while (k < CARDO_MODE_METHODS &&
               (strlen(methods[k].name) != length || strncmp(methods[k].name, name, length) != 0))
            ++k;
        if (k == CARDO_MODE_METHODS)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "modes.against=%s: '%.*s' is no method; there are anm and rtb",
                              options->against, (int)length, name);
        wanted[k] = true;
    }
    return CARDO_OK;
}

cardo_status cardo_mode_methods_check(const cardo_mode_options *options, cardo_error *error)
{
    bool wanted[CARDO_MODE_METHODS] = {false};
    return choose_methods(options, wanted, error);
}

cardo_status cardo_mode_compare(const cardo_session *session, const cardo_mode_options *options,
                                const cardo_mode_set *set, cardo_mode_comparison *comparison,
                                cardo_error *error)
{
    bool wanted[CARDO_MODE_METHODS] = {false};
    cardo_status status = choose_methods(options, wanted, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < CARDO_MODE_METHODS; ++k) {
        if (!wanted[k])
            continue;
        status = carry_out(&methods[k], session, options, set,
                           &comparison->method[comparison->nmethod++], error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

void cardo_mode_comparison_clear(cardo_mode_comparison *comparison)
{
    for (int k = 0; k < comparison->nmethod; ++k) {
        cardo_free(comparison->method[k].overlap);
        cardo_free(comparison->method[k].cumulative);
    }
    *comparison = (cardo_mode_comparison){0};
}
