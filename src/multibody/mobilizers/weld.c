#include "multibody/mobilizers/descriptor.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)joint, (void)q, (void)cache, (void)H;
    *X_FM = xform_identity();
}

const cardo_mobilizer cardo_mobilizer_weld = {
    .name = "weld",
    .doc = "no motion: M stays on F",
    .kind = CARDO_MOBILIZER_WELD,
    .position = position,
};
