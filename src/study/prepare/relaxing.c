#include "study/prepare/relaxing.h"

#include "base/memory.h"
#include "base/vec.h"
#include "forces/openmm/openmm.h"
#include "forces/relax/near_pairs.h"
#include "forces/terms/part.h"
#include "study/prepare/congruent.h"

#include <math.h>
#include <string.h>

/* nm: of forces; how near another chain's atom is for what stands there to be looked at in its place; and how far atoms move at most
 * while they are relaxed, beyond which what acts on them may change. */
static const double cutoff = 1.2, meeting = 0.5, moving = 0.05;

/* Atoms, up to which double precision is quick enough. */
enum { SMALL = 2000 };

typedef struct work {
    const cardo_relaxing *given;
    int *first; /* of each chain: the one that it is a copy of                    (nchain) */
    cardo_transform *motion; /*                                                    (nchain) */
    bool *met; /* residues that are relaxed where they stand                   (nresidue) */
    bool *moves, *acts; /* atoms of the part that is relaxed now, and what acts on them  (natom) */
} work;

static cardo_status make_provider(const cardo_terms *terms, const double *positions,
                                  cardo_force_provider **out, cardo_error *error)
{
    /* Relaxing is local, and large structures should not take minutes. Of small ones single precision would end where the order of its sums
     * says, hundredths of an angstrom apart on different processors. */
    cardo_openmm_options options = cardo_openmm_options_default();
    options.threads = 1;
    if (terms->natom <= SMALL)
        strcpy(options.platform, "Reference");
    options.method = CARDO_CUTOFF;
    options.cutoff = cutoff;
    options.reaction_field = 1;
    return cardo_openmm_provider_create(terms, NULL, positions, &options, out, error);
}

static void sum_up(cardo_minimize_result *sum, const cardo_minimize_result *one)
{
    sum->first_value += one->first_value;
    sum->value += one->value;
    sum->largest_gradient = fmax(sum->largest_gradient, one->largest_gradient);
    sum->iterations += one->iterations;
    sum->evaluations += one->evaluations;
    sum->converged = sum->converged && one->converged;
}

static cardo_status relax_all(const cardo_relaxing *g, cardo_minimize_result *result,
                              cardo_error *error)
{
    cardo_status status;
    const cardo_minimize_options options = cardo_relax_options_default();
    cardo_contacts contacts = {0};
    cardo_force_provider *provider = NULL;
    cardo_minimize_result one = {0};
    cardo_structure *s = g->structure;
    CARDO_TRY(cardo_contacts_find(&contacts, s, g->bonds, g->movable, error));
    CARDO_TRY(make_provider(g->terms, s->position, &provider, error));
    CARDO_TRY(cardo_relax(provider, &contacts, s->natom, s->position, g->movable, &options,
                          g->listener, &one, error));
    sum_up(result, &one);
done:
    cardo_force_provider_destroy(provider);
    cardo_contacts_clear(&contacts);
    return status;
}

/* A part of the atoms by themselves, counted anew. */
typedef struct part {
    int natom;
    int *whole; /* index of each among all (natom)         */
    int *now;   /* index of each of all here, -1 elsewhere */
    bool *movable;
    double *position; /* (natom x 3) */
} part;

static void clear_part(part *p)
{
    cardo_free(p->whole);
    cardo_free(p->now);
    cardo_free(p->movable);
    cardo_free(p->position);
}

static cardo_status choose_part(const work *w, part *p, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = w->given->structure;
    CARDO_TRY(CARDO_ALLOCATE(&p->now, s->natom, error));
    for (int i = 0; i < s->natom; ++i)
        p->now[i] = w->acts[i] ? p->natom++ : -1;
    CARDO_TRY(CARDO_ALLOCATE(&p->whole, p->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->movable, p->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->position, 3 * (size_t)p->natom, error));
    for (int i = 0; i < s->natom; ++i)
        if (p->now[i] >= 0) {
            p->whole[p->now[i]] = i;
            p->movable[p->now[i]] = w->moves[i];
            memcpy(p->position + 3 * (size_t)p->now[i], s->position + 3 * (size_t)i,
                   3 * sizeof *p->position);
        }
done:
    return status;
}

/* Contacts between atoms of the part alone, in its numbers. */
static void keep_contacts(cardo_contacts *contacts, const part *p)
{
    int kept = 0;
    for (int k = 0; k < contacts->count; ++k) {
        cardo_contact contact = contacts->contact[k];
        contact.atom[0] = p->now[contact.atom[0]];
        contact.atom[1] = p->now[contact.atom[1]];
        if (contact.atom[0] >= 0 && contact.atom[1] >= 0)
            contacts->contact[kept++] = contact;
    }
    contacts->count = kept;
}

static cardo_status relax_part(const work *w, cardo_minimize_result *result, cardo_error *error)
{
    cardo_status status;
    const cardo_minimize_options options = cardo_relax_options_default();
    const cardo_relaxing *g = w->given;
    part p = {0};
    cardo_contacts contacts = {0};
    cardo_terms *terms = NULL;
    cardo_force_provider *provider = NULL;
    cardo_minimize_result one = {0};
    CARDO_TRY(choose_part(w, &p, error));
    CARDO_TRY(cardo_contacts_find(&contacts, g->structure, g->bonds, w->moves, error));
    keep_contacts(&contacts, &p);
    CARDO_TRY(cardo_terms_part(g->terms, w->acts, &terms, error));
    CARDO_TRY(make_provider(terms, p.position, &provider, error));
    CARDO_TRY(cardo_relax(provider, &contacts, p.natom, p.position, p.movable, &options,
                          g->listener, &one, error));
    sum_up(result, &one);
    for (int i = 0; i < p.natom; ++i)
        memcpy(g->structure->position + 3 * (size_t)p.whole[i], p.position + 3 * (size_t)i,
               3 * sizeof *p.position);
done:
    cardo_force_provider_destroy(provider);
    cardo_terms_destroy(terms);
    cardo_contacts_clear(&contacts);
    clear_part(&p);
    return status;
}

