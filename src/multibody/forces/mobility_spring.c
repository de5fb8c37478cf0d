#include "multibody/forces/check.h"
#include "multibody/mobilizers/descriptor.h"

/* The first coordinate whose rate is a speed: after those of an orientation. */
static int first_plain(const cardo_body_info *info)
{
    return info->mobilizer->has_orientation ? (info->euler ? 3 : 4) : 0;
}

static cardo_status check(const cardo_system *system, const void *parameters, cardo_error *error)
{
    const cardo_mobility_spring *p = parameters;
    cardo_body_info info;
    cardo_status status;
    const double numbers[2] = {p->stiffness, p->neutral};
    CARDO_TRY(cardo_force_check_body(system, p->body, error));
    CARDO_TRY(cardo_force_check_numbers(numbers, 2, error));
    cardo_system_body(system, p->body, &info);
    if (p->coordinate < first_plain(&info) || p->coordinate >= info.nq)
        status = CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                            "coordinate %d of body %d has no speed of its own: springs act on "
                            "coordinates %d to %d there",
                            p->coordinate, p->body, first_plain(&info), info.nq - 1);
done:
    return status;
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    const cardo_mobility_spring *p = parameters;
    cardo_body_info info;
    cardo_system_body(work->system, p->body, &info);
    const double stretch = work->q[info.q_first + p->coordinate] - p->neutral;
    /* plain coordinates come last, as do their speeds */
    const int mobility = p->coordinate - (info.nq - info.nu);
    if (work->mobility_forces)
        work->mobility_forces[info.u_first + mobility] -= p->stiffness * stretch;
    return 0.5 * p->stiffness * stretch * stretch;
}

const cardo_force_element cardo_force_mobility_spring = {
    .name = "mobility-spring",
    .doc = "linear spring on a coordinate",
    .parameter_size = sizeof(cardo_mobility_spring),
    .check = check,
    .compute = compute,
};
