/* No operator takes memory: the C library's own allocator is counted while each one runs. The table
 * is compared with the headers, so that a new operator is missed here. */
#include "multibody/random_tree.h"

#include "base/memory.h"
#include "multibody/forces/elements.h"
#include "multibody/quantities/fit.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNT_MALLOC
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
static unsigned long taken;

void *malloc(size_t size)
{
    ++taken;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    ++taken;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    ++taken;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    ++taken;
    return __libc_memalign(alignment, size);
}
#endif

/* Both counters: a memory checker may put its own allocator before this one. */
static unsigned long count(void)
{
#ifdef COUNT_MALLOC
    return taken + cardo_allocation_count();
#else
    return cardo_allocation_count();
#endif
}

enum { BODIES = 24, STATIONS = 50 };

/* A tree with force elements, a prescribed body and stations; room for all results. */
typedef struct fixture {
    cardo_system *system;
    cardo_state *state, *other;
    double *q, *u, *big, *stations;
    void *record;
    cardo_spatial *F;
    cardo_mass_properties *composites;
    cardo_mobilizer_motion motion;
    cardo_transform X_FM;
    cardo_vec3 v;
} fixture;

#define S f->system, f->state
static cardo_status station_positions(fixture *f)
{
    return cardo_station_positions(S, f->stations, NULL);
}
static cardo_status station_velocities(fixture *f)
{
    return cardo_station_velocities(S, f->stations, NULL);
}
static cardo_status station_forces_to_bodies(fixture *f)
{
    return cardo_station_forces_to_bodies(S, f->stations, f->F, NULL);
}
static cardo_status multiply_jt(fixture *f)
{
    return cardo_multiply_jt(S, f->F, f->big, NULL);
}
static cardo_status multiply_j(fixture *f)
{
    return cardo_multiply_j(S, f->u, f->F, NULL);
}
static cardo_status multiply_n(fixture *f)
{
    return cardo_multiply_n(S, f->u, f->big, NULL);
}
static cardo_status multiply_n_inverse(fixture *f)
{
    return cardo_multiply_n_inverse(S, f->q, f->big, NULL);
}
static cardo_status multiply_m(fixture *f)
{
    return cardo_multiply_m(S, f->u, f->big, NULL);
}
static cardo_status multiply_minv(fixture *f)
{
    return cardo_multiply_minv(S, f->u, f->big, NULL);
}
static cardo_status multiply_sqrt_minv(fixture *f)
{
    return cardo_multiply_sqrt_minv(S, f->u, f->big, NULL);
}
static cardo_status multiply_sqrt_m(fixture *f)
{
    return cardo_multiply_sqrt_m(S, f->u, f->big, NULL);
}
static cardo_status multiply_sqrt_minv_transposed(fixture *f)
{
    return cardo_multiply_sqrt_minv_transposed(S, f->u, f->big, NULL);
}
static cardo_status multiply_sqrt_m_transposed(fixture *f)
{
    return cardo_multiply_sqrt_m_transposed(S, f->u, f->big, NULL);
}
static cardo_status log_det_m(fixture *f)
{
    return cardo_log_det_m(S, f->big, NULL);
}
static cardo_status log_det_m_gradient(fixture *f)
{
    return cardo_log_det_m_gradient(S, f->big, NULL);
}
static cardo_status mass_matrix(fixture *f)
{
    return cardo_mass_matrix(S, f->big, NULL);
}
static cardo_status mass_matrix_inverse(fixture *f)
{
    return cardo_mass_matrix_inverse(S, f->big, NULL);
}
static cardo_status jacobian(fixture *f)
{
    return cardo_jacobian(S, f->big, NULL);
}
static cardo_status multiply_point_j(fixture *f)
{
    return cardo_multiply_point_j(S, BODIES, v3(1, 2, 3), f->u, &f->v, NULL);
}
static cardo_status multiply_point_jt(fixture *f)
{
    return cardo_multiply_point_jt(S, BODIES, v3(1, 2, 3), f->v, f->big, NULL);
}
static cardo_status point_jacobian(fixture *f)
{
    return cardo_point_jacobian(S, BODIES, v3(1, 2, 3), f->big, NULL);
}
static cardo_status multiply_station_j(fixture *f)
{
    return cardo_multiply_station_j(S, f->u, f->stations, NULL);
}
static cardo_status multiply_station_jt(fixture *f)
{
    return cardo_multiply_station_jt(S, f->stations, f->big, NULL);
}
static cardo_status inverse_dynamics(fixture *f)
{
    return cardo_inverse_dynamics(S, f->u, f->F, f->u, f->big, NULL);
}
static cardo_status bias(fixture *f)
{
    return cardo_bias(S, f->big, NULL);
}
static cardo_status momentum_rate(fixture *f)
{
    return cardo_momentum_rate(S, f->big, NULL);
}
static cardo_status power(fixture *f)
{
    return cardo_power(S, f->F, f->u, f->big, NULL);
}
static cardo_status reactions(fixture *f)
{
    return cardo_reactions(S, f->F, NULL);
}
static cardo_status reactions_at_parent(fixture *f)
{
    return cardo_reactions_at_parent(S, f->F, NULL);
}
static cardo_status gravity_energy(fixture *f)
{
    return cardo_gravity_energy(S, f->big, NULL);
}
static cardo_status kinetic_energy(fixture *f)
{
    return cardo_kinetic_energy(S, f->big, NULL);
}
static cardo_status system_momentum(fixture *f)
{
    return cardo_system_momentum(S, f->big, &f->v, f->F, NULL);
}
static cardo_status com_acceleration(fixture *f)
{
    return cardo_com_acceleration(S, &f->v, NULL);
}
static cardo_status body_mobilizer_motion(fixture *f)
{
    return cardo_body_mobilizer_motion(S, BODIES, &f->motion, NULL);
}
static cardo_status coriolis_accelerations(fixture *f)
{
    return cardo_coriolis_accelerations(S, f->F, NULL);
}
static cardo_status gyroscopic_forces(fixture *f)
{
    return cardo_gyroscopic_forces(S, f->F, NULL);
}
static cardo_status articulated_inertia(fixture *f)
{
    return cardo_articulated_inertia(S, BODIES / 2, f->big, NULL);
}
static cardo_status overall_speeds(fixture *f)
{
    return cardo_overall_speeds(S, f->u, f->big, NULL);
}

