#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/placed.h"

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_rod *p = parameters;
    const double numbers[7] = {p->point1.x, p->point1.y, p->point1.z, p->point2.x,
                               p->point2.y, p->point2.z, p->length};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 7, error));
    if (!(p->length > 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a rod of length %g: points that coincide are a ball's", p->length);
    CARDO_TRY(cardo_constraint_keep_pair(shape, p->body1, p->body2, 1, p, sizeof *p, error));
done:
    return status;
}

/* The two points, the unit vector from the first to the second and their distance. */
typedef struct span {
    placed_point p1, p2;
    cardo_vec3 along;
    double distance;
} span;

static span measure(const cardo_rod *p, const cardo_constraint_work *work)
{
    span s = {.p1 = place(&work->X_GB[0], p->point1), .p2 = place(&work->X_GB[1], p->point2)};
    const cardo_vec3 line = v3_sub(s.p2.at, s.p1.at);
    s.distance = v3_norm(line);
    /* where the points meet, any direction leads away */
    s.along = s.distance > 0 ? v3_scale(1 / s.distance, line) : v3(1, 0, 0);
    return s;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const cardo_rod *p = data;
    error[0] = measure(p, work).distance - p->length;
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const span s = measure(data, work);
    out->bodies[0] = spatial_negative(pull(s.p1.arm, s.along));
    out->bodies[1] = pull(s.p2.arm, s.along);
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const span s = measure(data, work);
    const cardo_vec3 w1 = work->V_GB[0].angular, w2 = work->V_GB[1].angular;
    const cardo_vec3 v =
        v3_sub(velocity_at(&work->V_GB[1], s.p2.arm), velocity_at(&work->V_GB[0], s.p1.arm));
    const cardo_vec3 across = v3_add_scaled(v, -v3_dot(v, s.along), s.along);
    const cardo_vec3 turning = s.distance > 0 ? v3_scale(1 / s.distance, across) : v3(0, 0, 0);
    out->bodies[0] =
        spatial_negative(pull_rate(s.p1.arm, s.along, v3_cross(w1, s.p1.arm), turning));
    out->bodies[1] = pull_rate(s.p2.arm, s.along, v3_cross(w2, s.p2.arm), turning);
}

static const char *const names[] = {"distance", NULL};

const cardo_constraint cardo_constraint_rod = {
    .name = "rod",
    .doc = "the distance of two points",
    .row_names = names,
    .compile = compile,
    .position = position,
    .rows = rows,
    .rates = rates,
};
