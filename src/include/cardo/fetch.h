/* Entries of the Protein Data Bank, fetched over HTTP and written as files. Proxies are taken from the environment (https_proxy,
 * http_proxy, all_proxy, no_proxy). */
#ifndef CARDO_FETCH_H
#define CARDO_FETCH_H

#include <cardo/result.h>
#include <cardo/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A connection that is kept from one entry to the next. */
typedef struct cardo_fetcher cardo_fetcher;

/* How. Zero-initialise and set size; texts are borrowed. Messages that propose another value have it as "limit=MB". */
typedef struct cardo_fetch_options {
    size_t size; /* sizeof(cardo_fetch_options): it may grow */
    /* "cif" (NULL too) or "pdb", which large entries do not have. */
    const char *format;
    /* A mirror: its folder, or an address with {ID} (2LAO), {id} (2lao), {middle} (la) and {format} in it; NULL: the RCSB. */
    const char *url;
    /* The folder where the files go, made when it is not there; NULL: this one. */
    const char *out;
    bool force;     /* files that are there already are replaced               */
    double timeout; /* s in which an entry must have come whole; 0: 600         */
    double limit;   /* MB, as they come and unpacked, up to 1000; 0: 500        */
    /* Told now and then how many bytes of an entry have come of how many (0: nobody says). May be NULL; user is handed to it. */
    void (*progress)(void *user, long long received, long long expected);
    void *user;
} cardo_fetch_options;

/* An id is a digit from 1 to 9 and three letters or digits ("2LAO"), or "pdb_" and eight of them
 * ("pdb_00002lao"), in either case. CARDO_ERROR_USAGE says what it should look like. */
CARDO_API cardo_status cardo_entry_id_check(const char *id, cardo_error *error);

/* Asks no server. A format or an address that means nothing is CARDO_ERROR_USAGE. The caller owns *out; not to be called by
 * two threads at once. */
CARDO_API cardo_status cardo_fetcher_create(const cardo_fetch_options *options, cardo_fetcher **out,
                                            cardo_error *error);
/* NULL is fine. */
CARDO_API void cardo_fetcher_destroy(cardo_fetcher *fetcher);

/* Gets one entry and writes it, unpacked, as OUT/ID.FORMAT, named as the id is written here, whole or not at all: only what
 * reads as a structure in the format that was asked for, to its end, and does not say that it is another entry is kept. A
 * file that is there already stays: fine where it is this entry, whole, an error otherwise. Adds to entries, a list
 * (cardo_result_list), a group: "id", "file", "url" where it came from (not there: no server was asked), "was_there",
 * "confirmed" (the file says that it is this entry; else it says nothing), "bytes", "atoms", "residues", "models". An unknown
 * entry, an answer that is no structure, too long or cut short are errors that say what to do. */
CARDO_API cardo_status cardo_fetch(cardo_fetcher *fetcher, const char *id, cardo_result *entries,
                                   cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
