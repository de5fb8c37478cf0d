/* Modes in internal coordinates: stiffness against finite differences, invariances, an oscillator with
 * pen and paper, and ProDy's figures. */
#include "analysis/modes/cartesian_modes.h"
#include "analysis/modes/mode_motion.h"
#include "analysis/modes/modes.h"
#include "analysis/modes/network_stiffness.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "model/model.h"
#include "multibody/random_tree.h"
#include "multibody/tree/operators.h"
#include "structure/pdb/pdb.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 16, STATIONS_A_BODY = 3, MOST_POINTS = 2000, MOST_SPEEDS = 96 };

/* A tree with stations on every body, ground included, a state of it, and the stations' network. */
typedef struct networked {
    cardo_system *system;
    cardo_state *state;
    cardo_spring_network *network;
    int npoint, nu;
    double position[3 * MOST_POINTS];
} networked;

static void realize(networked *t, const double *q)
{
    cardo_error error;
    cardo_state_set_q(t->state, q);
    assert_ok(cardo_realize(t->system, t->state, CARDO_STAGE_VELOCITY, &error), &error);
}

static void connect(networked *t, double cutoff)
{
    cardo_error error;
    const cardo_spring_options options = {cutoff, 50, 2, 0.5};
    assert_ok(cardo_station_positions(t->system, t->state, t->position, &error), &error);
    assert_ok(cardo_spring_network_create(t->npoint, t->position, &options, &t->network, &error),
              &error);
}

static void make_tree(int nbody, uint64_t *seed, networked *t)
{
    static random_parameters room[MOST_BODIES];
    cardo_error error;
    double q[7 * MOST_BODIES];
    memset(t, 0, sizeof *t);
    assert_ok(cardo_system_create(&t->system, &error), &error);
    for (int b = 0; b <= nbody; ++b) {
        double points[3 * STATIONS_A_BODY];
        if (b > 0) {
            double choice;
            random_numbers(1, seed, &choice);
            int parent = (int)(fabs(choice) * 997) % b;
            cardo_body_definition body = random_body(NULL, parent, seed, &room[b - 1]);
            assert_ok(cardo_system_add_body(t->system, &body, NULL, &error), &error);
        }
        random_numbers(3 * STATIONS_A_BODY, seed, points);
        assert_ok(cardo_system_add_stations(t->system, b, b * STATIONS_A_BODY, STATIONS_A_BODY,
                                            points, &error),
                  &error);
    }
    assert_ok(cardo_system_finalize(t->system, &error), &error);
    assert_ok(cardo_state_create(t->system, &t->state, &error), &error);
    t->npoint = (nbody + 1) * STATIONS_A_BODY;
    t->nu = cardo_system_nu(t->system);
    assert_true(t->nu <= MOST_SPEEDS);
    random_coordinates(t->system, seed, q);
    realize(t, q);
    connect(t, 4);
}

static void destroy(networked *t)
{
    cardo_spring_network_destroy(t->network);
    cardo_state_destroy(t->state);
    cardo_system_destroy(t->system);
}

/* Generalized forces of the network's springs when the stations are elsewhere. */
static void network_forces(const networked *t, double *generalized)
{
    static double moved[3 * MOST_POINTS], forces[3 * MOST_POINTS];
    cardo_error error;
    memset(forces, 0, sizeof forces);
    assert_ok(cardo_station_positions(t->system, t->state, moved, &error), &error);
    for (int s = 0; s < t->network->nspring; ++s) {
        const cardo_spring *spring = &t->network->spring[s];
        int i = 3 * spring->end[0], j = 3 * spring->end[1];
        cardo_vec3 d = v3_sub(v3_load(moved + j), v3_load(moved + i));
        double rest = v3_norm(v3_sub(v3_load(t->position + j), v3_load(t->position + i)));
        double pull = spring->k * (v3_norm(d) - rest) / v3_norm(d);
        v3_store(forces + i, v3_add_scaled(v3_load(forces + i), pull, d));
        v3_store(forces + j, v3_add_scaled(v3_load(forces + j), -pull, d));
    }
    assert_ok(cardo_multiply_station_jt(t->system, t->state, forces, generalized, &error), &error);
}

