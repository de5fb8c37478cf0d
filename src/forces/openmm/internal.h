/* What the files of this room share of a provider: build.c makes its System from terms, adopt.c from a
 * file; method.c gives that the nonbonded method; context.c opens it on a platform; evaluate.c evaluates
 * it; provider.c puts these together for the outside; parts.c takes a System apart. Functions that are
 * said to call OpenMM are called inside a guard; the others have guards of their own. */
#ifndef CARDO_FORCES_OPENMM_INTERNAL_H
#define CARDO_FORCES_OPENMM_INTERNAL_H

#include "forces/openmm/engine.h"
#include "forces/openmm/openmm.h"

/* OpenMM has as many force groups. */
enum { CARDO_OPENMM_TERMS = 32, CARDO_OPENMM_NAME_SIZE = 64 };

/* Force groups of the contract: what costs little changes fast. */
enum { CARDO_OPENMM_SLOW = 1 << 0, CARDO_OPENMM_FAST = 1 << 1 };

/* A NonbondedForce over all pairs, which the CPU platform does faster by a large cutoff. */
typedef struct cardo_openmm_pair_force {
    OpenMM_NonbondedForce *force; /* belongs to the System                               */
    int term;
    double charge_pairs; /* sum of q_i q_j over the pairs that are no exceptions, e^2    */
} cardo_openmm_pair_force;

typedef struct cardo_openmm_term {
    char name[CARDO_OPENMM_NAME_SIZE];
    bool evaluated;  /* has a Force in the System, in the force group of the term's index */
    int cost;        /* rank: the dearest term is found by subtraction                   */
    double constant; /* bonded terms inside bodies, kJ/mol                               */
} cardo_openmm_term;

typedef struct cardo_openmm_provider {
    cardo_force_provider base; /* first: the two are cast into each other */
    cardo_openmm_options options;
    cardo_openmm_engine engine;
    int natom, npair;
    cardo_openmm_pair_force *pairs;
    double all_pairs_cutoff; /* nm; 0: NoCutoff                                          */
    bool has_pair_list;      /* results depend on where a pair list was last made        */
    cardo_openmm_term terms[CARDO_OPENMM_TERMS];
    const char *term_names[CARDO_OPENMM_TERMS];
    int remainder; /* the dearest term                                                   */
    char platform[CARDO_OPENMM_NAME_SIZE];
    char doc[256];
} cardo_openmm_provider;

/* A provider without a System. The caller destroys *out by its base. */
cardo_status cardo_openmm_provider_new(int natom, const cardo_openmm_options *options,
                                       cardo_openmm_provider **out, cardo_error *error);

/* A provider with its System made from terms, but no Context yet. whole: only what terms cannot give
 * back is left out inside bodies. The rest as in cardo_openmm_provider_create. */
cardo_status cardo_openmm_provider_begin(const cardo_terms *terms, const int *body_of_atom,
                                         const double *positions, bool whole,
                                         const cardo_openmm_options *options,
                                         cardo_openmm_provider **out, cardo_error *error);

/* CARDO_ERROR_UNSUPPORTED for terms that a System cannot hold with these options. */
cardo_status cardo_openmm_can_hold(const cardo_terms *terms, const cardo_openmm_options *options,
                                   cardo_error *error);
/* Dielectric beyond a cutoff; has_gb: a solvent of its own screens charges. */
double cardo_openmm_reaction_field(const cardo_openmm_options *options, bool has_gb);

/* Reads the System of a file into a provider that has none; masses (natom) may be NULL. */
cardo_status cardo_openmm_provider_adopt(cardo_openmm_provider *p, const char *path, double *masses,
                                         cardo_error *error);

/* Opens a Context on the platform that the options name. */
cardo_status cardo_openmm_provider_open(cardo_openmm_provider *p, cardo_error *error);

/* The same, at positions (natom x 3, nm), by which the pair list is made. */
cardo_status cardo_openmm_provider_open_at(cardo_openmm_provider *p, const double *positions,
                                           cardo_error *error);

/* Puts the positions in the position buffer into the Context, and makes its pair list: a fresh
 * Context has none, and makes one at its first evaluation, even of no force group at all. arg is the
 * provider. Calls OpenMM. */
cardo_status cardo_openmm_make_pair_list(void *arg, cardo_error *error);

/* OpenMM's force groups, a term each, of groups of the contract. */
unsigned cardo_openmm_groups(const cardo_openmm_provider *p, unsigned groups);

/* Index of the term of that name, added when it is new. Names are words for table headers, so what
 * would break a table is replaced; when the force groups are used up the last term takes all that
 * follow. */
int cardo_openmm_term_named(cardo_openmm_provider *p, const char *name, int cost);

/* Applies the method asked for to a NonbondedForce that is NoCutoff. Charges that a global
 * parameter can change have no constant sum, so such a Force stays as it is. Calls OpenMM. */
void cardo_openmm_apply_method(cardo_openmm_provider *p, OpenMM_NonbondedForce *force, int term,
                               bool has_gb);

/* All pairs as the platform does them best. The CPU platform's NoCutoff walks over pairs one by one;
 * its cutoff path is vectorized and, with a cutoff beyond the molecule and dielectric 1, gives the
 * same forces. Other platforms take NoCutoff as it is. Calls OpenMM. */
void cardo_openmm_set_all_pairs(cardo_openmm_provider *p, bool by_cutoff);

/* Keeps the cutoff that stands for all pairs beyond atoms that are spread over extent nm. */
cardo_status cardo_openmm_keep_all_pairs(cardo_openmm_provider *p, double extent,
                                         cardo_error *error);

#endif
