/* The door to libxml2: the only file that includes it. A cursor over elements with file and line.
 *
 * A document cannot pull in other files or expand without bound: document types, with which entities
 * come, are refused, and so are elements with more than 500 attributes; libxml2 limits depth and the length of texts. A file that
 * is made into a tree has at most 32 MB, unpacked, where the largest force fields have 6; no tree takes more than sixty times
 * its text. Comments and processing instructions are passed over. */
#ifndef CARDO_BASE_XML_H
#define CARDO_BASE_XML_H

#include "base/status.h"

#include <stdbool.h>

typedef struct cardo_xml cardo_xml; /* a parsed document                               */
typedef struct cardo_xml_element cardo_xml_element; /* borrowed from its document */

enum { CARDO_XML_MOST_BYTES = 32 << 20 };

/* Parses a file (plain or gzip). The caller owns *out (cardo_xml_destroy). Errors say file:line. */
cardo_status cardo_xml_read(const char *path, cardo_xml **out, cardo_error *error);
/* Parses text in memory; name stands for the file in messages. */
cardo_status cardo_xml_parse(const char *text, int length, const char *name, cardo_xml **out,
                             cardo_error *error);
/* Whether text is well-formed, in the same sense, without keeping anything of it. */
cardo_status cardo_xml_check(const char *text, int length, const char *name, cardo_error *error);
void cardo_xml_destroy(cardo_xml *document);

/* Checks the document against a RELAX NG schema file; the error lists the first problems by
 * file:line. */
cardo_status cardo_xml_validate(const cardo_xml *document, const char *schema_path,
                                cardo_error *error);

const char *cardo_xml_path(const cardo_xml *document);
const cardo_xml_element *cardo_xml_root(const cardo_xml *document);

/* First child element, or next sibling element; NULL when there is none. With a name, only elements
 * so called count. */
const cardo_xml_element *cardo_xml_child(const cardo_xml_element *element, const char *name);
const cardo_xml_element *cardo_xml_next(const cardo_xml_element *element, const char *name);

const char *cardo_xml_name(const cardo_xml_element *element);
int cardo_xml_line(const cardo_xml_element *element);

/* The value of an attribute, or NULL. Borrowed: valid as long as the document. */
const char *cardo_xml_attribute(const cardo_xml_element *element, const char *name);

/* Number of attributes, and the name and value of the k-th. */
int cardo_xml_attribute_count(const cardo_xml_element *element);
const char *cardo_xml_attribute_name(const cardo_xml_element *element, int k);
const char *cardo_xml_attribute_value(const cardo_xml_element *element, int k);

/* All text inside the element (children too), owned by the caller (cardo_free). */
cardo_status cardo_xml_text(const cardo_xml_element *element, char **out, cardo_error *error);

/* A required attribute, and numbers; errors name file:line, element and attribute. */
cardo_status cardo_xml_need(const cardo_xml *document, const cardo_xml_element *element,
                            const char *name, const char **value, cardo_error *error);
cardo_status cardo_xml_double(const cardo_xml *document, const cardo_xml_element *element,
                              const char *name, double *value, cardo_error *error);
cardo_status cardo_xml_int(const cardo_xml *document, const cardo_xml_element *element,
                           const char *name, int *value, cardo_error *error);

#endif
