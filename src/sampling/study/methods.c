#include "sampling/methods/method.h"

#include <string.h>

const cardo_sampling_method *const cardo_sampling_methods[] = {
    &cardo_sampling_umbrella,
    &cardo_sampling_metadynamics,
    &cardo_sampling_adaptive_force,
    &cardo_sampling_scan,
    NULL,
};

const cardo_sampling_method *cardo_sampling_method_find(const char *name)
{
    for (const cardo_sampling_method *const *method = cardo_sampling_methods; *method; ++method)
        if (strcmp((*method)->name, name) == 0)
            return *method;
    return NULL;
}

const char *cardo_sampling_method_name(const cardo_sampling_method *method)
{
    return method->name;
}

const char *cardo_sampling_method_doc(const cardo_sampling_method *method)
{
    return method->doc;
}

const cardo_field *cardo_sampling_method_fields(const cardo_sampling_method *method)
{
    return method->fields;
}

size_t cardo_sampling_method_options_size(const cardo_sampling_method *method)
{
    return method->options_size;
}
