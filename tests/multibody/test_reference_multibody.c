/* test_reference_multibody DIR: compares every quantity of every file in DIR/trees and
 * DIR/trajectories (layout of shared/reference/multibody) with the engine, prints the worst error
 * by quantity, and fails beyond the tolerances of that folder's README. Files that need what is not
 * there yet, quantities that a file does not have and fields that nothing is compared with are
 * listed. DIR/constraints and DIR/loops have tests of their own. Without DIR: $CARDO_SHARED. */
#include "multibody/reference_json.h"
#include "support/reference.h"
#include "support/support.h"

#include "multibody/tree/operators.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_QUANTITIES = 64, MOST_FILES = 4096 };

/* Worst error of one quantity over all files, relative to the largest magnitude of its array. */
typedef struct quantity {
    const char *name;
    int count;
    double error, tolerance;
    char file[128];
    int failures;
} quantity;

/* Something left out, how often, and the first file. */
typedef struct left_out {
    char what[96], file[128];
    int count;
} left_out;

typedef struct results {
    quantity quantities[MOST_QUANTITIES];
    left_out skipped[MOST_QUANTITIES];
    int nquantity, nskipped, nfile, nunsupported, nfailed;
    const char *file;
    bool long_chain;
} results;

static quantity *find_quantity(results *report, const char *name)
{
    for (int i = 0; i < report->nquantity; ++i)
        if (strcmp(report->quantities[i].name, name) == 0)
            return &report->quantities[i];
    quantity *q = &report->quantities[report->nquantity++];
    *q = (quantity){.name = name};
    return q;
}

