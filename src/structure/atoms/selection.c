#include "structure/atoms/selection.h"

#include "base/letters.h"
#include "base/memory.h"
#include "base/number.h"
#include "structure/atoms/name_text.h"
#include "structure/atoms/residue.h"
#include "structure/atoms/selection_index.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>

/* A residue's number and insertion code. */
typedef struct residue_end {
    int number;
    char insertion;
} residue_end;

/* Where a parser stands, and what it knows of the structure. */
typedef struct selector {
    const cardo_structure *structure;
    const char *text;
    const char *next;
    bool strict;
    bool *atoms;    /* mark of atoms, or NULL    */
    bool *residues; /* mark of residues, or NULL */
    cardo_selection_index index;
    const char *only_chain; /* that is meant where none is named, NULL: there are several */
    cardo_error *error;
} selector;

static bool is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static cardo_status fail_at(const selector *s, const char *where, const char *what)
{
    return CARDO_FAIL(s->error, CARDO_ERROR_INPUT, "selection '%.200s', column %d: %s", s->text,
                      (int)(where - s->text) + 1, what);
}

/* Reads -12B. Returns what follows, or NULL when this is no residue number. */
static const char *read_end(const char *p, const char *stop, residue_end *end)
{
    const char *start = p;
    if (p < stop && (*p == '-' || *p == '+'))
        ++p;
    while (p < stop && isdigit((unsigned char)*p))
        ++p;
    if (!cardo_parse_int(start, (int)(p - start), &end->number))
        return NULL;
    end->insertion = '\0';
    if (p < stop && cardo_is_letter(*p))
        end->insertion = *p++;
    return p;
}

/* Reads 10, 52A, 10-20 or -3--1, the whole of [p, stop). */
static bool read_range(const char *p, const char *stop, residue_end *low, residue_end *high)
{
    p = read_end(p, stop, low);
    if (!p)
        return false;
    *high = *low;
    if (p == stop)
        return true;
    if (*p != '-')
        return false;
    return read_end(p + 1, stop, high) == stop;
}

static const char *chain_of(const cardo_structure *structure, int residue)
{
    return structure->chain_id[structure->residue_chain[residue]].text;
}

/* The chain that is meant when none is named: the only polymer's, or the only one. */
static const char *only_chain(const cardo_structure *structure, bool polymers_only)
{
    const char *id = NULL;
    for (int r = 0; r < structure->nresidue; ++r) {
        if (polymers_only && !cardo_residue_is_polymer(structure, r))
            continue;
        if (id && strcmp(id, chain_of(structure, r)) != 0)
            return NULL;
        id = chain_of(structure, r);
    }
    return id;
}

static int compare_ends(residue_end a, residue_end b)
{
    if (a.number != b.number)
        return a.number < b.number ? -1 : 1;
    return (unsigned char)a.insertion - (unsigned char)b.insertion;
}

static residue_end end_of(const cardo_structure *structure, int residue)
{
    return (residue_end){structure->residue_number[residue], structure->insertion[residue]};
}

/* Writes which residues a chain has ("1-89, 92-238"), cut after some ranges. */
static void list_residues(const cardo_structure *structure, const char *chain, char *text,
                          size_t size)
{
    size_t used = 0;
    int previous = -1;
    text[0] = '\0';
    for (int r = 0; r < structure->nresidue && used + 48 < size; ++r) {
        if (strcmp(chain_of(structure, r), chain) != 0)
            continue;
        int number = structure->residue_number[r];
        bool goes_on = previous >= 0 && (number == structure->residue_number[previous] ||
                                         number - 1 == structure->residue_number[previous]);
        if (previous >= 0 && !goes_on)
            used += (size_t)snprintf(text + used, size - used, "-%d",
                                     structure->residue_number[previous]);
        if (!goes_on)
            used += (size_t)snprintf(text + used, size - used, "%s%d", used ? ", " : "", number);
        previous = r;
    }
    if (previous < 0)
        snprintf(text, size, "none");
    else if (used + 48 < size)
        snprintf(text + used, size - used, "-%d", structure->residue_number[previous]);
    else
        snprintf(text + used, size - used, ", ...");
}

static cardo_status fail_chain(const selector *s, const char *where, const char *chain)
{
    char what[400];
    int used = snprintf(what, sizeof what, "there is no chain '%.20s'; chains:", chain);
    for (int c = 0; c < s->structure->nchain && used < (int)sizeof what - 40; ++c) {
        bool seen = false;
        for (int k = 0; k < c && !seen; ++k)
            seen = name_equal(&s->structure->chain_id[k], &s->structure->chain_id[c]);
        if (!seen)
            used += snprintf(what + used, sizeof what - (size_t)used, " '%s'",
                             s->structure->chain_id[c].text);
    }
    return fail_at(s, where, what);
}

