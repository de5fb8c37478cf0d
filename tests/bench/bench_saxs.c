/* Profiles of two rigid domains: tables of amplitudes beside averages over directions, Debye's sum in vectors, and a plain double loop, in one
 * run.
 *
 *   bench_saxs [--quick] [STRUCTURE FIRST LAST [COPIES STEP [halves]]]   residues FIRST to LAST are the second domain;
 *                            COPIES of the whole stand STEP nm apart, each of two domains, or in two rigid halves */
#include "base/memory.h"
#include "base/units.h"
#include "cardo/structure.h"
#include "experiment/saxs/debye.h"
#include "experiment/saxs/directions.h"
#include "experiment/saxs/exposure.h"
#include "experiment/saxs/interface.h"
#include "experiment/saxs/rigid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLACES = 101, VALUES = 51, REPEATS = 5, MOST_TO_COMPARE = 6000 };

static cardo_error error;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void require(cardo_status status)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "bench_saxs: %s\n", error.message);
    exit(1);
}

/* A molecule of two domains, or several of it. */
typedef struct molecule {
    cardo_scatterers s;
    int *body, nbody;
    double size, hinge[3]; /* where the second domain turns */
} molecule;

static void read(const char *path, int first, int last, molecule *out)
{
    cardo_structure *structure = NULL;
    require(cardo_structure_read(path, 0, &structure, &error));
    require(cardo_scatterers_make(structure, &out->s, &error));
    require(cardo_exposure_find(&out->s, &error));
    require(CARDO_ALLOCATE(&out->body, out->s.n, &error));
    for (int i = 0; i < out->s.n; ++i) {
        const int number = structure->residue_number[structure->atom_residue[out->s.atom[i]]];
        out->body[i] = number >= first && number <= last;
        for (int d = 0; d < 3; ++d)
            out->hinge[d] += out->s.position[3 * i + d] / out->s.n;
    }
    out->nbody = 2;
    cardo_structure_destroy(structure);
}

/* Copies of the molecule along a line: their atoms, and bodies of their own. */
static void copy(molecule *m, int copies, double step, int halves)
{
    const int n = m->s.n;
    cardo_scatterers s = m->s;
    int *body;
    require(CARDO_ALLOCATE(&s.position, 3 * (size_t)n * (size_t)copies, &error));
    require(CARDO_ALLOCATE(&s.kind, n * copies, &error));
    require(CARDO_ALLOCATE(&s.atom, n * copies, &error));
    require(CARDO_ALLOCATE(&s.exposure, n * copies, &error));
    require(CARDO_ALLOCATE(&body, n * copies, &error));
    for (int c = 0; c < copies; ++c)
        for (int i = 0; i < n; ++i) {
            const int to = c * n + i;
            for (int d = 0; d < 3; ++d)
                s.position[3 * to + d] = m->s.position[3 * i + d] + (d == 0 ? c * step : 0);
            s.kind[to] = m->s.kind[i];
            s.atom[to] = m->s.atom[i];
            s.exposure[to] = m->s.exposure[i];
            body[to] = halves ? c >= copies / 2 : 2 * c + m->body[i];
        }
    s.n = n * copies;
    cardo_scatterers_clear(&m->s);
    cardo_free(m->body);
    m->s = s;
    m->body = body;
    m->nbody = halves ? 2 : 2 * copies;
}

