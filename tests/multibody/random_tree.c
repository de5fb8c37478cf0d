#include "multibody/random_tree.h"

#include "multibody/mobilizers/descriptor.h"
#include "support/support.h"

#include <string.h>

void random_numbers(int n, uint64_t *seed, double *out)
{
    for (int i = 0; i < n; ++i)
        out[i] = support_random(seed);
}

cardo_vec3 random_vec3(uint64_t *seed)
{
    double a[3];
    random_numbers(3, seed, a);
    return v3_load(a);
}

cardo_mat33 random_rotation(uint64_t *seed)
{
    double q[4];
    random_numbers(4, seed, q);
    return m33_from_quat(quat_unit((cardo_quaternion){q[0], q[1], q[2], q[3] + 1e-3}));
}

cardo_transform random_transform(uint64_t *seed)
{
    cardo_mat33 R = random_rotation(seed);
    return (cardo_transform){R, v3_scale(0.5, random_vec3(seed))};
}

/* A body of eight mass points. */
cardo_mass_properties random_mass(uint64_t *seed)
{
    cardo_mass_properties out = {0};
    cardo_vec3 first = v3(0, 0, 0);
    for (int i = 0; i < 8; ++i) {
        const double m = 0.15 + 0.1 * support_random(seed);
        const cardo_vec3 p = v3_scale(0.5, random_vec3(seed));
        const double square = v3_dot(p, p);
        out.mass += m;
        first = v3_add_scaled(first, m, p);
        out.inertia[0] += m * (square - p.x * p.x);
        out.inertia[1] += m * (square - p.y * p.y);
        out.inertia[2] += m * (square - p.z * p.z);
        out.inertia[3] -= m * p.x * p.y;
        out.inertia[4] -= m * p.x * p.z;
        out.inertia[5] -= m * p.y * p.z;
    }
    out.com = v3_scale(1.0 / out.mass, first);
    return out;
}

static double half_callback(const double *x, int narg)
{
    double s = 0.2;
    for (int i = 0; i < narg; ++i)
        s += (0.7 + 0.2 * i) * x[i];
    return s;
}

/* sin of a linear form, with its derivatives. */
static void callback(void *user, int narg, const double *x, double *value, double *gradient,
                     double *hessian)
{
    (void)user;
    const double s = half_callback(x, narg);
    *value = sin(s);
    for (int i = 0; i < narg; ++i) {
        gradient[i] = (0.7 + 0.2 * i) * cos(s);
        for (int j = 0; j < narg; ++j)
            hessian[i * narg + j] = -(0.7 + 0.2 * i) * (0.7 + 0.2 * j) * sin(s);
    }
}

