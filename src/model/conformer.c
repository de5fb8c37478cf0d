#include "model/conformer.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/internal.h"
#include "model/near.h"
#include "topology/rotatable_bonds.h"

#include <string.h>

enum { SAMPLES = 11, MOST_SWEEPS = 10 };
static const double contact = 0.33;  /* nm: heavy atoms nearer than this overlap            */
static const double interface = 0.8; /* nm: side chains farther from other bodies stay      */

/* What conformers are made and judged with. */
typedef struct chooser {
    const cardo_model *model;
    const cardo_structure *structure;
    const int *body;
    cardo_bonds *bonds;
    cardo_turn *turn;
    int nturn;
    int *turn_first;           /* turns of each residue                     (nresidue + 1) */
    int *side;                 /* scratch: atoms beyond a bond              (natom)        */
    bool *beyond;              /* (natom) */
    cardo_transform *X;        /* poses along the paths            (SAMPLES x nbody) */
    cardo_transform *relative; /* of one body, seen from each      (SAMPLES x nbody) */
} chooser;

static void chooser_clear(chooser *c)
{
    cardo_bonds_destroy(c->bonds);
    cardo_free(c->turn);
    cardo_free(c->turn_first);
    cardo_free(c->side);
    cardo_free(c->beyond);
    cardo_free(c->X);
    cardo_free(c->relative);
}

/* Turns of side chains come in the order of bonds, which is that of residues; inside a residue they
 * are wanted from the backbone outwards. */
static void sort_turns(chooser *c)
{
    for (int k = 0; k < c->nturn; ++k)
        ++c->turn_first[c->turn[k].residue + 1];
    for (int r = 0; r < c->structure->nresidue; ++r)
        c->turn_first[r + 1] += c->turn_first[r];
    for (int k = 1; k < c->nturn; ++k)
        for (int j = k; j > 0 && (c->turn[j].residue < c->turn[j - 1].residue ||
                                  (c->turn[j].residue == c->turn[j - 1].residue &&
                                   c->turn[j].number < c->turn[j - 1].number));
             --j) {
            cardo_turn swap = c->turn[j];
            c->turn[j] = c->turn[j - 1];
            c->turn[j - 1] = swap;
        }
}

static cardo_status chooser_make(chooser *c, cardo_error *error)
{
    cardo_status status;
    char *templates = NULL;
    int *wanted = NULL, nresidue = c->structure->nresidue;
    CARDO_TRY(CARDO_ALLOCATE(&wanted, nresidue, error));
    for (int r = 0; r < nresidue; ++r)
        wanted[r] = CARDO_TURN_CHI;
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(cardo_bonds_find(c->structure, templates, &c->bonds, error));
    CARDO_TRY(
        cardo_rotatable_bonds_find(c->structure, c->bonds, wanted, &c->turn, &c->nturn, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->turn_first, nresidue + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->side, c->structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->beyond, c->structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->X, SAMPLES * c->model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->relative, SAMPLES * c->model->nbody, error));
    sort_turns(c);
    for (int k = 0; k < SAMPLES; ++k)
        CARDO_TRY(cardo_model_poses(c->model, (double)k / (SAMPLES - 1), true,
                                    c->X + k * c->model->nbody, error));
done:
    cardo_free(wanted);
    cardo_free(templates);
    return status;
}

static double torsion(const double *a, const double *b, const double *c, const double *d)
{
    cardo_vec3 p = v3_sub(v3_load(b), v3_load(a)), q = v3_sub(v3_load(c), v3_load(b)),
               r = v3_sub(v3_load(d), v3_load(c));
    cardo_vec3 n = v3_cross(p, q), m = v3_cross(q, r);
    return atan2(v3_norm(q) * v3_dot(p, m), v3_dot(n, m));
}

/* The first heavy neighbour of an atom, in its residue, besides one, that the donor has too:
 * *other is the donor's. */
