#include "forces/rigid/bonded/bonded.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/rigid/bonded/cmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ATOMS = 5, MOST_NUMBERS = 6 };

/* Any term: its slots and numbers as the kind reads them. */
typedef struct bonded_term {
    int slot[MOST_ATOMS];
    int whole; /* periodicity or map */
    double number[MOST_NUMBERS];
} bonded_term;

struct cardo_rigid_bonded {
    const cardo_rigid_layout *layout;
    int count[CARDO_RIGID_TERMS], capacity[CARDO_RIGID_TERMS];
    bonded_term *term[CARDO_RIGID_TERMS];
    int nmap;
    cardo_rigid_map **map;
};

static cardo_vec3 at(const cardo_rigid_scene *scene, int slot)
{
    return v3(scene->x[slot], scene->y[slot], scene->z[slot]);
}

static void push(const cardo_rigid_scene *scene, int slot, cardo_vec3 f)
{
    if (scene->wrench) {
        cardo_spatial *wrench = &scene->wrench[scene->layout->slot_body[slot]];
        wrench->linear = v3_add(wrench->linear, f);
        wrench->angular = v3_add(wrench->angular, v3_cross(at(scene, slot), f));
    }
    if (scene->atom_force) {
        size_t n = (size_t)scene->layout->nslot;
        scene->atom_force[slot] += f.x;
        scene->atom_force[n + (size_t)slot] += f.y;
        scene->atom_force[2 * n + (size_t)slot] += f.z;
    }
}

/* E = k/2 (r - r0)^2; numbers r0, k. */
static double bond(const bonded_term *t, const cardo_rigid_scene *scene)
{
    cardo_vec3 d = v3_sub(at(scene, t->slot[1]), at(scene, t->slot[0]));
    double r = v3_norm(d), stretch = r - t->number[0];
    cardo_vec3 f = v3_scale(r > 0 ? t->number[1] * stretch / r : 0, d);
    push(scene, t->slot[0], f);
    push(scene, t->slot[1], v3_neg(f));
    return 0.5 * t->number[1] * stretch * stretch;
}

/* E = k/2 (theta - theta0)^2; numbers theta0, k. */
static double angle(const bonded_term *t, const cardo_rigid_scene *scene)
{
    cardo_vec3 middle = at(scene, t->slot[1]);
    cardo_vec3 u = v3_sub(at(scene, t->slot[0]), middle), v = v3_sub(at(scene, t->slot[2]), middle);
    cardo_vec3 normal = v3_cross(u, v);
    double sine = v3_norm(normal), bend = atan2(sine, v3_dot(u, v)) - t->number[0];
    /* On a straight line every direction bends alike; a small number keeps the force finite. */
    double k = -t->number[1] * bend / (sine > 1e-6 ? sine : 1e-6);
    cardo_vec3 fu = v3_scale(k / v3_dot(u, u), v3_cross(u, normal));
    cardo_vec3 fv = v3_scale(k / v3_dot(v, v), v3_cross(normal, v));
    push(scene, t->slot[0], fu);
    push(scene, t->slot[1], v3_neg(v3_add(fu, fv)));
    push(scene, t->slot[2], fv);
    return 0.5 * t->number[1] * bend * bend;
}

/* A dihedral angle and what its derivatives are made of (Blondel & Karplus 1996, eq. 27). */
typedef struct dihedral {
    cardo_vec3 F, G, H, A, B;
    double sine, cosine; /* of the angle, times the same positive number */
} dihedral;

static dihedral measure(const cardo_rigid_scene *scene, const int *slot)
{
    cardo_vec3 b = at(scene, slot[1]), c = at(scene, slot[2]);
    dihedral d = {
        .F = v3_sub(at(scene, slot[0]), b), .G = v3_sub(b, c), .H = v3_sub(at(scene, slot[3]), c)};
    d.A = v3_cross(d.F, d.G);
    d.B = v3_cross(d.H, d.G);
    d.sine = v3_dot(v3_cross(d.B, d.A), d.G) / v3_norm(d.G);
    d.cosine = v3_dot(d.A, d.B);
    return d;
}

