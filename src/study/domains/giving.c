#include "study/domains/giving.h"

#include "base/units.h"
#include "cardo/structure.h"
#include "forces/relax/bonded_geometry.h"

#include <math.h>
#include <string.h>

/* Residues beside a strand that give way with it, those so near to it that give way where they turn, and those at a chain's
 * ends that need not. */
enum { BESIDE = 2, NEAR = 10, END = 2 };
/* Between two crystals of one conformation phi and psi differ by less, as a rule. */
static const double turned = 20 * CARDO_DEGREE;

static bool is_inside(const cardo_structure *s, int residue, int margin)
{
    return residue >= margin && residue < s->nresidue - margin &&
           s->residue_chain[residue - margin] == s->residue_chain[residue] &&
           s->residue_chain[residue + margin] == s->residue_chain[residue];
}

/* Phi (C of the residue before, N, CA, C) or psi (N, CA, C, N of the residue after); false: an atom is missing. */
static bool find_torsion(const cardo_structure *s, int residue, bool psi, double *torsion)
{
    const int atom[4] = {psi ? cardo_structure_find_atom(s, residue, "N")
                             : cardo_structure_find_atom(s, residue - 1, "C"),
                         cardo_structure_find_atom(s, residue, psi ? "CA" : "N"),
                         cardo_structure_find_atom(s, residue, psi ? "C" : "CA"),
                         psi ? cardo_structure_find_atom(s, residue + 1, "N")
                             : cardo_structure_find_atom(s, residue, "C")};
    for (int k = 0; k < 4; ++k)
        if (atom[k] < 0)
            return false;
    *torsion = cardo_torsion_of(s->position, atom);
    return true;
}

static bool turns(const cardo_model *two, int residue)
{
    const cardo_structure *reference = two->structure[0].structure,
                          *target = two->structure[1].structure;
    const int *match = two->structure[1].match;
    const int there = match[residue];
    if (!is_inside(reference, residue, END) || there < 0 || !is_inside(target, there, 1) ||
        match[residue - 1] != there - 1 || match[residue + 1] != there + 1)
        return false;
    for (int psi = 0; psi < 2; ++psi) {
        double first, last;
        if (find_torsion(reference, residue, psi, &first) &&
            find_torsion(target, there, psi, &last) &&
            fabs(remainder(last - first, 2 * CARDO_PI)) > turned)
            return true;
    }
    return false;
}

void cardo_giving_choose(const cardo_model *two, const cardo_domain_motions *motions, bool *giving)
{
    const cardo_structure *s = two->structure[0].structure;
    for (int k = 0; k < motions->nstrand; ++k) {
        const cardo_hinge_strand *strand = &motions->strand[k];
        for (int r = strand->first - NEAR; r <= strand->last + NEAR; ++r) {
            if (r < 0 || r >= s->nresidue || s->residue_chain[r] != s->residue_chain[strand->first])
                continue;
            const bool beside = r >= strand->first - BESIDE && r <= strand->last + BESIDE;
            giving[r] = giving[r] || beside || (two->nstructure > 1 && turns(two, r));
        }
    }
    cardo_giving_tidy(s, motions, giving);
}

static bool is_in_chain(const cardo_structure *s, int residue, int beside)
{
    return residue >= 0 && residue < s->nresidue &&
           s->residue_chain[residue] == s->residue_chain[beside];
}

static bool has_strand(const cardo_domain_motions *motions, int first, int last)
{
    for (int k = 0; k < motions->nstrand; ++k)
        if (motions->strand[k].first <= last && motions->strand[k].last >= first)
            return true;
    return false;
}

void cardo_giving_tidy(const cardo_structure *reference, const cardo_domain_motions *motions,
                       bool *giving)
{
    enum { FEWEST = 4 };
    for (int r = 0, end; r < reference->nresidue; r = end) {
        end = r + 1;
        if (!giving[r])
            continue;
        while (is_in_chain(reference, end, r) && giving[end])
            ++end;
        if (end - r < FEWEST && is_in_chain(reference, r - 1, r) &&
            is_in_chain(reference, end, r) && !has_strand(motions, r, end - 1))
            memset(giving + r, 0, (size_t)(end - r) * sizeof *giving);
    }
}
