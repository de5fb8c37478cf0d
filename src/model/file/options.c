#include "model/file/options.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/internal.h"

#include <stdio.h>
#include <string.h>

/* The options as their field table sees them. */
typedef struct forcefield_options {
    int solvent, method, provider, precision, kernels, check, threads;
    double cutoff, tolerance, ionic_strength, kappa;
    char parameters[CARDO_FIELD_STRING_SIZE];
    char platform[CARDO_FIELD_STRING_SIZE], properties[CARDO_FIELD_STRING_SIZE];
    char table[CARDO_FIELD_STRING_SIZE];
    double table_error, table_relative;
    int table_evaluations;
    char curve[CARDO_FIELD_STRING_SIZE];
    double curve_weight, curve_c1, curve_c2, curve_low, curve_high;
    bool curve_background;
} forcefield_options;

static const char *const solvents[] = {"", "none", "hct", "obc1", "obc2", "gbn", "gbn2", NULL};
static const char *const providers[] = {"auto", "rigid", "openmm", NULL};
static const char *const checks[] = {"auto", "Reference", "CPU", "sums", "no", NULL};
static const char *const precisions[] = {"mixed", "double", NULL};
static const char *const kernels[] = {"auto", "avx512", "avx2", "plain", NULL};
static const char *const methods[] = {"all-pairs", "no-cutoff", "cutoff", NULL};

const cardo_field cardo_model_forcefield_fields[] = {
    {"parameters", CARDO_FIELD_STRING, offsetof(forcefield_options, parameters), "", "", 0, 0, NULL,
     "of a coarse-grained energy, name=value with commas between"},
    {"solvent", CARDO_FIELD_CHOICE, offsetof(forcefield_options, solvent), "", "", 0, 0, solvents,
     "implicit solvent; empty: as the files say"},
    {"ionic-strength", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, ionic_strength), "mol/L",
     "0", 0, 5, NULL,
     "salt of a generalized Born solvent, which screens charges as exp(-kappa f), with kappa at "
     "300 K"},
    {"kappa", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, kappa), "1/nm", "0", 0, 100, NULL,
     "the same in place of an ionic strength: OpenMM's implicitSolventKappa"},
    {"method", CARDO_FIELD_CHOICE, offsetof(forcefield_options, method), "", "all-pairs", 0, 0,
     methods, "which nonbonded pairs count"},
    {"cutoff", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, cutoff), "nm", "0", 0, 1000, NULL,
     "distance of method cutoff"},
    {"provider", CARDO_FIELD_CHOICE, offsetof(forcefield_options, provider), "", "auto", 0, 0,
     providers,
     "who computes forces: OpenMM; rigid, which skips what lies inside bodies and leaves to OpenMM "
     "what it does not know; auto: rigid where it knows all and no platform is named"},
    {"precision", CARDO_FIELD_CHOICE, offsetof(forcefield_options, precision), "", "mixed", 0, 0,
     precisions, "of provider rigid"},
    {"tolerance", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, tolerance), "", "0", 0, 0.01,
     NULL,
     "error allowed of forces and torques on bodies, relative to the largest with OBC2, to their "
     "root "
     "mean square in vacuum, of provider rigid with all pairs; 0: exact"},
    {"kernels", CARDO_FIELD_CHOICE, offsetof(forcefield_options, kernels), "", "auto", 0, 0,
     kernels,
     "instructions that provider rigid uses; auto: CARDO_KERNELS in the environment, or the widest "
     "that the processor has. Results differ in their last bits"},
    {"check-forces", CARDO_FIELD_CHOICE, offsetof(forcefield_options, check), "", "auto", 0, 0,
     checks,
     "who judges the first energies and forces of provider rigid: OpenMM's Reference platform "
     "(auto, "
     "up to 2000 atoms) or its CPU platform (up to 20,000), or exact sums for 1000 atoms (larger "
     "ones); a run ends where they differ by more than rounding and tolerance explain; no: nobody"},
    {"platform", CARDO_FIELD_STRING, offsetof(forcefield_options, platform), "", "auto", 0, 0, NULL,
     "OpenMM platform, or auto: the fastest"},
    {"properties", CARDO_FIELD_STRING, offsetof(forcefield_options, properties), "", "", 0, 0, NULL,
     "properties of the platform, as Name=value,Name=value"},
    {"threads", CARDO_FIELD_INT, offsetof(forcefield_options, threads), "", "0", 0, 4096, NULL,
     "threads; 0: of provider rigid all cores, of OpenMM's CPU platform one", CARDO_MAY_CHANGE},
    {"table", CARDO_FIELD_STRING, offsetof(forcefield_options, table), "", "", 0, 0, NULL,
     "tabulate forces over FROM:TO of each coordinate (one to three, commas between): steps in "
     "this "
     "range cost microseconds"},
    {"table-error", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, table_error), "kJ/mol", "0.05",
     0, 1e6, NULL, "error allowed of a tabulated generalized force"},
    {"table-relative", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, table_relative), "", "1e-4",
     0, 1, NULL, "error allowed besides, as a fraction of the force"},
    {"table-evaluations", CARDO_FIELD_INT, offsetof(forcefield_options, table_evaluations), "",
     "20000", 1, 1e9, NULL, "most evaluations that a table may take", CARDO_MAY_CHANGE},
    {"saxs", CARDO_FIELD_STRING, offsetof(forcefield_options, curve), "", "", 0, 0, NULL,
     "file of a measured scattering curve that pulls besides: its chi^2 times saxs-weight is an "
     "energy. Scale is fitted, the hydration layer is that of the model's start"},
    {"saxs-weight", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, curve_weight), "kJ/mol",
     "1.247", 0, 1e9, NULL, "of chi^2; kT/2 at 300 K makes it the curve's likelihood"},
    {"saxs-c1", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, curve_c1), "", "1", 0.5, 2, NULL,
     "radius of displaced volumes over its usual value: as the study saxs finds it, without which "
     "the curve pulls elsewhere"},
    {"saxs-c2", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, curve_c2), "", "0", -10, 10, NULL,
     "density of the hydration layer: as a fit of structures finds it"},
    {"saxs-background", CARDO_FIELD_BOOL, offsetof(forcefield_options, curve_background), "", "no",
     0, 0, NULL, "a constant is fitted too"},
    {"saxs-q-low", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, curve_low), "1/A", "0", 0, 10,
     NULL, "points below are left out"},
    {"saxs-q-high", CARDO_FIELD_DOUBLE, offsetof(forcefield_options, curve_high), "1/A", "0", 0, 10,
     NULL, "points above are left out; 0: none"},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};

