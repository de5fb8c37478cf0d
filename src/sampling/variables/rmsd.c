#include "base/memory.h"
#include "multibody/algebra/spatial.h"
#include "multibody/tree/operators.h"
#include "sampling/variables/kind.h"
#include "sampling/variables/superposition.h"

#include <stddef.h>
#include <string.h>

/* An RMSD below this is 0 with rounding, and its gradient noise. nm */
static const double rounding = 1e-12;

typedef struct rmsd_data {
    int n;
    int *number;           /* of the station                                   (n) */
    int *body;             /* (n)                                                  */
    cardo_vec3 *station;   /* in body frames                                   (n) */
    cardo_vec3 *reference; /* from the reference's centre                      (n) */
    double *share;         /* of the weight: they add up to 1                  (n) */
    cardo_vec3 *place;     /* working memory: in ground                        (n) */
} rmsd_data;

static void release(void *memory)
{
    rmsd_data *data = memory;
    if (!data)
        return;
    cardo_free(data->number);
    cardo_free(data->body);
    cardo_free(data->station);
    cardo_free(data->reference);
    cardo_free(data->share);
    cardo_free(data->place);
    cardo_free(data);
}

static cardo_status compile(cardo_variable *variable, const cardo_variable_definition *definition,
                            cardo_error *error)
{
    cardo_status status;
    const cardo_station_group *group = &definition->group[0];
    cardo_vec3 centre = v3(0, 0, 0);
    double total = 0;
    rmsd_data *data;
    if (group->count < 3 || !definition->reference)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "variable %s: an RMSD needs three stations or more and their places in "
                          "a reference",
                          variable->name);
    CARDO_TRY(CARDO_ALLOCATE(&data, 1, error));
    variable->data = data;
    data->n = group->count;
    CARDO_TRY(CARDO_ALLOCATE(&data->number, data->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&data->body, data->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&data->station, data->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&data->reference, data->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&data->share, data->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&data->place, data->n, error));
    for (int i = 0; i < data->n; ++i) {
        data->number[i] = group->station[i];
        data->body[i] = cardo_system_station_body(variable->system, group->station[i]);
        data->station[i] = cardo_system_station_position(variable->system, group->station[i]);
        data->reference[i] = v3_load(definition->reference + 3 * (size_t)i);
        data->share[i] = group->weight ? group->weight[i] : 1;
        total += data->share[i];
        centre = v3_add_scaled(centre, data->share[i], data->reference[i]);
    }
    for (int i = 0; i < data->n; ++i) {
        data->share[i] /= total;
        data->reference[i] = v3_add_scaled(data->reference[i], -1 / total, centre);
    }
done:
    return status;
}

/* Takes the stations' places in working memory relative to their centre. */
static void centre_places(const rmsd_data *data)
{
    cardo_vec3 centre = v3(0, 0, 0);
    for (int i = 0; i < data->n; ++i)
        centre = v3_add_scaled(centre, data->share[i], data->place[i]);
    for (int i = 0; i < data->n; ++i)
        data->place[i] = v3_sub(data->place[i], centre);
}

static cardo_mat33 correlation(const rmsd_data *data)
{
    cardo_mat33 C = {{{0}}};
    for (int i = 0; i < data->n; ++i) {
        double x[3], y[3];
        v3_store(x, v3_scale(data->share[i], data->place[i]));
        v3_store(y, data->reference[i]);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                C.m[a][b] += x[a] * y[b];
    }
    return C;
}

/* Slopes share (place - R reference)/rmsd as spatial forces about body origins. The rotation and the
 * centres are at their best, so that what they change is of second order. */
static void gather_slopes(const cardo_variable *variable, const cardo_transform *X_GB,
                          cardo_mat33 R, double rmsd)
{
    const rmsd_data *data = variable->data;
    cardo_spatial *F = variable->body_forces;
    for (int k = 0; k < cardo_system_nbody(variable->system); ++k)
        F[k] = spatial_zero();
    if (!(rmsd > rounding))
        return;
    for (int i = 0; i < data->n; ++i) {
        const int body = data->body[i];
        const cardo_vec3 miss = v3_sub(data->place[i], m33_mul_v3(R, data->reference[i]));
        const cardo_vec3 f = v3_scale(data->share[i] / rmsd, miss);
        const cardo_vec3 arm = m33_mul_v3(X_GB[body].R, data->station[i]);
        F[body] = spatial_add(F[body], (cardo_spatial){v3_cross(arm, f), f});
    }
}

/* The value for the places in working memory, and the best rotation of the reference. */
static cardo_status superpose(const rmsd_data *data, cardo_mat33 *R, double *value,
                              cardo_error *error)
{
    double sum = 0;
    centre_places(data);
    if (!cardo_best_rotation(correlation(data), R))
        return CARDO_FAIL(error, CARDO_RECOVERABLE,
                          "several superpositions on the reference are equally good here");
    for (int i = 0; i < data->n; ++i) {
        const cardo_vec3 miss = v3_sub(data->place[i], m33_mul_v3(*R, data->reference[i]));
        sum += data->share[i] * v3_dot(miss, miss);
    }
    *value = sqrt(sum);
    return CARDO_OK;
}

static cardo_status evaluate(const cardo_variable *variable, const cardo_state *state,
                             double *value, double *gradient, cardo_error *error)
{
    const rmsd_data *data = variable->data;
    const cardo_transform *X_GB = cardo_state_X_GB(state);
    cardo_mat33 R;
    for (int i = 0; i < data->n; ++i)
        data->place[i] = xform_point(X_GB[data->body[i]], data->station[i]);
    cardo_status status = superpose(data, &R, value, error);
    if (status != CARDO_OK || !gradient)
        return status;
    gather_slopes(variable, X_GB, R, *value);
    return cardo_multiply_jt(variable->system, state, variable->body_forces, gradient, error);
}

static cardo_status evaluate_at(const cardo_variable *variable, const double *positions,
                                double *value, cardo_error *error)
{
    const rmsd_data *data = variable->data;
    cardo_mat33 R;
    for (int i = 0; i < data->n; ++i)
        data->place[i] = v3_load(positions + 3 * (size_t)data->number[i]);
    return superpose(data, &R, value, error);
}

const cardo_variable_kind cardo_variable_rmsd = {
    .name = "rmsd",
    .doc = "root mean square distance of a selection from a reference, superposed on it",
    .unit = "nm",
    .highest = (double)INFINITY,
    .ngroup = 1,
    .compile = compile,
    .release = release,
    .evaluate = evaluate,
    .evaluate_at = evaluate_at,
};
