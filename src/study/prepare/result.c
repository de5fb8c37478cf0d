#include "base/units.h"
#include "study/prepare/prepared.h"

#include <stddef.h>

enum { HYDROGEN = 1 };

cardo_prepared_sums cardo_prepared_sum_up(const cardo_preparation *p)
{
    cardo_prepared_sums n = {0};
    const cardo_structure *s = p->structure;
    int last = -1;
    for (int k = 0; k < p->nchange; ++k) {
        const cardo_change *c = &p->change[k];
        ++n.of_topic[c->topic];
        n.done += c->kind != CARDO_CHANGE_NOTED && c->kind != CARDO_CHANGE_CHOSEN;
    }
    for (int i = 0; i < s->natom; ++i) {
        bool hydrogen = s->element[i] == HYDROGEN;
        n.from_file += !p->built[i];
        n.heavy += p->built[i] && !hydrogen;
        n.hydrogens += p->built[i] && hydrogen;
        n.residues_with_hydrogens += p->built[i] && hydrogen && s->atom_residue[i] != last;
        last = p->built[i] && hydrogen ? s->atom_residue[i] : last;
    }
    return n;
}

double cardo_prepared_guesses(const cardo_preparation *p, int *guessed, int *heavy)
{
    int built = 0, all = 0;
    for (int i = 0; i < p->structure->natom; ++i) {
        all += p->structure->element[i] != HYDROGEN;
        built += p->structure->element[i] != HYDROGEN && p->built[i];
    }
    if (guessed)
        *guessed = built;
    if (heavy)
        *heavy = all;
    return all ? (double)built / all : 0;
}

static void add_changes(const cardo_preparation *p, cardo_result *into)
{
    cardo_result *table = cardo_result_table(into, "changes", "change");
    for (int k = 0; k < p->nchange; ++k) {
        const cardo_change *c = &p->change[k];
        cardo_result_row(table);
        cardo_result_text(table, &(cardo_quantity){"what"}, cardo_change_word(c->kind));
        cardo_result_text(table, &(cardo_quantity){"topic"}, cardo_topic_words(c->topic));
        cardo_result_text(table, &(cardo_quantity){"residue"}, c->residue);
        if (c->atom.text[0])
            cardo_result_text(table, &(cardo_quantity){"atom"}, c->atom.text);
        cardo_result_text(table, &(cardo_quantity){"why"}, c->reason);
        if (c->measure)
            cardo_result_number(table, &(cardo_quantity){c->measure}, c->value);
    }
}

static void add_titration(const cardo_preparation *p, cardo_result *into)
{
    static const cardo_quantity buried = {"atoms_near", .meaning = "heavy atoms within 15.5 A"},
                                held = {"held", .meaning = "by a metal: the pKa is of no use"};
    if (p->ntitration == 0)
        return;
    cardo_result *table = cardo_result_table(into, "pKa_values", "residue");
    for (int k = 0; k < p->ntitration; ++k) {
        const cardo_titration *t = &p->titration[k];
        cardo_result_row(table);
        cardo_result_text(table, &(cardo_quantity){"residue"}, t->residue);
        cardo_result_number(table, &(cardo_quantity){"pKa"}, t->pka);
        cardo_result_number(table, &(cardo_quantity){"model_pKa"}, t->model);
        cardo_result_number(table, &(cardo_quantity){"by_burial"}, t->burial);
        cardo_result_number(table, &(cardo_quantity){"by_hydrogen_bonds"}, t->bonds);
        cardo_result_number(table, &(cardo_quantity){"by_charges"}, t->charges);
        cardo_result_integer(table, &buried, t->near);
        if (t->held)
            cardo_result_truth(table, &held, true);
    }
}

