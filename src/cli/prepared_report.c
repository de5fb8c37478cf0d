/* The report of cardo prepare: a summary, then what was done by topic, folded by residue. */
#include "cli/prepared_report.h"
#include "base/units.h"
#include <cardo/text.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HYDROGEN = 1, WIDTH = 112 };

/* How residues of which the same is said share a line. */
typedef enum folding {
    APART,   /* a line for each                    */
    LISTED,  /* one for all, with their names      */
    COUNTED, /* one for all, with their number     */
} folding;

static folding folding_of(const cardo_change *c, bool full)
{
    if (full)
        return APART;
    if ((c->topic == CARDO_TOPIC_LEFT_OUT && !c->atom.text[0]) || c->usual)
        return COUNTED;
    return c->topic == CARDO_TOPIC_REVIEW || c->topic == CARDO_TOPIC_ENDS ||
                   c->topic == CARDO_TOPIC_NAMES
               ? LISTED
               : APART;
}

static bool is_alike(const cardo_change *a, const cardo_change *b)
{
    return a->topic == b->topic && a->kind == b->kind && a->usual == b->usual &&
           !a->atom.text[0] == !b->atom.text[0] && strcmp(a->reason, b->reason) == 0;
}

/* Is this the first change of those that share its line? */
static bool is_first(const cardo_preparation *p, int k)
{
    for (int i = 0; i < k; ++i)
        if (is_alike(&p->change[i], &p->change[k]))
            return false;
    return true;
}

/* Prints a folded line at the first change that belongs to it. */
static void print_folded(const cardo_preparation *p, int k, folding how)
{
    const cardo_change *c = &p->change[k];
    const char *last = "";
    int n = 0, column = 2;
    if (!is_first(p, k))
        return;
    for (int i = k; i < p->nchange; ++i) {
        n += is_alike(&p->change[i], c) && strcmp(p->change[i].residue, last) != 0;
        last = is_alike(&p->change[i], c) ? p->change[i].residue : last;
    }
    if (n > 1 && how == COUNTED) {
        printf("  %d residues (%s, ...): %s\n", n, c->residue, c->reason);
        return;
    }
    putchar(' ');
    last = "";
    for (int i = k; i < p->nchange; ++i) {
        if (!is_alike(&p->change[i], c) || strcmp(p->change[i].residue, last) == 0)
            continue;
        last = p->change[i].residue;
        if (column > WIDTH - 14)
            column = printf("\n  ") - 1;
        column += printf(n == 1 ? " %-12s" : " %s", last);
    }
    if (n > 1)
        putchar(':');
    for (int i = k; i < p->nchange && strcmp(p->change[i].residue, c->residue) == 0; ++i)
        if (is_alike(&p->change[i], c) && c->atom.text[0])
            printf(" %s", p->change[i].atom.text);
    printf("%s %s\n", c->atom.text[0] ? ":" : "", c->reason);
}

/* Prints the changes of one residue that have one reason, and returns how many they are. */
static int print_line(const cardo_preparation *p, int k)
{
    const cardo_change *c = &p->change[k];
    int n = 0, column = printf("  %-12s", c->residue);
    for (; k + n < p->nchange && is_alike(c, &p->change[k + n]) &&
           strcmp(c->residue, p->change[k + n].residue) == 0;
         ++n) {
        if (c->atom.text[0] && column > WIDTH - 8)
            column = printf("\n  %-12s", "") - 1;
        if (c->atom.text[0])
            column += printf(" %s", c[n].atom.text);
    }
    bool plain = c->kind == CARDO_CHANGE_ADDED &&
                 (c->topic == CARDO_TOPIC_HEAVY || c->topic == CARDO_TOPIC_HYDROGENS);
    if (!plain)
        printf("%s%s", c->atom.text[0] ? ": " : " ", c->reason);
    putchar('\n');
    return n;
}

static void print_heading(const cardo_prepared_sums *n, cardo_change_topic topic, double ph)
{
    printf("\n%s", cardo_topic_words(topic));
    if (topic == CARDO_TOPIC_STATES)
        cardo_print(stdout, " at pH %g", ph);
    else if (topic == CARDO_TOPIC_HEAVY)
        printf(": heavy atoms that the file lacks");
    else if (topic == CARDO_TOPIC_REVIEW)
        printf(": %d thing%s, about which nothing was done", n->of_topic[topic],
               n->of_topic[topic] == 1 ? "" : "s");
    putchar('\n');
}

