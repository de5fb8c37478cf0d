#include "forces/coarse/sites.h"

#include "base/memory.h"
#include "forces/coarse/lanes.h"
#include "structure/atoms/superpose.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_POINTS = 4 };

/* The C-alpha atom of a residue, or -1; no calcium. */
static int find_calpha(const cardo_structure *structure, int residue)
{
    int atom = cardo_structure_find_atom(structure, residue, "CA");
    return atom >= 0 && structure->element[atom] == 6 ? atom : -1;
}

static cardo_status allocate(cardo_coarse_sites *sites, int n, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&sites->atom, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&sites->residue, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&sites->body, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&sites->next, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&sites->reference, 3 * (size_t)n, error));
done:
    return status;
}

static void fill(const cardo_model *model, cardo_coarse_sites *sites)
{
    const cardo_structure *s = model->structure[0].structure;
    for (int b = 0; b < model->nbody; ++b)
        for (int r = 0; r < s->nresidue; ++r) {
            int atom = find_calpha(s, r);
            if (atom < 0 || model->atom_body[atom] != b)
                continue;
            int i = sites->nsite++;
            sites->atom[i] = atom;
            sites->residue[i] = r;
            sites->body[i] = b;
            memcpy(sites->reference + 3 * i, s->position + 3 * atom, 3 * sizeof(double));
        }
    for (int i = sites->nsite - 1; i >= 0; --i)
        sites->next[i] = i + 1 < sites->nsite && sites->body[i + 1] == sites->body[i]
                             ? sites->next[i + 1]
                             : i + 1;
}

static cardo_status make_rows(cardo_coarse_energy *energy, cardo_error *error)
{
    const cardo_coarse_sites *sites = &energy->sites;
    cardo_status status = CARDO_ALLOCATE(&energy->row, sites->nsite + 1, error);
    for (int i = 0; status == CARDO_OK && i < sites->nsite; ++i) {
        size_t partners = (size_t)(sites->nsite - sites->next[i]);
        energy->row[i + 1] = energy->row[i] + (partners + LANES - 1) / LANES * LANES;
    }
    return status;
}

cardo_status cardo_coarse_sites_find(const cardo_model *model, cardo_coarse_energy **out,
                                     cardo_error *error)
{
    cardo_coarse_energy *energy;
    *out = NULL;
    cardo_status status = CARDO_ALLOCATE(&energy, 1, error);
    if (status != CARDO_OK)
        return status;
    status = allocate(&energy->sites, model->structure[0].structure->nresidue, error);
    if (status == CARDO_OK) {
        fill(model, &energy->sites);
        status = make_rows(energy, error);
    }
    if (status == CARDO_OK && energy->row[energy->sites.nsite] == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "a coarse-grained energy acts between C-alpha atoms of different "
                            "bodies, and this model has none in two of them");
    if (status == CARDO_OK)
        *out = energy;
    else
        cardo_coarse_energy_destroy(energy);
    return status;
}

int cardo_coarse_separation(const cardo_model *model, const cardo_coarse_sites *sites, int a, int b)
{
    const cardo_structure *s = model->structure[0].structure;
    int r = sites->residue[a], t = sites->residue[b];
    return s->residue_chain[r] == s->residue_chain[t] ? abs(r - t) : INT_MAX;
}

bool cardo_coarse_is_held(const cardo_model *model, int a, int b)
{
    const cardo_model_body *child = model->body[a].parent == b   ? &model->body[a]
                                    : model->body[b].parent == a ? &model->body[b]
                                                                 : NULL;
    return child && child->mobilizer != &cardo_mobilizer_free;
}

/* The C-alpha of a site in structure k, or -1. */
static int site_atom(const cardo_model *model, const cardo_coarse_sites *sites, int k, int site)
{
    const cardo_model_structure *entry = &model->structure[k];
    int residue = k == 0 ? sites->residue[site] : entry->match[sites->residue[site]];
    return residue < 0 ? -1 : find_calpha(entry->structure, residue);
}

/* Carries a domain's sites onto structure k. points: room for 6 numbers a site. */
static cardo_status carry_domain(const cardo_model *model, const cardo_coarse_sites *sites, int k,
                                 int first, int last, double *points, double *position,
                                 bool *carried, cardo_error *error)
{
    const cardo_model_body *body = &model->body[sites->body[first]];
    const double *there = model->structure[k].structure->position;
    double *from = points, *to = points + 3 * (size_t)(last - first);
    cardo_transform X;
    int n = 0;
    *carried = false;
    for (int i = first; i < last; ++i) {
        int atom = site_atom(model, sites, k, i);
        if (atom < 0 || (body->domain && !body->domain[sites->residue[i]]))
            continue;
        memcpy(from + 3 * n, sites->reference + 3 * i, 3 * sizeof *from);
        memcpy(to + 3 * n, there + 3 * atom, 3 * sizeof *to);
        ++n;
    }
    if (body->piece || n < FEWEST_POINTS)
        return CARDO_OK;
    cardo_status status = cardo_superpose(n, from, to, NULL, &X, NULL, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "body '%s' on structure '%s': ", body->name,
                                  model->structure[k].id);
    for (int i = first; i < last; ++i)
        v3_store(position + 3 * i, xform_point(X, v3_load(sites->reference + 3 * i)));
    *carried = true;
    return CARDO_OK;
}

cardo_status cardo_coarse_positions(const cardo_model *model, const cardo_coarse_sites *sites,
                                    int structure, double *position, bool *known,
                                    cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double *points = NULL;
    const double *there = model->structure[structure].structure->position;
    if (structure == 0) {
        memcpy(position, sites->reference, 3 * (size_t)sites->nsite * sizeof *position);
        memset(known, true, (size_t)sites->nsite * sizeof *known);
        return CARDO_OK;
    }
    CARDO_TRY(CARDO_ALLOCATE(&points, 6 * (size_t)sites->nsite, error));
    for (int first = 0, last; first < sites->nsite; first = last) {
        bool carried;
        last = sites->next[first];
        CARDO_TRY(
            carry_domain(model, sites, structure, first, last, points, position, &carried, error));
        for (int i = first; i < last; ++i) {
            int atom = site_atom(model, sites, structure, i);
            known[i] = atom >= 0;
            if (!carried && atom >= 0)
                memcpy(position + 3 * i, there + 3 * atom, 3 * sizeof *position);
        }
    }
done:
    cardo_free(points);
    return status;
}
