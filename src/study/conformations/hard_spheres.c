#include "study/conformations/hard_spheres.h"

#include "base/memory.h"
#include "base/text.h"
#include "topology/bonds.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Bodies with more heavy atoms than this are looked up in cells. */
enum { LARGE = 40, BONDS_APART = 3 };

/* Contact distances by kinds of atoms: outer limits of Ramachandran & Sasisekharan (1968), nm. Sulphur, phosphorus and all else
 * count as carbon, the largest of them. */
enum { CARBON, NITROGEN, OXYGEN, KINDS };
static const double contact[KINDS][KINDS] = {
    {0.30, 0.28, 0.27}, {0.28, 0.26, 0.26}, {0.27, 0.26, 0.26}};
static const double longest_contact = 0.30;

typedef struct sphere_body {
    int first, count;  /* of its atoms in the lists below */
    cardo_vec3 centre; /* in the body's frame */
    double radius;
    /* Cells, of a large body; else NULL: atoms of cell c are order[start[c]] ... order[start[c + 1] - 1]. */
    int *start, *order;
    int size[3];
    cardo_vec3 corner;
} sphere_body;

struct cardo_hard_spheres {
    int nbody; /* of the system, ground included */
    const cardo_model *model;
    sphere_body *body;
    int n;
    int *atom, *kind;  /* of heavy atoms, by body            (n)     */
    cardo_vec3 *place; /* in their body's frame              (n)     */
    int *first_near,
        *near; /* atoms up to three bonds from each atom of the structure, rising (natom + 1) */
    double scale, cell;
    int nexcepted, excepted[CARDO_SPHERES_MOST_EXCEPTED][2];
};

static int kind_of(int element)
{
    return element == 7 ? NITROGEN : element == 8 ? OXYGEN : CARBON;
}

double cardo_contact_distance(int element, int other)
{
    return contact[kind_of(element)][kind_of(other)];
}

void cardo_hard_spheres_destroy(cardo_hard_spheres *s)
{
    if (!s)
        return;
    for (int b = 0; b < s->nbody && s->body; ++b) {
        cardo_free(s->body[b].start);
        cardo_free(s->body[b].order);
    }
    cardo_free(s->body);
    cardo_free(s->atom);
    cardo_free(s->kind);
    cardo_free(s->place);
    cardo_free(s->first_near);
    cardo_free(s->near);
    cardo_free(s);
}

/* Atoms within three bonds of atom i, itself left out, each once, that come after it. Returns how many; found may be NULL. */
static int walk_bonds(const cardo_bonds *bonds, int i, int *stamp, int *queue, int *found)
{
    int head = 0, tail = 0, count = 0;
    queue[tail++] = i;
    stamp[i] = i + 1;
    for (int depth = 0, end; depth < BONDS_APART; ++depth)
        for (end = tail; head < end; ++head)
            for (int k = bonds->neighbour_first[queue[head]];
                 k < bonds->neighbour_first[queue[head] + 1]; ++k) {
                const int j = bonds->neighbour[k];
                if (stamp[j] == i + 1)
                    continue;
                stamp[j] = i + 1;
                queue[tail++] = j;
                if (found)
                    found[count] = j;
                ++count;
            }
    return count;
}

static cardo_status find_near(cardo_hard_spheres *s, cardo_error *error)
{
    const cardo_structure *structure = s->model->structure[0].structure;
    cardo_status status;
    cardo_bonds *bonds = NULL;
    char *templates = NULL;
    int *stamp = NULL, *queue = NULL;
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(cardo_bonds_find(structure, templates, &bonds, error));
    CARDO_TRY(CARDO_ALLOCATE(&stamp, structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&queue, structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->first_near, structure->natom + 1, error));
    for (int i = 0; i < structure->natom; ++i)
        s->first_near[i + 1] = s->first_near[i] + walk_bonds(bonds, i, stamp, queue, NULL);
    CARDO_TRY(CARDO_ALLOCATE(&s->near, s->first_near[structure->natom], error));
    memset(stamp, 0, (size_t)structure->natom * sizeof *stamp);
    for (int i = 0; i < structure->natom; ++i)
        walk_bonds(bonds, i, stamp, queue, s->near + s->first_near[i]);
done:
    cardo_bonds_destroy(bonds);
    cardo_free(templates);
    cardo_free(stamp);
    cardo_free(queue);
    return status;
}