static cardo_status fail_missing(const selector *s, const char *where, const char *chain,
                                 residue_end end)
{
    char list[400], what[600], insertion[2] = {end.insertion, '\0'};
    list_residues(s->structure, chain, list, sizeof list);
    if (strcmp(list, "none") == 0)
        return fail_chain(s, where, chain);
    snprintf(what, sizeof what, "chain '%.20s' has no residue %d%s; it has %s", chain, end.number,
             insertion, list);
    return fail_at(s, where, what);
}

/* Is an atom name in a list such as "CA,CB" or "CA+CB"? An empty list has every name. */
static bool in_names(const char *names, const char *stop, const char *name)
{
    size_t length = strlen(name);
    if (names == stop)
        return true;
    for (const char *p = names; p < stop; ++p) {
        const char *start = p;
        while (p < stop && *p != ',' && *p != '+')
            ++p;
        if ((size_t)(p - start) == length && strncmp(start, name, length) == 0)
            return true;
    }
    return false;
}

/* Marks a residue, or its atoms in the list of names; returns whether anything was marked. */
static bool mark_residue(const selector *s, int residue, const char *names, const char *stop)
{
    const cardo_structure *structure = s->structure;
    bool any = false;
    for (int i = structure->residue_first[residue]; i < structure->residue_first[residue + 1]; ++i)
        if (in_names(names, stop, structure->atom_name[i].text)) {
            any = true;
            if (s->atoms)
                s->atoms[i] = true;
        }
    if (any && s->residues)
        s->residues[residue] = true;
    return any;
}

/* One item, cut into its parts. */
typedef struct item {
    const char *start;        /* for messages                                      */
    const char *range, *stop; /* text of the residues; empty: the whole chain      */
    const char *names, *names_stop;
    char chain[CARDO_NAME_SIZE];
} item;

/* Marks a stretch of an order, or the atoms named in it; false where there are none. */
static bool mark_stretch(selector *s, cardo_residue_order *order, cardo_stretch stretch,
                         const item *it)
{
    bool any = false;
    if (it->names == it->names_stop) {
        cardo_index_mark(order, stretch);
        return stretch.end > stretch.first;
    }
    for (int k = stretch.first; k < stretch.end; ++k)
        any |= mark_residue(s, order->residue[k], it->names, it->names_stop);
    return any;
}

static cardo_status mark_chain(selector *s, const item *it)
{
    cardo_stretch chain = cardo_index_chain(&s->index, it->chain, strlen(it->chain));
    if (chain.end == chain.first && s->strict)
        return fail_chain(s, it->start, it->chain);
    if (!mark_stretch(s, &s->index.place, chain, it) && s->strict)
        return fail_at(s, it->start, "these residues have no such atom");
    return CARDO_OK;
}

/* The first residue of the chain with this number, as a place in its order, or -1. */
static int find_end(const selector *s, cardo_stretch chain, residue_end end)
{
    const cardo_selection_index *index = &s->index;
    cardo_stretch found =
        cardo_index_numbers(index, chain, end.number, end.insertion, end.number, end.insertion);
    return found.end > found.first ? index->rank[index->number.residue[found.first]] : -1;
}

/* In the order of the file, which is the order of the chain also where insertion codes run
 * backwards. With ends that do not exist (not strict), or out of order, by number. */
static cardo_status mark_range(selector *s, const item *it, residue_end low, residue_end high)
{
    cardo_selection_index *index = &s->index;
    cardo_stretch chain = cardo_index_chain(index, it->chain, strlen(it->chain));
    int first = find_end(s, chain, low), last = find_end(s, chain, high);
    if (s->strict && (first < 0 || last < 0))
        return fail_missing(s, it->range, it->chain, first < 0 ? low : high);
    bool by_place = first >= 0 && last >= first;
    if (!by_place && compare_ends(low, high) > 0)
        return fail_at(s, it->range, "this range ends before it begins");
    bool any = by_place ? mark_stretch(s, &index->place, (cardo_stretch){first, last + 1}, it)
                        : mark_stretch(s, &index->number,
                                       cardo_index_numbers(index, chain, low.number, low.insertion,
                                                           high.number, high.insertion),
                                       it);
    if (!any && s->strict)
        return fail_at(s, it->start, "these residues have no such atom");
    return CARDO_OK;
}

