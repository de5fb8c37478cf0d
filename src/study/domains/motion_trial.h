/* Whether a model makes its motion: its paths are followed there and back, and where they lead the conformation is
 * looked at. */
#ifndef CARDO_STUDY_DOMAINS_MOTION_TRIAL_H
#define CARDO_STUDY_DOMAINS_MOTION_TRIAL_H

#include "base/column.h"
#include "base/result.h"
#include "study/domains/led_torsions.h"
#include "study/session/bounds.h"
#include "study/session/course.h"

enum {
    CARDO_TRIAL_PLACES = 11,
    CARDO_TRIAL_TEXT = 640,
    CARDO_TRIAL_TERMS = 16,
    CARDO_TRIAL_LEAPING = 160,
    CARDO_TRIAL_BEFORE_TERMS = 3
};

/* kJ/mol, 40 kT: to a place that is higher above the least of the way heat does not lead. */
enum { CARDO_TRIAL_HIGH = 100 };

/* Every so many places all atoms are looked at, too (study/reference/reference.h). */
enum {
    CARDO_TRIAL_REFERENCE_EVERY = 2,
    CARDO_TRIAL_JUDGED = (CARDO_TRIAL_PLACES - 1) / CARDO_TRIAL_REFERENCE_EVERY + 1
};

/* On the way there (0) and back (1). */
typedef struct cardo_trial_place {
    double q;            /* of all paths                                                     */
    bool reached[2];     /* false: constraints or overlaps ended the way before                */
    double potential[2]; /* kJ/mol; NaN where nothing was minimized                            */
    double lower;        /* of both ways; NaN: none                                          */
    double term[CARDO_TRIAL_TERMS]; /* of the lower, kJ/mol                                   */
    double
        strain; /* beyond what all atoms ask, kJ/mol above its least; NaN: not looked at        */
    double all_atoms; /* their energy by themselves, kJ/mol; NaN likewise                         */
    int nbroken[2];   /* bounds (study/session/bounds.h)                                    */
    char worst[2][CARDO_BROKEN_BOUND_TEXT]; /* of them, or ""                                  */
} cardo_trial_place;

typedef struct cardo_motion_trial {
    bool minimized;
    bool
        for_ends; /* it has looked for the ends of the way, and says nothing of the places between */
    int coordinates; /* that are free while the paths are led                                */
    int torsions;    /* of these the torsions                                                */
    int turning;     /* residues that have one                                               */
    int nled;        /* torsions that go with a path, and are no coordinates of their own    */
    cardo_trial_place place[CARDO_TRIAL_PLACES];
    int nterm;
    char term[CARDO_TRIAL_TERMS][32]; /* names                                                */
    int first,
        last; /* of the places in a row where no bound is broken and the energy is not high; first > last: none */
    double least; /* of the lower energies, kJ/mol                                        */
    double rise; /* of the lower energies along the whole way, kJ/mol; NaN: nothing was minimized */
    double hysteresis; /* largest difference of both ways, kJ/mol                            */
    double
        work; /* around the cycle, kJ/mol (study/session/course.h); NaN: it was not closed      */
    char leaping
        [CARDO_TRIAL_LEAPING]; /* torsions that are elsewhere on the way back than on the way there, the farthest first, or ""   */
    double
        lost; /* at the last place, of wells in which the trial began: kJ/mol (study/session/course.h) */
    double force; /* the largest that is left where the cycle stopped, kJ/mol per rad or nm; */
    int unrested; /* and at how many of its stops, half ways too, which are no minima (study/session/course.h) */
    double left;     /* of the energy, back at the start: kJ/mol; NaN: it did not come back */
    double regained; /* of any atom there, from where it was, nm; NaN likewise */
    double
        strain; /* largest of all places, those between judged ones by the mean of what all atoms come to there, kJ/mol; NaN: all atoms were not looked at               */
    double reference_hysteresis; /* of all atoms, kJ/mol; NaN likewise                           */
    double seconds;              /* by the clock, of all but the reference                       */
    long long evaluations; /* of the energy                                                  */
    char ended[CARDO_TRIAL_TEXT]; /* what ended the way before its end, or ""                   */
    bool interrupted;
    bool knotted;     /* did atoms stand in one another, which ended a way? */
    bool held_singly; /* was each residue that turns held by itself? */
    int held_in_vain; /* of these: each broke a bound, or left a strand open                   */
    cardo_led_torsions
        led; /* those of the options and those that leaped, as they may be led; owned: cardo_motion_trial_clear */
    /* The places as a table that runs can begin from: number, fraction, energy, energies by term and coordinates, from the last to the first, so that the last row is where a run may
     * begin. Owned: cardo_motion_trial_clear. */
    int ncolumn, nrow;
    cardo_column *column; /* (ncolumn)        */
    double *row;          /* (nrow x ncolumn) */
    double *
        end; /* coordinates at the last place for another trial to begin with: in the wells that were lost, where some were (nq); NULL: it was not
                come to. Owned likewise */
} cardo_motion_trial;

