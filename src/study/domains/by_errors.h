/* Domains of one predicted structure by its predicted errors: found, told, and a model in which linkers turn. */
#ifndef CARDO_STUDY_DOMAINS_BY_ERRORS_H
#define CARDO_STUDY_DOMAINS_BY_ERRORS_H

#include "analysis/domains/errors/error_domains.h"
#include "analysis/domains/errors/predicted_error.h"
#include "base/result.h"
#include "study/domains/domains.h"

typedef struct cardo_by_errors {
    const char *path; /* of the errors, borrowed                                           */
    int nresidue;
    const char *form;   /* whose file it is                                                  */
    double *confidence; /* pLDDT (nresidue), where it is known                             */
    bool is_confidence_known;
    cardo_error_domains found;
    cardo_domain_motions *tree; /* NULL: there are not two domains                         */
    int nelastic;               /* domains of the elastic network; 0: it was not asked      */
    double elastic_agreement;   /* with it, share of residues                               */
} cardo_by_errors;

/* Reads the errors (options->how.pae) and finds domains of the structure by them; the elastic network's prediction beside
 * it, of up to 1500 residues. Zero-initialise; cardo_by_errors_clear also after a failure. */
cardo_status cardo_by_errors_find(const cardo_domains_options *options,
                                  const cardo_structure *structure, cardo_by_errors *self,
                                  cardo_error *error);
void cardo_by_errors_clear(cardo_by_errors *self);

/* Fills a group: "verdict", "predicted_errors", "domains", "linkers", "between" and "choices". structure: of the same residues; name: what it is called. */
cardo_status cardo_by_errors_fill(const cardo_by_errors *self, const cardo_structure *structure,
                                  const char *name, cardo_result *into, cardo_error *error);

#endif
