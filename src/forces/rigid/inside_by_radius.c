/* Solvent pairs inside bodies, whose distances never change, as functions of Born radii.
 *
 * Other bodies change the radii of most atoms of a large body by a few thousandths, and of two atoms both by much only where it is touched. With f_ij(B, C)
 * the energy of two atoms whose radii are B and C, and B0 and C0 those where no other body is,
 *
 *     f(B, C) = f(B0, C0) + [f(B, C0) - f(B0, C0)] + [f(B0, C) - f(B0, C0)] + what both do together.
 *
 * The first is a constant. The second and third, summed over all partners of an atom, are one function of its radius: a polynomial in
 * z = 1 - sqrt(B0/B), set up once. What is left falls off as the product of both changes, and is summed by blocks (kernels/inside.inc) where that may
 * matter. An atom's own energy is that of a pair of it with itself, half of which counts. */
#include "forces/rigid/kernels/interpolation.h"
#include "forces/rigid/model.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { TERMS = CARDO_RIGID_RADIUS_TERMS };

/* Set up to such a D: of radii as they are alone, of much larger ones, which are rare, and of the constant. */
static const double beyond = 11, least_beyond = 6, beyond_alone = 14;
/* z over which polynomials are fitted, at least. */
static const double least_range = 0.1;

/* How far what two radii do together reaches: with u = r^2/(B C) and g = exp(-u/4), the size of the second derivative of f by both radii's logarithms
 * times the root of B C. */
enum { REACH_STEPS = 4, LAST_REACH = 96 };
/* Atoms of two blocks are nearer than the middles of their spheres by up to this, and the nearest do most. nm */
static const double nearer = 1.2;
/* What two blocks, or a row and a block, do together is summed from so many kJ/mol on where a pair of nodes may be off by so much (kJ/mol/nm), and else as
 * its root, as errors of forces were found to go. */
static const double usual_together = 1.5e-3, usual_allowed = 1e-4;
/* Neighbours' errors do not cancel as others do. */
static const double weight_of_own = 4;
/* Without far fields it is not known how large forces are. */
static const double allowed_without = 4e-6;

void cardo_rigid_by_radius_aim(cardo_rigid_model *model, double allowed)
{
    model->solvent.least_together = usual_together * sqrt(allowed / usual_allowed);
}

static int group_of(const cardo_rigid_layout *layout, int block)
{
    const int body = layout->body[block];
    return layout->first_group[body] + (block - layout->first_block[body]) / CARDO_BLOCK_GROUP;
}

/* The blocks of a group, and the one after its last. */
static int first_of_group(const cardo_rigid_layout *layout, int body, int group)
{
    return layout->first_block[body] + CARDO_BLOCK_GROUP * (group - layout->first_group[body]);
}

static int end_of_group(const cardo_rigid_layout *layout, int body, int group)
{
    const int end = first_of_group(layout, body, group) + CARDO_BLOCK_GROUP;
    return end < layout->first_block[body + 1] ? end : layout->first_block[body + 1];
}

/* What a setup shares. */
typedef struct setup {
    cardo_rigid_model *model;
    double *largest, *largest_in; /* Born radius of a block alone, and in a group of blocks */
    double *energy;               /* constants of bodies                 (nbody)  */
    int *columns;                 /*                                     (nblock) */
} setup;

/* Blocks of a block's body from `from` on, not itself, that may matter where its largest radius is so large. */
static int near_columns(const setup *s, int block, int from, double largest, double D)
{
    const cardo_rigid_layout *layout = s->model->layout;
    const cardo_rigid_sphere *sphere = &layout->block_sphere[block];
    const int body = layout->body[block];
    int *columns = s->columns + layout->first_block[body], n = 0;
    for (int group = layout->first_group[body]; group < layout->first_group[body + 1]; ++group) {
        const int start = first_of_group(layout, body, group);
        const int end = end_of_group(layout, body, group);
        const double apart = fmax(0, cardo_rigid_gap(sphere, &layout->group_sphere[group]));
        if (apart * apart > 4 * D * largest * s->largest_in[group])
            continue;
        for (int k = start > from ? start : from; k < end; ++k) {
            const double gap = fmax(0, cardo_rigid_gap(sphere, &layout->block_sphere[k]));
            if (k != block && gap * gap <= 4 * D * largest * s->largest[k])
                columns[n++] = k;
        }
    }
    return n;
}