static cardo_status composite_inertias(fixture *f)
{
    return cardo_composite_inertias(S, f->composites, NULL);
}
static cardo_status potential_energy(fixture *f)
{
    return cardo_potential_energy(S, f->big, f->big + 8, NULL);
}
static cardo_status element_forces(fixture *f)
{
    return cardo_element_forces(S, f->F, f->big, NULL);
}
static cardo_status motive_forces(fixture *f)
{
    return cardo_motive_forces(S, f->big, NULL);
}
static cardo_status motive_power(fixture *f)
{
    return cardo_motive_power(S, f->big, NULL);
}
static cardo_status fit_q(fixture *f)
{
    return cardo_fit_q(f->system, BODIES, &f->X_FM, f->big, NULL, NULL);
}
static cardo_status fit_u(fixture *f)
{
    cardo_body_info info;
    cardo_system_body(f->system, BODIES, &info);
    return cardo_fit_u(f->system, BODIES, f->q + info.q_first, f->F, f->big, NULL, NULL);
}
static cardo_status check_regularity(fixture *f)
{
    return cardo_check_regularity(f->system, f->q, -1, NULL);
}
static cardo_status realize(fixture *f)
{
    cardo_status status = CARDO_OK;
    for (int fused = 0; status == CARDO_OK && fused < 2; ++fused) {
        cardo_state_set_time(f->state, 0.1);
        cardo_state_prescribe(f->system, f->state);
        cardo_state_set_q(f->state, f->q);
        cardo_state_set_u(f->state, f->u);
        for (cardo_stage s = fused ? CARDO_STAGE_ACCELERATION : CARDO_STAGE_TIME;
             status == CARDO_OK && s <= CARDO_STAGE_ACCELERATION; ++s)
            status = cardo_realize(S, s, NULL);
    }
    return status;
}
static cardo_status state_compare(fixture *f)
{
    cardo_state_copy(f->other, f->state);
    return cardo_state_compare(f->other, f->state, NULL);
}
static cardo_status state_read(fixture *f)
{
    cardo_state_write(f->state, f->record);
    return cardo_state_read(f->other, f->record, cardo_state_record_size(f->state), NULL);
}
#undef S