static double phi_of(const dihedral *d)
{
    return atan2(d->sine, d->cosine);
}

static void push_dihedral(const dihedral *d, const cardo_rigid_scene *scene, const int *slot,
                          double slope)
{
    double G = v3_norm(d->G), A2 = v3_dot(d->A, d->A), B2 = v3_dot(d->B, d->B);
    cardo_vec3 a = v3_scale(slope * G / A2, d->A), b = v3_scale(-slope * G / B2, d->B);
    cardo_vec3 s = v3_sub(v3_scale(slope * v3_dot(d->F, d->G) / (A2 * G), d->A),
                          v3_scale(slope * v3_dot(d->H, d->G) / (B2 * G), d->B));
    push(scene, slot[0], a);
    push(scene, slot[1], v3_neg(v3_add(a, s)));
    push(scene, slot[2], v3_sub(s, b));
    push(scene, slot[3], b);
}

/* E = k (1 + cos(n phi - phi0)); numbers cos phi0, k, sin phi0; whole n. Of the n terms from t on those with the same atoms: how many there are.
 * Neither angle nor sines of its multiples are wanted, as turning a unit vector n times gives them. */
static int torsion(const bonded_term *t, int n, const cardo_rigid_scene *scene, double *energy)
{
    const dihedral d = measure(scene, t->slot);
    const double length = sqrt(d.sine * d.sine + d.cosine * d.cosine);
    const double c = length > 0 ? d.cosine / length : 1, s = length > 0 ? d.sine / length : 0;
    double slope = 0;
    int k = 0;
    for (; k < n && memcmp(t[k].slot, t->slot, sizeof t->slot) == 0; ++k) {
        double cosine = 1, sine = 0;
        for (int m = 0; m < abs(t[k].whole); ++m) {
            const double turned = cosine * c - sine * s;
            sine = sine * c + cosine * s;
            cosine = turned;
        }
        if (t[k].whole < 0)
            sine = -sine;
        *energy += t[k].number[1] * (1 + cosine * t[k].number[0] + sine * t[k].number[2]);
        slope -= t[k].number[1] * t[k].whole * (sine * t[k].number[0] - cosine * t[k].number[2]);
    }
    push_dihedral(&d, scene, t->slot, slope);
    return k;
}

/* E = sum of c_n cos^n(phi - pi); numbers c. */
static double rb_torsion(const bonded_term *t, const cardo_rigid_scene *scene)
{
    dihedral d = measure(scene, t->slot);
    const double phi = phi_of(&d);
    double c = -cos(phi), energy = 0, slope = 0;
    for (int n = 5; n >= 0; --n) {
        slope = slope * c + energy;
        energy = energy * c + t->number[n];
    }
    push_dihedral(&d, scene, t->slot, slope * sin(phi));
    return energy;
}

/* whole: the map; numbers none. */
static double cmap(const bonded_term *t, const cardo_rigid_scene *scene,
                   cardo_rigid_map *const *map)
{
    dihedral phi = measure(scene, t->slot), psi = measure(scene, t->slot + 1);
    double slope[2];
    double energy = cardo_rigid_map_energy(map[t->whole], phi_of(&phi), phi_of(&psi), slope);
    push_dihedral(&phi, scene, t->slot, slope[0]);
    push_dihedral(&psi, scene, t->slot + 1, slope[1]);
    return energy;
}

