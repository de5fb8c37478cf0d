#include "forces/terms/terms.h"

#include "base/memory.h"

void cardo_terms_destroy(cardo_terms *terms)
{
    if (!terms)
        return;
    cardo_free(terms->number.mass);
    cardo_free(terms->list.bond);
    cardo_free(terms->list.angle);
    cardo_free(terms->list.torsion);
    cardo_free(terms->list.harmonic_torsion);
    cardo_free(terms->list.rb_torsion);
    cardo_free(terms->list.cmap);
    cardo_free(terms->list.exception);
    for (int k = 0; k < terms->nmap; ++k)
        cardo_free(terms->map[k].energy);
    cardo_free(terms->map);
    cardo_free(terms->number.charge);
    cardo_free(terms->number.sigma);
    cardo_free(terms->number.epsilon);
    cardo_free(terms->number.gb_radius);
    cardo_free(terms->number.gb_scale);
    cardo_free(terms->gb_curve);
    cardo_free(terms->neck_kind);
    cardo_free(terms->neck_distance);
    cardo_free(terms->neck_strength);
    cardo_free(terms);
}

void cardo_terms_masses(const cardo_terms *terms, double *masses)
{
    for (int i = 0; i < terms->natom; ++i)
        masses[i] = cardo_terms_mass(terms, i);
}

const cardo_gb_model *cardo_gb_model_of(const cardo_terms *terms)
{
    return terms->gb_model ? terms->gb_model : cardo_gb_model_find("obc2");
}
