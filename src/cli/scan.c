#include "cli/scan.h"

#include "base/memory.h"
#include "base/result.h"
#include "cli/gnuplot.h"
#include "io/plots/plot.h"
#include "io/results/result_printer.h"
#include "io/results/result_text.h"
#include "multibody/tree/coordinate_names.h"

#include <math.h>
#include <stdio.h>

/* Kinetic temperatures hardly reach what lies this far above the lowest place (kJ/mol). */
static const double reachable = 25.0;

static int mobility_of(const cardo_system *system, int coordinate)
{
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        if (coordinate >= info.q_first && coordinate < info.q_first + info.nq)
            return info.nq == info.nu ? info.u_first + coordinate - info.q_first : -1;
    }
    return -1;
}

/* Energies and force at one place, as a row; a place that cannot be evaluated has none. */
static cardo_status add_place(cardo_session *session, double q, const char *name, int mobility,
                              double *generalized, cardo_result *table, cardo_error *error)
{
    static const cardo_quantity potential = {"potential_kJ_per_mol", "potential", "kJ/mol",
                                             .stored = ".12g"},
                                force = {"generalized_force", "generalized force", "kJ/mol",
                                         .stored = ".12g"};
    char label[CARDO_COORDINATE_NAME + 2];
    cardo_evaluator *evaluator = session->evaluator;
    snprintf(label, sizeof label, "q %.50s", name);
    cardo_result_row(table);
    cardo_result_number(table, &(cardo_quantity){"q", label, .stored = ".10g"}, q);
    cardo_status status = cardo_evaluate(evaluator, session->state, error);
    const bool there = status == CARDO_OK;
    if (status != CARDO_OK && status != CARDO_RECOVERABLE)
        return status;
    cardo_result_number(table, &potential, there ? cardo_evaluator_energy(evaluator) : (double)NAN);
    for (int k = 0; k < cardo_evaluator_nterm(evaluator); ++k)
        cardo_result_number(table,
                            &(cardo_quantity){cardo_evaluator_term_name(evaluator, k),
                                              .unit = "kJ/mol", .stored = ".12g"},
                            there ? cardo_evaluator_terms(evaluator)[k] : (double)NAN);
    if (there && mobility >= 0)
        status = cardo_evaluator_generalized_forces(evaluator, session->state, generalized, error);
    else
        status = CARDO_OK;
    cardo_result_number(table, &force,
                        there && mobility >= 0 && status == CARDO_OK ? generalized[mobility]
                                                                     : (double)NAN);
    return status;
}

static cardo_status add_places(cardo_session *session, const cardo_scan *scan, const char *name,
                               cardo_result *into, cardo_error *error)
{
    const int mobility = mobility_of(session->system, scan->coordinate);
    double *generalized;
    cardo_result *table = cardo_result_table(into, "scan", "place");
    cardo_status status = CARDO_ALLOCATE(&generalized, cardo_system_nu(session->system) + 1, error);
    cardo_result_file(table, "scan.csv", true);
    cardo_evaluator_want_terms(session->evaluator, true);
    for (int k = 0; k < scan->count && status == CARDO_OK; ++k) {
        const double q = scan->from + (scan->to - scan->from) * k / (scan->count - 1);
        status = cardo_session_set_coordinate(session, scan->coordinate, q, error);
        if (status == CARDO_OK)
            status = add_place(session, q, name, mobility, generalized, table, error);
    }
    cardo_free(generalized);
    return status == CARDO_OK ? cardo_result_status(into, error) : status;
}

