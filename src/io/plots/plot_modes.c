#include "io/plots/plot_modes.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "io/plots/plot_script.h"
#include "io/results/result_printer.h"

#include <stdio.h>

enum { MOST_TICS = 8 };

/* What the tables hold; all is borrowed. */
typedef struct pictures {
    const char *title;
    const cardo_result *modes, *residues, *comparison,
        *ranks; /* ranks: NULL without comparison.csv */
    bool overlaps, b_factors, correlations;
} pictures;

static void put_spectrum(FILE *stream, const pictures *what, const char *kind)
{
    const int npanel = 2 + what->overlaps;
    cardo_script_terminal(stream, "spectrum", kind, 320 + 300 * npanel);
    fputs("set multiplot title ", stream);
    cardo_script_quoted(stream, what->title);
    fputs(" noenhanced font ',18'\nunset xlabel\nset style fill solid 0.5 noborder\n"
          "set boxwidth 0.6\nset xrange [first-beside:last+beside]\n"
          "set xtics last-first < 10 ? 1 : tics(last-first)\n",
          stream);
    cardo_script_panel(stream, 0, npanel);
    fputs("set ylabel 'wave number (1/cm)'\n"
          "plot 'modes.csv' skip 1 using modes_mode:modes_wavenumber_per_cm with impulses lt 1 lw "
          "3 title '', \\\n"
          "     '' skip 1 using modes_mode:modes_wavenumber_per_cm with points lt 1 pt 7 ps 0.8 "
          "title ''\n",
          stream);
    cardo_script_panel(stream, 1, npanel);
    fprintf(
        stream,
        "set yrange [0:1]\nset ylabel 'collectivity'\n%s"
        "plot 'modes.csv' skip 1 using modes_mode:modes_collectivity with boxes lt 4 title ''\n",
        npanel == 2 ? "set xlabel 'mode'\n" : "");
    if (what->overlaps) {
        cardo_script_panel(stream, 2, npanel);
        fputs("set ylabel 'overlap with the displacement'\nset xlabel 'mode'\n"
              "plot 'modes.csv' skip 1 using modes_mode:modes_overlap with boxes lt 1 title 'mode "
              "by mode', \\\n"
              "     '' skip 1 using modes_mode:modes_cumulative_overlap with linespoints lt 1 pt 7 "
              "ps 0.7 title 'model, together'",
              stream);
        for (int m = 0; what->ranks && m < cardo_result_rows(what->comparison); ++m) {
            char name[64];
            const char *method =
                cardo_result_as_texts(cardo_result_find(what->comparison, "method"))[m];
            snprintf(name, sizeof name, "%s cumulative", method);
            fprintf(
                stream,
                ", \\\n     'comparison.csv' skip 1 using "
                "(column(overlaps_by_rank_rank)+first-1):%d with linespoints lt %d pt %d ps 0.7 "
                "title ",
                cardo_result_csv_column(what->ranks, name), 2 + m, 5 + 2 * m);
            snprintf(name, sizeof name, "%s, together", method);
            cardo_script_quoted(stream, name);
        }
        fputs("\n", stream);
    }
    fputs("unset multiplot\nset output\nset autoscale\nunset xrange\nunset yrange\n"
          "set xtics autofreq\nset style fill solid 1\n"
          "unset lmargin; unset rmargin; unset tmargin; unset bmargin\n\n",
          stream);
}

