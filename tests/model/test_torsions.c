/* Torsion bodies: under random coordinates every bond and angle keeps its value, every torsion that
 * is not mobilized too, and every mobilized one changes by its q; loops are cut once; rings, amides,
 * disulfides and bodies without inertia make no pins. */
#include "model/model.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "support/support.h"
#include "topology/rotatable_bonds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A compiled model, its bonds, and where its atoms are at random coordinates. */
typedef struct scene {
    cardo_model *model;
    const cardo_structure *structure;
    cardo_bonds *bonds;
    cardo_system *system;
    cardo_state *state;
    double *q, *positions;
} scene;

static scene open_scene(const char *text)
{
    scene s = {0};
    cardo_error error = {0};
    char *templates;
    const char *path = support_write("torsions.xml", text);
    assert_ok(cardo_model_read(path, 0, NULL, &s.model, &error), &error);
    s.structure = s.model->structure[0].structure;
    assert_ok(cardo_find_data("residues.xml", NULL, "topologies", &templates, &error), &error);
    assert_ok(cardo_bonds_find(s.structure, templates, &s.bonds, &error), &error);
    cardo_free(templates);
    assert_ok(cardo_model_compile(s.model, NULL, &s.system, &error), &error);
    assert_ok(cardo_state_create(s.system, &s.state, &error), &error);
    assert_ok(CARDO_ALLOCATE(&s.q, cardo_system_nq(s.system), &error), &error);
    assert_ok(CARDO_ALLOCATE(&s.positions, 3 * s.structure->natom, &error), &error);
    cardo_model_initial_q(s.model, s.system, s.q);
    return s;
}

static void close_scene(scene *s)
{
    cardo_free(s->q);
    cardo_free(s->positions);
    cardo_state_destroy(s->state);
    cardo_system_destroy(s->system);
    cardo_bonds_destroy(s->bonds);
    cardo_model_destroy(s->model);
}

