#include "dynamics/evaluation/restrained_provider.h"

#include "base/memory.h"
#include "multibody/forces/elements.h"
#include "multibody/tree/force_element.h"

#include <string.h>

typedef struct restrained_provider {
    cardo_force_provider base; /* first: a pointer to it is a pointer to this */
    cardo_force_provider *model;
    int nwell;
    cardo_flat_bottom *well;
    const char **names;
} restrained_provider;

static cardo_status restrained_compute(cardo_force_provider *base,
                                       cardo_force_evaluation *evaluation, cardo_error *error)
{
    restrained_provider *self = (restrained_provider *)base;
    double *terms = evaluation->term_energies, energy = 0;
    if (self->model->nterm == 0)
        evaluation->term_energies = NULL;
    cardo_status status = self->model->compute(self->model, evaluation, error);
    evaluation->term_energies = terms;
    if (terms)
        terms[base->nterm - 1] = 0;
    if (status != CARDO_OK || (evaluation->groups != 0 && !(evaluation->groups & 1u)))
        return status;
    const cardo_force_work work = {.X_GB = evaluation->X_GB,
                                   .body_forces = evaluation->body_forces};
    for (int k = 0; k < self->nwell; ++k)
        energy += cardo_force_flat_bottom.compute(&self->well[k], &work);
    evaluation->energy += energy;
    if (terms)
        terms[base->nterm - 1] = energy;
    return CARDO_OK;
}

static cardo_status restrained_use_cores(cardo_force_provider *base, int cores, cardo_error *error)
{
    return cardo_force_provider_use_cores(((restrained_provider *)base)->model, cores, error);
}

static void restrained_destroy(cardo_force_provider *base)
{
    restrained_provider *self = (restrained_provider *)base;
    cardo_free(self->well);
    cardo_free(self->names);
    cardo_free(self);
}

cardo_status cardo_restrained_provider_create(cardo_force_provider *model, int nwell,
                                              const cardo_flat_bottom *well,
                                              cardo_force_provider **out, cardo_error *error)
{
    cardo_status status;
    restrained_provider *self = NULL;
    const int nterm = model->nterm;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->base = *model;
    self->base.compute = restrained_compute;
    self->base.destroy = restrained_destroy;
    self->base.use_cores = model->use_cores ? restrained_use_cores : NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self->names, nterm + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->well, nwell, error));
    for (int k = 0; k < nterm; ++k)
        self->names[k] = model->term_names[k];
    self->names[nterm] = "restraint";
    memcpy(self->well, well, (size_t)nwell * sizeof *well);
    self->base.nterm = nterm + 1;
    self->base.term_names = self->names;
    self->model = model;
    self->nwell = nwell;
    *out = &self->base;
    self = NULL;
done:
    if (self)
        restrained_destroy(&self->base);
    return status;
}
