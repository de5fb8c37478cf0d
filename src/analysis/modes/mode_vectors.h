/* What modes are (modes.h finds them), and which speeds they are of. */
#ifndef CARDO_ANALYSIS_MODES_MODE_VECTORS_H
#define CARDO_ANALYSIS_MODES_MODE_VECTORS_H

#include "base/status.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

typedef struct cardo_modes {
    int nu, count;
    int freedoms; /* how many modes there are in all                                              */
    int nheld; /* speeds of inner bodies that meet no resistance (they move no spring): held still */
    int nrigid;         /* leading modes whose eigenvalue is zero to rounding                     */
    double *eigenvalue; /* ps^-2 where K is in kJ/mol and M in Da nm^2 (count), rising            */
    double *speed;      /* (count x nu), a row a mode: v^T M v = 1                                */
} cardo_modes;

void cardo_modes_destroy(cardo_modes *modes);

/* How many modes there are in all: nu, less the rank of constraints. DYNAMICS under constraints. */
cardo_status cardo_mode_freedoms(const cardo_system *system, const cardo_state *state,
                                 int *freedoms, cardo_error *error);

/* The speeds that modes are of, from the diagonal of K (nu): all but those of inner bodies without any
 * resistance. active (nu); returns their number. */
int cardo_modes_active_speeds(const cardo_system *system, const double *diagonal, int *active);

/* Counts the leading modes whose eigenvalue v^T K v is rounding: beside the largest of all, or beside its own terms, which are no
 * larger than |v_a| |v_b| sqrt(K_aa K_bb). Bodies that turn about their only node have such modes. root: square roots of
 * K's diagonal (n); vectors: modes in rows of n. */
int cardo_modes_count_stiffless(int n, int nmode, double scale, const double *root,
                                const double *eigenvalue, const double *vectors);

#endif
