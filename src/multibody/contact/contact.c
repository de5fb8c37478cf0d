/* The force element "contact": all surfaces of a system, pairs of them that may overlap, and the law of each. */
#include "multibody/contact/contact.h"

#include "base/memory.h"
#include "multibody/contact/broad_phase.h"
#include "multibody/contact/pair.h"
#include "multibody/tree/force_element.h"
#include "multibody/tree/state_internal.h"

#define COUNT(name) +1
enum { SHAPES = 0 CARDO_CONTACT_SHAPES(COUNT) };
#undef COUNT

typedef struct contact_data {
    int nsurface, nunbounded; /* the unbounded ones are first */
    contact_surface *surfaces;
    const contact_law
        *laws[SHAPES][SHAPES]; /* by ranks, the lower one first; NULL: there is none */
    double transition;
    bool antoine;
} contact_data;

/* ------------ making ------------ */

static void release(void *parameters)
{
    contact_data *self = parameters;
    if (!self)
        return;
    for (int i = 0; i < self->nsurface; ++i) {
        const cardo_contact_shape *shape = self->surfaces[i].shape;
        if (shape && shape->release)
            shape->release(self->surfaces[i].data);
        else
            cardo_free(self->surfaces[i].data);
    }
    cardo_free(self->surfaces);
    cardo_free(self);
}

static int rank_of(const cardo_contact_shape *shape)
{
    const cardo_contact_shape *const *all = cardo_contact_shape_list();
    for (int i = 0; all[i]; ++i)
        if (all[i] == shape)
            return i;
    return -1;
}

static void find_laws(contact_data *self)
{
    static const contact_law *const laws[] = {
#define ENTRY(name) &cardo_contact_law_##name,
        CARDO_CONTACT_LAWS(ENTRY)
#undef ENTRY
    };
    const cardo_contact_shape *const *shapes = cardo_contact_shape_list();
    for (int a = 0; a < SHAPES; ++a)
        for (int b = a; b < SHAPES; ++b)
            for (size_t k = 0; k < sizeof laws / sizeof *laws && !self->laws[a][b]; ++k)
                if (laws[k]->accepts(shapes[a], shapes[b]))
                    self->laws[a][b] = laws[k];
}

static cardo_status check_material(const cardo_contact_surface *given, cardo_error *error)
{
    const cardo_contact_material *m = &given->material;
    if (!(m->stiffness > 0) || !isfinite(m->stiffness))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a stiffness of %g is not above 0",
                          m->stiffness);
    const double rest[5] = {m->dissipation, m->static_friction, m->dynamic_friction,
                            m->viscous_friction, given->thickness};
    for (int i = 0; i < 5; ++i)
        if (!(rest[i] >= 0) || !isfinite(rest[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "dissipation, friction and thickness are 0 or more, not %g", rest[i]);
    if (m->dynamic_friction > m->static_friction)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "friction is not more in motion (%g) than at rest (%g)",
                          m->dynamic_friction, m->static_friction);
    return CARDO_OK;
}

static cardo_status check_frame(const cardo_transform *X, cardo_error *error)
{
    double most = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double dot = i == j ? -1 : 0;
            for (int k = 0; k < 3; ++k)
                dot += X->R.m[i][k] * X->R.m[j][k];
            most = fmax(most, fabs(dot));
        }
    if (!(most < 1e-9) || !isfinite(X->p.x + X->p.y + X->p.z))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "its frame X_BS is no rotation and position");
    return CARDO_OK;
}

