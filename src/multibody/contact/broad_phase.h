/* Which of many boxes along ground's axes overlap: a tree of boxes, halved at medians, made anew for each configuration; time as n log n and what
 * overlaps. */
#ifndef CARDO_MULTIBODY_CONTACT_BROAD_PHASE_H
#define CARDO_MULTIBODY_CONTACT_BROAD_PHASE_H

#include "base/vec.h"

#include <stddef.h>

typedef struct broad_box {
    cardo_vec3 low, high;
} broad_box;

typedef struct broad_node {
    broad_box box;
    int child; /* the first of two that follow each other; -1: a leaf */
    int first, count;
} broad_node;

/* Working memory for n boxes, the caller's. */
typedef struct broad_phase {
    int n;
    broad_box *boxes;  /* to be set                     (n)     */
    int *order;        /*                               (n)     */
    double *keys;      /*                               (n)     */
    broad_node *nodes; /* room for cardo_broad_phase_nodes(n)   */
} broad_phase;

int cardo_broad_phase_nodes(int n);
/* Calls meet for each pair of boxes that overlap or touch, once each, in an order that the boxes alone decide. */
void cardo_broad_phase_run(broad_phase *phase, void (*meet)(void *user, int a, int b), void *user);

#endif
