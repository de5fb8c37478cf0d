/* Kim and Hummer's energy: pairs of residues against their equations by hand, LAO against plain double
 * loops over the data file's numbers, forces against slopes. And elastic networks. */
#include "base/text.h"
#include "base/units.h"
#include "forces/coarse/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double kT = CARDO_BOLTZMANN * 300;

static double pair_energy(const char *first, const char *second, double r, const char *parameters)
{
    scene s;
    double q[64];
    scene_pair(&s, first, second, r);
    scene_energy(&s, "kim-hummer.xml", parameters);
    scene_path(&s, 0, q);
    double U = scene_evaluate(&s, q, NULL);
    scene_clear(&s);
    return U;
}

static double coulomb(double r)
{
    return 138.93545764438198 / 80 * exp(-r) / r;
}

/* Energies that the paper's equations 1 to 5 give by hand; distances have the three decimals of a PDB
 * file in angstrom. */
static void test_pairs(void **state)
{
    (void)state;
    /* Leu-Ile: e = 0.159 (-7.04 + 2.27) = -0.75843 kT, s = 0.62 nm; the well is at 2^(1/6) s =
     * 0.6959 nm, zero at s, and 4 e (2^12 - 2^6) at s/2. */
    assert_close(pair_energy("LEU", "ILE", 0.6959, NULL), -0.75843 * kT, 1e-6);
    assert_close(pair_energy("LEU", "ILE", 0.62, NULL), 0, 1e-10);
    assert_close(pair_energy("ILE", "LEU", 0.31, NULL), 4 * 0.75843 * kT * 4032, 1e-7);
    /* Ser-Asn: e = 0.159 (-1.58 + 2.27) = 0.10971 kT, s = 0.545: 2 e at s, e on the ridge at 0.6117,
     * and at 2 s 4 e (2^-6 - 2^-12). */
    assert_close(pair_energy("SER", "ASN", 0.545, NULL), 2 * 0.10971 * kT, 1e-10);
    assert_close(pair_energy("SER", "ASN", 0.6117, NULL), 0.10971 * kT, 1e-6);
    assert_close(pair_energy("SER", "ASN", 1.09, NULL), 4 * 0.10971 * kT * (1.0 / 64 - 1.0 / 4096),
                 1e-10);
    /* Charges: Lys-Lys e = 0.34185 kT, s = 0.64; Asp-Lys 0.09381 kT, s = 0.60; His has half a charge,
     * with Asp e = -0.00795 kT and s = 0.585. */
    assert_close(pair_energy("LYS", "LYS", 0.64, NULL), 2 * 0.34185 * kT + coulomb(0.64), 1e-9);
    assert_close(pair_energy("ASP", "LYS", 0.6, NULL), 2 * 0.09381 * kT - coulomb(0.6), 1e-9);
    assert_close(pair_energy("HIS", "ASP", 0.585, NULL), -0.5 * coulomb(0.585), 1e-9);
    /* Cys-Glu: e = 0, a core of 0.01 kT at s = 0.57. */
    assert_close(pair_energy("CYS", "GLU", 0.57, NULL), 0.01 * kT, 1e-10);
    assert_close(pair_energy("CYS", "GLU", 0.285, NULL), 40.96 * kT, 1e-7);
    /* Another model, and other constants. */
    assert_close(pair_energy("LEU", "ILE", 0.6959, "model=D"), 0.228 * (-7.04 + 1.67) * kT, 1e-6);
    assert_close(pair_energy("LEU", "ILE", 0.6959, "model=F"), 0.223 * (-7.04 + 1.96) * kT, 1e-6);
    assert_close(pair_energy("LEU", "ILE", 0.6959, "lambda=0.2, shift=-2, temperature=310"),
                 0.2 * -5.04 * kT * 310 / 300, 1e-6);
    assert_close(pair_energy("HIS", "ASP", 0.585, "dielectric=40, debye-length=2"),
                 -138.93545764438198 / 80 * exp(-0.585 / 2) / 0.585, 1e-9);
}

/* The numbers of the data file, found by their words. */
typedef struct tables {
    double diameter[26], charge[26], contact[26][26];
} tables;

