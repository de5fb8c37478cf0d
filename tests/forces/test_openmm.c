/* The OpenMM provider against formulas written out here, finite differences, and stored figures of
 * OpenMM's own Python layer; and everything that can go wrong. */
#include "support/support.h"

#include "support/hostile.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "forces/openmm/openmm.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8, MAX_TERM = 16 };

/* ------------ a small molecule: a chain of eight charged atoms, net charge +0.9 ------------ */

typedef struct molecule {
    cardo_terms terms;
    double mass[N], charge[N], sigma[N], epsilon[N], radius[N], scale[N], x[3 * N];
    cardo_bond_term bond[N - 1];
    cardo_angle_term angle[N - 2];
    cardo_torsion_term torsion[N - 3];
    cardo_exception_term exception[3 * N];
} molecule;

static void except(molecule *m, int a, int b, double scale)
{
    m->exception[m->terms.nexception++] =
        (cardo_exception_term){a, b, scale * m->charge[a] * m->charge[b], scale > 0.0 ? 0.31 : 1.0,
                               scale > 0.0 ? 0.2 : 0.0};
}

static void molecule_make(molecule *m, bool gb)
{
    memset(m, 0, sizeof *m);
    uint64_t seed = 7;
    for (int i = 0; i < N; i++) {
        m->mass[i] = 12.0 + i;
        m->charge[i] = 0.1125 + 0.5 * support_random(&seed);
        m->sigma[i] = 0.3 + 0.02 * i;
        m->epsilon[i] = 0.4 + 0.05 * i;
        m->radius[i] = 0.15 + 0.005 * i;
        m->scale[i] = 0.8 - 0.01 * i;
        double turn = 1.1 * i;
        m->x[3 * i] = 0.13 * cos(turn) + 0.02 * support_random(&seed);
        m->x[3 * i + 1] = 0.13 * sin(turn) + 0.02 * support_random(&seed);
        m->x[3 * i + 2] = 0.11 * i;
    }
    for (int i = 0; i + 1 < N; i++)
        m->bond[i] = (cardo_bond_term){i, i + 1, 0.15 + 0.001 * i, 2e5 + 1e4 * i};
    for (int i = 0; i + 2 < N; i++)
        m->angle[i] = (cardo_angle_term){i, i + 1, i + 2, 1.9 + 0.02 * i, 400.0 + 10.0 * i};
    for (int i = 0; i + 3 < N; i++)
        m->torsion[i] = (cardo_torsion_term){i, i + 1, i + 2, i + 3, 1 + i % 3, 0.3 * i, 5.0 + i};
    m->terms = (cardo_terms){.natom = N,
                             .number.mass = m->mass,
                             .nbond = N - 1,
                             .nangle = N - 2,
                             .ntorsion = N - 3,
                             .list.bond = m->bond,
                             .list.angle = m->angle,
                             .list.torsion = m->torsion,
                             .has_nonbonded = true,
                             .number.charge = m->charge,
                             .number.sigma = m->sigma,
                             .number.epsilon = m->epsilon,
                             .list.exception = m->exception,
                             .has_gb = gb,
                             .number.gb_radius = m->radius,
                             .number.gb_scale = m->scale,
                             .solute_dielectric = 1.0,
                             .solvent_dielectric = 78.5,
                             .surface_area_energy = 2.25936};
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N && j <= i + 3; j++)
            except(m, i, j, j == i + 3 ? 0.83 : 0.0);
}

/* ------------ formulas ------------ */

