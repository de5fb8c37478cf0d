#include "io/plots/free_energy_plot.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "io/plots/plot_script.h"
#include "io/results/result_printer.h"

#include <stdio.h>

/* A text of the result, or NULL. */
static const char *text_of(const cardo_result *result, const char *name)
{
    const cardo_result *found = cardo_result_find(result, name);
    const char *const *text = found ? cardo_result_as_texts(found) : NULL;
    return text ? text[0] : NULL;
}

static bool number_of(const cardo_result *result, const char *name, double *value)
{
    const cardo_result *found = cardo_result_find(result, name);
    if (found)
        *value = cardo_result_as_doubles(found)[0];
    return found != NULL;
}

static void put_file(FILE *stream, const cardo_result *table)
{
    cardo_script_quoted(stream, cardo_result_file_of(table, NULL));
}

static void put_coordinate(FILE *stream, const cardo_result *result)
{
    char text[160];
    const char *name = text_of(result, "variable"), *unit = text_of(result, "unit");
    const bool has_unit = unit && *unit;
    snprintf(text, sizeof text, "%s%s%s%s", name ? name : "", has_unit ? " (" : "",
             has_unit ? unit : "", has_unit ? ")" : "");
    fputs("set xlabel ", stream);
    cardo_script_quoted(stream, text);
    fputs(" noenhanced\n", stream);
}

static void begin(FILE *stream, const cardo_result *result, const char *name, const char *kind,
                  int height)
{
    const char *title = text_of(result, "model");
    cardo_script_terminal(stream, name, kind, height);
    fputs("set title ", stream);
    cardo_script_quoted(stream, title ? title : "");
    fputs(" noenhanced font ',18' offset 0,0.6\n", stream);
}

/* F is shown as far up as a barrier may be that heat passes at all (kJ/mol): a clash would flatten everything else. */
static const double highest = 100.0;

/* What the script knows of the profile: where it ends upwards, and what is missing in the picture, in words. */
static void put_range(FILE *stream, const cardo_result *profile)
{
    const char *file = cardo_result_file_of(profile, NULL);
    cardo_print(stream,
                "stats '%s' skip 1 using profile_xi nooutput\nbins = STATS_records\n"
                "stats '%s' skip 1 using profile_F_kJ_per_mol nooutput\n"
                "known = STATS_records; lowest = STATS_min; most = STATS_max - STATS_min\n"
                "stats '%s' skip 1 using (column(profile_F_kJ_per_mol) - lowest > %g ? 1 : 0) "
                "nooutput\nhidden = int(STATS_sum)\n"
                "missing = known < bins ? sprintf('%%d of %%d bins have no value', bins - known, "
                "bins) : ''\n"
                "missing = hidden > 0 ? sprintf('%%s%%s%%d bins lie higher, up to %%.3g kJ/mol', "
                "missing, known < bins ? '; ' : '', hidden, most) : missing\n",
                file, file, file, highest);
}

/* F with a band of one standard error, and what the verdict on it is, so that no picture is shown without. */
static void put_profile(FILE *stream, const cardo_result *result, const char *kind)
{
    double low, high;
    char curve[160];
    const char *label = text_of(result, "curve"), *judged = text_of(result, "judged");
    begin(stream, result, "pmf", kind, 900);
    put_coordinate(stream, result);
    if (number_of(result, "low", &low) && number_of(result, "high", &high) && high > low)
        cardo_print(stream, "set xrange [%.10g:%.10g]\n", low, high);
    cardo_print(stream,
                "set label 1 missing at graph 0.01,1.03\n"
                "if (hidden > 0) { set yrange [lowest-%g:lowest+%g] }\n",
                0.02 * highest, highest);
    fputs("set ylabel 'free energy (kJ/mol) and one standard error'\nF(s) = "
          "column(profile_F_kJ_per_mol) + s * "
          "column(profile_sigma_kJ_per_mol)\nplot ",
          stream);
    put_file(stream, cardo_result_find(result, "profile"));
    fputs(" skip 1 using profile_xi:(F(-1)):(F(1)) with filledcurves lt 1 fs transparent solid "
          "0.25 noborder title '', \\\n     '' skip 1 using profile_xi:(F(0)) "
          "with lines lt 1 title ",
          stream);
    snprintf(curve, sizeof curve, "%s%s%s", label ? label : text_of(result, "method"),
             judged ? ", " : "", judged ? judged : "");
    cardo_script_quoted(stream, curve);
    fputs("\nunset label 1\nset autoscale xy\nset output\n\n", stream);
}

