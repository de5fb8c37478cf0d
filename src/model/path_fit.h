/* Fitting a domain's motion to structures, and the geometry of screws.
 *
 * Conventions: C-alpha atoms only, equal weights. Each structure is superposed on the first by the
 * stationary residues; the mobile residues of the first are then superposed on its own: that
 * transform, in the first structure's frame, is the motion. Only residues that both structures have
 * count.
 *
 * A reference that was made of the first structure, and whose mobile domain stands elsewhere by then, may take the motion from that
 * structure (`from`), laid on the reference by the stationary residues. */
#ifndef CARDO_MODEL_PATH_FIT_H
#define CARDO_MODEL_PATH_FIT_H

#include "base/vec.h"
#include "structure/atoms/structure.h"

/* A rigid motion as a turn about an axis and a slide along it (Chasles). */
typedef struct cardo_screw_motion {
    double angle;       /* radian, in [0, pi]                                            */
    cardo_vec3 axis;    /* unit vector, right-hand rule                                  */
    cardo_vec3 point;   /* a point of the axis, nm                                       */
    double translation; /* along the axis, signed, nm                                    */
} cardo_screw_motion;

/* The screw of x' = R x + p, with the point of its axis that is nearest to near. Without a rotation
 * (below 1e-12 radian) the axis is the direction of the translation and the point is near itself.
 */
cardo_screw_motion cardo_screw_from_transform(cardo_transform X, cardo_vec3 near);

/* The share q of a screw: angle and translation times q (the geodesic of SE(3) that turns about one
 * axis). */
cardo_transform cardo_screw_transform(const cardo_screw_motion *screw, double q);

/* The share q of an Euler-linear motion about an origin h (Seth et al. 2010, section 5):
 * x' = Rx(q a) Ry(q b) Rz(q c) (x - h) + h + q d, angles (a, b, c), displacement d. */
cardo_transform cardo_euler_transform(cardo_vec3 angles, cardo_vec3 origin, cardo_vec3 displacement,
                                      double q);

/* How a path was fitted to the structures: what `cardo info` prints. Lengths in nm, angles in
 * radian; vectors in the first structure's own frame. "Last" is the last structure of the path. */
typedef struct cardo_path_fit {
    int nstructure;           /* structures on the path, the reference included                 */
    int nstationary, nmobile; /* C-alpha atoms used for the last structure                      */
    int nhinge;               /* hinge residues after the origin of the Euler path, 0: none    */
    double *rmsd_stationary;  /* of each structure on the reference      (nstructure), [0] = 0  */
    double *rmsd_mobile;      /* of the mobile domain after its motion   (nstructure), [0] = 0  */
    cardo_transform *motion;  /* x' = R x + t moves the mobile domain from the reference to
                               structure k                             (nstructure), [0] identity */
    cardo_transform *fit;   /* superposes structure k on the reference (nstructure), [0] identity */
    double angle;           /* screw of the last motion, in [0, pi]                           */
    cardo_vec3 axis;        /* unit vector, right-hand rule                                   */
    cardo_vec3 point;       /* on the axis, nearest to the middle between the domain centres  */
    double translation;     /* along the axis, signed                                         */
    double percent_closure; /* 100 sin^2 of the angle between axis and line of centres; of the
                               stationary domain in the mobile one's chains, where it has any    */
    cardo_vec3 euler;       /* body-fixed 1-2-3 angles of the last motion                     */
    cardo_vec3 hinge; /* origin of the Euler path: mean C-alpha of the hinge residues, or point */
    cardo_vec3 displacement; /* of that origin by the last motion                              */
    cardo_vec3 centre;       /* of the mobile domain's C-alpha where the motion begins         */
    double rmsd_before;      /* mobile domain before its motion, in the stationary frame       */
    double rmsd_moved;       /* stationary + moved mobile domain against the last structure    */
    double rmsd_global;      /* all matched C-alpha, one superposition                         */
} cardo_path_fit;

/* One structure of a path besides the first: its residues in the first one's order. */
typedef struct cardo_path_target {
    const cardo_structure *structure;
    const int *match; /* residue of this structure for each of the first's, or -1 (nresidue) */
} cardo_path_target;

/* Fits a path from reference, or from another structure in its place (from; NULL: none), through ntarget (at least 1) structures.
 * stationary, mobile, hinge: masks over the reference's residues; hinge may be NULL. The caller owns *out. Fewer than three
 * common C-alpha in a domain, or all on one line, are CARDO_ERROR_INPUT that names the structure's
 * file. */
cardo_status cardo_path_fit_create(const cardo_structure *reference, const cardo_path_target *from,
                                   int ntarget, const cardo_path_target *targets,
                                   const bool *stationary, const bool *mobile, const bool *hinge,
                                   cardo_path_fit **out, cardo_error *error);
void cardo_path_fit_destroy(cardo_path_fit *fit);

/* The transform of the mobile domain at q of a two-structure path, in the reference's frame. */
cardo_transform cardo_path_fit_screw(const cardo_path_fit *fit, double q);
cardo_transform cardo_path_fit_euler(const cardo_path_fit *fit, double q);

#endif
