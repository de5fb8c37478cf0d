#include "experiment/saxs/rigid.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiment/saxs/debye.h"
#include "experiment/saxs/directions.h"
#include "experiment/saxs/rigid_tables.h"

#include <math.h>
#include <string.h>

enum {
    AMPLITUDES = CARDO_RIGID_AMPLITUDES,
    LANES = CARDO_RIGID_LANES,
    POINTS = CARDO_RIGID_POINTS
};

static size_t coefficients(int degree)
{
    return (size_t)(degree + 1) * (size_t)(degree + 1);
}

/* Up to which degree a body of a radius has amplitudes at q. */
static int degree_of(double q, double radius, double tolerance)
{
    return radius > 1e-9 ? cardo_direction_degree(q * radius, tolerance) : 0;
}

/* What a degree is asked for by. The bound of multipole methods holds for a pair of atoms at the rim; of I(q), which all atoms make, the error is less. Fitted so
 * that what was measured (README) lies below what is asked for: by a hundred for a protein, by five for an assembly of 50 nm. */
static double degree_tolerance(double asked)
{
    const double digits = -log10(fmin(fmax(asked, 1e-12), 1e-1));
    return pow(10, -fmax(0.05, fmax(0.6 * digits - 1.3, 0.9 * digits - 3.1)));
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Atoms of each body, and the middle and radius of a sphere around them. */
static cardo_status sort_atoms(cardo_rigid_bodies *b, const int *body, cardo_error *error)
{
    const cardo_scatterers *s = b->scatterers;
    cardo_status status = CARDO_OK;
    for (int k = 0; k < s->n; ++k)
        ++b->body[body[k]].natom;
    for (int k = 0; k < b->nbody; ++k) {
        if (b->body[k].natom == 0)
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %d has no scatterers", k + 1);
        CARDO_TRY(CARDO_ALLOCATE(&b->body[k].atom, b->body[k].natom, error));
        b->body[k].natom = 0;
    }
    for (int k = 0; k < s->n; ++k) {
        cardo_rigid_body *of = &b->body[body[k]];
        of->atom[of->natom++] = k;
    }
    for (int k = 0; k < b->nbody; ++k) {
        cardo_rigid_body *of = &b->body[k];
        for (int d = 0; d < 3; ++d) {
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (int j = 0; j < of->natom; ++j) {
                low = fmin(low, s->position[3 * of->atom[j] + d]);
                high = fmax(high, s->position[3 * of->atom[j] + d]);
            }
            of->middle[d] = 0.5 * (low + high);
        }
        for (int j = 0; j < of->natom; ++j) {
            double square = 0;
            for (int d = 0; d < 3; ++d)
                square += pow(s->position[3 * of->atom[j] + d] - of->middle[d], 2);
            of->radius = fmax(of->radius, sqrt(square));
        }
    }
done:
    return status;
}

/* How many points of a half sphere's cosines average products of two bodies' amplitudes at a distance. */
static int points_for(const cardo_rigid_bodies *b, const cardo_rigid_block *block,
                      const cardo_rigid_body *one, const cardo_rigid_body *two, double distance)
{
    const double reach = one->radius + two->radius + distance;
    return cardo_direction_degree(block->q[0] * reach, b->tolerance) / 4 + 1;
}

static cardo_status make_rule(const cardo_rigid_bodies *b, const cardo_rigid_block *block,
                              int points, cardo_rigid_rule *rule, cardo_error *error)
{
    cardo_status status;
    const size_t functions = coefficients(block->degree) / 2 + (size_t)block->degree / 2 + 1;
    double *one = NULL;
    rule->points = points;
    CARDO_TRY(CARDO_ALLOCATE(&rule->x, points, error));
    CARDO_TRY(CARDO_ALLOCATE(&rule->weight, points, error));
    CARDO_TRY(CARDO_ALLOCATE(&rule->legendre, functions * (size_t)points, error));
    CARDO_TRY(CARDO_ALLOCATE(&one, functions, error));
    for (int k = 0; k < points; ++k) {
        rule->x[k] = cardo_legendre_root(2 * points, k, &rule->weight[k]);
        cardo_legendre_functions(&b->harmonics, block->degree, rule->x[k], one);
        double *to = rule->legendre + (size_t)(k / POINTS * POINTS) * functions + k % POINTS;
        for (size_t j = 0; j < functions; ++j)
            to[j * POINTS] = one[j];
    }
done:
    cardo_free(one);
    return status;
}

/* Rules that grow by a third, so that near bodies cost less than far ones. */
static cardo_status make_rules(const cardo_rigid_bodies *b, cardo_rigid_block *block,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int wanted = 0, points = POINTS;
    for (int i = 0; i < b->nbody; ++i)
        for (int j = i + 1; j < b->nbody; ++j)
            wanted = most(wanted, points_for(b, block, &b->body[i], &b->body[j], b->size));
    CARDO_TRY(CARDO_ALLOCATE(&block->rule, 64, error));
    while (wanted > 0 && block->nrule < 64) {
        CARDO_TRY(make_rule(b, block, points, &block->rule[block->nrule++], error));
        if (points >= wanted)
            break;
        points += most(POINTS, points / (3 * POINTS) * POINTS);
    }
done:
    return status;
}

static cardo_status make_blocks(cardo_rigid_bodies *b, const double *q, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&b->block, b->nblock, error));
    for (int k = 0; k < b->nbody; ++k) {
        CARDO_TRY(CARDO_ALLOCATE(&b->body[k].degree, b->nblock, error));
        CARDO_TRY(CARDO_ALLOCATE(&b->body[k].first, b->nblock + 1, error));
    }
    for (int n = 0; n < b->nblock; ++n) {
        cardo_rigid_block *block = &b->block[n];
        for (int j = 0; j < LANES; ++j)
            block->q[j] = q[n * LANES + j < b->nq ? n * LANES + j : b->nq - 1];
        for (int k = 0; k < b->nbody; ++k) {
            cardo_rigid_body *of = &b->body[k];
            of->degree[n] = degree_of(block->q[0], of->radius, b->tolerance);
            of->first[n + 1] = of->first[n] + coefficients(of->degree[n]);
            block->degree = most(block->degree, of->degree[n]);
        }
        b->degree = most(b->degree, block->degree);
    }
    CARDO_TRY(cardo_harmonics_make(b->degree, &b->harmonics, error));
    CARDO_TRY(cardo_quarter_turn_make(b->degree, &b->turn, error));
    for (int n = 0; n < b->nblock; ++n)
        CARDO_TRY(make_rules(b, &b->block[n], error));
