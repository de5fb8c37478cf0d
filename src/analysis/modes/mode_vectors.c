#include "analysis/modes/mode_vectors.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"

#include <float.h>
#include <math.h>

/* An eigenvalue below this share of the largest is rounding. */
static const double RIGID_SHARE = 1e-11;

/* One of which no more is left than so many times the rounding of the terms that cancel in it is none. */
static const double ROUNDING = 4096 * DBL_EPSILON;

/* So much less than the largest resistance is none. */
static const double HELD_SHARE = 1e-10;

cardo_status cardo_mode_freedoms(const cardo_system *system, const cardo_state *state,
                                 int *freedoms, cardo_error *error)
{
    *freedoms = cardo_system_nu(system);
    return cardo_constraint_row_count(system) > 0
               ? cardo_degrees_of_freedom(system, state, freedoms, error)
               : CARDO_OK;
}

void cardo_modes_destroy(cardo_modes *modes)
{
    if (!modes)
        return;
    cardo_free(modes->eigenvalue);
    cardo_free(modes->speed);
    cardo_free(modes);
}

int cardo_modes_active_speeds(const cardo_system *system, const double *diagonal, int *active)
{
    double largest = 0;
    int n = 0;
    for (int k = 0; k < cardo_system_nu(system); ++k)
        largest = fmax(largest, fabs(diagonal[k]));
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        for (int k = info.u_first; k < info.u_first + info.nu; ++k)
            if (info.parent == 0 || fabs(diagonal[k]) > HELD_SHARE * largest)
                active[n++] = k;
    }
    return n;
}

int cardo_modes_count_stiffless(int n, int nmode, double scale, const double *root,
                                const double *eigenvalue, const double *vectors)
{
    int m = 0;
    for (; m < nmode; ++m) {
        double terms = 0;
        for (int a = 0; a < n; ++a)
            terms += fabs(vectors[(size_t)m * (size_t)n + (size_t)a]) * root[a];
        if (fabs(eigenvalue[m]) > fmax(RIGID_SHARE * scale, ROUNDING * terms * terms))
            break;
    }
    return m;
}
