/* JSON for --json: the door to jansson. Objects own what is put into them. */
#ifndef CARDO_CLI_JSON_H
#define CARDO_CLI_JSON_H

#include "base/vec.h"

#include <stdio.h>

typedef struct json_t cardo_json;

cardo_json *cardo_json_object(void);
cardo_json *cardo_json_array(void);
/* Put a value under a key of an object (or at the end of an array: key NULL). Numbers that are not
 * finite become null; value objects are handed over. */
void cardo_json_put(cardo_json *into, const char *key, cardo_json *value);
void cardo_json_number(cardo_json *into, const char *key, double value);
void cardo_json_integer(cardo_json *into, const char *key, long long value);
void cardo_json_string(cardo_json *into, const char *key, const char *value);
void cardo_json_bool(cardo_json *into, const char *key, int value);
void cardo_json_vec3(cardo_json *into, const char *key, cardo_vec3 value);
/* Writes it, with 17 digits, and frees it. */
void cardo_json_print(cardo_json *json, FILE *stream);

#endif