static int random_index(uint64_t *seed, int n)
{
    int i = (int)(0.5 * (support_random(seed) + 1) * n);
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static void random_function(int f, int ncoordinate, uint64_t *seed, random_parameters *room)
{
    cardo_function *out = &room->functions.functions[f];
    const int kind = random_index(seed, CARDO_FUNCTION_CALLBACK + 1);
    *out = (cardo_function){.kind = (cardo_function_kind)kind};
    const bool many = out->kind == CARDO_FUNCTION_LINEAR || out->kind == CARDO_FUNCTION_MULTIPOLY ||
                      out->kind == CARDO_FUNCTION_CALLBACK;
    out->narg = many && ncoordinate > 1 ? 2 : 1;
    out->args[0] = f % ncoordinate;
    out->args[1] = (f + 1) % ncoordinate;
    random_numbers(8, seed, room->coefficients[f]);
    out->coefficients = room->coefficients[f];
    out->ncoefficient =
        out->kind == CARDO_FUNCTION_CONSTANT         ? 1
        : out->kind == CARDO_FUNCTION_LINEAR         ? out->narg + 1
        : out->kind == CARDO_FUNCTION_SINUSOID       ? 3
        : out->kind == CARDO_FUNCTION_CLAMPED_SPLINE ? 2
        : out->kind == CARDO_FUNCTION_POLYNOMIAL || out->kind == CARDO_FUNCTION_MULTIPOLY ? 4
                                                                                          : 0;
    for (int i = 0; i < 4 * out->narg; ++i)
        room->exponents[f][i] = random_index(seed, 4);
    out->exponents = room->exponents[f];
    for (int i = 0; i < 6; ++i)
        room->knots[f][i] = -1.5 + 0.6 * i + 0.1 * support_random(seed);
    random_numbers(6, seed, room->values[f]);
    out->nknot = 6;
    out->knots = room->knots[f];
    out->values = room->values[f];
    out->callback = callback;
}

/* One to six coordinates, each of which drives at least one function of its own. */
static const void *random_functions(uint64_t *seed, random_parameters *room)
{
    cardo_function_based *out = &room->functions;
    out->ncoordinate = 1 + random_index(seed, 6);
    for (int f = 0; f < 6; ++f) {
        out->axes[f] = v3(f % 3 == 0, f % 3 == 1, f % 3 == 2);
        if (f >= 3)
            out->axes[f] = v3_add_scaled(out->axes[f], 0.4, random_vec3(seed));
        random_function(f, out->ncoordinate, seed, room);
        if (f < out->ncoordinate) { /* keeps every coordinate effective */
            room->coefficients[f][0] = 1.0;
            out->functions[f] = (cardo_function){.kind = CARDO_FUNCTION_LINEAR,
                                                 .narg = 1,
                                                 .args = {f},
                                                 .ncoefficient = 2,
                                                 .coefficients = room->coefficients[f]};
        }
    }
    return out;
}

static const void *random_path(uint64_t *seed, random_parameters *room)
{
    cardo_path *out = &room->path;
    out->kind = (cardo_path_kind)random_index(seed, 3);
    out->count = out->kind == CARDO_PATH_SPLINE ? 4 : 2;
    for (int i = 0; i < 4; ++i) {
        cardo_vec3 step = v3_add(v3(0.5 * i, 0.2 * i, 0), v3_scale(0.2, random_vec3(seed)));
        double angle = v3_norm(step);
        room->transforms[i].R =
            m33_mul(m33_rotation(v3_unit(step), angle), i > 0 ? m33_identity() : m33_identity());
        room->transforms[i].p = v3_scale(0.5, random_vec3(seed));
    }
    out->X_FM = room->transforms;
    /* Turns across the path's own and shifts at right angles, as a hinge's are: of six directions drawn
       freely one is now and then nearly the others' sum, and such a joint has no accelerations to speak of. */
    const cardo_vec3 along = v3_unit(v3_add(v3(0.5, 0.2, 0), v3_scale(0.2, random_vec3(seed))));
    const cardo_vec3 across = v3_unit(v3_cross(along, random_vec3(seed)));
    const cardo_vec3 axes[3] = {across, v3_cross(along, across), along};
    out->nextra = random_index(seed, CARDO_PATH_EXTRAS + 1);
    for (int k = 0; k < out->nextra; ++k)
        out->extra[k] =
            (cardo_path_extra){k == 1 ? "bend" : "twist", axes[k < 2 ? k : k - 2], k >= 2};
    return out;
}

const void *random_mobilizer_parameters(const cardo_mobilizer *mobilizer, uint64_t *seed,
                                        random_parameters *room)
{
    memset(room, 0, sizeof *room);
    if (mobilizer == &cardo_mobilizer_function_based)
        return random_functions(seed, room);
    if (mobilizer == &cardo_mobilizer_path)
        return random_path(seed, room);
    if (mobilizer == &cardo_mobilizer_screw) {
        room->screw.pitch = support_random(seed);
        return &room->screw;
    }
    if (mobilizer == &cardo_mobilizer_ellipsoid) {
        room->ellipsoid.radii = v3_add(v3(0.6, 0.6, 0.6), v3_scale(0.4, random_vec3(seed)));
        return &room->ellipsoid;
    }
    if (mobilizer == &cardo_mobilizer_spherical_coordinates) {
        room->spherical = (cardo_spherical){support_random(seed),     support_random(seed),
                                            support_random(seed) > 0, support_random(seed) > 0,
                                            support_random(seed) > 0, support_random(seed) > 0};
        return &room->spherical;
    }
    return NULL;
}

cardo_body_definition random_body(const cardo_mobilizer *mobilizer, int parent, uint64_t *seed,
                                  random_parameters *room)
{
    int n = 0;
    while (cardo_mobilizers[n])
        ++n;
    cardo_body_definition body = {.parent = parent};
    body.mobilizer = mobilizer ? mobilizer : cardo_mobilizers[random_index(seed, n)];
    body.parameters = random_mobilizer_parameters(body.mobilizer, seed, room);
    body.reversed = support_random(seed) > 0.2;
    body.euler = support_random(seed) > 0.2;
    body.X_PF = random_transform(seed);
    body.X_BM = random_transform(seed);
    body.mass = random_mass(seed);
    return body;
}

cardo_system *random_tree(int nbody, uint64_t *seed)
{
    cardo_error error = {0};
    cardo_system *system;
    static random_parameters room;
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, v3_scale(5, random_vec3(seed)));
    for (int k = 0; k < nbody; ++k) {
        /* mostly near the last body, so that there are chains and branches */
        int reach = k < 4 ? k : 4, parent = k - random_index(seed, reach + 1);
        cardo_body_definition body = random_body(NULL, parent, seed, &room);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    assert_ok(cardo_system_finalize(system, &error), &error);
    return system;
}

void random_coordinates(const cardo_system *system, uint64_t *seed, double *q)
{
    random_numbers(cardo_system_nq(system), seed, q);
    for (int k = 1; k < cardo_system_nbody(system); ++k) {
        cardo_body_info info;
        cardo_system_body(system, k, &info);
        double *a = q + info.q_first;
        const struct cardo_joint *joint = cardo_system_joint(system, k);
        if (info.mobilizer->has_orientation && !info.euler) {
            cardo_quaternion unit = quat_unit((cardo_quaternion){a[0], a[1], a[2], a[3]});
            a[0] = unit.w;
            a[1] = unit.x;
            a[2] = unit.y;
            a[3] = unit.z;
        }
        if (joint->mobilizer == &cardo_mobilizer_spherical_coordinates)
            a[2] += a[2] > 0 ? 0.4 : -0.4;
    }
}
