/* Strands that close loops rigidly: the bond at which the strand is cut was a pin, and closes it as one. */
#include "base/memory.h"
#include "model/constraints/constraints.h"
#include "multibody/constraints/constraint.h"
#include "multibody/mobilizers/mobilizer.h"
#include "structure/atoms/residue.h"

#include <stdio.h>

static void move(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_joint_closure *p = &parameters->joint;
    p->frame1.p = v3_sub(p->frame1.p, origins[p->body1]);
    p->frame2.p = v3_sub(p->frame2.p, origins[p->body2]);
}

/* A pin about the cut's bond, where the reference has it. */
static cardo_status close_cut(cardo_model *model, const cardo_model_cut *cut, cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    char name[80], label[2][40];
    const cardo_vec3 from = v3_load(s->position + 3 * cut->atom[0]);
    const cardo_vec3 to = v3_load(s->position + 3 * cut->atom[1]);
    const cardo_vec3 z = v3_unit(v3_sub(to, from)), x = v3_perpendicular(z);
    const cardo_transform X = {m33_from_columns(x, v3_cross(z, x), z), to};
    cardo_model_constraint *into = &model->constraint[model->nconstraint++];
    *into = (cardo_model_constraint){
        .line = cut->line,
        .kind = &cardo_constraint_joint,
        .move = move,
        .parameters.joint = {.body1 = cut->body[0] + 1,
                             .body2 = cut->body[1] + 1,
                             .frame1 = X,
                             .frame2 = X,
                             .mobilizer = &cardo_mobilizer_pin},
    };
    snprintf(name, sizeof name, "%s.%s-%s.%s", cardo_residue_label(s, cut->residue[0], label[0]),
             s->atom_name[cut->atom[0]].text, cardo_residue_label(s, cut->residue[1], label[1]),
             s->atom_name[cut->atom[1]].text);
    return cardo_copy_string(&into->name, name, error);
}

cardo_status cardo_model_close_strands(cardo_model *model, cardo_error *error)
{
    int capacity = model->nconstraint;
    cardo_status status = CARDO_OK;
    for (int c = 0; c < model->ncut && status == CARDO_OK; ++c) {
        if (!model->cut[c].rigid)
            continue;
        status = CARDO_RESERVE(&model->constraint, &capacity, model->nconstraint + 1, error);
        if (status == CARDO_OK)
            status = close_cut(model, &model->cut[c], error);
    }
    return status;
}
