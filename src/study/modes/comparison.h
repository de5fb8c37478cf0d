/* Other methods on the same structure, to compare a model's modes with: plain anisotropic network and
 * rotations and translations of blocks. */
#ifndef CARDO_STUDY_MODES_COMPARISON_H
#define CARDO_STUDY_MODES_COMPARISON_H

#include "study/modes/set.h"

enum { CARDO_MODE_METHODS = 2 };

/* What a method finds. Overlaps only where the set has an observed displacement. */
typedef struct cardo_mode_method {
    const char *name, *doc;
    int nmode;
    double *overlap, *cumulative; /* (nmode)                                         */
    double shared;                /* subspace overlap with the model's modes, of ... */
    int shared_own, shared_other; /* so many modes of the model, and of this method  */
} cardo_mode_method;

typedef struct cardo_mode_comparison {
    int nmethod;
    cardo_mode_method method[CARDO_MODE_METHODS];
} cardo_mode_comparison;

/* Whether options->against names methods that there are. */
cardo_status cardo_mode_methods_check(const cardo_mode_options *options, cardo_error *error);

/* Carries out the methods that options->against names. Zero-initialise *comparison;
 * cardo_mode_comparison_clear frees what is there, also after a failure. */
cardo_status cardo_mode_compare(const cardo_session *session, const cardo_mode_options *options,
                                const cardo_mode_set *set, cardo_mode_comparison *comparison,
                                cardo_error *error);
void cardo_mode_comparison_clear(cardo_mode_comparison *comparison);

#endif