/* A block twice: as rows whose radii change, and as columns whose radii are those alone. */
typedef struct twice {
    double x[2 * CARDO_BLOCK], y[2 * CARDO_BLOCK], z[2 * CARDO_BLOCK], charge[2 * CARDO_BLOCK];
    double born[2 * CARDO_BLOCK], half_inverse_born[2 * CARDO_BLOCK], rest[2 * CARDO_BLOCK];
} twice;

static void copy_twice(const double *from, double to[2 * CARDO_BLOCK])
{
    memcpy(to, from, sizeof *to * CARDO_BLOCK);
    memcpy(to + CARDO_BLOCK, from, sizeof *to * CARDO_BLOCK);
}

static void take_twice(const cardo_rigid_model *model, int block, twice *to)
{
    const cardo_rigid_view_double *from = &model->full;
    const int first = CARDO_BLOCK * block;
    copy_twice(from->x + first, to->x);
    copy_twice(from->y + first, to->y);
    copy_twice(from->z + first, to->z);
    copy_twice(from->gb_charge + first, to->charge);
    copy_twice(from->born + first, to->born);
    copy_twice(from->half_inverse_born + first, to->half_inverse_born);
    memset(to->rest, 0, sizeof to->rest);
}

/* Adds what the block itself does to sums over its atoms' partners. */
static void add_own(const setup *s, int count, const cardo_rigid_rules *rules, twice *of,
                    double sums[CARDO_BLOCK])
{
    static const int columns[] = {1};
    const cardo_rigid_view_double view = {.x = of->x,
                                          .y = of->y,
                                          .z = of->z,
                                          .x_rest = of->rest,
                                          .y_rest = of->rest,
                                          .z_rest = of->rest,
                                          .gb_charge = of->charge,
                                          .born = of->born,
                                          .half_inverse_born = of->half_inverse_born};
    cardo_rigid_job job = {.count = count, .columns = columns, .ncolumn = 1, .row_sum = sums};
    s->model->kernels->full.excess_inside(&view, rules, &job);
}

static double constant_of(const setup *s, int block)
{
    const cardo_rigid_model *model = s->model;
    const int body = model->layout->body[block];
    double sums[CARDO_BLOCK] = {0};
    cardo_rigid_rules rules = model->rules;
    cardo_rigid_job job = {.block = block,
                           .count = model->layout->count[block],
                           .columns = s->columns + model->layout->first_block[body],
                           .row_sum = sums};
    rules.plain_beyond = beyond_alone;
    job.ncolumn = near_columns(s, block, block + 1, s->largest[block], beyond_alone);
    model->kernels->full.excess_inside(&model->full, &rules, &job);
    cardo_rigid_job own = job;
    own.energy = 0;
    own.columns = &block;
    own.ncolumn = 1;
    model->kernels->full.excess_inside(&model->full, &rules, &own);
    return job.energy + 0.5 * own.energy;
}

