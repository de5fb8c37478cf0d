#include "io/plots/plot.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "io/plots/plot_script.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CURVES = 6 };

/* The columns of a table that are drawn, as gnuplot counts them: from 1; 0: not there. */
typedef struct plot_columns {
    int time, potential, kinetic, total, temperature;
    int q[MOST_CURVES], nq, all_q;     /* drawn, and in the table */
    const char *q_labels[MOST_CURVES]; /* with unit               */
    const char *q_names[MOST_CURVES];
} plot_columns;

static const char *title_of(const cardo_result *result)
{
    const char *title = cardo_result_text_at(result, "model");
    return title ? title : "";
}

/* A cell of the table "trajectory_columns" of a result, what stands where in trajectory.csv. */
static const char *text_in(const cardo_result *columns, const char *name, long long row)
{
    const cardo_result *column = cardo_result_find(columns, name);
    const char *text =
        column && !cardo_result_is_absent(column, row) ? cardo_result_as_texts(column)[row] : NULL;
    return text ? text : "";
}

static int number_in(const cardo_result *columns, long long row)
{
    return (int)cardo_result_as_integers(cardo_result_find(columns, "column"))[row];
}

/* The first row that holds this, of this (NULL: of whatever); -1: none does. */
static long long find_row(const cardo_result *columns, const char *what, const char *of)
{
    for (long long row = 0; row < cardo_result_rows(columns); ++row)
        if (strcmp(text_in(columns, "what", row), what) == 0 &&
            (!of || strcmp(text_in(columns, "of", row), of) == 0))
            return row;
    return -1;
}

/* The number of a column, 0: it is not there. */
static int find_column(const cardo_result *columns, const char *what)
{
    const long long row = find_row(columns, what, NULL);
    return row < 0 ? 0 : number_in(columns, row);
}

/* Coordinates of bodies that have one: those of a free base, which wanders, are not worth drawing. */
static void take_coordinates(plot_columns *columns, const cardo_result *table)
{
    for (long long row = 0; row < cardo_result_rows(table); ++row) {
        if (strcmp(text_in(table, "what", row), "q") != 0 || columns->all_q++ >= MOST_CURVES)
            continue;
        columns->q[columns->nq] = number_in(table, row);
        columns->q_labels[columns->nq] = text_in(table, "label", row);
        columns->q_names[columns->nq++] = text_in(table, "of", row);
    }
}

/* The mean that the result has of a coordinate; false: none. */
static bool find_mean(const cardo_result *result, const char *coordinate, double *mean)
{
    const cardo_result *table = cardo_result_find(result, "coordinates"),
                       *names = table ? cardo_result_find(table, "coordinate") : NULL,
                       *means = table ? cardo_result_find(table, "mean") : NULL;
    for (int k = 0; names && means && k < cardo_result_rows(table); ++k) {
        if (strcmp(cardo_result_as_texts(names)[k], coordinate) != 0)
            continue;
        *mean = cardo_result_as_doubles(means)[k];
        return true;
    }
    return false;
}

static cardo_status find_columns(const cardo_result *result, plot_columns *columns,
                                 cardo_error *error)
{
    const cardo_result *table = cardo_result_find(result, "trajectory_columns");
    if (!table)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a result without the columns of its trajectory has no pictures of it");
    *columns = (plot_columns){.time = find_column(table, "time"),
                              .potential = find_column(table, "potential"),
                              .kinetic = find_column(table, "kinetic"),
                              .total = find_column(table, "total"),
                              .temperature = find_column(table, "temperature")};
    take_coordinates(columns, table);
    return CARDO_OK;
}

