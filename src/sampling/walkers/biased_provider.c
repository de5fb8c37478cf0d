#include "sampling/walkers/biased_provider.h"

#include "base/memory.h"

typedef struct biased_provider {
    cardo_force_provider base; /* first: a pointer to it is a pointer to this */
    cardo_force_provider *model;
    const cardo_variable *variable;
    const cardo_bias_potential *bias;
    const cardo_state *state;
    const char **names;
    double *gradient; /* dxi/dt = gradient . u (nu) */
} biased_provider;

static cardo_status biased_compute(cardo_force_provider *base, cardo_force_evaluation *evaluation,
                                   cardo_error *error)
{
    biased_provider *self = (biased_provider *)base;
    double xi, slope, *terms = evaluation->term_energies;
    cardo_status status = CARDO_OK;
    if (terms && self->model && self->model->nterm == 0)
        evaluation->term_energies = NULL;
    if (self->model)
        status = self->model->compute(self->model, evaluation, error);
    evaluation->term_energies = terms;
    if (terms)
        terms[base->nterm - 1] = 0;
    if (status != CARDO_OK || self->bias->kind == &cardo_bias_none ||
        (evaluation->groups != 0 && !(evaluation->groups & 1u)))
        return status;
    status = cardo_variable_gradient(self->variable, self->state, &xi, self->gradient, error);
    if (status != CARDO_OK)
        return status;
    double energy = cardo_bias_evaluate(self->bias, xi, &slope);
    evaluation->energy += energy;
    if (terms)
        terms[base->nterm - 1] = energy;
    for (int k = 0; k < evaluation->nu; ++k)
        evaluation->mobility_forces[k] -= slope * self->gradient[k];
    return CARDO_OK;
}

static void biased_destroy(cardo_force_provider *base)
{
    biased_provider *self = (biased_provider *)base;
    cardo_free(self->names);
    cardo_free(self->gradient);
    cardo_free(self);
}

cardo_status cardo_biased_provider_create(cardo_force_provider *model,
                                          const cardo_variable *variable,
                                          const cardo_bias_potential *bias,
                                          const cardo_state *state, int nu,
                                          cardo_force_provider **out, cardo_error *error)
{
    cardo_status status;
    biased_provider *self = NULL;
    const int nterm = model ? model->nterm : 0;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->base.compute = biased_compute;
    self->base.destroy = biased_destroy;
    CARDO_TRY(CARDO_ALLOCATE(&self->names, nterm + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->gradient, nu, error));
    for (int k = 0; k < nterm; ++k)
        self->names[k] = model->term_names[k];
    self->names[nterm] = "bias";
    self->base.name = model ? model->name : "bias";
    self->base.doc = model ? model->doc : "a bias alone";
    self->base.traits = model ? model->traits : CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_WANTS_POSES;
    self->base.ngroup = model ? model->ngroup : 0;
    self->base.position_buffer = model ? model->position_buffer : NULL;
    self->base.nterm = nterm + 1;
    self->base.term_names = self->names;
    self->model = model;
    self->variable = variable;
    self->bias = bias;
    self->state = state;
    *out = &self->base;
    self = NULL;
done:
    if (self)
        biased_destroy(&self->base);
    return status;
}
