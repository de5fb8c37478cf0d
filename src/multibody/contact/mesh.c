#include "multibody/contact/mesh_nearest.h"

#include "base/memory.h"

#include <stdlib.h>

/* ------------ making ------------ */

/* A side of a face, by the vertices that it joins. */
typedef struct side {
    int low, high, face, number;
} side;

static int compare_sides(const void *a, const void *b)
{
    const side *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return x->face < y->face ? -1 : x->face > y->face;
}

static cardo_status check_vertices(const cardo_contact_mesh *given, cardo_error *error)
{
    if (given->nvertex < 4 || given->nface < 4 || given->nface > 50000000)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a closed mesh has four vertices and faces at least, not %d and %d",
                          given->nvertex, given->nface);
    for (int i = 0; i < 3 * given->nvertex; ++i)
        if (!isfinite(given->vertices[i]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "vertex %d of the mesh is not finite",
                              i / 3);
    for (int f = 0; f < given->nface; ++f) {
        const int *v = given->faces + 3 * (size_t)f;
        for (int k = 0; k < 3; ++k)
            if (v[k] < 0 || v[k] >= given->nvertex)
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "face %d of the mesh has vertex %d, of %d vertices", f, v[k],
                                  given->nvertex);
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "face %d of the mesh has a vertex twice: leave it out", f);
    }
    return CARDO_OK;
}

static cardo_vec3 vertex(const cardo_contact_mesh *given, int v)
{
    return v3_load(given->vertices + 3 * (size_t)v);
}

/* Places, areas and normals of the faces. */
static cardo_status place_faces(const cardo_contact_mesh *given, mesh_data *mesh,
                                cardo_error *error)
{
    for (int f = 0; f < given->nface; ++f) {
        const int *v = given->faces + 3 * (size_t)f;
        mesh_face *face = &mesh->faces[f];
        face->a = vertex(given, v[0]);
        face->b = vertex(given, v[1]);
        face->c = vertex(given, v[2]);
        face->centroid = v3_scale(1.0 / 3, v3_add(v3_add(face->a, face->b), face->c));
        const cardo_vec3 cross = v3_cross(v3_sub(face->b, face->a), v3_sub(face->c, face->a));
        const double norm = v3_norm(cross);
        if (!(norm > 0))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "face %d of the mesh has no area: its corners are on a line", f);
        face->area = 0.5 * norm;
        face->normals[MESH_WITHIN] = v3_scale(1 / norm, cross);
    }
    return CARDO_OK;
}

/* Two faces at each edge, one along it and one against. */
static cardo_status join_edges(const cardo_contact_mesh *given, mesh_data *mesh, cardo_error *error)
{
    cardo_status status;
    side *sides = NULL;
    const int n = 3 * given->nface;
    CARDO_TRY(CARDO_ALLOCATE(&sides, n, error));
    for (int i = 0; i < n; ++i) {
        const int *v = given->faces + 3 * (size_t)(i / 3);
        const int from = v[i % 3], to = v[(i + 1) % 3];
        sides[i] = (side){from < to ? from : to, from < to ? to : from, i / 3, i % 3};
    }
    qsort(sides, (size_t)n, sizeof *sides, compare_sides);
    for (int i = 0; i < n; i += 2) {
        const side *x = &sides[i], *y = &sides[i + 1 < n ? i + 1 : i];
        const bool pair = i + 1 < n && x->low == y->low && x->high == y->high;
        const bool third = i + 2 < n && x->low == sides[i + 2].low && x->high == sides[i + 2].high;
        if (!pair || third) {
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                "the mesh is not closed: its edge between vertices %d and %d has "
                                "%s",
                                x->low, x->high, pair ? "more than two faces" : "one face only");
            goto done;
        }
        const int *v = given->faces + 3 * (size_t)x->face, *w = given->faces + 3 * (size_t)y->face;
        if (v[x->number] == w[y->number]) {
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                "faces %d and %d of the mesh run along the edge between vertices "
                                "%d and %d in the same direction: one is turned inside out",
                                x->face, y->face, x->low, x->high);
            goto done;
        }
        mesh_face *one = &mesh->faces[x->face], *other = &mesh->faces[y->face];
        const cardo_vec3 sum = v3_add(one->normals[MESH_WITHIN], other->normals[MESH_WITHIN]);
        one->normals[MESH_EDGE + x->number] = sum;
        other->normals[MESH_EDGE + y->number] = sum;
    }
done:
    cardo_free(sides);
    return status;
}

static double angle_at(cardo_vec3 at, cardo_vec3 b, cardo_vec3 c)
{
    const cardo_vec3 x = v3_sub(b, at), y = v3_sub(c, at);
    return atan2(v3_norm(v3_cross(x, y)), v3_dot(x, y));
}

static cardo_status sum_vertex_normals(const cardo_contact_mesh *given, mesh_data *mesh,
                                       cardo_error *error)
{
    cardo_status status;
    cardo_vec3 *sums = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&sums, given->nvertex, error));
    for (int f = 0; f < given->nface; ++f) {
        const mesh_face *face = &mesh->faces[f];
        const cardo_vec3 corners[3] = {face->a, face->b, face->c};
        for (int k = 0; k < 3; ++k) {
            cardo_vec3 *sum = &sums[given->faces[3 * (size_t)f + (size_t)k]];
            *sum = v3_add_scaled(*sum,
                                 angle_at(corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]),
                                 face->normals[MESH_WITHIN]);
        }
    }
    for (int f = 0; f < given->nface; ++f)
        for (int k = 0; k < 3; ++k)
            mesh->faces[f].normals[MESH_VERTEX + k] = sums[given->faces[3 * (size_t)f + (size_t)k]];
done:
    cardo_free(sums);
    return status;
}

