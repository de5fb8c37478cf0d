/* Kim and Hummer's residue-level energy: contacts of residue types and screened charges between rigid
 * domains, bonds and angles along flexible linkers. */
#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "forces/coarse/kind.h"
#include "forces/coarse/sites.h"

#include <math.h>
#include <string.h>

enum { LETTERS = 26, CORES = 0, CHARGES, LINKERS, LISTS };

/* A pair without contact energy still may not overlap: the core's share of kT. */
static const double bare_core = 0.01;

typedef struct kim_hummer_parameters {
    char model[CARDO_FIELD_STRING_SIZE];
    double lambda, shift, temperature, dielectric, debye_length;
    double bond_stiffness, bond_length;
    int separation;
} kim_hummer_parameters;
_Static_assert(sizeof(kim_hummer_parameters) <= CARDO_COARSE_PARAMETERS_SIZE, "room in coarse.c");

#define MEMBER(name) offsetof(kim_hummer_parameters, name)
static const cardo_field fields[] = {
    {"model", CARDO_FIELD_STRING, MEMBER(model), "", "A", 0, 0, NULL,
     "A to F: lambda and shift of that model, all residues taken as exposed"},
    {"lambda", CARDO_FIELD_DOUBLE, MEMBER(lambda), "", "0", 0, 100, NULL,
     "scale of contact energies; 0: the model's"},
    {"shift", CARDO_FIELD_DOUBLE, MEMBER(shift), "kT", "0", -100, 0, NULL,
     "of contact energies, where lambda is given"},
    {"temperature", CARDO_FIELD_DOUBLE, MEMBER(temperature), "K", "300", 1, 1e4, NULL,
     "of the kT that contact energies are in"},
    {"dielectric", CARDO_FIELD_DOUBLE, MEMBER(dielectric), "", "80", 1, 1e4, NULL,
     "constant of the solvent"},
    {"debye-length", CARDO_FIELD_DOUBLE, MEMBER(debye_length), "nm", "1", 0.01, 1e6, NULL,
     "of the screening of charges; 1 nm: 100 mM salt"},
    {"bond-stiffness", CARDO_FIELD_DOUBLE, MEMBER(bond_stiffness), "kJ/mol/nm^2", "158155.2", 0,
     1e9, NULL, "of bonds between C-alpha atoms along a linker"},
    {"bond-length", CARDO_FIELD_DOUBLE, MEMBER(bond_length), "nm", "0.381", 0.1, 1, NULL,
     "of those bonds"},
    {"separation", CARDO_FIELD_INT, MEMBER(separation), "", "4", 1, 100, NULL,
     "residues of one chain nearer than this along it have no contact"},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};

/* The data file's tables by one-letter code, and what is being built. */
typedef struct builder {
    const cardo_coarse_source *source;
    const kim_hummer_parameters *p;
    cardo_coarse_energy *energy;
    double lambda, shift;
    double diameter[LETTERS], charge[LETTERS]; /* diameter 0: no such residue */
    double contact[LETTERS][LETTERS];          /* kT; 0: not given            */
    int *letter;                               /* of each site                */
} builder;

static cardo_status fail_at(const builder *b, const cardo_xml_element *element, const char *what,
                            cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s:%d: %s", cardo_xml_path(b->source->document),
                      cardo_xml_line(element), what);
}

static cardo_status read_letter(const builder *b, const cardo_xml_element *element,
                                const char *name, int *letter, cardo_error *error)
{
    const char *text;
    cardo_status status = cardo_xml_need(b->source->document, element, name, &text, error);
    if (status != CARDO_OK)
        return status;
    *letter = text[0] - 'A';
    return *letter >= 0 && *letter < LETTERS && !text[1]
               ? CARDO_OK
               : fail_at(b, element, "a residue is named by one capital letter", error);
}

