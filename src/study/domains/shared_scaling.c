#include "study/domains/shared_scaling.h"

#include "base/memory.h"
#include "forces/relax/bonded_geometry.h"
#include "study/reference/bonded_scaling.h"

#include <string.h>

enum { FIRST, LAST, ENDS, AXES = 3 };

/* Slots are atoms in their order, each at the first end and then, where that is its own, at the last. */
struct cardo_shared_scaling {
    cardo_shared_atoms atoms;
    cardo_band_scaling *band;
    int nvariable;
    int *slot_of;    /* variables, as points (nvariable) */
    int *slot[ENDS]; /* (natom) */
    int *frame;      /* body at the last end of what is shared, else -1 (natom) */
    cardo_scaled_atoms view[ENDS];
    double *sorted; /* (nvariable x 3) */
    double *rest;   /* of slots (nvariable) */
};

void cardo_shared_scaling_destroy(cardo_shared_scaling *s)
{
    if (!s)
        return;
    cardo_band_scaling_destroy(s->band);
    cardo_free(s->slot_of);
    for (int end = 0; end < ENDS; ++end)
        cardo_free(s->slot[end]);
    cardo_free(s->frame);
    cardo_free(s->sorted);
    cardo_free(s->rest);
    cardo_free(s);
}

static void sort(cardo_shared_scaling *s, const double *v)
{
    for (int p = 0; p < s->nvariable; ++p)
        memcpy(s->sorted + AXES * (size_t)s->slot_of[p], v + AXES * (size_t)p, AXES * sizeof *v);
}

static void unsort(const cardo_shared_scaling *s, double *v)
{
    for (int p = 0; p < s->nvariable; ++p)
        memcpy(v + AXES * (size_t)p, s->sorted + AXES * (size_t)s->slot_of[p], AXES * sizeof *v);
}

void cardo_shared_scaling_forth(cardo_shared_scaling *s, double *v)
{
    sort(s, v);
    cardo_band_scaling_forth(s->band, s->sorted);
    unsort(s, v);
    cardo_held_poses_project(s->atoms.poses, v);
}

void cardo_shared_scaling_back(cardo_shared_scaling *s, double *v)
{
    cardo_held_poses_project(s->atoms.poses, v);
    sort(s, v);
    cardo_band_scaling_back(s->band, s->sorted);
    unsort(s, v);
}

static void number_slots(cardo_shared_scaling *s)
{
    const int natom = s->atoms.terms->natom;
    for (int i = 0, n = 0; i < natom; ++i) {
        const int own = s->atoms.own[i];
        s->slot[FIRST][i] = s->slot[LAST][i] = s->slot_of[i] = n++;
        s->frame[i] = own < 0 ? s->atoms.body[i] : -1;
        if (own >= 0)
            s->slot[LAST][i] = s->slot_of[natom + own] = n++;
    }
    s->view[FIRST] = (cardo_scaled_atoms){.positions = s->atoms.first, .slot = s->slot[FIRST]};
    s->view[LAST] = (cardo_scaled_atoms){.positions = s->atoms.last,
                                         .slot = s->slot[LAST],
                                         .frame = s->frame,
                                         .lead = s->atoms.lead};
}

cardo_status cardo_shared_scaling_create(const cardo_shared_atoms *atoms, int nown,
                                         cardo_shared_scaling **out, cardo_error *error)
{
    cardo_status status;
    cardo_shared_scaling *s = NULL;
    const int natom = atoms->terms->natom;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&s, 1, error));
    s->atoms = *atoms;
    s->nvariable = natom + nown;
    CARDO_TRY(CARDO_ALLOCATE(&s->slot_of, s->nvariable, error));
    for (int end = 0; end < ENDS; ++end)
        CARDO_TRY(CARDO_ALLOCATE(&s->slot[end], natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->frame, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->sorted, AXES * (size_t)s->nvariable, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->rest, s->nvariable, error));
    CARDO_TRY(cardo_band_scaling_create(s->nvariable, ENDS * CARDO_BONDED_SCALING_FARTHEST,
                                        &s->band, error));
    number_slots(s);
    *out = s;
    s = NULL;
done:
    cardo_shared_scaling_destroy(s);
    return status;
}

/* What a spring holds alike is the distance at the last end less that at the first. */
static void add_pair(const cardo_shared_scaling *s, cardo_band_scaling *band, const int *pair)
{
    enum { POINTS = 2 * ENDS };
    int slot[POINTS];
    cardo_vec3 slope[POINTS];
    for (int end = 0; end < ENDS; ++end) {
        const cardo_vec3 d = cardo_from_to(s->view[end].positions, pair[0], pair[1]);
        const double length = v3_norm(d);
        if (!(length > 0))
            return;
        for (int k = 0; k < 2; ++k) {
            const double sign = (k == 1) == (end == LAST) ? 1 : -1;
            slot[2 * end + k] = s->slot[end][pair[k]];
            slope[2 * end + k] =
                cardo_scaled_slope(&s->view[end], pair[k], v3_scale(sign / length, d));
        }
    }
    cardo_band_scaling_add(band, POINTS, slot, slope, s->atoms.alike);
}

static void add_squares(void *context, cardo_band_scaling *band)
{
    const cardo_shared_scaling *s = context;
    for (int end = 0; end < ENDS; ++end)
        cardo_bonded_scaling_add(band, s->atoms.terms, &s->view[end]);
    for (int k = 0; k < s->atoms.npair; ++k)
        add_pair(s, band, s->atoms.pair[k]);
}

cardo_status cardo_shared_scaling_make(cardo_shared_scaling *s, const double *gradient,
                                       cardo_error *error)
{
    for (int p = 0; p < s->nvariable; ++p)
        s->rest[s->slot_of[p]] = cardo_bonded_scaling_rest(gradient + AXES * (size_t)p);
    return cardo_band_scaling_make(s->band, s->rest, add_squares, s, error);
}
