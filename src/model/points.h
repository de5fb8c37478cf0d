/* Points of a model as they are written: numbers, or atoms of the reference. */
#ifndef CARDO_MODEL_POINTS_H
#define CARDO_MODEL_POINTS_H

#include "model/model.h"

/* Reads n numbers with blanks or commas between, no more and no fewer. */
bool cardo_model_numbers(const char *text, int n, double *numbers);

/* A point in ground where the reference stands: the mean of selected atoms ("A:90@CA"), or three numbers (nm). name: the
 * attribute's, for messages. body (may be NULL; else the model has its bodies): the one that all these atoms belong to, or -1. */
cardo_status cardo_model_point(const cardo_model *model, const char *name, const char *text,
                               cardo_vec3 *point, int *body, cardo_error *error);

#endif
