#include "study/saxs/ensemble.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "cardo/structure.h"
#include "experiment/saxs/exposure.h"
#include "model/model.h"
#include "structure/pdb/pdb.h"
#include "study/saxs/groups.h"
#include "study/saxs/posed_frames.h"
#include "study/scattering/bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

typedef struct frames {
    cardo_saxs_context *context;
    const cardo_frame_reader *reader;
    cardo_frames *file;
    cardo_session *opened; /* of the model that has the atoms, or NULL */
    cardo_structure *read; /* else the structure that has them         */
    const cardo_structure *atoms;
    cardo_scatterers s;
    cardo_profile_plan plan;
    cardo_scattering_bodies bodies;
    cardo_posed_frames posed;
    bool rigid;
    double *positions, *partials;
    cardo_profile_groups groups;
    cardo_saxs_measured measured;
    cardo_labelled labelled;
    long long count, without; /* frames; those in which a label has no room        */
    int no_room;              /* one of these labels                               */
    double loosest;           /* rms of a body about its pose, nm                  */
} frames;

/* The model's atoms, or those of the first structure or of the run's topology.pdb. */
static cardo_status find_atoms(frames *f, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_saxs_context *c = f->context;
    char *path = NULL;
    if (c->model_path) {
        const cardo_session_options options = {.size = sizeof options, .model_alone = true};
        CARDO_TRY(
            cardo_session_open(c->model_path, &options, &c->session->listener, &f->opened, error));
        f->atoms = f->opened->model->structure[0].structure;
        goto done;
    }
    CARDO_TRY(cardo_path_beside(c->frames_path, "topology.pdb", &path, error));
    CARDO_TRY(cardo_structure_read(path, 0, &f->read, error));
    f->atoms = f->read;
done:
    cardo_free(path);
    return status;
}

static cardo_status read_frame(frames *f, long long k, cardo_error *error)
{
    const cardo_status status = f->reader->read(f->file, k, f->positions, error);
    if (status == CARDO_OK)
        cardo_scatterers_move(&f->s, f->positions);
    return status;
}

/* A superposition needs three atoms that are not in a line. */
static bool all_can_be_posed(const frames *f)
{
    for (int b = 0; b < f->bodies.n; ++b) {
        int n = 0;
        for (int i = 0; i < f->s.n; ++i)
            n += f->bodies.body[i] == b;
        if (n < 4)
            return false;
    }
    return true;
}

static cardo_status make_tables(frames *f, double size, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!f->opened)
        return CARDO_OK;
    const cardo_model *model = f->opened->model;
    cardo_transform *poses = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&poses, model->nbody + 1, error));
    for (int b = 0; b <= model->nbody; ++b)
        for (int d = 0; d < 3; ++d)
            poses[b].R.m[d][d] = 1;
    CARDO_TRY(cardo_scattering_bodies_make(model, &f->s, poses, &f->bodies, error));
    if (all_can_be_posed(f))
        CARDO_TRY(cardo_profile_take_bodies(&f->plan, &f->s, f->bodies.n, f->bodies.body, size,
                                            true, error));
    f->rigid = f->plan.bodies != NULL;
    if (f->rigid)
        CARDO_TRY(cardo_posed_frames_make(&f->plan, &f->s, f->bodies.n, f->bodies.body,
                                          f->atoms->natom, &f->posed, error));
done:
    cardo_free(poses);
    return status;
}

/* The widest of a hundred frames, and a fifth more. */
static cardo_status find_size(frames *f, double *size, cardo_error *error)
{
    enum { SOME = 100 };
    *size = 0;
    for (int k = 0; k < SOME && k < f->count; ++k) {
        const cardo_status status =
            read_frame(f, f->count <= SOME ? k : k * (f->count - 1) / (SOME - 1), error);
        if (status != CARDO_OK)
            return status;
        *size = fmax(*size, cardo_scatterers_reach(&f->s));
    }
    *size *= 1.2;
    return CARDO_OK;
}

