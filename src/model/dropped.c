#include "model/dropped.h"

#include "base/number.h"
#include "structure/atoms/name_text.h"

#include <stdio.h>
#include <string.h>

enum { PLACES_SHOWN = 6 };

static bool is_first(const cardo_dropped *dropped, int k)
{
    for (int i = 0; i < k; ++i)
        if (name_equal(&dropped[i].name, &dropped[k].name))
            return false;
    return true;
}

/* The groups of one name: how many, and where the first few are. */
static void add_name(const cardo_dropped *dropped, int n, int first, char *text)
{
    int count = 0, shown = 0;
    for (int k = first; k < n; ++k)
        count += name_equal(&dropped[k].name, &dropped[first].name);
    cardo_append(text, CARDO_DROPPED_TEXT, "%s%d %s (", text[0] ? "; " : "", count,
                 dropped[first].name.text);
    for (int k = first; k < n && shown < PLACES_SHOWN; ++k)
        if (name_equal(&dropped[k].name, &dropped[first].name))
            cardo_append(text, CARDO_DROPPED_TEXT, "%s%s", shown++ ? ", " : "", dropped[k].residue);
    cardo_append(text, CARDO_DROPPED_TEXT, "%s)", count > shown ? ", ..." : "");
}

char *cardo_dropped_text(const cardo_dropped *dropped, int n, char text[CARDO_DROPPED_TEXT])
{
    int nwater = 0;
    text[0] = '\0';
    for (int k = 0; k < n; ++k)
        nwater += dropped[k].water;
    if (nwater)
        cardo_append(text, CARDO_DROPPED_TEXT, "%d water%s", nwater, nwater == 1 ? "" : "s");
    for (int k = 0; k < n; ++k)
        if (!dropped[k].water && is_first(dropped, k))
            add_name(dropped, n, k, text);
    return text;
}
