#include "multibody/reference_json.h"

#include "multibody/mobilizers/function_based.h"
#include "multibody/mobilizers/parameters.h"
#include "multibody/mobilizers/path.h"
#include "multibody/tree/motion.h"

#include "cardo/constraints.h"

#include <stdlib.h>
#include <string.h>

int reference_flatten(const json_t *value, double *out, int capacity)
{
    if (json_is_number(value)) {
        if (capacity > 0)
            *out = json_number_value(value);
        return 1;
    }
    int n = 0;
    if (json_is_object(value)) {
        n += reference_flatten(json_object_get(value, "R"), out, capacity);
        n += reference_flatten(json_object_get(value, "p"), out + n, capacity - n);
    }
    for (size_t i = 0; json_is_array(value) && i < json_array_size(value); ++i)
        n += reference_flatten(json_array_get(value, i), out + n, capacity - n);
    return n;
}

double *reference_numbers(const json_t *object, const char *key, int *count)
{
    const json_t *value = json_object_get(object, key);
    *count = 0;
    if (!value)
        return NULL;
    int n = reference_flatten(value, NULL, 0);
    double *out = calloc((size_t)n + 1, sizeof *out);
    *count = reference_flatten(value, out, n);
    return out;
}

cardo_vec3 reference_vec3(const json_t *array)
{
    double a[3] = {0};
    reference_flatten(array, a, 3);
    return v3_load(a);
}

cardo_transform reference_transform(const json_t *object)
{
    double a[12] = {0};
    cardo_transform X;
    reference_flatten(object, a, 12);
    for (int i = 0; i < 9; ++i)
        X.R.m[i / 3][i % 3] = a[i];
    X.p = v3_load(a + 9);
    return X;
}

/* Arrays that the functions of one mobilizer point to. */
typedef struct function_arrays {
    int count;
    double *numbers[24];
    int *exponents[6];
} function_arrays;

static double *keep(function_arrays *arrays, double *numbers)
{
    arrays->numbers[arrays->count++] = numbers;
    return numbers;
}

static void free_arrays(function_arrays *arrays)
{
    for (int i = 0; i < arrays->count; ++i)
        free(arrays->numbers[i]);
    for (int i = 0; i < 6; ++i)
        free(arrays->exponents[i]);
}

static void read_terms(const json_t *json, int f, cardo_function *out, function_arrays *arrays)
{
    const json_t *terms = json_object_get(json, "terms");
    const size_t n = json_array_size(terms);
    double *c = keep(arrays, calloc(n + 1, sizeof *c));
    int *e = arrays->exponents[f] = calloc(n * 6 + 1, sizeof *e);
    for (size_t t = 0; t < n; ++t) {
        const json_t *term = json_array_get(terms, t);
        c[t] = json_number_value(json_object_get(term, "c"));
        for (int i = 0; i < out->narg; ++i)
            e[(int)t * out->narg + i] =
                (int)json_integer_value(json_array_get(json_object_get(term, "e"), (size_t)i));
    }
    out->ncoefficient = (int)n;
    out->coefficients = c;
    out->exponents = e;
}

