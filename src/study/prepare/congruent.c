#include "study/prepare/congruent.h"

#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

/* Half of the last digit of a PDB file is 0.00005 nm, in each of three directions, of both chains. */
static const double farthest = 0.001; /* nm */

typedef struct comparison {
    const cardo_structure *s;
    const bool *loose;
    double *one, *other; /* places of what is not loose (natom x 3) */
} comparison;

static int first_atom(const cardo_structure *s, int chain)
{
    return s->residue_first[s->chain_first[chain]];
}

static int atoms_of(const cardo_structure *s, int chain)
{
    return first_atom(s, chain + 1) - first_atom(s, chain);
}

static bool have_like_atoms(const comparison *c, int one, int other)
{
    const cardo_structure *s = c->s;
    const int a = first_atom(s, one), b = first_atom(s, other), n = atoms_of(s, one);
    const int first_of_one = s->chain_first[one], first_of_other = s->chain_first[other];
    if (n != atoms_of(s, other))
        return false;
    for (int i = 0; i < n; ++i) {
        const int r = s->atom_residue[a + i], t = s->atom_residue[b + i];
        if (r - first_of_one != t - first_of_other || c->loose[a + i] != c->loose[b + i] ||
            strcmp(s->atom_name[a + i].text, s->atom_name[b + i].text) != 0 ||
            strcmp(s->residue_name[r].text, s->residue_name[t].text) != 0)
            return false;
    }
    return true;
}

static bool is_copy(const comparison *c, int one, int other, cardo_transform *motion)
{
    const cardo_structure *s = c->s;
    const size_t a = 3 * (size_t)first_atom(s, one), b = 3 * (size_t)first_atom(s, other);
    int n = 0;
    if (!have_like_atoms(c, one, other))
        return false;
    for (int i = 0; i < atoms_of(s, one); ++i)
        if (!c->loose[first_atom(s, one) + i]) {
            memcpy(c->one + 3 * (size_t)n, s->position + a + 3 * (size_t)i, 3 * sizeof *c->one);
            memcpy(c->other + 3 * (size_t)n, s->position + b + 3 * (size_t)i, 3 * sizeof *c->one);
            ++n;
        }
    /* a few points, or some on a line, have no one motion: such chains are looked at by themselves */
    if (n < 3 || cardo_superpose(n, c->one, c->other, NULL, motion, NULL, NULL) != CARDO_OK)
        return false;
    for (size_t k = 0; k < 3 * (size_t)n; k += 3) {
        const cardo_vec3 at = xform_point(*motion, v3_load(c->one + k));
        if (v3_norm(v3_sub(at, v3_load(c->other + k))) > farthest)
            return false;
    }
    return true;
}

cardo_status cardo_congruent_chains(const cardo_structure *structure, const bool *loose, int *first,
                                    cardo_transform *motion, cardo_error *error)
{
    cardo_status status;
    comparison c = {.s = structure, .loose = loose};
    CARDO_TRY(CARDO_ALLOCATE(&c.one, 3 * (size_t)structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&c.other, 3 * (size_t)structure->natom, error));
    for (int k = 0; k < structure->nchain; ++k) {
        first[k] = k;
        for (int i = 0; i < k && first[k] == k; ++i)
            if (first[i] == i && is_copy(&c, i, k, &motion[k]))
                first[k] = i;
    }
done:
    cardo_free(c.one);
    cardo_free(c.other);
    return status;
}
