#include "forcefield/relax.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct relaxation {
    cardo_force_provider *provider;
    int natom;
    double *positions; /* of all atoms                          (natom x 3)   */
    int nmovable;
    int *atom; /* index of each movable atom                    (nmovable)    */
} relaxation;

cardo_minimize_options cardo_relax_options_default(void)
{
    return (cardo_minimize_options){.most_iterations = 1000, .largest_gradient = 5, .unit = 0.002};
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
    *value = evaluation.energy;
    for (int k = 0; k < r->nmovable; ++k)
        for (int axis = 0; axis < 3; ++axis)
            gradient[3 * k + axis] =
                -evaluation.station_forces[3 * (size_t)r->atom[k] + (size_t)axis];
    return CARDO_OK;
}

cardo_status cardo_relax(cardo_force_provider *provider, int natom, double *positions,
                         const bool *movable, const cardo_minimize_options *options,
                         cardo_minimize_result *result, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double *x = NULL;
    relaxation r = {.provider = provider, .natom = natom, .positions = positions};
    *result = (cardo_minimize_result){.converged = true};
    for (int i = 0; i < natom; ++i)
        r.nmovable += movable[i];
    if (r.nmovable == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&r.atom, r.nmovable, error));
    CARDO_TRY(CARDO_ALLOCATE(&x, 3 * (size_t)r.nmovable, error));
    for (int i = 0, k = 0; i < natom; ++i)
        if (movable[i]) {
            memcpy(x + 3 * (size_t)k, positions + 3 * (size_t)i, 3 * sizeof *x);
            r.atom[k++] = i;
        }
    CARDO_TRY(cardo_minimize(3 * r.nmovable, x, evaluate, &r, options, result, error));
    spread(&r, x);
done:
    cardo_free(x);
    cardo_free(r.atom);
    return status;
}
