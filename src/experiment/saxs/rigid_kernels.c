#include "experiment/saxs/rigid_tables.h"

#include "experiment/saxs/sine.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef cardo_eight eight;

enum {
    AMPLITUDES = CARDO_RIGID_AMPLITUDES,
    LANES = CARDO_RIGID_LANES,
    POINTS = CARDO_RIGID_POINTS
};

/* Turns about z by angle, in place or not; layer: W anew, instead of the third of from; NULL: it is not. */
INLINE void turn_about_z(int degree, double angle, const eight *from, const eight *layer, eight *to)
{
    const double c = cos(angle), s = sin(angle);
    double cosine = 1, sine = 0;
    for (int m = 0; m <= degree; ++m) {
        for (int l = m; l <= degree; ++l) {
            const int up = l * l + l + m, down = l * l + l - m;
            const eight *plus = from + up * AMPLITUDES, *minus = from + down * AMPLITUDES;
            eight *to_plus = to + up * AMPLITUDES, *to_minus = to + down * AMPLITUDES;
            for (int k = 0; k < AMPLITUDES; ++k) {
                const bool anew = layer && k == AMPLITUDES - 1;
                const eight p = anew ? layer[up] : plus[k], n = anew ? layer[down] : minus[k];
                to_minus[k] = p * sine + n * cosine;
                to_plus[k] = p * cosine - n * sine;
            }
        }
        const double next = c * cosine - s * sine;
        sine = s * cosine + c * sine;
        cosine = next;
    }
}

INLINE void quarter_turn(const cardo_quarter_turn *turn, int degree, const eight *from, eight *to)
{
    for (int l = 0; l <= degree; ++l)
        for (int m = -l; m <= l; ++m) {
            const int at = l * l + l + m, begin = cardo_quarter_turn_begin(l, m),
                      step = begin >= 0 ? 2 * AMPLITUDES : -2 * AMPLITUDES;
            const double *value = turn->value + turn->first[at];
            const int n = turn->first[at + 1] - turn->first[at];
            const eight *in = from + (l * l + l + begin) * AMPLITUDES;
            eight x = {0}, y = {0}, z = {0};
            for (int k = 0; k < n; ++k, in += step) {
                x += value[k] * in[0];
                y += value[k] * in[1];
                z += value[k] * in[2];
            }
            to[at * AMPLITUDES] = x;
            to[at * AMPLITUDES + 1] = y;
            to[at * AMPLITUDES + 2] = z;
        }
}

/* Ry(beta) = Rx(-90) Rz(beta) Rx(90), and Rx(-90) = Rz(180) Rx(90) Rz(180), of which the left one is left out. */
CARDO_EVERY_WIDTH
void cardo_rigid_turn(const cardo_quarter_turn *turn, int degree, const double angle[3],
                      const eight *from, const eight *layer, eight *between, eight *to)
{
    turn_about_z(degree, angle[2], from, layer, between);
    quarter_turn(turn, degree, between, to);
    turn_about_z(degree, angle[1] + CARDO_PI, to, NULL, to);
    quarter_turn(turn, degree, to, between);
    turn_about_z(degree, angle[0], between, NULL, to);
}

/* One body's amplitudes at POINTS points for one m: even and odd degrees apart. */
INLINE void synthesize(int degree, int m, const double *legendre, const eight *b,
                       eight out[2][AMPLITUDES][POINTS])
{
    const int size = m < 0 ? -m : m;
    for (int odd = 0; odd < 2; ++odd) {
        eight sum[AMPLITUDES][POINTS] = {{{0}}};
        for (int l = size + ((size + odd) & 1); l <= degree; l += 2) {
            const eight *at = b + (l * l + l + m) * AMPLITUDES;
            const double *P = legendre + (l * (l + 1) / 2 + size) * POINTS;
            for (int k = 0; k < AMPLITUDES; ++k)
                for (int j = 0; j < POINTS; ++j)
                    sum[k][j] += P[j] * at[k];
        }
        memcpy(out[odd], sum, sizeof sum);
    }
}

/* Real and imaginary parts of A B* for two of the amplitudes each. */
INLINE void multiply(const eight a[2], const eight b[2], eight *real, eight *imaginary)
{
    *real += a[0] * b[0] + a[1] * b[1];
    *imaginary += a[1] * b[0] - a[0] * b[1];
}