static cardo_status read_function(const json_t *json, int f, cardo_function *out,
                                  function_arrays *arrays, cardo_error *error)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));
    double args[6] = {0};
    out->narg = reference_flatten(json_object_get(json, "args"), args, 6);
    for (int i = 0; i < out->narg && i < 6; ++i)
        out->args[i] = (int)args[i];
    if (!kind)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "function %d has no kind", f);
    if (strcmp(kind, "constant") == 0) {
        out->kind = CARDO_FUNCTION_CONSTANT;
        out->coefficients = keep(arrays, reference_numbers(json, "value", &out->ncoefficient));
    } else if (strcmp(kind, "linear") == 0 || strcmp(kind, "polynomial") == 0) {
        out->kind = kind[0] == 'l' ? CARDO_FUNCTION_LINEAR : CARDO_FUNCTION_POLYNOMIAL;
        out->coefficients = keep(arrays, reference_numbers(json, "coef", &out->ncoefficient));
    } else if (strcmp(kind, "sinusoid") == 0) {
        double *c = keep(arrays, calloc(3, sizeof *c));
        out->kind = CARDO_FUNCTION_SINUSOID;
        c[0] = json_number_value(json_object_get(json, "amplitude"));
        c[1] = json_number_value(json_object_get(json, "frequency"));
        c[2] = json_number_value(json_object_get(json, "phase"));
        out->coefficients = c;
        out->ncoefficient = 3;
    } else if (strcmp(kind, "spline") == 0) {
        int nvalue;
        out->kind = CARDO_FUNCTION_SPLINE;
        out->knots = keep(arrays, reference_numbers(json, "knots", &out->nknot));
        out->values = keep(arrays, reference_numbers(json, "values", &nvalue));
    } else if (strcmp(kind, "multipoly") == 0) {
        out->kind = CARDO_FUNCTION_MULTIPOLY;
        read_terms(json, f, out, arrays);
    } else {
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "functions of kind %s", kind);
    }
    return CARDO_OK;
}

