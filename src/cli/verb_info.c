/* cardo info: what a model is made of, and how well its hinges fit the structures. */
#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "cli/clashes.h"
#include "cli/opening.h"
#include "cli/session_report.h"
#include "forces/coarse/kind.h"
#include "io/results/json.h"
#include "structure/atoms/residue.h"
#include "structure/atoms/selection.h"
#include "study/energies.h"
#include "study/session.h"
#include "study/session_strain.h"
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

static void print_structures(const cardo_model *model)
{
    char left_out[CARDO_DROPPED_TEXT];
    printf("Structures\n");
    for (int k = 0; k < model->nstructure; ++k) {
        const cardo_model_structure *s = &model->structure[k];
        printf("  %-12s %s: %d residues, %d atoms", s->id, base_name(s->path),
               s->structure->nresidue, s->structure->natom);
        if (k == 0)
            printf("; the reference\n");
        else
            cardo_print(stdout, "; %d residues matched, %.1f %% of them alike\n",
                        matched_residues(model, k), 100 * s->identity);
        if (s->ndropped)
            printf("  %-12s left out: %s\n", "",
                   cardo_dropped_text(s->dropped, s->ndropped, left_out));
        if (s->note)
            printf("  %-12s NOTE: %s\n", "", s->note);
    }
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

static cardo_status print_torsions(const cardo_model *model, cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    int backbone, side_chain;
    char *text = NULL;
    bool *mark;
    count_torsions(model, &backbone, &side_chain);
    if (backbone + side_chain == 0)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&mark, s->nresidue, error);
    for (int b = 0; status == CARDO_OK && b < model->nbody; ++b)
        if (model->body[b].torsion)
            mark[s->atom_residue[model->body[b].bond[0]]] = true;
    if (status == CARDO_OK)
        status = cardo_selection_text(s, mark, &text, error);
    if (status == CARDO_OK)
        printf("  torsions     %d of the backbone, %d of side chains: residues %s\n", backbone,
               side_chain, text);
    cardo_free(text);
    cardo_free(mark);
    return status;
}

/* The residues of a body but its waters, which are counted: crystals have hundreds, one by one. */
static cardo_status body_residues(const cardo_model *model, const cardo_model_body *body,
                                  char **text, int *nwater, cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    bool *mark;
    cardo_status status = CARDO_ALLOCATE(&mark, s->nresidue, error);
    if (status != CARDO_OK)
        return status;
    *nwater = 0;
    for (int r = 0; r < s->nresidue; ++r) {
        bool water = cardo_residue_is_water(s->residue_name[r].text);
        mark[r] = body->residue[r] && !water;
        *nwater += body->residue[r] && water;
    }
    status = cardo_selection_text(s, mark, text, error);
    cardo_free(mark);
    return status;
}

static cardo_status print_bodies(const cardo_session *session, cardo_error *error)
{
    const cardo_model *model = session->model;
    printf("\nBodies\n");
    for (int b = 0; b < model->nbody; ++b) {
        const cardo_model_body *body = &model->body[b];
        cardo_body_info info;
        if (body->piece)
            continue;
        cardo_system_body(session->system, b + 1, &info);
        char *residues = NULL, waters[48] = "", factor[48] = "";
        int nwater;
        cardo_status status = body_residues(model, body, &residues, &nwater, error);
        if (status != CARDO_OK)
            return status;
        if (nwater > 0)
            snprintf(waters, sizeof waters, " and %d water%s", nwater, nwater == 1 ? "" : "s");
        if (body->mass_factor > 0)
            cardo_format(factor, sizeof factor, " (times %g)", body->mass_factor);
        cardo_print(stdout, "  %-12s %d atoms, %.1f Da%s: residues %s%s\n", body->name, body->natom,
                    body->mass, factor, residues, waters);
        printf("  %-12s joined to %s by %s: %d degree%s of freedom\n", "",
               body->parent < 0 ? "ground" : model->body[body->parent].name,
               cardo_mobilizer_name(info.mobilizer), info.nu, info.nu == 1 ? "" : "s");
        cardo_free(residues);
    }
    cardo_status status = print_torsions(model, error);
    if (status != CARDO_OK)
        return status;
    printf("  together     %d bodies, %d degrees of freedom\n", model->nbody,
           cardo_system_nu(session->system));
    if (model->nadopted)
        printf("  %d residues that no domain names ride with their neighbours\n", model->nadopted);
    return CARDO_OK;
}

