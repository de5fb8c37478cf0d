#include "forces/terms/prmtop.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "forces/terms/copies.h"
#include "forces/terms/prmtop_layout.h"
#include "structure/amber/amber.h"
#include "structure/amber/prmtop_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double solvent_dielectric = 78.5, surface_area_energy = 2.25936;

/* Sections that change the energy in ways that are not known here. */
static const char *const unsupported[] = {
    "CTITLE", "FORCE_FIELD_TYPE", "CMAP_COUNT", "LENNARD_JONES_CCOEF", "POLARIZABILITY", NULL};

typedef struct reading {
    cardo_prmtop_file file;
    int *pointer;
    int natom;
    cardo_terms *terms;
    int bond_capacity, angle_capacity, torsion_capacity, exception_capacity;
    /* Lennard-Jones: the table of pairs of types. */
    int ntype, *type, *pair;
    double *a, *b;
    /* Torsion types. */
    double *k, *periodicity, *phase, *scee, *scnb;
} reading;

static cardo_status check_kind(const reading *r, cardo_error *error)
{
    for (int k = 0; unsupported[k]; ++k) {
        const cardo_prmtop_section *s = cardo_prmtop_section_find(&r->file, unsupported[k]);
        if (s)
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "%s:%d: %%FLAG %s is not supported; make a serialized System.xml of "
                              "the topology with OpenMM and use that",
                              r->file.path, s->line, unsupported[k]);
    }
    if (r->pointer[NUMEXTRA] != 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: the topology has %d extra points, which are not supported",
                          r->file.path, r->pointer[NUMEXTRA]);
    if (r->pointer[IFBOX] != 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: the topology has a periodic box: strip the solvent and the box "
                          "(cpptraj: strip, parmbox nobox)",
                          r->file.path);
    return CARDO_OK;
}

static cardo_status read_pointers(reading *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int *p;
    CARDO_TRY(cardo_prmtop_integers(&r->file, "POINTERS", NPOINTER, &r->pointer, error));
    p = r->pointer;
    for (int k = 0; k < NPOINTER; ++k)
        if (p[k] < 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: value %d of POINTERS is %d",
                              r->file.path, k + 1, p[k]);
    if (p[NATOM] < 1 || p[NRES] < 1 || p[NTYPES] < 1 || p[NTYPES] > 30000)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: POINTERS gives %d atoms of %d types in %d residues", r->file.path,
                          p[NATOM], p[NTYPES], p[NRES]);
    r->natom = p[NATOM];
    r->ntype = p[NTYPES];
    CARDO_TRY(check_kind(r, error));
done:
    return status;
}

/* Index of an atom from a coordinate pointer (3 times the index; a sign carries another meaning). */
static cardo_status atom_of(const reading *r, const char *section, int pointer, int *atom,
                            cardo_error *error)
{
    int size = pointer == INT32_MIN ? -1 : pointer < 0 ? -pointer : pointer;
    *atom = size / 3;
    if (size >= 0 && size % 3 == 0 && *atom < r->natom)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: %%FLAG %s points at coordinate %d of %d atoms",
                      r->file.path, section, pointer, r->natom);
}

static cardo_status kind_of(const reading *r, const char *section, int number, int count, int *kind,
                            cardo_error *error)
{
    *kind = number - 1;
    if (number >= 1 && number <= count)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: %%FLAG %s names parameters %d of %d",
                      r->file.path, section, number, count);
}

static cardo_status add_bonds(reading *r, const char *section, int count, const double *k,
                              const double *length, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_terms *t = r->terms;
    int *row = NULL;
    if (count > 100000000)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: %d bonds", r->file.path, count);
    CARDO_TRY(cardo_prmtop_integers(&r->file, section, 3 * count, &row, error));
    for (int i = 0; i < count; ++i) {
        int a, b, kind;
        CARDO_TRY(atom_of(r, section, row[3 * i], &a, error));
        CARDO_TRY(atom_of(r, section, row[3 * i + 1], &b, error));
        CARDO_TRY(kind_of(r, section, row[3 * i + 2], r->pointer[NUMBND], &kind, error));
        CARDO_TRY(CARDO_RESERVE(&t->list.bond, &r->bond_capacity, t->nbond + 1, error));
        t->list.bond[t->nbond++] =
            (cardo_bond_term){a, b, CARDO_ANGSTROM * length[kind],
                              2 * CARDO_KILOCALORIE / (CARDO_ANGSTROM * CARDO_ANGSTROM) * k[kind]};
    }
done:
    cardo_free(row);
    return status;
}

