/* AMBER restarts in NetCDF's classic formats. */
#ifndef CARDO_STRUCTURE_AMBER_NETCDF_H
#define CARDO_STRUCTURE_AMBER_NETCDF_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Is this NetCDF, or the HDF5 that newer files of that name are? */
bool cardo_is_netcdf(const char *bytes, size_t length);

/* Reads the variable "coordinates" (atom x spatial, or the first record of frame x atom x spatial;
 * angstrom, single or double precision) of natom atoms into position (natom x 3, nm). HDF5 is
 * CARDO_ERROR_UNSUPPORTED. */
cardo_status cardo_amber_netcdf_read(const char *path, const char *bytes, size_t length, int natom,
                                     double *position, cardo_error *error);

#endif
