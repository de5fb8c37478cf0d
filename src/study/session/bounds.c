#include "study/session/bounds.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "forces/relax/approaches.h"
#include "forces/relax/thermal_bounds.h"
#include "multibody/tree/operators.h"
#include "topology/rotatable_bonds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void cardo_bounds_view_clear(cardo_bounds_view *view)
{
    cardo_thermal_bounds_destroy(view->thermal);
    cardo_approaches_destroy(view->approaches);
    for (int k = 0; view->known && k < view->nknown; ++k)
        cardo_free(view->known[k]);
    cardo_free(view->known);
    cardo_free(view->strand);
    cardo_free(view->strand_of_residue);
    cardo_free(view->positions);
    cardo_broken_bounds_clear(&view->broken);
    *view = (cardo_bounds_view){0};
}

/* Residues of strands get 0, all others -1. */
static void mark_residues(const cardo_model *model, int *mark)
{
    const cardo_structure *s = model->structure[0].structure;
    const int backbone = CARDO_TURN_BACKBONE | CARDO_TURN_OMEGA;
    for (int r = 0; r < s->nresidue; ++r)
        mark[r] = -1;
    for (int b = 0; b < model->nbody; ++b)
        for (int side = 0; side < 2 && (model->body[b].torsion & backbone); ++side)
            mark[s->atom_residue[model->body[b].bond[side]]] = 0;
    for (int c = 0; c < model->ncut; ++c)
        for (int side = 0; side < 2 && !model->cut[c].broken; ++side)
            mark[model->cut[c].residue[side]] = 0;
}

static cardo_status number_strands(cardo_bounds_view *view, cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = view->session->model;
    const cardo_structure *s = model->structure[0].structure;
    int *mark;
    CARDO_TRY(CARDO_ALLOCATE(&view->strand_of_residue, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&view->strand, s->nresidue, error));
    mark = view->strand_of_residue;
    mark_residues(model, mark);
    for (int r = 0; r < s->nresidue; ++r) {
        if (mark[r] < 0)
            continue;
        const bool goes_on =
            r > 0 && mark[r - 1] >= 0 && s->residue_chain[r] == s->residue_chain[r - 1];
        if (!goes_on)
            view->strand[view->nstrand++].first = r;
        view->strand[view->nstrand - 1].last = r;
        mark[r] = view->nstrand - 1;
    }
done:
    return status;
}

/* Positions of the reference's atoms as one of the structures has them. */
static void take_known(const cardo_model *model, int structure, double *known)
{
    const cardo_structure *s = model->structure[0].structure;
    const cardo_model_structure *entry = &model->structure[structure];
    const size_t size = 3 * (size_t)s->natom * sizeof *known;
    if (structure == 0) {
        memcpy(known, model->deposited ? model->deposited : s->position, size);
        return;
    }
    for (int i = 0; i < s->natom; ++i) {
        const int residue = entry->match[s->atom_residue[i]];
        const int atom = residue < 0 ? -1
                                     : cardo_structure_find_atom(entry->structure, residue,
                                                                 s->atom_name[i].text);
        for (int axis = 0; axis < 3; ++axis)
            known[3 * i + axis] =
                atom < 0 ? (double)NAN : entry->structure->position[3 * atom + axis];
    }
}

/* Those of the structures; and of the model as it stands where side chains were taken from another structure, since what that has brought near
 * was not brought by the motion. */
static cardo_status take_all_known(cardo_bounds_view *view, cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = view->session->model;
    const cardo_structure *s = model->structure[0].structure;
    const size_t size = 3 * (size_t)s->natom;
    const int n = model->nstructure + (model->deposited != NULL);
    CARDO_TRY(CARDO_ALLOCATE(&view->known, n, error));
    for (; view->nknown < n; ++view->nknown) {
        CARDO_TRY(CARDO_ALLOCATE(&view->known[view->nknown], size, error));
        if (view->nknown < model->nstructure)
            take_known(model, view->nknown, view->known[view->nknown]);
        else
            memcpy(view->known[view->nknown], s->position, size * sizeof *s->position);
    }
done:
    return status;
}

/* Peptide bonds of which a residue is in a strand. */
static int list_omegas(const cardo_bounds_view *view, cardo_omega *omega)
{
    static const char *const names[4] = {"CA", "C", "N", "CA"};
    const cardo_terms *terms = view->session->terms;
    const cardo_structure *s = view->session->model->structure[0].structure;
    int n = 0;
    for (int k = 0; k < terms->nbond; ++k) {
        const cardo_bond_term bond = cardo_terms_bond(terms, k);
        const int a = bond.a, b = bond.b;
        const bool a_first = s->atom_residue[a] < s->atom_residue[b];
        const int residue[2] = {s->atom_residue[a_first ? a : b], s->atom_residue[a_first ? b : a]};
        cardo_omega found = {.strand = view->strand_of_residue[residue[0]]};
        bool complete = residue[0] != residue[1];
        if (found.strand < 0)
            found.strand = view->strand_of_residue[residue[1]];
        for (int j = 0; j < 4; ++j) {
            found.atom[j] = cardo_structure_find_atom(s, residue[j / 2], names[j]);
            complete = complete && found.atom[j] >= 0;
        }
        if (complete && found.strand >= 0 && found.atom[1] == (a_first ? a : b) &&
            found.atom[2] == (a_first ? b : a))
            omega[n++] = found;
    }
    return n;
}

