#include "base/memory.h"
#include "base/text.h"
#include "model/conformer.h"
#include "model/internal.h"

#include <string.h>

/* The structure that conformer="" names, or CARDO_CONFORMER_BEST. */
static cardo_status find_choice(const cardo_model *model, const cardo_rigid_definition *rigid,
                                int *choice, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE], hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = rigid->conformer};
    *choice = CARDO_CONFORMER_BEST;
    if (strcmp(rigid->conformer, "best") == 0)
        return CARDO_OK;
    cardo_near_try(&near, "best");
    for (int k = 0; k < model->nstructure; ++k) {
        if (strcmp(rigid->conformer, model->structure[k].id) == 0) {
            *choice = k;
            return CARDO_OK;
        }
        cardo_near_try(&near, model->structure[k].id);
    }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: conformer=\"%s\" is neither \"best\" nor a structure of this model%s",
                      cardo_place_text(rigid->place, here), rigid->conformer,
                      cardo_near_hint(&near, hint));
}

static cardo_status keep_deposited(cardo_model *model, cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    if (model->deposited)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&model->deposited, 3 * s->natom, error);
    if (status == CARDO_OK)
        memcpy(model->deposited, s->position, 3 * (size_t)s->natom * sizeof *s->position);
    return status;
}

cardo_status cardo_model_choose_conformers(cardo_model *model,
                                           const cardo_model_definition *definition,
                                           const cardo_model_owners *owners, const int *order,
                                           cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_structure *s = model->structure[0].structure;
    bool *given = NULL, *best = NULL, any_best = false;
    CARDO_TRY(CARDO_ALLOCATE(&given, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&best, s->nresidue, error));
    for (int b = 0; b < model->nbody; ++b) {
        const cardo_rigid_definition *rigid = &definition->body[order[b]];
        int choice;
        if (!rigid->conformer)
            continue;
        CARDO_TRY(find_choice(model, rigid, &choice, error));
        CARDO_TRY(keep_deposited(model, error));
        for (int r = 0; r < s->nresidue; ++r) {
            given[r] = owners->body[r] == b;
            best[r] |= given[r] && choice == CARDO_CONFORMER_BEST;
        }
        any_best |= choice == CARDO_CONFORMER_BEST;
        if (choice > 0)
            CARDO_TRY(
                cardo_conformers_apply(model, choice, given, owners->body, s->position, error));
    }
    /* The best ones last, together, among what the others have been given. */
    if (any_best)
        CARDO_TRY(cardo_conformers_apply(model, CARDO_CONFORMER_BEST, best, owners->body,
                                         s->position, error));
done:
    cardo_free(given);
    cardo_free(best);
    return status;
}
