/* A part of a result, as the two files that know it from inside see it: filling and reading. */
#ifndef CARDO_BASE_RESULT_NODE_H
#define CARDO_BASE_RESULT_NODE_H

#include "base/result.h"

struct cardo_result {
    cardo_result *root;
    cardo_result_kind kind;
    cardo_quantity quantity;
    char *
        words; /* of the quantity, of a remark's place and of the rows' name, one after the other */
    const char *place, *rows_name;
    cardo_result_severity severity;
    char *file;
    bool aside;
    bool for_people;

    cardo_result **part; /* groups, lists, tables                             (npart) */
    int npart, part_capacity;
    long long nrow; /* of a table */

    cardo_result_type type; /* of an array; columns have rows along axis 0 */
    int naxis;
    cardo_axis axis[CARDO_RESULT_MOST_AXES];
    char *axis_name[CARDO_RESULT_MOST_AXES];
    void *values;
    bool *absent; /* of a column */
    int capacity; /* elements of a column that there is room for */
    int absent_capacity;
    char **label[CARDO_RESULT_MOST_AXES];
    bool *hidden;

    cardo_error *failure; /* of the root, the others have none */
};

/* How many elements an array has, beginning with an axis: the product of their lengths. */
static inline long long cardo_result_size_from(const cardo_result *array, int axis)
{
    long long n = 1;
    for (int k = axis; k < array->naxis; ++k)
        n *= array->axis[k].n;
    return n;
}

#endif