done:
    return status;
}

/* Places to work in while atoms are added. */
typedef struct adding {
    cardo_eight *ratio;
    double *harmonics, *legendre;
} adding;

static cardo_status make_adding(int degree, adding *a, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&a->ratio, degree + CARDO_RIGID_BEYOND, error));
    CARDO_TRY(CARDO_ALLOCATE(&a->harmonics, coefficients(degree), error));
    CARDO_TRY(CARDO_ALLOCATE(&a->legendre, (degree + 1) * (degree + 2) / 2, error));
done:
    return status;
}

static void place_of(const cardo_rigid_bodies *b, const cardo_rigid_body *of, int atom,
                     double place[3])
{
    for (int d = 0; d < 3; ++d)
        place[d] = b->scatterers->position[3 * atom + d] - of->middle[d];
}

/* amplitude: V, E and W of all scatterers at the block's q (3 x 8 x n). */
static void fill_block(cardo_rigid_bodies *b, int block, const double *amplitude, const adding *a)
{
    const size_t n = (size_t)b->scatterers->n;
    for (int k = 0; k < b->nbody; ++k) {
        const cardo_rigid_body *of = &b->body[k];
        cardo_eight *to = of->b + of->first[block] * AMPLITUDES;
        for (int j = 0; j < of->natom; ++j) {
            cardo_eight three[AMPLITUDES];
            double place[3];
            for (int m = 0; m < AMPLITUDES; ++m)
                for (int lane = 0; lane < LANES; ++lane)
                    three[m][lane] =
                        amplitude[(size_t)(m * LANES + lane) * n + (size_t)of->atom[j]];
            place_of(b, of, of->atom[j], place);
            cardo_rigid_add(&b->harmonics, of->degree[block], b->block[block].q, place, AMPLITUDES,
                            three, AMPLITUDES, to, a->ratio, a->harmonics, a->legendre);
        }
        cardo_rigid_alone(of->degree[block], to, of->alone + block * CARDO_PARTIALS);
    }
}

