#include "base/memory.h"
#include "model/internal.h"

static const double contact = 0.45; /* nm, between heavy atoms */

/* Contacts of a residue with every body (count, nbody), and the body nearest to it. */
static int count_contacts(const cardo_model *model, const int *body, int residue, int *count)
{
    const cardo_structure *s = model->structure[0].structure;
    double least = HUGE_VAL;
    int nearest = -1;
    for (int j = 0; j < s->natom; ++j) {
        int owner = body[s->atom_residue[j]];
        if (owner < 0 || s->element[j] == 1)
            continue;
        for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i) {
            cardo_vec3 d = v3_sub(v3_load(s->position + 3 * i), v3_load(s->position + 3 * j));
            double square = v3_dot(d, d);
            if (s->element[i] == 1)
                continue;
            count[owner] += square < contact * contact;
            if (square < least) {
                least = square;
                nearest = owner;
            }
        }
    }
    return nearest;
}

cardo_status cardo_model_seat_ligands(const cardo_model *model, cardo_model_owners *owners,
                                      cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    int *count, *seat = NULL;
    cardo_status status = CARDO_ALLOCATE(&count, model->nbody, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&seat, s->nresidue, error);
    for (int r = 0; status == CARDO_OK && r < s->nresidue; ++r) {
        seat[r] = -1;
        if (owners->body[r] >= 0 || owners->hinge[r] >= 0 || !cardo_model_is_free_molecule(s, r))
            continue;
        for (int b = 0; b < model->nbody; ++b)
            count[b] = 0;
        int best = count_contacts(model, owners->body, r, count);
        for (int b = 0; b < model->nbody && best >= 0; ++b)
            if (count[b] > count[best])
                best = b;
        seat[r] = best;
    }
    /* All at once, so that ligands do not follow each other. */
    for (int r = 0; status == CARDO_OK && r < s->nresidue; ++r)
        if (seat[r] >= 0) {
            owners->body[r] = seat[r];
            model->body[seat[r]].residue[r] = true;
        }
    cardo_free(count);
    cardo_free(seat);
    return status;
}
