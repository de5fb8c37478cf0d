/* What the files of the rigid provider share: its parts, and the order in which they work.
 *
 * An evaluation places all atoms, then runs three rounds of tasks: pairs between bodies with
 * descreening, solvent pairs with the radii that follow, forces through the radii. A round is cut
 * into tasks once and for all, each with sums of its own, which are added up in the order of tasks:
 * results do not depend on the number of threads. */
#ifndef CARDO_FORCES_RIGID_MODEL_H
#define CARDO_FORCES_RIGID_MODEL_H

#include "base/memory.h"
#include "base/pool.h"
#include "forces/rigid/bonded/bonded.h"
#include "forces/rigid/far.h"
#include "forces/rigid/kernels/born.h"
#include "forces/rigid/kernels/kernels.h"
#include "forces/rigid/layout/exclusions.h"
#include "forces/rigid/layout/layout.h"
#include "forces/rigid/rigid.h"
#include "forces/terms/terms.h"
#include "multibody/force.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* OpenMM's GBSAOBCForce takes this from every radius. nm */
#define CARDO_RIGID_RADIUS_OFFSET 0.009

/* Rows of one block against all blocks of another body; or, where body is the block's own, against
 * those of its own body from itself on. Shared blocks are those of a body nbody, and so are columns among them, which belong to
 * many bodies and get forces of their own; the block with itself gives every pair twice, on rows alone. */
typedef struct cardo_rigid_unit {
    int block, body;
} cardo_rigid_unit;

/* Where far fields have trees of shared blocks (far.h), such a tree against all else is a unit: its root for a block, and for a body this. */
enum { CARDO_RIGID_TREE = -1 };

/* Are rows and columns both in shared blocks? */
static inline bool cardo_rigid_is_shared_with_shared(const cardo_rigid_layout *layout,
                                                     cardo_rigid_unit unit)
{
    return cardo_rigid_is_shared(layout, unit.body) &&
           cardo_rigid_is_shared(layout, layout->body[unit.block]);
}

/* The units of a round, cut into tasks of about equal cost. */
typedef struct cardo_rigid_schedule {
    int nunit, ntask;
    cardo_rigid_unit *unit;
    int *first_unit; /* of a task (ntask + 1)                                              */
} cardo_rigid_schedule;

/* Sums and lists of one task. */
struct cardo_rigid_work {
    double energy;
    double pair_energy; /* Lennard-Jones and Coulomb done beside the solvent               */
    cardo_spatial *
        wrench; /* on bodies with blocks of their own, about the common origin (nbody, and one for what is summed for nothing) */
    double *sum; /* descreening or solvent sums                  (nslot)            */
    double *
        column_force; /* on slots of shared blocks, rows too, as a job has it; NULL: there are none */
    int *near, *far; /* blocks                                       (nblock each)      */
    int nnear, nfar;
    float *matters, *most_grown; /* as a job has them                 (nblock each)      */
    unsigned char *touched; /* does sum hold this block's?                 (nblock)            */
    unsigned char *clashed; /* within a tolerance: do a block's atoms lie in others? (nblock)  */
    unsigned char *pushed;  /* does column_force hold this block's?        (nblock)            */
    double force[3 * CARDO_BLOCK] __attribute__((aligned(64))); /* on the rows of a unit        */
};

enum { CARDO_RIGID_RADIUS_TERMS = 8 };

/* Numbers of the solvent, one a slot. */
typedef struct cardo_rigid_solvent {
    double tension;  /* energy of surface, kJ/mol/nm^2                                   */
    double *inside;  /* descreening integral by the own body, 1/nm                       */
    double *slope;   /* dB/dI                                                            */
    double *energy;  /* surface term of each block                            (nblock)   */
    double *largest; /* Born radius of each block, nm                         (nblock)   */
    bool *clashed;   /* as works have it                                      (nblock)   */
    /* inside_by_radius.c, of blocks that are a body's own; NULL: pairs inside bodies are summed one by one */
    float *by_radius; /* coefficients of an atom          (slots x CARDO_RIGID_RADIUS_TERMS)   */
    float *changed, *middle, *most_grown; /* of blocks                              (nblock)   */
    float *changed_in, *middle_in;        /* of groups of blocks                               */
    float *reach;                         /* of their distances                                */
    double least_together; /* what both radii do is summed where it may be more, kJ/mol        */
} cardo_rigid_solvent;

