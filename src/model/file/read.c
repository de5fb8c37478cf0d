#include "base/memory.h"
#include "base/text.h"
#include "model/constraints/constraints.h"
#include "model/file/options.h"
#include "model/file/schema.h"
#include "model/internal.h"

#include <string.h>

/* What is being read. */
typedef struct model_reader {
    cardo_model_definition definition;
    cardo_overrides overrides;
    const cardo_xml *document; /* the model file                                     */
} model_reader;

static cardo_place place_of(const cardo_xml *document, const cardo_xml_element *element)
{
    return (cardo_place){cardo_xml_path(document), cardo_xml_line(element)};
}

/* Structures, domains, hinges and bodies are compared with each other: a file made to have very many
 * of them would take hours. */
static cardo_status check_count(const cardo_xml *document, const cardo_xml_element *element,
                                int count, cardo_error *error)
{
    enum { MOST = 10000 };
    if (count < MOST)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: more than %d elements <%s>",
                      cardo_xml_path(document), cardo_xml_line(element), MOST,
                      cardo_xml_name(element));
}

static cardo_status read_structure(model_reader *reader, const cardo_xml_element *element,
                                   cardo_error *error)
{
    cardo_model_definition *d = &reader->definition;
    const cardo_xml *document = reader->document;
    cardo_status status = check_count(document, element, d->nstructure, error);
    if (status == CARDO_OK)
        status = CARDO_RESERVE(&d->structure, &d->structure_capacity, d->nstructure + 1, error);
    if (status != CARDO_OK)
        return status;
    const char *hetero = cardo_xml_attribute(element, "hetero");
    const char *numbering = cardo_overrides_value(&reader->overrides, "structure", "numbering");
    if (!numbering)
        numbering = cardo_xml_attribute(element, "numbering");
    if (numbering && strcmp(numbering, "label") != 0 && strcmp(numbering, "author") != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: numbering is author or label, not '%s'",
                          cardo_xml_path(document), cardo_xml_line(element), numbering);
    cardo_structure_definition *structure = &d->structure[d->nstructure++];
    *structure = (cardo_structure_definition){
        .place = place_of(document, element),
        .id = cardo_xml_attribute(element, "id"),
        .file = cardo_xml_attribute(element, "file"),
        .coordinates = cardo_xml_attribute(element, "coordinates"),
        .chains = cardo_xml_attribute(element, "chains"),
        .keep_hetero = hetero && strcmp(hetero, "drop") != 0,
        .keep_water = hetero && strcmp(hetero, "keep") == 0,
        .label_numbering = numbering && strcmp(numbering, "label") == 0,
        .note = cardo_xml_attribute(element, "note"),
    };
    if (cardo_xml_attribute(element, "identity"))
        status = cardo_xml_double(document, element, "identity", &structure->identity, error);
    if (status == CARDO_OK && !(structure->identity >= 0 && structure->identity <= 1))
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s:%d: identity is a share of equal residues, from 0 to 1, not %g",
                            cardo_xml_path(document), cardo_xml_line(element), structure->identity);
    if (status != CARDO_OK)
        return status;
    if (!cardo_xml_attribute(element, "model"))
        return CARDO_OK;
    return cardo_xml_int(document, element, "model", &structure->model, error);
}

/* <domain> and <hinge>, of the model file or an annotation file; chain: for residues that name
 * none. */
static cardo_status read_domain(cardo_model_definition *d, const cardo_xml *document,
                                const cardo_xml_element *element, const char *chain,
                                cardo_error *error)
{
    cardo_status status = check_count(document, element, d->ndomain, error);
    if (status == CARDO_OK)
        status = CARDO_RESERVE(&d->domain, &d->domain_capacity, d->ndomain + 1, error);
    if (status != CARDO_OK)
        return status;
    const char *own = cardo_xml_attribute(element, "chain");
    d->domain[d->ndomain++] =
        (cardo_domain_definition){.place = place_of(document, element),
                                  .name = cardo_xml_attribute(element, "name"),
                                  .residues = cardo_xml_attribute(element, "residues"),
                                  .chain = own ? own : chain};
    return CARDO_OK;
}