/* Sums over a block's partners at each of so many radii of its atoms, between that alone and the largest there is. */
static void fit_block(const setup *s, int block)
{
    cardo_rigid_model *model = s->model;
    const cardo_rigid_layout *layout = model->layout;
    const int slots = CARDO_BLOCK * block, count = layout->count[block];
    double range[CARDO_BLOCK], at[TERMS], slope[CARDO_BLOCK][TERMS], alone[CARDO_BLOCK];
    cardo_rigid_rules rules = model->rules;
    twice own __attribute__((aligned(64)));
    take_twice(model, block, &own);
    for (int k = 0; k < count; ++k) {
        alone[k] = model->full.born[slots + k];
        range[k] =
            fmax(least_range, 1 - sqrt(alone[k] / cardo_rigid_largest_radius(model, slots + k)));
    }
    for (int point = 0; point < TERMS; ++point) {
        double sums[CARDO_BLOCK] = {0}, largest = 0, grown = HUGE_VAL;
        cardo_rigid_job job = {.block = block,
                               .count = count,
                               .columns = s->columns + layout->first_block[layout->body[block]],
                               .row_sum = sums};
        at[point] = 0.5 - 0.5 * cardo_chebyshev_point(TERMS, point);
        at[point] *= at[point];
        for (int k = 0; k < count; ++k) {
            const double left = 1 - range[k] * at[point], born = alone[k] / (left * left);
            cardo_rigid_set_born(model, slots + k, born);
            own.born[k] = born;
            own.half_inverse_born[k] = 0.5 / born;
            largest = fmax(largest, born);
            grown = fmin(grown, left);
        }
        rules.plain_beyond = fmax(least_beyond, beyond * grown * grown);
        job.ncolumn = near_columns(s, block, layout->first_block[layout->body[block]], largest,
                                   rules.plain_beyond);
        model->kernels->single.excess_inside(&model->part, &rules, &job);
        add_own(s, count, &rules, &own, sums);
        for (int k = 0; k < count; ++k) /* sums times dB/dz */
            slope[k][point] =
                sums[k] * 2 * model->full.born[slots + k] / (1 - range[k] * at[point]);
    }
    for (int k = 0; k < count; ++k) {
        double c[TERMS], scale = 1;
        cardo_rigid_set_born(model, slots + k, alone[k]);
        cardo_interpolate(TERMS, at, slope[k], c);
        for (int order = 0; order < TERMS; ++order, scale /= range[k])
            model->solvent.by_radius[TERMS * (slots + k) + order] = (float)(c[order] * scale);
    }
}

static void set_up_body(void *arg, int body)
{
    const setup *s = arg;
    const cardo_rigid_layout *layout = s->model->layout;
    for (int block = layout->first_block[body]; block < layout->first_block[body + 1]; ++block) {
        s->energy[body] += constant_of(s, block);
        fit_block(s, block);
    }
}

static void set_alone(const setup *s, int block)
{
    cardo_rigid_model *model = s->model;
    for (int k = 0; k < CARDO_BLOCK; ++k) {
        const int slot = CARDO_BLOCK * block + k;
        const int of =
            k < model->layout->count[block] ? slot : slot - k + model->layout->count[block] - 1;
        double slope;
        const double born = cardo_rigid_born_radius(model, of, model->solvent.inside[of], &slope);
        cardo_rigid_set_born(model, slot, born);
        model->part.born_alone[slot] = (float)born;
        s->largest[block] = fmax(s->largest[block], born);
    }
}