/* Column a of K by central differences of generalized forces along speed a. */
static void difference_column(networked *t, int a, const double *q, double *column)
{
    const double h = 1e-5;
    cardo_error error;
    double direction[MOST_SPEEDS] = {0}, qdot[7 * MOST_BODIES], moved[7 * MOST_BODIES];
    double side[2][MOST_SPEEDS];
    int nq = cardo_system_nq(t->system);
    direction[a] = 1;
    realize(t, q);
    assert_ok(cardo_multiply_n(t->system, t->state, direction, qdot, &error), &error);
    for (int s = 0; s < 2; ++s) {
        for (int k = 0; k < nq; ++k)
            moved[k] = q[k] + (s ? h : -h) * qdot[k];
        realize(t, moved);
        network_forces(t, side[s]);
    }
    for (int b = 0; b < t->nu; ++b)
        column[b] = -(side[1][b] - side[0][b]) / (2 * h);
    realize(t, q);
}

static void stiffness_is_the_second_derivative_of_the_energy(void **unused)
{
    (void)unused;
    uint64_t seed = 20;
    double worst = 0;
    for (int trial = 0; trial < 30; ++trial) {
        static double K[MOST_SPEEDS * MOST_SPEEDS];
        cardo_error error;
        networked t;
        double q[7 * MOST_BODIES], column[MOST_SPEEDS], largest = 0;
        make_tree(1 + trial % MOST_BODIES, &seed, &t);
        memcpy(q, cardo_state_q(t.state), (size_t)cardo_system_nq(t.system) * sizeof *q);
        assert_ok(cardo_network_stiffness(t.system, t.state, t.network, NULL, K, &error), &error);
        for (int k = 0; k < t.nu * t.nu; ++k)
            largest = fmax(largest, fabs(K[k]));
        for (int a = 0; a < t.nu; ++a) {
            difference_column(&t, a, q, column);
            for (int b = 0; b < t.nu; ++b) {
                worst = fmax(worst, fabs(K[a * t.nu + b] - column[b]) / largest);
                assert_true(K[a * t.nu + b] == K[b * t.nu + a]);
            }
        }
        destroy(&t);
    }
    print_message("30 random trees: worst difference %.1e of the largest entry\n", worst);
    assert_true(worst < 1e-7);
}

/* Points of unit mass that turn and move as one. */
static cardo_mass_properties mass_of(int n, const double *points)
{
    cardo_mass_properties mass = {.mass = n};
    for (int i = 0; i < n; ++i) {
        cardo_vec3 x = v3_load(points + 3 * i);
        mass.com = v3_add_scaled(mass.com, 1.0 / n, x);
        mass.inertia[0] += x.y * x.y + x.z * x.z;
        mass.inertia[1] += x.x * x.x + x.z * x.z;
        mass.inertia[2] += x.x * x.x + x.y * x.y;
        mass.inertia[3] -= x.x * x.y;
        mass.inertia[4] -= x.x * x.z;
        mass.inertia[5] -= x.y * x.z;
    }
    return mass;
}

static void eigenvalues_of(networked *t, int count, double *values)
{
    static double K[MOST_SPEEDS * MOST_SPEEDS];
    cardo_error error;
    cardo_modes *modes;
    assert_ok(cardo_network_stiffness(t->system, t->state, t->network, NULL, K, &error), &error);
    assert_ok(cardo_modes_create(t->system, t->state, K, true, count, &modes, &error), &error);
    memcpy(values, modes->eigenvalue, (size_t)count * sizeof *values);
    assert_int_equal(modes->nrigid, 6);
    cardo_modes_destroy(modes);
}

/* Three bodies in a chain on pins, told from either end, and moved about as a whole. */
static void make_chain(bool from_the_end, cardo_transform pose, const double points[3][15],
                       networked *t)
{
    cardo_error error;
    const cardo_transform pin[2] = {{m33_from_euler(0.3, 0.8, -0.2), {0.9, 0.2, 0.1}},
                                    {m33_from_euler(-1.1, 0.4, 0.7), {2.1, -0.1, 0.3}}};
    memset(t, 0, sizeof *t);
    assert_ok(cardo_system_create(&t->system, &error), &error);
    for (int b = 1; b <= 3; ++b) {
        int which = from_the_end ? 3 - b : b - 1;
        cardo_body_definition body = {.parent = b - 1,
                                      .mobilizer = &cardo_mobilizer_free,
                                      .X_PF = pose,
                                      .X_BM = xform_identity(),
                                      .mass = mass_of(5, points[which])};
        if (b > 1) {
            body.mobilizer = &cardo_mobilizer_pin;
            body.reversed = from_the_end;
            body.X_PF = body.X_BM = pin[from_the_end ? 3 - b : b - 2];
        }
        assert_ok(cardo_system_add_body(t->system, &body, NULL, &error), &error);
        assert_ok(cardo_system_add_stations(t->system, b, 5 * which, 5, points[which], &error),
                  &error);
    }
    assert_ok(cardo_system_finalize(t->system, &error), &error);
    assert_ok(cardo_state_create(t->system, &t->state, &error), &error);
    assert_ok(cardo_realize(t->system, t->state, CARDO_STAGE_VELOCITY, &error), &error);
    t->npoint = 15;
    t->nu = cardo_system_nu(t->system);
    connect(t, 3);
}

