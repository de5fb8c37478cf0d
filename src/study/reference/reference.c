#include "study/reference/reference.h"

#include "base/memory.h"
#include "base/minimize.h"
#include "base/number.h"
#include "multibody/tree/operators.h"
#include "study/reference/atom_forces.h"
#include "study/reference/atom_scaling.h"
#include "study/reference/poses.h"
#include "study/session/forces.h"

#include <math.h>
#include <string.h>

typedef struct sweep {
    cardo_session *session;
    const cardo_reference_options *options;
    cardo_reference *out;
    cardo_held_poses *poses;
    int nbody;
    double *places;    /* of the model's atoms (nplace x natom x 3)                      */
    cardo_mat33 *turn; /* of the model's bodies (nplace x nbody)                         */
    double *x, *moved; /* positions and displacements (natom x 3)                        */
    double *energy;    /* of iterations at one place (iterations + 1)                    */
    double now;        /* energy of the last evaluation                                  */
    int iterations;    /* so far at this place                                           */
    int done, total;
    cardo_atom_forces forces;
    cardo_atom_scaling scaling;
} sweep;

cardo_reference_options cardo_reference_options_default(void)
{
    return (cardo_reference_options){.iterations = 400, .tolerance = 10, .sweeps = 1};
}

void cardo_reference_clear(cardo_reference *reference)
{
    cardo_free(reference->place);
    cardo_free(reference->model_term);
    cardo_free(reference->reference_term);
    cardo_free(reference->positions);
    cardo_force_provider_destroy(reference->provider);
    *reference = (cardo_reference){0};
}

static size_t size_of(const sweep *s)
{
    return 3 * (size_t)s->out->natom;
}

static cardo_status objective(void *context, int n, const double *x, double *value,
                              double *gradient, cardo_error *error)
{
    sweep *s = context;
    (void)n;
    cardo_status status = cardo_atom_forces_compute(&s->forces, x, NULL, gradient, value, error);
    if (status != CARDO_OK)
        return status;
    s->now = *value;
    cardo_held_poses_project(s->poses, gradient);
    return CARDO_OK;
}

static cardo_status count(void *context, int iteration, bool *stop, cardo_error *error)
{
    (void)error;
    sweep *s = context;
    const cardo_listener *listener = &s->session->listener;
    s->iterations = iteration;
    s->energy[iteration] = s->now;
    if (listener->stop && *listener->stop)
        *stop = s->out->interrupted = true;
    return CARDO_OK;
}

/* No force field binds an atom as firmly as this. A hydrogen without a well that has got into an atom that draws it has no bottom. kJ/mol */
static const double most_bound = -1000;

static bool is_sound(const sweep *s, double energy)
{
    return energy > most_bound * s->out->natom;
}

static void keep_lower(sweep *s, int k, double energy)
{
    cardo_reference_place *place = &s->out->place[k];
    if (!(energy < place->lower) || !is_sound(s, energy))
        return;
    place->lower = energy;
    memcpy(s->out->positions + size_of(s) * (size_t)k, s->x, size_of(s) * sizeof *s->x);
}

static cardo_status minimize(sweep *s, int k, int way, int iterations, cardo_error *error)
{
    cardo_minimize_result result;
    cardo_minimize_options options = {.most_iterations = iterations,
                                      .largest_gradient = s->options->tolerance,
                                      .progress = count,
                                      .memory = 20,
                                      .anew = true};
    cardo_reference_way *to = &s->out->place[k].way[way];
    s->iterations = 0;
    cardo_atom_scaling_choose(&s->scaling, &options);
    cardo_status status =
        cardo_minimize((int)size_of(s), s->x, objective, s, &options, &result, error);
    if (status != CARDO_OK)
        return status;
    s->energy[0] = result.first_value;
    *to = (cardo_reference_way){
        .energy = result.value,
        .gradient = result.largest_gradient,
        .fell = s->energy[s->iterations * 3 / 4] - result.value,
        .iterations = result.iterations,
        .evaluations = result.evaluations,
        .converged = result.converged && !s->out->interrupted,
    };
    keep_lower(s, k, to->energy);
    return CARDO_OK;
}

/* Displacements from the model's conformation at one place are laid on that of another, turned with the bodies; of domains' poses none is
 * left. */
