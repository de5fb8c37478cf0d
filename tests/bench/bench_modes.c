/* Times of normal modes of elastic networks: two rigid domains of adenylate kinase, each free, and
 * assemblies with every phi and psi, by their number of residues. Targets: 50 ms; 2 minutes and 4 GB
 * for 10,000 residues.
 *
 *   bench_modes [--json] [--quick] [--repeats N] [RESIDUES...]
 *
 * Assemblies are copies of the committed antibody light chain (215 residues) on a lattice, so close
 * that neighbours touch. Every size runs in a process of its own, whose largest resident memory is
 * told. */
#include "analysis/modes/modes.h"
#include "analysis/modes/network_stiffness.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/model.h"
#include "structure/atoms/allocate.h"
#include "structure/pdb/pdb.h"
#include "structure/records/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SIZES = 16, MOST_REPEATS = 99, MODES = 20, DENSE_MOST = 1000, CHAIN = 215 };

enum { NSIZES = 6 };
static const int sizes[NSIZES] = {215, 430, 1075, 2150, 5160, 10105};

static const char names[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

typedef struct result {
    int residues, atoms, speeds, springs;
    double spring_time, mode_time, total; /* s, medians */
    double cpu;     /* s of processor time in all, median: what the total is on an idle core */
    double spread;  /* of the total: slowest less fastest over the median */
    double memory;  /* GB         */
    double softest; /* eigenvalue behind the rigid motions, 1/ps^2 */
    bool failed;
} result;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    _exit(1);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(int n, double *values)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return values[n / 2];
}

/* C-alpha or heavy atoms of the model's structure and where they are. */
static int choose(const cardo_structure *s, bool ca, int *node, double *x)
{
    int n = 0;
    for (int i = 0; i < s->natom; ++i)
        if (ca ? s->element[i] == 6 && strcmp(s->atom_name[i].text, "CA") == 0
               : s->element[i] > 1) {
            memcpy(x + 3 * (size_t)n, s->position + 3 * (size_t)i, 3 * sizeof *x);
            node[n++] = i;
        }
    return n;
}

static void find_modes(const cardo_system *system, const cardo_state *state,
                       const cardo_spring_network *network, const int *node, cardo_modes **modes)
{
    cardo_error error;
    const size_t nu = (size_t)cardo_system_nu(system);
    if (nu > DENSE_MOST) {
        check(cardo_modes_create_large(system, state, network, node, MODES + 6, modes, &error),
              &error);
        return;
    }
    double *K;
    check(CARDO_ALLOCATE(&K, nu * nu, &error), &error);
    check(cardo_network_stiffness(system, state, network, node, K, &error), &error);
    check(cardo_modes_create(system, state, K, true, (int)nu < MODES + 6 ? (int)nu : MODES + 6,
                             modes, &error),
          &error);
    cardo_free(K);
}

/* Reads a model and times springs and modes. */
static result measure(const char *path, bool ca, double cutoff, int repeats)
{
    result r = {0};
    cardo_error error;
    cardo_model *model;
    cardo_system *system;
    cardo_state *state;
    double part[4][MOST_REPEATS], *q, *x;
    int *node;
    check(cardo_model_read(path, 0, NULL, &model, &error), &error);
    const cardo_structure *s = model->structure[0].structure;
    check(cardo_model_compile(model, NULL, &system, &error), &error);
    check(cardo_state_create(system, &state, &error), &error);
    check(CARDO_ALLOCATE(&q, cardo_system_nq(system), &error), &error);
    check(CARDO_ALLOCATE(&x, 3 * (size_t)s->natom, &error), &error);
    check(CARDO_ALLOCATE(&node, s->natom, &error), &error);
    cardo_model_initial_q(model, system, q);
    cardo_state_set_q(state, q);
    check(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    const int n = choose(s, ca, node, x);
    const cardo_spring_options options = {cutoff, 418.4, 0, 0.1};
    for (int k = 0; k < repeats; ++k) {
        cardo_spring_network *network;
        cardo_modes *modes;
        double start = now(), cpu = processor_time();
        check(cardo_spring_network_create(n, x, &options, &network, &error), &error);
        double middle = now();
        find_modes(system, state, network, node, &modes);
        part[0][k] = middle - start;
        part[1][k] = now() - middle;
        part[2][k] = part[0][k] + part[1][k];
        part[3][k] = processor_time() - cpu;
        r.springs = network->nspring;
        r.softest = modes->eigenvalue[modes->nrigid];
        cardo_modes_destroy(modes);
        cardo_spring_network_destroy(network);
    }
    r.residues = s->nresidue;
    r.atoms = n;
    r.speeds = cardo_system_nu(system);
    r.spring_time = median(repeats, part[0]);
    r.mode_time = median(repeats, part[1]);
    r.total = median(repeats, part[2]);
    r.cpu = median(repeats, part[3]);
    r.spread = (part[2][repeats - 1] - part[2][0]) / r.total;
    return r; /* the process ends here: nothing is freed */
}

/* The same in a process of its own, with its memory. */
static result measure_apart(const char *path, bool ca, double cutoff, int repeats)
{
    result r = {.failed = true};
    int ends[2], status;
    struct rusage usage;
    if (pipe(ends) != 0)
        return r;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        r = measure(path, ca, cutoff, repeats);
        _exit(write(ends[1], &r, sizeof r) != sizeof r);
    }
    close(ends[1]);
    bool got = child > 0 && read(ends[0], &r, sizeof r) == sizeof r;
    close(ends[0]);
    if (child > 0)
        wait4(child, &status, 0, &usage);
    r.failed = !got;
    r.memory = got ? (double)usage.ru_maxrss * 1024 / 1e9 : 0;
    return r;
}

