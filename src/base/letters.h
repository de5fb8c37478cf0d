/* Letters of ASCII, of which the names in files and on command lines are made, whatever the locale calls a letter: in
 * a Turkish one the functions of <ctype.h> and <strings.h> take I and i for different letters, and LI for no element. */
#ifndef CARDO_BASE_LETTERS_H
#define CARDO_BASE_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

static inline char cardo_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static inline char cardo_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool cardo_is_letter(char c)
{
    return cardo_upper(c) >= 'A' && cardo_upper(c) <= 'Z';
}

/* A blank, tab, or end of a line. */
static inline bool cardo_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Are the texts the same, but for upper and lower case, over their first length characters? They end there, or at a NUL. */
static inline bool cardo_same_start(const char *one, const char *other, size_t length)
{
    for (size_t k = 0; k < length; ++k) {
        if (cardo_upper(one[k]) != cardo_upper(other[k]))
            return false;
        if (one[k] == '\0')
            return true;
    }
    return true;
}

/* The same over all of them. */
static inline bool cardo_same_letters(const char *one, const char *other)
{
    return cardo_same_start(one, other, (size_t)-1);
}

#endif
