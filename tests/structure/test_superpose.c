/* Superposition and residue matching, against constructed motions and the reference table of domain
 * motions. */
#include "support/support.h"

#include "base/memory.h"
#include "base/units.h"
#include "structure/atoms/selection.h"
#include "structure/atoms/substitution.h"
#include "structure/atoms/superpose.h"
#include "structure/pdb/pdb.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static cardo_error error;

static void recovers_a_known_motion(void **state)
{
    (void)state;
    enum { N = 20 };
    uint64_t seed = 7;
    for (int trial = 0; trial < 50; ++trial) {
        double a[3 * N], b[3 * N];
        cardo_vec3 axis =
            v3_unit(v3(support_random(&seed), support_random(&seed), support_random(&seed)));
        cardo_transform X = {m33_rotation(axis, CARDO_PI * support_random(&seed)),
                             v3(5, support_random(&seed), -30)};
        for (int k = 0; k < N; ++k) {
            /* Planar sets too: there a reflection would fit as well as the rotation. */
            cardo_vec3 p = v3(support_random(&seed), support_random(&seed),
                              trial % 2 ? 0 : support_random(&seed));
            v3_store(a + 3 * k, p);
            v3_store(b + 3 * k, xform_point(X, p));
        }
        cardo_transform found;
        double rmsd;
        assert_ok(cardo_superpose(N, a, b, NULL, &found, &rmsd, &error), &error);
        assert_close(rmsd, 0, 1e-13);
        assert_close(m33_determinant(found.R), 1, 1e-13);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                assert_close(found.R.m[i][j], X.R.m[i][j], 1e-13);
        assert_close(v3_norm(v3_sub(found.p, X.p)), 0, 1e-12);
        assert_close(cardo_rmsd(N, a, b, found), 0, 1e-13);
    }
}

