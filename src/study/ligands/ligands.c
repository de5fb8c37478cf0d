#include "study/ligands/ligands.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "structure/atoms/selection.h"

#include <math.h>
#include <string.h>

static const double contact = 0.45; /* nm, between heavy atoms */

enum { WORDS = 320 };

/* "held within 0.5 nm of its site (walls of 1000 kJ/mol/nm^2), which leaves it 0.678 nm^3; letting it out to 1 mol/L is
 * worth -2.23 kJ/mol at 300 K" */
static void hold_in_words(const cardo_model_ligand *ligand, double kelvin, char text[WORDS])
{
    const cardo_flat_bottom *w = &ligand->well;
    const double kT = CARDO_BOLTZMANN * kelvin;
    text[0] = '\0';
    if (!ligand->is_held) {
        if (ligand->free)
            cardo_format(text, WORDS,
                         "nothing but forces keeps it near its site: its free energies have no "
                         "standard state");
        return;
    }
    if (w->shape == CARDO_FLAT_BOTTOM_BOX)
        cardo_format(text, WORDS, "held within a box of %g x %g x %g nm about its site",
                     2 * w->extent[0], 2 * w->extent[1], 2 * w->extent[2]);
    else
        cardo_format(text, WORDS, "held within %g nm of its site", w->extent[0]);
    cardo_append(text, WORDS,
                 " (walls of %g kJ/mol/nm^2), which leaves it %.4g nm^3; letting it out to 1 mol/L "
                 "is worth %+.3f kJ/mol at %g K",
                 w->stiffness, cardo_flat_bottom_volume(w, kT), cardo_flat_bottom_release(w, kT),
                 kelvin);
}

static void add_restraint(const cardo_model_ligand *ligand, double kelvin, cardo_result *row)
{
    static const cardo_quantity center = {"center_nm", "center of the restraint", "nm", ".4f",
                                          .meaning = "in the reference"},
                                stiffness = {"stiffness", "stiffness of the walls", "kJ/mol/nm^2"},
                                volume = {"volume_nm3", "volume that the restraint leaves", "nm^3"},
                                temperature = {"temperature_K", "temperature", "K"},
                                release = {"release_kJ_per_mol", "release to 1 mol/L", "kJ/mol",
                                           ".3f",
                                           .meaning = "-kT ln(V0/V), V0 = 1.6605 nm^3: free energy "
                                                      "of letting it out of the restraint to the "
                                                      "standard concentration"};
    const cardo_flat_bottom *w = &ligand->well;
    const double kT = CARDO_BOLTZMANN * kelvin;
    const int n = w->shape == CARDO_FLAT_BOTTOM_BOX ? 3 : 1;
    cardo_result_text(row, &(cardo_quantity){"restraint"}, n == 3 ? "box" : "sphere");
    cardo_result_vector(row, &center, 3,
                        (const double[3]){w->frame1.p.x, w->frame1.p.y, w->frame1.p.z});
    cardo_result_vector(row, &(cardo_quantity){"extent_nm", n == 3 ? "half edges" : "radius", "nm"},
                        3, w->extent);
    cardo_result_number(row, &stiffness, w->stiffness);
    cardo_result_number(row, &temperature, kelvin);
    cardo_result_number(row, &volume, cardo_flat_bottom_volume(w, kT));
    cardo_result_number(row, &release, cardo_flat_bottom_release(w, kT));
}

/* What a ligand touches. */
typedef struct site {
    const cardo_model *model;
    const double *position;
    int *
        count; /* contacts with each body of the model file, pieces with what they hang on (nbody) */
    bool *touch; /* residues (nresidue) */
    double least;
    int pair[2]; /* its atom and another's, which are nearest */
} site;

/* The body of the model file that an atom's body is, or a piece of. */
static int whole_body(const cardo_model *model, int atom)
{
    int b = model->atom_body[atom];
    while (model->body[b].piece && model->body[b].parent >= 0)
        b = model->body[b].parent;
    return b;
}

static void look_around(site *at, int ligand)
{
    const cardo_structure *s = at->model->structure[0].structure;
    at->least = HUGE_VAL;
    memset(at->count, 0, (size_t)at->model->nbody * sizeof *at->count);
    memset(at->touch, 0, (size_t)s->nresidue * sizeof *at->touch);
    for (int i = 0; i < s->natom; ++i) {
        if (s->element[i] == 1 || whole_body(at->model, i) != ligand)
            continue;
        for (int j = 0; j < s->natom; ++j) {
            const int other = whole_body(at->model, j);
            if (s->element[j] == 1 || other == ligand)
                continue;
            const double d = v3_norm(v3_sub(v3_load(at->position + 3 * (size_t)i),
                                            v3_load(at->position + 3 * (size_t)j)));
            if (d < at->least) {
                at->least = d;
                at->pair[0] = i;
                at->pair[1] = j;
            }
            if (d < contact) {
                ++at->count[other];
                at->touch[s->atom_residue[j]] = true;
            }
        }
    }
}

