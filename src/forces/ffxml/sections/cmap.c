/* CMAPTorsionForce: corrections on a grid over two torsions that share three atoms. */
#include "base/memory.h"
#include "base/number.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/section.h"

#include <string.h>

enum { LARGEST_MAP = 360 };

/* Numbers of a text; values (room for capacity) may be NULL to count. -1: something is no number.
 */
static int parse_numbers(const char *text, double *values, int capacity)
{
    int count = 0;
    const char *blanks = " \t\r\n";
    for (const char *next = text + strspn(text, blanks); *next; next += strspn(next, blanks)) {
        char *end;
        double value = cardo_read_double(next, &end);
        if (end == next || count > LARGEST_MAP * LARGEST_MAP)
            return -1;
        if (values && count < capacity)
            values[count] = value;
        ++count;
        next = end;
    }
    return count;
}

static cardo_status read_map(cardo_forcefield *ff, const cardo_xml *document,
                             const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *text = NULL;
    CARDO_TRY(cardo_xml_text(element, &text, error));
    int count = parse_numbers(text, NULL, 0), size = 0;
    while (size * size < count)
        ++size;
    if (count < 1 || size * size != count || size > LARGEST_MAP) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s:%d: a <Map> needs as many rows as columns of numbers, %d at most",
                            cardo_xml_path(document), cardo_xml_line(element), LARGEST_MAP);
        goto done;
    }
    CARDO_TRY(CARDO_RESERVE(&ff->map, &ff->map_capacity, ff->nmap + 1, error));
    cardo_cmap *map = &ff->map[ff->nmap];
    *map = (cardo_cmap){.size = size};
    CARDO_TRY(CARDO_ALLOCATE(&map->energy, count, error));
    parse_numbers(text, map->energy, count);
    ++ff->nmap;
done:
    cardo_free(text);
    return status;
}

/* Maps are counted from the first of their own element. */
static cardo_status read_torsion(cardo_forcefield *ff, const cardo_xml *document,
                                 const cardo_xml_element *element, int first_map,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_cmap_definition d = {.has_wildcard = false};
    bool known;
    int map = 0;
    CARDO_TRY(cardo_selectors_read(&ff->types, document, element, 5, d.atom, &known, error));
    CARDO_TRY(cardo_xml_int(document, element, "map", &map, error));
    if (map < 0 || map >= ff->nmap - first_map)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: there is no map %d: %d are given here",
                          cardo_xml_path(document), cardo_xml_line(element), map,
                          ff->nmap - first_map);
    d.map = first_map + map;
    for (int k = 0; k < 5; ++k)
        d.has_wildcard |= d.atom[k].kind == CARDO_SELECT_ANY;
    if (!known)
        return CARDO_OK;
    CARDO_TRY(CARDO_RESERVE(&ff->cmap, &ff->cmap_capacity, ff->ncmap + 1, error));
    ff->cmap[ff->ncmap++] = d;
done:
    return status;
}

static cardo_status read_cmap(cardo_forcefield *ff, const cardo_xml *document,
                              const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int first_map = ff->nmap;
    const cardo_xml_element *child = cardo_xml_child(element, "Map");
    for (; child; child = cardo_xml_next(child, "Map"))
        CARDO_TRY(read_map(ff, document, child, error));
    child = cardo_xml_child(element, "Torsion");
    for (; child; child = cardo_xml_next(child, "Torsion"))
        CARDO_TRY(read_torsion(ff, document, child, first_map, error));
done:
    return status;
}

static bool fits(const cardo_forcefield *ff, const cardo_cmap_definition *d, const int *type,
                 bool reversed)
{
    for (int k = 0; k < 5; ++k)
        if (!cardo_selector_matches(&ff->types, d->atom[k], type[reversed ? 4 - k : k]))
            return false;
    return true;
}