static cardo_status read_bonds(reading *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double *k = NULL, *length = NULL;
    int n = r->pointer[NUMBND];
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "BOND_FORCE_CONSTANT", n, &k, error));
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "BOND_EQUIL_VALUE", n, &length, error));
    CARDO_TRY(add_bonds(r, "BONDS_INC_HYDROGEN", r->pointer[NBONH], k, length, error));
    CARDO_TRY(add_bonds(r, "BONDS_WITHOUT_HYDROGEN", r->pointer[NBONA], k, length, error));
done:
    cardo_free(k);
    cardo_free(length);
    return status;
}

static cardo_status add_angles(reading *r, const char *section, int count, const double *k,
                               const double *angle, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_terms *t = r->terms;
    int *row = NULL;
    if (count > 100000000)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: %d angles", r->file.path, count);
    CARDO_TRY(cardo_prmtop_integers(&r->file, section, 4 * count, &row, error));
    for (int i = 0; i < count; ++i) {
        int atom[3], kind;
        for (int n = 0; n < 3; ++n)
            CARDO_TRY(atom_of(r, section, row[4 * i + n], &atom[n], error));
        CARDO_TRY(kind_of(r, section, row[4 * i + 3], r->pointer[NUMANG], &kind, error));
        CARDO_TRY(CARDO_RESERVE(&t->list.angle, &r->angle_capacity, t->nangle + 1, error));
        t->list.angle[t->nangle++] = (cardo_angle_term){atom[0], atom[1], atom[2], angle[kind],
                                                        2 * CARDO_KILOCALORIE * k[kind]};
    }
done:
    cardo_free(row);
    return status;
}

static cardo_status read_angles(reading *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double *k = NULL, *angle = NULL;
    int n = r->pointer[NUMANG];
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "ANGLE_FORCE_CONSTANT", n, &k, error));
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "ANGLE_EQUIL_VALUE", n, &angle, error));
    CARDO_TRY(add_angles(r, "ANGLES_INC_HYDROGEN", r->pointer[NTHETH], k, angle, error));
    CARDO_TRY(add_angles(r, "ANGLES_WITHOUT_HYDROGEN", r->pointer[NTHETA], k, angle, error));
done:
    cardo_free(k);
    cardo_free(angle);
    return status;
}

/* ------------ Lennard-Jones ------------ */

/* sigma (nm) and epsilon (kJ/mol) of two types, from A/r^12 - B/r^6. */
static cardo_status lennard_jones(const reading *r, int i, int j, double *sigma, double *epsilon,
                                  cardo_error *error)
{
    int index = r->pair[i * r->ntype + j] - 1;
    if (index < 0 || index >= r->ntype * (r->ntype + 1) / 2)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: NONBONDED_PARM_INDEX of the types %d and %d is %d (10-12 terms are "
                          "not supported)",
                          r->file.path, i + 1, j + 1, index + 1);
    double a = r->a[index], b = r->b[index];
    bool some = a > 0 && b > 0;
    *sigma = some ? CARDO_ANGSTROM * pow(a / b, 1.0 / 6.0) : 0.1 * pow(2.0, -1.0 / 6.0);
    *epsilon = some ? 0.25 * CARDO_KILOCALORIE * b * b / a : 0.0;
    return CARDO_OK;
}

static cardo_status read_tables(reading *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int n = r->ntype, npair = n * (n + 1) / 2;
    CARDO_TRY(cardo_prmtop_integers(&r->file, "ATOM_TYPE_INDEX", r->natom, &r->type, error));
    CARDO_TRY(cardo_prmtop_integers(&r->file, "NONBONDED_PARM_INDEX", n * n, &r->pair, error));
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "LENNARD_JONES_ACOEF", npair, &r->a, error));
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "LENNARD_JONES_BCOEF", npair, &r->b, error));
    for (int i = 0; i < r->natom; ++i)
        CARDO_TRY(kind_of(r, "ATOM_TYPE_INDEX", r->type[i], n, &r->type[i], error));
done:
    return status;
}

