#include "bench/bench_models.h"

#include "base/vec.h"
#include "bench/bench_constraints.h"

const double bench_knee_angle[BENCH_KNOTS] = {-2.0944,   -1.74533,  -1.39626, -1.0472, -0.698132,
                                              -0.349066, -0.174533, 0.197344, 2.0944};
const double bench_knee_x[BENCH_KNOTS] = {-0.0032, 0.00179, 0.00411,  0.0041, 0.00212,
                                          -0.001,  -0.0031, -0.00525, -0.0056};
const double bench_knee_y[BENCH_KNOTS] = {-0.4226, -0.4082, -0.399, -0.3976, -0.3966,
                                          -0.3952, -0.3955, -0.396, -0.3966};

const bench_single bench_ellipsoid = {
    2,
    {0.05, -0.1, 0.15},
    {0.185, 0.21, 0.125, 0.01, -0.015, 0.03},
    {0.3, 0.5, 0.2},
    {0.92906136, 0.26895, 0.1001, -0.2326, 0.08865606, -0.22900636, 0.16767733},
    {0.7, -0.4, 0.9, 0.023057034697464406, -0.16045123226036834, -0.0404801629857137}};
const bench_single bench_knee = {
    3.51, {0, -0.1862, 0}, {0.1693932444, 0.0048, 0.1700932444, 0, 0, 0}, {0}, {-0.6}, {0.5}};

void bench_body_properties(int k, bench_body *body)
{
    static const double box[3] = {0.1, 0.3, 0.2}, com[3] = {0.02, -0.25, 0.05};
    const cardo_mat33 R = m33_from_euler(0.4, -0.3 + 0.01 * (k % 7), 0.6);
    const double m = body->mass = 1.5;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        body->com[i] = com[i];
        body->inertia[i] =
            m * ((box[j] * box[j] + box[l] * box[l]) / 12 + com[j] * com[j] + com[l] * com[l]);
    }
    body->inertia[3] = -m * com[0] * com[1];
    body->inertia[4] = -m * com[0] * com[2];
    body->inertia[5] = -m * com[1] * com[2];
    for (int i = 0; i < 9; ++i)
        body->R_PF[i] = R.m[i / 3][i % 3];
    v3_store(body->p_PF, v3(0.03, -0.5, 0.02));
    v3_store(body->p_BM, v3(0.01, 0.02, -0.01));
    v3_store(body->radii, v3(0.2, 0.15, 0.1));
}
