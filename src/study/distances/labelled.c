#include "study/distances/labelled.h"

#include "base/memory.h"
#include "experiment/labels/rotamers.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

void cardo_labelled_clear(cardo_labelled *l)
{
    for (int k = 0; l->cloud && k < l->table->nlabel; ++k)
        cardo_label_cloud_clear(&l->cloud[k]);
    cardo_free(l->atom);
    cardo_free(l->body);
    cardo_free(l->radius);
    cardo_free(l->reference);
    cardo_free(l->attachment);
    cardo_free(l->carrier);
    cardo_free(l->cloud);
    cardo_free(l->now);
    cardo_free(l->other_radius);
    cardo_free(l->nplace);
    cardo_free(l->position);
    cardo_free(l->weight);
    *l = (cardo_labelled){0};
}

static cardo_status allocate(cardo_labelled *l, const cardo_structure *s, cardo_error *error)
{
    cardo_status status;
    const size_t n = (size_t)s->natom, labels = (size_t)l->table->nlabel, most = (size_t)l->most;
    CARDO_TRY(CARDO_ALLOCATE(&l->atom, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->body, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->radius, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->reference, 3 * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->now, 6 * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->other_radius, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->attachment, labels, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->carrier, labels, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->cloud, labels, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->nplace, labels, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->position, 3 * labels * most, error));
    CARDO_TRY(CARDO_ALLOCATE(&l->weight, labels * most, error));
done:
    return status;
}

static cardo_status find_attachment(const cardo_label *label, const cardo_structure *s, bool *mask,
                                    int *atom, cardo_error *error)
{
    int residue = -1;
    char name[40];
    cardo_status status = cardo_select_residues(s, label->residue, true, mask, error);
    if (status != CARDO_OK) {
        cardo_error_prefix(error, "label %s in %s: ", label->name, s->source);
        return status;
    }
    for (int r = s->nresidue - 1; r >= 0; --r)
        if (mask[r])
            residue = r;
    *atom = cardo_structure_find_atom(s, residue, label->atom);
    if (*atom < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "label %s: residue %s of %s has no atom %s to hang on: name one that it "
                          "has, such as CA",
                          label->name, cardo_residue_label(s, residue, name), s->source,
                          label->atom);
    return CARDO_OK;
}

/* What a label takes the place of: its residue but for the backbone, and the atom that it hangs on. */
static bool is_replaced(const cardo_structure *s, int attachment, int atom)
{
    static const char *const backbone[] = {"N", "CA", "C", "O", "OXT"};
    if (atom == attachment)
        return true;
    if (s->atom_residue[atom] != s->atom_residue[attachment])
        return false;
    for (size_t k = 0; k < sizeof backbone / sizeof *backbone; ++k)
        if (strcmp(s->atom_name[atom].text, backbone[k]) == 0)
            return false;
    return true;
}

static cardo_status place_rotamers(const cardo_label *label, const cardo_structure *s,
                                   int attachment, const cardo_obstacles *own,
                                   cardo_label_cloud *cloud, cardo_error *error)
{
    static const char *const names[3] = {"N", "CA", "C"};
    double backbone[9];
    for (int k = 0; k < 3; ++k) {
        const int at = cardo_structure_find_atom(s, s->atom_residue[attachment], names[k]);
        if (at < 0)
            return CARDO_FAIL(
                error, CARDO_ERROR_INPUT,
                "label %s at %s: its residue in %s has no atom %s to lay rotamers upon",
                label->name, label->residue, s->source, names[k]);
        memcpy(backbone + 3 * k, s->position + 3 * (size_t)at, 3 * sizeof *backbone);
    }
    return cardo_rotamers_place(label->rotamers, label->spin, backbone, own, cloud, error);
}

static cardo_status make_cloud(cardo_labelled *l, int k, const cardo_structure *s, double spacing,
                               cardo_error *error)
{
    cardo_obstacles own = {.position = l->now, .radius = l->other_radius};
    const int attachment = l->attachment[k];
    const cardo_label *label = &l->table->label[k];
    for (int i = 0; i < l->natom; ++i)
        if (l->body[i] == l->carrier[k] && !is_replaced(s, attachment, l->atom[i])) {
            memcpy(l->now + 3 * (size_t)own.n, l->reference + 3 * (size_t)i, 3 * sizeof *l->now);
            l->other_radius[own.n++] = l->radius[i];
        }
    cardo_status status =
        label->rotamers
            ? place_rotamers(label, s, attachment, &own, &l->cloud[k], error)
            : cardo_label_cloud_make(&label->shape, v3_load(s->position + 3 * (size_t)attachment),
                                     &own, spacing, &l->cloud[k], error);
    if (status == CARDO_OK && l->cloud[k].n == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "label %s at %s has no room in %s: its residue is buried, or %s",
                            label->name, label->residue, s->source,
                            label->rotamers ? "has none of these rotamers"
                                            : "the linker too short or too wide");
    return status;
}

