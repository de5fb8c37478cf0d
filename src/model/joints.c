#include "base/memory.h"
#include "base/number.h"
#include "model/internal.h"
#include "model/points.h"
#include "model/poses.h"

#include <string.h>

/* What one joint is made from. */
typedef struct joint_maker {
    cardo_model *model;
    const cardo_model_definition *definition;
    const cardo_model_owners *owners;
    const cardo_joint_definition *joint;
    cardo_model_body *body;
    int index; /* of the body */
} joint_maker;

/* What makes a joint of one kind: an entry of the table below. */
typedef struct joint_kind {
    const char *name;
    cardo_status (*make)(const joint_maker *maker, cardo_error *error);
} joint_kind;

/* Does hinge h belong to the path of this body? By its of="", or, per strand, by its flanks. */
static bool flanks_meet(const joint_maker *maker, const cardo_strand *strand)
{
    const int *body = maker->owners->body;
    int left = strand->left < 0 ? -1 : body[strand->left];
    int right = strand->right < 0 ? -1 : body[strand->right];
    int child = maker->index, parent = maker->body->parent;
    return (left == child && right == parent) || (left == parent && right == child);
}

static int count_paths(const cardo_model_definition *definition)
{
    int n = 0;
    for (int b = 0; b < definition->nbody; ++b)
        n += definition->body[b].joint.kind && strcmp(definition->body[b].joint.kind, "path") == 0;
    return n;
}

/* Marks the hinge residues about which this path turns. A model with a single path owns all of
 * them. */
static void mark_hinge(const joint_maker *maker, bool *mask)
{
    const cardo_structure *reference = maker->model->structure[0].structure;
    bool single = count_paths(maker->definition) == 1;
    cardo_strand strand;
    for (int r = 0; cardo_strand_next(reference, maker->owners->hinge, r, &strand);
         r = strand.last + 1) {
        const char *of = maker->definition->hinge[strand.hinge].of;
        bool mine = of ? strcmp(of, maker->body->name) == 0 : single || flanks_meet(maker, &strand);
        for (int k = strand.first; mine && k <= strand.last; ++k)
            mask[k] = true;
    }
}

static int find_structure(const cardo_model *model, const char *id, size_t length)
{
    for (int k = 0; k < model->nstructure; ++k)
        if (strlen(model->structure[k].id) == length &&
            memcmp(model->structure[k].id, id, length) == 0)
            return k;
    return -1;
}

/* The structures of a path as indices; chosen has room for every structure of the model. */
static cardo_status path_structures(const joint_maker *maker, int *chosen, int *n,
                                    cardo_error *error)
{
    const cardo_model *model = maker->model;
    const char *blanks = " ,\t\r\n", *text = maker->joint->structures;
    char here[CARDO_PLACE_SIZE];
    cardo_place_text(maker->joint->place, here);
    *n = 0;
    for (int k = 0; !text && k < model->nstructure; ++k)
        chosen[(*n)++] = k;
    for (const char *word = text; word && *(word += strspn(word, blanks));) {
        size_t length = strcspn(word, blanks);
        int k = find_structure(model, word, length);
        if (k < 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: structure '%.*s' of this path is no <structure> of the model",
                              here, (int)length, word);
        for (int j = 0; j < *n; ++j)
            if (chosen[j] == k)
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "%s: structure '%.*s' is twice on this path", here, (int)length,
                                  word);
        chosen[(*n)++] = k;
        word += length;
    }
    if (*n < 2)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: a path needs two structures or more, an open and a closed one",
                          here);
    if (chosen[0] != 0)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: a path begins with the model's first structure, here '%s'; put that one first",
            here, model->structure[0].id);
    return CARDO_OK;
}

static cardo_path_target target_of(const cardo_model *model, int k)
{
    return (cardo_path_target){model->structure[k].structure, model->structure[k].match};
}

