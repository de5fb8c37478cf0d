/* From a description to a system: body frames have their origins in centres of mass, and ground's axes where all coordinates are zero. */
#include "cardo/sdfast.h"

#include "base/memory.h"
#include "base/vec.h"
#include "cardo/constraints.h"
#include "multibody/sdfast/joints.h"

#include <math.h>
#include <string.h>

static cardo_vec3 vec(const double x[3])
{
    return v3(x[0], x[1], x[2]);
}

/* The mobilizer's axes by the joint's pins: the first one is x or z, a second one y. */
static cardo_status axes_of(const sdfast_joint *joint, int npin, const double pins[3][3],
                            cardo_mat33 *R, cardo_error *error)
{
    cardo_vec3 axis[3];
    if (npin < joint->least_pins || npin > (joint->most_pins > 0 ? joint->most_pins : 3))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a %s has %d pins, not %d", joint->name,
                          joint->least_pins, npin);
    *R = cardo_transform_identity().R;
    if (joint->most_pins == 0)
        return CARDO_OK;
    for (int i = 0; i < npin; ++i) {
        const double length = v3_norm(vec(pins[i]));
        if (!(length > 1e-100) || !isfinite(length))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "pin %d has no length", i + 1);
        axis[i] = v3_scale(1 / length, vec(pins[i]));
    }
    if (npin == 1) {
        axis[1] = v3_perpendicular(axis[0]);
        axis[2] = v3_cross(axis[0], axis[1]);
        if (joint->axis == 2) {
            const cardo_vec3 along = axis[0];
            axis[0] = axis[1];
            axis[1] = axis[2];
            axis[2] = along;
        }
    }
    const cardo_vec3 third = v3_cross(axis[0], axis[1]);
    if (npin == 3 && v3_norm(v3_sub(third, axis[2])) > 1e-6)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the three pins of a %s are not at right angles, or left-handed",
                          joint->name);
    if (npin >= 2 && fabs(v3_dot(axis[0], axis[1])) > 1e-6)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the pins of a %s are not at right angles",
                          joint->name);
    axis[2] = v3_unit(third);
    axis[1] = v3_cross(axis[2], axis[0]);
    for (int c = 0; c < 3; ++c) {
        R->m[0][c] = axis[c].x;
        R->m[1][c] = axis[c].y;
        R->m[2][c] = axis[c].z;
    }
    return CARDO_OK;
}

static cardo_status number_of(const cardo_system *system, const char *name, int *body,
                              cardo_error *error)
{
    *body = strcmp(name, "$ground") == 0 ? 0 : cardo_system_find_body(system, name);
    if (*body < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "there is no body '%s' before it (ground is $ground)", name);
    return CARDO_OK;
}

static cardo_status add_loop(cardo_system *system, const cardo_sdfast_body *b,
                             const cardo_joint_closure *closure, cardo_error *error)
{
    if (strcmp(b->joint, "ball") == 0) {
        const cardo_coincident_points ball = {closure->body1, closure->body2, closure->frame1.p,
                                              closure->frame2.p};
        return cardo_system_add_constraint(system, cardo_constraint_find("ball"), b->name, &ball,
                                           NULL, error);
    }
    if (strcmp(b->joint, "weld") == 0) {
        const cardo_welded_frames weld = {closure->body1, closure->body2, closure->frame1,
                                          closure->frame2};
        return cardo_system_add_constraint(system, cardo_constraint_find("weld"), b->name, &weld,
                                           NULL, error);
    }
    return cardo_system_add_constraint(system, cardo_constraint_find("joint"), b->name, closure,
                                       NULL, error);
}

static cardo_status add(cardo_system *system, const cardo_sdfast_body *b, cardo_error *error)
{
    bool reversed = false;
    const sdfast_joint *joint = cardo_sdfast_joint(b->joint, &reversed);
    cardo_transform F, M;
    int parent;
    cardo_status status;
    if (!joint)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "there is no joint '%s': there are %s",
                          b->joint, cardo_sdfast_joint_names());
    CARDO_TRY(number_of(system, b->inboard, &parent, error));
    CARDO_TRY(axes_of(joint, b->npin, b->pins, &F.R, error));
    M.R = F.R;
    if (b->nbody_pin > 0)
        CARDO_TRY(axes_of(joint, b->nbody_pin, b->body_pins, &M.R, error));
    F.p = vec(b->inboard_to_joint);
    M.p = vec(b->body_to_joint);
    const cardo_mobilizer *mobilizer = cardo_mobilizer_find(joint->mobilizer);
    if (b->loop) {
        cardo_joint_closure closure = {.body1 = parent,
                                       .frame1 = F,
                                       .frame2 = M,
                                       .mobilizer = mobilizer,
                                       .reversed = reversed};
        CARDO_TRY(number_of(system, b->name, &closure.body2, error));
        return add_loop(system, b, &closure, error);
    }
    const double *I = b->inertia;
    const cardo_body_definition d = {.name = b->name,
                                     .parent = parent,
                                     .mobilizer = mobilizer,
                                     .reversed = reversed,
                                     .X_PF = F,
                                     .X_BM = M,
                                     .mass = {b->mass,
                                              {0, 0, 0},
                                              {I[0], I[4], I[8], 0.5 * (I[1] + I[3]),
                                               0.5 * (I[2] + I[6]), 0.5 * (I[5] + I[7])}}};
    CARDO_TRY(cardo_system_add_body(system, &d, NULL, error));
done:
    return status;
}

cardo_status cardo_sdfast_system(const cardo_sdfast *description, cardo_system **out,
                                 cardo_error *error)
{
    cardo_system *system = NULL;
    cardo_status status;
    *out = NULL;
    CARDO_TRY(cardo_system_create(&system, error));
    cardo_system_set_gravity(system, vec(description->gravity));
    for (int k = 0; k < description->nbody; ++k) {
        const cardo_sdfast_body *b = &description->bodies[k];
        status = add(system, b, error);
        if (status != CARDO_OK) {
            cardo_error_prefix(error, "%s %s: ", b->loop ? "the loop of body" : "body", b->name);
            goto done;
        }
    }
    CARDO_TRY(cardo_system_finalize(system, error));
    *out = system;
    return CARDO_OK;
done:
    cardo_system_destroy(system);
    return status;
}
