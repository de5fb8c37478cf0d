/* Meshes as beds of springs: one a face, at its centroid, where that is inside the other surface. */
#include "multibody/contact/mesh_nearest.h"
#include "multibody/contact/pair.h"

static bool accepts(const cardo_contact_shape *first, const cardo_contact_shape *second)
{
    (void)first;
    return second == &cardo_contact_mesh_shape;
}

/* Springs of one mesh against the other surface, and what they come to. */
typedef struct bed {
    const contact_pair *pair;
    const mesh_data *mesh;
    const contact_surface *other;
    const mesh_data *other_mesh; /* NULL: is none */
    cardo_contact_pair_material material;
    double share;         /* of the deformation that the mesh has                    */
    double toward;        /* 1: the mesh is surface 2, so that the other's normal is n */
    cardo_transform X_OM; /* from the mesh's frame to the other's                */
    const cardo_transform *X_O;
    int hint;
} bed;

/* Of both beds of a pair. */
typedef struct resultant {
    double energy, pressing_energy, dissipation, area, depth, weight;
    cardo_vec3 force, torque,
        pressure;                   /* torque: about ground's origin; pressure: weighted places */
    cardo_vec3 middle;              /* of the faces that the other surface reaches        */
    cardo_vec3 turning;             /* places weighted by the moments of pressures about it */
    double turning_weight, reached; /* and the area of these faces                        */
    int nelement;
} resultant;

static void add_spring(const bed *b, const mesh_face *face, const shape_depth *place,
                       resultant *sum)
{
    const double d = place->depth, elastic = b->material.stiffness * face->area * d;
    const double energy = 0.5 * elastic * d;
    sum->energy += energy;
    if (!b->pair->work->V_GB)
        return;
    const cardo_vec3 outward = m33_mul_v3(b->X_O->R, place->normal);
    const cardo_vec3 seen = v3_add(b->X_OM.p, m33_mul_v3(b->X_OM.R, face->centroid));
    const cardo_vec3 at = v3_add(b->X_O->p, m33_mul_v3(b->X_O->R, seen));
    const cardo_vec3 point = v3_add_scaled(at, b->share * d, outward);
    const contact_press press =
        cardo_contact_press(b->pair, &b->material, 1, point, v3_scale(b->toward, outward), elastic);
    if (!(press.normal > 0) || !b->pair->visit)
        return;
    ++sum->nelement;
    sum->pressing_energy += energy;
    sum->dissipation += press.dissipation;
    sum->area += face->area;
    sum->depth = fmax(sum->depth, d);
    sum->weight += press.normal;
    sum->pressure = v3_add_scaled(sum->pressure, press.normal, point);
    const double turning = press.normal * v3_norm(v3_cross(v3_sub(point, sum->middle), outward));
    sum->turning_weight += turning;
    sum->turning = v3_add_scaled(sum->turning, turning, point);
    sum->force = v3_add(sum->force, press.force);
    sum->torque = v3_add(sum->torque, v3_cross(point, press.force));
}

/* Where a ball is as the other surface has it: how far inside other shapes reach is not known without a direction. */
static mesh_side side_of(bed *b, cardo_vec3 point, double radius)
{
    if (b->other_mesh)
        return cardo_mesh_side(b->other_mesh, point, radius, &b->hint);
    return b->other->shape->distance(b->other->data, point) > radius ? MESH_OUTSIDE : MESH_ACROSS;
}

static bool is_inside(bed *b, cardo_vec3 point)
{
    const cardo_vec3 at = v3_add(b->X_OM.p, m33_mul_v3(b->X_OM.R, point));
    shape_depth place;
    return b->other_mesh ? cardo_mesh_inside(b->other_mesh, at, &b->hint, &place)
                         : b->other->shape->inside(b->other->data, at, &place);
}

/* Whether a face has a corner in the other surface, or any place of it in a sphere. */
static bool is_reached(bed *b, const mesh_face *face)
{
    if (b->other->shape != &cardo_contact_sphere_shape)
        return is_inside(b, face->a) || is_inside(b, face->b) || is_inside(b, face->c);
    const cardo_vec3 centre = m33_tmul_v3(b->X_OM.R, v3_neg(b->X_OM.p));
    return is_inside(b, cardo_mesh_on_face(face, centre));
}

static void gather_faces(bed *b, const mesh_node *leaf, resultant *sum)
{
    for (int f = leaf->first; f < leaf->first + leaf->count; ++f) {
        const mesh_face *face = &b->mesh->faces[f];
        if (!is_reached(b, face))
            continue;
        const cardo_vec3 seen = v3_add(b->X_OM.p, m33_mul_v3(b->X_OM.R, face->centroid));
        const cardo_vec3 at = v3_add(b->X_O->p, m33_mul_v3(b->X_O->R, seen));
        sum->reached += face->area;
        sum->middle = v3_add_scaled(sum->middle, face->area, at);
    }
}

static void press_faces(bed *b, const mesh_node *leaf, resultant *sum)
{
    for (int f = leaf->first; f < leaf->first + leaf->count; ++f) {
        const mesh_face *face = &b->mesh->faces[f];
        const cardo_vec3 at = v3_add(b->X_OM.p, m33_mul_v3(b->X_OM.R, face->centroid));
        shape_depth place;
        const bool inside = b->other_mesh ? cardo_mesh_inside(b->other_mesh, at, &b->hint, &place)
                                          : b->other->shape->inside(b->other->data, at, &place);
        if (inside)
            add_spring(b, face, &place, sum);
    }
}

