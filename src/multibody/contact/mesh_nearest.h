/* Closed triangle meshes: a tree of boxes over the faces, and the nearest place of the surface. */
#ifndef CARDO_MULTIBODY_CONTACT_MESH_NEAREST_H
#define CARDO_MULTIBODY_CONTACT_MESH_NEAREST_H

#include "multibody/contact/shape.h"

/* Of the tree: a box, and the two nodes or the faces in it. */
typedef struct mesh_node {
    cardo_vec3 low, high;
    double corners,
        centroids;    /* no corner and no centroid of its faces is farther from the box's middle */
    int child;        /* the first of two nodes that follow each other; -1: a leaf  */
    int first, count; /* its faces, as they are ordered                              */
} mesh_node;

/* Where on a face the nearest place of a point is: at a, b, c, on ab, bc, ca, or within. */
enum { MESH_VERTEX, MESH_EDGE = 3, MESH_WITHIN = 6, MESH_REGIONS };

typedef struct mesh_face {
    cardo_vec3 a, b, c;
    cardo_vec3 centroid;
    double area;
    /* by region: of a vertex weighted by the angles of its faces, of an edge the sum of those of both, and the face's own, which is of
     * length one */
    cardo_vec3 normals[MESH_REGIONS];
} mesh_face;

typedef struct mesh_data {
    int nface, nnode;
    mesh_face *faces; /* in the order of the tree's leaves */
    mesh_node *nodes; /* [0] is the root                   */
} mesh_data;

enum { MESH_LEAF = 8, MESH_DEPTH = 64 };

/* The place of a face that is nearest to a point. */
cardo_vec3 cardo_mesh_on_face(const mesh_face *face, cardo_vec3 point);
/* Distance of a point from the surface, less than 0 inside: where the way to the nearest place has an angle below 90 degrees with the pseudonormal there (Baerentzen & Aanaes
 * 2005, IEEE Trans. Vis. Comput. Graph. 11, 243). *hint: a face that may be near; becomes the nearest. */
double cardo_mesh_signed_distance(const mesh_data *mesh, cardo_vec3 point, int *hint);
/* Where a ball is: all of it outside or inside, or the surface comes as near to its middle as its radius, or nearer. */
typedef enum mesh_side { MESH_OUTSIDE, MESH_ACROSS, MESH_INSIDE } mesh_side;
/* *hint as above, but where the surface is near it becomes a face that is near enough. */
mesh_side cardo_mesh_side(const mesh_data *mesh, cardo_vec3 point, double radius, int *hint);
/* Whether a point is inside, and where. */
bool cardo_mesh_inside(const mesh_data *mesh, cardo_vec3 point, int *hint, shape_depth *out);

#endif