/* Lennard-Jones and Coulomb without any cutoff; numbers charge product, sigma, epsilon. */
static double exception(const bonded_term *t, const cardo_rigid_scene *scene)
{
    cardo_vec3 d = v3_sub(at(scene, t->slot[0]), at(scene, t->slot[1]));
    double inverse2 = 1 / v3_dot(d, d), s2 = t->number[1] * t->number[1] * inverse2;
    double s6 = s2 * s2 * s2, well = 4 * t->number[2] * s6;
    double coulomb = CARDO_COULOMB * t->number[0] * sqrt(inverse2);
    cardo_vec3 f = v3_scale((coulomb + well * (12 * s6 - 6)) * inverse2, d);
    push(scene, t->slot[0], f);
    push(scene, t->slot[1], v3_neg(f));
    return coulomb + well * (s6 - 1);
}

static double energy_of(const cardo_rigid_bonded *bonded, int kind, const bonded_term *t,
                        const cardo_rigid_scene *scene)
{
    double energy = 0;
    switch (kind) {
    case CARDO_RIGID_BOND:
        return bond(t, scene);
    case CARDO_RIGID_ANGLE:
        return angle(t, scene);
    case CARDO_RIGID_TORSION:
        torsion(t, 1, scene, &energy);
        return energy;
    case CARDO_RIGID_RB_TORSION:
        return rb_torsion(t, scene);
    case CARDO_RIGID_CMAP:
        return cmap(t, scene, bonded->map);
    default:
        return exception(t, scene);
    }
}

void cardo_rigid_bonded_evaluate(const cardo_rigid_bonded *bonded, const cardo_rigid_scene *scene,
                                 double energies[CARDO_RIGID_TERMS])
{
    const bonded_term *torsions = bonded->term[CARDO_RIGID_TORSION];
    const int ntorsion = bonded->count[CARDO_RIGID_TORSION];
    for (int kind = 0; kind < CARDO_RIGID_TERMS; ++kind)
        for (int k = 0; kind != CARDO_RIGID_TORSION && k < bonded->count[kind]; ++k)
            energies[kind] += energy_of(bonded, kind, &bonded->term[kind][k], scene);
    for (int k = 0; k < ntorsion;)
        k += torsion(torsions + k, ntorsion - k, scene, &energies[CARDO_RIGID_TORSION]);
}

/* Keeps a term between bodies; adds the energy of one inside a body, whose body frame is as good as
 * any, to the constants. */
static cardo_status take(cardo_rigid_bonded *bonded, int kind, int natom, const int *atoms,
                         bonded_term t, double *constants, cardo_error *error)
{
    const cardo_rigid_layout *layout = bonded->layout;
    bool inside = true;
    for (int k = 0; k < natom; ++k) {
        t.slot[k] = layout->slot[atoms[k]];
        inside = inside && layout->slot_body[t.slot[k]] == layout->slot_body[t.slot[0]];
    }
    if (inside) {
        const double *x = layout->station;
        cardo_rigid_scene scene = {
            .layout = layout, .x = x, .y = x + layout->nslot, .z = x + 2 * (size_t)layout->nslot};
        constants[kind] += energy_of(bonded, kind, &t, &scene);
        return CARDO_OK;
    }
    cardo_status status =
        CARDO_RESERVE(&bonded->term[kind], &bonded->capacity[kind], bonded->count[kind] + 1, error);
    if (status == CARDO_OK)
        bonded->term[kind][bonded->count[kind]++] = t;
    return status;
}

static cardo_status take_bonds_and_angles(cardo_rigid_bonded *bonded, const cardo_terms *terms,
                                          double *constants, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < terms->nbond && status == CARDO_OK; ++k) {
        const cardo_bond_term e = cardo_terms_bond(terms, k);
        const int atoms[] = {e.a, e.b};
        bonded_term t = {.number = {e.length, e.k}};
        status = take(bonded, CARDO_RIGID_BOND, 2, atoms, t, constants, error);
    }
    for (int k = 0; k < terms->nangle && status == CARDO_OK; ++k) {
        const cardo_angle_term e = cardo_terms_angle(terms, k);
        const int atoms[] = {e.a, e.b, e.c};
        bonded_term t = {.number = {e.angle, e.k}};
        status = take(bonded, CARDO_RIGID_ANGLE, 3, atoms, t, constants, error);
    }
    return status;
}

