#include "study/session/session.h"

#include "base/memory.h"
#include "base/number.h"
#include "dynamics/evaluation/restrained_provider.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/coordinate_names.h"
#include "study/scattering/pull.h"
#include "study/session/assembly.h"
#include "study/session/closures.h"
#include "study/session/forces.h"
#include "study/session/inputs.h"
#include "study/session/judge.h"

#include <stdio.h>
#include <string.h>

/* A session with nothing but its options. */
static cardo_status create(const cardo_session_options *given, const cardo_listener *listener,
                           cardo_session_options *options, cardo_session **out, cardo_error *error)
{
    cardo_status status;
    cardo_session *self = NULL;
    *out = NULL;
    *options = (cardo_session_options){0};
    if (given)
        CARDO_TRY(cardo_take_sized(given, given->size, options, sizeof *options,
                                   "cardo_session_options", error));
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    if (listener)
        CARDO_TRY(cardo_take_sized(listener, listener->size, &self->listener, sizeof self->listener,
                                   "cardo_listener", error));
    self->listener.size = sizeof self->listener;
    self->forces_optional = options->forces_optional;
    self->unevaluated = options->unevaluated;
    self->communicator = options->communicator;
    *out = self;
    return CARDO_OK;
done:
    cardo_free(self);
    return status;
}

cardo_status cardo_session_create(const cardo_listener *listener, cardo_session **out,
                                  cardo_error *error)
{
    cardo_session_options options;
    return create(NULL, listener, &options, out, error);
}

/* With the model there, or not: builds the rest where that is wanted, and leaves nothing after a failure. */
static cardo_status finish(cardo_status status, const cardo_session_options *options,
                           cardo_session *self, cardo_session **out, cardo_error *error)
{
    if (status == CARDO_OK && !options->model_alone)
        status = cardo_session_build(self, error);
    if (status != CARDO_OK) {
        cardo_session_close(self);
        self = NULL;
    }
    *out = self;
    return status;
}

cardo_status cardo_session_open(const char *path, const cardo_session_options *given,
                                const cardo_listener *listener, cardo_session **out,
                                cardo_error *error)
{
    cardo_session_options options;
    cardo_session *self;
    cardo_status status = create(given, listener, &options, &self, error);
    if (status == CARDO_OK)
        status = cardo_model_read(path, options.nsetting, options.setting, &self->model, error);
    return finish(status, &options, self, out, error);
}

/* structure.numbering, the one setting of a pair. */
static cardo_status read_numbering(const cardo_session_options *options, bool *label,
                                   cardo_error *error)
{
    static const char name[] = "structure.numbering=";
    *label = false;
    for (int k = 0; k < options->nsetting; ++k) {
        const char *text = options->setting[k], *value = text + strlen(name);
        if (strncmp(text, name, strlen(name)) != 0)
            return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                              "%s: a model made of two structures has no setting but "
                              "structure.numbering",
                              text);
        *label = strcmp(value, "label") == 0;
        if (!*label && strcmp(value, "author") != 0)
            return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                              "structure.numbering is author or label, not '%s'", value);
    }
    return CARDO_OK;
}

cardo_status cardo_session_open_pair(const cardo_session_pair *pair,
                                     const cardo_session_options *given,
                                     const cardo_listener *listener, cardo_session **out,
                                     cardo_error *error)
{
    cardo_session_options options;
    cardo_session *self;
    bool label;
    cardo_status status = create(given, listener, &options, &self, error);
    if (status == CARDO_OK)
        status = read_numbering(&options, &label, error);
    if (status == CARDO_OK)
        status = cardo_model_from_pair(
            pair->open, pair->closed, pair->stationary, pair->mobile, pair->hinge,
            pair->interpolation ? pair->interpolation : "screw", label, &self->model, error);
    return finish(status, &options, self, out, error);
}

