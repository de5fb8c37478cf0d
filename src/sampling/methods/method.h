/* Methods of sampling: each a const descriptor in a file of its own, listed in methods.c. */
#ifndef CARDO_SAMPLING_METHODS_METHOD_H
#define CARDO_SAMPLING_METHODS_METHOD_H

#include "base/random.h"
#include "sampling/methods/estimate.h"
#include "sampling/methods/fold.h"
#include "sampling/sampling.h"

enum { CARDO_MOST_METHOD_OPTIONS = 2048 };

/* Streams of random numbers: every walker has a replica's of its own, and so have those of a first
 * look and those of another replica of the study. */
enum { CARDO_REPLICA_STREAMS = 100000 };

/* The study as a method sees it. */
struct cardo_sampling {
    cardo_sampling_plan
        plan; /* its option structs are the copies below                           */
    cardo_sampling_options options;
    union {
        max_align_t align;
        char bytes[CARDO_MOST_METHOD_OPTIONS];
    } method_options;
    cardo_walk walk; /* of the method's walkers; it may set the gather function                   */
    cardo_way
        way; /* of a pulled walker, where there is one: walk.way then points here             */
    cardo_slow
        slow; /* recorded with each sample of the crew: walk.slow then points here           */
    cardo_fold fold; /* of the variable, looked for by prepare and restore                       */
    cardo_crew crew;
    int nkeep; /* numbers that the method keeps from round to round                             */
    double
        *keep; /* the method's (nkeep), saved                                                   */
    double
        *felt; /* bias of each sample of the last round   (walkers x samples of a round)          */
    long long round,
        rounds;    /* that count: done, and in all                                       */
    void *working; /* the method's own memory while the study is open, made by open             */
    /* Which replica of the study this is (sampling/study/replicas.h), and replica 0 where it is a later
     * one: what that has chosen (windows, widths) holds for all. */
    int number;
    const cardo_sampling *first;
    cardo_state *other; /* of an odd one: the plan's other start in the range, or NULL            */
    cardo_state
        *start;      /* of a system with constraints: the plan's start, brought onto them       */
    int inner, base; /* freedoms: those of a free base left aside, and these                    */
    bool prepared;
    cardo_journal journal; /* of preparation, until it is done                                  */
};

struct cardo_sampling_method {
    const char *name;
    const char *doc;      /* one line                                                            */
    const char *citation; /* where the method comes from                                         */
    const cardo_field
        *fields; /* its own options                                                   */
    size_t options_size;
    bool stands; /* its walkers make no steps: none is pulled beforehand, none leaves a series   */
    /* Numbers that it keeps between rounds for so many walkers; NULL: none. */
    int (*keep_count)(const cardo_sampling *sampling, int nwalker);
    /* Sets what walkers gather in walk; called before prepare and before restore. NULL: nothing. */
    cardo_status (*open)(cardo_sampling *sampling, cardo_error *error);
    /* Makes the crew, equilibrated, with biases in place and no samples. */
    cardo_status (*prepare)(cardo_sampling *sampling, const volatile sig_atomic_t *interrupt,
                            cardo_end *end, cardo_error *error);
    /* A round that counts, in place of the walkers' steps; *end as in cardo_sampling_advance. NULL:
     * walkers walk. */
    cardo_status (*advance)(cardo_sampling *sampling, const volatile sig_atomic_t *interrupt,
                            cardo_end *end, cardo_error *error);
    /* After every round that counts: exchanges, hills. All records are there; every member does the
     * same. A walker whose record or bias is changed gets moved = true. NULL: nothing. */
    cardo_status (*merge)(cardo_sampling *sampling, cardo_error *error);
    /* Fills the estimate's profile and what else it has: bins, xi, kT and the basins' ends are there.
     * One process may do it alone. */
    cardo_status (*estimate)(const cardo_sampling *sampling, const cardo_estimate_request *request,
                             cardo_estimate *estimate, cardo_error *error);
    /* How often walkers that travel went from one end of the range to the other so far, all together;
     * -1: they do not travel. NULL: they never do. */
    int (*passages)(const cardo_sampling *sampling);
    /* Whether each walker goes over the whole range by itself. NULL: each has a place of its own. */
    bool (*roam)(const cardo_sampling *sampling);
    /* Frees sampling->working. NULL: nothing. */
    void (*close)(cardo_sampling *sampling);
    /* How it went so far, lines for people. NULL: nothing to say. */
    void (*report)(const cardo_sampling *sampling, char *text, size_t size);
};

extern const cardo_sampling_method cardo_sampling_umbrella, cardo_sampling_metadynamics,
    cardo_sampling_adaptive_force, cardo_sampling_scan;

/* Their options, for the help. */
extern const cardo_field cardo_umbrella_fields[], cardo_metadynamics_fields[],
    cardo_adaptive_force_fields[], cardo_scan_fields[];

/* What methods are given (context.c). Samples of a walker in a round: */
static inline int cardo_sampling_round_samples(const cardo_sampling *sampling)
{
    return sampling->options.round / sampling->options.interval;
}

/* Makes sampling->crew with so many walkers, and keep, in place of those that are there. */
cardo_status cardo_sampling_make_crew(cardo_sampling *sampling, int nwalker, cardo_error *error);
/* Starts the crew, and refuses starts above highest-start. */
cardo_status cardo_sampling_start_crew(cardo_sampling *sampling, cardo_crew *crew,
                                       cardo_error *error);
/* Runs the rounds of equilibration of those walkers of a started crew that do not rest. */
cardo_status cardo_sampling_equilibrate_started(cardo_sampling *sampling, cardo_crew *crew,
                                                const char *about, long long steps,
                                                const volatile sig_atomic_t *interrupt,
                                                cardo_end *end, cardo_error *error);
/* Both. The series
 * then hold equilibration alone, for whoever looks at it before cardo_crew_forget. about: what it is to be
 * called where its progress is told. */
cardo_status cardo_sampling_equilibrate(cardo_sampling *sampling, cardo_crew *crew,
                                        const char *about, long long steps,
                                        const volatile sig_atomic_t *interrupt, cardo_end *end,
                                        cardo_error *error);
/* Goes on with equilibration until it has so many steps in all. */
cardo_status cardo_sampling_equilibrate_to(cardo_sampling *sampling, cardo_crew *crew,
                                           const char *about, long long steps,
                                           const volatile sig_atomic_t *interrupt, cardo_end *end,
                                           cardo_error *error);
/* Tells the listener a line, what the method chose or begins. */
void cardo_sampling_note(const cardo_sampling *sampling, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Freedoms of the model at the start, those of a free base, whose speeds come first, left aside: above 1, more than the variable
 * varies. A base that constraints tie to ground is not free. */
int cardo_sampling_inner_freedoms(const cardo_sampling *sampling);
/* Those of the free base: 6 or none. */
int cardo_sampling_base_freedoms(const cardo_sampling *sampling);
/* Uniform number k (below 2^20) in (0, 1) of this round, for merging: the same in every member. */
double cardo_sampling_draw(const cardo_sampling *sampling, int k);

#endif
