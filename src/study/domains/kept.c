#include "study/domains/kept.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "structure/atoms/join.h"
#include "structure/atoms/residue.h"
#include "structure/atoms/selection.h"
#include "structure/atoms/superpose.h"
#include "structure/pdb/pdb.h"
#include "topology/bonds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double contact = 0.45, clash = 0.25, bonded = 0.17; /* nm, between heavy atoms */

/* Molecules of one of the two structures, placed in the first one's frame. */
typedef struct source {
    cardo_structure *all; /* as the file has it                                                  */
    bool *keep;           /* residues that are kept                             (all->nresidue) */
    int *domain;          /* of all's residues: the domain that they are in, -1  (all->nresidue) */
    int *contacts;        /* of molecules, with the domain that they touch most (all->nresidue) */
    int *molecule;        /* of kept residues: the first residue of theirs       (all->nresidue) */
    cardo_structure *found; /* the kept ones, completed                                         */
} source;

static void clear(source *s)
{
    cardo_structure_destroy(s->all);
    cardo_structure_destroy(s->found);
    cardo_free(s->keep);
    cardo_free(s->domain);
    cardo_free(s->molecule);
    cardo_free(s->contacts);
}

void cardo_kept_clear(cardo_kept *kept)
{
    cardo_free(kept->ligand);
    cardo_free(kept->forcefield);
    cardo_structure_destroy(kept->whole);
    *kept = (cardo_kept){0};
}

bool cardo_kept_wants(const char *list, const char *name, int natom)
{
    const size_t n = strlen(name);
    for (const char *word = list; *(word += strspn(word, ", "));) {
        const size_t length = strcspn(word, ", ");
        if ((length == n && strncmp(word, name, n) == 0) ||
            (length == 7 && strncmp(word, "ligands", 7) == 0 && natom > 1) ||
            (length == 4 && strncmp(word, "ions", 4) == 0 && natom == 1))
            return true;
        word += length;
    }
    return false;
}

static double between(const double *a, int i, const double *b, int j)
{
    return v3_norm(v3_sub(v3_load(a + 3 * (size_t)i), v3_load(b + 3 * (size_t)j)));
}

/* Least distance of heavy atoms of two residues. */
static double apart(const cardo_structure *s, int one, int other)
{
    double least = HUGE_VAL;
    for (int i = s->residue_first[one]; i < s->residue_first[one + 1]; ++i)
        for (int j = s->residue_first[other]; j < s->residue_first[other + 1]; ++j)
            if (s->element[i] != 1 && s->element[j] != 1)
                least = fmin(least, between(s->position, i, s->position, j));
    return least;
}

/* Residues that are bonded to each other are one molecule. */
static void join_molecules(source *from)
{
    const cardo_structure *s = from->all;
    for (int r = 0; r < s->nresidue; ++r)
        from->molecule[r] = r;
    for (int r = 0; r < s->nresidue; ++r)
        for (int k = 0; k < r && from->keep[r]; ++k) {
            if (!from->keep[k] || from->molecule[k] == from->molecule[r] ||
                !(apart(s, r, k) < bonded))
                continue;
            const int one = from->molecule[k], other = from->molecule[r];
            for (int i = 0; i <= r; ++i)
                if (from->molecule[i] == one || from->molecule[i] == other)
                    from->molecule[i] = one < other ? one : other;
        }
}

static bool has_name(const source *from, const char *name)
{
    for (int r = 0; from && r < from->all->nresidue; ++r)
        if (from->keep[r] && strcmp(from->all->residue_name[r].text, name) == 0)
            return true;
    return false;
}

