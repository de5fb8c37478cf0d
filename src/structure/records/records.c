#include "structure/records/records.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "structure/atoms/name_text.h"

#include <string.h>

void cardo_records_destroy(cardo_records *records)
{
    if (!records)
        return;
    cardo_free(records->record);
    cardo_free(records->run);
    cardo_free(records->bridge);
    cardo_free(records->link);
    cardo_free(records->conect);
    cardo_free(records->polymer);
    cardo_free(records->monomer);
    cardo_free(records->missing);
    cardo_free(records->copy);
    cardo_free(records->copied_chain);
    cardo_free(records->chain_copy);
    cardo_free(records->model);
    *records = (cardo_records){0};
}

static bool same_identity(const cardo_residue_identity *a, const cardo_residue_identity *b)
{
    return a->number == b->number && a->segment == b->segment && a->insertion == b->insertion &&
           name_equal(&a->name, &b->name) && name_equal(&a->chain, &b->chain);
}

cardo_status cardo_records_add(cardo_records *records, const cardo_record *record,
                               const cardo_residue_identity *identity, cardo_error *error)
{
    int nrun = records->nrun;
    if (nrun == 0 || !same_identity(&records->run[nrun - 1].identity, identity)) {
        cardo_status status = CARDO_RESERVE(&records->run, &records->run_capacity, nrun + 1, error);
        if (status != CARDO_OK)
            return status;
        records->run[nrun] = (cardo_run){.identity = *identity, .first = records->nrecord};
        records->nrun = ++nrun;
    }
    cardo_status status =
        CARDO_RESERVE(&records->record, &records->record_capacity, records->nrecord + 1, error);
    if (status != CARDO_OK)
        return status;
    cardo_record *added = &records->record[records->nrecord++];
    *added = *record;
    added->run = nrun - 1;
    return CARDO_OK;
}

cardo_status cardo_records_add_bridge(cardo_records *records, const cardo_bridge_record *bridge,
                                      cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&records->bridge, &records->bridge_capacity, records->nbridge + 1, error);
    if (status == CARDO_OK)
        records->bridge[records->nbridge++] = *bridge;
    return status;
}

cardo_status cardo_records_add_link(cardo_records *records, const cardo_link_record *link,
                                    cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&records->link, &records->link_capacity, records->nlink + 1, error);
    if (status == CARDO_OK)
        records->link[records->nlink++] = *link;
    return status;
}

cardo_status cardo_records_add_conect(cardo_records *records, const cardo_conect_record *conect,
                                      cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&records->conect, &records->conect_capacity, records->nconect + 1, error);
    if (status == CARDO_OK)
        records->conect[records->nconect++] = *conect;
    return status;
}

cardo_status cardo_records_add_missing(cardo_records *records, const cardo_missing_record *missing,
                                       cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&records->missing, &records->missing_capacity, records->nmissing + 1, error);
    if (status == CARDO_OK)
        records->missing[records->nmissing++] = *missing;
    return status;
}

cardo_status cardo_records_add_monomer(cardo_records *records, const cardo_monomer_record *monomer,
                                       cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&records->monomer, &records->monomer_capacity, records->nmonomer + 1, error);
    if (status == CARDO_OK)
        records->monomer[records->nmonomer++] = *monomer;
    return status;
}

cardo_status cardo_records_add_polymer(cardo_records *records, const cardo_name *chain,
                                       const cardo_name *asym, cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&records->polymer, &records->polymer_capacity, records->npolymer + 1, error);
    if (status == CARDO_OK)
        records->polymer[records->npolymer++] =
            (cardo_polymer_record){*chain, *asym, records->nmonomer};
    return status;
}

cardo_status cardo_records_add_copy(cardo_records *records, const cardo_copy_record *copy,
                                    cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&records->copy, &records->copy_capacity, records->ncopy + 1, error);
    if (status == CARDO_OK)
        records->copy[records->ncopy++] = *copy;
    return status;
}

cardo_status cardo_records_add_copied_chain(cardo_records *records, const cardo_name *chain,
                                            cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&records->copied_chain, &records->copied_chain_capacity,
                                        records->ncopied_chain + 1, error);
    if (status == CARDO_OK)
        records->copied_chain[records->ncopied_chain++] = *chain;
    return status;
}

cardo_status cardo_records_add_model(cardo_records *records, int serial, int natom,
                                     cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&records->model, &records->model_capacity, records->nmodel + 1, error);
    if (status == CARDO_OK)
        records->model[records->nmodel++] = (cardo_model_count){serial, natom};
    return status;
}

void cardo_records_set_cell(cardo_records *records, const double cell[6])
{
    for (int k = 0; k < 6; ++k)
        if (cell[k] <= 0)
            return;
    if (cell[0] <= 1 && cell[1] <= 1 && cell[2] <= 1)
        return;
    for (int k = 0; k < 6; ++k)
        records->cell[k] = k < 3 ? cell[k] * CARDO_ANGSTROM : cell[k];
    records->has_cell = true;
}

cardo_status cardo_records_check(const cardo_records *records, const char *name, int model,
                                 cardo_error *error)
{
    if (records->nrecord > 0)
        return CARDO_OK;
    if (records->nmodel == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: this file has no atoms", name);
    char list[200] = "";
    for (int i = 0; i < records->nmodel && strlen(list) < sizeof list - 20; ++i)
        cardo_append(list, sizeof list, "%s%d", i ? ", " : "", records->model[i].serial);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: there is no model %d; models with atoms: %s",
                      name, model, list);
}
