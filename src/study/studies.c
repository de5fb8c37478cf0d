#include "study/session/study.h"

#include <string.h>

const cardo_study *const cardo_studies[] = {
    &cardo_study_check,
    &cardo_study_domains,
    &cardo_study_drive,
    &cardo_study_energy,
    &cardo_study_fit,
    &cardo_study_info,
    &cardo_study_minimize,
    &cardo_study_modes,
    &cardo_study_prepare,
    &cardo_study_sample,
    &cardo_study_scan,
    &cardo_study_simulate,
    NULL,
};

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