/* Reads all of a structure, and chooses what the options keep that the other one has not. */
static cardo_status read_source(const cardo_domain_reference *reference,
                                const cardo_domain_motions *motions, int which, const source *other,
                                source *from, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    const cardo_domain_inputs *inputs = reference->inputs;
    const cardo_structure_definition *d = &inputs->definition[inputs->pair[which]];
    const cardo_read_options options = {.model = d->model};
    const char *list = reference->options->how.keep;
    CARDO_TRY(cardo_model_find_structure(NULL, d->file, &path, error));
    CARDO_TRY(cardo_structure_read_as(path, &options, &from->all, error));
    const cardo_structure *s = from->all;
    CARDO_TRY(CARDO_ALLOCATE(&from->keep, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&from->domain, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&from->molecule, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&from->contacts, s->nresidue, error));
    for (int r = 0; r < s->nresidue; ++r) {
        const char *name = s->residue_name[r].text;
        from->domain[r] = -1;
        from->keep[r] =
            cardo_model_is_free_molecule(s, r) && !cardo_residue_is_water(name) &&
            cardo_model_chain_listed(s->chain_id[s->residue_chain[r]].text, d->chains) &&
            cardo_kept_wants(list, name, s->residue_first[r + 1] - s->residue_first[r]) &&
            !has_name(other, name);
    }
    /* Residues of the pair, as the finder has them, in the file as it is. */
    const cardo_model *two = inputs->two;
    const cardo_structure *given = two->structure[which].structure;
    for (int r = 0; r < two->structure[0].structure->nresidue; ++r) {
        const int its = which ? two->structure[1].match[r] : r;
        if (its < 0)
            continue;
        const int found =
            cardo_structure_find_residue(s, given->chain_id[given->residue_chain[its]].text,
                                         given->residue_number[its], given->insertion[its]);
        if (found >= 0 && !from->keep[found])
            from->domain[found] = motions->domain[r];
    }
    join_molecules(from);
done:
    cardo_free(path);
    return status;
}

/* The domain that a molecule touches most, or that is nearest; -1: none is there. */
static int touched(const source *from, int molecule, int ndomain, int *count)
{
    const cardo_structure *s = from->all;
    double least = HUGE_VAL;
    int best = -1;
    memset(count, 0, (size_t)ndomain * sizeof *count);
    for (int i = 0; i < s->natom; ++i) {
        const int r = s->atom_residue[i];
        if (!from->keep[r] || from->molecule[r] != molecule || s->element[i] == 1)
            continue;
        for (int j = 0; j < s->natom; ++j) {
            const int domain = from->domain[s->atom_residue[j]];
            if (domain < 0 || s->element[j] == 1)
                continue;
            const double d = between(s->position, i, s->position, j);
            count[domain] += d < contact;
            if (d < least) {
                least = d;
                best = domain;
            }
        }
    }
    for (int p = 0; p < ndomain && best >= 0; ++p)
        if (count[p] > count[best])
            best = p;
    return best;
}

/* The motion that lays a domain of the second structure on that of the first, by C-alphas. */
static cardo_status motion_of_domain(const cardo_model *two, const cardo_domain_motions *motions,
                                     int domain, cardo_transform *motion, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *a = two->structure[0].structure, *b = two->structure[1].structure;
    double *to = NULL, *from = NULL, rmsd;
    int n = 0;
    CARDO_TRY(CARDO_ALLOCATE(&to, 3 * (size_t)a->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&from, 3 * (size_t)a->nresidue, error));
    for (int r = 0; r < a->nresidue; ++r) {
        const int its = two->structure[1].match[r];
        if (motions->domain[r] != domain || motions->bending[r] || its < 0)
            continue;
        const int one = cardo_structure_find_atom(a, r, "CA"),
                  other = cardo_structure_find_atom(b, its, "CA");
        if (one < 0 || other < 0)
            continue;
        memcpy(to + 3 * (size_t)n, a->position + 3 * (size_t)one, 3 * sizeof *to);
        memcpy(from + 3 * (size_t)n, b->position + 3 * (size_t)other, 3 * sizeof *from);
        ++n;
    }
    status = cardo_superpose(n, from, to, NULL, motion, &rmsd, error);
done:
    cardo_free(to);
    cardo_free(from);
    return status;
}

