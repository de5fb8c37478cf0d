/* Where a label may be by a library of its rotamers, in place of an accessible volume: a user's file, none is shipped. */
#ifndef CARDO_EXPERIMENT_LABELS_ROTAMERS_H
#define CARDO_EXPERIMENT_LABELS_ROTAMERS_H

#include "experiment/labels/accessible_volume.h"

/* The file is a structure of models 1, 2, ..., each one rotamer with atoms N, CA and C, by which it is laid upon backbone (N, CA, C, nm), and an
 * atom spin (of a nitroxide its N, say), whose place counts, as often as its occupancy says where that is above zero. Rotamers
 * with a heavy atom beyond CB nearer to an obstacle than 0.75 of the sum of their radii are left out; none left: a cloud of no
 * places. */
cardo_status cardo_rotamers_place(const char *path, const char *spin, const double backbone[9],
                                  const cardo_obstacles *obstacles, cardo_label_cloud *cloud,
                                  cardo_error *error);

#endif
