/* Groups that titrate or take part in hydrogen bonds, from the heavy atoms of a draft. */
#include "base/memory.h"
#include "structure/prepare/geometry.h"
#include "structure/prepare/pka.h"

#include <string.h>

static const double bond = 0.1; /* nm, N-H */

void cardo_sites_clear(cardo_sites *sites)
{
    cardo_free(sites->site);
    *sites = (cardo_sites){0};
}

/* The points of the named atoms; false where one is missing. */
static bool points_of(const cardo_draft_residue *r, const char *const *names, int n, cardo_vec3 *p)
{
    for (int k = 0; k < n; ++k) {
        const cardo_draft_atom *atom = cardo_draft_atom_called(r, names[k]);
        if (!atom)
            return false;
        p[k] = atom->position;
    }
    return true;
}

static void take_at(cardo_site *s, cardo_vec3 p)
{
    s->taker[s->ntaker++] = p;
}

static void give_at(cardo_site *s, cardo_vec3 p, int atom)
{
    s->giver_atom[s->ngiver] = atom;
    s->giver[s->ngiver++] = p;
}

/* The proton of a planar nitrogen between two neighbours. */
static void give_between(cardo_site *s, cardo_vec3 n, cardo_vec3 a, cardo_vec3 b, int atom)
{
    const cardo_vec3 pair[] = {a, b}, sum = sum_of_directions(n, 2, pair);
    if (v3_norm(sum) > 1e-6)
        give_at(s, v3_add_scaled(n, -bond, v3_unit(sum)), atom);
}

/* Both protons of a planar NH2 on c: each is parallel to a bond of c to one of its other neighbours. */
static void give_pair(cardo_site *s, cardo_vec3 n, cardo_vec3 c, cardo_vec3 a, cardo_vec3 b,
                      int atom)
{
    give_at(s, v3_add_scaled(n, bond, v3_unit(v3_sub(c, a))), atom);
    give_at(s, v3_add_scaled(n, bond, v3_unit(v3_sub(c, b))), atom);
}

static bool make_carboxyl(cardo_site *s, const cardo_draft_residue *r, const char *one,
                          const char *other, double model)
{
    const char *const names[] = {one, other};
    cardo_vec3 p[2];
    if (!points_of(r, names, 2, p))
        return false;
    s->kind = CARDO_SITE_CARBOXYL;
    s->model = model;
    s->centre = v3_scale(0.5, v3_add(p[0], p[1]));
    take_at(s, p[0]);
    take_at(s, p[1]);
    return true;
}

static bool make_histidine(cardo_site *s, const cardo_draft_residue *r)
{
    static const char *const names[] = {"CG", "ND1", "CE1", "NE2", "CD2"};
    cardo_vec3 p[5], sum = v3(0, 0, 0);
    if (!points_of(r, names, 5, p))
        return false;
    for (int k = 0; k < 5; ++k)
        sum = v3_add(sum, p[k]);
    s->kind = CARDO_SITE_HISTIDINE;
    s->model = 6.5;
    s->centre = v3_scale(0.2, sum);
    give_between(s, p[1], p[0], p[2], 0);
    give_between(s, p[3], p[2], p[4], 1);
    return true;
}

static bool make_arginine(cardo_site *s, const cardo_draft_residue *r)
{
    static const char *const names[] = {"CD", "NE", "CZ", "NH1", "NH2"};
    cardo_vec3 p[5];
    if (!points_of(r, names, 5, p))
        return false;
    s->kind = CARDO_SITE_ARGININE;
    s->model = 12.5;
    s->centre = p[2];
    give_between(s, p[1], p[0], p[2], 0);
    give_pair(s, p[3], p[2], p[1], p[4], 1);
    give_pair(s, p[4], p[2], p[1], p[3], 2);
    return true;
}

static bool make_amide(cardo_site *s, const cardo_draft_residue *r, const char *const *names)
{
    cardo_vec3 p[4]; /* beside, C, O, N */
    if (!points_of(r, names, 4, p))
        return false;
    s->kind = CARDO_SITE_AMIDE;
    s->centre = p[1];
    take_at(s, p[2]);
    give_pair(s, p[3], p[1], p[0], p[2], 0);
    return true;
}

static bool make_indole(cardo_site *s, const cardo_draft_residue *r)
{
    static const char *const names[] = {"CD1", "NE1", "CE2"};
    cardo_vec3 p[3];
    if (!points_of(r, names, 3, p))
        return false;
    s->kind = CARDO_SITE_INDOLE;
    s->centre = p[1];
    give_between(s, p[1], p[0], p[2], 0);
    return true;
}

/* One heavy atom that gives, and takes where it can. */
static bool make_single(cardo_site *s, const cardo_draft_residue *r, cardo_site_kind kind,
                        const char *name, double model)
{
    cardo_vec3 p;
    if (!points_of(r, &name, 1, &p))
        return false;
    s->kind = kind;
    s->model = model;
    s->centre = p;
    take_at(s, p);
    give_at(s, p, 0);
    return true;
}