static cardo_status read_residues(builder *b, cardo_error *error)
{
    const cardo_xml *document = b->source->document;
    const cardo_xml_element *e = cardo_xml_child(b->source->root, "Residue");
    cardo_status status = CARDO_OK;
    for (; e && status == CARDO_OK; e = cardo_xml_next(e, "Residue")) {
        int letter;
        CARDO_TRY(read_letter(b, e, "letter", &letter, error));
        CARDO_TRY(cardo_xml_double(document, e, "diameter", &b->diameter[letter], error));
        CARDO_TRY(cardo_xml_double(document, e, "charge", &b->charge[letter], error));
        if (!(b->diameter[letter] > 0))
            status = fail_at(b, e, "a diameter must be positive", error);
    }
done:
    return status;
}

/* "C -5.44, M -4.99": energies of one residue with others. */
static cardo_status read_row(builder *b, const cardo_xml_element *e, int of, const char *text,
                             cardo_error *error)
{
    for (const char *item = text; *(item += strspn(item, " ,\n"));) {
        int length = (int)strcspn(item, ","), other = item[0] - 'A';
        double energy;
        if (other < 0 || other >= LETTERS || !cardo_parse_double(item + 1, length - 1, &energy))
            return fail_at(b, e, "write energies as \"C -5.44, M -4.99\"", error);
        b->contact[of][other] = b->contact[other][of] = energy;
        item += length;
    }
    return CARDO_OK;
}

static cardo_status read_contacts(builder *b, cardo_error *error)
{
    const cardo_xml_element *e = cardo_xml_child(b->source->root, "Contacts");
    cardo_status status = CARDO_OK;
    for (; e && status == CARDO_OK; e = cardo_xml_next(e, "Contacts")) {
        const char *text;
        int letter;
        CARDO_TRY(read_letter(b, e, "of", &letter, error));
        CARDO_TRY(cardo_xml_need(b->source->document, e, "energies", &text, error));
        CARDO_TRY(read_row(b, e, letter, text, error));
    }
done:
    return status;
}

static cardo_status read_model(builder *b, cardo_error *error)
{
    const cardo_xml *document = b->source->document;
    const cardo_xml_element *e = cardo_xml_child(b->source->root, "Model");
    if (b->p->lambda > 0) {
        b->lambda = b->p->lambda;
        b->shift = b->p->shift;
        return CARDO_OK;
    }
    for (; e; e = cardo_xml_next(e, "Model")) {
        const char *name = cardo_xml_attribute(e, "name");
        if (!name || strcmp(name, b->p->model) != 0)
            continue;
        cardo_status status = cardo_xml_double(document, e, "lambda", &b->lambda, error);
        return status == CARDO_OK ? cardo_xml_double(document, e, "shift", &b->shift, error)
                                  : status;
    }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s has no model \"%s\"; it has A to F",
                      cardo_xml_path(document), b->p->model);
}

static cardo_status read_angle(builder *b, cardo_error *error)
{
    const cardo_xml *document = b->source->document;
    const cardo_xml_element *e = cardo_xml_child(b->source->root, "Angle");
    cardo_coarse_angle_rule *rule = &b->energy->angle_rule;
    cardo_status status;
    if (!e)
        return fail_at(b, b->source->root, "there is no <Angle>", error);
    CARDO_TRY(cardo_xml_double(document, e, "steepness", &rule->steepness, error));
    CARDO_TRY(cardo_xml_double(document, e, "k-helix", &rule->k_helix, error));
    CARDO_TRY(cardo_xml_double(document, e, "k-strand", &rule->k_strand, error));
    CARDO_TRY(cardo_xml_double(document, e, "helix", &rule->helix, error));
    CARDO_TRY(cardo_xml_double(document, e, "strand", &rule->strand, error));
    CARDO_TRY(cardo_xml_double(document, e, "above", &rule->above, error));
    if (!(rule->steepness > 0))
        status = fail_at(b, e, "steepness must be positive", error);
done:
    return status;
}

