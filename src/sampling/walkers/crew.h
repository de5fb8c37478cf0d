/* A crew: walkers that go on in rounds, spread over the members of a communicator.
 *
 * In a round every walker makes its steps by itself, wherever it lives; then the records are shared
 * and every member has the same numbers: what is made of them (exchanges, hills) every member makes
 * for itself, in the same order. So the results do not depend, to the bit, on the number of
 * members. */
#ifndef CARDO_SAMPLING_WALKERS_CREW_H
#define CARDO_SAMPLING_WALKERS_CREW_H

#include "base/communicator.h"
#include "sampling/walkers/walker.h"

typedef struct cardo_crew {
    const cardo_walk *walk; /* borrowed                                                       */
    cardo_communicator
        *communicator; /* borrowed                                                       */
    int nwalker;
    cardo_walker *walkers; /* (nwalker)                                                       */
    int nsnapshot;         /* numbers in a snapshot of one                                    */
    int record_size;       /* numbers in a record                                             */
    /* Records of nobody, before the walkers' own, so that the members that one crew leaves idle own
     * the next crew's walkers. */
    int lead;
    double *records; /* ((lead + nwalker) x record_size)                                      */
    long long round; /* rounds done                                                     */
} cardo_crew;

/* A crew whose walkers have number, walk and the walk's temperature, no bias and no simulation yet:
 * the caller sets bias (which the walker then owns), temperature and place of each. The walk's provider is
 * told how many cores are left for it beside the other members. Zero-initialise *crew; cardo_crew_clear also after a failure. */
cardo_status cardo_crew_create(const cardo_walk *walk, cardo_communicator *communicator,
                               int nwalker, cardo_crew *crew, cardo_error *error);
void cardo_crew_clear(cardo_crew *crew);

/* Starts every walker at its place; afterwards everyone's series hold one sample, that of the start. started (NULL: nobody) is
 * told how many of all have, by each member as far as it knows. A collective call, as the next ones. */
cardo_status cardo_crew_start(cardo_crew *crew, void (*started)(void *user, int done, int of),
                              void *user, cardo_error *error);
/* One round. An interrupt in any member ends it in all with CARDO_END_INTERRUPTED, the records as
 * they were before it; the crew cannot go on then. */
cardo_status cardo_crew_advance(cardo_crew *crew, const volatile sig_atomic_t *interrupt,
                                cardo_end *end, cardo_error *error);
/* The two halves of a round, for whoever moves several crews at a time. This member's walkers alone,
 * no collective call; *interrupted is set where an interrupt ended it. */
cardo_status cardo_crew_step(cardo_crew *crew, const volatile sig_atomic_t *interrupt,
                             bool *interrupted, cardo_error *error);
/* What all members' walkers have seen, where every member has stepped without failure or interrupt. */
cardo_status cardo_crew_join(cardo_crew *crew, cardo_error *error);
/* Walker k of a crew that has started becomes one of an earlier crew of the same walk, whose bias and temperature it has: where that stood, with its
 * samples. It rests, until cardo_crew_wake, while the others go on. A collective call. */
cardo_status cardo_crew_take(cardo_crew *crew, int k, const cardo_walker *earlier,
                             cardo_error *error);
void cardo_crew_wake(cardo_crew *crew);
/* Forgets all samples. */
void cardo_crew_forget(cardo_crew *crew);

/* All walkers as plain numbers: biases, records, series. restore makes the walkers' simulations, where
 * there are none yet, and places them where the records say; the crew was created with the same walk and number of walkers.
 * Numbers that do not fit are CARDO_ERROR_INPUT. */
size_t cardo_crew_value_count(const cardo_crew *crew);
void cardo_crew_save(const cardo_crew *crew, double *values);
cardo_status cardo_crew_restore(cardo_crew *crew, const double *values, size_t nvalue,
                                cardo_error *error);

#endif
