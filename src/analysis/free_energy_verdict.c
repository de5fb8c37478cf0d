#include "analysis/free_energy_verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double least_overlap = 0.03, least_independent = 20, most_apart = 3;
/* kT. About there error bars begin to come out too small (sampling/README.md). */
static const double most_haste = 0.5;

typedef struct verdict_text {
    char *text;
    size_t size, used;
    cardo_verdict verdict;
} verdict_text;

__attribute__((format(printf, 3, 4))) static void say(verdict_text *t, cardo_verdict worst,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(t->text + t->used, t->size - t->used, format, arguments);
    va_end(arguments);
    t->used += n > 0 ? (size_t)n : 0;
    t->used = t->used < t->size ? t->used : t->size - 1;
    t->verdict = worst > t->verdict ? worst : t->verdict;
}

/* Neighbours among windows with samples, at each temperature. */
static void judge_windows(const cardo_verdict_input *in, verdict_text *t)
{
    const cardo_mbar *mbar = in->mbar;
    const int n = mbar->data.nstate;
    double least = 1;
    int last = -1, at = -1, before = -1;
    for (int k = 0; k < n; ++k) {
        if (in->row > 0 && k % in->row == 0)
            last = -1;
        if (mbar->data.count[k] == 0)
            continue;
        if (last >= 0) {
            double overlap = fmin(mbar->overlap[last * n + k], mbar->overlap[k * n + last]);
            if (overlap < least) {
                least = overlap;
                at = k;
                before = last;
            }
        }
        last = k;
    }
    if (at >= 0 && least < least_overlap)
        say(t, CARDO_VERDICT_DOUBTFUL,
            "windows %d and %d overlap by %.2g only (%.2f is little): put a window between them, "
            "or "
            "make them softer\n",
            before + 1, at + 1, least, least_overlap);
    else if (at >= 0)
        say(t, CARDO_VERDICT_CONVERGED, "neighbouring windows overlap by at least %.2f\n", least);
    for (int k = 0; in->independent && k < n; ++k)
        if (mbar->data.count[k] > 0 && in->independent[k] < least_independent) {
            say(t, CARDO_VERDICT_DOUBTFUL,
                "window %d: its %d samples are worth %.0f independent ones, too few to know their "
                "own correlation\n",
                k + 1, mbar->data.count[k], in->independent[k]);
            break;
        }
}

static void judge_walkers(const cardo_verdict_input *in, verdict_text *t)
{
    if (in->worth > 0 && in->worth < least_independent)
        say(t, CARDO_VERDICT_DOUBTFUL,
            "all walkers together have seen %.0f independent places, too few to know how slowly "
            "they forget\n",
            in->worth);
    if (in->haste > most_haste)
        say(t, CARDO_VERDICT_DOUBTFUL,
            "the bias rose by %.2g kT while a walker forgot its place, too fast for weights to "
            "hold: lay lower hills, or more seldom, or at a smaller bias factor, or run on\n",
            in->haste);
}

static void judge_profile(const cardo_verdict_input *in, verdict_text *t)
{
    double lowest = INFINITY, most = 0, limit;
    int empty = 0, at = 0;
    for (int i = 0; i < in->n; ++i)
        lowest = fmin(lowest, in->F[i]);
    limit = in->highest > 0 ? lowest + in->highest : (double)INFINITY;
    for (int i = 0; i < in->n; ++i) {
        empty += isnan(in->F[i]);
        if (in->F[i] <= limit && in->sigma[i] > most) {
            most = in->sigma[i];
            at = i;
        }
    }
    if (empty > 0)
        say(t, CARDO_VERDICT_CONVERGED, "%d of %d bins were never visited\n", empty, in->n);
    if (in->n > 0)
        say(t, CARDO_VERDICT_CONVERGED, "the standard error is at most %.3g kT, at %s = %.4g\n",
            most, in->coordinate, in->xi[at]);
    const double unresolved = in->unresolved ? in->unresolved[at] : 0;
    if (in->target > 0 && most > in->target && 2 * unresolved * unresolved > most * most)
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "that is above the %.2g kT asked for, mostly as the force is not straight between "
            "places: begin anew with twice as many force-bins\n",
            in->target);
    else if (in->target > 0 && most > in->target)
        say(t, CARDO_VERDICT_NOT_CONVERGED,
            "that is above the %.2g kT asked for: about %.0f times as long a run would reach it\n",
            in->target, ceil(most * most / (in->target * in->target)));
}

cardo_verdict cardo_free_energy_verdict(const cardo_verdict_input *in, char *text, size_t size)
{
    verdict_text t = {text, size, 0, CARDO_VERDICT_CONVERGED};
    text[0] = '\0';
    if (in->mbar)
        judge_windows(in, &t);
    judge_walkers(in, &t);
    judge_profile(in, &t);
    if (in->first_sigma > 0 && in->last_sigma > 0) {
        double sigma = hypot(in->first_sigma, in->last_sigma);
        double apart = fabs(in->first_half - in->last_half) / sigma;
        if (apart > most_apart)
            say(&t, CARDO_VERDICT_NOT_CONVERGED,
                "the first and the last half of the run differ by %.2f kT, %.1f standard errors: "
                "it has not come to equilibrium\n",
                fabs(in->first_half - in->last_half), apart);
        else
            say(&t, CARDO_VERDICT_CONVERGED,
                "the first and the last half of the run agree (%.2f kT, %.1f standard errors "
                "apart)\n",
                fabs(in->first_half - in->last_half), apart);
    }
    say(&t, t.verdict, "%s\n",
        t.verdict == CARDO_VERDICT_CONVERGED  ? "converged"
        : t.verdict == CARDO_VERDICT_DOUBTFUL ? "doubtful: errors may be larger than given"
                                              : "not converged");
    return t.verdict;
}
