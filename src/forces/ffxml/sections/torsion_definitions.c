#include "forces/ffxml/sections/torsion_definitions.h"

#include "base/memory.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/type_cache.h"

#include <string.h>

static const char *const ordering_names[] = {"default", "charmm", "amber", "smirnoff", NULL};

static cardo_status read_ordering(const cardo_xml *document, const cardo_xml_element *element,
                                  cardo_improper_ordering fallback,
                                  cardo_improper_ordering *ordering, cardo_error *error)
{
    const char *text = cardo_xml_attribute(element, "ordering");
    *ordering = fallback;
    if (!text)
        return CARDO_OK;
    for (int k = 0; ordering_names[k]; ++k)
        if (strcmp(ordering_names[k], text) == 0) {
            *ordering = (cardo_improper_ordering)k;
            return CARDO_OK;
        }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s:%d: ordering=\"%s\" is unknown: use default, charmm, amber or smirnoff",
                      cardo_xml_path(document), cardo_xml_line(element), text);
}

static cardo_status read_children(cardo_forcefield *ff, const cardo_xml *document,
                                  const cardo_xml_element *element, const char *child_name,
                                  cardo_improper_ordering ordering, cardo_torsion_read read,
                                  cardo_torsion_definitions *list, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_xml_element *child = cardo_xml_child(element, child_name);
    for (; child; child = cardo_xml_next(child, child_name)) {
        cardo_torsion_definition definition = {.ordering = ordering};
        bool known;
        CARDO_TRY(
            cardo_selectors_read(&ff->types, document, child, 4, definition.atom, &known, error));
        for (int k = 0; k < 4; ++k)
            definition.has_wildcard |= definition.atom[k].kind == CARDO_SELECT_ANY;
        CARDO_TRY(read(ff, document, child, &definition, error));
        if (!known)
            continue;
        CARDO_TRY(CARDO_RESERVE(&list->list, &list->capacity, list->count + 1, error));
        list->list[list->count++] = definition;
    }
done:
    return status;
}

cardo_status cardo_torsions_read(cardo_forcefield *ff, const cardo_xml *document,
                                 const cardo_xml_element *element, cardo_improper_ordering fallback,
                                 cardo_torsion_read read, cardo_torsion_definitions *proper,
                                 cardo_torsion_definitions *improper, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_improper_ordering ordering;
    CARDO_TRY(read_ordering(document, element, fallback, &ordering, error));
    CARDO_TRY(read_children(ff, document, element, "Proper", ordering, read, proper, error));
    CARDO_TRY(read_children(ff, document, element, "Improper", ordering, read, improper, error));
done:
    return status;
}

static int definition_for(const cardo_forcefield *ff, const cardo_torsion_definitions *definitions,
                          const int type[4])
{
    int found = -1;
    for (int i = 0; i < definitions->count; ++i) {
        const cardo_torsion_definition *definition = &definitions->list[i];
        if (found >= 0 && definition->has_wildcard)
            continue;
        if (!cardo_selectors_match(&ff->types, 4, definition->atom, type))
            continue;
        found = i;
        if (!definition->has_wildcard)
            break;
    }
    return found;
}

/* What the propers of one section are looked up with. */
typedef struct torsion_lookup {
    const cardo_torsion_definitions *definitions;
    cardo_torsion_add add;
    cardo_type_cache cache;
} torsion_lookup;

static cardo_status add_proper(cardo_assignment *assignment, torsion_lookup *lookup,
                               const int atom[4], cardo_error *error)
{
    int type[4], found;
    for (int k = 0; k < 4; ++k)
        type[k] = assignment->type[atom[k]];
    const cardo_cached_match *cached = cardo_type_cache_find(&lookup->cache, type);
    if (cached) {
        found = cached->definition;
    } else {
        found = definition_for(assignment->forcefield, lookup->definitions, type);
        cardo_status status = cardo_type_cache_store(
            &lookup->cache, type, (cardo_cached_match){.definition = found}, error);
        if (status != CARDO_OK)
            return status;
    }
    if (found < 0)
        return CARDO_OK;
    return lookup->add(assignment, &lookup->definitions->list[found], atom, error);
}

/* All chains a-b-c-d about the bond b-c. */
static cardo_status add_about_bond(cardo_assignment *assignment, torsion_lookup *lookup, int b,
                                   int c, cardo_error *error)
{
    const cardo_bonds *bonds = assignment->bonds;
    for (int i = 0; i < cardo_degree(bonds, b); ++i)
        for (int j = 0; j < cardo_degree(bonds, c); ++j) {
            int a = cardo_neighbour(bonds, b, i), d = cardo_neighbour(bonds, c, j);
            if (a == c || d == b || a == d)
                continue;
            cardo_status status = add_proper(assignment, lookup, (int[4]){a, b, c, d}, error);
            if (status != CARDO_OK)
                return status;
        }
    return CARDO_OK;
}

cardo_status cardo_propers_assign(cardo_assignment *assignment,
                                  const cardo_torsion_definitions *definitions,
                                  cardo_torsion_add add, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    torsion_lookup lookup = {.definitions = definitions, .add = add};
    const cardo_bonds *bonds = assignment->bonds;
    for (int k = 0; definitions->count > 0 && k < bonds->nbond; ++k)
        CARDO_TRY(add_about_bond(assignment, &lookup, bonds->bond[k][0], bonds->bond[k][1], error));
done:
    cardo_type_cache_clear(&lookup.cache);
    return status;
}
