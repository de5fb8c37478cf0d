#include "cardo/sdfast.h"

#include "base/letters.h"
#include "base/memory.h"
#include "base/number.h"
#include "multibody/sdfast/joints.h"

#include <math.h>
#include <string.h>

/* Words and signs of equality one after the other, without comments. */
typedef struct words {
    const char *at, *end;
    int line;
} words;

enum { MOST_WORD = 64, MOST_VALUES = 12 };

/* Where the next word begins, its length; 0 at the end. */
static int next_word(words *w, const char **word)
{
    for (; w->at < w->end; ++w->at) {
        if (*w->at == '#')
            while (w->at + 1 < w->end && w->at[1] != '\n')
                ++w->at;
        else if (*w->at == '\n')
            ++w->line;
        else if (!cardo_is_space(*w->at))
            break;
    }
    *word = w->at;
    if (w->at == w->end)
        return 0;
    if (*w->at == '=') {
        ++w->at;
        return 1;
    }
    while (w->at < w->end && !cardo_is_space(*w->at) && *w->at != '=' && *w->at != '#')
        ++w->at;
    return (int)(w->at - *word);
}

/* keyword = value value ... */
typedef struct entry {
    char keyword[MOST_WORD];
    int line, count;
    char values[MOST_VALUES][MOST_WORD];
} entry;

static cardo_status copy_word(const char *place, int line, const char *word, int length, char *out,
                              cardo_error *error)
{
    if (length >= MOST_WORD)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: a word of %d letters", place, line,
                          length);
    for (int i = 0; i < length; ++i)
        if ((unsigned char)word[i] < ' ')
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s:%d: a byte %d in a word: this is no text", place, line,
                              (unsigned char)word[i]);
    memcpy(out, word, (size_t)length);
    out[length] = '\0';
    return CARDO_OK;
}

/* False at the end. */
static cardo_status next_entry(words *w, const char *place, entry *e, bool *there,
                               cardo_error *error)
{
    const char *word;
    int length = next_word(w, &word);
    cardo_status status = CARDO_OK;
    *there = length > 0;
    e->count = 0;
    e->line = w->line;
    if (!*there)
        return CARDO_OK;
    CARDO_TRY(copy_word(place, w->line, word, length, e->keyword, error));
    for (char *c = e->keyword; *c; ++c)
        *c = cardo_lower(*c);
    if (next_word(w, &word) != 1 || *word != '=')
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: after '%s' there should be a '='",
                          place, e->line, e->keyword);
    for (;;) {
        words ahead = *w;
        const char *sign;
        length = next_word(&ahead, &word);
        const words after = ahead;
        if (length == 0 || (length == 1 && *word == '='))
            break;
        if (next_word(&ahead, &sign) == 1 && *sign == '=')
            break;
        if (e->count == MOST_VALUES)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s has more than %d values", place,
                              e->line, e->keyword, MOST_VALUES);
        CARDO_TRY(copy_word(place, after.line, word, length, e->values[e->count++], error));
        *w = after;
    }
    if (e->count == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s has no value", place, e->line,
                            e->keyword);
done:
    return status;
}

static cardo_status numbers(const char *place, const entry *e, int n, double *out,
                            cardo_error *error)
{
    if (e->count != n)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s has %d values, and should have %d",
                          place, e->line, e->keyword, e->count, n);
    for (int i = 0; i < n; ++i) {
        char *end;
        if (strchr(e->values[i], '?'))
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "%s:%d: %s is left to run time (?): write its value", place, e->line,
                              e->keyword);
        out[i] = cardo_read_double(e->values[i], &end);
        if (*end || end == e->values[i] || !isfinite(out[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s: '%s' is not a number", place,
                              e->line, e->keyword, e->values[i]);
    }
    return CARDO_OK;
}

static cardo_status name(const char *place, const entry *e, char out[CARDO_SDFAST_NAME],
                         cardo_error *error)
{
    if (e->count != 1 || strlen(e->values[0]) >= CARDO_SDFAST_NAME)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: %s is one name of at most %d letters, not '%s%s'", place, e->line,
                          e->keyword, CARDO_SDFAST_NAME - 1, e->values[0],
                          e->count > 1 ? " ..." : "");
    memcpy(out, e->values[0], strlen(e->values[0]) + 1);
    return CARDO_OK;
}