static cardo_status take_torsions(cardo_rigid_bonded *bonded, const cardo_terms *terms,
                                  double *constants, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < terms->ntorsion && status == CARDO_OK; ++k) {
        const cardo_torsion_term e = cardo_terms_torsion(terms, k);
        const int atoms[] = {e.a, e.b, e.c, e.d};
        bonded_term t = {.whole = e.periodicity, .number = {cos(e.phase), e.k, sin(e.phase)}};
        status = take(bonded, CARDO_RIGID_TORSION, 4, atoms, t, constants, error);
    }
    for (int k = 0; k < terms->nrb_torsion && status == CARDO_OK; ++k) {
        const cardo_rb_torsion_term e = cardo_terms_rb_torsion(terms, k);
        const int atoms[] = {e.a, e.b, e.c, e.d};
        bonded_term t = {0};
        memcpy(t.number, e.coefficient, sizeof e.coefficient);
        status = take(bonded, CARDO_RIGID_RB_TORSION, 4, atoms, t, constants, error);
    }
    for (int k = 0; k < terms->ncmap && status == CARDO_OK; ++k) {
        const cardo_cmap_term e = cardo_terms_cmap(terms, k);
        bonded_term t = {.whole = e.map};
        status = take(bonded, CARDO_RIGID_CMAP, 5, e.atom, t, constants, error);
    }
    return status;
}

static cardo_status take_exceptions(cardo_rigid_bonded *bonded, const cardo_terms *terms,
                                    double *constants, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < terms->nexception && status == CARDO_OK; ++k) {
        const cardo_exception_term e = cardo_terms_exception(terms, k);
        if (e.charge_product == 0 && e.epsilon == 0)
            continue;
        const int atoms[] = {e.a, e.b};
        bonded_term t = {.number = {e.charge_product, e.sigma, e.epsilon}};
        status = take(bonded, CARDO_RIGID_NONBONDED, 2, atoms, t, constants, error);
    }
    return status;
}

static cardo_status make_maps(cardo_rigid_bonded *bonded, const cardo_terms *terms,
                              cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(&bonded->map, terms->nmap, error);
    for (; status == CARDO_OK && bonded->nmap < terms->nmap; ++bonded->nmap) {
        const cardo_cmap *map = &terms->map[bonded->nmap];
        status = cardo_rigid_map_create(map->size, map->energy, &bonded->map[bonded->nmap], error);
        if (status != CARDO_OK)
            break;
    }
    return status;
}

cardo_status cardo_rigid_bonded_create(const cardo_terms *terms, const cardo_rigid_layout *layout,
                                       double constants[CARDO_RIGID_TERMS],
                                       cardo_rigid_bonded **out, cardo_error *error)
{
    cardo_status status;
    cardo_rigid_bonded *bonded = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&bonded, 1, error));
    bonded->layout = layout;
    CARDO_TRY(make_maps(bonded, terms, error));
    CARDO_TRY(take_bonds_and_angles(bonded, terms, constants, error));
    CARDO_TRY(take_torsions(bonded, terms, constants, error));
    CARDO_TRY(take_exceptions(bonded, terms, constants, error));
    *out = bonded;
    bonded = NULL;
done:
    cardo_rigid_bonded_destroy(bonded);
    return status;
}

void cardo_rigid_bonded_destroy(cardo_rigid_bonded *bonded)
{
    if (!bonded)
        return;
    for (int kind = 0; kind < CARDO_RIGID_TERMS; ++kind)
        cardo_free(bonded->term[kind]);
    for (int k = 0; k < bonded->nmap; ++k)
        cardo_rigid_map_destroy(bonded->map[k]);
    cardo_free(bonded->map);
    cardo_free(bonded);
}
