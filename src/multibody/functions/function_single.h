/* Function-based mobilizers of a single coordinate: everything is a curve, and the tree evaluates it
 * inline. */
#ifndef CARDO_MULTIBODY_TREE_FUNCTION_SINGLE_H
#define CARDO_MULTIBODY_TREE_FUNCTION_SINGLE_H

#include "multibody/algebra/angle.h"
#include "multibody/algebra/sincos.h"
#include "multibody/algebra/spatial.h"
#include "multibody/functions/compiled.h"

enum { FUNCTION_ROTATIONS = 3, FUNCTION_TRANSLATIONS = 3 };

/* A function-based mobilizer of one coordinate, prepared: rotations that are not the identity,
 * translations that are not constant, and the sum of those that are. */
typedef struct function_single {
    int nturn, nslide;
    struct {
        const cardo_compiled_function *function;
        cardo_vec3 axis;
        bool fixed, about_z;
    } turn[FUNCTION_ROTATIONS];
    struct {
        const cardo_compiled_function *function;
        cardo_vec3 axis;
        bool knots_of_last; /* a spline through the same knots as the one before */
    } slide[FUNCTION_TRANSLATIONS];
    cardo_vec3 base;
    bool plain; /* one rotation, about z                  */
} function_single;

/* Where the curve is, and its derivatives: H is the first, H's in q the second. */
typedef struct function_curve {
    cardo_mat33 R;
    cardo_vec3 p;
    cardo_spatial first, second;
} function_curve;

/* Translations: p, and linear parts of the derivatives. */
SPATIAL_INLINE void function_slides(const function_single *data, double q, function_curve *curve)
{
    cardo_vec3 p = data->base, v = v3(0, 0, 0), a = v3(0, 0, 0);
    int piece = 0;
    for (int i = 0; i < data->nslide; ++i) {
        const cardo_compiled_function *function = data->slide[i].function;
        const cardo_vec3 axis = data->slide[i].axis;
        double shift[3];
        if (cardo_function_is_spline(function)) {
            if (!data->slide[i].knots_of_last)
                piece = cardo_spline_piece(function, q);
            cardo_spline_evaluate_piece(function, piece, q, shift);
        } else {
            cardo_function_evaluate1_inline(function, q, shift);
        }
        p = v3_add_scaled(p, shift[0], axis);
        v = v3_add_scaled(v, shift[1], axis);
        a = v3_add_scaled(a, shift[2], axis);
    }
    curve->p = p;
    curve->first.linear = v;
    curve->second.linear = a;
}

/* Rotations: R, and angular parts of the derivatives. Each axis is carried by those before it. */
SPATIAL_INLINE void function_turns(const function_single *data, double q, function_curve *curve)
{
    cardo_vec3 w = v3(0, 0, 0), wdot = v3(0, 0, 0);
    cardo_mat33 R = m33_identity();
    for (int i = 0; i < data->nturn; ++i) {
        const cardo_vec3 axis = data->turn[i].axis;
        double angle[3], c, s;
        cardo_function_evaluate1_inline(data->turn[i].function, q, angle);
        sincos_inline(angle[0], &s, &c);
        const cardo_mat33 turn =
            data->turn[i].about_z ? rotation_z(c, s) : m33_rotation_by(axis, c, s);
        if (!data->turn[i].fixed) {
            const cardo_vec3 W = i > 0 ? m33_mul_v3(R, axis) : axis;
            if (i > 0)
                wdot = v3_add_scaled(wdot, angle[1], v3_cross(w, W));
            wdot = v3_add_scaled(wdot, angle[2], W);
            w = v3_add_scaled(w, angle[1], W);
        }
        R = i > 0 ? m33_product(&R, &turn) : turn;
    }
    curve->R = R;
    curve->first.angular = w;
    curve->second.angular = wdot;
}

#endif