__attribute__((format(printf, 2, 3))) static void skip_over(results *report, const char *format,
                                                            ...)
{
    char what[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    int i = 0;
    while (i < report->nskipped && strcmp(report->skipped[i].what, what) != 0)
        ++i;
    if (i == MOST_QUANTITIES)
        return;
    left_out *item = &report->skipped[i];
    if (i == report->nskipped) {
        ++report->nskipped;
        snprintf(item->what, sizeof item->what, "%s", what);
        snprintf(item->file, sizeof item->file, "%s", report->file);
    }
    ++item->count;
}

/* Kinematics, M, bias, inverse dynamics and J hold to 1e-10, what passes through M^-1 to 1e-9; the
 * 200-pin chain, whose mass matrix has condition number 8e6, to 1e-7. */
static double tolerance_of(const char *name, bool long_chain)
{
    static const char *const inverted[] = {"udot",      "qdotdot",        "A_GB",
                                           "MInv",      "MInv_v",         "MInv_columns",
                                           "MInv_diag", "system_com_acc", NULL};
    if (strncmp(name, "reaction", 8) == 0)
        return long_chain ? 1e-7 : 1e-9;
    for (int i = 0; inverted[i]; ++i)
        if (strcmp(inverted[i], name) == 0)
            return long_chain ? 1e-7 : 1e-9;
    return 1e-10;
}

static void record(results *report, const char *name, double error, double tolerance)
{
    quantity *q = find_quantity(report, name);
    ++q->count;
    if (!(error <= tolerance)) {
        ++q->failures;
        ++report->nfailed;
    }
    if (!(error / tolerance <= (q->tolerance > 0 ? q->error / q->tolerance : -1))) {
        q->error = error;
        q->tolerance = tolerance;
        snprintf(q->file, sizeof q->file, "%s", report->file);
    }
}

/* Largest difference of n numbers, relative to the largest magnitude expected; scale 0: absolute.
 */
static double difference(const double *got, const double *expected, int n)
{
    double worst = 0, scale = 0;
    for (int i = 0; i < n; ++i) {
        double d = fabs(got[i] - expected[i]);
        worst = d > worst || isnan(d) ? d : worst;
        scale = fabs(expected[i]) > scale ? fabs(expected[i]) : scale;
    }
    /* arrays that are rounding through and through are compared with 1 */
    return worst / (scale > 1e-13 ? scale : 1);
}

static void compare(results *report, const json_t *object, const char *key, const double *got,
                    int ngot)
{
    int n;
    double *expected = reference_numbers(object, key, &n);
    if (!expected) {
        const bool partial = strstr(key, "_columns") || strstr(key, "_diag");
        const bool instead = json_object_get(object, "columns") != NULL;
        if (partial == instead)
            skip_over(report, "no %s in a state", key);
        return;
    }
    double tolerance = tolerance_of(key, report->long_chain);
    record(report, key, n == ngot ? difference(got, expected, n) : HUGE_VAL, tolerance);
    free(expected);
}

/* Everything a state of a tree file is compared in. */
typedef struct workspace {
    const cardo_system *system;
    cardo_state *state;
    int nbody, nu, nq; /* nbody without ground */
    double *numbers;   /* big enough for anything */
    double *small, *zero;
    cardo_spatial *forces, *totals, *spatials;
} workspace;

static const double *raw(const void *structs)
{
    return structs;
}

static void load_forces(const json_t *object, const char *key, int nbody, cardo_spatial *forces)
{
    double *numbers = calloc((size_t)nbody * 6 + 1, sizeof *numbers);
    reference_flatten(json_object_get(object, key), numbers, 6 * nbody);
    memset(forces, 0, (size_t)(nbody + 1) * sizeof *forces);
    for (int k = 1; k <= nbody; ++k) {
        forces[k].angular = v3_load(numbers + 6 * (k - 1));
        forces[k].linear = v3_load(numbers + 6 * (k - 1) + 3);
    }
    free(numbers);
}

/* A new array of the n numbers under a key; NULL when there are not as many. */
static double *exactly(const json_t *object, const char *key, int n)
{
    int found;
    double *numbers = reference_numbers(object, key, &found);
    if (found == n)
        return numbers;
    free(numbers);
    return NULL;
}

static void compare_mobilizers(results *report, const json_t *json, workspace *w)
{
    double *V = calloc((size_t)w->nbody * 6 + 1, sizeof *V);
    double *Hu = calloc((size_t)w->nbody * 6 + 1, sizeof *Hu);
    double *H = calloc((size_t)w->nu * 6 + 1, sizeof *H);
    double *map = calloc((size_t)w->nu * 6 + 1, sizeof *map);
    int column = 0;
    for (int k = 1; k <= w->nbody; ++k) {
        cardo_mobilizer_motion motion;
        cardo_body_info info;
        cardo_system_body(w->system, k, &info);
        cardo_body_mobilizer_motion(w->system, w->state, k, &motion, NULL);
        memcpy(V + 6 * (k - 1), &motion.V_FM, sizeof motion.V_FM);
        memcpy(Hu + 6 * (k - 1), &motion.Hdot_FM_u, sizeof motion.Hdot_FM_u);
        memcpy(H + 6 * column, motion.H_FM, (size_t)info.nu * sizeof *motion.H_FM);
        memcpy(map + 6 * column, motion.hinge_map, (size_t)info.nu * sizeof *motion.hinge_map);
        column += info.nu;
    }
    compare(report, json, "V_FM", V, 6 * w->nbody);
    compare(report, json, "Hdot_FM_u", Hu, 6 * w->nbody);
    compare(report, json, "H_FM", H, 6 * w->nu);
    compare(report, json, "H_PB_G", map, 6 * w->nu);
    free(V);
    free(Hu);
    free(H);
    free(map);
}

static void compare_kinematics(results *report, const json_t *json, workspace *w)
{
    const cardo_system *system = w->system;
    const int n = w->nbody;
    cardo_spatial momentum;
    cardo_vec3 com;
    double mass, energy;
    compare(report, json, "X_FM", raw(cardo_state_X_FM(w->state) + 1), 12 * n);
    compare(report, json, "X_GB", raw(cardo_state_X_GB(w->state) + 1), 12 * n);
    compare(report, json, "V_GB", raw(cardo_state_V_GB(w->state) + 1), 6 * n);
    compare(report, json, "A_GB", raw(cardo_state_A_GB(w->state) + 1), 6 * n);
    compare(report, json, "qdot", cardo_state_qdot(w->state), w->nq);
    compare(report, json, "qdotdot", cardo_state_qdotdot(w->state), w->nq);
    compare(report, json, "udot", cardo_state_udot(w->state), w->nu);
    compare_mobilizers(report, json, w);
    cardo_coriolis_accelerations(system, w->state, w->spatials, NULL);
    compare(report, json, "coriolis_acc", raw(w->spatials + 1), 6 * n);
    cardo_gyroscopic_forces(system, w->state, w->spatials, NULL);
    compare(report, json, "gyroscopic_force", raw(w->spatials + 1), 6 * n);
    cardo_kinetic_energy(system, w->state, &energy, NULL);
    compare(report, json, "kinetic_energy", &energy, 1);
    cardo_gravity_energy(system, w->state, &energy, NULL);
    compare(report, json, "gravity_potential_energy", &energy, 1);
    cardo_system_momentum(system, w->state, &mass, &com, &momentum, NULL);
    compare(report, json, "momentum_about_ground_origin", raw(&momentum), 6);
    compare(report, json, "system_com", raw(&com), 3);
    com = v3_scale(1 / mass, momentum.linear);
    compare(report, json, "system_com_vel", raw(&com), 3);
    cardo_com_acceleration(system, w->state, &com, NULL);
    compare(report, json, "system_com_acc", raw(&com), 3);
}

/* N block by block, by unit speeds. The 200-pin chain gives its first block only. */
static void compare_n(results *report, const json_t *json, workspace *w)
{
    const json_t *blocks = json_object_get(json, "N");
    for (size_t b = 0; b < json_array_size(blocks); ++b) {
        cardo_body_info info;
        double expected[64], got[64], inverse[7];
        if ((int)b >= w->nbody) {
            record(report, "N", HUGE_VAL, 1e-10);
            return;
        }
        cardo_system_body(w->system, (int)b + 1, &info);
        int n = reference_flatten(json_array_get(blocks, b), expected, 64);
        for (int j = 0; j < info.nu; ++j) {
            memset(w->small, 0, (size_t)w->nu * sizeof(double));
            w->small[info.u_first + j] = 1;
            cardo_multiply_n(w->system, w->state, w->small, w->numbers, NULL);
            for (int i = 0; i < info.nq; ++i)
                got[i * info.nu + j] = w->numbers[info.q_first + i];
            cardo_multiply_n_inverse(w->system, w->state, w->numbers, w->small, NULL);
            for (int i = 0; i < info.nu; ++i)
                inverse[i] = i == j;
            record(report, "N^-1 N = 1", difference(w->small + info.u_first, inverse, info.nu),
                   1e-10);
        }
        double error = n == info.nq * info.nu ? difference(got, expected, n) : HUGE_VAL;
        record(report, "N", error, 1e-10);
    }
}

static void pick_columns(const double *matrix, int n, const json_t *json, double *out)
{
    const json_t *columns = json_object_get(json, "columns");
    for (size_t c = 0; c < json_array_size(columns); ++c) {
        int j = (int)json_integer_value(json_array_get(columns, c));
        for (int i = 0; j >= 0 && j < n && (int)c < n && i < n; ++i)
            out[(int)c * n + i] = matrix[i * n + j];
    }
}

static void compare_matrix(results *report, const json_t *json, workspace *w, const char *name,
                           const char *columns, const char *diagonal)
{
    const int n = w->nu;
    double *picked = calloc((size_t)n * (size_t)n + 1, sizeof *picked);
    compare(report, json, name, w->numbers, n * n);
    pick_columns(w->numbers, n, json, picked);
    compare(report, json, columns, picked,
            n * (int)json_array_size(json_object_get(json, "columns")));
    for (int i = 0; i < n; ++i)
        picked[i] = w->numbers[i * n + i];
    compare(report, json, diagonal, picked, n);
    free(picked);
}

static void compare_matrices(results *report, const json_t *json, workspace *w)
{
    cardo_mass_matrix(w->system, w->state, w->numbers, NULL);
    compare_matrix(report, json, w, "M", "M_columns", "M_diag");
    cardo_mass_matrix_inverse(w->system, w->state, w->numbers, NULL);
    compare_matrix(report, json, w, "MInv", "MInv_columns", "MInv_diag");
    cardo_jacobian(w->system, w->state, w->numbers, NULL);
    compare(report, json, "J", w->numbers + 6 * w->nu, 6 * w->nbody * w->nu);
    for (int k = 1; k <= w->nbody; ++k)
        cardo_articulated_inertia(w->system, w->state, k, w->numbers + 36 * (k - 1), NULL);
    compare(report, json, "articulated_inertia", w->numbers, 36 * w->nbody);
}

static void compare_composites(results *report, const json_t *json, workspace *w)
{
    const json_t *list = json_object_get(json, "composite_inertia");
    if (!list) {
        skip_over(report, "no composite_inertia in a state");
        return;
    }
    cardo_mass_properties *composites = calloc((size_t)w->nbody + 1, sizeof *composites);
    double *expected = calloc((size_t)w->nbody * 10, sizeof *expected);
    cardo_composite_inertias(w->system, w->state, composites, NULL);
    for (int k = 0; k < w->nbody; ++k) {
        const json_t *item = json_array_get(list, (size_t)k);
        expected[10 * k] = json_number_value(json_object_get(item, "mass"));
        reference_flatten(json_object_get(item, "com"), expected + 10 * k + 1, 3);
        reference_flatten(json_object_get(item, "inertia"), expected + 10 * k + 4, 6);
    }
    record(report, "composite_inertia", difference(raw(composites + 1), expected, 10 * w->nbody),
           1e-10);
    free(composites);
    free(expected);
}

static void compare_products(results *report, const json_t *op, workspace *w, const double *v)
{
    const cardo_system *system = w->system;
    cardo_multiply_m(system, w->state, v, w->small, NULL);
    compare(report, op, "Mv", w->small, w->nu);
    cardo_multiply_minv(system, w->state, v, w->small, NULL);
    compare(report, op, "MInv_v", w->small, w->nu);
    cardo_multiply_j(system, w->state, v, w->spatials, NULL);
    compare(report, op, "Jv", raw(w->spatials + 1), 6 * w->nbody);
    load_forces(op, "F", w->nbody, w->spatials);
    cardo_multiply_jt(system, w->state, w->spatials, w->small, NULL);
    compare(report, op, "JTF", w->small, w->nu);
}

static void compare_dynamics(results *report, const json_t *json, workspace *w)
{
    const cardo_system *system = w->system;
    const json_t *op = json_object_get(json, "op");
    double *f = exactly(json, "mobility_forces", w->nu);
    double *id_udot = exactly(json, "id_udot", w->nu), *v = exactly(op, "v", w->nu);
    cardo_bias(system, w->state, w->small, NULL);
    compare(report, json, "bias", w->small, w->nu);
    cardo_inverse_dynamics(system, w->state, w->zero, w->forces, f, w->small, NULL);
    compare(report, json, "bias_minus_applied", w->small, w->nu);
    if (id_udot) {
        cardo_inverse_dynamics(system, w->state, id_udot, w->forces, f, w->small, NULL);
        compare(report, json, "id_residual", w->small, w->nu);
    } else {
        skip_over(report, "no id_udot in a state");
    }
    cardo_multiply_jt(system, w->state, w->totals, w->small, NULL);
    compare(report, json, "JT_total_body_forces", w->small, w->nu);
    if (v)
        compare_products(report, op, w, v);
    else
        skip_over(report, "no op.v in a state");
    cardo_reactions(system, w->state, w->spatials, NULL);
    compare(report, json, "reaction_on_body_at_M_in_G", raw(w->spatials + 1), 6 * w->nbody);
    compare(report, json, "reaction_ground", raw(w->spatials), 6);
    cardo_reactions_at_parent(system, w->state, w->spatials, NULL);
    compare(report, json, "reaction_on_parent_at_F_in_G", raw(w->spatials + 1), 6 * w->nbody);
    free(f);
    free(id_udot);
    free(v);
}

/* Fields that something is compared with. */
static const char *const compared[] = {"V_FM",
                                       "Hdot_FM_u",
                                       "H_FM",
                                       "H_PB_G",
                                       "X_FM",
                                       "X_GB",
                                       "V_GB",
                                       "A_GB",
                                       "qdot",
                                       "qdotdot",
                                       "udot",
                                       "coriolis_acc",
                                       "gyroscopic_force",
                                       "kinetic_energy",
                                       "gravity_potential_energy",
                                       "momentum_about_ground_origin",
                                       "system_com",
                                       "system_com_vel",
                                       "system_com_acc",
                                       "J",
                                       "articulated_inertia",
                                       "bias",
                                       "bias_minus_applied",
                                       "id_residual",
                                       "JT_total_body_forces",
                                       "reaction_on_body_at_M_in_G",
                                       "reaction_ground",
                                       "reaction_on_parent_at_F_in_G",
                                       "M",
                                       "M_columns",
                                       "M_diag",
                                       "MInv",
                                       "MInv_columns",
                                       "MInv_diag"};

/* Fields of a state that are inputs or remarks, or are read with others; all else is compared or
 * unknown. */
static void list_unknown(results *report, const json_t *json)
{
    static const char *const known[] = {"label",
                                        "q",
                                        "u",
                                        "mobility_forces",
                                        "body_forces",
                                        "total_body_forces",
                                        "id_udot",
                                        "op",
                                        "columns",
                                        "composite_inertia",
                                        "N",
                                        "eom_residual_rel",
                                        "simbody_builtin_FunctionBased",
                                        "simbody_qdot_as_returned",
                                        NULL};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        int i = 0;
        while (known[i] && strcmp(known[i], key) != 0)
            ++i;
        bool found = known[i] != NULL;
        for (int k = 0; k < (int)(sizeof compared / sizeof *compared); ++k)
            found = found || strcmp(compared[k], key) == 0;
        if (!found)
            skip_over(report, "nothing to compare the field %s with", key);
    }
}