static void pose(scene *s, const double *q)
{
    cardo_error error = {0};
    cardo_state_set_q(s->state, q);
    assert_ok(cardo_realize(s->system, s->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(s->system, s->state, s->positions, &error), &error);
}

/* Torsions anywhere within +-3, the others within half a unit of their start. */
static void randomize(scene *s, uint64_t *seed)
{
    cardo_error error = {0};
    double *q;
    assert_ok(CARDO_ALLOCATE(&q, cardo_system_nq(s->system), &error), &error);
    cardo_model_initial_q(s->model, s->system, q);
    for (int b = 0; b < s->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(s->system, b + 1, &info);
        for (int k = 0; k < info.nq; ++k)
            q[info.q_first + k] += (s->model->body[b].torsion ? 3.0 : 0.5) * support_random(seed);
    }
    pose(s, q);
    memcpy(s->q, q, (size_t)cardo_system_nq(s->system) * sizeof *q);
    cardo_free(q);
}

static cardo_vec3 at(const double *x, int atom)
{
    return v3_load(x + 3 * atom);
}

static double angle_of(const double *x, int i, int j, int k)
{
    cardo_vec3 a = v3_sub(at(x, i), at(x, j)), b = v3_sub(at(x, k), at(x, j));
    return atan2(v3_norm(v3_cross(a, b)), v3_dot(a, b));
}

static double torsion_of(const double *x, int i, int j, int k, int l)
{
    cardo_vec3 a = v3_sub(at(x, j), at(x, i)), b = v3_sub(at(x, k), at(x, j)),
               c = v3_sub(at(x, l), at(x, k));
    cardo_vec3 n = v3_cross(a, b), m = v3_cross(b, c);
    return atan2(v3_norm(b) * v3_dot(a, m), v3_dot(n, m));
}

/* Is the bond between i and j one that the tree leaves to the force field? */
static bool is_cut(const scene *s, int i, int j)
{
    for (int c = 0; c < s->model->ncut; ++c) {
        const int *atom = s->model->cut[c].atom;
        if ((atom[0] == i && atom[1] == j) || (atom[0] == j && atom[1] == i))
            return true;
    }
    return false;
}

/* The body that turns about the bond between i and j, or -1. */
static int body_about(const scene *s, int i, int j)
{
    for (int b = 0; b < s->model->nbody; ++b) {
        const int *bond = s->model->body[b].bond;
        if (s->model->body[b].torsion &&
            ((bond[0] == i && bond[1] == j) || (bond[0] == j && bond[1] == i)))
            return b;
    }
    return -1;
}

static int first_neighbour(const scene *s, int atom)
{
    return s->bonds->neighbour_first[atom];
}

static double worst_angle(const scene *s)
{
    double worst = 0;
    for (int j = 0; j < s->structure->natom; ++j)
        for (int a = first_neighbour(s, j); a < first_neighbour(s, j + 1); ++a)
            for (int b = a + 1; b < first_neighbour(s, j + 1); ++b) {
                int i = s->bonds->neighbour[a], k = s->bonds->neighbour[b];
                if (is_cut(s, i, j) || is_cut(s, j, k))
                    continue;
                worst = fmax(worst, fabs(angle_of(s->positions, i, j, k) -
                                         angle_of(s->structure->position, i, j, k)));
            }
    return worst;
}

/* Deviation of a torsion's change from what the model says of it. */
static double worst_torsion_about(const scene *s, int j, int k)
{
    double worst = 0, expected = 0;
    int body = body_about(s, j, k);
    cardo_body_info info;
    if (body >= 0) {
        cardo_system_body(s->system, body + 1, &info);
        expected = s->q[info.q_first];
    }
    for (int a = first_neighbour(s, j); a < first_neighbour(s, j + 1); ++a)
        for (int b = first_neighbour(s, k); b < first_neighbour(s, k + 1); ++b) {
            int i = s->bonds->neighbour[a], l = s->bonds->neighbour[b];
            if (i == k || l == j || i == l || is_cut(s, i, j) || is_cut(s, k, l))
                continue;
            double change = torsion_of(s->positions, i, j, k, l) -
                            torsion_of(s->structure->position, i, j, k, l);
            worst = fmax(worst, fabs(remainder(change - expected, 2 * CARDO_PI)));
        }
    return worst;
}

static void geometry_holds(scene *s, const char *what)
{
    uint64_t seed = 20260601;
    double bond = 0, angle = 0, torsion = 0;
    for (int trial = 0; trial < 3; ++trial) {
        randomize(s, &seed);
        for (int n = 0; n < s->bonds->nbond; ++n) {
            const int *atom = s->bonds->bond[n];
            if (is_cut(s, atom[0], atom[1]))
                continue;
            double d = v3_norm(v3_sub(at(s->positions, atom[0]), at(s->positions, atom[1])));
            const double *x = s->structure->position;
            bond = fmax(bond, fabs(d - v3_norm(v3_sub(at(x, atom[0]), at(x, atom[1])))));
            torsion = fmax(torsion, worst_torsion_about(s, atom[0], atom[1]));
        }
        angle = fmax(angle, worst_angle(s));
    }
    print_message("%s: %d bodies, %d speeds; bonds within %.1e nm, angles %.1e, torsions %.1e\n",
                  what, s->model->nbody, cardo_system_nu(s->system), bond, angle, torsion);
    assert_true(cardo_system_nu(s->system) > 6);
    assert_close(bond, 0, 1e-12);
    assert_close(angle, 0, 1e-12);
    assert_close(torsion, 0, 1e-12);
}

/* Every torsion body has inertia about its own bond. */
static void inertia_is_there(const scene *s)
{
    for (int b = 0; b < s->model->nbody; ++b) {
        const cardo_model_body *body = &s->model->body[b];
        const double *x = s->structure->position;
        double inertia = 0;
        if (!body->torsion)
            continue;
        cardo_vec3 from = at(x, body->bond[0]);
        cardo_vec3 axis = v3_unit(v3_sub(at(x, body->bond[1]), from));
        assert_int_equal(s->model->atom_body[body->bond[1]], b);
        assert_int_equal(s->model->atom_body[body->bond[0]], body->parent);
        for (int i = 0; i < s->structure->natom; ++i)
            if (s->model->atom_body[i] == b) {
                double d = v3_norm(v3_cross(axis, v3_sub(at(x, i), from)));
                inertia += cardo_element_mass(s->structure->element[i]) * d * d;
            }
        if (!(inertia > 1e-3))
            fail_msg("%s has inertia %g", body->name, inertia);
    }
}

#define MODEL(structures, rest)                                                                    \
    "<cardo version=\"1\"><model name=\"t\">" structures rest "</model></cardo>"
#define ONE "<structure id=\"a\" file=\"%s\"/>"
#define TWO ONE "<structure id=\"b\" file=\"%s\"/>"

static scene whole(const char *file, const char *residues, const char *flexible)
{
    static char text[2048];
    snprintf(text, sizeof text,
             MODEL(ONE, "<domain name=\"d\" residues=\"%s\"/><body name=\"all\" domains=\"d\"/>%s"),
             file, residues, flexible);
    return open_scene(text);
}

static int count_kind(const scene *s, int kind)
{
    int n = 0;
    for (int b = 0; b < s->model->nbody; ++b)
        n += (s->model->body[b].torsion & kind) != 0;
    return n;
}

static bool has_body(const scene *s, const char *name)
{
    return cardo_system_find_body(s->system, name) > 0;
}

/* Ubiquitin: 76 residues, of them prolines 19, 37, 38; no cysteines. phi of residue 1 is a rotor. */
static void whole_chain_of_ubiquitin(void **unused)
{
    (void)unused;
    scene s = whole(support_shared("reference/openmm/1ubi/1ubi.pdb"), "A:1-76",
                    "<flexible residues=\"A:1-76\" torsions=\"phi psi chi\"/>");
    geometry_holds(&s, "1UBI, phi psi chi");
    inertia_is_there(&s);
    assert_int_equal(count_kind(&s, CARDO_TURN_PHI), 76 - 1 - 3);
    assert_int_equal(count_kind(&s, CARDO_TURN_PSI), 76);
    assert_int_equal(count_kind(&s, CARDO_TURN_ROTOR), 0);
    assert_false(has_body(&s, "A:PRO19.chi1"));
    assert_false(has_body(&s, "A:PHE4.chi3"));
    assert_true(has_body(&s, "A:PHE4.chi2"));
    assert_true(has_body(&s, "A:LYS6.chi4"));
    assert_true(has_body(&s, "A:ARG42.chi4"));
    assert_false(has_body(&s, "A:ARG42.chi5"));
    assert_int_equal(s.model->ncut, 0);
    close_scene(&s);
}

static void rotors_turn_when_asked(void **unused)
{
    (void)unused;
    scene s = whole(support_shared("reference/openmm/1ubi/1ubi.pdb"), "A:1-76",
                    "<flexible residues=\"A:1-20\" torsions=\"chi\" rotors=\"yes\"/>");
    geometry_holds(&s, "1UBI, chi and rotors of 1-20");
    inertia_is_there(&s);
    assert_true(has_body(&s, "A:LYS6.CE-NZ"));
    assert_true(has_body(&s, "A:SER20.CB-OG"));
    assert_true(has_body(&s, "A:LEU8.CG-CD1"));
    assert_false(has_body(&s, "A:GLN2.CD-NE2")); /* an amide */
    close_scene(&s);
}

/* Two strands of LAO between its domains: one carries, the other is cut; with a path, both are. */
static scene lao(const char *joint, const char *flexible)
{
    static char text[4096];
    snprintf(text, sizeof text,
             MODEL(TWO,
                   "<domain name=\"s\" residues=\"1-89,194-238\"/>"
                   "<domain name=\"m\" residues=\"92-191\"/><hinge residues=\"90-91,192-193\"/>"
                   "<body name=\"s\" domains=\"s\"/>"
                   "<body name=\"m\" domains=\"m\" parent=\"s\">%s</body>%s"),
             support_shared("reference/openmm/2lao_min/2lao_min.pdb"),
             support_shared("pdb/1lst.pdb"), joint, flexible);
    return open_scene(text);
}

#define STRANDS "<flexible residues=\"90-91,192-193\" torsions=\"phi psi\"/>"

static void strands_of_lao(void **unused)
{
    (void)unused;
    scene s = lao("<strand/>", STRANDS);
    geometry_holds(&s, "LAO on a strand");
    inertia_is_there(&s);
    assert_int_equal(s.model->ncut, 1);
    assert_true(s.model->cut[0].loop);
    assert_int_equal(cardo_system_nu(s.system), 6 + 8 - 1);
    close_scene(&s);

    s = lao("<strand through=\"192\"/>", STRANDS);
    geometry_holds(&s, "LAO on the other strand");
    assert_int_equal(s.model->ncut, 1);
    assert_true(s.structure->residue_number[s.model->cut[0].residue[0]] <= 91);
    close_scene(&s);

    s = lao("<path/>", STRANDS "<flexible within=\"0.6 nm\" torsions=\"chi\"/>");
    geometry_holds(&s, "LAO on a path, strands, interface");
    inertia_is_there(&s);
    assert_int_equal(s.model->ncut, 2);
    assert_int_equal(count_kind(&s, CARDO_TURN_BACKBONE), 6);
    assert_true(has_body(&s, "A:TYR14.chi2"));
    assert_false(has_body(&s, "A:CYS38.chi1"));
    close_scene(&s);
}

static int body_of(const scene *s, int number)
{
    const int residue = cardo_structure_find_residue(s->structure, "A", number, '\0');
    return s->model->atom_body[cardo_structure_find_atom(s->structure, residue, "CA")];
}

/* Of a hinge of which some residues turn: its ends go with the domains that they are next to, and one between two that turn goes with
 * neither, wherever the hinge would be cut if none did. */
static void what_does_not_turn_in_a_strand(void **unused)
{
    (void)unused;
    static const char *const turning[] = {"90-91,93-94", "92-95"};
    for (int k = 0; k < 2; ++k) {
        char text[4096];
        snprintf(text, sizeof text,
                 MODEL(TWO, "<domain name=\"s\" residues=\"1-87,194-238\"/>"
                            "<domain name=\"m\" residues=\"97-191\"/><hinge residues=\"88-96\"/>"
                            "<hinge residues=\"192-193\"/><body name=\"s\" domains=\"s\"/>"
                            "<body name=\"m\" domains=\"m\" parent=\"s\"><path/></body>"
                            "<flexible residues=\"%s,192-193\" torsions=\"phi psi\" "
                            "closure=\"rigid\"/>"),
                 support_shared("reference/openmm/2lao_min/2lao_min.pdb"),
                 support_shared("pdb/1lst.pdb"), turning[k]);
        scene s = open_scene(text);
        geometry_holds(&s, "LAO with a strand that turns in part");
        const int first = body_of(&s, 50), last = body_of(&s, 150);
        assert_true(first != last);
        for (int number = 88; number <= (k ? 91 : 89); ++number)
            assert_int_equal(body_of(&s, number), first);
        assert_int_equal(body_of(&s, 96), last);
        if (k == 0) {
            assert_int_equal(body_of(&s, 95), last);
            assert_true(body_of(&s, 92) != first && body_of(&s, 92) != last);
        }
        close_scene(&s);
    }
}

/* Without hydrogens single atoms are left between bonds: they merge with what hangs on them. */
static void heavy_atoms_alone(void **unused)
{
    (void)unused;
    scene s = whole(support_source("pdb/2mcg_1.pdb"), "2-216",
                    "<flexible residues=\"2-216\" torsions=\"all\"/>");
    geometry_holds(&s, "2MCG, all torsions");
    inertia_is_there(&s);
    for (int k = 0; k < s.bonds->ncrosslink; ++k) {
        char name[80], label[40];
        int residue = s.structure->atom_residue[s.bonds->crosslink[k][0]];
        snprintf(name, sizeof name, "%s.chi1", cardo_residue_label(s.structure, residue, label));
        assert_false(has_body(&s, name));
    }
    assert_true(s.bonds->ncrosslink > 0);
    close_scene(&s);
    s = whole(support_shared("pdb/1lst.pdb"), "A:1-238",
              "<flexible residues=\"A:1-238\" torsions=\"phi psi chi\"/>");
    geometry_holds(&s, "1LST without hydrogens");
    inertia_is_there(&s);
    close_scene(&s);
}

static void nucleic_acids(void **unused)
{
    (void)unused;
    scene s = whole(support_shared("reference/openmm/3mht_dna/3mht_dna.pdb"), "C,D",
                    "<flexible residues=\"C,D\" torsions=\"all\"/>");
    geometry_holds(&s, "DNA, all torsions");
    inertia_is_there(&s);
    assert_true(count_kind(&s, CARDO_TURN_ALPHA) > 10);
    assert_true(count_kind(&s, CARDO_TURN_CHI) > 20);
    close_scene(&s);
}

static void refused(const char *joint, const char *flexible, const char *message)
{
    static char text[4096];
    cardo_error error = {0};
    cardo_model *model;
    snprintf(text, sizeof text,
             MODEL(TWO, "<domain name=\"V\" residues=\"2-108\"/><domain name=\"C\" "
                        "residues=\"114-216\"/><hinge residues=\"109-113\"/>"
                        "<body name=\"V\" domains=\"V\"/>"
                        "<body name=\"C\" domains=\"C\" parent=\"V\">%s</body>%s"),
             support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"), joint, flexible);
    assert_fails(cardo_model_read(support_write("refused.xml", text), 0, NULL, &model, &error),
                 &error, CARDO_ERROR_INPUT, message);
}

static void what_is_refused(void **unused)
{
    (void)unused;
    refused("<path/>", "<flexible residues=\"109\" torsions=\"phy\"/>", "did you mean 'phi'");
    refused("<path/>", "<flexible torsions=\"chi\"/>", "needs residues");
    refused("<path/>", "<flexible within=\"0.5 nm\" torsions=\"phi\"/>", "side chains");
    refused("<path/>", "<flexible residues=\"109\" torsions=\"alpha\"/>", "turns");
    refused("<strand/>", "", "no strand");
    refused("<strand/>", "<flexible residues=\"20\" torsions=\"phi psi\"/>", "no strand");
    refused("<strand through=\"20\"/>", "<flexible residues=\"109-113\" torsions=\"phi psi\"/>",
            "through these residues");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(whole_chain_of_ubiquitin), shared_test(rotors_turn_when_asked),
        shared_test(strands_of_lao),           shared_test(what_does_not_turn_in_a_strand),
        shared_test(heavy_atoms_alone),        shared_test(nucleic_acids),
        cmocka_unit_test(what_is_refused),
    };
    return support_run(tests, NULL, NULL);
}
