/* What selection texts mean, and what is refused with which words. */
#include "support/support.h"

#include "base/memory.h"
#include "structure/atoms/selection.h"
#include "structure/pdb/pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_error error;
static cardo_structure *one_chain, *two_chains;

typedef struct made_residue {
    const char *name;
    char chain;
    int number;
    char insertion;
} made_residue;

static cardo_structure *make(const made_residue *residues, int n)
{
    char text[8192];
    int used = 0;
    static const char *const atoms[] = {"N", "CA", "CB"};
    for (int i = 0; i < n; ++i) {
        bool water = strcmp(residues[i].name, "HOH") == 0;
        for (int k = 0; k < (water ? 1 : 3); ++k)
            used += snprintf(text + used, sizeof text - (size_t)used,
                             "%s%5d  %-3s %3s %c%4d%c   %8.3f%8.3f%8.3f  1.00  0.00\n",
                             water ? "HETATM" : "ATOM  ", 3 * i + k + 1, water ? "O" : atoms[k],
                             residues[i].name, residues[i].chain, residues[i].number,
                             residues[i].insertion, 3.8 * i, 1.0 * k, 0.0);
    }
    cardo_structure *s;
    assert_ok(cardo_pdb_parse(text, strlen(text), "made.pdb", 0, &s, &error), &error);
    return s;
}

static int setup(void **state)
{
    (void)state;
    static const made_residue one[] = {
        {"ALA", ' ', -1, ' '}, {"LYS", ' ', 1, ' '}, {"GLY", ' ', 2, ' '}, {"GLY", ' ', 3, 'B'},
        {"ARG", ' ', 3, 'A'},  {"LYS", ' ', 3, ' '}, {"PRO", ' ', 6, ' '}, {"HOH", ' ', 101, ' '},
    };
    static const made_residue two[] = {
        {"ALA", 'A', 1, ' '}, {"LYS", 'A', 2, ' '}, {"GLY", 'A', 3, ' '}, {"VAL", '2', 1, ' '},
        {"ILE", '2', 2, ' '}, {"MET", '2', 3, ' '}, {"HOH", 'A', 9, ' '},
    };
    one_chain = make(one, 8);
    two_chains = make(two, 7);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cardo_structure_destroy(one_chain);
    cardo_structure_destroy(two_chains);
    return 0;
}

/* The marked residues as a row of digits, "" for a failure. */
static const char *residues_of(const cardo_structure *s, const char *text, bool strict)
{
    static char row[64];
    bool mark[64];
    int n = 0;
    if (cardo_select_residues(s, text, strict, mark, &error) == CARDO_OK)
        for (int r = 0; r < s->nresidue; ++r)
            if (mark[r])
                row[n++] = (char)('0' + r);
    row[n] = '\0';
    return row;
}

static int atoms_of(const cardo_structure *s, const char *text)
{
    bool mark[64];
    int n = 0;
    assert_ok(cardo_select_atoms(s, text, true, mark, &error), &error);
    for (int i = 0; i < s->natom; ++i)
        n += mark[i];
    return n;
}

static void selects_residues(void **state)
{
    (void)state;
    assert_string_equal(residues_of(two_chains, "A:1-2", true), "01");
    assert_string_equal(residues_of(two_chains, "A:1-2,2:2-3", true), "0145");
    assert_string_equal(residues_of(two_chains, "A:1-2 2:2-3", true), "0145");
    assert_string_equal(residues_of(two_chains, " 2:3 , A:1 ", true), "05");
    assert_string_equal(residues_of(two_chains, "A", true), "0126");
    assert_string_equal(residues_of(two_chains, "A:*", true), "0126");
    assert_string_equal(residues_of(two_chains, "2:*", true), "345");
    assert_string_equal(residues_of(two_chains, "resname LYS+MET", true), "15");
    assert_string_equal(residues_of(two_chains, "resname LYS,2:1", true), "13");
}

static void leaves_out_the_only_chain(void **state)
{
    (void)state;
    assert_string_equal(residues_of(one_chain, "1-2 6", true), "126");
    assert_string_equal(residues_of(one_chain, ":1-2", true), "12");
    assert_string_equal(residues_of(one_chain, ":*", true), "01234567");
    bool mark[64];
    assert_fails(cardo_select_residues(two_chains, "1-2", true, mark, &error), &error,
                 CARDO_ERROR_INPUT, "name the chain");
}

