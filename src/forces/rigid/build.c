#include "forces/rigid/model.h"

#include "base/communicator.h"
#include "base/memory.h"

#include <math.h>

/* Nearer than this, or than four scaled radii, descreening by blocks is computed in full: there its
 * series is not short. nm */
static const double least_near_descreening = 0.65;
/* The same within a tolerance of far fields in single precision. nm */
static const double near_descreening_within = 0.42;
/* Nearer than this, or than 1.6 sigma, pairs of blocks are computed in double: their forces are
 * strong, and rounding would leave too little where a molecule's cancel. That takes most where charges
 * act at any distance and no solvent screens them, least where it does or nothing is far. nm */
static const double near_unscreened = 3.0, near_cut_solvent = 1.3, near_otherwise = 1.0;
/* With a tolerance that leaves room for it. nm */
static const double near_far_fields = 0.0;

/* Of many bodies in vacuum whose forces are small mixed precision's own errors are larger. */
static const double least_tolerance_mixed = 1e-3;
static const double least_tolerance_solvent = 1e-6;
/* Far fields with a solvent have of charges what that leaves of them: not where that is next to nothing (a conductor), or negative. */
static const double least_unscreened = 1e-3;
/* Beyond it the bound does not hold. */
static const double largest_tolerance = 0.01;
/* Where exp(-D) (1 + D) of the solvent is lost in rounding. */
static const double exact_single = 20, exact_double = 42;

static void set_rules(cardo_rigid_model *model, const cardo_rigid_options *options)
{
    cardo_rigid_rules *rules = &model->rules;
    double rc = options->cutoff, epsilon = options->reaction_field;
    rules->cutoff = rc;
    rules->gb_cutoff = options->gb_cutoff;
    if (rc > 0) {
        rules->field_k = (epsilon - 1) / ((2 * epsilon + 1) * rc * rc * rc);
        rules->field_c = 3 * epsilon / ((2 * epsilon + 1) * rc);
    }
}

/* Where solvent pairs are taken for plain ones: where what that leaves out, exp(-D) of the Born radii's
 * part, is below the tolerance, or lost in rounding. */
static void set_tolerance(cardo_rigid_model *model, const cardo_terms *terms, double tolerance)
{
    cardo_rigid_rules *rules = &model->rules;
    model->plain =
        model->has_pairs && model->has_solvent && rules->cutoff == 0 && rules->gb_cutoff == 0;
    rules->gb_strength = 1 / terms->solute_dielectric - 1 / terms->solvent_dielectric;
    rules->kappa = model->has_solvent ? terms->kappa : 0;
    rules->gb_inner = 1 / (terms->solute_dielectric * rules->gb_strength);
    rules->gb_outer = 1 / (terms->solvent_dielectric * rules->gb_strength);
    rules->plain_beyond = model->single ? exact_single : exact_double;
    if (tolerance > 0)
        rules->plain_beyond = fmin(rules->plain_beyond, -log(tolerance));
}

static double least_near_pairs(const cardo_rigid_model *model)
{
    const cardo_rigid_rules *rules = &model->rules;
    if (model->loose)
        return near_far_fields;
    if (model->plain || !model->single)
        return near_otherwise;
    if (rules->cutoff == 0 || (model->has_solvent && rules->gb_cutoff == 0))
        return near_unscreened;
    return model->has_solvent ? near_cut_solvent : near_otherwise;
}

static void set_near_distances(cardo_rigid_model *model)
{
    model->near_descreening = model->loose ? near_descreening_within : least_near_descreening;
    model->near_pairs = least_near_pairs(model);
    for (int k = 0; k < model->layout->nslot; ++k) {
        if (model->full.root_epsilon[k] > 0 && model->near_pairs > 0)
            model->near_pairs = fmax(model->near_pairs, 1.6 * 2 * model->full.half_sigma[k]);
        model->near_descreening =
            fmax(model->near_descreening, (model->loose ? 2.5 : 4) * fabs(model->full.scaled[k]));
    }
    model->rules.near_descreening = model->near_descreening;
    model->rules.loose = model->loose;
}

/* The cutoff shifts the solvent energy of every pair, and in the kernels without salt also that of each
 * atom with itself: this takes the latter back. */
static void unshift_own_energies(cardo_rigid_model *model)
{
    const double *q = model->full.gb_charge;
    if (model->rules.kappa > 0 || model->rules.gb_cutoff == 0)
        return;
    for (int k = 0; k < model->layout->nslot; ++k)
        model->constant[CARDO_RIGID_GB] -= 0.5 * q[k] * q[k] / model->rules.gb_cutoff;
}

static cardo_status choose_kernels(cardo_rigid_model *model, const char *name, cardo_error *error)
{
    model->kernels = name[0] ? cardo_rigid_kernels_named(name) : cardo_rigid_kernels_best();
    if (!model->kernels)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "kernels \"%s\" do not run on this processor, or do not exist: there are "
                          "avx512, avx2 and plain",
                          name);
    return CARDO_OK;
}

