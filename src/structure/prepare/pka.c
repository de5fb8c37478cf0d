/* Shifts of pKa values: burial, hydrogen bonds and charges (Li, Robertson & Jensen, Proteins 61, 704, 2005). Parameters
 * are the published ones, in A and pKa units. Left out: bonds of cysteines in CXXC pairs, tyrosine's own pKa, waters, and
 * what is no amino acid but as bulk. */
#include "structure/prepare/pka.h"
#include "base/memory.h"
#include "structure/prepare/geometry.h"

#include <string.h>

/* Heavy atoms within the larger distance are what a group is buried under, from 400 on. */
enum { BURIED = 400, BURIED_PAIR = 900, SWEEPS = 10 };

static const double shell = 15.5, per_atom = 0.01, per_neighbour = 0.07;

/* What a bond of the first kind's group, which takes it, and of the second's, which gives it, does to their pKa: all of it
 * up to the first distance, nothing from the second one on. Where both are buried, strong is what there is instead. */
typedef struct bond_rule {
    cardo_site_kind taker, giver;
    double from, to, on_taker, on_giver, strong;
    bool by_angle; /* times the cosine of the peptide's angle */
} bond_rule;

static const bond_rule rules[] = {
    {CARDO_SITE_CARBOXYL, CARDO_SITE_HYDROXYL, 3.0, 4.0, -0.8, 0, 0, false},
    {CARDO_SITE_CARBOXYL, CARDO_SITE_TYROSINE, 3.0, 4.0, -0.8, 0, 0, false},
    {CARDO_SITE_CARBOXYL, CARDO_SITE_AMIDE, 2.0, 3.0, -0.8, 0, 0, false},
    {CARDO_SITE_CARBOXYL, CARDO_SITE_INDOLE, 2.0, 3.0, -0.8, 0, 0, false},
    {CARDO_SITE_CARBOXYL, CARDO_SITE_HISTIDINE, 2.0, 3.0, -0.8, 0.8, 1.6, false},
    {CARDO_SITE_CARBOXYL, CARDO_SITE_CYSTEINE, 3.0, 4.0, -0.8, 0.8, 0, false},
    {CARDO_SITE_CARBOXYL, CARDO_SITE_LYSINE, 3.0, 4.0, -0.8, 0, 0, false},
    {CARDO_SITE_CARBOXYL, CARDO_SITE_FIRST, 3.0, 4.5, -1.2, 0, 0, false},
    {CARDO_SITE_CARBOXYL, CARDO_SITE_ARGININE, 2.0, 4.0, -0.8, 0, 0, false},
    {CARDO_SITE_CARBOXYL, CARDO_SITE_PEPTIDE_NH, 2.0, 3.5, -1.2, 0, 0, true},
    {CARDO_SITE_CYSTEINE, CARDO_SITE_HISTIDINE, 3.0, 4.0, -1.6, 1.6, 3.6, false},
    {CARDO_SITE_CYSTEINE, CARDO_SITE_HYDROXYL, 3.5, 4.5, -1.6, 0, 0, false},
    {CARDO_SITE_CYSTEINE, CARDO_SITE_TYROSINE, 3.5, 4.5, -0.8, 0, 0, false},
    {CARDO_SITE_CYSTEINE, CARDO_SITE_AMIDE, 2.5, 3.5, -1.6, 0, 0, false},
    {CARDO_SITE_CYSTEINE, CARDO_SITE_INDOLE, 2.5, 3.5, -1.6, 0, 0, false},
    {CARDO_SITE_CYSTEINE, CARDO_SITE_LYSINE, 3.0, 4.0, -1.6, 0, 0, false},
    {CARDO_SITE_CYSTEINE, CARDO_SITE_FIRST, 3.0, 4.5, -2.4, 0, 0, false},
    {CARDO_SITE_CYSTEINE, CARDO_SITE_ARGININE, 2.5, 4.0, -1.6, 0, 0, false},
    {CARDO_SITE_CYSTEINE, CARDO_SITE_PEPTIDE_NH, 3.5, 4.5, -2.4, 0, 0, true},
    {CARDO_SITE_AMIDE, CARDO_SITE_HISTIDINE, 2.0, 3.0, 0, 0.8, 0, false},
    {CARDO_SITE_PEPTIDE_CO, CARDO_SITE_HISTIDINE, 2.0, 3.5, 0, 1.2, 0, true},
};

static const bond_rule *rule_of(cardo_site_kind taker, cardo_site_kind giver)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k)
        if (rules[k].taker == taker && rules[k].giver == giver)
            return &rules[k];
    return NULL;
}

