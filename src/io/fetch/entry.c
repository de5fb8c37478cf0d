#include "io/fetch/entry.h"

#include "base/letters.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

const char cardo_entry_archive[] = "https://files.rcsb.org/download";

/* In a folder, most likely first. */
static const char *const names[] = {"{ID}.{format}.gz", "{ID}.{format}", "{id}.{format}.gz",
                                    "{id}.{format}"};
enum { NNAME = sizeof names / sizeof *names, SHORT_ID = 4, EXTENDED_ID = 12 };
static const char extended_prefix[] = "pdb_";

/* Independent of the locale: an id must never hold what is special in a path or an address. */
static bool is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_extended(const char *id)
{
    return strlen(id) == EXTENDED_ID &&
           cardo_same_start(id, extended_prefix, sizeof extended_prefix - 1);
}

static char changed_case(char c, bool capital)
{
    if (capital && c >= 'a' && c <= 'z')
        return (char)(c - 'a' + 'A');
    if (!capital && c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c;
}

cardo_status cardo_entry_id_check(const char *id, cardo_error *error)
{
    bool extended = is_extended(id);
    bool good = extended || (strlen(id) == SHORT_ID && id[0] >= '1' && id[0] <= '9');
    for (const char *p = id + (extended ? sizeof extended_prefix - 1 : 0); *p; ++p)
        good = good && is_alphanumeric(*p);
    if (good)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                      "'%s' is no id of a PDB entry: that is a digit from 1 to 9 and three letters "
                      "or digits, such as 2LAO, or pdb_ and eight of them, such as pdb_00002lao",
                      id);
}

/* Text that grows at its end. */
typedef struct text {
    char *bytes;
    int length, capacity;
} text;

static cardo_status append(text *t, const char *bytes, size_t n, cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&t->bytes, &t->capacity, t->length + (int)n + 1, error);
    if (status != CARDO_OK)
        return status;
    memcpy(t->bytes + t->length, bytes, n);
    t->length += (int)n;
    t->bytes[t->length] = '\0';
    return CARDO_OK;
}

/* The value of the word of length n; false when there is no such word. */
static bool word_value(const char *word, size_t n, const char *id, const char *format,
                       char value[EXTENDED_ID + 1])
{
    bool capital = n == 2 && memcmp(word, "ID", 2) == 0;
    if (capital || (n == 2 && memcmp(word, "id", 2) == 0)) {
        for (size_t i = 0; i <= strlen(id); ++i)
            value[i] = changed_case(id[i], capital && !is_extended(id));
        return true;
    }
    if (n == strlen("middle") && memcmp(word, "middle", n) == 0) {
        for (size_t i = 0; i < 2; ++i)
            value[i] = changed_case(id[strlen(id) - 3 + i], false);
        value[2] = '\0';
        return true;
    }
    if (n == strlen("format") && memcmp(word, "format", n) == 0) {
        snprintf(value, EXTENDED_ID + 1, "%s", format);
        return true;
    }
    return false;
}

static cardo_status fill(const char *pattern, const char *id, const char *format, text *t,
                         cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (const char *p = pattern; *p && status == CARDO_OK;) {
        size_t plain = strcspn(p, "{");
        status = append(t, p, plain, error);
        p += plain;
        if (*p == '\0' || status != CARDO_OK)
            break;
        size_t n = strcspn(p + 1, "}");
        char value[EXTENDED_ID + 1];
        if (p[1 + n] == '\0' || !word_value(p + 1, n, id, format, value))
            return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                              "%s: %.*s is not known in an address; there are {id}, {ID}, "
                              "{middle} and {format}",
                              pattern, (int)(n + 2), p);
        status = append(t, value, strlen(value), error);
        p += n + 2;
    }
    return status;
}

cardo_status cardo_entry_url(const char *place, const char *id, const char *format, int attempt,
                             char **url, cardo_error *error)
{
    cardo_status status;
    text t = {0};
    *url = NULL;
    if (!cardo_same_start(place, "http://", 7) && !cardo_same_start(place, "https://", 8))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "%s: is no address of a mirror: it begins with http:// or https://",
                          place);
    bool whole = strchr(place, '{') != NULL;
    if (attempt >= (whole ? 1 : is_extended(id) ? NNAME / 2 : NNAME))
        return CARDO_OK;
    CARDO_TRY(fill(place, id, format, &t, error));
    if (!whole) {
        if (place[strlen(place) - 1] != '/')
            CARDO_TRY(append(&t, "/", 1, error));
        CARDO_TRY(fill(names[attempt], id, format, &t, error));
    }
    *url = t.bytes;
    t.bytes = NULL;
done:
    cardo_free(t.bytes);
    return status;
}

void cardo_entry_destroy(cardo_entry *entry)
{
    cardo_free(entry->path);
    cardo_free(entry->url);
    cardo_structure_destroy(entry->structure);
    *entry = (cardo_entry){0};
}
