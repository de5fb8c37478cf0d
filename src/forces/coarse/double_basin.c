/* Double-basin Go energy: contacts of each structure as wells of its basin, mixed exponentially. */
#include "base/memory.h"
#include "base/number.h"
#include "forces/coarse/kind.h"
#include "forces/coarse/native.h"
#include "forces/coarse/profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONTACTS_AUTO, CONTACTS_HEAVY, CONTACTS_CALPHA, POINTS = 1501 };

typedef struct double_basin_parameters {
    double barrier, difference, mixing, contact_energy;
    double heavy_cutoff, calpha_cutoff;
    double core_ratio, core_diameter;
    double chain_ratio[3];
    int contacts, separation;
    char structures[CARDO_FIELD_STRING_SIZE];
} double_basin_parameters;
_Static_assert(sizeof(double_basin_parameters) <= CARDO_COARSE_PARAMETERS_SIZE, "room in coarse.c");

static const char *const contact_rules[] = {"auto", "heavy", "calpha", NULL};

#define MEMBER(name) offsetof(double_basin_parameters, name)
static const cardo_field fields[] = {
    {"barrier", CARDO_FIELD_DOUBLE, MEMBER(barrier), "kJ/mol", "20", 0, 1e6, NULL,
     "height of the ridge above the first well, along the paths"},
    {"difference", CARDO_FIELD_DOUBLE, MEMBER(difference), "kJ/mol", "0", -1e6, 1e6, NULL,
     "of the last well above the first"},
    {"mixing", CARDO_FIELD_DOUBLE, MEMBER(mixing), "kJ/mol", "2.5", 1e-6, 1e6, NULL,
     "mixing energy: how much the ridge between two basins is rounded"},
    {"contact-energy", CARDO_FIELD_DOUBLE, MEMBER(contact_energy), "kJ/mol", "0", 0, 1e6, NULL,
     "depth of a native contact; 0: found from barrier"},
    {"contacts", CARDO_FIELD_CHOICE, MEMBER(contacts), "", "auto", 0, 0, contact_rules,
     "native contacts by heavy atoms, by C-alpha atoms, or by heavy atoms where all structures "
     "have side chains"},
    {"heavy-cutoff", CARDO_FIELD_DOUBLE, MEMBER(heavy_cutoff), "nm", "0.45", 0.1, 5, NULL,
     "largest distance of two heavy atoms in contact"},
    {"calpha-cutoff", CARDO_FIELD_DOUBLE, MEMBER(calpha_cutoff), "nm", "0.8", 0.1, 5, NULL,
     "largest distance of two C-alpha atoms in contact"},
    {"core-ratio", CARDO_FIELD_DOUBLE, MEMBER(core_ratio), "", "1", 0, 1e6, NULL,
     "energy of two residues not in contact at core-diameter, in contact energies"},
    {"core-diameter", CARDO_FIELD_DOUBLE, MEMBER(core_diameter), "nm", "0.4", 0.01, 5, NULL,
     "of a residue"},
    {"bond-ratio", CARDO_FIELD_DOUBLE, MEMBER(chain_ratio[0]), "1/nm^2", "20000", 0, 1e9, NULL,
     "stiffness of the chain where no joint holds it, in contact energies: of residues next to "
     "each "
     "other"},
    {"angle-ratio", CARDO_FIELD_DOUBLE, MEMBER(chain_ratio[1]), "1/nm^2", "700", 0, 1e9, NULL,
     "the same of those two apart"},
    {"torsion-ratio", CARDO_FIELD_DOUBLE, MEMBER(chain_ratio[2]), "1/nm^2", "140", 0, 1e9, NULL,
     "the same of those three apart"},
    {"separation", CARDO_FIELD_INT, MEMBER(separation), "", "4", 1, 100, NULL,
     "residues of one chain nearer than this along it have neither contact nor core"},
    {"structures", CARDO_FIELD_STRING, MEMBER(structures), "", "", 0, 0, NULL,
     "ids of the structures that make basins; empty: the first and the last"},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};

/* Working memory of the building. */
typedef struct builder {
    const cardo_model *model;
    const double_basin_parameters *p;
    cardo_coarse_energy *energy;
    cardo_native_rules rules;
    int structure[CARDO_COARSE_MOST_BASINS];
    bool *contact[CARDO_COARSE_MOST_BASINS];    /* of every pair of the rows               */
    double *position[CARDO_COARSE_MOST_BASINS]; /* of the sites                  (nsite x 3) */
    bool *known[CARDO_COARSE_MOST_BASINS];      /*                                   (nsite) */
    int nspring;                                /* along the chain */
} builder;

