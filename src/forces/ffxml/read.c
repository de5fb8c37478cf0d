/* Reading force-field files: includes first, then all atom types, then all residues, then the force
 * sections in the order of the files, so that a section may name types of a later file. */
#include "base/memory.h"
#include "base/text.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/patch.h"
#include "forces/ffxml/definitions/section.h"
#include "forces/ffxml/definitions/templates.h"
#include "forces/ffxml/forcefield.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 1000 };

/* The files to read, by their real paths: no file is read twice. */
typedef struct file_list {
    int count, capacity;
    char **path;
} file_list;

/* Elements of a force-field file that are no force section. */
static const char *const other_elements[] = {
    "Info", "Include", "AtomTypes", "Residues", "Patches", "Script", "InitializationScript", NULL};

static void file_list_clear(file_list *files)
{
    for (int i = 0; i < files->count; ++i)
        cardo_free(files->path[i]);
    cardo_free(files->path);
}

static bool same_file(const char *a, const char *b)
{
    char *x = realpath(a, NULL), *y = realpath(b, NULL);
    bool same = x && y ? strcmp(x, y) == 0 : strcmp(a, b) == 0;
    free(x);
    free(y);
    return same;
}

static cardo_status file_list_add(file_list *files, const char *path, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int i = 0; i < files->count; ++i)
        if (same_file(files->path[i], path))
            return CARDO_OK;
    if (files->count == MAX_FILES)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: more than %d force-field files", path,
                          MAX_FILES);
    CARDO_TRY(CARDO_RESERVE(&files->path, &files->capacity, files->count + 1, error));
    CARDO_TRY(cardo_copy_string(&files->path[files->count], path, error));
    ++files->count;
done:
    return status;
}

static cardo_status add_includes(file_list *files, const cardo_xml *document, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *path = NULL;
    const cardo_xml_element *child = cardo_xml_child(cardo_xml_root(document), "Include");
    for (; child; child = cardo_xml_next(child, "Include")) {
        const char *name = NULL;
        CARDO_TRY(cardo_xml_need(document, child, "file", &name, error));
        status = cardo_find_data(name, cardo_xml_path(document), "forcefields", &path, error);
        if (status != CARDO_OK) {
            cardo_error_prefix(error, "%s:%d: ", cardo_xml_path(document), cardo_xml_line(child));
            goto done;
        }
        CARDO_TRY(file_list_add(files, path, error));
        cardo_free(path);
        path = NULL;
    }
done:
    cardo_free(path);
    return status;
}

static cardo_status read_document(cardo_forcefield *ff, const char *path, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_RESERVE(&ff->document, &ff->document_capacity, ff->ndocument + 1, error));
    CARDO_TRY(cardo_xml_read(path, &ff->document[ff->ndocument], error));
    const cardo_xml *document = ff->document[ff->ndocument++];
    const cardo_xml_element *root = cardo_xml_root(document);
    if (strcmp(cardo_xml_name(root), "ForceField") != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: <%s> is not the root of an OpenMM force-field file: expected "
                          "<ForceField>",
                          path, cardo_xml_line(root), cardo_xml_name(root));
done:
    return status;
}

static cardo_status read_documents(cardo_forcefield *ff, int npath, const char *const *paths,
                                   cardo_error *error)
{
    cardo_status status = CARDO_OK;
    file_list files = {0};
    for (int i = 0; i < npath; ++i)
        CARDO_TRY(file_list_add(&files, paths[i], error));
    for (int i = 0; i < files.count; ++i) {
        const cardo_gb_model *solvent = cardo_gb_model_of_file(files.path[i]);
        if (solvent) {
            CARDO_TRY(cardo_forcefield_use_solvent(ff, solvent->name, error));
            continue;
        }
        CARDO_TRY(read_document(ff, files.path[i], error));
        CARDO_TRY(add_includes(&files, ff->document[ff->ndocument - 1], error));
    }
done:
    file_list_clear(&files);
    return status;
}

