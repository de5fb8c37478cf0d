/* AMBER topologies and coordinates: a molecule of five atoms by hand, and every way in which such a
 * file can be wrong. */
#include "forces/terms/prmtop.h"
#include "structure/amber/amber.h"
#include "structure/pdb/pdb.h"
#include "support/support.h"

#include "support/hostile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* C-N-C-O-H in two residues, in the columns of the format (values may touch). Types: C 1, N 2, O 3, H 4;
 * H has no Lennard-Jones. */
static const char topology[] =
    "%VERSION  VERSION_STAMP = V0001.000  DATE = 01/01/26  00:00:00\n"
    "%FLAG TITLE\n%FORMAT(20a4)\nmade by hand\n"
    "%FLAG POINTERS\n%COMMENT what it is\n%FORMAT(10I8)\n"
    "       5       4       1       3       1       2       1       2       0       0\n"
    "      10       2       3       2       3       2       2       1       4       0\n"
    "       0       0       0       0       0       0       0       0       3       0\n"
    "       0\n"
    "%FLAG ATOM_NAME\n%FORMAT(20a4)\nC1  N1  C2  O1  HO1'\n"
    "%FLAG CHARGE\n%FORMAT(5E16.8)\n"
    "  1.82223000E+00 -1.82223000E+00  9.11115000E+00 -9.11115000E+00  0.00000000E+00\n"
    "%FLAG MASS\n%FORMAT(5E16.8)\n"
    "  1.20100000E+01  1.40100000E+01  1.20100000E+01  1.60000000E+01  1.00800000E+00\n"
    "%FLAG ATOM_TYPE_INDEX\n%FORMAT(10I8)\n"
    "       1       2       1       3       4\n"
    "%FLAG NUMBER_EXCLUDED_ATOMS\n%FORMAT(10I8)\n"
    "       3       3       2       1       1\n"
    "%FLAG NONBONDED_PARM_INDEX\n%FORMAT(10I8)\n"
    "       1       2       4       7       2       3       5       8       4       5\n"
    "       6       9       7       8       9      10\n"
    "%FLAG RESIDUE_LABEL\n%FORMAT(20a4)\nALA GLY \n"
    "%FLAG RESIDUE_POINTER\n%FORMAT(10I8)\n       1       3\n"
    "%FLAG BOND_FORCE_CONSTANT\n%FORMAT(5E16.8)\n  1.00000000E+02  3.00000000E+02\n"
    "%FLAG BOND_EQUIL_VALUE\n%FORMAT(5E16.8)\n  1.50000000E+00  9.60000000E-01\n"
    "%FLAG ANGLE_FORCE_CONSTANT\n%FORMAT(5E16.8)\n  5.00000000E+01  3.50000000E+01\n"
    "%FLAG ANGLE_EQUIL_VALUE\n%FORMAT(5E16.8)\n  2.00000000E+00  1.90000000E+00\n"
    "%FLAG DIHEDRAL_FORCE_CONSTANT\n%FORMAT(5E16.8)\n  2.00000000E+00\n"
    "%FLAG DIHEDRAL_PERIODICITY\n%FORMAT(5E16.8)\n  3.00000000E+00\n"
    "%FLAG DIHEDRAL_PHASE\n%FORMAT(5E16.8)\n  3.14159400E+00\n"
    "%FLAG SCEE_SCALE_FACTOR\n%FORMAT(5E16.8)\n  1.25000000E+00\n"
    "%FLAG LENNARD_JONES_ACOEF\n%FORMAT(5E16.8)\n%s"
    "%FLAG LENNARD_JONES_BCOEF\n%FORMAT(5E16.8)\n%s"
    "%FLAG BONDS_INC_HYDROGEN\n%FORMAT(10I8)\n       9      12       2\n"
    "%FLAG BONDS_WITHOUT_HYDROGEN\n%FORMAT(10I8)\n"
    "       0       3       1       3       6       1       6       9       1\n"
    "%FLAG ANGLES_INC_HYDROGEN\n%FORMAT(10I8)\n       6       9      12       2\n"
    "%FLAG ANGLES_WITHOUT_HYDROGEN\n%FORMAT(10I8)\n"
    "       0       3       6       1       3       6       9       1\n"
    "%FLAG DIHEDRALS_INC_HYDROGEN\n%FORMAT(10I8)\n"
    "       3       6       9      12       1\n"
    "%FLAG DIHEDRALS_WITHOUT_HYDROGEN\n%FORMAT(10I8)\n"
    "       0       3       6       9       1       0       3      -6       9       1\n"
    "       0       3       6      -9       1\n"
    "%FLAG EXCLUDED_ATOMS_LIST\n%FORMAT(10I8)\n"
    "       2       3       4       3       4       5       4       5       5       0\n"
    "%FLAG RADII\n%FORMAT(5E16.8)\n"
    "  1.70000000E+00  1.55000000E+00  1.70000000E+00  1.50000000E+00  1.20000000E+00\n"
    "%FLAG SCREEN\n%FORMAT(5E16.8)\n"
    "  7.20000000E-01  7.90000000E-01  7.20000000E-01  8.50000000E-01  8.50000000E-01\n";

