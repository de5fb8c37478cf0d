#include "study/dynamics/events.h"

#include "base/number.h"
#include "multibody/tree/coordinate_names.h"

#include <stdio.h>
#include <string.h>

const cardo_field cardo_events_fields[] = {
    {"events", CARDO_FIELD_STRING, offsetof(cardo_events_options, events), "", "", 0, 0, NULL,
     "coordinates to watch, BODY=VALUE [rising|falling] [stop]; ...: passages go to events.csv",
     CARDO_MAY_CHANGE},
    {0},
};

static cardo_status misread(const char *text, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "events: '%s' is not BODY=VALUE or BODY.K=VALUE, with rising or falling, and "
                      "stop, after it where wanted",
                      text);
}

/* The words behind the value. */
static bool take_word(cardo_event *event, const char *word)
{
    if (strcmp(word, "stop") == 0)
        event->stop = true;
    else if (strcmp(word, "rising") == 0)
        event->direction = CARDO_EVENT_RISING;
    else if (strcmp(word, "falling") == 0)
        event->direction = CARDO_EVENT_FALLING;
    else
        return false;
    return true;
}

/* One event; cuts the text up. */
static cardo_status add_one(char *text, cardo_simulation *simulation, cardo_watch *watch,
                            cardo_error *error)
{
    char *rest = NULL, *word = strtok_r(text, " ", &rest);
    char *equals = word ? strchr(word, '=') : NULL;
    if (!word)
        return CARDO_OK;
    if (watch->count == 32)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "events: there can be 32 at most");
    cardo_coordinate_target *target = &watch->targets[watch->count];
    char *name = watch->names[watch->count];
    if (!equals || !cardo_parse_double(equals + 1, (int)strlen(equals + 1), &target->value))
        return misread(word, error);
    snprintf(name, sizeof watch->names[0], "%s", word);
    cardo_status status =
        cardo_find_coordinate(cardo_simulation_system(simulation), word, (size_t)(equals - word),
                              &target->coordinate, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "events: ");
    cardo_event event = {.name = name, .user = target, .witness = cardo_coordinate_witness};
    while ((word = strtok_r(NULL, " ", &rest)))
        if (!take_word(&event, word))
            return misread(word, error);
    watch->count++;
    return cardo_simulation_add_event(simulation, &event, error);
}

cardo_status cardo_watch_add(const cardo_events_options *options, cardo_simulation *simulation,
                             cardo_watch *watch, cardo_error *error)
{
    char text[CARDO_FIELD_STRING_SIZE], *rest = NULL;
    snprintf(text, sizeof text, "%s", options->events);
    cardo_status status = CARDO_OK;
    for (char *one = strtok_r(text, ";", &rest); one && status == CARDO_OK;
         one = strtok_r(NULL, ";", &rest))
        status = add_one(one, simulation, watch, error);
    return status;
}
