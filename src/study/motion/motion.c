#include "study/motion/motion.h"

#include "base/memory.h"
#include "multibody/quantities/columns.h"

#include <math.h>
#include <string.h>

static const double places_per_nm = 1e5;

enum { PLACE = 12, HYDROGEN = 1 };

#define NAMED(word) (&(cardo_quantity){word})

static void add_transform(cardo_result *into, const char *name, const cardo_transform *X)
{
    double values[PLACE];
    memcpy(values, X->R.m, 9 * sizeof *values);
    v3_store(values + 9, X->p);
    cardo_result_vector(into, NAMED(name), PLACE, values);
}

static void add_vector(cardo_result *into, const char *name, cardo_vec3 v)
{
    const double values[3] = {v.x, v.y, v.z};
    cardo_result_vector(into, NAMED(name), 3, values);
}

static void add_path(cardo_result *into, const cardo_path *path)
{
    static const char *const kinds[] = {"screw", "euler", "spline"};
    cardo_result_text(into, NAMED("path"), kinds[path->kind]);
    cardo_result *places = cardo_result_list(into, "X_FM");
    for (int k = 0; k < path->count; ++k)
        add_transform(places, NULL, &path->X_FM[k]);
    cardo_result *extras = cardo_result_list(into, "extras");
    for (int k = 0; k < path->nextra; ++k) {
        cardo_result *extra = cardo_result_group(extras, NULL);
        add_vector(extra, "axis", path->extra[k].axis);
        cardo_result_truth(extra, NAMED("shift"), path->extra[k].shift);
    }
}

static void add_body(const cardo_session *session, int body, cardo_result *bodies)
{
    cardo_body_info info;
    cardo_result *into = cardo_result_group(bodies, NULL);
    const cardo_model_body *made = &session->model->body[body - 1];
    cardo_system_body(session->system, body, &info);
    cardo_result_text(into, NAMED("name"), info.name);
    cardo_result_integer(into, NAMED("parent"), info.parent);
    cardo_result_text(into, NAMED("mobilizer"), cardo_mobilizer_name(info.mobilizer));
    cardo_result_truth(into, NAMED("reversed"), info.reversed);
    cardo_result_truth(into, NAMED("euler"), info.euler);
    cardo_result_truth(into, NAMED("piece"), made->piece);
    cardo_result_integer(into, NAMED("q_first"), info.q_first);
    cardo_result_integer(into, NAMED("nq"), info.nq);
    cardo_result_integer(into, NAMED("u_first"), info.u_first);
    cardo_result_integer(into, NAMED("nu"), info.nu);
    add_transform(into, "X_PF", &info.X_PF);
    add_transform(into, "X_BM", &info.X_BM);
    if (info.mobilizer == &cardo_mobilizer_path)
        add_path(into, made->parameters);
}

/* A body's origin where the reference stands, in whose axes all bodies' are parallel there. */
static cardo_vec3 origin_of(const cardo_session *session, int body)
{
    const double *positions = session->model->structure[0].structure->position;
    for (int atom = 0; body >= 0 && atom < cardo_system_nstation(session->system); ++atom)
        if (session->model->atom_body[atom] == body)
            return v3_sub(v3_load(positions + 3 * atom),
                          cardo_system_station_position(session->system, atom));
    return v3(0, 0, 0);
}

static void add_axis(const cardo_session *session, int body, cardo_result *axes)
{
    const cardo_model_body *made = &session->model->body[body];
    const cardo_path_fit *fit = made->fit ? made->fit : made->guide;
    if (!fit)
        return;
    cardo_result *into = cardo_result_group(axes, NULL);
    cardo_result_integer(into, NAMED("body"), body + 1);
    add_vector(into, "axis", fit->axis);
    add_vector(into, "point", v3_sub(fit->point, origin_of(session, made->parent)));
    cardo_result_number(into, NAMED("angle"), fit->angle);
    cardo_result_number(into, NAMED("translation"), fit->translation);
    cardo_result *structures = cardo_result_list(into, "structures");
    for (int k = 0; k < fit->nstructure; ++k)
        cardo_result_text(structures, NAMED(NULL),
                          session->model->structure[made->on_path[k]].path);
}