cardo_status cardo_session_open_model(cardo_model *model, const cardo_session_options *given,
                                      const cardo_listener *listener, cardo_session **out,
                                      cardo_error *error)
{
    cardo_session_options options;
    cardo_session *self;
    cardo_status status = create(given, listener, &options, &self, error);
    if (status != CARDO_OK) {
        cardo_model_destroy(model);
        *out = NULL;
        return status;
    }
    self->model = model;
    if (options.nsetting > 0)
        status = CARDO_FAIL(error, CARDO_ERROR_USAGE,
                            "%s: a model in memory has no settings: change it before it is opened",
                            options.setting[0]);
    return finish(status, &options, self, out, error);
}

static void tell_of_structures(const cardo_session *self)
{
    for (int k = 0; k < self->model->nstructure; ++k) {
        const cardo_model_structure *one = &self->model->structure[k];
        cardo_tell_remarks(&self->listener, one->structure);
        if (one->note)
            cardo_tell(&self->listener, CARDO_SAID_NOTE, one->id, "%s", one->note);
    }
}

/* Coordinates that were placed before may move again. */
static void let_go(cardo_session *self)
{
    cardo_free(self->held);
    self->held = NULL;
}

/* Paths that begin at a place of the model file's stay there while all else gives way, where it can. */
static cardo_status assemble_start(cardo_session *self, cardo_error *error)
{
    cardo_status status;
    int nheld = 0;
    CARDO_TRY(CARDO_ALLOCATE(&self->held, cardo_system_nq(self->system) + 1, error));
    for (int b = 0; b < self->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(self->system, b + 1, &info);
        const bool placed = self->model->body[b].fit && self->model->body[b].start != 0 &&
                            info.mobilizer == &cardo_mobilizer_path;
        if (placed)
            self->held[info.q_first] = true;
        nheld += placed;
    }
    status = cardo_session_assemble(self, error);
    let_go(self);
    if (status == CARDO_ERROR_NUMERICAL && nheld > 0)
        status = cardo_session_assemble(self, error);
done:
    return status;
}

/* Forces that hold free ligands come on top of the provider's. */
static cardo_status add_restraints(cardo_session *self, cardo_error *error)
{
    cardo_status status;
    cardo_flat_bottom *well = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&well, self->model->nligand, error));
    const int n = cardo_model_wells(self->model, self->system, well);
    if (n > 0)
        status =
            cardo_restrained_provider_create(self->provider, n, well, &self->restrained, error);
done:
    cardo_free(well);
    return status;
}

/* And the pull of a measured scattering curve. */
static cardo_status add_pull(cardo_session *self, cardo_error *error)
{
    const cardo_model_forcefield *f = &self->model->forcefield;
    if (!f->curve)
        return CARDO_OK;
    const cardo_curve_pull pull = {.path = f->curve,
                                   .weight = f->curve_weight,
                                   .c1 = f->curve_c1,
                                   .c2 = f->curve_c2,
                                   .low = f->curve_low,
                                   .high = f->curve_high,
                                   .background = f->curve_background};
    return cardo_pulled_provider_create(cardo_session_own_forces(self), self->model, self->system,
                                        &pull, &self->pulled, error);
}

/* System, state at these coordinates (NULL: the model's start), and evaluator. */
static cardo_status compile(cardo_session *self, const double *where, cardo_error *error)
{
    cardo_status status;
    double *q = NULL;
    CARDO_TRY(cardo_model_compile(self->model, self->masses, &self->system, error));
    CARDO_TRY(cardo_state_create(self->system, &self->state, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, cardo_system_nq(self->system) + 1, error));
    cardo_model_initial_q(self->model, self->system, q);
    cardo_state_set_q(self->state, where ? where : q);
    CARDO_TRY(where ? cardo_session_assemble(self, error) : assemble_start(self, error));
    if ((self->parts || self->coarse) && !self->provider && !self->unevaluated)
        CARDO_TRY(cardo_session_pose_provider(self, error));
    if (self->provider) {
        CARDO_TRY(add_restraints(self, error));
        CARDO_TRY(add_pull(self, error));
        CARDO_TRY(cardo_evaluator_create(self->system, cardo_session_own_forces(self),
                                         &self->evaluator, error));
    }
done:
    cardo_free(q);
    return status;
}

