#include "study/scattering/bodies.h"

#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

cardo_status cardo_scattering_bodies_make(const cardo_model *model, const cardo_scatterers *s,
                                          const cardo_transform *X_GB, cardo_scattering_bodies *out,
                                          cardo_error *error)
{
    cardo_status status;
    int *number = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&number, model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->body, s->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->system_body, model->nbody, error));
    for (int k = 0; k < s->n; ++k) {
        const int b = model->atom_body[s->atom[k]];
        if (number[b] == 0) {
            out->system_body[out->n] = b + 1;
            number[b] = ++out->n;
        }
        out->body[k] = number[b] - 1;
    }
    CARDO_TRY(CARDO_ALLOCATE(&out->made, out->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->pose, 12 * (size_t)out->n, error));
    for (int k = 0; k < out->n; ++k)
        out->made[k] = xform_inverse(X_GB[out->system_body[k]]);
done:
    cardo_free(number);
    return status;
}

void cardo_scattering_bodies_clear(cardo_scattering_bodies *bodies)
{
    cardo_free(bodies->body);
    cardo_free(bodies->system_body);
    cardo_free(bodies->made);
    cardo_free(bodies->pose);
    *bodies = (cardo_scattering_bodies){0};
}

void cardo_scattering_bodies_pose(cardo_scattering_bodies *bodies, const cardo_transform *X_GB)
{
    for (int k = 0; k < bodies->n; ++k) {
        const cardo_transform X = xform_mul(X_GB[bodies->system_body[k]], bodies->made[k]);
        memcpy(bodies->pose + 12 * k, X.R.m, sizeof X.R.m);
        v3_store(bodies->pose + 12 * k + 9, X.p);
    }
}
