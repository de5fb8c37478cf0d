#include "study/modes/result.h"

#include "analysis/modes/fluctuations.h"
#include "base/memory.h"
#include "base/units.h"
#include "multibody/tree/coordinate_names.h"
#include "study/session/forces.h"
#include "study/session/result.h"

#include <math.h>
#include <stdio.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

static void add_network(const cardo_mode_options *o, cardo_result *into)
{
    static const char *const nodes[] = {"", "C-alpha atoms", "heavy atoms", "all atoms"};
    static const cardo_quantity cutoff = {"cutoff_A", "cutoff", "A", ".3g"},
                                spring = {"spring", "spring", "kJ/mol/nm^2", ".4g"};
    cardo_result *network = cardo_result_group(into, "network");
    cardo_result_text(network, &(cardo_quantity){"nodes"}, nodes[o->nodes]);
    cardo_result_number(network, &cutoff, angstroms * o->cutoff);
    cardo_result_number(network, &spring, o->spring);
    cardo_result_truth(network, &(cardo_quantity){"weaker_with_length"}, o->power != 0);
}

static void add_minimization(const cardo_minimization_result *m, cardo_result *into)
{
    static const cardo_quantity first = {"first_potential_kJ_per_mol", "potential at the start",
                                         "kJ/mol", ".4f"},
                                last = {"potential_kJ_per_mol", "potential", "kJ/mol", ".4f"};
    cardo_result *minimization = cardo_result_group(into, "minimization");
    cardo_result_number(minimization, &first, m->first.potential);
    cardo_result_number(minimization, &last, m->last.potential);
    cardo_result_integer(minimization, &(cardo_quantity){"iterations"}, m->last.iteration);
    cardo_result_truth(minimization, &(cardo_quantity){"converged"}, m->converged);
}

/* What the asymmetry has beside rounding and the step's width, or nothing. */
static void add_asymmetry_remark(const cardo_stiffness_quality *quality, cardo_result *into)
{
    if (quality->asymmetry > 2 * (quality->rounding + quality->truncation))
        cardo_result_remark(
            into, "asymmetry_remark", CARDO_RESULT_NOTE,
            quality->residual > 1
                ? "forces that are left turn with the bodies and make the rest"
                : "the rest is unexplained: do forces depend on more than positions?",
            NULL);
}

static void add_forces(const cardo_mode_findings *f, cardo_result *into)
{
    static const cardo_quantity residual = {"largest_generalized_force", .style = ".3g"},
                                step = {"step", .style = ".0e"},
                                asymmetry = {"asymmetry", .style = ".1e"},
                                rounding = {"asymmetry_of_rounding", .style = ".1e"},
                                truncation = {"asymmetry_of_step", .style = ".1e"};
    const cardo_stiffness_quality *quality = &f->set->quality;
    char engine[CARDO_ENGINE_TEXT], name[CARDO_COORDINATE_NAME];
    cardo_result_text(into, &(cardo_quantity){"engine"}, cardo_session_engine(f->session, engine));
    cardo_result_text(into, &(cardo_quantity){"members"}, f->members);
    cardo_judgement_fill(f->session, into);
    cardo_result_truth(into, &(cardo_quantity){"minimized"}, f->set->minimized);
    if (f->set->minimized)
        add_minimization(&f->set->minimization, into);
    cardo_result_number(into, &residual, quality->residual);
    cardo_result_text(into, &(cardo_quantity){"largest_generalized_force_on"},
                      cardo_mobility_name(f->session->system, quality->residual_speed, name));
    cardo_result_integer(into, &(cardo_quantity){"force_evaluations"}, quality->evaluations);
    cardo_result_number(into, &step, quality->step);
    cardo_result_number(into, &asymmetry, quality->asymmetry);
    cardo_result_number(into, &rounding, quality->rounding);
    cardo_result_number(into, &truncation, quality->truncation);
    add_asymmetry_remark(quality, into);
}

