#include "base/memory.h"
#include "model/internal.h"
#include "structure/atoms/selection.h"

#include <string.h>

static cardo_status allocate_owners(cardo_model_owners *owners, int nresidue, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(&owners->domain, nresidue, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&owners->hinge, nresidue, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&owners->body, nresidue, error);
    for (int r = 0; status == CARDO_OK && r < nresidue; ++r)
        owners->body[r] = -1;
    return status;
}

static cardo_status check_claimed(const cardo_model *model,
                                  const cardo_model_definition *definition,
                                  const cardo_model_owners *owners, cardo_error *error)
{
    const cardo_structure *reference = model->structure[0].structure;
    bool *loose = NULL;
    char *text = NULL, here[CARDO_PLACE_SIZE];
    int n = 0;
    cardo_status status = CARDO_ALLOCATE(&loose, reference->nresidue, error);
    for (int r = 0; status == CARDO_OK && r < reference->nresidue; ++r)
        n += loose[r] = owners->body[r] < 0 && !cardo_model_is_loose(owners, r);
    if (status == CARDO_OK && n > 0)
        status = cardo_selection_text(reference, loose, &text, error);
    if (status == CARDO_OK && n > 0)
        status = CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: %d residues of structure '%s' belong to no body and no hinge: %s; put "
            "them in a domain of a body, in a hinge or in a <ligand>, or leave their chain out "
            "(chains=\"\" of the structure)",
            cardo_place_text(definition->place, here), n, model->structure[0].id, text);
    cardo_free(text);
    cardo_free(loose);
    return status;
}

/* Atoms go with their residues, where making torsion bodies has not shared them out already. */
static cardo_status share_out_atoms(cardo_model *model, const int *body, cardo_error *error)
{
    const cardo_structure *reference = model->structure[0].structure;
    cardo_status status = CARDO_OK;
    bool shared = model->atom_body != NULL;
    if (!shared)
        status = CARDO_ALLOCATE(&model->atom_body, reference->natom, error);
    for (int i = 0; status == CARDO_OK && i < reference->natom; ++i) {
        if (!shared)
            model->atom_body[i] = body[reference->atom_residue[i]];
        cardo_model_body *owner = &model->body[model->atom_body[i]];
        owner->mass += cardo_element_mass(reference->element[i]);
        ++owner->natom;
    }
    return status;
}

static cardo_status resolve_residues(cardo_model *model, cardo_model_definition *definition,
                                     cardo_model_owners *owners, int **order, cardo_error *error)
{
    const cardo_structure *reference = model->structure[0].structure;
    cardo_status status = cardo_model_add_ligands(reference, definition, owners->domain, error);
    if (status == CARDO_OK)
        status = cardo_domains_assign(reference, definition->ndomain, definition->domain,
                                      owners->domain, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(order, definition->nbody, error);
    if (status == CARDO_OK)
        status = cardo_hinges_assign(reference, definition->nhinge, definition->hinge,
                                     definition->domain, owners->domain, owners->hinge, error);
    if (status == CARDO_OK)
        status = cardo_model_make_bodies(model, definition, owners, *order, error);
    if (status == CARDO_OK)
        status = cardo_model_make_joints(model, definition, owners, *order, error);
    if (status == CARDO_OK)
        status = cardo_model_assign_hinges(model, definition, owners, error);
    if (status == CARDO_OK && definition->adopt_rest)
        model->nadopted = cardo_model_adopt_rest(model, owners->body);
    if (status == CARDO_OK)
        status = cardo_model_seat_ligands(model, owners, error);
    if (status == CARDO_OK)
        status = cardo_model_choose_conformers(model, definition, owners, *order, error);
    if (status == CARDO_OK)
        status = cardo_model_find_flexible(model, definition, owners, error);
    if (status == CARDO_OK)
        status = check_claimed(model, definition, owners, error);
    if (status == CARDO_OK)
        status = cardo_model_make_flexible(model, definition, owners, *order, error);
    if (status == CARDO_OK)
        status = share_out_atoms(model, owners->body, error);
    if (status == CARDO_OK)
        status = cardo_model_list_cuts(model, error);
    if (status == CARDO_OK)
        status = cardo_model_place_ligands(model, definition, error);
    return status;
}

/* Hands force field and studies over. */
static void take_rest(cardo_model *model, cardo_model_definition *definition)
{
    model->has_forcefield = definition->has_forcefield;
    model->forcefield = definition->forcefield;
    model->study = definition->study;
    model->nstudy = definition->nstudy;
    definition->has_forcefield = false;
    definition->forcefield = (cardo_model_forcefield){0};
    definition->study = NULL;
    definition->nstudy = 0;
}

cardo_status cardo_model_resolve(cardo_model_definition *definition, cardo_model **out,
                                 cardo_error *error)
{
    cardo_status status;
    cardo_model *model = NULL;
    cardo_model_owners owners = {0};
    int *order = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&model, 1, error));
    CARDO_TRY(cardo_copy_string(&model->path, definition->path ? definition->path : "", error));
    CARDO_TRY(cardo_copy_string(&model->name, definition->name ? definition->name : "", error));
    CARDO_TRY(cardo_model_read_structures(model, definition, error));
    CARDO_TRY(allocate_owners(&owners, model->structure[0].structure->nresidue, error));
    CARDO_TRY(resolve_residues(model, definition, &owners, &order, error));
    take_rest(model, definition);
    *out = model;
    model = NULL;
done:
    cardo_free(owners.domain);
    cardo_free(owners.hinge);
    cardo_free(owners.body);
    cardo_free(owners.wanted);
    cardo_free(owners.rigid);
    cardo_free(owners.ideal);
    cardo_free(owners.omega_free);
    cardo_free(order);
    cardo_model_destroy(model);
    return status;
}
