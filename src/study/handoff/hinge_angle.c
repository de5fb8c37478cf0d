#include "study/handoff/hinge_angle.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/relax/bonded_geometry.h"

#include <math.h>
#include <string.h>

/* nm: how far points lie from the axis, and along it on either side; radian: what is no turn. */
static const double arm = 1.0, half_axis = 1.0, least_arm = 0.5, least_angle = 0.02;

int cardo_domain_alphas(const cardo_model *model, int body, bool *mark)
{
    const cardo_structure *s = model->structure[0].structure;
    const bool *domain = body >= 0 ? model->body[body].domain : NULL;
    int n = 0;
    for (int r = 0; domain && r < s->nresidue; ++r) {
        int atom = domain[r] ? cardo_structure_find_atom(s, r, "CA") : -1;
        if (atom < 0 && domain[r])
            atom = cardo_structure_find_atom(s, r, "C4'");
        if (atom < 0)
            continue;
        mark[atom] = true;
        ++n;
    }
    return n;
}

/* C-alphas of a domain, their mean, and the inverse of the sum of squares about it. */
typedef struct cloud {
    int n, *atom;
    cardo_vec3 mean;
    cardo_mat33 inverse;
} cloud;

static cardo_status invert(double s[3][3], cardo_mat33 *out)
{
    const cardo_vec3 a = v3(s[0][0], s[0][1], s[0][2]), b = v3(s[1][0], s[1][1], s[1][2]),
                     c = v3(s[2][0], s[2][1], s[2][2]);
    const cardo_vec3 bc = v3_cross(b, c), ca = v3_cross(c, a), ab = v3_cross(a, b);
    const double det = v3_dot(a, bc), trace = s[0][0] + s[1][1] + s[2][2];
    /* A plane of atoms has none, and a thin layer a useless one. */
    if (!(det > 1e-5 * trace * trace * trace))
        return CARDO_ERROR_UNSUPPORTED;
    *out = m33_from_columns(v3_scale(1 / det, bc), v3_scale(1 / det, ca), v3_scale(1 / det, ab));
    return CARDO_OK;
}

static cardo_status cloud_make(const cardo_model *model, int body, cloud *c, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = model->structure[0].structure;
    bool *mark = NULL;
    double square[3][3] = {{0}};
    CARDO_TRY(CARDO_ALLOCATE(&mark, s->natom, error));
    const int n = cardo_domain_alphas(model, body, mark);
    CARDO_TRY(CARDO_ALLOCATE(&c->atom, n > 0 ? n : 1, error));
    for (int i = 0; i < s->natom; ++i)
        if (mark[i]) {
            c->atom[c->n++] = i;
            c->mean = v3_add(c->mean, v3_load(s->position + 3 * (size_t)i));
        }
    c->mean = v3_scale(1.0 / (n > 0 ? n : 1), c->mean);
    for (int k = 0; k < n; ++k) {
        double d[3];
        v3_store(d, v3_sub(v3_load(s->position + 3 * (size_t)c->atom[k]), c->mean));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                square[i][j] += d[i] * d[j];
    }
    if (n < 4 || invert(square, &c->inverse) != CARDO_OK)
        status = CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                            "domain %s has too few C-alpha atoms, or all in a plane, to carry a "
                            "point of the axis",
                            body >= 0 ? model->body[body].name : "of ground");
done:
    cardo_free(mark);
    return status;
}

/* The k-th point of a hinge, where the first structure has it. */
static cardo_status set_point(cardo_hinge_angle *hinge, int k, const cardo_model *model,
                              const cloud *c, cardo_vec3 point, cardo_error *error)
{
    cardo_status status;
    const double *position = model->structure[0].structure->position;
    const cardo_vec3 way = m33_mul_v3(c->inverse, v3_sub(point, c->mean));
    CARDO_TRY(CARDO_ALLOCATE(&hinge->atom[k], c->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&hinge->weight[k], c->n, error));
    hinge->n[k] = c->n;
    for (int i = 0; i < c->n; ++i) {
        const cardo_vec3 d = v3_sub(v3_load(position + 3 * (size_t)c->atom[i]), c->mean);
        hinge->atom[k][i] = c->atom[i];
        hinge->weight[k][i] = 1.0 / c->n + v3_dot(way, d);
    }
done:
    return status;
}

