/* test_reference_domains [DIR]: fits every motion of DIR/domain_motions.json (layout and
 * conventions: its README) and compares angle, axis, translation, RMSDs, transforms and paths with
 * the stored ones. Structure paths in it are relative to the parent of the folder that holds DIR's
 * parent. Prints a table and the worst errors.
 *
 * Then looks for the domains of every pair without its annotation, and compares them with the
 * annotated ones: on pairs of one hinge (one motion) at least 95 % of the annotated residues must be
 * in the right domain and the angle within 2 degrees; a pair called calmodulin must be no rigid
 * hinge. Other pairs are printed and do not count. */
#include "analysis/domains/motions.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/internal.h"
#include "support/agreement.h"
#include "support/reference.h"
#include "support/support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Differences from the table: degrees and angstrom. */
typedef struct difference {
    double angle, axis, translation, rmsd, closure, transform, path;
} difference;

/* What a difference may be. A legitimate program agrees to 1e-6. */
static const difference limit = {0.01, 0.02, 0.002, 0.002, 0.02, 0.002, 0.002};

/* What domains found without annotation must reach. */
static const double least_agreement = 0.95, largest_turn = 2.0;

typedef struct tally {
    int passed, failed, unsupported;
    int found, not_found;
    difference worst;
} tally;

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value ? value : "";
}

static double at(const json_t *array, size_t k)
{
    return json_number_value(json_array_get(array, k));
}

/* Vectors and transforms in nm from angstrom. */
static cardo_vec3 vector(const json_t *array, double scale)
{
    return v3_scale(scale, v3(at(array, 0), at(array, 1), at(array, 2)));
}

static cardo_transform transform(const json_t *object)
{
    cardo_transform X = {.p = vector(json_object_get(object, "t"), CARDO_ANGSTROM)};
    for (size_t i = 0; i < 3; ++i)
        for (size_t j = 0; j < 3; ++j)
            X.R.m[i][j] = at(json_array_get(json_object_get(object, "R"), i), j);
    return X;
}

static void raise_to(double *worst, double value)
{
    if (!(value <= *worst))
        *worst = value;
}

static void raise_all(difference *worst, const difference *d)
{
    raise_to(&worst->angle, d->angle);
    raise_to(&worst->axis, d->axis);
    raise_to(&worst->translation, d->translation);
    raise_to(&worst->rmsd, d->rmsd);
    raise_to(&worst->closure, d->closure);
    raise_to(&worst->transform, d->transform);
    raise_to(&worst->path, d->path);
}

static bool within(const difference *d)
{
    return d->angle <= limit.angle && d->axis <= limit.axis &&
           d->translation <= limit.translation && d->rmsd <= limit.rmsd &&
           d->closure <= limit.closure && d->transform <= limit.transform && d->path <= limit.path;
}

/* The largest of the distances between the images of points around centre, 1 nm away, in angstrom.
 */
static double separation(cardo_transform X, cardo_transform Y, cardo_vec3 centre)
{
    double worst = 0;
    for (int k = 0; k < 4; ++k) {
        cardo_vec3 p = v3_add(centre, v3(k == 1, k == 2, k == 3));
        raise_to(&worst, v3_norm(v3_sub(xform_point(X, p), xform_point(Y, p))) / CARDO_ANGSTROM);
    }
    return worst;
}

static double angle_between(cardo_vec3 a, cardo_vec3 b)
{
    return atan2(v3_norm(v3_cross(a, b)), v3_dot(a, b)) / CARDO_DEGREE;
}

static double rmsd_difference(double ours, const json_t *rmsd, const char *key)
{
    return fabs(ours / CARDO_ANGSTROM - support_number(rmsd, key));
}

static void compare_path(difference *d, const cardo_path_fit *fit, const json_t *motion,
                         const char *name, cardo_transform (*pose)(const cardo_path_fit *, double),
                         cardo_vec3 centre)
{
    const json_t *stored = json_object_get(json_object_get(motion, "paths"), name);
    for (size_t k = 0; k < json_array_size(stored); ++k) {
        const json_t *row = json_array_get(stored, k);
        raise_to(&d->path, separation(pose(fit, support_number(row, "q")), transform(row), centre));
    }
}

