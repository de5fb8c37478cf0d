#include "cardo/files.h"

#include "multibody/quantities/named_numbers.h"

static cardo_status put(const cardo_named_numbers *numbers, const char *path,
                        const cardo_system *system, double *q, cardo_error *error)
{
    char name[CARDO_COORDINATE_NAME];
    const int missing = cardo_named_numbers_put(numbers, system, q);
    if (missing >= 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: has no '%s', a coordinate of the model: the file is of another one",
                          path, cardo_coordinate_name(system, missing, name));
    if (!numbers->of_table && numbers->n > cardo_system_nq(system))
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
        status = put(&numbers, path, system, q, error);
    cardo_named_numbers_clear(&numbers);
    return status;
}
