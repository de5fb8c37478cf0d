#include "forces/ffxml/matching/match_search.h"

#include "base/memory.h"
#include "forces/ffxml/definitions/templates.h"

#include <string.h>

/* Search steps after which a residue is given up: far above any molecule, below a noticeable wait.
 */
static const long step_limit = 20000000;

void cardo_search_clear(cardo_search *s)
{
    cardo_free(s->degree);
    cardo_free(s->external);
    cardo_free(s->candidates);
    cardo_free(s->order);
    cardo_free(s->match);
    cardo_free(s->best);
    cardo_free(s->taken);
    cardo_free(s->state);
}

cardo_status cardo_search_allocate(cardo_search *s, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_structure *structure = s->assignment->structure;
    for (int r = 0; r < structure->nresidue; ++r) {
        int natom = structure->residue_first[r + 1] - structure->residue_first[r];
        s->capacity = natom > s->capacity ? natom : s->capacity;
    }
    CARDO_TRY(CARDO_ALLOCATE(&s->degree, s->capacity, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->external, s->capacity, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->candidates, s->capacity, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->order, s->capacity, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->match, s->capacity, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->best, s->capacity, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->taken, s->capacity, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->state, s->capacity, error));
done:
    return status;
}

void cardo_search_start(cardo_search *s, int residue)
{
    const cardo_structure *structure = s->assignment->structure;
    s->residue = residue;
    s->signature = 0;
    s->steps = 0;
    s->first = structure->residue_first[residue];
    s->natom = structure->residue_first[residue + 1] - s->first;
    for (int i = 0; i < s->natom; ++i) {
        s->external[i] = cardo_external_bonds(s->assignment, s->first + i);
        s->degree[i] = cardo_degree(s->assignment->bonds, s->first + i) - s->external[i];
        s->signature += cardo_element_signature(structure->element[s->first + i]);
    }
}

static bool could_be(const cardo_search *s, int i, int j)
{
    const cardo_template *t = s->template;
    return t->atom[j].element == s->assignment->structure->element[s->first + i] &&
           t->atom[j].external == s->external[i] &&
           t->neighbour_first[j + 1] - t->neighbour_first[j] == s->degree[i];
}

/* Counts the template atoms that each atom could be; false when one has none. */
static bool count_candidates(cardo_search *s)
{
    for (int i = 0; i < s->natom; ++i) {
        s->candidates[i] = 0;
        for (int j = 0; j < s->natom; ++j)
            s->candidates[i] += could_be(s, i, j);
        if (s->candidates[i] == 0)
            return false;
    }
    return true;
}

enum { UNSEEN, REACHED, ORDERED };

/* The next atom to match: among those bonded to ordered ones, or among all when there is none, the
 * one with the fewest candidates, lowest index first. */
static int next_in_order(const cardo_search *s)
{
    int best[2] = {-1, -1};
    for (int i = 0; i < s->natom; ++i)
        if (s->state[i] != ORDERED) {
            int *b = &best[s->state[i]];
            if (*b < 0 || s->candidates[i] < s->candidates[*b])
                *b = i;
        }
    return best[REACHED] >= 0 ? best[REACHED] : best[UNSEEN];
}

static void order_atoms(cardo_search *s)
{
    const cardo_bonds *bonds = s->assignment->bonds;
    memset(s->state, UNSEEN, (size_t)s->natom);
    for (int n = 0; n < s->natom; ++n) {
        int i = next_in_order(s);
        s->order[n] = i;
        s->state[i] = ORDERED;
        for (int k = 0; k < cardo_degree(bonds, s->first + i); ++k) {
            int neighbour = cardo_neighbour(bonds, s->first + i, k) - s->first;
            if (neighbour >= 0 && neighbour < s->natom && s->state[neighbour] == UNSEEN)
                s->state[neighbour] = REACHED;
        }
    }
}

static bool template_bonded(const cardo_template *t, int a, int b)
{
    for (int k = t->neighbour_first[a]; k < t->neighbour_first[a + 1]; ++k)
        if (t->neighbour[k] == b)
            return true;
    return false;
}

/* May atom i be template atom j, given what is matched already? */
static bool fits(const cardo_search *s, int i, int j)
{
    const cardo_bonds *bonds = s->assignment->bonds;
    if (s->taken[j] || !could_be(s, i, j))
        return false;
    for (int k = 0; k < cardo_degree(bonds, s->first + i); ++k) {
        int neighbour = cardo_neighbour(bonds, s->first + i, k) - s->first;
        if (neighbour >= 0 && neighbour < s->natom && s->match[neighbour] >= 0 &&
            !template_bonded(s->template, j, s->match[neighbour]))
            return false;
    }
    return true;
}