static void read_tables(tables *t)
{
    char *text;
    size_t length;
    cardo_error error;
    assert_ok(
        cardo_read_file(support_source("forcefields/kim-hummer.xml"), 0, &text, &length, &error),
        &error);
    int residues = 0, contacts = 0;
    for (const char *p = text; (p = strstr(p, "<Residue letter=\"")); ++p) {
        int letter = p[17] - 'A';
        t->diameter[letter] = atof(strstr(p, "diameter=\"") + 10);
        t->charge[letter] = atof(strstr(p, "charge=\"") + 8);
        ++residues;
    }
    for (const char *p = text; (p = strstr(p, "<Contacts of=\"")); ++p) {
        int of = p[14] - 'A';
        for (const char *item = strstr(p, "energies=\"") + 10;;) {
            int with = item[0] - 'A';
            t->contact[of][with] = t->contact[with][of] = atof(item + 1);
            ++contacts;
            const char *end = item + strcspn(item, ",\"");
            if (*end == '"')
                break;
            item = end + 2;
        }
    }
    assert_int_equal(residues, 20);
    assert_int_equal(contacts, 210);
    free(text);
}

static double plain_pair(const tables *t, int a, int b, double r)
{
    double s = (t->diameter[a] + t->diameter[b]) / 2, e = 0.159 * (t->contact[a][b] + 2.27) * kT;
    double L = 4 * fabs(e) * (pow(s / r, 12) - pow(s / r, 6));
    double q = t->charge[a] * t->charge[b];
    double U = q == 0 ? 0 : q * coulomb(r);
    if (e == 0)
        return U + 0.01 * kT * pow(s / r, 12);
    if (e < 0)
        return U + L;
    return U + (r < pow(2, 1.0 / 6) * s ? L + 2 * e : -L);
}

static void check_plain(scene *s, const tables *t)
{
    cardo_error error;
    uint64_t seed = 5;
    const cardo_structure *p = s->model->structure[0].structure;
    double q[64], *x = calloc(3 * (size_t)p->natom, sizeof *x);
    for (int place = 0; place < 6; ++place) {
        double U = 0, size = 1;
        scene_path(s, 0.5 + 0.6 * support_random(&seed), q);
        scene_place(s, q);
        assert_ok(cardo_station_positions(s->system, s->state, x, &error), &error);
        for (int r = 0; r < p->nresidue; ++r)
            for (int k = r + 4; k < p->nresidue; ++k) {
                int i = cardo_structure_find_atom(p, r, "CA");
                int j = cardo_structure_find_atom(p, k, "CA");
                if (s->model->atom_body[i] == s->model->atom_body[j])
                    continue;
                double d = v3_norm(v3_sub(v3_load(x + 3 * i), v3_load(x + 3 * j)));
                double u = plain_pair(t, cardo_residue_letter(p->residue_name[r].text) - 'A',
                                      cardo_residue_letter(p->residue_name[k].text) - 'A', d);
                U += u;
                size += fabs(u);
            }
        assert_close(scene_evaluate(s, q, NULL), U, 1e-10 * size);
    }
    free(x);
}

static void test_proteins(void **state)
{
    (void)state;
    tables t = {0};
    scene s;
    read_tables(&t);
    scene_lao(&s);
    scene_energy(&s, "kim-hummer.xml", NULL);
    check_plain(&s, &t);
    scene_check_forces(&s, 10, 1e-6);
    scene_check_invariance(&s);
    scene_clear(&s);
    scene_adenylate_kinase(&s);
    scene_energy(&s, "kim-hummer.xml", NULL);
    check_plain(&s, &t);
    scene_clear(&s);
}

/* Two strands join the free domain: a bond and two angles each. */
static void test_linkers(void **state)
{
    (void)state;
    scene s;
    double q[64];
    scene_lao_free(&s);
    scene_energy(&s, "kim-hummer.xml", NULL);
    assert_int_equal(s.energy->list[2].npair, 2);
    assert_int_equal(s.energy->nangle, 4);
    scene_path(&s, 0, q);
    scene_evaluate(&s, q, NULL);
    const cardo_structure *p = s.model->structure[0].structure;
    double U = 0;
    for (int b = 0; b < 2; ++b) {
        const cardo_coarse_pair *bond = &s.energy->list[2].pair[b];
        double d[2];
        for (int k = 0; k < 2; ++k)
            d[k] = s.energy->sites.residue[bond->site[k]];
        assert_close(d[1] - d[0], 1, 0);
        cardo_vec3 x[2];
        for (int k = 0; k < 2; ++k)
            x[k] = v3_load(p->position + 3 * s.energy->sites.atom[bond->site[k]]);
        double off = v3_norm(v3_sub(x[0], x[1])) - 0.381;
        U += 0.5 * 378 * 418.4 * off * off;
    }
    for (int a = 0; a < 4; ++a) {
        cardo_vec3 x[3];
        for (int k = 0; k < 3; ++k)
            x[k] = v3_load(p->position + 3 * s.energy->sites.atom[s.energy->angle[a].site[k]]);
        cardo_vec3 l = v3_sub(x[0], x[1]), r = v3_sub(x[2], x[1]);
        double t = acos(v3_dot(l, r) / v3_norm(l) / v3_norm(r));
        /* In kcal/mol, as Best et al. 2005 print it. */
        U -= 4.184 / 0.1 *
             log(exp(-0.1 * (106.4 * (t - 1.6) * (t - 1.6) + 4.3)) +
                 exp(-0.1 * 26.3 * (t - 2.27) * (t - 2.27)));
    }
    assert_string_equal(cardo_evaluator_term_name(s.evaluator, 3), "linkers");
    assert_close(cardo_evaluator_terms(s.evaluator)[3], U, 1e-6 * fabs(U));
    scene_check_forces(&s, 10, 1e-6);
    scene_check_invariance(&s);
    scene_clear(&s);
}

