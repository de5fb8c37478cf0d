#include "cli/prepared.h"

#include "base/memory.h"
#include "base/text.h"
#include "cli/json.h"
#include "forcefield/forcefield.h"
#include "forcefield/openmm.h"
#include "forcefield/relax.h"
#include "structure/pdb.h"
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

static cardo_status read_structure(const cardo_wanted *wanted, const char *templates,
                                   cardo_prepared *prepared, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(cardo_structure_read_altloc(wanted->input, wanted->model,
                                          wanted->altloc ? wanted->altloc[0] : '\0',
                                          &prepared->structure, error));
    const cardo_structure *s = prepared->structure;
    CARDO_TRY(CARDO_ALLOCATE(&prepared->given_name, s->nresidue, error));
    memcpy(prepared->given_name, s->residue_name,
           (size_t)s->nresidue * sizeof *prepared->given_name);
    CARDO_TRY(cardo_normalise_names(prepared->structure, templates, error));
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

static bool has_nucleic(const cardo_structure *s)
{
    for (int r = 0; r < s->nresidue; ++r)
        if (cardo_residue_is_nucleic(s->residue_name[r].text))
            return true;
    return false;
}

static cardo_status read_forcefield(const cardo_wanted *wanted, const cardo_structure *s,
                                    cardo_prepared *prepared, cardo_forcefield **out,
                                    cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *usual = has_nucleic(s) ? "ff99SB.xml" : "ff14SB.xml";
    int n = wanted->nforcefield ? wanted->nforcefield : 1, found = 0;
    char *paths[CARDO_MOST_GIVEN] = {NULL};
    for (; found < n; ++found) {
        const char *name = wanted->nforcefield ? wanted->forcefield[found] : usual;
        CARDO_TRY(cardo_find_data(name, NULL, "forcefields", &paths[found], error));
        size_t used = strlen(prepared->forcefield);
        snprintf(prepared->forcefield + used, sizeof prepared->forcefield - used, "%s%s",
                 used ? ", " : "", name);
    }
    const char *borrowed[CARDO_MOST_GIVEN];
    for (int k = 0; k < n; ++k)
        borrowed[k] = paths[k];
    status = cardo_forcefield_read(n, borrowed, out, error);
done:
    for (int k = 0; k < found; ++k)
        cardo_free(paths[k]);
    return status;
}

/* What relaxing works on: the polymers, and which of their atoms may move. */
typedef struct relaxing {
    cardo_structure *polymers;
    int *atom_of;  /* of the whole                             (natom) */
    bool *movable; /*                                          (natom) */
    cardo_contacts contacts;
    cardo_force_provider *provider;
} relaxing;

static cardo_status make_provider(const cardo_wanted *wanted, relaxing *r, const char *templates,
                                  cardo_prepared *prepared, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_forcefield *forcefield = NULL;
    cardo_bonds *bonds = NULL;
    cardo_terms *terms = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    const cardo_structure *s = r->polymers;
    CARDO_TRY(read_forcefield(wanted, s, prepared, &forcefield, error));
    CARDO_TRY(cardo_bonds_find(s, templates, &bonds, error));
    CARDO_TRY(cardo_forcefield_assign(forcefield, s, bonds, &terms, error));
    CARDO_TRY(cardo_contacts_find(&r->contacts, s, bonds, r->movable, error));
    cardo_relax_adapt_terms(terms, r->movable);
    /* Relaxing is local, and large structures should not take minutes. */
    options.threads = 1;
    options.method = CARDO_CUTOFF;
    options.cutoff = 1.2;
    options.reaction_field = 1;
    CARDO_TRY(
        cardo_openmm_provider_create(terms, NULL, s->position, &options, &r->provider, error));
done:
    cardo_terms_destroy(terms);
    cardo_bonds_destroy(bonds);
    cardo_forcefield_destroy(forcefield);
    return status;
}

static cardo_status relax(const cardo_wanted *wanted, const char *templates,
                          cardo_prepared *prepared, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_structure *whole = prepared->preparation->structure;
    relaxing r = {0};
    cardo_minimize_options options = cardo_relax_options_default();
    CARDO_TRY(polymers_of(whole, &r.polymers, &r.atom_of, error));
    CARDO_TRY(CARDO_ALLOCATE(&r.movable, r.polymers->natom, error));
    for (int i = 0; i < r.polymers->natom; ++i) {
        r.movable[i] = prepared->preparation->built[r.atom_of[i]];
        prepared->nrelaxed += r.movable[i];
    }
    if (prepared->nrelaxed == 0)
        goto done;
    status = make_provider(wanted, &r, templates, prepared, &prepared->not_relaxed);
    if (status != CARDO_OK) {
        status = status == CARDO_ERROR_MEMORY ? status : CARDO_OK;
        goto done;
    }
    CARDO_TRY(cardo_relax(r.provider, &r.contacts, r.polymers->natom, r.polymers->position,
                          r.movable, &options, &prepared->result, error));
    for (int i = 0; i < r.polymers->natom; ++i)
        memcpy(whole->position + 3 * (size_t)r.atom_of[i], r.polymers->position + 3 * (size_t)i,
               3 * sizeof *whole->position);
    prepared->relaxed = true;
done:
    cardo_force_provider_destroy(r.provider);
    cardo_contacts_clear(&r.contacts);
    cardo_structure_destroy(r.polymers);
    cardo_free(r.atom_of);
    cardo_free(r.movable);
    return status;
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
done:
    cardo_free(templates);
    return status;
}

/* Numbers of the report. */
typedef struct sums {
    int heavy, hydrogens, residues_with_hydrogens, dropped_residues, dropped_atoms;
} sums;

static sums sum_up(const cardo_preparation *p)
{
    sums n = {0};
    for (int k = 0; k < p->nchange; ++k) {
        const cardo_change *c = &p->change[k];
        bool added = c->kind == CARDO_CHANGE_ADDED;
        n.heavy += added && !c->hydrogen;
        n.hydrogens += added && c->hydrogen;
        n.dropped_residues += c->kind == CARDO_CHANGE_DROPPED && !c->atom.text[0];
        n.dropped_atoms += c->kind == CARDO_CHANGE_DROPPED && c->atom.text[0];
    }
    int last = -1;
    for (int i = 0; i < p->structure->natom; ++i)
        if (p->built[i] && p->structure->element[i] == 1 && p->structure->atom_residue[i] != last) {
            ++n.residues_with_hydrogens;
            last = p->structure->atom_residue[i];
        }
    return n;
}

static bool same_line(const cardo_change *a, const cardo_change *b)
{
    return a->kind == b->kind && strcmp(a->residue, b->residue) == 0 &&
           strcmp(a->reason, b->reason) == 0 && !a->atom.text[0] == !b->atom.text[0];
}

/* Prints the changes that belong on one line, and returns how many they are. */
static int print_line(const cardo_preparation *p, int k)
{
    const cardo_change *c = &p->change[k];
    int n = 0;
    printf("  %-8s %-12s", cardo_change_word(c->kind), c->residue);
    for (; k + n < p->nchange && same_line(c, &p->change[k + n]); ++n)
        if (c[n].atom.text[0])
            printf(" %s", c[n].atom.text);
    printf("%s%s\n", c->atom.text[0] ? ": " : " ", c->reason);
    return n;
}

/* Whole residues that were left out for one reason are one line: their number. */
static bool is_counted(const cardo_change *c)
{
    return c->kind == CARDO_CHANGE_DROPPED && !c->atom.text[0];
}

static void print_dropped(const cardo_preparation *p)
{
    for (int k = 0; k < p->nchange; ++k) {
        const cardo_change *c = &p->change[k];
        int n = 0;
        bool first = is_counted(c);
        for (int i = 0; first && i < k; ++i)
            first = !is_counted(&p->change[i]) || strcmp(p->change[i].reason, c->reason) != 0;
        for (int i = k; first && i < p->nchange; ++i)
            n += is_counted(&p->change[i]) && strcmp(p->change[i].reason, c->reason) == 0;
        if (n == 1)
            printf("  dropped  %-12s %s\n", c->residue, c->reason);
        else if (n > 1)
            printf("  dropped  %d residues (%s, ...): %s\n", n, c->residue, c->reason);
    }
}

void cardo_prepared_print(const cardo_wanted *wanted, const cardo_prepared *prepared, bool full)
{
    const cardo_preparation *p = prepared->preparation;
    const cardo_structure *s = p->structure;
    sums n = sum_up(p);
    printf("%s -> %s\n", wanted->input, wanted->output);
    if (!full)
        print_dropped(p);
    for (int k = 0; k < p->nchange;)
        if (!full && (is_counted(&p->change[k]) ||
                      (p->change[k].kind == CARDO_CHANGE_ADDED && p->change[k].hydrogen)))
            ++k;
        else
            k += print_line(p, k);
    if (n.hydrogens)
        printf("  added    %d hydrogens to %d residues\n", n.hydrogens, n.residues_with_hydrogens);
    if (prepared->relaxed)
        printf(
            "  relaxed  %d atoms that were built, with %s: %.0f -> %.0f kJ/mol in %d iterations, "
            "largest force %.1f kJ/mol/nm\n",
            prepared->nrelaxed, prepared->forcefield, prepared->result.first_value,
            prepared->result.value, prepared->result.iterations, prepared->result.largest_gradient);
    else if (prepared->not_relaxed.message[0])
        printf("  not relaxed: %s\n", prepared->not_relaxed.message);
    printf("%d atoms in %d residues; %d heavy atoms and %d hydrogens built%s\n", s->natom,
           s->nresidue, n.heavy, n.hydrogens,
           n.heavy + n.hydrogens + n.dropped_residues + n.dropped_atoms == 0
               ? ": nothing was to be done"
               : "");
}

static cardo_json *changes_json(const cardo_preparation *p)
{
    cardo_json *list = cardo_json_array();
    for (int k = 0; k < p->nchange; ++k) {
        cardo_json *change = cardo_json_object();
        cardo_json_string(change, "what", cardo_change_word(p->change[k].kind));
        cardo_json_string(change, "residue", p->change[k].residue);
        if (p->change[k].atom.text[0])
            cardo_json_string(change, "atom", p->change[k].atom.text);
        cardo_json_string(change, "why", p->change[k].reason);
        cardo_json_put(list, NULL, change);
    }
    return list;
}

void cardo_prepared_json(const cardo_wanted *wanted, const cardo_prepared *prepared)
{
    const cardo_preparation *p = prepared->preparation;
    sums n = sum_up(p);
    cardo_json *object = cardo_json_object(), *relaxation = cardo_json_object();
    cardo_json_string(object, "input", wanted->input);
    cardo_json_string(object, "output", wanted->output);
    cardo_json_number(object, "pH", wanted->options.ph);
    cardo_json_integer(object, "atoms", p->structure->natom);
    cardo_json_integer(object, "residues", p->structure->nresidue);
    cardo_json_integer(object, "heavy_atoms_built", n.heavy);
    cardo_json_integer(object, "hydrogens_built", n.hydrogens);
    cardo_json_put(object, "changes", changes_json(p));
    cardo_json_bool(relaxation, "done", prepared->relaxed);
    if (prepared->relaxed) {
        cardo_json_integer(relaxation, "atoms", prepared->nrelaxed);
        cardo_json_string(relaxation, "forcefield", prepared->forcefield);
        cardo_json_number(relaxation, "energy_before_kJ_per_mol", prepared->result.first_value);
        cardo_json_number(relaxation, "energy_after_kJ_per_mol", prepared->result.value);
        cardo_json_integer(relaxation, "iterations", prepared->result.iterations);
        cardo_json_number(relaxation, "largest_force_kJ_per_mol_nm",
                          prepared->result.largest_gradient);
    } else if (prepared->not_relaxed.message[0]) {
        cardo_json_string(relaxation, "why_not", prepared->not_relaxed.message);
    }
    cardo_json_put(object, "relaxation", relaxation);
    cardo_json_print(object, stdout);
}
