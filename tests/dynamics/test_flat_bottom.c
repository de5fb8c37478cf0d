/* A free body held by a flat bottom: the volume that it has, and its binding to a square well at the standard concentration,
 * against closed forms. `test_flat_bottom long`: the binding to 0.02 kT, in 400,000 moves. */
#include "base/units.h"
#include "cardo/elements.h"
#include "models.h"
#include "multibody/forces/elements.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static const double TEMPERATURE = 300;
static const double BOUND = 0.02; /* kT */
static int moves = 20000;

/* A spherical square well of ground's, whose wall is as steep as this allows: nowhere does it bind but within the radius. */
typedef struct square_well {
    double depth, radius, width; /* kJ/mol, nm, nm */
} square_well;

static double well_energy(const square_well *well, double r, double *slope)
{
    const double inside = 0.5 * (1 - tanh((r - well->radius) / well->width));
    *slope = 2 * well->depth * inside * (1 - inside) / well->width;
    return -well->depth * inside;
}

static double compute_well(void *user, const cardo_force_work *work)
{
    const cardo_vec3 x = work->X_GB[1].p;
    const double r = v3_norm(x);
    double slope;
    const double energy = well_energy(user, r, &slope);
    if (work->body_forces && r > 0)
        work->body_forces[1].linear = v3_add_scaled(work->body_forces[1].linear, -slope / r, x);
    return energy;
}

/* What is sampled: a lump of 30 Da that is free to move and to turn. */
static cardo_body_definition lump(void)
{
    const cardo_transform here = {m33_identity(), {0, 0, 0}};
    return (cardo_body_definition){.name = "ligand",
                                   .mobilizer = &cardo_mobilizer_free,
                                   .X_PF = here,
                                   .X_BM = here,
                                   .mass = {30, {0, 0, 0}, {300, 300, 300, 0, 0, 0}}};
}

typedef struct held {
    cardo_system *system;
    cardo_state *state;
    cardo_simulation *simulation;
} held;

static void hold(const cardo_flat_bottom *bottom, square_well *well, uint64_t seed, held *h)
{
    cardo_error error = {0};
    cardo_simulation_options options;
    const cardo_integrator *hmc = &cardo_integrator_hmc;
    const cardo_body_definition body = lump();
    double own[128];
    cardo_fields_default(cardo_simulation_fields, &options);
    cardo_fields_default(hmc->fields, own);
    options.timestep = 0.7 * sqrt(body.mass.mass / bottom->stiffness); /* of the walls' own time */
    options.temperature = TEMPERATURE;
    options.seed = (long long)support_seed(seed);
    options.max_energy_jump = 1e6; /* a move may end deep in a wall, and is taken back then */
    assert_ok(cardo_fields_set(hmc->fields, own, "flights", "5", &error), &error);
    assert_ok(cardo_fields_set(hmc->fields, own, "flight-tolerance", "1e-5", &error), &error);
    assert_ok(cardo_system_create(&h->system, &error), &error);
    assert_ok(cardo_system_add_body(h->system, &body, NULL, &error), &error);
    assert_ok(cardo_system_add_force(h->system, &cardo_force_flat_bottom, bottom, NULL, &error),
              &error);
    const cardo_force_callback_parameters callback = {compute_well, well};
    if (well)
        assert_ok(cardo_system_add_force(h->system, &cardo_force_callback, &callback, NULL, &error),
                  &error);
    assert_ok(cardo_system_finalize(h->system, &error), &error);
    assert_ok(cardo_state_create(h->system, &h->state, &error), &error);
    assert_ok(cardo_simulation_create(h->system, h->state, NULL, hmc, &options, own, &h->simulation,
                                      &error),
              &error);
    assert_ok(cardo_simulation_start(h->simulation, &error), &error);
}

static void let_go(held *h)
{
    cardo_simulation_destroy(h->simulation);
    cardo_state_destroy(h->state);
    cardo_system_destroy(h->system);
}

/* The point that the bottom holds, in the bottom's frame, and is it where nothing acts on it? */
static bool is_inside(const cardo_flat_bottom *bottom, const cardo_transform *X_GB)
{
    const cardo_vec3 point = xform_point(X_GB[bottom->body2], bottom->point2);
    double x[3];
    v3_store(x, xform_point(xform_inverse(bottom->frame1), point));
    if (bottom->shape == CARDO_FLAT_BOTTOM_SPHERE)
        return v3_norm(v3_load(x)) < bottom->extent[0];
    return fabs(x[0]) < bottom->extent[0] && fabs(x[1]) < bottom->extent[1] &&
           fabs(x[2]) < bottom->extent[2];
}

static bool is_bound(const square_well *well, const cardo_transform *X_GB)
{
    return v3_norm(X_GB[1].p) < well->radius;
}

/* Share of moves after which it is bound (or, without a well, inside), and its standard error from blocks of 500. */
static double share(held *h, const cardo_flat_bottom *bottom, const square_well *well, int count,
                    double *sigma)
{
    enum { BLOCK = 500, WARM_UP = 500 };
    cardo_error error = {0};
    cardo_end end;
    double sum = 0, squares = 0;
    const int n = count / BLOCK;
    assert_ok(cardo_simulation_run(h->simulation, WARM_UP, NULL, &end, &error), &error);
    for (int block = 0, step = WARM_UP; block < n; ++block) {
        int hits = 0;
        for (int k = 0; k < BLOCK; ++k) {
            assert_ok(cardo_simulation_run(h->simulation, ++step, NULL, &end, &error), &error);
            const cardo_transform *X_GB = cardo_state_X_GB(h->state);
            hits += well ? is_bound(well, X_GB) : is_inside(bottom, X_GB);
        }
        const double of_block = (double)hits / BLOCK;
        sum += of_block;
        squares += of_block * of_block;
    }
    const double mean = sum / n;
    *sigma = sqrt((squares / n - mean * mean) / (n - 1));
    return mean;
}

