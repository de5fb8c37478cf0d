#include "loop_models.h"

#include "cardo/manifold.h"
#include "multibody/reference_json.h"
#include "multibody/tree/operators.h"
#include "support/reference.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Files stay read: tests make the same models again and again. */
static const json_t *find(const char *file, const char *name)
{
    static json_t *loops, *trajectories;
    json_t **all = strcmp(file, "loops") == 0 ? &loops : &trajectories;
    char path[128];
    snprintf(path, sizeof path, "tests/reference/multibody/%s.json.gz", file);
    if (!*all)
        *all = support_json(support_source(path));
    assert_non_null(*all);
    const json_t *found = json_object_get(*all, name);
    assert_non_null(found);
    return found;
}

static cardo_status pull(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    const loop_model *m = user;
    (void)error;
    evaluation->energy = 0;
    if (m->ntorsion == 0)
        return CARDO_OK;
    if (m->first > 0) {
        const double stretch = evaluation->q[0] - m->hinge_q0;
        evaluation->energy = 0.5 * m->hinge_k * stretch * stretch;
        evaluation->mobility_forces[0] -= m->hinge_k * stretch;
    }
    for (int i = 0; i < m->ntorsion; ++i) {
        const double angle = m->n[i] * evaluation->q[m->first + i] - m->delta[i];
        evaluation->energy += m->k[i] * (1 + cos(angle));
        evaluation->mobility_forces[m->first + i] += m->k[i] * m->n[i] * sin(angle);
    }
    return CARDO_OK;
}

static void begin(loop_model *m)
{
    cardo_error error = {0};
    assert_ok(reference_system(m->file, &m->system, &error), &error);
    assert_ok(cardo_state_create(m->system, &m->state, &error), &error);
    assert_ok(
        cardo_callback_provider_create(pull, m, CARDO_FORCE_DETERMINISTIC, &m->provider, &error),
        &error);
}

static void finish(loop_model *m, const double *q)
{
    cardo_error error = {0};
    cardo_state_set_q(m->state, q);
    assert_ok(cardo_realize(m->system, m->state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_degrees_of_freedom(m->system, m->state, &m->freedoms, &error), &error);
}

void loop_model_create(loop_model *m, const char *name)
{
    double q[LOOP_MOST_Q];
    *m = (loop_model){.file = find("loops", name)};
    begin(m);
    const json_t *potential = json_object_get(m->file, "potential");
    const json_t *torsions = json_object_get(potential, "torsions");
    const json_t *hinge = json_object_get(potential, "hinge");
    m->kT = support_number(m->file, "kT");
    m->hinge_k = support_number(hinge, "k");
    m->hinge_q0 = support_number(hinge, "q0");
    m->first = json_is_object(hinge) ? 1 : 0;
    m->ntorsion = (int)json_array_size(torsions);
    assert_int_equal(m->first + m->ntorsion, cardo_system_nq(m->system));
    for (int i = 0; i < m->ntorsion; ++i) {
        const json_t *torsion = json_array_get(torsions, (size_t)i);
        m->k[i] = support_number(torsion, "k");
        m->n[i] = support_number(torsion, "n");
        m->delta[i] = support_number(torsion, "delta");
    }
    reference_flatten(json_object_get(json_object_get(m->file, "assembly"), "q"), q, LOOP_MOST_Q);
    finish(m, q);
}

void loop_model_create_trajectory(loop_model *m, const char *name)
{
    double q[LOOP_MOST_Q], u[LOOP_MOST_Q];
    *m = (loop_model){.file = find("trajectories", name), .kT = 2.5};
    begin(m);
    const json_t *first = json_array_get(json_object_get(m->file, "samples"), 0);
    reference_flatten(json_object_get(first, "q"), q, LOOP_MOST_Q);
    reference_flatten(json_object_get(first, "u"), u, LOOP_MOST_Q);
    finish(m, q);
    cardo_state_set_u(m->state, u);
}

void loop_model_destroy(loop_model *m)
{
    cardo_force_provider_destroy(m->provider);
    cardo_state_destroy(m->state);
    cardo_system_destroy(m->system);
}

/* Files of two freedoms have the marginal of the first coordinate alone. */
int loop_model_bins(const loop_model *m, const char *ensemble, int coordinate, double *edges,
                    double *probabilities)
{
    const json_t *marginal = json_object_get(m->file, "marginal");
    const json_t *bins = json_object_get(json_object_get(marginal, ensemble), "bins");
    const json_t *bounds = json_object_get(marginal, "bin_edges");
    const json_t *first = json_array_get(bins, 0);
    if (!json_is_array(first)) {
        if (coordinate > 0 || !first)
            return 0;
        reference_flatten(bounds, edges, LOOP_MOST_BINS + 1);
        return reference_flatten(bins, probabilities, LOOP_MOST_BINS);
    }
    reference_flatten(json_array_get(bounds, (size_t)coordinate), edges, LOOP_MOST_BINS + 1);
    return reference_flatten(json_array_get(bins, (size_t)coordinate), probabilities,
                             LOOP_MOST_BINS);
}

int loop_model_bin(int coordinate, const double *edges, int nbin, double value)
{
    const double wrapped = coordinate > 0 ? remainder(value, 2 * pi) : value;
    for (int b = 0; b < nbin; ++b)
        if (wrapped >= edges[b] && wrapped <= edges[b + 1])
            return b;
    return -1;
}

double loop_model_variation(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += 0.5 * fabs(a[i] - b[i]);
    return sum;
}

double loop_model_violation(const loop_model *m)
{
    double errors[64], most = 0;
    cardo_error error = {0};
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(m->system, &counts);
    assert_ok(cardo_constraint_position_errors(m->system, m->state, errors, &error), &error);
    for (int i = 0; i < counts.nposition; ++i)
        most = fmax(most, fabs(errors[i]));
    return most;
}
