#include "forces/coarse/profile.h"

#include "base/memory.h"
#include "model/poses.h"

#include <math.h>

static const double from = -0.25, to = 1.25;
/* Scales that are tried. */
static const double least_scale = 1e-4, largest_scale = 1e6;
/* How far a well may be from its end of the path. */
static const double well_reach = 0.2;

bool cardo_coarse_has_path(const cardo_model *model)
{
    for (int b = 0; b < model->nbody; ++b)
        if (model->body[b].fit)
            return true;
    return false;
}

static void place(const cardo_coarse_sites *sites, const cardo_transform *X,
                  cardo_coarse_work *work)
{
    for (int i = 0; i < sites->nsite; ++i) {
        cardo_vec3 r = xform_point(X[sites->body[i]], v3_load(sites->reference + 3 * i));
        work->position[i] = r.x;
        work->position[work->stride + i] = r.y;
        work->position[2 * work->stride + i] = r.z;
    }
}

static cardo_status evaluate(const cardo_model *model, const cardo_coarse_energy *energy,
                             cardo_transform *X, cardo_coarse_work *work,
                             cardo_coarse_profile *profile, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int i = 0; i < profile->npoint && status == CARDO_OK; ++i) {
        profile->fraction[i] = from + (to - from) * i / (profile->npoint - 1);
        status = cardo_model_poses(model, profile->fraction[i], true, X, error);
        if (status != CARDO_OK)
            break;
        place(&energy->sites, X, work);
        status = cardo_coarse_evaluate(energy, work, error);
        profile->rest[i] = work->energy - work->term[energy->nterm - 1];
        for (int k = 0; k < energy->nbasin; ++k)
            profile->basin[i * energy->nbasin + k] = work->basin[k] - energy->basin[k].offset;
    }
    return status;
}

cardo_status cardo_coarse_profile_make(const cardo_model *model, const cardo_coarse_energy *energy,
                                       int npoint, cardo_coarse_profile *out, cardo_error *error)
{
    cardo_status status;
    cardo_transform *X = NULL;
    cardo_coarse_work work = {0};
    *out = (cardo_coarse_profile){.npoint = npoint, .nbasin = energy->nbasin};
    if (!cardo_coarse_has_path(model))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "wells and barrier are measured along a path, and no body of this model "
                          "is joined by <path>");
    CARDO_TRY(CARDO_ALLOCATE(&X, model->nbody, error));
    CARDO_TRY(cardo_coarse_work_create(energy, &work, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->fraction, npoint, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->rest, npoint, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->basin, (size_t)npoint * (size_t)energy->nbasin, error));
    CARDO_TRY(evaluate(model, energy, X, &work, out, error));
done:
    cardo_free(X);
    cardo_coarse_work_clear(&work);
    return status;
}

void cardo_coarse_profile_clear(cardo_coarse_profile *profile)
{
    cardo_free(profile->fraction);
    cardo_free(profile->rest);
    cardo_free(profile->basin);
    *profile = (cardo_coarse_profile){0};
}

static double mixed(const cardo_coarse_profile *profile, int i, const cardo_coarse_mixture *m)
{
    const double *V = profile->basin + (size_t)i * (size_t)profile->nbasin;
    double lowest = HUGE_VAL, sum = 0;
    for (int k = 0; k < profile->nbasin; ++k)
        lowest = fmin(lowest, m->scale * V[k] + m->offset[k]);
    for (int k = 0; k < profile->nbasin; ++k)
        sum += exp(-(m->scale * V[k] + m->offset[k] - lowest) / m->mixing);
    return m->scale * profile->rest[i] + lowest - m->mixing * log(sum);
}

/* The extreme of the parabola through points i - 1, i, i + 1. */
static void refine(const cardo_coarse_profile *profile, const double *U, int i, double *where,
                   double *value)
{
    *where = profile->fraction[i];
    *value = U[i];
    if (i == 0 || i == profile->npoint - 1)
        return;
    double slope = 0.5 * (U[i + 1] - U[i - 1]), bend = U[i + 1] - 2 * U[i] + U[i - 1];
    if (fabs(bend) < 1e-12 || fabs(slope) > fabs(bend))
        return;
    *where -= slope / bend * (profile->fraction[1] - profile->fraction[0]);
    *value -= 0.5 * slope * slope / bend;
}

