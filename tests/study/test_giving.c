/* Which residues of domains cannot turn. */
#include "support/support.h"

#include "study/domains/giving.h"

#include <string.h>

enum { RESIDUES = 24 };

/* Two chains of 16 and 8 residues, a strand in the first. */
static void short_loops_of_domains_are_let_go_of(void **unused)
{
    (void)unused;
    int chain[RESIDUES];
    for (int r = 0; r < RESIDUES; ++r)
        chain[r] = r >= 16;
    const cardo_structure structure = {.nresidue = RESIDUES, .residue_chain = chain};
    cardo_hinge_strand strand = {.first = 7, .last = 8};
    const cardo_domain_motions motions = {.nstrand = 1, .strand = &strand};
    /* Three in a row; one beside the strand; one in a row of its own; the end of one chain and the begin of the next; four in a row. */
    const char before[] = "..###..#.#....##"
                          "#..####.";
    const char after[] = ".......#......##"
                         "#..####.";
    bool giving[RESIDUES];
    for (int r = 0; r < RESIDUES; ++r)
        giving[r] = before[r] == '#';
    cardo_giving_tidy(&structure, &motions, giving);
    for (int r = 0; r < RESIDUES; ++r)
        assert_int_equal(giving[r], after[r] == '#');
    cardo_giving_tidy(&structure, &motions, giving);
    for (int r = 0; r < RESIDUES; ++r)
        assert_int_equal(giving[r], after[r] == '#');
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_loops_of_domains_are_let_go_of)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
