#include "model/points.h"

#include "base/memory.h"
#include "base/number.h"
#include "structure/atoms/selection.h"

#include <string.h>

bool cardo_model_numbers(const char *text, int n, double *numbers)
{
    const char *blanks = " ,\t\r\n";
    for (int k = 0; k < n; ++k) {
        text += strspn(text, blanks);
        size_t length = strcspn(text, blanks);
        if (!cardo_parse_double(text, (int)length, &numbers[k]))
            return false;
        text += length;
    }
    return text[strspn(text, blanks)] == '\0';
}

/* The mean place of marked atoms, and the body that has all of them. */
static void average(const cardo_model *model, const bool *mark, cardo_vec3 *point, int *body)
{
    const cardo_structure *reference = model->structure[0].structure;
    cardo_vec3 sum = v3(0, 0, 0);
    int n = 0, owner = -1;
    for (int i = 0; i < reference->natom; ++i) {
        if (!mark[i])
            continue;
        sum = v3_add(sum, v3_load(reference->position + 3 * i));
        const int its = body ? model->atom_body[i] : -1;
        owner = n == 0 || its == owner ? its : -1;
        ++n;
    }
    *point = v3_scale(1.0 / n, sum);
    if (body)
        *body = owner;
}

cardo_status cardo_model_point(const cardo_model *model, const char *name, const char *text,
                               cardo_vec3 *point, int *body, cardo_error *error)
{
    const cardo_structure *reference = model->structure[0].structure;
    double v[3];
    if (body)
        *body = -1;
    if (cardo_model_numbers(text, 3, v)) {
        *point = v3_load(v);
        return CARDO_OK;
    }
    bool *mark;
    cardo_status status = CARDO_ALLOCATE(&mark, reference->natom, error);
    if (status == CARDO_OK)
        status = cardo_select_atoms(reference, text, true, mark, error);
    if (status == CARDO_OK)
        average(model, mark, point, body);
    cardo_free(mark);
    if (status != CARDO_OK)
        return cardo_error_prefix(
            error, "%s=\"%s\" is neither three numbers (nm) nor a selection: ", name, text);
    return CARDO_OK;
}
