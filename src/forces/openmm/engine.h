/* One OpenMM computation and the platforms that it may run on; for the files of module openmm alone.
 * What is said here to call OpenMM is called inside a guard. */
#ifndef CARDO_FORCES_OPENMM_ENGINE_H
#define CARDO_FORCES_OPENMM_ENGINE_H

#include "forces/openmm/door.h"

#include <stdbool.h>
#include <stddef.h>

/* What one OpenMM computation needs, in the order in which it is made. */
typedef struct cardo_openmm_engine {
    OpenMM_System *system;
    OpenMM_Vec3Array *positions;
    OpenMM_Integrator *integrator;
    OpenMM_Context *context;
    OpenMM_State *state; /* of the last evaluation: owns the forces that were lent out */
} cardo_openmm_engine;

/* Frees all that is there and leaves an engine of nothing. */
void cardo_openmm_engine_destroy(cardo_openmm_engine *e);

/* Frees Context and integrator: the System may be opened again, on another platform. */
void cardo_openmm_engine_close(cardo_openmm_engine *e);

/* Potential energy (kJ/mol) of OpenMM's force groups in the mask, by an evaluation of its own. Calls
 * OpenMM. */
double cardo_openmm_engine_energy(cardo_openmm_engine *e, unsigned groups);

/* The array's memory: three doubles an element, contiguous, ours to write. */
double *cardo_openmm_vec3_data(OpenMM_Vec3Array *array);

/* Loads OpenMM's plugins, once in a process. */
void cardo_openmm_need_plugins(void);

/* "Reference, CPU, OpenCL"; cut to size. */
void cardo_openmm_list_platforms(char *text, size_t size);

/* The platform of that name, in any case of letters; NULL when there is none. Borrowed. */
OpenMM_Platform *cardo_openmm_find_platform(const char *name);

bool cardo_openmm_platform_has(const OpenMM_Platform *platform, const char *property);

/* The value in an open Context; "" where the platform has no such property. Borrowed. Calls OpenMM. */
const char *cardo_openmm_platform_value(const cardo_openmm_engine *e, const char *property);

#endif
