#include "analysis/free_energy/verdict.h"

#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double least_overlap = 0.03, least_worth = 10, least_worth_by_scatter = 10,
                    fewest_crossings = 2.5, most_apart = 3, most_apart_anywhere = 4;
/* kT. About there error bars begin to come out too small (sampling/README.md). */
static const double most_haste = 1.5;

typedef struct verdict_text {
    char *text;
    size_t size;
    cardo_verdict verdict;
} verdict_text;

__attribute__((format(printf, 3, 4))) static void say(verdict_text *t, cardo_verdict worst,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t used = strlen(t->text);
    cardo_format_list(t->text + used, t->size - used, format, arguments);
    va_end(arguments);
    t->verdict = worst > t->verdict ? worst : t->verdict;
}

/* "replica 2: " in front of what only one of several says. */
static void say_which(verdict_text *t, const cardo_verdict_input *in, int r)
{
    if (in->nreplica > 1)
        say(t, CARDO_VERDICT_CONVERGED, "replica %d: ", r + 1);
}

/* Two windows of a replica. */
typedef struct pair {
    int replica, first, second;
    double overlap;
} pair;

/* The neighbours that overlap least, among windows with samples, at each temperature. */
static pair least_of_neighbours(const cardo_verdict_input *in)
{
    pair least = {.first = -1, .overlap = 1};
    for (int r = 0; r < in->nreplica; ++r) {
        const cardo_mbar *mbar = in->replica[r].mbar;
        const int row = in->replica[r].row;
        int last = -1;
        for (int k = 0; mbar && k < mbar->data.nstate; ++k) {
            last = row > 0 && k % row == 0 ? -1 : last;
            if (mbar->data.count[k] == 0)
                continue;
            double o = last < 0 ? 1
                                : fmin(mbar->overlap[last * mbar->data.nstate + k],
                                       mbar->overlap[k * mbar->data.nstate + last]);
            if (last >= 0 && (o < least.overlap || least.first < 0))
                least = (pair){r, last, k, o};
            last = k;
        }
    }
    return least;
}

static void judge_overlap(const cardo_verdict_input *in, verdict_text *t)
{
    const pair least = least_of_neighbours(in);
    if (least.first < 0)
        return;
    if (least.overlap >= least_overlap) {
        say(t, CARDO_VERDICT_CONVERGED, "neighbouring windows overlap by at least %.2f\n",
            least.overlap);
        return;
    }
    say_which(t, in, least.replica);
    say(t, CARDO_VERDICT_DOUBTFUL,
        "windows %d and %d overlap by %.2g only (%.2f is little): put a window between them, or "
        "make their springs softer\n",
        least.first + 1, least.second + 1, least.overlap, least_overlap);
}

/* Bhattacharyya's coefficient of Gaussians with these means and variances: 1, the same; 0, apart. */
static double alike(const cardo_verdict_moments *a, const cardo_verdict_moments *b)
{
    const double sum = a->variance + b->variance, apart = a->mean - b->mean;
    return sum > 0
               ? sqrt(2 * sqrt(a->variance * b->variance) / sum) * exp(-0.25 * apart * apart / sum)
               : 1;
}

static const cardo_verdict_moments *moments_of(const cardo_verdict_input *in, int r, int walker,
                                               int coordinate)
{
    return &in->replica[r].moments[walker * in->ncoordinate + coordinate];
}

/* What neighbouring windows have seen of a coordinate besides the variable. Windows that exchange mix
 * it by themselves. */
static void judge_neighbours(const cardo_verdict_input *in, int coordinate, verdict_text *t)
{
    for (int r = 0; r < in->nreplica; ++r) {
        const cardo_verdict_replica *replica = &in->replica[r];
        for (int k = 1; replica->mbar && replica->passages < 0 && k < replica->nwalker; ++k) {
            const cardo_verdict_moments *before = moments_of(in, r, k - 1, coordinate),
                                        *here = moments_of(in, r, k, coordinate);
            if ((replica->row > 0 && k % replica->row == 0) || alike(here, before) >= least_overlap)
                continue;
            say_which(t, in, r);
            say(t, CARDO_VERDICT_NOT_CONVERGED,
                "windows %d and %d have seen different values of %s, about %.4g and %.4g: what "
                "lies between them was not sampled (sample.exchange=yes, more windows, or a longer "
                "run)\n",
                k, k + 1, in->names[coordinate], before->mean, here->mean);
            return;
        }
    }
}

