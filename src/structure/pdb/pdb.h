/* Reading structures, and writing PDB files: ATOM, HETATM, TER, MODEL, SSBOND, CRYST1. */
#ifndef CARDO_STRUCTURE_PDB_PDB_H
#define CARDO_STRUCTURE_PDB_PDB_H

#include "structure/atoms/structure.h"
#include "structure/records/read_options.h"

#include <stdio.h>

/* Reads one model of a structure file: PDB or mmCIF, or an AMBER topology and its coordinates
 * (structure/amber/amber.h), plain or gzip, found by content. Alternate
 * locations: per residue and atom name that of highest occupancy, then the first
 * in the file; of residues with several names the one of highest mean occupancy; all are listed in
 * the structure. An atom that stands there twice without labels is kept once and
 * counted in nduplicate. END records are passed over: what follows one is read. The caller owns
 * *out. Errors name file and line. Label numbering of a PDB file is
 * CARDO_ERROR_INPUT. No file makes this take more memory than fifty times its size and a few
 * megabytes (CARDO_ERROR_INPUT). */
cardo_status cardo_structure_read_as(const char *path, const cardo_read_options *options,
                                     cardo_structure **out, cardo_error *error);

/* Does the path's extension name mmCIF? */
bool cardo_path_is_mmcif(const char *path);

/* Parses PDB text in memory; name stands for the file in messages. */
cardo_status cardo_pdb_parse(const char *text, size_t length, const char *name, int model,
                             cardo_structure **out, cardo_error *error);

/* Has a PDB file room for all of it, in plain numbers: chain ids of one character, names of four, residue
 * numbers to 9999 and serial numbers to 99999 (beyond them there is hybrid-36, which few programs read), positions
 * (natom x 3, nm; NULL: the structure's own) within its columns? */
bool cardo_pdb_holds(const cardo_structure *structure, const double *positions);

/* What a file that the program names itself ends in: "pdb" where that holds the structure, else "cif". */
const char *cardo_structure_extension(const cardo_structure *structure, const double *positions);

/* Writes the structure as PDB 3.3 text to an open stream, with positions (natom x 3, nm) in place
 * of the structure's own when not NULL. model > 0 frames it in MODEL/ENDMDL; SEQRES, REMARK 465, SSBOND, LINK and CRYST1 only
 * when model <= 1; no END record. Serial numbers above 99999 and residue numbers above 9999 go out
 * in hybrid-36. */
cardo_status cardo_pdb_write(FILE *stream, const cardo_structure *structure,
                             const double *positions, int model, cardo_error *error);

#endif
