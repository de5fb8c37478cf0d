#include "cli/setup.h"

#include "base/memory.h"
#include "base/pool.h"
#include "base/text.h"
#include "cli/study.h"
#include "coarse/coarse.h"
#include "coarse/kind.h"
#include "dynamics/integrator.h"
#include "forcefield/forcefield.h"
#include "forcefield/openmm.h"
#include "forcefield/prmtop.h"
#include "multibody/mobilizer_descriptor.h"
#include "multibody/operators.h"
#include "rigid/provider.h"
#include "topology/bonds.h"

#include <stdio.h>
#include <string.h>

/* --set and its shorthands as "group.name=value" texts. */
typedef struct override_list {
    const char *text[CARDO_MOST_GIVEN + 4];
    char platform[64], threads[64], numbering[64], provider[64];
    int count;
} override_list;

static void collect_overrides(const cardo_command *command, override_list *list)
{
    list->count = cardo_command_values(command, "set", list->text);
    const char *platform = cardo_command_value(command, "platform");
    const char *threads = cardo_command_value(command, "threads");
    const char *numbering = cardo_command_value(command, "numbering");
    if (platform) {
        snprintf(list->platform, sizeof list->platform, "forcefield.platform=%s", platform);
        list->text[list->count++] = list->platform;
    }
    if (threads) {
        snprintf(list->threads, sizeof list->threads, "forcefield.threads=%s", threads);
        list->text[list->count++] = list->threads;
    }
    const char *provider = cardo_command_value(command, "provider");
    if (provider) {
        snprintf(list->provider, sizeof list->provider, "forcefield.provider=%s", provider);
        list->text[list->count++] = list->provider;
    }
    if (numbering) {
        snprintf(list->numbering, sizeof list->numbering, "structure.numbering=%s", numbering);
        list->text[list->count++] = list->numbering;
    }
}

static cardo_status read_model(const cardo_command *command, cardo_model **out, cardo_error *error)
{
    const char *stationary = cardo_command_value(command, "stationary");
    const char *mobile = cardo_command_value(command, "mobile");
    if (stationary || mobile) {
        if (command->nargument != 2 || !stationary || !mobile)
            return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                              "a pair of structures is given as cardo %s OPEN CLOSED --stationary "
                              "RESIDUES --mobile "
                              "RESIDUES",
                              command->verb->name);
        cardo_read_options reading = {.model = 0};
        cardo_status status = cardo_reading_options(command, &reading, error);
        if (status != CARDO_OK)
            return status;
        const char *interpolation = cardo_command_value(command, "interpolation");
        return cardo_model_from_pair(command->argument[0], command->argument[1], stationary, mobile,
                                     cardo_command_value(command, "hinge"),
                                     interpolation ? interpolation : "screw",
                                     reading.label_numbering, out, error);
    }
    if (command->nargument != 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "cardo %s needs one model file: cardo %s %s",
                          command->verb->name, command->verb->name, command->verb->synopsis);
    override_list overrides = {0};
    collect_overrides(command, &overrides);
    return cardo_model_read(command->argument[0], overrides.count, overrides.text, out, error);
}

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

static void name_engine(cardo_setup *setup)
{
    const cardo_model_forcefield *forcefield = &setup->model->forcefield;
    int n = snprintf(setup->engine, sizeof setup->engine, "rigid, %s precision",
                     forcefield->full_precision ? "double" : "mixed");
    if (forcefield->tolerance > 0)
        snprintf(setup->engine + n, sizeof setup->engine - (size_t)n, ", tolerance %g",
                 forcefield->tolerance);
}

/* The provider of the parts, for the stations of the compiled system in their bodies. */
static cardo_status make_rigid(cardo_setup *setup, const int *body, const double *stations,
                               cardo_error *error)
{
    const cardo_model_forcefield *forcefield = &setup->model->forcefield;
    cardo_rigid_options options = {.threads = forcefield->threads > 0 ? forcefield->threads
                                                                      : cardo_pool_default(),
                                   .tolerance = forcefield->tolerance,
                                   .full_precision = forcefield->full_precision,
                                   .cutoff = setup->parts->cutoff,
                                   .gb_cutoff = setup->parts->gb_cutoff,
                                   .reaction_field = setup->parts->reaction_field};
    cardo_status status = cardo_rigid_provider_create(
        setup->parts->terms, cardo_system_nbody(setup->system), body, stations, &options,
        setup->parts->rest, &setup->provider, error);
    if (status != CARDO_OK)
        return status;
    setup->parts->rest = NULL;
    name_engine(setup);
    return CARDO_OK;
}

/* The provider that works on body poses, rigid or coarse-grained, of the compiled system. */
static cardo_status make_pose_provider(cardo_setup *setup, cardo_error *error)
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

cardo_status cardo_setup_bonded_provider(const cardo_setup *setup, cardo_force_provider **out,
                                         cardo_error *error)
{
    const cardo_model *model = setup->model;
    cardo_openmm_options options;
    cardo_terms bonded = *setup->terms;
    bonded.has_nonbonded = bonded.has_gb = false;
    cardo_status status = openmm_options(&model->forcefield, &options, error);
    return status == CARDO_OK
               ? cardo_openmm_provider_create(&bonded, model->atom_body,
                                              model->structure[0].structure->position, &options,
                                              out, error)
               : status;
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

cardo_status cardo_setup_whole_provider(const cardo_setup *setup, cardo_force_provider **out,
                                        cardo_error *error)
{
    const cardo_model *model = setup->model;
    cardo_openmm_options options;
    if (!setup->terms)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s:%d: atoms that all move need a force field's own terms: a serialized "
                          "System may have constraints in their place; name force-field files or "
                          "an AMBER topology",
                          model->path, model->forcefield.line);
    cardo_status status = openmm_options(&model->forcefield, &options, error);
    return status == CARDO_OK
               ? cardo_openmm_provider_create(setup->terms, NULL,
                                              model->structure[0].structure->position, &options,
                                              out, error)
               : status;
}

