#include "study/saxs/posed_frames.h"

#include "base/memory.h"
#include "cardo/structure.h"

#include <math.h>
#include <string.h>

/* Bodies whose atoms are further from where a pose has them than this are not rigid: nm, rms. */
static const double not_rigid = 0.01;

/* Frames of a thread's turn: threads wake once for as many. */
enum { TURN = 4 };

typedef struct cardo_posed_worker {
    cardo_profile_room room;
    double *from, *to, *pose; /* of one body's scatterers (n x 3 each); 12 numbers a body */
    cardo_status status;
    cardo_error error;
} posed_worker;

cardo_status cardo_posed_frames_make(const cardo_profile_plan *plan, const cardo_scatterers *s,
                                     int nbody, const int *body, int natom, cardo_posed_frames *out,
                                     cardo_error *error)
{
    cardo_status status;
    const int threads = cardo_pool_threads(plan->pool);
    const size_t coordinates = 3 * (size_t)s->n;
    out->plan = plan;
    out->scatterers = s;
    out->body = body;
    out->nbody = nbody;
    CARDO_TRY(CARDO_ALLOCATE(&out->made, coordinates, error));
    memcpy(out->made, s->position, coordinates * sizeof *out->made);
    CARDO_TRY(CARDO_ALLOCATE(&out->frame, threads * TURN, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->worker, threads, error));
    out->room = threads * TURN;
    for (int t = 0; t < threads; ++t) {
        posed_worker *w = &out->worker[t];
        CARDO_TRY(cardo_profile_room_make(plan, &w->room, error));
        CARDO_TRY(CARDO_ALLOCATE(&w->from, coordinates, error));
        CARDO_TRY(CARDO_ALLOCATE(&w->to, coordinates, error));
        CARDO_TRY(CARDO_ALLOCATE(&w->pose, 12 * nbody, error));
    }
    for (int k = 0; k < out->room; ++k) {
        CARDO_TRY(CARDO_ALLOCATE(&out->frame[k].positions, 3 * (size_t)natom, error));
        CARDO_TRY(
            CARDO_ALLOCATE(&out->frame[k].partials, CARDO_PARTIALS * (size_t)plan->nq, error));
    }
done:
    return status;
}

void cardo_posed_frames_clear(cardo_posed_frames *f)
{
    for (int k = 0; k < f->room; ++k) {
        cardo_free(f->frame[k].positions);
        cardo_free(f->frame[k].partials);
    }
    for (int t = 0; t < f->room / TURN; ++t) {
        cardo_profile_room_clear(&f->worker[t].room);
        cardo_free(f->worker[t].from);
        cardo_free(f->worker[t].to);
        cardo_free(f->worker[t].pose);
    }
    cardo_free(f->frame);
    cardo_free(f->worker);
    cardo_free(f->made);
    *f = (cardo_posed_frames){0};
}

static cardo_status pose_bodies(const cardo_posed_frames *f, posed_worker *w,
                                cardo_posed_frame *frame)
{
    const cardo_scatterers *s = f->scatterers;
    frame->loosest = 0;
    for (int b = 0; b < f->nbody; ++b) {
        int n = 0;
        cardo_transform X;
        double rms = 0;
        for (int i = 0; i < s->n; ++i)
            if (f->body[i] == b) {
                memcpy(w->from + 3 * n, f->made + 3 * i, 3 * sizeof *f->made);
                memcpy(w->to + 3 * n, frame->positions + 3 * s->atom[i], 3 * sizeof *f->made);
                ++n;
            }
        const cardo_status status = cardo_superpose(n, w->from, w->to, NULL, &X, &rms, &w->error);
        if (status != CARDO_OK)
            return status;
        memcpy(w->pose + 12 * b, X.R.m, sizeof X.R.m);
        memcpy(w->pose + 12 * b + 9, &X.p, 3 * sizeof(double));
        frame->loosest = fmax(frame->loosest, rms);
    }
    frame->rigid = frame->loosest < not_rigid;
    return CARDO_OK;
}

static cardo_status look_at(const cardo_posed_frames *f, posed_worker *w, cardo_posed_frame *frame)
{
    const cardo_status status = pose_bodies(f, w, frame);
    if (status != CARDO_OK || !frame->rigid)
        return status;
    frame->gyration = cardo_scatterers_gyration_posed(f->scatterers, f->body, w->pose);
    return cardo_profile_in_room(f->plan, &w->room, w->pose, frame->partials, &w->error);
}

/* A thread's turn: no two write to the same place. */
static void take_turn(void *arg, int turn)
{
    cardo_posed_frames *f = arg;
    posed_worker *w = &f->worker[turn];
    const int end = (turn + 1) * TURN < f->asked ? (turn + 1) * TURN : f->asked;
    w->status = CARDO_OK;
    for (int k = turn * TURN; k < end && w->status == CARDO_OK; ++k)
        w->status = look_at(f, w, &f->frame[k]);
}

cardo_status cardo_posed_frames_find(cardo_posed_frames *f, int n, cardo_error *error)
{
    const int turns = (n + TURN - 1) / TURN;
    f->asked = n;
    cardo_pool_run(f->plan->pool, turns, take_turn, f);
    for (int t = 0; t < turns; ++t)
        if (f->worker[t].status != CARDO_OK) {
            if (error)
                *error = f->worker[t].error;
            return f->worker[t].status;
        }
    return CARDO_OK;
}