static difference compare(const cardo_path_fit *fit, const json_t *motion, double global_rmsd)
{
    difference d = {0};
    const json_t *screw = json_object_get(motion, "screw"), *rmsd = json_object_get(motion, "rmsd");
    const json_t *hinge = json_object_get(motion, "hinge_frame");
    cardo_vec3 centre =
        vector(json_object_get(json_object_get(motion, "mobile_centroid"), "open"), CARDO_ANGSTROM);
    d.angle = fabs(fit->angle / CARDO_DEGREE - support_number(screw, "angle_deg"));
    d.axis = angle_between(fit->axis, vector(json_object_get(screw, "axis"), 1.0));
    d.translation =
        fabs(fit->translation / CARDO_ANGSTROM - support_number(screw, "translation_along_axis"));
    d.closure = fabs(fit->percent_closure - support_number(screw, "percent_closure"));

    raise_to(&d.rmsd, rmsd_difference(fit->rmsd_stationary[1], rmsd, "stationary_fit"));
    raise_to(&d.rmsd, rmsd_difference(fit->rmsd_mobile[1], rmsd, "mobile_fit"));
    raise_to(&d.rmsd, rmsd_difference(fit->rmsd_before, rmsd, "mobile_before_move"));
    raise_to(&d.rmsd, rmsd_difference(fit->rmsd_moved, rmsd, "synthetic_closed_vs_closed"));
    raise_to(&d.rmsd, fabs(fit->rmsd_global / CARDO_ANGSTROM - global_rmsd));

    const json_t *moved = json_object_get(motion, "mobile_open_to_closed");
    raise_to(&d.transform, separation(fit->motion[1], transform(moved), centre));
    cardo_transform superposed = transform(json_object_get(motion, "closed_to_open_fit"));
    cardo_vec3 back = xform_point(xform_inverse(superposed), centre);
    raise_to(&d.transform, separation(fit->fit[1], superposed, back));
    cardo_vec3 origin = vector(json_object_get(hinge, "origin"), CARDO_ANGSTROM);
    raise_to(&d.transform, v3_norm(v3_sub(fit->hinge, origin)) / CARDO_ANGSTROM);
    cardo_vec3 point = vector(json_object_get(screw, "point_near_domains"), CARDO_ANGSTROM);
    raise_to(&d.transform, v3_norm(v3_sub(fit->point, point)) / CARDO_ANGSTROM);

    compare_path(&d, fit, motion, "screw", cardo_path_fit_screw, centre);
    compare_path(&d, fit, motion, "euler_linear_about_hinge", cardo_path_fit_euler, centre);
    return d;
}

/* A mask from a range text; an empty text marks nothing. */
static cardo_status select_range(const cardo_structure *structure, const char *range, bool **mask,
                                 cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(mask, structure->nresidue, error);
    if (status == CARDO_OK && range[0])
        status = cardo_domain_select(structure, range, NULL, false, *mask, error);
    return status;
}

static cardo_status fit_motion(const cardo_model *model, const json_t *motion, cardo_path_fit **fit,
                               cardo_error *error)
{
    cardo_status status;
    const cardo_structure *open = model->structure[0].structure;
    cardo_path_target target = {model->structure[1].structure, model->structure[1].match};
    bool *stationary = NULL, *mobile = NULL, *hinge = NULL;
    *fit = NULL;
    CARDO_TRY(select_range(open, text(motion, "stationary"), &stationary, error));
    CARDO_TRY(select_range(open, text(motion, "mobile"), &mobile, error));
    CARDO_TRY(select_range(open, text(motion, "hinge"), &hinge, error));
    CARDO_TRY(cardo_path_fit_create(open, NULL, 1, &target, stationary, mobile, hinge, fit, error));
done:
    cardo_free(stationary);
    cardo_free(mobile);
    cardo_free(hinge);
    return status;
}

/* The same motion as `cardo info open closed --stationary ...` sees it: one fit, and bodies that
 * stand as fitted. */
