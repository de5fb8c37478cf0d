#include "study/prepare/prepared.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "forces/ffxml/forcefield.h"
#include "forces/relax/relax.h"
#include "forces/relax/strain.h"
#include "structure/pdb/pdb.h"
#include "study/prepare/relaxing.h"
#include "study/session/inputs.h"
#include "topology/bonds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void cardo_prepared_clear(cardo_prepared *prepared)
{
    cardo_structure_destroy(prepared->structure);
    cardo_free(prepared->given_name);
    cardo_preparation_destroy(prepared->preparation);
    *prepared = (cardo_prepared){0};
}

const char *cardo_usual_forcefield(const cardo_structure *structure)
{
    for (int r = 0; r < structure->nresidue; ++r)
        if (cardo_residue_is_nucleic(structure->residue_name[r].text))
            return "ff99SB.xml";
    return "ff14SB.xml";
}

static int count_deuterium(const cardo_structure *s)
{
    int n = 0;
    for (int i = 0; i < s->natom; ++i)
        n += cardo_is_deuterium(s->element[i], s->atom_name[i].text);
    return n;
}

static cardo_status read_structure(const cardo_wanted *wanted, const char *templates,
                                   cardo_prepared *prepared, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(cardo_structure_read_altloc(wanted->input, &wanted->read,
                                          wanted->altloc ? wanted->altloc[0] : '\0',
                                          &prepared->structure, error));
    const cardo_structure *s = prepared->structure;
    CARDO_TRY(CARDO_ALLOCATE(&prepared->given_name, s->nresidue, error));
    memcpy(prepared->given_name, s->residue_name,
           (size_t)s->nresidue * sizeof *prepared->given_name);
    prepared->ndeuterium = count_deuterium(s);
    CARDO_TRY(cardo_normalise_names(prepared->structure, templates, error));
    prepared->ndeuterium -= count_deuterium(s);
done:
    return status;
}

static cardo_status prepare(const cardo_wanted *wanted, cardo_prepared *prepared,
                            cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *path = NULL;
    cardo_components components = {0};
    cardo_prepare_options options = wanted->options;
    options.given_name = prepared->given_name;
    options.ndeuterium = prepared->ndeuterium;
    CARDO_TRY(cardo_find_data("components.xml", NULL, "topologies", &path, error));
    CARDO_TRY(cardo_components_read(&components, path, error));
    CARDO_TRY(
        cardo_prepare(prepared->structure, &components, &options, &prepared->preparation, error));
done:
    cardo_components_clear(&components);
    cardo_free(path);
    return status;
}

