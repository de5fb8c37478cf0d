#include "study/domains/led_torsions.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/relax/bonded_geometry.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* rad: from one place of the way to the next, farther than a torsion goes in its well. */
static const double leap = 60 * CARDO_DEGREE;

/* Where none does and a cycle is not closed many go together, as a strand that snaps over: these many of them are led, of those that are so far apart on both ways, rad. */
static const double apart = 8 * CARDO_DEGREE;
enum { OF_SNAPS = 4 };

/* Times that a way is smoothed by its neighbours: a turn then takes some four places. */
enum { SMOOTHINGS = 3 };

static double turn(double from, double to)
{
    return remainder(to - from, 2 * CARDO_PI);
}

static bool has_lost(const cardo_course *course)
{
    return course->lost > CARDO_COURSE_CLOSED;
}

/* From where it was at the last end to where it is there now. */
static double lost_turn(const cardo_course *course, int q)
{
    const int at = (course->nplace - 1) * course->nq + q;
    return has_lost(course) ? fabs(turn(course->begun[at], course->coordinates[at])) : 0;
}

double cardo_torsion_apart(const cardo_course *course, int q)
{
    double most = lost_turn(course, q);
    for (int k = 0; k < course->nplace; ++k) {
        const int at = k * course->nq + q;
        if (isfinite(course->energy[0][k]) && isfinite(course->energy[1][k]))
            most = fmax(most, fabs(turn(course->way[0][at], course->way[1][at])));
    }
    for (int k = 0; k < course->nplace - 1; ++k) {
        const int at = k * course->nq + q;
        if (isfinite(course->half_energy[0][k]) && isfinite(course->half_energy[1][k]))
            most = fmax(most, fabs(turn(course->half_way[0][at], course->half_way[1][at])));
    }
    return most;
}

static bool leaps(const cardo_course *course, int q)
{
    if (cardo_torsion_apart(course, q) > CARDO_TORSION_LEAPS)
        return true;
    for (int way = 0; way < CARDO_COURSE_WAYS; ++way)
        for (int k = 1; k < course->nplace; ++k)
            if (fabs(turn(course->way[way][(k - 1) * course->nq + q],
                          course->way[way][k * course->nq + q])) > leap)
                return true;
    return false;
}

/* Of the lowest energy at a place. */
static double lowest(const cardo_course *course, int q, int k)
{
    const bool begun = has_lost(course) && course->begun_energy[k] < course->lower[k];
    return (begun ? course->begun : course->coordinates)[k * course->nq + q];
}

/* The way of the lower energies, without leaps of whole turns, and smooth. */
static void find_way(const cardo_course *course, int q, double value[CARDO_LED_PLACES])
{
    for (int k = 0; k < CARDO_LED_PLACES; ++k) {
        const double at = lowest(course, q, k);
        value[k] = k > 0 ? value[k - 1] + turn(value[k - 1], at) : at;
    }
    for (int s = 0; s < SMOOTHINGS; ++s) {
        double before = value[0];
        for (int k = 1; k < CARDO_LED_PLACES - 1; ++k) {
            const double now = value[k];
            value[k] = 0.25 * (before + value[k + 1]) + 0.5 * now;
            before = now;
        }
    }
}

/* The path that a torsion goes with: of the bodies that it is nearest to in the tree, the first path that is its own or its parents'; else the
 * first of all. */
static int find_path(const cardo_model *model, int body)
{
    for (int b = body; b >= 0; b = model->body[b].parent)
        if (model->body[b].fit)
            return b;
    for (int b = 0; b < model->nbody; ++b)
        if (model->body[b].fit)
            return b;
    return -1;
}

static bool has(const cardo_led_torsions *led, const char *name)
{
    for (int k = 0; k < led->n; ++k)
        if (strcmp(led->led[k].torsion, name) == 0)
            return true;
    return false;
}

static int q_of(const cardo_session *session, int body)
{
    cardo_body_info info;
    cardo_system_body(session->system, body + 1, &info);
    return info.q_first;
}

static bool can_be_led(const cardo_session *session, int body, const cardo_led_torsions *led)
{
    const cardo_model_body *b = &session->model->body[body];
    return b->torsion && strlen(b->name) < CARDO_LED_NAME && !has(led, b->name);
}

