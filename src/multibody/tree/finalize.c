#include "multibody/tree/finalize.h"
#include "base/memory.h"
#include "base/number.h"
#include "multibody/tree/hinge.h"
#include "multibody/tree/state.h"
#include "multibody/tree/state_internal.h"
#include "multibody/tree/system_internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* One message that collects every problem, a line each. */
typedef struct problems {
    int count;
    size_t length;
    char text[CARDO_ERROR_MESSAGE_SIZE];
} problems;

__attribute__((format(printf, 4, 5))) static void
add_problem(problems *all, const cardo_system *system, int body, const char *format, ...)
{
    char line[256];
    const char *name = body > 0 ? system->sources[body].name : NULL;
    int n = body > 0 ? snprintf(line, sizeof line, "body %d%s%s: ", body, name ? " " : "",
                                name ? name : "")
                     : 0;
    if (n < 0 || n >= (int)sizeof line)
        n = 0;
    va_list arguments;
    va_start(arguments, format);
    cardo_format_list(line + n, sizeof line - (size_t)n, format, arguments);
    va_end(arguments);
    size_t room = sizeof all->text - all->length;
    int written = snprintf(all->text + all->length, room, "%s%s", all->count > 0 ? "\n" : "", line);
    if (written > 0)
        all->length += (size_t)written < room ? (size_t)written : room - 1;
    ++all->count;
}

static bool is_rotation(cardo_mat33 R)
{
    cardo_mat33 product = m33_mul(R, m33_transpose(R));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (!(fabs(product.m[i][j] - (i == j)) < 1e-9))
                return false;
    return m33_determinant(R) > 0;
}

static bool is_finite_v3(cardo_vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static void check_mass(problems *all, const cardo_system *system, int k)
{
    const cardo_mass_properties *m = &system->sources[k].mass;
    bool finite = isfinite(m->mass) && is_finite_v3(m->com);
    for (int i = 0; i < 6; ++i)
        finite = finite && isfinite(m->inertia[i]);
    if (!finite || m->mass < 0) {
        add_problem(all, system, k, "mass %g, centre of mass or inertia is not possible", m->mass);
        return;
    }
    const double *I = m->inertia;
    double scale = I[0] + I[1] + I[2], slack = 1e-9 * scale;
    if (I[0] < -slack || I[1] < -slack || I[2] < -slack || I[0] + I[1] < I[2] - slack ||
        I[1] + I[2] < I[0] - slack || I[2] + I[0] < I[1] - slack)
        add_problem(all, system, k,
                    "no body has the moments of inertia %g, %g, %g: each is at most the sum of "
                    "the others",
                    I[0], I[1], I[2]);
}

cardo_status cardo_finalize_check(const cardo_system *system, cardo_error *error)
{
    problems all = {0};
    if (!is_finite_v3(system->gravity))
        add_problem(&all, system, 0, "gravity is not finite");
    for (int k = 1; k < system->nbody; ++k) {
        const cardo_transform X_PF = frame_transform(&system->bodies[k].frame);
        if (!is_rotation(X_PF.R) || !is_finite_v3(X_PF.p))
            add_problem(&all, system, k, "X_PF is not a rotation and a finite translation");
        const cardo_transform *X_MB = &system->bodies[k].X_MB;
        if (!is_rotation(X_MB->R) || !is_finite_v3(X_MB->p))
            add_problem(&all, system, k, "X_BM is not a rotation and a finite translation");
        check_mass(&all, system, k);
    }
    if (all.count > 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s", all.text);
    return CARDO_OK;
}

/* No station comes after these. */
static cardo_status give_back_room(cardo_system *system, cardo_error *error)
{
    double *exact;
    const size_t n = 3 * system->nposition;
    if ((size_t)system->position_capacity == n)
        return CARDO_OK;
    const cardo_status status = CARDO_ALLOCATE(&exact, n, error);
    if (status != CARDO_OK)
        return status;
    if (n > 0)
        memcpy(exact, system->positions, n * sizeof *exact);
    cardo_free(system->positions);
    system->positions = exact;
    system->position_capacity = (int)n;
    return CARDO_OK;
}

cardo_status cardo_finalize_stations(cardo_system *system, cardo_error *error)
{
    problems all = {0};
    cardo_status status;
    const int n = (int)system->nposition;
    CARDO_TRY(give_back_room(system, error));
    cardo_free(system->station_body);
    system->station_body = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&system->station_body, n, error));
    for (int i = 0; i < n; ++i)
        system->station_body[i] = -1;
    for (int r = 0; r < system->nrun; ++r) {
        const station_run *run = &system->runs[r];
        for (int i = run->first; i < run->first + run->count; ++i) {
            if (i >= n)
                add_problem(&all, system, run->body, "station %d leaves a gap: there are %d in all",
                            i, n);
            else if (system->station_body[i] >= 0)
                add_problem(&all, system, run->body, "station %d is on body %d already", i,
                            system->station_body[i]);
            else
                system->station_body[i] = run->body;
        }
    }
    /* As many places as stations, none taken twice: none is left over. */
    for (int i = 0; i < n; ++i)
        assert(all.count > 0 || system->station_body[i] >= 0);
    if (all.count > 0) {
        cardo_free(system->station_body);
        system->station_body = NULL;
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s", all.text);
    }
    system->nstation = n;
done:
    return status;
}

