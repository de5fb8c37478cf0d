/* <ligand>: molecules that are bodies of their own. */
#include "base/memory.h"
#include "base/number.h"
#include "model/internal.h"
#include "model/points.h"

#include <stdio.h>
#include <string.h>

static const double usual_size = 0.5, usual_stiffness = 1000; /* nm, kJ/mol/nm^2 */

static cardo_status blame(const cardo_ligand_definition *ligand, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    return cardo_error_prefix(error, "%s: ligand %s: ", cardo_place_text(ligand->place, here),
                              ligand->name);
}

static cardo_status select(const cardo_ligand_definition *ligand, const cardo_structure *structure,
                           bool *mask, cardo_error *error)
{
    const cardo_status status =
        cardo_domain_select(structure, ligand->residues, ligand->chain, true, mask, error);
    return status == CARDO_OK ? CARDO_OK : blame(ligand, error);
}

cardo_status cardo_model_mark_ligands(const cardo_model_definition *definition,
                                      const cardo_structure *structure, bool *mark,
                                      cardo_error *error)
{
    bool *mask;
    cardo_status status = CARDO_ALLOCATE(&mask, structure->nresidue, error);
    for (int k = 0; k < definition->nligand && status == CARDO_OK; ++k) {
        status = select(&definition->ligand[k], structure, mask, error);
        for (int i = 0; status == CARDO_OK && i < structure->natom; ++i)
            mark[i] = mark[i] || mask[structure->atom_residue[i]];
    }
    cardo_free(mask);
    return status;
}

static bool is_free(const cardo_ligand_definition *ligand)
{
    return ligand->joint && strcmp(ligand->joint, "free") == 0;
}

static bool is_held(const cardo_ligand_definition *ligand)
{
    return is_free(ligand) && !(ligand->restraint && strcmp(ligand->restraint, "none") == 0);
}

static bool is_box(const cardo_ligand_definition *ligand)
{
    return ligand->restraint && strcmp(ligand->restraint, "box") == 0;
}

/* What belongs to a restraint means nothing without one. */
static cardo_status check(const cardo_ligand_definition *ligand, cardo_error *error)
{
    const char *idle = ligand->size        ? "size"
                       : ligand->stiffness ? "stiffness"
                       : ligand->center    ? "center"
                                           : NULL;
    if (!is_free(ligand) && (ligand->restraint || idle)) {
        CARDO_FAIL(error, CARDO_ERROR_INPUT,
                   "%s is of a ligand that moves: a welded one needs no restraint; give it "
                   "joint=\"free\"",
                   ligand->restraint ? "restraint" : idle);
        return blame(ligand, error);
    }
    if (!is_held(ligand) && idle) {
        CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s says where a restraint holds it, and it has none",
                   idle);
        return blame(ligand, error);
    }
    return CARDO_OK;
}

/* Is this domain one of the words of a body's? */
static bool has_domain(const cardo_rigid_definition *body, const char *domain)
{
    const size_t n = strlen(domain);
    for (const char *word = body->domains; *(word += strspn(word, " ,\t\r\n"));) {
        const size_t length = strcspn(word, " ,\t\r\n");
        if (length == n && memcmp(word, domain, n) == 0)
            return true;
        word += length;
    }
    return false;
}

/* The body of the definition that has each domain, -1: none has. */
static int body_of_domain(const cardo_model_definition *definition, int domain)
{
    for (int b = 0; domain >= 0 && b < definition->nbody; ++b)
        if (has_domain(&definition->body[b], definition->domain[domain].name))
            return b;
    return -1;
}

/* The body that it touches most; nearest to it, where it touches none. */
static cardo_status find_parent(const cardo_structure *s, const cardo_model_definition *definition,
                                const cardo_ligand_definition *ligand, const int *owner,
                                const char **parent, cardo_error *error)
{
    cardo_status status;
    bool *mask = NULL;
    int *count = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&mask, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&count, definition->nbody, error));
    CARDO_TRY(select(ligand, s, mask, error));
    int best = cardo_model_count_contacts(s, mask, owner, definition->nbody, count);
    for (int r = 0; r < s->nresidue; ++r)
        if (mask[r] && owner[r] >= 0)
            best = owner[r]; /* which is said to be wrong where domains are assigned */
    for (int b = 0; b < definition->nbody && best >= 0; ++b)
        if (count[b] > count[best])
            best = b;
    if (best < 0) {
        CARDO_FAIL(error, CARDO_ERROR_INPUT, "no body has heavy atoms beside it; name its parent");
        status = blame(ligand, error);
        goto done;
    }
    *parent = definition->body[best].name;
