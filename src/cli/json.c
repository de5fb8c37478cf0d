#include "cli/json.h"

#include <jansson.h>
#include <math.h>

cardo_json *cardo_json_object(void)
{
    return json_object();
}

cardo_json *cardo_json_array(void)
{
    return json_array();
}

void cardo_json_put(cardo_json *into, const char *key, cardo_json *value)
{
    if (key)
        json_object_set_new(into, key, value);
    else
        json_array_append_new(into, value);
}

void cardo_json_number(cardo_json *into, const char *key, double value)
{
    cardo_json_put(into, key, isfinite(value) ? json_real(value) : json_null());
}

void cardo_json_integer(cardo_json *into, const char *key, long long value)
{
    cardo_json_put(into, key, json_integer(value));
}

void cardo_json_string(cardo_json *into, const char *key, const char *value)
{
    json_t *text = value ? json_string(value) : json_null();
    cardo_json_put(into, key, text ? text : json_string("?"));
}

void cardo_json_bool(cardo_json *into, const char *key, int value)
{
    cardo_json_put(into, key, json_boolean(value));
}

void cardo_json_vec3(cardo_json *into, const char *key, cardo_vec3 value)
{
    json_t *array = json_array();
    cardo_json_number(array, NULL, value.x);
    cardo_json_number(array, NULL, value.y);
    cardo_json_number(array, NULL, value.z);
    cardo_json_put(into, key, array);
}

void cardo_json_print(cardo_json *json, FILE *stream)
{
    json_dumpf(json, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', stream);
    json_decref(json);
}
