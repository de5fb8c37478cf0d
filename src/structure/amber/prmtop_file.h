/* The sections of an AMBER topology file: %FLAG NAME, %FORMAT(10I8), then values in columns of fixed
 * width. */
#ifndef CARDO_STRUCTURE_AMBER_PRMTOP_FILE_H
#define CARDO_STRUCTURE_AMBER_PRMTOP_FILE_H

#include "structure/atoms/structure.h"

typedef struct cardo_prmtop_section {
    const char *name, *start, *end; /* the values are the lines in start ... end      */
    int name_length, line;          /* line of its %FLAG                              */
    int width;                      /* of a value; 0: no %FORMAT that can be read     */
} cardo_prmtop_section;

/* Zero-initialise. */
typedef struct cardo_prmtop_file {
    const char *path; /* borrowed */
    char *text;
    int nsection, capacity;
    cardo_prmtop_section *section;
} cardo_prmtop_file;

/* Reads a file, plain or gzip, and finds its sections; path must outlive the file. */
cardo_status cardo_prmtop_file_read(const char *path, cardo_prmtop_file *file, cardo_error *error);
void cardo_prmtop_file_clear(cardo_prmtop_file *file);

/* The section of that name, or NULL. */
const cardo_prmtop_section *cardo_prmtop_section_find(const cardo_prmtop_file *file,
                                                      const char *name);

/* The first count values of a section. The caller owns *out (cardo_free). A missing section, too few
 * values or one that is no number are CARDO_ERROR_INPUT with the line. */
cardo_status cardo_prmtop_integers(const cardo_prmtop_file *file, const char *name, int count,
                                   int **out, cardo_error *error);
cardo_status cardo_prmtop_numbers(const cardo_prmtop_file *file, const char *name, int count,
                                  double **out, cardo_error *error);
cardo_status cardo_prmtop_names(const cardo_prmtop_file *file, const char *name, int count,
                                cardo_name **out, cardo_error *error);

#endif
