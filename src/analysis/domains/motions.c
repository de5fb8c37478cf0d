#include "analysis/domains/motions.h"

#include "analysis/domains/bending.h"
#include "analysis/domains/meetings.h"
#include "base/memory.h"
#include "structure/atoms/superpose.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Domains with fewer contacts are apart: two residues that touch make about as many. */
enum { FEWEST_CONTACTS = 5 };

/* What the making of motions works on. */
typedef struct motion_maker {
    const cardo_structure *reference, *target;
    const int *match;
    const cardo_domain_options *options;
    cardo_displacement d;
    int *residue; /* of the reference, of each matched one                                  (n) */
    bool *bends;  /*                                                                        (n) */
    cardo_domain_meetings meetings;
    cardo_found_domains found;
    cardo_domain_motions *motions;
} motion_maker;

static const double *atom_position(const cardo_structure *structure, int residue, const char *name)
{
    int atom = residue < 0 ? -1 : cardo_structure_find_atom(structure, residue, name);
    return atom < 0 ? NULL : structure->position + 3 * (size_t)atom;
}

/* Backbone atoms of a residue pair; an atom that either lacks stands at C-alpha in both. */
static void load_backbone(const motion_maker *maker, int r, double *a, double *b)
{
    static const char *const names[3] = {"N", "CA", "C"};
    int s = maker->match[r];
    assert(r >= 0 && r < maker->reference->nresidue && s >= 0 && s < maker->target->nresidue);
    for (int k = 0; k < 3; ++k) {
        const double *in_a = atom_position(maker->reference, r, names[k]);
        const double *in_b = atom_position(maker->target, s, names[k]);
        bool both = in_a && in_b;
        in_a = both ? in_a : atom_position(maker->reference, r, "CA");
        in_b = both ? in_b : atom_position(maker->target, s, "CA");
        memcpy(a + 3 * k, in_a, 3 * sizeof *a);
        memcpy(b + 3 * k, in_b, 3 * sizeof *b);
    }
}

/* Neighbouring runs of residues with one chain id are one chain. */
static int chain_number(const cardo_structure *structure, int r, int before, int number)
{
    if (before < 0)
        return 0;
    const cardo_name *id = structure->chain_id;
    const int *chain = structure->residue_chain;
    return number + (strcmp(id[chain[r]].text, id[chain[before]].text) != 0);
}

static cardo_status collect(motion_maker *maker, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_structure *a = maker->reference;
    int n = 0;
    CARDO_TRY(CARDO_ALLOCATE(&maker->residue, a->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&maker->bends, a->nresidue, error));
    for (int r = 0; r < a->nresidue; ++r)
        if (atom_position(a, r, "CA") && atom_position(maker->target, maker->match[r], "CA"))
            maker->residue[n++] = r;
    CARDO_TRY(cardo_displacement_allocate(&maker->d, n, error));
    for (int k = 0; k < n; ++k) {
        cardo_displacement *d = &maker->d;
        int r = maker->residue[k];
        load_backbone(maker, r, d->a_backbone + 9 * (size_t)k, d->b_backbone + 9 * (size_t)k);
        memcpy(d->a + 3 * (size_t)k, d->a_backbone + 9 * (size_t)k + 3, 3 * sizeof *d->a);
        memcpy(d->b + 3 * (size_t)k, d->b_backbone + 9 * (size_t)k + 3, 3 * sizeof *d->b);
        d->chain[k] = chain_number(a, r, k ? maker->residue[k - 1] : -1, k ? d->chain[k - 1] : 0);
    }
    maker->motions->nmatched = n;
done:
    return status;
}

static cardo_status allocate(motion_maker *maker, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_domain_motions *m = maker->motions;
    CARDO_TRY(CARDO_ALLOCATE(&m->domain, maker->reference->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->bending, maker->reference->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->parent, m->ndomain, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->matched, m->ndomain, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->rmsd, m->ndomain, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->hinge, m->ndomain, error));
done:
    return status;
}

/* The domain of the nearest residue that has one: along the chain, or else in space. */
static int nearest_domain(const motion_maker *maker, const int *known, int r)
{
    const cardo_structure *a = maker->reference;
    for (int k = 1; cardo_strands_same_chain(a, r, r - k) || cardo_strands_same_chain(a, r, r + k);
         ++k) {
        if (cardo_strands_same_chain(a, r, r - k) && known[r - k] >= 0)
            return known[r - k];
        if (cardo_strands_same_chain(a, r, r + k) && known[r + k] >= 0)
            return known[r + k];
    }
    cardo_vec3 here = v3_load(a->position + 3 * (size_t)a->residue_first[r]);
    double least = HUGE_VAL;
    int best = 0;
    for (int k = 0; k < maker->d.n; ++k) {
        double distance = v3_norm(v3_sub(v3_load(maker->d.a + 3 * (size_t)k), here));
        if (distance < least) {
            least = distance;
            best = maker->found.best.domain[k];
        }
    }
    return best;
}

