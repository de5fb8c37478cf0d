#include "study/dynamics/checkpoint.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "multibody/manifold/description.h"

#include <stdint.h>
#include <string.h>

struct cardo_checkpoint {
    char *place;    /* for messages */
    char *header;   /* NUL-terminated: the identity                    */
    char *counters; /* in header, after "--"                                          */
    cardo_snapshot snapshot;
    char value[512]; /* what cardo_checkpoint_value hands out */
};

/* What a checkpoint knows a run by: a line for each thing that must be equal. */
static cardo_status write_identity(FILE *stream, const cardo_simulation *simulation,
                                   const char *extra, cardo_error *error)
{
    const cardo_integrator *integrator = cardo_simulation_integrator(simulation);
    const cardo_force_provider *provider =
        cardo_evaluator_provider(cardo_simulation_evaluator(simulation));
    char prefix[64];
    snprintf(prefix, sizeof prefix, "%s.", integrator->name);
    cardo_status status =
        cardo_write_model_description(stream, cardo_simulation_system(simulation), provider, error);
    fprintf(stream, "integrator %s\n", integrator->name);
    cardo_fields_identity(stream, "simulate.", cardo_simulation_fields,
                          cardo_simulation_get_options(simulation));
    cardo_fields_identity(stream, prefix, integrator->fields,
                          cardo_simulation_integrator_options(simulation));
    if (extra && *extra)
        fprintf(stream, "%s%s", extra, extra[strlen(extra) - 1] == '\n' ? "" : "\n");
    return status;
}

static cardo_status write_header(FILE *stream, const cardo_simulation *simulation,
                                 const cardo_snapshot *snapshot, const char *extra,
                                 const cardo_counter *counters, int ncounter, cardo_error *error)
{
    cardo_status status = write_identity(stream, simulation, extra, error);
    fprintf(stream, "--\nstep %lld\nrandom %llu\n", snapshot->step,
            (unsigned long long)snapshot->random_position);
    for (int k = 0; k < ncounter; ++k)
        fprintf(stream, "counter.%s %lld\n", counters[k].name, counters[k].value);
    return status;
}

cardo_status cardo_checkpoint_write(const cardo_writer *writer, const char *name,
                                    const cardo_simulation *simulation, const char *extra,
                                    const cardo_counter *counters, int ncounter, cardo_error *error)
{
    cardo_status status;
    cardo_snapshot snapshot = {0};
    char *header = NULL;
    cardo_text_stream out;
    snapshot.nvalue = cardo_simulation_snapshot_size(simulation);
    CARDO_TRY(CARDO_ALLOCATE(&snapshot.values, snapshot.nvalue, error));
    cardo_simulation_save(simulation, &snapshot);
    CARDO_TRY(cardo_text_stream_open(&out, error));
    CARDO_TRY(cardo_text_stream_close(
        &out, write_header(out.stream, simulation, &snapshot, extra, counters, ncounter, error),
        &header, error));
    CARDO_TRY(cardo_writer_save(writer, name, header, strlen(header), snapshot.values,
                                (size_t)snapshot.nvalue, error));
done:
    cardo_free(header);
    cardo_free(snapshot.values);
    return status;
}

/* The text after "key " at the beginning of a line of text, or NULL; *length up to the line's end.
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

static cardo_status take_contents(cardo_checkpoint *self, size_t nvalue, cardo_error *error)
{
    char *end = strstr(self->header, "\n--\n");
    if (!end || nvalue > INT32_MAX)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: its header has no end", self->place);
    end[1] = '\0';
    self->counters = end + 4;
    self->snapshot.step = find_number(self->counters, "step", -1);
    self->snapshot.random_position = (uint64_t)find_number(self->counters, "random", 0);
    self->snapshot.nvalue = (int)nvalue;
    return CARDO_OK;
}

cardo_status cardo_checkpoint_read(const cardo_writer *writer, const char *name,
                                   cardo_checkpoint **out, cardo_error *error)
{
    cardo_status status;
    cardo_checkpoint *self = NULL;
    size_t nvalue;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    const size_t size = strlen(writer->place) + strlen(name) + 2;
    CARDO_TRY(CARDO_ALLOCATE(&self->place, size, error));
    snprintf(self->place, size, "%s/%s", writer->place, name);
    CARDO_TRY(
        cardo_writer_recall(writer, name, &self->header, &self->snapshot.values, &nvalue, error));
    CARDO_TRY(take_contents(self, nvalue, error));
    *out = self;
    self = NULL;
done:
    cardo_checkpoint_destroy(self);
    return status;
}

void cardo_checkpoint_destroy(cardo_checkpoint *self)
{
    if (!self)
        return;
    cardo_free(self->place);
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

bool cardo_checkpoint_has_counter(const cardo_checkpoint *self, const char *name)
{
    char key[128];
    int length;
    snprintf(key, sizeof key, "counter.%s", name);
    return find_line(self->counters, key, &length) != NULL;
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

cardo_status cardo_checkpoint_restore(const cardo_checkpoint *self, cardo_simulation *simulation,
                                      const char *extra, cardo_error *error)
{
    cardo_status status;
    char *identity = NULL;
    cardo_text_stream out;
    CARDO_TRY(cardo_text_stream_open(&out, error));
    CARDO_TRY(cardo_text_stream_close(&out, write_identity(out.stream, simulation, extra, error),
                                      &identity, error));
    CARDO_TRY(cardo_compare_identities(self->place, self->header, identity, error));
    status = cardo_simulation_restore(simulation, &self->snapshot, error);
done:
    cardo_free(identity);
    return status;
}