static void eigenvalues_depend_on_neither_base_nor_place(void **unused)
{
    (void)unused;
    uint64_t seed = 5;
    double points[3][15], here[8], there[8];
    random_numbers(45, &seed, points[0]);
    for (int k = 0; k < 15; ++k) {
        points[1][3 * (k / 3)] += k % 3 == 0 ? 1.5 : 0;
        points[2][3 * (k / 3)] += k % 3 == 0 ? 3.0 : 0;
    }
    for (int variant = 0; variant < 3; ++variant) {
        networked t;
        cardo_transform pose = xform_identity();
        if (variant == 2)
            pose = (cardo_transform){m33_from_euler(1, 2, 3), {7, -5, 4}};
        make_chain(variant == 1, pose, (const double(*)[15])points, &t);
        eigenvalues_of(&t, 8, variant == 0 ? here : there);
        for (int m = 6; variant > 0 && m < 8; ++m)
            assert_close(there[m], here[m], 1e-8 * here[m]);
        destroy(&t);
    }
    assert_true(here[6] > 1e-3);
}

/* Masses m1, m2 on a line: omega^2 = k (1/m1 + 1/m2). A wave number by hand: 100 ps^-2 is 10/(2 pi)
 * 1/ps = 53.0884 1/cm. */
static void two_masses_swing_as_by_hand(void **unused)
{
    (void)unused;
    cardo_error error;
    networked t = {.npoint = 2, .nu = 2};
    double K[4];
    cardo_modes *modes;
    assert_ok(cardo_system_create(&t.system, &error), &error);
    for (int b = 1; b <= 2; ++b) {
        cardo_body_definition body = {.parent = 0,
                                      .mobilizer = &cardo_mobilizer_slider,
                                      .X_PF = {m33_identity(), {0.3 * b, 0, 0}},
                                      .X_BM = xform_identity(),
                                      .mass = {3.0 * b, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}};
        const double origin[3] = {0, 0, 0};
        assert_ok(cardo_system_add_body(t.system, &body, NULL, &error), &error);
        assert_ok(cardo_system_add_stations(t.system, b, b - 1, 1, origin, &error), &error);
    }
    assert_ok(cardo_system_finalize(t.system, &error), &error);
    assert_ok(cardo_state_create(t.system, &t.state, &error), &error);
    assert_ok(cardo_realize(t.system, t.state, CARDO_STAGE_VELOCITY, &error), &error);
    const cardo_spring_options options = {1, 200, 0, 0.1};
    assert_ok(cardo_station_positions(t.system, t.state, t.position, &error), &error);
    assert_ok(cardo_spring_network_create(2, t.position, &options, &t.network, &error), &error);
    assert_ok(cardo_network_stiffness(t.system, t.state, t.network, NULL, K, &error), &error);
    assert_ok(cardo_modes_create(t.system, t.state, K, true, 2, &modes, &error), &error);
    assert_int_equal(modes->nrigid, 1);
    assert_close(modes->eigenvalue[1], 200 * (1 / 3.0 + 1 / 6.0), 1e-10);
    assert_close(cardo_mode_wavenumber(modes->eigenvalue[1]), 53.0883740, 1e-5);
    assert_close(cardo_mode_frequency(-4 * CARDO_PI * CARDO_PI), -1, 1e-14);
    cardo_modes_destroy(modes);
    destroy(&t);
}