static void put_histograms(FILE *stream, const cardo_result *result, const cardo_result *windows,
                           int nwindow, int replicas, const char *kind)
{
    begin(stream, result, "windows", kind, 700);
    put_coordinate(stream, result);
    fputs("set ylabel 'samples in a bin'\nset yrange [0:*]\n", stream);
    if (replicas > 1)
        fprintf(stream, "set label 1 'the first of %d replicas' at graph 0.01,1.04\n", replicas);
    /* Those of the first replica, which come first. */
    fprintf(stream, "plot for [k=windows_first:windows_first+%d] ", nwindow - 1);
    put_file(stream, windows);
    fputs(" skip 1 using windows_xi:k with lines lw 1.4 lc rgb word('#0072B2 #D55E00 #009E73 "
          "#CC79A7 #E69F00 #222222', (k - windows_first) % 6 + 1) title ''\n"
          "unset label 1\nset yrange [*:*]\nset output\n\n",
          stream);
}

static void put_overlap(FILE *stream, const cardo_result *result, const cardo_result *overlap,
                        int replicas, const char *kind)
{
    const int n = cardo_result_count(overlap);
    begin(stream, result, "overlap", kind, 1000);
    fprintf(stream,
            "set xlabel 'window'\nset ylabel 'window'\nset xrange [0.5:%d.5]\nset yrange "
            "[%d.5:0.5]\nset size square\nunset grid\nset format y '%%g'\n"
            "set palette defined (0 '#ffffff', 0.25 '#56B4E9', 0.5 '#0072B2', 1 '#00263d')\n"
            "set cbrange [0:1]\nset cblabel 'overlap'\nset cbtics 0.2\n",
            n, n);
    if (replicas > 1)
        fprintf(stream, "set label 1 'the first of %d replicas' at graph 0,1.03\n", replicas);
    fputs("plot ", stream);
    put_file(stream, overlap);
    fputs(" skip 1 matrix using ($1+1):($2+1):3 with image title ''\n", stream);
    fputs("unset label 1\nset size nosquare\nset autoscale x\nset autoscale y\nset grid ytics lc "
          "rgb '#e4e4e4' lw "
          "0.8\nset format y '%6g'\nset output\n\n",
          stream);
}

static void put_convergence(FILE *stream, const cardo_result *result, const cardo_result *parts,
                            const char *kind)
{
    begin(stream, result, "convergence", kind, 700);
    fputs("set xlabel 'part of the run'\nset ylabel 'free energy difference (kJ/mol)'\n"
          "set xrange [0:1.05]\nplot ",
          stream);
    put_file(stream, parts);
    fputs(" skip 1 using convergence_part:convergence_beginning_kJ_per_mol:"
          "convergence_beginning_sigma_kJ_per_mol with yerrorlines lt 1 pt 7 title 'from the "
          "beginning', \\\n"
          "     '' skip 1 using convergence_part:convergence_end_kJ_per_mol:"
          "convergence_end_sigma_kJ_per_mol with yerrorlines lt 2 pt 5 title 'from the end'\n"
          "set autoscale x\nset output\n\n",
          stream);
}

/* Parts of a run that knew no difference make no picture. */
static const cardo_result *known_convergence(const cardo_result *result)
{
    const cardo_result *known = cardo_result_find(result, "convergence_known");
    return known && cardo_result_as_truths(known)[0] ? cardo_result_find(result, "convergence")
                                                     : NULL;
}

static void put_pictures(FILE *stream, const cardo_result *result)
{
    static const char *const kinds[] = {"png", "svg"};
    const cardo_result *profile = cardo_result_find(result, "profile"),
                       *windows = cardo_result_find(result, "windows"),
                       *overlap = cardo_result_find(result, "overlap"),
                       *convergence = known_convergence(result),
                       *count = cardo_result_find(result, "replicas");
    const int replicas = count ? (int)cardo_result_as_integers(count)[0] : 1;
    cardo_script_settings(stream, cardo_result_file_of(profile, NULL));
    cardo_script_columns(stream, profile);
    if (windows)
        fprintf(stream, "# Columns of %s.\nwindows_xi = %d\nwindows_first = %d\n",
                cardo_result_file_of(windows, NULL), cardo_result_csv_column(windows, "xi"),
                cardo_result_csv_column(windows, "window_1"));
    if (convergence)
        cardo_script_columns(stream, convergence);
    put_range(stream, profile);
    fputc('\n', stream);
    for (int k = 0; k < 2; ++k) {
        put_profile(stream, result, kinds[k]);
        if (windows)
            put_histograms(stream, result, windows, cardo_result_count(overlap), replicas,
                           kinds[k]);
        if (overlap)
            put_overlap(stream, result, overlap, replicas, kinds[k]);
        if (convergence)
            put_convergence(stream, result, convergence, kinds[k]);
    }
}

cardo_status cardo_plot_write_free_energy(const char *folder, const cardo_result *result,
                                          cardo_error *error)
{
    cardo_status status;
    cardo_output output = {0};
    char *script = NULL;
    CARDO_TRY(cardo_script_path(folder, "plot.gp", &script, error));
    CARDO_TRY(cardo_output_open(&output, script, error));
    put_pictures(output.stream, result);
    CARDO_TRY(cardo_output_commit(&output, error));
done:
    cardo_output_abandon(&output);
    cardo_free(script);
    return status;
}
