/* Coordinates and speeds of a system by name, as people and tables call them. */
#ifndef CARDO_MULTIBODY_TREE_COORDINATE_NAMES_H
#define CARDO_MULTIBODY_TREE_COORDINATE_NAMES_H

#include "multibody/tree/system.h"

#include <stddef.h>

enum { CARDO_COORDINATE_NAME = 96 };

/* The name of mobility k: "mobile" for a body's only one, "stationary wx" otherwise, by the joint's word
 * for it. Returns text. */
char *cardo_mobility_name(const cardo_system *system, int mobility,
                          char text[CARDO_COORDINATE_NAME]);
/* The same for coordinate k. */
char *cardo_coordinate_name(const cardo_system *system, int coordinate,
                            char text[CARDO_COORDINATE_NAME]);

/* Index of the q that the first length characters of name mean, BODY or BODY.K: a body's only
 * coordinate, or its K-th from 1. CARDO_ERROR_INPUT says which bodies there are, and the nearest name. */
cardo_status cardo_find_coordinate(const cardo_system *system, const char *name, size_t length,
                                   int *q, cardo_error *error);

#endif