typedef struct entry {
    const char *name;
    cardo_status (*call)(fixture *f);
} entry;

#define ENTRY(name)                                                                                \
    {                                                                                              \
        "cardo_" #name, name                                                                       \
    }
static const entry entries[] = {
    ENTRY(realize),
    ENTRY(station_positions),
    ENTRY(station_velocities),
    ENTRY(station_forces_to_bodies),
    ENTRY(multiply_jt),
    ENTRY(multiply_j),
    ENTRY(multiply_n),
    ENTRY(multiply_n_inverse),
    ENTRY(multiply_m),
    ENTRY(multiply_minv),
    ENTRY(multiply_sqrt_minv),
    ENTRY(multiply_sqrt_m),
    ENTRY(multiply_sqrt_minv_transposed),
    ENTRY(multiply_sqrt_m_transposed),
    ENTRY(log_det_m),
    ENTRY(log_det_m_gradient),
    ENTRY(mass_matrix),
    ENTRY(mass_matrix_inverse),
    ENTRY(jacobian),
    ENTRY(multiply_point_j),
    ENTRY(multiply_point_jt),
    ENTRY(point_jacobian),
    ENTRY(multiply_station_j),
    ENTRY(multiply_station_jt),
    ENTRY(inverse_dynamics),
    ENTRY(bias),
    ENTRY(momentum_rate),
    ENTRY(power),
    ENTRY(reactions),
    ENTRY(reactions_at_parent),
    ENTRY(gravity_energy),
    ENTRY(kinetic_energy),
    ENTRY(system_momentum),
    ENTRY(com_acceleration),
    ENTRY(body_mobilizer_motion),
    ENTRY(coriolis_accelerations),
    ENTRY(gyroscopic_forces),
    ENTRY(articulated_inertia),
    ENTRY(overall_speeds),
    ENTRY(composite_inertias),
    ENTRY(potential_energy),
    ENTRY(element_forces),
    ENTRY(motive_forces),
    ENTRY(motive_power),
    ENTRY(fit_q),
    ENTRY(fit_u),
    ENTRY(check_regularity),
    ENTRY(state_compare),
    ENTRY(state_read),
};
enum { ENTRIES = sizeof entries / sizeof *entries };

