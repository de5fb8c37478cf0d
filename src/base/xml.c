#include "base/xml.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <libxml/xmlschemastypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct cardo_xml {
    xmlDocPtr tree;
    char *path;
};

/* No network, no external DTD, no room for blanks between elements. Without XML_PARSE_HUGE libxml2's own limits hold for
 * the depth of elements and the length of texts and names. */
enum {
    PARSE_OPTIONS = XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_NOBLANKS | XML_PARSE_BIG_LINES
};

static pthread_once_t started = PTHREAD_ONCE_INIT;

/* What libxml2 would make when it is first needed, without a lock. */
static void start(void)
{
    xmlInitParser();
    xmlSchemaInitTypes();
    xmlRelaxNGInitTypes();
}

/* The first thing that the parser found wrong, told by our name of the file. */
typedef struct first_problem {
    const char *name;
    cardo_error error;
} first_problem;

static void keep_first_error(void *user, xmlErrorPtr problem)
{
    first_problem *first = user;
    if (first->error.message[0] || problem->level == XML_ERR_WARNING)
        return;
    char text[512];
    snprintf(text, sizeof text, "%s", problem->message ? problem->message : "not well-formed");
    text[strcspn(text, "\n")] = '\0';
    CARDO_FAIL(&first->error, CARDO_ERROR_INPUT, "%s:%d: %s", first->name, problem->line, text);
}

/* A thread has one listener for what libxml2 finds wrong, and the host may have set its own. */
typedef struct listener {
    xmlStructuredErrorFunc call;
    void *user;
} listener;

static listener listen_with(xmlStructuredErrorFunc call, void *user)
{
    listener before = {xmlStructuredError, xmlStructuredErrorContext};
    xmlSetStructuredErrorFunc(user, call);
    return before;
}

static void listen_again(listener before)
{
    xmlSetStructuredErrorFunc(before.user, before.call);
}

/* ------------ what libxml2 does not bound ------------ */

/* libxml2 compares every attribute of an element with every other. */
enum { MOST_ATTRIBUTES = 500 };

/* Behind a comment, CDATA section or processing instruction that starts at p. */
static const char *skip_section(const char *p, const char *end, const char *close)
{
    const char *found = memmem(p, (size_t)(end - p), close, strlen(close));
    return found ? found + strlen(close) : end;
}

/* Walks over a tag from just after its '<'; *count is its quoted values. */
static const char *skip_tag(const char *p, const char *end, int *count)
{
    *count = 0;
    while (p < end && *p != '>') {
        if (*p == '"' || *p == '\'') {
            p = memchr(p + 1, *p, (size_t)(end - p - 1));
            if (!p)
                return end;
            ++*count;
        }
        ++p;
    }
    return p;
}

static bool begins(const char *p, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - p) >= length && memcmp(p, word, length) == 0;
}

/* Refuses elements with absurdly many attributes before the parser sees them. */
static cardo_status check_attributes(const char *text, int length, const char *name,
                                     cardo_error *error)
{
    const char *end = text + length, *p = text;
    while ((p = memchr(p, '<', (size_t)(end - p)))) {
        int count = 0;
        if (begins(p, end, "<!--"))
            p = skip_section(p + 4, end, "-->");
        else if (begins(p, end, "<![CDATA["))
            p = skip_section(p, end, "]]>");
        else if (begins(p, end, "<?"))
            p = skip_section(p, end, "?>");
        else
            p = skip_tag(p + 1, end, &count);
        if (count > MOST_ATTRIBUTES) {
            int line = 1;
            for (const char *c = text; c < p; ++c)
                line += *c == '\n';
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: an element with %d attributes",
                              name, line, count);
        }
    }
    return CARDO_OK;
}

/* Entities and defaults come only with a document type. */
typedef struct type_guard {
    bool has_type;
    int line; /* where it was found */
} type_guard;

static void on_document_type(void *user, const xmlChar *name, const xmlChar *external,
                             const xmlChar *system)
{
    xmlParserCtxtPtr context = user;
    type_guard *guard = context->_private;
    (void)name;
    (void)external;
    (void)system;
    guard->has_type = true;
    guard->line = context->input->line;
    xmlStopParser(context);
}

static cardo_status refuse(const type_guard *guard, const first_problem *first, cardo_error *error)
{
    if (guard->has_type)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: a document type (<!DOCTYPE>) is not read, nor are entities: take "
                          "it out",
                          first->name, guard->line);
    const char *why = first->error.message;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s%s", why[0] ? why : first->name,
                      why[0] ? "" : ": not well-formed XML");
}

/* ------------ */

