#include "study/session/judge.h"

#include "base/memory.h"
#include "base/number.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "study/session/forces.h"
#include "study/session/judge_sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Up to here OpenMM's Reference platform, in double precision, takes a fraction of a second; its CPU
 * platform is several times as fast, in single precision. */
enum { LARGEST_FOR_REFERENCE = 2000 };
/* Beyond this, and without a cutoff, it takes minutes. */
enum { LARGEST_FOR_OPENMM = 20000 };

/* Errors of one evaluation, as multiples of the scales below. README.md of src/forces/rigid says where they come from. */
typedef struct precision {
    double pairs;  /* energies of terms over pairs: nonbonded, gb */
    double bonded; /* of the others                               */
    double forces;
} precision;
static const precision in_double = {1e-10, 1e-10, 1e-11};
static const precision in_mixed = {16 * 0x1p-24, 1e-10, 2 * 0x1p-24};
static const precision in_single = {256 * 0x1p-24, 16 * 0x1p-24, 128 * 0x1p-24};

/* What is compared, where. */
typedef struct comparison {
    cardo_session *session;
    cardo_judgement *judgement;
    cardo_force_provider *judge;
    precision rigid, other;
    int natom, nbody, nu, nterm;
    double *x, *terms, *judge_terms; /* (natom x 3), (nterm) */
    const double *atom_forces;       /* of the judge, lent by it (natom x 3) */
    double *shown;                   /* atoms where the judge sees them     (natom x 3) */
    double *pair_forces;             /* or zero where they are not known    (natom x 3) */
    cardo_spatial *forces, *judge_forces, *columns; /* (nbody) */
    double *generalized, *judge_generalized, *v;    /* (nu) */
    double energy, judge_energy;
    bool by_term;
} comparison;

static void clear(comparison *c)
{
    cardo_force_provider_destroy(c->judge);
    cardo_free(c->x);
    cardo_free(c->shown);
    cardo_free(c->pair_forces);
    cardo_free(c->terms);
    cardo_free(c->judge_terms);
    cardo_free(c->forces);
    cardo_free(c->judge_forces);
    cardo_free(c->columns);
    cardo_free(c->generalized);
    cardo_free(c->judge_generalized);
    cardo_free(c->v);
}

static cardo_status allocate(comparison *c, cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = c->session->system;
    cardo_judgement *j = c->judgement;
    c->natom = cardo_system_nstation(system);
    c->nbody = cardo_system_nbody(system);
    c->nu = cardo_system_nu(system);
    c->nterm = c->session->provider->nterm;
    CARDO_TRY(CARDO_ALLOCATE(&c->x, 3 * (size_t)c->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->shown, 3 * (size_t)c->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->pair_forces, 3 * (size_t)c->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->terms, c->nterm, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->judge_terms, c->judge->nterm, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->forces, c->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->judge_forces, c->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->columns, c->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->generalized, c->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->judge_generalized, c->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->v, c->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&j->term, c->nterm + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&j->force, c->nu, error));
done:
    return status;
}

static cardo_status evaluate_rigid(comparison *c, cardo_error *error)
{
    cardo_status status;
    const cardo_session *s = c->session;
    cardo_force_evaluation evaluation = {.nbody = c->nbody,
                                         .X_GB = cardo_state_X_GB(s->state),
                                         .nstation = c->natom,
                                         .nq = cardo_system_nq(s->system),
                                         .nu = c->nu,
                                         .q = cardo_state_q(s->state),
                                         .u = cardo_state_u(s->state),
                                         .term_energies = c->terms,
                                         .body_forces = c->forces,
                                         .mobility_forces = c->v};
    CARDO_TRY(s->provider->compute(s->provider, &evaluation, error));
    c->energy = evaluation.energy;
    status = cardo_multiply_jt(s->system, s->state, c->forces, c->generalized, error);
done:
    return status;
}

/* Single precision knows places near the origin best, and where the molecule is as a whole changes nothing. */
static void show(comparison *c)
{
    const bool invariant = c->judge->traits & CARDO_FORCE_INVARIANT;
    cardo_vec3 middle = v3(0, 0, 0);
    for (int i = 0; i < c->natom && invariant; ++i)
        middle = v3_add_scaled(middle, 1.0 / c->natom, v3_load(c->x + 3 * i));
    for (int i = 0; i < c->natom; ++i)
        v3_store(c->shown + 3 * i, v3_sub(v3_load(c->x + 3 * i), middle));
}