struct cardo_rigid_model {
    cardo_rigid_layout *layout;
    const cardo_rigid_kernels *kernels;
    cardo_rigid_rules rules;
    cardo_pool *pool;
    bool has_pairs, has_solvent;
    bool single; /* far pairs, and the solvent inside bodies, in float                       */
    bool loose;  /* a tolerance leaves room for near pairs in float, too                     */
    bool plain;  /* no cutoffs: far pairs and solvent are done together, the latter plain
                  beyond rules.plain_beyond                                               */
    double near_pairs, near_descreening;       /* distances of blocks that are near, nm       */
    cardo_rigid_view_double full, full_inside; /* atoms in the common frame; in their body's      */
    cardo_rigid_view_float part, part_inside;
    cardo_pages memory_double,
        memory_float; /* not touched where numbers are 0, as rests of places in double are */
    cardo_rigid_sphere *sphere, *group_sphere,
        *body_sphere; /* in the common frame, the shared blocks' last */
    cardo_rigid_exclusions *exclusions;
    cardo_rigid_bonded *bonded;
    cardo_rigid_solvent solvent;
    cardo_rigid_table excess, bent; /* of the solvent, in single precision within a tolerance    */
    cardo_rigid_schedule between, all; /* pairs between bodies; those and pairs inside            */
    int nowner, *owner; /* bodies with blocks of their own                           (nbody)  */
    int nwork;
    cardo_rigid_work *work;
    cardo_pages sums, lists, growths, marks,
        column_forces;            /* of all work: few of them are as long as they may become */
    cardo_spatial *bonded_wrench; /* (nbody) */
    double term[CARDO_RIGID_TERMS], constant[CARDO_RIGID_TERMS];
    double *
        atom_force; /* x, y, z of all slots (3 x nslot), of rows alone, so that every pair comes both ways round; NULL: not wanted now */
    cardo_far *far; /* between bodies with blocks of their own; NULL: all pairs           */
};

/* check.c: CARDO_ERROR_INPUT, with the atom or term, where a number is not finite or impossible. */
cardo_status cardo_rigid_check(const cardo_terms *terms, const double *stations,
                               const cardo_rigid_options *options, cardo_error *error);

/* build.c: all but the numbers of a pose, in zeroed memory; cardo_rigid_model_clear frees what is there,
 * also after a failure. */
cardo_status cardo_rigid_model_create(cardo_rigid_model *model, const cardo_terms *terms, int nbody,
                                      const int *body_of_atom, const double *stations,
                                      const cardo_rigid_options *options, cardo_error *error);
void cardo_rigid_model_clear(cardo_rigid_model *model);

/* evaluate.c: energies to model->term and forces on bodies to total (nbody), about the common origin, at
 * the places where the atoms stand. cardo_rigid_evaluate_atoms adds forces by slot too (3 x nslot, zeroed;
 * kJ/mol/nm) and leaves the tasks' sums useless. */
void cardo_rigid_evaluate(cardo_rigid_model *model, cardo_spatial *total);
void cardo_rigid_evaluate_atoms(cardo_rigid_model *model, cardo_spatial *total, double *by_slot);
/* The same for pairs and solvent of the atoms in wanted blocks (nblock) alone. */
void cardo_rigid_evaluate_blocks(cardo_rigid_model *model, cardo_spatial *total, const bool *wanted,
                                 double *by_slot);

/* A number in single precision, and what that leaves of it. */
static inline void cardo_rigid_split(double number, float *rounded, float *rest)
{
    *rounded = (float)number;
    *rest = (float)(number - (double)*rounded);
}

static inline void cardo_rigid_place_slot(cardo_rigid_model *model, int slot, cardo_vec3 p)
{
    model->full.x[slot] = p.x;
    model->full.y[slot] = p.y;
    model->full.z[slot] = p.z;
    cardo_rigid_split(p.x, &model->part.x[slot], &model->part.x_rest[slot]);
    cardo_rigid_split(p.y, &model->part.y[slot], &model->part.y_rest[slot]);
    cardo_rigid_split(p.z, &model->part.z[slot], &model->part.z_rest[slot]);
}

/* placing.c: memory and parameters of the views; atoms and spheres at poses X_GB, in ground axes
 * about origin. */
cardo_status cardo_rigid_views_create(cardo_rigid_model *model, const cardo_terms *terms,
                                      cardo_error *error);
void cardo_rigid_place(cardo_rigid_model *model, const cardo_transform *X_GB, cardo_vec3 origin);
/* Places all bodies in their own frames, one upon the other, for what is done once inside each. */
cardo_status cardo_rigid_place_still(cardo_rigid_model *model, cardo_error *error);

