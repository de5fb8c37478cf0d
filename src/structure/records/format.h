/* File formats of structures: one descriptor each, listed in structure/formats.c. */
#ifndef CARDO_STRUCTURE_RECORDS_FORMAT_H
#define CARDO_STRUCTURE_RECORDS_FORMAT_H

#include "structure/records/read_options.h"
#include "structure/records/records.h"

#include <stddef.h>
#include <stdio.h>

typedef struct cardo_structure_format {
    const char *name;       /* "pdb" */
    const char *help;       /* one line */
    const char *extensions; /* separated by blanks, with the dot */
    /* Does text look like this format? Formats are asked in the order of the table. */
    bool (*detect)(const char *text, size_t length);
    /* Fills records (zero-initialised by the caller, who destroys them also on failure) with the
     * model that was asked for. name stands for the file in messages. */
    cardo_status (*read)(const char *text, size_t length, const char *name,
                         const cardo_read_options *options, cardo_records *records,
                         cardo_error *error);
    /* Writes a whole file, with positions (natom x 3, nm) in place of the structure's when not
     * NULL. */
    cardo_status (*write)(FILE *stream, const cardo_structure *structure, const double *positions,
                          cardo_error *error);
} cardo_structure_format;

/* The table; ends with NULL. */
extern const cardo_structure_format *const cardo_structure_formats[];

extern const cardo_structure_format cardo_format_mmcif;
extern const cardo_structure_format cardo_format_pdb;

/* Reads the records of a file, plain or gzip, in whichever format it is: what
 * cardo_structure_read_as assembles. */
cardo_status cardo_records_read(const char *path, const cardo_read_options *options,
                                cardo_records *records, cardo_error *error);

/* The same with the assembly that is asked for, if any; outer is what cardo_file_limit_begin has returned, and goes to
 * cardo_file_limit_end. */
cardo_status cardo_records_read_built(const char *path, const cardo_read_options *options,
                                      long long *outer, cardo_records *records, cardo_error *error);

#endif