/* Walkers that should have seen the same of everything: all that roam, or those of one place in all
 * replicas. */
typedef struct group {
    int place; /* -1: all that roam */
} group;

/* The mean of a coordinate, the square of its standard error, and how many independent values, of a group
 * without walker `left` of replica `out`, or the square of that one's own error alone. */
typedef struct group_mean {
    double mean, square, worth;
} group_mean;

static bool is_in(group g, int walker)
{
    return g.place < 0 || g.place == walker;
}

static group_mean mean_of(const cardo_verdict_input *in, group g, int coordinate, int out, int left)
{
    double sum = 0, squares = 0, worth = 0;
    for (int r = 0; r < in->nreplica; ++r)
        for (int k = 0; k < in->replica[r].nwalker; ++k) {
            const cardo_verdict_moments *m = moments_of(in, r, k, coordinate);
            if (!is_in(g, k) || (r == out && k == left))
                continue;
            worth += m->effective;
            sum += m->effective * m->mean;
            squares += m->effective * (m->variance + m->mean * m->mean);
        }
    if (!(worth > 0))
        return (group_mean){0};
    const double mean = sum / worth;
    return (group_mean){mean, fmax(0, squares / worth - mean * mean) / worth, worth};
}

/* The mean variance within the series of a group. */
static double variance_within(const cardo_verdict_input *in, group g, int coordinate)
{
    double sum = 0;
    int n = 0;
    for (int r = 0; r < in->nreplica; ++r)
        for (int k = 0; k < in->replica[r].nwalker; ++k) {
            const cardo_verdict_moments *m = moments_of(in, r, k, coordinate);
            if (!is_in(g, k) || !(m->effective > 0))
                continue;
            sum += m->variance;
            ++n;
        }
    return n > 0 ? sum / n : 0;
}

/* The walker of a group that is farthest from the others, in standard errors, of those that are by more than one
 * standard deviation: what is within that was seen by all of them, longer by some than by others. */
static double farthest(const cardo_verdict_input *in, group g, int coordinate, int *replica,
                       int *walker)
{
    double most = 0;
    const double within = variance_within(in, g, coordinate);
    for (int r = 0; r < in->nreplica; ++r)
        for (int k = 0; k < in->replica[r].nwalker; ++k) {
            const cardo_verdict_moments *m = moments_of(in, r, k, coordinate);
            const group_mean others = mean_of(in, g, coordinate, r, k);
            const double difference = fabs(m->mean - others.mean);
            if (!is_in(g, k) || !(m->effective > 0) || !(others.worth > 0) ||
                difference * difference <= within)
                continue;
            const double error = sqrt(m->variance / m->effective + others.square);
            const double apart = error > 0 ? difference / error : 0;
            if (apart > most) {
                most = apart;
                *replica = r;
                *walker = k;
            }
        }
    return most;
}

static int group_count(const cardo_verdict_input *in)
{
    return in->replica->nwalker == 0 ? 0 : in->replica->roam ? 1 : in->replica->nwalker;
}

static group group_of(const cardo_verdict_input *in, int number)
{
    return (group){in->replica->roam ? -1 : number};
}

/* Whether walkers that should have seen the same have done so. */
static void judge_groups(const cardo_verdict_input *in, int coordinate, verdict_text *t)
{
    double most = 0;
    int replica = 0, walker = 0, worst = -1;
    for (int n = 0; n < group_count(in); ++n) {
        int r = 0, k = 0;
        double apart = farthest(in, group_of(in, n), coordinate, &r, &k);
        if (apart > most) {
            most = apart;
            worst = n;
            replica = r;
            walker = k;
        }
    }
    if (worst < 0 || most <= most_apart_anywhere)
        return;
    say_which(t, in, replica);
    say(t, CARDO_VERDICT_NOT_CONVERGED,
        "%s %d has seen other values of %s than the others, about %.4g and not %.4g (%.1f standard "
        "errors): it still depends on where it began\n",
        in->replica->mbar ? "window" : "walker", walker + 1, in->names[coordinate],
        moments_of(in, replica, walker, coordinate)->mean,
        mean_of(in, group_of(in, worst), coordinate, replica, walker).mean, most);
}

/* Of a group: squares of what halves of series differ from their mean, over the variance within series;
 * how many such halves there are. */
typedef struct group_scatter {
    double squares;
    int halves;
} group_scatter;

