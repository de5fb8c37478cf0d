/* Random systems for tests: every mobilizer of the table, any shape of tree, generic frames and
 * mass properties; the same for the same seed everywhere. */
#ifndef CARDO_TESTS_RANDOM_TREE_H
#define CARDO_TESTS_RANDOM_TREE_H

#include "multibody/mobilizers/function_based.h"
#include "multibody/mobilizers/parameters.h"
#include "multibody/mobilizers/path.h"
#include "multibody/tree/system.h"

#include <stdint.h>

/* Room for the parameters of any mobilizer. */
typedef struct random_parameters {
    cardo_function_based functions;
    cardo_path path;
    cardo_screw_thread screw;
    cardo_ellipsoid ellipsoid;
    cardo_spherical spherical;
    double coefficients[6][8], knots[6][6], values[6][6];
    int exponents[6][24];
    cardo_transform transforms[4];
} random_parameters;

cardo_vec3 random_vec3(uint64_t *seed);
cardo_mat33 random_rotation(uint64_t *seed);
cardo_transform random_transform(uint64_t *seed);
cardo_mass_properties random_mass(uint64_t *seed);

/* Parameters for a mobilizer, NULL where it takes none. They point into *room. */
const void *random_mobilizer_parameters(const cardo_mobilizer *mobilizer, uint64_t *seed,
                                        random_parameters *room);
/* A body with a random mobilizer (NULL) or the one given, on the parent. Parameters point into
 * *room. */
cardo_body_definition random_body(const cardo_mobilizer *mobilizer, int parent, uint64_t *seed,
                                  random_parameters *room);
/* A finalized tree of nbody bodies with gravity; fails the test when it cannot be built. */
cardo_system *random_tree(int nbody, uint64_t *seed);
/* Generic coordinates, quaternions unit, away from singular configurations; and speeds. */
void random_coordinates(const cardo_system *system, uint64_t *seed, double *q);
void random_numbers(int n, uint64_t *seed, double *out);

#endif