/* A file to begin at has every coordinate. */
static cardo_status check_start(const cardo_session *self, cardo_error *error)
{
    cardo_status status;
    double *q = NULL;
    char name[CARDO_COORDINATE_NAME];
    if (!self->model->start_file)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&q, cardo_system_nq(self->system) + 1, error));
    const int missing = cardo_named_numbers_put(&self->model->start, self->system, q);
    if (missing >= 0)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_INPUT,
                             "%s: has no coordinate '%s', so that the model cannot begin there; "
                             "model.start=none begins where the first structure is",
                             self->model->start_file,
                             cardo_coordinate_name(self->system, missing, name)));
done:
    cardo_free(q);
    return status;
}

cardo_status cardo_session_build(cardo_session *self, cardo_error *error)
{
    cardo_status status;
    bool have_masses;
    tell_of_structures(self);
    CARDO_TRY(CARDO_ALLOCATE(&self->masses, self->model->structure[0].structure->natom, error));
    CARDO_TRY(cardo_session_add_forces(self, self->masses, &have_masses, error));
    if (!have_masses) {
        cardo_free(self->masses);
        self->masses = NULL;
    }
    CARDO_TRY(cardo_session_set_closures(self, error));
    CARDO_TRY(compile(self, NULL, error));
    CARDO_TRY(check_start(self, error));
    cardo_session_tell_choice(self);
    cardo_session_tell_assembly(self);
done:
    return status;
}

/* What compile makes. */
typedef struct compiled {
    cardo_system *system;
    cardo_state *state;
    cardo_evaluator *evaluator;
    cardo_force_provider *restrained, *pulled;
} compiled;

static compiled take_out(cardo_session *self)
{
    const compiled parts = {self->system, self->state, self->evaluator, self->restrained,
                            self->pulled};
    self->system = NULL;
    self->state = NULL;
    self->evaluator = NULL;
    self->restrained = self->pulled = NULL;
    return parts;
}

static void destroy_compiled(compiled parts)
{
    cardo_evaluator_destroy(parts.evaluator);
    cardo_force_provider_destroy(parts.pulled);
    cardo_force_provider_destroy(parts.restrained);
    cardo_state_destroy(parts.state);
    cardo_system_destroy(parts.system);
}

cardo_status cardo_session_rebuild(cardo_session *self, cardo_error *error)
{
    const compiled before = take_out(self);
    cardo_status status = compile(self, cardo_state_q(before.state), error);
    if (status != CARDO_OK) {
        destroy_compiled(take_out(self));
        self->system = before.system;
        self->state = before.state;
        self->evaluator = before.evaluator;
        self->restrained = before.restrained;
        self->pulled = before.pulled;
        return status;
    }
    destroy_compiled(before);
    cardo_force_provider_destroy(self->table);
    self->table = NULL;
    return CARDO_OK;
}

/* Ligands move freely, or stay on what carries them. */
static bool is_ligand(const cardo_model *model, int body)
{
    for (int k = 0; k < model->nligand; ++k)
        if (model->ligand[k].body == body)
            return true;
    return false;
}

cardo_status cardo_session_free_joints(cardo_session *self, cardo_error *error)
{
    bool all = true;
    for (int b = 0; b < self->model->nbody; ++b) {
        if (is_ligand(self->model, b))
            continue;
        all = all && self->model->body[b].mobilizer == &cardo_mobilizer_free;
        self->model->body[b].mobilizer = &cardo_mobilizer_free;
    }
    if (all)
        return CARDO_OK;
    cardo_model_drop_constraints(self->model);
    destroy_compiled(take_out(self));
    return compile(self, NULL, error);
}

void cardo_session_close(cardo_session *self)
{
    if (!self)
        return;
    cardo_evaluator_destroy(self->evaluator);
    cardo_state_destroy(self->state);
    cardo_force_provider_destroy(self->table);
    cardo_force_provider_destroy(self->pulled);
    cardo_force_provider_destroy(self->restrained);
    cardo_force_provider_destroy(self->provider);
    cardo_system_destroy(self->system);
    cardo_coarse_energy_destroy(self->coarse);
    if (self->parts)
        cardo_openmm_parts_clear(self->parts);
    cardo_free(self->parts);
    cardo_judgement_destroy(self->judgement);
    cardo_terms_destroy(self->terms);
    cardo_free(self->held);
    cardo_free(self->masses);
    cardo_model_destroy(self->model);
    cardo_free(self);
}

