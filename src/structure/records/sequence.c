#include "structure/records/sequence.h"

#include "base/memory.h"
#include "base/vec.h"
#include "structure/atoms/name_text.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/* A chain, or the asym of a polymer, and where it is: looked up among these, sorted. */
typedef struct name_place {
    cardo_name name;
    int index;
} name_place;

static int compare_names(const void *a, const void *b)
{
    const name_place *one = a, *other = b;
    int order = memcmp(&one->name, &other->name, sizeof one->name);
    return order ? order : one->index < other->index ? -1 : one->index > other->index;
}

/* The first of this name, or n. */
static int find_name(const name_place *names, int n, const cardo_name *name)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (memcmp(&names[middle].name, name, sizeof *name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && name_equal(&names[low].name, name) ? low : n;
}

/* Residues that stay together, as they are in the file: size of them from first on in the list. */
typedef struct fragment {
    int first, size;
    int place; /* index in the sequence; -1: none */
} fragment;

/* Sequences and residues while they are laid together. */
typedef struct laying {
    const cardo_records *records;
    cardo_structure *out;
    name_place *chains; /* of the structure, sorted                      (nchain)    */
    int *residue;       /* of the chain under way                        (nresidue)  */
    int nresidue;
    fragment *fragments; /*                                              (nresidue)  */
    int nfragment;
    bool *taken;    /* residues that have a place already            (nresidue)  */
    long long left; /* comparisons that may still be made            */
} laying;

/* A ribosome needs a hundredth of it; files made to keep the search busy are given up. */
static const long long most_comparisons = 50000000;

static int polymer_end(const cardo_records *records, int p)
{
    return p + 1 < records->npolymer ? records->polymer[p + 1].first : records->nmonomer;
}

/* ------------ places that the file gives ------------ */

static int find_monomer(const cardo_records *records, int p, int place)
{
    int low = records->polymer[p].first, end = polymer_end(records, p), high = end;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (records->monomer[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && records->monomer[low].place == place ? low : -1;
}

static cardo_status use_given_places(const cardo_records *records,
                                     const cardo_sequence_place *given, cardo_structure *out,
                                     cardo_error *error)
{
    name_place *polymers;
    int n = records->npolymer;
    cardo_status status = CARDO_ALLOCATE(&polymers, n, error);
    if (status != CARDO_OK)
        return status;
    for (int p = 0; p < n; ++p)
        polymers[p] = (name_place){records->polymer[p].asym, p};
    qsort(polymers, (size_t)n, sizeof *polymers, compare_names);
    for (int r = 0; r < out->nresidue; ++r) {
        if (given[r].place == 0)
            continue;
        int k = find_name(polymers, n, &given[r].asym);
        int m = k < n ? find_monomer(records, polymers[k].index, given[r].place) : -1;
        if (m >= 0 && out->monomer[m].residue < 0)
            out->monomer[m].residue = r;
    }
    cardo_free(polymers);
    return CARDO_OK;
}

/* ------------ laying residues along a sequence ------------ */

static bool are_near(const cardo_structure *s, int a, int b, const char *const names[2],
                     double longest)
{
    int i = cardo_structure_find_atom(s, a, names[0]),
        j = cardo_structure_find_atom(s, b, names[1]);
    return i >= 0 && j >= 0 &&
           v3_norm(v3_sub(v3_load(s->position + 3 * (size_t)i),
                          v3_load(s->position + 3 * (size_t)j))) < longest;
}

/* Is b the next residue of the polymer after a, by its number or by a bond? */
static bool goes_on(const cardo_structure *s, int a, int b)
{
    static const char *const peptide[] = {"C", "N"}, *const nucleic[] = {"O3'", "P"};
    static const double longest = 0.25; /* nm: as the bond graph has it */
    if (s->residue_number[b] == s->residue_number[a])
        return s->insertion[b] != s->insertion[a];
    if (s->residue_number[b] - 1 == s->residue_number[a])
        return true;
    return are_near(s, a, b, peptide, longest) || are_near(s, a, b, nucleic, longest);
}

/* Residues of polymers in the chains of this id, and the fragments that they make. */
static void find_fragments(laying *l, const cardo_name *chain)
{
    const cardo_structure *s = l->out;
    l->nresidue = l->nfragment = 0;
    for (int k = find_name(l->chains, s->nchain, chain);
         k < s->nchain && name_equal(&l->chains[k].name, chain) && l->left > 0; ++k) {
        int c = l->chains[k].index, end = s->chain_first[c + 1];
        bool polymer = false;
        l->left -= end - s->chain_first[c];
        for (int r = s->chain_first[c]; r < end; ++r)
            polymer =
                polymer || (!s->hetero[r] && !cardo_residue_is_water(s->residue_name[r].text));
        for (int r = s->chain_first[c]; polymer && r < end; ++r)
            if (!l->taken[r] && !cardo_residue_is_water(s->residue_name[r].text))
                l->residue[l->nresidue++] = r;
    }
    for (int i = 0; i < l->nresidue; ++i) {
        if (i == 0 || !goes_on(s, l->residue[i - 1], l->residue[i]))
            l->fragments[l->nfragment++] = (fragment){i, 0, -1};
        l->fragments[l->nfragment - 1].size++;
    }
}

/* Names that differ when the fragment lies at this monomer; at most limit are counted. */
static int count_mismatches(laying *l, const fragment *f, int monomer, int limit)
{
    int n = 0;
    for (int i = 0; i < f->size && n < limit; ++i, --l->left)
        n += !name_equal(&l->out->residue_name[l->residue[f->first + i]],
                         &l->out->monomer[monomer + i].name);
    return n;
}

/* Lays the fragment at the place between low and high (last place included) that has the fewest
 * mismatches, of several the one nearest to wanted. */
static void lay_fragment(laying *l, int first, fragment *f, int low, int high, int wanted)
{
    int best = f->size / 4 + 1;
    if (low > high)
        return;
    wanted = wanted < low ? low : wanted > high ? high : wanted;
    for (int step = 0; step <= high - low && best > 0 && l->left > 0; ++step)
        for (int side = 1; side >= (step ? -1 : 1); side -= 2) {
            int place = wanted + side * step;
            if (place < low || place > high)
                continue;
            int n = count_mismatches(l, f, first + place, best);
            if (n < best) {
                best = n;
                f->place = place;
            }
        }
}

/* The number of a fragment's first or last residue. */
static long long number_of(const laying *l, const fragment *f, bool last)
{
    return l->out->residue_number[l->residue[f->first + (last ? f->size - 1 : 0)]];
}

static int clamp(long long value)
{
    return value < -INT_MAX ? -INT_MAX : value > INT_MAX ? INT_MAX : (int)value;
}

/* Fragments after the k-th, each after the last one that has a place. */
static void lay_behind(laying *l, int first, int count, int k)
{
    const fragment *before = &l->fragments[k];
    int rest = 0;
    for (int i = k + 1; i < l->nfragment; ++i)
        rest += l->fragments[i].size;
    for (int i = k + 1; i < l->nfragment; ++i) {
        fragment *f = &l->fragments[i];
        int low = before->place + before->size;
        long long gap = number_of(l, f, false) - number_of(l, before, true) - 1;
        lay_fragment(l, first, f, low, count - rest, clamp(low + gap));
        /* Where not all of them fit, let this one go as far as it fits alone. */
        if (f->place < 0)
            lay_fragment(l, first, f, low, count - f->size, clamp(low + gap));
        rest -= f->size;
        if (f->place >= 0)
            before = f;
    }
}

static void lay_before(laying *l, int first, int k)
{
    const fragment *after = &l->fragments[k];
    int rest = after->first;
    for (int i = k - 1; i >= 0; --i) {
        fragment *f = &l->fragments[i];
        int high = after->place - f->size;
        long long gap = number_of(l, after, false) - number_of(l, f, true) - 1;
        rest -= f->size;
        lay_fragment(l, first, f, rest, high, clamp(high - gap));
        if (f->place < 0)
            lay_fragment(l, first, f, 0, high, clamp(high - gap));
        if (f->place >= 0)
            after = f;
    }
}

static void lay_polymer(laying *l, int p)
{
    const cardo_polymer_record *record = &l->records->polymer[p];
    int first = record->first, count = polymer_end(l->records, p) - first, longest = 0;
    find_fragments(l, &record->chain);
    if (l->nfragment == 0)
        return;
    for (int k = 1; k < l->nfragment; ++k)
        if (l->fragments[k].size > l->fragments[longest].size)
            longest = k;
    fragment *f = &l->fragments[longest];
    int before = f->first, after = l->nresidue - f->first - f->size;
    lay_fragment(l, first, f, before, count - f->size - after, clamp(number_of(l, f, false) - 1));
    if (f->place < 0)
        lay_fragment(l, first, f, 0, count - f->size, clamp(number_of(l, f, false) - 1));
    if (f->place < 0)
        return;
    lay_behind(l, first, count, longest);
    lay_before(l, first, longest);
    for (int k = 0; k < l->nfragment; ++k)
        for (int i = 0; l->fragments[k].place >= 0 && i < l->fragments[k].size; ++i) {
            int r = l->residue[l->fragments[k].first + i];
            l->out->monomer[first + l->fragments[k].place + i].residue = r;
            l->taken[r] = true;
        }
}

static cardo_status lay_all(const cardo_records *records, cardo_structure *out, cardo_error *error)
{
    laying l = {.records = records, .out = out, .left = most_comparisons};
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&l.chains, out->nchain, error));
    CARDO_TRY(CARDO_ALLOCATE(&l.residue, out->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&l.fragments, out->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&l.taken, out->nresidue, error));
    for (int c = 0; c < out->nchain; ++c)
        l.chains[c] = (name_place){out->chain_id[c], c};
    qsort(l.chains, (size_t)out->nchain, sizeof *l.chains, compare_names);
    for (int p = 0; p < records->npolymer && l.left > 0; ++p)
        if (!records->polymer[p].asym.text[0])
            lay_polymer(&l, p);
done:
    cardo_free(l.chains);
    cardo_free(l.residue);
    cardo_free(l.fragments);
    cardo_free(l.taken);
    return status;
}

/* ------------ numbers of residues that are not there ------------ */

/* REMARK 465 lists residues without coordinates by chain: when it has as many of a chain as the
 * polymer lacks, under the same names, their numbers are theirs. */
static void use_missing_numbers(const cardo_records *records, const name_place *missing,
                                const cardo_polymer *polymer, cardo_monomer *monomer)
{
    int n = records->nmissing, first = find_name(missing, n, &polymer->chain), k = first;
    for (int pass = 0; pass < 2; ++pass) {
        k = first;
        for (int i = 0; i < polymer->count; ++i) {
            cardo_monomer *m = &monomer[polymer->first + i];
            if (m->residue >= 0)
                continue;
            if (k == n || !name_equal(&missing[k].name, &polymer->chain) ||
                !name_equal(&records->missing[missing[k].index].name, &m->name))
                return;
            const cardo_residue_key *key = &records->missing[missing[k++].index].key;
            if (pass == 0)
                continue;
            m->number = key->number;
            m->insertion = key->insertion;
            m->numbered = true;
        }
        if (k < n && name_equal(&missing[k].name, &polymer->chain))
            return;
    }
}

static cardo_status number_missing(const cardo_records *records, cardo_structure *out,
                                   cardo_error *error)
{
    name_place *missing;
    int n = records->nmissing;
    cardo_status status = CARDO_ALLOCATE(&missing, n, error);
    if (status != CARDO_OK || n == 0)
        return status;
    for (int k = 0; k < n; ++k)
        missing[k] = (name_place){records->missing[k].key.chain, k};
    qsort(missing, (size_t)n, sizeof *missing, compare_names);
    for (int p = 0; p < out->npolymer; ++p)
        use_missing_numbers(records, missing, &out->polymer[p], out->monomer);
    cardo_free(missing);
    return CARDO_OK;
}

static int counted_on(int number, int step)
{
    return number == INT_MAX || number == INT_MIN ? number : number + step;
}

/* Monomers that no number is told of count on from the one before; those ahead of all numbers, back
 * from the first. */
static void count_numbers(const cardo_structure *out, const cardo_polymer *polymer)
{
    cardo_monomer *monomer = out->monomer + polymer->first;
    int first = 0;
    for (int i = 0; i < polymer->count; ++i)
        if (monomer[i].residue >= 0) {
            monomer[i].number = out->residue_number[monomer[i].residue];
            monomer[i].insertion = out->insertion[monomer[i].residue];
            monomer[i].numbered = true;
        }
    while (first < polymer->count && !monomer[first].numbered)
        ++first;
    for (int i = first - 1; i >= 0; --i)
        monomer[i].number = counted_on(monomer[i + 1].number, -1);
    for (int i = first + 1; i < polymer->count; ++i)
        if (!monomer[i].numbered)
            monomer[i].number = counted_on(monomer[i - 1].number, 1);
}

/* ------------ */

/* Polymers that have a residue move together. */
static void keep_present(const cardo_records *records, cardo_structure *out)
{
    int nmonomer = 0;
    for (int p = 0; p < records->npolymer; ++p) {
        int first = records->polymer[p].first, count = polymer_end(records, p) - first;
        bool present = false;
        for (int i = first; i < first + count; ++i)
            present = present || out->monomer[i].residue >= 0;
        if (!present)
            continue;
        memmove(out->monomer + nmonomer, out->monomer + first,
                (size_t)count * sizeof *out->monomer);
        out->polymer[out->npolymer++] = (cardo_polymer){records->polymer[p].chain, nmonomer, count};
        nmonomer += count;
    }
    out->nmonomer = nmonomer;
}

cardo_status cardo_sequences_fill(const cardo_records *records, const cardo_sequence_place *given,
                                  cardo_structure *out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (records->npolymer == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&out->polymer, records->npolymer, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->monomer, records->nmonomer, error));
    for (int m = 0; m < records->nmonomer; ++m) {
        const cardo_monomer_record *record = &records->monomer[m];
        out->monomer[m] = (cardo_monomer){.name = record->name,
                                          .residue = -1,
                                          .number = record->number,
                                          .insertion = record->insertion,
                                          .numbered = record->numbered};
    }
    CARDO_TRY(use_given_places(records, given, out, error));
    CARDO_TRY(lay_all(records, out, error));
    keep_present(records, out);
    CARDO_TRY(number_missing(records, out, error));
    for (int p = 0; p < out->npolymer; ++p)
        count_numbers(out, &out->polymer[p]);
done:
    return status;
}