/* Six times the volume that the faces enclose: less than 0 where they are turned inside out. */
static double volume(const mesh_data *mesh)
{
    double sum = 0;
    const cardo_vec3 o = mesh->faces[0].a;
    for (int f = 0; f < mesh->nface; ++f) {
        const mesh_face *face = &mesh->faces[f];
        sum += v3_dot(v3_sub(face->a, o), v3_cross(v3_sub(face->b, o), v3_sub(face->c, o)));
    }
    return sum;
}

/* ------------ the tree ------------ */

static double along(cardo_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static int compare_x(const void *a, const void *b)
{
    const double x = ((const mesh_face *)a)->centroid.x, y = ((const mesh_face *)b)->centroid.x;
    return x < y ? -1 : x > y;
}

static int compare_y(const void *a, const void *b)
{
    const double x = ((const mesh_face *)a)->centroid.y, y = ((const mesh_face *)b)->centroid.y;
    return x < y ? -1 : x > y;
}

static int compare_z(const void *a, const void *b)
{
    const double x = ((const mesh_face *)a)->centroid.z, y = ((const mesh_face *)b)->centroid.z;
    return x < y ? -1 : x > y;
}

static cardo_vec3 least(cardo_vec3 a, cardo_vec3 b)
{
    return v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static cardo_vec3 greatest(cardo_vec3 a, cardo_vec3 b)
{
    return v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static void bound(const mesh_data *mesh, mesh_node *node)
{
    node->low = v3(INFINITY, INFINITY, INFINITY);
    node->high = v3_neg(node->low);
    for (int f = node->first; f < node->first + node->count; ++f) {
        const mesh_face *face = &mesh->faces[f];
        node->low = least(node->low, least(face->a, least(face->b, face->c)));
        node->high = greatest(node->high, greatest(face->a, greatest(face->b, face->c)));
    }
    const cardo_vec3 middle = v3_scale(0.5, v3_add(node->low, node->high));
    node->corners = node->centroids = 0;
    for (int f = node->first; f < node->first + node->count; ++f) {
        const mesh_face *face = &mesh->faces[f];
        node->centroids = fmax(node->centroids, v3_norm(v3_sub(face->centroid, middle)));
        node->corners =
            fmax(node->corners,
                 fmax(v3_norm(v3_sub(face->a, middle)),
                      fmax(v3_norm(v3_sub(face->b, middle)), v3_norm(v3_sub(face->c, middle)))));
    }
}

/* Halves node after node along the longest side of its box. */
static void divide(mesh_data *mesh)
{
    static int (*const compare[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    mesh->nodes[0] = (mesh_node){.child = -1, .first = 0, .count = mesh->nface};
    mesh->nnode = 1;
    for (int k = 0; k < mesh->nnode; ++k) {
        mesh_node *node = &mesh->nodes[k];
        bound(mesh, node);
        if (node->count <= MESH_LEAF)
            continue;
        const cardo_vec3 size = v3_sub(node->high, node->low);
        int axis = 0;
        for (int i = 1; i < 3; ++i)
            if (along(size, i) > along(size, axis))
                axis = i;
        qsort(mesh->faces + node->first, (size_t)node->count, sizeof *mesh->faces, compare[axis]);
        const int half = node->count / 2;
        node->child = mesh->nnode;
        mesh->nodes[mesh->nnode++] = (mesh_node){.child = -1, .first = node->first, .count = half};
        mesh->nodes[mesh->nnode++] =
            (mesh_node){.child = -1, .first = node->first + half, .count = node->count - half};
    }
}

/* ------------ the descriptor ------------ */

static void release(void *data)
{
    mesh_data *mesh = data;
    if (mesh) {
        cardo_free(mesh->faces);
        cardo_free(mesh->nodes);
    }
    cardo_free(mesh);
}

static cardo_status compile(const void *parameters, void **out, cardo_error *error)
{
    const cardo_contact_mesh *given = parameters;
    cardo_status status;
    mesh_data *mesh = NULL;
    CARDO_TRY(check_vertices(given, error));
    CARDO_TRY(CARDO_ALLOCATE(&mesh, 1, error));
    mesh->nface = given->nface;
    CARDO_TRY(CARDO_ALLOCATE(&mesh->faces, given->nface, error));
    CARDO_TRY(CARDO_ALLOCATE(&mesh->nodes, 2 * (size_t)given->nface, error));
    CARDO_TRY(place_faces(given, mesh, error));
    CARDO_TRY(join_edges(given, mesh, error));
    if (!(volume(mesh) > 0)) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "the mesh is inside out: its vertices are to run counter-clockwise as "
                            "seen from outside");
        goto done;
    }
    CARDO_TRY(sum_vertex_normals(given, mesh, error));
    divide(mesh);
    *out = mesh;
    mesh = NULL;
done:
    release(mesh);
    return status;
}

static void bounds(const void *data, cardo_vec3 *centre, cardo_vec3 *half)
{
    const mesh_node *root = ((const mesh_data *)data)->nodes;
    *centre = v3_scale(0.5, v3_add(root->low, root->high));
    *half = v3_scale(0.5, v3_sub(root->high, root->low));
}

static double distance(const void *data, cardo_vec3 point)
{
    int hint = 0;
    return cardo_mesh_signed_distance(data, point, &hint);
}

static bool inside(const void *data, cardo_vec3 point, shape_depth *out)
{
    int hint = 0;
    return cardo_mesh_inside(data, point, &hint, out);
}

const cardo_contact_shape cardo_contact_mesh_shape = {
    .name = "mesh",
    .doc = "a closed surface of triangles: vertices and faces (cardo_mesh_read: STL, OBJ)",
    .compile = compile,
    .release = release,
    .bounds = bounds,
    .distance = distance,
    .inside = inside,
};
