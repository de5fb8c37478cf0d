/* A model with a coarse-grained energy on its bodies, ready to be evaluated. */
#ifndef CARDO_TESTS_COARSE_SCENE_H
#define CARDO_TESTS_COARSE_SCENE_H

#include "dynamics/evaluation/evaluate.h"
#include "forces/coarse/coarse.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

typedef struct scene {
    cardo_model *model;
    cardo_system *system;
    cardo_state *state;
    cardo_coarse_energy *energy;
    cardo_force_provider *provider;
    cardo_evaluator *evaluator;
} scene;

/* A model file's text, written to the scratch folder, with structures from the reference folder. */
void scene_read(scene *s, const char *text);
/* 2LAO to 1LST by a screw. */
void scene_lao(scene *s);
/* 4AKE to 1AKE: the core, and the two lids each on a screw of its own. */
void scene_adenylate_kinase(scene *s);
/* The same with the mobile domain free, so that its two strands are linkers. */
void scene_lao_free(scene *s);
/* Two lone residues of chains A and B, r (nm) apart, on bodies of their own. */
void scene_pair(scene *s, const char *first, const char *second, double r);
/* Adds the energy of a file in forcefields/ with parameters (or NULL). */
void scene_energy(scene *s, const char *file, const char *parameters);
void scene_clear(scene *s);

/* Where the atoms are at coordinates q, nm (natom x 3); the energy there, with the generalized
 * forces (nu) or NULL. */
void scene_place(scene *s, const double *q);
double scene_evaluate(scene *s, const double *q, double *generalized);
/* The coordinates at the start with all paths at a value: q of cardo_system_nq numbers. */
void scene_path(const scene *s, double value, double *q);

/* Checks forces and torques on bodies against differences of the energy, at nplace random places
 * about the path with bodies pushed off it, to tolerance times the size of energy and forces. */
void scene_check_forces(scene *s, int nplace, double tolerance);
/* Checks that the energy stays when all bodies are turned and shifted together, and that it is
 * bitwise the same twice. */
void scene_check_invariance(scene *s);

#endif
