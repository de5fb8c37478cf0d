/* Filling a force table: evaluate, halve intervals where interpolation fails, check between nodes. */
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "dynamics/tables/force_table.h"

#include <math.h>
#include <string.h>

enum {
    MOST_AXES = CARDO_TABLE_MOST_AXES,
    FIRST_INTERVALS = 8,
    MOST_STALLS = 6, /* halvings in a row that may fail to halve the error; a cubic's falls by 8 */
    STENCIL = 5,     /* nodes that a difference of gradients is taken over: error of fourth order */
    LEAST_CHECKS = 64, /* of each kind of check points */
    SEED = 20251119,
    BUILDING = 0, /* streams of random points */
    CHECKING = 1,
};

/* Check points are few: so that places between them hold the error too, they must do so easily. */
static const double easily = 0.5;

/* Between two neighbouring lines of an axis. */
typedef struct interval {
    bool accepted;
    int stalls;   /* halvings on the way here that did not halve the error        */
    double error; /* found when the interval it came from was halved, 0 at first  */
} interval;

typedef struct builder {
    const cardo_force_table_plan *plan;
    cardo_force_table *table;
    interval *interval[MOST_AXES]; /* (count - 1) */
    int ncheck, nevaluation;
    int expected;                            /* evaluations in all, as far as is known */
    double worst, largest, place[MOST_AXES]; /* of the check points */
    cardo_random random;
} builder;

static cardo_status evaluate(builder *b, const double *x, double *energy, double *gradient,
                             cardo_error *error)
{
    const cardo_force_table_plan *plan = b->plan;
    if (b->nevaluation >= plan->most_evaluations)
        return CARDO_FAIL(
            error, CARDO_ERROR_NUMERICAL,
            "a force table to this error (%g + %g |F|) needs more than %d evaluations; "
            "narrow its range, allow a larger error or more evaluations",
            plan->absolute, plan->relative, plan->most_evaluations);
    cardo_status status = plan->function(plan->user, x, energy, gradient, error);
    if (status != CARDO_OK) {
        char place[96] = "";
        for (int k = 0, used = 0; k < plan->naxis && used < (int)sizeof place; ++k)
            used += cardo_format(place + used, sizeof place - (size_t)used, "%s%g", k ? ", " : "",
                                 x[k]);
        return cardo_error_prefix(error, "the force table at (%s): ", place);
    }
    ++b->nevaluation;
    if (b->expected <= b->nevaluation)
        b->expected = b->nevaluation + 1;
    if (plan->progress && !plan->progress(plan->progress_user, b->nevaluation, b->expected))
        return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                          "interrupted after %d evaluations for the force table", b->nevaluation);
    return CARDO_OK;
}

/* Evaluates node number n of the table, whose indices along the axes are index. */
static cardo_status fill_node(builder *b, cardo_force_table *table, const int *index,
                              cardo_error *error)
{
    double x[MOST_AXES], gradient[MOST_AXES];
    size_t node = 0;
    for (int k = 0; k < table->naxis; ++k) {
        x[k] = table->line[k][index[k]];
        node = node * (size_t)table->count[k] + (size_t)index[k];
    }
    double *values = table->node + (node << table->naxis);
    cardo_status status = evaluate(b, x, &values[0], gradient, error);
    for (int k = 0; k < table->naxis && status == CARDO_OK; ++k)
        values[1 << k] = gradient[k];
    return status;
}

static bool next_index(const cardo_force_table *table, int *index)
{
    for (int k = table->naxis - 1; k >= 0; --k) {
        if (++index[k] < table->count[k])
            return true;
        index[k] = 0;
    }
    return false;
}

static size_t stride_of(const cardo_force_table *table, int axis)
{
    size_t stride = 1;
    for (int k = axis + 1; k < table->naxis; ++k)
        stride *= (size_t)table->count[k];
    return stride;
}

static size_t node_of(const cardo_force_table *table, const int *index)
{
    size_t node = 0;
    for (int k = 0; k < table->naxis; ++k)
        node = node * (size_t)table->count[k] + (size_t)index[k];
    return node;
}

