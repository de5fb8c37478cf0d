/* Disulfides and protonation states. */
#include "base/memory.h"
#include "base/number.h"
#include "structure/atoms/name_text.h"
#include "structure/prepare/draft.h"
#include "structure/prepare/geometry.h"
#include "structure/prepare/nearby.h"
#include "structure/prepare/pka.h"

#include <stdio.h>
#include <string.h>

static bool is_called(const cardo_draft_residue *r, const char *name)
{
    return r->component && strcmp(r->component->name.text, name) == 0;
}

/* The sulfur of a cysteine that is free to form a bridge, or NULL. */
static const cardo_draft_atom *free_sulfur(const cardo_draft_residue *r)
{
    if (!is_called(r, "CYS") || r->bridge >= 0 || cardo_draft_find(r, "HG") >= 0)
        return NULL;
    return cardo_draft_atom_called(r, "SG");
}

static cardo_status bridge(cardo_draft *draft, int one, int other, cardo_error *error)
{
    draft->residue[one].bridge = other;
    draft->residue[other].bridge = one;
    const cardo_draft_residue *a = &draft->residue[one], *b = &draft->residue[other];
    double distance = distance_of(cardo_draft_atom_called(a, "SG")->position,
                                  cardo_draft_atom_called(b, "SG")->position) /
                      CARDO_ANGSTROM;
    cardo_status status =
        cardo_draft_note(draft, CARDO_CHANGE_CHOSEN, one, NULL, error,
                         "disulfide with %s:CYS%d, %.2f A", b->chain.text, b->number, distance);
    if (status != CARDO_OK)
        return status;
    cardo_draft_measure(draft, "distance_A", distance);
    if (distance > 1.85 && distance < 2.25)
        return CARDO_OK;
    draft->topic = CARDO_TOPIC_REVIEW;
    status = cardo_draft_note(draft, CARDO_CHANGE_NOTED, one, NULL, error,
                              "its disulfide is %.2f A long instead of 2.04 A", distance);
    draft->topic = CARDO_TOPIC_DISULFIDES;
    return status;
}

static double sulfur_distance(const cardo_draft_residue *one, const cardo_draft_residue *other)
{
    const cardo_draft_atom *a = free_sulfur(one), *b = free_sulfur(other);
    return a && b ? distance_of(a->position, b->position) : 1e9;
}

