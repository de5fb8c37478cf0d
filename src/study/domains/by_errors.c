#include "study/domains/by_errors.h"

#include "analysis/domains/prediction.h"
#include "base/memory.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1 / CARDO_ANGSTROM; /* in a nm */

/* Modes of larger elastic networks take longer than all else here. */
enum { MOST_ELASTIC = 1500 };

static cardo_status ask_elastic_network(const cardo_domains_options *options,
                                        const cardo_structure *structure, cardo_by_errors *self,
                                        cardo_error *error)
{
    cardo_domain_prediction *prediction = NULL;
    if (structure->nresidue > MOST_ELASTIC)
        return CARDO_OK;
    cardo_status status =
        cardo_domains_predict(structure, options->how.cutoff, &options->search, &prediction, error);
    if (status == CARDO_ERROR_INPUT) /* a structure that it cannot take is no reason to stop */
        return CARDO_OK;
    if (status != CARDO_OK)
        return status;
    self->nelastic = prediction->motions->ndomain;
    status = cardo_domains_agreement(structure->nresidue, self->found.domain,
                                     prediction->motions->domain, &self->elastic_agreement, error);
    cardo_domain_prediction_destroy(prediction);
    return status;
}

cardo_status cardo_by_errors_find(const cardo_domains_options *options,
                                  const cardo_structure *structure, cardo_by_errors *self,
                                  cardo_error *error)
{
    cardo_status status;
    cardo_predicted_error predicted = {0};
    self->path = options->how.pae;
    self->nresidue = structure->nresidue;
    CARDO_TRY(cardo_predicted_error_read(self->path, &predicted, error));
    CARDO_TRY(cardo_predicted_error_match(&predicted, self->path, structure, error));
    self->form = predicted.form;
    CARDO_TRY(CARDO_ALLOCATE(&self->confidence, structure->nresidue, error));
    cardo_predicted_confidence(&predicted, structure, self->confidence, &self->is_confidence_known);
    CARDO_TRY(
        cardo_error_domains_find(structure->nresidue, predicted.error, structure->residue_chain,
                                 self->is_confidence_known ? self->confidence : NULL,
                                 options->search.smallest, &options->errors, &self->found, error));
    if (self->found.ndomain > 1)
        CARDO_TRY(cardo_error_domains_tree(&self->found, structure, &self->tree, error));
    status = ask_elastic_network(options, structure, self, error);
done:
    cardo_predicted_error_clear(&predicted);
    return status;
}

void cardo_by_errors_clear(cardo_by_errors *self)
{
    cardo_free(self->confidence);
    cardo_error_domains_clear(&self->found);
    cardo_domain_motions_destroy(self->tree);
    *self = (cardo_by_errors){0};
}

static const cardo_quantity pLDDT = {"plddt", "pLDDT", "", ".0f", .meaning = "mean of residues"};

/* Residues of a mask, and their mean pLDDT. */
static cardo_status add_residues(const cardo_by_errors *self, const cardo_structure *s,
                                 const bool *mask, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity residues = {"residues", .meaning = "as a model file names them"};
    char *text = NULL;
    int count = 0;
    double sum = 0;
    cardo_status status = cardo_selection_text(s, mask, &text, error);
    if (status != CARDO_OK)
        return status;
    for (int r = 0; r < s->nresidue; ++r)
        if (mask[r]) {
            ++count;
            sum += self->confidence[r];
        }
    cardo_result_text(into, &residues, text);
    cardo_result_integer(into, &(cardo_quantity){"count"}, count);
    if (self->is_confidence_known && count > 0)
        cardo_result_number(into, &pLDDT, sum / count);
    cardo_free(text);
    return CARDO_OK;
}

static cardo_status add_domains(const cardo_by_errors *self, const cardo_structure *s, bool *mask,
                                cardo_result *into, cardo_error *error)
{
    static const cardo_quantity name = {"name", .style = "-8s"};
    static const cardo_quantity inside = {"error_inside_A", "predicted error inside", "A", ".1f",
                                          .meaning = "median"};
    const cardo_error_domains *found = &self->found;
    cardo_result *table = cardo_result_table(into, "domains", "domain");
    cardo_status status = CARDO_OK;
    char text[32];
    for (int p = 0; p < found->ndomain && status == CARDO_OK; ++p) {
        cardo_result_row(table);
        cardo_result_text(table, &name, cardo_domain_name(p, text));
        for (int r = 0; r < s->nresidue; ++r)
            mask[r] = found->domain[r] == p && !found->loose[r];
        status = add_residues(self, s, mask, table, error);
        cardo_result_number(table, &inside, angstroms * found->between[p * found->ndomain + p]);
        cardo_result_truth(table, &(cardo_quantity){"root"}, p == 0);
        if (self->tree && p > 0)
            cardo_result_text(table, &(cardo_quantity){"parent"},
                              cardo_domain_name(self->tree->parent[p], text));
    }
    return status;
}

static cardo_status add_linkers(const cardo_by_errors *self, const cardo_structure *s, bool *mask,
                                cardo_result *into, cardo_error *error)
{
    const cardo_error_domains *found = &self->found;
    cardo_result *table = cardo_result_table(into, "linkers", "linker");
    cardo_status status = CARDO_OK;
    char text[32];
    for (int first = 0, last; first < s->nresidue && status == CARDO_OK; first = last + 1) {
        last = first;
        if (!found->loose[first])
            continue;
        while (last + 1 < s->nresidue && found->loose[last + 1] &&
               s->residue_chain[last + 1] == s->residue_chain[first])
            ++last;
        for (int r = 0; r < s->nresidue; ++r)
            mask[r] = r >= first && r <= last;
        const bool begins = first > 0 && s->residue_chain[first - 1] == s->residue_chain[first],
                   ends = last + 1 < s->nresidue &&
                          s->residue_chain[last + 1] == s->residue_chain[last];
        cardo_result_row(table);
        cardo_result_text(table, &(cardo_quantity){"kind"}, begins && ends ? "linker" : "tail");
        status = add_residues(self, s, mask, table, error);
        if (begins)
            cardo_result_text(table, &(cardo_quantity){"before"},
                              cardo_domain_name(found->domain[first - 1], text));
        if (ends)
            cardo_result_text(table, &(cardo_quantity){"after"},
                              cardo_domain_name(found->domain[last + 1], text));
    }
    return status;
}

