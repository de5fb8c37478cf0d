#include "multibody/sdfast/joints.h"

#include <string.h>

static const sdfast_joint joints[] = {
    {"pin", "pin", 1, 1, 2},           {"slider", "slider", 1, 1, 0},
    {"cylinder", "cylinder", 1, 1, 2}, {"ujoint", "universal", 2, 2, 0},
    {"gimbal", "gimbal", 3, 3, 0},     {"ball", "ball", 0, 0, 0},
    {"planar", "planar", 2, 3, 0},     {"bushing", "bushing", 3, 3, 0},
    {"free", "free", 0, 0, 0},         {"weld", "weld", 0, 0, 0},
};

const sdfast_joint *cardo_sdfast_joint(const char *name, bool *reversed)
{
    for (int back = 0; back < 2 && (back == 0 || name[0] == 'r'); ++back)
        for (size_t i = 0; i < sizeof joints / sizeof *joints; ++i)
            if (strcmp(joints[i].name, name + back) == 0) {
                *reversed = back == 1;
                return &joints[i];
            }
    return NULL;
}

const sdfast_joint *cardo_sdfast_joint_of(const char *mobilizer)
{
    for (size_t i = 0; i < sizeof joints / sizeof *joints; ++i)
        if (strcmp(joints[i].mobilizer, mobilizer) == 0)
            return &joints[i];
    return NULL;
}

const char *cardo_sdfast_joint_names(void)
{
    return "pin, slider, cylinder, ujoint, gimbal, ball, planar, bushing, free, weld, and these "
           "with an r before them";
}
