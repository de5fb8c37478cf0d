/* Domains by the rotations of short windows of backbone (Hayward & Berendsen 1998): candidates are
 * the rotations of single windows, and a residue costs the angle between its window's rotation and
 * the body's. Angles between rotations are used, not differences of rotation vectors, which jump at
 * half a turn. */
#include "analysis/partition.h"

double cardo_domain_turn(const domain_search *search, int residue, const cardo_transform *X)
{
    const cardo_mat33 *R = &search->rotation[residue];
    double trace = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            trace += R->m[i][j] * X->R.m[i][j];
    return acos(fmax(-1, fmin(1, (trace - 1) / 2)));
}

static int candidates(domain_search *search, int count, const int *list,
                      cardo_transform X[DOMAIN_CANDIDATES])
{
    int n = count < DOMAIN_CANDIDATES ? count : DOMAIN_CANDIDATES;
    for (int s = 0; s < n; ++s) {
        long long k = n > 1 ? (long long)s * (count - 1) / (n - 1) : 0;
        X[s] = (cardo_transform){.R = search->rotation[list[k]]};
    }
    return n;
}

const cardo_domain_method cardo_rotation_windows = {"rotation windows", candidates,
                                                    cardo_domain_turn};
