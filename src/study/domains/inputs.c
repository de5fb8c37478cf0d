#include "study/domains/inputs.h"

#include "analysis/domains/ensemble.h"
#include "base/memory.h"
#include "structure/pdb/pdb.h"
#include "structure/records/format.h"

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

static const cardo_domain_frame no_frame = {NULL, 0};

/* "2lao", "2mcg#1", "ensemble#13": the file's name without folder and extension, and what was
 * chosen of it. */
static cardo_status name_member(cardo_domain_inputs *inputs, int k, cardo_error *error)
{
    char name[300], *kept;
    cardo_structure_definition *d = &inputs->definition[k];
    const cardo_domain_frame *frame = &inputs->frame[k];
    const char *file = frame->trajectory ? frame->trajectory : d->file;
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    int used = snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
    long long number = frame->trajectory ? frame->number : d->model;
    if (number)
        used += snprintf(name + used, sizeof name - (size_t)used, "#%lld", number);
    if (d->chains && d->chains[0])
        snprintf(name + used, sizeof name - (size_t)used, "%c%s", number ? ':' : '#', d->chains);
    cardo_status status = keep(inputs, name, &kept, error);
    d->id = kept;
    return status;
}

static cardo_status add(cardo_domain_inputs *inputs, const cardo_structure_definition *d,
                        cardo_domain_frame frame, cardo_error *error)
{
    int capacity = inputs->capacity;
    cardo_status status =
        CARDO_RESERVE(&inputs->definition, &inputs->capacity, inputs->n + 1, error);
    if (status == CARDO_OK)
        status = CARDO_RESERVE(&inputs->frame, &capacity, inputs->n + 1, error);
    if (status != CARDO_OK)
        return status;
    inputs->definition[inputs->n] = *d;
    inputs->definition[inputs->n].identity = inputs->identity;
    inputs->frame[inputs->n] = frame;
    return name_member(inputs, inputs->n++, error);
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
        CARDO_TRY(add(inputs, &d, no_frame, error));
    }
done:
    cardo_records_destroy(&records);
    cardo_free(path);
    return status;
}

/* What the program was given, as it is gone through. */
typedef struct listing {
    cardo_domain_inputs *inputs;
    int count;
    long long stride; /* 0: not said */
    cardo_structure_definition topology;
    bool has_topology; /* topology is the structure that was named last, ...                     */
    bool is_member;    /* ... and already a member                                               */
} listing;

/* All atoms of a member's file, as its trajectory has them. */
static cardo_status read_topology(const cardo_structure_definition *d, cardo_structure **out,
                                  cardo_error *error)
{
    char *path = NULL;
    cardo_read_options options = {.model = d->model};
    cardo_status status = cardo_model_find_structure(NULL, d->file, &path, error);
    if (status == CARDO_OK)
        status = cardo_structure_read_as(path, &options, out, error);
    cardo_free(path);
    return status;
}

/* Frames have the atoms in the order of the file; a structure has residues that stand there in pieces, and chains
 * that take turns, each in one place. */
static cardo_status check_order(const cardo_structure *topology, cardo_error *error)
{
    for (int i = 1; i < topology->natom; ++i)
        if (topology->atom_line[i] < topology->atom_line[i - 1])
            return CARDO_FAIL(
                error, CARDO_ERROR_INPUT,
                "%s:%d: residues that stand in pieces, or chains that take turns, are "
                "read in another order than the file has them, so that a trajectory's "
                "atoms would be mistaken: write topology and trajectory with each "
                "chain in one piece",
                topology->source, topology->atom_line[i]);
    return CARDO_OK;
}

