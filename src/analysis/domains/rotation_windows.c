/* Domains by the rotations of short windows of backbone (Hayward & Berendsen 1998): candidates are
 * the rotations of single windows, and a residue costs the angle between its window's rotation and
 * the body's. Angles between rotations are used, not differences of rotation vectors, which jump at
 * half a turn. */
#include "analysis/domains/steps.h"
#include "base/linalg.h"

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

bool cardo_nearest_rotation(const cardo_mat33 *A, cardo_mat33 *R)
{
    cardo_mat33 U, V;
    double s[3];
    if (cardo_svd33(A, &U, s, &V, NULL) != CARDO_OK || !(s[1] > 1e-12 * s[0]))
        return false;
    if (m33_determinant(U) * m33_determinant(V) < 0)
        for (int i = 0; i < 3; ++i)
            U.m[i][2] = -U.m[i][2];
    *R = m33_mul(U, m33_transpose(V));
    return true;
}

enum { REWEIGHTINGS = 8 };

/* The rotation with the least mean angle to those of the windows: weighted means, reweighted by the
 * angle, of which a degree is the least. */
static bool mean_rotation(domain_search *search, int count, const int *list, cardo_transform *X)
{
    const double least = 0.02;
    for (int round = 0; round <= REWEIGHTINGS; ++round) {
        cardo_mat33 sum = {{{0}}};
        for (int k = 0; k < count; ++k) {
            double weight = round ? 1 / fmax(cardo_domain_turn(search, list[k], X), least) : 1;
            const cardo_mat33 *R = &search->rotation[list[k]];
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    sum.m[i][j] += weight * R->m[i][j];
        }
        if (!cardo_nearest_rotation(&sum, &X->R))
            return false;
    }
    X->p = v3(0, 0, 0);
    return true;
}

const cardo_domain_method cardo_rotation_windows = {.name = "rotation windows",
                                                    .candidates = candidates,
                                                    .fit = mean_rotation,
                                                    .cost = cardo_domain_turn,
                                                    .separates = true};