static void add_between(const cardo_error_domains *found, cardo_result *into)
{
    static const cardo_quantity between = {"error_between_A", "predicted error between", "A", ".1f",
                                           .meaning = "median"};
    cardo_result *table = cardo_result_table(into, "between", "pair");
    char text[32];
    for (int p = 0; p < found->ndomain; ++p)
        for (int q = p + 1; q < found->ndomain; ++q) {
            cardo_result_row(table);
            cardo_result_text(table, &(cardo_quantity){"first"}, cardo_domain_name(p, text));
            cardo_result_text(table, &(cardo_quantity){"second"}, cardo_domain_name(q, text));
            cardo_result_number(table, &between,
                                angstroms * found->between[p * found->ndomain + q]);
        }
}

static void add_choices(const cardo_error_domains *found, cardo_result *into)
{
    static const cardo_quantity cutoff = {"cutoff_A", "cutoff", "A", ".3g"},
                                resolution = {"resolution", "resolution", "", ".3g"},
                                domains = {"domains", "domains", "", "d"},
                                agreement = {"agreement", "residues alike", "", ".0p"};
    cardo_result *table = cardo_result_table(into, "choices", "choice");
    for (int k = 0; k < CARDO_ERROR_CHOICES; ++k) {
        const cardo_error_choice *choice = &found->choice[k];
        cardo_result_row(table);
        cardo_result_number(table, &cutoff, angstroms * choice->cutoff);
        cardo_result_number(table, &resolution, choice->resolution);
        cardo_result_integer(table, &domains, choice->ndomain);
        cardo_result_number(table, &agreement, choice->agreement);
    }
}

static void add_verdict(const cardo_error_domains *found, cardo_result *into)
{
    int alike = 0, least = found->ndomain, most = found->ndomain;
    char text[512];
    for (int k = 0; k < CARDO_ERROR_CHOICES; ++k) {
        const cardo_error_choice *choice = &found->choice[k];
        alike += choice->ndomain == found->ndomain && choice->agreement >= 0.95;
        least = choice->ndomain < least ? choice->ndomain : least;
        most = choice->ndomain > most ? choice->ndomain : most;
    }
    const int used =
        found->ndomain == 0
            ? snprintf(text, sizeof text, "NO rigid domain: no part is placed surely to itself")
            : snprintf(text, sizeof text, "%d domain%s by predicted errors", found->ndomain,
                       found->ndomain == 1 ? "" : "s");
    if (found->stable)
        snprintf(text + used, sizeof text - (size_t)used,
                 "; %d of %d other choices of cutoff and resolution give the same: stable", alike,
                 CARDO_ERROR_CHOICES);
    else
        snprintf(text + used, sizeof text - (size_t)used,
                 "; NOT stable: %d of %d other choices of cutoff and resolution give the same, and "
                 "they have %d to %d domains; look at the matrix before you rely on it",
                 alike, CARDO_ERROR_CHOICES, least, most);
    cardo_result_remark(into, "verdict",
                        found->stable ? CARDO_RESULT_VERDICT : CARDO_RESULT_WARNING, text, NULL);
}

static void add_source(const cardo_by_errors *self, const char *name, cardo_result *into)
{
    cardo_result *group = cardo_result_group(into, "predicted_errors");
    cardo_result_text(group, &(cardo_quantity){"file"}, self->path);
    cardo_result_text(group, &(cardo_quantity){"form"}, self->form);
    cardo_result_text(group, &(cardo_quantity){"structure"}, name);
    cardo_result_integer(group, &(cardo_quantity){"residues"}, self->nresidue);
    cardo_result_number(group, &(cardo_quantity){"modularity", .style = ".3f"},
                        self->found.modularity);
    cardo_result_truth(group, &(cardo_quantity){"confidence_known"}, self->is_confidence_known);
    if (self->nelastic == 0)
        return;
    cardo_result *elastic = cardo_result_group(into, "elastic_network");
    cardo_result_integer(elastic, &(cardo_quantity){"domains"}, self->nelastic);
    cardo_result_number(elastic, &(cardo_quantity){"agreement", .style = ".0p"},
                        self->elastic_agreement);
}

cardo_status cardo_by_errors_fill(const cardo_by_errors *self, const cardo_structure *structure,
                                  const char *name, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    bool *mask = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&mask, structure->nresidue, error));
    add_verdict(&self->found, into);
    cardo_result_text(into, &(cardo_quantity){"kind"}, "by predicted errors");
    cardo_result_truth(into, &(cardo_quantity){"prediction"}, true);
    cardo_result_truth(into, &(cardo_quantity){"stable"}, self->found.stable);
    cardo_result_text(into, &(cardo_quantity){"start"}, name);
    add_source(self, name, into);
    CARDO_TRY(add_domains(self, structure, mask, into, error));
    CARDO_TRY(add_linkers(self, structure, mask, into, error));
    add_between(&self->found, into);
    add_choices(&self->found, into);
    status = cardo_result_status(into, error);
done:
    cardo_free(mask);
    return status;
}
