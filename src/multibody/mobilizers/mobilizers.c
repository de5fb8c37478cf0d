#include "multibody/mobilizers/descriptor.h"

#include <string.h>

#define ENTRY(name) &cardo_mobilizer_##name,
const cardo_mobilizer *const cardo_mobilizers[] = {CARDO_MOBILIZERS(ENTRY) NULL};
#undef ENTRY

const cardo_mobilizer *const *cardo_mobilizer_list(void)
{
    return cardo_mobilizers;
}

const char *cardo_mobilizer_name(const cardo_mobilizer *mobilizer)
{
    return mobilizer->name;
}

const char *cardo_mobilizer_sizes(const cardo_mobilizer *mobilizer, int *nq, int *nu)
{
    *nq = mobilizer->nq;
    *nu = mobilizer->nu;
    return mobilizer->sizes;
}

const char *cardo_mobilizer_doc(const cardo_mobilizer *mobilizer)
{
    return mobilizer->doc;
}

const cardo_mobilizer *cardo_mobilizer_find(const char *name)
{
    for (int i = 0; cardo_mobilizers[i]; ++i)
        if (strcmp(cardo_mobilizers[i]->name, name) == 0)
            return cardo_mobilizers[i];
    return NULL;
}

cardo_status cardo_joint_compile(const cardo_mobilizer *mobilizer, const void *parameters,
                                 bool euler, cardo_joint *joint, cardo_error *error)
{
    *joint = (cardo_joint){
        .mobilizer = mobilizer,
        .euler = euler && mobilizer->has_orientation,
        .nu = mobilizer->nu,
        .kind = mobilizer->kind,
        .ncache = mobilizer->ncache,
    };
    joint->nq = joint->euler ? mobilizer->nq_euler : mobilizer->nq;
    if (!mobilizer->compile)
        return CARDO_OK;
    if (!parameters)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a %s mobilizer needs parameters, and the definition has none",
                          mobilizer->name);
    cardo_status status = mobilizer->compile(parameters, joint, error);
    if (status != CARDO_OK)
        cardo_joint_release(joint);
    return status;
}

void cardo_joint_release(cardo_joint *joint)
{
    if (joint->mobilizer && joint->mobilizer->release)
        joint->mobilizer->release(joint);
    joint->data = NULL;
}

const char *cardo_joint_q_name(const cardo_joint *joint, int k)
{
    const cardo_mobilizer *m = joint->mobilizer;
    if (m->q_name)
        return m->q_name(joint, k);
    return joint->euler && m->q_names_euler ? m->q_names_euler[k] : m->q_names[k];
}

const char *cardo_joint_u_name(const cardo_joint *joint, int k)
{
    const cardo_mobilizer *m = joint->mobilizer;
    return m->u_names ? m->u_names[k] : cardo_joint_q_name(joint, k);
}