static cardo_status compare_state(results *report, const json_t *json, workspace *w,
                                  cardo_error *error)
{
    double *q = exactly(json, "q", w->nq), *u = exactly(json, "u", w->nu);
    double *f = exactly(json, "mobility_forces", w->nu);
    cardo_status status = CARDO_OK;
    load_forces(json, "body_forces", w->nbody, w->forces);
    load_forces(json, "total_body_forces", w->nbody, w->totals);
    if (!q || !u) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "a state without %d numbers q and %d numbers u", w->nq, w->nu);
    } else {
        if (!f)
            skip_over(report, "no mobility_forces in a state: taken as zero");
        list_unknown(report, json);
        cardo_state_set_q(w->state, q);
        cardo_state_set_u(w->state, u);
        cardo_state_set_forces(w->state, w->forces, f);
        status = cardo_realize(w->system, w->state, CARDO_STAGE_ACCELERATION, error);
    }
    if (status == CARDO_OK) {
        compare_kinematics(report, json, w);
        compare_n(report, json, w);
        compare_matrices(report, json, w);
        compare_composites(report, json, w);
        compare_dynamics(report, json, w);
    }
    free(q);
    free(u);
    free(f);
    return status;
}

static cardo_status open_workspace(const cardo_system *system, workspace *w, cardo_error *error)
{
    *w = (workspace){.system = system};
    w->nbody = cardo_system_nbody(system) - 1;
    w->nu = cardo_system_nu(system);
    w->nq = cardo_system_nq(system);
    const size_t nb = (size_t)w->nbody + 1, nu = (size_t)w->nu + 1;
    w->numbers = calloc(nu * nu + 6 * nb * nu + 36 * nb + 8 * nb, sizeof *w->numbers);
    w->small = calloc(nu, sizeof *w->small);
    w->zero = calloc(nu, sizeof *w->zero);
    w->forces = calloc(nb, sizeof *w->forces);
    w->totals = calloc(nb, sizeof *w->totals);
    w->spatials = calloc(nb, sizeof *w->spatials);
    return cardo_state_create(system, &w->state, error);
}

