/* What was done while preparing, for people: by topic, residues of which the same is to be said together. */
#include "base/memory.h"
#include "base/number.h"
#include "study/prepare/prepared.h"

#include <stdio.h>
#include <string.h>

/* How residues of which the same is said share an entry. */
typedef enum folding {
    APART,   /* an entry for each                   */
    LISTED,  /* one for all, with their names       */
    COUNTED, /* one for all, with their number      */
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

/* Is this the first change of those that share its entry? */
static bool is_first(const cardo_preparation *p, int k)
{
    for (int i = 0; i < k; ++i)
        if (is_alike(&p->change[i], &p->change[k]))
            return false;
    return true;
}

/* Residues that share the entry of change k, which is the first; next: after which one to look on. */
static int next_residue(const cardo_preparation *p, int k, int last)
{
    for (int i = last + 1; i < p->nchange; ++i)
        if (is_alike(&p->change[i], &p->change[k]) &&
            strcmp(p->change[i].residue, p->change[last].residue) != 0)
            return i;
    return -1;
}

/* Atoms of the first residue of an entry; next: as above. In an entry of its own they follow each other. */
static int next_atom(const cardo_preparation *p, int k, int last, folding how)
{
    for (int i = last + 1;
         i < p->nchange && strcmp(p->change[i].residue, p->change[k].residue) == 0; ++i) {
        if (is_alike(&p->change[i], &p->change[k]))
            return i;
        if (how == APART)
            break;
    }
    return -1;
}

/* Text that grows. */
typedef struct words {
    char *text;
    int length, capacity;
} words;

static cardo_status put_word(words *w, const char *word, cardo_error *error)
{
    const int n = (int)strlen(word);
    const cardo_status status = CARDO_RESERVE(&w->text, &w->capacity, w->length + n + 2, error);
    if (status == CARDO_OK)
        w->length += sprintf(w->text + w->length, "%s%s", w->length > 0 ? " " : "", word);
    return status;
}

static cardo_status add_residues(const cardo_preparation *p, int k, folding how, cardo_result *row,
                                 cardo_error *error)
{
    static const cardo_quantity count = {"count", "residues",
                                         .meaning = "residues of which the same is to be said"},
                                first = {"first", "first of them"};
    const char *one = p->change[k].residue;
    cardo_status status = CARDO_OK;
    words all = {0};
    int n = 0;
    for (int i = k; i >= 0; i = how == APART ? -1 : next_residue(p, k, i), ++n)
        CARDO_TRY(put_word(&all, p->change[i].residue, error));
    if (n == 1) {
        cardo_result_text(row, &(cardo_quantity){"residue"}, one);
    } else if (how == COUNTED) {
        cardo_result_integer(row, &count, n);
        cardo_result_text(row, &first, one);
    } else {
        cardo_result_text(row, &(cardo_quantity){"residues"}, all.text);
    }
done:
    cardo_free(all.text);
    return status;
}

static cardo_status add_atoms(const cardo_preparation *p, int k, folding how, cardo_result *row,
                              cardo_error *error)
{
    cardo_status status = CARDO_OK;
    words all = {0};
    if (!p->change[k].atom.text[0])
        return CARDO_OK;
    for (int i = k; i >= 0; i = next_atom(p, k, i, how))
        CARDO_TRY(put_word(&all, p->change[i].atom.text, error));
    cardo_result_text(row, &(cardo_quantity){"atoms"}, all.text);
done:
    cardo_free(all.text);
    return status;
}

/* Atoms that were built where they were missing need no reason. */
static bool is_plain(const cardo_change *c)
{
    return c->kind == CARDO_CHANGE_ADDED &&
           (c->topic == CARDO_TOPIC_HEAVY || c->topic == CARDO_TOPIC_HYDROGENS);
}

static cardo_status add_entry(const cardo_preparation *p, int k, folding how, cardo_result *entries,
                              cardo_error *error)
{
    const cardo_change *c = &p->change[k];
    cardo_result_row(entries);
    cardo_status status = add_residues(p, k, how, entries, error);
    if (status == CARDO_OK)
        status = add_atoms(p, k, how, entries, error);
    if (how != APART || !is_plain(c))
        cardo_result_text(entries, &(cardo_quantity){"why"}, c->reason);
    return status;
}

static const char *heading_of(const cardo_preparation *p, cardo_change_topic topic, double ph,
                              char text[128])
{
    const char *name = cardo_topic_words(topic);
    int n = 0;
    for (int k = 0; k < p->nchange; ++k)
        n += p->change[k].topic == topic;
    if (topic == CARDO_TOPIC_STATES)
        cardo_format(text, 128, "%s at pH %g%s", name, ph,
                     p->ntitration > 0 ? ", by pKa values shifted by what is around (an estimate, "
                                         "often 1 off)"
                                       : "");
    else if (topic == CARDO_TOPIC_REVIEW)
        snprintf(text, 128, "%s: %d thing%s, about which nothing was done", name, n,
                 n == 1 ? "" : "s");
    else
        snprintf(text, 128, "%s%s", name,
                 topic == CARDO_TOPIC_HEAVY ? ": heavy atoms that the file lacks" : "");
    return text;
}

/* The changes of one residue that have one reason. */
static int alike_in_line(const cardo_preparation *p, int k)
{
    int n = 1;
    while (k + n < p->nchange && is_alike(&p->change[k], &p->change[k + n]) &&
           strcmp(p->change[k].residue, p->change[k + n].residue) == 0)
        ++n;
    return n;
}

static cardo_status add_topic(const cardo_preparation *p, cardo_change_topic topic, double ph,
                              bool full, cardo_result *list, cardo_error *error)
{
    static const cardo_quantity open = {"open", .meaning = "for the user to look at"};
    cardo_status status = CARDO_OK;
    cardo_result *entries = NULL;
    char text[128];
    for (int k = 0, n; k < p->nchange && status == CARDO_OK; k += n) {
        const cardo_change *c = &p->change[k];
        const folding how = folding_of(c, full);
        const bool hidden =
            topic == CARDO_TOPIC_HYDROGENS && !full && c->kind == CARDO_CHANGE_ADDED;
        n = how == APART && c->topic == topic && !hidden ? alike_in_line(p, k) : 1;
        if (c->topic != topic || hidden || (how != APART && !is_first(p, k)))
            continue;
        if (!entries) {
            cardo_result *group = cardo_result_group(list, NULL);
            cardo_result_text(group, &(cardo_quantity){"topic"}, cardo_topic_words(topic));
            cardo_result_text(group, &(cardo_quantity){"heading"}, heading_of(p, topic, ph, text));
            cardo_result_truth(group, &open,
                               topic == CARDO_TOPIC_BREAKS || topic == CARDO_TOPIC_REVIEW);
            entries = cardo_result_table(group, "entries", "residues");
        }
        status = add_entry(p, k, how, entries, error);
    }
    return status;
}

cardo_status cardo_prepared_report(const cardo_preparation *p, double ph, bool full,
                                   cardo_result *into, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_result *list = cardo_result_list(into, "by_topic");
    cardo_result_for_people(list);
    for (int topic = 0; topic < CARDO_NTOPIC && status == CARDO_OK; ++topic)
        status = add_topic(p, (cardo_change_topic)topic, ph, full, list, error);
    return status;
}
