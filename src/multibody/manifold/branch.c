/* Branch points on the way of a motion.
 *
 * At a point of the manifold where all that hangs together goes on smoothly the rows G that are independent stay so. Where branches
 * cross, one of them comes to depend on the others, and on either side the determinant of [G; T], T an orthonormal basis of the free directions
 * that is carried along, has other signs (Allgower & Georg 1990, chapter 8). With orthonormal rows Q in the place of G both are
 * orthogonal matrices, whose complementary minors are alike: from a to b, det(T_b T_a^T) and det(Q_b Q_a^T) differ by the sign alone,
 * which is the one that is asked for. So T need not be made. A sharp turn of one branch changes Q as much, but not in steps that are
 * short enough; so steps are halved where Q has turned too far.
 *
 * Loops that have no mobility in common are looked at one by one, each with the mobilities between its ends: local ones cost what they
 * are long. */
#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/manifold/rows.h"

#include <math.h>
#include <string.h>

enum { MOST_HALVINGS = 24, MOST_PARTS = 300 };
/* Of a row: what others may leave of it and still be independent of them. Of two bases: product of cosines of the angles between. */
static const double least_independent = 1e-8, plainly_independent = 1e-3, least_alike = 0.5;

/* Loops that hang together: position rows, and mobilities that are not prescribed and that these rows act on. */
typedef struct loop_group {
    int nrow, n, most; /* most: of these rows that can be independent              */
    int first_row, first_mobility, first_chosen;
    size_t first_entry, first_basis; /* of nrow x n, of most x n                                  */
} loop_group;

/* Rows and a basis of them at a configuration, group by group. */
typedef struct place {
    double *q;   /* (nq) */
    double *G;   /* nrow x n of each group */
    double *Q;   /* rank x n of each: orthonormal, of the chosen rows */
    int *chosen; /* independent rows by their number in the group, best first */
    int *rank;   /* (ngroup) */
} place;

struct cardo_branch_watch {
    const cardo_system *system;
    cardo_state *between; /* where the way between two configurations is looked at */
    int ngroup;
    loop_group *groups;
    int *mobilities; /* group by group */
    int *rows;       /* likewise, as constraint and own row, two numbers each */
    bool begun;
    place last, next;
    double *row;    /* (nu) */
    double *x;      /* (largest n) */
    double *other;  /* (largest most x n) */
    double *square; /* (largest most x most) */
    double *ahead;  /* (nq): the end of the step */
};

/* ------------ making ------------ */

/* Mobilities that are in one group have one label; -1: of no row. */
static void join(int nu, int *labels, int mobility, int *label)
{
    const int old = labels[mobility];
    if (*label < 0)
        *label = old < 0 ? mobility : old;
    if (old < 0)
        labels[mobility] = *label;
    for (int m = 0; old >= 0 && old != *label && m < nu; ++m)
        if (labels[m] == old)
            labels[m] = *label;
}

/* The label of all that a constraint acts on, as far as it can move; -1: nothing can. */
static int join_constraint(const cardo_system *system, const constraint_plan *plan, int *labels)
{
    const constraint_shape *s = &plan->shape;
    int label = -1;
    for (int b = 0; b < s->nbody; ++b)
        for (int k = s->bodies[b]; k != row_reach(plan); k = system->bodies[k].parent)
            for (int j = 0; j < system->bodies[k].nu; ++j)
                if (!(system->bodies[k].prescribed >> j & 1U))
                    join(system->nu, labels, system->bodies[k].u_first + j, &label);
    for (int j = 0; j < s->nmobility; ++j) {
        const cardo_mobility_of m = s->mobilities[j];
        if (!(system->bodies[m.body].prescribed >> m.mobility & 1U))
            join(system->nu, labels, plan->mobilities[j], &label);
    }
    return label;
}

/* The next group: what has this label. */
static void add_group(cardo_branch_watch *self, const constraint_list *list, const int *labels,
                      const int *of_constraints, int label)
{
    loop_group *g = &self->groups[self->ngroup];
    const loop_group *before = self->ngroup > 0 ? g - 1 : NULL;
    *g = (loop_group){0};
    if (before) {
        g->first_row = before->first_row + before->nrow;
        g->first_mobility = before->first_mobility + before->n;
        g->first_chosen = before->first_chosen + before->most;
        g->first_entry = before->first_entry + (size_t)before->nrow * (size_t)before->n;
        g->first_basis = before->first_basis + (size_t)before->most * (size_t)before->n;
    }
    for (int m = 0; m < self->system->nu; ++m)
        if (labels[m] == label)
            self->mobilities[g->first_mobility + g->n++] = m;
    for (int i = 0; i < list->head.count; ++i)
        for (int own = 0; of_constraints[i] >= 0 && labels[of_constraints[i]] == label &&
                          own < list->plans[i].shape.nposition;
             ++own) {
            int *row = self->rows + 2 * (g->first_row + g->nrow++);
            row[0] = i;
            row[1] = own;
        }
    g->most = g->nrow < g->n ? g->nrow : g->n;
    ++self->ngroup;
}

