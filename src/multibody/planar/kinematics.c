#include "cardo/manifold.h"
#include "multibody/planar/mechanism.h"

cardo_status cardo_mechanism_kinematics(const cardo_mechanism *mechanism, cardo_state *state,
                                        double time, cardo_error *error)
{
    const cardo_system *system = mechanism->system;
    const cardo_assembly_options options = {.size = sizeof options, .any = true};
    cardo_assembly made;
    cardo_status status;
    int freedoms;
    cardo_state_set_time(state, time);
    CARDO_TRY(cardo_assemble_q(system, state, &options, &made, error));
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_degrees_of_freedom(system, state, &freedoms, error));
    if (freedoms > 0)
        return made.branch ? CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                                        "this is a dead point: the joints do not say how the "
                                        "mechanism moves on from here")
                           : CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                                        "the joints leave %d freedoms: each needs a driving or "
                                        "guiding joint, or this is dynamics",
                                        freedoms);
    CARDO_TRY(cardo_project_u(system, state, 0, error));
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, error));
done:
    return status;
}
