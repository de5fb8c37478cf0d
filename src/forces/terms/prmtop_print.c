#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "forces/terms/prmtop.h"
#include "forces/terms/prmtop_draft.h"
#include "forces/terms/prmtop_layout.h"

#include <math.h>
#include <stdlib.h>

typedef struct printing {
    const cardo_terms *terms;
    const cardo_structure *structure;
    const cardo_prmtop_draft *draft;
    FILE *stream;
    int per_line, column; /* of the section that is being printed */
    int nexcluded;
    int *excluded_first, *excluded; /* partners of higher number, rising (natom + 1; nexcluded) */
} printing;

/* ------------ sections ------------ */

static void begin(printing *p, const char *flag, const char *format, int per_line)
{
    p->per_line = per_line;
    p->column = 0;
    fprintf(p->stream, "%%FLAG %s\n%%FORMAT(%s)\n", flag, format);
}

static void begin_integers(printing *p, const char *flag)
{
    begin(p, flag, "10I8", 10);
}

static void begin_numbers(printing *p, const char *flag)
{
    begin(p, flag, "5E16.8", 5);
}

static void begin_names(printing *p, const char *flag)
{
    begin(p, flag, "20a4", 20);
}

static void step(printing *p)
{
    if (p->column > 0 && p->column % p->per_line == 0)
        fputc('\n', p->stream);
    ++p->column;
}

static void put_integer(printing *p, int x)
{
    step(p);
    fprintf(p->stream, "%8d", x);
}

static void put_number(printing *p, double x)
{
    step(p);
    cardo_print(p->stream, "%16.8E", x);
}

static void put_name(printing *p, const char *name)
{
    step(p);
    fprintf(p->stream, "%-4.4s", name);
}

/* A number of each atom; NULL: none. */
static void put_numbers(printing *p, const char *flag, double (*of)(const cardo_terms *, int),
                        double unit)
{
    begin_numbers(p, flag);
    for (int i = 0; i < p->terms->natom; ++i)
        put_number(p, of ? of(p->terms, i) / unit : 0);
    fputc('\n', p->stream);
}

static void put_no_numbers(printing *p, const char *flag, int n)
{
    begin_numbers(p, flag);
    for (int i = 0; i < n; ++i)
        put_number(p, 0);
    fputc('\n', p->stream);
}

static void put_column(printing *p, const char *flag, const cardo_prmtop_kinds *kinds, int column)
{
    begin_numbers(p, flag);
    for (int k = 0; k < kinds->count; ++k)
        put_number(p, kinds->value[k * kinds->width + column]);
    fputc('\n', p->stream);
}

static void put_zeros(printing *p, const char *flag, int n)
{
    begin_integers(p, flag);
    for (int i = 0; i < n; ++i)
        put_integer(p, 0);
    fputc('\n', p->stream);
}

/* ------------ what is listed apart: terms with hydrogens ------------ */

static bool any_hydrogen(const printing *p, const int *atom, int n)
{
    for (int k = 0; k < n; ++k)
        if (p->structure->element[atom[k]] == 1)
            return true;
    return false;
}

/* The atoms of bond k (width 2), angle (3) or torsion (4), and its kind. */
static int atoms_of(const printing *p, int width, int k, int atom[4])
{
    const cardo_terms *t = p->terms;
    if (width == 2) {
        const cardo_bond_term bond = cardo_terms_bond(t, k);
        atom[0] = bond.a, atom[1] = bond.b;
        return p->draft->bond_kind[k];
    }
    if (width == 3) {
        const cardo_angle_term angle = cardo_terms_angle(t, k);
        atom[0] = angle.a, atom[1] = angle.b, atom[2] = angle.c;
        return p->draft->angle_kind[k];
    }
    for (int n = 0; n < 4; ++n)
        atom[n] = p->draft->torsion_row[k].atom[n];
    return p->draft->torsion_row[k].kind;
}

static int count_of(const printing *p, int width)
{
    return width == 2 ? p->terms->nbond : width == 3 ? p->terms->nangle : p->draft->ntorsion;
}