/* The C-alpha atoms of the first chain, angstrom. */
static int alpha_carbons(const char *file, double *position, int *number)
{
    cardo_error error = {0};
    cardo_structure *structure;
    int n = 0;
    assert_ok(cardo_structure_read(file, 0, &structure, &error), &error);
    for (int i = 0; i < structure->natom; ++i) {
        int residue = structure->atom_residue[i];
        if (strcmp(structure->atom_name[i].text, "CA") != 0 || structure->element[i] != 6 ||
            structure->residue_chain[residue] != 0)
            continue;
        assert_true(n < MOST_POINTS);
        for (int k = 0; k < 3; ++k)
            position[3 * n + k] = 10 * structure->position[3 * i + k];
        number[n++] = structure->residue_number[residue];
    }
    cardo_structure_destroy(structure);
    return n;
}

/* Block of a residue: "1-89,194-238;90-193". */
static int block_of(const char *blocks, int number)
{
    int block = 0;
    for (const char *at = blocks; *at; at += *at == ',' || *at == ';') {
        char *end;
        long low = strtol(at, &end, 10), high = strtol(end + 1, &end, 10);
        if (number >= low && number <= high)
            return block;
        block += *end == ';';
        at = end;
    }
    fail_msg("residue %d is in no block of %s", number, blocks);
    return -1;
}

/* Every block a free body. */
static void make_blocks(const char *blocks, int n, const double *position, const int *number,
                        networked *t)
{
    static double points[3 * MOST_POINTS];
    static int which[MOST_POINTS];
    cardo_error error;
    int nblock = 0;
    memset(t, 0, sizeof *t);
    assert_ok(cardo_system_create(&t->system, &error), &error);
    for (int i = 0; i < n; ++i) {
        int block = block_of(blocks, number[i]);
        nblock = block + 1 > nblock ? block + 1 : nblock;
    }
    for (int b = 0; b < nblock; ++b) {
        int count = 0;
        for (int i = 0; i < n; ++i)
            if (block_of(blocks, number[i]) == b) {
                memcpy(points + 3 * count, position + 3 * i, 3 * sizeof *points);
                which[count++] = i;
            }
        cardo_body_definition body = {.parent = 0,
                                      .mobilizer = &cardo_mobilizer_free,
                                      .X_PF = xform_identity(),
                                      .X_BM = xform_identity(),
                                      .mass = mass_of(count, points)};
        assert_ok(cardo_system_add_body(t->system, &body, NULL, &error), &error);
        for (int i = 0; i < count; ++i)
            assert_ok(
                cardo_system_add_stations(t->system, b + 1, which[i], 1, points + 3 * i, &error),
                &error);
    }
    assert_ok(cardo_system_finalize(t->system, &error), &error);
    assert_ok(cardo_state_create(t->system, &t->state, &error), &error);
    assert_ok(cardo_realize(t->system, t->state, CARDO_STAGE_VELOCITY, &error), &error);
    t->npoint = n;
    t->nu = cardo_system_nu(t->system);
    memcpy(t->position, position, 3 * (size_t)n * sizeof *position);
}

static void compare(const char *line, const double *values, const char *numbers)
{
    double worst = 0;
    int n = 0;
    for (char *end; *numbers; ++n, numbers = end) {
        double expected = strtod(numbers, &end);
        if (end == numbers)
            break;
        worst = fmax(worst, fabs(values[n] - expected) / expected);
    }
    print_message("%.*s: %d eigenvalues of ProDy's to %.1e\n", (int)strcspn(line, " ") + 5, line, n,
                  worst);
    assert_true(n >= 6);
    assert_true(worst < 1e-6);
}

/* The structure is part of the source tree. */
static bool is_committed(const char *line)
{
    return strncmp(line + 4, "2mcg_1 ", 7) == 0;
}

static void check_line(const char *line)
{
    static double position[3 * MOST_POINTS], values[3 * MOST_POINTS];
    static int number[MOST_POINTS];
    static networked t;
    char kind[8], name[16], blocks[128], path[64];
    int count, used;
    cardo_error error;
    const cardo_spring_options options = {15, 1, 0, 1};
    assert_int_equal(sscanf(line, "%7s %15s %127s %d%n", kind, name, blocks, &count, &used), 4);
    snprintf(path, sizeof path, "pdb/%s%s", name,
             strcmp(name, "4ake") == 0 ? "_A_fixedH.pdb" : ".pdb");
    int n = alpha_carbons(is_committed(line) ? support_source(path) : support_shared(path),
                          position, number);
    assert_true(n > 200);
    if (strcmp(kind, "rtb") == 0) {
        make_blocks(blocks, n, position, number, &t);
        assert_ok(cardo_spring_network_create(n, t.position, &options, &t.network, &error), &error);
        eigenvalues_of(&t, t.nu, values);
        compare(line, values + 6, line + used);
        destroy(&t);
        return;
    }
    double *all, *vectors;
    cardo_spring_network *network;
    assert_ok(cardo_spring_network_create(n, position, &options, &network, &error), &error);
    assert_ok(cardo_cartesian_modes(network, &all, &vectors, &error), &error);
    compare(line, all + 6, line + used);
    cardo_free(all);
    cardo_free(vectors);
    cardo_spring_network_destroy(network);
}