/* Backtracking without recursion: advances the atom at each depth to its next template atom that
 * fits. */
static bool find_mapping(cardo_search *s)
{
    int depth = 0;
    for (int i = 0; i < s->natom; ++i) {
        s->match[i] = -1;
        s->taken[i] = false;
    }
    while (depth >= 0 && depth < s->natom && s->steps < step_limit) {
        int i = s->order[depth], j = s->match[i];
        if (j >= 0)
            s->taken[j] = false;
        s->match[i] = -1;
        do
            ++j, ++s->steps;
        while (j < s->natom && !fits(s, i, j));
        if (j == s->natom) {
            --depth;
            continue;
        }
        s->match[i] = j;
        s->taken[j] = true;
        ++depth;
    }
    return depth == s->natom;
}

bool cardo_search_fits(cardo_search *s, const cardo_template *t)
{
    s->template = t;
    if (t->signature != s->signature || t->natom != s->natom)
        return false;
    if (!count_candidates(s))
        return false;
    order_atoms(s);
    return find_mapping(s);
}

static bool same_attributes(const cardo_attribute_values *a, const cardo_attribute_values *b)
{
    if (a->present != b->present)
        return false;
    for (int k = 0; k < CARDO_ATTRIBUTE_COUNT; ++k)
        if (((a->present >> k) & 1u) && a->value[k] != b->value[k])
            return false;
    return true;
}

/* Do the first mapping (best, on template a) and the current one (match, on template b) give equal
 * types and numbers? */
static bool same_parameters(const cardo_search *s, const cardo_template *a, const cardo_template *b)
{
    for (int i = 0; i < s->natom; ++i) {
        const cardo_template_atom *x = &a->atom[s->best[i]], *y = &b->atom[s->match[i]];
        if (x->type != y->type || !same_attributes(&x->attributes, &y->attributes))
            return false;
    }
    return true;
}

/* A matching template whose first <VirtualSite> this version cannot place. */
static cardo_status refuse_virtual_sites(const cardo_search *s, const cardo_template *t,
                                         cardo_error *error)
{
    char label[40];
    return CARDO_FAIL(
        error, CARDO_ERROR_UNSUPPORTED,
        "%s:%d: <VirtualSite>: %s matches template %s, which has virtual sites; these "
        "are not supported yet",
        t->place.path, t->virtual_site_line,
        cardo_residue_label(s->assignment->structure, s->residue, label), t->name);
}

bool cardo_search_exhausted(const cardo_search *s)
{
    return s->steps >= step_limit;
}

static cardo_status refuse_ambiguity(const cardo_search *s, const cardo_template *a,
                                     const cardo_template *b, cardo_error *error)
{
    char label[40];
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s fits the templates %s and %s, which give different parameters: "
                      "leave the file with one of them out (%s:%d, %s:%d)",
                      cardo_residue_label(s->assignment->structure, s->residue, label), a->name,
                      b->name, a->place.path, a->place.line, b->place.path, b->place.line);
}

cardo_status cardo_search_among(cardo_search *s, int n, const cardo_template *const *templates,
                                const cardo_template **found, cardo_error *error)
{
    char label[40];
    *found = NULL;
    for (int k = 0; k < n; ++k) {
        const cardo_template *t = templates[k];
        if (!cardo_search_fits(s, t))
            continue;
        if (t->virtual_site_line)
            return refuse_virtual_sites(s, t, error);
        if (!*found) {
            *found = t;
            memcpy(s->best, s->match, (size_t)s->natom * sizeof *s->best);
        } else if (!same_parameters(s, *found, t)) {
            return refuse_ambiguity(s, *found, t, error);
        }
    }
    if (cardo_search_exhausted(s))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: matching its bonds to a template takes too long: is the structure "
                          "one molecule cut into residues?",
                          cardo_residue_label(s->assignment->structure, s->residue, label));
    return CARDO_OK;
}

void cardo_search_record(cardo_assignment *assignment, int residue, const cardo_template *t,
                         const int *mapping)
{
    int first = assignment->structure->residue_first[residue];
    assignment->template_of[residue] = t;
    for (int i = 0; i < t->natom; ++i) {
        assignment->template_atom[first + i] = mapping[i];
        assignment->type[first + i] = t->atom[mapping[i]].type;
    }
}

int cardo_external_bonds(const cardo_assignment *assignment, int atom)
{
    const int *residue = assignment->structure->atom_residue;
    int count = 0;
    for (int k = 0; k < cardo_degree(assignment->bonds, atom); ++k)
        count += residue[cardo_neighbour(assignment->bonds, atom, k)] != residue[atom];
    return count;
}
