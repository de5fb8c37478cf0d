#include "model/path_fit.h"

#include "base/memory.h"
#include "multibody/mobilizers/path.h"
#include "structure/atoms/superpose.h"

cardo_screw_motion cardo_screw_from_transform(cardo_transform X, cardo_vec3 near)
{
    /* Seen from near, the nearest point of the axis is the one nearest to the origin. */
    cardo_transform from_near = {X.R, v3_sub(xform_point(X, near), near)};
    cardo_screw_axis screw = cardo_screw_axis_of(&from_near);
    return (cardo_screw_motion){screw.angle, screw.axis, v3_add(near, screw.point), screw.shift};
}

cardo_transform cardo_screw_transform(const cardo_screw_motion *screw, double q)
{
    cardo_mat33 R = m33_rotation(screw->axis, q * screw->angle);
    cardo_vec3 p = v3_sub(screw->point, m33_mul_v3(R, screw->point));
    return (cardo_transform){R, v3_add_scaled(p, q * screw->translation, screw->axis)};
}

cardo_transform cardo_euler_transform(cardo_vec3 angles, cardo_vec3 origin, cardo_vec3 displacement,
                                      double q)
{
    cardo_mat33 R = m33_from_euler(q * angles.x, q * angles.y, q * angles.z);
    cardo_vec3 p = v3_sub(origin, m33_mul_v3(R, origin));
    return (cardo_transform){R, v3_add_scaled(p, q, displacement)};
}

/* The C-alpha of corresponding residues in two structures, as two arrays of points. */
typedef struct point_pairs {
    int n;
    double *a, *b; /* (n x 3) */
    int *chain;    /* in the first structure, ascending (n) */
} point_pairs;

static void point_pairs_release(point_pairs *pairs)
{
    cardo_free(pairs->a);
    cardo_free(pairs->b);
    cardo_free(pairs->chain);
}

/* Where a motion begins: in the reference, or in another structure that is laid on it. */
typedef struct beginning {
    const cardo_structure *reference;
    const cardo_path_target *from; /* NULL: the reference itself */
    cardo_transform onto;          /* lays it on the reference   */
} beginning;

/* Of the C-alpha of a residue of the reference; false: there is none. */
static bool find_beginning(const beginning *first, int r, cardo_vec3 *at)
{
    const cardo_structure *s = first->from ? first->from->structure : first->reference;
    const int residue = first->from ? first->from->match[r] : r;
    const int i = residue < 0 ? -1 : cardo_structure_find_atom(s, residue, "CA");
    if (i < 0)
        return false;
    *at = xform_point(first->onto, v3_load(s->position + 3 * i));
    return true;
}

/* mask: NULL for every residue. */
static cardo_status point_pairs_collect(point_pairs *pairs, const beginning *first,
                                        const cardo_path_target *target, const bool *mask,
                                        cardo_error *error)
{
    const cardo_structure *a = first->reference, *b = target->structure;
    cardo_status status = CARDO_ALLOCATE(&pairs->a, 3 * a->nresidue, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&pairs->b, 3 * a->nresidue, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&pairs->chain, a->nresidue, error);
    if (status != CARDO_OK)
        return status;
    for (int r = 0; r < a->nresidue; ++r) {
        cardo_vec3 at;
        if ((mask && !mask[r]) || target->match[r] < 0)
            continue;
        int j = cardo_structure_find_atom(b, target->match[r], "CA");
        if (j < 0 || !find_beginning(first, r, &at))
            continue;
        v3_store(pairs->a + 3 * pairs->n, at);
        v3_store(pairs->b + 3 * pairs->n, v3_load(b->position + 3 * j));
        pairs->chain[pairs->n] = a->residue_chain[r];
        ++pairs->n;
    }
    return CARDO_OK;
}

static cardo_vec3 centre(int n, const double *points)
{
    cardo_vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < n; ++i)
        sum = v3_add(sum, v3_load(points + 3 * i));
    return v3_scale(1.0 / n, sum);
}

static bool has_chain(const point_pairs *pairs, int chain)
{
    int low = 0, high = pairs->n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (pairs->chain[middle] < chain)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pairs->n && pairs->chain[low] == chain;
}

/* Of the chains that the other domain is of, where there are any: what all chains of an assembly have in common may be centred
 * anywhere. */
