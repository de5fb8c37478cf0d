#include "forces/terms/terms.h"

#include "base/memory.h"

#include <string.h>

void cardo_terms_destroy(cardo_terms *terms)
{
    if (!terms)
        return;
    cardo_free(terms->mass);
    cardo_free(terms->bond);
    cardo_free(terms->angle);
    cardo_free(terms->torsion);
    cardo_free(terms->harmonic_torsion);
    cardo_free(terms->rb_torsion);
    cardo_free(terms->cmap);
    for (int k = 0; k < terms->nmap; ++k)
        cardo_free(terms->map[k].energy);
    cardo_free(terms->map);
    cardo_free(terms->charge);
    cardo_free(terms->sigma);
    cardo_free(terms->epsilon);
    cardo_free(terms->exception);
    cardo_free(terms->gb_radius);
    cardo_free(terms->gb_scale);
    cardo_free(terms->gb_curve);
    cardo_free(terms->neck_kind);
    cardo_free(terms->neck_distance);
    cardo_free(terms->neck_strength);
    cardo_free(terms);
}

/* An array of just so many elements, where there is memory for the copy. */
static void trim(void **array, int count, size_t size)
{
    void *exact;
    if (count == 0 || cardo_allocate(&exact, (size_t)count, size, NULL) != CARDO_OK)
        return;
    memcpy(exact, *array, (size_t)count * size);
    cardo_free(*array);
    *array = exact;
}

#define TRIM(array, count) trim((void **)&(array), count, sizeof *(array))

void cardo_terms_trim(cardo_terms *terms)
{
    TRIM(terms->bond, terms->nbond);
    TRIM(terms->angle, terms->nangle);
    TRIM(terms->torsion, terms->ntorsion);
    TRIM(terms->harmonic_torsion, terms->nharmonic_torsion);
    TRIM(terms->rb_torsion, terms->nrb_torsion);
    TRIM(terms->cmap, terms->ncmap);
    TRIM(terms->exception, terms->nexception);
}

const cardo_gb_model *cardo_gb_model_of(const cardo_terms *terms)
{
    return terms->gb_model ? terms->gb_model : cardo_gb_model_find("obc2");
}
