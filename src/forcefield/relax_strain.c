#include "forcefield/relax_strain.h"

#include "base/vec.h"

#include <stddef.h>

static cardo_vec3 at(const double *positions, int atom)
{
    return v3_load(positions + 3 * (size_t)atom);
}

cardo_strain cardo_strain_find(const cardo_terms *terms, const double *positions, const bool *which)
{
    cardo_strain worst = {.bond_atom = -1, .angle_atom = -1};
    for (int k = 0; k < terms->nbond; ++k) {
        const cardo_bond_term *b = &terms->bond[k];
        double off = fabs(v3_norm(v3_sub(at(positions, b->a), at(positions, b->b))) - b->length);
        if ((which[b->a] || which[b->b]) && off > worst.bond) {
            worst.bond = off;
            worst.bond_atom = which[b->a] ? b->a : b->b;
        }
    }
    for (int k = 0; k < terms->nangle; ++k) {
        const cardo_angle_term *a = &terms->angle[k];
        cardo_vec3 u = v3_sub(at(positions, a->a), at(positions, a->b)),
                   v = v3_sub(at(positions, a->c), at(positions, a->b));
        double off = fabs(atan2(v3_norm(v3_cross(u, v)), v3_dot(u, v)) - a->angle);
        if ((which[a->a] || which[a->b] || which[a->c]) && off > worst.angle) {
            worst.angle = off;
            worst.angle_atom = which[a->b] ? a->b : which[a->a] ? a->a : a->c;
        }
    }
    return worst;
}
