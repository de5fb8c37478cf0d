#include "study/info.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/coarse/kind.h"
#include "multibody/tree/operators.h"
#include "structure/atoms/residue.h"
#include "structure/atoms/selection.h"
#include "study/clashes.h"
#include "study/ligands/ligands.h"
#include "study/reference/all_atoms.h"
#include "study/session/assembly.h"
#include "study/session/course.h"
#include "study/session/loops.h"
#include "study/session/result.h"
#include "study/session/study.h"
#include "topology/rotatable_bonds.h"

#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int matched_residues(const cardo_model *model, int structure)
{
    int n = 0;
    for (int r = 0; r < model->structure[0].structure->nresidue; ++r)
        n += model->structure[structure].match[r] >= 0;
    return n;
}

static cardo_status add_structures(const cardo_model *model, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity id = {"id", .style = "-12s"},
                                identity = {"identity", .style = ".1p",
                                            .meaning = "share of matched residues that are alike"},
                                unusual = {"unusual_states",
                                           .meaning = "protonation states other than the usual"};
    char left_out[CARDO_DROPPED_TEXT];
    cardo_result *table = cardo_result_table(into, "structures", "structure");
    for (int k = 0; k < model->nstructure; ++k) {
        const cardo_model_structure *s = &model->structure[k];
        cardo_result_row(table);
        cardo_result_text(table, &id, s->id);
        cardo_result_text(table, &(cardo_quantity){"file"}, s->path);
        cardo_result_text(table, &(cardo_quantity){"name"}, base_name(s->path));
        cardo_result_integer(table, &(cardo_quantity){"residues"}, s->structure->nresidue);
        cardo_result_integer(table, &(cardo_quantity){"atoms"}, s->structure->natom);
        if (k > 0) {
            cardo_result_integer(table, &(cardo_quantity){"matched"}, matched_residues(model, k));
            cardo_result_number(table, &identity, s->identity);
        } else {
            cardo_result_text(table, &(cardo_quantity){"role"}, "reference");
        }
        if (s->ndropped)
            cardo_result_text(table, &(cardo_quantity){"left_out"},
                              cardo_dropped_text(s->dropped, s->ndropped, left_out));
        if (s->note)
            cardo_result_text(table, &(cardo_quantity){"note"}, s->note);
        char *states;
        const cardo_status status = cardo_unusual_states_text(s->structure, &states, error);
        if (status != CARDO_OK)
            return status;
        if (states)
            cardo_result_text(table, &unusual, states);
        cardo_free(states);
    }
    return CARDO_OK;
}

/* How many bodies turn about a bond of the backbone, and of a side chain. */
static void count_torsions(const cardo_model *model, int *backbone, int *side_chain)
{
    *backbone = *side_chain = 0;
    for (int b = 0; b < model->nbody; ++b) {
        bool chi = model->body[b].torsion & CARDO_TURN_CHI;
        *backbone += model->body[b].torsion && !chi;
        *side_chain += chi;
    }
}

static cardo_status add_torsions(const cardo_model *model, cardo_result *into, cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    int backbone, side_chain;
    char *text = NULL;
    bool *mark;
    count_torsions(model, &backbone, &side_chain);
    cardo_result_integer(into, &(cardo_quantity){"backbone_torsions"}, backbone);
    cardo_result_integer(into, &(cardo_quantity){"side_chain_torsions"}, side_chain);
    if (backbone + side_chain == 0)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&mark, s->nresidue, error);
    for (int b = 0; status == CARDO_OK && b < model->nbody; ++b)
        if (model->body[b].torsion)
            mark[s->atom_residue[model->body[b].bond[0]]] = true;
    if (status == CARDO_OK)
        status = cardo_selection_text(s, mark, &text, error);
    if (status == CARDO_OK)
        cardo_result_text(into, &(cardo_quantity){"torsion_residues"}, text);
    cardo_free(text);
    cardo_free(mark);
    return status;
}

/* The residues of a body, and for people those that are no water, which is counted: crystals have hundreds, one by
 * one. */
