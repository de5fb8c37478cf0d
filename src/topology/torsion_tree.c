#include "topology/torsion_tree.h"

#include "base/memory.h"
#include "base/vec.h"

#include <string.h>

/* Da nm^2 about the bond: a hydrogen 0.03 nm off the axis. Groups that are straight but for the
 * rounding of coordinates stay below it, a hydroxyl's hydrogen is seven times above. */
static const double least_inertia = 1e-3;

/* A piece while the tree grows. */
typedef struct node {
    int body, atom, parent, turn;
    int into; /* the node that it was merged into, or itself */
    int natom;
    bool placed;
} node;

typedef struct builder {
    const cardo_torsion_input *in;
    int *set;  /* union-find over atoms                           (natom) */
    int *core; /* of a set's root: the domain body, or -1         (natom) */
    int nnode;
    node *node;
    int *node_of_atom;  /* (natom) */
    int *node_of_body;  /* (nbody) */
    int (*end)[2];      /* nodes at the two ends of a turning bond  (nturn)     */
    bool *used;         /* bonds of the tree                        (nturn)     */
    int *first, *touch; /* turning bonds of each node               (nnode + 1), (2 nturn) */
    int *order;         /* nodes as they were placed                (nnode)     */
    int nplaced;
    int *reached; /* scratch: bond by which a search came, or -1  (nnode)     */
    int *queue;   /* (nnode) */
} builder;

static void builder_clear(builder *b)
{
    cardo_free(b->set);
    cardo_free(b->core);
    cardo_free(b->node);
    cardo_free(b->node_of_atom);
    cardo_free(b->node_of_body);
    cardo_free(b->end);
    cardo_free(b->used);
    cardo_free(b->first);
    cardo_free(b->touch);
    cardo_free(b->order);
    cardo_free(b->reached);
    cardo_free(b->queue);
}

static int root_of(int *set, int i)
{
    while (set[i] != i)
        i = set[i] = set[set[i]];
    return i;
}

/* Joins two sets unless both are cores of different bodies. */
static void join(builder *b, int i, int j)
{
    int x = root_of(b->set, i), y = root_of(b->set, j);
    if (x == y || (b->core[x] >= 0 && b->core[y] >= 0 && b->core[x] != b->core[y]))
        return;
    int low = x < y ? x : y, high = x < y ? y : x;
    b->core[low] = b->core[low] >= 0 ? b->core[low] : b->core[high];
    b->set[high] = low;
}

/* The atom that stands for a residue's backbone. */
static int anchor_of(const cardo_structure *s, int residue)
{
    int atom = cardo_structure_find_atom(s, residue, "CA");
    if (atom < 0)
        atom = cardo_structure_find_atom(s, residue, "C4'");
    return atom >= 0 ? atom : s->residue_first[residue];
}

/* Which of the bonds turn: turning bonds come in the order of bonds. */
static void mark_turning(const builder *b, bool *turning)
{
    const cardo_bonds *bonds = b->in->bonds;
    for (int k = 0, t = 0; k < bonds->nbond && t < b->in->nturn; ++k) {
        const int *atom = b->in->turn[t].atom, *bond = bonds->bond[k];
        turning[k] = (atom[0] == bond[0] && atom[1] == bond[1]) ||
                     (atom[0] == bond[1] && atom[1] == bond[0]);
        t += turning[k];
    }
}

static bool is_crosslink(const cardo_bonds *bonds, const int bond[2])
{
    for (int k = 0; k < bonds->ncrosslink; ++k)
        if (bonds->crosslink[k][0] == bond[0] && bonds->crosslink[k][1] == bond[1])
            return true;
    return false;
}

/* Bonds that stay rigid hold sets together, within residues or between them. Disulfides never do:
 * between pieces that move they are left to the force field. */
