#include "multibody/contact/pair.h"

/* Rises from 0 at 0 to 1 at 1, with two derivatives that are 0 at both. */
static double step(double x)
{
    return x * x * x * (10 + x * (-15 + 6 * x));
}

double cardo_stribeck_friction(const cardo_contact_pair_material *material, double speed,
                               double transition)
{
    const double s = speed / transition;
    const double us = material->static_friction, ud = material->dynamic_friction;
    const double viscous = material->viscous_friction * speed;
    if (s < 1)
        return viscous + us * step(s);
    return viscous + (s < 3 ? us - (us - ud) * step(0.5 * (s - 1)) : ud);
}