static const double sigma[4] = {3.4, 3.25, 3.0, 0}, epsilon[4] = {0.1, 0.17, 0.21, 0};

/* Writes A or B of all pairs of types, five a line, in the order of NONBONDED_PARM_INDEX. */
static void write_table(char *out, int power)
{
    int n = 0;
    out[0] = '\0';
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j <= i; ++j) {
            double value =
                4 * sqrt(epsilon[i] * epsilon[j]) * pow(0.5 * (sigma[i] + sigma[j]), power);
            sprintf(out + strlen(out), "%16.8E%s", value, ++n % 5 == 0 ? "\n" : "");
        }
}

/* The topology with one piece of text replaced by another (NULL: none). */
static const char *written(const char *from, const char *to)
{
    static char whole[8000], changed[9000];
    char a[400], b[400], *at;
    write_table(a, 12);
    write_table(b, 6);
    const char *first = strstr(topology, "%s"), *second = strstr(first + 2, "%s");
    snprintf(whole, sizeof whole, "%.*s%s%.*s%s%s", (int)(first - topology), topology, a,
             (int)(second - first - 2), first + 2, b, second + 2);
    if (!from)
        return support_write("m.prmtop", whole);
    at = strstr(whole, from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    return support_write("m.prmtop", changed);
}

static void test_terms(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_terms *t = NULL;
    assert_ok(cardo_prmtop_read(written(NULL, NULL), "", &t, NULL, &error), &error);
    assert_int_equal(t->natom, 5);
    assert_int_equal(t->nbond, 4);
    assert_int_equal(cardo_terms_bond(t, 0).a, 3);
    assert_int_equal(cardo_terms_bond(t, 0).b, 4);
    assert_close(cardo_terms_bond(t, 0).length, 0.096, 1e-15);
    assert_close(cardo_terms_bond(t, 0).k, 2 * 300 * 418.4, 1e-9);
    assert_int_equal(t->nangle, 3);
    assert_int_equal(cardo_terms_angle(t, 1).c, 2);
    assert_close(cardo_terms_angle(t, 1).k, 2 * 50 * 4.184, 1e-12);
    assert_close(cardo_terms_angle(t, 1).angle, 2, 0);
    assert_int_equal(t->ntorsion, 4);
    assert_int_equal(cardo_terms_torsion(t, 2).d, 3);
    assert_int_equal(cardo_terms_torsion(t, 2).periodicity, 3);
    assert_close(cardo_terms_torsion(t, 2).k, 2 * 4.184, 1e-12);
    assert_close(cardo_terms_torsion(t, 2).phase, 3.141594, 1e-12);
    assert_close(cardo_terms_charge(t, 2), 0.5, 1e-12);
    assert_close(cardo_terms_mass(t, 3), 16, 0);
    assert_close(cardo_terms_sigma(t, 1), 0.325, 1e-8);
    assert_close(cardo_terms_epsilon(t, 1), 0.17 * 4.184, 1e-7);
    assert_close(cardo_terms_epsilon(t, 4), 0, 0);
    assert_false(t->has_gb);
    cardo_terms_destroy(t);
}

static const cardo_exception_term *exception(const cardo_terms *t, int a, int b)
{
    const cardo_exception_term *found = NULL;
    for (int k = 0; k < t->nexception; ++k)
        if (t->list.exception[k].a == a && t->list.exception[k].b == b) {
            assert_null(found);
            found = &t->list.exception[k];
        }
    return found;
}

static void test_exceptions(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_terms *t = NULL;
    assert_ok(cardo_prmtop_read(written(NULL, NULL), "none", &t, NULL, &error), &error);
    /* Four 1-2, three 1-3 and two 1-4 pairs, each once; a torsion whose third or fourth
     * pointer is negative has none. */
    assert_int_equal(t->nexception, 9);
    const cardo_exception_term *x = exception(t, 0, 3);
    assert_non_null(x);
    assert_close(x->charge_product, 0.1 * -0.5 / 1.25, 1e-12);
    assert_close(x->sigma, 0.5 * (0.34 + 0.3), 1e-8);
    assert_close(x->epsilon, sqrt(0.1 * 0.21) * 4.184 / 2, 1e-7);
    assert_close(exception(t, 0, 2)->epsilon, 0, 0);
    assert_close(exception(t, 0, 2)->charge_product, 0, 0);
    assert_non_null(exception(t, 1, 4));
    assert_null(exception(t, 0, 4));
    cardo_terms_destroy(t);
}

/* A pair that is named twice, from both of its atoms, or from the higher one alone is excluded once. */
static void test_careless_exclusions(void **state)
{
    (void)state;
    static const char *const lists[][2] = {
        {"       2       3       4       3", "       2       3       3       3"},
        {"       4       5       5       0", "       4       5       5       4"},
        {"       4       5       5       0", "       4       5       0       4"},
    };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; ++k) {
        cardo_error error = {0};
        cardo_terms *t = NULL;
        assert_ok(cardo_prmtop_read(written(lists[k][0], lists[k][1]), "none", &t, NULL, &error),
                  &error);
        assert_int_equal(t->nexception, 9);
        assert_non_null(exception(t, 0, 2));
        assert_non_null(exception(t, 3, 4));
        cardo_terms_destroy(t);
    }
}