/* The structure that a path's motion begins in. */
static cardo_status path_begin(const joint_maker *maker, int *which, cardo_error *error)
{
    const char *id = maker->joint->from;
    char here[CARDO_PLACE_SIZE];
    *which = id ? find_structure(maker->model, id, strlen(id)) : 0;
    return *which >= 0 ? CARDO_OK
                       : CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                    "%s: from=\"%s\" is no <structure> of the model",
                                    cardo_place_text(maker->joint->place, here), id);
}

static cardo_status fit_path(const joint_maker *maker, int n, const int *chosen,
                             cardo_path_fit **fit, cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = maker->model;
    const cardo_structure *reference = model->structure[0].structure;
    cardo_path_target *targets = NULL, from;
    bool *hinge = NULL;
    int *on = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&hinge, reference->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&targets, n - 1, error));
    for (int k = 1; k < n; ++k)
        targets[k - 1] = target_of(model, chosen[k]);
    CARDO_TRY(CARDO_ALLOCATE(&on, n, error));
    memcpy(on, chosen, (size_t)n * sizeof *on);
    CARDO_TRY(path_begin(maker, &on[0], error));
    from = target_of(model, on[0]);
    mark_hinge(maker, hinge);
    CARDO_TRY(cardo_path_fit_create(reference, on[0] > 0 ? &from : NULL, n - 1, targets,
                                    model->body[maker->body->parent].domain, maker->body->domain,
                                    hinge, fit, error));
    maker->body->on_path = on;
    on = NULL;
done:
    cardo_free(on);
    cardo_free(hinge);
    cardo_free(targets);
    return status;
}

static cardo_status path_interpolation(const joint_maker *maker, int n, cardo_path_kind *kind,
                                       cardo_error *error)
{
    static const char *const names[] = {"screw", "euler", "spline", NULL};
    static const cardo_path_kind kinds[] = {CARDO_PATH_SCREW, CARDO_PATH_EULER, CARDO_PATH_SPLINE};
    const char *text = maker->joint->interpolation;
    char here[CARDO_PLACE_SIZE];
    cardo_place_text(maker->joint->place, here);
    if (!text)
        text = n == 2 ? "screw" : "spline";
    int k = 0;
    while (names[k] && strcmp(names[k], text) != 0)
        ++k;
    if (!names[k])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: interpolation=\"%s\" is none of screw, euler, spline", here, text);
    *kind = kinds[k];
    if (n > 2 && *kind != CARDO_PATH_SPLINE)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: a %s path joins two structures and this one has %d; set interpolation=\"spline\"",
            here, text, n);
    return CARDO_OK;
}

/* Coordinates that extra="" knows: turns and shifts, along which of the lines that place_extras draws. */
static const struct {
    const char *name;
    int line; /* 0: out, from the axis to the mobile domain; 1: across; 2: along the axis */
    bool shift;
} extras[CARDO_PATH_EXTRAS] = {
    {"twist", 0, false}, {"bend", 1, false}, {"stretch", 0, true},
    {"shear", 1, true},  {"slide", 2, true},
};

static bool has_extra(const cardo_path *path, const char *name)
{
    for (int k = 0; k < path->nextra; ++k)
        if (path->extra[k].name == name)
            return true;
    return false;
}

/* Which coordinates extra="" asks for, in its order; false for other words. */
static bool parse_extra(const char *text, cardo_path *path)
{
    const char *blanks = " ,\t\r\n";
    path->nextra = 0;
    for (const char *word = text; *(word += strspn(word, blanks));) {
        size_t length = strcspn(word, blanks);
        const char *found = NULL;
        for (int k = 0; k < CARDO_PATH_EXTRAS; ++k)
            if (strlen(extras[k].name) == length && memcmp(word, extras[k].name, length) == 0)
                found = extras[k].name;
        if (!found || has_extra(path, found))
            return false;
        path->extra[path->nextra++].name = found;
        word += length;
    }
    return path->nextra > 0;
}