static cardo_status fill_bodies(cardo_rigid_bodies *b, cardo_error *error)
{
    cardo_status status;
    const size_t n = (size_t)b->scatterers->n;
    adding a = {0};
    double *amplitude = NULL;
    CARDO_TRY(make_adding(b->degree, &a, error));
    CARDO_TRY(CARDO_ALLOCATE(&amplitude, AMPLITUDES * LANES * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->water, (size_t)b->nblock * LANES, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->exposure, n, error));
    memcpy(b->exposure, b->scatterers->exposure, n * sizeof *b->exposure);
    for (int k = 0; k < b->nbody; ++k) {
        cardo_rigid_body *of = &b->body[k];
        CARDO_TRY(CARDO_ALLOCATE(&of->b, of->first[b->nblock] * AMPLITUDES, error));
        CARDO_TRY(CARDO_ALLOCATE(&of->alone, b->nblock * CARDO_PARTIALS, error));
    }
    for (int k = 0; k < b->nblock; ++k) {
        for (int lane = 0; lane < LANES; ++lane) {
            const double q = b->block[k].q[lane];
            cardo_scattering_amplitudes(b->scatterers, q, amplitude + (size_t)lane * n,
                                        amplitude + (size_t)(LANES + lane) * n,
                                        amplitude + (size_t)(2 * LANES + lane) * n);
            b->water[k * LANES + lane] = cardo_layer_amplitude(q);
        }
        fill_block(b, k, amplitude, &a);
    }
done:
    cardo_free(a.ratio);
    cardo_free(a.harmonics);
    cardo_free(a.legendre);
    cardo_free(amplitude);
    return status;
}

cardo_status cardo_rigid_bodies_make(const cardo_scatterers *scatterers, int nbody, const int *body,
                                     int nq, const double *q, double size, double tolerance,
                                     cardo_rigid_bodies **out, cardo_error *error)
{
    cardo_status status;
    cardo_rigid_bodies *b = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&b, 1, error));
    b->scatterers = scatterers;
    b->nq = nq;
    b->nblock = (nq + LANES - 1) / LANES;
    b->size = size;
    b->tolerance = degree_tolerance(tolerance);
    CARDO_TRY(CARDO_ALLOCATE(&b->body, nbody, error));
    b->nbody = nbody;
    CARDO_TRY(sort_atoms(b, body, error));
    CARDO_TRY(make_blocks(b, q, error));
    status = fill_bodies(b, error);
done:
    if (status == CARDO_OK)
        *out = b;
    else
        cardo_rigid_bodies_destroy(b);
    return status;
}

void cardo_rigid_bodies_destroy(cardo_rigid_bodies *b)
{
    if (!b)
        return;
    for (int k = 0; k < b->nbody; ++k) {
        cardo_free(b->body[k].atom);
        cardo_free(b->body[k].degree);
        cardo_free(b->body[k].first);
        cardo_free(b->body[k].b);
        cardo_free(b->body[k].alone);
    }
    for (int k = 0; b->block && k < b->nblock; ++k) {
        for (int j = 0; j < b->block[k].nrule; ++j) {
            cardo_free(b->block[k].rule[j].x);
            cardo_free(b->block[k].rule[j].weight);
            cardo_free(b->block[k].rule[j].legendre);
        }
        cardo_free(b->block[k].rule);
    }
    cardo_harmonics_clear(&b->harmonics);
    cardo_quarter_turn_clear(&b->turn);
    cardo_free(b->block);
    cardo_free(b->body);
    cardo_free(b->exposure);
    cardo_free(b->water);
    cardo_free(b);
}

