/* The categories of biological assemblies: recipes such as "(X0)(1-60)" for copies of chains, and the operators that they name. A recipe that cannot be
 * read is left out: whoever asks for that assembly hears that it is not there. */
#include "structure/mmcif/reader.h"

#include "base/memory.h"
#include "base/units.h"
#include "base/vec.h"
#include "cardo/text.h"

#include <stdio.h>

/* No assembly has more copies; a text of a few letters could ask for 1e9 of them. */
enum { MOST_COPIES = 20000 };

enum { RECIPE_ID, RECIPE_EXPRESSION, RECIPE_INSTANCES };
static const char *const recipe_items[] = {"assembly_id", "oper_expression", "asym_id_list", NULL};

static cardo_status on_recipe(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
{
    cardo_mmcif_recipe recipe = {.line = row->line};
    if (!has(row, RECIPE_ID) || !read_name(&row->item[RECIPE_ID], &recipe.assembly) ||
        !has(row, RECIPE_EXPRESSION) || !has(row, RECIPE_INSTANCES))
        return CARDO_OK;
    recipe.expression = row->item[RECIPE_EXPRESSION];
    recipe.instances = row->item[RECIPE_INSTANCES];
    cardo_status status = CARDO_RESERVE(&reader->recipe, &reader->recipe_capacity,
                                        reader->nrecipe + 1, reader->error);
    if (status == CARDO_OK)
        reader->recipe[reader->nrecipe++] = recipe;
    return status;
}

const cardo_mmcif_category cardo_mmcif_recipes = {"_pdbx_struct_assembly_gen.", recipe_items,
                                                  on_recipe};

enum { OPERATOR_ID, MATRIX, VECTOR = MATRIX + 9 };
static const char *const operator_items[] = {"id",           "matrix[1][1]",
                                             "matrix[1][2]", "matrix[1][3]",
                                             "matrix[2][1]", "matrix[2][2]",
                                             "matrix[2][3]", "matrix[3][1]",
                                             "matrix[3][2]", "matrix[3][3]",
                                             "vector[1]",    "vector[2]",
                                             "vector[3]",    NULL};

static cardo_status on_operator(cardo_mmcif_reader *reader, const cardo_mmcif_row *row)
{
    cardo_mmcif_operator operation;
    double shift[3];
    if (!has(row, OPERATOR_ID) || !read_name(&row->item[OPERATOR_ID], &operation.id))
        return CARDO_OK;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j)
            if (!has(row, MATRIX + 3 * i + j) ||
                !read_number(&row->item[MATRIX + 3 * i + j], &operation.rotation.m[i][j]))
                return CARDO_OK;
        if (!has(row, VECTOR + i) || !read_number(&row->item[VECTOR + i], &shift[i]))
            return CARDO_OK;
    }
    operation.shift = v3_scale(CARDO_ANGSTROM, v3_load(shift));
    cardo_status status = CARDO_RESERVE(&reader->operation, &reader->operation_capacity,
                                        reader->noperation + 1, reader->error);
    if (status == CARDO_OK)
        reader->operation[reader->noperation++] = operation;
    return status;
}

const cardo_mmcif_category cardo_mmcif_operators = {"_pdbx_struct_oper_list.", operator_items,
                                                    on_operator};

/* ---- recipes ---- */

typedef struct operator_list {
    cardo_mmcif_operator *item;
    int count, capacity;
} operator_list;

static const cardo_mmcif_operator *find_operator(const cardo_mmcif_reader *reader, const char *text,
                                                 int length)
{
    cardo_name id;
    if (!name_set(&id, text, length))
        return NULL;
    for (int k = 0; k < reader->noperation; ++k)
        if (name_equal(&reader->operation[k].id, &id))
            return &reader->operation[k];
    return NULL;
}

static bool add_operator(const cardo_mmcif_reader *reader, const cardo_mmcif_operator *operation,
                         operator_list *list, cardo_status *status)
{
    if (!operation || list->count == MOST_COPIES)
        return false;
    *status = CARDO_RESERVE(&list->item, &list->capacity, list->count + 1, reader->error);
    if (*status == CARDO_OK)
        list->item[list->count++] = *operation;
    return *status == CARDO_OK;
}

