/* From a structure file as deposited to a structure that runs: the steps, and what was done as a result. */
#ifndef CARDO_STUDY_PREPARE_PREPARED_H
#define CARDO_STUDY_PREPARE_PREPARED_H

#include "base/minimize.h"
#include "base/result.h"
#include "cardo/listener.h"
#include "structure/prepare/prepare.h"

typedef struct cardo_wanted {
    cardo_prepare_options options;
    const char *input, *output;
    const char *altloc; /* NULL: by occupancy */
    cardo_read_options read;
    bool relax;
    const char
        *forcefield; /* files with commas between; NULL or "": chosen by what the structure holds */
    bool full;       /* an entry of the report for each residue                                 */
    const cardo_listener *listener; /* of relaxing; NULL: nobody                                 */
} cardo_wanted;

typedef struct cardo_prepared {
    cardo_structure *structure; /* as read, with standard names             */
    cardo_name *given_name;     /* residue names as in the file             */
    int ndeuterium;             /* its deuterium, named as hydrogen         */
    cardo_preparation *preparation;
    bool relaxed;
    int nrelaxed; /* atoms: those that were built, but for waters and ligands */
    cardo_minimize_result result;
    double moved, moved_most; /* nm: how far relaxing moved them, RMS and at most */
    char forcefield[256];     /* names of the files, for the report           */
    cardo_error not_relaxed;  /* why not, where that is so; message else ""   */
} cardo_prepared;

/* Reads, prepares and relaxes. A force field that does not cover the result is no failure: the
 * reason is in not_relaxed. Zero-initialise *prepared; cardo_prepared_clear also after a failure.
 */
cardo_status cardo_prepared_make(const cardo_wanted *wanted, cardo_prepared *prepared,
                                 cardo_error *error);
void cardo_prepared_clear(cardo_prepared *prepared);

/* Fills a group with every change, and with what there is to say of them by topic ("by_topic"). */
cardo_status cardo_prepared_fill(const cardo_wanted *wanted, const cardo_prepared *prepared,
                                 cardo_result *into, cardo_error *error);

/* Numbers of what was done. */
typedef struct cardo_prepared_sums {
    int from_file, heavy, hydrogens, residues_with_hydrogens;
    int done; /* changes that are no mere notes */
    int of_topic[CARDO_NTOPIC];
} cardo_prepared_sums;

cardo_prepared_sums cardo_prepared_sum_up(const cardo_preparation *preparation);

/* "by_topic" alone, which is for people: for each topic that there is something to say of a heading and entries, in which residues share one where the
 * same is to be said of them: "residue", all of them ("residues") or their number and the first of them; their atoms, and why.
 * full: an entry for each. */
cardo_status cardo_prepared_report(const cardo_preparation *preparation, double ph, bool full,
                                   cardo_result *into, cardo_error *error);

/* The share of heavy atoms that were built, and how many they are of how many (each may be NULL). Side chains that
 * a crystal does not show are a few per cent; a backbone lacks half of its atoms. Above the first share it is
 * said wherever the structure is used; above the second it makes no all-atom model unless one is told to. */
#define CARDO_GUESSES_TOLD    0.1
#define CARDO_GUESSES_ALLOWED 0.25
double cardo_prepared_guesses(const cardo_preparation *preparation, int *guessed, int *heavy);

/* The file of the force field for proteins, or, where there are nucleic acids, of the one that has both. */
const char *cardo_usual_forcefield(const cardo_structure *structure);

#endif
