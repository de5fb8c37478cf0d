/* What a reader of structures is asked for. */
#ifndef CARDO_STRUCTURE_RECORDS_READ_OPTIONS_H
#define CARDO_STRUCTURE_RECORDS_READ_OPTIONS_H

#include <stdbool.h>

/* What is taken of a file, and how it is called. Zero-initialise. */
typedef struct cardo_read_options {
    int model; /* serial number (1 also for the only model of a file that numbers it otherwise);
                  0: the first model that has atoms                                           */
    bool label_numbering;    /* mmCIF: chains, residues and atoms as label_asym_id, label_seq_id,
                             label_comp_id and label_atom_id name them, not as the authors. What has
                             no place in a sequence keeps its author's number                   */
    const char *assembly;    /* of PDB and mmCIF files: name of the assembly that is built by the
                             file's own operators; NULL: the atoms as the file has them          */
    const char *coordinates; /* of an AMBER topology: the file that has them; NULL: beside it  */
} cardo_read_options;

#endif
