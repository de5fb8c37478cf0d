#include "structure/records/copies.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/vec.h"
#include "structure/atoms/name_text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ATOMS = 20000000 };

/* What a chain is called in the copy that is being made. */
typedef struct renaming {
    cardo_name given, now;
    bool is_here; /* has atoms in this copy */
    bool is_used; /* has had some in an earlier one */
} renaming;

typedef struct building {
    const cardo_records *from;
    cardo_records *to;
    renaming *chain;
    int nchain, chain_capacity;
    cardo_name *taken; /* names of chains that are there */
    int ntaken, taken_capacity;
    int number;          /* of the copy, from 0 */
    int serial, segment; /* what this copy's are shifted by */
    cardo_error *error;
} building;

static renaming *find_chain(building *b, const cardo_name *given)
{
    for (int k = 0; k < b->nchain; ++k)
        if (name_equal(&b->chain[k].given, given))
            return &b->chain[k];
    return NULL;
}

static bool is_taken(const building *b, const cardo_name *name)
{
    for (int k = 0; k < b->ntaken; ++k)
        if (name_equal(&b->taken[k], name))
            return true;
    return false;
}

static cardo_status take_name(building *b, const cardo_name *name)
{
    cardo_status status = CARDO_RESERVE(&b->taken, &b->taken_capacity, b->ntaken + 1, b->error);
    if (status == CARDO_OK)
        b->taken[b->ntaken++] = *name;
    return status;
}

static cardo_name free_name(const building *b, const cardo_name *given)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    cardo_name name = {""};
    for (const char *letter = letters; *letter; ++letter) {
        name.text[0] = *letter;
        if (!is_taken(b, &name))
            return name;
    }
    for (int k = b->number + 1;; ++k) {
        char text[40];
        const int room = CARDO_NAME_SIZE - 1 - snprintf(text, sizeof text, "-%d", k);
        const int length = snprintf(text, sizeof text, "%.*s-%d", room, given->text, k);
        name_set(&name, text, length);
        if (!is_taken(b, &name))
            return name;
    }
}

static cardo_status list_chains(building *b)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < b->from->nrun && status == CARDO_OK; ++k) {
        const cardo_name *given = &b->from->run[k].identity.chain;
        if (find_chain(b, given))
            continue;
        status = CARDO_RESERVE(&b->chain, &b->chain_capacity, b->nchain + 1, b->error);
        if (status != CARDO_OK)
            break;
        b->chain[b->nchain++] = (renaming){.given = *given, .now = *given};
        status = take_name(b, given);
    }
    return status;
}

static bool is_listed(const cardo_records *r, const cardo_copy_record *copy,
                      const cardo_residue_identity *id)
{
    for (int k = 0; k < copy->nchain; ++k)
        if (name_equal(&r->copied_chain[copy->first_chain + k],
                       copy->by_instance ? &id->instance : &id->chain))
            return true;
    return false;
}

/* A copied polymer's instance is another one: "A" of the copy of number 2 is "A+2". */
static cardo_name instance_of(const building *b, const cardo_name *given)
{
    cardo_name name = *given;
    char text[40];
    if (b->number == 0 || !given->text[0])
        return name;
    const int room = CARDO_NAME_SIZE - 1 - snprintf(text, sizeof text, "+%d", b->number);
    name_set(&name, text, snprintf(text, sizeof text, "%.*s+%d", room, given->text, b->number));
    return name;
}

static cardo_status note_copy(const building *b, const renaming *chain)
{
    cardo_records *to = b->to;
    cardo_status status =
        CARDO_RESERVE(&to->chain_copy, &to->chain_copy_capacity, to->nchain_copy + 1, b->error);
    if (status == CARDO_OK)
        to->chain_copy[to->nchain_copy++] = (cardo_chain_copy){chain->now, chain->given};
    return status;
}

static cardo_status name_chains(building *b, const cardo_copy_record *copy)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < b->nchain; ++k)
        b->chain[k].is_here = false;
    for (int k = 0; k < b->from->nrun && status == CARDO_OK; ++k) {
        const cardo_residue_identity *id = &b->from->run[k].identity;
        renaming *chain = find_chain(b, &id->chain);
        if (chain->is_here || !is_listed(b->from, copy, id))
            continue;
        chain->is_here = true;
        if (chain->is_used) {
            chain->now = free_name(b, &chain->given);
            status = take_name(b, &chain->now);
            if (status == CARDO_OK)
                status = note_copy(b, chain);
        }
        chain->is_used = true;
    }
    return status;
}

static cardo_status copy_run(building *b, const cardo_copy_record *copy, int run)
{
    const cardo_records *from = b->from;
    cardo_residue_identity id = from->run[run].identity;
    const int end = run + 1 < from->nrun ? from->run[run + 1].first : from->nrecord;
    cardo_status status = CARDO_OK;
    id.chain = find_chain(b, &id.chain)->now;
    id.asym = instance_of(b, &id.asym);
    id.segment += b->segment;
    for (int i = from->run[run].first; i < end && status == CARDO_OK; ++i) {
        cardo_record record = from->record[i];
        v3_store(record.position,
                 v3_add(m33_mul_v3(copy->rotation, v3_load(record.position)), copy->shift));
        record.serial += b->serial;
        status = cardo_records_add(b->to, &record, &id, b->error);
    }
    return status;
}

