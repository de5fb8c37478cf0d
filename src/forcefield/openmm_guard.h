/* The three things about OpenMM that C cannot do: catch its exceptions, pass platform properties
 * (the C API has no way to make a property map), and ask a Force what class it is. Only openmm.c
 * includes this. */
#ifndef CARDO_FORCEFIELD_OPENMM_GUARD_H
#define CARDO_FORCEFIELD_OPENMM_GUARD_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/status.h"

#include <OpenMMCWrapper.h>
#include <stddef.h>

/* Something that calls OpenMM. It keeps what it makes in arg, because an exception skips its
 * cleanup. */
typedef cardo_status (*cardo_openmm_work)(void *arg, cardo_error *error);

/* Calls work(arg, error) and returns its status. Whatever C++ exception comes out of it becomes
 * CARDO_ERROR_PROVIDER with the exception's text (CARDO_ERROR_MEMORY for bad_alloc). */
cardo_status cardo_openmm_guard(cardo_openmm_work work, void *arg, cardo_error *error);

/* A Context with nproperty platform properties. Throws what OpenMM throws: call it inside a guard.
 * The caller owns the result and destroys it before system and integrator. */
OpenMM_Context *cardo_openmm_context_create(const OpenMM_System *system,
                                            OpenMM_Integrator *integrator,
                                            OpenMM_Platform *platform, int nproperty,
                                            const char *const *names, const char *const *values);

/* Writes the class of a Force without namespace ("NonbondedForce") to name, cut to size bytes. */
void cardo_openmm_force_class(const OpenMM_Force *force, char *name, size_t size);

#ifdef __cplusplus
}
#endif

#endif