static cardo_status list_groups(cardo_branch_watch *self, cardo_error *error)
{
    const cardo_system *system = self->system;
    const constraint_list *list = list_of(system);
    int *labels = NULL, *of_constraints = NULL;
    cardo_status status;
    if (!list)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&labels, system->nu + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&of_constraints, list->head.count, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->groups, system->nu + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->mobilities, system->nu + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->rows, 2 * list->nposition + 1, error));
    for (int m = 0; m < system->nu; ++m)
        labels[m] = -1;
    for (int i = 0; i < list->head.count; ++i)
        of_constraints[i] = list->plans[i].shape.nposition > 0
                                ? join_constraint(system, &list->plans[i], labels)
                                : -1;
    /* a label is one of the mobilities that have it */
    for (int m = 0; m < system->nu; ++m)
        if (labels[m] == m)
            add_group(self, list, labels, of_constraints, m);
done:
    cardo_free(labels);
    cardo_free(of_constraints);
    return status;
}

static cardo_status make_place(const cardo_branch_watch *self, place *p, cardo_error *error)
{
    const loop_group *end = self->ngroup > 0 ? &self->groups[self->ngroup - 1] : NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&p->q, self->system->nq + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->rank, self->ngroup + 1, error));
    if (!end)
        return CARDO_OK;
    const size_t n = (size_t)end->n;
    CARDO_TRY(CARDO_ALLOCATE(&p->G, end->first_entry + (size_t)end->nrow * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->Q, end->first_basis + (size_t)end->most * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->chosen, end->first_chosen + end->most, error));
done:
    return status;
}

static void clear_place(place *p)
{
    cardo_free(p->q);
    cardo_free(p->G);
    cardo_free(p->Q);
    cardo_free(p->chosen);
    cardo_free(p->rank);
}

static cardo_status make_room(cardo_branch_watch *self, cardo_error *error)
{
    size_t n = 1, entries = 1, square = 1;
    cardo_status status;
    for (int g = 0; g < self->ngroup; ++g) {
        const size_t own = (size_t)self->groups[g].n, most = (size_t)self->groups[g].most;
        n = own > n ? own : n;
        entries = most * own > entries ? most * own : entries;
        square = most * most > square ? most * most : square;
    }
    CARDO_TRY(CARDO_ALLOCATE(&self->row, self->system->nu + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->x, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->other, entries, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->square, square, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->ahead, self->system->nq + 1, error));
done:
    return status;
}

cardo_status cardo_branch_watch_create(const cardo_system *system, cardo_branch_watch **out,
                                       cardo_error *error)
{
    cardo_status status;
    cardo_branch_watch *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->system = system;
    CARDO_TRY(list_groups(self, error));
    CARDO_TRY(cardo_state_create(system, &self->between, error));
    CARDO_TRY(make_place(self, &self->last, error));
    CARDO_TRY(make_place(self, &self->next, error));
    CARDO_TRY(make_room(self, error));
    *out = self;
    self = NULL;
done:
    cardo_branch_watch_destroy(self);
    return status;
}

void cardo_branch_watch_destroy(cardo_branch_watch *self)
{
    if (!self)
        return;
    cardo_state_destroy(self->between);
    clear_place(&self->last);
    clear_place(&self->next);
    cardo_free(self->groups);
    cardo_free(self->mobilities);
    cardo_free(self->rows);
    cardo_free(self->row);
    cardo_free(self->x);
    cardo_free(self->other);
    cardo_free(self->square);
    cardo_free(self->ahead);
    cardo_free(self);
}

/* ------------ orthogonal rows ------------ */

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

/* Takes from x what lies along the first rows of Q; returns what is left of its length. */
static double take_off(int n, int rows, const double *Q, double *x)
{
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < rows; ++i) {
            const double along = dot(n, Q + i * n, x);
            for (int k = 0; k < n; ++k)
                x[k] -= along * Q[i * n + k];
        }
    return sqrt(dot(n, x, x));
}

