/* The one place where OpenMM's C API comes in; for the files of module openmm alone. */
#ifndef CARDO_FORCEFIELD_OPENMM_DOOR_H
#define CARDO_FORCEFIELD_OPENMM_DOOR_H

#include <OpenMMCWrapper.h>

#endif
