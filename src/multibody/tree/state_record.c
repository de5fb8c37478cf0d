/* States as bytes, and the comparison of two. */
#include "multibody/tree/state_internal.h"

#include <stdint.h>
#include <string.h>

/* What a record begins with; then q, u, body forces, mobility forces, switches of constraints. */
typedef struct record_header {
    char magic[8];
    uint32_t byte_order; /* 1 as this machine writes it */
    int32_t nbody, nq, nu;
    int32_t has_body_forces, has_mobility_forces;
    uint64_t checksum; /* of the record with this member zero */
    double time;
} record_header;

static const char magic[8] = "cardoS1";

/* An array of the state with its size in bytes. */
typedef struct part {
    const char *name;
    void *data;
    size_t bytes;
    int per_item; /* doubles an item, for messages */
} part;

enum { PARTS = 5 };

static void parts_of(const cardo_state *state, part parts[PARTS])
{
    const cardo_system *system = state->system;
    const size_t nq = (size_t)system->nq, nu = (size_t)system->nu, nbody = (size_t)system->nbody;
    parts[0] = (part){"q", state->q, nq * sizeof(double), 1};
    parts[1] = (part){"u", state->u, nu * sizeof(double), 1};
    parts[2] = (part){"force on body", state->body_forces, nbody * sizeof(cardo_spatial), 6};
    parts[3] = (part){"mobility force", state->mobility_forces, nu * sizeof(double), 1};
    const size_t nconstraint = system->constraints ? (size_t)system->constraints->count : 0;
    parts[4] = (part){"switch of constraint", state->switched_off, nconstraint * sizeof(double), 1};
}

/* The checksum with its own place taken as zero (FNV-1a). */
static uint64_t record_checksum(const void *record, size_t length, record_header header)
{
    const unsigned char *p = record;
    uint64_t hash = 14695981039346656037u;
    unsigned char first[sizeof header];
    header.checksum = 0;
    memcpy(first, &header, sizeof header);
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ (i < sizeof first ? first[i] : p[i])) * 1099511628211u;
    return hash;
}

size_t cardo_state_record_size(const cardo_state *state)
{
    part parts[PARTS];
    size_t size = sizeof(record_header);
    parts_of(state, parts);
    for (int i = 0; i < PARTS; ++i)
        size += parts[i].bytes;
    return size;
}

void cardo_state_write(const cardo_state *state, void *record)
{
    const cardo_system *system = state->system;
    char *to = record;
    part parts[PARTS];
    record_header header = {.byte_order = 1,
                            .nbody = system->nbody,
                            .nq = system->nq,
                            .nu = system->nu,
                            .has_body_forces = state->has_body_forces,
                            .has_mobility_forces = state->has_mobility_forces,
                            .time = state->time};
    memcpy(header.magic, magic, sizeof magic);
    parts_of(state, parts);
    memcpy(to, &header, sizeof header);
    size_t at = sizeof header;
    for (int i = 0; i < PARTS; ++i) {
        if (parts[i].bytes > 0)
            memcpy(to + at, parts[i].data, parts[i].bytes);
        at += parts[i].bytes;
    }
    header.checksum = record_checksum(record, at, header);
    memcpy(to, &header, sizeof header);
}

static cardo_status check_header(const cardo_state *state, const record_header *header,
                                 size_t length, cardo_error *error)
{
    const cardo_system *system = state->system;
    if (memcmp(header->magic, magic, sizeof magic) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "this is not the record of a state");
    if (header->byte_order != 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the state was recorded on a machine of another byte order");
    if (header->nbody != system->nbody || header->nq != system->nq || header->nu != system->nu)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the recorded state has %d bodies, %d coordinates and %d speeds, the "
                          "system %d, %d and %d",
                          header->nbody, header->nq, header->nu, system->nbody, system->nq,
                          system->nu);
    if (length != cardo_state_record_size(state))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the recorded state has %zu bytes instead of %zu", length,
                          cardo_state_record_size(state));
    return CARDO_OK;
}

cardo_status cardo_state_read(cardo_state *state, const void *record, size_t length,
                              cardo_error *error)
{
    record_header header;
    part parts[PARTS];
    if (length < sizeof header)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the recorded state is cut after %zu bytes",
                          length);
    memcpy(&header, record, sizeof header);
    cardo_status status = check_header(state, &header, length, error);
    if (status != CARDO_OK)
        return status;
    if (record_checksum(record, length, header) != header.checksum)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the recorded state is damaged: its checksum differs");
    state->time = header.time;
    state->has_body_forces = header.has_body_forces != 0;
    state->has_mobility_forces = header.has_mobility_forces != 0;
    parts_of(state, parts);
    const char *from = record;
    size_t at = sizeof header;
    for (int i = 0; i < PARTS; ++i) {
        if (parts[i].bytes > 0)
            memcpy(parts[i].data, from + at, parts[i].bytes);
        at += parts[i].bytes;
    }
    cardo_state_lower_stage(state, CARDO_STAGE_TIME);
    return CARDO_OK;
}

cardo_status cardo_state_compare(const cardo_state *a, const cardo_state *b, cardo_error *error)
{
    part of_a[PARTS], of_b[PARTS];
    if (a->system != b->system)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "the states belong to different systems");
    if (memcmp(&a->time, &b->time, sizeof a->time) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "time differs: %.17g and %.17g", a->time,
                          b->time);
    if (a->has_body_forces != b->has_body_forces ||
        a->has_mobility_forces != b->has_mobility_forces)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "only one of the states has applied forces");
    parts_of(a, of_a);
    parts_of(b, of_b);
    for (int i = 0; i < PARTS; ++i) {
        const bool unused = (i == 2 && !a->has_body_forces) || (i == 3 && !a->has_mobility_forces);
        for (size_t at = 0; !unused && at < of_a[i].bytes; at += sizeof(double)) {
            double x, y;
            memcpy(&x, (const char *)of_a[i].data + at, sizeof x);
            memcpy(&y, (const char *)of_b[i].data + at, sizeof y);
            if (memcmp(&x, &y, sizeof x) != 0)
                return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "%s %zu differs: %.17g and %.17g",
                                  of_a[i].name, at / sizeof(double) / (size_t)of_a[i].per_item, x,
                                  y);
        }
    }
    return CARDO_OK;
}
