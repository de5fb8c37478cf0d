#include "forces/rigid/kernels/monomials.h"

#include <string.h>

/* With one power more, or less, of an axis. */
static int moved(const unsigned char power[3], int axis, int by)
{
    int p[3] = {power[0], power[1], power[2]};
    p[axis] += by;
    return cardo_monomial(p[0], p[1], p[2]);
}

static void list(cardo_monomials *m, int i, int j, int k)
{
    const int number = cardo_monomial(i, j, k);
    m->of[number].power[0] = (unsigned char)i;
    m->of[number].power[1] = (unsigned char)j;
    m->of[number].power[2] = (unsigned char)k;
    const unsigned char *power = m->of[number].power;
    const int axis = i > 0 ? 0 : j > 0 ? 1 : 2;
    m->of[number].axis = (unsigned char)axis;
    m->of[number].inverse = power[axis] > 0 ? 1.0 / power[axis] : 0;
    m->of[number].one = (unsigned char)(power[axis] > 0 ? moved(power, axis, -1) : 0);
    m->of[number].two = (unsigned char)(power[axis] > 1 ? moved(power, axis, -2) : 0);
    for (int d = 0; d < 3 && number < m->size; ++d)
        m->of[number].up[d] = (unsigned char)moved(power, d, 1);
}

void cardo_monomials_list(int order, cardo_monomials *m)
{
    int n = 0;
    m->order = order;
    m->size = cardo_monomials_to(order);
    m->next = cardo_monomials_to(order + 1);
    for (int total = 0; total <= order + 1; ++total)
        for (int i = total; i >= 0; --i)
            for (int j = total - i; j >= 0; --j)
                list(m, i, j, total - i - j);
    for (int a = 0; a < m->size; ++a)
        for (int b = 0; b < cardo_monomial_partners(m, a); ++b) {
            const unsigned char *p = m->of[a].power, *q = m->of[b].power;
            m->product[n++] = (unsigned char)cardo_monomial(p[0] + q[0], p[1] + q[1], p[2] + q[2]);
        }
}

void cardo_monomials_at(const cardo_monomials *m, const double x[3], double *values)
{
    values[0] = 1;
    for (int a = 1; a < m->size; ++a) {
        const int axis = m->of[a].axis;
        values[a] = values[m->of[a].one] * x[axis] * m->of[a].inverse;
    }
}

void cardo_monomials_raise(const cardo_monomials *m, const double by[3], const double *moments,
                           double *to)
{
    double values[CARDO_MONOMIALS];
    const unsigned char *product = m->product;
    cardo_monomials_at(m, by, values);
    for (int a = 0; a < m->size; ++a)
        for (int b = 0, n = cardo_monomial_partners(m, a); b < n; ++b)
            to[*product++] += moments[a] * values[b];
}

void cardo_monomials_lower(const cardo_monomials *m, const double by[3], const double *series,
                           double *to)
{
    double values[CARDO_MONOMIALS];
    const unsigned char *product = m->product;
    cardo_monomials_at(m, by, values);
    for (int a = 0; a < m->size; ++a) {
        double sum = 0;
        for (int b = 0, n = cardo_monomial_partners(m, a); b < n; ++b)
            sum += series[*product++] * values[b];
        to[a] = sum;
    }
}

void cardo_monomials_turn(const cardo_monomials *m, cardo_mat33 R, int order, const double *before,
                          double *matrix)
{
    const int first = cardo_monomials_to(order - 1), n = cardo_monomials_to(order) - first;
    const int first_before = cardo_monomials_to(order - 2), n_before = first - first_before;
    memset(matrix, 0, sizeof *matrix * (size_t)(n * n));
    if (order == 0)
        matrix[0] = 1;
    for (int a = 0; a < n && order > 0; ++a) {
        const int axis = m->of[first + a].axis, one = m->of[first + a].one - first_before;
        for (int b = 0; b < n_before; ++b)
            for (int d = 0; d < 3; ++d) {
                const int up = m->of[first_before + b].up[d];
                matrix[a * n + up - first] += before[one * n_before + b] * R.m[axis][d] *
                                              m->of[up].power[d] / m->of[first + a].power[axis];
            }
    }
}
