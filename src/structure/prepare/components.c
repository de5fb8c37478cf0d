#include "structure/prepare/components.h"

#include "base/memory.h"
#include "base/xml.h"
#include "structure/atoms/name_text.h"

#include <string.h>

enum { CARBON = 6, NITROGEN = 7, MOST_ATOMS = 64 };

/* One element of the document that is being read. */
typedef struct place {
    const cardo_xml *document;
    const cardo_xml_element *element;
} place;

static cardo_status take_name(const place *at, const char *key, cardo_name *out, cardo_error *error)
{
    const char *text = NULL;
    cardo_status status = cardo_xml_need(at->document, at->element, key, &text, error);
    if (status == CARDO_OK && (!name_set(out, text, (int)strlen(text)) || !out->text[0]))
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s=\"%s\" is no name",
                            cardo_xml_path(at->document), cardo_xml_line(at->element), key, text);
    return status;
}

/* Names of an attribute, separated by blanks. */
static cardo_status take_names(const place *at, const char *key, int most, cardo_name *names,
                               int *count, cardo_error *error)
{
    const char *words = cardo_xml_attribute(at->element, key);
    while (words && *(words += strspn(words, " "))) {
        size_t length = strcspn(words, " ");
        if (*count == most || !name_set(&names[*count], words, (int)length))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s is not one to %d names",
                              cardo_xml_path(at->document), cardo_xml_line(at->element), key, most);
        ++*count;
        words += length;
    }
    return CARDO_OK;
}

static cardo_status take_atom(const place *at, const char *key, const cardo_component *component,
                              int *atom, cardo_error *error)
{
    const char *text = NULL;
    cardo_status status = cardo_xml_need(at->document, at->element, key, &text, error);
    if (status != CARDO_OK)
        return status;
    *atom = cardo_component_atom_find(component, text);
    if (*atom < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s has no heavy atom %s",
                          cardo_xml_path(at->document), cardo_xml_line(at->element),
                          component->name.text, text);
    return CARDO_OK;
}

static cardo_status read_atom(const place *at, cardo_component *component, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    static const char *const axes[3] = {"x", "y", "z"};
    cardo_component_atom atom = {0};
    const char *symbol = NULL;
    CARDO_TRY(take_name(at, "name", &atom.name, error));
    CARDO_TRY(cardo_xml_need(at->document, at->element, "element", &symbol, error));
    atom.element = (unsigned char)cardo_element_number(symbol);
    for (int k = 0; k < 3; ++k)
        CARDO_TRY(cardo_xml_double(at->document, at->element, axes[k], &atom.position[k], error));
    if (component->natom == MOST_ATOMS) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: more than %d atoms in a residue",
                            cardo_xml_path(at->document), cardo_xml_line(at->element), MOST_ATOMS);
        goto done;
    }
    CARDO_TRY(
        CARDO_RESERVE(&component->atom, &component->atom_capacity, component->natom + 1, error));
    component->atom[component->natom++] = atom;
done:
    return status;
}

static cardo_status read_hydrogen(const place *at, cardo_component *component, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_component_hydrogen hydrogen = {0};
    CARDO_TRY(take_name(at, "name", &hydrogen.name, error));
    CARDO_TRY(take_atom(at, "parent", component, &hydrogen.parent, error));
    CARDO_TRY(take_names(at, "variant", 4, hydrogen.variant, &hydrogen.nvariant, error));
    const char *end = cardo_xml_attribute(at->element, "end");
    if (end)
        hydrogen.end = strcmp(end, "first") == 0 ? CARDO_FIRST : CARDO_LAST;
    if (cardo_xml_attribute(at->element, "below-pH"))
        CARDO_TRY(
            cardo_xml_double(at->document, at->element, "below-pH", &hydrogen.below_ph, error));
    CARDO_TRY(CARDO_RESERVE(&component->hydrogen, &component->hydrogen_capacity,
                            component->nhydrogen + 1, error));
    component->hydrogen[component->nhydrogen++] = hydrogen;
    component->atom[hydrogen.parent].nhydrogen += hydrogen.end == CARDO_ANYWHERE;
done:
    return status;
}

static cardo_status read_bond(const place *at, cardo_component *component, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int end[2];
    CARDO_TRY(take_atom(at, "from", component, &end[0], error));
    CARDO_TRY(take_atom(at, "to", component, &end[1], error));
    for (int k = 0; k < 2; ++k) {
        cardo_component_atom *atom = &component->atom[end[k]];
        if (atom->nneighbour == 4) {
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s has more than four bonds",
                                cardo_xml_path(at->document), cardo_xml_line(at->element),
                                atom->name.text);
            goto done;
        }
        atom->neighbour[atom->nneighbour++] = end[1 - k];
    }
done:
    return status;
}

typedef cardo_status reader(const place *at, cardo_component *component, cardo_error *error);

