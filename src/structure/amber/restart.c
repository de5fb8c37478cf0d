#include "base/number.h"
#include "base/units.h"
#include "structure/amber/amber.h"

#include <string.h>

enum { COLUMN = 12, DIGITS = 7, PER_LINE = 6 };

static void print_column(double x, FILE *stream)
{
    char text[400];
    int digits = DIGITS;
    do
        cardo_format(text, sizeof text, "%*.*f", COLUMN, digits, x);
    while (strlen(text) > COLUMN && digits-- > 0);
    fputs(text, stream);
}

void cardo_amber_restart_print(const char *title, int natom, const double *position, FILE *stream)
{
    fprintf(stream, "%.80s\n%6d\n", title, natom);
    for (int k = 0; k < 3 * natom; ++k) {
        print_column(position[k] / CARDO_ANGSTROM, stream);
        if ((k + 1) % PER_LINE == 0 || k + 1 == 3 * natom)
            fputc('\n', stream);
    }
}