cardo_status cardo_rigid_by_radius_create(cardo_rigid_model *model, cardo_error *error)
{
    cardo_status status;
    const cardo_rigid_layout *layout = model->layout;
    const int own = layout->first_block[layout->nbody];
    const int ngroup = layout->first_group[layout->nbody];
    setup s = {.model = model};
    if (!cardo_rigid_is_by_radius(model) || own == 0)
        return CARDO_OK;
    cardo_rigid_by_radius_aim(model, allowed_without);
    CARDO_TRY(CARDO_ALLOCATE(&model->solvent.by_radius, TERMS * CARDO_BLOCK * (size_t)own, error));
    CARDO_TRY(CARDO_ALLOCATE(&model->solvent.changed, own, error));
    CARDO_TRY(CARDO_ALLOCATE(&model->solvent.middle, own, error));
    CARDO_TRY(CARDO_ALLOCATE(&model->solvent.most_grown, own, error));
    CARDO_TRY(CARDO_ALLOCATE(&model->solvent.changed_in, ngroup, error));
    CARDO_TRY(CARDO_ALLOCATE(&model->solvent.middle_in, ngroup, error));
    CARDO_TRY(CARDO_ALLOCATE(&model->solvent.reach, REACH_STEPS * LAST_REACH + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&s.largest, own, error));
    CARDO_TRY(CARDO_ALLOCATE(&s.largest_in, ngroup, error));
    CARDO_TRY(CARDO_ALLOCATE(&s.columns, own, error));
    CARDO_TRY(CARDO_ALLOCATE(&s.energy, layout->nbody, error));
    for (int k = 0; k < REACH_STEPS * LAST_REACH; ++k) {
        const double u = k / (double)REACH_STEPS, g = exp(-u / 4);
        model->solvent.reach[k] = (float)(g * (1 + u / 4 + u * u / 16) / pow(u + g, 1.5));
    }
    for (int block = 0; block < own; ++block)
        set_alone(&s, block);
    for (int block = 0; block < own; ++block) {
        double *in = &s.largest_in[group_of(layout, block)];
        *in = fmax(*in, s.largest[block]);
    }
    cardo_pool_run(model->pool, layout->nbody, set_up_body, &s);
    for (int body = 0; body < layout->nbody; ++body)
        model->constant[CARDO_RIGID_GB] += s.energy[body];
done:
    cardo_free(s.largest);
    cardo_free(s.largest_in);
    cardo_free(s.columns);
    cardo_free(s.energy);
    return status;
}

/* z of an atom. */
static double change(const cardo_rigid_model *model, int slot)
{
    return 1 - sqrt((double)model->part.born_alone[slot] * 2 * model->full.half_inverse_born[slot]);
}

void cardo_rigid_by_radius_weigh(cardo_rigid_model *model, int block)
{
    cardo_rigid_view_float *view = &model->part;
    const int count = model->layout->count[block];
    double sum = 0, middle = 0, most = 0;
    for (int slot = CARDO_BLOCK * block; slot < CARDO_BLOCK * (block + 1); ++slot) {
        const double z = change(model, slot), growth = -2 * log(1 - z);
        const double between = model->full.born[slot] * (1 - z);
        const double charge = model->full.gb_charge[slot] * growth;
        view->growth[slot] = (float)growth;
        view->root_inverse_middle[slot] = (float)(1 / sqrt(2 * between));
        if (slot >= CARDO_BLOCK * block + count)
            continue;
        most = fmax(most, growth);
        sum += charge * charge;
        middle += 1 / between;
    }
    middle /= count;
    model->solvent.middle[block] = (float)middle;
    model->solvent.changed[block] = (float)sqrt(sum * middle);
    model->solvent.most_grown[block] = (float)most;
}

void cardo_rigid_by_radius_gather(cardo_rigid_model *model)
{
    const cardo_rigid_layout *layout = model->layout;
    cardo_rigid_solvent *solvent = &model->solvent;
    for (int group = 0; group < layout->first_group[layout->nbody]; ++group) {
        solvent->changed_in[group] = 0;
        solvent->middle_in[group] = HUGE_VALF;
    }
    for (int block = 0; block < layout->first_block[layout->nbody]; ++block) {
        const int group = group_of(layout, block);
        solvent->changed_in[group] = fmaxf(solvent->changed_in[group], solvent->changed[block]);
        solvent->middle_in[group] = fminf(solvent->middle_in[group], solvent->middle[block]);
    }
}

/* How far a block reaches another one, or blocks at most so far from a place, of what they do together. */
static double reach(const cardo_rigid_model *model, int block, const cardo_rigid_sphere *t,
                    double within, double middle)
{
    const cardo_rigid_solvent *solvent = &model->solvent;
    const cardo_rigid_sphere *s = &model->layout->block_sphere[block];
    const double x = s->x - t->x, y = s->y - t->y, z = s->z - t->z;
    const double r = fmax(0, sqrt(x * x + y * y + z * z) - nearer - within);
    const double u = r * r * (double)solvent->middle[block] * middle;
    return (double)solvent->reach[(int)(REACH_STEPS * fmin(u, LAST_REACH))];
}

static double reach_block(const cardo_rigid_model *model, int block, int other)
{
    return reach(model, block, &model->layout->block_sphere[other], 0,
                 (double)model->solvent.middle[other]);
}

