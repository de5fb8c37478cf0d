#include "io/fetch/download.h"

#include "base/clock.h"
#include "base/memory.h"

#include <curl/curl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

struct cardo_downloader {
    CURL *curl;
    cardo_download_options options;
    cardo_download *download; /* the one that is under way                 */
    cardo_status status;      /* of what the callbacks had to refuse       */
    cardo_error *error;       /* where they say why                        */
    double begun;             /* s: when the timeout began                 */
    char reason[CURL_ERROR_SIZE];
};

enum { MOST_REDIRECTIONS = 8 };
static const long slowest =
    50; /* bytes/s: below this nothing comes, for all that anyone can wait */

static size_t take(char *bytes, size_t size, size_t count, void *user)
{
    cardo_downloader *d = user;
    cardo_download *download = d->download;
    size_t n = size * count;
    if (n > (size_t)(d->options.most_bytes - download->length)) {
        d->status =
            CARDO_FAIL(d->error, CARDO_ERROR_INPUT,
                       "sends more than %d bytes, which no entry has: look at the address, or "
                       "allow more with limit=MB",
                       d->options.most_bytes);
        return 0;
    }
    /* One byte more than the body, for the NUL after it. */
    d->status = CARDO_RESERVE(&download->body, &download->capacity, download->length + (int)n + 1,
                              d->error);
    if (d->status != CARDO_OK)
        return 0;
    memcpy(download->body + download->length, bytes, n);
    download->length += (int)n;
    download->body[download->length] = '\0';
    return n;
}

static int tell(void *user, curl_off_t expected, curl_off_t received, curl_off_t upload_expected,
                curl_off_t uploaded)
{
    (void)upload_expected;
    (void)uploaded;
    const cardo_downloader *d = user;
    if (d->options.progress)
        d->options.progress(d->options.user, received, expected);
    return 0;
}

static void allow_http_only(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

static void set_options(cardo_downloader *d)
{
    long milliseconds = (long)(1000 * fmin(d->options.patience, d->options.timeout));
    allow_http_only(d->curl);
    curl_easy_setopt(d->curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(d->curl, CURLOPT_MAXREDIRS, (long)MOST_REDIRECTIONS);
    curl_easy_setopt(d->curl, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(d->curl, CURLOPT_USERAGENT, "cardo/" CARDO_VERSION);
    curl_easy_setopt(d->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(d->curl, CURLOPT_CONNECTTIMEOUT_MS, milliseconds);
    curl_easy_setopt(d->curl, CURLOPT_LOW_SPEED_LIMIT, slowest);
    curl_easy_setopt(d->curl, CURLOPT_LOW_SPEED_TIME, (milliseconds + 999) / 1000);
    curl_easy_setopt(d->curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)d->options.most_bytes);
    curl_easy_setopt(d->curl, CURLOPT_ERRORBUFFER, d->reason);
    curl_easy_setopt(d->curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(d->curl, CURLOPT_WRITEDATA, d);
    curl_easy_setopt(d->curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(d->curl, CURLOPT_XFERINFOFUNCTION, tell);
    curl_easy_setopt(d->curl, CURLOPT_XFERINFODATA, d);
}

/* Older versions may not be started by two threads at once. The process's end is time enough to stop it: the host may
 * use it too. */
static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

cardo_status cardo_downloader_create(const cardo_download_options *options, cardo_downloader **out,
                                     cardo_error *error)
{
    *out = NULL;
    if (!(options->timeout > 0 && options->timeout <= LONG_MAX / 2000) ||
        !(options->patience > 0) || options->most_bytes < 1 || options->most_bytes > INT_MAX / 2)
        return CARDO_FAIL(
            error, CARDO_ERROR_ARGUMENT,
            "a timeout of %g s, a patience of %g s and a limit of %d bytes are out of "
            "range",
            options->timeout, options->patience, options->most_bytes);
    cardo_downloader *d;
    cardo_status status = CARDO_ALLOCATE(&d, 1, error);
    if (status != CARDO_OK)
        return status;
    d->options = *options;
    d->begun = cardo_clock();
    pthread_once(&started, start);
    d->curl = curl_easy_init();
    if (!d->curl) {
        cardo_free(d);
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "libcurl does not start");
    }
    set_options(d);
    *out = d;
    return CARDO_OK;
}

void cardo_downloader_destroy(cardo_downloader *downloader)
{
    if (!downloader)
        return;
    curl_easy_cleanup(downloader->curl);
    cardo_free(downloader);
}

static const char *remedy(CURLcode code)
{
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
        return "is there a network? Behind a proxy set https_proxy; url=ADDRESS names a mirror";
    case CURLE_COULDNT_RESOLVE_PROXY:
        return "the proxy comes from the environment (http_proxy, https_proxy, all_proxy)";
    case CURLE_OPERATION_TIMEDOUT:
        return "try again, allow more with timeout=SECONDS, or name a mirror with url=ADDRESS";
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR:
    case CURLE_HTTP2_STREAM:
        return "the connection broke, nothing is kept: try again";
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
        return "install the package ca-certificates, and look at the clock and the proxy";
    case CURLE_FILESIZE_EXCEEDED:
        return "no entry is as large: look at the address, or allow more with limit=MB";
    default:
        return "look at the address and the network";
    }
}

static cardo_status refuse(const cardo_downloader *d, CURLcode code, const char *url,
                           cardo_error *error)
{
    if (d->status != CARDO_OK) {
        cardo_error_prefix(error, "%s: ", url);
        return d->status;
    }
    return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: %s; %s", url,
                      d->reason[0] ? d->reason : curl_easy_strerror(code), remedy(code));
}

void cardo_downloader_begin(cardo_downloader *downloader)
{
    downloader->begun = cardo_clock();
}

cardo_status cardo_download_get(cardo_downloader *downloader, const char *url,
                                cardo_download *download, cardo_error *error)
{
    long http_status = 0;
    curl_off_t length = -1;
    *download = (cardo_download){0};
    downloader->download = download;
    downloader->status = CARDO_OK;
    downloader->error = error;
    downloader->reason[0] = '\0';
    cardo_status status = CARDO_RESERVE(&download->body, &download->capacity, 1, error);
    if (status != CARDO_OK)
        return status;
    double left = fmax(0.001, downloader->options.timeout - (cardo_clock() - downloader->begun));
    curl_easy_setopt(downloader->curl, CURLOPT_TIMEOUT_MS, (long)ceil(1000 * left));
    curl_easy_setopt(downloader->curl, CURLOPT_URL, url);
    CURLcode code = curl_easy_perform(downloader->curl);
    if (code != CURLE_OK)
        return refuse(downloader, code, url, error);
    curl_easy_getinfo(downloader->curl, CURLINFO_RESPONSE_CODE, &http_status);
    curl_easy_getinfo(downloader->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    download->http_status = (int)http_status;
    download->length_known = length >= 0;
    return CARDO_OK;
}

void cardo_download_destroy(cardo_download *download)
{
    cardo_free(download->body);
    *download = (cardo_download){0};
}
