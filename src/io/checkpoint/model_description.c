#include "io/checkpoint/model_description.h"

#include "multibody/quantities/description.h"

#include <string.h>

static void write_fields(FILE *stream, const char *prefix, const cardo_field *fields,
                         const void *object)
{
    char text[CARDO_FIELD_STRING_SIZE];
    for (const cardo_field *field = fields; field && field->name; ++field) {
        if (field->may_change)
            continue;
        cardo_field_print(field, object, text, sizeof text);
        fprintf(stream, "%s.%s %s\n", prefix, field->name, text);
    }
}

cardo_status cardo_write_identity(FILE *stream, const cardo_simulation *simulation,
                                  const char *extra, cardo_error *error)
{
    const cardo_integrator *integrator = cardo_simulation_integrator(simulation);
    const cardo_force_provider *provider =
        cardo_evaluator_provider(cardo_simulation_evaluator(simulation));
    cardo_status status =
        cardo_write_model_description(stream, cardo_simulation_system(simulation), provider, error);
    fprintf(stream, "integrator %s\n", integrator->name);
    write_fields(stream, "simulate", cardo_simulation_fields,
                 cardo_simulation_get_options(simulation));
    write_fields(stream, integrator->name, integrator->fields,
                 cardo_simulation_integrator_options(simulation));
    if (extra && *extra)
        fprintf(stream, "%s%s", extra, extra[strlen(extra) - 1] == '\n' ? "" : "\n");
    return status;
}