static int count_with_hydrogen(const printing *p, int width)
{
    int n = 0, atom[4];
    for (int k = 0; k < count_of(p, width); ++k) {
        atoms_of(p, width, k, atom);
        n += any_hydrogen(p, atom, width);
    }
    return n;
}

static void put_terms(printing *p, const char *flag, int width, bool hydrogen)
{
    int atom[4];
    begin_integers(p, flag);
    for (int k = 0; k < count_of(p, width); ++k) {
        const int kind = atoms_of(p, width, k, atom);
        const cardo_prmtop_torsion *torsion = width == 4 ? &p->draft->torsion_row[k] : NULL;
        if (any_hydrogen(p, atom, width) != hydrogen)
            continue;
        for (int n = 0; n < width; ++n) {
            const bool marked =
                torsion && ((n == 2 && !torsion->pair) || (n == 3 && torsion->improper));
            put_integer(p, marked ? -3 * atom[n] : 3 * atom[n]);
        }
        put_integer(p, kind + 1);
    }
    fputc('\n', p->stream);
}

/* ------------ exclusions ------------ */

static int compare_integers(const void *one, const void *other)
{
    const int a = *(const int *)one, b = *(const int *)other;
    return (a > b) - (a < b);
}

static cardo_status find_excluded(printing *p, cardo_error *error)
{
    cardo_status status;
    const cardo_terms *t = p->terms;
    int *first, *end = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&p->excluded_first, t->natom + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->excluded, t->nexception, error));
    CARDO_TRY(CARDO_ALLOCATE(&end, t->natom, error));
    first = p->excluded_first;
    for (int k = 0; k < t->nexception; ++k) {
        const cardo_exception_term x = cardo_terms_exception(t, k);
        ++end[x.a < x.b ? x.a : x.b];
    }
    for (int i = 0; i < t->natom; ++i) {
        first[i + 1] = first[i] + end[i];
        p->nexcluded += end[i] > 0 ? end[i] : 1;
        end[i] = first[i];
    }
    for (int k = 0; k < t->nexception; ++k) {
        const cardo_exception_term x = cardo_terms_exception(t, k);
        const int a = x.a, b = x.b;
        p->excluded[end[a < b ? a : b]++] = a < b ? b : a;
    }
    for (int i = 0; i < t->natom; ++i)
        if (first[i + 1] > first[i])
            qsort(p->excluded + first[i], (size_t)(first[i + 1] - first[i]), sizeof(int),
                  compare_integers);
done:
    cardo_free(end);
    return status;
}

/* An atom without partners has one of number 0. */
static void put_excluded(printing *p)
{
    const int *first = p->excluded_first;
    begin_integers(p, "EXCLUDED_ATOMS_LIST");
    for (int i = 0; i < p->terms->natom; ++i) {
        if (first[i + 1] == first[i])
            put_integer(p, 0);
        for (int k = first[i]; k < first[i + 1]; ++k)
            put_integer(p, p->excluded[k] + 1);
    }
    fputc('\n', p->stream);
}

/* ------------ the file from its beginning ------------ */

static void put_pointers(printing *p)
{
    const cardo_prmtop_draft *d = p->draft;
    const cardo_structure *s = p->structure;
    int x[NPOINTER] = {[NATOM] = p->terms->natom,  [NTYPES] = d->atom.count,
                       [NNB] = p->nexcluded,       [NRES] = s->nresidue,
                       [NUMBND] = d->bond.count,   [NUMANG] = d->angle.count,
                       [NPTRA] = d->torsion.count, [NATYP] = 1};
    x[NBONH] = count_with_hydrogen(p, 2);
    x[NTHETH] = count_with_hydrogen(p, 3);
    x[NPHIH] = count_with_hydrogen(p, 4);
    x[MBONA] = x[NBONA] = p->terms->nbond - x[NBONH];
    x[MTHETA] = x[NTHETA] = p->terms->nangle - x[NTHETH];
    x[MPHIA] = x[NPHIA] = d->ntorsion - x[NPHIH];
    for (int r = 0; r < s->nresidue; ++r) {
        const int size = s->residue_first[r + 1] - s->residue_first[r];
        x[NMXRS] = size > x[NMXRS] ? size : x[NMXRS];
    }
    begin_integers(p, "POINTERS");
    for (int k = 0; k < NPOINTER; ++k)
        put_integer(p, x[k]);
    fputc('\n', p->stream);
}

