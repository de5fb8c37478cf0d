/* Tables of a run's folder as a page carries them. */
#ifndef CARDO_IO_PAGE_PAGE_TABLES_H
#define CARDO_IO_PAGE_PAGE_TABLES_H

#include "base/json/json.h"

/* The CSV files of a folder, in the order of their names: a list of "file", "rows" in all, "step" (every so many of them is here), "text".
 * Long tables have seven digits a number, no column of speeds (names in motion's "speeds"; NULL: none are known), and where
 * that is not enough fewer rows. The caller owns it. */
cardo_status cardo_page_tables(const char *folder, const cardo_json *motion, cardo_json **out,
                               cardo_error *error);

/* One table that is no run's, by its path, as a list of itself. The caller frees *out, also after a failure. */
cardo_status cardo_page_table(const char *path, cardo_json **out, cardo_error *error);

#endif
