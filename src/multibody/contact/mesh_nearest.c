#include "multibody/contact/mesh_nearest.h"

/* Squared distance of a point from a node's box. */
static double from_box(const mesh_node *node, cardo_vec3 p)
{
    const double x = fmax(fmax(node->low.x - p.x, p.x - node->high.x), 0);
    const double y = fmax(fmax(node->low.y - p.y, p.y - node->high.y), 0);
    const double z = fmax(fmax(node->low.z - p.z, p.z - node->high.z), 0);
    return x * x + y * y + z * z;
}

/* By the region of its plane that p is over: vertices, edges, face. */
cardo_vec3 cardo_mesh_on_face(const mesh_face *face, cardo_vec3 p, cardo_vec3 *pseudonormal)
{
    const cardo_vec3 ab = v3_sub(face->b, face->a), ac = v3_sub(face->c, face->a);
    const cardo_vec3 ap = v3_sub(p, face->a);
    const double d1 = v3_dot(ab, ap), d2 = v3_dot(ac, ap);
    *pseudonormal = face->vertex_normals[0];
    if (d1 <= 0 && d2 <= 0)
        return face->a;
    const cardo_vec3 bp = v3_sub(p, face->b);
    const double d3 = v3_dot(ab, bp), d4 = v3_dot(ac, bp);
    *pseudonormal = face->vertex_normals[1];
    if (d3 >= 0 && d4 <= d3)
        return face->b;
    const double vc = d1 * d4 - d3 * d2;
    *pseudonormal = face->edge_normals[0];
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return v3_add_scaled(face->a, d1 / (d1 - d3), ab);
    const cardo_vec3 cp = v3_sub(p, face->c);
    const double d5 = v3_dot(ab, cp), d6 = v3_dot(ac, cp);
    *pseudonormal = face->vertex_normals[2];
    if (d6 >= 0 && d5 <= d6)
        return face->c;
    const double vb = d5 * d2 - d1 * d6;
    *pseudonormal = face->edge_normals[2];
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return v3_add_scaled(face->a, d2 / (d2 - d6), ac);
    const double va = d3 * d6 - d5 * d4;
    *pseudonormal = face->edge_normals[1];
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return v3_add_scaled(face->b, (d4 - d3) / ((d4 - d3) + (d5 - d6)),
                             v3_sub(face->c, face->b));
    const double scale = 1 / (va + vb + vc);
    *pseudonormal = face->normal;
    return v3_add_scaled(v3_add_scaled(face->a, vb * scale, ab), vc * scale, ac);
}

void cardo_mesh_nearest(const mesh_data *mesh, cardo_vec3 point, int *hint, cardo_vec3 *to,
                        cardo_vec3 *pseudonormal)
{
    struct {
        int node;
        double square;
    } stack[MESH_DEPTH];
    int depth = 0;
    *to = v3_sub(cardo_mesh_on_face(&mesh->faces[*hint], point, pseudonormal), point);
    double best = v3_dot(*to, *to);
    stack[depth].node = 0;
    stack[depth++].square = from_box(mesh->nodes, point);
    while (depth > 0) {
        --depth;
        if (!(stack[depth].square < best))
            continue;
        const mesh_node *node = &mesh->nodes[stack[depth].node];
        if (node->child < 0) {
            for (int f = node->first; f < node->first + node->count; ++f) {
                cardo_vec3 normal;
                const cardo_vec3 way =
                    v3_sub(cardo_mesh_on_face(&mesh->faces[f], point, &normal), point);
                const double square = v3_dot(way, way);
                if (square < best) {
                    best = square;
                    *to = way;
                    *pseudonormal = normal;
                    *hint = f;
                }
            }
            continue;
        }
        /* the nearer one on top */
        const double left = from_box(&mesh->nodes[node->child], point);
        const double right = from_box(&mesh->nodes[node->child + 1], point);
        const int near = left <= right ? 0 : 1;
        stack[depth].node = node->child + 1 - near;
        stack[depth++].square = near ? left : right;
        stack[depth].node = node->child + near;
        stack[depth++].square = near ? right : left;
    }
}

double cardo_mesh_signed_distance(const mesh_data *mesh, cardo_vec3 point, int *hint)
{
    cardo_vec3 to, normal;
    cardo_mesh_nearest(mesh, point, hint, &to, &normal);
    return copysign(v3_norm(to), -v3_dot(to, normal));
}

bool cardo_mesh_inside(const mesh_data *mesh, cardo_vec3 point, int *hint, shape_depth *out)
{
    cardo_vec3 to, normal;
    cardo_mesh_nearest(mesh, point, hint, &to, &normal);
    if (!(v3_dot(to, normal) > 0))
        return false;
    out->depth = v3_norm(to);
    /* along the way out; by the face where the point is all but on the surface */
    out->normal = out->depth > 0 ? v3_scale(1 / out->depth, to) : mesh->faces[*hint].normal;
    return true;
}
