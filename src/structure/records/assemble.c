#include "structure/records/copies.h"
#include "structure/records/records.h"

#include "base/memory.h"
#include "structure/atoms/allocate.h"
#include "structure/atoms/name_text.h"
#include "structure/records/assemble_chains.h"
#include "structure/records/connect.h"
#include "structure/records/sequence.h"

#include <stdint.h>

/* The identity that the pieces of one residue share; the name is left out, since alternates may
 * differ in it. */
static bool same_residue(const cardo_residue_identity *a, const cardo_residue_identity *b)
{
    return a->number == b->number && a->segment == b->segment && a->insertion == b->insertion &&
           name_equal(&a->chain, &b->chain);
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t hash_name(const cardo_name *name)
{
    uint64_t half[2];
    memcpy(half, name, sizeof half);
    return mix(half[0] + mix(half[1]));
}

static uint64_t hash_identity(const cardo_residue_identity *id)
{
    uint64_t number = (uint64_t)(uint32_t)id->number << 32 | (uint32_t)id->segment;
    return mix(number + mix((uint64_t)(unsigned char)id->insertion + hash_name(&id->chain)));
}

static size_t table_size(int entries)
{
    size_t size = 16;
    while (size < 2 * (size_t)entries)
        size *= 2;
    return size;
}

/* A residue in the making: a list of runs. */
typedef struct site {
    int first_run, last_run;
    int nrecord;
    int chosen; /* the run whose residue name is kept */
} site;

typedef struct assembly {
    const cardo_records *records;
    site *sites;
    int nsite;
    int *next_run; /* the next run of the same residue, or -1           (nrun)            */
    int *chain;    /* of each site; sites stand in the order of chains  (nrun)            */
    int *table;    /* open addressing: site + 1 by identity, then scratch of the atoms    */
    size_t table_size;
    int *chosen;     /* records that become atoms, in order of residues   (nrecord)         */
    int *site_first; /* first entry of chosen                             (nsite + 1)       */
    int nchosen, nchain, nduplicate, duplicate_line;
    int nalternate;
    cardo_alternate *alternate; /* NULL: there are none                  (labelled records) */
} assembly;

static int run_end(const cardo_records *records, int run)
{
    return run + 1 < records->nrun ? records->run[run + 1].first : records->nrecord;
}

/* Comparing every atom of a returning piece with every atom of the residue is quadratic; no true
 * residue that comes in pieces has this many. */
enum { LARGEST_PIECED_RESIDUE = 512 };

static bool run_repeats_atoms(const assembly *a, const site *s, int run)
{
    const cardo_records *records = a->records;
    if (s->nrecord + run_end(records, run) - records->run[run].first > LARGEST_PIECED_RESIDUE)
        return true;
    for (int old = s->first_run; old >= 0; old = a->next_run[old])
        for (int i = records->run[old].first; i < run_end(records, old); ++i)
            for (int k = records->run[run].first; k < run_end(records, run); ++k)
                if (records->record[i].altloc == records->record[k].altloc &&
                    name_equal(&records->record[i].name, &records->record[k].name))
                    return true;
    return false;
}

static bool run_belongs(const assembly *a, const site *s, int run)
{
    const cardo_records *records = a->records;
    const cardo_residue_identity *old = &records->run[s->first_run].identity;
    const cardo_residue_identity *id = &records->run[run].identity;
    bool labelled = records->record[records->run[run].first].altloc != '\0';
    if (!name_equal(&old->name, &id->name) && !labelled)
        return false;
    return s->last_run == run - 1 || !run_repeats_atoms(a, s, run);
}

/* Puts every run into a residue: the latest one of the same identity if it belongs there, else a
 * new one. */
static void gather_runs(assembly *a)
{
    const cardo_records *records = a->records;
    for (int run = 0; run < records->nrun; ++run) {
        const cardo_residue_identity *id = &records->run[run].identity;
        size_t slot = (size_t)hash_identity(id) & (a->table_size - 1);
        while (a->table[slot] &&
               !same_residue(&records->run[a->sites[a->table[slot] - 1].first_run].identity, id))
            slot = (slot + 1) & (a->table_size - 1);
        int size = run_end(records, run) - records->run[run].first;
        a->next_run[run] = -1;
        if (a->table[slot] && run_belongs(a, &a->sites[a->table[slot] - 1], run)) {
            site *s = &a->sites[a->table[slot] - 1];
            a->next_run[s->last_run] = run;
            s->last_run = run;
            s->nrecord += size;
        } else {
            a->sites[a->nsite++] = (site){run, run, size, run};
            a->table[slot] = a->nsite;
        }
    }
}

/* Sites of one chain come to stand together, each chain where its first residue was. */
static cardo_status order_chains(assembly *a, cardo_error *error)
{
    int *first = NULL, *chain = NULL, *run = NULL;
    site *sites = NULL;
    bool ordered = true;
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&run, a->nsite, error));
    for (int r = 0; r < a->nsite; ++r)
        run[r] = a->sites[r].first_run;
    CARDO_TRY(cardo_chains_find(a->records, a->nsite, run, a->chain, error));
    for (int r = 1; r < a->nsite; ++r)
        ordered = ordered && a->chain[r] >= a->chain[r - 1];
    if (ordered)
        goto done;
    CARDO_TRY(CARDO_ALLOCATE(&first, a->nsite + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&chain, a->nsite, error));
    CARDO_TRY(CARDO_ALLOCATE(&sites, a->nsite, error));
    for (int r = 0; r < a->nsite; ++r)
        ++first[a->chain[r] + 1];
    for (int c = 0; c < a->nsite; ++c)
        first[c + 1] += first[c];
    for (int r = 0; r < a->nsite; ++r) {
        int k = first[a->chain[r]]++;
        sites[k] = a->sites[r];
        chain[k] = a->chain[r];
    }
    memcpy(a->sites, sites, (size_t)a->nsite * sizeof *sites);
    memcpy(a->chain, chain, (size_t)a->nsite * sizeof *chain);
