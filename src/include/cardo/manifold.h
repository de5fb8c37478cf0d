/* What constraints leave free: multipliers and forces for given demands, rank, assembly and projection, operational space.
 *
 * The manifold is where all position rows of the constraints that are switched on vanish; on it speeds obey G u + b_t = 0.
 * Y = G M^-1 G^T is the compliance of the constraints. Where rows are redundant Y^-1 is the inverse of Moore and Penrose. M and
 * G are those of the mobilities that are not prescribed. None allocates, but where its comment says so. */
#ifndef CARDO_MANIFOLD_H
#define CARDO_MANIFOLD_H

#include <cardo/constraints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the constraints' compliance ---- */

/* Y x (nrow): O(n), no matrix is made. DYNAMICS. */
CARDO_API cardo_status cardo_multiply_y(const cardo_system *system, const cardo_state *state,
                                        const double *x, double *out, cardo_error *error);
/* x = Y^-1 r (nrow): the multipliers that give rows the accelerations -r, the shortest where there are several and the nearest
 * where there are none. DYNAMICS. */
CARDO_API cardo_status cardo_solve_y(const cardo_system *system, const cardo_state *state,
                                     const double *r, double *x, cardo_error *error);
/* Explicit Y, row-major nrow x nrow. DYNAMICS. */
CARDO_API cardo_status cardo_constraint_compliance(const cardo_system *system,
                                                   const cardo_state *state, double *Y,
                                                   cardo_error *error);
/* How many rows are independent of one another; redundant (nrow; may be NULL) is 1 for rows that depend on the others, a least
 * choice of them, and 0 for all else. DYNAMICS. */
CARDO_API cardo_status cardo_constraint_rank(const cardo_system *system, const cardo_state *state,
                                             int *rank, int *redundant, cardo_error *error);
/* Degrees of freedom: mobilities that are not prescribed, less the rank. DYNAMICS. */
CARDO_API cardo_status cardo_degrees_of_freedom(const cardo_system *system,
                                                const cardo_state *state, int *freedoms,
                                                cardo_error *error);
/* Names the redundant rows, as many as there is room for in length bytes; "" when there are none. DYNAMICS. */
CARDO_API cardo_status cardo_redundant_rows(const cardo_system *system, const cardo_state *state,
                                            char *text, size_t length, cardo_error *error);

/* M-orthogonal projection of speeds (nu, in place) on those that constraints leave: u - M^-1 G^T Y^-1 G u. DYNAMICS. */
CARDO_API cardo_status cardo_project_free_speeds(const cardo_system *system,
                                                 const cardo_state *state, double *u,
                                                 cardo_error *error);
/* The same for speeds that obey the constraints as they are at this time: u - M^-1 G^T Y^-1 (G u + b_t). DYNAMICS. */
CARDO_API cardo_status cardo_project_speeds(const cardo_system *system, const cardo_state *state,
                                            double *u, cardo_error *error);
/* The part of generalized forces (nu, in place) that constraints do not bear: f - G^T Y^-1 G M^-1 f. DYNAMICS. */
CARDO_API cardo_status cardo_project_free_forces(const cardo_system *system,
                                                 const cardo_state *state, double *f,
                                                 cardo_error *error);

/* ---- what forces do, and operational space ---- */

/* Accelerations (nu) that forces bring about by themselves while the constraints bear what they must: Mc (J^T body_forces +
 * mobility_forces), Mc = M^-1 - M^-1 G^T Y^-1 G M^-1. Either may be NULL: zero. Those of all sources add up to udot, less what
 * velocities alone call for. DYNAMICS. */
CARDO_API cardo_status cardo_induced_accelerations(const cardo_system *system,
                                                   const cardo_state *state,
                                                   const cardo_spatial *body_forces,
                                                   const double *mobility_forces, double *udot,
                                                   cardo_error *error);

/* A task is ntask rows of speeds, its Jacobian (ntask x nu, row-major): cardo_point_jacobian, rows of cardo_jacobian or the
 * caller's own. Each of the following outputs may be NULL. These functions allocate working memory. */