/* False: the residue's chain is not in this copy. */
static bool rename_key(building *b, cardo_residue_key *key)
{
    const renaming *chain = find_chain(b, &key->chain);
    if (!chain || !chain->is_here)
        return false;
    key->chain = chain->now;
    return true;
}

static cardo_status copy_pairs(building *b)
{
    const cardo_records *from = b->from;
    cardo_status status = CARDO_OK;
    for (int k = 0; k < from->nbridge && status == CARDO_OK; ++k) {
        cardo_bridge_record bridge = from->bridge[k];
        if (rename_key(b, &bridge.end[0]) && rename_key(b, &bridge.end[1]))
            status = cardo_records_add_bridge(b->to, &bridge, b->error);
    }
    for (int k = 0; k < from->nlink && status == CARDO_OK; ++k) {
        cardo_link_record link = from->link[k];
        if (rename_key(b, &link.end[0]) && rename_key(b, &link.end[1]))
            status = cardo_records_add_link(b->to, &link, b->error);
    }
    for (int k = 0; k < from->nconect && status == CARDO_OK; ++k) {
        cardo_conect_record conect = from->conect[k];
        for (int end = 0; end < 2; ++end)
            conect.serial[end] += b->serial;
        status = cardo_records_add_conect(b->to, &conect, b->error);
    }
    return status;
}

static cardo_status copy_sequences(building *b)
{
    const cardo_records *from = b->from;
    cardo_status status = CARDO_OK;
    for (int p = 0; p < from->npolymer && status == CARDO_OK; ++p) {
        const cardo_polymer_record *polymer = &from->polymer[p];
        const renaming *chain = find_chain(b, &polymer->chain);
        const int end = p + 1 < from->npolymer ? polymer[1].first : from->nmonomer;
        if (!chain || !chain->is_here)
            continue;
        const cardo_name asym = instance_of(b, &polymer->asym);
        status = cardo_records_add_polymer(b->to, &chain->now, &asym, b->error);
        for (int m = polymer->first; m < end && status == CARDO_OK; ++m)
            status = cardo_records_add_monomer(b->to, &from->monomer[m], b->error);
    }
    for (int k = 0; k < from->nmissing && status == CARDO_OK; ++k) {
        cardo_missing_record missing = from->missing[k];
        if (rename_key(b, &missing.key))
            status = cardo_records_add_missing(b->to, &missing, b->error);
    }
    return status;
}

/* Files have six decimals of a rotation; with one step of Newton's method towards R^T R = 1 copies are congruent to
 * rounding. False: it is none. */
static bool straighten(cardo_mat33 *R)
{
    const double most = 1e-3;
    cardo_mat33 correction = m33_mul(m33_transpose(*R), *R);
    const double determinant = m33_determinant(*R);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double unit = i == j;
            if (!(fabs(correction.m[i][j] - unit) < most))
                return false;
            correction.m[i][j] = 1.5 * unit - 0.5 * correction.m[i][j];
        }
    *R = m33_mul(*R, correction);
    return determinant > 0;
}

static cardo_status make_copy(building *b, const cardo_copy_record *copy)
{
    cardo_status status = CARDO_OK;
    const cardo_records *from = b->from;
    CARDO_TRY(name_chains(b, copy));
    for (int run = 0; run < from->nrun; ++run)
        if (is_listed(from, copy, &from->run[run].identity))
            CARDO_TRY(copy_run(b, copy, run));
    CARDO_TRY(copy_pairs(b));
    CARDO_TRY(copy_sequences(b));
done:
    return status;
}

static cardo_status fail_unknown(const cardo_records *records, const char *name,
                                 const char *assembly, cardo_error *error)
{
    char list[200] = "";
    for (int k = 0; k < records->ncopy && strlen(list) < sizeof list - CARDO_NAME_SIZE - 4; ++k)
        if (k == 0 || !name_equal(&records->copy[k].assembly, &records->copy[k - 1].assembly))
            cardo_append(list, sizeof list, "%s%s", list[0] ? ", " : "",
                         records->copy[k].assembly.text);
    if (!list[0])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: the file tells no assemblies (REMARK 350, "
                          "_pdbx_struct_assembly_gen), so that there is no '%s' to build",
                          name, assembly);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: there is no assembly '%s'; the file has %s",
                      name, assembly, list);
}

/* How far apart serial numbers and segments of copies are. */
static void find_strides(const cardo_records *records, long long *serial, int *segment)
{
    *serial = 0;
    *segment = 1;
    for (int i = 0; i < records->nrecord; ++i)
        *serial = records->record[i].serial > *serial ? records->record[i].serial : *serial;
    for (int k = 0; k < records->nrun; ++k)
        if (records->run[k].identity.segment >= *segment)
            *segment = records->run[k].identity.segment + 1;
}

