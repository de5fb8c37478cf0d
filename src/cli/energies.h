/* Energies and generalized forces of a set-up where its state stands, as text or JSON. */
#ifndef CARDO_CLI_ENERGIES_H
#define CARDO_CLI_ENERGIES_H

#include "cli/setup.h"
#include "io/results/json.h"

/* Evaluates (with terms) and prints a table to standard output. */
cardo_status cardo_energies_print(cardo_setup *setup, cardo_error *error);
/* Evaluates and puts "platform", "energies", "potential", "generalized_forces" into json. */
cardo_status cardo_energies_json(cardo_setup *setup, cardo_json *json, cardo_error *error);

#endif
