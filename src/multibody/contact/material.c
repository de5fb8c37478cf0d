#include "multibody/contact/pair.h"

/* Of two coefficients of friction; 0 where both are. */
static double mean(double a, double b)
{
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

/* Two springs one behind the other: k1' and k2' share the deformation as k2' to k1'. */
static cardo_contact_pair_material combine(const cardo_contact_material *m1, double k1,
                                           const cardo_contact_material *m2, double k2)
{
    const double share1 = k2 / (k1 + k2);
    return (cardo_contact_pair_material){
        .share1 = share1,
        .share2 = 1 - share1,
        .stiffness = k1 * share1,
        .dissipation = m1->dissipation * share1 + m2->dissipation * (1 - share1),
        .static_friction = mean(m1->static_friction, m2->static_friction),
        .dynamic_friction = mean(m1->dynamic_friction, m2->dynamic_friction),
        .viscous_friction = mean(m1->viscous_friction, m2->viscous_friction),
    };
}

cardo_contact_pair_material cardo_contact_combine_hertz(const cardo_contact_material *material1,
                                                        const cardo_contact_material *material2)
{
    const double root1 = cbrt(material1->stiffness), root2 = cbrt(material2->stiffness);
    return combine(material1, root1 * root1, material2, root2 * root2);
}

cardo_contact_pair_material
cardo_contact_combine_foundation(const cardo_contact_material *material1, double thickness1,
                                 const cardo_contact_material *material2, double thickness2)
{
    const double h1 = thickness1 > 0 ? thickness1 : thickness2;
    const double h2 = thickness2 > 0 ? thickness2 : thickness1;
    return combine(material1, material1->stiffness / h1, material2, material2->stiffness / h2);
}
