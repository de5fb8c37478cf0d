/* A model's joints as hinges of a molecule whose atoms all move. */
#ifndef CARDO_STUDY_SAMPLE_MIXED_HINGES_H
#define CARDO_STUDY_SAMPLE_MIXED_HINGES_H

#include "sampling/mixed/hinges.h"
#include "study/session/session.h"

typedef struct cardo_mixed_hinges {
    cardo_hinges
        hinges; /* of the arrays here, the model's names and structure, the session's masses */
    cardo_hinge *body;
} cardo_mixed_hinges;

/* Torsions turn about their bonds as they are; other joints follow the parent body's atoms, superposed
 * on the structure; a path that is a screw becomes that screw, whose coordinate is the angle, or a
 * slider where it does not turn. session->masses must be there. CARDO_ERROR_UNSUPPORTED, with the file
 * and line, for joints that are no group of motions (sampling/mixed/hinges.h) and for prescribed motions.
 * The caller clears *out. */
cardo_status cardo_mixed_hinges_make(const cardo_session *session, cardo_mixed_hinges *out,
                                     cardo_error *error);
void cardo_mixed_hinges_clear(cardo_mixed_hinges *hinges);

#endif
