#include "model/constraints/constraints.h"

#include "base/memory.h"
#include "model/constraints/kinds.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 10000 };

static cardo_status read_words(const cardo_written_constraint *kind,
                               const cardo_xml_element *element, void *words, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_fields_default(kind->fields, words);
    for (int k = 0; k < cardo_xml_attribute_count(element) && status == CARDO_OK; ++k)
        status = cardo_fields_set(kind->fields, words, cardo_xml_attribute_name(element, k),
                                  cardo_xml_attribute_value(element, k), error);
    return status;
}

static cardo_status check_name(const cardo_model *model, const char *name, cardo_error *error)
{
    for (int k = 0; k < model->nconstraint; ++k)
        if (model->constraint[k].name && strcmp(model->constraint[k].name, name) == 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "constraint '%s' is there already (line %d); give it another name",
                              name, model->constraint[k].line);
    return CARDO_OK;
}

/* The name of one, or of one of several that an element stands for: tie-1, tie-2. */
static cardo_status name_one(const cardo_model *model, const constraint_words *common, int number,
                             int count, char **out, cardo_error *error)
{
    char name[CARDO_FIELD_STRING_SIZE + 16];
    cardo_status status = CARDO_OK;
    if (!common->name[0])
        return CARDO_OK;
    if (count > 1)
        snprintf(name, sizeof name, "%s-%d", common->name, number + 1);
    else
        snprintf(name, sizeof name, "%s", common->name);
    CARDO_TRY(check_name(model, name, error));
    CARDO_TRY(cardo_copy_string(out, name, error));
done:
    return status;
}

static cardo_status make(cardo_model *model, const cardo_written_constraint *kind, int line,
                         const void *words, int *capacity, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const constraint_words *common = words;
    const int count = kind->count ? kind->count(words) : 1;
    if (model->nconstraint + count > MOST)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "more than %d constraints", (int)MOST);
    CARDO_TRY(CARDO_RESERVE(&model->constraint, capacity, model->nconstraint + count, error));
    for (int k = 0; k < count; ++k) {
        char *name = NULL;
        CARDO_TRY(name_one(model, common, k, count, &name, error));
        cardo_model_constraint *into = &model->constraint[model->nconstraint++];
        *into = (cardo_model_constraint){
            .line = line, .name = name, .kind = kind->kind, .off = !common->on, .move = kind->move};
        const constraint_maker maker = {model, into, k};
        CARDO_TRY(kind->make(&maker, words, error));
    }
done:
    return status;
}

cardo_status cardo_model_read_constraints(cardo_model *model, const cardo_xml *document,
                                          const cardo_xml_element *constraints, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int capacity = model->nconstraint;
    const cardo_xml_element *e = constraints ? cardo_xml_child(constraints, NULL) : NULL;
    for (; e && status == CARDO_OK; e = cardo_xml_next(e, NULL)) {
        const cardo_written_constraint *kind = cardo_written_constraint_find(cardo_xml_name(e));
        void *words = NULL;
        status = cardo_allocate(&words, 1, kind->size, error);
        if (status == CARDO_OK)
            status = read_words(kind, e, words, error);
        if (status == CARDO_OK)
            status = make(model, kind, cardo_xml_line(e), words, &capacity, error);
        cardo_free(words);
        if (status != CARDO_OK)
            cardo_error_prefix(error, "%s:%d: <%s>: ", cardo_xml_path(document), cardo_xml_line(e),
                               cardo_xml_name(e));
    }
    return status;
}
