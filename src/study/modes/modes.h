/* The study "modes": normal modes of a model in its own coordinates. */
#ifndef CARDO_STUDY_MODES_MODES_H
#define CARDO_STUDY_MODES_MODES_H

#include "base/communicator.h"
#include "base/writer.h"
#include "study/modes/options.h"

/* The study's options. Everything but the first member may be left 0. */
typedef struct cardo_modes_options {
    cardo_mode_options modes;
    /* Members share out what forces are evaluated for; the result is the first one's, those of the others stay empty. */
    cardo_communicator *communicator;
    const cardo_writer *writer; /* of the first member */
} cardo_modes_options;

#endif
