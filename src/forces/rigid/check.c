#include "forces/terms/check.h"
#include "forces/rigid/model.h"
#include "forces/terms/extent.h"

#include <math.h>
#include <stdio.h>

static cardo_status check_atom(const cardo_terms *terms, const double *stations, int i,
                               cardo_error *error)
{
    bool finite = cardo_all_finite(stations + 3 * (size_t)i, 3);
    if (terms->has_nonbonded)
        finite &=
            cardo_all_finite((double[]){cardo_terms_charge(terms, i), cardo_terms_sigma(terms, i),
                                        cardo_terms_epsilon(terms, i)},
                             3);
    if (terms->has_gb)
        finite &= cardo_all_finite((double[]){cardo_terms_charge(terms, i),
                                              cardo_terms_gb_radius(terms, i),
                                              cardo_terms_gb_scale(terms, i)},
                                   3);
    if (!finite)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a coordinate or parameter of atom %d (counted from 1) is not finite",
                          i + 1);
    if (terms->has_nonbonded && cardo_terms_epsilon(terms, i) < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "atom %d (counted from 1) has a well depth of %g kJ/mol", i + 1,
                          cardo_terms_epsilon(terms, i));
    if (terms->has_gb && !(cardo_terms_gb_radius(terms, i) > CARDO_RIGID_RADIUS_OFFSET))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "atom %d (counted from 1) has a solvent radius of %g nm: it must be "
                          "larger than 0.009",
                          i + 1, cardo_terms_gb_radius(terms, i));
    return CARDO_OK;
}

/* number: of the term, from 0; atom: its first, or -1. */
static cardo_status check_finite(const double *values, int count, const char *kind, int number,
                                 int atom, cardo_error *error)
{
    char where[48] = "";
    if (cardo_all_finite(values, count))
        return CARDO_OK;
    if (atom >= 0)
        snprintf(where, sizeof where, ", which begins at atom %d,", atom + 1);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "a parameter of %s %d%s is not finite (all counted from 1)", kind, number + 1,
                      where);
}

static cardo_status check_bonded(const cardo_terms *terms, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int i = 0; i < terms->nbond; ++i) {
        const cardo_bond_term t = cardo_terms_bond(terms, i);
        CARDO_TRY(check_finite((double[]){t.length, t.k}, 2, "bond", i, t.a, error));
    }
    for (int i = 0; i < terms->nangle; ++i) {
        const cardo_angle_term t = cardo_terms_angle(terms, i);
        CARDO_TRY(check_finite((double[]){t.angle, t.k}, 2, "angle", i, t.a, error));
    }
    for (int i = 0; i < terms->ntorsion; ++i) {
        const cardo_torsion_term t = cardo_terms_torsion(terms, i);
        CARDO_TRY(check_finite((double[]){t.phase, t.k}, 2, "torsion", i, t.a, error));
    }
    for (int i = 0; i < terms->nrb_torsion; ++i) {
        const cardo_rb_torsion_term t = cardo_terms_rb_torsion(terms, i);
        CARDO_TRY(check_finite(t.coefficient, 6, "torsion", i, t.a, error));
    }
    for (int i = 0; i < terms->nmap; ++i) {
        const cardo_cmap *map = &terms->map[i];
        CARDO_TRY(check_finite(map->energy, map->size * map->size, "map", i, -1, error));
    }
    for (int i = 0; i < terms->nexception; ++i) {
        const cardo_exception_term t = cardo_terms_exception(terms, i);
        CARDO_TRY(check_finite((double[]){t.charge_product, t.sigma, t.epsilon}, 3, "exception", i,
                               t.a, error));
    }
done:
    return status;
}

static cardo_status check_shared(const cardo_terms *terms, const cardo_rigid_options *options,
                                 cardo_error *error)
{
    const double distances[] = {options->cutoff, options->gb_cutoff};
    for (int k = 0; k < 2; ++k)
        if (!(distances[k] >= 0 && isfinite(distances[k])))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "a cutoff of %g nm: it is a distance, or 0 for all pairs",
                              distances[k]);
    if (options->cutoff > 0 && !(options->reaction_field > 0 && isfinite(options->reaction_field)))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a reaction field of dielectric %g",
                          options->reaction_field);
    if (terms->has_gb &&
        !cardo_all_finite((double[]){terms->solute_dielectric, terms->solvent_dielectric,
                                     terms->surface_area_energy, terms->kappa},
                          4))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the solvent's dielectric constants (%g inside, %g outside), its "
                          "surface energy (%g kJ/mol/nm^2) or its salt's kappa (%g/nm) are not "
                          "finite",
                          terms->solute_dielectric, terms->solvent_dielectric,
                          terms->surface_area_energy, terms->kappa);
    if (terms->has_gb && terms->kappa < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "salt of kappa %g/nm: it is an inverse length, or 0 for none",
                          terms->kappa);
    return CARDO_OK;
}

cardo_status cardo_rigid_check(const cardo_terms *terms, const double *stations,
                               const cardo_rigid_options *options, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_terms_check(terms, error));
    for (int i = 0; i < terms->natom; ++i)
        CARDO_TRY(check_atom(terms, stations, i, error));
    CARDO_TRY(check_bonded(terms, error));
    CARDO_TRY(check_shared(terms, options, error));
done:
    return status;
}
