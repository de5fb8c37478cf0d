#include "analysis/domains/copies.h"

#include "base/number.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* How many, and the first and last of them. */
static int residues_of(const cardo_structure *s, const cardo_domain_motions *m, int p, int range[2])
{
    int n = 0;
    range[0] = 0;
    range[1] = -1;
    for (int r = 0; r < s->nresidue; ++r)
        if (m->domain[r] == p) {
            range[0] = n++ ? range[0] : r;
            range[1] = r;
        }
    return n;
}

/* Is there a residue of domain p like r, from first to last of it? */
static bool has_like(const cardo_structure *s, const cardo_domain_motions *m, int p,
                     const int range[2], int r)
{
    for (int k = range[0]; k <= range[1]; ++k)
        if (m->domain[k] == p && s->residue_number[k] == s->residue_number[r] &&
            strcmp(s->residue_name[k].text, s->residue_name[r].text) == 0)
            return true;
    return false;
}

/* Have two domains nine in ten of their residues in common, by number and name? */
static bool are_alike(const cardo_structure *s, const cardo_domain_motions *m, int p, int q)
{
    int of_p[2], of_q[2], shared = 0;
    const int n = residues_of(s, m, p, of_p) + residues_of(s, m, q, of_q);
    for (int r = of_p[0]; r <= of_p[1]; ++r)
        shared += m->domain[r] == p && has_like(s, m, q, of_q, r);
    return 10 * shared >= 9 * (n - shared);
}

static int hinge_of(const cardo_domain_motions *m, int p)
{
    for (int k = 0; k < m->nhinge; ++k)
        if (m->hinge[k].child == p)
            return k;
    return -1;
}

static bool have_like_parents(const cardo_domain_motions *m, const int *lead, int i, int k)
{
    const int a = m->hinge[i].parent, b = m->hinge[k].parent;
    const int of_a = hinge_of(m, a), of_b = hinge_of(m, b);
    return a == b || (of_a >= 0 && of_b >= 0 && lead[of_a] == lead[of_b]);
}

static bool is_copy(const cardo_structure *s, const cardo_domain_motions *m, const int *lead, int i,
                    int k)
{
    const cardo_domain_hinge *a = &m->hinge[i], *b = &m->hinge[k];
    const double larger = fmax(a->fit->angle, b->fit->angle);
    return !a->tether && !b->tether &&
           fabs(a->fit->angle - b->fit->angle) <= 0.05 * larger + CARDO_DEGREE &&
           fabs(a->fit->translation - b->fit->translation) <= 0.05 &&
           have_like_parents(m, lead, i, k) && are_alike(s, m, a->child, b->child);
}

void cardo_hinge_copies(const cardo_structure *reference, const cardo_domain_motions *m, int *lead)
{
    /* parents come before children, so that those are known */
    for (int k = 0; k < m->nhinge; ++k) {
        lead[k] = k;
        for (int i = 0; i < k && lead[k] == k; ++i)
            if (lead[i] == i && is_copy(reference, m, lead, i, k))
                lead[k] = i;
        if (lead[k] == k || m->hinge[lead[k]].child < m->hinge[k].child)
            continue;
        const int before = lead[k];
        for (int i = 0; i <= k; ++i)
            lead[i] = lead[i] == before ? k : lead[i];
    }
}

bool cardo_hinge_leads(const cardo_domain_motions *m, const int *lead, int k, int p)
{
    const int hinge = hinge_of(m, p);
    return hinge >= 0 && lead[hinge] == k;
}

int cardo_hinge_copies_text(const cardo_domain_motions *m, const int *lead, int k,
                            const char *between, const char *suffix, char *text, size_t size)
{
    int n = 0;
    text[0] = '\0';
    for (int p = 0; p < m->ndomain; ++p) {
        char name[32];
        if (!cardo_hinge_leads(m, lead, k, p))
            continue;
        cardo_append(text, size, "%s%s%s", n > 0 ? between : "", cardo_domain_name(p, name),
                     suffix);
        ++n;
    }
    return n;
}
