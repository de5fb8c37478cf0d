/* A column of a table of numbers. */
#ifndef CARDO_BASE_COLUMN_H
#define CARDO_BASE_COLUMN_H

/* A column: name, unit ("" or NULL: none) and the digits to print (0: whole numbers). */
typedef struct cardo_column {
    char name[64];
    const char *unit; /* borrowed, static text */
    int digits;
} cardo_column;

/* A column of such a name, of which it keeps a copy. */
cardo_column cardo_column_of(const char *name, const char *unit, int digits);

#endif
