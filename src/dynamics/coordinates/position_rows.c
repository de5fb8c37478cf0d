#include "dynamics/coordinates/position_rows.h"

#include "cardo/constraints.h"

cardo_status cardo_require_position_rows(const cardo_system *system, const cardo_state *state,
                                         const char *what, cardo_error *error)
{
    cardo_constraint_info info;
    for (int i = 0; cardo_system_constraint(system, i, &info, NULL) == CARDO_OK; ++i)
        if (cardo_state_has_constraint(state, i) && info.nvelocity + info.nacceleration > 0)
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "%s takes place on the manifold of positions, and constraint %d%s%s "
                              "(%s) is not one of them: switch it off, or replace it",
                              what, i, info.name ? " " : "", info.name ? info.name : "",
                              cardo_constraint_name(info.constraint));
    return CARDO_OK;
}
