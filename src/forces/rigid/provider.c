#include "forces/rigid/rigid.h"

#include "base/memory.h"
#include "forces/rigid/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TERMS = 64 };

/* Atoms farther apart than this are an explosion, as for the OpenMM provider. nm */
static const double largest_extent = 1000.0;
typedef struct rigid_provider {
    cardo_force_provider base; /* first: the two are cast into each other */
    cardo_rigid_model model;
    cardo_force_provider *rest;
    cardo_vec3 origin;      /* of the common frame, in ground                                    */
    cardo_spatial *total;   /* forces of the last evaluation about origin        (nbody)        */
    double *rest_positions; /* atoms in ground for rest (natom x 3): its own buffer or ours     */
    double *own_positions;
    double rest_terms[MOST_TERMS];
    int known[CARDO_RIGID_TERMS]; /* index among the provider's terms, or -1                    */
    int nknown;
    const char *names[MOST_TERMS];
    char doc[160];
} rigid_provider;

static const char *const term_names[CARDO_RIGID_TERMS] = {
    "bond", "angle", "torsion", "rb-torsion", "cmap", "nonbonded", "gb"};

cardo_rigid_options cardo_rigid_options_default(void)
{
    return (cardo_rigid_options){.threads = 1, .reaction_field = 1};
}

const char *cardo_rigid_unsupported(const cardo_terms *terms)
{
    if (terms->has_gb && terms->gb_model && !terms->gb_model->is_native)
        return "its solvent is not OBC2";
    if (terms->nharmonic_torsion > 0)
        return "it has harmonic impropers";
    if (terms->has_gb &&
        !(terms->solvent_dielectric >= terms->solute_dielectric && terms->solute_dielectric > 0))
        return "its solvent polarizes less than the solute";
    return NULL;
}

static bool is_finite(const cardo_transform *X)
{
    double sum = 0;
    for (int k = 0; k < 9; ++k)
        sum += 0 * X->R.m[k / 3][k % 3];
    return sum + 0 * X->p.x + 0 * X->p.y + 0 * X->p.z == 0;
}

/* The blocks that a body fills, alone or with others. */
static double weight_of(const cardo_rigid_layout *layout, int body)
{
    const int own = layout->first_block[body + 1] - layout->first_block[body];
    return own > 0 ? own : (double)layout->natom_of[body] / CARDO_BLOCK;
}

/* The middle of the molecule, so that single precision resolves places best. */
static cardo_vec3 middle_of(const cardo_rigid_layout *layout, const cardo_transform *X_GB)
{
    cardo_vec3 sum = v3(0, 0, 0);
    double total = 0;
    for (int body = 0; body < layout->nbody; ++body)
        total += weight_of(layout, body);
    for (int body = 0; body < layout->nbody; ++body) {
        const cardo_rigid_sphere *s = &layout->body_sphere[body];
        if (layout->natom_of[body] > 0)
            sum = v3_add_scaled(sum, weight_of(layout, body) / total,
                                xform_point(X_GB[body], v3(s->x, s->y, s->z)));
    }
    return sum;
}

/* Puts the atoms at the poses, unless these are not finite or the bodies have flown apart. */
static cardo_status place(rigid_provider *p, const cardo_transform *X_GB, cardo_error *error)
{
    const cardo_rigid_model *model = &p->model;
    for (int body = 0; body < model->layout->nbody; ++body)
        if (!is_finite(&X_GB[body]))
            return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "the pose of body %d is not finite",
                              body);
    p->origin = middle_of(model->layout, X_GB);
    cardo_rigid_place(&p->model, X_GB, p->origin);
    for (int body = 0; body < model->layout->nbody; ++body) {
        const cardo_rigid_sphere *s = &model->body_sphere[body];
        double extent = sqrt(s->x * s->x + s->y * s->y + s->z * s->z) + s->radius;
        if (model->layout->natom_of[body] > 0 && !(extent < largest_extent))
            return CARDO_FAIL(error, CARDO_RECOVERABLE,
                              "body %d lies %.4g nm away: the step was too long, or the "
                              "coordinates are not in nm",
                              body, extent);
    }
    return CARDO_OK;
}

