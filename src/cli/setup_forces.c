/* Which provider computes the forces of a model, and what it is made of. */
#include "cli/setup_forces.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/study.h"
#include "dynamics/integrators/integrator.h"
#include "forces/coarse/coarse.h"
#include "forces/coarse/kind.h"
#include "forces/ffxml/forcefield.h"
#include "forces/openmm/openmm.h"
#include "forces/rigid/rigid.h"
#include "forces/terms/prmtop.h"
#include "multibody/tree/operators.h"
#include "topology/bonds.h"

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
                          "method=\"cutoff\" needs a cutoff, such as cutoff=\"1.6 nm\"");
    return CARDO_OK;
}

static cardo_status assign_parameters(cardo_setup *setup, cardo_error *error)
{
    cardo_status status;
    cardo_model *model = setup->model;
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
    CARDO_TRY(cardo_forcefield_assign(forcefield, structure, bonds, &setup->terms, error));
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
static cardo_status read_topology(cardo_setup *setup, cardo_error *error)
{
    const cardo_model_forcefield *forcefield = &setup->model->forcefield;
    const cardo_structure *structure = setup->model->structure[0].structure;
    cardo_structure *topology = NULL;
    char label[40];
    cardo_status status =
        cardo_prmtop_read(forcefield->system, forcefield->solvent, &setup->terms, &topology, error);
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

static bool names_platform(const cardo_model_forcefield *forcefield)
{
    return forcefield->properties[0] ||
           (forcefield->platform[0] && strcmp(forcefield->platform, "auto") != 0);
}

static bool is_auto(const cardo_model_forcefield *forcefield)
{
    return strcmp(forcefield->provider, "auto") == 0;
}

/* Many small bodies leave the rigid provider's blocks half empty, and little lies inside bodies. */
enum { LEAST_ATOMS_A_BODY = 16 };

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
    if (model->structure[0].structure->natom < LEAST_ATOMS_A_BODY * model->nbody)
        return "its bodies are small";
    if (wants_groups(model))
        return "respa wants slow and fast forces apart";
    return NULL;
}

/* Takes the System apart for the rigid provider, which is made when there are bodies; setup->parts
 * stays NULL where OpenMM is to compute all. */
static cardo_status take_apart(cardo_setup *setup, const cardo_openmm_options *options,
                               cardo_error *error)
{
    const cardo_model *model = setup->model;
    const cardo_structure *structure = model->structure[0].structure;
    cardo_status status;
    cardo_openmm_parts *parts = NULL;
    if (strcmp(model->forcefield.provider, "openmm") == 0)
        return CARDO_OK;
    if (is_auto(&model->forcefield) && names_platform(&model->forcefield)) {
        snprintf(setup->not_rigid, sizeof setup->not_rigid, "a platform of it is named");
        return CARDO_OK;
    }
    CARDO_TRY(CARDO_ALLOCATE(&parts, 1, error));
    if (setup->terms)
        status = cardo_openmm_parts_from_terms(setup->terms, model->atom_body, structure->position,
                                               options, parts, error);
    else
        status = cardo_openmm_parts_from_system(model->forcefield.system, structure->natom,
                                                structure->position, options, parts, error);
    if (status != CARDO_OK)
        goto done;
    const char *reason = is_auto(&model->forcefield) ? why_not_rigid(model, parts) : NULL;
    if (reason) {
        snprintf(setup->not_rigid, sizeof setup->not_rigid, "%s", reason);
    } else {
        setup->parts = parts;
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

static void name_engine(cardo_setup *setup)
{
    const cardo_model_forcefield *forcefield = &setup->model->forcefield;
    int n = snprintf(setup->engine, sizeof setup->engine, "rigid, %s precision",
                     forcefield->full_precision ? "double" : "mixed");
    if (forcefield->tolerance > 0)
        n += cardo_format(setup->engine + n, sizeof setup->engine - (size_t)n, ", tolerance %g",
                          forcefield->tolerance);
    const char *kernels = kernels_asked_for(forcefield);
    if (kernels[0])
        snprintf(setup->engine + n, sizeof setup->engine - (size_t)n, ", kernels %s", kernels);
}

/* The provider of the parts, for the stations of the compiled system in their bodies. */
static cardo_status make_rigid(cardo_setup *setup, const int *body, const double *stations,
                               cardo_error *error)
{
    const cardo_model_forcefield *forcefield = &setup->model->forcefield;
    cardo_rigid_options options = {.threads = forcefield->threads,
                                   .tolerance = forcefield->tolerance,
                                   .full_precision = forcefield->full_precision,
                                   .cutoff = setup->parts->cutoff,
                                   .gb_cutoff = setup->parts->gb_cutoff,
                                   .reaction_field = setup->parts->reaction_field};
    snprintf(options.kernels, sizeof options.kernels, "%s", kernels_asked_for(forcefield));
    cardo_status status = cardo_rigid_provider_create(
        setup->parts->terms, cardo_system_nbody(setup->system), body, stations, &options,
        setup->parts->rest, &setup->provider, error);
    if (status != CARDO_OK)
        return status;
    setup->parts->rest = NULL;
    name_engine(setup);
    return CARDO_OK;
}

cardo_status cardo_setup_pose_provider(cardo_setup *setup, cardo_error *error)
{
    cardo_status status;
    const cardo_transform *X_GB = cardo_state_X_GB(setup->state);
    const int natom = cardo_system_nstation(setup->system);
    double *stations = NULL;
    int *body = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&stations, 3 * (size_t)natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&body, natom, error));
    CARDO_TRY(cardo_station_positions(setup->system, setup->state, stations, error));
    for (int i = 0; i < natom; ++i) {
        body[i] = cardo_system_station_body(setup->system, i);
        v3_store(stations + 3 * i,
                 xform_point(xform_inverse(X_GB[body[i]]), v3_load(stations + 3 * i)));
    }
    status = setup->coarse
                 ? cardo_coarse_provider_create(setup->coarse, cardo_system_nbody(setup->system),
                                                body, stations, &setup->provider, error)
                 : make_rigid(setup, body, stations, error);
done:
    cardo_free(stations);
    cardo_free(body);
    return status;
}

static cardo_status provide_terms(cardo_setup *setup, const cardo_openmm_options *options,
                                  double *masses, cardo_error *error)
{
    const cardo_model *model = setup->model;
    const cardo_structure *structure = model->structure[0].structure;
    memcpy(masses, setup->terms->mass, (size_t)structure->natom * sizeof *masses);
    cardo_status status = take_apart(setup, options, error);
    if (status != CARDO_OK || setup->parts)
        return status;
    return cardo_openmm_provider_create(setup->terms, model->atom_body, structure->position,
                                        options, &setup->provider, error);
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

static cardo_status make_provider(cardo_setup *setup, double *masses, cardo_error *error)
{
    cardo_model *model = setup->model;
    cardo_structure *structure = model->structure[0].structure;
    cardo_openmm_options options;
    cardo_status status = openmm_options(&model->forcefield, &options, error);
    if (status != CARDO_OK)
        return status;
    if (model->forcefield.system && is_amber_topology(model->forcefield.system)) {
        status = read_topology(setup, error);
        if (status != CARDO_OK)
            return status;
        return provide_terms(setup, &options, masses, error);
    }
    if (model->forcefield.system) {
        status = take_apart(setup, &options, error);
        if (status == CARDO_OK && setup->parts)
            memcpy(masses, setup->parts->terms->mass, (size_t)structure->natom * sizeof *masses);
        if (status != CARDO_OK || setup->parts)
            return status;
        status = cardo_openmm_provider_from_system(model->forcefield.system, structure->natom,
                                                   &options, masses, &setup->provider, error);
        /* A run that is continued must not depend on where its predecessor had been. */
        return status == CARDO_OK
                   ? cardo_openmm_provider_prime(setup->provider, structure->position, error)
                   : status;
    }
    status = assign_parameters(setup, error);
    if (status != CARDO_OK)
        return status;
    return provide_terms(setup, &options, masses, error);
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

cardo_status cardo_setup_bonded_provider(const cardo_setup *setup, cardo_force_provider **out,
                                         cardo_error *error)
{
    cardo_terms bonded = *setup->terms;
    bonded.has_nonbonded = bonded.has_gb = false;
    return create_openmm(setup->model, &bonded, setup->model->atom_body, out, error);
}

cardo_status cardo_setup_whole_provider(const cardo_setup *setup, cardo_force_provider **out,
                                        cardo_error *error)
{
    const cardo_model *model = setup->model;
    if (!setup->terms)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s:%d: atoms that all move need a force field's own terms: a serialized "
                          "System may have constraints in their place; name force-field files or "
                          "an AMBER topology",
                          model->path, model->forcefield.line);
    return create_openmm(model, setup->terms, NULL, out, error);
}

cardo_status cardo_setup_judge_provider(const cardo_setup *setup, const char *platform,
                                        const double *positions, cardo_force_provider **out,
                                        cardo_error *error)
{
    const cardo_model *model = setup->model;
    cardo_openmm_options options;
    cardo_status status = openmm_options(&model->forcefield, &options, error);
    if (status != CARDO_OK)
        return status;
    snprintf(options.platform, sizeof options.platform, "%s", platform);
    options.properties[0] = '\0';
    options.threads = 1;
    if (setup->terms)
        return cardo_openmm_provider_create(setup->terms, NULL, positions, &options, out, error);
    return cardo_openmm_provider_from_system(
        model->forcefield.system, model->structure[0].structure->natom, &options, NULL, out, error);
}

/* The provider, or what it will be made of when there are bodies. A coarse-grained energy gives no
 * masses. */
static cardo_status choose_forces(cardo_setup *setup, double *masses, bool *have_masses,
                                  cardo_error *error)
{
    cardo_model_forcefield *forcefield = &setup->model->forcefield;
    bool coarse;
    cardo_status status = is_coarse(forcefield, &coarse, error);
    *have_masses = false;
    if (status == CARDO_OK && coarse) {
        status = cardo_coarse_energy_create(setup->model, forcefield->file[0],
                                            forcefield->parameters, &setup->coarse, error);
        if (status != CARDO_OK)
            return status;
        /* What the model says of the atomistic force field that this one stands in for. */
        forcefield->solvent[0] = '\0';
        snprintf(forcefield->method, sizeof forcefield->method, "%s", setup->coarse->kind->name);
        return CARDO_OK;
    }
    if (status == CARDO_OK)
        status = make_provider(setup, masses, error);
    *have_masses = status == CARDO_OK;
    return status;
}

cardo_status cardo_setup_add_forces(cardo_setup *setup, bool need_forces, double *masses,
                                    bool *have_masses, cardo_error *error)
{
    cardo_status status;
    *have_masses = false;
    if (setup->model->has_forcefield) {
        status = choose_forces(setup, masses, have_masses, &setup->no_forces);
        if (status != CARDO_OK && setup->model->path[0])
            cardo_error_prefix(&setup->no_forces,
                               "%s:%d: the force field cannot be applied: ", setup->model->path,
                               setup->model->forcefield.line);
    } else {
        status = CARDO_FAIL(&setup->no_forces, CARDO_ERROR_INPUT,
                            "%s: the model has no <forcefield>, so there are no energies",
                            setup->model->path);
    }
    if (status != CARDO_OK && need_forces && error)
        *error = setup->no_forces;
    return need_forces ? status : CARDO_OK;
}

const char *cardo_setup_platform(const cardo_setup *setup)
{
    if (setup->coarse)
        return "coarse-grained";
    return setup->parts ? setup->engine : cardo_openmm_provider_platform(setup->provider);
}

const char *cardo_setup_engine(const cardo_setup *setup, char text[64])
{
    const char *platform = cardo_setup_platform(setup);
    snprintf(text, 64, setup->parts || setup->coarse ? "%s" : "OpenMM, %s platform", platform);
    return text;
}

void cardo_setup_print_choice(const cardo_setup *setup)
{
    if (!setup->provider || setup->coarse || !is_auto(&setup->model->forcefield))
        return;
    if (setup->parts)
        printf("provider auto took rigid, which knows all of the force field\n");
    else
        printf("provider auto took OpenMM: %s\n", setup->not_rigid);
}
