#include "study/modes/set.h"

#include "analysis/modes/fluctuations.h"
#include "analysis/modes/mode_motion.h"
#include "base/memory.h"
#include "multibody/quantities/gather_stations.h"

#include <string.h>

cardo_status cardo_mode_displacements(const cardo_system *system, const cardo_state *state,
                                      const cardo_modes *modes, int nrigid, int nmode, int nca,
                                      const int *ca, double **displacement, cardo_error *error)
{
    cardo_status status;
    double *all = NULL, *positions = NULL;
    const size_t row = 3 * (size_t)nca;
    CARDO_TRY(CARDO_ALLOCATE(&all, 3 * (size_t)cardo_system_nstation(system), error));
    CARDO_TRY(CARDO_ALLOCATE(&positions, row, error));
    CARDO_TRY(CARDO_ALLOCATE(displacement, row * (size_t)nmode, error));
    CARDO_TRY(cardo_gather_stations(system, state, nca, ca, positions, error));
    for (int m = 0; m < nmode; ++m) {
        double *own = *displacement + row * (size_t)m;
        CARDO_TRY(cardo_mode_displacement(system, state, modes, nrigid + m, all, error));
        for (int i = 0; i < nca; ++i)
            memcpy(own + 3 * i, all + 3 * (size_t)ca[i], 3 * sizeof *own);
        CARDO_TRY(cardo_remove_rigid_motion(nca, positions, own, error));
    }
done:
    cardo_free(all);
    cardo_free(positions);
    return status;
}

cardo_status cardo_mode_overlaps(const cardo_mode_set *set, int nmode, const double *displacement,
                                 double *overlap, double *cumulative, cardo_error *error)
{
    cardo_status status;
    const cardo_mode_observation *o = &set->observed;
    const size_t row = 3 * (size_t)o->n;
    double *own;
    CARDO_TRY(CARDO_ALLOCATE(&own, row * (size_t)nmode, error));
    for (int m = 0; m < nmode; ++m) {
        const double *whole = displacement + 3 * (size_t)set->nca * (size_t)m;
        double *part = own + row * (size_t)m;
        for (int k = 0; k < o->n; ++k)
            memcpy(part + 3 * k, whole + 3 * o->index[k], 3 * sizeof *own);
        CARDO_TRY(cardo_remove_rigid_motion(o->n, o->here, part, error));
        overlap[m] = cardo_mode_overlap(o->n, part, o->moved);
    }
    cardo_mode_orthonormalize(o->n, nmode, own);
    cardo_mode_cumulative_overlap(o->n, nmode, own, o->moved, cumulative);
done:
    cardo_free(own);
    return status;
}

void cardo_mode_set_clear(cardo_mode_set *set)
{
    for (int m = 0; set->line && m < set->nmode; ++m)
        cardo_free(set->line[m].hinge);
    cardo_modes_destroy(set->modes);
    cardo_free(set->line);
    cardo_free(set->ca);
    cardo_free(set->displacement);
    cardo_free(set->fluctuation);
    cardo_free(set->observed.index);
    cardo_free(set->observed.here);
    cardo_free(set->observed.moved);
    *set = (cardo_mode_set){0};
}
