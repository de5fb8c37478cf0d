#include "multibody/contact/mesh_nearest.h"

/* As fmax, which asks for numbers that are none and is a call. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Squared distance of a point from a node's box. */
static inline double from_box(const mesh_node *node, cardo_vec3 p)
{
    const double x = larger(larger(node->low.x - p.x, p.x - node->high.x), 0);
    const double y = larger(larger(node->low.y - p.y, p.y - node->high.y), 0);
    const double z = larger(larger(node->low.z - p.z, p.z - node->high.z), 0);
    return x * x + y * y + z * z;
}

/* By the region of its plane that p is over: vertices, edges, face. */
static inline cardo_vec3 on_face(const mesh_face *face, cardo_vec3 p, int *region)
{
    const cardo_vec3 ab = v3_sub(face->b, face->a), ac = v3_sub(face->c, face->a);
    const cardo_vec3 ap = v3_sub(p, face->a);
    const double d1 = v3_dot(ab, ap), d2 = v3_dot(ac, ap);
    *region = MESH_VERTEX;
    if (d1 <= 0 && d2 <= 0)
        return face->a;
    const cardo_vec3 bp = v3_sub(p, face->b);
    const double d3 = v3_dot(ab, bp), d4 = v3_dot(ac, bp);
    *region = MESH_VERTEX + 1;
    if (d3 >= 0 && d4 <= d3)
        return face->b;
    const double vc = d1 * d4 - d3 * d2;
    *region = MESH_EDGE;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return v3_add_scaled(face->a, d1 / (d1 - d3), ab);
    const cardo_vec3 cp = v3_sub(p, face->c);
    const double d5 = v3_dot(ab, cp), d6 = v3_dot(ac, cp);
    *region = MESH_VERTEX + 2;
    if (d6 >= 0 && d5 <= d6)
        return face->c;
    const double vb = d5 * d2 - d1 * d6;
    *region = MESH_EDGE + 2;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return v3_add_scaled(face->a, d2 / (d2 - d6), ac);
    const double va = d3 * d6 - d5 * d4;
    *region = MESH_EDGE + 1;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return v3_add_scaled(face->b, (d4 - d3) / ((d4 - d3) + (d5 - d6)),
                             v3_sub(face->c, face->b));
    const double scale = 1 / (va + vb + vc);
    *region = MESH_WITHIN;
    return v3_add_scaled(v3_add_scaled(face->a, vb * scale, ab), vc * scale, ac);
}

cardo_vec3 cardo_mesh_on_face(const mesh_face *face, cardo_vec3 point)
{
    int region;
    return on_face(face, point, &region);
}

/* The nearest place of a mesh, or one that is near enough. */
typedef struct nearest {
    int face, region;
    double square; /* of its distance      */
    cardo_vec3 to; /* it, less the point   */
} nearest;

/* A face whose plane is too far away is. */
static inline void try_face(const mesh_data *mesh, int number, cardo_vec3 point, nearest *best)
{
    int region;
    const mesh_face *face = &mesh->faces[number];
    const double above = v3_dot(face->normals[MESH_WITHIN], v3_sub(point, face->a));
    if (above * above > best->square)
        return;
    const cardo_vec3 to = v3_sub(on_face(face, point, &region), point);
    const double square = v3_dot(to, to);
    if (square < best->square)
        *best = (nearest){number, region, square, to};
}

/* Nodes by their distance, the nearer one first; ends where a squared distance is below `enough`. */
static nearest find(const mesh_data *mesh, cardo_vec3 point, int hint, double enough)
{
    struct {
        int node;
        double square;
    } stack[MESH_DEPTH];
    int depth = 0;
    nearest best = {.square = INFINITY};
    try_face(mesh, hint, point, &best);
    stack[depth].node = 0;
    stack[depth++].square = from_box(mesh->nodes, point);
    while (depth > 0 && best.square >= enough) {
        --depth;
        if (!(stack[depth].square < best.square))
            continue;
        const mesh_node *node = &mesh->nodes[stack[depth].node];
        if (node->child < 0) {
            for (int f = node->first; f < node->first + node->count; ++f)
                try_face(mesh, f, point, &best);
            continue;
        }
        const double left = from_box(&mesh->nodes[node->child], point);
        const double right = from_box(&mesh->nodes[node->child + 1], point);
        const int near = left <= right ? 0 : 1;
        const double far_square = near ? left : right, near_square = near ? right : left;
        if (far_square < best.square) {
            stack[depth].node = node->child + 1 - near;
            stack[depth++].square = far_square;
        }
        if (near_square < best.square) {
            stack[depth].node = node->child + near;
            stack[depth++].square = near_square;
        }
    }
    return best;
}

/* Above 0 where the point is inside. */
static double inward(const mesh_data *mesh, const nearest *place)
{
    return v3_dot(place->to, mesh->faces[place->face].normals[place->region]);
}

double cardo_mesh_signed_distance(const mesh_data *mesh, cardo_vec3 point, int *hint)
{
    const nearest place = find(mesh, point, *hint, 0);
    *hint = place.face;
    return copysign(sqrt(place.square), -inward(mesh, &place));
}

mesh_side cardo_mesh_side(const mesh_data *mesh, cardo_vec3 point, double radius, int *hint)
{
    const double square = radius * radius;
    const nearest place = find(mesh, point, *hint, square);
    *hint = place.face;
    if (!(place.square > square))
        return MESH_ACROSS;
    return inward(mesh, &place) > 0 ? MESH_INSIDE : MESH_OUTSIDE;
}

bool cardo_mesh_inside(const mesh_data *mesh, cardo_vec3 point, int *hint, shape_depth *out)
{
    const nearest place = find(mesh, point, *hint, 0);
    *hint = place.face;
    if (!(inward(mesh, &place) > 0))
        return false;
    out->depth = sqrt(place.square);
    /* along the way out; by the face where the point is all but on the surface */
    out->normal = out->depth > 0 ? v3_scale(1 / out->depth, place.to)
                                 : mesh->faces[place.face].normals[MESH_WITHIN];
    return true;
}
