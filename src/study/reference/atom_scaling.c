#include "study/reference/atom_scaling.h"

#include "base/memory.h"
#include "study/reference/bonded_scaling.h"

/* Of a first step where nothing is scaled, nm. */
static const double plain_step = 0.002;

static void forth(void *context, double *v)
{
    const cardo_atom_scaling *s = context;
    cardo_band_scaling_forth(s->band, v);
    cardo_held_poses_project(s->poses, v);
}

static void back(void *context, double *v)
{
    const cardo_atom_scaling *s = context;
    cardo_held_poses_project(s->poses, v);
    cardo_band_scaling_back(s->band, v);
}

static void add_squares(void *context, cardo_band_scaling *band)
{
    const cardo_atom_scaling *s = context;
    cardo_bonded_scaling_add(band, s->terms,
                             &(const cardo_scaled_atoms){.positions = s->positions});
}

static cardo_status make(void *context, const double *positions, const double *gradient,
                         cardo_error *error)
{
    cardo_atom_scaling *s = context;
    s->positions = positions;
    for (int i = 0; i < s->terms->natom; ++i)
        s->rest[i] = cardo_bonded_scaling_rest(gradient + 3 * (size_t)i);
    return cardo_band_scaling_make(s->band, s->rest, add_squares, s, error);
}

cardo_status cardo_atom_scaling_open(const cardo_terms *terms, const cardo_held_poses *poses,
                                     cardo_atom_scaling *out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *out = (cardo_atom_scaling){.scaling = {out, CARDO_ATOM_SCALING_ITERATIONS, make, forth, back},
                                .terms = terms,
                                .poses = poses};
    if (!terms)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&out->rest, terms->natom, error));
    status =
        cardo_band_scaling_create(terms->natom, CARDO_BONDED_SCALING_FARTHEST, &out->band, error);
done:
    return status;
}

void cardo_atom_scaling_clear(cardo_atom_scaling *scaling)
{
    cardo_band_scaling_destroy(scaling->band);
    cardo_free(scaling->rest);
    scaling->band = NULL;
    scaling->rest = NULL;
}

void cardo_atom_scaling_choose(const cardo_atom_scaling *scaling, cardo_minimize_options *options)
{
    options->scaling = scaling->band ? &scaling->scaling : NULL;
    options->unit = scaling->band ? CARDO_ATOM_SCALING_STEP : plain_step;
}