static cardo_status read_hinge(cardo_model_definition *d, const cardo_xml *document,
                               const cardo_xml_element *element, const char *chain,
                               cardo_error *error)
{
    cardo_status status = check_count(document, element, d->nhinge, error);
    if (status == CARDO_OK)
        status = CARDO_RESERVE(&d->hinge, &d->hinge_capacity, d->nhinge + 1, error);
    if (status != CARDO_OK)
        return status;
    const char *own = cardo_xml_attribute(element, "chain");
    d->hinge[d->nhinge++] =
        (cardo_hinge_definition){.place = place_of(document, element),
                                 .residues = cardo_xml_attribute(element, "residues"),
                                 .with = cardo_xml_attribute(element, "with"),
                                 .of = cardo_xml_attribute(element, "of"),
                                 .chain = own ? own : chain};
    return CARDO_OK;
}

/* Is a setting of the model the second of two words? Without it the first one holds, which is as the file has it. */
static cardo_status read_setting(const model_reader *reader, const char *name,
                                 const char *const word[2], bool *second, cardo_error *error)
{
    const char *set = cardo_overrides_value(&reader->overrides, "model", name);
    *second = set && strcmp(set, word[1]) == 0;
    return !set || *second || strcmp(set, word[0]) == 0
               ? CARDO_OK
               : CARDO_FAIL(error, CARDO_ERROR_USAGE, "model.%s is %s or %s, not '%s'", name,
                            word[0], word[1], set);
}

static cardo_status read_flexible(model_reader *reader, const cardo_xml_element *element,
                                  cardo_error *error)
{
    cardo_model_definition *d = &reader->definition;
    bool bonded;
    const char *rotors = cardo_xml_attribute(element, "rotors");
    const char *closure = cardo_xml_attribute(element, "closure");
    const char *omega = cardo_xml_attribute(element, "omega");
    const char *geometry = cardo_xml_attribute(element, "geometry");
    const bool rigid = closure && strcmp(closure, "rigid") == 0;
    char here[CARDO_PLACE_SIZE];
    if ((omega || geometry) && !rigid)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: %s=\"%s\" says how closure=\"rigid\" closes a strand; without "
                          "it leave %s out",
                          cardo_place_text(place_of(reader->document, element), here),
                          omega ? "omega" : "geometry", omega ? omega : geometry,
                          omega ? "omega" : "geometry");
    cardo_status status =
        read_setting(reader, "closure", (const char *[]){"rigid", "bonded"}, &bonded, error);
    if (status == CARDO_OK)
        status = CARDO_RESERVE(&d->flexible, &d->flexible_capacity, d->nflexible + 1, error);
    if (status != CARDO_OK)
        return status;
    d->flexible[d->nflexible++] =
        (cardo_flexible_definition){.place = place_of(reader->document, element),
                                    .residues = cardo_xml_attribute(element, "residues"),
                                    .chain = cardo_xml_attribute(element, "chain"),
                                    .torsions = cardo_xml_attribute(element, "torsions"),
                                    .within = cardo_xml_attribute(element, "within"),
                                    .rotors = rotors && strcmp(rotors, "yes") == 0,
                                    .rigid = rigid && !bonded,
                                    .ideal = geometry && strcmp(geometry, "forcefield") == 0,
                                    .omega_free = omega && strcmp(omega, "free") == 0};
    return CARDO_OK;
}

