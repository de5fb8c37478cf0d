#include "io/checkpoint.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "io/model_description.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Layout: preamble, header text (identity lines, "--", counters), numbers, checksum of all before.
 */
static const char magic[8] = {'C', 'A', 'R', 'D', 'O', 'C', 'P', '\n'};
enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304 };

typedef struct preamble {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t header_length, nvalue;
} preamble;

struct cardo_checkpoint {
    char *path;
    char *header;   /* NUL-terminated: the identity                    */
    char *counters; /* in header, behind "--"                                          */
    cardo_snapshot snapshot;
    char value[512]; /* what cardo_checkpoint_value hands out */
};

static cardo_status write_header(FILE *stream, const cardo_simulation *simulation,
                                 const cardo_snapshot *snapshot, const char *extra,
                                 const cardo_counter *counters, int ncounter, cardo_error *error)
{
    cardo_status status = cardo_write_identity(stream, simulation, extra, error);
    fprintf(stream, "--\nstep %lld\nrandom %llu\n", snapshot->step,
            (unsigned long long)snapshot->random_position);
    for (int k = 0; k < ncounter; ++k)
        fprintf(stream, "counter.%s %lld\n", counters[k].name, counters[k].value);
    return status;
}

/* Appends bytes to a file and to its running checksum. */
static void put(FILE *stream, uLong *sum, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    fwrite(bytes, 1, size, stream);
    *sum = crc32_z(*sum, from, size);
}

static cardo_status write_file(const char *path, const char *header, size_t length,
                               const cardo_snapshot *snapshot, cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    uLong sum = crc32(0, NULL, 0);
    preamble front = {.version = VERSION,
                      .byte_order = BYTE_ORDER_MARK,
                      .header_length = length,
                      .nvalue = (uint64_t)snapshot->nvalue};
    memcpy(front.magic, magic, sizeof magic);
    put(output.stream, &sum, &front, sizeof front);
    put(output.stream, &sum, header, length);
    put(output.stream, &sum, snapshot->values, sizeof(double) * (size_t)snapshot->nvalue);
    uint32_t checksum = (uint32_t)sum;
    fwrite(&checksum, 1, sizeof checksum, output.stream);
    return cardo_output_commit(&output, error);
}

cardo_status cardo_checkpoint_write(const char *path, const cardo_simulation *simulation,
                                    const char *extra, const cardo_counter *counters, int ncounter,
                                    cardo_error *error)
{
    cardo_status status;
    cardo_snapshot snapshot = {0};
    char *header = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&header, &length);
    if (!stream)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a checkpoint");
    snapshot.nvalue = cardo_simulation_snapshot_size(simulation);
    CARDO_TRY(CARDO_ALLOCATE(&snapshot.values, snapshot.nvalue, error));
    cardo_simulation_save(simulation, &snapshot);
    CARDO_TRY(write_header(stream, simulation, &snapshot, extra, counters, ncounter, error));
    if (fflush(stream) != 0) {
        status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a checkpoint");
        goto done;
    }
    CARDO_TRY(write_file(path, header, length, &snapshot, error));
done:
    fclose(stream);
    free(header);
    cardo_free(snapshot.values);
    return status;
}

/* Checks preamble, size and checksum of a file in memory. */
static cardo_status check_file(const char *path, const char *bytes, size_t length, preamble *front,
                               cardo_error *error)
{
    if (length < sizeof *front || memcmp(bytes, magic, sizeof magic) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is not a checkpoint of Cardo", path);
    memcpy(front, bytes, sizeof *front);
    if (front->byte_order != BYTE_ORDER_MARK)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: was written on a machine of the other byte order", path);
    if (front->version != VERSION)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: is a checkpoint of version %u, this program reads version %d", path,
                          front->version, VERSION);
    uint32_t stored, sum;
    size_t rest = length - sizeof *front;
    if (front->header_length > rest || front->nvalue > rest / sizeof(double) ||
        front->header_length + front->nvalue * sizeof(double) + sizeof stored != rest)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: is cut off or has bytes behind its end",
                          path);
    memcpy(&stored, bytes + length - sizeof stored, sizeof stored);
    sum =
        (uint32_t)crc32_z(crc32(0, NULL, 0), (const unsigned char *)bytes, length - sizeof stored);
    if (sum != stored)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: is damaged (its checksum is %08x, not %08x)", path, sum, stored);
    return CARDO_OK;
}

/* The text behind "key " at the beginning of a line of text, or NULL; *length up to the line's end.
 */
