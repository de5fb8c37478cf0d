#include "base/memory.h"
#include "multibody/algebra/angle.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/mobilizers/parameters.h"

static cardo_status compile(const void *parameters, cardo_joint *joint, cardo_error *error)
{
    const cardo_screw_thread *screw = parameters;
    if (!isfinite(screw->pitch))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the pitch of a screw is %g", screw->pitch);
    cardo_screw_thread *copy;
    cardo_status status = CARDO_ALLOCATE(&copy, 1, error);
    if (status == CARDO_OK)
        *copy = *screw;
    joint->data = copy;
    return status;
}

static void release(cardo_joint *joint)
{
    cardo_free(joint->data);
}

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)cache;
    const cardo_screw_thread *screw = joint->data;
    *X_FM = (cardo_transform){rotation_z(cos(q[0]), sin(q[0])), {0, 0, screw->pitch * q[0]}};
    H[0] = (cardo_spatial){{0, 0, 1}, {0, 0, screw->pitch}};
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    const cardo_screw_thread *screw = joint->data;
    /* the height tells which turn it is, if the thread is not too fine */
    double start = fabs(screw->pitch) > 1e-6 ? X_FM->p.z / screw->pitch : q[0];
    q[0] = angle_near(angle_about_z(X_FM->R), start);
}

static const char *const names[] = {"angle"};

const cardo_mobilizer cardo_mobilizer_screw = {
    .name = "screw",
    .doc = "turns about z and moves along it by pitch times the angle",
    .nq = 1,
    .nq_euler = 1,
    .nu = 1,
    .q_names = names,
    .u_names = names,
    .compile = compile,
    .release = release,
    .position = position,
    .fit_q = fit_q,
};
