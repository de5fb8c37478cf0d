#include "cli/verb.h"

#include <string.h>

const cardo_verb *const cardo_verbs[] = {
    &cardo_verb_fetch,    &cardo_verb_prepare,  &cardo_verb_check,
    &cardo_verb_domains,  &cardo_verb_info,     &cardo_verb_energy,
    &cardo_verb_minimize, &cardo_verb_simulate, &cardo_verb_drive,
    &cardo_verb_modes,    &cardo_verb_sample,   &cardo_verb_fit,
    &cardo_verb_list,     &cardo_verb_help,     NULL,
};

const cardo_verb *cardo_verb_find(const char *name)
{
    for (const cardo_verb *const *verb = cardo_verbs; *verb; ++verb)
        if (strcmp((*verb)->name, name) == 0)
            return *verb;
    return NULL;
}

int cardo_exit_status(cardo_status status)
{
    switch (status) {
    case CARDO_OK:
        return 0;
    case CARDO_ERROR_INPUT:
    case CARDO_ERROR_FILE:
    case CARDO_ERROR_UNSUPPORTED:
    case CARDO_ERROR_PROVIDER:
        return 1;
    case CARDO_ERROR_USAGE:
        return 2;
    case CARDO_ERROR_INTERRUPTED:
        return 130;
    default:
        return 3;
    }
}
