#include "base/number.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ------------ the locale "C", made once and never freed ------------ */

static pthread_once_t made = PTHREAD_ONCE_INIT;
static locale_t plain;

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    assert(plain);
}

locale_t cardo_numbers_begin(void)
{
    pthread_once(&made, make_plain);
    return uselocale(plain);
}

void cardo_numbers_end(locale_t outer)
{
    uselocale(outer);
}

/* ------------ writing ------------ */

int cardo_format_list(char *text, size_t size, const char *format, va_list arguments)
{
    locale_t outer = cardo_numbers_begin();
    int length = vsnprintf(text, size, format, arguments);
    cardo_numbers_end(outer);
    return length;
}

int cardo_format(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = cardo_format_list(text, size, format, arguments);
    va_end(arguments);
    return length;
}

void cardo_append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    cardo_format_list(text + used, size - used, format, arguments);
    va_end(arguments);
}

int cardo_print(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    locale_t outer = cardo_numbers_begin();
    int length = vfprintf(stream, format, arguments);
    cardo_numbers_end(outer);
    va_end(arguments);
    return length;
}

/* ------------ reading ------------ */

double cardo_read_double(const char *text, char **end)
{
    pthread_once(&made, make_plain);
    return strtod_l(text, end, plain);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim(const char **text, int *length)
{
    while (*length > 0 && is_blank((*text)[0])) {
        ++*text;
        --*length;
    }
    while (*length > 0 && is_blank((*text)[*length - 1]))
        --*length;
}

/* Digits beyond these would overflow the exact path; strtod handles them. */
enum { EXACT_DIGITS = 15 };

static bool parse_exactly(const char *p, const char *end, double *value)
{
    static const double power[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    bool negative = false, point = false;
    int digits = 0, decimals = 0;
    long long mantissa = 0;
    if (p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    for (; p < end; ++p) {
        if (*p == '.' && !point) {
            point = true;
            continue;
        }
        if (*p < '0' || *p > '9' || ++digits > EXACT_DIGITS)
            return false;
        mantissa = mantissa * 10 + (*p - '0');
        decimals += point;
    }
    if (digits == 0)
        return false;
    /* Both operands are exact, so the quotient is correctly rounded. */
    double x = (double)mantissa / power[decimals];
    *value = negative ? -x : x;
    return true;
}

static bool looks_decimal(const char *text, int length)
{
    for (int i = 0; i < length; ++i)
        if (!strchr("0123456789+-.eE", text[i]) || text[i] == '\0')
            return false;
    return true;
}

bool cardo_parse_double(const char *text, int length, double *value)
{
    trim(&text, &length);
    if (length == 0 || length > 300 || !looks_decimal(text, length))
        return false;
    if (parse_exactly(text, text + length, value))
        return true;
    char copy[320], *stop;
    memcpy(copy, text, (size_t)length);
    copy[length] = '\0';
    double x = cardo_read_double(copy, &stop);
    if (stop != copy + length || !isfinite(x))
        return false;
    *value = x;
    return true;
}

bool cardo_parse_long(const char *text, int length, long long *value)
{
    trim(&text, &length);
    bool negative = false;
    int i = 0;
    if (i < length && (text[i] == '-' || text[i] == '+'))
        negative = text[i++] == '-';
    if (i == length)
        return false;
    long long x = 0;
    for (; i < length; ++i) {
        int digit = text[i] - '0';
        if (digit < 0 || digit > 9 || x > (LLONG_MAX - digit) / 10)
            return false;
        x = x * 10 + digit;
    }
    *value = negative ? -x : x;
    return true;
}

bool cardo_parse_int(const char *text, int length, int *value)
{
    long long x;
    if (!cardo_parse_long(text, length, &x) || x < INT_MIN || x > INT_MAX)
        return false;
    *value = (int)x;
    return true;
}
