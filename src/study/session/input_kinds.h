/* What a file that a study is given is: by its name, and a trajectory by how it begins. */
#ifndef CARDO_STUDY_SESSION_INPUT_KINDS_H
#define CARDO_STUDY_SESSION_INPUT_KINDS_H

#include "structure/atoms/frame_reader.h"

#include <stdbool.h>
#include <stddef.h>

/* Does a name end so, whatever its case, without what follows a # and without .gz? */
bool cardo_input_ends_with(const char *path, const char *ending);
/* .pdb, .ent, .cif, .mmcif, .pdbx */
bool cardo_input_is_structure(const char *path);
/* The name of a trajectory goes to found (size): path's own, or that of the trajectory in the folder of a run. False: neither, or reader is
 * NULL. */
bool cardo_input_find_frames(const cardo_frame_reader *reader, const char *path, char *found,
                             size_t size);

#endif