static cardo_status compile_surface(const cardo_system *system, const cardo_contact_surface *given,
                                    int number, contact_surface *own, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (given->body < 0 || given->body >= cardo_system_nbody(system))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no body %d: the system has %d",
                          given->body, cardo_system_nbody(system));
    if (!given->shape || rank_of(given->shape) < 0)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "it has no shape");
    if (given->shape->compile && !given->parameters)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a %s needs parameters, and it has none",
                          given->shape->name);
    CARDO_TRY(check_material(given, error));
    CARDO_TRY(check_frame(&given->X_BS, error));
    if (given->shape == &cardo_contact_mesh_shape && !(given->thickness > 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a mesh has an elastic layer: a thickness above 0");
    *own = (contact_surface){
        .body = given->body,
        .number = number,
        .rank = rank_of(given->shape),
        .group = given->group,
        .shape = given->shape,
        .X_BS = given->X_BS,
        .material = given->material,
        .thickness = given->thickness,
    };
    if (own->shape->compile)
        CARDO_TRY(own->shape->compile(given->parameters, &own->data, error));
    if (own->shape->bounds)
        own->shape->bounds(own->data, &own->centre, &own->half);
done:
    return status;
}

static bool may_meet(const contact_surface *a, const contact_surface *b)
{
    return a->body != b->body && (a->group == 0 || a->group != b->group);
}

/* Every pair of kinds that may meet has a law. */
static cardo_status check_laws(const contact_data *self, cardo_error *error)
{
    bool missing[SHAPES] = {false};
    for (int a = 0; a < SHAPES; ++a)
        for (int b = a; b < SHAPES; ++b)
            if (!self->laws[a][b])
                missing[a] = missing[b] = true;
    for (int i = 0; i < self->nsurface; ++i) {
        const contact_surface *a = &self->surfaces[i];
        for (int j = i + 1; missing[a->rank] && j < self->nsurface; ++j) {
            const contact_surface *b = &self->surfaces[j];
            const int low = a->rank < b->rank ? a->rank : b->rank;
            if (self->laws[low][a->rank + b->rank - low] || !may_meet(a, b))
                continue;
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "there is no law of contact between surfaces %d (%s) and %d (%s): "
                              "make one a mesh, or put both into one group",
                              a->number, a->shape->name, b->number, b->shape->name);
        }
    }
    return CARDO_OK;
}

static cardo_status compile(const cardo_system *system, const void *parameters, void **out,
                            cardo_error *error)
{
    const cardo_contact_parameters *given = parameters;
    cardo_status status;
    contact_data *self = NULL;
    if (given->nsurface < 1 || !given->surfaces)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there are no surfaces");
    if (!(given->transition_velocity > 0) || !isfinite(given->transition_velocity))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "a transition velocity of %g is not above 0",
                          given->transition_velocity);
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->surfaces, given->nsurface, error));
    self->transition = given->transition_velocity;
    self->antoine = given->antoine;
    for (int unbounded = 1; unbounded >= 0; --unbounded)
        for (int i = 0; i < given->nsurface; ++i) {
            const cardo_contact_shape *shape = given->surfaces[i].shape;
            if ((shape && shape->unbounded) != unbounded)
                continue;
            status = compile_surface(system, &given->surfaces[i], i,
                                     &self->surfaces[self->nsurface++], error);
            if (status != CARDO_OK) {
                cardo_error_prefix(error, "surface %d: ", i);
                goto done;
            }
            self->nunbounded += unbounded;
        }
    find_laws(self);
    CARDO_TRY(check_laws(self, error));
    *out = self;
    self = NULL;
done:
    release(self);
    return status;
}

/* ------------ working ------------ */

/* What lies in the memory that a state keeps. */
typedef struct working {
    const contact_data *self;
    contact_pair pair;
    cardo_transform *X_GS; /* (nsurface) */
    broad_phase phase;
    double energy;
} working;

static void *take(char *block, size_t *used, int count, size_t size)
{
    void *at = block ? block + *used : NULL;
    *used += ((size_t)count * size + 63) / 64 * 64;
    return at;
}

static size_t lay_out(const contact_data *self, working *w, char *block)
{
    size_t used = 0;
    const int n = self->nsurface - self->nunbounded;
    w->X_GS = take(block, &used, self->nsurface, sizeof *w->X_GS);
    w->phase.n = n;
    w->phase.boxes = take(block, &used, n, sizeof *w->phase.boxes);
    w->phase.order = take(block, &used, n, sizeof *w->phase.order);
    w->phase.keys = take(block, &used, n, sizeof *w->phase.keys);
    w->phase.nodes = take(block, &used, cardo_broad_phase_nodes(n), sizeof *w->phase.nodes);
    return used;
}

static size_t memory(const void *parameters)
{
    working w;
    return lay_out(parameters, &w, NULL);
}

