#include "study/reference/all_atoms.h"

#include "base/number.h"
#include "study/reference/reference.h"
#include "study/session/course.h"

#include <math.h>

enum { VERDICT_TEXT = 640 };

static void add_way(const cardo_reference_way *way, const cardo_quantity *energy,
                    const cardo_quantity *gradient, const cardo_quantity *fell, cardo_result *table)
{
    cardo_result_number(table, energy, way->energy);
    cardo_result_number(table, gradient, way->gradient);
    cardo_result_number(table, fell, way->fell);
}

static void add_terms(const cardo_reference *r, int k, cardo_result *table)
{
    char name[64];
    for (int t = 0; t < r->nterm; ++t) {
        const size_t at = (size_t)k * (size_t)r->nterm + (size_t)t;
        cardo_format(name, sizeof name, "strain_%s", r->term[t]);
        cardo_result_number(table,
                            &(cardo_quantity){name, .unit = "kJ/mol", .style = "10.1f",
                                              .heading = r->term[t], .stored = ".12g"},
                            r->model_term[at] - r->reference_term[at] -
                                (r->model_term[t] - r->reference_term[t]));
    }
}

static void add_places(const cardo_reference *r, cardo_result *into)
{
    static const cardo_quantity q = {"q", .style = "5.2f", .heading = "q"},
                                model = {"model_kJ_per_mol", "model",           "kJ/mol", "12.1f",
                                         .stored = ".12g",   .heading = "model"},
                                strain = {"strain_kJ_per_mol", "strain",           "kJ/mol", "9.1f",
                                          .stored = ".12g",    .heading = "strain"},
                                up = {"reference_up_kJ_per_mol",
                                      "all atoms, there",
                                      "kJ/mol",
                                      "12.1f",
                                      .stored = ".12g",
                                      .heading = "there"},
                                up_gradient = {"gradient_up", "largest gradient left, there",
                                               "kJ/mol/nm", "7.1f", .heading = "gradient"},
                                up_fell = {"fell_up_kJ_per_mol", "fell in the last quarter, there",
                                           "kJ/mol", "7.2f", .heading = "fell"},
                                down = {"reference_down_kJ_per_mol",
                                        "all atoms, back",
                                        "kJ/mol",
                                        "12.1f",
                                        .stored = ".12g",
                                        .heading = "back"},
                                down_gradient = {"gradient_down", "largest gradient left, back",
                                                 "kJ/mol/nm", "7.1f", .heading = "gradient"},
                                down_fell = {"fell_down_kJ_per_mol",
                                             "fell in the last quarter, back", "kJ/mol", "7.2f",
                                             .heading = "fell"};
    cardo_result *table = cardo_result_table(into, "places", "place");
    for (int k = 0; k < r->nplace; ++k) {
        const cardo_reference_place *p = &r->place[k];
        cardo_result_row(table);
        cardo_result_number(table, &q, p->q);
        cardo_result_number(table, &model, p->model);
        add_way(&p->way[CARDO_REFERENCE_UP], &up, &up_gradient, &up_fell, table);
        add_way(&p->way[CARDO_REFERENCE_DOWN], &down, &down_gradient, &down_fell, table);
        cardo_result_number(table, &strain, p->strain);
        add_terms(r, k, table);
    }
}

/* Still falling: more than what a thermal kT of one coordinate is. */
static const double falling = 2.5;