static cardo_status read_functions(const json_t *params, cardo_function_based *out,
                                   function_arrays *arrays, cardo_error *error)
{
    const json_t *functions = json_object_get(params, "functions");
    out->ncoordinate = (int)json_integer_value(json_object_get(params, "num_mobilities"));
    for (int f = 0; f < 6; ++f) {
        out->axes[f] = reference_vec3(json_array_get(json_object_get(params, "axes"), (size_t)f));
        cardo_status status = read_function(json_array_get(functions, (size_t)f), f,
                                            &out->functions[f], arrays, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* All parameter structs a mobilizer of these files can have. */
typedef struct parameters {
    cardo_function_based functions;
    cardo_screw_thread screw;
    cardo_ellipsoid ellipsoid;
    cardo_spherical spherical;
    cardo_path path;
    cardo_transform poses[2];
    function_arrays arrays;
} parameters;

/* Screws between two poses are all the paths of these files. */
static void read_path(const json_t *json, parameters *p)
{
    const json_t *poses = json_object_get(json, "X_FM");
    for (size_t i = 0; i < 2; ++i)
        p->poses[i] = reference_transform(json_array_get(poses, i));
    p->path = (cardo_path){.kind = CARDO_PATH_SCREW, .count = 2, .X_FM = p->poses};
}

static void read_spherical(const json_t *json, cardo_spherical *out)
{
    const char *axis = json_string_value(json_object_get(json, "radial_axis"));
    out->azimuth_offset = json_number_value(json_object_get(json, "azimuth_offset"));
    out->zenith_offset = json_number_value(json_object_get(json, "zenith_offset"));
    out->azimuth_negated = json_is_true(json_object_get(json, "azimuth_negated"));
    out->zenith_negated = json_is_true(json_object_get(json, "zenith_negated"));
    out->radial_negated = json_is_true(json_object_get(json, "radial_negated"));
    out->radial_along_x = axis && axis[0] == 'X';
}

static cardo_status read_mobilizer(const json_t *json, parameters *p, cardo_body_definition *body,
                                   cardo_error *error)
{
    static const char *const names[][2] = {{"Weld", "weld"},
                                           {"Pin", "pin"},
                                           {"Slider", "slider"},
                                           {"Screw", "screw"},
                                           {"Universal", "universal"},
                                           {"Cylinder", "cylinder"},
                                           {"BendStretch", "bend-stretch"},
                                           {"Planar", "planar"},
                                           {"Gimbal", "gimbal"},
                                           {"Bushing", "bushing"},
                                           {"Ball", "ball"},
                                           {"Ellipsoid", "ellipsoid"},
                                           {"Translation", "translation"},
                                           {"SphericalCoords", "spherical-coordinates"},
                                           {"LineOrientation", "line-orientation"},
                                           {"FreeLine", "free-line"},
                                           {"Free", "free"},
                                           {"Path", "path"},
                                           {"FunctionBased", "function-based"}};
    const char *name = json_string_value(json_object_get(json, "mobilizer"));
    const json_t *params = json_object_get(json, "params");
    for (size_t i = 0; name && i < sizeof names / sizeof *names; ++i)
        if (strcmp(names[i][0], name) == 0)
            body->mobilizer = cardo_mobilizer_find(names[i][1]);
    if (!body->mobilizer)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "mobilizer %s", name ? name : "?");
    p->screw.pitch = json_number_value(json_object_get(params, "pitch"));
    p->ellipsoid.radii = reference_vec3(json_object_get(params, "radii"));
    read_spherical(params, &p->spherical);
    read_path(params, p);
    if (strcmp(name, "Path") == 0)
        body->parameters = &p->path;
    else if (strcmp(name, "Screw") == 0)
        body->parameters = &p->screw;
    else if (strcmp(name, "Ellipsoid") == 0)
        body->parameters = &p->ellipsoid;
    else if (strcmp(name, "SphericalCoords") == 0)
        body->parameters = &p->spherical;
    else if (strcmp(name, "FunctionBased") == 0) {
        body->parameters = &p->functions;
        return read_functions(params, &p->functions, &p->arrays, error);
    }
    return CARDO_OK;
}

static cardo_status add_body(cardo_system *system, const json_t *json, bool euler,
                             cardo_error *error)
{
    parameters p = {0};
    cardo_body_definition body = {.euler = euler};
    cardo_status status = read_mobilizer(json, &p, &body, error);
    if (status == CARDO_OK) {
        body.parent = (int)json_integer_value(json_object_get(json, "parent"));
        body.reversed = json_is_true(json_object_get(json, "reversed"));
        body.X_PF = reference_transform(json_object_get(json, "X_PF"));
        body.X_BM = reference_transform(json_object_get(json, "X_BM"));
        body.mass.mass = json_number_value(json_object_get(json, "mass"));
        body.mass.com = reference_vec3(json_object_get(json, "com_B"));
        reference_flatten(json_object_get(json, "inertia_OB_B"), body.mass.inertia, 6);
        status = cardo_system_add_body(system, &body, NULL, error);
    }
    free_arrays(&p.arrays);
    return status;
}

/* All parameter structs that a constraint of these files can have. */
typedef struct constraint_parameters {
    cardo_rod rod;
    cardo_coincident_points ball;
    cardo_welded_frames weld;
    cardo_point_on_plane plane;
    cardo_point_on_line line;
    cardo_constant_angle angle;
    cardo_constant_orientation orientation;
    cardo_coordinate_coupler coupler;
    cardo_speed_coupler speeds;
    cardo_prescribed_coordinate prescribed;
    cardo_constant_speed speed;
    cardo_constant_acceleration acceleration;
    function_arrays arrays;
} constraint_parameters;

static int integer(const json_t *json, const char *key)
{
    return (int)json_integer_value(json_object_get(json, key));
}

static double number(const json_t *json, const char *key)
{
    return json_number_value(json_object_get(json, key));
}

static int entry(const json_t *json, const char *key, size_t i)
{
    return (int)json_integer_value(json_array_get(json_object_get(json, key), i));
}

static cardo_vec3 vector(const json_t *json, const char *key)
{
    return reference_vec3(json_object_get(json, key));
}

static cardo_mat33 rotation(const json_t *json, const char *key)
{
    cardo_mat33 R = {0};
    double a[9] = {0};
    reference_flatten(json_object_get(json, key), a, 9);
    for (int i = 0; i < 9; ++i)
        R.m[i / 3][i % 3] = a[i];
    return R;
}

static void read_speeds(const json_t *json, cardo_speed_coupler *out)
{
    double c[CARDO_FUNCTION_MAX_ARGS + 1] = {0};
    out->nmobility = (int)json_array_size(json_object_get(json, "bodies"));
    reference_flatten(json_object_get(json_object_get(json, "function"), "coef"), c,
                      CARDO_FUNCTION_MAX_ARGS + 1);
    for (int i = 0; i < out->nmobility && i < CARDO_FUNCTION_MAX_ARGS; ++i) {
        out->mobilities[i] = (cardo_mobility_of){entry(json, "bodies", (size_t)i),
                                                 entry(json, "u_indices", (size_t)i)};
        out->coefficients[i] = c[i];
    }
    out->value = -c[out->nmobility];
}

static cardo_status read_coordinates(const json_t *json, constraint_parameters *p,
                                     cardo_error *error)
{
    p->coupler.ncoordinate = (int)json_array_size(json_object_get(json, "bodies"));
    for (int i = 0; i < p->coupler.ncoordinate && i < CARDO_FUNCTION_MAX_ARGS; ++i)
        p->coupler.coordinates[i] = (cardo_coordinate_of){entry(json, "bodies", (size_t)i),
                                                          entry(json, "q_indices", (size_t)i)};
    return read_function(json_object_get(json, "function"), 0, &p->coupler.function, &p->arrays,
                         error);
}

static cardo_status read_prescribed(const json_t *json, constraint_parameters *p,
                                    cardo_error *error)
{
    p->prescribed.coordinate =
        (cardo_coordinate_of){integer(json, "body"), integer(json, "q_index")};
    return read_function(json_object_get(json, "function_of_time"), 0, &p->prescribed.function,
                         &p->arrays, error);
}

/* The kind's name and its parameters. */
static cardo_status read_constraint(const json_t *json, constraint_parameters *p, const char **kind,
                                    const void **given, cardo_error *error)
{
    const char *type = json_string_value(json_object_get(json, "type"));
    const int body1 = integer(json, "body1"), body2 = integer(json, "body2");
    const cardo_vec3 point1 = vector(json, "point1"), point2 = vector(json, "point2");
    const cardo_mobility_of mobility = {integer(json, "body"), integer(json, "u_index")};
    const double value = number(json, "value");
    p->rod = (cardo_rod){body1, body2, point1, point2, number(json, "length")};
    p->ball = (cardo_coincident_points){body1, body2, point1, point2};
    p->weld =
        (cardo_welded_frames){body1, body2, reference_transform(json_object_get(json, "frame1")),
                              reference_transform(json_object_get(json, "frame2"))};
    p->plane = (cardo_point_on_plane){body1, body2, vector(json, "normal1"), number(json, "height"),
                                      point2};
    p->line = (cardo_point_on_line){body1, body2, vector(json, "direction1"), point1, point2};
    p->angle = (cardo_constant_angle){body1, body2, vector(json, "axis1"), vector(json, "axis2"),
                                      number(json, "angle")};
    p->orientation =
        (cardo_constant_orientation){body1, body2, rotation(json, "R1"), rotation(json, "R2")};
    p->speed = (cardo_constant_speed){mobility, value};
    p->acceleration = (cardo_constant_acceleration){mobility, value};
    const struct {
        const char *type, *kind;
        const void *its_parameters;
    } kinds[] = {{"Rod", "rod", &p->rod},
                 {"Ball", "ball", &p->ball},
                 {"Weld", "weld", &p->weld},
                 {"PointInPlane", "point-on-plane", &p->plane},
                 {"PointOnLine", "point-on-line", &p->line},
                 {"ConstantAngle", "constant-angle", &p->angle},
                 {"ConstantOrientation", "constant-orientation", &p->orientation},
                 {"ConstantSpeed", "constant-speed", &p->speed},
                 {"ConstantAcceleration", "constant-acceleration", &p->acceleration},
                 {"SpeedCoupler", "speed-coupler", &p->speeds},
                 {"CoordinateCoupler", "coordinate-coupler", &p->coupler},
                 {"PrescribedMotion", "prescribed-motion", &p->prescribed}};
    *kind = NULL;
    for (size_t i = 0; type && i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(kinds[i].type, type) == 0) {
            *kind = kinds[i].kind;
            *given = kinds[i].its_parameters;
        }
    if (!*kind)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "constraint %s", type ? type : "?");
    if (*given == &p->speeds)
        read_speeds(json, &p->speeds);
    if (*given == &p->coupler)
        return read_coordinates(json, p, error);
    return *given == &p->prescribed ? read_prescribed(json, p, error) : CARDO_OK;
}

static cardo_status add_constraint(cardo_system *system, const json_t *json, cardo_error *error)
{
    constraint_parameters p = {0};
    const char *kind;
    const void *given = NULL;
    cardo_status status = read_constraint(json, &p, &kind, &given, error);
    if (status == CARDO_OK)
        status = cardo_system_add_constraint(system, cardo_constraint_find(kind), NULL, given, NULL,
                                             error);
    free_arrays(&p.arrays);
    return status;
}

static cardo_status add_rod(cardo_system *system, const json_t *json, cardo_error *error)
{
    const cardo_rod rod = {integer(json, "body1"), integer(json, "body2"), vector(json, "point1"),
                           vector(json, "point2"), number(json, "length")};
    return cardo_system_add_constraint(system, cardo_constraint_find("rod"), NULL, &rod, NULL,
                                       error);
}

/* Sinusoid: q = amplitude sin(rate t + phase). Steady: u = speed. */
static cardo_status add_motion(cardo_system *system, const json_t *json, cardo_error *error)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));
    const double c[3] = {number(json, "amplitude"), number(json, "rate"), number(json, "phase")};
    const double speed = number(json, "speed");
    const cardo_function wave = {
        .kind = CARDO_FUNCTION_SINUSOID, .narg = 1, .ncoefficient = 3, .coefficients = c};
    const cardo_function steady = {
        .kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = &speed};
    if (kind && strcmp(kind, "Sinusoid") == 0)
        return cardo_system_prescribe(system, integer(json, "body"), CARDO_MOTION_POSITION, &wave,
                                      error);
    return cardo_system_prescribe(system, integer(json, "body"), CARDO_MOTION_VELOCITY, &steady,
                                  error);
}