static void check_network(scene *s, double cutoff, double stiffness)
{
    uint64_t seed = 8;
    double q[64], q0[64], U = 0;
    cardo_error error;
    const cardo_structure *p = s->model->structure[0].structure;
    double *x = calloc(6 * (size_t)p->natom, sizeof *x), *x0 = x + 3 * p->natom;
    scene_path(s, 0, q0);
    scene_place(s, q0);
    assert_ok(cardo_station_positions(s->system, s->state, x0, &error), &error);
    assert_close(scene_evaluate(s, q0, NULL), 0, 1e-12);
    scene_path(s, 0.4 + 0.3 * support_random(&seed), q);
    scene_place(s, q);
    assert_ok(cardo_station_positions(s->system, s->state, x, &error), &error);
    for (int r = 0; r < p->nresidue; ++r)
        for (int k = r + 1; k < p->nresidue; ++k) {
            int i = cardo_structure_find_atom(p, r, "CA"),
                j = cardo_structure_find_atom(p, k, "CA");
            double d0 = v3_norm(v3_sub(v3_load(x0 + 3 * i), v3_load(x0 + 3 * j)));
            double d = v3_norm(v3_sub(v3_load(x + 3 * i), v3_load(x + 3 * j)));
            if (s->model->atom_body[i] != s->model->atom_body[j] && d0 <= cutoff)
                U += 0.5 * stiffness * (d - d0) * (d - d0);
        }
    assert_close(scene_evaluate(s, q, NULL), U, 1e-10 * U);
    free(x);
}

static void test_elastic_network(void **state)
{
    (void)state;
    scene s;
    double q[64];
    scene_lao(&s);
    scene_energy(&s, "elastic-network.xml", NULL);
    check_network(&s, 1.5, 418.4);
    scene_check_forces(&s, 10, 1e-6);
    scene_check_invariance(&s);
    scene_energy(&s, "elastic-network.xml", "cutoff=0.9, stiffness=1000");
    check_network(&s, 0.9, 1000);
    /* At rest in the closed structure: the well is at q = 1. */
    scene_energy(&s, "elastic-network.xml", "structure=closed");
    scene_path(&s, 1, q);
    assert_close(scene_evaluate(&s, q, NULL), 0, 1e-9);
    scene_path(&s, 0, q);
    assert_true(scene_evaluate(&s, q, NULL) > 100);
    scene_clear(&s);
    scene_adenylate_kinase(&s);
    scene_energy(&s, "elastic-network.xml", "power=2");
    scene_check_forces(&s, 10, 1e-6);
    scene_clear(&s);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    scene s;
    cardo_error error;
    cardo_coarse_energy *energy;
    scene_pair(&s, "LEU", "ILE", 0.8);
    const char *file = support_source("forcefields/kim-hummer.xml");
    assert_fails(cardo_coarse_energy_create(s.model, file, "model=G", &energy, &error), &error,
                 CARDO_ERROR_INPUT, "A to F");
    file = support_source("forcefields/elastic-network.xml");
    assert_fails(cardo_coarse_energy_create(s.model, file, "cutoff=0.5", &energy, &error), &error,
                 CARDO_ERROR_INPUT, "raise cutoff");
    assert_fails(cardo_coarse_energy_create(s.model, file, "structure=two", &energy, &error),
                 &error, CARDO_ERROR_INPUT, "two");
    file = support_source("forcefields/double-basin.xml");
    assert_fails(cardo_coarse_energy_create(s.model, file, NULL, &energy, &error), &error,
                 CARDO_ERROR_INPUT, "contact");
    scene_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        shared_test(test_proteins),
        shared_test(test_linkers),
        shared_test(test_elastic_network),
        cmocka_unit_test(test_what_is_refused),
    };
    return support_run(tests, NULL, NULL);
}
