#include "base/random.h"

#include "base/units.h"

#include <Random123/philox.h>
#include <math.h>

cardo_random cardo_random_start(uint64_t seed, uint32_t stream)
{
    return (cardo_random){seed, stream, 0};
}

/* One Philox block: two uniforms in (0, 1) of 53 bits, offset by half a unit so that neither end
 * occurs. */
static void draw_pair(cardo_random *random, double pair[2])
{
    philox4x32_ctr_t counter = {
        {(uint32_t)random->position, (uint32_t)(random->position >> 32), random->stream, 0}};
    philox4x32_key_t key = {{(uint32_t)random->seed, (uint32_t)(random->seed >> 32)}};
    philox4x32_ctr_t block = philox4x32(counter, key);
    random->position++;
    for (int k = 0; k < 2; ++k) {
        uint64_t bits = ((uint64_t)block.v[2 * k] << 32 | block.v[2 * k + 1]) >> 12;
        pair[k] = ((double)bits + 0.5) * 0x1p-52;
    }
}

void cardo_random_uniform(cardo_random *random, int n, double *out)
{
    double pair[2];
    for (int k = 0; k < n; k += 2) {
        draw_pair(random, pair);
        out[k] = pair[0];
        if (k + 1 < n)
            out[k + 1] = pair[1];
    }
}

void cardo_random_normal(cardo_random *random, int n, double *out)
{
    double pair[2];
    for (int k = 0; k < n; k += 2) {
        draw_pair(random, pair);
        double radius = sqrt(-2.0 * log(pair[0])), angle = 2.0 * CARDO_PI * pair[1];
        out[k] = radius * cos(angle);
        if (k + 1 < n)
            out[k + 1] = radius * sin(angle);
    }
}
