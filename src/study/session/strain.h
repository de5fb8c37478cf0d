/* Strain of a model (forces/relax/strain.h) in words: at a start, along its paths, in the middle of a
 * run. All verbs warn and refuse by this. */
#ifndef CARDO_STUDY_SESSION_STRAIN_H
#define CARDO_STUDY_SESSION_STRAIN_H

#include "base/field.h"
#include "forces/relax/strain.h"
#include "study/session/session.h"

/* Whether what is impossible ends a study. */
enum { CARDO_STRAIN_REFUSED, CARDO_STRAIN_WARNED };
typedef struct cardo_strain_options {
    int strain;
} cardo_strain_options;

extern const cardo_field cardo_strain_fields[];

/* Looks where the state of a session stands, time and again. */
typedef struct cardo_strain_view {
    const cardo_session *session;
    cardo_strain_search *search; /* NULL: the session has no terms to look at */
    double *positions;           /* (natom x 3) */
} cardo_strain_view;

/* session is borrowed. Clear *view also after a failure. */
cardo_status cardo_strain_view_open(const cardo_session *session, cardo_strain_view *view,
                                    cardo_error *error);
void cardo_strain_view_clear(cardo_strain_view *view);
/* state: of the session's system, POSITION. Without terms *out is empty. */
cardo_status cardo_strain_view_look(cardo_strain_view *view, const cardo_state *state,
                                    cardo_strain *out, cardo_error *error);

/* The same once, where the session's state stands, and at another state of its system (POSITION). */
cardo_status cardo_session_strain(const cardo_session *session, cardo_strain *out,
                                  cardo_error *error);
cardo_status cardo_session_strain_at(const cardo_session *session, const cardo_state *state,
                                     cardo_strain *out, cardo_error *error);

enum { CARDO_STRAINED_TEXT = 256, CARDO_STRAIN_TEXT = 4096 };

/* "contact A:TYR14 CZ - A:ALA164 CB 1.21 A (1.9e+06 kJ/mol)", "bond A:ALA66 C - A:LEU67 N 5.09 A
 * (1.34 at rest, 2.9e+05 kJ/mol)"; returns text. */
char *cardo_strained_text(const cardo_session *session, const cardo_strained *term,
                          char text[CARDO_STRAINED_TEXT]);

/* The worst that is impossible, in one line: "contact ..., and 3 more". Returns text. */
char *cardo_strain_worst_text(const cardo_session *session, const cardo_strain *strain,
                              char text[CARDO_STRAIN_TEXT]);

/* What a verdict rests on and what to do, as the session's listener advises it or in words of our own: lines with an
 * indent; "" where nothing is strained. all: also single rough terms inside bodies where nothing is hot. Returns
 * text. */
char *cardo_strain_words(const cardo_session *session, const cardo_strain *strain, bool all,
                         char text[CARDO_STRAIN_TEXT]);

/* Warns the listener, about "strain", of what is strained or hot where the session's state stands; where (such as "the
 * start") begins the sentence. refuse: what is impossible is CARDO_ERROR_INPUT instead. Single rough
 * terms inside bodies, which drive nothing, are left to who asks for all. */
cardo_status cardo_strain_tell(const cardo_session *session, const char *where, bool refuse,
                               cardo_error *error);

/* The same without refusing, where it is another verdict than before. */
cardo_status cardo_strain_tell_change(const cardo_session *session, const char *where,
                                      const cardo_strain *before, cardo_error *error);

/* "none", "rough inside bodies", "hot inside bodies", "strained", "impossible". */
const char *cardo_strain_verdict_word(cardo_strain_verdict verdict);

/* Along the model's paths, all other coordinates as they stand, or as constraints move them. */
enum { CARDO_STRAIN_PLACES_ALONG = 21 };
typedef struct cardo_strain_course {
    int n;     /* 0: the model has no path, or no terms to look at */
    bool ends; /* where the constraints let the paths go no farther */
    double fraction[CARDO_STRAIN_PLACES_ALONG]; /* of all paths, 0: first structure, 1: last */
    cardo_strain strain[CARDO_STRAIN_PLACES_ALONG];
} cardo_strain_course;

/* The session's state is where it was, afterwards. */
cardo_status cardo_strain_along(const cardo_session *session, cardo_strain_course *course,
                                cardo_error *error);
/* "possible from q = 0 to 0.25; ..." in lines with an indent. Returns text. */
char *cardo_strain_course_words(const cardo_session *session, const cardo_strain_course *course,
                                char text[CARDO_STRAIN_TEXT]);

#endif