static cardo_status open(frames *f, cardo_error *error)
{
    cardo_status status;
    const cardo_curve *curve = &f->context->curve;
    double size;
    CARDO_TRY(find_atoms(f, error));
    CARDO_TRY(f->reader->open(f->context->frames_path, f->atoms->natom, &f->file, error));
    f->count = f->reader->count(f->file);
    if (f->count < CARDO_SAXS_FEWEST_TO_SMOOTH)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s has %lld frames; %d are needed for shares: give them as structures",
                          f->context->frames_path, f->count, CARDO_SAXS_FEWEST_TO_SMOOTH);
    CARDO_TRY(cardo_scatterers_make(f->atoms, &f->s, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->positions, 3 * (size_t)f->atoms->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->partials, CARDO_PARTIALS * (size_t)curve->n, error));
    CARDO_TRY(cardo_saxs_measured_open(f->context, CARDO_SAXS_MOST_GROUPS, &f->measured, error));
    CARDO_TRY(
        cardo_profile_groups_make(curve, f->measured.n, CARDO_SAXS_MOST_GROUPS, &f->groups, error));
    CARDO_TRY(find_size(f, &size, error));
    CARDO_TRY(cardo_profile_plan_make(curve->n, curve->q, size, f->context->options->tolerance,
                                      f->context->threads, &f->plan, error));
    CARDO_TRY(read_frame(f, 0, error));
    CARDO_TRY(cardo_exposure_find(&f->s, error));
    if (f->opened)
        CARDO_TRY(cardo_saxs_measured_label(&f->measured, f->atoms, f->opened->model->atom_body,
                                            &f->labelled, error));
    status = make_tables(f, size, error);
done:
    return status;
}

/* What labels would show in a frame; those without a model get their clouds anew, since nothing says what of it is rigid. */
static cardo_status measure(frames *f, const double *positions, int *without, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *without = -1;
    if (f->measured.n == 0)
        return CARDO_OK;
    if (!f->opened) {
        memcpy(f->read->position, positions, 3 * (size_t)f->read->natom * sizeof *positions);
        CARDO_TRY(cardo_saxs_measured_label(&f->measured, f->read, NULL, &f->labelled, error));
    }
    status = cardo_saxs_measured_find(&f->measured, &f->labelled, positions, 0, without, error);
    if (!f->opened)
        cardo_labelled_clear(&f->labelled);
done:
    return status;
}

static cardo_status find_by_atoms(frames *f, const double *positions, double *gyration,
                                  cardo_error *error)
{
    cardo_status status;
    cardo_scatterers_move(&f->s, positions);
    CARDO_TRY(cardo_exposure_find(&f->s, error));
    *gyration = cardo_scatterers_gyration(&f->s);
    status = cardo_profile_find(&f->plan, &f->s, f->partials, error);
done:
    return status;
}

/* By tables where the frame is one of rigid bodies, else by its atoms. posed: what the tables say of it, or NULL. */
static cardo_status take(frames *f, long long k, const cardo_posed_frame *posed,
                         const double *positions, cardo_error *error)
{
    cardo_status status;
    const double *partials = f->partials;
    double gyration;
    int without;
    if (posed && f->rigid)
        f->loosest = fmax(f->loosest, posed->loosest);
    if (posed && f->rigid && posed->rigid) {
        partials = posed->partials;
        gyration = posed->gyration;
    } else {
        f->rigid = false; /* nor are later ones: a model of other bodies, or none */
        CARDO_TRY(find_by_atoms(f, positions, &gyration, error));
    }
    CARDO_TRY(measure(f, positions, &without, error));
    if (without >= 0) {
        ++f->without;
        f->no_room = without;
    } else
        cardo_profile_groups_add(&f->groups, k + 1, partials, f->s.mean_volume, gyration,
                                 cardo_saxs_measured_row(&f->measured, 0));
done:
    if (status != CARDO_OK)
        cardo_error_prefix(error, "frame %lld: ", k + 1);
    return status;
}

