#include "study/domains/attempt_freezing.h"

#include "base/memory.h"
#include "study/domains/attempt_changes.h"
#include "study/domains/freezing.h"
#include "study/domains/giving.h"
#include "study/domains/held_steps.h"
#include "study/reference/reference.h"

#include <math.h>
#include <string.h>

/* kJ/mol that a way may rise by where residues are held, beyond what it rises by with all of them free: as much as a model may be strained by. All atoms rise
 * with a model whose domains are led to other poses, so that strain alone would not show it. */
static const double rise_held = CARDO_REFERENCE_MOST;
/* Of the strain up to which residues are held: from there on what could be held besides is not looked for. Geometries make up for a part of what was
 * expected. */
static const double enough_held = 0.75;
/* kJ/mol of what holding many is expected to strain a model by that the geometry then makes up for, at least. */
static const double made_up = 15;
/* Residues held together take a geometry, of as many minutes as holding some four of them by themselves. */
enum { FEW_TOGETHER = 4 };
/* Of bounds: from there on costs are no figures, as parabolas go on where torsions would turn over. */
static const double much = 10;
/* nm: at the last end a residue that is held where it is at the first takes atoms away from where the geometry has them. Those that are held together have a
 * geometry of their own: ribose-binding protein's trial began 0.05 nm from it, was torn, and took longer than the next geometry. */
static const double farthest_held = 0.1;

/* What may be held of a judged trial's residues; *freezing stays NULL where forces cannot be had about its places. */
static cardo_status open_freezing(const cardo_domain_attempt *t, cardo_motion_trial *trial,
                                  cardo_session **session, cardo_freezing **freezing,
                                  cardo_error *error)
{
    cardo_status status;
    cardo_error found = {0};
    double *coordinates = NULL;
    CARDO_TRY(cardo_attempt_gather(trial, CARDO_TRIAL_REFERENCE_EVERY, &coordinates, error));
    CARDO_TRY(cardo_motion_trial_open(t->path, true, t->listener, session, error));
    status = cardo_freezing_create(*session, CARDO_TRIAL_JUDGED, coordinates, freezing, &found);
    trial->interrupted = status == CARDO_ERROR_INTERRUPTED;
    if (trial->interrupted || cardo_is_of_the_place(status))
        status = CARDO_OK;
    else if (status != CARDO_OK && error)
        *error = found;
done:
    cardo_free(coordinates);
    return status;
}

/* What judged places come to, and how far apart they may be. */
typedef struct judged_levels {
    double strain[CARDO_TRIAL_JUDGED], energy[CARDO_TRIAL_JUDGED];
    cardo_frozen_level level[CARDO_FROZEN_LEVELS];
} judged_levels;

static void find_levels(const cardo_motion_trial *trial, double most_strain, double most_rise,
                        judged_levels *levels)
{
    for (int j = 0; j < CARDO_TRIAL_JUDGED; ++j) {
        levels->strain[j] = trial->place[j * CARDO_TRIAL_REFERENCE_EVERY].strain;
        levels->energy[j] = trial->place[j * CARDO_TRIAL_REFERENCE_EVERY].lower;
    }
    levels->level[0] = (cardo_frozen_level){levels->strain, most_strain};
    levels->level[1] = (cardo_frozen_level){levels->energy, most_rise};
}

/* kJ/mol that a model may be strained by with more residues held: what residues are held up to, or, where it came to more than that before, what any model may
 * have. */
static double most_strain_held(const cardo_domain_attempt *t, const cardo_motion_trial *trial)
{
    const double hold = t->model.options->how.hold;
    return trial->strain < hold ? hold : CARDO_REFERENCE_MOST;
}

static const cardo_structure *reference_of(const cardo_domain_attempt *t)
{
    return t->model.inputs->two->structure[0].structure;
}

/* What is held may close a domain's loop about what turned beside it. */
static void tidy(const cardo_domain_attempt *t, bool *giving)
{
    cardo_giving_tidy(reference_of(t), t->model.motions, giving);
}

