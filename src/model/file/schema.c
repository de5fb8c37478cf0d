#include "model/file/schema.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "model/constraints/kinds.h"

#include <stdio.h>
#include <string.h>

const char *const cardo_model_studies[] = {"simulate", "minimize", "modes",   "sample",
                                           "drive",    "fit",      "handoff", "conformations",
                                           "assemble", NULL};

const cardo_element_rule cardo_model_rules[] = {
    {"cardo", "version!=1",
     "model simulate minimize modes sample drive fit handoff conformations "
     "assemble"},
    {"model", "name start",
     "structure annotation domain hinge body flexible ligand constraints forcefield"},
    {"structure",
     "id!:name file! coordinates chains model:count hetero=drop|ligands|keep "
     "numbering=author|label identity:number note",
     ""},
    {"annotation", "file chain name source", "domain hinge"},
    {"domain", "name!:name residues! chain", ""},
    {"hinge", "residues! chain with of", ""},
    {"body", "name!:name domains! parent base=free|welded conformer mass-factor:number",
     "path pin slider ball strand weld free"},
    {"path", "structures from at interpolation=screw|euler|spline start:number extra", ""},
    {"pin", "axis point toward structures", ""},
    {"ball", "point", ""},
    {"slider", "axis point toward", ""},
    {"strand", "through", ""},
    {"flexible",
     "residues chain torsions! within rotors=yes|no closure=bonded|rigid omega=planar|free "
     "geometry=deposited|forcefield",
     ""},
    {"ligand",
     "name!:name residues! chain parent joint=weld|free restraint=sphere|box|none size "
     "stiffness:number center",
     ""},
    {"constraints", "", ""}, /* its children are the kinds */
    {"weld", "", ""},
    {"free", "", ""},
    {"forcefield",
     "files system parameters solvent ionic-strength:number kappa:number method cutoff "
     "provider=auto|rigid|openmm "
     "precision=mixed|double tolerance:number kernels=auto|avx512|avx2|plain "
     "check-forces=auto|Reference|CPU|sums|no "
     "platform properties threads table table-error "
     "table-relative "
     "table-evaluations saxs saxs-weight saxs-c1 saxs-c2 saxs-background=yes|no saxs-q-low "
     "saxs-q-high",
     ""},
    {NULL, NULL, NULL},
};

enum { WORDS_SHOWN = 40, WORD_SIZE = 32 };

/* A rule's words taken apart: name, "!" and what follows ":" or "=". */
typedef struct word_list {
    char text[WORDS_SHOWN][WORD_SIZE];
    char value[WORDS_SHOWN][WORD_SIZE];
    const char *pointer[WORDS_SHOWN + 1];
    bool needed[WORDS_SHOWN];
    int n;
} word_list;

static void split_words(const char *words, word_list *list)
{
    list->n = 0;
    for (const char *word = words; *(word += strspn(word, " ")) && list->n < WORDS_SHOWN;) {
        size_t length = strcspn(word, " "), name = strcspn(word, " !:=");
        size_t value = name + (word[name] == '!');
        list->needed[list->n] = word[name] == '!';
        snprintf(list->text[list->n], WORD_SIZE, "%.*s", (int)name, word);
        snprintf(list->value[list->n], WORD_SIZE, "%.*s", (int)(length - value), word + value);
        list->pointer[list->n] = list->text[list->n];
        ++list->n;
        word += length;
    }
    list->pointer[list->n] = NULL;
}

/* Is value one of the words "a|b|c"? */
static bool is_choice(const char *value, const char *choices)
{
    size_t length = strlen(value);
    for (const char *word = choices; length > 0 && *word; word += *word == '|') {
        size_t n = strcspn(word, "|");
        if (n == length && memcmp(word, value, n) == 0)
            return true;
        word += n;
    }
    return false;
}

/* What is wrong with a value, or NULL. kind: "", ":name", ":count", ":number" or "=a|b|c". */
static const char *value_problem(const char *value, const char *kind)
{
    int length = (int)strlen(value), count;
    double number;
    if (kind[0] == '=')
        return is_choice(value, kind + 1) ? NULL : "must be one of";
    if (strcmp(kind, ":name") == 0)
        return value[0] && !value[strcspn(value, " ,\t\r\n")]
                   ? NULL
                   : "must be a name without blanks and commas";
    if (strcmp(kind, ":count") == 0)
        return cardo_parse_int(value, length, &count) && count >= 0
                   ? NULL
                   : "must be a whole number, 0 or more";
    if (strcmp(kind, ":number") == 0)
        return cardo_parse_double(value, length, &number) ? NULL : "must be a number";
    return NULL;
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
    snprintf(text, 512, list->n > 0 ? "; %s" : "; %s nothing", can);
    for (int k = 0; k < list->n; ++k)
        cardo_append(text, 512, "%s %s", k > 0 ? "," : "", list->text[k]);
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
        const char *value = cardo_xml_attribute_value(element, k);
        int w = find_word(&words, name);
        if (w < 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: <%s> has no attribute '%s'%s",
                              cardo_xml_path(document), cardo_xml_line(element), rule->name, name,
                              hint(&words, name, "it can have", text));
        const char *problem = value_problem(value, words.value[w]);
        if (problem)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s=\"%s\" of <%s> %s%s%s",
                              cardo_xml_path(document), cardo_xml_line(element), name, value,
                              rule->name, problem, words.value[w][0] == '=' ? " " : "",
                              words.value[w][0] == '=' ? words.value[w] + 1 : "");
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

/* The kinds of constraints have tables of fields of their own, and names that joints have too. */
static cardo_status check_constraints(const cardo_xml *document, const cardo_xml_element *element,
                                      cardo_error *error)
{
    const cardo_xml_element *child = cardo_xml_child(element, NULL);
    for (; child; child = cardo_xml_next(child, NULL)) {
        cardo_near near = {.name = cardo_xml_name(child)};
        char hint_text[CARDO_NEAR_TEXT];
        for (int k = 0; cardo_written_constraints[k]; ++k)
            cardo_near_try(&near, cardo_written_constraint_name(cardo_written_constraints[k]));
        if (!cardo_written_constraint_find(near.name))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s:%d: <%s> cannot stand in <constraints>%s",
                              cardo_xml_path(document), cardo_xml_line(child), near.name,
                              cardo_near_hint(&near, hint_text));
        if (cardo_xml_child(child, NULL))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: nothing can stand in <%s>",
                              cardo_xml_path(document),
                              cardo_xml_line(cardo_xml_child(child, NULL)), near.name);
    }
    return check_no_text(document, element, error);
}

/* The rules allow no element inside itself, so the recursion is as deep as the table. */
static cardo_status check_element(const cardo_xml *document, const cardo_xml_element *element,
                                  const cardo_element_rule *rule, cardo_error *error)
{
    word_list words;
    char text[512];
    cardo_status status = check_attributes(document, element, rule, error);
    if (status == CARDO_OK && strcmp(rule->name, "constraints") == 0)
        return check_constraints(document, element, error);
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
