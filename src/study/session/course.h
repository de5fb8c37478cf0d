/* The way that a model's paths lead, from the first structure to the last: on the manifold of its constraints, with all else standing
 * still or at the minimum of the energy, there or there and back. */
#ifndef CARDO_STUDY_SESSION_COURSE_H
#define CARDO_STUDY_SESSION_COURSE_H

#include "dynamics/minimization.h"
#include "study/session/session.h"

/* At a place of the way; state: the session's, at POSITION. */
typedef cardo_status (*cardo_course_visitor)(void *context, int place, cardo_error *error);

/* Leads all paths together through n places (0: first structure, 1: last) and visits each. All else stands still, or, where there
 * are constraints, moves as little as they let it, in steps of at most 0.05 of the way. *reached: how many places there were before constraints
 * let the paths go no farther; 0 for a model without paths. The session's state is where it was, afterwards. */
cardo_status cardo_session_course(const cardo_session *session, int n, const double *fraction,
                                  cardo_course_visitor visit, void *context, int *reached,
                                  cardo_error *error);

/* Has the model paths? */
bool cardo_session_has_course(const cardo_session *session);

/* nm: the start is regained where no station is farther away. */
#define CARDO_COURSE_REGAINED 0.005
/* kJ/mol: a cycle whose ways differ by no more, and that takes no more, comes to where it was; so does a last end that is no higher than where the cycles came
 * from. */
enum { CARDO_COURSE_CLOSED = 10 };

/* kJ/mol per rad or nm: where more is left a stop is no minimum. Ten times what trials ask minimizations for. */
enum { CARDO_COURSE_RESTED = 10 };

enum { CARDO_COURSE_THERE, CARDO_COURSE_BACK, CARDO_COURSE_WAYS, CARDO_COURSE_TEXT = 640 };

/* A place that was come to: the session's state stands there, minimized. */
typedef struct cardo_course_stop {
    int place, way;
    int cycle; /* from 1 on; 0: on the ways before */
    const cardo_minimization_result *rest;
} cardo_course_stop;
/* What is CARDO_RECOVERABLE ends the course there, with the error's message as what ended it; CARDO_ERROR_NUMERICAL that way alone, from where it is gone back. */
typedef cardo_status (*cardo_course_observer)(void *context, const cardo_course_stop *stop,
                                              cardo_error *error);

typedef struct cardo_course_options {
    int iterations; /* most at a place, each way; five times as many at the first one, as deposited structures come from farther */
    int cycle_iterations; /* most where a cycle stops and forces are left; with no more than `iterations` none is minimized on */
    double tolerance;     /* of generalized forces (cardo_minimization_options)           */
    const double *
        end; /* coordinates at the end of the way to begin with (nq), from where it is gone back and there again; NULL: it is found by
                going there */
    int cycles; /* from the first place there and back again, most, until both ways are less than 10 kJ/mol apart, a cycle takes less, and the first
                   place is regained, or it takes more than nine tenths of the one before; the last counts. 0: none, the ways that were gone count */
    bool
        at_start; /* cycles, of which there are some, begin where the session stands: nothing is heated or gone before, and what is lost is not known */
    int heat; /* steps of 8 fs at 300 K at the end of the way, then back, and as many at its begin; the way back counts alone where no cycles follow. 0: none */
    int rounds; /* of annealing with so much heat, each time (dynamics/annealing.h); 0: heat alone */
    cardo_course_observer observe; /* NULL: none */
    void *context;
} cardo_course_options;

/* Where a way there and back has come to; lower: the lower of both ways, place by place. */
typedef struct cardo_course {
    int nplace, nq, nterm;
    double *q; /* fraction of all paths, 0: first structure, 1: last (nplace) */
    double *energy
        [CARDO_COURSE_WAYS]; /* kJ/mol; NaN: not reached, or nothing to come back with (nplace) */
    double *way[CARDO_COURSE_WAYS]; /* coordinates of either way (nplace x nq)             */
    double *motive
        [CARDO_COURSE_WAYS]; /* the force that leads the paths, kJ/mol for all of the way (nplace) */
    double *half_energy[CARDO_COURSE_WAYS], *half_way[CARDO_COURSE_WAYS],
        *half_motive
            [CARDO_COURSE_WAYS]; /* the same half way from each place to the next, at rest; NaN: not stopped at (nplace - 1, x nq) */
    double *lower;       /* (nplace)                                                */
    double *coordinates; /* of the lower (nplace x nq)                              */
    double *term;        /* of the lower, by term, kJ/mol (nplace x nterm)          */
    double *begun_energy,
        *begun; /* of the way back that cycles came after, as energy and way; NaN: none (nplace, x nq) */
    double
        lost; /* by the cycles at the last place, of wells in which that way back began: kJ/mol, 0 where none is or it is not known. A cycle
                    that is closed may have lost them before it began */
    double hysteresis; /* largest difference between the way there and the way back, kJ/mol    */
    double
        work; /* of the motive forces around the last cycle, by the trapezoidal rule over the places and half ways, kJ/mol: what leaps from
                    well to well lose; NaN: it was not gone both ways to the end */
    double
        regained; /* of any station at the first place, on the way back from where it was on the way there, laid on it, nm; NaN: not gone both
                        ways */
    double
        force; /* the largest generalized force that is left where the way stopped, half ways too, kJ/mol per rad or nm */
    int unrested; /* such stops that are no minima */
    int freedoms; /* that are minimized; 0: the model is rigid but for its paths          */
    int reached;  /* places, from the first on                                            */
    long long evaluations;
    char ended[CARDO_COURSE_TEXT]; /* what ended the way before its end, or "" */
    bool interrupted;              /* by the listener's stop                                     */
} cardo_course;

/* Puts the first coordinate of every path at n evenly spaced fractions, 0 to 1 and, where there are other freedoms, back from the last that
 * was reached, each time with the energy minimized in these from where the place before has left them. A minimization keeps every side chain
 * in the well it began in; some heat, or annealing, where the way turns takes it out of these. Where constraints or the energy
 * let it go no farther the way ends. The session, which needs an evaluator, is afterwards as it was, less a table of forces. No path
 * is CARDO_ERROR_INPUT. Progress goes to the session's listener. Zero-initialise *out; clear it also after a failure. */
cardo_status cardo_session_cool_course(cardo_session *session, int n,
                                       const cardo_course_options *options, cardo_course *out,
                                       cardo_error *error);
void cardo_course_clear(cardo_course *course);

#endif