static void check_lines(bool committed, int expected)
{
    cardo_error error;
    char *text;
    size_t length;
    int lines = 0;
    assert_ok(cardo_read_file(support_source("tests/analysis/prody_modes.txt"), 0, &text, &length,
                              &error),
              &error);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (is_committed(line) == committed) {
            check_line(line);
            ++lines;
        }
    assert_int_equal(lines, expected);
    cardo_free(text);
}

static void eigenvalues_are_those_of_prody(void **unused)
{
    (void)unused;
    check_lines(true, 3);
}

static void eigenvalues_of_more_structures(void **unused)
{
    (void)unused;
    check_lines(false, 6);
}

/* The method for large systems against LAPACK's; and its modes are M-orthonormal. */
static void subspace_iteration_finds_the_same(networked *t, double *K)
{
    enum { COUNT = 16 };
    cardo_error error;
    cardo_modes *dense, *large;
    static double momenta[512];
    double worst = 0;
    assert_ok(cardo_modes_create(t->system, t->state, K, true, COUNT, &dense, &error), &error);
    assert_ok(
        cardo_modes_create_large(t->system, t->state, t->network, NULL, COUNT, &large, &error),
        &error);
    assert_int_equal(large->nrigid, 6);
    for (int m = 6; m < COUNT; ++m) {
        worst = fmax(worst, fabs(large->eigenvalue[m] / dense->eigenvalue[m] - 1));
        assert_ok(cardo_multiply_m(t->system, t->state, large->speed + m * t->nu, momenta, &error),
                  &error);
        for (int k = 6; k < COUNT; ++k) {
            double product = 0, same = 0;
            for (int a = 0; a < t->nu; ++a) {
                product += large->speed[k * t->nu + a] * momenta[a];
                same += dense->speed[k * t->nu + a] * momenta[a];
            }
            assert_close(product, k == m, 1e-9);
            assert_close(fabs(same), k == m, 1e-4);
        }
    }
    print_message("%d modes by subspace iteration: eigenvalues to %.1e of the dense solver's\n",
                  COUNT - 6, worst);
    assert_true(worst < 1e-8);
    cardo_modes_destroy(dense);
    cardo_modes_destroy(large);
}

/* Follows the softest mode far, and measures pairs of atoms: those of one body and those bonded stay as
 * far apart as they are. */
static void swings_keep_bodies_and_bonds(networked *t, const cardo_structure *s, double *K)
{
    cardo_error error;
    cardo_modes *modes;
    static double moved[3 * MOST_POINTS];
    double *q = malloc((size_t)cardo_system_nq(t->system) * sizeof *q), body = 0, bond = 0, far = 0;
    int nbody = 0, nbond = 0;
    memcpy(q, cardo_state_q(t->state), (size_t)cardo_system_nq(t->system) * sizeof *q);
    assert_ok(cardo_modes_create(t->system, t->state, K, true, 7, &modes, &error), &error);
    assert_ok(cardo_move_along(t->system, t->state, modes->speed + 6 * (size_t)t->nu, 40, &error),
              &error);
    assert_ok(cardo_station_positions(t->system, t->state, moved, &error), &error);
    for (int i = 0; i < t->npoint; ++i) {
        far = fmax(far, v3_norm(v3_sub(v3_load(moved + 3 * i), v3_load(t->position + 3 * i))));
        for (int j = 0; j < i; ++j) {
            double before =
                v3_norm(v3_sub(v3_load(t->position + 3 * i), v3_load(t->position + 3 * j)));
            double change =
                fabs(v3_norm(v3_sub(v3_load(moved + 3 * i), v3_load(moved + 3 * j))) - before);
            if (cardo_system_station_body(t->system, i) ==
                cardo_system_station_body(t->system, j)) {
                body = fmax(body, change);
                ++nbody;
            } else if (before < 0.16 && (s->element[i] > 1 || s->element[j] > 1)) {
                bond = fmax(bond, change);
                ++nbond;
            }
        }
    }
    print_message("a swing of up to %.2f nm: %d pairs within bodies to %.1e nm, %d bonds between "
                  "bodies to %.1e\n",
                  far, nbody, body, nbond, bond);
    assert_true(far > 0.3 && nbody > 1000 && nbond > 200);
    assert_true(body < 1e-10 && bond < 1e-10);
    realize(t, q);
    free(q);
    cardo_modes_destroy(modes);
}