static const char *path_kind(const cardo_model_body *body)
{
    static const char *const names[] = {"screw", "euler", "spline"};
    return names[((const cardo_path *)body->parameters)->kind];
}

/* " with twist and bend beside it", or nothing. */
static const char *path_angles(const cardo_model_body *body, char text[64])
{
    const cardo_path *path = body->parameters;
    text[0] = '\0';
    if (path->nangle == 1)
        snprintf(text, 64, " with %s beside it", path->angle[0].name);
    if (path->nangle == 2)
        snprintf(text, 64, " with %s and %s beside it", path->angle[0].name, path->angle[1].name);
    return text;
}

static void print_fit(const cardo_model_body *body)
{
    const cardo_path_fit *fit = body->fit;
    int last = fit->nstructure - 1;
    char beside[64];
    printf("\nPath of '%s' (%s), q = 0 to %d%s\n", body->name, path_kind(body), last,
           path_angles(body, beside));
    cardo_print(stdout, "  rotation     %.3f degrees about (%.4f, %.4f, %.4f)\n",
                fit->angle / CARDO_DEGREE, fit->axis.x, fit->axis.y, fit->axis.z);
    cardo_print(stdout, "  axis through (%.2f, %.2f, %.2f) A; hinge point (%.2f, %.2f, %.2f) A\n",
                angstroms * fit->point.x, angstroms * fit->point.y, angstroms * fit->point.z,
                angstroms * fit->hinge.x, angstroms * fit->hinge.y, angstroms * fit->hinge.z);
    cardo_print(stdout, "  translation  %+.3f A along the axis\n", angstroms * fit->translation);
    cardo_print(stdout, "  character    %.1f %% closure, %.1f %% twist\n", fit->percent_closure,
                100 - fit->percent_closure);
    cardo_print(stdout,
                "  Euler angles (%.3f, %.3f, %.3f) degrees; displacement (%.3f, %.3f, %.3f) A\n",
                fit->euler.x / CARDO_DEGREE, fit->euler.y / CARDO_DEGREE,
                fit->euler.z / CARDO_DEGREE, angstroms * fit->displacement.x,
                angstroms * fit->displacement.y, angstroms * fit->displacement.z);
    for (int k = 1; k < fit->nstructure; ++k)
        cardo_print(stdout, "  fit at q = %d stationary %.3f A, mobile %.3f A\n", k,
                    angstroms * fit->rmsd_stationary[k], angstroms * fit->rmsd_mobile[k]);
    cardo_print(stdout,
                "  C-alpha      %d stationary, %d mobile; together %.3f A from the last structure, "
                "where one rigid "
                "body leaves %.3f A\n",
                fit->nstationary, fit->nmobile, angstroms * fit->rmsd_moved,
                angstroms * fit->rmsd_global);
}

enum { FRACTIONS = 5 };
static const double fractions[FRACTIONS] = {0, 0.25, 0.5, 0.75, 1};