static void close_workspace(workspace *w)
{
    cardo_state_destroy(w->state);
    free(w->numbers);
    free(w->small);
    free(w->zero);
    free(w->forces);
    free(w->totals);
    free(w->spatials);
}

static cardo_status check_tree(results *report, const json_t *file, cardo_error *error)
{
    cardo_system *system = NULL;
    workspace w = {0};
    const json_t *states = json_object_get(file, "states");
    cardo_status status;
    CARDO_TRY(reference_system(file, &system, error));
    CARDO_TRY(open_workspace(system, &w, error));
    if (json_array_size(states) == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "no states in the file");
    report->long_chain = w.nbody >= 100;
    for (size_t i = 0; i < json_array_size(states); ++i)
        CARDO_TRY(compare_state(report, json_array_get(states, i), &w, error));
done:
    close_workspace(&w);
    cardo_system_destroy(system);
    return status;
}

/* One classical Runge-Kutta stage's derivative. */
static cardo_status derivative(const cardo_system *system, cardo_state *state, const double *q,
                               const double *u, double *qdot, double *udot, cardo_error *error)
{
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    cardo_status status = cardo_realize(system, state, CARDO_STAGE_ACCELERATION, error);
    if (status != CARDO_OK)
        return status;
    if (cardo_system_nq(system) > 0)
        memcpy(qdot, cardo_state_qdot(state), (size_t)cardo_system_nq(system) * sizeof *qdot);
    if (cardo_system_nu(system) > 0)
        memcpy(udot, cardo_state_udot(state), (size_t)cardo_system_nu(system) * sizeof *udot);
    return CARDO_OK;
}

