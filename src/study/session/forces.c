/* Which provider computes the forces of a model, and what it is made of. */
#include "study/session/forces.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "dynamics/integrators/integrator.h"
#include "forces/coarse/coarse.h"
#include "forces/coarse/kind.h"
#include "forces/ffxml/forcefield.h"
#include "forces/openmm/openmm.h"
#include "forces/rigid/rigid.h"
#include "forces/terms/prmtop.h"
#include "multibody/tree/operators.h"
#include "study/session/study_options.h"
#include "topology/bonds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_status openmm_options(const cardo_model_forcefield *chosen,
                                   cardo_openmm_options *options, cardo_error *error)
{
    *options = cardo_openmm_options_default();
    if (chosen->platform[0])
        snprintf(options->platform, sizeof options->platform, "%s", chosen->platform);
    snprintf(options->properties, sizeof options->properties, "%s", chosen->properties);
    /* One thread unless asked: OpenMM's CPU platform shares work out as it comes, so with more the
     * last bits differ from run to run. */
    options->threads = chosen->threads > 0 ? chosen->threads : 1;
    options->cutoff = chosen->cutoff;
    if (strcmp(chosen->method, "cutoff") == 0)
        options->method = CARDO_CUTOFF;
    else if (strcmp(chosen->method, "no-cutoff") == 0)
        options->method = CARDO_NO_CUTOFF;
    else
        options->method = CARDO_ALL_PAIRS;
    if (options->method == CARDO_CUTOFF && !(chosen->cutoff > 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a cutoff needs a distance, such as forcefield.cutoff=1.6nm");
    return CARDO_OK;
}

static cardo_status assign_parameters(cardo_session *session, cardo_error *error)
{
    cardo_status status;
    cardo_model *model = session->model;
    cardo_structure *structure = model->structure[0].structure;
    cardo_bonds *bonds = NULL;
    cardo_forcefield *forcefield = NULL;
    char *templates = NULL;
    union {
        char **paths;
        const char *const *read;
    } files = {model->forcefield.file};

    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(cardo_normalise_names(structure, templates, error));
    CARDO_TRY(cardo_bonds_find(structure, templates, &bonds, error));
    CARDO_TRY(cardo_forcefield_read(model->forcefield.nfile, files.read, &forcefield, error));
    if (model->forcefield.solvent[0] && strcmp(model->forcefield.solvent, "none") != 0)
        CARDO_TRY(cardo_forcefield_use_solvent(forcefield, model->forcefield.solvent, error));
    CARDO_TRY(cardo_forcefield_assign(forcefield, structure, bonds, &session->terms, error));
done:
    cardo_forcefield_destroy(forcefield);
    cardo_bonds_destroy(bonds);
    cardo_free(templates);
    return status;
}

static bool is_amber_topology(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".prmtop") == 0 || strcmp(dot, ".parm7") == 0);
}

/* Terms from an AMBER topology, which must have the structure's atoms in the same order. */
static cardo_status read_topology(cardo_session *session, cardo_error *error)
{
    const cardo_model_forcefield *forcefield = &session->model->forcefield;
    const cardo_structure *structure = session->model->structure[0].structure;
    cardo_structure *topology = NULL;
    char label[40];
    cardo_status status = cardo_prmtop_read(forcefield->system, forcefield->solvent,
                                            &session->terms, &topology, error);
    if (status != CARDO_OK)
        return status;
    if (topology->natom != structure->natom)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s has %d atoms and the structure %d: they must be the same, in the "
                            "same order",
                            forcefield->system, topology->natom, structure->natom);
    for (int i = 0; i < topology->natom && status == CARDO_OK; ++i)
        if (topology->element[i] != structure->element[i])
            status = CARDO_FAIL(
                error, CARDO_ERROR_INPUT,
                "%s has another element at atom %d than the structure, %s of %s: the atoms must be "
                "the same, in the same order",
                forcefield->system, i + 1, structure->atom_name[i].text,
                cardo_residue_label(structure, structure->atom_residue[i], label));
    cardo_structure_destroy(topology);
    return status;
}

/* The same of salt (Debye & Hueckel 1923), for the solvents' dielectric constant of 78.5 and at 300 K, times
 * 0.73 for the ions' size (Srinivasan, Trevathan, Beroza & Case 1999). Amber's constant, nm sqrt(mol/L K):
 * OpenMM has it too. */