static void add_body_forces(const rigid_provider *p, cardo_force_evaluation *evaluation)
{
    for (int body = 0; body < evaluation->nbody; ++body) {
        cardo_spatial *to = &evaluation->body_forces[body];
        cardo_vec3 arm = v3_sub(evaluation->X_GB[body].p, p->origin), f = p->total[body].linear;
        to->linear = v3_add(to->linear, f);
        to->angular = v3_add(to->angular, v3_sub(p->total[body].angular, v3_cross(arm, f)));
    }
}

static void add_energies(const rigid_provider *p, cardo_force_evaluation *evaluation)
{
    evaluation->energy = 0;
    for (int term = 0; term < CARDO_RIGID_TERMS; ++term) {
        double energy = p->model.term[term] + p->model.constant[term];
        evaluation->energy += energy;
        if (evaluation->term_energies && p->known[term] >= 0)
            evaluation->term_energies[p->known[term]] = energy;
    }
}

/* The forces that this provider does not know, on the same atoms. */
static cardo_status add_rest(rigid_provider *p, cardo_force_evaluation *evaluation,
                             cardo_error *error)
{
    const cardo_rigid_layout *layout = p->model.layout;
    const int n = layout->nslot;
    cardo_force_evaluation rest = *evaluation;
    for (int i = 0; i < layout->natom; ++i) {
        const double *s = layout->station + layout->slot[i];
        int body = layout->slot_body[layout->slot[i]];
        v3_store(p->rest_positions + 3 * i,
                 xform_point(evaluation->X_GB[body], v3(s[0], s[n], s[2 * (size_t)n])));
    }
    rest.nstation = layout->natom;
    rest.station_positions = p->rest_positions;
    rest.term_energies = evaluation->term_energies ? p->rest_terms : NULL;
    cardo_status status = p->rest->compute(p->rest, &rest, error);
    if (status != CARDO_OK)
        return status;
    evaluation->energy += rest.energy;
    for (int t = 0; evaluation->term_energies && t < p->rest->nterm; ++t)
        evaluation->term_energies[p->nknown + t] = p->rest_terms[t];
    for (int i = 0; rest.station_forces && i < layout->natom; ++i) {
        int body = layout->slot_body[layout->slot[i]];
        cardo_spatial *to = &evaluation->body_forces[body];
        cardo_vec3 f = v3_load(rest.station_forces + 3 * i);
        cardo_vec3 arm = v3_sub(v3_load(p->rest_positions + 3 * i), evaluation->X_GB[body].p);
        to->linear = v3_add(to->linear, f);
        to->angular = v3_add(to->angular, v3_cross(arm, f));
    }
    return CARDO_OK;
}

static cardo_status check_result(const rigid_provider *p, const cardo_force_evaluation *evaluation,
                                 cardo_error *error)
{
    double sum = 0;
    for (int body = 0; body < evaluation->nbody; ++body) {
        const cardo_spatial *f = &p->total[body];
        sum += 0 * (f->linear.x + f->linear.y + f->linear.z);
        sum += 0 * (f->angular.x + f->angular.y + f->angular.z);
    }
    if (sum != 0 || !isfinite(evaluation->energy))
        return CARDO_FAIL(error, CARDO_RECOVERABLE,
                          "the energy (%g kJ/mol) or a force is not finite: atoms overlap",
                          evaluation->energy);
    return CARDO_OK;
}

static cardo_status check_bodies(const rigid_provider *p, int nbody, const cardo_transform *X_GB,
                                 cardo_error *error)
{
    if (nbody != p->model.layout->nbody || !X_GB)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the force provider was made for %d bodies and was given %d poses",
                          p->model.layout->nbody, X_GB ? nbody : 0);
    return CARDO_OK;
}

