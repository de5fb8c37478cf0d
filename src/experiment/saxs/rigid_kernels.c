#include "experiment/saxs/rigid_tables.h"

#include "experiment/saxs/sine.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef cardo_eight eight;

enum {
    AMPLITUDES = CARDO_RIGID_AMPLITUDES,
    LANES = CARDO_RIGID_LANES,
    POINTS = CARDO_RIGID_POINTS
};

/* Vectors wider than the processor's live in memory instead of registers (gcc 12), so that each width has kernels of its own. Their
 * numbers are the same, bit by bit. */
#define WIDTH 2
#define TARGET
#define NAME(of) of##_2
#include "experiment/saxs/rigid_kernels.inc"

#ifdef CARDO_X86_WIDTHS
#define WIDTH    4
#define TARGET   __attribute__((target("arch=x86-64-v3")))
#define NAME(of) of##_4
#include "experiment/saxs/rigid_kernels.inc"

#define WIDTH    8
#define TARGET   __attribute__((target("arch=x86-64-v4")))
#define NAME(of) of##_8
#include "experiment/saxs/rigid_kernels.inc"

static int width(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512cd"))
        return 8;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 4 : 2;
}

#define IN_ITS_WIDTH(call, ...)                                                                    \
    (width() == 8   ? call##_8(__VA_ARGS__)                                                        \
     : width() == 4 ? call##_4(__VA_ARGS__)                                                        \
                    : call##_2(__VA_ARGS__))
#else
#define IN_ITS_WIDTH(call, ...) call##_2(__VA_ARGS__)
#endif

/* Casts: each width has a view of its own on eight numbers. */
#define IN(x)  ((const void *)(x))
#define OUT(x) ((void *)(x))

void cardo_rigid_turn(const cardo_quarter_turn *turn, int degree, const double angle[3],
                      const eight *from, const eight *layer, eight *between, eight *to)
{
    IN_ITS_WIDTH(turn, turn, degree, angle, IN(from), IN(layer), OUT(between), OUT(to));
}

void cardo_rigid_cross(const cardo_rigid_block *block, const cardo_rigid_rule *rule, int degree_a,
                       const eight *a, int degree_b, const eight *b, double distance, eight *sum)
{
    IN_ITS_WIDTH(cross, block, rule, degree_a, IN(a), degree_b, IN(b), distance, OUT(sum));
}

void cardo_rigid_cross_slope(const cardo_rigid_block *block, const cardo_rigid_rule *rule,
                             int degree_a, const eight *a, int degree_b, const eight *b,
                             double distance, eight *sum, eight *by_distance)
{
    IN_ITS_WIDTH(cross_slope, block, rule, degree_a, IN(a), degree_b, IN(b), distance, OUT(sum),
                 OUT(by_distance));
}

void cardo_rigid_generate(const cardo_quarter_turn *turn, int degree, int axis, const eight *from,
                          eight *between, eight *to)
{
    IN_ITS_WIDTH(generate, turn, degree, axis, IN(from), OUT(between), OUT(to));
}

void cardo_rigid_alone(int degree, const eight *b, eight *sum)
{
    IN_ITS_WIDTH(alone, degree, IN(b), OUT(sum));
}

void cardo_rigid_alone_layer(int degree, const eight *b, const eight *layer, eight *sum)
{
    IN_ITS_WIDTH(alone_layer, degree, IN(b), IN(layer), OUT(sum));
}

void cardo_rigid_add(const cardo_harmonics *table, int degree, const double q[LANES],
                     const double place[3], int n, const eight *amplitude, int stride, eight *out,
                     eight *ratio, double *harmonics, double *legendre)
{
    IN_ITS_WIDTH(add, table, degree, q, place, n, IN(amplitude), stride, OUT(out), OUT(ratio),
                 harmonics, legendre);
}
