/* The study "modes": normal modes of a model in its own coordinates. */
#ifndef CARDO_STUDY_MODES_MODES_H
#define CARDO_STUDY_MODES_MODES_H

#include "base/writer.h"
#include "study/modes/options.h"

/* The study's options. Members of the session's communicator share out what forces are evaluated for; the result is the
 * first one's, those of the others stay empty. */
typedef struct cardo_modes_options {
    cardo_mode_options modes;
    const cardo_writer *writer; /* NULL: no files */
} cardo_modes_options;

#endif