typedef struct cardo_task {
    double *compliance; /* J Mc J^T                                     (ntask x ntask) */
    double
        *inertia; /* its inverse, Lambda; of Moore and Penrose where it is singular  (likewise) */
    double
        *inverse; /* Mc J^T Lambda: the dynamically consistent inverse of J        (nu x ntask) */
    double *projector; /* 1 - (Mc J^T Lambda) J: speeds that the task does not see       (nu x nu);
                           its transpose: forces that do not accelerate it                  */
    int rank;          /* of the compliance */
} cardo_task;
/* Khatib's operational space of a task, with the constraints in force. DYNAMICS. */
CARDO_API cardo_status cardo_operational_space(const cardo_system *system, const cardo_state *state,
                                               int ntask, const double *jacobian, cardo_task *task,
                                               cardo_error *error);

/* A basis T (nu x freedoms, row-major; room for nu x nu) of the speeds that constraints leave, G T = 0 and T^T M T = 1, and how many there
 * are: with it any matrix of the system becomes one of free coordinates alone. Prescribed mobilities are not in it. Allocates. DYNAMICS. */
CARDO_API cardo_status cardo_free_basis(const cardo_system *system, const cardo_state *state,
                                        double *T, int *freedoms, cardo_error *error);

/* ---- linear equations of motion ---- */

/* The derivatives of qdot = N u and of udot, constraints, gravity, elements and the forces set on the state (which stay) included. Directions of q are those of speeds: column j is for a step of
 * q by N e_j, which for joints whose speeds are the rates of their coordinates is a step of coordinate j, and turns orientations. By central differences of the sixth order, about ten digits; the
 * derivative of udot by u has all its digits where forces do not depend on speeds. Any may be NULL. Of prescribed mobilities the rows are zero. */
typedef struct cardo_dynamic_derivatives {
    double *qdot_by_q; /* nq x nu, row-major as all of them  */
    double *qdot_by_u; /* nq x nu: N                         */
    double *udot_by_q; /* nu x nu                            */
    double *udot_by_u; /* nu x nu                            */
} cardo_dynamic_derivatives;
/* The dynamic Jacobian at the state's t, q and u, which are as they were afterwards; 12 evaluations of accelerations for each speed. Allocates. Realizes ACCELERATION. */
CARDO_API cardo_status cardo_dynamic_jacobian(const cardo_system *system, cardo_state *state,
                                              const cardo_dynamic_derivatives *derivatives,
                                              cardo_error *error);

/* The linear equations of small motions about an equilibrium, x' = A x, x = (y, y') with q = q0 + N T y, T the basis of cardo_free_basis: A (2 freedoms x 2 freedoms, row-major; room for 2 nu x 2 nu), T (nu x freedoms; room for
 * nu x nu; may be NULL). Imaginary parts of its eigenvalues are frequencies (1/ps), real parts rates of decay. CARDO_ERROR_ARGUMENT where the state moves, has accelerations
 * above `still` (0: 1e-8), or is off its constraints. Allocates. Realizes ACCELERATION. */
CARDO_API cardo_status cardo_linearize(const cardo_system *system, cardo_state *state, double still,
                                       double *A, double *T, int *freedoms, cardo_error *error);

/* ---- densities on the manifold ---- */

/* ln det Y of the position rows; where they are redundant, of the product of the eigenvalues that are not zero. DYNAMICS. */
CARDO_API cardo_status cardo_log_det_y(const cardo_system *system, const cardo_state *state,
                                       double *log_det, cardo_error *error);
/* Its gradient in the speeds' directions (nu): d/dt ln det Y = gradient . u. From the roots z of Y^-1 = sum z z^T and x = M^-1 G^T z:
 * 2 sum (d/dt (G^T z) - d/dt (M x) + c) at speeds x, O(n) for each of the rows. Constrained dynamics samples exp(-U/kT) sqrt(det M
 * det Y / det G G^T) on the manifold; half kT ln det Y more energy takes det Y out of it, half kT ln det M more takes out det M
 * (cardo_log_det_m). DYNAMICS; works in the state's velocities, which are as they were afterwards. */