cardo_status cardo_xml_parse(const char *text, int length, const char *name, cardo_xml **out,
                             cardo_error *error)
{
    cardo_status status;
    cardo_xml *document = NULL;
    xmlParserCtxtPtr context = NULL;
    first_problem first = {.name = name};
    type_guard guard = {0};
    *out = NULL;
    pthread_once(&started, start);

    CARDO_TRY(check_attributes(text, length, name, error));
    CARDO_TRY(CARDO_ALLOCATE(&document, 1, error));
    CARDO_TRY(cardo_copy_string(&document->path, name, error));
    context = xmlNewParserCtxt();
    if (!context) {
        status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the XML parser");
        goto done;
    }
    context->_private = &guard;
    context->sax->internalSubset = on_document_type;
    context->sax->comment = NULL; /* the tree is without them */
    context->sax->processingInstruction = NULL;
    listener before = listen_with(keep_first_error, &first);
    document->tree = xmlCtxtReadMemory(context, text, length, name, NULL, PARSE_OPTIONS);
    listen_again(before);
    if (!document->tree || !context->wellFormed || guard.has_type) {
        status = refuse(&guard, &first, error);
        goto done;
    }
    if (!xmlDocGetRootElement(document->tree)) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: there is no element in it", name);
        goto done;
    }
    *out = document;
    document = NULL;
done:
    if (context)
        xmlFreeParserCtxt(context);
    cardo_xml_destroy(document);
    return status;
}

/* Without handlers libxml2 makes no tree. */
cardo_status cardo_xml_check(const char *text, int length, const char *name, cardo_error *error)
{
    first_problem first = {.name = name};
    type_guard guard = {0};
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC, .internalSubset = on_document_type};
    pthread_once(&started, start);
    cardo_status status = check_attributes(text, length, name, error);
    if (status != CARDO_OK)
        return status;
    xmlParserCtxtPtr context = xmlNewParserCtxt();
    if (!context)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the XML parser");
    *context->sax = handler;
    context->_private = &guard;
    listener before = listen_with(keep_first_error, &first);
    xmlFreeDoc(xmlCtxtReadMemory(context, text, length, name, NULL, PARSE_OPTIONS));
    listen_again(before);
    if (!context->wellFormed || guard.has_type)
        status = refuse(&guard, &first, error);
    xmlFreeParserCtxt(context);
    return status;
}

cardo_status cardo_xml_read(const char *path, cardo_xml **out, cardo_error *error)
{
    char *text = NULL;
    size_t length;
    *out = NULL;
    long long outer = cardo_file_limit_begin(path);
    cardo_status status = cardo_read_file(path, CARDO_XML_MOST_BYTES, &text, &length, error);
    status = cardo_file_limit_end(outer, path, status, error);
    if (status == CARDO_OK)
        status = cardo_xml_parse(text, (int)length, path, out, error);
    cardo_free(text);
    return status;
}

void cardo_xml_destroy(cardo_xml *document)
{
    if (!document)
        return;
    xmlFreeDoc(document->tree);
    cardo_free(document->path);
    cardo_free(document);
}

/* libxml2 reports schema problems one by one; the first few are enough to mend a file. */
enum { PROBLEMS_SHOWN = 5 };

typedef struct problem_list {
    char text[CARDO_ERROR_MESSAGE_SIZE];
    size_t used;
    int count;
    const char *path;
} problem_list;

static void add_problem(void *user, xmlErrorPtr problem)
{
    problem_list *list = user;
    if (list->count++ >= PROBLEMS_SHOWN || list->used >= sizeof list->text - 1)
        return;
    char text[512];
    snprintf(text, sizeof text, "%s",
             problem->message ? problem->message : "does not fit the schema");
    text[strcspn(text, "\n")] = '\0';
    list->used +=
        (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s%s:%d: %s",
                         list->used ? "\n" : "", list->path, problem->line, text);
}

cardo_status cardo_xml_validate(const cardo_xml *document, const char *schema_path,
                                cardo_error *error)
{
    cardo_status status = CARDO_OK;
    problem_list problems = {.path = schema_path};
    xmlRelaxNGPtr schema = NULL;
    xmlRelaxNGValidCtxtPtr checker = NULL;
    xmlRelaxNGParserCtxtPtr reader = xmlRelaxNGNewParserCtxt(schema_path);
    if (reader) {
        xmlRelaxNGSetParserStructuredErrors(reader, add_problem, &problems);
        /* Without this libxml2 itself would print that a schema file is missing. */
        listener before = listen_with(add_problem, &problems);
        schema = xmlRelaxNGParse(reader);
        listen_again(before);
    }
    if (schema)
        checker = xmlRelaxNGNewValidCtxt(schema);
    if (!checker) {
        status = CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be used as a schema%s%s",
                            schema_path, problems.used ? "\n" : "", problems.text);
        goto done;
    }
    problems = (problem_list){.path = document->path};
    xmlRelaxNGSetValidStructuredErrors(checker, add_problem, &problems);
    /* libxml2 reads numbers by the locale where a schema bounds them. */
    locale_t outer = cardo_numbers_begin();
    bool valid = xmlRelaxNGValidateDoc(checker, document->tree) == 0;
    cardo_numbers_end(outer);
    if (!valid)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s",
                            problems.used ? problems.text : document->path);