static cardo_status print_cuts(const cardo_model *model, cardo_error *error)
{
    if (model->ncut == 0)
        return CARDO_OK;
    double *lengths;
    cardo_status status = CARDO_ALLOCATE(&lengths, model->ncut * FRACTIONS, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_model_cut_lengths(model, FRACTIONS, fractions, lengths, error);
    if (status == CARDO_OK) {
        printf("\nStrands cut between bodies: bond length (A) along the path\n");
        printf("  %-28s", "");
        for (int k = 0; k < FRACTIONS; ++k)
            cardo_print(stdout, "  q=%.2f", fractions[k]);
        printf("\n");
    }
    for (int c = 0; c < model->ncut && status == CARDO_OK; ++c) {
        const cardo_model_cut *cut = &model->cut[c];
        const cardo_structure *s = model->structure[0].structure;
        char a[40], b[40], pair[100];
        snprintf(pair, sizeof pair, "%s-%s", cardo_residue_label(s, cut->residue[0], a),
                 cardo_residue_label(s, cut->residue[1], b));
        printf("  %-28s", pair);
        for (int k = 0; k < FRACTIONS; ++k)
            cardo_print(stdout, "  %6.3f", angstroms * lengths[c * FRACTIONS + k]);
        printf("%s\n", cut->broken ? "  (gap in the chain)" : cut->loop ? "  (closes a loop)" : "");
    }
    cardo_free(lengths);
    return status;
}

static cardo_json *fit_json(const cardo_model_body *body)
{
    const cardo_path_fit *fit = body->fit;
    cardo_json *json = cardo_json_object(), *structures = cardo_json_array();
    cardo_json_string(json, "interpolation", path_kind(body));
    cardo_json_number(json, "angle_deg", fit->angle / CARDO_DEGREE);
    cardo_json_vec3(json, "axis", fit->axis);
    cardo_json_vec3(json, "point_A", v3_scale(angstroms, fit->point));
    cardo_json_number(json, "translation_along_axis_A", angstroms * fit->translation);
    cardo_json_number(json, "percent_closure", fit->percent_closure);
    cardo_json_vec3(json, "euler_xyz_body_deg", v3_scale(1.0 / CARDO_DEGREE, fit->euler));
    cardo_json_vec3(json, "hinge_A", v3_scale(angstroms, fit->hinge));
    cardo_json_vec3(json, "displacement_of_hinge_A", v3_scale(angstroms, fit->displacement));
    cardo_json_integer(json, "n_stationary", fit->nstationary);
    cardo_json_integer(json, "n_mobile", fit->nmobile);
    cardo_json_number(json, "rmsd_moved_A", angstroms * fit->rmsd_moved);
    cardo_json_number(json, "rmsd_global_A", angstroms * fit->rmsd_global);
    for (int k = 0; k < fit->nstructure; ++k) {
        cardo_json *one = cardo_json_object(), *rows = cardo_json_array();
        cardo_json_number(one, "q", k);
        cardo_json_number(one, "rmsd_stationary_A", angstroms * fit->rmsd_stationary[k]);
        cardo_json_number(one, "rmsd_mobile_A", angstroms * fit->rmsd_mobile[k]);
        for (int i = 0; i < 3; ++i)
            cardo_json_vec3(rows, NULL, v3_load(fit->motion[k].R.m[i]));
        cardo_json_put(one, "motion_R", rows);
        cardo_json_vec3(one, "motion_t_A", v3_scale(angstroms, fit->motion[k].p));
        cardo_json_put(structures, NULL, one);
    }
    cardo_json_put(json, "structures", structures);
    return json;
}

static cardo_status body_json(const cardo_session *session, int b, cardo_json *bodies,
                              cardo_error *error)
{
    const cardo_model_body *body = &session->model->body[b];
    cardo_body_info info;
    cardo_system_body(session->system, b + 1, &info);
    char *residues = NULL;
    cardo_status status = cardo_selection_text(session->model->structure[0].structure,
                                               body->residue, &residues, error);
    if (status != CARDO_OK)
        return status;
    cardo_json *one = cardo_json_object();
    cardo_json_string(one, "name", body->name);
    cardo_json_string(one, "residues", residues);
    cardo_json_integer(one, "atoms", body->natom);
    cardo_json_number(one, "mass_Da", body->mass);
    cardo_json_number(one, "mass_factor", body->mass_factor > 0 ? body->mass_factor : 1);
    cardo_json_string(one, "parent",
                      body->parent < 0 ? "ground" : session->model->body[body->parent].name);
    cardo_json_string(one, "mobilizer", cardo_mobilizer_name(info.mobilizer));
    cardo_json_integer(one, "nq", info.nq);
    cardo_json_integer(one, "nu", info.nu);
    if (body->fit)
        cardo_json_put(one, "path", fit_json(body));
    cardo_json_put(bodies, NULL, one);
    cardo_free(residues);
    return CARDO_OK;
}

static cardo_status cuts_json(const cardo_model *model, cardo_json *json, cardo_error *error)
{
    cardo_json *cuts = cardo_json_array();
    cardo_json_put(json, "cuts", cuts);
    double *lengths;
    cardo_status status = CARDO_ALLOCATE(&lengths, model->ncut * FRACTIONS, error);
    if (status == CARDO_OK && model->ncut)
        status = cardo_model_cut_lengths(model, FRACTIONS, fractions, lengths, error);
    for (int c = 0; c < model->ncut && status == CARDO_OK; ++c) {
        cardo_json *one = cardo_json_object(), *values = cardo_json_array();
        char label[40];
        for (int k = 0; k < 2; ++k)
            cardo_json_string(one, k ? "second" : "first",
                              cardo_residue_label(model->structure[0].structure,
                                                  model->cut[c].residue[k], label));
        for (int k = 0; k < FRACTIONS; ++k)
            cardo_json_number(values, NULL, angstroms * lengths[c * FRACTIONS + k]);
        cardo_json_put(one, "length_A", values);
        cardo_json_put(cuts, NULL, one);
    }
    cardo_free(lengths);
    return status;
}

static cardo_json *coarse_json(const cardo_coarse_energy *energy)
{
    cardo_json *json = cardo_json_object();
    cardo_json_string(json, "kind", energy->kind->name);
    cardo_json_integer(json, "sites", energy->sites.nsite);
    cardo_json_string(json, "summary", energy->summary);
    if (energy->wells.two) {
        cardo_json *wells = cardo_json_array();
        for (int k = 0; k < 2; ++k)
            cardo_json_number(wells, NULL, energy->wells.well[k]);
        cardo_json_put(json, "wells_fraction", wells);
        cardo_json_number(json, "ridge_fraction", energy->wells.ridge);
        cardo_json_number(json, "barrier_kJ_per_mol",
                          energy->wells.ridge_energy - energy->wells.energy[0]);
        cardo_json_number(json, "difference_kJ_per_mol",
                          energy->wells.energy[1] - energy->wells.energy[0]);
    }
    return json;
}

/* The start's strain, and along the paths the worst term between bodies. */
static cardo_status strain_json(const cardo_session *session, cardo_json *json, cardo_error *error)
{
    cardo_strain strain;
    cardo_strain_course *course;
    char text[CARDO_STRAINED_TEXT];
    cardo_status status = CARDO_ALLOCATE(&course, 1, error);
    if (status == CARDO_OK)
        status = cardo_session_strain(session, &strain, error);
    if (status == CARDO_OK)
        status = cardo_strain_along(session, course, error);
    if (status == CARDO_OK) {
        cardo_json *along = cardo_json_array();
        cardo_strain_json(session, &strain, json);
        for (int k = 0; k < course->n; ++k) {
            const cardo_strain *there = &course->strain[k];
            cardo_json *one = cardo_json_object();
            cardo_json_number(one, "fraction", course->fraction[k]);
            cardo_json_bool(one, "impossible", there->nimpossible > 0);
            if (there->nlisted[CARDO_STRAIN_BETWEEN])
                cardo_json_string(
                    one, "worst",
                    cardo_strained_text(session, &there->listed[CARDO_STRAIN_BETWEEN][0], text));
            cardo_json_put(along, NULL, one);
        }
        cardo_json_put(json, "strain_along_paths", along);
    }
    cardo_free(course);
    return status;
}

static cardo_status print_json(cardo_session *session, bool clashes, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char left_out[CARDO_DROPPED_TEXT];
    const cardo_model *model = session->model;
    cardo_json *json = cardo_json_object(), *structures = cardo_json_array(),
               *bodies = cardo_json_array();
    cardo_json_string(json, "model", model->name);
    for (int k = 0; k < model->nstructure; ++k) {
        cardo_json *one = cardo_json_object();
        cardo_json_string(one, "id", model->structure[k].id);
        cardo_json_string(one, "file", model->structure[k].path);
        cardo_json_integer(one, "residues", model->structure[k].structure->nresidue);
        cardo_json_integer(one, "atoms", model->structure[k].structure->natom);
        if (k > 0) {
            cardo_json_integer(one, "matched", matched_residues(model, k));
            cardo_json_number(one, "identity", model->structure[k].identity);
        }
        if (model->structure[k].ndropped)
            cardo_json_string(one, "left_out",
                              cardo_dropped_text(model->structure[k].dropped,
                                                 model->structure[k].ndropped, left_out));
        if (model->structure[k].note)
            cardo_json_string(one, "note", model->structure[k].note);
        cardo_json_put(structures, NULL, one);
    }
    cardo_json_put(json, "structures", structures);
    cardo_json_put(json, "bodies", bodies);
    cardo_json_integer(json, "degrees_of_freedom", cardo_system_nu(session->system));
    int backbone, side_chain;
    count_torsions(model, &backbone, &side_chain);
    cardo_json_integer(json, "backbone_torsions", backbone);
    cardo_json_integer(json, "side_chain_torsions", side_chain);
    for (int b = 0; b < model->nbody && status == CARDO_OK; ++b)
        status = body_json(session, b, bodies, error);
    if (status == CARDO_OK)
        status = cuts_json(model, json, error);
    if (status == CARDO_OK && clashes)
        status = cardo_clashes_json(model, json, error);
    if (session->coarse)
        cardo_json_put(json, "coarse_grained", coarse_json(session->coarse));
    if (status == CARDO_OK && session->terms)
        status = strain_json(session, json, error);
    if (status == CARDO_OK && session->evaluator)
        status = cardo_energies_json(session, json, error);
    else if (session->model->has_forcefield)
        cardo_json_string(json, "no_energies", session->no_forces.message);
    cardo_json_print(json, stdout);
    return status;
}

static void print_coarse(const cardo_coarse_energy *energy)
{
    printf("\nCoarse-grained energy (%s), %d sites\n", energy->kind->name, energy->sites.nsite);
    for (const char *line = energy->summary; *line;) {
        int length = (int)strcspn(line, "\n");
        printf("  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

static cardo_status print_strain(const cardo_session *session, cardo_error *error)
{
    char text[CARDO_STRAIN_TEXT];
    cardo_strain strain;
    cardo_strain_course *course;
    cardo_status status = CARDO_ALLOCATE(&course, 1, error);
    if (status == CARDO_OK)
        status = cardo_session_strain(session, &strain, error);
    if (status == CARDO_OK)
        status = cardo_strain_along(session, course, error);
    if (status == CARDO_OK) {
        printf("\nStrain where the model starts\n%s",
               cardo_strain_judge(&strain) == CARDO_STRAIN_EASY
                   ? "  no bond, angle or contact is beyond what heat does\n"
                   : cardo_strain_words(session, &strain, true, text));
        if (course->n)
            printf("Strain along the paths\n%s", cardo_strain_course_words(session, course, text));
    }
    cardo_free(course);
    return status;
}

static cardo_status print_text(cardo_session *session, bool clashes, cardo_error *error)
{
    const cardo_model *model = session->model;
    if (model->name && model->name[0])
        printf("%s\n\n", model->name);
    print_structures(model);
    cardo_status status = print_bodies(session, error);
    for (int b = 0; b < model->nbody && status == CARDO_OK; ++b)
        if (model->body[b].fit)
            print_fit(&model->body[b]);
    if (status == CARDO_OK)
        status = print_cuts(model, error);
    if (status == CARDO_OK && clashes)
        status = cardo_clashes_print(model, error);
    if (status != CARDO_OK)
        return status;
    if (session->coarse)
        print_coarse(session->coarse);
    printf("\nEnergy where the model starts\n");
    if (session->evaluator) {
        status = cardo_energies_print(session, error);
        if (status != CARDO_OK || session->coarse)
            return status;
        if (session->terms)
            return print_strain(session, error);
        printf("\nStrain: not looked at, as a serialized System does not tell which atoms are "
               "whose\n");
        return CARDO_OK;
    }
    printf("  none: %s\n",
           model->has_forcefield ? session->no_forces.message : "the model has no force field");
    return CARDO_OK;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    cardo_session *session = NULL;
    bool clashes = cardo_command_has(command, "clashes");
    cardo_status status = cardo_command_open(command, false, &session, error);
    if (status == CARDO_OK)
        status = cardo_command_has(command, "json") ? print_json(session, clashes, error)
                                                    : print_text(session, clashes, error);
    cardo_session_close(session);
    return status;
}

static const cardo_option options[] = {
    {"stationary", 0, "RESIDUES",
     "with two structures: the stationary domain, such as A:1-89,A:194-238"},
    {"mobile", 0, "RESIDUES", "with two structures: the mobile domain"},
    {"hinge", 0, "RESIDUES", "with two structures: residues between the domains"},
    {"interpolation", 0, "KIND", "with two structures: screw (default) or euler"},
    CARDO_MODEL_OPTIONS,
    {"clashes", 0, NULL,
     "how near heavy atoms of different bodies come along the paths, with the side chains of each "
     "structure and with the best of them"},
    {"json", 'j', NULL, "print JSON"},
    {0},
};

const cardo_verb cardo_verb_info = {
    .name = "info",
    .synopsis = "MODEL.xml | OPEN CLOSED --stationary RESIDUES --mobile RESIDUES [options]",
    .summary = "show a model's bodies, hinges, fit and energies",
    .description = "Prints the structures of a model, its rigid bodies and mobilizers, how well "
                   "each path fits the "
                   "structures (C-alpha atoms: rotation, screw axis, translation, residuals), the "
                   "chain bonds that the "
                   "hinges cut, and the energy where the model starts. Instead of a model file, "
                   "two structure files and the "
                   "residues of their domains may be given; FILE#CHAIN and FILE#MODEL:CHAIN choose "
                   "a chain and a model.",
    .options = options,
    .run = run,
};
