#include "cli/verbs.h"

#include "cli/frame/opening.h"
#include "cli/frame/settings.h"

#include <stddef.h>

// clang-format off
const cardo_verb *const cardo_verbs[] = {
    &cardo_verb_fetch,
    &cardo_verb_prepare,
    &cardo_verb_check,
    &cardo_verb_domains,
    &cardo_verb_info,
    &cardo_verb_energy,
    &cardo_verb_minimize,
    &cardo_verb_simulate,
    &cardo_verb_drive,
    &cardo_verb_modes,
    &cardo_verb_sample,
    &cardo_verb_conformations,
    &cardo_verb_fit,
    &cardo_verb_saxs,
    &cardo_verb_distances,
    &cardo_verb_handoff,
    &cardo_verb_study,
    &cardo_verb_report,
    &cardo_verb_list,
    &cardo_verb_help,
    &cardo_verb_version,
    NULL,
};
// clang-format on

cardo_status cardo_verb_run(const cardo_verb *verb, int count, char **words, cardo_error *error)
{
    cardo_command command;
    cardo_ear ear = {0};
    cardo_status status = cardo_command_parse(verb, count, words, &command, error);
    command.verbs = cardo_verbs;
    command.ear = &ear;
    if (status != CARDO_OK)
        return status;
    status = verb->run(&command, error);
    if (status != CARDO_OK && error)
        cardo_command_blame(&command, error);
    return status;
}
