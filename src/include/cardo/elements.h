/* Force elements: springs, dampers, bushings, callbacks: forces that need no molecule, part of a system and
 * evaluated whenever accelerations are realized.
 *
 * Elements of a system work in the order they were added; the force of each is added to the forces that the
 * caller set on the state. */
#ifndef CARDO_ELEMENTS_H
#define CARDO_ELEMENTS_H

#include <cardo/geometry.h>
#include <cardo/state.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_force_element cardo_force_element;

/* All kinds, NULL-terminated; by name ("mobility-spring"), or NULL. */
CARDO_API const cardo_force_element *const *cardo_force_element_list(void);
CARDO_API const cardo_force_element *cardo_force_element_find(const char *name);
/* Its name, and one line of help. */
CARDO_API const char *cardo_force_element_name(const cardo_force_element *element);
CARDO_API const char *cardo_force_element_doc(const cardo_force_element *element);

/* Adds an element before the system is finalized; parameters: the
 * struct of its kind below, copied. */
CARDO_API cardo_status cardo_system_add_force(cardo_system *system,
                                              const cardo_force_element *element,
                                              const void *parameters, int *index,
                                              cardo_error *error);
CARDO_API int cardo_system_nforce(const cardo_system *system);

/* Potential energy of each element (nforce; may be NULL) and of gravity and all elements together.
 * POSITION. */
CARDO_API cardo_status cardo_potential_energy(const cardo_system *system, const cardo_state *state,
                                              double *by_element, double *total,
                                              cardo_error *error);
/* Forces of all elements, overwritten: on bodies (nbody) and mobilities (nu). VELOCITY. */
CARDO_API cardo_status cardo_element_forces(const cardo_system *system, const cardo_state *state,
                                            cardo_spatial *body_forces, double *mobility_forces,
                                            cardo_error *error);

/* What an element sees, and where it adds what it does. */
typedef struct cardo_force_work {
    const cardo_system *system;
    const cardo_state *state;
    double time;
    const double *q, *u;
    const cardo_transform *X_GB; /* (nbody) */
    const cardo_spatial *V_GB;   /* (nbody); NULL when only the energy is wanted   */
    cardo_spatial *body_forces;  /* the element ADDS torques about body origins and forces, in
                                    ground;  NULL when only the energy is wanted  (nbody) */
    double *mobility_forces; /* the element ADDS generalized forces; NULL likewise      (nu)    */
    void *memory; /* what the state keeps for the element to work in; NULL: nothing        */
} cardo_force_work;

/* mobility-spring: -stiffness (q - neutral) on a coordinate whose rate is a speed (not on those of
 * a quaternion). coordinate: among the body's own q, from 0. */
typedef struct cardo_mobility_spring {
    int body, coordinate;
    double stiffness, neutral; /* kJ/mol/unit^2, unit of q */
} cardo_mobility_spring;

/* mobility-damper: -damping u on a body's speed number mobility. */
typedef struct cardo_mobility_damper {
    int body, mobility;
    double damping;
} cardo_mobility_damper;

/* mobility-constant: a generalized force on a body's speed number mobility. */
typedef struct cardo_mobility_constant {
    int body, mobility;
    double force;
} cardo_mobility_constant;

/* two-point-spring: -stiffness (distance - length) along the line between two points; bodies may be
 * ground. */
typedef struct cardo_two_point_spring {
    int body1, body2;
    cardo_vec3 point1, point2; /* in body frames, nm */
    double stiffness, length;  /* kJ/mol/nm^2, nm    */
} cardo_two_point_spring;

/* two-point-damper: -damping times the rate of their distance. */
typedef struct cardo_two_point_damper {
    int body1, body2;
    cardo_vec3 point1, point2;
    double damping; /* kJ ps/mol/nm^2 */
} cardo_two_point_damper;

/* two-point-constant: draws two points together by a constant force along the line between them; the energy is force times distance. */
typedef struct cardo_two_point_constant {
    int body1, body2;
    cardo_vec3 point1, point2;
    double force; /* kJ/mol/nm */
} cardo_two_point_constant;

/* body-constant: a force in ground axes at a point of a body, and a torque; neither turns with the
 * body. */
typedef struct cardo_body_constant {
    int body;
    cardo_vec3 point;         /* in the body frame, nm       */
    cardo_vec3 force, torque; /* kJ/mol/nm, kJ/mol           */
} cardo_body_constant;

/* linear-bushing: frame 2 (on body 2) is held near frame 1 (on body 1). Its six coordinates are the
 * body-fixed 1-2-3 angles and the position of frame 2 in frame 1; each gets -stiffness q - damping
 * qdot. Singular at a second angle of 90 degrees. */
typedef struct cardo_linear_bushing {
    int body1, body2;
    cardo_transform frame1, frame2; /* in body frames */
    double stiffness[6], damping[6];
} cardo_linear_bushing;

/* flat-bottom: a point of body 2 is free within a box or a sphere about the origin of frame 1, on body 1, and drawn
 * back by stiffness times its distance from it outside. */
typedef enum cardo_flat_bottom_shape {
    CARDO_FLAT_BOTTOM_BOX,   /* along frame 1's axes           */
    CARDO_FLAT_BOTTOM_SPHERE /* of radius extent[0]            */
} cardo_flat_bottom_shape;
typedef struct cardo_flat_bottom {
    int body1, body2;
    cardo_transform frame1; /* in the frame of body 1             */
    cardo_vec3 point2;      /* in the frame of body 2, nm         */
    cardo_flat_bottom_shape shape;
    double extent[3]; /* half edges of the box, or radius, nm */
    double stiffness; /* of the walls, kJ/mol/nm^2          */
} cardo_flat_bottom;

/* Volume per molecule at 1 mol/L, 1/(N_A 1 mol/L), nm^3. */
#define CARDO_STANDARD_VOLUME 1.66053906717

/* Volume (nm^3) that the point has at kT (kJ/mol): the integral of exp(-U/kT) over all places, in closed form. With w =
 * sqrt(pi kT / 2 k), of a box 8 (a + w)(b + w)(c + w); of a sphere 4 pi (r^3/3 + r^2 w + 2 r kT/k + w kT/k). */
CARDO_API double cardo_flat_bottom_volume(const cardo_flat_bottom *well, double kT);
/* Free energy (kJ/mol) of letting a molecule that nothing else acts on out of the well to the standard concentration of
 * 1 mol/L, at kT (kJ/mol): -kT ln(V0 / V). A free body turns as it likes in both, so that nothing is due for orientation
 * (Gilson, Given, Bush & McCammon 1997, Biophys. J. 72, 1047; Deng & Roux 2009, J. Phys. Chem. B 113, 2234). */
CARDO_API double cardo_flat_bottom_release(const cardo_flat_bottom *well, double kT);

/* callback: the user's own; returns the energy and adds forces as compute() does. Must not allocate
 * if the caller counts on that; may run in several threads at once, on different states. */
typedef struct cardo_force_callback_parameters {
    double (*compute)(void *user, const cardo_force_work *work);
    void *user;
} cardo_force_callback_parameters;

#ifdef __cplusplus
}
#endif

#endif