done:
    if (checker)
        xmlRelaxNGFreeValidCtxt(checker);
    if (schema)
        xmlRelaxNGFree(schema);
    if (reader)
        xmlRelaxNGFreeParserCtxt(reader);
    return status;
}

const char *cardo_xml_path(const cardo_xml *document)
{
    return document->path;
}

static xmlNodePtr node_of(const cardo_xml_element *element)
{
    union {
        const cardo_xml_element *element;
        xmlNodePtr node;
    } same = {element};
    return same.node;
}

static const cardo_xml_element *element_of(xmlNodePtr node, const char *name)
{
    while (node && (node->type != XML_ELEMENT_NODE ||
                    (name && strcmp((const char *)node->name, name) != 0)))
        node = node->next;
    return (const cardo_xml_element *)node;
}

const cardo_xml_element *cardo_xml_root(const cardo_xml *document)
{
    return element_of(xmlDocGetRootElement(document->tree), NULL);
}

const cardo_xml_element *cardo_xml_child(const cardo_xml_element *element, const char *name)
{
    return element_of(node_of(element)->children, name);
}

const cardo_xml_element *cardo_xml_next(const cardo_xml_element *element, const char *name)
{
    return element_of(node_of(element)->next, name);
}

const char *cardo_xml_name(const cardo_xml_element *element)
{
    return (const char *)node_of(element)->name;
}

int cardo_xml_line(const cardo_xml_element *element)
{
    return (int)xmlGetLineNo(node_of(element));
}

static const char *value_of(const xmlAttr *attribute)
{
    const xmlNode *text = attribute->children;
    return text && text->content ? (const char *)text->content : "";
}

const char *cardo_xml_attribute(const cardo_xml_element *element, const char *name)
{
    for (const xmlAttr *a = node_of(element)->properties; a; a = a->next)
        if (strcmp((const char *)a->name, name) == 0)
            return value_of(a);
    return NULL;
}

static const xmlAttr *attribute_at(const cardo_xml_element *element, int k)
{
    const xmlAttr *a = node_of(element)->properties;
    while (a && k-- > 0)
        a = a->next;
    return a;
}

int cardo_xml_attribute_count(const cardo_xml_element *element)
{
    int n = 0;
    for (const xmlAttr *a = node_of(element)->properties; a; a = a->next)
        ++n;
    return n;
}

const char *cardo_xml_attribute_name(const cardo_xml_element *element, int k)
{
    const xmlAttr *a = attribute_at(element, k);
    return a ? (const char *)a->name : NULL;
}

const char *cardo_xml_attribute_value(const cardo_xml_element *element, int k)
{
    const xmlAttr *a = attribute_at(element, k);
    return a ? value_of(a) : NULL;
}

cardo_status cardo_xml_text(const cardo_xml_element *element, char **out, cardo_error *error)
{
    xmlChar *content = xmlNodeGetContent(node_of(element));
    cardo_status status = cardo_copy_string(out, content ? (const char *)content : "", error);
    xmlFree(content);
    return status;
}

cardo_status cardo_xml_need(const cardo_xml *document, const cardo_xml_element *element,
                            const char *name, const char **value, cardo_error *error)
{
    *value = cardo_xml_attribute(element, name);
    if (!*value)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <%s> needs an attribute '%s'",
                          document->path, cardo_xml_line(element), cardo_xml_name(element), name);
    return CARDO_OK;
}

cardo_status cardo_xml_double(const cardo_xml *document, const cardo_xml_element *element,
                              const char *name, double *value, cardo_error *error)
{
    const char *text;
    cardo_status status = cardo_xml_need(document, element, name, &text, error);
    if (status == CARDO_OK && !cardo_parse_double(text, (int)strlen(text), value))
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s=\"%s\" of <%s> is not a number",
                            document->path, cardo_xml_line(element), name, text,
                            cardo_xml_name(element));
    return status;
}

cardo_status cardo_xml_int(const cardo_xml *document, const cardo_xml_element *element,
                           const char *name, int *value, cardo_error *error)
{
    const char *text;
    cardo_status status = cardo_xml_need(document, element, name, &text, error);
    if (status == CARDO_OK && !cardo_parse_int(text, (int)strlen(text), value))
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s:%d: %s=\"%s\" of <%s> is not a whole number", document->path,
                            cardo_xml_line(element), name, text, cardo_xml_name(element));
    return status;
}
