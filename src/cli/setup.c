#include "cli/setup.h"

#include "base/memory.h"
#include "cli/judge.h"
#include "cli/setup_forces.h"
#include "multibody/mobilizers/descriptor.h"

#include <stdio.h>
#include <string.h>

/* Options that are short for --set. */
static const struct {
    const char *option, *name;
} shorthands[] = {
    {"platform", "forcefield.platform"},
    {"threads", "forcefield.threads"},
    {"provider", "forcefield.provider"},
    {"numbering", "structure.numbering"},
};

enum { SHORTHAND_COUNT = sizeof shorthands / sizeof *shorthands };

const char *cardo_setup_override_name(const char *option)
{
    for (int k = 0; k < SHORTHAND_COUNT; ++k)
        if (strcmp(shorthands[k].option, option) == 0)
            return shorthands[k].name;
    return NULL;
}

/* --set and its shorthands as "group.name=value" texts. */
typedef struct override_list {
    const char *text[CARDO_MOST_GIVEN + SHORTHAND_COUNT];
    char shorthand[SHORTHAND_COUNT][64];
    int count;
} override_list;

static void collect_overrides(const cardo_command *command, override_list *list)
{
    list->count = cardo_command_values(command, "set", list->text);
    for (int k = 0; k < SHORTHAND_COUNT; ++k) {
        const char *value = cardo_command_value(command, shorthands[k].option);
        if (!value)
            continue;
        snprintf(list->shorthand[k], sizeof list->shorthand[k], "%s=%s", shorthands[k].name, value);
        list->text[list->count++] = list->shorthand[k];
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
        CARDO_TRY(cardo_setup_pose_provider(setup, error));
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
    CARDO_TRY(cardo_setup_add_forces(setup, need_forces, setup->masses, &have_masses, error));
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
    cardo_judgement_destroy(setup->judgement);
    cardo_terms_destroy(setup->terms);
    cardo_free(setup->masses);
    cardo_model_destroy(setup->model);
    *setup = (cardo_setup){0};
}

void cardo_setup_print_size(const cardo_setup *setup)
{
    printf("%s: %d atoms in %d bodies, %d degrees of freedom\n", setup->model->name,
           cardo_system_nstation(setup->system), setup->model->nbody,
           cardo_system_nu(setup->system));
    for (int k = 0; k < setup->model->nstructure; ++k)
        if (setup->model->structure[k].note)
            printf("NOTE: %s: %s\n", setup->model->structure[k].id,
                   setup->model->structure[k].note);
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

/* The body's name, with the joint's word for the number where the body has several. */
static char *name_number(const cardo_system *system, int number, bool speed, char text[96])
{
    snprintf(text, 96, "%c%d", speed ? 'u' : 'q', number);
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        const cardo_joint *joint = cardo_system_joint(system, b);
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        const int k = number - (speed ? info.u_first : info.q_first), n = speed ? info.nu : info.nq;
        if (n == 1 && k == 0)
            snprintf(text, 96, "%s", info.name);
        else if (k >= 0 && k < n)
            snprintf(text, 96, "%s %s", info.name,
                     speed ? cardo_joint_u_name(joint, k) : cardo_joint_q_name(joint, k));
    }
    return text;
}

char *cardo_setup_mobility_name(const cardo_system *system, int mobility, char text[96])
{
    return name_number(system, mobility, true, text);
}

char *cardo_setup_coordinate_name(const cardo_system *system, int coordinate, char text[96])
{
    return name_number(system, coordinate, false, text);
}
