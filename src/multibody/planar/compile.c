/* From a description to a system. */
#include "base/memory.h"
#include "cardo/elements.h"
#include "multibody/planar/mechanism.h"

#include <math.h>
#include <string.h>

static const cardo_vec3 z = {0, 0, 1};

/* ---- checks ---- */

static bool are_numbers(const double *x, int n)
{
    for (int i = 0; i < n; ++i)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static cardo_status check_bodies(const cardo_planar *p, cardo_error *error)
{
    for (int k = 0; k < p->nbody; ++k) {
        const cardo_planar_body *b = &p->bodies[k];
        if (!(b->mass > 0 && b->inertia > 0 && isfinite(b->mass) && isfinite(b->inertia)))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "body %d%s%s: mass %g and inertia %g must be more than 0", k + 1,
                              b->name ? " " : "", b->name ? b->name : "", b->mass, b->inertia);
    }
    if (!are_numbers(p->gravity, 2))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "gravity is not a number");
    return CARDO_OK;
}

static bool is_a_body(const cardo_planar *p, int body)
{
    return body >= 0 && body <= p->nbody;
}

static bool joins_two(const cardo_planar_joint *j)
{
    return j->kind == CARDO_PLANAR_REVOLUTE || j->kind == CARDO_PLANAR_TRANSLATIONAL ||
           j->kind == CARDO_PLANAR_DRIVING;
}

static cardo_status check_joint(const cardo_planar *p, int index, cardo_error *error)
{
    const cardo_planar_joint *j = &p->joints[index];
    const char *name = j->name ? j->name : "";
    if (j->kind < CARDO_PLANAR_REVOLUTE || j->kind > CARDO_PLANAR_GUIDING)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "joint %d %s: there is no kind %d", index,
                          name, (int)j->kind);
    if (!is_a_body(p, j->body1) || (joins_two(j) && !is_a_body(p, j->body2)))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "joint %d %s: bodies %d and %d: the last one is %d", index, name,
                          j->body1, j->body2, p->nbody);
    if (joins_two(j) ? j->body1 == j->body2 : j->body1 == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "joint %d %s: body %d cannot be joined to itself: it is rigid", index,
                          name, j->body1);
    if (!are_numbers(j->point1, 2) || !are_numbers(j->point2, 2) || !isfinite(j->offset) ||
        !isfinite(j->value))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "joint %d %s: a parameter is not a number",
                          index, name);
    if (j->kind == CARDO_PLANAR_TRANSLATIONAL && !(hypot(j->normal1[0], j->normal1[1]) > 1e-100))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "joint %d %s: its normal has no length", index,
                          name);
    if (!joins_two(j) && (j->coordinate < 0 || j->coordinate > 2))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "joint %d %s: coordinate %d is none of 0 (x), 1 (y) and 2 (angle)", index,
                          name, j->coordinate);
    return CARDO_OK;
}

/* ---- the tree ---- */

static bool can_be_mobilizer(const cardo_planar_joint *j)
{
    return j->kind == CARDO_PLANAR_REVOLUTE || j->kind == CARDO_PLANAR_TRANSLATIONAL;
}

/* What joints reach from the last body that was placed (ground, where none was), nearest first, goes on the tree; placed: how many bodies are on it. */
static int grow(cardo_mechanism *m, int placed, bool *reached)
{
    for (int next = placed - 1; next < placed; ++next) {
        const int body = next < 0 ? 0 : m->order[next];
        for (int i = 0; i < m->njoint; ++i) {
            const cardo_planar_joint *j = &m->joints[i];
            const int other = j->body1 == body ? j->body2 : j->body1;
            if (!can_be_mobilizer(j) || (j->body1 != body && j->body2 != body) || reached[other])
                continue;
            reached[other] = true;
            m->links[other] = (planar_link){placed + 1, body, i, j->body2 == other};
            m->order[placed++] = other;
        }
    }
    return placed;
}

static cardo_status plan(cardo_mechanism *m, cardo_planar_form form, cardo_error *error)
{
    bool *reached = NULL;
    int placed = 0;
    cardo_status status = CARDO_ALLOCATE(&reached, m->nbody + 1, error);
    if (status != CARDO_OK)
        return status;
    reached[0] = true;
    if (form == CARDO_PLANAR_TREE)
        placed = grow(m, 0, reached);
    for (int body = 1; body <= m->nbody; ++body)
        if (!reached[body]) {
            reached[body] = true;
            m->links[body] = (planar_link){placed + 1, 0, -1, true};
            m->order[placed++] = body;
            if (form == CARDO_PLANAR_TREE)
                placed = grow(m, placed, reached);
        }
    cardo_free(reached);
    return CARDO_OK;
}

