/* Domains by predicted errors: files as predictors write them, damaged ones, communities of graphs that are known, and matrices made of pairs
 * of crystal structures. */
#include "analysis/domains/errors/communities.h"
#include "analysis/domains/errors/error_domains.h"
#include "analysis/domains/errors/predicted_error.h"
#include "base/memory.h"
#include "base/random.h"
#include "structure/atoms/superpose.h"
#include "support/agreement.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cardo_error error;

/* --- Files ------------------------------------------------------------------------------------ */

static void reads_every_form(void **state)
{
    static const struct {
        const char *text, *form;
        int confidence;
    } forms[] = {
        {"[{\"predicted_aligned_error\": [[0, 1.5, 9], [2, 0, 3], [8, 4, 0]], "
         "\"max_predicted_aligned_error\": 31.75}]",
         "AlphaFold database", 0},
        {"{\"predicted_aligned_error\": [[0, 1.5, 9], [2, 0, 3], [8, 4, 0]]}", "AlphaFold database",
         0},
        {"[{\"residue1\": [1,1,1,2,2,2,3,3,3], \"residue2\": [1,2,3,1,2,3,1,2,3], \"distance\": "
         "[0,1.5,9,2,0,3,8,4,0]}]",
         "AlphaFold database, lists of pairs", 0},
        {"{\"plddt\": [90, 80.5, 30], \"max_pae\": 9, \"ptm\": 0.5, \"pae\": [[0, 1.5, 9], [2, 0, "
         "3], [8, 4, 0]]}",
         "ColabFold", 3},
        {"{\"token_chain_ids\": [\"A\", \"A\", \"B\"], \"token_res_ids\": [1, 2, 1], \"pae\": [[0, "
         "1.5, 9], [2, 0, 3], [8, 4, 0]]}",
         "AlphaFold 3", 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; ++k) {
        cardo_predicted_error read = {0};
        assert_ok(
            cardo_predicted_error_read(support_write("pae.json", forms[k].text), &read, &error),
            &error);
        assert_int_equal(read.n, 3);
        assert_string_equal(read.form, forms[k].form);
        assert_close(read.error[1], 0.15, 1e-15);
        assert_close(read.error[3], 0.2, 1e-15);
        assert_close(read.error[2 * 3 + 1], 0.4, 1e-15);
        assert_int_equal(read.nconfidence, forms[k].confidence);
        cardo_predicted_error_clear(&read);
    }
}

static void refuses_damaged_ones(void **state)
{
    static const struct {
        const char *text, *says;
    } damaged[] = {
        {"[{\"predicted_aligned_error\": [[0, 1], [2]]}]", "row 2 has 1 values"},
        {"[{\"predicted_aligned_error\": [[0, 1], [2, 0], [1, 1]]}]", "not square"},
        {"[{\"predicted_aligned_error\": [[0, NaN], [2, 0]]}]", "NaN and Infinity"},
        {"[{\"predicted_aligned_error\": [[0, null], [2, 0]]}]",
         "residue 2 superposed on residue 1"},
        {"[{\"predicted_aligned_error\": [[0, -1], [2, 0]]}]", "is -1 A"},
        {"[{\"predicted_aligned_error\": [[0, \"1\"], [2, 0]]}]", "no number"},
        {"[{\"predicted_aligned_error\": [[0, 1], [2, 0]", "no whole JSON"},
        {"[{\"predicted_aligned_error\": []}]", "0 residues"},
        {"[{\"residue1\": [1,1,2], \"residue2\": [1,2,1], \"distance\": [0,1,2]}]", "all pairs"},
        {"[{\"residue1\": [1,1,2,2], \"residue2\": [1,2,1,1], \"distance\": [0,1,2,0]}]", "twice"},
        {"[{\"residue1\": [1,1,2,2], \"residue2\": [1,2,1,7], \"distance\": [0,1,2,0]}]", "1 to n"},
        {"{\"pae\": [[0, 1], [2, 0]], \"plddt\": [90]}", "1 values of pLDDT for 2"},
        {"{\"plddt\": [90]}", "no predicted errors"},
        {"[]", "no predicted errors"},
        {"hello", "no whole JSON"},
        {"", "no whole JSON"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof damaged / sizeof *damaged; ++k) {
        cardo_predicted_error read = {0};
        assert_fails(
            cardo_predicted_error_read(support_write("pae.json", damaged[k].text), &read, &error),
            &error, CARDO_ERROR_INPUT, damaged[k].says);
        cardo_predicted_error_clear(&read);
    }
    cardo_predicted_error read = {0};
    assert_int_equal(cardo_predicted_error_read("nowhere.json", &read, &error), CARDO_ERROR_FILE);
    cardo_predicted_error_clear(&read);
}

/* --- Communities ------------------------------------------------------------------------------ */

/* Zachary's karate club (1977): the largest modularity of its 34 members and 78 ties is 0.4198 (Brandes et al. 2008), with four groups. */
static const unsigned char club[][2] = {
    {1, 2},   {1, 3},   {1, 4},   {1, 5},   {1, 6},   {1, 7},   {1, 8},   {1, 9},   {1, 11},
    {1, 12},  {1, 13},  {1, 14},  {1, 18},  {1, 20},  {1, 22},  {1, 32},  {2, 3},   {2, 4},
    {2, 8},   {2, 14},  {2, 18},  {2, 20},  {2, 22},  {2, 31},  {3, 4},   {3, 8},   {3, 9},
    {3, 10},  {3, 14},  {3, 28},  {3, 29},  {3, 33},  {4, 8},   {4, 13},  {4, 14},  {5, 7},
    {5, 11},  {6, 7},   {6, 11},  {6, 17},  {7, 17},  {9, 31},  {9, 33},  {9, 34},  {10, 34},
    {14, 34}, {15, 33}, {15, 34}, {16, 33}, {16, 34}, {19, 33}, {19, 34}, {20, 34}, {21, 33},
    {21, 34}, {23, 33}, {23, 34}, {24, 26}, {24, 28}, {24, 30}, {24, 33}, {24, 34}, {25, 26},
    {25, 28}, {25, 32}, {26, 32}, {27, 30}, {27, 34}, {28, 34}, {29, 32}, {29, 34}, {30, 33},
    {30, 34}, {31, 33}, {31, 34}, {32, 33}, {32, 34}, {33, 34}};

static void finds_communities(void **state)
{
    enum { N = 34 };
    double weight[N * N] = {0}, Q;
    int community[N], count;
    (void)state;
    for (size_t k = 0; k < sizeof club / sizeof *club; ++k) {
        const int i = club[k][0] - 1, j = club[k][1] - 1;
        weight[i * N + j] = weight[j * N + i] = 1;
    }
    assert_ok(cardo_communities_find(N, weight, 1, community, &count, &Q, &error), &error);
    printf("  karate club: %d communities, modularity %.4f\n", count, Q);
    assert_true(Q > 0.41 && Q < 0.4199);
    assert_int_equal(count, 4);
    assert_int_not_equal(community[0], community[33]);
    /* Without ties each is by itself. */
    memset(weight, 0, sizeof weight);
    assert_ok(cardo_communities_find(N, weight, 1, community, &count, &Q, &error), &error);
    assert_int_equal(count, N);
}

/* --- Pairs of crystals ------------------------------------------------------------------------ */

static const char *const pairs[][2] = {
    {"pdb/2lao.pdb", "pdb/1lst.pdb"},          {"pdb/1ggg_A_bb.pdb", "pdb/1wdn.pdb"},
    {"pdb/1urp_A_bb.pdb", "pdb/2dri.pdb"},     {"pdb/1dpe_A_bb.pdb", "pdb/1dpp_A_bb.pdb"},
    {"pdb/1omp.pdb", "pdb/1anf.pdb"},          {"pdb/4ake_A_fixedH.pdb", "pdb/1ake_A.pdb"},
    {"pdb/1bpd_A_bb.pdb", "pdb/2bpg_E_bb.pdb"}};

typedef struct matrix {
    int n;
    double *error;
    int *domain, *chain;
} matrix;

static cardo_structure *load(const char *name)
{
    cardo_structure *all, *out;
    bool *keep;
    assert_ok(cardo_structure_read(support_shared(name), 0, &all, &error), &error);
    assert_ok(CARDO_ALLOCATE(&keep, all->natom, &error), &error);
    for (int i = 0; i < all->natom; ++i)
        keep[i] = !all->hetero[all->atom_residue[i]];
    assert_ok(cardo_structure_subset(all, keep, &out, &error), &error);
    cardo_free(keep);
    cardo_structure_destroy(all);
    return out;
}

/* Small inside the domains that a pair shows, rising with distance, large between them; noise of its own for each pair of residues. */
static void make_matrix(const cardo_structure *s, const cardo_domain_motions *m, unsigned seed,
                        double noise, matrix *out)
{
    cardo_random random = cardo_random_start(seed, 1);
    out->n = s->nresidue;
    assert_ok(CARDO_ALLOCATE(&out->error, out->n * out->n, &error), &error);
    assert_ok(CARDO_ALLOCATE(&out->domain, out->n, &error), &error);
    assert_ok(CARDO_ALLOCATE(&out->chain, out->n, &error), &error);
    for (int i = 0; i < out->n; ++i) {
        const double *a = s->position + 3 * (size_t)s->residue_first[i];
        out->domain[i] = m->domain[i];
        out->chain[i] = s->residue_chain[i];
        for (int j = 0; j < out->n; ++j) {
            const double *b = s->position + 3 * (size_t)s->residue_first[j];
            const double d = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
            double z[2];
            cardo_random_normal(&random, 2, z);
            const double clean = m->domain[i] == m->domain[j] ? 0.08 + 0.04 * d : 0.7 + 0.2 * d;
            out->error[i * out->n + j] = i == j ? 0.02 : clean * exp(noise * z[0]);
        }
    }
}

static void clear_matrix(matrix *m)
{
    cardo_free(m->error);
    cardo_free(m->domain);
    cardo_free(m->chain);
}

static void finds_domains_of_pairs(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
        cardo_structure *a = load(pairs[k][0]), *b = load(pairs[k][1]);
        cardo_domain_options search = cardo_domain_options_default();
        cardo_error_options options;
        cardo_domain_motions *shown, *tree;
        cardo_error_domains found = {0};
        matrix made;
        int *match, loose = 0;
        cardo_fields_default(cardo_error_option_fields, &options);
        assert_ok(CARDO_ALLOCATE(&match, a->nresidue, &error), &error);
        assert_ok(cardo_match_residues(a, b, match, NULL, &error), &error);
        assert_ok(cardo_domain_motions_find(a, b, match, &search, &shown, &error), &error);
        make_matrix(a, shown, (unsigned)k + 1, 0.5, &made);
        assert_ok(cardo_error_domains_find(made.n, made.error, made.chain, NULL, search.smallest,
                                           &options, &found, &error),
                  &error);
        const double agreement = agreement_of(made.n, made.domain, found.domain);
        for (int i = 0; i < made.n; ++i)
            loose += found.loose[i];
        printf("  %s: %d domains, %d of the pair; %.1f %% of residues alike, %d linkers, Q %.3f, "
               "%s\n",
               pairs[k][0], found.ndomain, shown->ndomain, 100 * agreement, loose, found.modularity,
               found.stable ? "stable" : "not stable");
        assert_int_equal(found.ndomain, shown->ndomain);
        assert_true(agreement >= 0.95);
        assert_ok(cardo_error_domains_tree(&found, a, &tree, &error), &error);
        assert_int_equal(tree->nhinge, found.ndomain - 1);
        cardo_domain_motions_destroy(tree);
        cardo_error_domains_clear(&found);
        clear_matrix(&made);
        cardo_domain_motions_destroy(shown);
        cardo_free(match);
        cardo_structure_destroy(a);
        cardo_structure_destroy(b);
    }
}

/* One domain stays one, and noise alone has none. */
static void invents_nothing(void **state)
{
    enum { N = 150 };
    double *errors;
    int chain[N] = {0};
    cardo_error_options options;
    cardo_random random = cardo_random_start(5, 1);
    (void)state;
    cardo_fields_default(cardo_error_option_fields, &options);
    assert_ok(CARDO_ALLOCATE(&errors, N * N, &error), &error);
    for (int vague = 0; vague < 2; ++vague) {
        cardo_error_domains found = {0};
        for (int i = 0; i < N * N; ++i) {
            double z[2];
            cardo_random_normal(&random, 2, z);
            errors[i] = (vague ? 2 : 0.2) * exp(0.3 * z[0]);
        }
        assert_ok(cardo_error_domains_find(N, errors, chain, NULL, 20, &options, &found, &error),
                  &error);
        assert_int_equal(found.ndomain, vague ? 0 : 1);
        cardo_error_domains_clear(&found);
    }
    cardo_free(errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_form),  cmocka_unit_test(refuses_damaged_ones),
        cmocka_unit_test(finds_communities), cmocka_unit_test(invents_nothing),
        shared_test(finds_domains_of_pairs),
    };
    return support_run(tests, NULL, NULL);
}
