#include "multibody/contact/pair.h"

static cardo_vec3 velocity_of(const contact_pair *pair, int body, cardo_vec3 point)
{
    const cardo_spatial *V = &pair->work->V_GB[body];
    return v3_add(V->linear, v3_cross(V->angular, v3_sub(point, pair->work->X_GB[body].p)));
}

static void push(const contact_pair *pair, int body, cardo_vec3 point, cardo_vec3 force)
{
    cardo_spatial *sum = &pair->work->body_forces[body];
    sum->linear = v3_add(sum->linear, force);
    sum->angular = v3_add(sum->angular, v3_cross(v3_sub(point, pair->work->X_GB[body].p), force));
}

contact_press cardo_contact_press(const contact_pair *pair,
                                  const cardo_contact_pair_material *material, double a,
                                  cardo_vec3 point, cardo_vec3 n, double elastic)
{
    const int body1 = pair->s1->body, body2 = pair->s2->body;
    const cardo_vec3 v = v3_sub(velocity_of(pair, body2, point), velocity_of(pair, body1, point));
    const double closing = -v3_dot(n, v);
    contact_press out = {
        .normal = elastic * (1 + a * material->dissipation * closing),
        .dissipation = a * material->dissipation * elastic * closing * closing,
    };
    if (!(out.normal > 0))
        return (contact_press){0};
    out.force = v3_scale(out.normal, n);
    const cardo_vec3 slip = v3_add_scaled(v, closing, n);
    const double speed = v3_norm(slip);
    if (speed > 0) {
        const double friction =
            out.normal * cardo_stribeck_friction(material, speed, pair->transition);
        out.force = v3_add_scaled(out.force, -friction / speed, slip);
        out.dissipation += friction * speed;
    }
    if (pair->work->body_forces) {
        push(pair, body2, point, out.force);
        push(pair, body1, point, v3_neg(out.force));
    }
    return out;
}

double cardo_contact_hertz_at(const contact_pair *pair, const cardo_contact_pair_material *material,
                              cardo_vec3 middle, cardo_vec3 n, double depth, double radius,
                              double sigma)
{
    const double k = material->stiffness;
    const double elastic = 4.0 / 3 * sigma * k * depth * sqrt(radius * k * depth);
    const double energy = 0.4 * elastic * depth;
    if (!pair->work->V_GB)
        return energy;
    const cardo_vec3 point = v3_add_scaled(middle, depth * (0.5 - material->share1), n);
    const contact_press press = cardo_contact_press(pair, material, 1.5, point, n, elastic);
    if (pair->visit) {
        const cardo_contact_report report = {
            .surface1 = pair->s1->number,
            .surface2 = pair->s2->number,
            .point = point,
            .pressure_centre = point,
            .normal = n,
            .force = press.force,
            .depth = depth,
            .effective_radius = radius,
            .potential_energy = press.normal > 0 ? energy : 0,
            .power_dissipation = press.dissipation,
        };
        pair->visit(pair->user, &report);
    }
    return energy;
}
