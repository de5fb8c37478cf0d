#include "forces/ffxml/definitions/templates.h"

#include "base/memory.h"
#include "forces/ffxml/definitions/atom_types.h"

#include <stdlib.h>
#include <string.h>

/* Names are looked up one by one. */
enum { MOST_ATOMS = 10000 };

/* Where a template is while it is being read. */
typedef struct reading {
    const cardo_xml *document;
    const cardo_atom_types *types;
    cardo_template *template;
    int natom_capacity;
    int nbond, bond_capacity;
    int (*bond)[2];
} reading;

uint64_t cardo_element_signature(int element)
{
    /* splitmix64 spreads the elements so that different compositions give different sums. */
    uint64_t z = (uint64_t)(element + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void cardo_template_clear(cardo_template *template)
{
    cardo_free(template->own_name);
    cardo_free(template->atom);
    cardo_free(template->neighbour_first);
    cardo_free(template->neighbour);
    *template = (cardo_template){0};
}

int cardo_template_atom_called(const cardo_template *template, const char *name)
{
    for (int i = 0; i < template->natom; ++i)
        if (strcmp(template->atom[i].name, name) == 0)
            return i;
    return -1;
}

static cardo_status read_atom(reading *r, const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_template *template = r->template;
    cardo_template_atom atom = {0};
    const char *type = NULL;
    CARDO_TRY(cardo_xml_need(r->document, element, "name", &atom.name, error));
    CARDO_TRY(cardo_xml_need(r->document, element, "type", &type, error));
    CARDO_TRY(cardo_attributes_read(r->document, element, &atom.attributes, error));
    if (cardo_template_atom_called(template, atom.name) >= 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: residue %s has two atoms named %s",
                          cardo_xml_path(r->document), cardo_xml_line(element), template->name,
                          atom.name);
    atom.type = cardo_name_table_find(&r->types->by_name, type);
    if (atom.type < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: atom %s of residue %s has the type '%s', which no <AtomTypes> "
                          "defines: add the file that does",
                          cardo_xml_path(r->document), cardo_xml_line(element), atom.name,
                          template->name, type);
    atom.element = r->types->type[atom.type].element;
    if (template->natom == MOST_ATOMS)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: a residue with more than %d atoms",
                          cardo_xml_path(r->document), cardo_xml_line(element), MOST_ATOMS);
    CARDO_TRY(CARDO_RESERVE(&template->atom, &r->natom_capacity, template->natom + 1, error));
    template->atom[template->natom++] = atom;
    template->signature += cardo_element_signature(atom.element);
done:
    return status;
}

/* The atom that an element means, by name in one attribute or by index in another. */
static cardo_status read_atom_reference(const reading *r, const cardo_xml_element *element,
                                        const char *name_key, const char *index_key, int *atom,
                                        cardo_error *error)
{
    const char *name = cardo_xml_attribute(element, name_key);
    if (name) {
        *atom = cardo_template_atom_called(r->template, name);
        if (*atom >= 0)
            return CARDO_OK;
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: residue %s has no atom named %s",
                          cardo_xml_path(r->document), cardo_xml_line(element), r->template->name,
                          name);
    }
    if (!cardo_xml_attribute(element, index_key))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <%s> of residue %s needs %s or %s",
                          cardo_xml_path(r->document), cardo_xml_line(element),
                          cardo_xml_name(element), r->template->name, name_key, index_key);
    cardo_status status = cardo_xml_int(r->document, element, index_key, atom, error);
    if (status == CARDO_OK && (*atom < 0 || *atom >= r->template->natom))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: residue %s has no atom %d: it has %d, counted from 0",
                          cardo_xml_path(r->document), cardo_xml_line(element), r->template->name,
                          *atom, r->template->natom);
    return status;
}

static cardo_status read_bond(reading *r, const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int a = 0, b = 0;
    CARDO_TRY(read_atom_reference(r, element, "atomName1", "from", &a, error));
    CARDO_TRY(read_atom_reference(r, element, "atomName2", "to", &b, error));
    if (a == b)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: residue %s bonds its atom %s to itself",
                          cardo_xml_path(r->document), cardo_xml_line(element), r->template->name,
                          r->template->atom[a].name);
    CARDO_TRY(CARDO_RESERVE(&r->bond, &r->bond_capacity, r->nbond + 1, error));
    r->bond[r->nbond][0] = a;
    r->bond[r->nbond++][1] = b;
done:
    return status;
}

