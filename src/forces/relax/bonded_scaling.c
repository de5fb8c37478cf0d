#include "forces/relax/bonded_scaling.h"

#include "forces/relax/bonded_geometry.h"

#include <assert.h>
#include <math.h>

enum { MOST_ATOMS = 4 };

double cardo_bonded_scaling_rest(const double gradient[3])
{
    static const double contact = 3000, farthest = 0.05;
    return fmax(contact, v3_norm(v3_load(gradient)) / farthest);
}

static void add(cardo_band_scaling *scaling, const cardo_scaled_atoms *atoms, int n,
                const int *atom, const cardo_vec3 *slope, double k)
{
    int slot[MOST_ATOMS];
    cardo_vec3 turned[MOST_ATOMS];
    assert(n <= MOST_ATOMS);
    for (int a = 0; a < n; ++a) {
        const int frame = atoms->frame ? atoms->frame[atom[a]] : -1;
        slot[a] = atoms->slot ? atoms->slot[atom[a]] : atom[a];
        turned[a] = frame >= 0 ? m33_tmul_v3(atoms->lead[frame].R, slope[a]) : slope[a];
    }
    cardo_band_scaling_add(scaling, n, slot, turned, k);
}

static void add_bond(cardo_band_scaling *s, const cardo_scaled_atoms *of, const cardo_bond_term *t)
{
    const cardo_vec3 d = cardo_from_to(of->positions, t->a, t->b);
    const double r = v3_norm(d);
    if (!(r > 0))
        return;
    const cardo_vec3 u = v3_scale(1 / r, d);
    const int atom[] = {t->a, t->b};
    const cardo_vec3 slope[] = {v3_scale(-1, u), u};
    add(s, of, 2, atom, slope, t->k);
}

/* Wilson, Decius & Cross, Molecular Vibrations (1955), section 4-1. */
static void add_angle(cardo_band_scaling *s, const cardo_scaled_atoms *of,
                      const cardo_angle_term *t)
{
    const cardo_vec3 u = cardo_from_to(of->positions, t->b, t->a),
                     v = cardo_from_to(of->positions, t->b, t->c), normal = v3_cross(u, v);
    const double uu = v3_dot(u, u), vv = v3_dot(v, v), sine = v3_norm(normal);
    if (!(sine > 1e-3 * sqrt(uu * vv)))
        return;
    const cardo_vec3 a = v3_scale(1 / (uu * sine), v3_cross(u, normal)),
                     c = v3_scale(1 / (vv * sine), v3_cross(normal, v));
    const int atom[] = {t->a, t->b, t->c};
    const cardo_vec3 slope[] = {a, v3_scale(-1, v3_add(a, c)), c};
    add(s, of, 3, atom, slope, t->k);
}

/* As Blondel & Karplus, J Comput Chem 17, 1132 (1996), have it, which has no poles but in a straight line. */
static void add_torsion(cardo_band_scaling *s, const cardo_scaled_atoms *of,
                        const int atom[MOST_ATOMS], double stiffness)
{
    const cardo_vec3 f = cardo_from_to(of->positions, atom[1], atom[0]),
                     g = cardo_from_to(of->positions, atom[2], atom[1]),
                     h = cardo_from_to(of->positions, atom[2], atom[3]);
    const cardo_vec3 a = v3_cross(f, g), b = v3_cross(h, g);
    const double aa = v3_dot(a, a), bb = v3_dot(b, b), length = v3_norm(g);
    const double least = 1e-3 * length * length;
    if (!(aa > least * v3_dot(f, f)) || !(bb > least * v3_dot(h, h)))
        return;
    const cardo_vec3 first = v3_scale(-length / aa, a), last = v3_scale(length / bb, b),
                     middle = v3_sub(v3_scale(v3_dot(f, g) / (aa * length), a),
                                     v3_scale(v3_dot(h, g) / (bb * length), b));
    const cardo_vec3 slope[] = {first, v3_sub(middle, first), v3_scale(-1, v3_add(middle, last)),
                                last};
    add(s, of, 4, atom, slope, stiffness);
}

void cardo_bonded_scaling_add(cardo_band_scaling *scaling, const cardo_terms *t,
                              const cardo_scaled_atoms *atoms)
{
    for (int k = 0; k < t->nbond; ++k)
        add_bond(scaling, atoms, &t->bond[k]);
    for (int k = 0; k < t->nangle; ++k)
        add_angle(scaling, atoms, &t->angle[k]);
    for (int k = 0; k < t->ntorsion; ++k) {
        const cardo_torsion_term *o = &t->torsion[k];
        add_torsion(scaling, atoms, (const int[]){o->a, o->b, o->c, o->d},
                    fabs(o->k) * o->periodicity * o->periodicity);
    }
}
