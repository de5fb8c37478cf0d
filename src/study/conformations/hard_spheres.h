/* Hard spheres on rigid bodies: whether heavy atoms of different bodies are nearer to each other than contact. */
#ifndef CARDO_STUDY_CONFORMATIONS_HARD_SPHERES_H
#define CARDO_STUDY_CONFORMATIONS_HARD_SPHERES_H

#include "base/vec.h"
#include "model/model.h"

typedef struct cardo_hard_spheres cardo_hard_spheres;

/* Of a model and the system compiled from it; both are borrowed until the end. scale: of all contacts. Pairs of atoms of one body, those up to three
 * bonds apart, and those whose distance no torsion changes are none. The caller owns *out. */
cardo_status cardo_hard_spheres_create(const cardo_model *model, const cardo_system *system,
                                       double scale, cardo_hard_spheres **out, cardo_error *error);
void cardo_hard_spheres_destroy(cardo_hard_spheres *spheres);

/* How many pairs are nearer than contact, counted up to most, with bodies at these poses (nbody of the system). pair: the first one's atoms, or
 * NULL. Allocates nothing; one thread at a time. */
int cardo_hard_spheres_clashes(cardo_hard_spheres *spheres, const cardo_transform *X_GB, int most,
                               int pair[2]);

/* Leaves a pair of atoms out from now on; false: as many as there may be are. */
enum { CARDO_SPHERES_MOST_EXCEPTED = 16 };
bool cardo_hard_spheres_except(cardo_hard_spheres *spheres, const int pair[2]);

/* How near two elements may come, nm. */
double cardo_contact_distance(int element, int other);

#endif