size_t cardo_rigid_bodies_size(const cardo_rigid_bodies *b)
{
    size_t bytes = (size_t)b->turn.first[coefficients(b->degree)] * sizeof *b->turn.value;
    for (int k = 0; k < b->nbody; ++k)
        bytes += b->body[k].first[b->nblock] * AMPLITUDES * sizeof *b->body[k].b;
    for (int k = 0; k < b->nblock; ++k)
        for (int j = 0; j < b->block[k].nrule; ++j)
            bytes += (size_t)b->block[k].rule[j].points * coefficients(b->block[k].degree) / 2 *
                     sizeof(double);
    return bytes;
}

cardo_status cardo_rigid_work_make(const cardo_rigid_bodies *b, cardo_rigid_work **out,
                                   cardo_error *error)
{
    cardo_status status;
    cardo_rigid_work *w = NULL;
    adding a = {0};
    size_t all = 0;
    CARDO_TRY(CARDO_ALLOCATE(&w, 1, error));
    w->bodies = b;
    for (int k = 0; k < 2; ++k)
        CARDO_TRY(CARDO_ALLOCATE(&w->turned[k], coefficients(b->degree) * AMPLITUDES, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->between, coefficients(b->degree) * AMPLITUDES, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->moved, coefficients(b->degree) * AMPLITUDES, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->layer_first, b->nbody, error));
    for (int k = 0; k < b->nbody; ++k) {
        w->layer_first[k] = all;
        all += b->body[k].first[b->nblock];
    }
    CARDO_TRY(CARDO_ALLOCATE(&w->layer, all, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->alone, b->nbody * b->nblock * CARDO_PARTIALS, error));
    status = make_adding(b->degree, &a, error);
    w->ratio = a.ratio;
    w->harmonics = a.harmonics;
    w->legendre = a.legendre;
done:
    if (status == CARDO_OK)
        *out = w;
    else
        cardo_rigid_work_destroy(w);
    return status;
}

void cardo_rigid_work_destroy(cardo_rigid_work *w)
{
    if (!w)
        return;
    cardo_free(w->turned[0]);
    cardo_free(w->turned[1]);
    cardo_free(w->between);
    cardo_free(w->moved);
    cardo_free(w->layer);
    cardo_free(w->layer_first);
    cardo_free(w->alone);
    cardo_free(w->ratio);
    cardo_free(w->harmonics);
    cardo_free(w->legendre);
    cardo_free(w);
}

/* One body's layer in one block, and with it what it scatters alone. */
static void renew_block(cardo_rigid_work *w, int k, int block, const double *exposure)
{
    const cardo_rigid_bodies *b = w->bodies;
    const cardo_rigid_body *of = &b->body[k];
    const cardo_eight *from = of->b + of->first[block] * AMPLITUDES;
    cardo_eight *layer = w->layer + w->layer_first[k] + of->first[block];
    const size_t n = coefficients(of->degree[block]);
    for (size_t j = 0; j < n; ++j)
        layer[j] = from[j * AMPLITUDES + 2];
    for (int j = 0; j < of->natom; ++j) {
        const double more = exposure[of->atom[j]] - b->exposure[of->atom[j]];
        cardo_eight amplitude;
        double place[3];
        if (more == 0)
            continue;
        for (int lane = 0; lane < LANES; ++lane)
            amplitude[lane] = more * b->water[block * LANES + lane];
        place_of(b, of, of->atom[j], place);
        cardo_rigid_add(&b->harmonics, of->degree[block], b->block[block].q, place, 1, &amplitude,
                        1, layer, w->ratio, w->harmonics, w->legendre);
    }
    cardo_eight *alone = w->alone + (k * b->nblock + block) * CARDO_PARTIALS;
    memcpy(alone, of->alone + block * CARDO_PARTIALS, CARDO_PARTIALS * sizeof *alone);
    cardo_rigid_alone_layer(of->degree[block], from, layer, alone);
}