static cardo_status read_ligand(model_reader *reader, const cardo_xml_element *element,
                                cardo_error *error)
{
    cardo_model_definition *d = &reader->definition;
    cardo_status status = check_count(reader->document, element, d->nligand, error);
    if (status == CARDO_OK)
        status = CARDO_RESERVE(&d->ligand, &d->ligand_capacity, d->nligand + 1, error);
    if (status != CARDO_OK)
        return status;
    d->ligand[d->nligand++] =
        (cardo_ligand_definition){.place = place_of(reader->document, element),
                                  .name = cardo_xml_attribute(element, "name"),
                                  .residues = cardo_xml_attribute(element, "residues"),
                                  .chain = cardo_xml_attribute(element, "chain"),
                                  .parent = cardo_xml_attribute(element, "parent"),
                                  .joint = cardo_xml_attribute(element, "joint"),
                                  .restraint = cardo_xml_attribute(element, "restraint"),
                                  .size = cardo_xml_attribute(element, "size"),
                                  .stiffness = cardo_xml_attribute(element, "stiffness"),
                                  .center = cardo_xml_attribute(element, "center")};
    return CARDO_OK;
}

/* model.ligands: all as the file has them, or none. */
static cardo_status read_apo(model_reader *reader, cardo_error *error)
{
    cardo_model_definition *d = &reader->definition;
    const cardo_status status =
        read_setting(reader, "ligands", (const char *[]){"all", "none"}, &d->apo, error);
    if (status == CARDO_OK && d->apo && d->nligand == 0)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "model.ligands=none: %s has no <ligand> that could be left out", d->path);
    return status;
}

/* start of <model>, beside the model file, or model.start. */
static cardo_status read_start(const model_reader *reader, cardo_model *model, cardo_error *error)
{
    const cardo_xml_element *element = cardo_xml_child(cardo_xml_root(reader->document), "model");
    const char *set = cardo_overrides_value(&reader->overrides, "model", "start");
    const char *name = set ? set : cardo_xml_attribute(element, "start");
    const int line = cardo_xml_line(element);
    if (!name || strcmp(name, "none") == 0)
        return CARDO_OK;
    cardo_status status =
        cardo_path_beside(set ? NULL : model->path, name, &model->start_file, error);
    if (status == CARDO_OK)
        status = cardo_named_numbers_read(model->start_file, &model->start, error);
    if (status == CARDO_OK || set)
        return status;
    return cardo_error_prefix(error, "%s:%d: ", model->path, line);
}

static cardo_status read_domains_and_hinges(cardo_model_definition *d, const cardo_xml *document,
                                            const cardo_xml_element *parent, const char *chain,
                                            cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_xml_element *e = cardo_xml_child(parent, NULL);
    for (; e && status == CARDO_OK; e = cardo_xml_next(e, NULL)) {
        if (strcmp(cardo_xml_name(e), "domain") == 0)
            status = read_domain(d, document, e, chain, error);
        else if (strcmp(cardo_xml_name(e), "hinge") == 0)
            status = read_hinge(d, document, e, chain, error);
    }
    return status;
}

/* Opens a document that the definition keeps. */
static cardo_status open_document(cardo_model_definition *d, const char *path, cardo_xml **document,
                                  cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&d->document, &d->document_capacity, d->ndocument + 1, error);
    if (status == CARDO_OK)
        status = cardo_xml_read(path, document, error);
    if (status == CARDO_OK)
        d->document[d->ndocument++] = *document;
    return status;
}

static cardo_status read_annotation(model_reader *reader, const cardo_xml_element *element,
                                    cardo_error *error)
{
    cardo_model_definition *d = &reader->definition;
    const char *name = cardo_xml_attribute(element, "file");
    int line = cardo_xml_line(element);
    cardo_xml *document;
    char *path = NULL;
    if (!name)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <annotation> needs an attribute 'file'",
                          d->path, line);
    if (cardo_xml_child(element, NULL))
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s:%d: <annotation> in a model names a file and holds nothing; put domains and "
            "hinges right into <model>",
            d->path, line);
    cardo_status status = cardo_find_data(name, d->path, "topologies", &path, error);
    if (status == CARDO_OK)
        status = open_document(d, path, &document, error);
    cardo_free(path);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "%s:%d: ", d->path, line);
    status = cardo_model_schema_check(document, "annotation", error);
    if (status != CARDO_OK)
        return status;
    const cardo_xml_element *root = cardo_xml_root(document);
    const char *chain = cardo_xml_attribute(element, "chain");
    if (!chain)
        chain = cardo_xml_attribute(root, "chain");
    return read_domains_and_hinges(d, document, root, chain, error);
}

