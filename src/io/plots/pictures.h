/* The pictures of studies by the names of their kinds, each drawn from a result and the tables beside it. */
#ifndef CARDO_IO_PLOTS_PICTURES_H
#define CARDO_IO_PLOTS_PICTURES_H

#include "base/result.h"

typedef struct cardo_picture {
    const char *kind; /* "trajectory" */
    /* Writes FOLDER/plot.gp. */
    cardo_status (*write)(const char *folder, const cardo_result *result, cardo_error *error);
} cardo_picture;

/* All of them; ends with a kind that is NULL. */
extern const cardo_picture cardo_pictures[];

/* Writes FOLDER/plot.gp for the pictures of a kind; CARDO_ERROR_ARGUMENT where there is none. */
cardo_status cardo_picture_write(const char *kind, const char *folder, const cardo_result *result,
                                 cardo_error *error);

#endif
