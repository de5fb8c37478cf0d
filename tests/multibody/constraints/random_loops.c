#include "multibody/constraints/random_loops.h"

#include "multibody/random_tree.h"
#include "support/support.h"

#include "multibody/tree/state_internal.h"

#include <math.h>
#include <string.h>

const char *const random_position_kinds[RANDOM_POSITION_KINDS] = {"rod",
                                                                  "ball",
                                                                  "weld",
                                                                  "constant-orientation",
                                                                  "constant-angle",
                                                                  "point-on-plane",
                                                                  "point-on-line",
                                                                  "joint",
                                                                  "coordinate-coupler",
                                                                  "prescribed-motion"};

/* All parameter structs that a constraint can have. */
typedef struct drawn_parameters {
    cardo_rod rod;
    cardo_coincident_points ball;
    cardo_welded_frames weld;
    cardo_point_on_plane plane;
    cardo_point_on_line line;
    cardo_constant_angle angle;
    cardo_constant_orientation orientation;
    cardo_joint_closure joint;
    cardo_internal_coordinates internal;
    cardo_coordinate_coupler coupler;
    cardo_speed_coupler speeds;
    cardo_constant_speed speed;
    cardo_constant_acceleration acceleration;
    cardo_prescribed_coordinate prescribed;
    cardo_no_slip slip;
    cardo_stiction stiction;
    cardo_constraint_callback_parameters callback;
    double coefficients[8];
    random_parameters mobilizer;
} drawn_parameters;

