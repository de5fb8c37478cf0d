#include "study/saxs/measured.h"

#include "base/memory.h"
#include "base/units.h"

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

/* nm between points of a label's grid, and places that averages are taken over, as by default in the study "distances". */
static const double spacing = 0.09;
enum { PLACES = 2000 };

cardo_status cardo_saxs_measured_open(const cardo_saxs_context *context, int conformations,
                                      cardo_saxs_measured *out, cardo_error *error)
{
    cardo_status status;
    const char *path = context->options->distances;
    if (!path[0])
        return CARDO_OK;
    CARDO_TRY(cardo_label_table_read(path, &out->table, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->pair, out->table.npair, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->value, out->table.npair, error));
    for (int k = 0; k < out->table.npair; ++k)
        if (out->table.pair[k].measured) {
            out->value[out->n] = out->table.pair[k].value / out->table.pair[k].sigma;
            out->pair[out->n++] = k;
        }
    if (out->n == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: no pair has a measured value with its error, so that nothing joins "
                          "the curve",
                          path);
    status = CARDO_ALLOCATE(&out->property, (size_t)conformations * (size_t)out->n, error);
done:
    return status;
}

void cardo_saxs_measured_clear(cardo_saxs_measured *measured)
{
    cardo_label_table_clear(&measured->table);
    cardo_free(measured->pair);
    cardo_free(measured->value);
    cardo_free(measured->property);
    *measured = (cardo_saxs_measured){0};
}

cardo_status cardo_saxs_measured_label(const cardo_saxs_measured *measured,
                                       const cardo_structure *structure, const int *atom_body,
                                       cardo_labelled *labelled, cardo_error *error)
{
    return measured->n > 0 ? cardo_labelled_make(&measured->table, structure, atom_body, spacing,
                                                 PLACES, labelled, error)
                           : CARDO_OK;
}

cardo_status cardo_saxs_measured_find(cardo_saxs_measured *measured, cardo_labelled *labelled,
                                      const double *positions, int k, int *without,
                                      cardo_error *error)
{
    if (without)
        *without = -1;
    if (measured->n == 0)
        return CARDO_OK;
    const cardo_status status = cardo_labelled_place(labelled, positions, error);
    for (int j = 0; j < measured->n && status == CARDO_OK; ++j) {
        const cardo_label_pair *pair = &measured->table.pair[measured->pair[j]];
        const cardo_label_places one = cardo_labelled_places(labelled, pair->label[0]),
                                 other = cardo_labelled_places(labelled, pair->label[1]);
        const bool fret = pair->kind == CARDO_PAIR_FRET;
        cardo_label_distance d;
        if (one.n == 0 || other.n == 0) {
            const int label = pair->label[one.n > 0];
            if (!without)
                return CARDO_FAIL(
                    error, CARDO_ERROR_INPUT,
                    "label %s has no room there: leave this conformation out, or its pair",
                    measured->table.label[label].name);
            *without = label;
            return CARDO_OK;
        }
        cardo_label_distance_find(&one, &other, fret ? pair->R0 : 0, 1, 0, NULL, &d);
        measured->property[(size_t)k * (size_t)measured->n + (size_t)j] =
            (fret ? d.efficiency : d.mean) / pair->sigma;
    }
    return status;
}

const double *cardo_saxs_measured_row(const cardo_saxs_measured *measured, int k)
{
    return measured->n > 0 ? measured->property + (size_t)k * (size_t)measured->n : NULL;
}

void cardo_saxs_measured_join(const cardo_saxs_measured *measured, cardo_conformations *all)
{
    all->nmeasured = measured->n;
    all->measured = measured->value;
    all->property = measured->property;
}

double cardo_saxs_measured_chi_square(const cardo_saxs_measured *measured, int k)
{
    double sum = 0;
    for (int j = 0; j < measured->n; ++j) {
        const double off = cardo_saxs_measured_row(measured, k)[j] - measured->value[j];
        sum += off * off;
    }
    return sum;
}

void cardo_saxs_measured_fill(const cardo_saxs_measured *measured, const cardo_conformations *all,
                              const double *weight, cardo_result *into)
{
    static const cardo_quantity
        name = {"pair", "pair", .style = "-12s"},
        kind = {"kind", "kind", .style = "-4s"},
        value = {"measured", "measured", "", "8.4g", "measured", ".6g", "<E> of FRET, A of DEER"},
        had = {"ensemble", "ensemble", "", "8.4g", "ensemble", ".6g"},
        off = {"deviation_sigma", "off by (sigma)", "", "+14.2f", "off by (sigma)", ".6g"};
    cardo_result *table = cardo_result_table(into, "measured", "pair");
    for (int j = 0; j < measured->n; ++j) {
        const cardo_label_pair *pair = &measured->table.pair[measured->pair[j]];
        const bool fret = pair->kind == CARDO_PAIR_FRET;
        const double unit = fret ? 1 : angstroms,
                     mean = cardo_conformations_average(all, weight, j),
                     deviation = mean - measured->value[j];
        cardo_result_row(table);
        cardo_result_text(table, &name, pair->name);
        cardo_result_text(table, &kind, fret ? "FRET" : "DEER");
        cardo_result_number(table, &value, unit * pair->value);
        cardo_result_number(table, &had, unit * pair->sigma * mean);
        cardo_result_number(table, &off, deviation);
    }
}
