/* The few vector operations that the compiler's vector extensions lack, for the instruction set that
 * the including file is compiled for: 512, 256 or 128 bits wide. All else is ordinary arithmetic on
 * the vector types. Include it in kernel files alone. */
#ifndef CARDO_FORCES_RIGID_KERNELS_SIMD_H
#define CARDO_FORCES_RIGID_KERNELS_SIMD_H

#include "forces/exponential.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define SIMD_BYTES 64
#include <immintrin.h>
#elif defined(__AVX2__) && defined(__FMA__)
#define SIMD_BYTES 32
#include <immintrin.h>
#else
#define SIMD_BYTES 16
#endif

typedef float simd_float __attribute__((vector_size(SIMD_BYTES), may_alias));
typedef double simd_double __attribute__((vector_size(SIMD_BYTES), may_alias));
typedef int32_t simd_float_mask __attribute__((vector_size(SIMD_BYTES), may_alias));
typedef int64_t simd_double_mask __attribute__((vector_size(SIMD_BYTES), may_alias));

/* 1/sqrt(x) for positive finite x, to the last bit or two. */
static inline simd_float simd_rsqrt_float(simd_float x)
{
#if SIMD_BYTES == 64
    simd_float y = (simd_float)_mm512_rsqrt14_ps((__m512)x);
    return y + (0.5f * y) * (1.0f - x * y * y);
#elif SIMD_BYTES == 32
    /* Newton's step alone would leave errors of one sign, which add up in energies. */
    simd_float y = (simd_float)_mm256_rsqrt_ps((__m256)x), off = 1.0f - x * y * y;
    return y + (y * off) * (0.5f + 0.375f * off);
#else
    simd_float y;
    for (int k = 0; k < SIMD_BYTES / 4; ++k)
        y[k] = 1.0f / sqrtf(x[k]);
    return y;
#endif
}

static inline simd_double simd_rsqrt_double(simd_double x)
{
#if SIMD_BYTES == 64
    simd_double y = (simd_double)_mm512_rsqrt14_pd((__m512d)x);
    y = y + (0.5 * y) * (1.0 - x * y * y);
    return y + (0.5 * y) * (1.0 - x * y * y);
#elif SIMD_BYTES == 32
    return 1.0 / (simd_double)_mm256_sqrt_pd((__m256d)x);
#else
    simd_double y;
    for (int k = 0; k < SIMD_BYTES / 8; ++k)
        y[k] = 1.0 / sqrt(x[k]);
    return y;
#endif
}

/* 1/sqrt(x) to 6e-5. */
static inline simd_float simd_rough_rsqrt_float(simd_float x)
{
#if SIMD_BYTES == 64
    return (simd_float)_mm512_rsqrt14_ps((__m512)x);
#elif SIMD_BYTES == 32
    /* The processor's own is off by 4e-4. */
    simd_float y = (simd_float)_mm256_rsqrt_ps((__m256)x);
    return y + (0.5f * y) * (1.0f - x * y * y);
#else
    return simd_rsqrt_float(x);
#endif
}

static inline simd_double simd_rough_rsqrt_double(simd_double x)
{
    return simd_rsqrt_double(x);
}

/* 1/x for x of ordinary size. */
static inline simd_float simd_reciprocal_float(simd_float x)
{
#if SIMD_BYTES == 64
    simd_float y = (simd_float)_mm512_rcp14_ps((__m512)x);
    return y + y * (1.0f - x * y);
#else
    return 1.0f / x;
#endif
}

static inline simd_double simd_reciprocal_double(simd_double x)
{
    return 1.0 / x;
}

static inline simd_float simd_smaller_float(simd_float x, simd_float y)
{
#if SIMD_BYTES == 64
    return (simd_float)_mm512_min_ps((__m512)x, (__m512)y);
#elif SIMD_BYTES == 32
    return (simd_float)_mm256_min_ps((__m256)x, (__m256)y);
#else
    simd_float_mask in = x < y;
    return (simd_float)(((simd_float_mask)x & in) | ((simd_float_mask)y & ~in));
#endif
}

static inline simd_double simd_smaller_double(simd_double x, simd_double y)
{
#if SIMD_BYTES == 64
    return (simd_double)_mm512_min_pd((__m512d)x, (__m512d)y);
#elif SIMD_BYTES == 32
    return (simd_double)_mm256_min_pd((__m256d)x, (__m256d)y);
#else
    simd_double_mask in = x < y;
    return (simd_double)(((simd_double_mask)x & in) | ((simd_double_mask)y & ~in));
#endif
}

static inline simd_float simd_at_most_float(simd_float x, float most)
{
    return simd_smaller_float(x, (simd_float){0} + most);
}

/* exp(-x) for x >= 0, to a few units in the last place; about 1e-38 (float) beyond the range. Powers
 * of two by adding to the exponent, the rest by a polynomial: interpolation at Chebyshev's points
 * (float), Taylor's series (double). */
