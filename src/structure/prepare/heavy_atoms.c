/* Missing heavy atoms from ideal geometry; free torsions are those of least clash. */
#include "base/memory.h"
#include "structure/prepare/geometry.h"
#include "structure/prepare/nearby.h"

#include <string.h>

enum { MOST_ATOMS = 64, MOST_TORSIONS = 12, SWEEPS = 3 };

/* One atom to build: bonded to a, which is bonded to b, which is bonded to c. */
typedef struct step {
    int atom, a, b, c; /* of the component; c -1: any direction about b-a is as good      */
    int second;        /* another neighbour of a that is there, or -1: then a and both tell */
    int ntorsion;      /* choices when there is no second                                  */
    double torsion[MOST_TORSIONS], cost[MOST_TORSIONS];
    double length, angle;
} step;

typedef struct builder {
    const cardo_draft *draft;
    int residue;
    const cardo_component *component;
    cardo_vec3 position[MOST_ATOMS], best[MOST_ATOMS];
    bool placed[MOST_ATOMS];
    int separation[MOST_ATOMS][MOST_ATOMS]; /* bonds between two atoms of the component */
    int nstep;
    step step[MOST_ATOMS];
    cardo_nearby near;
    double best_cost;
} builder;

static cardo_vec3 ideal(const builder *b, int atom)
{
    return v3_load(b->component->atom[atom].position);
}

/* Numbers of bonds between atoms (breadth first from each). */
static void measure_separations(builder *b)
{
    int n = b->component->natom;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j)
            b->separation[i][j] = i == j ? 0 : MOST_ATOMS;
        for (int reach = 0; reach < n; ++reach)
            for (int j = 0; j < n; ++j)
                for (int k = 0;
                     b->separation[i][j] == reach && k < b->component->atom[j].nneighbour; ++k) {
                    int *s = &b->separation[i][b->component->atom[j].neighbour[k]];
                    *s = *s < reach + 1 ? *s : reach + 1;
                }
    }
}

static int placed_neighbour(const builder *b, int atom, int but, int nor)
{
    const cardo_component_atom *a = &b->component->atom[atom];
    for (int k = 0; k < a->nneighbour; ++k)
        if (b->placed[a->neighbour[k]] && a->neighbour[k] != but && a->neighbour[k] != nor)
            return a->neighbour[k];
    return -1;
}

static void add_torsion(step *s, double torsion, double cost)
{
    s->torsion[s->ntorsion] = torsion;
    s->cost[s->ntorsion++] = cost;
}

/* The torsions that a bond may have, and what they cost (kJ/mol, about): staggered and 20 degrees
 * off between two tetrahedral atoms, every 30 degrees where one is planar, two where both are, the
 * template's in a ring. */
static void choose_torsions(const builder *b, step *s)
{
    bool planar_a = cardo_component_is_planar(b->component, s->a);
    bool planar_b = cardo_component_is_planar(b->component, s->b);
    double own =
        s->c < 0 ? 0
                 : torsion_of(ideal(b, s->c), ideal(b, s->b), ideal(b, s->a), ideal(b, s->atom));
    s->ntorsion = 0;
    if (s->c >= 0 && cardo_component_in_ring(b->component, s->a, s->b)) {
        add_torsion(s, own, 0);
    } else if (planar_a && planar_b) {
        add_torsion(s, own, 0);
        add_torsion(s, own + CARDO_PI, 0);
    } else if (planar_a || planar_b || s->c < 0) {
        for (int k = 0; k < 12; ++k)
            add_torsion(s, k * 30 * CARDO_DEGREE, 0);
    } else {
        static const struct {
            double centre, cost;
        } staggered[] = {{180, 0}, {-60, 1}, {60, 2}};
        for (int k = 0; k < 3; ++k)
            for (int off = -1; off <= 1; ++off)
                add_torsion(s, (staggered[k].centre + 20 * off) * CARDO_DEGREE,
                            staggered[k].cost + (off ? 3 : 0));
    }
}

/* Has an oxygen or nitrogen at the end of a side chain given its place to a link of the file? */
static bool is_replaced(const cardo_draft *draft, const cardo_draft_residue *residue, int atom)
{
    const cardo_component_atom *a = &residue->component->atom[atom];
    if (!draft->partner || a->nneighbour != 1 || (a->element != 8 && a->element != 7) ||
        strcmp(a->name.text, "O") == 0 || cardo_draft_find(residue, a->name.text) >= 0)
        return false;
    const cardo_draft_atom *parent =
        cardo_draft_atom_called(residue, residue->component->atom[a->neighbour[0]].name.text);
    return parent && cardo_draft_partner(draft, parent);
}

/* Nucleotides that begin a chain have no phosphate. */
static bool is_wanted(const cardo_draft *draft, const cardo_draft_residue *residue, int atom)
{
    const char *name = residue->component->atom[atom].name.text;
    if (is_replaced(draft, residue, atom))
        return false;
    return residue->component->kind != CARDO_COMPONENT_NUCLEIC || !residue->first ||
           (strcmp(name, "P") != 0 && strncmp(name, "OP", 2) != 0);
}

