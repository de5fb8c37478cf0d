/* REMARK 350: the copies that biological assemblies are made of. */
#ifndef CARDO_STRUCTURE_PDB_ASSEMBLIES_H
#define CARDO_STRUCTURE_PDB_ASSEMBLIES_H

#include "structure/records/records.h"

/* What the lines so far have said. Zero-initialise. */
typedef struct cardo_pdb_assemblies {
    char names[80];          /* of the assemblies that lines are about, with commas between */
    int first_chain, nchain; /* in the records' list                                        */
    cardo_mat33 rotation;
    double shift[3];
    int nrow; /* rows of the operator that have been read, from the first on       */
} cardo_pdb_assemblies;

/* Takes the text of one line after "REMARK 350". What cannot be read is left out. */
cardo_status cardo_pdb_assemblies_read(cardo_pdb_assemblies *assemblies, const char *text,
                                       int length, cardo_records *records, cardo_error *error);

#endif
