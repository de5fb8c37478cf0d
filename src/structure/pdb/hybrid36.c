#include "structure/pdb/hybrid36.h"

#include "base/number.h"

#include <stdio.h>

static int power(int base, int exponent)
{
    int p = 1;
    while (exponent-- > 0)
        p *= base;
    return p;
}

static int digit_of(char c, char first_letter)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= first_letter && c < first_letter + 26)
        return c - first_letter + 10;
    return -1;
}

bool cardo_hybrid36_decode(const char *field, int width, int *value)
{
    if (cardo_parse_int(field, width, value))
        return true;
    bool upper = field[0] >= 'A' && field[0] <= 'Z';
    bool lower = field[0] >= 'a' && field[0] <= 'z';
    if (!upper && !lower)
        return false;
    int sum = 0;
    for (int i = 0; i < width; ++i) {
        int digit = digit_of(field[i], upper ? 'A' : 'a');
        if (digit < 0)
            return false;
        sum = 36 * sum + digit;
    }
    int block = power(36, width - 1);
    *value = sum - 10 * block + power(10, width) + (lower ? 26 * block : 0);
    return true;
}

bool cardo_hybrid36_encode(int value, int width, char *field)
{
    int decimals = power(10, width), block = power(36, width - 1);
    if (value > -decimals / 10 && value < decimals) {
        snprintf(field, (size_t)width + 1, "%*d", width, value);
        return true;
    }
    if (value < 0 || value - decimals >= 52 * block)
        return false;
    int rest = value - decimals;
    char first_letter = rest < 26 * block ? 'A' : 'a';
    rest = rest % (26 * block) + 10 * block;
    field[width] = '\0';
    for (int i = width - 1; i >= 0; --i, rest /= 36)
        field[i] = (char)(rest % 36 < 10 ? '0' + rest % 36 : first_letter + rest % 36 - 10);
    return true;
}
