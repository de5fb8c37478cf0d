#include "forces/coarse/coarse.h"

#include "base/letters.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "forces/coarse/kind.h"
#include "forces/coarse/sites.h"

#include <stdio.h>
#include <string.h>

static const char root_name[] = "CoarseForceField";

bool cardo_coarse_is_file(const char *path)
{
    cardo_xml *document = NULL;
    bool is = cardo_xml_read(path, &document, NULL) == CARDO_OK &&
              strcmp(cardo_xml_name(cardo_xml_root(document)), root_name) == 0;
    cardo_xml_destroy(document);
    return is;
}

static const cardo_coarse_kind *find_kind(const char *name)
{
    for (int k = 0; cardo_coarse_kinds[k]; ++k)
        if (strcmp(cardo_coarse_kinds[k]->name, name) == 0)
            return cardo_coarse_kinds[k];
    return NULL;
}

static cardo_status choose_kind(const cardo_xml *document, const cardo_coarse_kind **kind,
                                cardo_error *error)
{
    const cardo_xml_element *root = cardo_xml_root(document);
    const char *name;
    cardo_status status = cardo_xml_need(document, root, "kind", &name, error);
    if (status != CARDO_OK)
        return status;
    *kind = find_kind(name);
    if (*kind)
        return CARDO_OK;
    char all[256] = "", hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    for (int k = 0; cardo_coarse_kinds[k]; ++k) {
        cardo_near_try(&near, cardo_coarse_kinds[k]->name);
        cardo_append(all, sizeof all, "%s%s", k > 0 ? ", " : "", cardo_coarse_kinds[k]->name);
    }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s:%d: there is no coarse-grained energy of kind '%s'%s (there are: %s)",
                      cardo_xml_path(document), cardo_xml_line(root), name,
                      cardo_near_hint(&near, hint), all);
}

static cardo_status read_attributes(const cardo_coarse_kind *kind, const cardo_xml *document,
                                    void *parameters, cardo_error *error)
{
    const cardo_xml_element *root = cardo_xml_root(document);
    cardo_status status = CARDO_OK;
    for (int k = 0; k < cardo_xml_attribute_count(root) && status == CARDO_OK; ++k) {
        const char *name = cardo_xml_attribute_name(root, k);
        if (strcmp(name, "kind") != 0)
            status = cardo_fields_set(kind->fields, parameters, name,
                                      cardo_xml_attribute_value(root, k), error);
    }
    if (status != CARDO_OK)
        cardo_error_prefix(error, "%s:%d: ", cardo_xml_path(document), cardo_xml_line(root));
    return status;
}

/* Copies [text, text + length) without the blanks around it; false when it does not fit. */
static bool copy_trimmed(const char *text, size_t length, char *out, size_t size)
{
    while (length > 0 && cardo_is_space(*text))
        ++text, --length;
    while (length > 0 && cardo_is_space(text[length - 1]))
        --length;
    if (length >= size)
        return false;
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

static cardo_status read_given(const cardo_coarse_kind *kind, const char *text, void *parameters,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (const char *item = text; item && *item && status == CARDO_OK;) {
        size_t length = strcspn(item, ","), split = strcspn(item, "=,");
        char name[64], value[CARDO_FIELD_STRING_SIZE];
        bool whole = split < length && copy_trimmed(item, split, name, sizeof name) &&
                     copy_trimmed(item + split + 1, length - split - 1, value, sizeof value);
        status = whole ? cardo_fields_set(kind->fields, parameters, name, value, error)
                       : CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                    "write name=value with commas between, such as \"barrier=25, "
                                    "difference=-5\"");
        item += length + (item[length] == ',');
    }
    if (status != CARDO_OK)
        cardo_error_prefix(error, "forcefield.parameters=\"%s\": ", text);
    return status;
}

static cardo_status build(const cardo_model *model, const cardo_xml *document,
                          const char *parameters, cardo_coarse_energy **out, cardo_error *error)
{
    const cardo_coarse_kind *kind;
    _Alignas(max_align_t) char options[CARDO_COARSE_PARAMETERS_SIZE];
    const cardo_coarse_source source = {model, options, document, cardo_xml_root(document)};
    cardo_status status;
    cardo_coarse_energy *energy = NULL;
    CARDO_TRY(choose_kind(document, &kind, error));
    cardo_fields_default(kind->fields, options);
    CARDO_TRY(read_attributes(kind, document, options, error));
    CARDO_TRY(read_given(kind, parameters, options, error));
    CARDO_TRY(cardo_coarse_sites_find(model, &energy, error));
    energy->kind = kind;
    CARDO_TRY(kind->build(&source, energy, error));
    *out = energy;
    energy = NULL;
done:
    cardo_coarse_energy_destroy(energy);
    return status;
}

cardo_status cardo_coarse_energy_create(const cardo_model *model, const char *path,
                                        const char *parameters, cardo_coarse_energy **out,
                                        cardo_error *error)
{
    cardo_xml *document;
    *out = NULL;
    cardo_status status = cardo_xml_read(path, &document, error);
    if (status != CARDO_OK)
        return status;
    status = build(model, document, parameters, out, error);
    cardo_xml_destroy(document);
    return status;
}
