#include "study/clashes.h"

#include "base/memory.h"
#include "base/units.h"
#include "model/clash.h"
#include "model/conformer.h"
#include "model/near.h"

#include <stdio.h>
#include <string.h>

enum { FRACTIONS = 11 };

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

/* One choice of conformers: the model as it is (structure -2), of a structure, or the best. */
typedef struct choice {
    char name[64];
    int structure;
    cardo_clash_list list;
} choice;

enum { AS_BUILT = -2 };

static cardo_status look(const cardo_model *model, choice *one, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = model->structure[0].structure;
    size_t size = 3 * (size_t)s->natom;
    double fractions[FRACTIONS], *position = NULL;
    bool *all = NULL;
    int *body = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&position, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&all, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&body, s->nresidue, error));
    for (int k = 0; k < FRACTIONS; ++k)
        fractions[k] = (double)k / (FRACTIONS - 1);
    bool own = one->structure == AS_BUILT || !model->deposited;
    memcpy(position, own ? s->position : model->deposited, size * sizeof *position);
    memset(all, true, (size_t)s->nresidue * sizeof *all);
    cardo_model_riders(model, body);
    if (one->structure != AS_BUILT)
        CARDO_TRY(cardo_conformers_apply(model, one->structure, all, body, position, error));
    CARDO_TRY(cardo_clashes_find(model, position, FRACTIONS, fractions, &one->list, error));
done:
    cardo_free(position);
    cardo_free(all);
    cardo_free(body);
    return status;
}

static cardo_status look_at_all(const cardo_model *model, choice **out, int *count,
                                cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(out, model->nstructure + 2, error);
    *count = 0;
    for (int k = AS_BUILT; status == CARDO_OK && k < model->nstructure; ++k) {
        choice *one = &(*out)[(*count)++];
        one->structure = k;
        snprintf(one->name, sizeof one->name, "%.60s",
                 k == AS_BUILT               ? "as built"
                 : k == CARDO_CONFORMER_BEST ? "best"
                                             : model->structure[k].id);
        status = look(model, one, error);
    }
    return status;
}

static void clear(choice *choices, int count)
{
    for (int k = 0; k < count; ++k)
        cardo_clash_list_clear(&choices[k].list);
    cardo_free(choices);
}

/* "A:TYR14 OH - A:ALA164 CB". Returns text. */
static char *pair_text(const cardo_structure *s, const cardo_approach *clash, char text[120])
{
    char a[40], b[40];
    snprintf(text, 120, "%s %s - %s %s", cardo_residue_label(s, s->atom_residue[clash->atom[0]], a),
             s->atom_name[clash->atom[0]].text,
             cardo_residue_label(s, s->atom_residue[clash->atom[1]], b),
             s->atom_name[clash->atom[1]].text);
    return text;
}

static void add_choice(const cardo_structure *s, const choice *one, cardo_result *table)
{
    static const cardo_quantity side_chains = {"side_chains", .style = "-14s",
                                               .meaning = "of which structure, or the best"},
                                least = {"least_distance_A", "least distance", "A", "5.2f",
                                         .meaning = "of heavy atoms of different bodies"},
                                distance = {"distance_A", "distance", "A", "5.2f"},
                                place = {"q", .style = ".1f"};
    double nearest[FRACTIONS];
    for (int k = 0; k < FRACTIONS; ++k)
        nearest[k] = angstroms * one->list.nearest[k].distance;
    cardo_result_row(table);
    cardo_result_text(table, &side_chains, one->name);
    cardo_result_vector(table, &least, FRACTIONS, nearest);
    cardo_result *pairs = cardo_result_table(table, "pairs", "pair");
    for (int k = 0; k < one->list.npair; ++k) {
        char text[120];
        cardo_result_row(pairs);
        cardo_result_text(pairs, &(cardo_quantity){"atoms"},
                          pair_text(s, &one->list.pair[k], text));
        cardo_result_number(pairs, &distance, angstroms * one->list.pair[k].distance);
        cardo_result_number(pairs, &place, one->list.pair[k].fraction);
    }
}

cardo_status cardo_clashes_fill(const cardo_model *model, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity places = {"clashes_at_q", "q", .style = "3.1f"};
    choice *choices = NULL;
    double fraction[FRACTIONS];
    int n = 0;
    cardo_status status = look_at_all(model, &choices, &n, error);
    if (status == CARDO_OK) {
        for (int k = 0; k < FRACTIONS; ++k)
            fraction[k] = choices[0].list.nearest[k].fraction;
        cardo_result *table = cardo_result_table(into, "clashes", "side chains");
        for (int k = 0; k < n; ++k)
            add_choice(model->structure[0].structure, &choices[k], table);
        cardo_result_vector(into, &places, FRACTIONS, fraction);
        status = cardo_result_status(into, error);
    }
    clear(choices, n);
    return status;
}