static cardo_status add_structure(builder *b, const char *id, int length, cardo_error *error)
{
    const cardo_model *model = b->model;
    char ids[256] = "";
    for (int k = 0; k < model->nstructure; ++k)
        if (strlen(model->structure[k].id) == (size_t)length &&
            memcmp(model->structure[k].id, id, (size_t)length) == 0) {
            if (b->energy->nbasin == CARDO_COARSE_MOST_BASINS)
                return CARDO_FAIL(error, CARDO_ERROR_INPUT, "at most %d structures make basins",
                                  CARDO_COARSE_MOST_BASINS);
            b->structure[b->energy->nbasin++] = k;
            return CARDO_OK;
        }
    for (int k = 0; k < model->nstructure; ++k)
        snprintf(ids + strlen(ids), sizeof ids - strlen(ids), " %s", model->structure[k].id);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "structures=\"%s\": there is no structure '%.*s'; there are%s",
                      b->p->structures, length, id, ids);
}

static cardo_status choose_structures(builder *b, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *text = b->p->structures;
    for (; *(text += strspn(text, " ,")) && status == CARDO_OK; text += strcspn(text, " ,"))
        status = add_structure(b, text, (int)strcspn(text, " ,"), error);
    if (status != CARDO_OK || b->energy->nbasin > 0)
        return status;
    b->structure[0] = 0;
    b->structure[1] = b->model->nstructure - 1;
    b->energy->nbasin = b->model->nstructure > 1 ? 2 : 1;
    return CARDO_OK;
}

static void choose_rules(builder *b)
{
    bool heavy = b->p->contacts != CONTACTS_CALPHA;
    for (int k = 0; k < b->energy->nbasin && b->p->contacts == CONTACTS_AUTO; ++k)
        heavy =
            heavy && cardo_native_has_side_chains(b->model->structure[b->structure[k]].structure);
    b->rules = (cardo_native_rules){
        .calpha = !heavy,
        .cutoff = heavy ? b->p->heavy_cutoff : b->p->calpha_cutoff,
        .separation = b->p->separation,
    };
}

static cardo_status look_at_structures(builder *b, cardo_error *error)
{
    cardo_status status;
    const cardo_coarse_energy *energy = b->energy;
    const int n = energy->sites.nsite;
    for (int k = 0; k < energy->nbasin; ++k) {
        CARDO_TRY(cardo_copy_string(&b->energy->basin[k].name,
                                    b->model->structure[b->structure[k]].id, error));
        CARDO_TRY(CARDO_ALLOCATE(&b->contact[k], energy->row[n], error));
        CARDO_TRY(CARDO_ALLOCATE(&b->position[k], 3 * (size_t)n, error));
        CARDO_TRY(CARDO_ALLOCATE(&b->known[k], n, error));
        CARDO_TRY(cardo_native_contacts(b->model, energy, b->structure[k], &b->rules, b->contact[k],
                                        error));
        CARDO_TRY(cardo_coarse_positions(b->model, &energy->sites, b->structure[k], b->position[k],
                                         b->known[k], error));
    }
    status = CARDO_OK;
done:
    return status;
}

/* Is a pair in contact in any basin, and known to all? */
static bool is_native(const builder *b, int i, int j, size_t pair)
{
    bool native = false;
    for (int k = 0; k < b->energy->nbasin; ++k) {
        if (!b->known[k][i] || !b->known[k][j])
            return false;
        native = native || b->contact[k][pair];
    }
    return native;
}

static cardo_status add_native(builder *b, int i, int j, size_t pair, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < b->energy->nbasin && status == CARDO_OK; ++k) {
        const double *x = b->position[k];
        cardo_coarse_pair term = {{i, j}, CARDO_PAIR_CORE, b->p->core_ratio, b->p->core_diameter};
        if (b->contact[k][pair]) {
            term.shape = CARDO_PAIR_CONTACT;
            term.energy = 1;
            term.length = v3_norm(v3_sub(v3_load(x + 3 * i), v3_load(x + 3 * j)));
        }
        status = cardo_coarse_add_pair(&b->energy->basin[k].pairs, term, error);
    }
    return status;
}

/* Springs along the chain where no joint holds it, each basin's at its own lengths. */
static cardo_status add_chain(builder *b, int i, int j, int separation, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_model *model = b->model;
    const int *body = b->energy->sites.body;
    bool pieces = separation > 1 && (model->body[body[i]].piece || model->body[body[j]].piece);
    if (separation > 3 || (!pieces && cardo_coarse_is_held(model, body[i], body[j])))
        return CARDO_OK;
    for (int k = 0; k < b->energy->nbasin; ++k)
        if (!b->known[k][i] || !b->known[k][j])
            return CARDO_OK;
    for (int k = 0; k < b->energy->nbasin && status == CARDO_OK; ++k) {
        const double *x = b->position[k];
        cardo_coarse_pair spring = {{i, j},
                                    CARDO_PAIR_SPRING,
                                    b->p->chain_ratio[separation - 1],
                                    v3_norm(v3_sub(v3_load(x + 3 * i), v3_load(x + 3 * j)))};
        status = cardo_coarse_add_pair(&b->energy->basin[k].pairs, spring, error);
    }
    ++b->nspring;
    return status;
}

