/* Boxes at their corners: spheres of the rounding's radius, each of which presses a plane, a sphere or the other box by Hertz's law. A sphere on a box presses
 * as on a plane, on edges and corners, too, so that force and energy have no jumps along them. */
#include "multibody/contact/box.h"
#include "multibody/contact/pair.h"

static bool is(const cardo_contact_shape *shape, const cardo_contact_shape *wanted)
{
    return shape == wanted;
}

static bool accepts(const cardo_contact_shape *first, const cardo_contact_shape *second)
{
    return is(second, &cardo_contact_box_shape) &&
           (is(first, &cardo_contact_half_space_shape) || is(first, &cardo_contact_sphere_shape) ||
            is(first, &cardo_contact_box_shape));
}

/* A sphere about a point of ground against a box; sign: 1 where the sphere is surface 2. */
static double sphere_on_box(const contact_pair *pair, const cardo_contact_pair_material *material,
                            cardo_vec3 centre, double radius, const box_data *box,
                            const cardo_transform *X, double sign)
{
    cardo_vec3 along;
    const double distance =
        cardo_box_distance(box, m33_tmul_v3(X->R, v3_sub(centre, X->p)), &along);
    const double depth = radius + box->rounding - distance;
    if (!(depth > 0))
        return 0;
    const cardo_vec3 n = m33_mul_v3(X->R, along);
    const cardo_vec3 middle = v3_add_scaled(centre, 0.5 * depth - radius, n);
    return cardo_contact_hertz_at(pair, material, middle, v3_scale(sign, n), depth, radius, 1);
}

static double on_half_space(const contact_pair *pair, const cardo_contact_pair_material *material)
{
    const box_data *box = pair->s2->data;
    const cardo_vec3 n = m33_mul_v3(pair->X1.R, v3(-1, 0, 0));
    double energy = 0;
    for (int k = 0; k < box->ncorner; ++k) {
        const cardo_vec3 at = v3_add(pair->X2.p, m33_mul_v3(pair->X2.R, box->corners[k]));
        const double depth = box->rounding - v3_dot(n, v3_sub(at, pair->X1.p));
        if (depth > 0)
            energy += cardo_contact_hertz_at(pair, material,
                                             v3_add_scaled(at, 0.5 * depth - box->rounding, n), n,
                                             depth, box->rounding, 1);
    }
    return energy;
}

static double compute(const contact_pair *pair)
{
    const cardo_contact_pair_material material =
        cardo_contact_combine_hertz(&pair->s1->material, &pair->s2->material);
    const box_data *second = pair->s2->data;
    double energy = 0;
    if (pair->s1->shape == &cardo_contact_half_space_shape)
        return on_half_space(pair, &material);
    if (pair->s1->shape == &cardo_contact_sphere_shape)
        return sphere_on_box(pair, &material, pair->X1.p,
                             ((const cardo_contact_sphere *)pair->s1->data)->radius, second,
                             &pair->X2, -1);
    const box_data *first = pair->s1->data;
    for (int k = 0; k < first->ncorner; ++k)
        energy += sphere_on_box(pair, &material,
                                v3_add(pair->X1.p, m33_mul_v3(pair->X1.R, first->corners[k])),
                                first->rounding, second, &pair->X2, -1);
    for (int k = 0; k < second->ncorner; ++k)
        energy += sphere_on_box(pair, &material,
                                v3_add(pair->X2.p, m33_mul_v3(pair->X2.R, second->corners[k])),
                                second->rounding, first, &pair->X1, 1);
    return energy;
}

const contact_law cardo_contact_law_corners = {
    .name = "corners",
    .accepts = accepts,
    .compute = compute,
};
