/* The files of this room that a page is made of, as the build has put them into the library (cmake/embed.cmake). */
#ifndef CARDO_IO_PAGE_PAGE_FILES_H
#define CARDO_IO_PAGE_PAGE_FILES_H

#include <stddef.h>

typedef struct cardo_page_file {
    const char *name; /* "page.html" */
    const unsigned char *bytes;
    const size_t *size;
} cardo_page_file;

/* By name, or NULL. */
const cardo_page_file *cardo_page_file_find(const char *name);

#endif