static void bound(cardo_hard_spheres *s, sphere_body *body)
{
    cardo_vec3 low = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = v3_scale(-1, low);
    for (int k = body->first; k < body->first + body->count; ++k) {
        const cardo_vec3 p = s->place[k];
        low = v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    if (body->count == 0)
        return;
    body->centre = v3_scale(0.5, v3_add(low, high));
    for (int k = body->first; k < body->first + body->count; ++k)
        body->radius = fmax(body->radius, v3_norm(v3_sub(s->place[k], body->centre)));
    body->corner = low;
    body->size[0] = 1 + (int)((high.x - low.x) / s->cell);
    body->size[1] = 1 + (int)((high.y - low.y) / s->cell);
    body->size[2] = 1 + (int)((high.z - low.z) / s->cell);
}

static int cell_of(const cardo_hard_spheres *s, const sphere_body *body, cardo_vec3 p)
{
    const int x = (int)((p.x - body->corner.x) / s->cell),
              y = (int)((p.y - body->corner.y) / s->cell),
              z = (int)((p.z - body->corner.z) / s->cell);
    return (x * body->size[1] + y) * body->size[2] + z;
}

static cardo_status make_cells(cardo_hard_spheres *s, sphere_body *body, cardo_error *error)
{
    cardo_status status;
    const int ncell = body->size[0] * body->size[1] * body->size[2];
    if (body->count <= LARGE)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&body->start, ncell + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&body->order, body->count, error));
    for (int k = 0; k < body->count; ++k)
        ++body->start[cell_of(s, body, s->place[body->first + k]) + 1];
    for (int c = 0; c < ncell; ++c)
        body->start[c + 1] += body->start[c];
    for (int k = body->count - 1; k >= 0; --k) {
        const int c = cell_of(s, body, s->place[body->first + k]);
        body->order[--body->start[c + 1]] = body->first + k;
    }
    /* Each start went down to where its cell begins: they moved up by one. */
    memmove(body->start, body->start + 1, (size_t)ncell * sizeof *body->start);
    body->start[ncell] = body->count;
done:
    return status;
}

static cardo_status sort_atoms(cardo_hard_spheres *s, const cardo_system *system,
                               cardo_error *error)
{
    const cardo_structure *structure = s->model->structure[0].structure;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&s->body, s->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->atom, structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->kind, structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->place, structure->natom, error));
    for (int b = 1; b < s->nbody; ++b) {
        s->body[b].first = s->n;
        for (int i = 0; i < structure->natom; ++i)
            if (s->model->atom_body[i] == b - 1 && structure->element[i] != 1) {
                s->atom[s->n] = i;
                s->kind[s->n] = kind_of(structure->element[i]);
                s->place[s->n++] = cardo_system_station_position(system, i);
            }
        s->body[b].count = s->n - s->body[b].first;
        bound(s, &s->body[b]);
        CARDO_TRY(make_cells(s, &s->body[b], error));
    }
done:
    return status;
}

cardo_status cardo_hard_spheres_create(const cardo_model *model, const cardo_system *system,
                                       double scale, cardo_hard_spheres **out, cardo_error *error)
{
    cardo_hard_spheres *s = NULL;
    cardo_status status;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&s, 1, error));
    s->nbody = cardo_system_nbody(system);
    s->model = model;
    s->scale = scale;
    s->cell = scale * longest_contact;
    CARDO_TRY(sort_atoms(s, system, error));
    CARDO_TRY(find_near(s, error));
    *out = s;
    s = NULL;
done:
    cardo_hard_spheres_destroy(s);
    return status;
}

/* Does atom i lie on the axis about which body b, that hangs on i's body or is it, turns? */
static bool is_on_axis(const cardo_hard_spheres *s, int i, int j)
{
    const cardo_model_body *body = s->model->body;
    const int a = s->model->atom_body[i], b = s->model->atom_body[j];
    return (body[a].torsion && body[a].parent == b && i == body[a].bond[1]) ||
           (body[b].torsion && body[b].parent == a && i == body[b].bond[0]);
}

/* Pairs that never count, among those that are near. */
static bool is_left_out(const cardo_hard_spheres *s, int i, int j)
{
    for (int k = s->first_near[i]; k < s->first_near[i + 1]; ++k)
        if (s->near[k] == j)
            return true;
    for (int k = 0; k < s->nexcepted; ++k)
        if ((s->excepted[k][0] == i && s->excepted[k][1] == j) ||
            (s->excepted[k][0] == j && s->excepted[k][1] == i))
            return true;
    return is_on_axis(s, i, j) || is_on_axis(s, j, i);
}