static const double salt_temperature = 300; /* K */

static double kappa_of_salt(double ionic_strength, double dielectric)
{
    const double amber = 503.3355, exclusion = 0.73;
    return exclusion * amber * sqrt(ionic_strength / (dielectric * salt_temperature));
}

static cardo_status add_salt(cardo_session *session, cardo_error *error)
{
    const cardo_model_forcefield *forcefield = &session->model->forcefield;
    cardo_terms *terms = session->terms;
    if (forcefield->ionic_strength == 0 && forcefield->kappa == 0)
        return CARDO_OK;
    if (forcefield->ionic_strength > 0 && forcefield->kappa > 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "ionic-strength and kappa are the same thing said twice: give one of "
                          "them");
    if (!terms || !terms->has_gb)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "salt needs a generalized Born solvent that is named here, such as "
                          "solvent=\"obc2\"; a serialized System brings its own");
    terms->kappa = forcefield->kappa > 0
                       ? forcefield->kappa
                       : kappa_of_salt(forcefield->ionic_strength, terms->solvent_dielectric);
    session->kappa = terms->kappa;
    return CARDO_OK;
}

void cardo_session_tell_salt(const cardo_session *session, double kelvin, const char *about)
{
    if (session->kappa == 0 || session->model->forcefield.ionic_strength == 0 ||
        fabs(kelvin - salt_temperature) < 0.5)
        return;
    cardo_tell(&session->listener, CARDO_SAID_WARNING, about,
               "kappa of the salt is that of %g K, %.4g/nm, and the bath has %g K, where the same "
               "salt in the same solvent has %.4g/nm: give it as forcefield.kappa=%.4g",
               salt_temperature, session->kappa, kelvin,
               session->kappa * sqrt(salt_temperature / kelvin),
               session->kappa * sqrt(salt_temperature / kelvin));
}

static bool names_platform(const cardo_model_forcefield *forcefield)
{
    return forcefield->properties[0] ||
           (forcefield->platform[0] && strcmp(forcefield->platform, "auto") != 0);
}

static bool is_auto(const cardo_model_forcefield *forcefield)
{
    return strcmp(forcefield->provider, "auto") == 0;
}

/* Where bodies are this small little lies inside of them, and in vacuum OpenMM is quicker. With a solvent it never is: what depends on Born
 * radii costs it several times as much (src/forces/rigid/README.md). */
enum { LEAST_ATOMS_A_BODY = 12 };

/* Is a study of the model made with an integrator that wants slow and fast forces apart? */
static bool wants_groups(const cardo_model *model)
{
    static const char *const verbs[] = {"simulate", "drive"};
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; ++k) {
        const char *integrator = cardo_study_value(model, verbs[k], "integrator");
        if (integrator && strcmp(integrator, cardo_integrator_respa.name) == 0)
            return true;
    }
    return false;
}

/* Why provider auto is to take OpenMM although the user names no platform, or NULL: rigid. */
static const char *why_not_rigid(const cardo_model *model, const cardo_openmm_parts *parts)
{
    const char *unsupported = cardo_rigid_unsupported(parts->terms);
    if (unsupported)
        return unsupported;
    if (parts->rest)
        return "it has forces that rigid does not know";
    if (!parts->terms->has_nonbonded)
        return "it has no pairs to skip";
    if (!parts->terms->has_gb &&
        model->structure[0].structure->natom < LEAST_ATOMS_A_BODY * model->nbody)
        return "its bodies are small, and there is no solvent";
    if (wants_groups(model))
        return "respa wants slow and fast forces apart";
    return NULL;
}

/* Takes the System apart for the rigid provider, which is made when there are bodies; session->parts
 * stays NULL where OpenMM is to compute all. */