done:
    cardo_free(mask);
    cardo_free(count);
    return status;
}

static cardo_status check_parent(const cardo_model_definition *definition,
                                 const cardo_ligand_definition *ligand, int nbody,
                                 cardo_error *error)
{
    cardo_near near = {.name = ligand->parent};
    char hint[CARDO_NEAR_TEXT];
    for (int b = 0; b < nbody; ++b)
        cardo_near_try(&near, definition->body[b].name);
    if (near.nearest && near.distance == 0)
        return CARDO_OK;
    CARDO_FAIL(error, CARDO_ERROR_INPUT, "parent '%s' is no body of this model%s", ligand->parent,
               cardo_near_hint(&near, hint));
    return blame(ligand, error);
}

/* Which body of the definition has each residue, by the domains. */
static cardo_status find_owners(const cardo_structure *reference,
                                const cardo_model_definition *definition, int *owner,
                                cardo_error *error)
{
    const cardo_status status =
        cardo_domains_assign(reference, definition->ndomain, definition->domain, owner, error);
    for (int r = 0; status == CARDO_OK && r < reference->nresidue; ++r)
        owner[r] = body_of_domain(definition, owner[r]);
    return status;
}

static cardo_status add_body(cardo_model_definition *d, const cardo_ligand_definition *ligand,
                             const char *parent, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_RESERVE(&d->domain, &d->domain_capacity, d->ndomain + 1, error));
    CARDO_TRY(CARDO_RESERVE(&d->body, &d->body_capacity, d->nbody + 1, error));
    d->domain[d->ndomain++] = (cardo_domain_definition){.place = ligand->place,
                                                        .name = ligand->name,
                                                        .residues = ligand->residues,
                                                        .chain = ligand->chain};
    d->body[d->nbody++] = (cardo_rigid_definition){
        .place = ligand->place,
        .name = ligand->name,
        .domains = ligand->name,
        .parent = parent,
        .joint = {.place = ligand->place, .kind = is_free(ligand) ? "free" : "weld"}};
done:
    return status;
}

cardo_status cardo_model_add_ligands(const cardo_structure *reference,
                                     cardo_model_definition *definition, int *owner,
                                     cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const int nbody = definition->nbody;
    if (definition->apo || definition->nligand == 0)
        return CARDO_OK;
    CARDO_TRY(find_owners(reference, definition, owner, error));
    for (int k = 0; k < definition->nligand; ++k) {
        const cardo_ligand_definition *ligand = &definition->ligand[k];
        const char *parent = ligand->parent;
        CARDO_TRY(check(ligand, error));
        if (parent)
            CARDO_TRY(check_parent(definition, ligand, nbody, error));
        else
            CARDO_TRY(find_parent(reference, definition, ligand, owner, &parent, error));
        CARDO_TRY(add_body(definition, ligand, parent, error));
    }
    CARDO_TRY(cardo_model_check_bodies(definition, error));
done:
    return status;
}

/* Contacts with the body that carries it, pieces of that left out. */
static cardo_status count_contacts(const cardo_model *model, cardo_model_ligand *ligand,
                                   cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = model->structure[0].structure;
    int *body = NULL, *count = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&body, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&count, model->nbody, error));
    for (int r = 0; r < s->nresidue; ++r) {
        body[r] = model->atom_body[s->residue_first[r]];
        while (model->body[body[r]].piece && model->body[body[r]].parent >= 0)
            body[r] = model->body[body[r]].parent;
    }
    cardo_model_count_contacts(s, model->body[ligand->body].domain, body, model->nbody, count);
    ligand->contacts = count[model->body[ligand->body].parent];
done:
    cardo_free(body);
    cardo_free(count);
    return status;
}

