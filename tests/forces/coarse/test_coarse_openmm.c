/* Coarse-grained energies against OpenMM's custom forces in double precision, and how long each takes:
 * every pair a bond of a CustomBondForce, basins mixed by a CustomCVForce. */
#include "forces/coarse/scene.h"
#include "forces/openmm/door.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct reference {
    OpenMM_System *system;
    OpenMM_Integrator *integrator;
    OpenMM_Context *context;
    OpenMM_Vec3Array *positions;
} reference;

static OpenMM_CustomBondForce *bonds(const char *expression)
{
    OpenMM_CustomBondForce *force = OpenMM_CustomBondForce_create(expression);
    OpenMM_CustomBondForce_addPerBondParameter(force, "e");
    OpenMM_CustomBondForce_addPerBondParameter(force, "s");
    OpenMM_CustomBondForce_addPerBondParameter(force, "hump");
    return force;
}

static void add_bond(OpenMM_CustomBondForce *force, int i, int j, double e, double s, double hump)
{
    OpenMM_DoubleArray *values = OpenMM_DoubleArray_create(3);
    OpenMM_DoubleArray_set(values, 0, e);
    OpenMM_DoubleArray_set(values, 1, s);
    OpenMM_DoubleArray_set(values, 2, hump);
    OpenMM_CustomBondForce_addBond(force, i, j, values);
    OpenMM_DoubleArray_destroy(values);
}

static const char *const shapes[] = {
    [CARDO_PAIR_SPRING] = "0.5*e*(r-s)^2",
    [CARDO_PAIR_CONTACT] = "e*(5*(s/r)^12-6*(s/r)^10)",
    [CARDO_PAIR_CORE] = "e*(s/r)^12",
    [CARDO_PAIR_CHARGES] = "e*exp(-r/s)/r",
};

/* The pairs of one shape of a list. */
static OpenMM_CustomBondForce *list_force(const cardo_coarse_list *list, cardo_pair_shape shape)
{
    OpenMM_CustomBondForce *force = bonds(shapes[shape]);
    for (int k = 0; k < list->npair; ++k)
        if (list->pair[k].shape == shape)
            add_bond(force, list->pair[k].site[0], list->pair[k].site[1], list->pair[k].energy,
                     list->pair[k].length, 0);
    return force;
}

static void add_tables(reference *r, const cardo_coarse_energy *energy)
{
    const cardo_coarse_sites *sites = &energy->sites;
    OpenMM_CustomBondForce *core = bonds("e/r^12");
    OpenMM_CustomBondForce *well =
        bonds("select(hump, select(step(r-2^(1/6)*s), -L, L+e/2), L); L=e*((s/r)^12-(s/r)^6)");
    for (int i = 0; i < sites->nsite; ++i)
        for (int j = sites->next[i]; j < sites->nsite; ++j) {
            size_t pair = energy->row[i] + (size_t)(j - sites->next[i]);
            if (energy->core && energy->core[pair] > 0)
                add_bond(core, i, j, energy->core[pair], 0, 0);
            if (energy->depth4 && energy->depth4[pair] > 0)
                add_bond(well, i, j, energy->depth4[pair], sqrt(energy->sigma2[pair]),
                         energy->hump[pair]);
        }
    OpenMM_System_addForce(r->system, (OpenMM_Force *)core);
    OpenMM_System_addForce(r->system, (OpenMM_Force *)well);
}