static inline simd_float simd_exp_minus_float(simd_float x)
{
    static const float c[] = {1.0f,           0.69314720671f,  0.24022650922f, 0.055503272267f,
                              0.00961805668f, 0.001340042818f, 0.000154614451f};
    const float shift = 12582912.0f;  /* 1.5 2^23: adding it rounds to whole numbers */
    x = simd_at_most_float(x, 87.0f); /* beyond it exp(-x) is out of range */
    simd_float s = x * -1.44269504f + shift, n = s - shift;
    simd_float f = x * -1.44269504f - n + x * -1.92596303e-8f; /* log2(e) in two pieces */
    simd_float p = c[6] * f + c[5];
    p = p * f + c[4];
    p = p * f + c[3];
    p = p * f + c[2];
    p = p * f + c[1];
    p = p * f + c[0];
    return (simd_float)((simd_float_mask)p + ((simd_float_mask)s << 23));
}

static inline simd_double simd_exp_minus_double(simd_double x)
{
    simd_double result;
    CARDO_EXP_MINUS(simd_double, simd_double_mask, x, result);
    return result;
}

/* The same to 2e-7, for x of no more than some units: log2(e) is one piece. */
static inline simd_float simd_loose_exp_minus_float(simd_float x)
{
    static const float c[] = {1.0f,          0.693147004f,   0.240222424f,
                              0.0555073358f, 0.00967151299f, 0.00132647273f};
    const float shift = 12582912.0f;
    x = simd_at_most_float(x, 87.0f);
    simd_float s = x * -1.44269504f + shift, f = x * -1.44269504f - (s - shift);
    simd_float p = ((c[5] * f + c[4]) * f + c[3]) * f + c[2];
    p = (p * f + c[1]) * f + c[0];
    return (simd_float)((simd_float_mask)p + ((simd_float_mask)s << 23));
}

static inline simd_double simd_loose_exp_minus_double(simd_double x)
{
    return simd_exp_minus_double(x);
}

/* The same to 1e-4. */
static inline simd_float simd_rough_exp_minus_float(simd_float x)
{
    const float shift = 12582912.0f;
    x = simd_at_most_float(x, 87.0f);
    simd_float s = x * -1.44269504f + shift, f = x * -1.44269504f - (s - shift);
    simd_float p = ((0.0558382829f * f + 0.242639479f) * f + 0.693136734f) * f + 0.999924557f;
    return (simd_float)((simd_float_mask)p + ((simd_float_mask)s << 23));
}

static inline simd_double simd_rough_exp_minus_double(simd_double x)
{
    return simd_exp_minus_double(x);
}

/* ln(x) for positive normal x: x = 2^e m with m in sqrt(1/2) ... sqrt(2), and ln m = 2 artanh((m -
 * 1)/(m + 1)) by its series. */
static inline simd_double simd_log_double(simd_double x)
{
    const int64_t half_way = 0x3fe6a09e667f3bcd; /* the bits of sqrt(1/2) */
    simd_double_mask bits = (simd_double_mask)x - half_way;
    simd_double_mask e = bits >> 52;
    simd_double m = (simd_double)((simd_double_mask)x - (e << 52));
    simd_double t = (m - 1.0) / (m + 1.0), u = t * t;
    simd_double p = u * 0.0 + 1.0 / 23.0;
    for (int k = 21; k >= 1; k -= 2)
        p = p * u + 1.0 / k;
    return __builtin_convertvector(e, simd_double) * 0.69314718055994531 + 2.0 * t * p;
}

static inline simd_float simd_log_float(simd_float x)
{
    const int32_t half_way = 0x3f3504f3; /* the bits of sqrt(1/2) */
    simd_float_mask bits = (simd_float_mask)x - half_way;
    simd_float_mask e = bits >> 23;
    simd_float m = (simd_float)((simd_float_mask)x - (e << 23));
    simd_float t = (m - 1.0f) * simd_reciprocal_float(m + 1.0f), u = t * t;
    simd_float p = ((u * (1.0f / 9) + 1.0f / 7) * u + 1.0f / 5) * u + 1.0f / 3;
    return __builtin_convertvector(e, simd_float) * 0.693147181f + 2.0f * t * (p * u + 1.0f);
}

/* Is one of the numbers below the limit? */
static inline bool simd_any_below_float(simd_float x, float limit)
{
#if SIMD_BYTES == 64
    return _mm512_cmp_ps_mask((__m512)x, _mm512_set1_ps(limit), _CMP_LT_OQ) != 0;
#elif SIMD_BYTES == 32
    return _mm256_movemask_ps((__m256)(x < limit)) != 0;
#else
    simd_float_mask below = x < limit;
    int32_t any = 0;
    for (int k = 0; k < SIMD_BYTES / 4; ++k)
        any |= below[k];
    return any != 0;
#endif
}

static inline bool simd_any_below_double(simd_double x, double limit)
{
#if SIMD_BYTES == 64
    return _mm512_cmp_pd_mask((__m512d)x, _mm512_set1_pd(limit), _CMP_LT_OQ) != 0;
#elif SIMD_BYTES == 32
    return _mm256_movemask_pd((__m256d)(x < limit)) != 0;
#else
    simd_double_mask below = x < limit;
    int64_t any = 0;
    for (int k = 0; k < SIMD_BYTES / 8; ++k)
        any |= below[k];
    return any != 0;
#endif
}