static void never_reflects(void **state)
{
    (void)state;
    const double a[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    double b[12];
    for (int i = 0; i < 12; ++i)
        b[i] = -a[i];
    cardo_transform X;
    double rmsd;
    assert_ok(cardo_superpose(4, a, b, NULL, &X, &rmsd, &error), &error);
    assert_close(m33_determinant(X.R), 1, 1e-13);
    assert_true(rmsd > 0.1);
}

static void weights_count(void **state)
{
    (void)state;
    /* With nearly all weight on the first three points the fit is theirs, whatever the fourth does.
     */
    const double a[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double b[] = {3, 0, 0, 4, 0, 0, 3, 1, 0, 9, 9, 9};
    const double weights[] = {1, 1, 1, 0};
    cardo_transform X;
    double rmsd;
    assert_ok(cardo_superpose(4, a, b, weights, &X, &rmsd, &error), &error);
    assert_close(rmsd, 0, 1e-14);
    assert_close(X.p.x, 3, 1e-14);
}

static void is_the_minimum(void **state)
{
    (void)state;
    enum { N = 12 };
    uint64_t seed = 3;
    double a[3 * N], b[3 * N], weights[N], rmsd;
    for (int i = 0; i < 3 * N; ++i) {
        a[i] = support_random(&seed);
        b[i] = support_random(&seed);
    }
    for (int k = 0; k < N; ++k)
        weights[k] = 1;
    cardo_transform X;
    assert_ok(cardo_superpose(N, a, b, weights, &X, &rmsd, &error), &error);
    assert_close(cardo_rmsd(N, a, b, X), rmsd, 1e-14);
    for (int i = 0; i < 200; ++i) {
        cardo_vec3 axis =
            v3_unit(v3(support_random(&seed), support_random(&seed), support_random(&seed)));
        cardo_transform Y = X;
        Y.R = m33_mul(m33_rotation(axis, 0.01), X.R);
        Y.p = v3_add_scaled(Y.p, 0.01 * support_random(&seed), axis);
        assert_true(cardo_rmsd(N, a, b, Y) > rmsd);
    }
}

static void refuses_lines(void **state)
{
    (void)state;
    const double line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    cardo_transform X;
    assert_fails(cardo_superpose(4, line, line, NULL, &X, NULL, &error), &error, CARDO_ERROR_INPUT,
                 "on a line");
    assert_fails(cardo_superpose(2, line, line, NULL, &X, NULL, &error), &error, CARDO_ERROR_INPUT,
                 "at least 3");
}

static cardo_structure *parsed(const char *text)
{
    cardo_structure *s;
    assert_ok(cardo_pdb_parse(text, strlen(text), "made.pdb", 0, &s, &error), &error);
    return s;
}

static cardo_structure *sequence(const char *const *names, int n, int first_number)
{
    char text[4096];
    int used = 0;
    for (int i = 0; i < n; ++i)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "ATOM  %5d  CA  %3s A%4d    %8.3f%8.3f%8.3f  1.00  0.00           C\n",
                         i + 1, names[i], first_number + i, 3.8 * i, 1.0 * (i % 2), 0.0);
    return parsed(text);
}

static const char *const protein[] = {"MET", "LYS", "ALA", "GLY", "TRP", "HIS", "PRO", "VAL",
                                      "LEU", "ILE", "SER", "THR", "ASP", "GLU", "PHE", "TYR"};
enum { PROTEIN_LENGTH = 16 };

static void aligns_other_numbering(void **state)
{
    (void)state;
    /* The second lacks the first two residues and counts from 101; one residue is in another
     * protonation state. */
    const char *other[PROTEIN_LENGTH];
    memcpy(other, protein, sizeof other);
    other[5] = "HIE";
    cardo_structure *a = sequence(protein, PROTEIN_LENGTH, 1);
    cardo_structure *b = sequence(other + 2, PROTEIN_LENGTH - 2, 101);
    int match[PROTEIN_LENGTH];
    double identity;
    assert_ok(cardo_match_residues(a, b, match, &identity, &error), &error);
    assert_close(identity, 1, 0);
    for (int i = 0; i < PROTEIN_LENGTH; ++i)
        assert_int_equal(match[i], i < 2 ? -1 : i - 2);
    cardo_structure_destroy(b);

    /* A deletion in the middle. */
    const char *cut[PROTEIN_LENGTH];
    memcpy(cut, protein, 6 * sizeof cut[0]);
    memcpy(cut + 6, protein + 8, 8 * sizeof cut[0]);
    b = sequence(cut, PROTEIN_LENGTH - 2, 51);
    assert_ok(cardo_match_residues(a, b, match, &identity, &error), &error);
    for (int i = 0; i < PROTEIN_LENGTH; ++i)
        assert_int_equal(match[i], i < 6 ? i : i < 8 ? -1 : i - 2);
    cardo_structure_destroy(a);
    cardo_structure_destroy(b);
}

static void aligns_where_numbers_mislead(void **state)
{
    (void)state;
    /* The numbers of both run from 1, but mean other residues. */
    cardo_structure *a = sequence(protein, PROTEIN_LENGTH, 1);
    cardo_structure *b = sequence(protein + 3, PROTEIN_LENGTH - 3, 1);
    int match[PROTEIN_LENGTH];
    assert_ok(cardo_match_residues(a, b, match, NULL, &error), &error);
    for (int i = 0; i < PROTEIN_LENGTH; ++i)
        assert_int_equal(match[i], i < 3 ? -1 : i - 3);
    cardo_structure_destroy(a);
    cardo_structure_destroy(b);
}

static void passes_over_ligands(void **state)
{
    (void)state;
    /* A free lysine in front, in a chain of its own, is not the first protein chain. */
    static const char text[] =
        "HETATM    1  CA  LYS L 240       9.000   9.000   9.000  1.00  0.00           C\n"
        "ATOM      2  CA  LYS A   2       0.000   0.000   0.000  1.00  0.00           C\n"
        "ATOM      3  CA  ALA A   3       3.800   0.000   0.000  1.00  0.00           C\n"
        "ATOM      4  CA  GLY A   4       7.600   1.000   0.000  1.00  0.00           C\n"
        "ATOM      5  CA  TRP A   5      11.400   0.000   0.000  1.00  0.00           C\n";
    cardo_structure *a = parsed(text), *b = sequence(protein, PROTEIN_LENGTH, 1);
    int match[5];
    assert_ok(cardo_match_residues(a, b, match, NULL, &error), &error);
    assert_int_equal(match[0], -1);
    for (int i = 1; i < 5; ++i)
        assert_int_equal(match[i], i);
    cardo_structure_destroy(a);
    cardo_structure_destroy(b);
}

static void aligns_homologues_by_likeness(void **state)
{
    (void)state;
    /* Two residues are missing in the second. Equal names alone would leave open which, since all but
     * the flanks differ; leucine stands for isoleucine, arginine for lysine, not the other way. */
    static const char *const one[] = {"MET", "TRP", "CYS", "ILE", "LYS", "ASP",
                                      "ILE", "GLY", "TRP", "HIS", "PRO", "TYR"};
    static const char *const other[] = {"MET", "TRP", "CYS", "GLU", "LEU",
                                        "GLY", "TRP", "HIS", "PRO", "TYR"};
    cardo_structure *a = sequence(one, 12, 1), *b = sequence(other, 10, 201);
    int match[12];
    cardo_likeness likeness;
    assert_ok(cardo_match_alike(a, b, 0.3, match, &likeness, &error), &error);
    double identity = likeness.identity;
    static const int expected[12] = {0, 1, 2, -1, -1, 3, 4, 5, 6, 7, 8, 9};
    for (int i = 0; i < 12; ++i)
        assert_int_equal(match[i], expected[i]);
    assert_close(identity, 0.8, 1e-12);
    cardo_structure_destroy(a);
    cardo_structure_destroy(b);
}

/* Two chains of C-alpha, the second as long as the first but spelled backwards. */
static cardo_structure *two_chains(bool swapped)
{
    char text[4096] = "";
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < PROTEIN_LENGTH; ++i) {
            bool backwards = (k == 1) != swapped;
            const char *name = protein[backwards ? PROTEIN_LENGTH - 1 - i : i];
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "ATOM  %5d  CA  %s %c%4d    %8.3f%8.3f%8.3f  1.00  0.00           C\n",
                     k * PROTEIN_LENGTH + i + 1, name, k ? 'B' : 'A', i + 1, 3.8 * i,
                     i % 2 ? 1.0 : 0.0, 9.0 * k);
        }
    return parsed(text);
}