static void add_angles(reference *r, const cardo_coarse_energy *energy)
{
    char text[512];
    const cardo_coarse_angle_rule *a = &energy->angle_rule;
    if (energy->nangle == 0)
        return;
    snprintf(text, sizeof text,
             "-log(exp(-%.17g*(%.17g*(theta-%.17g)^2+%.17g))+exp(-%.17g*%.17g*(theta-%.17g)^2))/"
             "%.17g",
             a->steepness, a->k_helix, a->helix, a->above, a->steepness, a->k_strand, a->strand,
             a->steepness);
    OpenMM_CustomAngleForce *force = OpenMM_CustomAngleForce_create(text);
    OpenMM_DoubleArray *none = OpenMM_DoubleArray_create(0);
    for (int k = 0; k < energy->nangle; ++k)
        OpenMM_CustomAngleForce_addAngle(force, energy->angle[k].site[0], energy->angle[k].site[1],
                                         energy->angle[k].site[2], none);
    OpenMM_DoubleArray_destroy(none);
    OpenMM_System_addForce(r->system, (OpenMM_Force *)force);
}

/* -kT log(sum exp(-(V_k + offset_k)/kT)), V_k the sum of four variables. */
static void add_basins(reference *r, const cardo_coarse_energy *energy)
{
    char text[2048] = "", name[32];
    if (energy->nbasin == 0)
        return;
    for (int k = 0; k < energy->nbasin; ++k)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "%sexp(-(v%d0+v%d1+v%d2+v%d3+%.17g)/%.17g)", k ? "+" : "", k, k, k, k,
                 energy->basin[k].offset, energy->mixing);
    char whole[2304];
    snprintf(whole, sizeof whole, "-%.17g*log(%s)", energy->mixing, text);
    OpenMM_CustomCVForce *force = OpenMM_CustomCVForce_create(whole);
    for (int k = 0; k < energy->nbasin; ++k)
        for (int shape = 0; shape < 4; ++shape) {
            snprintf(name, sizeof name, "v%d%d", k, shape);
            OpenMM_CustomCVForce_addCollectiveVariable(
                force, name, (OpenMM_Force *)list_force(&energy->basin[k].pairs, shape));
        }
    OpenMM_System_addForce(r->system, (OpenMM_Force *)force);
}

static void make_reference(reference *r, const cardo_coarse_energy *energy, const char *platform)
{
    r->system = OpenMM_System_create();
    for (int i = 0; i < energy->sites.nsite; ++i)
        OpenMM_System_addParticle(r->system, 1);
    add_tables(r, energy);
    for (int k = 0; k < energy->nlist; ++k)
        for (int shape = 0; shape < 4; ++shape)
            OpenMM_System_addForce(r->system, (OpenMM_Force *)list_force(&energy->list[k], shape));
    add_angles(r, energy);
    add_basins(r, energy);
    r->integrator = (OpenMM_Integrator *)OpenMM_VerletIntegrator_create(0.001);
    r->context = OpenMM_Context_create_2(r->system, r->integrator,
                                         OpenMM_Platform_getPlatformByName(platform));
    r->positions = OpenMM_Vec3Array_create(energy->sites.nsite);
}

static void clear_reference(reference *r)
{
    OpenMM_Vec3Array_destroy(r->positions);
    OpenMM_Context_destroy(r->context);
    OpenMM_Integrator_destroy(r->integrator);
    OpenMM_System_destroy(r->system);
}

static OpenMM_State *evaluate_reference(reference *r, const cardo_coarse_work *work, int nsite)
{
    for (int i = 0; i < nsite; ++i) {
        const double *x = work->position;
        OpenMM_Vec3 at = {x[i], x[work->stride + i], x[2 * work->stride + i]};
        OpenMM_Vec3Array_set(r->positions, i, at);
    }
    OpenMM_Context_setPositions(r->context, r->positions);
    return OpenMM_Context_getState(r->context, OpenMM_State_Energy | OpenMM_State_Forces, 0);
}