static void add_columns(const cardo_session *session, cardo_result *into, cardo_error *error)
{
    const int nq = cardo_system_nq(session->system), nu = cardo_system_nu(session->system);
    cardo_column *columns = NULL;
    cardo_result *coordinates = cardo_result_list(into, "coordinates"),
                 *speeds = cardo_result_list(into, "speeds");
    if (CARDO_ALLOCATE(&columns, nq > nu ? nq : nu, error) != CARDO_OK)
        return;
    cardo_coordinate_columns(session->system, columns);
    for (int k = 0; k < nq; ++k) {
        cardo_result *one = cardo_result_group(coordinates, NULL);
        cardo_result_text(one, NAMED("column"), columns[k].name);
        cardo_result_text(one, NAMED("unit"), columns[k].unit);
        cardo_result_text(one, NAMED("of"), columns[k].of);
    }
    cardo_speed_columns(session->system, columns);
    for (int k = 0; k < nu; ++k)
        cardo_result_text(speeds, NAMED(NULL), columns[k].name);
    cardo_free(columns);
    cardo_result_vector(into, NAMED("q"), nq, cardo_state_q(session->state));
}

/* The first body whose annotated domain a residue is in, or -1. */
static int domain_of(const cardo_model *model, int residue)
{
    for (int b = 0; b < model->nbody; ++b)
        if (model->body[b].domain && model->body[b].domain[residue])
            return b + 1;
    return -1;
}

static bool is_cut(const cardo_model *model, int residue)
{
    for (int k = 0; k < model->ncut; ++k)
        if (!model->cut[k].broken &&
            (model->cut[k].residue[0] == residue || model->cut[k].residue[1] == residue))
            return true;
    return false;
}

static void add_residues(const cardo_model *model, cardo_result *into)
{
    const cardo_structure *structure = model->structure[0].structure;
    cardo_result *residues = cardo_result_table(into, "residues", "residue");
    for (int r = 0; r < structure->nresidue; ++r) {
        const char insertion[2] = {structure->insertion[r], '\0'};
        const int body = model->atom_body[structure->residue_first[r]];
        cardo_result_row(residues);
        cardo_result_text(residues, NAMED("name"), cardo_structure_residue_name(structure, r));
        cardo_result_integer(residues, NAMED("number"), structure->residue_number[r]);
        if (insertion[0])
            cardo_result_text(residues, NAMED("insertion"), insertion);
        cardo_result_text(residues, NAMED("chain"),
                          cardo_structure_chain_id(structure, structure->residue_chain[r]));
        cardo_result_integer(residues, NAMED("domain"), domain_of(model, r));
        if (structure->hetero[r])
            cardo_result_truth(residues, NAMED("hetero"), true);
        /* A domain that hangs by a bond turns as a whole: it does not bend. */
        if ((model->body[body].torsion && model->body[body].piece) || is_cut(model, r))
            cardo_result_truth(residues, NAMED("bends"), true);
    }
}

static bool is_backbone(const cardo_structure *structure, int atom)
{
    static const char *const names[] = {"N",   "CA",  "C",   "O",   "P",   "O5'",
                                        "C5'", "C4'", "C3'", "O3'", "OP1", NULL};
    for (int k = 0; names[k]; ++k)
        if (strcmp(cardo_structure_atom_name(structure, atom), names[k]) == 0)
            return true;
    return false;
}

/* Of so few residues no ribbon can be drawn: all heavy atoms are shown (io/page/molecule.js). */
enum { FEW_RESIDUES = 8 };

static bool is_shown(const cardo_model *model, int atom)
{
    const cardo_structure *structure = model->structure[0].structure;
    const int residue = structure->atom_residue[atom];
    if (structure->element[atom] == HYDROGEN)
        return false;
    return structure->nresidue <= FEW_RESIDUES || structure->hetero[residue] ||
           model->body[model->atom_body[atom]].torsion != 0 || is_backbone(structure, atom);
}

