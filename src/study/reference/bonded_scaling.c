#include "study/reference/bonded_scaling.h"

#include "multibody/constraints/parts/internal_geometry.h"

#include <math.h>
#include <stddef.h>

enum { MOST_ATOMS = 4 };

double cardo_bonded_scaling_rest(const double gradient[3])
{
    static const double contact = 3000, farthest = 0.05;
    return fmax(contact, v3_norm(v3_load(gradient)) / farthest);
}

cardo_vec3 cardo_scaled_slope(const cardo_scaled_atoms *atoms, int atom, cardo_vec3 slope)
{
    const int frame = atoms->frame ? atoms->frame[atom] : -1;
    return frame >= 0 ? m33_tmul_v3(atoms->lead[frame].R, slope) : slope;
}

/* Two atoms of a bond, three of an angle, four of a torsion. */
static void add(cardo_band_scaling *scaling, const cardo_scaled_atoms *atoms, int n,
                const int *atom, double k)
{
    int slot[MOST_ATOMS];
    cardo_vec3 point[MOST_ATOMS] = {0}, slope[MOST_ATOMS];
    for (int a = 0; a < n; ++a)
        point[a] = v3_load(atoms->positions + 3 * (size_t)atom[a]);
    cardo_internal_gradient(n, point, slope);
    for (int a = 0; a < n; ++a) {
        slot[a] = atoms->slot ? atoms->slot[atom[a]] : atom[a];
        slope[a] = cardo_scaled_slope(atoms, atom[a], slope[a]);
    }
    cardo_band_scaling_add(scaling, n, slot, slope, k);
}

void cardo_bonded_scaling_add(cardo_band_scaling *scaling, const cardo_terms *t,
                              const cardo_scaled_atoms *atoms)
{
    for (int k = 0; k < t->nbond; ++k) {
        const cardo_bond_term b = cardo_terms_bond(t, k);
        add(scaling, atoms, 2, (const int[]){b.a, b.b}, b.k);
    }
    for (int k = 0; k < t->nangle; ++k) {
        const cardo_angle_term a = cardo_terms_angle(t, k);
        add(scaling, atoms, 3, (const int[]){a.a, a.b, a.c}, a.k);
    }
    for (int k = 0; k < t->ntorsion; ++k) {
        const cardo_torsion_term o = cardo_terms_torsion(t, k);
        add(scaling, atoms, 4, (const int[]){o.a, o.b, o.c, o.d},
            fabs(o.k) * o.periodicity * o.periodicity);
    }
}