static cardo_status add_residues(const cardo_model *model, const cardo_model_body *body,
                                 cardo_result *row, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = model->structure[0].structure;
    char *all = NULL, *dry = NULL;
    bool *mark = NULL;
    int nwater = 0;
    CARDO_TRY(cardo_selection_text(s, body->residue, &all, error));
    cardo_result_text(row, &(cardo_quantity){"residues"}, all);
    if (body->piece)
        goto done;
    CARDO_TRY(CARDO_ALLOCATE(&mark, s->nresidue, error));
    for (int r = 0; r < s->nresidue; ++r) {
        bool water = cardo_residue_is_water(s->residue_name[r].text);
        mark[r] = body->residue[r] && !water;
        nwater += body->residue[r] && water;
    }
    CARDO_TRY(cardo_selection_text(s, mark, &dry, error));
    cardo_result_text(row, &(cardo_quantity){"residues_but_water"}, dry);
    if (nwater > 0)
        cardo_result_integer(row, &(cardo_quantity){"waters"}, nwater);
done:
    cardo_free(all);
    cardo_free(dry);
    cardo_free(mark);
    return status;
}

static const char *path_kind(const cardo_model_body *body)
{
    static const char *const names[] = {"screw", "euler", "spline"};
    return names[((const cardo_path *)body->parameters)->kind];
}

/* " with twist and bend beside it", or nothing. */
static const char *path_extras(const cardo_model_body *body, char text[128])
{
    const cardo_path *path = body->parameters;
    int used = 0;
    text[0] = '\0';
    for (int k = 0; k < path->nextra; ++k)
        used += snprintf(text + used, 128 - (size_t)used, "%s%s",
                         k == 0                  ? " with "
                         : k == path->nextra - 1 ? " and "
                                                 : ", ",
                         path->extra[k].name);
    if (used)
        snprintf(text + used, 128 - (size_t)used, " beside it");
    return text;
}

static void add_vector(cardo_result *into, const cardo_quantity *what, cardo_vec3 v)
{
    cardo_result_vector(into, what, 3, (const double[3]){v.x, v.y, v.z});
}

/* How near the fit comes to each structure. */
static void add_fitted(const cardo_path_fit *fit, cardo_result *into)
{
    static const cardo_quantity q = {"q", .style = ".0f"},
                                stationary = {"rmsd_stationary_A", "RMSD of the stationary part",
                                              "A", ".3f"},
                                mobile = {"rmsd_mobile_A", "RMSD of the mobile part", "A", ".3f"},
                                rotation = {"motion_R", .meaning = "rotation from the first one"},
                                translation = {"motion_t_A", "translation", "A"};
    static const cardo_axis axes[2] = {{"row", 3}, {"column", 3}};
    cardo_result *table = cardo_result_table(into, "structures", "structure");
    for (int k = 0; k < fit->nstructure; ++k) {
        double R[9];
        for (int i = 0; i < 9; ++i)
            R[i] = fit->motion[k].R.m[i / 3][i % 3];
        cardo_result_row(table);
        cardo_result_number(table, &q, k);
        cardo_result_number(table, &stationary, angstroms * fit->rmsd_stationary[k]);
        cardo_result_number(table, &mobile, angstroms * fit->rmsd_mobile[k]);
        cardo_result_values(table, &rotation, 2, axes, R);
        add_vector(table, &translation, v3_scale(angstroms, fit->motion[k].p));
    }
}

static void add_fit(const cardo_model_body *body, cardo_result *row)
{
    static const cardo_quantity angle = {"angle_deg", "rotation", "degree", ".3f"},
                                axis = {"axis", .style = ".4f"},
                                point = {"point_A", "point on the axis", "A", ".2f"},
                                along = {"translation_along_axis_A", "translation along the axis",
                                         "A", "+.3f"},
                                closure = {"percent_closure", "closure", "%", ".1f"},
                                twist = {"percent_twist", "twist", "%", ".1f"},
                                euler = {"euler_xyz_body_deg", "Euler angles", "degree", ".3f"},
                                hinge = {"hinge_A", "hinge point", "A", ".2f"},
                                moved = {"displacement_of_hinge_A", "displacement", "A", ".3f"},
                                together = {"rmsd_moved_A", "RMSD, bodies moved", "A", ".3f"},
                                global = {"rmsd_global_A", "RMSD, one body", "A", ".3f"};
    const cardo_path_fit *fit = body->fit;
    cardo_result *path = cardo_result_group(row, "path");
    char beside[128];
    cardo_result_text(path, &(cardo_quantity){"interpolation"}, path_kind(body));
    cardo_result_number(path, &angle, fit->angle / CARDO_DEGREE);
    add_vector(path, &axis, fit->axis);
    add_vector(path, &point, v3_scale(angstroms, fit->point));
    cardo_result_number(path, &along, angstroms * fit->translation);
    cardo_result_number(path, &closure, fit->percent_closure);
    cardo_result_number(path, &twist, 100 - fit->percent_closure);
    add_vector(path, &euler, v3_scale(1.0 / CARDO_DEGREE, fit->euler));
    add_vector(path, &hinge, v3_scale(angstroms, fit->hinge));
    add_vector(path, &moved, v3_scale(angstroms, fit->displacement));
    cardo_result_integer(path, &(cardo_quantity){"n_stationary"}, fit->nstationary);
    cardo_result_integer(path, &(cardo_quantity){"n_mobile"}, fit->nmobile);
    cardo_result_number(path, &together, angstroms * fit->rmsd_moved);
    cardo_result_number(path, &global, angstroms * fit->rmsd_global);
    cardo_result_integer(path, &(cardo_quantity){"last_q"}, fit->nstructure - 1);
    cardo_result_text(path, &(cardo_quantity){"beside"}, path_extras(body, beside));
    add_fitted(fit, path);
}