void cardo_rigid_renew(cardo_rigid_work *w, const double *exposure)
{
    w->renewed = 1;
    for (int k = 0; k < w->bodies->nbody; ++k)
        for (int block = 0; block < w->bodies->nblock; ++block)
            renew_block(w, k, block, exposure);
}

/* Where a pose carries a body's middle. */
static void carry(const cardo_rigid_body *body, const double *pose, double out[3])
{
    for (int d = 0; d < 3; ++d)
        out[d] = pose[9 + d] + pose[3 * d] * body->middle[0] + pose[3 * d + 1] * body->middle[1] +
                 pose[3 * d + 2] * body->middle[2];
}

/* A frame whose z goes along e, by rows. */
static void frame_along(const double e[3], double Q[9])
{
    const int least = fabs(e[0]) < fabs(e[1]) ? (fabs(e[0]) < fabs(e[2]) ? 0 : 2)
                                              : (fabs(e[1]) < fabs(e[2]) ? 1 : 2);
    double length = 0;
    for (int d = 0; d < 3; ++d) {
        Q[d] = (d == least) - e[least] * e[d];
        length += Q[d] * Q[d];
        Q[6 + d] = e[d];
    }
    for (int d = 0; d < 3; ++d)
        Q[d] /= sqrt(length);
    for (int d = 0; d < 3; ++d)
        Q[3 + d] = e[(d + 1) % 3] * Q[(d + 2) % 3] - e[(d + 2) % 3] * Q[(d + 1) % 3];
}

/* The same turned by an angle about its z. */
static void turn_frame(double Q[9], double angle)
{
    const double c = cos(angle), s = sin(angle);
    for (int d = 0; d < 3; ++d) {
        const double x = Q[d], y = Q[3 + d];
        Q[d] = c * x - s * y;
        Q[3 + d] = s * x + c * y;
    }
}

static void angles_in(const double Q[9], const double *pose, double angle[3])
{
    double S[9];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            S[3 * i + j] =
                Q[3 * i] * pose[j] + Q[3 * i + 1] * pose[3 + j] + Q[3 * i + 2] * pose[6 + j];
    cardo_euler_zyz(S, &angle[0], &angle[1], &angle[2]);
}

/* Two bodies: how they stand to each other. */
typedef struct pair {
    int body[2];
    double angle[2][3], distance;
    double Q[9]; /* from ground to the frame that coefficients are turned to */
} pair;

static void turn_one(cardo_rigid_work *w, const pair *p, int which, int block)
{
    const cardo_rigid_bodies *b = w->bodies;
    const cardo_rigid_body *of = &b->body[p->body[which]];
    const cardo_eight *from = of->b + of->first[block] * AMPLITUDES;
    cardo_rigid_turn(&b->turn, of->degree[block], p->angle[which], from,
                     w->renewed ? w->layer + w->layer_first[p->body[which]] + of->first[block]
                                : NULL,
                     w->between, w->turned[which]);
}

static const cardo_rigid_rule *rule_for(const cardo_rigid_bodies *b, const pair *p, int block)
{
    const cardo_rigid_block *of = &b->block[block];
    const int wanted = points_for(b, of, &b->body[p->body[0]], &b->body[p->body[1]], p->distance);
    int rule = 0;
    while (rule + 1 < of->nrule && of->rule[rule].points < wanted)
        ++rule;
    return &of->rule[rule];
}