bool cardo_hard_spheres_except(cardo_hard_spheres *s, const int pair[2])
{
    if (s->nexcepted == CARDO_SPHERES_MOST_EXCEPTED)
        return false;
    s->excepted[s->nexcepted][0] = pair[0];
    s->excepted[s->nexcepted++][1] = pair[1];
    return true;
}

static bool is_clash(const cardo_hard_spheres *s, int k, int l, cardo_vec3 apart)
{
    const double least = s->scale * contact[s->kind[k]][s->kind[l]];
    return v3_dot(apart, apart) < least * least && !is_left_out(s, s->atom[k], s->atom[l]);
}

typedef struct looking {
    const cardo_hard_spheres *s;
    int most, count;
    int *pair;
} looking;

static void take(looking *l, int k, int other)
{
    if (l->count++ == 0 && l->pair) {
        l->pair[0] = l->s->atom[k];
        l->pair[1] = l->s->atom[other];
    }
}

/* Cells around a place along one axis. */
static bool cells_around(double x, double cell, int size, int *low, int *high)
{
    const double at = floor(x / cell);
    if (!(at >= -1 && at <= size))
        return false;
    *low = at > 0 ? (int)at - 1 : 0;
    *high = at + 1 < size ? (int)at + 1 : size - 1;
    return true;
}

/* Atom k at a place in the frame of a large body. */
static void look_in_cells(looking *l, const sphere_body *body, int k, cardo_vec3 p)
{
    const cardo_hard_spheres *s = l->s;
    const cardo_vec3 in = v3_sub(p, body->corner);
    int x0, x1, y0, y1, z0, z1;
    if (!cells_around(in.x, s->cell, body->size[0], &x0, &x1) ||
        !cells_around(in.y, s->cell, body->size[1], &y0, &y1) ||
        !cells_around(in.z, s->cell, body->size[2], &z0, &z1))
        return;
    for (int x = x0; x <= x1; ++x)
        for (int y = y0; y <= y1; ++y) {
            const int row = (x * body->size[1] + y) * body->size[2];
            for (int at = body->start[row + z0]; at < body->start[row + z1 + 1]; ++at)
                if (is_clash(s, k, body->order[at], v3_sub(s->place[body->order[at]], p))) {
                    take(l, k, body->order[at]);
                    if (l->count >= l->most)
                        return;
                }
        }
}

/* Atoms of body a against those of b, whose pose in b's frame is X. */
static void look_at_pair(looking *l, const sphere_body *a, const sphere_body *b, cardo_transform X)
{
    const cardo_hard_spheres *s = l->s;
    for (int k = a->first; k < a->first + a->count && l->count < l->most; ++k) {
        const cardo_vec3 p = xform_point(X, s->place[k]);
        const double reach = b->radius + s->cell;
        const cardo_vec3 off = v3_sub(p, b->centre);
        if (v3_dot(off, off) > reach * reach)
            continue;
        if (b->start) {
            look_in_cells(l, b, k, p);
            continue;
        }
        for (int j = b->first; j < b->first + b->count && l->count < l->most; ++j)
            if (is_clash(s, k, j, v3_sub(s->place[j], p)))
                take(l, k, j);
    }
}

int cardo_hard_spheres_clashes(cardo_hard_spheres *s, const cardo_transform *X_GB, int most,
                               int pair[2])
{
    looking l = {.s = s, .most = most, .pair = pair};
    for (int a = 1; a < s->nbody; ++a) {
        const cardo_vec3 here = xform_point(X_GB[a], s->body[a].centre);
        for (int b = a + 1; b < s->nbody && l.count < most; ++b) {
            const sphere_body *small = &s->body[a], *large = &s->body[b];
            const double reach = small->radius + large->radius + s->cell;
            const cardo_vec3 off = v3_sub(xform_point(X_GB[b], large->centre), here);
            if (v3_dot(off, off) > reach * reach || small->count == 0 || large->count == 0)
                continue;
            const bool swap = small->count > large->count;
            const cardo_transform to_large =
                xform_mul(xform_inverse(X_GB[swap ? a : b]), X_GB[swap ? b : a]);
            look_at_pair(&l, swap ? large : small, swap ? small : large, to_large);
        }
    }
    return l.count;
}
