#include "cli/scan.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "cli/gnuplot.h"
#include "cli/run_folder.h"
#include "io/plots/plot.h"
#include "io/results/json.h"
#include "io/tables/table.h"
#include "multibody/tree/coordinate_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static cardo_status open_table(const cardo_session *session, const cardo_scan *scan,
                               const char *path, cardo_table **table, int *ncolumn,
                               cardo_error *error)
{
    int nterm = cardo_evaluator_nterm(session->evaluator);
    cardo_column *columns;
    cardo_status status = CARDO_ALLOCATE(&columns, nterm + 3, error);
    if (status != CARDO_OK)
        return status;
    char name[96];
    cardo_column *c = columns;
    snprintf(c->name, sizeof c->name, "q %.50s",
             cardo_coordinate_name(session->system, scan->coordinate, name));
    c++->digits = 10;
    snprintf(c->name, sizeof c->name, "potential");
    c->unit = "kJ/mol";
    c++->digits = 12;
    for (int k = 0; k < nterm; ++k) {
        snprintf(c->name, sizeof c->name, "%s", cardo_evaluator_term_name(session->evaluator, k));
        c->unit = "kJ/mol";
        c++->digits = 12;
    }
    snprintf(c->name, sizeof c->name, "generalized force");
    c->unit = "kJ/mol";
    c++->digits = 12;
    *ncolumn = (int)(c - columns);
    status = cardo_table_create(path, columns, *ncolumn, table, error);
    cardo_free(columns);
    return status;
}

static cardo_status evaluate_row(cardo_session *session, double q, int mobility, int ncolumn,
                                 double *row, double *generalized, cardo_error *error)
{
    int nterm = cardo_evaluator_nterm(session->evaluator);
    for (int k = 0; k < ncolumn; ++k)
        row[k] = (double)NAN;
    row[0] = q;
    cardo_status status = cardo_evaluate(session->evaluator, session->state, error);
    if (status == CARDO_RECOVERABLE)
        return CARDO_OK;
    if (status != CARDO_OK)
        return status;
    row[1] = cardo_evaluator_energy(session->evaluator);
    memcpy(row + 2, cardo_evaluator_terms(session->evaluator), (size_t)nterm * sizeof *row);
    status =
        cardo_evaluator_generalized_forces(session->evaluator, session->state, generalized, error);
    if (status == CARDO_OK && mobility >= 0)
        row[ncolumn - 1] = generalized[mobility];
    return status;
}

static void conclude(const cardo_session *session, const cardo_scan *scan, const double *q,
                     const double *U, int failed, bool drawn)
{
    char name[96];
    int lowest = 0, reach_first, reach_last;
    for (int k = 1; k < scan->count; ++k)
        if (!(U[k] >= U[lowest]))
            lowest = isfinite(U[k]) ? k : lowest;
    reach_first = reach_last = lowest;
    while (reach_first > 0 && U[reach_first - 1] < U[lowest] + reachable)
        --reach_first;
    while (reach_last < scan->count - 1 && U[reach_last + 1] < U[lowest] + reachable)
        ++reach_last;
    cardo_print(stdout, "%s: %d places along %s from %g to %g\n", session->model->name, scan->count,
                cardo_coordinate_name(session->system, scan->coordinate, name), scan->from,
                scan->to);
    cardo_print(stdout, "  lowest energy    %.2f kJ/mol at q = %.4g\n", U[lowest], q[lowest]);
    cardo_print(stdout, "  at the ends      %+.4g and %+.4g kJ/mol above it\n", U[0] - U[lowest],
                U[scan->count - 1] - U[lowest]);
    cardo_print(stdout, "  within %.0f kJ/mol q = %.4g to %.4g\n", reachable, q[reach_first],
                q[reach_last]);
    if (failed)
        printf("  %d places could not be evaluated: atoms overlap there\n", failed);
    printf("%s/\n  scan.csv           q, energy by term and generalized force\n  %s\n",
           scan->folder,
           drawn ? "scan.png           U(q) and the force (also .svg; drawn by plot.gp)"
                 : "plot.gp            makes the picture where gnuplot is installed");
}

static void print_json(const cardo_scan *scan, const double *q, const double *U)
{
    cardo_json *json = cardo_json_object(), *places = cardo_json_array(),
               *energies = cardo_json_array();
    for (int k = 0; k < scan->count; ++k) {
        cardo_json_number(places, NULL, q[k]);
        cardo_json_number(energies, NULL, U[k]);
    }
    cardo_json_put(json, "q", places);
    cardo_json_put(json, "potential_kJ_per_mol", energies);
    cardo_json_string(json, "folder", scan->folder);
    cardo_json_print(json, stdout);
}

cardo_status cardo_scan_run(cardo_session *session, const cardo_scan *scan, cardo_error *error)
{
    cardo_status status;
    cardo_table *table = NULL;
    double *q = NULL, *U = NULL, *row = NULL, *generalized = NULL;
    char *path = NULL;
    int ncolumn, failed = 0, mobility = mobility_of(session->system, scan->coordinate);
    bool drawn = false;

    cardo_evaluator_want_terms(session->evaluator, true);
    CARDO_TRY(cardo_run_folder_path(scan->folder, "scan.csv", &path, error));
    CARDO_TRY(open_table(session, scan, path, &table, &ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, scan->count, error));
    CARDO_TRY(CARDO_ALLOCATE(&U, scan->count, error));
    CARDO_TRY(CARDO_ALLOCATE(&row, ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&generalized, cardo_system_nu(session->system), error));
    for (int k = 0; k < scan->count; ++k) {
        q[k] = scan->from + (scan->to - scan->from) * k / (scan->count - 1);
        CARDO_TRY(cardo_session_set_coordinate(session, scan->coordinate, q[k], error));
        CARDO_TRY(evaluate_row(session, q[k], mobility, ncolumn, row, generalized, error));
        CARDO_TRY(cardo_table_write(table, row, error));
        U[k] = row[1];
        failed += !isfinite(U[k]);
    }
    status = cardo_table_close(table, error);
    table = NULL;
    CARDO_TRY(status);
    CARDO_TRY(cardo_plot_write_scan(scan->folder, session->model->name, error));
    CARDO_TRY(cardo_gnuplot_run(scan->folder, &drawn, error));
    if (scan->json)
        print_json(scan, q, U);
    else
        conclude(session, scan, q, U, failed, drawn);
done:
    cardo_table_close(table, NULL);
    cardo_free(path);
    cardo_free(q);
    cardo_free(U);
    cardo_free(row);
    cardo_free(generalized);
    return status;
}
