#include "io/checkpoint/model_description.h"

#include "multibody/quantities/description.h"

#include <string.h>

cardo_status cardo_write_identity(FILE *stream, const cardo_simulation *simulation,
                                  const char *extra, cardo_error *error)
{
    const cardo_integrator *integrator = cardo_simulation_integrator(simulation);
    const cardo_force_provider *provider =
        cardo_evaluator_provider(cardo_simulation_evaluator(simulation));
    char prefix[64];
    snprintf(prefix, sizeof prefix, "%s.", integrator->name);
    cardo_status status =
        cardo_write_model_description(stream, cardo_simulation_system(simulation), provider, error);
    fprintf(stream, "integrator %s\n", integrator->name);
    cardo_fields_identity(stream, "simulate.", cardo_simulation_fields,
                          cardo_simulation_get_options(simulation));
    cardo_fields_identity(stream, prefix, integrator->fields,
                          cardo_simulation_integrator_options(simulation));
    if (extra && *extra)
        fprintf(stream, "%s%s", extra, extra[strlen(extra) - 1] == '\n' ? "" : "\n");
    return status;
}