static void put_coordinates(FILE *stream, const plot_columns *columns, const cardo_result *result)
{
    double mean;
    fputs("low = 1e300; high = -1e300\n", stream);
    for (int k = 0; k < columns->nq; ++k)
        fprintf(stream,
                "stats 'trajectory.csv' skip 1 using %d nooutput\n"
                "low = STATS_min < low ? STATS_min : low\n"
                "high = STATS_max > high ? STATS_max : high\n",
                columns->q[k]);
    fputs("set ytics tics(high - low)\nset ylabel ", stream);
    cardo_script_quoted(stream, columns->nq == 1 ? columns->q_labels[0] : "coordinate");
    fputs(" noenhanced\n", stream);
    if (columns->all_q > columns->nq)
        fprintf(stream,
                "set label 1 '%d of %d coordinates; the others are in trajectory.csv' at graph "
                "0.01,1.09\n",
                columns->nq, columns->all_q);
    fputs("plot ", stream);
    for (int k = 0; k < columns->nq; ++k) {
        fprintf(stream, "%s'trajectory.csv' skip 1 every n using %d:%d with lines lt %d title ",
                k ? ", \\\n     " : "", columns->time, columns->q[k], k + 1);
        cardo_script_quoted(stream, columns->nq == 1 ? "" : columns->q_labels[k]);
    }
    if (columns->nq == 1 && find_mean(result, columns->q_names[0], &mean))
        cardo_print(stream, ", \\\n     %.10g with lines lt 3 dt 2 title 'mean %.4f'", mean, mean);
    fputs("\nunset label 1\nset ytics autofreq\n", stream);
}

/* Energies up to `top` above the start and down to `bottom`: what the second half of the run reaches, with room, so that
 * a start that was strained does not flatten all that follows. */
static void put_range(FILE *stream, const plot_columns *columns)
{
    fprintf(
        stream,
        "# What the last half of the run reaches; a start that was strained may lie far above.\n"
        "stats 'trajectory.csv' skip 1 every ::int(rows/2) using ($%d-U0) nooutput\n"
        "bottom = STATS_min; top = STATS_max\n"
        "stats 'trajectory.csv' skip 1 every ::int(rows/2) using ($%d-U0) nooutput\n"
        "top = STATS_max > top ? STATS_max : top\n"
        "stats 'trajectory.csv' skip 1 every ::int(rows/2) using %d nooutput\n"
        "top = STATS_max > top ? STATS_max : top\n"
        "bottom = STATS_min < bottom ? STATS_min : bottom\n"
        "room = 2 * (top - bottom) + 1\n"
        "above(u) = u > top + room || u < bottom - room ? 1 : 0\n"
        "stats 'trajectory.csv' skip 1 using (above($%d-U0)) nooutput\n"
        "hidden = int(STATS_sum)\n"
        "stats 'trajectory.csv' skip 1 using ($%d-U0) nooutput\n"
        "missing = hidden > 0 ? sprintf('; %%d of %%d rows lie outside this range, from %%.3g to "
        "%%.3g', hidden, rows, STATS_min, STATS_max) : ''\n",
        columns->potential, columns->total, columns->kinetic, columns->potential,
        columns->potential);
}

static void put_energies(FILE *stream, const plot_columns *columns)
{
    fprintf(stream,
            "set ylabel 'energy (kJ/mol)'\n"
            "if (hidden > 0) { set yrange [bottom-0.1*room:top+0.1*room] }\n"
            "set label 1 sprintf('the potential begins at %%.1f kJ/mol%%s', U0, missing) at graph "
            "0.01,%s\n"
            "plot 'trajectory.csv' skip 1 every n using %d:($%d-U0) with lines lt 1 title "
            "'potential', \\\n"
            "     '' skip 1 every n using %d:%d with lines lt 2 title 'kinetic', \\\n"
            "     '' skip 1 every n using %d:($%d-U0) with lines lt 3 title 'sum'\n"
            "unset label 1\nset yrange [*:*]\n",
            "1.09", columns->time, columns->potential, columns->time, columns->kinetic,
            columns->time, columns->total);
}

static void put_temperature(FILE *stream, const plot_columns *columns, const char *time)
{
    fprintf(stream,
            "set xlabel n > 1 ? sprintf('%s (ps); one row of %%d is drawn', n) : '%s (ps)'\n"
            "set ylabel 'temperature (K)'\n"
            "plot 'trajectory.csv' skip 1 every n using %d:%d with lines lt 1 lw 1 title '', \\\n"
            "     T0 with lines lt 3 dt 2 title sprintf('mean %%.1f K', T0)\n",
            time, time, columns->time, columns->temperature);
}

