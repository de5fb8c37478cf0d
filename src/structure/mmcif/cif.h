/* CIF 1.1 as a stream of tokens (Hall, Allen and Brown 1991;
 * iucr.org/resources/cif/spec/version1.1). */
#ifndef CARDO_STRUCTURE_MMCIF_CIF_H
#define CARDO_STRUCTURE_MMCIF_CIF_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cardo_cif_kind {
    CARDO_CIF_END,
    CARDO_CIF_DATA,  /* data_NAME: text is the name                         */
    CARDO_CIF_LOOP,  /* loop_                                               */
    CARDO_CIF_FRAME, /* save_, save_NAME, global_ or stop_: not used here   */
    CARDO_CIF_TAG,   /* _name, with the underscore                          */
    CARDO_CIF_VALUE, /* without quotes or semicolons                        */
    CARDO_CIF_BROKEN /* a quote or text field without end: text says which  */
} cardo_cif_kind;

/* A piece of the text that is being walked: not NUL-terminated. */
typedef struct cardo_cif_token {
    cardo_cif_kind kind;
    const char *text;
    size_t length;
    int line;    /* where it starts, from 1                                 */
    bool quoted; /* so that '.' and '?' are themselves and not "no value"   */
} cardo_cif_token;

typedef struct cardo_cif_lexer {
    const char *start, *next, *end;
    int line;
} cardo_cif_lexer;

/* Starts at the beginning of a text, after a byte-order mark. */
cardo_cif_lexer cardo_cif_begin(const char *text, size_t length);

/* The next token; after the end, or a broken one, always CARDO_CIF_END. */
cardo_cif_token cardo_cif_next(cardo_cif_lexer *lexer);

/* True for a value that stands for "unknown" or "not applicable": ? or . without quotes. */
bool cardo_cif_is_null(const cardo_cif_token *token);

#endif