/* Shares out all residues of the reference, those included that the target lacks. */
static cardo_status share_out(motion_maker *maker, cardo_error *error)
{
    int *known, nresidue = maker->reference->nresidue;
    cardo_domain_motions *m = maker->motions;
    cardo_status status = CARDO_ALLOCATE(&known, nresidue, error);
    if (status != CARDO_OK)
        return status;
    for (int r = 0; r < nresidue; ++r)
        known[r] = -1;
    for (int k = 0; k < maker->d.n; ++k) {
        assert(maker->found.best.domain[k] >= 0 && maker->found.best.domain[k] < m->ndomain);
        known[maker->residue[k]] = maker->found.best.domain[k];
        m->bending[maker->residue[k]] = maker->bends[k];
    }
    for (int r = 0; r < nresidue; ++r)
        m->domain[r] = known[r] >= 0 ? known[r] : nearest_domain(maker, known, r);
    /* A residue without a partner between two that bend bends too. */
    for (int r = 1; r + 1 < nresidue; ++r)
        if (known[r] < 0 && cardo_strands_same_chain(maker->reference, r, r - 1) &&
            m->bending[r - 1]) {
            int next = r;
            while (next < nresidue && known[next] < 0 &&
                   cardo_strands_same_chain(maker->reference, r, next))
                ++next;
            m->bending[r] = next < nresidue &&
                            cardo_strands_same_chain(maker->reference, r, next) && m->bending[next];
        }
    cardo_free(known);
    return CARDO_OK;
}

void cardo_domain_mask(const cardo_domain_motions *motions, int nresidue, int p, bool *mask)
{
    for (int r = 0; r < nresidue; ++r)
        mask[r] = motions->domain[r] == p && !motions->bending[r];
}

void cardo_hinge_mask(const cardo_domain_motions *motions, int nresidue, int p, int q, bool *mask)
{
    memset(mask, 0, (size_t)nresidue * sizeof *mask);
    for (int k = 0; k < motions->nstrand; ++k) {
        const cardo_hinge_strand *s = &motions->strand[k];
        bool joins = (s->before == p && s->after == q) || (s->before == q && s->after == p);
        for (int r = s->first; joins && r <= s->last; ++r)
            mask[r] = true;
    }
}

static double distance_from_axis(const cardo_path_fit *fit, cardo_vec3 point)
{
    return v3_norm(v3_cross(v3_sub(point, fit->point), fit->axis));
}

static void measure_strands(const motion_maker *maker, const cardo_domain_hinge *hinge)
{
    for (int k = 0; k < maker->motions->nstrand; ++k) {
        cardo_hinge_strand *s = &maker->motions->strand[k];
        bool joins = (s->before == hinge->parent && s->after == hinge->child) ||
                     (s->before == hinge->child && s->after == hinge->parent);
        for (int r = s->first; joins && r <= s->last; ++r) {
            const double *at = atom_position(maker->reference, r, "CA");
            double distance = at ? distance_from_axis(hinge->fit, v3_load(at)) : HUGE_VAL;
            if (s->axis_distance < 0 || distance < s->axis_distance)
                s->axis_distance = distance;
        }
    }
}

static cardo_status fit_hinge(motion_maker *maker, cardo_domain_hinge *hinge, bool *mask[3],
                              cardo_error *error)
{
    const cardo_domain_motions *m = maker->motions;
    int n = maker->reference->nresidue;
    cardo_path_target target = {maker->target, maker->match};
    cardo_domain_mask(m, n, hinge->parent, mask[0]);
    cardo_domain_mask(m, n, hinge->child, mask[1]);
    cardo_hinge_mask(m, n, hinge->parent, hinge->child, mask[2]);
    cardo_status status = cardo_path_fit_create(maker->reference, NULL, 1, &target, mask[0],
                                                mask[1], mask[2], &hinge->fit, error);
    if (status != CARDO_OK)
        return status;
    hinge->ratio =
        cardo_partition_ratio(&maker->d, &maker->found.best, hinge->parent, hinge->child);
    hinge->nstrand = cardo_strands_between(m->strand, m->nstrand, hinge->parent, hinge->child);
    for (int s = 0; s < 2; ++s)
        hinge->contacts[s] = maker->meetings.contacts[s][hinge->parent * m->ndomain + hinge->child];
    hinge->tether = hinge->nstrand <= 1 &&
                    (hinge->contacts[0] < FEWEST_CONTACTS || hinge->contacts[1] < FEWEST_CONTACTS);
    measure_strands(maker, hinge);
    return CARDO_OK;
}

static cardo_status fit_hinges(motion_maker *maker, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool *mask[3] = {NULL, NULL, NULL};
    for (int k = 0; k < 3; ++k)
        CARDO_TRY(CARDO_ALLOCATE(&mask[k], maker->reference->nresidue, error));
    for (int k = 0; k < maker->motions->nhinge; ++k)
        CARDO_TRY(fit_hinge(maker, &maker->motions->hinge[k], mask, error));
done:
    for (int k = 0; k < 3; ++k)
        cardo_free(mask[k]);
    return status;
}

