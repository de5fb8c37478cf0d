#include "forces/relax/strain.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/relax/bonded_geometry.h"
#include "forces/relax/near_pairs.h"
#include "forces/relax/pair_rules.h"

#include <math.h>
#include <string.h>

const char *const cardo_strain_kind_names[CARDO_STRAIN_KINDS] = {"bond", "angle", "improper",
                                                                 "contact"};

static const double temperature = 300;                                 /* K      */
static const double strained_from = 20, rough_from = 40, hot_from = 1; /* kT     */
static const double clash = 100, torn = 350;                           /* kJ/mol */
static const double reach = 0.5;                                       /* nm, of contacts */

double cardo_strain_clash(void)
{
    return clash;
}

bool cardo_strained_is_impossible(const cardo_strained *term)
{
    return term->energy > (term->kind == CARDO_STRAIN_CONTACT ? clash : torn);
}

bool cardo_strained_counts(const cardo_strained *term, cardo_strain_place place)
{
    const double from = place == CARDO_STRAIN_INSIDE || term->polar ? rough_from : strained_from;
    return term->energy > from * CARDO_BOLTZMANN * temperature;
}

cardo_strain_verdict cardo_strain_judge(const cardo_strain *strain)
{
    if (strain->nimpossible)
        return CARDO_STRAIN_IMPOSSIBLE;
    if (strain->nstrained)
        return CARDO_STRAIN_STRAINED;
    for (int kind = 0; kind < CARDO_STRAIN_KINDS; ++kind)
        if (cardo_strain_is_hot(strain, (cardo_strain_kind)kind))
            return CARDO_STRAIN_HOT;
    return strain->nfrozen ? CARDO_STRAIN_ROUGH : CARDO_STRAIN_EASY;
}

static void add_up(const cardo_strain *strain, cardo_strain_kind kind, double *count,
                   double *energy)
{
    *count = *energy = 0;
    for (int place = 0; place < CARDO_STRAIN_PLACES; ++place) {
        *count += strain->sum[kind][place].count;
        *energy += strain->sum[kind][place].energy;
    }
}

double cardo_strain_mean(const cardo_strain *strain, cardo_strain_kind kind)
{
    double count, energy;
    add_up(strain, kind, &count, &energy);
    return count > 0 ? energy / (count * CARDO_BOLTZMANN * temperature) : 0;
}

/* A sum of n terms of kT/2 each has a variance of n (kT)^2/2. */
bool cardo_strain_is_hot(const cardo_strain *strain, cardo_strain_kind kind)
{
    double count, energy;
    add_up(strain, kind, &count, &energy);
    return kind != CARDO_STRAIN_CONTACT && count > 0 &&
           cardo_strain_mean(strain, kind) > hot_from + 5 * sqrt(0.5 / count);
}

static cardo_strained bond_at(cardo_bond_term b, const double *positions)
{
    cardo_strained s = {.kind = CARDO_STRAIN_BOND, .natom = 2, .atom = {b.a, b.b}};
    s.value = cardo_distance_of(positions, b.a, b.b);
    s.ideal = b.length;
    s.energy = 0.5 * b.k * (s.value - s.ideal) * (s.value - s.ideal);
    return s;
}

static cardo_strained angle_at(cardo_angle_term a, const double *positions)
{
    cardo_strained s = {.kind = CARDO_STRAIN_ANGLE, .natom = 3, .atom = {a.a, a.b, a.c}};
    s.value = cardo_angle_of(positions, a.a, a.b, a.c);
    s.ideal = a.angle;
    s.energy = 0.5 * a.k * (s.value - s.ideal) * (s.value - s.ideal);
    return s;
}

static cardo_strained improper_at(cardo_harmonic_torsion_term t, const double *positions)
{
    cardo_strained s = {.kind = CARDO_STRAIN_IMPROPER, .natom = 4, .atom = {t.a, t.b, t.c, t.d}};
    s.value = cardo_torsion_of(positions, s.atom);
    s.ideal = t.angle;
    s.energy = t.k * (s.value - s.ideal) * (s.value - s.ideal);
    return s;
}

void cardo_strained_visit(const cardo_terms *terms, const double *positions,
                          cardo_strained_visitor visit, void *context)
{
    cardo_strained s;
    for (int k = 0; k < terms->nbond; ++k) {
        s = bond_at(cardo_terms_bond(terms, k), positions);
        visit(context, &s);
    }
    for (int k = 0; k < terms->nangle; ++k) {
        s = angle_at(cardo_terms_angle(terms, k), positions);
        visit(context, &s);
    }
    for (int k = 0; k < terms->nharmonic_torsion; ++k) {
        s = improper_at(cardo_terms_harmonic_torsion(terms, k), positions);
        visit(context, &s);
    }
}

struct cardo_strain_search {
    const int *body;
    const unsigned char *element;
    cardo_pair_rules rules;
    cardo_near_pairs *near;
    cardo_strain *out; /* of the look at hand */
};