/* Frames from k on, as many as are looked at at once; n: how many those were. */
static cardo_status visit(frames *f, long long k, int *n, cardo_error *error)
{
    cardo_status status;
    const bool rigid = f->rigid;
    const long long left = f->count - k;
    *n = !rigid ? 1 : left < f->posed.room ? (int)left : f->posed.room;
    for (int j = 0; j < *n; ++j)
        CARDO_TRY(f->reader->read(f->file, k + j,
                                  rigid ? f->posed.frame[j].positions : f->positions, error));
    if (rigid)
        CARDO_TRY(cardo_posed_frames_find(&f->posed, *n, error));
    for (int j = 0; j < *n; ++j)
        CARDO_TRY(take(f, k + j, rigid ? &f->posed.frame[j] : NULL,
                       rigid ? f->posed.frame[j].positions : f->positions, error));
done:
    return status;
}

static cardo_status visit_all(frames *f, cardo_error *error)
{
    const cardo_listener *listener = &f->context->session->listener;
    int n;
    for (long long k = 0; k < f->count; k += n) {
        const cardo_status status = visit(f, k, &n, error);
        if (status != CARDO_OK)
            return status;
        if (listener->progress)
            listener->progress(listener->user, "frame", k + n, f->count);
        if (listener->stop && *listener->stop)
            return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted");
    }
    if (f->groups.n == 0)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT, "label %s has no room in any of the %lld frames of %s",
            f->measured.table.label[f->no_room].name, f->count, f->context->frames_path);
    return CARDO_OK;
}

static void tell(const frames *f, bool by_tables)
{
    const cardo_listener *listener = &f->context->session->listener;
    char text[400];
    if (!listener->say)
        return;
    if (by_tables)
        cardo_format(text, sizeof text,
                     "%lld frames by tables of %d rigid bodies (atoms within %.2g A of them)",
                     f->count, f->bodies.n, angstroms * f->loosest);
    else
        cardo_format(text, sizeof text,
                     "%lld frames by their atoms: with the model (.xml) whose bodies are rigid in "
                     "them a frame takes a millisecond",
                     f->count);
    listener->say(listener->user, CARDO_SAID_NOTE, f->context->frames_path, text);
    if (f->without > 0)
        cardo_tell(listener, CARDO_SAID_WARNING, f->context->frames_path,
                   "%lld of %lld frames are left out: a label (%s) has no room in them", f->without,
                   f->count, f->measured.table.label[f->no_room].name);
}

cardo_status cardo_saxs_frames(cardo_saxs_context *context, cardo_result *into, cardo_error *error)
{
    frames f = {.context = context, .reader = context->options->frames};
    cardo_status status;
    CARDO_TRY(open(&f, error));
    CARDO_TRY(visit_all(&f, error));
    tell(&f, f.rigid);
    cardo_result_integer(into, &(cardo_quantity){"frames"}, f.count);
    cardo_result_truth(into, &(cardo_quantity){"rigid_bodies"}, f.rigid);
    cardo_result_integer(into, &(cardo_quantity){"frames_without_room"}, f.without);
    status = cardo_saxs_groups(context, &f.groups, &f.measured, into, error);
done:
    if (f.file)
        f.reader->close(f.file);
    cardo_profile_groups_clear(&f.groups);
    cardo_labelled_clear(&f.labelled);
    cardo_saxs_measured_clear(&f.measured);
    cardo_posed_frames_clear(&f.posed);
    cardo_profile_plan_clear(&f.plan);
    cardo_scattering_bodies_clear(&f.bodies);
    cardo_scatterers_clear(&f.s);
    cardo_structure_destroy(f.read);
    cardo_session_close(f.opened);
    cardo_free(f.positions);
    cardo_free(f.partials);
    return status;
}
