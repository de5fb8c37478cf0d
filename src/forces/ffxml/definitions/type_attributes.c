/* Numbers by atom type, as NonbondedForce and GBSAOBCForce list them, some of them taken from the
 * residue templates instead (UseAttributeFromResidue). */
#include "base/memory.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/section.h"

#include <string.h>

/* Bits of the attributes that this element takes from the templates. */
static cardo_status read_residue_attributes(const cardo_type_attributes *table,
                                            const cardo_xml *document,
                                            const cardo_xml_element *element, unsigned *bits,
                                            cardo_error *error)
{
    *bits = 0;
    const cardo_xml_element *child = cardo_xml_child(element, "UseAttributeFromResidue");
    for (; child; child = cardo_xml_next(child, "UseAttributeFromResidue")) {
        const char *name = NULL;
        cardo_status status = cardo_xml_need(document, child, "name", &name, error);
        if (status != CARDO_OK)
            return status;
        unsigned bit = 0;
        for (int k = 0; k < table->nvalue; ++k)
            if (strcmp(cardo_attribute_names[table->attribute[k]], name) == 0)
                bit = 1u << table->attribute[k];
        if (!bit)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s:%d: <%s> has no attribute '%s' that residues could give",
                              cardo_xml_path(document), cardo_xml_line(child), table->section,
                              name);
        *bits |= bit;
    }
    return CARDO_OK;
}

/* One <Atom> line: all attributes that the residues do not give, and none that they do. */
static cardo_status read_line(cardo_forcefield *ff, cardo_type_attributes *table,
                              const cardo_xml *document, const cardo_xml_element *element,
                              unsigned from_residue, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_selector selector;
    cardo_attribute_values values = {0};
    bool known;
    CARDO_TRY(cardo_selectors_read(&ff->types, document, element, 1, &selector, &known, error));
    CARDO_TRY(cardo_attributes_read(document, element, &values, error));
    for (int k = 0; k < table->nvalue; ++k) {
        const char *name = cardo_attribute_names[table->attribute[k]];
        bool here = (values.present >> table->attribute[k]) & 1u;
        bool there = (from_residue >> table->attribute[k]) & 1u;
        if (here == there)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              here ? "%s:%d: '%s' is given here and by <UseAttributeFromResidue>"
                                   : "%s:%d: <Atom> lacks the attribute '%s'",
                              cardo_xml_path(document), cardo_xml_line(element), name);
    }
    for (int t = 0; known && t < ff->types.count; ++t)
        if (cardo_selector_matches(&ff->types, selector, t)) {
            table->defined[t] = true;
            table->values[t] = values;
        }
done:
    return status;
}

cardo_status cardo_type_attributes_read(cardo_forcefield *ff, cardo_type_attributes *table,
                                        const cardo_xml *document, const cardo_xml_element *element,
                                        cardo_error *error)
{
    cardo_status status = CARDO_OK;
    unsigned from_residue;
    if (!table->place.path) {
        CARDO_TRY(CARDO_ALLOCATE(&table->defined, ff->types.count, error));
        CARDO_TRY(CARDO_ALLOCATE(&table->values, ff->types.count, error));
        table->place = (cardo_place){cardo_xml_path(document), cardo_xml_line(element)};
    }
    CARDO_TRY(read_residue_attributes(table, document, element, &from_residue, error));
    const cardo_xml_element *child = cardo_xml_child(element, "Atom");
    for (; child; child = cardo_xml_next(child, "Atom"))
        CARDO_TRY(read_line(ff, table, document, child, from_residue, error));
done:
    return status;
}

void cardo_type_attributes_clear(cardo_type_attributes *table)
{
    cardo_free(table->defined);
    cardo_free(table->values);
    table->defined = NULL;
    table->values = NULL;
}

cardo_status cardo_type_attributes_get(const cardo_assignment *assignment,
                                       const cardo_type_attributes *table, int atom, double *out,
                                       cardo_error *error)
{
    const cardo_forcefield *ff = assignment->forcefield;
    const cardo_structure *structure = assignment->structure;
    int residue = structure->atom_residue[atom], type = assignment->type[atom];
    const cardo_attribute_values *own = &table->values[type];
    const cardo_attribute_values *from_template =
        &assignment->template_of[residue]->atom[assignment->template_atom[atom]].attributes;
    char label[40];
    if (!table->defined[type])
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s of %s has the type '%s', for which <%s> (%s:%d) has no parameters: use "
            "a file that has them, or leave the residue out",
            structure->atom_name[atom].text, cardo_residue_label(structure, residue, label),
            ff->types.type[type].name, table->section, table->place.path, table->place.line);
    for (int k = 0; k < table->nvalue; ++k) {
        cardo_attribute attribute = table->attribute[k];
        if ((own->present >> attribute) & 1u)
            out[k] = own->value[attribute];
        else if ((from_template->present >> attribute) & 1u)
            out[k] = from_template->value[attribute];
        else
            return CARDO_FAIL(
                error, CARDO_ERROR_INPUT,
                "%s of %s: template %s gives no %s, which <%s> (%s:%d) takes from it",
                structure->atom_name[atom].text, cardo_residue_label(structure, residue, label),
                assignment->template_of[residue]->name, cardo_attribute_names[attribute],
                table->section, table->place.path, table->place.line);
    }
    return CARDO_OK;
}
