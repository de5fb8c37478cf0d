/* Generalized coordinates of a system in a file, to begin a study at. */
#ifndef CARDO_IO_TABLES_COORDINATE_FILE_H
#define CARDO_IO_TABLES_COORDINATE_FILE_H

#include "multibody/tree/system.h"

/* Reads q (cardo_system_nq numbers) from coordinates.csv, a header and a line "name,value" for each
 * coordinate, or from the last row of a trajectory.csv. Names must be those of the system:
 * CARDO_ERROR_INPUT says which line or column is of another one. q may be half filled after a failure. */
cardo_status cardo_coordinates_read(const char *path, const cardo_system *system, double *q,
                                    cardo_error *error);

#endif
