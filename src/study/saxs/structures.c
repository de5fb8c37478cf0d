#include "study/saxs/ensemble.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiment/saxs/debye.h"
#include "experiment/saxs/exposure.h"
#include "structure/atoms/file_kinds.h"
#include "study/fit/structures.h"
#include "study/saxs/groups.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

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

/* Electrons in a A^3 beyond bulk of the layer at c2 = 1, were it CRYSOL's: 3 A thick, on the surface that water's middle reaches. */
static double layer_contrast(const cardo_scatterers *s)
{
    double waters = 0;
    for (int i = 0; i < s->n; ++i)
        waters += s->exposure[i];
    return waters * cardo_layer_amplitude(0) / (1e3 * 0.3 * cardo_exposure_area(s));
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
        r0 = {"r0_A",
              NULL,
              "A",
              ".3f",
              NULL,
              ".6g",
              "CRYSOL's radius of the mean displaced volume, c1 times that of the atoms"},
        contrast = {"contrast_e_per_A3",
                    NULL,
                    "e/A^3",
                    ".3f",
                    NULL,
                    ".6g",
                    "CRYSOL's delta rho: electrons of the layer beyond bulk, in 3 A on the "
                    "accessible surface"},
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
    cardo_result_number(table, &r0,
                        angstroms * fit->c1 * cbrt(3 * s->mean_volume / (4 * CARDO_PI)));
    cardo_result_number(table, &contrast, fit->c2 * layer_contrast(s));
    cardo_result_truth(table, &(cardo_quantity){"explicit_hydrogens"}, s->explicit_hydrogens);
    cardo_result_text(table, &(cardo_quantity){"verdict"},
                      cardo_saxs_verdict(fit, context->curve.n, verdict));
}

enum { MOST_NAMED = 8 }; /* structures whose shares are asked for one by one */

/* What of all structures the shares need. */
typedef struct gathered {
    int n; /* of all; what is here are the first MOST_NAMED */
    double *partials, volume[MOST_NAMED], one;
    char names[MOST_NAMED][200];
    cardo_profile_groups groups; /* of all */
    cardo_saxs_measured measured;
} gathered;

/* Where what is measured of the next structure stands: those without a name share one place. */
static int row_of(const gathered *all)
{
    return all->n < MOST_NAMED ? all->n : MOST_NAMED;
}

static void gather(gathered *all, const char *name, const double *partials,
                   const cardo_scatterers *s, const cardo_curve_fit *fit, int points)
{
    const double volume = s->mean_volume;
    const size_t size = CARDO_PARTIALS * (size_t)points;
    if (all->n < MOST_NAMED) {
        memcpy(all->partials + (size_t)all->n * size, partials, size * sizeof *partials);
        all->volume[all->n] = volume;
        snprintf(all->names[all->n], sizeof all->names[0], "%s", name);
    }
    const int row = row_of(all);
    cardo_profile_groups_add(&all->groups, all->n + 1, partials, volume,
                             cardo_scatterers_gyration(s),
                             cardo_saxs_measured_row(&all->measured, row));
    const double alone = fit->chi_square + cardo_saxs_measured_chi_square(&all->measured, row);
    if (all->n++ == 0 || alone < all->one)
        all->one = alone;
}

/* Distances between labels of the structure that is the next to be gathered. */
static cardo_status measure(gathered *all, const cardo_structure *structure, cardo_error *error)
{
    cardo_labelled labelled = {0};
    if (all->measured.n == 0)
        return CARDO_OK;
    cardo_status status =
        cardo_saxs_measured_label(&all->measured, structure, NULL, &labelled, error);
    if (status == CARDO_OK)
        status = cardo_saxs_measured_find(&all->measured, &labelled, structure->position,
                                          row_of(all), NULL, error);
    cardo_labelled_clear(&labelled);
    return status;
}

static cardo_status share_out(cardo_saxs_context *context, gathered *all, cardo_result *into,
                              cardo_error *error)
{
    double prior[MOST_NAMED];
    const char *names[MOST_NAMED];
    if (context->model_path || context->frames_path)
        return CARDO_OK;
    if (all->n < 2)
        return all->measured.n == 0
                   ? CARDO_OK
                   : CARDO_FAIL(
                         error, CARDO_ERROR_INPUT,
                         "distances join the curve where shares are looked for, of two "
                         "structures and more or along a model's coordinate; of one structure "
                         "they are compared by the study distances");
    if (all->n > MOST_NAMED)
        return cardo_saxs_groups(context, &all->groups, &all->measured, into, error);
    for (int k = 0; k < all->n; ++k) {
        prior[k] = 1.0 / all->n;
        names[k] = all->names[k];
    }
    cardo_saxs_question question = {.all = {all->n, all->partials, all->volume, prior},
                                    .names = names,
                                    .one = all->one,
                                    .measured = &all->measured};
    cardo_saxs_measured_join(&all->measured, &question.all);
    return cardo_saxs_ensemble(context, &question, into, error);
}

static cardo_status fit_one(cardo_saxs_context *context, const char *file,
                            const cardo_structure *structure, gathered *all, cardo_result *table,
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
                                      cardo_scatterers_diameter(&s), context->options->tolerance,
                                      context->threads, &plan, error));
    CARDO_TRY(cardo_profile_find(&plan, &s, partials, error));
    CARDO_TRY(cardo_curve_fit_find(&context->curve, partials, s.mean_volume, &context->how, &fit,
                                   fitted, error));
    fill(context, name, &s, &fit, table);
    cardo_saxs_take(context, name, &fit, fitted);
    CARDO_TRY(measure(all, structure, error));
    gather(all, name, partials, &s, &fit, context->curve.n);
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
    gathered all = {0};
    int n = 0;
    CARDO_TRY(cardo_allocate((void **)&path, (size_t)inputs->count + 1, sizeof *path, error));
    for (int k = 0; k < inputs->count; ++k)
        if (cardo_file_is_structure(inputs->path[k]))
            path[n++] = inputs->path[k];
    if (n == 0)
        goto done;
    if (!context->model_path && !context->frames_path)
        CARDO_TRY(cardo_saxs_measured_open(context, CARDO_SAXS_MOST_GROUPS, &all.measured, error));
    CARDO_TRY(CARDO_ALLOCATE(&all.partials, MOST_NAMED * CARDO_PARTIALS * (size_t)context->curve.n,
                             error));
    CARDO_TRY(cardo_profile_groups_make(&context->curve, all.measured.n, CARDO_SAXS_MOST_GROUPS,
                                        &all.groups, error));
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
        CARDO_TRY(fit_one(context, file, structure, &all, table, error));
    }
    status = share_out(context, &all, into, error);
done:
    cardo_profile_groups_clear(&all.groups);
    cardo_saxs_measured_clear(&all.measured);
    cardo_free(all.partials);
    cardo_fit_structures_close(structures);
    cardo_free((void *)path);
    return status;
}
