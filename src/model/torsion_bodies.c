#include "base/memory.h"
#include "base/text.h"
#include "model/internal.h"
#include "model/near.h"
#include "structure/atoms/selection.h"
#include "topology/torsion_tree.h"

#include <stdio.h>
#include <string.h>

static const cardo_field within_fields[] = {
    {"within", CARDO_FIELD_DOUBLE, 0, "nm", "0", 0, 10, NULL, ""},
    {0},
};

/* Torsions whose residues leave the rigid part of their domain. */
static const int loosening = CARDO_TURN_BACKBONE | CARDO_TURN_OMEGA;

bool cardo_model_is_loose(const cardo_model_owners *owners, int residue)
{
    return owners->wanted && (owners->wanted[residue] & loosening);
}

static cardo_status find_residues(const cardo_model *model,
                                  const cardo_flexible_definition *flexible, const int *body,
                                  bool *mask, bool *near, cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    double within = 0;
    cardo_status status = CARDO_OK;
    if (!flexible->residues && !flexible->within)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "<flexible> needs residues=\"\" or within=\"0.6 nm\" or both");
    for (int r = 0; r < s->nresidue; ++r)
        mask[r] = true;
    if (flexible->residues)
        status = cardo_domain_select(s, flexible->residues, flexible->chain, true, mask, error);
    if (status != CARDO_OK || !flexible->within)
        return status;
    status = cardo_fields_set(within_fields, &within, "within", flexible->within, error);
    if (status == CARDO_OK)
        status = cardo_model_near(model, body, within, near, error);
    for (int r = 0; r < s->nresidue; ++r)
        mask[r] = mask[r] && near[r];
    return status;
}

static cardo_status apply_definition(const cardo_model *model,
                                     const cardo_flexible_definition *flexible,
                                     cardo_model_owners *owners, bool *mask, bool *near,
                                     cardo_error *error)
{
    int kinds;
    cardo_status status = find_residues(model, flexible, owners->body, mask, near, error);
    if (status == CARDO_OK)
        status = cardo_turn_words(flexible->torsions, &kinds, error);
    if (status != CARDO_OK)
        return status;
    if (flexible->within && (kinds & loosening))
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "within=\"%s\" chooses side chains: torsions=\"%s\" has backbone torsions; "
            "name the residues of those",
            flexible->within, flexible->torsions);
    for (int r = 0; r < model->structure[0].structure->nresidue; ++r)
        if (mask[r]) {
            owners->wanted[r] |= kinds | (flexible->rotors ? CARDO_TURN_ROTOR : 0);
            /* What turns side chains alone says nothing of how strands are closed. */
            if (flexible->rigid || (kinds & loosening)) {
                owners->rigid[r] = flexible->rigid ? flexible->place.line : 0;
                owners->ideal[r] = flexible->ideal;
                owners->omega_free[r] = flexible->omega_free;
            }
        }
    return CARDO_OK;
}

cardo_status cardo_model_find_flexible(const cardo_model *model,
                                       const cardo_model_definition *definition,
                                       cardo_model_owners *owners, cardo_error *error)
{
    cardo_status status;
    bool *mask = NULL, *near = NULL;
    int nresidue = model->structure[0].structure->nresidue;
    CARDO_TRY(CARDO_ALLOCATE(&owners->wanted, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&owners->rigid, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&owners->ideal, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&owners->omega_free, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&mask, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&near, nresidue, error));
    for (int k = 0; k < definition->nflexible; ++k) {
        const cardo_flexible_definition *flexible = &definition->flexible[k];
        char here[CARDO_PLACE_SIZE];
        status = apply_definition(model, flexible, owners, mask, near, error);
        if (status != CARDO_OK)
            cardo_error_prefix(error, "%s: ", cardo_place_text(flexible->place, here));
        CARDO_TRY(status);
    }
done:
    cardo_free(mask);
    cardo_free(near);
    return status;
}

/* What the new bodies are made from. */
typedef struct maker {
    cardo_model *model;
    const cardo_model_definition *definition;
    const cardo_model_owners *owners;
    const int *order;
    cardo_bonds *bonds;
    cardo_turn *turn;
    bool *closing; /* turns by which loops are closed rigidly (nturn) */
    cardo_torsion_body *rigid;
    bool *loose, *through; /* (nresidue), (nbody x nresidue) */
    int *own;              /* domain bodies of residues that do not turn, or -1 (nresidue) */
    cardo_torsion_tree tree;
} maker;

static void maker_clear(maker *m)
{
    cardo_bonds_destroy(m->bonds);
    cardo_free(m->turn);
    cardo_free(m->closing);
    cardo_free(m->rigid);
    cardo_free(m->loose);
    cardo_free(m->through);
    cardo_free(m->own);
    cardo_torsion_tree_clear(&m->tree);
}

