/* Alternate locations: one label for a residue, since atoms of several do not fit together. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "structure/prepare/draft.h"
#include "structure/records/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Occupancies of the alternates that are not taken go down by this much while a structure is made:
 * still in their order, but after those that are. */
static const float demotion = 1000;

enum { LABELS = 128 };

/* A record with a label, and the residue that it belongs to. */
typedef struct labelled {
    const cardo_residue_identity *residue;
    cardo_record *record;
} labelled;

static int compare_residues(const cardo_residue_identity *a, const cardo_residue_identity *b)
{
    int chain = memcmp(&a->chain, &b->chain, sizeof a->chain);
    if (chain)
        return chain;
    if (a->segment != b->segment)
        return a->segment < b->segment ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->insertion > b->insertion) - (a->insertion < b->insertion);
}

static int compare_labelled(const void *a, const void *b)
{
    const labelled *one = a, *other = b;
    int order = compare_residues(one->residue, other->residue);
    return order ? order : (one->record > other->record) - (one->record < other->record);
}

static int index_of(char label)
{
    return (unsigned char)label % LABELS;
}

/* The label of a residue: the one asked for, else that of highest mean occupancy, else the first. */
static char choose_label(const labelled *first, int n, char wanted)
{
    double sum[LABELS] = {0};
    int count[LABELS] = {0};
    char best = first->record->altloc;
    for (int k = 0; k < n; ++k) {
        sum[index_of(first[k].record->altloc)] += (double)first[k].record->occupancy;
        ++count[index_of(first[k].record->altloc)];
    }
    if (count[index_of(wanted)])
        return wanted;
    for (int k = 0; k < n; ++k) {
        int i = index_of(first[k].record->altloc), b = index_of(best);
        if (sum[i] / count[i] > sum[b] / count[b] + 1e-6)
            best = first[k].record->altloc;
    }
    return best;
}

static void demote_others(labelled *list, int n, char wanted)
{
    for (int first = 0, last; first < n; first = last) {
        last = first + 1;
        while (last < n && compare_residues(list[first].residue, list[last].residue) == 0)
            ++last;
        char label = choose_label(list + first, last - first, wanted);
        for (int k = first; k < last; ++k)
            if (list[k].record->altloc != label)
                list[k].record->occupancy -= demotion;
    }
}

static cardo_status choose_labels(cardo_records *records, char wanted, const char *path,
                                  cardo_error *error)
{
    labelled *list = NULL;
    int n = 0;
    bool any = wanted == '\0';
    cardo_status status = CARDO_ALLOCATE(&list, records->nrecord, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < records->nrecord; ++i) {
        cardo_record *record = &records->record[i];
        any = any || record->altloc == wanted;
        if (record->altloc)
            list[n++] = (labelled){&records->run[record->run].identity, record};
    }
    qsort(list, (size_t)n, sizeof *list, compare_labelled);
    demote_others(list, n, wanted);
    cardo_free(list);
    if (!any)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: no atom has the alternate location %c",
                          path, wanted);
    return CARDO_OK;
}

static void restore(float *occupancy)
{
    if (*occupancy < -demotion / 2)
        *occupancy = roundf((*occupancy + demotion) * 100) / 100;
}

cardo_status cardo_structure_read_altloc(const char *path, const cardo_read_options *options,
                                         char altloc, cardo_structure **out, cardo_error *error)
{
    cardo_records records = {0};
    *out = NULL;
    long long outer = cardo_file_limit_begin(path);
    cardo_status status = cardo_records_read_built(path, options, &outer, &records, error);
    if (status == CARDO_OK)
        status = choose_labels(&records, altloc, path, error);
    if (status == CARDO_OK)
        status = cardo_structure_assemble(&records, path, out, error);
    for (int i = 0; status == CARDO_OK && i < (*out)->natom; ++i)
        restore(&(*out)->occupancy[i]);
    for (int i = 0; status == CARDO_OK && i < (*out)->nalternate; ++i)
        restore(&(*out)->alternate[i].occupancy);
    cardo_records_destroy(&records);
    return cardo_file_limit_end(outer, path, status, error);
}

/* One label of a residue in the report. */
typedef struct choice {
    char label;
    const char *residue; /* its name */
    int count, taken;
    double occupancy; /* sum */
} choice;

enum { MOST_CHOICES = 8 };

/* Labels of the alternates first ... first + n - 1; how many there are. */
static int collect(const cardo_alternate *first, int n, choice list[MOST_CHOICES])
{
    int count = 0;
    for (int k = 0; k < n; ++k) {
        int c = 0;
        while (c < count && list[c].label != first[k].label)
            ++c;
        if (c == MOST_CHOICES)
            continue;
        if (c == count)
            list[count++] =
                (choice){.label = first[k].label, .residue = first[k].residue_name.text};
        ++list[c].count;
        list[c].taken += first[k].taken;
        list[c].occupancy += (double)first[k].occupancy;
    }
    return count;
}

static cardo_status note_alternates(cardo_draft *draft, const cardo_alternate *first, int n,
                                    cardo_error *error)
{
    choice list[MOST_CHOICES] = {{0}};
    int count = collect(first, n, list), taken = 0;
    char reason[192] = "";
    for (int c = 1; c < count; ++c)
        taken = list[c].taken > list[taken].taken ? c : taken;
    cardo_append(reason, sizeof reason, "%c (occupancy %.2f) taken", list[taken].label,
                 list[taken].occupancy / list[taken].count);
    for (int c = 0; c < count; ++c)
        if (c != taken) {
            bool other = strcmp(list[c].residue, list[taken].residue) != 0;
            cardo_append(reason, sizeof reason, ", not %c (%.2f%s%s)", list[c].label,
                         list[c].occupancy / list[c].count, other ? ", " : "",
                         other ? list[c].residue : "");
        }
    for (int c = 0; c < count; ++c)
        if (c != taken && list[c].taken)
            cardo_append(reason, sizeof reason, "; %d atoms that %c alone has from it",
                         list[c].taken, list[c].label);
    cardo_status status =
        cardo_draft_note_source(draft, CARDO_CHANGE_CHOSEN, first->residue, -1, reason, error);
    if (status == CARDO_OK)
        cardo_draft_measure(draft, "occupancy", list[taken].occupancy / list[taken].count);
    return status;
}

cardo_status cardo_prepare_alternates(cardo_draft *draft, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    for (int first = 0, last, r = 0; first < s->nalternate; first = last) {
        last = first + 1;
        while (last < s->nalternate && s->alternate[last].residue == s->alternate[first].residue)
            ++last;
        while (r < draft->count && draft->residue[r].source < s->alternate[first].residue)
            ++r;
        if (r == draft->count || draft->residue[r].source != s->alternate[first].residue)
            continue;
        cardo_status status = note_alternates(draft, s->alternate + first, last - first, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}
