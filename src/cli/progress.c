#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };
static const double redraw_seconds = 0.2;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double cardo_ns_per_day(long long steps, double timestep, double seconds)
{
    return seconds > 0 ? (double)steps * timestep * 1e-3 / seconds * 86400.0 : 0.0;
}

void cardo_progress_start(cardo_progress *progress, long long first, long long last,
                          double timestep, bool quiet)
{
    *progress = (cardo_progress){.first = first,
                                 .last = last,
                                 .timestep = timestep,
                                 .started = now(),
                                 .decade = -1,
                                 .terminal = isatty(STDERR_FILENO) != 0,
                                 .quiet = quiet};
}

static void format_seconds(double seconds, char text[32])
{
    long s = (long)(seconds + 0.5);
    if (s >= 3600)
        snprintf(text, 32, "%ld h %02ld min", s / 3600, s / 60 % 60);
    else if (s >= 60)
        snprintf(text, 32, "%ld min %02ld s", s / 60, s % 60);
    else
        snprintf(text, 32, "%ld s", s);
}

static void draw(cardo_progress *progress, const cardo_frame *frame, double seconds)
{
    long long done = frame->step - progress->first, all = progress->last - progress->first;
    double part = all > 0 ? (double)done / (double)all : 1.0;
    char left[32] = "?";
    if (done > 0)
        format_seconds(seconds * (double)(all - done) / (double)done, left);
    double rate = cardo_ns_per_day(done, progress->timestep, seconds);
    if (progress->terminal) {
        char bar[BAR_WIDTH + 1];
        int filled = (int)(part * BAR_WIDTH);
        memset(bar, ' ', BAR_WIDTH);
        memset(bar, '#', (size_t)filled);
        bar[BAR_WIDTH] = '\0';
        fprintf(stderr, "\r[%s] %3.0f %%  step %lld  %.0f K  %.3g ns/day  %s left \033[K", bar,
                100 * part, frame->step, frame->temperature, rate, left);
        fflush(stderr);
    } else {
        fprintf(stderr,
                "%3.0f %%  step %lld of %lld  U %.1f kJ/mol  T %.0f K  %.3g ns/day  %s left\n",
                100 * part, frame->step, progress->last, frame->potential, frame->temperature, rate,
                left);
    }
}

cardo_status cardo_progress_observe(void *user, const cardo_frame *frame, cardo_error *error)
{
    (void)error;
    cardo_progress *progress = user;
    if (progress->quiet)
        return CARDO_OK;
    double t = now();
    long long all = progress->last - progress->first;
    int decade = all > 0 ? (int)(10 * (frame->step - progress->first) / all) : 10;
    bool due = progress->terminal
                   ? t - progress->shown > redraw_seconds || frame->step == progress->last
                   : decade > progress->decade;
    if (due) {
        draw(progress, frame, t - progress->started);
        progress->shown = t;
        progress->decade = decade;
    }
    return CARDO_OK;
}

double cardo_progress_finish(cardo_progress *progress)
{
    if (progress->terminal && !progress->quiet)
        fputc('\n', stderr);
    return now() - progress->started;
}