static void carry(sweep *s, int from, int to)
{
    const int *body = s->session->model->atom_body;
    const double *there = s->places + size_of(s) * (size_t)to;
    for (int i = 0; i < s->out->natom; ++i) {
        const size_t first = 3 * (size_t)i;
        const double *old = s->places + size_of(s) * (size_t)from + first;
        const size_t b = (size_t)body[i] + 1;
        const cardo_vec3 d = {s->x[first] - old[0], s->x[first + 1] - old[1],
                              s->x[first + 2] - old[2]};
        const cardo_vec3 turned =
            m33_mul_v3(s->turn[(size_t)to * (size_t)s->nbody + b],
                       m33_tmul_v3(s->turn[(size_t)from * (size_t)s->nbody + b], d));
        s->moved[first] = turned.x;
        s->moved[first + 1] = turned.y;
        s->moved[first + 2] = turned.z;
    }
    cardo_held_poses_place(s->poses, there);
    cardo_held_poses_project(s->poses, s->moved);
    for (size_t i = 0; i < size_of(s); ++i)
        s->x[i] = there[i] + s->moved[i];
}

static cardo_status begin_at_model(sweep *s, int k, int way, int iterations, cardo_error *error)
{
    memcpy(s->x, s->places + size_of(s) * (size_t)k, size_of(s) * sizeof *s->x);
    return minimize(s, k, way, iterations, error);
}

/* Where torsions of the model turn over between two places, atoms that are carried along may come to lie in each other, and stay so. What ends above the model's own
 * conformation, which all atoms can have, or falls into each other, begins there anew; where it falls again, it stays there. */
static cardo_status go(sweep *s, int from, int to, int way, cardo_error *error)
{
    const cardo_listener *listener = &s->session->listener;
    const cardo_reference_place *place = &s->out->place[to];
    carry(s, from, to);
    cardo_status status = minimize(s, to, way, s->options->iterations, error);
    if (status == CARDO_OK && !s->out->interrupted &&
        !(place->way[way].energy <= place->model && is_sound(s, place->way[way].energy)))
        status = begin_at_model(s, to, way, s->options->iterations, error);
    if (status == CARDO_OK && !is_sound(s, place->way[way].energy))
        status = begin_at_model(s, to, way, 0, error);
    ++s->done;
    if (status == CARDO_OK && listener->progress)
        listener->progress(listener->user, "place", s->done, s->total);
    return status;
}

static cardo_status there_and_back(sweep *s, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const int n = s->out->nplace;
    for (int k = 0; k < n && !s->out->interrupted; ++k)
        CARDO_TRY(go(s, k > 0 ? k - 1 : 0, k, CARDO_REFERENCE_UP, error));
    for (int k = n - 1; k >= 0 && !s->out->interrupted; --k)
        CARDO_TRY(go(s, k < n - 1 ? k + 1 : k, k, CARDO_REFERENCE_DOWN, error));
done:
    return status;
}

static void judge(cardo_reference *out)
{
    double least = HUGE_VAL, most = -HUGE_VAL;
    out->hysteresis = out->fell = 0;
    for (int k = 0; k < out->nplace; ++k) {
        cardo_reference_place *p = &out->place[k];
        const cardo_reference_way *up = &p->way[CARDO_REFERENCE_UP],
                                  *down = &p->way[CARDO_REFERENCE_DOWN];
        out->hysteresis = fmax(out->hysteresis, fabs(up->energy - down->energy));
        out->fell = fmax(out->fell, fmax(up->fell, down->fell));
        least = fmin(least, p->model - p->lower);
        most = fmax(most, p->model - p->lower);
    }
    for (int k = 0; k < out->nplace; ++k)
        out->place[k].strain = out->place[k].model - out->place[k].lower - least;
    out->strain = most - least;
}

/* The model's conformations, and their energies by the reference's own forces, so that differences have nothing of how others sum. */
static cardo_status take_places(sweep *s, const double *q, const double *coordinates,
                                cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_session *session = s->session;
    const size_t nq = (size_t)cardo_system_nq(session->system);
    for (int k = 0; k < s->out->nplace; ++k) {
        double *place = s->places + size_of(s) * (size_t)k;
        double energy;
        cardo_state_set_q(session->state, coordinates + nq * (size_t)k);
        CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error));
        CARDO_TRY(cardo_station_positions(session->system, session->state, place, error));
        for (int b = 0; b < s->nbody; ++b)
            s->turn[(size_t)k * (size_t)s->nbody + (size_t)b] =
                cardo_state_X_GB(session->state)[b].R;
        CARDO_TRY(cardo_atom_forces_compute(&s->forces, place,
                                            s->out->model_term + (size_t)k * (size_t)s->out->nterm,
                                            NULL, &energy, error));
        s->out->place[k] = (cardo_reference_place){.q = q[k], .model = energy, .lower = HUGE_VAL};
    }
