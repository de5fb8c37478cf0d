/* Born radii from descreening integrals, and the largest that any integral leads to. nm */
#ifndef CARDO_FORCES_RIGID_KERNELS_BORN_H
#define CARDO_FORCES_RIGID_KERNELS_BORN_H

/* offset: the intrinsic radius less what OpenMM takes from it; slope: derivative by the integral. */
double cardo_born_radius(double offset, double radius, double integral, double *slope);
double cardo_born_largest(double offset, double radius);

#endif