const cardo_field *cardo_forcefield_option_list(void)
{
    return cardo_model_forcefield_fields;
}

/* The value of an attribute, or what --set says instead. */
static const char *value_of(const cardo_xml_element *element, const char *name,
                            const cardo_overrides *overrides)
{
    const char *set = cardo_overrides_value(overrides, "forcefield", name);
    return set || !element ? set : cardo_xml_attribute(element, name);
}

/* A curve is found beside the model file, or as --set names it. */
static cardo_status take_curve(cardo_model_forcefield *forcefield,
                               const forcefield_options *options, const char *model_path, bool set,
                               cardo_error *error)
{
    forcefield->curve_weight = options->curve_weight;
    forcefield->curve_c1 = options->curve_c1;
    forcefield->curve_c2 = options->curve_c2;
    forcefield->curve_background = options->curve_background;
    forcefield->curve_low = 10 * options->curve_low;
    forcefield->curve_high = 10 * options->curve_high;
    if (!options->curve[0])
        return CARDO_OK;
    const cardo_status status = cardo_find_data(options->curve, set ? NULL : model_path, "curves",
                                                &forcefield->curve, error);
    return status == CARDO_OK ? status : cardo_error_prefix(error, "saxs: ");
}

static cardo_status read_options(cardo_model_forcefield *forcefield, const char *model_path,
                                 const cardo_xml_element *element, const cardo_overrides *overrides,
                                 bool *set, cardo_error *error)
{
    forcefield_options options;
    const cardo_field *fields = cardo_model_forcefield_fields;
    cardo_fields_default(fields, &options);
    for (const cardo_field *field = fields; field->name; ++field) {
        const char *text = value_of(element, field->name, overrides);
        cardo_status status = CARDO_OK;
        if (text && text[0])
            status = cardo_fields_set(fields, &options, field->name, text, error);
        if (status != CARDO_OK) {
            *set = cardo_overrides_value(overrides, "forcefield", field->name) != NULL;
            return status;
        }
    }
    forcefield->table_set = cardo_overrides_value(overrides, "forcefield", "table") != NULL;
    snprintf(forcefield->parameters, sizeof forcefield->parameters, "%s", options.parameters);
    snprintf(forcefield->solvent, sizeof forcefield->solvent, "%s", solvents[options.solvent]);
    snprintf(forcefield->method, sizeof forcefield->method, "%s", methods[options.method]);
    snprintf(forcefield->provider, sizeof forcefield->provider, "%s", providers[options.provider]);
    forcefield->full_precision = strcmp(precisions[options.precision], "double") == 0;
    snprintf(forcefield->platform, sizeof forcefield->platform, "%.31s", options.platform);
    snprintf(forcefield->properties, sizeof forcefield->properties, "%s", options.properties);
    forcefield->ionic_strength = options.ionic_strength;
    forcefield->kappa = options.kappa;
    forcefield->cutoff = options.cutoff;
    forcefield->tolerance = options.tolerance;
    snprintf(forcefield->kernels, sizeof forcefield->kernels, "%s", kernels[options.kernels]);
    snprintf(forcefield->check, sizeof forcefield->check, "%s", checks[options.check]);
    snprintf(forcefield->table, sizeof forcefield->table, "%s", options.table);
    forcefield->table_error = options.table_error;
    forcefield->table_relative = options.table_relative;
    forcefield->table_evaluations = options.table_evaluations;
    forcefield->threads = options.threads;
    *set = cardo_overrides_value(overrides, "forcefield", "saxs") != NULL;
    return take_curve(forcefield, &options, model_path, *set, error);
}