/* 1 over the least charge times growth of a row that is done with what is so much changed and so near. */
static double row_matters(const cardo_rigid_solvent *solvent, int block, double together)
{
    return sqrt((double)solvent->middle[block]) / solvent->least_together * together;
}

int cardo_rigid_by_radius_columns(const cardo_rigid_model *model, int block, cardo_rigid_work *work)
{
    const cardo_rigid_layout *layout = model->layout;
    const cardo_rigid_solvent *solvent = &model->solvent;
    const double least = solvent->least_together / (double)solvent->changed[block];
    const double row = row_matters(solvent, block, 1);
    const int body = layout->body[block];
    int n = 0;
    if (!(least < HUGE_VAL))
        return 0;
    for (int group = group_of(layout, block); group < layout->first_group[body + 1]; ++group) {
        const cardo_rigid_sphere *sphere = &layout->group_sphere[group];
        const int start = first_of_group(layout, body, group);
        const int end = end_of_group(layout, body, group);
        if ((double)solvent->changed_in[group] *
                reach(model, block, sphere, sphere->radius, (double)solvent->middle_in[group]) <
            least)
            continue;
        for (int k = start > block ? start : block + 1; k < end; ++k) {
            const double together = (double)solvent->changed[k] * reach_block(model, block, k);
            work->far[n] = k; /* kept where it matters, without a branch that is hard to guess */
            work->most_grown[n] = solvent->most_grown[k];
            work->matters[n] = (float)(row * together);
            n += together >= least;
        }
    }
    return n;
}

bool cardo_rigid_by_radius_own(const cardo_rigid_model *model, int block, float *matters)
{
    const cardo_rigid_solvent *solvent = &model->solvent;
    const double changed = (double)solvent->changed[block];
    const double together = weight_of_own * changed * reach_block(model, block, block);
    *matters = (float)row_matters(solvent, block, together);
    return together * changed >= solvent->least_together;
}

double cardo_rigid_by_radius_left_out(const cardo_rigid_model *model, int slot)
{
    const cardo_rigid_layout *layout = model->layout;
    const cardo_rigid_solvent *solvent = &model->solvent;
    const int block = slot / CARDO_BLOCK, body = layout->body[block];
    const double least = solvent->least_together;
    double left = 0;
    if (!cardo_rigid_block_is_by_radius(model, block))
        return 0;
    const double charge = fabs(model->full.gb_charge[slot]) * sqrt((double)solvent->middle[block]);
    for (int k = layout->first_block[body]; k < layout->first_block[body + 1]; ++k) {
        const double reaches = reach_block(model, block, k);
        const double changed = (double)solvent->changed[k];
        const double weight = k == block ? weight_of_own : 1;
        const double row = charge * changed * reaches;
        if (k >= block && weight * row * (double)model->part.growth[slot] < least)
            left += row;
        if (k < block) { /* whose rows that have changed little leave it out */
            const double rows = sqrt(CARDO_BLOCK) * least / (double)solvent->changed[block];
            left += charge * fmin(changed * reaches, rows);
        }
    }
    return left * solvent->slope[slot] * 2 * model->full.half_inverse_born[slot];
}

double cardo_rigid_by_radius_add(const cardo_rigid_model *model, int block,
                                 double sums[CARDO_BLOCK])
{
    double energy = 0;
    for (int k = 0; k < model->layout->count[block]; ++k) {
        const int slot = CARDO_BLOCK * block + k;
        const float *c = &model->solvent.by_radius[TERMS * slot];
        const double z = change(model, slot);
        double slope = 0, value = 0;
        for (int order = TERMS - 1; order >= 0; --order) {
            slope = slope * z + (double)c[order];
            value = value * z + (double)c[order] / (order + 1);
        }
        energy += 0.5 * model->full.gb_charge[slot] * value * z;
        sums[k] += slope * (1 - z) * model->full.half_inverse_born[slot];
    }
    return energy;
}
