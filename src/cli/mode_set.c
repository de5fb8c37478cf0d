#include "cli/mode_set.h"

#include "analysis/mode_motion.h"
#include "analysis/network_stiffness.h"
#include "base/memory.h"
#include "base/units.h"
#include "multibody/operators.h"
#include "structure/superpose.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const stiffnesses[] = {"network", "forces", NULL};
static const char *const node_kinds[] = {"ca", "heavy", "all", NULL};
static const char *const joint_kinds[] = {"model", "free", NULL};

#define OPTION(member) offsetof(cardo_mode_options, member)
const cardo_field cardo_mode_fields[] = {
    {"stiffness", CARDO_FIELD_CHOICE, OPTION(stiffness), "", "network", 0, 0, stiffnesses,
     "second derivatives of an elastic network, or of the model's force field by differences"},
    {"nodes", CARDO_FIELD_CHOICE, OPTION(nodes), "", "ca", 0, 0, node_kinds,
     "atoms that the network joins"},
    {"cutoff", CARDO_FIELD_DOUBLE, OPTION(cutoff), "nm", "1.5", 0.1, 100, NULL,
     "longest springs of the network"},
    {"spring", CARDO_FIELD_DOUBLE, OPTION(spring), "kJ/mol/nm^2", "418.4", 1e-9, 1e12, NULL,
     "stiffness of its springs (of length 1 A, where power is above 0)"},
    {"power", CARDO_FIELD_INT, OPTION(power), "", "0", 0, 12, NULL,
     "springs weaken with this power of their length"},
    {"joints", CARDO_FIELD_CHOICE, OPTION(joints), "", "model", 0, 0, joint_kinds,
     "the model's joints, or every body free (rotations and translations of blocks)"},
    {"count", CARDO_FIELD_INT, OPTION(count), "", "20", 1, 100000, NULL,
     "modes wanted beside rigid motions of the whole"},
    {"step", CARDO_FIELD_DOUBLE, OPTION(step), "", "1e-4", 1e-9, 1, NULL,
     "half width of differences of forces, in rad, nm or path units"},
    {"temperature", CARDO_FIELD_DOUBLE, OPTION(temperature), "K", "300", 1e-3, 1e6, NULL,
     "of thermal amplitudes and B factors"},
    {"compare", CARDO_FIELD_STRING, OPTION(compare), "", "", 0, 0, NULL,
     "structure of the model whose displacement modes are compared with; empty: the second"},
    {"animate", CARDO_FIELD_INT, OPTION(animate), "", "3", 0, 1000, NULL, "modes to animate"},
    {"frames", CARDO_FIELD_INT, OPTION(frames), "", "20", 2, 10000, NULL, "frames of an animation"},
    {"amplitude", CARDO_FIELD_DOUBLE, OPTION(amplitude), "nm", "0.2", 1e-6, 100, NULL,
     "of an animation, root mean square over C-alpha atoms"},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};
#undef OPTION

static bool is_alpha_carbon(const cardo_structure *s, int atom)
{
    return s->element[atom] == 6 && strcmp(s->atom_name[atom].text, "CA") == 0;
}

static bool is_node(const cardo_structure *s, int atom, int nodes)
{
    switch (nodes) {
    case CARDO_NODES_CA:
        return is_alpha_carbon(s, atom);
    case CARDO_NODES_HEAVY:
        return s->element[atom] > 1;
    default:
        return true;
    }
}

static cardo_status choose_atoms(const cardo_structure *s, int nodes, int *count, int **atoms,
                                 cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(atoms, s->natom, error);
    *count = 0;
    for (int i = 0; i < s->natom && status == CARDO_OK; ++i)
        if (is_node(s, i, nodes))
            (*atoms)[(*count)++] = i;
    return status;
}

static cardo_status gather(const cardo_system *system, const cardo_state *state, int n,
                           const int *atom, double *positions, cardo_error *error)
{
    double *all;
    cardo_status status = CARDO_ALLOCATE(&all, 3 * (size_t)cardo_system_nstation(system), error);
    if (status == CARDO_OK)
        status = cardo_station_positions(system, state, all, error);
    for (int i = 0; i < n && status == CARDO_OK; ++i)
        memcpy(positions + 3 * (size_t)i, all + 3 * (size_t)atom[i], 3 * sizeof *positions);
    cardo_free(all);
    return status;
}

/* The network's atoms, and springs between them. */
typedef struct chosen_network {
    int n, *node;
    double *positions;
    cardo_spring_network *springs;
} chosen_network;

static void chosen_network_clear(chosen_network *c)
{
    cardo_spring_network_destroy(c->springs);
    cardo_free(c->positions);
    cardo_free(c->node);
}

