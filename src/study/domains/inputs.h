/* The structures of which domains are found: files and models as they are given, and the two that are compared. */
#ifndef CARDO_STUDY_DOMAINS_INPUTS_H
#define CARDO_STUDY_DOMAINS_INPUTS_H

#include "model/internal.h"
#include "structure/atoms/frame_reader.h"

/* Most frames of trajectories that are looked at, unless more are asked for. */
enum { CARDO_DOMAIN_FRAMES = 100 };

/* One frame of a trajectory, whose atoms are those of the member's own file. */
typedef struct cardo_domain_frame {
    const char *trajectory; /* NULL: the member's positions are those of its file                */
    long long number;       /* from 1                                                            */
} cardo_domain_frame;

typedef struct cardo_domain_inputs {
    int n, capacity;
    cardo_structure_definition *definition; /* what was given; ids name members in the report   */
    cardo_domain_frame *frame; /* of each: where in a trajectory its positions are (capacity)    */
    long long nframe;          /* of all trajectories                                            */
    long long stride;          /* of them every stride-th was taken                              */
    double identity;           /* that is enough for a match, set by the caller; 0: by the rule  */
    const cardo_frame_reader *reader; /* of trajectories, set by the caller; NULL: there are none */
    char **text;                      /* file names and ids that definitions borrow       */
    int ntext, text_capacity;
    cardo_model *all; /* every structure, matched to the first                                  */
    int pair[2];      /* of the members, the two that differ most; 0 and 0 when there is one    */
    cardo_model *two; /* the reference and the target, matched                                  */
} cardo_domain_inputs;

/* Lists the files; FILE#CHAIN and FILE#MODEL:CHAIN choose. A single file with several models and no
 * choice stands for all of them. A trajectory stands for its frames, every
 * stride-th one (0: so that there are CARDO_DOMAIN_FRAMES at most), with the atoms of the structure
 * before it, which then is no member itself. Reads everything and chooses the pair. Zero-initialise
 * *inputs but for identity and reader; cardo_domain_inputs_clear also after a failure. */
cardo_status cardo_domain_inputs_read(int count, const char *const *given, long long stride,
                                      cardo_domain_inputs *inputs, cardo_error *error);
void cardo_domain_inputs_clear(cardo_domain_inputs *inputs);

/* Is member k a frame of a trajectory? */
bool cardo_domain_inputs_is_frame(const cardo_domain_inputs *inputs, int k);
/* The frame that is member k, with all atoms of its file; the caller owns *out. */
cardo_status cardo_domain_inputs_read_frame(const cardo_domain_inputs *inputs, int k,
                                            cardo_structure **out, cardo_error *error);
/* Has member k be this file from now on: one that its frame was written to. */
cardo_status cardo_domain_inputs_keep_frame(cardo_domain_inputs *inputs, int k, const char *path,
                                            cardo_error *error);

/* Reads the pair again with another file in place of the reference: one that was prepared from it. */
cardo_status cardo_domain_inputs_replace(cardo_domain_inputs *inputs, const char *prepared,
                                         cardo_error *error);

#endif