/* Within a tolerance: by far fields or, where that is quicker, all pairs, in a precision that holds it. */
static cardo_status use_far_fields(cardo_rigid_model *model, double tolerance, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!model->has_solvent || 1 - model->rules.gb_strength >= least_unscreened)
        status = cardo_far_plant(model, tolerance, &model->far, error);
    if (model->far && model->has_solvent)
        model->far->most_plain = model->single ? exact_single : exact_double;
    if (model->has_solvent && tolerance > 0)
        model->single = model->single && tolerance > 0.99 * least_tolerance_solvent;
    else if (tolerance > 0 &&
             (model->far ? !model->far->single : tolerance < 0.99 * least_tolerance_mixed))
        model->single = false;
    model->loose = (model->far && model->far->single) ||
                   (model->plain && model->single && tolerance > 0.99 * least_tolerance_mixed);
    return status;
}

cardo_status cardo_rigid_model_create(cardo_rigid_model *model, const cardo_terms *terms, int nbody,
                                      const int *body_of_atom, const double *stations,
                                      const cardo_rigid_options *options, cardo_error *error)
{
    cardo_status status;
    model->has_pairs = terms->has_nonbonded;
    model->has_solvent = terms->has_gb;
    model->single = !options->full_precision;
    if (!(options->tolerance >= 0 && options->tolerance <= largest_tolerance))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a tolerance of %g: it is a relative error, from 0 (exact) to %g",
                          options->tolerance, largest_tolerance);
    set_rules(model, options);
    set_tolerance(model, terms, options->tolerance);
    CARDO_TRY(choose_kernels(model, options->kernels, error));
    CARDO_TRY(cardo_pool_create(options->threads > 0 ? options->threads
                                                     : cardo_pool_default(cardo_core_count()),
                                &model->pool, error));
    CARDO_TRY(cardo_rigid_layout_create(terms->natom, nbody, body_of_atom, stations, &model->layout,
                                        error));
    if (model->has_pairs && options->cutoff == 0 &&
        (!model->has_solvent || options->gb_cutoff == 0))
        CARDO_TRY(use_far_fields(model, options->tolerance, error));
    CARDO_TRY(cardo_rigid_views_create(model, terms, error));
    if (model->far)
        CARDO_TRY(cardo_far_fill(model, error));
    set_near_distances(model);
    unshift_own_energies(model);
    CARDO_TRY(cardo_rigid_exclusions_create(terms, model->layout, &model->exclusions, error));
    CARDO_TRY(
        cardo_rigid_bonded_create(terms, model->layout, model->constant, &model->bonded, error));
    if (model->has_solvent)
        CARDO_TRY(cardo_rigid_solvent_create(model, terms, error));
    cardo_rigid_use_table(model);
    CARDO_TRY(cardo_rigid_schedule_create(model, error));
    CARDO_TRY(cardo_rigid_place_still(model, error));
    CARDO_TRY(cardo_rigid_inside(model, terms, error));
    if (model->far)
        CARDO_TRY(cardo_far_settle(model, error));
    if (model->has_solvent)
        CARDO_TRY(cardo_rigid_by_radius_create(model, error));
done:
    return status;
}

void cardo_rigid_model_clear(cardo_rigid_model *model)
{
    for (int k = 0; k < model->nwork; ++k) {
        cardo_free(model->work[k].wrench);
        cardo_free(model->work[k].pushed);
    }
    cardo_pages_release(&model->sums);
    cardo_pages_release(&model->lists);
    cardo_pages_release(&model->growths);
    cardo_pages_release(&model->marks);
    cardo_pages_release(&model->column_forces);
    cardo_free(model->work);
    cardo_rigid_schedule_clear(&model->between);
    cardo_rigid_schedule_clear(&model->all);
    cardo_free(model->bonded_wrench);
    cardo_free(model->owner);
    cardo_free(model->solvent.inside);
    cardo_free(model->solvent.slope);
    cardo_free(model->solvent.energy);
    cardo_free(model->solvent.largest);
    cardo_free(model->solvent.clashed);
    cardo_free(model->solvent.by_radius);
    cardo_free(model->solvent.changed);
    cardo_free(model->solvent.middle);
    cardo_free(model->solvent.most_grown);
    cardo_free(model->solvent.changed_in);
    cardo_free(model->solvent.middle_in);
    cardo_free(model->solvent.reach);
    cardo_far_destroy(model->far);
    cardo_rigid_bonded_destroy(model->bonded);
    cardo_rigid_exclusions_destroy(model->exclusions);
    cardo_pages_release(&model->memory_double);
    cardo_pages_release(&model->memory_float);
    cardo_free(model->sphere);
    cardo_free(model->group_sphere);
    cardo_free(model->body_sphere);
    cardo_rigid_layout_destroy(model->layout);
    cardo_pool_destroy(model->pool);
}