static void place_sites(scene *s, double value, cardo_coarse_work *work)
{
    cardo_error error;
    double q[64];
    const cardo_coarse_sites *sites = &s->energy->sites;
    double *x = calloc(3 * (size_t)cardo_system_nstation(s->system), sizeof *x);
    scene_path(s, value, q);
    scene_place(s, q);
    assert_ok(cardo_station_positions(s->system, s->state, x, &error), &error);
    for (int i = 0; i < sites->nsite; ++i)
        for (int c = 0; c < 3; ++c)
            work->position[c * work->stride + i] = x[3 * sites->atom[i] + c];
    free(x);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void compare_at(scene *s, reference *r, cardo_coarse_work *work)
{
    cardo_error error;
    const int nsite = s->energy->sites.nsite;
    assert_ok(cardo_coarse_evaluate(s->energy, work, &error), &error);
    OpenMM_State *state = evaluate_reference(r, work, nsite);
    const OpenMM_Vec3Array *forces = OpenMM_State_getForces(state);
    double U = OpenMM_State_getPotentialEnergy(state), largest = 1;
    assert_close(work->energy, U, 1e-9 * (1 + fabs(U)));
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < nsite; ++i) {
            const OpenMM_Vec3 *f = OpenMM_Vec3Array_get(forces, i);
            const double *own = work->force;
            const double theirs[3] = {f->x, f->y, f->z};
            for (int c = 0; c < 3; ++c)
                if (pass == 0)
                    largest = fmax(largest, fabs(theirs[c]));
                else
                    assert_close(own[c * work->stride + i], theirs[c], 1e-9 * largest);
        }
    OpenMM_State_destroy(state);
}

static void compare(scene *s, const char *what)
{
    enum { ROUNDS = 20 };
    cardo_error error;
    reference r;
    cardo_coarse_work work;
    const int nsite = s->energy->sites.nsite;
    assert_ok(cardo_coarse_work_create(s->energy, &work, &error), &error);
    make_reference(&r, s->energy, "Reference");
    static const double values[] = {-0.05, 0, 0.3, 0.55, 0.8, 1, 1.05};
    for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
        place_sites(s, values[k], &work);
        compare_at(s, &r, &work);
    }
    double start = seconds();
    for (int k = 0; k < ROUNDS; ++k)
        OpenMM_State_destroy(evaluate_reference(&r, &work, nsite));
    double theirs = (seconds() - start) / ROUNDS;
    clear_reference(&r);
    make_reference(&r, s->energy, "CPU");
    OpenMM_State_destroy(evaluate_reference(&r, &work, nsite));
    start = seconds();
    for (int k = 0; k < ROUNDS; ++k)
        OpenMM_State_destroy(evaluate_reference(&r, &work, nsite));
    double cpu = (seconds() - start) / ROUNDS;
    start = seconds();
    for (int k = 0; k < 50 * ROUNDS; ++k)
        assert_ok(cardo_coarse_evaluate(s->energy, &work, &error), &error);
    double own = (seconds() - start) / (50 * ROUNDS);
    print_message("%-24s %8.1f us an evaluation; OpenMM Reference %8.1f us, CPU %8.1f us\n", what,
                  1e6 * own, 1e6 * theirs, 1e6 * cpu);
    clear_reference(&r);
    cardo_coarse_work_clear(&work);
}

static void test_against_openmm(void **state)
{
    (void)state;
    scene s;
    scene_lao(&s);
    scene_energy(&s, "double-basin.xml", "difference=3");
    compare(&s, "LAO, double basin");
    scene_energy(&s, "kim-hummer.xml", NULL);
    compare(&s, "LAO, Kim-Hummer");
    scene_energy(&s, "elastic-network.xml", NULL);
    compare(&s, "LAO, elastic network");
    scene_clear(&s);
    scene_lao_free(&s);
    scene_energy(&s, "kim-hummer.xml", NULL);
    compare(&s, "LAO, linkers");
    scene_clear(&s);
    scene_adenylate_kinase(&s);
    scene_energy(&s, "double-basin.xml", "contact-energy=2");
    compare(&s, "AdK, double basin");
    scene_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {shared_test(test_against_openmm)};
    OpenMM_StringArray_destroy(
        OpenMM_Platform_loadPluginsFromDirectory(OpenMM_Platform_getDefaultPluginsDirectory()));
    return support_run(tests, NULL, NULL);
}
