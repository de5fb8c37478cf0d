#include "base/memory.h"
#include "multibody/mobilizers/descriptor.h"
#include "sampling/variables/kind.h"

#include <string.h>

/* Coordinate k of a body's own, q_first + k of all. */
typedef struct owned_coordinate {
    int body, k;
} owned_coordinate;

static const char *unit_of(const cardo_body_info *info, int k)
{
    if (info->mobilizer == &cardo_mobilizer_pin)
        return "rad";
    if (info->mobilizer == &cardo_mobilizer_slider ||
        info->mobilizer == &cardo_mobilizer_translation)
        return "nm";
    if (info->mobilizer->has_orientation)
        return k < 3 ? "rad" : "nm";
    return "";
}

static cardo_status compile(cardo_variable *variable, const cardo_variable_definition *definition,
                            cardo_error *error)
{
    const int nq = cardo_system_nq(variable->system), q = definition->coordinate;
    owned_coordinate *owned;
    cardo_body_info info = {.nq = 0};
    if (q < 0 || q >= nq)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "variable %s is coordinate %d: the system has %d, from 0", variable->name,
                          q, nq);
    if (!(definition->period >= 0 && isfinite(definition->period)))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "variable %s has period %g", variable->name,
                          definition->period);
    cardo_status status = CARDO_ALLOCATE(&owned, 1, error);
    if (status != CARDO_OK)
        return status;
    variable->data = owned;
    for (int body = 1; body < cardo_system_nbody(variable->system); ++body) {
        cardo_system_body(variable->system, body, &info);
        *owned = (owned_coordinate){body, q - info.q_first};
        if (owned->k < info.nq)
            break;
    }
    if (info.mobilizer->has_orientation && !info.euler && owned->k < 4)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "variable %s is part of the quaternion of body %s, which alone means "
                          "nothing: take a distance, an angle or a dihedral",
                          variable->name, info.name ? info.name : "");
    variable->unit = unit_of(&info, info.euler ? owned->k : owned->k - 1);
    variable->period = definition->period;
    return CARDO_OK;
}

/* Row k of N at the body's speeds. */
static void coordinate_gradient(const cardo_variable *variable, const double *q, double *gradient)
{
    const owned_coordinate *owned = variable->data;
    const cardo_joint *joint = cardo_system_joint(variable->system, owned->body);
    double rate[CARDO_MOBILIZER_MAX_Q];
    cardo_body_info info;
    cardo_system_body(variable->system, owned->body, &info);
    memset(gradient, 0, (size_t)cardo_system_nu(variable->system) * sizeof *gradient);
    if (!joint->mobilizer->multiply_n) {
        gradient[info.u_first + owned->k] = 1;
        return;
    }
    for (int i = 0; i < info.nu; ++i) {
        double u[CARDO_MOBILIZER_MAX_U] = {0};
        u[i] = 1;
        joint->mobilizer->multiply_n(joint, q + info.q_first, u, rate);
        gradient[info.u_first + i] = rate[owned->k];
    }
}

bool cardo_variable_speed(const cardo_variable *variable, int *speed)
{
    if (variable->kind != &cardo_variable_coordinate)
        return false;
    const owned_coordinate *owned = variable->data;
    cardo_body_info info;
    cardo_system_body(variable->system, owned->body, &info);
    *speed = info.u_first + owned->k;
    return !cardo_system_joint(variable->system, owned->body)->mobilizer->multiply_n;
}

static cardo_status evaluate(const cardo_variable *variable, const cardo_state *state,
                             double *value, double *gradient, cardo_error *error)
{
    (void)error;
    const owned_coordinate *owned = variable->data;
    const double *q = cardo_state_q(state);
    cardo_body_info info;
    cardo_system_body(variable->system, owned->body, &info);
    *value = q[info.q_first + owned->k];
    if (variable->period > 0)
        *value = remainder(*value, variable->period);
    if (gradient)
        coordinate_gradient(variable, q, gradient);
    return CARDO_OK;
}

const cardo_variable_kind cardo_variable_coordinate = {
    .name = "coordinate",
    .doc = "a coordinate of a mobilizer",
    .unit = "",
    .compile = compile,
    .release = cardo_free,
    .evaluate = evaluate,
};
