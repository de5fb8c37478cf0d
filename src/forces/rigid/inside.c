#include "forces/rigid/model.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* The exceptions of each atom. */
typedef struct partners {
    int *first, *atom; /* (natom + 1), (2 nexception) */
} partners;

static cardo_status list_partners(const cardo_terms *terms, partners *p, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(&p->first, terms->natom + 2, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&p->atom, 2 * (size_t)terms->nexception, error);
    if (status != CARDO_OK)
        return status;
    int *next = p->first + 1;
    for (int k = 0; k < terms->nexception; ++k) {
        ++next[terms->exception[k].a + 1];
        ++next[terms->exception[k].b + 1];
    }
    for (int i = 0; i < terms->natom; ++i)
        next[i + 1] += next[i];
    for (int k = 0; k < terms->nexception; ++k) {
        const cardo_exception_term *e = &terms->exception[k];
        p->atom[next[e->a]++] = e->b;
        p->atom[next[e->b]++] = e->a;
    }
    return CARDO_OK;
}

typedef struct inside_job {
    cardo_rigid_model *model;
    const partners *partners;
    double *energy; /* of each block's pairs (nblock) */
} inside_job;

static double pair_energy(const cardo_rigid_model *model, int i, int j)
{
    const cardo_rigid_view_double *v = &model->full_inside;
    const cardo_rigid_rules *rules = &model->rules;
    double x = v->x[i] - v->x[j], y = v->y[i] - v->y[j], z = v->z[i] - v->z[j];
    double r2 = x * x + y * y + z * z, sigma = v->half_sigma[i] + v->half_sigma[j];
    if (rules->cutoff > 0 && r2 > rules->cutoff * rules->cutoff)
        return 0;
    double s2 = sigma * sigma / r2, s6 = s2 * s2 * s2;
    double coulomb = 1 / sqrt(r2);
    if (rules->cutoff > 0)
        coulomb += rules->field_k * r2 - rules->field_c;
    return v->charge[i] * v->charge[j] * coulomb +
           v->root_epsilon[i] * v->root_epsilon[j] * s6 * (s6 - 1);
}

/* Lennard-Jones and Coulomb of a block's atoms with those after them in their body. */
static void block_pairs(void *arg, int block)
{
    const inside_job *job = arg;
    const cardo_rigid_layout *layout = job->model->layout;
    const int end = CARDO_BLOCK * layout->first_block[layout->body[block] + 1];
    double energy = 0;
    for (int i = CARDO_BLOCK * block; i < CARDO_BLOCK * block + layout->count[block]; ++i) {
        const int *first = job->partners->first + layout->atom[i];
        double sum = 0;
        for (int j = i + 1; j < end; ++j) {
            bool counts = j % CARDO_BLOCK < layout->count[j / CARDO_BLOCK] &&
                          layout->slot_body[j] == layout->slot_body[i];
            for (int k = first[0]; k < first[1] && counts; ++k)
                counts = job->partners->atom[k] != layout->atom[j];
            if (counts)
                sum += pair_energy(job->model, i, j);
        }
        energy += sum;
    }
    job->energy[block] = energy;
}

/* Descreening integral of an atom of the given offset radius by a sphere of scaled radius s at r
 * (Hawkins, Cramer & Truhlar 1996, eq. 9 and 10). */
static double descreening(double r, double radius, double s)
{
    if (radius >= r + s || s == 0)
        return 0;
    double l = 1 / fmax(radius, fabs(r - s)), u = 1 / (r + s);
    double I = l - u + 0.25 * (r - s * s / r) * (u * u - l * l) + 0.5 * log(u / l) / r;
    if (radius < s - r)
        I += 2 * (1 / radius - l);
    return 0.5 * I;
}

/* Of unit charges, where Born radii do not matter. */
static double plain_solvent(const cardo_rigid_rules *rules, double r)
{
    return rules->kappa > 0 ? (rules->gb_inner - rules->gb_outer * exp(-rules->kappa * r)) / r
                            : 1 / r;
}

/* The plain solvent energy of a block's atoms with those after them in their body. */
static void block_plain_solvent(void *arg, int block)
{
    const inside_job *job = arg;
    const cardo_rigid_view_double *v = &job->model->full_inside;
    const cardo_rigid_layout *layout = job->model->layout;
    const int end = CARDO_BLOCK * layout->first_block[layout->body[block] + 1];
    double energy = 0;
    for (int i = CARDO_BLOCK * block; i < CARDO_BLOCK * block + layout->count[block]; ++i) {
        double sum = 0;
        for (int j = i + 1; j < end; ++j) {
            double x = v->x[i] - v->x[j], y = v->y[i] - v->y[j], z = v->z[i] - v->z[j];
            double r2 = x * x + y * y + z * z;
            sum += r2 > 0 ? v->gb_charge[j] * plain_solvent(&job->model->rules, sqrt(r2)) : 0;
        }
        energy -= v->gb_charge[i] * sum;
    }
    job->energy[block] = energy;
}

static void block_descreening(void *arg, int block)
{
    const inside_job *job = arg;
    const cardo_rigid_view_double *v = &job->model->full_inside;
    const cardo_rigid_layout *layout = job->model->layout;
    const int body = layout->body[block], end = CARDO_BLOCK * layout->first_block[body + 1];
    const double cutoff = job->model->rules.gb_cutoff;
    for (int i = CARDO_BLOCK * block; i < CARDO_BLOCK * block + layout->count[block]; ++i) {
        double sum = 0;
        for (int j = CARDO_BLOCK * layout->first_block[body]; j < end; ++j) {
            double x = v->x[i] - v->x[j], y = v->y[i] - v->y[j], z = v->z[i] - v->z[j];
            double r = sqrt(x * x + y * y + z * z);
            if (j != i && v->scaled[j] != 0 && (cutoff == 0 || r <= cutoff))
                sum += descreening(r, v->offset_radius[i], v->scaled[j]);
        }
        job->model->solvent.inside[i] = sum;
    }
}

cardo_status cardo_rigid_inside(cardo_rigid_model *model, const cardo_terms *terms,
                                cardo_error *error)
{
    cardo_status status;
    partners p = {0};
    inside_job job = {.model = model, .partners = &p};
    const int nblock = model->layout->nblock;
    /* The solvent's pairs in blocks that bodies share are computed with all others. */
    const int own = model->layout->first_block[model->layout->nbody];
    CARDO_TRY(list_partners(terms, &p, error));
    CARDO_TRY(CARDO_ALLOCATE(&job.energy, nblock, error));
    if (model->has_pairs)
        cardo_pool_run(model->pool, nblock, block_pairs, &job);
    for (int block = 0; block < nblock; ++block)
        model->constant[CARDO_RIGID_NONBONDED] += job.energy[block];
    if (model->has_solvent)
        cardo_pool_run(model->pool, own, block_descreening, &job);
    if (model->plain)
        cardo_pool_run(model->pool, own, block_plain_solvent, &job);
    for (int block = 0; model->plain && block < own; ++block)
        model->constant[CARDO_RIGID_GB] += job.energy[block];
done:
    cardo_free(job.energy);
    cardo_free(p.first);
    cardo_free(p.atom);
    return status;
}
