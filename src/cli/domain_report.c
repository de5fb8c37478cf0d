#include "cli/domain_report.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "io/results/json.h"
#include "structure/atoms/selection.h"

#include <stdio.h>
#include <string.h>

static const double angstroms = 1 / CARDO_ANGSTROM; /* in a nm */

static const cardo_structure *reference_of(const cardo_domain_report *report)
{
    return report->inputs->two->structure[0].structure;
}

/* Residues of a domain without those that bend (p >= 0), or of a strand (p < 0: number -p - 1). */
static cardo_status residues_of(const cardo_domain_report *report, int p, char **text,
                                cardo_error *error)
{
    const cardo_structure *reference = reference_of(report);
    const cardo_domain_motions *m = report->motions;
    bool *mask;
    cardo_status status = CARDO_ALLOCATE(&mask, reference->nresidue, error);
    if (status != CARDO_OK)
        return status;
    if (p >= 0)
        cardo_domain_mask(m, reference->nresidue, p, mask);
    else
        for (int r = m->strand[-p - 1].first; r <= m->strand[-p - 1].last; ++r)
            mask[r] = true;
    status = cardo_selection_text(reference, mask, text, error);
    cardo_free(mask);
    return status;
}

/* Have two chains of the reference the same residue names, one by one? */
static bool is_copy(const cardo_structure *s, int first, int other, int length)
{
    for (int k = 0; k < length; ++k)
        if (strcmp(s->residue_name[first + k].text, s->residue_name[other + k].text) != 0)
            return false;
    return true;
}

/* Copies of one chain in a crystal need be no complex; then how they stand says nothing. */
static void print_copies(const cardo_domain_report *report)
{
    enum { LEAST = 20 };
    const cardo_structure *s = reference_of(report);
    int start[2] = {0, 0}, length[2] = {0, 0};
    for (int r = 0; r < s->nresidue; ++r) {
        int side = s->residue_chain[r] != s->residue_chain[0];
        if (side && length[1] > 0 && s->residue_chain[r] != s->residue_chain[start[1]])
            break;
        if (length[side]++ == 0)
            start[side] = r;
    }
    int least = length[0] < length[1] ? length[0] : length[1];
    if (least >= LEAST && 10 * least >= 9 * (length[0] + length[1] - least) &&
        is_copy(s, start[0], start[1], least))
        printf("  chains are copies of each other: unless they are one complex, compare one of "
               "them, as FILE#%s\n",
               s->chain_id[s->residue_chain[0]].text);
}

static void print_structures(const cardo_domain_report *report)
{
    const cardo_model *two = report->inputs->two;
    const cardo_domain_prediction *prediction = report->prediction;
    bool left_out = false;
    printf("Structures\n");
    for (int k = 0; k < two->nstructure; ++k) {
        const cardo_model_structure *s = &two->structure[k];
        printf("  %-8s %s: %d residues", k ? "end" : "start",
               report->inputs->definition[report->inputs->pair[k]].id, s->structure->nresidue);
        if (k)
            cardo_print(stdout, ", %d matched, %.0f %% of them alike", report->motions->nmatched,
                        100 * s->identity);
        printf("\n");
        if (report->left_out[k][0])
            printf("           left out: %s\n", report->left_out[k]);
        left_out |= report->left_out[k][0] != '\0';
    }
    if (left_out)
        printf("  a model keeps ligands by hetero=\"ligands\" at its <structure> (with waters: "
               "\"keep\") and by a "
               "force field that has them\n");
    if (report->note[0])
        printf("  NOTE     %s\n", report->note);
    print_copies(report);
    if (report->inputs->n > 2)
        printf("  of %d structures, these two differ most\n", report->inputs->n);
    if (report->inputs->stride > 1)
        printf("  1 frame in %lld was looked at, of %lld (--stride 1: all)\n",
               report->inputs->stride, report->inputs->nframe);
    if (prediction)
        printf(
            "  PREDICTION from one structure: what its elastic network's mode %d would move (its "
            "%s).\n  Domains and axes are guesses; angles are not known.\n",
            prediction->mode, prediction->mode == 1 ? "softest" : "first with domains");
}