static cardo_status add_forces(cardo_setup *setup, bool need_forces, double *masses,
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

cardo_status cardo_setup_read(const cardo_command *command, cardo_setup *setup, cardo_error *error)
{
    return read_model(command, &setup->model, error);
}

/* System, state at the model's start, and evaluator. */
static cardo_status compile(cardo_setup *setup, cardo_error *error)
{
    cardo_status status;
    double *q = NULL;
    CARDO_TRY(cardo_model_compile(setup->model, setup->masses, &setup->system, error));
    CARDO_TRY(cardo_state_create(setup->system, &setup->state, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, cardo_system_nq(setup->system) + 1, error));
    cardo_model_initial_q(setup->model, setup->system, q);
    cardo_state_set_q(setup->state, q);
    CARDO_TRY(cardo_realize(setup->system, setup->state, CARDO_STAGE_POSITION, error));
    if ((setup->parts || setup->coarse) && !setup->provider)
        CARDO_TRY(make_pose_provider(setup, error));
    if (setup->provider)
        CARDO_TRY(cardo_evaluator_create(setup->system, setup->provider, &setup->evaluator, error));
done:
    cardo_free(q);
    return status;
}

cardo_status cardo_setup_build(const cardo_command *command, bool need_forces, cardo_setup *setup,
                               cardo_error *error)
{
    cardo_status status;
    bool have_masses;

    if (!setup->model)
        CARDO_TRY(cardo_setup_read(command, setup, error));
    for (int k = 0; k < setup->model->nstructure; ++k)
        cardo_reading_remarks(setup->model->structure[k].structure);
    CARDO_TRY(CARDO_ALLOCATE(&setup->masses, setup->model->structure[0].structure->natom, error));
    CARDO_TRY(add_forces(setup, need_forces, setup->masses, &have_masses, error));
    if (!have_masses) {
        cardo_free(setup->masses);
        setup->masses = NULL;
    }
    CARDO_TRY(compile(setup, error));
done:
    return status;
}

cardo_status cardo_setup_free_joints(cardo_setup *setup, cardo_error *error)
{
    for (int b = 0; b < setup->model->nbody; ++b)
        setup->model->body[b].mobilizer = &cardo_mobilizer_free;
    cardo_evaluator_destroy(setup->evaluator);
    cardo_state_destroy(setup->state);
    cardo_system_destroy(setup->system);
    setup->evaluator = NULL;
    setup->state = NULL;
    setup->system = NULL;
    return compile(setup, error);
}

void cardo_setup_clear(cardo_setup *setup)
{
    cardo_evaluator_destroy(setup->evaluator);
    cardo_state_destroy(setup->state);
    cardo_force_provider_destroy(setup->table);
    cardo_force_provider_destroy(setup->provider);
    cardo_system_destroy(setup->system);
    cardo_coarse_energy_destroy(setup->coarse);
    if (setup->parts)
        cardo_openmm_parts_clear(setup->parts);
    cardo_free(setup->parts);
    cardo_terms_destroy(setup->terms);
    cardo_free(setup->masses);
    cardo_model_destroy(setup->model);
    *setup = (cardo_setup){0};
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

cardo_status cardo_setup_set_coordinate(cardo_setup *setup, int coordinate, double value,
                                        cardo_error *error)
{
    double *q;
    int nq = cardo_system_nq(setup->system);
    cardo_status status = CARDO_ALLOCATE(&q, nq, error);
    if (status != CARDO_OK)
        return status;
    memcpy(q, cardo_state_q(setup->state), (size_t)nq * sizeof *q);
    q[coordinate] = value;
    cardo_state_set_q(setup->state, q);
    cardo_free(q);
    return cardo_realize(setup->system, setup->state, CARDO_STAGE_POSITION, error);
}

/* The body's name, with the joint's word for its k-th of n numbers where it has several. */
static void name_number(const char *body, int n, const char *word, char text[96])
{
    if (n == 1)
        snprintf(text, 96, "%s", body);
    else
        snprintf(text, 96, "%s %s", body, word);
}

char *cardo_setup_mobility_name(const cardo_system *system, int mobility, char text[96])
{
    snprintf(text, 96, "u%d", mobility);
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        int k = mobility - info.u_first;
        if (k >= 0 && k < info.nu)
            name_number(info.name, info.nu, cardo_joint_u_name(cardo_system_joint(system, b), k),
                        text);
    }
    return text;
}

char *cardo_setup_coordinate_name(const cardo_system *system, int coordinate, char text[96])
{
    snprintf(text, 96, "q%d", coordinate);
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        int k = coordinate - info.q_first;
        if (k >= 0 && k < info.nq)
            name_number(info.name, info.nq, cardo_joint_q_name(cardo_system_joint(system, b), k),
                        text);
    }
    return text;
}
