/* The free energy of a scan where one coordinate varies besides the variable: the integral over it. */
#ifndef CARDO_SAMPLING_METHODS_SCAN_OTHER_H
#define CARDO_SAMPLING_METHODS_SCAN_OTHER_H

#include "sampling/methods/method.h"

/* The speed of the one coordinate that varies besides the variable and a free base, where both rates
 * are speeds of the model; false for other models. */
bool cardo_scan_other(const cardo_sampling *sampling, int *speed);

/* u[n] = -ln of the integral over that coordinate of exp(-U/kT) (Fixman's ensemble) or sqrt(det M)
 * exp(-U/kT), with the variable at place[n]: from the start outwards, to either side, until the
 * integrand is exp(-40) of the largest or the coordinate is 20 from the start; over one turn where all is
 * the same after it. The step is halved until u changes by less than cardo_scan_integral_error. */
extern const double cardo_scan_integral_error; /* kT */
cardo_status cardo_scan_integrate(const cardo_sampling *sampling, int speed, int n,
                                  const double *place, double *u, cardo_error *error);

#endif
