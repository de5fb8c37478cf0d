/* Properties of an OpenMM platform as people write them: "Threads=2,Precision=mixed". */
#ifndef CARDO_FORCES_OPENMM_PLATFORM_PROPERTIES_H
#define CARDO_FORCES_OPENMM_PLATFORM_PROPERTIES_H

#include "base/status.h"

#include <stdbool.h>

enum { CARDO_MAX_PLATFORM_PROPERTIES = 16 };

/* Names and values point into text or to what was added: do not copy the struct and change the
 * original. */
typedef struct cardo_platform_properties {
    int n;
    char text[256];
    const char *names[CARDO_MAX_PLATFORM_PROPERTIES], *values[CARDO_MAX_PLATFORM_PROPERTIES];
} cardo_platform_properties;

/* Splits a list at its commas; room is left for two more to be added. CARDO_ERROR_INPUT for an item
 * that is not NAME=VALUE, for too many, and for a thread count that is no whole number from 1. */
cardo_status cardo_platform_properties_parse(cardo_platform_properties *p, const char *text,
                                             cardo_error *error);

bool cardo_platform_properties_have(const cardo_platform_properties *p, const char *name);

/* Appends a property; name and value are borrowed. At most two after a parse. */
void cardo_platform_properties_add(cardo_platform_properties *p, const char *name,
                                   const char *value);

#endif
