#include "study/reference/poses.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { RIGID_MOTIONS = 6, FEWEST = 3 };

typedef struct held_domain {
    int natom;
    int *atom;                  /* (natom) */
    double *row[RIGID_MOTIONS]; /* orthonormal (natom x 3 each); zero where a motion is none */
} held_domain;

struct cardo_held_poses {
    int ndomain;
    held_domain *domain;
};

void cardo_held_poses_destroy(cardo_held_poses *poses)
{
    if (!poses)
        return;
    for (int d = 0; d < poses->ndomain; ++d) {
        cardo_free(poses->domain[d].atom);
        for (int k = 0; k < RIGID_MOTIONS; ++k)
            cardo_free(poses->domain[d].row[k]);
    }
    cardo_free(poses->domain);
    cardo_free(poses);
}

int cardo_held_poses_count(const cardo_held_poses *poses)
{
    return poses->ndomain;
}

/* Atoms of a body, C-alphas alone or all; returns how many. atom: NULL, they are counted. */
static int collect(const cardo_model *model, int body, bool all, int *atom)
{
    const cardo_structure *s = model->structure[0].structure;
    int n = 0;
    for (int i = 0; i < s->natom; ++i) {
        if (model->atom_body[i] != body || !(all || strcmp(s->atom_name[i].text, "CA") == 0))
            continue;
        if (atom)
            atom[n] = i;
        ++n;
    }
    return n;
}

static cardo_status add_domain(const cardo_model *model, int body, cardo_held_poses *poses,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const bool all = collect(model, body, false, NULL) < FEWEST;
    held_domain *domain = &poses->domain[poses->ndomain];
    domain->natom = collect(model, body, all, NULL);
    if (domain->natom == 0)
        return CARDO_OK;
    ++poses->ndomain;
    CARDO_TRY(CARDO_ALLOCATE(&domain->atom, domain->natom, error));
    for (int k = 0; k < RIGID_MOTIONS; ++k)
        CARDO_TRY(CARDO_ALLOCATE(&domain->row[k], 3 * (size_t)domain->natom, error));
    collect(model, body, all, domain->atom);
done:
    return status;
}

cardo_status cardo_held_poses_create(const cardo_model *model, cardo_held_poses **out,
                                     cardo_error *error)
{
    cardo_status status;
    cardo_held_poses *poses = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&poses, 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&poses->domain, model->nbody, error));
    for (int b = 0; b < model->nbody; ++b)
        if (!model->body[b].piece)
            CARDO_TRY(add_domain(model, b, poses, error));
    *out = poses;
    poses = NULL;
done:
    cardo_held_poses_destroy(poses);
    return status;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

static cardo_vec3 at(const double *positions, int atom)
{
    const double *p = positions + 3 * (size_t)atom;
    return (cardo_vec3){p[0], p[1], p[2]};
}

static void make_rows(held_domain *domain, const double *positions)
{
    cardo_vec3 centre = {0, 0, 0};
    for (int i = 0; i < domain->natom; ++i)
        centre = v3_add(centre, v3_scale(1.0 / domain->natom, at(positions, domain->atom[i])));
    for (int i = 0; i < domain->natom; ++i) {
        const cardo_vec3 r = v3_sub(at(positions, domain->atom[i]), centre);
        const double turn[3][3] = {{0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}};
        for (int k = 0; k < 3; ++k)
            for (int axis = 0; axis < 3; ++axis) {
                domain->row[k][3 * i + axis] = k == axis;
                domain->row[3 + k][3 * i + axis] = turn[k][axis];
            }
    }
}

/* Gram and Schmidt's, twice, which is enough (Giraud et al. 2005). A motion that the others contain, as about the line on which all atoms
 * lie, goes. */
static void make_orthonormal(held_domain *domain)
{
    const double least = 1e-8;
    const int n = 3 * domain->natom;
    for (int k = 0; k < RIGID_MOTIONS; ++k) {
        double *row = domain->row[k];
        const double before = sqrt(dot(n, row, row));
        for (int j = 0; j < 2 * k; ++j) {
            const double *other = domain->row[j % k];
            const double part = dot(n, row, other);
            for (int i = 0; i < n; ++i)
                row[i] -= part * other[i];
        }
        const double left = sqrt(dot(n, row, row));
        const double scale = left > least * before ? 1.0 / left : 0;
        for (int i = 0; i < n; ++i)
            row[i] *= scale;
    }
}

void cardo_held_poses_place(cardo_held_poses *poses, const double *positions)
{
    for (int d = 0; d < poses->ndomain; ++d) {
        make_rows(&poses->domain[d], positions);
        make_orthonormal(&poses->domain[d]);
    }
}

static void project_motion(const held_domain *domain, const double *row, double *vectors)
{
    double part = 0;
    for (int i = 0; i < domain->natom; ++i)
        part += dot(3, row + 3 * (size_t)i, vectors + 3 * (size_t)domain->atom[i]);
    for (int i = 0; i < domain->natom; ++i)
        for (size_t axis = 0; axis < 3; ++axis)
            vectors[3 * (size_t)domain->atom[i] + axis] -= part * row[3 * (size_t)i + axis];
}

void cardo_held_poses_project(const cardo_held_poses *poses, double *vectors)
{
    for (int d = 0; d < poses->ndomain; ++d)
        for (int k = 0; k < RIGID_MOTIONS; ++k)
            project_motion(&poses->domain[d], poses->domain[d].row[k], vectors);
}