/* Domains of the molecules, and their places in the first structure's frame. */
static cardo_status place(const cardo_model *two, const cardo_domain_motions *motions, bool second,
                          source *from, int *domain, int *count, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_structure *s = from->all;
    cardo_transform *motion = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&motion, s->nresidue, error));
    for (int r = 0; r < s->nresidue; ++r) {
        domain[r] = -1;
        if (!from->keep[r])
            continue;
        const int first = from->molecule[r];
        domain[r] = r == first ? touched(from, r, motions->ndomain, count) : domain[first];
        if (r == first && domain[r] >= 0)
            from->contacts[r] = count[domain[r]];
        motion[r] = xform_identity();
        if (second && domain[r] >= 0)
            CARDO_TRY(motion_of_domain(two, motions, domain[r], &motion[r], error));
    }
    for (int i = 0; i < s->natom && second; ++i)
        if (from->keep[s->atom_residue[i]])
            v3_store(s->position + 3 * (size_t)i,
                     xform_point(motion[s->atom_residue[i]], v3_load(s->position + 3 * (size_t)i)));
done:
    cardo_free(motion);
    return status;
}

/* The kept residues alone; free amino acids get what they lack. */
static cardo_status complete(source *from, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = from->all;
    cardo_structure *some = NULL;
    cardo_preparation *made = NULL;
    cardo_components components = {0};
    char *templates = NULL, *path = NULL;
    bool *atom = NULL;
    cardo_prepare_options options = cardo_prepare_options_default();
    options.keep_ligands = options.keep_ions = true;
    CARDO_TRY(CARDO_ALLOCATE(&atom, s->natom, error));
    for (int i = 0; i < s->natom; ++i)
        atom[i] = from->keep[s->atom_residue[i]];
    CARDO_TRY(cardo_structure_subset(s, atom, &some, error));
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(cardo_find_data("components.xml", NULL, "topologies", &path, error));
    CARDO_TRY(cardo_normalise_names(some, templates, error));
    CARDO_TRY(cardo_components_read(&components, path, error));
    CARDO_TRY(cardo_prepare(some, &components, &options, &made, error));
    from->found = made->structure;
    made->structure = NULL;
done:
    cardo_preparation_destroy(made);
    cardo_components_clear(&components);
    cardo_structure_destroy(some);
    cardo_free(templates);
    cardo_free(path);
    cardo_free(atom);
    return status;
}

/* A residue number that the reference has not in this chain. */
static void renumber(const cardo_structure *reference, cardo_structure *ligands)
{
    for (int r = 0; r < ligands->nresidue; ++r) {
        const char *chain = ligands->chain_id[ligands->residue_chain[r]].text;
        if (cardo_structure_find_residue(reference, chain, ligands->residue_number[r],
                                         ligands->insertion[r]) < 0)
            continue;
        int last = 0;
        for (int k = 0; k < reference->nresidue; ++k)
            last = reference->residue_number[k] > last ? reference->residue_number[k] : last;
        ligands->residue_number[r] = last + 1 + r;
        ligands->insertion[r] = '\0';
    }
}

/* Nearest heavy atoms of a molecule and of the protein. */
static double nearest(const cardo_structure *s, int nprotein, const bool *mine, char pair[128])
{
    double least = HUGE_VAL;
    char one[40], other[40];
    pair[0] = '\0';
    for (int i = nprotein; i < s->natom; ++i)
        for (int j = 0; j < nprotein && mine[s->atom_residue[i]] && s->element[i] != 1; ++j) {
            const double d = between(s->position, i, s->position, j);
            if (s->element[j] == 1 || d >= least)
                continue;
            least = d;
            snprintf(pair, 128, "%s %s - %s %s", cardo_residue_label(s, s->atom_residue[i], one),
                     s->atom_name[i].text, cardo_residue_label(s, s->atom_residue[j], other),
                     s->atom_name[j].text);
        }
    return least;
}

/* What is being made. */
typedef struct keeping {
    cardo_domain_reference *reference;
    const cardo_domain_motions *motions;
    cardo_kept *kept;
    cardo_structure *whole; /* the first structure, and the molecules that are there already */
    int nprotein;           /* its atoms without them                                       */
    int capacity;
    bool amino, ion;
    cardo_result *table, *into;
} keeping;

