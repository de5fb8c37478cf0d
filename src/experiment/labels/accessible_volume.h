/* Where a label on a flexible linker may be: its accessible volume, on a grid.
 *
 * A label is a ball at the end of a flexible tube. Places of a grid that the tube reaches from the attachment atom without touching the
 * molecule, over a way no longer than the linker, and where the ball does not overlap it, are its volume, all alike. A dye that is no
 * ball has three radii: each is tried by itself, and a place counts as often as it has room for them (AV3). After Sindbert et al. 2011
 * (J. Am. Chem. Soc. 133, 2463) and Kalinin et al. 2012 (Nat. Methods 9, 1218). */
#ifndef CARDO_EXPERIMENT_LABELS_ACCESSIBLE_VOLUME_H
#define CARDO_EXPERIMENT_LABELS_ACCESSIBLE_VOLUME_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>

enum { CARDO_LABEL_RADII = 3 };

typedef struct cardo_label_shape {
    double length, width; /* of the linker, nm; width 0: a thread */
    int nradius;          /* 1 or 3 */
    double radius[CARDO_LABEL_RADII];
    double
        allowed; /* places this near to the attachment are always free for the linker, nm; 0: half its width and 0.1 */
} cardo_label_shape;

/* Obstacles: atoms with their van der Waals radii, nm. */
typedef struct cardo_obstacles {
    int n;
    const double *position; /* (n x 3) */
    const double *radius;   /* (n)     */
} cardo_obstacles;

/* A cloud of places. Zero-initialise; release with cardo_label_cloud_clear. */
typedef struct cardo_label_cloud {
    int n;
    double *
        position; /* nm, in an order that a generator has shuffled, so that the first of them are a sample (n x 3) */
    unsigned char *
        room; /* bit k: for radius k                                                               (n)     */
    double *share; /* of each place beside the others; NULL: all alike (n) */
    double
        volume; /* of all places that have room for one radius at least, nm^3                                */
} cardo_label_cloud;

/* Makes the cloud about attachment; obstacles are those that do not belong to the label. spacing: of the grid, nm. A label
 * that has no room is a cloud of no places. Some (2 length / spacing)^3 x 100 operations. */
cardo_status cardo_label_cloud_make(const cardo_label_shape *shape, cardo_vec3 attachment,
                                    const cardo_obstacles *obstacles, double spacing,
                                    cardo_label_cloud *cloud, cardo_error *error);
void cardo_label_cloud_clear(cardo_label_cloud *cloud);

/* What is left of a cloud where X has moved it and other obstacles stand, at most most of its places: position (most x 3), weight
 * (most): the number of radii that have room, times the place's share. Returns how many. The linker's way is not looked at again. */
int cardo_label_cloud_place(const cardo_label_cloud *cloud, const cardo_label_shape *shape,
                            cardo_transform X, const cardo_obstacles *others, int most,
                            double *position, double *weight);

/* Van der Waals radius of an element, nm (Bondi 1964, J. Phys. Chem. 68, 441); 0.17 of one that he does not have. */
double cardo_bondi_radius(int element);

#endif
