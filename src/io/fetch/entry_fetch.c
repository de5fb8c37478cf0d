/* One entry: from the server, unpacked, looked at, and onto the disk. */
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "io/fetch/entry.h"
#include "io/fetch/entry_check.h"
#include "structure/records/format.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

static bool is_gzip(const cardo_download *download)
{
    return download->length > 2 && memcmp(download->body, "\x1f\x8b", 2) == 0;
}

/* Structures pack four- to fivefold; what unpacks to far more was made to fill the memory. */
static int unpacked_limit(int packed)
{
    enum { RATIO = 10, SMALL = 1 << 20 };
    if (packed > INT_MAX / 2 / RATIO)
        return INT_MAX / 2;
    return packed < SMALL / RATIO ? SMALL : packed * RATIO;
}

/* Room for more unpacked bytes and a NUL. */
static cardo_status make_room(z_stream *stream, cardo_download *plain, int limit,
                              cardo_error *error)
{
    enum { CHUNK = 1 << 16 };
    if (plain->length > limit)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "unpacks to more than %d bytes, which entries of its size do not (limit="
                          "%d allows more than %d MB where that is the reason)",
                          limit, 2 * (limit / 1000000 + 1), limit / 1000000);
    cardo_status status =
        CARDO_RESERVE(&plain->body, &plain->capacity, plain->length + CHUNK, error);
    if (status != CARDO_OK)
        return status;
    stream->next_out = (Bytef *)plain->body + plain->length;
    stream->avail_out = CHUNK - 1;
    return CARDO_OK;
}

/* Unpacks a gzip body of one or more members. */
static cardo_status unpack(const cardo_download *packed, int most_bytes, cardo_download *plain,
                           cardo_error *error)
{
    enum { LARGEST_WINDOW = 15, GZIP = 16 };
    int limit = unpacked_limit(packed->length);
    if (limit > most_bytes)
        limit = most_bytes;
    cardo_status status = CARDO_OK;
    z_stream stream = {.next_in = (Bytef *)packed->body, .avail_in = (uInt)packed->length};
    if (inflateInit2(&stream, LARGEST_WINDOW + GZIP) != Z_OK)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory to unpack");
    int code = Z_OK;
    while (code == Z_OK) {
        CARDO_TRY(make_room(&stream, plain, limit, error));
        code = inflate(&stream, Z_NO_FLUSH);
        plain->length = (int)((char *)stream.next_out - plain->body);
        plain->body[plain->length] = '\0';
        if (code == Z_STREAM_END && stream.avail_in > 0)
            code = inflateReset(&stream);
    }
    if (code != Z_STREAM_END)
        status = CARDO_FAIL(error, CARDO_ERROR_FILE,
                            "the compressed file is %s, nothing is kept: try again",
                            code == Z_BUF_ERROR ? "cut short" : "damaged");
done:
    inflateEnd(&stream);
    return status;
}

static bool begins_as_page(const char *text)
{
    return text[strspn(text, "\xef\xbb\xbf \t\r\n")] == '<';
}

static cardo_status parse(const cardo_entry_text *text, cardo_structure **out, cardo_error *error)
{
    cardo_records records = {0};
    const cardo_read_options options = {.model = 0};
    const cardo_structure_format *format = text->pdb ? &cardo_format_pdb : &cardo_format_mmcif;
    cardo_status status =
        format->read(text->text, text->length, text->source, &options, &records, error);
    if (status == CARDO_OK)
        status = cardo_structure_assemble(&records, text->source, out, error);
    cardo_records_destroy(&records);
    return status;
}

/* The whole text, checked, in entry->structure. */
static cardo_status look_at(const cardo_entry_text *text, const cardo_entry_request *request,
                            cardo_entry *entry, cardo_error *error)
{
    cardo_status status;
    if (text->length == 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: the server sent nothing: try again",
                          text->source);
    if (begins_as_page(text->text))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: the server sent a web page, not a structure: look at the address in "
                          "a browser; a proxy or a login may stand between",
                          text->source);
    bool is_mmcif = cardo_format_mmcif.detect(text->text, text->length);
    if (is_mmcif == text->pdb)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: the server sent %s where %s was asked for: look at format=cif, and "
                          "at url=ADDRESS, in which {format} stands for it",
                          text->source, is_mmcif ? "mmCIF" : "no mmCIF",
                          text->pdb ? "a PDB file" : "mmCIF");
    CARDO_TRY(cardo_entry_check_id(text, request->id, &entry->confirmed, error));
    CARDO_TRY(parse(text, &entry->structure, error));
    status = cardo_entry_check_end(text, error);
done:
    return status;
}

static cardo_status missing(const cardo_entry_request *request, const char *url, int http_status,
                            cardo_error *error)
{
    const char *advice = strcmp(request->format, "pdb") == 0
                             ? "; large entries have no PDB file: leave out format=pdb"
                             : "";
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: there is no entry %s there (HTTP status %d): look the id up, it may be "
                      "misspelt, unreleased or withdrawn%s",
                      url, request->id, http_status, advice);
}

static cardo_status refused(const char *url, int http_status, cardo_error *error)
{
    const char *advice = "look at the address in a browser";
    if (http_status == 429 || http_status >= 500)
        advice = "the server has trouble: try again later, or name a mirror with url=ADDRESS";
    else if (http_status == 407)
        advice = "the proxy wants a name and a password in https_proxy";
    return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: the server refuses (HTTP status %d); %s", url,
                      http_status, advice);
}

