#include "study/domains/result.h"

#include "analysis/domains/copies.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "structure/atoms/selection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1 / CARDO_ANGSTROM; /* in a nm */

static const cardo_quantity residues = {"residues", .meaning = "as a model file names them"};
static const cardo_quantity matched = {"matched", .meaning = "residues that both structures have"};
static const cardo_quantity identity = {"identity", .style = ".0p",
                                        .meaning = "share of residues that pair alike"};

static const cardo_structure *reference_of(const cardo_domain_findings *f)
{
    return f->inputs->two->structure[0].structure;
}

/* Residues of a domain without those that bend (p >= 0), or of a strand (p < 0: number -p - 1). */
static void add_residues(const cardo_domain_findings *f, int p, cardo_result *into,
                         cardo_status *status, cardo_error *error)
{
    const cardo_structure *reference = reference_of(f);
    const cardo_domain_motions *m = f->motions;
    bool *mask = NULL;
    char *text = NULL;
    if (*status == CARDO_OK)
        *status = CARDO_ALLOCATE(&mask, reference->nresidue, error);
    if (*status != CARDO_OK)
        return;
    if (p >= 0)
        cardo_domain_mask(m, reference->nresidue, p, mask);
    else
        for (int r = m->strand[-p - 1].first; r <= m->strand[-p - 1].last; ++r)
            mask[r] = true;
    *status = cardo_selection_text(reference, mask, &text, error);
    if (*status == CARDO_OK)
        cardo_result_text(into, &residues, text);
    cardo_free(text);
    cardo_free(mask);
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
static void add_copies(const cardo_domain_findings *f, cardo_result *into)
{
    enum { LEAST = 20 };
    const cardo_structure *s = reference_of(f);
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
        is_copy(s, start[0], start[1], least)) {
        char text[160];
        snprintf(text, sizeof text,
                 "chains are copies of each other: unless they are one complex, compare one of "
                 "them, as FILE#%s",
                 s->chain_id[s->residue_chain[0]].text);
        cardo_result_remark(into, "copies", CARDO_RESULT_NOTE, text, NULL);
    }
}

/* The two structures that were compared, or the one of a prediction. */
static void add_pair(const cardo_domain_findings *f, cardo_result *into)
{
    static const cardo_quantity role = {"role", .style = "-8s"};
    const cardo_model *two = f->inputs->two;
    cardo_result *table = cardo_result_table(into, "pair", "structure");
    for (int k = 0; k < two->nstructure; ++k) {
        const cardo_model_structure *s = &two->structure[k];
        cardo_result_row(table);
        cardo_result_text(table, &role, k ? "end" : "start");
        cardo_result_text(table, &(cardo_quantity){"structure"},
                          f->inputs->definition[f->inputs->pair[k]].id);
        cardo_result_integer(table, &(cardo_quantity){"residues"}, s->structure->nresidue);
        if (k) {
            cardo_result_integer(table, &matched, f->motions->nmatched);
            cardo_result_number(table, &identity, s->identity);
        }
        if (f->left_out[k][0])
            cardo_result_text(table, &(cardo_quantity){"left_out"}, f->left_out[k]);
    }
    add_copies(f, into);
}

static void add_domains(const cardo_domain_findings *f, cardo_result *into, cardo_status *status,
                        cardo_error *error)
{
    static const cardo_quantity name = {"name", .style = "-8s"};
    static const cardo_quantity rmsd = {"rmsd_A", "RMSD", "A", ".2f",
                                        .meaning = "that the domain's own rigid motion leaves"};
    const cardo_domain_motions *m = f->motions;
    cardo_result *table = cardo_result_table(into, "domains", "domain");
    char text[32];
    for (int p = 0; p < m->ndomain; ++p) {
        cardo_result_row(table);
        cardo_result_text(table, &name, cardo_domain_name(p, text));
        add_residues(f, p, table, status, error);
        cardo_result_integer(table, &matched, m->matched[p]);
        cardo_result_number(table, &rmsd, angstroms * m->rmsd[p]);
        cardo_result_truth(table, &(cardo_quantity){"root"}, m->parent[p] < 0);
        if (m->parent[p] >= 0)
            cardo_result_text(table, &(cardo_quantity){"parent"},
                              cardo_domain_name(m->parent[p], text));
    }
}

static const cardo_quantity from_axis = {"from_axis_A", "distance from the axis", "A", ".1f"};