cardo_status cardo_strain_search_create(const cardo_terms *terms, const int *body_of_atom,
                                        const unsigned char *element, cardo_strain_search **out,
                                        cardo_error *error)
{
    cardo_status status;
    cardo_strain_search *search = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&search, 1, error));
    search->body = body_of_atom;
    search->element = element;
    CARDO_TRY(cardo_pair_rules_make(terms, &search->rules, error));
    CARDO_TRY(cardo_near_pairs_create(terms->natom, reach, &search->near, error));
    *out = search;
    search = NULL;
done:
    cardo_strain_search_destroy(search);
    return status;
}

void cardo_strain_search_destroy(cardo_strain_search *search)
{
    if (!search)
        return;
    cardo_near_pairs_destroy(search->near);
    cardo_pair_rules_clear(&search->rules);
    cardo_free(search);
}

static cardo_strain_place place_of(const cardo_strain_search *search, const cardo_strained *s)
{
    for (int k = 1; k < s->natom; ++k)
        if (search->body[s->atom[k]] != search->body[s->atom[0]])
            return CARDO_STRAIN_BETWEEN;
    return CARDO_STRAIN_INSIDE;
}

static bool has_hydrogen(const cardo_strain_search *search, const cardo_strained *s)
{
    for (int k = 0; k < s->natom; ++k)
        if (search->element[s->atom[k]] == 1)
            return true;
    return false;
}

/* Keeps the list sorted; equal energies stay in the order in which they came. */
static void enlist(cardo_strain *out, cardo_strain_place place, const cardo_strained *s)
{
    cardo_strained *list = out->listed[place];
    int n = out->nlisted[place], at = n;
    while (at > 0 && list[at - 1].energy < s->energy)
        --at;
    if (at == CARDO_STRAIN_LISTED)
        return;
    n = n < CARDO_STRAIN_LISTED ? n + 1 : n;
    memmove(list + at + 1, list + at, (size_t)(n - 1 - at) * sizeof *list);
    list[at] = *s;
    out->nlisted[place] = n;
}

static void book(void *context, const cardo_strained *s)
{
    const cardo_strain_search *search = context;
    cardo_strain *out = search->out;
    const cardo_strain_place place = place_of(search, s);
    cardo_strain_sum *sum = &out->sum[s->kind][place];
    ++sum->count;
    if (!(s->energy > 0))
        return;
    sum->energy += s->energy;
    sum->with_hydrogen += has_hydrogen(search, s) ? s->energy : 0;
    const bool counts = cardo_strained_counts(s, place);
    if (place == CARDO_STRAIN_INSIDE) {
        out->nfrozen += counts;
    } else {
        out->nstrained += counts;
        out->nimpossible += cardo_strained_is_impossible(s);
    }
    enlist(out, place, s);
}

static bool may_share_hydrogen(unsigned char element)
{
    return element == 7 || element == 8 || element == 9 || element == 16;
}

static void book_contact(cardo_strain_search *search, int a, int b, double sigma, double epsilon,
                         double square)
{
    cardo_strained s = {.kind = CARDO_STRAIN_CONTACT, .natom = 2, .atom = {a, b}};
    s.value = sqrt(square);
    s.polar = may_share_hydrogen(search->element[a]) && may_share_hydrogen(search->element[b]);
    s.ideal = sigma * 1.122462048309373; /* 2^(1/6) */
    s.energy = cardo_lennard_jones(sigma, epsilon, square);
    cardo_strained *worst = &search->out->contact;
    if (search->body[a] != search->body[b] && (worst->natom == 0 || s.energy > worst->energy))
        *worst = s;
    book(search, &s);
}

static void look_at_pair(void *context, int a, int b, cardo_vec3 r, double square)
{
    (void)r;
    cardo_strain_search *search = context;
    double sigma, epsilon;
    if (cardo_pair_rules_take(&search->rules, a, b, &sigma, &epsilon))
        book_contact(search, a, b, sigma, epsilon, square);
}

/* Pairs three bonds apart, and those with numbers of their own. */
static void look_at_exceptions(cardo_strain_search *search, const double *positions)
{
    const cardo_terms *terms = search->rules.terms;
    for (int k = 0; k < terms->nexception; ++k) {
        const cardo_exception_term e = cardo_terms_exception(terms, k);
        cardo_vec3 r = cardo_from_to(positions, e.a, e.b);
        double square = v3_dot(r, r);
        if (e.epsilon > 0 && e.sigma > 0 && square < reach * reach)
            book_contact(search, e.a, e.b, e.sigma, e.epsilon, square);
    }
}

void cardo_strain_look(cardo_strain_search *search, const double *positions, cardo_strain *out)
{
    *out = (cardo_strain){0};
    search->out = out;
    cardo_strained_visit(search->rules.terms, positions, book, search);
    if (search->rules.terms->has_nonbonded) {
        cardo_near_pairs_visit(search->near, positions, look_at_pair, search);
        look_at_exceptions(search, positions);
    }
    search->out = NULL;
}