/* The one that is farthest apart on both ways, of those that are not led; -1: none is by so much. */
static int find_farthest(const cardo_session *session, const cardo_course *course,
                         const cardo_led_torsions *led)
{
    double most = apart;
    int which = -1;
    for (int b = 0; b < session->model->nbody; ++b) {
        if (!can_be_led(session, b, led))
            continue;
        const double far = cardo_torsion_apart(course, q_of(session, b));
        if (far > most) {
            most = far;
            which = b;
        }
    }
    return which;
}

/* Coordinate q by a path's own. */
static void lead_by(const cardo_session *session, const cardo_course *course, int path, int q,
                    cardo_led_torsion *out)
{
    const cardo_model *model = session->model;
    assert(path >= 0 && strlen(model->body[path].name) < CARDO_LED_NAME);
    snprintf(out->hinge, sizeof out->hinge, "%s", model->body[path].name);
    for (int k = 0; k < CARDO_LED_PLACES; ++k)
        out->q[k] = course->q[k] * (model->body[path].fit->nstructure - 1);
    find_way(course, q, out->value);
}

static void lead(const cardo_session *session, const cardo_course *course, int body,
                 cardo_led_torsion *out)
{
    snprintf(out->torsion, sizeof out->torsion, "%s", session->model->body[body].name);
    lead_by(session, course, find_path(session->model, body), q_of(session, body), out);
}

/* The name of a path's coordinate beside its own, from 0 on, as models call it. */
static void name_beside(const cardo_model *model, int path, int k, char name[CARDO_LED_NAME])
{
    snprintf(name, CARDO_LED_NAME, "%.32s.%d", model->body[path].name, k + 2);
}

/* Of the angles that a path has beside its coordinate the one that was farthest elsewhere at the last end; -1: none was far. */
static int find_lost_turn(const cardo_session *session, const cardo_course *course, int path,
                          const cardo_led_torsions *io)
{
    const cardo_path *p = session->model->body[path].parameters;
    double most = apart;
    int which = -1;
    for (int k = 0; k < p->nextra; ++k) {
        char name[CARDO_LED_NAME];
        const double far = lost_turn(course, q_of(session, path) + 1 + k);
        name_beside(session->model, path, k, name);
        if (p->extra[k].shift || has(io, name) || far <= most)
            continue;
        most = far;
        which = k;
    }
    return which;
}

/* Where domains have another pose at the last end than was lost there that is led, and nothing else yet: strands and side chains follow. */
static void lead_poses(const cardo_session *session, const cardo_course *course,
                       cardo_led_torsions *io)
{
    for (int b = 0; b < session->model->nbody; ++b) {
        const int k = session->model->body[b].fit ? find_lost_turn(session, course, b, io) : -1;
        if (k < 0)
            continue;
        name_beside(session->model, b, k, io->led[io->n].torsion);
        lead_by(session, course, b, q_of(session, b) + 1 + k, &io->led[io->n++]);
    }
}

cardo_status cardo_led_torsions_add(const cardo_session *session, const cardo_course *course,
                                    cardo_led_torsions *io, cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = session->model;
    cardo_led_torsion *led = NULL;
    const int before = io->n;
    int which;
    assert(course->nplace == CARDO_LED_PLACES && course->reached == course->nplace);
    CARDO_TRY(CARDO_ALLOCATE(&led, io->n + 2 * model->nbody, error));
    if (io->n > 0)
        memcpy(led, io->led, (size_t)io->n * sizeof *led);
    cardo_free(io->led);
    io->led = led;
    lead_poses(session, course, io);
    const bool poses = io->n > before;
    for (int b = 0; b < model->nbody && !poses; ++b)
        if (can_be_led(session, b, io) && leaps(course, q_of(session, b)))
            lead(session, course, b, &led[io->n++]);
    const bool closed = fabs(course->work) <= CARDO_COURSE_CLOSED && !has_lost(course);
    const bool snaps = io->n == before && !closed;
    for (int k = 0; k < OF_SNAPS && snaps && (which = find_farthest(session, course, io)) >= 0; ++k)
        lead(session, course, which, &led[io->n++]);
done:
    return status;
}

