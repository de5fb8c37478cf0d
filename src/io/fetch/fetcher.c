/* Entries for a host: cardo/fetch.h. */
#include "cardo/fetch.h"

#include "base/memory.h"
#include "base/result.h"
#include "io/fetch/entry.h"

#include <string.h>

enum { MEGABYTE = 1000000, DEFAULT_LIMIT = 500, LARGEST_LIMIT = 1000 };
static const double default_timeout = 600;
static const double longest_stall = 30; /* s without a byte, after which no more will come */

struct cardo_fetcher {
    cardo_entry_request request;
    cardo_downloader *downloader;
};

static cardo_status check(const cardo_fetch_options *how, const cardo_entry_request *request,
                          cardo_error *error)
{
    char *url;
    if (strcmp(request->format, "cif") != 0 && strcmp(request->format, "pdb") != 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "files of entries are cif or pdb, not '%s'",
                          request->format);
    if (!(how->limit >= 0) || how->limit > LARGEST_LIMIT || !(how->timeout >= 0))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "entries of up to %d MB come in a time above zero", LARGEST_LIMIT);
    cardo_status status = cardo_entry_url(request->place, "2LAO", request->format, 0, &url, error);
    cardo_free(url);
    return status;
}

cardo_status cardo_fetcher_create(const cardo_fetch_options *options, cardo_fetcher **out,
                                  cardo_error *error)
{
    cardo_status status;
    cardo_fetcher *self = NULL;
    cardo_fetch_options how = {0};
    *out = NULL;
    CARDO_TRY(
        cardo_take_sized(options, options->size, &how, sizeof how, "cardo_fetch_options", error));
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->request = (cardo_entry_request){.format = how.format ? how.format : "cif",
                                          .place = how.url ? how.url : cardo_entry_archive,
                                          .folder = how.out,
                                          .overwrite = how.force};
    CARDO_TRY(check(&how, &self->request, error));
    self->request.most_bytes = (int)((how.limit > 0 ? how.limit : DEFAULT_LIMIT) * MEGABYTE);
    const cardo_download_options download = {.timeout =
                                                 how.timeout > 0 ? how.timeout : default_timeout,
                                             .patience = longest_stall,
                                             .most_bytes = self->request.most_bytes,
                                             .progress = how.progress,
                                             .user = how.user};
    CARDO_TRY(cardo_downloader_create(&download, &self->downloader, error));
    *out = self;
    self = NULL;
done:
    cardo_fetcher_destroy(self);
    return status;
}

void cardo_fetcher_destroy(cardo_fetcher *fetcher)
{
    if (fetcher && fetcher->downloader)
        cardo_downloader_destroy(fetcher->downloader);
    cardo_free(fetcher);
}

static void describe(const char *id, const cardo_entry *entry, cardo_result *entries)
{
    const cardo_structure *s = entry->structure;
    cardo_result *one = cardo_result_group(entries, NULL);
    cardo_result_text(one, &(cardo_quantity){"id"}, id);
    cardo_result_text(one, &(cardo_quantity){"file"}, entry->path);
    if (entry->url)
        cardo_result_text(one, &(cardo_quantity){"url"}, entry->url);
    cardo_result_truth(one, &(cardo_quantity){"was_there"}, entry->was_there);
    cardo_result_truth(one, &(cardo_quantity){"confirmed"}, entry->confirmed);
    cardo_result_integer(one, &(cardo_quantity){"bytes"}, entry->nbyte);
    cardo_result_integer(one, &(cardo_quantity){"atoms"}, s->natom);
    cardo_result_integer(one, &(cardo_quantity){"residues"}, s->nresidue);
    cardo_result_integer(one, &(cardo_quantity){"models"}, s->nmodel);
}

cardo_status cardo_fetch(cardo_fetcher *fetcher, const char *id, cardo_result *entries,
                         cardo_error *error)
{
    cardo_entry entry = {0};
    fetcher->request.id = id;
    cardo_status status = cardo_entry_fetch(fetcher->downloader, &fetcher->request, &entry, error);
    if (status == CARDO_OK)
        describe(id, &entry, entries);
    cardo_entry_destroy(&entry);
    return status == CARDO_OK ? cardo_result_status(entries, error) : status;
}