/* Names of some residues at round distances, along one axis. */
static void put_residue_tics(FILE *stream, const pictures *what, char axis)
{
    static const int rounds[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
    const char *const *label = cardo_result_as_texts(cardo_result_find(what->residues, "residue"));
    int step = 10000;
    for (int k = (int)(sizeof rounds / sizeof *rounds) - 1; k >= 0; --k)
        if (cardo_result_rows(what->residues) <= MOST_TICS * rounds[k])
            step = rounds[k];
    fprintf(stream, "set %ctics (", axis);
    for (int i = 0; label && i < cardo_result_rows(what->residues); i += step) {
        fputs(i ? ", " : "", stream);
        cardo_script_quoted(stream, label[i]);
        fprintf(stream, " %d", i);
    }
    fputs(") noenhanced\n", stream);
}

static void put_b_factors(FILE *stream, const pictures *what, const char *kind)
{
    cardo_script_terminal(stream, "b-factors", kind, 600);
    fputs("set title ", stream);
    cardo_script_quoted(stream, what->title);
    fputs(" noenhanced font ',18' offset 0,0.8\nset tmargin 5\nset xlabel 'residue'\n", stream);
    put_residue_tics(stream, what, 'x');
    if (what->b_factors)
        fputs("stats 'residues.csv' skip 1 using residues_b_factor_of_file_A2 nooutput\nfile = "
              "STATS_mean\n"
              "stats 'residues.csv' skip 1 using residues_b_factor_of_modes_A2 nooutput\nscale = "
              "file / STATS_mean\n"
              "set ylabel 'B factor (Å^2)'\n"
              "plot 'residues.csv' skip 1 using 0:residues_b_factor_of_file_A2 with lines lt 3 "
              "title 'of the file', \\\n"
              "     '' skip 1 using 0:(scale*column(residues_b_factor_of_modes_A2)) with lines lt "
              "1 title sprintf('of the modes, times "
              "%.3g', scale)\n",
              stream);
    else
        fputs("set ylabel 'B factor of the modes (Å^2)'\n"
              "plot 'residues.csv' skip 1 using 0:residues_b_factor_of_modes_A2 with lines lt 1 "
              "title ''\n",
              stream);
    fputs("set output\nunset title\nunset tmargin\nset xtics autofreq\n\n", stream);
}

static void put_correlations(FILE *stream, const pictures *what, const char *kind)
{
    cardo_script_terminal(stream, "correlations", kind, 1100);
    fputs("set title ", stream);
    cardo_script_quoted(stream, what->title);
    cardo_print(stream,
                " noenhanced font ',18'\nset xlabel 'residue'\nset ylabel 'residue'\n"
                "set size square\nunset grid\nset border 15\n"
                "set xrange [-0.5:%.1f]\nset yrange [-0.5:%.1f]\nset cbrange [-1:1]\n"
                "set palette defined (-1 '#0072B2', 0 '#ffffff', 1 '#D55E00')\n"
                "set cblabel 'cross-correlation'\n",
                (double)cardo_result_rows(what->residues) - 0.5,
                (double)cardo_result_rows(what->residues) - 0.5);
    put_residue_tics(stream, what, 'x');
    put_residue_tics(stream, what, 'y');
    fputs("plot 'correlations.csv' matrix every ::1:1 using ($1-1):($2-1):3 with image title ''\n"
          "set output\nunset title\nset xtics autofreq\nset ytics autofreq\nunset xrange\nunset "
          "yrange\n"
          "set size nosquare\nset border 3\nset grid ytics\n\n",
          stream);
}

static void put_script(FILE *stream, const pictures *what)
{
    static const char *const kinds[] = {"png", "svg"};
    cardo_script_settings(stream, "modes.csv");
    cardo_script_columns(stream, what->modes);
    cardo_script_columns(stream, what->residues);
    if (what->ranks)
        cardo_script_columns(stream, what->ranks);
    fputs("stats 'modes.csv' skip 1 using modes_mode nooutput\n"
          "first = STATS_min; last = STATS_max\n",
          stream);
    if (what->ranks)
        fputs("stats 'comparison.csv' skip 1 using overlaps_by_rank_rank nooutput\n"
              "last = last > first + STATS_max - 1 ? last : first + STATS_max - 1\n",
              stream);
    /* Room beside few modes, so that a single one is no bar across the picture. */
    fputs("beside = last-first < 8 ? 5-0.5*(last-first) : 1\n\n", stream);
    for (int k = 0; k < 2; ++k)
        put_spectrum(stream, what, kinds[k]);
    for (int k = 0; k < 2; ++k)
        put_b_factors(stream, what, kinds[k]);
    for (int k = 0; k < 2 && what->correlations; ++k)
        put_correlations(stream, what, kinds[k]);
}

cardo_status cardo_plot_write_modes(const char *folder, const cardo_result *result,
                                    cardo_error *error)
{
    cardo_status status;
    cardo_output output = {0};
    char *script = NULL;
    const char *const *title = cardo_result_as_texts(cardo_result_find(result, "model"));
    const pictures what = {
        .title = title && *title ? *title : "",
        .modes = cardo_result_find(result, "modes"),
        .residues = cardo_result_find(result, "residues"),
        .comparison = cardo_result_find(result, "comparison"),
        .ranks = cardo_result_find(result, "overlaps_by_rank"),
        .overlaps = cardo_result_find(result, "modes/overlap") != NULL,
        .b_factors = cardo_result_find(result, "b_factor_correlation") != NULL,
        .correlations = cardo_result_find(result, "correlations") != NULL,
    };
    CARDO_TRY(cardo_script_path(folder, "plot.gp", &script, error));
    CARDO_TRY(cardo_output_open(&output, script, error));
    put_script(output.stream, &what);
    CARDO_TRY(cardo_output_commit(&output, error));
done:
    cardo_output_abandon(&output);
    cardo_free(script);
    return status;
}
