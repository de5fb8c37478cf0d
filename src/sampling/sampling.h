/* The study `sample`: walkers of one model along one variable, by a method, on a communicator.
 *
 * Opens no file and prints nothing: whoever runs it asks for a round at a time and may store all
 * that the study is between any two, as plain numbers. */
#ifndef CARDO_SAMPLING_SAMPLING_H
#define CARDO_SAMPLING_SAMPLING_H

#include "base/field.h"
#include "sampling/walkers/crew.h"
#include "sampling/walkers/journal.h"

enum { CARDO_MOST_REPLICAS = 16 };

/* Options that all methods share. */
typedef struct cardo_sampling_options {
    double from, to;         /* of the variable, in its unit                                      */
    long long equilibration; /* steps of every walker that do not count                           */
    int round;               /* steps between exchanges, hills and the like                       */
    int interval;            /* steps between samples                                             */
    long long pull;          /* steps of a walker led over the range beforehand; 0: none          */
    double highest_start;    /* kJ/mol: no walker begins this far above the lowest one            */
    int replicas; /* of the whole study, from different starts (sampling/study/replicas.h)   */
} cardo_sampling_options;

extern const cardo_field cardo_sampling_fields[];

typedef struct cardo_sampling cardo_sampling;
typedef struct cardo_sampling_method cardo_sampling_method;

/* What a study is made of. All is borrowed and outlives it, but for the option structs, which are
 * copied. */
typedef struct cardo_sampling_plan {
    const cardo_system *system;
    const cardo_state *start; /* POSITION                                                   */
    /* Where replicas of odd number begin, if it is possible there: another structure's place. NULL: at start. */
    const cardo_state *other_start;
    cardo_force_provider *provider; /* NULL: no forces                                            */
    const cardo_variable *variable;
    const cardo_integrator *integrator; /* one with a thermostat                                  */
    const void *integrator_options;     /* NULL: defaults                                         */
    const cardo_simulation_options
        *simulation; /* steps: of each walker, after equilibration       */
    const cardo_sampling_method *method;
    const void *method_options; /* NULL: defaults                                                 */
    const cardo_sampling_options *options;
    cardo_communicator
        *communicator; /* whose members share the walkers; NULL: this process alone  */
    const cardo_sampling_listener *listener; /* NULL: nobody                                      */
    /* Says in words what is strained where the variable has a value and all else stands as at the
     * start; "" where nothing is. NULL: nobody knows. Every member says the same. */
    void (*describe_strain)(void *user, double place, char *text, size_t size);
    /* Says how its user begins elsewhere: with a coordinate at a value, "hinge.1=0.5", or, NULL, where a minimization
     * ends; in place of what text has already. NULL: that stays. */
    void (*advise_start)(void *user, const char *coordinate, char *text, size_t size);
    void *words_user;
} cardo_sampling_plan;

/* All methods, NULL-terminated, and the one called name or NULL. */
extern const cardo_sampling_method *const cardo_sampling_methods[];
const cardo_sampling_method *cardo_sampling_method_find(const char *name);
const char *cardo_sampling_method_name(const cardo_sampling_method *method);
const char *cardo_sampling_method_doc(const cardo_sampling_method *method);
/* The method's own options, and the size of their struct. */
const cardo_field *cardo_sampling_method_fields(const cardo_sampling_method *method);
size_t cardo_sampling_method_options_size(const cardo_sampling_method *method);

/* Checks the options against each other, the variable and where the model begins, before anything is
 * computed: forces are not needed. CARDO_ERROR_INPUT with what to write instead. */
cardo_status cardo_sampling_check(const cardo_sampling_plan *plan, cardo_error *error);
/* Checks likewise. The caller owns *out. Everything from here on is called by every member alike,
 * and an end is put to it as base/communicator.h has it. */
cardo_status cardo_sampling_create(const cardo_sampling_plan *plan, cardo_sampling **out,
                                   cardo_error *error);
void cardo_sampling_destroy(cardo_sampling *sampling);

/* Replica `number` of `replicas`, with random numbers of its own; an odd one begins at the other end of
 * the range. first: replica 0, prepared before this one is and outliving it. */
cardo_status cardo_sampling_create_replica(const cardo_sampling_plan *plan, int number,
                                           int replicas, const cardo_sampling *first,
                                           cardo_sampling **out, cardo_error *error);

/* Makes the walkers: the method looks at the landscape, chooses, equilibrates, and refuses what
 * cannot succeed with CARDO_ERROR_INPUT that says what to change. *end: CARDO_END_INTERRUPTED where
 * it was cut short, nothing done. */
cardo_status cardo_sampling_prepare(cardo_sampling *sampling,
                                    const volatile sig_atomic_t *interrupt, cardo_end *end,
                                    cardo_error *error);
/* One round of all walkers and what the method makes of it. */
cardo_status cardo_sampling_advance(cardo_sampling *sampling,
                                    const volatile sig_atomic_t *interrupt, cardo_end *end,
                                    cardo_error *error);
/* The second half of a round, where the walkers have made their steps: what the method makes of it. */
cardo_status cardo_sampling_finish_round(cardo_sampling *sampling, cardo_error *error);
/* Rounds that count so far, and in all. */
long long cardo_sampling_round(const cardo_sampling *sampling);
long long cardo_sampling_rounds(const cardo_sampling *sampling);

/* Whether it is prepared, by itself or restored. */
bool cardo_sampling_is_prepared(const cardo_sampling *sampling);

/* The study between two rounds as plain numbers, also while it is being prepared. What was prepared
 * when it was saved is so after restore; what was not goes on from there with cardo_sampling_prepare. */
size_t cardo_sampling_value_count(const cardo_sampling *sampling);
void cardo_sampling_save(const cardo_sampling *sampling, double *values);
cardo_status cardo_sampling_restore(cardo_sampling *sampling, const double *values, size_t nvalue,
                                    cardo_error *error);

/* The walkers; valid after prepare or restore. Borrowed. */
const cardo_crew *cardo_sampling_crew(const cardo_sampling *sampling);
const cardo_sampling_plan *cardo_sampling_get_plan(const cardo_sampling *sampling);
/* The bias under which each sample of the last round was drawn, kJ/mol, walker by walker
 * (options.round / options.interval each); borrowed. Of use after cardo_sampling_advance. */
const double *cardo_sampling_felt(const cardo_sampling *sampling);
/* How it went so far: a few lines for people, each with its end of line. */
void cardo_sampling_report(const cardo_sampling *sampling, char *text, size_t size);

#endif
