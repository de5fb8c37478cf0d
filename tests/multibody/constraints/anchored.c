#include "multibody/constraints/anchored.h"

#include "base/vec.h"
#include "multibody/random_tree.h"
#include "support/support.h"

static cardo_status pull(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    const anchored *self = user;
    (void)error;
    evaluation->energy = 0;
    for (int b = 1; b < self->nbody; ++b)
        for (int k = 0; k < ANCHORED_SPRINGS; ++k) {
            const cardo_transform X = evaluation->X_GB[b];
            const cardo_vec3 arm = m33_mul_v3(X.R, self->point[b][k]);
            const cardo_vec3 stretch = v3_sub(v3_add(X.p, arm), self->anchor[b][k]);
            const cardo_vec3 force = v3_scale(-self->stiffness, stretch);
            cardo_spatial *f = &evaluation->body_forces[b];
            evaluation->energy += 0.5 * self->stiffness * v3_dot(stretch, stretch);
            f->angular = v3_add(f->angular, v3_cross(arm, force));
            f->linear = v3_add(f->linear, force);
        }
    return CARDO_OK;
}

void anchored_create(anchored *self, const cardo_system *system, double stiffness, uint64_t *seed)
{
    cardo_error error = {0};
    *self = (anchored){.nbody = cardo_system_nbody(system), .stiffness = stiffness};
    assert_true(self->nbody <= ANCHORED_MOST_BODIES);
    for (int b = 1; b < self->nbody; ++b)
        for (int k = 0; k < ANCHORED_SPRINGS; ++k) {
            self->point[b][k] = random_vec3(seed);
            self->anchor[b][k] = v3_scale(2, random_vec3(seed));
        }
    assert_ok(cardo_callback_provider_create(pull, self, CARDO_FORCE_DETERMINISTIC, &self->provider,
                                             &error),
              &error);
}

void anchored_destroy(anchored *self)
{
    cardo_force_provider_destroy(self->provider);
}
