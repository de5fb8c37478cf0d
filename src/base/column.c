#include "base/column.h"

#include <stdio.h>

cardo_column cardo_column_of(const char *name, const char *unit, int digits)
{
    cardo_column column = {.unit = unit, .digits = digits};
    snprintf(column.name, sizeof column.name, "%s", name);
    return column;
}

cardo_column cardo_column_known(const char *key, const char *name, const char *unit, int digits)
{
    cardo_column column = cardo_column_of(name, unit, digits);
    column.key = key;
    return column;
}
