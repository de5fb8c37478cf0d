#include "study/sample/profile.h"

#include <math.h>

static void fill_table(const cardo_profile_lines *p, cardo_result *table)
{
    const cardo_quantity xi = {"xi", p->coordinate, p->unit, .stored = ".8g"};
    static const cardo_quantity F = {"F_kJ_per_mol", "F", "kJ/mol", .stored = ".8g"},
                                sigma = {"sigma_kJ_per_mol", "sigma", "kJ/mol", .stored = ".8g"},
                                F_kT = {"F_kT", "F", "kT", .stored = ".8g"},
                                sigma_kT = {"sigma_kT", "sigma", "kT", .stored = ".8g"},
                                bootstrap = {"bootstrap_kT", "sigma by bootstrap", "kT",
                                             .stored = ".8g"},
                                effective = {"effective_samples", "effective samples",
                                             .stored = ".8g"};
    double least = INFINITY;
    for (int i = 0; i < p->n; ++i)
        least = fmin(least, p->F[i]);
    for (int i = 0; i < p->n; ++i) {
        cardo_result_row(table);
        cardo_result_number(table, &xi, p->xi[i]);
        cardo_result_number(table, &F, p->kT * (p->F[i] - least));
        cardo_result_number(table, &sigma, p->kT * p->sigma[i]);
        cardo_result_number(table, &F_kT, p->F[i] - least);
        cardo_result_number(table, &sigma_kT, p->sigma[i]);
        if (p->bootstrap)
            cardo_result_number(table, &bootstrap, p->bootstrap[i]);
        if (p->effective)
            cardo_result_number(table, &effective, p->effective[i]);
    }
}

void cardo_profile_fill(const cardo_profile_lines *p, cardo_result *into)
{
    static const cardo_quantity energy = {"F_kJ_per_mol", "free energy", "kJ/mol"},
                                error = {"sigma_kJ_per_mol", "standard error", "kJ/mol"};
    const cardo_axis place = {"place", p->n};
    cardo_result_text(into, &(cardo_quantity){"variable"}, p->coordinate);
    cardo_result_text(into, &(cardo_quantity){"unit"}, p->unit);
    cardo_result_values(into, &(cardo_quantity){"xi", p->coordinate, p->unit}, 1, &place, p->xi);
    double *F = cardo_result_doubles(into, &energy, 1, &place, NULL);
    for (int i = 0; F && i < p->n; ++i)
        F[i] = p->kT * p->F[i];
    double *sigma = cardo_result_doubles(into, &error, 1, &place, NULL);
    for (int i = 0; sigma && i < p->n; ++i)
        sigma[i] = p->kT * p->sigma[i];
    cardo_result *table = cardo_result_table(into, "profile", "place");
    cardo_result_file(table, "pmf.csv", true);
    fill_table(p, table);
}
