#include "sampling/variables/variable.h"

#include "base/memory.h"
#include "multibody/algebra/spatial.h"
#include "multibody/tree/operators.h"
#include "sampling/variables/kind.h"

#include <math.h>
#include <string.h>

const cardo_variable_kind *const cardo_variable_kinds[] = {
    &cardo_variable_coordinate, &cardo_variable_distance, &cardo_variable_angle,
    &cardo_variable_dihedral,   &cardo_variable_rmsd,     NULL,
};

const cardo_variable_kind *cardo_variable_kind_find(const char *name)
{
    for (int k = 0; cardo_variable_kinds[k]; ++k)
        if (strcmp(cardo_variable_kinds[k]->name, name) == 0)
            return cardo_variable_kinds[k];
    return NULL;
}

const char *cardo_variable_kind_name(const cardo_variable_kind *kind)
{
    return kind->name;
}

const char *cardo_variable_kind_doc(const cardo_variable_kind *kind)
{
    return kind->doc;
}

int cardo_variable_kind_ngroup(const cardo_variable_kind *kind)
{
    return kind->ngroup;
}

static cardo_status check_group(const cardo_variable *variable, int g,
                                const cardo_station_group *group, cardo_error *error)
{
    const int nstation = cardo_system_nstation(variable->system);
    if (group->count < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "group %d of variable %s is empty: %s takes %d groups of stations", g + 1,
                          variable->name, variable->kind->name, variable->kind->ngroup);
    for (int i = 0; i < group->count; ++i) {
        if (group->station[i] < 0 || group->station[i] >= nstation)
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                              "group %d of variable %s has station %d: there are 0 to %d", g + 1,
                              variable->name, group->station[i], nstation - 1);
        if (group->weight && !(group->weight[i] > 0 && isfinite(group->weight[i])))
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                              "group %d of variable %s has weight %g at station %d: weights are "
                              "above zero",
                              g + 1, variable->name, group->weight[i], group->station[i]);
    }
    return CARDO_OK;
}

/* The part on a body, added where there is none. */
static variable_part *part_on(variable_centre *centre, int body)
{
    for (int k = 0; k < centre->npart; ++k)
        if (centre->part[k].body == body)
            return &centre->part[k];
    centre->part[centre->npart].body = body;
    return &centre->part[centre->npart++];
}

/* One part for each body that carries stations of the group, and each station's share. */
static cardo_status gather_parts(const cardo_system *system, const cardo_station_group *group,
                                 variable_centre *centre, cardo_error *error)
{
    cardo_status status;
    double total = 0;
    const int n = group->count, nbody = cardo_system_nbody(system);
    CARDO_TRY(CARDO_ALLOCATE(&centre->part, n < nbody ? n : nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&centre->station, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&centre->share, n, error));
    centre->nstation = n;
    memcpy(centre->station, group->station, (size_t)n * sizeof *centre->station);
    for (int i = 0; i < n; ++i)
        total += group->weight ? group->weight[i] : 1;
    for (int i = 0; i < n; ++i) {
        variable_part *part = part_on(centre, cardo_system_station_body(system, group->station[i]));
        centre->share[i] = (group->weight ? group->weight[i] : 1) / total;
        part->share += centre->share[i];
        part->centre = v3_add_scaled(part->centre, centre->share[i],
                                     cardo_system_station_position(system, group->station[i]));
    }
    for (int k = 0; k < centre->npart; ++k)
        centre->part[k].centre = v3_scale(1 / centre->part[k].share, centre->part[k].centre);
done:
    return status;
}

cardo_status cardo_variable_create(const cardo_variable_kind *kind, const cardo_system *system,
                                   const cardo_variable_definition *definition,
                                   cardo_variable **out, cardo_error *error)
{
    cardo_status status;
    cardo_variable *variable;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&variable, 1, error));
    variable->kind = kind;
    variable->system = system;
    variable->unit = kind->unit;
    variable->period = kind->period;
    CARDO_TRY(cardo_copy_string(&variable->name, definition->name ? definition->name : kind->name,
                                error));
    CARDO_TRY(CARDO_ALLOCATE(&variable->body_forces, cardo_system_nbody(system), error));
    for (int g = 0; g < kind->ngroup; ++g) {
        CARDO_TRY(check_group(variable, g, &definition->group[g], error));
        if (kind->of_centres)
            CARDO_TRY(gather_parts(system, &definition->group[g], &variable->centre[g], error));
    }
    if (kind->compile)
        CARDO_TRY(kind->compile(variable, definition, error));
    *out = variable;
    return CARDO_OK;
done:
    cardo_variable_destroy(variable);
    return status;
}

static void clear_centre(variable_centre *centre)
{
    cardo_free(centre->part);
    cardo_free(centre->station);
    cardo_free(centre->share);
}

void cardo_variable_destroy(cardo_variable *variable)
{
    if (!variable)
        return;
    if (variable->kind->release)
        variable->kind->release(variable->data);
    for (int g = 0; g < CARDO_VARIABLE_MAX_GROUPS; ++g)
        clear_centre(&variable->centre[g]);
    cardo_free(variable->body_forces);
    cardo_free(variable->name);
    cardo_free(variable);
}