static cardo_status add_body(const cardo_session *session, int b, cardo_result *table,
                             cardo_error *error)
{
    static const cardo_quantity name = {"name", .style = "-12s"},
                                mass = {"mass_Da", "mass", "Da", ".1f"};
    const cardo_model *model = session->model;
    const cardo_model_body *body = &model->body[b];
    cardo_body_info info;
    cardo_system_body(session->system, b + 1, &info);
    cardo_result_row(table);
    cardo_result_text(table, &name, body->name);
    cardo_status status = add_residues(model, body, table, error);
    cardo_result_integer(table, &(cardo_quantity){"atoms"}, body->natom);
    cardo_result_number(table, &mass, body->mass);
    cardo_result_number(table, &(cardo_quantity){"mass_factor"},
                        body->mass_factor > 0 ? body->mass_factor : 1);
    if (body->mass_factor > 0)
        cardo_result_number(table, &(cardo_quantity){"mass_was_multiplied_by"}, body->mass_factor);
    cardo_result_text(table, &(cardo_quantity){"parent"},
                      body->parent < 0 ? "ground" : model->body[body->parent].name);
    cardo_result_text(table, &(cardo_quantity){"mobilizer"}, cardo_mobilizer_name(info.mobilizer));
    cardo_result_integer(table, &(cardo_quantity){"nq"}, info.nq);
    cardo_result_integer(table, &(cardo_quantity){"nu"}, info.nu);
    if (body->fit)
        add_fit(body, table);
    return status;
}

static cardo_status add_bodies(const cardo_session *session, cardo_result *into, cardo_error *error)
{
    const cardo_model *model = session->model;
    cardo_status status = CARDO_OK;
    cardo_result *table = cardo_result_table(into, "bodies", "body");
    for (int b = 0; b < model->nbody && status == CARDO_OK; ++b)
        status = add_body(session, b, table, error);
    cardo_result_integer(into, &(cardo_quantity){"number_of_bodies"}, model->nbody);
    cardo_result_integer(into, &(cardo_quantity){"degrees_of_freedom"},
                         session->assembled.freedoms);
    if (model->nadopted)
        cardo_result_integer(into, &(cardo_quantity){"residues_adopted"}, model->nadopted);
    return status == CARDO_OK ? add_torsions(model, into, error) : status;
}

enum { FRACTIONS = 5 };
static const double fractions[FRACTIONS] = {0, 0.25, 0.5, 0.75, 1};

static void add_cut(const cardo_model *model, int c, int n, const double *nm, cardo_result *table)
{
    static const cardo_quantity length = {"length_A", "bond length", "A", "6.3f",
                                          .meaning = "along the path"};
    const cardo_model_cut *cut = &model->cut[c];
    char label[40];
    double lengths[FRACTIONS];
    for (int k = 0; k < n; ++k)
        lengths[k] = angstroms * nm[k];
    cardo_result_row(table);
    for (int k = 0; k < 2; ++k)
        cardo_result_text(
            table, &(cardo_quantity){k ? "second" : "first"},
            cardo_residue_label(model->structure[0].structure, cut->residue[k], label));
    cardo_result_vector(table, &length, n, lengths);
    if (cut->broken || cut->loop)
        cardo_result_text(table, &(cardo_quantity){"note"},
                          cut->broken  ? "gap in the chain"
                          : cut->rigid ? "closed by a constraint"
                                       : "closes a loop");
}

