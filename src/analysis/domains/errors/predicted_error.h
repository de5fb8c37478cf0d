/* Predicted aligned errors: how far a predictor expects each residue to be from where it put it, when the structures are superposed on
 * another residue (Jumper et al. 2021, Nature 596, 583; supplement 1.9.7). */
#ifndef CARDO_ANALYSIS_DOMAINS_ERRORS_PREDICTED_ERROR_H
#define CARDO_ANALYSIS_DOMAINS_ERRORS_PREDICTED_ERROR_H

#include "structure/atoms/structure.h"

/* The most residues whose matrix is looked at: 200 MB of numbers. */
enum { CARDO_PREDICTED_ERROR_MOST = 5000 };

/* What a token of AlphaFold 3 is of: a residue, or an atom of a ligand. */
typedef struct cardo_error_token {
    cardo_name chain;
    int number;
} cardo_error_token;

typedef struct cardo_predicted_error {
    int n;
    double *error;      /* of the second residue, superposed on the first, nm             (n x n) */
    const char *form;   /* whose file it is: "ColabFold"                                          */
    int nconfidence;    /* pLDDT that the file has beside it, 0 or n                              */
    double *confidence; /* 0 to 100                                                (nconfidence) */
    cardo_error_token *token; /* of AlphaFold 3 (n), until they are matched; else NULL            */
    bool by_atom;             /* pLDDT of the structure is that of atoms                         */
} cardo_predicted_error;

/* Reads the JSON of AlphaFold's database ([{"predicted_aligned_error": rows}], and the former lists residue1, residue2, distance),
 * of ColabFold ({"pae": rows, "plddt": list}) or of AlphaFold 3 ({"pae": rows, "token_chain_ids": list, "token_res_ids": list}).
 * A matrix that is not square, or has what is no number from 0 to 1000 A, is CARDO_ERROR_INPUT that says where and what to do.
 * Zero-initialise; cardo_predicted_error_clear also after a failure. */
cardo_status cardo_predicted_error_read(const char *path, cardo_predicted_error *out,
                                        cardo_error *error);
void cardo_predicted_error_clear(cardo_predicted_error *predicted);

/* Leaves the rows and columns of the residues of a structure, in their order: by chain and number where the file has these, else
 * there must be as many. */
cardo_status cardo_predicted_error_match(cardo_predicted_error *predicted, const char *path,
                                         const cardo_structure *structure, cardo_error *error);

/* pLDDT of each residue of a structure (nresidue): of the file beside the matrix, or C-alpha's B factor, where predictors write it. *known:
 * whether there is one: B factors are taken for pLDDT where they are between 0 and 100, not all alike, and the same for all atoms of a residue (or the
 * errors AlphaFold 3's), which those of crystals are not. Values up to 1 are taken times 100. */
void cardo_predicted_confidence(const cardo_predicted_error *predicted,
                                const cardo_structure *structure, double *confidence, bool *known);

#endif