static void test_structure(void **state)
{
    (void)state;
    static const int elements[5] = {6, 7, 6, 8, 1};
    cardo_error error = {0};
    cardo_structure *s = NULL;
    char label[40];
    assert_ok(cardo_prmtop_read(written(NULL, NULL), NULL, NULL, &s, &error), &error);
    assert_int_equal(s->natom, 5);
    assert_int_equal(s->nresidue, 2);
    assert_string_equal(cardo_residue_label(s, 1, label), "A:GLY2");
    assert_string_equal(s->atom_name[4].text, "HO1'");
    assert_int_equal(s->atom_residue[1], 0);
    assert_int_equal(s->atom_residue[2], 1);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(s->element[i], elements[i]);
    cardo_structure_destroy(s);
    /* The file's atomic numbers count more than masses. */
    assert_ok(cardo_prmtop_read(written("%FLAG RADII", "%FLAG ATOMIC_NUMBER\n%FORMAT(10I8)\n"
                                                       "       6       7       6      16       1\n"
                                                       "%FLAG RADII"),
                                NULL, NULL, &s, &error),
              &error);
    assert_int_equal(s->element[3], 16);
    cardo_structure_destroy(s);
}

static void test_solvent(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_terms *t = NULL;
    assert_ok(cardo_prmtop_read(written(NULL, NULL), "obc1", &t, NULL, &error), &error);
    assert_true(t->has_gb);
    assert_string_equal(t->gb_model->name, "obc1");
    assert_close(cardo_terms_gb_radius(t, 1), 0.155, 1e-12);
    assert_close(cardo_terms_gb_scale(t, 1), 0.79, 1e-12);
    cardo_terms_destroy(t);
    assert_fails(cardo_prmtop_read(written(NULL, NULL), "gbn2", &t, NULL, &error), &error,
                 CARDO_ERROR_UNSUPPORTED, "solvent gbn2 is not supported with an AMBER topology");
    assert_fails(cardo_prmtop_read(written("FLAG RADII", "FLAG RADIO"), "obc2", &t, NULL, &error),
                 &error, CARDO_ERROR_INPUT, "there is no %FLAG RADII");
    assert_null(t);
}