/* What each domain's own least-squares motion leaves. */
static cardo_status measure_domains(motion_maker *maker, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_domain_motions *m = maker->motions;
    double *a = NULL, *b = NULL, squares = 0;
    CARDO_TRY(CARDO_ALLOCATE(&a, 3 * maker->d.n, error));
    CARDO_TRY(CARDO_ALLOCATE(&b, 3 * maker->d.n, error));
    for (int p = 0; p < m->ndomain; ++p) {
        int n = 0;
        cardo_transform X;
        for (int i = 0; i < maker->d.n; ++i)
            if (maker->found.best.domain[i] == p) {
                memcpy(a + 3 * (size_t)n, maker->d.a + 3 * (size_t)i, 3 * sizeof *a);
                memcpy(b + 3 * (size_t)n++, maker->d.b + 3 * (size_t)i, 3 * sizeof *b);
            }
        CARDO_TRY(cardo_superpose(n, a, b, NULL, &X, &m->rmsd[p], error));
        m->matched[p] = n;
        squares += n * m->rmsd[p] * m->rmsd[p];
    }
    m->rmsd_left = sqrt(squares / maker->d.n);
    m->rmsd_before = maker->found.rms_before;
    m->explained = m->rmsd_before > 0 ? 1 - m->rmsd_left / m->rmsd_before : 0;
done:
    cardo_free(a);
    cardo_free(b);
    return status;
}

static cardo_motion_verdict judge(const cardo_domain_motions *m)
{
    if (m->ndomain == 1)
        return CARDO_MOTION_NONE;
    if (m->explained < 0.5)
        return CARDO_MOTION_SOFT;
    for (int k = 0; k < m->nhinge; ++k)
        if (m->hinge[k].tether)
            return CARDO_MOTION_TETHER;
    return CARDO_MOTION_HINGED;
}

/* Hangs the domains on each other. */
static cardo_status hang(motion_maker *maker, cardo_error *error)
{
    cardo_domain_motions *m = maker->motions;
    int *child;
    cardo_status status = CARDO_ALLOCATE(&child, m->ndomain, error);
    if (status == CARDO_OK)
        status = cardo_domain_tree_grow(m->ndomain, m->strand, m->nstrand, &maker->meetings,
                                        m->parent, child, error);
    for (int k = 0; status == CARDO_OK && k < m->ndomain - 1; ++k)
        m->hinge[m->nhinge++] =
            (cardo_domain_hinge){.parent = m->parent[child[k]], .child = child[k]};
    cardo_free(child);
    return status;
}

static cardo_status make(motion_maker *maker, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_domain_motions *m = maker->motions;
    CARDO_TRY(collect(maker, error));
    CARDO_TRY(cardo_domains_find(&maker->d, maker->options, &maker->found, error));
    m->ndomain = maker->found.best.ndomain;
    m->agreement = maker->found.agreement;
    for (int k = 0; k < CARDO_DOMAIN_METHODS; ++k)
        m->found[k] = maker->found.by_method[k].ndomain;
    CARDO_TRY(allocate(maker, error));
    CARDO_TRY(
        cardo_domains_bending(&maker->d, maker->options, &maker->found.best, maker->bends, error));
    for (int i = 0; maker->found.like && i < maker->d.n; ++i)
        maker->bends[i] = maker->bends[maker->found.like[i]];
    CARDO_TRY(share_out(maker, error));
    CARDO_TRY(cardo_strands_list(maker->reference, m->bending, m->domain, &m->strand, &m->nstrand,
                                 error));
    CARDO_TRY(measure_domains(maker, error));
    CARDO_TRY(cardo_domains_meet(&maker->d, maker->found.best.domain, m->ndomain, maker->bends,
                                 &maker->meetings, error));
    CARDO_TRY(hang(maker, error));
    CARDO_TRY(fit_hinges(maker, error));
    m->verdict = judge(m);
done:
    return status;
}

cardo_status cardo_domain_motions_find(const cardo_structure *reference,
                                       const cardo_structure *target, const int *match,
                                       const cardo_domain_options *options,
                                       cardo_domain_motions **out, cardo_error *error)
{
    motion_maker maker = {
        .reference = reference, .target = target, .match = match, .options = options};
    *out = NULL;
    cardo_status status = CARDO_ALLOCATE(&maker.motions, 1, error);
    if (status == CARDO_OK)
        status = make(&maker, error);
    if (status == CARDO_OK)
        *out = maker.motions;
    else
        cardo_domain_motions_destroy(maker.motions);
    cardo_displacement_clear(&maker.d);
    cardo_found_domains_clear(&maker.found);
    cardo_free(maker.residue);
    cardo_free(maker.bends);
    cardo_domain_meetings_clear(&maker.meetings);
    return status;
}

void cardo_domain_motions_destroy(cardo_domain_motions *motions)
{
    if (!motions)
        return;
    for (int k = 0; k < motions->nhinge; ++k)
        cardo_path_fit_destroy(motions->hinge[k].fit);
    cardo_free(motions->domain);
    cardo_free(motions->bending);
    cardo_free(motions->parent);
    cardo_free(motions->matched);
    cardo_free(motions->rmsd);
    cardo_free(motions->hinge);
    cardo_free(motions->strand);
    cardo_free(motions);
}
