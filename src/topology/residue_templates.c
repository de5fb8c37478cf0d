#include "topology/residue_templates.h"

#include "base/memory.h"
#include "base/xml.h"

#include <string.h>

static cardo_status store_name(cardo_name *out, const char *text, size_t length,
                               const cardo_xml *document, const cardo_xml_element *element,
                               cardo_error *error)
{
    if (length == 0 || length >= sizeof out->text)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: '%.*s' is no name of 1 to %d letters",
                          cardo_xml_path(document), cardo_xml_line(element), (int)length, text,
                          (int)sizeof out->text - 1);
    memset(out, 0, sizeof *out);
    memcpy(out->text, text, length);
    return CARDO_OK;
}

static cardo_status add_alias(cardo_alias_list *list, cardo_alias alias, cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&list->alias, &list->capacity, list->count + 1, error);
    if (status == CARDO_OK)
        list->alias[list->count++] = alias;
    return status;
}

/* Adds an element's name, and every word of its attribute aliases, as names that stand for it. */
static cardo_status read_aliases(cardo_alias_list *list, const cardo_xml *document,
                                 const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *name = NULL, *words = cardo_xml_attribute(element, "aliases");
    cardo_alias alias = {0};
    CARDO_TRY(cardo_xml_need(document, element, "name", &name, error));
    CARDO_TRY(store_name(&alias.standard, name, strlen(name), document, element, error));
    alias.other = alias.standard;
    CARDO_TRY(add_alias(list, alias, error));
    while (words && *(words += strspn(words, " \t\r\n"))) {
        size_t length = strcspn(words, " \t\r\n");
        CARDO_TRY(store_name(&alias.other, words, length, document, element, error));
        CARDO_TRY(add_alias(list, alias, error));
        words += length;
    }
done:
    return status;
}

static cardo_status read_atoms(cardo_alias_list *list, const cardo_xml *document,
                               const cardo_xml_element *parent, cardo_error *error)
{
    const cardo_xml_element *child = cardo_xml_child(parent, "Atom");
    for (; child; child = cardo_xml_next(child, "Atom")) {
        cardo_status status = read_aliases(list, document, child, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

static cardo_status read_bond(cardo_residue_template *residue, const cardo_xml *document,
                              const cardo_xml_element *element, cardo_error *error)
{
    static const char *const keys[2] = {"from", "to"};
    cardo_status status = CARDO_OK;
    cardo_named_bond bond = {0};
    for (int side = 0; side < 2; ++side) {
        const char *name = NULL;
        CARDO_TRY(cardo_xml_need(document, element, keys[side], &name, error));
        bond.previous[side] = name[0] == '-';
        name += bond.previous[side];
        CARDO_TRY(store_name(&bond.atom[side], name, strlen(name), document, element, error));
    }
    CARDO_TRY(CARDO_RESERVE(&residue->bond, &residue->bond_capacity, residue->nbond + 1, error));
    residue->bond[residue->nbond++] = bond;
done:
    return status;
}

static int group_of_type(const cardo_residue_templates *templates, const char *type)
{
    for (int g = 0; type && g < templates->ngroup; ++g)
        if (strcmp(templates->group[g].type.text, type) == 0)
            return g;
    return -1;
}

static cardo_status read_group(cardo_residue_templates *templates, const cardo_xml *document,
                               const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *type = NULL;
    CARDO_TRY(cardo_xml_need(document, element, "type", &type, error));
    CARDO_TRY(
        CARDO_RESERVE(&templates->group, &templates->group_capacity, templates->ngroup + 1, error));
    cardo_alias_group *group = &templates->group[templates->ngroup++];
    CARDO_TRY(store_name(&group->type, type, strlen(type), document, element, error));
    CARDO_TRY(read_atoms(&group->atoms, document, element, error));
done:
    return status;
}

static cardo_status read_residue(cardo_residue_templates *templates, const cardo_xml *document,
                                 const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int first = templates->residues.count;
    CARDO_TRY(read_aliases(&templates->residues, document, element, error));
    CARDO_TRY(CARDO_RESERVE(&templates->list, &templates->capacity, templates->count + 1, error));
    cardo_residue_template *residue = &templates->list[templates->count++];
    residue->name = templates->residues.alias[first].standard;
    residue->group = group_of_type(templates, cardo_xml_attribute(element, "type"));
    CARDO_TRY(read_atoms(&residue->atoms, document, element, error));
    const cardo_xml_element *child = cardo_xml_child(element, "Bond");
    for (; child; child = cardo_xml_next(child, "Bond"))
        CARDO_TRY(read_bond(residue, document, child, error));
done:
    return status;
}

cardo_status cardo_residue_templates_read(cardo_residue_templates *templates, const char *path,
                                          cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_xml *document = NULL;
    CARDO_TRY(cardo_xml_read(path, &document, error));
    const cardo_xml_element *root = cardo_xml_root(document);
    if (strcmp(cardo_xml_name(root), "Residues") != 0) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s:%d: <%s> is not the root of a file of residue bonds: expected "
                            "<Residues>",
                            path, cardo_xml_line(root), cardo_xml_name(root));
        goto done;
    }
    const cardo_xml_element *child = cardo_xml_child(root, "Atoms");
    for (; child; child = cardo_xml_next(child, "Atoms"))
        CARDO_TRY(read_group(templates, document, child, error));
    child = cardo_xml_child(root, "Residue");
    for (; child; child = cardo_xml_next(child, "Residue"))
        CARDO_TRY(read_residue(templates, document, child, error));
done:
    cardo_xml_destroy(document);
    return status;
}

void cardo_residue_templates_clear(cardo_residue_templates *templates)
{
    for (int i = 0; i < templates->count; ++i) {
        cardo_free(templates->list[i].atoms.alias);
        cardo_free(templates->list[i].bond);
    }
    for (int g = 0; g < templates->ngroup; ++g)
        cardo_free(templates->group[g].atoms.alias);
    cardo_free(templates->list);
    cardo_free(templates->group);
    cardo_free(templates->residues.alias);
    *templates = (cardo_residue_templates){0};
}

static const char *standard_in(const cardo_alias_list *list, const char *name)
{
    for (int i = 0; i < list->count; ++i)
        if (strcmp(list->alias[i].other.text, name) == 0)
            return list->alias[i].standard.text;
    return NULL;
}

const cardo_residue_template *cardo_residue_templates_find(const cardo_residue_templates *templates,
                                                           const char *name)
{
    const char *standard = standard_in(&templates->residues, name);
    for (int i = 0; standard && i < templates->count; ++i)
        if (strcmp(templates->list[i].name.text, standard) == 0)
            return &templates->list[i];
    return NULL;
}

const char *cardo_standard_atom_name(const cardo_residue_templates *templates,
                                     const cardo_residue_template *residue, const char *name)
{
    const char *standard = standard_in(&residue->atoms, name);
    if (!standard && residue->group >= 0)
        standard = standard_in(&templates->group[residue->group].atoms, name);
    return standard ? standard : name;
}