/* A whole protein with every phi, psi and chi: K against J^T H J with the dense Hessian of atoms. */
static void torsional_stiffness_is_the_dense_one(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char text[1024];
    cardo_model *model;
    networked t = {0};
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"ubiquitin\"><structure id=\"a\" file=\"%s\"/>"
             "<domain name=\"all\" residues=\"A:1-76\"/><body name=\"all\" domains=\"all\"/>"
             "<flexible residues=\"A:1-76\" torsions=\"phi psi chi\"/></model></cardo>",
             support_shared("reference/openmm/1ubi/1ubi.pdb"));
    assert_ok(cardo_model_read(support_write("ubiquitin.xml", text), 0, NULL, &model, &error),
              &error);
    assert_ok(cardo_model_compile(model, NULL, &t.system, &error), &error);
    assert_ok(cardo_state_create(t.system, &t.state, &error), &error);
    double q[512];
    cardo_model_initial_q(model, t.system, q);
    realize(&t, q);
    t.npoint = cardo_system_nstation(t.system);
    t.nu = cardo_system_nu(t.system);
    assert_true(t.nu > 250 && t.npoint < MOST_POINTS);
    connect(&t, 0.8);
    const size_t n = 3 * (size_t)t.npoint, nu = (size_t)t.nu;
    double *K = calloc(nu * nu, sizeof *K), *J = calloc(nu * n, sizeof *J);
    double *stretch = calloc(nu, sizeof *stretch), *dense = calloc(nu * nu, sizeof *dense);
    double unit[512], worst = 0, largest = 0;
    assert_ok(cardo_network_stiffness(t.system, t.state, t.network, NULL, K, &error), &error);
    for (size_t a = 0; a < nu; ++a) {
        memset(unit, 0, sizeof unit);
        unit[a] = 1;
        assert_ok(cardo_multiply_station_j(t.system, t.state, unit, J + a * n, &error), &error);
    }
    for (int s = 0; s < t.network->nspring; ++s) {
        const cardo_spring *spring = &t.network->spring[s];
        for (size_t a = 0; a < nu; ++a)
            stretch[a] = v3_dot(spring->line, v3_sub(v3_load(J + a * n + 3 * spring->end[1]),
                                                     v3_load(J + a * n + 3 * spring->end[0])));
        for (size_t a = 0; a < nu; ++a)
            for (size_t b = 0; stretch[a] != 0 && b <= a; ++b)
                dense[a * nu + b] += spring->k * stretch[a] * stretch[b];
    }
    for (size_t a = 0; a < nu; ++a)
        for (size_t b = 0; b <= a; ++b) {
            largest = fmax(largest, fabs(dense[a * nu + b]));
            worst = fmax(worst, fabs(dense[a * nu + b] - K[a * nu + b]));
        }
    print_message("ubiquitin, %zu speeds, %d springs: worst difference %.1e of the largest entry\n",
                  nu, t.network->nspring, worst / largest);
    assert_true(worst < 1e-12 * largest);
    subspace_iteration_finds_the_same(&t, K);
    assert_ok(cardo_network_stiffness(t.system, t.state, t.network, NULL, K, &error), &error);
    swings_keep_bodies_and_bonds(&t, model->structure[0].structure, K);
    free(K);
    free(J);
    free(stretch);
    free(dense);
    destroy(&t);
    cardo_model_destroy(model);
}

