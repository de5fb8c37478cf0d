/* Biological assemblies: copies of a file's chains by the file's own operators. */
#ifndef CARDO_STRUCTURE_RECORDS_COPIES_H
#define CARDO_STRUCTURE_RECORDS_COPIES_H

#include "structure/records/records.h"

#include <stddef.h>

/* Puts the copies of an assembly in the place of the records, with their links and sequences. The first copy of a chain keeps its name, the others get
 * letters or digits that no chain has, and where there are none left names such as "A-2". The crystal's cell is forgotten.
 * CARDO_ERROR_INPUT: the file (name, for messages) has no such assembly, an operator is no rotation, or there
 * would be more than 2e7 atoms. */
cardo_status cardo_records_build_assembly(cardo_records *records, const char *name,
                                          const char *assembly, cardo_error *error);

/* Tells a structure what was built, or what assembly its file offers. Takes what the records know of chains that are copies. */
void cardo_copies_fill(cardo_records *records, cardo_structure *structure);

/* Words for people, true where there are any: that the file's first assembly is more than its atoms; and which chains are copies of chain number k of those that have copies. */
bool cardo_offered_words(const cardo_structure *structure, char *text, size_t size);
bool cardo_copied_words(const cardo_structure *structure, int k, char *text, size_t size);

#endif
