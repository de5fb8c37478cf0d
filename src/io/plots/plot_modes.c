#include "io/plots/plot_modes.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "io/plots/plot_script.h"

#include <stdio.h>

enum { MOST_TICS = 8 };

static void put_spectrum(FILE *stream, const cardo_plot_modes *what, const char *const *method,
                         const char *kind)
{
    const int npanel = 2 + what->overlaps;
    cardo_script_terminal(stream, "spectrum", kind, 320 + 300 * npanel);
    fputs("set multiplot title ", stream);
    cardo_script_quoted(stream, what->title);
    fputs(" noenhanced font ',18'\nunset xlabel\nset style fill solid 0.5 noborder\n"
          "set boxwidth 0.6\nset xrange [first-1:last+1]\n"
          "set xtics last-first < 10 ? 1 : tics(last-first)\n",
          stream);
    cardo_script_panel(stream, 0, npanel);
    fputs("set ylabel 'wave number (1/cm)'\n"
          "plot 'modes.csv' skip 1 using 1:4 with impulses lt 1 lw 3 title '', \\\n"
          "     '' skip 1 using 1:4 with points lt 1 pt 7 ps 0.8 title ''\n",
          stream);
    cardo_script_panel(stream, 1, npanel);
    fprintf(stream,
            "set yrange [0:1]\nset ylabel 'collectivity'\n%s"
            "plot 'modes.csv' skip 1 using 1:6 with boxes lt 4 title ''\n",
            npanel == 2 ? "set xlabel 'mode'\n" : "");
    if (what->overlaps) {
        cardo_script_panel(stream, 2, npanel);
        fputs("set ylabel 'overlap with the displacement'\nset xlabel 'mode'\n"
              "plot 'modes.csv' skip 1 using 1:7 with boxes lt 1 title 'mode by mode', \\\n"
              "     '' skip 1 using 1:8 with linespoints lt 1 pt 7 ps 0.7 title 'model, together'",
              stream);
        for (int m = 0; m < what->nmethod; ++m) {
            char name[64];
            snprintf(name, sizeof name, "%s, together", method[m]);
            fprintf(stream,
                    ", \\\n     'comparison.csv' skip 1 using ($1+first-1):%d with linespoints lt "
                    "%d pt %d ps 0.7 title ",
                    6 + 2 * m, 2 + m, 5 + 2 * m);
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
static void put_residue_tics(FILE *stream, const cardo_plot_modes *what, char axis)
{
    static const int rounds[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
    int step = 10000;
    for (int k = (int)(sizeof rounds / sizeof *rounds) - 1; k >= 0; --k)
        if (what->nresidue <= MOST_TICS * rounds[k])
            step = rounds[k];
    fprintf(stream, "set %ctics (", axis);
    for (int i = 0; i < what->nresidue; i += step) {
        fputs(i ? ", " : "", stream);
        cardo_script_quoted(stream, what->label[i]);
        fprintf(stream, " %d", i);
    }
    fputs(") noenhanced\n", stream);
}

static void put_b_factors(FILE *stream, const cardo_plot_modes *what, const char *kind)
{
    cardo_script_terminal(stream, "b-factors", kind, 600);
    fputs("set title ", stream);
    cardo_script_quoted(stream, what->title);
    fputs(" noenhanced font ',18' offset 0,0.8\nset tmargin 5\nset xlabel 'residue'\n", stream);
    put_residue_tics(stream, what, 'x');
    if (what->b_factors)
        fputs(
            "stats 'residues.csv' skip 1 using 2 nooutput\nfile = STATS_mean\n"
            "stats 'residues.csv' skip 1 using 3 nooutput\nscale = file / STATS_mean\n"
            "set ylabel 'B factor (Å^2)'\n"
            "plot 'residues.csv' skip 1 using 0:2 with lines lt 3 title 'of the file', \\\n"
            "     '' skip 1 using 0:(scale*$3) with lines lt 1 title sprintf('of the modes, times "
            "%.3g', scale)\n",
            stream);
    else
        fputs("set ylabel 'B factor of the modes (Å^2)'\n"
              "plot 'residues.csv' skip 1 using 0:3 with lines lt 1 title ''\n",
              stream);
    fputs("set output\nunset title\nunset tmargin\nset xtics autofreq\n\n", stream);
}

static void put_correlations(FILE *stream, const cardo_plot_modes *what, const char *kind)
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
                what->nresidue - 0.5, what->nresidue - 0.5);
    put_residue_tics(stream, what, 'x');
    put_residue_tics(stream, what, 'y');
    fputs("plot 'correlations.csv' matrix every ::1:1 using ($1-1):($2-1):3 with image title ''\n"
          "set output\nunset title\nset xtics autofreq\nset ytics autofreq\nunset xrange\nunset "
          "yrange\n"
          "set size nosquare\nset border 3\nset grid ytics\n\n",
          stream);
}

cardo_status cardo_plot_write_modes(const char *folder, const cardo_plot_modes *what,
                                    const char *const *method, cardo_error *error)
{
    static const char *const kinds[] = {"png", "svg"};
    cardo_status status;
    cardo_output output = {0};
    char *script = NULL;
    CARDO_TRY(cardo_script_path(folder, "plot.gp", &script, error));
    CARDO_TRY(cardo_output_open(&output, script, error));
    cardo_script_settings(output.stream, "modes.csv");
    fputs("stats 'modes.csv' skip 1 using 1 nooutput\nfirst = STATS_min; last = STATS_max\n",
          output.stream);
    if (what->nmethod > 0)
        fputs("stats 'comparison.csv' skip 1 using 1 nooutput\n"
              "last = last > first + STATS_max - 1 ? last : first + STATS_max - 1\n",
              output.stream);
    fputs("\n", output.stream);
    for (int k = 0; k < 2; ++k)
        put_spectrum(output.stream, what, method, kinds[k]);
    for (int k = 0; k < 2; ++k)
        put_b_factors(output.stream, what, kinds[k]);
    for (int k = 0; k < 2 && what->correlations; ++k)
        put_correlations(output.stream, what, kinds[k]);
    CARDO_TRY(cardo_output_commit(&output, error));
done:
    cardo_output_abandon(&output);
    cardo_free(script);
    return status;
}