static int common_neighbour(const chooser *c, int atom, int besides, const cardo_structure *donor,
                            int residue, int *other)
{
    const cardo_structure *s = c->structure;
    for (int k = c->bonds->neighbour_first[atom]; k < c->bonds->neighbour_first[atom + 1]; ++k) {
        int i = c->bonds->neighbour[k];
        if (i == besides || s->element[i] == 1 || s->atom_residue[i] != s->atom_residue[atom])
            continue;
        *other = cardo_structure_find_atom(donor, residue, s->atom_name[i].text);
        if (*other >= 0)
            return i;
    }
    return -1;
}

/* Turns what lies beyond a bond, inside its residue, about it. */
static void turn_side(chooser *c, const cardo_turn *turn, double angle, double *position)
{
    const cardo_structure *s = c->structure;
    int head = 0, tail = 0;
    c->side[tail++] = turn->atom[1];
    c->beyond[turn->atom[0]] = c->beyond[turn->atom[1]] = true;
    while (head < tail) {
        int i = c->side[head++];
        for (int k = c->bonds->neighbour_first[i]; k < c->bonds->neighbour_first[i + 1]; ++k) {
            int j = c->bonds->neighbour[k];
            if (c->beyond[j] || s->atom_residue[j] != turn->residue)
                continue;
            c->beyond[j] = true;
            c->side[tail++] = j;
        }
    }
    cardo_vec3 from = v3_load(position + 3 * turn->atom[0]);
    cardo_vec3 axis = v3_unit(v3_sub(v3_load(position + 3 * turn->atom[1]), from));
    cardo_mat33 R = m33_rotation(axis, angle);
    c->beyond[turn->atom[0]] = false;
    for (int k = 0; k < tail; ++k) {
        double *p = position + 3 * c->side[k];
        c->beyond[c->side[k]] = false;
        if (k > 0)
            v3_store(p, v3_add(from, m33_mul_v3(R, v3_sub(v3_load(p), from))));
    }
}

/* Gives a residue the side-chain torsions of structure k. */
static void take_conformer(chooser *c, int residue, int k, double *position)
{
    const cardo_structure *s = c->structure, *donor = c->model->structure[k].structure;
    int other = k > 0 ? c->model->structure[k].match[residue] : -1;
    if (other < 0 || strcmp(s->residue_name[residue].text, donor->residue_name[other].text) != 0)
        return;
    for (int t = c->turn_first[residue]; t < c->turn_first[residue + 1]; ++t) {
        const cardo_turn *turn = &c->turn[t];
        int first, last, b,
            a = common_neighbour(c, turn->atom[0], turn->atom[1], donor, other, &first);
        int d = common_neighbour(c, turn->atom[1], turn->atom[0], donor, other, &last);
        int middle = cardo_structure_find_atom(donor, other, s->atom_name[turn->atom[0]].text);
        b = cardo_structure_find_atom(donor, other, s->atom_name[turn->atom[1]].text);
        if (a < 0 || d < 0 || middle < 0 || b < 0)
            return;
        const double *x = donor->position;
        double wanted = torsion(x + 3 * first, x + 3 * middle, x + 3 * b, x + 3 * last);
        double now = torsion(position + 3 * a, position + 3 * turn->atom[0],
                             position + 3 * turn->atom[1], position + 3 * d);
        turn_side(c, turn, wanted - now, position);
    }
}

static double overlap(cardo_vec3 a, cardo_vec3 b)
{
    cardo_vec3 d = v3_sub(a, b);
    double square = v3_dot(d, d);
    if (square >= contact * contact)
        return 0;
    double depth = contact - sqrt(square);
    return depth * depth;
}

/* How much an atom of residue r at x overlaps the atoms of residue t, in all poses; in their own
 * body once. */
static double atom_overlap(const chooser *c, const double *x, int r, int t, const double *position)
{
    const cardo_structure *s = c->structure;
    const double widest = 1.2; /* nm: a residue's longest reach from any of its atoms */
    int samples = c->body[r] == c->body[t] ? 1 : SAMPLES, nbody = c->model->nbody;
    double sum = 0;
    for (int k = 0; k < samples; ++k) {
        cardo_vec3 a = xform_point(c->relative[k * nbody + c->body[t]], v3_load(x));
        cardo_vec3 d = v3_sub(a, v3_load(position + 3 * s->residue_first[t]));
        if (v3_dot(d, d) > (widest + contact) * (widest + contact))
            continue;
        for (int j = s->residue_first[t]; j < s->residue_first[t + 1]; ++j)
            if (s->element[j] != 1)
                sum += overlap(a, v3_load(position + 3 * j));
    }
    return sum;
}

