#include "forces/ffxml/forcefield.h"

#include "base/memory.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/section.h"
#include "forces/ffxml/matching/match.h"
#include "forces/ffxml/matching/match_patched.h"
#include "forces/ffxml/matching/unmatched.h"
#include "forces/ffxml/sections/gb_neck.h"
#include "forces/terms/copies.h"

cardo_status cardo_forcefield_use_solvent(cardo_forcefield *forcefield, const char *name,
                                          cardo_error *error)
{
    const cardo_gb_model *model = cardo_gb_model_find(name);
    const cardo_place *own = &forcefield->gb.place;
    if (!model)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "there is no solvent model \"%s\"", name);
    if (own->path && model->is_native)
        return CARDO_OK;
    if (own->path)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: <GBSAOBCForce> and solvent %s are two solvent models: use one",
                          own->path, own->line, name);
    if (forcefield->gb_model && forcefield->gb_model != model)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "implicit/%s.xml and solvent %s are two solvent models: use one",
                          forcefield->gb_model->name, name);
    forcefield->gb_model = model;
    if (model->neck_scale > 0 && !forcefield->neck)
        return cardo_neck_table_read(&forcefield->neck, error);
    return CARDO_OK;
}

static cardo_status assignment_allocate(cardo_assignment *a, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&a->template_of, a->structure->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->template_atom, a->structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->type, a->structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->terms, 1, error));
    a->terms->natom = a->structure->natom;
    CARDO_TRY(CARDO_ALLOCATE(&a->terms->number.mass, a->structure->natom, error));
done:
    return status;
}

cardo_status cardo_forcefield_assign(const cardo_forcefield *forcefield,
                                     const cardo_structure *structure, const cardo_bonds *bonds,
                                     cardo_terms **out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_assignment a = {.forcefield = forcefield, .structure = structure, .bonds = bonds};
    int unmatched = 0;
    *out = NULL;
    CARDO_TRY(assignment_allocate(&a, error));
    CARDO_TRY(cardo_match_templates(&a, &unmatched, error));
    if (unmatched > 0)
        CARDO_TRY(cardo_report_unmatched(&a, unmatched, error));
    for (int i = 0; i < structure->natom; ++i)
        a.terms->number.mass[i] = forcefield->types.type[a.type[i]].mass;
    for (int k = 0; cardo_sections[k]; ++k)
        CARDO_TRY(cardo_sections[k]->assign(&a, error));
    cardo_terms_trim(a.terms);
    *out = a.terms;
    a.terms = NULL;
done:
    cardo_terms_destroy(a.terms);
    cardo_free(a.template_of);
    cardo_patched_templates_clear(&a);
    cardo_free(a.template_atom);
    cardo_free(a.type);
    cardo_free(a.sigma_14);
    cardo_free(a.epsilon_14);
    return status;
}