static cardo_status take_apart(cardo_session *session, const cardo_openmm_options *options,
                               cardo_error *error)
{
    const cardo_model *model = session->model;
    const cardo_structure *structure = model->structure[0].structure;
    cardo_status status;
    cardo_openmm_parts *parts = NULL;
    if (strcmp(model->forcefield.provider, "openmm") == 0)
        return CARDO_OK;
    if (is_auto(&model->forcefield) && names_platform(&model->forcefield)) {
        snprintf(session->not_rigid, sizeof session->not_rigid, "a platform of it is named");
        return CARDO_OK;
    }
    CARDO_TRY(CARDO_ALLOCATE(&parts, 1, error));
    if (session->terms)
        status = cardo_openmm_parts_from_terms(session->terms, model->atom_body,
                                               structure->position, options, parts, error);
    else
        status = cardo_openmm_parts_from_system(model->forcefield.system, structure->natom,
                                                structure->position, options, parts, error);
    if (status != CARDO_OK)
        goto done;
    const char *reason = is_auto(&model->forcefield) ? why_not_rigid(model, parts) : NULL;
    if (reason) {
        snprintf(session->not_rigid, sizeof session->not_rigid, "%s", reason);
    } else {
        session->parts = parts;
        parts = NULL;
    }
done:
    if (parts)
        cardo_openmm_parts_clear(parts);
    cardo_free(parts);
    return status;
}

/* The instructions that are asked for, by the model or the environment; "": the widest. */
static const char *kernels_asked_for(const cardo_model_forcefield *forcefield)
{
    const char *environment = getenv("CARDO_KERNELS");
    if (strcmp(forcefield->kernels, "auto") != 0)
        return forcefield->kernels;
    return environment ? environment : "";
}

static void name_engine(cardo_session *session)
{
    const cardo_model_forcefield *forcefield = &session->model->forcefield;
    int n = snprintf(session->engine, sizeof session->engine, "rigid, %s precision",
                     forcefield->full_precision ? "double" : "mixed");
    if (forcefield->tolerance > 0)
        n += cardo_format(session->engine + n, sizeof session->engine - (size_t)n, ", tolerance %g",
                          forcefield->tolerance);
    const char *kernels = kernels_asked_for(forcefield);
    if (kernels[0])
        snprintf(session->engine + n, sizeof session->engine - (size_t)n, ", kernels %s", kernels);
}

/* As the model has them. */
static cardo_rigid_options rigid_options(const cardo_session *session)
{
    const cardo_model_forcefield *forcefield = &session->model->forcefield;
    cardo_rigid_options options = {.threads = forcefield->threads,
                                   .tolerance = forcefield->tolerance,
                                   .full_precision = forcefield->full_precision,
                                   .cutoff = session->parts->cutoff,
                                   .gb_cutoff = session->parts->gb_cutoff,
                                   .reaction_field = session->parts->reaction_field};
    snprintf(options.kernels, sizeof options.kernels, "%s", kernels_asked_for(forcefield));
    return options;
}

/* The provider of the parts, for the stations of the compiled system in their bodies. */
static cardo_status make_rigid(cardo_session *session, const int *body, const double *stations,
                               cardo_error *error)
{
    const cardo_rigid_options options = rigid_options(session);
    cardo_status status = cardo_rigid_provider_create(
        session->parts->terms, cardo_system_nbody(session->system), body, stations, &options,
        session->parts->rest, &session->provider, error);
    if (status != CARDO_OK)
        return status;
    session->parts->rest = NULL;
    name_engine(session);
    return CARDO_OK;
}

cardo_status cardo_session_pose_provider(cardo_session *session, cardo_error *error)
{
    cardo_status status;
    const cardo_transform *X_GB = cardo_state_X_GB(session->state);
    const int natom = cardo_system_nstation(session->system);
    double *stations = NULL;
    int *body = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&stations, 3 * (size_t)natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&body, natom, error));
    CARDO_TRY(cardo_station_positions(session->system, session->state, stations, error));
    for (int i = 0; i < natom; ++i) {
        body[i] = cardo_system_station_body(session->system, i);
        v3_store(stations + 3 * i,
                 xform_point(xform_inverse(X_GB[body[i]]), v3_load(stations + 3 * i)));
    }
    status =
        session->coarse
            ? cardo_coarse_provider_create(session->coarse, cardo_system_nbody(session->system),
                                           body, stations, &session->provider, error)
            : make_rigid(session, body, stations, error);
done:
    cardo_free(stations);
    cardo_free(body);
    return status;
}

