#include "base/number.h"
#include "study/domains/motion_trial.h"
#include "study/reference/reference.h"
#include "study/session/listener.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool cardo_motion_trial_is_whole(const cardo_motion_trial *trial)
{
    return trial->first == 0 && trial->last == CARDO_TRIAL_PLACES - 1;
}

static int count_good(const cardo_motion_trial *trial)
{
    return trial->last - trial->first + 1;
}

double cardo_motion_trial_loss(const cardo_motion_trial *trial)
{
    return fabs(trial->work) + trial->lost;
}

bool cardo_motion_trial_is_better(const cardo_motion_trial *trial, const cardo_motion_trial *than)
{
    const bool closed = cardo_motion_trial_is_closed(trial),
               known = cardo_motion_trial_has_strain(trial);
    if (count_good(trial) != count_good(than))
        return count_good(trial) > count_good(than);
    if (closed != cardo_motion_trial_is_closed(than))
        return closed;
    const double less = cardo_motion_trial_loss(than) - cardo_motion_trial_loss(trial);
    if (!closed && fabs(less) > CARDO_COURSE_CLOSED)
        return less > 0;
    if (known != cardo_motion_trial_has_strain(than))
        return known;
    return known ? trial->strain < than->strain : trial->rise < than->rise;
}

/* The place next to the good ones, beyond them where it can be, if a bound breaks there or the energy is high. */
static const cardo_trial_place *find_breaking(const cardo_motion_trial *trial, int *way)
{
    const bool any = trial->first <= trial->last;
    const int k = !any                                   ? 0
                  : trial->last < CARDO_TRIAL_PLACES - 1 ? trial->last + 1
                                                         : trial->first - 1;
    const cardo_trial_place *place = &trial->place[k];
    *way = place->nbroken[0] > 0 ? 0 : 1;
    return place->nbroken[*way] > 0 || cardo_motion_trial_is_high(trial, k) ? place : NULL;
}

char *cardo_motion_trial_verdict(const cardo_motion_trial *trial, char text[CARDO_TRIAL_TEXT])
{
    const char *both = trial->minimized ? ", there and back" : ", all else standing still";
    size_t used = 0;
    int way;
    if (trial->for_ends && !trial->ended[0]) {
        cardo_format(text, CARDO_TRIAL_TEXT, "for the ends of the way alone");
        return text;
    }
    if (trial->first > trial->last)
        cardo_format(text, CARDO_TRIAL_TEXT, "good nowhere");
    else if (trial->first == trial->last)
        cardo_format(text, CARDO_TRIAL_TEXT, "good at q = %g alone%s", trial->place[trial->first].q,
                     both);
    else
        cardo_format(text, CARDO_TRIAL_TEXT, "good from q = %g to %g%s",
                     trial->place[trial->first].q, trial->place[trial->last].q, both);
    used = strlen(text);
    if (cardo_motion_trial_has_strain(trial))
        used += (size_t)cardo_format(text + used, CARDO_TRIAL_TEXT - used,
                                     "; strain %.0f kJ/mol over all atoms", trial->strain);
    if (trial->work > CARDO_COURSE_CLOSED)
        used += (size_t)cardo_format(text + used, CARDO_TRIAL_TEXT - used,
                                     "; a cycle takes %.0f kJ/mol, as %s leap", trial->work,
                                     trial->leaping[0] ? trial->leaping : "torsions");
    else if (trial->unrested > 0)
        used += (size_t)cardo_format(text + used, CARDO_TRIAL_TEXT - used,
                                     "; what a cycle takes is not known, since minima were not "
                                     "reached");
    else if (!cardo_motion_trial_is_closed(trial))
        used += (size_t)cardo_format(text + used, CARDO_TRIAL_TEXT - used,
                                     "; what a cycle takes is not known: %.0f kJ/mol by the force "
                                     "at its stops, which lie too far apart for it",
                                     trial->work);
    if (trial->unrested > 0)
        used += (size_t)cardo_format(text + used, CARDO_TRIAL_TEXT - used,
                                     "%s at %d stops forces are left, up to %.0f kJ/mol per rad "
                                     "or nm, which more iterations would take",
                                     trial->work > CARDO_COURSE_CLOSED ? ";" : ":", trial->unrested,
                                     trial->force);
    if (cardo_motion_trial_is_whole(trial))
        return text;
    const cardo_trial_place *place = find_breaking(trial, &way);
    if (place && place->nbroken[way] == 0 && cardo_motion_trial_has_strain(trial)) {
        cardo_format(text + used, CARDO_TRIAL_TEXT - used,
                     ", more than the %d that a model may have, from q = %g on",
                     CARDO_REFERENCE_MOST, place->q);
        return text;
    }
    if (place && place->nbroken[way] == 0) {
        cardo_format(text + used, CARDO_TRIAL_TEXT - used,
                     "; at q = %g the energy is %.0f kJ/mol above its least, more than the %d that "
                     "heat may be thought to bring",
                     place->q, place->lower - trial->least, CARDO_TRIAL_HIGH);
        return text;
    }
    if (place)
        used += (size_t)cardo_format(text + used, CARDO_TRIAL_TEXT - used, "; at q = %g%s %s",
                                     place->q, way ? " on the way back" : "", place->worst[way]);
    if (place && place->nbroken[way] > 1 && used < CARDO_TRIAL_TEXT)
        cardo_format(text + used, CARDO_TRIAL_TEXT - used, ", and %d more",
                     place->nbroken[way] - 1);
    else if (!place && trial->ended[0] && used < CARDO_TRIAL_TEXT)
        cardo_format(text + used, CARDO_TRIAL_TEXT - used, "; it ends %.400s", trial->ended);
    return text;
}