static void put_time_series(FILE *stream, const plot_columns *columns, const cardo_result *result,
                            const char *kind)
{
    int npanel = columns->nq > 0 ? 3 : 2, panel = 0;
    cardo_script_terminal(stream, "trajectory", kind, 900);
    fputs("set multiplot title ", stream);
    cardo_script_quoted(stream, title_of(result));
    fputs(" noenhanced font ',18'\nunset xlabel\n", stream);
    if (columns->nq > 0) {
        cardo_script_panel(stream, panel++, npanel);
        put_coordinates(stream, columns, result);
    }
    cardo_script_panel(stream, panel++, npanel);
    put_energies(stream, columns);
    cardo_script_panel(stream, panel, npanel);
    put_temperature(stream, columns,
                    cardo_result_find(result, "time_is") ? "unphysical time" : "time");
    fputs("unset multiplot\nset output\n", stream);
    fputs("unset lmargin; unset rmargin; unset tmargin; unset bmargin\n\n", stream);
}

static void put_energy_profile(FILE *stream, const plot_columns *columns,
                               const cardo_result *result, const char *kind)
{
    cardo_script_terminal(stream, "energy", kind, 900);
    fputs("set title ", stream);
    cardo_script_quoted(stream, title_of(result));
    fputs(" noenhanced font ',18'\nset xlabel ", stream);
    cardo_script_quoted(stream, columns->q_labels[0]);
    fprintf(stream,
            " noenhanced\nset ylabel 'potential energy against the start (kJ/mol)'\n"
            "if (hidden > 0) { set yrange [bottom-0.1*room:top+0.1*room] }\n"
            "set label 1 sprintf('start: %%.1f kJ/mol%%s', U0, missing) at graph 0.02,0.97\n"
            "plot 'trajectory.csv' skip 1 every n using %d:($%d-U0) with points pt 7 ps 0.5 lc rgb "
            "'#0072B2' title ''\n"
            "set output\nunset title\nunset label 1\nset yrange [*:*]\n\n",
            columns->q[0], columns->potential);
}

/* The mean temperature is the result's, of all steps, as people are told it; else that of the rows. */
static void put_script(FILE *stream, const plot_columns *columns, const cardo_result *result)
{
    static const char *const kinds[] = {"png", "svg"};
    const cardo_result *mean = cardo_result_find(result, "temperature_K");
    cardo_script_settings(stream, "trajectory.csv");
    fprintf(stream,
            "stats 'trajectory.csv' skip 1 using %d nooutput\nT0 = STATS_mean; rows = "
            "STATS_records\n",
            columns->temperature);
    if (mean)
        cardo_print(stream, "T0 = %.10g\n", cardo_result_as_doubles(mean)[0]);
    fprintf(stream,
            "stats 'trajectory.csv' skip 1 every ::0::0 using %d nooutput\nU0 = STATS_min\n",
            columns->potential);
    put_range(stream, columns);
    fputs("\n", stream);
    for (int k = 0; k < 2; ++k)
        put_time_series(stream, columns, result, kinds[k]);
    for (int k = 0; k < 2 && columns->nq > 0; ++k)
        put_energy_profile(stream, columns, result, kinds[k]);
}

cardo_status cardo_plot_write(const char *folder, const cardo_result *result, cardo_error *error)
{
    cardo_status status;
    cardo_output output = {0};
    plot_columns columns = {0};
    char *script = NULL;
    CARDO_TRY(cardo_script_path(folder, "plot.gp", &script, error));
    CARDO_TRY(find_columns(result, &columns, error));
    CARDO_TRY(cardo_output_open(&output, script, error));
    put_script(output.stream, &columns, result);
    CARDO_TRY(cardo_output_commit(&output, error));
done:
    cardo_output_abandon(&output);
    cardo_free(script);
    return status;
}

/* U(q) above, the generalized force below, as far up as a barrier may be that heat passes at all; clashes reach energies
 * that would flatten everything else. */
static const double scan_top = 100.0;