static void add_verdict(const cardo_reference *r, const cardo_course *course, cardo_result *into)
{
    char text[VERDICT_TEXT];
    const char *verdict = r->hysteresis > CARDO_REFERENCE_MOST ? "cannot tell"
                          : r->strain > CARDO_REFERENCE_MOST   ? "strained"
                                                               : "easy";
    int used;
    if (r->hysteresis > CARDO_REFERENCE_MOST)
        used = cardo_format(text, sizeof text,
                            "cannot tell: the way there and the way back of all atoms are up to "
                            "%.0f kJ/mol apart, more than the %d that strain is judged by (it "
                            "would be %.0f kJ/mol)",
                            r->hysteresis, CARDO_REFERENCE_MOST, r->strain);
    else
        used = cardo_format(text, sizeof text,
                            "strain %.0f kJ/mol, %s %d; all atoms there and back agree to %.0f "
                            "kJ/mol",
                            r->strain,
                            r->strain > CARDO_REFERENCE_MOST
                                ? "which says more of the model than of the protein: above"
                                : "not above",
                            CARDO_REFERENCE_MOST, r->hysteresis);
    if (r->fell > falling && used > 0 && used < VERDICT_TEXT)
        used += cardo_format(text + used, sizeof text - (size_t)used,
                             "; still falling by up to %.1f kJ/mol in the last quarter of a "
                             "place's iterations",
                             r->fell);
    if (course->hysteresis > CARDO_REFERENCE_MOST && used > 0 && used < VERDICT_TEXT)
        cardo_format(text + used, sizeof text - (size_t)used,
                     "; the model itself differs by up to %.0f kJ/mol there and back",
                     course->hysteresis);
    cardo_result_text(into, &(cardo_quantity){"verdict"}, verdict);
    cardo_result_text(into, &(cardo_quantity){"in_words"}, text);
}

static void add_all(const cardo_reference *r, const cardo_course *course, cardo_result *into)
{
    static const cardo_quantity strain = {"strain_kJ_per_mol", "strain", "kJ/mol", ".1f"},
                                hysteresis = {"hysteresis_kJ_per_mol", "hysteresis of all atoms",
                                              "kJ/mol", ".1f"},
                                fell = {"fell_kJ_per_mol", "fell in the last quarter", "kJ/mol",
                                        ".2f"},
                                of_model = {"model_hysteresis_kJ_per_mol",
                                            "hysteresis of the model", "kJ/mol", ".1f"},
                                force = {"model_force", "largest force left in the model",
                                         .style = ".3g"};
    cardo_result_text(into, &(cardo_quantity){"engine"}, r->engine);
    cardo_result_integer(into, &(cardo_quantity){"atoms"}, r->natom);
    cardo_result_integer(into, &(cardo_quantity){"domains_held"}, r->ndomain);
    cardo_result_integer(into, &(cardo_quantity){"sweeps"}, r->sweeps);
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, r->interrupted);
    cardo_result_integer(into, &(cardo_quantity){"model_freedoms"}, course->freedoms);
    cardo_result_number(into, &of_model, course->hysteresis);
    cardo_result_number(into, &force, course->force);
    if (r->interrupted)
        return;
    cardo_result_number(into, &strain, r->strain);
    cardo_result_number(into, &hysteresis, r->hysteresis);
    cardo_result_number(into, &fell, r->fell);
    add_places(r, into);
    add_verdict(r, course, into);
}

cardo_status cardo_all_atoms_fill(cardo_session *session, int places, int iterations, int sweeps,
                                  cardo_result *into, cardo_error *error)
{
    cardo_status status;
    cardo_course course = {0};
    cardo_reference reference = {0};
    cardo_reference_options options = cardo_reference_options_default();
    const cardo_course_options cooling = {.iterations = 300, .tolerance = 5};
    options.iterations = iterations;
    options.sweeps = sweeps;
    CARDO_TRY(cardo_session_cool_course(session, places, &cooling, &course, error));
    if (course.ended[0])
        CARDO_TRY(
            CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "the model's paths end %s", course.ended));
    if (course.interrupted)
        reference.interrupted = true;
    else
        CARDO_TRY(cardo_reference_sweep(session, places, course.q, course.coordinates, &options,
                                        &reference, error));
    if (reference.provider)
        add_all(&reference, &course, cardo_result_group(into, "all_atoms"));
    status = cardo_result_status(into, error);
done:
    cardo_reference_clear(&reference);
    cardo_course_clear(&course);
    return status;
}
