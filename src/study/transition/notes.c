#include "study/transition/notes.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"

#include <math.h>
#include <string.h>

static int find(const cardo_step_notes *notes, const char *step, const char *name)
{
    for (int k = 0; k < notes->n; ++k)
        if (strcmp(notes->note[k].step, step) == 0 && strcmp(notes->note[k].name, name) == 0)
            return k;
    return -1;
}

const char *cardo_step_text(const cardo_step_notes *notes, const char *step, const char *name)
{
    const int k = find(notes, step, name);
    return k < 0 ? NULL : notes->note[k].value;
}

int cardo_step_numbers(const cardo_step_notes *notes, const char *step, const char *name,
                       double *values, int most)
{
    const char *text = cardo_step_text(notes, step, name);
    int n = 0;
    while (text && *text && n < most) {
        char *end;
        const double value = cardo_read_double(text, &end);
        if (end == text)
            break;
        values[n++] = value;
        text = end + strspn(end, " ");
    }
    return n;
}

double cardo_step_number(const cardo_step_notes *notes, const char *step, const char *name)
{
    double value;
    return cardo_step_numbers(notes, step, name, &value, 1) == 1 ? value : (double)NAN;
}

static cardo_status put(cardo_step_notes *notes, const char *step, const char *name,
                        const char *value)
{
    cardo_status status;
    char *own = NULL;
    int k = find(notes, step, name);
    CARDO_TRY(cardo_copy_string(&own, value, NULL));
    for (char *c = own; *c; ++c)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    for (size_t n = strlen(own); n > 0 && own[n - 1] == ' '; --n)
        own[n - 1] = '\0';
    if (k < 0) {
        CARDO_TRY(CARDO_RESERVE(&notes->note, &notes->capacity, notes->n + 1, NULL));
        struct cardo_step_note *fresh = &notes->note[notes->n];
        *fresh = (struct cardo_step_note){0};
        status = cardo_copy_string(&fresh->step, step, NULL);
        if (status == CARDO_OK)
            status = cardo_copy_string(&fresh->name, name, NULL);
        k = notes->n++; /* also half made: it is cleared with the others */
        CARDO_TRY(status);
    }
    cardo_free(notes->note[k].value);
    notes->note[k].value = own;
    own = NULL;
done:
    cardo_free(own);
    return status;
}

void cardo_step_note_text(cardo_step_notes *notes, const char *step, const char *name,
                          const char *value)
{
    if (value && notes->failed == CARDO_OK)
        notes->failed = put(notes, step, name, value);
}

void cardo_step_note_numbers(cardo_step_notes *notes, const char *step, const char *name,
                             const double *values, int n)
{
    enum { DIGITS = 26 };
    char *text;
    if (CARDO_ALLOCATE(&text, (size_t)n * DIGITS + 1, NULL) != CARDO_OK) {
        notes->failed = CARDO_ERROR_MEMORY;
        return;
    }
    for (int k = 0; k < n; ++k)
        cardo_append(text, (size_t)n * DIGITS + 1, "%s%.17g", k ? " " : "", values[k]);
    cardo_step_note_text(notes, step, name, text);
    cardo_free(text);
}

void cardo_step_note_number(cardo_step_notes *notes, const char *step, const char *name,
                            double value)
{
    cardo_step_note_numbers(notes, step, name, &value, 1);
}

cardo_status cardo_step_notes_status(const cardo_step_notes *notes, cardo_error *error)
{
    return notes->failed == CARDO_OK
               ? CARDO_OK
               : CARDO_FAIL(error, notes->failed, "no memory for what the steps came to");
}

cardo_status cardo_step_notes_save(const cardo_step_notes *notes, const cardo_writer *writer,
                                   const char *file, cardo_error *error)
{
    cardo_text_stream stream = {0};
    char *text = NULL;
    cardo_status status = cardo_step_notes_status(notes, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(cardo_text_stream_open(&stream, error));
    for (int k = 0; k < notes->n; ++k)
        fprintf(stream.stream, "%s\t%s\t%s\n", notes->note[k].step, notes->note[k].name,
                notes->note[k].value);
    CARDO_TRY(cardo_text_stream_close(&stream, CARDO_OK, &text, error));
    status = cardo_writer_save(writer, file, text, strlen(text), NULL, 0, error);
done:
    cardo_free(text);
    return status;
}

cardo_status cardo_step_notes_recall(cardo_step_notes *notes, const cardo_writer *writer,
                                     const char *file, cardo_error *error)
{
    char *text;
    double *values;
    size_t n;
    cardo_status status = cardo_writer_recall(writer, file, &text, &values, &n, error);
    for (char *line = text; status == CARDO_OK && line && *line;) {
        char *end = line + strcspn(line, "\n"), *name = strchr(line, '\t');
        char *value = name && name < end ? strchr(name + 1, '\t') : NULL;
        char *next = *end ? end + 1 : end;
        *end = '\0';
        if (value && value < end) {
            *name = *value = '\0';
            cardo_step_note_text(notes, line, name + 1, value + 1);
        }
        line = next;
    }
    cardo_free(text);
    cardo_free(values);
    return status == CARDO_OK ? cardo_step_notes_status(notes, error) : status;
}

void cardo_step_notes_clear(cardo_step_notes *notes)
{
    for (int k = 0; k < notes->n; ++k) {
        cardo_free(notes->note[k].step);
        cardo_free(notes->note[k].name);
        cardo_free(notes->note[k].value);
    }
    cardo_free(notes->note);
    *notes = (cardo_step_notes){0};
}
