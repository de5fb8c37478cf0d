/* Names and units of generalized coordinates, speeds and forces, for tables. */
#ifndef CARDO_MULTIBODY_QUANTITIES_COLUMNS_H
#define CARDO_MULTIBODY_QUANTITIES_COLUMNS_H

#include "base/column.h"
#include "multibody/tree/system.h"

/* Fill nq, nu columns: "q mobile" where a body has one coordinate, else "q mobile x" (or a number
 * where the mobilizer has no word for it); "u ..." likewise. Units where they are known; 10 digits.
 * Coordinates of bodies that have one have the key "q", others "q of several". */
void cardo_coordinate_columns(const cardo_system *system, cardo_column *columns);
void cardo_speed_columns(const cardo_system *system, cardo_column *columns);

/* The speeds whose generalized force a table shows: of all bodies but free ones. Writes their
 * numbers to speeds (up to nu) and, when not NULL, their columns; returns how many. */
int cardo_force_columns(const cardo_system *system, int *speeds, cardo_column *columns);

#endif
