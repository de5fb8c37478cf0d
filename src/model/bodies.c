#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "model/internal.h"
#include "structure/atoms/selection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int find_definition(const cardo_model_definition *definition, const char *name)
{
    for (int b = 0; b < definition->nbody; ++b)
        if (strcmp(definition->body[b].name, name) == 0)
            return b;
    return -1;
}

static cardo_status fail_unknown_body(const cardo_model_definition *definition, cardo_place place,
                                      const char *what, const char *name, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE], hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    for (int b = 0; b < definition->nbody; ++b)
        cardo_near_try(&near, definition->body[b].name);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: %s '%s' is no body of this model%s",
                      cardo_place_text(place, here), what, name, cardo_near_hint(&near, hint));
}

static cardo_status fail_unknown_domain(const cardo_model_definition *definition, cardo_place place,
                                        const char *name, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE], hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    for (int d = 0; d < definition->ndomain; ++d)
        cardo_near_try(&near, definition->domain[d].name);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: '%s' is no domain of this model%s",
                      cardo_place_text(place, here), name, cardo_near_hint(&near, hint));
}

/* A pin or slider needs a point and a direction. */
static cardo_status check_joint(const cardo_joint_definition *joint, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    cardo_place_text(joint->place, here);
    if (!joint->kind || (strcmp(joint->kind, "pin") != 0 && strcmp(joint->kind, "slider") != 0))
        return CARDO_OK;
    bool found = strcmp(joint->kind, "pin") == 0 && !joint->axis && !joint->toward && !joint->point;
    if (found)
        return CARDO_OK; /* its axis is that of the motion between the structures */
    if (!joint->axis == !joint->toward)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: <%s> needs either axis=\"x y z\" or toward=\"selection\"", here,
                          joint->kind);
    if (!joint->point)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: <%s> needs point=\"\": three numbers (nm) or a selection such as A:90@CA", here,
            joint->kind);
    return CARDO_OK;
}

static cardo_status check_body(const cardo_model_definition *definition, int b, cardo_error *error)
{
    const cardo_rigid_definition *body = &definition->body[b];
    char here[CARDO_PLACE_SIZE];
    cardo_place_text(body->place, here);
    if (find_definition(definition, body->name) != b)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: body '%s' is there already; give it another name", here, body->name);
    if (body->parent && find_definition(definition, body->parent) < 0)
        return fail_unknown_body(definition, body->place, "parent", body->parent, error);
    if (body->parent && !body->joint.kind)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: body '%s' needs the joint that ties it to '%s': put <path/>, <pin/>, "
            "<ball/>, <slider/>, <strand/>, <weld/> or <free/> in it",
            here, body->name, body->parent);
    if (!body->parent && body->joint.kind)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: body '%s' has a <%s/> but no parent; name the parent, or set "
                          "base=\"free\" or base=\"welded\" instead of a joint",
                          here, body->name, body->joint.kind);
    if (body->parent && body->base)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: body '%s' has a parent, so base=\"%s\" means nothing; leave it out",
                          here, body->name, body->base);
    if (body->base && strcmp(body->base, "free") != 0 && strcmp(body->base, "welded") != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: base=\"%s\" is neither \"free\" nor \"welded\"", here, body->base);
    return check_joint(&body->joint, error);
}

cardo_status cardo_model_check_bodies(const cardo_model_definition *definition, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    if (definition->nstructure == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: the model has no <structure>",
                          cardo_place_text(definition->place, here));
    if (definition->nbody == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: the model has no <body>: give each rigid domain one",
                          cardo_place_text(definition->place, here));
    cardo_status status = CARDO_OK;
    for (int b = 0; b < definition->nbody && status == CARDO_OK; ++b)
        status = check_body(definition, b, error);
    return status;
}

/* order: definitions with parents before children, otherwise as written. */
static cardo_status sort_bodies(const cardo_model_definition *definition, int *order, bool *placed,
                                cardo_error *error)
{
    int n = 0;
    for (bool moving = true; moving && n < definition->nbody;) {
        moving = false;
        for (int b = 0; b < definition->nbody; ++b) {
            const char *parent = definition->body[b].parent;
            if (placed[b] || (parent && !placed[find_definition(definition, parent)]))
                continue;
            placed[b] = moving = true;
            order[n++] = b;
        }
    }
    for (int b = 0; b < definition->nbody; ++b)
        if (!placed[b]) {
            char here[CARDO_PLACE_SIZE];
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: body '%s' is its own ancestor: the parents go round in a ring",
                              cardo_place_text(definition->body[b].place, here),
                              definition->body[b].name);
        }
    return CARDO_OK;
}

