/* What comes near what along the paths, for every choice of side-chain conformers. */
#ifndef CARDO_CLI_CLASHES_H
#define CARDO_CLI_CLASHES_H

#include "io/results/json.h"
#include "model/model.h"

/* Prints a table of the least distances between heavy atoms of different bodies along the paths:
 * for the model as it is, for the side chains of each of its structures, and for the best of them;
 * and the residues that come nearest. */
cardo_status cardo_clashes_print(const cardo_model *model, cardo_error *error);
/* The same as an array under "clashes". */
cardo_status cardo_clashes_json(const cardo_model *model, cardo_json *json, cardo_error *error);

#endif
