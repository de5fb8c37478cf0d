#include "forces/openmm/gb_expressions.h"

#include "base/number.h"
#include "base/units.h"

#include <stdio.h>

/* The constant of OpenMM's implicit-solvent scripts, 2e-7 above that of its compiled forces: what
 * is built here is the scripts' energy, but for OBC2, which with salt or without has the constant of the
 * compiled force. kJ nm/(mol e^2) */
static const double script_coulomb = 138.935485;

/* Where the pairwise descreening of two atoms that overlap or not begins and ends: Hawkins, Cramer
 * & Truhlar 1996, as GBSA scripts write it. */
static const char descreening[] =
    "select(step(r+s2-o1), 0.5*(1/L-1/U+0.25*(r-s2^2/r)*(1/U^2-1/L^2)+0.5*log(L/U)/r), 0)";
static const char limits[] = "; U=r+s2; L=max(o1, abs(r-s2))";

/* Mongan et al. 2007, eq. 11; necks end where the gap between two spheres is 0.68 nm. */
static const char neck[] = "+%.17g*step(o1+o2+%.17g-r)*neckstrength(n1,n2)"
                           "/(1+100*gap^2+300000*gap^6)";
static const double longest_neck = 0.68;

static void write_integral(const cardo_gb_model *model, char *out, size_t size)
{
    char added[256] = "";
    if (model->neck_scale > 0)
        cardo_format(added, sizeof added, neck, model->neck_scale,
                     2 * model->offset + longest_neck);
    snprintf(out, size, "%s%s%s%s", descreening, added, limits,
             model->neck_scale > 0 ? "; gap=r-neckdistance(n1,n2)" : "");
}

static void write_born(const cardo_gb_model *model, char *out, size_t size)
{
    char numbers[128] = "";
    if (model->curve == CARDO_CURVE_FIXED)
        cardo_format(numbers, sizeof numbers, "; alpha=%.17g; beta=%.17g; gamma=%.17g",
                     model->alpha, model->beta, model->gamma);
    if (model->curve == CARDO_CURVE_NONE)
        snprintf(out, size, "1/(1/o-I)");
    else
        cardo_format(out, size,
                     "1/(1/o-tanh(alpha*psi-beta*psi^2+gamma*psi^3)/(o+%.17g)); psi=I*o%s",
                     model->offset, numbers);
}

void cardo_gb_expressions_write(const cardo_terms *terms, double cutoff, cardo_gb_expressions *out)
{
    const cardo_gb_model *model = cardo_gb_model_of(terms);
    double coulomb = model->is_native ? CARDO_COULOMB : script_coulomb;
    double inside = coulomb / terms->solute_dielectric;
    double outside = coulomb / terms->solvent_dielectric;
    char shift[64] = "";
    if (cutoff > 0)
        cardo_format(shift, sizeof shift, "-%.17g", 1 / cutoff);
    write_integral(model, out->integral, sizeof out->integral);
    write_born(model, out->born, sizeof out->born);
    if (terms->kappa > 0)
        cardo_format(out->self, sizeof out->self, "-0.5*(%.17g-%.17g*exp(-%.17g*B))*q^2/B", inside,
                     outside, terms->kappa);
    else
        cardo_format(out->self, sizeof out->self, "-%.17g*q^2/B", 0.5 * (inside - outside));
    cardo_format(out->surface, sizeof out->surface,
                 "%.17g*(radius+0.14)^2*(radius/B)^6; radius=o+%.17g",
                 4 * CARDO_PI * terms->surface_area_energy, model->offset);
    if (terms->kappa > 0)
        cardo_format(out->pairs, sizeof out->pairs,
                     "-(%.17g-%.17g*exp(-%.17g*f))*q1*q2*(1/f%s); "
                     "f=sqrt(r^2+B1*B2*exp(-r^2/(4*B1*B2)))",
                     inside, outside, terms->kappa, shift);
    else
        cardo_format(out->pairs, sizeof out->pairs,
                     "-%.17g*q1*q2*(1/f%s); f=sqrt(r^2+B1*B2*exp(-r^2/(4*B1*B2)))",
                     inside - outside, shift);
}
