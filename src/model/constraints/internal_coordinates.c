#include "base/text.h"
#include "model/constraints/kind.h"
#include "model/constraints/numbers.h"
#include "model/constraints/parts.h"
#include "model/points.h"
#include "multibody/constraints/constraint.h"
#include "multibody/constraints/parts/internal_geometry.h"

#include <string.h>

typedef struct internal_words {
    constraint_words common;
    char atoms[CARDO_FIELD_TEXT_SIZE], values[CARDO_FIELD_TEXT_SIZE];
} internal_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(internal_words),
    CONSTRAINT_LIST(internal_words, "atoms", atoms,
                    "one to six coordinates with ; between: two atoms have a distance, three an "
                    "angle, four a dihedral; all are in two bodies"),
    CONSTRAINT_LIST(internal_words, "values", values,
                    "of the coordinates, nm and rad; none: as the reference has them"),
    {0},
};

static cardo_status add_point(const constraint_maker *maker, const char *word, int *npoint,
                              cardo_internal_coordinates *p, cardo_error *error)
{
    cardo_internal_coordinate *row = &p->row[p->nrow];
    int owner;
    if (row->npoint == CARDO_INTERNAL_POINTS)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "atoms: '%s' is a fifth atom; a coordinate has two to four, with ; "
                          "between one and the next",
                          word);
    cardo_status status =
        cardo_model_point(maker->model, "atoms", word, &row->point[row->npoint], &owner, error);
    if (status != CARDO_OK)
        return status;
    int *body = *npoint == 0 ? &p->body1 : &p->body2;
    const bool is_first = *npoint > 0 && owner + 1 == p->body1;
    if (*npoint == 0 || (p->body2 == 0 && !is_first))
        *body = owner + 1;
    if (owner < 0 || (owner + 1 != p->body1 && owner + 1 != p->body2))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "atoms: '%s' is in neither of the two bodies that the atoms before it "
                          "are in",
                          word);
    row->body[row->npoint++] = owner + 1 == p->body1 ? 1 : 2;
    ++*npoint;
    return CARDO_OK;
}

static cardo_status end_row(cardo_internal_coordinates *p, cardo_error *error)
{
    cardo_internal_coordinate *row = &p->row[p->nrow];
    if (row->npoint < 2)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "atoms: coordinate %d needs two to four atoms, such as \"A:10@C A:11@N\"",
                          p->nrow + 1);
    row->value = cardo_internal_value(row->npoint, row->point);
    ++p->nrow;
    return CARDO_OK;
}

static cardo_status read_rows(const constraint_maker *maker, const char *text,
                              cardo_internal_coordinates *p, cardo_error *error)
{
    char row[CARDO_FIELD_TEXT_SIZE], word[CARDO_FIELD_STRING_SIZE];
    int npoint = 0;
    cardo_status status = CARDO_OK;
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ";");
        if (p->nrow == CARDO_INTERNAL_ROWS)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "atoms: more than %d coordinates",
                              (int)CARDO_INTERNAL_ROWS);
        memcpy(row, at, length);
        row[length] = '\0';
        for (const char *rest = row; cardo_constraint_next_word(&rest, word);)
            CARDO_TRY(add_point(maker, word, &npoint, p, error));
        CARDO_TRY(end_row(p, error));
        at += length + (at[length] == ';');
    }
done:
    return status;
}

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const internal_words *w = words;
    cardo_internal_coordinates *p = &maker->into->parameters.internal;
    double *value = NULL;
    int n = 0;
    cardo_status status;
    *p = (cardo_internal_coordinates){0};
    CARDO_TRY(read_rows(maker, w->atoms, p, error));
    if (p->nrow == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "atoms=\"\" is missing: such as \"A:10@C A:11@N\" for a distance");
    if (!w->values[0])
        return CARDO_OK;
    CARDO_TRY(cardo_constraint_numbers(maker, 0, "values", w->values, &value, &n, error));
    if (n != p->nrow)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "values: %d numbers for %d coordinates", n,
                          p->nrow);
    for (int i = 0; i < n; ++i)
        p->row[i].value = value[i];
done:
    return status;
}

static void move(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_internal_coordinates *p = &parameters->internal;
    for (int i = 0; i < p->nrow; ++i)
        for (int k = 0; k < p->row[i].npoint; ++k) {
            const int body = p->row[i].body[k] == 1 ? p->body1 : p->body2;
            p->row[i].point[k] = v3_sub(p->row[i].point[k], origins[body]);
        }
}

const cardo_written_constraint cardo_written_internal_coordinates = {
    .kind = &cardo_constraint_internal_coordinates,
    .fields = fields,
    .size = sizeof(internal_words),
    .example = "<internal-coordinates atoms=\"A:10@C A:150@N; A:10@CA A:10@C A:150@N\"/>",
    .make = make,
    .move = move,
};