static void add_pair(cardo_rigid_work *w, const pair *p, int block, cardo_eight *sum)
{
    const cardo_rigid_bodies *b = w->bodies;
    const cardo_rigid_block *of = &b->block[block];
    const cardo_rigid_body *one = &b->body[p->body[0]], *two = &b->body[p->body[1]];
    turn_one(w, p, 0, block);
    turn_one(w, p, 1, block);
    cardo_rigid_cross(of, rule_for(b, p, block), one->degree[block], w->turned[0],
                      two->degree[block], w->turned[1], p->distance, sum);
}

static cardo_status find_pair(const cardo_rigid_bodies *b, const double *pose, int i, int j,
                              pair *p, cardo_error *error)
{
    double from[3], to[3], e[3] = {0, 0, 1}, square = 0;
    carry(&b->body[i], pose + 12 * i, from);
    carry(&b->body[j], pose + 12 * j, to);
    for (int d = 0; d < 3; ++d)
        square += (to[d] - from[d]) * (to[d] - from[d]);
    *p = (pair){.body = {i, j}, .distance = sqrt(square)};
    if (!(p->distance <= 1.0001 * b->size))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "bodies %d and %d are %g nm apart, further than the %g nm that tables of "
                          "amplitudes were made for",
                          i + 1, j + 1, p->distance, b->size);
    for (int d = 0; d < 3 && p->distance > 0; ++d)
        e[d] = (to[d] - from[d]) / p->distance;
    frame_along(e, p->Q);
    angles_in(p->Q, pose + 12 * i, p->angle[0]);
    angles_in(p->Q, pose + 12 * j, p->angle[1]);
    /* A turn of both about z changes nothing: by -alpha, and the half turn that cardo_rigid_turn leaves out. */
    turn_frame(p->Q, -CARDO_PI - p->angle[0][0]);
    p->angle[1][0] -= p->angle[0][0];
    p->angle[0][0] = 0;
    return CARDO_OK;
}

static void put_out(const cardo_rigid_bodies *b, int block, const cardo_eight *sum, double *out)
{
    for (int lane = 0; lane < LANES && block * LANES + lane < b->nq; ++lane)
        for (int p = 0; p < CARDO_PARTIALS; ++p)
            out[(block * LANES + lane) * CARDO_PARTIALS + p] += sum[p][lane];
}

cardo_status cardo_rigid_find(cardo_rigid_work *w, const double *pose, double *out,
                              cardo_error *error)
{
    const cardo_rigid_bodies *b = w->bodies;
    cardo_status status = CARDO_OK;
    memset(out, 0, (size_t)b->nq * CARDO_PARTIALS * sizeof *out);
    for (int k = 0; k < b->nbody; ++k)
        for (int block = 0; block < b->nblock; ++block)
            put_out(b, block,
                    (w->renewed ? w->alone + k * b->nblock * CARDO_PARTIALS : b->body[k].alone) +
                        block * CARDO_PARTIALS,
                    out);
    for (int i = 0; i < b->nbody; ++i)
        for (int j = i + 1; j < b->nbody; ++j) {
            pair p;
            CARDO_TRY(find_pair(b, pose, i, j, &p, error));
            for (int block = 0; block < b->nblock; ++block) {
                cardo_eight sum[CARDO_PARTIALS] = {{0}};
                add_pair(w, &p, block, sum);
                put_out(b, block, sum, out);
            }
        }
done:
    return status;
}

/* Weighted sum over a block's values of q and partials. */
static double contract(const cardo_rigid_bodies *b, int block, const cardo_eight *sum,
                       const double *weight)
{
    double total = 0;
    for (int lane = 0; lane < LANES && block * LANES + lane < b->nq; ++lane)
        for (int p = 0; p < CARDO_PARTIALS; ++p)
            total += weight[(block * LANES + lane) * CARDO_PARTIALS + p] * sum[p][lane];
    return total;
}

/* Derivatives of the weighted sum in the pair's frame: by turning each body about its middle, and by the distance. */
typedef struct slopes {
    double turn[2][3], distance;
} slopes;