/* Weights of the values at x[0..n) in the derivative at x[at] of the polynomial through them. */
static void derivative_weights(int n, const double *x, int at, double *weight)
{
    weight[at] = 0;
    for (int j = 0; j < n; ++j) {
        if (j == at)
            continue;
        double product = 1 / (x[j] - x[at]);
        for (int m = 0; m < n; ++m)
            if (m != j && m != at)
                product *= (x[at] - x[m]) / (x[j] - x[m]);
        weight[j] = product;
        weight[at] += 1 / (x[at] - x[j]);
    }
}

/* Derivative along an axis, at a node, of entry `of` of the nodes. */
static double difference(const cardo_force_table *table, const int *index, int axis, int of)
{
    double weight[STENCIL], sum = 0;
    const int n = table->count[axis], width = n < STENCIL ? n : STENCIL;
    int first = index[axis] - width / 2;
    first = first < 0 ? 0 : first > n - width ? n - width : first;
    derivative_weights(width, table->line[axis] + first, index[axis] - first, weight);
    size_t stride = stride_of(table, axis);
    size_t start = node_of(table, index) - (size_t)(index[axis] - first) * stride;
    for (int j = 0; j < width; ++j)
        sum += weight[j] * table->node[((start + (size_t)j * stride) << table->naxis) + (size_t)of];
    return sum;
}

/* Mixed derivatives from the gradients; each is the mean over the axes that it may be taken along. */
static void fill_mixed(cardo_force_table *table)
{
    const int naxis = table->naxis;
    for (int order = 2; order <= naxis; ++order) {
        int index[MOST_AXES] = {0};
        do {
            double *values = table->node + (node_of(table, index) << naxis);
            for (int entry = 1; entry < 1 << naxis; ++entry) {
                if (__builtin_popcount((unsigned)entry) != order)
                    continue;
                double sum = 0;
                for (int k = 0; k < naxis; ++k)
                    if (entry >> k & 1)
                        sum += difference(table, index, k, entry ^ 1 << k);
                values[entry] = sum / order;
            }
        } while (next_index(table, index));
    }
}

/* The force error that is allowed where the gradient is this. */
static double allowance(const cardo_force_table_plan *plan, const double *gradient)
{
    double square = 0;
    for (int k = 0; k < plan->naxis; ++k)
        square += gradient[k] * gradient[k];
    return plan->absolute + plan->relative * sqrt(square);
}

/* Error of what the old table says at a new node, as a multiple of what is allowed. A cubic's force
 * is right at the middle of an interval to leading order, and its energy wrong by f'''' h^4/384: the
 * force errs most, by f'''' h^3/(72 sqrt 3), elsewhere; hence the last term. */
static double error_at(const builder *b, const cardo_force_table *old, const double *x,
                       const double *values, double width)
{
    double energy, gradient[MOST_AXES], truth[MOST_AXES], most = 0;
    cardo_force_table_at(old, x, &energy, gradient);
    for (int k = 0; k < old->naxis; ++k) {
        truth[k] = values[1 << k];
        most = fmax(most, fabs(gradient[k] - truth[k]));
    }
    most = fmax(most, 384 / (72 * sqrt(3.0)) * fabs(energy - values[0]) / width);
    return most / allowance(b->plan, truth);
}

/* Where the lines of the refined table come from: line j is line origin[j] of the old one, or new. */
typedef struct halving {
    int axis, count;
    int *origin; /* -1: a new line in the middle of two old ones */
    double *line;
    interval *interval;
} halving;

