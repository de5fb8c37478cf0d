#include "base/memory.h"
#include "model/internal.h"

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
        double least = HUGE_VAL;
        int best = -1;
        for (int b = 0; b < model->nbody; ++b)
            count[b] = 0;
        cardo_model_add_contacts(s, r, NULL, owners->body, count, &best, &least);
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
