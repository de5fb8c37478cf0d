/* Units and constants. Inside Cardo: nm, ps, Da, kJ/mol, K, elementary charge, radian; kJ/mol
 * equals Da nm^2/ps^2, so no factor is ever needed in mechanics. */
#ifndef CARDO_UNITS_H
#define CARDO_UNITS_H

/* Boltzmann constant, kJ/(mol K): the exact SI value of 2019 times Avogadro's number. */
#define CARDO_BOLTZMANN 8.31446261815324e-3
/* Coulomb constant, kJ nm/(mol e^2), as in OpenMM's NonbondedForce and GBSAOBCForce. */
#define CARDO_COULOMB     138.93545764438198
#define CARDO_PI          3.14159265358979323846
#define CARDO_DEGREE      (CARDO_PI / 180.0) /* radians in a degree */
#define CARDO_ANGSTROM    0.1                /* nm in an angstrom   */
#define CARDO_KILOCALORIE 4.184              /* kJ in a kilocalorie */

#endif