static bool is_side_chain(const cardo_structure *s, int atom)
{
    static const char *const backbone[] = {"N", "CA", "C", "O", "CB", "OXT", NULL};
    for (int k = 0; backbone[k]; ++k)
        if (strcmp(s->atom_name[atom].text, backbone[k]) == 0)
            return false;
    return s->element[atom] != 1;
}

static double residue_overlap(const chooser *c, int r, const double *position)
{
    const cardo_structure *s = c->structure;
    double sum = 0;
    for (int k = 0; k < SAMPLES * c->model->nbody; ++k) {
        int own = k - k % c->model->nbody + c->body[r];
        c->relative[k] = xform_mul(xform_inverse(c->X[k]), c->X[own]);
    }
    for (int t = 0; t < s->nresidue; ++t) {
        if (t == r || c->body[t] < 0)
            continue;
        for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
            if (is_side_chain(s, i))
                sum += atom_overlap(c, position + 3 * i, r, t, position);
    }
    return sum;
}

static size_t bytes_of(const cardo_structure *s, int residue)
{
    int n = s->residue_first[residue + 1] - s->residue_first[residue];
    return 3 * (size_t)n * sizeof(double);
}

/* Chooses the conformer of one residue; own: the reference's positions. True when another one than
 * the present is less in the way. */
static bool choose_one(chooser *c, int residue, const double *own, double *best, double *position)
{
    size_t bytes = bytes_of(c->structure, residue),
           first = 3 * (size_t)c->structure->residue_first[residue];
    double least = residue_overlap(c, residue, position);
    bool changed = false;
    if (!(least > 0))
        return false;
    memcpy(best, position + first, bytes);
    for (int k = 0; k < c->model->nstructure; ++k) {
        memcpy(position + first, own + first, bytes);
        take_conformer(c, residue, k, position);
        double sum = residue_overlap(c, residue, position);
        if (sum < 0.999 * least) {
            least = sum;
            memcpy(best, position + first, bytes);
            changed = true;
        }
    }
    memcpy(position + first, best, bytes);
    return changed;
}

static cardo_status choose_best(chooser *c, const bool *mask, double *position, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = c->structure;
    double *own = NULL, *best = NULL;
    bool *near = NULL, changed = true;
    CARDO_TRY(CARDO_ALLOCATE(&own, 3 * s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&best, 3 * s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&near, s->nresidue, error));
    memcpy(own, position, 3 * (size_t)s->natom * sizeof *own);
    CARDO_TRY(cardo_model_near(c->model, c->body, interface, near, error));
    for (int sweep = 0; sweep < MOST_SWEEPS && changed; ++sweep) {
        changed = false;
        for (int r = 0; r < s->nresidue; ++r)
            if (mask[r] && near[r] && c->body[r] >= 0 && c->turn_first[r + 1] > c->turn_first[r])
                changed |= choose_one(c, r, own, best, position);
    }
done:
    cardo_free(own);
    cardo_free(best);
    cardo_free(near);
    return status;
}

cardo_status cardo_conformers_apply(const cardo_model *model, int choice, const bool *mask,
                                    const int *body_of_residue, double *positions,
                                    cardo_error *error)
{
    chooser c = {
        .model = model, .structure = model->structure[0].structure, .body = body_of_residue};
    cardo_status status = chooser_make(&c, error);
    for (int r = 0; status == CARDO_OK && r < c.structure->nresidue; ++r)
        if (mask[r] && choice > 0)
            take_conformer(&c, r, choice, positions);
    if (status == CARDO_OK && choice == CARDO_CONFORMER_BEST)
        status = choose_best(&c, mask, positions, error);
    chooser_clear(&c);
    return status;
}
