/* The generalized Born models of AMBER, as OpenMM's implicit/NAME.xml files mean them. */
#include "forces/terms/gb_model.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const double offset = 0.009; /* nm */

/* Hawkins, Cramer & Truhlar, J. Phys. Chem. 100, 19824 (1996). */
static const cardo_gb_model hct = {
    .name = "hct",
    .doc = "Hawkins, Cramer & Truhlar 1996",
    .radii = CARDO_RADII_MBONDI,
    .screen = 0,
    .offset = offset,
    .curve = CARDO_CURVE_NONE,
};

/* Onufriev, Bashford & Case, Proteins 55, 383 (2004). */
static const cardo_gb_model obc1 = {
    .name = "obc1",
    .doc = "Onufriev, Bashford & Case 2004, model I",
    .radii = CARDO_RADII_MBONDI2,
    .screen = 0,
    .offset = offset,
    .curve = CARDO_CURVE_FIXED,
    .alpha = 0.8,
    .beta = 0.0,
    .gamma = 2.909125,
};

static const cardo_gb_model obc2 = {
    .name = "obc2",
    .doc = "Onufriev, Bashford & Case 2004, model II",
    .is_native = true,
    .radii = CARDO_RADII_MBONDI2,
    .screen = 0,
    .offset = offset,
    .curve = CARDO_CURVE_FIXED,
    .alpha = 1.0,
    .beta = 0.8,
    .gamma = 4.85,
};

/* Mongan, Simmerling, McCammon, Case & Onufriev, J. Chem. Theory Comput. 3, 156 (2007). */
static const cardo_gb_model gbn = {
    .name = "gbn",
    .doc = "Mongan et al. 2007, with necks between atoms",
    .radii = CARDO_RADII_BONDI,
    .screen = 1,
    .offset = offset,
    .neck_scale = 0.361825,
    .curve = CARDO_CURVE_FIXED,
    .alpha = 1.09511284,
    .beta = 1.907992938,
    .gamma = 2.50798245,
};

/* Nguyen, Roe & Simmerling, J. Chem. Theory Comput. 9, 2020 (2013); nucleic acids: Nguyen, Perez,
 * Bermeo & Simmerling, J. Chem. Theory Comput. 11, 3714 (2015). */
static const cardo_gb_model gbn2 = {
    .name = "gbn2",
    .doc = "Nguyen, Roe & Simmerling 2013, with necks between atoms",
    .radii = CARDO_RADII_MBONDI3,
    .screen = 2,
    .offset = 0.0195141,
    .neck_scale = 0.826836,
    .curve = CARDO_CURVE_BY_ATOM,
};

const cardo_gb_model *const cardo_gb_models[] = {&hct, &obc1, &obc2, &gbn, &gbn2, NULL};

const cardo_gb_model *cardo_gb_model_find(const char *name)
{
    for (int k = 0; cardo_gb_models[k]; ++k)
        if (strcmp(cardo_gb_models[k]->name, name) == 0)
            return cardo_gb_models[k];
    return NULL;
}

/* The part of a path after the last separator but one: "implicit/obc2.xml". */
static const char *last_two_names(const char *path)
{
    int separators = 0;
    const char *p = path + strlen(path);
    while (p > path && !(p[-1] == '/' && ++separators == 2))
        --p;
    return p;
}

const cardo_gb_model *cardo_gb_model_of_file(const char *path)
{
    const char *name = last_two_names(path);
    for (int k = 0; cardo_gb_models[k]; ++k) {
        char file[64];
        snprintf(file, sizeof file, "implicit/%s.xml", cardo_gb_models[k]->name);
        if (strcmp(name, file) == 0)
            return cardo_gb_models[k];
    }
    return NULL;
}