static cardo_status add_atoms(const cardo_session *session, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = session->model;
    const cardo_structure *structure = model->structure[0].structure;
    const char **names = NULL;
    long long n = 0;
    for (int atom = 0; atom < structure->natom; ++atom)
        n += is_shown(model, atom);
    CARDO_TRY(CARDO_ALLOCATE(&names, n + 1, error));
    const cardo_axis rows[2] = {{"atom", n}, {"component", 3}};
    long long *body = cardo_result_integers(into, NAMED("atom_body"), 1, rows, NULL);
    long long *residue = cardo_result_integers(into, NAMED("atom_residue"), 1, rows, NULL);
    long long *element = cardo_result_integers(into, NAMED("atom_element"), 1, rows, NULL);
    long long *place = cardo_result_integers(into, NAMED("atom_place"), 2, rows, NULL);
    const char **name = names;
    for (int atom = 0; place && body && residue && element && atom < structure->natom; ++atom) {
        if (!is_shown(model, atom))
            continue;
        double at[3];
        v3_store(at, cardo_system_station_position(session->system, atom));
        for (int k = 0; k < 3; ++k)
            *place++ = llround(places_per_nm * at[k]);
        *body++ = model->atom_body[atom] + 1;
        *residue++ = structure->atom_residue[atom];
        *element++ = structure->element[atom];
        *name++ = cardo_structure_atom_name(structure, atom);
    }
    cardo_result_texts(into, NAMED("atoms"), rows, names);
    status = cardo_result_status(into, error);
done:
    cardo_free(names);
    return status;
}

/* Coordinates that are held equal to another, as hinges of <symmetric> are. */
static void add_followers(const cardo_session *session, cardo_result *into)
{
    cardo_result *followers = cardo_result_list(into, "followers");
    for (int k = 0; k < session->model->nconstraint; ++k) {
        const cardo_model_constraint *c = &session->model->constraint[k];
        const cardo_coordinate_coupler *coupler = &c->parameters.coordinate_coupler;
        const cardo_function *f = &coupler->function;
        int q[2];
        if (c->off || strcmp(cardo_constraint_name(c->kind), "coordinate-coupler") != 0 ||
            coupler->ncoordinate != 2 || f->kind != CARDO_FUNCTION_LINEAR ||
            f->coefficients[0] != 1 || f->coefficients[1] != -1 || f->coefficients[2] != 0)
            continue;
        for (int i = 0; i < 2; ++i) {
            cardo_body_info info;
            cardo_system_body(session->system, coupler->coordinates[i].body, &info);
            q[i] = info.q_first + coupler->coordinates[i].coordinate;
        }
        cardo_result *one = cardo_result_group(followers, NULL);
        cardo_result_integer(one, NAMED("coordinate"), q[1]);
        cardo_result_integer(one, NAMED("follows"), q[0]);
    }
}

cardo_status cardo_motion_fill(const cardo_session *session, cardo_result *into, cardo_error *error)
{
    cardo_result_text(into, NAMED("model"), session->model->name);
    cardo_result_integer(into, NAMED("constraints"), session->model->nconstraint);
    cardo_result *bodies = cardo_result_list(into, "bodies"),
                 *axes = cardo_result_list(into, "axes");
    for (int b = 0; b < session->model->nbody; ++b) {
        add_body(session, b + 1, bodies);
        add_axis(session, b, axes);
    }
    add_followers(session, into);
    add_columns(session, into, NULL);
    add_residues(session->model, into);
    return add_atoms(session, into, error);
}

cardo_status cardo_motion_write(const cardo_session *session, const cardo_result *result,
                                const cardo_writer *writer, cardo_error *error)
{
    cardo_status status;
    cardo_result *motion = NULL;
    if (!writer || !writer->begin)
        return CARDO_OK;
    CARDO_TRY(cardo_writer_result(writer, result, "result.json", error));
    if (!session || !session->system || !session->model)
        goto done;
    CARDO_TRY(cardo_result_create(&motion, error));
    CARDO_TRY(cardo_motion_fill(session, motion, error));
    status = cardo_writer_result(writer, motion, "motion.json", error);
done:
    cardo_result_destroy(motion);
    return status;
}
