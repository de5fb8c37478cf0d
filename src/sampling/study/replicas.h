/* Replicas of a study: the whole of it several times over, each from a start and with random numbers of
 * its own, all moved at a time.
 *
 * What a walker remembers for longer than a run lasts is in no error bar of that run. Replicas whose
 * walkers come from the start, and from the other end of the range back over it, differ by just that:
 * their disagreement is a part of the error, and of the verdict. */
#ifndef CARDO_SAMPLING_STUDY_REPLICAS_H
#define CARDO_SAMPLING_STUDY_REPLICAS_H

#include "sampling/methods/estimate.h"

typedef struct cardo_replicas cardo_replicas;

/* plan->options->replicas studies, one of a method that stands. The caller owns *out; plan as for
 * cardo_sampling_create. Everything from here on is called by every member alike. */
cardo_status cardo_replicas_create(const cardo_sampling_plan *plan, cardo_replicas **out,
                                   cardo_error *error);
void cardo_replicas_destroy(cardo_replicas *replicas);

int cardo_replicas_count(const cardo_replicas *replicas);
/* Study r, borrowed. */
cardo_sampling *cardo_replicas_study(const cardo_replicas *replicas, int r);

/* As cardo_sampling_prepare and the others, of all of them. */
cardo_status cardo_replicas_prepare(cardo_replicas *replicas,
                                    const volatile sig_atomic_t *interrupt, cardo_end *end,
                                    cardo_error *error);
bool cardo_replicas_are_prepared(const cardo_replicas *replicas);
cardo_status cardo_replicas_advance(cardo_replicas *replicas,
                                    const volatile sig_atomic_t *interrupt, cardo_end *end,
                                    cardo_error *error);
size_t cardo_replicas_value_count(const cardo_replicas *replicas);
void cardo_replicas_save(const cardo_replicas *replicas, double *values);
cardo_status cardo_replicas_restore(cardo_replicas *replicas, const double *values, size_t nvalue,
                                    cardo_error *error);

/* The estimates of all, part[count], and of them together. F is the mean of theirs; its standard error is
 * what follows from theirs, or the scatter of theirs about the mean, whichever is larger. Windows and
 * what belongs to them are in the parts alone. The caller clears all of them, zero-initialised
 * before. */
cardo_status cardo_replicas_estimate(const cardo_replicas *replicas,
                                     const cardo_estimate_request *request, cardo_estimate *part,
                                     cardo_estimate *together, cardo_error *error);

/* What is to be thought of them, in words (analysis/free_energy/verdict.h); part and together are
 * cardo_replicas_estimate's, with an even number of parts in time. highest: the error of places so far
 * above the lowest F is not judged, kT; target: the standard error hoped for, kT, 0: none. */
cardo_verdict cardo_replicas_judge(const cardo_replicas *replicas, const cardo_estimate *part,
                                   const cardo_estimate *together, double highest, double target,
                                   char *text, size_t size);

#endif