static cardo_status bridge_recorded(cardo_draft *draft, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    for (int k = 0; k < s->nbridge; ++k) {
        int one = cardo_draft_of_source(draft, s->bridge[k].residue[0]);
        int other = cardo_draft_of_source(draft, s->bridge[k].residue[1]);
        if (one < 0 || other < 0 || one == other ||
            sulfur_distance(&draft->residue[one], &draft->residue[other]) >
                CARDO_LONGEST_RECORDED_DISULFIDE)
            continue;
        cardo_status status = bridge(draft, one, other, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* Each free sulfur takes the nearest earlier one that is still free. */
cardo_status cardo_prepare_bridges(cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int *free_cysteine = NULL, count = 0;
    CARDO_TRY(bridge_recorded(draft, error));
    CARDO_TRY(CARDO_ALLOCATE(&free_cysteine, draft->count, error));
    for (int r = 0; r < draft->count; ++r) {
        double nearest = CARDO_LONGEST_DISULFIDE;
        int partner = -1;
        if (!free_sulfur(&draft->residue[r]))
            continue;
        for (int k = 0; k < count; ++k) {
            double d = sulfur_distance(&draft->residue[free_cysteine[k]], &draft->residue[r]);
            if (d < nearest) {
                nearest = d;
                partner = free_cysteine[k];
            }
        }
        free_cysteine[count++] = r;
        if (partner >= 0)
            CARDO_TRY(bridge(draft, partner, r, error));
    }
done:
    cardo_free(free_cysteine);
    return status;
}

/* Names that force fields give to protonation states, the component, and the state in components.xml. */
static const struct {
    const char *name, *component, *state;
} named_states[] = {
    {"HID", "HIS", "HID"},  {"HSD", "HIS", "HID"},  {"HISD", "HIS", "HID"}, {"HISA", "HIS", "HID"},
    {"HIE", "HIS", "HIE"},  {"HSE", "HIS", "HIE"},  {"HISE", "HIS", "HIE"}, {"HISB", "HIS", "HIE"},
    {"HIP", "HIS", "HIP"},  {"HSP", "HIS", "HIP"},  {"HISH", "HIS", "HIP"}, {"HISP", "HIS", "HIP"},
    {"ASH", "ASP", "ASH"},  {"ASPP", "ASP", "ASH"}, {"ASPH", "ASP", "ASH"}, {"GLH", "GLU", "GLH"},
    {"GLUP", "GLU", "GLH"}, {"GLUH", "GLU", "GLH"}, {"LYN", "LYS", "LYN"},  {"LSN", "LYS", "LYN"},
    {"CYM", "CYS", "CYM"},
};

bool cardo_state_by_name(const char *name, const char **component, const char **state)
{
    for (size_t k = 0; k < sizeof named_states / sizeof *named_states; ++k)
        if (strcmp(name, named_states[k].name) == 0) {
            *component = named_states[k].component;
            *state = named_states[k].state;
            return true;
        }
    return false;
}

static const char *state_by_name(const cardo_draft *draft, const cardo_draft_residue *r)
{
    const cardo_name *names =
        draft->options->given_name ? draft->options->given_name : draft->structure->residue_name;
    const char *component, *state;
    return r->source >= 0 && cardo_state_by_name(names[r->source].text, &component, &state) ? state
                                                                                            : NULL;
}

static bool has(const cardo_draft_residue *r, const char *name)
{
    return cardo_draft_find(r, name) >= 0;
}

/* The state that hydrogens in the file tell, or NULL when they tell none. */
static const char *state_by_hydrogens(const cardo_draft_residue *r)
{
    if (is_called(r, "HIS")) {
        if (has(r, "HD1"))
            return has(r, "HE2") ? "HIP" : "HID";
        return has(r, "HE2") ? "HIE" : NULL;
    }
    if (is_called(r, "ASP"))
        return has(r, "HD2") ? "ASH" : has(r, "HA") ? "" : NULL;
    if (is_called(r, "GLU"))
        return has(r, "HE2") ? "GLH" : has(r, "HA") ? "" : NULL;
    if (is_called(r, "CYS"))
        return has(r, "HG") ? "CYS" : has(r, "HA") ? "CYM" : NULL;
    if (is_called(r, "LYS")) {
        int n = has(r, "HZ1") + has(r, "HZ2") + has(r, "HZ3");
        return n == 3 ? "LYS" : n == 2 ? "LYN" : NULL;
    }
    return NULL;
}

/* pH below which the residue has its last proton: a model pKa; 0: it has none. */
static double model_pka(const cardo_draft_residue *r)
{
    const double histidine = 6.5;
    if (is_called(r, "HIS"))
        return histidine;
    for (int k = 0; k < r->component->nhydrogen; ++k)
        if (r->component->hydrogen[k].below_ph > 0 && r->component->hydrogen[k].nvariant > 0)
            return r->component->hydrogen[k].below_ph;
    return 0;
}

/* The state below whose pKa we are, or "" above all. */
static const char *state_by_ph(const cardo_draft_residue *r, double ph, double pka)
{
    for (int k = 0; k < r->component->nhydrogen; ++k) {
        const cardo_component_hydrogen *h = &r->component->hydrogen[k];
        if (h->below_ph > 0 && h->nvariant > 0 && ph < pka)
            return h->variant[0].text;
    }
    return "";
}

/* What a state is called where components.xml gives it no name. */
static const char *name_of_state(const cardo_draft_residue *r, const char *state)
{
    static const char *const without[][2] = {{"LYS", "LYN"}, {"CYS", "CYM"}};
    for (int k = 0; k < 2 && !state[0]; ++k)
        if (is_called(r, without[k][0]))
            return without[k][1];
    return state[0] ? state : r->component->name.text;
}

static bool is_titratable(const cardo_draft_residue *r)
{
    for (int k = 0; r->component && k < r->component->nhydrogen; ++k)
        if (r->component->hydrogen[k].nvariant > 0)
            return true;
    return false;
}

/* The form at pH 7. */
static const char *usual_state(const cardo_draft_residue *r)
{
    return is_called(r, "LYS") ? "LYS" : is_called(r, "CYS") ? "CYS" : "";
}

/* AMBER's force fields know other forms in the middle of a chain only, but for histidine. */
static bool lacks_template(const cardo_draft_residue *r, const char *state)
{
    return (r->first || r->last) && !is_called(r, "HIS") && strcmp(state, usual_state(r)) != 0;
}

/* Has a link of the file taken hydrogens of the side chain? */
static bool is_linked(const cardo_draft *draft, const cardo_draft_residue *r)
{
    for (int i = 0; draft->partner && i < r->natom; ++i)
        if (strcmp(r->atom[i].name.text, "N") != 0 && strcmp(r->atom[i].name.text, "C") != 0 &&
            cardo_draft_partner(draft, &r->atom[i]))
            return true;
    return false;
}

/* What the user asks for comes before all else; what no force field can follow is an error. */
static cardo_status take_asked(cardo_draft *draft, int at, cardo_error *error)
{
    cardo_draft_residue *r = &draft->residue[at];
    const char *state = is_called(r, r->asked.text) ? usual_state(r) : r->asked.text;
    char label[64];
    snprintf(label, sizeof label, "%s:%s%d", r->chain.text, r->name.text, r->number);
    if (lacks_template(r, state))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "protonate: %s cannot be %s: it is a chain end, where force fields have "
                          "the usual form alone; a cap there makes it possible",
                          label, r->asked.text);
    if (is_linked(draft, r))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "protonate: %s cannot be %s: the file links its side chain to another "
                          "residue",
                          label, r->asked.text);
    name_set(&r->variant, state, (int)strlen(state));
    return cardo_draft_note(draft, CARDO_CHANGE_CHOSEN, at, NULL, error, "%s, as it was asked for",
                            r->asked.text);
}

/* "; hydrogen bonds -1.3 (most: A:SER31)": nothing where they are none. */
static void append_shift(char *text, size_t size, const char *what, double by,
                         const cardo_draft *draft, const cardo_sites *sites, int partner)
{
    char label[40];
    if (fabs(by) < 0.05 || partner < 0)
        return;
    cardo_draft_label(&draft->residue[sites->site[partner].residue], label);
    cardo_append(text, size, ", %s %+.1f (most: %s)", what, by, label);
}

/* The rules were fitted to shifts of few units. */
static cardo_status warn_of_far_shift(cardo_draft *draft, int at, const char *name,
                                      const cardo_site *site, cardo_error *error)
{
    const double far = 3;
    if (fabs(site->pka - site->model) < far)
        return CARDO_OK;
    draft->topic = CARDO_TOPIC_REVIEW;
    const cardo_status status =
        cardo_draft_note(draft, CARDO_CHANGE_NOTED, at, NULL, error,
                         "%s by a pKa of %.1f, %.1f away from that of the group alone: farther "
                         "than the rules for it "
                         "can be trusted; the setting protonate takes the state that you know",
                         name, site->pka, fabs(site->pka - site->model));
    draft->topic = CARDO_TOPIC_STATES;
    return status;
}

/* What the pKa in its place says, in full where it says what is not usual or is near the pH. */
static cardo_status note_shifted(cardo_draft *draft, int at, const cardo_sites *sites,
                                 const cardo_site *site, const char *state, cardo_error *error)
{
    const double near = 1, ph = draft->options->ph;
    const cardo_draft_residue *r = &draft->residue[at];
    const char *name = name_of_state(r, state);
    const bool usual =
        is_called(r, "HIS") ? strcmp(state, "HIP") != 0 : strcmp(state, usual_state(r)) == 0;
    const bool plain = usual && fabs(site->pka - ph) > near;
    char text[160] = "";
    if (is_called(r, "HIS") && usual) {
        if (plain)
            return CARDO_OK;
        name = "neutral";
    }
    cardo_append(text, sizeof text, "model %g, burial %+.1f (%d atoms within 15.5 A)", site->model,
                 site->burial, site->near);
    append_shift(text, sizeof text, "hydrogen bonds", site->bonds, draft, sites, site->partner[0]);
    append_shift(text, sizeof text, "charges", site->charges, draft, sites, site->partner[1]);
    const char *side = ph < site->pka ? "below" : "not below";
    const cardo_status status =
        plain ? cardo_draft_note(draft, CARDO_CHANGE_CHOSEN, at, NULL, error,
                                 "%s, pH %g is %s its pKa, and more than 1 away", name, ph, side)
              : cardo_draft_note(draft, CARDO_CHANGE_CHOSEN, at, NULL, error,
                                 "%s, pH %g is %s the pKa of %.1f: %s", name, ph, side, site->pka,
                                 text);
    if (status != CARDO_OK)
        return status;
    cardo_draft_measure(draft, "pKa", site->pka);
    draft->preparation->change[draft->preparation->nchange - 1].usual = plain;
    return usual ? CARDO_OK : warn_of_far_shift(draft, at, name, site, error);
}

static cardo_status choose_state(cardo_draft *draft, int at, const cardo_sites *sites,
                                 cardo_error *error)
{
    cardo_draft_residue *r = &draft->residue[at];
    if (r->asked.text[0])
        return take_asked(draft, at, error);
    const cardo_site *site = cardo_site_of(sites, at);
    const char *reason = NULL, *state = state_by_hydrogens(r);
    double pka = site ? site->pka : model_pka(r), ph = draft->options->ph;
    if (state)
        reason = "by the hydrogens in the file";
    else if ((state = state_by_name(draft, r)))
        reason = "by its name in the file";
    else if (is_called(r, "HIS") && (ph >= pka || (site && site->held)))
        return site && !site->held ? note_shifted(draft, at, sites, site, "", error) : CARDO_OK;
    else
        state = is_called(r, "HIS") ? "HIP" : state_by_ph(r, ph, pka);
    if (!reason && site && site->held) {
        reason = "the usual form, since a metal holds it";
        state = usual_state(r);
    }
    if (!reason && lacks_template(r, state)) {
        reason = "the usual form, since force fields have no template of another at a chain end";
        state = usual_state(r);
    }
    name_set(&r->variant, r->bridge >= 0 ? "CYX" : state,
             (int)strlen(r->bridge >= 0 ? "CYX" : state));
    if (r->bridge >= 0 || is_linked(draft, r))
        return CARDO_OK;
    if (site && !reason)
        return note_shifted(draft, at, sites, site, state, error);
    cardo_status status =
        reason ? cardo_draft_note(draft, CARDO_CHANGE_CHOSEN, at, NULL, error, "%s, %s",
                                  name_of_state(r, state), reason)
               : cardo_draft_note(draft, CARDO_CHANGE_CHOSEN, at, NULL, error,
                                  "%s, pH %g is %s the model pKa of %g", name_of_state(r, state),
                                  ph, ph < pka ? "below" : "not below", pka);
    if (status == CARDO_OK) {
        cardo_draft_measure(draft, site ? "pKa" : "model_pKa", pka);
        draft->preparation->change[draft->preparation->nchange - 1].usual = true;
    }
    return status;
}

static cardo_status keep_titration(cardo_draft *draft, const cardo_sites *sites, cardo_error *error)
{
    cardo_preparation *p = draft->preparation;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&p->titration, draft->count, error));
    for (int r = 0; r < draft->count; ++r) {
        const cardo_site *s = cardo_site_of(sites, r);
        if (!s)
            continue;
        cardo_titration *t = &p->titration[p->ntitration++];
        *t = (cardo_titration){.pka = s->pka,
                               .model = s->model,
                               .burial = s->burial,
                               .bonds = s->bonds,
                               .charges = s->charges,
                               .near = s->near,
                               .held = s->held};
        cardo_draft_label(&draft->residue[r], t->residue);
    }
done:
    return status;
}

cardo_status cardo_prepare_states(cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_sites sites = {0};
    if (draft->options->shifted_pka) {
        CARDO_TRY(cardo_sites_find(&sites, draft, error));
        CARDO_TRY(cardo_sites_shift(&sites, draft, error));
        CARDO_TRY(keep_titration(draft, &sites, error));
    }
    for (int r = 0; r < draft->count; ++r)
        if (is_titratable(&draft->residue[r]))
            CARDO_TRY(choose_state(draft, r, &sites, error));
done:
    cardo_sites_clear(&sites);
    return status;
}
