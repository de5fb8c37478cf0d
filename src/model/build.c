/* Where structure and mechanics meet: atoms become bodies with mass, frames and stations. */
#include "base/linalg.h"
#include "base/memory.h"
#include "model/model.h"
#include "multibody/tree/motion.h"

#include <string.h>

/* Mass and inertia of a body's atoms while they are summed up. */
typedef struct body_sum {
    double mass;
    cardo_vec3 com;
    double inertia[6]; /* about com: xx yy zz xy xz yz */
    int first_atom;
} body_sum;

/* A body whose least principal moment is below this share of its largest turns about a line without
 * inertia. */
static const double SINGULAR_SHARE = 1e-10;

static cardo_status atom_mass(const cardo_structure *structure, const double *masses, int atom,
                              double *mass, cardo_error *error)
{
    *mass = masses ? masses[atom] : cardo_element_mass(structure->element[atom]);
    if (isfinite(*mass) && *mass >= 0 && (masses || *mass > 0))
        return CARDO_OK;
    char label[40];
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT, "%s:%d: atom %s of %s has mass %g Da%s", structure->source,
        structure->atom_line[atom], structure->atom_name[atom].text,
        cardo_residue_label(structure, structure->atom_residue[atom], label), *mass,
        masses ? "" : ": its element is not known; fill in columns 77-78 of the PDB file");
}

static cardo_status sum_masses(const cardo_model *model, const double *masses, body_sum *sums,
                               cardo_error *error)
{
    const cardo_structure *structure = model->structure[0].structure;
    for (int b = 0; b < model->nbody; ++b)
        sums[b] = (body_sum){.first_atom = -1};
    for (int i = 0; i < structure->natom; ++i) {
        body_sum *sum = &sums[model->atom_body[i]];
        double mass;
        cardo_status status = atom_mass(structure, masses, i, &mass, error);
        if (status != CARDO_OK)
            return status;
        sum->mass += mass;
        sum->com = v3_add_scaled(sum->com, mass, v3_load(structure->position + 3 * i));
        if (sum->first_atom < 0)
            sum->first_atom = i;
    }
    for (int b = 0; b < model->nbody; ++b) {
        if (!(sums[b].mass > 0))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "body '%s' has no mass",
                              model->body[b].name);
        sums[b].com = v3_scale(1.0 / sums[b].mass, sums[b].com);
    }
    return CARDO_OK;
}

static void sum_inertia(const cardo_model *model, const double *masses, body_sum *sums)
{
    const cardo_structure *structure = model->structure[0].structure;
    for (int i = 0; i < structure->natom; ++i) {
        body_sum *sum = &sums[model->atom_body[i]];
        double m = masses ? masses[i] : cardo_element_mass(structure->element[i]);
        cardo_vec3 r = v3_sub(v3_load(structure->position + 3 * i), sum->com);
        v3_add_inertia(sum->inertia, m, r);
    }
}

/* Atoms on one line (or a single one) cannot carry a joint that turns them. */
static cardo_status check_inertia(const cardo_model *model, int b, const body_sum *sum,
                                  cardo_error *error)
{
    const cardo_model_body *body = &model->body[b];
    const cardo_structure *structure = model->structure[0].structure;
    if (body->mobilizer == &cardo_mobilizer_weld || body->mobilizer == &cardo_mobilizer_slider ||
        body->mobilizer == &cardo_mobilizer_translation ||
        body->mobilizer == &cardo_mobilizer_free_line || body->torsion)
        return CARDO_OK;
    const double *I = sum->inertia;
    double A[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}, moments[3];
    cardo_status status = cardo_symmetric_eigen(3, A, moments, error);
    if (status != CARDO_OK || moments[0] > SINGULAR_SHARE * moments[2])
        return status;
    char label[40];
    int atom = sum->first_atom;
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "%s:%d: body '%s' (%d atoms, at residue %s) has its atoms on one line, so it has no "
        "inertia about that line; add residues to it or tie it with <weld/>",
        model->path[0] ? model->path : "command line", body->line, body->name, body->natom,
        cardo_residue_label(structure, structure->atom_residue[atom], label));
}

/* Frame with ground's axes at the body's centre of mass. */
static cardo_transform body_frame(const body_sum *sums, int b)
{
    return (cardo_transform){m33_identity(), b < 0 ? v3(0, 0, 0) : sums[b].com};
}

/* M where the reference stands: on F, but of a path that has its domain elsewhere. */
static cardo_transform moved_frame(const cardo_model_body *body, cardo_transform X_GF)
{
    return body->mobilizer == &cardo_mobilizer_path && body->stands
               ? xform_mul(X_GF, body->stands->X_FM)
               : X_GF;
}