/* All pairs, with contacts of depth 1. */
static cardo_status add_pairs(builder *b, cardo_error *error)
{
    cardo_coarse_energy *energy = b->energy;
    const cardo_coarse_sites *sites = &energy->sites;
    const double core = b->p->core_ratio * pow(b->p->core_diameter, 12);
    cardo_status status = CARDO_ALLOCATE(&energy->core, energy->row[sites->nsite], error);
    for (int i = 0; i < sites->nsite; ++i)
        for (int j = sites->next[i]; j < sites->nsite && status == CARDO_OK; ++j) {
            size_t pair = energy->row[i] + (size_t)(j - sites->next[i]);
            int separation = cardo_coarse_separation(b->model, sites, i, j);
            status = add_chain(b, i, j, separation, error);
            if (separation < b->p->separation || status != CARDO_OK)
                continue;
            if (is_native(b, i, j, pair))
                status = add_native(b, i, j, pair, error);
            else
                energy->core[pair] = core;
        }
    return status;
}

static int count_contacts(const cardo_coarse_basin *basin)
{
    int n = 0;
    for (int k = 0; k < basin->pairs.npair; ++k)
        n += basin->pairs.pair[k].shape == CARDO_PAIR_CONTACT;
    return n;
}

static cardo_status check_contacts(const builder *b, cardo_error *error)
{
    const cardo_coarse_energy *energy = b->energy;
    for (int k = 0; k < energy->nbasin; ++k)
        if (count_contacts(&energy->basin[k]) == 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "no two residues of different bodies are in contact in structure "
                              "'%s', so it has no basin; raise %s",
                              energy->basin[k].name,
                              b->rules.calpha ? "calpha-cutoff" : "heavy-cutoff");
    return CARDO_OK;
}

static void describe_contacts(const builder *b)
{
    const cardo_coarse_energy *energy = b->energy;
    char text[256] = "contacts";
    int shared = 0;
    for (int i = 0; energy->nbasin > 1 && i < energy->basin[0].pairs.npair; ++i) {
        int in = 0;
        for (int k = 0; k < energy->nbasin; ++k)
            in += energy->basin[k].pairs.pair[i].shape == CARDO_PAIR_CONTACT;
        shared += in == energy->nbasin;
    }
    for (int k = 0; k < energy->nbasin; ++k)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s %d in %s", k ? "," : "    ",
                 count_contacts(&energy->basin[k]), energy->basin[k].name);
    if (energy->nbasin > 1)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", of them %d in all", shared);
    cardo_format(text + strlen(text), sizeof text - strlen(text), " (%s within %g nm)",
                 b->rules.calpha ? "C-alpha" : "heavy atoms", b->rules.cutoff);
    cardo_coarse_say(b->energy, "%s", text);
    if (b->nspring > 0)
        cardo_coarse_say(b->energy, "chain        %d springs where no joint holds it", b->nspring);
}

static void describe_mixture(cardo_coarse_energy *energy, double contact_energy)
{
    char text[256];
    cardo_format(text, sizeof text, "energies     %.6g kJ/mol a contact, %.6g kJ/mol of mixing",
                 contact_energy, energy->mixing);
    for (int k = 1; k < energy->nbasin; ++k)
        cardo_format(text + strlen(text), sizeof text - strlen(text), "; offset of %s %+.6g kJ/mol",
                     energy->basin[k].name, energy->basin[k].offset);
    cardo_coarse_say(energy, "%s", text);
}

static void describe_wells(cardo_coarse_energy *energy, const cardo_coarse_wells *wells)
{
    cardo_coarse_say(
        energy,
        "wells        at %.4f and %.4f of the path, the second %+.3f kJ/mol above the first",
        wells->well[0], wells->well[1], wells->energy[1] - wells->energy[0]);
    cardo_coarse_say(energy, "barrier      %.3f kJ/mol above the first well, at %.4f",
                     wells->ridge_energy - wells->energy[0], wells->ridge);
}

/* Multiplies all energies; of pairs, that is, not offsets and mixing. */
static void scale_energies(cardo_coarse_energy *energy, double scale)
{
    for (size_t k = 0; k < energy->row[energy->sites.nsite]; ++k)
        energy->core[k] *= scale;
    for (int k = 0; k < energy->nbasin; ++k)
        for (int i = 0; i < energy->basin[k].pairs.npair; ++i)
            energy->basin[k].pairs.pair[i].energy *= scale;
}