/* Where they turn: for a screw at the point of its axis nearest to the hinge, for others, where
 * F is already, at the hinge. Twist is about, and stretch along, the line from the axis of the whole motion to the mobile
 * domain, bend and shear the line across both; slide is along the axis. */
static void place_extras(const joint_maker *maker, cardo_path *path)
{
    cardo_model_body *body = maker->body;
    const cardo_path_fit *fit = body->fit;
    const cardo_vec3 z = fit->axis;
    cardo_vec3 origin = v3_add_scaled(fit->point, v3_dot(v3_sub(fit->hinge, fit->point), z), z);
    cardo_vec3 out = v3_sub(fit->centre, origin);
    out = v3_add_scaled(out, -v3_dot(out, z), z);
    cardo_vec3 x = v3_norm(out) > 1e-6 ? v3_unit(out) : v3_perpendicular(z);
    const cardo_vec3 line[3] = {x, v3_cross(z, x), z};
    for (int k = 0; k < path->nextra; ++k)
        for (int known = 0; known < CARDO_PATH_EXTRAS; ++known)
            if (path->extra[k].name == extras[known].name) {
                path->extra[k].axis = line[extras[known].line];
                path->extra[k].shift = extras[known].shift;
            }
    if (path->kind == CARDO_PATH_SCREW)
        body->X_GF.p = origin;
}

/* Parameters of the mobilizer: the motions seen from a frame F with ground's axes and origin
 * X_GF.p, and the coordinates beside them. */
static cardo_status path_parameters(const joint_maker *maker, cardo_path_kind kind,
                                    cardo_error *error)
{
    cardo_model_body *body = maker->body;
    int n = body->fit->nstructure;
    char here[CARDO_PLACE_SIZE];
    cardo_path path = {.kind = kind, .count = n};
    if (maker->joint->extra && !parse_extra(maker->joint->extra, &path))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: extra=\"%s\" is not made of \"twist\", \"bend\", \"stretch\", "
                          "\"shear\", \"slide\", each once",
                          cardo_place_text(maker->joint->place, here), maker->joint->extra);
    body->X_GF.p = kind == CARDO_PATH_SCREW ? body->fit->point : body->fit->hinge;
    if (path.nextra > 0)
        place_extras(maker, &path);
    size_t size = sizeof path + (size_t)n * sizeof(cardo_transform);
    cardo_status status = cardo_allocate(&body->parameters, 1, size, error);
    if (status != CARDO_OK)
        return status;
    cardo_path *kept = body->parameters;
    cardo_transform *X_FM = (cardo_transform *)(kept + 1);
    cardo_transform X_FG = xform_inverse(body->X_GF);
    for (int k = 0; k < n; ++k)
        X_FM[k] = xform_mul(X_FG, xform_mul(body->fit->motion[k], body->X_GF));
    path.X_FM = X_FM;
    *kept = path;
    return CARDO_OK;
}

static cardo_status path_start(const joint_maker *maker, cardo_error *error)
{
    const char *text = maker->joint->start;
    char here[CARDO_PLACE_SIZE];
    if (text && !cardo_parse_double(text, (int)strlen(text), &maker->body->start))
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: start=\"%s\" is not a number; 0 is the first structure, 1 the second",
            cardo_place_text(maker->joint->place, here), text);
    return CARDO_OK;
}

static cardo_status path_stand(const joint_maker *maker, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_model_body *body = maker->body;
    const int nq = 1 + ((const cardo_path *)body->parameters)->nextra;
    char here[CARDO_PLACE_SIZE];
    if (!maker->joint->at)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&body->stands, 1, error));
    if (!cardo_model_numbers(maker->joint->at, nq, body->stands->q))
        CARDO_TRY(
            CARDO_FAIL(error, CARDO_ERROR_INPUT,
                       "%s: at=\"%s\" needs a number for each coordinate of the path, %d in all",
                       cardo_place_text(maker->joint->place, here), maker->joint->at, nq));
    status = cardo_model_path_pose(body, body->stands->q, &body->stands->X_FM, error);