static const char *find_line(const char *text, const char *key, int *length)
{
    size_t n = strlen(key);
    for (const char *line = text; line && *line;) {
        const char *end = strchr(line, '\n');
        size_t size = end ? (size_t)(end - line) : strlen(line);
        if (size > n && strncmp(line, key, n) == 0 && line[n] == ' ') {
            *length = (int)(size - n - 1);
            return line + n + 1;
        }
        line = end ? end + 1 : NULL;
    }
    return NULL;
}

static long long find_number(const char *text, const char *key, long long missing)
{
    int length;
    long long value;
    const char *found = find_line(text, key, &length);
    return found && cardo_parse_long(found, length, &value) ? value : missing;
}

static cardo_status take_contents(cardo_checkpoint *self, const char *bytes, const preamble *front,
                                  cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&self->header, front->header_length + 1, error));
    memcpy(self->header, bytes + sizeof *front, front->header_length);
    char *end = strstr(self->header, "\n--\n");
    if (!end || front->nvalue > INT32_MAX) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: its header has no end", self->path);
        goto done;
    }
    end[1] = '\0';
    self->counters = end + 4;
    self->snapshot.step = find_number(self->counters, "step", -1);
    self->snapshot.random_position = (uint64_t)find_number(self->counters, "random", 0);
    self->snapshot.nvalue = (int)front->nvalue;
    CARDO_TRY(CARDO_ALLOCATE(&self->snapshot.values, front->nvalue, error));
    memcpy(self->snapshot.values, bytes + sizeof *front + front->header_length,
           front->nvalue * sizeof(double));
done:
    return status;
}

cardo_status cardo_checkpoint_read(const char *path, cardo_checkpoint **out, cardo_error *error)
{
    cardo_status status;
    cardo_checkpoint *self = NULL;
    preamble front;
    char *bytes = NULL;
    size_t length;
    *out = NULL;
    CARDO_TRY(cardo_read_file(path, 0, &bytes, &length, error));
    CARDO_TRY(check_file(path, bytes, length, &front, error));
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    CARDO_TRY(cardo_copy_string(&self->path, path, error));
    CARDO_TRY(take_contents(self, bytes, &front, error));
    *out = self;
    self = NULL;
done:
    cardo_free(bytes);
    cardo_checkpoint_destroy(self);
    return status;
}

void cardo_checkpoint_destroy(cardo_checkpoint *self)
{
    if (!self)
        return;
    cardo_free(self->path);
    cardo_free(self->header);
    cardo_free(self->snapshot.values);
    cardo_free(self);
}

long long cardo_checkpoint_step(const cardo_checkpoint *self)
{
    return self->snapshot.step;
}

long long cardo_checkpoint_counter(const cardo_checkpoint *self, const char *name,
                                   long long missing)
{
    char key[128];
    snprintf(key, sizeof key, "counter.%s", name);
    return find_number(self->counters, key, missing);
}

const char *cardo_checkpoint_value(cardo_checkpoint *self, const char *key)
{
    int length;
    const char *found = find_line(self->header, key, &length);
    if (!found)
        found = find_line(self->counters, key, &length);
    if (!found)
        return NULL;
    snprintf(self->value, sizeof self->value, "%.*s", length, found);
    return self->value;
}

/* Compares two identities line by line. */
static cardo_status compare_identities(const char *path, const char *stored, const char *present,
                                       cardo_error *error)
{
    while (*stored || *present) {
        size_t n = strcspn(stored, "\n"), m = strcspn(present, "\n");
        if (n != m || memcmp(stored, present, n) != 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: belongs to another run. The first difference: it has '%.*s', "
                              "this run has '%.*s'",
                              path, n ? (int)n : 7, n ? stored : "nothing", m ? (int)m : 7,
                              m ? present : "nothing");
        stored += n + (stored[n] == '\n');
        present += m + (present[m] == '\n');
    }
    return CARDO_OK;
}

cardo_status cardo_checkpoint_restore(const cardo_checkpoint *self, cardo_simulation *simulation,
                                      const char *extra, cardo_error *error)
{
    cardo_status status;
    char *identity = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&identity, &length);
    if (!stream)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a checkpoint");
    status = cardo_write_identity(stream, simulation, extra, error);
    if (fclose(stream) != 0 && status == CARDO_OK)
        status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for a checkpoint");
    if (status == CARDO_OK)
        status = compare_identities(self->path, self->header, identity, error);
    if (status == CARDO_OK)
        status = cardo_simulation_restore(simulation, &self->snapshot, error);
    free(identity);
    return status;
}
