#include "study/saxs/context.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiment/saxs/exposure.h"
#include "study/fit/structures.h"

#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

void cardo_saxs_fill_fit(const cardo_curve_fit *fit, cardo_result *into)
{
    static const cardo_quantity
        reduced = {"reduced_chi_square", "reduced chi^2", "", "9.3f", "red. chi^2", ".8g"},
        chi = {"chi_square", "chi^2", "", ".4g", NULL, ".8g"},
        c1 = {"c1",
              NULL,
              "",
              "7.4f",
              "c1",
              ".8g",
              "radius of displaced volumes over its usual value"},
        c2 = {"c2",
              NULL,
              "",
              "6.2f",
              "c2",
              ".8g",
              "density of the hydration layer, 4: about 0.05 e/A^3 above bulk"},
        scale = {"scale", NULL, "", ".6g", NULL, ".8g"},
        background = {"background", NULL, "", ".4g", NULL, ".8g"},
        watson = {"durbin_watson",
                  "Durbin-Watson",
                  "",
                  "6.2f",
                  "DW",
                  ".6g",
                  "2: residuals without a trend"},
        runs = {"runs_z",
                "runs",
                "standard deviations",
                "+6.1f",
                "runs",
                ".6g",
                "runs of residuals of one sign against chance"};
    cardo_result_number(into, &reduced, fit->reduced);
    cardo_result_number(into, &chi, fit->chi_square);
    cardo_result_number(into, &c1, fit->c1);
    cardo_result_number(into, &c2, fit->c2);
    cardo_result_number(into, &scale, fit->scale);
    cardo_result_number(into, &background, fit->background);
    cardo_result_truth(
        into, &(cardo_quantity){"at_bound", .meaning = "c1 or c2 is at an end of its range"},
        fit->at_bound);
    cardo_result_number(into, &watson, fit->durbin_watson);
    cardo_result_number(into, &runs, fit->runs_z);
}

void cardo_saxs_take(cardo_saxs_context *context, const char *name, const cardo_curve_fit *fit,
                     const double *fitted)
{
    if (context->best.chi_square > 0 && context->best.chi_square <= fit->chi_square)
        return;
    context->best = *fit;
    snprintf(context->best_name, sizeof context->best_name, "%s", name);
    memcpy(context->best_fit, fitted, (size_t)context->curve.n * sizeof *fitted);
}

static void tell(const cardo_saxs_context *context, const char *name, const cardo_scatterers *s)
{
    const cardo_listener *listener = &context->session->listener;
    char text[256];
    if (!listener->say)
        return;
    if (s->guessed) {
        snprintf(text, sizeof text,
                 "%d atoms are of residues whose hydrogens are not known (%s first): they scatter "
                 "without; give a structure with hydrogens",
                 s->guessed, s->example);
        listener->say(listener->user, CARDO_SAID_WARNING, name, text);
    }
    if (s->left_out) {
        snprintf(text, sizeof text, "%d atoms of water, or without a known element, are left out",
                 s->left_out);
        listener->say(listener->user, CARDO_SAID_NOTE, name, text);
    }
}