static cardo_status print_domains(const cardo_domain_report *report, cardo_error *error)
{
    const cardo_domain_motions *m = report->motions;
    char name[32], parent[32];
    printf("\nDomains\n");
    for (int p = 0; p < m->ndomain; ++p) {
        char *text = NULL;
        cardo_status status = residues_of(report, p, &text, error);
        if (status != CARDO_OK)
            return status;
        printf("  %-8s %s\n", cardo_domain_name(p, name), text);
        if (report->prediction)
            printf("  %-8s ", "");
        else
            cardo_print(
                stdout,
                "  %-8s %d residues in both structures with the bending ones; deforms by %.2f A; ",
                "", m->matched[p], angstroms * m->rmsd[p]);
        printf("%s%s\n", m->parent[p] < 0 ? "the root" : "on ",
               m->parent[p] < 0 ? "" : cardo_domain_name(m->parent[p], parent));
        cardo_free(text);
    }
    return CARDO_OK;
}

static void print_axis(const cardo_domain_report *report, const cardo_domain_hinge *hinge)
{
    const cardo_path_fit *fit = hinge->fit;
    double turns = fit->angle / (2 * CARDO_PI);
    if (!report->prediction)
        cardo_print(
            stdout,
            "  rotation     %.2f degrees; translation %+.2f A along the axis (pitch %+.1f A a "
            "turn)\n",
            fit->angle / CARDO_DEGREE, angstroms * fit->translation,
            turns > 0 ? angstroms * fit->translation / turns : 0);
    cardo_print(stdout, "  axis         (%.4f, %.4f, %.4f) through (%.2f, %.2f, %.2f) A\n",
                fit->axis.x, fit->axis.y, fit->axis.z, angstroms * fit->point.x,
                angstroms * fit->point.y, angstroms * fit->point.z);
    cardo_print(stdout, "  character    %.1f %% closure, %.1f %% twist\n", fit->percent_closure,
                100 - fit->percent_closure);
}

static bool is_of(const cardo_hinge_strand *s, const cardo_domain_hinge *hinge)
{
    return (s->before == hinge->parent && s->behind == hinge->child) ||
           (s->before == hinge->child && s->behind == hinge->parent);
}

static cardo_status print_strands(const cardo_domain_report *report,
                                  const cardo_domain_hinge *hinge, cardo_error *error)
{
    const cardo_domain_motions *m = report->motions;
    bool first = true;
    for (int k = 0; k < m->nstrand; ++k) {
        char *text = NULL;
        if (!is_of(&m->strand[k], hinge))
            continue;
        cardo_status status = residues_of(report, -k - 1, &text, error);
        if (status != CARDO_OK)
            return status;
        cardo_print(stdout, "%s%s (%.1f A from the axis)", first ? "  strands      " : ", ", text,
                    angstroms * m->strand[k].axis_distance);
        first = false;
        cardo_free(text);
    }
    printf(first ? "  strands      none: the two touch, or are next to each other\n" : "\n");
    return CARDO_OK;
}

static cardo_status print_hinges(const cardo_domain_report *report, cardo_error *error)
{
    const cardo_domain_motions *m = report->motions;
    char child[32], parent[32];
    for (int k = 0; k < m->nhinge; ++k) {
        const cardo_domain_hinge *hinge = &m->hinge[k];
        printf("\n%s of %s on %s\n",
               !hinge->tether       ? "Hinge"
               : hinge->nstrand > 0 ? "Flexible tether"
                                    : "Loose contact",
               cardo_domain_name(hinge->child, child), cardo_domain_name(hinge->parent, parent));
        print_axis(report, hinge);
        cardo_status status = print_strands(report, hinge, error);
        if (status != CARDO_OK)
            return status;
        printf("  contacts     %d pairs of C-alpha in the first structure, %d in the second\n",
               hinge->contacts[0], hinge->contacts[1]);
        cardo_print(stdout, "  motion       %.1f times what the two deform by\n", hinge->ratio);
    }
    for (int k = 0; k < m->nstrand; ++k) {
        const cardo_hinge_strand *s = &m->strand[k];
        char *text = NULL;
        if (s->axis_distance >= 0 || s->before == s->behind)
            continue;
        cardo_status status = residues_of(report, -k - 1, &text, error);
        if (status != CARDO_OK)
            return status;
        printf("\nStrand %s joins %s and %s, which have no hinge: it closes a loop\n", text,
               cardo_domain_name(s->before, parent), cardo_domain_name(s->behind, child));
        cardo_free(text);
    }
    return CARDO_OK;
}