/* However far a mode is followed, bodies stay rigid and speeds are what moves. */
static void a_mode_is_followed_along_the_joints(void **unused)
{
    (void)unused;
    uint64_t seed = 77;
    networked t;
    cardo_error error;
    double speeds[MOST_SPEEDS], before[3 * MOST_BODIES * STATIONS_A_BODY + 9],
        after[sizeof before / sizeof *before];
    make_tree(8, &seed, &t);
    memcpy(before, t.position, sizeof before);
    random_numbers(t.nu, &seed, speeds);
    assert_ok(cardo_move_along(t.system, t.state, speeds, 0.7, &error), &error);
    assert_ok(cardo_station_positions(t.system, t.state, t.position, &error), &error);
    memcpy(after, t.position, sizeof after);
    double moved = 0;
    for (int i = 0; i < t.npoint; ++i)
        for (int j = i + 1; j < t.npoint && j / STATIONS_A_BODY == i / STATIONS_A_BODY; ++j) {
            double d = v3_norm(v3_sub(v3_load(before + 3 * i), v3_load(before + 3 * j)));
            assert_close(v3_norm(v3_sub(v3_load(after + 3 * i), v3_load(after + 3 * j))), d, 1e-10);
            moved = fmax(moved, v3_norm(v3_sub(v3_load(after + 3 * i), v3_load(before + 3 * i))));
        }
    assert_true(moved > 0.1);
    destroy(&t);
}

static void rigid_motion_is_taken_out(void **unused)
{
    (void)unused;
    uint64_t seed = 9;
    cardo_error error;
    double x[30], d[30], rest[30];
    random_numbers(30, &seed, x);
    random_numbers(30, &seed, d);
    assert_ok(cardo_remove_rigid_motion(10, x, d, &error), &error);
    memcpy(rest, d, sizeof rest);
    cardo_vec3 drift = v3(0.3, -1, 2), turn = v3(0.5, 0.2, -0.7), net = v3(0, 0, 0), spin = net;
    for (int i = 0; i < 10; ++i) {
        cardo_vec3 p = v3_load(x + 3 * i);
        net = v3_add(net, v3_load(d + 3 * i));
        spin = v3_add(spin, v3_cross(p, v3_load(d + 3 * i)));
        v3_store(d + 3 * i, v3_add(v3_load(d + 3 * i), v3_add(drift, v3_cross(turn, p))));
    }
    assert_close(v3_norm(net) + v3_norm(spin), 0, 1e-12);
    assert_ok(cardo_remove_rigid_motion(10, x, d, &error), &error);
    for (int k = 0; k < 30; ++k)
        assert_close(d[k], rest[k], 1e-12);
    assert_close(cardo_correlation(10, x, x), 1, 1e-14);
}

static void overlaps_and_collectivity(void **unused)
{
    (void)unused;
    const double a[6] = {1, 0, 0, 1, 0, 0}, b[6] = {1, 0, 0, -1, 0, 0}, one[6] = {0, 2, 0, 0, 0, 0};
    double both[18], cumulative[3];
    const double aim[6] = {3, 0, 0, 1, 0, 0};
    assert_close(cardo_mode_overlap(2, a, b), 0, 1e-15);
    assert_close(cardo_mode_overlap(2, a, aim), 4 / sqrt(20), 1e-15);
    assert_close(cardo_mode_collectivity(2, a), 1, 1e-15);
    assert_close(cardo_mode_collectivity(2, one), 0.5, 1e-15);
    memcpy(both, a, sizeof a);
    memcpy(both + 6, one, sizeof one);
    memcpy(both + 12, b, sizeof b);
    cardo_mode_orthonormalize(2, 3, both);
    cardo_mode_cumulative_overlap(2, 3, both, aim, cumulative);
    assert_close(cumulative[0], 4 / sqrt(20), 1e-14);
    assert_close(cumulative[1], 4 / sqrt(20), 1e-14);
    assert_close(cumulative[2], 1, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_is_the_second_derivative_of_the_energy),
        cmocka_unit_test(eigenvalues_depend_on_neither_base_nor_place),
        cmocka_unit_test(two_masses_swing_as_by_hand),
        cmocka_unit_test(eigenvalues_are_those_of_prody),
        shared_test(eigenvalues_of_more_structures),
        shared_test(torsional_stiffness_is_the_dense_one),
        cmocka_unit_test(a_mode_is_followed_along_the_joints),
        cmocka_unit_test(rigid_motion_is_taken_out),
        cmocka_unit_test(overlaps_and_collectivity),
    };
    return support_run(tests, NULL, NULL);
}