static cardo_status compute(cardo_force_provider *self, cardo_force_evaluation *evaluation,
                            cardo_error *error)
{
    rigid_provider *p = (rigid_provider *)self;
    cardo_status status;
    evaluation->station_forces = NULL;
    CARDO_TRY(check_bodies(p, evaluation->nbody, evaluation->X_GB, error));
    CARDO_TRY(place(p, evaluation->X_GB, error));
    cardo_rigid_evaluate(&p->model, p->total);
    add_energies(p, evaluation);
    CARDO_TRY(check_result(p, evaluation, error));
    add_body_forces(p, evaluation);
    if (p->rest)
        status = add_rest(p, evaluation, error);
done:
    return status;
}

cardo_status cardo_rigid_provider_atom_forces(cardo_force_provider *provider,
                                              const cardo_transform *X_GB, double *forces,
                                              cardo_error *error)
{
    rigid_provider *p = (rigid_provider *)provider;
    cardo_rigid_model *model = &p->model;
    const cardo_rigid_layout *layout = model->layout;
    const size_t n = (size_t)layout->nslot;
    double *by_slot = NULL;
    cardo_status status;
    CARDO_TRY(check_bodies(p, layout->nbody, X_GB, error));
    CARDO_TRY(place(p, X_GB, error));
    CARDO_TRY(CARDO_ALLOCATE(&by_slot, 3 * n, error));
    cardo_rigid_evaluate_atoms(model, p->total, by_slot);
    for (int i = 0; i < layout->natom; ++i)
        for (size_t d = 0; d < 3; ++d)
            forces[3 * (size_t)i + d] = by_slot[d * n + (size_t)layout->slot[i]];
done:
    cardo_free(by_slot);
    return status;
}

cardo_status cardo_rigid_provider_look(cardo_force_provider *provider, const cardo_transform *X_GB,
                                       int n, const int *atoms, double *born, double *chain,
                                       double *forces, double *chain_within, double *plain_beyond,
                                       double *radii_within, cardo_error *error)
{
    rigid_provider *p = (rigid_provider *)provider;
    cardo_rigid_model *model = &p->model;
    const cardo_rigid_layout *layout = model->layout;
    const size_t nslot = (size_t)layout->nslot;
    double *by_slot = NULL;
    bool *wanted = NULL;
    cardo_status status;
    CARDO_TRY(check_bodies(p, layout->nbody, X_GB, error));
    CARDO_TRY(place(p, X_GB, error));
    CARDO_TRY(CARDO_ALLOCATE(&by_slot, 3 * nslot, error));
    CARDO_TRY(CARDO_ALLOCATE(&wanted, layout->nblock, error));
    for (int k = 0; k < n; ++k)
        wanted[layout->slot[atoms[k]] / CARDO_BLOCK] = true;
    cardo_rigid_evaluate_blocks(model, p->total, wanted, by_slot);
    for (int i = 0; i < layout->natom; ++i) {
        born[i] = model->has_solvent ? model->full.born[layout->slot[i]] : 0;
        chain[i] = model->has_solvent ? model->full.chain[layout->slot[i]] : 0;
    }
    for (int k = 0; k < n; ++k)
        chain_within[k] = cardo_rigid_by_radius_left_out(model, layout->slot[atoms[k]]);
    for (int k = 0; k < n; ++k)
        for (size_t d = 0; d < 3; ++d)
            forces[3 * (size_t)k + d] = by_slot[d * nslot + (size_t)layout->slot[atoms[k]]];
    *radii_within = model->has_solvent && model->far ? model->far->tolerance : 0;
    *plain_beyond = model->plain ? model->rules.plain_beyond : HUGE_VAL;
done:
    cardo_free(by_slot);
    cardo_free(wanted);
    return status;
}

static void destroy(cardo_force_provider *self)
{
    rigid_provider *p = (rigid_provider *)self;
    cardo_rigid_model_clear(&p->model);
    cardo_free(p->total);
    cardo_free(p->own_positions);
    cardo_force_provider_destroy(p->rest);
    cardo_free(p);
}