static cardo_status plan_halving(const builder *b, int axis, halving *h, cardo_error *error)
{
    const int n = b->table->count[axis];
    const double *line = b->table->line[axis];
    cardo_status status = CARDO_ALLOCATE(&h->origin, 2 * n, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&h->line, 2 * n, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&h->interval, 2 * n, error);
    if (status != CARDO_OK)
        return status;
    h->axis = axis;
    for (int i = 0; i < n; ++i) {
        h->origin[h->count] = i;
        h->line[h->count] = line[i];
        if (i + 1 < n)
            h->interval[h->count] = b->interval[axis][i];
        ++h->count;
        if (i + 1 == n || b->interval[axis][i].accepted)
            continue;
        h->origin[h->count] = -1;
        h->interval[h->count] = b->interval[axis][i];
        h->line[h->count++] = 0.5 * (line[i] + line[i + 1]);
    }
    return CARDO_OK;
}

static void clear_halving(halving *h)
{
    cardo_free(h->origin);
    cardo_free(h->line);
    cardo_free(h->interval);
}

/* What is known of the two halves beside new line j, now that the error there is found. */
static cardo_status judge_halves(const builder *b, halving *h, int j, double found,
                                 cardo_error *error)
{
    interval *left = &h->interval[j - 1], *right = &h->interval[j];
    bool stalled = left->error > 0 && found > 0.5 * left->error;
    left->stalls = stalled ? left->stalls + 1 : 0;
    left->error = found;
    left->accepted = found <= 1;
    *right = *left;
    if (left->accepted || left->stalls < MOST_STALLS)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_NUMERICAL,
        "the force table's error does not fall with finer spacing at %g of coordinate "
        "%d, where it is %.2g times what is allowed (%g + %g |F|): the forces have "
        "noise or jumps there, or change within far less than the range; use a provider or "
        "platform of double precision without cutoff, narrow the range, or allow a larger error",
        h->line[j], h->axis + 1, found, b->plan->absolute, b->plan->relative);
}

/* Copies nodes of the old table and evaluates those of the new lines; worst receives the largest
 * error that the old table has on each new line. */
static cardo_status refine_nodes(builder *b, const halving *h, cardo_force_table *new,
                                 double *worst, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_force_table *old = b->table;
    const int axis = h->axis, naxis = old->naxis;
    int index[MOST_AXES] = {0};
    do {
        const int j = index[axis];
        double *values = new->node + (node_of(new, index) << naxis), x[MOST_AXES];
        if (h->origin[j] >= 0) {
            int from[MOST_AXES];
            memcpy(from, index, sizeof from);
            from[axis] = h->origin[j];
            memcpy(values, old->node + (node_of(old, from) << naxis), sizeof *values << naxis);
            continue;
        }
        for (int k = 0; k < naxis; ++k)
            x[k] = new->line[k][index[k]];
        CARDO_TRY(fill_node(b, new, index, error));
        worst[j] = fmax(worst[j], error_at(b, old, x, values, h->line[j + 1] - h->line[j - 1]));
    } while (next_index(new, index));
done:
    return status;
}

/* Neighbouring intervals differ by no more than a factor of two: differences over uneven lines stay
 * accurate. */
static void keep_balance(builder *b, int axis)
{
    const cardo_force_table *table = b->table;
    const double *line = table->line[axis];
    for (int i = 0; i + 1 < table->count[axis]; ++i) {
        double width = line[i + 1] - line[i];
        double left = i > 0 ? line[i] - line[i - 1] : width;
        double right = i + 2 < table->count[axis] ? line[i + 2] - line[i + 1] : width;
        if (width > 2.5 * fmin(left, right))
            b->interval[axis][i].accepted = false;
    }
}

static bool has_start(const cardo_force_table_plan *plan)
{
    for (int k = 0; plan->start && k < plan->naxis; ++k)
        if (!(plan->start[k] >= plan->from[k] && plan->start[k] <= plan->to[k]))
            return false;
    return plan->start != NULL;
}

/* Check points for every fourth line of the finest axis and for every eighth node, but at least 64 each: over cells, and
 * anywhere. */
static int points_over_cells(int finest)
{
    return finest / 4 > LEAST_CHECKS ? finest / 4 : LEAST_CHECKS;
}

static int points_anywhere(double nodes)
{
    return nodes / 8 > LEAST_CHECKS ? (int)(nodes / 8) : LEAST_CHECKS;
}

