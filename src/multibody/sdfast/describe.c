/* From a system to a description: bodies' axes become ground's at coordinates of zero, where every joint's frames coincide, and their origins centres of mass. */
#include "cardo/sdfast.h"

#include "base/letters.h"
#include "base/memory.h"
#include "base/vec.h"
#include "cardo/constraints.h"
#include "cardo/motion.h"
#include "multibody/manifold/set.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/sdfast/joints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Axes that should be alike differ by no more. */
static const double rounding = 1e-12;

/* How a body's own axes are turned in ground where all coordinates are zero, and its centre of mass in its own frame. */
typedef struct stance {
    cardo_mat33 R;
    cardo_vec3 com;
} stance;

static void store(double out[3], cardo_vec3 v)
{
    v3_store(out, v);
}

static cardo_vec3 column(const cardo_mat33 *R, int c)
{
    return v3(R->m[0][c], R->m[1][c], R->m[2][c]);
}

static bool is_alike(cardo_mat33 a, cardo_mat33 b)
{
    for (int i = 0; i < 9; ++i)
        if (fabs(a.m[i / 3][i % 3] - b.m[i / 3][i % 3]) > rounding)
            return false;
    return true;
}

static bool is_name(const cardo_system *system, int body, const char *name)
{
    if (!name || !*name || *name == '$' || strlen(name) >= CARDO_SDFAST_NAME ||
        cardo_system_find_body(system, name) != body)
        return false;
    for (const char *c = name; *c; ++c)
        if (cardo_is_space(*c) || (unsigned char)*c < ' ' || *c == '=' || *c == '#')
            return false;
    return true;
}

static void name_body(const cardo_system *system, int body, char out[CARDO_SDFAST_NAME])
{
    cardo_body_info info;
    if (body == 0) {
        snprintf(out, CARDO_SDFAST_NAME, "$ground");
        return;
    }
    cardo_system_body(system, body, &info);
    snprintf(out, CARDO_SDFAST_NAME, "body%d", body);
    if (is_name(system, body, info.name))
        snprintf(out, CARDO_SDFAST_NAME, "%s", info.name);
}

/* So many of a joint's axes as a text has, from where the first one is. */
static int put_pins(const sdfast_joint *joint, cardo_mat33 R, double pins[3][3])
{
    const int n = joint->most_pins == 0 ? 0 : joint->least_pins;
    for (int i = 0; i < n; ++i)
        store(pins[i], column(&R, n == 1 ? joint->axis : i));
    return n;
}

static cardo_status describe_body(const cardo_system *system, int k, stance *stances,
                                  cardo_sdfast_body *out, cardo_error *error)
{
    cardo_body_info info;
    cardo_system_body(system, k, &info);
    const sdfast_joint *joint = cardo_sdfast_joint_of(info.mobilizer->name);
    if (!joint)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "body %d is on a %s: such texts have joints for %s", k,
                          info.mobilizer->name, cardo_sdfast_joint_names());
    if (info.euler && info.mobilizer->has_orientation)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "body %d has angles for its orientation, and is read again with a "
                          "quaternion",
                          k);
    if (cardo_system_is_prescribed(system, k))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "the motion of body %d is prescribed", k);
    const stance *parent = &stances[info.parent];
    const cardo_mat33 F = m33_mul(parent->R, info.X_PF.R);
    stance *own = &stances[k];
    own->R = m33_mul(F, m33_transpose(info.X_BM.R));
    own->com = info.mass.com;
    if (info.mobilizer->has_orientation && !is_alike(F, m33_identity()))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "the frames of body %d, on a %s, are turned against ground's axes where "
                          "coordinates are zero: such texts have no pins for it",
                          k, joint->name);
    name_body(system, k, out->name);
    name_body(system, info.parent, out->inboard);
    snprintf(out->joint, sizeof out->joint, "%s%s", info.reversed ? "r" : "", joint->name);
    out->mass = info.mass.mass;
    out->npin = put_pins(joint, F, out->pins);
    store(out->body_to_joint, m33_mul_v3(own->R, v3_sub(info.X_BM.p, own->com)));
    store(out->inboard_to_joint, m33_mul_v3(parent->R, v3_sub(info.X_PF.p, parent->com)));
    /* about the centre of mass, in ground's axes */
    double about[6];
    memcpy(about, info.mass.inertia, sizeof about);
    v3_add_inertia(about, -info.mass.mass, own->com);
    const cardo_mat33 I = {{{about[0], about[3], about[4]},
                            {about[3], about[1], about[5]},
                            {about[4], about[5], about[2]}}};
    const cardo_mat33 turned = m33_mul(m33_mul(own->R, I), m33_transpose(own->R));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            out->inertia[3 * i + j] = 0.5 * (turned.m[i][j] + turned.m[j][i]);
    return CARDO_OK;
}