static void test_wrong_topologies(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        cardo_status status;
        const char *message;
    } wrong[] = {
        {"       5       4", "       0       4", CARDO_ERROR_INPUT, "gives 0 atoms"},
        {"       5       4", "      -5       4", CARDO_ERROR_INPUT, "value 1 of POINTERS is -5"},
        {"       5       4", "99999999       4", CARDO_ERROR_INPUT, "is too short for 99999999"},
        {"       5       4", "     5.5       4", CARDO_ERROR_INPUT,
         "\"     5.5\" in %FLAG POINTERS"},
        {"FLAG MASS\n%FORMAT(5E16.8)", "FLAG MASS\n%FORMAT(5E)", CARDO_ERROR_INPUT,
         "has no %FORMAT"},
        {"FLAG MASS", "FLAG MESS", CARDO_ERROR_INPUT, "there is no %FLAG MASS"},
        {"       9      12       2", "       9      15       2", CARDO_ERROR_INPUT,
         "points at coordinate 15 of 5 atoms"},
        {"       9      12       2", "       9      11       2", CARDO_ERROR_INPUT,
         "points at coordinate 11"},
        {"       9      12       2", "       9      12       3", CARDO_ERROR_INPUT,
         "names parameters 3 of 2"},
        {"       9      12       2", "       9-2147483       2", CARDO_ERROR_INPUT,
         "points at coordinate -2147483"},
        {"       3       3       2       1       1", "       3       3       2       1       9",
         CARDO_ERROR_INPUT, "EXCLUDED_ATOMS_LIST is wrong at atom 5"},
        {"       3      -6       9", "       3       6       9", CARDO_ERROR_INPUT,
         "two torsions make atoms 1 and 4 a 1-4 pair"},
        {"\n       1       3\n", "\n       1       6\n", CARDO_ERROR_INPUT,
         "residue 2 starts at atom 6 of 5"},
        {"\n       1       3\n", "\n       2       3\n", CARDO_ERROR_INPUT,
         "residue 1 starts at atom 2 of 5"},
        {"  1.25000000E+00", "  0.00000000E+00", CARDO_ERROR_INPUT, "are divided by 0 and 2"},
        {"       0       3       0\n       0\n", "       1       3       0\n       0\n",
         CARDO_ERROR_UNSUPPORTED, "has a periodic box"},
        {"       0       3       0\n       0\n", "       0       3       0\n       2\n",
         CARDO_ERROR_UNSUPPORTED, "2 extra points"},
        {"%FLAG RADII", "%FLAG CMAP_COUNT\n%FLAG RADII", CARDO_ERROR_UNSUPPORTED,
         "%FLAG CMAP_COUNT is not supported"},
        {"       1       2       4       7", "       1      -2       4       7",
         CARDO_ERROR_UNSUPPORTED, "10-12 terms"},
        {"       1       2       4       7       2", "       1       2       4       7       5",
         CARDO_ERROR_UNSUPPORTED, "the types 2 and 1 do not follow"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        cardo_error error = {0};
        cardo_terms *t = NULL;
        cardo_structure *s = NULL;
        assert_fails(cardo_prmtop_read(written(wrong[k].from, wrong[k].to), "", &t, &s, &error),
                     &error, wrong[k].status, wrong[k].message);
        assert_null(t);
        assert_null(s);
    }
    cardo_error error = {0};
    assert_fails(cardo_prmtop_read(support_write("m.prmtop", "hello\n"), "", NULL, NULL, &error),
                 &error, CARDO_ERROR_INPUT, "it is not an AMBER topology");
}

/* Bytes of a NetCDF file in the making, numbers with the most significant byte first. */
typedef struct netcdf {
    unsigned char bytes[2000];
    size_t n;
} netcdf;

static void put(netcdf *f, uint64_t x, int count)
{
    for (int k = count - 1; k >= 0; --k)
        f->bytes[f->n++] = (unsigned char)(x >> 8 * k);
}

static void put_name(netcdf *f, const char *name)
{
    put(f, strlen(name), 4);
    for (size_t k = 0; k < (strlen(name) + 3) / 4 * 4; ++k)
        put(f, k < strlen(name) ? (unsigned char)name[k] : 0, 1);
}

static void put_number(netcdf *f, double x, bool single)
{
    uint64_t bits;
    uint32_t few;
    float y = (float)x;
    memcpy(&bits, &x, sizeof bits);
    memcpy(&few, &y, sizeof few);
    put(f, single ? few : bits, single ? 4 : 8);
}