/* Principal moments, rising, and axes (rows) of a symmetric matrix: cyclic Jacobi, to rounding. */
static void principal_axes(sym33 I, double moments[3], cardo_vec3 axes[3])
{
    double a[3][3] = {{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}};
    for (int i = 0; i < 3; ++i)
        axes[i] = v3(i == 0, i == 1, i == 2);
    for (int turn = 0; turn < 60; ++turn) {
        const int p = turn % 3 == 2, q = turn % 3 == 0 ? 1 : 2, r = 3 - p - q;
        if (!(fabs(a[p][q]) > 0))
            continue;
        const double z = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (z < 0 ? -1 : 1) / (fabs(z) + sqrt(1 + z * z));
        const double c = 1 / sqrt(1 + t * t), s = c * t;
        a[p][p] -= t * a[p][q];
        a[q][q] += t * a[p][q];
        a[p][q] = a[q][p] = 0;
        const double rp = a[r][p], rq = a[r][q];
        a[r][p] = a[p][r] = c * rp - s * rq;
        a[r][q] = a[q][r] = s * rp + c * rq;
        const cardo_vec3 x = axes[p], y = axes[q];
        axes[p] = v3_sub(v3_scale(c, x), v3_scale(s, y));
        axes[q] = v3_add(v3_scale(s, x), v3_scale(c, y));
    }
    for (int i = 0; i < 3; ++i)
        moments[i] = a[i][i];
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2 - i; ++j)
            if (moments[j] > moments[j + 1]) {
                const double m = moments[j];
                const cardo_vec3 axis = axes[j];
                moments[j] = moments[j + 1];
                moments[j + 1] = m;
                axes[j] = axes[j + 1];
                axes[j + 1] = axis;
            }
}

static void place_mass(body_plan *plan, const body_source *source)
{
    const cardo_mass_properties *m = &source->mass;
    const cardo_transform X_MB = plan->X_MB;
    sym33 about_origin = {m->inertia[0], m->inertia[3], m->inertia[4],
                          m->inertia[1], m->inertia[5], m->inertia[2]};
    sym33 central = sym33_add_point(about_origin, -m->mass, m->com);
    plan->mass = m->mass;
    double moments[3];
    cardo_vec3 axes[3];
    principal_axes(sym33_rotate(X_MB.R, central), moments, axes);
    const cardo_mat33 columns = m33_from_columns(xform_point(X_MB, m->com),
                                                 v3_scale(sqrt(moments[2] - moments[0]), axes[0]),
                                                 v3_scale(sqrt(moments[2] - moments[1]), axes[1]));
    frame_put(&plan->shape, &columns, v3(1, moments[2], m->mass));
}

/* Frame F in its parent's M. */
static void place_frame(const cardo_system *system, body_plan *plan)
{
    const cardo_transform X_PF =
        xform_mul(system->bodies[plan->parent].X_MB, frame_transform(&plan->frame));
    frame_put(&plan->frame, &X_PF.R, X_PF.p);
}

/* Length that a body's inertia knows: distances far beyond it cost digits in inertias about a far
 * point. */