static cardo_status describe_loop(const cardo_system *system, int index, const stance *stances,
                                  cardo_sdfast_body *out, cardo_error *error)
{
    const constraint_plan *plan = &list_of(system)->plans[index];
    cardo_joint_closure c = {.frame1 = cardo_transform_identity(),
                             .frame2 = cardo_transform_identity()};
    if (plan->kind->closure)
        plan->kind->closure(plan->shape.data, &c);
    const sdfast_joint *joint = c.mobilizer ? cardo_sdfast_joint_of(c.mobilizer->name) : NULL;
    const int body1 = plan->shape.bodies[0], body2 = plan->shape.bodies[1];
    if (!joint || body2 == 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "constraint %d (%s) is no joint of such texts%s", index, plan->kind->name,
                          joint ? " as its second body is ground" : "");
    const stance *s1 = &stances[body1], *s2 = &stances[body2];
    const cardo_mat33 F = m33_mul(s1->R, c.frame1.R), M = m33_mul(s2->R, c.frame2.R);
    const bool turns = strcmp(joint->name, "ball") == 0 ||
                       (joint->most_pins == 1 && joint->axis == 2) || joint->least_pins > 1;
    if (!turns && !is_alike(F, M))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "constraint %d, a loop by a %s, has frames that are turned against each "
                          "other where coordinates are zero",
                          index, joint->name);
    out->loop = true;
    name_body(system, body2, out->name);
    name_body(system, body1, out->inboard);
    snprintf(out->joint, sizeof out->joint, "%s%s", c.reversed ? "r" : "", joint->name);
    out->npin = put_pins(joint, F, out->pins);
    out->nbody_pin = put_pins(joint, M, out->body_pins);
    store(out->inboard_to_joint, m33_mul_v3(s1->R, v3_sub(c.frame1.p, s1->com)));
    store(out->body_to_joint, m33_mul_v3(s2->R, v3_sub(c.frame2.p, s2->com)));
    return CARDO_OK;
}

cardo_status cardo_sdfast_describe(const cardo_system *system, cardo_sdfast *out,
                                   cardo_error *error)
{
    const int nbody = cardo_system_nbody(system) - 1;
    cardo_constraint_counts counts;
    stance *stances = NULL;
    cardo_status status;
    *out = (cardo_sdfast){0};
    cardo_system_constraint_counts(system, &counts);
    CARDO_TRY(CARDO_ALLOCATE(&stances, nbody + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->bodies, nbody + counts.nconstraint + 1, error));
    stances[0].R = m33_identity();
    store(out->gravity, system->gravity);
    for (int k = 1; k <= nbody; ++k)
        CARDO_TRY(describe_body(system, k, stances, &out->bodies[out->nbody++], error));
    for (int i = 0; i < counts.nconstraint; ++i)
        CARDO_TRY(describe_loop(system, i, stances, &out->bodies[out->nbody++], error));
done:
    cardo_free(stances);
    if (status != CARDO_OK)
        cardo_sdfast_free(out);
    return status;
}