/* The frames of a trajectory; chosen: one of them, or 0. */
static cardo_status add_frames(listing *l, const char *trajectory, int chosen, cardo_error *error)
{
    cardo_status status;
    cardo_domain_inputs *inputs = l->inputs;
    cardo_structure *topology = NULL;
    cardo_frames *frames = NULL;
    long long count, stride;
    CARDO_TRY(read_topology(&l->topology, &topology, error));
    CARDO_TRY(check_order(topology, error));
    status = inputs->reader->open(trajectory, topology->natom, &frames, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error, "frames of the atoms of %s: ", l->topology.file);
    CARDO_TRY(status);
    count = inputs->reader->count(frames);
    stride = l->stride ? l->stride : (count + CARDO_DOMAIN_FRAMES - 1) / CARDO_DOMAIN_FRAMES;
    if (count == 0 || chosen > count)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: has %lld frames, and %s", trajectory,
                             count, chosen ? "not that one" : "one or more are needed"));
    if (chosen) {
        status = add(inputs, &l->topology, (cardo_domain_frame){trajectory, chosen}, error);
        goto done;
    }
    inputs->nframe += count;
    inputs->stride = stride;
    for (long long k = 1; k <= count; k += stride)
        CARDO_TRY(add(inputs, &l->topology, (cardo_domain_frame){trajectory, k}, error));
done:
    if (frames)
        inputs->reader->close(frames);
    cardo_structure_destroy(topology);
    return status;
}

static cardo_status add_trajectory(listing *l, const cardo_structure_definition *d,
                                   cardo_error *error)
{
    if (!l->has_topology)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "%s is a trajectory, which does not say what its atoms are: put the "
                          "structure that does before it",
                          d->file);
    l->is_member = true; /* by its frames */
    return add_frames(l, d->file, d->model, error);
}

/* The structure that was named last is a member, unless a trajectory came after it. */
static cardo_status settle(listing *l, cardo_error *error)
{
    if (!l->has_topology || l->is_member)
        return CARDO_OK;
    l->is_member = true;
    if (l->count == 1 && l->topology.model == 0)
        return add_models(l->inputs, l->topology, error);
    return add(l->inputs, &l->topology, no_frame, error);
}

static cardo_status list_one(listing *l, const char *given, cardo_error *error)
{
    cardo_structure_definition d = {0};
    char *path;
    cardo_status status = keep(l->inputs, given, &path, error);
    if (status == CARDO_OK)
        status = cardo_model_split_path(path, &d, error);
    if (status == CARDO_OK && l->inputs->reader && l->inputs->reader->detect(d.file))
        return add_trajectory(l, &d, error);
    if (status == CARDO_OK)
        status = settle(l, error);
    l->topology = d;
    l->has_topology = true;
    l->is_member = false;
    return status;
}

static cardo_status list(int count, const char *const *given, long long stride,
                         cardo_domain_inputs *inputs, cardo_error *error)
{
    listing l = {.inputs = inputs, .count = count, .stride = stride};
    cardo_status status = CARDO_OK;
    for (int k = 0; k < count && status == CARDO_OK; ++k)
        status = list_one(&l, given[k], error);
    if (status == CARDO_OK)
        status = settle(&l, error);
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

/* All atoms of a member's file where the frame has them. */
static cardo_status read_frame(const cardo_frame_reader *reader,
                               const cardo_structure_definition *d, const cardo_domain_frame *frame,
                               cardo_structure **out, cardo_error *error)
{
    cardo_frames *frames = NULL;
    cardo_status status = read_topology(d, out, error);
    if (status == CARDO_OK)
        status = reader->open(frame->trajectory, (*out)->natom, &frames, error);
    if (status == CARDO_OK)
        status = reader->read(frames, frame->number - 1, (*out)->position, error);
    reader->close(frames);
    return status;
}

/* Puts the atoms of an entry, which may be some of the file's, where the frame has them. */
static cardo_status place_frame(const cardo_frame_reader *reader,
                                const cardo_structure_definition *d,
                                const cardo_domain_frame *frame, cardo_model_structure *entry,
                                cardo_error *error)
{
    cardo_status status;
    cardo_structure *all = NULL, *some = entry->structure;
    CARDO_TRY(read_frame(reader, d, frame, &all, error));
    /* what was left out of the file was left out in order */
    for (int i = 0, of = 0; i < some->natom; ++i, ++of) {
        while (of < all->natom && all->atom_line[of] != some->atom_line[i])
            ++of;
        if (of == all->natom) {
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: line %d has no atom", d->file,
                                some->atom_line[i]);
            goto done;
        }
        memcpy(some->position + 3 * (size_t)i, all->position + 3 * (size_t)of,
               3 * sizeof *some->position);
    }
done:
    cardo_structure_destroy(all);
    return status;
}

