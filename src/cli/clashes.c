#include "cli/clashes.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "model/clash.h"
#include "model/conformer.h"
#include "model/near.h"

#include <stdio.h>
#include <string.h>

enum { FRACTIONS = 11, PAIRS_SHOWN = 8 };

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

static void print_row(const choice *one)
{
    printf("  %-14s", one->name);
    for (int k = 0; k < one->list.nfraction; ++k)
        if (one->list.nearest[k].atom[0] < 0)
            printf("    >5");
        else
            cardo_print(stdout, " %5.2f", angstroms * one->list.nearest[k].distance);
    printf("\n");
}

static void print_pairs(const cardo_structure *s, const choice *one)
{
    char text[120];
    printf("  %s: %d pairs of residues come nearer than 3 A%s\n", one->name, one->list.npair,
           one->list.npair > PAIRS_SHOWN ? ", of them the nearest" : "");
    for (int k = 0; k < one->list.npair && k < PAIRS_SHOWN; ++k)
        cardo_print(stdout, "    %5.2f A at %.1f  %s\n", angstroms * one->list.pair[k].distance,
                    one->list.pair[k].fraction, pair_text(s, &one->list.pair[k], text));
}

cardo_status cardo_clashes_print(const cardo_model *model, cardo_error *error)
{
    choice *choices = NULL;
    int n = 0;
    cardo_status status = look_at_all(model, &choices, &n, error);
    if (status == CARDO_OK) {
        printf("\nLeast distance (A) between heavy atoms of different bodies along the paths, by "
               "whose side chains\n  %-14s",
               "");
        for (int k = 0; k < FRACTIONS; ++k)
            cardo_print(stdout, " q=%3.1f", choices[0].list.nearest[k].fraction);
        printf("\n");
    }
    for (int k = 0; k < n && status == CARDO_OK; ++k)
        print_row(&choices[k]);
    for (int k = 0; k < n && status == CARDO_OK; ++k)
        print_pairs(model->structure[0].structure, &choices[k]);
    clear(choices, n);
    return status;
}

static cardo_json *choice_json(const cardo_structure *s, const choice *one)
{
    cardo_json *json = cardo_json_object(), *distances = cardo_json_array(),
               *pairs = cardo_json_array();
    cardo_json_string(json, "side_chains", one->name);
    for (int k = 0; k < one->list.nfraction; ++k)
        cardo_json_number(distances, NULL, angstroms * one->list.nearest[k].distance);
    cardo_json_put(json, "least_distance_A", distances);
    for (int k = 0; k < one->list.npair; ++k) {
        char text[120];
        cardo_json *pair = cardo_json_object();
        cardo_json_string(pair, "atoms", pair_text(s, &one->list.pair[k], text));
        cardo_json_number(pair, "distance_A", angstroms * one->list.pair[k].distance);
        cardo_json_number(pair, "q", one->list.pair[k].fraction);
        cardo_json_put(pairs, NULL, pair);
    }
    cardo_json_put(json, "pairs", pairs);
    return json;
}

cardo_status cardo_clashes_json(const cardo_model *model, cardo_json *json, cardo_error *error)
{
    choice *choices = NULL;
    int n = 0;
    cardo_status status = look_at_all(model, &choices, &n, error);
    cardo_json *array = cardo_json_array();
    for (int k = 0; k < n && status == CARDO_OK; ++k)
        cardo_json_put(array, NULL, choice_json(model->structure[0].structure, &choices[k]));
    cardo_json_put(json, "clashes", array);
    clear(choices, n);
    return status;
}
