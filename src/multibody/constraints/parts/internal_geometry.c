#include "multibody/constraints/parts/internal_geometry.h"

#include <math.h>
#include <stddef.h>

/* A vector and how it changes. */
typedef struct moving {
    cardo_vec3 at, rate;
} moving;

/* A number and how it changes. */
typedef struct changing {
    double at, rate;
} changing;

static moving between(const cardo_vec3 *point, const cardo_vec3 *velocity, int from, int to)
{
    return (moving){v3_sub(point[to], point[from]),
                    velocity ? v3_sub(velocity[to], velocity[from]) : v3(0, 0, 0)};
}

static moving cross(moving a, moving b)
{
    return (moving){v3_cross(a.at, b.at), v3_add(v3_cross(a.rate, b.at), v3_cross(a.at, b.rate))};
}

static changing dot(moving a, moving b)
{
    return (changing){v3_dot(a.at, b.at), v3_dot(a.rate, b.at) + v3_dot(a.at, b.rate)};
}

static changing root(changing x)
{
    const double value = sqrt(x.at);
    return (changing){value, x.rate / (2 * value)};
}

static changing product(changing x, changing y)
{
    return (changing){x.at * y.at, x.rate * y.at + x.at * y.rate};
}

static changing quotient(changing x, changing y)
{
    const double value = x.at / y.at;
    return (changing){value, (x.rate - value * y.rate) / y.at};
}

static moving scaled(changing s, moving a)
{
    return (moving){v3_scale(s.at, a.at), v3_add(v3_scale(s.rate, a.at), v3_scale(s.at, a.rate))};
}

static moving sum(moving a, moving b)
{
    return (moving){v3_add(a.at, b.at), v3_add(a.rate, b.rate)};
}

static moving opposite(moving a)
{
    return (moving){v3_neg(a.at), v3_neg(a.rate)};
}

static const changing one = {1, 0};

static void distance(const cardo_vec3 *point, const cardo_vec3 *velocity, moving *gradient)
{
    const moving line = between(point, velocity, 0, 1);
    const changing square = dot(line, line);
    if (!(square.at > 0))
        return;
    gradient[1] = scaled(quotient(one, root(square)), line);
    gradient[0] = opposite(gradient[1]);
}

/* u and v lead from the second point to the others, n = u x v: u x n/(u^2 |n|) and n x v/(v^2 |n|). */
static void angle(const cardo_vec3 *point, const cardo_vec3 *velocity, moving *gradient)
{
    const moving u = between(point, velocity, 1, 0), v = between(point, velocity, 1, 2);
    const moving n = cross(u, v);
    if (!(v3_dot(n.at, n.at) > 0))
        return;
    const changing size = root(dot(n, n));
    gradient[0] = scaled(quotient(one, product(dot(u, u), size)), cross(u, n));
    gradient[2] = scaled(quotient(one, product(dot(v, v), size)), cross(n, v));
    gradient[1] = opposite(sum(gradient[0], gradient[2]));
}

static void dihedral(const cardo_vec3 *point, const cardo_vec3 *velocity, moving *gradient)
{
    const moving F = between(point, velocity, 1, 0), G = between(point, velocity, 2, 1),
                 H = between(point, velocity, 2, 3);
    const moving A = cross(F, G), B = cross(H, G);
    if (!(v3_dot(A.at, A.at) > 0 && v3_dot(B.at, B.at) > 0))
        return;
    const changing square = dot(G, G), length = root(square);
    const moving first = opposite(scaled(quotient(length, dot(A, A)), A));
    const moving last = scaled(quotient(length, dot(B, B)), B);
    const moving shared =
        sum(scaled(quotient(dot(F, G), square), first), scaled(quotient(dot(H, G), square), last));
    gradient[0] = first;
    gradient[3] = last;
    gradient[1] = opposite(sum(first, shared));
    gradient[2] = sum(shared, opposite(last));
}

static void differentiate(int n, const cardo_vec3 *point, const cardo_vec3 *velocity,
                          moving *gradient)
{
    for (int k = 0; k < n; ++k)
        gradient[k] = (moving){0};
    if (n == 2)
        distance(point, velocity, gradient);
    else if (n == 3)
        angle(point, velocity, gradient);
    else
        dihedral(point, velocity, gradient);
}

void cardo_internal_gradient(int n, const cardo_vec3 *point, cardo_vec3 *gradient)
{
    moving all[4];
    differentiate(n, point, NULL, all);
    for (int k = 0; k < n; ++k)
        gradient[k] = all[k].at;
}

void cardo_internal_gradient_rate(int n, const cardo_vec3 *point, const cardo_vec3 *velocity,
                                  cardo_vec3 *rate)
{
    moving all[4];
    differentiate(n, point, velocity, all);
    for (int k = 0; k < n; ++k)
        rate[k] = all[k].rate;
}

double cardo_internal_value(int n, const cardo_vec3 *point)
{
    const cardo_vec3 u = v3_sub(point[1], point[0]);
    if (n == 2)
        return v3_norm(u);
    const cardo_vec3 v = v3_sub(point[2], point[1]);
    const cardo_vec3 a = v3_cross(u, v);
    if (n == 3)
        return atan2(v3_norm(a), -v3_dot(u, v));
    const cardo_vec3 b = v3_cross(v, v3_sub(point[3], point[2]));
    return atan2(v3_norm(v) * v3_dot(u, b), v3_dot(a, b));
}