/* Holds what need not turn, all at once, if that is no fewer than `fewest`; where that is too much half of it, which costs less than half. */
static cardo_status hold_what_need_not_turn(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                            const cardo_freezing *freezing, double most_rise,
                                            int fewest, cardo_motion_trial *next, bool *held,
                                            cardo_error *error)
{
    enum { MOST_TRIES = 2 };
    cardo_status status;
    bool *giving = NULL, *turning = NULL;
    judged_levels levels;
    int most = t->nresidue;
    cardo_attempt_change by = {.most_strain = CARDO_REFERENCE_MOST,
                               .most_rise = most_rise,
                               .leading = true,
                               .again = true};
    find_levels(trial, fmax(most_strain_held(t, trial), trial->strain + made_up), most_rise,
                &levels);
    CARDO_TRY(CARDO_ALLOCATE(&giving, t->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&turning, t->nresidue, error));
    for (int k = 0; k < MOST_TRIES && most >= fewest && !by.done && !trial->interrupted; ++k) {
        cardo_frozen frozen;
        memcpy(giving, t->giving, (size_t)t->nresidue * sizeof *giving);
        memcpy(turning, t->turning, (size_t)t->nresidue * sizeof *turning);
        CARDO_TRY(cardo_freezing_choose(freezing, CARDO_FROZEN_LEVELS, levels.level, most, giving,
                                        turning, &frozen, error));
        tidy(t, giving);
        by.giving = giving;
        by.turning = turning;
        by.at = frozen.coordinates;
        if (frozen.n >= fewest)
            status = cardo_attempt_try_change(t, trial, &by, next, error);
        cardo_free(frozen.coordinates);
        CARDO_TRY(status);
        most = frozen.n / 2;
    }
    *held = by.done;
done:
    cardo_free(giving);
    cardo_free(turning);
    return status;
}

/* *held: something is, and the model is good still. */
static cardo_status freeze_once(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                double most_rise, int fewest, bool *held, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    cardo_freezing *freezing = NULL;
    cardo_motion_trial *next = NULL;
    *held = false;
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    CARDO_TRY(open_freezing(t, trial, &session, &freezing, error));
    if (freezing)
        status = hold_what_need_not_turn(t, trial, freezing, most_rise, fewest, next, held, error);
done:
    cardo_freezing_destroy(freezing);
    cardo_session_close(session);
    cardo_free(next);
    return status;
}

/* Tries the model without what is held. What cannot be a model is none to go on with; the one before is. */
static cardo_status try_held(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                             cardo_motion_trial *next, bool *begun, cardo_error *error)
{
    cardo_error found = {0};
    const double farthest = t->farthest;
    t->farthest = farthest_held;
    t->against = trial;
    const cardo_status status =
        cardo_attempt_run_if_it_stands(t, false, true, NULL, next, begun, &found);
    t->farthest = farthest;
    t->against = NULL;
    if (status == CARDO_ERROR_INPUT) {
        cardo_tell(t->listener, CARDO_SAID_NOTE, "domains", "which cannot be: %s", found.message);
        return CARDO_OK;
    }
    if (status == CARDO_OK && !*begun)
        cardo_tell(t->listener, CARDO_SAID_NOTE, "domains",
                   "which cannot be: its strand does not close so at both ends");
    if (status != CARDO_OK && error)
        *error = found;
    return status;
}

static bool turns(const cardo_domain_attempt *t, int residue)
{
    return t->giving[residue] || t->turning[residue];
}

static void label_residue(const cardo_domain_attempt *t, int residue, char label[40])
{
    cardo_residue_label(reference_of(t), residue, label);
}

/* With what cannot turn without it. */
static void hold(cardo_domain_attempt *t, int residue)
{
    t->giving[residue] = t->turning[residue] = false;
    tidy(t, t->giving);
    for (int r = 0; r < reference_of(t)->nresidue; ++r) {
        char label[40];
        label_residue(t, r, label);
        if (!turns(t, r))
            cardo_led_torsions_drop(&t->led, label);
    }
}

/* Holds residues where the geometry has them, as long as by what all atoms came to before nothing speaks against it: next is the trial of before then. */
static cardo_status hold_some(cardo_domain_attempt *t, cardo_motion_trial *trial,
                              const cardo_held_group *group, double most_rise,
                              cardo_motion_trial *next, bool *held, cardo_error *error)
{
    cardo_status status;
    const cardo_attempt_change by = {.most_strain = most_strain_held(t, trial),
                                     .most_rise = most_rise};
    cardo_attempt_choice before;
    bool begun;
    CARDO_TRY(cardo_attempt_choice_keep(t, &before, error));
    for (int k = 0; k < group->n; ++k)
        hold(t, group->residue[k]);
    CARDO_TRY(cardo_attempt_write_model(t, NULL, NULL, error));
    CARDO_TRY(try_held(t, trial, next, &begun, error));
    trial->interrupted = next->interrupted;
    *held = begun && cardo_change_is_worth_judging(&by, next, trial);
    if (*held) {
        cardo_motion_trial_assume(next, trial);
        *held = cardo_change_helps(&by, next, trial);
        if (!*held)
            cardo_tell(t->listener, CARDO_SAID_NOTE, "domains",
                       "which is strained by %.0f kJ/mol then, by what all atoms came to before",
                       next->strain);
    }
    if (*held) {
        cardo_motion_trials_swap(trial, next);
    } else {
        cardo_attempt_choice_restore(t, &before);
        status = cardo_attempt_write_model(t, NULL, NULL, error);
    }
done:
    cardo_attempt_choice_clear(&before);
    return status;
}