/* Tries one address after the other while the server knows none of them. */
static cardo_status get(cardo_downloader *downloader, const cardo_entry_request *request,
                        cardo_download *download, cardo_entry *entry, cardo_error *error)
{
    const char *place = request->place ? request->place : cardo_entry_archive;
    cardo_downloader_begin(downloader);
    for (int attempt = 0;; ++attempt) {
        char *url;
        cardo_status status =
            cardo_entry_url(place, request->id, request->format, attempt, &url, error);
        if (status != CARDO_OK)
            return status;
        if (!url)
            return missing(request, entry->url, download->http_status, error);
        cardo_free(entry->url);
        entry->url = url;
        cardo_download_destroy(download);
        status = cardo_download_get(downloader, url, download, error);
        if (status != CARDO_OK)
            return status;
        if (download->http_status == 200)
            return CARDO_OK;
        if (download->http_status != 404 && download->http_status != 410)
            return refused(url, download->http_status, error);
    }
}

static cardo_status make_path(const cardo_entry_request *request, char **path, cardo_error *error)
{
    const char *folder = request->folder ? request->folder : "";
    size_t n = strlen(folder) + strlen(request->id) + strlen(request->format) + sizeof "/.";
    cardo_status status = CARDO_ALLOCATE(path, n, error);
    if (status != CARDO_OK)
        return status;
    bool slash = *folder && folder[strlen(folder) - 1] != '/';
    snprintf(*path, n, "%s%s%s.%s", folder, slash ? "/" : "", request->id, request->format);
    return CARDO_OK;
}

static bool is_pdb(const cardo_entry_request *request)
{
    return strcmp(request->format, "pdb") == 0;
}

/* Is the file that is there this entry, and whole? A second run, or one of several at once, has
 * nothing to do then; any other file is its owner's. */
static cardo_status look_at_old(const cardo_entry_request *request, cardo_entry *entry,
                                cardo_error *error)
{
    char *bytes = NULL;
    size_t length;
    cardo_error reason = {0};
    long long outer = cardo_file_limit_begin(entry->path);
    cardo_status status =
        cardo_read_file(entry->path, (size_t)request->most_bytes, &bytes, &length, &reason);
    if (status == CARDO_OK) {
        const cardo_entry_text text = {bytes, length, entry->path, is_pdb(request), true};
        status = look_at(&text, request, entry, &reason);
        entry->nbyte = (int)length;
    }
    cardo_free(bytes);
    status = cardo_file_limit_end(outer, entry->path, status, &reason);
    entry->was_there = status == CARDO_OK && entry->confirmed;
    if (entry->was_there)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_FILE,
        "%s: is there already; force=yes gets it again, out=FOLDER puts it elsewhere (%s)",
        entry->path,
        status == CARDO_OK ? "which entry it is, the file does not say" : reason.message);
}

/* Unpacks what came where it is compressed, and looks at it, in memory that goes with its size. */
static cardo_status examine(const cardo_download *download, cardo_download *unpacked,
                            const cardo_entry_request *request, cardo_entry *entry,
                            cardo_error *error)
{
    bool packed = is_gzip(download);
    long long outer = cardo_memory_limit_begin(cardo_input_memory(download->length));
    cardo_status status = CARDO_OK;
    if (packed) {
        status = unpack(download, request->most_bytes, unpacked, error);
        if (status != CARDO_OK)
            cardo_error_prefix(error, "%s: ", entry->url);
    }
    if (status == CARDO_OK) {
        const cardo_download *plain = packed ? unpacked : download;
        const cardo_entry_text text = {plain->body, (size_t)plain->length, entry->url,
                                       is_pdb(request), packed || download->length_known};
        status = look_at(&text, request, entry, error);
    }
    return cardo_file_limit_end(outer, entry->url, status, error);
}

/* Another process may have brought the file meanwhile. */
static cardo_status keep(const cardo_download *plain, const cardo_entry_request *request,
                         cardo_entry *entry, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!request->overwrite && cardo_file_exists(entry->path)) {
        cardo_structure_destroy(entry->structure);
        entry->structure = NULL;
        return look_at_old(request, entry, error);
    }
    if (request->folder && *request->folder)
        CARDO_TRY(cardo_make_folder(request->folder, error));
    CARDO_TRY(cardo_write_file(entry->path, plain->body, (size_t)plain->length, error));
    entry->nbyte = plain->length;
done:
    return status;
}

cardo_status cardo_entry_fetch(cardo_downloader *downloader, const cardo_entry_request *request,
                               cardo_entry *entry, cardo_error *error)
{
    cardo_status status;
    cardo_download download = {0}, unpacked = {0};
    CARDO_TRY(cardo_entry_id_check(request->id, error));
    CARDO_TRY(make_path(request, &entry->path, error));
    if (!request->overwrite && cardo_file_exists(entry->path)) {
        status = look_at_old(request, entry, error);
        goto done;
    }
    CARDO_TRY(get(downloader, request, &download, entry, error));
    CARDO_TRY(examine(&download, &unpacked, request, entry, error));
    status = keep(is_gzip(&download) ? &unpacked : &download, request, entry, error);
done:
    cardo_download_destroy(&download);
    cardo_download_destroy(&unpacked);
    return status;
}
