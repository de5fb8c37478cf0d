#include "forces/rigid/sums/sums.h"

#include "base/memory.h"
#include "base/units.h"

#include <math.h>

/* OBC2 as OpenMM's GBSAOBCForce has it (Onufriev, Bashford & Case 2004), with the surface term of
 * Schaefer, Bartels & Karplus 1998. nm */
static const double offset = 0.009, probe = 0.14;
static const double alpha = 1.0, beta = 0.8, gamma_ = 4.85;

cardo_status cardo_sums_open(cardo_sums_scene *scene, cardo_error *error)
{
    return cardo_partners_by_exceptions(scene->terms, &scene->excluded, error);
}

void cardo_sums_clear(cardo_sums_scene *scene)
{
    cardo_partners_clear(&scene->excluded);
}

static void add(cardo_sum *sum, double term)
{
    sum->value += term;
    sum->magnitude += fabs(term);
}

/* What the sphere of atom j takes from the descreening integral I of an atom with this radius, at r;
 * *slope: dI/dr (Hawkins, Cramer & Truhlar 1996). */
static double descreen(double radius, double scaled, double r, double *slope)
{
    const double upper = r + scaled;
    *slope = 0;
    if (radius >= upper)
        return 0;
    const double lower = fmax(radius, fabs(r - scaled));
    const double l = 1 / lower, u = 1 / upper, squares = l * l - u * u;
    double sum =
        l - u - 0.25 * r * squares + 0.5 * log(u / l) / r + 0.25 * scaled * scaled * squares / r;
    if (radius < scaled - r)
        sum += 2 * (1 / radius - l);
    *slope = -0.125 * (1 + scaled * scaled / (r * r)) * squares - 0.25 * log(u / l) / (r * r);
    return 0.5 * sum;
}

static double scaled_radius(const cardo_terms *terms, int i)
{
    return cardo_terms_gb_scale(terms, i) * (cardo_terms_gb_radius(terms, i) - offset);
}

/* Of charges far apart, relative to their Coulomb energy. */
static double screening(const cardo_terms *terms)
{
    return CARDO_COULOMB * (1 / terms->solute_dielectric - 1 / terms->solvent_dielectric);
}

/* With salt -q q/f becomes -q q (inside - outside exp(-kappa f)) (1/f - shift); the slope of that is q q/f^2 times
 * this. Inverse dielectric constants are over their difference. shift: 1/cutoff of pairs, or 0. */
static double salted_slope(const cardo_terms *terms, double f, double shift)
{
    const double inside = 1 / terms->solute_dielectric, outside = 1 / terms->solvent_dielectric;
    const double x = terms->kappa * f;
    return (inside - outside * exp(-x) * (1 + x * (1 - shift * f))) / (inside - outside);
}

static double shift_of(const cardo_sums_scene *scene)
{
    return scene->gb_cutoff > 0 ? 1 / scene->gb_cutoff : 0;
}

static double distance(const cardo_sums_scene *scene, int i, int j, cardo_vec3 *apart)
{
    *apart = v3_sub(v3_load(scene->x + 3 * (size_t)i), v3_load(scene->x + 3 * (size_t)j));
    return v3_norm(*apart);
}

/* dB/dI at an integral, and the radius itself. */
static double born_radius(const cardo_terms *terms, int i, double integral, double *slope)
{
    const double radius = cardo_terms_gb_radius(terms, i), inner = radius - offset,
                 psi = inner * integral;
    const double t = tanh(psi * (alpha - psi * (beta - psi * gamma_)));
    const double born = 1 / (1 / inner - t / radius);
    *slope =
        born * born * (1 - t * t) * inner * (alpha - psi * (2 * beta - psi * 3 * gamma_)) / radius;
    return born;
}

/* dB/dI where the radius is `born`, from an integral where it is `at` and dB/dI is `slope`, by Newton's method: as far as that comes nearer. */
static double slope_where(const cardo_terms *terms, int i, double born, double integral, double at,
                          double slope)
{
    enum { MOST_STEPS = 4 };
    for (int k = 0; k < MOST_STEPS && slope > 0; ++k) {
        double next_slope;
        const double next_integral = integral + (born - at) / slope;
        const double next = born_radius(terms, i, next_integral, &next_slope);
        if (!(fabs(next - born) < fabs(at - born)))
            break;
        integral = next_integral;
        at = next;
        slope = next_slope;
    }
    return slope;
}

/* The atom's Born radius from all others' places; returns dB/dI at the scene's own. */
static double sum_born(const cardo_sums_scene *scene, int i, cardo_sum *born)
{
    const cardo_terms *terms = scene->terms;
    const double radius = cardo_terms_gb_radius(terms, i) - offset;
    cardo_sum integral = {0, 0, 0};
    double slope;
    for (int j = 0; j < terms->natom; ++j) {
        cardo_vec3 apart;
        double r = distance(scene, i, j, &apart), unused;
        if (j != i && !(scene->gb_cutoff > 0 && r > scene->gb_cutoff))
            add(&integral, descreen(radius, scaled_radius(terms, j), r, &unused));
    }
    born->value = born_radius(terms, i, integral.value, &slope);
    born->magnitude = fabs(slope) * integral.magnitude;
    return slope_where(terms, i, scene->born[i], integral.value, born->value, slope);
}

