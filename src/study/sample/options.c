/* The options of <sample>: which study it is. */
#include "study/sample/options.h"

#include "base/number.h"
#include "study/session/study_options.h"

#include <stddef.h>
#include <string.h>

static const char *const u_kn_choices[] = {"auto", "yes", "no", NULL};

#define OPTION(member) offsetof(cardo_profile_options, member)
const cardo_field cardo_profile_fields[] = {
    {"states", CARDO_FIELD_STRING, OPTION(states), "", "", 0, 0, NULL,
     "ranges of the variable whose free energies are compared, as \"-0.1:0.4 0.6:1.1\"",
     CARDO_MAY_CHANGE},
    {"bins", CARDO_FIELD_INT, OPTION(bins), "", "50", 2, 10000, NULL,
     "of the profile, over the range", CARDO_MAY_CHANGE},
    {"bootstrap", CARDO_FIELD_INT, OPTION(bootstrap), "", "50", 0, 10000, NULL,
     "replicates for the second kind of error bars; 0: none", CARDO_MAY_CHANGE},
    {"parts", CARDO_FIELD_INT, OPTION(parts), "", "10", 2, 1000, NULL,
     "of the run, for forward and backward convergence of the first two states", CARDO_MAY_CHANGE},
    {"target", CARDO_FIELD_DOUBLE, OPTION(target), "kT", "0.2", 0, 1e6, NULL,
     "standard error that is hoped for: the verdict compares with it; 0: with none",
     CARDO_MAY_CHANGE},
    {"checkpoint", CARDO_FIELD_DOUBLE, OPTION(checkpoint), "s", "30", 0, 1e9, NULL,
     "wall-clock time between checkpoints", CARDO_MAY_CHANGE},
    {"u-kn", CARDO_FIELD_CHOICE, OPTION(u_kn), "", "auto", 0, 0, u_kn_choices,
     "write the reduced energies of all samples in all windows (auto: below 100 MB)",
     CARDO_MAY_CHANGE},
    {0},
};
#undef OPTION

#define OPTION(member) offsetof(cardo_mixed_study, member)
const cardo_field cardo_mixed_study_fields[] = {
    {"cycles", CARDO_FIELD_LONG, OPTION(cycles), "", "10000", 1, 9e15, NULL,
     "cycles of hinge moves and atom moves, after burn-in", CARDO_MAY_CHANGE},
    {"interval", CARDO_FIELD_LONG, OPTION(interval), "", "1", 1, 9e15, NULL,
     "cycles between rows of COLVAR"},
    {"trajectory-interval", CARDO_FIELD_LONG, OPTION(trajectory_interval), "", "100", 1, 9e15, NULL,
     "cycles between frames of the trajectory"},
    {"checkpoint-interval", CARDO_FIELD_LONG, OPTION(checkpoint_interval), "", "1000", 1, 9e15,
     NULL, "cycles between checkpoints", CARDO_MAY_CHANGE},
    {"bins", CARDO_FIELD_INT, OPTION(bins), "", "36", 2, 100000, NULL, "bins of the free energy",
     CARDO_MAY_CHANGE},
    {"target", CARDO_FIELD_DOUBLE, OPTION(target), "kT", "0.2", 0, 1e6, NULL,
     "standard error that is hoped for: the verdict compares with it", CARDO_MAY_CHANGE},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};
#undef OPTION

static int mixed_tables(cardo_sample_options *o, cardo_option_target target[CARDO_SAMPLE_TABLES])
{
    target[0] = (cardo_option_target){cardo_mixed_study_fields, &o->mixed};
    target[1] = (cardo_option_target){cardo_mixed_fields, &o->mixed.moves};
    target[2] = (cardo_option_target){cardo_variable_fields, &o->variable};
    return 3;
}

int cardo_sample_tables(cardo_sample_options *o, cardo_option_target target[CARDO_SAMPLE_TABLES])
{
    int n = 0;
    if (!o->method)
        return mixed_tables(o, target);
    target[n++] = (cardo_option_target){cardo_profile_fields, &o->profile};
    target[n++] = (cardo_option_target){cardo_variable_fields, &o->variable};
    target[n++] = (cardo_option_target){cardo_sampling_fields, &o->sampling};
    target[n++] =
        (cardo_option_target){cardo_sampling_method_fields(o->method), o->method_options.bytes};
    target[n++] = (cardo_option_target){cardo_simulation_fields, &o->simulation};
    target[n++] = (cardo_option_target){cardo_masses_fields, &o->masses};
    target[n++] = (cardo_option_target){o->integrator->fields, o->integrator_options.bytes};
    return n;
}

/* "from:to from:to ..." */
static cardo_status read_states(const char *all, cardo_estimate_request *request,
                                cardo_error *error)
{
    const char *text = all;
    while (*(text += strspn(text, " ,"))) {
        const int length = (int)strcspn(text, " ,");
        const char *colon = memchr(text, ':', (size_t)length);
        double *basin = &request->basin[2 * request->nbasin];
        if (request->nbasin == CARDO_MOST_BASINS || !colon ||
            !cardo_parse_double(text, (int)(colon - text), &basin[0]) ||
            !cardo_parse_double(colon + 1, length - (int)(colon - text) - 1, &basin[1]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "states=\"%s\": '%.*s' is not FROM:TO, or one of more than %d", all,
                              length, text, CARDO_MOST_BASINS);
        ++request->nbasin;
        text += length;
    }
    return CARDO_OK;
}

cardo_status cardo_sample_request(const cardo_sample_options *options, const cardo_model *model,
                                  bool goes_on, cardo_estimate_request *request, cardo_error *error)
{
    const cardo_profile_options *profile = &options->profile;
    *request = (cardo_estimate_request){
        .nbin = profile->bins, .nreplicate = profile->bootstrap, .npart = profile->parts};
    if (options->simulation.steps == 0 && !options->method->stands && !goes_on) {
        CARDO_FAIL(error, CARDO_ERROR_INPUT,
                   "steps=\"0\" samples nothing: set how many steps each walker makes");
        return cardo_study_blame(model, "sample", "steps", error);
    }
    if (read_states(profile->states, request, error) == CARDO_OK)
        return CARDO_OK;
    return cardo_study_blame(model, "sample", "states", error);
}