/* by_distance: the sums' derivatives by the distance are added too; NULL: not wanted. */
INLINE void add_cross(const cardo_rigid_block *block, const cardo_rigid_rule *rule, int degree_a,
                      const eight *a, int degree_b, const eight *b, double distance, eight *sum,
                      eight *by_distance)
{
    static const int of[CARDO_PARTIALS][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const int degree = degree_a < degree_b ? degree_a : degree_b;
    const size_t group = (size_t)(block->degree + 1) * (size_t)(block->degree + 2) / 2 * POINTS;
    for (int first = 0; first < rule->points; first += POINTS) {
        const double *legendre = rule->legendre + (size_t)(first / POINTS) * group;
        eight real[CARDO_PARTIALS][POINTS] = {{{0}}}, imaginary[CARDO_PARTIALS][POINTS] = {{{0}}};
        for (int m = -degree; m <= degree; ++m) {
            eight A[2][AMPLITUDES][POINTS], B[2][AMPLITUDES][POINTS];
            synthesize(degree_a, m, legendre, a, A);
            synthesize(degree_b, m, legendre, b, B);
            for (int p = 0; p < CARDO_PARTIALS; ++p)
                for (int j = 0; j < POINTS; ++j) {
                    const int x = of[p][0], y = of[p][1];
                    const eight ax[2] = {A[0][x][j], A[1][x][j]}, by[2] = {B[0][y][j], B[1][y][j]};
                    multiply(ax, by, &real[p][j], &imaginary[p][j]);
                    if (x != y) {
                        const eight ay[2] = {A[0][y][j], A[1][y][j]},
                                    bx[2] = {B[0][x][j], B[1][x][j]};
                        multiply(ay, bx, &real[p][j], &imaginary[p][j]);
                    }
                }
        }
        for (int j = 0; j < POINTS; ++j) {
            double c[LANES], s[LANES];
            eight cosine, sine, q;
            for (int k = 0; k < LANES; ++k) {
                const cardo_half_turns t =
                    cardo_take_half_turns(block->q[k] * distance * rule->x[first + j]);
                c[k] = t.sign * cardo_cosine_of_part(t.y);
                s[k] = t.sign * cardo_sine_of_part(t.y);
            }
            memcpy(&cosine, c, sizeof c);
            memcpy(&sine, s, sizeof s);
            memcpy(&q, block->q, sizeof q);
            for (int p = 0; p < CARDO_PARTIALS; ++p) {
                /* Twice: the two bodies' product and its conjugate; VE, VW and EW stand for one of two. */
                const double weight = (p < CARDO_PARTIAL_VE ? 4 : 2) * rule->weight[first + j];
                sum[p] += weight * (real[p][j] * cosine + imaginary[p][j] * sine);
                if (by_distance)
                    by_distance[p] += weight * rule->x[first + j] * q *
                                      (imaginary[p][j] * cosine - real[p][j] * sine);
            }
        }
    }
}

CARDO_EVERY_WIDTH
void cardo_rigid_cross(const cardo_rigid_block *block, const cardo_rigid_rule *rule, int degree_a,
                       const eight *a, int degree_b, const eight *b, double distance, eight *sum)
{
    add_cross(block, rule, degree_a, a, degree_b, b, distance, sum, NULL);
}

CARDO_EVERY_WIDTH
void cardo_rigid_cross_slope(const cardo_rigid_block *block, const cardo_rigid_rule *rule,
                             int degree_a, const eight *a, int degree_b, const eight *b,
                             double distance, eight *sum, eight *by_distance)
{
    add_cross(block, rule, degree_a, a, degree_b, b, distance, sum, by_distance);
}

/* Turning by a small angle about z, after or before a quarter turn's half turns where alternate. */
INLINE void generate_about_z(int degree, bool alternate, const eight *from, eight *to)
{
    for (int l = 0; l <= degree; ++l)
        for (int m = -l; m <= l; ++m) {
            const double rate = alternate && m % 2 ? m : -m;
            for (int k = 0; k < AMPLITUDES; ++k)
                to[(l * l + l + m) * AMPLITUDES + k] =
                    rate * from[(l * l + l - m) * AMPLITUDES + k];
        }
}

INLINE void alternate_signs(int degree, const eight *from, eight *to)
{
    for (int l = 0; l <= degree; ++l)
        for (int m = -l; m <= l; ++m)
            for (int k = 0; k < AMPLITUDES; ++k) {
                const int at = (l * l + l + m) * AMPLITUDES + k;
                to[at] = m % 2 ? -from[at] : from[at];
            }
}

/* About y: as cardo_rigid_turn by Rx(-90) Rz Rx(90); about x: Rz(-90) Ry Rz(90). */
CARDO_EVERY_WIDTH
void cardo_rigid_generate(const cardo_quarter_turn *turn, int degree, int axis, const eight *from,
                          eight *between, eight *to)
{
    const double quarter = CARDO_PI / 2;
    if (axis == 2) {
        generate_about_z(degree, false, from, to);
        return;
    }
    if (axis == 0)
        turn_about_z(degree, quarter, from, NULL, to);
    quarter_turn(turn, degree, axis == 0 ? to : from, between);
    generate_about_z(degree, true, between, to);
    quarter_turn(turn, degree, to, between);
    alternate_signs(degree, between, to);
    if (axis == 0)
        turn_about_z(degree, -quarter, to, NULL, to);
}

CARDO_EVERY_WIDTH
void cardo_rigid_alone(int degree, const eight *b, eight *sum)
{
    eight s[CARDO_PARTIALS] = {{0}};
    for (int k = 0; k < (degree + 1) * (degree + 1); ++k, b += AMPLITUDES) {
        s[CARDO_PARTIAL_VV] += b[0] * b[0];
        s[CARDO_PARTIAL_EE] += b[1] * b[1];
        s[CARDO_PARTIAL_WW] += b[2] * b[2];
        s[CARDO_PARTIAL_VE] += b[0] * b[1];
        s[CARDO_PARTIAL_VW] += b[0] * b[2];
        s[CARDO_PARTIAL_EW] += b[1] * b[2];
    }
    memcpy(sum, s, sizeof s);
}

CARDO_EVERY_WIDTH
void cardo_rigid_alone_layer(int degree, const eight *b, const eight *layer, eight *sum)
{
    eight WW = {0}, VW = {0}, EW = {0};
    for (int k = 0; k < (degree + 1) * (degree + 1); ++k, b += AMPLITUDES) {
        WW += layer[k] * layer[k];
        VW += b[0] * layer[k];
        EW += b[1] * layer[k];
    }
    sum[CARDO_PARTIAL_WW] = WW;
    sum[CARDO_PARTIAL_VW] = VW;
    sum[CARDO_PARTIAL_EW] = EW;
}

/* Spherical Bessel functions upward while l < x, where that is stable, and beyond by the ratios of neighbours, which fall from above (Gautschi 1967,
 * SIAM Rev. 9, 24). */
CARDO_EVERY_WIDTH
void cardo_rigid_add(const cardo_harmonics *table, int degree, const double q[LANES],
                     const double place[3], int n, const eight *amplitude, int stride, eight *out,
                     eight *ratio, double *harmonics, double *legendre)
{
    const double root = 3.544907701811032; /* sqrt(4 pi) */
    const double r = sqrt(place[0] * place[0] + place[1] * place[1] + place[2] * place[2]);
    const double e[3] = {r > 0 ? place[0] / r : 0, r > 0 ? place[1] / r : 0,
                         r > 0 ? place[2] / r : 1};
    eight x, one_over, now, before, ratio_now = {0};
    double first[LANES], below[LANES], inverse[LANES], argument[LANES];
    for (int k = 0; k < LANES; ++k) {
        const double value = fmax(q[k] * r, 1e-8);
        const cardo_half_turns t = cardo_take_half_turns(value);
        argument[k] = value;
        inverse[k] = 1 / value;
        first[k] = t.sign * cardo_sine_of_part(t.y) * inverse[k];
        below[k] = t.sign * cardo_cosine_of_part(t.y) * inverse[k];
    }
    memcpy(&x, argument, sizeof x);
    memcpy(&one_over, inverse, sizeof x);
    memcpy(&now, first, sizeof x);
    memcpy(&before, below, sizeof x);
    for (int l = degree + CARDO_RIGID_BEYOND - 1; l > 0; --l) {
        ratio_now = 1 / ((2 * l + 1) * one_over - ratio_now);
        if (l <= degree)
            ratio[l] = ratio_now;
    }
    cardo_spherical_harmonics(table, degree, e, harmonics, legendre);
    for (int l = 0; l <= degree; ++l) {
        if (l > 0) {
            const eight up = (2 * l - 1) * one_over * now - before, down = now * ratio[l];
            before = now;
            for (int k = 0; k < LANES; ++k)
                now[k] = l < x[k] ? up[k] : down[k];
        }
        const double sign = l % 4 < 2 ? root : -root;
        for (int a = 0; a < n; ++a) {
            const eight part = sign * now * amplitude[a];
            eight *to = out + l * l * stride + a;
            const double *Y = harmonics + l * l;
            for (int m = 0; m < 2 * l + 1; ++m)
                to[m * stride] += Y[m] * part;
        }
    }
}