static cardo_vec3 centre_beside(const point_pairs *pairs, const point_pairs *other)
{
    cardo_vec3 sum = v3(0, 0, 0);
    int n = 0;
    for (int i = 0; i < pairs->n; ++i)
        if (has_chain(other, pairs->chain[i])) {
            sum = v3_add(sum, v3_load(pairs->a + 3 * i));
            ++n;
        }
    return n > 0 ? v3_scale(1.0 / n, sum) : centre(pairs->n, pairs->a);
}

static void move_points(int n, double *points, cardo_transform X)
{
    for (int i = 0; i < n; ++i)
        v3_store(points + 3 * i, xform_point(X, v3_load(points + 3 * i)));
}

/* Superposes and says what was superposed when that is impossible. */
static cardo_status superpose(const point_pairs *pairs, bool a_on_b, const char *what,
                              const char *source, cardo_transform *X, double *rmsd,
                              cardo_error *error)
{
    const double *from = a_on_b ? pairs->a : pairs->b, *to = a_on_b ? pairs->b : pairs->a;
    if (pairs->n < 3)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: only %d C-alpha of the %s are in both structures; a fit needs 3",
                          source, pairs->n, what);
    cardo_status status = cardo_superpose(pairs->n, from, to, NULL, X, rmsd, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error, "%s: fit of the %s: ", source, what);
    return status;
}

/* The screw, its point nearest to the middle between the domains' centres, and the share of
 * closure. */
static void describe_screw(cardo_path_fit *fit, const point_pairs *stationary,
                           const point_pairs *mobile)
{
    int last = fit->nstructure - 1;
    cardo_vec3 still = centre_beside(stationary, mobile);
    cardo_vec3 moved =
        v3_scale(0.5, v3_add(centre(mobile->n, mobile->a), centre(mobile->n, mobile->b)));
    cardo_vec3 line = v3_sub(moved, still);
    cardo_screw_motion screw =
        cardo_screw_from_transform(fit->motion[last], v3_scale(0.5, v3_add(still, moved)));
    fit->angle = screw.angle;
    fit->axis = screw.axis;
    fit->point = screw.point;
    fit->translation = screw.translation;
    double length = v3_norm(line);
    double cosine = length > 0 ? v3_dot(screw.axis, line) / length : 0.0;
    fit->percent_closure = 100.0 * (1.0 - cosine * cosine);
}

/* Of the C-alpha of some residues, where the motion begins; n: how many there are. */
static cardo_vec3 find_centre(const beginning *first, const bool *mask, int *n)
{
    cardo_vec3 sum = v3(0, 0, 0), at;
    *n = 0;
    for (int r = 0; mask && r < first->reference->nresidue; ++r)
        if (mask[r] && find_beginning(first, r, &at)) {
            sum = v3_add(sum, at);
            ++*n;
        }
    return v3_scale(1.0 / (*n > 0 ? *n : 1), sum);
}

static void describe_euler(cardo_path_fit *fit, const beginning *first, const bool *hinge)
{
    const cardo_vec3 middle = find_centre(first, hinge, &fit->nhinge);
    cardo_transform motion = fit->motion[fit->nstructure - 1];
    fit->hinge = fit->nhinge > 0 ? middle : fit->point;
    fit->displacement = v3_sub(xform_point(motion, fit->hinge), fit->hinge);
    fit->euler = m33_to_euler(motion.R);
}

static cardo_status describe_global(cardo_path_fit *fit, const beginning *first,
                                    const cardo_path_target *target, cardo_error *error)
{
    point_pairs all = {0};
    cardo_transform X;
    cardo_status status = point_pairs_collect(&all, first, target, NULL, error);
    if (status == CARDO_OK)
        status = superpose(&all, true, "whole molecule", target->structure->source, &X,
                           &fit->rmsd_global, error);
    point_pairs_release(&all);
    return status;
}

/* Superposes structure k by the stationary residues, then the mobile residues onto it. On return
 * the closed points of both sets stand in the reference's frame. */
