#include "multibody/constraints/table_models.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const ellipsoid_model ellipsoid_models[ELLIPSOID_MODELS] = {
    {"rows, quaternion", "free", false, false},
    {"rows, Euler angles", "free", true, false},
    {"couplers, free", "free", true, true},
    {"couplers, bushing", "bushing", true, true},
};

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    abort();
}

static const cardo_transform identity = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}};

static cardo_system *one_body(const char *mobilizer, bool euler, const cardo_mass_properties *mass)
{
    cardo_error error = {0};
    cardo_system *system = NULL;
    const cardo_body_definition body = {.mobilizer = cardo_mobilizer_find(mobilizer),
                                        .euler = euler,
                                        .X_PF = identity,
                                        .X_BM = identity,
                                        .mass = *mass};
    must(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    must(cardo_system_add_body(system, &body, NULL, &error), &error);
    return system;
}

cardo_system *build_table_body(const char *mobilizer, bool euler, const cardo_mass_properties *mass)
{
    cardo_error error = {0};
    cardo_system *system = one_body(mobilizer, euler, mass);
    must(cardo_system_finalize(system, &error), &error);
    return system;
}

/* Row i of e = p - diag(radii) R z: velocity v_i - radii_i (w x z)_i. */
static void position(void *user, const cardo_constraint_work *work, double *p)
{
    const cardo_vec3 radii = ((const ellipsoid_rows *)user)->radii;
    const cardo_transform *X = work->X_GB;
    p[0] = X->p.x - radii.x * X->R.m[0][2];
    p[1] = X->p.y - radii.y * X->R.m[1][2];
    p[2] = X->p.z - radii.z * X->R.m[2][2];
}

static void fill(const cardo_vec3 r, const double z[3], cardo_spatial *rows)
{
    rows[0].angular = (cardo_vec3){0, -r.x * z[2], r.x * z[1]};
    rows[1].angular = (cardo_vec3){r.y * z[2], 0, -r.y * z[0]};
    rows[2].angular = (cardo_vec3){-r.z * z[1], r.z * z[0], 0};
}

static void rows(void *user, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const double(*R)[3] = work->X_GB->R.m;
    const double z[3] = {R[0][2], R[1][2], R[2][2]};
    fill(((const ellipsoid_rows *)user)->radii, z, out->bodies);
    out->bodies[0].linear.x = out->bodies[1].linear.y = out->bodies[2].linear.z = 1;
}

static void rates(void *user, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const double(*R)[3] = work->X_GB->R.m;
    const cardo_vec3 w = work->V_GB->angular;
    const double z[3] = {R[0][2], R[1][2], R[2][2]};
    const double zdot[3] = {w.y * z[2] - w.z * z[1], w.z * z[0] - w.x * z[2],
                            w.x * z[1] - w.y * z[0]};
    fill(((const ellipsoid_rows *)user)->radii, zdot, out->bodies);
}

/* x - radius n(a, b), n the third axis of body-fixed 1-2-3 angles a and b. */
static void on_ellipsoid(void *user, int narg, const double *x, double *value, double *gradient,
                         double *hessian)
{
    const struct ellipsoid_axis *own = user;
    const double a = x[0], b = x[1], ca = cos(a), sa = sin(a), cb = cos(b), sb = sin(b);
    const double n[3] = {sb, -sa * cb, ca * cb};
    const double by_a[3] = {0, -ca * cb, -sa * cb}, by_b[3] = {cb, sa * sb, -ca * sb};
    const double by_aa[3] = {0, sa * cb, -ca * cb}, by_ab[3] = {0, ca * sb, sa * sb};
    const double by_bb[3] = {-sb, sa * cb, -ca * cb}, r = own->radius;
    const int k = own->axis;
    (void)narg;
    *value = x[2] - r * n[k];
    if (gradient) {
        gradient[0] = -r * by_a[k];
        gradient[1] = -r * by_b[k];
        gradient[2] = 1;
    }
    for (int i = 0; hessian && i < 9; ++i)
        hessian[i] = 0;
    if (hessian) {
        hessian[0] = -r * by_aa[k];
        hessian[1] = hessian[3] = -r * by_ab[k];
        hessian[4] = -r * by_bb[k];
    }
}

cardo_system *build_ellipsoid(const ellipsoid_model *model, const cardo_mass_properties *mass,
                              cardo_vec3 radii, ellipsoid_rows *own)
{
    cardo_error error = {0};
    cardo_system *system = one_body(model->mobilizer, model->euler, mass);
    const double r[3] = {radii.x, radii.y, radii.z};
    own->radii = radii;
    if (!model->couplers) {
        const cardo_constraint_callback_parameters constraint = {.nposition = 3,
                                                                 .nbody = 1,
                                                                 .bodies = {1},
                                                                 .position = position,
                                                                 .rows = rows,
                                                                 .rates = rates,
                                                                 .user = own};
        must(cardo_system_add_constraint(system, cardo_constraint_find("callback"), "ellipsoid",
                                         &constraint, NULL, &error),
             &error);
    }
    for (int k = 0; model->couplers && k < 3; ++k) {
        own->axes[k].radius = r[k];
        own->axes[k].axis = k;
        const cardo_coordinate_coupler coupler = {.ncoordinate = 3,
                                                  .coordinates = {{1, 0}, {1, 1}, {1, 3 + k}},
                                                  .function = {.kind = CARDO_FUNCTION_CALLBACK,
                                                               .narg = 3,
                                                               .args = {0, 1, 2},
                                                               .callback = on_ellipsoid,
                                                               .user = &own->axes[k]}};
        must(cardo_system_add_constraint(system, cardo_constraint_find("coordinate-coupler"), NULL,
                                         &coupler, NULL, &error),
             &error);
    }
    must(cardo_system_finalize(system, &error), &error);
    return system;
}

/* f(angle) - x */
static void off_curve(void *user, int narg, const double *x, double *value, double *gradient,
                      double *hessian)
{
    double f[3];
    (void)narg;
    cardo_function_evaluate1(user, x[0], f);
    *value = f[0] - x[1];
    if (gradient) {
        gradient[0] = f[1];
        gradient[1] = -1;
    }
    if (hessian) {
        hessian[0] = f[2];
        hessian[1] = hessian[2] = hessian[3] = 0;
    }
}

cardo_system *build_knee(const cardo_mass_properties *mass, const int n[2], double *const knots[2],
                         double *const values[2], knee_curves *curves)
{
    cardo_error error = {0};
    cardo_system *system = one_body("planar", false, mass);
    for (int k = 0; k < 2; ++k) {
        const cardo_function spline = {.kind = CARDO_FUNCTION_SPLINE,
                                       .narg = 1,
                                       .nknot = n[k],
                                       .knots = knots[k],
                                       .values = values[k]};
        must(cardo_function_compile(&spline, &curves->curves[k], &error), &error);
        const cardo_coordinate_coupler coupler = {.ncoordinate = 2,
                                                  .coordinates = {{1, 0}, {1, 1 + k}},
                                                  .function = {.kind = CARDO_FUNCTION_CALLBACK,
                                                               .narg = 2,
                                                               .args = {0, 1},
                                                               .callback = off_curve,
                                                               .user = curves->curves[k]}};
        must(cardo_system_add_constraint(system, cardo_constraint_find("coordinate-coupler"), NULL,
                                         &coupler, NULL, &error),
             &error);
    }
    must(cardo_system_finalize(system, &error), &error);
    return system;
}

void release_knee(knee_curves *curves)
{
    for (int k = 0; k < 2; ++k)
        cardo_function_destroy(curves->curves[k]);
}