/* Gragg-Bulirsch-Stoer: the modified midpoint rule extrapolated in h^2 over 2, 4, ... 2 COLUMNS
 * substeps. y = (q, u). */
enum { COLUMNS = 8, LARGEST = 1024 };

static cardo_status midpoint(const cardo_system *system, cardo_state *state, const double *y0,
                             double interval, int substeps, double *out, cardo_error *error)
{
    const int nq = cardo_system_nq(system), n = nq + cardo_system_nu(system);
    const double h = interval / substeps;
    double before[LARGEST], now[LARGEST], rate[LARGEST];
    cardo_status status;
    CARDO_TRY(derivative(system, state, y0, y0 + nq, rate, rate + nq, error));
    for (int i = 0; i < n; ++i) {
        before[i] = y0[i];
        now[i] = y0[i] + h * rate[i];
    }
    for (int s = 1; s < substeps; ++s) {
        CARDO_TRY(derivative(system, state, now, now + nq, rate, rate + nq, error));
        for (int i = 0; i < n; ++i) {
            double next = before[i] + 2 * h * rate[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    CARDO_TRY(derivative(system, state, now, now + nq, rate, rate + nq, error));
    for (int i = 0; i < n; ++i)
        out[i] = 0.5 * (now[i] + before[i] + h * rate[i]);
done:
    return status;
}

/* One step; *correction: the last of the extrapolation, relative to the variables. */
static cardo_status extrapolated_step(const cardo_system *system, cardo_state *state,
                                      const double *y, double interval, double *out,
                                      double *correction, cardo_error *error)
{
    const int n = cardo_system_nq(system) + cardo_system_nu(system);
    static double table[COLUMNS][LARGEST];
    for (int c = 0; c < COLUMNS; ++c) {
        cardo_status status = midpoint(system, state, y, interval, 2 * (c + 1), table[c], error);
        if (status != CARDO_OK)
            return status;
    }
    double worst = 0, scale = 1;
    for (int level = 1; level < COLUMNS; ++level)
        for (int c = COLUMNS - 1; c >= level; --c) {
            double ratio = (double)(c + 1) / (c + 1 - level);
            for (int i = 0; i < n; ++i) {
                const double change = (table[c][i] - table[c - 1][i]) / (ratio * ratio - 1);
                table[c][i] += change;
                if (level == COLUMNS - 1)
                    worst = fmax(worst, fabs(change));
                scale = fmax(scale, fabs(table[c][i]));
            }
        }
    memcpy(out, table[COLUMNS - 1], (size_t)n * sizeof *out);
    *correction = worst / scale;
    return CARDO_OK;
}

/* Over the interval in as many steps as it takes for corrections near rounding. */
static cardo_status advance(const cardo_system *system, cardo_state *state, double *y,
                            double interval, cardo_error *error)
{
    const int n = cardo_system_nq(system) + cardo_system_nu(system);
    static double next[LARGEST];
    double done = 0, h = fmin(interval, 0.02), correction;
    while (done < interval) {
        h = fmin(h, interval - done);
        cardo_status status = extrapolated_step(system, state, y, h, next, &correction, error);
        if (status != CARDO_OK)
            return status;
        if (correction > 1e-13 && h > 1e-6 * interval) {
            h *= 0.5;
            continue;
        }
        memcpy(y, next, (size_t)n * sizeof *y);
        done = interval - done > h ? done + h : interval;
        if (correction < 1e-15)
            h *= 1.5;
    }
    return CARDO_OK;
}

/* Quaternions may come with either sign: turns each of ours to the side of the expected one. */
static void match_quaternions(const cardo_system *system, double *q, const double *expected)
{
    for (int k = 1; k < cardo_system_nbody(system); ++k) {
        cardo_body_info info;
        cardo_system_body(system, k, &info);
        const bool orientation = info.nq == info.nu + 1 || info.nq == info.nu + 2;
        double *a = q + info.q_first, dot = 0;
        for (int i = 0; orientation && i < 4; ++i)
            dot += a[i] * expected[info.q_first + i];
        for (int i = 0; orientation && dot < 0 && i < 4; ++i)
            a[i] = -a[i];
    }
}

static cardo_status total_energy(const cardo_system *system, cardo_state *state, double *energy,
                                 cardo_error *error)
{
    double kinetic = 0, potential = 0;
    cardo_status status;
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_VELOCITY, error));
    CARDO_TRY(cardo_kinetic_energy(system, state, &kinetic, error));
    CARDO_TRY(cardo_gravity_energy(system, state, &potential, error));
    *energy = kinetic + potential;
done:
    return status;
}

/* Compares one sample with the state at its time. */
static cardo_status compare_sample(results *report, const json_t *sample,
                                   const cardo_system *system, cardo_state *state, double *y,
                                   const double *q, const double *u, cardo_error *error)
{
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
    const json_t *energy_json = json_object_get(sample, "energy");
    double energy = 0;
    const double expected = json_number_value(energy_json);
    cardo_state_set_q(state, y);
    cardo_state_set_u(state, y + nq);
    if (nq > 0)
        memcpy(y, cardo_state_q(state), (size_t)nq * sizeof *y);
    cardo_status status = total_energy(system, state, &energy, error);
    match_quaternions(system, y, q);
    record(report, "trajectory q", difference(y, q, nq), 1e-8);
    record(report, "trajectory u", difference(y + nq, u, nu), 1e-8);
    if (energy_json)
        record(report, "trajectory energy", difference(&energy, &expected, 1), 1e-8);
    else
        skip_over(report, "no energy in a sample");
    return status;
}

static cardo_status follow(results *report, const json_t *samples, const cardo_system *system,
                           cardo_state *state, cardo_error *error)
{
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
    static double y[LARGEST];
    double time = 0;
    cardo_status status = CARDO_OK;
    for (size_t s = 0; s < json_array_size(samples) && status == CARDO_OK; ++s) {
        const json_t *sample = json_array_get(samples, s);
        const double t = json_number_value(json_object_get(sample, "t"));
        double *q = exactly(sample, "q", nq), *u = exactly(sample, "u", nu);
        if (!q || !u) {
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                "sample %zu has not %d numbers q and %d numbers u", s, nq, nu);
        } else if (s == 0) {
            memcpy(y, q, (size_t)nq * sizeof *q);
            memcpy(y + nq, u, (size_t)nu * sizeof *u);
        } else {
            status = advance(system, state, y, t - time, error);
        }
        time = t;
        if (status == CARDO_OK)
            status = compare_sample(report, sample, system, state, y, q, u, error);
        free(q);
        free(u);
    }
    return status;
}