static void pairs_chains_that_are_alike(void **state)
{
    (void)state;
    cardo_structure *a = two_chains(false), *b = two_chains(true);
    int match[2 * PROTEIN_LENGTH];
    assert_ok(cardo_match_residues(a, b, match, NULL, &error), &error);
    for (int i = 0; i < 2 * PROTEIN_LENGTH; ++i)
        assert_int_equal(match[i], (i + PROTEIN_LENGTH) % (2 * PROTEIN_LENGTH));
    cardo_structure_destroy(b);

    /* A second chain without a partner stays alone. */
    b = sequence(protein, PROTEIN_LENGTH, 1);
    assert_ok(cardo_match_residues(a, b, match, NULL, &error), &error);
    for (int i = 0; i < 2 * PROTEIN_LENGTH; ++i)
        assert_int_equal(match[i], i < PROTEIN_LENGTH ? i : -1);
    cardo_structure_destroy(a);
    cardo_structure_destroy(b);
}

/* Rost's curve, worked out by hand at a few lengths; 30 % beyond it; nucleic acids have a rule of their own. */
static void asks_more_of_short_alignments(void **state)
{
    (void)state;
    assert_close(cardo_identity_needed(10, false), 1, 0);
    assert_close(cardo_identity_needed(20, false), 0.719161, 1e-6);
    assert_close(cardo_identity_needed(43, false), 0.454801, 1e-6);
    assert_close(cardo_identity_needed(80, false), 0.323657, 1e-6);
    assert_close(cardo_identity_needed(94, false), 0.3, 0);
    assert_close(cardo_identity_needed(500, false), 0.3, 0);
    assert_close(cardo_identity_needed(20, true), 0.7, 0);
    assert_close(cardo_identity_needed(500, true), 0.7, 0);
}

/* Half of the names are others: a number given is enough, the rule asks for more. */
static void takes_a_number_for_enough(void **state)
{
    (void)state;
    const char *other[PROTEIN_LENGTH];
    for (int i = 0; i < PROTEIN_LENGTH; ++i)
        other[i] = i % 2 ? protein[i] : strcmp(protein[i], "GLY") == 0 ? "ALA" : "GLY";
    cardo_structure *a = sequence(protein, PROTEIN_LENGTH, 1);
    cardo_structure *b = sequence(other, PROTEIN_LENGTH, 1);
    int match[PROTEIN_LENGTH];
    cardo_likeness likeness;
    assert_fails(cardo_match_alike(a, b, -1, match, &likeness, &error), &error, CARDO_ERROR_INPUT,
                 "enough would be");
    assert_true(likeness.identity < likeness.needed);
    assert_ok(cardo_match_alike(a, b, 0.1, match, &likeness, &error), &error);
    assert_close(likeness.needed, 0.1, 0);
    assert_int_equal(likeness.residues[0], PROTEIN_LENGTH);
    assert_close(likeness.identity, (double)likeness.same / likeness.paired, 1e-15);
    cardo_structure_destroy(a);
    cardo_structure_destroy(b);
}