done:
    return status;
}

/* Below these (radian, nm) two structures are one and the same as far as the domain goes. */
static const double SAME_ANGLE = 1e-6, SAME_PLACE = 1e-6;

/* A path that leads nowhere has a coordinate without mass. */
static cardo_status check_moves(const joint_maker *maker, cardo_error *error)
{
    const cardo_path_fit *fit = maker->body->fit;
    char here[CARDO_PLACE_SIZE];
    for (int k = 0; k + 1 < fit->nstructure; ++k) {
        cardo_transform step = xform_mul(xform_inverse(fit->motion[k]), fit->motion[k + 1]);
        cardo_screw_motion screw = cardo_screw_from_transform(step, fit->hinge);
        if (screw.angle < SAME_ANGLE && fabs(screw.translation) < SAME_PLACE)
            return CARDO_FAIL(
                error, CARDO_ERROR_INPUT,
                "%s: body '%s' stands alike in structures %d and %d of this path, which so leads "
                "nowhere; give it structures that differ",
                cardo_place_text(maker->joint->place, here), maker->body->name, k + 1, k + 2);
    }
    return CARDO_OK;
}

static cardo_status make_path(const joint_maker *maker, cardo_error *error)
{
    cardo_status status;
    cardo_model_body *body = maker->body;
    char here[CARDO_PLACE_SIZE];
    int *chosen = NULL, n;
    cardo_path_kind kind = CARDO_PATH_SCREW;
    CARDO_TRY(CARDO_ALLOCATE(&chosen, maker->model->nstructure, error));
    CARDO_TRY(path_structures(maker, chosen, &n, error));
    CARDO_TRY(path_interpolation(maker, n, &kind, error));
    CARDO_TRY(path_start(maker, error));
    status = fit_path(maker, n, chosen, &body->fit, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error,
                           "%s: path of body '%s': ", cardo_place_text(maker->joint->place, here),
                           body->name);
    CARDO_TRY(status);
    CARDO_TRY(check_moves(maker, error));
    body->mobilizer = &cardo_mobilizer_path;
    CARDO_TRY(path_parameters(maker, kind, error));
    CARDO_TRY(path_stand(maker, error));
done:
    cardo_free(chosen);
    return status;
}

static cardo_status parse_point(const joint_maker *maker, const char *name, const char *text,
                                cardo_vec3 *point, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    cardo_status status = cardo_model_point(maker->model, name, text, point, NULL, error);
    return status == CARDO_OK
               ? CARDO_OK
               : cardo_error_prefix(error, "%s: ", cardo_place_text(maker->joint->place, here));
}

/* The joint's axis: axis="x y z", or from point to toward. */
static cardo_status parse_axis(const joint_maker *maker, cardo_vec3 *axis, cardo_vec3 *point,
                               cardo_error *error)
{
    const cardo_joint_definition *joint = maker->joint;
    char here[CARDO_PLACE_SIZE];
    cardo_place_text(joint->place, here);
    double v[3];
    cardo_vec3 toward;
    cardo_status status = parse_point(maker, "point", joint->point, point, error);
    if (status != CARDO_OK)
        return status;
    if (joint->axis && !cardo_model_numbers(joint->axis, 3, v))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: axis=\"%s\" is not three numbers", here,
                          joint->axis);
    if (joint->toward) {
        status = parse_point(maker, "toward", joint->toward, &toward, error);
        if (status != CARDO_OK)
            return status;
        v3_store(v, v3_sub(toward, *point));
    }
    *axis = v3_load(v);
    if (!(v3_norm(*axis) > 1e-12))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: the axis of this <%s> has no length", here,
                          joint->kind);
    *axis = v3_unit(*axis);
    return CARDO_OK;
}