/* The convention's restart of two atoms (dimensions frame, spatial, atom; an attribute; time and
 * coordinates); with frames, a trajectory. */
static const char *netcdf_file(int version, bool single, bool frames)
{
    static const double x[6] = {1, 2, 3, -4.5, 5, 6};
    netcdf f = {.n = 0};
    memcpy(f.bytes, "CDF", 3);
    f.n = 3;
    put(&f, (uint64_t)version, 1);
    put(&f, frames ? 2 : 0, 4);
    put(&f, 10, 4), put(&f, 3, 4);
    put_name(&f, "frame"), put(&f, 0, 4);
    put_name(&f, "spatial"), put(&f, 3, 4);
    put_name(&f, "atom"), put(&f, 2, 4);
    put(&f, 12, 4), put(&f, 1, 4);
    put_name(&f, "Conventions"), put(&f, 2, 4);
    put_name(&f, frames ? "AMBER" : "AMBERRESTART");
    put(&f, 11, 4), put(&f, 2, 4);
    put_name(&f, "time"), put(&f, 0, 4), put(&f, 0, 8), put(&f, 6, 4), put(&f, 8, 4);
    put(&f, 0, version == 1 ? 4 : 8);
    put_name(&f, "coordinates"), put(&f, frames ? 3 : 2, 4);
    if (frames)
        put(&f, 0, 4);
    put(&f, 2, 4), put(&f, 1, 4);
    put(&f, 12, 4), put(&f, 1, 4);
    put_name(&f, "units"), put(&f, 2, 4), put_name(&f, "angstrom");
    put(&f, single ? 5 : 6, 4), put(&f, single ? 24 : 48, 4);
    put(&f, f.n + (version == 1 ? 4 : 8), version == 1 ? 4 : 8);
    for (int k = 0; k < (frames ? 12 : 6); ++k)
        put_number(&f, x[k % 6] + (k > 5 ? 9 : 0), single);
    static char path[300];
    snprintf(path, sizeof path, "%s/m.ncrst", support_scratch());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(f.bytes, 1, f.n, file);
    fclose(file);
    return path;
}

static void test_netcdf_coordinates(void **state)
{
    (void)state;
    cardo_error error = {0};
    double x[6];
    for (int kind = 0; kind < 8; ++kind) {
        const char *path = netcdf_file(1 + kind % 2, kind & 2, kind & 4);
        assert_ok(cardo_amber_coordinates_read(path, 2, x, &error), &error);
        assert_close(x[0], 0.1, 1e-9);
        assert_close(x[3], -0.45, 1e-9);
        assert_close(x[5], 0.6, 1e-8);
        assert_fails(cardo_amber_coordinates_read(path, 3, x, &error), &error, CARDO_ERROR_INPUT,
                     "has the coordinates of 2 atoms, the topology 3");
    }
    /* Every shorter file, and every byte changed, is refused or read, and nothing else. */
    const char *path = netcdf_file(2, false, false);
    unsigned char bytes[2000];
    FILE *file = fopen(path, "rb");
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t k = 0; k < n; ++k) {
        file = fopen(path, "wb");
        fwrite(bytes, 1, k, file);
        fclose(file);
        error.message[0] = '\0';
        assert_int_not_equal(cardo_amber_coordinates_read(path, 2, x, &error), CARDO_OK);
        assert_non_null(strstr(error.message, path));
        unsigned char old = bytes[k];
        bytes[k] = 0xff;
        file = fopen(path, "wb");
        fwrite(bytes, 1, n, file);
        fclose(file);
        bytes[k] = old;
        cardo_amber_coordinates_read(path, 2, x, &error);
    }
}