/* The terms hold one sigma and epsilon an atom: every pair of types must follow from them. */
static cardo_status check_combination(const reading *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double sigma[3], epsilon[3];
    for (int i = 0; i < r->ntype; ++i)
        for (int j = 0; j < r->ntype; ++j) {
            CARDO_TRY(lennard_jones(r, i, i, &sigma[0], &epsilon[0], error));
            CARDO_TRY(lennard_jones(r, j, j, &sigma[1], &epsilon[1], error));
            CARDO_TRY(lennard_jones(r, i, j, &sigma[2], &epsilon[2], error));
            double rule = sqrt(epsilon[0] * epsilon[1]);
            if (fabs(epsilon[2] - rule) <= 1e-5 * rule &&
                (rule == 0 || fabs(sigma[2] - 0.5 * (sigma[0] + sigma[1])) <= 1e-6))
                continue;
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "%s: the Lennard-Jones numbers of the types %d and %d do not follow "
                              "from those of each (NBFIX): make a serialized System.xml of the "
                              "topology with OpenMM and use that",
                              r->file.path, i + 1, j + 1);
        }
done:
    return status;
}

static cardo_status read_nonbonded(reading *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_terms *t = r->terms;
    t->has_nonbonded = true;
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "CHARGE", r->natom, &t->number.charge, error));
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "MASS", r->natom, &t->number.mass, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->number.sigma, r->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->number.epsilon, r->natom, error));
    CARDO_TRY(read_tables(r, error));
    CARDO_TRY(check_combination(r, error));
    for (int i = 0; i < r->natom; ++i) {
        t->number.charge[i] /= CARDO_PRMTOP_CHARGE;
        CARDO_TRY(lennard_jones(r, r->type[i], r->type[i], &t->number.sigma[i],
                                &t->number.epsilon[i], error));
    }
done:
    return status;
}

/* ------------ torsions and exceptions ------------ */

static cardo_status add_exception(reading *r, cardo_exception_term exception, cardo_error *error)
{
    cardo_terms *t = r->terms;
    cardo_status status =
        CARDO_RESERVE(&t->list.exception, &r->exception_capacity, t->nexception + 1, error);
    if (status == CARDO_OK)
        t->list.exception[t->nexception++] = exception;
    return status;
}