static void difference(const double *x, int a, int b, double *d)
{
    for (int k = 0; k < 3; k++)
        d[k] = x[3 * b + k] - x[3 * a + k];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double distance(const double *x, int a, int b)
{
    double d[3];
    difference(x, a, b, d);
    return sqrt(dot(d, d));
}

static double bond_energy(const molecule *m, const double *x)
{
    double energy = 0.0;
    for (int i = 0; i < m->terms.nbond; i++) {
        const cardo_bond_term *t = &m->bond[i];
        double stretch = distance(x, t->a, t->b) - t->length;
        energy += 0.5 * t->k * stretch * stretch;
    }
    return energy;
}

static double angle_energy(const molecule *m, const double *x)
{
    double energy = 0.0;
    for (int i = 0; i < m->terms.nangle; i++) {
        const cardo_angle_term *t = &m->angle[i];
        double u[3], v[3], w[3];
        difference(x, t->b, t->a, u);
        difference(x, t->b, t->c, v);
        cross(u, v, w);
        double bend = atan2(sqrt(dot(w, w)), dot(u, v)) - t->angle;
        energy += 0.5 * t->k * bend * bend;
    }
    return energy;
}

static double torsion_energy(const molecule *m, const double *x)
{
    double energy = 0.0;
    for (int i = 0; i < m->terms.ntorsion; i++) {
        const cardo_torsion_term *t = &m->torsion[i];
        double u[3], v[3], w[3], uv[3], vw[3];
        difference(x, t->a, t->b, u);
        difference(x, t->b, t->c, v);
        difference(x, t->c, t->d, w);
        cross(u, v, uv);
        cross(v, w, vw);
        double phi = atan2(sqrt(dot(v, v)) * dot(u, vw), dot(uv, vw));
        energy += t->k * (1.0 + cos(t->periodicity * phi - t->phase));
    }
    return energy;
}

static double pair_energy(double product, double sigma, double epsilon, double r)
{
    double s6 = pow(sigma / r, 6.0);
    return CARDO_COULOMB * product / r + 4.0 * epsilon * (s6 * s6 - s6);
}

static double nonbonded_energy(const molecule *m, const double *x)
{
    double energy = 0.0;
    bool excepted[N][N] = {{false}};
    for (int i = 0; i < m->terms.nexception; i++) {
        const cardo_exception_term *t = &m->exception[i];
        excepted[t->a][t->b] = excepted[t->b][t->a] = true;
        energy += pair_energy(t->charge_product, t->sigma, t->epsilon, distance(x, t->a, t->b));
    }
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            if (!excepted[i][j])
                energy +=
                    pair_energy(m->charge[i] * m->charge[j], 0.5 * (m->sigma[i] + m->sigma[j]),
                                sqrt(m->epsilon[i] * m->epsilon[j]), distance(x, i, j));
    return energy;
}

/* Descreening integral of Hawkins, Cramer & Truhlar 1996, eq. 17, of atom j seen from i. */
static double descreening(const molecule *m, const double *x, int i, int j)
{
    double r = distance(x, i, j), rho = m->radius[i] - 0.009;
    double s = m->scale[j] * (m->radius[j] - 0.009);
    if (rho >= r + s)
        return 0.0;
    double low = 1.0 / fmax(rho, fabs(r - s)), high = 1.0 / (r + s);
    double value =
        low - high + 0.25 * (r - s * s / r) * (high * high - low * low) + 0.5 / r * log(high / low);
    if (rho < s - r)
        value += 2.0 * (1.0 / rho - low);
    return 0.5 * value;
}

/* Onufriev, Bashford & Case 2004, model II; surface term of Schaefer, Bartels & Karplus 1998. */
static double born_radius(const molecule *m, const double *x, int i)
{
    double rho = m->radius[i] - 0.009, psi = 0.0;
    for (int j = 0; j < N; j++)
        if (j != i)
            psi += descreening(m, x, i, j);
    psi *= rho;
    return 1.0 / (1.0 / rho - tanh(psi - 0.8 * psi * psi + 4.85 * psi * psi * psi) / m->radius[i]);
}

static double gb_energy(const molecule *m, const double *x)
{
    double born[N], energy = 0.0;
    double factor =
        -CARDO_COULOMB * (1.0 / m->terms.solute_dielectric - 1.0 / m->terms.solvent_dielectric);
    for (int i = 0; i < N; i++)
        born[i] = born_radius(m, x, i);
    for (int i = 0; i < N; i++) {
        double reach = m->radius[i] + 0.14;
        energy += 4.0 * CARDO_PI * m->terms.surface_area_energy * reach * reach *
                  pow(m->radius[i] / born[i], 6.0);
        energy += 0.5 * factor * m->charge[i] * m->charge[i] / born[i];
        for (int j = i + 1; j < N; j++) {
            double r2 = pow(distance(x, i, j), 2.0), b = born[i] * born[j];
            energy += factor * m->charge[i] * m->charge[j] / sqrt(r2 + b * exp(-0.25 * r2 / b));
        }
    }
    return energy;
}

/* ------------ evaluating ------------ */

typedef struct result {
    double energy, terms[MAX_TERM];
    const double *forces;
} result;

static cardo_status evaluate(cardo_force_provider *provider, const double *x, int natom,
                             bool by_term, result *r, cardo_error *error)
{
    cardo_force_evaluation evaluation = {
        .nstation = natom, .station_positions = x, .term_energies = by_term ? r->terms : NULL};
    cardo_status status = provider->compute(provider, &evaluation, error);
    r->energy = evaluation.energy;
    r->forces = evaluation.station_forces;
    return status;
}

static cardo_openmm_options on(const char *platform, cardo_nonbonded_method method)
{
    cardo_openmm_options options = cardo_openmm_options_default();
    snprintf(options.platform, sizeof options.platform, "%s", platform);
    options.method = method;
    options.threads = 1;
    return options;
}

static cardo_force_provider *make(const molecule *m, const int *body, cardo_openmm_options options)
{
    cardo_error error;
    cardo_force_provider *provider;
    assert_ok(cardo_openmm_provider_create(&m->terms, body, m->x, &options, &provider, &error),
              &error);
    return provider;
}

static result energies_of(cardo_force_provider *provider, const double *x, int natom)
{
    cardo_error error;
    result r;
    assert_ok(evaluate(provider, x, natom, true, &r, &error), &error);
    return r;
}

static void check_against_formulas(const molecule *m, const int *body)
{
    cardo_force_provider *provider = make(m, body, on("Reference", CARDO_ALL_PAIRS));
    result r = energies_of(provider, m->x, N);
    const double expected[] = {bond_energy(m, m->x), angle_energy(m, m->x), torsion_energy(m, m->x),
                               nonbonded_energy(m, m->x), gb_energy(m, m->x)};
    static const char *const names[] = {"bond", "angle", "torsion", "nonbonded", "gb"};
    int nterm = m->terms.has_gb ? 5 : 4;
    double total = 0.0;
    assert_int_equal(provider->nterm, nterm);
    for (int t = 0; t < nterm; t++) {
        assert_string_equal(provider->term_names[t], names[t]);
        assert_close(r.terms[t], expected[t], 1e-9 * fabs(expected[t]));
        total += expected[t];
    }
    assert_close(r.energy, total, 1e-9 * fabs(total));
    cardo_force_provider_destroy(provider);
}

static void test_energies_follow_the_formulas(void **state)
{
    (void)state;
    static const int body[N] = {1, 1, 1, 1, 1, 2, 2, 2};
    molecule m;
    for (int gb = 0; gb < 2; gb++) {
        molecule_make(&m, gb);
        check_against_formulas(&m, NULL);
        check_against_formulas(&m, body);
    }
}

static void test_forces_are_minus_the_gradient(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, true);
    cardo_force_provider *provider = make(&m, NULL, on("Reference", CARDO_ALL_PAIRS));
    double forces[3 * N], h = 1e-6, largest = 0.0;
    result r = energies_of(provider, m.x, N);
    memcpy(forces, r.forces, sizeof forces);
    for (int i = 0; i < 3 * N; i++)
        largest = fmax(largest, fabs(forces[i]));
    for (int i = 0; i < 3 * N; i++) {
        double x0 = m.x[i];
        m.x[i] = x0 + h;
        double up = energies_of(provider, m.x, N).energy;
        m.x[i] = x0 - h;
        double down = energies_of(provider, m.x, N).energy;
        m.x[i] = x0;
        assert_close(forces[i], (down - up) / (2.0 * h), 1e-7 * largest);
    }
    cardo_force_provider_destroy(provider);
}