static bool make_side_chain(cardo_site *s, const cardo_draft_residue *r)
{
    static const char *const asn[] = {"CB", "CG", "OD1", "ND2"}, *const gln[] = {"CG", "CD", "OE1",
                                                                                 "NE2"};
    static const struct {
        const char *residue, *atom;
        cardo_site_kind kind;
        double model;
    } singles[] = {
        {"CYS", "SG", CARDO_SITE_CYSTEINE, 9.0}, {"LYS", "NZ", CARDO_SITE_LYSINE, 10.5},
        {"TYR", "OH", CARDO_SITE_TYROSINE, 0},   {"SER", "OG", CARDO_SITE_HYDROXYL, 0},
        {"THR", "OG1", CARDO_SITE_HYDROXYL, 0},
    };
    const char *name = r->component->name.text;
    s->side_chain = true;
    if (strcmp(name, "ASP") == 0)
        return make_carboxyl(s, r, "OD1", "OD2", 3.8);
    if (strcmp(name, "GLU") == 0)
        return make_carboxyl(s, r, "OE1", "OE2", 4.5);
    if (strcmp(name, "HIS") == 0)
        return make_histidine(s, r);
    if (strcmp(name, "ARG") == 0)
        return make_arginine(s, r);
    if (strcmp(name, "ASN") == 0)
        return make_amide(s, r, asn);
    if (strcmp(name, "GLN") == 0)
        return make_amide(s, r, gln);
    if (strcmp(name, "TRP") == 0)
        return make_indole(s, r);
    for (size_t k = 0; k < sizeof singles / sizeof *singles; ++k)
        if (strcmp(name, singles[k].residue) == 0)
            return r->bridge < 0 &&
                   make_single(s, r, singles[k].kind, singles[k].atom, singles[k].model);
    return false;
}

static bool make_peptide_nh(cardo_site *s, const cardo_draft *draft, int r)
{
    static const char *const names[] = {"N", "CA"};
    const cardo_draft_residue *residue = &draft->residue[r];
    const cardo_draft_atom *before = cardo_draft_linked_atom(draft, r, "N");
    cardo_vec3 p[2];
    if (!before || strcmp(residue->component->name.text, "PRO") == 0 ||
        !points_of(residue, names, 2, p))
        return false;
    s->kind = CARDO_SITE_PEPTIDE_NH;
    s->centre = p[0];
    give_between(s, p[0], before->position, p[1], 0);
    if (s->ngiver > 0)
        s->axis = v3_unit(v3_sub(s->giver[0], p[0]));
    return s->ngiver > 0;
}

static bool make_peptide_co(cardo_site *s, const cardo_draft *draft, int r)
{
    static const char *const names[] = {"C", "O"};
    cardo_vec3 p[2];
    if (!cardo_draft_linked_atom(draft, r, "C") || !points_of(&draft->residue[r], names, 2, p))
        return false;
    s->kind = CARDO_SITE_PEPTIDE_CO;
    s->centre = p[1];
    s->axis = v3_unit(v3_sub(p[1], p[0]));
    take_at(s, p[1]);
    return true;
}

/* A metal takes the proton's place, so that no rule for pKa values holds. */
static bool is_held(const cardo_draft *draft, const cardo_site *s)
{
    const double longest = 0.28; /* nm, to a metal */
    const cardo_structure *of = draft->structure;
    const cardo_draft_residue *r = &draft->residue[s->residue];
    for (int i = 0; i < of->natom; ++i) {
        if (!cardo_element_is_metal(of->element[i]))
            continue;
        const cardo_vec3 metal = v3_load(of->position + 3 * (size_t)i);
        for (int k = 0; k < r->natom; ++k)
            if (r->atom[k].element > 6 && strcmp(r->atom[k].name.text, "N") != 0 &&
                strcmp(r->atom[k].name.text, "O") != 0 &&
                distance_of(metal, r->atom[k].position) < longest)
                return true;
    }
    return false;
}

/* Appends what was made. */
static cardo_status add(cardo_sites *sites, const cardo_draft *draft, bool made, cardo_site *s,
                        int r, cardo_error *error)
{
    if (!made)
        return CARDO_OK;
    s->residue = r;
    s->held = cardo_site_titrates(s) && is_held(draft, s);
    s->partner[0] = s->partner[1] = -1;
    const cardo_status status =
        CARDO_RESERVE(&sites->site, &sites->capacity, sites->count + 1, error);
    if (status == CARDO_OK)
        sites->site[sites->count++] = *s;
    return status;
}

cardo_status cardo_sites_find(cardo_sites *sites, const cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int r = 0; r < draft->count; ++r) {
        const cardo_draft_residue *residue = &draft->residue[r];
        cardo_site side = {0}, nh = {0}, co = {0}, first = {0}, last = {0};
        if (!residue->component || residue->component->kind != CARDO_COMPONENT_PROTEIN)
            continue;
        CARDO_TRY(add(sites, draft, make_side_chain(&side, residue), &side, r, error));
        CARDO_TRY(add(sites, draft, make_peptide_nh(&nh, draft, r), &nh, r, error));
        CARDO_TRY(add(sites, draft, make_peptide_co(&co, draft, r), &co, r, error));
        CARDO_TRY(add(sites, draft,
                      residue->first && make_single(&first, residue, CARDO_SITE_FIRST, "N", 8.0),
                      &first, r, error));
        CARDO_TRY(add(sites, draft, residue->last && make_carboxyl(&last, residue, "O", "OXT", 3.2),
                      &last, r, error));
    }
done:
    return status;
}

const cardo_site *cardo_site_of(const cardo_sites *sites, int residue)
{
    for (int k = 0; k < sites->count; ++k)
        if (sites->site[k].residue == residue && sites->site[k].side_chain)
            return sites->site[k].kind < CARDO_SITE_FIRST ? &sites->site[k] : NULL;
    return NULL;
}
