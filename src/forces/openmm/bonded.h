/* The bonded terms as OpenMM Forces. */
#ifndef CARDO_FORCES_OPENMM_BONDED_H
#define CARDO_FORCES_OPENMM_BONDED_H

#include "forces/terms/terms.h"

#include <stddef.h>

struct OpenMM_Force_struct;
struct OpenMM_System_struct;

/* Gives the Force to the System (which frees it) in the group of its term. */
void cardo_openmm_add_force(struct OpenMM_System_struct *system, struct OpenMM_Force_struct *force,
                            int group);

/* One kind of term. add: a Force of those terms whose atoms all share a body (inside), or of the
 * others; body (natom) may be NULL: no two atoms do. False when there are none, and then no Force
 * was added. Call it inside a guard. */
typedef struct cardo_openmm_bonded_kind {
    const char *name;
    bool (*add)(struct OpenMM_System_struct *system, int group, const cardo_terms *terms,
                const int *body, bool inside);
    size_t count; /* where cardo_terms has the number of these terms */
} cardo_openmm_bonded_kind;

enum { CARDO_OPENMM_BONDED_KINDS = 6 };
extern const cardo_openmm_bonded_kind cardo_openmm_bonded_kinds[CARDO_OPENMM_BONDED_KINDS];

int cardo_openmm_bonded_count(const cardo_terms *terms, int kind);

#endif