static cardo_status read_size(const cardo_ligand_definition *ligand, cardo_flat_bottom *well,
                              cardo_error *error)
{
    const int n = is_box(ligand) ? 3 : 1;
    for (int k = 0; k < 3; ++k)
        well->extent[k] = usual_size;
    well->shape = is_box(ligand) ? CARDO_FLAT_BOTTOM_BOX : CARDO_FLAT_BOTTOM_SPHERE;
    bool good = !ligand->size || cardo_model_numbers(ligand->size, n, well->extent);
    for (int k = 0; k < n; ++k)
        good = good && isfinite(well->extent[k]) && well->extent[k] >= 0;
    if (good)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      n == 3 ? "size=\"%s\" must be three half edges of the box (nm), such as "
                               "0.3 0.3 0.4"
                             : "size=\"%s\" must be the radius of the sphere (nm), such as 0.5",
                      ligand->size);
}

static cardo_status read_well(const cardo_model *model, const cardo_ligand_definition *definition,
                              cardo_model_ligand *ligand, cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    cardo_flat_bottom *well = &ligand->well;
    const char *stiffness = definition->stiffness;
    cardo_status status;
    cardo_vec3 place = v3(0, 0, 0);
    double mass = 0;
    well->body1 = model->body[ligand->body].parent + 1;
    well->body2 = ligand->body + 1;
    well->stiffness = usual_stiffness;
    CARDO_TRY(read_size(definition, well, error));
    if (stiffness && (!cardo_parse_double(stiffness, (int)strlen(stiffness), &well->stiffness) ||
                      !isfinite(well->stiffness) || !(well->stiffness > 0)))
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_INPUT,
                             "stiffness=\"%s\" of its walls must be above 0 kJ/mol/nm^2",
                             stiffness));
    for (int i = 0; i < s->natom; ++i) {
        if (model->atom_body[i] != ligand->body)
            continue;
        const double m = cardo_element_mass(s->element[i]);
        place = v3_add_scaled(place, m, v3_load(s->position + 3 * i));
        mass += m;
    }
    if (definition->center)
        CARDO_TRY(cardo_model_point(model, "center", definition->center, &place, NULL, error));
    else if (mass > 0)
        place = v3_scale(1 / mass, place);
    well->frame1 = (cardo_transform){m33_identity(), place};
done:
    return status;
}

static cardo_status place_ligand(cardo_model *model, const cardo_ligand_definition *definition,
                                 cardo_error *error)
{
    cardo_status status;
    cardo_model_ligand *ligand = &model->ligand[model->nligand];
    CARDO_TRY(cardo_copy_string(&ligand->name, definition->name, error));
    ++model->nligand;
    ligand->line = definition->place.line;
    ligand->body = cardo_model_find_body(model, definition->name);
    ligand->found = !definition->parent;
    ligand->free = is_free(definition);
    ligand->is_held = is_held(definition);
    CARDO_TRY(count_contacts(model, ligand, error));
    if (!ligand->is_held)
        goto done;
    status = read_well(model, definition, ligand, error);
    if (status != CARDO_OK)
        blame(definition, error);
done:
    return status;
}

cardo_status cardo_model_place_ligands(cardo_model *model, const cardo_model_definition *definition,
                                       cardo_error *error)
{
    model->apo = definition->apo;
    if (definition->apo || definition->nligand == 0)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&model->ligand, definition->nligand, error);
    for (int k = 0; k < definition->nligand && status == CARDO_OK; ++k)
        status = place_ligand(model, &definition->ligand[k], error);
    return status;
}

/* Where the origin of a system's body is in ground while all stands as the reference does. */
static cardo_vec3 origin_of(const cardo_model *model, const cardo_system *system, int body)
{
    const double *position = model->structure[0].structure->position;
    int atom = 0;
    while (cardo_system_station_body(system, atom) != body)
        ++atom;
    return v3_sub(v3_load(position + 3 * (size_t)atom),
                  cardo_system_station_position(system, atom));
}

int cardo_model_wells(const cardo_model *model, const cardo_system *system, cardo_flat_bottom *well)
{
    int n = 0;
    for (int k = 0; k < model->nligand; ++k) {
        if (!model->ligand[k].is_held)
            continue;
        well[n] = model->ligand[k].well;
        well[n].frame1.p = v3_sub(well[n].frame1.p, origin_of(model, system, well[n].body1));
        ++n;
    }
    return n;
}