/* Whether a node's box and the other's, which is along its frame's axes, are apart. */
static bool is_apart(const bed *b, cardo_vec3 middle, cardo_vec3 half)
{
    const contact_surface *other = b->other;
    if (other->shape->unbounded)
        return false;
    const cardo_vec3 d = v3_sub(middle, other->centre);
    const double away[3] = {d.x, d.y, d.z}, h[3] = {half.x, half.y, half.z};
    const double o[3] = {other->half.x, other->half.y, other->half.z};
    for (int i = 0; i < 3; ++i) {
        double wide = o[i];
        for (int j = 0; j < 3; ++j)
            wide += fabs(b->X_OM.R.m[i][j]) * h[j];
        if (fabs(away[i]) > wide)
            return true;
    }
    return false;
}

/* Calls visit for each leaf that the other surface may reach: corners of its faces, or centroids alone. */
static void visit_leaves(bed *b, void (*visit)(bed *b, const mesh_node *leaf, resultant *sum),
                         bool corners, resultant *sum)
{
    struct {
        int node;
        bool inside; /* all of it, for certain */
    } stack[MESH_DEPTH];
    int depth = 0;
    stack[depth].inside = false;
    stack[depth++].node = 0;
    while (depth > 0) {
        const mesh_node *node = &b->mesh->nodes[stack[--depth].node];
        bool inside = stack[depth].inside;
        const cardo_vec3 half = v3_scale(0.5, v3_sub(node->high, node->low));
        const cardo_vec3 centre = v3_scale(0.5, v3_add(node->low, node->high));
        const cardo_vec3 middle = v3_add(b->X_OM.p, m33_mul_v3(b->X_OM.R, centre));
        if (!inside) {
            if (is_apart(b, middle, half))
                continue;
            const mesh_side side = side_of(b, middle, corners ? node->corners : node->centroids);
            if (side == MESH_OUTSIDE)
                continue;
            inside = side == MESH_INSIDE;
        }
        if (node->child < 0) {
            visit(b, node, sum);
            continue;
        }
        for (int k = 1; k >= 0; --k) {
            stack[depth].inside = inside;
            stack[depth++].node = node->child + k;
        }
    }
}

static void report(const contact_pair *pair, const resultant *sum)
{
    const cardo_vec3 pressed = v3_scale(1 / sum->weight, sum->pressure);
    const cardo_vec3 centre =
        sum->turning_weight > 0 ? v3_scale(1 / sum->turning_weight, sum->turning) : pressed;
    const double norm = v3_norm(sum->force);
    const cardo_contact_report out = {
        .surface1 = pair->s1->number,
        .surface2 = pair->s2->number,
        .point = centre,
        .pressure_centre = pressed,
        .normal = norm > 0 ? v3_scale(1 / norm, sum->force) : v3(0, 0, 0),
        .force = sum->force,
        .moment = v3_sub(sum->torque, v3_cross(centre, sum->force)),
        .depth = sum->depth,
        .area = sum->area,
        .potential_energy = sum->pressing_energy,
        .power_dissipation = sum->dissipation,
        .nelement = sum->nelement,
    };
    pair->visit(pair->user, &out);
}

static cardo_transform seen_from(const cardo_transform *X_GO, const cardo_transform *X_GM)
{
    return cardo_transform_multiply(cardo_transform_inverse(*X_GO), *X_GM);
}

static double compute(const contact_pair *pair)
{
    const contact_surface *s1 = pair->s1, *s2 = pair->s2;
    const bool both = s1->shape == &cardo_contact_mesh_shape;
    const cardo_contact_pair_material material = cardo_contact_combine_foundation(
        &s1->material, s1->thickness, &s2->material, s2->thickness);
    resultant sum = {0};
    bed beds[2] = {{.pair = pair,
                    .mesh = s2->data,
                    .other = s1,
                    .other_mesh = both ? s1->data : NULL,
                    .material = material,
                    .share = material.share2,
                    .toward = 1,
                    .X_OM = seen_from(&pair->X1, &pair->X2),
                    .X_O = &pair->X1}};
    if (both)
        beds[1] = (bed){.pair = pair,
                        .mesh = s1->data,
                        .other = s2,
                        .other_mesh = s2->data,
                        .material = material,
                        .share = material.share1,
                        .toward = -1,
                        .X_OM = seen_from(&pair->X2, &pair->X1),
                        .X_O = &pair->X2};
    for (int k = 0; pair->visit && k < 1 + both; ++k)
        visit_leaves(&beds[k], gather_faces, true, &sum);
    if (sum.reached > 0)
        sum.middle = v3_scale(1 / sum.reached, sum.middle);
    for (int k = 0; k < 1 + both; ++k)
        visit_leaves(&beds[k], press_faces, false, &sum);
    if (pair->visit && sum.nelement > 0)
        report(pair, &sum);
    return sum.energy;
}

const contact_law cardo_contact_law_elastic_foundation = {
    .name = "elastic-foundation",
    .accepts = accepts,
    .compute = compute,
};