typedef struct measuring {
    const cardo_session *session;
    double *positions, *lengths; /* (natom x 3), (ncut x FRACTIONS) */
} measuring;

static cardo_status measure_here(void *context, int place, cardo_error *error)
{
    measuring *m = context;
    const cardo_model *model = m->session->model;
    const cardo_status status =
        cardo_station_positions(m->session->system, m->session->state, m->positions, error);
    for (int c = 0; c < model->ncut && status == CARDO_OK; ++c)
        m->lengths[c * FRACTIONS + place] =
            v3_norm(v3_sub(v3_load(m->positions + 3 * model->cut[c].atom[1]),
                           v3_load(m->positions + 3 * model->cut[c].atom[0])));
    return status;
}

/* Of all cuts, nm, at *n of the places: with constraints as far as they let the paths go. */
static cardo_status measure_cuts(const cardo_session *session, double *lengths, int *n,
                                 cardo_error *error)
{
    cardo_status status;
    measuring m = {session, NULL, lengths};
    *n = FRACTIONS;
    if (!cardo_session_is_constrained(session) || !cardo_session_has_course(session))
        return cardo_model_cut_lengths(session->model, FRACTIONS, fractions, lengths, error);
    CARDO_TRY(
        CARDO_ALLOCATE(&m.positions, 3 * session->model->structure[0].structure->natom, error));
    CARDO_TRY(cardo_session_course(session, FRACTIONS, fractions, measure_here, &m, n, error));
done:
    cardo_free(m.positions);
    return status;
}

static cardo_status add_cuts(const cardo_session *session, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity places = {"cuts_at_q", "q", .style = ".2f"};
    const cardo_model *model = session->model;
    double *lengths;
    int n = 0;
    cardo_result *table = cardo_result_table(into, "cuts", "strand");
    cardo_status status = CARDO_ALLOCATE(&lengths, model->ncut * FRACTIONS, error);
    if (status == CARDO_OK && model->ncut)
        status = measure_cuts(session, lengths, &n, error);
    for (int c = 0; c < model->ncut && status == CARDO_OK; ++c)
        add_cut(model, c, n, lengths + c * FRACTIONS, table);
    if (model->ncut)
        cardo_result_vector(into, &places, n, fractions);
    cardo_free(lengths);
    return status;
}

static void add_coarse(const cardo_coarse_energy *energy, cardo_result *into)
{
    static const cardo_quantity barrier = {"barrier_kJ_per_mol", "barrier", "kJ/mol"},
                                difference = {"difference_kJ_per_mol", "difference", "kJ/mol"};
    cardo_result *coarse = cardo_result_group(into, "coarse_grained");
    cardo_result_text(coarse, &(cardo_quantity){"kind"}, energy->kind->name);
    cardo_result_integer(coarse, &(cardo_quantity){"sites"}, energy->sites.nsite);
    cardo_result_text(coarse, &(cardo_quantity){"summary"}, energy->summary);
    if (!energy->wells.two)
        return;
    cardo_result_vector(coarse, &(cardo_quantity){"wells_fraction"}, 2, energy->wells.well);
    cardo_result_number(coarse, &(cardo_quantity){"ridge_fraction"}, energy->wells.ridge);
    cardo_result_number(coarse, &barrier, energy->wells.ridge_energy - energy->wells.energy[0]);
    cardo_result_number(coarse, &difference, energy->wells.energy[1] - energy->wells.energy[0]);
}

static void add_course(const cardo_session *session, const cardo_strain_course *course,
                       cardo_result *into)
{
    char text[CARDO_STRAIN_TEXT];
    cardo_result *along = cardo_result_table(into, "strain_along_paths", "place");
    for (int k = 0; k < course->n; ++k) {
        const cardo_strain *there = &course->strain[k];
        cardo_result_row(along);
        cardo_result_number(along, &(cardo_quantity){"fraction"}, course->fraction[k]);
        cardo_result_truth(along, &(cardo_quantity){"impossible"}, there->nimpossible > 0);
        if (there->nlisted[CARDO_STRAIN_BETWEEN])
            cardo_result_text(
                along, &(cardo_quantity){"worst"},
                cardo_strained_text(session, &there->listed[CARDO_STRAIN_BETWEEN][0], text));
    }
    if (course->n)
        cardo_result_remark(into, "strain_along_paths_in_words", CARDO_RESULT_VERDICT,
                            cardo_strain_course_words(session, course, text), NULL);
}