static cardo_status find_letters(builder *b, cardo_error *error)
{
    const cardo_structure *s = b->source->model->structure[0].structure;
    const cardo_coarse_sites *sites = &b->energy->sites;
    cardo_status status = CARDO_ALLOCATE(&b->letter, sites->nsite, error);
    for (int i = 0; status == CARDO_OK && i < sites->nsite; ++i) {
        const char *name = s->residue_name[sites->residue[i]].text;
        char letter = cardo_residue_letter(name), label[40];
        /* Nucleotides have letters too, and no diameter would tell them from amino acids. */
        b->letter[i] = cardo_residue_is_nucleic(name) ? 'X' - 'A' : letter - 'A';
        if (b->letter[i] < 0 || b->letter[i] >= LETTERS || !(b->diameter[b->letter[i]] > 0))
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                "residue %s is none of the amino acids of %s; leave it out of the "
                                "structure, or choose another energy",
                                cardo_residue_label(s, sites->residue[i], label),
                                cardo_xml_path(b->source->document));
    }
    return status;
}

static cardo_status add_charges(builder *b, int i, int j, cardo_error *error)
{
    double product = b->charge[b->letter[i]] * b->charge[b->letter[j]];
    cardo_coarse_pair pair = {
        {i, j}, CARDO_PAIR_CHARGES, CARDO_COULOMB * product / b->p->dielectric, b->p->debye_length};
    return product == 0 ? CARDO_OK : cardo_coarse_add_pair(&b->energy->list[CHARGES], pair, error);
}

static cardo_status add_contacts(builder *b, cardo_error *error)
{
    cardo_coarse_energy *energy = b->energy;
    const cardo_coarse_sites *sites = &energy->sites;
    const double kT = CARDO_BOLTZMANN * b->p->temperature;
    const size_t npair = energy->row[sites->nsite];
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&energy->depth4, npair, error));
    CARDO_TRY(CARDO_ALLOCATE(&energy->sigma2, npair, error));
    CARDO_TRY(CARDO_ALLOCATE(&energy->hump, npair, error));
    for (int i = 0; i < sites->nsite; ++i)
        for (int j = sites->next[i]; j < sites->nsite; ++j) {
            const size_t pair = energy->row[i] + (size_t)(j - sites->next[i]);
            const int a = b->letter[i], c = b->letter[j];
            if (cardo_coarse_separation(b->source->model, sites, i, j) < b->p->separation)
                continue;
            double sigma = 0.5 * (b->diameter[a] + b->diameter[c]);
            double epsilon = b->lambda * (b->contact[a][c] - b->shift) * kT;
            energy->sigma2[pair] = sigma * sigma;
            energy->depth4[pair] = 4 * fabs(epsilon);
            energy->hump[pair] = epsilon > 0;
            const cardo_coarse_pair core = {{i, j}, CARDO_PAIR_CORE, bare_core * kT, sigma};
            if (epsilon == 0)
                CARDO_TRY(cardo_coarse_add_pair(&energy->list[CORES], core, error));
            CARDO_TRY(add_charges(b, i, j, error));
        }
done:
    return status;
}

/* The site of the next residue along the chain, or -1. */
static int following(const builder *b, const int *site_of, int i)
{
    const cardo_structure *s = b->source->model->structure[0].structure;
    int r = b->energy->sites.residue[i];
    return r + 1 < s->nresidue && s->residue_chain[r + 1] == s->residue_chain[r] ? site_of[r + 1]
                                                                                 : -1;
}

/* Bonds where the chain goes from body to body without a joint that holds them; angles where one of
 * three residues is part of a flexible piece, or one of the bonds is such. */