static void name_ligand(const cardo_kept *kept, const char *name, char text[32])
{
    int n = 1;
    for (int k = 0; k < kept->n; ++k)
        n += strncmp(kept->ligand[k].name, name, strlen(name)) == 0;
    snprintf(text, 32, n > 1 ? "%.15s-%d" : "%.15s", name, n);
}

static void tell(const keeping *k, const cardo_domain_ligand *ligand, bool second, int contacts,
                 double least, const char *pair)
{
    char text[400];
    cardo_result_row(k->table);
    cardo_result_text(k->table, &(cardo_quantity){"name", .style = "-8s"}, ligand->name);
    cardo_result_text(k->table, &(cardo_quantity){"residues"}, ligand->residues);
    cardo_result_text(k->table, &(cardo_quantity){"on"}, ligand->body);
    snprintf(text, sizeof text,
             second
                 ? "of the second structure, placed by the superposition of %s, which it touches "
                   "most there (%d contacts)"
                 : "of the first structure, on %s, which it touches most (%d contacts)",
             ligand->body, contacts);
    cardo_result_text(k->table, &(cardo_quantity){"how"}, text);
    cardo_result_number(k->table,
                        &(cardo_quantity){"least_distance_A", "nearest atoms", "A", ".2f"},
                        least / CARDO_ANGSTROM);
    cardo_result_text(k->table, &(cardo_quantity){"nearest"}, pair);
    if (least >= clash)
        return;
    cardo_format(text, sizeof text,
                 least < bonded
                     ? "ligand %s lies on the protein, or is bonded to it, in the first structure: "
                       "%s are %.2f A apart"
                     : "ligand %s clashes in the first structure, at q = 0: %s are %.2f A apart",
                 ligand->name, pair, least / CARDO_ANGSTROM);
    cardo_result_remark(k->table, "clash", CARDO_RESULT_WARNING, text, NULL);
}

/* The residues of `whole` that are a molecule: those from `first` on whose places in `found` have its mark. */
static cardo_status add_ligand(keeping *k, const bool *mine, const char *name, int domain,
                               int contacts, bool second, cardo_error *error)
{
    cardo_status status;
    char *residues = NULL, pair[128];
    cardo_kept *kept = k->kept;
    CARDO_TRY(CARDO_RESERVE(&kept->ligand, &k->capacity, kept->n + 1, error));
    cardo_domain_ligand *ligand = &kept->ligand[kept->n];
    *ligand = (cardo_domain_ligand){.free = k->reference->options->how.ligand_joint == 1};
    CARDO_TRY(cardo_selection_text(k->whole, mine, &residues, error));
    snprintf(ligand->residues, sizeof ligand->residues, "%s", residues);
    name_ligand(kept, name, ligand->name);
    cardo_domain_name(domain, ligand->body);
    ++kept->n;
    tell(k, ligand, second, contacts, nearest(k->whole, k->nprotein, mine, pair), pair);
done:
    cardo_free(residues);
    return status;
}

/* Every molecule of a source, which has become the residues of whole from `first` on, in order. */
static cardo_status add_molecules(keeping *k, const source *from, const int *domain, int first,
                                  bool second, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool *mine = NULL;
    const cardo_structure *s = from->all;
    CARDO_TRY(CARDO_ALLOCATE(&mine, k->whole->nresidue, error));
    for (int r = 0; r < s->nresidue; ++r) {
        if (!from->keep[r] || from->molecule[r] != r || domain[r] < 0)
            continue;
        memset(mine, 0, (size_t)k->whole->nresidue * sizeof *mine);
        for (int i = 0, at = first; i < s->nresidue; ++i) {
            if (!from->keep[i])
                continue;
            mine[at++] = from->molecule[i] == r;
        }
        const char *name = s->residue_name[r].text;
        k->ion = k->ion || s->residue_first[r + 1] - s->residue_first[r] == 1;
        k->amino = k->amino || cardo_residue_is_amino(name);
        CARDO_TRY(add_ligand(k, mine, name, domain[r], from->contacts[r], second, error));
    }
done:
    cardo_free(mine);
    return status;
}

