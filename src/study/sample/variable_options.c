#include "study/sample/variable_options.h"

#include "base/memory.h"
#include "base/units.h"
#include "multibody/tree/coordinate_names.h"
#include "structure/atoms/selection.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {"coordinate", "distance", "angle", "dihedral", "rmsd", NULL};

#define OPTION(member) offsetof(cardo_variable_options, member)
const cardo_field cardo_variable_fields[] = {
    {"variable", CARDO_FIELD_CHOICE, OPTION(kind), "", "coordinate", 0, 0, kinds,
     "what to sample along: a coordinate of a joint; distance, angle or dihedral of centres of "
     "mass; rmsd from a structure"},
    {"coordinate", CARDO_FIELD_STRING, OPTION(coordinate), "", "", 0, 0, NULL,
     "BODY or BODY.K, its K-th coordinate; empty: the only joint between bodies that has one"},
    {"a", CARDO_FIELD_STRING, OPTION(group[0]), "", "", 0, 0, NULL,
     "first selection of the variable: A:1-90, A:*@CA"},
    {"b", CARDO_FIELD_STRING, OPTION(group[1]), "", "", 0, 0, NULL, "second selection"},
    {"c", CARDO_FIELD_STRING, OPTION(group[2]), "", "", 0, 0, NULL, "third selection"},
    {"d", CARDO_FIELD_STRING, OPTION(group[3]), "", "", 0, 0, NULL, "fourth selection"},
    {"reference", CARDO_FIELD_STRING, OPTION(reference), "", "", 0, 0, NULL,
     "structure of the model from which rmsd is measured; empty: the last one"},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};
#undef OPTION

/* A definition and what it points to. */
typedef struct draft {
    cardo_variable_definition definition;
    int *station[CARDO_VARIABLE_MAX_GROUPS];
    double *weight[CARDO_VARIABLE_MAX_GROUPS];
    double *reference;
    char name[96];
} draft;

static void draft_clear(draft *d)
{
    for (int g = 0; g < CARDO_VARIABLE_MAX_GROUPS; ++g) {
        cardo_free(d->station[g]);
        cardo_free(d->weight[g]);
    }
    cardo_free(d->reference);
}

/* The one joint between two bodies that has a single coordinate, where there are no others. */
static cardo_status only_coordinate(const cardo_session *session, int *q, cardo_error *error)
{
    int found = 0;
    char names[512] = "", name[96];
    for (int b = 1; b < cardo_system_nbody(session->system); ++b) {
        cardo_body_info info;
        cardo_system_body(session->system, b, &info);
        for (int k = info.q_first; info.parent > 0 && k < info.q_first + info.nq; ++k) {
            const size_t used = strlen(names);
            *q = k;
            if (++found > 8)
                continue;
            snprintf(name, sizeof name, "%s.%d", info.name, k - info.q_first + 1);
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                     info.nq == 1 ? info.name : name);
        }
    }
    if (found == 1)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      found ? "the model's joints have %d coordinates (%s%s): choose one, as in "
                              "coordinate=\"BODY\""
                            : "the model's joints have %d coordinates%s%s: take a distance, an "
                              "angle, a dihedral or rmsd of atoms",
                      found, names, found > 8 ? ", ..." : "");
}

static cardo_status draft_coordinate(const cardo_session *session, const char *text, draft *d,
                                     cardo_error *error)
{
    cardo_status status = text[0] ? cardo_find_coordinate(session->system, text, strlen(text),
                                                          &d->definition.coordinate, error)
                                  : only_coordinate(session, &d->definition.coordinate, error);
    if (status != CARDO_OK)
        return status;
    for (int b = 1; b < cardo_system_nbody(session->system); ++b) {
        cardo_body_info info;
        cardo_system_body(session->system, b, &info);
        if (info.mobilizer == &cardo_mobilizer_pin && info.q_first == d->definition.coordinate)
            d->definition.period = 2 * CARDO_PI;
    }
    cardo_coordinate_name(session->system, d->definition.coordinate, d->name);
    return CARDO_OK;
}

static double mass_of(const cardo_session *session, int atom)
{
    return session->masses
               ? session->masses[atom]
               : cardo_element_mass(session->model->structure[0].structure->element[atom]);
}

/* Group g from its selection; atoms without mass have no part in a centre. */
static cardo_status draft_group(const cardo_session *session, const char *text, int g, draft *d,
                                cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = session->model->structure[0].structure;
    bool *mark = NULL;
    int n = 0;
    CARDO_TRY(CARDO_ALLOCATE(&mark, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->station[g], s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->weight[g], s->natom, error));
    CARDO_TRY(cardo_select_atoms(s, text, true, mark, error));
    for (int i = 0; i < s->natom; ++i)
        if (mark[i] && mass_of(session, i) > 0) {
            d->station[g][n] = i;
            d->weight[g][n++] = mass_of(session, i);
        }
    d->definition.group[g] = (cardo_station_group){n, d->station[g], d->weight[g]};
    if (n == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "no atom of it has a mass");
done:
    cardo_free(mark);
    return status == CARDO_OK ? status : cardo_error_prefix(error, "%c=\"%s\": ", 'a' + g, text);
}

