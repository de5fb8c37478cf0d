/* Born radii from descreening integrals. */
#include "forces/rigid/model.h"

#include <math.h>

/* OBC2's curve from descreening to radius (Onufriev, Bashford & Case 2004, eq. 8). */
static const double alpha = 1.0, beta = 0.8, gamma_ = 4.85;

double cardo_rigid_born_radius(const cardo_rigid_model *model, int slot, double integral,
                               double *slope)
{
    const double offset = model->full.offset_radius[slot], radius = cardo_rigid_radius(model, slot);
    const double psi = offset * integral;
    const double t = tanh(psi * (alpha - psi * (beta - psi * gamma_)));
    const double born = 1 / (1 / offset - t / radius);
    *slope =
        born * born * (1 - t * t) * offset * (alpha - psi * (2 * beta - psi * 3 * gamma_)) / radius;
    return born;
}

double cardo_rigid_largest_radius(const cardo_rigid_model *model, int slot)
{
    return 1 / (1 / model->full.offset_radius[slot] - 1 / cardo_rigid_radius(model, slot));
}