static broad_box box_of(const contact_surface *surface, const cardo_transform *X)
{
    const cardo_vec3 centre = v3_add(X->p, m33_mul_v3(X->R, surface->centre)), h = surface->half;
    const double(*m)[3] = X->R.m;
    const cardo_vec3 half = v3(fabs(m[0][0]) * h.x + fabs(m[0][1]) * h.y + fabs(m[0][2]) * h.z,
                               fabs(m[1][0]) * h.x + fabs(m[1][1]) * h.y + fabs(m[1][2]) * h.z,
                               fabs(m[2][0]) * h.x + fabs(m[2][1]) * h.y + fabs(m[2][2]) * h.z);
    return (broad_box){v3_sub(centre, half), v3_add(centre, half)};
}

/* A sphere's box does not turn with it. */
static broad_box bound(const contact_surface *surface, const cardo_transform *X)
{
    if (surface->shape != &cardo_contact_sphere_shape)
        return box_of(surface, X);
    return (broad_box){v3_sub(X->p, surface->half), v3_add(X->p, surface->half)};
}

static void touch(working *w, int i, int j)
{
    const contact_surface *a = &w->self->surfaces[i], *b = &w->self->surfaces[j];
    if (!may_meet(a, b))
        return;
    const bool swapped = a->rank > b->rank;
    w->pair.s1 = swapped ? b : a;
    w->pair.s2 = swapped ? a : b;
    w->pair.X1 = w->X_GS[swapped ? j : i];
    w->pair.X2 = w->X_GS[swapped ? i : j];
    w->energy += w->self->laws[w->pair.s1->rank][w->pair.s2->rank]->compute(&w->pair);
}

static void meet(void *user, int a, int b)
{
    working *w = user;
    touch(w, w->self->nunbounded + a, w->self->nunbounded + b);
}

/* What has no bounds is tried with everything. */
static void meet_unbounded(working *w)
{
    const contact_data *self = w->self;
    for (int u = 0; u < self->nunbounded; ++u) {
        const cardo_contact_shape *shape = self->surfaces[u].shape;
        const cardo_transform *X = &w->X_GS[u];
        for (int i = 0; i < w->phase.n; ++i) {
            const broad_box *box = &w->phase.boxes[i];
            const cardo_vec3 middle = v3_scale(0.5, v3_add(box->low, box->high));
            const cardo_vec3 seen = m33_tmul_v3(X->R, v3_sub(middle, X->p));
            const cardo_vec3 half = v3_sub(box->high, middle);
            const double distance = shape->distance(self->surfaces[u].data, seen);
            if (distance <= 0 || distance * distance <= v3_dot(half, half))
                touch(w, u, self->nunbounded + i);
        }
    }
}

static double run(const contact_data *self, const cardo_force_work *work,
                  cardo_contact_visitor visit, void *user)
{
    working w = {.self = self,
                 .pair = {.work = work,
                          .transition = self->transition,
                          .antoine = self->antoine,
                          .visit = visit,
                          .user = user}};
    lay_out(self, &w, work->memory);
    for (int i = 0; i < self->nsurface; ++i) {
        const contact_surface *s = &self->surfaces[i];
        w.X_GS[i] = cardo_transform_multiply(work->X_GB[s->body], s->X_BS);
        if (i >= self->nunbounded)
            w.phase.boxes[i - self->nunbounded] = bound(s, &w.X_GS[i]);
    }
    meet_unbounded(&w);
    cardo_broad_phase_run(&w.phase, meet, &w);
    return w.energy;
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    return run(parameters, work, NULL, NULL);
}

const cardo_force_element cardo_force_contact = {
    .name = "contact",
    .doc = "surfaces that press each other where they overlap (cardo/contact.h)",
    .compute = compute,
    .compile = compile,
    .release = release,
    .memory = memory,
};

cardo_status cardo_contact_visit(const cardo_system *system, const cardo_state *state, int element,
                                 cardo_contact_visitor visit, void *user, cardo_error *error)
{
    const contact_data *self =
        cardo_force_element_parameters(system, element, &cardo_force_contact);
    if (!self)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "force element %d is no contact", element);
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_VELOCITY, "contacts", error);
    if (status != CARDO_OK)
        return status;
    const cardo_force_work work = {
        .system = system,
        .state = state,
        .time = cardo_state_time(state),
        .q = cardo_state_q(state),
        .u = cardo_state_u(state),
        .X_GB = cardo_state_X_GB(state),
        .V_GB = cardo_state_V_GB(state),
        .memory = cardo_force_element_memory(system, state, element),
    };
    run(self, &work, visit, user);
    return CARDO_OK;
}