static cardo_status find_turns(maker *m, int *nturn, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = m->model->structure[0].structure;
    char *templates = NULL;
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(cardo_bonds_find(s, templates, &m->bonds, error));
    CARDO_TRY(cardo_rotatable_bonds_find(s, m->bonds, m->owners->wanted, &m->turn, nturn, error));
    for (int k = 0; k < m->definition->nflexible && *nturn == 0; ++k) {
        char here[CARDO_PLACE_SIZE];
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: none of these residues has a bond with torsions=\"%s\" that turns",
                            cardo_place_text(m->definition->flexible[k].place, here),
                            m->definition->flexible[k].torsions);
    }
done:
    cardo_free(templates);
    return status;
}

/* From a residue of a hinge along the chain: the body of the domain that is next, NONE at the chain's end, TURNS where something turns before. */
enum { NONE = -1, TURNS = -2 };
static int find_next_domain(const maker *m, int residue, int step)
{
    const cardo_structure *s = m->model->structure[0].structure;
    for (int r = residue; cardo_residues_adjacent(s, step > 0 ? r : r - 1);) {
        r += step;
        if (m->loose[r])
            return TURNS;
        if (m->owners->hinge[r] < 0)
            return m->owners->body[r];
    }
    return NONE;
}

/* What does not turn in a hinge that turns elsewhere goes with the domain that is next to it along the chain, or between two that turn with neither: it is a
 * piece of the strand. */
static int find_owner(const maker *m, int residue)
{
    const int hinge = m->owners->hinge[residue], assigned = m->owners->body[residue];
    const char *with = hinge < 0 ? NULL : m->definition->hinge[hinge].with;
    if (hinge < 0 || m->loose[residue] || (with && strcmp(with, "nearest-cut") != 0))
        return assigned;
    const int left = find_next_domain(m, residue, -1), right = find_next_domain(m, residue, +1);
    if (left != TURNS && right != TURNS)
        return assigned;
    return left >= 0 ? left : right >= 0 ? right : -1;
}

/* How the domain bodies hang, as the tree wants to know it. */
static cardo_status describe_rigid(maker *m, cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = m->model;
    const cardo_structure *s = model->structure[0].structure;
    CARDO_TRY(CARDO_ALLOCATE(&m->rigid, model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->loose, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->through, model->nbody * s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->own, s->nresidue, error));
    for (int r = 0; r < s->nresidue; ++r)
        m->loose[r] = cardo_model_is_loose(m->owners, r);
    for (int r = 0; r < s->nresidue; ++r)
        m->own[r] = find_owner(m, r);
    for (int b = 0; b < model->nbody; ++b) {
        const cardo_joint_definition *joint = &m->definition->body[m->order[b]].joint;
        m->rigid[b] = (cardo_torsion_body){.parent = model->body[b].parent,
                                           .strand = !model->body[b].mobilizer};
        if (!joint->through || !m->rigid[b].strand)
            continue;
        bool *mask = m->through + (size_t)b * (size_t)s->nresidue;
        char here[CARDO_PLACE_SIZE];
        status = cardo_select_residues(s, joint->through, true, mask, error);
        if (status != CARDO_OK)
            cardo_error_prefix(error, "%s: through: ", cardo_place_text(joint->place, here));
        CARDO_TRY(status);
        m->rigid[b].through = mask;
    }
done:
    return status;
}

/* Frame whose z axis runs along the bond to the atom that turns: q is the change of the torsion. */
static void place_pin(cardo_model_body *body, const cardo_structure *s, const cardo_turn *turn,
                      bool outward)
{
    body->torsion = turn->kind;
    body->bond[0] = turn->atom[!outward];
    body->bond[1] = turn->atom[outward];
    cardo_vec3 from = v3_load(s->position + 3 * body->bond[0]);
    cardo_vec3 to = v3_load(s->position + 3 * body->bond[1]);
    cardo_vec3 z = v3_unit(v3_sub(to, from)), x = v3_perpendicular(z);
    body->mobilizer = &cardo_mobilizer_pin;
    body->X_GF = (cardo_transform){m33_from_columns(x, v3_cross(z, x), z), to};
}

