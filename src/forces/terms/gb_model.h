/* Generalized Born models: what tells one from another. */
#ifndef CARDO_FORCES_TERMS_GB_MODEL_H
#define CARDO_FORCES_TERMS_GB_MODEL_H

#include <stdbool.h>

/* Sets of intrinsic radii, by element and bonds. */
typedef enum cardo_gb_radii {
    CARDO_RADII_BONDI,
    CARDO_RADII_MBONDI,
    CARDO_RADII_MBONDI2,
    CARDO_RADII_MBONDI3
} cardo_gb_radii;

/* How the Born radius B comes from psi = o I, with o the radius less the offset and I the
 * descreening integral: 1/B = 1/o - I, or 1/B = 1/o - tanh(alpha psi - beta psi^2 + gamma
 * psi^3)/radius. */
typedef enum cardo_gb_curve {
    CARDO_CURVE_NONE,
    CARDO_CURVE_FIXED,  /* alpha, beta, gamma of the model */
    CARDO_CURVE_BY_ATOM /* of each atom's element          */
} cardo_gb_curve;

enum { CARDO_GB_SCREENS = 4 };

typedef struct cardo_gb_model {
    const char *name; /* "gbn2": OpenMM has it in the file implicit/gbn2.xml */
    const char *doc;
    bool is_native; /* OpenMM has a compiled force; else it evaluates expressions, 6-10 times dearer
                     */
    cardo_gb_radii radii;
    int screen;        /* which column of screening factors */
    double offset;     /* nm */
    double neck_scale; /* 0: no neck correction */
    cardo_gb_curve curve;
    double alpha, beta, gamma; /* CARDO_CURVE_FIXED */
} cardo_gb_model;

/* All models, ended by NULL. */
extern const cardo_gb_model *const cardo_gb_models[];

/* The model of that name, or NULL. */
const cardo_gb_model *cardo_gb_model_find(const char *name);

/* The model of a file ".../implicit/NAME.xml", which is known by its name without reading it; or
 * NULL. */
const cardo_gb_model *cardo_gb_model_of_file(const char *path);

#endif
