#include "forces/ffxml/definitions/atom_types.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

const char *const cardo_attribute_names[CARDO_ATTRIBUTE_COUNT + 1] = {
    "charge", "sigma", "epsilon", "radius", "scale", "sigma14", "epsilon14", NULL};

static cardo_status class_of(cardo_atom_types *types, const char *name, int *index,
                             cardo_error *error)
{
    *index = cardo_name_table_find(&types->classes, name);
    if (*index >= 0)
        return CARDO_OK;
    *index = types->nclass++;
    return cardo_name_table_set(&types->classes, name, *index, error);
}

static cardo_status read_type(cardo_atom_types *types, const cardo_xml *document,
                              const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *class_name = NULL, *symbol = cardo_xml_attribute(element, "element");
    cardo_atom_type type = {0};
    CARDO_TRY(cardo_xml_need(document, element, "name", &type.name, error));
    CARDO_TRY(cardo_xml_need(document, element, "class", &class_name, error));
    CARDO_TRY(cardo_xml_double(document, element, "mass", &type.mass, error));
    if (cardo_name_table_find(&types->by_name, type.name) >= 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: atom type '%s' is defined a second time: leave one of the files "
                          "that define it out",
                          cardo_xml_path(document), cardo_xml_line(element), type.name);
    if (type.mass < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: the mass of atom type '%s' is %g: it must not be negative",
                          cardo_xml_path(document), cardo_xml_line(element), type.name, type.mass);
    if (symbol && (type.element = cardo_element_number(symbol)) == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: atom type '%s' has the unknown element '%s'",
                          cardo_xml_path(document), cardo_xml_line(element), type.name, symbol);
    CARDO_TRY(class_of(types, class_name, &type.class_index, error));
    CARDO_TRY(CARDO_RESERVE(&types->type, &types->capacity, types->count + 1, error));
    CARDO_TRY(cardo_name_table_set(&types->by_name, type.name, types->count, error));
    types->type[types->count++] = type;
done:
    return status;
}

cardo_status cardo_atom_types_read(cardo_atom_types *types, const cardo_xml *document,
                                   const cardo_xml_element *element, cardo_error *error)
{
    const cardo_xml_element *child = cardo_xml_child(element, "Type");
    for (; child; child = cardo_xml_next(child, "Type")) {
        cardo_status status = read_type(types, document, child, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

void cardo_atom_types_clear(cardo_atom_types *types)
{
    cardo_free(types->type);
    cardo_name_table_clear(&types->by_name);
    cardo_name_table_clear(&types->classes);
    *types = (cardo_atom_types){0};
}

cardo_status cardo_selectors_read(const cardo_atom_types *types, const cardo_xml *document,
                                  const cardo_xml_element *element, int count,
                                  cardo_selector *selector, bool *known, cardo_error *error)
{
    *known = true;
    for (int k = 0; k < count; ++k) {
        char type_key[16] = "type", class_key[16] = "class";
        if (count > 1) {
            snprintf(type_key, sizeof type_key, "type%d", k + 1);
            snprintf(class_key, sizeof class_key, "class%d", k + 1);
        }
        const char *type = cardo_xml_attribute(element, type_key);
        const char *class_name = cardo_xml_attribute(element, class_key);
        if (type && class_name)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s:%d: <%s> has both %s and %s: give one of them",
                              cardo_xml_path(document), cardo_xml_line(element),
                              cardo_xml_name(element), type_key, class_key);
        const char *name = type ? type : class_name;
        if (name && *name == '\0') {
            selector[k] = (cardo_selector){CARDO_SELECT_ANY, -1};
            continue;
        }
        selector[k].kind = type ? CARDO_SELECT_TYPE : CARDO_SELECT_CLASS;
        selector[k].index =
            name ? cardo_name_table_find(type ? &types->by_name : &types->classes, name) : -1;
        *known = *known && selector[k].index >= 0;
    }
    return CARDO_OK;
}

bool cardo_selectors_match(const cardo_atom_types *types, int count, const cardo_selector *selector,
                           const int *type)
{
    bool forward = true, backward = true;
    for (int k = 0; k < count && (forward || backward); ++k) {
        forward = forward && cardo_selector_matches(types, selector[k], type[k]);
        backward = backward && cardo_selector_matches(types, selector[k], type[count - 1 - k]);
    }
    return forward || backward;
}

cardo_status cardo_attributes_read(const cardo_xml *document, const cardo_xml_element *element,
                                   cardo_attribute_values *values, cardo_error *error)
{
    values->present = 0;
    for (int k = 0; k < CARDO_ATTRIBUTE_COUNT; ++k) {
        if (!cardo_xml_attribute(element, cardo_attribute_names[k]))
            continue;
        cardo_status status =
            cardo_xml_double(document, element, cardo_attribute_names[k], &values->value[k], error);
        if (status != CARDO_OK)
            return status;
        values->present |= 1u << k;
    }
    return CARDO_OK;
}
