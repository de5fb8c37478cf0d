/* Conformations without clashes: contacts against a double loop, and the chain of moves against plain rejection.
 *
 *   test_conformations            short
 *   test_conformations long [N]   a linker of 12 residues, 2000 conformations by moves and N (1000) that were grown and weighted: plain
 *                                 rejection keeps none of them in a minute
 *   test_conformations twelve LOW HIGH [N]   the same linker between what the residues LOW to HIGH leave of its domains, 2000
 *                                 by moves and N (1000) by plain rejection */
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state.h"
#include "study/conformations/pivots.h"
#include "support/support.h"
#include "topology/bonds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_error error;

/* A linker of the light chain: residues first to last, between domains that are all else from low to high. */
typedef struct linker {
    int first, last, low, high;
} linker;

enum { LOW = 2, HIGH = 216 };

/* The residues low to high of the light chain as a file of their own. */
static const char *write_piece(int low, int high)
{
    static char path[1000];
    char line[200], *text;
    size_t length = 0;
    FILE *in = fopen(support_source("pdb/2mcg_1.pdb"), "r");
    assert_non_null(in);
    assert_ok(CARDO_ALLOCATE(&text, 1 << 20, &error), &error);
    while (fgets(line, sizeof line, in)) {
        const int residue = strncmp(line, "ATOM", 4) == 0 ? atoi(line + 22) : 0;
        if (residue >= low && residue <= high) {
            memcpy(text + length, line, strlen(line));
            length += strlen(line);
        }
    }
    fclose(in);
    cardo_format(path, sizeof path, "%s", support_write("piece.pdb", text));
    cardo_free(text);
    return path;
}

static cardo_model *open_model(linker l)
{
    char text[1200];
    cardo_model *model;
    const char *file = l.low > LOW || l.high < HIGH ? write_piece(l.low, l.high)
                                                    : support_source("pdb/2mcg_1.pdb");
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"chain\"><structure id=\"a\" file=\"%s\"/>"
             "<domain name=\"v\" residues=\"1:%d-%d\"/><domain name=\"c\" residues=\"1:%d-%d\"/>"
             "<hinge residues=\"1:%d-%d\"/><body name=\"v\" domains=\"v\" base=\"welded\"/>"
             "<body name=\"c\" domains=\"c\" parent=\"v\"><strand/></body>"
             "<flexible residues=\"1:%d-%d\" torsions=\"phi psi\"/></model></cardo>",
             file, l.low, l.first - 1, l.last + 1, l.high, l.first, l.last, l.first, l.last);
    assert_ok(cardo_model_read(support_write("chain.xml", text), 0, NULL, &model, &error), &error);
    return model;
}

/* --- Pairs of atoms by a plain double loop ---------------------------------------------------- */

typedef struct plain_pairs {
    int n;
    int (*pair)[2];
    double *least; /* square of the contact distance */
} plain_pairs;

/* How many bonds lie between atom i and each other one, up to 4. */
static void count_bonds(const cardo_bonds *bonds, int natom, int i, int *apart)
{
    for (int j = 0; j < natom; ++j)
        apart[j] = 99;
    apart[i] = 0;
    for (int depth = 0; depth < 4; ++depth)
        for (int k = 0; k < bonds->nbond; ++k)
            for (int side = 0; side < 2; ++side) {
                const int from = bonds->bond[k][side], to = bonds->bond[k][!side];
                if (apart[from] == depth && apart[to] > depth + 1)
                    apart[to] = depth + 1;
            }
}

