#include "structure/atoms/superpose.h"

#include "base/linalg.h"

#include <stddef.h>

/* Weighted centroids, the weighted inner moments of a and b, and their correlation. */
typedef struct moments {
    cardo_vec3 mean_a, mean_b;
    double weight;
    cardo_mat33 correlation; /* sum w b a^T about the centroids */
    cardo_mat33 spread_a;    /* sum w a a^T                     */
} moments;

static moments gather(int n, const double *a, const double *b, const double *weights)
{
    moments m = {.weight = 0};
    for (int k = 0; k < n; ++k) {
        double w = weights ? weights[k] : 1.0;
        m.weight += w;
        m.mean_a = v3_add_scaled(m.mean_a, w, v3_load(a + 3 * (size_t)k));
        m.mean_b = v3_add_scaled(m.mean_b, w, v3_load(b + 3 * (size_t)k));
    }
    m.mean_a = v3_scale(1.0 / m.weight, m.mean_a);
    m.mean_b = v3_scale(1.0 / m.weight, m.mean_b);
    for (int k = 0; k < n; ++k) {
        double w = weights ? weights[k] : 1.0, pa[3], pb[3];
        v3_store(pa, v3_sub(v3_load(a + 3 * (size_t)k), m.mean_a));
        v3_store(pb, v3_sub(v3_load(b + 3 * (size_t)k), m.mean_b));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                m.correlation.m[i][j] += w * pb[i] * pa[j];
                m.spread_a.m[i][j] += w * pa[i] * pa[j];
            }
    }
    return m;
}

/* Points on a line leave a rotation about it free: the second singular value of the correlation
 * vanishes beside the first. The bound is the square of a millionth, the relative width of a line.
 */
static bool is_determined(const double s[3])
{
    return s[0] > 0 && s[1] > 1e-12 * s[0];
}

cardo_status cardo_superpose(int n, const double *a, const double *b, const double *weights,
                             cardo_transform *X, double *rmsd, cardo_error *error)
{
    if (n < 3)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a superposition needs at least 3 points, there are %d", n);
    moments m = gather(n, a, b, weights);
    cardo_mat33 U, V, unused_U, unused_V;
    double s[3], spread[3];
    cardo_status status = cardo_svd33(&m.correlation, &U, s, &V, error);
    if (status == CARDO_OK)
        status = cardo_svd33(&m.spread_a, &unused_U, spread, &unused_V, error);
    if (status != CARDO_OK)
        return status;
    if (!is_determined(s) || !is_determined(spread))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the %d points to superpose lie on a line: choose residues that do not",
                          n);
    /* R = U diag(1, 1, d) V^T with d = +-1 so that R is no reflection. */
    if (m33_determinant(U) * m33_determinant(V) < 0)
        for (int i = 0; i < 3; ++i)
            U.m[i][2] = -U.m[i][2];
    X->R = m33_mul(U, m33_transpose(V));
    X->p = v3_sub(m.mean_b, m33_mul_v3(X->R, m.mean_a));
    if (rmsd) {
        double sum = 0;
        for (int k = 0; k < n; ++k) {
            cardo_vec3 d =
                v3_sub(xform_point(*X, v3_load(a + 3 * (size_t)k)), v3_load(b + 3 * (size_t)k));
            sum += (weights ? weights[k] : 1.0) * v3_dot(d, d);
        }
        *rmsd = sqrt(sum / m.weight);
    }
    return CARDO_OK;
}

double cardo_tm_score(int n, const double *a, const double *b, cardo_transform X)
{
    const double d0 = fmax(0.05, 0.124 * cbrt(fmax(0, n - 15.0)) - 0.18);
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        cardo_vec3 d = v3_sub(xform_point(X, v3_load(a + 3 * k)), v3_load(b + 3 * k));
        sum += 1 / (1 + v3_dot(d, d) / (d0 * d0));
    }
    return n > 0 ? sum / n : 0;
}

double cardo_rmsd(int n, const double *a, const double *b, cardo_transform X)
{
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        cardo_vec3 d =
            v3_sub(xform_point(X, v3_load(a + 3 * (size_t)k)), v3_load(b + 3 * (size_t)k));
        sum += v3_dot(d, d);
    }
    return n > 0 ? sqrt(sum / n) : 0;
}
