#include "dynamics/integrator.h"

#include <string.h>

const cardo_integrator *const cardo_integrators[] = {
    &cardo_integrator_verlet,
    &cardo_integrator_leapfrog,
    &cardo_integrator_respa,
    &cardo_integrator_langevin,
    &cardo_integrator_baoab,
    &cardo_integrator_andersen,
    &cardo_integrator_csvr,
    &cardo_integrator_nose_hoover,
    &cardo_integrator_hmc,
    &cardo_integrator_ghmc,
    &cardo_integrator_euler,
    &cardo_integrator_heun,
    &cardo_integrator_rk4,
    &cardo_integrator_adams_bashforth_moulton,
    &cardo_integrator_gear,
    &cardo_integrator_merson,
    &cardo_integrator_adams,
    &cardo_integrator_bdf,
    NULL,
};

const cardo_integrator *cardo_integrator_find(const char *name)
{
    for (int k = 0; cardo_integrators[k]; ++k)
        if (strcmp(cardo_integrators[k]->name, name) == 0)
            return cardo_integrators[k];
    return NULL;
}