/* The chosen rows of G one after the other, each less what lies along those before and of length one; false where one has too little of
 * its own. */
static bool make_orthonormal(int n, const double *G, int rank, const int *chosen, double least,
                             double *Q)
{
    for (int i = 0; i < rank; ++i) {
        const double *g = G + chosen[i] * n;
        double *x = Q + i * n;
        memcpy(x, g, (size_t)n * sizeof *x);
        const double length = sqrt(dot(n, g, g)), left = take_off(n, i, Q, x);
        if (!(left > least * length))
            return false;
        for (int k = 0; k < n; ++k)
            x[k] /= left;
    }
    return true;
}

/* The row of G that has most of its own beside the first rows of Q becomes the next one, made of length one; returns its number, -1 where none
 * has enough. */
static int add_row(cardo_branch_watch *self, const loop_group *g, int rows, const double *G,
                   double *Q)
{
    const int n = g->n;
    double *x = self->x, most = least_independent;
    int best = -1;
    for (int i = 0; i < g->nrow; ++i) {
        memcpy(x, G + i * n, (size_t)n * sizeof *x);
        const double length = sqrt(dot(n, x, x));
        const double left = length > 0 ? take_off(n, rows, Q, x) : 0;
        if (!(left > most * length))
            continue;
        most = left / length;
        best = i;
        for (int k = 0; k < n; ++k)
            Q[rows * n + k] = x[k] / left;
    }
    return best;
}

/* Determinant of A (n x n), which is destroyed. */
static double determinant(int n, double *A)
{
    double product = 1;
    for (int k = 0; k < n && product != 0; ++k) {
        int p = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[i * n + k]) > fabs(A[p * n + k]))
                p = i;
        for (int j = 0; p != k && j < n; ++j) {
            const double x = A[k * n + j];
            A[k * n + j] = A[p * n + j];
            A[p * n + j] = x;
        }
        product *= p != k ? -A[k * n + k] : A[k * n + k];
        for (int i = k + 1; i < n && A[k * n + k] != 0; ++i) {
            const double x = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; ++j)
                A[i * n + j] -= x * A[k * n + j];
        }
    }
    return product;
}

/* ------------ places ------------ */

static int choose(cardo_branch_watch *self, const loop_group *g, const double *G, double *Q,
                  int *chosen)
{
    int rank = 0;
    while (rank < g->most) {
        const int row = add_row(self, g, rank, G, Q);
        if (row < 0)
            break;
        chosen[rank++] = row;
    }
    return rank;
}

static void look_at_group(cardo_branch_watch *self, const cardo_state *state, int group,
                          const place *before, place *p)
{
    const loop_group *g = &self->groups[group];
    const int n = g->n, nu = self->system->nu;
    double *G = p->G + g->first_entry, *Q = p->Q + g->first_basis;
    int *chosen = p->chosen + g->first_chosen;
    for (int i = 0; i < g->nrow; ++i) {
        const int *row = self->rows + 2 * (g->first_row + i);
        memset(self->row, 0, (size_t)nu * sizeof *self->row);
        if (is_on(state, row[0]))
            cardo_row_spread(self->system, state, &list_of(self->system)->plans[row[0]], row[1],
                             self->row);
        for (int k = 0; k < n; ++k)
            G[i * n + k] = self->row[self->mobilities[g->first_mobility + k]];
    }
    /* the rows that were chosen before, where each still has enough of its own */
    if (before && make_orthonormal(n, G, before->rank[group], before->chosen + g->first_chosen,
                                   plainly_independent, Q)) {
        p->rank[group] = before->rank[group];
        memcpy(chosen, before->chosen + g->first_chosen,
               (size_t)before->rank[group] * sizeof *chosen);
    } else {
        p->rank[group] = choose(self, g, G, Q, chosen);
    }
}

/* G, its independent rows and a basis of these, at a state; `before`: a place near by, or NULL. */
static cardo_status look_at(cardo_branch_watch *self, cardo_state *state, const place *before,
                            place *p, cardo_error *error)
{
    cardo_status status = cardo_realize(self->system, state, CARDO_STAGE_POSITION, error);
    if (status != CARDO_OK)
        return status;
    memcpy(p->q, cardo_state_q(state), (size_t)self->system->nq * sizeof *p->q);
    if (self->ngroup > 0)
        cardo_rows_prepare(self->system, state);
    for (int group = 0; group < self->ngroup; ++group)
        look_at_group(self, state, group, before, p);
    return CARDO_OK;
}

