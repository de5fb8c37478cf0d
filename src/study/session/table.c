#include "study/session/table.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "dynamics/tables/table_provider.h"
#include "multibody/manifold/description.h"
#include "multibody/tree/coordinate_names.h"

#include <stdio.h>
#include <string.h>

enum { MOST_AXES = CARDO_TABLE_MOST_AXES, CHECKS_OF_STORED = 16 };

/* Nodes are no farther apart than moves the fastest atom by so much (nm): a fifth of the width at half
 * its depth of a Lennard-Jones well (0.3 sigma), the narrowest thing that two atoms have for each other. */
static const double motion_between_nodes = 0.02;

static const char progress_about[] = "force table, evaluation";

typedef struct tabulation {
    cardo_session *session;
    cardo_force_table_plan plan;
    cardo_table_source *source;
    double start[MOST_AXES];
    const cardo_table_store *store;              /* NULL: it is not kept */
    char name[MOST_AXES][CARDO_COORDINATE_NAME]; /* of the coordinates   */
    char *identity;
    int nevaluation;
} tabulation;

static bool report_progress(void *user, int nevaluation, int expected)
{
    tabulation *t = user;
    const cardo_listener *listener = &t->session->listener;
    t->nevaluation = nevaluation;
    if (listener->progress)
        listener->progress(listener->user, progress_about, nevaluation, expected);
    return !listener->stop || !*listener->stop;
}

/* A message about the ranges begins with the model file's line, where that has them; else they are a setting's. */
static cardo_status blame(const tabulation *t, cardo_status status, cardo_error *error)
{
    const cardo_model *model = t->session->model;
    return status == CARDO_OK || model->forcefield.table_set
               ? status
               : cardo_error_prefix(error, "%s:%d: ", model->path, model->forcefield.line);
}

/* The ranges "FROM:TO, FROM:TO", one for each coordinate. */
static cardo_status read_ranges(tabulation *t, cardo_error *error)
{
    const cardo_model *model = t->session->model;
    const char *text = model->forcefield.table;
    const cardo_table_coordinates *coordinates = cardo_table_source_coordinates(t->source);
    int n = 0;
    for (; *(text += strspn(text, " ,")); ++n) {
        int whole = (int)strcspn(text, " ,"), from = (int)strcspn(text, ":, ");
        if (n < MOST_AXES && from < whole && text[from] == ':' &&
            cardo_parse_double(text, from, &t->plan.from[n]) &&
            cardo_parse_double(text + from + 1, whole - from - 1, &t->plan.to[n]) &&
            t->plan.from[n] < t->plan.to[n]) {
            text += whole;
            continue;
        }
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "forcefield.table=\"%s\" must be ranges FROM:TO with commas between, "
                          "such as -0.1:1.1",
                          model->forcefield.table);
    }
    t->plan.naxis = coordinates->count;
    for (int k = 0; k < coordinates->count; ++k)
        cardo_coordinate_name(t->session->system, coordinates->q[k], t->name[k]);
    if (n == coordinates->count)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "forcefield.table=\"%s\" has %d ranges, but the model %d coordinates "
                      "beside its base: %s%s%s%s%s",
                      model->forcefield.table, n, coordinates->count, t->name[0],
                      coordinates->count > 1 ? ", " : "", t->name[1],
                      coordinates->count > 2 ? ", " : "", t->name[2]);
}

/* A text of all that the table's numbers come from. */
static cardo_status identify(tabulation *t, const char *identity, cardo_error *error)
{
    const cardo_force_table_plan *plan = &t->plan;
    cardo_text_stream out;
    cardo_status status = cardo_text_stream_open(&out, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_write_model_description(out.stream, t->session->system,
                                           cardo_session_own_forces(t->session), error);
    fputs(identity, out.stream);
    for (int k = 0; k < plan->naxis; ++k)
        cardo_print(out.stream, "%.17g %.17g\n", plan->from[k], plan->to[k]);
    for (int k = 0; k < plan->naxis; ++k)
        cardo_print(out.stream, "%.17g\n", plan->spacing[k]);
    cardo_print(out.stream, "%.17g %.17g\n", plan->absolute, plan->relative);
    return cardo_text_stream_close(&out, status, &t->identity, error);
}

/* How near nodes must be, by how far atoms move between them, and the start, which is to be right. */
static cardo_status plan_nodes(tabulation *t, cardo_error *error)
{
    double rates[MOST_AXES];
    cardo_status status =
        cardo_table_source_rates(t->source, t->plan.from, t->plan.to, rates, error);
    for (int k = 0; k < t->plan.naxis && status == CARDO_OK; ++k)
        t->plan.spacing[k] = rates[k] > 0 ? motion_between_nodes / rates[k] : 0;
    cardo_table_source_start(t->source, t->start);
    t->plan.start = t->start;
    return status;
}

static cardo_status plan_table(tabulation *t, const char *identity, cardo_error *error)
{
    const cardo_model_forcefield *chosen = &t->session->model->forcefield;
    cardo_status status =
        cardo_table_source_create(t->session->system, t->session->state,
                                  cardo_session_own_forces(t->session), &t->source, error);
    if (status != CARDO_OK)
        return status;
    t->plan = (cardo_force_table_plan){
        .absolute = chosen->table_error,
        .relative = chosen->table_relative,
        .most_evaluations = chosen->table_evaluations,
        .function = cardo_table_source_evaluate,
        .user = t->source,
        .progress = report_progress,
        .progress_user = t,
    };
    status = blame(t, read_ranges(t, error), error);
    if (status == CARDO_OK)
        status = plan_nodes(t, error);
    if (status == CARDO_OK)
        status = identify(t, identity, error);
    return status;
}

/* The table that is kept, where it is the one that is wanted; else *out is NULL. */
static cardo_status find_table(const tabulation *t, bool continues, cardo_force_table **out,
                               cardo_error *error)
{
    cardo_error problem = {0};
    double worst = 0;
    bool fits = false;
    *out = NULL;
    if (!t->store)
        return CARDO_OK;
    cardo_status status = t->store->read(t->store->user, t->identity, &fits, out, &problem);
    if (status == CARDO_OK && !*out)
        return continues ? CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                      "%s: the force table of the run to be continued is missing",
                                      t->store->place)
                         : CARDO_OK;
    fits = fits && status == CARDO_OK && (*out)->naxis == t->plan.naxis;
    if (fits)
        status = cardo_force_table_check(*out, &t->plan, CHECKS_OF_STORED, &worst, &problem);
    if (fits && status == CARDO_OK && worst <= 1)
        return CARDO_OK;
    cardo_force_table_destroy(*out);
    *out = NULL;
    if (!continues)
        return CARDO_OK;
    if (status == CARDO_OK && fits)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: the force table errs by %.3g times what it states: forces are "
                          "computed otherwise than when it was made",
                          t->store->place, worst);
    if (status == CARDO_OK)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: the force table is of another model, force field, range or error",
                          t->store->place);
    if (error)
        *error = problem;
    return status;
}

