/* What the steps of a transition came to, as texts by step and name: the plan of a study that was stopped is read back from them. */
#ifndef CARDO_STUDY_TRANSITION_NOTES_H
#define CARDO_STUDY_TRANSITION_NOTES_H

#include "base/writer.h"

/* Zero-initialise. */
typedef struct cardo_step_notes {
    int n, capacity;
    struct cardo_step_note {
        char *step, *name, *value;
    } * note;            /* (n) */
    cardo_status failed; /* of the first note that could not be made */
} cardo_step_notes;

/* Borrowed; NULL: nothing was noted. */
const char *cardo_step_text(const cardo_step_notes *notes, const char *step, const char *name);
/* NaN: nothing was noted. */
double cardo_step_number(const cardo_step_notes *notes, const char *step, const char *name);
/* At most that many of a list; returns how many there are. */
int cardo_step_numbers(const cardo_step_notes *notes, const char *step, const char *name,
                       double *values, int most);

/* Notes a text (line ends become blanks; NULL: nothing), a number to the bit, or a list of them, in place of what was
 * there. What fails is kept for cardo_step_notes_status. */
void cardo_step_note_text(cardo_step_notes *notes, const char *step, const char *name,
                          const char *value);
void cardo_step_note_number(cardo_step_notes *notes, const char *step, const char *name,
                            double value);
void cardo_step_note_numbers(cardo_step_notes *notes, const char *step, const char *name,
                             const double *values, int n);
cardo_status cardo_step_notes_status(const cardo_step_notes *notes, cardo_error *error);

/* All notes, in a file of a writer. */
cardo_status cardo_step_notes_save(const cardo_step_notes *notes, const cardo_writer *writer,
                                   const char *file, cardo_error *error);
cardo_status cardo_step_notes_recall(cardo_step_notes *notes, const cardo_writer *writer,
                                     const char *file, cardo_error *error);
void cardo_step_notes_clear(cardo_step_notes *notes);

#endif
