/* The constrained models of Seth et al. 2010, Tables 1 and 2: for their test and their benchmark. */
#ifndef CARDO_TESTS_TABLE_MODELS_H
#define CARDO_TESTS_TABLE_MODELS_H

#include "cardo/constraints.h"
#include "cardo/multibody.h"

/* One body on ground whose origin is kept at diag(radii) R z, z its third axis. */
typedef struct ellipsoid_model {
    const char *name, *mobilizer;
    bool euler;
    bool couplers; /* three of coordinates, instead of three rows of the user's */
} ellipsoid_model;
enum { ELLIPSOID_MODELS = 4 };
extern const ellipsoid_model ellipsoid_models[ELLIPSOID_MODELS];

/* What the rows refer to while the system lives. */
typedef struct ellipsoid_rows {
    cardo_vec3 radii;
    struct ellipsoid_axis {
        double radius;
        int axis;
    } axes[3];
} ellipsoid_rows;
cardo_system *build_ellipsoid(const ellipsoid_model *model, const cardo_mass_properties *mass,
                              cardo_vec3 radii, ellipsoid_rows *rows);

/* The body on ground by a mobilizer, without constraints. */
cardo_system *build_table_body(const char *mobilizer, bool euler,
                               const cardo_mass_properties *mass);

/* A planar body whose x and y are splines of its angle. */
typedef struct knee_curves {
    cardo_compiled_function *curves[2];
} knee_curves;
cardo_system *build_knee(const cardo_mass_properties *mass, const int n[2], double *const knots[2],
                         double *const values[2], knee_curves *curves);
void release_knee(knee_curves *curves);

#endif
