#include "multibody/tree/coordinate_names.h"

#include "base/number.h"
#include "base/text.h"
#include "multibody/mobilizers/descriptor.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LISTED = 8 };

/* The body's name, with the joint's word for the number where the body has several. */
static char *name_number(const cardo_system *system, int number, bool speed,
                         char text[CARDO_COORDINATE_NAME])
{
    snprintf(text, CARDO_COORDINATE_NAME, "%c%d", speed ? 'u' : 'q', number);
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        const cardo_joint *joint = cardo_system_joint(system, b);
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        const int k = number - (speed ? info.u_first : info.q_first), n = speed ? info.nu : info.nq;
        if (n == 1 && k == 0)
            snprintf(text, CARDO_COORDINATE_NAME, "%s", info.name);
        else if (k >= 0 && k < n)
            snprintf(text, CARDO_COORDINATE_NAME, "%s %s", info.name,
                     speed ? cardo_joint_u_name(joint, k) : cardo_joint_q_name(joint, k));
    }
    return text;
}

char *cardo_mobility_name(const cardo_system *system, int mobility,
                          char text[CARDO_COORDINATE_NAME])
{
    return name_number(system, mobility, true, text);
}

char *cardo_coordinate_name(const cardo_system *system, int coordinate,
                            char text[CARDO_COORDINATE_NAME])
{
    return name_number(system, coordinate, false, text);
}

/* Names the bodies that have coordinates, as far as they are few, and the likely misspelling. */
static cardo_status no_such_body(const cardo_system *system, const char *body, cardo_error *error)
{
    cardo_near near = {.name = body};
    char list[512] = "";
    int n = 0;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        if (info.nq == 0 || !info.name)
            continue;
        cardo_near_try(&near, info.name);
        ++n;
        if (n <= MOST_LISTED)
            cardo_append(list, sizeof list, "%s%.48s", list[0] ? ", " : "", info.name);
    }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "there is no body '%s' in the model%s%s%s; those with coordinates are: %s%s",
                      body, near.nearest ? ": did you mean '" : "",
                      near.nearest ? near.nearest : "", near.nearest ? "'?" : "", list,
                      n > MOST_LISTED ? ", ..." : "");
}

cardo_status cardo_find_coordinate(const cardo_system *system, const char *name, size_t length,
                                   int *q, cardo_error *error)
{
    char body[96];
    snprintf(body, sizeof body, "%.*s", (int)length, name);
    int which = 1;
    char *dot = strrchr(body, '.');
    if (dot && cardo_parse_int(dot + 1, (int)strlen(dot + 1), &which))
        *dot = '\0';
    else
        dot = NULL;
    int b = cardo_system_find_body(system, body);
    if (b < 1)
        return no_such_body(system, body, error);
    cardo_body_info info;
    cardo_system_body(system, b, &info);
    if (which < 1 || which > info.nq || (!dot && info.nq != 1))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "body '%s' has %d coordinate%s; choose one as %s.1%s", body, info.nq,
                          info.nq == 1 ? "" : "s", body, info.nq == 0 ? " (it has none)" : "");
    *q = info.q_first + which - 1;
    return CARDO_OK;
}
