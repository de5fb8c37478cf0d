#include "analysis/modes/force_stiffness.h"

#include "analysis/modes/mode_motion.h"
#include "analysis/modes/rigid_motions.h"
#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/coordinates/position_rows.h"
#include "multibody/algebra/reflections.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

/* Rounding is all that is left in forces of single precision, so that more of them per row would only add to it; in double
 * precision differences of second order leave 5e-9 of the largest entry where joints bend sharply. */
static const double DOUBLE_STEP = 1e-4, SINGLE_STEP = 3e-3;

typedef struct differences {
    const cardo_system *system;
    cardo_state *state;
    cardo_evaluator *evaluator;
    cardo_communicator *communicator;
    double step;
    int points;                    /* on each side: differences of second order, or of fourth */
    int nu, nq, skipped, nskipped; /* first speed without a row, and how many */
    double *q;                     /* where the state was (nq) */
    double *speeds, *side;         /* (nu), (2 x nu)           */
    int nrow;                      /* of constraints           */
    double *multipliers;           /* that bear the forces at the state (nrow) */
    double *borne;                 /* what they bear (nu)      */
    cardo_reflections across;      /* directions across the manifold first */
} differences;

/* Forces of the Lagrangian: what multipliers bear at the state they go on bearing elsewhere. */
static cardo_status forces_along(differences *d, const double *speeds, double distance,
                                 double *forces, cardo_error *error)
{
    cardo_status status;
    cardo_state_set_q(d->state, d->q);
    CARDO_TRY(cardo_move_along(d->system, d->state, speeds, distance, error));
    CARDO_TRY(cardo_evaluate(d->evaluator, d->state, error));
    CARDO_TRY(cardo_evaluator_generalized_forces(d->evaluator, d->state, forces, error));
    if (d->nrow == 0)
        return CARDO_OK;
    CARDO_TRY(cardo_multiply_gt(d->system, d->state, d->multipliers, d->borne, error));
    for (int k = 0; k < d->nu; ++k)
        forces[k] -= d->borne[k];
done:
    return status;
}

/* Takes out of a row what lies across the manifold, where rows of constraints need not be the gradients of anything. */
static void keep_along(const differences *d, double *row)
{
    if (d->nrow == 0)
        return;
    cardo_reflections_apply_transposed(&d->across, row);
    memset(row, 0, (size_t)d->across.rank * sizeof *row);
    cardo_reflections_apply(&d->across, row);
}

/* Puts into d->speeds what of a speed lies along the manifold, its largest entry made 1; returns what that was. */
static double choose_direction(differences *d, int a)
{
    double largest = 0;
    memset(d->speeds, 0, (size_t)d->nu * sizeof *d->speeds);
    d->speeds[a] = 1;
    keep_along(d, d->speeds);
    for (int k = 0; k < d->nu; ++k)
        largest = fmax(largest, fabs(d->speeds[k]));
    for (int k = 0; k < d->nu && largest > 0; ++k)
        d->speeds[k] /= largest;
    return largest;
}

static cardo_status find_row(differences *d, int a, double step, double *row, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    static const double weights[2][2] = {{1.0 / 2}, {8.0 / 12, -1.0 / 12}};
    const double size = choose_direction(d, a);
    memset(row, 0, (size_t)d->nu * sizeof *row);
    for (int p = 1; p <= d->points; ++p) {
        for (int s = 0; s < 2 && status == CARDO_OK; ++s)
            status = forces_along(d, d->speeds, (s ? p : -p) * step,
                                  d->side + (size_t)s * (size_t)d->nu, error);
        const double weight = -size * weights[d->points - 1][p - 1] / step;
        for (int b = 0; b < d->nu && status == CARDO_OK; ++b)
            row[b] += weight * (d->side[d->nu + b] - d->side[b]);
    }
    return status;
}

static bool is_skipped(const differences *d, int speed)
{
    return speed >= d->skipped && speed < d->skipped + d->nskipped;
}

static cardo_status find_rows(differences *d, double *K, cardo_error *error)
{
    const size_t nu = (size_t)d->nu;
    memset(K, 0, nu * nu * sizeof *K);
    for (int a = 0; a < d->nu; ++a) {
        double *row = K + (size_t)a * nu;
        if (is_skipped(d, a) || !cardo_communicator_owns(d->communicator, a))
            continue;
        cardo_status status = find_row(d, a, d->step, row, error);
        if (status != CARDO_OK)
            return status;
        for (int b = d->skipped; b < d->skipped + d->nskipped; ++b)
            row[b] = 0;
        keep_along(d, row);
    }
    return cardo_communicator_share(d->communicator, K, nu * sizeof *K, d->nu, error);
}

