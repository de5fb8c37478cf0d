#include "forces/openmm/platform_properties.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

bool cardo_platform_properties_have(const cardo_platform_properties *p, const char *name)
{
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->names[i], name) == 0)
            return true;
    return false;
}

void cardo_platform_properties_add(cardo_platform_properties *p, const char *name,
                                   const char *value)
{
    p->names[p->n] = name;
    p->values[p->n] = value;
    p->n++;
}

/* OpenMM reads a thread count that is no number as "all of them". */
static cardo_status check_threads(const cardo_platform_properties *p, cardo_error *error)
{
    for (int i = 0; i < p->n; i++) {
        int threads;
        if (strcmp(p->names[i], "Threads") == 0 &&
            (!cardo_parse_int(p->values[i], (int)strlen(p->values[i]), &threads) || threads < 1))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "platform property Threads=%s: a whole number from 1 is needed",
                              p->values[i]);
    }
    return CARDO_OK;
}

cardo_status cardo_platform_properties_parse(cardo_platform_properties *p, const char *text,
                                             cardo_error *error)
{
    p->n = 0;
    snprintf(p->text, sizeof p->text, "%s", text);
    char *rest = p->text;
    for (char *item = strsep(&rest, ","); item; item = strsep(&rest, ",")) {
        item += strspn(item, " ");
        if (*item == '\0')
            continue;
        char *equals = strchr(item, '=');
        if (!equals || equals == item)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "platform property \"%s\": write it as NAME=VALUE, as in Threads=2",
                              item);
        if (p->n + 2 >= CARDO_MAX_PLATFORM_PROPERTIES)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "more than %d platform properties",
                              CARDO_MAX_PLATFORM_PROPERTIES - 3);
        *equals = '\0';
        cardo_platform_properties_add(p, item, equals + 1);
    }
    return check_threads(p, error);
}