done:
    cardo_free(first);
    cardo_free(chain);
    cardo_free(run);
    cardo_free(sites);
    return status;
}

static double mean_occupancy(const assembly *a, const site *s, const cardo_name *name)
{
    const cardo_records *records = a->records;
    double sum = 0;
    int n = 0;
    for (int run = s->first_run; run >= 0; run = a->next_run[run]) {
        if (!name_equal(&records->run[run].identity.name, name))
            continue;
        for (int i = records->run[run].first; i < run_end(records, run); ++i, ++n)
            sum += (double)records->record[i].occupancy;
    }
    return sum / n;
}

/* Of alternates that differ in the residue name: the one of the highest mean occupancy, then the
 * first. Only the first few runs are asked, so that a hostile file cannot make this quadratic. */
static void choose_name(const assembly *a, site *s)
{
    const cardo_run *run = a->records->run;
    double best = -1;
    int left = 16;
    for (int r = s->first_run; r >= 0 && left > 0; r = a->next_run[r], --left) {
        bool seen = false;
        for (int old = s->first_run; old != r && !seen; old = a->next_run[old])
            seen = name_equal(&run[old].identity.name, &run[r].identity.name);
        double occupancy = seen ? -1 : mean_occupancy(a, s, &run[r].identity.name);
        if (occupancy > best) {
            best = occupancy;
            s->chosen = r;
        }
    }
}

/* Enters the record under its name: the first of its name takes a place, a better one takes that
 * place over. */
static void choose_record(assembly *a, size_t size, int first, int index)
{
    const cardo_record *record = a->records->record;
    size_t slot = (size_t)hash_name(&record[index].name) & (size - 1);
    for (; a->table[slot]; slot = (slot + 1) & (size - 1)) {
        int *place = &a->chosen[first + a->table[slot] - 1];
        if (!name_equal(&record[*place].name, &record[index].name))
            continue;
        if (record[*place].altloc == record[index].altloc && a->nduplicate++ == 0)
            a->duplicate_line = record[index].line;
        if (record[index].occupancy > record[*place].occupancy)
            *place = index;
        return;
    }
    a->chosen[a->nchosen++] = index;
    a->table[slot] = a->nchosen - first;
}

/* The record that became the atom of this name, or -1; in the table that choose_record has filled. */
static int taken_record(const assembly *a, size_t size, int first, const cardo_name *name)
{
    const cardo_record *record = a->records->record;
    size_t slot = (size_t)hash_name(name) & (size - 1);
    for (; a->table[slot]; slot = (slot + 1) & (size - 1)) {
        int place = a->chosen[first + a->table[slot] - 1];
        if (name_equal(&record[place].name, name))
            return place;
    }
    return -1;
}

static void list_alternates(assembly *a, int index, size_t size)
{
    const cardo_records *records = a->records;
    int first = a->site_first[index];
    for (int run = a->sites[index].first_run; run >= 0; run = a->next_run[run])
        for (int i = records->run[run].first; i < run_end(records, run); ++i) {
            const cardo_record *record = &records->record[i];
            if (!record->altloc)
                continue;
            a->alternate[a->nalternate++] = (cardo_alternate){
                .residue = index,
                .occupancy = record->occupancy,
                .residue_name = records->run[run].identity.name,
                .atom_name = record->name,
                .label = record->altloc,
                .taken = taken_record(a, size, first, &record->name) == i,
            };
        }
}

static void choose_atoms(assembly *a, int index)
{
    const cardo_records *records = a->records;
    site *s = &a->sites[index];
    if (s->first_run != s->last_run)
        choose_name(a, s);
    size_t size = table_size(s->nrecord);
    memset(a->table, 0, size * sizeof *a->table);
    int first = a->nchosen;
    a->site_first[index] = first;
    for (int run = s->first_run; run >= 0; run = a->next_run[run]) {
        if (!name_equal(&records->run[run].identity.name, &records->run[s->chosen].identity.name))
            continue;
        for (int i = records->run[run].first; i < run_end(records, run); ++i)
            choose_record(a, size, first, i);
    }
    if (a->alternate)
        list_alternates(a, index, size);
}