/* Bonded terms are the fast group, the others the slow one; their energies, by term too, and forces
 * sum to the whole. */
static void test_groups_sum_to_the_whole(void **state)
{
    (void)state;
    static const int body[N] = {1, 1, 1, 1, 1, 2, 2, 2};
    static const char *const platforms[2] = {"Reference", "CPU"};
    molecule m;
    molecule_make(&m, true);
    for (int k = 0; k < 4; k++) {
        cardo_force_provider *provider =
            make(&m, k % 2 ? body : NULL, on(platforms[k / 2], CARDO_ALL_PAIRS));
        double tolerance = k / 2 ? 1e-3 : 1e-9, sum[3 * N] = {0.0}, energy = 0.0;
        cardo_error error;
        result whole = energies_of(provider, m.x, N);
        double forces[3 * N], terms[MAX_TERM] = {0.0};
        memcpy(forces, whole.forces, sizeof forces);
        assert_int_equal(provider->ngroup, 2);
        for (unsigned group = 1; group <= 2; group++) {
            double parts[MAX_TERM];
            cardo_force_evaluation evaluation = {
                .nstation = N, .station_positions = m.x, .groups = group, .term_energies = parts};
            assert_ok(provider->compute(provider, &evaluation, &error), &error);
            energy += evaluation.energy;
            for (int i = 0; i < 3 * N; i++)
                sum[i] += evaluation.station_forces[i];
            for (int t = 0; t < provider->nterm; t++) {
                terms[t] += parts[t];
                /* bond, angle and torsion come first */
                assert_true(parts[t] == 0.0 || k % 2 || (t < 3) == (group == 2));
            }
        }
        assert_close(energy, whole.energy, tolerance * fabs(whole.energy));
        for (int i = 0; i < 3 * N; i++)
            assert_close(sum[i], forces[i], tolerance * (1.0 + fabs(forces[i])));
        for (int t = 0; t < provider->nterm; t++)
            assert_close(terms[t], whole.terms[t], tolerance * (1.0 + fabs(whole.terms[t])));
        cardo_force_provider_destroy(provider);
    }
}

/* What is left out inside bodies must not change the net force and torque on any of them. */
static void test_rigid_terms_do_not_push_bodies(void **state)
{
    (void)state;
    static const int body[N] = {0, 0, 0, 0, 1, 1, 1, 1};
    molecule m;
    molecule_make(&m, true);
    cardo_force_provider *all = make(&m, NULL, on("Reference", CARDO_ALL_PAIRS));
    cardo_force_provider *some = make(&m, body, on("Reference", CARDO_ALL_PAIRS));
    result a = energies_of(all, m.x, N), b = energies_of(some, m.x, N);
    double wrench[2][12] = {{0.0}}, largest = 0.0;
    for (int i = 0; i < N; i++) {
        const double *forces[2] = {a.forces + 3 * i, b.forces + 3 * i};
        for (int k = 0; k < 3; k++)
            largest = fmax(largest, fabs(forces[0][k] - forces[1][k]));
        for (int p = 0; p < 2; p++) {
            double torque[3];
            cross(m.x + 3 * i, forces[p], torque);
            for (int k = 0; k < 3; k++) {
                wrench[p][6 * body[i] + k] += forces[p][k];
                wrench[p][6 * body[i] + 3 + k] += torque[k];
            }
        }
    }
    assert_true(largest > 1.0);
    for (int k = 0; k < 12; k++)
        assert_close(wrench[1][k], wrench[0][k], 1e-8);
    assert_close(a.energy, b.energy, 1e-9 * fabs(a.energy));
    cardo_force_provider_destroy(all);
    cardo_force_provider_destroy(some);
}