static cardo_status evaluate_judge(comparison *c, cardo_error *error)
{
    cardo_status status;
    const cardo_session *s = c->session;
    cardo_force_evaluation evaluation = {.nbody = c->nbody,
                                         .X_GB = cardo_state_X_GB(s->state),
                                         .nstation = c->natom,
                                         .station_positions = c->shown,
                                         .term_energies = c->judge_terms,
                                         .body_forces = c->judge_forces};
    show(c);
    CARDO_TRY(c->judge->compute(c->judge, &evaluation, error));
    c->judge_energy = evaluation.energy;
    c->atom_forces = evaluation.station_forces;
    CARDO_TRY(cardo_station_forces_to_bodies(s->system, s->state, c->atom_forces, c->judge_forces,
                                             error));
    status = cardo_multiply_jt(s->system, s->state, c->judge_forces, c->judge_generalized, error);
done:
    return status;
}

/* A serialized System's terms have the names of its Forces, which OpenMM names after their classes. */
static const char *const class_names[][2] = {
    {"bond", "HarmonicBondForce"},
    {"angle", "HarmonicAngleForce"},
    {"torsion", "PeriodicTorsionForce"},
    {"rb-torsion", "RBTorsionForce"},
    {"cmap", "CMAPTorsionForce"},
    {"nonbonded", "NonbondedForce"},
    {"gb", "GBSAOBCForce"},
};

static int judge_term(const comparison *c, const char *name)
{
    const char *class = name;
    for (size_t k = 0; k < sizeof class_names / sizeof *class_names; ++k)
        if (strcmp(class_names[k][0], name) == 0)
            class = class_names[k][1];
    for (int t = 0; t < c->judge->nterm; ++t)
        if (strcmp(c->judge->term_names[t], name) == 0 ||
            strcmp(c->judge->term_names[t], class) == 0)
            return t;
    return -1;
}

typedef enum term_kind {
    BONDED,
    OVER_PAIRS,
    LEFT_TO_OPENMM, /* what rigid does not know: evaluated beside it on the model's own platform */
} term_kind;

static term_kind kind_of(const char *name)
{
    if (strcmp(name, "nonbonded") == 0 || strcmp(name, "gb") == 0)
        return OVER_PAIRS;
    for (size_t k = 0; k < sizeof class_names / sizeof *class_names; ++k)
        if (strcmp(class_names[k][0], name) == 0)
            return BONDED;
    return LEFT_TO_OPENMM;
}

/* A solvent pair that is taken for -q q/r, beyond D = r^2/(4 B B) = -ln t, is off by exp(-D)/(8 D) of it. */
static double left_out(double tolerance)
{
    return tolerance > 0 ? tolerance / (-8 * log(tolerance)) : 0;
}

/* What an energy of this kind may differ by; sizes: sums of magnitudes of bonded and other terms. */
static double energy_bound(const comparison *c, term_kind kind, const double sizes[2])
{
    const double tolerance = c->session->model->forcefield.tolerance;
    if (kind == BONDED)
        return (c->rigid.bonded + c->other.bonded) * sizes[0];
    const double rigid =
        kind == OVER_PAIRS ? c->rigid.pairs + left_out(tolerance) : in_single.pairs;
    return (rigid + c->other.pairs) * sizes[1];
}

/* Terms are as large as each other and of either sign: each is known as well as the largest of its kind. */
static void compare_energies(comparison *c)
{
    cardo_judgement *j = c->judgement;
    const cardo_force_provider *rigid = c->session->provider;
    double sizes[2] = {0, 0}, all = 0;
    bool by_term = rigid->nterm == c->judge->nterm;
    for (int t = 0; t < c->nterm; ++t) {
        const char *name = rigid->term_names[t];
        sizes[kind_of(name) != BONDED] += fabs(c->terms[t]);
        by_term = by_term && judge_term(c, name) >= 0;
        if (kind_of(name) == LEFT_TO_OPENMM)
            c->rigid.forces = in_single.forces;
    }
    for (int t = 0; t < c->nterm; ++t) {
        const char *name = rigid->term_names[t];
        const double bound = energy_bound(c, kind_of(name), sizes);
        all += bound;
        if (!by_term)
            continue;
        cardo_judged *one = &j->term[j->nterm++];
        snprintf(one->name, sizeof one->name, "energy %.80s", name);
        one->rigid = c->terms[t];
        one->judge = c->judge_terms[judge_term(c, name)];
        one->bound = bound;
    }
    j->term[j->nterm++] = (cardo_judged){"potential energy", c->energy, c->judge_energy, all};
}