static cardo_status take(keeping *k, int which, const source *other, source *from,
                         cardo_error *error)
{
    cardo_status status;
    cardo_structure *joined = NULL;
    int *domain = NULL, *count = NULL, n = 0;
    const cardo_model *two = k->reference->inputs->two;
    CARDO_TRY(read_source(k->reference, k->motions, which, other, from, error));
    for (int r = 0; r < from->all->nresidue; ++r)
        n += from->keep[r];
    if (n == 0)
        goto done;
    CARDO_TRY(CARDO_ALLOCATE(&domain, from->all->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&count, k->motions->ndomain, error));
    CARDO_TRY(place(two, k->motions, which == 1, from, domain, count, error));
    CARDO_TRY(complete(from, error));
    renumber(k->whole, from->found);
    const int first = k->whole->nresidue;
    CARDO_TRY(cardo_structure_join(k->whole, from->found, &joined, error));
    cardo_structure_destroy(k->whole);
    k->whole = joined;
    /* what the file's order has become is told by numbers that were kept */
    if (from->found->nresidue == n)
        status = add_molecules(k, from, domain, first, which == 1, error);
    else
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: some of its ligands lack the atoms to be kept; name those that "
                            "are complete",
                            from->all->source);
done:
    cardo_free(domain);
    cardo_free(count);
    return status;
}

/* The usual files, and those that have what is kept. */
static cardo_status name_forcefield(const keeping *k, cardo_error *error)
{
    char text[256];
    const cardo_structure *s = k->reference->inputs->two->structure[0].structure;
    if (k->reference->options->forcefield || !(k->amino || k->ion))
        return CARDO_OK;
    snprintf(text, sizeof text, "%s%s%s", cardo_usual_forcefield(s),
             k->amino ? " free-amino-acids.xml" : "", k->ion ? " tip3p-ions.xml" : "");
    return cardo_copy_string(&k->kept->forcefield, text, error);
}

static cardo_status take_both(keeping *k, source *from, cardo_error *error)
{
    cardo_status status;
    const bool two = k->reference->inputs->two->nstructure > 1;
    CARDO_TRY(take(k, 0, NULL, &from[0], error));
    if (two)
        CARDO_TRY(take(k, 1, &from[0], &from[1], error));
    if (k->kept->n == 0) {
        char text[400];
        snprintf(text, sizeof text, "no molecule of %s is in %s", k->reference->options->how.keep,
                 two ? "either structure" : "the structure");
        cardo_result_remark(k->into, "nothing_kept", CARDO_RESULT_WARNING, text, NULL);
    }
    status = name_forcefield(k, error);
done:
    return status;
}

cardo_status cardo_kept_find(cardo_domain_reference *reference, const cardo_domain_motions *motions,
                             cardo_kept *kept, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *protein = reference->inputs->two->structure[0].structure;
    source from[2] = {{0}, {0}};
    bool *all = NULL;
    char *path = NULL;
    keeping k = {.reference = reference,
                 .motions = motions,
                 .kept = kept,
                 .nprotein = protein->natom,
                 .into = into};
    if (!reference->options->how.keep[0])
        return CARDO_OK;
    k.table = cardo_result_table(into, "ligands", "ligand");
    CARDO_TRY(CARDO_ALLOCATE(&all, protein->natom, error));
    memset(all, true, (size_t)protein->natom * sizeof *all);
    CARDO_TRY(cardo_structure_subset(protein, all, &k.whole, error));
    CARDO_TRY(take_both(&k, from, error));
    if (kept->n == 0)
        goto done;
    CARDO_TRY(cardo_domain_place(reference->options->writer, reference->file, &path, error));
    CARDO_TRY(cardo_writer_structure(reference->options->writer, reference->file, k.whole,
                                     k.whole->position, error));
    cardo_free(reference->prepared);
    reference->prepared = path;
    path = NULL;
    kept->whole = k.whole;
    k.whole = NULL;
    status = cardo_domain_inputs_replace(reference->inputs, reference->prepared, error);
done:
    clear(&from[0]);
    clear(&from[1]);
    cardo_structure_destroy(k.whole);
    cardo_free(all);
    cardo_free(path);
    return status;
}
