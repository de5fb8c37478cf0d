/* A column of a table of numbers. */
#ifndef CARDO_BASE_COLUMN_H
#define CARDO_BASE_COLUMN_H

/* A column: name, unit ("" or NULL: none), the digits to print (0: whole numbers), and what it holds. */
typedef struct cardo_column {
    char name[64];
    const char *unit; /* borrowed, static text */
    int digits;
    const char *key; /* what its readers know it by: "potential", "q"; NULL: none; static text */
    char of[96];     /* and of what it is: "elbow"; "": of the whole                         */
} cardo_column;

/* A column of such a name, of which it keeps a copy. */
cardo_column cardo_column_of(const char *name, const char *unit, int digits);
/* The same with a key. */
cardo_column cardo_column_known(const char *key, const char *name, const char *unit, int digits);

#endif
