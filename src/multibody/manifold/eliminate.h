/* Multipliers by elimination along the tree: O(n) in all where loops are local. */
#ifndef CARDO_MULTIBODY_MANIFOLD_ELIMINATE_H
#define CARDO_MULTIBODY_MANIFOLD_ELIMINATE_H

#include "multibody/manifold/set.h"

/* What elimination needs to know of a system besides its constraints: where rows set in. */
cardo_status cardo_elimination_plan(const cardo_system *system, constraint_list *list,
                                    cardo_error *error);
void cardo_elimination_release(constraint_list *list);
/* Bytes of a visit of a row to a body. */
size_t cardo_elimination_visit_size(void);
/* Most visits of rows to bodies that a state has room for. */
int cardo_elimination_room(const cardo_system *system, const constraint_list *list);

/* Eliminates the first `limit` rows at the state's positions. False where that cannot be done: rows are redundant, or nearly, or there is
 * no room. M must be factored, and rows prepared. */
bool cardo_elimination_factor(const cardo_system *system, const cardo_state *state, int limit);
/* With Y lambda = r (nrow): lambda (nrow; may be r), speeds = -M^-1 G^T lambda (nu), and the motions of bodies with these speeds about
 * reference points in scratch_a. */
void cardo_elimination_solve(const cardo_system *system, const cardo_state *state, const double *r,
                             double *lambda, double *speeds);

#endif
