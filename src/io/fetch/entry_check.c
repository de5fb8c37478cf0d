#include "io/fetch/entry_check.h"

#include "base/letters.h"
#include "base/text.h"
#include "io/fetch/entry.h"
#include "structure/mmcif/cif.h"

#include <stdio.h>
#include <string.h>

enum { SHORT_ID = 4, EXTENDED_ID = 12, LONGEST_SHOWN = 40 };
static const char short_prefix[] = "pdb_0000";

/* A name as a file has it, cut to what messages show. */
typedef struct told_id {
    char text[LONGEST_SHOWN + 1];
} told_id;

static told_id copy_id(const char *text, size_t length)
{
    told_id id = {""};
    for (size_t i = 0; i < length && i < LONGEST_SHOWN; ++i)
        id.text[i] = text[i] > ' ' && text[i] <= '~' ? text[i] : '?';
    return id;
}

static bool is_id(const char *text)
{
    cardo_error unused = {0};
    return cardo_entry_id_check(text, &unused) == CARDO_OK;
}

/* 2LAO and pdb_00002lao are one entry. */
static bool same_entry(const char *one, const char *other)
{
    size_t n = strlen(short_prefix);
    if (strlen(one) == EXTENDED_ID && cardo_same_start(one, short_prefix, n))
        one += n;
    if (strlen(other) == EXTENDED_ID && cardo_same_start(other, short_prefix, n))
        other += n;
    return cardo_same_letters(one, other);
}

static bool is_tag(const cardo_cif_token *token, const char *name)
{
    return token->kind == CARDO_CIF_TAG && token->length == strlen(name) &&
           cardo_same_start(token->text, name, token->length);
}

/* _entry.id, which stands at the top of every file of the archive, or what the block is called. */
static told_id mmcif_id(const cardo_entry_text *entry)
{
    cardo_cif_lexer lexer = cardo_cif_begin(entry->text, entry->length);
    cardo_cif_token token = cardo_cif_next(&lexer);
    told_id block = {""};
    if (token.kind == CARDO_CIF_DATA)
        block = copy_id(token.text, token.length);
    while (token.kind != CARDO_CIF_END && token.kind != CARDO_CIF_BROKEN) {
        bool found = is_tag(&token, "_entry.id");
        token = cardo_cif_next(&lexer);
        if (found && token.kind == CARDO_CIF_VALUE && !cardo_cif_is_null(&token))
            return copy_id(token.text, token.length);
    }
    return is_id(block.text) ? block : (told_id){""};
}

static told_id pdb_id(const cardo_entry_text *entry)
{
    enum { FIRST = 63 };
    const char *next = entry->text, *end = entry->text + entry->length;
    cardo_line line = {0};
    while (cardo_next_line(&next, end, &line)) {
        if (line.length >= 6 && cardo_same_start(line.text, "ATOM  ", 6))
            break;
        if (line.length < FIRST + SHORT_ID - 1 || !cardo_same_start(line.text, "HEADER", 6))
            continue;
        told_id id = copy_id(line.text + FIRST - 1, SHORT_ID);
        return is_id(id.text) ? id : (told_id){""};
    }
    return (told_id){""};
}

cardo_status cardo_entry_check_id(const cardo_entry_text *entry, const char *id, bool *confirmed,
                                  cardo_error *error)
{
    told_id told = entry->pdb ? pdb_id(entry) : mmcif_id(entry);
    *confirmed = told.text[0] != '\0';
    if (!*confirmed || same_entry(told.text, id))
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "%s: this is entry %s, not %s (%s): look at the address, and whether a mirror "
        "or a proxy mixes up its files",
        entry->source, told.text, id,
        entry->pdb ? "columns 63-66 of HEADER" : "_entry.id, or its data block");
}

static bool is_line(const cardo_line *line, const char *word)
{
    int length = line->length;
    while (length > 0 && strchr(" \t", line->text[length - 1]))
        --length;
    return (size_t)length == strlen(word) && memcmp(line->text, word, (size_t)length) == 0;
}

/* Every file of the archive has these lines; how they end tells whether the last is there. */
typedef struct line_survey {
    bool any_separator; /* a line '#'                         */
    bool last_is_end;   /* the last line that is not blank is */
} line_survey;

static line_survey survey_lines(const cardo_entry_text *entry, const char *end_word)
{
    line_survey survey = {false, false};
    const char *next = entry->text, *end = entry->text + entry->length;
    cardo_line line = {0};
    while (cardo_next_line(&next, end, &line)) {
        survey.any_separator |= line.length > 0 && line.text[0] == '#' && is_line(&line, "#");
        if (!is_line(&line, ""))
            survey.last_is_end = is_line(&line, end_word);
    }
    return survey;
}

cardo_status cardo_entry_check_end(const cardo_entry_text *entry, cardo_error *error)
{
    const char *word = entry->pdb ? "END" : "#";
    line_survey survey = survey_lines(entry, word);
    bool ends_in_line = entry->length > 0 && strchr("\r\n", entry->text[entry->length - 1]);
    bool whole = survey.last_is_end;
    if (!entry->pdb && !survey.any_separator)
        whole = entry->length_known && ends_in_line;
    if (whole)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_FILE,
                      "%s: the file seems cut short after %zu bytes: its last line is not '%s'%s; "
                      "nothing is kept: try again, or name a mirror with url=ADDRESS",
                      entry->source, entry->length, word,
                      entry->length_known ? "" : ", and the server does not say how long it is");
}
