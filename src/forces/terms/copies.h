/* Terms of identical chains are kept once: they are most of the memory of a large assembly. */
#ifndef CARDO_FORCES_TERMS_COPIES_H
#define CARDO_FORCES_TERMS_COPIES_H

#include "forces/terms/terms.h"

/* For complete lists. Where the atoms are equally long runs with the same numbers and the same terms, none of which ties
 * two runs, those of the first are kept, and terms follow run by run, in each as they did before. Elsewhere they
 * give back the room that they have for more. Nothing changes where memory is lacking for the shorter lists. */
void cardo_terms_trim(cardo_terms *terms);

/* Has numbers of all atoms and all terms again, for those who change single ones or add some. CARDO_ERROR_MEMORY leaves them as they are. */
cardo_status cardo_terms_expand(cardo_terms *terms, cardo_error *error);

#endif
