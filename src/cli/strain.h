/* Strain of a model (forces/relax/strain.h) in words: at a start, along its paths, in the middle of a
 * run. All verbs warn and refuse by this. */
#ifndef CARDO_CLI_STRAIN_H
#define CARDO_CLI_STRAIN_H

#include "base/field.h"
#include "cli/setup.h"
#include "forces/relax/strain.h"
#include "io/results/json.h"

/* Whether what is impossible ends a study. */
enum { CARDO_STRAIN_REFUSED, CARDO_STRAIN_WARNED };
typedef struct cardo_strain_options {
    int strain;
} cardo_strain_options;

extern const cardo_field cardo_strain_fields[];

/* Looks where the state of a setup stands, time and again. */
typedef struct cardo_strain_view {
    const cardo_setup *setup;
    cardo_strain_search *search; /* NULL: the setup has no terms to look at */
    double *positions;           /* (natom x 3) */
} cardo_strain_view;

/* setup is borrowed. Clear *view also after a failure. */
cardo_status cardo_strain_view_open(const cardo_setup *setup, cardo_strain_view *view,
                                    cardo_error *error);
void cardo_strain_view_clear(cardo_strain_view *view);
/* state: of the setup's system, POSITION. Without terms *out is empty. */
cardo_status cardo_strain_view_look(cardo_strain_view *view, const cardo_state *state,
                                    cardo_strain *out, cardo_error *error);

/* The same once, where the setup's state stands. */
cardo_status cardo_setup_strain(const cardo_setup *setup, cardo_strain *out, cardo_error *error);

enum { CARDO_STRAINED_TEXT = 256, CARDO_STRAIN_TEXT = 4096 };

/* "contact A:TYR14 CZ - A:ALA164 CB 1.21 A (1.9e+06 kJ/mol)", "bond A:ALA66 C - A:LEU67 N 5.09 A
 * (1.34 at rest, 2.9e+05 kJ/mol)"; returns text. */
char *cardo_strained_text(const cardo_setup *setup, const cardo_strained *term,
                          char text[CARDO_STRAINED_TEXT]);

/* The worst that is impossible, in one line: "contact ..., and 3 more". Returns text. */
char *cardo_strain_worst_text(const cardo_setup *setup, const cardo_strain *strain,
                              char text[CARDO_STRAIN_TEXT]);

/* What a verdict rests on and what to do, lines with an indent; "" where nothing is strained. all:
 * also single rough terms inside bodies where nothing is hot. Returns text. */
char *cardo_strain_words(const cardo_setup *setup, const cardo_strain *strain, bool all,
                         char text[CARDO_STRAIN_TEXT]);

/* Tells on standard error what is strained or hot where the setup's state stands; where (such as "the
 * start") begins the sentence. refuse: what is impossible is CARDO_ERROR_INPUT instead. Single rough
 * terms inside bodies, which drive nothing, are left to cardo info. */
cardo_status cardo_strain_tell(const cardo_setup *setup, const char *where, bool refuse,
                               cardo_error *error);

/* The same without refusing, where it is another verdict than before. */
cardo_status cardo_strain_tell_change(const cardo_setup *setup, const char *where,
                                      const cardo_strain *before, cardo_error *error);

/* Verdict, sums and terms under "strain". */
void cardo_strain_json(const cardo_setup *setup, const cardo_strain *strain, cardo_json *json);

/* Along the model's paths, all other coordinates as they stand. */
enum { CARDO_STRAIN_PLACES_ALONG = 21 };
typedef struct cardo_strain_course {
    int n; /* 0: the model has no path, or no terms to look at */
    double fraction[CARDO_STRAIN_PLACES_ALONG]; /* of all paths, 0: first structure, 1: last */
    cardo_strain strain[CARDO_STRAIN_PLACES_ALONG];
} cardo_strain_course;

/* The setup's state is where it was, afterwards. */
cardo_status cardo_strain_along(const cardo_setup *setup, cardo_strain_course *course,
                                cardo_error *error);
/* "possible from q = 0 to 0.25; ..." in lines with an indent. Returns text. */
char *cardo_strain_course_words(const cardo_setup *setup, const cardo_strain_course *course,
                                char text[CARDO_STRAIN_TEXT]);

/* Of a model file that was written: its start, on standard error, and unless quiet its paths, on
 * standard output. Nothing where the force field does not cover it. */
cardo_status cardo_strain_tell_model(const cardo_command *command, const char *path, bool quiet,
                                     cardo_error *error);

#endif