/* The directions of constraints at the state, but for the rows that are skipped: the first body on ground stands still. DYNAMICS. */
static cardo_status find_across(differences *d, cardo_error *error)
{
    cardo_status status;
    double *G = NULL;
    int *redundant = NULL, rank;
    const size_t nu = (size_t)d->nu;
    CARDO_TRY(CARDO_ALLOCATE(&G, (size_t)d->nrow * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&redundant, d->nrow, error));
    CARDO_TRY(cardo_reflections_open(&d->across, d->nu, d->nrow, error));
    CARDO_TRY(cardo_constraint_rank(d->system, d->state, &rank, redundant, error));
    CARDO_TRY(cardo_constraint_matrix(d->system, d->state, G, error));
    for (size_t i = 0; i < (size_t)d->nrow; ++i)
        for (size_t k = 0; k < nu; ++k)
            if (redundant[i] || is_skipped(d, (int)k))
                G[i * nu + k] = 0;
    cardo_reflections_factor(&d->across, d->nrow, G, 1e-8);
done:
    cardo_free(G);
    cardo_free(redundant);
    return status;
}

/* The standard deviation of the worst force's rounding: sixth differences over points within the step,
 * so close that nothing else is left in them. */
static cardo_status measure_rounding(differences *d, double *rounding, cardo_error *error)
{
    enum { POINTS = 7, ORDER = POINTS - 1, FACTORIALS = 924 }; /* (2 ORDER)!/(ORDER!)^2 */
    static const double binomial[POINTS] = {1, -6, 15, -20, 15, -6, 1};
    cardo_status status;
    double *sum = NULL, *forces = NULL;
    const double reach = fmin(d->step, SINGLE_STEP);
    CARDO_TRY(CARDO_ALLOCATE(&sum, d->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&forces, d->nu, error));
    for (int k = 0; k < d->nu; ++k)
        d->speeds[k] = is_skipped(d, k) ? 0 : 1 + 0.1 * (k % 7);
    for (int p = 0; p < POINTS; ++p) {
        CARDO_TRY(forces_along(d, d->speeds, reach * (p - ORDER / 2) / ORDER, forces, error));
        for (int k = 0; k < d->nu; ++k)
            sum[k] += binomial[p] * forces[k];
    }
    double most = 0;
    for (int k = 0; k < d->nu; ++k)
        if (!is_skipped(d, k))
            most = fmax(most, fabs(sum[k]) / sqrt(FACTORIALS));
    *rounding = most;
done:
    cardo_free(sum);
    cardo_free(forces);
    return status;
}

/* The mean of K and its transpose; how far they were apart, and where. */
static double make_symmetric(int n, double *K, int worst[2])
{
    double apart = 0;
    worst[0] = worst[1] = 0;
    for (size_t a = 0; a < (size_t)n; ++a)
        for (size_t b = 0; b < a; ++b) {
            double *upper = &K[b * (size_t)n + a], *lower = &K[a * (size_t)n + b];
            if (fabs(*upper - *lower) > apart) {
                apart = fabs(*upper - *lower);
                worst[0] = (int)a;
                worst[1] = (int)b;
            }
            *upper = *lower = 0.5 * (*upper + *lower);
        }
    return apart;
}

/* How much wider differences change two entries: three or fifteen times the error of the narrow ones. */
static cardo_status measure_truncation(differences *d, const int worst[2], double *truncation,
                                       cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double *row[2] = {NULL, NULL};
    *truncation = 0;
    for (int s = 0; s < 2; ++s)
        CARDO_TRY(CARDO_ALLOCATE(&row[s], d->nu, error));
    for (int e = 0; e < 2; ++e) {
        for (int s = 0; s < 2; ++s) {
            CARDO_TRY(find_row(d, worst[e], (1 + s) * d->step, row[s], error));
            keep_along(d, row[s]);
        }
        *truncation +=
            fabs(row[1][worst[1 - e]] - row[0][worst[1 - e]]) / (d->points == 1 ? 3 : 15);
    }
done:
    cardo_free(row[0]);
    cardo_free(row[1]);
    return status;
}

static cardo_status judge(differences *d, double *K, cardo_stiffness_quality *quality,
                          cardo_error *error)
{
    cardo_status status;
    int worst[2];
    double largest = 0, rounding, truncation = 0;
    const int rows = d->nu - d->nskipped;
    const double pairs = 0.5 * rows * (rows - 1.0);
    const double apart = make_symmetric(d->nu, K, worst);
    for (size_t k = 0; k < (size_t)d->nu * (size_t)d->nu; ++k)
        largest = fmax(largest, fabs(K[k]));
    CARDO_TRY(measure_rounding(d, &rounding, error));
    if (apart > 0)
        CARDO_TRY(measure_truncation(d, worst, &truncation, error));
    if (!(largest > 0))
        goto done;
    quality->asymmetry = apart / largest;
    /* An entry errs by sigma/(sqrt(2) step), of fourth order by 0.95 sigma/step, the difference of two by sqrt(2) times that. */
    if (d->points == 2)
        rounding *= sqrt(2) * sqrt(2 * 65) / 12;
    quality->rounding = sqrt(fmax(2 * log(1 + pairs), 1)) * rounding / d->step / largest;
    quality->truncation = truncation / largest;
done:
    return status;
}