static double force_deviation(const double *a, const double *b, int natom)
{
    double square = 0.0, norm = 0.0;
    for (int i = 0; i < 3 * natom; i++) {
        square += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return sqrt(square / norm);
}

/* The CPU platform's short cut gives the energies and forces of NoCutoff, exceptions and net charge
 * included. */
static void test_large_cutoff_is_all_pairs(void **state)
{
    (void)state;
    for (int gb = 0; gb < 2; gb++) {
        molecule m;
        molecule_make(&m, gb);
        cardo_force_provider *fast = make(&m, NULL, on("CPU", CARDO_ALL_PAIRS));
        cardo_force_provider *slow = make(&m, NULL, on("CPU", CARDO_NO_CUTOFF));
        cardo_force_provider *exact = make(&m, NULL, on("Reference", CARDO_ALL_PAIRS));
        assert_non_null(strstr(fast->doc, "cutoff of 50 nm"));
        assert_null(strstr(slow->doc, "cutoff of"));
        result a = energies_of(fast, m.x, N), b = energies_of(slow, m.x, N);
        result c = energies_of(exact, m.x, N);
        double sum = 0.0;
        for (int t = 0; t < exact->nterm; t++) {
            assert_close(a.terms[t], c.terms[t], 2e-6 * fabs(c.terms[t]) + 2e-4);
            sum += a.terms[t];
        }
        assert_close(a.energy, sum, 1e-10 * fabs(sum));
        assert_close(a.energy, b.energy, 1e-6 * fabs(b.energy));
        assert_true(force_deviation(a.forces, c.forces, N) < 1e-6);
        cardo_force_provider_destroy(fast);
        cardo_force_provider_destroy(slow);
        cardo_force_provider_destroy(exact);
    }
}

/* Two halves that part until they are farther from each other than the first cutoff. */
static void test_all_pairs_grows_with_the_molecule(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, false);
    m.terms.nbond = m.terms.nangle = m.terms.ntorsion = 0;
    cardo_force_provider *fast = make(&m, NULL, on("CPU", CARDO_ALL_PAIRS));
    for (int i = 0; i < N; i++)
        m.x[3 * i] += i < N / 2 ? 0.0 : 90.0;
    result r = energies_of(fast, m.x, N);
    assert_close(r.energy, nonbonded_energy(&m, m.x), 1e-3);
    result again = energies_of(fast, m.x, N);
    assert_true(again.energy == r.energy);
    cardo_force_provider_destroy(fast);
}

static void test_cutoff_cuts(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, false);
    m.terms.nbond = m.terms.nangle = m.terms.ntorsion = m.terms.nexception = 0;
    cardo_openmm_options options = on("Reference", CARDO_CUTOFF);
    options.cutoff = 0.5;
    options.reaction_field = 1.0;
    cardo_force_provider *provider = make(&m, NULL, options);
    double expected = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            double r = distance(m.x, i, j), product = m.charge[i] * m.charge[j];
            if (r < 0.5)
                expected += pair_energy(product, 0.5 * (m.sigma[i] + m.sigma[j]),
                                        sqrt(m.epsilon[i] * m.epsilon[j]), r) -
                            CARDO_COULOMB * product / 0.5;
        }
    assert_close(energies_of(provider, m.x, N).energy, expected, 1e-9 * fabs(expected));
    cardo_force_provider_destroy(provider);
}

static void test_wrong_positions(void **state)
{
    (void)state;
    static const char *const platforms[] = {"Reference", "CPU"};
    cardo_error error;
    result r;
    molecule m;
    molecule_make(&m, true);
    for (int p = 0; p < 2; p++) {
        cardo_force_provider *provider = make(&m, NULL, on(platforms[p], CARDO_ALL_PAIRS));
        double x[3 * N];
        double good = energies_of(provider, m.x, N).energy;
        memcpy(x, m.x, sizeof x);
        x[13] = NAN;
        assert_fails(evaluate(provider, x, N, false, &r, &error), &error, CARDO_ERROR_NUMERICAL,
                     "coordinate y of atom 5");
        x[13] = INFINITY;
        assert_fails(evaluate(provider, x, N, false, &r, &error), &error, CARDO_ERROR_NUMERICAL,
                     "atom 5");
        x[13] = 1e30;
        assert_fails(evaluate(provider, x, N, false, &r, &error), &error, CARDO_RECOVERABLE,
                     "spread");
        memcpy(x + 3 * (N - 1), m.x, 3 * sizeof x[0]);
        x[13] = m.x[13];
        assert_fails(evaluate(provider, x, N, false, &r, &error), &error, CARDO_RECOVERABLE,
                     "atoms overlap");
        assert_fails(evaluate(provider, x, N - 1, false, &r, &error), &error, CARDO_ERROR_ARGUMENT,
                     "made for 8 atoms");
        assert_true(energies_of(provider, m.x, N).energy == good);
        cardo_force_provider_destroy(provider);
    }
}

/* ------------ reference Systems ------------ */

typedef struct reference {
    int natom;
    double *x, *forces, energy;
    json_t *file, *energies;
} reference;

static double *read_npy(const char *path, int *count)
{
    cardo_error error;
    char *bytes;
    size_t length;
    assert_ok(cardo_read_file(path, 0, &bytes, &length, &error), &error);
    size_t size = length - 128;
    double *numbers = malloc(size);
    memcpy(numbers, bytes + 128, size);
    cardo_free(bytes);
    *count = (int)(size / sizeof *numbers);
    return numbers;
}

static void reference_read(reference *r, const char *folder, const char *label, const char *method)
{
    char name[256];
    int count;
    snprintf(name, sizeof name, "reference/openmm/%s/positions.npy", folder);
    r->x = read_npy(support_shared(name + 0), &count);
    r->natom = count / 3;
    snprintf(name, sizeof name, "reference/openmm/%s/%s.%s.forces.npy", folder, label, method);
    r->forces = read_npy(support_shared(name), &count);
    assert_int_equal(count, 3 * r->natom);
    snprintf(name, sizeof name, "reference/openmm/%s/reference.json", folder);
    r->file = json_load_file(support_shared(name), 0, NULL);
    size_t i;
    json_t *one;
    r->energies = NULL;
    json_array_foreach(json_object_get(r->file, "cases"), i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "forcefield")), label) == 0 &&
            strcmp(json_string_value(json_object_get(one, "method")), method) == 0) {
            r->energies = json_object_get(one, "energies");
            r->energy = json_real_value(json_object_get(one, "energy_total"));
        }
    }
    assert_non_null(r->energies);
}