static cardo_status check_copy(const building *b, cardo_copy_record *copy, const char *name)
{
    if (!straighten(&copy->rotation))
        return CARDO_FAIL(b->error, CARDO_ERROR_INPUT,
                          "%s: assembly '%s': operator %d is no rotation", name,
                          copy->assembly.text, b->number + 1);
    if (b->to->nrecord + (long long)b->from->nrecord > MOST_ATOMS)
        return CARDO_FAIL(b->error, CARDO_ERROR_INPUT,
                          "%s: assembly '%s' would have more than %d atoms", name,
                          copy->assembly.text, (int)MOST_ATOMS);
    return CARDO_OK;
}

cardo_status cardo_records_build_assembly(cardo_records *records, const char *name,
                                          const char *assembly, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_records made = {0};
    building b = {.from = records, .to = &made, .error = error};
    long long stride;
    int segments;
    find_strides(records, &stride, &segments);
    CARDO_TRY(list_chains(&b));
    for (int k = 0; k < records->ncopy; ++k) {
        cardo_copy_record copy = records->copy[k];
        if (strcmp(copy.assembly.text, assembly) != 0)
            continue;
        CARDO_TRY(check_copy(&b, &copy, name));
        const long long serial = b.number * stride;
        b.serial = serial + stride < INT_MAX ? (int)serial : 0;
        b.segment = b.number * segments;
        CARDO_TRY(make_copy(&b, &copy));
        ++b.number;
    }
    if (b.number == 0) {
        status = fail_unknown(records, name, assembly, error);
    } else if (made.nrecord == 0) {
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT,
                       "%s: of the chains of assembly '%s' the file has no atoms", name, assembly);
    } else {
        made.model = records->model;
        made.nmodel = records->nmodel;
        made.model_capacity = records->model_capacity;
        made.model_read = records->model_read;
        name_set(&made.assembly, assembly, (int)strlen(assembly));
        records->model = NULL;
        const cardo_records former = *records;
        *records = made;
        made = former;
    }
done:
    cardo_records_destroy(&made);
    cardo_free(b.chain);
    cardo_free(b.taken);
    return status;
}

static bool moves(const cardo_copy_record *copy)
{
    const double least = 1e-3;
    double off = v3_norm(copy->shift);
    for (int i = 0; i < 3; ++i)
        off = fmax(off, fabs(copy->rotation.m[i][i] - 1));
    return off > least;
}

static bool is_of(const cardo_copy_record *copy, const cardo_name *assembly)
{
    return name_equal(&copy->assembly, assembly);
}

void cardo_copies_fill(cardo_records *records, cardo_structure *structure)
{
    structure->assembly = records->assembly;
    structure->nchain_copy = records->nchain_copy;
    structure->chain_copy = records->chain_copy;
    records->chain_copy = NULL;
    records->nchain_copy = records->chain_copy_capacity = 0;
    if (records->ncopy == 0)
        return;
    const cardo_name *first = &records->copy[0].assembly;
    bool any = false;
    int n = 0;
    for (int k = 0; k < records->ncopy && is_of(&records->copy[k], first); ++k, ++n)
        any = any || moves(&records->copy[k]);
    if (any) {
        structure->offered = *first;
        structure->noffered = n;
    }
}

bool cardo_offered_words(const cardo_structure *s, char *text, size_t size)
{
    if (!s->offered.text[0])
        return false;
    snprintf(
        text, size,
        "assembly %s of the file is made of %d copies by its operators, of which these are the "
        "atoms that the file has; preparing with assembly %s builds it",
        s->offered.text, s->noffered, s->offered.text);
    return true;
}

/* Is this the first copy of its chain? */
static bool is_first_copy(const cardo_structure *s, int k)
{
    for (int i = 0; i < k; ++i)
        if (name_equal(&s->chain_copy[i].of, &s->chain_copy[k].of))
            return false;
    return true;
}

bool cardo_copied_words(const cardo_structure *s, int k, char *text, size_t size)
{
    enum { NAMED = 12 };
    int first = 0, n = 0;
    for (; first < s->nchain_copy; ++first)
        if (is_first_copy(s, first) && k-- == 0)
            break;
    if (first == s->nchain_copy)
        return false;
    snprintf(text, size, "assembly %s: copies of chain %s are", s->assembly.text,
             s->chain_copy[first].of.text);
    for (int i = first; i < s->nchain_copy; ++i) {
        if (!name_equal(&s->chain_copy[i].of, &s->chain_copy[first].of))
            continue;
        if (n < NAMED)
            cardo_append(text, size, "%s %s", n ? "," : "", s->chain_copy[i].chain.text);
        ++n;
    }
    if (n > NAMED)
        cardo_append(text, size, " and %d more", n - NAMED);
    return true;
}
