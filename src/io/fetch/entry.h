/* Entries of the Protein Data Bank: their ids, their addresses, and getting them. */
#ifndef CARDO_IO_FETCH_ENTRY_H
#define CARDO_IO_FETCH_ENTRY_H

#include "cardo/fetch.h"
#include "io/fetch/download.h"
#include "structure/atoms/structure.h"

#include <stdbool.h>

/* The RCSB's download folder. */
extern const char cardo_entry_archive[];

/* Where to look for an entry, the first guess at attempt 0; *url is NULL when there are no more.
 * place is an address with {id} (2lao), {ID} (2LAO), {middle} (la, as archives divide their
 * folders) and {format} (cif or pdb) in it, or a folder, in which the entry is looked for
 * compressed and plain, under its id in capital and in small letters. Extended ids are in small
 * letters everywhere. Unknown words in braces and what is not http or https are
 * CARDO_ERROR_USAGE. The caller owns *url. */
cardo_status cardo_entry_url(const char *place, const char *id, const char *format, int attempt,
                             char **url, cardo_error *error);

/* What to get and where to put it. */
typedef struct cardo_entry_request {
    const char *id;
    const char *format; /* "cif" or "pdb"                                    */
    const char *place;  /* as above; NULL is cardo_entry_archive             */
    const char *folder; /* made when it is not there; NULL is this one       */
    bool overwrite;
    int most_bytes; /* of the unpacked file; at most INT_MAX / 2             */
} cardo_entry_request;

/* What came. Zero-initialise. */
typedef struct cardo_entry {
    char *path;     /* FOLDER/ID.FORMAT, the id as the request writes it */
    char *url;      /* from where it came; NULL: it was there            */
    int nbyte;      /* of the file                                       */
    bool confirmed; /* the file says that it is this entry; false: it says nothing      */
    bool was_there; /* this whole entry, in a file of this name: no server was asked    */
    cardo_structure *structure;
} cardo_entry;

void cardo_entry_destroy(cardo_entry *entry);

/* Gets one entry and writes it, unpacked, as a whole file or not at all: only what reads as a
 * structure in the format that was asked for, to its end, and does not say that it is another entry is
 * kept. A file that is there already stays: fine where it is this entry, whole, an error otherwise. An unknown
 * entry, an answer that is no structure, another entry, too long or cut short are errors that say what to do. */
cardo_status cardo_entry_fetch(cardo_downloader *downloader, const cardo_entry_request *request,
                               cardo_entry *entry, cardo_error *error);

#endif