static cardo_status read_types(cardo_forcefield *ff, cardo_error *error)
{
    for (int i = 0; i < ff->ndocument; ++i) {
        const cardo_xml_element *e = cardo_xml_child(cardo_xml_root(ff->document[i]), "AtomTypes");
        for (; e; e = cardo_xml_next(e, "AtomTypes")) {
            cardo_status status = cardo_atom_types_read(&ff->types, ff->document[i], e, error);
            if (status != CARDO_OK)
                return status;
        }
    }
    return CARDO_OK;
}

static cardo_status read_residues(cardo_forcefield *ff, cardo_error *error)
{
    for (int i = 0; i < ff->ndocument; ++i) {
        const cardo_xml_element *e = cardo_xml_child(cardo_xml_root(ff->document[i]), "Residues");
        for (; e; e = cardo_xml_next(e, "Residues")) {
            cardo_status status =
                cardo_templates_read(&ff->templates, &ff->types, ff->document[i], e, error);
            if (status != CARDO_OK)
                return status;
        }
    }
    return CARDO_OK;
}

/* All patches, then what they may be applied to. */
static cardo_status read_patches(cardo_forcefield *ff, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int i = 0; i < ff->ndocument; ++i) {
        const cardo_xml_element *e = cardo_xml_child(cardo_xml_root(ff->document[i]), "Patches");
        for (; e; e = cardo_xml_next(e, "Patches"))
            CARDO_TRY(cardo_patches_read(ff, ff->document[i], e, error));
    }
    for (int i = 0; ff->npatch > 0 && i < ff->ndocument; ++i)
        CARDO_TRY(cardo_patches_allow(ff, ff->document[i], error));
    cardo_patches_finish(ff);
done:
    return status;
}

static bool is_listed(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; ++i)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* An element that no part of this version reads. A misspelt known one is wrong; any other is beyond
 * us. */
static cardo_status refuse_element(const cardo_xml *document, const cardo_xml_element *element,
                                   cardo_error *error)
{
    const char *name = cardo_xml_name(element), *known[32];
    int n = 0;
    for (int i = 0; cardo_sections[i] && n < 16; ++i)
        known[n++] = cardo_sections[i]->element;
    for (int i = 0; other_elements[i] && n < 31; ++i)
        known[n++] = other_elements[i];
    known[n] = NULL;
    const char *near = cardo_nearest_name(name, known);
    if (strcmp(name, "Script") == 0 || strcmp(name, "InitializationScript") == 0)
        return CARDO_FAIL(
            error, CARDO_ERROR_UNSUPPORTED,
            "%s:%d: <%s> holds Python, which only OpenMM's own Python layer can run; of "
            "OpenMM's scripts those of implicit/ are built in: hct, obc1, obc2, gbn, gbn2",
            cardo_xml_path(document), cardo_xml_line(element), name);
    return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                      "%s:%d: force section <%s> is not supported%s%s%s; prepare the system with "
                      "OpenMM and use its serialized System.xml instead",
                      cardo_xml_path(document), cardo_xml_line(element), name,
                      near ? " (did you mean <" : "", near ? near : "", near ? ">?)" : "");
}

static cardo_status read_section(cardo_forcefield *ff, const cardo_xml *document,
                                 const cardo_xml_element *element, cardo_error *error)
{
    const char *name = cardo_xml_name(element);
    const cardo_section *section = cardo_section_find(name);
    if (section)
        return section->read(ff, document, element, error);
    bool script = strcmp(name, "Script") == 0 || strcmp(name, "InitializationScript") == 0;
    bool empty = !cardo_xml_child(element, NULL);
    if ((is_listed(other_elements, name) || empty) && !script)
        return CARDO_OK;
    return refuse_element(document, element, error);
}