static void add_relaxation(const cardo_prepared *prepared, cardo_result *into)
{
    static const cardo_quantity moved = {"moved_rms_A", "moved, RMS", "A", ".2f"},
                                most = {"moved_most_A", "moved at most", "A", ".2f"},
                                force = {"largest_force_kJ_per_mol_nm", "largest force",
                                         "kJ/mol/nm"};
    cardo_result *relaxation = cardo_result_group(into, "relaxation");
    cardo_result_truth(relaxation, &(cardo_quantity){"done"}, prepared->relaxed);
    if (prepared->relaxed) {
        cardo_result_integer(relaxation, &(cardo_quantity){"atoms"}, prepared->nrelaxed);
        cardo_result_text(relaxation, &(cardo_quantity){"forcefield"}, prepared->forcefield);
        cardo_result_number(relaxation, &moved, prepared->moved / CARDO_ANGSTROM);
        cardo_result_number(relaxation, &most, prepared->moved_most / CARDO_ANGSTROM);
        cardo_result_integer(relaxation, &(cardo_quantity){"iterations"},
                             prepared->result.iterations);
        cardo_result_number(relaxation, &force, prepared->result.largest_gradient);
    } else if (prepared->not_relaxed.message[0]) {
        cardo_result_text(relaxation, &(cardo_quantity){"why_not"}, prepared->not_relaxed.message);
    }
}

/* Where there are any. */
static void add_count(cardo_result *into, const char *name, int n)
{
    if (n > 0)
        cardo_result_integer(into, &(cardo_quantity){name}, n);
}

cardo_status cardo_prepared_fill(const cardo_wanted *wanted, const cardo_prepared *prepared,
                                 cardo_result *into, cardo_error *error)
{
    static const cardo_quantity known = {"known",
                                         .meaning = "how much of the structure the file has"};
    static const cardo_quantity ph = {"pH"}, share = {"share_of_heavy_atoms_built", .style = ".0p"};
    const cardo_preparation *p = prepared->preparation;
    const cardo_prepared_sums n = cardo_prepared_sum_up(p);
    const double guesses = cardo_prepared_guesses(p, NULL, NULL);
    cardo_result_text(into, &(cardo_quantity){"input"}, wanted->input);
    cardo_result_text(into, &(cardo_quantity){"output"}, wanted->output);
    cardo_result_number(into, &ph, wanted->options.ph);
    cardo_result_integer(into, &(cardo_quantity){"atoms"}, p->structure->natom);
    cardo_result_integer(into, &(cardo_quantity){"residues"}, p->structure->nresidue);
    cardo_result_integer(into, &(cardo_quantity){"chains"}, p->structure->nchain);
    cardo_result_integer(into, &(cardo_quantity){"atoms_of_file"}, n.from_file);
    cardo_result_integer(into, &(cardo_quantity){"heavy_atoms_built"}, n.heavy);
    cardo_result_number(into, &share, guesses);
    if (guesses > CARDO_GUESSES_TOLD)
        cardo_result_text(into, &known,
                          guesses > CARDO_GUESSES_ALLOWED ? "the backbone" : "a part");
    cardo_result_integer(into, &(cardo_quantity){"hydrogens_built"}, n.hydrogens);
    cardo_result_integer(into, &(cardo_quantity){"residues_left_out"},
                         n.of_topic[CARDO_TOPIC_LEFT_OUT]);
    add_count(into, "alternates", n.of_topic[CARDO_TOPIC_ALTERNATES]);
    add_count(into, "disulfides", n.of_topic[CARDO_TOPIC_DISULFIDES]);
    cardo_result_integer(into, &(cardo_quantity){"to_look_at"}, n.of_topic[CARDO_TOPIC_REVIEW]);
    cardo_result_truth(into, &(cardo_quantity){"changed"}, n.done > 0);
    add_changes(p, into);
    add_titration(p, into);
    add_relaxation(prepared, into);
    const cardo_status status =
        cardo_prepared_report(p, wanted->options.ph, wanted->full, into, error);
    return status == CARDO_OK ? cardo_result_status(into, error) : status;
}