static int residue_in_first(const work *w, int residue)
{
    const cardo_structure *s = w->given->structure;
    const int chain = s->residue_chain[residue];
    return s->chain_first[w->first[chain]] + residue - s->chain_first[chain];
}

static void mark_met(void *context, int a, int b, cardo_vec3 r, double square)
{
    const work *w = context;
    const cardo_structure *s = w->given->structure;
    const int one = s->atom_residue[a], other = s->atom_residue[b];
    (void)r, (void)square;
    if (s->residue_chain[one] == s->residue_chain[other])
        return;
    w->met[residue_in_first(w, one)] = true;
    w->met[residue_in_first(w, other)] = true;
}

static void mark_acting(void *context, int a, int b, cardo_vec3 r, double square)
{
    const work *w = context;
    (void)r, (void)square;
    w->acts[a] = w->acts[a] || w->moves[b];
    w->acts[b] = w->acts[b] || w->moves[a];
}

static cardo_status visit(const work *w, double reach, cardo_pair_visitor visitor,
                          cardo_error *error)
{
    cardo_near_pairs *pairs = NULL;
    const cardo_structure *s = w->given->structure;
    const cardo_status status = cardo_near_pairs_create(s->natom, reach, &pairs, error);
    if (status == CARDO_OK)
        cardo_near_pairs_visit(pairs, s->position, visitor, (void *)(size_t)w);
    cardo_near_pairs_destroy(pairs);
    return status;
}

static bool has_copies(const work *w, int chain)
{
    for (int k = 0; k < w->given->structure->nchain; ++k)
        if (k != chain && w->first[k] == chain)
            return true;
    return false;
}

/* What is met in a copy is met in all; a chain without copies is relaxed where it stands. */
static cardo_status find_met(const work *w, cardo_error *error)
{
    const cardo_structure *s = w->given->structure;
    const cardo_status status = visit(w, meeting, mark_met, error);
    for (int r = 0; r < s->nresidue; ++r) {
        const int chain = s->residue_chain[r];
        if (w->first[chain] == chain && !has_copies(w, chain))
            w->met[r] = true;
        if (w->first[chain] != chain)
            w->met[r] = w->met[residue_in_first(w, r)];
    }
    return status;
}

/* The first of each kind of chains, by itself. */
static int choose_firsts(const work *w)
{
    const cardo_structure *s = w->given->structure;
    int n = 0;
    for (int i = 0; i < s->natom; ++i) {
        const int r = s->atom_residue[i], chain = s->residue_chain[r];
        w->acts[i] = w->first[chain] == chain;
        w->moves[i] = w->acts[i] && !w->met[r] && w->given->movable[i];
        n += w->moves[i];
    }
    return n;
}

static void follow_firsts(const work *w)
{
    const cardo_structure *s = w->given->structure;
    for (int i = 0; i < s->natom; ++i) {
        const int r = s->atom_residue[i], chain = s->residue_chain[r], of = w->first[chain];
        if (of == chain || w->met[r] || !w->given->movable[i])
            continue;
        const int like =
            s->residue_first[s->chain_first[of]] + i - s->residue_first[s->chain_first[chain]];
        v3_store(s->position + 3 * (size_t)i,
                 xform_point(w->motion[chain], v3_load(s->position + 3 * (size_t)like)));
    }
}

static cardo_status choose_met(const work *w, int *n, cardo_error *error)
{
    const cardo_structure *s = w->given->structure;
    *n = 0;
    for (int i = 0; i < s->natom; ++i) {
        w->moves[i] = w->given->movable[i] && w->met[s->atom_residue[i]];
        w->acts[i] = w->moves[i];
        *n += w->moves[i];
    }
    return visit(w, cutoff + moving, mark_acting, error);
}

static cardo_status relax_copies(work *w, cardo_minimize_result *result, cardo_error *error)
{
    cardo_status status;
    int n;
    const cardo_structure *s = w->given->structure;
    CARDO_TRY(CARDO_ALLOCATE(&w->met, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->moves, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->acts, s->natom, error));
    CARDO_TRY(find_met(w, error));
    if (choose_firsts(w) > 0) {
        CARDO_TRY(relax_part(w, result, error));
        follow_firsts(w);
    }
    CARDO_TRY(choose_met(w, &n, error));
    if (n > 0)
        status = relax_part(w, result, error);
done:
    return status;
}

cardo_status cardo_relaxing_run(const cardo_relaxing *relaxing, cardo_minimize_result *result,
                                cardo_error *error)
{
    cardo_status status;
    bool copies = false;
    work w = {.given = relaxing};
    const cardo_structure *s = relaxing->structure;
    *result = (cardo_minimize_result){.converged = true};
    CARDO_TRY(CARDO_ALLOCATE(&w.first, s->nchain, error));
    CARDO_TRY(CARDO_ALLOCATE(&w.motion, s->nchain, error));
    CARDO_TRY(cardo_congruent_chains(s, relaxing->movable, w.first, w.motion, error));
    for (int k = 0; k < s->nchain; ++k)
        copies = copies || w.first[k] != k;
    status = copies ? relax_copies(&w, result, error) : relax_all(relaxing, result, error);
done:
    cardo_free(w.first);
    cardo_free(w.motion);
    cardo_free(w.met);
    cardo_free(w.moves);
    cardo_free(w.acts);
    return status;
}
