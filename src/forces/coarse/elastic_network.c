/* Elastic network: springs between near sites of different bodies, at rest in one structure. */
#include "base/memory.h"
#include "forces/coarse/kind.h"
#include "forces/coarse/sites.h"

#include <math.h>
#include <string.h>

typedef struct elastic_parameters {
    double cutoff, stiffness, unit_length;
    int power;
    char structure[CARDO_FIELD_STRING_SIZE];
} elastic_parameters;
_Static_assert(sizeof(elastic_parameters) <= CARDO_COARSE_PARAMETERS_SIZE, "room in coarse.c");

#define MEMBER(name) offsetof(elastic_parameters, name)
static const cardo_field fields[] = {
    {"cutoff", CARDO_FIELD_DOUBLE, MEMBER(cutoff), "nm", "1.5", 0.1, 100, NULL,
     "largest length of a spring"},
    {"stiffness", CARDO_FIELD_DOUBLE, MEMBER(stiffness), "kJ/mol/nm^2", "418.4", 1e-9, 1e9, NULL,
     "of a spring of unit-length"},
    {"power", CARDO_FIELD_INT, MEMBER(power), "", "0", 0, 12, NULL,
     "stiffness falls with length to this power; 0: all alike"},
    {"unit-length", CARDO_FIELD_DOUBLE, MEMBER(unit_length), "nm", "1", 0.01, 100, NULL,
     "the length that stiffness is of, where power is not 0"},
    {"structure", CARDO_FIELD_STRING, MEMBER(structure), "", "", 0, 0, NULL,
     "id of the structure at rest; empty: the first"},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};

static cardo_status find_structure(const cardo_model *model, const char *id, int *found,
                                   cardo_error *error)
{
    *found = 0;
    for (int k = 0; id[0] && k < model->nstructure; ++k) {
        *found = k;
        if (strcmp(model->structure[k].id, id) == 0)
            return CARDO_OK;
    }
    return id[0] ? CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "structure=\"%s\": the model has no structure of that id", id)
                 : CARDO_OK;
}

static cardo_status add_springs(const elastic_parameters *p, const double *position,
                                const bool *known, cardo_coarse_energy *energy, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_coarse_sites *sites = &energy->sites;
    for (int i = 0; i < sites->nsite; ++i)
        for (int j = sites->next[i]; j < sites->nsite && status == CARDO_OK; ++j) {
            double r = v3_norm(v3_sub(v3_load(position + 3 * i), v3_load(position + 3 * j)));
            if (!known[i] || !known[j] || r > p->cutoff)
                continue;
            cardo_coarse_pair spring = {
                {i, j}, CARDO_PAIR_SPRING, p->stiffness * pow(p->unit_length / r, p->power), r};
            status = cardo_coarse_add_pair(&energy->list[0], spring, error);
        }
    return status;
}

static cardo_status build(const cardo_coarse_source *source, cardo_coarse_energy *energy,
                          cardo_error *error)
{
    cardo_status status;
    const elastic_parameters *p = source->parameters;
    const cardo_model *model = source->model;
    double *position = NULL;
    bool *known = NULL;
    int structure;
    energy->nlist = energy->nterm = 1;
    energy->term_name[0] = "springs";
    CARDO_TRY(find_structure(model, p->structure, &structure, error));
    CARDO_TRY(CARDO_ALLOCATE(&position, 3 * (size_t)energy->sites.nsite, error));
    CARDO_TRY(CARDO_ALLOCATE(&known, energy->sites.nsite, error));
    CARDO_TRY(cardo_coarse_positions(model, &energy->sites, structure, position, known, error));
    CARDO_TRY(add_springs(p, position, known, energy, error));
    cardo_coarse_say(energy, "springs      %d between bodies, at rest in %s, up to %g nm",
                     energy->list[0].npair, model->structure[structure].id, p->cutoff);
    if (energy->list[0].npair == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "no two residues of different bodies are within %g nm; raise cutoff",
                            p->cutoff);
done:
    cardo_free(position);
    cardo_free(known);
    return status;
}

const cardo_coarse_kind cardo_coarse_elastic_network = {
    .name = "elastic-network",
    .file = "elastic-network.xml",
    .doc = "springs between the domains' near residues: a single well at one structure",
    .citation = "Tirion 1996, Phys. Rev. Lett. 77, 1905; Atilgan et al. 2001, Biophys. J. 80, 505",
    .fields = fields,
    .build = build,
};