/* All pairs of heavy atoms of different bodies, more than three bonds apart, that torsions move against each other, without excepted ones. */
static void list_pairs(const cardo_model *model, int (*excepted)[2], int nexcepted,
                       plain_pairs *out)
{
    const cardo_structure *s = model->structure[0].structure;
    cardo_bonds *bonds;
    char *templates;
    int *apart, capacity = 0, room = 0;
    *out = (plain_pairs){0};
    assert_ok(cardo_find_data("residues.xml", NULL, "topologies", &templates, &error), &error);
    assert_ok(cardo_bonds_find(s, templates, &bonds, &error), &error);
    assert_ok(CARDO_ALLOCATE(&apart, s->natom, &error), &error);
    for (int i = 0; i < s->natom; ++i) {
        if (s->element[i] == 1)
            continue;
        const int a = model->atom_body[i];
        bool counted = false;
        for (int j = i + 1; j < s->natom; ++j) {
            const int b = model->atom_body[j];
            if (a == b || s->element[j] == 1)
                continue;
            if (!counted)
                count_bonds(bonds, s->natom, i, apart);
            counted = true;
            bool left_out = apart[j] <= 3;
            for (int side = 0; side < 2; ++side) {
                const int one = side ? j : i;
                const cardo_model_body *child = &model->body[side ? b : a],
                                       *parent = &model->body[side ? a : b];
                left_out |=
                    child->torsion && child->parent == (side ? a : b) && one == child->bond[1];
                left_out |=
                    parent->torsion && parent->parent == (side ? b : a) && one == parent->bond[0];
            }
            for (int k = 0; k < nexcepted; ++k)
                left_out |= (excepted[k][0] == i && excepted[k][1] == j) ||
                            (excepted[k][0] == j && excepted[k][1] == i);
            if (left_out)
                continue;
            assert_ok(CARDO_RESERVE(&out->pair, &capacity, out->n + 1, &error), &error);
            assert_ok(CARDO_RESERVE(&out->least, &room, out->n + 1, &error), &error);
            const double least = cardo_contact_distance(s->element[i], s->element[j]);
            out->pair[out->n][0] = i;
            out->pair[out->n][1] = j;
            out->least[out->n++] = least * least;
        }
    }
    cardo_free(apart);
    cardo_bonds_destroy(bonds);
    cardo_free(templates);
}

static void clear_pairs(plain_pairs *pairs)
{
    cardo_free(pairs->pair);
    cardo_free(pairs->least);
}

static int count_clashes(const plain_pairs *pairs, const double *x, int most)
{
    int count = 0;
    for (int k = 0; k < pairs->n && count < most; ++k) {
        const double *a = x + 3 * (size_t)pairs->pair[k][0], *b = x + 3 * (size_t)pairs->pair[k][1];
        const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
        count += d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < pairs->least[k];
    }
    return count;
}

/* --- Both ways -------------------------------------------------------------------------------- */

typedef struct both {
    cardo_model *model;
    cardo_pivots pivots;
    plain_pairs pairs;
    int clashes, nexcepted, excepted[CARDO_SPHERES_MOST_EXCEPTED][2];
    double *x;
} both;

static void open_both(both *b, linker l)
{
    *b = (both){.model = open_model(l)};
    assert_ok(cardo_pivots_open(b->model, 1, support_seed(3), &b->pivots, &error), &error);
    assert_ok(
        cardo_pivots_settle(&b->pivots, 20000, &b->clashes, b->excepted, &b->nexcepted, &error),
        &error);
    list_pairs(b->model, b->excepted, b->nexcepted, &b->pairs);
    assert_ok(CARDO_ALLOCATE(&b->x, 3 * cardo_system_nstation(b->pivots.system), &error), &error);
}

static void close_both(both *b)
{
    cardo_pivots_clear(&b->pivots);
    clear_pairs(&b->pairs);
    cardo_free(b->x);
    cardo_model_destroy(b->model);
}

static void positions_at(both *b, const double *q)
{
    cardo_pivots *p = &b->pivots;
    cardo_state_set_q(p->state, q);
    assert_ok(cardo_realize(p->system, p->state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_station_positions(p->system, p->state, b->x, &error), &error);
}

static double gyration_of(const both *b)
{
    const cardo_structure *s = b->model->structure[0].structure;
    double centre[3] = {0}, square = 0, mass = 0;
    for (int i = 0; i < s->natom; ++i) {
        const double m = cardo_element_mass(s->element[i]);
        mass += m;
        for (int k = 0; k < 3; ++k)
            centre[k] += m * b->x[3 * i + k];
    }
    for (int i = 0; i < s->natom; ++i)
        for (int k = 0; k < 3; ++k)
            square +=
                cardo_element_mass(s->element[i]) * pow(b->x[3 * i + k] - centre[k] / mass, 2);
    return sqrt(square / mass);
}

/* By their first member, a double. */
static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A value that was drawn, and how much it counts. */
typedef struct drawn {
    double value, weight;
} drawn;

static double total_of(int n, const drawn *a)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k].weight;
    return sum;
}

/* How many of one weight would tell as much (Kish 1965). */
static double worth_of(int n, const drawn *a)
{
    double square = 0;
    for (int k = 0; k < n; ++k)
        square += a[k].weight * a[k].weight;
    return total_of(n, a) * total_of(n, a) / square;
}

static double mean_of(int n, const drawn *a)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k].weight * a[k].value;
    return sum / total_of(n, a);
}