/* How many lines an axis may come to: an interval is halved until a cubic's error, which falls by 8 with each halving, is
 * allowed; of one that was never halved nothing is known but that it will be. */
static double expected_lines(const builder *b, int axis)
{
    double lines = 1;
    for (int i = 0; i + 1 < b->table->count[axis]; ++i) {
        const interval *at = &b->interval[axis][i];
        const double halvings = at->accepted ? 0 : at->error > 8 ? ceil(log2(at->error) / 3) : 1;
        lines += exp2(fmin(halvings, 12));
    }
    return lines;
}

/* What is known of how many evaluations there will be, before more intervals are halved or points checked. */
static void expect(builder *b)
{
    double nodes = 1, finest = 0;
    for (int k = 0; k < b->plan->naxis; ++k) {
        const double lines = expected_lines(b, k);
        nodes *= lines;
        finest = fmax(finest, lines);
    }
    const double more = nodes - cardo_force_table_nnode(b->table) + points_over_cells((int)finest) +
                        points_anywhere(nodes) + (has_start(b->plan) ? 1 : 0);
    b->expected = (int)fmin(b->nevaluation + more, b->plan->most_evaluations);
}

static cardo_status refine_axis(builder *b, int axis, bool *refined, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    halving h = {0};
    cardo_force_table *new = NULL;
    double *worst = NULL;
    int count[MOST_AXES];
    keep_balance(b, axis);
    CARDO_TRY(plan_halving(b, axis, &h, error));
    if (h.count == b->table->count[axis])
        goto done;
    memcpy(count, b->table->count, sizeof count);
    count[axis] = h.count;
    CARDO_TRY(cardo_force_table_allocate(b->table->naxis, count, &new, error));
    for (int k = 0; k < new->naxis; ++k)
        memcpy(new->line[k], k == axis ? h.line : b->table->line[k],
               (size_t)count[k] * sizeof *h.line);
    CARDO_TRY(CARDO_ALLOCATE(&worst, h.count, error));
    CARDO_TRY(refine_nodes(b, &h, new, worst, error));
    for (int j = 0; j < h.count; ++j)
        if (h.origin[j] < 0)
            CARDO_TRY(judge_halves(b, &h, j, worst[j], error));
    fill_mixed(new);
    cardo_force_table_destroy(b->table);
    b->table = new;
    new = NULL;
    cardo_free(b->interval[axis]);
    b->interval[axis] = h.interval;
    h.interval = NULL;
    *refined = true;
done:
    cardo_force_table_destroy(new);
    cardo_free(worst);
    clear_halving(&h);
    return status;
}

static cardo_status refine_all(builder *b, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (bool refined = true; refined;) {
        refined = false;
        for (int k = 0; k < b->table->naxis; ++k) {
            expect(b);
            CARDO_TRY(refine_axis(b, k, &refined, error));
        }
    }
done:
    return status;
}

/* Point number n of a sequence that fills the unit cube evenly (additive recurrence with powers of
 * the roots of x^(d+1) = x + 1; Roberts 2018). */
static void even_point(int naxis, int n, double *point)
{
    static const double root[MOST_AXES] = {1.6180339887498949, 1.3247179572447460,
                                           1.2207440846057596};
    double power = 1;
    for (int k = 0; k < naxis; ++k) {
        power /= root[naxis - 1];
        point[k] = fmod(0.5 + (n + 1) * power, 1.0);
    }
}

/* The largest error of a force component at x, and as a multiple of what is allowed there. */
static double compare(const cardo_force_table *table, const cardo_force_table_plan *plan,
                      const double *x, const double *truth, double *multiple)
{
    double energy, gradient[MOST_AXES] = {0}, most = 0;
    cardo_force_table_at(table, x, &energy, gradient);
    for (int k = 0; k < table->naxis; ++k)
        most = fmax(most, fabs(gradient[k] - truth[k]));
    *multiple = most / allowance(plan, truth);
    return most;
}

