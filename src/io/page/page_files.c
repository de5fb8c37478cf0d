#include "io/page/page_files.h"

#include <string.h>

#define FILES(X)                                                                                   \
    X(page_html, "page.html")                                                                      \
    X(page_css, "page.css")                                                                        \
    X(kinematics_js, "kinematics.js")                                                              \
    X(curves_js, "curves.js")                                                                      \
    X(molecule_js, "molecule.js")                                                                  \
    X(words_js, "words.js") X(citations_js, "citations.js") X(page_js, "page.js")

#define DECLARE(file, name)                                                                        \
    extern const unsigned char cardo_file_##file[];                                                \
    extern const size_t cardo_file_##file##_size;
FILES(DECLARE)
#undef DECLARE

#define ENTRY(file, name) {name, cardo_file_##file, &cardo_file_##file##_size},
static const cardo_page_file files[] = {FILES(ENTRY)};
#undef ENTRY

const cardo_page_file *cardo_page_file_find(const char *name)
{
    for (size_t k = 0; k < sizeof files / sizeof *files; ++k)
        if (strcmp(files[k].name, name) == 0)
            return &files[k];
    return NULL;
}