static group_scatter scatter_of(const cardo_verdict_input *in, group g, int coordinate)
{
    double sum = 0, squares = 0;
    const double within = variance_within(in, g, coordinate);
    int n = 0;
    for (int r = 0; r < in->nreplica; ++r)
        for (int k = 0; k < in->replica[r].nwalker; ++k) {
            const cardo_verdict_moments *m = moments_of(in, r, k, coordinate);
            if (!is_in(g, k) || !(m->effective > 0))
                continue;
            sum += m->half[0] + m->half[1];
            n += 2;
        }
    for (int r = 0; r < in->nreplica && n > 0; ++r)
        for (int k = 0; k < in->replica[r].nwalker; ++k) {
            const cardo_verdict_moments *m = moments_of(in, r, k, coordinate);
            if (is_in(g, k) && m->effective > 0)
                squares += (m->half[0] - sum / n) * (m->half[0] - sum / n) +
                           (m->half[1] - sum / n) * (m->half[1] - sum / n);
        }
    return (group_scatter){squares > 0 ? squares / within : 0, n};
}

/* Independent values of a coordinate that a group has seen, by how far walkers, and the halves of what each
 * has seen, are from one another (the idea of Gelman & Rubin 1992, Stat. Sci. 7, 457), over all groups.
 * A series that is short beside its memory does not tell how long that is; several of them do. */
static double worth_by_scatter(const cardo_verdict_input *in, int coordinate)
{
    double squares = 0;
    int freedoms = 0, halves = 0;
    for (int n = 0; n < group_count(in); ++n) {
        group_scatter s = scatter_of(in, group_of(in, n), coordinate);
        squares += s.squares;
        halves += s.halves;
        freedoms += s.halves > 0 ? s.halves - 1 : 0;
    }
    return squares > 0 ? (double)halves / group_count(in) * freedoms / squares : HUGE_VAL;
}

static void judge_scatter(const cardo_verdict_input *in, verdict_text *t)
{
    double least = HUGE_VAL;
    int slowest = -1;
    for (int c = 0; c < in->ncoordinate && in->nreplica > 1; ++c) {
        const double worth = worth_by_scatter(in, c);
        if (worth < least) {
            least = worth;
            slowest = c;
        }
    }
    if (slowest >= 0 && least < 1e4)
        say(t, least < least_worth_by_scatter ? CARDO_VERDICT_DOUBTFUL : CARDO_VERDICT_CONVERGED,
            "by how far walkers are from one another, %s saw %.3g independent values of %s%s\n",
            in->replica->roam ? "they" : "each place", least, in->names[slowest],
            least < least_worth_by_scatter ? ", too few: run longer" : "");
}

/* Few changes between two wells are many values in each. */
static void judge_crossings(const cardo_verdict_input *in, verdict_text *t)
{
    int slowest = -1;
    for (int c = 1; in->crossings && c < in->ncoordinate; ++c)
        if (in->crossings[c] >= 0 && (slowest < 0 || in->crossings[c] < in->crossings[slowest]))
            slowest = c;
    if (slowest < 0)
        return;
    const bool few = in->crossings[slowest] < fewest_crossings;
    say(t, few ? CARDO_VERDICT_DOUBTFUL : CARDO_VERDICT_CONVERGED,
        "%s went from one side of where it was seen to the other %.2g times a walker%s\n",
        in->names[slowest], in->crossings[slowest],
        few ? ", too few to know how much time it spends on either: run longer" : "");
}

static void judge_worth(const cardo_verdict_input *in, verdict_text *t)
{
    double least = HUGE_VAL;
    int slowest = -1, place = -1;
    for (int c = 0; c < in->ncoordinate; ++c)
        for (int n = 0; n < group_count(in); ++n) {
            double worth = mean_of(in, group_of(in, n), c, -1, -1).worth;
            if (worth < least) {
                least = worth;
                slowest = c;
                place = group_of(in, n).place;
            }
        }
    if (slowest < 0)
        return;
    char where[64] = "all walkers together have";
    if (place >= 0)
        snprintf(where, sizeof where, "%s %d has", in->replica->mbar ? "window" : "walker",
                 place + 1);
    say(t, least < least_worth ? CARDO_VERDICT_DOUBTFUL : CARDO_VERDICT_CONVERGED,
        "%s seen %.3g independent values of %s%s\n", where, least, in->names[slowest],
        least < least_worth   ? ", too few to know how slowly it moves"
        : in->ncoordinate > 1 ? ", the slowest of what is recorded"
                              : "");
}

/* Passages that a replica needs: a way there and one back of each walker that roams, or, in strata, of the
 * one that moved least. Of configurations that exchange carries from window to window as many as there are
 * of them, where they have more to remember than the variable: those that never came along do. */
