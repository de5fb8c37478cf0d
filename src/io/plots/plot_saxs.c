#include "io/plots/plot_saxs.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "io/plots/plot_script.h"

#include <stdio.h>

static void put_fit(FILE *stream, const cardo_result *result, const char *kind)
{
    char title[400];
    const char *best = cardo_result_text_at(result, "best");
    cardo_format(title, sizeof title, "%.200s, reduced chi^2 %.2f", best ? best : "",
                 cardo_result_number_at(result, "best_fit/reduced_chi_square"));
    cardo_script_terminal(stream, "fit", kind, 1000);
    fputs("set multiplot title ", stream);
    cardo_script_quoted(stream, title);
    fputs(" noenhanced font ',18'\nset lmargin at screen 0.11\nset rmargin at screen 0.97\n"
          "set tmargin at screen 0.92\nset bmargin at screen 0.36\nset logscale y\n"
          "set format y '10^{%L}'\nset format x ''\nunset xlabel\nset ylabel 'I(q), unit of the "
          "file'\n"
          "I(s) = column(fit_intensity) + s * column(fit_sigma)\n"
          "lower(s) = I(-1) > 0 ? I(-1) : 1e-3 * I(0)\n"
          "plot 'fit.csv' skip 1 using fit_q_per_A:(I(0) > 0 ? I(0) : 1/0):(lower(0)):(I(1)) "
          "with yerrorbars lt 2 pt 7 ps 0.5 title 'measured', \\\n"
          "     '' skip 1 using fit_q_per_A:fit_fit with lines lt 1 lw 2 title 'fit'\n"
          "unset logscale y\nset format y '%g'\nset format x '%g'\n"
          "set tmargin at screen 0.34\nset bmargin at screen 0.10\nset xlabel 'q (1/Å)'\n"
          "set ylabel 'residual / sigma'\n"
          "plot 'fit.csv' skip 1 using fit_q_per_A:fit_residual with points lt 2 pt 7 ps 0.5 title "
          "'', 0 with lines "
          "lt 1 title ''\nunset multiplot\nset output\n"
          "unset lmargin; unset rmargin; unset tmargin; unset bmargin\n\n",
          stream);
}

static void put_hinge(FILE *stream, const cardo_result *result, const char *kind)
{
    const char *model = cardo_result_text_at(result, "model"),
               *coordinate = cardo_result_text_at(result, "coordinate");
    const double low = cardo_result_number_at(result, "best_q_low"),
                 high = cardo_result_number_at(result, "best_q_high");
    cardo_script_terminal(stream, "hinge", kind, 700);
    fputs("set title ", stream);
    cardo_script_quoted(stream, model ? model : "");
    fputs(" noenhanced font ',18' offset 0,0.6\nset xlabel ", stream);
    cardo_script_quoted(stream, coordinate ? coordinate : "");
    fputs(" noenhanced\nset ylabel 'reduced chi^2'\n", stream);
    if (low == low && high == high)
        cardo_print(
            stream,
            "set object 1 rectangle from first %.10g, graph 0 to first %.10g, graph 1 fc rgb "
            "'#0072B2' fs transparent solid 0.2 noborder behind\n",
            low, high);
    fputs("plot 'hinge.csv' skip 1 using hinge_q:hinge_reduced_chi_square with linespoints lt 1 pt "
          "7 ps "
          "0.6 title ''\nunset object\nunset title\nset output\n\n",
          stream);
}

cardo_status cardo_plot_write_saxs(const char *folder, const cardo_result *result,
                                   cardo_error *error)
{
    static const char *const kinds[] = {"png", "svg"};
    cardo_status status;
    cardo_output output = {0};
    char *script = NULL;
    const cardo_result *hinge = cardo_result_find(result, "hinge");
    CARDO_TRY(cardo_script_path(folder, "plot.gp", &script, error));
    CARDO_TRY(cardo_output_open(&output, script, error));
    cardo_script_settings(output.stream, "fit.csv");
    cardo_script_columns(output.stream, cardo_result_find(result, "fit"));
    if (hinge)
        cardo_script_columns(output.stream, hinge);
    for (int k = 0; k < 2; ++k)
        put_fit(output.stream, result, kinds[k]);
    for (int k = 0; k < 2 && hinge; ++k)
        put_hinge(output.stream, result, kinds[k]);
    CARDO_TRY(cardo_output_commit(&output, error));
done:
    cardo_output_abandon(&output);
    cardo_free(script);
    return status;
}