void cardo_motion_trial_tell(const cardo_motion_trial *trial, const cardo_listener *listener)
{
    char text[CARDO_TRIAL_TEXT], led[32] = "", rise[48] = "", work[48] = "", lost[96] = "",
                                 unknown[112] = "";
    if (!trial->minimized || trial->interrupted)
        return;
    if (trial->nled > 0)
        snprintf(led, sizeof led, ", %d led", trial->nled);
    if (isfinite(trial->rise))
        cardo_format(rise, sizeof rise, "; rises by %.0f", trial->rise);
    if (isfinite(trial->work) && cardo_motion_trial_is_closed(trial))
        cardo_format(work, sizeof work, "; a cycle takes %+.1f kJ/mol", trial->work);
    if (cardo_motion_trial_has_lost(trial))
        cardo_format(lost, sizeof lost, "; its last end is %.0f above the wells that it began in",
                     trial->lost);
    if (trial->reference_hysteresis > CARDO_REFERENCE_MOST)
        cardo_format(unknown, sizeof unknown,
                     "; strain is not known, as all atoms differ by %.0f there and back",
                     trial->reference_hysteresis);
    cardo_tell(listener, CARDO_SAID_NOTE, "domains", "tried with %d coordinates%s: %s%s%s%s%s",
               trial->coordinates, led, cardo_motion_trial_verdict(trial, text), rise, work, lost,
               unknown);
}

static void fill_places(const cardo_motion_trial *trial, cardo_result *into)
{
    static const cardo_quantity q = {"q", .style = "5.2f"},
                                potential[2] = {{"there_kJ_per_mol", "energy there", "kJ/mol",
                                                 "9.1f"},
                                                {"back_kJ_per_mol", "energy back", "kJ/mol",
                                                 "9.1f"}},
                                broken[2] = {{"broken_there", .style = "4d"},
                                             {"broken_back", .style = "4d"}},
                                strain = {"strain_kJ_per_mol", "strain", "kJ/mol", "9.1f"},
                                worst = {"worst"};
    const double zero = trial->least;
    char name[64];
    cardo_result *table = cardo_result_table(into, "places", "place");
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k) {
        const cardo_trial_place *place = &trial->place[k];
        const int way = place->nbroken[0] > 0 ? 0 : 1;
        cardo_result_row(table);
        cardo_result_number(table, &q, place->q);
        for (int w = 0; w < 2; ++w) {
            if (place->reached[w] && trial->minimized)
                cardo_result_number(table, &potential[w], place->potential[w] - zero);
            if (place->reached[w])
                cardo_result_integer(table, &broken[w], place->nbroken[w]);
        }
        for (int j = 0; j < trial->nterm && isfinite(place->lower); ++j) {
            snprintf(name, sizeof name, "%s_kJ_per_mol", trial->term[j]);
            cardo_result_number(table,
                                &(cardo_quantity){name, trial->term[j], "kJ/mol", "9.1f",
                                                  .heading = trial->term[j]},
                                place->term[j] - trial->place[0].term[j]);
        }
        if (isfinite(place->strain) && cardo_motion_trial_has_strain(trial))
            cardo_result_number(table, &strain, place->strain);
        if (place->worst[way][0])
            cardo_result_text(table, &worst, place->worst[way]);
    }
}