/* What it is expected to come to where each residue is held as it is; not *known where forces cannot be had. */
static cardo_status weigh(const cardo_domain_attempt *t, cardo_motion_trial *trial,
                          double most_rise, double *share, bool *known, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    cardo_freezing *freezing = NULL;
    judged_levels levels;
    for (int r = 0; r < t->nresidue; ++r)
        share[r] = HUGE_VAL;
    CARDO_TRY(open_freezing(t, trial, &session, &freezing, error));
    find_levels(trial, CARDO_REFERENCE_MOST, most_rise, &levels);
    *known = freezing != NULL;
    if (freezing)
        status = cardo_freezing_weigh(freezing, CARDO_FROZEN_LEVELS, levels.level, t->giving,
                                      t->turning, share, error);
done:
    cardo_freezing_destroy(freezing);
    cardo_session_close(session);
    return status;
}

static void tell_held(const cardo_domain_attempt *t, const cardo_held_group *group,
                      const double *share)
{
    char label[40];
    const double costs = share[group->residue[0]];
    label_residue(t, group->residue[0], label);
    if (group->n > 1)
        cardo_tell(t->listener, CARDO_SAID_NOTE, "domains",
                   "%s and %d more are held where they stand", label, group->n - 1);
    else if (costs > much)
        cardo_tell(t->listener, CARDO_SAID_NOTE, "domains", "%s is held where it stands%s", label,
                   isfinite(costs) ? ", which is expected to cost many bounds"
                                   : "; the stiffness says nothing of it");
    else
        cardo_tell(t->listener, CARDO_SAID_NOTE, "domains",
                   "%s is held where it stands, which is expected to cost %.1f of a bound", label,
                   costs);
}

static bool may_be_held(const cardo_domain_attempt *t, const cardo_motion_trial *trial,
                        double most_strain)
{
    return cardo_motion_trial_is_through(trial) && t->settled &&
           cardo_motion_trial_has_strain(trial) && cardo_motion_trial_is_whole(trial) &&
           cardo_motion_trial_is_closed(trial) && trial->strain < most_strain;
}

/* What became of those that turn still. */
static void count_turning(const cardo_domain_attempt *t, const bool *tried,
                          cardo_motion_trial *trial)
{
    trial->held_singly = true;
    trial->held_in_vain = 0;
    for (int r = 0; r < t->nresidue; ++r)
        trial->held_in_vain += turns(t, r) && tried[r];
}

/* The largest share of a bound that a trial comes to, as weigh has it. */
static double share_of(const cardo_motion_trial *trial, double most_rise)
{
    return fmax(trial->strain / CARDO_REFERENCE_MOST, trial->rise / most_rise);
}

/* One residue after the other, or a few at once, the cheapest first, by what was expected of them when none was left that was weighed before. *all: each that may be held was tried. */
static cardo_status hold_one_by_one(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                    cardo_held_steps *steps, bool *tried, double most_rise,
                                    bool *all, cardo_error *error)
{
    cardo_status status;
    cardo_motion_trial *next = NULL;
    cardo_attempt_choice choice = {0};
    double *share = NULL;
    bool *turning = NULL, held, weighed = false, changed = true;
    int together = 1, held_in_turn = 0;
    cardo_held_group group = {.n = 1};
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&share, t->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&turning, t->nresidue, error));
    for (int r = 0; r < t->nresidue; ++r)
        share[r] = HUGE_VAL;
    while (group.n > 0 && may_be_held(t, trial, CARDO_REFERENCE_MOST)) {
        const double now = share_of(trial, most_rise);
        for (int r = 0; r < t->nresidue; ++r)
            turning[r] = turns(t, r);
        cardo_held_group_take(t->nresidue, share, weighed && !changed ? turning : NULL, now,
                              together, tried, &group);
        if (group.n == 0 && changed) {
            CARDO_TRY(weigh(t, trial, most_rise, share, &weighed, error));
            changed = false;
            cardo_held_group_take(t->nresidue, share, weighed ? turning : NULL, now, together,
                                  tried, &group);
        }
        if (group.n == 0)
            break;
        tell_held(t, &group, share);
        CARDO_TRY(cardo_attempt_choice_keep(t, &choice, error));
        CARDO_TRY(hold_some(t, trial, &group, most_rise, next, &held, error));
        changed = changed || held;
        together = cardo_held_group_next(&group, held, &held_in_turn);
        if (held)
            CARDO_TRY(cardo_held_steps_add(steps, t, group.n == 1 ? group.residue[0] : -1, next,
                                           &choice, error));
        for (int k = 0; !held && group.n > 1 && k < group.n; ++k)
            tried[group.residue[k]] = false;
        cardo_attempt_choice_clear(&choice);
        cardo_motion_trial_clear(next);
    }
    *all = group.n == 0 && weighed && !trial->interrupted;