static cardo_status read_sections(cardo_forcefield *ff, cardo_error *error)
{
    for (int i = 0; i < ff->ndocument; ++i) {
        const cardo_xml_element *e = cardo_xml_child(cardo_xml_root(ff->document[i]), NULL);
        for (; e; e = cardo_xml_next(e, NULL)) {
            cardo_status status = read_section(ff, ff->document[i], e, error);
            if (status != CARDO_OK)
                return status;
        }
    }
    return CARDO_OK;
}

static cardo_status check_whole(const cardo_forcefield *ff, const char *path, cardo_error *error)
{
    if (ff->templates.count == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: no file of the force field has residue templates: name one such as "
                          "ff14SB.xml first",
                          path);
    if (ff->gb_model && ff->gb.place.path)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: <GBSAOBCForce> and implicit/%s.xml are two solvent models: use "
                          "one",
                          ff->gb.place.path, ff->gb.place.line, ff->gb_model->name);
    return CARDO_OK;
}

cardo_status cardo_forcefield_read(int npath, const char *const *paths, cardo_forcefield **out,
                                   cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_forcefield *ff = NULL;
    *out = NULL;
    if (npath < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "no force-field file is named");
    CARDO_TRY(CARDO_ALLOCATE(&ff, 1, error));
    ff->nonbonded = (cardo_type_attributes){
        .section = "NonbondedForce",
        .nvalue = 3,
        .attribute = {CARDO_ATTRIBUTE_CHARGE, CARDO_ATTRIBUTE_SIGMA, CARDO_ATTRIBUTE_EPSILON}};
    ff->lennard_jones =
        (cardo_type_attributes){.section = "LennardJonesForce",
                                .nvalue = 2,
                                .attribute = {CARDO_ATTRIBUTE_SIGMA, CARDO_ATTRIBUTE_EPSILON}};
    ff->gb = (cardo_type_attributes){
        .section = "GBSAOBCForce",
        .nvalue = 3,
        .attribute = {CARDO_ATTRIBUTE_CHARGE, CARDO_ATTRIBUTE_RADIUS, CARDO_ATTRIBUTE_SCALE}};
    CARDO_TRY(read_documents(ff, npath, paths, error));
    CARDO_TRY(read_types(ff, error));
    CARDO_TRY(read_residues(ff, error));
    CARDO_TRY(read_patches(ff, error));
    CARDO_TRY(read_sections(ff, error));
    CARDO_TRY(check_whole(ff, paths[0], error));
    *out = ff;
    ff = NULL;
done:
    cardo_forcefield_destroy(ff);
    return status;
}

void cardo_forcefield_destroy(cardo_forcefield *ff)
{
    if (!ff)
        return;
    cardo_templates_clear(&ff->templates);
    cardo_patches_clear(ff);
    cardo_atom_types_clear(&ff->types);
    cardo_free(ff->bond);
    cardo_free(ff->angle);
    cardo_free(ff->urey_bradley);
    cardo_free(ff->proper.list);
    cardo_free(ff->improper.list);
    cardo_free(ff->wave);
    cardo_free(ff->harmonic_proper.list);
    cardo_free(ff->harmonic_improper.list);
    cardo_free(ff->harmonic);
    cardo_free(ff->rb_proper.list);
    cardo_free(ff->rb_improper.list);
    cardo_free(ff->rb);
    cardo_free(ff->cmap);
    for (int k = 0; k < ff->nmap; ++k)
        cardo_free(ff->map[k].energy);
    cardo_free(ff->map);
    cardo_free(ff->nbfix);
    cardo_type_attributes_clear(&ff->lennard_jones);
    cardo_type_attributes_clear(&ff->nonbonded);
    cardo_type_attributes_clear(&ff->gb);
    cardo_free(ff->neck);
    for (int i = 0; i < ff->ndocument; ++i)
        cardo_xml_destroy(ff->document[i]);
    cardo_free(ff->document);
    cardo_free(ff);
}