/* 1/(1 + (d/d0)^2) at d = 0 and d = d0: of 115 points d0 is 1.24 cbrt(100) - 1.8 A. */
static void scores_folds(void **state)
{
    (void)state;
    double a[3 * 115], b[3 * 115], d0 = 0.1 * (1.24 * cbrt(100) - 1.8);
    for (int k = 0; k < 3 * 115; ++k)
        a[k] = b[k] = 0.1 * ((7 * k) % 31);
    assert_close(cardo_tm_score(115, a, b, xform_identity()), 1, 1e-15);
    for (int k = 0; k < 115; ++k)
        b[3 * k] += d0;
    assert_close(cardo_tm_score(115, a, b, xform_identity()), 0.5, 1e-12);
    assert_close(cardo_tm_score(0, a, b, xform_identity()), 0, 0);
}

/* BLOSUM62 as published: symmetric, and a few of its entries. */
static void scores_substitutions(void **state)
{
    (void)state;
    static const char *const names[] = {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU",
                                        "GLY", "HIS", "ILE", "LEU", "LYS", "MET", "PHE",
                                        "PRO", "SER", "THR", "TRP", "TYR", "VAL"};
    int trace = 0;
    for (int i = 0; i < 20; ++i) {
        trace += cardo_substitution_score(names[i], names[i]);
        for (int j = 0; j < 20; ++j)
            assert_int_equal(cardo_substitution_score(names[i], names[j]),
                             cardo_substitution_score(names[j], names[i]));
    }
    assert_int_equal(trace, 116);
    assert_int_equal(cardo_substitution_score("TRP", "TRP"), 11);
    assert_int_equal(cardo_substitution_score("HIE", "TYR"), 2);
    assert_int_equal(cardo_substitution_score("MSE", "MET"), 5);
    assert_int_equal(cardo_substitution_score("ILE", "GLY"), -4);
    assert_int_equal(cardo_substitution_score("DA", "DA"), 5);
    assert_int_equal(cardo_substitution_score("DA", "DC"), -2);
    assert_int_equal(cardo_substitution_score("ALA", "XYZ"), -2);
}

static void refuses_other_proteins(void **state)
{
    (void)state;
    static const char *const other[] = {"CYS", "CYS", "CYS", "CYS", "CYS"};
    cardo_structure *a = sequence(protein, PROTEIN_LENGTH, 1);
    cardo_structure *b = sequence(other, 5, 1);
    int match[PROTEIN_LENGTH];
    assert_fails(cardo_match_residues(a, b, match, NULL, &error), &error, CARDO_ERROR_INPUT,
                 "sequences of made.pdb");
    cardo_structure_destroy(b);
    b = sequence(other, 1, 1); /* a residue alone is no chain */
    assert_fails(cardo_match_residues(a, b, match, NULL, &error), &error, CARDO_ERROR_INPUT,
                 "made.pdb has no chain of residues");
    cardo_structure_destroy(a);
    cardo_structure_destroy(b);
}

/* A side of a pair in the reference table: one chain of one model of a file. */
static cardo_structure *load_side(const json_t *side)
{
    const char *file = json_string_value(json_object_get(side, "file"));
    const char *chain = json_string_value(json_object_get(side, "chain"));
    int model = (int)json_integer_value(json_object_get(side, "model"));
    cardo_structure *whole, *part;
    assert_ok(cardo_structure_read(support_shared(strchr(file, '/') + 1), model, &whole, &error),
              &error);
    bool *keep;
    char selection[20];
    snprintf(selection, sizeof selection, "%s:*", strcmp(chain, " ") == 0 ? "" : chain);
    assert_ok(CARDO_ALLOCATE(&keep, whole->natom, &error), &error);
    assert_ok(cardo_select_atoms(whole, selection, true, keep, &error), &error);
    assert_ok(cardo_structure_subset(whole, keep, &part, &error), &error);
    cardo_free(keep);
    cardo_structure_destroy(whole);
    return part;
}

typedef struct side_points {
    int n;
    double open[3 * 600], closed[3 * 600];
} side_points;

static int carbon_alpha(const cardo_structure *s, int residue)
{
    int i = residue < 0 ? -1 : cardo_structure_find_atom(s, residue, "CA");
    return i >= 0 && s->element[i] == 6 ? i : -1;
}