/* Force-field files are found beside the model file or among Cardo's data. */
static cardo_status read_files(cardo_model_forcefield *forcefield, const char *model_path,
                               const char *files, cardo_error *error)
{
    const char *blanks = " ,\t\r\n";
    int capacity = 0;
    for (const char *word = files; *(word += strspn(word, blanks));) {
        char name[1024];
        size_t length = strcspn(word, blanks);
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        cardo_status status =
            CARDO_RESERVE(&forcefield->file, &capacity, forcefield->nfile + 1, error);
        if (status == CARDO_OK)
            status = cardo_find_data(name, model_path, "forcefields",
                                     &forcefield->file[forcefield->nfile], error);
        if (status != CARDO_OK)
            return status;
        ++forcefield->nfile;
        word += length;
    }
    if (forcefield->nfile == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "files=\"\" names no force-field file");
    return CARDO_OK;
}

static cardo_status read_parameters(cardo_model_forcefield *forcefield, const char *model_path,
                                    const cardo_xml_element *element,
                                    const cardo_overrides *overrides, cardo_error *error)
{
    const char *files = value_of(element, "files", overrides);
    const char *system = value_of(element, "system", overrides);
    /* --set of one of the two replaces the other. */
    if (cardo_overrides_value(overrides, "forcefield", "files") &&
        !cardo_overrides_value(overrides, "forcefield", "system"))
        system = NULL;
    else if (cardo_overrides_value(overrides, "forcefield", "system"))
        files = NULL;
    if (!files == !system)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "<forcefield> needs either files=\"\" or system=\"\"%s",
                          files ? ", not both" : "");
    if (system)
        return cardo_find_data(system, model_path, "forcefields", &forcefield->system, error);
    return read_files(forcefield, model_path, files, error);
}

cardo_status cardo_model_read_forcefield(cardo_model_definition *definition,
                                         const cardo_xml *document,
                                         const cardo_xml_element *element,
                                         const cardo_overrides *overrides, cardo_error *error)
{
    bool set = false, named = cardo_overrides_value(overrides, "forcefield", "files") ||
                              cardo_overrides_value(overrides, "forcefield", "system");
    if (!element && !named)
        return CARDO_OK;
    definition->has_forcefield = true;
    definition->forcefield.line = element ? cardo_xml_line(element) : 0;
    cardo_status status =
        read_parameters(&definition->forcefield, definition->path, element, overrides, error);
    if (status == CARDO_OK)
        status = read_options(&definition->forcefield, definition->path, element, overrides, &set,
                              error);
    if (status != CARDO_OK && set)
        return cardo_error_prefix(error, "forcefield.");
    if (status != CARDO_OK && element)
        cardo_error_prefix(error, "%s:%d: ", cardo_xml_path(document), cardo_xml_line(element));
    return status;
}

/* Sets or appends option name[0..length) of a study. */
static cardo_status set_option(cardo_model_study *study, int *capacity, const char *name,
                               int length, const char *value, bool set, cardo_error *error)
{
    int k = 0;
    while (k < study->noption && (strlen(study->option[k]) != (size_t)length ||
                                  memcmp(study->option[k], name, (size_t)length) != 0))
        ++k;
    cardo_status status = CARDO_OK;
    if (k == study->noption) {
        int values = *capacity, sets = *capacity;
        status = CARDO_RESERVE(&study->option, capacity, k + 1, error);
        if (status == CARDO_OK)
            status = CARDO_RESERVE(&study->value, &values, k + 1, error);
        if (status == CARDO_OK)
            status = CARDO_RESERVE(&study->set, &sets, k + 1, error);
        if (status == CARDO_OK)
            status = cardo_allocate((void **)&study->option[k], (size_t)length + 1, 1, error);
        if (status != CARDO_OK)
            return status;
        memcpy(study->option[k], name, (size_t)length);
        ++study->noption;
    }
    cardo_free(study->value[k]);
    study->value[k] = NULL;
    study->set[k] = set;
    return cardo_copy_string(&study->value[k], value, error);
}

cardo_status cardo_model_read_study(cardo_model_definition *definition, const char *verb,
                                    const cardo_xml_element *element,
                                    const cardo_overrides *overrides, cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&definition->study, &definition->study_capacity,
                                        definition->nstudy + 1, error);
    if (status != CARDO_OK)
        return status;
    cardo_model_study *study = &definition->study[definition->nstudy++];
    int capacity = 0, n = element ? cardo_xml_attribute_count(element) : 0;
    study->line = element ? cardo_xml_line(element) : 0;
    status = cardo_copy_string(&study->verb, verb, error);
    for (int k = 0; k < n && status == CARDO_OK; ++k) {
        const char *name = cardo_xml_attribute_name(element, k);
        status = set_option(study, &capacity, name, (int)strlen(name),
                            cardo_xml_attribute_value(element, k), false, error);
    }
    for (int k = 0; k < overrides->count && status == CARDO_OK; ++k) {
        const char *name, *value;
        int length = cardo_overrides_of(overrides, k, verb, &name, &value);
        if (length > 0)
            status = set_option(study, &capacity, name, length, value, true, error);
    }
    return status;
}