static cardo_status add_body(const cardo_model *model, int b, const body_sum *sums,
                             cardo_system *system, cardo_error *error)
{
    const cardo_model_body *body = &model->body[b];
    /* A free body's coordinates count from its own centre of mass. */
    cardo_transform X_GF = body->fit || body->parent >= 0 ? body->X_GF : body_frame(sums, b);
    if (body->mobilizer == &cardo_mobilizer_free || body->mobilizer == &cardo_mobilizer_translation)
        X_GF = body_frame(sums, b);
    if (body->mobilizer == &cardo_mobilizer_free_line)
        X_GF.p = sums[b].com;
    const double factor = body->mass_factor > 0 ? body->mass_factor : 1;
    cardo_body_definition definition = {
        .name = body->name,
        .parent = body->parent + 1,
        .mobilizer = body->mobilizer,
        .parameters = body->parameters,
        .X_PF = xform_mul(xform_inverse(body_frame(sums, body->parent)), X_GF),
        .X_BM = xform_mul(xform_inverse(body_frame(sums, b)), moved_frame(body, X_GF)),
        .mass = {.mass = factor * sums[b].mass, .com = {0, 0, 0}}};
    for (int k = 0; k < 6; ++k)
        definition.mass.inertia[k] = factor * sums[b].inertia[k];
    cardo_status status = cardo_system_add_body(system, &definition, NULL, error);
    if (status == CARDO_OK && body->motion)
        status = cardo_system_prescribe_some(system, b + 1, CARDO_MOTION_POSITION, body->driven,
                                             body->motion, error);
    return status;
}

static cardo_status add_constraint(const cardo_model *model, int k, const cardo_vec3 *origins,
                                   cardo_system *system, cardo_error *error)
{
    const cardo_model_constraint *constraint = &model->constraint[k];
    cardo_constraint_parameters parameters = constraint->parameters;
    int index;
    if (constraint->move)
        constraint->move(&parameters, origins);
    cardo_status status = cardo_system_add_constraint(system, constraint->kind, constraint->name,
                                                      &parameters, &index, error);
    if (status == CARDO_OK)
        return cardo_system_start_constraint(system, index, !constraint->off, error);
    return cardo_error_prefix(error, "%s:%d: ", model->path, constraint->line);
}

static cardo_status add_constraints(const cardo_model *model, const body_sum *sums,
                                    cardo_system *system, cardo_error *error)
{
    cardo_vec3 *origins;
    cardo_status status = CARDO_ALLOCATE(&origins, model->nbody + 1, error);
    for (int b = 0; b < model->nbody && status == CARDO_OK; ++b)
        origins[b + 1] = sums[b].com;
    for (int k = 0; k < model->nconstraint && status == CARDO_OK; ++k)
        status = add_constraint(model, k, origins, system, error);
    cardo_free(origins);
    return status;
}

/* Atom i becomes station i: one call for each run of atoms of one body. */
static cardo_status add_stations(const cardo_model *model, const body_sum *sums,
                                 cardo_system *system, double *local, cardo_error *error)
{
    const cardo_structure *structure = model->structure[0].structure;
    for (int i = 0; i < structure->natom; ++i)
        v3_store(local + 3 * i,
                 v3_sub(v3_load(structure->position + 3 * i), sums[model->atom_body[i]].com));
    for (int first = 0, end; first < structure->natom; first = end) {
        int b = model->atom_body[first];
        end = first + 1;
        while (end < structure->natom && model->atom_body[end] == b)
            ++end;
        cardo_status status =
            cardo_system_add_stations(system, b + 1, first, end - first, local + 3 * first, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

cardo_status cardo_model_compile(const cardo_model *model, const double *masses, cardo_system **out,
                                 cardo_error *error)
{
    cardo_status status;
    cardo_system *system = NULL;
    body_sum *sums = NULL;
    double *local = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&sums, model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&local, 3 * model->structure[0].structure->natom, error));
    CARDO_TRY(sum_masses(model, masses, sums, error));
    sum_inertia(model, masses, sums);
    CARDO_TRY(cardo_system_create(&system, error));
    for (int b = 0; b < model->nbody; ++b) {
        CARDO_TRY(check_inertia(model, b, &sums[b], error));
        CARDO_TRY(add_body(model, b, sums, system, error));
    }
    CARDO_TRY(add_constraints(model, sums, system, error));
    CARDO_TRY(add_stations(model, sums, system, local, error));
    CARDO_TRY(cardo_system_finalize(system, error));
    *out = system;
    system = NULL;
done:
    cardo_free(sums);
    cardo_free(local);
    cardo_system_destroy(system);
    return status;
}

void cardo_model_initial_q(const cardo_model *model, const cardo_system *system, double *q)
{
    for (int b = 0; b < model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(system, b + 1, &info);
        for (int k = 0; k < info.nq; ++k)
            q[info.q_first + k] = 0.0;
        if (info.mobilizer == &cardo_mobilizer_free || info.mobilizer == &cardo_mobilizer_ball ||
            info.mobilizer == &cardo_mobilizer_free_line)
            q[info.q_first] = 1.0; /* the unit quaternion */
        const cardo_path_stand *stands = model->body[b].stands;
        if (info.mobilizer == &cardo_mobilizer_path && stands)
            memcpy(q + info.q_first, stands->q, (size_t)info.nq * sizeof *q);
    }
    if (model->start_file)
        (void)cardo_named_numbers_put(&model->start, system, q);
    /* A path that is told where to begin does so, whatever the rest begins at. */
    for (int b = 0; b < model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(system, b + 1, &info);
        if (model->body[b].fit && info.mobilizer != &cardo_mobilizer_free &&
            model->body[b].start != 0)
            q[info.q_first] = model->body[b].start;
    }
}

int cardo_model_last_q(const cardo_model *model, const cardo_system *system, int speed, double *q)
{
    int n = 0;
    for (int b = 0; b < model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(system, b + 1, &info);
        if (!model->body[b].fit || info.mobilizer != &cardo_mobilizer_path)
            continue;
        q[info.q_first] = model->body[b].fit->nstructure - 1;
        n += info.u_first != speed;
    }
    return n;
}