/* The start's strain, and along the paths the worst term between bodies. */
static cardo_status add_strain(const cardo_session *session, cardo_result *into, cardo_error *error)
{
    cardo_strain strain;
    cardo_strain_course *course;
    char text[CARDO_STRAIN_TEXT];
    cardo_status status = CARDO_ALLOCATE(&course, 1, error);
    if (status == CARDO_OK)
        status = cardo_session_strain(session, &strain, error);
    if (status == CARDO_OK)
        status = cardo_strain_along(session, course, error);
    if (status == CARDO_OK) {
        cardo_strain_fill(session, &strain, into);
        cardo_result_remark(into, "strain_in_words", CARDO_RESULT_VERDICT,
                            cardo_strain_judge(&strain) == CARDO_STRAIN_EASY
                                ? "  no bond, angle or contact is beyond what heat does\n"
                                : cardo_strain_words(session, &strain, true, text),
                            NULL);
        add_course(session, course, into);
    }
    cardo_free(course);
    return status;
}

static cardo_status add_all_atoms(cardo_session *session, const cardo_info_options *options,
                                  cardo_result *into, cardo_error *error)
{
    if (session->evaluator && session->provider)
        return cardo_all_atoms_fill(session, options->places, options->iterations, options->sweeps,
                                    into, error);
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "%s: all atoms are judged by a force field, and the model has none that can be "
        "computed%s%s",
        session->model->path, session->no_forces.message[0] ? ": " : "",
        session->no_forces.message);
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    const cardo_info_options *options = given;
    cardo_status status;
    cardo_result_text(into, &(cardo_quantity){"model"}, session->model->name);
    CARDO_TRY(add_structures(session->model, into, error));
    CARDO_TRY(add_bodies(session, into, error));
    CARDO_TRY(cardo_ligands_fill(session, CARDO_LIGANDS_TEMPERATURE, into, error));
    CARDO_TRY(add_cuts(session, into, error));
    CARDO_TRY(cardo_constraints_fill(session, into, error));
    CARDO_TRY(cardo_loops_fill(session, into, error));
    if (options->clashes)
        CARDO_TRY(cardo_clashes_fill(session, into, error));
    if (session->coarse)
        add_coarse(session->coarse, into);
    if (session->terms)
        CARDO_TRY(add_strain(session, into, error));
    if (session->evaluator)
        CARDO_TRY(cardo_energies_fill(session, into, error));
    else if (session->model->has_forcefield)
        cardo_result_text(into, &(cardo_quantity){"no_energies"}, session->no_forces.message);
    if (options->all_atom)
        CARDO_TRY(add_all_atoms(session, options, into, error));
    status = cardo_result_status(into, error);
done:
    return status;
}

static const cardo_field fields[] = {
    {"clashes", CARDO_FIELD_BOOL, offsetof(cardo_info_options, clashes), "", "no", 0, 0, NULL,
     "how near heavy atoms of different bodies come along the paths"},
    {"all-atom", CARDO_FIELD_BOOL, offsetof(cardo_info_options, all_atom), "", "no", 0, 0, NULL,
     "the model's strain along the paths beyond what all atoms ask, minimized there and back with "
     "the domains' poses held"},
    {"places", CARDO_FIELD_INT, offsetof(cardo_info_options, places), "", "11", 2, 1001, NULL,
     "of all-atom: places along the paths"},
    {"iterations", CARDO_FIELD_INT, offsetof(cardo_info_options, iterations), "", "400", 1, 1000000,
     NULL, "of all-atom: the most at a place, each way"},
    {"sweeps", CARDO_FIELD_INT, offsetof(cardo_info_options, sweeps), "", "1", 1, 1000, NULL,
     "of all-atom: the most, there and back, until both agree to 60 kJ/mol"},
    {0},
};

const cardo_study cardo_study_info = {
    .name = "info",
    .doc = "a model's bodies, hinges, fit and energies",
    .options_size = sizeof(cardo_info_options),
    .options = {{fields, 0}},
    .run = run,
};
