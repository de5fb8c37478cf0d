#include "forces/ffxml/matching/match_patched.h"

#include "base/memory.h"
#include "forces/ffxml/definitions/patch.h"
#include "forces/ffxml/definitions/templates.h"

#include <string.h>

enum {
    MOST_PATCHES = 16,           /* patches of one residue in one combination     */
    MOST_COMBINATIONS = 2000000, /* tried in all: a force field has some thousands */
    NO_PATCH = -1
};

/* Templates of one composition that patches make, in the order in which they were made. last: a
 * patch of two residues that comes on top, with its side; NO_PATCH: none. */
typedef struct family {
    uint64_t signature;
    int natom, last, side;
    int count, capacity;
    const cardo_template **list;
} family;

/* All families asked for so far: residues of one kind share theirs. */
typedef struct families {
    cardo_assignment *assignment;
    long combinations;
    int count, capacity;
    family *list;
} families;

/* The combination that is being made: patches on a template, none of which touches an atom that
 * another one adds, changes or removes. */
typedef struct combination {
    families *families;
    family *family;
    const cardo_template *base;
    int first, end; /* the allowed patches of the base */
    int count, patch[MOST_PATCHES];
} combination;

void cardo_patched_templates_clear(cardo_assignment *assignment)
{
    for (int k = 0; k < assignment->npatched; ++k) {
        cardo_template_clear(assignment->patched[k]);
        cardo_free(assignment->patched[k]);
    }
    cardo_free(assignment->patched);
}

static bool touches_atom(const cardo_patch_edit *e)
{
    return e->kind == CARDO_EDIT_ADD_ATOM || e->kind == CARDO_EDIT_CHANGE_ATOM ||
           e->kind == CARDO_EDIT_REMOVE_ATOM;
}

static bool touch_same_atom(const cardo_patch *a, const cardo_patch *b)
{
    for (int i = 0; i < a->nedit; ++i)
        for (int j = 0; j < b->nedit && touches_atom(&a->edit[i]); ++j)
            if (touches_atom(&b->edit[j]) && strcmp(a->edit[i].name[0], b->edit[j].name[0]) == 0)
                return true;
    return false;
}

/* The element that an atom has after the patches so far, or -1 when there is no such atom. */
static int element_now(const combination *c, const char *name)
{
    const cardo_patch *patches = c->families->assignment->forcefield->patch;
    for (int n = c->count - 1; n >= 0; --n) {
        const cardo_patch *p = &patches[c->patch[n]];
        for (int k = p->nedit - 1; k >= 0; --k)
            if (touches_atom(&p->edit[k]) && strcmp(p->edit[k].name[0], name) == 0)
                return p->edit[k].kind == CARDO_EDIT_REMOVE_ATOM ? -1 : p->edit[k].atom.element;
    }
    int atom = cardo_template_atom_called(c->base, name);
    return atom >= 0 ? c->base->atom[atom].element : -1;
}

/* What one side of a patch does to the composition; false when it cannot be applied. */
static bool change_composition(const combination *c, const cardo_patch *patch, int side,
                               uint64_t *signature, int *natom)
{
    for (int k = 0; k < patch->nedit; ++k) {
        const cardo_patch_edit *e = &patch->edit[k];
        if (!touches_atom(e) || e->side[0] != side)
            continue;
        int element = element_now(c, e->name[0]);
        if (element < 0 ? e->kind == CARDO_EDIT_CHANGE_ATOM : e->kind == CARDO_EDIT_ADD_ATOM)
            return false;
        if (element >= 0) {
            *signature -= cardo_element_signature(element);
            --*natom;
        }
        if (e->kind != CARDO_EDIT_REMOVE_ATOM) {
            *signature += cardo_element_signature(e->atom.element);
            ++*natom;
        }
    }
    return true;
}

/* Applies the combination's patches one after the other; *made is NULL where one does not fit. */
static cardo_status build(const combination *c, cardo_template **made, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_patch *patches = c->families->assignment->forcefield->patch;
    const cardo_template *from = c->base;
    cardo_template current = {0}, next = {0};
    bool applies = true;
    int n = c->count + (c->family->last != NO_PATCH);
    *made = NULL;
    for (int k = 0; k < n && applies; ++k) {
        bool on_top = k == c->count;
        CARDO_TRY(cardo_patch_apply(&patches[on_top ? c->family->last : c->patch[k]],
                                    on_top ? c->family->side : 0, from, &next, &applies, error));
        cardo_template_clear(&current);
        current = next;
        next = (cardo_template){0};
        from = &current;
    }
    if (applies) {
        CARDO_TRY(CARDO_ALLOCATE(made, 1, error));
        **made = current;
        current = (cardo_template){0};
    }
done:
    cardo_template_clear(&current);
    return status;
}

