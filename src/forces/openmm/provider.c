#include "forces/openmm/openmm.h"

#include "base/memory.h"
#include "forces/openmm/guard.h"
#include "forces/openmm/internal.h"

#include <stdio.h>

cardo_openmm_options cardo_openmm_options_default(void)
{
    cardo_openmm_options options = {.platform = "auto", .method = CARDO_ALL_PAIRS};
    return options;
}

cardo_status cardo_openmm_provider_create(const cardo_terms *terms, const int *body_of_atom,
                                          const double *positions,
                                          const cardo_openmm_options *options,
                                          cardo_force_provider **out, cardo_error *error)
{
    cardo_status status;
    cardo_openmm_provider *p = NULL;
    *out = NULL;
    CARDO_TRY(
        cardo_openmm_provider_begin(terms, body_of_atom, positions, false, options, &p, error));
    CARDO_TRY(cardo_openmm_provider_open_at(p, positions, error));
    *out = &p->base;
    p = NULL;
done:
    if (p)
        p->base.destroy(&p->base);
    return status;
}

cardo_status cardo_openmm_provider_from_system(const char *path, int natom,
                                               const cardo_openmm_options *options, double *masses,
                                               cardo_force_provider **out, cardo_error *error)
{
    cardo_status status;
    cardo_openmm_provider *p = NULL;
    *out = NULL;
    CARDO_TRY(cardo_openmm_provider_new(natom, options, &p, error));
    CARDO_TRY(cardo_openmm_provider_adopt(p, path, masses, error));
    CARDO_TRY(cardo_openmm_provider_open(p, error));
    *out = &p->base;
    p = NULL;
done:
    if (p)
        p->base.destroy(&p->base);
    return status;
}

const char *cardo_openmm_provider_platform(const cardo_force_provider *provider)
{
    return ((const cardo_openmm_provider *)provider)->platform;
}

static cardo_status describe(void *arg, cardo_error *error)
{
    char text[1024], platforms[256];
    cardo_openmm_list_platforms(platforms, sizeof platforms);
    snprintf(text, sizeof text, "OpenMM %s, platforms %s, plugins from %s",
             OpenMM_Platform_getOpenMMVersion(), platforms,
             OpenMM_Platform_getDefaultPluginsDirectory());
    return cardo_copy_string(arg, text, error);
}

cardo_status cardo_platforms_describe(char **out, cardo_error *error)
{
    *out = NULL;
    cardo_openmm_need_plugins();
    return cardo_openmm_guard_alone(describe, out, error);
}