static void put_scan(FILE *stream, const char *coordinate, const char *title, const char *kind)
{
    cardo_script_terminal(stream, "scan", kind, 900);
    fputs("set multiplot title ", stream);
    cardo_script_quoted(stream, title);
    fputs(" noenhanced font ',18'\nunset xlabel\nset xrange [first:last]\n", stream);
    cardo_script_panel(stream, 0, 2);
    fputs("set ylabel sprintf('potential above %.1f (kJ/mol)', U0)\nset yrange [0:top]\n"
          "set label 1 missing at graph 0.01,1.05\n"
          "plot 'scan.csv' using scan_q:(column(scan_potential_kJ_per_mol)-U0) with linespoints lt "
          "1 pt 7 ps 0.7 title '', \\\n"
          "     reach < top ? reach : NaN with lines lc rgb '#999999' dt 2 title "
          "sprintf('%.0f kJ/mol: heat seldom leads higher', reach)\n"
          "unset label 1\n",
          stream);
    cardo_script_panel(stream, 1, 2);
    fputs("set yrange [low:high]\nset ylabel 'force (kJ/mol)'\nset xlabel ", stream);
    cardo_script_quoted(stream, coordinate);
    fputs(" noenhanced\nplot 'scan.csv' using scan_q:(shown(column(scan_potential_kJ_per_mol), "
          "column(scan_generalized_force))) with linespoints lt 2 "
          "pt 7 ps 0.7 title '', 0 "
          "with lines lc "
          "rgb '#999999' dt 2 title ''\n"
          "unset multiplot\nset output\nunset yrange\nset autoscale xy\n\n",
          stream);
}

/* What the script knows of the table: its lowest energy, the range shown, and what lies beyond. */
static void put_scan_range(FILE *stream, const cardo_result *result)
{
    const cardo_result *reach = cardo_result_find(result, "reach_kJ_per_mol");
    cardo_print(
        stream,
        "stats 'scan.csv' skip 1 using scan_q nooutput\n"
        "first = STATS_min; last = STATS_max; places = STATS_records\n"
        "stats 'scan.csv' skip 1 using scan_potential_kJ_per_mol nooutput\n"
        "U0 = STATS_min; most = STATS_max - U0; known = STATS_records; reach = %g\n"
        "top = most < %g ? most * 1.05 + 1 : %g\n"
        "stats 'scan.csv' skip 1 using (column(scan_potential_kJ_per_mol) - U0 > top ? 1 : 0) "
        "nooutput\n"
        "hidden = int(STATS_sum)\n"
        "missing = hidden > 0 ? sprintf('%%d of %%d points lie higher, up to %%.3g "
        "kJ/mol', hidden, places, most) : ''\n"
        "missing = known < places ? sprintf('%%s%%s%%d could not be evaluated', missing, "
        "hidden > 0 ? '; ' : '', places - known) : missing\n"
        "shown(u, f) = u - U0 <= top ? f : NaN\n"
        "stats 'scan.csv' skip 1 using (shown(column(scan_potential_kJ_per_mol), "
        "column(scan_generalized_force))) nooutput\n"
        "margin = (STATS_max - STATS_min) * 0.1 + 1\nlow = STATS_min - margin; high = "
        "STATS_max + margin\n\n",
        reach ? cardo_result_as_doubles(reach)[0] : 25.0, scan_top, scan_top);
}

cardo_status cardo_plot_write_scan(const char *folder, const cardo_result *result,
                                   cardo_error *error)
{
    cardo_status status;
    cardo_output output = {0};
    char *script = NULL;
    const cardo_result *table = cardo_result_find(result, "scan");
    const char *coordinate = cardo_result_quantity(cardo_result_find(table, "q"))->label;
    CARDO_TRY(cardo_script_path(folder, "plot.gp", &script, error));
    CARDO_TRY(cardo_output_open(&output, script, error));
    cardo_script_settings(output.stream, "scan.csv");
    cardo_script_columns(output.stream, table);
    put_scan_range(output.stream, result);
    put_scan(output.stream, coordinate, title_of(result), "png");
    put_scan(output.stream, coordinate, title_of(result), "svg");
    CARDO_TRY(cardo_output_commit(&output, error));
done:
    cardo_output_abandon(&output);
    cardo_free(script);
    return status;
}