/* What a force field of proteins and nucleic acids covers: the rest is left out while relaxing. */
static cardo_status polymers_of(const cardo_structure *s, cardo_structure **out, int **atom_of,
                                cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool *keep = NULL;
    int n = 0;
    CARDO_TRY(CARDO_ALLOCATE(&keep, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(atom_of, s->natom, error));
    for (int i = 0; i < s->natom; ++i) {
        const char *name = s->residue_name[s->atom_residue[i]].text;
        keep[i] = (cardo_residue_is_amino(name) || cardo_residue_is_nucleic(name)) &&
                  !s->hetero[s->atom_residue[i]];
        if (keep[i])
            (*atom_of)[n++] = i;
    }
    CARDO_TRY(cardo_structure_subset(s, keep, out, error));
done:
    cardo_free(keep);
    return status;
}

static cardo_status read_forcefield(const cardo_wanted *wanted, const cardo_structure *s,
                                    cardo_prepared *prepared, cardo_forcefield **out,
                                    cardo_error *error)
{
    const bool named = wanted->forcefield && wanted->forcefield[0];
    const char *list = named ? wanted->forcefield : cardo_usual_forcefield(s), *rest = list;
    char name[256];
    while (cardo_next_word(&rest, name, sizeof name)) {
        const size_t used = strlen(prepared->forcefield);
        snprintf(prepared->forcefield + used, sizeof prepared->forcefield - used, "%s%s",
                 used ? ", " : "", name);
    }
    return cardo_forcefield_read_list(list, out, error);
}

/* What relaxing works on: the polymers, and which of their atoms may move. */
typedef struct relaxing {
    cardo_structure *polymers;
    int *atom_of;  /* of the whole                             (natom) */
    bool *movable; /*                                          (natom) */
    cardo_bonds *bonds;
    cardo_terms *terms;
} relaxing;

static cardo_status assign_terms(const cardo_wanted *wanted, relaxing *r, const char *templates,
                                 cardo_prepared *prepared, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_forcefield *forcefield = NULL;
    const cardo_structure *s = r->polymers;
    CARDO_TRY(read_forcefield(wanted, s, prepared, &forcefield, error));
    CARDO_TRY(cardo_bonds_find(s, templates, &r->bonds, error));
    CARDO_TRY(cardo_forcefield_assign(forcefield, s, r->bonds, &r->terms, error));
    CARDO_TRY(cardo_relax_adapt_terms(r->terms, r->movable, error));
done:
    cardo_forcefield_destroy(forcefield);
    return status;
}

/* Was this residue inserted to close a break? */
static bool closes_break(const cardo_preparation *p, const char *label)
{
    for (int k = 0; k < p->nchange; ++k)
        if (p->change[k].topic == CARDO_TOPIC_BREAKS && p->change[k].kind == CARDO_CHANGE_ADDED &&
            strcmp(p->change[k].residue, label) == 0)
            return true;
    return false;
}

static bool is_backbone(const char *name)
{
    static const char *const names[] = {"N", "CA", "C", "O", "CB"};
    for (int k = 0; k < 5; ++k)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

/* The worst bond and angle of a set of atoms: how far off, and one of the set's atoms in it. */
typedef struct misfit {
    const bool *which;
    double off[2];
    int atom[2];
} misfit;

static void measure_misfit(void *context, const cardo_strained *term)
{
    misfit *m = context;
    const double off = fabs(term->value - term->ideal);
    if (term->kind > CARDO_STRAIN_ANGLE || off <= m->off[term->kind])
        return;
    for (int k = 0; k < term->natom; ++k)
        if (m->which[term->atom[k]]) {
            m->off[term->kind] = off;
            m->atom[term->kind] = term->atom[k];
        }
}

/* A break that was closed with bonds or angles of the backbone out of shape is none that can be closed. */
static cardo_status check_closed(const relaxing *r, const cardo_preparation *p, cardo_error *error)
{
    const double longest = 0.006, widest = 12 * CARDO_DEGREE;
    const cardo_structure *s = r->polymers;
    char label[40];
    bool *which = NULL;
    cardo_status status = CARDO_ALLOCATE(&which, s->natom, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < s->natom; ++i)
        which[i] = r->movable[i] && is_backbone(s->atom_name[i].text) &&
                   closes_break(p, cardo_residue_label(s, s->atom_residue[i], label));
    misfit worst = {.which = which};
    cardo_strained_visit(r->terms, s->position, measure_misfit, &worst);
    cardo_free(which);
    const double bond = worst.off[CARDO_STRAIN_BOND], angle = worst.off[CARDO_STRAIN_ANGLE];
    int atom = worst.atom[bond > longest ? CARDO_STRAIN_BOND : CARDO_STRAIN_ANGLE];
    if (bond <= longest && angle <= widest)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "%s: the break at %s cannot be closed: at its %s a bond would be off by %.2f A "
        "or an angle by %.0f degrees; report it or cap it instead (breaks)",
        s->source ? s->source : "structure", cardo_residue_label(s, s->atom_residue[atom], label),
        s->atom_name[atom].text, bond / CARDO_ANGSTROM, angle / CARDO_DEGREE);
}

static double moved_rms(const relaxing *r, const cardo_structure *whole, double *farthest)
{
    double sum = 0;
    int n = 0;
    *farthest = 0;
    for (int i = 0; i < r->polymers->natom; ++i) {
        double d = v3_norm(v3_sub(v3_load(r->polymers->position + 3 * (size_t)i),
                                  v3_load(whole->position + 3 * (size_t)r->atom_of[i])));
        *farthest = fmax(*farthest, d);
        sum += d * d;
        n += r->movable[i];
    }
    return n ? sqrt(sum / n) : 0;
}

/* How many there will be nobody knows. */
static bool tell_iteration(void *user, int done)
{
    const cardo_listener *listener = *(const cardo_listener *const *)user;
    if (listener && listener->progress)
        listener->progress(listener->user, "relaxing what was built, iteration", done, 0);
    return !(listener && listener->stop && *listener->stop);
}

static cardo_status relax(const cardo_wanted *wanted, const char *templates,
                          cardo_prepared *prepared, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_structure *whole = prepared->preparation->structure;
    relaxing r = {0};
    const cardo_listener *told = wanted->listener;
    const cardo_relax_listener listener = {&told, tell_iteration};
    CARDO_TRY(polymers_of(whole, &r.polymers, &r.atom_of, error));
    CARDO_TRY(CARDO_ALLOCATE(&r.movable, r.polymers->natom, error));
    for (int i = 0; i < r.polymers->natom; ++i) {
        r.movable[i] = prepared->preparation->built[r.atom_of[i]];
        prepared->nrelaxed += r.movable[i];
    }
    if (prepared->nrelaxed == 0)
        goto done;
    status = assign_terms(wanted, &r, templates, prepared, &prepared->not_relaxed);
    if (status != CARDO_OK) {
        status = status == CARDO_ERROR_MEMORY ? status : CARDO_OK;
        goto done;
    }
    const cardo_relaxing relaxing_of = {.structure = r.polymers,
                                        .bonds = r.bonds,
                                        .terms = r.terms,
                                        .movable = r.movable,
                                        .listener = &listener};
    CARDO_TRY(cardo_relaxing_run(&relaxing_of, &prepared->result, error));
    CARDO_TRY(check_closed(&r, prepared->preparation, error));
    prepared->moved = moved_rms(&r, whole, &prepared->moved_most);
    for (int i = 0; i < r.polymers->natom; ++i)
        memcpy(whole->position + 3 * (size_t)r.atom_of[i], r.polymers->position + 3 * (size_t)i,
               3 * sizeof *whole->position);
    prepared->relaxed = true;
done:
    cardo_terms_destroy(r.terms);
    cardo_bonds_destroy(r.bonds);
    cardo_structure_destroy(r.polymers);
    cardo_free(r.atom_of);
    cardo_free(r.movable);
    return status;
}

/* Places of the archive's precision, so that every format holds the same structure and reading it
 * again changes nothing. */
static void round_positions(cardo_preparation *p)
{
    const double place = 1e-3 * CARDO_ANGSTROM;
    for (int i = 0; i < 3 * p->structure->natom; ++i)
        if (p->built[i / 3])
            p->structure->position[i] = round(p->structure->position[i] / place) * place;
}

cardo_status cardo_prepared_make(const cardo_wanted *wanted, cardo_prepared *prepared,
                                 cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *templates = NULL;
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(read_structure(wanted, templates, prepared, error));
    CARDO_TRY(prepare(wanted, prepared, error));
    if (wanted->relax && !wanted->options.no_hydrogens)
        CARDO_TRY(relax(wanted, templates, prepared, error));
    if (wanted->options.close_breaks && !prepared->relaxed && prepared->nrelaxed > 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "breaks are closed only where what was built can be relaxed: %s",
                            prepared->not_relaxed.message);
    round_positions(prepared->preparation);
done:
    cardo_free(templates);
    return status;
}
