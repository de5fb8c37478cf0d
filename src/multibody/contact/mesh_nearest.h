/* Closed triangle meshes: a tree of boxes over the faces, and the nearest place of the surface. */
#ifndef CARDO_MULTIBODY_CONTACT_MESH_NEAREST_H
#define CARDO_MULTIBODY_CONTACT_MESH_NEAREST_H

#include "multibody/contact/shape.h"

/* Of the tree: a box, and the two nodes or the faces in it. */
typedef struct mesh_node {
    cardo_vec3 low, high;
    int child;        /* the first of two nodes that follow each other; -1: a leaf  */
    int first, count; /* its faces, as they are ordered                              */
} mesh_node;

typedef struct mesh_face {
    cardo_vec3 a, b, c;
    cardo_vec3 centroid, normal;
    double area;
    cardo_vec3 edge_normals[3];   /* of ab, bc, ca: the sum of those of both faces  */
    cardo_vec3 vertex_normals[3]; /* of a, b, c: weighted by angles                 */
} mesh_face;

typedef struct mesh_data {
    int nface, nnode;
    mesh_face *faces; /* in the order of the tree's leaves */
    mesh_node *nodes; /* [0] is the root                   */
} mesh_data;

enum { MESH_LEAF = 4, MESH_DEPTH = 64 };

/* The place of a face that is nearest to a point, and the pseudonormal there. */
cardo_vec3 cardo_mesh_on_face(const mesh_face *face, cardo_vec3 point, cardo_vec3 *pseudonormal);
/* The face nearest to a point, the nearest place on it less the point, and the pseudonormal there (Baerentzen & Aanaes 2005, IEEE Trans. Vis.
 * Comput. Graph. 11, 243: the point is inside where the two have an angle below 90 degrees). *hint: a face that may be near; becomes
 * the nearest. */
void cardo_mesh_nearest(const mesh_data *mesh, cardo_vec3 point, int *hint, cardo_vec3 *to,
                        cardo_vec3 *pseudonormal);
/* Distance of a point from the surface, less than 0 inside. */
double cardo_mesh_signed_distance(const mesh_data *mesh, cardo_vec3 point, int *hint);
/* Whether a point is inside, and where. */
bool cardo_mesh_inside(const mesh_data *mesh, cardo_vec3 point, int *hint, shape_depth *out);

#endif
