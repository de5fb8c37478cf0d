#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "io/plots/plot_script.h"
#include "io/tables/free_energy_tables.h"

#include <stdio.h>

enum { LINE_TYPES = 6 };

typedef cardo_free_energy_pictures pictures;

static void put_label(FILE *stream, const char *axis, cardo_coordinate_label coordinate)
{
    char text[160];
    bool unit = coordinate.unit && *coordinate.unit;
    snprintf(text, sizeof text, "%s%s%s%s", coordinate.name, unit ? " (" : "",
             unit ? coordinate.unit : "", unit ? ")" : "");
    fprintf(stream, "set %s ", axis);
    cardo_script_quoted(stream, text);
    fputs(" noenhanced\n", stream);
}

static void begin(FILE *stream, const pictures *p, const char *name, const char *kind, int height)
{
    cardo_script_terminal(stream, name, kind, height);
    fputs("set title ", stream);
    cardo_script_quoted(stream, p->title);
    fputs(" noenhanced font ',18' offset 0,0.6\n", stream);
}

/* F with a band of one standard error. */
static void put_profiles(FILE *stream, const pictures *p, const char *kind)
{
    begin(stream, p, "pmf", kind, 900);
    put_label(stream, "xlabel", p->coordinate);
    if (p->high > p->low)
        cardo_print(stream, "set xrange [%.10g:%.10g]\n", p->low, p->high);
    fputs("set ylabel 'free energy (kJ/mol)'\nplot ", stream);
    for (int i = 0; i < p->nprofile; ++i) {
        fputs(i ? ", \\\n     " : "", stream);
        cardo_script_quoted(stream, p->profile[i]);
        fprintf(stream,
                " skip 1 using 1:($2-$3):($2+$3) with filledcurves lt %d fs transparent solid 0.25 "
                "noborder title '', \\\n     '' skip 1 using 1:2 with lines lt %d title ",
                i % LINE_TYPES + 1, i % LINE_TYPES + 1);
        cardo_script_quoted(stream, p->label[i]);
    }
    fputs("\nset autoscale x\nset output\n\n", stream);
}

static void put_histograms(FILE *stream, const pictures *p, const char *kind)
{
    begin(stream, p, "windows", kind, 700);
    put_label(stream, "xlabel", p->coordinate);
    fputs("set ylabel 'samples in a bin'\nset yrange [0:*]\n", stream);
    fprintf(stream, "plot for [k=2:%d] ", p->nwindow + 1);
    cardo_script_quoted(stream, p->histograms);
    fputs(" skip 1 using 1:k with lines lw 1.4 lc rgb word('#0072B2 #D55E00 #009E73 #CC79A7 "
          "#E69F00 #222222', (k - 2) % 6 + 1) title ''\n"
          "set yrange [*:*]\nset output\n\n",
          stream);
}

static void put_overlap(FILE *stream, const pictures *p, const char *kind)
{
    begin(stream, p, "overlap", kind, 1000);
    fprintf(stream,
            "set xlabel 'window'\nset ylabel 'window'\nset xrange [0.5:%d.5]\nset yrange "
            "[%d.5:0.5]\nset size square\nunset grid\nset format y '%%g'\n"
            "set palette defined (0 '#ffffff', 0.25 '#56B4E9', 0.5 '#0072B2', 1 '#00263d')\n"
            "set cbrange [0:1]\nset cblabel 'overlap'\nset cbtics 0.2\nplot ",
            p->nwindow, p->nwindow);
    cardo_script_quoted(stream, p->overlap);
    fputs(" skip 1 matrix using ($1+1):($2+1):3 with image title ''\n", stream);
    fputs("set size nosquare\nset autoscale x\nset autoscale y\nset grid ytics lc rgb '#e4e4e4' lw "
          "0.8\nset format y '%6g'\nset output\n\n",
          stream);
}

static void put_convergence(FILE *stream, const pictures *p, const char *kind)
{
    begin(stream, p, "convergence", kind, 700);
    fputs("set xlabel 'part of the run'\nset ylabel 'free energy difference (kJ/mol)'\n"
          "set xrange [0:1.05]\nplot ",
          stream);
    cardo_script_quoted(stream, p->convergence);
    fputs(" skip 1 using 1:2:3 with yerrorlines lt 1 pt 7 title 'from the beginning', \\\n"
          "     '' skip 1 using 1:4:5 with yerrorlines lt 2 pt 5 title 'from the end'\n"
          "set autoscale x\nset output\n\n",
          stream);
}

cardo_status cardo_plot_write_free_energy(const char *folder, const pictures *p, cardo_error *error)
{
    static const char *const kinds[] = {"png", "svg"};
    cardo_status status;
    cardo_output output = {0};
    char *script = NULL;
    CARDO_TRY(cardo_script_path(folder, "plot.gp", &script, error));
    CARDO_TRY(cardo_output_open(&output, script, error));
    cardo_script_settings(output.stream, p->profile[0]);
    for (int k = 0; k < 2; ++k) {
        put_profiles(output.stream, p, kinds[k]);
        if (p->histograms)
            put_histograms(output.stream, p, kinds[k]);
        if (p->overlap)
            put_overlap(output.stream, p, kinds[k]);
        if (p->convergence)
            put_convergence(output.stream, p, kinds[k]);
    }
    CARDO_TRY(cardo_output_commit(&output, error));
done:
    cardo_output_abandon(&output);
    cardo_free(script);
    return status;
}