/* Compares table and function at a point between lines; where they differ too much the intervals
 * about it are to be halved. */
static cardo_status check_point(builder *b, const double *x, bool *good, cardo_error *error)
{
    double energy, truth[MOST_AXES], multiple;
    cardo_force_table *table = b->table;
    cardo_status status = evaluate(b, x, &energy, truth, error);
    if (status != CARDO_OK)
        return status;
    double most = compare(table, b->plan, x, truth, &multiple);
    b->ncheck++;
    if (multiple > b->worst || b->ncheck == 1) {
        b->worst = multiple;
        b->largest = most;
        memcpy(b->place, x, (size_t)table->naxis * sizeof *x);
    }
    if (multiple <= easily)
        return CARDO_OK;
    *good = false;
    for (int k = 0; k < table->naxis; ++k)
        for (int i = 0; i + 1 < table->count[k]; ++i)
            if (x[k] >= table->line[k][i] && x[k] < table->line[k][i + 1])
                b->interval[k][i].accepted = false;
    return CARDO_OK;
}

/* Spread over all cells. */
static cardo_status check_cells(builder *b, int *sequence, bool *good, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_force_table_plan *plan = b->plan;
    int finest = 0;
    for (int k = 0; k < plan->naxis; ++k)
        finest = b->table->count[k] > finest ? b->table->count[k] : finest;
    const int points = points_over_cells(finest);
    for (int n = 0; n < points; ++n) {
        double x[MOST_AXES];
        even_point(plan->naxis, (*sequence)++, x);
        for (int k = 0; k < plan->naxis; ++k) {
            /* Evenly over lines rather than over lengths: where lines are dense, checks are dense. */
            const double *line = b->table->line[k];
            double place = x[k] * (b->table->count[k] - 1);
            int i = (int)place;
            x[k] = line[i] + (place - i) * (line[i + 1] - line[i]);
        }
        CARDO_TRY(check_point(b, x, good, error));
    }
done:
    return status;
}

static void random_point(const cardo_force_table_plan *plan, cardo_random *random, double *x)
{
    cardo_random_uniform(random, plan->naxis, x);
    for (int k = 0; k < plan->naxis; ++k)
        x[k] = plan->from[k] + (plan->to[k] - plan->from[k]) * x[k];
}

/* Anywhere in the ranges: nothing that lines have in common with the function hides from these. */
static cardo_status check_anywhere(builder *b, bool *good, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const int points = points_anywhere(cardo_force_table_nnode(b->table));
    for (int n = 0; n < points; ++n) {
        double x[MOST_AXES];
        random_point(b->plan, &b->random, x);
        CARDO_TRY(check_point(b, x, good, error));
    }
done:
    return status;
}

static cardo_status check_table(builder *b, int *sequence, bool *good, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *good = true;
    b->ncheck = 0;
    if (has_start(b->plan))
        CARDO_TRY(check_point(b, b->plan->start, good, error));
    CARDO_TRY(check_cells(b, sequence, good, error));
    status = check_anywhere(b, good, error);
done:
    return status;
}

cardo_status cardo_force_table_check(const cardo_force_table *table,
                                     const cardo_force_table_plan *plan, int points, double *worst,
                                     cardo_error *error)
{
    double x[MOST_AXES], energy, truth[MOST_AXES], multiple;
    cardo_random random = cardo_random_start(SEED, CHECKING);
    *worst = 0;
    for (int n = has_start(plan) ? -1 : 0; n < points; ++n) {
        if (n < 0)
            memcpy(x, plan->start, (size_t)plan->naxis * sizeof *x);
        else
            random_point(plan, &random, x);
        cardo_status status = plan->function(plan->user, x, &energy, truth, error);
        if (status != CARDO_OK)
            return status;
        compare(table, plan, x, truth, &multiple);
        /* No number is worse than any. */
        *worst = multiple <= *worst ? *worst : multiple;
    }
    return CARDO_OK;
}