/* The body of a piece: a domain body taken over, or a new one. */
static cardo_status make_body(const maker *m, const cardo_torsion_piece *piece,
                              cardo_model_body *old, cardo_model_body *body, cardo_error *error)
{
    const cardo_structure *s = m->model->structure[0].structure;
    char name[80], label[40];
    bool adopted = piece->body >= 0;
    cardo_status status = CARDO_OK;
    if (adopted) {
        *body = old[piece->body];
        old[piece->body] = (cardo_model_body){0};
        memset(body->residue, 0, (size_t)s->nresidue * sizeof *body->residue);
    } else {
        snprintf(name, sizeof name, "%s.piece",
                 cardo_residue_label(s, s->atom_residue[piece->atom], label));
        if (piece->turn >= 0)
            cardo_turn_name(s, &m->turn[piece->turn], name);
        *body = (cardo_model_body){.piece = true,
                                   .line = m->definition->place.line,
                                   .X_GF = xform_identity(),
                                   .mobilizer = &cardo_mobilizer_free};
        if (m->definition->nflexible > 0)
            body->line = m->definition->flexible[0].place.line;
        CARDO_TRY(cardo_copy_string(&body->name, name, error));
        CARDO_TRY(CARDO_ALLOCATE(&body->residue, s->nresidue, error));
        CARDO_TRY(CARDO_ALLOCATE(&body->domain, s->nresidue, error));
    }
    body->parent = piece->parent;
    if (piece->turn >= 0)
        place_pin(body, s, &m->turn[piece->turn], piece->outward);
done:
    return status;
}

static cardo_status replace_bodies(maker *m, cardo_error *error)
{
    cardo_status status;
    cardo_model *model = m->model;
    const cardo_structure *s = model->structure[0].structure;
    cardo_model_body *old = model->body;
    int nold = model->nbody;
    cardo_model_body *body = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&model->atom_body, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&body, m->tree.npiece, error));
    model->body = body;
    model->nbody = 0;
    for (int p = 0; p < m->tree.npiece; ++p) {
        ++model->nbody;
        CARDO_TRY(make_body(m, &m->tree.piece[p], old, &body[p], error));
    }
    for (int i = 0; i < s->natom; ++i) {
        model->atom_body[i] = m->tree.piece_of_atom[i];
        body[model->atom_body[i]].residue[s->atom_residue[i]] = true;
    }
    for (int p = 0; p < model->nbody; ++p)
        if (!body[p].selection)
            CARDO_TRY(cardo_selection_text(s, body[p].residue, &body[p].selection, error));
done:
    for (int b = 0; body && b < nold; ++b)
        cardo_model_body_clear(&old[b]);
    if (body)
        cardo_free(old);
    return status;
}

static cardo_model_cut *add_loop(cardo_model *model, const int atom[2], const int *rigid)
{
    cardo_model_cut *cut = &model->cut[model->ncut++];
    *cut = (cardo_model_cut){.loop = true};
    for (int side = 0; side < 2; ++side) {
        cut->atom[side] = atom[side];
        cut->residue[side] = model->structure[0].structure->atom_residue[atom[side]];
        cut->body[side] = model->atom_body[atom[side]];
        if (rigid[cut->residue[side]])
            cut->line = rigid[cut->residue[side]];
    }
    cut->rigid = cut->line > 0;
    return cut;
}

/* What closes a cut peptide bond rigidly: the torsion turns where it was asked to, or to do so here. */
static void describe_closure(const maker *m, int turn, cardo_model_cut *cut)
{
    const int residue = m->turn[turn].residue;
    cut->is_peptide =
        cut->rigid && m->closing[turn] &&
        cardo_peptide_group_find(m->model->structure[0].structure, m->bonds, residue, &cut->group);
    if (!cut->is_peptide)
        return;
    cut->ideal = m->owners->ideal[residue] || m->owners->ideal[residue + 1];
    cut->omega_free = (m->owners->wanted[residue] & CARDO_TURN_OMEGA) ||
                      m->owners->omega_free[residue] || m->owners->omega_free[residue + 1];
}

/* Bonds that would turn but close a loop, and crosslinks that do. */
static cardo_status list_loops(maker *m, cardo_error *error)
{
    cardo_model *model = m->model;
    const cardo_bonds *bonds = m->bonds;
    cardo_status status = CARDO_ALLOCATE(&model->cut, m->tree.ncut + bonds->ncrosslink, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < m->tree.ncut; ++k)
        describe_closure(m, m->tree.cut[k],
                         add_loop(model, m->turn[m->tree.cut[k]].atom, m->owners->rigid));
    for (int k = 0; k < bonds->ncrosslink; ++k)
        if (model->atom_body[bonds->crosslink[k][0]] != model->atom_body[bonds->crosslink[k][1]])
            add_loop(model, bonds->crosslink[k], m->owners->rigid);
    return CARDO_OK;
}

