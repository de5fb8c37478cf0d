/* The categories of sequences. Where a file tells only those of the kinds of polymers, the entities,
 * each polymer that has atoms gets that of its kind. */
#include "structure/mmcif/reader.h"

#include "base/memory.h"

/* The sequence of every polymer of the structure. */
enum { SCHEME_ASYM, SCHEME_PLACE, SCHEME_NAME, SCHEME_NUMBER, SCHEME_CODE, SCHEME_CHAIN };
static const char *const scheme_items[] = {"asym_id",      "seq_id",        "mon_id", "pdb_seq_num",
                                           "pdb_ins_code", "pdb_strand_id", NULL};

/* Adds a monomer to the polymer of this asym, which is a new one when the last has another. A place
 * that comes again is another name of the residue there: the first is kept. */
static cardo_status add_monomer(cardo_records *to, const cardo_name *chain, const cardo_name *asym,
                                const cardo_monomer_record *monomer, cardo_error *error)
{
    const cardo_polymer_record *last = to->npolymer ? &to->polymer[to->npolymer - 1] : NULL;
    if (!last || !name_equal(&last->asym, asym)) {
        cardo_status status = cardo_records_add_polymer(to, chain, asym, error);
        if (status != CARDO_OK)
            return status;
    } else if (to->nmonomer > last->first &&
               to->monomer[to->nmonomer - 1].place >= monomer->place) {
        return CARDO_OK;
    }
    return cardo_records_add_monomer(to, monomer, error);
}

/* What cannot be read of sequences is left out. */
static cardo_status on_scheme(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
{
    cardo_monomer_record monomer = {.place = 0};
    cardo_name asym, chain;
    if (!has(row, SCHEME_ASYM) || !read_name(&row->item[SCHEME_ASYM], &asym) ||
        !has(row, SCHEME_NAME) || !read_name(&row->item[SCHEME_NAME], &monomer.name) ||
        !has(row, SCHEME_PLACE) || !read_integer(&row->item[SCHEME_PLACE], &monomer.place) ||
        !read_name(either(reader, row, SCHEME_CHAIN, SCHEME_ASYM), &chain) || monomer.place < 1)
        return CARDO_OK;
    if (reader->label_numbering) {
        monomer.number = monomer.place;
        monomer.numbered = true;
        return add_monomer(reader->records, &asym, &asym, &monomer, reader->error);
    }
    monomer.numbered = has(row, SCHEME_NUMBER) &&
                       read_integer(&row->item[SCHEME_NUMBER], &monomer.number) &&
                       read_code(row, SCHEME_CODE, &monomer.insertion);
    if (!monomer.numbered)
        monomer.insertion = '\0';
    return add_monomer(reader->records, &chain, &asym, &monomer, reader->error);
}

const cardo_mmcif_category cardo_mmcif_scheme = {"_pdbx_poly_seq_scheme.", scheme_items, on_scheme};

/* The sequence of every kind of polymer. */
enum { ENTITY_ID, ENTITY_PLACE, ENTITY_NAME };
static const char *const entity_items[] = {"entity_id", "num", "mon_id", NULL};

static cardo_status on_entity(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
{
    cardo_monomer_record monomer = {.place = 0};
    cardo_name entity;
    if (!has(row, ENTITY_ID) || !read_name(&row->item[ENTITY_ID], &entity) ||
        !has(row, ENTITY_NAME) || !read_name(&row->item[ENTITY_NAME], &monomer.name) ||
        !has(row, ENTITY_PLACE) || !read_integer(&row->item[ENTITY_PLACE], &monomer.place) ||
        monomer.place < 1)
        return CARDO_OK;
    return add_monomer(&reader->entities, &entity, &entity, &monomer, reader->error);
}

const cardo_mmcif_category cardo_mmcif_entities = {"_entity_poly_seq.", entity_items, on_entity};

cardo_status cardo_mmcif_add_polymer(cardo_mmcif_reader *reader, const cardo_residue_identity *id,
                                     const cardo_cif_token *entity)
{
    const cardo_mmcif_polymer *last =
        reader->ninstance ? &reader->instance[reader->ninstance - 1] : NULL;
    cardo_mmcif_polymer instance = {.asym = id->asym, .chain = id->chain};
    if (id->place == 0 || (last && name_equal(&last->asym, &id->asym)) ||
        !read_name(entity, &instance.entity))
        return CARDO_OK;
    cardo_status status = CARDO_RESERVE(&reader->instance, &reader->instance_capacity,
                                        reader->ninstance + 1, reader->error);
    if (status == CARDO_OK)
        reader->instance[reader->ninstance++] = instance;
    return status;
}

static const cardo_polymer_record *find_entity(const cardo_records *entities,
                                               const cardo_name *name)
{
    for (int p = 0; p < entities->npolymer; ++p)
        if (name_equal(&entities->polymer[p].asym, name))
            return &entities->polymer[p];
    return NULL;
}

cardo_status cardo_mmcif_use_entities(cardo_mmcif_reader *reader)
{
    /* A file with few atoms could claim the longest of sequences for each of them; no file has
     * many kinds of polymers. */
    enum { MOST_MONOMERS_AN_ATOM = 4, SMALL = 10000, MOST_ENTITIES = 1000 };
    cardo_records *records = reader->records, *entities = &reader->entities;
    long long left = (long long)records->nrecord * MOST_MONOMERS_AN_ATOM + SMALL;
    cardo_status status = CARDO_OK;
    if (records->npolymer > 0 || entities->npolymer > MOST_ENTITIES)
        return CARDO_OK;
    for (int k = 0; k < reader->ninstance && status == CARDO_OK; ++k) {
        const cardo_mmcif_polymer *instance = &reader->instance[k];
        const cardo_polymer_record *entity = find_entity(entities, &instance->entity);
        if (!entity)
            continue;
        int end = entity + 1 < entities->polymer + entities->npolymer ? entity[1].first
                                                                      : entities->nmonomer;
        left -= end - entity->first;
        if (left < 0)
            break;
        status =
            cardo_records_add_polymer(records, &instance->chain, &instance->asym, reader->error);
        for (int m = entity->first; m < end && status == CARDO_OK; ++m)
            status = cardo_records_add_monomer(records, &entities->monomer[m], reader->error);
    }
    return status;
}
