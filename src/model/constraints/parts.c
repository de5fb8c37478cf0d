#include "model/constraints/parts.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/points.h"

#include <stdio.h>
#include <string.h>

static const char *const numbers[2] = {"1", "2"};

enum { ATTRIBUTE_SIZE = 16 };

static char *attribute_of(const char *word, const char *number, char text[ATTRIBUTE_SIZE])
{
    snprintf(text, ATTRIBUTE_SIZE, "%s%s", word, number);
    return text;
}

cardo_status cardo_constraint_body(const constraint_maker *maker, const char *attribute,
                                   const char *text, int *body, cardo_error *error)
{
    const cardo_model *model = maker->model;
    cardo_near near = {.name = text};
    cardo_error problem = {0};
    char hint[CARDO_NEAR_TEXT];
    cardo_vec3 middle;
    int owner;
    *body = 0;
    if (strcmp(text, "ground") == 0)
        return CARDO_OK;
    for (int b = 0; b < model->nbody; ++b) {
        cardo_near_try(&near, model->body[b].name);
        if (strcmp(model->body[b].name, text) == 0)
            *body = b + 1;
    }
    if (*body > 0)
        return CARDO_OK;
    if (cardo_model_point(model, attribute, text, &middle, &owner, &problem) != CARDO_OK)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s=\"%s\" is no body of this model, not \"ground\", and no selection of atoms%s",
            attribute, text, cardo_near_hint(&near, hint));
    if (owner < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s=\"%s\": these atoms are not all in one body", attribute, text);
    *body = owner + 1;
    return CARDO_OK;
}

/* The body of a part: the one that is named, or that of its atoms (-1: there is none). */
static cardo_status owner_of(const constraint_maker *maker, const char *number, const char *text,
                             int of_atoms, int *body, cardo_error *error)
{
    char attribute[ATTRIBUTE_SIZE];
    attribute_of("body", number, attribute);
    if (text[0])
        return cardo_constraint_body(maker, attribute, text, body, error);
    *body = of_atoms + 1;
    if (of_atoms >= 0)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s=\"\" is missing: name a body, or \"ground\"; only atoms that are all in "
                      "one body tell which it is",
                      attribute);
}

cardo_status cardo_constraint_end(const constraint_maker *maker, const char *number,
                                  const end_words *words, constraint_end *end, cardo_error *error)
{
    char attribute[ATTRIBUTE_SIZE];
    int of_atoms = -1;
    if (words->point[0]) {
        cardo_status status =
            cardo_model_point(maker->model, attribute_of("point", number, attribute), words->point,
                              &end->point, &of_atoms, error);
        if (status != CARDO_OK)
            return status;
    }
    return owner_of(maker, number, words->body, of_atoms, &end->body, error);
}

static cardo_status check_two(const constraint_maker *maker, int body1, int body2,
                              cardo_error *error)
{
    if (body1 != body2)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "both ends are on '%s', which is rigid: name another body in body1 or body2",
                      body1 == 0 ? "ground" : maker->model->body[body1 - 1].name);
}

cardo_status cardo_constraint_ends(const constraint_maker *maker, const end_words words[2],
                                   constraint_end ends[2], cardo_error *error)
{
    cardo_status status;
    if (!words[0].point[0] && !words[1].point[0])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "point1=\"\" or point2=\"\" is missing: atoms such as A:90@CA, or three "
                          "numbers (nm)");
    for (int k = 0; k < 2; ++k)
        CARDO_TRY(cardo_constraint_end(maker, numbers[k], &words[k], &ends[k], error));
    for (int k = 0; k < 2; ++k)
        if (!words[k].point[0])
            ends[k].point = ends[1 - k].point;
    status = check_two(maker, ends[0].body, ends[1].body, error);
done:
    return status;
}

/* "POINT to POINT" in two; text is cut. */
static bool take_apart(char *text, char **to)
{
    char *word = strstr(text, " to ");
    if (!word)
        return false;
    *word = '\0';
    *to = word + strlen(" to ");
    return true;
}