static void add_strands(const cardo_domain_findings *f, cardo_result *into, cardo_status *status,
                        cardo_error *error)
{
    const cardo_domain_motions *m = f->motions;
    cardo_result *table = cardo_result_table(into, "strands", "strand");
    char text[32];
    for (int k = 0; k < m->nstrand; ++k) {
        const cardo_hinge_strand *s = &m->strand[k];
        cardo_result_row(table);
        add_residues(f, -k - 1, table, status, error);
        cardo_result_text(table, &(cardo_quantity){"before"}, cardo_domain_name(s->before, text));
        cardo_result_text(table, &(cardo_quantity){"after"}, cardo_domain_name(s->after, text));
        if (s->axis_distance >= 0)
            cardo_result_number(table, &from_axis, angstroms * s->axis_distance);
        else if (s->before != s->after)
            cardo_result_text(table, &(cardo_quantity){"note"}, "closes a loop");
    }
}

static bool is_of(const cardo_hinge_strand *s, const cardo_domain_hinge *hinge)
{
    return (s->before == hinge->parent && s->after == hinge->child) ||
           (s->before == hinge->child && s->after == hinge->parent);
}

static void add_vector(cardo_result *into, const cardo_quantity *what, cardo_vec3 v)
{
    cardo_result_vector(into, what, 3, (const double[3]){v.x, v.y, v.z});
}

static void add_fit(const cardo_domain_findings *f, const cardo_path_fit *fit, cardo_result *into)
{
    static const cardo_quantity angle = {"angle_deg", "rotation", "degree", ".2f"},
                                axis = {"axis", .style = ".4f"},
                                point = {"point_A", "point on the axis", "A", ".2f"},
                                along = {"translation_along_axis_A", "translation along the axis",
                                         "A", "+.2f"},
                                pitch = {"pitch_A_per_turn", "pitch", "A a turn", "+.1f"},
                                closure = {"percent_closure", "closure", "%", ".1f"},
                                twist = {"percent_twist", "twist", "%", ".1f"},
                                parent = {"rmsd_parent_A", "RMSD of the parent", "A", ".2f"},
                                child = {"rmsd_child_A", "RMSD of the child", "A", ".2f"};
    if (!f->prediction)
        cardo_result_number(into, &angle, fit->angle / CARDO_DEGREE);
    add_vector(into, &axis, fit->axis);
    add_vector(into, &point, v3_scale(angstroms, fit->point));
    cardo_result_number(into, &along, angstroms * fit->translation);
    cardo_result_number(into, &pitch, angstroms * fit->translation * 2 * CARDO_PI / fit->angle);
    cardo_result_number(into, &closure, fit->percent_closure);
    cardo_result_number(into, &twist, 100 - fit->percent_closure);
    cardo_result_number(into, &parent, angstroms * fit->rmsd_stationary[1]);
    cardo_result_number(into, &child, angstroms * fit->rmsd_mobile[1]);
}

/* The strands that cross a hinge. */
static void add_crossing(const cardo_domain_findings *f, const cardo_domain_hinge *hinge,
                         cardo_result *into, cardo_status *status, cardo_error *error)
{
    const cardo_domain_motions *m = f->motions;
    cardo_result *crossing = cardo_result_table(into, "crossing", "strand");
    for (int k = 0; k < m->nstrand; ++k) {
        if (!is_of(&m->strand[k], hinge))
            continue;
        cardo_result_row(crossing);
        add_residues(f, -k - 1, crossing, status, error);
        cardo_result_number(crossing, &from_axis, angstroms * m->strand[k].axis_distance);
    }
}

static void add_hinges(const cardo_domain_findings *f, cardo_result *into, cardo_status *status,
                       cardo_error *error)
{
    static const cardo_quantity ratio = {"ratio", .style = ".1f",
                                         .meaning = "motion beside what the two deform by"};
    const cardo_domain_motions *m = f->motions;
    cardo_result *table = cardo_result_table(into, "hinges", "hinge");
    char text[32];
    for (int k = 0; k < m->nhinge; ++k) {
        const cardo_domain_hinge *hinge = &m->hinge[k];
        cardo_result_row(table);
        cardo_result_text(table, &(cardo_quantity){"parent"},
                          cardo_domain_name(hinge->parent, text));
        cardo_result_text(table, &(cardo_quantity){"child"}, cardo_domain_name(hinge->child, text));
        cardo_result_text(table, &(cardo_quantity){"kind"},
                          !hinge->tether       ? "hinge"
                          : hinge->nstrand > 0 ? "tether"
                                               : "loose");
        if (f->lead)
            cardo_result_text(
                table, &(cardo_quantity){"copy_of"},
                f->lead[k] == k ? "" : cardo_domain_name(m->hinge[f->lead[k]].child, text));
        add_fit(f, hinge->fit, table);
        cardo_result_number(table, &ratio, hinge->ratio);
        cardo_result_integer(table, &(cardo_quantity){"strands"}, hinge->nstrand);
        cardo_result_integer(table, &(cardo_quantity){"contacts_first"}, hinge->contacts[0]);
        cardo_result_integer(table, &(cardo_quantity){"contacts_second"}, hinge->contacts[1]);
        add_crossing(f, hinge, table, status, error);
    }
}

