/* Arrays of a result for NumPy. */
#include "io/results/result_printer.h"
#include "io/tables/npy.h"

static bool takes(const cardo_result *part)
{
    return cardo_result_kind_of(part) == CARDO_RESULT_ARRAY &&
           cardo_result_type_of(part) <= CARDO_RESULT_TRUTH;
}

static cardo_status print(const cardo_result *part, FILE *stream, cardo_error *error)
{
    size_t shape[CARDO_RESULT_MOST_AXES];
    if (!takes(part))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "NPY takes arrays of numbers");
    const int naxis = cardo_result_naxis(part);
    for (int axis = 0; axis < naxis; ++axis)
        shape[axis] = (size_t)cardo_result_axis(part, axis).n;
    switch (cardo_result_type_of(part)) {
    case CARDO_RESULT_DOUBLE:
        cardo_npy_print(stream, "f8", naxis, shape, cardo_result_as_doubles(part), sizeof(double));
        break;
    case CARDO_RESULT_INTEGER:
        cardo_npy_print(stream, "i8", naxis, shape, cardo_result_as_integers(part),
                        sizeof(long long));
        break;
    default:
        cardo_npy_print(stream, "b1", naxis, shape, cardo_result_as_truths(part), sizeof(bool));
    }
    return CARDO_OK;
}

const cardo_result_printer cardo_printer_npy = {
    .name = "npy",
    .extension = "npy",
    .doc = "an array of numbers, for NumPy",
    .takes = takes,
    .print = print,
};