cardo_status cardo_constraint_direction(const constraint_maker *maker, const char *attribute,
                                        const char *text, cardo_vec3 *direction, int *body,
                                        cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char from[CARDO_FIELD_STRING_SIZE], *to;
    cardo_vec3 point[2];
    double v[3];
    int owner[2] = {-1, -1};
    snprintf(from, sizeof from, "%s", text);
    if (cardo_model_numbers(text, 3, v))
        *direction = v3_load(v);
    else if (take_apart(from, &to)) {
        CARDO_TRY(cardo_model_point(maker->model, attribute, from, &point[0], &owner[0], error));
        CARDO_TRY(cardo_model_point(maker->model, attribute, to, &point[1], &owner[1], error));
        *direction = v3_sub(point[1], point[0]);
    } else
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s=\"%s\" is no direction: three numbers, or \"POINT to POINT\" such as "
                          "A:90@N to A:90@CA",
                          attribute, text);
    if (!(v3_norm(*direction) > 1e-12))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s=\"%s\" has no length", attribute, text);
    *direction = v3_unit(*direction);
    if (body)
        *body = owner[0] == owner[1] ? owner[0] : -1;
done:
    return status;
}

/* Axes from the direction of one and the side to which another points. */
static cardo_status read_axes(const constraint_maker *maker, const char *number,
                              const frame_words *words, bool along_x, cardo_mat33 *R,
                              cardo_error *error)
{
    char attribute[ATTRIBUTE_SIZE];
    cardo_vec3 main, side;
    *R = m33_identity();
    if (!words->axis[0] && !words->across[0])
        return CARDO_OK;
    if (!words->axis[0])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "across%s=\"\" without axis%s=\"\"", number,
                          number);
    cardo_status status = cardo_constraint_direction(maker, attribute_of("axis", number, attribute),
                                                     words->axis, &main, NULL, error);
    if (status == CARDO_OK && words->across[0])
        status = cardo_constraint_direction(maker, attribute_of("across", number, attribute),
                                            words->across, &side, NULL, error);
    if (status != CARDO_OK)
        return status;
    if (!words->across[0])
        side = v3_perpendicular(main);
    side = v3_add_scaled(side, -v3_dot(side, main), main);
    if (!(v3_norm(side) > 1e-6))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "across%s=\"%s\" is along axis%s: it tells no side", number,
                          words->across, number);
    side = v3_unit(side);
    const cardo_vec3 third = v3_cross(main, side);
    *R = along_x ? m33_from_columns(main, side, third) : m33_from_columns(side, third, main);
    return CARDO_OK;
}

/* The middle of a body's atoms, of ground its origin. */
static cardo_vec3 middle_of(const cardo_model *model, int body)
{
    const cardo_structure *reference = model->structure[0].structure;
    cardo_vec3 sum = v3(0, 0, 0);
    int n = 0;
    for (int i = 0; i < reference->natom; ++i)
        if (model->atom_body[i] == body - 1) {
            sum = v3_add(sum, v3_load(reference->position + 3 * i));
            ++n;
        }
    return n > 0 ? v3_scale(1.0 / n, sum) : sum;
}

cardo_status cardo_constraint_frames(const constraint_maker *maker, const frame_words words[2],
                                     bool along_x, constraint_frame frames[2], cardo_error *error)
{
    cardo_status status;
    bool said[2];
    for (int k = 0; k < 2; ++k) {
        constraint_end end = {0, {0, 0, 0}};
        said[k] = words[k].at.point[0] || words[k].axis[0] || words[k].across[0];
        CARDO_TRY(cardo_constraint_end(maker, numbers[k], &words[k].at, &end, error));
        CARDO_TRY(read_axes(maker, numbers[k], &words[k], along_x, &frames[k].X.R, error));
        frames[k].body = end.body;
        frames[k].X.p = end.point;
    }
    CARDO_TRY(check_two(maker, frames[0].body, frames[1].body, error));
    for (int k = 0; k < 2; ++k)
        if (said[k] && !words[k].at.point[0])
            frames[k].X.p =
                words[1 - k].at.point[0]
                    ? frames[1 - k].X.p
                    : middle_of(maker->model, frames[1].body > 0 ? frames[1].body : frames[0].body);
    if (!said[0] && !said[1])
        frames[0].X.p =
            middle_of(maker->model, frames[1].body > 0 ? frames[1].body : frames[0].body);
    if (!said[1])
        frames[1].X = frames[0].X;
    else if (!said[0])
        frames[0].X = frames[1].X;
done:
    return status;
}
