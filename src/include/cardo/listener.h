/* Whom the library tells what it meets, and who may stop it: a host's own functions. The library prints nothing. */
#ifndef CARDO_LISTENER_H
#define CARDO_LISTENER_H

#include <signal.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cardo_frame;
struct cardo_result;

typedef enum cardo_severity {
    CARDO_SAID_NOTE,   /* what was chosen or done: worth a line in a log                       */
    CARDO_SAID_REMARK, /* what reading a file has met that its user should know                */
    CARDO_SAID_WARNING /* what makes results doubtful                                          */
} cardo_severity;

/* What a message may advise. A host may know how its user does it. */
typedef enum cardo_advice {
    CARDO_ADVISE_OTHER_START, /* begin elsewhere, minimized first, or with another cut            */
    CARDO_ADVISE_HYDROGENS,   /* place the hydrogens of the structure file `subject` anew       */
    CARDO_ADVISE_GUESSES,     /* another energy (files: subject), or go on with guessed atoms   */
    CARDO_ADVISE_NO_PREPARATION, /* another energy (files: subject), or the structure as it is    */
    CARDO_ADVISE_START_AT,       /* begin with a coordinate at a value, subject: "hinge.1=0.5"    */
    CARDO_ADVISE_START_MINIMIZED /* begin where a minimization ends                               */
} cardo_advice;

/* Any function may be NULL. They are called by the thread that called the library, and must not call
 * back into the session that they hear of. */
typedef struct cardo_listener {
    size_t size; /* sizeof(cardo_listener): it may grow                                           */
    void *user;  /* handed to every function                                                      */

    /* One message; about: the option ("forcefield.provider"), file or thing that it is of; text: one or
     * more lines, the last without its end. Both are lent for the call. */
    void (*say)(void *user, cardo_severity severity, const char *about, const char *text);

    /* So many steps of what is being done are done; about: what that is, in words ("force table"); of: how many there
     * will be, 0: nobody knows. The last call has done = of. */
    void (*progress)(void *user, const char *about, long long done, long long of);

    /* A step of dynamics was made, and what it came to; lent for the call, and told before its progress. */
    void (*frame)(void *user, const struct cardo_frame *frame);

    /* How the host's user follows an advice, in words for the place of the library's own: written to
     * text as far as there is room. Subject: see cardo_advice, or NULL. */
    void (*advise)(void *user, cardo_advice advice, const char *subject, char *text, size_t size);

    /* Nonzero: what takes long ends at the next step, in good order. NULL: nothing stops it. */
    const volatile sig_atomic_t *stop;

    /* What is going to be done, when nothing but the work itself can fail any more: a group, lent for the call. */
    void (*begin)(void *user, const struct cardo_result *head);

    /* Each step that progress counts from here on is so much simulated time, ps. */
    void (*pace)(void *user, double time);

    /* A part of the result that is complete, of a study that makes many of them one after the other, such as the frames of
     * fit: a group, lent for the call. */
    void (*part)(void *user, const struct cardo_result *part);
} cardo_listener;

#ifdef __cplusplus
}
#endif

#endif