static double inertia_length(const body_plan *plan)
{
    const cardo_vec3 com = frame_column(&plan->shape, 0);
    const cardo_vec3 f = frame_column(&plan->shape, 1), g = frame_column(&plan->shape, 2);
    const double trace = 3 * plan->shape.m[1][3] - v3_dot(f, f) - v3_dot(g, g);
    return plan->mass > 0 ? sqrt(fmax(trace, 0) / (2 * plan->mass)) + v3_norm(com) : 0;
}

/* Bodies share their parent's reference point while it is near: within a few joints and a few of
 * the bodies' own lengths, and where no translation can take them away. reach: distance from the
 * point, at most, by frames. */
static void choose_points(cardo_system *system, int k, int *depth, double *reach)
{
    enum { LONGEST = 8 };
    const double farthest = 16;
    body_plan *plan = &system->bodies[k];
    const int p = plan->parent;
    bool bounded = plan->kind == CARDO_MOBILIZER_PIN || plan->kind == CARDO_MOBILIZER_WELD;
    double distance = reach[p] + v3_norm(frame_position(&plan->frame));
    plan->own_point =
        p == 0 || !bounded || depth[p] + 1 >= LONGEST || distance > farthest * inertia_length(plan);
    /* about the centre of mass an inertia has half as many numbers; hinges that only turn are
     * worth more */
    plan->central =
        !bounded && plan->kind != CARDO_MOBILIZER_BALL && plan->kind != CARDO_MOBILIZER_FREE;
    depth[k] = plan->own_point ? 0 : depth[p] + 1;
    reach[k] = plan->central     ? v3_norm(frame_column(&plan->shape, 0))
               : plan->own_point ? 0
                                 : distance;
}

static cardo_status list_quaternions(cardo_system *system, cardo_error *error)
{
    cardo_free(system->quaternions);
    cardo_status status = CARDO_ALLOCATE(&system->quaternions, system->nbody, error);
    system->nquaternion = 0;
    for (int k = 1; status == CARDO_OK && k < system->nbody; ++k) {
        const cardo_joint *joint = &system->bodies[k].joint;
        if (joint->mobilizer->has_orientation && !joint->euler)
            system->quaternions[system->nquaternion++] = system->bodies[k].q_first;
    }
    return status;
}

/* Gives back what growing took in advance: moves count elements to memory of just their size. */
static cardo_status shrink(void **array, int *capacity, int count, size_t size, cardo_error *error)
{
    void *exact;
    cardo_status status = cardo_allocate(&exact, (size_t)count, size, error);
    if (status != CARDO_OK)
        return status;
    memcpy(exact, *array, (size_t)count * size);
    cardo_free(*array);
    *array = exact;
    *capacity = count;
    return CARDO_OK;
}

static hinge_form form_of(const body_plan *plan)
{
    switch (plan->kind) {
    case CARDO_MOBILIZER_BALL:
        return HINGE_BALL;
    case CARDO_MOBILIZER_ELLIPSOID:
        return HINGE_ELLIPSOID;
    case CARDO_MOBILIZER_FREE:
        return HINGE_FREE;
    default:
        return plan->nu == 0 ? HINGE_NONE : plan->nu == 1 ? HINGE_SINGLE : HINGE_COLUMNS;
    }
}

/* Whether the passes run in registers of eight numbers; where addresses or threads are checked they
 * are taken all the same, so that they are checked too. */
static bool has_lanes(void)
{
#if defined(TREE_PASS_CLONES)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd");
#elif defined(__AVX512F__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
}