static cardo_status keep(const combination *c, cardo_template *made, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_assignment *a = c->families->assignment;
    family *f = c->family;
    CARDO_TRY(CARDO_RESERVE(&a->patched, &a->patched_capacity, a->npatched + 1, error));
    a->patched[a->npatched++] = made;
    made = NULL;
    CARDO_TRY(CARDO_RESERVE(&f->list, &f->capacity, f->count + 1, error));
    f->list[f->count++] = a->patched[a->npatched - 1];
done:
    if (made)
        cardo_template_clear(made);
    cardo_free(made);
    return status;
}

/* Makes the template of this combination if its composition is the family's. */
static cardo_status consider(const combination *c, uint64_t signature, int natom,
                             cardo_error *error)
{
    const family *f = c->family;
    cardo_template *made = NULL;
    if (++c->families->combinations > MOST_COMBINATIONS)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "the patches of template %s combine in too many ways (%s:%d)",
                          c->base->name, c->base->place.path, c->base->place.line);
    if (f->last == NO_PATCH && c->count == 0)
        return CARDO_OK;
    if (f->last != NO_PATCH &&
        !change_composition(c, &c->families->assignment->forcefield->patch[f->last], f->side,
                            &signature, &natom))
        return CARDO_OK;
    if (signature != f->signature || natom != f->natom)
        return CARDO_OK;
    cardo_status status = build(c, &made, error);
    return status == CARDO_OK && made ? keep(c, made, error) : status;
}

/* Considers the combination, and every one that adds allowed patches from next on. */
static cardo_status combine(combination *c, int next, uint64_t signature, int natom,
                            cardo_error *error)
{
    const cardo_forcefield *ff = c->families->assignment->forcefield;
    cardo_status status = consider(c, signature, natom, error);
    for (int k = next; k < c->end && status == CARDO_OK && c->count < MOST_PATCHES; ++k) {
        const cardo_patch *patch = &ff->patch[ff->allowed[k].patch];
        uint64_t new_signature = signature;
        int new_natom = natom;
        bool free = patch->nresidue == 1;
        for (int n = 0; n < c->count && free; ++n)
            free = !touch_same_atom(&ff->patch[c->patch[n]], patch);
        if (!free || !change_composition(c, patch, 0, &new_signature, &new_natom))
            continue;
        c->patch[c->count++] = ff->allowed[k].patch;
        status = combine(c, k + 1, new_signature, new_natom, error);
        --c->count;
    }
    return status;
}

/* May the patch that comes on top be applied to the template of allowed patches first to end? */
static bool is_allowed(const cardo_forcefield *ff, int first, int end, const family *f)
{
    for (int k = first; k < end; ++k)
        if (ff->allowed[k].patch == f->last && ff->allowed[k].side == f->side)
            return true;
    return f->last == NO_PATCH;
}