static cardo_flat_bottom soft_bottom(cardo_flat_bottom_shape shape)
{
    return (cardo_flat_bottom){.body1 = 0,
                               .body2 = 1,
                               .frame1 = {m33_from_euler(0.3, -0.5, 0.8), {0.2, -0.1, 0.3}},
                               .point2 = {0.1, 0.05, -0.02},
                               .shape = shape,
                               .extent = {0.4, 0.3, 0.25},
                               .stiffness = 400};
}

static double flat_volume(const cardo_flat_bottom *b)
{
    return b->shape == CARDO_FLAT_BOTTOM_BOX ? 8 * b->extent[0] * b->extent[1] * b->extent[2]
                                             : 4 * M_PI / 3 * pow(b->extent[0], 3);
}

/* The flat part has a share of the volume that the walls' softness makes a half and less. */
static void the_volume_is_that_of_the_closed_form(void **test)
{
    (void)test;
    const double kT = CARDO_BOLTZMANN * TEMPERATURE;
    for (int shape = CARDO_FLAT_BOTTOM_BOX; shape <= CARDO_FLAT_BOTTOM_SPHERE; ++shape) {
        const cardo_flat_bottom bottom = soft_bottom((cardo_flat_bottom_shape)shape);
        held h;
        double sigma;
        hold(&bottom, NULL, 11 + (uint64_t)shape, &h);
        const double p = share(&h, &bottom, NULL, 24000, &sigma);
        let_go(&h);
        const double sampled = -kT * log(CARDO_STANDARD_VOLUME / (flat_volume(&bottom) / p));
        const double expected = cardo_flat_bottom_release(&bottom, kT);
        print_message("%s: inside %.4f; release %.4f kT, expected %.4f; error bar %.4f\n",
                      shape ? "sphere" : "box", p, sampled / kT, expected / kT, sigma / p);
        assert_true(sigma / p < BOUND / 2);
        assert_close(sampled, expected, BOUND * kT);
        /* without the walls' share it would be off by far more */
        assert_true(log(cardo_flat_bottom_volume(&bottom, kT) / flat_volume(&bottom)) > 0.3);
    }
}

/* The closed form by quadrature over the radius, and over one edge of the box. */
static void the_closed_forms_are_the_integrals(void **test)
{
    (void)test;
    enum { POINTS = 200000 };
    const double kT = 2.5, k = 40, h = 3.0 / POINTS;
    cardo_flat_bottom bottom = {.extent = {0.4, 0.3, 0}, .stiffness = k};
    double edge[3] = {0}, ball = 0;
    for (int i = 0; i < POINTS; ++i) {
        const double x = (i + 0.5) * h;
        for (int a = 0; a < 3; ++a)
            edge[a] += 2 * h * exp(-0.5 * k / kT * pow(fmax(x - bottom.extent[a], 0), 2));
        ball += 4 * M_PI * x * x * h * exp(-0.5 * k / kT * pow(fmax(x - bottom.extent[0], 0), 2));
    }
    assert_close(cardo_flat_bottom_volume(&bottom, kT), edge[0] * edge[1] * edge[2], 1e-8);
    bottom.shape = CARDO_FLAT_BOTTOM_SPHERE;
    assert_close(cardo_flat_bottom_volume(&bottom, kT), ball, 1e-8);
    /* one molecule in a litre of 1 mol/L */
    assert_close(CARDO_STANDARD_VOLUME, 1e24 / 6.02214076e23, 1e-9);
}

/* Bound over free, with the free volume that the box leaves, gives the binding free energy of a square well, -kT ln(e^(depth/kT)
 * 4 pi r^3 / 3 V0). */
static void a_square_well_binds_as_its_closed_form_says(void **test)
{
    (void)test;
    const double kT = CARDO_BOLTZMANN * TEMPERATURE;
    square_well well = {.depth = 1.4 * kT, .radius = 0.19, .width = 5e-5};
    const cardo_flat_bottom bottom = {.body1 = 0,
                                      .body2 = 1,
                                      .frame1 = {m33_identity(), {0.01, 0, -0.02}},
                                      .shape = CARDO_FLAT_BOTTOM_BOX,
                                      .extent = {0.22, 0.2, 0.24},
                                      .stiffness = 1000};
    const double volume = 4 * M_PI / 3 * pow(well.radius, 3);
    held h;
    double sigma;
    hold(&bottom, &well, 21, &h);
    const double p = share(&h, &bottom, &well, moves, &sigma);
    let_go(&h);
    const double left = cardo_flat_bottom_volume(&bottom, kT) - volume;
    const double sampled = -kT * log(p / (1 - p) * left / CARDO_STANDARD_VOLUME);
    const double expected = -kT * log(exp(well.depth / kT) * volume / CARDO_STANDARD_VOLUME);
    const double bar = sigma / (p * (1 - p));
    print_message("bound %.4f; binding %.4f kT, expected %.4f; error bar %.4f\n", p, sampled / kT,
                  expected / kT, bar);
    if (moves < 100000) {
        assert_true(bar < 2 * BOUND);
        assert_close(sampled, expected, 3.5 * bar * kT);
    } else {
        assert_true(bar < BOUND / 2);
        assert_close(sampled, expected, BOUND * kT);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_closed_forms_are_the_integrals),
        figures_test(the_volume_is_that_of_the_closed_form),
        figures_test(a_square_well_binds_as_its_closed_form_says),
    };
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        moves = 400000;
    return support_run(tests, NULL, NULL);
}