/* What the places show: the lowest, the ends, and how far heat would reach. */
static void add_summary(const cardo_scan *scan, cardo_result *into)
{
    static const cardo_quantity lowest_energy = {"lowest_kJ_per_mol", "lowest energy", "kJ/mol",
                                                 ".2f"},
                                lowest_at = {"lowest_at_q", .style = ".4g"},
                                first_end = {"first_end_kJ_per_mol",
                                             "above the lowest at the start", "kJ/mol", "+.4g"},
                                last_end = {"last_end_kJ_per_mol", "above the lowest at the end",
                                            "kJ/mol", "+.4g"},
                                reach = {"reach_kJ_per_mol", "reach", "kJ/mol", ".0f"},
                                reach_from = {"reach_from_q", .style = ".4g"},
                                reach_to = {"reach_to_q", .style = ".4g"};
    const cardo_result *table = cardo_result_find(into, "scan");
    const double *q = cardo_result_as_doubles(cardo_result_find(table, "q"));
    const double *U = cardo_result_as_doubles(cardo_result_find(table, "potential_kJ_per_mol"));
    int lowest = 0, failed = 0, first, last;
    for (int k = 0; k < scan->count; ++k)
        failed += !isfinite(U[k]);
    for (int k = 1; k < scan->count; ++k)
        if (!(U[k] >= U[lowest]))
            lowest = isfinite(U[k]) ? k : lowest;
    first = last = lowest;
    while (first > 0 && U[first - 1] < U[lowest] + reachable)
        --first;
    while (last < scan->count - 1 && U[last + 1] < U[lowest] + reachable)
        ++last;
    cardo_result_number(into, &lowest_energy, U[lowest]);
    cardo_result_number(into, &lowest_at, q[lowest]);
    cardo_result_number(into, &first_end, U[0] - U[lowest]);
    cardo_result_number(into, &last_end, U[scan->count - 1] - U[lowest]);
    cardo_result_number(into, &reach, reachable);
    cardo_result_number(into, &reach_from, q[first]);
    cardo_result_number(into, &reach_to, q[last]);
    if (failed)
        cardo_result_integer(into, &(cardo_quantity){"places_not_evaluated"}, failed);
    cardo_result_vector(into, &(cardo_quantity){"q"}, scan->count, q);
    cardo_result_vector(into, &(cardo_quantity){"potential_kJ_per_mol", .unit = "kJ/mol"},
                        scan->count, U);
}

static cardo_status fill(cardo_session *session, const cardo_scan *scan, cardo_result *into,
                         cardo_error *error)
{
    char name[CARDO_COORDINATE_NAME];
    cardo_coordinate_name(session->system, scan->coordinate, name);
    cardo_result_text(into, &(cardo_quantity){"model"}, session->model->name);
    cardo_result_text(into, &(cardo_quantity){"coordinate"}, name);
    cardo_result_integer(into, &(cardo_quantity){"places"}, scan->count);
    cardo_result_number(into, &(cardo_quantity){"from"}, scan->from);
    cardo_result_number(into, &(cardo_quantity){"to"}, scan->to);
    cardo_status status = add_places(session, scan, name, into, error);
    if (status != CARDO_OK)
        return status;
    add_summary(scan, into);
    cardo_result_text(into, &(cardo_quantity){"folder"}, scan->folder);
    return cardo_result_status(into, error);
}

static void say(FILE *stream, const cardo_result *result, bool drawn)
{
    cardo_result_say(stream, result,
                     "{model}: {places} places along {coordinate} from {from} to {to}\n"
                     "  lowest energy    {lowest_kJ_per_mol} kJ/mol at q = {lowest_at_q}\n"
                     "  at the ends      {first_end_kJ_per_mol} and {last_end_kJ_per_mol} kJ/mol "
                     "above it\n"
                     "  within {reach_kJ_per_mol} kJ/mol q = {reach_from_q} to {reach_to_q}\n"
                     "[  {places_not_evaluated} places could not be evaluated: atoms overlap "
                     "there\n]"
                     "{folder}/\n"
                     "  scan.csv           q, energy by term and generalized force\n");
    fputs(drawn ? "  scan.png           U(q) and the force (also .svg; drawn by plot.gp)\n"
                : "  plot.gp            makes the picture where gnuplot is installed\n",
          stream);
}

cardo_status cardo_scan_run(cardo_session *session, const cardo_scan *scan, cardo_error *error)
{
    cardo_status status;
    cardo_result *result = NULL;
    bool drawn = false;
    CARDO_TRY(cardo_result_create(&result, error));
    CARDO_TRY(fill(session, scan, result, error));
    CARDO_TRY(cardo_result_write_files(result, scan->folder, error));
    CARDO_TRY(cardo_plot_write_scan(scan->folder, result, error));
    CARDO_TRY(cardo_gnuplot_run(scan->folder, &drawn, error));
    if (scan->json)
        status = cardo_printer_json.print(result, stdout, error);
    else
        say(stdout, result, drawn);
done:
    cardo_result_destroy(result);
    return status;
}
