#include "dynamics/integrators/integrator.h"

#include <math.h>
#include <string.h>

#define ENTRY(name) &cardo_integrator_##name,
const cardo_integrator *const cardo_integrators[] = {CARDO_INTEGRATORS(ENTRY) NULL};
#undef ENTRY

const cardo_integrator *cardo_integrator_find(const char *name)
{
    for (int k = 0; cardo_integrators[k]; ++k)
        if (strcmp(cardo_integrators[k]->name, name) == 0)
            return cardo_integrators[k];
    return NULL;
}

const cardo_integrator *const *cardo_integrator_list(void)
{
    return cardo_integrators;
}

const char *cardo_integrator_name(const cardo_integrator *integrator)
{
    return integrator->name;
}

const char *cardo_integrator_doc(const cardo_integrator *integrator)
{
    return integrator->doc;
}

const char *cardo_integrator_citation(const cardo_integrator *integrator)
{
    return integrator->citation;
}

const cardo_field *cardo_integrator_options(const cardo_integrator *integrator)
{
    return integrator->fields;
}

static bool is_rate(const cardo_field *field)
{
    return strcmp(field->unit, "1/ps") == 0;
}

double cardo_integrator_bath_time(const cardo_integrator *integrator, const void *options)
{
    if (!integrator->bath_field)
        return 0;
    const cardo_field *field = cardo_fields_find(integrator->fields, integrator->bath_field);
    double value;
    memcpy(&value, (const char *)options + field->offset, sizeof value);
    if (!is_rate(field))
        return value;
    return value > 0 ? 1 / value : HUGE_VAL;
}

cardo_status cardo_integrator_check_bath(const cardo_integrator *integrator, const void *options,
                                         double timestep, cardo_error *error)
{
    const double time = cardo_integrator_bath_time(integrator, options);
    if (!integrator->bath_field || time >= integrator->bath_steps * timestep * (1 - 1e-9))
        return CARDO_OK;
    const cardo_field *field = cardo_fields_find(integrator->fields, integrator->bath_field);
    const double least = integrator->bath_steps * timestep;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: %s=%g %s is a bath of %g ps, too fast for a timestep of %g ps: give "
                      "%s of at %s %g %s, or a timestep of at most %g ps",
                      integrator->name, field->name, is_rate(field) ? 1 / time : time, field->unit,
                      time, timestep, field->name, is_rate(field) ? "most" : "least",
                      is_rate(field) ? 1 / least : least, field->unit,
                      time / integrator->bath_steps);
}