static int draw(uint64_t *seed, int n)
{
    const int i = (int)(0.5 * (support_random(seed) + 1) * n);
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* A body with a mobility. */
static int draw_moving(const cardo_system *system, uint64_t *seed)
{
    for (;;) {
        const int k = 1 + draw(seed, cardo_system_nbody(system) - 1);
        cardo_body_info info;
        cardo_system_body(system, k, &info);
        if (cardo_system_joint(system, k)->nu > 0)
            return k;
    }
}

/* What a mobilizer's frames are to each other at random coordinates of its own. */
static cardo_transform draw_pose(const cardo_joint_closure *joint, uint64_t *seed)
{
    body_plan plan = {.reversed = joint->reversed};
    cardo_transform X;
    double q[CARDO_MOBILIZER_MAX_Q], cache[CARDO_MOBILIZER_MAX_CACHE];
    assert_int_equal(
        cardo_joint_compile(joint->mobilizer, joint->parameters, joint->euler, &plan.joint, NULL),
        CARDO_OK);
    for (int i = 0; i < plan.joint.nq; ++i)
        q[i] = 0.4 * support_random(seed) + 0.05;
    if (joint->mobilizer->has_orientation && !plan.joint.euler) {
        const cardo_quaternion unit = quat_unit((cardo_quaternion){1 + q[0], q[1], q[2], q[3]});
        q[0] = unit.w;
        q[1] = unit.x;
        q[2] = unit.y;
        q[3] = unit.z;
    }
    if (joint->mobilizer == &cardo_mobilizer_spherical_coordinates)
        q[2] = 0.7;
    cardo_joint_position(&plan, q, cache, &X, NULL);
    cardo_joint_release(&plan.joint);
    return X;
}

/* Lines, whose spin is a row of velocities, are the last two. */
static const cardo_mobilizer *draw_joint(bool lines, uint64_t *seed)
{
    static const cardo_mobilizer *const joints[] = {
        &cardo_mobilizer_weld,         &cardo_mobilizer_pin,
        &cardo_mobilizer_slider,       &cardo_mobilizer_screw,
        &cardo_mobilizer_universal,    &cardo_mobilizer_cylinder,
        &cardo_mobilizer_planar,       &cardo_mobilizer_gimbal,
        &cardo_mobilizer_ball,         &cardo_mobilizer_ellipsoid,
        &cardo_mobilizer_translation,  &cardo_mobilizer_spherical_coordinates,
        &cardo_mobilizer_bend_stretch, &cardo_mobilizer_line_orientation,
        &cardo_mobilizer_free_line};
    return joints[draw(seed, (int)(sizeof joints / sizeof *joints) - (lines ? 0 : 2))];
}

/* The user's own: x2 . y1 + 0.3 z2 . d, with directions as they lie, twice as one row of position and one of velocity. */
static void own_position(void *user, const cardo_constraint_work *work, double *p)
{
    const cardo_vec3 a = m33_column(work->X_GB[0].R, 1), b = m33_column(work->X_GB[1].R, 0);
    p[0] = v3_dot(a, b) + 0.3 * sin(work->q[work->coordinates[0]]) - *(const double *)user;
}

static void own_rows(void *user, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const cardo_vec3 a = m33_column(work->X_GB[0].R, 1), b = m33_column(work->X_GB[1].R, 0);
    const cardo_vec3 n = v3_cross(b, a);
    (void)user;
    out->bodies[0].angular = v3_neg(n);
    out->bodies[1].angular = n;
    out->mobilities[0] = 0.3 * cos(work->q[work->coordinates[0]]);
    out->bodies[2].linear = b;
    out->mobilities[1] = 0.5;
}

static void own_rates(void *user, const cardo_constraint_work *work, cardo_constraint_rows *out)
{
    const cardo_vec3 a = m33_column(work->X_GB[0].R, 1), b = m33_column(work->X_GB[1].R, 0);
    const cardo_vec3 adot = v3_cross(work->V_GB[0].angular, a);
    const cardo_vec3 bdot = v3_cross(work->V_GB[1].angular, b);
    const cardo_vec3 n = v3_add(v3_cross(bdot, a), v3_cross(b, adot));
    (void)user;
    out->bodies[0].angular = v3_neg(n);
    out->bodies[1].angular = n;
    out->mobilities[0] = -0.3 * sin(work->q[work->coordinates[0]]) * work->u[work->mobilities[0]];
    out->bodies[2].linear = bdot;
}

/* Points of either body in turn of a distance, an angle or a dihedral; at: where they are. */
static void draw_points(cardo_internal_coordinate *row, const cardo_transform X[2], int first,
                        uint64_t *seed, cardo_vec3 at[4])
{
    for (int k = 0; k < row->npoint; ++k) {
        row->body[k] = 1 + (k + first) % 2;
        row->point[k] = random_vec3(seed);
        at[k] = xform_point(X[row->body[k] - 1], row->point[k]);
    }
}

/* Far from where gradients end: neighbours apart, and none of three in a line. */
static bool is_open(int n, const cardo_vec3 *at)
{
    for (int k = 1; k < n; ++k) {
        const cardo_vec3 u = v3_sub(at[k], at[k - 1]);
        if (v3_norm(u) < 0.4)
            return false;
        if (k + 1 < n) {
            const cardo_vec3 v = v3_sub(at[k + 1], at[k]);
            if (v3_norm(v3_cross(u, v)) < 0.5 * v3_norm(u) * v3_norm(v))
                return false;
        }
    }
    return true;
}

/* False where bodies are so far apart that no draw is open. */
static bool draw_internal(int b1, int b2, cardo_transform X1, cardo_transform X2, uint64_t *seed,
                          cardo_internal_coordinates *p)
{
    const cardo_transform X[2] = {X1, X2};
    *p = (cardo_internal_coordinates){b1, b2, 3, {{0}}};
    for (int i = 0; i < 3; ++i) {
        cardo_internal_coordinate *row = &p->row[i];
        cardo_vec3 at[4];
        int tries = 0;
        row->npoint = i + 2;
        do {
            if (++tries > 1000)
                return false;
            draw_points(row, X, i, seed, at);
        } while (!is_open(row->npoint, at));
        const cardo_vec3 u = v3_sub(at[1], at[0]);
        if (i == 0) {
            row->value = v3_norm(u);
            continue;
        }
        const cardo_vec3 v = v3_sub(at[2], at[1]);
        row->value = acos(-v3_dot(v3_unit(u), v3_unit(v)));
        if (i == 1)
            continue;
        /* the turn about the line between the middle points that takes one half plane to the other */
        const cardo_vec3 z = v3_unit(v), w = v3_sub(at[3], at[2]);
        const cardo_vec3 x = v3_unit(v3_add_scaled(v3_neg(u), v3_dot(u, z), z)), y = v3_cross(z, x);
        row->value = atan2(v3_dot(w, y), v3_dot(w, x));
    }
    return true;
}

/* Parameters of a kind that hold at the poses and coordinates; NULL: cannot be had with these bodies. lines: joints may be such. */
static const void *draw_parameters(const cardo_constraint *kind, const cardo_system *system,
                                   const cardo_state *state, bool lines, uint64_t *seed,
                                   drawn_parameters *p)
{
    const char *name = cardo_constraint_name(kind);
    const int nbody = cardo_system_nbody(system), b1 = draw(seed, nbody);
    const int b2 = (b1 + 1 + draw(seed, nbody - 1)) % nbody;
    const cardo_transform X1 = cardo_state_X_GB(state)[b1], X2 = cardo_state_X_GB(state)[b2];
    const cardo_vec3 p1 = random_vec3(seed), p2 = random_vec3(seed);
    const cardo_vec3 at1 = xform_point(X1, p1), at2 = xform_point(X2, p2);
    const cardo_vec3 met = xform_point(xform_inverse(X2), at1);
    const cardo_vec3 axis1 = v3_unit(random_vec3(seed)), axis2 = v3_unit(random_vec3(seed));
    const cardo_transform F = random_transform(seed);
    const int moving = draw_moving(system, seed), other = draw_moving(system, seed);
    const cardo_mobility_of mobility = {moving, draw(seed, cardo_system_joint(system, moving)->nu)};
    if (strcmp(name, "rod") == 0) {
        p->rod = (cardo_rod){b1, b2, p1, p2, v3_norm(v3_sub(at2, at1))};
        return &p->rod;
    }
    if (strcmp(name, "ball") == 0) {
        p->ball = (cardo_coincident_points){b1, b2, p1, met};
        return &p->ball;
    }
    if (strcmp(name, "weld") == 0) {
        p->weld = (cardo_welded_frames){b1, b2, F, xform_mul(xform_inverse(X2), xform_mul(X1, F))};
        return &p->weld;
    }
    if (strcmp(name, "constant-orientation") == 0) {
        p->orientation = (cardo_constant_orientation){
            b1, b2, F.R, m33_mul(m33_transpose(X2.R), m33_mul(X1.R, F.R))};
        return &p->orientation;
    }
    if (strcmp(name, "constant-angle") == 0) {
        p->angle = (cardo_constant_angle){
            b1, b2, axis1, axis2, acos(v3_dot(m33_mul_v3(X1.R, axis1), m33_mul_v3(X2.R, axis2)))};
        return &p->angle;
    }
    if (strcmp(name, "point-on-plane") == 0) {
        p->plane = (cardo_point_on_plane){b1, b2, axis1,
                                          v3_dot(axis1, xform_point(xform_inverse(X1), at2)), p2};
        return &p->plane;
    }
    if (strcmp(name, "point-on-line") == 0) {
        const cardo_vec3 along = m33_mul_v3(X1.R, v3_scale(0.4, axis1));
        p->line = (cardo_point_on_line){b1, b2, axis1, p1,
                                        xform_point(xform_inverse(X2), v3_add(at1, along))};
        return &p->line;
    }
    if (strcmp(name, "joint") == 0) {
        cardo_joint_closure *j = &p->joint;
        *j = (cardo_joint_closure){b1, b2, F, F, draw_joint(lines, seed), NULL, false, false};
        j->parameters = random_mobilizer_parameters(j->mobilizer, seed, &p->mobilizer);
        j->reversed = support_random(seed) > 0;
        j->frame2 = xform_mul(xform_inverse(X2), xform_mul(X1, xform_mul(F, draw_pose(j, seed))));
        return j;
    }
    if (strcmp(name, "internal-coordinates") == 0) {
        return draw_internal(b1, b2, X1, X2, seed, &p->internal) ? &p->internal : NULL;
    }
    if (strcmp(name, "no-slip") == 0) {
        p->slip = (cardo_no_slip){draw(seed, nbody), b1, b2, p1, axis1};
        return &p->slip;
    }
    if (strcmp(name, "stiction") == 0) {
        p->stiction = (cardo_stiction){b1, b2, axis1, p1, 0.3};
        return &p->stiction;
    }
    if (strcmp(name, "constant-speed") == 0) {
        p->speed = (cardo_constant_speed){mobility, 0};
        return &p->speed;
    }
    if (strcmp(name, "constant-acceleration") == 0) {
        p->acceleration = (cardo_constant_acceleration){mobility, 0.3};
        return &p->acceleration;
    }
    if (strcmp(name, "speed-coupler") == 0) {
        p->speeds =
            (cardo_speed_coupler){2,
                                  {mobility, {other, 0}},
                                  {0.7, other == moving && mobility.mobility == 0 ? 0.2 : -0.4},
                                  0};
        return &p->speeds;
    }
    if (strcmp(name, "coordinate-coupler") == 0) {
        cardo_body_info info;
        cardo_coordinate_of c = {moving, 0}, d = {other, 0};
        cardo_system_body(system, moving, &info);
        c.coordinate = draw(seed, info.nq);
        const double x = cardo_state_q(state)[info.q_first + c.coordinate];
        cardo_system_body(system, other, &info);
        const double y = cardo_state_q(state)[info.q_first];
        static const int exponents[8] = {1, 0, 1, 1, 0, 2, 0, 0};
        const double coefficients[4] = {1, -0.6, 0.3, -(x - 0.6 * x * y + 0.3 * y * y)};
        memcpy(p->coefficients, coefficients, sizeof coefficients);
        p->coupler = (cardo_coordinate_coupler){.ncoordinate = 2,
                                                .coordinates = {c, d},
                                                .function = {.kind = CARDO_FUNCTION_MULTIPOLY,
                                                             .narg = 2,
                                                             .args = {0, 1},
                                                             .ncoefficient = 4,
                                                             .coefficients = p->coefficients,
                                                             .exponents = exponents}};
        return &p->coupler;
    }
    if (strcmp(name, "prescribed-motion") == 0) {
        cardo_body_info info;
        if (cardo_system_joint(system, moving)->mobilizer->multiply_n)
            return NULL;
        cardo_system_body(system, moving, &info);
        p->coefficients[0] = cardo_state_q(state)[info.q_first];
        p->prescribed = (cardo_prescribed_coordinate){
            {moving, 0},
            {.kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = p->coefficients}};
        return &p->prescribed;
    }
    if (strcmp(name, "callback") == 0) {
        static double held[64];
        static int next = 0;
        cardo_body_info info;
        if (nbody < 4 || b1 == 0 || b2 == 0 ||
            cardo_system_joint(system, moving)->mobilizer->multiply_n)
            return NULL;
        cardo_system_body(system, moving, &info);
        double *own = &held[next++ % 64];
        *own = v3_dot(m33_column(X1.R, 1), m33_column(X2.R, 0)) +
               0.3 * sin(cardo_state_q(state)[info.q_first]);
        p->callback = (cardo_constraint_callback_parameters){.nposition = 1,
                                                             .nvelocity = 1,
                                                             .nbody = 2,
                                                             .bodies = {b1, b2},
                                                             .ncoordinate = 1,
                                                             .coordinates = {{moving, 0}},
                                                             .nmobility = 1,
                                                             .mobilities = {{moving, 0}},
                                                             .position = own_position,
                                                             .rows = own_rows,
                                                             .rates = own_rates,
                                                             .user = own};
        return &p->callback;
    }
    fail_msg("no parameters for the kind %s", name);
    return NULL;
}

/* The bodies of a tree, defined once more. */
static cardo_system *same_tree(int nbody, uint64_t seed)
{
    cardo_error error = {0};
    cardo_system *system;
    random_parameters room;
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, v3_scale(5, random_vec3(&seed)));
    for (int k = 0; k < nbody; ++k) {
        const int reach = k < 4 ? k : 4, parent = k - draw(&seed, reach + 1);
        const cardo_body_definition body = random_body(NULL, parent, &seed, &room);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    return system;
}

cardo_system *random_loops(int nbody, int nloop, bool redundant, const cardo_constraint *kind,
                           uint64_t *seed, double *q)
{
    cardo_error error = {0};
    const uint64_t first = *seed;
    /* Without stiction, two rows like no-slip's that came later: mixtures that are drawn stay those whose conditioning tolerances were made for. Nor with kinds
     * that are for motion in a plane. */
    const cardo_constraint *kinds[64], *const *listed = cardo_constraint_list();
    int nkind = 0, made = 0;
    cardo_state *state;
    for (int i = 0; listed[i]; ++i)
        if (strcmp(cardo_constraint_name(listed[i]), "stiction") != 0 &&
            strncmp(cardo_constraint_name(listed[i]), "planar-", 7) != 0)
            kinds[nkind++] = listed[i];
    cardo_system *tree = same_tree(nbody, first), *system = same_tree(nbody, first);
    *seed = first * 6364136223846793005u + 1442695040888963407u;
    assert_ok(cardo_system_finalize(tree, &error), &error);
    assert_ok(cardo_state_create(tree, &state, &error), &error);
    random_coordinates(tree, seed, q);
    cardo_state_set_q(state, q);
    assert_ok(cardo_realize(tree, state, CARDO_STAGE_POSITION, &error), &error);
    for (int attempt = 0; made < nloop && attempt < 100 * nloop; ++attempt) {
        drawn_parameters p;
        const cardo_constraint *drawn = kind ? kind : kinds[draw(seed, nkind)];
        const void *parameters = draw_parameters(drawn, tree, state, !kind, seed, &p);
        if (!parameters)
            continue;
        assert_ok(cardo_system_add_constraint(system, drawn, NULL, parameters, NULL, &error),
                  &error);
        if (redundant && made % 2 == 0)
            assert_ok(cardo_system_add_constraint(system, drawn, "again", parameters, NULL, &error),
                      &error);
        ++made;
    }
    assert_ok(cardo_system_finalize(system, &error), &error);
    cardo_state_destroy(state);
    cardo_system_destroy(tree);
    return system;
}