/* Gives the domain called name[0..length) to body b. */
static cardo_status take_domain(const cardo_model_definition *definition, cardo_model *model, int b,
                                const char *name, const cardo_rigid_definition *rigid,
                                cardo_model_owners *owners, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    int d = 0;
    while (d < definition->ndomain && strcmp(definition->domain[d].name, name) != 0)
        ++d;
    if (d == definition->ndomain)
        return fail_unknown_domain(definition, rigid->place, name, error);
    for (int r = 0; r < model->structure[0].structure->nresidue; ++r) {
        if (owners->domain[r] != d)
            continue;
        if (owners->body[r] >= 0)
            return CARDO_FAIL(
                error, CARDO_ERROR_INPUT,
                "%s: domain '%s' is in body '%s' already; a domain belongs to one body",
                cardo_place_text(rigid->place, here), name, model->body[owners->body[r]].name);
        owners->body[r] = b;
        model->body[b].domain[r] = model->body[b].residue[r] = true;
    }
    return CARDO_OK;
}

static cardo_status take_domains(const cardo_model_definition *definition, cardo_model *model,
                                 int b, const cardo_rigid_definition *rigid,
                                 cardo_model_owners *owners, cardo_error *error)
{
    const char *blanks = " ,\t\r\n";
    char here[CARDO_PLACE_SIZE], name[256];
    int taken = 0;
    for (const char *word = rigid->domains; *(word += strspn(word, blanks)); ++taken) {
        size_t length = strcspn(word, blanks);
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        cardo_status status = take_domain(definition, model, b, name, rigid, owners, error);
        if (status != CARDO_OK)
            return status;
        word += length;
    }
    if (taken == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: body '%s' has no domain: name one in domains=\"\"",
                          cardo_place_text(rigid->place, here), rigid->name);
    return CARDO_OK;
}

static cardo_status read_mass_factor(const cardo_rigid_definition *rigid, double *factor,
                                     cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    const char *text = rigid->mass_factor;
    if (!text ||
        (cardo_parse_double(text, (int)strlen(text), factor) && isfinite(*factor) && *factor > 0))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: mass-factor=\"%s\" of body '%s': give a number above 0",
                      cardo_place_text(rigid->place, here), text, rigid->name);
}

static cardo_status make_body(const cardo_model_definition *definition, cardo_model *model, int b,
                              const int *order, cardo_model_owners *owners, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *reference = model->structure[0].structure;
    const cardo_rigid_definition *rigid = &definition->body[order[b]];
    cardo_model_body *body = &model->body[b];
    body->line = rigid->place.line;
    body->parent = -1;
    body->X_GF = xform_identity();
    for (int p = 0; rigid->parent && p < b; ++p)
        if (strcmp(model->body[p].name, rigid->parent) == 0)
            body->parent = p;
    CARDO_TRY(read_mass_factor(rigid, &body->mass_factor, error));
    CARDO_TRY(cardo_copy_string(&body->name, rigid->name, error));
    CARDO_TRY(CARDO_ALLOCATE(&body->residue, reference->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&body->domain, reference->nresidue, error));
    CARDO_TRY(take_domains(definition, model, b, rigid, owners, error));
    CARDO_TRY(cardo_selection_text(reference, body->domain, &body->selection, error));
done:
    return status;
}

cardo_status cardo_model_make_bodies(cardo_model *model, const cardo_model_definition *definition,
                                     cardo_model_owners *owners, int *order, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool *placed = NULL;
    CARDO_TRY(cardo_model_check_bodies(definition, error));
    CARDO_TRY(CARDO_ALLOCATE(&placed, definition->nbody, error));
    CARDO_TRY(sort_bodies(definition, order, placed, error));
    CARDO_TRY(CARDO_ALLOCATE(&model->body, definition->nbody, error));
    for (int b = 0; b < definition->nbody; ++b) {
        ++model->nbody;
        CARDO_TRY(make_body(definition, model, b, order, owners, error));
    }
done:
    cardo_free(placed);
    return status;
}
