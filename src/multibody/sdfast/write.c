#include "cardo/sdfast.h"

#include "base/memory.h"
#include "base/number.h"

#include <string.h>

enum { ROOM = 2048 }; /* of a body: some thirty numbers of at most 26 letters, and words */

static void put(char *text, size_t size, const char *keyword, const double *x, int n)
{
    cardo_append(text, size, " %s =", keyword);
    for (int i = 0; i < n; ++i)
        cardo_append(text, size, " %.17g", x[i]);
}

cardo_status cardo_sdfast_write(const cardo_sdfast *description, char **text, cardo_error *error)
{
    const size_t size = (size_t)ROOM * ((size_t)description->nbody + 1);
    char *out = NULL;
    cardo_status status = cardo_allocate((void **)&out, size, 1, error);
    *text = NULL;
    if (status != CARDO_OK)
        return status;
    put(out, size, "gravity", description->gravity, 3);
    for (int k = 0; k < description->nbody; ++k) {
        const cardo_sdfast_body *b = &description->bodies[k];
        char *here = out + strlen(out); /* so that each body is looked through, not all before */
        const size_t left = size - (size_t)(here - out);
        cardo_append(here, left, "\n\nbody = %s inb = %s joint = %s\n", b->name, b->inboard,
                     b->joint);
        if (!b->loop) {
            put(here, left, " mass", &b->mass, 1);
            put(here, left, "inertia", b->inertia, 9);
            cardo_append(here, left, "\n");
        }
        put(here, left, " bodytojoint", b->body_to_joint, 3);
        put(here, left, "inbtojoint", b->inboard_to_joint, 3);
        for (int i = 0; i < b->npin; ++i)
            put(here, left, b->nbody_pin > 0 ? "inbpin" : "pin", b->pins[i], 3);
        for (int i = 0; i < b->nbody_pin; ++i)
            put(here, left, "bodypin", b->body_pins[i], 3);
    }
    cardo_append(out, size, "\n");
    *text = out;
    return CARDO_OK;
}
