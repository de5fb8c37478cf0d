#include "io/plots/plot_script.h"

#include "base/letters.h"
#include "base/memory.h"
#include "base/number.h"
#include "io/results/result_printer.h"

#include <string.h>

/* Text between single quotes, as gnuplot reads it. */
void cardo_script_quoted(FILE *stream, const char *text)
{
    fputc('\'', stream);
    for (; *text; ++text) {
        if (*text == '\'')
            fputc('\'', stream);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, stream);
    }
    fputc('\'', stream);
}

void cardo_script_settings(FILE *stream, const char *table)
{
    fprintf(stream,
            "# Pictures of %s: run `gnuplot plot.gp` in this folder.\n"
            "# Colours after Okabe and Ito, which colour-blind readers can tell apart.\n"
            "set datafile separator ','\n"
            "set encoding utf8\n"
            "stats '%s' using 0 nooutput\n",
            table, table);
    fputs("# About two thousand points a curve are all that a picture shows.\n"
          "n = int(STATS_records / 2000) + 1\n"
          "set linetype 1 lc rgb '#0072B2' lw 1.6\n"
          "set linetype 2 lc rgb '#D55E00' lw 1.6\n"
          "set linetype 3 lc rgb '#222222' lw 1.6\n"
          "set linetype 4 lc rgb '#009E73' lw 1.6\n"
          "set linetype 5 lc rgb '#CC79A7' lw 1.6\n"
          "set linetype 6 lc rgb '#E69F00' lw 1.6\n"
          "set border 3 lc rgb '#555555'\n"
          "# A tic about every fifth of a range, at 1, 2 or 5 times a power of ten.\n"
          "power(x) = 10.0 ** floor(log10(x))\n"
          "round(x) = x < 1.5 ? 1 : x < 3.5 ? 2 : x < 7.5 ? 5 : 10\n"
          "tics(range) = range > 0 ? round(range / 5 / power(range / 5)) * power(range / 5) : 1\n"
          "set tics nomirror out scale 0.6 textcolor rgb '#222222'\n"
          "set grid ytics lc rgb '#e4e4e4' lw 0.8\n"
          "set key at graph 1,1.02 right bottom horizontal samplen 1.8 noenhanced\n"
          "set format y '%6g'\n"
          "png = strstrt(GPVAL_TERMINALS, 'pngcairo') > 0 ? 'pngcairo' : 'png'\n\n",
          stream);
}

static void put_identifier(FILE *stream, const char *name)
{
    for (; *name; ++name)
        fputc(cardo_is_letter(*name) || (*name >= '0' && *name <= '9') ? *name : '_', stream);
}

void cardo_script_columns(FILE *stream, const cardo_result *table)
{
    const char *file = cardo_result_file_of(table, NULL);
    fprintf(stream, "# Columns of %s.\n", file ? file : "the table");
    for (int c = 0; c < cardo_result_count(table); ++c) {
        const char *name = cardo_result_quantity(cardo_result_part(table, c))->name;
        const int number = cardo_result_csv_column(table, name);
        if (number == 0)
            continue;
        put_identifier(stream, cardo_result_quantity(table)->name);
        fputc('_', stream);
        put_identifier(stream, name);
        fprintf(stream, " = %d\n", number);
    }
}

void cardo_script_terminal(FILE *stream, const char *name, const char *kind, int height)
{
    if (strcmp(kind, "png") == 0)
        fprintf(stream, "eval 'set terminal '.png.' size 1200,%d font \"Sans,14\"'\n", height);
    else
        fprintf(stream, "set terminal svg size 1200,%d font 'Sans,16' background 'white'\n",
                height);
    fprintf(stream, "set output '%s.%s'\n", name, kind);
}

/* Panels above each other share their left and right margins, so that times stand above times. */
void cardo_script_panel(FILE *stream, int panel, int npanel)
{
    const double top = 0.89, bottom = 0.09, gap = 0.085;
    double height = (top - bottom - gap * (npanel - 1)) / npanel;
    double upper = top - panel * (height + gap);
    fprintf(stream, "set lmargin at screen 0.11; set rmargin at screen 0.96\n");
    cardo_print(stream, "set tmargin at screen %.4f; set bmargin at screen %.4f\n", upper,
                upper - height);
}

cardo_status cardo_script_path(const char *folder, const char *name, char **path,
                               cardo_error *error)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    cardo_status status = cardo_allocate((void **)path, size, 1, error);
    if (status == CARDO_OK)
        snprintf(*path, size, "%s/%s", folder, name);
    return status;
}
