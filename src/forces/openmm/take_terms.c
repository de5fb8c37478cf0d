#include "forces/openmm/take_terms.h"
#include "forces/openmm/door.h"

#include "base/memory.h"

#include <string.h>

/* Room for count more entries after the *n there are; returns where they begin. */
#define EXTEND(array, n, count, error)                                                             \
    extend((void **)(array), *(n), (count), sizeof **(array), error)

static cardo_status extend(void **array, int n, int count, size_t size, cardo_error *error)
{
    int capacity = n;
    return count > 0 ? cardo_reserve(array, &capacity, n + count, size, error) : CARDO_OK;
}

static cardo_status take_bonds(const void *object, cardo_openmm_parts *parts, bool *taken,
                               cardo_error *error)
{
    const OpenMM_HarmonicBondForce *force = object;
    cardo_terms *terms = parts->own;
    int count = OpenMM_HarmonicBondForce_getNumBonds(force);
    cardo_status status = EXTEND(&terms->list.bond, &terms->nbond, count, error);
    for (int k = 0; k < count && status == CARDO_OK; k++) {
        cardo_bond_term *t = &terms->list.bond[terms->nbond++];
        OpenMM_HarmonicBondForce_getBondParameters(force, k, &t->a, &t->b, &t->length, &t->k);
    }
    *taken = true;
    return status;
}

static cardo_status take_angles(const void *object, cardo_openmm_parts *parts, bool *taken,
                                cardo_error *error)
{
    const OpenMM_HarmonicAngleForce *force = object;
    cardo_terms *terms = parts->own;
    int count = OpenMM_HarmonicAngleForce_getNumAngles(force);
    cardo_status status = EXTEND(&terms->list.angle, &terms->nangle, count, error);
    for (int k = 0; k < count && status == CARDO_OK; k++) {
        cardo_angle_term *t = &terms->list.angle[terms->nangle++];
        OpenMM_HarmonicAngleForce_getAngleParameters(force, k, &t->a, &t->b, &t->c, &t->angle,
                                                     &t->k);
    }
    *taken = true;
    return status;
}

static cardo_status take_torsions(const void *object, cardo_openmm_parts *parts, bool *taken,
                                  cardo_error *error)
{
    const OpenMM_PeriodicTorsionForce *force = object;
    cardo_terms *terms = parts->own;
    int count = OpenMM_PeriodicTorsionForce_getNumTorsions(force);
    cardo_status status = EXTEND(&terms->list.torsion, &terms->ntorsion, count, error);
    for (int k = 0; k < count && status == CARDO_OK; k++) {
        cardo_torsion_term *t = &terms->list.torsion[terms->ntorsion++];
        OpenMM_PeriodicTorsionForce_getTorsionParameters(force, k, &t->a, &t->b, &t->c, &t->d,
                                                         &t->periodicity, &t->phase, &t->k);
    }
    *taken = true;
    return status;
}

static cardo_status take_rb_torsions(const void *object, cardo_openmm_parts *parts, bool *taken,
                                     cardo_error *error)
{
    const OpenMM_RBTorsionForce *force = object;
    cardo_terms *terms = parts->own;
    int count = OpenMM_RBTorsionForce_getNumTorsions(force);
    cardo_status status = EXTEND(&terms->list.rb_torsion, &terms->nrb_torsion, count, error);
    for (int k = 0; k < count && status == CARDO_OK; k++) {
        cardo_rb_torsion_term *t = &terms->list.rb_torsion[terms->nrb_torsion++];
        double *c = t->coefficient;
        OpenMM_RBTorsionForce_getTorsionParameters(force, k, &t->a, &t->b, &t->c, &t->d, &c[0],
                                                   &c[1], &c[2], &c[3], &c[4], &c[5]);
    }
    *taken = true;
    return status;
}

static cardo_status take_maps(const OpenMM_CMAPTorsionForce *force, cardo_terms *terms,
                              cardo_error *error)
{
    int count = OpenMM_CMAPTorsionForce_getNumMaps(force);
    cardo_status status = EXTEND(&terms->map, &terms->nmap, count, error);
    for (int m = 0; m < count && status == CARDO_OK; m++) {
        cardo_cmap *map = &terms->map[terms->nmap];
        OpenMM_DoubleArray *energies = OpenMM_DoubleArray_create(0);
        OpenMM_CMAPTorsionForce_getMapParameters(force, m, &map->size, energies);
        status = CARDO_ALLOCATE(&map->energy, map->size * map->size, error);
        for (int k = 0; status == CARDO_OK && k < map->size * map->size; k++)
            map->energy[k] = OpenMM_DoubleArray_get(energies, k);
        OpenMM_DoubleArray_destroy(energies);
        terms->nmap += status == CARDO_OK;
    }
    return status;
}

/* Terms hold two torsions that share three atoms. */
static cardo_status take_cmaps(const void *object, cardo_openmm_parts *parts, bool *taken,
                               cardo_error *error)
{
    const OpenMM_CMAPTorsionForce *force = object;
    cardo_terms *terms = parts->own;
    int count = OpenMM_CMAPTorsionForce_getNumTorsions(force), before = terms->ncmap;
    int maps = terms->nmap;
    cardo_status status = EXTEND(&terms->list.cmap, &terms->ncmap, count, error);
    for (int k = 0; k < count && status == CARDO_OK; k++) {
        int map, a[4], b[4];
        OpenMM_CMAPTorsionForce_getTorsionParameters(force, k, &map, &a[0], &a[1], &a[2], &a[3],
                                                     &b[0], &b[1], &b[2], &b[3]);
        if (b[0] != a[1] || b[1] != a[2] || b[2] != a[3]) {
            terms->ncmap = before;
            return CARDO_OK;
        }
        terms->list.cmap[terms->ncmap++] =
            (cardo_cmap_term){.map = maps + map, .atom = {a[0], a[1], a[2], a[3], b[3]}};
    }
    *taken = true;
    return status == CARDO_OK ? take_maps(force, terms, error) : status;
}