static void read_joint(model_reader *reader, const cardo_xml_element *element,
                       cardo_joint_definition *joint)
{
    const char *interpolation = cardo_overrides_value(&reader->overrides, "path", "interpolation");
    const char *start = cardo_overrides_value(&reader->overrides, "path", "start");
    *joint = (cardo_joint_definition){
        .place = place_of(reader->document, element),
        .kind = cardo_xml_name(element),
        .structures = cardo_xml_attribute(element, "structures"),
        .from = cardo_xml_attribute(element, "from"),
        .at = cardo_xml_attribute(element, "at"),
        .interpolation =
            interpolation ? interpolation : cardo_xml_attribute(element, "interpolation"),
        .start = start ? start : cardo_xml_attribute(element, "start"),
        .extra = cardo_xml_attribute(element, "extra"),
        .axis = cardo_xml_attribute(element, "axis"),
        .point = cardo_xml_attribute(element, "point"),
        .toward = cardo_xml_attribute(element, "toward"),
        .through = cardo_xml_attribute(element, "through"),
    };
}

static cardo_status read_body(model_reader *reader, const cardo_xml_element *element,
                              cardo_error *error)
{
    cardo_model_definition *d = &reader->definition;
    const char *base = cardo_overrides_value(&reader->overrides, "model", "base");
    cardo_status status = check_count(reader->document, element, d->nbody, error);
    if (status == CARDO_OK)
        status = CARDO_RESERVE(&d->body, &d->body_capacity, d->nbody + 1, error);
    if (status != CARDO_OK)
        return status;
    cardo_rigid_definition *body = &d->body[d->nbody++];
    *body = (cardo_rigid_definition){
        .place = place_of(reader->document, element),
        .name = cardo_xml_attribute(element, "name"),
        .domains = cardo_xml_attribute(element, "domains"),
        .parent = cardo_xml_attribute(element, "parent"),
        .base = cardo_xml_attribute(element, "base"),
        .conformer = cardo_xml_attribute(element, "conformer"),
        .mass_factor = cardo_xml_attribute(element, "mass-factor"),
    };
    if (base && !body->parent)
        body->base = base;
    const cardo_xml_element *joint = cardo_xml_child(element, NULL);
    if (joint)
        read_joint(reader, joint, &body->joint);
    if (joint && cardo_xml_next(joint, NULL))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: body '%s' has a joint already; it can have one", d->path,
                          cardo_xml_line(cardo_xml_next(joint, NULL)), body->name);
    return CARDO_OK;
}

static cardo_status read_model(model_reader *reader, const cardo_xml_element *model,
                               cardo_error *error)
{
    cardo_model_definition *d = &reader->definition;
    const char *name = cardo_overrides_value(&reader->overrides, "model", "name");
    cardo_status status = CARDO_OK;
    d->name = name ? name : cardo_xml_attribute(model, "name");
    d->place = place_of(reader->document, model);
    const cardo_xml_element *e = cardo_xml_child(model, NULL);
    for (; e && status == CARDO_OK; e = cardo_xml_next(e, NULL)) {
        const char *kind = cardo_xml_name(e);
        if (strcmp(kind, "structure") == 0)
            status = read_structure(reader, e, error);
        else if (strcmp(kind, "annotation") == 0)
            status = read_annotation(reader, e, error);
        else if (strcmp(kind, "body") == 0)
            status = read_body(reader, e, error);
        else if (strcmp(kind, "flexible") == 0)
            status = read_flexible(reader, e, error);
        else if (strcmp(kind, "ligand") == 0)
            status = read_ligand(reader, e, error);
    }
    if (status == CARDO_OK)
        status = read_apo(reader, error);
    if (status == CARDO_OK)
        status = read_domains_and_hinges(d, reader->document, model, NULL, error);
    if (status == CARDO_OK)
        status = cardo_model_check_bodies(d, error);
    return status;
}