static void add_source(const cardo_mode_findings *f, cardo_result *into)
{
    static const cardo_quantity correlation = {"b_factor_correlation", .style = ".2f"},
                                rmsd = {"observed_rmsd_A", "RMSD of the two structures", "A",
                                        ".2f"};
    const cardo_mode_set *set = f->set;
    cardo_result_text(into, &(cardo_quantity){"model"}, f->session->model->name);
    cardo_result_integer(into, &(cardo_quantity){"atoms"},
                         cardo_system_nstation(f->session->system));
    cardo_result_integer(into, &(cardo_quantity){"bodies"}, f->session->model->nbody);
    cardo_result_integer(into, &(cardo_quantity){"degrees_of_freedom"}, set->modes->freedoms);
    cardo_result_truth(into, &(cardo_quantity){"every_body_free"}, f->options->joints != 0);
    cardo_result_integer(into, &(cardo_quantity){"rigid_motions"}, set->nrigid);
    cardo_result_integer(into, &(cardo_quantity){"held_speeds"}, set->modes->nheld);
    if (set->b_known)
        cardo_result_number(into, &correlation, set->b_correlation);
    if (set->compared) {
        cardo_result_number(into, &rmsd, angstroms * set->observed.rmsd);
        cardo_result_integer(into, &(cardo_quantity){"observed_residues"}, set->observed.n);
    }
    if (f->options->stiffness == CARDO_MODES_NETWORK)
        add_network(f->options, into);
    else
        add_forces(f, into);
}

static void add_hinges(const cardo_mode_findings *f, const cardo_mode_line *line, cardo_result *row)
{
    static const cardo_quantity before = {"before", "residue before"},
                                after = {"after", "residue after"},
                                turn = {"thermal_turn_degree", "thermal turn", "degree", ".2g",
                                        .stored = ".6g"},
                                spread = {"turn_over_spread", "turn over spread", .style = ".4f",
                                          .stored = ".4f"};
    cardo_result *hinges = cardo_result_table(row, "hinges", "hinge");
    cardo_result_column(hinges, &before, CARDO_RESULT_TEXT);
    cardo_result_column(hinges, &after, CARDO_RESULT_TEXT);
    cardo_result_column(hinges, &turn, CARDO_RESULT_DOUBLE);
    cardo_result_column(hinges, &spread, CARDO_RESULT_DOUBLE);
    for (int h = 0; h < line->nhinge; ++h) {
        const cardo_mode_hinge *hinge = &line->hinge[h];
        cardo_result_row(hinges);
        cardo_result_text(hinges, &before, f->label[hinge->before]);
        cardo_result_text(hinges, &after, f->label[hinge->before + 1]);
        cardo_result_number(hinges, &turn, sqrt(line->variance) * hinge->turn / CARDO_DEGREE);
        cardo_result_number(hinges, &spread, hinge->spread);
    }
}

static void add_modes(const cardo_mode_findings *f, cardo_result *into)
{
    static const cardo_quantity
        number = {"mode", .style = "5d", .heading = "mode"},
        eigenvalue = {"eigenvalue_per_ps2", "eigenvalue", "ps^-2", .stored = ".10g"},
        frequency = {"frequency_per_ps", "frequency", "1/ps", "9.4f", "1/ps", ".10g"},
        wavenumber = {"wavenumber_per_cm", "wavenumber", "1/cm", "9.3f", "1/cm", ".10g"},
        amplitude = {"amplitude_A",
                     "thermal amplitude",
                     "A",
                     "14.3f",
                     "amplitude (A)",
                     ".8g",
                     "root mean square over C-alpha atoms"},
        collectivity = {"collectivity", .style = "13.3f", .heading = "collectivity",
                        .stored = ".6f"},
        overlap = {"overlap", .style = "8.3f", .heading = "overlap", .stored = ".6f",
                   .meaning = "with the displacement that was observed"},
        cumulative = {"cumulative_overlap", "cumulative overlap", .style = "11.3f",
                      .heading = "cumulative", .stored = ".6f"},
        imaginary = {"imaginary", .style = "s; imaginary", .heading = "", .stored = ""};
    cardo_result *table = cardo_result_table(into, "modes", "mode");
    cardo_result_file(table, "modes.csv", false);
    for (int m = 0; m < f->set->nmode; ++m) {
        const cardo_mode_line *line = &f->set->line[m];
        cardo_result_row(table);
        cardo_result_integer(table, &number, line->number);
        cardo_result_number(table, &eigenvalue, line->eigenvalue);
        cardo_result_number(table, &frequency, cardo_mode_frequency(line->eigenvalue));
        cardo_result_number(table, &wavenumber, cardo_mode_wavenumber(line->eigenvalue));
        cardo_result_number(table, &amplitude, angstroms * line->amplitude);
        cardo_result_number(table, &collectivity, line->collectivity);
        if (f->set->compared) {
            cardo_result_number(table, &overlap, line->overlap);
            cardo_result_number(table, &cumulative, line->cumulative);
        }
        cardo_result_truth(table, &imaginary, line->eigenvalue < 0);
        add_hinges(f, line, table);
    }
}