/* 1 up to from, 0 from to on, and where atoms on top of each other leave no distance. */
static double share(double distance, double from, double to)
{
    return !(distance < to) ? 0 : fmin(1, 1 - (distance - from) / (to - from));
}

static bool both_buried(const cardo_site *a, const cardo_site *b)
{
    return a->near + b->near > BURIED_PAIR || (a->near > BURIED && b->near > BURIED);
}

static void bury(cardo_site *s, const cardo_draft *draft)
{
    static const double reach[] = {
        [CARDO_SITE_CARBOXYL] = 4.5, [CARDO_SITE_CYSTEINE] = 3.5, [CARDO_SITE_HISTIDINE] = 4.0,
        [CARDO_SITE_LYSINE] = 4.5,   [CARDO_SITE_FIRST] = 4.5,    [CARDO_SITE_ARGININE] = 5.0};
    const double wide = 6.0; /* of a histidine that is buried */
    int around = 0;
    for (int r = 0; r < draft->count; ++r) {
        const cardo_draft_residue *residue = &draft->residue[r];
        const bool water = residue->component && residue->component->kind == CARDO_COMPONENT_WATER;
        for (int i = 0; i < residue->natom && !water && r != s->residue; ++i) {
            const double d = distance_of(residue->atom[i].position, s->centre) / CARDO_ANGSTROM;
            if (residue->atom[i].element == CARDO_HYDROGEN)
                continue;
            s->near += d < shell;
            s->touching += d < reach[s->kind];
            around += d < wide;
        }
    }
    if (s->kind == CARDO_SITE_HISTIDINE && s->near > BURIED)
        s->touching = around;
    s->burial = per_atom * fmax(0, s->near - BURIED) + per_neighbour * s->touching;
    if (!cardo_site_is_acid(s))
        s->burial = 0 - s->burial;
}

/* A shift of site k by site other: slot 0 by a bond, 1 by a charge. */
static void shift(cardo_sites *sites, int k, int other, int slot, double by)
{
    cardo_site *s = &sites->site[k];
    *(slot == 0 ? &s->bonds : &s->charges) += by;
    s->pka += by;
    if (fabs(by) > s->most[slot]) {
        s->most[slot] = fabs(by);
        s->partner[slot] = other;
    }
}

/* Nearest points of two groups, A, and the peptide's cosine there. */
static double nearest(const cardo_site *taker, const cardo_site *giver, double *cosine)
{
    double least = 1e9;
    *cosine = 1;
    for (int i = 0; i < taker->ntaker; ++i)
        for (int k = 0; k < giver->ngiver; ++k) {
            const cardo_vec3 apart = v3_sub(taker->taker[i], giver->giver[k]);
            const double d = v3_norm(apart);
            if (!(d < least))
                continue;
            least = d;
            if (giver->kind == CARDO_SITE_PEPTIDE_NH)
                *cosine = v3_dot(giver->axis, apart) / fmax(d, 1e-9);
            if (taker->kind == CARDO_SITE_PEPTIDE_CO)
                *cosine = -v3_dot(taker->axis, apart) / fmax(d, 1e-9);
        }
    return least / CARDO_ANGSTROM;
}

/* Do an arginine's protons of two nitrogens hold both oxygens of a carboxyl? */
static bool holds_both(const cardo_site *acid, const cardo_site *arginine)
{
    const double near = 0.22; /* nm */
    for (int i = 0; i < arginine->ngiver; ++i)
        for (int k = 0; k < arginine->ngiver; ++k)
            if (arginine->giver_atom[i] != arginine->giver_atom[k] &&
                distance_of(acid->taker[0], arginine->giver[i]) < near &&
                distance_of(acid->taker[1], arginine->giver[k]) < near)
                return true;
    return false;
}

static void bond_by(cardo_sites *sites, int taker, int giver, const bond_rule *rule)
{
    cardo_site *a = &sites->site[taker], *b = &sites->site[giver];
    double cosine;
    const double part = share(nearest(a, b, &cosine), rule->from, rule->to);
    if (part <= 0 || (rule->by_angle && !(cosine > 0)))
        return;
    /* Published up to where nothing is left; but thiolates are made by bonds, not by neighbours. */
    const bool full = a->kind != CARDO_SITE_CYSTEINE || part == 1;
    const bool strong = rule->strong > 0 && full && both_buried(a, b);
    const double much = rule->by_angle ? part * cosine : part;
    double on_taker = strong ? -rule->strong : rule->on_taker * much;
    if (a->kind == CARDO_SITE_CARBOXYL && b->kind == CARDO_SITE_ARGININE && holds_both(a, b))
        on_taker = -2.4;
    if (rule->on_taker != 0)
        shift(sites, taker, giver, 0, on_taker);
    if (rule->on_giver != 0)
        shift(sites, giver, taker, 0, strong ? rule->strong : rule->on_giver * much);
    if (strong && a->kind == CARDO_SITE_CARBOXYL && b->kind == CARDO_SITE_HISTIDINE) {
        a->bias -= 6;
        b->bias += 6;
    }
}