cardo_status cardo_labelled_make(const cardo_label_table *table, const cardo_structure *s,
                                 const int *atom_body, double spacing, int most, cardo_labelled *l,
                                 cardo_error *error)
{
    cardo_status status;
    bool *mask = NULL;
    l->table = table;
    l->most = most;
    CARDO_TRY(allocate(l, s, error));
    CARDO_TRY(CARDO_ALLOCATE(&mask, s->nresidue, error));
    for (int i = 0; i < s->natom; ++i)
        if (s->element[i] != 1) {
            l->atom[l->natom] = i;
            l->body[l->natom] = atom_body ? atom_body[i] : 0;
            l->radius[l->natom] = cardo_bondi_radius(s->element[i]);
            memcpy(l->reference + 3 * (size_t)l->natom++, s->position + 3 * (size_t)i,
                   3 * sizeof *l->reference);
        }
    for (int k = 0; k < table->nlabel; ++k) {
        CARDO_TRY(find_attachment(&table->label[k], s, mask, &l->attachment[k], error));
        l->carrier[k] = atom_body ? atom_body[l->attachment[k]] : 0;
        CARDO_TRY(make_cloud(l, k, s, spacing, error));
    }
done:
    cardo_free(mask);
    return status;
}

/* How a body has moved since clouds were made. Scratch: now and other_radius. */
static cardo_status find_pose(cardo_labelled *l, int body, const double *positions,
                              cardo_transform *X, cardo_error *error)
{
    double *before = l->now, *after = l->now + 3 * (size_t)l->natom;
    int n = 0;
    bool moved = false;
    for (int i = 0; i < l->natom; ++i)
        if (l->body[i] == body) {
            memcpy(before + 3 * (size_t)n, l->reference + 3 * (size_t)i, 3 * sizeof *before);
            memcpy(after + 3 * (size_t)n, positions + 3 * (size_t)l->atom[i], 3 * sizeof *after);
            moved |= memcmp(before + 3 * (size_t)n, after + 3 * (size_t)n, 3 * sizeof *before) != 0;
            ++n;
        }
    *X = xform_identity();
    return moved ? cardo_superpose(n, before, after, NULL, X, NULL, error) : CARDO_OK;
}

/* Atoms of other bodies that the label may reach. */
static void list_others(cardo_labelled *l, int k, cardo_vec3 attachment, const double *positions,
                        cardo_obstacles *others)
{
    const cardo_label_shape *shape = &l->table->label[k].shape;
    double reach = 0;
    for (int r = 0; r < shape->nradius; ++r)
        reach = fmax(reach, shape->radius[r]);
    reach += shape->length + 0.2;
    *others = (cardo_obstacles){.position = l->now, .radius = l->other_radius};
    for (int i = 0; i < l->natom; ++i) {
        const double *p = positions + 3 * (size_t)l->atom[i];
        const cardo_vec3 d = v3_sub(v3_load(p), attachment);
        if (l->body[i] == l->carrier[k] || v3_dot(d, d) > reach * reach)
            continue;
        memcpy(l->now + 3 * (size_t)others->n, p, 3 * sizeof *p);
        l->other_radius[others->n++] = l->radius[i];
    }
}

cardo_status cardo_labelled_place(cardo_labelled *l, const double *positions, cardo_error *error)
{
    cardo_transform X;
    cardo_obstacles others;
    for (int k = 0; k < l->table->nlabel; ++k) {
        const size_t first = (size_t)k * (size_t)l->most;
        cardo_status status = find_pose(l, l->carrier[k], positions, &X, error);
        if (status != CARDO_OK)
            return status;
        list_others(l, k, v3_load(positions + 3 * (size_t)l->attachment[k]), positions, &others);
        l->nplace[k] = cardo_label_cloud_place(&l->cloud[k], &l->table->label[k].shape, X, &others,
                                               l->most, l->position + 3 * first, l->weight + first);
    }
    return CARDO_OK;
}

cardo_label_places cardo_labelled_places(const cardo_labelled *l, int label)
{
    const size_t first = (size_t)label * (size_t)l->most;
    return (cardo_label_places){l->nplace[label], l->position + 3 * first, l->weight + first};
}