const cardo_model *cardo_session_model(const cardo_session *session)
{
    return session->model;
}

const cardo_system *cardo_session_system(const cardo_session *session)
{
    return session->system;
}

cardo_state *cardo_session_state(const cardo_session *session)
{
    return session->state;
}

const cardo_error *cardo_session_no_forces(const cardo_session *session)
{
    return session->provider ? NULL : &session->no_forces;
}

cardo_force_provider *cardo_session_own_forces(const cardo_session *self)
{
    return self->pulled ? self->pulled : self->restrained ? self->restrained : self->provider;
}

cardo_force_provider *cardo_session_forces(const cardo_session *self)
{
    return self->table ? self->table : cardo_session_own_forces(self);
}

static cardo_status stand_at(cardo_session *self, const double *q, cardo_error *error)
{
    cardo_state_set_q(self->state, q);
    return cardo_session_assemble(self, error);
}

cardo_status cardo_session_set_coordinates(cardo_session *self, const double *q, cardo_error *error)
{
    let_go(self);
    return stand_at(self, q, error);
}

cardo_status cardo_session_last_structures(const cardo_session *self, int speed, cardo_state **out,
                                           cardo_error *error)
{
    cardo_status status;
    double *q = NULL;
    const int nq = cardo_system_nq(self->system);
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&q, nq, error));
    memcpy(q, cardo_state_q(self->state), (size_t)nq * sizeof *q);
    if (cardo_model_last_q(self->model, self->system, speed, q) == 0)
        goto done;
    CARDO_TRY(cardo_state_create(self->system, out, error));
    cardo_state_copy(*out, self->state);
    cardo_state_set_q(*out, q);
    status = cardo_realize(self->system, *out, CARDO_STAGE_POSITION, error);
done:
    cardo_free(q);
    if (status != CARDO_OK) {
        cardo_state_destroy(*out);
        *out = NULL;
    }
    return status;
}

/* Puts a coordinate at a value; constraints do not move it away, nor those that were placed before. */
static cardo_status place_coordinate(cardo_session *self, int coordinate, double value,
                                     cardo_error *error)
{
    double *q = NULL;
    const int nq = cardo_system_nq(self->system);
    cardo_status status = CARDO_OK;
    if (!self->held)
        CARDO_TRY(CARDO_ALLOCATE(&self->held, nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, nq, error));
    memcpy(q, cardo_state_q(self->state), (size_t)nq * sizeof *q);
    q[coordinate] = value;
    self->held[coordinate] = true;
    status = stand_at(self, q, error);
done:
    cardo_free(q);
    return status;
}

cardo_status cardo_session_set_coordinate(cardo_session *self, int coordinate, double value,
                                          cardo_error *error)
{
    let_go(self);
    return place_coordinate(self, coordinate, value, error);
}

cardo_status cardo_session_place(cardo_session *self, const char *text, cardo_error *error)
{
    const char *equals = strchr(text, '=');
    double value;
    int q;
    if (!equals || !cardo_parse_double(equals + 1, (int)strlen(equals + 1), &value))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "%s is not BODY=VALUE", text);
    cardo_status status =
        cardo_find_coordinate(self->system, text, (size_t)(equals - text), &q, error);
    return status == CARDO_OK ? place_coordinate(self, q, value, error) : status;
}

void cardo_session_tell_size(const cardo_session *session, const char *about)
{
    const cardo_model *model = session->model;
    cardo_tell(&session->listener, CARDO_SAID_NOTE, about,
               "%s: %d atoms in %d bodies, %d degrees of freedom", model->name,
               cardo_system_nstation(session->system), model->nbody, session->assembled.freedoms);
    for (int k = 0; k < model->nstructure; ++k)
        if (model->structure[k].note)
            cardo_tell(&session->listener, CARDO_SAID_NOTE, about, "NOTE: %s: %s",
                       model->structure[k].id, model->structure[k].note);
}