static void print_methods(const cardo_domain_report *report)
{
    const cardo_domain_motions *m = report->motions;
    printf("\nMethods\n");
    for (int k = 0; k < CARDO_DOMAIN_METHODS; ++k)
        printf("  %s: %d domain%s\n", cardo_domain_method_name(cardo_domain_methods[k]),
               m->found[k], m->found[k] == 1 ? "" : "s");
    cardo_print(stdout, "  they agree on %.1f %% of residues%s\n", 100 * m->agreement,
                m->found[0] != m->found[1]
                    ? "; a hinge is what both see, so the smaller number is taken: look at the "
                      "domains' deformation"
                    : "");
}

/* Where every structure stands between the two. */
static void print_members(const cardo_domain_report *report)
{
    const cardo_domain_motions *m = report->motions;
    char name[32];
    if (!report->state || m->nhinge == 0)
        return;
    printf(
        "\nStructures along the hinges: rotation about the axis in degrees (share), RMSD left\n");
    for (int k = 0; k < report->inputs->n; ++k) {
        const cardo_hinge_state *state = report->state + (size_t)k * (size_t)m->nhinge;
        printf("  %-16s", report->inputs->definition[k].id);
        for (int h = 0; h < m->nhinge; ++h)
            if (state[h].angle < 0)
                printf("  %s not comparable", cardo_domain_name(m->hinge[h].child, name));
            else
                cardo_print(stdout, "  %s %6.1f (%5.2f) %.2f A",
                            cardo_domain_name(m->hinge[h].child, name),
                            state[h].share * m->hinge[h].fit->angle / CARDO_DEGREE, state[h].share,
                            angstroms * state[h].rmsd);
        printf("\n");
    }
}

/* The share of the first structure's residues that pair. */
static double coverage_of(const cardo_likeness *alike)
{
    return alike->residues[0] ? (double)alike->paired / alike->residues[0] : 0;
}

/* "a relative: 41 % of 230 residues that pair alike, 97 % of the first structure covered, RMSD 4.70 A as one body";
 * "" for a prediction. */
static char *likeness_text(const cardo_domain_report *report, char text[256])
{
    text[0] = '\0';
    if (report->inputs->two->nstructure < 2)
        return text;
    const cardo_likeness *alike = &report->inputs->two->structure[1].likeness;
    cardo_format(
        text, 256,
        "%s: %.0f %% of %d residues that pair alike, %.0f %% of the first structure covered, "
        "RMSD %.2f A as one body, %.2f A by domains",
        alike->identity >= 0.95  ? "one protein"
        : alike->identity >= 0.3 ? "relatives"
                                 : "STRANGERS",
        100 * alike->identity, alike->paired, 100 * coverage_of(alike),
        angstroms * report->motions->rmsd_before, angstroms * report->motions->rmsd_left);
    return text;
}

cardo_status cardo_domain_report_print(const cardo_domain_report *report, cardo_error *error)
{
    const cardo_domain_motions *m = report->motions;
    char verdict[CARDO_VERDICT_SIZE], likeness[256];
    cardo_status status;
    print_structures(report);
    CARDO_TRY(print_domains(report, error));
    CARDO_TRY(print_hinges(report, error));
    print_methods(report);
    print_members(report);
    if (!report->prediction && m->ndomain > 1)
        cardo_print(stdout,
                    "\nOne rigid body leaves %.2f A, rigid domains leave %.2f A unexplained\n",
                    angstroms * m->rmsd_before, angstroms * m->rmsd_left);
    printf("\n%s%s\n", report->prediction ? "predicted: " : "",
           cardo_domain_verdict(m, reference_of(report), verdict));
    if (likeness_text(report, likeness)[0])
        printf("%s\n", likeness);
    if (report->note[0])
        printf("%s\n", report->note);
done:
    return status;
}