static int fewest_passages(const cardo_verdict_input *in, const cardo_verdict_replica *replica)
{
    const int nwalker = replica->nwalker > 1 ? replica->nwalker : 1;
    if (replica->mbar)
        return in->ncoordinate > 1 && nwalker > 2 ? nwalker : 2;
    return replica->roam ? 2 * nwalker : 2;
}

static void judge_passages(const cardo_verdict_input *in, verdict_text *t)
{
    for (int r = 0; r < in->nreplica; ++r) {
        const int n = in->replica[r].passages, fewest = fewest_passages(in, &in->replica[r]);
        if (n < 0 || n >= fewest)
            continue;
        say_which(t, in, r);
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "%d passage%s from one end of the range to the other, of the %d that it takes (%s): "
            "run "
            "longer, or sample a shorter range\n",
            n, n == 1 ? "" : "s", fewest,
            in->replica[r].mbar ? "of configurations" : "each walker there and back");
    }
}

static void judge_haste(const cardo_verdict_input *in, verdict_text *t)
{
    double haste = 0;
    for (int r = 0; r < in->nreplica; ++r)
        haste = fmax(haste, in->replica[r].haste);
    if (haste > most_haste)
        say(t, CARDO_VERDICT_DOUBTFUL,
            "the bias rose by %.2g kT within the time that a walker takes to forget where it was, "
            "too fast for reweighting: add lower hills, or add them less often, or with a smaller "
            "bias factor, or run longer\n",
            haste);
}

static double lowest_of(const cardo_verdict_input *in)
{
    double lowest = INFINITY;
    for (int i = 0; i < in->n; ++i)
        lowest = fmin(lowest, in->F[i]);
    return lowest;
}

static bool is_judged(const cardo_verdict_input *in, double lowest, int i)
{
    return !(in->highest > 0 && in->F[i] > lowest + in->highest);
}

static void judge_profile(const cardo_verdict_input *in, verdict_text *t)
{
    const double lowest = lowest_of(in);
    double most = 0;
    int empty = 0, first = 0, at = 0;
    for (int i = in->n - 1; i >= 0; --i) {
        first = isnan(in->F[i]) ? i : first;
        empty += isnan(in->F[i]);
        if (in->F[i] <= lowest + (in->highest > 0 ? in->highest : (double)INFINITY) &&
            !(in->sigma[i] <= most)) {
            most = in->sigma[i];
            at = i;
        }
    }
    if (empty > 0)
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "%d of %d bins of the range were never visited, such as %s = %.4g: nothing is known of "
            "them\n",
            empty, in->n, in->coordinate, in->xi[first]);
    if (empty == in->n)
        return;
    say(t, CARDO_VERDICT_CONVERGED, "the standard error is at most %.3g kT, at %s = %.4g\n", most,
        in->coordinate, in->xi[at]);
    const double unresolved = in->unresolved ? in->unresolved[at] : 0;
    if (in->target > 0 && most > in->target && 2 * unresolved * unresolved > most * most)
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "that is above the %.2g kT asked for, mostly because the force is not linear between "
            "nodes: begin again with twice as many force-bins\n",
            in->target);
    else if (in->target > 0 && !(most <= in->target))
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "that is above the %.2g kT asked for: about %.0f times as long a run would reach it\n",
            in->target, ceil(most * most / (in->target * in->target)));
}

static void judge_states(const cardo_verdict_input *in, verdict_text *t)
{
    for (int s = 0; s < in->nstate; ++s) {
        const double from = in->state[2 * s], to = in->state[2 * s + 1];
        if (isnan(in->state_F[s])) {
            if (!in->halves)
                say(t, CARDO_VERDICT_NOT_CONVERGED, "state %g to %g: not sampled\n", from, to);
            t->verdict = CARDO_VERDICT_NOT_CONVERGED;
        } else if (s > 0 && in->target > 0 && !(in->state_sigma[s] <= in->target)) {
            say(t, CARDO_VERDICT_NOT_CONVERGED,
                "the free energy of %g to %g is known to %.3g kT, not to the %.2g kT asked for\n",
                from, to, in->state_sigma[s], in->target);
        }
    }
}

/* By how many standard errors of both two replicas differ in a state; infinite where one knows nothing
 * of it. */