static cardo_status read_model(const cardo_frame_reader *reader,
                               cardo_structure_definition *definition,
                               const cardo_domain_frame *frame, int n, cardo_model **out,
                               cardo_error *error)
{
    cardo_model_definition all = {.structure = definition, .nstructure = n};
    cardo_status status = CARDO_ALLOCATE(out, 1, error);
    if (status == CARDO_OK)
        status = cardo_copy_string(&(*out)->path, "", error);
    if (status == CARDO_OK)
        status = cardo_model_read_structures(*out, &all, error);
    for (int k = 0; k < n && status == CARDO_OK; ++k)
        if (frame[k].trajectory)
            status = place_frame(reader, &definition[k], &frame[k], &(*out)->structure[k], error);
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
                              cardo_domain_frame of, cardo_error *error)
{
    cardo_structure_definition two[2] = {reference, inputs->definition[inputs->pair[1]]};
    const cardo_domain_frame frame[2] = {of, inputs->frame[inputs->pair[1]]};
    two[0].id = "start";
    two[1].id = "end";
    cardo_model_destroy(inputs->two);
    inputs->two = NULL;
    return read_model(inputs->reader, two, frame, inputs->n > 1 ? 2 : 1, &inputs->two, error);
}

cardo_status cardo_domain_inputs_read(int count, const char *const *given, long long stride,
                                      cardo_domain_inputs *inputs, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(list(count, given, stride, inputs, error));
    if (inputs->n == 2)
        inputs->pair[1] = 1;
    if (inputs->n > 2) {
        CARDO_TRY(read_model(inputs->reader, inputs->definition, inputs->frame, inputs->n,
                             &inputs->all, error));
        CARDO_TRY(choose_pair(inputs, error));
    }
    CARDO_TRY(read_pair(inputs, inputs->definition[inputs->pair[0]], inputs->frame[inputs->pair[0]],
                        error));
done:
    return status;
}

cardo_status cardo_domain_inputs_replace(cardo_domain_inputs *inputs, const char *prepared,
                                         cardo_error *error)
{
    return read_pair(inputs, (cardo_structure_definition){.file = prepared}, no_frame, error);
}

bool cardo_domain_inputs_is_frame(const cardo_domain_inputs *inputs, int k)
{
    return inputs->frame[k].trajectory != NULL;
}

cardo_status cardo_domain_inputs_read_frame(const cardo_domain_inputs *inputs, int k,
                                            cardo_structure **out, cardo_error *error)
{
    *out = NULL;
    const cardo_status status =
        read_frame(inputs->reader, &inputs->definition[k], &inputs->frame[k], out, error);
    if (status != CARDO_OK) {
        cardo_structure_destroy(*out);
        *out = NULL;
    }
    return status;
}

cardo_status cardo_domain_inputs_keep_frame(cardo_domain_inputs *inputs, int k, const char *path,
                                            cardo_error *error)
{
    char *kept;
    cardo_status status = keep(inputs, path, &kept, error);
    if (status != CARDO_OK)
        return status;
    inputs->definition[k].file = kept;
    inputs->definition[k].model = 0;
    inputs->frame[k] = no_frame;
    return read_pair(inputs, inputs->definition[inputs->pair[0]], inputs->frame[inputs->pair[0]],
                     error);
}

void cardo_domain_inputs_clear(cardo_domain_inputs *inputs)
{
    for (int k = 0; k < inputs->ntext; ++k)
        cardo_free(inputs->text[k]);
    cardo_free(inputs->text);
    cardo_free(inputs->definition);
    cardo_free(inputs->frame);
    cardo_model_destroy(inputs->all);
    cardo_model_destroy(inputs->two);
    *inputs = (cardo_domain_inputs){0};
}
