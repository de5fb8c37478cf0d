/* Branch points on the way of a motion.
 *
 * At a point of the manifold where all that hangs together goes on smoothly the rows G that are independent stay so. Where branches
 * cross, one of them comes to depend on the others, and on either side the determinant of [G; T], T an orthonormal basis of the free directions
 * that is carried along, has other signs (Allgower & Georg 1990, chapter 8). A sharp turn of one branch changes T as much, but
 * not in steps that are short enough; so steps are halved where T has turned too far. */
#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/manifold/set.h"
#include "multibody/tree/state_internal.h"

#include <math.h>
#include <string.h>

enum { MOST_HALVINGS = 24, MOST_PARTS = 300 };
/* Of a row: what others may leave of it and still be independent of them. Of two bases: product of cosines of the angles between. */
static const double least_independent = 1e-8, plainly_independent = 1e-3, least_alike = 0.5;

/* Rows and a basis at a configuration. */
typedef struct place {
    double *q;   /* (nq) */
    double *G;   /* (nrow x n) */
    double *T;   /* (n - rank) x n, orthonormal rows */
    int *chosen; /* (rank): independent rows, best first */
    int rank;
} place;

struct cardo_branch_watch {
    const cardo_system *system;
    cardo_state *between; /* where the way between two configurations is looked at */
    int n, nrow;          /* mobilities that are not prescribed, position rows */
    int *mobilities;      /* (n) */
    bool begun;
    place last, next;
    double *G;      /* (nrow of all kinds x nu) */
    double *Q, *LU; /* (n x n) each */
    double *ahead;  /* (nq): the end of the step */
};

/* ------------ making ------------ */

static cardo_status make_place(const cardo_branch_watch *self, place *p, cardo_error *error)
{
    cardo_status status;
    const size_t n = (size_t)self->n;
    CARDO_TRY(CARDO_ALLOCATE(&p->q, self->system->nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->G, (size_t)self->nrow * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->T, n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->chosen, n + 1, error));
done:
    return status;
}

static void clear_place(place *p)
{
    cardo_free(p->q);
    cardo_free(p->G);
    cardo_free(p->T);
    cardo_free(p->chosen);
}

static cardo_status list_mobilities(cardo_branch_watch *self, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(&self->mobilities, self->system->nu + 1, error);
    for (int k = 1; status == CARDO_OK && k < self->system->nbody; ++k)
        for (int j = 0; j < self->system->bodies[k].nu; ++j)
            if (!(self->system->bodies[k].prescribed >> j & 1U))
                self->mobilities[self->n++] = self->system->bodies[k].u_first + j;
    return status;
}

cardo_status cardo_branch_watch_create(const cardo_system *system, cardo_branch_watch **out,
                                       cardo_error *error)
{
    cardo_status status;
    cardo_branch_watch *self = NULL;
    cardo_constraint_counts counts;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->system = system;
    cardo_system_constraint_counts(system, &counts);
    self->nrow = counts.nposition;
    CARDO_TRY(list_mobilities(self, error));
    CARDO_TRY(cardo_state_create(system, &self->between, error));
    CARDO_TRY(make_place(self, &self->last, error));
    CARDO_TRY(make_place(self, &self->next, error));
    const size_t n = (size_t)self->n;
    CARDO_TRY(CARDO_ALLOCATE(&self->G, (size_t)counts.nrow * (size_t)system->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->Q, n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->LU, n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->ahead, system->nq, error));
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
    cardo_free(self->mobilities);
    cardo_free(self->G);
    cardo_free(self->Q);
    cardo_free(self->LU);
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
static double take_off(const cardo_branch_watch *self, int rows, double *x)
{
    const int n = self->n;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < rows; ++i) {
            const double along = dot(n, self->Q + i * n, x);
            for (int k = 0; k < n; ++k)
                x[k] -= along * self->Q[i * n + k];
        }
    return sqrt(dot(n, x, x));
}

/* The row of G that has most of its own beside the first rows of Q becomes the next one, made of length one; returns its number, -1 where none
 * has enough. */
static int add_row(cardo_branch_watch *self, int rows, const double *G)
{
    const int n = self->n;
    double *x = self->LU, *best_row = self->Q + rows * n, most = least_independent;
    int best = -1;
    for (int i = 0; i < self->nrow; ++i) {
        memcpy(x, G + i * n, (size_t)n * sizeof *x);
        const double length = sqrt(dot(n, x, x));
        const double left = length > 0 ? take_off(self, rows, x) : 0;
        if (!(left > most * length))
            continue;
        most = left / length;
        best = i;
        for (int k = 0; k < n; ++k)
            best_row[k] = x[k] / left;
    }
    return best;
}