static cardo_status domains_json(const cardo_domain_report *report, cardo_json *json,
                                 cardo_error *error)
{
    const cardo_domain_motions *m = report->motions;
    cardo_json *list = cardo_json_array();
    char name[32];
    cardo_json_put(json, "domains", list);
    for (int p = 0; p < m->ndomain; ++p) {
        char *text = NULL;
        cardo_status status = residues_of(report, p, &text, error);
        if (status != CARDO_OK)
            return status;
        cardo_json *one = cardo_json_object();
        cardo_json_string(one, "name", cardo_domain_name(p, name));
        cardo_json_string(one, "residues", text);
        cardo_json_integer(one, "matched", m->matched[p]);
        cardo_json_number(one, "rmsd_A", angstroms * m->rmsd[p]);
        if (m->parent[p] >= 0)
            cardo_json_string(one, "parent", cardo_domain_name(m->parent[p], name));
        cardo_json_put(list, NULL, one);
        cardo_free(text);
    }
    return CARDO_OK;
}

static cardo_status strands_json(const cardo_domain_report *report, cardo_json *json,
                                 cardo_error *error)
{
    const cardo_domain_motions *m = report->motions;
    cardo_json *list = cardo_json_array();
    char name[32];
    cardo_json_put(json, "strands", list);
    for (int k = 0; k < m->nstrand; ++k) {
        char *text = NULL;
        cardo_status status = residues_of(report, -k - 1, &text, error);
        if (status != CARDO_OK)
            return status;
        cardo_json *one = cardo_json_object();
        cardo_json_string(one, "residues", text);
        cardo_json_string(one, "before", cardo_domain_name(m->strand[k].before, name));
        cardo_json_string(one, "behind", cardo_domain_name(m->strand[k].behind, name));
        if (m->strand[k].axis_distance >= 0)
            cardo_json_number(one, "from_axis_A", angstroms * m->strand[k].axis_distance);
        cardo_json_put(list, NULL, one);
        cardo_free(text);
    }
    return CARDO_OK;
}

static cardo_json *hinges_json(const cardo_domain_report *report)
{
    const cardo_domain_motions *m = report->motions;
    cardo_json *list = cardo_json_array();
    char name[32];
    for (int k = 0; k < m->nhinge; ++k) {
        const cardo_domain_hinge *hinge = &m->hinge[k];
        const cardo_path_fit *fit = hinge->fit;
        cardo_json *one = cardo_json_object();
        cardo_json_string(one, "parent", cardo_domain_name(hinge->parent, name));
        cardo_json_string(one, "child", cardo_domain_name(hinge->child, name));
        cardo_json_string(one, "kind",
                          !hinge->tether       ? "hinge"
                          : hinge->nstrand > 0 ? "tether"
                                               : "loose");
        if (!report->prediction)
            cardo_json_number(one, "angle_deg", fit->angle / CARDO_DEGREE);
        cardo_json_vec3(one, "axis", fit->axis);
        cardo_json_vec3(one, "point_A", v3_scale(angstroms, fit->point));
        cardo_json_number(one, "translation_along_axis_A", angstroms * fit->translation);
        cardo_json_number(one, "pitch_A_per_turn",
                          angstroms * fit->translation * 2 * CARDO_PI / fit->angle);
        cardo_json_number(one, "percent_closure", fit->percent_closure);
        cardo_json_number(one, "rmsd_parent_A", angstroms * fit->rmsd_stationary[1]);
        cardo_json_number(one, "rmsd_child_A", angstroms * fit->rmsd_mobile[1]);
        cardo_json_number(one, "ratio", hinge->ratio);
        cardo_json_integer(one, "strands", hinge->nstrand);
        cardo_json_integer(one, "contacts_first", hinge->contacts[0]);
        cardo_json_integer(one, "contacts_second", hinge->contacts[1]);
        cardo_json_put(list, NULL, one);
    }
    return list;
}