static cardo_status grow_tree(maker *m, int nturn, cardo_error *error)
{
    const cardo_model *model = m->model;
    int failed;
    cardo_torsion_input input = {.structure = model->structure[0].structure,
                                 .bonds = m->bonds,
                                 .nbody = model->nbody,
                                 .body = m->rigid,
                                 .body_of_residue = m->own,
                                 .loose = m->loose,
                                 .nturn = nturn,
                                 .turn = m->turn,
                                 .closing = m->closing};
    cardo_status status = cardo_torsion_tree_build(&input, &m->tree, &failed, error);
    if (status != CARDO_OK && failed >= 0) {
        char here[CARDO_PLACE_SIZE];
        cardo_error_prefix(error, "%s: body '%s': ",
                           cardo_place_text(m->definition->body[m->order[failed]].place, here),
                           model->body[failed].name);
    }
    return status;
}

/* The peptide bond beside a bond of the backbone at which the tree would cut a rigid strand: before phi, behind psi. */
static bool closes_at(const maker *m, int turn, cardo_peptide_group *group)
{
    const cardo_turn *t = &m->turn[turn];
    const int before = t->residue - (t->kind & CARDO_TURN_PHI ? 1 : 0);
    return m->owners->rigid[t->residue] &&
           (t->kind & (CARDO_TURN_PHI | CARDO_TURN_PSI | CARDO_TURN_OMEGA)) &&
           cardo_peptide_group_find(m->model->structure[0].structure, m->bonds, before, group);
}

static bool is_bond(const int bond[2], int a, int b)
{
    return (bond[0] == a && bond[1] == b) || (bond[0] == b && bond[1] == a);
}

/* Puts the peptide bonds at which rigid strands are to be cut among the turning ones, in the order of bonds. */
static cardo_status list_closing(maker *m, int *nturn, cardo_error *error)
{
    cardo_status status;
    const cardo_bonds *bonds = m->bonds;
    const cardo_structure *s = m->model->structure[0].structure;
    cardo_turn *turn = NULL;
    bool *closing = NULL;
    int n = 0, old = 0;
    CARDO_TRY(CARDO_ALLOCATE(&turn, *nturn + m->tree.ncut + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&closing, *nturn + m->tree.ncut + 1, error));
    for (int k = 0; k < bonds->nbond; ++k) {
        const bool turns =
            old < *nturn && is_bond(bonds->bond[k], m->turn[old].atom[0], m->turn[old].atom[1]);
        cardo_peptide_group group;
        bool closes = false;
        for (int c = 0; c < m->tree.ncut && !closes; ++c)
            closes =
                closes_at(m, m->tree.cut[c], &group) && is_bond(bonds->bond[k], group.c, group.n);
        if (turns)
            turn[n] = m->turn[old++];
        else if (closes)
            turn[n] =
                (cardo_turn){{group.c, group.n}, s->atom_residue[group.c], CARDO_TURN_OMEGA, 0};
        closing[n] = closes;
        n += turns || closes;
    }
    cardo_free(m->turn);
    m->turn = turn;
    m->closing = closing;
    *nturn = n;
    turn = NULL;
    closing = NULL;
done:
    cardo_free(turn);
    cardo_free(closing);
    return status;
}

/* Rigid strands are cut at a peptide bond, whose group's own coordinates close them; a first tree tells which. */
static cardo_status build_tree(maker *m, int *nturn, cardo_error *error)
{
    bool any = false;
    cardo_peptide_group group;
    cardo_status status = grow_tree(m, *nturn, error);
    for (int c = 0; c < m->tree.ncut && status == CARDO_OK; ++c)
        any |= closes_at(m, m->tree.cut[c], &group);
    if (status == CARDO_OK)
        status = list_closing(m, nturn, error);
    if (status != CARDO_OK || !any)
        return status;
    cardo_torsion_tree_clear(&m->tree);
    return grow_tree(m, *nturn, error);
}

cardo_status cardo_model_make_flexible(cardo_model *model, const cardo_model_definition *definition,
                                       const cardo_model_owners *owners, const int *order,
                                       cardo_error *error)
{
    cardo_status status;
    maker m = {.model = model, .definition = definition, .owners = owners, .order = order};
    int nturn = 0;
    bool strands = false;
    for (int b = 0; b < model->nbody; ++b)
        strands |= !model->body[b].mobilizer;
    if (definition->nflexible == 0 && !strands)
        return CARDO_OK;
    CARDO_TRY(find_turns(&m, &nturn, error));
    CARDO_TRY(describe_rigid(&m, error));
    CARDO_TRY(build_tree(&m, &nturn, error));
    CARDO_TRY(replace_bodies(&m, error));
    CARDO_TRY(list_loops(&m, error));
done:
    maker_clear(&m);
    return status;
}
