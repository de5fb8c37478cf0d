#include "dynamics/coordinates/quaternions.h"

#include "base/memory.h"
#include "multibody/mobilizers/descriptor.h"

#include <math.h>

cardo_status cardo_quaternions_find(const cardo_system *system, cardo_quaternions *out,
                                    cardo_error *error)
{
    int nbody = cardo_system_nbody(system);
    *out = (cardo_quaternions){0};
    cardo_status status = CARDO_ALLOCATE(&out->first, nbody, error);
    for (int body = 1; body < nbody && status == CARDO_OK; ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        if (info.mobilizer->has_orientation && !info.euler)
            out->first[out->count++] = info.q_first;
    }
    return status;
}

void cardo_quaternions_clear(cardo_quaternions *self)
{
    cardo_free(self->first);
    *self = (cardo_quaternions){0};
}

double cardo_quaternion_length(const double q[4])
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

void cardo_quaternions_normalise(const cardo_quaternions *self, double *q)
{
    for (int k = 0; k < self->count; ++k) {
        double *quaternion = q + self->first[k], length = cardo_quaternion_length(quaternion);
        for (int i = 0; i < 4 && length > 0; ++i)
            quaternion[i] /= length;
    }
}