static cardo_status fill_family(families *all, family *f, cardo_error *error)
{
    const cardo_forcefield *ff = all->assignment->forcefield;
    for (int first = 0, end; first < ff->nallowed; first = end) {
        const cardo_template *base = &ff->templates.list[ff->allowed[first].template_index];
        combination c = {.families = all, .family = f, .base = base, .first = first};
        for (end = first; end < ff->nallowed &&
                          ff->allowed[end].template_index == ff->allowed[first].template_index;
             ++end)
            continue;
        c.end = end;
        if (!is_allowed(ff, first, end, f))
            continue;
        cardo_status status = combine(&c, first, base->signature, base->natom, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* The family that the search's residue could be of. */
static cardo_status find_family(families *all, const cardo_search *s, int last, int side,
                                const family **out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < all->count; ++k) {
        const family *f = &all->list[k];
        *out = f;
        if (f->signature == s->signature && f->natom == s->natom && f->last == last &&
            f->side == side)
            return CARDO_OK;
    }
    CARDO_TRY(CARDO_RESERVE(&all->list, &all->capacity, all->count + 1, error));
    family *f = &all->list[all->count++];
    *f = (family){.signature = s->signature, .natom = s->natom, .last = last, .side = side};
    CARDO_TRY(fill_family(all, f, error));
    *out = f;
done:
    return status;
}

/* ------------ two residues ------------ */

/* The structure's atom that has this name in the template, by the mapping of its residue. */
static int atom_named(const cardo_assignment *a, int residue, const cardo_template *t,
                      const int *mapping, const char *name)
{
    for (int i = 0; i < t->natom; ++i)
        if (strcmp(t->atom[mapping[i]].name, name) == 0)
            return a->structure->residue_first[residue] + i;
    return -1;
}

static bool are_bonded(const cardo_bonds *bonds, int a, int b)
{
    for (int k = 0; a >= 0 && k < cardo_degree(bonds, a); ++k)
        if (cardo_neighbour(bonds, a, k) == b)
            return true;
    return false;
}

/* Two residues that might be the sides of a patch. */
typedef struct pair {
    int residue[2];
    const cardo_template *template[2];
    int *mapping[2];
} pair;

/* Does every bond exist that the patch adds between the two? */
static bool bonds_exist(const cardo_assignment *a, const cardo_patch *patch, const pair *p)
{
    for (int k = 0; k < patch->nedit; ++k) {
        const cardo_patch_edit *e = &patch->edit[k];
        int atom[2];
        if (e->kind != CARDO_EDIT_ADD_BOND || e->side[0] == e->side[1])
            continue;
        for (int end = 0; end < 2; ++end) {
            int side = e->side[end];
            atom[end] = atom_named(a, p->residue[side], p->template[side], p -> mapping[side],
                                   e -> name[end]);
        }
        if (!are_bonded(a->bonds, atom[0], atom[1]))
            return false;
    }
    return true;
}

/* Tries the sides of the patch on the pair, side 1 and on being nested in it. */
static cardo_status try_side(families *all, cardo_search *s, int patch, int side, pair *p,
                             bool *matched, cardo_error *error)
{
    cardo_assignment *a = all->assignment;
    const family *candidates;
    cardo_search_start(s, p->residue[side]);
    cardo_status status = find_family(all, s, patch, side, &candidates, error);
    if (status != CARDO_OK)
        return status;
    /* The list of families may move while side 1 adds to it. */
    const family here = *candidates;
    for (int k = 0; k < here.count && !*matched; ++k) {
        cardo_search_start(s, p->residue[side]);
        if (here.list[k]->virtual_site_line || !cardo_search_fits(s, here.list[k]))
            continue;
        p->template[side] = here.list[k];
        memcpy(p->mapping[side], s->match, (size_t)s->natom * sizeof *s->match);
        if (side == 1)
            *matched = bonds_exist(a, &a->forcefield->patch[patch], p);
        else
            status = try_side(all, s, patch, 1, p, matched, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

static cardo_status match_pair(families *all, cardo_search *s, pair *p, int *unmatched,
                               cardo_error *error)
{
    cardo_assignment *a = all->assignment;
    const int residue[2] = {p->residue[0], p->residue[1]};
    bool matched = false;
    for (int patch = 0; patch < a->forcefield->npatch; ++patch)
        for (int turned = 0; turned < 2 && a->forcefield->patch[patch].nresidue == 2; ++turned) {
            p->residue[0] = residue[turned];
            p->residue[1] = residue[1 - turned];
            cardo_status status = try_side(all, s, patch, 0, p, &matched, error);
            if (status != CARDO_OK)
                return status;
            if (!matched)
                continue;
            for (int side = 0; side < 2; ++side)
                cardo_search_record(a, p->residue[side], p->template[side], p -> mapping[side]);
            *unmatched -= 2;
            return CARDO_OK;
        }
    return CARDO_OK;
}

/* Every pair of residues that fit nothing so far and are bonded to one another. */
static cardo_status match_pairs(families *all, cardo_search *s, int *unmatched, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_assignment *a = all->assignment;
    pair p = {.residue = {0, 0}};
    CARDO_TRY(CARDO_ALLOCATE(&p.mapping[0], s->capacity, error));
    CARDO_TRY(CARDO_ALLOCATE(&p.mapping[1], s->capacity, error));
    for (int k = 0; k < a->bonds->nbond; ++k) {
        for (int end = 0; end < 2; ++end)
            p.residue[end] = a->structure->atom_residue[a->bonds->bond[k][end]];
        if (p.residue[0] == p.residue[1] || a->template_of[p.residue[0]] ||
            a->template_of[p.residue[1]])
            continue;
        CARDO_TRY(match_pair(all, s, &p, unmatched, error));
    }
done:
    cardo_free(p.mapping[0]);
    cardo_free(p.mapping[1]);
    return status;
}

cardo_status cardo_match_patched(cardo_assignment *assignment, cardo_search *s, int *unmatched,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    families all = {.assignment = assignment};
    for (int residue = 0; residue < assignment->structure->nresidue; ++residue) {
        const cardo_template *found;
        const family *candidates;
        if (assignment->template_of[residue])
            continue;
        cardo_search_start(s, residue);
        CARDO_TRY(find_family(&all, s, NO_PATCH, 0, &candidates, error));
        CARDO_TRY(cardo_search_among(s, candidates->count, candidates->list, &found, error));
        if (!found)
            continue;
        cardo_search_record(assignment, residue, found, s->best);
        --*unmatched;
    }
    if (*unmatched > 1)
        CARDO_TRY(match_pairs(&all, s, unmatched, error));
done:
    for (int k = 0; k < all.count; ++k)
        cardo_free(all.list[k].list);
    cardo_free(all.list);
    return status;
}
