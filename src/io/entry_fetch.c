/* One entry: from the server, unpacked, looked at, and onto the disk. */
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "io/entry.h"
#include "structure/format.h"

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
                          "unpacks to more than %d bytes, which no entry does", limit);
    cardo_status status =
        CARDO_RESERVE(&plain->body, &plain->capacity, plain->length + CHUNK, error);
    if (status != CARDO_OK)
        return status;
    stream->next_out = (Bytef *)plain->body + plain->length;
    stream->avail_out = CHUNK - 1;
    return CARDO_OK;
}

/* Unpacks a gzip body of one or more members. */
static cardo_status unpack(const cardo_download *packed, cardo_download *plain, cardo_error *error)
{
    enum { LARGEST_WINDOW = 15, GZIP = 16 };
    cardo_status status = CARDO_OK;
    z_stream stream = {.next_in = (Bytef *)packed->body, .avail_in = (uInt)packed->length};
    if (inflateInit2(&stream, LARGEST_WINDOW + GZIP) != Z_OK)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory to unpack");
    int code = Z_OK;
    while (code == Z_OK) {
        CARDO_TRY(make_room(&stream, plain, unpacked_limit(packed->length), error));
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

/* Every file of the archive ends so, which tells where the server gave no length. */
static bool ends_as_file(const char *text, int length, bool pdb)
{
    const char *end = text + length;
    while (end > text && strchr(" \t\r\n", end[-1]))
        --end;
    const char *line = end;
    while (line > text && line[-1] != '\n' && line[-1] != '\r')
        --line;
    size_t n = (size_t)(end - line);
    return pdb ? n == 3 && memcmp(line, "END", 3) == 0 : n == 1 && *line == '#';
}

static cardo_status parse(const cardo_download *plain, const cardo_structure_format *format,
                          const char *url, cardo_structure **out, cardo_error *error)
{
    cardo_records records = {0};
    size_t length = (size_t)plain->length;
    const cardo_read_options options = {.model = 0};
    cardo_status status = format->read(plain->body, length, url, &options, &records, error);
    if (status == CARDO_OK)
        status = cardo_structure_assemble(&records, url, out, error);
    cardo_records_destroy(&records);
    return status;
}

/* The whole text, checked, in entry->structure. */
static cardo_status look_at(const cardo_download *plain, bool may_be_short,
                            const cardo_entry_request *request, cardo_entry *entry,
                            cardo_error *error)
{
    bool pdb = strcmp(request->format, "pdb") == 0;
    if (plain->length == 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: the server sent nothing: try again",
                          entry->url);
    if (begins_as_page(plain->body))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: the server sent a web page, not a structure: look at the address in "
                          "a browser; a proxy or a login may stand between",
                          entry->url);
    bool is_mmcif = cardo_format_mmcif.detect(plain->body, (size_t)plain->length);
    if (is_mmcif == pdb)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: the server sent %s where %s was asked for: look at --format, and "
                          "at --url, in which {format} stands for it",
                          entry->url, is_mmcif ? "mmCIF" : "no mmCIF",
                          pdb ? "a PDB file" : "mmCIF");
    if (may_be_short && !ends_as_file(plain->body, plain->length, pdb))
        return CARDO_FAIL(error, CARDO_ERROR_FILE,
                          "%s: the file seems cut short after %d bytes: the server does not say "
                          "how long it is, and its last line is not '%s'; try again",
                          entry->url, plain->length, pdb ? "END" : "#");
    return parse(plain, pdb ? &cardo_format_pdb : &cardo_format_mmcif, entry->url,
                 &entry->structure, error);
}

static cardo_status missing(const cardo_entry_request *request, const char *url, int http_status,
                            cardo_error *error)
{
    const char *advice = strcmp(request->format, "pdb") == 0
                             ? "; large entries have no PDB file: leave out --format pdb"
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
        advice = "the server has trouble: try again later, or name a mirror with --url";
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
    if (!request->overwrite && cardo_file_exists(*path))
        status = CARDO_FAIL(error, CARDO_ERROR_FILE,
                            "%s: is there already; --force gets it again, --out puts it elsewhere",
                            *path);
    return status;
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
        status = unpack(download, unpacked, error);
        if (status != CARDO_OK)
            cardo_error_prefix(error, "%s: ", entry->url);
    }
    if (status == CARDO_OK)
        status = look_at(packed ? unpacked : download, !packed && !download->length_known, request,
                         entry, error);
    return cardo_file_limit_end(outer, entry->url, status, error);
}

cardo_status cardo_entry_fetch(cardo_downloader *downloader, const cardo_entry_request *request,
                               cardo_entry *entry, cardo_error *error)
{
    cardo_status status;
    cardo_download download = {0}, unpacked = {0};
    CARDO_TRY(cardo_entry_id_check(request->id, error));
    CARDO_TRY(make_path(request, &entry->path, error));
    CARDO_TRY(get(downloader, request, &download, entry, error));
    CARDO_TRY(examine(&download, &unpacked, request, entry, error));
    const cardo_download *plain = is_gzip(&download) ? &unpacked : &download;
    if (request->folder && *request->folder)
        CARDO_TRY(cardo_make_folder(request->folder, error));
    CARDO_TRY(cardo_write_file(entry->path, plain->body, (size_t)plain->length, error));
    entry->nbyte = plain->length;
done:
    cardo_download_destroy(&download);
    cardo_download_destroy(&unpacked);
    return status;
}