static cardo_status read_children(const place *at, const char *name, reader *read,
                                  cardo_component *component, cardo_error *error)
{
    place child = {at->document, cardo_xml_child(at->element, name)};
    for (; child.element; child.element = cardo_xml_next(child.element, name)) {
        cardo_status status = read(&child, component, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* Bonds to the residues before and after. */
static void count_links(cardo_component *component)
{
    static const struct {
        cardo_component_kind kind;
        const char *atom;
    } links[] = {
        {CARDO_COMPONENT_PROTEIN, "N"}, {CARDO_COMPONENT_PROTEIN, "C"},
        {CARDO_COMPONENT_NUCLEIC, "P"}, {CARDO_COMPONENT_NUCLEIC, "O3'"},
        {CARDO_COMPONENT_CAP, "N"},
    };
    for (size_t k = 0; k < sizeof links / sizeof *links; ++k) {
        int atom = cardo_component_atom_find(component, links[k].atom);
        if (component->kind == links[k].kind && atom >= 0)
            ++component->atom[atom].nlink;
    }
    int carbonyl = cardo_component_atom_find(component, "C");
    if (component->kind == CARDO_COMPONENT_CAP && carbonyl >= 0 &&
        cardo_component_atom_find(component, "O") >= 0)
        ++component->atom[carbonyl].nlink;
}

static cardo_status read_component(const place *at, cardo_components *components,
                                   cardo_error *error)
{
    static const char *const kinds[] = {"protein", "cap", "nucleic", "water", NULL};
    cardo_status status = CARDO_OK;
    const char *kind = NULL;
    CARDO_TRY(
        CARDO_RESERVE(&components->list, &components->capacity, components->count + 1, error));
    cardo_component *component = &components->list[components->count++];
    CARDO_TRY(take_name(at, "name", &component->name, error));
    CARDO_TRY(cardo_xml_need(at->document, at->element, "type", &kind, error));
    int k = 0;
    while (kinds[k] && strcmp(kinds[k], kind) != 0)
        ++k;
    if (!kinds[k]) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s:%d: type=\"%s\" is none of protein, cap, nucleic, water",
                            cardo_xml_path(at->document), cardo_xml_line(at->element), kind);
        goto done;
    }
    component->kind = (cardo_component_kind)k;
    CARDO_TRY(read_children(at, "Atom", read_atom, component, error));
    CARDO_TRY(read_children(at, "Hydrogen", read_hydrogen, component, error));
    CARDO_TRY(read_children(at, "Bond", read_bond, component, error));
    count_links(component);
done:
    return status;
}

static cardo_status read_modified(const place *at, cardo_components *components, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_RESERVE(&components->modified, &components->modified_capacity,
                            components->nmodified + 1, error));
    cardo_modified *modified = &components->modified[components->nmodified++];
    CARDO_TRY(take_name(at, "name", &modified->name, error));
    CARDO_TRY(take_name(at, "parent", &modified->parent, error));
    CARDO_TRY(take_names(at, "rebuild", 4, modified->rebuild, &modified->nrebuild, error));
    place child = {at->document, cardo_xml_child(at->element, "Rename")};
    for (; child.element && modified->nrename < 4;
         child.element = cardo_xml_next(child.element, "Rename")) {
        cardo_name *names = modified->rename[modified->nrename++];
        CARDO_TRY(take_name(&child, "from", &names[0], error));
        CARDO_TRY(take_name(&child, "to", &names[1], error));
    }
done:
    return status;
}

cardo_status cardo_components_read(cardo_components *components, const char *path,
                                   cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_xml *document = NULL;
    CARDO_TRY(cardo_xml_read(path, &document, error));
    place at = {document, cardo_xml_child(cardo_xml_root(document), "Component")};
    for (; at.element; at.element = cardo_xml_next(at.element, "Component"))
        CARDO_TRY(read_component(&at, components, error));
    at.element = cardo_xml_child(cardo_xml_root(document), "Modified");
    for (; at.element; at.element = cardo_xml_next(at.element, "Modified"))
        CARDO_TRY(read_modified(&at, components, error));
    if (components->count == 0)
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: there is no <Component> in this file", path);
done:
    cardo_xml_destroy(document);
    return status;
}

void cardo_components_clear(cardo_components *components)
{
    for (int k = 0; k < components->count; ++k) {
        cardo_free(components->list[k].atom);
        cardo_free(components->list[k].hydrogen);
    }
    cardo_free(components->list);
    cardo_free(components->modified);
    *components = (cardo_components){0};
}

const cardo_component *cardo_component_find(const cardo_components *components, const char *name)
{
    for (int k = 0; k < components->count; ++k)
        if (strcmp(components->list[k].name.text, name) == 0)
            return &components->list[k];
    return NULL;
}

const cardo_modified *cardo_modified_find(const cardo_components *components, const char *name)
{
    for (int k = 0; k < components->nmodified; ++k)
        if (strcmp(components->modified[k].name.text, name) == 0)
            return &components->modified[k];
    return NULL;
}

int cardo_component_atom_find(const cardo_component *component, const char *name)
{
    for (int k = 0; k < component->natom; ++k)
        if (strcmp(component->atom[k].name.text, name) == 0)
            return k;
    return -1;
}

int cardo_component_hydrogen_find(const cardo_component *component, const char *name)
{
    for (int k = 0; k < component->nhydrogen; ++k)
        if (strcmp(component->hydrogen[k].name.text, name) == 0)
            return k;
    return -1;
}

static int valence(const cardo_component_atom *atom)
{
    return atom->nneighbour + atom->nlink + atom->nhydrogen;
}

bool cardo_component_is_planar(const cardo_component *component, int atom)
{
    const cardo_component_atom *a = &component->atom[atom];
    if (a->element == CARBON)
        return valence(a) == 3;
    if (a->element != NITROGEN || valence(a) > 3)
        return false;
    for (int k = 0; k < a->nneighbour; ++k) {
        const cardo_component_atom *b = &component->atom[a->neighbour[k]];
        if (b->element == CARBON && valence(b) == 3)
            return true;
    }
    return a->nlink > 0;
}

bool cardo_component_in_ring(const cardo_component *component, int atom, int other)
{
    bool reached[MOST_ATOMS] = {false};
    reached[atom] = true;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < component->natom; ++i)
            for (int k = 0; reached[i] && k < component->atom[i].nneighbour; ++k) {
                int j = component->atom[i].neighbour[k];
                if (!reached[j] && !(i == atom && j == other)) {
                    reached[j] = true;
                    more = true;
                }
            }
    }
    return reached[other];
}