static void add_slopes(cardo_rigid_work *w, const pair *p, int block, const double *weight,
                       slopes *out)
{
    const cardo_rigid_bodies *b = w->bodies;
    const cardo_rigid_block *of = &b->block[block];
    const cardo_rigid_rule *rule = rule_for(b, p, block);
    const int one = b->body[p->body[0]].degree[block], two = b->body[p->body[1]].degree[block];
    cardo_eight sum[CARDO_PARTIALS] = {{0}}, slope[CARDO_PARTIALS] = {{0}};
    turn_one(w, p, 0, block);
    turn_one(w, p, 1, block);
    cardo_rigid_cross_slope(of, rule, one, w->turned[0], two, w->turned[1], p->distance, sum,
                            slope);
    out->distance += contract(b, block, slope, weight);
    for (int axis = 0; axis < 3; ++axis) {
        memset(sum, 0, sizeof sum);
        cardo_rigid_generate(&b->turn, two, axis, w->turned[1], w->between, w->moved);
        cardo_rigid_cross(of, rule, one, w->turned[0], two, w->moved, p->distance, sum);
        out->turn[1][axis] += contract(b, block, sum, weight);
    }
    for (int axis = 0; axis < 2; ++axis) {
        memset(sum, 0, sizeof sum);
        cardo_rigid_generate(&b->turn, one, axis, w->turned[0], w->between, w->moved);
        cardo_rigid_cross(of, rule, one, w->moved, two, w->turned[1], p->distance, sum);
        out->turn[0][axis] += contract(b, block, sum, weight);
    }
}

/* The whole turned changes nothing: torques and the moment of the forces at the distance add up to none. */
static void put_slopes(const pair *p, const slopes *s, double *gradient)
{
    const double x = s->turn[0][0] + s->turn[1][0], y = s->turn[0][1] + s->turn[1][1],
                 t = p->distance;
    const double force[3] = {t > 0 ? -y / t : 0, t > 0 ? x / t : 0, s->distance};
    const double turn[2][3] = {{s->turn[0][0], s->turn[0][1], -s->turn[1][2]},
                               {s->turn[1][0], s->turn[1][1], s->turn[1][2]}};
    for (int which = 0; which < 2; ++which)
        for (int d = 0; d < 3; ++d)
            for (int k = 0; k < 3; ++k) {
                double *to = gradient + 6 * p->body[which];
                to[d] += p->Q[3 * k + d] * turn[which][k];
                to[3 + d] += p->Q[3 * k + d] * (which ? force[k] : -force[k]);
            }
}

cardo_status cardo_rigid_gradient(cardo_rigid_work *w, const double *pose, const double *weight,
                                  double *gradient, cardo_error *error)
{
    const cardo_rigid_bodies *b = w->bodies;
    cardo_status status = CARDO_OK;
    memset(gradient, 0, (size_t)b->nbody * 6 * sizeof *gradient);
    for (int i = 0; i < b->nbody; ++i)
        for (int j = i + 1; j < b->nbody; ++j) {
            pair p;
            slopes s = {0};
            CARDO_TRY(find_pair(b, pose, i, j, &p, error));
            for (int block = 0; block < b->nblock; ++block)
                add_slopes(w, &p, block, weight, &s);
            put_slopes(&p, &s, gradient);
        }
done:
    return status;
}

void cardo_rigid_middle(const cardo_rigid_bodies *b, int body, const double *pose, double out[3])
{
    carry(&b->body[body], pose + 12 * body, out);
}

double cardo_rigid_cost(const cardo_rigid_bodies *b)
{
    double cost = 0;
    for (int i = 0; i < b->nbody; ++i)
        for (int j = i + 1; j < b->nbody; ++j)
            for (int block = 0; block < b->nblock; ++block) {
                const double one = b->body[i].degree[block] + 1, two = b->body[j].degree[block] + 1,
                             points =
                                 points_for(b, &b->block[block], &b->body[i], &b->body[j], b->size);
                cost += 2 * (one * one * one + two * two * two) +
                        points * (3 * (one * one + two * two) + 72 * fmin(one, two));
            }
    return cost;
}