typedef struct cardo_trial_options {
    bool
        minimize; /* at every place the energy comes to the minimum next to the one before; else all but the paths stands still, and there
                       is no way back to look at */
    int iterations;                             /* at most, a place */
    int cycles, cycle_iterations, heat, rounds; /* as of a course (study/session/course.h) */
    const struct cardo_shared_geometry *
        geometry; /* from which the model was made, and where it begins at the last structure; NULL: none */
    double
        farthest; /* nm, rms: where the model's atoms stay farther from the geometry's last end it does not stand */
    const cardo_led_torsions *led; /* that the model has; NULL: none */
    const double *
        end; /* coordinates at the last structure to begin with (nq), in the place of the geometry's; NULL: none */
    const cardo_motion_trial *
        against; /* judged, of a model that is hardly another one: cycles begin at the model's own start then, which saves a third of the trial; NULL: none */
    double
        most_strain; /* kJ/mol by what all atoms came to in that: a cycle on which it comes to twice as much is given up, and any way on which a place comes to four times that */
    double *
        motion; /* how far torsions of each residue's side chain move along the way, rad; -1: none turns (nresidue of the model's
                       reference); NULL: not asked for */
} cardo_trial_options;

/* Leads all paths of the model from 0 to 1 in equal steps and back. CARDO_ERROR_UNSUPPORTED: there is no path, or no list
 * of energy terms. Clear *trial also after a failure. */
cardo_status cardo_motion_trial_run(const char *model, const cardo_trial_options *options,
                                    const cardo_listener *listener, cardo_motion_trial *trial,
                                    cardo_error *error);

/* Looks at all atoms, too, where the trial has come to the end of the paths: strain, and by it how far the model is good. iterations: most of
 * all atoms at a place, each way. */
cardo_status cardo_motion_trial_judge(const char *model, int iterations,
                                      const cardo_listener *listener, cardo_motion_trial *trial,
                                      cardo_error *error);

/* The same by what all atoms came to in another trial of the same way, of a model that is hardly another one. */
void cardo_motion_trial_assume(cardo_motion_trial *trial, const cardo_motion_trial *judged);

/* Opens a model as trials do: provider rigid where that knows the force field, and none where nothing is
 * to be evaluated. The caller closes *out. */
cardo_status cardo_motion_trial_open(const char *model, bool evaluated,
                                     const cardo_listener *listener, cardo_session **out,
                                     cardo_error *error);

/* The places at which all atoms are looked at that a place lies between, itself twice where it is one, and how much the one after counts in a mean of both. */
typedef struct cardo_judged_sides {
    int before, after;
    double share;
} cardo_judged_sides;
cardo_judged_sides cardo_judged_sides_of(int place);

/* What all atoms come to at a place of a judged trial, kJ/mol: between two at which they were looked at the mean of both. */
double cardo_motion_trial_all_atoms(const cardo_motion_trial *trial, int place);

/* Coordinates at a place to which a trial came that has gone through (nq). Lent. */
const double *cardo_motion_trial_coordinates(const cardo_motion_trial *trial, int place);

void cardo_motion_trial_clear(cardo_motion_trial *trial);
/* Of one that was allocated, or NULL: clears and frees it. */
void cardo_motion_trial_destroy(cardo_motion_trial *trial);
/* One takes the other's place. */
void cardo_motion_trials_swap(cardo_motion_trial *one, cardo_motion_trial *other);

/* Does the cycle lose no more than a closed one may? Where minima were not reached, as where less than nothing is lost, that is not known, and it is not
 * closed. True where it was not gone at all. */
bool cardo_motion_trial_is_closed(const cardo_motion_trial *trial);
/* Has it lost, on its way from the last end and to it again, wells that lie lower? A closed cycle does not tell. */
bool cardo_motion_trial_has_lost(const cardo_motion_trial *trial);
/* Is strain known: do all atoms agree there and back? */
bool cardo_motion_trial_has_strain(const cardo_motion_trial *trial);
/* Is the energy of a place too high: by its strain, where that is known, else by how far it is above the least? */
bool cardo_motion_trial_is_high(const cardo_motion_trial *trial, int place);
/* Has it come to both ends? */
bool cardo_motion_trial_is_through(const cardo_motion_trial *trial);
/* Is it good from the first structure to the second? */
bool cardo_motion_trial_is_whole(const cardo_motion_trial *trial);
/* kJ/mol that it has lost: around the cycle, and at the last end before that. */
double cardo_motion_trial_loss(const cardo_motion_trial *trial);
/* Is it good at more places than the other; as good, but its cycle closed, or, where both are open, losing less by more than 10 kJ/mol; that too, but its strain
 * known; or lower (else its rise)? */
bool cardo_motion_trial_is_better(const cardo_motion_trial *trial, const cardo_motion_trial *than);
/* "good from q = 0 to 0.6, there and back; at q = 0.7 bond ..., and 3 more"; returns text. */
char *cardo_motion_trial_verdict(const cardo_motion_trial *trial, char text[CARDO_TRIAL_TEXT]);
/* A line of what it came to, for those who wait; of one that was minimized and not interrupted. */
void cardo_motion_trial_tell(const cardo_motion_trial *trial, const cardo_listener *listener);
/* Adds "trial": the verdict, the account, and a table of the places. */
void cardo_motion_trial_fill(const cardo_motion_trial *trial, cardo_result *into);

#endif