static cardo_status make_table(tabulation *t, cardo_force_table **out, cardo_error *error)
{
    const char *names[MOST_AXES] = {t->name[0], t->name[1], t->name[2]};
    const cardo_model *model = t->session->model;
    const cardo_listener *listener = &t->session->listener;
    cardo_status status = cardo_force_table_create(&t->plan, out, error);
    if (listener->progress)
        listener->progress(listener->user, progress_about, t->nevaluation, t->nevaluation);
    if (status == CARDO_RECOVERABLE)
        cardo_error_prefix(error, "end its range before this clash; ");
    if (status == CARDO_ERROR_INPUT)
        blame(t, cardo_error_prefix(error, "forcefield.table=\"%s\": ", model->forcefield.table),
              error);
    return status == CARDO_OK && t->store
               ? t->store->write(t->store->user, t->identity, *out, names, error)
               : status;
}

static bool starts_outside(const tabulation *t)
{
    for (int k = 0; k < t->plan.naxis; ++k)
        if (!(t->start[k] >= t->plan.from[k] && t->start[k] <= t->plan.to[k]))
            return true;
    return false;
}

/* What became of it, as a note. */
static void announce(const tabulation *t, const cardo_force_table *table, bool made)
{
    enum { SIZE = 2048 };
    char text[SIZE];
    const bool outside = starts_outside(t);
    snprintf(text, SIZE, "force table: %d nodes over", cardo_force_table_nnode(table));
    for (int k = 0; k < table->naxis; ++k)
        cardo_append(text, SIZE, " %s %g to %g%s", t->name[k], t->plan.from[k], t->plan.to[k],
                     k + 1 < table->naxis ? " x" : "");
    if (made)
        cardo_append(text, SIZE, ", made by %d evaluations%s%s\n", table->nevaluation,
                     t->store ? " and kept in " : "", t->store ? t->store->name : "");
    else
        cardo_append(text, SIZE, ", read from %s (%d evaluations)\n", t->store->name,
                     table->nevaluation);
    cardo_append(text, SIZE,
                 "  its forces err by less than %g kJ/mol + %g |F|: at most %.2f of that at "
                 "%d points between nodes,%s %.2g kJ/mol per unit at",
                 table->absolute, table->relative, table->worst, table->ncheck,
                 outside ? "" : " the start among them,", table->largest);
    for (int k = 0; k < table->naxis; ++k)
        cardo_append(text, SIZE, "%s %.4g", k ? "," : "", table->place[k]);
    cardo_append(text, SIZE, "%s",
                 outside ? "\n  note: the start lies outside it, where forces are evaluated in full"
                         : "");
    cardo_tell(&t->session->listener, CARDO_SAID_NOTE, "forcefield.table", "%s", text);
}

cardo_status cardo_session_tabulate(cardo_session *session, const char *identity, bool continues,
                                    const cardo_table_store *store, cardo_error *error)
{
    cardo_status status;
    cardo_force_table *table = NULL;
    tabulation t = {.session = session, .store = store};
    if (!session->model->forcefield.table[0])
        return CARDO_OK;
    CARDO_TRY(plan_table(&t, identity ? identity : "", error));
    CARDO_TRY(find_table(&t, continues, &table, error));
    const bool made = !table;
    if (made)
        CARDO_TRY(make_table(&t, &table, error));
    announce(&t, table, made);
    status = cardo_table_provider_create(t.source, table, &session->table, error);
    t.source = NULL;
    table = NULL;
done:
    cardo_table_source_destroy(t.source);
    cardo_force_table_destroy(table);
    cardo_free(t.identity);
    return status;
}
