#include "model/constraints/constraints.h"

#include "base/memory.h"
#include "model/constraints/kinds.h"

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

static cardo_status make(cardo_model *model, const cardo_xml_element *element, void **words,
                         cardo_error *error)
{
    cardo_status status;
    const cardo_written_constraint *kind = cardo_written_constraint_find(cardo_xml_name(element));
    CARDO_TRY(cardo_allocate(words, 1, kind->size, error));
    CARDO_TRY(read_words(kind, element, *words, error));
    const constraint_words *common = *words;
    if (common->name[0])
        CARDO_TRY(check_name(model, common->name, error));
    cardo_model_constraint *into = &model->constraint[model->nconstraint++];
    *into = (cardo_model_constraint){.line = cardo_xml_line(element),
                                     .kind = kind->kind,
                                     .off = !common->on,
                                     .move = kind->move};
    if (common->name[0])
        CARDO_TRY(cardo_copy_string(&into->name, common->name, error));
    const constraint_maker maker = {model, into};
    status = kind->make(&maker, *words, error);
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
        void *words = NULL;
        if (model->nconstraint >= MOST)
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "more than %d constraints", (int)MOST);
        if (status == CARDO_OK)
            status = CARDO_RESERVE(&model->constraint, &capacity, model->nconstraint + 1, error);
        if (status == CARDO_OK)
            status = make(model, e, &words, error);
        cardo_free(words);
        if (status != CARDO_OK)
            cardo_error_prefix(error, "%s:%d: <%s>: ", cardo_xml_path(document), cardo_xml_line(e),
                               cardo_xml_name(e));
    }
    return status;
}
