#include "study/domains/shared_scaling.h"

#include "base/memory.h"
#include "study/reference/bonded_scaling.h"

#include <string.h>

enum { FIRST = 0, MOST = CARDO_SHARED_MOST, AXES = 3 };

/* Slots are atoms in their order, each at the first place and then, where that is its own, at the others. */
struct cardo_shared_scaling {
    cardo_shared_atoms atoms;
    cardo_band_scaling *band;
    int nvariable;
    int *slot_of;    /* variables, as points (nvariable) */
    int *slot[MOST]; /* (natom) */
    int *frame;      /* body after the first place of what is shared, else -1 (natom) */
    cardo_scaled_atoms view[MOST];
    double *sorted; /* (nvariable x 3) */
    double *rest;   /* of slots (nvariable) */
};

void cardo_shared_scaling_destroy(cardo_shared_scaling *s)
{
    if (!s)
        return;
    cardo_band_scaling_destroy(s->band);
    cardo_free(s->slot_of);
    for (int k = 0; k < MOST; ++k)
        cardo_free(s->slot[k]);
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
    const cardo_shared_atoms *atoms = &s->atoms;
    const int natom = atoms->terms->natom;
    for (int i = 0, n = 0; i < natom; ++i) {
        const int own = atoms->own[i];
        s->slot[FIRST][i] = s->slot_of[i] = n++;
        for (int k = 1; k < atoms->nplace; ++k)
            s->slot[k][i] = own < 0 ? s->slot[FIRST][i]
                                    : (s->slot_of[natom + (k - 1) * atoms->nown + own] = n++);
        s->frame[i] = own < 0 ? atoms->body[i] : -1;
    }
    for (int k = 0; k < atoms->nplace; ++k)
        s->view[k] = (cardo_scaled_atoms){.positions = atoms->at[k],
                                          .slot = s->slot[k],
                                          .frame = k == FIRST ? NULL : s->frame,
                                          .lead = k == FIRST ? NULL : atoms->lead[k]};
}

cardo_status cardo_shared_scaling_create(const cardo_shared_atoms *atoms,
                                         cardo_shared_scaling **out, cardo_error *error)
{
    cardo_status status;
    cardo_shared_scaling *s = NULL;
    const int natom = atoms->terms->natom;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&s, 1, error));
    s->atoms = *atoms;
    s->nvariable = natom + (atoms->nplace - 1) * atoms->nown;
    CARDO_TRY(CARDO_ALLOCATE(&s->slot_of, s->nvariable, error));
    for (int k = 0; k < atoms->nplace; ++k)
        CARDO_TRY(CARDO_ALLOCATE(&s->slot[k], natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->frame, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->sorted, AXES * (size_t)s->nvariable, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->rest, s->nvariable, error));
    CARDO_TRY(cardo_band_scaling_create(s->nvariable, atoms->nplace * CARDO_BONDED_SCALING_FARTHEST,
                                        &s->band, error));
    number_slots(s);
    *out = s;
    s = NULL;
done:
    cardo_shared_scaling_destroy(s);
    return status;
}

/* What a spring holds alike is what a place has less what the first has. */
static void add_alike(const cardo_shared_scaling *s, cardo_band_scaling *band, int place,
                      const cardo_alike *alike)
{
    enum { POINTS = 2 * CARDO_ALIKE_ATOMS };
    const int where[2] = {FIRST, place};
    int slot[POINTS], n = 0;
    cardo_vec3 slope[POINTS];
    for (int w = 0; w < 2; ++w) {
        const cardo_scaled_atoms *view = &s->view[where[w]];
        cardo_vec3 of[CARDO_ALIKE_ATOMS];
        cardo_alike_measure(alike, view->positions, of);
        for (int k = 0; k < alike->natom; ++k, ++n) {
            slot[n] = view->slot[alike->atom[k]];
            slope[n] = cardo_scaled_slope(view, alike->atom[k], v3_scale(w == 1 ? 1 : -1, of[k]));
        }
    }
    cardo_band_scaling_add(band, n, slot, slope, alike->stiffness);
}

static void add_squares(void *context, cardo_band_scaling *band)
{
    const cardo_shared_scaling *s = context;
    for (int place = 0; place < s->atoms.nplace; ++place)
        cardo_bonded_scaling_add(band, s->atoms.terms, &s->view[place]);
    for (int place = 1; place < s->atoms.nplace; ++place)
        for (int k = 0; k < s->atoms.nalike; ++k)
            add_alike(s, band, place, &s->atoms.alike[k]);
}

cardo_status cardo_shared_scaling_make(cardo_shared_scaling *s, const double *gradient,
                                       cardo_error *error)
{
    for (int p = 0; p < s->nvariable; ++p)
        s->rest[s->slot_of[p]] = cardo_bonded_scaling_rest(gradient + AXES * (size_t)p);
    return cardo_band_scaling_make(s->band, s->rest, add_squares, s, error);
}
