#include "study/domains/places.h"

#include "base/number.h"

#include <stdio.h>

typedef struct picture {
    const cardo_motion_trial *trial;
    const char *name;
} picture;

/* Column of the table (from 0) above what it is at the first place. */
static void draw(FILE *out, const picture *p, int column, const char *title, const char *style)
{
    const cardo_motion_trial *trial = p->trial;
    const double *first = trial->row + (size_t)(trial->nrow - 1) * (size_t)trial->ncolumn;
    cardo_print(out, "%s'%s.places.csv' every ::1 using 2:(column(%d)-(%.6f)) %s title '%s'",
                column > 2 ? ", \\\n     " : "plot ", p->name, column + 1, first[column], style,
                title);
}

static cardo_status print_picture(const void *self, FILE *out, cardo_error *error)
{
    const picture *p = self;
    (void)error;
    fprintf(out,
            "# gnuplot %s.places.gp draws %s.places.png\n"
            "set terminal pngcairo size 800,500\nset output '%s.places.png'\n"
            "set datafile separator ','\nset key left top\nset grid\n"
            "set xlabel 'q (0: first structure, 1: last)'\n"
            "set ylabel 'above q = 0 (kJ/mol)'\n",
            p->name, p->name, p->name);
    draw(out, p, 2, "all", "with linespoints lw 3");
    for (int j = 0; j < p->trial->nterm; ++j)
        draw(out, p, CARDO_TRIAL_BEFORE_TERMS + j, p->trial->term[j], "with linespoints");
    fputs("\n", out);
    return CARDO_OK;
}

cardo_status cardo_trial_places_write(const cardo_motion_trial *trial, const char *name,
                                      const cardo_writer *writer, cardo_error *error)
{
    char file[300];
    cardo_series *series = NULL;
    cardo_status status = CARDO_OK;
    const picture script = {trial, name};
    if (trial->nrow == 0)
        return CARDO_OK;
    snprintf(file, sizeof file, "%.280s.places.csv", name);
    CARDO_TRY(cardo_writer_table(
        writer, file, &(cardo_table_head){.ncolumn = trial->ncolumn, .columns = trial->column}, -1,
        &series, error));
    for (int k = 0; k < trial->nrow; ++k)
        CARDO_TRY(cardo_writer_add(writer, series, trial->row + (size_t)k * (size_t)trial->ncolumn,
                                   error));
    CARDO_TRY(cardo_writer_close(writer, &series, error));
    snprintf(file, sizeof file, "%.280s.places.gp", name);
    status = cardo_writer_print(writer, file, print_picture, &script, error);
done:
    return status;
}