static void fill(const cardo_saxs_context *context, const char *name, const cardo_scatterers *s,
                 const cardo_curve_fit *fit, cardo_result *table)
{
    static const cardo_quantity
        label = {"structure", NULL, NULL, "-28s", "structure"},
        atoms = {"scatterers", "scatterers", NULL, "6d", "atoms"},
        electrons = {"electrons", NULL, NULL, ".6g", NULL},
        Rg = {"gyration_A",
              "radius of gyration",
              "A",
              "7.2f",
              "Rg (A)",
              ".8g",
              "of electrons beyond displaced water, without the layer"},
        Dmax = {"largest_distance_A", "largest distance", "A", "7.1f", "Dmax (A)", ".8g"},
        area = {"exposed_nm2", "accessible surface", "nm^2", ".4g", NULL, ".6g"};
    char verdict[512];
    cardo_result_row(table);
    cardo_result_text(table, &label, name);
    cardo_result_integer(table, &atoms, s->n);
    cardo_result_number(table, &Rg, angstroms * cardo_scatterers_gyration(s));
    cardo_result_number(table, &Dmax, angstroms * cardo_scatterers_diameter(s));
    cardo_saxs_fill_fit(fit, table);
    cardo_result_number(table, &electrons, s->electrons);
    cardo_result_number(table, &area, cardo_exposure_area(s));
    cardo_result_truth(table, &(cardo_quantity){"explicit_hydrogens"}, s->explicit_hydrogens);
    cardo_result_text(table, &(cardo_quantity){"verdict"},
                      cardo_saxs_verdict(fit, context->curve.n, verdict));
}

static cardo_status fit_one(cardo_saxs_context *context, const char *file,
                            const cardo_structure *structure, cardo_result *table,
                            cardo_error *error)
{
    cardo_status status;
    cardo_scatterers s = {0};
    cardo_profile_plan plan = {0};
    cardo_curve_fit fit;
    double *partials = NULL, *fitted = NULL;
    char name[200];
    const char *slash = strrchr(file, '/');
    snprintf(name, sizeof name, "%.150s", slash ? slash + 1 : file);
    if (structure->nmodel > 1)
        snprintf(name + strlen(name), 24, "#%d", structure->model);
    CARDO_TRY(cardo_scatterers_make(structure, &s, error));
    CARDO_TRY(cardo_exposure_find(&s, error));
    tell(context, name, &s);
    CARDO_TRY(CARDO_ALLOCATE(&partials, CARDO_PARTIALS * (size_t)context->curve.n, error));
    CARDO_TRY(CARDO_ALLOCATE(&fitted, context->curve.n, error));
    CARDO_TRY(cardo_profile_plan_make(context->curve.n, context->curve.q,
                                      cardo_scatterers_diameter(&s), context->threads, &plan,
                                      error));
    CARDO_TRY(cardo_profile_find(&plan, &s, partials, error));
    CARDO_TRY(cardo_curve_fit_find(&context->curve, partials, s.mean_volume, &context->how, &fit,
                                   fitted, error));
    fill(context, name, &s, &fit, table);
    cardo_saxs_take(context, name, &fit, fitted);
done:
    if (status != CARDO_OK)
        cardo_error_prefix(error, "%s: ", name);
    cardo_free(partials);
    cardo_free(fitted);
    cardo_profile_plan_clear(&plan);
    cardo_scatterers_clear(&s);
    return status;
}

cardo_status cardo_saxs_structures(cardo_saxs_context *context, cardo_result *into,
                                   cardo_error *error)
{
    cardo_status status;
    const cardo_study_inputs *inputs = &context->options->inputs;
    const char **path = NULL;
    cardo_fit_structures *structures = NULL;
    int n = 0;
    CARDO_TRY(cardo_allocate((void **)&path, (size_t)inputs->count + 1, sizeof *path, error));
    for (int k = 0; k < inputs->count; ++k)
        if (cardo_saxs_is_structure(context, k))
            path[n++] = inputs->path[k];
    if (n == 0)
        goto done;
    cardo_result *table = cardo_result_table(into, "structures", "structure");
    cardo_result_file(table, "structures.csv", false);
    CARDO_TRY(cardo_fit_structures_open(&(cardo_fit_structures_choice){.inputs = {n, path}},
                                        &structures, error));
    for (;;) {
        const cardo_structure *structure = NULL;
        const char *file = "";
        CARDO_TRY(cardo_fit_structures_next(structures, &file, &structure, error));
        if (!structure)
            break;
        CARDO_TRY(fit_one(context, file, structure, table, error));
    }
done:
    cardo_fit_structures_close(structures);
    cardo_free((void *)path);
    return status;
}