static cardo_status name_terms(rigid_provider *p, const cardo_terms *terms, cardo_error *error)
{
    const bool exists[CARDO_RIGID_TERMS] = {
        terms->nbond > 0, terms->nangle > 0,    terms->ntorsion > 0, terms->nrb_torsion > 0,
        terms->ncmap > 0, terms->has_nonbonded, terms->has_gb};
    for (int term = 0; term < CARDO_RIGID_TERMS; ++term) {
        p->known[term] = exists[term] ? p->nknown : -1;
        if (exists[term])
            p->names[p->nknown++] = term_names[term];
    }
    p->base.nterm = p->nknown;
    p->base.term_names = p->names;
    if (p->rest && p->nknown + p->rest->nterm > MOST_TERMS)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "%d other energy terms", p->rest->nterm);
    for (int t = 0; p->rest && t < p->rest->nterm; ++t)
        p->names[p->base.nterm++] = p->rest->term_names[t];
    return CARDO_OK;
}

static void describe(rigid_provider *p)
{
    const cardo_rigid_model *model = &p->model;
    const int threads = cardo_pool_threads(model->pool);
    p->base.name = "rigid";
    p->base.doc = p->doc;
    p->base.traits = CARDO_FORCE_WANTS_POSES | CARDO_FORCE_DETERMINISTIC;
    if (!p->rest || p->rest->traits & CARDO_FORCE_INVARIANT)
        p->base.traits |= CARDO_FORCE_INVARIANT;
    if (model->single)
        p->base.traits |= CARDO_FORCE_SINGLE;
    if (p->rest && !(p->rest->traits & CARDO_FORCE_DETERMINISTIC))
        p->base.traits &= ~(unsigned)CARDO_FORCE_DETERMINISTIC;
    snprintf(p->doc, sizeof p->doc, "pairs between rigid bodies, %s, %d thread%s, %s precision%s%s",
             model->kernels->name, threads, threads == 1 ? "" : "s",
             model->single ? "mixed" : "double", p->rest ? "; beside " : "",
             p->rest ? p->rest->doc : "");
}

static cardo_status use_cores(cardo_force_provider *self, int cores, cardo_error *error)
{
    rigid_provider *p = (rigid_provider *)self;
    const int threads = cardo_pool_default(cores);
    cardo_pool *pool;
    if (threads == cardo_pool_threads(p->model.pool))
        return CARDO_OK;
    cardo_status status = cardo_pool_create(threads, &pool, error);
    if (status != CARDO_OK)
        return status;
    cardo_pool_destroy(p->model.pool);
    p->model.pool = pool;
    describe(p);
    return CARDO_OK;
}

static cardo_status adopt_rest(rigid_provider *p, cardo_force_provider *rest, cardo_error *error)
{
    if (!rest)
        return CARDO_OK;
    p->rest_positions = rest->position_buffer;
    if (!p->rest_positions) {
        cardo_status status =
            CARDO_ALLOCATE(&p->own_positions, 3 * (size_t)p->model.layout->natom, error);
        if (status != CARDO_OK)
            return status;
        p->rest_positions = p->own_positions;
    }
    p->rest = rest;
    return CARDO_OK;
}

cardo_status cardo_rigid_provider_create(const cardo_terms *terms, int nbody,
                                         const int *body_of_atom, const double *stations,
                                         const cardo_rigid_options *options,
                                         cardo_force_provider *rest, cardo_force_provider **out,
                                         cardo_error *error)
{
    cardo_status status;
    rigid_provider *p = NULL;
    const char *unsupported = cardo_rigid_unsupported(terms);
    *out = NULL;
    CARDO_TRY(cardo_rigid_check(terms, stations, options, error));
    if (unsupported)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "provider rigid cannot compute this energy: %s; use provider openmm",
                          unsupported);
    CARDO_TRY(CARDO_ALLOCATE(&p, 1, error));
    p->base.compute = compute;
    p->base.destroy = destroy;
    p->base.use_cores = options->threads > 0 ? NULL : use_cores;
    CARDO_TRY(
        cardo_rigid_model_create(&p->model, terms, nbody, body_of_atom, stations, options, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->total, nbody, error));
    CARDO_TRY(adopt_rest(p, rest, error));
    status = name_terms(p, terms, error);
    if (status != CARDO_OK) {
        p->rest = NULL;
        goto done;
    }
    describe(p);
    *out = &p->base;
    p = NULL;
done:
    if (p)
        destroy(&p->base);
    return status;
}