/* Root of the sum over atoms of the squares of |velocity for this speed| |force on the atom|: what a generalized
 * force is off by when each atom's is, by itself, by a fraction of its size. Where all atoms are at rest bonded terms balance pairs, and
 * the size is that of what the pairs sum up to. */
static double scale_of(const comparison *c)
{
    const cardo_transform *X_GB = cardo_state_X_GB(c->session->state);
    double sum = 0;
    for (int i = 0; i < c->natom; ++i) {
        const int body = cardo_system_station_body(c->session->system, i);
        const cardo_spatial *V = &c->columns[body];
        cardo_vec3 arm = v3_sub(v3_load(c->x + 3 * i), X_GB[body].p);
        cardo_vec3 velocity = v3_add(V->linear, v3_cross(V->angular, arm));
        cardo_vec3 f = v3_load(c->atom_forces + 3 * i);
        const double size = fmax(v3_norm(f), v3_norm(v3_load(c->pair_forces + 3 * (size_t)i)));
        sum += v3_dot(velocity, velocity) * size * size;
    }
    return sqrt(sum);
}

static cardo_status compare_forces(comparison *c, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_session *s = c->session;
    cardo_judgement *j = c->judgement;
    const double tolerance = s->model->forcefield.tolerance;
    double force = 0, torque = 0;
    for (int b = 1; b < c->nbody; ++b) {
        force = fmax(force, v3_norm(c->judge_forces[b].linear));
        torque = fmax(torque, v3_norm(c->judge_forces[b].angular));
    }
    memset(c->v, 0, sizeof *c->v * (size_t)c->nu);
    for (int k = 0; k < c->nu; ++k) {
        cardo_judged *one = &j->force[j->nforce++];
        char name[96];
        c->v[k] = 1;
        CARDO_TRY(cardo_multiply_j(s->system, s->state, c->v, c->columns, error));
        c->v[k] = 0;
        double off = 0;
        for (int b = 1; b < c->nbody; ++b)
            off += tolerance * (v3_norm(c->columns[b].linear) * force +
                                v3_norm(c->columns[b].angular) * torque);
        snprintf(one->name, sizeof one->name, "force on %.80s",
                 cardo_mobility_name(s->system, k, name));
        one->rigid = c->generalized[k];
        one->judge = c->judge_generalized[k];
        one->bound = (c->rigid.forces + c->other.forces) * scale_of(c) + off;
    }
done:
    return status;
}

static void weigh(cardo_judgement *j, const cardo_judged *one)
{
    double share = fabs(one->rigid - one->judge) / one->bound;
    if (one->rigid == one->judge)
        share = 0;
    if (!j->worst || !(share <= j->share)) {
        j->share = isnan(share) ? HUGE_VAL : share;
        j->worst = one;
    }
}

cardo_status cardo_judgement_verdict(cardo_judgement *j, cardo_error *error)
{
    j->worst = NULL;
    j->share = 0;
    for (int k = 0; k < j->nterm; ++k)
        weigh(j, &j->term[k]);
    for (int k = 0; k < j->nforce; ++k)
        weigh(j, &j->force[k]);
    if (j->share <= 1)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                      "provider rigid and %s differ where the run starts: %s is %.10g and %.10g, "
                      "and rounding and tolerance explain %.2g at most. Run with "
                      "forcefield.provider=openmm, and report this; forcefield.check-forces=no "
                      "goes on regardless",
                      j->against, j->worst->name, j->worst->rigid, j->worst->judge,
                      j->worst->bound);
}

/* Whom the model's check-forces means here. */
static const char *choose(const cardo_session *session)
{
    const char *check = session->model->forcefield.check;
    const int natom = cardo_system_nstation(session->system);
    if (strcmp(check, "auto") != 0)
        return check;
    if (natom > LARGEST_FOR_OPENMM && session->parts && session->parts->cutoff == 0)
        return "sums";
    return natom <= LARGEST_FOR_REFERENCE ? "Reference" : "CPU";
}

