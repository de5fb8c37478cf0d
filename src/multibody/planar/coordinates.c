/* Absolute coordinates of a mechanism's bodies, whatever its own are. */
#include "base/memory.h"
#include "multibody/planar/mechanism.h"

#include <math.h>
#include <string.h>

enum { MOST_MOBILITIES = 3 };

/* Coordinates along a slider: of point 2 of body 2 from point 1 of body 1, along body 1's line, with its rate. Of a body's x, y, angle and their rates. */
static void slide_of(const cardo_planar_joint *j, const double *c1, const double *v1,
                     const double *c2, const double *v2, double out[2])
{
    double along[2], at[2], rate[2];
    planar_slide(j, along);
    const double cos1 = cos(c1[2]), sin1 = sin(c1[2]), cos2 = cos(c2[2]), sin2 = sin(c2[2]);
    const double arm1[2] = {cos1 * j->point1[0] - sin1 * j->point1[1],
                            sin1 * j->point1[0] + cos1 * j->point1[1]};
    const double arm2[2] = {cos2 * j->point2[0] - sin2 * j->point2[1],
                            sin2 * j->point2[0] + cos2 * j->point2[1]};
    const double t[2] = {cos1 * along[0] - sin1 * along[1], sin1 * along[0] + cos1 * along[1]};
    for (int k = 0; k < 2; ++k) {
        const double side = k == 0 ? -1 : 1;
        at[k] = c2[k] + arm2[k] - c1[k] - arm1[k];
        rate[k] = v2[k] + side * v2[2] * arm2[1 - k] - v1[k] - side * v1[2] * arm1[1 - k];
    }
    out[0] = t[0] * at[0] + t[1] * at[1];
    /* of t, too: across what lies between */
    out[1] = t[0] * rate[0] + t[1] * rate[1] + v1[2] * (t[0] * at[1] - t[1] * at[0]);
}

/* The mobilizer's own coordinates (speeds where pass is 1) of a body, from absolute ones. */
static void own_of(const cardo_mechanism *mechanism, int body, const double *coordinates,
                   const double *rates, int pass, double own[MOST_MOBILITIES])
{
    static const double still[3] = {0, 0, 0};
    const planar_link *link = &mechanism->links[body];
    const bool grounded = link->parent == 0;
    const double *c = coordinates + 3 * (body - 1), *v = rates ? rates + 3 * (body - 1) : still;
    const double *cp = grounded ? still : coordinates + 3 * (link->parent - 1);
    const double *vp = grounded || !rates ? still : rates + 3 * (link->parent - 1);
    const double *x = pass == 0 ? c : v, *xp = pass == 0 ? cp : vp;
    own[0] = x[2] - xp[2];
    own[1] = x[0];
    own[2] = x[1];
    if (link->joint < 0 || mechanism->joints[link->joint].kind != CARDO_PLANAR_TRANSLATIONAL)
        return;
    double slide[2];
    if (link->onward)
        slide_of(&mechanism->joints[link->joint], cp, vp, c, v, slide);
    else
        slide_of(&mechanism->joints[link->joint], c, v, cp, vp, slide);
    own[0] = link->onward ? slide[pass] : -slide[pass];
}

cardo_status cardo_mechanism_set(const cardo_mechanism *mechanism, cardo_state *state,
                                 const double *coordinates, const double *rates, cardo_error *error)
{
    /* speeds are the rates of coordinates in all these mobilizers */
    const int n = cardo_system_nq(mechanism->system);
    double *x = NULL;
    cardo_status status = CARDO_ALLOCATE(&x, n + 1, error);
    for (int pass = 0; pass < 2 && status == CARDO_OK; ++pass) {
        for (int body = 1; body <= mechanism->nbody; ++body) {
            double own[MOST_MOBILITIES];
            cardo_body_info info;
            cardo_system_body(mechanism->system, mechanism->links[body].node, &info);
            own_of(mechanism, body, coordinates, rates, pass, own);
            memcpy(x + info.q_first, own, (size_t)info.nq * sizeof *x);
        }
        if (pass == 0)
            cardo_state_set_q(state, x);
        else
            cardo_state_set_u(state, x);
    }
    cardo_free(x);
    return status;
}

/* Angles add up along the tree, so that they have no jumps. */
static void get_angles(const cardo_mechanism *mechanism, const double *q, double *coordinates)
{
    for (int k = 0; k < mechanism->nbody; ++k) {
        const int body = mechanism->order[k];
        const planar_link *link = &mechanism->links[body];
        const double before = link->parent == 0 ? 0 : coordinates[3 * (link->parent - 1) + 2];
        const cardo_planar_joint *j = link->joint < 0 ? NULL : &mechanism->joints[link->joint];
        cardo_body_info info;
        cardo_system_body(mechanism->system, link->node, &info);
        double turn = q[info.q_first];
        if (j && j->kind == CARDO_PLANAR_TRANSLATIONAL)
            turn = link->onward ? -j->offset : j->offset;
        coordinates[3 * (body - 1) + 2] = before + turn;
    }
}

static void store(const cardo_mechanism *mechanism, const cardo_spatial *motions, double *out)
{
    for (int body = 1; body <= mechanism->nbody; ++body) {
        const cardo_spatial m = motions[mechanism->links[body].node];
        double *x = out + 3 * (body - 1);
        x[0] = m.linear.x;
        x[1] = m.linear.y;
        x[2] = m.angular.z;
    }
}

cardo_status cardo_mechanism_get(const cardo_mechanism *mechanism, const cardo_state *state,
                                 double *coordinates, double *rates, double *accelerations,
                                 cardo_error *error)
{
    const cardo_transform *X = cardo_state_X_GB(state);
    const cardo_spatial *V = cardo_state_V_GB(state), *A = cardo_state_A_GB(state);
    if ((coordinates && !X) || (rates && !V) || (accelerations && !A))
        return CARDO_FAIL(error, CARDO_ERROR_STAGE,
                          "coordinates of bodies need the stage POSITION, their rates VELOCITY, "
                          "second rates ACCELERATION");
    for (int body = 1; coordinates && body <= mechanism->nbody; ++body) {
        coordinates[3 * (body - 1)] = X[mechanism->links[body].node].p.x;
        coordinates[3 * (body - 1) + 1] = X[mechanism->links[body].node].p.y;
    }
    if (coordinates)
        get_angles(mechanism, cardo_state_q(state), coordinates);
    if (rates)
        store(mechanism, V, rates);
    if (accelerations)
        store(mechanism, A, accelerations);
    return CARDO_OK;
}