/* "7", or "1-60". */
static bool add_named(const cardo_mmcif_reader *reader, const char *text, int length,
                      operator_list *list, cardo_status *status)
{
    const cardo_mmcif_operator *one = find_operator(reader, text, length);
    const char *dash = memchr(text, '-', (size_t)length);
    int first, last;
    if (one || !dash)
        return add_operator(reader, one, list, status);
    if (!cardo_parse_int(text, (int)(dash - text), &first) ||
        !cardo_parse_int(dash + 1, (int)(text + length - dash) - 1, &last) || first > last ||
        last - first >= MOST_COPIES)
        return false;
    for (int k = first; k <= last; ++k) {
        char id[16];
        const int digits = snprintf(id, sizeof id, "%d", k);
        if (!add_operator(reader, find_operator(reader, id, digits), list, status))
            return false;
    }
    return true;
}

/* Names with commas between, from text on; where they end. NULL: one is unknown. */
static const char *add_group(const cardo_mmcif_reader *reader, const char *text, const char *end,
                             operator_list *list, cardo_status *status)
{
    while (text < end && *text != ')') {
        const char *word = text;
        while (text < end && *text != ',' && *text != ')' && *text != '(')
            ++text;
        if (!add_named(reader, word, (int)(text - word), list, status))
            return NULL;
        if (text < end && *text == '(')
            break;
        text += text < end && *text == ',';
    }
    return text;
}

/* First what stands on the right is done, then what stands on the left. */
static cardo_mmcif_operator compose(const cardo_mmcif_operator *left,
                                    const cardo_mmcif_operator *right)
{
    return (cardo_mmcif_operator){
        .id = left->id,
        .rotation = m33_mul(left->rotation, right->rotation),
        .shift = v3_add(left->shift, m33_mul_v3(left->rotation, right->shift))};
}

static bool multiply(const cardo_mmcif_reader *reader, const operator_list *right,
                     operator_list *list, cardo_status *status)
{
    operator_list product = {0};
    bool known = true;
    if (list->count == 0) {
        for (int k = 0; k < right->count && known; ++k)
            known = add_operator(reader, &right->item[k], list, status);
        return known;
    }
    for (int i = 0; i < list->count && known; ++i)
        for (int j = 0; j < right->count && known; ++j) {
            const cardo_mmcif_operator both = compose(&list->item[i], &right->item[j]);
            known = add_operator(reader, &both, &product, status);
        }
    cardo_free(list->item);
    *list = product;
    return known;
}

/* False where it cannot be read. */
static bool expand(const cardo_mmcif_reader *reader, const cardo_cif_token *expression,
                   operator_list *list, cardo_status *status)
{
    const char *text = expression->text, *end = text + expression->length;
    while (text < end) {
        operator_list group = {0};
        const bool in_brackets = *text == '(';
        text = add_group(reader, text + in_brackets, end, &group, status);
        if (text && in_brackets)
            text = text < end && *text == ')' ? text + 1 : NULL;
        else if (text && text < end && *text == ')')
            text = NULL;
        const bool known = text && group.count > 0 && multiply(reader, &group, list, status);
        cardo_free(group.item);
        if (!known)
            return false;
    }
    return list->count > 0;
}

static bool is_between(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* False where a name is too long. */
static cardo_status add_instances(cardo_mmcif_reader *reader, const cardo_cif_token *instances,
                                  bool *good)
{
    const char *text = instances->text, *end = text + instances->length;
    cardo_status status = CARDO_OK;
    *good = true;
    while (text < end && status == CARDO_OK && *good) {
        const char *word = text;
        cardo_name name;
        while (text < end && !is_between(*text))
            ++text;
        *good = name_set(&name, word, (int)(text - word));
        if (*good && name.text[0])
            status = cardo_records_add_copied_chain(reader->records, &name, reader->error);
        text += text < end;
    }
    return status;
}

static cardo_status add_recipe(cardo_mmcif_reader *reader, const cardo_mmcif_recipe *recipe)
{
    cardo_records *records = reader->records;
    cardo_copy_record copy = {
        .assembly = recipe->assembly, .first_chain = records->ncopied_chain, .by_instance = true};
    cardo_status status = CARDO_OK;
    operator_list list = {0};
    bool good = expand(reader, &recipe->expression, &list, &status);
    if (good && status == CARDO_OK)
        status = add_instances(reader, &recipe->instances, &good);
    copy.nchain = records->ncopied_chain - copy.first_chain;
    for (int k = 0; good && k < list.count && status == CARDO_OK; ++k) {
        copy.rotation = list.item[k].rotation;
        copy.shift = list.item[k].shift;
        status = cardo_records_add_copy(records, &copy, reader->error);
    }
    cardo_free(list.item);
    return status;
}

cardo_status cardo_mmcif_add_copies(cardo_mmcif_reader *reader)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < reader->nrecipe && status == CARDO_OK; ++k)
        status = add_recipe(reader, &reader->recipe[k]);
    return status;
}
