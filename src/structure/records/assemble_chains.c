#include "structure/records/assemble_chains.h"

#include "base/memory.h"
#include "base/vec.h"
#include "structure/atoms/name_text.h"
#include "structure/atoms/residue.h"

#include <stdlib.h>

static const double longest_bond = 0.2; /* nm: of a peptide or a phosphate to the next residue */
enum { LONE_RESIDUES = 3 };             /* in a row, each before a TER, of which none is meant */

typedef struct finder {
    const cardo_records *records;
    const int *run; /* first run of each residue                                  */
    int n;
    int *same_id; /* the residue of this id before it in the file, -1: none     */
    bool *lone;   /* alone between two TER, and of a polymer                    */
} finder;

static const cardo_residue_identity *identity_of(const finder *f, int residue)
{
    return &f->records->run[f->run[residue]].identity;
}

static const cardo_record *record_called(const finder *f, int residue, const char *name)
{
    const cardo_records *records = f->records;
    int run = f->run[residue];
    int end = run + 1 < records->nrun ? records->run[run + 1].first : records->nrecord;
    for (int i = records->run[run].first; i < end; ++i)
        if (strcmp(records->record[i].name.text, name) == 0)
            return &records->record[i];
    return NULL;
}

static bool is_polymer(const finder *f, int residue)
{
    switch (cardo_residue_kind_of(identity_of(f, residue)->name.text)) {
    case CARDO_RESIDUE_AMINO:
    case CARDO_RESIDUE_MODIFIED:
    case CARDO_RESIDUE_NUCLEIC:
        return true;
    case CARDO_RESIDUE_WATER:
        return false;
    case CARDO_RESIDUE_OTHER:
        break;
    }
    return record_called(f, residue, "N") && record_called(f, residue, "CA") &&
           record_called(f, residue, "C");
}

static bool are_near(const cardo_record *one, const cardo_record *other)
{
    return one && other &&
           v3_norm(v3_sub(v3_load(one->position), v3_load(other->position))) <= longest_bond;
}

static bool are_bonded(const finder *f, int before, int residue)
{
    return are_near(record_called(f, before, "C"), record_called(f, residue, "N")) ||
           are_near(record_called(f, before, "O3'"), record_called(f, residue, "P"));
}

static bool goes_on(const cardo_residue_identity *before, const cardo_residue_identity *id)
{
    return id->number > before->number ||
           (id->number == before->number && id->insertion != before->insertion);
}

/* Do the residues and one beside them, of one id, each stand alone before a TER? */
static bool in_lone_row(const finder *f, int before, int residue)
{
    int n = 2;
    if (before != residue - 1 || !f->lone[before] || !f->lone[residue])
        return false;
    for (int r = before; n < LONE_RESIDUES && f->same_id[r] == r - 1 && r > 0 && f->lone[r - 1];
         --r)
        ++n;
    for (int r = residue + 1; n < LONE_RESIDUES && r < f->n && f->lone[r] && f->same_id[r] == r - 1;
         ++r)
        ++n;
    return n >= LONE_RESIDUES;
}

/* Does the residue go on with the chain whose last residue is the one before of its id? */
static bool is_one_chain(const finder *f, int before, int residue)
{
    const cardo_residue_identity *one = identity_of(f, before), *other = identity_of(f, residue);
    bool beside = before == residue - 1, one_segment = one->segment == other->segment;
    if (beside && one_segment)
        return true;
    bool polymer = is_polymer(f, residue);
    if (polymer != is_polymer(f, before) || !name_equal(&one->asym, &other->asym))
        return false;
    if (!polymer)
        return beside && goes_on(one, other);
    if (are_bonded(f, before, residue))
        return true;
    bool takes_turns = !beside && (one_segment || one->asym.text[0]);
    return goes_on(one, other) && (takes_turns || in_lone_row(f, before, residue));
}

/* A chain id and where it stands. */
typedef struct place {
    cardo_name id;
    int residue;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *one = a, *other = b;
    int order = memcmp(&one->id, &other->id, sizeof one->id);
    return order ? order : (one->residue > other->residue) - (one->residue < other->residue);
}

static cardo_status link_ids(finder *f, cardo_error *error)
{
    place *list;
    cardo_status status = CARDO_ALLOCATE(&list, f->n, error);
    if (status != CARDO_OK)
        return status;
    bool sorted = true;
    for (int r = 0; r < f->n; ++r) {
        list[r] = (place){identity_of(f, r)->chain, r};
        sorted = sorted && (r == 0 || compare_places(&list[r - 1], &list[r]) < 0);
    }
    if (!sorted)
        qsort(list, (size_t)f->n, sizeof *list, compare_places);
    for (int k = 0; k < f->n; ++k)
        f->same_id[list[k].residue] =
            k > 0 && name_equal(&list[k - 1].id, &list[k].id) ? list[k - 1].residue : -1;
    cardo_free(list);
    return CARDO_OK;
}

static void find_lone(finder *f)
{
    for (int r = 0; r < f->n; ++r) {
        int segment = identity_of(f, r)->segment;
        f->lone[r] = (r == 0 || identity_of(f, r - 1)->segment != segment) &&
                     (r + 1 == f->n || identity_of(f, r + 1)->segment != segment) &&
                     is_polymer(f, r);
    }
}

cardo_status cardo_chains_find(const cardo_records *records, int n, const int *run, int *chain,
                               cardo_error *error)
{
    finder f = {.records = records, .run = run, .n = n};
    cardo_status status;
    int nchain = 0;
    CARDO_TRY(CARDO_ALLOCATE(&f.same_id, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f.lone, n, error));
    CARDO_TRY(link_ids(&f, error));
    find_lone(&f);
    for (int r = 0; r < n; ++r) {
        int before = f.same_id[r];
        chain[r] = before >= 0 && is_one_chain(&f, before, r) ? chain[before] : nchain++;
    }
done:
    cardo_free(f.same_id);
    cardo_free(f.lone);
    return status;
}