static void reference_free(reference *r)
{
    free(r->x);
    free(r->forces);
    json_decref(r->file);
}

static cardo_force_provider *system_provider(const char *folder, const char *label,
                                             const char *method, int natom,
                                             cardo_openmm_options options, double *masses)
{
    char name[256];
    cardo_error error;
    cardo_force_provider *provider;
    snprintf(name, sizeof name, "reference/openmm/%s/%s.%s.system.xml.gz", folder, label, method);
    assert_ok(cardo_openmm_provider_from_system(support_shared(name), natom, &options, masses,
                                                &provider, &error),
              &error);
    return provider;
}

static double json_term(const reference *r, const char *name)
{
    const char *key;
    json_t *value;
    json_object_foreach(r->energies, key, value)
    {
        const char *colon = strchr(key, ':');
        if (strcmp(key, name) == 0 || (colon && strcmp(colon + 1, name) == 0))
            return json_real_value(value);
    }
    fail_msg("the reference has no term %s", name);
    return NAN;
}

/* The System of one folder at the positions of another (of the same atoms) against the stored
 * figures there. */
static void check_system(const char *folder, const char *at, const char *label, const char *method,
                         cardo_openmm_options options, double energy_limit, double force_limit)
{
    reference ref;
    reference_read(&ref, at, label, method);
    double *masses = calloc((size_t)ref.natom, sizeof *masses);
    cardo_force_provider *provider =
        system_provider(folder, label, method, ref.natom, options, masses);
    for (int i = 0; i < ref.natom; i++)
        assert_true(masses[i] > 1.0 && masses[i] < 33.0);
    result r = energies_of(provider, ref.x, ref.natom);
    assert_int_equal(provider->nterm, (int)json_object_size(ref.energies));
    for (int t = 0; t < provider->nterm; t++) {
        double expected = json_term(&ref, provider->term_names[t]);
        assert_close(r.terms[t], expected, energy_limit * fabs(expected));
    }
    assert_close(r.energy, ref.energy, energy_limit * fabs(ref.energy));
    double deviation = force_deviation(r.forces, ref.forces, ref.natom);
    print_message("%s %s.%s on %s: force deviation %.2g\n", at, label, method,
                  cardo_openmm_provider_platform(provider), deviation);
    assert_true(deviation < force_limit);
    cardo_force_provider_destroy(provider);
    reference_free(&ref);
    free(masses);
}

static void test_systems_on_reference(void **state)
{
    (void)state;
    cardo_openmm_options reference_platform = on("Reference", CARDO_ALL_PAIRS);
    check_system("1ubi", "1ubi", "ff14SB_obc2native", "NoCutoff", reference_platform, 1e-9, 1e-9);
    check_system("1ubi", "1ubi", "ff14SB_obc2", "NoCutoff", reference_platform, 1e-9, 1e-9);
    check_system("1ubi", "1ubi", "amber99sb_obc", "Cutoff1.6", reference_platform, 1e-9, 1e-9);
    check_system("1ubi", "1ubi", "charmm36", "Cutoff1.0", reference_platform, 1e-9, 1e-9);
    check_system("3mht_dna", "3mht_dna", "ff14SB_obc2", "NoCutoff", reference_platform, 1e-9, 1e-9);
}

static void test_systems_on_cpu(void **state)
{
    (void)state;
    cardo_openmm_options cpu = on("CPU", CARDO_ALL_PAIRS);
    cpu.threads = 0;
    check_system("1ubi", "1ubi", "ff14SB_obc2native", "NoCutoff", cpu, 1e-5, 1e-5);
    check_system("1ubi", "1ubi", "ff14SB_obc2", "NoCutoff", cpu, 1e-5, 3e-4);
    check_system("1ubi", "1ubi", "amber99sb_obc", "Cutoff1.6", cpu, 1e-5, 3e-4);
    check_system("1ubi", "1ubi", "charmm36", "Cutoff1.0", cpu, 1e-5, 3e-4);
    check_system("2lao", "2lao_min", "ff14SB_obc2native", "NoCutoff", cpu, 1e-5, 3e-4);
}

/* A cutoff laid on a System that has none gives the figures of one that was made with it. */
static void test_cutoff_on_a_system(void **state)
{
    (void)state;
    reference ref;
    reference_read(&ref, "1ubi", "ff14SB_obc2native", "Cutoff1.6");
    cardo_openmm_options options = on("Reference", CARDO_CUTOFF);
    options.cutoff = 1.6;
    cardo_force_provider *provider =
        system_provider("1ubi", "ff14SB_obc2native", "NoCutoff", ref.natom, options, NULL);
    result r = energies_of(provider, ref.x, ref.natom);
    assert_close(r.energy, ref.energy, 1e-9 * fabs(ref.energy));
    assert_true(force_deviation(r.forces, ref.forces, ref.natom) < 1e-9);
    cardo_force_provider_destroy(provider);
    cardo_error error;
    assert_fails(cardo_openmm_provider_from_system(
                     support_shared("reference/openmm/1ubi/ff14SB_obc2.NoCutoff.system.xml.gz"),
                     ref.natom, &options, NULL, &provider, &error),
                 &error, CARDO_ERROR_UNSUPPORTED, "CustomGBForce was made for no cutoff");
    assert_null(provider);
    reference_free(&ref);
}

/* ------------ promises ------------ */

static void turn(const double *x, double *y, int natom, double angle)
{
    for (int i = 0; i < natom; i++) {
        y[3 * i] = cos(angle) * x[3 * i] - sin(angle) * x[3 * i + 1];
        y[3 * i + 1] = sin(angle) * x[3 * i] + cos(angle) * x[3 * i + 1];
        y[3 * i + 2] = x[3 * i + 2] + angle;
    }
}

