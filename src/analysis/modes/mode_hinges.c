#include "analysis/modes/mode_hinges.h"

#include "base/memory.h"
#include "base/vec.h"

#include <math.h>
#include <stdbool.h>

enum { WINDOW = 5 };

/* Turns that differ by less than this share are equal. */
static const double EQUAL = 1e-9;

static cardo_vec3 rotation_of(const double *rotation, int i)
{
    return v3_load(rotation + 3 * (size_t)i);
}

static double find_spread(int n, const double *rotation)
{
    cardo_vec3 mean = v3(0, 0, 0);
    double square = 0;
    for (int i = 0; i < n; ++i)
        mean = v3_add_scaled(mean, 1.0 / n, rotation_of(rotation, i));
    for (int i = 0; i < n; ++i) {
        cardo_vec3 d = v3_sub(rotation_of(rotation, i), mean);
        square += v3_dot(d, d) / n;
    }
    return sqrt(square);
}

/* The turn between residues i and i + 1; 0 where there is no window on either side. */
static double find_turn(int n, const double *rotation, const int *chain, int i)
{
    cardo_vec3 before = v3(0, 0, 0), after = v3(0, 0, 0);
    if (i - WINDOW + 1 < 0 || i + WINDOW >= n || chain[i - WINDOW + 1] != chain[i + WINDOW])
        return 0;
    for (int k = 0; k < WINDOW; ++k) {
        before = v3_add_scaled(before, 1.0 / WINDOW, rotation_of(rotation, i - k));
        after = v3_add_scaled(after, 1.0 / WINDOW, rotation_of(rotation, i + 1 + k));
    }
    return v3_norm(v3_sub(after, before));
}

/* Largest within the window; of equal ones the first. */
static bool is_largest(int n, const double *turn, int i)
{
    for (int k = i - WINDOW; k <= i + WINDOW; ++k) {
        if (k < 0 || k >= n || k == i)
            continue;
        if (turn[k] > turn[i] * (1 + EQUAL) || (k < i && turn[k] > turn[i] * (1 - EQUAL)))
            return false;
    }
    return true;
}

cardo_status cardo_mode_hinges(int n, const double *rotation, const int *chain,
                               cardo_mode_hinge **hinges, int *count, cardo_error *error)
{
    double *turn;
    int capacity = 0;
    *hinges = NULL;
    *count = 0;
    cardo_status status = CARDO_ALLOCATE(&turn, n, error);
    if (status != CARDO_OK)
        return status;
    const double spread = find_spread(n, rotation);
    for (int i = 0; i < n; ++i)
        turn[i] = find_turn(n, rotation, chain, i);
    for (int i = 0; i < n && status == CARDO_OK; ++i) {
        if (!(turn[i] > spread) || !is_largest(n, turn, i))
            continue;
        status = CARDO_RESERVE(hinges, &capacity, *count + 1, error);
        if (status == CARDO_OK)
            (*hinges)[(*count)++] =
                (cardo_mode_hinge){.before = i, .turn = turn[i], .spread = turn[i] / spread};
    }
    cardo_free(turn);
    if (status != CARDO_OK) {
        cardo_free(*hinges);
        *hinges = NULL;
        *count = 0;
    }
    return status;
}