static void put_minimization(FILE *stream, const char *title, const char *kind)
{
    cardo_script_terminal(stream, "minimization", kind, 900);
    fputs("set multiplot title ", stream);
    cardo_script_quoted(stream, title);
    fputs(" noenhanced font ',18'\nunset xlabel\n", stream);
    cardo_script_panel(stream, 0, 2);
    fputs("if (iterations < 10) { set xtics 1 }\n"
          "set ylabel 'energy above the minimum (kJ/mol)'\nset logscale y\nset format y '%g'\n"
          "plot 'minimization.csv' using 1:($2 == 0 ? above($3) : NaN) with linespoints lt 1 pt 7 "
          "ps 0.5 title ''\n",
          stream);
    cardo_script_panel(stream, 1, 2);
    fputs(
        "set ylabel 'generalized force (kJ/mol per unit)'\nset xlabel 'iteration'\n"
        "plot 'minimization.csv' using 1:($2 == 0 ? $4 : NaN) with linespoints lt 1 pt 7 ps 0.5 "
        "title 'largest', \\\n"
        "     '' using 1:($2 == 0 ? $5 : NaN) with linespoints lt 2 pt 7 ps 0.5 title 'rms', \\\n"
        "     '' using 1:($2 > 0 ? $4 : NaN) with linespoints lt 3 pt 6 ps 0.5 title softened > 0 "
        "? 'largest, overlaps softened' : ''\n"
        "unset multiplot\nset output\nunset logscale\nset xtics autofreq\n\n",
        stream);
}

cardo_status cardo_plot_write_minimization(const char *folder, const char *title,
                                           cardo_error *error)
{
    cardo_status status;
    cardo_output output = {0};
    char *script = NULL;
    CARDO_TRY(cardo_script_path(folder, "plot.gp", &script, error));
    CARDO_TRY(cardo_output_open(&output, script, error));
    cardo_script_settings(output.stream, "minimization.csv");
    fputs("stats 'minimization.csv' skip 1 using 1 nooutput\niterations = STATS_max\n"
          "stats 'minimization.csv' skip 1 using 2 nooutput\nsoftened = STATS_max\n"
          "stats 'minimization.csv' using ($2 == 0 ? $3 : NaN) nooutput\nU0 = STATS_min\n"
          "above(u) = u - U0 > 1e-4 ? u - U0 : 1e-4\n\n",
          output.stream);
    put_minimization(output.stream, title ? title : "", "png");
    put_minimization(output.stream, title ? title : "", "svg");
    CARDO_TRY(cardo_output_commit(&output, error));
done:
    cardo_output_abandon(&output);
    cardo_free(script);
    return status;
}

enum { MOST_HINGES = 6 };

/* Columns of a drive's table, from 1. load: the first of six. */
typedef struct drive_columns {
    int time, potential, q, motive, work;
    int load[MOST_HINGES], nhinge;
    const char *name[MOST_HINGES], *q_label;
} drive_columns;

static void take_loads(drive_columns *c, const cardo_result *table)
{
    for (long long row = 0; row < cardo_result_rows(table) && c->nhinge < MOST_HINGES; ++row) {
        if (strcmp(text_in(table, "what", row), "load") != 0)
            continue;
        c->name[c->nhinge] = text_in(table, "of", row);
        c->load[c->nhinge++] = number_in(table, row);
    }
}

static cardo_status find_drive_columns(const cardo_result *result, drive_columns *c,
                                       cardo_error *error)
{
    const cardo_result *table = cardo_result_find(result, "trajectory_columns");
    const char *driven = cardo_result_text_at(result, "driven/coordinate");
    long long row = table && driven ? find_row(table, "q", driven) : -1;
    if (table && driven && row < 0)
        row = find_row(table, "q of several", driven);
    if (row < 0)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a result without the column of what is driven has no pictures of it");
    *c = (drive_columns){.time = find_column(table, "time"),
                         .potential = find_column(table, "potential"),
                         .q = number_in(table, row),
                         .motive = find_column(table, "motive force"),
                         .work = find_column(table, "work"),
                         .q_label = text_in(table, "label", row)};
    take_loads(c, table);
    return CARDO_OK;
}