/* Of two samples from one distribution to differ as much (Kolmogorov & Smirnov; Stephens 1970). */
static double chance_of(int n, drawn *a, int m, drawn *b)
{
    const double all[2] = {total_of(n, a), total_of(m, b)};
    double most = 0, p = 0, below[2] = {0, 0};
    qsort(a, (size_t)n, sizeof *a, ascending);
    qsort(b, (size_t)m, sizeof *b, ascending);
    for (int i = 0, j = 0; i < n && j < m;) {
        if (a[i].value <= b[j].value)
            below[0] += a[i++].weight / all[0];
        else
            below[1] += b[j++].weight / all[1];
        most = fmax(most, fabs(below[0] - below[1]));
    }
    const double worth[2] = {worth_of(n, a), worth_of(m, b)};
    const double root = sqrt(worth[0] * worth[1] / (worth[0] + worth[1])),
                 lambda = (root + 0.12 + 0.11 / root) * most;
    for (int k = 1; k <= 100; ++k)
        p += 2 * (k % 2 ? 1 : -1) * exp(-2 * k * k * lambda * lambda);
    return fmin(1, fmax(0, p));
}

static void finds_the_clashes_of_a_double_loop(void **state)
{
    both b;
    cardo_random random = cardo_random_start(support_seed(7), 1);
    int with = 0;
    (void)state;
    open_both(&b, (linker){106, 117, LOW, HIGH});
    cardo_pivots *p = &b.pivots;
    for (int trial = 0; trial < 60; ++trial) {
        for (int at = 0; at < p->first[p->nresidue]; ++at) {
            double z[2];
            cardo_random_normal(&random, 2, z);
            p->q[p->coordinate[at]] = (trial % 3 ? 0.3 : 3) * z[0];
        }
        positions_at(&b, p->q);
        const int found =
            cardo_hard_spheres_clashes(p->spheres, cardo_state_X_GB(p->state), 1000000, NULL);
        const int plain = count_clashes(&b.pairs, b.x, 1000000);
        assert_int_equal(found, plain);
        with += plain > 0;
    }
    printf("  %d pairs, %d of 60 conformations with clashes\n", b.pairs.n, with);
    assert_true(with > 10);
    close_both(&b);
}

/* Draws by rejection: all torsions anew until nothing clashes. Each residue's own are drawn first until no pair clashes that they alone
 * move, which is the same, since these pairs ask for nothing of the others. */
typedef struct rejection {
    both *b;
    plain_pairs *own; /* of each residue (nresidue) */
    cardo_random random;
    long long tries;
} rejection;

/* The residue whose torsions alone lie between two bodies, or -1. */
static int alone_between(const both *b, int one, int other)
{
    const cardo_pivots *p = &b->pivots;
    int residue = -1;
    while (one != other) {
        int *later = one > other ? &one : &other; /* parents come before children */
        cardo_body_info info;
        cardo_system_body(p->system, *later + 1, &info);
        int of = -1;
        for (int g = 0; g < p->nresidue; ++g)
            for (int at = p->first[g]; at < p->first[g + 1]; ++at)
                if (p->coordinate[at] == info.q_first)
                    of = g;
        if (of < 0 || (residue >= 0 && of != residue))
            return -1;
        residue = of;
        *later = b->model->body[*later].parent;
    }
    return residue;
}

static void sort_pairs(rejection *r)
{
    const both *b = r->b;
    const int nbody = b->model->nbody;
    int *alone, capacity[64] = {0}, room[64] = {0};
    assert_true(b->pivots.nresidue <= 64);
    assert_ok(CARDO_ALLOCATE(&r->own, b->pivots.nresidue, &error), &error);
    assert_ok(CARDO_ALLOCATE(&alone, nbody * nbody, &error), &error);
    for (int i = 0; i < nbody * nbody; ++i)
        alone[i] = alone_between(b, i / nbody, i % nbody);
    for (int k = 0; k < b->pairs.n; ++k) {
        const int *pair = b->pairs.pair[k], *of = b->model->atom_body;
        const int g = alone[of[pair[0]] * nbody + of[pair[1]]];
        const int *residue = b->model->structure[0].structure->atom_residue;
        if (g < 0 || abs(residue[pair[0]] - residue[pair[1]]) > 2)
            continue; /* all but neighbours are left to the whole's rejection */
        plain_pairs *own = &r->own[g];
        assert_ok(CARDO_RESERVE(&own->pair, &capacity[g], own->n + 1, &error), &error);
        assert_ok(CARDO_RESERVE(&own->least, &room[g], own->n + 1, &error), &error);
        memcpy(own->pair[own->n], pair, sizeof *own->pair);
        own->least[own->n++] = b->pairs.least[k];
    }
    cardo_free(alone);
}

