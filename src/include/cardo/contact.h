/* Compliant contact: surfaces on bodies that press each other where they overlap, with dissipation and friction.
 *
 *   cardo_contact_surface            a shape of the table below on a body, its material, and which others it ignores
 *   cardo_system_add_force(system, cardo_force_element_find("contact"), &parameters, ...)
 *                                    all surfaces of a system in one element, a cardo_contact_parameters; they and what they point to are copied
 *   cardo_contact_visit              the contacts of a state: where, how deep, with what force and energy
 *   cardo_mesh_read                  the triangles of an STL or OBJ file
 *
 * Two surfaces may meet unless they are on one body or share a group other than 0. Smooth shapes press each other at one point by Hertz's law, boxes
 * at their corners, and what has a mesh by an elastic foundation on its faces. Which pairs may overlap is found in a time that grows as n log n for n
 * surfaces; nothing is allocated after the state was made, and sums are taken in an order that the positions alone decide.
 *
 * Equations: Sherman, Seth & Delp 2011, Procedia IUTAM 2, 241, section 5; Hunt & Crossley 1975, J. Appl. Mech. 42, 440. */
#ifndef CARDO_CONTACT_H
#define CARDO_CONTACT_H

#include <cardo/elements.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shapes ---- */

typedef struct cardo_contact_shape cardo_contact_shape;

/* All kinds, NULL-terminated; by name ("sphere"), or NULL. */
CARDO_API const cardo_contact_shape *const *cardo_contact_shape_list(void);
CARDO_API const cardo_contact_shape *cardo_contact_shape_find(const char *name);
/* Its name, and one line of help. */
CARDO_API const char *cardo_contact_shape_name(const cardo_contact_shape *shape);
CARDO_API const char *cardo_contact_shape_doc(const cardo_contact_shape *shape);

/* half-space: what is beyond x = 0 of its frame, x > 0; its outward normal is -x. No parameters. */

/* sphere: about the origin of its frame. */
typedef struct cardo_contact_sphere {
    double radius; /* nm, more than 0 */
} cardo_contact_sphere;

/* ellipsoid: about the origin, along the axes of its frame. */
typedef struct cardo_contact_ellipsoid {
    cardo_vec3 radii; /* nm, more than 0 */
} cardo_contact_ellipsoid;

/* box: about the origin, along the axes of its frame. It touches half spaces, spheres and boxes at corners that are rounded by a sphere of this
 * radius within it (and with its own stiffness), and meshes by its faces. Two boxes meet at the corners of each in the other: edges that cross
 * with no corner inside are not felt. */
typedef struct cardo_contact_box {
    cardo_vec3 half;  /* half edges, nm, more than 0                               */
    double rounding;  /* nm, more than 0 and at most the smallest half edge        */
    int edge_corners; /* 0: the eight corners; k: k more along each edge, 0 to 16  */
} cardo_contact_box;

/* mesh: a closed surface of triangles whose vertices run counter-clockwise as seen from outside: every edge has two faces, which run along it in
 * opposite directions. Copied. */
typedef struct cardo_contact_mesh {
    int nvertex, nface;
    const double *vertices; /* nm                                       (nvertex x 3) */
    const int *faces;       /* numbers of vertices, from 0              (nface x 3)   */
} cardo_contact_mesh;

/* Reads triangles of a file as text or bytes: STL (either form) or Wavefront OBJ, told apart by what is in it; polygons of OBJ become fans. Vertices of
 * STL that are the same numbers are one. Coordinates are multiplied by scale. mesh's arrays are the caller's: cardo_mesh_free.
 * CARDO_ERROR_FILE, or CARDO_ERROR_INPUT with the line or the triangle at fault. */
CARDO_API cardo_status cardo_mesh_read(const char *path, double scale, cardo_contact_mesh *mesh,
                                       cardo_error *error);
/* The same from bytes; name is what messages call them. */
CARDO_API cardo_status cardo_mesh_parse(const char *name, const void *bytes, size_t length,
                                        double scale, cardo_contact_mesh *mesh, cardo_error *error);
CARDO_API void cardo_mesh_free(cardo_contact_mesh *mesh);

/* ---- materials ---- */

/* Stiffness: of Hertz's law the plane-strain modulus E / (1 - nu^2), of an elastic foundation the modulus of the layer,
 * E (1 - nu) / ((1 + nu)(1 - 2 nu)); kJ/mol/nm^3 (a pressure). Dissipation c of Hunt and Crossley, ps/nm: at low speeds v a collision ends with the
 * speed (1 - c v) v. Friction: Stribeck's curve, static and dynamic coefficients, and a viscous one, ps/nm. */
typedef struct cardo_contact_material {
    double stiffness, dissipation;
    double static_friction, dynamic_friction, viscous_friction;
} cardo_contact_material;

/* What two materials come to in a contact: the shares of the deformation that each has (they add up to 1), stiffness, dissipation by these shares,
 * friction 2 a b / (a + b). */
