/* The one place where OpenMM's C API comes in; for the files of module openmm alone. */
#ifndef CARDO_FORCES_OPENMM_DOOR_H
#define CARDO_FORCES_OPENMM_DOOR_H

#include <OpenMMCWrapper.h>

#endif
