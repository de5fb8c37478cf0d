/* Whether a file is a structure, by its name, or a trajectory, by how it begins. */
#ifndef CARDO_STRUCTURE_ATOMS_FILE_KINDS_H
#define CARDO_STRUCTURE_ATOMS_FILE_KINDS_H

#include "structure/atoms/frame_reader.h"

#include <stdbool.h>
#include <stddef.h>

/* Does a name end so, whatever its case, without what follows a # and without .gz? */
bool cardo_file_ends_with(const char *path, const char *ending);
/* .pdb, .ent, .cif, .mmcif, .pdbx */
bool cardo_file_is_structure(const char *path);
/* The name of a trajectory goes to found (size): path's own, or that of the trajectory in the folder of a run. False: neither, or reader is
 * NULL. */
bool cardo_file_find_frames(const cardo_frame_reader *reader, const char *path, char *found,
                            size_t size);

#endif