static cardo_status choose_network(const cardo_setup *setup, const cardo_mode_options *options,
                                   chosen_network *c, cardo_error *error)
{
    cardo_status status;
    const cardo_spring_options springs = {options->cutoff, options->spring, options->power,
                                          CARDO_ANGSTROM};
    CARDO_TRY(
        choose_atoms(setup->model->structure[0].structure, options->nodes, &c->n, &c->node, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->positions, 3 * (size_t)c->n, error));
    CARDO_TRY(gather(setup->system, setup->state, c->n, c->node, c->positions, error));
    status = cardo_spring_network_create(c->n, c->positions, &springs, &c->springs, error);
done:
    return status;
}

/* Modes of the network; beyond DENSE_MOST speeds without dense matrices. */
static cardo_status network_modes(const cardo_setup *setup, const cardo_mode_options *options,
                                  int count, cardo_modes **modes, cardo_error *error)
{
    enum { DENSE_MOST = 5000 };
    cardo_status status;
    const size_t nu = (size_t)cardo_system_nu(setup->system);
    chosen_network c = {0};
    double *K = NULL;
    CARDO_TRY(choose_network(setup, options, &c, error));
    if (nu > DENSE_MOST) {
        status = cardo_modes_create_large(setup->system, setup->state, c.springs, c.node, count,
                                          modes, error);
        goto done;
    }
    CARDO_TRY(CARDO_ALLOCATE(&K, nu * nu, error));
    CARDO_TRY(cardo_network_stiffness(setup->system, setup->state, c.springs, c.node, K, error));
    status = cardo_modes_create(setup->system, setup->state, K, count, modes, error);
done:
    chosen_network_clear(&c);
    cardo_free(K);
    return status;
}

/* Row a of K: what the generalized forces lose when the state moves along speed a. */
static cardo_status difference_row(cardo_setup *setup, double step, int a, const double *q,
                                   double *speeds, double *side, double *row, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const int nu = cardo_system_nu(setup->system);
    memset(speeds, 0, (size_t)nu * sizeof *speeds);
    speeds[a] = 1;
    for (int s = 0; s < 2; ++s) {
        cardo_state_set_q(setup->state, q);
        CARDO_TRY(cardo_move_along(setup->system, setup->state, speeds, s ? step : -step, error));
        CARDO_TRY(cardo_evaluate(setup->evaluator, setup->state, error));
        CARDO_TRY(cardo_evaluator_generalized_forces(setup->evaluator, setup->state,
                                                     side + (size_t)s * (size_t)nu, error));
    }
    for (int b = 0; b < nu; ++b)
        row[b] = -(side[nu + b] - side[b]) / (2 * step);
done:
    return status;
}

/* The mean of K and its transpose, and how far they were apart. */
static double make_symmetric(int n, double *K)
{
    double largest = 0, apart = 0;
    for (size_t a = 0; a < (size_t)n; ++a)
        for (size_t b = 0; b <= a; ++b) {
            double *upper = &K[b * (size_t)n + a], *lower = &K[a * (size_t)n + b];
            apart = fmax(apart, fabs(*upper - *lower));
            *upper = *lower = 0.5 * (*upper + *lower);
            largest = fmax(largest, fabs(*lower));
        }
    return largest > 0 ? apart / largest : 0;
}

static cardo_status force_modes(cardo_setup *setup, const cardo_mode_options *options, int count,
                                cardo_mode_set *set, cardo_error *error)
{
    cardo_status status;
    const int nu = cardo_system_nu(setup->system), nq = cardo_system_nq(setup->system);
    double *q = NULL, *work = NULL, *K = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&K, (size_t)nu * (size_t)nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&work, 3 * (size_t)nu, error));
    memcpy(q, cardo_state_q(setup->state), (size_t)nq * sizeof *q);
    CARDO_TRY(cardo_evaluate(setup->evaluator, setup->state, error));
    CARDO_TRY(cardo_evaluator_generalized_forces(setup->evaluator, setup->state, work, error));
    for (int a = 0; a < nu; ++a)
        set->residual = fmax(set->residual, fabs(work[a]));
    for (int a = 0; a < nu; ++a)
        CARDO_TRY(difference_row(setup, options->step, a, q, work, work + nu,
                                 K + (size_t)a * (size_t)nu, error));
    set->asymmetry = make_symmetric(nu, K);
    set->evaluations = cardo_evaluator_count(setup->evaluator);
    cardo_state_set_q(setup->state, q);
    CARDO_TRY(cardo_realize(setup->system, setup->state, CARDO_STAGE_VELOCITY, error));
    status = cardo_modes_create(setup->system, setup->state, K, count, &set->modes, error);
done:
    cardo_free(K);
    cardo_free(q);
    cardo_free(work);
    return status;
}

