#include "base/json/json.h"

#include "base/number.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>

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

cardo_json *cardo_json_of_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

cardo_json *cardo_json_of_integer(long long value)
{
    return json_integer(value);
}

cardo_json *cardo_json_of_string(const char *value)
{
    json_t *text = value ? json_string(value) : json_null();
    return text ? text : json_string("?");
}

cardo_json *cardo_json_of_bool(bool value)
{
    return json_boolean(value);
}

void cardo_json_number(cardo_json *into, const char *key, double value)
{
    cardo_json_put(into, key, cardo_json_of_number(value));
}

void cardo_json_integer(cardo_json *into, const char *key, long long value)
{
    cardo_json_put(into, key, cardo_json_of_integer(value));
}

void cardo_json_string(cardo_json *into, const char *key, const char *value)
{
    cardo_json_put(into, key, cardo_json_of_string(value));
}

void cardo_json_bool(cardo_json *into, const char *key, int value)
{
    cardo_json_put(into, key, cardo_json_of_bool(value));
}

void cardo_json_vec3(cardo_json *into, const char *key, cardo_vec3 value)
{
    json_t *array = json_array();
    cardo_json_number(array, NULL, value.x);
    cardo_json_number(array, NULL, value.y);
    cardo_json_number(array, NULL, value.z);
    cardo_json_put(into, key, array);
}

cardo_json *cardo_json_read(const char *path, cardo_error *error)
{
    json_error_t reason;
    locale_t outer = cardo_numbers_begin();
    json_t *json = json_load_file(path, JSON_DECODE_INT_AS_REAL, &reason);
    cardo_numbers_end(outer);
    if (!json)
        CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: %s", path, reason.text);
    return json;
}

cardo_json *cardo_json_read_text(const char *text, size_t length, const char *path,
                                 cardo_error *error)
{
    json_error_t reason;
    locale_t outer = cardo_numbers_begin();
    json_t *json = json_loadb(text, length, JSON_DECODE_INT_AS_REAL, &reason);
    cardo_numbers_end(outer);
    if (!json)
        CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s", path, reason.line, reason.text);
    return json;
}

void cardo_json_free(cardo_json *json)
{
    json_decref(json);
}

const cardo_json *cardo_json_member(const cardo_json *json, const char *key)
{
    return json_object_get(json, key);
}

const char *cardo_json_text(const cardo_json *json, const char *key)
{
    return json_string_value(json_object_get(json, key));
}

bool cardo_json_number_at(const cardo_json *json, const char *key, double *out)
{
    const json_t *value = json_object_get(json, key);
    *out = json_number_value(value);
    return json_is_number(value);
}

bool cardo_json_next(const cardo_json *object, const char **key, const cardo_json **value)
{
    /* jansson's iterators take no const object, and change none. */
    json_t *all = json_is_object(object) ? (json_t *)(uintptr_t)object : NULL;
    void *at = !all   ? NULL
               : *key ? json_object_iter_next(all, json_object_iter_at(all, *key))
                      : json_object_iter(all);
    if (!at)
        return false;
    *key = json_object_iter_key(at);
    *value = json_object_iter_value(at);
    return true;
}

int cardo_json_length(const cardo_json *json)
{
    return (int)json_array_size(json);
}

double cardo_json_element(const cardo_json *json, int k)
{
    return json_number_value(json_array_get(json, (size_t)k));
}

bool cardo_json_is_number(const cardo_json *json, int k)
{
    return json_is_number(json_array_get(json, (size_t)k));
}

bool cardo_json_equal(const cardo_json *one, const cardo_json *other)
{
    return json_equal(one, other) != 0;
}

const cardo_json *cardo_json_part(const cardo_json *json, int k)
{
    return json_array_get(json, (size_t)k);
}

const char *cardo_json_text_at(const cardo_json *json, int k)
{
    return json_string_value(json_array_get(json, (size_t)k));
}

static void print(cardo_json *json, FILE *stream, size_t layout)
{
    locale_t outer = cardo_numbers_begin();
    json_dumpf(json, stream, layout | JSON_REAL_PRECISION(17));
    cardo_numbers_end(outer);
    json_decref(json);
}

void cardo_json_print(cardo_json *json, FILE *stream)
{
    print(json, stream, JSON_INDENT(2));
    fputc('\n', stream);
}

typedef struct indented {
    FILE *stream;
    int blanks;
} indented;

/* Ends of line stand between values alone: within texts they are escaped. */
static int put_indented(const char *text, size_t size, void *user)
{
    const indented *to = user;
    for (size_t k = 0; k < size; ++k) {
        fputc(text[k], to->stream);
        if (text[k] == '\n')
            fprintf(to->stream, "%*s", to->blanks, "");
    }
    return 0;
}

void cardo_json_print_within(cardo_json *json, int depth, FILE *stream)
{
    indented to = {stream, 2 * depth};
    locale_t outer = cardo_numbers_begin();
    json_dump_callback(json, put_indented, &to,
                       JSON_INDENT(2) | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
    cardo_numbers_end(outer);
    json_decref(json);
}

void cardo_json_print_compact(cardo_json *json, FILE *stream)
{
    print(json, stream, JSON_COMPACT);
}