static int best_of(int n, const double *overlap)
{
    int best = 0;
    for (int m = 1; m < n; ++m)
        best = overlap[m] > overlap[best] ? m : best;
    return best;
}

static const cardo_quantity softest = {"softest_overlap", .style = "9.3f"},
                            best_overlap = {"best_overlap", .style = "6.3f"},
                            together = {"cumulative_overlap", .style = "11.3f"};

static void add_comparison(const cardo_mode_comparison *comparison, cardo_result *into)
{
    static const cardo_quantity shared = {"shared_span", .style = ".3f"};
    cardo_result *table = cardo_result_table(into, "comparison", "method");
    for (int k = 0; k < comparison->nmethod; ++k) {
        const cardo_mode_method *method = &comparison->method[k];
        cardo_result_row(table);
        cardo_result_text(table, &(cardo_quantity){"method"}, method->name);
        cardo_result_integer(table, &(cardo_quantity){"modes"}, method->nmode);
        cardo_result_number(table, &shared, method->shared);
        cardo_result_integer(table, &(cardo_quantity){"shared_of_model"}, method->shared_own);
        cardo_result_integer(table, &(cardo_quantity){"shared_of_method"}, method->shared_other);
        if (!method->overlap)
            continue;
        const int best = best_of(method->nmode, method->overlap);
        double *overlaps = cardo_result_doubles(table, &(cardo_quantity){"overlaps"}, 1,
                                                &(cardo_axis){"mode", method->nmode}, NULL);
        for (int m = 0; overlaps && m < method->nmode; ++m)
            overlaps[m] = method->overlap[m];
        cardo_result_number(table, &softest, method->overlap[0]);
        cardo_result_number(table, &best_overlap, method->overlap[best]);
        cardo_result_integer(table, &(cardo_quantity){"best_rank"}, best + 1);
        cardo_result_number(table, &together, method->cumulative[method->nmode - 1]);
    }
}

/* How the model itself does, beside the other methods. */
static void add_own(const cardo_mode_set *set, cardo_result *into)
{
    int best = 0;
    cardo_result *own = cardo_result_group(into, "overlaps_of_model");
    cardo_result_text(own, &(cardo_quantity){"method"}, "model");
    cardo_result_integer(own, &(cardo_quantity){"modes"}, set->nmode);
    if (!set->compared || set->nmode == 0)
        return;
    for (int m = 1; m < set->nmode; ++m)
        best = set->line[m].overlap > set->line[best].overlap ? m : best;
    cardo_result_number(own, &softest, set->line[0].overlap);
    cardo_result_number(own, &best_overlap, set->line[best].overlap);
    cardo_result_integer(own, &(cardo_quantity){"best_rank"}, best + 1);
    cardo_result_number(own, &together, set->line[set->nmode - 1].cumulative);
}

/* Overlaps of the model's modes and of other methods' side by side, by rank. */
static void add_ranks(const cardo_mode_findings *f, cardo_result *into)
{
    static const cardo_quantity rank = {"rank"}, number = {"mode", "number in modes.csv"},
                                overlap = {"overlap_of_model", "model overlap", .stored = ".6f"},
                                cumulative = {"cumulative_of_model", "model cumulative",
                                              .stored = ".6f"};
    int most = f->set->nmode;
    cardo_result *table = cardo_result_table(into, "overlaps_by_rank", "rank");
    cardo_result_file(table, "comparison.csv", true);
    for (int k = 0; k < f->comparison->nmethod; ++k)
        most = f->comparison->method[k].nmode > most ? f->comparison->method[k].nmode : most;
    for (int m = 0; m < most; ++m) {
        cardo_result_row(table);
        cardo_result_integer(table, &rank, m + 1);
        if (m < f->set->nmode) {
            cardo_result_integer(table, &number, f->set->line[m].number);
            cardo_result_number(table, &overlap, f->set->line[m].overlap);
            cardo_result_number(table, &cumulative, f->set->line[m].cumulative);
        }
        for (int k = 0; k < f->comparison->nmethod; ++k) {
            const cardo_mode_method *method = &f->comparison->method[k];
            char one[64], all[64];
            if (m >= method->nmode)
                continue;
            snprintf(one, sizeof one, "%s overlap", method->name);
            snprintf(all, sizeof all, "%s cumulative", method->name);
            cardo_result_number(table, &(cardo_quantity){one, .stored = ".6f"}, method->overlap[m]);
            cardo_result_number(table, &(cardo_quantity){all, .stored = ".6f"},
                                method->cumulative[m]);
        }
    }
}