static void put_atoms(printing *p)
{
    const cardo_terms *t = p->terms;
    const cardo_structure *s = p->structure;
    begin_names(p, "ATOM_NAME");
    for (int i = 0; i < t->natom; ++i)
        put_name(p, s->atom_name[i].text);
    fputc('\n', p->stream);
    put_numbers(p, "CHARGE", cardo_terms_charge, 1 / CARDO_PRMTOP_CHARGE);
    begin_integers(p, "ATOMIC_NUMBER");
    for (int i = 0; i < t->natom; ++i)
        put_integer(p, s->element[i]);
    fputc('\n', p->stream);
    put_numbers(p, "MASS", cardo_terms_mass, 1);
    begin_integers(p, "ATOM_TYPE_INDEX");
    for (int i = 0; i < t->natom; ++i)
        put_integer(p, p->draft->atom_kind[i] + 1);
    fputc('\n', p->stream);
    begin_integers(p, "NUMBER_EXCLUDED_ATOMS");
    for (int i = 0; i < t->natom; ++i) {
        const int n = p->excluded_first[i + 1] - p->excluded_first[i];
        put_integer(p, n > 0 ? n : 1);
    }
    fputc('\n', p->stream);
}

/* Place of a pair of kinds in the tables of A and B, from 0. */
static int place(int i, int j)
{
    return i > j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

static void put_residues(printing *p)
{
    const cardo_structure *s = p->structure;
    const int n = p->draft->atom.count;
    begin_integers(p, "NONBONDED_PARM_INDEX");
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            put_integer(p, place(i, j) + 1);
    fputc('\n', p->stream);
    begin_names(p, "RESIDUE_LABEL");
    for (int r = 0; r < s->nresidue; ++r)
        put_name(p, s->residue_name[r].text);
    fputc('\n', p->stream);
    begin_integers(p, "RESIDUE_POINTER");
    for (int r = 0; r < s->nresidue; ++r)
        put_integer(p, s->residue_first[r] + 1);
    fputc('\n', p->stream);
}

/* A = 4 epsilon sigma^12, B = 4 epsilon sigma^6, of kinds by Lorentz and Berthelot. */
static void put_lennard_jones(printing *p, const char *flag, int power)
{
    const cardo_prmtop_kinds *atom = &p->draft->atom;
    begin_numbers(p, flag);
    for (int i = 0; i < atom->count; ++i)
        for (int j = 0; j <= i; ++j) {
            const double *a = atom->value + 2 * (size_t)i, *b = atom->value + 2 * (size_t)j;
            put_number(p, 4 * sqrt(a[1] * b[1]) * pow(0.5 * (a[0] + b[0]), power));
        }
    fputc('\n', p->stream);
}

static void put_parameters(printing *p)
{
    const cardo_prmtop_draft *d = p->draft;
    put_column(p, "BOND_FORCE_CONSTANT", &d->bond, 0);
    put_column(p, "BOND_EQUIL_VALUE", &d->bond, 1);
    put_column(p, "ANGLE_FORCE_CONSTANT", &d->angle, 0);
    put_column(p, "ANGLE_EQUIL_VALUE", &d->angle, 1);
    put_column(p, "DIHEDRAL_FORCE_CONSTANT", &d->torsion, 0);
    put_column(p, "DIHEDRAL_PERIODICITY", &d->torsion, 1);
    put_column(p, "DIHEDRAL_PHASE", &d->torsion, 2);
    put_column(p, "SCEE_SCALE_FACTOR", &d->torsion, 3);
    put_column(p, "SCNB_SCALE_FACTOR", &d->torsion, 4);
    put_no_numbers(p, "SOLTY", 1);
    put_lennard_jones(p, "LENNARD_JONES_ACOEF", 12);
    put_lennard_jones(p, "LENNARD_JONES_BCOEF", 6);
    put_terms(p, "BONDS_INC_HYDROGEN", 2, true);
    put_terms(p, "BONDS_WITHOUT_HYDROGEN", 2, false);
    put_terms(p, "ANGLES_INC_HYDROGEN", 3, true);
    put_terms(p, "ANGLES_WITHOUT_HYDROGEN", 3, false);
    put_terms(p, "DIHEDRALS_INC_HYDROGEN", 4, true);
    put_terms(p, "DIHEDRALS_WITHOUT_HYDROGEN", 4, false);
    put_excluded(p);
}

static const char *name_of_radii(const cardo_terms *terms)
{
    static const char *const names[] = {[CARDO_RADII_BONDI] = "Bondi radii (bondi)",
                                        [CARDO_RADII_MBONDI] = "modified Bondi radii (mbondi)",
                                        [CARDO_RADII_MBONDI2] =
                                            "H(N)-modified Bondi radii (mbondi2)",
                                        [CARDO_RADII_MBONDI3] = "ArgH and AspGluO modified Bondi2 "
                                                                "radii (mbondi3)"};
    return terms->gb_model ? names[terms->gb_model->radii]
           : terms->has_gb ? "of the force field's file"
                           : "none: a molecule in vacuum";
}

/* What programs of AMBER ask for and does not bear on these terms; then the radii. */
static void put_rest(printing *p)
{
    const cardo_terms *t = p->terms;
    char name[16];
    put_no_numbers(p, "HBOND_ACOEF", 0);
    put_no_numbers(p, "HBOND_BCOEF", 0);
    put_no_numbers(p, "HBCUT", 0);
    begin_names(p, "AMBER_ATOM_TYPE");
    for (int i = 0; i < t->natom; ++i) {
        cardo_format(name, sizeof name, "%d", p->draft->atom_kind[i] + 1);
        put_name(p, name);
    }
    fputc('\n', p->stream);
    begin_names(p, "TREE_CHAIN_CLASSIFICATION");
    for (int i = 0; i < t->natom; ++i)
        put_name(p, "BLA");
    fputc('\n', p->stream);
    put_zeros(p, "JOIN_ARRAY", t->natom);
    put_zeros(p, "IROTAT", t->natom);
    fprintf(p->stream, "%%FLAG RADIUS_SET\n%%FORMAT(1a80)\n%s\n", name_of_radii(t));
    put_numbers(p, "RADII", t->has_gb ? cardo_terms_gb_radius : NULL, CARDO_ANGSTROM);
    put_numbers(p, "SCREEN", t->has_gb ? cardo_terms_gb_scale : NULL, 1);
    fputs("%FLAG IPOL\n%FORMAT(1I8)\n       0\n", p->stream);
}

cardo_status cardo_prmtop_can_hold(const cardo_terms *terms, cardo_error *error)
{
    cardo_prmtop_draft draft = {0};
    const cardo_status status = cardo_prmtop_draft_make(terms, &draft, error);
    cardo_prmtop_draft_clear(&draft);
    return status;
}

cardo_status cardo_prmtop_print(const cardo_terms *terms, const cardo_structure *structure,
                                FILE *stream, cardo_error *error)
{
    cardo_status status;
    cardo_prmtop_draft draft = {0};
    printing p = {.terms = terms, .structure = structure, .draft = &draft, .stream = stream};
    CARDO_TRY(cardo_prmtop_draft_make(terms, &draft, error));
    CARDO_TRY(find_excluded(&p, error));
    fputs("%VERSION  VERSION_STAMP = V0001.000  DATE = 01/01/00  00:00:00\n"
          "%FLAG TITLE\n%FORMAT(20a4)\nmade by Cardo\n",
          stream);
    put_pointers(&p);
    put_atoms(&p);
    put_residues(&p);
    put_parameters(&p);
    put_rest(&p);
done:
    cardo_prmtop_draft_clear(&draft);
    cardo_free(p.excluded_first);
    cardo_free(p.excluded);
    return status;
}
