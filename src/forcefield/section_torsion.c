/* PeriodicTorsionForce: up to as many terms a torsion as the file has; propers here, impropers in
 * improper.c. */
#include "base/memory.h"
#include "forcefield/atom_types.h"
#include "forcefield/section.h"
#include "forcefield/type_cache.h"

#include <stdio.h>
#include <string.h>

static const char *const ordering_names[] = {"default", "charmm", "amber", "smirnoff", NULL};

static cardo_status read_ordering(const cardo_xml *document, const cardo_xml_element *element,
                                  cardo_improper_ordering *ordering, cardo_error *error)
{
    const char *text = cardo_xml_attribute(element, "ordering");
    *ordering = CARDO_ORDERING_DEFAULT;
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

/* Reads phaseN, periodicityN, kN for N = 1, 2, ... as long as there is a phaseN. */
static cardo_status read_waves(cardo_forcefield *ff, const cardo_xml *document,
                               const cardo_xml_element *element,
                               cardo_torsion_definition *definition, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    definition->first_wave = ff->nwave;
    definition->nwave = 0;
    for (int n = 1;; ++n) {
        char phase[24], periodicity[24], k[24];
        snprintf(phase, sizeof phase, "phase%d", n);
        snprintf(periodicity, sizeof periodicity, "periodicity%d", n);
        snprintf(k, sizeof k, "k%d", n);
        if (!cardo_xml_attribute(element, phase))
            break;
        cardo_torsion_wave wave;
        CARDO_TRY(cardo_xml_double(document, element, phase, &wave.phase, error));
        CARDO_TRY(cardo_xml_int(document, element, periodicity, &wave.periodicity, error));
        CARDO_TRY(cardo_xml_double(document, element, k, &wave.k, error));
        CARDO_TRY(CARDO_RESERVE(&ff->wave, &ff->wave_capacity, ff->nwave + 1, error));
        ff->wave[ff->nwave++] = wave;
        ++definition->nwave;
    }
done:
    return status;
}

/* Reads one <Proper> or <Improper>; *known is false when it is to be left out. */
static cardo_status read_definition(cardo_forcefield *ff, const cardo_xml *document,
                                    const cardo_xml_element *element,
                                    cardo_torsion_definition *definition, bool *known,
                                    cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(
        cardo_selectors_read(&ff->types, document, element, 4, definition->atom, known, error));
    definition->has_wildcard = false;
    for (int k = 0; k < 4; ++k)
        definition->has_wildcard |= definition->atom[k].kind == CARDO_SELECT_ANY;
    CARDO_TRY(read_waves(ff, document, element, definition, error));
done:
    return status;
}

static cardo_status read_torsions(cardo_forcefield *ff, const cardo_xml *document,
                                  const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_torsion_definition definition = {0};
    bool known;
    CARDO_TRY(read_ordering(document, element, &definition.ordering, error));
    const cardo_xml_element *child = cardo_xml_child(element, "Proper");
    for (; child; child = cardo_xml_next(child, "Proper")) {
        CARDO_TRY(read_definition(ff, document, child, &definition, &known, error));
        if (!known)
            continue;
        CARDO_TRY(CARDO_RESERVE(&ff->proper, &ff->proper_capacity, ff->nproper + 1, error));
        ff->proper[ff->nproper++] = definition;
    }
    child = cardo_xml_child(element, "Improper");
    for (; child; child = cardo_xml_next(child, "Improper")) {
        CARDO_TRY(read_definition(ff, document, child, &definition, &known, error));
        if (!known)
            continue;
        CARDO_TRY(CARDO_RESERVE(&ff->improper, &ff->improper_capacity, ff->nimproper + 1, error));
        ff->improper[ff->nimproper++] = definition;
    }
done:
    return status;
}

/* The first definition without a wildcard wins; with none, the first that fits. */
static int definition_for(const cardo_forcefield *ff, const int type[4])
{
    int found = -1;
    for (int i = 0; i < ff->nproper; ++i) {
        if (found >= 0 && ff->proper[i].has_wildcard)
            continue;
        if (!cardo_selectors_match(&ff->types, 4, ff->proper[i].atom, type))
            continue;
        found = i;
        if (!ff->proper[i].has_wildcard)
            break;
    }
    return found;
}

cardo_status cardo_torsion_add(cardo_assignment *assignment, const int atom[4],
                               cardo_torsion_wave wave, cardo_error *error)
{
    cardo_terms *terms = assignment->terms;
    if (wave.k == 0)
        return CARDO_OK;
    cardo_status status =
        CARDO_RESERVE(&terms->torsion, &assignment->torsion_capacity, terms->ntorsion + 1, error);
    if (status == CARDO_OK)
        terms->torsion[terms->ntorsion++] = (cardo_torsion_term){
            atom[0], atom[1], atom[2], atom[3], wave.periodicity, wave.phase, wave.k};
    return status;
}

static cardo_status add_proper(cardo_assignment *assignment, cardo_type_cache *cache,
                               const int atom[4], cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_forcefield *ff = assignment->forcefield;
    int type[4], found;
    for (int k = 0; k < 4; ++k)
        type[k] = assignment->type[atom[k]];
    const cardo_cached_match *cached = cardo_type_cache_find(cache, type);
    if (cached) {
        found = cached->definition;
    } else {
        found = definition_for(ff, type);
        CARDO_TRY(
            cardo_type_cache_store(cache, type, (cardo_cached_match){.definition = found}, error));
    }
    if (found < 0)
        return CARDO_OK;
    const cardo_torsion_definition *definition = &ff->proper[found];
    for (int n = 0; n < definition->nwave; ++n)
        CARDO_TRY(cardo_torsion_add(assignment, atom, ff->wave[definition->first_wave + n], error));
done:
    return status;
}

/* All chains a-b-c-d about the bond b-c. */
static cardo_status add_about_bond(cardo_assignment *assignment, cardo_type_cache *cache, int b,
                                   int c, cardo_error *error)
{
    const cardo_bonds *bonds = assignment->bonds;
    for (int i = 0; i < cardo_degree(bonds, b); ++i)
        for (int j = 0; j < cardo_degree(bonds, c); ++j) {
            int a = cardo_neighbour(bonds, b, i), d = cardo_neighbour(bonds, c, j);
            if (a == c || d == b || a == d)
                continue;
            cardo_status status = add_proper(assignment, cache, (int[4]){a, b, c, d}, error);
            if (status != CARDO_OK)
                return status;
        }
    return CARDO_OK;
}

static cardo_status assign_torsions(cardo_assignment *assignment, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_type_cache cache = {0};
    const cardo_bonds *bonds = assignment->bonds;
    for (int k = 0; k < bonds->nbond; ++k)
        CARDO_TRY(add_about_bond(assignment, &cache, bonds->bond[k][0], bonds->bond[k][1], error));
    CARDO_TRY(cardo_impropers_assign(assignment, error));
done:
    cardo_type_cache_clear(&cache);
    return status;
}

const cardo_section cardo_section_torsion = {
    .element = "PeriodicTorsionForce",
    .doc = "periodic proper and improper torsions",
    .read = read_torsions,
    .assign = assign_torsions,
};
