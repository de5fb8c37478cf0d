/* The journal of preparation: what walkers did before the first round that counts.
 *
 * Preparation (a pulled walker, probes, equilibration) goes on in stages, and what comes after a stage
 * follows from the walkers as they are at its end. So it is enough to store them there: a preparation
 * that was cut short is gone through once more, and stages that the journal has are read instead of
 * run. */
#ifndef CARDO_SAMPLING_WALKERS_JOURNAL_H
#define CARDO_SAMPLING_WALKERS_JOURNAL_H

#include "sampling/walkers/crew.h"

/* A crew at the end of a stage, or of the last round of a stage that was cut short. */
typedef struct cardo_journal_stage {
    int n, capacity;
    double *values; /* (n) cardo_crew_save's */
} cardo_journal_stage;

/* Zero-initialise; cardo_journal_clear frees. */
typedef struct cardo_journal {
    int nstage, capacity;
    cardo_journal_stage *stage;
    int next;          /* stages gone through, of those that are there */
    const char *about; /* what goes on, for the listener; and rounds of it, done and in all */
    long long done, of;
} cardo_journal;

/* Who wants to know how preparation goes; NULL functions are not called. */
typedef struct cardo_sampling_listener {
    void *user;
    void (*note)(void *user, const char *line); /* what is chosen or begins; with its end of line */
    /* After each round: the study may be stored. A failure in any member ends preparation in all. */
    cardo_status (*round)(void *user, cardo_error *error);
    /* Steps of each walker in what goes on ("equilibration"), done and in all; told before its first round and after each.
     * Of a scan, points or integrals. */
    void (*progress)(void *user, const char *about, long long done, long long of);
} cardo_sampling_listener;

/* What the next stages are parts of, of so many rounds in all; about is kept as a pointer. */
void cardo_journal_begin(cardo_journal *journal, const char *about, long long rounds);

/* One stage: the crew, started, goes on until it has done so many rounds; read from the journal as far
 * as that has it. listener: NULL, nobody. A collective call; *end as cardo_crew_advance's. */
cardo_status cardo_journal_run(cardo_journal *journal, const cardo_sampling_listener *listener,
                               cardo_crew *crew, long long rounds,
                               const volatile sig_atomic_t *interrupt, cardo_end *end,
                               cardo_error *error);

/* The journal as plain numbers; restore fills an empty one, and numbers that are no journal's are
 * CARDO_ERROR_INPUT. */
size_t cardo_journal_value_count(const cardo_journal *journal);
void cardo_journal_save(const cardo_journal *journal, double *values);
cardo_status cardo_journal_restore(cardo_journal *journal, const double *values, size_t nvalue,
                                   cardo_error *error);
void cardo_journal_clear(cardo_journal *journal);

#endif