static void print_topic(const cardo_preparation *p, const cardo_prepared_sums *n,
                        cardo_change_topic topic, double ph, bool full)
{
    bool hydrogens = topic == CARDO_TOPIC_HYDROGENS;
    int shown = 0;
    for (int k = 0; k < p->nchange;) {
        const cardo_change *c = &p->change[k];
        bool hidden = hydrogens && !full && c->kind == CARDO_CHANGE_ADDED;
        if (c->topic != topic || hidden) {
            ++k;
            continue;
        }
        if (shown++ == 0)
            print_heading(n, topic, ph);
        folding how = folding_of(c, full);
        if (how != APART)
            print_folded(p, k++, how);
        else
            k += print_line(p, k);
    }
}

static void print_relaxation(const cardo_prepared *prepared)
{
    if (prepared->relaxed)
        cardo_print(
            stdout,
            "  relaxed: the %d atoms that were built moved by %.2f A RMS, %.2f A at most, with "
            "%s; all others stayed\n",
            prepared->nrelaxed, prepared->moved / CARDO_ANGSTROM,
            prepared->moved_most / CARDO_ANGSTROM, prepared->forcefield);
    else if (prepared->not_relaxed.message[0])
        printf("  not relaxed: %s\n", prepared->not_relaxed.message);
}

/* "2 disulfides, " where there are any. */
static void print_count(int n, const char *one, const char *many)
{
    if (n > 0)
        printf("; %d %s", n, n == 1 ? one : many);
}

static void print_summary(const cardo_wanted *wanted, const cardo_prepared *prepared,
                          const cardo_prepared_sums *n)
{
    const cardo_structure *s = prepared->preparation->structure;
    printf("%s -> %s\n", wanted->input, wanted->output);
    printf("  %d atoms in %d residues and %d chain%s: %d of the file, %d heavy atoms and %d "
           "hydrogens built\n",
           s->natom, s->nresidue, s->nchain, s->nchain == 1 ? "" : "s", n->from_file, n->heavy,
           n->hydrogens);
    if (n->done == 0)
        printf("  nothing was to be done\n");
    double share = cardo_prepared_guesses(prepared->preparation, NULL, NULL);
    if (share > CARDO_GUESSES_TOLD)
        cardo_print(
            stdout,
            "  %.0f %% OF ALL HEAVY ATOMS ARE GUESSES: no more than %s of this structure is "
            "known\n",
            100 * share, share > CARDO_GUESSES_ALLOWED ? "the backbone" : "a part");
    printf("  %d residues left out", n->of_topic[CARDO_TOPIC_LEFT_OUT]);
    print_count(n->of_topic[CARDO_TOPIC_ALTERNATES], "residue with alternates",
                "residues with alternates");
    print_count(n->of_topic[CARDO_TOPIC_DISULFIDES], "disulfide", "disulfides");
    print_count(n->of_topic[CARDO_TOPIC_REVIEW], "thing to look at (at the end)",
                "things to look at (at the end)");
    putchar('\n');
    print_relaxation(prepared);
}

void cardo_prepared_print(const cardo_wanted *wanted, const cardo_prepared *prepared, bool full)
{
    const cardo_preparation *p = prepared->preparation;
    cardo_prepared_sums n = cardo_prepared_sum_up(p);
    print_summary(wanted, prepared, &n);
    for (int topic = 0; topic < CARDO_NTOPIC; ++topic)
        print_topic(p, &n, (cardo_change_topic)topic, wanted->options.ph, full);
}

void cardo_prepared_print_review(const cardo_wanted *wanted, const cardo_prepared *prepared)
{
    static const cardo_change_topic topics[] = {CARDO_TOPIC_BREAKS, CARDO_TOPIC_REVIEW};
    const cardo_preparation *p = prepared->preparation;
    cardo_prepared_sums n = cardo_prepared_sum_up(p);
    if (n.of_topic[CARDO_TOPIC_BREAKS] + n.of_topic[CARDO_TOPIC_REVIEW] == 0)
        return;
    printf("%s: as it is", wanted->input);
    for (size_t k = 0; k < sizeof topics / sizeof *topics; ++k)
        print_topic(p, &n, topics[k], wanted->options.ph, false);
    printf("\n");
}