void cardo_motion_trial_fill(const cardo_motion_trial *trial, cardo_result *into)
{
    static const cardo_quantity
        from = {"good_from_q", .style = "g"},
        to = {"good_to_q", .style = "g"},
        rise = {"rise_kJ_per_mol", "rise of the energy", "kJ/mol", ".0f"},
        hysteresis = {"hysteresis_kJ_per_mol", "hysteresis", "kJ/mol", ".0f"},
        strain = {"strain_kJ_per_mol", "strain over all atoms", "kJ/mol", ".0f"},
        reference = {"reference_hysteresis_kJ_per_mol", "all atoms, there and back", "kJ/mol",
                     ".0f"},
        work = {"cycle_work_kJ_per_mol", "work around the cycle", "kJ/mol", "+.1f"},
        left = {"left_kJ_per_mol", "energy, back at the start", "kJ/mol", "+.1f"},
        regained = {"regained_A", "any atom there, from where it was", "A", ".3f"},
        unrested = {"stops_not_at_rest", "places and half ways that are no minima"},
        force = {"force_left", "where a force is left, kJ/mol per rad or nm,", .style = ".0f"},
        led = {"led_torsions", "coordinates that go with the path"},
        vain = {"residues_held_in_vain", "residues that broke a bound when held by themselves"},
        evaluation = {"evaluation_ms", "an evaluation", "ms", ".1f"};
    char text[CARDO_TRIAL_TEXT];
    cardo_result *part = cardo_result_group(into, "trial");
    cardo_result_truth(part, &(cardo_quantity){"flexible"}, trial->minimized);
    cardo_result_truth(part, &(cardo_quantity){"whole"}, cardo_motion_trial_is_whole(trial));
    cardo_result_remark(part, "verdict", CARDO_RESULT_VERDICT,
                        cardo_motion_trial_verdict(trial, text), NULL);
    if (trial->first <= trial->last) {
        cardo_result_number(part, &from, trial->place[trial->first].q);
        cardo_result_number(part, &to, trial->place[trial->last].q);
    }
    if (trial->minimized) {
        cardo_result_number(part, &hysteresis, trial->hysteresis);
        if (isfinite(trial->work))
            cardo_result_number(part, &work, trial->work);
        if (trial->leaping[0])
            cardo_result_text(part, &(cardo_quantity){"leaping"}, trial->leaping);
        cardo_result_integer(part, &(cardo_quantity){"coordinates"}, trial->coordinates);
        cardo_result_integer(part, &(cardo_quantity){"torsions"}, trial->torsions);
        cardo_result_integer(part, &(cardo_quantity){"residues"}, trial->turning);
        if (trial->unrested > 0) {
            cardo_result_integer(part, &unrested, trial->unrested);
            cardo_result_number(part, &force, trial->force);
        }
        if (trial->nled > 0)
            cardo_result_integer(part, &led, trial->nled);
        if (trial->held_singly && trial->turning > 0)
            cardo_result_integer(part, &vain, trial->held_in_vain);
        if (isfinite(trial->rise))
            cardo_result_number(part, &rise, trial->rise);
        if (isfinite(trial->reference_hysteresis)) {
            cardo_result_number(part, &reference, trial->reference_hysteresis);
            cardo_result_truth(part, &(cardo_quantity){"strain_unknown"},
                               !cardo_motion_trial_has_strain(trial));
        }
        if (cardo_motion_trial_has_strain(trial))
            cardo_result_number(part, &strain, trial->strain);
        if (isfinite(trial->left))
            cardo_result_number(part, &left, trial->left);
        if (isfinite(trial->regained))
            cardo_result_number(part, &regained, 10 * trial->regained);
        if (trial->evaluations > 0)
            cardo_result_number(part, &evaluation,
                                1e3 * trial->seconds / (double)trial->evaluations);
    }
    if (trial->ended[0])
        cardo_result_text(part, &(cardo_quantity){"ended"}, trial->ended);
    fill_places(trial, part);
}