typedef enum verdict { REGULAR, BRANCH, TOO_FAR } verdict;

/* Product of the cosines between what two bases (rank x n) span, less than zero where one is turned over. */
static double likeness(cardo_branch_watch *self, int n, int rank, const double *A, const double *B)
{
    for (int i = 0; i < rank; ++i)
        for (int j = 0; j < rank; ++j)
            self->square[i * rank + j] = dot(n, A + i * n, B + j * n);
    return determinant(rank, self->square);
}

static verdict compare_group(cardo_branch_watch *self, int group)
{
    const loop_group *g = &self->groups[group];
    const place *a = &self->last, *b = &self->next;
    const double *Q_a = a->Q + g->first_basis, *Q_b = b->Q + g->first_basis;
    const int n = g->n, rank = a->rank[group];
    if (rank != b->rank[group])
        return BRANCH;
    if (!(fabs(likeness(self, n, rank, Q_a, Q_b)) > least_alike))
        return TOO_FAR;
    /* Rows that are redundant may take each other's place: only what holds for both choices counts. */
    for (int choice = 0; choice < 2; ++choice) {
        const place *chooser = choice == 0 ? a : b, *there = choice == 0 ? b : a;
        if (make_orthonormal(n, there->G + g->first_entry, rank, chooser->chosen + g->first_chosen,
                             least_independent, self->other) &&
            likeness(self, n, rank, choice == 0 ? Q_a : Q_b, self->other) > 0)
            return REGULAR;
    }
    return BRANCH;
}

/* What lies between `last` and `next`, which are near each other or not. */
static verdict compare(cardo_branch_watch *self)
{
    verdict found = REGULAR;
    for (int group = 0; group < self->ngroup; ++group) {
        const verdict own = compare_group(self, group);
        if (own == TOO_FAR || found == REGULAR)
            found = own;
    }
    return found;
}

static void accept(cardo_branch_watch *self)
{
    const place spare = self->last;
    self->last = self->next;
    self->next = spare;
}

/* ------------ the way ------------ */

cardo_status cardo_branch_watch_begin(cardo_branch_watch *self, cardo_state *state,
                                      cardo_error *error)
{
    cardo_status status = look_at(self, state, NULL, &self->last, error);
    self->begun = status == CARDO_OK;
    return status;
}

/* A closed configuration at a part of the way from `last` to the end. */
static cardo_status go_part(cardo_branch_watch *self, const cardo_state *state, double part,
                            bool *closed, cardo_error *error)
{
    const cardo_assembly_options any = {.size = sizeof any, .any = true};
    cardo_status status;
    cardo_state_copy(self->between, state);
    for (int i = 0; i < self->system->nq; ++i)
        self->next.q[i] = self->last.q[i] + part * (self->ahead[i] - self->last.q[i]);
    cardo_state_set_q(self->between, self->next.q);
    status = cardo_assemble_q(self->system, self->between, &any, NULL, error);
    *closed = status == CARDO_OK;
    if (status == CARDO_ERROR_NUMERICAL)
        return CARDO_OK;
    return status == CARDO_OK ? look_at(self, self->between, &self->last, &self->next, error)
                              : status;
}

cardo_status cardo_branch_watch_step(cardo_branch_watch *self, cardo_state *state, bool *passed,
                                     cardo_error *error)
{
    cardo_status status;
    int halvings = 0, parts = 0;
    *passed = false;
    if (!self->begun)
        return cardo_branch_watch_begin(self, state, error);
    CARDO_TRY(look_at(self, state, &self->last, &self->next, error));
    memcpy(self->ahead, self->next.q, (size_t)self->system->nq * sizeof *self->ahead);
    verdict found = compare(self);
    while (found == TOO_FAR && halvings < MOST_HALVINGS && parts++ < MOST_PARTS) {
        bool closed;
        ++halvings;
        CARDO_TRY(go_part(self, state, ldexp(1, -halvings), &closed, error));
        found = closed ? compare(self) : TOO_FAR;
        if (found != REGULAR)
            continue;
        accept(self);
        halvings = halvings > 2 ? halvings - 2 : 0;
        CARDO_TRY(look_at(self, state, &self->last, &self->next, error));
        found = compare(self);
    }
    *passed = found != REGULAR;
    if (*passed)
        CARDO_TRY(look_at(self, state, NULL, &self->next, error));
    accept(self);
done:
    self->begun = status == CARDO_OK;
    return status;
}