/* Displacements of C-alpha atoms in each mode, as far as they are no rigid motion of the whole. */
static cardo_status find_displacements(const cardo_setup *setup, cardo_mode_set *set,
                                       cardo_error *error)
{
    cardo_status status;
    double *all = NULL, *positions = NULL;
    const size_t row = 3 * (size_t)set->nca;
    CARDO_TRY(CARDO_ALLOCATE(&all, 3 * (size_t)cardo_system_nstation(setup->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&positions, row, error));
    CARDO_TRY(CARDO_ALLOCATE(&set->displacement, row * (size_t)set->nmode, error));
    CARDO_TRY(gather(setup->system, setup->state, set->nca, set->ca, positions, error));
    for (int m = 0; m < set->nmode; ++m) {
        double *own = set->displacement + row * (size_t)m;
        CARDO_TRY(cardo_mode_displacement(setup->system, setup->state, set->modes, set->nrigid + m,
                                          all, error));
        for (int i = 0; i < set->nca; ++i)
            memcpy(own + 3 * i, all + 3 * (size_t)set->ca[i], 3 * sizeof *own);
        CARDO_TRY(cardo_remove_rigid_motion(set->nca, positions, own, error));
    }
done:
    cardo_free(all);
    cardo_free(positions);
    return status;
}

static cardo_status find_amplitudes(const cardo_setup *setup, double temperature,
                                    cardo_mode_set *set, cardo_error *error)
{
    const cardo_structure *s = setup->model->structure[0].structure;
    const double kT = CARDO_BOLTZMANN * temperature;
    double *file;
    cardo_status status = CARDO_ALLOCATE(&set->fluctuation, set->nca, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&file, set->nca, error);
    if (status != CARDO_OK)
        return status;
    for (int m = 0; m < set->nmode; ++m) {
        const double *own = set->displacement + 3 * (size_t)set->nca * (size_t)m;
        cardo_mode_line *line = &set->line[m];
        double square = 0, variance = line->eigenvalue > 0 ? kT / line->eigenvalue : 0;
        for (int i = 0; i < set->nca; ++i) {
            cardo_vec3 d = v3_load(own + 3 * i);
            set->fluctuation[i] += variance * v3_dot(d, d);
            square += v3_dot(d, d) / set->nca;
        }
        line->amplitude = sqrt(variance * square);
        line->collectivity = cardo_mode_collectivity(set->nca, own);
    }
    for (int i = 0; i < set->nca; ++i)
        file[i] = (double)s->b_factor[set->ca[i]];
    set->b_correlation = cardo_correlation(set->nca, set->fluctuation, file);
    cardo_free(file);
    return CARDO_OK;
}

/* The structure to compare with, or -1: none. */
static cardo_status find_compared(const cardo_model *model, const char *id, int *which,
                                  cardo_error *error)
{
    *which = model->nstructure > 1 ? 1 : -1;
    if (!id[0])
        return CARDO_OK;
    for (int k = 1; k < model->nstructure; ++k)
        if (strcmp(model->structure[k].id, id) == 0) {
            *which = k;
            return CARDO_OK;
        }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: compare=\"%s\" is none of the model's structures beside its first",
                      model->path, id);
}

static int alpha_carbon_of(const cardo_structure *s, int residue)
{
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i)
        if (is_alpha_carbon(s, i))
            return i;
    return -1;
}

/* C-alpha atoms of both structures, places here and there, and the modes' displacements of them. */
typedef struct observation {
    int n;
    int *index;                   /* into set->ca          (n)     */
    double *here, *there, *moved; /* (n x 3) each; (nmode x n x 3) */
} observation;

static cardo_status observe(const cardo_setup *setup, int which, const cardo_mode_set *set,
                            observation *o, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *a = setup->model->structure[0].structure;
    const cardo_model_structure *other = &setup->model->structure[which];
    double *positions = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&o->index, set->nca, error));
    CARDO_TRY(CARDO_ALLOCATE(&o->here, 3 * (size_t)set->nca, error));
    CARDO_TRY(CARDO_ALLOCATE(&o->there, 3 * (size_t)set->nca, error));
    CARDO_TRY(CARDO_ALLOCATE(&positions, 3 * (size_t)set->nca, error));
    CARDO_TRY(gather(setup->system, setup->state, set->nca, set->ca, positions, error));
    for (int i = 0; i < set->nca; ++i) {
        int partner = other->match[a->atom_residue[set->ca[i]]];
        int atom = partner < 0 ? -1 : alpha_carbon_of(other->structure, partner);
        if (atom < 0)
            continue;
        memcpy(o->here + 3 * o->n, positions + 3 * i, 3 * sizeof *positions);
        memcpy(o->there + 3 * o->n, other->structure->position + 3 * (size_t)atom,
               3 * sizeof *positions);
        o->index[o->n++] = i;
    }
    const size_t row = 3 * (size_t)o->n;
    CARDO_TRY(CARDO_ALLOCATE(&o->moved, row * (size_t)set->nmode, error));
    for (int m = 0; m < set->nmode; ++m) {
        const double *own = set->displacement + 3 * (size_t)set->nca * (size_t)m;
        for (int k = 0; k < o->n; ++k)
            memcpy(o->moved + row * (size_t)m + 3 * k, own + 3 * o->index[k], 3 * sizeof *own);
        CARDO_TRY(cardo_remove_rigid_motion(o->n, o->here, o->moved + row * (size_t)m, error));
    }