/* pair_schedule.c: cuts the work into tasks and makes room for their sums; sorts the blocks of a unit's
 * body into near, far and those beyond the cutoff (0: none), which are dropped; blocks that share
 * exclusions with the unit's are left out when `exclude`. */
cardo_status cardo_rigid_schedule_create(cardo_rigid_model *model, cardo_error *error);
void cardo_rigid_schedule_clear(cardo_rigid_schedule *round);
void cardo_rigid_sort_columns(const cardo_rigid_model *model, cardo_rigid_unit unit, double near,
                              double cutoff, bool exclude, cardo_rigid_work *work);
/* A job's rows against the columns that were sorted: near ones in double precision, far ones in the model's. */
typedef void cardo_rigid_pass_double(const cardo_rigid_view_double *, const cardo_rigid_rules *,
                                     cardo_rigid_job *);
typedef void cardo_rigid_pass_float(const cardo_rigid_view_float *, const cardo_rigid_rules *,
                                    cardo_rigid_job *);
void cardo_rigid_by_distance(const cardo_rigid_model *model, cardo_rigid_work *work,
                             cardo_rigid_pass_double *near, cardo_rigid_pass_double *far,
                             cardo_rigid_pass_float *far_single, cardo_rigid_job *job);
/* The same in single precision alone, as a tolerance leaves room for. */
void cardo_rigid_in_single(const cardo_rigid_model *model, cardo_rigid_work *work,
                           cardo_rigid_pass_float *near, cardo_rigid_pass_float *far,
                           cardo_rigid_job *job);
/* Makes sure that a task's sums hold a block's: emptied, where nothing has been added to them. */
static inline void cardo_rigid_touch(cardo_rigid_work *work, int block)
{
    if (!work->touched[block])
        memset(work->sum + CARDO_BLOCK * block, 0, sizeof *work->sum * CARDO_BLOCK);
    work->touched[block] = 1;
}
static inline void cardo_rigid_touch_all(cardo_rigid_work *work, const int *blocks, int n)
{
    for (int k = 0; k < n; ++k)
        cardo_rigid_touch(work, blocks[k]);
}

/* The same of forces on shared blocks. */
void cardo_rigid_push_columns(const cardo_rigid_model *model, cardo_rigid_work *work,
                              const int *blocks, int n);

/* A unit's rows, and what its columns get: of the block with itself nothing, as all that it has are rows. */
cardo_rigid_job cardo_rigid_job_of(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                   cardo_rigid_work *work);
cardo_rigid_job cardo_rigid_self_job(const cardo_rigid_model *model, const cardo_rigid_unit *unit,
                                     cardo_rigid_work *work);
/* Empties a task's sums; adds the forces on a unit's rows to both bodies' wrenches, or to shared blocks' slots; and those on shared slots, which a round has
 * found, to total. */
void cardo_rigid_work_clear(const cardo_rigid_model *model, const cardo_rigid_schedule *round,
                            int task);
void cardo_rigid_add_wrench(const cardo_rigid_model *model, cardo_rigid_unit unit,
                            cardo_rigid_work *work);
/* Adds forces on a shared block's atoms (3 x CARDO_BLOCK) to its slots. */
void cardo_rigid_push_block(const cardo_rigid_model *model, cardo_rigid_work *work, int block,
                            const double *force);
void cardo_rigid_add_columns(const cardo_rigid_model *model, const cardo_rigid_schedule *round,
                             cardo_spatial *total);
/* The sum at a slot over all tasks of a round, in their order. */
void cardo_rigid_sum_slots(const cardo_rigid_model *model, const cardo_rigid_schedule *round,
                           int block, double sums[CARDO_BLOCK]);

/* pairs.c: Lennard-Jones and Coulomb of a unit; those of far blocks too unless the solvent's round
 * does them. */
void cardo_rigid_unit_pairs(const cardo_rigid_model *model, cardo_rigid_unit unit,
                            cardo_rigid_work *work);

/* Those of blocks alone that share exclusions. */
void cardo_rigid_unit_masked_pairs(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                   cardo_rigid_work *work);

/* An atom's intrinsic radius, nm. */
static inline double cardo_rigid_radius(const cardo_rigid_model *model, int slot)
{
    return model->full.offset_radius[slot] + CARDO_RIGID_RADIUS_OFFSET;
}

/* The Born radius that a descreening integral leads to (nm), and its derivative; the largest that any leads to. */
static inline double cardo_rigid_born_radius(const cardo_rigid_model *model, int slot,
                                             double integral, double *slope)
{
    return cardo_born_radius(model->full.offset_radius[slot], cardo_rigid_radius(model, slot),
                             integral, slope);
}

