#include "forces/rigid/model.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>

enum { VIEW_ARRAYS = sizeof(cardo_rigid_view_double) / sizeof(double *) };

/* Hands out the arrays of a view from one piece of memory. */
#define SPREAD(view, memory, n)                                                                    \
    do {                                                                                           \
        (view)->x = (memory);                                                                      \
        (view)->y = (view)->x + (n);                                                               \
        (view)->z = (view)->y + (n);                                                               \
        (view)->x_rest = (view)->z + (n);                                                          \
        (view)->y_rest = (view)->x_rest + (n);                                                     \
        (view)->z_rest = (view)->y_rest + (n);                                                     \
        (view)->charge = (view)->z_rest + (n);                                                     \
        (view)->half_sigma = (view)->charge + (n);                                                 \
        (view)->root_epsilon = (view)->half_sigma + (n);                                           \
        (view)->gb_charge = (view)->root_epsilon + (n);                                            \
        (view)->offset_radius = (view)->gb_charge + (n);                                           \
        (view)->scaled = (view)->offset_radius + (n);                                              \
        (view)->scaled2 = (view)->scaled + (n);                                                    \
        (view)->scaled3 = (view)->scaled2 + (n);                                                   \
        (view)->born = (view)->scaled3 + (n);                                                      \
        (view)->half_inverse_born = (view)->born + (n);                                            \
        (view)->chain = (view)->half_inverse_born + (n);                                           \
        (view)->root_inverse_born = (view)->chain + (n);                                           \
        (view)->born_alone = (view)->root_inverse_born + (n);                                      \
        (view)->growth = (view)->born_alone + (n);                                                 \
        (view)->root_inverse_middle = (view)->growth + (n);                                        \
    } while (0)

static void fill_pairs(cardo_rigid_model *model, const cardo_terms *terms, int slot, int atom,
                       bool filler)
{
    cardo_rigid_view_double *view = &model->full;
    view->half_sigma[slot] = 0.5 * cardo_terms_sigma(terms, atom);
    view->root_epsilon[slot] = filler ? 0 : 2 * sqrt(cardo_terms_epsilon(terms, atom));
    view->charge[slot] = filler ? 0 : sqrt(CARDO_COULOMB) * cardo_terms_charge(terms, atom);
}

static void fill_solvent(cardo_rigid_model *model, const cardo_terms *terms, int slot, int atom,
                         bool filler)
{
    cardo_rigid_view_double *view = &model->full;
    double strength =
        CARDO_COULOMB * (1 / terms->solute_dielectric - 1 / terms->solvent_dielectric);
    double s = filler ? 0
                      : cardo_terms_gb_scale(terms, atom) *
                            (cardo_terms_gb_radius(terms, atom) - CARDO_RIGID_RADIUS_OFFSET);
    view->gb_charge[slot] = filler ? 0 : sqrt(strength) * cardo_terms_charge(terms, atom);
    view->offset_radius[slot] = cardo_terms_gb_radius(terms, atom) - CARDO_RIGID_RADIUS_OFFSET;
    view->scaled[slot] = s;
    view->scaled2[slot] = s * s;
    view->scaled3[slot] = s * s * s;
}

/* Charges in single precision whose errors do not add up: each takes over what rounding has left of
 * those before it, so that groups of neighbours keep their total. The same few charges come again
 * and again in a protein, and rounded one by one would give it a charge of its own. */
static void round_charges(int n, const double *charge, float *rounded)
{
    double left = 0;
    for (int k = 0; k < n; ++k) {
        rounded[k] = charge[k] == 0 ? 0 : (float)(charge[k] + left);
        left += charge[k] - (double)rounded[k];
    }
}

