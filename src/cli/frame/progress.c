#include "cli/frame/progress.h"

#include <cardo/text.h>

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };
static const double redraw_seconds = 0.2;
/* What is over before that needs no lines in a log. */
static const double first_line_seconds = 1.0;

double cardo_program_clock(void)
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
                                 .started = cardo_program_clock(),
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

/* bar: what a terminal is told besides the time left; line: what others are. */
static void draw(cardo_progress *progress, long long step, const char *bar_text,
                 const char *line_text, double seconds)
{
    long long done = step - progress->first, all = progress->last - progress->first;
    double part = all > 0 ? (double)done / (double)all : 1.0;
    /* What is done, and no more: 9.5 % is 9 %, so that a log has each mark once. */
    const int percent = all > 0 ? (int)(100 * done / all) : 100;
    char left[32] = "?";
    if (done > 0)
        format_seconds(seconds * (double)(all - done) / (double)done, left);
    char rate[32] = "";
    if (progress->timestep > 0)
        cardo_format(rate, sizeof rate, "  %.3g ns/day",
                     cardo_ns_per_day(done, progress->timestep, seconds));
    if (progress->terminal) {
        char bar[BAR_WIDTH + 1];
        int filled = (int)(part * BAR_WIDTH);
        memset(bar, ' ', BAR_WIDTH);
        memset(bar, '#', (size_t)filled);
        bar[BAR_WIDTH] = '\0';
        cardo_print(stderr, "\r[%s] %3d %%  %s%s  %s left \033[K", bar, percent, bar_text, rate,
                    left);
        fflush(stderr);
    } else {
        cardo_print(stderr, "%3d %%  %s%s  %s left\n", percent, line_text, rate, left);
    }
}

/* Whether it is time to draw; then the clock, else below zero. */
static double due(cardo_progress *progress, long long step)
{
    if (progress->quiet)
        return -1;
    double t = cardo_program_clock();
    long long all = progress->last - progress->first;
    int decade = all > 0 ? (int)(10 * (step - progress->first) / all) : 10;
    bool is_due = progress->terminal
                      ? t - progress->shown > redraw_seconds || step == progress->last
                      : decade > progress->decade && t - progress->started > first_line_seconds;
    if (!is_due)
        return -1;
    progress->shown = t;
    progress->decade = decade;
    return t;
}

/* Of what nobody knows how long it takes: how far it is. */
static void count(cardo_progress *progress, long long done, const char *what)
{
    enum { LINE_EVERY = 500 };
    const double t = cardo_program_clock();
    if (progress->quiet || (progress->terminal && t - progress->shown <= redraw_seconds) ||
        (!progress->terminal && (done == 0 || done % LINE_EVERY != 0)))
        return;
    progress->shown = t;
    fprintf(stderr, progress->terminal ? "\r%s: %lld\033[K" : "%s: %lld\n", what, done);
    fflush(stderr);
}

/* A step of dynamics, and what it came to. */
static void draw_step(cardo_progress *progress, long long step, double seconds)
{
    char bar[96], line[160];
    cardo_format(bar, sizeof bar, "step %lld  %.0f K", step, progress->temperature);
    cardo_format(line, sizeof line, "step %lld of %lld  U %.1f kJ/mol  T %.0f K", step,
                 progress->last, progress->potential, progress->temperature);
    draw(progress, step, bar, line, seconds);
}

void cardo_progress_tell(cardo_progress *progress, long long done, const char *what)
{
    char text[96];
    /* an estimate may be exceeded */
    if (progress->last <= 0 || done > progress->last) {
        count(progress, done, what);
        return;
    }
    double t = due(progress, done);
    if (t < 0)
        return;
    snprintf(text, sizeof text, "%s %lld of %lld", what, done, progress->last);
    if (progress->framed)
        draw_step(progress, done, t - progress->started);
    else
        draw(progress, done, text, text, t - progress->started);
}

double cardo_progress_finish(cardo_progress *progress)
{
    if (progress->terminal && !progress->quiet)
        fputc('\n', stderr);
    return cardo_program_clock() - progress->started;
}
