/* JSON, read and written: the door to jansson. Objects own what is put into them. */
#ifndef CARDO_BASE_JSON_JSON_H
#define CARDO_BASE_JSON_JSON_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct json_t cardo_json;

cardo_json *cardo_json_object(void);
cardo_json *cardo_json_array(void);
/* Single values: a number that is not finite is null, a text that is not UTF-8 "?", NULL null. */
cardo_json *cardo_json_of_number(double value);
cardo_json *cardo_json_of_integer(long long value);
cardo_json *cardo_json_of_string(const char *value);
cardo_json *cardo_json_of_bool(bool value);
/* Put a value under a key of an object (or at the end of an array: key NULL). Numbers that are not
 * finite become null; value objects are handed over. */
void cardo_json_put(cardo_json *into, const char *key, cardo_json *value);
void cardo_json_number(cardo_json *into, const char *key, double value);
void cardo_json_integer(cardo_json *into, const char *key, long long value);
void cardo_json_string(cardo_json *into, const char *key, const char *value);
void cardo_json_bool(cardo_json *into, const char *key, int value);
void cardo_json_vec3(cardo_json *into, const char *key, cardo_vec3 value);
/* Reads a file; NULL and the reason where it is none. The caller owns it: cardo_json_free (NULL is fine). */
cardo_json *cardo_json_read(const char *path, cardo_error *error);
/* The same of a text that was read; path: for the message. */
cardo_json *cardo_json_read_text(const char *text, size_t length, const char *path,
                                 cardo_error *error);
void cardo_json_free(cardo_json *json);
/* What is under a key of an object, or NULL; as text, NULL where it is none. Borrowed. */
const cardo_json *cardo_json_member(const cardo_json *json, const char *key);
const char *cardo_json_text(const cardo_json *json, const char *key);
/* As a number; false where it is none. */
bool cardo_json_number_at(const cardo_json *json, const char *key, double *out);
/* The members of an object one by one, in the file's order: begin with *key NULL. */
bool cardo_json_next(const cardo_json *object, const char **key, const cardo_json **value);
/* An array: how many elements, 0 of anything else; one of them as a number. */
int cardo_json_length(const cardo_json *json);
double cardo_json_element(const cardo_json *json, int k);
/* Whether it is a number at all. */
bool cardo_json_is_number(const cardo_json *json, int k);
/* The same, borrowed, or NULL. */
const cardo_json *cardo_json_part(const cardo_json *json, int k);
/* The same as a text, NULL where it is none. Borrowed. */
const char *cardo_json_text_at(const cardo_json *json, int k);
/* Whether two values are the same, to the last character. */
bool cardo_json_equal(const cardo_json *one, const cardo_json *other);
/* Writes it, with 17 digits, and frees it; in lines, and without a blank. */
void cardo_json_print(cardo_json *json, FILE *stream);
void cardo_json_print_compact(cardo_json *json, FILE *stream);
/* The same in lines as a value within others, whose members stand 2 depth blanks to the right; without an end of line. */
void cardo_json_print_within(cardo_json *json, int depth, FILE *stream);

#endif
