/* Distances, angles and dihedrals of points that are fixed on two bodies. */
#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/internal_geometry.h"
#include "multibody/constraints/parts/placed.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static cardo_status check_row(const cardo_internal_coordinate *row, cardo_error *error)
{
    bool on[2] = {false, false};
    if (row->npoint < 2 || row->npoint > CARDO_INTERNAL_POINTS)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a coordinate of %d points: 2 have a distance, 3 an angle, 4 a dihedral",
                          row->npoint);
    for (int k = 0; k < row->npoint; ++k) {
        const double numbers[3] = {row->point[k].x, row->point[k].y, row->point[k].z};
        const cardo_status status = cardo_constraint_check_numbers(numbers, 3, error);
        if (status != CARDO_OK)
            return status;
        if (row->body[k] != 1 && row->body[k] != 2)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "point %d is on neither body 1 nor body 2",
                              k + 1);
        on[row->body[k] - 1] = true;
    }
    if (!on[0] || !on[1])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a coordinate of points on one body never changes");
    if (row->npoint == 2 && !(row->value > 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a distance of %g: points that coincide are a ball's", row->value);
    if (row->npoint == 3 && !(row->value > 0 && row->value < pi))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the angle %g is not between 0 and pi: three points in a line are two "
                          "rows of point-on-line",
                          row->value);
    return cardo_constraint_check_numbers(&row->value, 1, error);
}

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_internal_coordinates *p = parameters;
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    if (p->nrow < 1 || p->nrow > CARDO_INTERNAL_ROWS)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%d internal coordinates: two bodies have one to six", p->nrow);
    for (int i = 0; i < p->nrow; ++i)
        CARDO_TRY(check_row(&p->row[i], error));
    CARDO_TRY(cardo_constraint_keep_pair(shape, p->body1, p->body2, p->nrow, p, sizeof *p, error));
done:
    return status;
}

/* The points of a row in ground, and their arms on their bodies. */
static void place_row(const cardo_internal_coordinate *row, const cardo_constraint_work *work,
                      cardo_vec3 *at, cardo_vec3 *arm)
{
    for (int k = 0; k < row->npoint; ++k) {
        const placed_point p = place(&work->X_GB[row->body[k] - 1], row->point[k]);
        at[k] = p.at;
        arm[k] = p.arm;
    }
}

static double error_of(const cardo_internal_coordinate *row, const cardo_constraint_work *work)
{
    cardo_vec3 at[CARDO_INTERNAL_POINTS], arm[CARDO_INTERNAL_POINTS];
    place_row(row, work, at, arm);
    const double off = cardo_internal_value(row->npoint, at) - row->value;
    return row->npoint == 4 ? remainder(off, 2 * pi) : off;
}

static void position(const void *data, const cardo_constraint_work *work, double *error)
{
    const cardo_internal_coordinates *p = data;
    for (int i = 0; i < p->nrow; ++i)
        error[i] = error_of(&p->row[i], work);
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const cardo_internal_coordinates *p = data;
    cardo_vec3 at[CARDO_INTERNAL_POINTS], arm[CARDO_INTERNAL_POINTS],
        gradient[CARDO_INTERNAL_POINTS];
    for (int i = 0; i < p->nrow; ++i) {
        const cardo_internal_coordinate *row = &p->row[i];
        place_row(row, work, at, arm);
        cardo_internal_gradient(row->npoint, at, gradient);
        for (int k = 0; k < row->npoint; ++k) {
            cardo_spatial *entry = &out->bodies[2 * i + row->body[k] - 1];
            *entry = spatial_add(*entry, pull(arm[k], gradient[k]));
        }
    }
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const cardo_internal_coordinates *p = data;
    cardo_vec3 at[CARDO_INTERNAL_POINTS], arm[CARDO_INTERNAL_POINTS],
        velocity[CARDO_INTERNAL_POINTS], gradient[CARDO_INTERNAL_POINTS],
        change[CARDO_INTERNAL_POINTS];
    for (int i = 0; i < p->nrow; ++i) {
        const cardo_internal_coordinate *row = &p->row[i];
        place_row(row, work, at, arm);
        for (int k = 0; k < row->npoint; ++k)
            velocity[k] = velocity_at(&work->V_GB[row->body[k] - 1], arm[k]);
        cardo_internal_gradient(row->npoint, at, gradient);
        cardo_internal_gradient_rate(row->npoint, at, velocity, change);
        for (int k = 0; k < row->npoint; ++k) {
            const int b = row->body[k] - 1;
            const cardo_vec3 arm_rate = v3_cross(work->V_GB[b].angular, arm[k]);
            cardo_spatial *entry = &out->bodies[2 * i + b];
            *entry = spatial_add(*entry, pull_rate(arm[k], gradient[k], arm_rate, change[k]));
        }
    }
}

const cardo_constraint cardo_constraint_internal_coordinates = {
    .name = "internal-coordinates",
    .doc = "distances, angles and dihedrals of points on two bodies",
    .compile = compile,
    .position = position,
    .rows = rows,
    .rates = rates,
};
