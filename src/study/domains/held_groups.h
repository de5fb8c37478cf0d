/* Which residues are held at once: the cheapest of those that were not tried, by themselves at first. Where two have been held one after the other, two are tried
 * together, then four and so on: most of what costs little can be held, and a trial takes as long for many as for one. Once they cannot
 * be, each is tried by itself. */
#ifndef CARDO_STUDY_DOMAINS_HELD_GROUPS_H
#define CARDO_STUDY_DOMAINS_HELD_GROUPS_H

#include <stdbool.h>

enum { CARDO_HELD_TOGETHER = 8 };

typedef struct cardo_held_group {
    int n, residue[CARDO_HELD_TOGETHER];
} cardo_held_group;

/* Takes at most so many as are expected to come to one bound, or one. share: of a bound that it comes to where a residue is held, infinite where the stiffness says
 * nothing (nresidue); now: where none is. unweighed: of which of these one is taken by itself, once none is left that was weighed (nresidue); NULL: of
 * none. Those taken count as tried; n is 0 where none is left. */
void cardo_held_group_take(int nresidue, const double *share, const bool *unweighed, double now,
                           int most, bool *tried, cardo_held_group *group);

/* How many are held together after a group. *in_turn: groups that were held, one after the other; zero at first. */
int cardo_held_group_next(const cardo_held_group *group, bool held, int *in_turn);

#endif