static void join_by_bonds(builder *b, bool links, const bool *turning)
{
    const cardo_bonds *bonds = b->in->bonds;
    const int *residue = b->in->structure->atom_residue;
    for (int k = 0; k < bonds->nbond; ++k) {
        const int *bond = bonds->bond[k];
        bool link = residue[bond[0]] != residue[bond[1]];
        if (link == links && !turning[k] && !(link && is_crosslink(bonds, bond)))
            join(b, bond[0], bond[1]);
    }
}

/* Atoms of rigid residues that no bond of the residue frees become their body's core. */
static void join_core(builder *b, int residue, const bool *freed, int *of_body)
{
    const cardo_structure *s = b->in->structure;
    int body = b->in->body_of_residue[residue];
    if (body < 0 || b->in->loose[residue])
        return;
    int anchor = root_of(b->set, anchor_of(s, residue));
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i) {
        int x = root_of(b->set, i);
        if (x != anchor && freed[x])
            continue;
        b->core[x] = body;
        if (of_body[body] < 0)
            of_body[body] = i;
        join(b, of_body[body], i);
    }
}

/* A body whose residues all turn stands on the piece in the middle of them. */
static cardo_status choose_root(builder *b, int body, int *of_body, cardo_error *error)
{
    const cardo_structure *s = b->in->structure;
    int n = 0, k = 0;
    for (int r = 0; r < s->nresidue; ++r)
        n += b->in->body_of_residue[r] == body;
    for (int r = 0; r < s->nresidue; ++r) {
        if (b->in->body_of_residue[r] != body || k++ != n / 2)
            continue;
        /* The peptide group, which has inertia about every axis; in nucleotides, the sugar. */
        of_body[body] = cardo_structure_find_atom(s, r, "C");
        if (of_body[body] < 0)
            of_body[body] = anchor_of(s, r);
        int x = root_of(b->set, of_body[body]);
        if (b->core[x] < 0) {
            b->core[x] = body;
            return CARDO_OK;
        }
    }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "nothing rigid is left of it: name residues that "
                      "keep together, or fewer that turn");
}

static cardo_status make_sets(builder *b, int *of_body, int *failed, cardo_error *error)
{
    const cardo_structure *s = b->in->structure;
    const cardo_bonds *bonds = b->in->bonds;
    cardo_status status;
    bool *turning = NULL, *freed = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&turning, bonds->nbond + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&freed, s->natom, error));
    mark_turning(b, turning);
    join_by_bonds(b, false, turning);
    for (int t = 0; t < b->in->nturn; ++t)
        for (int side = 0; side < 2; ++side)
            freed[root_of(b->set, b->in->turn[t].atom[side])] = true;
    for (int r = 0; r < s->nresidue; ++r)
        join_core(b, r, freed, of_body);
    join_by_bonds(b, true, turning);
    /* Atoms that no bond is known for stay with their residue. */
    for (int i = 0; i < s->natom; ++i)
        if (bonds->neighbour_first[i] == bonds->neighbour_first[i + 1])
            join(b, i, anchor_of(s, s->atom_residue[i]));
    for (int body = 0; body < b->in->nbody; ++body) {
        *failed = body;
        if (of_body[body] < 0)
            CARDO_TRY(choose_root(b, body, of_body, error));
    }
    *failed = -1;
done:
    cardo_free(turning);
    cardo_free(freed);
    return status;
}

static void number_nodes(builder *b, const int *of_body)
{
    int natom = b->in->structure->natom;
    for (int i = 0; i < natom; ++i) {
        int x = root_of(b->set, i);
        if (x == i) {
            b->node_of_atom[i] = b->nnode;
            b->node[b->nnode] = (node){b->core[x], i, -1, -1, b->nnode, 0, false};
            ++b->nnode;
        } else
            b->node_of_atom[i] = b->node_of_atom[x];
        ++b->node[b->node_of_atom[i]].natom;
    }
    for (int body = 0; body < b->in->nbody; ++body)
        b->node_of_body[body] = b->node_of_atom[of_body[body]];
}