static double apart_in_state(const cardo_verdict_input *in, int a, int b, int s)
{
    const cardo_verdict_replica *x = &in->replica[a], *y = &in->replica[b];
    double apart =
        fabs(x->state_F[s] - y->state_F[s]) / hypot(x->state_sigma[s], y->state_sigma[s]);
    return isnan(apart) ? (double)INFINITY : apart;
}

static double apart_in_profile(const cardo_verdict_input *in, int a, int b)
{
    const double lowest = lowest_of(in);
    double most = 0;
    for (int i = 0; i < in->n; ++i) {
        const cardo_verdict_replica *x = &in->replica[a], *y = &in->replica[b];
        double apart = fabs(x->F[i] - y->F[i]) / hypot(x->sigma[i], y->sigma[i]);
        if (is_judged(in, lowest, i) && apart > most)
            most = apart;
    }
    return most;
}

static void judge_replicas(const cardo_verdict_input *in, verdict_text *t)
{
    double in_states = 0, in_profile = 0;
    if (in->nreplica < 2) {
        say(t, CARDO_VERDICT_DOUBTFUL,
            "one replica alone: whether its result depends on where it began cannot be tested "
            "(%s)\n",
            in->another ? in->another : "sample.replicas=2");
        return;
    }
    for (int a = 0; a < in->nreplica; ++a)
        for (int b = a + 1; b < in->nreplica; ++b) {
            for (int s = 1; s < in->nstate; ++s)
                in_states = fmax(in_states, apart_in_state(in, a, b, s));
            in_profile = fmax(in_profile, apart_in_profile(in, a, b));
        }
    if (isinf(in_states))
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "not every replica has seen all states: they cannot be compared\n");
    else if (in_states > most_apart || in_profile > most_apart_anywhere)
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "replicas from different starts differ by %.1f standard errors%s: their results depend "
            "on where they began\n",
            in_states > most_apart ? in_states : in_profile,
            in_states > most_apart ? "" : " in places");
    else
        say(t, CARDO_VERDICT_CONVERGED,
            "replicas from different starts agree (%.1f standard errors apart)\n", in_states);
}

static void judge_halves(const cardo_verdict_input *in, verdict_text *t)
{
    if (!(in->first_sigma > 0 && in->last_sigma > 0) || isnan(in->first_half - in->last_half)) {
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "half of the run is too short to know the free energy: whether it still changes cannot "
            "be tested\n");
        return;
    }
    /* Halves of a run with standard error sigma have sqrt(2) sigma each; where they know themselves less
     * well than that, the run knows itself less well than it says. */
    const double difference = fabs(in->first_half - in->last_half);
    const double own = in->nstate > 1 ? 2 * in->state_sigma[1] : (double)INFINITY;
    const double apart = difference / fmin(hypot(in->first_sigma, in->last_sigma), own);
    if (apart > most_apart)
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "the first and the last half of the run differ by %.2f kT, %.1f standard errors: "
            "it has not come to equilibrium\n",
            difference, apart);
    else
        say(t, CARDO_VERDICT_CONVERGED,
            "the first and the last half of the run agree (%.2f kT, %.1f standard errors "
            "apart)\n",
            difference, apart);
}

const char *cardo_verdict_word(cardo_verdict verdict)
{
    static const char *const words[] = {"converged", "doubtful", "not converged"};
    return words[verdict];
}

cardo_verdict cardo_free_energy_verdict(const cardo_verdict_input *in, char *text, size_t size)
{
    verdict_text t = {text, size, CARDO_VERDICT_CONVERGED};
    text[0] = '\0';
    judge_overlap(in, &t);
    for (int c = 1; c < in->ncoordinate; ++c)
        judge_neighbours(in, c, &t);
    for (int c = 1; c < in->ncoordinate; ++c)
        judge_groups(in, c, &t);
    if (in->folded)
        say(&t, CARDO_VERDICT_DOUBTFUL,
            "%s is folded, and all samples lie on one side of the point where it turns back: the "
            "other branch is not in F\n",
            in->coordinate);
    judge_worth(in, &t);
    judge_scatter(in, &t);
    judge_crossings(in, &t);
    judge_passages(in, &t);
    judge_haste(in, &t);
    judge_profile(in, &t);
    judge_states(in, &t);
    judge_replicas(in, &t);
    judge_halves(in, &t);
    say(&t, t.verdict, "%s\n",
        t.verdict == CARDO_VERDICT_CONVERGED  ? "converged"
        : t.verdict == CARDO_VERDICT_DOUBTFUL ? "doubtful: errors may be larger than given"
                                              : "not converged");
    return t.verdict;
}
