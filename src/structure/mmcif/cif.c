#include "structure/mmcif/cif.h"

#include "base/letters.h"

#include <string.h>

cardo_cif_lexer cardo_cif_begin(const char *text, size_t length)
{
    cardo_cif_lexer lexer = {text, text, text + length, 1};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        lexer.start = lexer.next = text + 3;
    return lexer;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || is_line_end(c);
}

/* CR LF is one line end, CR alone another. */
static void count_line(cardo_cif_lexer *lexer, const char *p)
{
    if (*p == '\n' || (*p == '\r' && (p + 1 == lexer->end || p[1] != '\n')))
        lexer->line++;
}

static void skip_space_and_comments(cardo_cif_lexer *lexer)
{
    const char *p = lexer->next;
    while (p < lexer->end) {
        if (*p == '#') {
            while (p < lexer->end && !is_line_end(*p))
                ++p;
        } else if (is_space(*p)) {
            count_line(lexer, p);
            ++p;
        } else {
            break;
        }
    }
    lexer->next = p;
}

static bool at_line_start(const cardo_cif_lexer *lexer)
{
    return lexer->next == lexer->start || is_line_end(lexer->next[-1]);
}

static cardo_cif_token broken(cardo_cif_lexer *lexer, const char *what, int line)
{
    lexer->next = lexer->end;
    return (cardo_cif_token){CARDO_CIF_BROKEN, what, strlen(what), line, false};
}

/* ;text; with the semicolons at the start of lines. The line end before the last one is not part of
 * it. */
static cardo_cif_token read_text_field(cardo_cif_lexer *lexer)
{
    int line = lexer->line;
    const char *start = lexer->next + 1;
    for (const char *p = start; p < lexer->end; ++p) {
        if (!is_line_end(*p))
            continue;
        count_line(lexer, p);
        if (p + 1 < lexer->end && p[1] == ';') {
            const char *stop = p > start && *p == '\n' && p[-1] == '\r' ? p - 1 : p;
            lexer->next = p + 2;
            return (cardo_cif_token){CARDO_CIF_VALUE, start, (size_t)(stop - start), line, true};
        }
    }
    return broken(lexer, "a text field (;) has no end", line);
}

/* A quote closes only before a blank, so that 'a dog's life' is one value. */
static cardo_cif_token read_quoted(cardo_cif_lexer *lexer)
{
    char quote = *lexer->next;
    const char *start = lexer->next + 1;
    for (const char *p = start; p < lexer->end && !is_line_end(*p); ++p)
        if (*p == quote && (p + 1 == lexer->end || is_space(p[1]))) {
            lexer->next = p + 1;
            return (cardo_cif_token){CARDO_CIF_VALUE, start, (size_t)(p - start), lexer->line,
                                     true};
        }
    return broken(lexer, "a quoted value does not end in its line", lexer->line);
}

static bool begins_with(const cardo_cif_token *token, const char *word)
{
    size_t length = strlen(word);
    return token->length >= length && cardo_same_start(token->text, word, length);
}

static bool equals(const cardo_cif_token *token, const char *word)
{
    return token->length == strlen(word) && begins_with(token, word);
}

static void classify(cardo_cif_token *token)
{
    if (token->text[0] == '_') {
        token->kind = CARDO_CIF_TAG;
        return;
    }
    /* All reserved words hold an underscore; few values do. */
    if (!memchr(token->text, '_', token->length < 8 ? token->length : 8))
        return;
    if (begins_with(token, "data_")) {
        token->kind = CARDO_CIF_DATA;
        token->text += 5;
        token->length -= 5;
    } else if (equals(token, "loop_")) {
        token->kind = CARDO_CIF_LOOP;
    } else if (begins_with(token, "save_") || equals(token, "global_") || equals(token, "stop_")) {
        token->kind = CARDO_CIF_FRAME;
    }
}

cardo_cif_token cardo_cif_next(cardo_cif_lexer *lexer)
{
    skip_space_and_comments(lexer);
    const char *start = lexer->next, *p = start;
    if (start == lexer->end)
        return (cardo_cif_token){CARDO_CIF_END, start, 0, lexer->line, false};
    if (*start == ';' && at_line_start(lexer))
        return read_text_field(lexer);
    if (*start == '\'' || *start == '"')
        return read_quoted(lexer);
    while (p < lexer->end && !is_space(*p))
        ++p;
    lexer->next = p;
    cardo_cif_token token = {CARDO_CIF_VALUE, start, (size_t)(p - start), lexer->line, false};
    classify(&token);
    return token;
}

bool cardo_cif_is_null(const cardo_cif_token *token)
{
    return token->length == 1 && !token->quoted && (token->text[0] == '?' || token->text[0] == '.');
}