static cardo_transform at(const double point[2], double angle)
{
    return cardo_transform_turn(z, angle, (cardo_vec3){point[0], point[1], 0});
}

static cardo_status add_body(cardo_mechanism *m, const cardo_planar *p, int body,
                             cardo_error *error)
{
    const planar_link *link = &m->links[body];
    const cardo_planar_body *b = &p->bodies[body - 1];
    const char *mobilizer = "planar";
    /* a lamina */
    cardo_body_definition d = {
        .name = b->name,
        .X_PF = cardo_transform_identity(),
        .X_BM = cardo_transform_identity(),
        .mass = {b->mass, {0, 0, 0}, {0.5 * b->inertia, 0.5 * b->inertia, b->inertia, 0, 0, 0}}};
    d.parent = link->parent == 0 ? 0 : m->links[link->parent].node;
    if (link->joint >= 0) {
        const cardo_planar_joint *j = &m->joints[link->joint];
        double turned = 0, along[2];
        mobilizer = "pin";
        if (j->kind == CARDO_PLANAR_TRANSLATIONAL) {
            planar_slide(j, along);
            mobilizer = "slider"; /* along x */
            turned = atan2(along[1], along[0]);
        }
        const cardo_transform on1 = at(j->point1, turned), on2 = at(j->point2, turned + j->offset);
        d.X_PF = link->onward ? on1 : on2;
        d.X_BM = link->onward ? on2 : on1;
    }
    d.mobilizer = cardo_mobilizer_find(mobilizer);
    return cardo_system_add_body(m->system, &d, NULL, error);
}

/* ---- constraints and forces ---- */

static cardo_status constrain(cardo_mechanism *m, const char *kind, const char *name,
                              const void *parameters, int joint, cardo_error *error)
{
    return cardo_system_add_constraint(m->system, cardo_constraint_find(kind), name, parameters,
                                       &m->constraint[joint], error);
}

static cardo_status add_joint(cardo_mechanism *m, const cardo_planar *p, int index,
                              cardo_error *error)
{
    const cardo_planar_joint *j = &p->joints[index];
    const int body1 = cardo_mechanism_body(m, j->body1);
    const int body2 = joins_two(j) ? cardo_mechanism_body(m, j->body2) : 0;
    const cardo_function held = {
        .kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = &j->value};
    const cardo_function *f = j->kind == CARDO_PLANAR_SIMPLE ? &held : &j->function;
    if (j->kind == CARDO_PLANAR_REVOLUTE) {
        const cardo_planar_revolute r = {
            body1, body2, {j->point1[0], j->point1[1]}, {j->point2[0], j->point2[1]}};
        return constrain(m, "planar-revolute", j->name, &r, index, error);
    }
    if (j->kind == CARDO_PLANAR_TRANSLATIONAL) {
        const cardo_planar_translational t = {body1,
                                              body2,
                                              {j->point1[0], j->point1[1]},
                                              {j->normal1[0], j->normal1[1]},
                                              {j->point2[0], j->point2[1]},
                                              j->offset};
        return constrain(m, "planar-translational", j->name, &t, index, error);
    }
    if (j->kind == CARDO_PLANAR_DRIVING || j->coordinate == 2) {
        const cardo_planar_angle a = {body1, body2, *f};
        return constrain(m, "planar-angle", j->name, &a, index, error);
    }
    cardo_planar_place place = {body1, j->coordinate, {0, 0}, *f};
    if (j->kind == CARDO_PLANAR_GUIDING)
        memcpy(place.point, j->point1, sizeof place.point);
    return constrain(m, "planar-place", j->name, &place, index, error);
}

static cardo_status add_element(cardo_mechanism *m, const char *kind, const void *parameters,
                                cardo_error *error)
{
    return cardo_system_add_force(m->system, cardo_force_element_find(kind), parameters, NULL,
                                  error);
}

static cardo_status add_force(cardo_mechanism *m, const cardo_planar *p, int index,
                              cardo_error *error)
{
    const cardo_planar_force *f = &p->forces[index];
    const bool pulls = f->kind == CARDO_PLANAR_SPRING_DAMPER;
    cardo_status status = CARDO_OK;
    if (!pulls && f->kind != CARDO_PLANAR_TORQUE)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no kind %d", (int)f->kind);
    if (!is_a_body(p, f->body1) || (pulls && (!is_a_body(p, f->body2) || f->body1 == f->body2)))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "bodies %d and %d: the last one is %d",
                          f->body1, f->body2, p->nbody);
    const int body1 = cardo_mechanism_body(m, f->body1);
    if (!pulls) {
        const cardo_body_constant torque = {.body = body1, .torque = {0, 0, f->torque}};
        return add_element(m, "body-constant", &torque, error);
    }
    const int body2 = cardo_mechanism_body(m, f->body2);
    const cardo_vec3 point1 = {f->point1[0], f->point1[1], 0};
    const cardo_vec3 point2 = {f->point2[0], f->point2[1], 0};
    const cardo_two_point_spring spring = {body1, body2, point1, point2, f->stiffness, f->length};
    const cardo_two_point_damper damper = {body1, body2, point1, point2, f->damping};
    const cardo_two_point_constant actuator = {body1, body2, point1, point2, f->actuator};
    if (f->stiffness != 0)
        CARDO_TRY(add_element(m, "two-point-spring", &spring, error));
    if (f->damping != 0)
        CARDO_TRY(add_element(m, "two-point-damper", &damper, error));
    if (f->actuator != 0)
        CARDO_TRY(add_element(m, "two-point-constant", &actuator, error));
