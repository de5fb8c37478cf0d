#include "structure/atoms/selection_index.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What residues are sorted by. */
typedef struct key {
    const char *word; /* chain id or residue name */
    int number;
    unsigned char insertion;
    int residue;
} key;

static int compare_integers(int one, int other)
{
    return (one > other) - (one < other);
}

static int compare_numbers(const key *one, const key *other)
{
    int order = compare_integers(one->number, other->number);
    return order ? order : compare_integers(one->insertion, other->insertion);
}

static int compare_keys(const void *a, const void *b)
{
    const key *one = a, *other = b;
    int order = one->word == other->word ? 0 : strcmp(one->word, other->word);
    if (order == 0)
        order = compare_numbers(one, other);
    return order ? order : compare_integers(one->residue, other->residue);
}

typedef enum kind { BY_PLACE, BY_NUMBER, BY_NAME } kind;

static key key_of(const cardo_structure *s, kind by, int residue)
{
    key k = {.residue = residue};
    k.word =
        by == BY_NAME ? s->residue_name[residue].text : s->chain_id[s->residue_chain[residue]].text;
    if (by == BY_NUMBER) {
        k.number = s->residue_number[residue];
        k.insertion = (unsigned char)s->insertion[residue];
    }
    return k;
}

/* Most files have their residues in order. */
static bool is_sorted(const key *keys, int n)
{
    for (int r = 1; r < n; ++r)
        if (compare_keys(&keys[r - 1], &keys[r]) > 0)
            return false;
    return true;
}

static cardo_status build_order(const cardo_structure *s, kind by, cardo_residue_order *order,
                                cardo_error *error)
{
    key *keys = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&order->residue, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&order->change, s->nresidue + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&keys, s->nresidue, error));
    for (int r = 0; r < s->nresidue; ++r)
        keys[r] = key_of(s, by, r);
    if (!is_sorted(keys, s->nresidue))
        qsort(keys, (size_t)s->nresidue, sizeof *keys, compare_keys);
    for (int r = 0; r < s->nresidue; ++r)
        order->residue[r] = keys[r].residue;
done:
    cardo_free(keys);
    return status;
}

cardo_status cardo_selection_index_build(const cardo_structure *structure,
                                         cardo_selection_index *index, cardo_error *error)
{
    cardo_status status;
    *index = (cardo_selection_index){.structure = structure};
    CARDO_TRY(build_order(structure, BY_PLACE, &index->place, error));
    CARDO_TRY(build_order(structure, BY_NUMBER, &index->number, error));
    CARDO_TRY(CARDO_ALLOCATE(&index->rank, structure->nresidue, error));
    for (int k = 0; k < structure->nresidue; ++k)
        index->rank[index->place.residue[k]] = k;
done:
    return status;
}

static void clear_order(cardo_residue_order *order)
{
    cardo_free(order->residue);
    cardo_free(order->change);
}

void cardo_selection_index_clear(cardo_selection_index *index)
{
    clear_order(&index->place);
    clear_order(&index->number);
    clear_order(&index->name);
    cardo_free(index->rank);
    *index = (cardo_selection_index){0};
}

/* A word of length bytes against a whole one. */
static int compare_word(const char *whole, const char *word, size_t length)
{
    int order = strncmp(whole, word, length);
    return order ? order : whole[length] != '\0';
}

/* The residues with this word, in an order that has it first. */
static cardo_stretch find_word(const cardo_structure *s, kind by, const cardo_residue_order *order,
                               const char *word, size_t length)
{
    int bound[2];
    for (int side = 0; side < 2; ++side) {
        int low = 0, high = s->nresidue;
        while (low < high) {
            int middle = low + (high - low) / 2;
            int c = compare_word(key_of(s, by, order->residue[middle]).word, word, length);
            if (c < 0 || (side == 1 && c == 0))
                low = middle + 1;
            else
                high = middle;
        }
        bound[side] = low;
    }
    return (cardo_stretch){bound[0], bound[1]};
}

cardo_stretch cardo_index_chain(const cardo_selection_index *index, const char *id, size_t length)
{
    return find_word(index->structure, BY_PLACE, &index->place, id, length);
}

cardo_stretch cardo_index_numbers(const cardo_selection_index *index, cardo_stretch chain,
                                  int low_number, char low_insertion, int high_number,
                                  char high_insertion)
{
    const key end[2] = {{.number = low_number, .insertion = (unsigned char)low_insertion},
                        {.number = high_number, .insertion = (unsigned char)high_insertion}};
    int bound[2];
    for (int side = 0; side < 2; ++side) {
        int low = chain.first, high = chain.end;
        while (low < high) {
            int middle = low + (high - low) / 2;
            key here = key_of(index->structure, BY_NUMBER, index->number.residue[middle]);
            int c = compare_numbers(&here, &end[side]);
            if (c < 0 || (side == 1 && c == 0))
                low = middle + 1;
            else
                high = middle;
        }
        bound[side] = low;
    }
    return (cardo_stretch){bound[0], bound[1] > bound[0] ? bound[1] : bound[0]};
}

cardo_status cardo_index_name(cardo_selection_index *index, const char *name, size_t length,
                              cardo_stretch *out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!index->name.residue)
        CARDO_TRY(build_order(index->structure, BY_NAME, &index->name, error));
    *out = find_word(index->structure, BY_NAME, &index->name, name, length);
done:
    return status;
}

void cardo_index_mark(cardo_residue_order *order, cardo_stretch stretch)
{
    if (stretch.end <= stretch.first)
        return;
    ++order->change[stretch.first];
    --order->change[stretch.end];
}

static void collect(const cardo_residue_order *order, int n, bool *marked)
{
    for (int k = 0, depth = 0; order->residue && k < n; ++k) {
        depth += order->change[k];
        if (depth > 0)
            marked[order->residue[k]] = true;
    }
}

void cardo_index_collect(const cardo_selection_index *index, bool *marked)
{
    collect(&index->place, index->structure->nresidue, marked);
    collect(&index->number, index->structure->nresidue, marked);
    collect(&index->name, index->structure->nresidue, marked);
}
