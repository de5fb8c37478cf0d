#include "structure/pdb/numbers.h"

#include "base/memory.h"
#include "structure/pdb/hybrid36.h"

#include <limits.h>

enum { WIDTH = 4, PLAIN = 0, HEXADECIMAL = 1, WAYS = 2 };

/* What it costs to read a field in some way after another: nothing where numbers go on. */
enum { GAP = 1, RESTART = 1, DROP = 3, FIRST_HEXADECIMAL = 3, SUDDEN_HEXADECIMAL = 4 };

bool cardo_hexadecimal_decode(const char *field, int width, int *value)
{
    bool upper = false, lower = false;
    int sum = 0, most = 1;
    for (int i = 0; i < width; ++i) {
        char c = field[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return false;
        upper |= c >= 'A' && c <= 'F';
        lower |= c >= 'a';
        sum = 16 * sum + digit;
        most *= 10;
    }
    *value = sum;
    return !(upper && lower) && sum >= most;
}

bool cardo_pdb_number_decode(const char *field, int width, int *value)
{
    return cardo_hybrid36_decode(field, width, value) ||
           cardo_hexadecimal_decode(field, width, value);
}

/* The best way to read all fields up to one, if that one is read in this way. */
typedef struct reading {
    bool possible;
    int value;
    long long cost;
    unsigned char before; /* the way of the field before */
} reading;

static int cost_of(const reading *before, int way_before, const reading *here, int way, bool fresh)
{
    long long step = (long long)here->value - before->value;
    if (step == 0 || step == 1)
        return 0;
    if (way == PLAIN)
        return fresh ? RESTART : step > 0 ? GAP : DROP;
    if (fresh || way_before == PLAIN)
        return SUDDEN_HEXADECIMAL;
    return step > 0 ? GAP : DROP;
}

static void read_field(const cardo_pdb_number *number, reading here[WAYS])
{
    here[PLAIN] = here[HEXADECIMAL] = (reading){.possible = false};
    here[PLAIN].possible = cardo_hybrid36_decode(number->field, WIDTH, &here[PLAIN].value);
    here[HEXADECIMAL].possible =
        cardo_hexadecimal_decode(number->field, WIDTH, &here[HEXADECIMAL].value);
}

/* Equal costs: the way of the field before goes on. */
static void choose_before(const reading before[WAYS], reading *here, int way, bool fresh)
{
    here->cost = LLONG_MAX;
    for (int k = 0; k < WAYS; ++k) {
        int w = k == 0 ? way : 1 - way;
        if (!before[w].possible)
            continue;
        long long cost = before[w].cost + cost_of(&before[w], w, here, way, fresh);
        if (cost < here->cost) {
            here->cost = cost;
            here->before = (unsigned char)w;
        }
    }
}

cardo_status cardo_pdb_numbers_resolve(int n, cardo_pdb_number *list, cardo_error *error)
{
    reading(*all)[WAYS] = NULL;
    cardo_status status = CARDO_ALLOCATE(&all, n, error);
    if (status != CARDO_OK || n == 0)
        return status;
    for (int i = 0; i < n; ++i) {
        read_field(&list[i], all[i]);
        all[i][HEXADECIMAL].cost = FIRST_HEXADECIMAL;
        for (int way = 0; i > 0 && way < WAYS; ++way)
            if (all[i][way].possible)
                choose_before(all[i - 1], &all[i][way], way, list[i].fresh);
    }
    const reading *last = all[n - 1];
    int way = !last[PLAIN].possible ||
                      (last[HEXADECIMAL].possible && last[HEXADECIMAL].cost < last[PLAIN].cost)
                  ? HEXADECIMAL
                  : PLAIN;
    for (int i = n - 1; i >= 0; --i) {
        list[i].value = all[i][way].value;
        way = all[i][way].before;
    }
    cardo_free(all);
    return CARDO_OK;
}