/* The same positions give the same bits: twice running, after other positions, whether terms are
 * wanted or not, and in another provider that has seen other positions. */
static void test_repeatable(void **state)
{
    (void)state;
    reference ref;
    reference_read(&ref, "1ubi", "ff14SB_obc2native", "NoCutoff");
    size_t size = sizeof(double) * 3 * (size_t)ref.natom;
    double *first = malloc(size), *other = malloc(size);
    cardo_error error;
    cardo_force_provider *providers[2];
    double energy = 0.0;
    result r;
    for (int p = 0; p < 2; p++) {
        providers[p] = system_provider("1ubi", "ff14SB_obc2native", "NoCutoff", ref.natom,
                                       on("CPU", CARDO_ALL_PAIRS), NULL);
        assert_true(providers[p]->traits & CARDO_FORCE_DETERMINISTIC);
        assert_ok(cardo_openmm_provider_prime(providers[p], ref.x, &error), &error);
    }
    for (int round = 0; round < 6; round++) {
        cardo_force_provider *provider = providers[round / 3];
        turn(ref.x, other, ref.natom, 0.3 * round);
        if (round != 1)
            assert_ok(evaluate(provider, other, ref.natom, round & 1, &r, &error), &error);
        assert_ok(evaluate(provider, ref.x, ref.natom, !(round & 1), &r, &error), &error);
        if (round == 0) {
            memcpy(first, r.forces, size);
            energy = r.energy;
        }
        assert_true(r.energy == energy);
        assert_memory_equal(r.forces, first, size);
    }
    for (int p = 0; p < 2; p++)
        cardo_force_provider_destroy(providers[p]);
    reference_free(&ref);
    free(first);
    free(other);
}

/* Traits promise no more than the platform keeps. */
static void test_traits(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, false);
    cardo_openmm_options options = on("CPU", CARDO_ALL_PAIRS);
    cardo_force_provider *one = make(&m, NULL, options);
    options.threads = 2;
    cardo_force_provider *two = make(&m, NULL, options);
    options.threads = 1;
    options.method = CARDO_CUTOFF;
    options.cutoff = 1.0;
    cardo_force_provider *cut = make(&m, NULL, options);
    cardo_force_provider *exact = make(&m, NULL, on("Reference", CARDO_ALL_PAIRS));
    const unsigned any = CARDO_FORCE_INVARIANT;
    assert_int_equal(one->traits, any | CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_SINGLE);
    assert_int_equal(two->traits, any | CARDO_FORCE_SINGLE);
    assert_non_null(strstr(two->doc, "2 threads"));
    assert_int_equal(cut->traits, any | CARDO_FORCE_SINGLE);
    assert_int_equal(exact->traits, any | CARDO_FORCE_DETERMINISTIC);
    cardo_force_provider_destroy(one);
    cardo_force_provider_destroy(two);
    cardo_force_provider_destroy(cut);
    cardo_force_provider_destroy(exact);
}

/* Positions written where the provider wants them are not copied, and nothing of ours is allocated.
 */
static void test_no_copy_and_no_allocation(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, true);
    cardo_force_provider *provider = make(&m, NULL, on("CPU", CARDO_ALL_PAIRS));
    double expected = energies_of(provider, m.x, N).energy;
    unsigned long before = cardo_allocation_count();
    for (int i = 0; i < 10; i++) {
        memcpy(provider->position_buffer, m.x, sizeof m.x);
        assert_true(energies_of(provider, provider->position_buffer, N).energy == expected);
    }
    assert_int_equal(cardo_allocation_count() - before, 0);
    cardo_force_provider_destroy(provider);
}

static void test_auto_picks_a_working_platform(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, true);
    cardo_openmm_options options = cardo_openmm_options_default();
    cardo_force_provider *provider = make(&m, NULL, options);
    double exact = bond_energy(&m, m.x) + angle_energy(&m, m.x) + torsion_energy(&m, m.x) +
                   nonbonded_energy(&m, m.x) + gb_energy(&m, m.x);
    assert_string_not_equal(cardo_openmm_provider_platform(provider), "Reference");
    assert_null(strstr(provider->doc, "pthread"));
    assert_close(energies_of(provider, m.x, N).energy, exact, 1e-5 * fabs(exact));
    cardo_force_provider_destroy(provider);
    cardo_error error;
    char *text;
    assert_ok(cardo_platforms_describe(&text, &error), &error);
    assert_non_null(strstr(text, "Reference"));
    assert_non_null(strstr(text, "CPU"));
    cardo_free(text);
}

static void test_one_atom(void **state)
{
    (void)state;
    double mass = 1.0, zero = 0.0, one = 1.0, x[3] = {0.1, 0.2, 0.3};
    cardo_terms terms = {.natom = 1,
                         .number.mass = &mass,
                         .has_nonbonded = true,
                         .number.charge = &one,
                         .number.sigma = &one,
                         .number.epsilon = &zero};
    cardo_error error;
    cardo_openmm_options options = on("CPU", CARDO_ALL_PAIRS);
    cardo_force_provider *provider;
    assert_ok(cardo_openmm_provider_create(&terms, NULL, x, &options, &provider, &error), &error);
    result r = energies_of(provider, x, 1);
    assert_close(r.energy, 0.0, 1e-12);
    assert_close(r.forces[0], 0.0, 1e-12);
    cardo_force_provider_destroy(provider);
}

/* ------------ errors ------------ */

