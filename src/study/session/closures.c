#include "study/session/closures.h"

#include "base/units.h"

#include <math.h>

static bool find_length(const cardo_terms *terms, int a, int b, double *length)
{
    for (int k = 0; k < terms->nbond; ++k) {
        const cardo_bond_term t = cardo_terms_bond(terms, k);
        if ((t.a == a && t.b == b) || (t.a == b && t.b == a)) {
            *length = t.length;
            return true;
        }
    }
    return false;
}

static bool find_angle(const cardo_terms *terms, int a, int b, int c, double *angle)
{
    for (int k = 0; k < terms->nangle; ++k) {
        const cardo_angle_term t = cardo_terms_angle(terms, k);
        if (t.b == b && ((t.a == a && t.c == c) || (t.a == c && t.c == a))) {
            *angle = t.angle;
            return true;
        }
    }
    return false;
}

/* Rows as the model writes them: length, angles, and what is planar. */
static bool set_rows(const cardo_terms *terms, const cardo_peptide_group *g,
                     cardo_internal_coordinates *p)
{
    for (int i = 3; i < p->nrow; ++i)
        p->row[i].value = fabs(p->row[i].value) < CARDO_PI / 2 ? 0 : CARDO_PI;
    return find_length(terms, g->c, g->n, &p->row[0].value) &&
           find_angle(terms, g->ca1, g->c, g->n, &p->row[1].value) &&
           find_angle(terms, g->c, g->n, g->ca2, &p->row[2].value);
}

cardo_status cardo_session_set_closures(cardo_session *self, cardo_error *error)
{
    int constraint = 0; /* the model's first ones close its strands, in the order of the cuts */
    for (int c = 0; c < self->model->ncut; ++c) {
        const cardo_model_cut *cut = &self->model->cut[c];
        if (!cut->rigid)
            continue;
        cardo_model_constraint *closure = &self->model->constraint[constraint++];
        if (!cut->is_peptide || !cut->ideal)
            continue;
        if (!self->terms || !set_rows(self->terms, &cut->group, &closure->parameters.internal))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s:%d: geometry=\"forcefield\" of %s: the model's energy has no "
                              "terms that tell lengths and angles; name force-field files, or "
                              "leave geometry out",
                              self->model->path, cut->line, closure->name);
    }
    return CARDO_OK;
}
