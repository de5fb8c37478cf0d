#include "study/session/hinge_loads.h"

#include "base/memory.h"
#include "multibody/tree/operators.h"

#include <stdio.h>
#include <string.h>

cardo_status cardo_hinge_loads_open(const cardo_system *system, cardo_hinge_loads *self,
                                    cardo_error *error)
{
    cardo_status status;
    const int nbody = cardo_system_nbody(system);
    self->system = system;
    CARDO_TRY(CARDO_ALLOCATE(&self->body, nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->on_parent, nbody, error));
    for (int b = 1; b < nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        if (info.parent > 0 && info.nu < 6)
            self->body[self->count++] = b;
    }
done:
    return status;
}

void cardo_hinge_loads_clear(cardo_hinge_loads *self)
{
    cardo_free(self->body);
    cardo_free(self->on_parent);
    *self = (cardo_hinge_loads){0};
}

char *cardo_hinge_load_name(const cardo_hinge_loads *self, int k, char text[CARDO_LOAD_NAME])
{
    static const char *const kinds[CARDO_LOADS_PER_HINGE] = {"torque x", "torque y", "torque z",
                                                             "force x",  "force y",  "force z"};
    cardo_body_info info;
    cardo_system_body(self->system, self->body[k / CARDO_LOADS_PER_HINGE], &info);
    snprintf(text, CARDO_LOAD_NAME, "load %.44s %s", info.name, kinds[k % CARDO_LOADS_PER_HINGE]);
    return text;
}

const char *cardo_hinge_load_unit(int k)
{
    return k % CARDO_LOADS_PER_HINGE < 3 ? "kJ/mol" : "kJ/mol/nm";
}

/* From ground to each hinge's own frame. */
static void turn(const cardo_hinge_loads *self, const cardo_state *state, double *values)
{
    const cardo_transform *X_GB = cardo_state_X_GB(state);
    for (int h = 0; h < self->count; ++h, values += CARDO_LOADS_PER_HINGE) {
        cardo_body_info info;
        cardo_system_body(self->system, self->body[h], &info);
        const cardo_mat33 R_FG = m33_transpose(m33_mul(X_GB[info.parent].R, info.X_PF.R));
        v3_store(values, m33_mul_v3(R_FG, self->on_parent[self->body[h]].angular));
        v3_store(values + 3, m33_mul_v3(R_FG, self->on_parent[self->body[h]].linear));
    }
}

cardo_status cardo_hinge_loads_moving(cardo_hinge_loads *self, const cardo_state *state,
                                      double *values, cardo_error *error)
{
    cardo_status status = cardo_reactions_at_parent(self->system, state, self->on_parent, error);
    if (status == CARDO_OK)
        turn(self, state, values);
    return status;
}

static cardo_spatial shifted(cardo_spatial force, cardo_vec3 from, cardo_vec3 to)
{
    return (cardo_spatial){v3_add(force.angular, v3_cross(v3_sub(from, to), force.linear)),
                           force.linear};
}

void cardo_hinge_loads_at_rest(cardo_hinge_loads *self, const cardo_state *state,
                               const cardo_spatial *body_forces, double *values)
{
    const int nbody = cardo_system_nbody(self->system);
    const cardo_transform *X_GB = cardo_state_X_GB(state);
    cardo_spatial *sum = self->on_parent;
    memcpy(sum, body_forces, (size_t)nbody * sizeof *sum);
    /* Parents come first, so that a body has all of its children's when it is its turn. */
    for (int b = nbody - 1; b > 0; --b) {
        cardo_body_info info;
        cardo_system_body(self->system, b, &info);
        const cardo_vec3 parent = X_GB[info.parent].p;
        const cardo_spatial up = shifted(sum[b], X_GB[b].p, parent);
        sum[info.parent].angular = v3_add(sum[info.parent].angular, up.angular);
        sum[info.parent].linear = v3_add(sum[info.parent].linear, up.linear);
        const cardo_vec3 hinge = v3_add(parent, m33_mul_v3(X_GB[info.parent].R, info.X_PF.p));
        sum[b] = shifted(sum[b], X_GB[b].p, hinge);
    }
    turn(self, state, values);
}
