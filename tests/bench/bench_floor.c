/* What the machine can do: a plain loop over all pairs of atoms between two bodies, Lennard-Jones and
 * Coulomb, energy and force on one of them, in single precision. Compiled for the machine it is
 * built on, with the compiler's licence to reorder sums. */
#include "bench_floor.h"

#include <math.h>

float bench_floor(int na, const bench_floor_atoms *a, int nb, const bench_floor_atoms *b,
                  float *restrict force)
{
    float energy = 0;
    for (int i = 0; i < na; ++i) {
        const float xi = a->x[i], yi = a->y[i], zi = a->z[i];
        const float qi = a->charge[i], si = a->half_sigma[i], ei = a->root_epsilon[i];
        float fx = 0, fy = 0, fz = 0;
        for (int j = 0; j < nb; ++j) {
            float dx = xi - b->x[j], dy = yi - b->y[j], dz = zi - b->z[j];
            float inverse2 = 1 / (dx * dx + dy * dy + dz * dz), sigma = si + b->half_sigma[j];
            float s2 = sigma * sigma * inverse2, s6 = s2 * s2 * s2;
            float well = ei * b->root_epsilon[j] * s6;
            float coulomb = qi * b->charge[j] * sqrtf(inverse2);
            float f = (coulomb + well * (12 * s6 - 6)) * inverse2;
            energy += coulomb + well * (s6 - 1);
            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
        }
        force[0] += fx;
        force[1] += fy;
        force[2] += fz;
    }
    return energy;
}
