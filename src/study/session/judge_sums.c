/* The judge of models that are too large for OpenMM to evaluate in seconds: sums over all atoms for some. */
#include "study/session/judge_sums.h"
#include "base/memory.h"
#include "base/random.h"
#include "forces/rigid/rigid.h"
#include "forces/rigid/sums/sums.h"
#include "multibody/tree/operators.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { MOST_ATOMS = 1000, NUMBERS = 5 }; /* radius, derivative, three components of the force */

/* Error of every term of a sum, relative to it: rounding of its place, formula and charge, which is rounded so that
 * neighbours keep their total and may be off by several roundoffs of theirs. */
static const double in_single = 64 * 0x1p-24, in_double = 1e-11;

typedef struct samples {
    int natom, n;
    int *atom, *body;
    double *x, *born, *chain, *force; /* (natom x 3), (natom), (natom), (n x 3) */
    double *chain_within;             /* (n) */
    double radii_within;              /* relative error that far fields may leave */
    cardo_sums_scene scene;
} samples;

static void clear(samples *s)
{
    cardo_sums_clear(&s->scene);
    cardo_free(s->atom);
    cardo_free(s->body);
    cardo_free(s->x);
    cardo_free(s->born);
    cardo_free(s->chain);
    cardo_free(s->force);
    cardo_free(s->chain_within);
}

/* All atoms, or one at random of each of equal stretches: the same ones in every run. */
static void choose_atoms(samples *s)
{
    for (int k = 0; k < s->n; ++k)
        s->atom[k] = k;
    if (s->n == s->natom)
        return;
    cardo_random random = cardo_random_start(1, 0);
    for (int k = 0; k < s->n; ++k) {
        double at[2];
        cardo_random_uniform(&random, 2, at);
        s->atom[k] = (int)((k + at[0]) * s->natom / s->n);
    }
}

/* What sums are made over. */
static cardo_status set_scene(const cardo_session *session, samples *s, cardo_error *error)
{
    cardo_status status;
    const cardo_openmm_parts *parts = session->parts;
    const double plain_beyond = s->scene.plain_beyond;
    CARDO_TRY(CARDO_ALLOCATE(&s->body, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->x, 3 * (size_t)s->natom, error));
    for (int i = 0; i < s->natom; ++i)
        s->body[i] = cardo_system_station_body(session->system, i);
    CARDO_TRY(cardo_station_positions(session->system, session->state, s->x, error));
    s->scene = (cardo_sums_scene){.terms = session->terms ? session->terms : parts->terms,
                                  .body = s->body,
                                  .x = s->x,
                                  .born = s->born,
                                  .chain = s->chain,
                                  .cutoff = parts->cutoff,
                                  .gb_cutoff = parts->gb_cutoff,
                                  .reaction_field = parts->reaction_field,
                                  .plain_beyond = plain_beyond};
    status = cardo_sums_open(&s->scene, error);
done:
    return status;
}

/* The provider first, which needs room of its own for a while. */
static cardo_status look(const cardo_session *session, int most, samples *s, cardo_error *error)
{
    cardo_status status;
    s->natom = cardo_system_nstation(session->system);
    s->n = s->natom < most ? s->natom : most;
    CARDO_TRY(CARDO_ALLOCATE(&s->atom, s->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->born, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->chain, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->force, 3 * (size_t)s->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->chain_within, s->n, error));
    choose_atoms(s);
    CARDO_TRY(cardo_rigid_provider_look(session->provider, cardo_state_X_GB(session->state), s->n,
                                        s->atom, s->born, s->chain, s->force, s->chain_within,
                                        &s->scene.plain_beyond, &s->radii_within, error));
    status = set_scene(session, s, error);
done:
    return status;
}

static void put(cardo_judgement *j, const char *what, int atom, double rigid, double exact,
                double bound)
{
    cardo_judged *one = &j->force[j->nforce++];
    snprintf(one->name, sizeof one->name, "%s atom %d", what, atom + 1);
    one->rigid = rigid;
    one->judge = exact;
    one->bound = bound;
}

static void judge_atom(const samples *s, int k, double relative, cardo_judgement *j)
{
    static const char *const forces[3] = {"force along x on", "force along y on",
                                          "force along z on"};
    const int i = s->atom[k];
    cardo_atom_sums sums;
    cardo_sums_of_atom(&s->scene, i, &sums);
    if (s->scene.terms->has_gb) {
        put(j, "Born radius of", i, s->born[i], sums.born.value,
            relative * sums.born.magnitude + s->radii_within * sums.born.value);
        put(j, "dE/dI of", i, s->chain[i], sums.chain.value,
            relative * sums.chain.magnitude + sums.chain.droppable + s->chain_within[k]);
    }
    const double force[3] = {sums.force.x, sums.force.y, sums.force.z};
    for (int d = 0; d < 3; ++d)
        put(j, forces[d], i, s->force[3 * k + d], force[d],
            relative * sums.force_magnitude + sums.force_droppable);
}

cardo_status cardo_judge_by_sums(cardo_session *session, cardo_judgement *judgement,
                                 cardo_error *error)
{
    samples s = {0};
    const bool full = session->model->forcefield.full_precision;
    cardo_status status = look(session, MOST_ATOMS, &s, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&judgement->force, NUMBERS * (size_t)s.n, error);
    snprintf(judgement->against, sizeof judgement->against,
             "sums in double precision for %d atoms (%sforces; energies and bonded terms are not "
             "compared)",
             s.n, s.scene.terms && s.scene.terms->has_gb ? "Born radii, their derivatives, " : "");
    for (int k = 0; k < s.n && status == CARDO_OK; ++k)
        judge_atom(&s, k, full ? in_double : in_single, judgement);
    clear(&s);
    return status;
}

cardo_status cardo_pair_forces(const cardo_session *session, double *forces, cardo_error *error)
{
    samples s = {0};
    cardo_status status = look(session, INT_MAX, &s, error);
    for (int i = 0; i < s.natom && status == CARDO_OK; ++i) {
        cardo_atom_sums sums;
        cardo_sums_of_atom(&s.scene, i, &sums);
        v3_store(forces + 3 * (size_t)i, sums.force);
    }
    clear(&s);
    return status;
}
