#include "multibody/constraints/parts/check.h"
#include "multibody/constraints/parts/placed.h"

typedef struct stiction {
    cardo_vec3 normal, directions[2]; /* on body 1 */
    cardo_vec3 point;                 /* on body 2 */
    double radius;
} stiction;

static cardo_status compile(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error)
{
    const cardo_stiction *p = parameters;
    const double numbers[4] = {p->point2.x, p->point2.y, p->point2.z, p->radius2};
    stiction own = {.normal = p->normal1, .point = p->point2, .radius = p->radius2};
    cardo_status status;
    CARDO_TRY(cardo_constraint_check_pair(system, p->body1, p->body2, error));
    CARDO_TRY(cardo_constraint_check_numbers(numbers, 4, error));
    CARDO_TRY(cardo_constraint_make_unit(&own.normal, error));
    own.directions[0] = v3_perpendicular(own.normal);
    own.directions[1] = v3_cross(own.normal, own.directions[0]);
    shape->nvelocity = 2;
    shape->nbody = 2;
    shape->bodies[0] = p->body1;
    shape->bodies[1] = p->body2;
    CARDO_TRY(cardo_constraint_keep(shape, &own, sizeof own, error));
done:
    return status;
}

/* Where the bodies touch: the point of body 2, or the place of a sphere about it that is nearest to the plane. */
static cardo_vec3 place_of_contact(const stiction *own, const cardo_constraint_work *work)
{
    const placed_point centre = place(&work->X_GB[1], own->point);
    const cardo_vec3 normal = m33_mul_v3(work->X_GB[0].R, own->normal);
    return v3_add_scaled(centre.at, -own->radius, normal);
}

static void rows(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const stiction *own = data;
    const cardo_vec3 at = place_of_contact(own, work);
    for (int i = 0; i < 2; ++i) {
        const cardo_vec3 direction = m33_mul_v3(work->X_GB[0].R, own->directions[i]);
        out->bodies[2 * i] = spatial_negative(pull(v3_sub(at, work->X_GB[0].p), direction));
        out->bodies[2 * i + 1] = pull(v3_sub(at, work->X_GB[1].p), direction);
    }
}

static void rates(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const stiction *own = data;
    const placed_point centre = place(&work->X_GB[1], own->point);
    const cardo_vec3 at = place_of_contact(own, work), w1 = work->V_GB[0].angular;
    const cardo_vec3 normal = m33_mul_v3(work->X_GB[0].R, own->normal);
    const cardo_vec3 moving =
        v3_add_scaled(velocity_at(&work->V_GB[1], centre.arm), -own->radius, v3_cross(w1, normal));
    for (int i = 0; i < 2; ++i) {
        const cardo_vec3 direction = m33_mul_v3(work->X_GB[0].R, own->directions[i]);
        const cardo_vec3 turning = v3_cross(w1, direction);
        for (int b = 0; b < 2; ++b)
            out->bodies[2 * i + b] = pull_rate(v3_sub(at, work->X_GB[b].p), direction,
                                               v3_sub(moving, work->V_GB[b].linear), turning);
        out->bodies[2 * i] = spatial_negative(out->bodies[2 * i]);
    }
}

static const char *const names[] = {"slip 1", "slip 2", NULL};

const cardo_constraint cardo_constraint_stiction = {
    .name = "stiction",
    .doc = "a point or a sphere of one body does not slip on a plane of another",
    .row_names = names,
    .compile = compile,
    .rows = rows,
    .rates = rates,
};