static cardo_status check_trajectory(results *report, const json_t *file, cardo_error *error)
{
    cardo_system *system = NULL;
    cardo_state *state = NULL;
    cardo_status status;
    CARDO_TRY(reference_system(file, &system, error));
    CARDO_TRY(cardo_state_create(system, &state, error));
    if (cardo_system_nq(system) + cardo_system_nu(system) > LARGEST)
        status = CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "more than %d variables", (int)LARGEST);
    else if (json_array_size(json_object_get(file, "samples")) == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "no samples in the file");
    else
        status = follow(report, json_object_get(file, "samples"), system, state, error);
done:
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return status;
}

typedef cardo_status (*check)(results *report, const json_t *file, cardo_error *error);

/* Runs a check on every entry of a compressed file: figures by name. */
static void check_all(results *report, const char *root, const char *kind, check run)
{
    char path[4096];
    const char *name;
    json_t *file;
    snprintf(path, sizeof path, "%s/%s.json.gz", root, kind);
    json_t *files = support_json(path);
    report->nfailed += !files;
    json_object_foreach(files, name, file)
    {
        cardo_error error = {0};
        report->file = name;
        cardo_status status = run(report, file, &error);
        report->nunsupported += status == CARDO_ERROR_UNSUPPORTED;
        report->nfile += status == CARDO_OK;
        report->nfailed += status != CARDO_OK && status != CARDO_ERROR_UNSUPPORTED;
        if (status != CARDO_OK)
            printf("%s: %s: %s\n", name,
                   status == CARDO_ERROR_UNSUPPORTED ? "not supported" : "failed", error.message);
    }
    json_decref(files);
}

int main(int argc, char **argv)
{
    static results report;
    const char *root = argc > 1 ? argv[1] : support_source("tests/reference/multibody");
    check_all(&report, root, "trees", check_tree);
    check_all(&report, root, "trajectories", check_trajectory);
    printf("%-30s %8s %12s %10s  %s\n", "quantity", "arrays", "worst error", "tolerance", "file");
    for (int i = 0; i < report.nquantity; ++i) {
        const quantity *q = &report.quantities[i];
        printf("%-30s %8d %12.2e %10.0e  %s%s\n", q->name, q->count, q->error, q->tolerance,
               q->file, q->failures > 0 ? "  FAILED" : "");
    }
    for (int i = 0; i < report.nskipped; ++i)
        printf("left out: %s (%d times, first in %s)\n", report.skipped[i].what,
               report.skipped[i].count, report.skipped[i].file);
    printf("%d files compared, %d not supported, %d comparisons failed\n", report.nfile,
           report.nunsupported, report.nfailed);
    return report.nfailed > 0 || report.nfile == 0;
}