/* The numbers that poses do not change, in the other views too. */
static void copy_parameters(cardo_rigid_model *model)
{
    const int n = model->layout->nslot;
    const cardo_rigid_layout *layout = model->layout;
    /* The arrays between, no others: what is not touched takes no memory, and on some machines reading touches. */
    float *to = model->part.charge;
    for (const double *from = model->full.charge; from < model->full.chain; ++from, ++to)
        *to = (float)*from;
    round_charges(n, model->full.charge, model->part.charge);
    round_charges(n, model->full.gb_charge, model->part.gb_charge);
    model->full_inside = model->full;
    model->full_inside.x = layout->station;
    model->full_inside.y = layout->station + n;
    model->full_inside.z = layout->station + 2 * (size_t)n;
    if (cardo_rigid_is_by_radius(model))
        return;
    model->part_inside = model->part;
    model->part_inside.x = (float *)model->memory_float.memory + VIEW_ARRAYS * (size_t)n;
    model->part_inside.y = model->part_inside.x + n;
    model->part_inside.z = model->part_inside.y + n;
    model->part_inside.x_rest = model->part_inside.z + n;
    model->part_inside.y_rest = model->part_inside.x_rest + n;
    model->part_inside.z_rest = model->part_inside.y_rest + n;
    for (int k = 0; k < 3 * n; ++k)
        cardo_rigid_split(layout->station[k], &model->part_inside.x[k],
                          &model->part_inside.x_rest[k]);
}

cardo_status cardo_rigid_views_create(cardo_rigid_model *model, const cardo_terms *terms,
                                      cardo_error *error)
{
    cardo_status status;
    const cardo_rigid_layout *layout = model->layout;
    const size_t n = (size_t)layout->nslot;
    CARDO_TRY(cardo_pages_take(&model->memory_double, VIEW_ARRAYS * n * sizeof(double), error));
    const size_t inside = cardo_rigid_is_by_radius(model) ? 0 : 6 * n;
    CARDO_TRY(
        cardo_pages_take(&model->memory_float, (VIEW_ARRAYS * n + inside) * sizeof(float), error));
    CARDO_TRY(CARDO_ALLOCATE(&model->sphere, layout->nblock, error));
    CARDO_TRY(CARDO_ALLOCATE(&model->group_sphere, layout->first_group[layout->nbody + 1], error));
    CARDO_TRY(CARDO_ALLOCATE(&model->body_sphere, layout->nbody + 1, error));
    SPREAD(&model->full, (double *)model->memory_double.memory, n);
    /* They are zero in double, and are read. */
    model->full.y_rest = model->full.z_rest = model->full.x_rest;
    SPREAD(&model->part, (float *)model->memory_float.memory, n);
    for (int slot = 0; slot < layout->nslot; ++slot) {
        bool filler = slot % CARDO_BLOCK >= layout->count[slot / CARDO_BLOCK];
        if (model->has_pairs)
            fill_pairs(model, terms, slot, layout->atom[slot], filler);
        if (model->has_solvent)
            fill_solvent(model, terms, slot, layout->atom[slot], filler);
        model->full.born[slot] = model->full.half_inverse_born[slot] = 1;
    }
    copy_parameters(model);
done:
    return status;
}

static cardo_rigid_sphere move(cardo_rigid_sphere s, cardo_transform X)
{
    cardo_vec3 p = xform_point(X, v3(s.x, s.y, s.z));
    return (cardo_rigid_sphere){p.x, p.y, p.z, s.radius};
}

static void place_slots(cardo_rigid_model *model, int from, int to, cardo_transform X)
{
    const int n = model->layout->nslot;
    const double *x = model->layout->station, *y = x + n, *z = y + n;
    for (int k = from; k < to; ++k)
        cardo_rigid_place_slot(model, k, xform_point(X, v3(x[k], y[k], z[k])));
}

static void place_body(cardo_rigid_model *model, int body, cardo_transform X)
{
    const cardo_rigid_layout *layout = model->layout;
    const int first = layout->first_block[body], end = layout->first_block[body + 1];
    if (first < end)
        place_slots(model, CARDO_BLOCK * first, CARDO_BLOCK * end, X);
    else
        place_slots(model, layout->first_slot[body],
                    layout->first_slot[body] + layout->natom_of[body], X);
    for (int k = first; k < end; ++k)
        model->sphere[k] = move(layout->block_sphere[k], X);
    for (int k = layout->first_group[body]; k < layout->first_group[body + 1]; ++k)
        model->group_sphere[k] = move(layout->group_sphere[k], X);
    model->body_sphere[body] = move(layout->body_sphere[body], X);
}