/* The oxygens of two carboxyls that share a proton: the lower one takes it. */
static void bond_carboxyls(cardo_sites *sites, int lower, int higher)
{
    const cardo_site *a = &sites->site[lower], *b = &sites->site[higher];
    double least = 1e9;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k)
            least = fmin(least, distance_of(a->taker[i], b->taker[k]) / CARDO_ANGSTROM);
    const double part = share(least, 2.5, 3.5);
    if (part <= 0)
        return;
    const double by = both_buried(a, b) ? 1.6 : 0.8 * part;
    shift(sites, lower, higher, 0, -by);
    shift(sites, higher, lower, 0, by);
}

/* Charges act where both are buried: at the first distance all of it. */
static void charge_by(cardo_sites *sites, int i, int k)
{
    const double most = 2.4, from = 4, to = 7;
    const cardo_site *a = &sites->site[i], *b = &sites->site[k];
    const double by = most * share(distance_of(a->centre, b->centre) / CARDO_ANGSTROM, from, to);
    if (by <= 0 || !both_buried(a, b) || a->ordered == b->ordered)
        return;
    const int low = a->ordered < b->ordered ? i : k, high = low == i ? k : i;
    const bool low_acid = cardo_site_is_acid(&sites->site[low]),
               high_acid = cardo_site_is_acid(&sites->site[high]);
    /* While an acid titrates, a base of lower pKa has lost its charge, and the other way round. */
    if (!low_acid && high_acid)
        return;
    if (low_acid)
        shift(sites, high, low, 1, by);
    if (!high_acid)
        shift(sites, low, high, 1, -by);
}

/* Bonds whose effect does not depend on pKa values. */
static void bond_all(cardo_sites *sites)
{
    const double farthest = 1.2; /* nm, between centres: a bond and the size of both groups */
    for (int i = 0; i < sites->count; ++i)
        for (int k = 0; k < sites->count; ++k) {
            const cardo_site *a = &sites->site[i], *b = &sites->site[k];
            const bool apart = i == k || distance_of(a->centre, b->centre) > farthest;
            const bond_rule *rule = apart ? NULL : rule_of(a->kind, b->kind);
            if (rule)
                bond_by(sites, i, k, rule);
        }
}

/* What depends on which of two has the lower pKa; the first titrates. */
static void shift_pair(cardo_sites *sites, int i, int k)
{
    const cardo_site *a = &sites->site[i], *b = &sites->site[k];
    if (!cardo_site_titrates(b))
        return;
    if (a->kind == CARDO_SITE_CARBOXYL && b->kind == CARDO_SITE_CARBOXYL) {
        const bool first = a->ordered < b->ordered;
        bond_carboxyls(sites, first ? i : k, first ? k : i);
    }
    charge_by(sites, i, k);
}

static bool order_stays(cardo_sites *sites)
{
    bool stays = true;
    for (int k = 0; k < sites->count; ++k) {
        cardo_site *s = &sites->site[k];
        stays = stays && fabs(s->pka + s->bias - s->ordered) < 1e-9;
        s->ordered = s->pka + s->bias;
    }
    return stays;
}

cardo_status cardo_sites_shift(cardo_sites *sites, const cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_site *before = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&before, sites->count, error));
    for (int k = 0; k < sites->count; ++k) {
        cardo_site *s = &sites->site[k];
        if (cardo_site_titrates(s))
            bury(s, draft);
        s->pka = s->model + s->burial;
    }
    bond_all(sites);
    memcpy(before, sites->site, (size_t)sites->count * sizeof *before);
    for (int sweep = 0; sweep < SWEEPS && !order_stays(sites); ++sweep) {
        for (int k = 0; k < sites->count; ++k) {
            before[k].ordered = sites->site[k].ordered;
            sites->site[k] = before[k];
        }
        for (int i = 0; i < sites->count; ++i)
            for (int k = i + 1; k < sites->count && cardo_site_titrates(&sites->site[i]); ++k)
                shift_pair(sites, i, k);
    }
done:
    cardo_free(before);
    return status;
}