done:
    return status;
}

static cardo_status find_terms(sweep *s, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < s->out->nplace; ++k) {
        double energy;
        CARDO_TRY(cardo_atom_forces_compute(
            &s->forces, s->out->positions + size_of(s) * (size_t)k,
            s->out->reference_term + (size_t)k * (size_t)s->out->nterm, NULL, &energy, error));
    }
done:
    return status;
}

static cardo_status prepare_forces(sweep *s, cardo_error *error)
{
    cardo_reference *out = s->out;
    if (out->provider->traits & CARDO_FORCE_WANTS_POSES)
        cardo_format(out->engine, sizeof out->engine, "%s, every atom a body", s->session->engine);
    else
        cardo_format(out->engine, sizeof out->engine, "%s", out->provider->doc);
    return cardo_atom_forces_open(out->provider, out->natom, &s->forces, error);
}

static cardo_status prepare(sweep *s, int n, cardo_error *error)
{
    cardo_status status;
    cardo_reference *out = s->out;
    const cardo_session *session = s->session;
    CARDO_TRY(cardo_session_atoms_provider(session, &out->provider, error));
    CARDO_TRY(cardo_held_poses_create(session->model, &s->poses, error));
    out->nplace = n;
    out->natom = session->model->structure[0].structure->natom;
    out->ndomain = cardo_held_poses_count(s->poses);
    out->nterm = out->provider->nterm;
    out->term = out->provider->term_names;
    s->nbody = cardo_system_nbody(session->system);
    s->total = 2 * n * s->options->sweeps;
    CARDO_TRY(prepare_forces(s, error));
    CARDO_TRY(cardo_atom_scaling_open(session->terms, s->poses, &s->scaling, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->place, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->model_term, (size_t)n * (size_t)out->nterm, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->reference_term, (size_t)n * (size_t)out->nterm, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->positions, size_of(s) * (size_t)n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->places, size_of(s) * (size_t)n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->turn, (size_t)n * (size_t)s->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->x, size_of(s), error));
    CARDO_TRY(CARDO_ALLOCATE(&s->moved, size_of(s), error));
    CARDO_TRY(CARDO_ALLOCATE(&s->energy, (size_t)s->options->iterations + 1, error));
done:
    return status;
}

static cardo_status run_sweeps(sweep *s, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_reference *out = s->out;
    memcpy(s->x, s->places, size_of(s) * sizeof *s->x);
    do {
        CARDO_TRY(there_and_back(s, error));
        ++out->sweeps;
        judge(out);
    } while (!out->interrupted && out->sweeps < s->options->sweeps &&
             out->hysteresis > CARDO_REFERENCE_MOST);
    if (!out->interrupted)
        CARDO_TRY(find_terms(s, error));
done:
    return status;
}

cardo_status cardo_reference_sweep(cardo_session *session, int n, const double *q,
                                   const double *coordinates,
                                   const cardo_reference_options *options, cardo_reference *out,
                                   cardo_error *error)
{
    cardo_status status;
    const size_t nq = (size_t)cardo_system_nq(session->system);
    double *before = NULL;
    sweep s = {.session = session, .options = options, .out = out};
    CARDO_TRY(CARDO_ALLOCATE(&before, nq + 1, error));
    memcpy(before, cardo_state_q(session->state), nq * sizeof *before);
    CARDO_TRY(prepare(&s, n, error));
    status = take_places(&s, q, coordinates, error);
    cardo_state_set_q(session->state, before);
    CARDO_TRY(status);
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(run_sweeps(&s, error));
done:
    cardo_held_poses_destroy(s.poses);
    cardo_atom_scaling_clear(&s.scaling);
    cardo_free(before);
    cardo_free(s.places);
    cardo_free(s.turn);
    cardo_free(s.x);
    cardo_free(s.moved);
    cardo_free(s.energy);
    cardo_atom_forces_clear(&s.forces);
    return status;
}