static cardo_status provide_terms(cardo_session *session, const cardo_openmm_options *options,
                                  double *masses, cardo_error *error)
{
    const cardo_model *model = session->model;
    const cardo_structure *structure = model->structure[0].structure;
    cardo_terms_masses(session->terms, masses);
    cardo_status status = take_apart(session, options, error);
    if (status != CARDO_OK || session->parts)
        return status;
    return cardo_openmm_provider_create(session->terms, model->atom_body, structure->position,
                                        options, &session->provider, error);
}

/* Does a coarse-grained energy stand among the force-field files? It stands alone there. */
static cardo_status is_coarse(const cardo_model_forcefield *forcefield, bool *is,
                              cardo_error *error)
{
    *is = false;
    for (int k = 0; k < forcefield->nfile; ++k)
        *is = *is || cardo_coarse_is_file(forcefield->file[k]);
    if (*is && forcefield->nfile > 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a coarse-grained energy is the whole force field: name its file alone");
    if (!*is && forcefield->parameters[0])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "parameters=\"%s\" are of coarse-grained energies, and this is none",
                          forcefield->parameters);
    return CARDO_OK;
}

static cardo_status make_provider(cardo_session *session, double *masses, cardo_error *error)
{
    cardo_model *model = session->model;
    cardo_structure *structure = model->structure[0].structure;
    cardo_openmm_options options;
    cardo_status status = openmm_options(&model->forcefield, &options, error);
    if (status != CARDO_OK)
        return status;
    if (model->forcefield.system && is_amber_topology(model->forcefield.system)) {
        status = read_topology(session, error);
        if (status == CARDO_OK)
            status = add_salt(session, error);
        if (status != CARDO_OK)
            return status;
        return provide_terms(session, &options, masses, error);
    }
    if (model->forcefield.system) {
        status = add_salt(session, error);
        if (status == CARDO_OK)
            status = take_apart(session, &options, error);
        if (status == CARDO_OK && session->parts)
            cardo_terms_masses(session->parts->terms, masses);
        if (status != CARDO_OK || session->parts)
            return status;
        status = cardo_openmm_provider_from_system(model->forcefield.system, structure->natom,
                                                   &options, masses, &session->provider, error);
        /* A run that is continued must not depend on where its predecessor had been. */
        return status == CARDO_OK
                   ? cardo_openmm_provider_prime(session->provider, structure->position, error)
                   : status;
    }
    status = assign_parameters(session, error);
    if (status == CARDO_OK)
        status = add_salt(session, error);
    if (status != CARDO_OK)
        return status;
    return provide_terms(session, &options, masses, error);
}

/* OpenMM for these terms of the model's, as the model has its platform; atom_body NULL: all atoms move. */
static cardo_status create_openmm(const cardo_model *model, const cardo_terms *terms,
                                  const int *atom_body, cardo_force_provider **out,
                                  cardo_error *error)
{
    cardo_openmm_options options;
    cardo_status status = openmm_options(&model->forcefield, &options, error);
    return status == CARDO_OK
               ? cardo_openmm_provider_create(terms, atom_body,
                                              model->structure[0].structure->position, &options,
                                              out, error)
               : status;
}

cardo_status cardo_session_bonded_provider(const cardo_session *session, cardo_force_provider **out,
                                           cardo_error *error)
{
    cardo_terms bonded = *session->terms;
    bonded.has_nonbonded = bonded.has_gb = false;
    return create_openmm(session->model, &bonded, session->model->atom_body, out, error);
}

cardo_status cardo_session_whole_provider(const cardo_session *session, cardo_force_provider **out,
                                          cardo_error *error)
{
    const cardo_model *model = session->model;
    if (!session->terms)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s:%d: atoms that all move need a force field's own terms: a serialized "
                          "System may have constraints in their place; name force-field files or "
                          "an AMBER topology",
                          model->path, model->forcefield.line);
    return create_openmm(model, session->terms, NULL, out, error);
}

cardo_status cardo_session_atoms_provider(const cardo_session *session, cardo_force_provider **out,
                                          cardo_error *error)
{
    cardo_status status;
    const int natom = session->model->structure[0].structure->natom;
    double *stations = NULL;
    int *body = NULL;
    if (!session->terms || !session->parts || cardo_rigid_unsupported(session->terms))
        return cardo_session_whole_provider(session, out, error);
    const cardo_rigid_options options = rigid_options(session);
    CARDO_TRY(CARDO_ALLOCATE(&stations, 3 * (size_t)natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&body, natom, error));
    for (int i = 0; i < natom; ++i)
        body[i] = i + 1;
    status = cardo_rigid_provider_create(session->terms, natom + 1, body, stations, &options, NULL,
                                         out, error);
done:
    cardo_free(stations);
    cardo_free(body);
    return status;
}

