#include "multibody/quantities/gather_stations.h"

#include "base/memory.h"
#include "multibody/tree/operators.h"

#include <string.h>

cardo_status cardo_gather_stations(const cardo_system *system, const cardo_state *state, int n,
                                   const int *station, double *positions, cardo_error *error)
{
    double *all;
    cardo_status status = CARDO_ALLOCATE(&all, 3 * (size_t)cardo_system_nstation(system), error);
    if (status == CARDO_OK)
        status = cardo_station_positions(system, state, all, error);
    for (int i = 0; i < n && status == CARDO_OK; ++i)
        memcpy(positions + 3 * (size_t)i, all + 3 * (size_t)station[i], 3 * sizeof *positions);
    cardo_free(all);
    return status;
}
