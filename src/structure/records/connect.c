#include "structure/records/connect.h"

#include "base/memory.h"
#include "structure/atoms/name_text.h"
#include "structure/records/conect.h"

#include <stdlib.h>

/* A residue's identity as authors give it, and where it is: bridges are looked up among these,
 * sorted. */
typedef struct residue_place {
    cardo_residue_key key;
    int residue;
} residue_place;

static int compare_keys(const cardo_residue_key *a, const cardo_residue_key *b)
{
    int chain = memcmp(&a->chain, &b->chain, sizeof a->chain);
    if (chain)
        return chain;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (unsigned char)a->insertion - (unsigned char)b->insertion;
}

static int compare_places(const void *a, const void *b)
{
    const residue_place *one = a, *other = b;
    int order = compare_keys(&one->key, &other->key);
    return order ? order : one->residue - other->residue;
}

/* More residues of one number than any file has: a hostile one must not make looking slow. */
enum { MOST_ALIKE = 16 };

/* The first residue with this key and its name, or else with the key, or -1. */
static int find_place(const residue_place *places, int n, const cardo_residue_key *key)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare_keys(&places[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (int k = low; k < n && k < low + MOST_ALIKE && compare_keys(&places[k].key, key) == 0; ++k)
        if (name_equal(&places[k].key.name, &key->name))
            return places[k].residue;
    return low < n && compare_keys(&places[low].key, key) == 0 ? places[low].residue : -1;
}

static void add_bridge(cardo_structure *out, const residue_place *places,
                       const cardo_bridge_record *record)
{
    int one = find_place(places, out->nresidue, &record->end[0]);
    int other = find_place(places, out->nresidue, &record->end[1]);
    if (one >= 0 && other >= 0 && one != other)
        out->bridge[out->nbridge++] = (cardo_bridge){{one, other}};
}

static void add_link(cardo_structure *out, const residue_place *places,
                     const cardo_link_record *record)
{
    int atom[2];
    for (int k = 0; k < 2; ++k) {
        int residue = find_place(places, out->nresidue, &record->end[k]);
        atom[k] = residue < 0 ? -1 : cardo_structure_find_atom(out, residue, record->atom[k].text);
    }
    if (atom[0] >= 0 && atom[1] >= 0 && atom[0] != atom[1])
        out->link[out->nlink++] = (cardo_link){{atom[0], atom[1]}};
}

cardo_status cardo_connections_fill(const cardo_records *records, cardo_structure *out,
                                    cardo_error *error)
{
    residue_place *places = NULL;
    out->nbridge = 0;
    if (records->nbridge == 0 && records->nlink == 0)
        return cardo_conect_fill(records, out, error);
    cardo_status status = CARDO_ALLOCATE(&out->link, records->nlink, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&places, out->nresidue, error);
    if (status != CARDO_OK)
        return status;
    for (int r = 0; r < out->nresidue; ++r)
        places[r] = (residue_place){.key = {.name = out->residue_name[r],
                                            .chain = out->chain_id[out->residue_chain[r]],
                                            .number = out->residue_number[r],
                                            .insertion = out->insertion[r]},
                                    .residue = r};
    qsort(places, (size_t)out->nresidue, sizeof *places, compare_places);
    for (int b = 0; b < records->nbridge; ++b)
        add_bridge(out, places, &records->bridge[b]);
    for (int k = 0; k < records->nlink; ++k)
        add_link(out, places, &records->link[k]);
    cardo_free(places);
    return cardo_conect_fill(records, out, error);
}