done:
    return status;
}

/* ---- all of it ---- */

static cardo_status remember(cardo_mechanism *m, const cardo_planar *p, cardo_error *error)
{
    cardo_status status;
    m->nbody = p->nbody;
    m->njoint = p->njoint;
    CARDO_TRY(CARDO_ALLOCATE(&m->links, p->nbody + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->order, p->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->joints, p->njoint, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->constraint, p->njoint, error));
    for (int i = 0; i < p->njoint; ++i) {
        cardo_planar_joint *j = &m->joints[i];
        *j = p->joints[i];
        j->name = NULL;
        j->function = (cardo_function){0};
        const double length = hypot(j->normal1[0], j->normal1[1]);
        for (int k = 0; k < 2 && length > 0; ++k)
            j->normal1[k] /= length;
        m->constraint[i] = -1;
    }
done:
    return status;
}

static cardo_status fill(cardo_mechanism *m, const cardo_planar *p, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_system_create(&m->system, error));
    cardo_system_set_gravity(m->system, (cardo_vec3){p->gravity[0], p->gravity[1], 0});
    for (int k = 0; k < m->nbody; ++k)
        CARDO_TRY(add_body(m, p, m->order[k], error));
    if (m->njoint > 0)
        CARDO_TRY(cardo_system_set_stabilization(m->system, &p->stabilization, error));
    for (int i = 0; i < m->njoint; ++i) {
        bool in_tree = false;
        for (int body = 1; body <= m->nbody; ++body)
            in_tree = in_tree || m->links[body].joint == i;
        if (!in_tree)
            CARDO_TRY(add_joint(m, p, i, error));
    }
    for (int i = 0; i < p->nforce; ++i)
        if (add_force(m, p, i, error) != CARDO_OK)
            return cardo_error_prefix(error, "force %d: ", i);
    CARDO_TRY(cardo_system_finalize(m->system, error));
done:
    return status;
}

cardo_status cardo_mechanism_create(const cardo_planar *description, cardo_planar_form form,
                                    cardo_mechanism **out, cardo_error *error)
{
    cardo_mechanism *m = NULL;
    cardo_status status;
    *out = NULL;
    if (description->nbody < 0 || description->njoint < 0 || description->nforce < 0)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%d bodies, %d joints and %d forces",
                          description->nbody, description->njoint, description->nforce);
    CARDO_TRY(check_bodies(description, error));
    for (int i = 0; i < description->njoint; ++i)
        CARDO_TRY(check_joint(description, i, error));
    CARDO_TRY(CARDO_ALLOCATE(&m, 1, error));
    CARDO_TRY(remember(m, description, error));
    CARDO_TRY(plan(m, form, error));
    CARDO_TRY(fill(m, description, error));
    *out = m;
    return CARDO_OK;
done:
    cardo_mechanism_destroy(m);
    return status;
}

void cardo_mechanism_destroy(cardo_mechanism *mechanism)
{
    if (!mechanism)
        return;
    cardo_system_destroy(mechanism->system);
    cardo_free(mechanism->joints);
    cardo_free(mechanism->links);
    cardo_free(mechanism->order);
    cardo_free(mechanism->constraint);
    cardo_free(mechanism);
}

const cardo_system *cardo_mechanism_system(const cardo_mechanism *mechanism)
{
    return mechanism->system;
}

int cardo_mechanism_body(const cardo_mechanism *mechanism, int body)
{
    return body <= 0 || body > mechanism->nbody ? 0 : mechanism->links[body].node;
}

int cardo_mechanism_row(const cardo_mechanism *mechanism, int joint)
{
    cardo_constraint_info info;
    if (joint < 0 || joint >= mechanism->njoint || mechanism->constraint[joint] < 0)
        return -1;
    cardo_system_constraint(mechanism->system, mechanism->constraint[joint], &info, NULL);
    return info.first_position;
}