static bool own_clash(const rejection *r, int g)
{
    const cardo_transform *X = cardo_state_X_GB(r->b->pivots.state);
    const int *of = r->b->model->atom_body;
    for (int k = 0; k < r->own[g].n; ++k) {
        const int i = r->own[g].pair[k][0], j = r->own[g].pair[k][1];
        const cardo_vec3 d = v3_sub(
            xform_point(X[of[i] + 1], cardo_system_station_position(r->b->pivots.system, i)),
            xform_point(X[of[j] + 1], cardo_system_station_position(r->b->pivots.system, j)));
        if (v3_dot(d, d) < r->own[g].least[k])
            return true;
    }
    return false;
}

static void draw_residue(rejection *r, int g)
{
    cardo_pivots *p = &r->b->pivots;
    do {
        for (int at = p->first[g]; at < p->first[g + 1]; ++at) {
            double u[2];
            cardo_random_uniform(&r->random, 2, u);
            p->q[p->coordinate[at]] = CARDO_PI * (2 * u[0] - 1);
        }
        cardo_state_set_q(p->state, p->q);
        assert_ok(cardo_realize(p->system, p->state, CARDO_STAGE_POSITION, &error), &error);
    } while (own_clash(r, g));
}

/* Does what hangs on residues up to g clash with each other or with the first domain? What comes later is put far away. */
static bool clashes_so_far(const rejection *r, int g)
{
    cardo_transform X[128];
    cardo_pivots *p = &r->b->pivots;
    const int nbody = cardo_system_nbody(p->system);
    assert_true(nbody <= 128);
    memcpy(X, cardo_state_X_GB(p->state), (size_t)nbody * sizeof *X);
    for (int b = 0; b < r->b->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(p->system, b + 1, &info);
        bool later = false;
        for (int at = p->first[g + 1]; at < p->first[p->nresidue]; ++at)
            later |= info.nq > 0 && p->coordinate[at] == info.q_first;
        if (later)
            X[b + 1].p.x += 1000.0 * (b + 1);
    }
    return cardo_hard_spheres_clashes(p->spheres, X, 1, NULL) > 0;
}

/* A conformation is given up as soon as a part of it clashes, and begun anew: what is kept is the same. */
static void draw_conformation(rejection *r)
{
    const cardo_pivots *p = &r->b->pivots;
    int g = 0;
    while (g < p->nresidue) {
        r->tries += g == 0;
        draw_residue(r, g);
        g = clashes_so_far(r, g) ? 0 : g + 1;
    }
}

/* Draws each residue several times and goes on with one of those that clash with nothing so far; the conformation counts by the share of
 * those at every residue, which makes up for the choice (Rosenbluth & Rosenbluth 1955, J. Chem. Phys. 23, 356): averages are those of plain rejection.
 * The last residue, which places the second domain, is drawn more often. 0: no way was left. */
static double grow_conformation(rejection *r, int trials)
{
    enum { MOST_TORSIONS = 4, LAST = 32 };
    cardo_pivots *p = &r->b->pivots;
    double weight = 1, kept[MOST_TORSIONS];
    for (int g = 0; g < p->nresidue; ++g) {
        const int first = p->first[g], n = p->first[g + 1] - first;
        const int draws = g < p->nresidue - 1 ? trials : LAST * trials;
        int free = 0;
        assert_true(n <= MOST_TORSIONS);
        for (int t = 0; t < draws; ++t) {
            double u[2];
            draw_residue(r, g);
            if (clashes_so_far(r, g))
                continue;
            cardo_random_uniform(&r->random, 2, u);
            if (u[0] * ++free >= 1)
                continue; /* each of them is kept as often */
            for (int at = 0; at < n; ++at)
                kept[at] = p->q[p->coordinate[first + at]];
        }
        if (free == 0)
            return 0;
        weight *= (double)free / draws;
        for (int at = 0; at < n; ++at)
            p->q[p->coordinate[first + at]] = kept[at];
    }
    return weight;
}

/* How the second sample is drawn: trials 0: by plain rejection. */
typedef struct second_way {
    int count, trials;
} second_way;