static void follows_the_order_of_the_file(void **state)
{
    (void)state;
    /* Insertion codes that run backwards: 3B, 3A, 3. */
    assert_string_equal(residues_of(one_chain, "2-3", true), "2345");
    assert_string_equal(residues_of(one_chain, "3B-3A", true), "34");
    assert_string_equal(residues_of(one_chain, "3A-6", true), "456");
    assert_string_equal(residues_of(one_chain, "-1-1", true), "01");
    assert_string_equal(residues_of(one_chain, "-1--1", true), "0");
    assert_string_equal(residues_of(one_chain, "3A", true), "4");
}

static void selects_atoms(void **state)
{
    (void)state;
    assert_int_equal(atoms_of(two_chains, "A:1-3@CA"), 3);
    assert_int_equal(atoms_of(two_chains, "A:1-3@CA,CB"), 6);
    assert_int_equal(atoms_of(two_chains, "A:1-3@CA+CB"), 6);
    assert_int_equal(atoms_of(two_chains, "A:1-3@CA,2:1@N,CB"), 5);
    assert_int_equal(atoms_of(two_chains, "A:*@CA 2"), 12);
    assert_int_equal(atoms_of(two_chains, "A@CA"), 3);
    assert_int_equal(atoms_of(one_chain, "1-2@CA,6@CA"), 3);
    assert_int_equal(atoms_of(one_chain, "1-2@CA,-1--1"), 5);
    assert_string_equal(residues_of(two_chains, "A:1-3@CB", true), "012");
}

static void refuses_with_reasons(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"A:1-4", "chain 'A' has no residue 4; it has 1-3, 9"},
        {"B:1", "there is no chain 'B'; chains: 'A' '2'"},
        {"B", "there is no chain 'B'"},
        {"A:3-1", "ends before it begins"},
        {"A:1-", "column 3"},
        {"A:x", "expected residues"},
        {"A:", "residues are missing"},
        {"A:1@", "atom names are missing"},
        {"A:1@CG", "no such atom"},
        {"resname", "residue names are missing"},
        {"resname TRP", "no residue has this name"},
        {"", "means nothing"},
        {"A:99999999999", "expected residues"},
        {"aVeryLongChainNameIndeed:1", "no chain has so long a name"},
    };
    bool mark[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        bool there = strncmp(cases[i].text, "B", 1) != 0;
        cardo_status status = cardo_select_residues(two_chains, cases[i].text, true, mark, &error);
        assert_fails(status, &error, CARDO_ERROR_INPUT,
                     there || !strchr(cases[i].text, ':') ? cases[i].reason : NULL);
    }
}

static void clips_when_not_strict(void **state)
{
    (void)state;
    assert_string_equal(residues_of(two_chains, "A:-5-2", false), "01");
    assert_string_equal(residues_of(two_chains, "A:2-8,B:1-5", false), "12");
    assert_string_equal(residues_of(one_chain, "4-100", false), "6");
    assert_string_equal(residues_of(two_chains, "A:20-30", false), "");
    assert_non_null(strstr(error.message, "means nothing"));
}

static void prints_what_it_reads(void **state)
{
    (void)state;
    static const char *const texts[] = {"A:1-2,2:2-3", "A:1-3", "A:2", "A:9", "A:1,A:3,2:1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        bool mark[64];
        char *text;
        assert_ok(cardo_select_residues(two_chains, texts[i], true, mark, &error), &error);
        assert_ok(cardo_selection_text(two_chains, mark, &text, &error), &error);
        assert_string_equal(text, texts[i]);
        cardo_free(text);
    }
    /* Every mask of the structure with insertion codes comes back as it was. */
    for (int bits = 1; bits < 256; ++bits) {
        bool mark[8], back[8];
        char *text;
        for (int r = 0; r < 8; ++r)
            mark[r] = bits >> r & 1;
        assert_ok(cardo_selection_text(one_chain, mark, &text, &error), &error);
        assert_ok(cardo_select_residues(one_chain, text, true, back, &error), &error);
        assert_memory_equal(mark, back, sizeof mark);
        cardo_free(text);
    }
    bool none[8] = {false};
    char *text;
    assert_fails(cardo_selection_text(one_chain, none, &text, &error), &error, CARDO_ERROR_ARGUMENT,
                 "no residue is marked");
}