static inline float simd_sum_float(simd_float x)
{
#if SIMD_BYTES == 64
    return _mm512_reduce_add_ps((__m512)x);
#else
    float sum = 0.0f;
    for (int k = 0; k < SIMD_BYTES / 4; ++k)
        sum += x[k];
    return sum;
#endif
}

static inline double simd_sum_double(simd_double x)
{
#if SIMD_BYTES == 64
    return _mm512_reduce_add_pd((__m512d)x);
#else
    double sum = 0.0;
    for (int k = 0; k < SIMD_BYTES / 8; ++k)
        sum += x[k];
    return sum;
#endif
}

/* Numbers of a table by the low bits of where. Vectors of eight would look up sixteen numbers at most as quickly as they compute, and those are too few. */
#if SIMD_BYTES == 32
#define SIMD_KNOTS 0
#else
#define SIMD_KNOTS 32
static inline simd_float simd_look_up_float(const float *table, simd_float_mask where)
{
#if SIMD_BYTES == 64
    return (simd_float)_mm512_permutex2var_ps(_mm512_loadu_ps(table), (__m512i)where,
                                              _mm512_loadu_ps(table + 16));
#else
    simd_float found;
    for (int k = 0; k < SIMD_BYTES / 4; ++k)
        found[k] = table[where[k] & (SIMD_KNOTS - 1)];
    return found;
#endif
}
#endif

/* Four numbers of every fourth row, from the first on, side by side. */
typedef float simd_four __attribute__((vector_size(16), may_alias, aligned(4)));
static inline simd_float simd_every_fourth(const float *const *row, int k)
{
#if SIMD_BYTES == 64
    __m512 x = _mm512_castps128_ps512(_mm_loadu_ps(row[0] + k));
    x = _mm512_insertf32x4(x, _mm_loadu_ps(row[4] + k), 1);
    x = _mm512_insertf32x4(x, _mm_loadu_ps(row[8] + k), 2);
    return (simd_float)_mm512_insertf32x4(x, _mm_loadu_ps(row[12] + k), 3);
#elif SIMD_BYTES == 32
    const __m256 x = _mm256_castps128_ps256(_mm_loadu_ps(row[0] + k));
    return (simd_float)_mm256_insertf128_ps(x, _mm_loadu_ps(row[4] + k), 1);
#else
    return (simd_float) * (const simd_four *)(row[0] + k);
#endif
}

/* Rows of n numbers, one for each lane of a vector, to n vectors. n is rounded up to four. Vectors are stored as a whole: a processor waits
 * for one that was stored in pieces. */
static inline void simd_columns_float(const float *const *row, int n, float *to)
{
    enum { LANES_FLOAT = SIMD_BYTES / (int)sizeof(float) };
    simd_float_mask low, high, first, second;
    for (int lane = 0; lane < LANES_FLOAT; ++lane) {
        const int four = lane / 4 * 4, half = lane % 4 / 2, other = lane % 2 * LANES_FLOAT;
        low[lane] = four + half + other;
        high[lane] = four + 2 + half + other;
        first[lane] = four + lane % 2 + half * LANES_FLOAT;
        second[lane] = four + 2 + lane % 2 + half * LANES_FLOAT;
    }
    for (int k = 0; k < n; k += 4) {
        const simd_float a = simd_every_fourth(row, k), b = simd_every_fourth(row + 1, k);
        const simd_float c = simd_every_fourth(row + 2, k), d = simd_every_fourth(row + 3, k);
        const simd_float ab = __builtin_shuffle(a, b, low), ab_high = __builtin_shuffle(a, b, high);
        const simd_float cd = __builtin_shuffle(c, d, low), cd_high = __builtin_shuffle(c, d, high);
        simd_float *at = (simd_float *)(to + LANES_FLOAT * k);
        at[0] = __builtin_shuffle(ab, cd, first);
        at[1] = __builtin_shuffle(ab, cd, second);
        at[2] = __builtin_shuffle(ab_high, cd_high, first);
        at[3] = __builtin_shuffle(ab_high, cd_high, second);
    }
}

static inline void simd_columns_double(const double *const *row, int n, double *to)
{
    enum { LANES_DOUBLE = SIMD_BYTES / (int)sizeof(double) };
    for (int lane = 0; lane < LANES_DOUBLE; ++lane)
        for (int k = 0; k < n; ++k)
            to[LANES_DOUBLE * k + lane] = row[lane][k];
}

/* The sum of the numbers, in double. */
static inline double simd_total_float(simd_float x)
{
#if SIMD_BYTES == 64
    __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256((__m512)x));
    __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)x, 1));
    return _mm512_reduce_add_pd(_mm512_add_pd(low, high));
#else
    double sum = 0.0;
    for (int k = 0; k < SIMD_BYTES / 4; ++k)
        sum += (double)x[k];
    return sum;
#endif
}

static inline double simd_total_double(simd_double x)
{
    return simd_sum_double(x);
}

#endif