static cardo_status find_residual(differences *d, cardo_stiffness_quality *quality,
                                  cardo_error *error)
{
    memset(d->speeds, 0, (size_t)d->nu * sizeof *d->speeds);
    cardo_status status = forces_along(d, d->speeds, 0, d->side, error);
    for (int k = 0; k < d->nu && status == CARDO_OK; ++k)
        if (!is_skipped(d, k) && fabs(d->side[k]) > quality->residual) {
            quality->residual = fabs(d->side[k]);
            quality->residual_speed = k;
        }
    return status;
}

/* Multipliers that bear the forces at the state, as M measures it: Y^-1 G M^-1 f. They are the first member's. */
static cardo_status find_multipliers(differences *d, cardo_error *error)
{
    cardo_status status;
    double *rows = NULL;
    CARDO_TRY(cardo_require_position_rows(d->system, d->state, "a normal mode", error));
    CARDO_TRY(CARDO_ALLOCATE(&d->multipliers, d->nrow, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->borne, d->nu, error));
    if (d->nrow == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&rows, d->nrow, error));
    CARDO_TRY(cardo_evaluate(d->evaluator, d->state, error));
    CARDO_TRY(cardo_evaluator_generalized_forces(d->evaluator, d->state, d->side, error));
    CARDO_TRY(cardo_realize(d->system, d->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_multiply_minv(d->system, d->state, d->side, d->speeds, error));
    CARDO_TRY(cardo_multiply_g(d->system, d->state, d->speeds, rows, error));
    CARDO_TRY(cardo_solve_y(d->system, d->state, rows, d->multipliers, error));
    status = cardo_communicator_share(d->communicator, d->multipliers,
                                      (size_t)d->nrow * sizeof *d->multipliers, 1, error);
done:
    cardo_free(rows);
    return status;
}

/* Which rows follow from the others: those of the first free body where the whole can move as one. */
static cardo_status find_skipped(differences *d, bool invariant, cardo_error *error)
{
    double *motions = NULL;
    cardo_status status = CARDO_OK;
    d->nskipped = invariant ? cardo_rigid_motion_count(d->system) : 0;
    if (d->nskipped > 0 && d->nrow > 0) {
        int left;
        CARDO_TRY(CARDO_ALLOCATE(&motions, CARDO_RIGID_MOTIONS * (size_t)d->nu, error));
        CARDO_TRY(cardo_free_rigid_motions(d->system, d->state, motions, &left, error));
        d->nskipped = left == CARDO_RIGID_MOTIONS ? left : 0;
    }
    d->skipped = d->nskipped > 0 ? cardo_rigid_motion_base(d->system) : 0;
done:
    cardo_free(motions);
    return status;
}

static bool is_single(const cardo_evaluator *evaluator)
{
    const cardo_force_provider *provider = cardo_evaluator_provider(evaluator);
    return provider && (provider->traits & CARDO_FORCE_SINGLE);
}

cardo_status cardo_force_stiffness(const cardo_system *system, cardo_state *state,
                                   cardo_evaluator *evaluator, double step, bool invariant,
                                   cardo_communicator *communicator, double *K,
                                   cardo_stiffness_quality *quality, cardo_error *error)
{
    cardo_status status;
    differences d = {
        .system = system, .state = state, .evaluator = evaluator, .communicator = communicator};
    const long long before = cardo_evaluator_count(evaluator);
    d.nu = cardo_system_nu(system);
    d.nq = cardo_system_nq(system);
    d.points = is_single(evaluator) ? 1 : 2;
    d.step = step > 0 ? step : is_single(evaluator) ? SINGLE_STEP : DOUBLE_STEP;
    d.nrow = cardo_constraint_row_count(system);
    *quality = (cardo_stiffness_quality){.step = d.step};
    CARDO_TRY(CARDO_ALLOCATE(&d.q, d.nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&d.speeds, d.nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&d.side, 2 * (size_t)d.nu, error));
    memcpy(d.q, cardo_state_q(state), (size_t)d.nq * sizeof *d.q);
    CARDO_TRY(find_multipliers(&d, error));
    CARDO_TRY(find_skipped(&d, invariant, error));
    if (d.nrow > 0)
        CARDO_TRY(find_across(&d, error));
    CARDO_TRY(find_residual(&d, quality, error));
    CARDO_TRY(find_rows(&d, K, error));
    CARDO_TRY(judge(&d, K, quality, error));
    quality->evaluations = cardo_evaluator_count(evaluator) - before;
    cardo_state_set_q(state, d.q);
    CARDO_TRY(cardo_realize(system, state, d.nrow > 0 ? CARDO_STAGE_DYNAMICS : CARDO_STAGE_VELOCITY,
                            error));
done:
    cardo_free(d.multipliers);
    cardo_free(d.borne);
    cardo_reflections_clear(&d.across);
    cardo_free(d.q);
    cardo_free(d.speeds);
    cardo_free(d.side);
    return status;
}