/* Plans the next atom that can be built; false when none can. */
static bool plan_step(builder *b)
{
    for (int i = 0; i < b->component->natom; ++i) {
        bool build = !b->placed[i] && is_wanted(b->draft, &b->draft->residue[b->residue], i);
        int a = build ? placed_neighbour(b, i, -1, -1) : -1;
        if (a < 0)
            continue;
        int other = placed_neighbour(b, a, i, -1);
        if (other < 0)
            continue;
        step *s = &b->step[b->nstep++];
        *s = (step){.atom = i, .a = a, .b = other};
        s->second = placed_neighbour(b, a, i, other);
        s->c = placed_neighbour(b, other, a, i);
        s->length = distance_of(ideal(b, i), ideal(b, a));
        s->angle = angle_of(ideal(b, i), ideal(b, a), ideal(b, other));
        choose_torsions(b, s);
        b->placed[i] = true;
        return true;
    }
    return false;
}

static cardo_vec3 place(const builder *b, const step *s, int choice)
{
    const cardo_vec3 *p = b->position;
    if (s->second >= 0) {
        cardo_mat33 from = frame_of(ideal(b, s->a), ideal(b, s->b), ideal(b, s->second));
        cardo_mat33 to = frame_of(p[s->a], p[s->b], p[s->second]);
        cardo_vec3 inside = m33_tmul_v3(from, v3_sub(ideal(b, s->atom), ideal(b, s->a)));
        return v3_add(p[s->a], m33_mul_v3(to, inside));
    }
    cardo_vec3 c =
        s->c >= 0 ? p[s->c] : v3_add(p[s->b], v3_perpendicular(v3_unit(v3_sub(p[s->a], p[s->b]))));
    return point_by_torsion(p[s->a], p[s->b], c, s->length, s->angle, s->torsion[choice]);
}

/* Is an atom of another residue bonded to this one's chain atoms, so near that it is no clash? */
static bool is_linked_to(const builder *b, const cardo_nearby_atom *other, int atom)
{
    static const char *const links[][2] = {{"C", "N"}, {"N", "C"}, {"O3'", "P"}, {"P", "O3'"}};
    const char *name = b->draft->residue[other->residue].atom[other->atom].name.text;
    int apart = other->residue - b->residue;
    if (apart != 1 && apart != -1)
        return false;
    const cardo_draft_residue *later = &b->draft->residue[apart > 0 ? other->residue : b->residue];
    for (int k = 0; later->linked && k < 4; ++k) {
        int own = cardo_component_atom_find(b->component, links[k][0]);
        if (own >= 0 && strcmp(name, links[k][1]) == 0 && b->separation[own][atom] <= 2)
            return true;
    }
    return false;
}

/* Cost of an atom against what is around and against the atoms of its own residue before it. */
static double cost_of(const builder *b, const step *s, cardo_vec3 at)
{
    const cardo_component *component = b->component;
    int element = component->atom[s->atom].element;
    double cost = 0;
    for (int k = 0; k < b->near.count; ++k) {
        const cardo_nearby_atom *other = &b->near.atom[k];
        double d = distance_of(other->position, at);
        if (d < 0.4 && other->residue != b->residue && !is_linked_to(b, other, s->atom))
            cost += cardo_clash_cost(element, other->element, d);
    }
    for (int i = 0; i < component->natom; ++i)
        if (b->placed[i] && b->separation[s->atom][i] > 3)
            cost += cardo_clash_cost(element, component->atom[i].element,
                                     distance_of(b->position[i], at));
    return cost;
}

/* Depth first over the choices of torsions, leaving a branch once it costs more than the best. */
static void search(builder *b, int depth, double cost)
{
    if (cost >= b->best_cost)
        return;
    if (depth == b->nstep) {
        b->best_cost = cost;
        memcpy(b->best, b->position, sizeof b->position);
        return;
    }
    const step *s = &b->step[depth];
    int choices = s->second >= 0 ? 1 : s->ntorsion;
    for (int k = 0; k < choices; ++k) {
        b->position[s->atom] = place(b, s, k);
        b->placed[s->atom] = true;
        search(b, depth + 1,
               cost + (s->second >= 0 ? 0 : s->cost[k]) + cost_of(b, s, b->position[s->atom]));
        b->placed[s->atom] = false;
    }
}

/* Atoms of residues that close a break are told of there. */
static cardo_status note_built(cardo_draft *draft, int r, const cardo_name *atom,
                               cardo_error *error)
{
    bool closing = draft->residue[r].source < 0;
    draft->topic = closing ? CARDO_TOPIC_BREAKS : CARDO_TOPIC_HEAVY;
    return cardo_draft_note(draft, CARDO_CHANGE_ADDED, r, atom, error,
                            closing ? "of a residue that closes a chain break"
                                    : "missing in the file");
}

