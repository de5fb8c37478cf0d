#include "model/model.h"

#include "base/memory.h"
#include "model/internal.h"

void cardo_model_forcefield_clear(cardo_model_forcefield *forcefield)
{
    for (int k = 0; k < forcefield->nfile; ++k)
        cardo_free(forcefield->file[k]);
    cardo_free(forcefield->file);
    cardo_free(forcefield->system);
    cardo_free(forcefield->curve);
    *forcefield = (cardo_model_forcefield){0};
}

void cardo_model_study_clear(cardo_model_study *study)
{
    for (int k = 0; k < study->noption; ++k) {
        cardo_free(study->option[k]);
        cardo_free(study->value[k]);
    }
    cardo_free(study->option);
    cardo_free(study->value);
    cardo_free(study->set);
    cardo_free(study->verb);
    *study = (cardo_model_study){0};
}

void cardo_model_body_clear(cardo_model_body *body)
{
    cardo_free(body->name);
    cardo_free(body->selection);
    cardo_free(body->residue);
    cardo_free(body->domain);
    cardo_free(body->parameters);
    cardo_free(body->on_path);
    cardo_free(body->stands);
    cardo_path_fit_destroy(body->fit);
    cardo_path_fit_destroy(body->guide);
}

static void clear_structure(cardo_model_structure *entry)
{
    cardo_free(entry->id);
    cardo_free(entry->path);
    cardo_free(entry->match);
    cardo_free(entry->dropped);
    cardo_free(entry->note);
    cardo_structure_destroy(entry->structure);
}

static void clear_constraint(cardo_model_constraint *constraint)
{
    cardo_free(constraint->name);
    for (int k = 0; k < CARDO_CONSTRAINT_ARRAYS; ++k)
        cardo_free(constraint->array[k]);
    cardo_function_destroy(constraint->function);
}

void cardo_model_drop_constraints(cardo_model *model)
{
    for (int k = 0; k < model->nconstraint; ++k)
        clear_constraint(&model->constraint[k]);
    cardo_free(model->constraint);
    model->constraint = NULL;
    model->nconstraint = 0;
}

void cardo_model_drop_motions(cardo_model *model)
{
    for (int b = 0; b < model->nbody; ++b) {
        model->body[b].motion = NULL;
        model->body[b].driven = 0;
    }
}

void cardo_model_destroy(cardo_model *model)
{
    if (!model)
        return;
    for (int b = 0; b < model->nbody; ++b)
        cardo_model_body_clear(&model->body[b]);
    for (int k = 0; k < model->nstructure; ++k)
        clear_structure(&model->structure[k]);
    for (int k = 0; k < model->nstudy; ++k)
        cardo_model_study_clear(&model->study[k]);
    cardo_model_forcefield_clear(&model->forcefield);
    cardo_free(model->start_file);
    cardo_named_numbers_clear(&model->start);
    cardo_model_drop_constraints(model);
    for (int k = 0; k < model->nligand; ++k)
        cardo_free(model->ligand[k].name);
    cardo_free(model->ligand);
    cardo_free(model->body);
    cardo_free(model->structure);
    cardo_free(model->study);
    cardo_free(model->cut);
    cardo_free(model->atom_body);
    cardo_free(model->deposited);
    cardo_free(model->path);
    cardo_free(model->name);
    cardo_free(model);
}

void cardo_model_definition_destroy(cardo_model_definition *definition)
{
    for (int k = 0; k < definition->nstudy; ++k)
        cardo_model_study_clear(&definition->study[k]);
    cardo_model_forcefield_clear(&definition->forcefield);
    for (int k = 0; k < definition->ndocument; ++k)
        cardo_xml_destroy(definition->document[k]);
    cardo_free(definition->document);
    cardo_free(definition->structure);
    cardo_free(definition->domain);
    cardo_free(definition->hinge);
    cardo_free(definition->body);
    cardo_free(definition->flexible);
    cardo_free(definition->ligand);
    cardo_free(definition->study);
    *definition = (cardo_model_definition){0};
}
