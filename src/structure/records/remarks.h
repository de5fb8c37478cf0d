/* What reading a file has met that its user should know: choices that were made, and oddities. */
#ifndef CARDO_STRUCTURE_RECORDS_REMARKS_H
#define CARDO_STRUCTURE_RECORDS_REMARKS_H

#include "structure/atoms/structure.h"

/* Told one remark: a line of text without the name of the file and without a full stop. */
typedef void cardo_remark(void *user, const char *text);

/* Tells of several models, residues with alternate locations (by name, with the labels taken and
 * not taken), atoms that stand there twice, serial numbers that repeat, CONECT records
 * that make no bond, and atoms of no known element. */
void cardo_structure_remarks(const cardo_structure *structure, cardo_remark *tell, void *user);

#endif