static cardo_status list_ends(builder *b, cardo_error *error)
{
    cardo_status status;
    int nturn = b->in->nturn, *cursor = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&b->end, nturn + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->used, nturn + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->first, b->nnode + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->touch, 2 * nturn + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->order, b->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->reached, b->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->queue, b->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&cursor, b->nnode, error));
    for (int t = 0; t < nturn; ++t)
        for (int side = 0; side < 2; ++side) {
            b->end[t][side] = b->node_of_atom[b->in->turn[t].atom[side]];
            ++b->first[b->end[t][side] + 1];
        }
    for (int k = 0; k < b->nnode; ++k) {
        b->first[k + 1] += b->first[k];
        cursor[k] = b->first[k];
    }
    for (int t = 0; t < nturn; ++t)
        for (int side = 0; side < 2; ++side)
            b->touch[cursor[b->end[t][side]]++] = t;
done:
    cardo_free(cursor);
    return status;
}

static int far_end(const builder *b, int turn, int near)
{
    return b->end[turn][b->end[turn][0] == near];
}

static void place(builder *b, int k, int parent, int turn)
{
    b->node[k].parent = parent;
    b->node[k].turn = turn;
    b->node[k].placed = true;
    b->order[b->nplaced++] = k;
    if (turn >= 0)
        b->used[turn] = true;
}

static bool carries(const builder *b, int turn)
{
    return !b->in->closing || !b->in->closing[turn];
}

/* Searches from node `from`, over bond `start` first, through pieces that are free for it, to the
 * node `to`. b->reached then tells the way back. */
static bool search(builder *b, int from, int start, int to)
{
    int head = 0, tail = 0;
    for (int k = 0; k < b->nnode; ++k)
        b->reached[k] = -1;
    int k = far_end(b, start, from);
    b->reached[k] = start;
    b->queue[tail++] = k;
    while (head < tail) {
        k = b->queue[head++];
        if (k == to)
            return true;
        if (k == from || b->node[k].placed || b->node[k].body >= 0)
            continue;
        for (int e = b->first[k]; e < b->first[k + 1]; ++e) {
            int next = far_end(b, b->touch[e], k);
            if (b->reached[next] >= 0 || !carries(b, b->touch[e]))
                continue;
            b->reached[next] = b->touch[e];
            b->queue[tail++] = next;
        }
    }
    return false;
}

/* The way that was found, from its end: the nodes go to b->queue, the number of them is returned.
 * *fits: whether it leads through one of the residues. */
static int trace(builder *b, int from, int to, const bool *through, bool *fits)
{
    int n = 0;
    *fits = !through;
    for (int k = to; k != from; k = far_end(b, b->reached[k], k)) {
        b->queue[n++] = k;
        if (through && through[b->in->turn[b->reached[k]].residue])
            *fits = true;
    }
    return n;
}

static cardo_status place_strand(builder *b, int body, cardo_error *error)
{
    const cardo_torsion_body *rigid = &b->in->body[body];
    int from = b->node_of_body[rigid->parent], to = b->node_of_body[body];
    for (int e = b->first[from]; e < b->first[from + 1]; ++e) {
        bool fits;
        if (far_end(b, b->touch[e], from) == from || !carries(b, b->touch[e]) ||
            !search(b, from, b->touch[e], to))
            continue;
        int n = trace(b, from, to, rigid->through, &fits);
        if (!fits)
            continue;
        for (int k = n - 1; k >= 0; --k)
            place(b, b->queue[k], k == n - 1 ? from : b->queue[k + 1], b->reached[b->queue[k]]);
        return CARDO_OK;
    }
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "no strand of turning bonds ties it to its parent%s; put the residues between "
        "them in <flexible residues=\"\" torsions=\"phi psi\"/>, or give it a joint",
        rigid->through ? " through these residues" : "");
}

/* Hangs everything that turning bonds reach on what is placed, nearest first, so that loops are cut
 * halfway. */
static void spread(builder *b, int first)
{
    for (int head = first; head < b->nplaced; ++head) {
        int k = b->order[head];
        for (int e = b->first[k]; e < b->first[k + 1]; ++e) {
            int next = far_end(b, b->touch[e], k);
            if (!b->node[next].placed && carries(b, b->touch[e]))
                place(b, next, k, b->touch[e]);
        }
    }
}