static cardo_vec3 place_centre(const variable_centre *centre, const cardo_transform *X_GB)
{
    cardo_vec3 sum = v3(0, 0, 0);
    for (int k = 0; k < centre->npart; ++k) {
        const variable_part *part = &centre->part[k];
        sum = v3_add_scaled(sum, part->share, xform_point(X_GB[part->body], part->centre));
    }
    return sum;
}

/* Adds what a force on the centre is on the bodies, about their origins. */
static void spread_force(const variable_centre *centre, const cardo_transform *X_GB,
                         cardo_vec3 force, cardo_spatial *body_forces)
{
    for (int k = 0; k < centre->npart; ++k) {
        const variable_part *part = &centre->part[k];
        const cardo_vec3 arm = m33_mul_v3(X_GB[part->body].R, part->centre);
        const cardo_vec3 f = v3_scale(part->share, force);
        const cardo_spatial F = {v3_cross(arm, f), f};
        body_forces[part->body] = spatial_add(body_forces[part->body], F);
    }
}

static cardo_status evaluate_centres(const cardo_variable *variable, const cardo_state *state,
                                     double *value, double *gradient, cardo_error *error)
{
    const cardo_transform *X_GB = cardo_state_X_GB(state);
    const int ngroup = variable->kind->ngroup, nbody = cardo_system_nbody(variable->system);
    cardo_vec3 centre[CARDO_VARIABLE_MAX_GROUPS], slope[CARDO_VARIABLE_MAX_GROUPS];
    for (int g = 0; g < ngroup; ++g)
        centre[g] = place_centre(&variable->centre[g], X_GB);
    cardo_status status = variable->kind->of_centres(centre, value, gradient ? slope : NULL, error);
    if (status != CARDO_OK || !gradient)
        return status;
    memset(variable->body_forces, 0, (size_t)nbody * sizeof *variable->body_forces);
    for (int g = 0; g < ngroup; ++g)
        spread_force(&variable->centre[g], X_GB, slope[g], variable->body_forces);
    return cardo_multiply_jt(variable->system, state, variable->body_forces, gradient, error);
}

static cardo_status evaluate(const cardo_variable *variable, const cardo_state *state,
                             double *value, double *gradient, cardo_error *error)
{
    if (cardo_state_stage(state) < CARDO_STAGE_POSITION)
        return CARDO_FAIL(error, CARDO_ERROR_STAGE,
                          "variable %s needs positions: the state is realized to time only",
                          variable->name);
    cardo_status status = variable->kind->of_centres
                              ? evaluate_centres(variable, state, value, gradient, error)
                              : variable->kind->evaluate(variable, state, value, gradient, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error, "variable %s: ", variable->name);
    return status;
}

cardo_status cardo_variable_value(const cardo_variable *variable, const cardo_state *state,
                                  double *value, cardo_error *error)
{
    return evaluate(variable, state, value, NULL, error);
}

cardo_status cardo_variable_gradient(const cardo_variable *variable, const cardo_state *state,
                                     double *value, double *gradient, cardo_error *error)
{
    return evaluate(variable, state, value, gradient, error);
}

static cardo_status centres_at(const cardo_variable *variable, const double *positions,
                               double *value, cardo_error *error)
{
    cardo_vec3 centre[CARDO_VARIABLE_MAX_GROUPS];
    for (int g = 0; g < variable->kind->ngroup; ++g) {
        const variable_centre *group = &variable->centre[g];
        centre[g] = v3(0, 0, 0);
        for (int i = 0; i < group->nstation; ++i)
            centre[g] = v3_add_scaled(centre[g], group->share[i],
                                      v3_load(positions + 3 * (size_t)group->station[i]));
    }
    return variable->kind->of_centres(centre, value, NULL, error);
}

cardo_status cardo_variable_value_at(const cardo_variable *variable, const double *positions,
                                     double *value, cardo_error *error)
{
    cardo_status status;
    if (variable->kind->of_centres)
        status = centres_at(variable, positions, value, error);
    else if (variable->kind->evaluate_at)
        status = variable->kind->evaluate_at(variable, positions, value, error);
    else
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "variable %s is a %s, which atoms that all move do not have",
                          variable->name, variable->kind->name);
    if (status != CARDO_OK)
        cardo_error_prefix(error, "variable %s: ", variable->name);
    return status;
}

double cardo_variable_period(const cardo_variable *variable)
{
    return variable->period;
}

double cardo_variable_difference(const cardo_variable *variable, double a, double b)
{
    return variable->period > 0 ? remainder(a - b, variable->period) : a - b;
}

void cardo_variable_bounds(const cardo_variable *variable, double *lowest, double *highest)
{
    const cardo_variable_kind *kind = variable->kind;
    const bool bounded = kind->lowest < kind->highest;
    *lowest = bounded ? kind->lowest : (double)-INFINITY;
    *highest = bounded ? kind->highest : (double)INFINITY;
}

const char *cardo_variable_unit(const cardo_variable *variable)
{
    return variable->unit;
}

const char *cardo_variable_name(const cardo_variable *variable)
{
    return variable->name;
}

const cardo_variable_kind *cardo_variable_kind_of(const cardo_variable *variable)
{
    return variable->kind;
}
