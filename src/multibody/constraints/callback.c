#include "multibody/constraints/parts/check.h"

#include <string.h>

static cardo_status check_counts(const cardo_constraint_callback_parameters *p, cardo_error *error)
{
    if (p->nposition < 0 || p->nvelocity < 0 || p->nacceleration < 0 ||
        p->nposition + p->nvelocity + p->nacceleration < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a constraint of %d, %d and %d rows",
                          p->nposition, p->nvelocity, p->nacceleration);
    if (p->nbody < 0 || p->nbody > CARDO_CONSTRAINT_MAX_BODIES || p->ncoordinate < 0 ||
        p->ncoordinate > CARDO_CONSTRAINT_MAX_MOBILITIES || p->nmobility < 0 ||
        p->nmobility > CARDO_CONSTRAINT_MAX_MOBILITIES)
        return CARDO_FAIL(
            error, CARDO_ERROR_ARGUMENT,
            "a constraint on %d bodies, %d coordinates and %d mobilities: there may be "
            "up to %d, %d and %d",
            p->nbody, p->ncoordinate, p->nmobility, (int)CARDO_CONSTRAINT_MAX_BODIES,
            (int)CARDO_CONSTRAINT_MAX_MOBILITIES, (int)CARDO_CONSTRAINT_MAX_MOBILITIES);
    if (!p->rows || !p->rates || (p->nposition > 0 && !p->position))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a function to call is missing");
    return CARDO_OK;
}

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_constraint_callback_parameters *p = parameters;
    cardo_status status;
    CARDO_TRY(check_counts(p, error));
    for (int b = 0; b < p->nbody; ++b) {
        for (int other = 0; other < b; ++other)
            CARDO_TRY(cardo_constraint_check_pair(system, p->bodies[other], p->bodies[b], error));
        if (p->bodies[b] < 0 || p->bodies[b] >= cardo_system_nbody(system))
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no body %d", p->bodies[b]);
        shape->bodies[b] = p->bodies[b];
    }
    for (int i = 0; i < p->ncoordinate; ++i) {
        CARDO_TRY(cardo_constraint_check_coordinate(system, p->coordinates[i], error));
        shape->coordinates[i] = p->coordinates[i];
    }
    for (int i = 0; i < p->nmobility; ++i) {
        CARDO_TRY(cardo_constraint_check_mobility(system, p->mobilities[i], error));
        shape->mobilities[i] = p->mobilities[i];
    }
    shape->nposition = p->nposition;
    shape->nvelocity = p->nvelocity;
    shape->nacceleration = p->nacceleration;
    shape->nbody = p->nbody;
    shape->ncoordinate = p->ncoordinate;
    shape->nmobility = p->nmobility;
    CARDO_TRY(cardo_constraint_keep(shape, p, sizeof *p, error));
done:
    return status;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const cardo_constraint_callback_parameters *p = data;
    if (p->position)
        p->position(p->user, work, error);
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const cardo_constraint_callback_parameters *p = data;
    p->rows(p->user, work, out);
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const cardo_constraint_callback_parameters *p = data;
    p->rates(p->user, work, out);
}

const cardo_constraint cardo_constraint_callback = {
    .name = "callback",
    .doc = "the user's own rows",
    .compile = compile,
    .position = position,
    .rows = rows,
    .rates = rates,
    .on_any_motion = true,
};