static void put_loads(FILE *stream, const drive_columns *c)
{
    fputs("set xlabel 'time (ps)'\nset ylabel 'torque on hinge (kJ/mol)'\nplot ", stream);
    for (int h = 0; h < c->nhinge; ++h) {
        fprintf(
            stream,
            "%s'trajectory.csv' skip 1 every n using %d:(sqrt($%d**2+$%d**2+$%d**2)) with lines "
            "lt %d title ",
            h ? ", \\\n     " : "", c->time, c->load[h], c->load[h] + 1, c->load[h] + 2, h + 1);
        cardo_script_quoted(stream, c->name[h]);
    }
    fputs("\n", stream);
}

static void put_drive(FILE *stream, const drive_columns *c, const char *title, const char *kind)
{
    int npanel = c->nhinge > 0 ? 4 : 3;
    cardo_script_terminal(stream, "drive", kind, 1300);
    fputs("set multiplot title ", stream);
    cardo_script_quoted(stream, title);
    fputs(" noenhanced font ',18'\nunset xlabel\n", stream);
    cardo_script_panel(stream, 0, npanel);
    fputs("set ylabel ", stream);
    cardo_script_quoted(stream, c->q_label);
    fprintf(stream,
            " noenhanced\nplot 'trajectory.csv' skip 1 every n using %d:%d with lines lt 1 title "
            "''\n",
            c->time, c->q);
    cardo_script_panel(stream, 1, npanel);
    fprintf(stream,
            "set ylabel 'energy (kJ/mol)'\n"
            "plot 'trajectory.csv' skip 1 every n using %d:($%d-U0) with lines lt 1 lw 3 title "
            "'potential against the start', \\\n"
            "     '' skip 1 every n using %d:%d with lines lt 2 dt 2 title 'work'\n",
            c->time, c->potential, c->time, c->work);
    cardo_script_panel(stream, 2, npanel);
    fprintf(stream,
            "set ylabel 'motive force (kJ/mol)'\n%s"
            "plot 'trajectory.csv' skip 1 every n using %d:%d with lines lt 3 title ''\n",
            c->nhinge > 0 ? "" : "set xlabel 'time (ps)'\n", c->time, c->motive);
    if (c->nhinge > 0) {
        cardo_script_panel(stream, 3, npanel);
        put_loads(stream, c);
    }
    fputs("unset multiplot\nset output\n"
          "unset lmargin; unset rmargin; unset tmargin; unset bmargin\n\n",
          stream);
}

static void put_drive_force(FILE *stream, const drive_columns *c, const char *title,
                            const char *kind)
{
    cardo_script_terminal(stream, "force", kind, 900);
    fputs("set title ", stream);
    cardo_script_quoted(stream, title);
    fputs(" noenhanced font ',18'\nset xlabel ", stream);
    cardo_script_quoted(stream, c->q_label);
    fprintf(stream,
            " noenhanced\nset ylabel 'motive force (kJ/mol per unit)'\n"
            "plot 'trajectory.csv' skip 1 every n using %d:%d with lines lt 1 title '', 0 with "
            "lines lc rgb '#999999' dt 2 title ''\n"
            "set output\nunset title\n\n",
            c->q, c->motive);
}

cardo_status cardo_plot_write_drive(const char *folder, const cardo_result *result,
                                    cardo_error *error)
{
    static const char *const kinds[] = {"png", "svg"};
    cardo_status status;
    cardo_output output = {0};
    drive_columns columns = {0};
    char *script = NULL;
    CARDO_TRY(cardo_script_path(folder, "plot.gp", &script, error));
    CARDO_TRY(find_drive_columns(result, &columns, error));
    CARDO_TRY(cardo_output_open(&output, script, error));
    cardo_script_settings(output.stream, "trajectory.csv");
    fprintf(output.stream,
            "stats 'trajectory.csv' skip 1 every ::0::0 using %d nooutput\nU0 = STATS_min\n\n",
            columns.potential);
    for (int k = 0; k < 2; ++k)
        put_drive(output.stream, &columns, title_of(result), kinds[k]);
    for (int k = 0; k < 2; ++k)
        put_drive_force(output.stream, &columns, title_of(result), kinds[k]);
    CARDO_TRY(cardo_output_commit(&output, error));
done:
    cardo_output_abandon(&output);
    cardo_free(script);
    return status;
}