static inline double cardo_rigid_largest_radius(const cardo_rigid_model *model, int slot)
{
    return cardo_born_largest(model->full.offset_radius[slot], cardo_rigid_radius(model, slot));
}

/* Sets what kernels read of it. */
static inline void cardo_rigid_set_born(cardo_rigid_model *model, int slot, double born)
{
    model->full.born[slot] = born;
    model->full.half_inverse_born[slot] = 0.5 / born;
    model->part.born[slot] = (float)born;
    model->part.half_inverse_born[slot] = (float)(0.5 / born);
    model->part.root_inverse_born[slot] = sqrtf((float)(0.5 / born));
}

/* solvent.c */
cardo_status cardo_rigid_solvent_create(cardo_rigid_model *model, const cardo_terms *terms,
                                        cardo_error *error);
/* Does a table give what solvent pairs have beyond plain ones, within a tolerance? Then it is made for rules.plain_beyond. */
bool cardo_rigid_is_tabled(const cardo_rigid_model *model);
void cardo_rigid_use_table(cardo_rigid_model *model);
void cardo_rigid_unit_descreen(const cardo_rigid_model *model, cardo_rigid_unit unit,
                               cardo_rigid_work *work);
void cardo_rigid_unit_solvent(const cardo_rigid_model *model, cardo_rigid_unit unit,
                              cardo_rigid_work *work);
void cardo_rigid_unit_chain(const cardo_rigid_model *model, cardo_rigid_unit unit,
                            cardo_rigid_work *work);
/* The same of columns that work->near and work->far hold, and of a shared block with itself; solvent pairs of blocks alone that share exclusions. */
void cardo_rigid_descreen_sorted(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                 cardo_rigid_work *work);
void cardo_rigid_chain_sorted(const cardo_rigid_model *model, cardo_rigid_unit unit,
                              cardo_rigid_work *work);
void cardo_rigid_unit_solvent_of_excluded(const cardo_rigid_model *model, cardo_rigid_unit unit,
                                          cardo_rigid_work *work);
/* Radii of a block's atoms from the sums of the round `between`; derivatives by the descreening
 * integrals from those of the round `all`. */
void cardo_rigid_block_radii(cardo_rigid_model *model, int block);
void cardo_rigid_block_chain(cardo_rigid_model *model, int block);

/* inside_by_radius.c: solvent pairs inside bodies by one radius at a time, where a tolerance leaves room for that, without salt. */
static inline bool cardo_rigid_is_by_radius(const cardo_rigid_model *model)
{
    return model->loose && model->plain && model->rules.kappa == 0;
}
/* Is it set up, and the block a body's own? */
static inline bool cardo_rigid_block_is_by_radius(const cardo_rigid_model *model, int block)
{
    return model->solvent.by_radius &&
           !cardo_rigid_is_shared(model->layout, model->layout->body[block]);
}
/* Sets it up, after cardo_rigid_inside, where bodies stand as cardo_rigid_place_still has them; for errors of so much a pair of nodes, kJ/mol/nm. */
cardo_status cardo_rigid_by_radius_create(cardo_rigid_model *model, cardo_error *error);
void cardo_rigid_by_radius_aim(cardo_rigid_model *model, double allowed);
/* What a block's atoms do together with others, once they have radii; the same of groups of blocks, after all blocks; the blocks of its body after it with which that may matter, to work->far: how many. */
void cardo_rigid_by_radius_weigh(cardo_rigid_model *model, int block);
void cardo_rigid_by_radius_gather(cardo_rigid_model *model);
int cardo_rigid_by_radius_columns(const cardo_rigid_model *model, int block,
                                  cardo_rigid_work *work);
/* Adds what single radii do to a block's sums of the round `all`, and returns their energy. */
double cardo_rigid_by_radius_add(const cardo_rigid_model *model, int block,
                                 double sums[CARDO_BLOCK]);
/* Does what a block's atoms do together with each other matter? matters: as of a column. */
bool cardo_rigid_by_radius_own(const cardo_rigid_model *model, int block, float *matters);
/* What is left out of an atom's dE/dI as far as is known, kJ/mol nm. */
double cardo_rigid_by_radius_left_out(const cardo_rigid_model *model, int slot);

/* inside.c: energies of pairs inside bodies (of the solvent, the plain -q q/r where the rest is left to
 * excess_inside), and descreening by the own body. */
cardo_status cardo_rigid_inside(cardo_rigid_model *model, const cardo_terms *terms,
                                cardo_error *error);

#endif