static cardo_status read_children(reading *r, const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_xml_element *child;
    for (child = cardo_xml_child(element, "Atom"); child; child = cardo_xml_next(child, "Atom"))
        CARDO_TRY(read_atom(r, child, error));
    for (child = cardo_xml_child(element, "Bond"); child; child = cardo_xml_next(child, "Bond"))
        CARDO_TRY(read_bond(r, child, error));
    child = cardo_xml_child(element, "ExternalBond");
    for (; child; child = cardo_xml_next(child, "ExternalBond")) {
        int atom = 0;
        CARDO_TRY(read_atom_reference(r, child, "atomName", "from", &atom, error));
        ++r->template->atom[atom].external;
    }
    child = cardo_xml_child(element, "VirtualSite");
    r->template->virtual_site_line = child ? cardo_xml_line(child) : 0;
done:
    return status;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

cardo_status cardo_template_link(cardo_template *t, int nbond, int (*bond)[2], cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&t->neighbour_first, t->natom + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->neighbour, 2 * nbond, error));
    for (int k = 0; k < nbond; ++k)
        for (int side = 0; side < 2; ++side)
            ++t->neighbour_first[bond[k][side] + 1];
    for (int i = 0; i < t->natom; ++i)
        t->neighbour_first[i + 1] += t->neighbour_first[i];
    /* Row i starts at first[i + 1] while it fills, which moves that start to the row's end: the
     * next one's start. */
    for (int i = t->natom; i > 0; --i)
        t->neighbour_first[i] = t->neighbour_first[i - 1];
    for (int k = 0; k < nbond; ++k)
        for (int side = 0; side < 2; ++side)
            t->neighbour[t->neighbour_first[bond[k][side] + 1]++] = bond[k][1 - side];
    for (int i = 0; nbond > 0 && i < t->natom; ++i)
        qsort(t->neighbour + t->neighbour_first[i],
              (size_t)(t->neighbour_first[i + 1] - t->neighbour_first[i]), sizeof(int),
              compare_ints);
done:
    return status;
}

/* Puts a finished template into the list, which then owns it, or drops it where an older one has
 * the higher override. */
static cardo_status add_template(cardo_templates *templates, cardo_template *template,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int old = cardo_name_table_find(&templates->by_name, template->name);
    if (old >= 0) {
        cardo_template *existing = &templates->list[old];
        if (existing->override_level == template->override_level)
            return CARDO_FAIL(
                error, CARDO_ERROR_INPUT,
                "%s:%d: residue %s is defined already at %s:%d: leave one of the files "
                "out or give one a higher override",
                template->place.path, template->place.line, template->name, existing->place.path,
                existing->place.line);
        if (existing->override_level < template->override_level) {
            cardo_template_clear(existing);
            *existing = *template;
            *template = (cardo_template){0};
        }
        return CARDO_OK;
    }
    CARDO_TRY(CARDO_RESERVE(&templates->list, &templates->capacity, templates->count + 1, error));
    CARDO_TRY(cardo_name_table_set(&templates->by_name, template->name, templates->count, error));
    templates->list[templates->count++] = *template;
    *template = (cardo_template){0};
done:
    return status;
}

static cardo_status read_template(cardo_templates *templates, const cardo_atom_types *types,
                                  const cardo_xml *document, const cardo_xml_element *element,
                                  cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_template template = {.place = {cardo_xml_path(document), cardo_xml_line(element)}};
    reading r = {.document = document, .types = types, .template = &template};
    CARDO_TRY(cardo_xml_need(document, element, "name", &template.name, error));
    if (cardo_xml_attribute(element, "override"))
        CARDO_TRY(cardo_xml_int(document, element, "override", &template.override_level, error));
    CARDO_TRY(read_children(&r, element, error));
    CARDO_TRY(cardo_template_link(&template, r.nbond, r.bond, error));
    CARDO_TRY(add_template(templates, &template, error));
done:
    cardo_template_clear(&template);
    cardo_free(r.bond);
    return status;
}

cardo_status cardo_templates_read(cardo_templates *templates, const cardo_atom_types *types,
                                  const cardo_xml *document, const cardo_xml_element *element,
                                  cardo_error *error)
{
    const cardo_xml_element *child = cardo_xml_child(element, "Residue");
    for (; child; child = cardo_xml_next(child, "Residue")) {
        cardo_status status = read_template(templates, types, document, child, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

void cardo_templates_clear(cardo_templates *templates)
{
    for (int i = 0; i < templates->count; ++i)
        cardo_template_clear(&templates->list[i]);
    cardo_free(templates->list);
    cardo_name_table_clear(&templates->by_name);
    *templates = (cardo_templates){0};
}