static void add_everything(cardo_system *system, uint64_t *seed)
{
    static random_parameters room;
    const double coefficients[3] = {0.3, 2, 0.1};
    cardo_error error = {0};
    double x[3 * STATIONS];
    for (int k = 0; k < BODIES; ++k) {
        const cardo_mobilizer *which = k == 4 ? &cardo_mobilizer_pin : NULL;
        cardo_body_definition body = random_body(which, k < 3 ? k : k - 1, seed, &room);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    random_numbers(3 * STATIONS, seed, x);
    assert_ok(cardo_system_add_stations(system, 2, 0, STATIONS / 2, x, &error), &error);
    assert_ok(cardo_system_add_stations(system, 7, STATIONS / 2, STATIONS / 2, x, &error), &error);
    const cardo_function wave = {.kind = CARDO_FUNCTION_SINUSOID,
                                 .narg = 1,
                                 .ncoefficient = 3,
                                 .coefficients = coefficients};
    assert_ok(cardo_system_prescribe(system, 5, CARDO_MOTION_POSITION, &wave, &error), &error);
    const cardo_two_point_spring spring = {1, 9, {0.1, 0, 0}, {0, 0.2, 0}, 10, 0.3};
    const cardo_linear_bushing bushing = {.body1 = 2,
                                          .body2 = 3,
                                          .frame1 = xform_identity(),
                                          .frame2 = xform_identity(),
                                          .stiffness = {1, 1, 1, 2, 2, 2},
                                          .damping = {0.1, 0.1, 0.1, 0.2, 0.2, 0.2}};
    assert_ok(cardo_system_add_force(system, &cardo_force_two_point_spring, &spring, NULL, &error),
              &error);
    assert_ok(cardo_system_add_force(system, &cardo_force_linear_bushing, &bushing, NULL, &error),
              &error);
    cardo_system_set_gravity(system, v3(1, -9, 2));
    assert_ok(cardo_system_finalize(system, &error), &error);
}

static void open_fixture(fixture *f, uint64_t seed)
{
    cardo_error error = {0};
    *f = (fixture){.X_FM = xform_identity()};
    assert_ok(cardo_system_create(&f->system, &error), &error);
    add_everything(f->system, &seed);
    const size_t nq = (size_t)cardo_system_nq(f->system), nu = (size_t)cardo_system_nu(f->system);
    const size_t nbody = BODIES + 1;
    f->q = calloc(nq + 1, sizeof *f->q);
    f->u = calloc(nu + 1, sizeof *f->u);
    f->big = calloc((nu + 6 * nbody) * (nu + 8), sizeof *f->big);
    f->stations = calloc(3 * STATIONS, sizeof *f->stations);
    f->F = calloc(nbody, sizeof *f->F);
    f->composites = calloc(nbody, sizeof *f->composites);
    random_coordinates(f->system, &seed, f->q);
    random_numbers((int)nu, &seed, f->u);
    assert_ok(cardo_state_create(f->system, &f->state, &error), &error);
    assert_ok(cardo_state_create(f->system, &f->other, &error), &error);
    f->record = malloc(cardo_state_record_size(f->state));
}

static void close_fixture(fixture *f)
{
    cardo_state_destroy(f->state);
    cardo_state_destroy(f->other);
    cardo_system_destroy(f->system);
    free(f->q);
    free(f->u);
    free(f->big);
    free(f->stations);
    free(f->record);
    free(f->F);
    free(f->composites);
}

static void test_no_operator_allocates(void **unused)
{
    (void)unused;
    fixture f;
    for (uint64_t seed = 1; seed < 4; ++seed) {
        open_fixture(&f, seed);
        for (int e = 0; e < ENTRIES; ++e) {
            const unsigned long before = count();
            const cardo_status status = entries[e].call(&f);
            const unsigned long after = count();
            if (status != CARDO_OK)
                fail_msg("%s fails with status %d", entries[e].name, (int)status);
            if (after != before)
                fail_msg("%s took memory %lu times", entries[e].name, after - before);
        }
        /* views */
        const unsigned long before = count();
        realize(&f);
        cardo_state_X_GB(f.state);
        cardo_state_X_FM(f.state);
        cardo_state_V_GB(f.state);
        cardo_state_A_GB(f.state);
        cardo_state_qdot(f.state);
        cardo_state_qdotdot(f.state);
        assert_int_equal(count(), before);
        close_fixture(&f);
    }
}

/* The counter counts. */
static void test_counter(void **unused)
{
    (void)unused;
    const unsigned long before = count();
    void *memory;
    assert_int_equal(cardo_allocate(&memory, 3, 8, NULL), CARDO_OK);
    assert_true(count() > before);
    cardo_free(memory);
}

/* Every function of the header that works on a state has its line in the table. */
static void test_table_is_complete(void **unused)
{
    (void)unused;
    static char text[65536];
    FILE *file = fopen(support_source("src/include/cardo/operators.h"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    int found = 0;
    for (const char *at = strstr(text, "cardo_status cardo_"); at;
         at = strstr(at + 1, "cardo_status cardo_")) {
        const char *name = at + strlen("cardo_status ");
        const size_t length = strcspn(name, "(");
        int e = 0;
        while (e < ENTRIES &&
               (strncmp(entries[e].name, name, length) != 0 || entries[e].name[length] != 0))
            ++e;
        if (e == ENTRIES)
            fail_msg("%.*s is not in the table of this test", (int)length, name);
        ++found;
    }
    assert_true(found > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter),
        cmocka_unit_test(test_no_operator_allocates),
        cmocka_unit_test(test_table_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
