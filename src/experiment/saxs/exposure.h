/* How much of each scatterer the water around reaches. */
#ifndef CARDO_EXPERIMENT_SAXS_EXPOSURE_H
#define CARDO_EXPERIMENT_SAXS_EXPOSURE_H

#include "experiment/saxs/scatterers.h"

/* Fills exposure: the share of points on a sphere of the atom's radius and 0.14 nm more that lie in no other such sphere (Shrake
 * & Rupley 1973); hydrogens of explicit ones have none, and their heavy atom's radius has room for them. The points stand fixed in the frame of the
 * positions, so that a turned molecule differs by the fineness of 162 points. */
cardo_status cardo_exposure_find(cardo_scatterers *scatterers, cardo_error *error);

/* What the rule is made of: points of a sphere, spread evenly; an atom's radius and water's 0.14 nm, 0 of hydrogens; and the largest sum of two of
 * these. */
enum { CARDO_EXPOSURE_POINTS = 162 };
#define CARDO_EXPOSURE_REACH (2 * (0.19 + 0.14))
void cardo_exposure_points(double point[CARDO_EXPOSURE_POINTS][3]);
double cardo_exposure_reach(int element);

/* Accessible surface in all, nm^2. */
double cardo_exposure_area(const cardo_scatterers *scatterers);

#endif