/* Two basins along a path: contact energy and offset such that wells and barrier are as wanted. */
static cardo_status fit_wells(const builder *b, double *contact_energy, cardo_error *error)
{
    cardo_status status;
    cardo_coarse_energy *energy = b->energy;
    cardo_coarse_profile profile = {0};
    cardo_coarse_mixture mixture = {.scale = *contact_energy, .mixing = energy->mixing};
    double *values = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&values, POINTS, error));
    CARDO_TRY(cardo_coarse_profile_make(b->model, energy, POINTS, &profile, error));
    if (*contact_energy > 0)
        energy->wells.two = cardo_coarse_profile_level(&profile, b->p->difference, &mixture,
                                                       &energy->wells, values);
    else
        CARDO_TRY(cardo_coarse_profile_solve(&profile, b->p->barrier, b->p->difference, &mixture,
                                             &energy->wells, error));
    *contact_energy = mixture.scale;
    energy->basin[1].offset = mixture.offset[1];
done:
    cardo_coarse_profile_clear(&profile);
    cardo_free(values);
    return status;
}

/* Energy of basin k where its own structure has the sites, without its offset. */
static cardo_status energy_at_home(const builder *b, int k, double *depth, cardo_error *error)
{
    const cardo_coarse_energy *energy = b->energy;
    cardo_coarse_work work;
    cardo_status status = cardo_coarse_work_create(energy, &work, error);
    for (int i = 0; status == CARDO_OK && i < 3 * energy->sites.nsite; ++i)
        work.position[i % 3 * work.stride + i / 3] = b->position[k][i];
    if (status == CARDO_OK)
        status = cardo_coarse_evaluate(energy, &work, error);
    *depth = work.term[0] + work.basin[k] - energy->basin[k].offset;
    cardo_coarse_work_clear(&work);
    return status;
}

/* Offsets by the energies of the structures themselves: without a path, or of more than two. */
static cardo_status level_structures(const builder *b, cardo_error *error)
{
    cardo_coarse_energy *energy = b->energy;
    double depth[CARDO_COARSE_MOST_BASINS];
    cardo_status status = CARDO_OK;
    for (int k = 0; k < energy->nbasin && status == CARDO_OK; ++k) {
        status = energy_at_home(b, k, &depth[k], error);
        if (status == CARDO_OK)
            energy->basin[k].offset =
                b->p->difference * k / fmax(1, energy->nbasin - 1) - (depth[k] - depth[0]);
    }
    return status;
}

static cardo_status mix_basins(builder *b, cardo_error *error)
{
    cardo_coarse_energy *energy = b->energy;
    double contact_energy = b->p->contact_energy;
    bool fits = energy->nbasin == 2 && cardo_coarse_has_path(b->model);
    cardo_status status = CARDO_OK;
    energy->mixing = b->p->mixing;
    if (!fits && !(contact_energy > 0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a barrier is measured between two basins along a <path>, and here %s: "
                          "give contact-energy instead",
                          energy->nbasin == 2 ? "is no path" : "are not two basins");
    if (fits)
        status = fit_wells(b, &contact_energy, error);
    if (status != CARDO_OK)
        return status;
    scale_energies(energy, contact_energy);
    if (!energy->wells.two)
        status = level_structures(b, error);
    describe_mixture(energy, contact_energy);
    if (energy->wells.two)
        describe_wells(energy, &energy->wells);
    return status;
}

static cardo_status build(const cardo_coarse_source *source, cardo_coarse_energy *energy,
                          cardo_error *error)
{
    cardo_status status;
    builder b = {.model = source->model, .p = source->parameters, .energy = energy};
    energy->nterm = 2;
    energy->term_name[0] = "core";
    CARDO_TRY(choose_structures(&b, error));
    energy->term_name[1] = energy->nbasin > 1 ? "basins" : "basin";
    choose_rules(&b);
    energy->mixing = b.p->mixing;
    CARDO_TRY(look_at_structures(&b, error));
    CARDO_TRY(add_pairs(&b, error));
    CARDO_TRY(check_contacts(&b, error));
    describe_contacts(&b);
    CARDO_TRY(mix_basins(&b, error));
done:
    for (int k = 0; k < CARDO_COARSE_MOST_BASINS; ++k) {
        cardo_free(b.contact[k]);
        cardo_free(b.position[k]);
        cardo_free(b.known[k]);
    }
    return status;
}

const cardo_coarse_kind cardo_coarse_double_basin = {
    .name = "double-basin",
    .file = "double-basin.xml",
    .doc = "Go energy with a basin at each of two structures, mixed exponentially",
    .citation = "Best, Chen & Hummer 2005, Structure 13, 1755; Clementi, Nymeyer & Onuchic 2000, "
                "J. Mol. Biol. 298, 937",
    .fields = fields,
    .build = build,
};
