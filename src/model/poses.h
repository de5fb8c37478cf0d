/* Where the bodies of a model go along its paths. */
#ifndef CARDO_MODEL_POSES_H
#define CARDO_MODEL_POSES_H

#include "model/model.h"

/* Where each body of the reference is carried when all paths stand at fraction s: X[nbody] acts on
 * the reference's coordinates. Other joints stand still; with guided, bodies that hang on strands
 * move along the screw between the structures. */
cardo_status cardo_model_poses(const cardo_model *model, double s, bool guided, cardo_transform *X,
                               cardo_error *error);

/* M on F of a path's body at its coordinates. */
cardo_status cardo_model_path_pose(const cardo_model_body *body, const double *q,
                                   cardo_transform *X_FM, cardo_error *error);

#endif