/* After @ a comma goes on with atom names unless what follows can only be residues. */
static const char *end_of_names(const char *p)
{
    for (;;) {
        while (*p && !is_separator(*p))
            ++p;
        if (*p != ',' || is_separator(p[1]) || !p[1])
            return p;
        const char *word = p + 1, *stop = word;
        while (*stop && !is_separator(*stop))
            ++stop;
        bool residues = isdigit((unsigned char)*word) || *word == '-' ||
                        memchr(word, ':', (size_t)(stop - word)) ||
                        memchr(word, '@', (size_t)(stop - word));
        if (residues)
            return p;
        p = stop;
    }
}

static cardo_status split_item(selector *s, item *it)
{
    const char *start = s->next, *p = start;
    *it = (item){.start = start, .range = start};
    while (*p && !is_separator(*p) && *p != '@')
        ++p;
    it->stop = it->names = it->names_stop = p;
    if (*p == '@') {
        it->names = p + 1;
        it->names_stop = end_of_names(p);
        if (it->names_stop == it->names)
            return fail_at(s, p, "atom names are missing after '@'");
    }
    s->next = it->names_stop;
    const char *colon = memchr(start, ':', (size_t)(it->stop - start));
    residue_end low, high;
    if (!colon && read_range(start, it->stop, &low, &high)) {
        if (s->only_chain) {
            memcpy(it->chain, s->only_chain, strlen(s->only_chain) + 1);
            return CARDO_OK;
        }
        /* With several chains a bare number can only be the name of one. */
        cardo_stretch chain = cardo_index_chain(&s->index, start, (size_t)(it->stop - start));
        if (chain.end == chain.first)
            return fail_at(s, start, "name the chain (as in A:10-20), there are several");
    }
    const char *id_stop = colon ? colon : it->stop;
    if (id_stop - start >= CARDO_NAME_SIZE)
        return fail_at(s, start, "no chain has so long a name");
    memcpy(it->chain, start, (size_t)(id_stop - start));
    it->range = colon ? colon + 1 : it->stop;
    if (colon && it->range == it->stop)
        return fail_at(s, it->range,
                       "residues are missing after ':' (write A:* for a whole chain)");
    return CARDO_OK;
}

static cardo_status mark_item(selector *s)
{
    item it;
    residue_end low, high;
    cardo_status status = split_item(s, &it);
    if (status != CARDO_OK)
        return status;
    if (it.range == it.stop || (it.stop - it.range == 1 && *it.range == '*'))
        return mark_chain(s, &it);
    if (!read_range(it.range, it.stop, &low, &high))
        return fail_at(s, it.range, "expected residues such as 10, 52A, 10-20 or *");
    return mark_range(s, &it, low, high);
}

/* resname LYS+ARG, with the cursor after the keyword. */
static cardo_status mark_names(selector *s)
{
    while (*s->next == ' ' || *s->next == '\t')
        ++s->next;
    const char *start = s->next, *stop = start;
    while (*stop && !is_separator(*stop))
        ++stop;
    if (stop == start)
        return fail_at(s, start, "residue names are missing after 'resname'");
    s->next = stop;
    bool any = false;
    for (const char *word = start, *end; word <= stop; word = end + 1) {
        cardo_stretch found = {0, 0};
        for (end = word; end < stop && *end != ',' && *end != '+';)
            ++end;
        cardo_status status = CARDO_OK;
        if (end > word)
            status = cardo_index_name(&s->index, word, (size_t)(end - word), &found, s->error);
        if (status != CARDO_OK)
            return status;
        cardo_index_mark(&s->index.name, found);
        any |= found.end > found.first;
    }
    if (!any && s->strict)
        return fail_at(s, start, "no residue has this name");
    return CARDO_OK;
}

static bool at_keyword(const char *p, const char *word)
{
    size_t length = strlen(word);
    return strncmp(p, word, length) == 0 && (p[length] == ' ' || p[length] == '\t' || !p[length]);
}

static cardo_status mark_all(selector *s)
{
    for (;;) {
        while (is_separator(*s->next))
            ++s->next;
        if (!*s->next)
            return CARDO_OK;
        cardo_status status;
        if (at_keyword(s->next, "resname")) {
            s->next += strlen("resname");
            status = mark_names(s);
        } else {
            status = mark_item(s);
        }
        if (status != CARDO_OK)
            return status;
    }
}

static bool any_marked(const bool *mark, int n)
{
    for (int i = 0; i < n; ++i)
        if (mark[i])
            return true;
    return false;
}

