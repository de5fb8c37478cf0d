#include "multibody/quantities/columns.h"

#include "multibody/mobilizers/path.h"
#include "multibody/tree/coordinate_names.h"

#include <stdio.h>
#include <string.h>

enum { DIGITS = 10 };

typedef struct unit_names {
    const char *coordinate, *speed, *force;
} unit_names;

static const unit_names angle = {"rad", "rad/ps", "kJ/mol/rad"};
static const unit_names length = {"nm", "nm/ps", "kJ/mol/nm"};
static const unit_names number = {"", "1/ps", "kJ/mol"};

/* Units of coordinate (or speed) k of a body, where its mobilizer settles them. */
static const unit_names *units_of(const cardo_system *system, int body, const cardo_body_info *info,
                                  int k, bool speed)
{
    if (info->mobilizer == &cardo_mobilizer_pin)
        return &angle;
    if (info->mobilizer == &cardo_mobilizer_slider)
        return &length;
    if (info->mobilizer == &cardo_mobilizer_path && k > 0)
        return cardo_path_shifts(cardo_system_joint(system, body), k) ? &length : &angle;
    if (info->mobilizer != &cardo_mobilizer_free)
        return &number;
    if (k >= (speed ? info->nu : info->nq) - 3)
        return &length;
    return speed || info->euler ? &angle : &number;
}

/* The mobilizer's own word for coordinate or speed k, or NULL. */
static const char *word_of(const cardo_system *system, int body, int k, bool speed)
{
    const cardo_joint *joint = cardo_system_joint(system, body);
    const cardo_mobilizer *mobilizer = joint->mobilizer;
    if (!mobilizer->q_name && !(speed ? mobilizer->u_names : mobilizer->q_names))
        return NULL;
    return speed ? cardo_joint_u_name(joint, k) : cardo_joint_q_name(joint, k);
}

static void name_column(cardo_column *column, const char *kind, const cardo_system *system,
                        const cardo_body_info *info, int body, int k, bool speed)
{
    char number_text[16], body_text[16];
    snprintf(number_text, sizeof number_text, "%d", k + 1);
    snprintf(body_text, sizeof body_text, "body%d", body);
    const char *name = info->name ? info->name : body_text, *word = word_of(system, body, k, speed);
    if ((speed ? info->nu : info->nq) == 1)
        snprintf(column->name, sizeof column->name, "%s %.44s", kind, name);
    else
        snprintf(column->name, sizeof column->name, "%s %.30s %.16s", kind, name,
                 word ? word : number_text);
    column->digits = DIGITS;
}

void cardo_coordinate_columns(const cardo_system *system, cardo_column *columns)
{
    char coordinate[CARDO_COORDINATE_NAME];
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        for (int k = 0; k < info.nq; ++k) {
            cardo_column *column = &columns[info.q_first + k];
            name_column(column, "q", system, &info, body, k, false);
            column->unit = units_of(system, body, &info, k, false)->coordinate;
            column->key = info.nq == 1 ? "q" : "q of several";
            cardo_coordinate_name(system, info.q_first + k, coordinate);
            snprintf(column->of, sizeof column->of, "%.95s", coordinate);
        }
    }
}

void cardo_speed_columns(const cardo_system *system, cardo_column *columns)
{
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        for (int k = 0; k < info.nu; ++k) {
            cardo_column *column = &columns[info.u_first + k];
            name_column(column, "u", system, &info, body, k, true);
            column->unit = units_of(system, body, &info, k, true)->speed;
        }
    }
}

int cardo_force_columns(const cardo_system *system, int *speeds, cardo_column *columns)
{
    int n = 0;
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        if (info.mobilizer == &cardo_mobilizer_free)
            continue;
        for (int k = 0; k < info.nu; ++k) {
            if (columns) {
                name_column(&columns[n], "force", system, &info, body, k, true);
                columns[n].unit = units_of(system, body, &info, k, true)->force;
            }
            speeds[n++] = info.u_first + k;
        }
    }
    return n;
}