/* Copies of a chain on a lattice of cubes' edges as long as four fifths of its extents. */
static void write_assembly(const char *folder, const cardo_structure *s, int copies)
{
    char path[256];
    cardo_error error;
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    const int edge = (int)ceil(cbrt(copies) - 1e-9);
    cardo_structure *all;
    check(cardo_structure_allocate("assembly", s->natom * copies, s->nresidue * copies, copies, 0,
                                   &all, &error),
          &error);
    for (int k = 0; k < 3 * s->natom; ++k) {
        low[k % 3] = fmin(low[k % 3], s->position[k]);
        high[k % 3] = fmax(high[k % 3], s->position[k]);
    }
    for (int c = 0; c < copies; ++c) {
        const int cell[3] = {c % edge, c / edge % edge, c / edge / edge};
        for (int i = 0; i < s->natom; ++i) {
            const int a = c * s->natom + i;
            all->atom_name[a] = s->atom_name[i];
            all->element[a] = s->element[i];
            all->occupancy[a] = 1;
            all->atom_residue[a] = c * s->nresidue + s->atom_residue[i];
            for (int k = 0; k < 3; ++k)
                all->position[3 * (size_t)a + (size_t)k] =
                    s->position[3 * i + k] + 0.8 * cell[k] * (high[k] - low[k]);
        }
        for (int r = 0; r < s->nresidue; ++r) {
            const int b = c * s->nresidue + r;
            all->residue_name[b] = s->residue_name[r];
            all->residue_number[b] = s->residue_number[r];
            all->residue_chain[b] = c;
            all->residue_first[b] = c * s->natom + s->residue_first[r];
        }
        all->chain_id[c].text[0] = names[c];
        all->chain_first[c] = c * s->nresidue;
    }
    all->residue_first[s->nresidue * copies] = s->natom * copies;
    all->chain_first[copies] = s->nresidue * copies;
    snprintf(path, sizeof path, "%s/assembly.cif", folder);
    check(cardo_structure_write(path, all, NULL, &error), &error);
    cardo_structure_destroy(all);
    snprintf(path, sizeof path, "%s/assembly.xml", folder);
    FILE *f = fopen(path, "w");
    if (!f)
        exit(1);
    fprintf(f, "<cardo version=\"1\"><model name=\"assembly\"><structure id=\"a\" "
               "file=\"assembly.cif\"/>");
    for (int c = 0; c < copies; ++c)
        fprintf(f, "<domain name=\"d%d\" residues=\"%c:2-216\"/>", c, names[c]);
    for (int c = 0; c < copies; ++c)
        fprintf(f,
                c ? "<body name=\"b%d\" domains=\"d%d\" parent=\"b0\"><free/></body>"
                  : "<body name=\"b%d\" domains=\"d%d\"/>",
                c, c);
    for (int c = 0; c < copies; ++c)
        fprintf(f, "<flexible residues=\"%c:2-216\" torsions=\"phi psi\"/>", names[c]);
    fprintf(f, "</model></cardo>\n");
    fclose(f);
}