static cardo_status make_bounds(cardo_bounds_view *view, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = view->session;
    const cardo_structure *s = session->model->structure[0].structure;
    int *strand_of_atom = NULL;
    cardo_omega *omega = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&strand_of_atom, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&omega, session->terms->nbond, error));
    for (int i = 0; i < s->natom; ++i)
        strand_of_atom[i] = view->strand_of_residue[s->atom_residue[i]];
    const cardo_thermal_question thermal = {.terms = session->terms,
                                            .body_of_atom = session->model->atom_body,
                                            .strand_of_atom = strand_of_atom,
                                            .nomega = list_omegas(view, omega),
                                            .omega = omega,
                                            .nknown = view->nknown,
                                            .known = (const double *const *)view->known};
    const cardo_approach_question approaches = {.terms = session->terms,
                                                .body_of_atom = session->model->atom_body,
                                                .element = s->element,
                                                .nknown = view->nknown,
                                                .known = (const double *const *)view->known};
    CARDO_TRY(cardo_thermal_bounds_create(&thermal, &view->thermal, error));
    CARDO_TRY(cardo_approaches_create(&approaches, &view->approaches, error));
done:
    cardo_free(strand_of_atom);
    cardo_free(omega);
    return status;
}

cardo_status cardo_bounds_view_open(const cardo_session *session, cardo_bounds_view *view,
                                    cardo_error *error)
{
    cardo_status status;
    *view = (cardo_bounds_view){.session = session};
    if (!session->terms)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "bounds of bonds and contacts are those of a force field's terms: name "
                          "force-field files, or a prmtop, in <forcefield>");
    CARDO_TRY(CARDO_ALLOCATE(&view->positions,
                             3 * (size_t)session->model->structure[0].structure->natom, error));
    CARDO_TRY(number_strands(view, error));
    CARDO_TRY(take_all_known(view, error));
    CARDO_TRY(make_bounds(view, error));
done:
    return status;
}

cardo_status cardo_bounds_view_look_at(cardo_bounds_view *view, const double *positions,
                                       cardo_error *error)
{
    cardo_broken_bounds_empty(&view->broken);
    cardo_status status = cardo_thermal_bounds_look(view->thermal, positions, &view->broken, error);
    if (status == CARDO_OK)
        status = cardo_approaches_look(view->approaches, positions, &view->broken, error);
    cardo_broken_bounds_sort(&view->broken);
    return status;
}

cardo_status cardo_bounds_view_look(cardo_bounds_view *view, const cardo_state *state,
                                    cardo_error *error)
{
    cardo_status status =
        cardo_station_positions(view->session->system, state, view->positions, error);
    return status == CARDO_OK ? cardo_bounds_view_look_at(view, view->positions, error) : status;
}

char *cardo_broken_bound_text(const cardo_session *session, const cardo_broken_bound *broken,
                              char text[CARDO_BROKEN_BOUND_TEXT])
{
    const cardo_structure *s = session->model->structure[0].structure;
    const double unit = broken->natom == 2 ? CARDO_ANGSTROM : CARDO_DEGREE;
    char atoms[160] = "", label[40];
    int used = 0;
    for (int k = 0; k < broken->natom; ++k) {
        const int atom = broken->atom[k], residue = s->atom_residue[atom];
        const bool named = k > 0 && residue == s->atom_residue[broken->atom[k - 1]];
        used += snprintf(atoms + used, sizeof atoms - (size_t)used, "%s%s%s%s", k ? " - " : "",
                         named ? "" : cardo_residue_label(s, residue, label), named ? "" : " ",
                         s->atom_name[atom].text);
    }
    if (broken->kind == CARDO_BOUND_CONTACT)
        cardo_format(text, CARDO_BROKEN_BOUND_TEXT, "contact %s %.2f A (%.2f or more)", atoms,
                     broken->value / unit, broken->low / unit);
    else
        cardo_format(text, CARDO_BROKEN_BOUND_TEXT,
                     broken->natom == 2 ? "%s %s %.2f A (%.2f to %.2f)"
                                        : "%s %s %.0f degrees (%.0f to %.0f)",
                     cardo_bound_kind_names[broken->kind], atoms, broken->value / unit,
                     broken->low / unit, broken->high / unit);
    return text;
}
