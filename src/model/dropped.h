/* What a model leaves out of a structure file: waters, ions and ligands, by name and place. */
#ifndef CARDO_MODEL_DROPPED_H
#define CARDO_MODEL_DROPPED_H

#include "structure/atoms/structure.h"

/* One group that is left out. */
typedef struct cardo_dropped {
    cardo_name name;  /* "MAL"       */
    char residue[40]; /* "A:MAL371"  */
    int natom;
    bool water;
} cardo_dropped;

enum { CARDO_DROPPED_TEXT = 1024 };

/* "104 waters; 2 MAL (A:MAL371, B:MAL371); 7 ZN (A:ZN401, B:ZN401, ...)": waters by number, others by name
 * with the places of the first few; "" when there are none. Returns text. */
char *cardo_dropped_text(const cardo_dropped *dropped, int n, char text[CARDO_DROPPED_TEXT]);

#endif