/* Intervals to begin with. All of them are halved once. */
static double first_intervals(const cardo_force_table_plan *plan, int axis)
{
    const double range = plan->to[axis] - plan->from[axis];
    const double wanted = plan->spacing[axis] > 0 ? ceil(0.5 * range / plan->spacing[axis]) : 0;
    return fmax(FIRST_INTERVALS, wanted);
}

static cardo_status check_size(const cardo_force_table_plan *plan, cardo_error *error)
{
    double nodes = 1;
    char places[192] = "";
    for (int k = 0, used = 0; k < plan->naxis; ++k) {
        const double lines = 2 * first_intervals(plan, k) + 1;
        nodes *= lines;
        used += cardo_format(places + used, sizeof places - (size_t)used, "%s%.3g from %g to %g",
                             k ? " x " : "", lines, plan->from[k], plan->to[k]);
    }
    if (nodes <= plan->most_evaluations)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "the force table's range is too wide: near enough for what forces do between "
                      "them it would have %.3g nodes (%s), and %d evaluations are allowed; narrow "
                      "the range or allow more evaluations",
                      nodes, places, plan->most_evaluations);
}

static cardo_status check_plan(const cardo_force_table_plan *plan, cardo_error *error)
{
    if (plan->naxis < 1 || plan->naxis > MOST_AXES)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a force table has 1 to %d coordinates, not %d", MOST_AXES, plan->naxis);
    if (!(plan->absolute >= 0 && plan->relative >= 0 && plan->absolute + plan->relative > 0))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a force table's errors must not be negative, and one above 0: %g, %g",
                          plan->absolute, plan->relative);
    for (int k = 0; k < plan->naxis; ++k)
        if (!(plan->from[k] < plan->to[k]) || !isfinite(plan->to[k] - plan->from[k]))
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                              "range %d of the force table, %g to %g, is empty or not finite",
                              k + 1, plan->from[k], plan->to[k]);
    return CARDO_OK;
}

static cardo_status start(builder *b, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_force_table_plan *plan = b->plan;
    int count[MOST_AXES] = {0};
    CARDO_TRY(check_size(plan, error));
    for (int k = 0; k < plan->naxis; ++k)
        count[k] = (int)first_intervals(plan, k) + 1;
    CARDO_TRY(cardo_force_table_allocate(plan->naxis, count, &b->table, error));
    for (int k = 0; k < plan->naxis; ++k) {
        const int last = count[k] - 1;
        CARDO_TRY(CARDO_ALLOCATE(&b->interval[k], last, error));
        for (int i = 0; i <= last; ++i)
            b->table->line[k][i] =
                i == last ? plan->to[k] : plan->from[k] + (plan->to[k] - plan->from[k]) * i / last;
    }
    expect(b);
    b->expected += cardo_force_table_nnode(b->table); /* none of them is there yet */
    int index[MOST_AXES] = {0};
    do
        CARDO_TRY(fill_node(b, b->table, index, error));
    while (next_index(b->table, index));
    fill_mixed(b->table);
done:
    return status;
}

cardo_status cardo_force_table_create(const cardo_force_table_plan *plan, cardo_force_table **out,
                                      cardo_error *error)
{
    builder b = {.plan = plan, .random = cardo_random_start(SEED, BUILDING)};
    int sequence = 0;
    *out = NULL;
    cardo_status status = check_plan(plan, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(start(&b, error));
    for (bool good = false; !good;) {
        CARDO_TRY(refine_all(&b, error));
        CARDO_TRY(check_table(&b, &sequence, &good, error));
    }
    b.table->absolute = plan->absolute;
    b.table->relative = plan->relative;
    b.table->worst = b.worst;
    b.table->largest = b.largest;
    memcpy(b.table->place, b.place, sizeof b.place);
    b.table->ncheck = b.ncheck;
    b.table->nevaluation = b.nevaluation;
    *out = b.table;
    b.table = NULL;
done:
    cardo_force_table_destroy(b.table);
    for (int k = 0; k < MOST_AXES; ++k)
        cardo_free(b.interval[k]);
    return status;
}
