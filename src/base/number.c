#include "base/number.h"

#include "base/units.h"

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

/* Kinds of quantities; a unit is a size and a power of each. */
enum { TIME, LENGTH, TEMPERATURE, ENERGY, AMOUNT, ANGLE, SHARE, MASS, CHARGE, KINDS };

typedef struct measure {
    double up,
        down; /* its size in ps, nm, K, kJ, mol, rad, %, u, e is up / down, both of them exact */
    int power[KINDS];
} measure;

static const struct {
    const char *name;
    int kind;
    double up, down;
} atoms[] = {
    {"ps", TIME, 1, 1},
    {"fs", TIME, 1, 1e3},
    {"ns", TIME, 1e3, 1},
    {"us", TIME, 1e6, 1},
    {"ms", TIME, 1e9, 1},
    {"s", TIME, 1e12, 1},
    {"nm", LENGTH, 1, 1},
    {"A", LENGTH, 1, 10},
    {"pm", LENGTH, 1, 1e3},
    {"K", TEMPERATURE, 1, 1},
    {"kJ", ENERGY, 1, 1},
    {"kcal", ENERGY, CARDO_KILOCALORIE, 1},
    {"J", ENERGY, 1, 1e3},
    {"mol", AMOUNT, 1, 1},
    {"rad", ANGLE, 1, 1},
    {"deg", ANGLE, 3.14159265358979323846, 180},
    {"degree", ANGLE, 3.14159265358979323846, 180},
    {"degrees", ANGLE, 3.14159265358979323846, 180},
    {"%", SHARE, 1, 1},
    {"u", MASS, 1, 1},
    {"e", CHARGE, 1, 1},
};

enum { NATOM = sizeof atoms / sizeof *atoms, HIGHEST_POWER = 6 };

static int skip(const char *text, const char *set)
{
    return (int)strspn(text, set);
}

/* "^2", "^-1" or nothing; returns what it takes up, or -1. */
static int read_power(const char *text, int *power)
{
    *power = 1;
    if (*text != '^')
        return 0;
    const int minus = text[1] == '-';
    const char digit = text[1 + minus];
    *power = digit - '0';
    if (*power < 1 || *power > HIGHEST_POWER || skip(text + 1 + minus, "0123456789") != 1)
        return -1;
    *power = minus ? -*power : *power;
    return 2 + minus;
}

static void multiply(measure *m, int atom, int power)
{
    m->power[atoms[atom].kind] += power;
    for (int k = power < 0 ? -power : power; k > 0; --k) {
        m->up *= power > 0 ? atoms[atom].up : atoms[atom].down;
        m->down *= power > 0 ? atoms[atom].down : atoms[atom].up;
    }
}

/* One factor of a unit, "nm^2" or "1"; returns what it takes up, or -1. */
static int read_factor(const char *text, int sign, measure *m)
{
    const int length = (int)strcspn(text, "^/* ");
    int power;
    if (length == 1 && text[0] == '1')
        return 1;
    for (int k = 0; k < NATOM; ++k)
        if ((int)strlen(atoms[k].name) == length &&
            strncmp(atoms[k].name, text, (size_t)length) == 0) {
            const int used = read_power(text + length, &power);
            if (used < 0)
                return -1;
            multiply(m, k, sign * power);
            return length + used;
        }
    return -1;
}

static bool read_unit(const char *text, measure *m)
{
    *m = (measure){.up = 1, .down = 1};
    int sign = 1;
    text += skip(text, " ");
    if (*text == '/') {
        sign = -1;
        ++text;
    }
    for (;;) {
        const int used = read_factor(text, sign, m);
        if (used < 0)
            return false;
        text += used;
        const int blanks = skip(text, " ");
        text += blanks;
        if (!*text)
            return true;
        if (*text != '/' && *text != '*' && !blanks)
            return false;
        sign = *text == '/' ? -1 : 1;
        text += *text == '/' || *text == '*';
        text += skip(text, " ");
    }
}

/* How much of a text is a number. */
static int number_length(const char *text)
{
    int n = skip(text, "+-");
    const int whole = skip(text + n, "0123456789");
    n += whole;
    int part = 0;
    if (text[n] == '.') {
        part = skip(text + n + 1, "0123456789");
        n += 1 + part;
    }
    if (whole + part == 0)
        return 0;
    if (text[n] == 'e' || text[n] == 'E') {
        const int sign = text[n + 1] == '-' || text[n + 1] == '+';
        const int digits = skip(text + n + 1 + sign, "0123456789");
        n += digits ? 1 + sign + digits : 0;
    }
    return n;
}

bool cardo_unit_part(const char *text, const char *unit, int *number, double *factor)
{
    measure given, wanted;
    const int blanks = skip(text, " "), length = number_length(text + blanks);
    *factor = 1.0;
    *number = (int)strlen(text);
    while (*number > 0 && text[*number - 1] == ' ')
        --*number;
    if (length == 0 || blanks + length == *number)
        return true;
    const int end = *number;
    *number = blanks + length;
    const int start = *number + skip(text + *number, " ");
    if (unit && (int)strlen(unit) == end - start && strncmp(text + start, unit, strlen(unit)) == 0)
        return true;
    if (!unit || !read_unit(unit, &wanted) || !read_unit(text + *number, &given) ||
        memcmp(given.power, wanted.power, sizeof given.power) != 0)
        return false;
    *factor = given.up * wanted.down / (given.down * wanted.up);
    return true;
}

bool cardo_unit_is_missing(const char *text)
{
    const int blanks = skip(text, " "), length = number_length(text + blanks);
    return length > 0 && text[blanks + length + skip(text + blanks + length, " ")] == '\0';
}