/* A mmCIF file of residues 1 ... n in each of these chains, one atom each. */
static cardo_structure *make_chains(const char *const *chains, int nchain, int n)
{
    size_t size = 200 + 64 * (size_t)n * (size_t)nchain, used;
    char *text = malloc(size);
    assert_non_null(text);
    used =
        (size_t)snprintf(text, size,
                         "data_made loop_ _atom_site.type_symbol _atom_site.auth_atom_id "
                         "_atom_site.auth_comp_id _atom_site.auth_asym_id _atom_site.auth_seq_id "
                         "_atom_site.Cartn_x _atom_site.Cartn_y _atom_site.Cartn_z\n");
    for (int c = 0; c < nchain; ++c)
        for (int r = 1; r <= n; ++r)
            used += (size_t)snprintf(text + used, size - used, "C CA GLY %s %d %d 0 %d\n",
                                     chains[c], r, r, c);
    cardo_structure *s;
    assert_ok(cardo_structure_read(support_write("made.cif", text), 0, &s, &error), &error);
    free(text);
    return s;
}

static void selects_long_chain_names(void **state)
{
    (void)state;
    static const char *const chains[] = {"A", "AA", "A-2", "1A"};
    cardo_structure *s = make_chains(chains, 4, 2);
    assert_string_equal(residues_of(s, "AA:1-2", true), "23");
    assert_string_equal(residues_of(s, "A:1,AA:2@CA", true), "03");
    assert_string_equal(residues_of(s, "AA", true), "23");
    assert_string_equal(residues_of(s, "A-2:*", true), "45");
    assert_string_equal(residues_of(s, "A-2", true), "45");
    assert_string_equal(residues_of(s, "1A", true), "67");
    assert_string_equal(residues_of(s, "1A:1-2 A", true), "0167");
    bool mark[8] = {false, true, true, false, true, true, false, true};
    char *text;
    assert_ok(cardo_selection_text(s, mark, &text, &error), &error);
    assert_string_equal(text, "A:2,AA:1,A-2:1-2,1A:2");
    cardo_free(text);
    cardo_structure_destroy(s);
}

/* Looked through one by one, these would take hours. */
static void takes_a_million_ranges(void **state)
{
    (void)state;
    enum { N = 100000, RANGES = SUPPORT_SANITIZED ? 100000 : 1000000, LONGEST = 32 };
    static const char *const chains[] = {"AA"};
    cardo_structure *s = make_chains(chains, 1, N);
    char *text = malloc((size_t)RANGES * LONGEST), *back;
    bool *mark = malloc(N), *expected = calloc(N, 1);
    size_t used = 0;
    assert_true(text && mark && expected);
    for (int k = 0; k < RANGES; ++k) {
        int first = (int)(7919LL * k % (N - 9)) + 1;
        bool all = k % 1000 == 0;
        if (all)
            used += (size_t)snprintf(text + used, LONGEST, "AA:90000-%d,", N);
        else
            used += (size_t)snprintf(text + used, LONGEST, "AA:%d-%d,", first, first + k % 3);
        for (int r = first; !all && r <= first + k % 3; ++r)
            expected[r - 1] = true;
    }
    memset(expected + 89999, 1, N - 89999);
    for (int strict = 0; strict < 2; ++strict) {
        assert_ok(cardo_select_residues(s, text, strict, mark, &error), &error);
        assert_memory_equal(mark, expected, N);
        assert_ok(cardo_select_atoms(s, text, strict, mark, &error), &error);
        assert_memory_equal(mark, expected, N);
    }
    for (int r = 0; r < N; ++r)
        mark[r] = r % 2 == 0;
    assert_ok(cardo_selection_text(s, mark, &back, &error), &error);
    cardo_free(back);
    free(text);
    free(mark);
    free(expected);
    cardo_structure_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selects_long_chain_names),
        cmocka_unit_test(takes_a_million_ranges),
        cmocka_unit_test(selects_residues),
        cmocka_unit_test(leaves_out_the_only_chain),
        cmocka_unit_test(follows_the_order_of_the_file),
        cmocka_unit_test(selects_atoms),
        cmocka_unit_test(refuses_with_reasons),
        cmocka_unit_test(clips_when_not_strict),
        cmocka_unit_test(prints_what_it_reads),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
