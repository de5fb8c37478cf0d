/* The three things about OpenMM that C cannot do: catch its exceptions, pass platform properties
 * (the C API has no way to make a property map), and ask a Force what class it is. Only this room
 * includes this. */
#ifndef CARDO_FORCES_OPENMM_GUARD_H
#define CARDO_FORCES_OPENMM_GUARD_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/status.h"

#include <stddef.h>

/* Something that calls OpenMM. It keeps what it makes in arg, because an exception skips its
 * cleanup. */
typedef cardo_status (*cardo_openmm_work)(void *arg, cardo_error *error);

/* Calls work(arg, error) and returns its status. Whatever C++ exception comes out of it becomes
 * CARDO_ERROR_PROVIDER with the exception's text (CARDO_ERROR_MEMORY for bad_alloc). A process whose
 * C++ locale (std::locale::global) has a decimal comma is CARDO_ERROR_UNSUPPORTED. */
cardo_status cardo_openmm_guard(cardo_openmm_work work, void *arg, cardo_error *error);

/* The same, by one thread at a time: for all that makes, reads or describes something. OpenMM 7.7 parses
 * expressions and numbers with lists that all threads share and no lock. It only evaluates Contexts of
 * different threads at once. */
cardo_status cardo_openmm_guard_alone(cardo_openmm_work work, void *arg, cardo_error *error);

/* OpenMM_System and its like, as OpenMM's C header declares them. */
struct OpenMM_Context_struct;
struct OpenMM_Force_struct;
struct OpenMM_Integrator_struct;
struct OpenMM_Platform_struct;
struct OpenMM_System_struct;

/* A Context with nproperty platform properties. Throws what OpenMM throws: call it inside a guard.
 * The caller owns the result and destroys it before system and integrator. */
struct OpenMM_Context_struct *
cardo_openmm_context_create(const struct OpenMM_System_struct *system,
                            struct OpenMM_Integrator_struct *integrator,
                            struct OpenMM_Platform_struct *platform, int nproperty,
                            const char *const *names, const char *const *values);

/* Writes the class of a Force without namespace ("NonbondedForce") to name, cut to size bytes. */
void cardo_openmm_force_class(const struct OpenMM_Force_struct *force, char *name, size_t size);

#ifdef __cplusplus
}
#endif

#endif