static bool check_model(const json_t *pair, const json_t *motion, const char *root,
                        const cardo_path_fit *fit)
{
    char path[2][4200];
    const char *which[2] = {"open", "closed"};
    for (int k = 0; k < 2; ++k) {
        const json_t *object = json_object_get(pair, which[k]);
        const char *chain = text(object, "chain");
        int model = (int)support_number(object, "model");
        int used = snprintf(path[k], sizeof path[k], "%s/%s#", root, text(object, "file"));
        if (model > 1)
            used += snprintf(path[k] + used, sizeof path[k] - (size_t)used, "%d:", model);
        snprintf(path[k] + used, sizeof path[k] - (size_t)used, "%s", chain[0] == ' ' ? "" : chain);
    }
    cardo_error error = {0};
    cardo_model *model;
    cardo_system *system = NULL;
    cardo_status status =
        cardo_model_from_pair(path[0], path[1], text(motion, "stationary"), text(motion, "mobile"),
                              text(motion, "hinge"), "screw", false, &model, &error);
    if (status == CARDO_OK)
        status = cardo_model_compile(model, NULL, &system, &error);
    bool same = status == CARDO_OK && model->body[1].fit->angle == fit->angle &&
                model->body[1].fit->nhinge == fit->nhinge;
    /* A file may lack the end of a range: the model then says so and refuses, which is no fault of
     * the fit. */
    bool refused = status == CARDO_ERROR_INPUT && strstr(error.message, "has no residue");
    if (!same)
        printf("    as a model: %s\n", status == CARDO_OK ? "another fit" : error.message);
    cardo_system_destroy(system);
    cardo_model_destroy(model);
    return same || refused;
}

static void check_motion(const cardo_model *model, const json_t *pair, const json_t *motion,
                         const char *root, tally *result)
{
    cardo_error error = {0};
    cardo_path_fit *fit;
    if (fit_motion(model, motion, &fit, &error) != CARDO_OK) {
        printf("%-18s %-10s FAILED: %s\n", text(pair, "id"), text(motion, "name"), error.message);
        ++result->failed;
        return;
    }
    difference d = compare(fit, motion, support_number(pair, "global_ca_rmsd_bestfit"));
    bool counts = fit->nstationary == (int)support_number(motion, "n_stationary") &&
                  fit->nmobile == (int)support_number(motion, "n_mobile");
    bool good = within(&d) && counts && check_model(pair, motion, root, fit);
    printf("%-18s %-10s %8.3f %8.3f %6.3f %6.3f | %.0e %.0e %.0e %.0e %.0e %.0e %.0e %s\n",
           text(pair, "id"), text(motion, "name"), fit->angle / CARDO_DEGREE,
           fit->translation / CARDO_ANGSTROM, fit->rmsd_stationary[1] / CARDO_ANGSTROM,
           fit->rmsd_mobile[1] / CARDO_ANGSTROM, d.angle, d.axis, d.translation, d.rmsd, d.closure,
           d.transform, d.path, good ? "ok" : "FAILED");
    if (!counts)
        printf("    used %d stationary and %d mobile residues, not %d and %d\n", fit->nstationary,
               fit->nmobile, (int)support_number(motion, "n_stationary"),
               (int)support_number(motion, "n_mobile"));
    raise_all(&result->worst, &d);
    result->passed += good;
    result->failed += !good;
    cardo_path_fit_destroy(fit);
}

/* One structure of a pair; path has room for 4096. */
static cardo_structure_definition side(const json_t *pair, const char *which, const char *root,
                                       char *path)
{
    const json_t *object = json_object_get(pair, which);
    const char *chain = text(object, "chain");
    snprintf(path, 4096, "%s/%s", root, text(object, "file"));
    /* The table counts a file's first model as 1, whatever its serial number is. */
    int model = (int)support_number(object, "model");
    return (cardo_structure_definition){.id = which,
                                        .file = path,
                                        .chains = chain[0] == ' ' ? "" : chain,
                                        .model = model > 1 ? model : 0};
}

