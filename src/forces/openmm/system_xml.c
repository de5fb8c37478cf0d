#include "forces/openmm/system_xml.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

/* What an element and an attribute take in OpenMM's tree (7.7, its lists growing). */
enum { ELEMENT_BYTES = 320, ATTRIBUTE_BYTES = 112, TREE_RATIO = 40 };

/* A start tag, an end tag (closes) or both (<a/>: opens and closes). Parts are borrowed from the
 * text. */
typedef struct tag {
    const char *name, *type; /* type: value of the attribute of that name, or NULL */
    int name_length, type_length, line, nattribute;
    bool opens, closes;
} tag;

static const char blanks[] = " \t\r\n";

static void count_lines(const char *from, const char *to, int *line)
{
    for (; from < to; from++)
        *line += *from == '\n';
}

/* Where a comment or the XML declaration that starts at text ends; NULL when text is an element. */
static const char *skip_markup(const char *text)
{
    if (text[1] != '?' && text[1] != '!')
        return NULL;
    const char *end = strchr(text, '>');
    return end ? end : text + strlen(text);
}

/* OpenMM's parser finds the end of a comment by counting brackets, and reads on beyond the text where
 * they do not come in pairs; document types and CDATA sections are in no System. */
static cardo_status check_markup(const char *text, cardo_error *error)
{
    int line = 1;
    for (const char *c = strchr(text, '<'), *from = text; c; c = strchr(c + 1, '<')) {
        if (c[1] != '!' && c[1] != '?')
            continue;
        count_lines(from, c, &line);
        from = c;
        const char *next = c + 1 + strcspn(c + 1, "<>");
        bool comment = strncmp(c, "<!--", 4) == 0 && next - c >= 6 && *next == '>' &&
                       strncmp(next - 2, "--", 2) == 0;
        if (comment || strncmp(c, "<?xml ", 6) == 0)
            continue;
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "line %d: a comment with < or > in it, or another thing that is no "
                          "element: OpenMM cannot read it; take it out",
                          line);
    }
    return CARDO_OK;
}

/* Reads the attributes of a tag up to its end, and returns that place. */
static const char *read_attributes(const char *c, tag *t)
{
    for (;;) {
        c += strspn(c, blanks);
        const char *name = c;
        c += strcspn(c, " \t\r\n=/>");
        size_t length = (size_t)(c - name);
        c += strspn(c, blanks);
        if (*c != '=') {
            t->closes |= *c == '/';
            return c + strcspn(c, ">");
        }
        t->nattribute++;
        c += 1 + strspn(c + 1, blanks);
        const char *end = *c == '"' || *c == '\'' ? strchr(c + 1, *c) : NULL;
        if (!end)
            return c + strlen(c);
        if (length == 4 && strncmp(name, "type", 4) == 0) {
            t->type = c + 1;
            t->type_length = (int)(end - c - 1);
        }
        c = end + 1;
    }
}

/* The next tag from *text on, which moves past it. False at the end. */
static bool next_tag(const char **text, tag *t)
{
    int line = t->line;
    const char *c = *text, *start, *past;
    while ((start = strchr(c, '<')) && (past = skip_markup(start))) {
        count_lines(c, past, &line);
        c = past;
    }
    if (!start)
        return false;
    count_lines(c, start, &line);
    *t = (tag){.line = line, .opens = start[1] != '/', .closes = start[1] == '/'};
    t->name = start + 1 + t->closes;
    t->name_length = (int)strcspn(t->name, " \t\r\n/>");
    *text = read_attributes(t->name + t->name_length, t);
    count_lines(start, *text, &t->line);
    return true;
}

static bool is(const char *text, int length, const char *word)
{
    return text && length == (int)strlen(word) && strncmp(text, word, (size_t)length) == 0;
}

static bool ends_in(const char *text, int length, const char *word)
{
    int n = (int)strlen(word);
    return length >= n && strncmp(text + length - n, word, (size_t)n) == 0;
}

/* Everything else that OpenMM can serialize on its own. */
static bool is_no_force(const tag *t)
{
    return !t->type || is(t->type, t->type_length, "System") ||
           is(t->type, t->type_length, "State") || ends_in(t->type, t->type_length, "Integrator") ||
           ends_in(t->type, t->type_length, "Function");
}

cardo_status cardo_system_xml_check(const char *text, cardo_error *error)
{
    /* OpenMM's parser reads beyond the end of a text that stops inside a tag. */
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        --length;
    if (length > 0 && text[length - 1] != '>')
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "is not a serialized OpenMM System: it ends in the middle of an element");
    cardo_status status = check_markup(text, error);
    if (status != CARDO_OK)
        return status;
    tag t = {.line = 1};
    int depth = 0;
    long long bytes = 0;
    const long long most =
        4 << 20 > TREE_RATIO * (long long)length ? 4 << 20 : TREE_RATIO * (long long)length;
    if (!next_tag(&text, &t) || !is(t.name, t.name_length, "System") ||
        !is(t.type, t.type_length, "System"))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "not a serialized OpenMM System (its root is no <System "
                          "type=\"System\">): write it with XmlSerializer.serialize(system)");
    do {
        if (is(t.name, t.name_length, "Force") && t.opens && is_no_force(&t))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "line %d: the type of a <Force> is \"%.*s\", which is no force",
                              t.line, t.type ? t.type_length : 0, t.type ? t.type : "");
        if (is(t.name, t.name_length, "Function") && t.type &&
            !ends_in(t.type, t.type_length, "Function"))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "line %d: the type of a <Function> is no tabulated function", t.line);
        depth += t.opens - t.closes;
        if (depth > MAX_DEPTH)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "line %d: elements nested deeper than %d: no System is", t.line,
                              MAX_DEPTH);
        bytes += t.opens * ELEMENT_BYTES + (long long)t.nattribute * ATTRIBUTE_BYTES;
        if (bytes > most)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "line %d: it takes more than %d times its size of memory, which no "
                              "System does",
                              t.line, TREE_RATIO);
    } while (next_tag(&text, &t));
    return CARDO_OK;
}