/* The motion between the structures, of a joint that takes no more from it than a guide. */
static cardo_status fit_guide(const joint_maker *maker, cardo_error *error)
{
    cardo_status status;
    char here[CARDO_PLACE_SIZE];
    int *chosen = NULL, n;
    CARDO_TRY(CARDO_ALLOCATE(&chosen, maker->model->nstructure, error));
    CARDO_TRY(path_structures(maker, chosen, &n, error));
    status = fit_path(maker, n, chosen, &maker->body->guide, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error,
                           "%s: motion of body '%s': ", cardo_place_text(maker->joint->place, here),
                           maker->body->name);
done:
    cardo_free(chosen);
    return status;
}

/* The axis of the motion between the structures. */
static cardo_status find_axis(const joint_maker *maker, cardo_vec3 *axis, cardo_vec3 *point,
                              cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    cardo_status status = fit_guide(maker, error);
    if (status != CARDO_OK)
        return status;
    const cardo_path_fit *guide = maker->body->guide;
    if (guide->angle < SAME_ANGLE)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: body '%s' does not turn between the structures, so there is no axis "
                          "to find; give point=\"\" and axis=\"\"",
                          cardo_place_text(maker->joint->place, here), maker->body->name);
    *axis = guide->axis;
    *point = guide->point;
    return CARDO_OK;
}

/* Frame whose z axis is the pin's. */
static cardo_status make_pin(const joint_maker *maker, cardo_error *error)
{
    cardo_vec3 z, point;
    bool given = maker->joint->point || maker->joint->axis || maker->joint->toward;
    cardo_status status =
        given ? parse_axis(maker, &z, &point, error) : find_axis(maker, &z, &point, error);
    if (status != CARDO_OK)
        return status;
    cardo_vec3 x = v3_perpendicular(z);
    maker->body->mobilizer = &cardo_mobilizer_pin;
    maker->body->X_GF = (cardo_transform){m33_from_columns(x, v3_cross(z, x), z), point};
    return CARDO_OK;
}

/* Frame whose x axis is the slider's. */
static cardo_status make_slider(const joint_maker *maker, cardo_error *error)
{
    cardo_vec3 x, point;
    cardo_status status = parse_axis(maker, &x, &point, error);
    if (status != CARDO_OK)
        return status;
    cardo_vec3 y = v3_perpendicular(x);
    maker->body->mobilizer = &cardo_mobilizer_slider;
    maker->body->X_GF = (cardo_transform){m33_from_columns(x, y, v3_cross(x, y)), point};
    return CARDO_OK;
}

static cardo_status make_weld(const joint_maker *maker, cardo_error *error)
{
    (void)error;
    maker->body->mobilizer = &cardo_mobilizer_weld;
    return CARDO_OK;
}

/* The atom of the body that is farthest from a point, and how far: from a line through the point, where direction is not
 * NULL. */
static cardo_vec3 farthest(const joint_maker *maker, cardo_vec3 from, const cardo_vec3 *direction,
                           double *distance)
{
    const cardo_structure *s = maker->model->structure[0].structure;
    cardo_vec3 found = from;
    *distance = -1;
    for (int i = 0; i < s->natom; ++i) {
        if (!maker->body->domain[s->atom_residue[i]])
            continue;
        const cardo_vec3 x = v3_load(s->position + 3 * (size_t)i), d = v3_sub(x, from);
        const double far = v3_norm(direction ? v3_cross(*direction, d) : d);
        if (far <= *distance)
            continue;
        *distance = far;
        found = x;
    }
    return found;
}

/* Its frames are placed at the body's centre of mass when the system is made. A lone atom has nothing to turn, and atoms
 * on a line nothing to spin. */
