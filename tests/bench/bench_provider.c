/* Milliseconds per force evaluation by nonbonded method, on a serialized System:
 *   bench_provider SYSTEM.xml[.gz] POSITIONS.npy [platform [threads [calls]]]
 * Also with energies by term, and in vacuum (the System without its GBSAOBCForce). Medians; between
 * calls the positions are moved by up to 0.001 nm, so that nothing can be reused. */
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "forces/openmm/openmm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bench {
    const char *system;
    int natom, calls;
    const double *x;
    cardo_openmm_options options;
} bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median time of one evaluation in ms, or a failure. */
static cardo_status median_call(const bench *b, cardo_force_provider *provider, double *terms,
                                double *median, cardo_error *error)
{
    double *times;
    cardo_status status = CARDO_ALLOCATE(&times, b->calls, error);
    if (status != CARDO_OK)
        return status;
    cardo_force_evaluation evaluation = {.nstation = b->natom,
                                         .station_positions = provider->position_buffer,
                                         .term_energies = terms};
    for (int call = -2; call < b->calls && status == CARDO_OK; call++) {
        for (int i = 0; i < 3 * b->natom; i++)
            provider->position_buffer[i] = b->x[i] + 5e-4 * ((i + 7 * call) % 5 - 2) / 2.0;
        double start = now();
        status = provider->compute(provider, &evaluation, error);
        if (call >= 0)
            times[call] = now() - start;
    }
    qsort(times, (size_t)b->calls, sizeof *times, compare);
    *median = times[b->calls / 2];
    cardo_free(times);
    return status;
}

static cardo_status print_method(const bench *b, const char *label, cardo_nonbonded_method method,
                                 double cutoff, cardo_error *error)
{
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = b->options;
    double plain = 0.0, by_term = 0.0, terms[32];
    cardo_status status;
    options.method = method;
    options.cutoff = cutoff;
    CARDO_TRY(
        cardo_openmm_provider_from_system(b->system, b->natom, &options, NULL, &provider, error));
    CARDO_TRY(median_call(b, provider, NULL, &plain, error));
    CARDO_TRY(median_call(b, provider, terms, &by_term, error));
    printf("%-22s %9.2f ms %9.2f ms with terms   %s\n", label, plain, by_term, provider->doc);
done:
    cardo_force_provider_destroy(provider);
    return status;
}

static cardo_status print_methods(const bench *b, const char *solvent, cardo_error *error)
{
    static const struct {
        const char *label;
        cardo_nonbonded_method method;
        double cutoff;
    } methods[] = {{"all pairs", CARDO_ALL_PAIRS, 0.0},
                   {"NoCutoff", CARDO_NO_CUTOFF, 0.0},
                   {"1.6 nm", CARDO_CUTOFF, 1.6},
                   {"1.0 nm", CARDO_CUTOFF, 1.0}};
    cardo_status status = CARDO_OK;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0] && status == CARDO_OK; i++) {
        char label[64];
        snprintf(label, sizeof label, "%s, %s", solvent, methods[i].label);
        status = print_method(b, label, methods[i].method, methods[i].cutoff, error);
    }
    return status;
}

/* Writes the System without its GBSAOBCForce; *found is false where it has none. */
static cardo_status write_vacuum(const char *system, const char *vacuum, bool *found,
                                 cardo_error *error)
{
    char *text;
    size_t length;
    cardo_status status = cardo_read_file(system, 0, &text, &length, error);
    if (status != CARDO_OK)
        return status;
    char *type = strstr(text, "type=\"GBSAOBCForce\"");
    *found = type != NULL;
    if (type) {
        char *start = type, *end = strstr(type, "</Force>");
        while (*start != '<')
            start--;
        end += strlen("</Force>");
        memmove(start, end, length - (size_t)(end - text) + 1);
        status = cardo_write_file(vacuum, text, strlen(text), error);
    }
    cardo_free(text);
    return status;
}

static cardo_status run(bench *b, const char *positions, cardo_error *error)
{
    enum { NPY_HEADER = 128 };
    char *bytes = NULL, vacuum[64];
    size_t length;
    bool has_gb = false;
    cardo_status status;
    snprintf(vacuum, sizeof vacuum, P_tmpdir "/cardo-bench-%ld.xml", (long)time(NULL));
    CARDO_TRY(cardo_read_file(positions, 0, &bytes, &length, error));
    b->natom = length > NPY_HEADER ? (int)((length - NPY_HEADER) / sizeof(double) / 3) : 0;
    b->x = (const double *)(bytes + NPY_HEADER);
    CARDO_TRY(print_methods(b, "as it is", error));
    CARDO_TRY(write_vacuum(b->system, vacuum, &has_gb, error));
    if (has_gb) {
        b->system = vacuum;
        status = print_methods(b, "vacuum", error);
        remove(vacuum);
    }
done:
    cardo_free(bytes);
    return status;
}

int main(int argc, char **argv)
{
    cardo_error error;
    bench b = {.options = cardo_openmm_options_default(), .calls = 21};
    if (argc < 3) {
        fprintf(stderr, "usage: %s SYSTEM.xml[.gz] POSITIONS.npy [platform [threads [calls]]]\n",
                argv[0]);
        return 2;
    }
    b.system = argv[1];
    if (argc > 3)
        snprintf(b.options.platform, sizeof b.options.platform, "%s", argv[3]);
    if (argc > 4)
        b.options.threads = atoi(argv[4]);
    if (argc > 5)
        b.calls = atoi(argv[5]) > 0 ? atoi(argv[5]) : 1;
    if (run(&b, argv[2], &error) == CARDO_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", argv[0], error.message);
    return 1;
}