static cardo_json *members_json(const cardo_domain_report *report)
{
    const cardo_domain_motions *m = report->motions;
    cardo_json *list = cardo_json_array();
    for (int k = 0; k < report->inputs->n; ++k) {
        cardo_json *one = cardo_json_object(), *hinges = cardo_json_array();
        cardo_json_string(one, "structure", report->inputs->definition[k].id);
        for (int h = 0; h < m->nhinge && report->state; ++h) {
            const cardo_hinge_state *state = &report->state[k * m->nhinge + h];
            cardo_json *at = cardo_json_object();
            if (state->angle >= 0) {
                cardo_json_number(at, "angle_deg", state->angle / CARDO_DEGREE);
                cardo_json_number(at, "share", state->share);
                cardo_json_number(at, "rmsd_A", angstroms * state->rmsd);
            }
            cardo_json_put(hinges, NULL, at);
        }
        cardo_json_put(one, "hinges", hinges);
        cardo_json_put(list, NULL, one);
    }
    return list;
}

static cardo_json *left_out_json(const cardo_domain_report *report)
{
    cardo_json *json = cardo_json_object();
    if (report->left_out[0][0])
        cardo_json_string(json, "start", report->left_out[0]);
    if (report->left_out[1][0])
        cardo_json_string(json, "end", report->left_out[1]);
    return json;
}

cardo_status cardo_domain_report_json(const cardo_domain_report *report, cardo_error *error)
{
    static const char *const kinds[] = {"one rigid domain", "hinged", "tether", "soft"};
    const cardo_domain_motions *m = report->motions;
    const cardo_domain_inputs *inputs = report->inputs;
    char verdict[CARDO_VERDICT_SIZE];
    cardo_json *json = cardo_json_object(), *methods = cardo_json_object();
    cardo_json_string(json, "verdict", cardo_domain_verdict(m, reference_of(report), verdict));
    if (likeness_text(report, verdict)[0]) {
        const cardo_likeness *alike = &inputs->two->structure[1].likeness;
        cardo_json_string(json, "likeness", verdict);
        cardo_json_number(json, "identity", alike->identity);
        cardo_json_number(json, "coverage", coverage_of(alike));
    }
    if (report->note[0])
        cardo_json_string(json, "note", report->note);
    if (report->left_out[0][0] || report->left_out[1][0])
        cardo_json_put(json, "left_out", left_out_json(report));
    if (report->preparation)
        cardo_json_put(json, "preparation", report->preparation);
    cardo_json_string(json, "kind", kinds[m->verdict]);
    cardo_json_bool(json, "rigid_hinge", m->verdict == CARDO_MOTION_HINGED);
    cardo_json_bool(json, "prediction", report->prediction != NULL);
    if (report->prediction)
        cardo_json_integer(json, "mode", report->prediction->mode);
    cardo_json_string(json, "start", inputs->definition[inputs->pair[0]].id);
    if (inputs->n > 1)
        cardo_json_string(json, "end", inputs->definition[inputs->pair[1]].id);
    cardo_json_integer(json, "matched", m->nmatched);
    cardo_json_number(json, "rmsd_before_A", angstroms * m->rmsd_before);
    cardo_json_number(json, "rmsd_left_A", angstroms * m->rmsd_left);
    cardo_json_number(json, "explained", m->explained);
    cardo_status status = domains_json(report, json, error);
    if (status == CARDO_OK)
        status = strands_json(report, json, error);
    cardo_json_put(json, "hinges", hinges_json(report));
    for (int k = 0; k < CARDO_DOMAIN_METHODS; ++k)
        cardo_json_integer(methods, cardo_domain_method_name(cardo_domain_methods[k]), m->found[k]);
    cardo_json_number(methods, "agreement", m->agreement);
    cardo_json_put(json, "methods", methods);
    cardo_json_put(json, "structures", members_json(report));
    cardo_json_print(json, stdout);
    return status;
}
