#include "assembly.h"

#include "base/memory.h"
#include "base/units.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static cardo_vec3 by_chance(uint64_t *seed)
{
    double x = support_random(seed), y = support_random(seed), z = support_random(seed);
    return v3(x, y, z);
}

cardo_transform rigid_ring(int k, int n, cardo_vec3 spacing, uint64_t *seed)
{
    const double angle = 2 * CARDO_PI * k / n, radius = 0.5 * spacing.x / sin(CARDO_PI / n);
    (void)seed;
    cardo_mat33 R = m33_rotation(v3(0, 0, 1), angle);
    return (cardo_transform){R, m33_mul_v3(R, v3(radius, 0, 0))};
}

static cardo_vec3 lattice(int k, int n, cardo_vec3 spacing)
{
    const int side = (int)ceil(cbrt(n) - 1e-9);
    return v3(spacing.x * (k % side), spacing.y * (k / side % side), spacing.z * (k / side / side));
}

cardo_transform rigid_soup(int k, int n, cardo_vec3 spacing, uint64_t *seed)
{
    const cardo_vec3 axis = v3_unit(by_chance(seed));
    return (cardo_transform){m33_rotation(axis, CARDO_PI * support_random(seed)),
                             lattice(k, n, spacing)};
}

cardo_transform rigid_crystal(int k, int n, cardo_vec3 spacing, uint64_t *seed)
{
    const int turned = (int)(2 * (1 + support_random(seed))); /* 0 ... 3 */
    const cardo_vec3 axis = v3(turned == 1, turned == 2, turned == 3);
    return (cardo_transform){turned > 0 ? m33_rotation(axis, CARDO_PI) : m33_identity(),
                             lattice(k, n, spacing)};
}

static cardo_vec3 middle(const rigid_protein *protein, int natom)
{
    cardo_vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < natom; ++i)
        sum = v3_add_scaled(
            sum, 1.0 / natom,
            xform_point(protein->home[protein->body[i]], v3_load(protein->station + 3 * i)));
    return sum;
}

cardo_vec3 rigid_extent(const rigid_protein *protein, int natom)
{
    const cardo_vec3 center = middle(protein, natom);
    cardo_vec3 most = v3(0, 0, 0);
    for (int i = 0; i < natom; ++i) {
        const cardo_vec3 x =
            v3_sub(xform_point(protein->home[protein->body[i]], v3_load(protein->station + 3 * i)),
                   center);
        most = v3(fmax(most.x, fabs(x.x)), fmax(most.y, fabs(x.y)), fmax(most.z, fabs(x.z)));
    }
    return v3_scale(2, most);
}

static void copy_terms(const cardo_terms *from, int natom, int n, cardo_terms *to)
{
    cardo_error error = {0};
    const double *const given[] = {from->number.mass,      from->number.charge,
                                   from->number.sigma,     from->number.epsilon,
                                   from->number.gb_radius, from->number.gb_scale};
    double **const taken[] = {&to->number.mass,    &to->number.charge,    &to->number.sigma,
                              &to->number.epsilon, &to->number.gb_radius, &to->number.gb_scale};
    to->natom = n * natom;
    to->has_nonbonded = true;
    to->has_gb = from->has_gb;
    to->gb_model = from->gb_model;
    to->solute_dielectric = from->solute_dielectric;
    to->solvent_dielectric = from->solvent_dielectric;
    to->surface_area_energy = from->surface_area_energy;
    to->kappa = from->kappa;
    for (size_t a = 0; a < sizeof given / sizeof *given; ++a) {
        if (!given[a])
            continue;
        assert_ok(CARDO_ALLOCATE(taken[a], to->natom, &error), &error);
        for (int k = 0; k < n; ++k)
            memcpy(*taken[a] + (size_t)k * (size_t)natom, given[a],
                   sizeof **taken[a] * (size_t)natom);
    }
    assert_ok(CARDO_ALLOCATE(&to->list.exception, (size_t)n * (size_t)from->nexception, &error),
              &error);
    for (int k = 0; k < n; ++k)
        for (int e = 0; e < from->nexception; ++e) {
            cardo_exception_term x = cardo_terms_exception(from, e);
            if (x.a >= natom || x.b >= natom)
                continue;
            x.a += k * natom;
            x.b += k * natom;
            to->list.exception[to->nexception++] = x;
        }
}

void rigid_assemble(const rigid_protein *protein, int natom, int n, rigid_arrangement arrange,
                    cardo_vec3 spacing, rigid_protein *assembly)
{
    cardo_error error = {0};
    uint64_t seed = 71;
    const int bodies = protein->nbody - 1;
    natom = natom > 0 ? natom : protein->terms->natom;
    const cardo_vec3 center = middle(protein, natom);
    *assembly = (rigid_protein){.nbody = 1 + n * bodies};
    assert_ok(CARDO_ALLOCATE(&assembly->terms, 1, &error), &error);
    copy_terms(protein->terms, natom, n, assembly->terms);
    assert_ok(CARDO_ALLOCATE(&assembly->body, n * natom, &error), &error);
    assert_ok(CARDO_ALLOCATE(&assembly->station, 3 * n * natom, &error), &error);
    assert_ok(CARDO_ALLOCATE(&assembly->position, 3 * n * natom, &error), &error);
    assert_ok(CARDO_ALLOCATE(&assembly->home, assembly->nbody, &error), &error);
    assembly->home[0] = xform_identity();
    for (int k = 0; k < n; ++k) {
        const cardo_transform X = arrange(k, n, spacing, &seed);
        for (int b = 1; b <= bodies; ++b)
            assembly->home[k * bodies + b] =
                (cardo_transform){m33_mul(X.R, protein->home[b].R),
                                  xform_point(X, v3_sub(protein->home[b].p, center))};
        for (int i = 0; i < natom; ++i)
            assembly->body[k * natom + i] = k * bodies + protein->body[i];
        memcpy(assembly->station + 3 * (size_t)k * (size_t)natom, protein->station,
               sizeof *protein->station * 3 * (size_t)natom);
    }
}
