#include "study/session/study.h"

#include <string.h>

#define ADDRESS(name) &cardo_study_##name,
const cardo_study *const cardo_studies[] = {CARDO_STUDIES(ADDRESS) NULL};
#undef ADDRESS

const cardo_study *const *cardo_study_list(void)
{
    return cardo_studies;
}

const cardo_study *cardo_study_find(const char *name)
{
    for (const cardo_study *const *study = cardo_studies; *study; ++study)
        if (strcmp((*study)->name, name) == 0)
            return *study;
    return NULL;
}