static int largest_left(const builder *b)
{
    int best = -1;
    for (int k = 0; k < b->nnode; ++k)
        if (!b->node[k].placed && (best < 0 || b->node[k].natom > b->node[best].natom))
            best = k;
    return best;
}

static cardo_status grow(builder *b, int *failed, cardo_error *error)
{
    for (int body = 0; body < b->in->nbody; ++body) {
        const cardo_torsion_body *rigid = &b->in->body[body];
        if (rigid->strand) {
            cardo_status status = place_strand(b, body, error);
            *failed = body;
            if (status != CARDO_OK)
                return status;
        } else
            place(b, b->node_of_body[body], rigid->parent < 0 ? -1 : b->node_of_body[rigid->parent],
                  -1);
    }
    *failed = -1;
    spread(b, 0);
    while (b->nplaced < b->nnode) {
        place(b, largest_left(b), -1, -1);
        spread(b, b->nplaced - 1);
    }
    return CARDO_OK;
}

static int merged(builder *b, int k)
{
    while (b->node[k].into != k)
        k = b->node[k].into = b->node[b->node[k].into].into;
    return k;
}

/* What atom i adds to the moment of inertia of piece k about the bond by which it hangs. */
static double atom_inertia(const builder *b, int k, int i)
{
    const cardo_structure *s = b->in->structure;
    const int *atom = b->in->turn[b->node[k].turn].atom;
    cardo_vec3 from = v3_load(s->position + 3 * atom[0]);
    cardo_vec3 axis = v3_unit(v3_sub(v3_load(s->position + 3 * atom[1]), from));
    cardo_vec3 d = v3_cross(axis, v3_sub(v3_load(s->position + 3 * i), from));
    return cardo_element_mass(s->element[i]) * v3_dot(d, d);
}

static bool is_thin(builder *b, int k)
{
    double sum = 0;
    for (int i = 0; i < b->in->structure->natom; ++i)
        if (merged(b, b->node_of_atom[i]) == k)
            sum += atom_inertia(b, k, i);
    return sum < least_inertia;
}

/* Takes in what hangs on piece k by a bond, but not what hangs on that; false when nothing does. */
static bool absorb_children(builder *b, int k)
{
    int *child = b->queue, n = 0;
    for (int c = 0; c < b->nnode; ++c)
        if (merged(b, c) == c && c != k && b->node[c].parent >= 0 &&
            merged(b, b->node[c].parent) == k && b->node[c].turn >= 0 && b->node[c].body < 0)
            child[n++] = c;
    for (int m = 0; m < n; ++m)
        b->node[child[m]].into = k;
    return n > 0;
}

static cardo_status merge_thin(builder *b, cardo_error *error)
{
    double *inertia;
    cardo_status status = CARDO_ALLOCATE(&inertia, b->nnode, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < b->in->structure->natom; ++i)
        if (b->node[b->node_of_atom[i]].turn >= 0)
            inertia[b->node_of_atom[i]] += atom_inertia(b, b->node_of_atom[i], i);
    for (int n = b->nplaced - 1; n >= 0; --n) {
        int k = b->order[n];
        if (merged(b, k) != k || b->node[k].turn < 0 || inertia[k] >= least_inertia)
            continue;
        bool thin = is_thin(b, k);
        while (thin && absorb_children(b, k))
            thin = is_thin(b, k);
        if (thin && b->node[k].body < 0)
            b->node[k].into = merged(b, b->node[k].parent);
    }
    cardo_free(inertia);
    return CARDO_OK;
}

/* Appends the piece of node k. */
static void number_piece(builder *b, int k, int *number, cardo_torsion_tree *tree)
{
    const node *from = &b->node[k];
    number[k] = tree->npiece;
    tree->piece[tree->npiece++] =
        (cardo_torsion_piece){.body = from->body,
                              .atom = from->atom,
                              .parent = from->parent < 0 ? -1 : number[merged(b, from->parent)],
                              .turn = from->turn};
}

