/* Moves of hinges as maps of all Cartesian positions: volume, the way back, and who is refused. */
#include "sampling/mixed/hinges.h"

#include "multibody/mobilizers/descriptor.h"
#include "multibody/mobilizers/path.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { BODIES = 3, STATIONS = 13, N = 3 * STATIONS };

static const int station_body[STATIONS] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};

typedef struct molecule {
    cardo_hinges hinges;
    cardo_hinge body[BODIES];
    double mass[STATIONS], reference[N], positions[N];
} molecule;

/* Three bodies in a chain, the last two by the joint given; places are not those of the reference.
 */
static void build(molecule *m, const cardo_mobilizer *root, const cardo_mobilizer *joint,
                  bool bonds)
{
    uint64_t seed = 12;
    memset(m, 0, sizeof *m);
    for (int k = 0; k < BODIES; ++k) {
        const cardo_vec3 axis = v3_unit(v3(support_random(&seed), support_random(&seed), 2));
        m->body[k] =
            (cardo_hinge){.name = "loop", .parent = k - 1, .mobilizer = joint, .pitch = 0.3};
        m->body[k].frame = (cardo_transform){m33_rotation(axis, 1 + k), {0.3, -0.2 * k, 0.1}};
        m->body[k].bond[0] = bonds && k > 0 ? (k == 1 ? 4 : 8) : -1;
        m->body[k].bond[1] = bonds && k > 0 ? (k == 1 ? 5 : 9) : -1;
    }
    m->body[0].mobilizer = root;
    for (int i = 0; i < STATIONS; ++i) {
        m->mass[i] = 3 + support_random(&seed);
        for (int k = 0; k < 3; ++k) {
            m->reference[3 * i + k] = support_random(&seed) + (k == 0 ? station_body[i] : 0);
            m->positions[3 * i + k] = m->reference[3 * i + k] + 0.05 * support_random(&seed) + 2;
        }
    }
    m->hinges = (cardo_hinges){BODIES, m->body, STATIONS, station_body, m->mass, m->reference};
}

/* The move: every joint's motion as its number says, scaled. */
static void move(const molecule *m, const double *from, double scale, double *to)
{
    cardo_error error;
    cardo_system *system;
    cardo_state *state;
    double q[64], u[64];
    assert_ok(cardo_hinges_compile(&m->hinges, from, &system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    memcpy(q, cardo_state_q(state), (size_t)cardo_system_nq(system) * sizeof *q);
    for (int k = 1; k < cardo_system_nbody(system); ++k) {
        cardo_body_info info;
        cardo_system_body(system, k, &info);
        for (int i = 0; i < info.nu; ++i)
            u[info.u_first + i] = scale * (0.6 - 0.35 * i + 0.1 * k);
        /* an orientation turns about a line: w = cos, (x, y, z) = sin times the line */
        if (info.nq > info.nu) {
            const cardo_vec3 turn = v3_load(u + info.u_first);
            const double angle = v3_norm(turn), share = angle > 0 ? sin(angle / 2) / angle : 0.5;
            q[info.q_first] = cos(angle / 2);
            v3_store(q + info.q_first + 1, v3_scale(share, turn));
        }
        const int plain = info.nq > info.nu ? 3 : 0;
        for (int i = plain; i < info.nu; ++i)
            q[info.q_first + info.nq - info.nu + i] = u[info.u_first + i];
    }
    cardo_state_set_q(state, q);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(system, state, to, &error), &error);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static double determinant(int n, double A[N][N])
{
    double product = 1;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[i][k]) > fabs(A[best][k]))
                best = i;
        if (best != k) {
            for (int j = 0; j < n; ++j) {
                const double swap = A[k][j];
                A[k][j] = A[best][j];
                A[best][j] = swap;
            }
            product = -product;
        }
        product *= A[k][k];
        for (int i = k + 1; i < n; ++i)
            for (int j = n - 1; j >= k; --j)
                A[i][j] -= A[i][k] / A[k][k] * A[k][j];
    }
    return product;
}

/* det dT/dx by differences of fourth order. */
static double volume(const molecule *m, void (*map)(const molecule *, const double *, double *))
{
    static double J[N][N];
    const double h = 1e-3, place[4] = {-2, -1, 1, 2}, factor[4] = {1, -8, 8, -1};
    memset(J, 0, sizeof J);
    for (int j = 0; j < N; ++j)
        for (int s = 0; s < 4; ++s) {
            double from[N], to[N];
            memcpy(from, m->positions, sizeof from);
            from[j] += place[s] * h;
            map(m, from, to);
            for (int i = 0; i < N; ++i)
                J[i][j] += factor[s] * to[i] / (12 * h);
        }
    return determinant(N, J);
}

static void forward(const molecule *m, const double *from, double *to)
{
    move(m, from, 1, to);
}

/* Volume, the way back, and two moves as one. */
static void check_moves(const cardo_mobilizer *root, const cardo_mobilizer *joint, bool bonds)
{
    molecule m;
    cardo_error error;
    double there[N], back[N], half[N], size = 0;
    build(&m, root, joint, bonds);
    assert_ok(cardo_hinges_check(&m.hinges, &error), &error);
    move(&m, m.positions, 0, there);
    for (int i = 0; i < N; ++i)
        assert_close(there[i], m.positions[i], 1e-14);
    assert_close(volume(&m, forward), 1, 1e-8);
    move(&m, m.positions, 1, there);
    move(&m, there, -1, back);
    move(&m, m.positions, 0.3, half);
    move(&m, half, 0.7, half);
    for (int i = 0; i < N; ++i) {
        size = fmax(size, fabs(there[i] - m.positions[i]));
        assert_close(back[i], m.positions[i], 1e-13);
        assert_close(half[i], there[i], 1e-13);
    }
    assert_true(size > 0.3);
}

