#include "forces/rigid/far.h"

#include "forces/rigid/model.h"

#include <math.h>

/* Root mean square force on bodies that the first pass aims at, at least, and at most where bonds between bodies pull more. kJ/mol/nm */
static const double usual_force = 250, usual_pull = 1000;
/* The same in a solvent, which screens charges; and what pairs leave of that pull, mostly. There a second pass does all again, so that it is
 * worth more to aim lower than to aim well. */
static const double usual_in_solvent = 8, left_of_pull = 0.4;
/* Where the solvent's pairs are plain, exp(-D) is at most this multiple of what a pair of nodes may be off by. nm mol/kJ */
static const double plain_share = 1;
/* So much of it in single precision where pairs are left out by the vector without a table: LAO's pull one way. */
static const double untabled = 0.4;
/* Least one that a pass is refined for: below, bodies hardly act on each other. kJ/mol/nm */
static const double least_force = 1e-6;
/* Errors of the many pairs of nodes that act on one body are independent, and add up to this multiple of the largest; the more where more is asked
 * for, since errors of series have one sign. */
static const double together = 200, together_in_solvent = 80, together_in_double = 200;
/* Solvent pairs are never plain nearer than where exp(-D) is this. */
static const double largest_tolerance = 0.001;
/* Forces smaller than they were taken for by less than this are left as they are. */
static const double leeway = 1.2;

/* Root mean square of forces on bodies, or that of torques about their middles over most of the bodies' radius, if it is
 * smaller: errors of torques are of that size times those of forces. */
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
    const double lever = 0.7 * model->far->size;
    return sqrt(fmin(force, torque / (lever * lever)) / n);
}

static double allowed_for(const cardo_rigid_model *model, double force)
{
    return model->far->tolerance * model->far->levers * force /
           (!model->has_solvent  ? together
            : model->far->single ? together_in_solvent
                                 : together_in_double);
}

static void aim_at(cardo_rigid_model *model, double allowed)
{
    const bool tabled = cardo_rigid_is_tabled(model);
    const double share = model->far->single && !tabled ? untabled : 1;
    model->far->allowed = allowed;
    if (model->has_solvent)
        model->rules.plain_beyond = fmin(
            model->far->most_plain, -log(share * fmin(plain_share * allowed, largest_tolerance)));
    cardo_rigid_use_table(model);
    cardo_rigid_by_radius_aim(model, allowed);
}

void cardo_far_aim(cardo_rigid_model *model)
{
    cardo_far *far = model->far;
    const double pull = fmin(usual_of(model, model->bonded_wrench), usual_pull);
    far->allowed_before = 0;
    aim_at(model,
           allowed_for(model, model->has_solvent ? fmax(left_of_pull * pull, usual_in_solvent)
                                                 : fmax(pull, usual_force)));
}

void cardo_far_aim_inside(cardo_rigid_model *model)
{
    model->far->allowed_before = 0;
    aim_at(model, allowed_for(model, usual_in_solvent)); /* in vacuum too: it is done once */
}

bool cardo_far_refine(cardo_rigid_model *model, const cardo_spatial *total)
{
    cardo_far *far = model->far;
    const double force = fmax(usual_of(model, total), least_force);
    const double allowed = allowed_for(model, force);
    if (!(allowed * leeway < far->allowed))
        return false;
    far->allowed_before = far->allowed;
    aim_at(model, allowed);
    return true;
}
