#include "cardo/files.h"

#include "multibody/quantities/named_numbers.h"
#include "multibody/tree/coordinate_names.h"

/* The numbers in the order of the system; each has to be there. */
static cardo_status put_in_order(const cardo_named_numbers *numbers, const char *path,
                                 const cardo_system *system, double *q, cardo_error *error)
{
    int from = 0;
    for (int k = 0; k < cardo_system_nq(system); ++k) {
        char name[CARDO_COORDINATE_NAME];
        cardo_coordinate_name(system, k, name);
        if (!cardo_named_numbers_find(numbers, name, &from, &q[k]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: has no '%s', a coordinate of the model: the file is of another "
                              "one",
                              path, name);
    }
    if (numbers->n > cardo_system_nq(system))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has %d coordinates and the model %d: the file is of another one",
                          path, numbers->n, cardo_system_nq(system));
    return CARDO_OK;
}

cardo_status cardo_coordinates_read(const char *path, const cardo_system *system, double *q,
                                    cardo_error *error)
{
    cardo_named_numbers numbers;
    cardo_status status = cardo_named_numbers_read(path, &numbers, error);
    if (status == CARDO_OK)
        status = put_in_order(&numbers, path, system, q, error);
    cardo_named_numbers_clear(&numbers);
    return status;
}
