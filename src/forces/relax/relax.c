#include "forces/relax/relax.h"

#include "base/memory.h"
#include "forces/terms/copies.h"

#include <math.h>
#include <string.h>

typedef struct relaxation {
    cardo_force_provider *provider;
    const cardo_contacts *contacts;
    int natom;
    double *positions; /* of all atoms                          (natom x 3)   */
    double *gradient;  /* of the contacts' energy               (natom x 3)   */
    int nmovable;
    int *atom; /* index of each movable atom                    (nmovable)    */
    const cardo_relax_listener *listener;
} relaxation;

cardo_minimize_options cardo_relax_options_default(void)
{
    return (cardo_minimize_options){.most_iterations = 1000, .largest_gradient = 1, .unit = 0.002};
}

cardo_status cardo_relax_adapt_terms(cardo_terms *terms, const bool *movable, cardo_error *error)
{
    const double dielectric = 4, bond_stiffer = 4, angle_stiffer = 4;
    const cardo_status status = cardo_terms_expand(terms, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < terms->natom && terms->has_nonbonded; ++i)
        terms->number.charge[i] /= sqrt(dielectric);
    for (int k = 0; k < terms->nexception; ++k)
        terms->list.exception[k].charge_product /= dielectric;
    for (int k = 0; k < terms->nbond; ++k) {
        cardo_bond_term *bond = &terms->list.bond[k];
        if (movable[bond->a] || movable[bond->b])
            bond->k *= bond_stiffer;
    }
    for (int k = 0; k < terms->nangle; ++k) {
        cardo_angle_term *angle = &terms->list.angle[k];
        if (movable[angle->a] || movable[angle->b] || movable[angle->c])
            angle->k *= angle_stiffer;
    }
    return CARDO_OK;
}

static void spread(const relaxation *r, const double *x)
{
    for (int k = 0; k < r->nmovable; ++k)
        memcpy(r->positions + 3 * (size_t)r->atom[k], x + 3 * (size_t)k, 3 * sizeof *x);
}

static cardo_status evaluate(void *context, int n, const double *x, double *value, double *gradient,
                             cardo_error *error)
{
    relaxation *r = context;
    (void)n;
    spread(r, x);
    double *input = r->positions;
    if (r->provider->position_buffer) {
        input = r->provider->position_buffer;
        memcpy(input, r->positions, 3 * (size_t)r->natom * sizeof *input);
    }
    cardo_force_evaluation evaluation = {.nstation = r->natom, .station_positions = input};
    cardo_status status = r->provider->compute(r->provider, &evaluation, error);
    if (status != CARDO_OK)
        return status;
    memset(r->gradient, 0, 3 * (size_t)r->natom * sizeof *r->gradient);
    *value = evaluation.energy;
    if (r->contacts)
        *value += cardo_contacts_energy(r->contacts, r->positions, r->gradient);
    for (int k = 0; k < r->nmovable; ++k)
        for (size_t axis = 0; axis < 3; ++axis) {
            size_t at = 3 * (size_t)r->atom[k] + axis;
            gradient[3 * (size_t)k + axis] = r->gradient[at] - evaluation.station_forces[at];
        }
    return CARDO_OK;
}

static cardo_status tell(void *context, int iteration, bool *stop, cardo_error *error)
{
    const relaxation *r = context;
    (void)stop;
    return r->listener->iteration(r->listener->user, iteration)
               ? CARDO_OK
               : CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted");
}

cardo_status cardo_relax(cardo_force_provider *provider, const cardo_contacts *contacts, int natom,
                         double *positions, const bool *movable,
                         const cardo_minimize_options *options,
                         const cardo_relax_listener *listener, cardo_minimize_result *result,
                         cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double *x = NULL;
    relaxation r = {.provider = provider,
                    .contacts = contacts,
                    .natom = natom,
                    .positions = positions,
                    .listener = listener};
    cardo_minimize_options told = *options;
    told.progress = listener && listener->iteration ? tell : NULL;
    *result = (cardo_minimize_result){.converged = true};
    for (int i = 0; i < natom; ++i)
        r.nmovable += movable[i];
    if (r.nmovable == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&r.atom, r.nmovable, error));
    CARDO_TRY(CARDO_ALLOCATE(&r.gradient, 3 * (size_t)natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&x, 3 * (size_t)r.nmovable, error));
    for (int i = 0, k = 0; i < natom; ++i)
        if (movable[i]) {
            memcpy(x + 3 * (size_t)k, positions + 3 * (size_t)i, 3 * sizeof *x);
            r.atom[k++] = i;
        }
    CARDO_TRY(cardo_minimize(3 * r.nmovable, x, evaluate, &r, &told, result, error));
    spread(&r, x);
done:
    cardo_free(x);
    cardo_free(r.gradient);
    cardo_free(r.atom);
    return status;
}
