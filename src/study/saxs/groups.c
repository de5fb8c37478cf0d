#include "study/saxs/groups.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/saxs/ensemble.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Each group's fit, and the best of them. */
static cardo_status fill_groups(cardo_saxs_context *context, const cardo_profile_groups *g,
                                const cardo_saxs_measured *measured, double *least,
                                cardo_result *into, cardo_error *error)
{
    static const cardo_quantity members = {"members", "conformations", NULL, "8d", "members"},
                                example = {"example", "the first of them", NULL, "8d", "first"},
                                Rg = {"gyration_A", "radius of gyration", "A", "7.2f", "Rg (A)",
                                      ".8g"};
    cardo_status status;
    double *fitted = NULL;
    cardo_result *table = cardo_result_table(into, "groups", "group");
    cardo_result_file(table, "groups.csv", true);
    CARDO_TRY(CARDO_ALLOCATE(&fitted, context->curve.n, error));
    *least = HUGE_VAL;
    for (int k = 0; k < g->n; ++k) {
        cardo_curve_fit fit;
        char name[64];
        CARDO_TRY(cardo_curve_fit_find(
            &context->curve, g->partials + (size_t)k * (size_t)g->curve->n * CARDO_PARTIALS,
            g->volume[k], &context->how, &fit, fitted, error));
        snprintf(name, sizeof name, "conformation %lld", g->example[k]);
        cardo_saxs_take(context, name, &fit, fitted);
        *least = fmin(*least, fit.chi_square + cardo_saxs_measured_chi_square(measured, k));
        cardo_result_row(table);
        cardo_result_integer(table, &example, g->example[k]);
        cardo_result_integer(table, &members, g->count[k]);
        cardo_result_number(table, &Rg, g->gyration[k] / CARDO_ANGSTROM);
        cardo_saxs_fill_fit(&fit, table);
    }
done:
    cardo_free(fitted);
    return status;
}

cardo_status cardo_saxs_groups(cardo_saxs_context *context, cardo_profile_groups *g,
                               cardo_saxs_measured *measured, cardo_result *into,
                               cardo_error *error)
{
    static const cardo_quantity width = {
        "group_width", "chi^2 within a group",          "", ".3g", NULL,
        ".6g",         "at most, from its first member"};
    cardo_status status;
    double *prior = NULL, *Rg = NULL, least, total = 0, before = 0;
    cardo_profile_groups_close(g);
    cardo_result_number(into, &width, g->width);
    if (measured->n > 0)
        memcpy(measured->property, g->property,
               (size_t)g->n * (size_t)measured->n * sizeof *g->property);
    CARDO_TRY(fill_groups(context, g, measured, &least, into, error));
    if (g->n < 2)
        goto done;
    CARDO_TRY(CARDO_ALLOCATE(&prior, g->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&Rg, g->n, error));
    for (int k = 0; k < g->n; ++k)
        total += (double)g->count[k];
    cardo_saxs_question question = {.all = {g->n, g->partials, g->volume, prior},
                                    .coordinate = "radius of gyration (A)",
                                    .q = Rg,
                                    .prior_said = true,
                                    .prior_name = "the conformations' own",
                                    .one = least,
                                    .measured = measured};
    cardo_saxs_measured_join(measured, &question.all);
    for (int k = 0; k < g->n; ++k) {
        prior[k] = (double)g->count[k] / total;
        Rg[k] = g->gyration[k] / CARDO_ANGSTROM;
        /* Half of them lie beyond. */
        if (before < 0.5)
            question.boundary = Rg[k];
        before += prior[k];
    }
    question.has_boundary = true;
    status = cardo_saxs_ensemble(context, &question, into, error);
done:
    cardo_free(prior);
    cardo_free(Rg);
    return status;
}