cardo_coarse_wells cardo_coarse_profile_wells(const cardo_coarse_profile *profile,
                                              const cardo_coarse_mixture *mixture, double *values)
{
    const int n = profile->npoint;
    cardo_coarse_wells wells = {0};
    int left = 0, ridge = -1, best[2] = {0, 0}, right = 0;
    double highest = 0;
    for (int i = 0; i < n; ++i)
        values[i] = mixed(profile, i, mixture);
    /* right, the lowest place from i + 1 on, is looked for anew only when i has come to it. */
    for (int i = 1; i + 1 < n; ++i) {
        if (values[i - 1] < values[left])
            left = i - 1;
        if (right <= i) {
            right = i + 1;
            for (int j = i + 2; j < n; ++j)
                if (values[j] < values[right])
                    right = j;
        }
        double height = values[i] - fmax(values[left], values[right]);
        if (height > highest) {
            highest = height;
            ridge = i;
            best[0] = left;
            best[1] = right;
        }
    }
    if (ridge < 0)
        return wells;
    wells.two = true;
    for (int k = 0; k < 2; ++k)
        refine(profile, values, best[k], &wells.well[k], &wells.energy[k]);
    refine(profile, values, ridge, &wells.ridge, &wells.ridge_energy);
    return wells;
}

bool cardo_coarse_profile_level(const cardo_coarse_profile *profile, double difference,
                                cardo_coarse_mixture *mixture, cardo_coarse_wells *wells,
                                double *values)
{
    enum { ROUNDS = 60 };
    double lowest[2] = {HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < profile->npoint; ++i)
        for (int k = 0; k < 2; ++k)
            lowest[k] =
                fmin(lowest[k], mixture->scale * (profile->rest[i] + profile->basin[2 * i + k]));
    mixture->offset[1] = mixture->offset[0] + difference - (lowest[1] - lowest[0]);
    for (int round = 0; round < ROUNDS; ++round) {
        *wells = cardo_coarse_profile_wells(profile, mixture, values);
        if (!wells->two || fabs(wells->well[0]) > well_reach ||
            fabs(wells->well[1] - 1) > well_reach)
            return false;
        double off = difference - (wells->energy[1] - wells->energy[0]);
        if (fabs(off) < 1e-9)
            return true;
        mixture->offset[1] += off;
    }
    return false;
}

cardo_status cardo_coarse_profile_solve(const cardo_coarse_profile *profile, double barrier,
                                        double difference, cardo_coarse_mixture *mixture,
                                        cardo_coarse_wells *wells, cardo_error *error)
{
    double *values, low = least_scale, high = largest_scale;
    cardo_status status = CARDO_ALLOCATE(&values, profile->npoint, error);
    if (status != CARDO_OK)
        return status;
    while (high / low > 1 + 1e-13) {
        mixture->scale = sqrt(low * high);
        bool two = cardo_coarse_profile_level(profile, difference, mixture, wells, values);
        if (two && wells->ridge_energy - wells->energy[0] > barrier)
            high = mixture->scale;
        else
            low = mixture->scale;
    }
    mixture->scale = high;
    double reached = cardo_coarse_profile_level(profile, difference, mixture, wells, values)
                         ? wells->ridge_energy - wells->energy[0]
                         : HUGE_VAL;
    if (!(fabs(reached - barrier) < 1e-6 * barrier))
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT,
                       "there are no two wells at the ends of the path with a barrier of %g "
                       "kJ/mol, a difference of %g and a mixing energy of %g between them: ask "
                       "for a higher barrier, a smaller difference or less mixing",
                       barrier, difference, mixture->mixing);
    cardo_free(values);
    return status;
}