/* Names the first dozen of a list, and says how many more there are. */
static void shorten(char *names, size_t size, int count)
{
    enum { NAMED = 12 };
    char *end = names;
    for (int k = 0; k < NAMED && count > NAMED; ++k)
        end = strchr(end + 1, ',');
    if (count <= NAMED)
        return;
    *end = '\0';
    cardo_append(names, size, " and %d more", count - NAMED);
}

/* Hinges that are copies, and what is done about it. */
static void add_symmetry(const cardo_domain_findings *f, cardo_result *into)
{
    char names[400], text[1024] = "";
    for (int k = 0; f->lead && k < f->motions->nhinge; ++k) {
        const int count =
            cardo_hinge_copies_text(f->motions, f->lead, k, ", ", "", names, sizeof names);
        shorten(names, sizeof names, count);
        if (count > 1)
            cardo_append(text, sizeof text, "%sthe hinges of %s are copies of each other",
                         text[0] ? "; " : "", names);
    }
    if (!text[0])
        return;
    cardo_append(text, sizeof text,
                 f->symmetric ? ": they go by one coordinate"
                              : ": with the option symmetric they go by one coordinate");
    cardo_result_remark(into, "symmetry", CARDO_RESULT_NOTE, text, NULL);
}

static void add_methods(const cardo_domain_motions *m, cardo_result *into)
{
    static const cardo_quantity agreement = {"agreement", .style = ".1p",
                                             .meaning = "share of residues"};
    cardo_result *methods = cardo_result_group(into, "methods");
    for (int k = 0; k < CARDO_DOMAIN_METHODS; ++k)
        cardo_result_integer(methods,
                             &(cardo_quantity){cardo_domain_method_name(cardo_domain_methods[k])},
                             m->found[k]);
    cardo_result_number(methods, &agreement, m->agreement);
    if (m->found[0] != m->found[1])
        cardo_result_remark(methods, "remark", CARDO_RESULT_NOTE,
                            "a hinge is what both see, so the smaller number is taken: look at the "
                            "domains' deformation",
                            NULL);
}

/* Where every structure stands between the two. */
static void add_members(const cardo_domain_findings *f, cardo_result *into)
{
    static const cardo_quantity structure = {"structure", .style = "-16s"},
                                angle = {"angle_deg", "rotation", "degree", "6.1f"},
                                about = {"about_axis_deg", "rotation about the hinge's axis",
                                         "degree", "6.1f"},
                                share = {"share", .style = "5.2f"},
                                rmsd = {"rmsd_A", "RMSD left", "A", ".2f"};
    const cardo_domain_motions *m = f->motions;
    cardo_result *table = cardo_result_table(into, "structures", "structure");
    char text[32];
    for (int k = 0; k < f->inputs->n; ++k) {
        cardo_result_row(table);
        cardo_result_text(table, &structure, f->inputs->definition[k].id);
        cardo_result *hinges = cardo_result_table(table, "hinges", "hinge");
        for (int h = 0; h < m->nhinge && f->state; ++h) {
            const cardo_hinge_state *state = &f->state[k * m->nhinge + h];
            cardo_result_row(hinges);
            cardo_result_text(hinges, &(cardo_quantity){"child"},
                              cardo_domain_name(m->hinge[h].child, text));
            cardo_result_truth(hinges, &(cardo_quantity){"comparable"}, state->angle >= 0);
            if (state->angle < 0)
                continue;
            cardo_result_number(hinges, &angle, state->angle / CARDO_DEGREE);
            cardo_result_number(hinges, &about,
                                state->share * m->hinge[h].fit->angle / CARDO_DEGREE);
            cardo_result_number(hinges, &share, state->share);
            cardo_result_number(hinges, &rmsd, angstroms * state->rmsd);
        }
    }
}

/* "a relative: 41 % of 230 residues that pair alike, 97 % of the first structure covered, RMSD 4.70 A as one body";
 * nothing for a prediction. */
