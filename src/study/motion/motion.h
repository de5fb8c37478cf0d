/* How a session's model moves, as a result: what a reader needs to place a picture's atoms from coordinates alone. */
#ifndef CARDO_STUDY_MOTION_MOTION_H
#define CARDO_STUDY_MOTION_MOTION_H

#include "base/writer.h"
#include "study/session/session.h"

/* Fills a group: "bodies" (parent, mobilizer, frames X_PF and X_BM as nine numbers of R by rows and three of p, nm; a path's
 * transforms), "coordinates" and "speeds" as tables call them, "q" where the session stands, "axes" of hinges that were fitted to
 * structures, in the parent's frame, "residues" and "atoms" of backbones, of pieces that turn about bonds, and of ligands: places
 * in their bodies' frames in 1e-5 nm. */
cardo_status cardo_motion_fill(const cardo_session *session, cardo_result *into,
                               cardo_error *error);

/* What the page of a run is made from: result.json, the result with what its values mean, and motion.json where there is a
 * model. Nothing without a writer of a run's folder. */
cardo_status cardo_motion_write(const cardo_session *session, const cardo_result *result,
                                const cardo_writer *writer, cardo_error *error);

#endif
