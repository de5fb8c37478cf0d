#include "cli/domain_inputs.h"

#include "analysis/domain_ensemble.h"
#include "base/memory.h"
#include "structure/format.h"

#include <stdio.h>
#include <string.h>

/* A copy of text that lives as long as the inputs. */
static cardo_status keep(cardo_domain_inputs *inputs, const char *text, char **out,
                         cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&inputs->text, &inputs->text_capacity, inputs->ntext + 1, error);
    if (status == CARDO_OK)
        status = cardo_copy_string(out, text, error);
    if (status == CARDO_OK)
        inputs->text[inputs->ntext++] = *out;
    return status;
}

/* "2lao", "2mcg#1", "ensemble#13": the file's name without folder and extension, and what was
 * chosen of it. */
static cardo_status name_member(cardo_domain_inputs *inputs, cardo_structure_definition *d,
                                cardo_error *error)
{
    char name[300], *kept;
    const char *slash = strrchr(d->file, '/'), *base = slash ? slash + 1 : d->file;
    int used = snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
    if (d->model)
        used += snprintf(name + used, sizeof name - (size_t)used, "#%d", d->model);
    if (d->chains && d->chains[0])
        snprintf(name + used, sizeof name - (size_t)used, "%c%s", d->model ? ':' : '#', d->chains);
    cardo_status status = keep(inputs, name, &kept, error);
    d->id = kept;
    return status;
}

static cardo_status add(cardo_domain_inputs *inputs, const cardo_structure_definition *d,
                        cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&inputs->definition, &inputs->capacity, inputs->n + 1, error);
    if (status != CARDO_OK)
        return status;
    inputs->definition[inputs->n] = *d;
    return name_member(inputs, &inputs->definition[inputs->n++], error);
}

/* All models of a file. */
static cardo_status add_models(cardo_domain_inputs *inputs, cardo_structure_definition d,
                               cardo_error *error)
{
    cardo_records records = {0};
    char *path = NULL;
    cardo_status status;
    CARDO_TRY(cardo_model_find_structure(NULL, d.file, &path, error));
    CARDO_TRY(cardo_records_read(path, &(cardo_read_options){0}, &records, error));
    for (int k = 0; k < records.nmodel; ++k) {
        d.model = records.nmodel > 1 ? records.model[k].serial : 0;
        CARDO_TRY(add(inputs, &d, error));
    }
done:
    cardo_records_destroy(&records);
    cardo_free(path);
    return status;
}

static cardo_status list(int count, const char *const *given, cardo_domain_inputs *inputs,
                         cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < count && status == CARDO_OK; ++k) {
        cardo_structure_definition d = {0};
        char *path;
        status = keep(inputs, given[k], &path, error);
        if (status == CARDO_OK)
            status = cardo_model_split_path(path, &d, error);
        if (status == CARDO_OK && count == 1 && d.model == 0)
            status = add_models(inputs, d, error);
        else if (status == CARDO_OK)
            status = add(inputs, &d, error);
    }
    /* One structure given twice would have one name. */
    for (int k = 0; k < inputs->n && status == CARDO_OK; ++k)
        for (int j = 0; j < k; ++j)
            if (strcmp(inputs->definition[k].id, inputs->definition[j].id) == 0) {
                char name[320], *kept;
                snprintf(name, sizeof name, "%.290s(%d)", inputs->definition[k].id, k + 1);
                status = keep(inputs, name, &kept, error);
                inputs->definition[k].id = kept;
                break;
            }
    return status;
}

static cardo_status read_model(cardo_structure_definition *definition, int n, cardo_model **out,
                               cardo_error *error)
{
    cardo_model_definition all = {.structure = definition, .nstructure = n};
    cardo_status status = CARDO_ALLOCATE(out, 1, error);
    if (status == CARDO_OK)
        status = cardo_copy_string(&(*out)->path, "", error);
    if (status == CARDO_OK)
        status = cardo_model_read_structures(*out, &all, error);
    return status;
}

static cardo_status choose_pair(cardo_domain_inputs *inputs, cardo_error *error)
{
    cardo_ensemble_member *member;
    const cardo_model *all = inputs->all;
    double rmsd;
    cardo_status status = CARDO_ALLOCATE(&member, all->nstructure, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < all->nstructure; ++k)
        member[k] = (cardo_ensemble_member){all->structure[k].structure, all->structure[k].match};
    status = cardo_ensemble_extremes(all->nstructure, member, inputs->pair, &rmsd, error);
    cardo_free(member);
    return status;
}

static cardo_status read_pair(cardo_domain_inputs *inputs, cardo_structure_definition reference,
                              cardo_error *error)
{
    cardo_structure_definition two[2] = {reference, inputs->definition[inputs->pair[1]]};
    two[0].id = "start";
    two[1].id = "end";
    cardo_model_destroy(inputs->two);
    inputs->two = NULL;
    return read_model(two, inputs->n > 1 ? 2 : 1, &inputs->two, error);
}

cardo_status cardo_domain_inputs_read(int count, const char *const *given,
                                      cardo_domain_inputs *inputs, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(list(count, given, inputs, error));
    if (inputs->n == 2)
        inputs->pair[1] = 1;
    if (inputs->n > 2) {
        CARDO_TRY(read_model(inputs->definition, inputs->n, &inputs->all, error));
        CARDO_TRY(choose_pair(inputs, error));
    }
    CARDO_TRY(read_pair(inputs, inputs->definition[inputs->pair[0]], error));
done:
    return status;
}

cardo_status cardo_domain_inputs_replace(cardo_domain_inputs *inputs, const char *prepared,
                                         cardo_error *error)
{
    return read_pair(inputs, (cardo_structure_definition){.file = prepared}, error);
}

void cardo_domain_inputs_clear(cardo_domain_inputs *inputs)
{
    for (int k = 0; k < inputs->ntext; ++k)
        cardo_free(inputs->text[k]);
    cardo_free(inputs->text);
    cardo_free(inputs->definition);
    cardo_model_destroy(inputs->all);
    cardo_model_destroy(inputs->two);
    *inputs = (cardo_domain_inputs){0};
}