/* The 1-4 pair of a torsion. */
static cardo_status add_scaled_pair(reading *r, int a, int d, int kind, cardo_error *error)
{
    const cardo_terms *t = r->terms;
    double sigma, epsilon;
    double scee = r->scee ? r->scee[kind] : CARDO_PRMTOP_SCEE;
    double scnb = r->scnb ? r->scnb[kind] : CARDO_PRMTOP_SCNB;
    if (!(scee > 0) || !(scnb > 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: 1-4 pairs of torsion parameters %d are divided by %g and %g",
                          r->file.path, kind + 1, scee, scnb);
    cardo_status status = lennard_jones(r, r->type[a], r->type[d], &sigma, &epsilon, error);
    cardo_exception_term exception = {a, d, t->number.charge[a] * t->number.charge[d] / scee, sigma,
                                      epsilon / scnb};
    return status == CARDO_OK ? add_exception(r, exception, error) : status;
}

static cardo_status add_torsion(reading *r, const char *section, const int row[5],
                                cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_terms *t = r->terms;
    int atom[4], kind;
    for (int n = 0; n < 4; ++n)
        CARDO_TRY(atom_of(r, section, row[n], &atom[n], error));
    CARDO_TRY(kind_of(r, section, row[4], r->pointer[NPTRA], &kind, error));
    /* A negative third pointer: its ends are no 1-4 pair, or one already; a negative fourth: an
     * improper. */
    if (row[2] > 0 && row[3] > 0)
        CARDO_TRY(add_scaled_pair(r, atom[0], atom[3], kind, error));
    if (r->k[kind] == 0)
        goto done;
    CARDO_TRY(CARDO_RESERVE(&t->list.torsion, &r->torsion_capacity, t->ntorsion + 1, error));
    t->list.torsion[t->ntorsion++] = (cardo_torsion_term){atom[0],
                                                          atom[1],
                                                          atom[2],
                                                          atom[3],
                                                          (int)lround(fabs(r->periodicity[kind])),
                                                          r->phase[kind],
                                                          CARDO_KILOCALORIE * r->k[kind]};
done:
    return status;
}

static cardo_status add_torsions(reading *r, const char *section, int count, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int *row = NULL;
    if (count > 100000000)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: %d torsions", r->file.path, count);
    CARDO_TRY(cardo_prmtop_integers(&r->file, section, 5 * count, &row, error));
    for (int i = 0; i < count; ++i)
        CARDO_TRY(add_torsion(r, section, row + 5 * i, error));
done:
    cardo_free(row);
    return status;
}

static cardo_status read_torsions(reading *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_prmtop_file *f = &r->file;
    int n = r->pointer[NPTRA];
    CARDO_TRY(cardo_prmtop_numbers(f, "DIHEDRAL_FORCE_CONSTANT", n, &r->k, error));
    CARDO_TRY(cardo_prmtop_numbers(f, "DIHEDRAL_PERIODICITY", n, &r->periodicity, error));
    CARDO_TRY(cardo_prmtop_numbers(f, "DIHEDRAL_PHASE", n, &r->phase, error));
    if (cardo_prmtop_section_find(f, "SCEE_SCALE_FACTOR"))
        CARDO_TRY(cardo_prmtop_numbers(f, "SCEE_SCALE_FACTOR", n, &r->scee, error));
    if (cardo_prmtop_section_find(f, "SCNB_SCALE_FACTOR"))
        CARDO_TRY(cardo_prmtop_numbers(f, "SCNB_SCALE_FACTOR", n, &r->scnb, error));
    CARDO_TRY(add_torsions(r, "DIHEDRALS_INC_HYDROGEN", r->pointer[NPHIH], error));
    CARDO_TRY(add_torsions(r, "DIHEDRALS_WITHOUT_HYDROGEN", r->pointer[NPHIA], error));
done:
    return status;
}

/* Pairs of atoms as one number each. */
static int64_t pair_number(const reading *r, int a, int b)
{
    return a < b ? (int64_t)a * r->natom + b : (int64_t)b * r->natom + a;
}

static int compare_pairs(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return one < other ? -1 : one > other;
}

/* The pairs of EXCLUDED_ATOMS_LIST by rising number, each once, to pairs, which has room for all; a 0 is none. Lists are to name partners of a
 * higher number alone: where one names lower ones, or one twice, that is no other pair. */
static cardo_status collect_excluded(const reading *r, const int *count, const int *list,
                                     int64_t *pairs, int *n, cardo_error *error)
{
    int position = 0, unique = 0;
    *n = 0;
    for (int i = 0; i < r->natom; ++i)
        for (int k = 0; k < count[i]; ++k, ++position) {
            if (position >= r->pointer[NNB] || list[position] < 0 || list[position] > r->natom)
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "%s: EXCLUDED_ATOMS_LIST is wrong at atom %d", r->file.path,
                                  i + 1);
            if (list[position] > 0 && list[position] - 1 != i)
                pairs[(*n)++] = pair_number(r, i, list[position] - 1);
        }
    if (*n > 0)
        qsort(pairs, (size_t)*n, sizeof *pairs, compare_pairs);
    for (int k = 0; k < *n; ++k)
        if (k == 0 || pairs[k] != pairs[k - 1])
            pairs[unique++] = pairs[k];
    *n = unique;
    return CARDO_OK;
}

/* What EXCLUDED_ATOMS_LIST has beyond the 1-4 pairs (scaled: sorted numbers of nscaled pairs): no
 * interaction at all. */
static cardo_status add_exclusions(reading *r, const int *count, const int *list,
                                   const int64_t *scaled, int nscaled, cardo_error *error)
{
    cardo_status status;
    int64_t *pairs = NULL;
    int n;
    CARDO_TRY(CARDO_ALLOCATE(&pairs, (size_t)r->pointer[NNB] + 1, error));
    CARDO_TRY(collect_excluded(r, count, list, pairs, &n, error));
    for (int k = 0; k < n; ++k) {
        const int a = (int)(pairs[k] / r->natom), b = (int)(pairs[k] % r->natom);
        if (nscaled == 0 ||
            !bsearch(&pairs[k], scaled, (size_t)nscaled, sizeof *scaled, compare_pairs))
            CARDO_TRY(add_exception(r, (cardo_exception_term){a, b, 0.0, 1.0, 0.0}, error));
    }
done:
    cardo_free(pairs);
    return status;
}

/* Torsions that share their ends, as around rings, name the pair in one of them alone. */
static cardo_status check_single(const reading *r, const int64_t *sorted, int n, cardo_error *error)
{
    for (int k = 1; k < n; ++k)
        if (sorted[k] == sorted[k - 1])
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: two torsions make atoms %d and %d a 1-4 pair: of torsions with "
                              "the same ends all but one have a negative third number",
                              r->file.path, (int)(sorted[k] / r->natom) + 1,
                              (int)(sorted[k] % r->natom) + 1);
    return CARDO_OK;
}

