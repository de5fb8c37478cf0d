#include "study/session/option_choices.h"

#include "dynamics/integrators/integrator.h"
#include "sampling/mixed/mixed.h"
#include "sampling/sampling.h"

static const char *integrator_word(int k)
{
    return cardo_integrators[k] ? cardo_integrators[k]->name : NULL;
}

static const cardo_field *integrator_fields(int k)
{
    return cardo_integrators[k]->fields;
}

const cardo_option_choice cardo_choice_of_integrator = {"integrator", "langevin", integrator_word,
                                                        integrator_fields};

/* Methods along a variable, then the one that is a study of its own. */
static int method_count(void)
{
    int n = 0;
    while (cardo_sampling_methods[n])
        ++n;
    return n;
}

static const char *method_word(int k)
{
    const int n = method_count();
    return k < n    ? cardo_sampling_method_name(cardo_sampling_methods[k])
           : k == n ? CARDO_MIXED_METHOD
                    : NULL;
}

static const cardo_field *method_fields(int k)
{
    return k < method_count() ? cardo_sampling_method_fields(cardo_sampling_methods[k])
                              : cardo_mixed_fields;
}

const cardo_option_choice cardo_choice_of_method = {"method", "umbrella", method_word,
                                                    method_fields};