static cardo_status find_reference(const cardo_model *model, const char *id, int *which,
                                   cardo_error *error)
{
    *which = model->nstructure - 1;
    for (int k = 0; k < model->nstructure; ++k)
        if (id[0] && strcmp(model->structure[k].id, id) == 0) {
            *which = k;
            return CARDO_OK;
        }
    return id[0] ? CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "reference=\"%s\" is none of the model's structures; the last one is "
                              "\"%s\"",
                              id, model->structure[*which].id)
                 : CARDO_OK;
}

/* Where the atoms of group 0 are in a structure of the model; each must be there. RMSDs of atoms are
 * not weighted. */
static cardo_status draft_reference(const cardo_model *model, const char *id, draft *d,
                                    cardo_error *error)
{
    int which;
    const cardo_station_group *group = &d->definition.group[0];
    const cardo_structure *s = model->structure[0].structure;
    cardo_status status = find_reference(model, id, &which, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&d->reference, 3 * (size_t)group->count, error);
    const cardo_model_structure *other = &model->structure[which];
    for (int i = 0; i < group->count && status == CARDO_OK; ++i) {
        const int atom = group->station[i], residue = s->atom_residue[atom];
        const int partner = which == 0 ? residue : other->match[residue];
        const int there = partner < 0 ? -1
                                      : cardo_structure_find_atom(other->structure, partner,
                                                                  s->atom_name[atom].text);
        char label[40];
        if (there < 0)
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                "a: atom %s of %s is not in structure \"%s\": choose atoms that "
                                "both have, as in A:1-90@CA",
                                s->atom_name[atom].text, cardo_residue_label(s, residue, label),
                                other->id);
        else
            memcpy(d->reference + 3 * (size_t)i, other->structure->position + 3 * (size_t)there,
                   3 * sizeof *d->reference);
    }
    d->definition.reference = d->reference;
    d->definition.group[0].weight = NULL;
    return status;
}

/* Options that the kind takes must be there, others must not. */
static cardo_status check_options(const cardo_variable_options *options,
                                  const cardo_variable_kind *kind, cardo_error *error)
{
    const char *name = cardo_variable_kind_name(kind);
    const int ngroup = cardo_variable_kind_ngroup(kind);
    for (int g = 0; g < CARDO_VARIABLE_MAX_GROUPS; ++g)
        if ((options->group[g][0] != '\0') != (g < ngroup))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              g < ngroup ? "variable=\"%s\" needs %d selection%s, and %c=\"...\" "
                                           "is missing"
                                         : "variable=\"%s\" takes %d selection%s: %c=\"...\" means "
                                           "nothing there",
                              name, ngroup, ngroup == 1 ? "" : "s", 'a' + g);
    if (options->coordinate[0] && kind != &cardo_variable_coordinate)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "coordinate=\"%s\" goes with variable=\"coordinate\", not with \"%s\"",
                          options->coordinate, name);
    if (options->reference[0] && kind != &cardo_variable_rmsd)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "reference=\"%s\" goes with variable=\"rmsd\", not with \"%s\"",
                          options->reference, name);
    return CARDO_OK;
}

/* A distance of atoms from themselves, or a dihedral that ends where it begins, never changes. */
static cardo_status check_groups(const cardo_variable_options *options, const draft *d, int ngroup,
                                 cardo_error *error)
{
    for (int g = 1; g < ngroup; ++g)
        for (int h = 0; h < g; ++h) {
            const cardo_station_group *one = &d->definition.group[h],
                                      *other = &d->definition.group[g];
            if (one->count == other->count &&
                memcmp(one->station, other->station, (size_t)one->count * sizeof *one->station) ==
                    0)
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "%c=\"%s\" and %c=\"%s\" are the same atoms: choose others for "
                                  "one of them",
                                  'a' + h, options->group[h], 'a' + g, options->group[g]);
        }
    return CARDO_OK;
}

cardo_status cardo_variable_from_options(const cardo_session *session,
                                         const cardo_variable_options *options,
                                         cardo_variable **out, cardo_error *error)
{
    cardo_status status;
    const cardo_variable_kind *kind = cardo_variable_kinds[options->kind];
    draft d = {.definition = {.name = d.name}};
    snprintf(d.name, sizeof d.name, "%s", cardo_variable_kind_name(kind));
    *out = NULL;
    CARDO_TRY(check_options(options, kind, error));
    if (kind == &cardo_variable_coordinate)
        CARDO_TRY(draft_coordinate(session, options->coordinate, &d, error));
    for (int g = 0; g < cardo_variable_kind_ngroup(kind); ++g)
        CARDO_TRY(draft_group(session, options->group[g], g, &d, error));
    CARDO_TRY(check_groups(options, &d, cardo_variable_kind_ngroup(kind), error));
    if (kind == &cardo_variable_rmsd)
        CARDO_TRY(draft_reference(session->model, options->reference, &d, error));
    status = cardo_variable_create(kind, session->system, &d.definition, out, error);
    /* A selection that a kind cannot use is the user's mistake. */
    if (status == CARDO_ERROR_ARGUMENT)
        status = CARDO_ERROR_INPUT;
done:
    draft_clear(&d);
    return status;
}