static cardo_status take_exceptions(const OpenMM_NonbondedForce *force, cardo_terms *terms,
                                    cardo_error *error)
{
    int count = OpenMM_NonbondedForce_getNumExceptions(force);
    cardo_status status = EXTEND(&terms->list.exception, &terms->nexception, count, error);
    for (int k = 0; k < count && status == CARDO_OK; k++) {
        cardo_exception_term *t = &terms->list.exception[terms->nexception++];
        OpenMM_NonbondedForce_getExceptionParameters(force, k, &t->a, &t->b, &t->charge_product,
                                                     &t->sigma, &t->epsilon);
    }
    return status;
}

static bool is_plain(const OpenMM_NonbondedForce *force)
{
    OpenMM_NonbondedForce_NonbondedMethod method = OpenMM_NonbondedForce_getNonbondedMethod(force);
    bool cut = method == OpenMM_NonbondedForce_CutoffNonPeriodic;
    return (cut || method == OpenMM_NonbondedForce_NoCutoff) &&
           !(cut && OpenMM_NonbondedForce_getUseSwitchingFunction(force)) &&
           OpenMM_NonbondedForce_getNumParticleParameterOffsets(force) == 0 &&
           OpenMM_NonbondedForce_getNumExceptionParameterOffsets(force) == 0;
}

static cardo_status take_nonbonded(const void *object, cardo_openmm_parts *parts, bool *taken,
                                   cardo_error *error)
{
    const OpenMM_NonbondedForce *force = object;
    cardo_status status;
    cardo_terms *terms = parts->own;
    if (terms->has_nonbonded || !is_plain(force))
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.charge, terms->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.sigma, terms->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.epsilon, terms->natom, error));
    for (int i = 0; i < terms->natom; i++)
        OpenMM_NonbondedForce_getParticleParameters(
            force, i, &terms->number.charge[i], &terms->number.sigma[i], &terms->number.epsilon[i]);
    terms->has_nonbonded = true;
    if (OpenMM_NonbondedForce_getNonbondedMethod(force) != OpenMM_NonbondedForce_NoCutoff) {
        parts->cutoff = OpenMM_NonbondedForce_getCutoffDistance(force);
        parts->reaction_field = OpenMM_NonbondedForce_getReactionFieldDielectric(force);
    }
    *taken = true;
    status = take_exceptions(force, terms, error);
done:
    return status;
}

/* The solvent has charges of its own, which terms do not: they must be those of the pairs. */
static bool has_charges_of(const OpenMM_GBSAOBCForce *force, const cardo_terms *terms)
{
    for (int i = 0; i < terms->natom; i++) {
        double charge, radius, scale;
        OpenMM_GBSAOBCForce_getParticleParameters(force, i, &charge, &radius, &scale);
        if (terms->has_nonbonded ? charge != terms->number.charge[i] : true)
            return false;
    }
    return true;
}

static cardo_status take_gb(const void *object, cardo_openmm_parts *parts, bool *taken,
                            cardo_error *error)
{
    const OpenMM_GBSAOBCForce *force = object;
    cardo_status status;
    cardo_terms *terms = parts->own;
    double charge;
    OpenMM_GBSAOBCForce_NonbondedMethod method = OpenMM_GBSAOBCForce_getNonbondedMethod(force);
    if (terms->has_gb || method == OpenMM_GBSAOBCForce_CutoffPeriodic ||
        !has_charges_of(force, terms))
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.gb_radius, terms->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&terms->number.gb_scale, terms->natom, error));
    for (int i = 0; i < terms->natom; i++)
        OpenMM_GBSAOBCForce_getParticleParameters(force, i, &charge, &terms->number.gb_radius[i],
                                                  &terms->number.gb_scale[i]);
    terms->has_gb = true;
    terms->solute_dielectric = OpenMM_GBSAOBCForce_getSoluteDielectric(force);
    terms->solvent_dielectric = OpenMM_GBSAOBCForce_getSolventDielectric(force);
    terms->surface_area_energy = OpenMM_GBSAOBCForce_getSurfaceAreaEnergy(force);
    if (method == OpenMM_GBSAOBCForce_CutoffNonPeriodic)
        parts->gb_cutoff = OpenMM_GBSAOBCForce_getCutoffDistance(force);
    *taken = true;
done:
    return status;
}

cardo_status cardo_openmm_take_force(const struct OpenMM_Force_struct *force, const char *class,
                                     cardo_openmm_parts *parts, bool *taken, cardo_error *error)
{
    static const struct {
        const char *class;
        cardo_status (*take)(const void *, cardo_openmm_parts *, bool *, cardo_error *);
    } kinds[] = {
        {"HarmonicBondForce", take_bonds},
        {"HarmonicAngleForce", take_angles},
        {"PeriodicTorsionForce", take_torsions},
        {"RBTorsionForce", take_rb_torsions},
        {"CMAPTorsionForce", take_cmaps},
        {"NonbondedForce", take_nonbonded},
        {"GBSAOBCForce", take_gb},
    };
    *taken = false;
    if (OpenMM_Force_usesPeriodicBoundaryConditions((const OpenMM_Force *)force))
        return CARDO_OK;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(class, kinds[k].class) == 0)
            return kinds[k].take(force, parts, taken, error);
    return CARDO_OK;
}