cardo_status cardo_finalize_bodies(cardo_system *system, cardo_error *error)
{
    int *depth = NULL;
    double *reach = NULL;
    cardo_status status;
    CARDO_TRY(shrink((void **)&system->bodies, &system->body_capacity, system->nbody,
                     sizeof *system->bodies, error));
    CARDO_TRY(shrink((void **)&system->sources, &system->source_capacity, system->nbody,
                     sizeof *system->sources, error));
    CARDO_TRY(CARDO_ALLOCATE(&depth, system->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&reach, system->nbody, error));
    system->nq = system->nu = system->ncache = system->nmap = system->nfactor = 0;
    for (int k = 0; k < system->nbody; ++k) {
        body_plan *plan = &system->bodies[k];
        const cardo_joint *joint = &plan->joint;
        plan->kind = (unsigned char)joint->kind;
        /* reversed, their hinge maps have another shape */
        if (plan->reversed &&
            (plan->kind == CARDO_MOBILIZER_FREE || plan->kind == CARDO_MOBILIZER_ELLIPSOID ||
             plan->kind == CARDO_MOBILIZER_FUNCTION || plan->kind == CARDO_MOBILIZER_PLANAR))
            plan->kind = CARDO_MOBILIZER_GENERIC;
        plan->nq = (unsigned char)joint->nq;
        plan->nu = (unsigned char)joint->nu;
        plan->form = (unsigned char)form_of(plan);
        bool whole = plan->prescribed && plan->prescribed == (1U << plan->nu) - 1;
        plan->yields = whole ? HINGE_NONE : plan->form;
        plan->map_first = system->nmap;
        plan->factor_first = system->nfactor;
        system->nmap += hinge_map_size(plan->form, plan->nu);
        system->nfactor += hinge_factor_size(plan->yields, plan->nu);
        plan->q_first = system->nq;
        plan->u_first = system->nu;
        plan->cache_first = system->ncache;
        plan->sign = plan->reversed ? -1.0 : 1.0;
        plan->is_leaf = true;
        plan->changing_hinge = plan->reversed || joint->mobilizer->rate;
        system->nq += joint->nq;
        system->nu += joint->nu;
        system->ncache += joint->ncache;
        assert(joint->nq <= CARDO_MOBILIZER_MAX_Q && joint->nu <= CARDO_MOBILIZER_MAX_U);
        assert(joint->nq >= joint->nu && joint->ncache >= 0);
        if (k == 0)
            continue;
        assert(plan->parent >= 0 && plan->parent < k);
        place_mass(plan, &system->sources[k]);
        if (k >= system->nplaced)
            place_frame(system, plan);
        choose_points(system, k, depth, reach);
    }
    assert(system->nplaced <= system->nbody);
    system->nplaced = system->nbody;
    system->lanes = has_lanes();
    CARDO_TRY(list_quaternions(system, error));
    for (int k = system->nbody - 1; k > 0; --k) {
        body_plan *parent = &system->bodies[system->bodies[k].parent];
        system->bodies[k].sets_parent = parent->is_leaf;
        parent->is_leaf = false;
    }
done:
    cardo_free(depth);
    cardo_free(reach);
    return status;
}

/* The bodies, from the first, with their mobilizers; "and n more" when the message is full. */
static void list_singular(const cardo_system *system, const int *bodies, int n, char *text,
                          size_t size)
{
    size_t length = 0;
    for (int i = n - 1; i >= 0; --i) {
        assert(bodies[i] > 0 && bodies[i] < system->nbody);
        const char *name = system->sources[bodies[i]].name;
        char item[96];
        snprintf(item, sizeof item, "%sbody %d%s%s (%s)", i < n - 1 ? ", " : "", bodies[i],
                 name ? " " : "", name ? name : "",
                 system->bodies[bodies[i]].joint.mobilizer->name);
        if (length + strlen(item) + 24 > size) {
            snprintf(text + length, size - length, " and %d more", i + 1);
            return;
        }
        length += (size_t)snprintf(text + length, size - length, "%s", item);
    }
}

cardo_status cardo_finalize_check_inertia(const cardo_system *system, cardo_error *error)
{
    static const double generic[2][3] = {{0.31, -0.23, 0.41}, {-0.47, 0.37, 0.53}};
    cardo_state *state = NULL;
    double *q = NULL;
    int *bodies = NULL, n = 0;
    char text[CARDO_ERROR_MESSAGE_SIZE / 2];
    cardo_status status;
    CARDO_TRY(cardo_state_create(system, &state, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, system->nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&bodies, system->nbody, error));
    for (int attempt = 0; attempt < 2 && (attempt == 0 || n > 0); ++attempt) {
        for (int i = 0; i < system->nq; ++i)
            q[i] = cardo_state_q(state)[i] + generic[attempt][i % 3];
        cardo_state_set_q(state, q);
        CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
        n = cardo_pass_singular(system, state, bodies);
    }
    if (n > 0) {
        list_singular(system, bodies, n, text, sizeof text);
        status = CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                            "%s: no inertia against one of the motions of %s mobilizer (a body of "
                            "one atom or of atoms in a line)",
                            text, n > 1 ? "each one's" : "its");
    }
done:
    cardo_state_destroy(state);
    cardo_free(q);
    cardo_free(bodies);
    return status;
}
