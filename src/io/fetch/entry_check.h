/* Is a text that came from a server the entry that was asked for, and the whole of it? */
#ifndef CARDO_IO_FETCH_ENTRY_CHECK_H
#define CARDO_IO_FETCH_ENTRY_CHECK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* A text in the format that was asked for (it begins as such a file does). */
typedef struct cardo_entry_text {
    const char *text;
    size_t length;
    const char *source; /* for messages: its address or path                                */
    bool pdb;           /* mmCIF otherwise                                                  */
    bool length_known;  /* the server said how long it is, or it was packed with its length */
} cardo_entry_text;

/* CARDO_ERROR_INPUT where the file says that it is another entry than id: by _entry.id, or else the name
 * of the data block where that is an id, or the id in columns 63-66 of HEADER. Short and extended ids of
 * one entry are alike. *confirmed is false where the file says nothing. */
cardo_status cardo_entry_check_id(const cardo_entry_text *entry, const char *id, bool *confirmed,
                                  cardo_error *error);

/* CARDO_ERROR_FILE where the end is missing: that of a PDB file is END; a mmCIF file whose categories end
 * with a line '#', as all of the archive's do, ends with one; any other has a known length and a last line
 * that ends. (That the last row of a loop is complete, its reader sees.) */
cardo_status cardo_entry_check_end(const cardo_entry_text *entry, cardo_error *error);

#endif