/* Speeds of every mode, one column a mode. */
static void add_speeds(const cardo_mode_findings *f, cardo_result *into)
{
    static const cardo_quantity speeds = {"speeds", .stored = ".10g",
                                          .meaning = "of modes with v^T M v = 1"};
    const cardo_mode_set *set = f->set;
    const int nu = set->modes->nu, n = set->nmode;
    const cardo_axis axes[2] = {{"speed", nu}, {"mode", n}};
    char name[CARDO_COORDINATE_NAME];
    cardo_result *array;
    double *value = cardo_result_doubles(into, &speeds, 2, axes, &array);
    cardo_result_file(array, "speeds.csv", true);
    for (int m = 0; value && m < n; ++m) {
        snprintf(name, sizeof name, "mode %d", set->line[m].number);
        cardo_result_label(array, 1, m, name);
        for (int k = 0; k < nu; ++k)
            value[(size_t)k * (size_t)n + (size_t)m] =
                set->modes->speed[(size_t)(set->nrigid + m) * (size_t)nu + (size_t)k];
    }
    for (int k = 0; value && k < nu; ++k)
        cardo_result_label(array, 0, k, cardo_mobility_name(f->session->system, k, name));
}

static void add_residues(const cardo_mode_findings *f, cardo_result *into)
{
    static const cardo_quantity residue = {"residue"},
                                file = {"b_factor_of_file_A2", "B factor of the file", "A^2",
                                        .stored = ".2f"},
                                modes = {"b_factor_of_modes_A2", "B factor of the modes", "A^2",
                                         .stored = ".6g"};
    const cardo_structure *s = f->session->model->structure[0].structure;
    cardo_result *table = cardo_result_table(into, "residues", "residue");
    cardo_result_file(table, "residues.csv", true);
    for (int i = 0; i < f->set->nca; ++i) {
        cardo_result_row(table);
        cardo_result_text(table, &residue, f->label[i]);
        cardo_result_number(table, &file, (double)s->b_factor[f->set->ca[i]]);
        cardo_result_number(table, &modes,
                            8 * CARDO_PI * CARDO_PI / 3 * f->set->fluctuation[i] * angstroms *
                                angstroms);
    }
}

/* Each row and column a residue. */
static cardo_status add_correlations(const cardo_mode_findings *f, cardo_result *into,
                                     cardo_error *error)
{
    static const cardo_quantity correlation = {"correlations", .stored = ".5f"};
    const cardo_mode_set *set = f->set;
    const cardo_axis axes[2] = {{"residue", set->nca}, {"residue", set->nca}};
    double *variance;
    cardo_result *array;
    cardo_status status = CARDO_ALLOCATE(&variance, set->nmode, error);
    double *value =
        status == CARDO_OK ? cardo_result_doubles(into, &correlation, 2, axes, &array) : NULL;
    for (int m = 0; value && m < set->nmode; ++m)
        variance[m] = set->line[m].variance;
    if (value) {
        cardo_result_file(array, "correlations.csv", true);
        cardo_mode_correlations(set->nca, set->nmode, set->displacement, variance, value);
    }
    for (int i = 0; value && i < set->nca; ++i) {
        cardo_result_label(array, 0, i, f->label[i]);
        cardo_result_label(array, 1, i, f->label[i]);
    }
    cardo_free(variance);
    return status;
}

cardo_status cardo_modes_fill(const cardo_mode_findings *f, cardo_result *into, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    add_source(f, into);
    add_modes(f, into);
    add_comparison(f->comparison, into);
    if (f->comparison->nmethod > 0)
        add_own(f->set, into);
    add_speeds(f, into);
    add_residues(f, into);
    if (f->correlations)
        status = add_correlations(f, into, error);
    if (f->set->compared && f->comparison->nmethod > 0)
        add_ranks(f, into);
    return status == CARDO_OK ? cardo_result_status(into, error) : status;
}