static void refuse(const molecule *m, const int *body, cardo_openmm_options options,
                   cardo_status code, const char *text)
{
    cardo_error error;
    cardo_force_provider *provider;
    assert_fails(cardo_openmm_provider_create(&m->terms, body, m->x, &options, &provider, &error),
                 &error, code, text);
    assert_null(provider);
}

static void test_wrong_options(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, false);
    cardo_openmm_options options = on("Quantum", CARDO_ALL_PAIRS);
    refuse(&m, NULL, options, CARDO_ERROR_PROVIDER, "no such platform here; it has Reference");
    options = on("CPU", CARDO_ALL_PAIRS);
    snprintf(options.properties, sizeof options.properties, "Treads=2");
    refuse(&m, NULL, options, CARDO_ERROR_PROVIDER, "Treads");
    snprintf(options.properties, sizeof options.properties, "Threads=two");
    refuse(&m, NULL, options, CARDO_ERROR_INPUT, "Threads=two");
    snprintf(options.properties, sizeof options.properties, "Threads");
    refuse(&m, NULL, options, CARDO_ERROR_INPUT, "NAME=VALUE");
    snprintf(options.properties, sizeof options.properties,
             "a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1,n=1,o=1,p=1");
    refuse(&m, NULL, options, CARDO_ERROR_INPUT, "more than");
    options = on("auto", CARDO_ALL_PAIRS);
    snprintf(options.properties, sizeof options.properties, "Nonsense=1");
    refuse(&m, NULL, options, CARDO_ERROR_PROVIDER, "\n  CPU: ");
    options = on("CPU", CARDO_CUTOFF);
    refuse(&m, NULL, options, CARDO_ERROR_INPUT, "cutoff of 0 nm");
    options = on("cpu", CARDO_ALL_PAIRS);
    snprintf(options.properties, sizeof options.properties,
             " Threads=2, DeterministicForces=false");
    cardo_force_provider *provider = make(&m, NULL, options);
    assert_non_null(strstr(provider->doc, "2 threads"));
    cardo_force_provider_destroy(provider);
}

static void test_wrong_terms(void **state)
{
    (void)state;
    static const int body[N] = {0};
    cardo_openmm_options options = on("Reference", CARDO_ALL_PAIRS);
    molecule m;
    molecule_make(&m, false);
    except(&m, 1, 0, 1.0);
    refuse(&m, NULL, options, CARDO_ERROR_PROVIDER, "OpenMM: ");
    molecule_make(&m, false);
    m.bond[2].b = N;
    refuse(&m, body, options, CARDO_ERROR_ARGUMENT, "bond 2 names atom 8 of 8");
    molecule_make(&m, false);
    m.torsion[1].d = -1;
    refuse(&m, body, options, CARDO_ERROR_ARGUMENT, "torsion 1 names atom -1");
    molecule_make(&m, false);
    m.torsion[1].periodicity = 0;
    refuse(&m, NULL, options, CARDO_ERROR_PROVIDER, "OpenMM: ");
    molecule_make(&m, false);
    m.x[4] = NAN;
    refuse(&m, NULL, options, CARDO_ERROR_NUMERICAL, "atom 2");
    molecule_make(&m, false);
    m.terms.natom = 0;
    refuse(&m, NULL, options, CARDO_ERROR_ARGUMENT, "0 atoms");
}

static void refuse_system(const char *text, int natom, cardo_status code, const char *message)
{
    cardo_error error;
    cardo_force_provider *provider;
    cardo_openmm_options options = on("Reference", CARDO_ALL_PAIRS);
    assert_fails(cardo_openmm_provider_from_system(support_write("system.xml", text), natom,
                                                   &options, NULL, &provider, &error),
                 &error, code, message);
    assert_null(provider);
}

#define SYSTEM_HEAD                                                                                \
    "<?xml version=\"1.0\" ?>\n<System openmmVersion=\"7.7\" type=\"System\" version=\"1\">"       \
    "<PeriodicBoxVectors><A x=\"2\" y=\"0\" z=\"0\"/><B x=\"0\" y=\"2\" z=\"0\"/>"                 \
    "<C x=\"0\" y=\"0\" z=\"2\"/></PeriodicBoxVectors>"                                            \
    "<Particles><Particle mass=\"1\"/><Particle mass=\"1\"/></Particles><Constraints/>"