/* The studies of the file, and those that --set alone asks for. */
static cardo_status read_studies(model_reader *reader, const cardo_xml_element *root,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; cardo_model_studies[k] && status == CARDO_OK; ++k) {
        const char *verb = cardo_model_studies[k], *name, *value;
        const cardo_xml_element *e = cardo_xml_child(root, verb);
        bool wanted = false;
        for (int o = 0; !e && o < reader->overrides.count; ++o)
            wanted |= cardo_overrides_of(&reader->overrides, o, verb, &name, &value) > 0;
        if (wanted)
            status =
                cardo_model_read_study(&reader->definition, verb, NULL, &reader->overrides, error);
        for (; e && status == CARDO_OK; e = cardo_xml_next(e, verb))
            status =
                cardo_model_read_study(&reader->definition, verb, e, &reader->overrides, error);
    }
    return status;
}

/* Everything that can be read without looking into a structure. */
static cardo_status read_document(model_reader *reader, const char *path, cardo_error *error)
{
    cardo_model_definition *d = &reader->definition;
    cardo_xml *document;
    cardo_status status = open_document(d, path, &document, error);
    if (status != CARDO_OK)
        return status;
    d->path = cardo_xml_path(document);
    reader->document = document;
    const cardo_xml_element *root = cardo_xml_root(document), *model = NULL;
    status = cardo_model_schema_names(document, "cardo", error);
    if (status == CARDO_OK)
        model = cardo_xml_child(root, "model");
    if (status == CARDO_OK && (!model || cardo_xml_next(model, "model")))
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <cardo> needs one <model>, here are %s",
                       path, cardo_xml_line(root), model ? "several" : "none");
    if (status == CARDO_OK)
        status = read_model(reader, model, error);
    if (status == CARDO_OK)
        status = cardo_model_read_forcefield(d, document, cardo_xml_child(model, "forcefield"),
                                             &reader->overrides, error);
    /* After our own checks, whose messages say more than a schema's. */
    if (status == CARDO_OK)
        status = cardo_model_schema_validate(document, error);
    if (status == CARDO_OK)
        status = read_studies(reader, root, error);
    return status;
}

/* Constraints are between the bodies that the model has when it is made. */
static cardo_status constrain(const model_reader *reader, cardo_model *model, cardo_error *error)
{
    const cardo_xml_element *root = cardo_xml_root(reader->document);
    bool none;
    cardo_status status = cardo_model_close_strands(model, error);
    if (status == CARDO_OK)
        status = read_setting(reader, "constraints", (const char *[]){"all", "none"}, &none, error);
    if (status != CARDO_OK || none)
        return status;
    const cardo_xml_element *e = cardo_xml_child(cardo_xml_child(root, "model"), "constraints");
    for (; e && status == CARDO_OK; e = cardo_xml_next(e, "constraints"))
        status = cardo_model_read_constraints(model, reader->document, e, error);
    return status;
}

cardo_status cardo_model_read(const char *path, int noverride, const char *const *overrides,
                              cardo_model **out, cardo_error *error)
{
    model_reader reader = {.overrides = {noverride, overrides}};
    *out = NULL;
    cardo_status status = cardo_overrides_check(&reader.overrides, error);
    if (status == CARDO_OK)
        status = read_document(&reader, path, error);
    if (status == CARDO_OK)
        status = cardo_model_resolve(&reader.definition, out, error);
    if (status == CARDO_OK)
        status = constrain(&reader, *out, error);
    if (status == CARDO_OK)
        status = read_start(&reader, *out, error);
    if (status != CARDO_OK) {
        cardo_model_destroy(*out);
        *out = NULL;
    }
    cardo_model_definition_destroy(&reader.definition);
    return status;
}