typedef struct cardo_contact_pair_material {
    double share1, share2;
    double
        stiffness; /* Hertz: of F = 4/3 stiffness x sqrt(R stiffness x); foundation: pressure a depth */
    double dissipation;
    double static_friction, dynamic_friction, viscous_friction;
} cardo_contact_pair_material;
/* Hertz: k_i^(2/3) act one behind the other. Elastic foundation: k_i / thickness_i do; a thickness of 0 is the other's. */
CARDO_API cardo_contact_pair_material cardo_contact_combine_hertz(
    const cardo_contact_material *material1, const cardo_contact_material *material2);
CARDO_API cardo_contact_pair_material
cardo_contact_combine_foundation(const cardo_contact_material *material1, double thickness1,
                                 const cardo_contact_material *material2, double thickness2);

/* The coefficient of friction at a slip speed, s = speed / transition: uv speed + us step(s) for s < 1, falling from us to ud from there to s = 3, both by
 * the quintic step(x) = 10 x^3 - 15 x^4 + 6 x^5; ud beyond. */
CARDO_API double cardo_stribeck_friction(const cardo_contact_pair_material *material, double speed,
                                         double transition);

/* ---- Hertz's ellipse ---- */

/* F = 4/3 sigma E sqrt(R) x^1.5, R = 1 / (2 sqrt(A B)), for the gap A x^2 + B y^2 between undeformed surfaces. */
typedef struct cardo_hertz_ellipse {
    double ratio; /* of the axes of the ellipse of contact, a / b >= 1 */
    double sigma;
} cardo_hertz_ellipse;
/* By complete elliptic integrals, solved to rounding (Sherman et al. 2011, eq. 23, 28, 29): (k^2 E - K) / (K - E) = B / A, parameter 1 - 1/k^2. A, B: the
 * semi-curvatures, both more than 0, in either order; their ratio is taken as at most 1e12. */
CARDO_API cardo_hertz_ellipse cardo_hertz_ellipse_exact(double A, double B);
/* The same in closed form, to some five digits: k by Antoine, Visa, Sauvey & Abba 2006, J. Tribology 128, 660; K and E by Abramowitz & Stegun 17.3.34
 * and 17.3.36. */
CARDO_API cardo_hertz_ellipse cardo_hertz_ellipse_antoine(double A, double B);

/* ---- surfaces and the force element ---- */

typedef struct cardo_contact_surface {
    int body; /* 0: ground */
    cardo_transform X_BS;
    const cardo_contact_shape *shape;
    const void *parameters; /* of the shape, copied; NULL for a half space */
    cardo_contact_material material;
    double thickness; /* of the elastic layer, nm; 0 (not on meshes): that of the mesh it meets */
    int group;        /* surfaces of one group other than 0 ignore each other */
} cardo_contact_surface;

/* contact: all surfaces that may meet. A pair of kinds that has no law (box and ellipsoid; two half spaces on moving bodies) is an error unless a
 * group keeps it apart. */
typedef struct cardo_contact_parameters {
    int nsurface;
    const cardo_contact_surface *surfaces; /* (nsurface) */
    double transition_velocity; /* of friction, nm/ps, more than 0: stiction creeps below it */
    bool antoine;               /* Hertz's sigma by the closed form */
} cardo_contact_parameters;

/* A contact as it is; vectors in ground. Forces are those on surface 2: its number comes after, in the order half-space, sphere, ellipsoid, box, mesh,
 * that of surface 1. */
typedef struct cardo_contact_report {
    int surface1, surface2; /* numbers, as they were given                              */
    /* Of contact. Of a foundation Simbody's centre of pressure: places weighted by the moments of their normal forces about the middle of the faces
     * that have a corner in the other surface (any place in a sphere). */
    cardo_vec3 point;
    cardo_vec3 pressure_centre; /* of a foundation: places weighted by normal forces; else point */
    cardo_vec3 normal;          /* from 1 to 2; of a foundation along the resultant             */
    cardo_vec3 force, moment;   /* on surface 2, about the point                                */
    double depth;            /* of a foundation the largest                                      */
    double area;             /* of a foundation: of the faces that press                         */
    double effective_radius; /* Hertz: 1 / (2 sqrt(A B)); of a foundation 0                 */
    double potential_energy; /* 0 where surfaces part so fast that they do not press        */
    double power_dissipation;
    int nelement; /* of a foundation: the faces that press */
} cardo_contact_report;
typedef void (*cardo_contact_visitor)(void *user, const cardo_contact_report *contact);

/* Calls visit for each contact of force element `element`, which is to be a contact, in the order in which their forces are summed. VELOCITY. */
CARDO_API cardo_status cardo_contact_visit(const cardo_system *system, const cardo_state *state,
                                           int element, cardo_contact_visitor visit, void *user,
                                           cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