static cardo_status fit_structure(cardo_path_fit *fit, int k, point_pairs *stationary,
                                  point_pairs *mobile, const char *source, cardo_error *error)
{
    cardo_status status = superpose(stationary, false, "stationary domain", source, &fit->fit[k],
                                    &fit->rmsd_stationary[k], error);
    if (status != CARDO_OK)
        return status;
    move_points(stationary->n, stationary->b, fit->fit[k]);
    move_points(mobile->n, mobile->b, fit->fit[k]);
    status = superpose(mobile, true, "mobile domain", source, &fit->motion[k], &fit->rmsd_mobile[k],
                       error);
    if (status != CARDO_OK || k < fit->nstructure - 1)
        return status;

    double still = cardo_rmsd(stationary->n, stationary->a, stationary->b, xform_identity());
    double moved = cardo_rmsd(mobile->n, mobile->a, mobile->b, fit->motion[k]);
    fit->nstationary = stationary->n;
    fit->nmobile = mobile->n;
    fit->rmsd_before = cardo_rmsd(mobile->n, mobile->a, mobile->b, xform_identity());
    fit->rmsd_moved = sqrt((stationary->n * still * still + mobile->n * moved * moved) /
                           (stationary->n + mobile->n));
    describe_screw(fit, stationary, mobile);
    return CARDO_OK;
}

static cardo_status fit_target(cardo_path_fit *fit, int k, const beginning *first,
                               const cardo_path_target *target, const bool *stationary,
                               const bool *mobile, cardo_error *error)
{
    point_pairs still = {0}, moving = {0};
    cardo_status status = point_pairs_collect(&still, first, target, stationary, error);
    if (status == CARDO_OK)
        status = point_pairs_collect(&moving, first, target, mobile, error);
    if (status == CARDO_OK)
        status = fit_structure(fit, k, &still, &moving, target->structure->source, error);
    point_pairs_release(&still);
    point_pairs_release(&moving);
    return status;
}

/* Lays the structure that the motion begins in on the reference, by the stationary residues. */
static cardo_status lay_on_reference(beginning *first, const bool *stationary, cardo_error *error)
{
    const beginning itself = {.reference = first->reference, .onto = xform_identity()};
    point_pairs still = {0};
    double rmsd;
    if (!first->from)
        return CARDO_OK;
    cardo_status status = point_pairs_collect(&still, &itself, first->from, stationary, error);
    if (status == CARDO_OK)
        status = superpose(&still, false, "stationary domain", first->from->structure->source,
                           &first->onto, &rmsd, error);
    point_pairs_release(&still);
    return status;
}

cardo_status cardo_path_fit_create(const cardo_structure *reference, const cardo_path_target *from,
                                   int ntarget, const cardo_path_target *targets,
                                   const bool *stationary, const bool *mobile, const bool *hinge,
                                   cardo_path_fit **out, cardo_error *error)
{
    cardo_status status;
    cardo_path_fit *fit = NULL;
    beginning first = {.reference = reference, .from = from, .onto = xform_identity()};
    int n = ntarget + 1, nmobile;
    *out = NULL;
    CARDO_TRY(lay_on_reference(&first, stationary, error));
    CARDO_TRY(CARDO_ALLOCATE(&fit, 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&fit->rmsd_stationary, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&fit->rmsd_mobile, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&fit->motion, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&fit->fit, n, error));
    fit->nstructure = n;
    fit->motion[0] = fit->fit[0] = xform_identity();
    for (int k = 1; k < n; ++k)
        CARDO_TRY(fit_target(fit, k, &first, &targets[k - 1], stationary, mobile, error));
    fit->centre = find_centre(&first, mobile, &nmobile);
    describe_euler(fit, &first, hinge);
    CARDO_TRY(describe_global(fit, &first, &targets[ntarget - 1], error));
    *out = fit;
    fit = NULL;
done:
    cardo_path_fit_destroy(fit);
    return status;
}

void cardo_path_fit_destroy(cardo_path_fit *fit)
{
    if (!fit)
        return;
    cardo_free(fit->rmsd_stationary);
    cardo_free(fit->rmsd_mobile);
    cardo_free(fit->motion);
    cardo_free(fit->fit);
    cardo_free(fit);
}

cardo_transform cardo_path_fit_screw(const cardo_path_fit *fit, double q)
{
    cardo_screw_motion screw = {fit->angle, fit->axis, fit->point, fit->translation};
    return cardo_screw_transform(&screw, q);
}

cardo_transform cardo_path_fit_euler(const cardo_path_fit *fit, double q)
{
    return cardo_euler_transform(fit->euler, fit->hinge, fit->displacement, q);
}