/* dE/dI from the scene's Born radii; slope: dB/dI. */
static void sum_chain(const cardo_sums_scene *scene, int i, double slope, cardo_sum *chain)
{
    const cardo_terms *terms = scene->terms;
    const double B = scene->born[i], strength = screening(terms), q = cardo_terms_charge(terms, i);
    const double radius = cardo_terms_gb_radius(terms, i);
    const double surface = 4 * CARDO_PI * terms->surface_area_energy * (radius + probe) *
                           (radius + probe) * pow(radius / B, 6);
    add(chain, slope * 0.5 * strength * q * q / (B * B) * salted_slope(terms, B, 0));
    add(chain, slope * -6 * surface / B);
    for (int j = 0; j < terms->natom; ++j) {
        cardo_vec3 apart;
        const double r = distance(scene, i, j, &apart), C = scene->born[j];
        if (j == i || (scene->gb_cutoff > 0 && r > scene->gb_cutoff))
            continue;
        const double D = r * r / (4 * B * C), g = exp(-D), f = sqrt(r * r + B * C * g);
        const double term = slope * strength * q * cardo_terms_charge(terms, j) * C * g * (1 + D) /
                            (2 * f * f * f) * salted_slope(terms, f, shift_of(scene));
        add(chain, term);
        if (D > scene->plain_beyond)
            chain->droppable += fabs(term);
    }
}

/* Adds -dE/dr over r of Lennard-Jones and Coulomb. */
static void add_pair(const cardo_sums_scene *scene, int i, int j, double r, cardo_sum *pull)
{
    const cardo_terms *terms = scene->terms;
    if (!terms->has_nonbonded || (scene->cutoff > 0 && r > scene->cutoff) ||
        cardo_are_partners(&scene->excluded, i, j))
        return;
    const double sigma = 0.5 * (cardo_terms_sigma(terms, i) + cardo_terms_sigma(terms, j));
    const double epsilon = sqrt(cardo_terms_epsilon(terms, i) * cardo_terms_epsilon(terms, j));
    const double s6 = pow(sigma / r, 6),
                 qq = CARDO_COULOMB * cardo_terms_charge(terms, i) * cardo_terms_charge(terms, j);
    const double eps = scene->reaction_field, cutoff = scene->cutoff;
    add(pull, 48 * epsilon * s6 * s6 / (r * r));
    add(pull, -24 * epsilon * s6 / (r * r));
    add(pull, qq / (r * r * r));
    if (cutoff > 0)
        add(pull, -2 * qq * (eps - 1) / (2 * eps + 1) / (cutoff * cutoff * cutoff));
}

/* The same of the solvent: pairs directly, and through both atoms' descreening integrals. */
static void add_solvent(const cardo_sums_scene *scene, int i, int j, double r, cardo_sum *pull)
{
    const cardo_terms *terms = scene->terms;
    double slope_i, slope_j;
    if (!terms->has_gb || (scene->gb_cutoff > 0 && r > scene->gb_cutoff))
        return;
    const double B = scene->born[i], C = scene->born[j];
    const double qq =
        screening(terms) * cardo_terms_charge(terms, i) * cardo_terms_charge(terms, j);
    const double D = r * r / (4 * B * C), g = exp(-D), f = sqrt(r * r + B * C * g);
    const double shift = shift_of(scene);
    const double direct = -qq * (1 - 0.25 * g) / (f * f * f) * salted_slope(terms, f, shift);
    add(pull, direct);
    if (D > scene->plain_beyond)
        pull->droppable += fabs(direct + qq / (r * r * r) * salted_slope(terms, r, shift));
    descreen(cardo_terms_gb_radius(terms, i) - offset, scaled_radius(terms, j), r, &slope_i);
    descreen(cardo_terms_gb_radius(terms, j) - offset, scaled_radius(terms, i), r, &slope_j);
    add(pull, -scene->chain[i] * slope_i / r);
    add(pull, -scene->chain[j] * slope_j / r);
}

static void sum_force(const cardo_sums_scene *scene, int i, cardo_atom_sums *sums)
{
    for (int j = 0; j < scene->terms->natom; ++j) {
        cardo_vec3 apart;
        cardo_sum pull = {0, 0, 0};
        if (scene->body[j] == scene->body[i])
            continue;
        const double r = distance(scene, i, j, &apart);
        add_pair(scene, i, j, r, &pull);
        add_solvent(scene, i, j, r, &pull);
        sums->force = v3_add_scaled(sums->force, pull.value, apart);
        sums->force_magnitude += r * pull.magnitude;
        sums->force_droppable += r * pull.droppable;
    }
}

void cardo_sums_of_atom(const cardo_sums_scene *scene, int atom, cardo_atom_sums *sums)
{
    *sums = (cardo_atom_sums){0};
    if (scene->terms->has_gb) {
        double slope = sum_born(scene, atom, &sums->born);
        sum_chain(scene, atom, slope, &sums->chain);
    }
    sum_force(scene, atom, sums);
}
