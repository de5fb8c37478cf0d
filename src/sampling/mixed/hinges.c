#include "sampling/mixed/hinges.h"

#include "base/memory.h"
#include "multibody/mobilizers/parameters.h"
#include "sampling/variables/superposition.h"

#include <stddef.h>
#include <string.h>

/* Joints whose motions X_FM(q) are a group of rigid motions in F, with the invariant measure that
 * their speeds have. */
static const cardo_mobilizer *const group_joints[] = {
    &cardo_mobilizer_weld,  &cardo_mobilizer_pin,         &cardo_mobilizer_slider,
    &cardo_mobilizer_screw, &cardo_mobilizer_cylinder,    &cardo_mobilizer_planar,
    &cardo_mobilizer_ball,  &cardo_mobilizer_translation, &cardo_mobilizer_free,
};

static bool is_group(const cardo_mobilizer *mobilizer)
{
    for (size_t k = 0; k < sizeof group_joints / sizeof *group_joints; ++k)
        if (group_joints[k] == mobilizer)
            return true;
    return false;
}

static const char *name_of(const cardo_hinge *hinge)
{
    return hinge->name ? hinge->name : "without a name";
}

static bool has_bond(const cardo_hinge *hinge)
{
    return hinge->bond[0] >= 0 || hinge->bond[1] >= 0;
}

static cardo_status check_body(const cardo_hinges *hinges, int k, cardo_error *error)
{
    const cardo_hinge *hinge = &hinges->body[k];
    if (hinge->parent >= k || hinge->parent < -1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %s has parent %d: parents come first",
                          name_of(hinge), hinge->parent);
    if (!is_group(hinge->mobilizer))
        return CARDO_FAIL(
            error, CARDO_ERROR_UNSUPPORTED,
            "body %s hangs by a %s joint, whose motions are no group of rigid motions about one "
            "frame: moved there and back while all atoms move, volume is not kept and the way "
            "back is another; take a pin, slider, ball or free joint, a torsion, or a path with "
            "interpolation=\"screw\"",
            name_of(hinge), cardo_mobilizer_name(hinge->mobilizer));
    if (!has_bond(hinge))
        return CARDO_OK;
    if (hinge->mobilizer != &cardo_mobilizer_pin || hinge->parent < 0)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "body %s: a bond is the axis of a pin",
                          name_of(hinge));
    for (int i = 0; i < 2; ++i)
        if (hinge->bond[i] < 0 || hinge->bond[i] >= hinges->nstation ||
            hinges->station_body[hinge->bond[i]] != (i == 0 ? hinge->parent : k))
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "body %s turns about stations %d and %d: the first must be of its "
                              "parent, the second its own, or the move would displace its axis",
                              name_of(hinge), hinge->bond[0], hinge->bond[1]);
    return CARDO_OK;
}

cardo_status cardo_hinges_check(const cardo_hinges *hinges, cardo_error *error)
{
    for (int k = 0; k < hinges->nbody; ++k) {
        cardo_status status = check_body(hinges, k, error);
        if (status != CARDO_OK)
            return status;
    }
    for (int i = 0; i < hinges->nstation; ++i) {
        if (!(hinges->mass[i] > 0) || !isfinite(hinges->mass[i]))
            return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "atom %d has mass %g Da: all atoms move, so each needs one", i,
                              hinges->mass[i]);
        if (hinges->station_body[i] < 0 || hinges->station_body[i] >= hinges->nbody)
            return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "station %d is on body %d of %d", i,
                              hinges->station_body[i], hinges->nbody);
    }
    return CARDO_OK;
}

/* Centre and correlation with the reference of a body's stations as they are. */
typedef struct body_place {
    double mass;
    cardo_vec3 com, reference_com;
    cardo_mat33 correlation; /* sum m (x - com) (reference - reference_com)^T        */
    double inertia[6];       /* about com: xx yy zz xy xz yz                         */
} body_place;

static void place_centres(const cardo_hinges *hinges, const double *positions, body_place *places)
{
    for (int i = 0; i < hinges->nstation; ++i) {
        body_place *place = &places[hinges->station_body[i]];
        const double m = hinges->mass[i];
        place->mass += m;
        place->com = v3_add_scaled(place->com, m, v3_load(positions + 3 * (size_t)i));
        place->reference_com =
            v3_add_scaled(place->reference_com, m, v3_load(hinges->reference + 3 * (size_t)i));
    }
    for (int k = 0; k < hinges->nbody; ++k) {
        places[k].com = v3_scale(1 / places[k].mass, places[k].com);
        places[k].reference_com = v3_scale(1 / places[k].mass, places[k].reference_com);
    }
}

