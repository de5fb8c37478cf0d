#include "multibody/force.h"

void cardo_force_provider_destroy(cardo_force_provider *provider)
{
    if (provider)
        provider->destroy(provider);
}

const char *cardo_force_provider_name(const cardo_force_provider *provider)
{
    return provider->name;
}

const char *cardo_force_provider_doc(const cardo_force_provider *provider)
{
    return provider->doc;
}

unsigned cardo_force_provider_traits(const cardo_force_provider *provider)
{
    return provider->traits;
}

cardo_status cardo_force_provider_use_cores(cardo_force_provider *provider, int cores,
                                            cardo_error *error)
{
    return provider && provider->use_cores ? provider->use_cores(provider, cores, error) : CARDO_OK;
}
