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
#include "study/scattering/bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

/* Bodies whose atoms are further from where a pose has them than this are not rigid: nm, rms. */
static const double not_rigid = 0.01;

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
    bool rigid;
    double *positions, *partials;
    double *from, *to; /* of one body's scatterers (n x 3 each) */
    cardo_profile_groups groups;
    long long count;
    double loosest; /* rms of a body about its pose, nm */
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

/* Rigid bodies are the model's; the pose of each is a superposition of its scatterers where the tables were made. */
static cardo_status pose_bodies(frames *f, const double *made, const double *now, bool *rigid,
                                cardo_error *error)
{
    *rigid = true;
    for (int b = 0; b < f->bodies.n; ++b) {
        int n = 0;
        cardo_transform X;
        double rms = 0;
        for (int i = 0; i < f->s.n; ++i)
            if (f->bodies.body[i] == b) {
                memcpy(f->from + 3 * n, made + 3 * i, 3 * sizeof *made);
                memcpy(f->to + 3 * n, now + 3 * f->s.atom[i], 3 * sizeof *now);
                ++n;
            }
        const cardo_status status = cardo_superpose(n, f->from, f->to, NULL, &X, &rms, error);
        if (status != CARDO_OK)
            return status;
        memcpy(f->bodies.pose + 12 * b, X.R.m, sizeof X.R.m);
        memcpy(f->bodies.pose + 12 * b + 9, &X.p, 3 * sizeof(double));
        f->loosest = fmax(f->loosest, rms);
        *rigid = *rigid && rms < not_rigid;
    }
    return CARDO_OK;
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
    CARDO_TRY(CARDO_ALLOCATE(&f->from, 3 * (size_t)f->s.n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->to, 3 * (size_t)f->s.n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->partials, CARDO_PARTIALS * (size_t)curve->n, error));
    CARDO_TRY(cardo_profile_groups_make(curve, CARDO_SAXS_MOST_GROUPS, &f->groups, error));
    CARDO_TRY(find_size(f, &size, error));
    CARDO_TRY(cardo_profile_plan_make(curve->n, curve->q, size, f->context->options->tolerance,
                                      f->context->threads, &f->plan, error));
    CARDO_TRY(read_frame(f, 0, error));
    CARDO_TRY(cardo_exposure_find(&f->s, error));
    status = make_tables(f, size, error);
done:
    return status;
}

/* By tables where the frame is one of rigid bodies, else by its atoms. */
static cardo_status visit(frames *f, long long k, const double *made, cardo_error *error)
{
    cardo_status status;
    bool rigid = false;
    double gyration;
    CARDO_TRY(f->reader->read(f->file, k, f->positions, error));
    if (f->rigid)
        CARDO_TRY(pose_bodies(f, made, f->positions, &rigid, error));
    if (rigid) {
        gyration = cardo_scatterers_gyration_posed(&f->s, f->bodies.body, f->bodies.pose);
        CARDO_TRY(cardo_profile_of_bodies(&f->plan, f->bodies.pose, f->partials, error));
    } else {
        f->rigid = false; /* nor are later ones: a model of other bodies, or none */
        cardo_scatterers_move(&f->s, f->positions);
        CARDO_TRY(cardo_exposure_find(&f->s, error));
        gyration = cardo_scatterers_gyration(&f->s);
        CARDO_TRY(cardo_profile_find(&f->plan, &f->s, f->partials, error));
    }
    cardo_profile_groups_add(&f->groups, k + 1, f->partials, f->s.mean_volume, gyration);
done:
    return status;
}

static cardo_status visit_all(frames *f, cardo_error *error)
{
    const cardo_listener *listener = &f->context->session->listener;
    cardo_status status;
    double *made = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&made, 3 * (size_t)f->s.n, error));
    memcpy(made, f->s.position, 3 * (size_t)f->s.n * sizeof *made);
    for (long long k = 0; k < f->count; ++k) {
        CARDO_TRY(visit(f, k, made, error));
        if (listener->progress)
            listener->progress(listener->user, "frame", k + 1, f->count);
        if (listener->stop && *listener->stop) {
            status = CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted");
            break;
        }
    }
done:
    cardo_free(made);
    return status;
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
}

cardo_status cardo_saxs_frames(cardo_saxs_context *context, cardo_result *into, cardo_error *error)
{
    frames f = {.context = context, .reader = context->options->frames};
    cardo_status status;
    if (context->options->distances[0])
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "distances join the curve along a model's coordinate or of a few "
                          "structures, and not in the frames of %s yet",
                          context->frames_path);
    CARDO_TRY(open(&f, error));
    CARDO_TRY(visit_all(&f, error));
    tell(&f, f.rigid);
    cardo_result_integer(into, &(cardo_quantity){"frames"}, f.count);
    cardo_result_truth(into, &(cardo_quantity){"rigid_bodies"}, f.rigid);
    status = cardo_saxs_groups(context, &f.groups, into, error);
done:
    if (f.file)
        f.reader->close(f.file);
    cardo_profile_groups_clear(&f.groups);
    cardo_profile_plan_clear(&f.plan);
    cardo_scattering_bodies_clear(&f.bodies);
    cardo_scatterers_clear(&f.s);
    cardo_structure_destroy(f.read);
    cardo_session_close(f.opened);
    cardo_free(f.positions);
    cardo_free(f.from);
    cardo_free(f.to);
    cardo_free(f.partials);
    return status;
}
