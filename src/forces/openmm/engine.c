#include "forces/openmm/engine.h"
#include "base/letters.h"
#include "base/number.h"
#include "forces/openmm/guard.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

double *cardo_openmm_vec3_data(OpenMM_Vec3Array *array)
{
    return (double *)(uintptr_t)OpenMM_Vec3Array_get(array, 0);
}

void cardo_openmm_engine_destroy(cardo_openmm_engine *e)
{
    if (e->state)
        OpenMM_State_destroy(e->state);
    if (e->context)
        OpenMM_Context_destroy(e->context);
    if (e->integrator)
        OpenMM_Integrator_destroy(e->integrator);
    if (e->positions)
        OpenMM_Vec3Array_destroy(e->positions);
    if (e->system)
        OpenMM_System_destroy(e->system);
    memset(e, 0, sizeof *e);
}

void cardo_openmm_engine_close(cardo_openmm_engine *e)
{
    if (e->context)
        OpenMM_Context_destroy(e->context);
    if (e->integrator)
        OpenMM_Integrator_destroy(e->integrator);
    e->context = NULL;
    e->integrator = NULL;
}

double cardo_openmm_engine_energy(cardo_openmm_engine *e, unsigned groups)
{
    OpenMM_State *state =
        OpenMM_Context_getState_2(e->context, OpenMM_State_Energy, 0, (int)groups);
    double energy = OpenMM_State_getPotentialEnergy(state);
    OpenMM_State_destroy(state);
    return energy;
}

static cardo_status load_plugins(void *arg, cardo_error *error)
{
    (void)arg;
    (void)error;
    OpenMM_StringArray *loaded =
        OpenMM_Platform_loadPluginsFromDirectory(OpenMM_Platform_getDefaultPluginsDirectory());
    OpenMM_StringArray_destroy(loaded);
    return CARDO_OK;
}

/* A plugin folder that cannot be read leaves the Reference platform, and then a platform that is
 * asked for and missing is the error that matters. */
static void load_plugins_once(void)
{
    cardo_openmm_guard(load_plugins, NULL, NULL);
}

void cardo_openmm_need_plugins(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_plugins_once);
}

void cardo_openmm_list_platforms(char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < OpenMM_Platform_getNumPlatforms(); i++)
        cardo_append(text, size, "%s%s", i ? ", " : "",
                     OpenMM_Platform_getName(OpenMM_Platform_getPlatform(i)));
}

OpenMM_Platform *cardo_openmm_find_platform(const char *name)
{
    for (int i = 0; i < OpenMM_Platform_getNumPlatforms(); i++) {
        OpenMM_Platform *platform = OpenMM_Platform_getPlatform(i);
        if (cardo_same_letters(OpenMM_Platform_getName(platform), name))
            return platform;
    }
    return NULL;
}

bool cardo_openmm_platform_has(const OpenMM_Platform *platform, const char *property)
{
    const OpenMM_StringArray *names = OpenMM_Platform_getPropertyNames(platform);
    for (int i = 0; i < OpenMM_StringArray_getSize(names); i++)
        if (strcmp(OpenMM_StringArray_get(names, i), property) == 0)
            return true;
    return false;
}

const char *cardo_openmm_platform_value(const cardo_openmm_engine *e, const char *property)
{
    OpenMM_Platform *platform = OpenMM_Context_getPlatform(e->context);
    if (!cardo_openmm_platform_has(platform, property))
        return "";
    return OpenMM_Platform_getPropertyValue(platform, e->context, property);
}
