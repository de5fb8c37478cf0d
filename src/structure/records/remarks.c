#include "structure/records/remarks.h"

#include "structure/records/conect.h"
#include "structure/records/copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 512, RESIDUES_NAMED = 8 };

static int compare_integers(const void *a, const void *b)
{
    int one = *(const int *)a, other = *(const int *)b;
    return one < other ? -1 : one > other;
}

/* Alternates from k on that are of one residue. */
static int count_of_residue(const cardo_structure *s, int k)
{
    int n = 1;
    while (k + n < s->nalternate && s->alternate[k + n].residue == s->alternate[k].residue)
        ++n;
    return n;
}

static void add_label(char labels[16], char label)
{
    size_t n = strlen(labels);
    if (strchr(labels, label) || n + 1 >= 16)
        return;
    labels[n] = label;
    labels[n + 1] = '\0';
}

/* "A:SER12 (B, not A)", after what is in text already. */
static void name_residue(const cardo_structure *s, int k, int n, char text[TEXT_SIZE])
{
    char taken[16] = "", left[16] = "", label[40];
    size_t used = strlen(text);
    for (int i = k; i < k + n; ++i)
        if (s->alternate[i].taken)
            add_label(taken, s->alternate[i].label);
    for (int i = k; i < k + n; ++i)
        if (!strchr(taken, s->alternate[i].label))
            add_label(left, s->alternate[i].label);
    snprintf(text + used, TEXT_SIZE - used, "%s%s (%s%s%s)", used ? ", " : "",
             cardo_residue_label(s, s->alternate[k].residue, label), taken, left[0] ? ", not " : "",
             left);
}

static void tell_alternates(const cardo_structure *s, cardo_remark *tell, void *user)
{
    char named[TEXT_SIZE] = "", text[TEXT_SIZE + 128], more[40] = "";
    int residues = 0;
    for (int k = 0, n; k < s->nalternate; k += n) {
        n = count_of_residue(s, k);
        if (residues++ < RESIDUES_NAMED)
            name_residue(s, k, n, named);
    }
    if (residues == 0)
        return;
    if (residues > RESIDUES_NAMED)
        snprintf(more, sizeof more, " and %d more", residues - RESIDUES_NAMED);
    snprintf(text, sizeof text,
             "%d residue%s with alternate locations, of which one is taken: %s%s", residues,
             residues > 1 ? "s" : "", named, more);
    tell(user, text);
}

static void tell_serials(const cardo_structure *s, cardo_remark *tell, void *user)
{
    bool rising = true;
    for (int i = 1; i < s->natom && rising; ++i)
        rising = s->serial[i] > s->serial[i - 1];
    int *serials = rising ? NULL : malloc((size_t)s->natom * sizeof *serials);
    if (!serials)
        return;
    memcpy(serials, s->serial, (size_t)s->natom * sizeof *serials);
    qsort(serials, (size_t)s->natom, sizeof *serials, compare_integers);
    int repeated = 0, first = 0;
    for (int i = 1; i < s->natom; ++i)
        if (serials[i] == serials[i - 1] && repeated++ == 0)
            first = serials[i];
    free(serials);
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, "%d atoms repeat the serial number of another one (such as %d)",
             repeated, first);
    if (repeated > 0)
        tell(user, text);
}

static void tell_elements(const cardo_structure *s, cardo_remark *tell, void *user)
{
    int unknown = 0, first = 0;
    for (int i = s->natom - 1; i >= 0; --i)
        if (s->element[i] == 0) {
            ++unknown;
            first = i;
        }
    if (unknown == 0)
        return;
    char text[TEXT_SIZE], label[40];
    snprintf(text, sizeof text, "%d atom%s of no known element, such as %s of %s", unknown,
             unknown > 1 ? "s" : "", s->atom_name[first].text,
             cardo_residue_label(s, s->atom_residue[first], label));
    tell(user, text);
}

void cardo_structure_remarks(const cardo_structure *structure, cardo_remark *tell, void *user)
{
    const cardo_structure *s = structure;
    char text[TEXT_SIZE];
    if (s->nmodel > 1) {
        snprintf(text, sizeof text, "model %d of %d is taken", s->model, s->nmodel);
        tell(user, text);
    }
    if (cardo_offered_words(s, text, sizeof text))
        tell(user, text);
    tell_alternates(s, tell, user);
    if (s->nduplicate > 0) {
        snprintf(text, sizeof text,
                 "%d record%s an atom that is there already (the first in line %d): left out",
                 s->nduplicate, s->nduplicate > 1 ? "s repeat" : " repeats", s->duplicate_line);
        tell(user, text);
    }
    tell_serials(s, tell, user);
    if (cardo_conect_far_words(s, text, sizeof text))
        tell(user, text);
    if (cardo_conect_unclear_words(s, text, sizeof text))
        tell(user, text);
    tell_elements(s, tell, user);
}