static void place_moments(const cardo_hinges *hinges, const double *positions, body_place *places)
{
    for (int i = 0; i < hinges->nstation; ++i) {
        body_place *place = &places[hinges->station_body[i]];
        const double m = hinges->mass[i];
        const cardo_vec3 r = v3_sub(v3_load(positions + 3 * (size_t)i), place->com);
        double x[3], y[3];
        v3_store(x, r);
        v3_store(y, v3_sub(v3_load(hinges->reference + 3 * (size_t)i), place->reference_com));
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                place->correlation.m[a][b] += m * x[a] * y[b];
        v3_add_inertia(place->inertia, m, r);
    }
}

/* The joint's frame in ground as the atoms are. */
static cardo_status joint_frame(const cardo_hinges *hinges, int k, const double *positions,
                                const body_place *places, cardo_transform *X_GF, cardo_error *error)
{
    const cardo_hinge *hinge = &hinges->body[k];
    cardo_mat33 R;
    if (has_bond(hinge)) {
        const cardo_vec3 from = v3_load(positions + 3 * (size_t)hinge->bond[0]);
        const cardo_vec3 line = v3_sub(v3_load(positions + 3 * (size_t)hinge->bond[1]), from);
        if (!(v3_norm(line) > 0))
            return CARDO_FAIL(error, CARDO_RECOVERABLE,
                              "the atoms of the bond about which body %s turns coincide",
                              name_of(hinge));
        const cardo_vec3 z = v3_unit(line), x = v3_perpendicular(z);
        *X_GF = (cardo_transform){m33_from_columns(x, v3_cross(z, x), z), from};
        return CARDO_OK;
    }
    if (hinge->parent < 0 || hinge->mobilizer == &cardo_mobilizer_free) {
        *X_GF = (cardo_transform){m33_identity(), places[k].com};
        return CARDO_OK;
    }
    const body_place *parent = &places[hinge->parent];
    if (!cardo_best_rotation(parent->correlation, &R))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the joint of body %s follows its parent %s, whose atoms lie on a line "
                          "and tell no orientation",
                          name_of(hinge), name_of(&hinges->body[hinge->parent]));
    const cardo_transform follow = {R, v3_sub(parent->com, m33_mul_v3(R, parent->reference_com))};
    *X_GF = xform_mul(follow, hinge->frame);
    return CARDO_OK;
}

static cardo_status add_body(const cardo_hinges *hinges, int k, const double *positions,
                             const body_place *places, cardo_system *system, cardo_error *error)
{
    const cardo_hinge *hinge = &hinges->body[k];
    const cardo_screw_thread thread = {hinge->pitch};
    cardo_transform X_GF = xform_identity(), X_GP = X_GF, X_GB = {m33_identity(), places[k].com};
    cardo_status status = joint_frame(hinges, k, positions, places, &X_GF, error);
    if (status != CARDO_OK)
        return status;
    if (hinge->parent >= 0)
        X_GP.p = places[hinge->parent].com;
    cardo_body_definition definition = {
        .name = hinge->name,
        .parent = hinge->parent + 1,
        .mobilizer = hinge->mobilizer,
        .parameters = hinge->mobilizer == &cardo_mobilizer_screw ? &thread : NULL,
        .X_PF = xform_mul(xform_inverse(X_GP), X_GF),
        .X_BM = xform_mul(xform_inverse(X_GB), X_GF),
        .mass = {.mass = places[k].mass}};
    memcpy(definition.mass.inertia, places[k].inertia, sizeof definition.mass.inertia);
    return cardo_system_add_body(system, &definition, NULL, error);
}

/* One call for each run of stations of one body. */
static cardo_status add_stations(const cardo_hinges *hinges, const double *positions,
                                 const body_place *places, double *local, cardo_system *system,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int i = 0; i < hinges->nstation; ++i)
        v3_store(local + 3 * (size_t)i,
                 v3_sub(v3_load(positions + 3 * (size_t)i), places[hinges->station_body[i]].com));
    for (int first = 0, end; first < hinges->nstation && status == CARDO_OK; first = end) {
        const int body = hinges->station_body[first];
        end = first + 1;
        while (end < hinges->nstation && hinges->station_body[end] == body)
            ++end;
        status = cardo_system_add_stations(system, body + 1, first, end - first,
                                           local + 3 * (size_t)first, error);
    }
    return status;
}

cardo_status cardo_hinges_compile(const cardo_hinges *hinges, const double *positions,
                                  cardo_system **out, cardo_error *error)
{
    cardo_status status;
    cardo_system *system = NULL;
    body_place *places = NULL;
    double *local = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&places, hinges->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&local, 3 * (size_t)hinges->nstation, error));
    place_centres(hinges, positions, places);
    place_moments(hinges, positions, places);
    CARDO_TRY(cardo_system_create(&system, error));
    for (int k = 0; k < hinges->nbody; ++k)
        CARDO_TRY(add_body(hinges, k, positions, places, system, error));
    CARDO_TRY(add_stations(hinges, positions, places, local, system, error));
    CARDO_TRY(cardo_system_finalize(system, error));
    *out = system;
    system = NULL;
done:
    cardo_system_destroy(system);
    cardo_free(places);
    cardo_free(local);
    return status;
}
