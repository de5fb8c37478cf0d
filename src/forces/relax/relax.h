/* Relaxing atoms that were built, everything else held where it is. */
#ifndef CARDO_FORCES_RELAX_RELAX_H
#define CARDO_FORCES_RELAX_RELAX_H

#include "base/minimize.h"
#include "forces/relax/contacts.h"
#include "forces/terms/terms.h"
#include "multibody/force.h"

#include <stdbool.h>

/* Makes a force field's terms fit for relaxing a part of a structure in vacuum: charges as in a
 * dielectric of 4, since vacuum's attraction bends side chains towards each other by ten degrees
 * and an implicit solvent takes twenty times as long; and bonds and angles of movable atoms (natom)
 * stiffer, so that a crystal's tight places do not bend what is built there out of shape. Lists are
 * full ones afterwards (copies.h), for which CARDO_ERROR_MEMORY says there is no room. */
cardo_status cardo_relax_adapt_terms(cardo_terms *terms, const bool *movable, cardo_error *error);

/* Who hears of each iteration; NULL functions are not called. False ends it with
 * CARDO_ERROR_INTERRUPTED. */
typedef struct cardo_relax_listener {
    void *user;
    bool (*iteration)(void *user, int done);
} cardo_relax_listener;

/* Minimizes the provider's energy and that of the contacts (NULL: none) over the atoms that may
 * move. positions (natom x 3, nm): only those of movable atoms change. The provider takes station
 * positions of natom atoms in ground. largest_gradient in kJ/mol/nm; the unit of the options is
 * nm. listener: NULL, nobody. */
cardo_status cardo_relax(cardo_force_provider *provider, const cardo_contacts *contacts, int natom,
                         double *positions, const bool *movable,
                         const cardo_minimize_options *options,
                         const cardo_relax_listener *listener, cardo_minimize_result *result,
                         cardo_error *error);

/* 1000 iterations, to 5 kJ/mol/nm, first steps of 0.002 nm. */
cardo_minimize_options cardo_relax_options_default(void);

#endif
