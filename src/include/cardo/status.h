/* Status codes and the error record: how every fallible function of Cardo reports.
 *
 * A function that can fail returns a cardo_status and takes a cardo_error as its last argument. On
 * failure the record says what happened, where (file, line, residue, value) and what to do about
 * it; the library prints nothing. The record may be NULL when only the code matters. */
#ifndef CARDO_STATUS_H
#define CARDO_STATUS_H

#include <cardo/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cardo_status {
    CARDO_OK = 0,            /* success */
    CARDO_RECOVERABLE,       /* this configuration cannot be evaluated, a nearby one can */
    CARDO_ERROR_INPUT,       /* the input is wrong */
    CARDO_ERROR_USAGE,       /* the command line is wrong */
    CARDO_ERROR_FILE,        /* a file cannot be read or written */
    CARDO_ERROR_MEMORY,      /* out of memory */
    CARDO_ERROR_ARGUMENT,    /* a function was called with an argument outside its contract */
    CARDO_ERROR_STAGE,       /* a quantity was asked for above the realized stage */
    CARDO_ERROR_SINGULAR,    /* a mass matrix or mobilizer is singular here */
    CARDO_ERROR_NUMERICAL,   /* the numbers went wrong: not finite, or no convergence */
    CARDO_ERROR_PROVIDER,    /* the force provider failed */
    CARDO_ERROR_UNSUPPORTED, /* this is not supported */
    CARDO_ERROR_INTERRUPTED, /* interrupted */
    CARDO_ERROR_LOST         /* a process that took part has ended before its time */
} cardo_status;

enum { CARDO_ERROR_MESSAGE_SIZE = 2048 };

/* What went wrong. Plain data owned by the caller; no function frees anything in it. */
typedef struct cardo_error {
    cardo_status code;
    char message[CARDO_ERROR_MESSAGE_SIZE]; /* one or more lines, no full stop at the end */
    const char *source_file; /* where in Cardo it was raised: for bug reports       */
    int source_line;
} cardo_error;

/* The words that belong to a status code; never NULL. */
CARDO_API const char *cardo_status_text(cardo_status status);

/* For a host's own functions that the library calls. Records a failure and returns its code; use through CARDO_FAIL.
 * error may be NULL. The format is printf's, numbers as in locale "C"; messages longer than the record are cut. */
CARDO_API cardo_status cardo_fail(cardo_error *error, cardo_status code, const char *source_file,
                                  int source_line, const char *format, ...) CARDO_LIKE_PRINTF(5, 6);

/* Puts words in front of the message of a failure passed on from below ("model.xml:12: ") and
 * returns the record's code. Use it to add the place that only the caller knows. */
CARDO_API cardo_status cardo_error_prefix(cardo_error *error, const char *format, ...)
    CARDO_LIKE_PRINTF(2, 3);

/* return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: ...", file, line); */
#define CARDO_FAIL(error, code, ...) cardo_fail((error), (code), __FILE__, __LINE__, __VA_ARGS__)

/* Inside a function with `cardo_status status` and a label `done`: leave on failure. */
#define CARDO_TRY(call)                                                                            \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != CARDO_OK)                                                                    \
            goto done;                                                                             \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