/* A topology read as a structure, with its coordinates beside it or named. */
static void test_structure_with_coordinates(void **state)
{
    (void)state;
    static const char coordinates[] =
        "title\n    5\n   1.0000000   2.0000000   3.0000000   4.0000000   5.0000000   6.0000000\n"
        "   7.0000000   8.0000000   9.0000000   1.0000000   2.0000000   3.0000000\n"
        "   4.0000000   5.0000000   6.5000000\n";
    cardo_error error = {0};
    cardo_structure *s;
    const char *topology_path = written(NULL, NULL);
    assert_fails(cardo_structure_read(topology_path, 0, &s, &error), &error, CARDO_ERROR_INPUT,
                 "m.prmtop: is an AMBER topology, without coordinates");
    cardo_read_options options = {.coordinates = support_write("other.rst7", coordinates)};
    assert_ok(cardo_structure_read_as(topology_path, &options, &s, &error), &error);
    assert_int_equal(s->natom, 5);
    assert_close(s->position[14], 0.65, 1e-15);
    cardo_structure_destroy(s);
    support_write("m.inpcrd", coordinates);
    assert_ok(cardo_structure_read(topology_path, 0, &s, &error), &error);
    assert_close(s->position[14], 0.65, 1e-15);
    assert_string_equal(s->residue_name[1].text, "GLY");
    cardo_structure_destroy(s);
}

static void put_lines(FILE *file, const char *line, int count)
{
    while (count-- > 0)
        fprintf(file, "%s\n", line);
}

/* Sixteen rows of one torsion a line, values of one column: 160,000 1-4 pairs of the same atoms, and
 * as many exclusions of one atom. */
static const char *write_repeats(void)
{
    enum { LINES = 10000, ROWS = 16 };
    static char path[300];
    char rows[5 * ROWS + 1] = "", excluded[5 * ROWS + 1];
    for (int k = 0; k < ROWS; ++k)
        memcpy(rows + 5 * k, "03691", 6);
    memset(excluded, '2', sizeof excluded - 1);
    excluded[sizeof excluded - 1] = '\0';
    snprintf(path, sizeof path, "%s/repeats.prmtop", support_scratch());
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fprintf(file,
            "%%FLAG POINTERS\n%%FORMAT(10I8)\n%8d%8d%8d%8d%8d%8d%8d%8d%8d%8d\n"
            "%8d%8d%8d%8d%8d%8d%8d%8d%8d%8d\n%8d%8d%8d%8d%8d%8d%8d%8d%8d%8d\n%8d\n",
            4, 1, 0, 0, 0, 0, LINES * ROWS, 0, 0, 0, LINES * ROWS, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0);
    fprintf(file,
            "%%FLAG CHARGE\n%%FORMAT(4E1)\n0000\n%%FLAG MASS\n%%FORMAT(4E1)\n1111\n"
            "%%FLAG ATOM_TYPE_INDEX\n%%FORMAT(4I1)\n1111\n"
            "%%FLAG NONBONDED_PARM_INDEX\n%%FORMAT(4I1)\n1\n"
            "%%FLAG LENNARD_JONES_ACOEF\n%%FORMAT(4E1)\n0\n"
            "%%FLAG LENNARD_JONES_BCOEF\n%%FORMAT(4E1)\n0\n"
            "%%FLAG BOND_FORCE_CONSTANT\n%%FORMAT(4E1)\n0\n"
            "%%FLAG BOND_EQUIL_VALUE\n%%FORMAT(4E1)\n1\n"
            "%%FLAG ANGLE_FORCE_CONSTANT\n%%FORMAT(4E1)\n0\n"
            "%%FLAG ANGLE_EQUIL_VALUE\n%%FORMAT(4E1)\n1\n"
            "%%FLAG DIHEDRAL_FORCE_CONSTANT\n%%FORMAT(4E1)\n1\n"
            "%%FLAG DIHEDRAL_PERIODICITY\n%%FORMAT(4E1)\n1\n"
            "%%FLAG DIHEDRAL_PHASE\n%%FORMAT(4E1)\n0\n"
            "%%FLAG NUMBER_EXCLUDED_ATOMS\n%%FORMAT(4I8)\n%8d       0       0       0\n"
            "%%FLAG BONDS_INC_HYDROGEN\n%%FORMAT(4I1)\n%%FLAG BONDS_WITHOUT_HYDROGEN\n"
            "%%FORMAT(4I1)\n%%FLAG ANGLES_INC_HYDROGEN\n%%FORMAT(4I1)\n"
            "%%FLAG ANGLES_WITHOUT_HYDROGEN\n%%FORMAT(4I1)\n"
            "%%FLAG DIHEDRALS_WITHOUT_HYDROGEN\n%%FORMAT(4I1)\n"
            "%%FLAG EXCLUDED_ATOMS_LIST\n%%FORMAT(80I1)\n",
            LINES * ROWS);
    put_lines(file, excluded, LINES * ROWS / (5 * ROWS));
    fprintf(file, "%%FLAG DIHEDRALS_INC_HYDROGEN\n%%FORMAT(80I1)\n");
    put_lines(file, rows, LINES);
    fclose(file);
    return path;
}

