/* Two surfaces that may touch, and what their contact adds up to. */
#ifndef CARDO_MULTIBODY_CONTACT_PAIR_H
#define CARDO_MULTIBODY_CONTACT_PAIR_H

#include "multibody/contact/shape.h"

/* A surface as the element keeps it. */
typedef struct contact_surface {
    int body, number, rank; /* number: as it was given; rank: of its shape in the table */
    int group;
    const cardo_contact_shape *shape;
    void *data;
    cardo_transform X_BS;
    cardo_vec3 centre, half; /* of the box that holds it, in its frame */
    cardo_contact_material material;
    double thickness;
} contact_surface;

/* Shapes in the order of the table. */
typedef struct contact_pair {
    const contact_surface *s1, *s2;
    cardo_transform X1, X2; /* of the surfaces in ground */
    const cardo_force_work *work;
    double transition;
    bool antoine;
    cardo_contact_visitor visit; /* NULL: nobody asks */
    void *user;
} contact_pair;

/* What one spring of a contact does. */
typedef struct contact_press {
    cardo_vec3 force; /* on surface 2             */
    double normal;    /* its normal part; 0: none */
    double dissipation;
} contact_press;

/* Adds forces on both bodies at a point of ground where surfaces overlap by a depth, n from 1 to 2, with an elastic force of F: F (1 + a c d(depth)/dt),
 * a = 3/2 by Hunt and Crossley for Hertz's law and 1 for a foundation, and friction along the slip. Nothing where that is not above 0. Only with velocities. */
contact_press cardo_contact_press(const contact_pair *pair,
                                  const cardo_contact_pair_material *material, double a,
                                  cardo_vec3 point, cardo_vec3 n, double elastic);
/* Hertz's law at a place: the middle of the undeformed overlap, n from 1 to 2, depth and 1 / (2 sqrt(A B)), with sigma beside it. Adds forces, tells the visitor, and returns
 * the energy. */
double cardo_contact_hertz_at(const contact_pair *pair, const cardo_contact_pair_material *material,
                              cardo_vec3 middle, cardo_vec3 n, double depth, double radius,
                              double sigma);

/* A law of contact: a const descriptor in a file of its own here and a line in the list below. The first that accepts a pair of shapes, in the table's order,
 * has it. */
typedef struct contact_law {
    const char *name;
    bool (*accepts)(const cardo_contact_shape *first, const cardo_contact_shape *second);
    /* Adds forces on the bodies where velocities are there, tells the visitor, and returns the elastic energy. */
    double (*compute)(const contact_pair *pair);
} contact_law;

#define CARDO_CONTACT_LAWS(X)            X(hertz) X(corners) X(elastic_foundation)
#define CARDO_CONTACT_LAWS_DECLARE(name) extern const contact_law cardo_contact_law_##name;
CARDO_CONTACT_LAWS(CARDO_CONTACT_LAWS_DECLARE)
#undef CARDO_CONTACT_LAWS_DECLARE

#endif
