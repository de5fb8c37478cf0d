#include "model/model.h"

#include <string.h>

int cardo_model_find_body(const cardo_model *model, const char *name)
{
    for (int b = 0; b < model->nbody; ++b)
        if (strcmp(model->body[b].name, name) == 0)
            return b;
    return -1;
}

const char *cardo_model_name(const cardo_model *model)
{
    return model->name;
}

int cardo_model_nstructure(const cardo_model *model)
{
    return model->nstructure;
}

const cardo_structure *cardo_model_structure_at(const cardo_model *model, int k)
{
    return model->structure[k].structure;
}

int cardo_model_nbody(const cardo_model *model)
{
    return model->nbody;
}

const char *cardo_model_body_name(const cardo_model *model, int body)
{
    return model->body[body].name;
}

int cardo_model_body_parent(const cardo_model *model, int body)
{
    return model->body[body].parent;
}

int cardo_model_atom_body(const cardo_model *model, int atom)
{
    return model->atom_body[atom];
}