done:
    cardo_free(positions);
    return status;
}

static cardo_status find_overlaps(const cardo_setup *setup, int which, cardo_mode_set *set,
                                  cardo_error *error)
{
    cardo_status status;
    observation o = {0};
    cardo_transform X;
    double *cumulative = NULL;
    CARDO_TRY(observe(setup, which, set, &o, error));
    CARDO_TRY(cardo_superpose(o.n, o.there, o.here, NULL, &X, &set->observed_rmsd, error));
    /* From here on "there" is the displacement. */
    for (int k = 0; k < o.n; ++k)
        v3_store(o.there + 3 * k,
                 v3_sub(xform_point(X, v3_load(o.there + 3 * k)), v3_load(o.here + 3 * k)));
    CARDO_TRY(CARDO_ALLOCATE(&cumulative, set->nmode, error));
    for (int m = 0; m < set->nmode; ++m)
        set->line[m].overlap =
            cardo_mode_overlap(o.n, o.moved + 3 * (size_t)o.n * (size_t)m, o.there);
    cardo_mode_cumulative_overlap(o.n, set->nmode, o.moved, o.there, cumulative);
    for (int m = 0; m < set->nmode; ++m)
        set->line[m].cumulative = cumulative[m];
    set->compared = true;
    set->nobserved = o.n;
done:
    cardo_free(cumulative);
    cardo_free(o.index);
    cardo_free(o.here);
    cardo_free(o.there);
    cardo_free(o.moved);
    return status;
}

static cardo_status solve(cardo_setup *setup, const cardo_mode_options *options,
                          cardo_mode_set *set, cardo_error *error)
{
    const int nu = cardo_system_nu(setup->system);
    const int count = options->count + 6 < nu ? options->count + 6 : nu;
    cardo_status status = cardo_realize(setup->system, setup->state, CARDO_STAGE_VELOCITY, error);
    if (status == CARDO_OK && options->stiffness == CARDO_MODES_FORCES)
        status = force_modes(setup, options, count, set, error);
    else if (status == CARDO_OK)
        status = network_modes(setup, options, count, &set->modes, error);
    if (status != CARDO_OK)
        return status;
    set->nrigid = set->modes->nrigid;
    set->nmode = set->modes->count - set->nrigid;
    if (set->nmode > options->count)
        set->nmode = options->count;
    if (set->nmode > 0)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: nothing resists the %d softest motions of this model: the network joins "
                      "no two of its bodies, or side chains turn that none of its nodes are on "
                      "(modes.nodes=heavy)",
                      setup->model->path, set->nrigid);
}

cardo_status cardo_mode_set_make(cardo_setup *setup, const cardo_mode_options *options,
                                 cardo_mode_set *set, cardo_error *error)
{
    cardo_status status;
    int which;
    CARDO_TRY(find_compared(setup->model, options->compare, &which, error));
    CARDO_TRY(choose_atoms(setup->model->structure[0].structure, CARDO_NODES_CA, &set->nca,
                           &set->ca, error));
    CARDO_TRY(solve(setup, options, set, error));
    CARDO_TRY(CARDO_ALLOCATE(&set->line, set->nmode, error));
    for (int m = 0; m < set->nmode; ++m) {
        set->line[m].number = set->nrigid + m + 1;
        set->line[m].eigenvalue = set->modes->eigenvalue[set->nrigid + m];
    }
    CARDO_TRY(find_displacements(setup, set, error));
    CARDO_TRY(find_amplitudes(setup, options->temperature, set, error));
    if (which > 0)
        CARDO_TRY(find_overlaps(setup, which, set, error));
done:
    return status;
}

void cardo_mode_set_clear(cardo_mode_set *set)
{
    cardo_modes_destroy(set->modes);
    cardo_free(set->line);
    cardo_free(set->ca);
    cardo_free(set->displacement);
    cardo_free(set->fluctuation);
    *set = (cardo_mode_set){0};
}
