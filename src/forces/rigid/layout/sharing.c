#include "forces/rigid/layout/sharing.h"

#include "base/memory.h"
#include "forces/rigid/kernels/kernels.h"

#include <stdlib.h>

/* Larger bodies fill blocks of their own well enough. */
enum { LARGEST_SHARED = CARDO_BLOCK + CARDO_BLOCK / 2 };

/* Atoms left out between two bodies, in the order of atoms, beyond which the second begins a block: one
 * sphere around both would be near to everything. */
enum { LONGEST_GAP = 40 };

typedef struct small_body {
    int body, natom, first_atom, last_atom;
} small_body;

static int by_first_atom(const void *a, const void *b)
{
    const small_body *p = a, *q = b;
    return p->first_atom - q->first_atom;
}

static int blocks_for(int natom)
{
    return (natom + CARDO_BLOCK - 1) / CARDO_BLOCK;
}

static void measure(int natom, const int *body_of_atom, int nbody, small_body *bodies)
{
    for (int b = 0; b < nbody; ++b)
        bodies[b] = (small_body){.body = b};
    for (int i = 0; i < natom; ++i) {
        small_body *of = &bodies[body_of_atom[i]];
        if (of->natom++ == 0)
            of->first_atom = i;
        of->last_atom = i;
    }
}

/* Leaves the small bodies alone, in the order of their first atoms, and returns how many there are. */
static int keep_small(int nbody, small_body *bodies)
{
    int n = 0;
    for (int b = 0; b < nbody; ++b)
        if (bodies[b].natom > 0 && bodies[b].natom <= LARGEST_SHARED)
            bodies[n++] = bodies[b];
    qsort(bodies, (size_t)n, sizeof *bodies, by_first_atom);
    return n;
}

static void hand_out_slots(int n, const small_body *bodies, cardo_rigid_sharing *sharing)
{
    int next = 0;
    for (int k = 0; k < n; ++k) {
        if (k > 0 && bodies[k].first_atom - bodies[k - 1].last_atom > LONGEST_GAP)
            next = CARDO_BLOCK * blocks_for(next);
        sharing->first_slot[bodies[k].body] = next;
        next += bodies[k].natom;
    }
    sharing->nblock = blocks_for(next);
}

cardo_status cardo_rigid_sharing_find(int natom, int nbody, const int *body_of_atom,
                                      cardo_rigid_sharing *sharing, cardo_error *error)
{
    cardo_status status;
    small_body *bodies = NULL;
    int alone = 0;
    CARDO_TRY(CARDO_ALLOCATE(&bodies, nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&sharing->first_slot, nbody, error));
    measure(natom, body_of_atom, nbody, bodies);
    int n = keep_small(nbody, bodies);
    for (int b = 0; b < nbody; ++b)
        sharing->first_slot[b] = -1;
    for (int k = 0; k < n; ++k)
        alone += blocks_for(bodies[k].natom);
    hand_out_slots(n, bodies, sharing);
    /* A pair of shared blocks costs more than one of bodies' own: a third of the blocks has to be saved. */
    if (3 * sharing->nblock > 2 * alone) {
        for (int b = 0; b < nbody; ++b)
            sharing->first_slot[b] = -1;
        sharing->nblock = 0;
    }
done:
    cardo_free(bodies);
    return status;
}

void cardo_rigid_sharing_clear(cardo_rigid_sharing *sharing)
{
    cardo_free(sharing->first_slot);
}
