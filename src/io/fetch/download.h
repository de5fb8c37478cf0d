/* Downloads over HTTP and HTTPS into memory: the door to libcurl.
 *
 * Proxies are taken from the environment (http_proxy, https_proxy, all_proxy, no_proxy), as other
 * programs take them. */
#ifndef CARDO_IO_FETCH_DOWNLOAD_H
#define CARDO_IO_FETCH_DOWNLOAD_H

#include "base/status.h"

#include <stdbool.h>

/* Told now and then how many bytes have come of how many (0: the server does not say). */
typedef void cardo_download_progress(void *user, long long received, long long expected);

typedef struct cardo_download_options {
    double timeout;  /* s for all downloads together since cardo_downloader_begin   */
    double patience; /* s without a connection, or with next to no bytes coming    */
    int most_bytes;  /* a longer body is an error, as it comes and as it is decoded */
    cardo_download_progress *progress; /* may be NULL                               */
    void *user;                        /* its first argument                        */
} cardo_download_options;

/* What a server answered. */
typedef struct cardo_download {
    char *body; /* decoded where it came compressed as a transfer */
    int length, capacity;
    int http_status;   /* 200, 404, ...                                            */
    bool length_known; /* the server said how long the body is, and it is          */
} cardo_download;

/* A connection that is kept for the next download from the same server. */
typedef struct cardo_downloader cardo_downloader;

/* Starts libcurl. The caller owns *out. Not to be called by two threads at once. */
cardo_status cardo_downloader_create(const cardo_download_options *options, cardo_downloader **out,
                                     cardo_error *error);
void cardo_downloader_destroy(cardo_downloader *downloader);

/* From here on the timeout counts anew. */
void cardo_downloader_begin(cardo_downloader *downloader);

/* Gets what the address names, over redirections, into *download, which the caller destroys also
 * after a failure. Every answer of a server is a success, 404 too. No connection, no answer in time
 * or a body cut short is CARDO_ERROR_FILE, which names the address and what to do. */
cardo_status cardo_download_get(cardo_downloader *downloader, const char *url,
                                cardo_download *download, cardo_error *error);
void cardo_download_destroy(cardo_download *download);

#endif