static cardo_status inertia(const char *place, const entry *e, double out[9], cardo_error *error)
{
    double moments[3];
    if (e->count == 9)
        return numbers(place, e, 9, out, error);
    cardo_status status = numbers(place, e, 3, moments, error);
    for (int i = 0; i < 9; ++i)
        out[i] = i % 4 == 0 ? moments[i / 4] : 0;
    return status;
}

static bool is_there(const cardo_sdfast *d, const char *body)
{
    for (int k = 0; k < d->nbody; ++k)
        if (strcmp(d->bodies[k].name, body) == 0)
            return true;
    return false;
}

static cardo_status pin(const char *place, const entry *e, double pins[3][3], int *count,
                        cardo_error *error)
{
    if (*count == 3)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: a fourth %s", place, e->line,
                          e->keyword);
    return numbers(place, e, 3, pins[(*count)++], error);
}

/* An entry of the body that is being described. */
static cardo_status of_body(const char *place, const entry *e, cardo_sdfast_body *b,
                            cardo_error *error)
{
    const char *word = e->keyword;
    if (strcmp(word, "inb") == 0)
        return name(place, e, b->inboard, error);
    if (strcmp(word, "joint") == 0) {
        bool reversed;
        cardo_status status = name(place, e, b->joint, error);
        for (char *c = b->joint; *c; ++c)
            *c = cardo_lower(*c);
        if (status == CARDO_OK && !cardo_sdfast_joint(b->joint, &reversed))
            return CARDO_FAIL(
                error, CARDO_ERROR_UNSUPPORTED,
                "%s:%d: there is no joint '%s': there are %s; others, a bearing among "
                "them, are made of two of these with a body of mass 0 between",
                place, e->line, b->joint, cardo_sdfast_joint_names());
        return status;
    }
    if (strcmp(word, "mass") == 0)
        return numbers(place, e, 1, &b->mass, error);
    if (strcmp(word, "inertia") == 0)
        return inertia(place, e, b->inertia, error);
    if (strcmp(word, "bodytojoint") == 0)
        return numbers(place, e, 3, b->body_to_joint, error);
    if (strcmp(word, "inbtojoint") == 0)
        return numbers(place, e, 3, b->inboard_to_joint, error);
    if (strcmp(word, "pin") == 0 || strcmp(word, "inbpin") == 0)
        return pin(place, e, b->pins, &b->npin, error);
    if (strcmp(word, "bodypin") == 0)
        return pin(place, e, b->body_pins, &b->nbody_pin, error);
    if (strcmp(word, "prescribed") == 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s:%d: prescribed motion is not read: add it to the system by "
                          "cardo_system_prescribe",
                          place, e->line);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: there is no keyword '%s'", place, e->line,
                      word);
}

static bool is_skipped(const char *word)
{
    static const char *const skipped[] = {"language", "grounded", "single", "double", "prefix"};
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; ++i)
        if (strcmp(word, skipped[i]) == 0)
            return true;
    return false;
}

cardo_status cardo_sdfast_read(const char *text, size_t length, const char *place,
                               cardo_sdfast *out, cardo_error *error)
{
    words w = {text, text + length, 1};
    entry e;
    int capacity = 0;
    bool there;
    cardo_status status;
    *out = (cardo_sdfast){0};
    for (;;) {
        CARDO_TRY(next_entry(&w, place, &e, &there, error));
        if (!there)
            return CARDO_OK;
        if (strcmp(e.keyword, "gravity") == 0) {
            CARDO_TRY(numbers(place, &e, 3, out->gravity, error));
        } else if (strcmp(e.keyword, "body") == 0) {
            cardo_sdfast_body b = {.joint = "weld", .inboard = "$ground"};
            CARDO_TRY(name(place, &e, b.name, error));
            b.loop = is_there(out, b.name);
            CARDO_TRY(CARDO_RESERVE(&out->bodies, &capacity, out->nbody + 1, error));
            out->bodies[out->nbody++] = b;
        } else if (out->nbody > 0) {
            CARDO_TRY(of_body(place, &e, &out->bodies[out->nbody - 1], error));
        } else if (!is_skipped(e.keyword)) {
            status =
                CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: '%s' stands before the first body",
                           place, e.line, e.keyword);
            goto done;
        }
    }
done:
    cardo_sdfast_free(out);
    return status;
}

void cardo_sdfast_free(cardo_sdfast *description)
{
    cardo_free(description->bodies);
    *description = (cardo_sdfast){0};
}