/* Marks annotated residues with the number of their domain, others with -1. */
static cardo_status annotate(const cardo_structure *open, const json_t *motions, int *domain,
                             cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool *mask = NULL;
    for (int r = 0; r < open->nresidue; ++r)
        domain[r] = -1;
    for (size_t k = 0; k <= json_array_size(motions) && status == CARDO_OK; ++k) {
        const json_t *motion = json_array_get(motions, k ? k - 1 : 0);
        status = select_range(open, text(motion, k ? "mobile" : "stationary"), &mask, error);
        for (int r = 0; status == CARDO_OK && r < open->nresidue; ++r)
            domain[r] = mask[r] ? (int)k : domain[r];
        cardo_free(mask);
    }
    return status;
}

/* The found domain that has most of the residues annotated as k. */
static int counterpart(const cardo_structure *open, const int *annotated,
                       const cardo_domain_motions *found, int k)
{
    int best = 0, most = -1;
    for (int p = 0; p < found->ndomain; ++p) {
        int count = 0;
        for (int r = 0; r < open->nresidue; ++r)
            count += annotated[r] == k && found->domain[r] == p;
        if (count > most) {
            most = count;
            best = p;
        }
    }
    return best;
}

/* The rotation between the found domains that stand for the stationary and the mobile one, degrees;
 * negative when one domain stands for both. */
static double found_angle(const cardo_model *model, const int *annotated,
                          const cardo_domain_motions *found)
{
    const cardo_structure *open = model->structure[0].structure;
    int domain[2] = {counterpart(open, annotated, found, 0),
                     counterpart(open, annotated, found, 1)};
    cardo_path_target target = {model->structure[1].structure, model->structure[1].match};
    bool *mask[2] = {NULL, NULL};
    cardo_path_fit *fit = NULL;
    cardo_status status = domain[0] == domain[1] ? CARDO_ERROR_INPUT : CARDO_OK;
    for (int k = 0; k < 2 && status == CARDO_OK; ++k) {
        status = CARDO_ALLOCATE(&mask[k], open->nresidue, NULL);
        if (status == CARDO_OK)
            cardo_domain_mask(found, open->nresidue, domain[k], mask[k]);
    }
    if (status == CARDO_OK)
        status = cardo_path_fit_create(open, NULL, 1, &target, mask[0], mask[1], NULL, &fit, NULL);
    double angle = status == CARDO_OK ? fit->angle / CARDO_DEGREE : -1;
    cardo_path_fit_destroy(fit);
    cardo_free(mask[0]);
    cardo_free(mask[1]);
    return angle;
}

static void judge_domains(const json_t *pair, const cardo_model *model, const int *annotated,
                          const cardo_domain_motions *found, tally *result)
{
    const cardo_structure *open = model->structure[0].structure;
    const json_t *motions = json_object_get(pair, "motions");
    const json_t *screw = json_object_get(json_array_get(motions, 0), "screw");
    char verdict[CARDO_VERDICT_SIZE];
    bool single = json_array_size(motions) == 1;
    bool calmodulin = strstr(text(pair, "title"), "almodulin") != NULL;
    double agreement = agreement_of(open->nresidue, found->domain, annotated);
    double angle = found_angle(model, annotated, found);
    double turn = angle - support_number(screw, "angle_deg");
    bool same = angle >= 0 && agreement >= least_agreement && fabs(turn) <= largest_turn;
    bool good = calmodulin ? found->verdict != CARDO_MOTION_HINGED : same;
    bool counts = single || calmodulin;
    printf("%-18s %5.1f %% of residues, ", text(pair, "id"), 100 * agreement);
    if (single)
        printf("angle %+.2f, ", turn);
    printf("methods agree on %.1f %%: %s %s\n", 100 * found->agreement,
           cardo_domain_verdict(found, open, verdict),
           !counts ? "(more than one hinge: not judged)"
           : good  ? "ok"
                   : "FAILED");
    result->found += counts && good;
    result->not_found += counts && !good;
}