cardo_status reference_system(const json_t *file, cardo_system **out, cardo_error *error)
{
    const json_t *bodies = json_object_get(file, "bodies");
    const char *mode = json_string_value(json_object_get(file, "orientation_mode"));
    const bool euler = mode && strcmp(mode, "euler") == 0;
    cardo_system *system = NULL;
    cardo_status status;
    *out = NULL;
    CARDO_TRY(cardo_system_create(&system, error));
    cardo_system_set_gravity(system, reference_vec3(json_object_get(file, "gravity")));
    for (size_t k = 0; k < json_array_size(bodies); ++k)
        CARDO_TRY(add_body(system, json_array_get(bodies, k), euler, error));
    const json_t *constraints = json_object_get(file, "constraints");
    const json_t *motions = json_object_get(file, "motions"), *rods = json_object_get(file, "rods");
    for (size_t i = 0; i < json_array_size(constraints); ++i)
        CARDO_TRY(add_constraint(system, json_array_get(constraints, i), error));
    for (size_t i = 0; i < json_array_size(rods); ++i)
        CARDO_TRY(add_rod(system, json_array_get(rods, i), error));
    for (size_t i = 0; i < json_array_size(motions); ++i)
        CARDO_TRY(add_motion(system, json_array_get(motions, i), error));
    CARDO_TRY(cardo_system_finalize(system, error));
    *out = system;
    system = NULL;
done:
    cardo_system_destroy(system);
    return status;
}
