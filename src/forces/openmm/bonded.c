#include "forces/openmm/bonded.h"
#include "forces/openmm/door.h"

#include <string.h>

/* Gives the Force to the System (which frees it) in the group of its term. */
void cardo_openmm_add_force(OpenMM_System *system, OpenMM_Force *force, int group)
{
    OpenMM_System_addForce(system, force);
    OpenMM_Force_setForceGroup(force, group);
}

/* A Force without members costs a pass over the atoms for nothing. True when it had any. */
static bool keep_if_used(OpenMM_System *system, int count)
{
    if (count == 0)
        OpenMM_System_removeForce(system, OpenMM_System_getNumForces(system) - 1);
    return count > 0;
}

static bool share_body(const int *body, int a, int b)
{
    return body && body[a] == body[b];
}

static bool torsion_inside(const int *body, int a, int b, int c, int d)
{
    return share_body(body, a, b) && share_body(body, b, c) && share_body(body, c, d);
}

/* The functions below add those bonded terms whose atoms all share a body (inside) or the
 * others. */
static bool add_bonds(OpenMM_System *system, int group, const cardo_terms *terms, const int *body,
                      bool inside)
{
    OpenMM_HarmonicBondForce *force = OpenMM_HarmonicBondForce_create();
    cardo_openmm_add_force(system, (OpenMM_Force *)force, group);
    int count = 0;
    for (int i = 0; i < terms->nbond; i++) {
        const cardo_bond_term t = cardo_terms_bond(terms, i);
        if (share_body(body, t.a, t.b) != inside)
            continue;
        OpenMM_HarmonicBondForce_addBond(force, t.a, t.b, t.length, t.k);
        count++;
    }
    return keep_if_used(system, count);
}

static bool add_angles(OpenMM_System *system, int group, const cardo_terms *terms, const int *body,
                       bool inside)
{
    OpenMM_HarmonicAngleForce *force = OpenMM_HarmonicAngleForce_create();
    cardo_openmm_add_force(system, (OpenMM_Force *)force, group);
    int count = 0;
    for (int i = 0; i < terms->nangle; i++) {
        const cardo_angle_term t = cardo_terms_angle(terms, i);
        if ((share_body(body, t.a, t.b) && share_body(body, t.b, t.c)) != inside)
            continue;
        OpenMM_HarmonicAngleForce_addAngle(force, t.a, t.b, t.c, t.angle, t.k);
        count++;
    }
    return keep_if_used(system, count);
}

static bool add_torsions(OpenMM_System *system, int group, const cardo_terms *terms,
                         const int *body, bool inside)
{
    OpenMM_PeriodicTorsionForce *force = OpenMM_PeriodicTorsionForce_create();
    cardo_openmm_add_force(system, (OpenMM_Force *)force, group);
    int count = 0;
    for (int i = 0; i < terms->ntorsion; i++) {
        const cardo_torsion_term t = cardo_terms_torsion(terms, i);
        if (torsion_inside(body, t.a, t.b, t.c, t.d) != inside)
            continue;
        OpenMM_PeriodicTorsionForce_addTorsion(force, t.a, t.b, t.c, t.d, t.periodicity, t.phase,
                                               t.k);
        count++;
    }
    return keep_if_used(system, count);
}

static bool add_harmonic_torsions(OpenMM_System *system, int group, const cardo_terms *terms,
                                  const int *body, bool inside)
{
    OpenMM_CustomTorsionForce *force = OpenMM_CustomTorsionForce_create("k*(theta-theta0)^2");
    cardo_openmm_add_force(system, (OpenMM_Force *)force, group);
    OpenMM_CustomTorsionForce_addPerTorsionParameter(force, "k");
    OpenMM_CustomTorsionForce_addPerTorsionParameter(force, "theta0");
    OpenMM_DoubleArray *values = OpenMM_DoubleArray_create(2);
    int count = 0;
    for (int i = 0; i < terms->nharmonic_torsion; i++) {
        const cardo_harmonic_torsion_term t = cardo_terms_harmonic_torsion(terms, i);
        if (torsion_inside(body, t.a, t.b, t.c, t.d) != inside)
            continue;
        OpenMM_DoubleArray_set(values, 0, t.k);
        OpenMM_DoubleArray_set(values, 1, t.angle);
        OpenMM_CustomTorsionForce_addTorsion(force, t.a, t.b, t.c, t.d, values);
        count++;
    }
    OpenMM_DoubleArray_destroy(values);
    return keep_if_used(system, count);
}

static bool add_rb_torsions(OpenMM_System *system, int group, const cardo_terms *terms,
                            const int *body, bool inside)
{
    OpenMM_RBTorsionForce *force = OpenMM_RBTorsionForce_create();
    cardo_openmm_add_force(system, (OpenMM_Force *)force, group);
    int count = 0;
    for (int i = 0; i < terms->nrb_torsion; i++) {
        const cardo_rb_torsion_term t = cardo_terms_rb_torsion(terms, i);
        const double *k = t.coefficient;
        if (torsion_inside(body, t.a, t.b, t.c, t.d) != inside)
            continue;
        OpenMM_RBTorsionForce_addTorsion(force, t.a, t.b, t.c, t.d, k[0], k[1], k[2], k[3], k[4],
                                         k[5]);
        count++;
    }
    return keep_if_used(system, count);
}

static void add_maps(OpenMM_CMAPTorsionForce *force, const cardo_terms *terms)
{
    for (int m = 0; m < terms->nmap; m++) {
        int size = terms->map[m].size;
        OpenMM_DoubleArray *energies = OpenMM_DoubleArray_create(size * size);
        for (int k = 0; k < size * size; k++)
            OpenMM_DoubleArray_set(energies, k, terms->map[m].energy[k]);
        OpenMM_CMAPTorsionForce_addMap(force, size, energies);
        OpenMM_DoubleArray_destroy(energies);
    }
}

static bool add_cmaps(OpenMM_System *system, int group, const cardo_terms *terms, const int *body,
                      bool inside)
{
    OpenMM_CMAPTorsionForce *force = OpenMM_CMAPTorsionForce_create();
    cardo_openmm_add_force(system, (OpenMM_Force *)force, group);
    add_maps(force, terms);
    int count = 0;
    for (int i = 0; i < terms->ncmap; i++) {
        const cardo_cmap_term t = cardo_terms_cmap(terms, i);
        const int *a = t.atom;
        bool rigid = torsion_inside(body, a[0], a[1], a[2], a[3]) && share_body(body, a[3], a[4]);
        if (rigid != inside)
            continue;
        OpenMM_CMAPTorsionForce_addTorsion(force, t.map, a[0], a[1], a[2], a[3], a[1], a[2], a[3],
                                           a[4]);
        count++;
    }
    return keep_if_used(system, count);
}

const cardo_openmm_bonded_kind cardo_openmm_bonded_kinds[CARDO_OPENMM_BONDED_KINDS] = {
    {"bond", add_bonds, offsetof(cardo_terms, nbond)},
    {"angle", add_angles, offsetof(cardo_terms, nangle)},
    {"torsion", add_torsions, offsetof(cardo_terms, ntorsion)},
    {"improper", add_harmonic_torsions, offsetof(cardo_terms, nharmonic_torsion)},
    {"rb-torsion", add_rb_torsions, offsetof(cardo_terms, nrb_torsion)},
    {"cmap", add_cmaps, offsetof(cardo_terms, ncmap)},
};

int cardo_openmm_bonded_count(const cardo_terms *terms, int kind)
{
    int count;
    memcpy(&count, (const char *)terms + cardo_openmm_bonded_kinds[kind].count, sizeof count);
    return count;
}