static void draw_second(rejection *r, const second_way *way, drawn *out)
{
    for (int k = 0; k < way->count; ++k) {
        out[k].weight = way->trials == 0;
        if (way->trials == 0)
            draw_conformation(r);
        while (out[k].weight == 0) {
            out[k].weight = grow_conformation(r, way->trials);
            ++r->tries;
        }
        positions_at(r->b, r->b->pivots.q);
        assert_int_equal(count_clashes(&r->b->pairs, r->b->x, 1), 0);
        out[k].value = gyration_of(r->b);
    }
}

/* Both ways for a linker; returns the chance of a difference as large. */
static double compare(linker l, int count, long long moves, const second_way *way)
{
    both b;
    drawn *chain, *second;
    open_both(&b, l);
    rejection r = {.b = &b, .random = cardo_random_start(support_seed(11), 2)};
    sort_pairs(&r);
    assert_ok(CARDO_ALLOCATE(&chain, count, &error), &error);
    assert_ok(CARDO_ALLOCATE(&second, way->count, &error), &error);
    const double begun = cardo_processor_clock();
    assert_ok(cardo_pivots_move(&b.pivots, 20 * moves, &error), &error);
    for (int k = 0; k < count; ++k) {
        assert_ok(cardo_pivots_move(&b.pivots, moves, &error), &error);
        assert_ok(cardo_station_positions(b.pivots.system, b.pivots.state, b.x, &error), &error);
        if (k % 100 == 0)
            assert_int_equal(count_clashes(&b.pairs, b.x, 1), 0);
        chain[k] = (drawn){gyration_of(&b), 1};
    }
    const double between = cardo_processor_clock();
    draw_second(&r, way, second);
    const double p = chance_of(count, chain, way->count, second);
    printf("  linker %d-%d of %d-%d: Rg %.4f nm by moves (%d, %.1f s, %.0f %% taken), %.4f by %s "
           "(%d worth "
           "%.0f, "
           "%.1f s, %.1f tries each); p = %.3g\n",
           l.first, l.last, l.low, l.high, mean_of(count, chain), count, between - begun,
           100.0 * (double)b.pivots.taken / (double)b.pivots.moves, mean_of(way->count, second),
           way->trials > 0 ? "growth" : "rejection", way->count, worth_of(way->count, second),
           cardo_processor_clock() - between, (double)r.tries / way->count, p);
    for (int g = 0; g < b.pivots.nresidue; ++g)
        clear_pairs(&r.own[g]);
    cardo_free(r.own);
    cardo_free(chain);
    cardo_free(second);
    close_both(&b);
    return p;
}

static void is_even_over_what_does_not_clash(void **state)
{
    (void)state;
    const int count = SUPPORT_SANITIZED ? 30 : 120;
    assert_true(compare((linker){110, 112, LOW, HIGH}, count, 100, &(second_way){count, 0}) > 1e-3);
    assert_true(compare((linker){110, 112, LOW, HIGH}, count, 100, &(second_way){count, 8}) > 1e-3);
}

static void refuses_loops_and_rigid_models(void **state)
{
    char text[1200];
    cardo_model *model;
    cardo_pivots pivots = {0};
    (void)state;
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"chain\"><structure id=\"a\" file=\"%s\"/>"
             "<domain name=\"v\" residues=\"1:2-216\"/><body name=\"v\" domains=\"v\" "
             "base=\"welded\"/></model></cardo>",
             support_source("pdb/2mcg_1.pdb"));
    assert_ok(cardo_model_read(support_write("rigid.xml", text), 0, NULL, &model, &error), &error);
    assert_fails(cardo_pivots_open(model, 1, 1, &pivots, &error), &error, CARDO_ERROR_UNSUPPORTED,
                 "no torsion turns");
    cardo_pivots_clear(&pivots);
    cardo_model_destroy(model);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_clashes_of_a_double_loop),
        statistical_test(is_even_over_what_does_not_clash),
        cmocka_unit_test(refuses_loops_and_rigid_models),
    };
    if (count > 3 && strcmp(words[1], "twelve") == 0)
        return compare((linker){106, 117, atoi(words[2]), atoi(words[3])}, 2000, 240,
                       &(second_way){count > 4 ? atoi(words[4]) : 1000, 0}) > 1e-3
                   ? 0
                   : 1;
    if (count > 1 && strcmp(words[1], "long") == 0)
        return compare((linker){106, 117, LOW, HIGH}, 2000, 240,
                       &(second_way){count > 2 ? atoi(words[2]) : 1000, 16}) > 1e-3
                   ? 0
                   : 1;
    return support_run(tests, NULL, NULL);
}