static void check_found(const cardo_model *model, const json_t *pair, tally *result)
{
    const cardo_structure *open = model->structure[0].structure;
    cardo_error error = {0};
    int *annotated = NULL;
    cardo_domain_motions *found = NULL;
    cardo_domain_options options = cardo_domain_options_default();
    cardo_status status = CARDO_ALLOCATE(&annotated, open->nresidue, &error);
    if (status == CARDO_OK)
        status = annotate(open, json_object_get(pair, "motions"), annotated, &error);
    if (status == CARDO_OK)
        status = cardo_domain_motions_find(open, model->structure[1].structure,
                                           model->structure[1].match, &options, &found, &error);
    if (status == CARDO_OK)
        judge_domains(pair, model, annotated, found, result);
    else
        printf("%-18s FAILED: %s\n", text(pair, "id"), error.message);
    result->not_found += status != CARDO_OK;
    cardo_domain_motions_destroy(found);
    cardo_free(annotated);
}

/* Reads a pair and makes the check of it. */
static void check_pair(const json_t *pair, const char *root, bool annotated, tally *result)
{
    char open_path[4096], closed_path[4096];
    cardo_error error = {0};
    cardo_structure_definition sides[2] = {side(pair, "open", root, open_path),
                                           side(pair, "closed", root, closed_path)};
    cardo_model_definition definition = {.structure = sides, .nstructure = 2};
    cardo_model *model = NULL;
    const json_t *motions = json_object_get(pair, "motions");
    cardo_status status = CARDO_ALLOCATE(&model, 1, &error);
    if (status == CARDO_OK)
        status = cardo_copy_string(&model->path, "", &error);
    if (status == CARDO_OK)
        status = cardo_model_read_structures(model, &definition, &error);
    if (status == CARDO_OK && !annotated)
        check_found(model, pair, result);
    else if (status == CARDO_OK)
        for (size_t k = 0; k < json_array_size(motions); ++k)
            check_motion(model, pair, json_array_get(motions, k), root, result);
    else if (annotated) {
        bool unsupported = status == CARDO_ERROR_UNSUPPORTED;
        printf("%-18s %s: %s\n", text(pair, "id"), unsupported ? "unsupported" : "FAILED",
               error.message);
        result->unsupported += unsupported;
        result->failed += !unsupported;
    }
    cardo_model_destroy(model);
}

int main(int argc, char **argv)
{
    char folder[2048], path[4096], root[4096];
    const char *shared = getenv("CARDO_SHARED");
    if (argc > 1)
        snprintf(folder, sizeof folder, "%s", argv[1]);
    else
        snprintf(folder, sizeof folder, "%s/reference/domains", shared ? shared : "../shared");
    snprintf(path, sizeof path, "%s/domain_motions.json", folder);
    snprintf(root, sizeof root, "%s/../../..", folder);

    json_error_t why;
    json_t *table = json_load_file(path, 0, &why);
    if (!table) {
        printf("SKIPPED: no reference folder: %s: %s\n", path, why.text);
        return argc > 1 ? 1 : 77;
    }
    printf("pair, motion, angle/deg, translation/A, RMSD stationary and mobile/A | differences: "
           "angle and axis/deg,\n"
           "translation and RMSDs/A, closure/%%, transforms and paths/A\n");
    const json_t *pairs = json_object_get(table, "pairs");
    tally result = {0};
    for (size_t k = 0; k < json_array_size(pairs); ++k)
        check_pair(json_array_get(pairs, k), root, true, &result);
    const difference *w = &result.worst;
    printf(
        "worst: angle %.1e deg, axis %.1e deg, translation %.1e A, RMSD %.1e A, closure %.1e %%, "
        "transforms %.1e A, paths %.1e A\n",
        w->angle, w->axis, w->translation, w->rmsd, w->closure, w->transform, w->path);
    printf("%d motions agree, %d do not, %d pairs unsupported\n", result.passed, result.failed,
           result.unsupported);
    printf(
        "\ndomains found without annotation: residues in the annotated domain, angle against the "
        "table's/deg, verdict\n");
    for (size_t k = 0; k < json_array_size(pairs); ++k)
        check_pair(json_array_get(pairs, k), root, false, &result);
    printf("%d pairs of one hinge are found, %d are not\n", result.found, result.not_found);
    json_decref(table);
    return result.failed > 0 || result.not_found > 0 || result.passed == 0;
}
