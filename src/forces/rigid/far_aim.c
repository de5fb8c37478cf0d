#include "forces/rigid/far.h"

#include "forces/rigid/model.h"

#include <math.h>
#include <stdlib.h>

/* Root mean square force on bodies that the first pass aims at. kJ/mol/nm */
static const double usual_force = 1000;
/* Least one that a pass is refined for: below, bodies hardly act on each other. kJ/mol/nm */
static const double least_force = 1e-6;
/* Errors of the many pairs of nodes that act on one body are independent, and add up to this multiple of the largest. */
static const double together = 200;
/* Forces smaller than they were taken for by less than this are left as they are. */
static const double leeway = 1.5;

void cardo_far_aim(cardo_far *far)
{
    far->allowed_before = 0;
    far->allowed = far->tolerance * usual_force / together;
}

/* Root mean square of forces on bodies, or that of torques about their middles over the bodies' size, if it is smaller. */
static double usual_of(const cardo_rigid_model *model, const cardo_spatial *total)
{
    double force = 0, torque = 0;
    int n = 0;
    for (int body = 0; body < model->layout->nbody; ++body) {
        const cardo_rigid_sphere *s = &model->body_sphere[body];
        if (model->layout->natom_of[body] == 0)
            continue;
        const cardo_vec3 f = total[body].linear;
        const cardo_vec3 t = v3_sub(total[body].angular, v3_cross(v3(s->x, s->y, s->z), f));
        force += v3_dot(f, f);
        torque += v3_dot(t, t);
        ++n;
    }
    return sqrt(fmin(force, torque / (model->far->size * model->far->size)) / n);
}

bool cardo_far_refine(const cardo_rigid_model *model, const cardo_spatial *total)
{
    cardo_far *far = model->far;
    const double force = fmax(usual_of(model, total), least_force);
    const double allowed = far->tolerance * force / together;
    if (!(allowed * leeway < far->allowed))
        return false;
    far->allowed_before = far->allowed;
    far->allowed = allowed;
    return true;
}