static bool read_topology(const char *path)
{
    cardo_error error = {0};
    cardo_terms *terms = NULL;
    cardo_structure *s = NULL;
    cardo_status status = cardo_prmtop_read(path, "", &terms, &s, &error);
    cardo_terms_destroy(terms);
    cardo_structure_destroy(s);
    return status == CARDO_OK || strstr(error.message, path);
}

static int flags(char *text, size_t size, int k)
{
    return snprintf(text, size, "%%FLAG %d\n%%FORMAT(1I1)\n", k);
}

static int one_flag(char *text, size_t size, int k)
{
    if (k > 0)
        return snprintf(text, size, "1");
    return snprintf(text, size, "%%FLAG POINTERS\n%%FORMAT(10I8)\n2147483647");
}

static void test_hostile_topologies(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_terms *terms = NULL;
    const char *path = write_repeats();
    support_check_hostile("one 1-4 pair", read_topology, path);
    assert_fails(cardo_prmtop_read(path, "", &terms, NULL, &error), &error, CARDO_ERROR_INPUT,
                 "two torsions make atoms 1 and 4 a 1-4 pair");
    assert_null(terms);
    support_check_hostile("flags", read_topology,
                          support_write_pieces("h.prmtop", flags, 2000000, false));
    support_check_hostile("flags, packed", read_topology,
                          support_write_pieces("h.prmtop.gz", flags, 20000000, true));
    support_check_hostile("one flag", read_topology,
                          support_write_pieces("h.prmtop", one_flag, 2000000, false));
}

static void test_coordinates(void **state)
{
    (void)state;
    cardo_error error = {0};
    double x[6];
    /* Values may fill their twelve columns. */
    const char *path = support_write("m.rst7", "title\n    2  0.1000000E+01\n"
                                               "   1.0000000   2.0000000-100.0000000"
                                               "-200.0000000   0.5000000   0.2500000\n"
                                               "   9.0000000   9.0000000   9.0000000\n");
    assert_ok(cardo_amber_coordinates_read(path, 2, x, &error), &error);
    assert_close(x[0], 0.1, 1e-15);
    assert_close(x[2], -10, 1e-15);
    assert_close(x[3], -20, 1e-15);
    assert_close(x[5], 0.025, 1e-15);
    assert_fails(cardo_amber_coordinates_read(path, 3, x, &error), &error, CARDO_ERROR_INPUT,
                 ":2: expected the number of atoms, which is 3");
    path = support_write("m.rst7", "title\n2\n   1.0000000   2.0000000\n");
    assert_fails(cardo_amber_coordinates_read(path, 2, x, &error), &error, CARDO_ERROR_INPUT,
                 "it has 2 of 6 coordinates");
    path = support_write("m.rst7", "title\n2\n   1.0000000************\n");
    assert_fails(cardo_amber_coordinates_read(path, 2, x, &error), &error, CARDO_ERROR_INPUT,
                 ":3: \"************\" is no coordinate");
    path = support_write("m.rst7", "CDF\001");
    assert_fails(cardo_amber_coordinates_read(path, 2, x, &error), &error, CARDO_ERROR_INPUT,
                 "header is damaged");
    path = support_write("m.rst7", "\211HDF");
    assert_fails(cardo_amber_coordinates_read(path, 2, x, &error), &error, CARDO_ERROR_UNSUPPORTED,
                 "HDF5");
    path = support_write("m.rst7", "");
    assert_fails(cardo_amber_coordinates_read(path, 2, x, &error), &error, CARDO_ERROR_INPUT,
                 "expected");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_exceptions),
        cmocka_unit_test(test_careless_exclusions),
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_solvent),
        cmocka_unit_test(test_wrong_topologies),
        cmocka_unit_test(test_structure_with_coordinates),
        cmocka_unit_test(test_netcdf_coordinates),
        cmocka_unit_test(test_hostile_topologies),
        cmocka_unit_test(test_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