/* Residues of the stretches that were marked, and their atoms, into the caller's mark. */
static cardo_status take_marks(selector *s)
{
    const cardo_structure *structure = s->structure;
    bool *marked = s->residues;
    if (s->atoms) {
        cardo_status status = CARDO_ALLOCATE(&marked, structure->nresidue, s->error);
        if (status != CARDO_OK)
            return status;
    }
    cardo_index_collect(&s->index, marked);
    for (int r = 0; s->atoms && r < structure->nresidue; ++r)
        for (int i = structure->residue_first[r]; marked[r] && i < structure->residue_first[r + 1];
             ++i)
            s->atoms[i] = true;
    if (s->atoms)
        cardo_free(marked);
    return CARDO_OK;
}

static cardo_status select_marks(selector *s, bool *mark, int n)
{
    cardo_status status;
    if (n > 0)
        memset(mark, 0, (size_t)n * sizeof *mark);
    CARDO_TRY(cardo_selection_index_build(s->structure, &s->index, s->error));
    s->only_chain = only_chain(s->structure, true);
    if (!s->only_chain)
        s->only_chain = only_chain(s->structure, false);
    CARDO_TRY(mark_all(s));
    CARDO_TRY(take_marks(s));
    if (!any_marked(mark, n))
        status = CARDO_FAIL(s->error, CARDO_ERROR_INPUT, "selection '%.200s' means nothing in %s",
                            s->text, s->structure->source);
done:
    cardo_selection_index_clear(&s->index);
    return status;
}

cardo_status cardo_select_atoms(const cardo_structure *structure, const char *text, bool strict,
                                bool *mark, cardo_error *error)
{
    selector s = {.structure = structure,
                  .text = text,
                  .next = text,
                  .strict = strict,
                  .atoms = mark,
                  .error = error};
    return select_marks(&s, mark, structure->natom);
}

cardo_status cardo_select_residues(const cardo_structure *structure, const char *text, bool strict,
                                   bool *mark, cardo_error *error)
{
    selector s = {.structure = structure,
                  .text = text,
                  .next = text,
                  .strict = strict,
                  .residues = mark,
                  .error = error};
    return select_marks(&s, mark, structure->nresidue);
}

static int print_end(char *text, size_t size, residue_end end)
{
    char insertion[2] = {end.insertion, '\0'};
    return snprintf(text, size, "%d%s", end.number, insertion);
}

/* Prints the ranges to text, or only counts bytes when text is NULL. */
static size_t print_ranges(const cardo_structure *structure, const bool *mark, char *text)
{
    size_t used = 0;
    for (int r = 0; r < structure->nresidue; ++r) {
        if (!mark[r])
            continue;
        int last = r;
        while (last + 1 < structure->nresidue && mark[last + 1] &&
               structure->residue_chain[last + 1] == structure->residue_chain[r])
            ++last;
        char range[96];
        int n = snprintf(range, sizeof range, "%s%s:", used ? "," : "", chain_of(structure, r));
        n += print_end(range + n, sizeof range - (size_t)n, end_of(structure, r));
        if (last > r) {
            range[n++] = '-';
            n += print_end(range + n, sizeof range - (size_t)n, end_of(structure, last));
        }
        if (text)
            memcpy(text + used, range, (size_t)n + 1);
        used += (size_t)n;
        r = last;
    }
    return used;
}

cardo_status cardo_selection_text(const cardo_structure *structure, const bool *mark, char **out,
                                  cardo_error *error)
{
    bool *back = NULL;
    cardo_status status = CARDO_OK;
    *out = NULL;
    if (!any_marked(mark, structure->nresidue))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "no residue is marked: there is no text for that");
    CARDO_TRY(CARDO_ALLOCATE(out, print_ranges(structure, mark, NULL) + 1, error));
    print_ranges(structure, mark, *out);
    CARDO_TRY(CARDO_ALLOCATE(&back, structure->nresidue, error));
    status = cardo_select_residues(structure, *out, true, back, error);
    /* Repeated residue numbers cannot be told apart in a text. */
    if (status != CARDO_OK || memcmp(back, mark, (size_t)structure->nresidue * sizeof *mark) != 0)
        status =
            CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                       "%s: residue numbers repeat within a chain, so that '%.200s' is ambiguous",
                       structure->source, *out);
done:
    cardo_free(back);
    if (status != CARDO_OK) {
        cardo_free(*out);
        *out = NULL;
    }
    return status;
}
