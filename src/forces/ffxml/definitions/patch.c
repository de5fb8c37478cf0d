#include "forces/ffxml/definitions/patch.h"

#include "base/memory.h"
#include "base/number.h"
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/templates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements of a <Patch>, and the attributes that name their atoms. */
static const struct {
    const char *element, *atom[2];
} edits[] = {
    [CARDO_EDIT_ADD_ATOM] = {"AddAtom", {"name", NULL}},
    [CARDO_EDIT_CHANGE_ATOM] = {"ChangeAtom", {"name", NULL}},
    [CARDO_EDIT_REMOVE_ATOM] = {"RemoveAtom", {"name", NULL}},
    [CARDO_EDIT_ADD_BOND] = {"AddBond", {"atomName1", "atomName2"}},
    [CARDO_EDIT_REMOVE_BOND] = {"RemoveBond", {"atomName1", "atomName2"}},
    [CARDO_EDIT_ADD_EXTERNAL_BOND] = {"AddExternalBond", {"atomName", NULL}},
    [CARDO_EDIT_REMOVE_EXTERNAL_BOND] = {"RemoveExternalBond", {"atomName", NULL}},
};

enum { EDIT_KINDS = sizeof edits / sizeof *edits };

/* Splits "2:SG" into side 1 and SG; a name without a number is of the first side. */
static cardo_status read_place(const cardo_patch *patch, const cardo_xml *document,
                               const cardo_xml_element *element, const char *text, int *side,
                               const char **name, cardo_error *error)
{
    const char *colon = strchr(text, ':');
    int number = 1;
    *name = colon ? colon + 1 : text;
    if ((colon && !cardo_parse_int(text, (int)(colon - text), &number)) || number < 1 ||
        number > patch->nresidue)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT, "%s:%d: '%s' is in none of the %d residues of patch %s",
            cardo_xml_path(document), cardo_xml_line(element), text, patch->nresidue, patch->name);
    *side = number - 1;
    return CARDO_OK;
}

/* Type, element and numbers of an atom that the patch adds or changes. */
static cardo_status read_patch_atom(const cardo_forcefield *ff, const cardo_xml *document,
                                    const cardo_xml_element *element, const char *name,
                                    cardo_template_atom *atom, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *type = NULL;
    CARDO_TRY(cardo_xml_need(document, element, "type", &type, error));
    CARDO_TRY(cardo_attributes_read(document, element, &atom->attributes, error));
    atom->name = name;
    atom->type = cardo_name_table_find(&ff->types.by_name, type);
    if (atom->type < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: atom %s has the type '%s', which no <AtomTypes> defines: add the "
                          "file that does",
                          cardo_xml_path(document), cardo_xml_line(element), name, type);
    atom->element = ff->types.type[atom->type].element;
done:
    return status;
}

static cardo_status read_edit(const cardo_forcefield *ff, cardo_patch *patch,
                              const cardo_xml *document, const cardo_xml_element *element, int kind,
                              cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_patch_edit edit = {.kind = (cardo_edit_kind)kind};
    for (int k = 0; k < 2 && edits[kind].atom[k]; ++k) {
        const char *text = NULL;
        CARDO_TRY(cardo_xml_need(document, element, edits[kind].atom[k], &text, error));
        CARDO_TRY(read_place(patch, document, element, text, &edit.side[k], &edit.name[k], error));
    }
    if (kind == CARDO_EDIT_ADD_ATOM || kind == CARDO_EDIT_CHANGE_ATOM)
        CARDO_TRY(read_patch_atom(ff, document, element, edit.name[0], &edit.atom, error));
    CARDO_TRY(CARDO_RESERVE(&patch->edit, &patch->edit_capacity, patch->nedit + 1, error));
    patch->edit[patch->nedit++] = edit;
done:
    return status;
}

