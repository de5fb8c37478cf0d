#include "base/memory.h"
#include "cardo/operators.h"
#include "multibody/planar/mechanism.h"

/* By a joint's multipliers: the force of rows is minus their transpose times these. */
static void by_multipliers(const cardo_mechanism *mechanism, const cardo_state *state, int joint,
                           double out[3])
{
    const cardo_planar_joint *j = &mechanism->joints[joint];
    const double *lambda = cardo_state_multipliers(state) + cardo_mechanism_row(mechanism, joint);
    const int body1 = cardo_mechanism_body(mechanism, j->body1);
    const cardo_mat33 R1 = cardo_state_X_GB(state)[body1].R;
    switch (j->kind) {
    case CARDO_PLANAR_REVOLUTE:
        out[0] = lambda[0];
        out[1] = lambda[1];
        break;
    case CARDO_PLANAR_TRANSLATIONAL:
        out[0] = -lambda[0] * (R1.m[0][0] * j->normal1[0] + R1.m[0][1] * j->normal1[1]);
        out[1] = -lambda[0] * (R1.m[1][0] * j->normal1[0] + R1.m[1][1] * j->normal1[1]);
        out[2] = lambda[1];
        break;
    case CARDO_PLANAR_DRIVING:
        out[2] = -lambda[0];
        break;
    default:
        out[j->coordinate] = -lambda[0];
        break;
    }
}

cardo_status cardo_mechanism_joint_forces(const cardo_mechanism *mechanism,
                                          const cardo_state *state, double *forces,
                                          cardo_error *error)
{
    const int nbody = cardo_system_nbody(mechanism->system);
    cardo_spatial *on_body = NULL, *on_parent;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&on_body, 2 * nbody, error));
    on_parent = on_body + nbody;
    CARDO_TRY(cardo_reactions(mechanism->system, state, on_body, error));
    CARDO_TRY(cardo_reactions_at_parent(mechanism->system, state, on_parent, error));
    for (int i = 0; i < mechanism->njoint; ++i) {
        forces[3 * i] = forces[3 * i + 1] = forces[3 * i + 2] = 0;
        if (mechanism->constraint[i] >= 0)
            by_multipliers(mechanism, state, i, forces + 3 * i);
    }
    for (int body = 1; body <= mechanism->nbody; ++body) {
        const planar_link *link = &mechanism->links[body];
        if (link->joint < 0)
            continue;
        /* on the joint's body 2, whose frame is at point 2 */
        const cardo_spatial f = link->onward ? on_body[link->node] : on_parent[link->node];
        forces[3 * link->joint] = f.linear.x;
        forces[3 * link->joint + 1] = f.linear.y;
        forces[3 * link->joint + 2] = f.angular.z;
    }
done:
    cardo_free(on_body);
    return status;
}