/* Numbers the pieces that are left so that every branch is a run: children right after parents. */
static cardo_status number_pieces(builder *b, cardo_torsion_tree *tree, cardo_error *error)
{
    cardo_status status;
    int *number = b->reached, *stack = b->queue, depth = 0, *child = NULL, *sibling = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&child, b->nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&sibling, b->nnode, error));
    for (int k = 0; k < b->nnode; ++k)
        child[k] = sibling[k] = number[k] = -1;
    for (int n = b->nplaced - 1; n >= 0; --n) {
        int k = b->order[n], parent = b->node[k].parent;
        if (merged(b, k) != k || parent < 0)
            continue;
        sibling[k] = child[merged(b, parent)];
        child[merged(b, parent)] = k;
    }
    for (int n = 0; n < b->nplaced; ++n) {
        int start = b->order[n];
        if (merged(b, start) != start || b->node[start].parent >= 0)
            continue;
        stack[depth++] = start;
        while (depth > 0) {
            int k = stack[--depth];
            number_piece(b, k, number, tree);
            if (sibling[k] >= 0)
                stack[depth++] = sibling[k];
            if (child[k] >= 0)
                stack[depth++] = child[k];
        }
    }
done:
    cardo_free(child);
    cardo_free(sibling);
    return status;
}

static void finish(builder *b, cardo_torsion_tree *tree)
{
    const cardo_structure *s = b->in->structure;
    const int *number = b->reached;
    for (int i = 0; i < s->natom; ++i) {
        tree->piece_of_atom[i] = number[merged(b, b->node_of_atom[i])];
        tree->piece[tree->piece_of_atom[i]].mass += cardo_element_mass(s->element[i]);
    }
    for (int body = 0; body < b->in->nbody; ++body)
        tree->piece_of_body[body] = number[b->node_of_body[body]];
    for (int p = 0; p < tree->npiece; ++p) {
        cardo_torsion_piece *piece = &tree->piece[p];
        if (piece->turn >= 0)
            piece->outward = tree->piece_of_atom[b->in->turn[piece->turn].atom[0]] == piece->parent;
    }
    for (int t = 0; t < b->in->nturn; ++t)
        if (!b->used[t] && tree->piece_of_atom[b->in->turn[t].atom[0]] !=
                               tree->piece_of_atom[b->in->turn[t].atom[1]])
            tree->cut[tree->ncut++] = t;
}

cardo_status cardo_torsion_tree_build(const cardo_torsion_input *input, cardo_torsion_tree *out,
                                      int *failed, cardo_error *error)
{
    cardo_status status;
    int natom = input->structure->natom, *of_body = NULL;
    builder b = {.in = input};
    *out = (cardo_torsion_tree){0};
    *failed = -1;
    CARDO_TRY(CARDO_ALLOCATE(&of_body, input->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&b.set, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&b.core, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&b.node, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&b.node_of_atom, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&b.node_of_body, input->nbody, error));
    for (int i = 0; i < natom; ++i) {
        b.set[i] = i;
        b.core[i] = -1;
    }
    for (int body = 0; body < input->nbody; ++body)
        of_body[body] = -1;
    CARDO_TRY(make_sets(&b, of_body, failed, error));
    number_nodes(&b, of_body);
    CARDO_TRY(list_ends(&b, error));
    CARDO_TRY(grow(&b, failed, error));
    CARDO_TRY(merge_thin(&b, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->piece, b.nnode, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->piece_of_atom, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->piece_of_body, input->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->cut, input->nturn + 1, error));
    CARDO_TRY(number_pieces(&b, out, error));
    finish(&b, out);
done:
    cardo_free(of_body);
    builder_clear(&b);
    return status;
}

void cardo_torsion_tree_clear(cardo_torsion_tree *tree)
{
    cardo_free(tree->piece);
    cardo_free(tree->piece_of_atom);
    cardo_free(tree->piece_of_body);
    cardo_free(tree->cut);
    *tree = (cardo_torsion_tree){0};
}
