/* The places along a model's way as files: a table, and a picture of it. */
#ifndef CARDO_STUDY_DOMAINS_PLACES_H
#define CARDO_STUDY_DOMAINS_PLACES_H

#include "base/writer.h"
#include "study/domains/motion_trial.h"

/* Writes NAME.places.csv, energies by term and coordinates from the last place to the first, and NAME.places.gp, a script for gnuplot
 * that draws the energies by term above the first place's as NAME.places.png. */
cardo_status cardo_trial_places_write(const cardo_motion_trial *trial, const char *name,
                                      const cardo_writer *writer, cardo_error *error);

#endif