/* The carbonyl oxygen lies in the plane of C's other neighbours. */
static cardo_status build_carbonyl(cardo_draft *draft, int r, cardo_error *error)
{
    cardo_draft_residue *residue = &draft->residue[r];
    const cardo_draft_atom *next = cardo_draft_linked_atom(draft, r, "C");
    if (residue->component->kind != CARDO_COMPONENT_PROTEIN ||
        cardo_draft_find(residue, "O") >= 0 || !next)
        return CARDO_OK;
    const cardo_draft_atom *c = cardo_draft_atom_called(residue, "C"),
                           *ca = cardo_draft_atom_called(residue, "CA");
    cardo_vec3 others[2] = {ca->position, next->position};
    cardo_draft_atom oxygen = {
        .name = {"O"}, .element = 8, .source = -1, .occupancy = 1, .b_factor = c->b_factor};
    oxygen.position =
        v3_add_scaled(c->position, -0.1231, v3_unit(sum_of_directions(c->position, 2, others)));
    cardo_status status =
        cardo_draft_add_atom(residue, cardo_draft_find(residue, "C") + 1, &oxygen, error);
    if (status == CARDO_OK)
        status = note_built(draft, r, &oxygen.name, error);
    return status;
}

/* Built once, from other residues: the carbonyl oxygen, and what closes a break. */
static bool is_backbone(const char *name)
{
    static const char *const names[] = {"N", "CA", "C", "O"};
    for (int k = 0; k < 4; ++k)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

/* Fills what is there; tells whether anything is missing. again: atoms that were built count as
 * missing. */
static bool load(builder *b, bool again)
{
    const cardo_draft_residue *residue = &b->draft->residue[b->residue];
    bool missing = false;
    for (int i = 0; i < b->component->natom; ++i) {
        const cardo_draft_atom *atom =
            cardo_draft_atom_called(residue, b->component->atom[i].name.text);
        bool backbone = atom && is_backbone(atom->name.text);
        b->placed[i] = atom && (atom->source >= 0 || !again || backbone);
        if (atom)
            b->position[i] = atom->position;
        if (!is_wanted(b->draft, residue, i))
            b->placed[i] = false;
        else
            missing = missing || !b->placed[i];
    }
    return missing;
}

/* Where a new heavy atom stands in its residue: in the order of the component. */
static int place_in_order(const cardo_draft_residue *residue, int atom)
{
    for (int i = atom - 1; i >= 0; --i) {
        int at = cardo_draft_find(residue, residue->component->atom[i].name.text);
        if (at >= 0)
            return at + 1;
    }
    return 0;
}

static cardo_status store(cardo_draft *draft, const builder *b, cardo_error *error)
{
    cardo_draft_residue *residue = &draft->residue[b->residue];
    for (int k = 0; k < b->nstep; ++k) {
        int i = b->step[k].atom;
        const cardo_component_atom *template = &b->component->atom[i];
        int at = cardo_draft_find(residue, template->name.text);
        if (at >= 0) {
            residue->atom[at].position = b->best[i];
            continue;
        }
        const cardo_draft_atom *parent =
            cardo_draft_atom_called(residue, b->component->atom[b->step[k].a].name.text);
        cardo_draft_atom atom = {.name = template->name,
                                 .element = template->element,
                                 .position = b->best[i],
                                 .source = -1,
                                 .occupancy = 1,
                                 .b_factor = parent->b_factor};
        cardo_status status =
            cardo_draft_add_atom(residue, place_in_order(residue, i), &atom, error);
        if (status == CARDO_OK)
            status = note_built(draft, b->residue, &atom.name, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

static bool plan(builder *b)
{
    b->nstep = 0;
    while (plan_step(b))
        ;
    for (int k = 0; k < b->nstep; ++k)
        b->placed[b->step[k].atom] = false;
    return b->nstep > 0;
}

static cardo_status build_residue(cardo_draft *draft, builder *b, bool again, cardo_error *error)
{
    const cardo_draft_residue *residue = &draft->residue[b->residue];
    if (!load(b, again))
        return CARDO_OK;
    measure_separations(b);
    if (!plan(b))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%s%d: too few atoms to build the missing ones from; leave the "
                          "residue out",
                          residue->chain.text, residue->name.text, residue->number);
    b->best_cost = 1e30;
    cardo_vec3 centre = b->position[b->step[0].a];
    cardo_status status = cardo_nearby_collect(&b->near, draft, centre, 1.4, error);
    if (status != CARDO_OK)
        return status;
    search(b, 0, 0);
    return store(draft, b, error);
}

cardo_status cardo_prepare_heavy(cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    builder *b = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&b, 1, error));
    b->draft = draft;
    for (int sweep = 0; sweep < SWEEPS; ++sweep)
        for (int r = 0; r < draft->count; ++r) {
            b->residue = r;
            b->component = draft->residue[r].component;
            if (!b->component || b->component->kind == CARDO_COMPONENT_CAP)
                continue;
            if (sweep == 0)
                CARDO_TRY(build_carbonyl(draft, r, error));
            CARDO_TRY(build_residue(draft, b, sweep > 0, error));
        }
done:
    if (b)
        cardo_nearby_clear(&b->near);
    cardo_free(b);
    return status;
}
