/* Form factors of free atoms: the door to xraylib. */
#ifndef CARDO_EXPERIMENT_SAXS_FORM_FACTORS_H
#define CARDO_EXPERIMENT_SAXS_FORM_FACTORS_H

#include <stdbool.h>

/* Electrons that an atom scatters at q (1/nm), the mean over directions; q = 0: its atomic number. NaN for an element that
 * the tables lack. */
double cardo_form_factor(int element, double q);

/* Has the library tables of this element? */
bool cardo_form_factor_known(int element);

/* Amplitude at q of an atom with hydrogens that are not there as atoms, averaged over their directions:
 * f_X + n f_H sin(q d)/(q d), d the length of a bond X-H (C 0.109, N 0.101, O 0.096, S 0.134 nm). */
double cardo_group_form_factor(int element, int hydrogens, double q);

#endif
