/* Filling and comparing cardo_name from text that is not NUL-terminated. */
#ifndef CARDO_STRUCTURE_ATOMS_NAME_TEXT_H
#define CARDO_STRUCTURE_ATOMS_NAME_TEXT_H

#include "structure/atoms/name.h"

#include <stdbool.h>
#include <string.h>

/* Copies text without the blanks around it. False when it is longer than a name or holds anything
 * but printable ASCII. */
static inline bool name_set(cardo_name *name, const char *text, int length)
{
    while (length > 0 && text[0] == ' ') {
        ++text;
        --length;
    }
    while (length > 0 && text[length - 1] == ' ')
        --length;
    memset(name, 0, sizeof *name);
    if (length >= CARDO_NAME_SIZE)
        return false;
    for (int i = 0; i < length; ++i) {
        if (text[i] < ' ' || text[i] > '~')
            return false;
        name->text[i] = text[i];
    }
    return true;
}

static inline bool name_equal(const cardo_name *a, const cardo_name *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

#endif