static cardo_status make_free(const joint_maker *maker, cardo_error *error)
{
    const double thin = 0.005; /* nm */
    double length, width;
    const cardo_vec3 one = farthest(maker, v3(0, 0, 0), NULL, &length);
    const cardo_vec3 along = v3_sub(farthest(maker, one, NULL, &length), one);
    (void)error;
    maker->body->mobilizer = &cardo_mobilizer_free;
    if (length < thin) {
        maker->body->mobilizer = &cardo_mobilizer_translation;
        return CARDO_OK;
    }
    const cardo_vec3 z = v3_unit(along);
    farthest(maker, one, &z, &width);
    if (width < thin) {
        const cardo_vec3 x = v3_perpendicular(z);
        maker->body->mobilizer = &cardo_mobilizer_free_line;
        maker->body->X_GF.R = m33_from_columns(x, v3_cross(z, x), z);
    }
    return CARDO_OK;
}

/* No joint of its own: the bonds of a strand carry it, once they are made. Where it goes is known
 * from the structures. */
static cardo_status make_strand(const joint_maker *maker, cardo_error *error)
{
    maker->body->mobilizer = NULL;
    return maker->model->nstructure < 2 ? CARDO_OK : fit_guide(maker, error);
}

/* About point="", or the middle of the hinge residues' C-alpha. */
static cardo_status make_ball(const joint_maker *maker, cardo_error *error)
{
    const cardo_structure *reference = maker->model->structure[0].structure;
    char here[CARDO_PLACE_SIZE];
    cardo_vec3 point = v3(0, 0, 0);
    bool *hinge = NULL;
    int n = 0;
    maker->body->mobilizer = &cardo_mobilizer_ball;
    if (maker->joint->point) {
        cardo_status status = parse_point(maker, "point", maker->joint->point, &point, error);
        maker->body->X_GF.p = point;
        return status;
    }
    cardo_status status = CARDO_ALLOCATE(&hinge, reference->nresidue, error);
    if (status != CARDO_OK)
        return status;
    mark_hinge(maker, hinge);
    for (int r = 0; r < reference->nresidue; ++r) {
        int atom = hinge[r] ? cardo_structure_find_atom(reference, r, "CA") : -1;
        if (atom < 0)
            continue;
        point = v3_add(point, v3_load(reference->position + 3 * atom));
        ++n;
    }
    cardo_free(hinge);
    if (n == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: no hinge residues tell where this <ball> is; give point=\"\": three "
                          "numbers (nm) or a selection such as A:90@CA",
                          cardo_place_text(maker->joint->place, here));
    maker->body->X_GF.p = v3_scale(1.0 / n, point);
    return CARDO_OK;
}

static const joint_kind joint_kinds[] = {
    {"path", make_path}, {"pin", make_pin},       {"slider", make_slider}, {"weld", make_weld},
    {"free", make_free}, {"strand", make_strand}, {"ball", make_ball},
};

static cardo_status make_joint(const joint_maker *maker, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    for (size_t k = 0; k < sizeof joint_kinds / sizeof *joint_kinds; ++k)
        if (strcmp(joint_kinds[k].name, maker->joint->kind) == 0)
            return joint_kinds[k].make(maker, error);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: <%s> is no joint that a body can have",
                      cardo_place_text(maker->joint->place, here), maker->joint->kind);
}

cardo_status cardo_model_make_joints(cardo_model *model, const cardo_model_definition *definition,
                                     const cardo_model_owners *owners, const int *order,
                                     cardo_error *error)
{
    for (int b = 0; b < model->nbody; ++b) {
        const cardo_rigid_definition *rigid = &definition->body[order[b]];
        if (model->body[b].parent < 0) {
            bool welded = rigid->base && strcmp(rigid->base, "welded") == 0;
            model->body[b].mobilizer = welded ? &cardo_mobilizer_weld : &cardo_mobilizer_free;
            continue;
        }
        joint_maker maker = {model, definition, owners, &rigid->joint, &model->body[b], b};
        cardo_status status = make_joint(&maker, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}