cardo_status cardo_session_judge_provider(const cardo_session *session, const char *platform,
                                          const double *positions, cardo_force_provider **out,
                                          cardo_error *error)
{
    const cardo_model *model = session->model;
    cardo_openmm_options options;
    cardo_status status = openmm_options(&model->forcefield, &options, error);
    if (status != CARDO_OK)
        return status;
    snprintf(options.platform, sizeof options.platform, "%s", platform);
    options.properties[0] = '\0';
    options.threads = 1;
    if (session->terms)
        return cardo_openmm_provider_create(session->terms, NULL, positions, &options, out, error);
    return cardo_openmm_provider_from_system(
        model->forcefield.system, model->structure[0].structure->natom, &options, NULL, out, error);
}

/* The provider, or what it will be made of when there are bodies. A coarse-grained energy gives no
 * masses. */
static cardo_status choose_forces(cardo_session *session, double *masses, bool *have_masses,
                                  cardo_error *error)
{
    cardo_model_forcefield *forcefield = &session->model->forcefield;
    bool coarse;
    cardo_status status = is_coarse(forcefield, &coarse, error);
    *have_masses = false;
    if (status == CARDO_OK && coarse) {
        status = add_salt(session, error);
        if (status != CARDO_OK)
            return status;
        status = cardo_coarse_energy_create(session->model, forcefield->file[0],
                                            forcefield->parameters, &session->coarse, error);
        if (status != CARDO_OK)
            return status;
        /* What the model says of the atomistic force field that this one stands in for. */
        forcefield->solvent[0] = '\0';
        snprintf(forcefield->method, sizeof forcefield->method, "%s", session->coarse->kind->name);
        return CARDO_OK;
    }
    if (status == CARDO_OK)
        status = make_provider(session, masses, error);
    *have_masses = status == CARDO_OK;
    return status;
}

cardo_status cardo_session_add_forces(cardo_session *session, double *masses, bool *have_masses,
                                      cardo_error *error)
{
    cardo_status status;
    *have_masses = false;
    if (session->model->has_forcefield) {
        status = choose_forces(session, masses, have_masses, &session->no_forces);
        if (status != CARDO_OK && session->model->path[0])
            cardo_error_prefix(&session->no_forces,
                               "%s:%d: the force field cannot be applied: ", session->model->path,
                               session->model->forcefield.line);
    } else {
        status = CARDO_FAIL(&session->no_forces, CARDO_ERROR_INPUT,
                            "%s: the model has no <forcefield>, so there are no energies",
                            session->model->path);
    }
    if (session->forces_optional)
        return CARDO_OK;
    if (status != CARDO_OK && error)
        *error = session->no_forces;
    return status;
}

const char *cardo_session_platform(const cardo_session *session)
{
    if (session->coarse)
        return "coarse-grained";
    return session->parts ? session->engine : cardo_openmm_provider_platform(session->provider);
}

const char *cardo_session_engine(const cardo_session *session, char text[CARDO_ENGINE_TEXT])
{
    const char *platform = cardo_session_platform(session);
    snprintf(text, CARDO_ENGINE_TEXT,
             session->parts || session->coarse ? "%s" : "OpenMM, %s platform", platform);
    return text;
}

const char *cardo_session_choice(const cardo_session *session, char text[CARDO_CHOICE_TEXT])
{
    text[0] = '\0';
    if (!session->provider || session->coarse || !is_auto(&session->model->forcefield))
        return text;
    if (session->parts)
        snprintf(text, CARDO_CHOICE_TEXT,
                 "provider auto took rigid, which knows all of the force field");
    else
        snprintf(text, CARDO_CHOICE_TEXT, "provider auto took OpenMM: %s", session->not_rigid);
    return text;
}

void cardo_session_tell_choice(const cardo_session *session)
{
    char text[CARDO_CHOICE_TEXT];
    if (cardo_session_choice(session, text)[0])
        cardo_tell(&session->listener, CARDO_SAID_NOTE, "forcefield.provider", "%s", text);
}