/* The same with the unit vector that has most beside the first rows. */
static void add_direction(cardo_branch_watch *self, int rows)
{
    const int n = self->n;
    double *x = self->Q + rows * n, most = -1;
    int best = 0;
    for (int k = 0; k < n; ++k) {
        double left = 1;
        for (int i = 0; i < rows; ++i)
            left -= self->Q[i * n + k] * self->Q[i * n + k];
        if (left > most) {
            most = left;
            best = k;
        }
    }
    for (int k = 0; k < n; ++k)
        x[k] = k == best;
    const double length = take_off(self, rows, x);
    for (int k = 0; k < n; ++k)
        x[k] /= length;
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

/* The rows that were chosen before become the first ones of Q, where each still has enough of its own. */
static bool choose_as_before(cardo_branch_watch *self, place *p, const place *before)
{
    const int n = self->n;
    for (int i = 0; i < before->rank; ++i) {
        const double *g = p->G + before->chosen[i] * n;
        double *x = self->Q + i * n;
        memcpy(x, g, (size_t)n * sizeof *x);
        const double length = sqrt(dot(n, g, g)), left = take_off(self, i, x);
        if (!(left > plainly_independent * length))
            return false;
        for (int k = 0; k < n; ++k)
            x[k] /= left;
        p->chosen[i] = before->chosen[i];
    }
    p->rank = before->rank;
    return true;
}

static void choose(cardo_branch_watch *self, place *p)
{
    int row = 0;
    for (p->rank = 0; row >= 0 && p->rank < self->n; p->rank += row >= 0) {
        row = add_row(self, p->rank, p->G);
        if (row >= 0)
            p->chosen[p->rank] = row;
    }
}

/* G, its independent rows and a basis of what they leave, at a state; `before`: a place near by, or NULL. */
static cardo_status look_at(cardo_branch_watch *self, cardo_state *state, const place *before,
                            place *p, cardo_error *error)
{
    const int n = self->n, nu = self->system->nu;
    cardo_status status;
    CARDO_TRY(cardo_realize(self->system, state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_constraint_matrix(self->system, state, self->G, error));
    memcpy(p->q, cardo_state_q(state), (size_t)self->system->nq * sizeof *p->q);
    for (int i = 0; i < self->nrow; ++i)
        for (int k = 0; k < n; ++k)
            p->G[i * n + k] = self->G[i * nu + self->mobilities[k]];
    if (!before || !choose_as_before(self, p, before))
        choose(self, p);
    for (int i = p->rank; i < n; ++i)
        add_direction(self, i);
    memcpy(p->T, self->Q + p->rank * n, (size_t)(n - p->rank) * (size_t)n * sizeof *p->T);
done:
    return status;
}

/* Determinant, 1 or -1, of [orthonormal rows for the chosen ones of G; T] at a place; 0 where these rows are not independent there. */
static double side_of(cardo_branch_watch *self, const place *p, const place *chooser)
{
    const int n = self->n, rank = chooser->rank;
    for (int i = 0; i < rank; ++i) {
        const double *g = p->G + chooser->chosen[i] * n;
        double *x = self->Q + i * n;
        memcpy(x, g, (size_t)n * sizeof *x);
        const double length = sqrt(dot(n, g, g)), left = take_off(self, i, x);
        if (!(left > least_independent * length))
            return 0;
        for (int k = 0; k < n; ++k)
            x[k] /= left;
    }
    memcpy(self->Q + rank * n, p->T, (size_t)(n - rank) * (size_t)n * sizeof *p->T);
    return determinant(n, self->Q);
}

/* Product of the cosines between both bases, less than zero where one is turned over. */
static double likeness(cardo_branch_watch *self, const place *a, const place *b)
{
    const int n = self->n, d = n - a->rank;
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j)
            self->LU[i * d + j] = dot(n, a->T + i * n, b->T + j * n);
    return determinant(d, self->LU);
}

typedef enum verdict { REGULAR, BRANCH, TOO_FAR } verdict;

/* What lies between `last` and `next`, which are near each other or not. */
static verdict compare(cardo_branch_watch *self)
{
    place *a = &self->last, *b = &self->next;
    if (a->rank != b->rank)
        return BRANCH;
    const double alike = likeness(self, a, b);
    if (!(fabs(alike) > least_alike))
        return TOO_FAR;
    for (int k = 0; alike < 0 && k < self->n; ++k)
        b->T[k] = -b->T[k];
    /* Rows that are redundant may take each other's place: only what holds for both choices counts. */
    for (int choice = 0; choice < 2; ++choice) {
        const place *chooser = choice == 0 ? a : b;
        if (side_of(self, a, chooser) * side_of(self, b, chooser) > 0)
            return REGULAR;
    }
    return BRANCH;
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
