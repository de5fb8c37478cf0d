#include "multibody/tree/motion.h"
#include "base/memory.h"
#include "multibody/functions/compiled.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

static bool has_bit(unsigned which, int j)
{
    return which >> j & 1U;
}

static cardo_status check_motion(const cardo_system *system, int body, cardo_motion_level level,
                                 unsigned which, const cardo_function *functions,
                                 cardo_error *error)
{
    if (system->finalized)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the system is finalized: motions are prescribed before that");
    if (body < 1 || body >= system->nbody)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no body %d to prescribe", body);
    const cardo_joint *joint = &system->bodies[body].joint;
    if (joint->nu == 0)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %d has no mobility to prescribe",
                          body);
    if (level == CARDO_MOTION_POSITION && joint->mobilizer->multiply_n)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "body %d: the speeds of a %s mobilizer are not the rates of its "
                          "coordinates: prescribe its speeds instead",
                          body, joint->mobilizer->name);
    for (int i = 0; i < system->nmotion; ++i)
        if (system->motions[i].body == body)
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %d has a motion already", body);
    const unsigned all = (1U << joint->nu) - 1;
    if (which == 0 || which > all)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "body %d has %d mobilities: the bits %#x prescribe none or others", body,
                          joint->nu, which);
    if (which != all &&
        (joint->kind == CARDO_MOBILIZER_BALL || joint->kind == CARDO_MOBILIZER_ELLIPSOID ||
         joint->kind == CARDO_MOBILIZER_FREE))
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "body %d: the mobilities of a %s mobilizer are prescribed together", body,
                          joint->mobilizer->name);
    for (int j = 0; j < joint->nu; ++j)
        if (has_bit(which, j) && functions[j].narg > 1)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "body %d: motion %d has %d arguments: time is the only one", body, j,
                              functions[j].narg);
    return CARDO_OK;
}

cardo_status cardo_system_prescribe_some(cardo_system *system, int body, cardo_motion_level level,
                                         unsigned which, const cardo_function *functions,
                                         cardo_error *error)
{
    motion_entry entry = {.body = body, .level = (int)level};
    cardo_status status;
    CARDO_TRY(check_motion(system, body, level, which, functions, error));
    CARDO_TRY(
        CARDO_RESERVE(&system->motions, &system->motion_capacity, system->nmotion + 1, error));
    for (int j = 0; j < system->bodies[body].joint.nu; ++j)
        if (has_bit(which, j))
            CARDO_TRY(cardo_function_compile(&functions[j], &entry.functions[j], error));
    system->motions[system->nmotion++] = entry;
    system->bodies[body].prescribed = (unsigned char)which;
    return CARDO_OK;
done:
    for (int j = 0; j < CARDO_MOBILIZER_MAX_U; ++j)
        cardo_function_destroy(entry.functions[j]);
    return status;
}

cardo_status cardo_system_prescribe(cardo_system *system, int body, cardo_motion_level level,
                                    const cardo_function *functions, cardo_error *error)
{
    int nu = body > 0 && body < system->nbody ? system->bodies[body].joint.nu : 0;
    return cardo_system_prescribe_some(system, body, level, (1U << nu) - 1, functions, error);
}

int cardo_system_nprescribed(const cardo_system *system)
{
    int n = 0;
    for (int i = 0; i < system->nmotion; ++i)
        for (unsigned which = system->bodies[system->motions[i].body].prescribed; which;
             which >>= 1)
            n += (int)(which & 1U);
    return n;
}

unsigned cardo_system_prescribed(const cardo_system *system, int body)
{
    return system->bodies[body].prescribed;
}

bool cardo_system_is_prescribed(const cardo_system *system, int body)
{
    return system->bodies[body].prescribed != 0;
}

static bool stands(const motion_entry *motion, int j)
{
    const cardo_compiled_function *f = motion->functions[j];
    return f->kind == CARDO_FUNCTION_CONSTANT &&
           (motion->level == CARDO_MOTION_POSITION ||
            (motion->level == CARDO_MOTION_VELOCITY && f->coefficients[0] == 0));
}

bool cardo_system_is_moved(const cardo_system *system)
{
    for (int i = 0; i < system->nmotion; ++i)
        for (int j = 0; j < CARDO_MOBILIZER_MAX_U; ++j)
            if (system->motions[i].functions[j] && !stands(&system->motions[i], j))
                return true;
    return false;
}

void cardo_state_prescribe(const cardo_system *system, cardo_state *state)
{
    cardo_stage lowest = CARDO_STAGE_ACCELERATION;
    for (int i = 0; i < system->nmotion; ++i) {
        const motion_entry *motion = &system->motions[i];
        const body_plan *body = &system->bodies[motion->body];
        for (int j = 0; j < body->nu && motion->level != CARDO_MOTION_ACCELERATION; ++j) {
            double f[3];
            if (!has_bit(body->prescribed, j))
                continue;
            cardo_function_evaluate1(motion->functions[j], state->time, f);
            if (motion->level == CARDO_MOTION_POSITION)
                state->q[body->q_first + j] = f[0];
            state->u[body->u_first + j] = f[motion->level == CARDO_MOTION_POSITION ? 1 : 0];
            if (motion->level == CARDO_MOTION_POSITION)
                lowest = CARDO_STAGE_TIME;
            else if (lowest > CARDO_STAGE_POSITION)
                lowest = CARDO_STAGE_POSITION;
        }
    }
    cardo_state_lower_stage(state, lowest);
}

void cardo_gather_motions(const cardo_system *system, const cardo_state *state)
{
    for (int i = 0; i < system->nmotion; ++i) {
        const motion_entry *motion = &system->motions[i];
        const body_plan *body = &system->bodies[motion->body];
        for (int j = 0; j < body->nu; ++j) {
            double f[3] = {0};
            if (has_bit(body->prescribed, j))
                cardo_function_evaluate1(motion->functions[j], state->time, f);
            state->cache->prescribed[body->u_first + j] = f[2 - motion->level];
        }
    }
}

cardo_status cardo_motive_forces(const cardo_system *system, const cardo_state *state,
                                 double *forces, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_ACCELERATION, "motive forces", error);
    if (status != CARDO_OK)
        return status;
    const state_cache *cache = state->cache;
    CARDO_TRY(cardo_inverse_dynamics(system, state, cache->udot, cache->applied_bodies,
                                     cache->applied_mobilities, forces, error));
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        for (int j = 0; j < body->nu; ++j)
            if (!has_bit(body->prescribed, j))
                forces[body->u_first + j] = 0; /* but for rounding it is that already */
    }
done:
    return status;
}

cardo_status cardo_motive_power(const cardo_system *system, const cardo_state *state, double *power,
                                cardo_error *error)
{
    /* six numbers a body, of which inverse dynamics has no more need when it writes forces */
    double *forces = &state->cache->scratch_a->angular.x;
    cardo_status status = cardo_motive_forces(system, state, forces, error);
    if (status != CARDO_OK)
        return status;
    *power = 0;
    for (int j = 0; j < system->nu; ++j)
        *power += forces[j] * state->u[j];
    return CARDO_OK;
}