static void collect(const cardo_structure *open, const cardo_structure *closed, const int *match,
                    const bool *mark, side_points *points)
{
    points->n = 0;
    for (int r = 0; r < open->nresidue; ++r) {
        if (mark && !mark[r])
            continue;
        int i = carbon_alpha(open, r), j = carbon_alpha(closed, match[r]);
        if (i < 0 || j < 0)
            continue;
        memcpy(points->open + 3 * points->n, open->position + 3 * i, 3 * sizeof(double));
        memcpy(points->closed + 3 * points->n, closed->position + 3 * j, 3 * sizeof(double));
        points->n++;
    }
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

/* Fits both domains as the table's conventions say and compares RMSDs and the angle of the motion.
 */
static void check_motion(const json_t *motion, const cardo_structure *open,
                         const cardo_structure *closed, const int *match)
{
    static const char *const domains[] = {"stationary", "mobile"};
    static const char *const counts[] = {"n_stationary", "n_mobile"};
    static const char *const fits[] = {"stationary_fit", "mobile_fit"};
    static side_points points;
    const json_t *rmsds = json_object_get(motion, "rmsd");
    cardo_transform X[2];
    bool mark[2000];
    for (int d = 0; d < 2; ++d) {
        double rmsd;
        const char *text = json_string_value(json_object_get(motion, domains[d]));
        assert_ok(cardo_select_residues(open, text, false, mark, &error), &error);
        collect(open, closed, match, mark, &points);
        assert_int_equal(points.n, (int)number_of(motion, counts[d]));
        assert_ok(cardo_superpose(points.n, points.open, points.closed, NULL, &X[d], &rmsd, &error),
                  &error);
        assert_close(rmsd / CARDO_ANGSTROM, number_of(rmsds, fits[d]), 1e-6);
    }
    cardo_mat33 R = m33_mul(m33_transpose(X[0].R), X[1].R);
    double angle = 2 * acos(fmin(1, quat_from_m33(R).w)) / CARDO_DEGREE;
    const json_t *screw = json_object_get(motion, "screw");
    assert_close(angle, number_of(screw, "angle_deg"), 1e-4);
}

static void check_pair(const json_t *pair)
{
    print_message("%s\n", json_string_value(json_object_get(pair, "id")));
    cardo_structure *open = load_side(json_object_get(pair, "open"));
    cardo_structure *closed = load_side(json_object_get(pair, "closed"));
    int match[2000];
    static side_points all;
    double identity, rmsd;
    assert_true(open->nresidue < 2000);
    assert_ok(cardo_match_residues(open, closed, match, &identity, &error), &error);
    collect(open, closed, match, NULL, &all);
    assert_int_equal(all.n, (int)number_of(pair, "matched"));
    int same = 0;
    for (int r = 0; r < open->nresidue; ++r)
        same += match[r] >= 0 && carbon_alpha(open, r) >= 0 &&
                strcmp(open->residue_name[r].text, closed->residue_name[match[r]].text) == 0;
    assert_int_equal(same, (int)number_of(pair, "identical_names"));
    cardo_transform X;
    assert_ok(cardo_superpose(all.n, all.open, all.closed, NULL, &X, &rmsd, &error), &error);
    assert_close(rmsd / CARDO_ANGSTROM, number_of(pair, "global_ca_rmsd_bestfit"), 1e-6);
    size_t k;
    json_t *motion;
    json_array_foreach(json_object_get(pair, "motions"), k, motion)
        check_motion(motion, open, closed, match);
    cardo_structure_destroy(open);
    cardo_structure_destroy(closed);
}

static void finds_the_reference_motions(void **state)
{
    (void)state;
    json_error_t parse_error;
    json_t *table =
        json_load_file(support_shared("reference/domains/domain_motions.json"), 0, &parse_error);
    assert_non_null(table);
    size_t k;
    json_t *pair;
    json_array_foreach(json_object_get(table, "pairs"), k, pair) check_pair(pair);
    assert_true(k >= 13);
    json_decref(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers_a_known_motion),
        cmocka_unit_test(never_reflects),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(is_the_minimum),
        cmocka_unit_test(refuses_lines),
        cmocka_unit_test(aligns_other_numbering),
        cmocka_unit_test(aligns_homologues_by_likeness),
        cmocka_unit_test(pairs_chains_that_are_alike),
        cmocka_unit_test(scores_substitutions),
        cmocka_unit_test(asks_more_of_short_alignments),
        cmocka_unit_test(takes_a_number_for_enough),
        cmocka_unit_test(scores_folds),
        cmocka_unit_test(refuses_other_proteins),
        cmocka_unit_test(aligns_where_numbers_mislead),
        cmocka_unit_test(passes_over_ligands),
        shared_test(finds_the_reference_motions),
    };
    return support_run(tests, NULL, NULL);
}