done:
    cardo_attempt_choice_clear(&choice);
    cardo_motion_trial_destroy(next);
    cardo_free(share);
    cardo_free(turning);
    return status;
}

/* To the model after so many steps: those that were held since then turn again, and are not tried. */
static cardo_status go_back(cardo_domain_attempt *t, cardo_motion_trial *trial,
                            cardo_held_steps *steps, int held, bool *tried, cardo_error *error)
{
    cardo_status status;
    bool *turned = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&turned, t->nresidue, error));
    for (int r = 0; r < t->nresidue; ++r)
        turned[r] = turns(t, r);
    CARDO_TRY(cardo_held_steps_go_back(steps, held, t, trial, error));
    for (int r = 0; r < t->nresidue; ++r)
        tried[r] = tried[r] && (turned[r] || !turns(t, r));
done:
    cardo_free(turned);
    return status;
}

/* Asks all atoms once more, who have judged another model. Where that speaks against it as many steps stay as by what they came to now may be, if all atoms
 * agree; *again: others than the next one are to be tried once more. Else all of them turn again. */
static cardo_status judge_singly(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                 cardo_held_steps *steps, bool *tried, double most_rise,
                                 bool *again, cardo_error *error)
{
    cardo_status status;
    const cardo_attempt_change by = {.most_strain = CARDO_REFERENCE_MOST, .most_rise = most_rise};
    *again = false;
    CARDO_TRY(cardo_attempt_judge(t, trial, error));
    if (trial->interrupted || cardo_change_helps(&by, trial, steps->step[0].trial))
        goto done;
    const int held = cardo_held_steps_standing(steps, trial, &by);
    const int alone = steps->step[held].residue;
    *again = held + 1 < steps->n || alone < 0;
    CARDO_TRY(go_back(t, trial, steps, held, tried, error));
    if (alone >= 0)
        tried[alone] = true;
    if (held == 0)
        goto done;
    CARDO_TRY(cardo_attempt_judge(t, trial, error));
    if (trial->interrupted || cardo_change_helps(&by, trial, steps->step[0].trial))
        goto done;
    *again = false;
    status = go_back(t, trial, steps, 0, tried, error);
done:
    return status;
}

/* Once what can be held together is held: is there one that can be held by itself, with all else as it is? */
static cardo_status freeze_singly(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                  double most_rise, cardo_error *error)
{
    enum { MOST_ROUNDS = 3 };
    cardo_status status;
    bool *tried = NULL, all = false, again = true;
    CARDO_TRY(CARDO_ALLOCATE(&tried, t->nresidue, error));
    for (int round = 0; round < MOST_ROUNDS && again && !trial->interrupted; ++round) {
        cardo_held_steps steps = {0};
        again = false;
        status = hold_one_by_one(t, trial, &steps, tried, most_rise, &all, error);
        if (status == CARDO_OK && steps.n > 0 && !trial->interrupted)
            status = judge_singly(t, trial, &steps, tried, most_rise, &again, error);
        cardo_held_steps_clear(&steps);
        CARDO_TRY(status);
    }
    if (all && !again && !trial->interrupted)
        count_turning(t, tried, trial);
done:
    cardo_free(tried);
    return status;
}

cardo_status cardo_attempt_freeze(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                  cardo_error *error)
{
    enum { MOST_ROUNDS = 3 };
    const double hold = t->model.options->how.hold, most_rise = trial->rise + rise_held;
    cardo_status status = CARDO_OK;
    bool held = true;
    for (int round = 0;
         round < MOST_ROUNDS && held && hold > 0 && status == CARDO_OK &&
         may_be_held(t, trial, round == 0 ? CARDO_REFERENCE_MOST : enough_held * hold);
         ++round)
        status = freeze_once(t, trial, most_rise, round == 0 ? 1 : FEW_TOGETHER, &held, error);
    if (status == CARDO_OK && hold > 0)
        status = freeze_singly(t, trial, most_rise, error);
    return status;
}