/* The sphere about the middle of n atoms from a slot on. */
static cardo_rigid_sphere around_atoms(const cardo_rigid_view_double *view, int slot, int n)
{
    cardo_rigid_sphere s = {0, 0, 0, 0};
    for (int k = slot; k < slot + n; ++k) {
        s.x += view->x[k] / n;
        s.y += view->y[k] / n;
        s.z += view->z[k] / n;
    }
    for (int k = slot; k < slot + n; ++k) {
        double x = view->x[k] - s.x, y = view->y[k] - s.y, z = view->z[k] - s.z;
        s.radius = fmax(s.radius, x * x + y * y + z * z);
    }
    s.radius = sqrt(s.radius);
    return s;
}

static cardo_rigid_sphere around_spheres(const cardo_rigid_sphere *spheres, int n)
{
    cardo_rigid_sphere s = {0, 0, 0, 0};
    for (int k = 0; k < n; ++k) {
        s.x += spheres[k].x / n;
        s.y += spheres[k].y / n;
        s.z += spheres[k].z / n;
    }
    for (int k = 0; k < n; ++k) {
        double x = spheres[k].x - s.x, y = spheres[k].y - s.y, z = spheres[k].z - s.z;
        s.radius = fmax(s.radius, sqrt(x * x + y * y + z * z) + spheres[k].radius);
    }
    return s;
}

/* What bodies share changes its shape with their poses. */
static void place_shared(cardo_rigid_model *model)
{
    const cardo_rigid_layout *layout = model->layout;
    const int shared = layout->nbody, first = layout->first_block[shared];
    const int end = layout->first_block[shared + 1];
    for (int block = first; block < end; ++block) {
        const int slot = CARDO_BLOCK * block, n = layout->count[block];
        for (int k = slot + n; k < slot + CARDO_BLOCK; ++k) {
            model->full.x[k] = model->full.x[slot + n - 1];
            model->full.y[k] = model->full.y[slot + n - 1];
            model->full.z[k] = model->full.z[slot + n - 1];
            cardo_rigid_split(model->full.x[k], &model->part.x[k], &model->part.x_rest[k]);
            cardo_rigid_split(model->full.y[k], &model->part.y[k], &model->part.y_rest[k]);
            cardo_rigid_split(model->full.z[k], &model->part.z[k], &model->part.z_rest[k]);
        }
        model->sphere[block] = around_atoms(&model->full, slot, n);
    }
    for (int group = layout->first_group[shared]; group < layout->first_group[shared + 1];
         ++group) {
        const int from = first + CARDO_BLOCK_GROUP * (group - layout->first_group[shared]);
        const int to = from + CARDO_BLOCK_GROUP < end ? from + CARDO_BLOCK_GROUP : end;
        model->group_sphere[group] = around_spheres(model->sphere + from, to - from);
    }
    model->body_sphere[shared] = around_spheres(model->sphere + first, end - first);
}

typedef struct placing {
    cardo_rigid_model *model;
    const cardo_transform *X_GB;
    cardo_vec3 origin;
} placing;

static void place_task(void *arg, int body)
{
    const placing *job = arg;
    cardo_rigid_model *model = job->model;
    cardo_transform X = job->X_GB[body];
    X.p = v3_sub(X.p, job->origin);
    place_body(model, body, X);
    if (!model->far || model->far->root[body] == model->far->root[body + 1])
        return;
    cardo_far_turn(model->far, model->kernels, body, X);
    if (model->has_solvent)
        cardo_far_turn_volumes(model->far, model->kernels, body, X.R);
}

void cardo_rigid_place(cardo_rigid_model *model, const cardo_transform *X_GB, cardo_vec3 origin)
{
    placing job = {model, X_GB, origin};
    if (model->far)
        cardo_pool_run(model->pool, model->layout->nbody, place_task, &job);
    for (int body = 0; !model->far && body < model->layout->nbody; ++body)
        place_task(&job, body);
    place_shared(model);
    if (model->far && model->far->shared.nrow > 0)
        cardo_far_shared_place(model);
}

cardo_status cardo_rigid_place_still(cardo_rigid_model *model, cardo_error *error)
{
    cardo_transform *still;
    const cardo_status status = CARDO_ALLOCATE(&still, model->layout->nbody, error);
    if (status != CARDO_OK)
        return status;
    for (int body = 0; body < model->layout->nbody; ++body)
        still[body] = xform_identity();
    cardo_rigid_place(model, still, v3(0, 0, 0));
    cardo_free(still);
    return CARDO_OK;
}