static bool write_kinase(const char *folder, char *path, size_t size)
{
    const char *shared = getenv("CARDO_SHARED");
    char structure[512];
    snprintf(structure, sizeof structure, "%s/pdb/4ake_A_fixedH.pdb",
             shared ? shared : "../shared");
    if (access(structure, R_OK) != 0)
        return false;
    snprintf(path, size, "%s/kinase.xml", folder);
    FILE *f = fopen(path, "w");
    if (!f)
        exit(1);
    fprintf(f,
            "<cardo version=\"1\"><model name=\"kinase\"><structure id=\"a\" file=\"%s\"/>"
            "<domain name=\"core\" residues=\"A:1-117,A:161-214\"/>"
            "<domain name=\"lid\" residues=\"A:118-160\"/><body name=\"core\" domains=\"core\"/>"
            "<body name=\"lid\" domains=\"lid\" parent=\"core\"><free/></body></model></cardo>\n",
            structure);
    fclose(f);
    return true;
}

static void print(const char *name, const result *r, bool json, bool last)
{
    if (json)
        printf("  {\"name\": \"%s\", \"residues\": %d, \"nodes\": %d, \"speeds\": %d, \"springs\": "
               "%d, "
               "\"springs_s\": %.5g, \"modes_s\": %.5g, \"total_s\": %.5g, \"cpu_s\": %.5g, "
               "\"spread\": %.3f, "
               "\"memory_GB\": %.3f, \"softest_per_ps2\": %.6g}%s\n",
               name, r->residues, r->atoms, r->speeds, r->springs, r->spring_time, r->mode_time,
               r->total, r->cpu, r->spread, r->memory, r->softest, last ? "" : ",");
    else
        printf("%-34s %6d residues %6d nodes %6d speeds %8d springs  %8.4f + %8.4f s (+-%2.0f %%), "
               "cpu %8.4f s  "
               "%5.2f GB\n",
               name, r->residues, r->atoms, r->speeds, r->springs, r->spring_time, r->mode_time,
               50 * r->spread, r->cpu, r->memory);
    fflush(stdout);
}

int main(int count, char **words)
{
    char folder[] = P_tmpdir "/cardo-bench-XXXXXX", path[256], name[64];
    int size[MOST_SIZES], nsize = 0, repeats = 9;
    bool json = false, quick = false;
    cardo_structure *chain;
    cardo_error error;
    for (int k = 1; k < count; ++k)
        if (strcmp(words[k], "--json") == 0)
            json = true;
        else if (strcmp(words[k], "--quick") == 0)
            quick = true;
        else if (strcmp(words[k], "--repeats") == 0 && k + 1 < count)
            repeats = atoi(words[++k]);
        else if (nsize < MOST_SIZES && atoi(words[k]) > 0)
            size[nsize++] = atoi(words[k]);
    repeats = repeats < 1 ? 1 : repeats > MOST_REPEATS ? MOST_REPEATS : repeats;
    if (quick)
        repeats = 1;
    for (int k = 0; nsize == k && k < (quick ? 1 : NSIZES); ++k)
        size[nsize++] = sizes[k];
    const char *source = getenv("CARDO_SOURCE");
    snprintf(path, sizeof path, "%s/pdb/2mcg_1.pdb", source ? source : ".");
    if (!mkdtemp(folder))
        return 1;
    check(cardo_structure_read(path, 0, &chain, &error), &error);
    if (json)
        printf("[\n");
    if (write_kinase(folder, path, sizeof path))
        for (int all = 0; all < 2; ++all) {
            result r = measure_apart(path, !all, 1.5, repeats);
            snprintf(name, sizeof name, "kinase, two free domains, %s", all ? "atoms" : "C-alpha");
            print(name, &r, json, false);
        }
    bool failed = false;
    for (int k = 0; k < nsize; ++k) {
        int copies = (size[k] + CHAIN / 2) / CHAIN;
        copies = copies < 1 ? 1 : copies > 62 ? 62 : copies;
        write_assembly(folder, chain, copies);
        snprintf(path, sizeof path, "%s/assembly.xml", folder);
        result r = measure_apart(path, false, 1.0, copies > 20 ? 1 : copies > 4 ? 3 : repeats);
        snprintf(name, sizeof name, "torsions, %d chains", copies);
        failed = failed || r.failed;
        print(name, &r, json, k + 1 == nsize);
    }
    if (json)
        printf("]\n");
    const char *const files[] = {"assembly.cif", "assembly.xml", "kinase.xml"};
    for (int k = 0; k < 3; ++k) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k]);
        unlink(path);
    }
    rmdir(folder);
    return failed;
}
