/* Numbers as text, with a point whatever the locale of the process or thread says: the one place that reads
 * and writes them. The library lives in programs whose locale may have a decimal comma, and setlocale would
 * change it for all their threads; so the locale "C" is held for the calling thread, for the length of a
 * call. A lint sees to it that floating-point numbers are read and written nowhere else. */
#ifndef CARDO_BASE_NUMBER_H
#define CARDO_BASE_NUMBER_H

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* snprintf, vsnprintf and fprintf in the locale "C", with what these return. */
int cardo_format(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int cardo_format_list(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
/* Prints after the text that is there already; what does not fit into size is cut off. */
void cardo_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int cardo_print(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* strtod in the locale "C": the number at the beginning of a text, and where it ends. */
double cardo_read_double(const char *text, char **end);

/* Parses a decimal floating-point number that fills [text, text+length) but for blanks around it.
 * False when it is not one, not finite, or empty. Independent of the locale. */
bool cardo_parse_double(const char *text, int length, double *value);

/* Parses a decimal integer the same way; false on overflow. */
bool cardo_parse_int(const char *text, int length, int *value);
bool cardo_parse_long(const char *text, int length, long long *value);

/* Holds the locale "C" for the calling thread, around a call into another library that reads or writes numbers:
 * begin returns what end puts back. */
locale_t cardo_numbers_begin(void);
void cardo_numbers_end(locale_t outer);

#ifdef __cplusplus
}
#endif

/* Parts a text such as "2 fs", "2fs" or "2" into its number, text[0..*number), and by what that number is to be multiplied
 * to be in a unit (NULL or "": plain numbers); without a unit of its own by 1. false: its unit is none that is known
 * or is not of the same kind, nor that unit itself ("0.2 kT" where that is kT). Units are products and quotients of fs ps ns us ms s, pm A nm, K, kJ kcal J, mol, rad
 * degree deg, %, u e, each with a whole power: "418.4 kJ/mol/nm^2", "5 ps^-1". */
bool cardo_unit_part(const char *text, const char *unit, int *number, double *factor);

/* Whether a text is a number alone, without a unit. */
bool cardo_unit_is_missing(const char *text);

#endif