CARDO_API cardo_status cardo_log_det_y_gradient(const cardo_system *system, cardo_state *state,
                                                double *gradient, cardo_error *error);

/* ---- onto the manifold ---- */

/* What assembly is asked for; zero: the default. */
typedef struct cardo_assembly_options {
    size_t size; /* of this struct */
    /* (nq) of squared changes of coordinates; INFINITY: held, and all of a joint whose speeds are not the rates of its
     * coordinates; NULL: one each */
    const double *weights;
    double tolerance; /* largest position error that is left; 0: 1e-13                          */
    int most_steps;   /* 0: 500                                                                 */
    bool
        any; /* the first closed configuration on the way will do: the change is small but not the least */
} cardo_assembly_options;

/* What came of it. */
typedef struct cardo_assembly {
    int steps;
    double violation; /* largest position error that is left                                    */
    int worst_row;    /* where that is; -1 without position rows                                 */
    double change;    /* sum of weights times squared changes of coordinates                     */
    int rank;         /* of the position rows in the end: below that of a configuration near by
                         where branches of the manifold meet                                    */
    bool branch;      /* the rank is below that of a configuration near by: branches of the
                         manifold meet here, and no one can tell which one is meant             */
} cardo_assembly;

/* Brings the state's q onto the manifold with the least weighted sum of squared changes: damped Gauss-Newton steps along the
 * manifold, each brought back by steps of least norm. A q that has no error above the tolerance stays as it is to the bit.
 * Prescribed coordinates stay. Leaves the stage at TIME, or where it was when nothing changed. options and assembly may be NULL.
 * CARDO_ERROR_NUMERICAL names the row with the largest error where no closed configuration was found, or the constraint whose
 * frames are turned by 180 degrees there; q is then as it was. */
CARDO_API cardo_status cardo_assemble_q(const cardo_system *system, cardo_state *state,
                                        const cardo_assembly_options *options,
                                        cardo_assembly *assembly, cardo_error *error);
/* After a step: q back onto the manifold by Newton steps that are the shortest as M measures them, at least one where an error is
 * above a fiftieth of the tolerance, which is as above. Leaves
 * the stage at TIME, or where it was when nothing changed. */
CARDO_API cardo_status cardo_project_q(const cardo_system *system, cardo_state *state,
                                       double tolerance, cardo_error *error);
/* The same for u: the M-orthogonal projection, G u + b_t = 0, where an error is above a fiftieth of the tolerance. Realizes
 * DYNAMICS; leaves the stage at POSITION when u has changed. */
CARDO_API cardo_status cardo_project_u(const cardo_system *system, cardo_state *state,
                                       double tolerance, cardo_error *error);

/* ---- branch points ---- */

/* Watches a motion on the manifold for branch points, where position rows that are independent elsewhere depend on one another: branches of the
 * manifold meet, and which one the motion takes is chance. Steps may be too long to end near one: where a step has gone through one, the
 * determinant of [G; T], T a basis of the free directions that is carried along, has changed its sign. Loops that have mobilities in
 * common are looked at together, n r^2 operations a step for n mobilities and r independent rows. One watch for one motion; not
 * thread-safe. The caller owns *out. */
typedef struct cardo_branch_watch cardo_branch_watch;
CARDO_API cardo_status cardo_branch_watch_create(const cardo_system *system,
                                                 cardo_branch_watch **out, cardo_error *error);
/* NULL is fine. */
CARDO_API void cardo_branch_watch_destroy(cardo_branch_watch *watch);
/* The motion begins at the state's q, on the manifold: at the start, and where q was set or constraints were switched. Realizes
 * POSITION. */
CARDO_API cardo_status cardo_branch_watch_begin(cardo_branch_watch *watch, cardo_state *state,
                                                cardo_error *error);
/* The motion has come to the state's q, on the manifold. *passed: through a branch point or on to one, or round a corner that is none only
 * below rounding; it is watched on from there. Where it has turned far, the way is divided, as if it were the shortest. Realizes
 * POSITION. */
CARDO_API cardo_status cardo_branch_watch_step(cardo_branch_watch *watch, cardo_state *state,
                                               bool *passed, cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