static void test_wrong_systems(void **state)
{
    (void)state;
    cardo_error error;
    cardo_force_provider *provider;
    cardo_openmm_options options = on("Reference", CARDO_ALL_PAIRS);
    assert_fails(cardo_openmm_provider_from_system("/nowhere/system.xml", 2, &options, NULL,
                                                   &provider, &error),
                 &error, CARDO_ERROR_FILE, "/nowhere/system.xml");
    refuse_system("", 2, CARDO_ERROR_INPUT, "not a serialized OpenMM System");
    refuse_system("no XML at all", 2, CARDO_ERROR_INPUT, "not a serialized OpenMM System");
    refuse_system("<?xml version=\"1.0\" ?>\n<State type=\"State\" version=\"1\"/>", 2,
                  CARDO_ERROR_INPUT, "not a serialized OpenMM System");
    refuse_system("<System type=\"State\" note='type=\"System\"'/>", 2, CARDO_ERROR_INPUT,
                  "not a serialized OpenMM System");
    refuse_system(SYSTEM_HEAD "<Forces/></System>", 3, CARDO_ERROR_INPUT,
                  "the System has 2 particles and the structure 3 atoms");
    refuse_system(SYSTEM_HEAD
                  "<Forces><Force type=\"MagicForce\" version=\"1\"/></Forces></System>",
                  2, CARDO_ERROR_PROVIDER, "system.xml: OpenMM: ");
    refuse_system(SYSTEM_HEAD "<Forces>\n<Force type=\"System\" version=\"1\"/></Forces></System>",
                  2, CARDO_ERROR_INPUT, "system.xml: line 3: the type of a <Force> is \"System\"");
    refuse_system(SYSTEM_HEAD
                  "<Forces><Force note='>'\ntype = 'VerletIntegrator'/></Forces></System>",
                  2, CARDO_ERROR_INPUT, "\"VerletIntegrator\", which is no force");
    refuse_system(SYSTEM_HEAD "<Function type=\"State\"/></System>", 2, CARDO_ERROR_INPUT,
                  "no tabulated function");
    refuse_system(SYSTEM_HEAD, 2, CARDO_ERROR_INPUT, "system.xml:2: ");
    refuse_system(SYSTEM_HEAD "<!-- < --></System>", 2, CARDO_ERROR_INPUT,
                  "system.xml: line 2: a comment with < or >");
    refuse_system(SYSTEM_HEAD "<Forces/><!-- no end </System>", 2, CARDO_ERROR_INPUT,
                  "system.xml: line 2: a comment");
    refuse_system("<!DOCTYPE System [<!ENTITY a \"b\">]>" SYSTEM_HEAD "</System>", 2,
                  CARDO_ERROR_INPUT, "system.xml: line 1: a comment");
    refuse_system(SYSTEM_HEAD "<![CDATA[<Force type=\"State\"/>]]></System>", 2, CARDO_ERROR_INPUT,
                  "no element");
    refuse_system("<System type=\"System\" version=\"1\"></System>", 2, CARDO_ERROR_PROVIDER,
                  "system.xml: OpenMM: ");
    refuse_system("<System type=\"System\" version=\"1\"", 2, CARDO_ERROR_INPUT,
                  "ends in the middle of an element");
    refuse_system("<System type=\"System", 2, CARDO_ERROR_INPUT, "ends in the middle");
    refuse_system("<System", 2, CARDO_ERROR_INPUT, "ends in the middle");
}

/* OpenMM descends into elements by recursion. */
static void test_deep_system(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    static const char head[] = "<?xml version=\"1.0\" ?>\n<!-- a -->\n<System type=\"System\">\n";
    char *text = malloc(sizeof head + 3 * DEPTH);
    memcpy(text, head, sizeof head);
    for (int i = 0; i < DEPTH; i++)
        memcpy(text + sizeof head - 1 + 3 * i, "<a>", 4);
    refuse_system(text, 2, CARDO_ERROR_INPUT, "line 4: elements nested deeper than 64");
    free(text);
}

static int many_elements(char *text, size_t size, int k)
{
    return snprintf(text, size, "%s", k ? "<a/>" : "<System type=\"System\" version=\"1\">");
}

static bool read_system(const char *path)
{
    cardo_error error = {0};
    cardo_force_provider *provider;
    cardo_openmm_options options = on("Reference", CARDO_ALL_PAIRS);
    cardo_status status =
        cardo_openmm_provider_from_system(path, 2, &options, NULL, &provider, &error);
    cardo_force_provider_destroy(provider);
    return status == CARDO_OK || strstr(error.message, path);
}

/* OpenMM's tree takes eighty times such a text. */
static void test_dense_systems(void **state)
{
    (void)state;
    support_check_hostile("elements", read_system,
                          support_write_pieces("system.xml", many_elements, 2000000, false));
    support_check_hostile("elements, packed", read_system,
                          support_write_pieces("system.xml.gz", many_elements, 2000000, true));
}

static void test_system_without_forces(void **state)
{
    (void)state;
    cardo_error error;
    cardo_force_provider *provider;
    cardo_openmm_options options = on("CPU", CARDO_ALL_PAIRS);
    double x[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0}, masses[2];
    assert_ok(cardo_openmm_provider_from_system(
                  support_write("empty.xml", SYSTEM_HEAD "<Forces/></System>"), 2, &options, masses,
                  &provider, &error),
              &error);
    assert_close(masses[1], 1.0, 0.0);
    assert_int_equal(provider->nterm, 0);
    assert_close(energies_of(provider, x, 2).energy, 0.0, 0.0);
    cardo_force_provider_destroy(provider);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energies_follow_the_formulas),
        cmocka_unit_test(test_forces_are_minus_the_gradient),
        cmocka_unit_test(test_groups_sum_to_the_whole),
        cmocka_unit_test(test_rigid_terms_do_not_push_bodies),
        cmocka_unit_test(test_large_cutoff_is_all_pairs),
        cmocka_unit_test(test_all_pairs_grows_with_the_molecule),
        cmocka_unit_test(test_cutoff_cuts),
        cmocka_unit_test(test_wrong_positions),
        shared_test(test_systems_on_reference),
        shared_test(test_systems_on_cpu),
        shared_test(test_cutoff_on_a_system),
        shared_test(test_repeatable),
        cmocka_unit_test(test_traits),
        cmocka_unit_test(test_no_copy_and_no_allocation),
        cmocka_unit_test(test_auto_picks_a_working_platform),
        cmocka_unit_test(test_one_atom),
        cmocka_unit_test(test_wrong_options),
        cmocka_unit_test(test_wrong_terms),
        cmocka_unit_test(test_wrong_systems),
        cmocka_unit_test(test_deep_system),
        cmocka_unit_test(test_dense_systems),
        cmocka_unit_test(test_system_without_forces),
    };
    return support_run(tests, NULL, NULL);
}