/* The nearest atom that is not the other one of a bond: one that it is bonded to. */
static int next_to(const cardo_structure *s, int atom, int other)
{
    int nearest = -1;
    double least = HUGE_VAL;
    for (size_t i = 0; i < (size_t)s->natom; ++i) {
        const cardo_vec3 d =
            v3_sub(v3_load(s->position + 3 * i), v3_load(s->position + 3 * (size_t)atom));
        if ((int)i != atom && (int)i != other && v3_dot(d, d) < least) {
            least = v3_dot(d, d);
            nearest = (int)i;
        }
    }
    return nearest;
}

/* The atoms of a torsion that the session's model has; false: it has none of that name. */
static bool find_atoms(const cardo_session *session, const char *name, int atom[4])
{
    const cardo_structure *s = session->model->structure[0].structure;
    const int b = cardo_model_find_body(session->model, name);
    if (b < 0)
        return false;
    const int *bond = session->model->body[b].bond;
    atom[0] = next_to(s, bond[0], bond[1]);
    atom[1] = bond[0];
    atom[2] = bond[1];
    atom[3] = next_to(s, bond[1], bond[0]);
    return true;
}

/* A torsion's turn from the first place to another. */
static double turned(const cardo_session *session, const double *positions, int place,
                     const int atom[4])
{
    const size_t n = 3 * (size_t)session->model->structure[0].structure->natom;
    return cardo_torsion_of(positions + n * (size_t)place, atom) -
           cardo_torsion_of(positions, atom);
}

void cardo_led_torsions_measure(const cardo_session *session, int nplace, int every,
                                const double *positions, cardo_led_torsions *io)
{
    assert((nplace - 1) * every == CARDO_LED_PLACES - 1);
    for (int j = 0; j < io->n; ++j) {
        double *value = io->led[j].value, off[CARDO_LED_PLACES] = {0};
        const double first = value[0];
        int atom[4];
        if (!find_atoms(session, io->led[j].torsion, atom))
            continue;
        for (int k = 1; k < nplace; ++k)
            off[k * every] = turn(value[k * every] - first, turned(session, positions, k, atom));
        for (int k = 0; k < CARDO_LED_PLACES; ++k) {
            const int before = k / every * every, part = k - before;
            const double next = part > 0 ? off[before + every] : 0;
            value[k] += (off[before] * (every - part) + next * part) / every - first;
        }
    }
}

void cardo_led_torsions_take(const cardo_session *session, int nplace, int every,
                             const double *positions, int first, cardo_led_torsions *io)
{
    assert((nplace - 1) * every == CARDO_LED_PLACES - 1);
    for (int j = first; j < io->n; ++j) {
        double *value = io->led[j].value, before = 0;
        int atom[4];
        if (!find_atoms(session, io->led[j].torsion, atom))
            continue;
        value[0] = 0;
        for (int k = 1; k < nplace; ++k) {
            const double to = before + turn(before, turned(session, positions, k, atom));
            for (int part = 1; part <= every; ++part)
                value[(k - 1) * every + part] = before + (to - before) * part / every;
            before = to;
        }
    }
}

void cardo_led_torsions_drop(cardo_led_torsions *io, const char *residue)
{
    const size_t length = strlen(residue);
    int n = 0;
    for (int k = 0; k < io->n; ++k)
        if (strncmp(io->led[k].torsion, residue, length) != 0 || io->led[k].torsion[length] != '.')
            io->led[n++] = io->led[k];
    io->n = n;
}

cardo_status cardo_led_torsions_copy(const cardo_led_torsions *led, cardo_led_torsions *out,
                                     cardo_error *error)
{
    const cardo_status status = CARDO_ALLOCATE(&out->led, led->n + 1, error);
    if (status != CARDO_OK)
        return status;
    if (led->n > 0)
        memcpy(out->led, led->led, (size_t)led->n * sizeof *out->led);
    out->n = led->n;
    return CARDO_OK;
}

void cardo_led_torsions_clear(cardo_led_torsions *led)
{
    cardo_free(led->led);
    *led = (cardo_led_torsions){0};
}