static void moves_keep_volume(void **test)
{
    (void)test;
    check_moves(&cardo_mobilizer_weld, &cardo_mobilizer_pin, true);
    check_moves(&cardo_mobilizer_weld, &cardo_mobilizer_pin, false);
    check_moves(&cardo_mobilizer_weld, &cardo_mobilizer_slider, false);
    check_moves(&cardo_mobilizer_weld, &cardo_mobilizer_screw, false);
    check_moves(&cardo_mobilizer_weld, &cardo_mobilizer_cylinder, false);
    check_moves(&cardo_mobilizer_weld, &cardo_mobilizer_translation, false);
    check_moves(&cardo_mobilizer_weld, &cardo_mobilizer_ball, false);
    check_moves(&cardo_mobilizer_free, &cardo_mobilizer_weld, false);
    check_moves(&cardo_mobilizer_free, &cardo_mobilizer_pin, true);
    check_moves(&cardo_mobilizer_free, &cardo_mobilizer_screw, false);
}

/* An axis that leans on an atom which the move displaces. */
static void leaning(const molecule *m, const double *from, double *to)
{
    const cardo_vec3 a = v3_load(from + 12), b = v3_load(from + 9), c = v3_load(from + 18);
    const cardo_vec3 axis = v3_unit(v3_add(v3_sub(b, a), v3_scale(2, v3_sub(c, a))));
    (void)m;
    memcpy(to, from, N * sizeof *to);
    for (int i = 5; i < STATIONS; ++i)
        v3_store(to + 3 * i,
                 v3_add(a, m33_mul_v3(m33_rotation(axis, 2), v3_sub(v3_load(from + 3 * i), a))));
}

/* What the check of volumes is worth: a wrong axis shows, and an Euler path does not lead back. */
static void wrong_moves_show(void **test)
{
    (void)test;
    molecule m;
    build(&m, &cardo_mobilizer_weld, &cardo_mobilizer_pin, true);
    assert_true(fabs(volume(&m, leaning) - 1) > 0.05);

    const cardo_transform X_FM[2] = {xform_identity(),
                                     {m33_from_euler(0.8, 0.6, -0.5), {0.2, 0.1, 0.4}}};
    const cardo_path path = {.kind = CARDO_PATH_EULER, .count = 2, .X_FM = X_FM};
    cardo_joint joint;
    cardo_error error;
    cardo_transform forth, back;
    cardo_spatial H[CARDO_MOBILIZER_MAX_U];
    double cache[CARDO_MOBILIZER_MAX_CACHE];
    assert_ok(cardo_joint_compile(&cardo_mobilizer_path, &path, false, &joint, &error), &error);
    joint.mobilizer->position(&joint, (double[]){0.5}, cache, &forth, H);
    joint.mobilizer->position(&joint, (double[]){-0.5}, cache, &back, H);
    const cardo_transform round = xform_mul(back, forth);
    assert_true(v3_norm(v3_sub(round.p, v3(0, 0, 0))) > 0.01);
    cardo_joint_release(&joint);
}

static void other_joints_are_refused(void **test)
{
    (void)test;
    static const char *const groups[] = {"weld", "pin",  "slider",      "screw", "cylinder",
                                         "ball", "free", "translation", NULL};
    molecule m;
    cardo_error error;
    for (int k = 0; cardo_mobilizers[k]; ++k) {
        const char *name = cardo_mobilizer_name(cardo_mobilizers[k]);
        bool group = strcmp(name, "planar") == 0;
        for (int i = 0; groups[i]; ++i)
            group = group || strcmp(groups[i], name) == 0;
        build(&m, &cardo_mobilizer_weld, cardo_mobilizers[k], false);
        if (group)
            assert_ok(cardo_hinges_check(&m.hinges, &error), &error);
        else
            assert_fails(cardo_hinges_check(&m.hinges, &error), &error, CARDO_ERROR_UNSUPPORTED,
                         name);
    }
    build(&m, &cardo_mobilizer_weld, &cardo_mobilizer_pin, true);
    m.body[2].bond[0] = 10;
    assert_fails(cardo_hinges_check(&m.hinges, &error), &error, CARDO_ERROR_UNSUPPORTED,
                 "displace its axis");
    build(&m, &cardo_mobilizer_weld, &cardo_mobilizer_pin, true);
    m.mass[3] = 0;
    assert_fails(cardo_hinges_check(&m.hinges, &error), &error, CARDO_ERROR_UNSUPPORTED,
                 "atom 3 has mass 0");
    build(&m, &cardo_mobilizer_weld, &cardo_mobilizer_screw, false);
    for (int i = 0; i < 5; ++i)
        v3_store(m.reference + 3 * i, v3(i, 2 * i, i));
    cardo_system *system;
    assert_fails(cardo_hinges_compile(&m.hinges, m.positions, &system, &error), &error,
                 CARDO_ERROR_INPUT, "on a line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(moves_keep_volume),
                                       cmocka_unit_test(wrong_moves_show),
                                       cmocka_unit_test(other_joints_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
