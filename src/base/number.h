/* Numbers as text, with a point whatever the locale of the process or thread says: the one place that reads
 * and writes them. The library lives in programs whose locale may have a decimal comma, and setlocale would
 * change it for all their threads; so the locale "C" is held for the calling thread, for the length of a
 * call. A lint sees to it that floating-point numbers are read and written nowhere else. */
#ifndef CARDO_BASE_NUMBER_H
#define CARDO_BASE_NUMBER_H

#include "cardo/text.h"

#include <locale.h>
#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As vsnprintf in the locale "C". */
int cardo_format_list(char *text, size_t size, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
/* Prints after the text that is there already; what does not fit into size is cut off. */
void cardo_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* strtod in the locale "C": the number at the beginning of a text, and where it ends. */
double cardo_read_double(const char *text, char **end);

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

#endif