static void add_likeness(const cardo_domain_findings *f, cardo_result *into)
{
    char text[256];
    if (f->inputs->two->nstructure < 2)
        return;
    const cardo_likeness *alike = &f->inputs->two->structure[1].likeness;
    const double coverage = alike->residues[0] ? (double)alike->paired / alike->residues[0] : 0;
    cardo_format(text, sizeof text,
                 "%s: %.0f %% of %d residues that pair alike, %.0f %% of the first structure "
                 "covered, RMSD %.2f A as one body, %.2f A by domains",
                 alike->identity >= 0.95  ? "one protein"
                 : alike->identity >= 0.3 ? "relatives"
                                          : "STRANGERS",
                 100 * alike->identity, alike->paired, 100 * coverage,
                 angstroms * f->motions->rmsd_before, angstroms * f->motions->rmsd_left);
    cardo_result_remark(into, "likeness", CARDO_RESULT_VERDICT, text, NULL);
    cardo_result_number(into, &identity, alike->identity);
    cardo_result_number(into, &(cardo_quantity){"coverage", .style = ".0p"}, coverage);
}

static void add_left_out(const cardo_domain_findings *f, cardo_result *into)
{
    if (!f->left_out[0][0] && !f->left_out[1][0])
        return;
    cardo_result *left_out = cardo_result_group(into, "left_out");
    for (int k = 0; k < 2; ++k)
        if (f->left_out[k][0])
            cardo_result_text(left_out, &(cardo_quantity){k ? "end" : "start"}, f->left_out[k]);
}

static void add_inputs(const cardo_domain_findings *f, cardo_result *into)
{
    const cardo_domain_inputs *inputs = f->inputs;
    cardo_result_truth(into, &(cardo_quantity){"prediction"}, f->prediction != NULL);
    if (f->prediction) {
        cardo_result_integer(into, &(cardo_quantity){"mode"}, f->prediction->mode);
        cardo_result_truth(into, &(cardo_quantity){"softest"}, f->prediction->mode == 1);
    }
    cardo_result_text(into, &(cardo_quantity){"start"}, inputs->definition[inputs->pair[0]].id);
    if (inputs->n > 1)
        cardo_result_text(into, &(cardo_quantity){"end"}, inputs->definition[inputs->pair[1]].id);
    if (inputs->n > 2)
        cardo_result_integer(into, &(cardo_quantity){"members"}, inputs->n);
    if (inputs->stride > 1) {
        cardo_result_integer(into, &(cardo_quantity){"stride"}, inputs->stride);
        cardo_result_integer(into, &(cardo_quantity){"frames"}, inputs->nframe);
    }
}

cardo_status cardo_domains_fill(const cardo_domain_findings *f, cardo_result *into,
                                cardo_error *error)
{
    static const char *const kinds[] = {"one rigid domain", "hinged", "tether", "soft"};
    static const cardo_quantity before = {"rmsd_before_A", "RMSD", "A", ".2f",
                                          .meaning = "that one rigid motion of all leaves"},
                                left = {"rmsd_left_A", "RMSD", "A", ".2f",
                                        .meaning = "that a rigid motion of each domain leaves"},
                                explained = {"explained", .style = ".0p"};
    const cardo_domain_motions *m = f->motions;
    char verdict[CARDO_VERDICT_SIZE];
    cardo_status status = CARDO_OK;
    cardo_result_remark(into, "verdict", CARDO_RESULT_VERDICT,
                        cardo_domain_verdict(m, reference_of(f), verdict), NULL);
    add_likeness(f, into);
    if (f->note[0])
        cardo_result_remark(into, "note", CARDO_RESULT_NOTE, f->note, NULL);
    add_left_out(f, into);
    cardo_result_text(into, &(cardo_quantity){"kind"}, kinds[m->verdict]);
    cardo_result_truth(into, &(cardo_quantity){"rigid_hinge"}, m->verdict == CARDO_MOTION_HINGED);
    add_inputs(f, into);
    cardo_result_integer(into, &matched, m->nmatched);
    cardo_result_number(into, &before, angstroms * m->rmsd_before);
    cardo_result_number(into, &left, angstroms * m->rmsd_left);
    cardo_result_number(into, &explained, m->explained);
    add_pair(f, into);
    add_domains(f, into, &status, error);
    add_strands(f, into, &status, error);
    add_hinges(f, into, &status, error);
    add_symmetry(f, into);
    add_methods(m, into);
    add_members(f, into);
    return status == CARDO_OK ? cardo_result_status(into, error) : status;
}
