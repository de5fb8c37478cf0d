/* The nearest minimum of a model's energy in its coordinates: the options of study "minimize". */
#ifndef CARDO_STUDY_MINIMIZE_OPTIONS_H
#define CARDO_STUDY_MINIMIZE_OPTIONS_H

#include "base/field.h"
#include "base/writer.h"
#include "dynamics/minimization.h"
#include "study/session/strain.h"

enum { CARDO_SOFT_AUTO, CARDO_SOFT_YES, CARDO_SOFT_NO };

typedef struct cardo_overlap_options {
    int soft_start;      /* auto, yes, no                                                         */
    double clash_energy; /* kJ/mol                                                                */
} cardo_overlap_options;

extern const cardo_field cardo_overlap_fields[];

/* Who looks on, and keeps what it sees; functions may be NULL. */
typedef struct cardo_minimize_observer {
    void *user;
    /* The strain where it starts. */
    void (*start)(void *user, const cardo_strain *strain);
    /* After a stage of a soft start, from 1, with this softness and weight of the bonded energies. */
    void (*stage)(void *user, int stage, double softness, double bonded,
                  const cardo_minimization_result *result);
    /* After every iteration; stage 0: of the true energy. */
    cardo_status (*frame)(void *user, int stage, const cardo_minimization_frame *frame,
                          cardo_error *error);
} cardo_minimize_observer;

/* The session's state is at the minimum afterwards; who said stop has the result of what was reached, in which
 * "interrupted" is true. */
typedef struct cardo_minimize_options {
    cardo_minimization_options minimization;
    cardo_overlap_options overlaps;
    const cardo_minimize_observer *observer; /* NULL: nobody                                     */
    const cardo_writer *writer;              /* NULL: no files                                   */
} cardo_minimize_options;

#endif
