#include "topology/model_schema.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

const char *const cardo_model_studies[] = {"simulate", "minimize", "modes",    "sample",
                                           "drive",    "fit",      "assemble", NULL};

const cardo_element_rule cardo_model_rules[] = {
    {"cardo", "version!", "model simulate minimize modes sample drive fit assemble"},
    {"model", "name", "structure annotation domain hinge body forcefield"},
    {"structure", "id! file! chains model hetero", ""},
    {"annotation", "file chain name source", "domain hinge"},
    {"domain", "name! residues! chain", ""},
    {"hinge", "residues! chain with of", ""},
    {"body", "name! domains! parent base", "path pin slider weld free"},
    {"path", "structures interpolation start", ""},
    {"pin", "axis point toward", ""},
    {"slider", "axis point toward", ""},
    {"weld", "", ""},
    {"free", "", ""},
    {"forcefield", "files system solvent method cutoff platform properties threads", ""},
    {NULL, NULL, NULL},
};

enum { WORDS_SHOWN = 16, WORD_SIZE = 32 };

/* A rule's words taken apart. */
typedef struct word_list {
    char text[WORDS_SHOWN][WORD_SIZE];
    const char *pointer[WORDS_SHOWN + 1];
    bool needed[WORDS_SHOWN];
    int n;
} word_list;

static void split_words(const char *words, word_list *list)
{
    list->n = 0;
    for (const char *word = words; *(word += strspn(word, " ")) && list->n < WORDS_SHOWN;) {
        size_t length = strcspn(word, " ");
        bool needed = word[length - 1] == '!';
        snprintf(list->text[list->n], WORD_SIZE, "%.*s", (int)(length - needed), word);
        list->pointer[list->n] = list->text[list->n];
        list->needed[list->n++] = needed;
        word += length;
    }
    list->pointer[list->n] = NULL;
}

static int find_word(const word_list *list, const char *word)
{
    for (int k = 0; k < list->n; ++k)
        if (strcmp(list->text[k], word) == 0)
            return k;
    return -1;
}

/* "; did you mean 'x'", or "; it can have a, b, c". */
static const char *hint(const word_list *list, const char *word, const char *can, char text[512])
{
    const char *near = cardo_nearest_name(word, list->pointer);
    if (near) {
        snprintf(text, 512, "; did you mean '%s'", near);
        return text;
    }
    int used = snprintf(text, 512, list->n > 0 ? "; %s" : "; %s nothing", can);
    for (int k = 0; k < list->n; ++k)
        used += snprintf(text + used, 512 - (size_t)used, "%s %s", k > 0 ? "," : "", list->text[k]);
    return text;
}

bool cardo_model_is_study(const char *element)
{
    for (int k = 0; cardo_model_studies[k]; ++k)
        if (strcmp(cardo_model_studies[k], element) == 0)
            return true;
    return false;
}

static const cardo_element_rule *find_rule(const char *name)
{
    static const cardo_element_rule study = {"study", "*", ""};
    for (const cardo_element_rule *rule = cardo_model_rules; rule->name; ++rule)
        if (strcmp(rule->name, name) == 0)
            return rule;
    return cardo_model_is_study(name) ? &study : NULL;
}

static cardo_status check_attributes(const cardo_xml *document, const cardo_xml_element *element,
                                     const cardo_element_rule *rule, cardo_error *error)
{
    word_list words;
    char text[512];
    if (strcmp(rule->attributes, "*") == 0)
        return CARDO_OK;
    split_words(rule->attributes, &words);
    for (int k = 0; k < cardo_xml_attribute_count(element); ++k) {
        const char *name = cardo_xml_attribute_name(element, k);
        if (find_word(&words, name) < 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <%s> has no attribute '%s'%s",
                              cardo_xml_path(document), cardo_xml_line(element), rule->name, name,
                              hint(&words, name, "it can have", text));
    }
    for (int k = 0; k < words.n; ++k)
        if (words.needed[k] && !cardo_xml_attribute(element, words.text[k]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <%s> needs an attribute '%s'",
                              cardo_xml_path(document), cardo_xml_line(element), rule->name,
                              words.text[k]);
    return CARDO_OK;
}

/* Nothing in these files is told by text between tags. Children are looked at first, so the
 * innermost element is the one that is named. */
static cardo_status check_no_text(const cardo_xml *document, const cardo_xml_element *element,
                                  cardo_error *error)
{
    char *text;
    cardo_status status = cardo_xml_text(element, &text, error);
    if (status != CARDO_OK)
        return status;
    const char *word = text + strspn(text, " \t\r\n");
    if (word[0])
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s:%d: the text '%.40s' in <%s> means nothing; use attributes",
                            cardo_xml_path(document), cardo_xml_line(element), word,
                            cardo_xml_name(element));
    cardo_free(text);
    return status;
}

/* The rules allow no element inside itself, so the recursion is as deep as the table. */
static cardo_status check_element(const cardo_xml *document, const cardo_xml_element *element,
                                  const cardo_element_rule *rule, cardo_error *error)
{
    word_list words;
    char text[512];
    cardo_status status = check_attributes(document, element, rule, error);
    split_words(rule->children, &words);
    const cardo_xml_element *child = cardo_xml_child(element, NULL);
    for (; child && status == CARDO_OK; child = cardo_xml_next(child, NULL)) {
        const char *name = cardo_xml_name(child);
        if (find_word(&words, name) < 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <%s> cannot stand in <%s>%s",
                              cardo_xml_path(document), cardo_xml_line(child), name,
                              cardo_xml_name(element), hint(&words, name, "there can be", text));
        status = check_element(document, child, find_rule(name), error);
    }
    return status == CARDO_OK ? check_no_text(document, element, error) : status;
}

cardo_status cardo_model_schema_names(const cardo_xml *document, const char *root,
                                      cardo_error *error)
{
    const cardo_xml_element *element = cardo_xml_root(document);
    if (strcmp(cardo_xml_name(element), root) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: the root element is <%s>, not <%s>",
                          cardo_xml_path(document), cardo_xml_line(element),
                          cardo_xml_name(element), root);
    return check_element(document, element, find_rule(root), error);
}

cardo_status cardo_model_schema_validate(const cardo_xml *document, cardo_error *error)
{
    char *schema = NULL;
    cardo_status status = cardo_find_data("cardo.rng", NULL, "topologies", &schema, error);
    if (status == CARDO_OK)
        status = cardo_xml_validate(document, schema, error);
    cardo_free(schema);
    return status;
}

cardo_status cardo_model_schema_check(const cardo_xml *document, const char *root,
                                      cardo_error *error)
{
    cardo_status status = cardo_model_schema_names(document, root, error);
    if (status == CARDO_OK)
        status = cardo_model_schema_validate(document, error);
    return status;
}