static cardo_status read_patch(cardo_forcefield *ff, const cardo_xml *document,
                               const cardo_xml_element *element, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_RESERVE(&ff->patch, &ff->patch_capacity, ff->npatch + 1, error));
    cardo_patch *patch = &ff->patch[ff->npatch];
    *patch = (cardo_patch){.nresidue = 1};
    CARDO_TRY(cardo_xml_need(document, element, "name", &patch->name, error));
    if (cardo_xml_attribute(element, "residues"))
        CARDO_TRY(cardo_xml_int(document, element, "residues", &patch->nresidue, error));
    ++ff->npatch;
    const cardo_xml_element *child = cardo_xml_child(element, NULL);
    for (; child; child = cardo_xml_next(child, NULL)) {
        if (strcmp(cardo_xml_name(child), "VirtualSite") == 0)
            patch->virtual_site_line = cardo_xml_line(child);
        for (int kind = 0; kind < EDIT_KINDS; ++kind)
            if (strcmp(cardo_xml_name(child), edits[kind].element) == 0)
                CARDO_TRY(read_edit(ff, patch, document, child, kind, error));
    }
done:
    return status;
}

cardo_status cardo_patches_read(cardo_forcefield *ff, const cardo_xml *document,
                                const cardo_xml_element *element, cardo_error *error)
{
    const cardo_xml_element *child = cardo_xml_child(element, "Patch");
    for (; child; child = cardo_xml_next(child, "Patch")) {
        cardo_status status = read_patch(ff, document, child, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* Index of the patch with these first characters as its name, or -1; the last one of a name counts. */
static int find_patch(const cardo_forcefield *ff, const char *name, size_t length)
{
    for (int k = ff->npatch - 1; k >= 0; --k)
        if (strlen(ff->patch[k].name) == length && strncmp(ff->patch[k].name, name, length) == 0)
            return k;
    return -1;
}

static cardo_status allow(cardo_forcefield *ff, int template_index, int patch, int side,
                          cardo_error *error)
{
    if (template_index < 0 || patch < 0 || side < 0 || side >= ff->patch[patch].nresidue)
        return CARDO_OK;
    cardo_status status =
        CARDO_RESERVE(&ff->allowed, &ff->allowed_capacity, ff->nallowed + 1, error);
    if (status == CARDO_OK)
        ff->allowed[ff->nallowed++] = (cardo_allowed_patch){template_index, patch, side};
    return status;
}

/* <AllowPatch name="DISU:2"/> of a residue. */
static cardo_status allow_from_residue(cardo_forcefield *ff, const cardo_xml_element *residue,
                                       cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *name = cardo_xml_attribute(residue, "name");
    int template_index = cardo_name_table_find(&ff->templates.by_name, name ? name : "");
    const cardo_xml_element *child = cardo_xml_child(residue, "AllowPatch");
    for (; child; child = cardo_xml_next(child, "AllowPatch")) {
        const char *patch = cardo_xml_attribute(child, "name");
        if (!patch)
            continue;
        size_t length = strcspn(patch, ":");
        int side = 1;
        if (patch[length] &&
            !cardo_parse_int(patch + length + 1, (int)strlen(patch + length + 1), &side))
            continue;
        CARDO_TRY(allow(ff, template_index, find_patch(ff, patch, length), side - 1, error));
    }
done:
    return status;
}

/* <ApplyToResidue name="2:CYS"/> of a patch. */
static cardo_status allow_from_patch(cardo_forcefield *ff, const cardo_xml_element *element,
                                     cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *name = cardo_xml_attribute(element, "name");
    int patch = find_patch(ff, name ? name : "", name ? strlen(name) : 0);
    const cardo_xml_element *child = cardo_xml_child(element, "ApplyToResidue");
    for (; child; child = cardo_xml_next(child, "ApplyToResidue")) {
        const char *residue = cardo_xml_attribute(child, "name");
        if (!residue)
            continue;
        const char *colon = strchr(residue, ':');
        int side = 1;
        if (colon && !cardo_parse_int(residue, (int)(colon - residue), &side))
            continue;
        CARDO_TRY(allow(ff,
                        cardo_name_table_find(&ff->templates.by_name, colon ? colon + 1 : residue),
                        patch, side - 1, error));
    }
done:
    return status;
}

cardo_status cardo_patches_allow(cardo_forcefield *ff, const cardo_xml *document,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_xml_element *root = cardo_xml_root(document), *group, *child;
    for (group = cardo_xml_child(root, "Residues"); group;
         group = cardo_xml_next(group, "Residues"))
        for (child = cardo_xml_child(group, "Residue"); child;
             child = cardo_xml_next(child, "Residue"))
            CARDO_TRY(allow_from_residue(ff, child, error));
    for (group = cardo_xml_child(root, "Patches"); group; group = cardo_xml_next(group, "Patches"))
        for (child = cardo_xml_child(group, "Patch"); child; child = cardo_xml_next(child, "Patch"))
            CARDO_TRY(allow_from_patch(ff, child, error));
done:
    return status;
}

static int compare_allowed(const void *a, const void *b)
{
    const cardo_allowed_patch *x = a, *y = b;
    if (x->template_index != y->template_index)
        return x->template_index < y->template_index ? -1 : 1;
    if (x->patch != y->patch)
        return x->patch < y->patch ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

void cardo_patches_finish(cardo_forcefield *ff)
{
    int kept = 0;
    if (ff->nallowed == 0)
        return;
    qsort(ff->allowed, (size_t)ff->nallowed, sizeof *ff->allowed, compare_allowed);
    for (int k = 0; k < ff->nallowed; ++k)
        if (kept == 0 || compare_allowed(&ff->allowed[kept - 1], &ff->allowed[k]) != 0)
            ff->allowed[kept++] = ff->allowed[k];
    ff->nallowed = kept;
}

void cardo_patches_clear(cardo_forcefield *ff)
{
    for (int k = 0; k < ff->npatch; ++k)
        cardo_free(ff->patch[k].edit);
    cardo_free(ff->patch);
    cardo_free(ff->allowed);
}

/* ------------ applying ------------ */

/* A template on its way. */
typedef struct draft {
    cardo_template *template;
    int atom_capacity, nbond, bond_capacity;
    int (*bond)[2];
    bool applies;
} draft;

/* Does the patch have such an edit of this atom (or of a bond between these two, either way round)
 * on this side? */
static bool has_edit(const cardo_patch *patch, int side, cardo_edit_kind kind, const char *a,
                     const char *b)
{
    for (int k = 0; k < patch->nedit; ++k) {
        const cardo_patch_edit *e = &patch->edit[k];
        if (e->kind != kind || e->side[0] != side)
            continue;
        if (!b && strcmp(e->name[0], a) == 0)
            return true;
        if (b && e->side[1] == side &&
            ((strcmp(e->name[0], a) == 0 && strcmp(e->name[1], b) == 0) ||
             (strcmp(e->name[0], b) == 0 && strcmp(e->name[1], a) == 0)))
            return true;
    }
    return false;
}

static cardo_status add_atom(draft *d, cardo_template_atom atom, cardo_error *error)
{
    cardo_template *t = d->template;
    cardo_status status = CARDO_RESERVE(&t->atom, &d->atom_capacity, t->natom + 1, error);
    if (status == CARDO_OK)
        t->atom[t->natom++] = atom;
    return status;
}

static cardo_status add_bond(draft *d, int a, int b, cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&d->bond, &d->bond_capacity, d->nbond + 1, error);
    if (status == CARDO_OK) {
        d->bond[d->nbond][0] = a;
        d->bond[d->nbond++][1] = b;
    }
    return status;
}

/* Atoms that stay, keep[] telling their new index (-1: removed), then those that are added. */
static cardo_status draft_atoms(draft *d, const cardo_patch *patch, int side,
                                const cardo_template *base, int *keep, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int i = 0; i < base->natom; ++i) {
        const char *name = base->atom[i].name;
        keep[i] = -1;
        if (has_edit(patch, side, CARDO_EDIT_REMOVE_ATOM, name, NULL))
            continue;
        keep[i] = d->template->natom;
        CARDO_TRY(add_atom(d, base->atom[i], error));
    }
    for (int k = 0; k < patch->nedit && d->applies; ++k) {
        const cardo_patch_edit *e = &patch->edit[k];
        if (e->kind != CARDO_EDIT_ADD_ATOM || e->side[0] != side)
            continue;
        d->applies = cardo_template_atom_called(d->template, e->name[0]) < 0;
        CARDO_TRY(add_atom(d, e->atom, error));
    }
done:
    return status;
}

static cardo_status keep_bonds(draft *d, const cardo_patch *patch, int side,
                               const cardo_template *base, const int *keep, cardo_error *error)
{
    for (int i = 0; i < base->natom; ++i)
        for (int k = base->neighbour_first[i]; k < base->neighbour_first[i + 1]; ++k) {
            int j = base->neighbour[k];
            if (j < i || keep[i] < 0 || keep[j] < 0 ||
                has_edit(patch, side, CARDO_EDIT_REMOVE_BOND, base->atom[i].name,
                         base->atom[j].name))
                continue;
            cardo_status status = add_bond(d, keep[i], keep[j], error);
            if (status != CARDO_OK)
                return status;
        }
    return CARDO_OK;
}

/* Bonds that leave the residue go with their atoms, which must not be removed without them. */
static void keep_external_bonds(draft *d, const cardo_patch *patch, int side,
                                const cardo_template *base, const int *keep)
{
    for (int i = 0; i < base->natom; ++i) {
        if (base->atom[i].external == 0)
            continue;
        bool removed =
            has_edit(patch, side, CARDO_EDIT_REMOVE_EXTERNAL_BOND, base->atom[i].name, NULL);
        if (keep[i] < 0)
            d->applies = d->applies && removed;
        else if (removed)
            d->template->atom[keep[i]].external = 0;
    }
}

/* A bond within this side, or one end of a bond to another. */
static cardo_status make_bond(draft *d, const cardo_patch_edit *e, int side, cardo_error *error)
{
    int end[2] = {-1, -1};
    for (int k = 0; k < 2; ++k)
        if (e->side[k] == side) {
            end[k] = cardo_template_atom_called(d->template, e->name[k]);
            d->applies = d->applies && end[k] >= 0;
        }
    if (!d->applies)
        return CARDO_OK;
    if (end[0] >= 0 && end[1] >= 0)
        return add_bond(d, end[0], end[1], error);
    for (int k = 0; k < 2; ++k)
        if (end[k] >= 0)
            ++d->template->atom[end[k]].external;
    return CARDO_OK;
}

static cardo_status apply_edit(draft *d, const cardo_patch_edit *e, int side, cardo_error *error)
{
    if (e->kind == CARDO_EDIT_ADD_BOND)
        return make_bond(d, e, side, error);
    if (e->side[0] != side ||
        (e->kind != CARDO_EDIT_CHANGE_ATOM && e->kind != CARDO_EDIT_ADD_EXTERNAL_BOND))
        return CARDO_OK;
    int atom = cardo_template_atom_called(d->template, e->name[0]);
    d->applies = atom >= 0;
    if (atom >= 0 && e->kind == CARDO_EDIT_ADD_EXTERNAL_BOND)
        ++d->template->atom[atom].external;
    if (atom >= 0 && e->kind == CARDO_EDIT_CHANGE_ATOM) {
        int external = d->template->atom[atom].external;
        d->template->atom[atom] = e->atom;
        d->template->atom[atom].external = external;
    }
    return CARDO_OK;
}

/* Name and place of the new template: "CYS-DISU", where its residue is. */
static cardo_status name_template(cardo_template *t, const cardo_patch *patch,
                                  const cardo_template *base, cardo_error *error)
{
    char name[256];
    snprintf(name, sizeof name, "%.120s-%.120s", base->name, patch->name);
    cardo_status status = cardo_copy_string(&t->own_name, name, error);
    t->name = t->own_name;
    t->place = base->place;
    t->virtual_site_line =
        patch->virtual_site_line ? patch->virtual_site_line : base->virtual_site_line;
    return status;
}

cardo_status cardo_patch_apply(const cardo_patch *patch, int side, const cardo_template *base,
                               cardo_template *out, bool *applies, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int *keep = NULL;
    draft d = {.template = out, .applies = true};
    *out = (cardo_template){0};
    CARDO_TRY(CARDO_ALLOCATE(&keep, base->natom, error));
    CARDO_TRY(name_template(out, patch, base, error));
    CARDO_TRY(draft_atoms(&d, patch, side, base, keep, error));
    CARDO_TRY(keep_bonds(&d, patch, side, base, keep, error));
    keep_external_bonds(&d, patch, side, base, keep);
    for (int k = 0; k < patch->nedit && d.applies; ++k)
        CARDO_TRY(apply_edit(&d, &patch->edit[k], side, error));
    if (d.applies)
        CARDO_TRY(cardo_template_link(out, d.nbond, d.bond, error));
    for (int i = 0; i < out->natom; ++i)
        out->signature += cardo_element_signature(out->atom[i].element);
done:
    *applies = d.applies;
    if (status != CARDO_OK || !d.applies)
        cardo_template_clear(out);
    cardo_free(keep);
    cardo_free(d.bond);
    return status;
}
