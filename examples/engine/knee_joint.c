#include "knee_joint.h"

const double knee_angle[KNEE_KNOTS] = {-2.0944,   -1.74533,  -1.39626, -1.0472, -0.698132,
                                       -0.349066, -0.174533, 0.197344, 2.0944};
const double knee_x[KNEE_KNOTS] = {-0.0032, 0.00179, 0.00411,  0.0041, 0.00212,
                                   -0.001,  -0.0031, -0.00525, -0.0056};
const double knee_y[KNEE_KNOTS] = {-0.4226, -0.4082, -0.399, -0.3976, -0.3966,
                                   -0.3952, -0.3955, -0.396, -0.3966};

static const double identity[2] = {1, 0}, zero[1] = {0};

#define NONE                                                                                       \
    {                                                                                              \
        .kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = zero                   \
    }
#define CURVE(y)                                                                                   \
    {                                                                                              \
        .kind = CARDO_FUNCTION_SPLINE, .narg = 1, .nknot = KNEE_KNOTS, .knots = knee_angle,        \
        .values = (y)                                                                              \
    }

const cardo_function_based knee_joint = {
    .ncoordinate = 1,
    .functions = {
        NONE,
        NONE,
        {.kind = CARDO_FUNCTION_LINEAR, .narg = 1, .ncoefficient = 2, .coefficients = identity},
        CURVE(knee_x),
        CURVE(knee_y),
        NONE}};
