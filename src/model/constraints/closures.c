/* Strands that close loops rigidly. A peptide bond that is cut is closed by the coordinates of its group that a force field holds
 * stiff: the length of C-N, the angles CA-C-N and C-N-CA, the impropers that keep O and N's third neighbour in the plane, and the
 * torsion omega, unless that turns. Any other bond at which a strand is cut was a pin, and closes it as one. */
#include "base/memory.h"
#include "model/constraints/constraints.h"
#include "multibody/constraints/constraint.h"
#include "multibody/constraints/parts/internal_geometry.h"
#include "multibody/mobilizers/mobilizer.h"
#include "structure/atoms/residue.h"

#include <stdio.h>

static void move_pin(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_joint_closure *p = &parameters->joint;
    p->frame1.p = v3_sub(p->frame1.p, origins[p->body1]);
    p->frame2.p = v3_sub(p->frame2.p, origins[p->body2]);
}

static void move_group(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_internal_coordinates *p = &parameters->internal;
    for (int i = 0; i < p->nrow; ++i)
        for (int k = 0; k < p->row[i].npoint; ++k) {
            const int body = p->row[i].body[k] == 1 ? p->body1 : p->body2;
            p->row[i].point[k] = v3_sub(p->row[i].point[k], origins[body]);
        }
}

/* One coordinate as the reference has it. C-alphas lie on the axes about which their neighbours turn, and are fixed on the bodies
 * of C and N. */
static void add_row(const cardo_structure *s, int n, const int *atom, int residue,
                    cardo_internal_coordinates *p)
{
    cardo_internal_coordinate *row = &p->row[p->nrow++];
    row->npoint = n;
    for (int k = 0; k < n; ++k) {
        row->body[k] = s->atom_residue[atom[k]] == residue ? 1 : 2;
        row->point[k] = v3_load(s->position + 3 * atom[k]);
    }
    row->value = cardo_internal_value(n, row->point);
}

static void close_group(const cardo_structure *s, const cardo_model_cut *cut,
                        cardo_model_constraint *into)
{
    const cardo_peptide_group *g = &cut->group;
    const int residue = s->atom_residue[g->c], first = cut->atom[1] == g->c;
    cardo_internal_coordinates *p = &into->parameters.internal;
    into->kind = &cardo_constraint_internal_coordinates;
    into->move = move_group;
    *p =
        (cardo_internal_coordinates){.body1 = cut->body[first] + 1, .body2 = cut->body[!first] + 1};
    add_row(s, 2, (const int[]){g->c, g->n}, residue, p);
    add_row(s, 3, (const int[]){g->ca1, g->c, g->n}, residue, p);
    add_row(s, 3, (const int[]){g->c, g->n, g->ca2}, residue, p);
    add_row(s, 4, (const int[]){g->ca1, g->n, g->c, g->o}, residue, p);
    add_row(s, 4, (const int[]){g->c, g->ca2, g->n, g->third}, residue, p);
    if (!cut->omega_free)
        add_row(s, 4, (const int[]){g->ca1, g->c, g->n, g->ca2}, residue, p);
}

/* A pin about the cut's bond, where the reference has it. */
static void close_pin(const cardo_structure *s, const cardo_model_cut *cut,
                      cardo_model_constraint *into)
{
    const cardo_vec3 from = v3_load(s->position + 3 * cut->atom[0]);
    const cardo_vec3 to = v3_load(s->position + 3 * cut->atom[1]);
    const cardo_vec3 z = v3_unit(v3_sub(to, from)), x = v3_perpendicular(z);
    const cardo_transform X = {m33_from_columns(x, v3_cross(z, x), z), to};
    into->kind = &cardo_constraint_joint;
    into->move = move_pin;
    into->parameters.joint = (cardo_joint_closure){.body1 = cut->body[0] + 1,
                                                   .body2 = cut->body[1] + 1,
                                                   .frame1 = X,
                                                   .frame2 = X,
                                                   .mobilizer = &cardo_mobilizer_pin};
}

static cardo_status close_cut(cardo_model *model, const cardo_model_cut *cut, cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    char name[80], label[2][40];
    cardo_model_constraint *into = &model->constraint[model->nconstraint++];
    *into = (cardo_model_constraint){.line = cut->line};
    if (cut->is_peptide)
        close_group(s, cut, into);
    else
        close_pin(s, cut, into);
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