static void name_atom(const cardo_structure *s, int atom, char *text, size_t size)
{
    char label[40];
    cardo_append(text, size, "%s %s", cardo_residue_label(s, s->atom_residue[atom], label),
                 s->atom_name[atom].text);
}

static cardo_status add_site(const site *at, cardo_result *row, cardo_error *error)
{
    static const cardo_quantity least = {"least_distance_A", "nearest heavy atoms", "A", ".2f"};
    const cardo_structure *s = at->model->structure[0].structure;
    char text[512] = "", pair[128] = "";
    char *residues = NULL;
    cardo_status status = CARDO_OK;
    cardo_result *contacts = cardo_result_table(row, "contacts", "body");
    for (int b = 0; b < at->model->nbody; ++b) {
        if (at->count[b] == 0)
            continue;
        cardo_append(text, sizeof text, "%s%d with %s", text[0] ? ", " : "", at->count[b],
                     at->model->body[b].name);
        cardo_result_row(contacts);
        cardo_result_text(contacts, &(cardo_quantity){"body"}, at->model->body[b].name);
        cardo_result_integer(contacts, &(cardo_quantity){"pairs"}, at->count[b]);
    }
    cardo_result_text(row, &(cardo_quantity){"contacts_in_words"},
                      text[0] ? text : "none with any body");
    if (text[0])
        status = cardo_selection_text(s, at->touch, &residues, error);
    if (residues)
        cardo_result_text(row, &(cardo_quantity){"site"}, residues);
    cardo_free(residues);
    if (status != CARDO_OK || !isfinite(at->least))
        return status;
    name_atom(s, at->pair[0], pair, sizeof pair);
    cardo_append(pair, sizeof pair, " - ");
    name_atom(s, at->pair[1], pair, sizeof pair);
    cardo_result_number(row, &least, at->least / CARDO_ANGSTROM);
    cardo_result_text(row, &(cardo_quantity){"nearest"}, pair);
    return status;
}

static cardo_status add_ligand(site *at, const cardo_model_ligand *ligand, double kelvin,
                               cardo_result *table, cardo_error *error)
{
    static const cardo_quantity name = {"name", .style = "-12s"};
    char words[WORDS];
    const cardo_model *model = at->model;
    const cardo_model_body *body = &model->body[ligand->body];
    cardo_result_row(table);
    cardo_result_text(table, &name, ligand->name);
    cardo_result_text(table, &(cardo_quantity){"residues"}, body->selection);
    cardo_result_text(table, &(cardo_quantity){"on"}, model->body[body->parent].name);
    cardo_result_text(table, &(cardo_quantity){"why"},
                      ligand->found ? "which it touches most" : "as the model says");
    cardo_result_text(table, &(cardo_quantity){"moves"}, ligand->free ? "free" : "welded");
    look_around(at, ligand->body);
    cardo_status status = add_site(at, table, error);
    hold_in_words(ligand, kelvin, words);
    if (words[0])
        cardo_result_text(table, &(cardo_quantity){"hold_in_words"}, words);
    if (ligand->is_held)
        add_restraint(ligand, kelvin, cardo_result_group(table, "restraint"));
    return status;
}

cardo_status cardo_ligands_fill(const cardo_session *session, double kelvin, cardo_result *into,
                                cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_model *model = session->model;
    const cardo_structure *s = model->structure[0].structure;
    site at = {.model = model};
    double *position = NULL;
    if (model->apo)
        cardo_result_text(into, &(cardo_quantity){"ligands_left_out"},
                          "the model's ligands are left out (model.ligands=none)");
    if (model->nligand == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&position, 3 * (size_t)s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&at.count, model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&at.touch, s->nresidue, error));
    CARDO_TRY(cardo_station_positions(session->system, session->state, position, error));
    at.position = position;
    cardo_result *table = cardo_result_table(into, "ligands", "ligand");
    for (int k = 0; k < model->nligand; ++k)
        CARDO_TRY(add_ligand(&at, &model->ligand[k], kelvin, table, error));
done:
    cardo_free(position);
    cardo_free(at.count);
    cardo_free(at.touch);
    return status;
}

void cardo_ligands_tell(const cardo_session *session, double kelvin, const char *about)
{
    const cardo_model *model = session->model;
    char words[WORDS];
    if (model->apo)
        cardo_tell(&session->listener, CARDO_SAID_NOTE, about,
                   "ligands are left out (model.ligands=none)");
    for (int k = 0; k < model->nligand; ++k) {
        hold_in_words(&model->ligand[k], kelvin, words);
        cardo_tell(&session->listener, CARDO_SAID_NOTE, about, "ligand %s on %s: %s",
                   model->ligand[k].name,
                   model->body[model->body[model->ligand[k].body].parent].name,
                   words[0] ? words : "welded");
    }
}
