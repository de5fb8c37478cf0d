/* Domains, hinges and a verdict for two structures of one molecule.
 *
 * Residues are those of the first structure, the reference; lengths nm, angles radian, vectors in
 * the reference's own frame. Motions are fitted as for path mobilizers (model/path_fit.h): by the
 * C-alpha of domains without their bending residues. */
#ifndef CARDO_ANALYSIS_DOMAINS_MOTIONS_H
#define CARDO_ANALYSIS_DOMAINS_MOTIONS_H

#include "analysis/domains/finder.h"
#include "analysis/domains/strands.h"
#include "model/path_fit.h"
#include "structure/atoms/structure.h"

/* How a domain is joined to its parent. */
typedef struct cardo_domain_hinge {
    int parent, child;   /* domains                                                           */
    cardo_path_fit *fit; /* of the child's motion as the parent sees it                       */
    double ratio;        /* motion between the two beside the deformation inside of them      */
    int nstrand;         /* strands that cross from one to the other                          */
    int contacts[2];     /* pairs of C-alpha within 1 nm, in the reference and in the target, of
                            residues that do not bend and are 10 or more apart along a chain  */
    bool tether;         /* one strand or none, and the domains are apart in one structure: nothing
                            fixes the axis                                                    */
} cardo_domain_hinge;

typedef enum cardo_motion_verdict {
    CARDO_MOTION_NONE,   /* one rigid domain                                                  */
    CARDO_MOTION_HINGED, /* rigid domains on hinges                                           */
    CARDO_MOTION_TETHER, /* a domain on a flexible strand: not a rigid hinge                  */
    CARDO_MOTION_SOFT    /* rigid domains explain less than half of it: not a rigid hinge     */
} cardo_motion_verdict;

typedef struct cardo_domain_motions {
    int ndomain;
    int *domain;   /* of every residue of the reference, 0.. by falling size; those that the
                       target lacks go with their neighbours                       (nresidue) */
    bool *bending; /*                                                             (nresidue) */
    int *parent;   /* of each domain in the tree, -1: the root                     (ndomain) */
    int *matched;  /* residues of each domain that both structures have            (ndomain) */
    double *rmsd;  /* that each domain's own rigid motion leaves                   (ndomain) */
    int nhinge;    /* ndomain - 1, parents before children                                   */
    cardo_domain_hinge *hinge;
    int nstrand;
    cardo_hinge_strand *strand; /* in order along the chains                                  */
    int nmatched;               /* residues of both structures                                */
    double rmsd_before;         /* that one rigid motion of all leaves                        */
    double rmsd_left;           /* that a rigid motion of each domain leaves                  */
    double explained;           /* 1 - rmsd_left / rmsd_before                                */
    double agreement;           /* of the two methods                                         */
    int found[CARDO_DOMAIN_METHODS]; /* domains that each method finds by itself              */
    cardo_motion_verdict verdict;
    bool predicted; /* the target is the reference displaced along a mode: angles and lengths mean
                       nothing                                                                */
} cardo_domain_motions;

/* Finds them. match: residue of target for each of the reference, or -1. The caller owns *out. The
 * tree takes the largest domain as its root and joins the others by covalent strands first, then by
 * contacts, then by nearness (a maximal spanning tree). */
cardo_status cardo_domain_motions_find(const cardo_structure *reference,
                                       const cardo_structure *target, const int *match,
                                       const cardo_domain_options *options,
                                       cardo_domain_motions **out, cardo_error *error);
void cardo_domain_motions_destroy(cardo_domain_motions *motions);

/* Marks the residues of domain p without those that bend, or the bending residues of the strands
 * between domains p and q: mask[nresidue], overwritten. */
void cardo_domain_mask(const cardo_domain_motions *motions, int nresidue, int p, bool *mask);
void cardo_hinge_mask(const cardo_domain_motions *motions, int nresidue, int p, int q, bool *mask);

/* The verdict in words, such as "two domains, one hinge of 51.7 degrees, explains 90 % of 4.70 A".
 * Returns text. */
enum { CARDO_VERDICT_SIZE = 512 };
char *cardo_domain_verdict(const cardo_domain_motions *motions, const cardo_structure *reference,
                           char text[CARDO_VERDICT_SIZE]);

/* A name for domain p that a model file takes: "domain1" for the largest. Returns text. */
char *cardo_domain_name(int p, char text[32]);

#endif