static cardo_status add_linkers(builder *b, const int *site_of, cardo_error *error)
{
    const cardo_model *model = b->source->model;
    cardo_coarse_energy *energy = b->energy;
    const int *body = energy->sites.body;
    cardo_status status = CARDO_OK;
    for (int i = 0; i < energy->sites.nsite; ++i) {
        int j = following(b, site_of, i), k = j < 0 ? -1 : following(b, site_of, j);
        if (j < 0)
            continue;
        bool loose = body[i] != body[j] && !cardo_coarse_is_held(model, body[i], body[j]);
        cardo_coarse_pair bond = {
            {i, j}, CARDO_PAIR_SPRING, b->p->bond_stiffness, b->p->bond_length};
        if (loose)
            CARDO_TRY(cardo_coarse_add_pair(&energy->list[LINKERS], bond, error));
        if (k < 0 || (body[i] == body[j] && body[j] == body[k]))
            continue;
        loose = loose || (body[j] != body[k] && !cardo_coarse_is_held(model, body[j], body[k]));
        if (!loose && !model->body[body[i]].piece && !model->body[body[j]].piece &&
            !model->body[body[k]].piece)
            continue;
        CARDO_TRY(
            CARDO_RESERVE(&energy->angle, &energy->angle_capacity, energy->nangle + 1, error));
        energy->angle[energy->nangle++] = (cardo_coarse_angle){{i, j, k}};
    }
done:
    return status;
}

static cardo_status find_linkers(builder *b, cardo_error *error)
{
    const cardo_structure *s = b->source->model->structure[0].structure;
    const cardo_coarse_sites *sites = &b->energy->sites;
    int *site_of;
    cardo_status status = CARDO_ALLOCATE(&site_of, s->nresidue, error);
    if (status != CARDO_OK)
        return status;
    for (int r = 0; r < s->nresidue; ++r)
        site_of[r] = -1;
    for (int i = 0; i < sites->nsite; ++i)
        site_of[sites->residue[i]] = i;
    status = add_linkers(b, site_of, error);
    cardo_free(site_of);
    return status;
}

static void describe(const builder *b)
{
    cardo_coarse_energy *energy = b->energy;
    cardo_coarse_say(energy,
                     "contacts     lambda %g, shift %g kT, kT of %g K; every residue exposed",
                     b->lambda, b->shift, b->p->temperature);
    cardo_coarse_say(energy, "charges      %d pairs, dielectric %g, Debye length %g nm",
                     energy->list[CHARGES].npair, b->p->dielectric, b->p->debye_length);
    cardo_coarse_say(energy, "linkers      %d bonds and %d angles between bodies",
                     energy->list[LINKERS].npair, energy->nangle);
}

static cardo_status build(const cardo_coarse_source *source, cardo_coarse_energy *energy,
                          cardo_error *error)
{
    cardo_status status;
    builder b = {.source = source, .p = source->parameters, .energy = energy};
    energy->nlist = LISTS;
    energy->nterm = LISTS + 1;
    energy->term_name[0] = "contacts";
    energy->term_name[1 + CORES] = "core";
    energy->term_name[1 + CHARGES] = "charges";
    energy->term_name[1 + LINKERS] = "linkers";
    CARDO_TRY(read_residues(&b, error));
    CARDO_TRY(read_contacts(&b, error));
    CARDO_TRY(read_model(&b, error));
    CARDO_TRY(read_angle(&b, error));
    CARDO_TRY(find_letters(&b, error));
    CARDO_TRY(add_contacts(&b, error));
    CARDO_TRY(find_linkers(&b, error));
    describe(&b);
done:
    cardo_free(b.letter);
    return status;
}

const cardo_coarse_kind cardo_coarse_kim_hummer = {
    .name = "kim-hummer",
    .file = "kim-hummer.xml",
    .doc = "contacts of residue types and screened charges between domains and along linkers",
    .citation =
        "Kim & Hummer 2008, J. Mol. Biol. 375, 1416; Miyazawa & Jernigan 1996, J. Mol. Biol. "
        "256, 623",
    .fields = fields,
    .build = build,
};
