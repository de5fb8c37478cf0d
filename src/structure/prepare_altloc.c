/* Reading a structure with one alternate location preferred. */
#include "structure/format.h"
#include "structure/prepare.h"

#include <math.h>

/* Occupancies of the alternates that were not asked for go down by this much while alternates are
 * chosen: still in their order, but behind those that were. */
static const float demotion = 1000;

cardo_status cardo_structure_read_altloc(const char *path, int model, char altloc,
                                         cardo_structure **out, cardo_error *error)
{
    cardo_records records = {0};
    bool any = altloc == '\0';
    *out = NULL;
    cardo_status status = cardo_records_read(path, model, &records, error);
    for (int i = 0; status == CARDO_OK && altloc && i < records.nrecord; ++i) {
        cardo_record *record = &records.record[i];
        any = any || record->altloc == altloc;
        if (record->altloc && record->altloc != altloc)
            record->occupancy -= demotion;
    }
    if (status == CARDO_OK && !any)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: no atom has the alternate location %c",
                            path, altloc);
    if (status == CARDO_OK)
        status = cardo_structure_assemble(&records, path, out, error);
    for (int i = 0; status == CARDO_OK && altloc && i < (*out)->natom; ++i)
        if ((*out)->occupancy[i] < -demotion / 2)
            (*out)->occupancy[i] = roundf(((*out)->occupancy[i] + demotion) * 100) / 100;
    cardo_records_destroy(&records);
    return status;
}