/* Second domains turn about an axis through the hinge, and the copies' likewise. */
static void poses_of(const molecule *m, int place, double step, double *pose)
{
    const double angle = 0.6 * place / PLACES, c = cos(angle), s = sin(angle);
    for (int b = 0; b < m->nbody; ++b) {
        const double turn[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        const double *R = b % 2 ? turn : one;
        const double hinge[3] = {m->hinge[0] + b / 2 * step, m->hinge[1], m->hinge[2]};
        memcpy(pose + 12 * b, R, 9 * sizeof *R);
        for (int d = 0; d < 3; ++d)
            pose[12 * b + 9 + d] =
                hinge[d] - R[3 * d] * hinge[0] - R[3 * d + 1] * hinge[1] - R[3 * d + 2] * hinge[2];
    }
}

static void move(const molecule *m, const double *pose, double *to)
{
    for (int i = 0; i < m->s.n; ++i) {
        const double *p = pose + 12 * m->body[i], *x = m->s.position + 3 * i;
        for (int d = 0; d < 3; ++d)
            to[3 * i + d] = p[9 + d] + p[3 * d] * x[0] + p[3 * d + 1] * x[1] + p[3 * d + 2] * x[2];
    }
}

/* As Debye's formula stands in a book: one intensity at c1 = c2 = 1. */
static void plain(const cardo_scatterers *s, int nq, const double *q, double *out)
{
    double *f, *V;
    require(CARDO_ALLOCATE(&f, (size_t)nq * (size_t)s->n, &error));
    require(CARDO_ALLOCATE(&V, 3 * (size_t)s->n, &error));
    for (int k = 0; k < nq; ++k) {
        cardo_scattering_amplitudes(s, q[k], V, V + s->n, V + 2 * s->n);
        out[k] = 0;
        for (int i = 0; i < s->n; ++i) {
            f[(size_t)k * (size_t)s->n + (size_t)i] = V[i] - V[s->n + i] + V[2 * s->n + i];
            out[k] += pow(f[(size_t)k * (size_t)s->n + (size_t)i], 2);
        }
    }
    for (int i = 0; i < s->n; ++i)
        for (int j = i + 1; j < s->n; ++j) {
            const double *a = s->position + 3 * i, *b = s->position + 3 * j;
            const double r = sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                                  (a[2] - b[2]) * (a[2] - b[2]));
            for (int k = 0; k < nq; ++k) {
                const double *fk = f + (size_t)k * (size_t)s->n;
                out[k] += 2 * fk[i] * fk[j] * sin(q[k] * r) / (q[k] * r);
            }
        }
    cardo_free(f);
    cardo_free(V);
}

static double largest_error(const molecule *m, int nq, const double *q, const double *exact,
                            const double *found)
{
    double worst = 0;
    for (int k = 0; k < nq; ++k) {
        double w[CARDO_PARTIALS], one = 0, two = 0;
        cardo_partial_weights(q[k], m->s.mean_volume, 1, 1, w, NULL, NULL);
        for (int p = 0; p < CARDO_PARTIALS; ++p) {
            one += w[p] * exact[k * CARDO_PARTIALS + p];
            two += w[p] * found[k * CARDO_PARTIALS + p];
        }
        worst = fmax(worst, fabs(two / one - 1));
    }
    return worst;
}

/* What grows with the atoms, or with their square. */
static void compare(const molecule *m, const cardo_scatterers *there, int nq, const double *q,
                    const double *exact)
{
    double found[VALUES * CARDO_PARTIALS], slow[VALUES], differs = 0, begin = now();
    plain(there, nq, q, slow);
    printf("plain double loop, one intensity           %10.3f ms\n", 1e3 * (now() - begin));
    for (int k = 0; k < nq; ++k) {
        double w[CARDO_PARTIALS], sum = 0;
        cardo_partial_weights(q[k], m->s.mean_volume, 1, 1, w, NULL, NULL);
        for (int p = 0; p < CARDO_PARTIALS; ++p)
            sum += w[p] * exact[k * CARDO_PARTIALS + p];
        differs = fmax(differs, fabs(slow[k] / sum - 1));
    }
    printf("                                           they differ by %.1e\n", differs);
    begin = now();
    require(cardo_average_directions(there, nq, q, 1e-3, NULL, found, &error));
    printf("average over directions, six, 1e-3         %10.3f ms, off by %.1e\n",
           1e3 * (now() - begin), largest_error(m, nq, q, exact, found));
}

