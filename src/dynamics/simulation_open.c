#include "dynamics/simulation.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

const cardo_field *cardo_simulation_option_list(void)
{
    return cardo_simulation_fields;
}

static cardo_status find_integrator(const char *name, const cardo_integrator **out,
                                    cardo_error *error)
{
    *out = cardo_integrator_find(name ? name : "verlet");
    if (*out)
        return CARDO_OK;
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    for (const cardo_integrator *const *kind = cardo_integrators; *kind; ++kind)
        cardo_near_try(&near, (*kind)->name);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "there is no integrator '%s'%s", name,
                      cardo_near_hint(&near, hint));
}

/* Sets "name=value" in the integrator's options where they know the name, else in those of every simulation, which
 * suggest a name for one that nobody knows. */
static cardo_status set_option(const cardo_integrator *integrator, const char *text,
                               cardo_simulation_options *options, void *integrator_options,
                               cardo_error *error)
{
    const char *equals = strchr(text, '=');
    char name[64];
    if (!equals)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: an option is NAME=VALUE", text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    if (integrator->fields && cardo_fields_find(integrator->fields, name))
        return cardo_fields_set(integrator->fields, integrator_options, name, equals + 1, error);
    return cardo_fields_set(cardo_simulation_fields, options, name, equals + 1, error);
}

cardo_status cardo_simulation_open(const cardo_system *system, cardo_state *state,
                                   cardo_force_provider *provider, const char *integrator,
                                   int noption, const char *const *option, cardo_simulation **out,
                                   cardo_error *error)
{
    cardo_status status;
    const cardo_integrator *kind;
    cardo_simulation_options options;
    void *own = NULL;
    *out = NULL;
    CARDO_TRY(find_integrator(integrator, &kind, error));
    CARDO_TRY(cardo_allocate(&own, kind->options_size + 1, 1, error));
    cardo_fields_default(cardo_simulation_fields, &options);
    if (kind->fields)
        cardo_fields_default(kind->fields, own);
    for (int k = 0; k < noption; ++k)
        CARDO_TRY(set_option(kind, option[k], &options, own, error));
    status = cardo_simulation_create(system, state, provider, kind, &options,
                                     kind->fields ? own : NULL, out, error);
done:
    cardo_free(own);
    return status;
}
