#include "analysis/domains/motions.h"
#include "base/number.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1 / CARDO_ANGSTROM; /* in a nm */

char *cardo_domain_name(int p, char text[32])
{
    snprintf(text, 32, "domain%d", p + 1);
    return text;
}

/* "two domains"; numbers above twelve as digits. */
static void add_count(char text[CARDO_VERDICT_SIZE], int n, const char *what)
{
    static const char *const words[] = {"no",    "one",   "two",  "three", "four",   "five",  "six",
                                        "seven", "eight", "nine", "ten",   "eleven", "twelve"};
    if (n < (int)(sizeof words / sizeof *words))
        cardo_append(text, CARDO_VERDICT_SIZE, "%s %s%s", words[n], what, n == 1 ? "" : "s");
    else
        cardo_append(text, CARDO_VERDICT_SIZE, "%d %ss", n, what);
}

typedef enum joint_class { HINGE, TETHER, LOOSE } joint_class;

static joint_class class_of(const cardo_domain_hinge *hinge)
{
    return !hinge->tether ? HINGE : hinge->nstrand > 0 ? TETHER : LOOSE;
}

/* More angles than these are told as a range. */
enum { MANY_ANGLES = 12 };

/* " of 51.6 degrees" where all are, or " of 46.0 to 52.0 degrees". */
static void add_range(const cardo_domain_motions *m, joint_class class, char *text)
{
    double least = HUGE_VAL, most = 0;
    char low[16], high[16];
    for (int k = 0; k < m->nhinge; ++k)
        if (class_of(&m->hinge[k]) == class) {
            least = fmin(least, m->hinge[k].fit->angle / CARDO_DEGREE);
            most = fmax(most, m->hinge[k].fit->angle / CARDO_DEGREE);
        }
    cardo_format(low, sizeof low, "%.1f", least);
    cardo_format(high, sizeof high, "%.1f", most);
    cardo_append(text, CARDO_VERDICT_SIZE, " of %s%s%s degrees", low,
                 strcmp(low, high) == 0 ? "" : " to ", strcmp(low, high) == 0 ? "" : high);
}

/* ", one hinge of 51.7 degrees" or ", two hinges of 46.0 and 52.0 degrees"; others likewise. */
static void add_hinges(const cardo_domain_motions *m, joint_class class, const char *what,
                       char *text)
{
    int n = 0, written = 0;
    for (int k = 0; k < m->nhinge; ++k)
        n += class_of(&m->hinge[k]) == class;
    if (n == 0)
        return;
    cardo_append(text, CARDO_VERDICT_SIZE, ", ");
    add_count(text, n, what);
    if (n > MANY_ANGLES && !m->predicted) {
        add_range(m, class, text);
        return;
    }
    for (int k = 0; k < m->nhinge && !m->predicted; ++k) {
        if (class_of(&m->hinge[k]) != class)
            continue;
        cardo_append(text, CARDO_VERDICT_SIZE, "%s%.1f",
                     written == 0       ? " of "
                     : written == n - 1 ? " and "
                                        : ", ",
                     m->hinge[k].fit->angle / CARDO_DEGREE);
        ++written;
    }
    if (!m->predicted)
        cardo_append(text, CARDO_VERDICT_SIZE, " degrees");
}

/* Names the first domain that nothing holds: its strand, and where it is apart. */
static void add_tether(const cardo_domain_motions *m, const cardo_structure *reference, char *text)
{
    char first[40], last[40], name[32];
    int k = 0;
    while (!m->hinge[k].tether)
        ++k;
    const cardo_domain_hinge *hinge = &m->hinge[k];
    cardo_append(text, CARDO_VERDICT_SIZE, "; not a rigid hinge: %s ",
                 cardo_domain_name(hinge->child, name));
    int s = 0;
    for (; s < m->nstrand; ++s)
        if ((m->strand[s].before == hinge->child && m->strand[s].after == hinge->parent) ||
            (m->strand[s].before == hinge->parent && m->strand[s].after == hinge->child))
            break;
    if (s < m->nstrand)
        cardo_append(text, CARDO_VERDICT_SIZE, "hangs on the single strand %s-%s and ",
                     cardo_residue_label(reference, m->strand[s].first, first),
                     cardo_residue_label(reference, m->strand[s].last, last));
    cardo_append(text, CARDO_VERDICT_SIZE,
                 "does not touch %s in the %s structure, so nothing holds an axis",
                 cardo_domain_name(hinge->parent, name),
                 hinge->contacts[0] < hinge->contacts[1] ? "first" : "second");
}

char *cardo_domain_verdict(const cardo_domain_motions *m, const cardo_structure *reference,
                           char text[CARDO_VERDICT_SIZE])
{
    text[0] = '\0';
    if (m->verdict == CARDO_MOTION_NONE) {
        cardo_append(text, CARDO_VERDICT_SIZE, "one rigid domain: no hinge");
        if (!m->predicted)
            cardo_append(text, CARDO_VERDICT_SIZE, "; the structures differ by %.2f A",
                         angstroms * m->rmsd_before);
        return text;
    }
    add_count(text, m->ndomain, "domain");
    add_hinges(m, HINGE, "hinge", text);
    add_hinges(m, TETHER, "flexible tether", text);
    add_hinges(m, LOOSE, "loose contact", text);
    cardo_append(text, CARDO_VERDICT_SIZE, ", explains %.0f %% of ", 100 * m->explained);
    if (m->predicted)
        cardo_append(text, CARDO_VERDICT_SIZE, "the mode");
    else
        cardo_append(text, CARDO_VERDICT_SIZE, "%.2f A", angstroms * m->rmsd_before);
    if (m->verdict == CARDO_MOTION_SOFT)
        cardo_append(text, CARDO_VERDICT_SIZE,
                     "; not a rigid hinge: the domains themselves deform");
    if (m->verdict == CARDO_MOTION_SOFT && !m->predicted)
        cardo_append(text, CARDO_VERDICT_SIZE, " by %.2f A", angstroms * m->rmsd_left);
    if (m->verdict == CARDO_MOTION_TETHER)
        add_tether(m, reference, text);
    return text;
}