static bool starts_chain(const assembly *a, int index)
{
    if (index == 0)
        return true;
    return a->chain[index] != a->chain[index - 1];
}

static void fill_atoms(const assembly *a, int residue, cardo_structure *out)
{
    for (int k = a->site_first[residue]; k < a->site_first[residue + 1]; ++k) {
        const cardo_record *record = &a->records->record[a->chosen[k]];
        memcpy(out->position + 3 * (size_t)k, record->position, sizeof record->position);
        out->atom_name[k] = record->name;
        out->element[k] = record->element;
        out->atom_residue[k] = residue;
        out->serial[k] = record->serial;
        out->atom_line[k] = record->line;
        out->occupancy[k] = record->occupancy;
        out->b_factor[k] = record->b_factor;
    }
}

static void fill(const assembly *a, cardo_structure *out)
{
    const cardo_run *run = a->records->run;
    int chain = -1;
    for (int r = 0; r < a->nsite; ++r) {
        const cardo_residue_identity *id = &run[a->sites[r].chosen].identity;
        if (starts_chain(a, r)) {
            out->chain_id[++chain] = id->chain;
            out->chain_first[chain] = r;
        }
        out->residue_name[r] = id->name;
        out->residue_number[r] = id->number;
        out->insertion[r] = id->insertion;
        out->hetero[r] = id->hetero;
        out->residue_chain[r] = chain;
        out->residue_first[r] = a->site_first[r];
        fill_atoms(a, r, out);
    }
    out->residue_first[out->nresidue] = out->natom;
    out->chain_first[out->nchain] = out->nresidue;
}

static void fill_file_facts(const cardo_records *records, cardo_structure *out)
{
    out->has_cell = records->has_cell;
    memcpy(out->cell, records->cell, sizeof records->cell);
    out->model = records->model_read;
    out->nmodel = records->nmodel;
    out->nrecord = records->nrecord;
}

static cardo_status fill_sequences(const assembly *a, cardo_structure *out, cardo_error *error)
{
    cardo_sequence_place *given;
    if (a->records->npolymer == 0)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&given, a->nsite, error);
    if (status != CARDO_OK)
        return status;
    for (int r = 0; r < a->nsite; ++r) {
        const cardo_residue_identity *id = &a->records->run[a->sites[r].chosen].identity;
        given[r] = (cardo_sequence_place){id->asym, id->place};
    }
    status = cardo_sequences_fill(a->records, given, out, error);
    cardo_free(given);
    return status;
}

static int count_labels(const cardo_records *records)
{
    int n = 0;
    for (int i = 0; i < records->nrecord; ++i)
        n += records->record[i].altloc != '\0';
    return n;
}

static cardo_status prepare(assembly *a, cardo_error *error)
{
    const cardo_records *records = a->records;
    int largest = records->nrun > records->nrecord ? records->nrun : records->nrecord;
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&a->sites, records->nrun, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->next_run, records->nrun, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->chain, records->nrun, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->chosen, records->nrecord, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->site_first, records->nrun + 1, error));
    a->table_size = table_size(largest);
    CARDO_TRY(CARDO_ALLOCATE(&a->table, a->table_size, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->alternate, count_labels(records), error));
done:
    return status;
}

cardo_status cardo_structure_assemble(cardo_records *records, const char *name,
                                      cardo_structure **out, cardo_error *error)
{
    assembly a = {.records = records};
    cardo_status status = CARDO_OK;
    *out = NULL;
    CARDO_TRY(prepare(&a, error));
    gather_runs(&a);
    CARDO_TRY(order_chains(&a, error));
    for (int r = 0; r < a.nsite; ++r) {
        choose_atoms(&a, r);
        a.nchain += starts_chain(&a, r);
    }
    a.site_first[a.nsite] = a.nchosen;
    CARDO_TRY(
        cardo_structure_allocate(name, a.nchosen, a.nsite, a.nchain, records->nbridge, out, error));
    fill(&a, *out);
    fill_file_facts(records, *out);
    (*out)->naltloc = (*out)->nalternate = a.nalternate;
    (*out)->alternate = a.alternate;
    a.alternate = NULL;
    (*out)->nduplicate = a.nduplicate;
    (*out)->duplicate_line = a.duplicate_line;
    cardo_copies_fill(records, *out);
    CARDO_TRY(cardo_connections_fill(records, *out, error));
    status = fill_sequences(&a, *out, error);
done:
    if (status != CARDO_OK) {
        cardo_structure_destroy(*out);
        *out = NULL;
    }
    cardo_free(a.sites);
    cardo_free(a.next_run);
    cardo_free(a.chain);
    cardo_free(a.chosen);
    cardo_free(a.site_first);
    cardo_free(a.table);
    cardo_free(a.alternate);
    return status;
}