static cardo_status compare(cardo_session *session, const char *platform,
                            cardo_judgement *judgement, cardo_error *error)
{
    cardo_status status;
    comparison c = {.session = session, .judgement = judgement};
    const bool full = session->model->forcefield.full_precision;
    double *x = NULL;
    snprintf(judgement->against, sizeof judgement->against, "OpenMM, %s platform", platform);
    c.rigid = full ? in_double : in_mixed;
    c.other = strcmp(platform, "Reference") == 0 ? in_double : in_single;
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(CARDO_ALLOCATE(&x, 3 * (size_t)cardo_system_nstation(session->system), error));
    CARDO_TRY(cardo_station_positions(session->system, session->state, x, error));
    CARDO_TRY(cardo_session_judge_provider(session, platform, x, &c.judge, error));
    CARDO_TRY(allocate(&c, error));
    memcpy(c.x, x, 3 * sizeof *x * (size_t)c.natom);
    CARDO_TRY(evaluate_rigid(&c, error));
    CARDO_TRY(evaluate_judge(&c, error));
    if (c.other.forces == in_double.forces)
        CARDO_TRY(cardo_pair_forces(session, c.pair_forces, error));
    compare_energies(&c);
    CARDO_TRY(compare_forces(&c, error));
done:
    clear(&c);
    cardo_free(x);
    return status;
}

/* platform: of OpenMM, or "sums". */
static cardo_status judge_on(cardo_session *session, const char *platform, cardo_error *error)
{
    cardo_error trouble = {0};
    cardo_judgement_destroy(session->judgement);
    session->judgement = NULL;
    cardo_status status = CARDO_ALLOCATE(&session->judgement, 1, error);
    if (status != CARDO_OK)
        return status;
    status = strcmp(platform, "sums") == 0
                 ? cardo_judge_by_sums(session, session->judgement, &trouble)
                 : compare(session, platform, session->judgement, &trouble);
    if (status == CARDO_RECOVERABLE) {
        snprintf(session->judgement->passed_over, sizeof session->judgement->passed_over, "%.500s",
                 trouble.message);
        return CARDO_OK;
    }
    if (status == CARDO_OK)
        return cardo_judgement_verdict(session->judgement, error);
    if (error)
        *error = trouble;
    return cardo_error_prefix(error, "comparing provider rigid with OpenMM: ");
}

cardo_status cardo_judge(cardo_session *session, cardo_error *error)
{
    const char *by = choose(session);
    char text[CARDO_JUDGEMENT_TEXT];
    if (!session->parts || !session->provider || strcmp(by, "no") == 0)
        return CARDO_OK;
    cardo_status status = judge_on(session, by, error);
    /* Where atoms overlap, single precision does not know their places well enough. */
    const bool appeals = status == CARDO_ERROR_NUMERICAL && strcmp(by, "CPU") == 0 &&
                         strcmp(session->model->forcefield.check, "auto") == 0;
    if (appeals)
        status = judge_on(session, "Reference", error);
    if (status == CARDO_OK)
        cardo_tell(&session->listener, CARDO_SAID_NOTE, "forcefield.check-forces", "%s",
                   cardo_judgement_text(session, text));
    return status;
}

const char *cardo_judgement_text(const cardo_session *session, char text[CARDO_JUDGEMENT_TEXT])
{
    const cardo_judgement *j = session->judgement;
    const bool tolerant = session->model->forcefield.tolerance > 0;
    text[0] = '\0';
    if (!j)
        return text;
    if (j->passed_over[0])
        snprintf(text, CARDO_JUDGEMENT_TEXT, "forces not compared with %s: %s", j->against,
                 j->passed_over);
    else
        cardo_format(
            text, CARDO_JUDGEMENT_TEXT,
            "forces agree with %s: %s is off most, by %.2g of %.2g that precision%s allow%s",
            j->against, j->worst->name, fabs(j->worst->rigid - j->worst->judge), j->worst->bound,
            tolerant ? " and tolerance" : "", tolerant ? "" : "s");
    return text;
}

void cardo_judgement_destroy(cardo_judgement *judgement)
{
    if (!judgement)
        return;
    cardo_free(judgement->term);
    cardo_free(judgement->force);
    cardo_free(judgement);
}