int main(int argc, char **argv)
{
    static const double tolerances[] = {1e-2, 1e-3, 1e-6};
    const int quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    const int nq = quick ? 8 : VALUES;
    char **rest = argv + 1 + quick;
    const int given = argc - 1 - quick;
    molecule m = {0};
    double q[VALUES], exact[VALUES * CARDO_PARTIALS], found[VALUES * CARDO_PARTIALS];
    const int copies = given > 3 ? atoi(rest[3]) : 1;
    const double step = given > 4 ? atof(rest[4]) : 5;
    read(given > 0 ? rest[0] : CARDO_BENCH_STRUCTURE, given > 1 ? atoi(rest[1]) : 1,
         given > 2 ? atoi(rest[2]) : 110, &m);
    if (copies > 1)
        copy(&m, copies, step, given > 5);
    m.size = cardo_scatterers_diameter(&m.s) + 2;
    for (int k = 0; k < nq; ++k)
        q[k] = 5.0 * (nq - k) / nq;
    double *pose, *start = NULL, begin = now();
    require(CARDO_ALLOCATE(&pose, (size_t)12 * (size_t)m.nbody * PLACES, &error));
    require(CARDO_ALLOCATE(&start, 3 * (size_t)m.s.n, &error));
    memcpy(start, m.s.position, 3 * (size_t)m.s.n * sizeof *start);
    for (int k = 0; k < PLACES; ++k)
        poses_of(&m, k, step, pose + 12 * m.nbody * k);
    printf("%d atoms, %d bodies, %.1f nm; %d values of q up to 0.5 1/A; times of one core\n", m.s.n,
           m.nbody, m.size - 2, nq);
    const double *last = pose + 12 * m.nbody * (PLACES - 1);
    double *moved;
    require(CARDO_ALLOCATE(&moved, 3 * (size_t)m.s.n, &error));
    cardo_scatterers there = m.s;
    there.position = moved;
    move(&m, last, moved);
    begin = now();
    require(cardo_debye(&there, nq, q, NULL, exact, &error));
    printf("Debye's sum, six partials, in vectors      %10.3f ms\n", 1e3 * (now() - begin));
    fflush(stdout);
    if (m.s.n <= MOST_TO_COMPARE)
        compare(&m, &there, nq, q, exact);
    cardo_interface *interface = NULL;
    double *exposure, anew[VALUES * CARDO_PARTIALS];
    require(CARDO_ALLOCATE(&exposure, m.s.n, &error));
    require(cardo_interface_make(&m.s, m.nbody, m.body, &interface, &error));
    for (int t = 0; t < 3; ++t) {
        cardo_rigid_bodies *bodies = NULL;
        cardo_rigid_work *work = NULL;
        begin = now();
        require(cardo_rigid_bodies_make(&m.s, m.nbody, m.body, nq, q, m.size, tolerances[t],
                                        &bodies, &error));
        require(cardo_rigid_work_make(bodies, &work, &error));
        const double made = now() - begin;
        double best = HUGE_VAL;
        for (int r = 0; r < (quick ? 1 : REPEATS); ++r) {
            begin = now();
            for (int k = 0; k < PLACES; ++k)
                require(cardo_rigid_find(work, pose + 12 * m.nbody * k, found, &error));
            best = fmin(best, now() - begin);
        }
        const double off = largest_error(&m, nq, q, exact, found);
        begin = now();
        for (int k = 0; k < PLACES; ++k) {
            cardo_interface_find(interface, pose + 12 * m.nbody * k, exposure);
            cardo_rigid_renew(work, exposure);
            require(cardo_rigid_find(work, pose + 12 * m.nbody * k, found, &error));
        }
        const double renewed = (now() - begin) / PLACES;
        there.exposure = exposure;
        if (m.s.n <= MOST_TO_COMPARE)
            require(cardo_debye(&there, nq, q, NULL, anew, &error));
        there.exposure = m.s.exposure;
        printf("rigid bodies, six, %-7.0e set-up %8.3f ms, %9.4f ms a conformation (%.3f with the "
               "layer renewed), %7.2f ms for %d, %.1f MB, off by %.1e",
               tolerances[t], 1e3 * made, 1e3 * best / PLACES, 1e3 * renewed, 1e3 * best, PLACES,
               1e-6 * (double)cardo_rigid_bodies_size(bodies), off);
        if (m.s.n <= MOST_TO_COMPARE)
            printf(" (%.1e); the frozen layer by %.1e", largest_error(&m, nq, q, anew, found),
                   largest_error(&m, nq, q, anew, exact));
        printf(", cost %.3g\n", cardo_rigid_cost(bodies));
        cardo_rigid_work_destroy(work);
        cardo_rigid_bodies_destroy(bodies);
    }
    cardo_interface_destroy(interface);
    cardo_free(exposure);
    cardo_free(moved);
    cardo_free(start);
    cardo_free(pose);
    cardo_free(m.body);
    cardo_scatterers_clear(&m.s);
    return 0;
}