/* The first definition without a wildcard that fits in either direction, or else the first. */
static const cardo_cmap_definition *definition_for(const cardo_forcefield *ff, const int type[5])
{
    const cardo_cmap_definition *found = NULL;
    for (int i = 0; i < ff->ncmap; ++i) {
        const cardo_cmap_definition *d = &ff->cmap[i];
        if ((found && d->has_wildcard) ||
            !cardo_selector_matches(&ff->types, d->atom[2], type[2]) ||
            (!fits(ff, d, type, false) && !fits(ff, d, type, true)))
            continue;
        if (!d->has_wildcard)
            return d;
        found = d;
    }
    return found;
}

/* A chain that fits backwards only is turned round, so that phi and psi are the map's. */
static cardo_status add_chain(cardo_assignment *assignment, const int atom[5], cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    cardo_terms *terms = assignment->terms;
    int type[5];
    for (int k = 0; k < 5; ++k)
        type[k] = assignment->type[atom[k]];
    const cardo_cmap_definition *d = definition_for(ff, type);
    if (!d)
        return CARDO_OK;
    cardo_status status =
        CARDO_RESERVE(&terms->list.cmap, &assignment->cmap_capacity, terms->ncmap + 1, error);
    if (status != CARDO_OK)
        return status;
    bool reversed = !fits(ff, d, type, false);
    cardo_cmap_term *term = &terms->list.cmap[terms->ncmap++];
    term->map = d->map;
    for (int k = 0; k < 5; ++k)
        term->atom[k] = atom[reversed ? 4 - k : k];
    return CARDO_OK;
}

/* All chains a-b-centre-d-e with the lower end first. */
static cardo_status add_through(cardo_assignment *assignment, int b, int centre, int d,
                                cardo_error *error)
{
    const cardo_bonds *bonds = assignment->bonds;
    for (int i = 0; i < cardo_degree(bonds, b); ++i)
        for (int j = 0; j < cardo_degree(bonds, d); ++j) {
            int a = cardo_neighbour(bonds, b, i), e = cardo_neighbour(bonds, d, j);
            if (a == centre || e == centre || a == d || e == b || a == e)
                continue;
            const int rising[5] = {a, b, centre, d, e}, falling[5] = {e, d, centre, b, a};
            cardo_status status = add_chain(assignment, a < e ? rising : falling, error);
            if (status != CARDO_OK)
                return status;
        }
    return CARDO_OK;
}

static cardo_status copy_maps(cardo_assignment *assignment, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_forcefield *ff = assignment->forcefield;
    cardo_terms *terms = assignment->terms;
    CARDO_TRY(CARDO_ALLOCATE(&terms->map, ff->nmap, error));
    for (; terms->nmap < ff->nmap; ++terms->nmap) {
        const cardo_cmap *from = &ff->map[terms->nmap];
        cardo_cmap *to = &terms->map[terms->nmap];
        to->size = from->size;
        CARDO_TRY(CARDO_ALLOCATE(&to->energy, from->size * from->size, error));
        memcpy(to->energy, from->energy, (size_t)(from->size * from->size) * sizeof(double));
    }
done:
    return status;
}

static cardo_status assign_cmap(cardo_assignment *assignment, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_bonds *bonds = assignment->bonds;
    if (assignment->forcefield->ncmap == 0)
        return CARDO_OK;
    CARDO_TRY(copy_maps(assignment, error));
    for (int centre = 0; centre < assignment->structure->natom; ++centre)
        for (int i = 0; i < cardo_degree(bonds, centre); ++i)
            for (int j = i + 1; j < cardo_degree(bonds, centre); ++j)
                CARDO_TRY(add_through(assignment, cardo_neighbour(bonds, centre, i), centre,
                                      cardo_neighbour(bonds, centre, j), error));
done:
    return status;
}

const cardo_section cardo_section_cmap = {
    .element = "CMAPTorsionForce",
    .doc = "energy maps over two neighbouring torsions",
    .read = read_cmap,
    .assign = assign_cmap,
};