/* Off the axis, of the domain that moves: its middle, or farther out where that is near the axis. */
static cardo_vec3 choose_arm(const cardo_path_fit *fit, cardo_vec3 middle)
{
    const cardo_vec3 from = v3_sub(middle, fit->point);
    const cardo_vec3 along = v3_scale(v3_dot(from, fit->axis), fit->axis);
    cardo_vec3 out = v3_sub(from, along);
    if (v3_norm(out) < least_arm) {
        const cardo_vec3 any = fabs(fit->axis.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
        const cardo_vec3 side =
            v3_norm(out) > 1e-3 ? out : v3_sub(any, v3_scale(v3_dot(any, fit->axis), fit->axis));
        out = v3_scale(arm / v3_norm(side), side);
    }
    return v3_add(fit->point, v3_add(along, out));
}

static cardo_status set_points(cardo_hinge_angle *hinge, const cardo_model *model,
                               const cloud *stands, const cloud *moves, cardo_error *error)
{
    cardo_status status;
    const cardo_path_fit *fit = model->body[hinge->body].fit;
    const cardo_vec3 far = choose_arm(fit, moves->mean);
    const cardo_vec3 from = v3_sub(far, fit->point);
    const cardo_vec3 out = v3_sub(from, v3_scale(v3_dot(from, fit->axis), fit->axis));
    /* The axis's points are beside the domain that stands. */
    const double level = v3_dot(v3_sub(stands->mean, fit->point), fit->axis);
    const cardo_vec3 low = v3_add(fit->point, v3_scale(level - half_axis, fit->axis)),
                     high = v3_add(fit->point, v3_scale(level + half_axis, fit->axis));
    const cardo_vec3 half =
        m33_mul_v3(m33_rotation(fit->axis, 0.5 * fit->angle), v3_scale(arm / v3_norm(out), out));
    CARDO_TRY(set_point(hinge, 0, model, stands, v3_add(low, half), error));
    CARDO_TRY(set_point(hinge, 1, model, stands, low, error));
    CARDO_TRY(set_point(hinge, 2, model, stands, high, error));
    status = set_point(hinge, 3, model, moves, far, error);
done:
    return status;
}

cardo_status cardo_hinge_angle_find(const cardo_model *model, int body, cardo_hinge_angle *out,
                                    cardo_error *error)
{
    cardo_status status;
    cloud stands = {0}, moves = {0};
    const cardo_model_body *made = &model->body[body];
    const cardo_path *path =
        made->mobilizer == &cardo_mobilizer_path ? (const cardo_path *)made->parameters : NULL;
    *out = (cardo_hinge_angle){.name = made->name, .body = body};
    if (!made->fit || !path || made->parent < 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s hangs by no path between two structures on another body", made->name);
    if (path->kind != CARDO_PATH_SCREW || made->fit->nstructure != 2)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "the path of %s is no screw between two structures, so its q is no angle "
                          "about one axis",
                          made->name);
    out->angle = made->fit->angle;
    if (out->angle < least_angle)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s turns by %.2f degrees alone, which makes no angle of its q",
                          made->name, out->angle * 180 / CARDO_PI);
    CARDO_TRY(cloud_make(model, made->parent, &stands, error));
    CARDO_TRY(cloud_make(model, body, &moves, error));
    status = set_points(out, model, &stands, &moves, error);
done:
    cardo_free(stands.atom);
    cardo_free(moves.atom);
    return status;
}

double cardo_hinge_angle_q(const cardo_hinge_angle *hinge, const double *positions)
{
    static const int points[CARDO_HINGE_POINTS] = {0, 1, 2, 3};
    double at[3 * CARDO_HINGE_POINTS] = {0};
    for (int k = 0; k < CARDO_HINGE_POINTS; ++k)
        for (int i = 0; i < hinge->n[k]; ++i)
            for (int c = 0; c < 3; ++c)
                at[3 * k + c] +=
                    hinge->weight[k][i] * positions[3 * (size_t)hinge->atom[k][i] + (size_t)c];
    return 0.5 + cardo_torsion_of(at, points) / hinge->angle;
}

void cardo_hinge_angle_clear(cardo_hinge_angle *hinge)
{
    for (int k = 0; k < CARDO_HINGE_POINTS; ++k) {
        cardo_free(hinge->atom[k]);
        cardo_free(hinge->weight[k]);
    }
    *hinge = (cardo_hinge_angle){0};
}