static cardo_status read_exclusions(reading *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_terms *t = r->terms;
    int *count = NULL, *list = NULL, nscaled = t->nexception;
    int64_t *scaled = NULL;
    CARDO_TRY(cardo_prmtop_integers(&r->file, "NUMBER_EXCLUDED_ATOMS", r->natom, &count, error));
    CARDO_TRY(
        cardo_prmtop_integers(&r->file, "EXCLUDED_ATOMS_LIST", r->pointer[NNB], &list, error));
    CARDO_TRY(CARDO_ALLOCATE(&scaled, nscaled, error));
    for (int k = 0; k < nscaled; ++k)
        scaled[k] = pair_number(r, t->list.exception[k].a, t->list.exception[k].b);
    if (nscaled > 0)
        qsort(scaled, (size_t)nscaled, sizeof *scaled, compare_pairs);
    CARDO_TRY(check_single(r, scaled, nscaled, error));
    status = add_exclusions(r, count, list, scaled, nscaled, error);
done:
    cardo_free(count);
    cardo_free(list);
    cardo_free(scaled);
    return status;
}

static cardo_status read_solvent(reading *r, const char *solvent, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_terms *t = r->terms;
    const cardo_gb_model *model;
    if (!solvent || !solvent[0] || strcmp(solvent, "none") == 0)
        return CARDO_OK;
    model = cardo_gb_model_find(solvent);
    if (!model || model->neck_scale > 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: solvent %s is not supported with an AMBER topology: use hct, obc1 "
                          "or obc2",
                          r->file.path, solvent);
    t->has_gb = true;
    t->gb_model = model;
    t->solute_dielectric = 1.0;
    t->solvent_dielectric = solvent_dielectric;
    t->surface_area_energy = surface_area_energy;
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "RADII", r->natom, &t->number.gb_radius, error));
    CARDO_TRY(cardo_prmtop_numbers(&r->file, "SCREEN", r->natom, &t->number.gb_scale, error));
    for (int i = 0; i < r->natom; ++i) {
        if (!(t->number.gb_radius[i] > 0))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: RADII of atom %d is %g: the topology was written without a "
                              "solvent",
                              r->file.path, i + 1, t->number.gb_radius[i]);
        t->number.gb_radius[i] *= CARDO_ANGSTROM;
    }
done:
    return status;
}

static void clear(reading *r)
{
    cardo_prmtop_file_clear(&r->file);
    cardo_terms_destroy(r->terms);
    cardo_free(r->pointer);
    cardo_free(r->type);
    cardo_free(r->pair);
    cardo_free(r->a);
    cardo_free(r->b);
    cardo_free(r->k);
    cardo_free(r->periodicity);
    cardo_free(r->phase);
    cardo_free(r->scee);
    cardo_free(r->scnb);
}

static cardo_status read_topology(reading *r, const char *path, const char *solvent,
                                  cardo_structure **structure, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(cardo_prmtop_file_read(path, &r->file, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->terms, 1, error));
    CARDO_TRY(read_pointers(r, error));
    r->terms->natom = r->natom;
    CARDO_TRY(read_nonbonded(r, error));
    CARDO_TRY(read_bonds(r, error));
    CARDO_TRY(read_angles(r, error));
    CARDO_TRY(read_torsions(r, error));
    CARDO_TRY(read_exclusions(r, error));
    CARDO_TRY(read_solvent(r, solvent, error));
    cardo_terms_trim(r->terms);
    if (structure)
        CARDO_TRY(cardo_prmtop_structure(&r->file, structure, error));
done:
    return status;
}

cardo_status cardo_prmtop_read(const char *path, const char *solvent, cardo_terms **terms,
                               cardo_structure **structure, cardo_error *error)
{
    reading r = {.natom = 0};
    if (terms)
        *terms = NULL;
    if (structure)
        *structure = NULL;
    long long outer = cardo_file_limit_begin(path);
    cardo_status status = read_topology(&r, path, solvent, structure, error);
    status = cardo_file_limit_end(outer, path, status, error);
    if (status == CARDO_OK && terms) {
        *terms = r.terms;
        r.terms = NULL;
    }
    clear(&r);
    return status;
}
