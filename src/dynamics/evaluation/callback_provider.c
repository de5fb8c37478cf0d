#include "dynamics/evaluation/callback_provider.h"

#include "base/memory.h"

typedef struct callback_provider {
    cardo_force_provider base; /* first: a pointer to it is a pointer to this */
    cardo_provider_callback callback;
    void *user;
} callback_provider;

static cardo_status callback_compute(cardo_force_provider *base, cardo_force_evaluation *evaluation,
                                     cardo_error *error)
{
    callback_provider *self = (callback_provider *)base;
    return self->callback(self->user, evaluation, error);
}

static void callback_destroy(cardo_force_provider *base)
{
    cardo_free(base);
}

cardo_status cardo_callback_provider_create(cardo_provider_callback callback, void *user,
                                            unsigned traits, cardo_force_provider **out,
                                            cardo_error *error)
{
    callback_provider *self;
    *out = NULL;
    cardo_status status = CARDO_ALLOCATE(&self, 1, error);
    if (status != CARDO_OK)
        return status;
    self->base = (cardo_force_provider){
        .name = "callback",
        .doc = "a function of the caller's",
        .traits = traits,
        .compute = callback_compute,
        .destroy = callback_destroy,
    };
    self->callback = callback;
    self->user = user;
    *out = &self->base;
    return CARDO_OK;
}
